/* The arrangements that are open: files, each imported once, and histories of
 * edits on them. An edit is a snapshot's bytes, so going back to one is a
 * decode. A file lives as long as an edit stands on it; the first, which the
 * server was started with, always. Used by one thread. See world.h. */
#include "worker/mcp/world.h"

#include "worker/provider/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

/* NULL is fine. */
static void file_free(world *w, world_file *file)
{
    if (!file)
        return;
    space_check_free(&file->base);
    space_free(file->space);
    if (file->warm)
        scene_cache_release(w->shared, file->warm);
    free(file->bundle);
    free(file);
}

/* Takes the bundle over in every case. */
static etna_code add_file(world *w,
                          const char *path,
                          const char *name,
                          uint8_t *bundle,
                          size_t size,
                          world_file **ret,
                          etna_error *err)
{
    world_file *file = calloc(1, sizeof *file);
    if (!file) {
        free(bundle);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a scene");
    }
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(file->path, sizeof file->path, "%s", path);
    file->bundle = bundle;
    file->bundle_size = size;
    w->files[w->file_count++] = file;
    *ret = file;
    return ETNA_OK;
}

/* Its place in the list is closed; pointers to other files stay valid. */
static void drop_file(world *w, world_file *file)
{
    uint32_t index = 0;
    while (w->files[index] != file)
        index++;
    memmove(w->files + index, w->files + index + 1,
            (w->file_count - index - 1) * sizeof *w->files);
    w->file_count--;
    file_free(w, file);
}

/* The last edit that stands on a file takes it along. */
static void edit_free(world *w, world_edit *edit)
{
    free(edit->data);
    if (--edit->file->uses == 0 && !edit->file->stays)
        drop_file(w, edit->file);
}

/* From there to the newest. */
static void drop_edits(world_scene *kept, uint32_t from)
{
    for (uint32_t i = from; i < kept->count; i++)
        edit_free(kept->world, &kept->edits[i]);
    kept->count = from;
}

/* What is imported stays; a failed import has lost the bundle, and says so at
 * the next try. */
static etna_code import_file(world *w, world_file *file, etna_error *err)
{
    etna_code code = ETNA_OK;
    if (!w->shared) {
        code = job_shared_new(SIZE_MAX, &w->shared, err);
        if (code == ETNA_OK)
            job_shared_use_threads(w->shared, w->options.threads);
    }
    if (code == ETNA_OK && !file->warm) {
        if (!file->bundle)
            return etna_fail(
                err, ETNA_E_INPUT,
                "the scene could not be read; start the server anew with another file");
        etna_hash hash = etna_hash_bytes(file->bundle, file->bundle_size);
        uint8_t *bundle = file->bundle;
        file->bundle = NULL; /* taken in every case */
        code = scene_cache_import(w->shared, &hash, bundle, file->bundle_size,
                                  &file->warm, err);
    }
    if (code == ETNA_OK && !file->space)
        code = space_new(file->warm->shared, &file->space, err);
    return code;
}

/* ---- beginning and end ---- */

/* Takes options->bundle, on failure too. */
etna_code world_new(const world_options *options, world **ret, etna_error *err)
{
    world *w = calloc(1, sizeof *w);
    if (!w) {
        free(options->bundle);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a scene");
    }
    w->options = *options;
    w->options.bundle = NULL;
    if (options->scene_name) {
        world_file *file = NULL;
        etna_code code =
            add_file(w, options->scene_path, options->scene_name,
                     options->bundle, options->bundle_size, &file, err);
        if (code != ETNA_OK) {
            world_free(w);
            return code;
        }
        file->stays = true;
    }
    *ret = w;
    return ETNA_OK;
}

/* NULL is fine. */
void world_free(world *w)
{
    if (!w)
        return;
    for (uint32_t i = 0; i < w->scene_count; i++) {
        drop_edits(&w->scenes[i], 0);
        free(w->scenes[i].edits);
    }
    for (uint32_t i = 0; i < w->file_count; i++)
        file_free(w, w->files[i]);
    job_shared_free(w->shared);
    roots_free(&w->roots);
    free(w);
}

