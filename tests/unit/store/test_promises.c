/* Every promise of store.h that does not need a second process, held by both
 * makers through the same functions. */
#include "store/owner.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_run_row_is_replaced_and_read_back(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run run = run_row(1, 5), got;
    put_run(s, 1, 4);
    run.state = RUN_COMPLETE;
    run.ended_ms = 9;
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_run(group, &run, NULL));
    ok(store_group_commit(group, NULL));
    ok(store_get_run(s, &run.id, &got, &arena, NULL));
    assert_int_equal(got.state, RUN_COMPLETE);
    assert_int_equal(got.started_ms, 5);
    assert_int_equal(got.ended_ms, 9);
    assert_string_equal(got.scene, "room.glb");
    assert_string_equal(got.goal, "tidy up");
    assert_int_equal(got.config_size, run.config_size);
    assert_memory_equal(got.config, run.config, run.config_size);
    etna_id none = run_id(2);
    assert_int_equal(store_get_run(s, &none, &got, &arena, NULL),
                     ETNA_E_NOTFOUND);
    etna_arena_free(&arena);
}

static void runs_are_listed_newest_first(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs;
    size_t count;
    ok(store_list_runs(s, &arena, &runs, &count, NULL));
    assert_int_equal(count, 0);
    for (uint8_t i = 1; i <= 40; i++)
        put_run(s, i, (uint64_t)(i * 37 % 41) * 1000);
    ok(store_list_runs(s, &arena, &runs, &count, NULL));
    assert_int_equal(count, 40);
    for (size_t i = 1; i < count; i++)
        assert_true(runs[i - 1].started_ms > runs[i].started_ms);
    etna_arena_free(&arena);
}

typedef struct heard {
    char text[4096];
    uint64_t last;
} heard;

static etna_code hear(void *context,
                      uint64_t sequence,
                      const uint8_t *record,
                      size_t size,
                      etna_error *err)
{
    (void)err;
    heard *h = context;
    if (size == 4 && !memcmp(record, "stop", 4))
        return ETNA_E_CANCELLED;
    h->last = sequence;
    strncat(h->text, (const char *)record, size);
    strcat(h->text, ";");
    return ETNA_OK;
}

static void a_journal_is_read_in_order_from_any_record(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_id one = run_id(1), none = run_id(9);
    heard h = {"", 0};
    put_run(s, 1, 1);
    put_run(s, 2, 1);
    append(s, 1, 1, "a");
    append(s, 2, 1, "x");
    append(s, 1, 2, "");
    append(s, 1, 3, "c");
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "a;;c;");
    assert_int_equal(h.last, 3);
    h.text[0] = 0;
    ok(store_read_journal(s, &one, 2, hear, &h, NULL));
    assert_string_equal(h.text, "c;");
    h.text[0] = 0;
    ok(store_read_journal(s, &one, 3, hear, &h, NULL));
    ok(store_read_journal(s, &one, 77, hear, &h, NULL));
    ok(store_read_journal(s, &none, 0, hear, &h, NULL));
    assert_string_equal(h.text, "");
    append(s, 1, 4, "stop");
    assert_int_equal(store_read_journal(s, &one, 0, hear, &h, NULL),
                     ETNA_E_CANCELLED);
    assert_int_equal(count_faults(s), 0);
}

static void records_in_one_group_chain_and_gaps_are_refused(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_id one = run_id(1), two = run_id(2);
    heard h = {"", 0};
    store_group *group;
    put_run(s, 1, 1);
    put_run(s, 2, 1);
    ok(store_group_begin(s, &group, NULL));
    assert_int_equal(store_append(group, &one, 0, "a", 1, NULL),
                     ETNA_E_INTERNAL);
    assert_int_equal(store_append(group, &one, 2, "a", 1, NULL),
                     ETNA_E_INTERNAL);
    ok(store_append(group, &one, 1, "a", 1, NULL));
    assert_int_equal(store_append(group, &one, 1, "a", 1, NULL),
                     ETNA_E_INTERNAL);
    ok(store_append(group, &two, 1, "z", 1, NULL));
    ok(store_append(group, &one, 2, "b", 1, NULL));
    assert_int_equal(
        store_append(group, &one, 3, "", (size_t)STORE_RECORD_MAX + 1, NULL),
        ETNA_E_LIMIT);
    ok(store_group_commit(group, NULL));
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "a;b;");
    append(s, 1, 3, "c");
    assert_int_equal(count_faults(s), 0);
}

