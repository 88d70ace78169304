/* The facts of the scenes that tables of sentences name, each scene read once:
 * making a scene's facts takes a thousand times as long as reading a sentence
 * over them. */
#ifndef ETNA_TESTS_AGENTS_SCENE_SHELF_H
#define ETNA_TESTS_AGENTS_SCENE_SHELF_H

#include "worker/builtin/builtin.h"

enum {
    SCENE_SHELF_MAX = 64,
    SCENE_SHELF_NAME = 64
};

typedef struct scene_shelf_place {
    char name[SCENE_SHELF_NAME];
    bool is_here;
    builtin_facts facts;
} scene_shelf_place;

typedef struct scene_shelf { /* all zero: empty */
    uint32_t count;
    scene_shelf_place places[SCENE_SHELF_MAX];
    etna_arena arena; /* of all facts */
} scene_shelf;

/* Of the scene that scene_facts() knows by that name, the shelf's own. NULL: it
 * is not here. Fails the test when it can't be read, or the shelf is full. */
const builtin_facts *scene_shelf_facts(scene_shelf *shelf, const char *name);
void scene_shelf_clear(scene_shelf *shelf);

#endif
