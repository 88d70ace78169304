/* See world.h. */
#include "worker/mcp/world.h"

#include "worker/provider/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_edits(world_scene *kept, uint32_t from)
{
    for (uint32_t i = from; i < kept->count; i++) free(kept->edits[i].data);
    kept->count = from;
}

etna_code world_new(const world_options *options, world **ret, etna_error *err)
{
    world *w = calloc(1, sizeof *w);
    if (!w) {
        free(options->bundle);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a scene");
    }
    w->options = *options;
    *ret = w;
    return ETNA_OK;
}

void world_free(world *w)
{
    if (!w) return;
    for (uint32_t i = 0; i < w->scene_count; i++) {
        drop_edits(&w->scenes[i], 0);
        free(w->scenes[i].edits);
    }
    space_check_free(&w->base);
    space_free(w->space);
    if (w->warm) scene_cache_release(w->shared, w->warm);
    job_shared_free(w->shared);
    free(w->options.bundle);
    free(w);
}

static etna_code push_base(world *w, etna_error *err)
{
    snapshot base = {0};
    world_scene *main = &w->scenes[0];
    *main = (world_scene){.id = "main"};
    etna_code code = snapshot_base(w->warm->scene, &base, err);
    if (code == ETNA_OK) code = world_push(w, main, &base, "the file as it is", err);
    if (code == ETNA_OK) w->scene_count = 1;
    snapshot_free(&base);
    return code;
}

etna_code world_open(world *w, etna_error *err)
{
    etna_code code = ETNA_OK;
    if (!w->shared) code = job_shared_new(SIZE_MAX, &w->shared, err);
    if (code == ETNA_OK) job_shared_use_threads(w->shared, w->options.threads);
    if (code == ETNA_OK && !w->warm) {
        if (!w->options.bundle)
            return etna_fail(err, ETNA_E_INPUT, "the scene could not be read; start the server anew with another file");
        etna_hash hash = etna_hash_bytes(w->options.bundle, w->options.bundle_size);
        code = scene_cache_import(w->shared, &hash, w->options.bundle, w->options.bundle_size, &w->warm, err);
        w->options.bundle = NULL; /* taken in every case */
    }
    if (code == ETNA_OK && !w->space) code = space_new(w->warm->shared, &w->space, err);
    if (code == ETNA_OK && !w->scene_count) code = push_base(w, err);
    return code;
}

etna_code world_find(world *w, const char *id, world_scene **ret, etna_error *err)
{
    for (uint32_t i = 0; i < w->scene_count; i++) {
        if (strcmp(w->scenes[i].id, id ? id : "main") != 0) continue;
        *ret = &w->scenes[i];
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_INPUT,
                     "no scene_id \"%.60s\"; leave it out for the scene itself, or make one with open_scene",
                     id ? id : "main");
}

/* Room for one more edit; the oldest but the first goes when there are too many. */
static etna_code make_room(world_scene *kept, etna_error *err)
{
    if (kept->count == WORLD_EDITS_MAX) {
        free(kept->edits[1].data);
        memmove(kept->edits + 1, kept->edits + 2, (kept->count - 2) * sizeof *kept->edits);
        kept->count--;
    }
    if (kept->count < kept->room) return ETNA_OK;
    uint32_t room = kept->room ? 2 * kept->room : 16;
    world_edit *edits = realloc(kept->edits, room * sizeof *edits);
    if (!edits) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the history");
    kept->edits = edits;
    kept->room = room;
    return ETNA_OK;
}

etna_code world_push(world *w, world_scene *kept, const snapshot *snap, const char *label, etna_error *err)
{
    world_edit edit = {{0}, NULL, 0, {{0}}};
    etna_arena arena = ETNA_ARENA_INIT;
    (void)w;
    etna_code code = snapshot_encode(snap, &edit.data, &edit.size, &edit.hash, err);
    if (code == ETNA_OK) {
        const char *plain = text_clean(&arena, label, strlen(label), WORLD_LABEL_MAX - 1);
        snprintf(edit.label, sizeof edit.label, "%s", plain ? plain : "");
        if (kept->count) drop_edits(kept, kept->at + 1);
        code = make_room(kept, err);
    }
    if (code == ETNA_OK) {
        kept->edits[kept->count++] = edit;
        kept->at = kept->count - 1;
    } else {
        free(edit.data);
    }
    etna_arena_free(&arena);
    return code;
}

