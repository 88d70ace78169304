/* Loading a scene for a command, and how commands speak.
 *
 * load_for is the one way in: a file becomes a bundle (converted where it is no
 * glTF), the bundle a scene, and, where rays are wanted, a space. The public
 * forms differ in what they leave out: a scene that is only looked at needs no
 * snapshot, one that is only told of needs no rays. Below that come the flags
 * that several commands share, and errors, which every command reports by
 * load_report, on stderr and with --json on stdout as well. */
#include "worker/cli/load.h"
#include "proto/error_json.h"
#include "proto/utf8.h"
#include "store/wholefile.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"
#include "worker/view/view.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void load_scene_free(loaded_scene *loaded)
{
    space_free(loaded->space);
    space_shared_free(loaded->shared);
    scene_free(loaded->scene);
    free(loaded->bundle);
    memset(loaded, 0, sizeof *loaded);
}

/* What a scene is loaded for; `like`: the original of an edited copy, by which
 * it is divided. */
typedef struct purpose {
    const scene *like;
    bool rays, look; /* look: no snapshot is made of it */
} purpose;

/* Takes over given->bundle, and frees it on failure. */
static etna_code load_bundle_for(const char *path,
                                 const loaded_scene *given,
                                 purpose why,
                                 loaded_scene *ret,
                                 etna_error *err)
{
    loaded_scene loaded = *given;
    etna_code code;
    if (why.look) {
        code = scene_import_to_look(loaded.bundle, loaded.bundle_size, why.like,
                                    &loaded.scene, err);
    } else if (why.like) {
        code = scene_import_like(loaded.bundle, loaded.bundle_size, why.like,
                                 &loaded.scene, err);
    } else {
        code =
            scene_import(loaded.bundle, loaded.bundle_size, &loaded.scene, err);
    }
    if (code != ETNA_OK)
        etna_error_prefix(err, "%s", path); /* import knows no names */
    if (code == ETNA_OK)
        code = space_share(loaded.scene, &loaded.shared, err);
    if (code == ETNA_OK && !why.like)
        code = space_mark_static_by_cut(loaded.shared, err);
    if (code == ETNA_OK && why.rays)
        code = space_new(loaded.shared, &loaded.space, err);
    if (code != ETNA_OK) {
        load_scene_free(&loaded);
        return code;
    }
    *ret = loaded;
    return ETNA_OK;
}

/* *ret is the caller's to free; set on success alone. */
static etna_code load_for(const char *path,
                          const scene_options *options,
                          purpose why,
                          loaded_scene *ret,
                          etna_error *err)
{
    loaded_scene loaded = {0};
    etna_code code =
        convert_scene(path, options, &loaded.bundle, &loaded.bundle_size, err);
    if (code != ETNA_OK)
        return code;
    return load_bundle_for(path, &loaded, why, ret, err);
}

/* With everything. */
etna_code load_scene(const char *path,
                     const scene_options *options,
                     const scene *like,
                     loaded_scene *ret,
                     etna_error *err)
{
    return load_for(path, options, (purpose){.like = like, .rays = true}, ret,
                    err);
}

/* Nothing will be made of it, so its bytes may be borrowed. */
etna_code load_scene_to_look(const char *path,
                             const scene_options *options,
                             const scene *like,
                             loaded_scene *ret,
                             etna_error *err)
{
    return load_for(path, options,
                    (purpose){.like = like, .rays = true, .look = true}, ret,
                    err);
}

/* For `scene info`. */
etna_code load_scene_to_tell(const char *path,
                             const scene_options *options,
                             loaded_scene *ret,
                             etna_error *err)
{
    return load_for(path, options, (purpose){.look = true}, ret, err);
}

/* For exports. */
etna_code load_scene_only(const char *path,
                          const scene_options *options,
                          loaded_scene *ret,
                          etna_error *err)
{
    return load_for(path, options, (purpose){0}, ret, err);
}

/* Takes the bundle, on failure too. */
etna_code load_bundle_to_look(const char *path,
                              uint8_t *bundle,
                              size_t size,
                              loaded_scene *ret,
                              etna_error *err)
{
    const loaded_scene given = {.bundle = bundle, .bundle_size = size};
    return load_bundle_for(path, &given, (purpose){.rays = true, .look = true},
                           ret, err);
}

