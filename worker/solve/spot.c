/* A Place [D]: the poses are given, so nothing is descended. At each of them,
 * nearest first, the object is brought to rest the way a hand would, then
 * checked like any other candidate.
 *
 * Rest (METHODS.md 6): with a Contact down the object is lowered from the place
 * along -Z until true triangles meet, by at most REST_DROP. A user's height is
 * rough, so where it cuts something at the place it begins up to 5 cm higher.
 * It is steady when its centre of mass is over the hull of what carries it,
 * whatever that is: a rim, a grate, a cushion. What the Contact names must be
 * among what carries it, directly or under a covering thinner than 3 cm. With a
 * Contact side or up it is moved against what that names, by at most 5 cm
 * either way, and is attached there. With no Contact it is where it was told to
 * be; what hovered or hung at the start may go on doing so. */
#include "proto/array.h"
#include "worker/solve/solve_internal.h"

#include <stdlib.h>
#include <string.h>

#define REST_DROP 1.5   /* metres down from the place at most */
#define LIFT 0.0001     /* left between what met, as after settling */
#define REACH_SIDE 0.05 /* metres to either side of the place */
#define COVERING \
    0.03 /* metres: a covering under this height is part of what it lies on */
#define COVERING_HALF_WIDTH 0.3 /* metres: what is wider may have folds */
#define DISTANCE_MAX 0.02
#define DISTANCE_SHARE 0.05
#define SUPPORT_CHECKS_MAX 8 /* of the whole scene */
#define RINGS 8

static const vec3 down = {0, 0, -1}, up = {0, 0, 1};

typedef struct spot {
    solve_case *c;
    solve_result *result;
    vec3 places[SPOT_PLACES];
    uint32_t count, order[SPOT_PLACES];
    bool rests;    /* a Contact down */
    bool fastened; /* a Contact side or up */
    /* no Contact, and it hung or hovered at the start: its own support is not
     * asked for */
    bool hangs_on;
    /* of a way: the first good place where it cuts something, though less than
     * a collision: it is pushed no farther than where it meets that */
    bool have_leaning;
    arrange_pose leaning;
    vec3 leaning_place;
    spot_finding best; /* why the place that came nearest to holding does not */
    bool have_best;
    /* the first that only collides [0], only lets something float [1] */
    struct {
        bool there;
        arrange_pose pose;
        spot_finding found;
    } faulty[2];
} spot;

/* ---- the places ---- From an array of three. */
static vec3 spot_point(const double p[3])
{
    return v3(p[0], p[1], p[2]);
}

/* No closer to one another than anybody would see. */
static void spot_list_segment(spot *s, vec3 from, vec3 to)
{
    const double closest = 0.01; /* metres */
    const double wanted = ceil(v3_distance(from, to) / closest);
    const uint32_t steps = (uint32_t)math_min(wanted, SPOT_PLACES - 1);
    for (uint32_t i = 0; i <= steps; i++) {
        double t = steps > 0 ? (double)i / steps : 0;
        s->places[s->count++] = v3_add_scaled(from, v3_sub(to, from), t);
    }
}

/* Rings about the place that lie closer together near it. */
static void spot_list_disc(spot *s, vec3 middle, double slack)
{
    static const double radius[RINGS] = {0.06, 0.12, 0.2,  0.3,
                                         0.42, 0.56, 0.76, 1};
    static const uint32_t points[RINGS] = {4, 6, 7, 8, 8, 9, 10, 11};
    s->places[s->count++] = middle;
    for (uint32_t ring = 0; ring < RINGS && slack > 0; ring++) {
        for (uint32_t k = 0; k < points[ring]; k++) {
            double sine, cosine;
            double turn = (k + 0.5 * (ring % 2)) / points[ring];
            math_sincos(2 * MATH_PI * turn, &sine, &cosine);
            double r = slack * radius[ring];
            s->places[s->count++] =
                v3(middle.x + r * cosine, middle.y + r * sine, middle.z);
        }
    }
}

/* ---- the heading ---- */
/* Which way a FaceTo or BackTo looks from `at`; false where its target has no
 * direction from there. */
