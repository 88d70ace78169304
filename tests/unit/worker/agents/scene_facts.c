/* See scene_facts.h. */
#include "tests/unit/worker/agents/scene_facts.h"

#include "worker/agents/facts.h"
#include "worker/gltf/bundle.h"
#include "worker/view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void find_scene(const char *name, char *path, size_t size)
{
    const char *data = getenv("ETNA_TEST_DATA"),
               *folder = data ? data : ETNA_SOURCE_DIR "/../shared/data";
    if (strcmp(name, "house") == 0)
        snprintf(path, size, "%s/scenes/aws_small_house/small_house.glb",
                 folder);
    else if (strcmp(name, "tea_set") == 0)
        snprintf(path, size, "%s/scenes/tea_set/tea_set_01_1k.gltf", folder);
    else if (strcmp(name, "terrain") == 0)
        snprintf(path, size, "%s/scenes/terrain_trees/terrain.glb", folder);
    else if (strncmp(name, "goals/", 6) == 0)
        snprintf(path, size, "%s/../goals/scenes/%s.glb", folder, name + 6);
    else
        snprintf(path, size, ETNA_BINARY_DIR "/scenes/%s.glb", name);
}

static bool is_data_here(void)
{
    char path[2048];
    find_scene("goals/living_room", path, sizeof path);
    return access(path, R_OK) == 0;
}

char *scene_facts(const char *name)
{
    char path[2048];
    find_scene(name, path, sizeof path);
    if (access(path, R_OK) != 0) {
        /* a name that is nowhere would void the floor of its whole table */
        if (is_data_here())
            fail_msg("no scene is called %s: %s", name, path);
        return NULL;
    }
    etna_error err = {0};
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    scene *s = NULL;
    space_shared *shared = NULL;
    space *sp = NULL;
    probe_shared *probes = NULL;
    space_support_state support = {0};
    scene_camera camera;
    char *json = NULL;
    etna_code code = bundle_read(path, &options, &bundle, &size, &err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, &s, &err);
    if (code == ETNA_OK)
        code = space_share(s, &shared, &err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(shared, &err);
    if (code == ETNA_OK)
        code = space_new(shared, &sp, &err);
    if (code == ETNA_OK)
        code = probe_share(s, &probes, &err);
    if (code == ETNA_OK)
        code = space_support_compute(sp, &(space_rules){0}, NULL, NULL,
                                     &support, &err);
    if (code == ETNA_OK)
        code = view_choose_camera(sp, NULL, 0, NULL, &camera, &err);
    if (code != ETNA_OK)
        fail_msg("%s: %s", path, err.text);
    facts_input input = {
        .space = sp, .probes = probes, .camera = &camera, .support = &support};
    view_size(&camera, 512, &input.width, &input.height);
    if (facts_build(&input, &json, &size, &err) != ETNA_OK)
        fail_msg("%s: %s", path, err.text);
    space_support_free(&support);
    probe_shared_free(probes);
    space_free(sp);
    space_shared_free(shared);
    scene_free(s);
    free(bundle);
    return json;
}
