/* Whether what a suite says of a scene is there. Known before anything runs, a
 * slip of the pen costs nobody a run. */
#ifndef ETNA_REFEREE_SUITE_SCENE_H
#define ETNA_REFEREE_SUITE_SCENE_H

#include "referee/suite.h"

/* `path` is the file that `s` was read from, `file` the scene as it stands at
 * the start. Looked for are the scene's camera, the things of its predicates
 * and of its fronts. ETNA_E_INPUT names path, line and field. */
etna_code suite_scene_check(const char *path,
                            const suite *s,
                            const suite_scene *scene,
                            const char *file,
                            etna_error *err);

#endif
