/* Which moves show what a phrase of a clause says. Each kind of phrase that the
 * grammar has is told here; one that is not is never taken for shown. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/destination.h"

#include <math.h>

/* An angle shows in whatever turns the thing, be it by so many degrees, to
 * face something, or to a heading of its own. */
static bool shows_angle(const builtin_move *m)
{
    return m->relation == RELATION_TURN || m->relation == RELATION_TURNED ||
           m->has_yaw;
}

/* What tucks in or sets around a table faces it without a word of its own, so
 * that "facing the table" is shown by the place. */
bool shows_facing(const builtin_move *m)
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

static bool shows_height_change(const builtin_move *m)
{
    return m->relation == RELATION_SHIFT || shows_level(m);
}

/* "Evenly": equal gaps in a row, equal angles around something. */
static bool shows_steps(const builtin_move *m)
{
    return m->even;
}

/* An order shows only where things have places one after the other: members
 * told one by one, a row by size, or a pile. */
bool shows_order(const builtin_move *m)
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

static bool shows_touch(const builtin_move *m)
{
    return m->relation == RELATION_AGAINST;
}

bool touch_is_within(const reader *r, const chart_node *said, uint32_t first)
{
    return details_bound(said) == BOUND_MOST &&
           moves_show(r, first, shows_touch);
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
    return reader_lists(r, dir->first, "clause: way");
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
    const chart_node *dir = chart_find(shift, "$dir");
    /* "20 cm lower, centred above the sofa" is no 20 cm above it */
    const bool upright = dir && reader_lists(r, dir->first, "way: height");
    if (chart_find(shift, "DIST") && upright)
        return moves_show(r, first, shows_height_change);
    if (chart_find(shift, "DIST"))
        return moves_show(r, first, shows_distance) ||
               touch_is_within(r, shift, first);
    const bool sideways =
        dir && (dir->value == DIR_LEFT || dir->value == DIR_RIGHT);
    if (sideways)
        return moves_show(r, first, shows_direction);
    const bool tells =
        shift_tells_way(r, shift) || shift_stands_apart(r, said, shift);
    return !tells || moves_show(r, first, shows_change);
}

/* "Around", and no word of how far. */
static bool angle_is_round(const reader *r, const chart_node *angle)
{
    const char *const word = reader_word(r, angle->first);
    return angle->end - angle->first == 1 && lexicon_lists("way: round", word);
}

/* "Opposite each other": they look at each other, or each has its own side or
 * end. */
static bool shows_opposed(const builtin_move *m)
{
    const uint32_t sides = BIT(RELATION_END) | BIT(RELATION_FRONT) |
                           BIT(RELATION_EDGE) | BIT(RELATION_CORNER);
    const bool sided = m->sides != 0 && m->relation != RELATION_LINE;
    return shows_facing(m) || bit_is_in(m->relation, sides) || sided;
}

/* "Centred": in the middle of something, of others, of a row, of a side (an end
 * is held to its middle), or of a seat's place at a table. */
static bool shows_amid(const builtin_move *m)
{
    return bit_is_in(m->relation, BIT(RELATION_BETWEEN) | BIT(RELATION_LINE));
}

static bool shows_middle(const builtin_move *m)
{
    const uint32_t amid = BIT(RELATION_MIDDLE) | BIT(RELATION_AT) |
                          BIT(RELATION_END) | BIT(RELATION_SETTING);
    bool middle = shows_amid(m) || bit_is_in(m->relation, amid) || m->exact;
    for (uint32_t i = 0; i < m->also_count; i++)
        middle = middle || bit_is_in(m->also[i].relation, amid);
    return middle || m->align == ALIGN_MIDDLE;
}

/* "Between the other two" is in the middle of a row, and of nothing else. */
static bool centred_is_shown(const reader *r,
                             const chart_node *said,
                             const chart_node *centred,
                             uint32_t first)
{
    (void)said;
    const bool among = reader_word_is(r, centred->first, "between") ||
                       reader_word_is(r, centred->end - 1, "between");
    return moves_show(r, first, among ? shows_amid : shows_middle);
}

/* "On top", "at the bottom": upon something, a place in a pile, or the upper
 * or lower part of what it is on. */
static bool shows_top(const builtin_move *m)
{
    const uint32_t upon =
        BIT(RELATION_ON) | BIT(RELATION_IN) | BIT(RELATION_ABOVE);
    return bit_is_in(m->relation, upon) || m->support != BUILTIN_NONE ||
           m->level != 0 || shows_order(m) || shows_side(m);
}

/* "At the bottom": that it is on something shows no more than where. */
static bool shows_bottom(const builtin_move *m)
{
    return m->relation == RELATION_UNDER || m->level != 0 || shows_order(m) ||
           shows_side(m);
}

static bool shows_shade(const builtin_move *m)
{
    return m->relation == RELATION_OVER;
}

