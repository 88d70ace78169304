/* Whether the moves of a clause can mean what it says: nothing is put on or
 * beside itself, a zone of one place is not taken for a zone of another, and a
 * zone beside another place is in the moves, too. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

enum {
    RELATIONS_APART = BIT(RELATION_ON) | BIT(RELATION_IN) |
                      BIT(RELATION_UNDER) | BIT(RELATION_ABOVE) |
                      BIT(RELATION_AGAINST) | BIT(RELATION_BETWEEN) |
                      RELATIONS_ASIDE,
    RELATIONS_ZONE = BIT(RELATION_MIDDLE) | BIT(RELATION_CORNER) |
                     BIT(RELATION_EDGE) | BIT(RELATION_END)
};

/* ---- of itself ---- */

/* "Stack the plates by threes": beside one of those that are stacked. */
static bool move_is_of_itself(const builtin_move *m)
{
    const bool each_its_own =
        m->each.count > 0 || m->objects.need < m->objects.count;
    if (each_its_own)
        return false; /* others of them may go there */
    if (bit_is_in(m->relation, RELATIONS_APART) &&
        set_has(&m->objects, m->reference))
        return true;
    for (uint32_t i = 0; i < m->also_count; i++) {
        const builtin_condition *also = &m->also[i];
        const bool apart =
            bit_is_in(also->relation, RELATIONS_APART) && !also->denied;
        if (apart && set_has(&m->objects, also->reference))
            return true;
    }
    return false;
}

/* ---- zones ---- */

/* The move or one of its conditions is about a part of a surface or a side. */
static bool shows_zone(const builtin_move *m)
{
    const bool sided = bit_is_in(m->relation, RELATIONS_ZONE | RELATIONS_SIDE);
    bool zone = m->sides || m->level || m->relation == RELATION_SETTING;
    zone = zone || sided;
    for (uint32_t i = 0; i < m->also_count; i++) {
        const bool also =
            bit_is_in(m->also[i].relation, RELATIONS_ZONE | RELATIONS_SIDE);
        zone = zone || also || m->also[i].sides;
    }
    return zone;
}

static bool place_is_whole(const chart_node *place)
{
    const chart_node *word = chart_child(place, "$rel");
    if (node_is(place, "BETWEEN"))
        return true;
    return node_is(place, "REL") && word &&
           !bit_is_in(word->value, RELS_ORIGIN);
}

/* A zone alone is what the move is made of; behind another place it is one
 * thing more. "Tuck in the chairs on the left side" pushes them under the
 * table, wherever they stand. */
static bool zone_is_dropped(const reader *r,
                            const chart_node *said,
                            uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    const bool stays = m->relation == RELATION_TURN ||
                       m->relation == RELATION_TURNED ||
                       m->relation == RELATION_SWAP;
    bool has_zone = false, has_other = m->relation == RELATION_TUCK;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        has_zone =
            has_zone || (node_is(place, "ZONE") && chart_child(place, "$zone"));
        has_other = has_other || place_is_whole(place);
    }
    const bool says_both = has_zone && has_other;
    return says_both && !stays && !moves_show(r, first, shows_zone);
}

/* "In the tray at the very back": of the tray, and not of the desk below it. */
static bool zone_is_elsewhere(const builtin_move *m)
{
    const bool upon = bit_is_in(m->relation, RELATIONS_UPON | RELATIONS_ZONE);
    for (uint32_t i = 0; i < m->also_count && upon; i++) {
        const builtin_condition *also = &m->also[i];
        const bool own =
            also->reference == m->reference || also->reference == m->support;
        if (bit_is_in(also->relation, RELATIONS_ZONE) && !own)
            return true;
    }
    return false;
}

/* "Under the desk, on the left": under the left of the desk, and not on the left
 * of the room. */
static bool side_is_of_room(const reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->also_count; i++) {
        const builtin_condition *also = &m->also[i];
        if (m->relation == RELATION_UNDER &&
            bit_is_in(also->relation, RELATIONS_SIDE) &&
            object_is_ground(r, also->reference))
            return true;
    }
    return false;
}

/* "Rotate it onto its side": what stays where it is has no zone to go to. */
static bool zone_is_of_turned(const chart_node *said, const builtin_move *m)
{
    const bool turns =
        m->relation == RELATION_TURN || m->relation == RELATION_TURNED;
    for (uint32_t i = 0; i < said->child_count && turns; i++) {
        const chart_node *place = said->children[i];
        if (node_is(place, "ZONE") && node_says(place, "$det", BIT(DET_ITS)))
            return true;
    }
    return false;
}

