/* Import: a bundle becomes a scene. Each step is a file of its own; this one
 * says in which order, and writes the report.
 *
 * The order is in three tables: reading (side file, nodes, instances,
 * materials), dividing (objects, splits and groups, names, measures), viewing
 * (cameras, lights). Stages marked STAGE_LIKE run only for an edited copy that
 * is to be divided as its original was. Everything that is noticed on the way
 * is a warning in the scene's report; only what makes the file unreadable, or
 * larger than is read, is an error. Nothing here is kept on failure: the
 * importer is freed as a whole. */
#include "proto/array.h"
#include "proto/utf8.h"
#include "worker/scene/scene_internal.h"
#include "worker/scene/side.h"

#include <stdlib.h>
#include <string.h>

static etna_code object_check_reach(const scene_object *o, etna_error *err)
{
    if (extent_is_within(o->min, o->max, REACH_METRES))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "\"%.60s\" reaches beyond 1e9 m; if the file's unit is not the metre, say so "
        "with --unit or \"unit\" in the side file",
        o->name);
}

/* Boxes, reach and form of every object. */
static etna_code importer_measure(importer *m, etna_error *err)
{
    box_room room = {.count = 0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < m->s->object_count; i++) {
        scene_object *o = &m->objects[i];
        const scene_node *node = &m->own->nodes[o->node];
        affine frame = affine_mul(&m->own->file_to_world, &node->world);
        if (o->instance != SCENE_NONE) {
            frame = affine_mul(&frame, &node->instances[o->instance]);
        }
        if (m->own->bases[m->sources[o->first_part].base]
                .split) { /* a moved piece stands under a node of its own */
            frame = m->parts[o->first_part].to_world;
        }
        vec3 front = side_front(m, o);
        o->front_is_seen = v3_length(front) > 0 && side_front_is_seen(m, o);
        o->has_front = v3_length(front) > 0 && !o->front_is_seen;
        code = box_measure(m->s, o, &frame, front, &room, err);
        if (code == ETNA_OK)
            code = object_check_reach(o, err);
        if (code == ETNA_OK)
            o->form = form_of(m->s, o);
    }
    free(room.points);
    return code;
}

/* What of the geometry was compressed (unpack.h). */
static void report_decoded(importer *m)
{
    uint32_t accessors = 0, views = 0;
    for (uint32_t i = 0; i < m->doc.accessor_count; i++) {
        accessors += gltf_decoded(&m->doc, GLTF_ACCESSOR, i) != NULL;
    }
    for (uint32_t i = 0; i < m->doc.view_count; i++) {
        views += gltf_decoded(&m->doc, GLTF_VIEW, i) != NULL;
    }
    if (accessors + views) {
        report_line(
            m,
            "Compressed geometry was decoded: %u accessors of Draco, %u buffer views of meshopt; an export "
            "keeps it compressed.",
            accessors, views);
    }
}

/* The most frequent disappointment with foreign files, so the text says what
 * can be done. */
static void warn_of_little_to_move(importer *m, uint32_t movable)
{
    bool alone = m->s->object_count == 1;
    const char *remedy = "";
    if (movable == 0)
        remedy =
            " \"movable\" in the side file names what can be moved all the same.";
    if (alone && movable == 0) {
        remedy =
            " Alone in its file, the one object counts as the ground; \"movable\" in the side file overrules that.";
    }
    const char *plural = movable == 1 ? "" : "s";
    const char *subject = alone ? "it is" : "an object is";
    report_warning(
        m,
        "Only %u object%s can be moved.%s If %s several things in one, `etna scene split` cuts it into its "
        "loose parts, and `etna scene group` joins parts to objects.",
        movable, plural, remedy, subject);
}

/* What a person should know of what the file became: numbers first, then what
 * was left out. */
static void write_report(importer *m)
{
    uint32_t movable = 0, instances = 0, joined = 0;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        movable += !m->objects[i].is_static;
        instances += m->objects[i].instance != SCENE_NONE;
        joined += m->objects[i].instance == SCENE_NONE &&
                  m->objects[i].part_count > 1;
    }
    report_line(
        m,
        "%u objects: %u of one mesh, %u of several that touch or are grouped, %u instances.",
        m->s->object_count, m->s->object_count - instances - joined, joined,
        instances);
    report_line(
        m,
        "%u meshes, %u parts, %llu triangles; 1 unit is %g m; up is %c in the file.",
        m->s->mesh_count, m->s->part_count,
        (unsigned long long)m->placed_triangles, m->s->metres_per_unit,
        m->doc.bundle.up);
    if (v3_length(m->s->recentre) > 0) {
        report_line(
            m,
            "The scene lies far from its origin: world = file - (%g, %g, %g) m.",
            m->s->recentre.x, m->s->recentre.y, m->s->recentre.z);
    }
    report_decoded(m);
    if (m->ignored_primitives) {
        report_line(m, "%u primitives of points or lines are ignored.",
                    m->ignored_primitives);
    }
    if (movable < 2)
        warn_of_little_to_move(m, movable);
    if (m->doc.chunks.glb && m->doc.chunks.used < m->doc.bundle.main_size) {
        report_warning(
            m,
            "%zu bytes behind the end that the GLB header names are ignored.",
            m->doc.bundle.main_size - m->doc.chunks.used);
    }
}

