/* Which converter a path asks for, and the bundle around what it makes.
 *
 * Foreign formats are read by libraries that were not written against hostile
 * files, so all of it happens in a child with limits on time and memory
 * (child.h): convert_work and list_work run there, everything below "in the
 * parent" here. The child gets open descriptors and hands bytes back; a crash
 * in it is an error line. A path may end in "#MODEL" and then means one model
 * of a library. */
#include "worker/convert/convert.h"
#include "proto/array.h"
#include "worker/convert/blend.h"
#include "worker/convert/child.h"
#include "worker/convert/foreign.h"
#include "worker/convert/source.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char LIBRARY[] = ".sh3f";

/* What a child is given. */
typedef struct job {
    const char *name;  /* the file's, in its folder */
    const char *model; /* of a library, or NULL */
    int folder, file;
    bool whole; /* a list with other languages */
    foreign_options options;
} job;

/* Where "#MODEL" begins behind a library's name, or NULL. */
static const char *model_mark(const char *path)
{
    const char *at = strcasestr(path, ".sh3f#");
    return at ? at + strlen(LIBRARY) : NULL;
}

/* A library without "#MODEL". */
bool convert_is_library(const char *path)
{
    return !model_mark(path) && source_ends_with(path, LIBRARY);
}

/* Blender itself reads these. */
static bool is_blend(const char *path)
{
    return !model_mark(path) && source_ends_with(path, ".blend");
}

/* By its name alone: glTF is not, whatever is in it. */
bool convert_wanted(const char *path)
{
    static const char *const ends[] = {".obj", ".fbx", ".ply",
                                       ".stl", ".dae", ".blend"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (source_ends_with(path, ends[i]))
            return true;
    }
    return model_mark(path) || convert_is_library(path);
}

/* ---- in the child ---- */

typedef struct library_file { /* an open one */
    const uint8_t *data;
    size_t size;
    archive *zip;
    catalogue models;
} library_file;

/* Of dozens of megabytes it needs the list and one model. What was opened before
 * a failure is the caller's to close. */
static etna_code library_open(const job *j, library_file *ret, etna_error *err)
{
    *ret = (library_file){.size = 0};
    etna_code code =
        bundle_map_file(dup(j->file), j->name, &ret->data, &ret->size, err);
    if (code == ETNA_OK)
        code = archive_open(ret->data, ret->size, &ret->zip, err);
    return code == ETNA_OK ? catalogue_read(ret->zip, &ret->models, err) : code;
}

static void library_close(library_file *l)
{
    catalogue_free(&l->models);
    archive_close(l->zip);
    bundle_unmap_file(l->data, l->size);
}

/* Takes `out`. The first error is told: that of the conversion. */
static etna_code convert_finish(glb *out,
                                etna_code code,
                                uint8_t **ret_data,
                                size_t *ret_size,
                                etna_error *err)
{
    if (code == ETNA_OK)
        code = glb_finish(out, ret_data, ret_size, err);
    glb_free(out);
    return code;
}

/* A model of a library, and who made it. */
static etna_code convert_found(const catalogue *library,
                               const catalogue_model *model,
                               archive *a,
                               glb *out,
                               etna_error *err)
{
    char *base = strdup(model->path);
    if (!base)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a name");
    char *slash = strrchr(base, '/');
    const char *name = model->path + (slash ? slash + 1 - base : 0);
    char *end = slash ? slash + 1 : base;
    *end = 0;
    source files = {.folder = -1, .archive = a, .base = base};
    foreign_options options = {.model = model};
    etna_code code = foreign_convert(&files, name, &options, out, err);
    free(base);
    if (code != ETNA_OK) {
        etna_error_prefix(err, "model %u (\"%.60s\")", model->index,
                          model->name);
        return code;
    }
    glb_credit(out,
               &(glb_author){.model = model->name[0] ? model->name : model->id,
                             .collection = library->name,
                             .author = model->creator,
                             .licence = library->licence[0] ? library->licence
                                                            : "not said"});
    return ETNA_OK;
}

/* In the child. */
static etna_code convert_model(const job *j, glb *out, etna_error *err)
{
    library_file l;
    const catalogue_model *model = NULL;
    etna_code code = library_open(j, &l, err);
    if (code == ETNA_OK)
        code = catalogue_find(&l.models, j->model, &model, err);
    if (code == ETNA_OK)
        code = convert_found(&l.models, model, l.zip, out, err);
    library_close(&l);
    return code;
}

