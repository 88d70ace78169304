/* What lies at one place: vertices that a file tells apart, by their numbers,
 * and no eye does. By hashing, for sorting was what it cost. */
#ifndef ETNA_WORKER_MATH_WELD_H
#define ETNA_WORKER_MATH_WELD_H

#include "worker/math/vec.h"

#include <stdint.h>

/* Equal places get one number, in the order of their first appearance, never by
 * the hash; *ret_first: the first vertex of each number, may be NULL. Caller
 * frees. False when memory is at its end. */
bool weld_places(const vec3 *at,
                 uint32_t count,
                 uint32_t **ret_place,
                 uint32_t **ret_first,
                 uint32_t *ret_count);

#endif
