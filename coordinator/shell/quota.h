/* How much a peer over TCP may lay into the store. A worker so many bytes for
 * each lease that it has, a submitter so many that no run names yet; what goes
 * beyond is refused, and costs nobody but who did it. Knows no clock and no
 * socket. */
#ifndef ETNA_COORDINATOR_SHELL_QUOTA_H
#define ETNA_COORDINATOR_SHELL_QUOTA_H

#include "proto/message.h"
#include "proto/table.h"

#define QUOTA_LEASE_BYTES \
    (UINT64_C(8) \
     << 30) /* of all chunks that come for a lease, repeated ones too */
#define QUOTA_UNNAMED_BYTES \
    (UINT64_C(16) \
     << 30) /* of blobs put in an hour that no run was submitted for */
enum {
    QUOTA_UNNAMED_BLOBS = 65536
}; /* likewise */

typedef struct quota { /* all zero but for quota_init is empty */
    chain entries;
    /* of entries, by the first bytes of the ticket or the hash */
    table leases, unnamed;
    uint64_t unnamed_bytes, hour;
    uint32_t unnamed_count;
} quota;

void quota_init(quota *q);
void quota_free(quota *q);

/* A chunk of a worker's blob, for the lease of `ref`, whose ticket is right.
 * False: too much, or out of memory. */
bool quota_take_for_lease(quota *q,
                          const message_task_ref *ref,
                          uint64_t bytes);
/* A blob that a submitter begins to put. False likewise. */
bool quota_take_unnamed(quota *q,
                        const etna_hash *blob,
                        uint64_t bytes,
                        uint64_t now_ms);
/* A run that was accepted names it. */
void quota_name(quota *q, const etna_hash *blob);
/* Now and then: forgets leases of tasks that have ended. */
void quota_sweep(quota *q,
                 bool (*is_open)(const void *context,
                                 const message_task_ref *ref),
                 const void *context);

#endif
