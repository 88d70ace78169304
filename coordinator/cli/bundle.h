/* The scene, read by a child process (`etna-worker bundle`) that may die of it: into memory that both share, so that
 * there is no file to be left behind. */
#ifndef ETNA_COORDINATOR_CLI_BUNDLE_H
#define ETNA_COORDINATOR_CLI_BUNDLE_H

#include "proto/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bundle {
    const uint8_t *data; /* mapped */
    size_t size;
} bundle;

/* 0, or the exit code to end with; the child, or this, has then said why. `unit`, `up`: --unit, --up, or NULL. */
int bundle_make(const char *scene, const char *unit, const char *up, bundle *ret);
/* The same of one scene among many, on any thread: nothing is printed, what the child said is the error's text.
 * ETNA_E_INPUT, ETNA_E_USAGE: of this scene. ETNA_E_CANCELLED: *stop became true, and the child is no more. */
etna_code bundle_read(const char *scene, const char *unit, const char *up, const atomic_int *stop, bundle *ret,
                      etna_error *err);
void bundle_free(bundle *b);

#endif
