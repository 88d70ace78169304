/* What the moves of a clause leave out of one of its places: who is said to
 * come along or to be left out, and where that which is turned must stand. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <math.h>

/* ---- places of what is turned or traded, and stays where it is ---- */

/* What is turned or traded has no new place of its own, so that a place in its
 * clause must tell which thing is meant. */
static bool move_stays(const builtin_move *m)
{
    return m->relation == RELATION_TURN || m->relation == RELATION_TURNED ||
           m->relation == RELATION_SWAP;
}

static bool place_is_spot(const chart_node *place)
{
    return node_is(place, "REL") || node_is(place, "ZONE") ||
           node_is(place, "BETWEEN");
}

/* What a turn is toward, or who the other one of a trade is. */
static bool place_is_partner(const builtin_move *m, const chart_node *place)
{
    static const lexicon_relation partners[] = {
        REL_WITH, REL_TO,     REL_TOWARD, REL_AT,
        REL_AWAY, REL_CLOSER, REL_FROM,   REL_INSTEAD};
    const chart_node *rel = chart_child(place, "$rel");
    if (!rel)
        rel = chart_child(place, "$rel_to");
    for (size_t i = 0; rel && i < sizeof partners / sizeof partners[0]; i++) {
        if (rel->value == (uint32_t)partners[i])
            return m->relation != RELATION_TURN || m->faced != BUILTIN_NONE;
    }
    return false;
}

/* Does it merely tell where they stand already: "turn the lamp on the desk"? */
static etna_code place_describes(reader *r,
                                 const chart_node *place,
                                 const builtin_move *m,
                                 bool *ret)
{
    reader before = *r;
    etna_error why = r->err ? *r->err : (etna_error){0};
    *ret = true;
    for (uint32_t i = 0; i < m->objects.count && *ret; i++) {
        double way = INFINITY;
        etna_code code = where_holds(r, place, m->objects.objects[i], &way);
        if (code != ETNA_OK && code != ETNA_E_INPUT)
            return code;
        *ret = code == ETNA_OK && isfinite(way);
    }
    *r = before;
    if (r->err)
        *r->err = why;
    return ETNA_OK;
}

/* "With the lamp on it": what is named must stand there, for then it comes
 * along. Where it does not, more may be asked. */
static etna_code load_check(reader *r,
                            const chart_node *load,
                            const builtin_move *m)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const refer_scope upon = {
        .on = m->objects.count == 1 ? m->objects.objects[0] : BUILTIN_NONE,
        .many = true};
    const chart_node *what = node_things(load, 0);
    builtin_set things = {0};
    if (!what)
        return ETNA_OK;
    const reader_memory memory = r->memory;
    etna_code code = refer_things(r, what, &upon, &things);
    if (code == ETNA_E_INPUT)
        code = refer_things(r, what, &any, &things);
    r->memory = memory;
    if (code != ETNA_OK)
        return code; /* named, and not to be found: nothing says it comes */
    for (uint32_t i = 0; i < things.count; i++) {
        bool carried = false;
        for (uint32_t k = 0; k < m->objects.count && !carried; k++)
            carried = builtin_is_above(r->facts, things.objects[i],
                                       m->objects.objects[k]);
        if (!carried)
            return reader_refuse(
                r, CODE_AMBIGUOUS, load,
                "\"%s\": it does not stand there; is it to be put there first?",
                reader_said(r, load));
    }
    return code;
}

/* "Line up the two cups with the bowl in the middle": does none of the moves
 * take the one that is told a place among them? */
static bool company_is_left(reader *r,
                            const chart_node *company,
                            uint32_t first)
{
    const refer_scope any = {.movers = true, .on = BUILTIN_NONE};
    const chart_node *const things = node_things(company, 0);
    builtin_set named;
    const bool one = things &&
                     refer_peek_things(r, things, &any, &named) == ETNA_OK &&
                     named.count == 1;
    return one && !reading_moves(r->reading, first, named.objects[0]);
}

/* "With the white one in the middle" is a place in an order, "with the chair
 * behind it" a move of its own, and else what comes along. */
static etna_code company_check(reader *r,
                               const chart_node *company,
                               uint32_t first)
{
    const bool ordered = moves_show(r, first, shows_order);
    const bool own = r->reading->count > first + 1;
    if (ordered && company_is_left(r, company, first))
        return reader_refuse_finally(r, refuse_left_over(r, company));
    if (ordered || own)
        return ETNA_OK;
    if (!node_things(company, 0))
        return refuse_left_over(r, company);
    return load_check(r, company, &r->reading->moves[first]);
}

