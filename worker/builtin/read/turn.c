/* What turns where it stands. How a turn is said is a table, tried in order. */
#include "worker/builtin/place/exact.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>
#include <stdio.h>

/* ---- turns ---- */

static const chart_node *turn_face(const clause *c)
{
    return c->d.face ? c->d.face : c->d.back_to;
}

static bool turn_is_mutual(const clause *c)
{
    const chart_node *what = turn_face(c) ? node_things(turn_face(c), 0) : NULL;
    bool toward = !what && c->d.relation_count == 1 &&
                  c->d.relations[0].relation == REL_TOWARD;
    if (toward)
        what = c->d.relations[0].what;
    return c->movers.count == 2 && what &&
           phrase_is_pronoun(what, PRON_EACH_OTHER);
}

/* "face each other". */
static etna_code turn_mutual(const clause *c)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < 2 && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_TURNED);
        m.objects = set_one(c->r, c->movers.objects[i]);
        m.facing = c->d.back_to ? FACING_BACK : FACING_TO;
        m.faced = c->movers.objects[1 - i];
        code = move_add(c->r, &m);
    }
    return code;
}

static bool turn_faces(const clause *c)
{
    return turn_face(c) != NULL;
}

/* The nearest; of two about as near the one that it looks at already: desks
 * stand in rows, and a chair between two of them is the one's that is before
 * it. */
static double rank_way(const reader *r, uint32_t object, const void *context)
{
    const double behind = 1.2; /* what is behind it is so much farther */
    const uint32_t *mover = context;
    const builtin_object *o = object_at(r, object);
    const builtin_object *from = object_at(r, *mover);
    const double dx = o->centre[0] - from->centre[0];
    const double dy = o->centre[1] - from->centre[1];
    double front[2];
    const bool is_behind = builtin_front_of(r->facts, *mover, front) &&
                           dx * front[0] + dy * front[1] < 0;
    return object_way(r, object, *mover) * (is_behind ? behind : 1);
}

/* "Their tables", and not "their nearest table". */
static bool phrase_is_each_own(const chart_node *thing)
{
    return node_says(thing, "$det", BIT(DET_ITS)) &&
           !chart_child(thing, "NEAREST");
}

/* "Turn every chair so that it faces its table", "away from its table": of the
 * tables the nearest to each. *ret false: it is one thing that all are to face. */
static etna_code turn_to_own(const clause *c,
                             const chart_node *what,
                             builtin_facing facing,
                             bool *ret)
{
    reader *r = c->r;
    const refer_scope scope = {
        .on = BUILTIN_NONE, .any = true, .many = true, .barred = &c->movers};
    builtin_set own = {0};
    const bool are_all =
        c->movers.count > 1 && c->movers.need == c->movers.count;
    *ret = false;
    if (!what || !are_all || !phrase_is_each_own(what))
        return ETNA_OK;
    etna_code code = refer_things(r, what, &scope, &own);
    *ret = code == ETNA_OK && own.count > 1;
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK && *ret; i++) {
        builtin_move m = move_plain(c, RELATION_TURNED);
        m.objects = set_one(r, c->movers.objects[i]);
        m.facing = facing;
        m.faced = set_least(r, &own, rank_way, &c->movers.objects[i]);
        code = move_add(r, &m);
    }
    return code;
}

static etna_code turn_to_face(const clause *c)
{
    const chart_node *const face = turn_face(c);
    const chart_node *const what = face ? node_things(face, 0) : NULL;
    bool own = false;
    etna_code each =
        turn_to_own(c, what, c->d.face ? FACING_TO : FACING_BACK, &own);
    if (each != ETNA_OK || own)
        return each;
    builtin_move m = move_plain(c, RELATION_TURNED);
    etna_code code = move_face(c, &m);
    return code == ETNA_OK ? move_add(c->r, &m) : code;
}

/* "Turn it toward the window". */
static const condition *turn_relation(const clause *c)
{
    const uint32_t ways = BIT(REL_TOWARD) | BIT(REL_TO) | BIT(REL_AT) |
                          BIT(REL_AWAY) | BIT(REL_FROM);
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (bit_is_in(c->d.relations[i].relation, ways))
            return &c->d.relations[i];
    }
    return NULL;
}

