/* The scene, read by a child process (`etna-worker bundle`) that may die of it: into memory that both share, so that
 * there is no file to be left behind. */
#ifndef ETNA_COORDINATOR_CLI_BUNDLE_H
#define ETNA_COORDINATOR_CLI_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct bundle {
    const uint8_t *data; /* mapped */
    size_t size;
} bundle;

/* 0, or the exit code to end with; the child, or this, has then said why. `unit`, `up`: --unit, --up, or NULL. */
int bundle_make(const char *scene, const char *unit, const char *up, bundle *ret);
void bundle_free(bundle *b);

#endif
