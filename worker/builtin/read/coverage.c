/* What a clause says and no move shows: a reading must not drop it in silence,
 * for its moves would be judged as all that was asked. Politeness, filler words
 * and asides are told by the grammar and never come here. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <math.h>

/* An angle shows in whatever turns the thing, be it by so many degrees, to
 * face something, or to a heading of its own. */
static bool shows_angle(const builtin_move *m)
{
    return m->relation == RELATION_TURN || m->relation == RELATION_TURNED ||
           m->has_yaw;
}

/* "At thirty degrees": a facing alone is no angle that somebody measured. */
static bool shows_measured_angle(const builtin_move *m)
{
    return m->relation == RELATION_TURN || m->has_yaw;
}

/* What tucks in or sets around a table faces it without a word of its own, so
 * that "facing the table" is shown by the place. */
static bool shows_facing(const builtin_move *m)
{
    bool by_place = m->relation == RELATION_TUCK ||
                    m->relation == RELATION_AROUND ||
                    m->relation == RELATION_SETTING;
    return m->facing != FACING_NONE || shows_angle(m) || by_place;
}

/* A pile is a row upward: "one on top of the other, in a row". */
static bool shows_row(const builtin_move *m)
{
    return m->relation == RELATION_LINE || m->relation == RELATION_STACK;
}
static bool shows_pile(const builtin_move *m)
{
    return m->relation == RELATION_STACK;
}
/* "Close together": by each other, and not only in the same place. */
static bool shows_company(const builtin_move *m)
{
    const uint32_t company = BIT(RELATION_GROUP) | BIT(RELATION_AGAINST) |
                             BIT(RELATION_BESIDE) | BIT(RELATION_AROUND);
    /* "..., the blue jar to the right of it, close together" */
    const uint32_t sides = BIT(RELATION_LEFT) | BIT(RELATION_RIGHT);
    const bool at_side = m->objects.count == 1 && bit_is_in(m->relation, sides);
    return at_side || bit_is_in(m->relation, company) || shows_row(m);
}

/* "Parallel to the desk", "straight": a heading, or a row or a wall that has
 * one. */
static bool shows_heading(const builtin_move *m)
{
    const uint32_t straight =
        BIT(RELATION_LINE) | BIT(RELATION_STACK) | BIT(RELATION_AGAINST);
    return shows_facing(m) || bit_is_in(m->relation, straight) || m->hung;
}

/* "So that they touch", "without a gap" */
static bool shows_contact(const builtin_move *m)
{
    const uint32_t close =
        BIT(RELATION_AGAINST) | BIT(RELATION_TUCK) | BIT(RELATION_CORNER);
    bool contact = bit_is_in(m->relation, close) || m->gap == 0;
    for (uint32_t i = 0; i < m->also_count; i++)
        contact = contact || bit_is_in(m->also[i].relation, close);
    return contact || m->spacing == 0;
}

static bool shows_circle(const builtin_move *m)
{
    return m->relation == RELATION_AROUND;
}
/* "Swap the two cups round" */
static bool shows_swap(const builtin_move *m)
{
    return m->relation == RELATION_SWAP;
}
static bool shows_seats(const builtin_move *m)
{
    return m->relation == RELATION_SETTING;
}
/* What goes along its wall hangs as high as before. */
static bool shows_level(const builtin_move *m)
{
    const bool along =
        m->relation == RELATION_SHIFT && fabs(m->shift[2]) < 1e-6;
    return m->relation == RELATION_LEVEL || m->align != ALIGN_NONE || along;
}
/* "Evenly": equal gaps in a row, equal angles around something. */
static bool shows_steps(const builtin_move *m)
{
    return m->even || m->relation == RELATION_AROUND;
}

/* An order shows only where things have places one after the other: members
 * told one by one, a row by size, or a pile. */
static bool shows_order(const builtin_move *m)
{
    const bool ordered =
        m->order != ORDER_AS_SAID && m->relation == RELATION_LINE;
    return m->row_count > 0 || ordered || m->relation == RELATION_STACK;
}

