/* Blobs over the wire: gets are served here, puts taken. Checking and
 * compressing a large one would hold up the loop for half a second, heartbeats
 * and all: that is done by a thread, while the request waits. */
#include "coordinator/shell/shell_internal.h"

#include <stdlib.h>
#include <string.h>

/* PACK_AWAY: larger blobs are packed on a thread. PACKINGS_MAX: more at once
 * would only fill memory; then they are packed on the loop after all. */
enum {
    PACK_AWAY = MESSAGE_CHUNK,
    PACKINGS_MAX = 8
};

/* A request that waits for the blob to be packed. */
typedef struct waiter {
    uint64_t request, incarnation, sequence;
} waiter;

struct packing {
    uv_work_t work;
    shell *s;
    packing *next;
    etna_hash hash;
    uint8_t *data; /* owned */
    size_t size;
    waiter *waiters; /* whoever puts the same blob meanwhile waits too */
    size_t waiter_count;
    store_packed *packed;
    etna_error error;
};

static void answer_blob(shell *s,
                        uint64_t request,
                        const message *of,
                        message *answer)
{
    answer->version = MESSAGE_VERSION;
    answer->epoch = store_epoch(s->options.store);
    answer->incarnation = of->incarnation;
    answer->sequence = of->sequence;
    shell_answer(s, request, answer);
}

/* A blob of a group that is not durable cannot be found yet: make it durable
 * first. */
bool request_have_blob(shell *s, const etna_hash *hash)
{
    if (etna_hash_is_zero(hash) || store_has_blob(s->options.store, hash))
        return true;
    const bool is_on_its_way = s->left.is_on_its_way && s->left.has_blobs;
    if (!s->group_blobs && !is_on_its_way)
        return false;
    shell_flush(s);
    return !s->failure && store_has_blob(s->options.store, hash);
}

void request_get_blob(shell *s, uint64_t request, const message *m)
{
    message answer = {.kind = MESSAGE_BLOB_CHUNK};
    etna_error err = {ETNA_OK, ""};
    request_have_blob(s, &m->body.blob_get.hash);
    if (s->failure)
        return;
    if (blobs_get(s->blobs, &m->body.blob_get, &answer.body.blob_chunk, &err)) {
        request_refuse(s, request, m, err.code, err.text);
    } else {
        s->blob_bytes_out += answer.body.blob_chunk.size;
        answer_blob(s, request, m, &answer);
    }
}

static void request_blob_acknowledge(shell *s,
                                     uint64_t request,
                                     const message *of,
                                     const etna_hash *hash,
                                     uint64_t received)
{
    message answer = {.kind = MESSAGE_BLOB_ACK};
    answer.body.blob_ack = (message_blob_ack){*hash, received};
    upkeep_note_blob(s, hash);
    if (!s->failure)
        answer_blob(s, request, of, &answer); /* leaves after the commit */
}

/* On a thread of the pool: touches nothing but its packing. */
static void request_blob_pack(uv_work_t *work)
{
    packing *p = work->data;
    p->error.code =
        store_pack_blob(&p->hash, p->data, p->size, &p->packed, &p->error);
}

static void packing_free(packing *p)
{
    store_packed_free(p->packed);
    free(p->data);
    free(p->waiters);
    free(p);
}

/* On the loop. The blob joins the turn's group, and everybody who put it is
 * acknowledged after that group's commit. A blob that cannot be packed is a
 * defect or a lack of memory, which ends the shell. */
static void pack_ended(uv_work_t *work, int status)
{
    packing *p = work->data;
    shell *s = p->s;
    packing **at = &s->packings;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    s->packing_count--;
    if (status && !p->error.code)
        etna_fail(&p->error, ETNA_E_CANCELLED, "a blob was not packed");
    /* NULL also when the shell has failed */
    store_group *group = p->error.code ? NULL : shell_group(s);
    if (p->error.code)
        shell_fail(s, p->error.code, "%s", p->error.text);
    if (group) {
        etna_error err = {ETNA_OK, ""};
        store_packed *packed = p->packed;
        p->packed = NULL;
        if (store_put_packed(group, packed, &err))
            shell_fail(s, err.code, "%s", err.text);
        s->group_blobs = true;
    }
    for (size_t i = 0; i < p->waiter_count; i++) {
        const message of = {.incarnation = p->waiters[i].incarnation,
                            .sequence = p->waiters[i].sequence};
        request_blob_acknowledge(s, p->waiters[i].request, &of, &p->hash,
                                 p->size);
    }
    packing_free(p);
}

/* The request is answered together with the packing. False: out of memory. */
static bool wait_for(packing *p, uint64_t request, const message *m)
{
    waiter *grown = realloc(p->waiters, (p->waiter_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    p->waiters = grown;
    p->waiters[p->waiter_count++] =
        (waiter){request, m->incarnation, m->sequence};
    return true;
}

/* Takes `data` when it is true; else nothing has happened. */
static bool pack_away(
    shell *s, uint64_t request, const message *m, uint8_t *data, size_t size)
{
    packing *p = size > PACK_AWAY && s->packing_count < PACKINGS_MAX
                     ? calloc(1, sizeof *p)
                     : NULL;
    if (!p)
        return false;
    p->work.data = p;
    p->s = s;
    p->hash = m->body.blob_put.hash;
    p->size = size;
    p->data = data;
    if (!wait_for(p, request, m) ||
        uv_queue_work(&s->loop, &p->work, request_blob_pack, pack_ended)) {
        p->data = NULL;
        packing_free(p);
        return false;
    }
    p->next = s->packings;
    s->packings = p;
    s->packing_count++;
    return true;
}

void request_put_blob(shell *s, uint64_t request, const message *m)
{
    etna_error err = {ETNA_OK, ""};
    uint8_t *data = NULL;
    uint64_t received;
    s->blob_bytes_in += m->body.blob_put.size;
    for (packing *p = s->packings; p; p = p->next) {
        if (!etna_hash_equal(&p->hash, &m->body.blob_put.hash))
            continue;
        if (!wait_for(p, request, m))
            request_refuse(s, request, m, ETNA_E_NOMEM,
                           "out of memory taking a blob");
        return;
    }
    if (blobs_put(s->blobs, &m->body.blob_put, m->sender, &received, &data,
                  &err)) {
        request_refuse(s, request, m, err.code, err.text);
        return;
    }
    if (data && pack_away(s, request, m, data, (size_t)m->body.blob_put.total))
        return;
    if (data) {
        store_group *group = shell_group(s);
        if (group && store_put_blob(group, &m->body.blob_put.hash, data,
                                    (size_t)m->body.blob_put.total, &err)) {
            shell_fail(s, err.code, "%s", err.text);
        }
        s->group_blobs = true;
        free(data);
    }
    request_blob_acknowledge(s, request, m, &m->body.blob_put.hash, received);
}
