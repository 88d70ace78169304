/* See ticket.h. */
#include "coordinator/shell/ticket.h"
#include "proto/secret_file.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    TICKET_FILE_MAX = 256,
    PATH_ROOM = 4096
};

static const char ticket_what[] = "the key of the tickets";
static const char ticket_heading[] = "etna-tickets 1\nkey ";

static etna_code ticket_key_write(const char *path,
                                  const seal_key *key,
                                  etna_error *err)
{
    char text[TICKET_FILE_MAX], digits[65];
    etna_hash bytes;
    memcpy(bytes.bytes, key->bytes, SEAL_KEY);
    etna_hash_hex(&bytes, digits);
    int size = snprintf(text, sizeof text, "%s%s\n", ticket_heading, digits);
    etna_code code =
        secret_file_write(path, ticket_what, text, (size_t)size, err);
    seal_forget(&bytes, sizeof bytes);
    seal_forget(digits, sizeof digits);
    seal_forget(text, sizeof text);
    return code;
}

static etna_code ticket_key_read(const char *path,
                                 seal_key *ret,
                                 etna_error *err)
{
    enum {
        HEADING = sizeof ticket_heading - 1,
        DIGITS = 64
    };
    char text[TICKET_FILE_MAX];
    size_t size = 0;
    etna_hash bytes;
    etna_code code =
        secret_file_read(path, ticket_what, text, sizeof text - 1, &size, err);
    if (code)
        return code;
    bool known = size == HEADING + DIGITS + 1 &&
                 memcmp(text, ticket_heading, HEADING) == 0;
    text[size ? size - 1 : 0] = 0; /* the end of its last line */
    known = known && etna_hash_parse(text + HEADING, &bytes);
    if (known)
        memcpy(ret->bytes, bytes.bytes, SEAL_KEY);
    seal_forget(&bytes, sizeof bytes);
    seal_forget(text, sizeof text);
    if (known)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_CORRUPT,
        "%.300s is damaged; remove it, and what is under way is done again",
        path);
}

etna_code ticket_key_open(const char *store_path,
                          seal_key *ret,
                          etna_error *err)
{
    char path[PATH_ROOM];
    seal_key key;
    int n = snprintf(path, sizeof path, "%s/tickets", store_path);
    if (n < 0 || n >= PATH_ROOM)
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    bool is_new = access(path, F_OK) && errno == ENOENT;
    if (!is_new)
        return ticket_key_read(path, ret, err);
    if (!seal_random(key.bytes))
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    etna_code code = ticket_key_write(path, &key, err);
    if (!code)
        *ret = key;
    seal_forget(&key, sizeof key);
    return code;
}

static void ticket_number(uint8_t *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

etna_id ticket_make(const seal_key *key,
                    const message_task_ref *ref,
                    uint64_t worker)
{
    enum {
        TASK = sizeof ref->run.bytes,
        ATTEMPT = TASK + 8,
        WORKER = ATTEMPT + 4,
        SIZE = WORKER + 8
    };
    uint8_t said[SIZE];
    etna_id ticket;
    memcpy(said, ref->run.bytes, TASK);
    ticket_number(said + TASK, ref->task, 8);
    ticket_number(said + ATTEMPT, ref->attempt, 4);
    ticket_number(said + WORKER, worker, 8);
    crypto_generichash(ticket.bytes, sizeof ticket.bytes, said, sizeof said,
                       key->bytes, sizeof key->bytes);
    return ticket;
}

bool ticket_fits(const seal_key *key,
                 const message_task_ref *ref,
                 uint64_t worker)
{
    const etna_id right = ticket_make(key, ref, worker);
    return sodium_memcmp(right.bytes, ref->ticket.bytes, sizeof right.bytes) ==
           0;
}
