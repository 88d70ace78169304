/* The facts of a loaded scene, as the planner of a run is told them at its
 * start. */
#ifndef ETNA_WORKER_CLI_SCENE_FACTS_H
#define ETNA_WORKER_CLI_SCENE_FACTS_H

#include "worker/cli/load.h"

/* Of the scene as it stands, by that camera (load_camera). Caller frees
 * *ret_json. */
etna_code scene_facts_tell(loaded_scene *loaded,
                           const char *camera,
                           char **ret_json,
                           size_t *ret_size,
                           etna_error *err);

#endif
