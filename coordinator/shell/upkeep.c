/* What is done to the store while its owner runs: unnamed blobs are removed,
 * the file is compacted, runs that have ended are removed. Each stops the loop
 * for as long as it takes, between two groups; nothing is held against anybody
 * for that time.
 *
 * A blob is put before the message that names it, so one that nothing names may
 * be about to be named: what was put within the hour stays. Of blobs put before
 * this process began only the time of the last of them is known. */
#include "coordinator/shell/collect.h"
#include "coordinator/shell/shell_internal.h"

#include <stdlib.h>
#include <string.h>

/* RARE_MS, RARER: what took longer than that is not done again before so many
 * times as long have passed: it would stop the workers again and again. */
enum {
    FRESH_MS = 3600000,
    RARE_MS = 100,
    RARER = 20
};

struct fresh_blob {
    etna_hash hash;
    uint64_t put_ms;
};

/* Those that are no longer fresh go; the list is in the order of time. */
static void upkeep_forget_old(shell *s, uint64_t now)
{
    size_t old = 0;
    while (old < s->fresh_count && s->fresh[old].put_ms + FRESH_MS <= now)
        old++;
    if (!old)
        return;
    memmove(s->fresh, s->fresh + old,
            (s->fresh_count - old) * sizeof *s->fresh);
    s->fresh_count -= old;
}

void upkeep_note_blob(shell *s, const etna_hash *hash)
{
    uint64_t now = shell_wall();
    if (s->fresh_count == s->fresh_room) {
        upkeep_forget_old(s, now);
        size_t room = s->fresh_room ? 2 * s->fresh_room : 256;
        bool has_room = s->fresh_count < s->fresh_room / 2;
        fresh_blob *grown =
            has_room ? s->fresh : realloc(s->fresh, room * sizeof *grown);
        if (!grown) {
            s->fresh_lost = true;
            return;
        }
        s->fresh = grown;
        if (!has_room)
            s->fresh_room = room;
    }
    s->fresh[s->fresh_count++] = (fresh_blob){*hash, now};
}

static int upkeep_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(etna_hash));
}

/* Which unnamed blobs stay. */
typedef struct upkeep_spared {
    etna_hash *fresh; /* sorted */
    size_t count;
    bool all; /* nothing is old enough, as far as is known */
} upkeep_spared;

static bool upkeep_is_spared(void *context, const etna_hash *blob)
{
    const upkeep_spared *spared = context;
    if (spared->all)
        return true;
    return spared->count && bsearch(blob, spared->fresh, spared->count,
                                    sizeof *blob, upkeep_compare);
}

/* Blobs from before this process's start are known by the time of the last
 * write alone: for an hour after that nothing is old enough. */
static etna_code upkeep_collect(shell *s, message_upkeep *ret, etna_error *err)
{
    uint64_t now = shell_wall();
    collect_sum sum;
    upkeep_forget_old(s, now);
    upkeep_spared spared = {.count = s->fresh_count};
    spared.all =
        s->fresh_lost || now < store_last_write_ms(s->options.store) + FRESH_MS;
    spared.fresh = malloc((s->fresh_count + 1) * sizeof *spared.fresh);
    if (!spared.fresh)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory collecting; nothing was removed");
    for (size_t i = 0; i < s->fresh_count; i++)
        spared.fresh[i] = s->fresh[i].hash;
    qsort(spared.fresh, spared.count, sizeof *spared.fresh, upkeep_compare);
    etna_code code =
        collect_unnamed(s->options.store, upkeep_is_spared, &spared, &sum, err);
    free(spared.fresh);
    if (code)
        return code;
    ret->removed = sum.removed;
    ret->removed_bytes = sum.bytes;
    ret->spared = sum.spared;
    return ETNA_OK;
}

/* One a message, so that others are served in between. It leaves memory first:
 * what fails behind that leaves a run that is read anew. */