/* ---- lengths ---- */

static bool length_is(double has, double said)
{
    return fabs(has - said) < 1e-6 + 1e-3 * said;
}

/* Shifts by two lengths, along two axes, have the one and the other. */
static bool shift_has_length(const double shift[3], double metres)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += shift[k] * shift[k];
        if (length_is(fabs(shift[k]), metres))
            return true;
    }
    return length_is(sqrt(sum), metres);
}

/* "Its centre 30 cm from the left edge": so far less half of it is the gap. */
static bool gap_is_from_middle(const reader *r,
                               const builtin_move *m,
                               unsigned sides,
                               double gap,
                               double metres)
{
    double way[3];
    const lexicon_direction side = side_direction(sides);
    if (gap < 0 || side == 0 || m->objects.count != 1)
        return false;
    direction_way(r, side, way);
    return length_is(
        gap + builtin_extent(object_at(r, m->objects.objects[0]), way), metres);
}

static bool move_is_from_middle(const reader *r,
                                const builtin_move *m,
                                double metres)
{
    const uint32_t edge = RELATION_EDGE;
    bool is = m->relation == edge &&
              gap_is_from_middle(r, m, m->sides, m->gap, metres);
    for (uint32_t i = 0; i < m->also_count; i++) {
        const builtin_condition *also = &m->also[i];
        is = is || (also->relation == edge &&
                    gap_is_from_middle(r, m, also->sides, also->gap, metres));
    }
    return is;
}

/* Points and heights are worked out from lengths. */
static bool move_has_length(const reader *r,
                            const builtin_move *m,
                            double metres)
{
    const uint32_t worked_out = BIT(RELATION_AT) | BIT(RELATION_LEVEL);
    bool is_worked_out =
        bit_is_in(m->relation, worked_out) || m->align != ALIGN_NONE;
    if (is_worked_out || length_is(m->spacing, metres) ||
        length_is(m->gap, metres))
        return true;
    if (m->relation == RELATION_SHIFT && shift_has_length(m->shift, metres))
        return true;
    for (uint32_t i = 0; i < m->also_count; i++) {
        if (length_is(m->also[i].gap, metres))
            return true;
    }
    return move_is_from_middle(r, m, metres);
}

/* "25 cm apart, 10 cm from the edge": each length that is said is in a move, or
 * what it asks for is dropped. */
static bool length_is_dropped(const reader *r,
                              const chart_node *said,
                              uint32_t first)
{
    const bool is_length = node_is(said, "DIST") || chart_child(said, "DIST");
    if (is_length && touch_is_within(r, said, first))
        return false;
    if (node_is(said, "DIST")) {
        double most, least = where_metres(r, said, &most);
        for (uint32_t i = first; least > 0 && i < r->reading->count; i++) {
            const builtin_move *m = &r->reading->moves[i];
            const double between = (least + most) / 2;
            if (move_has_length(r, m, least) || move_has_length(r, m, most) ||
                move_has_length(r, m, between))
                return false;
        }
        return least > 0;
    }
    for (uint32_t i = 0; !said->is_terminal && i < said->child_count; i++) {
        if (length_is_dropped(r, said->children[i], first))
            return true;
    }
    return false;
}

/* ---- further places ---- */

/* "Around the fire and behind the tent": what goes to places that are worked
 * out for all together is held to no place besides. */
static bool move_drops_places(const builtin_move *m)
{
    const uint32_t together = BIT(RELATION_AROUND) | BIT(RELATION_SWAP) |
                              BIT(RELATION_SETTING) | BIT(RELATION_GROUP);
    return bit_is_in(m->relation, together) && m->also_count > 0;
}

/* ---- a pose ---- */

/* Is a word of the list said anywhere below the node as how something is to
 * be, and not as part of a name? */
static bool pose_is_said(const reader *r,
                         const chart_node *node,
                         const char *list)
{
    const bool adverb = node_is(node, "$adv") || node_is(node, "$any") ||
                        node_is(node, "$polite_end");
    if (adverb && lexicon_lists(list, reader_word(r, node->end - 1)))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (pose_is_said(r, node->children[i], list))
            return true;
    }
    return false;
}