/* "Largest first": in which order they are put there. */
static bool shows_turns(const builtin_move *m)
{
    return shows_order(m) || m->order != ORDER_AS_SAID;
}

/* A length shows as a gap or a spacing of the move or of a further place of
 * it. A shift is a length itself, whatever was measured. */
bool shows_distance(const builtin_move *m)
{
    bool measured = m->gap >= 0 || m->spacing >= 0;
    if (m->relation == RELATION_SHIFT || shows_steps(m))
        return true;
    for (uint32_t i = 0; i < m->also_count; i++)
        measured = measured || m->also[i].gap >= 0;
    return measured;
}

/* "To the left" may be a way to go, a side of something, or an end of a row:
 * any of these shows it. */
static bool shows_direction(const builtin_move *m)
{
    bool sided = m->sides != 0 || m->relation == RELATION_LEFT ||
                 m->relation == RELATION_RIGHT;
    bool moved = m->relation == RELATION_SHIFT || shows_angle(m) ||
                 m->relation == RELATION_AT;
    return sided || moved || m->row_count > 0;
}

/* As a direction; and "before" and "behind" are sides, too, which no shift
 * could be. */
static bool shows_side(const builtin_move *m)
{
    return shows_direction(m) || m->relation == RELATION_FRONT ||
           m->relation == RELATION_BEHIND;
}

/* One move of the clause is enough: "the cup and the jug to the left, close
 * together" says each part of all. */
bool moves_show(const reader *r, uint32_t first, move_shows *shows)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        if (shows(&r->reading->moves[i]))
            return true;
    }
    return false;
}

/* Of "a bit" or "more": there must be something that could be more or less of
 * it, a way, a height or a gap. */
static bool shows_change(const builtin_move *m)
{
    const uint32_t changes = BIT(RELATION_SHIFT) | BIT(RELATION_TOWARD) |
                             BIT(RELATION_AWAY) | BIT(RELATION_LEVEL) |
                             BIT(RELATION_GROUP) | BIT(RELATION_LINE);
    return bit_is_in(m->relation, changes) || m->align != ALIGN_NONE ||
           shows_side(m);
}

/* "To the left", "a little higher", and not the "back" and "down" of "put it
 * back down on the shelf". */
static bool shift_tells_way(const reader *r, const chart_node *shift)
{
    const chart_node *dir = chart_find(shift, "$dir");
    if (!dir || dir->end - dir->first > 1)
        return dir != NULL;
    return lexicon_lists("clause: way", reader_word(r, dir->first));
}

/* "In front of the fridge and back", "on the bed brim up": a particle belongs
 * to the verb before the place, and behind that it says something of its
 * own. */
static bool shift_stands_apart(const reader *r,
                               const chart_node *said,
                               const chart_node *shift)
{
    const chart_node *before = NULL;
    if (shift->first > 0 &&
        strcmp(reader_word(r, shift->first - 1), "and") == 0)
        return true;
    for (uint32_t i = 0; i < said->child_count && said->children[i] != shift;
         i++)
        before = said->children[i];
    const chart_node *dir = chart_find(shift, "$dir");
    const bool upright =
        dir && (dir->value == DIR_UP || dir->value == DIR_DOWN);
    return upright && before && node_is(before, "ZONE");
}

/* "50 cm apart and 20 cm from the wall": the first of these is no gap from the
 * wall. */
static bool shows_step(const builtin_move *m)
{
    const bool from_others = m->gap >= 0 && m->reference != BUILTIN_NONE;
    return m->spacing >= 0 || m->relation == RELATION_SHIFT || from_others;
}

static bool shows_spacing(const builtin_move *m)
{
    return m->spacing >= 0;
}

/* Has the clause a distance from another thing, too? */
static bool said_has_distance(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        if (node_is(said->children[i], "REL") &&
            chart_child(said->children[i], "DIST"))
            return true;
    }
    return false;
}

/* "Close" of "close together", "right" of "right behind each other": the word
 * before a place. */
