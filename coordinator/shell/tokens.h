/* The tokens of a coordinator that listens on TCP: its realm (realm.h), its
 * gate (gate.h), its certificate, and the join files that it keeps written:
 * "join" in its store, and another where one is asked for. Tokens that `etna
 * join --rotate` replaces are taken up while it runs. */
#ifndef ETNA_COORDINATOR_SHELL_TOKENS_H
#define ETNA_COORDINATOR_SHELL_TOKENS_H

#include "coordinator/shell/address.h"
#include "coordinator/shell/gate.h"

typedef struct tokens tokens;

typedef struct tokens_options { /* borrowed for the tokens' life */
    const char *store_path;
    const listen_address *address;
    const char *join_path; /* a second join file, for other hosts; NULL: none */
    uint64_t epoch;
} tokens_options;

/* Whether who listens at `url` wants tokens. */
bool tokens_are_wanted(const char *url);

/* Reads or makes the realm and writes the join files. From here on this process
 * leaves no core. ETNA_E_USAGE, ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. */
etna_code tokens_open(const tokens_options *options,
                      tokens **ret,
                      etna_error *err);
/* After the inbox that had its gate. NULL is fine. */
void tokens_close(tokens *t);

gate *tokens_gate(tokens *t);
/* What it shows over TLS, with its key; NULL: it is not TLS. */
const char *tokens_certificate(const tokens *t);
/* What processes of ours connect by: "@FILE". Lives as long as the tokens. */
const char *tokens_for_children(const tokens *t);
/* About once a second: takes up what was replaced. What goes wrong then leaves
 * everything as it was. */
void tokens_look(tokens *t);

#endif
