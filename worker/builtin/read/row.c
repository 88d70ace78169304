/* Rows and piles: where they are, and which thing comes where in them. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>

enum { /* $order of the lexicon */
    BY_SIZE = 1,
    BY_SIZE_RISING = 2,
    BY_HEIGHT = 3,
    BY_COLOUR = 4,
    FROM_RIGHT = 11,
    FROM_TOP = 13
};
enum {
    ROW_ABREAST = 2 /* $row of the lexicon */
};

/* ---- orders ---- */

/* Largest footprint first, as a pile stands; or as `context`, an order of the
 * lexicon, says. */
static double row_rank_size(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const uint32_t *order = context;
    if (*order == BY_HEIGHT)
        return -object_at(r, object)->half[2];
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
    if (*order == BY_HEIGHT)
        return -object_at(r, object)->half[2];
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

static double row_rank_seen(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const double *at = object_at(r, object)->centre, *right = r->facts->right;
    (void)context;
    return at[0] * right[0] + at[1] * right[1];
}

/* As a set has its things. */
static double row_rank_index(const reader *r,
                             uint32_t object,
                             const void *context)
{
    (void)r;
    (void)context;
    return object;
}

/* In the order of the conjuncts; *ret_named false and *row untouched: they are
 * not told apart so. */
static etna_code row_sort_as_said(clause *c, uint32_t *row, bool *ret_named)
{
    const builtin_set *set = &c->movers;
    const refer_scope scope = refer_scope_movers();
    const chart_node *parts[CONJUNCTS_MAX];
    uint32_t count = node_conjuncts(c->things, parts), used = 0;
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
        for (uint32_t k = 0; k < one.count && used < set->count; k++)
            said[used++] = one.objects[k];
    }
    *ret_named = used == set->count;
    if (*ret_named)
        memcpy(row, said, used * sizeof *row);
    return ETNA_OK;
}

/* Puts one thing of a row to a place of its order: 0 first, count - 1 last. */
static void row_place(uint32_t *row,
                      uint32_t count,
                      uint32_t object,
                      uint32_t place)
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

static void row_reverse(uint32_t *row, uint32_t count)
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

static bool order_is_backward(uint32_t order)
{
    return order == FROM_RIGHT || order == FROM_TOP;
}

static bool order_is_by_size(uint32_t order)
{
    return bit_is_in(order,
                     BIT(BY_SIZE) | BIT(BY_SIZE_RISING) | BIT(BY_HEIGHT));
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
    const uint32_t count = c->movers.count, largest = BY_SIZE;
    if (order == BY_COLOUR) {
        set_sort(r, row, count, 1e-9, row_rank_colour, NULL);
    } else if (order_is_by_size(order)) {
        memcpy(row, c->movers.objects, count * sizeof *row);
        set_sort(r, row, count, 1e-9, pile ? row_rank_size : row_rank_volume,
                 &order);
    } else if (pile && !named) {
        set_sort(r, row, count, 1e-9, row_rank_size, &largest);
        pile_settle(r, row, count, m->support);
    } else if (!named) {
        set_sort(r, row, count, 0, row_rank_seen, NULL);
    }
}

/* The whole order of a row or a pile. It binds where it is said, and always in
 * a pile. */
static etna_code row_find_order(clause *c, builtin_move *m)
{
    reader *r = c->r;
    const bool pile = m->relation == RELATION_STACK;
    const uint32_t count = c->movers.count, order = details_order(&c->d);
    bool named = false;
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
    m->row = row;
    m->row_count = pile || told ? count : 0;
    return ETNA_OK;
}

/* ---- one thing's place in the order ---- */

/* Where in a row that runs into the picture: "at the back". It goes from far to
 * near, or from the left where the picture shows it askew
 * (plan/expand_row_lay.c). `count`: nowhere. */
