/* What goes along with a thing that is moved (METHODS.md 6, Load): what stands,
 * leans, hangs or hovers on it, or lies in it. Who stands on whom is known from
 * the support state; this follows it upward from the moved thing. */
#include "worker/space/space_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define COVERING_HEIGHT 0.03 /* metres at most */
#define COVERING_WIDTH 0.6   /* metres at least */
#define WITHIN 0.01 /* metres that what lies within a box may reach out of it */
#define SAME_RELATION 1e-4 /* metres, radians */
#define FIXED_AREA \
    1.2 /* of the carrier's footprint: a ceiling that rests on a wardrobe is not carried by it */

/* The pose that keeps the relation to a carrier that moved from `before` to
 * `after`. */
arrange_pose space_carried(const arrange_pose *before,
                           const arrange_pose *after,
                           const arrange_pose *stood)
{
    double turn = after->yaw - before->yaw;
    double s, c;
    double x = stood->position[0] - before->position[0];
    double y = stood->position[1] - before->position[1];
    math_sincos(turn, &s, &c);
    arrange_pose carried = {.yaw = stood->yaw + turn};
    carried.position[0] = after->position[0] + (c * x - s * y);
    carried.position[1] = after->position[1] + (s * x + c * y);
    carried.position[2] =
        after->position[2] + (stood->position[2] - before->position[2]);
    return carried;
}

/* Whole turns don't count. */
bool space_same_relation(const arrange_pose *a_then,
                         const arrange_pose *b_then,
                         const arrange_pose *a_now,
                         const arrange_pose *b_now)
{
    arrange_pose carried = space_carried(a_then, a_now, b_then);
    double turned = carried.yaw - b_now->yaw;
    turned -= 2 * MATH_PI * floor(turned / (2 * MATH_PI) + 0.5);
    bool same = fabs(turned) <= SAME_RELATION;
    for (int i = 0; i < 3; i++)
        same = same &&
               fabs(carried.position[i] - b_now->position[i]) <= SAME_RELATION;
    return same;
}

static bool load_lies_within(const box3 *inner, const box3 *outer)
{
    vec3 low = v3_sub(inner->min, outer->min);
    vec3 high = v3_sub(outer->max, inner->max);
    vec3 least = v3_min(low, high);
    return least.x >= -WITHIN && least.y >= -WITHIN && least.z >= -WITHIN;
}

/* Within LOAD_GAP above it, or in its box with nothing below. */
bool load_hovers_on(const space *sp, uint32_t object, uint32_t carrier)
{
    const scene_box box = space_box(sp, object);
    space_ray ray = {.origin = {box.centre.x, box.centre.y,
                                box.centre.z - box.half.z + LOAD_GAP / 10},
                     .direction = {0, 0, -1},
                     .t_max = LOAD_GAP + LOAD_GAP / 10,
                     .skip_object = object,
                     .only_object = SCENE_NONE};
    space_hit hit;
    if (space_cast_all(sp, &ray, &hit))
        return hit.object == carrier;
    return load_lies_within(&sp->object_state[object].box,
                            &sp->object_state[carrier].box);
}

static bool body_has(const uint32_t *objects, uint32_t count, uint32_t object)
{
    for (uint32_t i = 0; i < count; i++)
        if (objects[i] == object)
            return true;
    return false;
}

static bool pairs_have(const space_pair *found, uint32_t count, uint32_t other)
{
    for (uint32_t i = 0; i < count; i++)
        if (found[i].b == other)
            return true;
    return false;
}

/* Members of the body don't collide with one another: they kept their relation.
 * Each other object counts once; *ret_count is at most `room`. */
etna_code space_body_collisions(space *sp,
                                const uint32_t *objects,
                                uint32_t object_count,
                                const space_rules *rules,
                                space_pair *found,
                                uint32_t room,
                                uint32_t *ret_count,
                                etna_error *err)
{
    assert(found || room == 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < object_count; i++) {
        for (uint32_t first = 0; count < room;) {
            space_pair pair;
            uint32_t met = 0;
            etna_code code = space_collisions_from(sp, objects[i], first, rules,
                                                   &pair, 1, &met, err);
            if (code != ETNA_OK)
                return code;
            if (met == 0)
                break;
            first = pair.b + 1;
            bool own = body_has(objects, object_count, pair.b);
            if (!own && !pairs_have(found, count, pair.b))
                found[count++] = pair;
        }
    }
    *ret_count = count;
    return ETNA_OK;
}

