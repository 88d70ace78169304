/* Removes blobs that nothing names: no run's journal, and no reply. */
#ifndef ETNA_COORDINATOR_SHELL_COLLECT_H
#define ETNA_COORDINATOR_SHELL_COLLECT_H

#include "store/store.h"

/* Blobs removed and their bytes in the store; blobs that `spare` held back. */
typedef struct collect_sum {
    uint64_t removed, bytes, spared;
} collect_sum;

/* Collects what the journals of all runs name, then removes every other blob
 * that no stored reply names either. Of an owned store without an open group.
 * `spare` says of a blob that nothing names whether it stays all the same;
 * NULL: none does. An unreadable journal is an error and nothing is removed:
 * its blobs would be lost. */
etna_code collect_unnamed(store *s,
                          store_keep_fn spare,
                          void *context,
                          collect_sum *ret,
                          etna_error *err);

#endif