static etna_code upkeep_remove(shell *s,
                               const etna_id *run,
                               message_upkeep *ret,
                               etna_error *err)
{
    char name[33];
    run_entry *entry = rows_find(s, run);
    core_event forget = {.kind = CORE_FORGET, .run = *run};
    etna_id_hex(run, name);
    if (entry && entry->state == RUN_RUNNING)
        return etna_fail(err, ETNA_E_USAGE,
                         "run %s goes on; end it first: etna cancel %s", name,
                         name);
    if (entry) {
        rows_remove(s, entry);
        shell_step(s, &forget);
        shell_flush(s);
    }
    etna_code code = store_remove_run(s->options.store, run, err);
    if (code && code != ETNA_E_NOTFOUND)
        return code;
    ret->removed = code ? 0 : 1;
    return ETNA_OK;
}

/* Who comes with a token might ask without an end. Removing is not meant: it is
 * one message a run, each of which is short. */
static etna_code upkeep_check_pause(const shell *s,
                                    uint64_t request,
                                    uint32_t kind,
                                    etna_error *err)
{
    const uint64_t now = shell_now();
    bool is_due = kind >= UPKEEP_COUNT || s->upkeep_due_ms[kind] <= now;
    if (is_due || inbox_role(s->in, request) == SEAL_NOBODY)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_LIMIT,
        "the store was put in order just now, for which all had to wait: try again in %llu s",
        (unsigned long long)((s->upkeep_due_ms[kind] - now + 999) / 1000));
}

static void upkeep_note_time(shell *s, uint32_t kind, uint64_t begun_ms)
{
    const uint64_t now = shell_now();
    const uint64_t took = now - begun_ms;
    if ((kind == UPKEEP_COLLECT || kind == UPKEEP_COMPACT) && took > RARE_MS)
        s->upkeep_due_ms[kind] = now + RARER * took;
}

static etna_code upkeep_do(shell *s,
                           const message_upkeep *asked,
                           message_upkeep *ret,
                           etna_error *err)
{
    store *kept = s->options.store;
    switch (asked->kind) {
    case UPKEEP_COLLECT: return upkeep_collect(s, ret, err);
    case UPKEEP_COMPACT:
        return store_compact(kept, &ret->before_bytes, &ret->after_bytes, err);
    case UPKEEP_REMOVE: return upkeep_remove(s, &asked->run, ret, err);
    default:
        return etna_fail(err, ETNA_E_MESSAGE,
                         "no such upkeep of a store is known");
    }
}

/* A request that is repeated while it was answered is not done twice. */
static bool upkeep_is_repeated(const shell *s, const message *m)
{
    const message *last = &s->upkeep_last;
    bool same_peer =
        last->sender == m->sender && last->incarnation == m->incarnation;
    return last->kind && same_peer && last->sequence == m->sequence;
}

void request_upkeep(shell *s, uint64_t request, const message *m)
{
    etna_error err = {ETNA_OK, ""};
    message done = *m;
    if (upkeep_is_repeated(s, m)) {
        done = s->upkeep_last;
    } else {
        done.kind = MESSAGE_UPKEEP_DONE;
        done.body.upkeep_done = (message_upkeep){.kind = m->body.upkeep.kind};
        shell_flush(s);
        if (s->full)
            shell_drop(s, request); /* it is repeated */
        if (s->failure || s->full)
            return;
        const uint32_t kind = m->body.upkeep.kind;
        const uint64_t begun_ms = shell_now();
        etna_code code = upkeep_check_pause(s, request, kind, &err);
        if (!code) {
            code = upkeep_do(s, &m->body.upkeep, &done.body.upkeep_done, &err);
            upkeep_note_time(s, kind, begun_ms);
        }
        if (code) {
            request_refuse(s, request, m, err.code, err.text);
            return;
        }
        s->upkeep_last = done;
    }
    done.version = MESSAGE_VERSION;
    done.epoch = store_epoch(s->options.store);
    done.sender = 0;
    shell_answer(s, request, &done);
}
