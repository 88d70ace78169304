/* See stage.h. A stage's bundle has three kinds of files that no scene can
 * name: "etna:base" (the first scene's bundle), "etna:asset/N" (the guests'
 * GLBs, each once), "etna:stage" (what each guest is, canonical bytes). */
#include "worker/convert/stage.h"
#include "proto/canon.h"
#include "worker/convert/append_internal.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE_URI GLTF_DECODED_PREFIX "base"
#define STAGE_URI GLTF_DECODED_PREFIX "stage"
#define PARK_BELOW \
    10.0 /* metres under the scene's lowest point, where nobody looks */
#define PARK_APART 0.5
enum {
    TEXT_MAX = 1 << 20
}; /* of one text of the record */

etna_code stage_may_remove(const scene *s, uint32_t object, etna_error *err)
{
    uint32_t *nodes = NULL, count = 0;
    if (s->objects[object].is_static && !s->objects[object].static_by_cut) {
        return etna_fail(err, ETNA_E_INPUT,
                         "\"%.100s\" is part of the building and stays",
                         s->objects[object].name);
    }
    etna_code code = scene_nodes_of(s, object, &nodes, &count, err);
    free(nodes);
    return code;
}

/* ---- making one ---- */

/* From the asset's own axes and unit to metres, Y up. */
static void guest_to_metres(const stage_guest *g,
                            const double place[16],
                            double ret[16])
{
    static const double upright[16] = {1, 0, 0, 0, 0, 0, -1, 0,
                                       0, 1, 0, 0, 0, 0, 0,  1};
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                        0, 0, 1, 0, 0, 0, 0, 1};
    const double *axes = g->z_up ? upright : identity;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += place[4 * k + row] * axes[4 * column + k];
            ret[4 * column + row] = sum * (column < 3 ? g->unit : 1);
        }
    }
}

/* A copy of what the asset says of itself, with the mark that it waits below
 * the scene. NULL: out of memory. */
static json_t *guest_told(const stage_guest *g, bool waits)
{
    json_t *told = g->told ? json_deep_copy(g->told) : json_object();
    if (told && waits && json_object_set_new(told, "guest", json_true()) != 0) {
        json_decref(told);
        return NULL;
    }
    return told;
}

/* The guests below the scene, one beside another, as one layer. */
static etna_code stage_append(const scene *s,
                              const stage_plan *plan,
                              uint8_t **file,
                              size_t *size,
                              etna_error *err)
{
    append_item *items = calloc(plan->guest_count + 1u, sizeof *items);
    uint8_t *out = NULL;
    size_t out_size = 0;
    double x = s->min.x;
    etna_code code =
        items ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM, "no memory for %u guests",
                          plan->guest_count);
    for (uint32_t i = 0; code == ETNA_OK && i < plan->guest_count; i++) {
        const stage_guest *g = &plan->guests[i];
        double place[16];
        items[i] = (append_item){.glb = g->glb,
                                 .size = g->size,
                                 .name = g->name,
                                 .author = g->author};
        scene_placement(
            s, v3(x - g->min[0], s->min.y, s->min.z - PARK_BELOW - g->max[1]),
            0, place);
        guest_to_metres(g, place, items[i].matrix);
        x += g->max[0] - g->min[0] + PARK_APART;
        if (!(items[i].told = guest_told(g, true)))
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for a guest");
    }
    if (code == ETNA_OK)
        code = append_items(*file, *size, items, plan->guest_count, &out,
                            &out_size, err);
    for (uint32_t i = 0; items && i < plan->guest_count; i++)
        json_decref((json_t *)(uintptr_t)items[i].told);
    free(items);
    if (code != ETNA_OK)
        return code;
    free(*file);
    *file = out;
    *size = out_size;
    return ETNA_OK;
}

/* Nodes of all objects are gathered first and dropped at once, since dropping
 * does not renumber. */
