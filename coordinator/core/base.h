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

/* A bounded text in the making. What does not fit is cut at a whole UTF-8
 * character. All zero is empty. */
typedef struct core_text {
    char data[2048];
    size_t size;
} core_text;

/* Names a node while it is open: once it is decided its generation has grown,
 * and the handle finds nothing (tree_open). */
typedef struct node_handle {
    uint32_t number, generation;
} node_handle;

/* text.c: appends by printf's rules. */
void text_add(core_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A copy in the run's arena, thus for the run's life. Never NULL: "" for NULL,
 * and where memory is short, which sets core.failure. */
const char *run_text(run *r, const char *text);
/* The same of at most `max` bytes, cut at a whole character. */
const char *run_text_cut(run *r, const char *text, size_t max);
/* Zeroed memory in the run's arena. NULL sets core.failure. */
void *run_alloc(run *r, size_t count, size_t size);
/* Whether a text from outside has at most `max` bytes. NULL is fine. */
bool text_bounded(const char *text, size_t max);
/* False where one is a NaN or infinite: results from outside may hold
 * either. */
bool numbers_finite(const double *numbers, size_t count);

#endif
