/* Blobs on their way over the wire. A put is assembled from chunks in order,
 * bounded, and hashed before it is handed to the store; a get is cut from blobs
 * that are kept unpacked for a while. No decision is made here. The loop's
 * thread only. */
#ifndef ETNA_COORDINATOR_SHELL_BLOBS_H
#define ETNA_COORDINATOR_SHELL_BLOBS_H

#include "proto/message.h"
#include "store/store.h"

typedef struct blobs blobs;

/* Bounds against peers that announce much and send little. */
typedef struct blobs_limits {
    /* puts under way at once; above, of the sender that has the most of them
     * the one longest untouched is forgotten */
    uint32_t assemblies;
    uint64_t assembly_bytes; /* of all of them; likewise */
    /* of blobs kept unpacked for gets (one at least is kept) */
    uint64_t cache_bytes;
    uint64_t offer_bytes; /* of offers (likewise) */
} blobs_limits;
/* 256 puts, 3 GiB, 512 MiB, 64 MiB. */
blobs_limits blobs_limits_default(void);

/* Borrows the store until blobs_free(). ETNA_E_NOMEM. */
etna_code blobs_new(store *s,
                    const blobs_limits *limits,
                    blobs **ret_blobs,
                    etna_error *err); /* borrows the store */
void blobs_free(blobs *b);            /* NULL is fine */

/* The chunk that begins at request->offset; its data is valid until the next
 * call of any function here. ETNA_E_NOTFOUND; ETNA_E_MESSAGE: past the end;
 * else what reading the store brings. */
etna_code blobs_get(blobs *b,
                    const message_blob_get *request,
                    message_blob_chunk *ret_chunk,
                    etna_error *err);

/* Takes a chunk. *ret_received: how many bytes from the start are held, so the
 * peer knows where to go on; a chunk that does not follow is left out. When all
 * are there and the hash is right, *ret_data is the whole, the caller's, to be
 * made durable before it acknowledges; otherwise NULL. A blob that is stored
 * already is answered as received whole. ETNA_E_CORRUPT: the hash was wrong,
 * and all of it is forgotten; ETNA_E_LIMIT: it alone is above the bounds;
 * ETNA_E_NOMEM. */
etna_code blobs_put(blobs *b,
                    const message_blob_chunk *chunk,
                    uint64_t sender,
                    uint64_t *ret_received,
                    uint8_t **ret_data,
                    etna_error *err);

/* Serves `data` (taken, malloc'd) by blobs_get() although it is in no store:
 * reports of runs. Those longest untouched are dropped when offers exceed their
 * bound, and this one where memory is out: whoever meets ETNA_E_NOTFOUND asks
 * for the report anew. */
void blobs_offer(blobs *b, const etna_hash *hash, uint8_t *data, size_t size);

#endif
