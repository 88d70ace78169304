/* What people prefer: votes over pairs of results, counted. Pure. */
#ifndef ETNA_COORDINATOR_BENCH_STUDY_H
#define ETNA_COORDINATOR_BENCH_STUDY_H

#include "coordinator/bench/stats.h"

#include <stdint.h>

enum {
    STUDY_SYSTEMS_MAX = 16,
    STUDY_QUESTIONS = 3
};
/* VULCAN's three: "physical", "plausible", "consistent" */
extern const char *const study_questions[STUDY_QUESTIONS];

typedef struct study_vote {
    uint32_t person; /* from 0 */
    uint32_t a, b;   /* systems */
    double for_a;    /* 1: a was preferred, 0: b, 0.5: neither */
} study_vote;

typedef struct study_pair { /* of two systems */
    double wins_a, wins_b, ties;
} study_pair;

/* Of the votes of one question. `ret` is systems x systems, row a; [a][b] and
 * [b][a] tell the same votes. */
void study_count(const study_vote *votes,
                 size_t count,
                 uint32_t systems,
                 study_pair *ret);

/* How strong each system is by Bradley and Terry, a tie being half a win for
 * either, in Elo about a mean of 0; each pair of systems has one tie more than
 * was voted, so that who always wins has an end, too. ret_range: 95 % by
 * bootstrap over persons. False: out of memory. */
bool study_rate(const study_vote *votes,
                size_t count,
                uint32_t systems,
                double *ret,
                interval *ret_range);

/* Bradley and Terry's strengths as they are published: no tie is added, and the
 * first system has 1500. `wins` is systems x systems: [a][b] tells how often a
 * was preferred to b, a tie as half for either. False: the votes give no end,
 * since some systems were never preferred to the others, or never met them. */
bool study_scale(const double *wins, uint32_t systems, double *ret);

#endif