static bool turn_is_related(const clause *c)
{
    return turn_relation(c) != NULL;
}

/* "turn it toward the window". */
static etna_code turn_to_relation(const clause *c)
{
    const condition *to = turn_relation(c);
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = &c->movers};
    builtin_move m = move_plain(c, RELATION_TURNED);
    m.facing = bit_is_in(to->relation, BIT(REL_AWAY) | BIT(REL_FROM))
                   ? FACING_BACK
                   : FACING_TO;
    bool viewer = phrase_is_pronoun(to->what, PRON_ME), own = false;
    m.faced = BUILTIN_CAMERA;
    etna_code code = turn_to_own(c, to->what, m.facing, &own);
    if (code != ETNA_OK || own)
        return code;
    code = viewer ? ETNA_OK : refer_one(c->r, to->what, &scope, &m.faced);
    /* "... and push it closer to it" */
    if (code == ETNA_OK && !viewer)
        c->r->memory.last_reference = m.faced;
    return code == ETNA_OK ? move_add(c->r, &m) : code;
}

/* Degrees: "a bit", "slightly". */
static const double turn_bit = 15;

/* "Turn it slightly clockwise", "a bit towards the sofa" */
static bool turn_is_slight(const clause *c)
{
    const reader *const r = c->r;
    for (uint32_t at = c->said->first; at < c->said->end; at++) {
        const bool of = at > c->said->first && reader_word_is(r, at - 1, "a") &&
                        reader_lists(r, at, "turn: bit");
        if (of || reader_lists(r, at, "turn: slightly"))
            return true;
    }
    return false;
}

/* Of an ANGLE, without its sense. */
static double turn_degrees(const clause *c, const chart_node *node)
{
    const chart_node *number = chart_find(node, "$num");
    const chart_node *by = angle_turn_by(node);
    const chart_node *negative = chart_find(node, "$num_negative");
    if (by)
        return by->value;
    if (negative)
        return -(negative->value / 1000.0);
    if (number)
        return number->value / 1000.0;
    return turn_is_slight(c) ? turn_bit : 90;
}

/* "45 degrees toward the window": some of the way there. */
static bool turn_is_part_of_way(const clause *c)
{
    if (!turn_relation(c))
        return false;
    return c->d.angle ? !chart_find(c->d.angle, "$spin") : turn_is_slight(c);
}

/* Its angle has no sense of its own: the one that brings the front nearer. */
static etna_code turn_part_of_way(const clause *c)
{
    const double degrees = c->d.angle ? turn_degrees(c, c->d.angle) : turn_bit;
    const uint32_t first = c->r->reading->count;
    etna_code code = turn_to_relation(c);
    if (code != ETNA_OK)
        return code;
    const builtin_move to = c->r->reading->moves[first];
    c->r->reading->count = first;
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++) {
        const uint32_t object = c->movers.objects[i];
        double front[2];
        double way[2];
        bool known = builtin_front_of(c->r->facts, object, front) &&
                     builtin_facing_way(c->r->facts, &to,
                                        object_at(c->r, object)->centre, way);
        if (!known)
            return clause_refuse(c, "where its front is is not known");
        builtin_move m = move_plain(c, RELATION_TURN);
        m.objects = set_one(c->r, object);
        m.faced = to.faced;
        m.turn = front[0] * way[1] - front[1] * way[0] < 0 ? -degrees : degrees;
        code = move_add(c->r, &m);
    }
    return code;
}

/* The heading of the first wall, in degrees; 0: there is none. */
static double straight_frame(const reader *r)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (object_is_wall_like(r, i))
            return object_at(r, i)->yaw_deg;
    }
    return 0;
}

/* Degrees to the nearest heading that is square to the frame. */
static double straight_angle(const reader *r, uint32_t object, double frame)
{
    double off = object_at(r, object)->yaw_deg - frame;
    return -(off - 90 * floor(off / 90 + 0.5));
}

