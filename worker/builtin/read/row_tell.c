/* What later clauses say of a row or a pile: which thing comes where in it. */
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/row_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

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
    for (size_t i = 0; i < COUNT_OF(names); i++) {
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

/* It may be a pile or a row of which more is said; of a shelf with several
 * boards neither is known. */
static bool move_may_be_row(const reader *r, const builtin_move *m)
{
    const uint32_t upon = BIT(RELATION_ON) | BIT(RELATION_IN);
    if (!move_puts_together(r, m) || !bit_is_in(m->relation, upon))
        return false;
    const bool flat = !object_is_shelf(r, m->reference) ||
                      builtin_levels(r->facts, m->reference) == 1;
    return m->level > 0 || (flat && m->relation == RELATION_ON);
}

/* "Along the back edge of the counter": several there are a row. */
static bool move_is_along_edge(const reader *r, const builtin_move *m)
{
    return m->relation == RELATION_EDGE && m->sides != 0 &&
           m->objects.count > 1 && m->objects.need == m->objects.count &&
           m->each.count == 0 && m->also_count == 0 &&
           m->reference < r->facts->object_count;
}

/* Which of a shelf's levels "on top" and "at the bottom" are; 0: neither is
 * said. */
static uint32_t shelf_level(const reader *r,
                            const chart_node *place,
                            uint32_t shelf)
{
    const uint32_t side = node_sides(place);
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

/* "Top" of a pile, a bare "left" of a row. */
static bool place_is_of_row(const chart_node *place, bool pile)
{
    const uint32_t across = LEXICON_LEFT | LEXICON_RIGHT;
    const uint32_t said = node_sides(place);
    const bool alone = node_is(place, "SIDE") ||
                       (node_is(place, "ZONE") && !chart_child(place, "$zone"));
    return pile || (alone && (said & across));
}

/* The row or pile that the last move becomes where a place in it is said of one
 * of its things, by its rank ("the tallest") or another word than its noun.
 * *ret_is false: it becomes none. */
static etna_code row_of_put(reader *r,
                            const chart_node *place,
                            bool ranks,
                            bool bare,
                            builtin_move *ret,
                            bool *ret_is)
{
    const bool pile = node_is(place, "TOP") || node_is(place, "BOTTOM");
    const uint32_t largest = BY_SIZE;
    *ret_is = false;
    const bool first = r->reading->count == r->first_move;
    if (first)
        return ETNA_OK;
    *ret = r->reading->moves[r->reading->count - 1];
    /* "all three on the sofa, the red one in the middle": of the three */
    const bool amid =
        (ranks || (bare && ret->objects.count == 3)) && place_is_amid(place);
    if (!amid && !place_is_of_row(place, pile))
        return ETNA_OK;
    const bool edge = !pile && move_is_along_edge(r, ret);
    if (!edge && !move_may_be_row(r, ret))
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
    ret->reference = edge ? ret->reference : BUILTIN_NONE;
    r->memory.sized = false;
    r->memory.order_told = false;
    r->memory.backward = false;
    *ret_is = true;
    return ETNA_OK;
}

/* "Tallest at the back" behind a row, where it has no such place: of the row,
 * and not of anything else. */
static bool phrase_only_ranks(reader *r, const chart_node *phrase)
{
    match_query q;
    return phrase_lacks_noun(r, phrase, &q) && q.superlative && q.size &&
           !chart_child(phrase, "MOD");
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
    const bool ranks = phrase_only_ranks(r, c->things);
    match_query q;
    const bool bare = phrase_lacks_noun(r, c->things, &q);
    etna_code code = row_of_put(r, place, ranks, bare, &m, &is);
    const builtin_move *const last = reader_last_move(r);
    const bool of_several = last && last->objects.count > 1;
    const bool is_amid = ranks && place_is_amid(place);
    if (code == ETNA_OK && !is && is_amid && of_several)
        return clause_refuse(c, "which place in it that is, is not clear");
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
    bool next = false; /* "then green, and yellow on top" */
    etna_code code = ETNA_OK;
    if (count > 1 && c->r->memory.ordered_next > 0)
        code = row_tell_next(c->r, m, parts, count - 1, &next);
    if (code == ETNA_OK && !next)
        code = row_has_rest(c->r, m, c->things, place, ret_done);
    if (code != ETNA_OK || *ret_done)
        return code;
    if (count > 1 && !next)
        return clause_refuse(c, "one place in it is told of several");
    code = row_order(c->r, m, next ? parts[count - 1] : c->things, place,
                     ret_done);
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
    if (!details_say_anything(&rest) && !rest.apart_by)
        return ETNA_OK;
    details other = rest;
    other.relation_count = 0;
    if (details_say_anything(&other))
        return clause_refuse_all(c);
    if (rest.apart_by)
        m->spacing =
            where_metres(c->r, chart_find(rest.apart_by, "DIST"), NULL);
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
    if (rel && !word)
        word = chart_child(rel, "$rel_bears"); /* "white carries red" */
    if (!word || m->relation != RELATION_STACK || c->d.relation_count != 1)
        return false;
    *ret = (pile_pair){.rel = rel, .upper = bit_is_in(word->value, above)};
    return ret->upper || word->value == REL_UNDER;
}

/* Of the pairs that are told of a pile: what bears the object, or what it bears;
 * BUILTIN_NONE: that is not told. */
static uint32_t told_pair_other(const reader_memory *memory,
                                uint32_t object,
                                bool lower)
{
    for (uint32_t i = 0; i < memory->told_pair_count; i++) {
        if (memory->told_pairs[i][lower ? 1 : 0] == object)
            return memory->told_pairs[i][lower ? 0 : 1];
    }
    return BUILTIN_NONE;
}

/* Notes the pair. False: one of the two is told to be another's there. */
static bool told_pair_add(reader *r,
                          const builtin_move *m,
                          uint32_t lower,
                          uint32_t upper)
{
    reader_memory *const memory = &r->memory;
    const uint32_t of = row_number(r, m);
    if (memory->told_pairs_of != of)
        memory->told_pair_count = 0;
    memory->told_pairs_of = of;
    if (memory->told_pair_count == TOLD_PAIRS_MAX ||
        told_pair_other(memory, lower, false) != BUILTIN_NONE ||
        told_pair_other(memory, upper, true) != BUILTIN_NONE)
        return false;
    memory->told_pairs[memory->told_pair_count][0] = lower;
    memory->told_pairs[memory->told_pair_count++][1] = upper;
    return true;
}

static bool row_has_object(const uint32_t *row, uint32_t count, uint32_t object)
{
    for (uint32_t i = 0; i < count; i++) {
        if (row[i] == object)
            return true;
    }
    return false;
}

/* Does the first of the two bear the other there? */
static bool row_bears(const uint32_t *row,
                      uint32_t count,
                      const uint32_t pair[2])
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (row[i] == pair[0])
            return row[i + 1] == pair[1];
    }
    return false;
}

