/* The tokens of a coordinator that listens on TCP: its realm (realm.h), its
 * gate (gate.h), its certificate, and the join files that it keeps written:
 * "join" in its store, and another where one is asked for. Tokens that `etna
 * join --rotate` replaces are taken up while it runs. */
#ifndef ETNA_COORDINATOR_SHELL_TOKENS_H
#define ETNA_COORDINATOR_SHELL_TOKENS_H

#include "coordinator/shell/address.h"
#include "coordinator/shell/gate.h"

typedef struct tokens tokens;

/* Borrowed for the tokens' life. */
typedef struct tokens_options {
    const char *store_path;
    const listen_address *address;
    const char *join_path; /* a second join file, for other hosts; NULL: none */
    uint64_t epoch;
} tokens_options;

/* Whether a listener at `url` wants tokens: everywhere but on ipc. */
bool tokens_are_wanted(const char *url);

/* Reads or makes realm and certificate, and writes the join files. From here on
 * this process leaves no core dump, as its memory holds secrets. ETNA_E_USAGE,
 * ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. */
etna_code tokens_open(const tokens_options *options,
                      tokens **ret,
                      etna_error *err);
/* After the inbox that has its gate. Wipes the secrets. NULL is fine. */
void tokens_close(tokens *t);

/* The gate for the inbox; the tokens own it. */
gate *tokens_gate(tokens *t);
/* What it shows over TLS, with its key, as PEM; NULL: it is not TLS. The tokens
 * own it. */
const char *tokens_certificate(const tokens *t);
/* What processes of ours connect by: "@FILE". Lives as long as the tokens. */
const char *tokens_for_children(const tokens *t);
/* About once a second: takes up tokens that were rotated. Where something goes
 * wrong everything stays as it was, and the next call tries again. */
void tokens_look(tokens *t);

#endif