static bool spot_looks(const solve_case *c,
                       uint32_t item,
                       vec3 at,
                       double *ret_yaw)
{
    const constraint *k = &c->request->constraints->items[item];
    const probe_plane *plane = case_plane(c, item);
    uint32_t other = scene_find_object(c->scene, k->name);
    const scene_camera *camera = c->request->camera;
    vec3 way = {0, 0, 0};
    if (plane) {
        way = plane->normal;
    } else if (other != SCENE_NONE) {
        const double *p = space_pose(c->space, other)->position;
        way = v3_sub(spot_point(p), at);
    } else if (camera) {
        way = camera->orthographic ? v3_scale(camera->forward, -1)
                                   : v3_sub(camera->position, at);
    }
    if (!(way.x * way.x + way.y * way.y >= 1e-12))
        return false;
    double side = k->kind == CONSTRAINT_FACE_TO ? 1 : -1;
    *ret_yaw = math_atan2(side * way.x, -side * way.y);
    return true;
}

/* The first FaceTo or BackTo that has a direction decides, else a Heading, else
 * a Rotate from how it stood. */
static double spot_yaw(const solve_case *c, vec3 at)
{
    const constraint_list *list = c->request->constraints;
    double yaw = c->before.yaw;
    double given;
    bool turns =
        case_has(c, CONSTRAINT_FACE_TO) || case_has(c, CONSTRAINT_BACK_TO);
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *k = &list->items[i];
        double radians = k->value * (MATH_PI / 180);
        bool looks =
            k->kind == CONSTRAINT_FACE_TO || k->kind == CONSTRAINT_BACK_TO;
        if (looks && spot_looks(c, i, at, &given))
            return given;
        if (k->kind == CONSTRAINT_HEADING)
            yaw = radians;
        if (k->kind == CONSTRAINT_ROTATE && !turns)
            yaw = c->before.yaw + radians;
    }
    return yaw;
}

/* A Place means the middle of the bottom; with a Contact side or up it means
 * the box's centre. */
static arrange_pose spot_pose(const spot *s, uint32_t place)
{
    const solve_case *c = s->c;
    vec3 at = s->places[place];
    if (!s->fastened)
        at.z += c->box.half.z;
    arrange_pose pose = {{at.x, at.y, at.z}, spot_yaw(c, at)};
    /* into [-pi, pi) */
    double turns = floor((pose.yaw + MATH_PI) / (2 * MATH_PI));
    if (turns != 0)
        pose.yaw -= turns * (2 * MATH_PI);
    return pose;
}

/* ---- against a side ---- */
/* Against `object` along -normal; *ret_met: how far from the place, INFINITY
 * when it is not met first. */
