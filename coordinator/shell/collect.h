/* Removes blobs that nothing names: no run's journal, and no reply. */
#ifndef ETNA_COORDINATOR_SHELL_COLLECT_H
#define ETNA_COORDINATOR_SHELL_COLLECT_H

#include "store/store.h"

typedef struct collect_sum {
    uint64_t removed, bytes, spared;
} collect_sum;

/* Of an owned store without an open group. `spare` says of a blob that nothing
 * names whether it stays all the same; NULL: none does. */
etna_code collect_unnamed(store *s,
                          store_keep_fn spare,
                          void *context,
                          collect_sum *ret,
                          etna_error *err);

#endif
