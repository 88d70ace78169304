/* Blobs for errands. There: from the host's cache, else from the coordinator in
 * pieces, hashed, and put into the cache; two errands that want the same blob
 * download it once, also when they are of two workers that share the cache.
 * Back: to the coordinator, which makes it durable, and into the cache at the
 * same time. */
#include "worker/shell/shell.h"

#include <stdlib.h>
#include <string.h>

void blob_forget(errand *e)
{
    free(e->data);
    e->data = NULL;
    e->size = e->room = 0;
}

/* ---- there ---- */

/* how often an errand looks whether another worker of this host has the blob in
 * the cache by now: a poll, since the cache has no way to tell across
 * processes */
enum {
    LOOK_MS = 50
};

/* On the pool: it reads the disk. e->data is the errand's own copy. */
static bool blob_is_cached(errand *e)
{
    pthread_mutex_lock(&e->shell->cache_mutex);
    if (cache_get(e->shell->cache, &e->hash, &e->data, &e->size, NULL))
        e->data = NULL; /* a broken cache is a miss too */
    pthread_mutex_unlock(&e->shell->cache_mutex);
    return e->data != NULL;
}

/* Who is to download it for the host looks once more: it may have come before
 * the claim. */
static void work_look_up(pool_task *task)
{
    errand *e = errand_of(task);
    e->elsewhere = false;
    if (blob_is_cached(e))
        return;
    if (!e->claim)
        e->claim = fetch_claim_new();
    e->elsewhere =
        !fetch_claim_take(e->claim, e->shell->cache_folder, &e->hash);
    if (!e->elsewhere && blob_is_cached(e))
        fetch_claim_drop(e->claim);
}

/* The table's key. Two blobs may share it; who comes second then downloads
 * unseen. */
static uint64_t key_of(const errand *e)
{
    uint64_t key;
    memcpy(&key, e->hash.bytes, sizeof key);
    return key;
}

static void look_up(errand *e);

/* Each errand is taken from the list before it looks, as it may put itself
 * back. */
static void blob_look_again(uv_timer_t *timer)
{
    shell *s = timer->data;
    while (!chain_empty(&s->elsewhere)) {
        errand *e = CHAIN_OF(errand, waiters, s->elsewhere.next);
        chain_remove(&e->waiters);
        look_up(e);
    }
    shell_pump(s);
}

static void blob_wait_elsewhere(errand *e)
{
    shell *s = e->shell;
    e->waiting = true;
    chain_append(&s->elsewhere, &e->waiters);
    if (!uv_is_active((uv_handle_t *)&s->looking))
        uv_timer_start(&s->looking, blob_look_again, LOOK_MS, 0);
}

/* Four ways on: it is here; an errand of this worker downloads it; another
 * worker of this host does; or it is ours to download. `download_table` has at
 * most one errand of a hash, which the others wait for. */
static void looked_up(errand *e)
{
    shell *s = e->shell;
    if (e->data) {
        e->fetched(e);
        return;
    }
    errand *other = table_get(&s->download_table, key_of(e));
    if (other && etna_hash_equal(&other->hash, &e->hash)) {
        fetch_claim_drop(e->claim);
        e->waiting = true;
        chain_append(&other->waiters, &e->waiters);
        return;
    }
    if (e->elsewhere) {
        blob_wait_elsewhere(e);
        return;
    }
    e->downloading = true;
    if (!other)
        table_put(&s->download_table, key_of(e),
                  e); /* without memory for it, others download too */
    shell_feed(
        s, &(link_event){.kind = LINK_BLOB_GET, .job = e->id, .hash = e->hash},
        NULL);
}

static void look_up(errand *e)
{
    e->waiting = false;
    blob_forget(e);
    errand_work(e, work_look_up, looked_up);
}

/* Whoever waited looks anew: the first of them becomes the one that
 * downloads. */