/* On stderr, whatever form the answer has. */
void load_warn(const loaded_scene *loaded)
{
    for (uint32_t i = 0; i < loaded->scene->report.warning_count; i++) {
        char line[1024];
        fprintf(
            stderr, "warning: %s\n",
            load_plain(loaded->scene->report.warnings[i], line, sizeof line));
    }
}

/* By more than a micrometre or a millionth of a radian, which single precision
 * may lose. */
bool load_moved(const scene_object *now, const scene_object *before)
{
    double turn = fabs(now->box.yaw - before->box.yaw);
    if (turn > MATH_PI)
        turn = 2 * MATH_PI - turn;
    return v3_distance(now->box.centre, before->box.centre) > 1e-6 ||
           turn > 1e-6;
}

/* A cutaway is a camera that needs its own look at the scene. */
etna_code load_camera(loaded_scene *loaded,
                      const char *request,
                      scene_camera *ret_camera,
                      etna_error *err)
{
    view_cut_request cut;
    if (view_read_cutaway(loaded->scene, request, &cut))
        return view_cutaway(loaded->space, &cut, ret_camera, err);
    return view_choose_camera(loaded->space, NULL, 0, request, ret_camera, err);
}

/* Of a cutaway, what stands in the way; nothing for other cameras. */
etna_code load_hide(loaded_scene *loaded,
                    const char *request,
                    const scene_camera *camera,
                    etna_error *err)
{
    view_cut_request cut;
    if (!view_read_cutaway(loaded->scene, request, &cut))
        return ETNA_OK;
    return view_cutaway_hide(loaded->space, camera, err);
}

/* Of four decimals, and never -0. */
double load_tidy(double value)
{
    return fabs(value) < 0.00005 ? 0 : value;
}

/* ---- flags ---- */

/* A flags_row's reader, as those below: `into` is what the row says. */
etna_code load_up(const char *name,
                  const char *value,
                  void *into,
                  etna_error *err)
{
    char up = (char)(value[0] & ~0x20);
    if ((up != 'Y' && up != 'Z') || value[1] != 0)
        return etna_fail(err, ETNA_E_USAGE, "--%s takes Y or Z", name);
    ((scene_options *)into)->up = up;
    return ETNA_OK;
}

/* Metres. */
etna_code load_unit(const char *name,
                    const char *value,
                    void *into,
                    etna_error *err)
{
    double unit;
    if (!load_numbers(value, 0, 1, &unit) || !(unit > 0) || !(unit <= 1e6)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s takes the metres of one unit, as 0.01 for centimetres", name);
    }
    ((scene_options *)into)->metres_per_unit = unit;
    return ETNA_OK;
}

enum {
    MESH_MEMORY_MAX = 1 << 24
}; /* MiB */

etna_code load_mesh_memory(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    uint64_t mebibytes;
    (void)into;
    etna_code code =
        flags_number(name, value, 1, MESH_MEMORY_MAX, &mebibytes, err);
    if (code != ETNA_OK)
        return code;
    if (setenv("ETNA_MESH_MEMORY", value, 1))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    space_bound_meshes((size_t)mebibytes << 20);
    return ETNA_OK;
}

/* An empty variable is none. */
etna_code load_memory_of_environment(etna_error *err)
{
    const char *value = getenv("ETNA_MESH_MEMORY");
    if (!value || !*value ||
        load_mesh_memory("mesh-memory", value, NULL, NULL) == ETNA_OK)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "ETNA_MESH_MEMORY wants a whole number of MiB from 1 to %d, not %.80s",
        MESH_MEMORY_MAX, value);
}

/* The paper's rule instead of ours (METHODS.md 6). */
etna_code load_paper(const char *name,
                     const char *value,
                     void *into,
                     etna_error *err)
{
    if (strcmp(value, "paper") != 0) {
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s takes \"paper\" (without it our own rule holds)",
                         name);
    }
    *(bool *)into = true;
    return ETNA_OK;
}

/* *into is whether any place will do. */
etna_code load_reach(const char *name,
                     const char *value,
                     void *into,
                     etna_error *err)
{
    bool off = strcmp(value, "off") == 0;
    if (!off && strcmp(value, "on") != 0)
        return etna_fail(err, ETNA_E_USAGE, "--%s takes \"on\" or \"off\"",
                         name);
    *(bool *)into = off;
    return ETNA_OK;
}

