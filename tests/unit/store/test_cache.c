/* The cache: both makers through the same functions, and what only the shared
 * one on disk promises. */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct cache_fixture {
    char directory[FOLDER_SIZE];
    cache *c;
} cache_fixture;

enum {
    ITEM = 1000,
    LIMIT = 10 * (ITEM + 9)
};

static int open_memory(void **state)
{
    cache_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    ok(cache_open(NULL, LIMIT, &f->c, NULL));
    *state = f;
    return 0;
}

static int open_disk(void **state)
{
    cache_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    folder_make(f->directory);
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    *state = f;
    return 0;
}

static int close_it(void **state)
{
    cache_fixture *f = *state;
    cache_close(f->c);
    if (f->directory[0])
        folder_remove(f->directory);
    free(f);
    return 0;
}

static etna_hash item(uint64_t number, uint8_t bytes[ITEM])
{
    etna_random random = etna_random_from(number);
    for (int i = 0; i < ITEM; i++)
        bytes[i] = (uint8_t)etna_random_next(&random);
    return etna_hash_bytes(bytes, ITEM);
}

static void put(cache *c, uint64_t number)
{
    uint8_t bytes[ITEM];
    etna_hash hash = item(number, bytes);
    ok(cache_put(c, &hash, bytes, ITEM, NULL));
}

static bool has(cache *c, uint64_t number)
{
    uint8_t bytes[ITEM], *data;
    size_t size;
    etna_hash hash = item(number, bytes);
    etna_code code = cache_get(c, &hash, &data, &size, NULL);
    if (code == ETNA_E_NOTFOUND)
        return false;
    ok(code);
    assert_int_equal(size, ITEM);
    assert_memory_equal(data, bytes, ITEM);
    free(data);
    return true;
}

static void what_is_put_is_got(void **state)
{
    cache *c = ((cache_fixture *)*state)->c;
    assert_false(has(c, 1));
    put(c, 1);
    put(c, 1);
    assert_true(has(c, 1));
    etna_hash empty = etna_hash_bytes("", 0);
    ok(cache_put(c, &empty, "", 0, NULL));
    uint8_t *data;
    size_t size;
    ok(cache_get(c, &empty, &data, &size, NULL));
    assert_int_equal(size, 0);
    free(data);
    assert_int_equal(cache_put(c, &empty, "x", 1, NULL), ETNA_E_CORRUPT);
}

static void the_least_recently_used_goes_first(void **state)
{
    cache *c = ((cache_fixture *)*state)->c;
    for (uint64_t i = 1; i <= 10; i++)
        put(c, i);
    for (uint64_t i = 1; i <= 10; i++)
        assert_true(has(c, i));
    assert_true(has(c, 3)); /* used after all others */
    for (uint64_t i = 11; i <= 19; i++)
        put(c, i);
    assert_true(has(c, 3));
    assert_false(has(c, 1));
    assert_false(has(c, 10));
    for (uint64_t i = 11; i <= 19; i++)
        assert_true(has(c, i));
    put(c, 20);
    assert_false(has(c, 3));
}

static void recency_outlives_many_reads(void **state)
{
    cache *c = ((cache_fixture *)*state)->c;
    for (uint64_t i = 1; i <= 10; i++)
        put(c, i);
    for (int i = 0; i < 700; i++)
        /* the batch is written in between, too */
        assert_true(has(c, 1 + (uint64_t)i % 2));
    for (uint64_t i = 11; i <= 18; i++)
        put(c, i);
    assert_true(has(c, 1) && has(c, 2));
    for (uint64_t i = 3; i <= 10; i++)
        assert_false(has(c, i));
}

static void a_blob_over_the_limit_is_not_kept(void **state)
{
    cache *c = ((cache_fixture *)*state)->c;
    static uint8_t big[LIMIT];
    etna_random random = etna_random_from(5);
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (uint8_t)etna_random_next(&random);
    etna_hash hash = etna_hash_bytes(big, sizeof big);
    put(c, 1);
    assert_int_equal(cache_put(c, &hash, big, sizeof big, NULL), ETNA_E_LIMIT);
    assert_true(has(c, 1));
}

