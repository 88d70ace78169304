/* See weld.h. */
#include "worker/math/weld.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t weld_bits(double x)
{
    uint64_t b;
    x += 0.0; /* -0 is the same place as 0 */
    memcpy(&b, &x, sizeof b);
    return b;
}

/* MurmurHash's and SplitMix's constants; only speed depends on them. */
static uint64_t weld_hash(vec3 p)
{
    uint64_t h = weld_bits(p.x) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32 ^ weld_bits(p.y)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 32 ^ weld_bits(p.z)) * 0x94d049bb133111ebull;
    return h ^ h >> 32;
}

bool weld_places(const vec3 *at,
                 uint32_t count,
                 uint32_t **ret_place,
                 uint32_t **ret_first,
                 uint32_t *ret_count)
{
    assert(count < UINT32_MAX); /* a place's number and one more fits */
    size_t size = 16;
    while (size < 2 * (size_t)count)
        size *= 2;
    uint32_t *table = calloc(size, sizeof *table); /* number + 1, or 0 */
    uint32_t *place = malloc(((size_t)count + 1) * sizeof *place);
    uint32_t *first = malloc(((size_t)count + 1) * sizeof *first);
    if (!table || !place || !first) {
        free(table);
        free(place);
        free(first);
        return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t slot = weld_hash(at[i]) & (size - 1);
        for (; table[slot]; slot = (slot + 1) & (size - 1)) {
            vec3 p = at[first[table[slot] - 1]];
            if (p.x == at[i].x && p.y == at[i].y && p.z == at[i].z)
                break;
        }
        if (!table[slot]) {
            first[n++] = i;
            table[slot] = n;
        }
        place[i] = table[slot] - 1;
    }
    free(table);
    *ret_place = place;
    if (ret_first)
        *ret_first = first;
    else
        free(first);
    *ret_count = n;
    return true;
}