/* Exactly `count` finite numbers with one character between. */
bool load_numbers(const char *text, char between, uint32_t count, double *ret)
{
    for (uint32_t i = 0; i < count; i++) {
        char *end;
        ret[i] = strtod(text, &end);
        if (end == text || !isfinite(ret[i]) ||
            *end != (i + 1 < count ? between : 0))
            return false;
        text = end + 1;
    }
    return true;
}

/* 0: the command is over, with *ret_exit; else where the arguments begin. */
int load_flags(const char *command,
               int argc,
               char **argv,
               const flags_row *flags,
               const char *help,
               int *ret_exit)
{
    etna_error err = {0};
    bool helped = false;
    int first = 0;
    if (flags_read(command, argc, argv, flags, &helped, &first, &err) !=
        ETNA_OK) {
        *ret_exit = load_report(&err);
        return 0;
    }
    if (!helped)
        return first;
    fputs(help, stdout);
    *ret_exit = load_printed(0);
    return 0;
}

/* In `room`, without what a terminal would obey or a reader be deceived by. */
const char *load_plain(const char *name, char *room, size_t size)
{
    size_t used = 0;
    while (*name) {
        uint32_t code = '?';
        const size_t length = etna_utf8_character(name, ETNA_UTF8_MAX, &code);
        const bool keep = length > 0 && !etna_utf8_deceives(code);
        const size_t room_for = keep ? length : 1;
        if (used + room_for >= size)
            break;
        if (keep)
            memcpy(room + used, name, length);
        if (!keep)
            room[used] = length > 0 ? ' ' : '?';
        used += room_for;
        name += length > 0 ? length : 1;
    }
    room[used] = 0;
    return room;
}

static bool errors_as_json;

/* Set once, before anything is read. */
bool load_errors_are_json(void)
{
    return errors_as_json;
}

/* Up to "--", as flags are. */
void load_errors_as_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") == 0)
            errors_as_json = true;
    }
}

/* Out of memory leaves stdout empty. */
static void print_error_document(const etna_error *err)
{
    json_t *document = error_json(err);
    if (document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0)
        putchar('\n');
    json_decref(document);
    /* that it fails is told by the exit code that there is already */
    fflush(stdout);
}

/* Returns the exit code. */
int load_report(const etna_error *err)
{
    char line[sizeof err->text];
    if (errors_as_json)
        print_error_document(err);
    fprintf(stderr, "etna: %s\n", load_plain(err->text, line, sizeof line));
    return etna_exit_code(err->code);
}

/* Exit code 2. */
int load_usage(const char *format, ...)
{
    etna_error err = {.code = ETNA_E_USAGE};
    va_list args;
    va_start(args, format);
    vsnprintf(err.text, sizeof err.text, format, args);
    va_end(args);
    return load_report(&err);
}

/* ---- results ---- */

/* Never -0, which people take for a sign of something. */
json_t *load_vector(vec3 v)
{
    return json_pack("[f,f,f]", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

/* Never -0. */
double load_degrees(double radians)
{
    double d = radians * (180 / MATH_PI);
    return fabs(d) < 1e-9 ? 0 : d;
}

/* The last word of a command: an answer that could not be written is a failure,
 * whatever was found out. */
int load_printed(int exit_code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return exit_code;
    errors_as_json = false; /* nothing can be read there any more */
    etna_error err;
    etna_fail(&err, wholefile_code(errno), "cannot write the results: %s",
              errno ? strerror(errno) : "stdout failed");
    return load_report(&err);
}

/* Takes the document over; NULL: out of memory. */
int load_print(const char *schema, json_t *document, int exit_code)
{
    document = error_json_schema(schema, document);
    if (!document || json_dumpf(document, stdout, JSON_INDENT(2)) != 0) {
        json_decref(document);
        if (ferror(stdout))
            return load_printed(exit_code);
        return load_report(
            &(etna_error){ETNA_E_NOMEM, "out of memory for the report"});
    }
    putchar('\n');
    json_decref(document);
    return load_printed(exit_code);
}
