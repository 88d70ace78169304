/* Which thing comes where in a row or a pile. */
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/row_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>

/* Of its three measures, in metres: the longest of all, the shortest. */
static double row_rank_measure(const reader *r, uint32_t object, uint32_t order)
{
    const builtin_object *o = object_at(r, object);
    const double length = math_max(builtin_half_longer(o), o->half[2]);
    const double thickness = math_min(builtin_half_shorter(o), o->half[2]);
    switch (order) {
    case BY_HEIGHT: return -o->half[2];
    case BY_HEIGHT_RISING: return o->half[2];
    case BY_LENGTH: return -length;
    case BY_LENGTH_RISING: return length;
    case BY_THICKNESS: return -thickness;
    default: return thickness;
    }
}

static bool order_is_by_measure(uint32_t order)
{
    return bit_is_in(order, BIT(BY_HEIGHT) | BIT(BY_HEIGHT_RISING) |
                                BIT(BY_LENGTH) | BIT(BY_LENGTH_RISING) |
                                BIT(BY_THICKNESS) | BIT(BY_THICKNESS_RISING));
}

double row_rank_size(const reader *r, uint32_t object, const void *context)
{
    const uint32_t *order = context;
    if (order_is_by_measure(*order))
        return row_rank_measure(r, object, *order);
    return *order == BY_SIZE_RISING ? object_area(r, object)
                                    : -object_area(r, object);
}

/* A row shows how large things are all round. */
static double row_rank_volume(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const uint32_t *order = context;
    const double volume =
        object_area(r, object) * object_at(r, object)->half[2];
    if (order_is_by_measure(*order))
        return row_rank_measure(r, object, *order);
    return *order == BY_SIZE_RISING ? volume : -volume;
}

/* Around the circle of colours, red first; greys stand behind it, dark ones
 * last. */
static double row_rank_colour(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const double grey = 12; /* of CIELAB's chroma */
    const builtin_object *o = object_at(r, object);
    const double chroma = sqrt(o->lab[1] * o->lab[1] + o->lab[2] * o->lab[2]);
    (void)context;
    if (!o->has_colour || chroma < grey)
        return 1000 - o->lab[0];
    const double angle = math_atan2(o->lab[2], o->lab[1]);
    return angle < 0 ? angle + 2 * MATH_PI : angle;
}

static double row_rank_light(const reader *r,
                             uint32_t object,
                             const void *context)
{
    const uint32_t *order = context;
    const double lightness = object_at(r, object)->lab[0];
    return *order == BY_DARKNESS ? lightness : -lightness;
}

/* "From dark to light": is it known of each how light it is, and different? */
static bool row_has_shades(const reader *r, const builtin_set *things)
{
    const double alike = 1; /* of CIELAB's lightness: no eye tells them apart */
    for (uint32_t i = 0; i < things->count; i++) {
        const builtin_object *o = object_at(r, things->objects[i]);
        for (uint32_t k = 0; k < i; k++) {
            const builtin_object *other = object_at(r, things->objects[k]);
            if (fabs(o->lab[0] - other->lab[0]) < alike)
                return false;
        }
        if (!o->has_colour)
            return false;
    }
    return true;
}

/* The number at the end of its name; < 0: it has none. */
static double row_rank_number(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const char *const name = object_at(r, object)->name;
    size_t at = strlen(name);
    double number = 0, unit = 1;
    (void)context;
    if (at == 0 || !ascii_is_digit(name[at - 1]))
        return -1;
    for (; at > 0 && ascii_is_digit(name[at - 1]) && unit < 1e9; unit *= 10)
        number += unit * (name[--at] - '0');
    return number;
}

/* Has each a number, and none another's? */
static bool row_is_numbered(const reader *r,
                            const uint32_t *row,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const double number = row_rank_number(r, row[i], NULL);
        for (uint32_t k = 0; k < i; k++) {
            if (row_rank_number(r, row[k], NULL) == number)
                return false;
        }
        if (number < 0)
            return false;
    }
    return true;
}

/* Has each of the clause's things a number of its own, and do they go from one
 * that is said to the other: "from 1 to 3"? */
