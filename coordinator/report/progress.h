/* A run while it goes on, on stderr. On a terminal: one line that is rewritten
 * (where the search stands), cleared at the end. Elsewhere: the narration, line
 * by line, held back until the run has something to branch from, so that a
 * refused goal is one line and nothing else. Where the search stands follows
 * from what a line tells as data, which a run by --connect has, too. */
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

typedef enum progress_branch {
    BRANCH_IS_OPEN = 0,
    BRANCH_IS_VALID,
    BRANCH_IS_FAILED
} progress_branch;

typedef struct progress {
    /* shown: a line stands on the terminal's current row */
    bool terminal, open, shown;
    /* lines not yet printed, each ended by a newline */
    char *pending;
    /* where the search stands */
    const char *phase;                 /* what goes on outside of steps */
    uint32_t step, node, branch_count; /* step 0: none yet */
    progress_branch branches[PROGRESS_BRANCHES];
    bool planned;
    unsigned verdicts[PROGRESS_VERDICTS]; /* of this step, by arrange_verdict */
    unsigned backtracks, edits, pictures;
    char instruction[256]; /* of this step, as it came */
} progress;

progress progress_new(void);
/* One line of narration, and what it tells as data. `time_ms`: of the run. */
void progress_line(progress *p,
                   uint64_t time_ms,
                   const char *text,
                   const message_happening *happening);
void progress_open(
    /* from now on lines are printed as they come, the pending ones first */
    progress *p);
/* clears the terminal's line; pending lines are dropped */
void progress_end(progress *p);

size_t progress_fit(const char *text,
                    /* bytes of UTF-8 that fit, wide characters counted as
                     * two */
                    unsigned columns);

unsigned progress_width(const char *text); /* columns that it takes */

/* ---- for tests ---- */

void progress_follow(progress *p,
                     /* moves on by what a line tells */
                     const message_happening *happening);
/* Where it stands, escaped: "12.3 s  step 2: 1 running, 2 valid, 1 failed | 5 excellent | 1
 * backtrack | Put ...". */
void progress_status(const progress *p,
                     uint64_t time_ms,
                     char *to,
                     size_t room);

#endif