/* Copies what grew by realloc into the scene's arena and points the scene at
 * it. */
static bool importer_settle(importer *m)
{
    scene *s = m->s;
    etna_arena *arena = &m->own->arena;
    s->meshes =
        etna_arena_memdup(arena, m->meshes, s->mesh_count * sizeof *m->meshes);
    s->objects = etna_arena_memdup(arena, m->objects,
                                   s->object_count * sizeof *m->objects);
    s->cameras = etna_arena_memdup(arena, m->cameras,
                                   s->camera_count * sizeof *m->cameras);
    s->report.lines =
        etna_arena_memdup(arena, m->lines, m->line_count * sizeof *m->lines);
    s->report.warnings = etna_arena_memdup(
        arena, m->warnings, m->warning_count * sizeof *m->warnings);
    s->report.line_count = m->line_count;
    s->report.warning_count = m->warning_count;
    s->parts = m->parts;
    s->materials = m->materials;
    s->textures = m->textures;
    bool has_lists = s->meshes && s->objects && s->cameras;
    bool has_lines = !m->line_count || s->report.lines;
    bool has_warnings = !m->warning_count || s->report.warnings;
    if (m->no_memory)
        return false;
    return has_lists && has_lines && has_warnings;
}

/* Stages of an import. A scene that is to be `like` another one, which was
 * divided before, takes some in other ways. */
typedef enum stage_scope {
    STAGE_ALWAYS,
    STAGE_LIKE
} stage_scope;

typedef struct stage {
    etna_code (*run)(importer *m, etna_error *err);
    stage_scope scope;
} stage;

static const stage reading[] = {{side_read, STAGE_ALWAYS},
                                {stage_read_told, STAGE_ALWAYS},
                                {nodes_read, STAGE_ALWAYS},
                                {reimport_compare, STAGE_LIKE},
                                {nodes_read_instances, STAGE_ALWAYS},
                                {materials_read, STAGE_ALWAYS}};
static const stage dividing[] = {{divide_begin, STAGE_ALWAYS},
                                 {divide_like, STAGE_LIKE},
                                 {names_make, STAGE_ALWAYS},
                                 {side_apply, STAGE_ALWAYS},
                                 {importer_measure, STAGE_ALWAYS}};
static const stage viewing[] = {{cameras_read, STAGE_ALWAYS},
                                {side_cameras, STAGE_ALWAYS},
                                {lights_read, STAGE_ALWAYS},
                                {camera_derive, STAGE_ALWAYS}};

