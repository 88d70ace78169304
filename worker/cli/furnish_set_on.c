/* What stands on something: its places on top, on boards, and beneath upper
 * parts, the best first. */
#include "proto/array.h"
#include "worker/cli/furnish_set_internal.h"

#include <stdlib.h>
#include <string.h>

#define ABOVE 1e-3 /* metres above what something is let down on */
/* ON_TRIES: spots on a bearer that are tried; BOARD_TRIES: of these, on each of
 * its boards. */
enum {
    ON_TRIES = 120,
    BOARD_TRIES = 40,
    BOARDS_MOST = 12
};

/* One place on a bearer; the cheapest is tried first. */
typedef struct spot {
    /* from the bearer's middle, along its own axes */
    double side, forward, cost;
} spot;

static int spot_order(const void *a, const void *b)
{
    const spot *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    return (x->forward > y->forward) - (x->forward < y->forward);
}

/* Is the item one of several that are to stand in one row? */
static bool stands_in_row(const setter *s, uint32_t item)
{
    const layout_thing *l = &s->f->layout[s->f->plan.items[item].thing];
    const layout_tie *rows = layout_rows_of(l);
    return rows && rows->rows == 1 && l->count > 1;
}

/* The item's place in the row of its likes on the bearer, around its middle. */
static double row_side(const setter *s, uint32_t item, uint32_t bearer)
{
    const double apart = 0.12; /* metres between two, where there is room */
    const furnishing *f = s->f;
    double wide = furnish_pick_of(f, bearer)->model.size[0],
           own = furnish_pick_of(f, item)->model.size[0];
    uint32_t count = 0, earlier = 0;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        const layout_place *p = &f->plan.items[i];
        bool is_like = p->placed && p->on == bearer &&
                       p->thing == f->plan.items[item].thing;
        count += is_like;
        earlier += is_like && i < item;
    }
    if (count < 2)
        return 0;
    double pitch = fmin(own + apart, (wide - own - 0.01) / (count - 1));
    return (earlier - 0.5 * (count - 1)) * pitch;
}

/* Where along the bearer's width an item is best, from its middle: in the middle,
 * unless that leaves too little room for what is to stand there, too. Then all
 * of it stands in a row. */
static double spot_side(const setter *s, uint32_t item, uint32_t bearer)
{
    const double apart = 0.02; /* metres between two */
    const furnishing *f = s->f;
    double wide = furnish_pick_of(f, bearer)->model.size[0],
           own = furnish_pick_of(f, item)->model.size[0];
    double all = 0, before = 0, widest = 0;
    uint32_t count = 0, earlier = 0;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        if (!f->plan.items[i].placed || f->plan.items[i].on != bearer)
            continue;
        double one = furnish_pick_of(f, i)->model.size[0];
        all += one;
        count++;
        earlier += i < item;
        before += i < item ? one : 0;
        widest = i == item ? widest : fmax(widest, one);
    }
    bool has_room = (wide - own) / 2 >= widest + apart;
    if (count < 2 || has_room || all > wide)
        return 0;
    double gap = (wide - all) / (count + 1);
    return -wide / 2 + gap * (earlier + 1) + before + own / 2;
}

/* Is the item told to be on the left of its bearer, as one sees that from its
 * front (-1), or on the right (1)? 0: neither. */
static int told_side(const setter *s, uint32_t item, uint32_t bearer)
{
    const furnishing *f = s->f;
    const layout_thing *l = &f->layout[f->plan.items[item].thing];
    for (uint32_t k = 0; k < l->tie_count; k++) {
        const layout_tie *tie = &l->ties[k];
        bool is_its = tie->told && tie->anchor == f->plan.items[bearer].thing;
        if (is_its && tie->relation == BRIEF_LEFT)
            return -1;
        if (is_its && tie->relation == BRIEF_RIGHT)
            return 1;
    }
    return 0;
}

/* Is more to stand on the bearer than fits in one row along it? Then each goes to a
 * corner, which leaves the others most room. */
static bool bearer_is_crowded(const setter *s, uint32_t bearer)
{
    const furnishing *f = s->f;
    double all = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        if (!f->plan.items[i].placed || f->plan.items[i].on != bearer)
            continue;
        all += furnish_pick_of(f, i)->model.size[0];
        count++;
    }
    return count > 1 && all > furnish_pick_of(f, bearer)->model.size[0];
}

/* Does the item sit, or stand to be sat on, at the bearer? */
static bool sits_at(const setter *s, uint32_t item, uint32_t bearer)
{
    const furnishing *f = s->f;
    const layout_thing *l = &f->layout[f->plan.items[item].thing];
    bool is_at = false;
    for (uint32_t k = 0; k < l->tie_count; k++) {
        const layout_tie *tie = &l->ties[k];
        is_at |=
            tie->anchor == f->plan.items[bearer].thing &&
            (tie->relation == BRIEF_FRONT || tie->relation == BRIEF_AROUND);
    }
    return l->seat && is_at && f->plan.items[item].placed;
}

