/* Laid tables: where people sit, and before each of them the places of plates,
 * cutlery and glasses. */
#include "proto/array.h"
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>

/* metres */
static const double PLATE_GAP = 0.045, SLOT_GAP = 0.03;
static const double PLATE_HALF = 0.13; /* where no plate is laid */

typedef struct seat { /* a place at a table */
    double edge[2],
        /* the point of its edge, and the way from there to its middle,
         * squarely */
        in[2];
} seat;

typedef struct seat_list {
    uint32_t count;
    seat items[BUILTIN_MOVES_MAX];
} seat_list;

/* ---- seats ---- */

/* Along a side that reaches so far to both ends of its middle: no nearer to an
 * end than a plate needs. */
static double seat_along(double at, double half)
{
    const double most = math_max(half - PLATE_HALF - PLATE_GAP, 0);
    return math_min(math_max(at, -most), most);
}

/* From where somebody on that side sits: the point of the table's edge nearest
 * to `from`, and the way inward. */
static seat seat_from(const builtin_object *table, const double from[2])
{
    seat s;
    const double *ahead = table->heading;
    double dx = from[0] - table->centre[0];
    double dy = from[1] - table->centre[1];
    double along = dx * ahead[0] + dy * ahead[1];
    double across = -dx * ahead[1] + dy * ahead[0];
    double u = seat_along(along, table->half[1]);
    double v = seat_along(across, table->half[0]);
    bool lengthwise =
        fabs(along) - table->half[1] >= fabs(across) - table->half[0];
    double beyond = lengthwise ? along : across;
    double sign = beyond < 0 ? 1 : -1;
    if (lengthwise) {
        u = -sign * table->half[1];
        s.in[0] = sign * ahead[0];
        s.in[1] = sign * ahead[1];
    } else {
        v = -sign * table->half[0];
        s.in[0] = -sign * ahead[1];
        s.in[1] = sign * ahead[0];
    }
    s.edge[0] = table->centre[0] + u * ahead[0] - v * ahead[1];
    s.edge[1] = table->centre[1] + u * ahead[1] + v * ahead[0];
    return s;
}

static void seats_add(seat_list *seats,
                      const builtin_object *table,
                      const double from[2])
{
    if (seats->count < BUILTIN_MOVES_MAX)
        seats->items[seats->count++] = seat_from(table, from);
}

static bool rect_holds(const builtin_rect *r, const double at[2])
{
    bool across = at[0] > r->low[0] && at[0] < r->high[0];
    return across && at[1] > r->low[1] && at[1] < r->high[1];
}

/* The seats that are said, else those that stand at the table. */
static void table_seats_find(const builtin_facts *facts,
                             const builtin_move *m,
                             seat_list *ret)
{
    const builtin_object *table = &facts->objects[m->reference];
    ret->count = 0;
    for (uint32_t i = 0; i < m->each.count; i++)
        seats_add(ret, table, facts->objects[m->each.objects[i]].centre);
    if (m->each.count > 0)
        return;
    if (m->second < facts->object_count) {
        seats_add(ret, table, facts->objects[m->second].centre);
        return;
    }
    builtin_rect near =
        builtin_footprint(table, table->centre[0], table->centre[1], 0.8);
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        if (builtin_is_seat(o) && !o->is_static && rect_holds(&near, o->centre))
            seats_add(ret, table, o->centre);
    }
}

/* Metres from a seat to the nearest of others. */
static double table_seat_way(const seat *s, const seat_list *others)
{
    double way = 1e9;
    for (uint32_t k = 0; k < others->count; k++)
        way = math_min(way, expand_way(s->edge, others->items[k].edge));
    return way;
}

/* Moves the one that is farthest from the chosen to these. */
static void seats_choose(seat_list *all, seat_list *chosen)
{
    uint32_t best = 0;
    double farthest = -1;
    for (uint32_t i = 0; i < all->count; i++) {
        double way = table_seat_way(&all->items[i], chosen);
        if (way <= farthest + 1e-9)
            continue;
        farthest = way;
        best = i;
    }
    chosen->items[chosen->count++] = all->items[best];
    all->count--;
    for (uint32_t i = best; i < all->count; i++)
        all->items[i] = all->items[i + 1];
}

/* Where no seat is: the middles of sides, the longer ones first; then beside
 * these. */
static void seats_fill(const builtin_object *table,
                       uint32_t need,
                       seat_list *seats)
{
    static const double shares[] = {0, 0.55, -0.55};
    enum {
        SIDES = 4,
        TRIES = SIDES * COUNT_OF(shares)
    };
    /* metres: from the table's side, and at least between two */
    const double reach = 0.3;
    for (unsigned n = 0; n < TRIES && seats->count < need; n++) {
        bool lengthwise = (n / 2 % 2 == 0) == (table->half[1] < table->half[0]);
        double sign = n % 2 ? -1 : 1;
        double share = shares[n / SIDES];
        double u = lengthwise ? sign * (table->half[1] + reach)
                              : share * table->half[1];
        double v = lengthwise ? share * table->half[0]
                              : sign * (table->half[0] + reach);
        const double from[2] = {
            table->centre[0] + u * table->heading[0] - v * table->heading[1],
            table->centre[1] + u * table->heading[1] + v * table->heading[0]};
        seat next = seat_from(table, from);
        if (table_seat_way(&next, seats) > reach)
            seats->items[seats->count++] = next;
    }
}

/* As many as are needed, where there is room for so many: those farthest from
 * each other first. */