static void it_is_kept_over_a_restart(void **state)
{
    cache_fixture *f = *state;
    for (uint64_t i = 1; i <= 10; i++)
        put(f->c, i);
    assert_true(has(f->c, 1));
    cache_close(f->c); /* writes recency down */
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    put(f->c, 11);
    assert_true(has(f->c, 1));
    assert_false(has(f->c, 2));
    assert_true(has(f->c, 11));
}

/* Flips a byte of every blob in the data file by overwriting the item's bytes
 * where they lie. */
static void spoil(const char *directory, uint64_t number)
{
    char path[128];
    uint8_t bytes[ITEM];
    item(number, bytes);
    snprintf(path, sizeof path, "%s/data.mdb", directory);
    FILE *file = fopen(path, "r+be");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file), found = 0;
    uint8_t *all = malloc(size);
    assert_non_null(all);
    rewind(file);
    assert_int_equal(fread(all, 1, size, file), size);
    for (size_t i = 0; i + ITEM <= size; i++) {
        if (memcmp(all + i, bytes, ITEM) != 0)
            continue;
        fseek(file, (long)(i + 500), SEEK_SET);
        fputc(bytes[500] ^ 1, file);
        found++;
    }
    fclose(file);
    free(all);
    assert_true(found > 0);
}

static void a_damaged_blob_is_dropped_and_missed(void **state)
{
    cache_fixture *f = *state;
    put(f->c, 1);
    put(f->c, 2);
    cache_close(f->c);
    spoil(f->directory, 1);
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    assert_false(has(f->c, 1));
    assert_true(has(f->c, 2));
    put(f->c, 1);
    assert_true(has(f->c, 1));
}