/* "..., upright, please" stands behind the clause. */
static bool pose_is_added(const reader *r,
                          const chart_node *said,
                          const char *list)
{
    /* a node's tokens are counted from its part's first */
    const uint32_t count = r->part->end - r->part->first;
    uint32_t at = said->end;
    if (at < count && r->s->tokens[r->part->first + at].is_mark)
        at++;
    return at < count && lexicon_lists(list, reader_word(r, at));
}

static bool clause_says_pose(const reader *r,
                             const chart_node *said,
                             const char *list)
{
    return pose_is_said(r, said, list) || pose_is_added(r, said, list);
}

static bool object_lies(const builtin_object *o)
{
    return o->half[2] < 0.6 * fmin(o->half[0], o->half[1]);
}

static bool object_stands_tall(const builtin_object *o)
{
    return o->half[2] > 2 * fmin(o->half[0], o->half[1]);
}

/* "Upright" of a book that lies, "flat" of one that stands: what is moved keeps
 * the side that it stands on. */
static bool pose_is_other(const reader *r,
                          const chart_node *said,
                          uint32_t first)
{
    const bool upright = clause_says_pose(r, said, "clause: upright");
    const bool flat = clause_says_pose(r, said, "clause: flat");
    for (uint32_t i = first; i < r->reading->count && (upright || flat); i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool leans = m->relation == RELATION_AGAINST;
        for (uint32_t k = 0; k < m->objects.count; k++) {
            const builtin_object *o = object_at(r, m->objects.objects[k]);
            if (upright && object_lies(o))
                return true;
            if (flat && !leans && !o->attached && object_stands_tall(o))
                return true;
        }
    }
    return false;
}

/* Moves that contradict themselves or drop places. */
/* ---- another's place ---- */

/* What the move is to be upon; BUILTIN_NONE: it does not say. */
static uint32_t move_base(const builtin_move *m)
{
    if (bit_is_in(m->relation, BIT(RELATION_ON) | BIT(RELATION_IN)))
        return m->reference;
    return m->support;
}

/* "In the bowl where the orange is", "on the stone instead of the ball", where
 * it is not: one thing cannot be at both. */
static bool place_is_elsewhere(const reader *r, const builtin_move *m)
{
    const uint32_t count = r->facts->object_count, base = move_base(m);
    uint32_t at = m->relation == RELATION_PLACE ? m->reference : BUILTIN_NONE;
    for (uint32_t i = 0; i < m->also_count; i++) {
        if (m->also[i].relation != RELATION_PLACE || m->also[i].denied)
            continue;
        if (at != BUILTIN_NONE && at != m->also[i].reference)
            return true; /* two things' places */
        at = m->also[i].reference;
    }
    if (base >= count || at >= count || at == base)
        return false;
    return !object_is_ground(r, base) && !builtin_is_above(r->facts, at, base);
}

static etna_code place_refuse_elsewhere(reader *r, const chart_node *said)
{
    return reader_refuse_said(r, CODE_UNMET, said,
                              "what is said to be there is elsewhere");
}

/* "Next to each other, 20 cm from the jug": who comes to the others leaves the
 * place that was measured. */
static bool group_undoes_gap(const reader *r, uint32_t first)
{
    for (uint32_t i = first; i + 1 < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const builtin_move *next = &r->reading->moves[i + 1];
        const bool comes = next->relation == RELATION_GROUP &&
                           set_is_within(&next->objects, &m->objects);
        if (comes && m->gap >= 0 && m->objects.count > 1)
            return true;
    }
    return false;
}

etna_code moves_check(reader *r, const chart_node *said, uint32_t first)
{
    if (group_undoes_gap(r, first))
        return refuse_left_over(r, said);
    if (zone_is_dropped(r, said, first) || length_is_dropped(r, said, first))
        return refuse_left_over(r, said);
    if (pose_is_other(r, said, first))
        return reader_refuse(r, CODE_IMPOSSIBLE, said,
                             "\"%s\": what lies cannot be stood up, nor what "
                             "stands be laid down",
                             reader_said(r, said));
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        if (move_is_of_itself(m) || zone_is_elsewhere(m) ||
            zone_is_of_turned(said, m))
            return refuse_left_over(r, said);
        if (side_is_of_room(r, m)) /* no dearer tree says both */
            return reader_refuse_finally(r, refuse_left_over(r, said));
        if (move_drops_places(m))
            return refuse_left_over(r, said);
        if (place_is_elsewhere(r, m))
            return place_refuse_elsewhere(r, said);
    }
    return ETNA_OK;
}