/* "Followed by the jug", "alongside" */
static bool shows_neighbour(const builtin_move *m)
{
    /* a shift is the one that it follows */
    const uint32_t by = BIT(RELATION_BESIDE) | BIT(RELATION_SHIFT);
    return bit_is_in(m->relation, by) || shows_order(m);
}

/* An end of something of its own: "at the foot of the bed". */
static bool shows_end(const builtin_move *m)
{
    const uint32_t parts = BIT(RELATION_END) | BIT(RELATION_EDGE) |
                           BIT(RELATION_CORNER) | BIT(RELATION_AGAINST) |
                           BIT(RELATION_BESIDE);
    return bit_is_in(m->relation, parts) || shows_side(m);
}

/* "Where the plant stands", "where it was": a place, a trade of places, the
 * corner that it stands in, or what makes room there. */
static bool shows_place_of(const builtin_move *m)
{
    const uint32_t places =
        BIT(RELATION_PLACE) | BIT(RELATION_SWAP) | BIT(RELATION_AT);
    const bool corner = m->relation == RELATION_CORNER && m->sides != 0;
    bool place = corner || bit_is_in(m->relation, places) || m->there.count > 0;
    for (uint32_t i = 0; i < m->also_count; i++)
        place = place || m->also[i].relation == RELATION_PLACE;
    return place;
}

/* "One to the left and one to the right" are two moves, or one with sides. */
static bool shows_pair(const builtin_move *m)
{
    return m->objects.count == 1 || m->sides != 0 || m->each.count > 0;
}

/* "Left and right of it, two each side" */
static bool shows_pair_of_some(const builtin_move *m)
{
    return m->objects.count > 1 && m->objects.need == m->objects.count;
}

/* "Exactly": so close to where it is said that the eye tells no difference. */
static bool shows_exact(const builtin_move *m)
{
    const uint32_t sharp = BIT(RELATION_MIDDLE) | BIT(RELATION_BETWEEN) |
                           BIT(RELATION_AT) | BIT(RELATION_PLACE) |
                           BIT(RELATION_SWAP) | BIT(RELATION_TURN);
    return m->exact || bit_is_in(m->relation, sharp) || shows_distance(m);
}

/* "One shelf higher" */
static bool shows_board(const builtin_move *m)
{
    return m->level > 0;
}

/* "One for each chair" */
static bool shows_each(const builtin_move *m)
{
    return m->each.count > 0;
}

/* What a phrase of a kind needs; the same for all phrases of that kind. */
typedef struct shown_row {
    const char *name;
    move_shows *shows; /* NULL: held to its own rule, as the table tells */
} shown_row;

static const shown_row rows_shown[] = {
    /* how it stands */
    {"ATHEIGHT", shows_level},
    {"BACKTO", shows_facing},
    {"CIRCLE", shows_circle},
    {"COVERS", shows_seats},
    {"DIST", shows_distance},
    {"EVENLY", shows_distance},
    {"EYELEVEL", shows_level},
    {"FACE", shows_facing},
    {"EACHNUM", shows_each},
    {"FOREACH", shows_each},
    {"FORPEOPLE", shows_seats},
    {"HEIGHT", shows_level},
    {"HIGHER", shows_level},
    {"LEVELBY", shows_board},
    {"NOGAP", shows_contact},
    {"ONEHEIGHT", shows_level},
    {"OPPOSED", shows_opposed},
    {"PILE", shows_pile},
    {"PILEOF", shows_pile},
    {"ROW", shows_row},
    {"ROWON", shows_row},
    {"SEES", shows_facing},
    {"STRAIGHT", shows_heading},
    {"SWAPEND", shows_swap},
    {"EACHTHERE", shows_swap},
    {"TOO", shows_angle},
    {"TOVIEWER", shows_facing},
    {"WARES", shows_seats},
    /* in which order */
    {"BOTTOM", shows_bottom},
    {"FOLLOW", shows_neighbour},
    {"INORDER", shows_order},
    {"TOP", shows_top},
    /* where */
    {"BETWEENDIST", shows_distance},
    {"BOTHGAPS", shows_distance},
    {"ENDOWN", shows_end},
    {"OLD", shows_place_of},
    {"PAIR", shows_pair},
    {"PAIRSOME", shows_pair_of_some},
    {"SHADE", shows_shade},
    {"SIDE", shows_side},
    /* places of things: coverage_named.c */
    {"BETWEEN", NULL},
    {"REL", NULL},
    {"TO", NULL},
    {"ZONE", NULL},
    /* who comes along, and who is left out: coverage_places.c */
    {"BUT", NULL},
    {"BUTFOR", NULL},
    {"DENIED", NULL},
    {"LOAD", NULL},
    {"NOTPLACE", NULL},
    {"ONLYTHERE", NULL},
    {"ORDERED", NULL},
    /* of two that are said one holds, which is what was read */
    {"CORRECTED", NULL},
    {"EITHER", NULL},
    {"NAMELY", NULL},
    {"NOTBUT", NULL},
    /* where it is already, or was put last: no other place */
    {"STAYS", NULL},
    /* "from where it is": so it is anyway */
    {"TOLD", NULL},
    /* a particle of the verb */
    {"PART", NULL},
    /* the things themselves */
    {"ALLOF", NULL},
    {"AND", NULL},
    {"APPOSED", NULL},
    {"BASE", NULL},
    {"EXCEPT", NULL},
    {"OF", NULL},
    {"OWNED", NULL},
    {"PRON", NULL},
    {"QUOTED", NULL},
    {"THING", NULL}};