static etna_code spot_press(const solve_case *c,
                            uint32_t object,
                            vec3 normal,
                            const arrange_pose *from,
                            arrange_pose *ret,
                            double *ret_met,
                            spot_finding *found,
                            etna_error *err)
{
    /* beside something it may be possible only from nearer */
    static const double lifts[2] = {REACH_SIDE, 0};
    *ret_met = INFINITY;
    for (int i = 0; i < 2; i++) {
        space_swept swept;
        arrange_pose lifted = pose_shifted(from, normal, lifts[i]);
        etna_code code = group_move(c, &lifted, err);
        if (code == ETNA_OK)
            code = group_sweep(c, v3_scale(normal, -1), lifts[i] + REACH_SIDE,
                               &swept, err);
        if (code != ETNA_OK)
            return code;
        if (swept.other == SCENE_NONE)
            continue;
        found->others[0] = swept.other;
        found->other_count = 1;
        if (swept.other != object || !(swept.distance > 0))
            continue;
        *ret = pose_shifted(&lifted, normal, LIFT - swept.distance);
        *ret_met = fabs(swept.distance - lifts[i]);
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* A Contact side that names an object: whichever level way meets it soonest,
 * square to it or to the moved thing. */
static etna_code spot_press_object(const solve_case *c,
                                   uint32_t object,
                                   arrange_pose *pose,
                                   double *ret_met,
                                   spot_finding *found,
                                   etna_error *err)
{
    arrange_pose best = *pose;
    *ret_met = INFINITY;
    for (int k = 0; k < 8; k++) {
        double sine, cosine, met;
        double yaw = k < 4 ? space_pose(c->space, object)->yaw : pose->yaw;
        arrange_pose pressed;
        math_sincos(yaw + k % 4 * (MATH_PI / 2), &sine, &cosine);
        etna_code code = spot_press(c, object, v3(sine, -cosine, 0), pose,
                                    &pressed, &met, found, err);
        if (code != ETNA_OK)
            return code;
        if (!(met < *ret_met))
            continue;
        *ret_met = met;
        best = pressed;
    }
    *pose = best;
    return ETNA_OK;
}

/* Pressed against what the constraint names; *pose stays where nothing is met.
 * The fault tells whether nothing was met, or something else first. */
static etna_code spot_fasten(const spot *s,
                             uint32_t item,
                             arrange_pose *pose,
                             spot_finding *found,
                             etna_error *err)
{
    const solve_case *c = s->c;
    const constraint *k = &c->request->constraints->items[item];
    const probe_plane *plane = case_plane(c, item);
    uint32_t object = case_object_of(c, item);
    arrange_pose pressed = *pose;
    double met = INFINITY;
    etna_code code;
    if (!plane && k->face == FACE_SIDE) {
        code = spot_press_object(c, object, &pressed, &met, found, err);
    } else {
        code = spot_press(c, object, plane ? plane->normal : down, pose,
                          &pressed, &met, found, err);
    }
    if (code != ETNA_OK)
        return code;
    found->item = item;
    if (met < INFINITY)
        *pose = pressed;
    else
        found->fault = found->other_count && found->others[0] != object
                           ? SPOT_ELSEWHERE
                           : SPOT_NOTHING_MET;
    return ETNA_OK;
}

/* ---- at rest ---- Moves the body to `pose`; found->others: what it collides
 * with there. */
static etna_code spot_blocked(solve_case *c,
                              const arrange_pose *pose,
                              spot_finding *found,
                              etna_error *err)
{
    etna_code code = group_move(c, pose, err);
    if (code == ETNA_OK)
        code = group_collisions(c, found->others, SPOT_OTHERS,
                                &found->other_count, err);
    if (code == ETNA_OK && found->other_count > 0)
        found->fault = SPOT_COLLIDES;
    return code;
}

/* From how high may it be lowered? *ret_raise: the first of the heights at
 * which it cuts nothing, else the last at which it collides with nothing: then
 * it leans into its neighbour. */
static etna_code spot_raise(solve_case *c,
                            const arrange_pose *pose,
                            double *ret_raise,
                            bool *ret_possible,
                            bool *ret_leans,
                            etna_error *err)
{
    static const double raises[] = {LIFT, 0.002, 0.005, 0.01,
                                    0.02, 0.03,  0.04,  0.05};
    static const double at_once = 1e-9;
    enum {
        RAISES = COUNT_OF(raises)
    };
    bool clear = false;
    *ret_possible = false;
    for (int i = 0; i < RAISES && !clear; i++) {
        space_swept swept;
        arrange_pose raised = pose_shifted(pose, up, raises[i]);
        etna_code code = group_move(c, &raised, err);
        if (code == ETNA_OK)
            code = group_sweep(c, down, at_once, &swept, err);
        if (code != ETNA_OK)
            return code;
        bool met = swept.other != SCENE_NONE || swept.level;
        if (met && !(swept.distance > 0))
            continue;
        clear = swept.cut == SCENE_NONE;
        *ret_possible = true;
        *ret_raise = raises[i];
    }
    *ret_leans = *ret_possible && !clear;
    return ETNA_OK;
}

/* Down until triangles meet, then LIFT above. The sweep begins where nothing is
 * cut (spot_raise), since from within something the first contact would be
 * wrong. */
static etna_code spot_lower(solve_case *c,
                            arrange_pose *pose,
                            spot_finding *found,
                            etna_error *err)
{
    double raise = LIFT;
    bool possible = false;
    space_swept swept;
    etna_code code = spot_raise(c, pose, &raise, &possible, &found->leans, err);
    arrange_pose raised = pose_shifted(pose, up, raise);
    if (code != ETNA_OK)
        return code;
    if (!possible) {
        code = spot_blocked(c, &raised, found, err);
        found->fault = SPOT_COLLIDES;
        return code;
    }
    code = group_move(c, &raised, err);
    if (code == ETNA_OK)
        code = group_sweep(c, down, REST_DROP + raise, &swept, err);
    if (code != ETNA_OK)
        return code;
    bool met = swept.other != SCENE_NONE || swept.level;
    found->fault = met ? SPOT_GOOD : SPOT_NOTHING_MET;
    *pose = pose_shifted(&raised, down, swept.distance - LIFT);
    return ETNA_OK;
}

/* Does `object` have its surface less than a covering's height below the moved
 * thing's bottom? */
static bool spot_lies_close(const solve_case *c,
                            const arrange_pose *pose,
                            uint32_t object)
{
    static const double share[5][2] = {
        {0, 0}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}};
    double sine, cosine;
    double bottom = pose->position[2] - c->box.half.z;
    math_sincos(pose->yaw, &sine, &cosine);
    for (int k = 0; k < 5; k++) {
        double x = share[k][0] * c->box.half.x;
        double y = share[k][1] * c->box.half.y;
        space_ray ray = {.origin = {pose->position[0] + cosine * x - sine * y,
                                    pose->position[1] + sine * x + cosine * y,
                                    bottom + LIFT},
                         .direction = down,
                         .t_max = COVERING + LIFT,
                         .skip_object = SCENE_NONE,
                         .only_object = object};
        space_hit hit;
        if (space_cast(c->space, &ray, &hit))
            return true;
    }
    return false;
}

/* Among what carries it. */
static bool stand_has(const space_stand *stand, uint32_t object)
{
    for (uint32_t i = 0; i < stand->carrier_count; i++)
        if (stand->carriers[i] == object)
            return true;
    return false;
}

/* Is it spread out there beneath the moved thing? A shoe on a mat is not, as
 * low as its toe may be: it rises beside what stands on it. A quilt does, too,
 * but is wide. */
static bool spot_is_spread(const solve_case *c,
                           const arrange_pose *pose,
                           uint32_t carrier)
{
    scene_box box = space_box(c->space, carrier);
    double bottom = pose->position[2] - c->box.half.z;
    bool is_wide = math_min(box.half.x, box.half.y) > COVERING_HALF_WIDTH;
    return is_wide || box.centre.z + box.half.z <= bottom + COVERING;
}

/* Is `object` what carries it, itself or beneath a covering? */
static etna_code spot_carried_by(const solve_case *c,
                                 const arrange_pose *pose,
                                 const space_stand *stand,
                                 uint32_t object,
                                 bool *ret,
                                 etna_error *err)
{
    *ret = stand_has(stand, object);
    if (*ret || !spot_lies_close(c, pose, object))
        return ETNA_OK;
    for (uint32_t i = 0; i < stand->carrier_count && !*ret; i++) {
        space_stand covering;
        uint32_t carrier = stand->carriers[i];
        if (group_has(c, carrier) || !spot_is_spread(c, pose, carrier))
            continue;
        etna_code code =
            space_stand_find(c->space, c->start, carrier, &covering, err);
        if (code != ETNA_OK)
            return code;
        *ret = stand_has(&covering, object);
    }
    return ETNA_OK;
}

/* Whether it stands, and on what the Contacts name; found->others: what carries
 * it, for the message. */
static etna_code spot_stand(const spot *s,
                            const arrange_pose *pose,
                            spot_finding *found,
                            etna_error *err)
{
    const solve_case *c = s->c;
    const constraint_list *list = c->request->constraints;
    space_stand stand;
    etna_code code =
        space_stand_find(c->space, c->start, c->object, &stand, err);
    for (uint32_t i = 0;
         i < list->count && code == ETNA_OK && found->fault == SPOT_GOOD; i++) {
        bool carried = false;
        if (list->items[i].kind != CONSTRAINT_CONTACT ||
            list->items[i].face != FACE_DOWN)
            continue;
        code = spot_carried_by(c, pose, &stand, case_object_of(c, i), &carried,
                               err);
        found->item = i;
        if (!carried)
            found->fault = SPOT_ELSEWHERE;
    }
    if (code != ETNA_OK)
        return code;
    if (found->fault == SPOT_GOOD && !stand.steady)
        found->fault = SPOT_UNSTEADY;
    found->other_count = 0;
    for (uint32_t i = 0;
         i < stand.carrier_count && found->other_count < SPOT_OTHERS; i++)
        if (!group_has(c, stand.carriers[i]))
            found->others[found->other_count++] = stand.carriers[i];
    return ETNA_OK;
}

/* ---- the other constraints ---- Distances, and NoOverhang over the true
 * polygon, both at the settled pose. The small problem is there only because
 * judge_bottom takes one. */
static void spot_measure(const spot *s,
                         const arrange_pose *pose,
                         spot_finding *found)
{
    const solve_case *c = s->c;
    const constraint_list *list = c->request->constraints;
    solve_problem bottom = {.half = c->box.half};
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *k = &list->items[i];
        if (k->kind == CONSTRAINT_NO_OVERHANG && k->full_only)
            bottom.terms[bottom.term_count++] =
                (term){.kind = TERM_INSIDE, .item = i};
        if (k->kind != CONSTRAINT_DISTANCE)
            continue;
        const double *p =
            space_pose(c->space, scene_find_object(c->scene, k->name))
                ->position;
        double off = fabs(
            v3_distance(spot_point(p), spot_point(pose->position)) - k->value);
        double most = DISTANCE_SHARE * k->value > DISTANCE_MAX
                          ? DISTANCE_SHARE * k->value
                          : DISTANCE_MAX;
        if (off <= most)
            continue;
        found->fault = SPOT_APART;
        found->item = i;
        found->value = off;
    }
    double share = 1;
    if (found->fault != SPOT_GOOD ||
        judge_bottom(c, &bottom, pose, &found->item, &share))
        return;
    found->fault = SPOT_OVER_EDGE;
    found->value = share;
}