static void table_seats_lay(const builtin_facts *facts,
                            const builtin_move *m,
                            uint32_t need,
                            seat_list *ret)
{
    seat_list all;
    table_seats_find(facts, m, &all);
    ret->count = 0;
    while (ret->count < need && all.count > 0)
        seats_choose(&all, ret);
    seats_fill(&facts->objects[m->reference], need, ret);
}

/* ---- before a seat ---- */

typedef struct setting {
    const expansion *e;
    const builtin_move *m;
    const builtin_object *table, *one; /* the first of what is laid */
    double half;                       /* of that */
    /* half of the plates that the same instruction lays */
    double plate;
    double height;
} setting;

/* Half the breadth of the plates that are laid, PLATE_HALF without: cutlery
 * lies beside them. */
static double plate_half(const expansion *e)
{
    double half = 0;
    for (uint32_t i = 0; i < e->said->count; i++) {
        const builtin_move *m = &e->said->moves[i];
        if (m->relation != RELATION_SETTING || m->slot != SLOT_PLATE)
            continue;
        for (uint32_t k = 0; k < m->objects.count; k++)
            half = math_max(
                half,
                builtin_half_longer(&e->then->objects[m->objects.objects[k]]));
    }
    return half > 0 ? half : PLATE_HALF;
}

static bool object_is_said(const builtin_reading *said, uint32_t object)
{
    for (uint32_t i = 0; i < said->count; i++) {
        for (uint32_t k = 0; k < said->moves[i].objects.count; k++) {
            if (said->moves[i].objects.objects[k] == object)
                return true;
        }
    }
    return false;
}

/* Does something that is not laid itself stand there on the table? */
static bool setting_is_taken(const setting *s, const double at[3])
{
    const builtin_facts *facts = s->e->then;
    uint32_t object = s->m->objects.objects[0];
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (i == s->m->reference || facts->objects[i].is_static ||
            object_is_said(s->e->said, i))
            continue;
        if (builtin_is_in_the_way(facts, i, object, at))
            return true;
    }
    return false;
}

/* From the table's edge inward, and to the right of who sits there: metres. */
static void slot_place(const setting *s,
                       const seat *at,
                       const double right[2],
                       double *ret_in,
                       double *ret_aside)
{
    double beside = s->plate + SLOT_GAP;
    *ret_in = PLATE_GAP + (s->m->slot == SLOT_PLATE ? s->half : s->plate);
    *ret_aside = 0;
    if (s->m->slot == SLOT_RIGHT)
        *ret_aside = beside + builtin_extent(s->one, right);
    if (s->m->slot == SLOT_LEFT)
        *ret_aside = -beside - builtin_extent(s->one, right);
    if (s->m->slot != SLOT_FAR)
        return;
    double far = PLATE_GAP + 2 * s->plate + SLOT_GAP + s->half;
    bool narrow = far + s->half >
                  /* a narrow table: beside the plate instead */
                  builtin_extent(s->table, at->in);
    *ret_in = narrow ? PLATE_GAP + s->plate : far;
    *ret_aside = narrow ? beside + s->half : 0.6 * s->plate;
}

/* A hand's breadth from what is there. */
static void setting_place(const setting *s, const seat *at, double ret[3])
{
    static const double breadths[] = {0,     0.06, -0.06, 0.12,
                                      -0.12, 0.18, -0.18, 0};
    const double right[2] = {at->in[1], -at->in[0]}; /* of who looks in */
    double in;
    double aside;
    slot_place(s, at, right, &in, &aside);
    ret[2] = s->height;
    for (size_t n = 0; n < COUNT_OF(breadths); n++) {
        double shifted = aside + breadths[n];
        for (int k = 0; k < 2; k++)
            ret[k] = at->edge[k] + in * at->in[k] + shifted * right[k];
        if (!setting_is_taken(s, ret))
            return;
    }
}

/* How many places are laid. */
static uint32_t setting_need(const builtin_move *m)
{
    uint32_t need = m->objects.need < BUILTIN_MOVES_MAX
                        ? m->objects.need
                        : (uint32_t)BUILTIN_MOVES_MAX;
    return m->each.count > 0 && m->each.count < need ? m->each.count : need;
}

/* One kind of thing at every seat, at its customary place (slot). */
etna_code expand_setting(expansion *e, const builtin_move *m)
{
    if (m->reference >= e->then->object_count || m->objects.count == 0)
        return ETNA_OK;
    setting s = {.e = e,
                 .m = m,
                 .table = &e->then->objects[m->reference],
                 .plate = plate_half(e)};
    const builtin_surface *top = expand_top_of(e->then, m->reference);
    const uint32_t need = setting_need(m);
    const uint32_t things = expand_count(&m->objects);
    uint32_t place_of[BUILTIN_MOVES_MAX];
    double places[BUILTIN_MOVES_MAX][3];
    seat_list seats;
    s.one = &e->then->objects[m->objects.objects[0]];
    s.half = builtin_half_longer(s.one);
    s.height = top ? top->height : builtin_top(s.table);
    table_seats_lay(e->then, m, need, &seats);
    for (uint32_t i = 0; i < seats.count; i++)
        setting_place(&s, &seats.items[i], places[i]);
    expand_assign(e->then, m->objects.objects, things,
                  (const double(*)[3])places, seats.count, place_of);
    for (uint32_t i = 0; i < things; i++) {
        if (place_of[i] == BUILTIN_NONE)
            continue;
        etna_code code = expand_at(e, m, m->objects.objects[i], m->reference,
                                   places[place_of[i]], 0.04);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