/* What "$parallel" words ask for. */
typedef enum parallel_way {
    PARALLEL_SQUARE = 0, /* "square to": any side along any */
    PARALLEL_HEADING,    /* "with the same heading as": the fronts one way */
    PARALLEL_LENGTHS     /* "parallel to": of oblong things the long sides */
} parallel_way;

/* The way of its longer side; false: it has none that one would see. */
static bool object_length_way(const builtin_object *o, double ret[2])
{
    const double oblong = 1.2;
    const bool lengthwise = o->half[1] >= o->half[0];
    ret[0] = lengthwise ? o->heading[0] : -o->heading[1];
    ret[1] = lengthwise ? o->heading[1] : o->heading[0];
    const double longer = lengthwise ? o->half[1] : o->half[0];
    return longer >= oblong * (lengthwise ? o->half[0] : o->half[1]);
}

/* Degrees, the short way round, by which the object is to be turned. */
static double parallel_angle(const reader *r,
                             uint32_t object,
                             uint32_t to,
                             parallel_way way)
{
    const builtin_object *o = object_at(r, object);
    const builtin_object *like = object_at(r, to);
    double own[2], other[2];
    if (way == PARALLEL_HEADING) {
        builtin_front_of(r->facts, object, own);
        builtin_front_of(r->facts, to, other);
        const double turn = builtin_turn_between(own, other);
        return turn > 180 ? turn - 360 : turn;
    }
    const bool has_lengths =
        object_length_way(o, own) && object_length_way(like, other);
    if (way == PARALLEL_SQUARE || !has_lengths)
        return straight_angle(r, object, like->yaw_deg);
    const double turn = fmod(builtin_turn_between(own, other), 180);
    return turn > 90 ? turn - 180 : turn;
}

static bool turn_is_straight(const clause *c)
{
    return c->d.straight;
}

/* Which way it is to be parallel to what `straight` names; NULL: to
 * nothing. */
static const chart_node *straight_word(const chart_node *straight)
{
    const chart_node *parallel = chart_child(straight, "$parallel");
    const chart_node *same = chart_child(straight, "$same_way");
    if (same)
        return same;
    if (parallel || !node_things(straight, 0))
        return parallel;
    return chart_child(straight, "$rel_length");
}

static parallel_way straight_way(const chart_node *word)
{
    return node_is(word, "$rel_length") ? PARALLEL_LENGTHS
                                        : (parallel_way)word->value;
}

/* "One of the chairs stands crooked, straighten it": those that are most so,
 * where they are by some lead. */
static etna_code straight_choose(const clause *c,
                                 double frame,
                                 builtin_set *ret)
{
    const double lead = 10; /* degrees */
    reader *r = c->r;
    *ret = c->movers;
    if (ret->need >= ret->count)
        return ETNA_OK;
    uint32_t *order =
        etna_arena_memdup(r->arena, ret->objects, ret->count * sizeof *order);
    if (!order)
        return reader_no_memory(r);
    for (uint32_t i = 1; i < ret->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const uint32_t own = order[k];
            if (fabs(straight_angle(r, own, frame)) <=
                fabs(straight_angle(r, order[k - 1], frame)))
                break;
            order[k] = order[k - 1];
            order[k - 1] = own;
        }
    }
    const double last = fabs(straight_angle(r, order[ret->need - 1], frame));
    const double next = fabs(straight_angle(r, order[ret->need], frame));
    if (last < next + lead)
        return reader_refuse(r, CODE_AMBIGUOUS, c->said,
                             "which of them stands askew is not clear");
    *ret =
        (builtin_set){.count = ret->need, .objects = order, .need = ret->need};
    return ETNA_OK;
}

/* Asks for one thing's turn, degrees. */
static etna_code turn_one(const clause *c, uint32_t object, double degrees)
{
    builtin_move m = move_plain(c, RELATION_TURN);
    m.objects = set_one(c->r, object);
    m.turn = degrees;
    return move_add(c->r, &m);
}

/* "All the same way": as each other, and as nothing else. */
static bool straight_is_alike(const clause *c)
{
    return chart_child(c->d.straight, "$same_way") && c->movers.count > 1;
}

