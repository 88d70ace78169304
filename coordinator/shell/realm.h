/* The realm of a store: the name and the secrets that the tokens of its
 * coordinators' peers come from. They stand in the store's folder in the 0600
 * file "realm"; every owner of the store has the same, so that workers and
 * clients go on with the next one. Two generations of tokens count at a time:
 * those that are given out now, and the ones before. */
#ifndef ETNA_COORDINATOR_SHELL_REALM_H
#define ETNA_COORDINATOR_SHELL_REALM_H

#include "proto/join.h"

/* Secrets: wipe every copy by realm_forget(). */
typedef struct realm {
    char name[SEAL_REALM_MAX + 1];
    /* of the tokens that are handed out now; from 1 */
    uint32_t generation;
    bool has_before; /* there is a generation before it */
    seal_key secret, before;
} realm;

/* Reads the realm of the store at `store_path`, or makes one. ETNA_E_USAGE:
 * others may read its file; ETNA_E_IO, ETNA_E_FULL, ETNA_E_CORRUPT. *ret is
 * untouched then; else its secrets are the caller's to forget. */
etna_code realm_open(const char *store_path, realm *ret, etna_error *err);
/* Reads one that is there. ETNA_E_NOTFOUND: no coordinator of this store has
 * wanted tokens yet. */
etna_code realm_read(const char *store_path, realm *ret, etna_error *err);
/* Replaces the tokens in the file and returns the new realm. The tokens before
 * count until the next rotation, so that what is running goes on.
 * ETNA_E_NOTFOUND as realm_read(). */
etna_code realm_rotate(const char *store_path, realm *ret, etna_error *err);

/* The token of a role in a generation; wipe it after use. False: that
 * generation no longer counts, or does not yet. */
bool realm_token(const realm *r,
                 seal_role role,
                 uint32_t generation,
                 seal_key *ret);
/* Fills a join file's content with the tokens of all roles at `endpoint`;
 * forget it by join_forget(). */
void realm_join(const realm *r, const char *endpoint, join *ret);

/* Wipes it. */
void realm_forget(realm *r);

#endif
