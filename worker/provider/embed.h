/* Texts as vectors: POST {base}/embeddings, which servers of the chat and
 * responses wires share. Pure as provider.h is, and read as warily. */
#ifndef ETNA_WORKER_PROVIDER_EMBED_H
#define ETNA_WORKER_PROVIDER_EMBED_H

#include "worker/provider/provider.h"

enum {
    EMBED_TEXTS_MAX = 256, /* of one request */
    EMBED_DIMENSIONS_MAX = 8192
};

/* Borrowed. Their order is what tells which vector is whose. */
typedef struct embed_texts {
    uint32_t count; /* 1 to EMBED_TEXTS_MAX */
    const char *const *texts;
} embed_texts;

/* That of text i begins at at[i * dimensions]. Numbers are as the server gave
 * them, of whatever length. */
typedef struct embed_vectors { /* of as many texts, one after another */
    uint32_t dimensions;
    const double *at;
} embed_vectors;

/* All memory is the arena's. ETNA_E_USAGE: its endpoint's wire has no such
 * call. ETNA_E_NOMEM. */
etna_code embed_write(const models *m,
                      const models_model *model,
                      const embed_texts *texts,
                      const provider_dropped *dropped,
                      etna_arena *arena,
                      provider_call *ret,
                      etna_error *err);

/* A reply only where there is one vector for each text, all of one length, of
 * numbers that are not all zero; ret->reply has its usage alone. Only
 * ETNA_E_NOMEM is an error. */
etna_code embed_read(const models *m,
                     const models_model *model,
                     const embed_texts *texts,
                     const provider_answer *answer,
                     etna_arena *arena,
                     provider_outcome *ret,
                     embed_vectors *ret_vectors,
                     etna_error *err);

/* What it is likely to cost, as provider_estimate. */
message_usage embed_estimate(const models_model *model,
                             const embed_texts *texts);

#endif