/* What is held without standing, this one where it is to hang on: then it
 * carries what came along. NULL: no memory. */
static const bool *spot_attached(const spot *s)
{
    const solve_case *c = s->c;
    if (!s->hangs_on)
        return c->attached;
    bool *all = etna_arena_memdup(c->arena, c->attached,
                                  c->scene->object_count * sizeof *all);
    if (all)
        all[c->object] = true;
    return all;
}

/* Everything that must be supported, this one only where it stood on something
 * or is to stand. */
static etna_code spot_support(const spot *s,
                              spot_finding *found,
                              etna_error *err)
{
    const solve_case *c = s->c;
    space_support_state state = {0};
    uint32_t broken[SPOT_OTHERS], count = 0;
    if (s->result->support_checks >= SUPPORT_CHECKS_MAX) {
        found->fault = SPOT_UNSUPPORTED;
        return ETNA_OK;
    }
    const bool *attached = spot_attached(s);
    if (!attached)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a place's support");
    s->result->support_checks++;
    etna_code code = space_support_compute(c->space, &c->rules, c->start,
                                           attached, &state, err);
    if (code == ETNA_OK)
        count = space_support_broken(c->start, &state, c->moved, broken,
                                     SPOT_OTHERS);
    space_support_free(&state);
    found->other_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!(s->hangs_on && broken[i] == c->object))
            found->others[found->other_count++] = broken[i];
    if (found->other_count > 0)
        found->fault = SPOT_UNSUPPORTED;
    return code;
}

