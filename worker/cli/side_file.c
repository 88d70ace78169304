/* Where the side file is and how it is replaced. */
#include "worker/cli/side_file.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The one that bundle_read takes: without the scene's extension first, then
 * with it; where there is none, the first. */
static bool find_path(const char *scene_path, char *path, size_t size)
{
    const char *slash = strrchr(scene_path, '/');
    const char *dot = strrchr(scene_path, '.');
    size_t length = strlen(scene_path);
    size_t stem =
        dot && (!slash || dot > slash) ? (size_t)(dot - scene_path) : length;
    if (strchr(slash ? slash : scene_path, '#'))
        stem = length; /* a model of a library has a side file of its own */
    if (length + 12 > size)
        return false;
    snprintf(path, size, "%s.etna.json", scene_path);
    char plain[4352];
    snprintf(plain, sizeof plain, "%.*s.etna.json", (int)stem, scene_path);
    if (access(plain, F_OK) == 0 || access(path, F_OK) != 0)
        memcpy(path, plain, strlen(plain) + 1);
    return true;
}

etna_code side_file_open(const char *scene_path,
                         const scene_options *options,
                         side_file *ret,
                         etna_error *err)
{
    side_file side = {0};
    if (!find_path(scene_path, side.path, sizeof side.path)) {
        return etna_fail(err, ETNA_E_INPUT, "%.200s...: the path is too long",
                         scene_path);
    }
    etna_code code = convert_scene(scene_path, options, &side.bundle,
                                   &side.bundle_size, err);
    if (code == ETNA_OK)
        code = side_of_bundle(side.bundle, side.bundle_size, &side.text,
                              &side.size, err);
    if (code != ETNA_OK) {
        side_file_close(&side);
        return code;
    }
    *ret = side;
    return ETNA_OK;
}

void side_file_close(side_file *side)
{
    free(side->bundle);
    memset(side, 0, sizeof *side);
}

etna_code side_file_try(const side_file *side,
                        const char *text,
                        bool cuts,
                        loaded_scene *ret,
                        etna_error *err)
{
    loaded_scene loaded = {0};
    etna_code code =
        scene_import_with_side(side->bundle, side->bundle_size, text,
                               text ? strlen(text) : 0, &loaded.scene, err);
    if (code == ETNA_OK)
        code = space_share(loaded.scene, &loaded.shared, err);
    if (code == ETNA_OK && cuts)
        code = space_mark_static_by_cut(loaded.shared, err);
    if (code == ETNA_OK)
        code = space_new(loaded.shared, &loaded.space, err);
    if (code != ETNA_OK) {
        load_scene_free(&loaded);
        return code;
    }
    *ret = loaded;
    return ETNA_OK;
}

etna_code side_file_write(const side_file *side,
                          const char *text,
                          bool *ret_written,
                          etna_error *err)
{
    size_t length = strlen(text);
    bool same = side->text && side->size == length &&
                memcmp(side->text, text, length) == 0;
    etna_code code =
        same ? ETNA_OK
             : load_write(side->path, (const uint8_t *)text, length, err);
    if (code == ETNA_OK)
        *ret_written = !same;
    return code;
}
