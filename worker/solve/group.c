/* What moves as one rigid body: the object of an edit and what goes along with
 * it. */
#include "worker/solve/solve_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_PAIRS = 16
};

/* `along` is unit, `by` metres. */
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
        if (c->body[i] == object)
            return true;
    return false;
}

/* The object to `pose`, the rest rigidly with it. The space is changed; whoever
 * calls returns it (group_return). */
etna_code group_move(const solve_case *c,
                     const arrange_pose *pose,
                     etna_error *err)
{
    assert(c->body_count > 0 && c->body[0] == c->object);
    etna_code code = space_move(c->space, c->object, pose, err);
    for (uint32_t i = 1; i < c->body_count && code == ETNA_OK; i++) {
        arrange_pose carried = space_carried(&c->before, pose, &c->stood[i]);
        code = space_move(c->space, c->body[i], &carried, err);
    }
    return code;
}

/* Goes on after a failure, so that as much as possible is where it was; reports
 * the first. */
etna_code group_return(const solve_case *c, etna_error *err)
{
    assert(c->body_count > 0);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->body_count; i++) {
        etna_code moved = space_move(c->space, c->body[i], &c->stood[i],
                                     code == ETNA_OK ? err : NULL);
        code = code == ETNA_OK ? moved : code;
    }
    return code;
}

/* How deep the object is in what it hangs on, at the start: a lamp screwed into
 * the ceiling cuts it there and may do so at its new place. Asked once, the
 * answer stays in the case (sunk < 0: not yet). */
etna_code group_sunk(solve_case *c, etna_error *err)
{
    uint8_t support = c->start->support[c->object];
    if (c->sunk >= 0)
        return ETNA_OK;
    c->sunk = 0;
    arrange_pose pose = *space_pose(c->space, c->object);
    etna_code code =
        space_move(c->space, c->object, &c->start->pose[c->object], err);
    if (code == ETNA_OK)
        code = space_sunk(c->space, c->object, &c->rules, &c->sunk, err);
    if (code == ETNA_OK) {
        bool sits = support == SUPPORT_GROUNDED && !(c->sunk > 0);
        c->hung = !sits && space_sunk_hangs(c->space, c->object, support);
        code = space_move(c->space, c->object, &pose, err);
    }
    if (!c->hung)
        c->sunk = 0;
    return code;
}

/* Is it the object in something static, and no deeper than at the start? */
static etna_code group_hangs_so(const solve_case *c,
                                const space_pair *pair,
                                bool *ret,
                                etna_error *err)
{
    space_pair exact;
    *ret = false;
    if (pair->a != c->object || !c->scene->objects[pair->b].is_static ||
        !(c->sunk > 0))
        return ETNA_OK;
    etna_code code = space_pair_check(c->space, pair->a, pair->b, &c->rules,
                                      true, &exact, err);
    if (code == ETNA_OK)
        *ret = !exact.deeper && exact.depth <= c->sunk + SPACE_SUNK_MORE;
    return code;
}

/* At most `room` others that the body collides with. Pairs within the depth it
 * had at the start do not count. */
etna_code group_collisions(solve_case *c,
                           uint32_t *found,
                           uint32_t room,
                           uint32_t *ret_count,
                           etna_error *err)
{
    space_pair pairs[GROUP_PAIRS];
    uint32_t count = 0, kept = 0;
    etna_code code = group_sunk(c, err);
    uint32_t most = room < GROUP_PAIRS && !(c->sunk > 0) ? room : GROUP_PAIRS;
    if (code == ETNA_OK)
        code = space_body_collisions(c->space, c->body, c->body_count,
                                     &c->rules, pairs, most, &count, err);
    for (uint32_t i = 0; i < count && kept < room && code == ETNA_OK; i++) {
        bool as_then = false;
        code = group_hangs_so(c, &pairs[i], &as_then, err);
        if (!as_then)
            found[kept++] = pairs[i].b;
    }
    if (code == ETNA_OK)
        *ret_count = kept;
    return code;
}

