/* See place.h. */
#include "proto/place.h"

#include <stdio.h>
#include <stdlib.h>

etna_code place_of_store(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err)
{
    const char *own = getenv("ETNA_STORE");
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int n;
    if (given) {
        n = snprintf(path, size, "%s", given);
    } else if (own && *own) {
        n = snprintf(path, size, "%s", own);
    } else if (data && data[0] == '/') {
        n = snprintf(path, size, "%s/etna", data);
    } else if (home && *home) {
        n = snprintf(path, size, "%s/.local/share/etna", home);
    } else {
        return etna_fail(
            err, ETNA_E_USAGE,
            "no place for the store: neither --store, $ETNA_STORE nor $HOME is set");
    }
    if (n <= 0 || (size_t)n >= size)
        return etna_fail(err, ETNA_E_USAGE,
                         "--store wants a directory of at most %zu bytes",
                         size - 1);
    return ETNA_OK;
}
