/* See scene_facts.h. */
#include "worker/cli/scene_facts.h"
#include "worker/agents/facts.h"

/* Pixels of the longer side of the picture whose facts are told. */
enum {
    FACTS_SIDE = 1024
};

etna_code scene_facts_tell(loaded_scene *loaded,
                           const char *camera_name,
                           char **ret_json,
                           size_t *ret_size,
                           etna_error *err)
{
    probe_shared *probes = NULL;
    space_support_state support = {0};
    scene_camera camera;
    etna_code code = load_camera(loaded, camera_name, &camera, err);
    if (code == ETNA_OK)
        code = probe_share(loaded->scene, &probes, err);
    if (code == ETNA_OK)
        code = space_support_compute(loaded->space, &(space_rules){0}, NULL,
                                     NULL, &support, err);
    if (code == ETNA_OK) {
        facts_input input = {.space = loaded->space,
                             .probes = probes,
                             .camera = &camera,
                             .support = &support};
        view_size(&camera, FACTS_SIDE, &input.width, &input.height);
        code = facts_build(&input, ret_json, ret_size, err);
    }
    space_support_free(&support);
    probe_shared_free(probes);
    return code;
}
