/* The job kind of the worker shell's tests, in place of worker/jobs. A task's
 * payload is a letter and a hash:
 *
 *   R hash   fetch the blob, reverse it on the pool, keep that, done: the result's blob is its hash
 *   B, X     call the model "builtin" / "unheard-of", done: `reason` is what it replied
 *   S        compute until jobs_release()
 *   P        compute in pieces, none of which ends before two are worked at once; `reason` has a digit a piece,
 *            how often it was
 *   Q        the same, but each waits for jobs_release()
 *   F        done with an error whose text is not UTF-8
 *   other    job_new fails */
#ifndef ETNA_TESTS_SHELL_JOBS_H
#define ETNA_TESTS_SHELL_JOBS_H

#include <stdint.h>

enum {
    JOBS_PIECES = 6,
    JOBS_PIECE_US = 2000 /* that each of 'P' computes */
};

void jobs_release(void); /* every S ends, now and later */
void jobs_hold(void);
uint32_t jobs_alive(void);
uint32_t jobs_asked(void); /* how often the model was asked */
void jobs_wait_slow(void); /* until an S computes */
uint32_t jobs_wait_pieces(
    /* until so many pieces were begun since jobs_hold(); how many were */
    uint32_t count);

#endif