static uint32_t row_find_depth(const reader *r,
                               const builtin_move *m,
                               unsigned side,
                               uint32_t count)
{
    const double askew = 0.35; /* cosine */
    const bool deep = m->relation == RELATION_LINE &&
                      (m->sides & (SIDE_LEFT | SIDE_RIGHT)) &&
                      m->reference < r->facts->object_count;
    double right[2], away[2], axes[2][2];
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
    const uint32_t side =
        node_value(place, "$side") | node_value(place, "$side_h");
    bool top = node_is(place, "TOP") || side & LEXICON_TOP,
         bottom = node_is(place, "BOTTOM") || side & LEXICON_BOTTOM;
    bool zone = node_value(place, "$zone") == ZONE_MIDDLE,
         middle = zone || side & LEXICON_MIDDLE;
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

/* "The books in a pile with the mug on top": what is none of them joins them,
 * at that end. */
static etna_code row_join(reader *r,
                          builtin_move *m,
                          const chart_node *phrase,
                          uint32_t *to,
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
    if (*to + 1 == count)
        (*to)++; /* the last place is the new one's */
    *ret = one.objects[0];
    return ETNA_OK;
}

/* Puts one thing to its place in a row or pile. *ret_done false: no place is
 * told. */
etna_code row_order(reader *r,
                    builtin_move *m,
                    const chart_node *phrase,
                    const chart_node *place,
                    bool *ret_done)
{
    const bool pile = m->relation == RELATION_STACK,
               whole = m->objects.need == m->objects.count;
    uint32_t to = row_find_place(r, place, m, m->objects.count), object = 0;
    const reader before = *r;
    *ret_done = false;
    if (to >= m->objects.count)
        return ETNA_OK;
    etna_code code = member_find(r, phrase, &m->objects, &object);
    if (code == ETNA_E_INPUT && pile && whole) {
        *r = before;
        code = row_join(r, m, phrase, &to, &object);
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
    row_place(row, count, object, to);
    m->row = row;
    m->row_count = count;
    r->memory.ordered_next = to + 1 < count ? to + 2 : 0;
    *ret_done = true;
    return ETNA_OK;
}

/* "Red, yellow, green, blue": all of them, in their order. *ret_done false:
 * they are not so many. */
static etna_code row_order_all(reader *r,
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
static etna_code row_take_list(clause *c, builtin_move *m)
{
    const chart_node *list =
        c->d.in_order ? chart_child(c->d.in_order, "AND") : NULL;
    const bool listed =
        m->relation == RELATION_LINE && chart_child(c->said, "':'");
    bool done = false;
    if (!list && listed && node_is(c->things, "AND"))
        return row_order_all(c->r, m, c->things, &done);
    if (!list)
        return ETNA_OK;
    etna_code code = row_order_all(c->r, m, list, &done);
    if (code != ETNA_OK || done)
        return code;
    return reader_refuse(c->r, CODE_UNREAD, list,
                         "\"%s\": the row has %u things",
                         reader_said(c->r, list), m->objects.count);
}

/* ---- places of rows ---- */

/* What a row can be by, besides what it goes along. */
static const uint32_t row_neighbours =
    BIT(RELATION_BESIDE) | BIT(RELATION_LEFT) | BIT(RELATION_RIGHT) |
    BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) | BIT(RELATION_UNDER) |
    BIT(RELATION_BETWEEN) | BIT(RELATION_END);

/* "Along the wall, between the shelf and the table", "in a row on the counter by
 * the knife": it is by it, and not as long. */
static bool row_is_merely_by(const reader *r,
                             const builtin_move *m,
                             const destination *s)
{
    if (bit_is_in(s->relation, row_neighbours) && m->reference != BUILTIN_NONE)
        return true;
    const bool by = s->relation == RELATION_BESIDE &&
                    m->support != BUILTIN_NONE &&
                    s->reference < r->facts->object_count;
    return by && !object_is_furniture(r, s->reference) &&
           !object_at(r, s->reference)->is_static;
}

/* What one destination of the clause is for the row: what it stands on, what it
 * goes along, or where a pile's first goes. */
static etna_code row_take_destination(reader *r,
                                      builtin_move *m,
                                      const destination *s)
{
    const uint32_t along = BIT(RELATION_EDGE) | BIT(RELATION_LINE) |
                           BIT(RELATION_AGAINST) | BIT(RELATION_MIDDLE) |
                           BIT(RELATION_CORNER);
    if (bit_is_in(s->relation, RELATIONS_UPON) && m->support == BUILTIN_NONE) {
        m->support = s->reference;
        m->level = s->level;
        return s->relation == RELATION_IN && m->relation == RELATION_LINE
                   ? move_add_condition(r, m, destination_condition(s))
                   : ETNA_OK;
    }
    if (m->relation == RELATION_STACK)
        return move_add_condition(r, m, destination_condition(s));
    if (!bit_is_in(s->relation, along | row_neighbours))
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "how a row goes there is not understood");
    const unsigned side = side_of_relation(s->relation);
    if (row_is_merely_by(r, m, s))
        return move_add_condition(r, m, destination_condition(s));
    m->reference = s->reference;
    m->sides = side ? side : s->sides;
    return bit_is_in(s->relation, along)
               ? ETNA_OK
               : move_add_condition(r, m, destination_condition(s));
}

/* Where the row stands. */
static etna_code row_take_destinations(clause *c, builtin_move *m)
{
    details d = c->d;
    destinations at;
    d.side = NULL;
    etna_code code = destinations_gather(c->r, &d, &c->movers, c->verb, &at);
    if (code != ETNA_OK)
        return code;
    if (c->movers.count < 2)
        return clause_refuse(c, "a row or a pile takes several things");
    if (at.count == 0 && details_say_there(c->r, &c->d))
        destinations_add_there(c->r, &c->movers, &at);
    destinations_choose_corner(c->r, &at);
    for (uint32_t i = 0; i < at.count && code == ETNA_OK; i++)
        code = row_take_destination(c->r, m, &at.list[i]);
    return code;
}

/* "..., red, green, blue from left to right": of the row that was told just
 * before. */
static builtin_move *row_told_again(const reader *r, const builtin_move *m)
{
    builtin_move *last = reader_last_move(r);
    const bool bare = m->reference == BUILTIN_NONE &&
                      m->support == BUILTIN_NONE && m->also_count == 0 &&
                      m->spacing < 0 && m->facing == FACING_NONE;
    const bool alike = last && last->relation == m->relation &&
                       last->row_count == 0 &&
                       last->objects.count == m->objects.count;
    if (!bare || !alike || m->row_count == 0 ||
        !set_is_within(&m->objects, &last->objects))
        return NULL;
    return last;
}

static etna_code row_add(clause *c, const builtin_move *m)
{
    builtin_move *before = row_told_again(c->r, m);
    if (!before)
        return move_add(c->r, m);
    before->row = m->row;
    before->row_count = m->row_count;
    before->even = before->even || m->even;
    before->abreast = before->abreast || m->abreast;
    return ETNA_OK;
}

/* "Arrange the chairs around the table at 60 cm intervals": a ring, and no row
 * of those that stand there already. */
static bool row_is_a_ring(const clause *c, const builtin_move *m)
{
    const bool placed =
        m->reference != BUILTIN_NONE || m->support != BUILTIN_NONE;
    const chart_node *mod = c->things ? chart_child(c->things, "MOD") : NULL;
    const chart_node *rel = mod ? chart_child(mod, "REL") : NULL;
    const chart_node *word = rel ? chart_child(rel, "$rel") : NULL;
    return c->verb != VERB_LINE && !placed && word && word->value == REL_AROUND;
}

/* Where the row goes, and which way it lies. */
static etna_code row_find_place_of(clause *c, builtin_move *m)
{
    /* "parallel to the desk" is said of the row */
    const bool lengthwise =
        c->d.straight && chart_child(c->d.straight, "$rel_length");
    etna_code code = lengthwise ? clause_turn_first(c) : ETNA_OK;
    if (code == ETNA_OK)
        code = row_take_destinations(c, m);
    return code == ETNA_OK && row_is_a_ring(c, m) ? clause_refuse_all(c) : code;
}

/* "With the red one in the middle" */
static etna_code row_take_orders(const clause *c, builtin_move *m)
{
    for (uint32_t i = 0; i < c->d.order_count; i++) {
        const chart_node *said = c->d.orders[i];
        bool done;
        etna_code code =
            row_order(c->r, m, node_things(said, 0),
                      said->children[said->child_count - 1], &done);
        if (code == ETNA_OK && !done)
            return clause_refuse(c, "which place in it that is, is not clear");
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* A row, pile, ring or line with its order, spacing and direction. */
static etna_code row_read(clause *c, builtin_relation relation)
{
    reader *r = c->r;
    const details *d = &c->d;
    const chart_node *step =
        d->apart_by ? chart_find(d->apart_by, "DIST") : NULL;
    builtin_move m = move_plain(c, relation);
    etna_code code = row_find_place_of(c, &m);
    if (code == ETNA_OK)
        code = row_find_order(c, &m);
    r->memory.sized = order_is_by_size(details_order(d));
    r->memory.backward = order_is_backward(details_order(d));
    if (code == ETNA_OK)
        code = row_take_list(c, &m);
    m.even = d->evenly || c->verb == VERB_SPACE;
    m.abreast = d->row && node_value(d->row, "$row") == ROW_ABREAST;
    if (step)
        m.spacing = where_metres(r, step, NULL);
    if (code == ETNA_OK)
        code = row_take_orders(c, &m);
    if (code == ETNA_OK)
        code = move_face(c, &m);
    if (code == ETNA_OK)
        code = row_add(c, &m);
    if (code == ETNA_OK)
        r->memory.ordered = r->reading->count;
    r->memory.ordered_next = 0;
    return code;
}

etna_code clause_row(clause *c)
{
    return row_read(c, RELATION_LINE);
}

etna_code clause_pile(clause *c)
{
    return row_read(c, RELATION_STACK);
}

/* ---- told one by one ---- */

/* Each thing of the list, from the end that is said of the first. */
static etna_code pile_take_listed(clause *c,
                                  uint32_t list[CONJUNCTS_MAX],
                                  uint32_t *ret_count)
{
    const chart_node *said = c->said;
    *ret_count = 0;
    for (uint32_t i = 0; i < said->child_count && *ret_count < CONJUNCTS_MAX;
         i++) {
        const chart_node *what = said->children[i];
        const refer_scope scope = refer_scope_movers();
        builtin_set one;
        if (what->is_terminal ||
            !(node_is(what, "THING") || node_is(what, "QUOTED")))
            continue;
        etna_code code = refer_things(c->r, what, &scope, &one);
        if (code != ETNA_OK)
            return code;
        for (uint32_t k = 0; k < *ret_count; k++) {
            if (list[k] == one.objects[0])
                return reader_refuse(c->r, CODE_AMBIGUOUS, what,
                                     "\"%s\" is in the order already",
                                     reader_said(c->r, what));
        }
        if (one.count != 1)
            return reader_refuse(c->r, CODE_AMBIGUOUS, what,
                                 "\"%s\" may be any of %u",
                                 reader_said(c->r, what), one.count);
        list[(*ret_count)++] = one.objects[0];
    }
    return ETNA_OK;
}

/* "... at the bottom, ..., ... on top": the ends that are said must be those of
 * the list. *ret_down: it goes from the top down. */
static bool pile_ends_agree(const chart_node *said,
                            uint32_t count,
                            bool *ret_down)
{
    uint32_t at = 0;
    *ret_down = false;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *c = said->children[i];
        at += node_is(c, "THING") || node_is(c, "QUOTED");
        const bool top = node_is(c, "TOP"), bottom = node_is(c, "BOTTOM");
        if (!top && !bottom)
            continue;
        if (at == 1)
            *ret_down = top;
        else if (at != count || (top == *ret_down))
            return false;
    }
    return true;
}

/* "a on b on c": the order is that of the words. */
etna_code clause_pile_up(clause *c)
{
    uint32_t list[CONJUNCTS_MAX], count = 0;
    bool down = false;
    details_gather(c->r, c->said, &c->d);
    c->d.top = NULL;
    c->verb = VERB_STACK;
    etna_code code = pile_take_listed(c, list, &count);
    if (code != ETNA_OK)
        return code;
    if (count < 2 || !pile_ends_agree(c->said, count, &down))
        return clause_refuse_all(c);
    uint32_t *row = etna_arena_memdup(c->r->arena, list, count * sizeof *row);
    uint32_t *all = etna_arena_memdup(c->r->arena, list, count * sizeof *all);
    if (!row || !all)
        return reader_no_memory(c->r);
    if (down)
        row_reverse(row, count);
    set_sort(c->r, all, count, 0, row_rank_index, NULL);
    c->movers = (builtin_set){.count = count, .objects = all, .need = count};
    builtin_move m = move_plain(c, RELATION_STACK);
    code = row_take_destinations(c, &m);
    m.row = row;
    m.row_count = count;
    if (code == ETNA_OK)
        code = move_add(c->r, &m);
    c->r->memory.last = c->r->memory.named = c->movers;
    return code;
}

/* ---- told later ---- */

/* "The red one at the bottom, then the blue, then the green": each behind the
 * one before. */
static etna_code row_tell_next(reader *r,
                               builtin_move *m,
                               const chart_node *const *parts,
                               uint32_t count,
                               bool *ret_done)
{
    const uint32_t next = r->memory.ordered_next;
    if (next == 0 || m->row_count == 0 || next - 1 + count > m->row_count)
        return ETNA_OK;
    uint32_t *row =
        etna_arena_memdup(r->arena, m->row, m->row_count * sizeof *row);
    if (!row)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t object;
        etna_code code = member_find(r, parts[i], &m->objects, &object);
        if (code != ETNA_OK)
            return code;
        row_place(row, m->row_count, object, next - 1 + i);
    }
    m->row = row;
    r->memory.ordered_next = next - 1 + count < m->row_count ? next + count : 0;
    *ret_done = true;
    return ETNA_OK;
}

static bool node_is_row_place(const chart_node *node)
{
    static const char *const names[] = {"TOP", "BOTTOM", "ZONE", "SIDE",
                                        "CENTRED"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (node_is(node, names[i]))
            return !zone_owner(node);
    }
    return false;
}

/* Were several things put onto one, and nothing said but that? */
static bool move_puts_together(const reader *r, const builtin_move *m)
{
    bool together = m->objects.count > 1 &&
                    m->objects.need == m->objects.count && m->each.count == 0;
    bool plain = bit_is_in(m->relation, RELATIONS_UPON) && m->also_count == 0 &&
                 !m->hung && m->support == BUILTIN_NONE;
    return together && plain && m->reference < r->facts->object_count;
}

/* It may be a pile or a row of which more is said. */
static bool move_may_be_row(const reader *r, const builtin_move *m)
{
    return move_puts_together(r, m) && m->relation == RELATION_ON &&
           !object_is_shelf(r, m->reference);
}

/* Which of a shelf's levels "on top" and "at the bottom" are; 0: neither is
 * said. */
static uint32_t shelf_level(const reader *r,
                            const chart_node *place,
                            uint32_t shelf)
{
    const uint32_t side =
        node_value(place, "$side") | node_value(place, "$side_h");
    if (node_is(place, "TOP") || (side & LEXICON_TOP))
        return builtin_levels(r->facts, shelf);
    return node_is(place, "BOTTOM") || (side & LEXICON_BOTTOM) ? 1 : 0;
}

/* "The books in the bookcase, the red one on top": on its top, and in no
 * pile. */
static etna_code row_tell_of_shelf(clause *c,
                                   const chart_node *place,
                                   bool *ret_done)
{
    reader *r = c->r;
    const builtin_move *last = reader_last_move(r);
    const refer_scope movers = refer_scope_movers();
    if (!last || !move_puts_together(r, last) ||
        !object_is_shelf(r, last->reference))
        return ETNA_OK;
    builtin_move m = move_plain(c, RELATION_ON);
    uint32_t object = BUILTIN_NONE;
    m.reference = last->reference;
    m.level = shelf_level(r, place, last->reference);
    if (m.level == 0)
        return ETNA_OK;
    const reader before = *r;
    etna_code code = member_find(r, c->things, &last->objects, &object);
    if (code == ETNA_OK)
        m.objects = set_one(r, object);
    if (code == ETNA_E_INPUT) {
        *r = before;
        *r->err = (etna_error){0};
        code = refer_things(r, c->things, &movers, &m.objects);
    }
    if (code == ETNA_OK)
        code = move_add(r, &m);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = m.objects;
    *ret_done = true;
    return ETNA_OK;
}

/* The row or pile that the last move becomes where a place in it is said of one
 * of its things: "top" of a pile, a bare "left" of a row. *ret_is false: it
 * becomes none. */
static etna_code row_of_put(reader *r,
                            const chart_node *place,
                            builtin_move *ret,
                            bool *ret_is)
{
    const bool pile = node_is(place, "TOP") || node_is(place, "BOTTOM");
    const uint32_t across = LEXICON_LEFT | LEXICON_RIGHT;
    const uint32_t said =
        node_value(place, "$side") | node_value(place, "$side_h");
    const bool alone = node_is(place, "SIDE") ||
                       (node_is(place, "ZONE") && !chart_child(place, "$zone"));
    const bool side = alone && (said & across);
    const uint32_t largest = BY_SIZE;
    *ret_is = false;
    if ((!pile && !side) || r->reading->count == r->first_move)
        return ETNA_OK;
    *ret = r->reading->moves[r->reading->count - 1];
    if (!move_may_be_row(r, ret))
        return ETNA_OK;
    uint32_t *row = etna_arena_memdup(r->arena, ret->objects.objects,
                                      ret->objects.count * sizeof *row);
    if (!row)
        return reader_no_memory(r);
    if (pile)
        set_sort(r, row, ret->objects.count, 1e-9, row_rank_size, &largest);
    else
        set_sort(r, row, ret->objects.count, 0, row_rank_seen, NULL);
    ret->row = row;
    ret->row_count = ret->objects.count;
    ret->relation = pile ? RELATION_STACK : RELATION_LINE;
    ret->support = ret->reference;
    ret->reference = BUILTIN_NONE;
    r->memory.sized = false;
    r->memory.backward = false;
    *ret_is = true;
    return ETNA_OK;
}

/* "Books on the stand, the red one on top" */
static etna_code row_tell_of_put(clause *c,
                                 const chart_node *place,
                                 bool *ret_done)
{
    reader *r = c->r;
    const reader before = *r;
    builtin_move m;
    uint32_t object;
    bool is = false;
    etna_code code = row_of_put(r, place, &m, &is);
    if (code != ETNA_OK || !is)
        return code;
    code = member_find(r, c->things, &m.objects, &object);
    if (code == ETNA_E_INPUT)
        *r = before; /* it goes on top of something else */
    if (code != ETNA_OK)
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    code = row_order(r, &m, c->things, place, ret_done);
    if (code != ETNA_OK || !*ret_done)
        return code;
    r->reading->moves[r->reading->count - 1] = m;
    r->memory.ordered = r->reading->count;
    return ETNA_OK;
}

/* The row or pile whose order may still be told; NULL: there is none. What was
 * put along a wall is one, too. */
static builtin_move *row_open(reader *r)
{
    if (r->memory.ordered)
        return &r->reading->moves[r->memory.ordered - 1];
    builtin_move *last = reader_last_move(r);
    return last && last->relation == RELATION_LINE ? last : NULL;
}

/* "Tallest at the back" behind a row, where it has no such place: of the row,
 * and not of anything else. */
static bool phrase_only_ranks(reader *r, const chart_node *phrase)
{
    match_query q;
    return phrase_lacks_noun(r, phrase, &q) && q.superlative && q.size &&
           !chart_child(phrase, "MOD");
}

/* "The blue one on top, the others below": all that has no place of its own
 * yet; *ret false: others are meant. */
static etna_code row_has_rest(reader *r,
                              const builtin_move *m,
                              const chart_node *phrase,
                              const chart_node *place,
                              bool *ret)
{
    const bool bottom = node_is(place, "BOTTOM");
    const refer_scope movers = refer_scope_movers();
    builtin_set rest = {0};
    *ret = false;
    if (m->relation != RELATION_STACK || m->row_count < 3)
        return ETNA_OK;
    if (!bottom && !node_is(place, "TOP"))
        return ETNA_OK;
    etna_code code = refer_peek_things(r, phrase, &movers, &rest);
    if (code != ETNA_OK)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    const uint32_t end = m->row[bottom ? m->row_count - 1 : 0];
    *ret = rest.count == m->row_count - 1 && rest.need == rest.count &&
           set_is_within(&rest, &m->objects) && !set_has(&rest, end);
    return ETNA_OK;
}

/* A later clause tells one place ("the red one on the left"). */
static etna_code row_tell_place(clause *c,
                                builtin_move *m,
                                const chart_node *place,
                                bool *ret_done)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    const chart_node *last = c->things;
    bool next = false; /* "then green, and yellow on top" */
    etna_code code = ETNA_OK;
    if (count > 1 && c->r->memory.ordered_next > 0)
        code = row_tell_next(c->r, m, parts, count - 1, &next);
    if (next)
        last = parts[count - 1];
    if (code == ETNA_OK && !next)
        code = row_has_rest(c->r, m, c->things, place, ret_done);
    if (code != ETNA_OK || *ret_done)
        return code;
    if (code == ETNA_OK && count > 1 && !next)
        return clause_refuse(c, "one place in it is told of several");
    if (code == ETNA_OK)
        code = row_order(c->r, m, last, place, ret_done);
    if (code == ETNA_OK && !*ret_done && phrase_only_ranks(c->r, c->things))
        return clause_refuse(c, "which place in it that is, is not clear");
    return code;
}

