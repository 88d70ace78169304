/* What is wrong with a room that was written, as `etna check` would say; and
 * rooms in which something may be, since nothing was looked at. */
#include "worker/cli/furnish_set_internal.h"

#include <stdlib.h>
#include <string.h>

/* Poses are the layout's; what stands on something is on top of its box. */
etna_code furnish_set_as_published(setter *s)
{
    furnishing *f = s->f;
    etna_code code = setter_spec_make(s);
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        const layout_place *p = &f->plan.items[i];
        if (!p->placed)
            continue;
        f->items[i].at[0] = p->x;
        f->items[i].at[1] = p->y;
        f->items[i].at[2] = p->z;
    }
    return code == ETNA_OK ? setter_write(s) : code;
}

/* Marks what the check names, but for the room itself. */
static void faults_mark(const space_check *check,
                        bool *colliding,
                        bool *floating)
{
    for (uint32_t i = 0; i < check->pair_count; i++)
        colliding[check->pairs[i].a] = colliding[check->pairs[i].b] = true;
    for (uint32_t i = 0; i < check->floating_count; i++)
        floating[check->floating[i]] = true;
}

static etna_code faults_count(const furnishing *f,
                              staged *made,
                              furnish_faults *ret,
                              etna_error *err)
{
    const uint32_t count = made->scene->object_count;
    space_check check = {0};
    bool *marks = calloc(3u * count + 1u, sizeof *marks);
    etna_code code = marks ? ETNA_OK : furnish_no_memory(err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(made->shared, err);
    if (code == ETNA_OK)
        code = space_check_all(made->space, &(space_rules){0}, &check, err);
    if (code == ETNA_OK)
        code = space_find_outside(made->space, marks + 2 * (size_t)count, err);
    if (code == ETNA_OK)
        faults_mark(&check, marks, marks + count);
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        uint32_t object = SCENE_NONE;
        for (uint32_t k = 0; f->plan.items[i].placed && k < count; k++) {
            if (strcmp(made->scene->objects[k].name, f->items[i].name) == 0)
                object = k;
        }
        if (object == SCENE_NONE)
            continue;
        ret->colliding += marks[object];
        ret->floating += marks[count + object];
        ret->outside += marks[2 * (size_t)count + object];
    }
    space_check_free(&check);
    free(marks);
    return code;
}

etna_code furnish_faults_find(const furnishing *f,
                              furnish_faults *ret,
                              etna_error *err)
{
    staged made = {0};
    compose_spec spec = f->spec;
    spec.object_count = 0;
    for (uint32_t i = 0; i < f->plan.item_count; i++)
        spec.object_count += f->plan.items[i].placed;
    etna_code code = staged_make(&spec, f->glb, f->glb_size, &made, err);
    if (code == ETNA_OK)
        code = faults_count(f, &made, ret, err);
    staged_free(&made);
    return code;
}
