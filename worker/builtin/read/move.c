/* Moves as the verbs make them, and which way their things face. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

etna_code clause_refuse(const clause *c, const char *why)
{
    return reader_refuse_said(c->r, CODE_UNREAD, c->said, why);
}

etna_code clause_refuse_all(const clause *c)
{
    return reader_refuse_unread(c->r, c->said);
}

builtin_move move_plain(const clause *c, builtin_relation relation)
{
    builtin_move m = {.objects = c->movers,
                      .relation = relation,
                      .reference = BUILTIN_NONE,
                      .second = BUILTIN_NONE,
                      .support = BUILTIN_NONE,
                      .gap = -1,
                      .faced = BUILTIN_NONE,
                      .spacing = -1};
    reader_span(c->r, c->said, m.span);
    return m;
}

/* Does it say a place of its own? */
static bool move_goes_to(const builtin_move *m)
{
    const uint32_t stays = BIT(RELATION_TURN) | BIT(RELATION_TURNED) |
                           BIT(RELATION_SHIFT) | BIT(RELATION_OFF);
    return !bit_is_in(m->relation, stays);
}

/* "Take it off the box and put it beside the plant" is one way to go. */
static bool move_overtakes(const builtin_move *m, const builtin_move *before)
{
    return before->relation == RELATION_OFF && move_goes_to(m) &&
           set_is_within(&before->objects, &m->objects);
}

/* Is it of what was taken up from somewhere? */
static bool move_is_of_taken(const reader *r, const builtin_move *m)
{
    const reader_memory *memory = &r->memory;
    if (memory->taken.count == 0 || memory->context >= r->facts->object_count ||
        memory->context_level > 0)
        return false;
    return move_goes_to(m) && set_is_within(&m->objects, &memory->taken);
}

/* What it is taken off, it does not stay on. */
static etna_code move_note_left(reader *r, uint32_t base, builtin_set *ret)
{
    const builtin_set left = set_one(r, base);
    return set_union(r, ret, &left, ret);
}

/* What an OFF asked for that the move is to take in; of one board of several
 * the place alone tells. */
static etna_code move_take_over(reader *r,
                                const builtin_move *before,
                                builtin_set *ret)
{
    etna_code code = set_union(r, ret, &before->leaves, ret);
    return code == ETNA_OK && before->level == 0
               ? move_note_left(r, before->reference, ret)
               : code;
}

/* Is something that stands on the moved excepted: "the tray without the
 * glass"? */
static bool move_sheds(const reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        for (uint32_t k = 0; k < r->excepted.count; k++) {
            const uint32_t load = r->excepted.objects[k];
            const uint32_t by = m->objects.objects[i];
            if (load < r->facts->object_count &&
                builtin_stands_on(r->facts, load, by))
                return true;
        }
    }
    return false;
}

/* "The blocks in a block": each of them in itself. */
static bool move_is_to_itself(const builtin_move *m)
{
    const uint32_t places = BIT(RELATION_ON) | BIT(RELATION_IN) |
                            BIT(RELATION_UNDER) | BIT(RELATION_ABOVE);
    if (!bit_is_in(m->relation, places) || m->objects.need != m->objects.count)
        return false;
    /* "BoxA on BoxB and BoxC on top of both": nor are some of them */
    for (uint32_t i = 0; i < m->each.count; i++) {
        if (set_has(&m->objects, m->each.objects[i]))
            return true;
    }
    return m->each.count == 0 && set_has(&m->objects, m->reference);
}

/* "Leave the mug where it is and clear the table": it is not cleared away. What
 * stays may be turned there; any other move of it contradicts. */
static etna_code move_spare_stays(reader *r, builtin_move *m)
{
    const uint32_t in_place = BIT(RELATION_TURN) | BIT(RELATION_TURNED);
    builtin_set left = {0};
    if (r->memory.stays.count == 0 || bit_is_in(m->relation, in_place) ||
        m->objects.need != m->objects.count)
        return ETNA_OK;
    /* it was but left out of what was asked of the others */
    if (r->memory.spared.count == 1 &&
        set_is_within(&m->objects, &r->memory.spared))
        return set_without(r, &r->memory.stays, &m->objects, &r->memory.stays);
    etna_code code = set_without(r, &m->objects, &r->memory.stays, &left);
    if (code != ETNA_OK || left.count == m->objects.count)
        return code;
    if (m->relation != RELATION_OFF || left.count == 0)
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "what is to stay is also to be moved");
    m->objects = left;
    return ETNA_OK;
}