static const chart_node *adverb_before(const chart_node *said,
                                       const chart_node *place)
{
    const chart_node *before = NULL;
    for (uint32_t i = 0; i < said->child_count && said->children[i] != place;
         i++)
        before = said->children[i];
    return before && node_is(before, "$adv") ? before : NULL;
}

/* "Together" alone is "both at once". */
static bool together_is_shown(const reader *r,
                              const chart_node *said,
                              const chart_node *together,
                              uint32_t first)
{
    const chart_node *adverb = adverb_before(said, together);
    const bool close = adverb && adverb->value == ADVERB_CLOSE;
    if (!close && together->end - together->first == 1)
        return true;
    return moves_show(r, first, shows_company);
}

static bool shows_clearing(const builtin_move *m)
{
    return m->relation == RELATION_OFF;
}

/* "By 180 degrees plus a bit": an angle shows a bit where nothing else says how
 * far. */
static bool shift_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *shift,
                           uint32_t first)
{
    const bool by_angle =
        chart_find(shift, "$bit") && !chart_child(said, "ANGLE");
    if (by_angle && moves_show(r, first, shows_angle))
        return true; /* "turn it a bit to the left" */
    if (!chart_find(shift, "$dir") && chart_find(shift, "$bit") &&
        moves_show(r, first, shows_clearing))
        return true; /* "clear it a bit" */
    if (chart_find(shift, "DIST"))
        return moves_show(r, first, shows_distance);
    const chart_node *dir = chart_find(shift, "$dir");
    const bool sideways =
        dir && (dir->value == DIR_LEFT || dir->value == DIR_RIGHT);
    if (sideways)
        return moves_show(r, first, shows_direction);
    const bool tells =
        shift_tells_way(r, shift) || shift_stands_apart(r, said, shift);
    return !tells || moves_show(r, first, shows_change);
}

static bool angle_is_measured(const chart_node *angle)
{
    return chart_find(angle, "$num") || chart_find(angle, "$turn_by");
}

/* "Around", and no word of how far. */
static bool angle_is_round(const reader *r, const chart_node *angle)
{
    const char *const word = reader_word(r, angle->first);
    return angle->end - angle->first == 1 &&
           (strcmp(word, "around") == 0 || strcmp(word, "round") == 0);
}

/* Whether what a phrase says shows in the moves that were made of it. The
 * table: for each phrase the property of a move that shows it. */
static bool place_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *place,
                           uint32_t first)
{
    static const struct {
        const char *name;
        move_shows *shows;
    } rows[] = {{"ANGLE", shows_angle},     {"FACE", shows_facing},
                {"BACKTO", shows_facing},   {"TOVIEWER", shows_facing},
                {"SEES", shows_facing},     {"ROW", shows_row},
                {"PILE", shows_pile},       {"CIRCLE", shows_circle},
                {"FORPEOPLE", shows_seats}, {"HEIGHT", shows_level},
                {"ATHEIGHT", shows_level},  {"ONEHEIGHT", shows_level},
                {"EVENLY", shows_distance}, {"ORDER", shows_order},
                {"SIDE", shows_side},       {"TOO", shows_angle},
                {"INORDER", shows_order},   {"SWAPEND", shows_swap},
                {"NOGAP", shows_contact},   {"STRAIGHT", shows_heading}};
    if (node_is(place, "ORDER") &&
        strcmp(reader_word(r, place->end - 1), "first") == 0)
        return moves_show(r, first, shows_turns);
    if (node_is(place, "ANGLE") && angle_is_round(r, place) &&
        moves_show(r, first, shows_facing))
        return true; /* "turn it around so it faces the desk" */
    if (node_is(place, "ANGLE") && angle_is_measured(place))
        return moves_show(r, first, shows_measured_angle);
    if (node_is(place, "TOGETHER"))
        return together_is_shown(r, said, place, first);
    if (node_is(place, "SHIFT"))
        return shift_is_shown(r, said, place, first);
    if (node_is(place, "APARTBY"))
        return moves_show(r, first,
                          said_has_distance(said) ? shows_spacing : shows_step);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (node_is(place, rows[i].name))
            return moves_show(r, first, rows[i].shows);
    }
    return true;
}