static void a_group_is_whole_or_nothing(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_id one = run_id(1);
    store_run run = run_row(1, 1), got;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_hash hash = etna_hash_bytes("blob", 4);
    store_group *group, *second;
    ok(store_group_begin(s, &group, NULL));
    assert_int_equal(store_group_begin(s, &second, NULL), ETNA_E_INTERNAL);
    ok(store_put_run(group, &run, NULL));
    ok(store_append(group, &one, 1, "a", 1, NULL));
    ok(store_put_blob(group, &hash, "blob", 4, NULL));
    assert_int_equal(store_get_run(s, &one, &got, &arena, NULL),
                     ETNA_E_NOTFOUND); /* not before its commit */
    assert_false(store_has_blob(s, &hash));
    store_group_abandon(group);
    store_group_abandon(NULL);
    assert_int_equal(store_get_run(s, &one, &got, &arena, NULL),
                     ETNA_E_NOTFOUND);
    assert_false(store_has_blob(s, &hash));
    store_stats stats;
    ok(store_get_stats(s, &stats, NULL));
    assert_int_equal(stats.runs + stats.records + stats.replies + stats.blobs,
                     0);
    ok(store_group_begin(s, &group, NULL)); /* an empty one is fine */
    ok(store_group_commit(group, NULL));
    etna_arena_free(&arena);
}

static void replies_are_found_by_slot(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_hash blob = put_blob(s, "answer", 6);
    etna_id one = run_id(1), two = run_id(2);
    etna_slot slot = {.node = 3, .role = ROLE_PLANNER};
    store_reply reply;
    put_run(s, 1, 1);
    put_reply(s, 1, 3, &blob);
    ok(store_get_reply(s, &one, &slot, &reply, NULL));
    assert_true(etna_hash_equal(&reply.reply, &blob));
    assert_int_equal(reply.request.bytes[3], 9);
    assert_int_equal(reply.usage.tokens_in, 11);
    assert_int_equal(reply.usage.tokens_out, 22);
    assert_int_equal(reply.usage.calls, 1);
    assert_int_equal(store_get_reply(s, &two, &slot, &reply, NULL),
                     ETNA_E_NOTFOUND);
    uint32_t *const parts[] = {&slot.node, &slot.branch, &slot.role,
                               &slot.poll, &slot.turn,   &slot.repair};
    for (size_t i = 0; i < 6; i++) {
        ++*parts[i];
        assert_int_equal(store_get_reply(s, &one, &slot, &reply, NULL),
                         ETNA_E_NOTFOUND);
        --*parts[i];
    }
}

static void blobs_of_all_kinds_come_back_the_same(void **state)
{
    store *s = ((fixture *)*state)->s;
    enum {
        BIG = 3 << 20
    };
    uint8_t *big = malloc(BIG);
    etna_random random = etna_random_from(1);
    static const size_t sizes[] = {0, 1, 127, 128, 4096, 300 << 10, BIG};
    store_stats stats;
    uint64_t plain = 0;
    assert_non_null(big);
    for (int noisy = 0; noisy < 2; noisy++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t j = 0; j < sizes[i]; j++)
                big[j] = noisy ? (uint8_t)etna_random_next(&random)
                               : (uint8_t)(j / 100);
            etna_hash hash = put_blob(s, big, sizes[i]);
            plain += sizes[i];
            uint8_t *data;
            size_t size;
            for (int again = 0; again < 2; again++) {
                ok(store_get_blob(s, &hash, &data, &size, NULL));
                assert_int_equal(size, sizes[i]);
                assert_memory_equal(data, big, size);
                free(data);
            }
            assert_true(store_has_blob(s, &hash));
            put_blob(s, big, sizes[i]); /* again is fine */
        }
    }
    ok(store_get_stats(s, &stats, NULL));
    /* the empty one is one */
    assert_int_equal(stats.blobs, 2 * sizeof sizes / sizeof *sizes - 1);
    /* what can be packed is */
    assert_true(stats.blob_bytes < plain * 6 / 10);
    assert_true(stats.blob_bytes > plain * 4 / 10);
    assert_int_equal(count_faults(s), 0);
    etna_hash missing = etna_hash_bytes("missing", 7);
    uint8_t *data;
    size_t size;
    etna_error err;
    assert_int_equal(store_get_blob(s, &missing, &data, &size, &err),
                     ETNA_E_NOTFOUND);
    free(big);
}

