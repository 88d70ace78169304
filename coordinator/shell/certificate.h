/* A coordinator's own certificate: self-signed, named "etna", made once for a
 * store and kept with its key in the store's 0600 file "certificate". Peers
 * believe this one certificate and no other (proto/dial), as a join file brings
 * it to them. So nobody signs it, its name says nothing of a host, and it does
 * not expire. */
#ifndef ETNA_COORDINATOR_SHELL_CERTIFICATE_H
#define ETNA_COORDINATOR_SHELL_CERTIFICATE_H

#include "proto/error.h"

/* bytes of a PEM text with its NUL */
enum {
    CERTIFICATE_MAX = 4096
};

typedef struct certificate {     /* PEM */
    char shown[CERTIFICATE_MAX]; /* what peers are given */
    /* with the key, which is the caller's to forget */
    char whole[2 * CERTIFICATE_MAX];
} certificate;

/* Reads the certificate of the store at `store_path`, or makes one.
 * ETNA_E_USAGE: others may read the file; ETNA_E_CORRUPT, ETNA_E_IO,
 * ETNA_E_FULL. *ret is untouched then; else the caller forgets it. */
etna_code certificate_open(const char *store_path,
                           certificate *ret,
                           etna_error *err);
/* Wipes it, the key with it. */
void certificate_forget(certificate *c);

#endif
