/* Putting things somewhere: what most verbs come to. A row of steps, in their
 * order; each adds to the move, refuses, or ends the clause with moves of
 * another kind. Where no place is said, a second row finds one in what else
 * is. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

typedef struct put {
    clause *c;
    reader *r;
    const details *d;
    const builtin_set *movers;
    destinations at;
    builtin_move m;
    bool done; /* the clause has its moves */
} put;

typedef etna_code put_step(put *p);

/* Ends with the first step that finishes the move or fails. */
static etna_code put_run(put *p, put_step *const *steps, size_t count)
{
    etna_code code = ETNA_OK;
    for (size_t i = 0; i < count && code == ETNA_OK && !p->done; i++)
        code = steps[i](p);
    return code;
}

/* The move is whole; nothing later changes it but what settles the text. */
static etna_code put_end(put *p)
{
    p->done = true;
    return move_add(p->r, &p->m);
}

/* Another verb's way instead. */
static etna_code put_leave(put *p, etna_code (*verb)(clause *c))
{
    p->done = true;
    return verb(p->c);
}

/* False for BUILTIN_NONE: references are often unknown so far. */
static bool put_is_object(const put *p, uint32_t object)
{
    return object < p->r->facts->object_count;
}

/* The last step of those that look for an unsaid place: nothing told one. */
static etna_code put_refuse_no_place(put *p)
{
    return clause_refuse(p->c, "it does not say on what to put it");
}

/* ---- before any place is looked for ---- */

/* Said as something to do, and not as how things should be or stay. */
static bool clause_puts(const clause *c)
{
    const chart_node *word =
        node_is(c->said, "DO") ? chart_child(c->said, "$verb") : NULL;
    if (!word || c->verb != VERB_PUT)
        return false;
    return !reader_word_is(c->r, word->first, "keep") &&
           !reader_word_is(c->r, word->first, "leave");
}

/* Refused at once: no place would help. */
static etna_code put_check_hanging(put *p)
{
    /* whatever it is to hang from */
    for (uint32_t i = 0; p->m.hung && i < p->movers->count; i++) {
        uint32_t object = p->movers->objects[i];
        const char *why = builtin_why_not_hung(p->r->facts, object);
        if (!why)
            continue;
        return reader_refuse(p->r, CODE_IMPOSSIBLE, p->c->said,
                             "%.200s cannot be hung: %s",
                             object_at(p->r, object)->name, why);
    }
    return ETNA_OK;
}

/* Of a word's value. */
static builtin_align align_said(uint32_t value)
{
    static const builtin_align aligns[] = {
        ALIGN_MIDDLE, ALIGN_TOP, ALIGN_MIDDLE, ALIGN_BOTTOM, ALIGN_HEIGHT};
    return aligns[value < 5 ? value : 0];
}

/* "Its lower edge level with that of the mirror"; false: with another edge. */
static bool height_edge(const chart_node *height, builtin_align *ret)
{
    const uint32_t value = node_value(height, "$edge");
    bool same = true;
    for (uint32_t i = 0; i < height->child_count; i++) {
        const chart_node *c = height->children[i];
        same = same && (!node_is(c, "$edge") || c->value == value);
    }
    *ret = align_said(value);
    return same;
}

/* "as high as the mirror" */
static etna_code put_at_height(put *p)
{
    if (!p->d->height)
        return ETNA_OK;
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    p->m.relation = RELATION_LEVEL;
    if (!height_edge(p->d->height, &p->m.align))
        return reader_refuse(
            p->r, CODE_UNREAD, p->d->height,
            "\"%s\": one edge level with another is not understood",
            reader_said(p->r, p->d->height));
    etna_code code =
        refer_one(p->r, node_things(p->d->height, 0), &scope, &p->m.reference);
    return code == ETNA_OK ? put_end(p) : code;
}

/* "Put it back", and no word of how far. */
static bool put_says_back(const put *p)
{
    const chart_node *shift = p->d->shift,
                     *dir = shift ? chart_find(shift, "$dir") : NULL;
    if (!dir || chart_find(shift, "DIST") || p->d->second_shift ||
        details_have_places(p->d))
        return false;
    return dir->end - dir->first == 1 &&
           reader_word_is(p->r, dir->first, "back");
}

/* To where the things, or another, stood before the text that this one goes on
 * from. */
