/* See quota.h. */
#include "coordinator/shell/quota.h"

#include <stdlib.h>
#include <string.h>

enum {
    HOUR_MS = 3600000
};

typedef struct quota_entry {
    chain all;
    uint64_t key, bytes;
    bool is_lease;
    message_task_ref ref; /* of a lease */
} quota_entry;

void quota_init(quota *q)
{
    *q = (quota){.hour = 0};
    chain_init(&q->entries);
}

/* Two whose first eight bytes agree share an entry: tickets and hashes are not
 * chosen by who puts. */
static uint64_t quota_key(const uint8_t *bytes)
{
    uint64_t key;
    memcpy(&key, bytes, sizeof key);
    return key;
}

static table *quota_table(quota *q, const quota_entry *e)
{
    return e->is_lease ? &q->leases : &q->unnamed;
}

static void quota_drop(quota *q, quota_entry *e)
{
    if (!e->is_lease) {
        q->unnamed_bytes -= e->bytes;
        q->unnamed_count--;
    }
    table_remove(quota_table(q, e), e->key);
    chain_remove(&e->all);
    free(e);
}

void quota_free(quota *q)
{
    while (!chain_empty(&q->entries))
        quota_drop(q, CHAIN_OF(quota_entry, all, q->entries.next));
    table_free(&q->leases);
    table_free(&q->unnamed);
}

static quota_entry *quota_add(quota *q, uint64_t key, bool is_lease)
{
    quota_entry *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->key = key;
    e->is_lease = is_lease;
    if (!table_put(quota_table(q, e), key, e)) {
        free(e);
        return NULL;
    }
    chain_append(&q->entries, &e->all);
    if (!is_lease)
        q->unnamed_count++;
    return e;
}

bool quota_take_for_lease(quota *q, const message_task_ref *ref, uint64_t bytes)
{
    uint64_t key = quota_key(ref->ticket.bytes);
    quota_entry *e = table_get(&q->leases, key);
    if (!e)
        e = quota_add(q, key, true);
    if (!e || bytes > QUOTA_LEASE_BYTES - e->bytes)
        return false;
    e->ref = *ref;
    e->bytes += bytes;
    return true;
}

static void quota_begin_hour(quota *q, uint64_t hour)
{
    if (q->hour == hour)
        return;
    q->hour = hour;
    for (chain *at = q->entries.next, *next; at != &q->entries; at = next) {
        quota_entry *e = CHAIN_OF(quota_entry, all, at);
        next = at->next;
        if (!e->is_lease)
            quota_drop(q, e);
    }
}

bool quota_take_unnamed(quota *q,
                        const etna_hash *blob,
                        uint64_t bytes,
                        uint64_t now_ms)
{
    quota_begin_hour(q, now_ms / HOUR_MS);
    uint64_t key = quota_key(blob->bytes);
    if (table_get(&q->unnamed, key))
        return true; /* begun before */
    bool fits = q->unnamed_count < QUOTA_UNNAMED_BLOBS &&
                bytes <= QUOTA_UNNAMED_BYTES - q->unnamed_bytes;
    quota_entry *e = fits ? quota_add(q, key, false) : NULL;
    if (!e)
        return false;
    e->bytes = bytes;
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
        if (e->is_lease && !is_open(context, &e->ref))
            quota_drop(q, e);
    }
}
