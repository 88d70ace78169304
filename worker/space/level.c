/* The level: where things stand in a file without a floor (METHODS.md 6).
 * Things that share a height and have nothing below them stand on something
 * that the file left out: a table, a floor. It is found once, of the boxes
 * where everything stands in the file. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

#define SAME_HEIGHT 0.01 /* metres that bottoms on one level may differ by */
#define BESIDE 0.5       /* metres that the level reaches beyond the things */
enum {
    LEVEL_THINGS = 2
};

static bool box_over(const box3 *below, const box3 *box)
{
    vec2 middle = {(box->min.x + box->max.x) / 2,
                   (box->min.y + box->max.y) / 2};
    bool covers = v2_within(middle, (vec2){below->min.x, below->min.y},
                            (vec2){below->max.x, below->max.y});
    return covers && below->min.z <= box->min.z + SAME_HEIGHT;
}

static bool level_is_thing(const space *sp, uint32_t object)
{
    return !sp->shared->scene->objects[object].is_static &&
           !space_is_aside(sp, object);
}

/* Has most of what is movable something static below it? */
bool level_has_floor(const space *sp)
{
    const scene *s = sp->shared->scene;
    uint32_t things = 0, floored = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        bool found = false;
        if (!level_is_thing(sp, i))
            continue;
        for (uint32_t k = 0; k < s->object_count && !found; k++)
            found =
                s->objects[k].is_static && !s->objects[k].stray &&
                box_over(&sp->object_state[k].box, &sp->object_state[i].box);
        things++;
        floored += found;
    }
    return 2 * floored >= things;
}

/* Does the middle of an object lie over another's box that reaches farther
 * down? */
static etna_code is_over_other(
    space *sp, uint32_t object, double lowest, bool *ret, etna_error *err)
{
    const uint32_t *near = NULL;
    uint32_t count = 0;
    box3 column = sp->object_state[object].box;
    double bottom = column.min.z;
    column.min.z = lowest;
    *ret = false;
    etna_code code = broad_phase_near(sp->broad_phase, sp->object_state,
                                      &column, 0, &near, &count, err);
    for (uint32_t i = 0; i < count && code == ETNA_OK && !*ret; i++) {
        bool lower = near[i] != object &&
                     sp->object_state[near[i]].box.min.z < bottom - SAME_HEIGHT;
        *ret = lower && box_over(&sp->object_state[near[i]].box,
                                 &sp->object_state[object].box);
    }
    return code;
}

static int level_compare_heights(const void *a, const void *b)
{
    double p = *(const double *)a;
    double q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The lowest of the most bottoms that share a height, where they are at least
 * half of all. */
static bool shared_height(double *bottoms, uint32_t count, double *ret)
{
    uint32_t most = 0;
    qsort(bottoms, count, sizeof *bottoms, level_compare_heights);
    for (uint32_t i = 0, k = 0; i < count; i++) {
        while (k < count && bottoms[k] <= bottoms[i] + SAME_HEIGHT)
            k++;
        if (k - i <= most)
            continue;
        most = k - i;
        *ret = bottoms[i];
    }
    return most >= LEVEL_THINGS && 2 * most >= count;
}

/* The box around all that is there. */
static box3 level_region(const space *sp)
{
    box3 all = {{INFINITY, INFINITY, INFINITY},
                {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < sp->shared->scene->object_count; i++) {
        if (space_is_aside(sp, i))
            continue;
        all.min = v3_min(all.min, sp->object_state[i].box.min);
        all.max = v3_max(all.max, sp->object_state[i].box.max);
    }
    return all;
}

/* `there` false: the file has a floor, or its things share no height. */
etna_code level_find(space *sp, space_level *ret, etna_error *err)
{
    const scene *s = sp->shared->scene;
    space_level level = {.box = {{INFINITY, INFINITY, INFINITY},
                                 {-INFINITY, -INFINITY, -INFINITY}}};
    uint32_t count = 0;
    *ret = level;
    if (level_has_floor(sp))
        return ETNA_OK;
    double *bottoms = malloc(((size_t)s->object_count + 1) * sizeof *bottoms);
    if (!bottoms)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         s->object_count);
    level.box = level_region(sp);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < s->object_count && code == ETNA_OK; i++) {
        bool over = false;
        if (!level_is_thing(sp, i))
            continue;
        code = is_over_other(sp, i, level.box.min.z, &over, err);
        if (!over)
            bottoms[count++] = sp->object_state[i].box.min.z;
    }
    if (code == ETNA_OK)
        level.there = shared_height(bottoms, count, &level.height);
    free(bottoms);
    level.box.min = v3_sub(level.box.min, v3(BESIDE, BESIDE, 0));
    level.box.max = v3_add(level.box.max, v3(BESIDE, BESIDE, 0));
    if (code == ETNA_OK)
        *ret = level;
    return code;
}

/* Metres from a point down to the level; INFINITY beside it, negative below. */
double level_drop(const space *sp, vec3 at)
{
    const space_level *level = &sp->level;
    bool over =
        level->there && at.x >= level->box.min.x && at.x <= level->box.max.x;
    if (!over || at.y < level->box.min.y || at.y > level->box.max.y)
        return INFINITY;
    return at.z - level->height;
}

bool space_level_find(const space *sp, double *ret_height, vec2 ret_reach[2])
{
    const space_level *level = &sp->level;
    if (!level->there)
        return false;
    *ret_height = level->height;
    if (ret_reach) {
        ret_reach[0] = (vec2){level->box.min.x, level->box.min.y};
        ret_reach[1] = (vec2){level->box.max.x, level->box.max.y};
    }
    return true;
}

void space_level_from(space *sp, const space *other)
{
    sp->level = other->level;
}
