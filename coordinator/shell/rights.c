/* See rights.h. */
#include "coordinator/shell/rights.h"

#include <stdlib.h>
#include <string.h>

static bool rights_refuse(shell *s,
                          uint64_t request,
                          const message *m,
                          const char *text)
{
    request_refuse(s, request, m, ETNA_E_USAGE, text);
    return false;
}

/* The task that a message is about; NULL: it is about none. */
static const message_task_ref *rights_ref_of(const message *m)
{
    switch (m->kind) {
    case MESSAGE_RESULT: return &m->body.result.ref;
    case MESSAGE_CALL_BEGIN: return &m->body.call_begin.ref;
    case MESSAGE_CALL_END: return &m->body.call_end.ref;
    case MESSAGE_CALL_FAIL: return &m->body.call_fail.ref;
    default: return NULL;
    }
}

/* Forged entries are marked rather than refused: the core tells the worker to
 * stop such a task, which a worker with an outdated ticket needs to hear. */
static bool rights_mark_held(shell *s,
                             uint64_t request,
                             message *m,
                             etna_arena *arena)
{
    message_orders_request *asked = &m->body.orders_request;
    message_task_ref *marked =
        etna_arena_alloc(arena, asked->held_count, sizeof *marked);
    if (!marked) {
        request_refuse(s, request, m, ETNA_E_NOMEM,
                       "out of memory reading what is held");
        return false;
    }
    for (uint32_t i = 0; i < asked->held_count; i++) {
        marked[i] = asked->held[i];
        marked[i].is_forged =
            !ticket_fits(&s->ticket_key, &marked[i], m->sender);
    }
    asked->held = marked;
    return true;
}

/* ---- blobs ---- */

static uint64_t rights_key(const etna_hash *blob)
{
    uint64_t key;
    memcpy(&key, blob->bytes, sizeof key);
    return key;
}

void rights_forget(run_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->all[i]);
    free(names->all);
    table_free(&names->by_key);
    *names = (run_names){.count = 0};
}

/* Two blobs whose first eight bytes agree are not to be expected; the second
 * one would be refused. */
static void rights_name(void *context, const etna_hash *blob)
{
    run_names *names = context;
    if (table_get(&names->by_key, rights_key(blob)))
        return;
    if (names->count == names->room) {
        size_t room = names->room ? 2 * names->room : 32;
        etna_hash **grown = realloc(names->all, room * sizeof *grown);
        names->failed = names->failed || !grown;
        if (!grown)
            return;
        names->all = grown;
        names->room = room;
    }
    etna_hash *kept = malloc(sizeof *kept);
    if (!kept || !table_put(&names->by_key, rights_key(blob), kept)) {
        free(kept);
        names->failed = true;
        return;
    }
    *kept = *blob;
    names->all[names->count++] = kept;
}

/* A store_record_fn: adds what the record names, and notes how far it read, so
 * that the next question reads only what is new. */
static etna_code rights_read(void *context,
                             uint64_t sequence,
                             const uint8_t *record,
                             size_t size,
                             etna_error *err)
{
    run_names *names = context;
    etna_code code = core_record_hashes(record, size, rights_name, names, err);
    if (!code && names->failed)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "out of memory reading what a run names");
    if (!code)
        names->read = sequence;
    return code;
}

static bool rights_has(const run_names *names, const etna_hash *blob)
{
    const etna_hash *found = table_get(&names->by_key, rights_key(blob));
    return found && etna_hash_equal(found, blob);
}

/* Whether the run's journal names the blob. What was read of the journal is
 * cached with the run's row. */
static bool rights_names(shell *s, const etna_id *run, const etna_hash *blob)
{
    run_entry *entry = rows_find(s, run);
    if (!entry)
        return false;
    if (rights_has(&entry->names, blob))
        return true;
    entry->names.failed = false;
    store_read_journal(s->options.store, run, entry->names.read, rights_read,
                       &entry->names, NULL);
    return rights_has(&entry->names, blob);
}

/* Whether its peer may put so many bytes; over ipc there is no bound. */
static bool rights_check_put(shell *s, uint64_t request, const message *m)
{
    const message_blob_chunk *put = &m->body.blob_put;
    bool fits = true;
    switch (inbox_role(s->in, request)) {
    case SEAL_WORKER:
        fits = quota_take_for_lease(&s->quota, &put->ref, put->size);
        break;
    case SEAL_SUBMITTER:
        fits = store_has_blob(s->options.store, &put->hash) ||
               quota_take_unnamed(&s->quota, &put->hash, m->sender, put->size,
                                  shell_now());
        break;
    default: break;
    }
    if (fits)
        return true;
    request_refuse(
        s, request, m, ETNA_E_LIMIT,
        "more bytes than a task may bring, or than may be put for runs that are not submitted; try later");
    return false;
}

static bool rights_check_blob(shell *s, uint64_t request, const message *m)
{
    const bool gets = m->kind == MESSAGE_BLOB_GET;
    const message_task_ref *ref =
        gets ? &m->body.blob_get.ref : &m->body.blob_put.ref;
    if (inbox_role(s->in, request) != SEAL_WORKER)
        return true;
    if (!ticket_fits(&s->ticket_key, ref, m->sender))
        return rights_refuse(
            s, request, m,
            "a worker gets and puts blobs for a task that it was given, by that lease's ticket");
    if (!core_task_is_open(s->c, ref))
        return rights_refuse(s, request, m,
                             "the task that a blob was wanted for has ended");
    if (gets && !rights_names(s, &ref->run, &m->body.blob_get.hash))
        return rights_refuse(
            s, request, m,
            "a worker gets the blobs that its tasks' runs name, and no others");
    return true;
}

/* Of all tasks that a message tells of. */
static bool rights_has_tickets(const shell *s, const message *m)
{
    const message_task_ref *ref = rights_ref_of(m);
    bool right = !ref || ticket_fits(&s->ticket_key, ref, m->sender);
    uint32_t more = m->kind == MESSAGE_RESULT ? m->body.result.more_count : 0;
    for (uint32_t i = 0; i < more && right; i++)
        right =
            ticket_fits(&s->ticket_key, &m->body.result.more[i].ref, m->sender);
    return right;
}

bool rights_check(shell *s, uint64_t request, message *m, etna_arena *arena)
{
    if (!rights_has_tickets(s, m))
        return rights_refuse(
            s, request, m,
            "the ticket of the lease is missing or is another's");
    switch (m->kind) {
    case MESSAGE_ORDERS_REQUEST: return rights_mark_held(s, request, m, arena);
    case MESSAGE_BLOB_GET: return rights_check_blob(s, request, m);
    case MESSAGE_BLOB_PUT:
        return rights_check_blob(s, request, m) &&
               rights_check_put(s, request, m);
    default: return true;
    }
}
