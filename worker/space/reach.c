/* Could a hand have brought a thing to where it stands (METHODS.md 6, Reach)?
 * There must be a straight way, straight down or level, that is free for its
 * true triangles but for the last centimetre and comes from open air. It is
 * looked for backwards: from the place up, or level to sixteen sides, until the
 * thing has left the place and its middle is in open air. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

#define LAST 0.01  /* metres of the way that need not be free */
#define LEAVE 0.3  /* metres; what is smaller must leave its place whole */
#define BEYOND 0.5 /* metres farther that open air is looked for */
#define STEP \
    0.02 /* metres, where it leans into a neighbour and each step must be asked about */
enum {
    SIDES = 16,
    MARCHES_MAX = 4,
    OLD_POINTS = 5
};

typedef struct reaching {
    space *sp;
    const space_air *air;
    const space_rules *rules;
    const uint32_t *objects;
    uint32_t count;
    arrange_pose *at; /* per object: the place */
    /* per object: where it stood before, which is no obstacle to itself; NULL:
     * nowhere else */
    const box3 *old;
    bool old_open; /* there was open air */
    uint32_t marches;
} reaching;

static bool box_has(const box3 *box, vec3 p, double margin)
{
    bool is_along = p.x >= box->min.x - margin && p.x <= box->max.x + margin;
    bool is_over =
        is_along && p.y >= box->min.y - margin && p.y <= box->max.y + margin;
    return is_over && p.z >= box->min.z - margin && p.z <= box->max.z + margin;
}

/* Is there open air at the place, or was the body there itself and has open air
 * about it? */
static bool reaching_open(const reaching *r, vec3 p)
{
    if (space_air_is_open(r->air, p))
        return true;
    for (uint32_t i = 0; r->old && r->old_open && i < r->count; i++)
        if (box_has(&r->old[i], p, air_cell(r->air)))
            return true;
    return false;
}

/* Is nothing between the box where one of them stood and a point beside it?
 * Open air beyond a thin ceiling is not about what lies on it. */
static bool lies_beside(const reaching *r, uint32_t i, vec3 p)
{
    vec3 from = v3_max(r->old[i].min, v3_min(r->old[i].max, p));
    space_ray ray = {.origin = from,
                     .direction = v3_sub(p, from),
                     .t_max = 1,
                     .skip_object = r->objects[i],
                     .only_object = SCENE_NONE};
    space_hit hit;
    return !space_cast_all(r->sp, &ray, &hit);
}

/* Of the points on the faces of where it stood, is one in open air and beside
 * it? A thing that nobody could take away before need not be reachable
 * after. */
static bool was_in_open(const reaching *r)
{
    double margin = 1.5 * air_cell(r->air);
    for (uint32_t i = 0; i < r->count; i++) {
        vec3 low = v3_sub(r->old[i].min, v3(margin, margin, margin));
        vec3 size = v3_add(v3_sub(r->old[i].max, r->old[i].min),
                           v3(2 * margin, 2 * margin, 2 * margin));
        for (int k = 0; k < OLD_POINTS * OLD_POINTS * OLD_POINTS; k++) {
            int x = k % OLD_POINTS;
            int y = k / OLD_POINTS % OLD_POINTS;
            int z = k / (OLD_POINTS * OLD_POINTS);
            int last = OLD_POINTS - 1;
            bool face = x % last == 0 || y % last == 0 || z % last == 0;
            vec3 p = v3_add(low, v3(size.x * x / last, size.y * y / last,
                                    size.z * z / last));
            if (face && space_air_is_open(r->air, p) && lies_beside(r, i, p))
                return true;
        }
    }
    return false;
}

static etna_code reaching_move(const reaching *r, vec3 by, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < r->count && code == ETNA_OK; i++) {
        arrange_pose pose = r->at[i];
        pose.position[0] += by.x;
        pose.position[1] += by.y;
        pose.position[2] += by.z;
        code = space_move(r->sp, r->objects[i], &pose, err);
    }
    return code;
}

/* How far it is free from `from` on, asked step by step: who leans into a
 * neighbour slides along it. */
static etna_code march_free(
    reaching *r, vec3 from, vec3 way, double max, double *ret, etna_error *err)
{
    *ret = 0;
    if (r->marches++ >= MARCHES_MAX)
        return ETNA_OK;
    for (double t = 0; t < max; t += STEP) {
        space_pair found;
        uint32_t count = 0;
        etna_code code = reaching_move(r, v3_add_scaled(from, way, t), err);
        if (code == ETNA_OK)
            code = space_body_collisions(r->sp, r->objects, r->count, r->rules,
                                         &found, 1, &count, err);
        if (code != ETNA_OK)
            return code;
        if (count > 0)
            return ETNA_OK;
        *ret = t;
    }
    return ETNA_OK;
}

/* Is `way` one, beginning at `from` off the place? `extent`: of the object
 * along it. */