/* Are all of them things of the row? */
static etna_code row_has(reader *r,
                         const builtin_move *m,
                         const chart_node *const *parts,
                         uint32_t count,
                         bool *ret)
{
    const reader before = *r;
    const etna_error why = *r->err;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        uint32_t object;
        code = member_find(r, parts[i], &m->objects, &object);
    }
    *ret = code == ETNA_OK;
    *r = before;
    *r->err = why;
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* "..., then red, blue and green, 5 cm apart": the next of the row, and its
 * step; no row of their own. */
static etna_code row_tell_step(clause *c, builtin_move *m, bool *ret_done)
{
    const chart_node *step =
        c->d.apart_by ? chart_find(c->d.apart_by, "DIST") : NULL;
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    bool within = false;
    if (!step || count < 2 || details_have_places(&c->d))
        return ETNA_OK;
    etna_code code = row_has(c->r, m, parts, count, &within);
    if (code != ETNA_OK || !within)
        return code;
    code = row_order_all(c->r, m, c->things, ret_done);
    if (code == ETNA_OK && !*ret_done)
        code = row_tell_next(c->r, m, parts, count, ret_done);
    if (code == ETNA_OK && !*ret_done)
        return clause_refuse(c, "where in the row they come is not clear");
    m->spacing = where_metres(c->r, step, NULL);
    return code;
}