/* What is named to be parallel to: one thing, or any of several that look the
 * same way. */
static etna_code straight_find(const clause *c,
                               const chart_node *what,
                               parallel_way way,
                               uint32_t *ret)
{
    const double alike = 10; /* degrees */
    reader *const r = c->r;
    refer_scope scope = {.on = BUILTIN_NONE, .barred = &c->movers};
    if (!phrase_is_plural(r, what))
        return refer_one(r, what, &scope, ret);
    builtin_set all = {0};
    scope.many = true;
    const etna_code code = refer_things(r, what, &scope, &all);
    if (code != ETNA_OK)
        return code;
    *ret = all.objects[0];
    for (uint32_t i = 1; i < all.count; i++) {
        if (fabs(parallel_angle(r, all.objects[i], *ret, way)) > alike)
            return clause_refuse(c, "they do not look the same way");
    }
    return ETNA_OK;
}

/* "Parallel to each other": to the first of them. */
bool straight_is_mutual(const clause *c)
{
    const chart_node *const said = c->d.straight;
    const chart_node *const to = said ? node_things(said, 0) : NULL;
    if (said && chart_child(said, "'parallel'"))
        return true; /* and to nothing that is said */
    return to && phrase_is_pronoun(to, PRON_EACH_OTHER);
}

/* The first keeps its heading, and the others are turned to that. */
static etna_code turn_mutually_straight(const clause *c)
{
    const chart_node *const word = straight_word(c->d.straight);
    const builtin_set *const all = &c->movers;
    const parallel_way way = word ? straight_way(word) : PARALLEL_LENGTHS;
    etna_code code = ETNA_OK;
    if (all->count < 2 || all->need != all->count)
        return clause_refuse(c, "which of them are to be parallel is not "
                                "clear");
    for (uint32_t i = 0; i < all->count && code == ETNA_OK; i++) {
        const uint32_t object = all->objects[i];
        const double turn =
            i == 0 ? 0 : parallel_angle(c->r, object, all->objects[0], way);
        code = turn_one(c, object, turn);
    }
    return code;
}

/* Which way an edge of it runs: "parallel to the left edge of the desk", "to its
 * short side". False: no edge is said, or a long one, as what is long runs
 * anyway. */
static bool straight_edge_way(const clause *c, uint32_t to, double ret[2])
{
    const chart_node *const said = c->d.straight;
    const chart_node *const side = chart_child(said, "$side");
    const bool is_short =
        chart_child(said, "'short'") || chart_child(said, "'shorter'");
    double way[2];
    if (!side && !is_short)
        return false;
    if (side)
        side_way(c->r, to, side_own(c->r, to, side->value), way);
    else
        object_length_way(object_at(c->r, to), way);
    ret[0] = -way[1];
    ret[1] = way[0];
    return true;
}

/* Degrees, the short way round, by which its length comes to run that way; of
 * what has none that one would see, any of its sides. */
static double edge_angle(const reader *r, uint32_t object, const double way[2])
{
    double own[2];
    const bool oblong = object_length_way(object_at(r, object), own);
    const double full = oblong ? 180 : 90;
    const double turn = fmod(builtin_turn_between(own, way), full);
    return turn > full / 2 ? turn - full : turn;
}

/* "Straight", to the walls; "parallel to the sofa", to that. */
static etna_code turn_straight(const clause *c)
{
    const chart_node *what = node_things(c->d.straight, 0);
    const chart_node *parallel = straight_word(c->d.straight);
    uint32_t to = c->parallel ? c->parallel - 1 : BUILTIN_NONE;
    const bool named = parallel && c->parallel == 0;
    if (straight_is_alike(c) || (named && !what))
        return clause_refuse(c, "the same way as what is not said");
    etna_code code = ETNA_OK;
    if (named)
        code = straight_find(c, what, straight_way(parallel), &to);
    const bool known = to < c->r->facts->object_count;
    const double frame = straight_frame(c->r);
    double edge[2];
    const bool along = known && straight_edge_way(c, to, edge);
    builtin_set movers = c->movers;
    if (known)
        c->r->memory.last_reference = to;
    if (code == ETNA_OK)
        code = straight_choose(c, frame, &movers);
    for (uint32_t i = 0; i < movers.count && code == ETNA_OK; i++) {
        const uint32_t object = movers.objects[i];
        double turn =
            known ? parallel_angle(c->r, object, to, straight_way(parallel))
                  : straight_angle(c->r, object, frame);
        if (along)
            turn = edge_angle(c->r, object, edge);
        code = turn_one(c, object, turn);
    }
    return code;
}

