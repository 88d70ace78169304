/* See collect.h. */
#include "coordinator/shell/collect.h"
#include "coordinator/core/core.h"

#include <stdlib.h>
#include <string.h>

/* What is named so far, with repetitions; sorted once all of it is there. */
typedef struct collection {
    etna_hash *named; /* sorted, once all are there */
    size_t count, room;
    bool failed;
    store_keep_fn spare;
    void *context;
    uint64_t spared;
} collection;

static void collect_name(void *context, const etna_hash *blob)
{
    collection *c = context;
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 256;
        etna_hash *grown = realloc(c->named, room * sizeof *grown);
        if (!grown) {
            c->failed = true;
            return;
        }
        c->named = grown;
        c->room = room;
    }
    c->named[c->count++] = *blob;
}

static etna_code collect_record(void *context,
                                uint64_t sequence,
                                const uint8_t *record,
                                size_t size,
                                etna_error *err)
{
    (void)sequence;
    return core_record_hashes(record, size, collect_name, context, err);
}

static int collect_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(etna_hash));
}

static bool collect_keeps(void *context, const etna_hash *blob)
{
    collection *c = context;
    if (c->count &&
        bsearch(blob, c->named, c->count, sizeof *blob, collect_compare))
        return true;
    bool spared = c->spare && c->spare(c->context, blob);
    c->spared += spared;
    return spared;
}

etna_code collect_unnamed(store *s,
                          store_keep_fn spare,
                          void *context,
                          collect_sum *ret,
                          etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    collection c = {.spare = spare, .context = context};
    collect_sum sum = {0};
    store_run *runs;
    size_t count;
    etna_code code = store_list_runs(s, &arena, &runs, &count, err);
    for (size_t i = 0; !code && i < count; i++)
        code = store_read_journal(s, &runs[i].id, 0, collect_record, &c, err);
    if (!code && c.failed)
        code = etna_fail(
            err, ETNA_E_NOMEM,
            "out of memory collecting what is named; nothing was removed");
    if (c.count)
        qsort(c.named, c.count, sizeof *c.named, collect_compare);
    if (!code)
        code = store_gc(s, collect_keeps, &c, &sum.removed, &sum.bytes, err);
    sum.spared = c.spared;
    if (!code)
        *ret = sum;
    free(c.named);
    etna_arena_free(&arena);
    return code;
}
