/* An error, and the reason of a refusal, as the JSON documents of the command
 * line. Apart from error.h, so that who only passes errors on needs no JSON. */
#ifndef ETNA_PROTO_ERROR_JSON_H
#define ETNA_PROTO_ERROR_JSON_H

#include "proto/arrange.h"
#include "proto/error.h"

#include <jansson.h>

/* `document` with a member "schema" of the value `name` before all others.
 * Takes `document` over also when it fails; NULL, as an allocation that failed
 * before, is fine. NULL: out of memory. */
json_t *error_json_schema(const char *name, json_t *document);
/* A text from outside, which may hold what is no UTF-8: such a one is left empty
 * rather than the document lost. NULL is "". */
json_t *error_json_text(const char *value);
/* {"code","what","where","span":[from,to]|null,"do"}; of a list also "item".
 * NULL: out of memory. */
json_t *error_json_refusal(const arrange_refusal *refusal);
/* {"schema":"etna.error/1","error":{...}} of what `refusal` says, or of `err`
 * by its code's name. NULL: out of memory. */
json_t *error_json_document(json_t *error); /* stolen; NULL is out of memory */
json_t *error_json(const etna_error *err);

#endif
