/* A place in a picture as models write it: [x, y], (x, y), {"x": .., "y": ..},
 * "0.5, 0.5", "52%, 56%", x=0.5 y=0.5. Pure. */
#ifndef ETNA_WORKER_AGENTS_POINT_H
#define ETNA_WORKER_AGENTS_POINT_H

#include "worker/agents/scale.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads `value`, or `value` and `next` (or NULL) where each is a number.
 * Returns how many of them it took: 0, 1 or 2. *ret_unit: the sign that they
 * were written with. */
uint32_t point_read(const json_t *value,
                    const json_t *next,
                    double ret[2],
                    point_unit *ret_unit);

/* Is it one place: [x, y], {"x": .., "y": ..}, {"point_2d": [x, y]}, a box that
 * is hardly larger than a point? */
bool point_is_place(const json_t *value);

/* The middle of a box whose corners are too far apart to be one point: [x1, y1,
 * x2, y2], {"bbox_2d": [..]}. False: it is none. */
bool point_read_box(const json_t *value, double ret[2]);

/* The same of the only box in a text, in brackets or as "x1=.., y1=.., x2=..,
 * y2=..". */
bool point_find_box(const char *text, size_t size, double ret[2]);

/* The points in a text: every pair in brackets, or where there are none the
 * only two numbers of it. Returns how many different ones there are; the last
 * is in `ret`. */
uint32_t point_find(const char *text,
                    size_t size,
                    double ret[2],
                    point_unit *ret_unit);

#endif
