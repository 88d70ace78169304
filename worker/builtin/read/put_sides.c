/* Places at several sides of one thing: opposite each other, one at each end,
 * half of a row on either side. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <string.h>

static unsigned sides_facing(unsigned sides)
{
    static const unsigned pairs[2][2] = {{SIDE_LEFT, SIDE_RIGHT},
                                         {SIDE_FRONT, SIDE_BACK}};
    unsigned ret = 0;
    for (int i = 0; i < 2; i++) {
        ret |= sides & pairs[i][0] ? pairs[i][1] : 0;
        ret |= sides & pairs[i][1] ? pairs[i][0] : 0;
    }
    return ret;
}

/* The corner's sides, one of them across and one of them away. */
static bool corner_sides(unsigned sides, unsigned ret[2])
{
    ret[0] = sides & (SIDE_LEFT | SIDE_RIGHT);
    ret[1] = sides & (SIDE_FRONT | SIDE_BACK);
    return ret[0] && ret[1] && (ret[0] | ret[1]) == sides;
}

/* "In the front left corner, 10 cm from both edges": so far from each of the
 * two, and in no corner closer than that. */
static etna_code put_measure_corner(put *p)
{
    destinations *at = &p->at;
    for (uint32_t i = 0; i + 1 < at->count; i++) {
        destination *corner = &at->list[i], *edge = &at->list[i + 1];
        unsigned sides[2];
        const bool measured = corner->relation == RELATION_CORNER &&
                              edge->relation == RELATION_EDGE &&
                              edge->gap >= 0 && edge->sides == 0;
        if (!measured || corner->reference != edge->reference)
            continue;
        if (!corner_sides(corner->sides, sides))
            return clause_refuse(p->c, "which corner that is, is not clear");
        const bool unowned = corner->unowned;
        *corner = *edge;
        corner->unowned = unowned;
        corner->sides = sides[0];
        edge->sides = sides[1];
    }
    return ETNA_OK;
}

etna_code put_join_zones(put *p)
{
    destinations *at = &p->at;
    etna_code code = put_measure_corner(p);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i + 1 < at->count; i++) {
        destination *corner = &at->list[i];
        const destination *edge = &at->list[i + 1];
        const bool parts = corner->relation == RELATION_CORNER &&
                           edge->relation == RELATION_EDGE;
        if (!parts || corner->reference != edge->reference || !edge->unowned)
            continue;
        if (edge->gap >= 0)
            continue;
        /* "the corner on the left" is none of the right */
        corner->sides =
            (corner->sides & ~sides_facing(edge->sides)) | edge->sides;
        memmove(&at->list[i + 1], edge + 1, (at->count - i - 2) * sizeof *edge);
        at->count--;
    }
    return ETNA_OK;
}

typedef struct put_way { /* from the middle of a thing to a side of it */
    const double *from;
    double way[2];
} put_way;

static double put_rank_by_way(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const put_way *w = context;
    const double *at = object_at(r, object)->centre;
    return (w->from[0] - at[0]) * w->way[0] + (w->from[1] - at[1]) * w->way[1];
}

bool put_faces_mutually(const put *p)
{
    const chart_node *const face = p->d->face;
    const chart_node *const to =
        face && node_is(face, "FACE") ? node_things(face, 0) : NULL;
    return to && phrase_is_pronoun(to, PRON_EACH_OTHER);
}

/* What stands opposite others, and seats in a row at a table, look at it where
 * nothing else is said; and who is to look at the other across it looks at it. */
static void put_face_inward(const put *p, bool row, builtin_move *m)
{
    const bool seats = row && object_is_seat(p->r, m->objects.objects[0]) &&
                       object_is_table(p->r, m->reference);
    const bool opposed = p->d->opposed || put_faces_mutually(p);
    if (m->facing != FACING_NONE || (!opposed && !seats))
        return;
    m->facing = FACING_TO;
    m->faced = m->reference;
}

/* "On either side of the vase, 10 cm from it": how far at each of the sides.
 * NULL: that is not said. */
static const destination *put_sides_distance(const put *p)
{
    const uint32_t at_sides =
        BIT(RELATION_END) | BIT(RELATION_EDGE) | BIT(RELATION_BESIDE);
    for (uint32_t i = 0; i < p->at.count; i++) {
        const destination *s = &p->at.list[i];
        if (s->gap >= 0 && bit_is_in(s->relation, at_sides))
            return s;
    }
    return NULL;
}

/* "At both ends of the sideboard, 10 cm from the edge": inward, and not so far
 * from it. */