/* A child_work: the GLB of a foreign file. */
static etna_code convert_work(void *context,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err)
{
    const job *j = context;
    glb *out = glb_new();
    if (!out)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene");
    if (j->model)
        return convert_finish(out, convert_model(j, out, err), ret_data,
                              ret_size, err);
    source files = {.folder = j->folder, .own = j->name, .base = ""};
    return convert_finish(
        out, foreign_convert(&files, j->name, &j->options, out, err), ret_data,
        ret_size, err);
}

/* A child_work: a library's models as JSON. */
static etna_code list_work(void *context,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    library_file l;
    const job *j = context;
    etna_code code = library_open(j, &l, err);
    if (code == ETNA_OK && j->whole)
        code = catalogue_read_words(l.zip, &l.models, err);
    json_t *json = NULL;
    if (code == ETNA_OK)
        json = j->whole ? catalogue_json_whole(&l.models)
                        : catalogue_json(&l.models);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (code == ETNA_OK && !text)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the list of its models");
    if (code == ETNA_OK) {
        *ret_data = (uint8_t *)text;
        *ret_size = strlen(text);
    }
    json_decref(json);
    library_close(&l);
    return code;
}

/* ---- in the parent ---- */

/* The side file's unit and axis, where they are well formed (import refuses
 * those that are not). */
static void take_side(const uint8_t *side,
                      size_t size,
                      foreign_options *options)
{
    json_t *json = side ? json_loadb((const char *)side, size, 0, NULL) : NULL;
    double unit = json_number_value(json_object_get(json, "unit"));
    const char *up = json_string_value(json_object_get(json, "up"));
    if (options->metres_per_unit == 0 && unit >= 1e-9 && unit <= 1e9)
        options->metres_per_unit = unit;
    bool is_axis = up && (strcmp(up, "Y") == 0 || strcmp(up, "Z") == 0);
    if (!options->up && is_axis)
        options->up = up[0];
    json_decref(json);
}

/* The path without "#MODEL"; malloc'd. */
static char *file_part(const char *path)
{
    const char *mark = model_mark(path);
    return strndup(path, mark ? (size_t)(mark - path) : strlen(path));
}

/* -1 is none. */
static void close_job(job *j)
{
    if (j->folder >= 0)
        close(j->folder);
    if (j->file >= 0)
        close(j->file);
}

/* `file` is of the path without model, and must outlive the job. */
static etna_code open_job(const char *path,
                          const char *file,
                          job *ret,
                          etna_error *err)
{
    job j = {.folder = -1, .file = -1};
    const char *mark = model_mark(path);
    j.folder = bundle_open_folder(file, &j.name);
    j.file = j.folder < 0
                 ? -1
                 : open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (j.file < 0) {
        etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", file,
                  strerror(errno));
        close_job(&j);
        return ETNA_E_INPUT;
    }
    j.model = mark ? mark + 1 : NULL;
    *ret = j;
    return ETNA_OK;
}

/* A library is no scene. */
static etna_code refuse_library(const char *path, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_INPUT,
        "%s is a library of models: name one of them, as \"%s#1\" or \"%s#NAME\"; `etna scene info` lists them",
        path, path, path);
}

/* The side file's unit and axis hold unless the options have others. */
static etna_code convert_with(const char *path,
                              const scene_options *options,
                              bool nameless,
                              const uint8_t *side,
                              size_t side_size,
                              uint8_t **ret_glb,
                              size_t *ret_size,
                              etna_error *err)
{
    child_limits limits = child_limits_default();
    job j;
    char *file = file_part(path);
    if (!file)
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory", path);
    etna_code code = open_job(path, file, &j, err);
    if (code == ETNA_OK) {
        j.options = (foreign_options){
            .metres_per_unit = options ? options->metres_per_unit : 0,
            .up = options ? options->up : 0,
            .nameless = nameless};
        take_side(side, side_size, &j.options);
        code =
            child_run(path, &limits, convert_work, &j, ret_glb, ret_size, err);
        close_job(&j);
    }
    free(file);
    return code;
}

/* As one GLB, without the bundle around it. */
etna_code convert_file(const char *path,
                       const scene_options *options,
                       uint8_t **ret_glb,
                       size_t *ret_size,
                       etna_error *err)
{
    if (convert_is_library(path))
        return refuse_library(path, err);
    if (is_blend(path))
        return blend_convert(path, ret_glb, ret_size, err);
    return convert_with(path, options, false, NULL, 0, ret_glb, ret_size, err);
}

