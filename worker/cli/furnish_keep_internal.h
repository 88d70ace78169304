/* Bytes of what is asked of a room and of the models that it rests on: what a
 * replay keeps (furnish_keep.c) and what travels to the pool (furnish_lot.c).
 * Nobody else includes this. */
#ifndef ETNA_WORKER_CLI_FURNISH_KEEP_INTERNAL_H
#define ETNA_WORKER_CLI_FURNISH_KEEP_INTERNAL_H

#include "proto/canon.h"
#include "worker/cli/furnish.h"

/* Text, room, seed, number of things, licences. */
void furnish_asked_encode(canon_writer *w, const furnishing *f);
/* Into an empty one. False: it is malformed. */
bool furnish_asked_decode(canon_reader *r, furnishing *f);

/* The shelf's key of a model that was read. */
etna_hash furnish_model_key(const etna_hash *model);
/* Notes it in f->kept, once. */
etna_code furnish_kept_add(furnishing *f,
                           const etna_hash *model,
                           const compose_asset *a,
                           etna_error *err);
/* A shelf_look; `context` is a compose_asset, of which `path` stays. */
etna_code furnish_model_decode(void *context,
                               const uint8_t *data,
                               size_t size,
                               etna_error *err);

#endif