static etna_code put_back(put *p)
{
    const chart_node *old = p->d->old, *what = old ? node_things(old, 0) : NULL;
    const refer_scope scope = {.on = BUILTIN_NONE};
    const bool past = old_is_past(p->r, old),
               own = clause_says_own_place(p->c) || (old && !what);
    const bool alone =
        old && p->d->relation_count == 0 && p->d->zone_count == 0;
    uint32_t place = BUILTIN_NONE;
    const bool unknown = put_says_back(p) && clause_puts(p->c) &&
                         !set_was_elsewhere(p->r, p->movers);
    if (unknown)
        return clause_refuse(p->c, "where it was before is not known");
    if ((put_says_back(p) || (own && past && alone)) &&
        set_was_elsewhere(p->r, p->movers)) {
        p->done = true;
        return things_put_back(p->c, p->movers);
    }
    if (own || !past || !alone || p->movers->count != 1)
        return ETNA_OK;
    const reader before = *p->r;
    etna_code code = refer_one(p->r, what, &scope, &place);
    const bool there = code == ETNA_OK && put_is_object(p, place) &&
                       object_at(p->r, place)->was_elsewhere;
    p->done = there;
    if (there)
        return thing_put_where(p->c, p->movers->objects[0], place);
    *p->r = before; /* it is read as any place */
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "To the nearest table", said of several: of each its own. */
static bool put_says_nearest(const put *p)
{
    const chart_node *what = p->d->relations[0].what;
    for (uint32_t at = what ? what->first : 0; what && at < what->end; at++) {
        if (reader_word_is(p->r, at, "nearest") ||
            reader_word_is(p->r, at, "closest"))
            return !chart_find(what, "NEAREST");
    }
    return false;
}

/* "Both chairs 30 cm closer to the table": each on its own way. */
static etna_code put_one_by_one(put *p)
{
    const uint32_t nearer =
        BIT(REL_CLOSER) | BIT(REL_FARTHER) | BIT(REL_TOWARD);
    const builtin_set *all = p->movers;
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0 &&
                     all->count > 1 && all->need == all->count;
    etna_code code = ETNA_OK;
    if (!one)
        return ETNA_OK;
    const condition *to = &p->d->relations[0];
    const bool ways = to->has_gap && bit_is_in(to->relation, nearer);
    if (!ways && !put_says_nearest(p))
        return ETNA_OK;
    const builtin_set moving = p->r->moving;
    for (uint32_t i = 0; i < all->count && code == ETNA_OK; i++) {
        clause own = *p->c;
        own.movers = p->r->moving = set_one(p->r, all->objects[i]);
        code = clause_put(&own);
    }
    p->r->moving = moving;
    p->done = true;
    return code;
}

/* "The chair to the left end of the table, the stool to the right": to its
 * other end. */
static etna_code put_at_other_end(put *p,
                                  const builtin_move *last,
                                  const chart_node *dir)
{
    const unsigned said = dir->value == DIR_LEFT    ? SIDE_LEFT
                          : dir->value == DIR_RIGHT ? SIDE_RIGHT
                                                    : 0;
    if (!said || !put_is_object(p, last->reference) ||
        set_has(p->movers, last->reference))
        return ETNA_OK;
    const bool own = last->relation == RELATION_END;
    const unsigned sides = own ? side_own(p->r, last->reference, said) : said;
    if (last->sides == 0 || (sides & last->sides))
        return ETNA_OK;
    p->m.relation = last->relation;
    p->m.reference = last->reference;
    p->m.support = last->support;
    p->m.sides = sides;
    return put_end(p);
}

/* "The cup goes to the left of the jug and the bowl to the right": of the
 * same. */
static etna_code put_beside_same(put *p)
{
    const chart_node *shift = p->d->shift,
                     *dir = shift ? chart_find(shift, "$dir") : NULL;
    const reader *r = p->r;
    const bool bare = dir && !chart_find(shift, "DIST") &&
                      !p->d->second_shift && !details_have_places(p->d);
    if (!bare || chart_child(p->c->said, "$verb") ||
        r->reading->count == r->first_move)
        return ETNA_OK;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    const bool right =
        last->relation == RELATION_LEFT && dir->value == DIR_RIGHT;
    const bool left =
        last->relation == RELATION_RIGHT && dir->value == DIR_LEFT;
    if (bit_is_in(last->relation, BIT(RELATION_END) | BIT(RELATION_EDGE)))
        return put_at_other_end(p, last, dir);
    if ((!right && !left) || set_has(p->movers, last->reference))
        return ETNA_OK;
    p->m.relation = right ? RELATION_RIGHT : RELATION_LEFT;
    p->m.reference = last->reference;
    p->m.support = last->support;
    return put_end(p);
}

/* "20 cm to the left", and nothing of a place */
static etna_code put_shift(put *p)
{
    const chart_node *shift = p->d->shift;
    if (!shift || details_have_places(p->d) ||
        shift_is_its_side(p->r, shift, p->movers))
        return ETNA_OK;
    bool told = chart_find(shift, "$dir") || chart_find(shift, "DIST");
    return told ? put_leave(p, clause_shift) : ETNA_OK;
}

/* "On the wall 20 cm higher than now", where it hangs there already: how far is
 * all that is asked. */
static etna_code put_shift_there(put *p)
{
    const chart_node *shift = p->d->shift;
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0 &&
                     p->movers->count == 1;
    if (!shift || !chart_child(shift, "$from_here") || !one)
        return ETNA_OK;
    const condition *at = &p->d->relations[0];
    double way = INFINITY;
    if (at->has_gap || !bit_is_in(at->relation, BIT(REL_ON) | BIT(REL_AT)))
        return ETNA_OK;
    etna_code code = where_holds(p->r, at->node, p->movers->objects[0], &way);
    return code == ETNA_OK && isfinite(way) ? put_leave(p, clause_shift) : code;
}

/* "1 m to the left and 50 cm toward the wall": two lengths, one way to go. */
static bool put_has_vector(const put *p)
{
    const chart_node *shift = p->d->shift;
    bool measured = p->d->relation_count == 1 && p->d->relations[0].has_gap &&
                    p->movers->count > 0;
    if (!measured || !shift)
        return false;
    return chart_find(shift, "DIST") && chart_find(shift, "$dir");
}

/* "20 cm left and 10 cm toward the wall": both as one shift. */
static etna_code put_vector(put *p)
{
    reader *r = p->r;
    destination s;
    if (!put_has_vector(p))
        return ETNA_OK;
    builtin_move m = move_plain(p->c, RELATION_SHIFT);
    const reader before = *r;
    etna_code code =
        preposition_read(r, &p->d->relations[0], p->movers, p->c->verb, &s);
    bool place = code == ETNA_OK && !s.is_shift;
    if (code == ETNA_E_INPUT || place) {
        *r = before;
        return ETNA_OK;
    }
    if (code == ETNA_OK)
        code = shift_read(r, p->d->shift, 0, p->movers->objects[0], m.shift);
    if (code != ETNA_OK)
        return code;
    for (int k = 0; k < 3; k++)
        m.shift[k] += s.shift[k];
    p->done = true;
    return move_add(r, &m);
}

/* "20 cm higher than now": from where it is, and so toward no other place. */
static etna_code put_check_from_here(put *p)
{
    const chart_node *shift =
        p->d->second_shift ? p->d->second_shift : p->d->shift;
    if (!shift || !chart_child(shift, "$from_here") ||
        !details_have_places(p->d))
        return ETNA_OK;
    return reader_refuse(
        p->r, CODE_UNREAD, shift,
        "\"%s\": whether it is to go so far or to that place is not clear",
        reader_said(p->r, shift));
}

/* "A bit to the right, away from the screen": where that way leads away from
 * it, how far is all that is asked. */
static etna_code put_shift_agrees(put *p)
{
    const uint32_t away = BIT(REL_AWAY) | BIT(REL_FARTHER);
    const uint32_t ways = away | BIT(REL_TOWARD) | BIT(REL_CLOSER);
    const chart_node *shift = p->d->shift;
    const condition *to = &p->d->relations[0];
    const refer_scope place = refer_scope_place(p->movers);
    reader *r = p->r;
    uint32_t of = BUILTIN_NONE;
    double way[3];
    if (!shift || !chart_find(shift, "$dir") || p->d->relation_count != 1 ||
        p->d->zone_count > 0)
        return ETNA_OK;
    if (to->has_gap || !bit_is_in(to->relation, ways) || p->movers->count != 1)
        return ETNA_OK;
    const uint32_t object = p->movers->objects[0];
    const reader before = *r;
    etna_code code = refer_one(r, to->what, &place, &of);
    if (code == ETNA_OK)
        code = shift_read(r, shift, 0, object, way);
    const bool known = code == ETNA_OK && of < r->facts->object_count;
    const double *const from = object_at(r, object)->centre;
    const double *const at = known ? object_at(r, of)->centre : from;
    const double along =
        known ? way[0] * (at[0] - from[0]) + way[1] * (at[1] - from[1]) : 0;
    const bool agrees = bit_is_in(to->relation, away) ? along < 0 : along > 0;
    if (known && agrees)
        return put_leave(p, clause_shift);
    *r = before;
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "20 cm to the left, to the lamp" has two ends unless the one is measured
 * from the other; which is meant decides how far it goes, so it is asked. */
static etna_code put_check_distance(put *p)
{
    const chart_node *shift = p->d->shift;
    bool both = shift && chart_find(shift, "DIST") && details_have_places(p->d);
    if (!both || details_origin(p->d, true))
        return ETNA_OK;
    return reader_refuse(
        p->r, CODE_UNREAD, shift,
        "\"%s\": whether it is to go so far or to that place is not clear",
        reader_said(p->r, shift));
}

/* "Put the cups off the tray": where to may follow. */
static etna_code put_take_up(put *p)
{
    const details *d = p->d;
    bool origins =
        d->relation_count > 0 && !details_lead_elsewhere(d) && !p->m.hung;
    for (uint32_t i = 0; i < d->relation_count; i++)
        origins = origins && !d->relations[i].has_gap;
    bool turned = d->face || d->angle;
    if (!origins || turned || p->r->memory.context == BUILTIN_NONE)
        return ETNA_OK;
    p->r->memory.last = p->r->memory.named = p->r->memory.taken = *p->movers;
    p->done = true;
    return ETNA_OK;
}

static etna_code put_straight(put *p)
{
    return clause_turn_first(p->c);
}

/* ---- places that are said ---- */

/* Hundredths: "to the wall with the window" is that wall rather than a place
 * with the window; what is put somewhere is hardly moved aside at once. */
static uint32_t put_strain(const put *p)
{
    const uint32_t with = 50, moved_aside = 5;
    const details *d = p->d;
    uint32_t cost = 0;
    for (uint32_t i = 0; i < d->relation_count && d->relation_count > 1; i++)
        cost += d->relations[i].relation == REL_WITH ? with : 0;
    bool aside =
        d->shift && !chart_find(d->shift, "DIST") && d->relation_count > 0;
    return cost + (aside && p->c->verb == VERB_PUT ? moved_aside : 0);
}

/* All places that are said. What is unusual about them is a cost, so that a
 * likelier tree of the same words wins. */
static etna_code put_find_places(put *p)
{
    etna_code code =
        destinations_gather(p->r, p->d, p->movers, p->c->verb, &p->at);
    if (code == ETNA_OK)
        p->r->cost += put_strain(p);
    return code;
}

/* "In the corners at the back": one zone, said in two parts. */
static etna_code put_join_zones(put *p)
{
    destinations *at = &p->at;
    for (uint32_t i = 0; i + 1 < at->count; i++) {
        destination *corner = &at->list[i];
        const destination *edge = &at->list[i + 1];
        const bool parts = corner->relation == RELATION_CORNER &&
                           edge->relation == RELATION_EDGE;
        if (!parts || corner->reference != edge->reference || !edge->unowned)
            continue;
        corner->sides |= edge->sides;
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

/* A set of the list's first things, which ascend in it. ETNA_E_NOMEM. */
static etna_code set_of(reader *r,
                        const uint32_t *list,
                        uint32_t count,
                        builtin_set *ret)
{
    uint32_t *sorted = etna_arena_alloc(r->arena, count + 1u, sizeof *sorted);
    if (!sorted)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > list[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = list[i];
    }
    *ret = (builtin_set){.count = count, .objects = sorted, .need = count};
    return ETNA_OK;
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
    builtin_move m = move_plain(p->c, row ? RELATION_LINE : relation);
    builtin_condition *also = etna_arena_alloc(p->r->arena, 1, sizeof *also);
    if (!also)
        return reader_no_memory(p->r);
    m.objects = *some;
    m.reference = reference;
    m.sides = side;
    m.goes = p->c->verb == VERB_MOVE || clause_puts(p->c);
    if (row && relation == RELATION_END) {
        destination there = destination_plain(relation, reference);
        there.sides = side;
        *also = destination_condition(&there);
        m.also = also;
        m.also_count = 1;
    }
    etna_code code = move_face(p->c, &m);
    const bool seats = row && object_is_seat(p->r, some->objects[0]) &&
                       object_is_table(p->r, reference);
    const bool inward = (p->d->opposed || seats) && m.facing == FACING_NONE;
    m.facing = inward ? FACING_TO : m.facing;
    m.faced = inward ? reference : m.faced;
    return code == ETNA_OK ? move_add(p->r, &m) : code;
}

/* Half of the things that are meant at each of two sides of the reference, at
 * each those that are nearest to it. Where one of any stands at each, the first
 * ones will do. */
static etna_code put_at_sides(put *p,
                              builtin_relation relation,
                              uint32_t reference,
                              const unsigned sides[2])
{
    reader *r = p->r;
    const uint32_t half = p->movers->need / 2,
                   count = half == 1 ? 2 : p->movers->count;
    uint32_t *list = etna_arena_alloc(r->arena, count + 1u, sizeof *list);
    put_way by = {.from = object_at(r, reference)->centre};
    double away[2];
    etna_code code = ETNA_OK;
    if (!list)
        return reader_no_memory(r);
    memcpy(list, p->movers->objects, count * sizeof *list);
    side_way(r, reference, sides[0], by.way);
    if (relation == RELATION_EDGE) { /* the picture's left */
        builtin_picture_axes(r->facts, by.way, away);
        for (int k = 0; k < 2; k++)
            by.way[k] = -by.way[k];
    }
    set_sort(r, list, count, 0, put_rank_by_way, &by);
    for (uint32_t i = 0; i < 2 && code == ETNA_OK; i++) {
        builtin_set some;
        code = set_of(r, i == 0 ? list : list + count - half, half, &some);
        if (code == ETNA_OK)
            code = put_at_one_side(p, relation, reference, sides[i], &some);
    }
    p->done = true;
    return code;
}

/* "The two chairs opposite each other": the second before the first and facing
 * it; by a table one at each side of that. */
static etna_code put_opposed(put *p)
{
    static const unsigned sides[2] = {SIDE_LEFT, SIDE_RIGHT};
    const details *d = p->d;
    const refer_scope scope = refer_scope_place(p->movers);
    uint32_t between = BUILTIN_NONE;
    if (!d->opposed)
        return ETNA_OK;
    if (p->movers->count != 2 || d->zone_count > 0 || d->relation_count > 1)
        return clause_refuse(
            p->c,
            "which two are to be opposite each other, and where, is not clear");
    etna_code code = d->relation_count ? refer_one(p->r, d->relations[0].what,
                                                   &scope, &between)
                                       : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (put_is_object(p, between))
        return put_at_sides(p, RELATION_END, between, sides);
    if (d->relation_count > 0)
        return clause_refuse_all(p->c);
    p->m.relation = RELATION_FRONT;
    p->m.reference = p->m.faced = p->movers->objects[0];
    p->m.facing = FACING_TO;
    p->m.objects = set_one(p->r, p->movers->objects[1]);
    return put_end(p);
}

/* "On both ends of the sideboard", of what is small enough: upon it. */
static bool put_is_upon_ends(const put *p, const destination *s)
{
    const chart_node *zone = p->d->zone_count ? p->d->zones[0] : NULL;
    const chart_node *in = zone ? chart_child(zone, "$zone_in") : NULL,
                     *word = zone ? chart_child(zone, "$zone") : NULL;
    const bool end = in && word && word->value == ZONE_END &&
                     reader_word_is(p->r, in->first, "on");
    if (!end || object_is_furniture(p->r, p->movers->objects[0]))
        return false;
    return put_is_object(p, s->reference) &&
           object_bears_things(p->r, s->reference);
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
    uint32_t ring = r->first_move;
    while (ring < first && (reading->moves[ring].relation != RELATION_AROUND ||
                            reading->moves[ring].reference != reference))
        ring++;
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

/* "one at each end", "on both sides" */
static etna_code put_at_each_end(put *p)
{
    if (!details_say_each_end(p->r, p->d) || p->movers->count < 2)
        return ETNA_OK;
    for (uint32_t i = 0; i < p->at.count; i++) {
        const destination *s = &p->at.list[i];
        unsigned sides[2] = {SIDE_LEFT, SIDE_RIGHT};
        double front[2];
        bool bare =
            s->relation == RELATION_BESIDE && put_is_object(p, s->reference);
        if (bare && !builtin_front_of(p->r->facts, s->reference, front))
            sides_in_picture(p->r, s->reference, sides);
        if (put_is_upon_ends(p, s))
            return put_at_sides(p, RELATION_EDGE, s->reference, sides);
        if (s->relation == RELATION_END)
            ends_own(p->r, s->reference, sides);
        if (details_say_long_side(p->r, p->d))
            sides_long(p->r, s->reference, sides);
        if (bit_is_in(s->relation, BIT(RELATION_END) | BIT(RELATION_BESIDE)))
            return put_at_sides_of(p, s->reference, sides);
    }
    return ETNA_OK;
}

/* "centred on the table", "exactly in the middle above it" */
static etna_code put_in_the_middle(put *p)
{
    const uint32_t with_middle = BIT(RELATION_ABOVE) | BIT(RELATION_UNDER) |
                                 BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) |
                                 BIT(RELATION_LEFT) | BIT(RELATION_RIGHT);
    destination *last = p->at.count ? &p->at.list[p->at.count - 1] : NULL;
    if (!p->d->centred || !last)
        return ETNA_OK;
    if (last->relation == RELATION_ON)
        last->relation = RELATION_MIDDLE;
    else if (bit_is_in(last->relation, with_middle))
        last->exact = true;
    return ETNA_OK;
}

/* ---- places that something else says ---- */

/* The one place, as though it had been said. */
static void put_to(put *p, builtin_relation relation, uint32_t reference)
{
    p->at.list[0] = destination_plain(relation, reference);
    p->at.count = 1;
}

/* "so that it shades the table": over it. */
static etna_code put_over_shaded(put *p)
{
    const chart_node *shade = p->d->shade;
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    uint32_t reference = BUILTIN_NONE;
    if (!shade)
        return ETNA_OK;
    etna_code code = refer_one(p->r, node_phrase(shade, 0), &scope, &reference);
    put_to(p, RELATION_OVER, reference);
    return code;
}

/* "centre it": on what it was just put on, or stands on. */
static etna_code put_on_middle_of_ground(put *p)
{
    const reader *r = p->r;
    const builtin_move *last = r->reading->count > r->first_move
                                   ? &r->reading->moves[r->reading->count - 1]
                                   : NULL;
    const bool onto = last && last->relation == RELATION_ON &&
                      set_is_within(p->movers, &last->objects);
    uint32_t ground = onto ? last->reference
                           /* "put it on the desk and centre it there" */
                           : ground_of(p->r, p->movers);
    if (p->d->centred && put_is_object(p, ground))
        put_to(p, RELATION_MIDDLE, ground);
    return ETNA_OK;
}

/* What was moved last, or where that went. */
static uint32_t put_leader(const put *p)
{
    const reader_memory *memory = &p->r->memory;
    bool other =
        memory->last.count == 1 && !set_has(p->movers, memory->last.objects[0]);
    return other ? memory->last.objects[0] : memory->last_reference;
}

/* "..., the cup on top": on what the text put there just before. */
static etna_code put_on_leader(put *p)
{
    if (p->d->top && put_is_object(p, p->r->memory.last_reference))
        put_to(p, RELATION_ON, put_leader(p));
    return ETNA_OK;
}

/* Which edge is to be level: middle, upper, lower, or the height as it is. */
static builtin_align put_alignment(const put *p)
{
    const uint32_t whole = node_value(p->d->one_height, "$one_height");
    const uint32_t said =
        whole ? whole : node_value(p->d->one_height, "$edge_height");
    return align_said(said);
}

/* "The clock hangs lower than the picture, bring it up to the same height": as
 * high as what hangs there and was spoken of last. */
static etna_code put_as_high_as_told(put *p)
{
    const uint32_t told = p->r->memory.last_reference;
    const bool one = p->d->one_height && p->movers->count == 1;
    if (!one || !put_is_object(p, told) || set_has(p->movers, told) ||
        !object_at(p->r, told)->attached)
        return ETNA_OK;
    p->m.relation = RELATION_LEVEL;
    p->m.reference = told;
    p->m.align = put_alignment(p);
    return put_end(p);
}

/* "The two pictures at the same height": as the first of them. */
static etna_code put_at_one_height(put *p)
{
    if (!p->d->one_height || p->movers->count < 2)
        return ETNA_OK;
    const builtin_set all = *p->movers;
    etna_code code = ETNA_OK;
    p->m.relation = RELATION_LEVEL;
    p->m.reference = all.objects[0];
    p->m.align = put_alignment(p);
    for (uint32_t i = 1; i < all.count && code == ETNA_OK; i++) {
        p->m.objects = set_one(p->r, all.objects[i]);
        code = p->m.objects.count ? put_end(p) : reader_no_memory(p->r);
    }
    return code;
}

/* On its own wall, else on the first. */
static etna_code put_at_eye_level(put *p)
{
    const builtin_facts *facts = p->r->facts;
    if (!p->d->eye_level)
        return ETNA_OK;
    if (facts->wall_count == 0)
        return put_refuse_no_place(p);
    uint32_t own = p->movers->count
                       ? builtin_hangs_on(facts, p->movers->objects[0])
                       : BUILTIN_NONE;
    p->m.relation = RELATION_ON;
    p->m.hung = true;
    p->m.reference = facts->walls[own < facts->wall_count ? own : 0].object;
    return put_end(p);
}

/* "With its back against the wall"; and who puts a sofa with its back to a wall
 * does not turn it amid the room. */
static etna_code put_against_back(put *p)
{
    const chart_node *back =
        p->d->back_to ? chart_child(p->d->back_to, "$back_to") : NULL;
    const bool goes = p->m.goes && p->c->verb != VERB_TURN;
    const bool against = back && reader_word_is(p->r, back->end - 1, "against");
    uint32_t reference = BUILTIN_NONE;
    if (!back || (!against && !goes))
        return ETNA_OK;
    etna_code code =
        move_find_faced(p->c, p->d->back_to, BUILTIN_NONE, &reference);
    if (code != ETNA_OK)
        return code;
    const bool wall = put_is_object(p, reference) &&
                      builtin_is_wall(object_at(p->r, reference));
    if (against || wall)
        put_to(p, RELATION_AGAINST, reference);
    return ETNA_OK;
}

/* "..., followed by the jug": next to what was put there last. */
static etna_code put_beside_leader(put *p)
{
    if (p->d->follow && put_is_object(p, p->r->memory.last_reference))
        put_to(p, RELATION_BESIDE, put_leader(p));
    return ETNA_OK;
}

/* "The mug was next to the phone. Put it back there." */
static bool put_is_told_already(const put *p)
{
    const builtin_reading *reading = p->r->reading;
    if (reading->count == p->r->first_move)
        return false;
    const builtin_move *last = &reading->moves[reading->count - 1];
    return last->reference + 1 == p->r->memory.there.object &&
           set_is_within(p->movers, &last->objects);
}

/* "There": where something was put before, or is told to be. */
static etna_code put_there(put *p)
{
    const reader_memory *memory = &p->r->memory;
    const reader_there *there = &memory->there;
    if (!p->d->there)
        return ETNA_OK;
    if (put_is_told_already(p)) {
        p->done = true;
        return ETNA_OK;
    }
    if (there->object > 0 && !set_has(p->movers, there->object - 1)) {
        put_to(p, there->relation, there->object - 1);
        p->at.list[p->at.count - 1].level = there->level;
        return ETNA_OK;
    }
    const uint32_t spoken =
        memory->last.count == 1 ? memory->last.objects[0] : BUILTIN_NONE;
    const bool bears = put_is_object(p, spoken) &&
                       !set_has(p->movers, spoken) &&
                       object_bears_things(p->r, spoken);
    if (bears)
        put_to(p, preposition_to(p->r, p->movers, spoken, REL_TO), spoken);
    return ETNA_OK;
}

/* No place, and a word of turning: it is turned where it stands. */
static etna_code put_turned(put *p)
{
    return details_turn(p->d) ? put_leave(p, clause_turn) : ETNA_OK;
}

/* No place, and "together": the things come to each other. */
static etna_code put_together(put *p)
{
    return p->d->together ? put_leave(p, clause_group) : ETNA_OK;
}

/* "Push the chair in". */
static etna_code put_pushed_in(put *p)
{
    const chart_node *part =
        p->d->part ? chart_child(p->d->part, "$part") : NULL;
    bool in = part && part->value == DIR_FRONT;
    bool seat = p->movers->count && object_is_seat(p->r, p->movers->objects[0]);
    return in && (seat || p->c->verb == VERB_MOVE) ? put_leave(p, clause_tuck)
                                                   : ETNA_OK;
}

/* A place that no preposition told. The steps end with a refusal, so that a
 * clause without any place never moves a thing. */
static etna_code put_find_unsaid(put *p)
{
    static put_step *const steps[] = {
        put_over_shaded,    put_on_middle_of_ground,
        put_on_leader,      put_as_high_as_told,
        put_at_one_height,  put_at_eye_level,
        put_against_back,   put_beside_leader,
        put_there,          put_turned,
        put_together,       put_pushed_in,
        put_refuse_no_place};
    etna_code code = ETNA_OK;
    for (size_t i = 0; p->at.count == 0 && code == ETNA_OK && !p->done; i++)
        code = steps[i](p);
    return code;
}

/* ---- the move ---- */

/* "Along the wall", of several things. */
static etna_code put_in_row(put *p)
{
    for (uint32_t i = 0; i < p->at.count; i++) {
        if (p->at.list[i].relation == RELATION_LINE)
            return put_leave(p, clause_row);
    }
    return ETNA_OK;
}

/* A way there rather than a place to stand: "past the sofa", "around it". */
static bool destination_is_path(const destination *s)
{
    return s->is_path || s->relation == RELATION_AROUND ||
           (s->relation == RELATION_AWAY && !s->is_shift);
}

/* "Around the table so that it stands to the right of it", "out of the way of
 * the cabinet and onto the table": one thing's way there is no place of its
 * own. */
static etna_code put_drop_path(put *p)
{
    destinations *at = &p->at;
    uint32_t kept = 0, paths = 0;
    for (uint32_t i = 0; i < at->count; i++)
        paths += destination_is_path(&at->list[i]);
    if (paths == at->count || p->movers->count != 1)
        return ETNA_OK;
    for (uint32_t i = 0; i < at->count; i++) {
        if (!destination_is_path(&at->list[i]))
            at->list[kept++] = at->list[i];
    }
    at->count = kept;
    return ETNA_OK;
}

/* Places that qualify each other become one: "behind the chair at the
 * desk". */
static etna_code put_chain(put *p)
{
    return destinations_chain(p->r, &p->m, &p->at);
}

/* The side that is said by itself: "left", "on the left", "left side". */
static unsigned put_side_said(const put *p)
{
    const chart_node *shift = p->d->shift;
    const uint32_t way =
        shift && !chart_find(shift, "DIST") ? node_value(shift, "$dir") : 0;
    if (way == DIR_LEFT)
        return SIDE_LEFT;
    if (way == DIR_RIGHT)
        return SIDE_RIGHT;
    return (node_value(p->d->side, "$side") |
            node_value(p->d->side, "$side_h")) &
           15;
}

/* "Shift it right until it is 20 cm from the shelf": so far it goes, and no
 * farther than that thing. */
static bool put_stops_short(const put *p, const destination *s)
{
    return p->c->verb == VERB_MOVE && p->d->shift && s->gap > 0 &&
           s->relation == RELATION_BESIDE;
}

/* "on the desk, left", "by the bed, left side" */
static etna_code put_at_side(put *p)
{
    destination *s = &p->at.list[0];
    const unsigned side = put_side_said(p);
    if (p->at.count != 1 || !side)
        return ETNA_OK;
    if (s->relation == RELATION_ON) {
        s->relation = RELATION_EDGE;
        s->sides = side;
    }
    if (bit_is_in(s->relation, BIT(RELATION_BESIDE) | BIT(RELATION_TOWARD)) &&
        !put_stops_short(p, s))
        s->relation = side_relation(side, s->relation);
    return ETNA_OK;
}

/* Chief place, support and further conditions, as destination.h divides them.
 */
static etna_code put_apply(put *p)
{
    return destinations_apply(p->r, p->c->said, &p->at, p->movers, &p->m);
}

/* Is there a hanging thing as high as which it could be? */
static bool put_has_equal(const put *p)
{
    return put_is_object(p, p->m.reference) &&
           object_at(p->r, p->m.reference)->attached;
}

/* "On the left wall at the same height": as high as it hangs now. */
/* "Close together on the shelf": there, and near each other. */
static etna_code put_in_company(put *p)
{
    const chart_node *together = p->d->together;
    const bool close = together && together->end - together->first > 1;
    const bool upon = p->m.relation == RELATION_ON && p->m.level == 0 &&
                      p->m.also_count == 0 && put_is_object(p, p->m.reference);
    if (!close || !upon || p->movers->count < 2)
        return ETNA_OK;
    p->m.relation = RELATION_GROUP;
    p->m.support = p->m.reference;
    p->m.reference = BUILTIN_NONE;
    return ETNA_OK;
}

static etna_code put_align(put *p)
{
    if (!p->d->one_height)
        return ETNA_OK;
    const bool one = p->movers->count == 1;
    p->m.align = put_alignment(p);
    if (one && p->m.align == ALIGN_MIDDLE && !put_has_equal(p))
        p->m.align = ALIGN_HEIGHT;
    if (p->m.align != ALIGN_HEIGHT)
        return ETNA_OK;
    if (!one || !builtin_is_hung(p->r->facts, &p->m, p->movers->objects[0]))
        return reader_refuse(p->r, CODE_UNREAD, p->d->one_height,
                             "\"%s\": as high as what is not clear",
                             reader_said(p->r, p->d->one_height));
    p->m.at[2] = object_at(p->r, p->movers->objects[0])->centre[2];
    return ETNA_OK;
}

/* What is denied must be one relation to one thing, which can be measured. */
static etna_code put_read_denied(put *p,
                                 const chart_node *not_place,
                                 builtin_condition *ret)
{
    const uint32_t measured = RELATIONS_UPON | RELATIONS_ASIDE |
                              BIT(RELATION_UNDER) | BIT(RELATION_AGAINST) |
                              BIT(RELATION_BETWEEN);
    details d = {0};
    destinations at = {0};
    details_gather(p->r, not_place, &d);
    const reader_memory memory = p->r->memory;
    etna_code code = destinations_gather(p->r, &d, p->movers, p->c->verb, &at);
    p->r->memory = memory; /* "it" is not what was denied */
    if (code != ETNA_OK)
        return code;
    const destination *s = &at.list[0];
    const bool one =
        at.count == 1 && s->each.count == 0 && s->gap < 0 && s->level == 0;
    if (!one || s->is_shift || !bit_is_in(s->relation, measured))
        return reader_refuse(
            p->r, CODE_UNREAD, not_place,
            "\"%s\": how that goes with the rest is not understood",
            reader_said(p->r, not_place));
    *ret = destination_condition(s);
    ret->denied = true;
    return ETNA_OK;
}

/* "On the table, but not on the mat" */
static etna_code put_denied(put *p)
{
    builtin_move *m = &p->m;
    etna_code code = ETNA_OK;
    if (p->d->denied_count == 0)
        return ETNA_OK;
    builtin_condition *also = etna_arena_alloc(
        p->r->arena, m->also_count + p->d->denied_count, sizeof *also);
    if (!also)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < m->also_count; i++)
        also[i] = m->also[i];
    for (uint32_t i = 0; i < p->d->denied_count && code == ETNA_OK; i++)
        code = put_read_denied(p, p->d->denied[i], &also[m->also_count + i]);
    m->also = also;
    m->also_count += p->d->denied_count;
    return code;
}

/* "The cups shouldn't be on the saucers. Put them by the jug": beside it, and
 * on none of those. */
static etna_code put_denied_before(put *p)
{
    const reader_memory *memory = &p->r->memory;
    builtin_move *m = &p->m;
    uint32_t count = 0;
    if (memory->denied_at_count == 0 || !put_is_object(p, m->reference) ||
        !bit_is_in(m->relation, RELATIONS_ASIDE) ||
        !set_is_within(p->movers, &memory->denied))
        return ETNA_OK;
    uint32_t *left =
        etna_arena_alloc(p->r->arena, memory->denied_at_count, sizeof *left);
    if (!left)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < memory->denied_at_count; i++) {
        if (memory->denied_at[i] != m->reference)
            left[count++] = memory->denied_at[i];
    }
    m->leaves = (builtin_set){.count = count, .objects = left, .need = count};
    return ETNA_OK;
}

/* "Close to the computer, but not the phone": of one thing that is no
 * exception, but a place that is denied, too. */
static etna_code put_denied_neighbour(put *p)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    builtin_move *m = &p->m;
    const chart_node *but = p->d->except;
    uint32_t other = BUILTIN_NONE;
    const bool may_be =
        but && p->movers->count == 1 && bit_is_in(m->relation, RELATIONS_ASIDE);
    if (!may_be || node_says(but, "$det", BIT(DET_ONLY)))
        return ETNA_OK;
    const reader_memory memory = p->r->memory;
    etna_code code = refer_one(p->r, but, &scope, &other);
    p->r->memory = memory;
    if (code != ETNA_OK || other >= p->r->facts->object_count)
        return code;
    if (other == m->reference ||
        builtin_is_above(p->r->facts, other, p->movers->objects[0]))
        return ETNA_OK;
    builtin_condition *also =
        etna_arena_alloc(p->r->arena, m->also_count + 1u, sizeof *also);
    if (!also)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < m->also_count; i++)
        also[i] = m->also[i];
    destination there = destination_plain(m->relation, other);
    also[m->also_count] = destination_condition(&there);
    also[m->also_count++].denied = true;
    m->also = also;
    return ETNA_OK;
}