/* A table is laid before those who sit at it: for the n-th of several plates the
 * place before the n-th seat, from the bearer's middle along its own axes. False:
 * it is no such thing, or there are not as many seats. */
static bool spot_of_seat(const setter *s,
                         uint32_t item,
                         uint32_t bearer,
                         double ret[2])
{
    static const char *const laid[] = {"plate", "place mat", "cutlery",
                                       "glass"};
    static const double sines[4] = {0, 1, 0, -1}, cosines[4] = {1, 0, -1, 0};
    const furnishing *f = s->f;
    const uint32_t thing = f->plan.items[item].thing;
    const furnish_thing *t = &f->things[thing];
    uint32_t earlier = 0, seats = 0, h = f->plan.items[bearer].heading & 3;
    bool is_laid = false;
    for (size_t k = 0; k < COUNT_OF(laid); k++)
        is_laid |= t->wanted > 1 && habits_is(t->head, laid[k]);
    for (uint32_t i = 0; is_laid && i < item; i++)
        earlier +=
            f->plan.items[i].thing == thing && f->plan.items[i].on == bearer;
    for (uint32_t i = 0; is_laid && i < f->plan.item_count; i++) {
        if (!sits_at(s, i, bearer) || seats++ != earlier)
            continue;
        double x = f->plan.items[i].x - f->plan.items[bearer].x,
               z = f->plan.items[i].z - f->plan.items[bearer].z;
        ret[0] = x * cosines[h] - z * sines[h];
        ret[1] = x * sines[h] + z * cosines[h];
        return true;
    }
    return false;
}

/* Places on the bearer, the best first: away from its front edge, from what
 * stands there, and near where it is best. */
static uint32_t spots_make(const setter *s,
                           uint32_t item,
                           uint32_t bearer,
                           spot ret[ON_TRIES])
{
    const furnishing *f = s->f;
    const layout_model *m = &furnish_pick_of(f, item)->model,
                       *b = &furnish_pick_of(f, bearer)->model;
    double side = (b->size[0] - m->size[0]) / 2 - 0.005,
           forward = (b->size[2] - m->size[2]) / 2 - 0.005;
    const bool in_row = stands_in_row(s, item);
    const int told = told_side(s, item, bearer);
    double best =
        in_row ? row_side(s, item, bearer) : spot_side(s, item, bearer);
    const double aside = in_row ? 10 : 0.5; /* what leaving the line costs */
    if (side < 0)
        side = 0;
    if (forward < 0)
        forward = 0;
    if (told)
        best = told * side;
    double step_side = side > 0 ? 2 * side / 11 : 1,
           step_forward = forward > 0 ? 2 * forward / 8 : 1;
    uint32_t count = 0;
    const bool is_crowded = !in_row && !told && bearer_is_crowded(s, bearer);
    double seat[2];
    const bool is_laid = spot_of_seat(s, item, bearer, seat);
    if (in_row)
        ret[count++] = (spot){best, 0, 0};
    for (double k = -forward; k <= forward + 1e-9 && count < ON_TRIES;
         k += step_forward) {
        for (double i = -side; i <= side + 1e-9 && count < ON_TRIES;
             i += step_side)
            ret[count++] =
                (spot){i, k,
                       is_laid      ? hypot(i - seat[0], k - seat[1])
                       : is_crowded ? i + side + k + forward
                                    : fabs(i - best) + aside * fabs(k) +
                                          (k > 0 ? 0.1 : 0)};
    }
    qsort(ret, count, sizeof *ret, spot_order);
    return count;
}

static void spot_world(const furnishing *f,
                       uint32_t bearer,
                       const spot *at,
                       double ret[2])
{
    static const double sines[4] = {0, 1, 0, -1}, cosines[4] = {1, 0, -1, 0};
    uint32_t h = f->plan.items[bearer].heading & 3;
    ret[0] =
        f->items[bearer].at[0] + at->side * cosines[h] + at->forward * sines[h];
    ret[1] =
        f->items[bearer].at[2] - at->side * sines[h] + at->forward * cosines[h];
}

/* Half of a model's width along x or z where it is turned by quarters. */
static double half_along(const layout_model *m, uint32_t heading, bool z)
{
    bool swaps = heading & 1;
    return m->size[swaps == z ? 0 : 2] / 2;
}

/* Does its box meet the box of something that stands there already? `foot`: how
 * high it is to stand, as on a shelf's board; INFINITY: on top. */
static bool spot_is_taken(const setter *s,
                          uint32_t item,
                          uint32_t bearer,
                          const double at[2],
                          double foot)
{
    const furnishing *f = s->f;
    uint32_t h = f->plan.items[bearer].heading;
    const layout_model *m = &furnish_pick_of(f, item)->model;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        const layout_place *q = &f->plan.items[i];
        bool waits = f->items[i].at[1] > PARKED / 2;
        if (i == item || waits || !q->placed || q->on != bearer)
            continue;
        const layout_model *o = &furnish_pick_of(f, i)->model;
        double low = f->items[i].at[1];
        if (isfinite(foot) &&
            (low > foot + m->size[1] || low + o->size[1] < foot))
            continue;
        double x = half_along(m, h, false) + half_along(o, h, false) + 0.01;
        double z = half_along(m, h, true) + half_along(o, h, true) + 0.01;
        if (fabs(at[0] - f->items[i].at[0]) < x &&
            fabs(at[1] - f->items[i].at[2]) < z)
            return true;
    }
    return false;
}

