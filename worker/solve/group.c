/* What moves as one rigid body: the object of an edit and what goes along with it. */
#include "worker/solve/own.h"

arrange_pose pose_shifted(const arrange_pose *pose, vec3 along, double by)
{
    arrange_pose shifted = *pose;
    shifted.position[0] += along.x * by;
    shifted.position[1] += along.y * by;
    shifted.position[2] += along.z * by;
    return shifted;
}

bool group_has(const solve_case *c, uint32_t object)
{
    for (uint32_t i = 0; i < c->body_count; i++)
        if (c->body[i] == object) return true;
    return false;
}

/* Where something that stood at `stood` is when the object has gone from `before` to `pose`. */
static arrange_pose group_carried(const arrange_pose *before, const arrange_pose *pose, const arrange_pose *stood)
{
    double turn = pose->yaw - before->yaw, s, k;
    double x = stood->position[0] - before->position[0], y = stood->position[1] - before->position[1];
    math_sincos(turn, &s, &k);
    arrange_pose carried = {.yaw = stood->yaw + turn};
    carried.position[0] = pose->position[0] + (k * x - s * y);
    carried.position[1] = pose->position[1] + (s * x + k * y);
    carried.position[2] = pose->position[2] + (stood->position[2] - before->position[2]);
    return carried;
}

etna_code group_move(const solve_case *c, const arrange_pose *pose, etna_error *err)
{
    etna_code code = space_move(c->space, c->object, pose, err);
    for (uint32_t i = 1; i < c->body_count && code == ETNA_OK; i++) {
        arrange_pose carried = group_carried(&c->before, pose, &c->stood[i]);
        code = space_move(c->space, c->body[i], &carried, err);
    }
    return code;
}

etna_code group_return(const solve_case *c, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->body_count; i++) {
        etna_code moved = space_move(c->space, c->body[i], &c->stood[i], code == ETNA_OK ? err : NULL);
        code = code == ETNA_OK ? moved : code;
    }
    return code;
}

static bool group_knows(const uint32_t *found, uint32_t count, uint32_t other)
{
    for (uint32_t i = 0; i < count; i++)
        if (found[i] == other) return true;
    return false;
}

etna_code group_collisions(const solve_case *c, uint32_t *found, uint32_t room, uint32_t *ret_count, etna_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->body_count; i++) {
        for (uint32_t first = 0; count < room;) {
            space_pair pair;
            uint32_t met = 0;
            etna_code code = space_collisions_from(c->space, c->body[i], first, &c->rules, &pair, 1, &met, err);
            if (code != ETNA_OK) return code;
            if (met == 0) break;
            uint32_t other = pair.a == c->body[i] ? pair.b : pair.a;
            first = other + 1;
            if (!group_has(c, other) && !group_knows(found, count, other)) found[count++] = other;
        }
    }
    *ret_count = count;
    return ETNA_OK;
}

etna_code group_sweep(const solve_case *c, vec3 direction, double max, space_swept *ret, etna_error *err)
{
    return space_sweep_body(c->space, c->body, c->body_count, direction, max, &c->rules, ret, err);
}
