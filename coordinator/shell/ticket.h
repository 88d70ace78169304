/* What proves that a lease was given: a keyed BLAKE2b over run, task, attempt
 * and the worker that got it, 16 bytes. Nothing is remembered of one, so that
 * results count after a restart, from each worker that was ever given the task,
 * and from no other peer, whatever names it has heard. The key stands in the
 * store's folder in the 0600 file "tickets"; on another store each ticket from
 * before is worth nothing, and the tasks are done again. */
#ifndef ETNA_COORDINATOR_SHELL_TICKET_H
#define ETNA_COORDINATOR_SHELL_TICKET_H

#include "proto/error.h"
#include "proto/message.h"
#include "proto/seal.h"

/* Reads the store's key, or makes it. ETNA_E_USAGE (others may read it),
 * ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. The key is the caller's to forget. */
etna_code ticket_key_open(const char *store_path,
                          seal_key *ret,
                          etna_error *err);

/* Of the lease that `ref` names, given to `worker`; what stands in ref->ticket
 * plays no part. */
etna_id ticket_make(const seal_key *key,
                    const message_task_ref *ref,
                    uint64_t worker);
/* Whether `worker` was given the lease that `ref` names and carries the ticket
 * of. In constant time. */
bool ticket_fits(const seal_key *key,
                 const message_task_ref *ref,
                 uint64_t worker);

#endif