/* From where the place is to where it touches what it is to touch, and whether
 * the other constraints hold there. */
static etna_code spot_settle(spot *s,
                             arrange_pose *pose,
                             spot_finding *found,
                             etna_error *err)
{
    const constraint_list *list = s->c->request->constraints;
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *k = &list->items[i];
        if (k->kind != CONSTRAINT_CONTACT || k->face == FACE_DOWN)
            continue;
        etna_code code = spot_fasten(s, i, pose, found, err);
        if (code != ETNA_OK || found->fault != SPOT_GOOD)
            return code;
    }
    etna_code code = s->rests ? spot_lower(s->c, pose, found, err) : ETNA_OK;
    if (code == ETNA_OK && found->fault == SPOT_GOOD)
        spot_measure(s, pose, found);
    return code;
}

/* Tries one place: *pose is where it comes to be, found->fault what is wrong
 * with that. */
static etna_code spot_try(spot *s,
                          uint32_t place,
                          arrange_pose *pose,
                          spot_finding *found,
                          etna_error *err)
{
    solve_case *c = s->c;
    *pose = spot_pose(s, place);
    etna_code code = spot_settle(s, pose, found, err);
    if (code != ETNA_OK || found->fault != SPOT_GOOD)
        return code;
    s->result->survivors++;
    s->result->collision_checks++;
    code = spot_blocked(c, pose, found, err);
    if (code != ETNA_OK || found->fault != SPOT_GOOD)
        return code;
    if (s->rests)
        code = spot_stand(s, pose, found, err);
    if (code != ETNA_OK || found->fault != SPOT_GOOD)
        return code;
    bool reached = true;
    code = group_reach(c, &reached, err);
    if (code != ETNA_OK)
        return code;
    if (reached)
        return spot_support(s, found, err);
    found->fault = SPOT_UNREACHABLE;
    return ETNA_OK;
}