static etna_code put_face(put *p)
{
    return move_face(p->c, &p->m);
}

/* "without a gap", "20 cm apart" */
static etna_code put_at_gap(put *p)
{
    builtin_move *m = &p->m;
    if (p->d->no_gap &&
        bit_is_in(m->relation, BIT(RELATION_BESIDE) | BIT(RELATION_TOWARD))) {
        m->relation = RELATION_AGAINST;
        m->gap = -1;
    }
    if (p->d->apart_by && m->gap < 0 &&
        bit_is_in(m->relation, RELATIONS_ASIDE)) {
        double most,
            least =
                where_metres(p->r, chart_find(p->d->apart_by, "DIST"), &most);
        m->gap = most > least ? (least + most) / 2 : least;
    }
    return ETNA_OK;
}

/* A seat at a wall has its back to it. */
static etna_code put_back_to_wall(put *p)
{
    builtin_move *m = &p->m;
    if (m->relation != RELATION_AGAINST || m->facing != FACING_NONE ||
        !p->movers->count)
        return ETNA_OK;
    uint32_t mover = p->movers->objects[0];
    bool fronted =
        object_is_seat(p->r, mover) || object_at(p->r, mover)->has_front;
    if (!fronted || !put_is_object(p, m->reference) ||
        !object_is_wall_like(p->r, m->reference))
        return ETNA_OK;
    m->facing = FACING_BACK;
    m->faced = m->reference;
    return ETNA_OK;
}