/* An arrangement of the file as it is, by that handle. */
static etna_code begin_scene(world *w,
                             world_file *file,
                             const char *id,
                             world_scene **ret,
                             etna_error *err)
{
    snapshot base = {0};
    world_scene *made = &w->scenes[w->scene_count];
    *made = (world_scene){.world = w, .file = file};
    snprintf(made->id, sizeof made->id, "%s", id);
    etna_code code = snapshot_base(file->warm->scene, &base, err);
    if (code == ETNA_OK)
        code = world_push(made, &base, "the file as it is", err);
    snapshot_free(&base);
    if (code != ETNA_OK) {
        free(made->edits);
        return code;
    }
    w->scene_count++;
    *ret = made;
    return ETNA_OK;
}

/* The first scene is imported at the first call and not at the start: clients
 * list tools of every server they know, and most are never called. */
etna_code world_begin(world *w, etna_error *err)
{
    world_scene *made = NULL;
    if (!w->options.scene_name || w->scene_count)
        return ETNA_OK;
    etna_code code = import_file(w, w->files[0], err);
    return code == ETNA_OK ? begin_scene(w, w->files[0], "main", &made, err)
                           : code;
}

/* ---- arrangements ---- */

/* Files that arrangements began with, each once. */
static uint32_t files_open(const world *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->scene_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i; k++)
            known = known ||
                    w->scenes[k].edits[0].file == w->scenes[i].edits[0].file;
        count += !known;
    }
    return count;
}

/* Lists what is open. */
static etna_code say_which(const world *w, etna_error *err)
{
    char words[400] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < w->scene_count && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used,
                                 "%s%s (%.60s)", i ? ", " : "", w->scenes[i].id,
                                 w->scenes[i].file->name);
    return etna_fail(err, ETNA_E_INPUT,
                     "several scenes are open: give scene_id, one of %s",
                     words);
}

/* Without an id: the only file's first arrangement. An id is asked for only
 * where there are several files, since arrangements of one file are opened by
 * who knows their ids. */
etna_code world_find(world *w,
                     const char *id,
                     world_scene **ret,
                     etna_error *err)
{
    if (!w->scene_count)
        return etna_fail(
            err, ETNA_E_INPUT,
            "no scene is open: list_scenes tells which files there are, open_scene opens one");
    if (!id && files_open(w) > 1)
        return say_which(w, err);
    for (uint32_t i = 0; i < w->scene_count; i++) {
        if (id && strcmp(w->scenes[i].id, id) != 0)
            continue;
        *ret = &w->scenes[i];
        return ETNA_OK;
    }
    return etna_fail(
        err, ETNA_E_INPUT,
        "no scene_id \"%.60s\"; open_scene gives handles, list_scenes tells those there are",
        id);
}

/* Room for one more edit; the oldest but the first goes when there are too
 * many. The first edit is the file as it is and always stays. */
static etna_code world_scene_make_room(world_scene *kept, etna_error *err)
{
    if (kept->count == WORLD_EDITS_MAX) {
        edit_free(kept->world, &kept->edits[1]);
        memmove(kept->edits + 1, kept->edits + 2,
                (kept->count - 2) * sizeof *kept->edits);
        kept->count--;
    }
    if (kept->count < kept->room)
        return ETNA_OK;
    uint32_t room = kept->room ? 2 * kept->room : 16;
    world_edit *edits = realloc(kept->edits, room * sizeof *edits);
    if (!edits)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the history");
    kept->edits = edits;
    kept->room = room;
    return ETNA_OK;
}

/* What was undone is dropped: redo ends with the next edit. On failure the
 * history is as before, except for that. */