etna_code move_add_condition(reader *r,
                             builtin_move *m,
                             builtin_condition added)
{
    builtin_condition *all =
        etna_arena_alloc(r->arena, m->also_count + 1u, sizeof *all);
    if (!all)
        return reader_no_memory(r);
    if (m->also_count)
        memcpy(all, m->also, m->also_count * sizeof *all);
    all[m->also_count++] = added;
    m->also = all;
    return ETNA_OK;
}

/* "Interview scene: bin under the desk" is no floor to be put there, which is
 * so from the start. */
static etna_code move_check_things(reader *r, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        if (object_is_ground(r, m->objects.objects[i]))
            return reader_refuse(r, CODE_IMPOSSIBLE, NULL,
                                 "%.200s is the ground, and stays",
                                 object_at(r, m->objects.objects[i])->name);
    }
    return ETNA_OK;
}

/* "Two of the glasses with the third": that is none of the two. */
static etna_code move_spare_reference(reader *r, builtin_move *m)
{
    const uint32_t need = m->objects.need;
    if (need == m->objects.count || !set_has(&m->objects, m->reference))
        return ETNA_OK;
    const builtin_set place = set_one(r, m->reference);
    etna_code code = set_without(r, &m->objects, &place, &m->objects);
    m->objects.need = need;
    return code;
}

/* "Exchange the drill and the hammer, both stay on the bench": two that stand on
 * one thing stand on it when they have traded places, and are not asked to be
 * there in place of that. */
static bool move_holds_by_trade(const reader *r, const builtin_move *m)
{
    if (!move_is_carried(r, m))
        return false;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const trade = &r->reading->moves[i];
        const builtin_set other = set_one(r, trade->reference);
        const builtin_set on = set_one(r, m->reference);
        const bool trades = trade->relation == RELATION_SWAP &&
                            trade->reference < r->facts->object_count &&
                            set_is_carried(r, &trade->objects, &on) &&
                            set_is_carried(r, &other, &on);
        bool all = trades && m->objects.need == m->objects.count;
        for (uint32_t k = 0; k < m->objects.count && all; k++)
            all = set_has(&trade->objects, m->objects.objects[k]) ||
                  m->objects.objects[k] == trade->reference;
        if (all)
            return true;
    }
    return false;
}

/* Adds a move to the reading. Moves that this one overtakes (same things, said
 * again) are taken over. More than BUILTIN_MOVES_MAX are refused. */
etna_code move_add(reader *r, const builtin_move *asked)
{
    builtin_reading *all = r->reading;
    builtin_move spared = *asked;
    const builtin_move *m = &spared;
    etna_code code = move_check_things(r, asked);
    if (code == ETNA_OK)
        code = move_spare_stays(r, &spared);
    if (code == ETNA_OK)
        code = move_spare_reference(r, &spared);
    if (code != ETNA_OK)
        return code;
    if (move_is_to_itself(m))
        return reader_refuse(
            r, CODE_UNREAD, NULL,
            "what is to be put somewhere is also where it is to go");
    if (move_holds_by_trade(r, m))
        return ETNA_OK;
    builtin_set leaves = m->leaves;
    if (move_is_of_taken(r, m))
        code = move_note_left(r, r->memory.context, &leaves);
    while (code == ETNA_OK && all->count > r->first_move &&
           move_overtakes(m, &all->moves[all->count - 1]))
        code = move_take_over(r, &all->moves[--all->count], &leaves);
    if (code != ETNA_OK)
        return code;
    if (all->count == BUILTIN_MOVES_MAX)
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "it asks for more than %d moves",
                             BUILTIN_MOVES_MAX);
    builtin_move *added = &all->moves[all->count++];
    *added = *m;
    added->leaves = leaves;
    added->alone = m->alone || move_sheds(r, m);
    return ETNA_OK;
}

