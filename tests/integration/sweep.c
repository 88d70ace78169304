/* Drives many scenes through import, check and a small render in one process:
 * one line a scene on stdout,
 *   ok <objects> <collisions> <floating> <milliseconds> PATH refused PATH: why
 *   empty PATH: nothing of the scene is in its picture warning PATH: text
 * Paths come on stdin, one a line. The script that calls it says which refusals
 * and warnings are right. With a folder as argument each picture is kept there,
 * so that a person can look. */
#include "worker/cli/load.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTH = 160,
    HEIGHT = 120
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static etna_code keep(const view_image *image,
                      const char *folder,
                      const char *path,
                      etna_error *err)
{
    char name[4096];
    uint8_t *png = NULL;
    size_t size = 0, at;
    int n = snprintf(name, sizeof name, "%s/", folder);
    for (at = (size_t)n; *path && at + 5 < sizeof name; path++)
        name[at++] = *path == '/' || *path == '#' ? '_' : *path;
    memcpy(name + at, ".png", 5);
    etna_code code = view_encode_png(image, &png, &size, err);
    FILE *file = code == ETNA_OK ? fopen(name, "wb") : NULL;
    if (code == ETNA_OK && (!file || fwrite(png, 1, size, file) != size))
        code = etna_fail(err, ETNA_E_IO, "cannot write %s", name);
    if (file)
        fclose(file);
    free(png);
    return code;
}

/* How many pixels show an object. */
static etna_code look(const space *sp,
                      const char *folder,
                      const char *path,
                      uint32_t *ret_seen,
                      etna_error *err)
{
    static uint32_t ids[4 * WIDTH * HEIGHT];
    scene_camera camera;
    view_image image = {0};
    uint32_t scale = folder ? 2 : 1, width = scale * WIDTH,
             height = scale * HEIGHT;
    etna_code code = view_choose_camera(sp, NULL, 0, NULL, &camera, err);
    if (code != ETNA_OK)
        return code;
    camera = view_camera_sized(&camera, width, height);
    code = view_instance_map(sp, &camera, width, height, ids, err);
    if (code == ETNA_OK)
        code = view_render(sp, &camera, width, height, 1, &image, err);
    if (code == ETNA_OK && folder)
        code = keep(&image, folder, path, err);
    *ret_seen = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < width * height; i++)
        *ret_seen += ids[i] != SCENE_NONE;
    view_image_free(&image);
    return code;
}

static etna_code sweep(const char *path, const char *folder, etna_error *err)
{
    const scene_options options = scene_options_default();
    const space_rules rules = {0};
    loaded_scene loaded = {0};
    space_check found = {0};
    uint32_t seen = 0;
    double begin = now_ms();
    etna_code code = load_scene(path, &options, NULL, &loaded, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < loaded.scene->report.warning_count; i++)
        printf("warning %s: %s\n", path, loaded.scene->report.warnings[i]);
    code = space_check_all(loaded.space, &rules, &found, err);
    if (code == ETNA_OK)
        code = look(loaded.space, folder, path, &seen, err);
    if (code == ETNA_OK && seen == 0)
        printf("empty %s: nothing of the scene is in its picture\n", path);
    if (code == ETNA_OK) {
        printf("ok %u %u %u %.0f %s\n", loaded.scene->object_count,
               found.pair_count, found.floating_count, now_ms() - begin, path);
    }
    space_check_free(&found);
    load_scene_free(&loaded);
    return code;
}

int main(int argc, char **argv)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        etna_error err = {0};
        line[strcspn(line, "\n")] = 0;
        if (line[0] && sweep(line, argc > 1 ? argv[1] : NULL, &err) != ETNA_OK)
            printf("refused %s: %s\n", line, err.text);
        fflush(stdout);
    }
    return ferror(stdin) ? 4 : 0;
}