etna_code world_push(world_scene *kept,
                     const snapshot *snap,
                     const char *label,
                     etna_error *err)
{
    world_edit edit = {.file = kept->file, .number = kept->made};
    etna_arena arena = ETNA_ARENA_INIT;
    etna_code code =
        snapshot_encode(snap, &edit.data, &edit.size, &edit.hash, err);
    if (code == ETNA_OK) {
        const char *plain =
            text_clean(&arena, label, strlen(label), WORLD_LABEL_MAX - 1);
        snprintf(edit.label, sizeof edit.label, "%s", plain ? plain : "");
        if (kept->count)
            drop_edits(kept, kept->at + 1);
        code = world_scene_make_room(kept, err);
    }
    if (code == ETNA_OK) {
        kept->edits[kept->count++] = edit;
        edit.file->uses++;
        kept->at = kept->count - 1;
        kept->made++;
    } else {
        free(edit.data);
    }
    etna_arena_free(&arena);
    return code;
}

/* An edit may stand on another file than the one before: things were brought
 * in. */
void world_go_to(world_scene *kept, uint32_t edit)
{
    kept->at = edit;
    kept->file = kept->edits[edit].file;
}

/* Takes `bundle`. On failure the arrangement stands on its former file. */
etna_code world_change(world_scene *kept,
                       uint8_t *bundle,
                       size_t size,
                       const char *label,
                       etna_error *err)
{
    world *w = kept->world;
    world_file *file = NULL;
    world_file *before = kept->file;
    snapshot base = {0};
    if (w->file_count == WORLD_VERSIONS_MAX) {
        free(bundle);
        return etna_fail(
            err, ETNA_E_INPUT,
            "things came and went %d times in the open scenes; close one",
            WORLD_VERSIONS_MAX);
    }
    etna_code code =
        add_file(w, before->path, before->name, bundle, size, &file, err);
    if (code == ETNA_OK)
        code = import_file(w, file, err);
    if (code == ETNA_OK)
        code = snapshot_base(file->warm->scene, &base, err);
    kept->file = code == ETNA_OK ? file : before;
    if (code == ETNA_OK)
        code = world_push(kept, &base, label, err);
    snapshot_free(&base);
    if (code == ETNA_OK)
        return code;
    kept->file = before;
    if (file)
        drop_file(w, file);
    return code;
}

/* Hidden things come back first: what an earlier camera cut away belongs to its
 * picture only. */
etna_code world_stand(const world_scene *kept, snapshot *ret, etna_error *err)
{
    const world_edit *edit = &kept->edits[kept->at];
    const world_file *file = kept->file;
    snapshot snap = {0};
    etna_code code =
        snapshot_decode(file->warm->scene, edit->data, edit->size, &snap, err);
    if (code == ETNA_OK)
        code = space_hide(file->space, NULL, err);
    if (code == ETNA_OK)
        code = space_restore(file->space, &snap, err);
    if (code != ETNA_OK) {
        snapshot_free(&snap);
        return code;
    }
    *ret = snap;
    return ETNA_OK;
}

/* A handle that was never given before; nothing is open by it yet. */
static etna_code next_handle(world *w, char ret[24], etna_error *err)
{
    if (w->scene_count == WORLD_SCENES_MAX) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "there are %d open scenes already; close one with close_scene",
            WORLD_SCENES_MAX);
    }
    snprintf(ret, 24, "scene-%u", ++w->made);
    return ETNA_OK;
}

/* A file that could not be opened leaves nothing behind. */
etna_code world_open(world *w,
                     const char *path,
                     const char *name,
                     bool (*cancelled)(void *),
                     void *context,
                     world_scene **ret,
                     etna_error *err)
{
    uint8_t *bundle = NULL;
    size_t size = 0;
    world_file *file = NULL;
    char id[24];
    if (files_open(w) == WORLD_FILES_MAX || w->file_count == WORLD_VERSIONS_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "there are %d open files already; close one with close_scene",
            WORLD_FILES_MAX);
    etna_code code = next_handle(w, id, err);
    if (code == ETNA_OK)
        code =
            w->options.read(w->options.read_context, path, &w->options.import,
                            cancelled, context, &bundle, &size, err);
    if (code == ETNA_OK)
        code = add_file(w, path, name, bundle, size, &file, err);
    if (code == ETNA_OK)
        code = import_file(w, file, err);
    if (code == ETNA_OK)
        code = begin_scene(w, file, id, ret, err);
    if (code != ETNA_OK && file && file->uses == 0)
        drop_file(w, file);
    return code;
}

