/* How many bytes a peer over TCP may put into the store: a worker so many for
 * each lease it has, a submitter so many that no run names yet. What goes
 * beyond is refused, and costs nobody but whoever did it. Knows no clock and no
 * socket. */
#ifndef ETNA_COORDINATOR_SHELL_QUOTA_H
#define ETNA_COORDINATOR_SHELL_QUOTA_H

#include "proto/message.h"
#include "proto/table.h"

/* Bytes of all chunks that come for one lease, repeated ones included. */
#define QUOTA_LEASE_BYTES (UINT64_C(8) << 30)
/* Bytes of blobs that were put in an hour and that no run was submitted for. */
#define QUOTA_UNNAMED_BYTES (UINT64_C(16) << 30)

/* How many such blobs. */
enum {
    QUOTA_UNNAMED_BLOBS = 65536
};

/* All zero but for quota_init() is empty. */
typedef struct quota {
    chain entries;
    /* of entries, by the first bytes of the ticket or the hash */
    table leases, unnamed;
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
/* Books a blob that a submitter begins to put; asked for each chunk and booked
 * once an hour. False as above. `now_ms`: monotonic. */
bool quota_take_unnamed(quota *q,
                        const etna_hash *blob,
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