/* "..., the biggest at the bottom, next to the ladder": the rest is said of the
 * whole row or pile. */
static etna_code row_tell_rest(clause *c,
                               builtin_move *m,
                               const chart_node *place)
{
    clause whole = *c;
    details rest = {0};
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *child = c->said->children[i];
        const chart_node *const only[] = {child};
        const chart_node one = {.name = c->said->name,
                                .first = child->first,
                                .end = child->end,
                                .child_count = 1,
                                .children = only};
        if (child != place && !child->is_terminal && child != c->things)
            details_gather(c->r, &one, &rest);
    }
    if (!details_say_anything(&rest))
        return ETNA_OK;
    details other = rest;
    other.relation_count = 0;
    if (details_say_anything(&other))
        return clause_refuse_all(c);
    whole.d = rest;
    whole.movers = m->objects;
    return row_take_destinations(&whole, m);
}

/* The two of a pile of which one is told to be on the other. */
typedef struct pile_pair {
    const chart_node *rel;
    bool upper; /* the clause's thing is */
} pile_pair;

static bool pile_pair_find(const clause *c,
                           const builtin_move *m,
                           pile_pair *ret)
{
    const uint32_t above = BIT(REL_ON) | BIT(REL_ABOVE) | BIT(REL_OVER);
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *word = rel ? chart_child(rel, "$rel") : NULL;
    if (!word || m->relation != RELATION_STACK || c->d.relation_count != 1)
        return false;
    *ret = (pile_pair){.rel = rel, .upper = bit_is_in(word->value, above)};
    return ret->upper || word->value == REL_UNDER;
}