/* A chair under a table is tucked in. */
static etna_code put_under_table(put *p)
{
    bool under = p->m.relation == RELATION_UNDER && p->movers->count &&
                 put_is_object(p, p->m.reference);
    if (!under || !object_is_seat(p->r, p->movers->objects[0]) ||
        !object_is_table(p->r, p->m.reference))
        return ETNA_OK;
    clause own = *p->c;
    own.d.relation_count = 0;
    for (uint32_t i = 0; i < p->d->relation_count; i++) {
        if (p->d->relations[i].relation == REL_UNDER)
            own.d.relations[own.d.relation_count++] = p->d->relations[i];
    }
    p->done = true;
    return clause_tuck(&own);
}

/* Others on the floor: by the nearest of them. */
static etna_code put_beside_others(put *p, const builtin_set *others)
{
    p->m.each = (builtin_set){0};
    p->m.relation = RELATION_BESIDE;
    p->m.reference = set_nearest(p->r, others, p->movers->objects[0]);
    return ETNA_OK;
}

/* The board on which all of them stand that stand on the base; 0: there is
 * none, or the base has but one. */
static uint32_t others_level(const reader *r,
                             const builtin_set *others,
                             uint32_t base)
{
    const uint32_t levels = builtin_levels(r->facts, base);
    for (uint32_t level = 1; levels > 1 && level <= levels; level++) {
        bool all = true;
        for (uint32_t i = 0; i < others->count && all; i++) {
            const uint32_t other = others->objects[i];
            const double bottom =
                object_at(r, other)->centre[2] - object_at(r, other)->half[2];
            all = !builtin_stands_on(r->facts, other, base) ||
                  !(builtin_off_level(r->facts, base, level, bottom) > 0);
        }
        if (all)
            return level;
    }
    return 0;
}

