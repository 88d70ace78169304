/* Reads a scene in a child process (`etna-worker bundle`), since files of
 * strangers may crash a parser or exhaust memory. The result comes back in a
 * memfd that both processes map, so no temporary file can be left behind. */
#ifndef ETNA_COORDINATOR_CLI_BUNDLE_H
#define ETNA_COORDINATOR_CLI_BUNDLE_H

#include "proto/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scene as workers take it (worker/gltf/bundle.h), mapped read-only. */
typedef struct bundle {
    /* page-aligned; NULL: none */
    const uint8_t *data;
    size_t size;
} bundle;

/* What to read and with what. Borrowed for the call. All but `scene` may be
 * NULL or 0. */
typedef struct bundle_wanted {
    /* path of the file; --unit, --up */
    const char *scene, *unit, *up;
    /* --store: where what is to be brought in is found */
    const char *store;
    /* the camera by whose picture left and right are meant */
    const char *camera;
    const char *const *goals; /* what the run is asked */
    uint32_t goal_count;
    /* the scene's own bytes, a GLB's; `scene` is then its name for messages */
    const uint8_t *glb;
    size_t glb_size;
    /* nothing is read unless the goals bring something in or take something
     * out: *ret is then left without data */
    bool only_staged;
} bundle_wanted;

/* 0 and *ret, or the exit code to end with; then either the child or this
 * function has printed why. What the goals ask to bring in or take out is
 * staged with the scene (worker/convert/stage.h). */
int bundle_make(const bundle_wanted *wanted, bundle *ret);
/* The same for one scene among many, on any thread: nothing is printed, and
 * what the child said is the error's text. ETNA_E_INPUT, ETNA_E_USAGE: this
 * scene's fault. ETNA_E_CANCELLED: *stop became true (the child was killed and
 * reaped), or the child got SIGINT or SIGTERM. `stop` NULL: it is waited for as
 * long as it takes. */
etna_code bundle_read(const bundle_wanted *wanted,
                      const atomic_int *stop,
                      bundle *ret,
                      etna_error *err);
/* Unmaps. A zeroed bundle is fine, and is what is left. */
void bundle_free(bundle *b);

#endif
