/* Assets by the names that a spec gives them. A spec is hostile: files are
 * opened beneath its folder, or beneath those that the user names, and nowhere
 * else. */
#include "worker/cli/compose.h"
#include "worker/cli/compose_stage.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096
};

/* ---- names ---- */

/* Where "#MODEL" begins, or the end. "Scopia#Bed" is short for
 * "Scopia.sh3f#Bed". */
static size_t file_length(const char *asset, bool *ret_short)
{
    const char *mark = strcasestr(asset, ".sh3f#");
    const char *hash = strchr(asset, '#');
    bool has_library = !mark && hash && hash > asset;
    *ret_short = has_library && strcspn(asset, "./") >= (size_t)(hash - asset);
    if (mark)
        return (size_t)(mark + 5 - asset);
    return *ret_short ? (size_t)(hash - asset) : strlen(asset);
}

static bool is_beneath(const char *folder, const char *file, int *ret_why)
{
    int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = dir < 0 ? -1 : bundle_open_beneath(dir, file);
    *ret_why = errno;
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    return fd >= 0;
}

/* Finds the file of that name: beside the spec, else in the folders. to:
 * FOLDER/FILE. */
static etna_code find_file(const composing *c,
                           const char *file,
                           char to[PATH_BYTES],
                           etna_error *err)
{
    const char *slash = strrchr(c->spec_path, '/');
    char beside[PATH_BYTES];
    int why = 0;
    int n = snprintf(beside, sizeof beside, "%.*s",
                     slash > c->spec_path ? (int)(slash - c->spec_path) : 1,
                     slash ? c->spec_path : ".");
    if (n < 0 || (size_t)n >= sizeof beside)
        return etna_fail(err, ETNA_E_INPUT, "%.200s: the path is too long",
                         c->spec_path);
    for (uint32_t i = 0; i <= c->folder_count; i++) {
        const char *folder = i ? c->folders[i - 1] : beside;
        if (!is_beneath(folder, file, &why)) {
            if (why == EXDEV || why == ELOOP) {
                return etna_fail(
                    err, ETNA_E_INPUT,
                    "\"%.200s\" leads out of its folder; copy it beside the spec, or name its folder with --library",
                    file);
            }
            continue;
        }
        n = snprintf(to, PATH_BYTES, "%s/%s", folder, file);
        return n > 0 && n < PATH_BYTES
                   ? ETNA_OK
                   : etna_fail(err, ETNA_E_INPUT,
                               "\"%.200s\": the path is too long", file);
    }
    return etna_fail(
        err, ETNA_E_INPUT,
        "\"%.200s\" is not there, neither beside the spec nor in %.200s; --library names other folders",
        file, c->folder_count ? c->folders[0] : "a folder of libraries");
}

/* NAME, NAME#3 or a path, in the libraries' folders in their order. */
static etna_code asset_resolve(const composing *c,
                               const char *asset,
                               char to[PATH_BYTES],
                               etna_error *err)
{
    char file[PATH_BYTES];
    bool is_short;
    size_t n = file_length(asset, &is_short);
    snprintf(file, sizeof file, "%.*s%s", (int)n, asset,
             is_short ? ".sh3f" : "");
    etna_code code = find_file(c, file, to, err);
    size_t used = code == ETNA_OK ? strlen(to) : 0;
    if (code == ETNA_OK && used + strlen(asset + n) + 1 > PATH_BYTES) {
        return etna_fail(err, ETNA_E_INPUT, "\"%.200s\": the path is too long",
                         asset);
    }
    if (code == ETNA_OK)
        strcpy(to + used, asset + n);
    return code;
}

/* ---- one asset ---- */

static etna_code asset_pack(const scene *s,
                            const uint8_t *bundle,
                            size_t bundle_size,
                            compose_asset *ret,
                            etna_error *err)
{
    snapshot base = {.object_count = 0};
    etna_code code = snapshot_base(s, &base, err);
    if (code == ETNA_OK)
        code = scene_export_glb(s, bundle, bundle_size, &base, &ret->glb,
                                &ret->size, err);
    snapshot_free(&base);
    return code;
}

/* In glTF's axes (Y up) and relative to the file's own origin, since a spec
 * places that. The limits catch files in a wrong unit. */
static etna_code compose_asset_measure(const scene *s,
                                       compose_asset *ret,
                                       etna_error *err)
{
    vec3 low = v3_add(s->min, s->recentre);
    vec3 high = v3_add(s->max, s->recentre);
    const double min[3] = {low.x, low.z, -high.y};
    const double max[3] = {high.x, high.z, -low.y};
    ret->unit = s->metres_per_unit;
    ret->z_up = s->up == 'Z';
    for (int k = 0; k < 3; k++) {
        if (!(max[k] - min[k] >= 0 && max[k] - min[k] < 1e4 &&
              fabs(min[k]) < 1e6)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "it is empty, or larger than 10 km; its unit may be wrong");
        }
        ret->min[k] = min[k];
        ret->max[k] = max[k];
    }
    return ETNA_OK;
}

