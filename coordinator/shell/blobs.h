/* Blobs on their way over the wire: a put is assembled from chunks in order,
 * bounded, and hashed before it is handed to the store; a get is cut from blobs
 * kept unpacked for a while. No decision is made here. */
#ifndef ETNA_COORDINATOR_SHELL_BLOBS_H
#define ETNA_COORDINATOR_SHELL_BLOBS_H

#include "proto/message.h"
#include "store/store.h"

typedef struct blobs blobs;

typedef struct blobs_limits {
    /* puts under way at once; above, the one longest untouched is forgotten */
    uint32_t assemblies;
    uint64_t assembly_bytes; /* of all of them; likewise */
    /* of blobs kept unpacked for gets (one at least is kept) */
    uint64_t cache_bytes;
    uint64_t offer_bytes; /* of offers (likewise) */
} blobs_limits;
blobs_limits blobs_limits_default(void); /* 256, 3 GiB, 512 MiB, 64 MiB */

etna_code blobs_new(store *s,
                    const blobs_limits *limits,
                    blobs **ret_blobs,
                    etna_error *err); /* borrows the store */
void blobs_free(blobs *b);            /* NULL is fine */

/* The chunk at request->offset; its data is valid until the next call.
 * ETNA_E_NOTFOUND, ETNA_E_MESSAGE past the end. */
etna_code blobs_get(blobs *b,
                    const message_blob_get *request,
                    message_blob_chunk *ret_chunk,
                    etna_error *err);

/* Takes a chunk. *ret_received: what is held from the start. When that is all
 * of it and the hash is right, *ret_data is the whole (the caller's, to be made
 * durable before the ack), else NULL; a blob already stored is answered whole
 * with NULL. A chunk that does not follow is left out: the answer says where to
 * go on. ETNA_E_CORRUPT: the hash was wrong, all is forgotten. ETNA_E_LIMIT (it
 * alone is above the bounds), ETNA_E_NOMEM. */
etna_code blobs_put(blobs *b,
                    const message_blob_chunk *chunk,
                    uint64_t *ret_received,
                    uint8_t **ret_data,
                    etna_error *err);

/* Serves `data` (taken, malloc'd) by blobs_get although it is in no store. The
 * last ones are kept. */
void blobs_offer(blobs *b, const etna_hash *hash, uint8_t *data, size_t size);

#endif
