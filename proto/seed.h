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

uint64_t etna_seed(uint64_t run_seed, const etna_slot *slot);

/* xoshiro256++ seeded by splitmix64. */
typedef struct etna_random {
    uint64_t state[4];
} etna_random;

etna_random etna_random_from(uint64_t seed);
uint64_t etna_random_next(etna_random *random);
double etna_random_unit(etna_random *random); /* [0, 1), 53 bits */
uint64_t etna_random_below(etna_random *random,
                           /* [0, bound), unbiased; bound > 0 */
                           uint64_t bound);

#endif
