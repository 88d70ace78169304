/* A builder's scene with all that looks into it: a space at its base poses and
 * probes. Here and not in a .c file, since rooms without probes link the rest
 * of tests/support. */
#ifndef ETNA_TESTS_SUPPORT_STAGE_H
#define ETNA_TESTS_SUPPORT_STAGE_H

#include "tests/support/scene_builder.h"
#include "worker/probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

typedef struct stage {
    scene_builder *builder;
    scene *scene;
    space_shared *shared;
    space *space;
    probe_shared *probes;
    etna_arena arena; /* empty at first */
} stage;

/* Takes the builder over, which has all it will have. Fails the test when
 * anything fails. */
static inline stage stage_open(scene_builder *b)
{
    stage s = {.builder = b,
               .scene = scene_builder_scene(b),
               .arena = ETNA_ARENA_INIT};
    assert_int_equal(space_share(s.scene, &s.shared, NULL), ETNA_OK);
    assert_int_equal(space_new(s.shared, &s.space, NULL), ETNA_OK);
    assert_int_equal(probe_share(s.scene, &s.probes, NULL), ETNA_OK);
    return s;
}

static inline void stage_close(stage *s)
{
    probe_shared_free(s->probes);
    space_free(s->space);
    space_shared_free(s->shared);
    scene_builder_free(s->builder);
    etna_arena_free(&s->arena);
}

#endif