static bool row_has_numbers(const clause *c)
{
    const chart_node *const range =
        c->d.order ? chart_child(c->d.order, "NUMRANGE") : NULL;
    uint32_t ends[2] = {0, 0};
    uint32_t found = 0;
    if (!row_is_numbered(c->r, c->movers.objects, c->movers.count))
        return false;
    if (!range)
        return true;
    range_find_ends(range, &ends[0], &ends[1]);
    for (uint32_t i = 0; i < c->movers.count; i++) {
        const double n = row_rank_number(c->r, c->movers.objects[i], NULL);
        const double least = fmin(ends[0], ends[1]);
        if (n < least || n > fmax(ends[0], ends[1]))
            return false;
        found += n == ends[0] || n == ends[1];
    }
    return found == 2;
}

double row_rank_seen(const reader *r, uint32_t object, const void *context)
{
    const double *at = object_at(r, object)->centre;
    const double *right = r->facts->right;
    (void)context;
    return at[0] * right[0] + at[1] * right[1];
}

/* In the order of the conjuncts; *ret_named false and *row untouched: they are
 * not told apart so. */
static etna_code row_sort_as_said(clause *c, uint32_t *row, bool *ret_named)
{
    const builtin_set *set = &c->movers;
    const refer_scope scope = refer_scope_movers();
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(c->things, parts);
    uint32_t used = 0;
    *ret_named = false;
    if (count < 2)
        return ETNA_OK;
    uint32_t *said =
        etna_arena_alloc(c->r->arena, set->count + 1u, sizeof *said);
    if (!said)
        return reader_no_memory(c->r);
    for (uint32_t i = 0; i < count; i++) {
        builtin_set one;
        reader before = *c->r;
        etna_code code = refer_things(c->r, parts[i], &scope, &one);
        if (code == ETNA_E_INPUT)
            *c->r = before;
        if (code != ETNA_OK)
            return code == ETNA_E_INPUT ? ETNA_OK : code;
        for (uint32_t k = 0; k < one.count && used < set->count; k++) {
            if (set_has(set, one.objects[k]))
                said[used++] = one.objects[k];
        }
    }
    *ret_named = used == set->count;
    if (*ret_named)
        memcpy(row, said, used * sizeof *row);
    return ETNA_OK;
}

void row_place(uint32_t *row, uint32_t count, uint32_t object, uint32_t place)
{
    uint32_t at = count;
    for (uint32_t i = 0; i < count; i++)
        at = row[i] == object ? i : at;
    if (at == count || place >= count)
        return;
    for (; at > place; at--)
        row[at] = row[at - 1];
    for (; at < place; at++)
        row[at] = row[at + 1];
    row[place] = object;
}

void row_reverse(uint32_t *row, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swap = row[i];
        row[i] = row[count - 1 - i];
        row[count - 1 - i] = swap;
    }
}

/* Of those that are as large to the eye as the lowest, what stands on the base
 * already is the lowest; what nothing can stand on is the top. */
static void pile_settle(const reader *r,
                        uint32_t *row,
                        uint32_t count,
                        uint32_t base)
{
    const double alike = 0.98 * object_area(r, row[0]);
    uint32_t tops = 0, top = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (object_bears_things(r, row[i]))
            continue;
        tops++;
        top = row[i];
    }
    for (uint32_t i = 1; i < count && base != BUILTIN_NONE; i++) {
        if (object_area(r, row[i]) < alike ||
            !builtin_stands_on(r->facts, row[i], base))
            continue;
        row_place(row, count, row[i], 0);
        break;
    }
    if (tops == 1)
        row_place(row, count, top, count - 1);
}

bool order_is_backward(uint32_t order)
{
    return order == FROM_RIGHT || order == FROM_TOP;
}

bool order_is_by_number(uint32_t order)
{
    return order == BY_NUMBER || order == BY_NUMBER_FALLING;
}

static bool order_is_by_shade(uint32_t order)
{
    return order == BY_DARKNESS || order == BY_LIGHTNESS;
}

bool order_is_by_size(uint32_t order)
{
    return order == BY_SIZE || order == BY_SIZE_RISING ||
           order_is_by_measure(order);
}

/* "From 1 to 3"; "in order" of what has numbers, and of a row "in order from left
 * to right": by what else. */
