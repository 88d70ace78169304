/* See quota.h. */
#include "coordinator/shell/quota.h"

#include <stdlib.h>
#include <string.h>

enum {
    HOUR_MS = 3600000
};

typedef enum quota_kind {
    QUOTA_LEASE,
    QUOTA_BLOB,  /* that no run names yet */
    QUOTA_SENDER /* of such blobs */
} quota_kind;

typedef struct quota_entry {
    chain all;
    quota_kind kind;
    uint64_t key, bytes;
    message_task_ref ref;       /* of a lease */
    struct quota_entry *sender; /* of a blob */
    uint32_t blobs;             /* of a sender */
} quota_entry;

void quota_init(quota *q)
{
    *q = (quota){.hour = 0};
    chain_init(&q->entries);
}

/* Two senders whose first eight bytes agree would share an entry. No sender can
 * bring that about: it chooses neither its ticket nor its hash. */
static uint64_t quota_key(const uint8_t *bytes)
{
    uint64_t key;
    memcpy(&key, bytes, sizeof key);
    return key;
}

static table *quota_table(quota *q, const quota_entry *e)
{
    switch (e->kind) {
    case QUOTA_BLOB: return &q->unnamed;
    case QUOTA_SENDER: return &q->senders;
    case QUOTA_LEASE: break;
    }
    return &q->leases;
}

static void quota_drop(quota *q, quota_entry *e)
{
    if (e->kind == QUOTA_BLOB) {
        q->unnamed_bytes -= e->bytes;
        q->unnamed_count--;
        e->sender->bytes -= e->bytes;
        e->sender->blobs--;
    }
    table_remove(quota_table(q, e), e->key);
    chain_remove(&e->all);
    free(e);
}

/* A sender stands before its blobs in the chain, so the last go first. */
void quota_free(quota *q)
{
    while (!chain_empty(&q->entries))
        quota_drop(q, CHAIN_OF(quota_entry, all, q->entries.previous));
    table_free(&q->leases);
    table_free(&q->unnamed);
    table_free(&q->senders);
}

/* An entry is in its kind's table and in the chain of all, oldest first. NULL:
 * out of memory, and neither holds it. */
static quota_entry *quota_add(quota *q, uint64_t key, quota_kind kind)
{
    quota_entry *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->key = key;
    e->kind = kind;
    if (!table_put(quota_table(q, e), key, e)) {
        free(e);
        return NULL;
    }
    chain_append(&q->entries, &e->all);
    return e;
}

bool quota_take_for_lease(quota *q, const message_task_ref *ref, uint64_t bytes)
{
    uint64_t key = quota_key(ref->ticket.bytes);
    quota_entry *e = table_get(&q->leases, key);
    if (!e)
        e = quota_add(q, key, QUOTA_LEASE);
    if (!e || bytes > QUOTA_LEASE_BYTES - e->bytes)
        return false;
    e->ref = *ref;
    e->bytes += bytes;
    return true;
}

/* Blobs and who put them are forgotten; see quota_free for the order. */
static void quota_begin_hour(quota *q, uint64_t hour)
{
    if (q->hour == hour)
        return;
    q->hour = hour;
    for (chain *at = q->entries.previous, *before; at != &q->entries;
         at = before) {
        quota_entry *e = CHAIN_OF(quota_entry, all, at);
        before = at->previous;
        if (e->kind != QUOTA_LEASE)
            quota_drop(q, e);
    }
}

/* NULL: it may begin no more blobs, or out of memory. */
static quota_entry *quota_begin_blob(quota *q,
                                     uint64_t key,
                                     uint64_t sender_number)
{
    quota_entry *sender = table_get(&q->senders, sender_number);
    if (!sender && q->unnamed_count < QUOTA_UNNAMED_BLOBS)
        sender = quota_add(q, sender_number, QUOTA_SENDER);
    bool fits = sender && sender->blobs < QUOTA_SENDER_BLOBS &&
                q->unnamed_count < QUOTA_UNNAMED_BLOBS;
    quota_entry *blob = fits ? quota_add(q, key, QUOTA_BLOB) : NULL;
    if (!blob)
        return NULL;
    blob->sender = sender;
    sender->blobs++;
    q->unnamed_count++;
    return blob;
}

bool quota_take_unnamed(quota *q,
                        const etna_hash *blob,
                        uint64_t sender,
                        uint64_t bytes,
                        uint64_t now_ms)
{
    quota_begin_hour(q, now_ms / HOUR_MS);
    uint64_t key = quota_key(blob->bytes);
    quota_entry *e = table_get(&q->unnamed, key);
    if (!e)
        e = quota_begin_blob(q, key, sender);
    if (!e || bytes > QUOTA_UNNAMED_BYTES - q->unnamed_bytes ||
        bytes > QUOTA_SENDER_BYTES - e->sender->bytes)
        return false;
    e->bytes += bytes;
    e->sender->bytes += bytes;
    q->unnamed_bytes += bytes;
    return true;
}

void quota_name(quota *q, const etna_hash *blob)
{
    quota_entry *e = table_get(&q->unnamed, quota_key(blob->bytes));
    if (e)
        quota_drop(q, e);
}

void quota_sweep(quota *q,
                 bool (*is_open)(const void *context,
                                 const message_task_ref *ref),
                 const void *context)
{
    for (chain *at = q->entries.next, *next; at != &q->entries; at = next) {
        quota_entry *e = CHAIN_OF(quota_entry, all, at);
        next = at->next;
        if (e->kind == QUOTA_LEASE && !is_open(context, &e->ref))
            quota_drop(q, e);
    }
}
