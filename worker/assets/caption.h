/* What a model that sees says of an asset's four views: what it looks like,
 * what it is for, where it is found, and which side is its front. What it is
 * asked, in our words, and what its answer says. Names are others' texts: they
 * are told as data. Pure. */
#ifndef ETNA_WORKER_ASSETS_CAPTION_H
#define ETNA_WORKER_ASSETS_CAPTION_H

#include "worker/assets/asset.h"

/* A change of it makes every caption that was kept another question. */
extern const char *const caption_system;

/* What is asked of the sources of one content. In the arena; NULL: no memory. */
const char *caption_ask(const asset *sources,
                        uint32_t count,
                        etna_arena *arena);

/* The caption that an answer gives, with texts of at most CAPTION_TEXT_MAX
 * bytes in the arena and `model` as it is. False: it gives none, or there is no
 * memory. */
bool caption_read(const char *answer,
                  const char *model,
                  etna_arena *arena,
                  asset_caption *ret);

/* As it is kept. Caller frees *ret. ETNA_E_NOMEM. */
etna_code caption_encode(const asset_caption *c,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err);
/* Hostile. ETNA_E_CORRUPT, ETNA_E_NOMEM. */
etna_code caption_decode(const uint8_t *data,
                         size_t size,
                         etna_arena *arena,
                         asset_caption *ret,
                         etna_error *err);

/* "front", "right side" ...; "" for one that is not said. */
const char *caption_front_name(uint32_t front);

#endif
