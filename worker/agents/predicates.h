/* What a sentence asks of a scene, as JSON: what `etna read` prints, and what a text model may answer in the reader's
 * place. One object for each move of a reading:
 *
 *   {"kind": "on", "left_of", ... (predicates_kind), "things": [[names], ...], "roles": [what each of these lists is], "numbers": {...},
 *    "span": [from, to] bytes of the sentence, and what else was said}
 *
 * roles: "moved" (always first), "reference", "second" (the other one of "between"), "support" (what it is to stand on
 * besides), "each" (one of what is moved for each of these), "there" (what stood at the place), "faced"; "faced_camera",
 * with an empty list, is who looks at the picture.
 * numbers: "gap_m", "turn_deg", "level", "spacing_m", "shift_m": [3], "at_m": [3], "yaw_deg", "need" (of the moved: any so
 * many); those that were said.
 * further, where said: "sides": ["left"|"right"|"front"|"back"], "facing": "to"|"back", "slot", "align", "also": [{"kind",
 * "things", "roles", "numbers", "sides"}], "in_order": true (things[0] is a row in its order), and the flags "hung", "exact",
 * "goes", "alone", "even". Metres, degrees, world frame; left and right are the picture's. */
#ifndef ETNA_WORKER_AGENTS_PREDICATES_H
#define ETNA_WORKER_AGENTS_PREDICATES_H

#include "worker/model/builtin.h"

#include <jansson.h>

const char *predicates_kind(builtin_relation relation); /* "" for none */

/* The array of a reading's predicates; a move without a span is said by the whole of the sentence's `size` bytes. NULL: out
 * of memory. */
json_t *predicates_of(const builtin_facts *facts, const builtin_reading *reading, size_t size);

#endif
