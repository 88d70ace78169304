/* Whether jansson ran out of memory. What adds to a document passes over its
 * failures, so that a document may lack members and still be written whole;
 * who must not write such a one asks here. */
#ifndef ETNA_COORDINATOR_REPORT_JSON_MEMORY_H
#define ETNA_COORDINATOR_REPORT_JSON_MEMORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Once, before the process makes its first value and its second thread.
 * Without it json_memory_failed() is always false. */
void json_memory_watch(void);
/* Forgets what failed before on this thread. */
void json_memory_begin(void);
/* Whether an allocation of jansson's failed on this thread since then. */
bool json_memory_failed(void);
/* json_dumps(), which may leave out what memory was short for, whole or NULL;
 * it begins anew. The caller frees it. */
char *json_memory_dump(const json_t *value, size_t flags);
/* What a document is gathered in otherwise ran out of memory. */
void json_memory_fail(void);
/* calloc for what a document is gathered in; its failure counts as well. */
void *json_memory_calloc(size_t count, size_t size);

#endif
