/* What comes into a scene that is furnished: guests of a stage, and the file
 * with them. */
#include "worker/cli/assets.h"
#include "worker/cli/bring.h"
#include "worker/cli/furnish_scene_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_guest(const furnishing *f, uint32_t item)
{
    return f->plan.items[item].placed && !furnish_is_there(f, item);
}

void furnish_guests_free(furnish_scene *s)
{
    for (uint32_t i = 0; i < s->model_count; i++) {
        asset_model_free(&s->models[i].model);
        json_decref(s->models[i].told);
    }
    s->model_count = 0;
}

/* ---- models ---- */

/* Each model once, however many items are of it. */
static etna_code model_read(furnishing *f,
                            shelf *assets,
                            uint32_t item,
                            const furnish_model **ret,
                            etna_error *err)
{
    furnish_scene *s = f->scene;
    const furnish_pick *pick = furnish_pick_of(f, item);
    for (uint32_t i = 0; i < s->model_count; i++) {
        if (!etna_hash_equal(&s->models[i].hash, &pick->hash))
            continue;
        *ret = &s->models[i];
        return ETNA_OK;
    }
    furnish_model *m = &s->models[s->model_count];
    *m = (furnish_model){.hash = pick->hash};
    etna_code code = shelf_get_source(assets, pick->path, pick->number,
                                      &f->arena, &m->source, err);
    if (code == ETNA_OK)
        code = asset_fetch(&m->source, &m->model, err);
    if (code != ETNA_OK)
        return code;
    s->model_count++;
    m->told = bring_told(&m->source, &m->model,
                         f->things[f->plan.items[item].thing].said);
    *ret = m;
    return m->told ? ETNA_OK : furnish_no_memory(err);
}

/* The items that come into the scene, as stage_make wants them. */
static etna_code guests_make(furnishing *f,
                             stage_guest *guests,
                             uint32_t *ret_count,
                             etna_error *err)
{
    shelf *assets = NULL;
    etna_code code = assets_open(f->store, false, &assets, err);
    *ret_count = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        const furnish_model *m = NULL;
        if (!is_guest(f, i))
            continue;
        if (*ret_count == STAGE_GUESTS_MAX)
            code = etna_fail(err, ETNA_E_LIMIT,
                             "more than %d things to bring into a scene",
                             STAGE_GUESTS_MAX);
        if (code == ETNA_OK)
            code = model_read(f, assets, i, &m, err);
        if (code == ETNA_OK)
            guests[(*ret_count)++] =
                bring_guest(&m->source, &m->model, f->items[i].name, m->told);
    }
    shelf_close(assets);
    return code;
}

/* ---- names ---- */

/* In any case of letters, as names are compared. */
static bool name_is_taken(const furnishing *f, const char *name, uint32_t items)
{
    for (uint32_t i = 0; i < items; i++) {
        if (f->items[i].name && strcasecmp(f->items[i].name, name) == 0)
            return true;
    }
    const scene *s = f->scene->loaded.scene;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (strcasecmp(s->objects[i].name, name) == 0)
            return true;
    }
    return false;
}

/* What is there keeps its name; what comes has one of no object and no other
 * item. */
static etna_code name_items(furnishing *f, etna_error *err)
{
    const furnish_scene *s = f->scene;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        const layout_place *p = &f->plan.items[i];
        const furnish_thing *t = &f->things[p->thing];
        f->items[i].object = BRIEF_NONE;
        if (t->source == FURNISH_SCENE) {
            const builtin_object *o =
                &s->facts.objects[s->fixed_object[t->first_fixed + p->model]];
            const double at[3] = {p->x, p->y, p->z};
            f->items[i].name = o->name;
            memcpy(f->items[i].at, at, sizeof at);
            continue;
        }
        const char *name = etna_arena_printf(&f->arena, "%.60s", t->head);
        for (uint32_t n = 2; name && name_is_taken(f, name, i); n++)
            name = etna_arena_printf(&f->arena, "%.60s %u", t->head, n);
        if (!name)
            return furnish_no_memory(err);
        f->items[i].name = name;
    }
    return ETNA_OK;
}