static bool put_sides_are_inward(const put *p)
{
    for (uint32_t i = 0; i < p->d->zone_count; i++) {
        const chart_node *const zone = p->d->zones[i];
        const chart_node *const word = chart_child(zone, "$zone");
        if (chart_child(zone, "DIST") && word &&
            bit_is_in(word->value, BIT(ZONE_EDGE) | BIT(ZONE_END)))
            return true;
    }
    return false;
}

/* The move of some of the things to one side: one stands in its middle, several
 * in a row along it. */
static etna_code put_at_one_side(put *p,
                                 builtin_relation relation,
                                 uint32_t reference,
                                 unsigned side,
                                 const builtin_set *some)
{
    const bool row = some->count > 1;
    if (put_sides_are_inward(p))
        return clause_refuse(p->c,
                             "how far each of them is to be is not clear");
    const destination *const far = put_sides_distance(p);
    builtin_move m = move_plain(p->c, row ? RELATION_LINE : relation);
    builtin_condition *also = etna_arena_alloc(p->r->arena, 1, sizeof *also);
    if (!also)
        return reader_no_memory(p->r);
    m.objects = *some;
    m.reference = reference;
    m.sides = side;
    m.goes = p->c->verb == VERB_MOVE || clause_puts(p->c);
    if (far && row)
        return clause_refuse(p->c,
                             "how far each of them is to be is not clear");
    if (far) {
        m.gap = far->gap;
        m.bound = far->bound;
    } else if (put_says_gap_alone(p) && !row) {
        m.gap = where_metres(p->r, chart_find(p->d->apart_by, "DIST"), NULL);
    }
    if (row && relation == RELATION_END) {
        destination there = destination_plain(relation, reference);
        there.sides = side;
        *also = destination_condition(&there);
        m.also = also;
        m.also_count = 1;
    }
    /* upon a thing nobody looks across it */
    const bool mutual = relation == RELATION_END && put_faces_mutually(p);
    etna_code code = mutual ? ETNA_OK : move_face(p->c, &m);
    put_face_inward(p, row, &m);
    return code == ETNA_OK ? move_add(p->r, &m) : code;
}

/* Of any chairs so many, those that nothing was asked of before: "a chair at each
 * end and two along each long side". */
static etna_code put_keep_unasked(put *p, builtin_set *ret)
{
    reader *r = p->r;
    builtin_set left = *p->movers;
    *ret = left;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        etna_code code =
            set_without(r, &left, &r->reading->moves[i].objects, &left);
        if (code != ETNA_OK)
            return code;
    }
    if (p->movers->need < p->movers->count && left.count >= p->movers->need) {
        left.need = p->movers->need;
        *ret = left;
    }
    return ETNA_OK;
}

etna_code put_share_sides(put *p,
                          const builtin_set *any,
                          builtin_relation relation,
                          uint32_t reference,
                          const unsigned sides[2])
{
    reader *r = p->r;
    const uint32_t half = any->need / 2, count = half == 1 ? 2 : any->count;
    uint32_t *list = etna_arena_alloc(r->arena, count + 1u, sizeof *list);
    put_way by = {.from = object_at(r, reference)->centre};
    double way[3];
    etna_code code = ETNA_OK;
    if (!list)
        return reader_no_memory(r);
    memcpy(list, any->objects, count * sizeof *list);
    side_way(r, reference, sides[0], by.way);
    if (relation == RELATION_EDGE) { /* the picture's sides */
        direction_way(r, side_direction(sides[0]), way);
        memcpy(by.way, way, sizeof by.way);
    }
    set_sort(r, list, count, 0, put_rank_by_way, &by);
    for (uint32_t i = 0; i < 2 && code == ETNA_OK; i++) {
        builtin_set some;
        code =
            set_of_first(r, i == 0 ? list : list + count - half, half, &some);
        if (code == ETNA_OK)
            code = put_at_one_side(p, relation, reference, sides[i], &some);
    }
    r->memory.last_reference = reference;
    p->done = true;
    return code;
}

/* Half of the things that are meant, and that nothing was asked of before. */
static etna_code put_at_sides(put *p,
                              builtin_relation relation,
                              uint32_t reference,
                              const unsigned sides[2])
{
    builtin_set any;
    etna_code code = put_keep_unasked(p, &any);
    return code == ETNA_OK
               ? put_share_sides(p, &any, relation, reference, sides)
               : code;
}

/* "To the vase, one on each side": by it, since it is nothing to put things
 * on. */
static bool put_comes_to_it(const put *p, const destination *s)
{
    const details *const d = p->d;
    return d->relation_count == 1 && d->relations[0].relation == REL_TO &&
           put_is_object(p, s->reference) &&
           (!object_is_furniture(p->r, s->reference) ||
            object_is_of(p->r, s->reference, NOUNS_NO_TOP));
}