/* ---- the search ---- The place as such was right; what is wrong could be
 * mended. */
static bool spot_is_near(spot_fault fault)
{
    return fault != SPOT_NOTHING_MET && fault != SPOT_ELSEWHERE;
}

/* Keeps the finding that tells most: one where it came to rest before one where
 * nothing was met. */
static void spot_note(spot *s,
                      const arrange_pose *pose,
                      const spot_finding *found)
{
    bool better = !s->have_best ||
                  (spot_is_near(found->fault) && !spot_is_near(s->best.fault));
    if (better)
        s->best = *found;
    s->have_best = true;
    bool floats =
        found->fault == SPOT_UNSTEADY || found->fault == SPOT_UNSUPPORTED;
    if ((!floats && found->fault != SPOT_COLLIDES) || s->faulty[floats].there)
        return;
    s->faulty[floats].there = true;
    s->faulty[floats].pose = *pose;
    s->faulty[floats].found = *found;
}

/* Far from given-up edits first, then the near ones from the farthest
 * (METHODS.md 2). */
static void spot_compare(spot *s)
{
    double radius = s->c->request->given_up_count ? given_up_radius(s->c) : -1;
    double near[SPOT_PLACES];
    uint32_t n = 0;
    bool taken[SPOT_PLACES] = {false};
    for (uint32_t i = 0; i < s->count; i++) {
        arrange_pose pose = spot_pose(s, i);
        near[i] = radius >= 0 ? given_up_nearest(s->c, &pose) : INFINITY;
        taken[i] = near[i] > radius;
        if (taken[i])
            s->order[n++] = i;
    }
    while (n < s->count) {
        uint32_t best = s->count;
        for (uint32_t i = 0; i < s->count; i++)
            if (!taken[i] && (best == s->count || near[i] > near[best]))
                best = i;
        taken[best] = true;
        s->order[n++] = best;
    }
}

/* What the constraints ask for, and the places in the order in which they are
 * tried. */
static etna_code spot_open(spot *s, etna_error *err)
{
    solve_case *c = s->c;
    etna_code code = ETNA_OK;
    const constraint_list *list = c->request->constraints;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != CONSTRAINT_CONTACT)
            continue;
        bool below = list->items[i].face == FACE_DOWN;
        s->rests = s->rests || below;
        s->fastened = s->fastened || !below;
    }
    if (!s->rests && !s->fastened) {
        code = group_sunk(c, err);
        s->hangs_on = c->hung;
    }
    if (c->place->to_end)
        spot_list_segment(s, spot_point(c->place->point),
                          spot_point(c->place->end));
    else
        spot_list_disc(s, spot_point(c->place->point), c->place->value);
    spot_compare(s);
    return code;
}