typedef struct loading {
    space *sp;
    const space_support_state *now;
    uint32_t root;
    bool *goes; /* per object */
} loading;

/* A carpet carries nothing along: what stands on it stands on the floor for a
 * person who pulls it away. */
static bool is_covering(const scene_object *o)
{
    double x = 2 * o->box.half.x;
    double y = 2 * o->box.half.y;
    return 2 * o->box.half.z < COVERING_HEIGHT &&
           math_min(x, y) > COVERING_WIDTH;
}

static etna_code mass_of(space *sp, uint32_t object, vec3 *ret, etna_error *err)
{
    const object_state *p = &sp->object_state[object];
    object_geometry *b = NULL;
    etna_code code = shared_geometry(sp->shared, object, &b, err);
    if (code == ETNA_OK)
        *ret = p->moved ? affine_point(&p->motion, b->centre_of_mass)
                        : b->centre_of_mass;
    return code;
}

/* Of what carries an object, is that one in the load which is the first below
 * its centre of mass? */
static etna_code rests_on_load(const loading *l,
                               const uint32_t *by,
                               uint32_t count,
                               uint32_t object,
                               bool *ret,
                               etna_error *err)
{
    vec3 mass;
    double nearest = INFINITY;
    *ret = false;
    etna_code code = mass_of(l->sp, object, &mass, err);
    if (code == ETNA_OK)
        nearest = level_drop(l->sp, mass);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        space_ray ray = {.origin = mass,
                         .direction = {0, 0, -1},
                         .t_max = INFINITY,
                         .skip_object = SCENE_NONE,
                         .only_object = by[i]};
        space_hit hit;
        if (!space_cast_all(l->sp, &ray, &hit) || hit.t >= nearest)
            continue;
        nearest = hit.t;
        *ret = l->goes[by[i]];
    }
    return code;
}

static etna_code hovers_on_load(const loading *l, uint32_t object, bool *ret)
{
    *ret = false;
    for (uint32_t k = 0; k < l->now->object_count && !*ret; k++)
        *ret = l->goes[k] && load_hovers_on(l->sp, object, k);
    return ETNA_OK;
}

/* Does one that is not static go along? `by`: what carries it. */
static etna_code goes_along(const loading *l,
                            uint32_t object,
                            const uint32_t *by,
                            uint32_t count,
                            bool *ret,
                            etna_error *err)
{
    uint32_t within = 0;
    *ret = false;
    bool level = l->now->on_level && l->now->on_level[object];
    for (uint32_t i = 0; i < count; i++)
        within += l->goes[by[i]];
    if (count == 0 && l->now->support[object] == SUPPORT_HOVERING)
        return hovers_on_load(l, object, ret);
    if (within == 0)
        return ETNA_OK;
    if (within == count && !level) {
        *ret = true;
        return ETNA_OK;
    }
    if (l->now->support[object] == SUPPORT_ATTACHED)
        return ETNA_OK; /* what else it hangs at holds it */
    return rests_on_load(l, by, count, object, ret, err);
}

/* A static thing that stands on the load and on nothing else. */
static etna_code is_carried_fixture(const loading *l,
                                    uint32_t object,
                                    bool *ret,
                                    etna_error *err)
{
    const scene_object *o = &l->sp->shared->scene->objects[object];
    const scene_object *root = &l->sp->shared->scene->objects[l->root];
    const box3 *box = &l->sp->object_state[object].box;
    const box3 *under = &l->sp->object_state[l->root].box;
    space_stand found;
    *ret = false;
    bool small = o->box.half.x * o->box.half.y <=
                 FIXED_AREA * root->box.half.x * root->box.half.y;
    if (!small || !box3_meet(box, under, UNDERSIDE_REACH) ||
        box->min.z <= under->min.z + UNDERSIDE_REACH)
        return ETNA_OK;
    etna_code code = space_stand_find(l->sp, NULL, object, &found, err);
    if (code != ETNA_OK)
        return code;
    bool on_load = found.steady && found.carrier_count > 0;
    on_load = on_load && !found.level;
    for (uint32_t i = 0; i < found.carrier_count; i++)
        on_load = on_load && l->goes[found.carriers[i]];
    *ret = on_load;
    return ETNA_OK;
}