/* "So that they face the stage": what is told there counts as what is told
 * beside it. */
static bool purpose_is_shown(const reader *r,
                             const chart_node *so_that,
                             uint32_t first)
{
    for (uint32_t i = 0; i < so_that->child_count; i++) {
        const chart_node *place = so_that->children[i];
        if (!place->is_terminal && !place_is_shown(r, so_that, place, first))
            return false;
    }
    return true;
}

/* The refusal names the phrase by its span, so that a user sees which words to
 * leave out or to say otherwise. */
etna_code refuse_left_over(reader *r, const chart_node *node)
{
    return reader_refuse(
        r, CODE_UNREAD, node,
        "\"%s\": how that goes with the rest is not understood",
        reader_said(r, node));
}

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

/* "With the white one in the middle" is a place in an order, "with the chair
 * behind it" a move of its own, and else what comes along. */
static etna_code company_check(reader *r,
                               const chart_node *company,
                               uint32_t first)
{
    const bool ordered = moves_show(r, first, shows_order),
               own = r->reading->count > first + 1;
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

/* "... except the vase": none of the moves may take it. `node`: all that says
 * so. */
static etna_code excepted_check(reader *r,
                                const chart_node *node,
                                const chart_node *but,
                                uint32_t first)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set excepted = {0};
    const reader_memory memory = r->memory;
    etna_code code = refer_things(r, but, &any, &excepted);
    r->memory = memory;
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
            named = named || m->also[k].reference == object;
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

/* Are the things of a phrase named by the moves, or carried by what they move?
 * A phrase that means nothing here is not. */
static etna_code phrase_is_shown(reader *r,
                                 const chart_node *what,
                                 uint32_t first,
                                 bool *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const builtin_move *m = &r->reading->moves[first];
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set things = {0};
    bool is_there = false; /* "with the others": to where most of them stand */
    *ret = node_is(what, "PRON") || staged_replaces(r, what);
    etna_code code =
        *ret ? ETNA_OK : phrase_chosen_is_shown(r, what, first, ret);
    if (*ret || code != ETNA_OK)
        return code;
    code = refer_things(r, what, &any, &things);
    *r = before;
    *r->err = why;
    for (uint32_t i = 0; i < things.count && m->relation == RELATION_ON; i++)
        is_there = is_there ||
                   builtin_stands_on(r->facts, things.objects[i], m->reference);
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
    const chart_node *word = chart_child(rel, "$rel"),
                     *what = node_things(rel, 0);
    const builtin_move *m = &r->reading->moves[first];
    bool with = word && word->value == REL_WITH, shown = true;
    if (!with && !(move_stays(m) && place_is_partner(m, rel)))
        return ETNA_OK;
    etna_code code = what ? phrase_is_shown(r, what, first, &shown) : ETNA_OK;
    return code == ETNA_OK && !shown ? refuse_left_over(r, rel) : code;
}

/* "The guitar is moved together": with whom is told by nothing. */
static bool group_is_of_one(const builtin_move *m)
{
    const bool says_with = m->reference != BUILTIN_NONE || m->each.count > 0;
    return m->relation == RELATION_GROUP && m->objects.count == 1 && !says_with;
}

/* "On the counter at arm's length": what stands on a thing is at no distance
 * from it. */
static bool gap_is_idle(const builtin_move *m)
{
    const bool upon = m->relation == RELATION_ON || m->relation == RELATION_IN;
    return upon && m->gap >= 0 && m->also_count == 0;
}

/* "In a row parallel to the desk", "centred on the amplifier": a row whose way
 * or middle nothing tells. */
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
    const bool vague = parallel || alike || centred;
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

/* Several rules may apply to one phrase. */
static etna_code place_check(reader *r, const chart_node *place, uint32_t first)
{
    static const struct {
        const char *name; /* NULL: of any place */
        etna_code (*check)(reader *r, const chart_node *place, uint32_t first);
    } rows[] = {{NULL, spot_check},
                {"ORDERED", company_check},
                {NULL, row_check},
                {"REL", partner_check},
                {"LOAD", load_check_first},
                {"BUT", exception_check},
                {"REL", exception_check_behind},
                {"OLD", old_check},
                {"NOTPLACE", denial_check},
                {NULL, place_check_named}};
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
static etna_code purpose_check_named(reader *r,
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

/* ---- the clause ---- */

/* "How many chairs are at the table?", "does the lamp stand there?": whoever
 * asks how things are wants nothing moved. "How about moving the lamp" does. */
static bool clause_asks(const reader *r, const chart_node *said)
{
    if (!lexicon_lists("told: question", reader_word(r, said->first)))
        return false;
    return said->first + 1 >= said->end ||
           !lexicon_lists("told: no question", reader_word(r, said->first + 1));
}

/* "Both" as an adverb, anywhere below the node: "... are both to stand there".
 */
static bool said_of_both(const reader *r, const chart_node *node)
{
    if (node_is(node, "$adv"))
        return reader_word_is(r, node->first, "both");
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (said_of_both(r, node->children[i]))
            return true;
    }
    return false;
}

/* "... and both onto the pallet", where one thing is moved. */
static bool both_is_left(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    const builtin_set *moved = &r->reading->moves[first].objects;
    if (!said_of_both(r, said) || moved->count != 1)
        return false;
    for (uint32_t i = first; i < r->reading->count; i++) {
        if (!set_is_within(&r->reading->moves[i].objects, moved))
            return false;
    }
    return true;
}

/* "The one on the counter" by itself says which, and wishes nothing. */
static bool clause_only_says_which(const reader *r, const chart_node *said)
{
    const uint32_t first = said->first;
    if (chart_child(said, "$verb") || chart_child(said, "$be") ||
        chart_child(said, "$pp") || said->end < first + 3)
        return false;
    const bool one = reader_word_is(r, first + 1, "one") ||
                     reader_word_is(r, first + 1, "ones");
    const bool alone = said->child_count > 0 &&
                       !said->children[0]->is_terminal &&
                       said->children[0]->end == first + 2;
    return one && alone && reader_word_is(r, first, "the");
}

/* "Make the chair look at the drums" is no place at them, and what is to "look
 * like" another is not merely turned. */
static bool look_is_left(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    bool looks = false;
    for (uint32_t at = said->first; at + 1 < said->end; at++) {
        if (!lexicon_lists("clause: looks at", reader_word(r, at)))
            continue;
        if (reader_word_is(r, at + 1, "like"))
            return true;
        looks = looks || reader_word_is(r, at + 1, "at");
    }
    return looks && !moves_show(r, first, shows_facing);
}

static bool shows_two_ends(const builtin_move *m)
{
    return m->relation == RELATION_END;
}

/* "At every side", "on all four sides" are more than its two ends. */
static bool sides_are_left(const reader *r,
                           const chart_node *said,
                           uint32_t first)
{
    bool every = false;
    for (uint32_t at = said->first; at < said->end; at++) {
        every = every || lexicon_lists("clause: every", reader_word(r, at));
        const bool side =
            reader_word_is(r, at, "side") || reader_word_is(r, at, "sides");
        if (every && side)
            return moves_show(r, first, shows_two_ends);
    }
    return false;
}

/* "At the end of the counter the black hairdryer ...": no clause ends between
 * an adjective and its noun. */
static bool clause_splits_noun(const reader *r, const chart_node *said)
{
    bool superlative;
    const uint32_t behind = r->part->first + said->end;
    if (behind >= r->part->end || r->s->tokens[behind].is_mark)
        return false;
    const char *const last = reader_word(r, said->end - 1);
    const char *const next = reader_word(r, said->end);
    const bool adjective =
        lexicon_colour(last) > 0 || lexicon_size(last, &superlative) != 0;
    const bool noun =
        kinds_known(next) || mend_vocabulary_has(r->vocabulary, next);
    return adjective && !lexicon_is_function_word(next) && noun;
}

/* "The mug on the side | table should go ...": no clause ends within a name. */
static bool clause_splits_name(const reader *r, const chart_node *said)
{
    const uint32_t next = r->part->first + said->end;
    if (next >= r->part->end || r->s->tokens[next].is_mark)
        return false;
    const char *const last = r->s->tokens[next - 1].text;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            if (strcmp(o->words[k], last) == 0 &&
                strcmp(o->words[k + 1], r->s->tokens[next].text) == 0)
                return true;
        }
    }
    return false;
}

