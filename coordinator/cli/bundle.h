/* The scene, read by a child process (`etna-worker bundle`) that may die of it:
 * into memory that both share, so that there is no file to be left behind. */
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

typedef struct bundle_wanted {     /* all but the scene may be NULL or 0 */
    const char *scene, *unit, *up; /* --unit, --up */
    const char *store,
        /* where what is to be brought in is found, and by whose picture sides
         * are meant */
        *camera;
    const char *const *goals; /* what the run is asked */
    uint32_t goal_count;
} bundle_wanted;

/* 0, or the exit code to end with; the child, or this, has then said why. What
 * the goals ask to bring in or to take out is staged
 * (worker/convert/stage.h). */
int bundle_make(const bundle_wanted *wanted, bundle *ret);
/* The same of one scene among many, on any thread: nothing is printed, what the
 * child said is the error's text. ETNA_E_INPUT, ETNA_E_USAGE: of this scene.
 * ETNA_E_CANCELLED: *stop became true, and the child is no more. */
etna_code bundle_read(const bundle_wanted *wanted,
                      const atomic_int *stop,
                      bundle *ret,
                      etna_error *err);
void bundle_free(bundle *b);

#endif