/* The copy begins with the file as it is, then how the other stood: undo leads
 * back to the file and not into the other's history. */
etna_code world_branch(world *w,
                       const world_scene *from,
                       world_scene **ret,
                       etna_error *err)
{
    snapshot snap = {0};
    world_scene *made = NULL;
    char id[24], label[WORLD_LABEL_MAX];
    etna_code code = next_handle(w, id, err);
    if (code == ETNA_OK)
        code = begin_scene(w, from->file, id, &made, err);
    if (code != ETNA_OK)
        return code;
    if (from->at > 0) {
        snprintf(label, sizeof label, "as %s stood", from->id);
        code = world_stand(from, &snap, err);
        if (code == ETNA_OK)
            code = world_push(made, &snap, label, err);
        snapshot_free(&snap);
    }
    if (code != ETNA_OK) {
        world_drop(w, made);
        return code;
    }
    *ret = made;
    return ETNA_OK;
}

/* Later arrangements move down, so pointers to them don't stay valid. */
void world_drop(world *w, world_scene *kept)
{
    drop_edits(kept, 0);
    free(kept->edits);
    uint32_t index = (uint32_t)(kept - w->scenes);
    memmove(w->scenes + index, w->scenes + index + 1,
            (w->scene_count - index - 1) * sizeof *w->scenes);
    w->scene_count--;
}

/* ---- what stands in a file ---- */

/* From the file. */
static bool has_own_camera(const scene *s)
{
    for (uint32_t i = 0; i < s->camera_count; i++) {
        if (!s->cameras[i].derived)
            return true;
    }
    return false;
}

/* Chosen over the scene as it came, so that it does not move with every
 * edit. */
etna_code world_camera(world *w,
                       world_file *file,
                       const snapshot *snap,
                       const char *request,
                       scene_camera *ret,
                       etna_error *err)
{
    snapshot base = {0};
    etna_code code = snapshot_base(file->warm->scene, &base, err);
    if (code == ETNA_OK)
        code = space_restore(file->space, &base, err);
    snapshot_free(&base);
    if (code != ETNA_OK)
        return code;
    view_cut_request cut;
    if (view_read_cutaway(file->warm->scene, request, &cut)) {
        code = scene_cache_cutaway(w->shared, file->warm, request, file->space,
                                   ret, err);
    } else if (request ? strcmp(request, "auto") == 0 ||
                             (strcmp(request, "derived") == 0 &&
                              scene_find_camera(file->warm->scene, request) ==
                                  SCENE_NONE)
                       : !has_own_camera(file->warm->scene)) {
        code = scene_cache_derive(w->shared, file->warm, "auto", file->space,
                                  ret, err);
    } else {
        code = view_choose_camera(file->space, NULL, 0, request, ret, err);
    }
    return code == ETNA_OK ? space_restore(file->space, snap, err) : code;
}

/* What was wrong with the file before anybody touched it; found once. */
etna_code world_base(world_file *file, const space_check **ret, etna_error *err)
{
    const space_rules rules = {0};
    space *sp = NULL;
    etna_code code = ETNA_OK;
    if (!file->base_known) {
        code = space_new(file->warm->shared, &sp, err);
        if (code == ETNA_OK)
            code = space_check_all(sp, &rules, &file->base, err);
        file->base_known = code == ETNA_OK;
        space_free(sp);
    }
    *ret = &file->base;
    return code;
}
