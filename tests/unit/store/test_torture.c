/* Allocation failures: the N-th allocation of everything a store does fails,
 * for all N. */
#include "support.h"
#include "tests/support/torture.h"

#include <stdlib.h>
#include <string.h>

typedef struct work {
    const char *path; /* NULL: in memory */
} work;

static etna_code nothing(void *context,
                         uint64_t sequence,
                         const uint8_t *record,
                         size_t size,
                         etna_error *err)
{
    (void)context, (void)sequence, (void)record, (void)size, (void)err;
    return ETNA_OK;
}

static bool keep_none(void *context, const etna_hash *blob)
{
    (void)context, (void)blob;
    return false;
}

static etna_code write_all(store *s,
                           const etna_hash *hash,
                           const char *text,
                           size_t size)
{
    store_run run = run_row(1, 1);
    etna_id id = run_id(1);
    etna_slot slot = {.node = 1};
    store_reply reply = {.reply = *hash};
    store_group *group;
    etna_code code = store_group_begin(s, &group, NULL);
    if (code)
        return code;
    code = store_put_run(group, &run, NULL);
    if (!code)
        code = store_put_blob(group, hash, text, size, NULL);
    if (!code)
        code = store_put_reply(group, &id, &slot, &reply, NULL);
    if (!code)
        code = store_append(group, &id, 1, "a", 1, NULL);
    if (!code)
        code = store_append(group, &id, 2, "b", 1, NULL);
    if (code) {
        store_group_abandon(group);
        return code;
    }
    return store_group_commit(group, NULL);
}

static etna_code read_all(store *s, const etna_hash *hash)
{
    etna_id id = run_id(1);
    etna_slot slot = {.node = 1};
    store_reply reply;
    store_run run, *runs;
    store_stats stats;
    etna_arena arena = ETNA_ARENA_INIT;
    uint8_t *data;
    size_t size;
    uint64_t faults, removed, bytes;
    etna_code code = store_get_run(s, &id, &run, &arena, NULL);
    if (!code)
        code = store_list_runs(s, &arena, &runs, &size, NULL);
    if (!code)
        code = store_read_journal(s, &id, 0, nothing, NULL, NULL);
    if (!code)
        code = store_get_reply(s, &id, &slot, &reply, NULL);
    if (!code)
        code = store_get_stats(s, &stats, NULL);
    if (!code)
        code = store_verify(s, NULL, NULL, &faults, NULL);
    if (!code)
        code = store_get_blob(s, hash, &data, &size, NULL);
    if (!code)
        free(data);
    if (!code)
        code = store_gc(s, keep_none, NULL, &removed, &bytes, NULL);
    etna_arena_free(&arena);
    return code;
}

static bool use_store(void *context)
{
    const work *w = context;
    static char text[5000];
    memset(text, 'e', sizeof text);
    etna_hash hash = etna_hash_bytes(text, sizeof text);
    store_options options = store_options_default();
    store *s;
    options.path = w->path;
    etna_code code =
        w->path ? store_open(&options, &s, NULL) : store_open_memory(&s, NULL);
    if (code)
        return false;
    code = write_all(s, &hash, text, sizeof text);
    if (!code)
        code = read_all(s, &hash);
    store_close(s);
    return !code;
}

static void a_store_in_memory_reports_every_failed_allocation(void **state)
{
    (void)state;
    work w = {NULL};
    assert_true(torture(use_store, &w) > 30);
}

static bool open_store(void *context)
{
    store_options options = store_options_default();
    store *s;
    options.path = context;
    if (store_open(&options, &s, NULL))
        return false;
    store_close(s);
    return true;
}

static void opening_on_disk_reports_every_failed_allocation(void **state)
{
    fixture *f = *state;
    store_close(f->s);
    f->s = NULL;
    assert_true(torture(open_store, f->directory) > 3);
}

static bool fill_cache(void *context)
{
    (void)context;
    cache *c;
    if (cache_open(NULL, 10000, &c, NULL))
        return false;
    etna_code code = ETNA_OK;
    for (char i = 0; i < 20 && !code; i++) {
        static char text[1000];
        etna_random random = etna_random_from((uint64_t)i);
        for (size_t j = 0; j < sizeof text; j++)
            text[j] = (char)etna_random_next(&random);
        etna_hash hash = etna_hash_bytes(text, sizeof text);
        code = cache_put(c, &hash, text, sizeof text, NULL);
    }
    cache_close(c);
    return !code;
}

static void a_cache_reports_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(torture(fill_cache, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_in_memory_reports_every_failed_allocation),
        cmocka_unit_test_setup_teardown(
            opening_on_disk_reports_every_failed_allocation, set_up_disk,
            tear_down),
        cmocka_unit_test(a_cache_reports_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
