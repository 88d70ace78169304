/* Fields of a document that may come from anywhere: one that is missing, or of
 * another type, reads as nothing. */
#ifndef ETNA_COORDINATOR_REPORT_FIELD_H
#define ETNA_COORDINATOR_REPORT_FIELD_H

#include <jansson.h>

/* A string that lives as long as `of`; "" where there is none. */
const char *field_string(const json_t *of, const char *key);
/* 0 where there is no integer. */
long long field_integer(const json_t *of, const char *key);

#endif
