/* A coordinator's own certificate: self-signed, named "etna", made once for a
 * store and kept in its folder in the 0600 file "certificate" with its key.
 * Peers believe this one certificate and no other (proto/dial), so nobody signs
 * it, its name says nothing of a host, and it does not run out. */
#ifndef ETNA_COORDINATOR_SHELL_CERTIFICATE_H
#define ETNA_COORDINATOR_SHELL_CERTIFICATE_H

#include "proto/error.h"

enum {
    CERTIFICATE_MAX = 4096
};

typedef struct certificate {     /* PEM */
    char shown[CERTIFICATE_MAX]; /* what peers are given */
    /* with the key, which is the caller's to forget */
    char whole[2 * CERTIFICATE_MAX];
} certificate;

/* Reads the one of the store at `store_path`, or makes it. ETNA_E_USAGE (others
 * may read it), ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. */
etna_code certificate_open(const char *store_path,
                           certificate *ret,
                           etna_error *err);
void certificate_forget(certificate *c);

#endif