static void a_blob_with_a_wrong_hash_is_refused(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_hash hash = etna_hash_bytes("right", 5);
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    assert_int_equal(store_put_blob(group, &hash, "wrong", 5, NULL),
                     ETNA_E_CORRUPT);
    ok(store_group_commit(group, NULL));
    assert_false(store_has_blob(s, &hash));
}

/* Damage: one row of `table` is replaced by what `bend` makes of it. */
typedef struct damage {
    kv_table table;
    kv_view key; /* empty: the first */
    /* flipped; SIZE_MAX: the last; past the end: the row is cut to one byte */
    size_t byte;
    bool removed;
    bool cut;
} damage;

static etna_code do_damage(kv_txn *txn, void *context, etna_error *err)
{
    const damage *d = context;
    kv_view key, row;
    uint8_t name[KV_KEY_MAX], copy[4096];
    ok(kv_seek(txn, d->table, d->key, true, &key, &row, err));
    assert_true(row.size <= sizeof copy && key.size <= sizeof name);
    memcpy(name, key.data, key.size);
    memcpy(copy, row.data, row.size);
    kv_view at = {name, key.size}, bent = {copy, row.size};
    if (d->removed)
        return kv_del(txn, d->table, at, err);
    if (d->cut) {
        bent.size = 1;
    } else {
        copy[d->byte == SIZE_MAX ? row.size - 1 : d->byte] ^= 0x40;
    }
    return kv_put(txn, d->table, at, bent, err);
}

static void fill(store *s, etna_hash *ret_blob)
{
    *ret_blob = put_blob(s, "some answer of a model", 22);
    put_run(s, 1, 1);
    append(s, 1, 1, "first");
    append(s, 1, 2, "second");
    append(s, 1, 3, "third");
    put_reply(s, 1, 3, ret_blob);
    assert_int_equal(count_faults(s), 0);
}

static void damage_of_every_kind_of_row_is_found(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_hash blob;
    fill(s, &blob);
    for (kv_table table = KV_META; table <= KV_BLOBS; table++) {
        const damage tries[] = {{.table = table, .byte = 0},
                                {.table = table, .byte = 9},
                                {.table = table, .byte = SIZE_MAX},
                                {.table = table, .cut = true}};
        /* the rows cut short in the tables before */
        uint64_t before = count_faults(s);
        for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
            damage d = tries[i];
            d.key = table == KV_META ? row_meta_key("owner")
                                     : (kv_view){(const uint8_t *)"", 0};
            ok(kv_write(s->db, do_damage, &d, NULL));
            if (count_faults(s) <= before)
                fail_msg("table %d, damage %zu went unseen", (int)table, i);
            if (d.cut)
                break;
            /* the same flip mends it */
            ok(kv_write(s->db, do_damage, &d, NULL));
            assert_int_equal(count_faults(s), before);
        }
    }
}

typedef struct carried_row { /* from one store into another */
    uint8_t key[ROW_JOURNAL_KEY], bytes[512];
    size_t size;
} carried_row;

static etna_code carry_out(kv_txn *txn, void *context, etna_error *err)
{
    carried_row *row = context;
    kv_view found;
    ok(kv_get(txn, KV_JOURNAL, (kv_view){row->key, sizeof row->key}, &found,
              err));
    assert_true(found.size <= sizeof row->bytes);
    memcpy(row->bytes, found.data, found.size);
    row->size = found.size;
    return ETNA_OK;
}

static etna_code carry_in(kv_txn *txn, void *context, etna_error *err)
{
    const carried_row *row = context;
    return kv_put(txn, KV_JOURNAL, (kv_view){row->key, sizeof row->key},
                  (kv_view){row->bytes, row->size}, err);
}

/* As when a file was put together of two copies: each of its records is
 * whole. */
static void a_record_that_follows_another_one_is_found(void **state)
{
    store *s = ((fixture *)*state)->s, *other;
    etna_id one = run_id(1);
    heard h = {"", 0};
    carried_row row = {.size = 0};
    ok(store_open_memory(&other, NULL));
    put_run(s, 1, 1);
    put_run(other, 1, 1);
    append(s, 1, 1, "first");
    append(other, 1, 1, "another");
    append(s, 1, 2, "second");
    append(other, 1, 2, "second");
    row_journal_key(&one, 2, row.key);
    ok(kv_read(other->db, carry_out, &row, NULL));
    ok(kv_write(s->db, carry_in, &row, NULL));
    assert_int_equal(store_read_journal(s, &one, 0, hear, &h, NULL),
                     ETNA_E_CORRUPT);
    assert_string_equal(h.text, "first;");
    assert_int_equal(count_faults(s), 1);
    store_close(other);
}

