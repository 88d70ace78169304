/* Whether two plain structs say the same, by the shape's table: so a new field
 * cannot be forgotten in a test. */
#ifndef ETNA_TESTS_PROTO_COMPARE_H
#define ETNA_TESTS_PROTO_COMPARE_H

#include "proto/codec.h"

/* NULL, or the name of the first field that differs. Doubles are compared by
 * their bits. */
const char *compare_shape(const codec_shape *shape,
                          const void *a,
                          const void *b);
/* NULL, or the name of the first field that is zero, NULL or empty in `value`
 * (CODEC_SKIP apart). */
const char *unfilled_field(const codec_shape *shape, const void *value);

#endif