/* "On the sideboard, one at each end": upon it, whatever they are. */
static bool put_is_upon_it(const put *p, const destination *s)
{
    if (put_comes_to_it(p, s))
        return false;
    for (uint32_t i = 0; i < p->at.count; i++) {
        const destination *on = &p->at.list[i];
        if (on != s && on->relation == RELATION_ON &&
            on->reference == s->reference)
            return true;
    }
    return false;
}

/* Does one of them stand on furniture, and is none furniture itself? Then a ball
 * that lies on the floor comes up, too. */
static bool put_are_of_tops(const put *p)
{
    bool some = false;
    for (uint32_t i = 0; i < p->movers->count; i++) {
        const uint32_t object = p->movers->objects[i];
        if (object_is_furniture(p->r, object))
            return false;
        some = some || !object_is_on_floor(p->r, object);
    }
    return some;
}

/* "On both ends of the sideboard", of what is small enough, or "at its ends", of
 * what stands on furniture: upon it. */
static bool put_is_upon_ends(const put *p, const destination *s)
{
    if (s->relation != RELATION_ON && put_is_upon_it(p, s))
        return true;
    const chart_node *zone = p->d->zone_count ? p->d->zones[0] : NULL;
    const chart_node *in = zone ? chart_child(zone, "$zone_in") : NULL,
                     *word = zone ? chart_child(zone, "$zone") : NULL;
    const bool end = in && word && word->value == ZONE_END;
    const bool upon =
        end && (reader_word_is(p->r, in->first, "on") || put_are_of_tops(p));
    if (!upon || object_is_furniture(p->r, p->movers->objects[0]))
        return false;
    return put_is_object(p, s->reference) &&
           object_bears_things(p->r, s->reference);
}

/* The move before `first` that puts a ring around it; `first`: none does. */
static uint32_t ring_find(const reader *r, uint32_t first, uint32_t reference)
{
    uint32_t ring = r->first_move;
    while (ring < first &&
           (r->reading->moves[ring].relation != RELATION_AROUND ||
            r->reading->moves[ring].reference != reference))
        ring++;
    return ring;
}

/* Of a ring round the reference that was asked for before, the moves from
 * `first` on say where so many stand: the others, two at most, stand at the
 * sides between. */
static etna_code put_divide_ring(put *p,
                                 uint32_t first,
                                 uint32_t reference,
                                 const unsigned taken[2])
{
    reader *r = p->r;
    builtin_reading *reading = r->reading;
    const unsigned front_back[2] = {SIDE_FRONT, SIDE_BACK},
                   left_right[2] = {SIDE_LEFT, SIDE_RIGHT};
    const unsigned *free_sides =
        taken[0] & (SIDE_FRONT | SIDE_BACK) ? left_right : front_back;
    const uint32_t ring = ring_find(r, first, reference);
    if (ring == first)
        return ETNA_OK;
    builtin_set rest = reading->moves[ring].objects;
    uint32_t placed = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = first; i < reading->count && code == ETNA_OK; i++) {
        placed += reading->moves[i].objects.count;
        code = set_without(r, &rest, &reading->moves[i].objects, &rest);
    }
    if (code != ETNA_OK)
        return code;
    const uint32_t asked = reading->moves[ring].objects.need;
    rest.need = asked > placed ? asked - placed : 0;
    if (rest.need > 2)
        return clause_refuse(p->c, "where the others go is not said");
    reading->count--;
    memmove(&reading->moves[ring], &reading->moves[ring + 1],
            (reading->count - ring) * sizeof *reading->moves);
    for (uint32_t i = 0; i < rest.need && code == ETNA_OK; i++) {
        const builtin_set one = set_one(r, rest.objects[i]);
        code = put_at_one_side(p, RELATION_END, reference, free_sides[i], &one);
    }
    return code;
}

/* One at each of two sides. Where a ring was asked for before, the others stand
 * at the sides between. */
static etna_code put_at_sides_of(put *p,
                                 uint32_t reference,
                                 const unsigned sides[2])
{
    const uint32_t first = p->r->reading->count;
    etna_code code = put_at_sides(p, RELATION_END, reference, sides);
    return code == ETNA_OK ? put_divide_ring(p, first, reference, sides) : code;
}

/* "One chair on each side of the table", of more than two: a table has four
 * sides, where a bed has two. */