static bool row_goes_by_number(const clause *c,
                               const builtin_move *m,
                               uint32_t order,
                               bool named,
                               const uint32_t *row)
{
    const uint32_t open = m->relation == RELATION_STACK
                              ? BIT(FROM_LEFT)
                              : BIT(FROM_LEFT) | BIT(FROM_RIGHT);
    if (order_is_by_number(order))
        return true;
    return !named && bit_is_in(order, open) &&
           row_is_numbered(c->r, row, c->movers.count);
}

/* Sorts the clause's things by the order that is said; where none is, a pile by
 * size and a row as it is seen, unless they were named in their order. */
static void row_sort(const clause *c,
                     const builtin_move *m,
                     uint32_t order,
                     bool named,
                     uint32_t *row)
{
    const reader *r = c->r;
    const bool pile = m->relation == RELATION_STACK;
    const uint32_t count = c->movers.count;
    const uint32_t largest = BY_SIZE;
    if (order == BY_COLOUR) {
        set_sort(r, row, count, 1e-9, row_rank_colour, NULL);
    } else if (order_is_by_shade(order)) {
        set_sort(r, row, count, 1e-9, row_rank_light, &order);
    } else if (order_is_by_size(order)) {
        memcpy(row, c->movers.objects, count * sizeof *row);
        set_sort(r, row, count, 1e-9, pile ? row_rank_size : row_rank_volume,
                 &order);
    } else if (row_goes_by_number(c, m, order, named, row)) {
        set_sort(r, row, count, 0, row_rank_number, NULL);
        if (order == BY_NUMBER_FALLING)
            row_reverse(row, count);
    } else if (pile && !named) {
        set_sort(r, row, count, 1e-9, row_rank_size, &largest);
        pile_settle(r, row, count, m->support);
    } else if (!named) {
        set_sort(r, row, count, 0, row_rank_seen, NULL);
    }
}

/* "From the thickest to the thinnest": is any thicker than another? Whoever says
 * so of things that are alike means another measure. */
static bool row_differs(const clause *c, uint32_t order)
{
    const double seen = 0.002; /* metres */
    double low = INFINITY;
    double high = -INFINITY;
    if (!order_is_by_measure(order) || order == BY_HEIGHT ||
        order == BY_HEIGHT_RISING)
        return true;
    for (uint32_t i = 0; i < c->movers.count; i++) {
        const double is = row_rank_measure(c->r, c->movers.objects[i], order);
        low = math_min(low, is);
        high = math_max(high, is);
    }
    return high - low > seen;
}

/* "Stack them from left to right": of which the lowest is, nothing is said. */
static bool pile_goes_sideways(const clause *c, const builtin_move *m)
{
    return m->relation == RELATION_STACK && c->d.order && !c->d.in_order &&
           match_word_side(reader_word(c->r, c->d.order->end - 1)) != 0 &&
           bit_is_in(details_order(&c->d), BIT(FROM_LEFT) | BIT(FROM_RIGHT));
}

etna_code row_find_order(clause *c, builtin_move *m)
{
    reader *r = c->r;
    const bool pile = m->relation == RELATION_STACK;
    const uint32_t count = c->movers.count;
    const uint32_t order = details_order(&c->d);
    bool named = false;
    if (order_is_by_number(order) && !row_has_numbers(c))
        return reader_refuse_finally(
            r, clause_refuse(c, "which number each of them has is not known"));
    if (pile_goes_sideways(c, m))
        return reader_refuse_finally(
            r, clause_refuse(c, "which of them is the lowest is not said"));
    if (order_is_by_shade(order) && !row_has_shades(r, &c->movers))
        return clause_refuse(c, "which of them is darker is not known");
    if (!row_differs(c, order))
        return reader_refuse_finally(
            r, clause_refuse(c, "they are alike in that"));
    uint32_t *row =
        etna_arena_memdup(r->arena, c->movers.objects, count * sizeof *row);
    if (!row)
        return reader_no_memory(r);
    etna_code code = row_sort_as_said(c, row, &named);
    if (code != ETNA_OK)
        return code;
    row_sort(c, m, order, named, row);
    if (order_is_backward(order))
        row_reverse(row, count);
    bool told = named || order || c->d.order_count;
    /* "from left to right", "by colour": which first is told by nothing */
    const uint32_t open = BIT(FROM_LEFT) | BIT(FROM_RIGHT) | BIT(BY_COLOUR);
    r->memory.order_told = order != 0 && (named || !bit_is_in(order, open));
    m->row = row;
    m->row_count = pile || told ? count : 0;
    return ETNA_OK;
}