/* ---- facing ---- */

/* "Beside the left bed, facing the bed": of the beds the one that was just
 * named. */
static bool faced_was_named(reader *r,
                            const chart_node *what,
                            const refer_scope *scope,
                            uint32_t reference)
{
    refer_scope any = *scope;
    builtin_set of = {0};
    any.any = true;
    bool ambiguous =
        r->refusal.code && strcmp(r->refusal.code, "ambiguous") == 0;
    if (!ambiguous || reference >= r->facts->object_count)
        return false;
    return refer_peek_things(r, what, &any, &of) == ETNA_OK &&
           set_has(&of, reference);
}

/* "Under the window, backs to that wall": of these the one that the clause's
 * place is at. BUILTIN_NONE: it is at none. */
static uint32_t wall_of_place(const clause *c, const builtin_set *walls)
{
    const double at = 0.2; /* metres */
    const refer_scope place = refer_scope_place(&c->movers);
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        uint32_t by = BUILTIN_NONE;
        const chart_node *const what = c->d.relations[i].what;
        if (!what || refer_peek_one(c->r, what, &place, &by) != ETNA_OK ||
            by >= c->r->facts->object_count)
            continue;
        const uint32_t wall = set_nearest(c->r, walls, by);
        const bool other = wall != by && !set_has(walls, by);
        if (other && object_way(c->r, by, wall) < at)
            return wall;
    }
    return BUILTIN_NONE;
}

static bool object_is_called_wall(const reader *r,
                                  uint32_t object,
                                  const void *context)
{
    (void)context;
    return object_is_wall_like(r, object) &&
           object_has_word(object_at(r, object), "wall");
}

/* "Its back to the wall": to the nearest, which must be one for all. */
static etna_code faced_find_wall(const clause *c,
                                 const chart_node *node,
                                 const chart_node *what,
                                 uint32_t *ret)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .any = true, .many = true};
    builtin_set walls = {0};
    etna_code code = refer_things(r, what, &any, &walls);
    /* what was named last may be as thin and upright as a wall */
    if (code == ETNA_OK && walls.count == 1 &&
        !object_has_word(object_at(r, walls.objects[0]), "wall"))
        code = set_filter(r, object_is_called_wall, NULL, &walls);
    if (code != ETNA_OK)
        return code;
    if (walls.count == 0)
        return reader_refuse_said(r, CODE_AMBIGUOUS, node,
                                  "which wall that is is not clear");
    *ret = wall_of_place(c, &walls);
    if (*ret != BUILTIN_NONE)
        return ETNA_OK;
    *ret = set_nearest(r, &walls, c->movers.objects[0]);
    for (uint32_t i = 1; i < c->movers.count; i++) {
        if (set_nearest(r, &walls, c->movers.objects[i]) != *ret)
            return reader_refuse_said(r, CODE_AMBIGUOUS, node,
                                      "they are nearest to different walls");
    }
    return ETNA_OK;
}

/* "Their nearest table", of several things: not one table. */
static bool faced_is_each_own(const clause *c, const chart_node *what)
{
    bool nearest = false;
    if (c->movers.count < 2 || !node_says(what, "$det", BIT(DET_ITS)))
        return false;
    for (uint32_t at = what->first; at < what->end; at++)
        nearest = nearest || reader_lists(c->r, at, "clause: nearest");
    return nearest;
}

/* Metres from the middle of those that are faced. */
static double faced_rank(const reader *r, uint32_t object, const void *context)
{
    const builtin_set *faced = context;
    double off[2] = {0, 0};
    for (uint32_t i = 0; i < faced->count; i++) {
        for (int k = 0; k < 2; k++)
            off[k] += (object_at(r, faced->objects[i])->centre[k] -
                       object_at(r, object)->centre[k]) /
                      faced->count;
    }
    return sqrt(off[0] * off[0] + off[1] * off[1]);
}

/* One thing, or of a group of several the one in its middle: "looking towards
 * the three chairs". */