static void two_processes_share_it(void **state)
{
    cache_fixture *f = *state;
    put(f->c, 1);
    int from_child[2];
    assert_int_equal(pipe(from_child), 0);
    pid_t pid = fork();
    if (!pid) {
        cache *own = NULL;
        bool good = !cache_open(f->directory, LIMIT, &own, NULL) && has(own, 1);
        if (good)
            put(own, 2);
        cache_close(own);
        _exit(good ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(from_child[0]);
    close(from_child[1]);
    assert_true(has(f->c, 2));
}

static void a_killed_writer_does_no_harm(void **state)
{
    cache_fixture *f = *state;
    for (int round = 0; round < 8; round++) {
        pid_t pid = fork();
        if (!pid) {
            cache *own;
            if (cache_open(f->directory, LIMIT, &own, NULL))
                _exit(1);
            for (uint64_t i = 0;; i++)
                put(own, i % 50);
        }
        usleep(3000 + 2000 * (useconds_t)round);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        put(f->c, 100 + (uint64_t)round);
        assert_true(has(f->c, 100 + (uint64_t)round));
    }
}

static etna_code stop_inside(kv_txn *txn, void *context, etna_error *err)
{
    (void)txn, (void)context, (void)err;
    raise(SIGSTOP);
    return ETNA_OK;
}

/* A process that is stopped in the middle of a write of this cache. */
static pid_t stopped_writer(const char *directory)
{
    pid_t pid = fork();
    if (!pid) {
        const kv_options options = {.path = directory,
                                    .disposable = true,
                                    .tables = 1 << KV_META | 1 << KV_BLOBS |
                                              1 << KV_USED | 1 << KV_ORDER};
        kv *own;
        _exit(kv_open_lmdb(&options, &own, NULL) ||
              kv_write(own, stop_inside, NULL, NULL));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    return pid;
}

/* It ends: that is the test. Without an end to the waiting it hangs here until
 * somebody's patience is over. */
static void a_stopped_writer_stops_nobody_else(void **state)
{
    cache_fixture *f = *state;
    uint8_t bytes[ITEM];
    etna_hash hash = item(2, bytes);
    put(f->c, 1);
    cache_close(f->c);
    pid_t pid = stopped_writer(f->directory);
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    assert_true(has(f->c, 1));
    for (int i = 0; i < 100; i++)
        assert_int_equal(cache_put(f->c, &hash, bytes, ITEM, NULL),
                         ETNA_E_OWNED);
    cache_maintain(f->c);
    kill(pid, SIGCONT);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    put(f->c, 2);
    pid = stopped_writer(f->directory);
    hash = item(3, bytes);
    assert_int_equal(cache_put(f->c, &hash, bytes, ITEM, NULL), ETNA_E_OWNED);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    put(f->c, 3);
    assert_true(has(f->c, 2) && has(f->c, 3));
}

static void after_a_new_boot_or_damage_it_begins_empty(void **state)
{
    cache_fixture *f = *state;
    char path[128];
    put(f->c, 1);
    cache_close(f->c);
    snprintf(path, sizeof path, "%s/boot", f->directory);
    FILE *file = fopen(path, "we");
    fputs("another boot", file);
    fclose(file);
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    assert_false(has(f->c, 1));
    put(f->c, 1);
    cache_close(f->c);
    snprintf(path, sizeof path, "%s/data.mdb", f->directory);
    file = fopen(path, "r+be");
    for (int i = 0; i < 8192; i++)
        fputc(0x5a, file);
    fclose(file);
    ok(cache_open(f->directory, LIMIT, &f->c, NULL));
    assert_false(has(f->c, 1));
    put(f->c, 1);
    assert_true(has(f->c, 1));
}

/* Reading what is not there would end its reader by SIGBUS. */
static void one_that_was_cut_short_begins_empty(void **state)
{
    cache_fixture *f = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/data.mdb", f->directory);
    for (off_t size = 8192; size <= 40960; size += 8192) {
        for (uint64_t i = 0; i < 40; i++)
            put(f->c, i);
        cache_close(f->c);
        assert_int_equal(truncate(path, size), 0);
        ok(cache_open(f->directory, LIMIT, &f->c, NULL));
        assert_false(has(f->c, 1));
    }
}

static void one_that_evicts_is_not_taken_for_cut(void **state)
{
    cache_fixture *f = *state;
    for (uint64_t i = 0; i < 400; i++) {
        put(f->c, i);
        if (i % 10)
            continue;
        cache_close(f->c);
        ok(cache_open(f->directory, LIMIT, &f->c, NULL));
        assert_true(has(f->c, i));
    }
}

static void a_directory_that_others_may_write_is_refused(void **state)
{
    (void)state;
    char directory[FOLDER_SIZE];
    cache *c;
    folder_make(directory);
    chmod(directory, 0777);
    assert_int_equal(cache_open(directory, LIMIT, &c, NULL), ETNA_E_IO);
    folder_remove(directory);
    cache_close(NULL);
}

#define both(test) \
    cmocka_unit_test_setup_teardown(test, open_memory, close_it), \
        cmocka_unit_test_setup_teardown(test, open_disk, close_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        both(what_is_put_is_got),
        both(the_least_recently_used_goes_first),
        both(recency_outlives_many_reads),
        both(a_blob_over_the_limit_is_not_kept),
        cmocka_unit_test_setup_teardown(it_is_kept_over_a_restart, open_disk,
                                        close_it),
        cmocka_unit_test_setup_teardown(a_damaged_blob_is_dropped_and_missed,
                                        open_disk, close_it),
        cmocka_unit_test_setup_teardown(two_processes_share_it, open_disk,
                                        close_it),
        cmocka_unit_test_setup_teardown(a_killed_writer_does_no_harm, open_disk,
                                        close_it),
        cmocka_unit_test_setup_teardown(a_stopped_writer_stops_nobody_else,
                                        open_disk, close_it),
        cmocka_unit_test_setup_teardown(
            after_a_new_boot_or_damage_it_begins_empty, open_disk, close_it),
        cmocka_unit_test_setup_teardown(one_that_was_cut_short_begins_empty,
                                        open_disk, close_it),
        cmocka_unit_test_setup_teardown(one_that_evicts_is_not_taken_for_cut,
                                        open_disk, close_it),
        cmocka_unit_test(a_directory_that_others_may_write_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
