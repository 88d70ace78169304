/* The whole scene at once: every colliding pair and everything that hovers; and
 * the one clause of METHODS.md 1 that needs true triangles, "static is what
 * cuts into a static object deeper than 1 cm". */
#include "worker/space/space_internal.h"

#include "proto/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair_list {
    space_pair *pairs;
    uint32_t count, room;
} pair_list;

static etna_code list_add(pair_list *list, space_pair pair, etna_error *err)
{
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 64;
        space_pair *grown = list->room > UINT32_MAX / 4
                                ? NULL
                                : realloc(list->pairs, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "space: no memory for %u pairs of objects",
                             list->count);
        list->pairs = grown;
        list->room = room;
    }
    list->pairs[list->count++] = pair;
    return ETNA_OK;
}

/* Static by name, shape or size, so that what it cuts of its like is how the
 * house was built. */
static bool check_is_rooted(const space *sp, uint32_t object)
{
    const scene_object *o = &sp->shared->scene->objects[object];
    return o->is_static && !o->static_by_cut;
}

/* Pairs whose boxes meet, a < b, in order. */
static etna_code near_pairs(const space *sp, pair_list *ret, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t a = 0; a < sp->shared->scene->object_count && !code; a++) {
        const uint32_t *near = NULL;
        uint32_t count = 0;
        code =
            broad_phase_near(sp->broad_phase, sp->object_state,
                             &sp->object_state[a].box, 0, &near, &count, err);
        for (uint32_t i = 0; i < count && !code; i++)
            if (near[i] > a &&
                !(check_is_rooted(sp, a) && check_is_rooted(sp, near[i])))
                code = list_add(ret, (space_pair){.a = a, .b = near[i]}, err);
    }
    return code;
}

void space_check_free(space_check *check)
{
    if (!check)
        return;
    free(check->pairs);
    free(check->floating);
    memset(check, 0, sizeof *check);
}

/* Of the pairs those that collide stay, with their depth: few do, and only
 * theirs is asked for. */
static etna_code keep_colliding(space *sp,
                                const space_rules *rules,
                                pair_list *list,
                                etna_error *err)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        space_pair pair;
        etna_code code = space_pair_check(
            sp, list->pairs[i].a, list->pairs[i].b, rules, false, &pair, err);
        if (code)
            return code;
        if (!pair.collides)
            continue;
        code = space_pair_check(sp, pair.a, pair.b, rules, true, &pair, err);
        if (code)
            return code;
        list->pairs[kept++] = pair;
    }
    list->count = kept;
    return ETNA_OK;
}

etna_code space_check_all(space *sp,
                          const space_rules *rules,
                          space_check *ret,
                          etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    pair_list list = {0};
    space_support_state state = {0};
    uint32_t *floating = malloc(((size_t)n + 1) * sizeof *floating);
    uint32_t floating_count = 0;
    etna_code code = floating ? near_pairs(sp, &list, err)
                              : etna_fail(err, ETNA_E_NOMEM,
                                          "space: no memory for %u objects", n);
    if (!code)
        code = keep_colliding(sp, rules, &list, err);
    if (!code)
        code = space_support_compute(sp, rules, NULL, NULL, &state, err);
    if (code) {
        free(list.pairs);
        free(floating);
        return code;
    }
    for (uint32_t i = 0; i < n; i++)
        if (state.support[i] == SUPPORT_HOVERING)
            floating[floating_count++] = i;
    space_support_free(&state);
    *ret = (space_check){.pair_count = list.count,
                         .floating_count = floating_count,
                         .pairs = list.pairs,
                         .floating = floating};
    return ETNA_OK;
}

/* Would it be free of the root where it is moved by `by`? ret: valid only on
 * ETNA_OK. */