/* As attempt_accept of the solver. */
static void spot_accept(const spot *s,
                        const arrange_pose *pose,
                        solve_result *r)
{
    r->status = BRANCH_VALID;
    r->pose = *pose;
    r->attached = s->fastened || s->hangs_on;
    r->reason[0] = 0;
    if (!given_up_repeats(s->c, pose))
        return;
    r->status = BRANCH_REPEATED;
    r->pose = s->c->before;
    strcpy(
        r->reason,
        "this is the same edit as one that was given up before; choose another place");
}

/* The best finding in words. With allow_faults a pose that only floats, else
 * one that only collides, is taken all the same, and the reason stays to tell
 * what is wrong with it. */
static void spot_refuse(spot *s, solve_result *r)
{
    spot_fault fault = s->best.fault;
    s->best.tried = s->count;
    failure_text_spot(s->c, &s->best, r);
    r->status = BRANCH_UNSOLVED;
    if (fault == SPOT_COLLIDES)
        r->status = BRANCH_COLLISION;
    if (fault == SPOT_UNSTEADY || fault == SPOT_UNSUPPORTED)
        r->status = BRANCH_FLOATING;
    for (int floats = 1; floats >= 0 && s->c->request->allow_faults; floats--) {
        char reason[ARRANGE_REASON_MAX];
        if (!s->faulty[floats].there || r->status == BRANCH_VALID)
            continue;
        memcpy(reason, r->reason, sizeof reason);
        spot_accept(s, &s->faulty[floats].pose, r);
        r->faulty = r->status == BRANCH_VALID;
        if (r->faulty)
            memcpy(r->reason, reason, sizeof reason);
    }
}

/* A place that is good; repeated ones are passed over, but remembered, so that
 * the answer is then "repeated". */
static void spot_take(const spot *s,
                      const arrange_pose *pose,
                      vec3 place,
                      bool *ret_good,
                      bool *ret_repeated)
{
    solve_result *r = s->result;
    spot_accept(s, pose, r);
    *ret_good = r->status == BRANCH_VALID;
    *ret_repeated = *ret_repeated || !*ret_good;
    r->place_off =
        *ret_good ? v3_distance(place, spot_point(s->c->place->point)) : 0;
}

/* Only the first. */
static void spot_note_leaning(spot *s, const arrange_pose *pose, vec3 place)
{
    if (s->have_leaning)
        return;
    s->have_leaning = true;
    s->leaning = *pose;
    s->leaning_place = place;
}

/* Tries the places in their order, until one is good. */
static etna_code spot_look(spot *s,
                           bool *ret_good,
                           bool *ret_repeated,
                           etna_error *err)
{
    solve_result *r = s->result;
    for (uint32_t i = 0; i < s->count && !*ret_good; i++) {
        arrange_pose pose;
        const vec3 place = s->places[s->order[i]];
        spot_finding found = {.place = place};
        r->candidates++;
        etna_code code = spot_try(s, s->order[i], &pose, &found, err);
        if (code != ETNA_OK)
            return code;
        if (found.fault != SPOT_GOOD) {
            spot_note(s, &pose, &found);
            continue;
        }
        if (found.leans && s->c->place->to_end) {
            spot_note_leaning(s, &pose, place);
            continue;
        }
        spot_take(s, &pose, place, ret_good, ret_repeated);
    }
    if (!*ret_good && s->have_leaning)
        spot_take(s, &s->leaning, s->leaning_place, ret_good, ret_repeated);
    return ETNA_OK;
}

/* Tries the places; the result is in *r, of which status is set in any case but
 * an error. */
etna_code spot_search(solve_case *c, solve_result *r, etna_error *err)
{
    double begun = c->request->clock_ms ? c->request->clock_ms() : 0;
    spot *s = calloc(1, sizeof *s);
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    s->c = c;
    s->result = r;
    bool good = false, repeated = false;
    etna_code code = spot_open(s, err);
    if (code == ETNA_OK)
        code = spot_look(s, &good, &repeated, err);
    if (code == ETNA_OK && !good && !repeated)
        spot_refuse(s, r);
    if (c->request->clock_ms)
        r->check_ms = c->request->clock_ms() - begun;
    free(s);
    return code;
}