/* Whether a hand could bring it to where it is now. Asked of GROUP_UNREACHED
 * refused places at most, as each costs a search through the air. The air is
 * found with everything at its start: a body in the way of itself would shut it
 * off. */
etna_code group_reach(solve_case *c, bool *ret, etna_error *err)
{
    etna_code code = ETNA_OK;
    *ret = c->request->any_place || c->request->paper_solver;
    if (*ret || c->unreached >= GROUP_UNREACHED)
        return ETNA_OK;
    if (!c->air) {
        arrange_pose pose = *space_pose(c->space, c->object);
        code = group_return(c, err);
        if (code == ETNA_OK)
            code = space_air_find(c->space, &c->air, err);
        if (code == ETNA_OK)
            code = group_move(c, &pose, err);
    }
    if (code == ETNA_OK)
        code = space_reach(c->space, c->air, c->body, c->body_count, c->stood,
                           &c->rules, ret, err);
    c->unreached += code == ETNA_OK && !*ret;
    return code;
}

/* The whole body along `direction` (unit) until something meets, at most `max`
 * metres. */
etna_code group_sweep(const solve_case *c,
                      vec3 direction,
                      double max,
                      space_swept *ret,
                      etna_error *err)
{
    return space_sweep_body(c->space, c->body, c->body_count, direction, max,
                            &c->rules, ret, err);
}

/* ---- the load ---- */
/* How everything stands now: the state at the start while nothing has moved
 * since. */
static etna_code group_support(space *sp,
                               const solve_request *q,
                               space_support_state *ret,
                               bool *ret_own,
                               etna_error *err)
{
    bool changed = !q->start;
    for (uint32_t i = 0; q->moved && i < space_scene(sp)->object_count; i++)
        changed = changed || q->moved[i];
    *ret_own = changed;
    if (!changed) {
        *ret = *q->start;
        return ETNA_OK;
    }
    return space_support_compute(sp, q->rules, q->start, q->attached_by_contact,
                                 ret, err);
}

/* A load that cannot go along forbids the move. */
static etna_code group_check_load(const scene *s,
                                  uint32_t object,
                                  const space_load *load,
                                  etna_error *err)
{
    const char *name = s->objects[object].name;
    if (load->fixed != SCENE_NONE)
        return etna_fail(
            err, ETNA_E_INPUT,
            "object \"%s\" is not moved: \"%s\" stands on it and would have to go along, but is static",
            name, s->objects[load->fixed].name);
    if (load->count > SOLVE_CARRIED_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "object \"%s\" is not moved: %u things stand on it; at most %d go along",
            name, load->count, SOLVE_CARRIED_MAX);
    return ETNA_OK;
}

/* For a move that is not solved but given: *ret gets the pose and those of the
 * load. The space stays as it is. */
etna_code solve_carry(space *sp,
                      const solve_request *request,
                      uint32_t object,
                      const arrange_pose *pose,
                      solve_result *ret,
                      etna_error *err)
{
    const scene *s = space_scene(sp);
    space_support_state now = {0};
    bool own = false;
    space_load load = {.objects = malloc(((size_t)s->object_count + 1) *
                                         sizeof *load.objects)};
    etna_code code = load.objects
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "no memory for what an object carries");
    if (code == ETNA_OK)
        code = group_support(sp, request, &now, &own, err);
    if (code == ETNA_OK)
        code =
            space_load_find(sp, &now, object, request->left_behind, &load, err);
    if (own)
        space_support_free(&now);
    if (code == ETNA_OK)
        code = group_check_load(s, object, &load, err);
    if (code == ETNA_OK) {
        const arrange_pose *before = space_pose(sp, object);
        ret->object = object;
        ret->pose = *pose;
        ret->carried_count = load.count;
        for (uint32_t i = 0; i < load.count; i++) {
            ret->carried[i] = load.objects[i];
            ret->carried_pose[i] =
                space_carried(before, pose, space_pose(sp, load.objects[i]));
        }
    }
    free(load.objects);
    return code;
}

