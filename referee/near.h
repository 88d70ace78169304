/* Scenes in which a step that is done would nearly be done: what the step moved
 * is moved on until a verdict turns, and a little farther. Who judges pictures
 * is held against them. */
#ifndef ETNA_REFEREE_NEAR_H
#define ETNA_REFEREE_NEAR_H

#include "referee/judge.h"
#include "referee/measure.h"

enum {
    NEAR_WAYS = 12 /* along axes and between them; turned either way */
};

/* A step that is done, and what it moved. */
typedef struct near_step {
    const suite_scene *scene;
    const suite_step *step;
    const gltf_scene *start, *before;
    /* moved about while it is looked at, and brought back */
    gltf_scene *now;
    bool *is_moved; /* of each node of `now`; owned */
    /* how far behind where the verdict turns */
    double past_m, past_deg;
} near_step;

/* `how` has all but is_moved. False: out of memory, or its scenes have not the
 * same nodes. The caller ends it. */
bool near_begin(const near_step *how, near_step *ret);
void near_end(near_step *n);

/* The least margin of all predicates of the step, in metres or degrees:
 * *ret_in_degrees says which. */
etna_code near_margin(const near_step *n,
                      double *ret,
                      bool *ret_in_degrees,
                      etna_error *err);

typedef struct near_miss {
    motion by;     /* of what the step moved, in the world */
    double margin; /* negative */
} near_miss;
/* Along a way. *ret_found false: within 3 m or half a turn the verdict does not
 * turn, or the miss is farther from where it does than it should be. */
etna_code near_find(
    near_step *n, int way, near_miss *ret, bool *ret_found, etna_error *err);

/* The .glb `from` with what the step moved taken farther `by`, written as `to`.
 * ETNA_E_INPUT, ETNA_E_IO, ETNA_E_NOMEM. */
etna_code near_write(const near_step *n,
                     const motion *by,
                     const char *from,
                     const char *to,
                     etna_error *err);

/* Of each step of a scene that was reached and is done one such scene, written
 * into `folder` as near-01.glb and so on, `past_m` metres, or a hundred times
 * as many degrees, behind where the verdict turns. *ret is {"scene", "past_m", "near":
 * [{"step", "file", "margin"}]}, of those that were found, owned by the caller.
 * ETNA_E_INPUT, ETNA_E_IO, ETNA_E_NOMEM. */
etna_code near_scene(const judge_request *request,
                     const char *folder,
                     double past_m,
                     json_t **ret,
                     etna_error *err);

#endif
