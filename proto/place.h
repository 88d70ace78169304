/* Where the store lies, for both programs: what stands in it finds whoever
 * works on it. */
#ifndef ETNA_PROTO_PLACE_H
#define ETNA_PROTO_PLACE_H

#include "proto/error.h"

#include <stddef.h>

/* The store's directory: `given` (--store), $ETNA_STORE, $XDG_DATA_HOME/etna,
 * ~/.local/share/etna. ETNA_E_USAGE. */
etna_code place_of_store(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err);

#endif