/* Clear of others, steady, and carried by the right bearer. */
static etna_code stands_well(setter *s,
                             uint32_t item,
                             uint32_t bearer,
                             bool *ret)
{
    space_stand stand = {0};
    bool clear = false, is_on = false;
    etna_code code = setter_is_clear(s, item, &clear);
    *ret = false;
    if (code != ETNA_OK || !clear)
        return code;
    code = space_stand_find(s->stage.space, NULL, setter_object(s, item),
                            &stand, s->err);
    for (uint32_t i = 0; i < stand.carrier_count; i++)
        is_on = is_on || stand.carriers[i] == setter_object(s, bearer);
    *ret = code == ETNA_OK && stand.steady && is_on;
    return code;
}

/* At a spot, let down from a height; from within the bearer only where it is
 * free there ("on a shelf's board"). */
static etna_code set_at(setter *s,
                        uint32_t item,
                        uint32_t bearer,
                        const double at[2],
                        double from,
                        bool within,
                        bool *ret)
{
    uint32_t met = SCENE_NONE;
    bool clear = true;
    const double start[3] = {at[0], from, at[1]};
    etna_code code = within ? setter_move(s, item, start) : ETNA_OK;
    if (code == ETNA_OK && within)
        code = setter_is_clear(s, item, &clear);
    if (code != ETNA_OK || !clear)
        return code;
    code = setter_let_down(s, item, at[0], at[1], from, &met);
    if (code == ETNA_OK && met == setter_object(s, bearer))
        code = stands_well(s, item, bearer, ret);
    return code;
}

/* Heights of what may be boards above the bearer's foot, from the top down, as
 * rays through its foot meet them; how many. */
static uint32_t boards_find(const setter *s,
                            uint32_t bearer,
                            double ret[BOARDS_MOST])
{
    static const double asides[3] = {0, -0.5, 0.5};
    const double step = 1e-4, apart = 0.03; /* metres */
    const uint32_t object = setter_object(s, bearer);
    const scene_box box = space_box(s->stage.space, object);
    const double foot = box.centre.z - box.half.z;
    uint32_t count = 0;
    for (size_t k = 0; k < COUNT_OF(asides); k++) {
        space_hit hit;
        space_ray down = {.origin = {box.centre.x + asides[k] * box.half.x,
                                     box.centre.y + asides[k] * box.half.y,
                                     box.centre.z + box.half.z + step},
                          .direction = {0, 0, -1},
                          .t_max = INFINITY,
                          .skip_object = SCENE_NONE,
                          .only_object = object};
        while (space_cast(s->stage.space, &down, &hit)) {
            bool is_known = false;
            for (uint32_t i = 0; i < count; i++)
                is_known =
                    is_known || fabs(ret[i] - hit.point.z + foot) < apart;
            if (!is_known && count < BOARDS_MOST)
                ret[count++] = hit.point.z - foot;
            down.origin.z = hit.point.z - step;
        }
    }
    return count;
}

/* At the first of the spots that is free and where it stands. */
static etna_code set_from(setter *s,
                          uint32_t item,
                          uint32_t bearer,
                          const spot *spots,
                          uint32_t count,
                          double from,
                          bool within,
                          bool *ret)
{
    for (uint32_t i = 0; i < count && !*ret; i++) {
        double at[2];
        spot_world(s->f, bearer, &spots[i], at);
        if (spot_is_taken(s, item, bearer, at, within ? from : INFINITY))
            continue;
        etna_code code = set_at(s, item, bearer, at, from, within, ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* From above; else on one of its boards, or beneath its upper parts, as on a
 * desk with a shelf over it. */
etna_code setter_set_on(setter *s, uint32_t item, uint32_t bearer, bool *ret)
{
    const double over_board = 0.02; /* metres from which it is let down */
    furnishing *f = s->f;
    spot spots[ON_TRIES];
    double boards[BOARDS_MOST];
    uint32_t count = spots_make(s, item, bearer, spots), board_count;
    const double foot = f->items[bearer].at[1],
                 high = furnish_pick_of(f, bearer)->model.size[1];
    *ret = false;
    etna_code code = set_from(s, item, bearer, spots, count,
                              foot + high + ABOVE, false, ret);
    if (code != ETNA_OK || *ret)
        return code;
    board_count = boards_find(s, bearer, boards);
    count = count < BOARD_TRIES ? count : BOARD_TRIES;
    for (uint32_t i = 0; i < board_count && !*ret && code == ETNA_OK; i++)
        code = set_from(s, item, bearer, spots, count,
                        foot + boards[i] + over_board, true, ret);
    return code;
}
