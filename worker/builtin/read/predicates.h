/* What a sentence asks of a scene, as JSON: what `etna read` prints, and what a
 * text model answers in the reader's place.
 *
 *   {"predicates": [{"kind", "things", "roles", "numbers", "span", ...}],
 *   "unread": [{"span": [from, to], "text"}]}
 *
 * A predicate is one move of a reading:
 *   kind     "on", "left_of", ...: predicates_kind()
 *   things   [[names], ...]: the first are moved; roles says what each list is: "moved", "reference", "second" (the other one
 *            of "between", or of two that a thing is in front of or behind), "support" (what it is to stand on besides), "each"
 *            (one of what is moved for each of these), "there" (what stood at the place), "faced"; "faced_camera", with an empty
 *            list, is who looks at the picture
 *   numbers  {"gap_m", "turn_deg", "level", "spacing_m", "shift_m": [3], "at_m": [3], "yaw_deg", "height_m" (of the box's
 *            middle), "need" (of the moved, any so many), "each_number" (so many for each)}:
 *            those that were said
 *   span     [from, to) bytes of the sentence; "item": of a list, its instruction from 1
 * and where said "sides": ["left"|"right"|"front"|"back"], "facing":
 * "to"|"back", "slot": "plate"|"right"|"left"|"far", "align":
 * "top"|"middle"|"bottom"|"height" (with "height_m"), "also": [{"kind",
 * "things", "roles", "numbers", "sides"}], and the flags "hung", "exact",
 * "goes", "alone", "even", "in_order" (the moved are a row in this order).
 * Metres, degrees, world frame; left and right are the picture's. Pure. */
#ifndef ETNA_WORKER_BUILTIN_READ_PREDICATES_H
#define ETNA_WORKER_BUILTIN_READ_PREDICATES_H

#include "worker/builtin/builtin.h"

#include <jansson.h>

const char *predicates_kind(builtin_relation relation); /* "" for none */

/* The array of a reading's predicates; a move without a span is said by the
 * whole of the sentence's `size` bytes. NULL: out of memory. */
json_t *predicates_of(const builtin_facts *facts,
                      const builtin_reading *reading,
                      size_t size);

typedef struct predicates_scope { /* what an answer may speak of */
    uint32_t thing_count;
    const char *const *things; /* names */
    uint32_t sentence_count;   /* 1, or the instructions of a list */
    const char *const *sentences;
    bool is_list;
} predicates_scope;

/* Checks an answer of a model: an object with "predicates" and perhaps
 * "unread". *ret is a new one that holds the fields above alone. ETNA_E_INPUT
 * says what is wrong, in words that can be sent back; ETNA_E_NOMEM. */
etna_code predicates_check(const json_t *answer,
                           const predicates_scope *scope,
                           json_t **ret,
                           etna_error *err);

/* The reading that checked "predicates" are of, in `arena`. ETNA_E_INPUT: a
 * name that these facts do not have, or more than BUILTIN_MOVES_MAX;
 * ETNA_E_NOMEM; *ret untouched then. */
etna_code predicates_read(const json_t *predicates,
                          const builtin_facts *facts,
                          etna_arena *arena,
                          builtin_reading *ret,
                          etna_error *err);

#endif