void blob_gave_up(errand *e)
{
    e->keeping = false;
    if (e->waiting)
        chain_remove(&e->waiters);
    e->waiting = false;
    if (!e->downloading)
        return;
    e->downloading = false;
    fetch_claim_drop(e->claim);
    if (table_get(&e->shell->download_table, key_of(e)) == e)
        table_remove(&e->shell->download_table, key_of(e));
    while (!chain_empty(&e->waiters)) {
        errand *other = CHAIN_OF(errand, waiters, e->waiters.next);
        chain_remove(&other->waiters);
        look_up(other);
    }
}

void blob_fetch(errand *e, const etna_hash *hash, void (*then)(errand *e))
{
    e->hash = *hash;
    e->fetched = then;
    look_up(e);
}

/* What is cached is always verified, so a cached blob need not be hashed again
 * by who reads it. */
static void work_verify(pool_task *task)
{
    errand *e = errand_of(task);
    etna_hash hash = etna_hash_bytes(e->data, e->size);
    if (!etna_hash_equal(&hash, &e->hash)) {
        etna_fail(&e->error, ETNA_E_CORRUPT,
                  "a blob from the coordinator does not have its hash");
        return;
    }
    pthread_mutex_lock(&e->shell->cache_mutex);
    cache_put(e->shell->cache, &e->hash, e->data, e->size,
              NULL); /* what cannot be cached is fetched again */
    pthread_mutex_unlock(&e->shell->cache_mutex);
}

static void verified(errand *e)
{
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
        return;
    }
    blob_gave_up(e); /* not any more: those who wait find it in the cache */
    e->fetched(e);
}

/* `total` comes from the coordinator, so room is made as bytes arrive and not
 * at once: a wrong total costs nothing. */
static bool grow(errand *e, size_t size, uint64_t total)
{
    if (size <= e->room)
        return true;
    size_t room = e->room ? 2 * e->room : size;
    if (room > total)
        room = (size_t)total;
    if (room < size)
        room = size;
    uint8_t *data = realloc(e->data, room ? room : 1);
    if (!data)
        return false;
    e->data = data;
    e->room = room;
    return true;
}

/* The link gives chunks in order and without holes. An empty blob has one chunk
 * of no bytes, and its data is still not NULL. */
void blob_chunk_came(errand *e, const message_blob_chunk *chunk)
{
    if (!grow(e, (size_t)chunk->offset + chunk->size, chunk->total) ||
        (!e->data && !(e->data = malloc(1)))) {
        errand_failed(e, ETNA_E_NOMEM, "out of memory for a blob");
        return;
    }
    if (chunk->size)
        memcpy(e->data + chunk->offset, chunk->data, chunk->size);
    e->size = (size_t)chunk->offset + chunk->size;
    fetch_claim_goes_on(e->claim);
    if (e->size == chunk->total)
        errand_work(e, work_verify, verified);
}

/* ---- back ---- */

static void work_cache(pool_task *task)
{
    errand *e = errand_of(task);
    pthread_mutex_lock(&e->shell->cache_mutex);
    cache_put(e->shell->cache, &e->hash, e->keep, e->keep_size,
              NULL); /* it only saves a download */
    pthread_mutex_unlock(&e->shell->cache_mutex);
}

/* The cache may be done before the coordinator has acknowledged, or after; the
 * job goes on when both are. */
static void kept_when_both(errand *e)
{
    if (e->busy || e->keeping)
        return;
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
    } else {
        e->kept(e);
    }
}

void blob_keep(errand *e,
               const etna_hash *hash,
               const uint8_t *data,
               size_t size,
               void (*then)(errand *e))
{
    e->hash = *hash;
    e->keep = data;
    e->keep_size = size;
    e->kept = then;
    e->keeping = true;
    shell_feed(e->shell,
               &(link_event){.kind = LINK_BLOB_KEEP,
                             .job = e->id,
                             .hash = *hash,
                             .data = data,
                             .size = size},
               NULL);
    errand_work(e, work_cache, kept_when_both);
}

void blob_kept(errand *e)
{
    e->keeping = false;
    kept_when_both(e);
}

void blob_not_kept(errand *e, etna_code code, const char *text)
{
    e->keeping = false;
    etna_fail(&e->error, code, "%s", text);
    kept_when_both(e);
}
