/* How much of the loop's time is for those who are no workers: submitters,
 * viewers, and strangers. While workers are at work the others get a twentieth
 * of it, and all the time in which the loop would only have waited; else all
 * there is. So a flood of dear requests costs the workers a bounded part, and
 * who merely looks is not kept waiting. Knows no clock and no socket; times are
 * nanoseconds of one clock. */
#ifndef ETNA_COORDINATOR_SHELL_SHARE_H
#define ETNA_COORDINATOR_SHELL_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is one that nobody has taken of. */
typedef struct share {
    int64_t credit;      /* below 0: taken in advance */
    uint64_t seen, idle; /* when it was last counted, and idle time then */
    uint64_t worker_at;  /* when a worker's message last came */
} share;

/* A worker's message came. */
void share_note_worker(share *s, uint64_t now);

/* For how long the others may be served now; 0: later. `idle`: how long the
 * loop has waited for news so far, altogether. */
uint64_t share_may_take(share *s, uint64_t now, uint64_t idle);

/* They were served for so long until now, which may be more than they had. */
void share_take(share *s, uint64_t now, uint64_t took);

#endif