static etna_code faced_find(const clause *c,
                            const chart_node *what,
                            const refer_scope *scope,
                            uint32_t *ret)
{
    reader *r = c->r;
    enum {
        GROUP = 3
    }; /* of two none is in the middle */
    builtin_set faced;
    refer_scope several = *scope;
    several.many = true;
    if (!node_is(what, "THING") || !phrase_is_plural(r, what) ||
        phrase_is_each(what))
        return refer_one(r, what, scope, ret);
    etna_code code = refer_things(r, what, &several, &faced);
    if (code != ETNA_OK)
        return code;
    if (faced.count < GROUP || faced.need != faced.count)
        return refer_one(r, what, scope, ret);
    *ret = set_least(r, &faced, faced_rank, &faced);
    return ETNA_OK;
}

/* "The back of the hall": a part of what is no thing here, and no other name of
 * anything. */
bool move_faces_part_of_room(reader *r, const chart_node *what)
{
    const chart_node *const core = what ? chart_child(what, "CORE") : NULL;
    const chart_node *const of = what ? chart_child(what, "OF") : NULL;
    const refer_scope any = {.on = BUILTIN_NONE, .any = true};
    builtin_set whole;
    if (!core || !of || !reader_lists(r, core->end - 1, "move: part"))
        return false;
    const chart_node *const thing = node_things(of, 0);
    return !thing || phrase_means_room(r, thing) ||
           refer_peek_things(r, thing, &any, &whole) != ETNA_OK;
}

/* What says no thing to face. */
static etna_code faced_check_said(const clause *c, const chart_node *node)
{
    reader *r = c->r;
    const chart_node *what = node_things(node, 0);
    const bool seat =
        c->movers.count > 0 && object_is_seat(r, c->movers.objects[0]);
    if (node_is(node, "SEES") && !seat) /* who sits there sees it */
        return reader_refuse_said(
            r, CODE_UNREAD, node,
            "what is asked of its place is not understood");
    const bool front = (what && reader_word_is(r, what->end - 1, "front")) ||
                       move_faces_part_of_room(r, what);
    /* a way, and nothing to turn to at a new place */
    if (front)
        return reader_refuse(r, CODE_UNREAD, node,
                             "\"%s\" is understood of what is merely turned",
                             reader_said(r, node));
    if (!what)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "what it is to face is not said");
    return ETNA_OK;
}

/* "Me", "it" and the room need no search; *ret_found: it is one of these. */
static etna_code faced_find_known(const clause *c,
                                  const chart_node *node,
                                  uint32_t reference,
                                  bool *ret_found,
                                  uint32_t *ret)
{
    reader *r = c->r;
    const chart_node *what = node_things(node, 0);
    *ret_found = true;
    if (phrase_is_pronoun(what, PRON_ME)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    if (phrase_is_pronoun(what, PRON_IT) &&
        reference < r->facts->object_count) {
        *ret = reference;
        return ETNA_OK;
    }
    *ret_found = phrase_means_room(r, what);
    if (!*ret_found)
        return ETNA_OK;
    const uint32_t floor = refer_floor(r->facts);
    if (floor == BUILTIN_NONE)
        return reader_refuse(r, CODE_UNREAD, node,
                             "where the room is is not clear");
    *ret = floor;
    return ETNA_OK;
}

/* "Along the left wall, backs to the wall": no other one. */
static bool faced_is_wall_of_place(const reader *r,
                                   const chart_node *what,
                                   uint32_t reference)
{
    const chart_node *const core = chart_child(what, "CORE");
    const bool bare = core && core->child_count == 1 &&
                      !chart_child(what, "MOD") && !chart_child(what, "$quant");
    if (!bare || reference >= r->facts->object_count)
        return false;
    /* a window stands as thin and upright as a wall, and so does a bookcase */
    return object_has_word(object_at(r, reference), "wall") &&
           object_is_wall_like(r, reference);
}

/* What the thing is to face: BUILTIN_CAMERA for "me". Where it cannot be found
 * but could be the reference under another name, the reference is meant. */
etna_code move_find_faced(const clause *c,
                          const chart_node *node,
                          uint32_t reference,
                          uint32_t *ret)
{
    reader *r = c->r;
    const chart_node *what = node_things(node, 0);
    bool is_found = false;
    etna_code code = faced_check_said(c, node);
    if (code == ETNA_OK)
        code = faced_find_known(c, node, reference, &is_found, ret);
    if (code != ETNA_OK || is_found)
        return code;
    const bool wall = phrase_is_wall(r, what);
    if (wall && faced_is_wall_of_place(r, what, reference)) {
        *ret = reference;
        return ETNA_OK;
    }
    if (wall && c->movers.count > 0)
        return faced_find_wall(c, node, what, ret);
    if (faced_is_each_own(c, what))
        return reader_refuse_said(
            r, CODE_UNREAD, what,
            "which one that is for each of them is to be said");
    bool all = c->movers.need == c->movers.count;
    refer_scope scope = {.on = BUILTIN_NONE, .barred = all ? &c->movers : NULL};
    const reader before = *r;
    bool is_reference;
    code = phrase_is_again(r, what, reference, &is_reference);
    if (code != ETNA_OK || is_reference) {
        *ret = reference;
        return code;
    }
    code = faced_find(c, what, &scope, ret);
    if (code != ETNA_E_INPUT || !faced_was_named(r, what, &scope, reference))
        return code;
    *r = before;
    *r->err = (etna_error){0};
    *ret = reference;
    return ETNA_OK;
}

/* "On the other side of" it, and not merely "opposite" it. */
static bool clause_says_other_side(const clause *c)
{
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const condition *where = &c->d.relations[i];
        const chart_node *rel = chart_child(where->node, "$rel");
        const bool across =
            where->relation == REL_OPPOSITE && rel && rel->end > rel->first + 1;
        if (across && reader_word_is(c->r, rel->end - 2, "side"))
            return true;
    }
    return false;
}