/* No constraint may name what goes along with the object. */
static etna_code group_check_named(const solve_case *c, etna_error *err)
{
    const scene *s = c->scene;
    const constraint_list *list = c->request->constraints;
    for (uint32_t i = 0; i < list->count; i++) {
        bool named = list->items[i].name &&
                     list->items[i].kind != CONSTRAINT_OBJECT_NAME;
        uint32_t other = named ? case_object_of(c, i) : SCENE_NONE;
        if (other == SCENE_NONE || other == c->object || !group_has(c, other))
            continue;
        return etna_fail(
            err, ETNA_E_INPUT,
            "constraint %u (%s): \"%s\" stands on \"%s\" and goes along with it; move it off first",
            i + 1, constraint_kind_name(list->items[i].kind),
            s->objects[other].name, s->objects[c->object].name);
    }
    return ETNA_OK;
}

/* The body: the object first, then its load, each with where it stood. */
static etna_code group_open(solve_case *c,
                            const space_load *load,
                            etna_error *err)
{
    etna_code code = group_check_load(c->scene, c->object, load, err);
    if (code != ETNA_OK)
        return code;
    uint32_t *body = etna_arena_alloc(c->arena, load->count + 1, sizeof *body);
    arrange_pose *stood =
        etna_arena_alloc(c->arena, load->count + 1, sizeof *stood);
    if (!body || !stood)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for what an object carries");
    body[0] = c->object;
    stood[0] = c->before;
    for (uint32_t i = 0; i < load->count; i++) {
        body[i + 1] = load->objects[i];
        stood[i + 1] = *space_pose(c->space, load->objects[i]);
    }
    c->body = body;
    c->stood = stood;
    c->body_count = load->count + 1;
    return group_check_named(c, err);
}

/* What stands on the object now becomes part of its body. Arrays come from the
 * case's arena. */
etna_code group_find(solve_case *c,
                     const space_support_state *start,
                     etna_error *err)
{
    solve_request q = *c->request;
    space_support_state now = {0};
    bool own = false;
    uint32_t *objects = etna_arena_alloc(
        c->arena, (size_t)c->scene->object_count + 1, sizeof *objects);
    space_load load = {.objects = objects};
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for what an object carries");
    q.start = start;
    q.rules = &c->rules;
    etna_code code = group_support(c->space, &q, &now, &own, err);
    if (code == ETNA_OK)
        code = space_load_find(c->space, &now, c->object, q.left_behind, &load,
                               err);
    if (own)
        space_support_free(&now);
    return code == ETNA_OK ? group_open(c, &load, err) : code;
}

/* Where everything of it is when the object is at r->pose. */
void group_tell(const solve_case *c, solve_result *r)
{
    r->carried_count = c->body_count - 1;
    for (uint32_t i = 1; i < c->body_count; i++) {
        r->carried[i - 1] = c->body[i];
        r->carried_pose[i - 1] = c->stood[i];
        if (r->status == BRANCH_VALID)
            r->carried_pose[i - 1] =
                space_carried(&c->before, &r->pose, &c->stood[i]);
    }
}

/* The edited scene as a snapshot: the object and all it carried. */
etna_code solve_snapshot(const solve_result *result,
                         const snapshot *from,
                         snapshot *ret,
                         etna_error *err)
{
    snapshot edited = {0};
    etna_code code =
        snapshot_edit(from, result->object, &result->pose, &edited, err);
    for (uint32_t i = 0; i < result->carried_count && code == ETNA_OK; i++)
        code = snapshot_carry(&edited, result->carried[i],
                              &result->carried_pose[i], err);
    if (code != ETNA_OK) {
        snapshot_free(&edited);
        return code;
    }
    edited.attached[result->object] = result->attached;
    *ret = edited;
    return ETNA_OK;
}