static void a_missing_row_is_found(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_hash blob;
    fill(s, &blob);
    uint8_t second[ROW_JOURNAL_KEY];
    etna_id one = run_id(1);
    row_journal_key(&one, 2, second);
    damage record = {
        .table = KV_JOURNAL, .key = {second, sizeof second}, .removed = true};
    ok(kv_write(s->db, do_damage, &record, NULL));
    assert_int_equal(count_faults(s), 1);
    heard h = {"", 0};
    /* reading ends at the hole */
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "first;");
    damage gone = {
        .table = KV_BLOBS, .key = {(const uint8_t *)"", 0}, .removed = true};
    ok(kv_write(s->db, do_damage, &gone, NULL));
    assert_int_equal(count_faults(s), 2);
    gone.table = KV_RUNS;
    ok(kv_write(s->db, do_damage, &gone, NULL));
    /* its journal and its reply have no run */
    assert_int_equal(count_faults(s), 4);
}

static void damage_is_refused_when_read(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_id one = run_id(1);
    etna_hash blob;
    heard h = {"", 0};
    store_run run, *runs;
    size_t size;
    uint8_t *data, second[ROW_JOURNAL_KEY];
    etna_slot slot = {.node = 3, .role = ROLE_PLANNER};
    store_reply reply;
    etna_error err;
    fill(s, &blob);
    hashset_free(&s->verified); /* as a new process */
    row_journal_key(&one, 2, second);
    damage record = {
        .table = KV_JOURNAL, .key = {second, sizeof second}, .byte = 33};
    ok(kv_write(s->db, do_damage, &record, NULL));
    assert_int_equal(store_read_journal(s, &one, 0, hear, &h, &err),
                     ETNA_E_CORRUPT);
    assert_non_null(strstr(err.text, "record 2"));
    assert_string_equal(h.text, "first;");
    static const kv_table tables[] = {KV_RUNS, KV_REPLIES, KV_BLOBS};
    for (size_t i = 0; i < 3; i++) {
        damage d = {.table = tables[i],
                    .key = {(const uint8_t *)"", 0},
                    .byte = SIZE_MAX};
        ok(kv_write(s->db, do_damage, &d, NULL));
    }
    assert_int_equal(store_get_run(s, &one, &run, &arena, NULL),
                     ETNA_E_CORRUPT);
    assert_int_equal(store_list_runs(s, &arena, &runs, &size, NULL),
                     ETNA_E_CORRUPT);
    assert_int_equal(store_get_reply(s, &one, &slot, &reply, NULL),
                     ETNA_E_CORRUPT);
    assert_int_equal(store_get_blob(s, &blob, &data, &size, NULL),
                     ETNA_E_CORRUPT);
    put_blob(s, "some answer of a model", 22); /* putting it again heals it */
    ok(store_get_blob(s, &blob, &data, &size, NULL));
    free(data);
    etna_arena_free(&arena);
}

static bool keep_one(void *context, const etna_hash *blob)
{
    return etna_hash_equal(context, blob);
}

static void gc_keeps_what_is_named(void **state)
{
    store *s = ((fixture *)*state)->s;
    uint64_t removed, bytes;
    store_stats stats;
    put_run(s, 1, 1);
    etna_hash answer = put_blob(s, "answer", 6), kept = put_blob(s, "kept", 4);
    put_reply(s, 1, 1, &answer);
    for (int i = 0; i < 300; i++)
        put_blob(s, &i, sizeof i);
    ok(store_gc(s, keep_one, &kept, &removed, &bytes, NULL));
    assert_int_equal(removed, 300);
    assert_true(bytes >= 300 * sizeof(int));
    ok(store_get_stats(s, &stats, NULL));
    assert_int_equal(stats.blobs, 2);
    assert_true(store_has_blob(s, &answer) && store_has_blob(s, &kept));
    assert_int_equal(count_faults(s), 0);
    int again = 5;
    etna_hash back = put_blob(s, &again, sizeof again);
    assert_true(store_has_blob(s, &back));
}