/* "Take it off the counter, one metre between the two": nothing of how it is to
 * stand there shows in what is only taken up. */
static etna_code coverage_check_taken(reader *r, const chart_node *said)
{
    if (!node_is(said, "DO") || r->memory.taken.count == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (!place->is_terminal &&
            !place_is_shown(r, said, place, r->reading->count))
            return refuse_left_over(r, place);
    }
    return ETNA_OK;
}

/* The things of which one of the clause's places tells of each; NULL: none
 * does. */
static const chart_node *place_of_each(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const place = said->children[i];
        const chart_node *const what =
            node_is(place, "REL") ? node_things(place, 0) : NULL;
        if (what && phrase_is_each(what))
            return what;
    }
    return NULL;
}

/* "Put two blocks on each chair": are they so many for each? A pile, a row or a
 * way of its own for each is nothing that a move can ask. */
static bool each_is_lost(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    if (first >= r->reading->count)
        return false;
    const builtin_move *const m = &r->reading->moves[first];
    const uint32_t number = phrase_number(node_things(said, 0));
    const bool is_joint =
        m->relation == RELATION_STACK || m->relation == RELATION_LINE;
    const bool is_dealt = chart_find(said, "EACHNUM") != NULL;
    const chart_node *const each = place_of_each(said);
    /* "each table next to the board" */
    const bool is_told = each && chart_child(phrase_thing(each), "MOD");
    if (each && m->each.count == 0 && (is_joint || is_told))
        return true;
    if (is_dealt)
        return m->each.count == 0;
    return each && number > 1 && m->each.count > 1 && m->each_number != number;
}

