/* A run while it goes on, on stderr. On a terminal: one line that is rewritten
 * (where the search stands), cleared at the end. Elsewhere: the narration line
 * by line, held back until the run has something to branch from, so that a
 * refused goal is one line and nothing else. Where the search stands follows
 * from the data that comes with each line (message_happening), never from its
 * words, so it is the same for a run by --connect. */
#ifndef ETNA_COORDINATOR_REPORT_PROGRESS_H
#define ETNA_COORDINATOR_REPORT_PROGRESS_H

#include "proto/arrange.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROGRESS_BRANCHES = ARRANGE_BRANCHES_MAX,
    PROGRESS_VERDICTS = VERDICT_EXCELLENT + 1
};

/* A branch of the current step. */
typedef enum progress_branch {
    /* its executor or the solver works on it */
    BRANCH_IS_OPEN = 0,
    /* it has a place that holds all checks; evaluators judge it */
    BRANCH_IS_VALID,
    BRANCH_IS_FAILED
} progress_branch;

/* One run's display. Main thread only. progress_end() frees what it holds. */
typedef struct progress {
    /* terminal: stderr is one. open: lines are printed as they come. shown: a
     * line stands on the terminal's current row */
    bool terminal, open, shown;
    bool silent; /* nothing is shown at all */
    /* lines that are held back, each ended by a newline; NULL: none */
    char *pending;
    /* what goes on outside of steps ("planning"), static; NULL: a step does */
    const char *phase;                 /* what goes on outside of steps */
    uint32_t step, node, branch_count; /* step 0: none yet */
    progress_branch branches[PROGRESS_BRANCHES];
    bool planned;
    unsigned verdicts[PROGRESS_VERDICTS]; /* of this step, by arrange_verdict */
    unsigned backtracks, edits, pictures;
    char instruction[256]; /* of this step, as it came */
} progress;

/* Looks whether stderr is a terminal. */
progress progress_new(void);
/* Takes one line of narration with its data and shows it by the rules above.
 * `time_ms`: since the run began. Lines that find no memory are dropped. */
void progress_line(progress *p,
                   uint64_t time_ms,
                   const char *text,
                   const message_happening *happening);
/* From now on lines are printed as they come, the held back ones first. */
void progress_open(progress *p);
/* Clears the terminal's line and drops lines that are still held back. May be
 * called twice. */
void progress_end(progress *p);

/* Bytes of the longest start of `text` (UTF-8) that fits into `columns`. East
 * Asian wide characters and pictographs take two; a character is never cut. */
size_t progress_fit(const char *text, unsigned columns);
/* Columns that `text` takes by the same rule. */
unsigned progress_width(const char *text);

/* ---- for tests ---- */

/* Moves the state of the search on by what a line tells as data. */
void progress_follow(progress *p, const message_happening *happening);
/* Where the search stands, escaped: "12.3 s  step 2: 1 running, 2 valid, 1
 * failed | 5 excellent | 1 backtrack | Put ...". Cut at `room`. */
void progress_status(const progress *p,
                     uint64_t time_ms,
                     char *to,
                     size_t room);

#endif