etna_code world_stand(world *w, const world_scene *kept, snapshot *ret, etna_error *err)
{
    const world_edit *edit = &kept->edits[kept->at];
    snapshot snap = {0};
    etna_code code = snapshot_decode(w->warm->scene, edit->data, edit->size, &snap, err);
    if (code == ETNA_OK) code = space_hide(w->space, NULL, err);
    if (code == ETNA_OK) code = space_restore(w->space, &snap, err);
    if (code != ETNA_OK) {
        snapshot_free(&snap);
        return code;
    }
    *ret = snap;
    return ETNA_OK;
}

etna_code world_branch(world *w, const world_scene *from, world_scene **ret, etna_error *err)
{
    snapshot snap = {0};
    if (w->scene_count == WORLD_SCENES_MAX) {
        return etna_fail(err, ETNA_E_INPUT, "there are %d open scenes already; close one with close_scene",
                         WORLD_SCENES_MAX);
    }
    world_scene *made = &w->scenes[w->scene_count];
    *made = (world_scene){.count = 0};
    snprintf(made->id, sizeof made->id, "scene-%u", w->made + 1);
    etna_code code = snapshot_base(w->warm->scene, &snap, err);
    if (code == ETNA_OK) code = world_push(w, made, &snap, "the file as it is", err);
    snapshot_free(&snap);
    if (code == ETNA_OK && from->at > 0) {
        char label[WORLD_LABEL_MAX];
        snprintf(label, sizeof label, "as %s stood", from->id);
        code = world_stand(w, from, &snap, err);
        if (code == ETNA_OK) code = world_push(w, made, &snap, label, err);
        snapshot_free(&snap);
    }
    if (code != ETNA_OK) {
        drop_edits(made, 0);
        free(made->edits);
        return code;
    }
    w->made++;
    w->scene_count++;
    *ret = made;
    return ETNA_OK;
}

void world_drop(world *w, world_scene *kept)
{
    drop_edits(kept, 0);
    free(kept->edits);
    uint32_t index = (uint32_t)(kept - w->scenes);
    memmove(w->scenes + index, w->scenes + index + 1, (w->scene_count - index - 1) * sizeof *w->scenes);
    w->scene_count--;
}

static bool has_own_camera(const scene *s)
{
    for (uint32_t i = 0; i < s->camera_count; i++) {
        if (!s->cameras[i].derived) return true;
    }
    return false;
}

etna_code world_camera(world *w, const snapshot *snap, const char *request, scene_camera *ret, etna_error *err)
{
    snapshot base = {0};
    etna_code code = snapshot_base(w->warm->scene, &base, err);
    if (code == ETNA_OK) code = space_restore(w->space, &base, err);
    snapshot_free(&base);
    if (code != ETNA_OK) return code;
    view_cut_request cut;
    if (view_read_cutaway(w->warm->scene, request, &cut)) {
        code = scene_cache_cutaway(w->shared, w->warm, request, w->space, ret, err);
    } else if (request ? strcmp(request, "auto") == 0 || (strcmp(request, "derived") == 0 &&
                                                          scene_find_camera(w->warm->scene, request) == SCENE_NONE)
                       : !has_own_camera(w->warm->scene)) {
        code = scene_cache_derive(w->shared, w->warm, "auto", w->space, ret, err);
    } else {
        code = view_choose_camera(w->space, NULL, 0, request, ret, err);
    }
    return code == ETNA_OK ? space_restore(w->space, snap, err) : code;
}

etna_code world_base(world *w, const space_check **ret, etna_error *err)
{
    const space_rules rules = {0};
    space *sp = NULL;
    etna_code code = ETNA_OK;
    if (!w->base_known) {
        code = space_new(w->warm->shared, &sp, err);
        if (code == ETNA_OK) code = space_check_all(sp, &rules, &w->base, err);
        w->base_known = code == ETNA_OK;
        space_free(sp);
    }
    *ret = &w->base;
    return code;
}