/* A kind of phrase that the table does not have is not shown, whatever was
 * made of it. */
static bool kind_is_shown(const reader *r, const char *name, uint32_t first)
{
    for (size_t i = 0; i < COUNT_OF(rows_shown); i++) {
        const shown_row *row = &rows_shown[i];
        if (strcmp(row->name, name) == 0)
            return !row->shows || moves_show(r, first, row->shows);
    }
    return false;
}

/* Of a measured angle, without its sense. */
static double angle_degrees(const chart_node *angle)
{
    const chart_node *by = angle_turn_by(angle);
    const chart_node *number = chart_find(angle, "$num");
    if (by)
        return by->value;
    if (!number)
        number = chart_find(angle, "$num_negative");
    return fabs(number->value / 1000.0);
}

/* "By 30 degrees, by 60 degrees": a turn by one angle shows no other. */
static bool angle_is_turned(const reader *r,
                            const chart_node *angle,
                            uint32_t first)
{
    const double degrees = angle_degrees(angle);
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool by_so_much = fabs(fabs(m->turn) - degrees) < 0.01;
        const bool turns = m->relation == RELATION_TURN && by_so_much;
        if (turns || m->has_yaw)
            return true;
    }
    return false;
}

/* "Turn it around so it faces the desk", "by thirty degrees" */
static bool angle_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *angle,
                           uint32_t first)
{
    (void)said;
    const chart_node *spin = chart_find(angle, "$spin");
    if (!angle_is_measured(angle) && spin && spin->value == 0)
        return true; /* "seen from above" */
    if (angle_is_round(r, angle) && moves_show(r, first, shows_facing))
        return true;
    return angle_is_measured(angle) ? angle_is_turned(r, angle, first)
                                    : moves_show(r, first, shows_angle);
}

/* "Largest first" says who is put there first, "by size" how they stand. */
static bool order_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *order,
                           uint32_t first)
{
    const chart_node *const things = node_things(said, 0);
    const bool turns = reader_word_is(r, order->end - 1, "first");
    /* "blue, grey, red: stack the towels in this order" */
    const bool told_before = said->first > 0 && things &&
                             !node_is(things, "AND") &&
                             reader_word_is(r, said->first - 1, ":") &&
                             reader_word_is(r, order->end - 2, "this");
    if (told_before)
        return false;
    return moves_show(r, first, turns ? shows_turns : shows_order);
}

static bool apart_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *apart,
                           uint32_t first)
{
    (void)apart;
    return moves_show(r, first,
                      said_has_distance(said) ? shows_spacing : shows_step);
}

/* "Exactly in front of it" is that place, and exactly there. */
static bool exact_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *exact,
                           uint32_t first)
{
    for (uint32_t i = 0; i < exact->child_count; i++) {
        const chart_node *place = exact->children[i];
        if (!place->is_terminal && !place_is_shown(r, said, place, first))
            return false;
    }
    return moves_show(r, first, shows_exact);
}

/* "There", where no one place was told. */
static bool there_is_shown(const reader *r,
                           const chart_node *said,
                           const chart_node *there,
                           uint32_t first)
{
    (void)said;
    (void)there;
    return !there_is_of_several(r, first);
}

/* What a phrase needs besides its kind. */
static const struct {
    const char *name;
    bool (*is_shown)(const reader *r,
                     const chart_node *said,
                     const chart_node *place,
                     uint32_t first);
} rules[] = {{"ANGLE", angle_is_shown},       {"APARTBY", apart_is_shown},
             {"EXACT", exact_is_shown},       {"ORDER", order_is_shown},
             {"CENTRED", centred_is_shown},   {"SHIFT", shift_is_shown},
             {"TOGETHER", together_is_shown}, {"THERE", there_is_shown}};

bool place_is_shown(const reader *r,
                    const chart_node *said,
                    const chart_node *place,
                    uint32_t first)
{
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (node_is(place, rules[i].name))
            return rules[i].is_shown(r, said, place, first);
    }
    return kind_is_shown(r, place->name, first);
}

bool place_has_rule(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (strcmp(rules[i].name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < COUNT_OF(rows_shown); i++) {
        if (strcmp(rows_shown[i].name, name) == 0)
            return true;
    }
    return false;
}

/* "So that they face the stage": what is told there counts as what is told
 * beside it. */
bool purpose_is_shown(const reader *r,
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