/* With the others: where most of them stand. */
static etna_code put_with_others(put *p)
{
    builtin_move *m = &p->m;
    const builtin_set others = m->each;
    uint32_t base = BUILTIN_NONE, most = 0;
    if (m->relation != RELATION_GROUP || others.count < 2 ||
        !put_is_object(p, m->reference))
        return ETNA_OK;
    for (uint32_t i = 0; i < others.count; i++) {
        const builtin_object *o = object_at(p->r, others.objects[i]);
        uint32_t same = 0;
        for (uint32_t k = 0; k < others.count && o->by_count; k++)
            same += builtin_stands_on(p->r->facts, others.objects[k], o->by[0]);
        if (same <= most)
            continue;
        most = same;
        base = o->by[0];
    }
    if (base == BUILTIN_NONE || object_is_ground(p->r, base))
        return put_beside_others(p, &others);
    m->each = (builtin_set){0};
    m->relation = RELATION_ON;
    m->reference = base;
    m->level = others_level(p->r, &others, base);
    return ETNA_OK;
}

/* "Everything" is not what it goes to. */
static etna_code put_leave_place(put *p)
{
    uint32_t *not_moved = &p->r->memory.not_moved;
    if (!*not_moved)
        return ETNA_OK;
    const builtin_set place = set_one(p->r, *not_moved - 1);
    *not_moved = 0;
    return set_without(p->r, &p->m.objects, &place, &p->m.objects);
}

