/* Private to the store: who holds a store's journal. The file `owner` in the
 * store's directory carries a lock that the kernel drops when its holder dies,
 * and says in canonical bytes who that is. */
#ifndef ETNA_STORE_OWNER_H
#define ETNA_STORE_OWNER_H

#include "store/store.h"

/* This process: host, boot id and pid; the endpoint cut at its size; epoch
 * 0. */
void owner_self(const char *endpoint, store_owner *ret);
void owner_boot_id(char ret[40]); /* "" where the kernel does not say */

/* Takes the lock of the store in `directory`; *ret_fd holds it until it is
 * closed, also by death. ETNA_E_OWNED names the living owner; ETNA_E_IO,
 * ETNA_E_FULL. */
etna_code owner_lock(const char *directory, int *ret_fd, etna_error *err);
/* Writes the record into the locked file. */
etna_code owner_write(int fd, const store_owner *owner, etna_error *err);

/* The record's bytes, malloc'd; they are a row of the meta table as well.
 * ETNA_E_NOMEM. */
etna_code owner_encode(const store_owner *owner,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err);
/* False: malformed, and *ret is untouched. */
bool owner_decode(const uint8_t *data, size_t size, store_owner *ret);

#endif