/* Appends what bears the object, by the pairs, up to the last that it bears. */
static uint32_t row_add_chain(const builtin_move *m,
                              const reader_memory *memory,
                              uint32_t object,
                              uint32_t *row,
                              uint32_t count)
{
    uint32_t at = object, below = object;
    for (uint32_t i = 0; i < m->row_count && below != BUILTIN_NONE; i++) {
        at = below;
        below = told_pair_other(memory, at, true);
    }
    while (at != BUILTIN_NONE && count < m->row_count) {
        row[count++] = at;
        at = told_pair_other(memory, at, false);
    }
    return count;
}

/* Puts one right on the other, as all pairs have it that are told of the pile:
 * the lowest stays low, and the top is still on top. *ret_done: they can. */
static etna_code pile_order_pair(
    reader *r, builtin_move *m, uint32_t lower, uint32_t upper, bool *ret_done)
{
    const uint32_t count = m->row_count, end = m->row[count - 1];
    uint32_t used = 0, tail = 0;
    uint32_t *row = etna_arena_alloc(r->arena, 2 * count, sizeof *row);
    if (!row)
        return reader_no_memory(r);
    uint32_t *const last = row + count;
    if (!told_pair_add(r, m, lower, upper))
        return ETNA_OK;
    tail = row_add_chain(m, &r->memory, end, last, tail);
    for (uint32_t i = 0; i < count && used + tail < count; i++) {
        if (!row_has_object(row, used, m->row[i]) &&
            !row_has_object(last, tail, m->row[i]))
            used = row_add_chain(m, &r->memory, m->row[i], row, used);
    }
    if (used + tail != count)
        return ETNA_OK;
    memcpy(row + used, last, tail * sizeof *row);
    bool hold = true;
    for (uint32_t i = 0; i < r->memory.told_pair_count; i++)
        hold = hold && row_bears(row, count, r->memory.told_pairs[i]);
    const bool bottom = r->memory.told_low && row[0] != r->memory.told_low - 1;
    const bool top =
        r->memory.told_high && row[count - 1] != r->memory.told_high - 1;
    const bool ends = r->memory.told_ends_of == r->memory.told_pairs_of;
    m->row = row;
    *ret_done = hold && !(ends && (bottom || top));
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
    return code == ETNA_OK && !*ret_done
               ? reader_refuse_finally(
                     r, clause_refuse(c, "that is not so of a pile that is as "
                                         "was told before"))
               : code;
}

/* "From the left: red, green, blue": of the row before. */
etna_code clause_read_in_order(clause *c)
{
    builtin_move *m = row_open(c->r);
    bool done = false;
    if (!m || !c->things)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    if (details_order(&c->d) == IN_DEPTH)
        return clause_refuse_all(c);
    c->r->memory.backward = order_is_backward(details_order(&c->d));
    etna_code code = row_order_all(c->r, m, c->things, &done);
    c->r->memory.order_told = done;
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
    c->r->memory.order_told = c->r->memory.order_told || *ret_done;
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
