/* Loading a scene for a command. */
#include "worker/cli/load.h"
#include "worker/scene/bundle.h"

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

etna_code load_scene(const char *path, const scene_options *options, const scene *like, loaded_scene *ret, etna_error *err)
{
    loaded_scene loaded = {0};
    etna_code code = bundle_read(path, options, &loaded.bundle, &loaded.bundle_size, err);
    if (code == ETNA_OK && like) {
        code = scene_import_like(loaded.bundle, loaded.bundle_size, like, &loaded.scene, err);
    } else if (code == ETNA_OK) {
        code = scene_import(loaded.bundle, loaded.bundle_size, &loaded.scene, err);
    }
    if (code == ETNA_OK) code = space_share(loaded.scene, &loaded.shared, err);
    if (code == ETNA_OK && !like) code = space_mark_static_by_cut(loaded.shared, err);
    if (code == ETNA_OK) code = space_new(loaded.shared, &loaded.space, err);
    if (code != ETNA_OK) {
        load_scene_free(&loaded);
        return code;
    }
    *ret = loaded;
    return ETNA_OK;
}

bool load_option(scene_options *options, const char *name, const char *value)
{
    if (strcmp(name, "up") == 0) {
        if ((value[0] == 'Y' || value[0] == 'Z' || value[0] == 'y' || value[0] == 'z') && value[1] == 0) {
            options->up = (char)(value[0] & ~0x20);
            return true;
        }
        fprintf(stderr, "etna: --up takes Y or Z\n");
        return false;
    }
    char *end;
    double unit = strtod(value, &end);
    if (end == value || *end || !(unit > 0) || !(unit <= 1e6)) {
        fprintf(stderr, "etna: --unit takes the metres of one unit, as 0.01 for centimetres\n");
        return false;
    }
    options->metres_per_unit = unit;
    return true;
}

int load_report(const etna_error *err)
{
    char line[sizeof err->text];
    snprintf(line, sizeof line, "%s", err->text);
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    }
    fprintf(stderr, "etna: %s\n", line);
    return etna_exit_code(err->code);
}
