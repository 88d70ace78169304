/* What a sentence says where there is no scene to mean anything in: its clauses
 * and phrases by the grammar alone. */
#ifndef ETNA_WORKER_CLI_PHRASES_H
#define ETNA_WORKER_CLI_PHRASES_H

#include "proto/arena.h"
#include "proto/error.h"

#include <jansson.h>

/* {"predicates": [{"kind": words, "things": [[phrases], ...], "numbers": {},
 * "span"}], "unread": [{"span", "text"}]}: a predicate for each place that a
 * clause says (its verb where it says none), of the cheapest reading of each
 * part; `kind` and things are words of the sentence, as written. ETNA_E_INPUT:
 * too long; ETNA_E_NOMEM. */
etna_code phrases_of(const char *text,
                     etna_arena *arena,
                     json_t **ret,
                     etna_error *err);

#endif