/* "And not on the rug": a further place of the move that must not hold. */
static bool shows_denial(const builtin_move *m)
{
    bool denies = false;
    for (uint32_t i = 0; i < m->also_count; i++)
        denies = denies || m->also[i].denied;
    return denies;
}

/* "Turn the chair, but only a little": of one thing nothing is left out but
 * what stands on it. */
static bool exception_is_idle(const reader *r,
                              const builtin_set *excepted,
                              uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    bool idle = first + 1 == r->reading->count && m->objects.count == 1 &&
                m->relation != RELATION_OFF && !shows_denial(m);
    for (uint32_t i = 0; i < excepted->count && idle; i++)
        idle = !builtin_is_above(r->facts, excepted->objects[i],
                                 m->objects.objects[0]);
    return idle;
}

/* What is left out. "The salt" of several tables is that of each: all of it. */
static etna_code excepted_find(reader *r,
                               const chart_node *but,
                               builtin_set *ret)
{
    const refer_scope named = {.on = BUILTIN_NONE, .many = true};
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(but, parts);
    const reader before = *r;
    const etna_error why = *r->err;
    etna_code code = refer_things(r, but, &named, ret);
    if (code == ETNA_E_INPUT) {
        *r = before;
        *r->err = why;
        *ret = (builtin_set){0};
        code = ETNA_OK;
        for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
            builtin_set some = {0};
            code = refer_things(r, parts[i], &any, &some);
            if (code == ETNA_OK)
                code = set_union(r, ret, &some, ret);
        }
    }
    r->memory = before.memory;
    return code;
}

/* "... except the vase": none of the moves may take it. `node`: all that says
 * so. */
static etna_code excepted_check(reader *r,
                                const chart_node *node,
                                const chart_node *but,
                                uint32_t first)
{
    builtin_set excepted = {0};
    etna_code code = excepted_find(r, but, &excepted);
    if (code == ETNA_OK && exception_is_idle(r, &excepted, first))
        return refuse_left_over(r, node);
    for (uint32_t i = first; i < r->reading->count && code == ETNA_OK; i++) {
        const builtin_set *moved = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < moved->count; k++) {
            if (set_has(&excepted, moved->objects[k]))
                return refuse_left_over(r, node);
        }
    }
    return code;
}

static etna_code exception_check(reader *r,
                                 const chart_node *but,
                                 uint32_t first)
{
    return excepted_check(r, but, node_things(but, 0), first);
}

/* "On the table without a lamp": said behind a place it is of what is moved. */
static etna_code exception_check_behind(reader *r,
                                        const chart_node *rel,
                                        uint32_t first)
{
    const chart_node *const what = node_things(rel, 0);
    const chart_node *const but =
        what && node_is(what, "EXCEPT") ? node_phrase(what, 1) : NULL;
    const bool one = r->reading->moves[first].objects.count == 1;
    return but && one ? excepted_check(r, rel, but, first) : ETNA_OK;
}

/* Whether some move since `first` has to do with the object. */
bool moves_name(const reader *r, uint32_t first, uint32_t object)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        bool named = m->reference == object || m->second == object;
        named = named || m->support == object || m->faced == object;
        for (uint32_t k = 0; k < m->also_count; k++)
            named = named || m->also[k].reference == object ||
                    m->also[k].second == object;
        if (named || set_has(&m->objects, object) || set_has(&m->each, object))
            return true;
    }
    return false;
}

/* Of two lamps of which one is in sight, a phrase means that one. Is the one
 * thing that it means here named by the moves? */
static etna_code phrase_chosen_is_shown(reader *r,
                                        const chart_node *what,
                                        uint32_t first,
                                        bool *ret)
{
    const refer_scope scope = {.on = BUILTIN_NONE};
    const reader before = *r;
    const etna_error why = *r->err;
    uint32_t chosen = 0;
    const etna_code code = refer_one(r, what, &scope, &chosen);
    *r = before;
    *r->err = why;
    *ret = code == ETNA_OK && moves_name(r, first, chosen);
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* Whose "its chairs" are, of all that a move takes: what things stand by. */
static uint32_t phrase_owner(const reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t object = m->objects.objects[i];
        if (object_bears_things(r, object) && !object_is_seat(r, object))
            return object;
    }
    return m->objects.objects[0];
}