/* ---- the stage ---- */

static etna_code guests_find_objects(furnishing *f,
                                     const staged *s,
                                     etna_error *err)
{
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        if (!f->plan.items[i].placed)
            continue;
        f->items[i].object = scene_find_object(s->scene, f->items[i].name);
        if (f->items[i].object == SCENE_NONE)
            return etna_fail(err, ETNA_E_INTERNAL,
                             "\"%.100s\" is not in the stage",
                             f->items[i].name);
    }
    return ETNA_OK;
}

/* Scene and guests as one file, with a space to measure in. */
etna_code furnish_scene_stage(furnishing *f, staged *ret, etna_error *err)
{
    const loaded_scene *l = &f->scene->loaded;
    size_t size = 0;
    stage_guest *guests = calloc(f->plan.item_count + 1u, sizeof *guests);
    json_t *edits = json_array();
    stage_plan plan = {.guests = guests, .edits = edits};
    etna_code code =
        guests && edits ? name_items(f, err) : furnish_no_memory(err);
    if (code == ETNA_OK)
        code = guests_make(f, guests, &plan.guest_count, err);
    if (code == ETNA_OK)
        code = stage_make(l->scene, l->bundle, l->bundle_size, &plan,
                          &ret->bundle, &size, err);
    if (code == ETNA_OK)
        code = scene_import(ret->bundle, size, &ret->scene, err);
    if (code == ETNA_OK)
        code = space_share(ret->scene, &ret->shared, err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(ret->shared, err);
    if (code == ETNA_OK)
        code = space_new(ret->shared, &ret->space, err);
    if (code == ETNA_OK)
        code = guests_find_objects(f, ret, err);
    f->scene->staged_size = size;
    json_decref(edits);
    free(guests);
    return code;
}

/* From the room's frame to a pose of the scene. The box's middle need not be
 * over the foot's. */
arrange_pose furnish_scene_pose(const furnishing *f,
                                const staged *s,
                                uint32_t item,
                                const double at[3])
{
    const scene_object *o = &s->scene->objects[f->items[item].object];
    const furnish_scene *own = f->scene;
    /* both are of one file */
    const vec3 shift = v3_sub(own->loaded.scene->recentre, s->scene->recentre);
    vec3 foot = v3_add(furnish_scene_at(own, at), shift);
    arrange_pose pose = scene_base_pose(o);
    /* from +Z of its file */
    const uint32_t quarters =
        f->plan.items[item].heading - furnish_pick_of(f, item)->front;
    const double turn = own->angle + (quarters & 3) * (MATH_PI / 2);
    const double off[2] = {o->box.centre.x - (o->min.x + o->max.x) / 2,
                           o->box.centre.y - (o->min.y + o->max.y) / 2};
    /* its tight box need not be over the middle of its foot */
    double sine, cosine;
    math_sincos(turn, &sine, &cosine);
    pose.position[0] = foot.x + cosine * off[0] - sine * off[1];
    pose.position[1] = foot.y + sine * off[0] + cosine * off[1];
    pose.position[2] = foot.z + o->box.half.z;
    pose.yaw += turn;
    return pose;
}

/* f->glb: the scene with the guests where they were put. */
etna_code furnish_scene_write(furnishing *f, const staged *s, etna_error *err)
{
    snapshot now = {.object_count = 0};
    etna_code code = snapshot_base(s->scene, &now, err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        if (!is_guest(f, i))
            continue;
        const arrange_pose pose = furnish_scene_pose(f, s, i, f->items[i].at);
        code = snapshot_carry(&now, f->items[i].object, &pose, err);
    }
    free(f->glb);
    f->glb = NULL;
    if (code == ETNA_OK)
        code = stage_export_glb(s->scene, s->bundle, f->scene->staged_size,
                                &now, &f->glb, &f->glb_size, err);
    snapshot_free(&now);
    return code;
}
