/* One arena a test, for cmocka_unit_test_setup_teardown: open before it, freed
 * after it. */
#ifndef ETNA_TESTS_SUPPORT_ARENA_FIXTURE_H
#define ETNA_TESTS_SUPPORT_ARENA_FIXTURE_H

#include "proto/arena.h"

static etna_arena arena;

static int arena_open(void **state)
{
    (void)state;
    arena = (etna_arena)ETNA_ARENA_INIT;
    return 0;
}

static int arena_close(void **state)
{
    (void)state;
    etna_arena_free(&arena);
    return 0;
}

#endif
