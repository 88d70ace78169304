/* Seeds and the one random stream. Every random number of Etna comes from a
 * seed that is a function of the run's seed and the place in the search, never
 * of worker, attempt, run id or time. Pure; same bits everywhere. */
#ifndef ETNA_PROTO_SEED_H
#define ETNA_PROTO_SEED_H

#include <stdint.h>

/* Where a model call or a random choice stands in the decided tree. Also the
 * key of the replies table. */
typedef enum etna_role {
    ROLE_NONE = 0,
    ROLE_PLANNER,
    ROLE_EXECUTOR,
    ROLE_EVALUATOR,
    ROLE_JUDGE,
    ROLE_SOLVER, /* no model: the solver's samples */
    ROLE_READER, /* of node 0: before the first plan */
    ROLE_COUNT
} etna_role;

typedef struct etna_slot {
    uint32_t node;   /* the step's place in the decided tree, from 1 */
    uint32_t branch; /* from 0 */
    uint32_t role;   /* etna_role */
    uint32_t poll;   /* from 0 */
    uint32_t turn;   /* turn of the conversation, from 0 */
    uint32_t repair; /* how often the answer was sent back as malformed */
} etna_slot;

/* The seed of what is random at that place in the search. A different slot, or
 * another run's seed, gives an unrelated one. */
uint64_t etna_seed(uint64_t run_seed, const etna_slot *slot);

/* The random stream: xoshiro256++, its state filled by splitmix64 from one
 * seed. A stream belongs to one thread; to have two, make two seeds. */
typedef struct etna_random {
    uint64_t state[4];
} etna_random;

/* Any seed is good, 0 too. */
etna_random etna_random_from(uint64_t seed);
/* All 64 bits of the stream's next number. */
uint64_t etna_random_next(etna_random *random);
double etna_random_unit(etna_random *random); /* [0, 1), 53 bits */
/* [0, bound), unbiased; bound > 0. Numbers below 2^64 mod `bound` are drawn
 * again, so one call may take more than one number of the stream. */
uint64_t etna_random_below(etna_random *random, uint64_t bound);

#endif
