/* The realm of a store: the name and the secrets that the tokens of its
 * coordinators' peers come from. They stand in the store's folder in the 0600
 * file "realm"; every owner of the store has the same, so that workers and
 * clients go on with the next one. Two generations of tokens count at a time:
 * those that are given out now, and the ones before. */
#ifndef ETNA_COORDINATOR_SHELL_REALM_H
#define ETNA_COORDINATOR_SHELL_REALM_H

#include "proto/join.h"

typedef struct realm {
    char name[SEAL_REALM_MAX + 1];
    uint32_t generation; /* of the tokens that are given out; from 1 */
    bool has_before;     /* there is a generation before it */
    seal_key secret, before;
} realm;

/* Reads the realm of the store at `store_path`, or makes it. ETNA_E_USAGE
 * (others may read it), ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. Its secrets are
 * the caller's to forget. */
etna_code realm_open(const char *store_path, realm *ret, etna_error *err);
/* Reads one that is there. ETNA_E_NOTFOUND: no coordinator of this store has
 * wanted tokens yet. */
etna_code realm_read(const char *store_path, realm *ret, etna_error *err);
/* New tokens. The ones before count until the next time. ETNA_E_NOTFOUND as
 * realm_read. */
etna_code realm_rotate(const char *store_path, realm *ret, etna_error *err);

/* False: that generation counts no more, or does not yet. */
bool realm_token(const realm *r,
                 seal_role role,
                 uint32_t generation,
                 seal_key *ret);
/* What lets every role in at `endpoint`. */
void realm_join(const realm *r, const char *endpoint, join *ret);

void realm_forget(realm *r);

#endif