static etna_code stage_drop(const scene *s,
                            const uint32_t *objects,
                            uint32_t count,
                            uint8_t **file,
                            size_t *size,
                            etna_error *err)
{
    uint8_t *out = NULL;
    size_t out_size = 0;
    uint32_t *all = NULL, all_count = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        uint32_t *nodes = NULL, n = 0;
        code = scene_nodes_of(s, objects[i], &nodes, &n, err);
        uint32_t *grown = code == ETNA_OK
                              ? realloc(all, (all_count + n + 1) * sizeof *all)
                              : NULL;
        if (code == ETNA_OK && !grown)
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes", n);
        if (grown) {
            all = grown;
            memcpy(all + all_count, nodes, n * sizeof *nodes);
            all_count += n;
        }
        free(nodes);
    }
    if (code == ETNA_OK)
        code = append_drop(*file, *size, all, all_count, &out, &out_size, err);
    free(all);
    if (code != ETNA_OK)
        return code;
    free(*file);
    *file = out;
    *size = out_size;
    return ETNA_OK;
}

/* Tells in the text what was done. */
static etna_code stage_tell(const json_t *edits,
                            uint8_t **file,
                            size_t *size,
                            etna_error *err)
{
    surgery t;
    json_span asset, extras;
    uint8_t *out = NULL;
    size_t out_size = 0;
    json_t *told = json_pack("{s:O}", "edits", edits);
    char *text =
        told ? json_dumps(told, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    etna_code code = surgery_begin(&t, *file, *size, err);
    if (code == ETNA_OK && !text)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for a stage");
    if (code == ETNA_OK) {
        if (!surgery_extras(&t, &extras) && surgery_asset(&t, &asset))
            surgery_set(&t, asset, "extras", "{}");
        if (surgery_extras(&t, &extras))
            surgery_set(&t, extras, "etna_stage", text);
        code = surgery_finish(&t, t.chunks.bin, t.chunks.bin_size, 0, &out,
                              &out_size, err);
    }
    surgery_end(&t);
    free(text);
    json_decref(told);
    if (code != ETNA_OK)
        return code;
    free(*file);
    *file = out;
    *size = out_size;
    return ETNA_OK;
}

/* Which asset each guest is (equal ones are one), and how many there are. */
static uint32_t stage_assets(const stage_plan *plan, uint32_t *of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->guest_count; i++) {
        uint32_t k = 0;
        while (k < i && plan->guests[k].glb != plan->guests[i].glb)
            k++;
        of[i] = k < i ? of[k] : count++;
    }
    return count;
}

/* What an export needs to know of the guests and of what was removed. */
static void stage_write_record(canon_writer *w,
                               const stage_plan *plan,
                               const uint32_t *asset_of)
{
    canon_u32(w, plan->guest_count);
    for (uint32_t i = 0; i < plan->guest_count; i++) {
        const stage_guest *g = &plan->guests[i];
        json_t *told = guest_told(g, false);
        char *text =
            told ? json_dumps(told, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
        w->failed = w->failed || !text;
        canon_u32(w, asset_of[i]);
        canon_text(w, g->name);
        canon_text(w, text ? text : "");
        canon_text(w, g->author.model);
        canon_text(w, g->author.collection);
        canon_text(w, g->author.author);
        canon_text(w, g->author.licence);
        free(text);
        json_decref(told);
    }
    canon_u32(w, plan->removed_count);
    for (uint32_t i = 0; i < plan->removed_count; i++)
        canon_u32(w, plan->removed[i]);
}

/* A file of each asset, from the first of its guests. */
static void stage_write_assets(canon_writer *files,
                               const stage_plan *plan,
                               const uint32_t *asset_of,
                               uint32_t assets)
{
    char uri[48];
    for (uint32_t a = 0, i = 0; a < assets; a++) {
        while (asset_of[i] != a)
            i++;
        snprintf(uri, sizeof uri, GLTF_DECODED_PREFIX "asset/%u", a);
        canon_text(files, uri);
        canon_bytes(files, plan->guests[i].glb, plan->guests[i].size);
    }
}

/* The decoded parts that the base has. Returns how many. */
static uint32_t stage_write_decoded(canon_writer *files,
                                    const bundle_view *view)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->file_count; i++) {
        if (strncmp(view->files[i].uri, GLTF_DECODED_PREFIX,
                    strlen(GLTF_DECODED_PREFIX)) != 0)
            continue;
        canon_text(files, view->files[i].uri);
        canon_bytes(files, view->files[i].data, view->files[i].size);
        count++;
    }
    return count;
}