/* One round over all objects; *ret_any: somebody was added. */
static etna_code load_round(loading *l,
                            const uint32_t *by,
                            const bool *left_behind,
                            uint32_t *ret_fixed,
                            bool *ret_any,
                            etna_error *err)
{
    const scene *s = l->sp->shared->scene;
    *ret_any = false;
    for (uint32_t i = 0, edge = 0; i < l->now->object_count; i++) {
        uint32_t first = edge;
        bool goes = false;
        while (edge < l->now->edge_count && l->now->edges[edge].object == i)
            edge++;
        if (l->goes[i] || s->objects[i].is_static)
            continue;
        if (left_behind && left_behind[i])
            continue;
        etna_code code = goes_along(l, i, by + first, edge - first, &goes, err);
        if (code != ETNA_OK)
            return code;
        if (goes && s->objects[i].immovable)
            *ret_fixed = i;
        l->goes[i] = goes;
        *ret_any = *ret_any || goes;
    }
    return ETNA_OK;
}

/* *ret_fixed: the last fixture that would be carried along; untouched: none. */
static etna_code load_find_fixtures(loading *l,
                                    const bool *left_behind,
                                    uint32_t *ret_fixed,
                                    etna_error *err)
{
    const scene *s = l->sp->shared->scene;
    for (uint32_t i = 0; i < s->object_count; i++) {
        bool carried = false;
        if (!s->objects[i].is_static || (left_behind && left_behind[i]))
            continue;
        etna_code code = is_carried_fixture(l, i, &carried, err);
        if (code != ETNA_OK)
            return code;
        if (carried)
            *ret_fixed = i;
    }
    return ETNA_OK;
}

/* Rounds until nobody is added: a stack is followed level by level. A fixture
 * that would be carried along is told in `fixed`, and the caller refuses. */
static etna_code load_fill(loading *l,
                           const uint32_t *by,
                           const bool *left_behind,
                           space_load *ret,
                           etna_error *err)
{
    const scene *s = l->sp->shared->scene;
    etna_code code = ETNA_OK;
    l->goes[l->root] = true;
    ret->count = 0;
    ret->fixed = SCENE_NONE;
    if (is_covering(&s->objects[l->root]))
        return ETNA_OK;
    for (bool any = true; any && code == ETNA_OK;)
        code = load_round(l, by, left_behind, &ret->fixed, &any, err);
    if (code == ETNA_OK)
        code = load_find_fixtures(l, left_behind, &ret->fixed, err);
    for (uint32_t i = 0; i < s->object_count && code == ETNA_OK; i++)
        if (l->goes[i] && i != l->root)
            ret->objects[ret->count++] = i;
    return code;
}

/* `left_behind` (NULL: none): objects that are not to be taken along.
 * ret->objects has room for all objects. */
etna_code space_load_find(space *sp,
                          const space_support_state *now,
                          uint32_t object,
                          const bool *left_behind,
                          space_load *ret,
                          etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    if (object >= n || now->object_count != n)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: the load of object %u of %u", object, n);
    loading l = {.sp = sp,
                 .now = now,
                 .root = object,
                 .goes = calloc((size_t)n + 1, sizeof *l.goes)};
    /* who carries, edge by edge */
    uint32_t *by = malloc(((size_t)now->edge_count + 1) * sizeof *by);
    etna_code code =
        l.goes && by ? ETNA_OK
                     : etna_fail(err, ETNA_E_NOMEM,
                                 "space: no memory for the load of an object");
    for (uint32_t i = 0; i < now->edge_count && code == ETNA_OK; i++)
        by[i] = now->edges[i].by;
    if (code == ETNA_OK)
        code = load_fill(&l, by, left_behind, ret, err);
    free(by);
    free(l.goes);
    return code;
}
