/* A world of boxes for tests of the agents: told as the facts JSON of
 * worker/agents/facts.h, without any geometry room. Every box stands on another
 * (or on nothing) and has a flat top whose free cells are worked out from what
 * stands on it. */
#ifndef ETNA_TESTS_FACTS_WORLD_H
#define ETNA_TESTS_FACTS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FACTS_WORLD_MAX = 64
};

typedef struct facts_thing {
    const char *name;
    double x, y, size[3]; /* middle of the bottom, world; full sizes */
    double z;             /* worked out: bottom */
    double yaw_deg;       /* free cells are worked out as if it were 0 */
    /* "red", ... as a typical Lab colour; NULL: none is known */
    const char *colour;
    /* index of what it stands on; -1: hangs in the air, or is the floor */
    int on;
    bool is_static, unseen, no_top;
    const char *category, *material, *form;
    bool leans;  /* on what it stands on: attached, not grounded */
    double legs; /* how high it is open beneath */
    /* > 0: its surface lies so far below its rim, which is a cell wide */
    double sunk;
    /* its bottom is so thin that what stands in it reaches what bears it, too */
    bool is_thin;
    /* > 0: the rim is so deep at its +Y side, and things can stand there */
    double ledge;
    bool is_steep; /* no cell of the ledge is free */
    /* > 1: its top is so many boards along X, as broad as the gaps between */
    int slats;
    /* > 0: it hangs that far over `on`, which does not carry it */
    double hover;
    bool has_moved; /* since the start, when it stood there: */
    double start[2];
    int start_on;
} facts_thing;

typedef struct facts_world {
    uint32_t count;
    facts_thing things[FACTS_WORLD_MAX];
    /* checks after an edit; moved -1: none */
    int moved, collides_with, lost_support;
    bool others_moved, floats;
    double target[2], moved_m;
} facts_world;

facts_world facts_world_new(void);
/* Its index. `on` must have been added before. */
int facts_world_add(facts_world *w,
                    const char *name,
                    double x,
                    double y,
                    double sx,
                    double sy,
                    double sz,
                    const char *colour,
                    int on);
int facts_world_find(const facts_world *w,
                     const char *name); /* fails the test when there is none */
/* The JSON; the caller frees. */
char *facts_world_json(const facts_world *w);
/* World x, y of the image point at height z, and back. */
void facts_world_unproject(const double image[2], double z, double ret[2]);
void facts_world_project(double x, double y, double z, double ret_image[2]);

#endif