/* The bundle around the staged GLB, with all that it was made of and the
 * decoded parts of the first scene, whose accessors and views have the same
 * numbers here. */
static etna_code stage_bundle(const uint8_t *base,
                              size_t base_size,
                              const stage_plan *plan,
                              const uint8_t *file,
                              size_t file_size,
                              uint8_t **ret,
                              size_t *ret_size,
                              etna_error *err)
{
    canon_writer files = {0}, record = {0};
    uint32_t *asset_of = calloc(plan->guest_count + 1u, sizeof *asset_of);
    uint32_t count = 2;
    etna_arena arena = ETNA_ARENA_INIT;
    bundle_view view;
    uint8_t *plain = NULL;
    size_t plain_size = 0;
    etna_code code =
        asset_of ? bundle_open(base, base_size, &arena, &view, err)
                 : etna_fail(err, ETNA_E_NOMEM, "no memory for %u guests",
                             plan->guest_count);
    if (code == ETNA_OK) {
        uint32_t assets = stage_assets(plan, asset_of);
        canon_text(&files, BASE_URI);
        canon_bytes(&files, base, base_size);
        stage_write_record(&record, plan, asset_of);
        canon_text(&files, STAGE_URI);
        canon_bytes(&files, record.data, record.size);
        stage_write_assets(&files, plan, asset_of, assets);
        count += assets + stage_write_decoded(&files, &view);
        code = bundle_around(file, file_size, NULL, 0, NULL, &plain,
                             &plain_size, err);
    }
    bool failed = files.failed || record.failed;
    if (code == ETNA_OK && failed)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for a stage");
    if (code == ETNA_OK)
        code = bundle_add_files(plain, plain_size, count, files.data,
                                files.size, ret, ret_size, err);
    free(plain);
    free(asset_of);
    canon_writer_free(&files);
    canon_writer_free(&record);
    etna_arena_free(&arena);
    return code;
}

/* The scene as it stands, with what is lifted; refused where what leaves may
 * not. */
static etna_code stage_pose(const scene *s,
                            const stage_plan *plan,
                            snapshot *base,
                            etna_error *err)
{
    etna_code code = snapshot_base(s, base, err);
    for (uint32_t i = 0; code == ETNA_OK && i < plan->removed_count; i++)
        code = stage_may_remove(s, plan->removed[i], err);
    for (uint32_t i = 0; code == ETNA_OK && i < plan->lift_count; i++) {
        arrange_pose pose = base->poses[plan->lifts[i].object];
        pose.position[2] += plan->lifts[i].by;
        code = snapshot_carry(base, plan->lifts[i].object, &pose, err);
    }
    return code;
}

/* Export, append, drop, tell: the order in which `etna add` and `etna remove`
 * would be run by hand. */
etna_code stage_make(const scene *s,
                     const uint8_t *bundle,
                     size_t size,
                     const stage_plan *plan,
                     uint8_t **ret,
                     size_t *ret_size,
                     etna_error *err)
{
    snapshot base = {.object_count = 0};
    uint8_t *file = NULL;
    size_t file_size = 0;
    if (plan->guest_count > STAGE_GUESTS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "%u things to bring in at once; %d at most",
                         plan->guest_count, STAGE_GUESTS_MAX);
    }
    etna_code code = stage_pose(s, plan, &base, err);
    if (code == ETNA_OK)
        code = scene_export_glb(s, bundle, size, &base, &file, &file_size, err);
    if (code == ETNA_OK && plan->guest_count)
        code = stage_append(s, plan, &file, &file_size, err);
    if (code == ETNA_OK && plan->removed_count)
        code = stage_drop(s, plan->removed, plan->removed_count, &file,
                          &file_size, err);
    if (code == ETNA_OK)
        code = stage_tell(plan->edits, &file, &file_size, err);
    if (code == ETNA_OK)
        code = stage_bundle(bundle, size, plan, file, file_size, ret, ret_size,
                            err);
    snapshot_free(&base);
    free(file);
    return code;
}