/* Metres. Of a seat it counts where it looks, too (seat_way): it belongs to the
 * table before it rather than to one behind. */
static double rank_own(const reader *r, uint32_t object, const void *context)
{
    const uint32_t *mover = context;
    return object_is_seat(r, *mover) ? seat_way(r, *mover, object)
                                     : object_way(r, object, *mover);
}

/* "The chairs to their tables": each thing to the nearest of the others. */
static etna_code put_to_own(put *p)
{
    const builtin_move *m = &p->m;
    bool own = m->each.count > 1 && p->d->relation_count > 0;
    if (!own || !node_says(p->d->relations[0].what, "$det", BIT(DET_ITS)))
        return ETNA_OK;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < m->objects.count && code == ETNA_OK; i++) {
        builtin_move one = *m;
        one.objects = set_one(p->r, m->objects.objects[i]);
        one.reference =
            set_least(p->r, &m->each, rank_own, &m->objects.objects[i]);
        one.each = (builtin_set){0};
        if (one.facing != FACING_NONE && set_has(&m->each, m->faced))
            one.faced = one.reference;
        code = move_add(p->r, &one);
    }
    p->done = true;
    return code;
}

/* "A plate in front of each chair": on the table, before who sits there. */
static etna_code put_before_seats(put *p)
{
    /* metres: what is higher and stands on the floor stays there */
    const double tableware = 0.2;
    const builtin_move *m = &p->m;
    if (m->relation != RELATION_FRONT || !p->movers->count)
        return ETNA_OK;
    uint32_t mover = p->movers->objects[0];
    bool high = 2 * object_at(p->r, mover)->half[2] > tableware;
    uint32_t table = high && object_is_on_floor(p->r, mover)
                         ? BUILTIN_NONE
                         : setting_table(p->r, m);
    if (table == BUILTIN_NONE)
        return ETNA_OK;
    const builtin_set seats =
        m->each.count ? m->each : set_one(p->r, m->reference);
    p->done = true;
    return setting_add(p->c, table, &seats, seats.count, &m->objects);
}

