/* See scene_shelf.h. */
#include "tests/unit/worker/agents/scene_shelf.h"

#include "tests/unit/worker/agents/scene_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static scene_shelf_place *place_find(scene_shelf *shelf, const char *name)
{
    for (uint32_t i = 0; i < shelf->count; i++) {
        if (strcmp(shelf->places[i].name, name) == 0)
            return &shelf->places[i];
    }
    return NULL;
}

static scene_shelf_place *place_fill(scene_shelf *shelf, const char *name)
{
    etna_error err = {0};
    if (shelf->count == SCENE_SHELF_MAX || strlen(name) >= SCENE_SHELF_NAME)
        fail_msg("no place is left for %s", name);
    scene_shelf_place *place = &shelf->places[shelf->count++];
    char *json = scene_facts(name);
    snprintf(place->name, sizeof place->name, "%s", name);
    place->is_here = json != NULL;
    if (json && builtin_facts_read(json, strlen(json), &shelf->arena,
                                   &place->facts, &err) != ETNA_OK)
        fail_msg("%s: %s", name, err.text);
    free(json);
    return place;
}

const builtin_facts *scene_shelf_facts(scene_shelf *shelf, const char *name)
{
    const scene_shelf_place *place = place_find(shelf, name);
    if (!place)
        place = place_fill(shelf, name);
    return place->is_here ? &place->facts : NULL;
}

void scene_shelf_clear(scene_shelf *shelf)
{
    etna_arena_free(&shelf->arena);
    memset(shelf, 0, sizeof *shelf);
}