static etna_code raise_epoch(kv_txn *txn, void *context, etna_error *err)
{
    (void)context;
    kv_view row;
    store_owner owner;
    uint8_t *bytes;
    size_t size;
    ok(kv_get(txn, KV_META, row_meta_key("owner"), &row, err));
    assert_true(owner_decode(row.data, row.size, &owner));
    owner.epoch++;
    ok(owner_encode(&owner, &bytes, &size, err));
    etna_code code = kv_put(txn, KV_META, row_meta_key("owner"),
                            (kv_view){bytes, size}, err);
    free(bytes);
    return code;
}

static void a_removed_run_is_gone_and_its_neighbours_are_whole(void **state)
{
    fixture *f = *state;
    static const char text[] = "named by a reply";
    store_stats st;
    store_run row;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_id two = run_id(2), four = run_id(4);
    etna_hash blob = put_blob(f->s, text, sizeof text);
    for (uint8_t i = 1; i <= 3; i++) {
        put_run(f->s, i, i);
        for (uint64_t n = 1; n <= 4; n++)
            append(f->s, i, n, "a record");
        put_reply(f->s, i, 1, &blob);
    }
    ok(store_remove_run(f->s, &two, NULL));
    assert_int_equal(store_get_run(f->s, &two, &row, &arena, NULL),
                     ETNA_E_NOTFOUND);
    ok(store_get_stats(f->s, &st, NULL));
    assert_int_equal(st.runs, 2);
    assert_int_equal(st.records, 8);
    assert_int_equal(st.replies, 2);
    assert_int_equal(count_faults(f->s), 0);
    assert_int_equal(store_remove_run(f->s, &two, NULL), ETNA_E_NOTFOUND);
    assert_int_equal(store_remove_run(f->s, &four, NULL), ETNA_E_NOTFOUND);
    put_run(f->s, 2, 9); /* and may come again, from its first record */
    append(f->s, 2, 1, "anew");
    assert_int_equal(count_faults(f->s), 0);
    etna_arena_free(&arena);
}

static void a_copy_is_a_store_by_itself(void **state)
{
    fixture *f = *state;
    char to[FOLDER_SIZE + 16];
    store_options options = store_options_default();
    store_stats st;
    store *copy;
    snprintf(to, sizeof to, "%s/copy", f->directory);
    put_run(f->s, 1, 1);
    append(f->s, 1, 1, "a record");
    store_close(f->s); /* one process opens it once */
    f->s = NULL;
    ok(store_copy(f->directory, to, NULL));
    /* there is one now */
    assert_int_equal(store_copy(f->directory, to, NULL), ETNA_E_USAGE);
    options.path = to;
    ok(store_open(&options, &copy, NULL));
    ok(store_get_stats(copy, &st, NULL));
    assert_int_equal(st.runs, 1);
    assert_int_equal(st.records, 1);
    assert_int_equal(count_faults(copy), 0);
    append(copy, 1, 2, "only there");
    store_close(copy);
    assert_int_equal(store_copy("/nonexistent", to, NULL), ETNA_E_USAGE);
    snprintf(to, sizeof to, "%s/other", f->directory);
    assert_int_equal(store_copy("/nonexistent", to, NULL), ETNA_E_NOTFOUND);
    options.path = f->directory;
    ok(store_open(&options, &f->s, NULL));
    ok(store_get_stats(f->s, &st, NULL));
    assert_int_equal(st.records, 1);
}

static void a_stale_owner_appends_nothing(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_id one = run_id(1);
    store_group *group;
    put_run(s, 1, 1);
    append(s, 1, 1, "mine");
    ok(store_group_begin(s, &group, NULL));
    ok(store_append(group, &one, 2, "late", 4, NULL));
    ok(kv_write(s->db, raise_epoch, NULL, NULL));
    assert_int_equal(store_group_commit(group, NULL), ETNA_E_STALE);
    assert_int_equal(store_group_begin(s, &group, NULL),
                     ETNA_E_STALE); /* and is dead from then on */
    uint64_t faults;
    assert_int_equal(store_verify(s, NULL, NULL, &faults, NULL), ETNA_E_STALE);
    s->dead = ETNA_OK; /* look at what is there */
    heard h = {"", 0};
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "mine;");
}

static void outputs_stay_as_they_were_on_failure(void **state)
{
    store *s = ((fixture *)*state)->s;
    etna_hash missing = etna_hash_bytes("missing", 7);
    uint8_t here, *data = &here;
    size_t size = 12345;
    assert_int_equal(store_get_blob(s, &missing, &data, &size, NULL),
                     ETNA_E_NOTFOUND);
    assert_ptr_equal(data, &here);
    assert_int_equal(size, 12345);
}