static const chart_node *turn_direction(const clause *c)
{
    return c->d.shift && !c->d.angle ? chart_find(c->d.shift, "$dir") : NULL;
}

/* "Turn it to me", and not "forward". */
static bool turn_is_to_viewer(const clause *c)
{
    const chart_node *dir = turn_direction(c);
    return dir && dir->value == DIR_FRONT &&
           reader_word(c->r, dir->end - 1)[0] != 'f';
}

static etna_code turn_to_viewer(const clause *c)
{
    builtin_move m = move_plain(c, RELATION_TURNED);
    m.facing = FACING_TO;
    m.faced = BUILTIN_CAMERA;
    return move_add(c->r, &m);
}

/* "To face the front", "to the front", "to face the front of the hall": to the
 * side of who looks, wherever it stands. */
static bool turn_is_to_front(const clause *c)
{
    const chart_node *const dir = turn_direction(c);
    if (dir && dir->value == DIR_FRONT &&
        reader_word_is(c->r, dir->end - 1, "front"))
        return true;
    if (!c->d.face || node_is(c->d.face, "TOVIEWER"))
        return c->d.face;
    const chart_node *const what = node_things(c->d.face, 0);
    const chart_node *const core = what ? chart_child(what, "CORE") : NULL;
    return core && reader_word_is(c->r, core->end - 1, "front") &&
           move_faces_part_of_room(c->r, what);
}

/* To the picture's front, but square to the walls. */
static etna_code turn_to_front(const clause *c)
{
    double right[2], away[2], front[2];
    etna_code code = ETNA_OK;
    if (details_have_places(&c->d))
        return clause_refuse(
            c, "to face the front is understood of what is merely turned");
    builtin_picture_axes(c->r->facts, right, away);
    const double frame = straight_frame(c->r);
    const double seen = math_atan2(-away[1], -away[0]) * 180 / MATH_PI;
    const double square = frame + 90 * floor((seen - frame) / 90 + 0.5);
    double toward[2]; /* square to the walls */
    math_sincos(square * MATH_PI / 180, &toward[1], &toward[0]);
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_TURN);
        m.objects = set_one(c->r, c->movers.objects[i]);
        /* else its heading */
        builtin_front_of(c->r->facts, c->movers.objects[i], front);
        m.turn = builtin_turn_between(front, toward);
        if (m.turn > 180)
            m.turn -= 360;
        if (fabs(m.turn) < 1e-6)
            m.turn = 0;
        code = move_add(c->r, &m);
    }
    return code;
}

static bool turn_is_sideways(const clause *c)
{
    const chart_node *dir = turn_direction(c);
    return dir && bit_is_in(dir->value, BIT(DIR_LEFT) | BIT(DIR_RIGHT));
}

static etna_code turn_sideways(const clause *c)
{
    const double degrees = chart_find(c->d.shift, "$bit") ? turn_bit : 90;
    builtin_move m = move_plain(c, RELATION_TURN);
    m.turn = turn_direction(c)->value == DIR_LEFT ? degrees : -degrees;
    return move_add(c->r, &m);
}

static bool turn_has_angle(const clause *c)
{
    return c->d.angle;
}

/* "The plates to another one": no angle of one degree. */
static bool angle_is_of_one(const chart_node *angle)
{
    const chart_node *number = chart_find(angle, "$num");
    return number && number->value == 1000 && !chart_find(angle, "$degree");
}

/* "Turn it round, it should look the other way": that is the same half turn, and
 * no further one. */