/* ---- one thing's place in the order ---- */

/* The same of a row along a wall: which end of it is "at the back". `count`: it
 * runs along the picture. */
static uint32_t row_find_depth_by_wall(const reader *r,
                                       const builtin_move *m,
                                       unsigned side,
                                       uint32_t count)
{
    const double askew = 0.35; /* cosine */
    const builtin_object *const wall = object_at(r, m->reference);
    const bool longer = wall->half[1] > wall->half[0];
    const double along[2] = {longer ? wall->heading[0] : -wall->heading[1],
                             longer ? wall->heading[1] : wall->heading[0]};
    double right[2], away[2];
    builtin_picture_axes(r->facts, right, away);
    const double aside = along[0] * right[0] + along[1] * right[1];
    const double deep = along[0] * away[0] + along[1] * away[1];
    /* from far to near, or from the left (row_direct) */
    const bool is_away = fabs(aside) >= askew && aside * deep > 0;
    if (fabs(deep) < askew)
        return count;
    return is_away == ((side & LEXICON_BACK) != 0) ? count - 1 : 0;
}

/* Where in a row that runs into the picture: "at the back". It goes from far to
 * near, or from the left where the picture shows it askew
 * (plan/expand_row_lay.c). `count`: nowhere. */
static uint32_t row_find_depth(const reader *r,
                               const builtin_move *m,
                               unsigned side,
                               uint32_t count)
{
    const double askew = 0.35; /* cosine */
    const bool of_object =
        m->relation == RELATION_LINE && m->reference < r->facts->object_count;
    const bool deep = of_object && (m->sides & (SIDE_LEFT | SIDE_RIGHT));
    double right[2], away[2], axes[2][2];
    if (of_object && builtin_is_wall(object_at(r, m->reference)) &&
        (side & (LEXICON_BACK | LEXICON_FRONT)))
        return row_find_depth_by_wall(r, m, side, count);
    if (!deep || !(side & (LEXICON_BACK | LEXICON_FRONT)))
        return count;
    builtin_picture_axes(r->facts, right, away);
    side_axes(r->facts, object_at(r, m->reference), axes);
    const double aside = axes[1][0] * right[0] + axes[1][1] * right[1];
    const bool is_away = aside >= askew; /* the way of the row */
    const bool last = is_away == ((side & LEXICON_BACK) != 0);
    return last ? count - 1 : 0;
}

/* Where in a row or pile of `count`: "at the bottom", "on top", "in the
 * middle", "on the left". `count`: nowhere. */
static uint32_t row_find_place(const reader *r,
                               const chart_node *place,
                               const builtin_move *m,
                               uint32_t count)
{
    const bool pile = m->relation == RELATION_STACK;
    const uint32_t side = node_sides(place);
    bool top = node_is(place, "TOP") || side & LEXICON_TOP;
    bool bottom = node_is(place, "BOTTOM") || side & LEXICON_BOTTOM;
    bool zone = node_value(place, "$zone") == ZONE_MIDDLE;
    bool middle = zone || side & LEXICON_MIDDLE;
    if (top)
        return pile ? count - 1 : count;
    if (bottom)
        return pile ? 0 : count;
    if (middle || node_is(place, "CENTRED"))
        return count / 2;
    if (side & LEXICON_LEFT && !pile)
        return 0;
    if (side & LEXICON_RIGHT && !pile)
        return count - 1;
    return row_find_depth(r, m, side, count);
}

/* "The books in a pile with the mug on top", "in a row with the mug in the
 * middle": what is none of them joins them. */
