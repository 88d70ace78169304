/* How many bytes a peer over TCP may put into the store: a worker so many for
 * each lease it has, a submitter so many that no run names yet, and all
 * submitters together not without an end. What counts is what comes, not what
 * is announced. What goes beyond is refused, and costs nobody but whoever did
 * it: a submitter has a quarter of what all have. Knows no clock and no
 * socket. */
#ifndef ETNA_COORDINATOR_SHELL_QUOTA_H
#define ETNA_COORDINATOR_SHELL_QUOTA_H

#include "proto/message.h"
#include "proto/table.h"

/* Bytes of all chunks that come for one lease, repeated ones included. */
#define QUOTA_LEASE_BYTES (UINT64_C(8) << 30)
/* Bytes of all chunks that came in an hour of blobs that no run was submitted
 * for, and how many of them are one submitter's. */
#define QUOTA_UNNAMED_BYTES (UINT64_C(16) << 30)
#define QUOTA_SENDER_BYTES (UINT64_C(4) << 30)

/* How many such blobs. */
enum {
    QUOTA_UNNAMED_BLOBS = 65536,
    QUOTA_SENDER_BLOBS = QUOTA_UNNAMED_BLOBS / 4
};

/* All zero but for quota_init() is empty. */
typedef struct quota {
    chain entries;
    /* of entries, by the first bytes of the ticket or the hash, and by the
     * submitter's number */
    table leases, unnamed, senders;
    uint64_t unnamed_bytes, hour;
    uint32_t unnamed_count;
} quota;

/* Must be called before any other. */
void quota_init(quota *q);
void quota_free(quota *q);

/* Books a chunk of a worker's blob for the lease of `ref`, whose ticket was
 * found right. False, and nothing booked: too much, or out of memory. */
bool quota_take_for_lease(quota *q,
                          const message_task_ref *ref,
                          uint64_t bytes);
/* Books a chunk of a submitter's blob. Who began the blob in this hour bears
 * all of it. False as above. `now_ms`: monotonic. */
bool quota_take_unnamed(quota *q,
                        const etna_hash *blob,
                        uint64_t sender,
                        uint64_t bytes,
                        uint64_t now_ms);
/* A run that was accepted names the blob: its bytes are free again. */
void quota_name(quota *q, const etna_hash *blob);
/* Now and then: forgets leases of tasks that have ended. */
void quota_sweep(quota *q,
                 bool (*is_open)(const void *context,
                                 const message_task_ref *ref),
                 const void *context);

#endif
