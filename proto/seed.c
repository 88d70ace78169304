/* Seeds by splitmix64 over the slot's fields; the stream is xoshiro256++
 * (public-domain algorithms, own code). */
#include "proto/seed.h"

static uint64_t seed_splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t etna_seed(uint64_t run_seed, const etna_slot *slot)
{
    const uint32_t fields[6] = {slot->node, slot->branch, slot->role,
                                slot->poll, slot->turn,   slot->repair};
    uint64_t state = run_seed;
    uint64_t seed = seed_splitmix(&state);
    for (int i = 0; i < 6; i++) {
        state = seed ^ ((uint64_t)(i + 1) << 32 | fields[i]);
        seed = seed_splitmix(&state);
    }
    return seed;
}

etna_random etna_random_from(uint64_t seed)
{
    etna_random random;
    for (int i = 0; i < 4; i++)
        random.state[i] = seed_splitmix(&seed);
    return random;
}

static uint64_t seed_rotate(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

uint64_t etna_random_next(etna_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = seed_rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = seed_rotate(s[3], 45);
    return result;
}

double etna_random_unit(etna_random *random)
{
    return (double)(etna_random_next(random) >> 11) * 0x1p-53;
}

uint64_t etna_random_below(etna_random *random, uint64_t bound)
{
    uint64_t threshold = -bound % bound;
    for (;;) {
        uint64_t value = etna_random_next(random);
        if (value >= threshold)
            return value % bound;
    }
}