/* The first failure ends it. */
static etna_code stages_run(importer *m,
                            const stage *stages,
                            size_t count,
                            etna_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (stages[i].scope == STAGE_LIKE && !m->like)
            continue;
        etna_code code = stages[i].run(m, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

#define STAGES_RUN(m, stages, err) stages_run(m, stages, COUNT_OF(stages), err)

/* `lasting` lets meshes borrow the bundle's bytes where the scene is only
 * looked at. */
static etna_code open_document(importer *m,
                               const uint8_t *bundle,
                               size_t size,
                               etna_error *err)
{
    etna_code code = gltf_open(&m->doc, bundle, size, err);
    if (code != ETNA_OK)
        return code;
    m->doc.lasting = m->borrows ? bundle : NULL;
    m->doc.lasting_size = size;
    if (m->try_side) {
        m->doc.bundle.side = m->tried;
        m->doc.bundle.side_size = m->tried_size;
    }
    return ETNA_OK;
}

/* Division comes before measuring, statics after it: a rule about size needs
 * the final objects. */
static etna_code make_objects(importer *m, etna_error *err)
{
    nodes_mark_animated(m);
    etna_code code = objects_make(m, err);
    if (code != ETNA_OK)
        return code;
    /* measured through the public view; settled at the end */
    m->s->meshes = m->meshes;
    m->s->parts = m->parts;
    code = STAGES_RUN(m, dividing, err);
    if (code != ETNA_OK)
        return code;
    strays_mark(m);
    if (!m->like)
        statics_mark(m);
    side_release(m);
    return m->like ? reimport_adopt(m, err) : ETNA_OK;
}

/* Where nobody says the unit and the sizes of things tell another than the
 * metre, the file is read again in that: objects are divided, held still and
 * lit by rules in metres. */
static double importer_guess_unit(importer *m)
{
    if (m->guessed_unit > 0 || m->s->metres_per_unit != 1)
        return 0;
    const double unit = scale_guess(m);
    m->s->unit_is_doubtful = unit > 0;
    return m->unit_is_said ? 0 : unit;
}

/* Reading, dividing, viewing; then the report of all that was noticed on the
 * way. *ret_unit over 0: it is to be read again with a unit of so many
 * metres. */
static etna_code importer_make(importer *m,
                               const uint8_t *bundle,
                               size_t size,
                               double *ret_unit,
                               etna_error *err)
{
    etna_code code = open_document(m, bundle, size, err);
    if (code == ETNA_OK)
        code = STAGES_RUN(m, reading, err);
    if (code == ETNA_OK)
        code = make_objects(m, err);
    if (code != ETNA_OK)
        return code;
    *ret_unit = importer_guess_unit(m);
    if (*ret_unit > 0)
        return ETNA_OK;
    scale_warn(m);
    code = STAGES_RUN(m, viewing, err);
    if (code != ETNA_OK)
        return code;
    report_converted(m);
    if (!etna_utf8_valid(m->doc.chunks.json, m->doc.chunks.json_size)) {
        report_warning(
            m,
            "The file's text is not all UTF-8; what is not is read as Latin-1, so names may look odd.");
    }
    write_report(m);
    if (!m->unnamed)
        m->s->hash = m->hash ? *m->hash : etna_hash_bytes(bundle, size);
    return importer_settle(m)
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for the scene");
}

/* Frees in every case; `m` is a copy that holds the settings. */
static etna_code importer_once(importer m,
                               const uint8_t *bundle,
                               size_t size,
                               scene **ret_scene,
                               double *ret_unit,
                               etna_error *err)
{
    m.s = calloc(1, sizeof *m.s);
    m.own = calloc(1, sizeof *m.own);
    if (!m.s || !m.own) {
        free(m.s);
        free(m.own);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene");
    }
    m.s->own = m.own;
    atomic_init(&m.own->references, 1);
    etna_code code = importer_make(&m, bundle, size, ret_unit, err);
    for (uint32_t i = 0; i < m.own->node_count && m.own->nodes; i++) {
        free(m.own->nodes[i].instances);
        m.own->nodes[i].instances = NULL;
    }
    mesh_slots_free(&m);
    json_decref(m.side);
    free(m.meshes);
    free(m.objects);
    free(m.cameras);
    free(m.lines);
    free(m.warnings);
    gltf_close(&m.doc);
    if (code != ETNA_OK || *ret_unit > 0) {
        scene_free(m.s);
        return code;
    }
    *ret_scene = m.s;
    return ETNA_OK;
}

/* Once, or twice where the sizes of things tell the file's unit. */
static etna_code importer_run(importer m,
                              const uint8_t *bundle,
                              size_t size,
                              scene **ret_scene,
                              etna_error *err)
{
    double unit = 0;
    etna_code code = importer_once(m, bundle, size, ret_scene, &unit, err);
    if (code != ETNA_OK || unit <= 0)
        return code;
    m.guessed_unit = unit;
    unit = 0;
    return importer_once(m, bundle, size, ret_scene, &unit, err);
}

/* *ret_scene is the caller's to free; set on success alone. The bundle may be
 * freed afterwards. */
etna_code scene_import(const uint8_t *bundle,
                       size_t size,
                       scene **ret_scene,
                       etna_error *err)
{
    return importer_run((importer){0}, bundle, size, ret_scene, err);
}

/* Spares the hashing of a large bundle whose hash is known. */
etna_code scene_import_hashed(const uint8_t *bundle,
                              size_t size,
                              const etna_hash *hash,
                              scene **ret_scene,
                              etna_error *err)
{
    return importer_run((importer){.hash = hash}, bundle, size, ret_scene, err);
}

/* The bundle must outlive the scene, which borrows its bytes. */
etna_code scene_import_to_look(const uint8_t *bundle,
                               size_t size,
                               const scene *like,
                               scene **ret_scene,
                               etna_error *err)
{
    return importer_run(
        (importer){.unnamed = true, .borrows = true, .like = like}, bundle,
        size, ret_scene, err);
}

/* An edited copy, divided as `like` was. */
etna_code scene_import_like(const uint8_t *bundle,
                            size_t size,
                            const scene *like,
                            scene **ret_scene,
                            etna_error *err)
{
    return importer_run((importer){.like = like}, bundle, size, ret_scene, err);
}

/* Tries a side file before it is written: NULL is none at all. */
etna_code scene_import_with_side(const uint8_t *bundle,
                                 size_t size,
                                 const char *side,
                                 size_t side_size,
                                 scene **ret_scene,
                                 etna_error *err)
{
    importer m = {.try_side = true,
                  .tried = side && side_size ? (const uint8_t *)side : NULL,
                  .tried_size = side_size};
    return importer_run(m, bundle, size, ret_scene, err);
}