static bool put_sides_are_open(const put *p, const destination *s)
{
    const chart_node *zone = p->d->zone_count ? p->d->zones[0] : NULL;
    const chart_node *word = zone ? chart_child(zone, "$zone") : NULL;
    if (!word || word->value != ZONE_SIDE || details_say_long_side(p->r, p->d))
        return false;
    const bool each = node_says(zone, "$quant", BIT(DET_EACH) | BIT(DET_ALL));
    const builtin_set *movers = p->movers;
    return each && movers->count > 2 && movers->need == 2 &&
           put_is_object(p, s->reference) &&
           object_is_table(p->r, s->reference) &&
           object_is_seat(p->r, movers->objects[0]);
}

/* "On each side of the altar, half a metre from it": the moves from `first` on
 * keep so far from it. */
static etna_code put_sides_off(put *p, uint32_t first)
{
    const chart_node *const off = p->d->off_sides;
    if (!off)
        return ETNA_OK;
    for (uint32_t i = first; i < p->r->reading->count; i++) {
        builtin_move *const m = &p->r->reading->moves[i];
        if (m->relation != RELATION_END)
            return clause_refuse_all(p->c);
        m->gap = where_metres(p->r, chart_find(off, "DIST"), NULL);
        m->bound = details_bound(off);
    }
    return ETNA_OK;
}

/* The ends of what is long are where it ends, be they left and right or near and
 * far; `ret` stays where it is about as broad. */
static void put_find_ends(const put *p, uint32_t reference, unsigned ret[2])
{
    const double oblong = 1.2;
    const builtin_object *const o = object_at(p->r, reference);
    unsigned own[2];
    if (builtin_half_longer(o) < oblong * builtin_half_shorter(o))
        return;
    ends_own(p->r, reference, own);
    for (int i = 0; i < 2; i++)
        own[i] = side_in_picture(p->r, reference, own[i]);
    const bool swapped = own[0] == SIDE_RIGHT || own[0] == SIDE_BACK;
    for (int i = 0; i < 2; i++)
        ret[i] = own[swapped ? 1 - i : i];
}

etna_code put_at_each_end(put *p)
{
    if (!details_say_each_end(p->r, p->d) || p->movers->count < 2)
        return p->d->off_sides ? clause_refuse_all(p->c) : ETNA_OK;
    for (uint32_t i = 0; i < p->at.count; i++) {
        const destination *s = &p->at.list[i];
        unsigned sides[2] = {SIDE_LEFT, SIDE_RIGHT};
        double front[2];
        if (put_sides_are_open(p, s))
            return reader_refuse_said(
                p->r, CODE_AMBIGUOUS, p->d->zones[0],
                "whether at two of its sides or at all four is not said");
        bool bare =
            s->relation == RELATION_BESIDE && put_is_object(p, s->reference);
        if (bare && !builtin_front_of(p->r->facts, s->reference, front))
            sides_in_picture(p->r, s->reference, sides);
        if (put_is_upon_ends(p, s)) {
            put_find_ends(p, s->reference, sides);
            return put_at_sides(p, RELATION_EDGE, s->reference, sides);
        }
        if (s->relation == RELATION_END)
            ends_own(p->r, s->reference, sides);
        if (details_say_long_side(p->r, p->d))
            sides_long(p->r, s->reference, sides);
        if (!bit_is_in(s->relation, BIT(RELATION_END) | BIT(RELATION_BESIDE)))
            continue;
        const uint32_t first = p->r->reading->count;
        etna_code code = put_at_sides_of(p, s->reference, sides);
        return code == ETNA_OK ? put_sides_off(p, first) : code;
    }
    return p->d->off_sides ? clause_refuse_all(p->c) : ETNA_OK;
}

etna_code put_in_the_middle(put *p)
{
    const uint32_t with_middle = BIT(RELATION_ABOVE) | BIT(RELATION_UNDER) |
                                 BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) |
                                 BIT(RELATION_LEFT) | BIT(RELATION_RIGHT);
    destination *last = p->at.count ? &p->at.list[p->at.count - 1] : NULL;
    if (!p->d->centred || !last)
        return ETNA_OK;
    /* "dead centre in front of the screen, on the floor" */
    for (uint32_t i = 0; i < p->at.count; i++) {
        if (bit_is_in(p->at.list[i].relation, with_middle))
            last = &p->at.list[i];
    }
    if (last->is_one_of)
        return reader_refuse_finally(
            p->r, reader_refuse_said(p->r, CODE_AMBIGUOUS, p->d->centred,
                                     "of which of them is not clear"));
    if (last->relation == RELATION_ON)
        last->relation = RELATION_MIDDLE;
    else if (bit_is_in(last->relation, with_middle))
        last->exact = true;
    return ETNA_OK;
}
