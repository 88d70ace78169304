/* Fields of a document that may come from anywhere: one that is missing, or of
 * another type, reads as nothing. */
#ifndef ETNA_COORDINATOR_REPORT_FIELD_H
#define ETNA_COORDINATOR_REPORT_FIELD_H

#include <jansson.h>

/* borrowed; "" for none */
const char *field_string(const json_t *of, const char *key);
long long field_integer(const json_t *of, const char *key); /* 0 for none */

#endif