/* ---- export ---- */

/* A stage's record with what it names. Texts and views point into the bundle or
 * the arena. */
typedef struct stage_read {
    etna_arena arena;
    bundle_view view;
    const bundle_file *base;
    uint32_t guest_count, removed_count;
    append_item *items;
    uint32_t *removed;
} stage_read;

/* "" after a failure, which the reader keeps. */
static const char *stage_read_text(canon_reader *r, etna_arena *arena)
{
    size_t size = 0;
    const uint8_t *bytes = canon_get_bytes(r, TEXT_MAX, &size);
    const char *text =
        r->failed ? NULL : etna_arena_strndup(arena, (const char *)bytes, size);
    return text ? text : "";
}

/* In the order of stage_write_record. False: malformed, or its asset is not in
 * the bundle. */
static bool stage_read_guest(stage_read *s, canon_reader *r, append_item *item)
{
    char uri[48];
    snprintf(uri, sizeof uri, GLTF_DECODED_PREFIX "asset/%u", canon_get_u32(r));
    const bundle_file *asset = bundle_find(&s->view, uri);
    item->name = stage_read_text(r, &s->arena);
    const char *told = stage_read_text(r, &s->arena);
    item->told = json_loads(told, 0, NULL);
    item->author.model = stage_read_text(r, &s->arena);
    item->author.collection = stage_read_text(r, &s->arena);
    item->author.author = stage_read_text(r, &s->arena);
    item->author.licence = stage_read_text(r, &s->arena);
    if (!asset || r->failed || !item->told)
        return false;
    item->glb = asset->data;
    item->size = asset->size;
    return true;
}

/* `told` is declared const for those who place it; it is this record's own. */
static void stage_read_free(stage_read *s)
{
    for (uint32_t i = 0; s->items && i < s->guest_count; i++)
        json_decref((json_t *)(uintptr_t)s->items[i].told);
    free(s->items);
    free(s->removed);
    etna_arena_free(&s->arena);
}

/* The guests and what is to go, as a stage's record has them. False: it is
 * malformed, or there is no memory for it. */
static bool stage_read_record(stage_read *s, const bundle_file *record)
{
    canon_reader r = canon_read(record->data, record->size);
    uint32_t guests = canon_get_count(&r, 24);
    if (r.failed || guests > STAGE_GUESTS_MAX)
        return false;
    s->items = calloc(guests + 1u, sizeof *s->items);
    if (!s->items)
        return false;
    for (uint32_t i = 0; i < guests; i++) {
        s->guest_count = i + 1;
        if (!stage_read_guest(s, &r, &s->items[i]))
            return false;
    }
    s->removed_count = canon_get_count(&r, 4);
    s->removed = calloc(s->removed_count + 1u, sizeof *s->removed);
    for (uint32_t i = 0; s->removed && i < s->removed_count; i++)
        s->removed[i] = canon_get_u32(&r);
    return s->removed && canon_done(&r);
}

/* *ret_staged false: the bundle is no stage. stage_read_free in every case. */
static etna_code stage_open(const uint8_t *bundle,
                            size_t size,
                            stage_read *s,
                            bool *ret_staged,
                            etna_error *err)
{
    *s = (stage_read){.arena = ETNA_ARENA_INIT};
    *ret_staged = false;
    etna_code code = bundle_open(bundle, size, &s->arena, &s->view, err);
    const bundle_file *record =
        code == ETNA_OK ? bundle_find(&s->view, STAGE_URI) : NULL;
    s->base = record ? bundle_find(&s->view, BASE_URI) : NULL;
    if (code != ETNA_OK || !s->base)
        return code;
    if (!stage_read_record(s, record))
        return etna_fail(err, ETNA_E_MESSAGE,
                         "the stage's record is malformed");
    *ret_staged = true;
    return ETNA_OK;
}