/* Puts one right on the other; *ret_done: it stands there. */
static etna_code pile_order_pair(
    reader *r, builtin_move *m, uint32_t lower, uint32_t upper, bool *ret_done)
{
    uint32_t at = 0;
    uint32_t *row =
        etna_arena_memdup(r->arena, m->row, m->row_count * sizeof *row);
    if (!row)
        return reader_no_memory(r);
    while (at < m->row_count && row[at] != lower)
        at++;
    if (at + 1 == m->row_count) { /* it is the top: to the one below that */
        at--;
        row_place(row, m->row_count, lower, at);
    }
    row_place(row, m->row_count, upper, row[at] == lower ? at + 1 : at);
    for (uint32_t i = 0; i + 1 < m->row_count; i++)
        *ret_done = *ret_done || (row[i] == lower && row[i + 1] == upper);
    m->row = row;
    return ETNA_OK;
}

/* "In a pile, the green one above the brown one": right on it. */
static etna_code row_tell_pair(clause *c, builtin_move *m, bool *ret_done)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    pile_pair said;
    uint32_t one, other;
    if (!pile_pair_find(c, m, &said))
        return ETNA_OK;
    etna_code code = member_find(r, c->things, &m->objects, &one);
    if (code == ETNA_OK)
        code = member_find(r, node_phrase(said.rel, 0), &m->objects, &other);
    const bool known = code == ETNA_OK && one != other && m->row_count > 1;
    if (!known) {
        *r = before;
        *r->err = why;
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    }
    const uint32_t lower = said.upper ? other : one;
    const uint32_t upper = said.upper ? one : other;
    code = pile_order_pair(r, m, lower, upper, ret_done);
    return code == ETNA_OK && !*ret_done ? clause_refuse_all(c) : code;
}