/* "A bottle next to each chair": as many as there are chairs. */
static etna_code put_pair_up(put *p)
{
    builtin_move *m = &p->m;
    const builtin_set *movers = p->movers;
    bool any_one = movers->count > 1 && movers->need == 1;
    if (m->each.count > movers->count && movers->count > 0)
        return clause_refuse_too_few(p->c, movers, m->each.count);
    if (any_one && m->each.count > 0)
        m->objects.need =
            m->objects.count < m->each.count ? m->objects.count : m->each.count;
    return ETNA_OK;
}

typedef struct bearing {
    const builtin_set *of;
    uint32_t base;
} bearing;

static bool object_is_borne(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const bearing *b = context;
    return set_has(b->of, object) &&
           builtin_is_above(r->facts, object, b->base);
}

/* "Swap the cart and the plant, the boxes stay on the cart": of several, those
 * that are there. The others are not asked to come. */
static etna_code put_keep_there(put *p)
{
    builtin_move *m = &p->m;
    const bool onto = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool several =
        m->objects.count > 1 && m->objects.need == m->objects.count;
    const bool one_place =
        m->each.count == 0 && m->reference < p->r->facts->object_count;
    if (!onto || !several || !one_place || !clause_keeps(p->c))
        return ETNA_OK;
    const bearing borne = {.of = &m->objects, .base = m->reference};
    builtin_set there = {0};
    etna_code code = set_filter(p->r, object_is_borne, &borne, &there);
    if (code == ETNA_OK && there.count > 0)
        m->objects = there;
    return code;
}