/* "With the others": it is put close to one that is called as it is. */
static bool others_are_shown(reader *r,
                             const chart_node *what,
                             const builtin_move *m)
{
    const char *words[REFER_WORDS_MAX];
    const bool others = node_is(what, "THING") &&
                        (phrase_quantity(what).says & SAYS_OTHER) &&
                        phrase_words(r, what, words) == 0;
    if (!others || m->relation != RELATION_GROUP || m->objects.count == 0 ||
        m->reference >= r->facts->object_count)
        return false;
    const char *own = builtin_noun(object_at(r, m->objects.objects[0]));
    const char *other = builtin_noun(object_at(r, m->reference));
    return own && other && strcmp(own, other) == 0;
}

/* Are the things of a phrase named by the moves, or carried by what they move?
 * A phrase that means nothing here is not. */
static etna_code phrase_is_shown(reader *r,
                                 const chart_node *what,
                                 uint32_t first,
                                 bool *ret)
{
    refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const builtin_move *m = &r->reading->moves[first];
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set things = {0};
    bool is_there = false; /* "with the others": to one of them */
    *ret = node_is(what, "PRON") || staged_replaces(r, what) ||
           others_are_shown(r, what, m);
    etna_code code =
        *ret ? ETNA_OK : phrase_chosen_is_shown(r, what, first, ret);
    if (*ret || code != ETNA_OK)
        return code;
    /* "with its chairs" */
    const bool its = node_says(what, "$det", BIT(DET_ITS));
    if (its && m->objects.count > 0) {
        any.movers = true;
        r->memory.conjunct = set_one(r, phrase_owner(r, m));
    }
    code = refer_things(r, what, &any, &things);
    *r = before;
    *r->err = why;
    is_there = m->relation == RELATION_GROUP && set_has(&things, m->reference);
    *ret = code == ETNA_OK;
    for (uint32_t i = 0; i < things.count && *ret && !is_there; i++) {
        *ret = moves_name(r, first, things.objects[i]);
        for (uint32_t k = 0; k < m->objects.count && !*ret; k++)
            *ret = builtin_is_above(r->facts, things.objects[i],
                                    m->objects.objects[k]);
    }
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "Move the guitar with the amp to the wall": who is named so goes along, is
 * carried, or is who it comes to. "Swap them at the speed of light": who a
 * trade or a turn is with is known. */
static etna_code partner_check(reader *r, const chart_node *rel, uint32_t first)
{
    const chart_node *word = chart_child(rel, "$rel");
    const chart_node *what = node_things(rel, 0);
    const builtin_move *m = &r->reading->moves[first];
    bool with = word && word->value == REL_WITH;
    bool shown = true;
    if (!with && !(move_stays(m) && place_is_partner(m, rel)))
        return ETNA_OK;
    etna_code code = what ? phrase_is_shown(r, what, first, &shown) : ETNA_OK;
    return code == ETNA_OK && !shown ? refuse_left_over(r, rel) : code;
}

/* "In a row parallel to the desk", "centred on the amplifier": a row whose way
 * or middle nothing tells. "In a row, all parallel to the desk": a row turns
 * none of its things. */
static bool row_is_vague(const reader *r, const chart_node *how, uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    const bool parallel = node_is(how, "STRAIGHT") &&
                          chart_child(how, "$parallel") &&
                          m->reference == BUILTIN_NONE;
    const bool alike =
        node_is(how, "STRAIGHT") && chart_child(how, "$same_way");
    const bool centred = node_is(how, "CENTRED") &&
                         m->support != BUILTIN_NONE &&
                         m->support != m->reference;
    const bool each = node_is(how, "STRAIGHT") && how->first > 0 &&
                      reader_lists(r, how->first - 1, "clause: every");
    const bool vague = parallel || alike || centred || each;
    return m->relation == RELATION_LINE && vague;
}

/* ---- what the moves of a clause leave out of one of its places ---- */

/* "Parallel to the desk, in front of it" is turned first, and goes then. */
static bool moves_stay(const reader *r, uint32_t first)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        if (!move_stays(&r->reading->moves[i]))
            return false;
    }
    return true;
}

/* "Turn the chair by the window": a place of what stays where it is must hold
 * of it now; else the words asked for more than a turn. */
static etna_code spot_check(reader *r, const chart_node *place, uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    const bool is_open = moves_stay(r, first) && place_is_spot(place) &&
                         !place_is_partner(m, place);
    bool describes = true;
    etna_code code =
        is_open ? place_describes(r, place, m, &describes) : ETNA_OK;
    return code == ETNA_OK && !describes ? refuse_left_over(r, place) : code;
}