/* Within a micrometre: the poses went through single precision. */
static bool pose_is_near(const arrange_pose *a, const arrange_pose *b)
{
    const double *p = a->position;
    const double *q = b->position;
    return v3_distance(v3(p[0], p[1], p[2]), v3(q[0], q[1], q[2])) < 1e-6;
}

/* The first scene's things where the stage has them. Both frames are the file's
 * in metres but for where their middles were put. */
static etna_code stage_carry(const scene *s,
                             const snapshot *snap,
                             const scene *base,
                             snapshot *to,
                             etna_error *err)
{
    const vec3 shift = v3_sub(s->recentre, base->recentre);
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (s->objects[i].guest)
            continue;
        uint32_t object = scene_find_object(base, s->objects[i].name);
        if (object == SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INTERNAL,
                "\"%.100s\" is not in the scene that the stage was made of",
                s->objects[i].name);
        }
        arrange_pose pose = snap->poses[i];
        for (int k = 0; k < 3; k++)
            pose.position[k] += v3_get(shift, k);
        if (!snap->moved[i] && pose_is_near(&pose, &to->poses[object]))
            continue; /* else it was lifted */
        etna_code code = snapshot_carry(to, object, &pose, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Guests that stand somewhere, with their nodes' transforms. *ret_count of
 * them, at the list's beginning. */
static etna_code stage_placed(const scene *s,
                              const snapshot *snap,
                              stage_read *stage,
                              uint32_t *ret_count,
                              etna_error *err)
{
    append_item *placed = calloc(stage->guest_count + 1u, sizeof *placed);
    uint32_t count = 0;
    if (!placed)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u guests",
                         stage->guest_count);
    /* those that wait go to the end, for their texts are freed with the list */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0, at = count; i < stage->guest_count; i++) {
            uint32_t object = scene_find_object(s, stage->items[i].name);
            bool stands = object != SCENE_NONE && s->objects[object].guest &&
                          snap->moved[object];
            if (stands != (pass == 0))
                continue;
            append_item *item = &placed[pass == 0 ? count++ : at++];
            *item = stage->items[i];
            if (stands)
                scene_node_at(s, object, &snap->poses[object], item->matrix);
        }
    }
    free(stage->items);
    stage->items = placed;
    *ret_count = count;
    return ETNA_OK;
}

/* Does all that one append brought go again? */
static bool layer_leaves(const append_layer *layer,
                         const scene *base,
                         const stage_read *stage)
{
    for (uint32_t r = 0; r < layer->root_count; r++) {
        bool leaves = false;
        for (uint32_t i = 0; i < stage->removed_count && !leaves; i++)
            leaves = base->objects[stage->removed[i]].node == layer->roots[r];
        if (!leaves)
            return false;
    }
    return layer->root_count > 0;
}

/* All that the file's last append brought goes again: so does the append,
 * without a trace. */
static etna_code stage_unappend(const scene *base,
                                stage_read *stage,
                                bool moved,
                                uint8_t **file,
                                size_t *size,
                                etna_error *err)
{
    append_layer layer = {.roots = NULL};
    uint8_t *out = NULL;
    size_t out_size = 0;
    uint32_t kept = 0;
    etna_code code = append_read(*file, *size, &layer, err);
    if (code == ETNA_E_NOTFOUND)
        return ETNA_OK;
    if (code == ETNA_OK && layer_leaves(&layer, base, stage)) {
        code = append_strip(*file, *size, moved, &out, &out_size, err);
        for (uint32_t i = 0; code == ETNA_OK && i < stage->removed_count; i++) {
            if (base->objects[stage->removed[i]].node < layer.first_node)
                stage->removed[kept++] = stage->removed[i];
        }
        if (code == ETNA_OK)
            stage->removed_count = kept;
    }
    append_layer_free(&layer);
    if (!out)
        return code;
    free(*file);
    *file = out;
    *size = out_size;
    return code;
}

/* What is placed behind the file; where nothing moved, how the file is read is
 * part of what is brought, too. */
