/* JSON against the part of JSON Schema that our tools are described with: type
 * (one, or a list), properties, required, additionalProperties false, items,
 * enum, minimum, maximum, minItems, maxItems, minLength, maxLength. Pure. */
#ifndef ETNA_WORKER_MCP_SCHEMA_H
#define ETNA_WORKER_MCP_SCHEMA_H

#include "proto/error.h"

#include <jansson.h>

/* ETNA_E_INPUT with the place and what it should be, for a model to mend.
 * `schema` is ours and sound; `value` is hostile. */
etna_code schema_check(const json_t *schema,
                       const json_t *value,
                       etna_error *err);

#endif