/* "From the left: red, green, blue": of the row before. */
etna_code clause_read_in_order(clause *c)
{
    builtin_move *m = row_open(c->r);
    bool done = false;
    if (!m || !c->things)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    c->r->memory.backward = order_is_backward(details_order(&c->d));
    etna_code code = row_order_all(c->r, m, c->things, &done);
    return code == ETNA_OK && !done ? clause_refuse_all(c) : code;
}

/* "The red one is to be at the bottom": of the row or pile before, and of
 * nothing else. */
etna_code clause_read_extreme(clause *c)
{
    bool done = false;
    details_gather(c->r, c->said, &c->d);
    etna_code code = row_tell_order(c, &done);
    return code == ETNA_OK && !done ? clause_refuse_all(c) : code;
}

/* The last of the places in a row that the clause says; NULL: none. */
static const chart_node *clause_row_place(const clause *c)
{
    const chart_node *place = NULL;
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        if (node_is_row_place(c->said->children[i]))
            place = c->said->children[i];
    }
    return place;
}

/* "At the bottom", where no row is told of: of a shelf, or of what was put. */
static etna_code row_tell_elsewhere(clause *c,
                                    const chart_node *place,
                                    bool *ret_done)
{
    etna_code code = row_tell_of_shelf(c, place, ret_done);
    return code == ETNA_OK && !*ret_done ? row_tell_of_put(c, place, ret_done)
                                         : code;
}

