/* One scene of a suite judged: the file at the start, and one after each
 * step. */
#ifndef ETNA_REFEREE_JUDGE_H
#define ETNA_REFEREE_JUDGE_H

#include "referee/suite.h"

#include <jansson.h>

typedef struct judge_request {
    const suite_scene *scene;
    /* the goal's predicates, of one state; else the steps' */
    bool is_goal;
    bool facts_alone;    /* predicates, and no faults */
    const char *start;   /* files */
    const char **states; /* one a step; NULL: the step was not reached */
    uint32_t state_count;
} judge_request;

/* {"scene", "steps": [{"step", "reached", "done", "predicates": [{"says",
 * "holds", "margin"}], "moved": n, "collisions": [{"a", "b", "depth_m"}],
 * "floating": [names], "left_behind": [names], "fallen": n, "unstable":
 * [{"name", "shift_m", "turn_deg"}], "unstable_ever": [names], "stays": [names], "paper":
 * {"collides", "floats"}}]}. A margin that has no end is null. Of a step that
 * was not reached there is its number alone, with "reached" and "done" false.
 * With facts_alone nothing stands behind the predicates.
 * Collisions and floating are those of everything that has moved since the
 * start; what neither is unstable nor stays hangs. ETNA_E_INPUT: a file cannot be read, or the suite speaks of what the
 * start has not. */
etna_code judge_scene(const judge_request *request,
                      json_t **ret,
                      etna_error *err);

#endif