/* Whatever the move's conditions say of a side of its place is `across` then. */
static etna_code conditions_lead_across(reader *r,
                                        builtin_move *m,
                                        builtin_relation across)
{
    builtin_condition *also =
        etna_arena_alloc(r->arena, m->also_count + 1u, sizeof *also);
    if (!also)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < m->also_count; i++) {
        also[i] = m->also[i];
        if (also[i].reference == m->reference &&
            bit_is_in(also[i].relation, RELATIONS_ASIDE))
            also[i].relation = across;
    }
    m->also = also;
    return ETNA_OK;
}

/* "On the other side of the table, facing the sofa": across it from the sofa,
 * and not from where the things stand now. */
static etna_code move_lead_across(const clause *c, builtin_move *m)
{
    reader *r = c->r;
    const uint32_t objects = r->facts->object_count;
    const bool two = m->faced < objects && m->reference < objects &&
                     m->faced != m->reference;
    if (!two || m->facing != FACING_TO || !clause_says_other_side(c))
        return ETNA_OK;
    const builtin_relation across = side_opposite(r, m->faced, m->reference);
    etna_code code = conditions_lead_across(r, m, across);
    if (code != ETNA_OK)
        return code;
    if (bit_is_in(m->relation, RELATIONS_ASIDE))
        m->relation = across;
    if (m->relation == RELATION_LINE)
        m->sides = side_of_relation(across);
    return ETNA_OK;
}

/* "Against the wall, facing into the room": away from that wall. */
static bool faces_room_from_wall(const clause *c,
                                 const chart_node *node,
                                 const builtin_move *m)
{
    const chart_node *what = node_things(node, 0);
    return m->facing == FACING_TO && m->reference < c->r->facts->object_count &&
           object_is_wall_like(c->r, m->reference) &&
           phrase_means_room(c->r, what);
}

etna_code move_face(const clause *c, builtin_move *m)
{
    const chart_node *node = c->d.face ? c->d.face : c->d.back_to;
    /* what is to face the front is turned first (clause_turn_first) */
    if (!node || node_is(node, "TOVIEWER"))
        return ETNA_OK;
    m->facing = c->d.face ? FACING_TO : FACING_BACK;
    etna_code code = move_find_faced(c, node, m->reference, &m->faced);
    if (code == ETNA_OK && faces_room_from_wall(c, node, m)) {
        m->facing = FACING_BACK;
        m->faced = m->reference;
    }
    return code == ETNA_OK ? move_lead_across(c, m) : code;
}