static etna_code stage_append_placed(const stage_read *stage,
                                     bool moved,
                                     uint32_t placed,
                                     const uint8_t *file,
                                     size_t size,
                                     uint8_t **ret,
                                     size_t *ret_size,
                                     etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    bundle_view base;
    etna_code code =
        bundle_open(stage->base->data, stage->base->size, &arena, &base, err);
    bool is_glb = code == ETNA_OK && base.main_size > 12 &&
                  memcmp(base.main, "glTF", 4) == 0;
    const uint8_t *from = is_glb && !moved ? base.main : NULL;
    if (code == ETNA_OK)
        code = append_items_from(from, base.main_size, file, size, stage->items,
                                 placed, ret, ret_size, err);
    etna_arena_free(&arena);
    return code;
}

/* The file as it was before the stage, with the poses of what was there
 * then. */
static etna_code stage_write_base(const scene *s,
                                  const snapshot *snap,
                                  stage_read *stage,
                                  scene **ret_base,
                                  snapshot *then,
                                  uint8_t **file,
                                  size_t *size,
                                  etna_error *err)
{
    etna_code code =
        scene_import(stage->base->data, stage->base->size, ret_base, err);
    if (code == ETNA_OK)
        code = snapshot_base(*ret_base, then, err);
    if (code == ETNA_OK)
        code = stage_carry(s, snap, *ret_base, then, err);
    if (code == ETNA_OK)
        code = scene_export_glb(*ret_base, stage->base->data, stage->base->size,
                                then, file, size, err);
    for (uint32_t i = 0; code == ETNA_OK && i < stage->removed_count; i++) {
        if (stage->removed[i] >= (*ret_base)->object_count)
            code = etna_fail(err, ETNA_E_MESSAGE,
                             "the stage's record is malformed");
    }
    return code;
}

/* What was brought in and stands somewhere, appended where it stands. */
static etna_code stage_write_placed(const scene *s,
                                    const snapshot *snap,
                                    stage_read *stage,
                                    bool any_moved,
                                    uint8_t **file,
                                    size_t *size,
                                    etna_error *err)
{
    uint32_t placed = 0;
    uint8_t *out = NULL;
    size_t out_size = 0;
    etna_code code = stage_placed(s, snap, stage, &placed, err);
    if (code != ETNA_OK || !placed)
        return code;
    code = stage_append_placed(stage, any_moved, placed, *file, *size, &out,
                               &out_size, err);
    if (code != ETNA_OK)
        return code;
    free(*file);
    *file = out;
    *size = out_size;
    return ETNA_OK;
}

/* The original file with what moved, without what left, and with what was
 * brought in at its place: nothing of the staging stays. */
static etna_code stage_write(const scene *s,
                             const snapshot *snap,
                             stage_read *stage,
                             uint8_t **ret,
                             size_t *ret_size,
                             etna_error *err)
{
    scene *base = NULL;
    snapshot then = {.object_count = 0};
    uint8_t *file = NULL;
    size_t size = 0;
    etna_code code =
        stage_write_base(s, snap, stage, &base, &then, &file, &size, err);
    if (code == ETNA_OK && stage->removed_count)
        code = stage_unappend(base, stage, snapshot_has_moved(&then), &file,
                              &size, err);
    if (code == ETNA_OK)
        code = stage_write_placed(s, snap, stage, snapshot_has_moved(&then),
                                  &file, &size, err);
    if (code == ETNA_OK && stage->removed_count)
        code = stage_drop(base, stage->removed, stage->removed_count, &file,
                          &size, err);
    scene_free(base);
    snapshot_free(&then);
    if (code != ETNA_OK) {
        free(file);
        return code;
    }
    *ret = file;
    *ret_size = size;
    return ETNA_OK;
}

/* For any bundle: one that is no stage is exported as it is. */
etna_code stage_export_glb(const scene *s,
                           const uint8_t *bundle,
                           size_t size,
                           const snapshot *snap,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    stage_read stage;
    bool staged = false;
    etna_code code = stage_open(bundle, size, &stage, &staged, err);
    if (code == ETNA_OK) {
        code = staged ? stage_write(s, snap, &stage, ret, ret_size, err)
                      : scene_export_glb(s, bundle, size, snap, ret, ret_size,
                                         err);
    }
    stage_read_free(&stage);
    return code;
}
