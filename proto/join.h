/* A join file: where a coordinator listens, and the tokens by which it knows
 * who connects. It is 0600 and refused when others may read it. One line a
 * fact, "NAME VALUE"; names that are not known here are passed over:
 *
 *   etna-join 1
 *   connect tls+tcp://host.example:7890
 *   elsewhere ...                 in the store's own file: how other hosts call it
 *   realm 0f3a...                 the tokens' scope
 *   generation 3                  which tokens: they are replaced by `etna join --rotate`
 *   worker 64 hex digits          a token for each role that the file gives
 *   submitter ...
 *   viewer ...
 *   certificate                   to the file's end, PEM: whom to expect there over TLS, and nobody else
 *
 * No message carries a token (proto/seal.h), so it does no harm to try one
 * where somebody else listens. */
#ifndef ETNA_PROTO_JOIN_H
#define ETNA_PROTO_JOIN_H

#include "proto/error.h"
#include "proto/seal.h"

enum {
    /* bytes of an address, its NUL among them */
    JOIN_ENDPOINT_MAX = 256,
    /* bytes of a PEM text, its NUL among them */
    JOIN_CERTIFICATE_MAX = 4096,
    /* bytes of a whole file */
    JOIN_FILE_MAX = 16384
};

typedef struct join {
    /* where to connect, as NNG takes it: "tcp://...", "tls+tcp://...",
     * "ipc://..." */
    char endpoint[JOIN_ENDPOINT_MAX];
    /* how other hosts call it, where that differs; "" */
    char elsewhere[JOIN_ENDPOINT_MAX];
    /* "": no tokens are wanted there (ipc) */
    char realm[SEAL_REALM_MAX + 1];
    uint32_t generation;
    bool given[SEAL_ROLE_COUNT]; /* which of the tokens are there */
    seal_key tokens[SEAL_ROLE_COUNT];
    char certificate[JOIN_CERTIFICATE_MAX]; /* PEM; "": none, it is not TLS */
} join;

/* Reads a file. Its secrets are the caller's to forget (join_forget).
 * ETNA_E_USAGE: it is no join file, or others may read it, or it cannot be had.
 * On failure *ret is untouched. */
etna_code join_read(const char *path, join *ret, etna_error *err);
/* The text of a file, or its refusal; `text` is bytes of any kind. */
etna_code join_parse(const char *text, size_t size, join *ret, etna_error *err);
/* Replaces the file; ETNA_E_IO, ETNA_E_FULL: it stays as it was. */
etna_code join_write(const char *path, const join *j, etna_error *err);
/* Writes the file's text; returns its size. 0: `size` is too small
 * (JOIN_FILE_MAX always does). */
size_t join_format(const join *j, char *text, size_t size);

/* What --connect means: ipc://PATH: nothing is wanted there. @FILE: that file,
 * whole. tcp://HOST:PORT: that address, and the tokens in the join file of the
 * store (`store`, NULL: the default one); over TLS where that has a
 * certificate. ETNA_E_USAGE: there is none; or as join_read. */
etna_code join_find(const char *connect,
                    const char *store,
                    join *ret,
                    etna_error *err);

/* The token that lets a submitter in, else a viewer. SEAL_NOBODY: the file has
 * neither. */
seal_role join_looker(const join *j);

/* Overwrites it with zeros, tokens and all. Whoever got a join from here calls
 * this once it is not needed any more. */
void join_forget(join *j);

#endif