/* A conversion settles unit and axis, so the bundle says metres and Y up. Of a
 * .blend the user's options still count, as Blender knows nothing of them. */
static etna_code bundle_converted(const char *path,
                                  const scene_options *options,
                                  bool nameless,
                                  uint8_t **ret_data,
                                  size_t *ret_size,
                                  etna_error *err)
{
    const char *name;
    uint8_t *side = NULL, *made = NULL;
    size_t side_size = 0, made_size = 0;
    scene_options frame = options ? *options : scene_options_default();
    if (convert_is_library(path))
        return refuse_library(path, err);
    int folder = bundle_open_folder(path, &name);
    if (folder < 0)
        return etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    etna_code code = bundle_read_side(folder, name, &side, &side_size, err);
    close(folder);
    if (code == ETNA_OK && is_blend(path)) {
        /* in metres and Y up by its own word; `options` may overrule it */
        code = blend_convert(path, &made, &made_size, err);
    } else if (code == ETNA_OK) {
        code = convert_with(path, options, nameless, side, side_size, &made,
                            &made_size, err);
        frame.metres_per_unit = 1;
        frame.up = 'Y';
    }
    if (code == ETNA_OK)
        code = bundle_around(made, made_size, side, side_size, &frame, ret_data,
                             ret_size, err);
    free(side);
    free(made);
    return code;
}

/* A scene is called after its file. */
etna_code convert_bundle(const char *path,
                         const scene_options *options,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err)
{
    return bundle_converted(path, options, false, ret_data, ret_size, err);
}

typedef struct packed { /* a bundle with compressed geometry */
    const uint8_t *data;
    size_t size;
} packed;

/* A child_work: the decoders run there, too. */
static etna_code unpack_work(void *context,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    const packed *bundle = context;
    return unpack_parts(bundle->data, bundle->size, ret_data, ret_size, err);
}

/* Takes *data and gives another in its place on success; untouched where
 * nothing is compressed. */
etna_code convert_unpack(const char *what,
                         uint8_t **data,
                         size_t *size,
                         etna_error *err)
{
    child_limits limits = child_limits_default();
    packed bundle = {.data = *data, .size = *size};
    uint8_t *parts = NULL, *joined = NULL;
    size_t parts_size = 0, joined_size = 0;
    if (!unpack_wanted(*data, *size))
        return ETNA_OK;
    etna_code code = child_run(what, &limits, unpack_work, &bundle, &parts,
                               &parts_size, err);
    if (code == ETNA_OK)
        code = unpack_join(*data, *size, parts, parts_size, &joined,
                           &joined_size, err);
    free(parts);
    if (code != ETNA_OK)
        return code;
    free(*data);
    *data = joined;
    *size = joined_size;
    return ETNA_OK;
}

/* An asset is its content: where the file lies is told beside it. */
etna_code convert_asset(const char *path,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    if (convert_wanted(path))
        return bundle_converted(path, NULL, true, ret_data, ret_size, err);
    return convert_scene(path, NULL, ret_data, ret_size, err);
}

/* Any file that a scene can be: converted where needed, compressed parts
 * decoded. *ret_data is the caller's. */
etna_code convert_scene(const char *path,
                        const scene_options *options,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    if (convert_wanted(path))
        return convert_bundle(path, options, ret_data, ret_size, err);
    etna_code code = bundle_read(path, options, &data, &size, err);
    if (code == ETNA_OK)
        code = convert_unpack(path, &data, &size, err);
    if (code != ETNA_OK) {
        free(data);
        return code;
    }
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

/* `whole`: with all that is known of each, for the index. */
static etna_code convert_list_of(const char *path,
                                 bool whole,
                                 uint8_t **ret_json,
                                 size_t *ret_size,
                                 etna_error *err)
{
    child_limits limits = child_limits_default();
    job j;
    etna_code code = open_job(path, path, &j, err);
    if (code != ETNA_OK)
        return code;
    j.whole = whole;
    code = child_run(path, &limits, list_work, &j, ret_json, ret_size, err);
    close_job(&j);
    return code;
}

/* For people: numbers, names and sizes. */
etna_code convert_list(const char *path,
                       uint8_t **ret_json,
                       size_t *ret_size,
                       etna_error *err)
{
    return convert_list_of(path, false, ret_json, ret_size, err);
}

/* For the index of assets. */
etna_code convert_catalogue(const char *path,
                            uint8_t **ret_json,
                            size_t *ret_size,
                            etna_error *err)
{
    return convert_list_of(path, true, ret_json, ret_size, err);
}