static etna_code row_join(reader *r,
                          builtin_move *m,
                          const chart_node *phrase,
                          uint32_t *ret)
{
    const refer_scope scope = {
        .movers = true, .on = BUILTIN_NONE, .barred = &m->objects};
    const uint32_t count = m->objects.count;
    builtin_set one;
    etna_code code = refer_things(r, phrase, &scope, &one);
    if (code != ETNA_OK)
        return code;
    if (one.count != 1)
        return reader_refuse(r, CODE_AMBIGUOUS, phrase,
                             "\"%s\" may be any of %u", reader_said(r, phrase),
                             one.count);
    uint32_t *all = etna_arena_alloc(r->arena, count + 1u, sizeof *all);
    uint32_t *row = etna_arena_alloc(r->arena, count + 1u, sizeof *row);
    if (!all || !row)
        return reader_no_memory(r);
    memcpy(all, m->objects.objects, count * sizeof *all);
    memcpy(row, m->row_count ? m->row : all, count * sizeof *row);
    all[count] = row[count] = one.objects[0];
    m->objects =
        (builtin_set){.count = count + 1, .need = count + 1, .objects = all};
    m->row = row;
    m->row_count = count + 1;
    *ret = one.objects[0];
    return ETNA_OK;
}

/* A pile may get any further thing, and a row one between its others: what is
 * "on the left" may be so of anything, and "red" is said of one of them. */
static bool row_takes_in(reader *r,
                         const builtin_move *m,
                         const chart_node *phrase,
                         const chart_node *place)
{
    const uint32_t count = m->objects.count;
    match_query q;
    if (!phrase_has_noun(r, phrase, &q))
        return false;
    const uint32_t to = row_find_place(r, place, m, count + 1);
    return m->objects.need == count &&
           (m->relation == RELATION_STACK || (to > 0 && to < count));
}

uint32_t row_number(const reader *r, const builtin_move *m)
{
    const builtin_reading *const reading = r->reading;
    for (uint32_t i = 0; i < reading->count; i++) {
        if (&reading->moves[i] == m)
            return i + 1;
    }
    return reading->count;
}

/* What is told to be at the bottom of a pile, or on its top. */
static void pile_note_end(reader *r,
                          const builtin_move *m,
                          uint32_t object,
                          uint32_t to)
{
    reader_memory *const memory = &r->memory;
    const uint32_t of = row_number(r, m);
    if (m->relation != RELATION_STACK)
        return;
    if (memory->told_ends_of != of)
        memory->told_low = memory->told_high = 0;
    memory->told_ends_of = of;
    if (to == 0)
        memory->told_low = object + 1;
    if (to + 1 == m->row_count)
        memory->told_high = object + 1;
}

/* "In the middle", of nothing that is named. */
bool place_is_amid(const chart_node *place)
{
    return node_is(place, "CENTRED") ||
           (!zone_owner(place) && node_value(place, "$zone") == ZONE_MIDDLE);
}

/* Is it the middle of what bears the row: of nothing else that is named? */
static bool place_is_of_support(reader *r,
                                const builtin_move *m,
                                const chart_node *place)
{
    const refer_scope any = {.on = BUILTIN_NONE};
    const chart_node *const owner = zone_owner(place);
    builtin_set of = {0};
    if (m->relation != RELATION_LINE || m->support >= r->facts->object_count)
        return false;
    if (!owner)
        return place_is_amid(place);
    return node_value(place, "$zone") == ZONE_MIDDLE &&
           refer_peek_things(r, owner, &any, &of) == ETNA_OK && of.count == 1 &&
           of.objects[0] == m->support;
}

/* "From left to right: lamp, mug, laptop. The laptop in the middle": the order is
 * told, so that is of what bears the row, and of nothing else. */
static etna_code row_put_amid(reader *r,
                              const builtin_move *m,
                              const chart_node *phrase,
                              const chart_node *place,
                              uint32_t object)
{
    builtin_move amid = {.objects = set_one(r, object),
                         .relation = RELATION_MIDDLE,
                         .reference = m->support,
                         .second = BUILTIN_NONE,
                         .support = BUILTIN_NONE,
                         .gap = -1,
                         .level = m->level,
                         .faced = BUILTIN_NONE,
                         .spacing = -1};
    uint32_t last[2];
    if (!place_is_of_support(r, m, place))
        return reader_refuse_finally(
            r, reader_refuse_said(r, CODE_IMPOSSIBLE, place,
                                  "that is not so in the order that is told"));
    reader_span(r, phrase, amid.span);
    reader_span(r, place, last);
    amid.span[1] = last[1];
    return move_add(r, &amid);
}