/* Converted files go through a child process (convert_bundle): a model comes
 * from anywhere. */
etna_code compose_asset_read(const char *path,
                             compose_asset *ret,
                             etna_error *err)
{
    uint8_t *bundle = NULL;
    size_t size = 0;
    scene *s = NULL;
    etna_code code = convert_wanted(path)
                         ? convert_bundle(path, NULL, &bundle, &size, err)
                         : bundle_read(path, NULL, &bundle, &size, err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, &s, err);
    if (code == ETNA_OK)
        code = compose_asset_measure(s, ret, err);
    if (code == ETNA_OK)
        code = asset_pack(s, bundle, size, ret, err);
    scene_free(s);
    free(bundle);
    return code;
}

static etna_code read_asset(const composing *c,
                            compose_asset *ret,
                            etna_error *err)
{
    char path[PATH_BYTES];
    etna_code code = asset_resolve(c, ret->path, path, err);
    return code == ETNA_OK ? compose_asset_read(path, ret, err) : code;
}

/* Each file once, however many objects use it. */
static etna_code read_assets(composing *c, etna_error *err)
{
    uint32_t n = c->spec.object_count;
    c->assets = calloc(n, sizeof *c->assets);
    c->places = calloc(n, sizeof *c->places);
    if (!c->assets || !c->places)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %u objects", n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = 0;
        while (at < c->asset_count &&
               strcmp(c->assets[at].path, c->spec.objects[i].asset) != 0)
            at++;
        c->places[i].asset = at;
        if (at < c->asset_count)
            continue;
        c->assets[at].path = c->spec.objects[i].asset;
        c->asset_count++;
        etna_code code = read_asset(c, &c->assets[at], err);
        if (code != ETNA_OK)
            return etna_error_prefix(err, "\"%.100s\"",
                                     c->spec.objects[i].name);
    }
    return ETNA_OK;
}

/* ---- pictures of the room ---- */

/* By its first bytes, whatever its name says. */
static etna_code read_picture(composing *c,
                              int index,
                              const char *file,
                              etna_error *err)
{
    char path[PATH_BYTES];
    size_t size = 0;
    etna_code code = find_file(c, file, path, err);
    if (code == ETNA_OK) {
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0)
            return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be opened: %s",
                             path, strerror(errno));
        code = bundle_read_file(fd, path, &c->picture_data[index], &size, err);
    }
    if (code != ETNA_OK)
        return code;
    bool png =
        size > 8 && memcmp(c->picture_data[index], "\211PNG\r\n\032\n", 8) == 0;
    bool jpeg =
        size > 3 && memcmp(c->picture_data[index], "\377\330\377", 3) == 0;
    if (!png && !jpeg)
        return etna_fail(err, ETNA_E_INPUT,
                         "\"%.200s\" is neither PNG nor JPEG", file);
    c->pictures[index] = (compose_picture){png ? "image/png" : "image/jpeg",
                                           c->picture_data[index], size};
    return ETNA_OK;
}

static etna_code read_pictures(composing *c, etna_error *err)
{
    const compose_look *looks[3] = {&c->spec.room.floor, &c->spec.room.walls,
                                    &c->spec.room.top};
    etna_code code = ETNA_OK;
    for (int i = 0; code == ETNA_OK && i < 3; i++) {
        if (looks[i]->texture)
            code = read_picture(c, i, looks[i]->texture, err);
    }
    return code;
}

/* Errors begin with the file's name. */
static etna_code read_spec(composing *c, etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    int fd = open(c->spec_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be opened: %s",
                         c->spec_path, strerror(errno));
    etna_code code = bundle_read_file(fd, c->spec_path, &text, &size, err);
    if (code != ETNA_OK)
        return code;
    code = compose_read((const char *)text, size, &c->spec, err);
    if (code != ETNA_OK)
        etna_error_prefix(err, "%.200s", c->spec_path);
    free(text);
    return code;
}

etna_code composing_read(composing *c, etna_error *err)
{
    etna_code code = (c->faults = json_array())
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (code == ETNA_OK)
        code = read_spec(c, err);
    if (code == ETNA_OK)
        code = read_pictures(c, err);
    return code == ETNA_OK ? read_assets(c, err) : code;
}

void composing_free(composing *c)
{
    for (uint32_t i = 0; i < c->asset_count; i++)
        free(c->assets[i].glb);
    for (int i = 0; i < 3; i++)
        free(c->picture_data[i]);
    free(c->assets);
    free(c->places);
    json_decref(c->faults);
    compose_free(&c->spec);
    *c = (composing){.spec_path = NULL};
}
