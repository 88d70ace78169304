/* results.jsonl: a line a step of a run, as the referee judged it. Made of a
 * run's run.json and the referee's verdict, and of these alone, so that it is
 * the same however often a benchmark was killed; times are told elsewhere. */
#ifndef ETNA_COORDINATOR_BENCH_RESULTS_H
#define ETNA_COORDINATOR_BENCH_RESULTS_H

#include "proto/arena.h"
#include "proto/error.h"
#include "referee/suite.h"

#include <jansson.h>

enum {
    RESULTS_REPEATS_MAX = 1000,
    RESULTS_LINES_MAX = 10000000,
    RESULTS_JUDGES_MAX = 64
};

/* how a branch ended that was decided about, in the words of results.jsonl */
typedef enum result_end {
    END_ACCEPTED,
    END_REJECTED,  /* by evaluators */
    END_UNJUDGED,  /* evaluators said nothing of it that could be read */
    END_MALFORMED, /* nor did its executor */
    END_UNSOLVED,
    END_COLLISION,
    END_FLOATING,
    END_REPEATED, /* another branch had the same */
    RESULT_ENDS
} result_end;
extern const char *const result_end_words[RESULT_ENDS];

/* what an executor's constraints came to, in the words of results.jsonl: a
 * branch has several tries, of which its end tells the last */
typedef enum result_try {
    TRY_VALID,
    TRY_MALFORMED, /* they could not be read */
    TRY_UNSOLVED,
    TRY_COLLISION,
    TRY_FLOATING,
    TRY_REPEATED,
    RESULT_TRIES
} result_try;
extern const char *const result_try_words[RESULT_TRIES];

typedef enum result_player {
    PLAYER_READER,
    PLAYER_PLANNER,
    PLAYER_EXECUTOR,
    PLAYER_EVALUATOR,
    RESULT_PLAYERS
} result_player;
extern const char *const result_player_words[RESULT_PLAYERS];

/* of the calls of a role that entered a decision, over a whole run */
typedef struct result_calls {
    double calls;
    /* of these: an answer could not be read, or (an executor's) not be solved,
     * and was wanted again */
    double asked_again;
    double in, out, cached; /* tokens */
} result_calls;

/* of a step: branches that evaluators decided about, by what they said and by
 * whether the predicates hold; steps in which one was taken, and those of them
 * in which it, or the best of them, is done (tried.h) */
typedef struct result_tried {
    double accepted, accepted_done, rejected, rejected_done;
    double nodes, chosen_done, best_done;
} result_tried;

typedef struct result_run { /* whose lines they are */
    const char *scene, *variant;
    uint32_t repeat; /* from 1 */
    bool is_goal, is_test, is_hard;
} result_run;

typedef struct result_row {
    result_run run;
    uint32_t step;    /* from 1 */
    const char *text; /* what was asked */
    bool reached, done;
    /* by our rules; of a step that was not reached false */
    bool collides, floats;
    bool paper_collides, paper_floats; /* by VULCAN's */
    bool unstable;                     /* by an engine that lets it fall */
    /* of the step: kept, and tried for these */
    uint32_t edits, branches;
    result_tried tried;
    double tokens, cost; /* of the whole run */
    const char *status;  /* of the run; "" where it has none */
    /* Of the whole run, in its first line: how the branches ended that were
     * decided about; of those taken how many left the place that was pointed
     * at, and by how much in sum, in widths and heights of the image. */
    uint32_t ends[RESULT_ENDS], widened;
    uint32_t tries[RESULT_TRIES]; /* of the same branches */
    double strayed;
    result_calls roles[RESULT_PLAYERS];
    uint32_t judge_count; /* that were asked of the step */
    /* a judge's, 0 to 4; NAN where it said nothing */
    const double *correctness, *plausibility;
    /* of the step nearly done, in the same way; 0: nobody was shown it */
    uint32_t near_count;
    const double *near_correctness;
} result_row;

/* Which scene is there after each of `count` instructions: *ret_edits[i] edits
 * were kept by then, or it is -1: that one was not reached, or passed over.
 * `document` is a run.json; of a goal there is one. */
void results_states(const json_t *document,
                    uint32_t count,
                    bool is_goal,
                    int *ret_edits);

/* What lines are made of; any may be missing, NULL. */
typedef struct result_sources {
    const json_t *document; /* run.json: there was a run, and it left this */
    const json_t *ended;    /* else its record in the batch's journal: why */
    const json_t *verdict;  /* what etna-referee printed */
    const json_t
        *judgement; /* what `etna-worker judge` did, of reached steps */
    /* what `etna-referee --near` made, and that of it */
    const json_t *near, *near_judgement;
    const json_t *tried; /* of each step, as tried_tell has it */
} result_sources;

/* The lines of a run, a JSON object each, in the order of steps: a new array,
 * or NULL: out of memory. */
json_t *results_of(const result_run *run,
                   const suite_scene *scene,
                   const result_sources *from);

/* Reads a file of such lines, each of a step of its own. Texts live in `arena`.
 * ETNA_E_INPUT names file and line. */
etna_code results_read(const char *path,
                       etna_arena *arena,
                       result_row **ret_rows,
                       size_t *ret_count,
                       etna_error *err);

#endif