static bool turn_is_told_again(const clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    const bool half = fabs(turn_degrees(c, c->d.angle)) == 180;
    return half && node_is(c->said, "STATE") && last &&
           c->r->reading->count > c->r->first_move &&
           last->relation == RELATION_TURN && fabs(last->turn) == 180 &&
           set_is_within(&c->movers, &last->objects) &&
           set_is_within(&last->objects, &c->movers);
}

/* "Put it by 2": of no turn, where neither a verb nor "degrees" says so. */
static bool angle_is_bare(const clause *c, const chart_node *node)
{
    const chart_node *const verb = chart_child(c->said, "$verb");
    return verb && verb->value == VERB_PUT && chart_find(node, "$num") &&
           !chart_find(node, "$degree") && !chart_find(node, "$spin");
}

/* "Move it about": of no turn either, as "turn it about" is. */
static bool angle_is_manner(const clause *c, const chart_node *node)
{
    const chart_node *const verb = chart_child(c->said, "$verb");
    const chart_node *const by = angle_turn_by(node);
    if (!verb || verb->value == VERB_TURN || !by || by->end > by->first + 1)
        return false;
    return reader_lists(c->r, by->first, "turn: about") &&
           !reader_lists(c->r, verb->first, "turn: swing");
}

/* "90 degrees clockwise", "a quarter turn to the left". */
static etna_code turn_by_angle(const clause *c)
{
    const chart_node *node = c->d.angle;
    const chart_node *spin = chart_find(node, "$spin");
    if (angle_is_of_one(node) || angle_is_bare(c, node) ||
        angle_is_manner(c, node))
        return clause_refuse_all(c);
    if (turn_is_told_again(c)) {
        reader_remark(c->r, c->said);
        return ETNA_OK;
    }
    const double degrees = turn_degrees(c, node);
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (node_is(node->children[i], "$spin") && node->children[i]->value)
            spin = node->children[i];
    }
    if (c->d.sense && (!spin || spin->value == 0))
        spin = chart_find(c->d.sense, "$spin");
    bool clockwise = (spin && spin->value == 2) ||
                     (node_value(node, "$side") & LEXICON_RIGHT);
    builtin_move m = move_plain(c, RELATION_TURN);
    m.turn = degrees * (clockwise ? -1 : 1);
    return move_add(c->r, &m);
}

bool turn_is_kept(const clause *c)
{
    return c->d.straight && (chart_find(c->d.straight, "$kept_way") ||
                             chart_find(c->d.straight, "$as_now"));
}

etna_code turn_keep(const clause *c)
{
    const builtin_reading *const reading = c->r->reading;
    const builtin_move *const last =
        reading->count > 0 ? &reading->moves[reading->count - 1] : NULL;
    etna_code code = ETNA_OK;
    if (last && last->relation == RELATION_TURN && last->turn == 0)
        return ETNA_OK; /* asked for before the place */
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++)
        code = turn_one(c, c->movers.objects[i], 0);
    return code;
}

/* Do the tokens from `at` on begin with a phrase of staying in place? */
static bool turn_is_in_place_at(const reader *r, uint32_t at)
{
    enum {
        WORDS_MOST = 4
    };
    char said[96] = "";
    size_t used = 0;
    for (uint32_t i = at; i < r->part->end && i < at + WORDS_MOST; i++) {
        const int size = snprintf(said + used, sizeof said - used, "%s%s",
                                  used ? " " : "", r->s->tokens[i].text);
        if (size < 0 || (size_t)size >= sizeof said - used)
            return false;
        used += (size_t)size;
        if (lexicon_lists("turn: in place", said))
            return true;
    }
    return false;
}

/* "On the spot": it may not give way while it turns. */
static void turns_note_place(const clause *c, uint32_t first)
{
    reader *const r = c->r;
    bool in_place = false;
    for (uint32_t at = r->part->first; at < r->part->end && !in_place; at++)
        in_place = turn_is_in_place_at(r, at);
    for (uint32_t i = first; i < r->reading->count && in_place; i++) {
        builtin_move *const m = &r->reading->moves[i];
        m->exact = m->exact || m->relation == RELATION_TURN;
    }
}