/* Nobody asks for what is so already: another reading is likelier. */
static void put_cost_of_nothing(const put *p)
{
    enum {
        COST_OF_NOTHING = 15
    };
    bool all = p->m.objects.count > 0;
    for (uint32_t i = 0; i < p->m.objects.count && all; i++)
        all = builtin_stands_on(p->r->facts, p->m.objects.objects[i],
                                p->m.reference);
    if (all)
        p->r->cost += COST_OF_NOTHING;
}

/* "Put a cup on the tray", where one stands there already: another one is
 * meant, if there is any. */
static etna_code put_one_elsewhere(put *p)
{
    builtin_move *m = &p->m;
    bool onto = m->relation == RELATION_ON || m->relation == RELATION_IN;
    if (!onto || m->each.count > 0 || m->also_count > 0 || m->alone ||
        !clause_puts(p->c))
        return ETNA_OK;
    etna_code code = movers_take_one_elsewhere(p->c, m->reference, &m->objects);
    if (code == ETNA_OK)
        put_cost_of_nothing(p);
    return code;
}

/* ---- the verbs ---- */

/* In which order things are put that go to one place. */
static builtin_order clause_order(const clause *c)
{
    static const builtin_order orders[] = {ORDER_AS_SAID, ORDER_LARGEST,
                                           ORDER_SMALLEST};
    uint32_t order = details_order(&c->d);
    return order < sizeof orders / sizeof orders[0] ? orders[order]
                                                    : ORDER_AS_SAID;
}

/* All of the steps start from "on", the commonest; each that knows better sets
 * it. */
static put put_of(clause *c)
{
    return (put){.c = c,
                 .r = c->r,
                 .d = &c->d,
                 .movers = &c->movers,
                 .m = move_plain(c, RELATION_ON)};
}

/* The steps in their order; each may finish the move, refuse it, or leave it to
 * the next. The first that fits a form of speech takes it, hence the special
 * ones come first. */
etna_code clause_put(clause *c)
{
    static put_step *const steps[] = {put_check_hanging,
                                      put_one_by_one,
                                      put_back,
                                      put_beside_same,
                                      put_at_height,
                                      put_shift_there,
                                      put_shift,
                                      put_vector,
                                      put_shift_agrees,
                                      put_check_from_here,
                                      put_check_distance,
                                      put_take_up,
                                      put_opposed,
                                      put_straight,
                                      put_find_places,
                                      put_join_zones,
                                      put_at_each_end,
                                      put_in_the_middle,
                                      put_find_unsaid,
                                      put_in_row,
                                      put_drop_path,
                                      put_chain,
                                      put_at_side,
                                      put_apply,
                                      put_in_company,
                                      put_denied,
                                      put_denied_before,
                                      put_denied_neighbour,
                                      put_align,
                                      put_face,
                                      put_at_gap,
                                      put_back_to_wall,
                                      put_under_table,
                                      put_with_others,
                                      put_leave_place,
                                      put_to_own,
                                      put_before_seats,
                                      put_pair_up,
                                      put_keep_there,
                                      put_one_elsewhere,
                                      put_end};
    put p = put_of(c);
    p.m.hung = c->verb == VERB_HANG;
    p.m.goes = c->verb == VERB_MOVE || clause_puts(c);
    p.m.order = clause_order(c);
    return put_run(&p, steps, sizeof steps / sizeof steps[0]);
}

etna_code clause_group(clause *c)
{
    put p = put_of(c);
    etna_code code = destinations_gather(p.r, p.d, p.movers, VERB_GROUP, &p.at);
    p.r->cost += put_strain(&p);
    p.m.relation = RELATION_GROUP;
    if (code == ETNA_OK && p.at.count)
        code = put_apply(&p);
    if (code == ETNA_OK && p.at.count && p.d->face)
        code = put_face(&p);
    return code == ETNA_OK ? put_end(&p) : code;
}