static void a_failed_commit_kills_the_store(void **state)
{
    store *s = ((fixture *)*state)->s;
    store_group *group;
    etna_id one = run_id(1);
    etna_error err;
    put_run(s, 1, 1);
    store_memory_fail(s, 1, ETNA_E_IO);
    append(s, 1, 1, "kept");
    ok(store_group_begin(s, &group, NULL));
    ok(store_append(group, &one, 2, "lost", 4, NULL));
    assert_int_equal(store_group_commit(group, NULL), ETNA_E_IO);
    assert_int_equal(store_group_begin(s, &group, &err), ETNA_E_IO);
    assert_non_null(strstr(err.text, "start again"));
    store_memory_fail(s, 0, ETNA_OK);
    assert_int_equal(store_group_begin(s, &group, NULL), ETNA_E_IO);
    s->dead = ETNA_OK;
    heard h = {"", 0};
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "kept;");
}

static void a_commit_that_meets_a_full_disk_is_done_again(void **state)
{
    store *s = ((fixture *)*state)->s;
    store_group *group;
    etna_id one = run_id(1);
    put_run(s, 1, 1);
    store_memory_fail(s, 0, ETNA_E_FULL);
    ok(store_group_begin(s, &group, NULL));
    ok(store_append(group, &one, 1, "first", 5, NULL));
    assert_int_equal(store_group_commit(group, NULL), ETNA_E_FULL);
    /* what comes meanwhile joins it */
    ok(store_append(group, &one, 2, "second", 6, NULL));
    assert_int_equal(store_group_commit(group, NULL), ETNA_E_FULL);
    store_memory_fail(s, UINT64_MAX, ETNA_OK);
    ok(store_group_commit(group, NULL));
    heard h = {"", 0};
    ok(store_read_journal(s, &one, 0, hear, &h, NULL));
    assert_string_equal(h.text, "first;second;");
}

/* Its successor has gone on with the journal, so the record would not follow
 * either; but why is what it must be told. */
static void a_stale_owner_hears_that_it_is_stale_before_anything_else(
    void **state)
{
    (void)state;
    kv *db;
    store *before, *after;
    store_group *group;
    const etna_id run = run_id(1);
    ok(kv_open_memory(&db, NULL));
    ok(store_open_on(db, 0, &before, NULL));
    append(before, 1, 1, "a");
    ok(store_open_on(db, 0, &after, NULL));
    append(after, 1, 2, "b");
    ok(store_group_begin(before, &group, NULL));
    assert_int_equal(store_append(group, &run, 2, "c", 1, NULL), ETNA_E_STALE);
    store_group_abandon(group);
    before->db = NULL; /* the other's to close */
    store_close(before);
    store_close(after);
}

#define both(test) \
    cmocka_unit_test_setup_teardown(test, set_up_memory, tear_down), \
        cmocka_unit_test_setup_teardown(test, set_up_disk, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        both(a_run_row_is_replaced_and_read_back),
        both(runs_are_listed_newest_first),
        both(a_journal_is_read_in_order_from_any_record),
        both(records_in_one_group_chain_and_gaps_are_refused),
        both(a_group_is_whole_or_nothing),
        both(replies_are_found_by_slot),
        both(blobs_of_all_kinds_come_back_the_same),
        both(a_blob_with_a_wrong_hash_is_refused),
        both(damage_of_every_kind_of_row_is_found),
        both(a_record_that_follows_another_one_is_found),
        both(a_missing_row_is_found),
        both(damage_is_refused_when_read),
        both(gc_keeps_what_is_named),
        both(a_removed_run_is_gone_and_its_neighbours_are_whole),
        cmocka_unit_test_setup_teardown(a_copy_is_a_store_by_itself,
                                        set_up_disk, tear_down),
        both(a_stale_owner_appends_nothing),
        both(outputs_stay_as_they_were_on_failure),
        cmocka_unit_test(
            a_stale_owner_hears_that_it_is_stale_before_anything_else),
        cmocka_unit_test_setup_teardown(a_failed_commit_kills_the_store,
                                        set_up_memory, tear_down),
        cmocka_unit_test_setup_teardown(
            a_commit_that_meets_a_full_disk_is_done_again, set_up_memory,
            tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
