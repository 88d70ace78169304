/* What every header of this room begins with: who there is, bounded texts,
 * copies into a run's arena. */
#ifndef ETNA_COORDINATOR_CORE_BASE_H
#define ETNA_COORDINATOR_CORE_BASE_H

#include "coordinator/core/core.h"
#include "proto/canon.h"
#include "proto/table.h"
#include "proto/usage.h"

typedef struct run run;
typedef struct worker worker;
typedef struct core_endpoint core_endpoint;

/* a bounded text in the making: what does not fit is cut at a whole UTF-8
 * character */
typedef struct core_text {
    char data[2048];
    size_t size;
} core_text;

typedef struct node_handle { /* stale once the node is decided */
    uint32_t number, generation;
} node_handle;

/* text.c: bounded texts, and copies into a run's arena */
void text_add(core_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *run_text(run *r, const char *text); /* never NULL: "" for NULL */
const char *run_text_cut(run *r, const char *text, size_t max);
/* zeroed; NULL sets the core's failure */
void *run_alloc(run *r, size_t count, size_t size);
bool text_bounded(const char *text, size_t max); /* NULL is fine */
bool numbers_finite(const double *numbers, size_t count);

#endif