/* "The red one on the left" of a row that is along nothing: such a row does not
 * lead away from who looks. */
static bool place_is_sideways(const builtin_move *m, const chart_node *place)
{
    const uint32_t across = LEXICON_LEFT | LEXICON_RIGHT;
    const uint32_t said = node_sides(place);
    return m->relation == RELATION_LINE && m->reference == BUILTIN_NONE &&
           (said & across);
}

/* Puts one thing to its place in a row or pile. *ret_done false: no place is
 * told. */
etna_code row_order(reader *r,
                    builtin_move *m,
                    const chart_node *phrase,
                    const chart_node *place,
                    bool *ret_done)
{
    uint32_t to = row_find_place(r, place, m, m->objects.count);
    uint32_t object = 0;
    const reader before = *r;
    bool joins = false;
    *ret_done = false;
    if (to >= m->objects.count)
        return ETNA_OK;
    etna_code code = member_find(r, phrase, &m->objects, &object);
    if (code == ETNA_E_INPUT && row_takes_in(r, m, phrase, place)) {
        *r = before;
        joins = true;
        code = row_join(r, m, phrase, &object);
        to = row_find_place(r, place, m, m->objects.count);
    }
    if (code != ETNA_OK)
        return code;
    const uint32_t count = m->objects.count;
    uint32_t *row =
        etna_arena_memdup(r->arena, m->row_count ? m->row : m->objects.objects,
                          count * sizeof *row);
    if (!row)
        return reader_no_memory(r);
    if (r->memory.sized && m->row_count == count &&
        row[count - 1 - to] == object)
        row_reverse(row, count); /* "by size, the smallest on the left" */
    const bool told = r->memory.order_told && m->row_count == count && !joins;
    if (told && row[to] != object) {
        *ret_done = true;
        return row_put_amid(r, m, phrase, place, object);
    }
    row_place(row, count, object, to);
    m->row = row;
    m->row_count = count;
    m->sideways = m->sideways || place_is_sideways(m, place);
    pile_note_end(r, m, object, to);
    /* "the hat below, the cap on top of it" */
    if (m->relation == RELATION_STACK)
        r->memory.last = set_one(r, object);
    r->memory.ordered_next = to + 1 < count ? to + 2 : 0;
    *ret_done = true;
    return ETNA_OK;
}

etna_code row_order_all(reader *r,
                        builtin_move *m,
                        const chart_node *listed,
                        bool *ret_done)
{
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(listed, parts);
    if (count != m->objects.count)
        return ETNA_OK;
    uint32_t *row = etna_arena_alloc(r->arena, count, sizeof *row);
    if (!row)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        etna_code code = member_find(r, parts[i], &m->objects, &row[i]);
        for (uint32_t k = 0; k < i && code == ETNA_OK; k++) {
            if (row[k] == row[i])
                code = reader_refuse(r, CODE_AMBIGUOUS, parts[i],
                                     "\"%s\" is in the order already",
                                     reader_said(r, parts[i]));
        }
        if (code != ETNA_OK)
            return code;
    }
    if (r->memory.backward)
        row_reverse(row, count);
    m->row = row;
    m->row_count = count;
    *ret_done = true;
    return ETNA_OK;
}

/* "From left to right green, red, blue" */
etna_code row_take_list(clause *c, builtin_move *m)
{
    const chart_node *list =
        c->d.in_order ? chart_child(c->d.in_order, "AND") : NULL;
    const bool listed =
        m->relation == RELATION_LINE && chart_child(c->said, "':'");
    bool done = false;
    if (!list && listed && node_is(c->things, "AND")) {
        const etna_code code = row_order_all(c->r, m, c->things, &done);
        c->r->memory.order_told = c->r->memory.order_told || done;
        return code;
    }
    if (!list)
        return ETNA_OK;
    etna_code code = row_order_all(c->r, m, list, &done);
    c->r->memory.order_told = c->r->memory.order_told || done;
    if (code != ETNA_OK || done)
        return code;
    return reader_refuse(c->r, CODE_UNREAD, list,
                         "\"%s\": the row has %u things",
                         reader_said(c->r, list), m->objects.count);
}