/* "20 cm to the left on the desk", of what stands there: how far is all that is
 * asked. */
static etna_code place_is_of_shift(reader *r,
                                   const chart_node *place,
                                   uint32_t first,
                                   bool *ret)
{
    const builtin_move *const m = &r->reading->moves[first];
    *ret = false;
    if (m->relation != RELATION_SHIFT || r->reading->count != first + 1 ||
        !node_is(place, "REL"))
        return ETNA_OK;
    return place_describes(r, place, m, ret);
}

/* A row of which neither place nor direction is known would be anything. */
static etna_code row_check(reader *r, const chart_node *place, uint32_t first)
{
    return row_is_vague(r, place, first) ? refuse_left_over(r, place) : ETNA_OK;
}

/* "With everything on it": told of the first thing that the clause moves. */
static etna_code load_check_first(reader *r,
                                  const chart_node *load,
                                  uint32_t first)
{
    return load_check(r, load, &r->reading->moves[first]);
}

/* What is not to be must be a condition of some move, or it would be forgotten
 * the moment the thing is placed. */
static etna_code denial_check(reader *r,
                              const chart_node *denied,
                              uint32_t first)
{
    return moves_show(r, first, shows_denial) ? ETNA_OK
                                              : refuse_left_over(r, denied);
}

/* "The glasses where the plates are": which goes where is not said, and not
 * all of them to the first. */
static etna_code old_check(reader *r, const chart_node *old, uint32_t first)
{
    const chart_node *const what = node_things(old, 0);
    const builtin_move *m = &r->reading->moves[first];
    const bool several = what && phrase_is_plural(r, what) &&
                         m->objects.count > 1 && m->each.count == 0 &&
                         r->reading->count == first + 1;
    return several && m->relation == RELATION_PLACE ? refuse_left_over(r, old)
                                                    : ETNA_OK;
}

/* "Exactly in front of the desk": what holds of that place holds of it, too. */
static etna_code exact_check(reader *r, const chart_node *exact, uint32_t first)
{
    for (uint32_t i = 0; i < exact->child_count; i++) {
        const chart_node *place = exact->children[i];
        const etna_code code =
            place->is_terminal ? ETNA_OK : place_check(r, place, first);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "10 cm between the crates": of those that the moves are about, and of no
 * others. */
static etna_code parties_check(reader *r,
                               const chart_node *apart,
                               uint32_t first)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *const said = chart_child(apart, "PARTIES");
    const chart_node *const things = said ? node_things(said, 0) : NULL;
    builtin_set named = {0};
    if (!said)
        return ETNA_OK;
    const etna_code code =
        things ? refer_peek_things(r, things, &any, &named) : ETNA_E_INPUT;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    bool same = code == ETNA_OK && named.count > 1;
    for (uint32_t i = 0; i < named.count && same; i++)
        same = moves_name(r, first, named.objects[i]);
    return same ? ETNA_OK : refuse_left_over(r, apart);
}

/* Several rules may apply to one phrase. */
etna_code place_check(reader *r, const chart_node *place, uint32_t first)
{
    static const struct {
        const char *name; /* NULL: of any place */
        etna_code (*check)(reader *r, const chart_node *place, uint32_t first);
    } rows[] = {{NULL, spot_check},         {"ORDERED", company_check},
                {NULL, row_check},          {"REL", partner_check},
                {"LOAD", load_check_first}, {"BUT", exception_check},
                {"APARTBY", parties_check}, {"REL", exception_check_behind},
                {"OLD", old_check},         {"EXACT", exact_check},
                {"NOTPLACE", denial_check}, {NULL, place_check_named}};
    bool describes = false;
    const etna_code shift = place_is_of_shift(r, place, first, &describes);
    if (shift != ETNA_OK || describes)
        return shift;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].name && !node_is(place, rows[i].name))
            continue;
        etna_code code = rows[i].check(r, place, first);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "So that it stands in the light of the lamp": the lamp must be in the
 * moves. */
etna_code purpose_check_places(reader *r,
                               const chart_node *so_that,
                               uint32_t first)
{
    for (uint32_t i = 0; i < so_that->child_count; i++) {
        const chart_node *place = so_that->children[i];
        etna_code code =
            place->is_terminal ? ETNA_OK : place_check_named(r, place, first);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
