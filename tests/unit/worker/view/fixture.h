/* A fixture scene of tests/scenes, imported and ready to look at: what every
 * test of worker/view starts from. */
#ifndef ETNA_TESTS_VIEW_FIXTURE_H
#define ETNA_TESTS_VIEW_FIXTURE_H

#include "worker/view/view.h"

typedef struct fixture {
    scene *s;
    space_shared *shared;
    space *sp;
    scene_camera camera; /* the file's first */
} fixture;

/* `name` as "bottles.glb"; fails the test when it cannot be read. */
fixture fixture_open(const char *name);
/* Any scene file of $ETNA_TEST_DATA, as "scenes/tea_set/x.gltf"; false when it
 * is not there. */
bool fixture_open_data(const char *path, fixture *ret);
void fixture_close(fixture *f);
/* fails the test when there is none */
uint32_t fixture_object(const fixture *f, const char *name);

#endif