/* By the first row that fits. */
etna_code clause_turn(clause *c)
{
    const uint32_t first = c->r->reading->count;
    static const struct {
        bool (*when)(const clause *c);
        etna_code (*turn)(const clause *c);
    } rows[] = {{clause_turns_on, clause_turn_on},
                {turn_is_mutual, turn_mutual},
                {turn_is_to_front, turn_to_front},
                {turn_faces, turn_to_face},
                {turn_is_part_of_way, turn_part_of_way},
                {turn_is_related, turn_to_relation},
                {turn_is_kept, turn_keep},
                {straight_is_mutual, turn_mutually_straight},
                {turn_is_straight, turn_straight},
                {turn_is_to_viewer, turn_to_viewer},
                {turn_is_sideways, turn_sideways},
                {turn_has_angle, turn_by_angle},
                {clause_turns_as_told, clause_turn_as_told}};
    /* "slightly towards each other": how far is not asked of a facing */
    const bool is_mutual = turn_is_mutual(c) && turn_is_slight(c);
    for (size_t i = 0; i < COUNT_OF(rows) && !is_mutual; i++) {
        if (!rows[i].when(c))
            continue;
        etna_code code = rows[i].turn(c);
        if (code == ETNA_OK)
            turns_note_place(c, first);
        return code;
    }
    return clause_refuse(
        c, "how far it is to be turned, or to face what, is not said");
}

/* "At the low wall under the slope, long side along it": what the first of its
 * places is by. */
static etna_code parallel_find(const clause *c, uint32_t *ret)
{
    const reader before = *c->r;
    destinations at = {0};
    *ret = 0;
    etna_code code = destinations_gather(c->r, &c->d, &c->movers, c->verb, &at);
    if (code != ETNA_OK)
        return code; /* with its refusal */
    *c->r = before;
    if (at.count > 0 && at.list[0].reference < c->r->facts->object_count)
        *ret = at.list[0].reference + 1;
    return ETNA_OK;
}

bool clause_keeps_heading(const clause *c)
{
    return turn_is_kept(c) && !details_have_places(&c->d);
}

etna_code clause_keep_heading(clause *c)
{
    const etna_code code = movers_find(c, c->things, &c->movers);
    return code == ETNA_OK ? turn_keep(c) : code;
}

etna_code clause_turn_first(const clause *c)
{
    const double least = 0.5; /* degrees */
    builtin_reading *reading = c->r->reading;
    const uint32_t first = reading->count;
    if (turn_is_kept(c))
        return turn_keep(c);
    const bool front = turn_is_to_front(c);
    const bool elsewhere = details_have_places(&c->d) || straight_is_mutual(c);
    if ((!c->d.straight && !front) || !elsewhere)
        return ETNA_OK;
    clause own = *c;
    own.d =
        (details){.straight = c->d.straight, .face = front ? c->d.face : NULL};
    etna_code code =
        c->d.parallel_to ? parallel_find(c, &own.parallel) : ETNA_OK;
    if (code == ETNA_OK)
        code = clause_turn(&own);
    uint32_t kept = first;
    for (uint32_t i = first; i < reading->count && code == ETNA_OK; i++) {
        const builtin_move *turn = &reading->moves[i];
        /* "facing the front", "parallel to each other" are asked of what
         * stands so already, too */
        if (front || straight_is_mutual(c) || fabs(turn->turn) >= least)
            reading->moves[kept++] = *turn;
    }
    reading->count = code == ETNA_OK ? kept : reading->count;
    return code;
}

etna_code clause_turn_along(const clause *c, uint32_t to, bool lengthwise)
{
    const double least = 3; /* degrees */
    const parallel_way way = lengthwise ? PARALLEL_LENGTHS : PARALLEL_SQUARE;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++) {
        const uint32_t object = c->movers.objects[i];
        const double turn = parallel_angle(c->r, object, to, way);
        if (fabs(turn) >= least)
            code = turn_one(c, object, turn);
    }
    return code;
}

etna_code clause_straighten(clause *c)
{
    if (!c->d.straight || !straight_word(c->d.straight))
        c->d.straight = c->said;
    return clause_turn(c);
}