static etna_code reach_leads_out(
    reaching *r, vec3 from, vec3 way, double extent, bool *ret, etna_error *err)
{
    double need = math_min(extent, LEAVE);
    double max = need + BEYOND;
    double distance;
    space_swept swept;
    *ret = false;
    etna_code code = reaching_move(r, from, err);
    if (code == ETNA_OK)
        code = space_sweep_body(r->sp, r->objects, r->count, way, max, r->rules,
                                &swept, err);
    if (code != ETNA_OK)
        return code;
    distance = swept.distance;
    if (swept.cut != SCENE_NONE && distance >= need)
        code = march_free(r, from, way, distance, &distance, err);
    if (code != ETNA_OK)
        return code;
    const double *p = r->at[0].position;
    vec3 start = v3_add(v3(p[0], p[1], p[2]), from);
    for (double t = need; t <= distance && !*ret; t += air_cell(r->air) / 2)
        *ret = reaching_open(r, v3_add_scaled(start, way, t));
    return ETNA_OK;
}

/* `lift`: first a centimetre up, off what it stands on. */
static etna_code leads_level(
    reaching *r, const scene_box *box, vec3 lift, bool *ret, etna_error *err)
{
    /* front and back first */
    static const int order[SIDES] = {0, 8, 4, 12, 2, 6,  10, 14,
                                     1, 3, 5, 7,  9, 11, 13, 15};
    etna_code code = ETNA_OK;
    for (int k = 0; k < SIDES && !*ret && code == ETNA_OK; k++) {
        double s, c;
        double turn = order[k] * (2 * MATH_PI / SIDES);
        math_sincos(box->yaw + turn, &s, &c);
        vec3 way = {s, -c, 0};
        math_sincos(turn, &s, &c);
        double extent = 2 * (fabs(s) * box->half.x + fabs(c) * box->half.y);
        vec3 from = lift.z > 0 ? lift : v3_scale(way, LAST);
        code = reach_leads_out(r, from, way, extent, ret, err);
    }
    return code;
}

/* Up, then level from a centimetre higher, then level as it stands: what is
 * likely first. */
static etna_code search_ways(reaching *r, bool *ret, etna_error *err)
{
    const vec3 lift = {0, 0, LAST};
    const vec3 none = {0, 0, 0};
    const vec3 up = {0, 0, 1};
    scene_box box =
        scene_box_at(&r->sp->shared->scene->objects[r->objects[0]], &r->at[0]);
    space_pair found;
    uint32_t count = 0;
    etna_code code = reach_leads_out(r, lift, up, 2 * box.half.z, ret, err);
    if (code == ETNA_OK && !*ret)
        code = reaching_move(r, lift, err);
    if (code == ETNA_OK && !*ret)
        code = space_body_collisions(r->sp, r->objects, r->count, r->rules,
                                     &found, 1, &count, err);
    if (code == ETNA_OK && !*ret && count == 0)
        code = leads_level(r, &box, lift, ret, err);
    if (code == ETNA_OK && !*ret)
        code = leads_level(r, &box, none, ret, err);
    return code;
}

static void reaching_open_old(reaching *r, const arrange_pose *stood, box3 *old)
{
    const scene *s = r->sp->shared->scene;
    for (uint32_t i = 0; i < r->count; i++) {
        scene_box box = scene_box_at(&s->objects[r->objects[i]], &stood[i]);
        vec3 corner[8];
        scene_box_corners(&box, corner);
        old[i] = (box3){corner[0], corner[0]};
        for (int k = 1; k < 8; k++) {
            old[i].min = v3_min(old[i].min, corner[k]);
            old[i].max = v3_max(old[i].max, corner[k]);
        }
    }
    r->old = old;
    r->old_open = was_in_open(r);
}

/* The objects stand at the place that is asked about, and do so again at the
 * end, also on failure where that is possible. */
etna_code space_reach(space *sp,
                      const space_air *air,
                      const uint32_t *objects,
                      uint32_t count,
                      const arrange_pose *stood,
                      const space_rules *rules,
                      bool *ret,
                      etna_error *err)
{
    if (count == 0)
        return etna_fail(err, ETNA_E_INTERNAL, "space: nothing to reach");
    reaching r = {.sp = sp,
                  .air = air,
                  .rules = rules,
                  .objects = objects,
                  .count = count};
    r.at = malloc(count * sizeof *r.at);
    box3 *old = malloc(count * sizeof *old);
    etna_code code = r.at && old ? ETNA_OK
                                 : etna_fail(err, ETNA_E_NOMEM,
                                             "space: no memory for a way");
    bool reached = false;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        r.at[i] = *space_pose(sp, objects[i]);
    if (code == ETNA_OK && stood)
        reaching_open_old(&r, stood, old);
    if (code == ETNA_OK) {
        code = search_ways(&r, &reached, err);
        etna_code back =
            reaching_move(&r, v3(0, 0, 0), code == ETNA_OK ? err : NULL);
        code = code == ETNA_OK ? back : code;
    }
    free(old);
    free(r.at);
    if (code == ETNA_OK)
        *ret = reached;
    return code;
}