/* Guards against moves that leave out half of what was said: each phrase must
 * show in them. It is better to refuse than to do something else. */
etna_code coverage_check(reader *r, const chart_node *said, uint32_t first_move)
{
    if (r->reading->count == first_move)
        return coverage_check_taken(r, said);
    if (r->reading->count < first_move)
        /* it has taken the place of moves before it */
        first_move = r->first_move;
    const builtin_move *m = &r->reading->moves[first_move];
    if (gap_is_idle(m) || group_is_of_one(m) || clause_asks(r, said))
        return refuse_left_over(r, said);
    if (both_is_left(r, said, first_move) || clause_only_says_which(r, said))
        return refuse_left_over(r, said);
    if (look_is_left(r, said, first_move) || clause_splits_noun(r, said) ||
        sides_are_left(r, said, first_move))
        return refuse_left_over(r, said);
    if (clause_splits_name(r, said))
        return refuse_left_over(r, said);
    if (each_is_lost(r, said, first_move)) {
        const etna_code code = refuse_left_over(r, said);
        r->refusal.is_final = !chart_find(
            said, "EACHNUM"); /* no dearer tree means another number */
        return code;
    }
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (place->is_terminal)
            continue;
        bool purpose = node_is(place, "SOTHAT");
        bool shown = purpose ? purpose_is_shown(r, place, first_move)
                             : place_is_shown(r, said, place, first_move);
        if (!shown)
            return refuse_left_over(r, place);
        etna_code code = purpose ? purpose_check_named(r, place, first_move)
                                 : place_check(r, place, first_move);
        if (code != ETNA_OK)
            return code;
    }
    return moves_check(r, said, first_move);
}

bool coverage_is_request(const reader *r, const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *word = said->children[i];
        const bool done = /* "have been used", and no "have to be" */
            reader_word_is(r, word->end - 1, "been");
        if (node_is(word, "$be") && !done &&
            lexicon_lists("clause: requests", reader_word(r, word->first)))
            return true;
        if (node_is(word, "$not") &&
            lexicon_lists("clause: forbids", reader_word(r, word->first)))
            return true; /* "cannot stay there" */
    }
    return false;
}