static etna_code check_is_free(space *sp,
                               uint32_t object,
                               uint32_t root,
                               vec3 by,
                               bool *ret,
                               etna_error *err)
{
    const space_rules one_centimetre = {.paper_collision = true};
    const arrange_pose stands = *space_pose(sp, object);
    arrange_pose moved = stands;
    space_pair pair = {.collides = true};
    moved.position[0] += by.x;
    moved.position[1] += by.y;
    moved.position[2] += by.z;
    etna_code code = space_move(sp, object, &moved, err);
    if (code == ETNA_OK)
        code = space_pair_check(sp, object, root, &one_centimetre, false, &pair,
                                err);
    *ret = !pair.collides;
    const etna_code back = space_move(sp, object, &stands, err);
    return code ? code : back;
}

/* Is it merely placed sloppily, too deep in the floor or in the wall at its
 * side, as trees and much furniture are: would a tenth of its own height up, of
 * its own breadth aside or both let it free? A skirting board is as deep in its
 * wall as it is thick, and is none of those. ret: valid only on ETNA_OK. */
static etna_code check_is_sunk(
    space *sp, uint32_t object, uint32_t root, bool *ret, etna_error *err)
{
    const scene_box box = space_box(sp, object);
    const double x = space_sunk_most(2 * box.half.x);
    const double y = space_sunk_most(2 * box.half.y);
    const double sides[5][2] = {{0, 0}, {x, 0}, {-x, 0}, {0, y}, {0, -y}};
    const double cosine = cos(box.yaw);
    const double sine = sin(box.yaw);
    *ret = false;
    for (int lifted = 1; lifted >= 0 && !*ret; lifted--) {
        for (size_t i = 0; i < COUNT_OF(sides) && !*ret; i++) {
            const double *side = sides[i];
            const vec3 by = v3(side[0] * cosine - side[1] * sine,
                               side[0] * sine + side[1] * cosine,
                               lifted ? space_sunk_most(2 * box.half.z) : 0);
            etna_code code = check_is_free(sp, object, root, by, ret, err);
            if (code != ETNA_OK)
                return code;
        }
    }
    return ETNA_OK;
}

/* Marks what a rooted object cuts into by more than a centimetre: the one of
 * the two that is not rooted. What is but sunk into it is not held. */
static etna_code find_cut(space *sp,
                          const pair_list *list,
                          bool *cut,
                          etna_error *err)
{
    const space_rules one_centimetre = {.paper_collision = true};
    const scene_object *objects = sp->shared->scene->objects;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t a = list->pairs[i].a;
        uint32_t b = list->pairs[i].b;
        bool root_a = check_is_rooted(sp, a);
        bool root_b = check_is_rooted(sp, b);
        uint32_t held = root_a ? b : a;
        uint32_t root = root_a ? a : b;
        space_pair pair;
        if (root_a == root_b || cut[held])
            continue;
        if (scene_is_aside(&objects[a]) || scene_is_aside(&objects[b]))
            continue;
        etna_code code =
            space_pair_check(sp, a, b, &one_centimetre, false, &pair, err);
        if (code)
            return code;
        bool sunk = false;
        if (pair.collides)
            code = check_is_sunk(sp, held, root, &sunk, err);
        if (code)
            return code;
        cut[held] = pair.collides && !sunk;
    }
    return ETNA_OK;
}

/* Once for a scene, and by whoever opens it first: what it marks changes which
 * objects may move, so it must be done before anybody asks. */
etna_code space_mark_static_by_cut(space_shared *shared, etna_error *err)
{
    if (atomic_load(&shared->cut_marked))
        return ETNA_OK;
    pair_list list = {0};
    space *sp = NULL;
    bool *cut = calloc((size_t)shared->scene->object_count + 1, sizeof *cut);
    etna_code code = cut ? space_new_bare(shared, &sp, err)
                         : etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    if (!code)
        code = near_pairs(sp, &list, err);
    if (!code)
        code = find_cut(sp, &list, cut, err);
    for (uint32_t i = 0; i < shared->scene->object_count && !code; i++)
        if (cut[i])
            scene_set_static_by_cut(shared->scene, i);
    if (!code)
        atomic_store(&shared->cut_marked, true);
    space_free(sp);
    free(list.pairs);
    free(cut);
    return code;
}
