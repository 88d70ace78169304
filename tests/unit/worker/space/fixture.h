/* What the tests of this room share: a space over a hand-built scene, and moves
 * by numbers. */
#ifndef ETNA_TESTS_SPACE_FIXTURE_H
#define ETNA_TESTS_SPACE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/scene_builder.h"
#include "worker/space/space_internal.h"

typedef struct fixture {
    scene_builder *builder;
    space_shared *shared;
    space *space;
} fixture;

fixture fixture_open(scene_builder *b);
void fixture_close(fixture *f);
void fixture_move(fixture *f,
                  uint32_t object,
                  double dx,
                  double dy,
                  double dz,
                  double yaw_degrees); /* from where it stands */
space_pair fixture_pair(
    fixture *f,
    uint32_t a,
    /* with depth; checks that the verdict alone agrees, and (b, a) */
    uint32_t b);
bool fixture_down(fixture *f,
                  double x,
                  double y,
                  double z,
                  space_hit *ret); /* a ray straight down */

#endif
