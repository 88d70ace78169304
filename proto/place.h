/* Where the store lies, for both programs: what stands in it finds whoever
 * works on it. */
#ifndef ETNA_PROTO_PLACE_H
#define ETNA_PROTO_PLACE_H

#include "proto/error.h"

#include <stddef.h>

/* The path of the store's directory into path[size], by the first that is set
 * of `given` (--store; may be NULL), $ETNA_STORE, $XDG_DATA_HOME/etna (an
 * absolute path only) and ~/.local/share/etna. Nothing is made or looked up
 * there. ETNA_E_USAGE: none is set, or the path does not fit. */
etna_code place_of_store(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err);

#endif