/* "Red, green, blue": all of the row, or those that come next in it. */
static etna_code row_tell_list(clause *c, builtin_move *m, bool *ret_done)
{
    const chart_node *parts[CONJUNCTS_MAX];
    etna_code code = row_order_all(c->r, m, c->things, ret_done);
    const uint32_t count = node_conjuncts(c->things, parts);
    return code == ETNA_OK && !*ret_done
               ? row_tell_next(c->r, m, parts, count, ret_done)
               : code;
}

/* A later clause that goes on about the row; *ret_done false: it does not. */
etna_code row_tell_order(clause *c, bool *ret_done)
{
    reader *r = c->r;
    *ret_done = false;
    if (!c->things || chart_child(c->said, "$be"))
        return ETNA_OK;
    const chart_node *place = clause_row_place(c);
    builtin_move *m = row_open(r);
    const bool ranks = m && phrase_only_ranks(r, c->things);
    if (!r->memory.ordered && place && !ranks)
        return row_tell_elsewhere(c, place, ret_done);
    if (!m)
        return ETNA_OK;
    etna_code code = row_tell_pair(c, m, ret_done);
    if (code != ETNA_OK || *ret_done)
        return code;
    if (!place)
        return node_is(c->said, "LIST") ? row_tell_list(c, m, ret_done)
                                        : row_tell_step(c, m, ret_done);
    code = row_tell_place(c, m, place, ret_done);
    return code == ETNA_OK && *ret_done ? row_tell_rest(c, m, place) : code;
}
