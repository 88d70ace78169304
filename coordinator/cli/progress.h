/* The narration while a run goes on, on stderr: one line that is rewritten on a terminal, plain lines elsewhere. Lines are
 * held back until the run has something to branch from, so that a refused goal is one line and nothing else. */
#ifndef ETNA_COORDINATOR_CLI_PROGRESS_H
#define ETNA_COORDINATOR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool terminal, open, shown; /* shown: a line stands on the terminal's current row */
    char *held;                 /* lines not yet printed, each ended by a newline */
} progress;

progress progress_new(void);
void progress_line(progress *p, uint64_t time_ms, const char *text);
void progress_open(progress *p); /* from now on lines are printed as they come, the held ones first */
void progress_end(progress *p);  /* clears the terminal's line; held lines are dropped */

#endif
