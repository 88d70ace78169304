/* What only a store on disk promises: it is there after a restart, has one
 * owner, and refuses what it must not touch. */
#include "store/filesystem.h"
#include "store/owner.h"
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static etna_code open_at(const char *path,
                         bool read_only,
                         store **ret,
                         etna_error *err)
{
    store_options options = store_options_default();
    options.path = path;
    options.read_only = read_only;
    options.endpoint = "ipc:///run/here";
    return store_open(&options, ret, err);
}

/* A child that opens the store, says so through a pipe, and lives until
 * killed. */
static pid_t spawn_owner(const char *path)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (!pid) {
        store *s;
        etna_error err = {ETNA_OK, ""};
        if (open_at(path, false, &s, &err))
            _exit(1);
        (void)!write(ready[1], "r", 1);
        for (;;)
            pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void what_was_committed_is_there_after_a_restart(void **state)
{
    fixture *f = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_id one = run_id(1);
    store_run run;
    etna_hash blob = put_blob(f->s, "blob", 4);
    put_run(f->s, 1, 1);
    append(f->s, 1, 1, "a");
    put_reply(f->s, 1, 1, &blob);
    uint64_t epoch = store_epoch(f->s);
    reopen(f);
    assert_int_equal(store_epoch(f->s), epoch + 1);
    ok(store_get_run(f->s, &one, &run, &arena, NULL));
    assert_true(store_has_blob(f->s, &blob));
    append(f->s, 1, 2, "b");
    assert_int_equal(count_faults(f->s), 0);
    etna_arena_free(&arena);
}

static void
an_owner_of_a_store_that_went_back_in_time_has_a_later_epoch_than_any_before(
    void **state)
{
    fixture *f = *state;
    store_options options = store_options_default();
    const uint64_t opened[][2] = {/* not before, and the epoch */
                                  {1700, 1700},
                                  {1700, 1701},
                                  {9, 1702},
                                  {1800, 1800}};
    store_close(f->s);
    f->s = NULL;
    options.path = f->directory;
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        store *s;
        options.epoch_least = opened[i][0];
        ok(store_open(&options, &s, NULL));
        assert_int_equal(store_epoch(s), opened[i][1]);
        store_close(s);
    }
}

static void a_second_owner_is_refused_by_name(void **state)
{
    fixture *f = *state;
    etna_error err;
    store *second;
    store_owner owner;
    bool alive;
    char number[32];
    store_close(f->s);
    f->s = NULL;
    pid_t pid = spawn_owner(f->directory);
    snprintf(number, sizeof number, "process %d ", (int)pid);
    assert_int_equal(open_at(f->directory, false, &second, &err), ETNA_E_OWNED);
    assert_non_null(strstr(err.text, number));
    assert_non_null(strstr(err.text, "ipc:///run/here"));
    ok(store_owner_read(f->directory, &owner, &alive, &err));
    assert_true(alive);
    assert_int_equal(owner.pid, pid);
    assert_int_equal(owner.epoch, 2);
    end(pid); /* the kernel drops the lock */
    ok(store_owner_read(f->directory, &owner, &alive, &err));
    assert_false(alive);
    assert_int_equal(owner.pid, pid);
    reopen(f);
    assert_int_equal(store_epoch(f->s), 3);
}

static void reading_beside_a_living_owner_is_fine(void **state)
{
    fixture *f = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    store *reader;
    store_run *runs;
    store_group *group;
    size_t count;
    put_run(f->s, 1, 1);
    store_close(f->s);
    f->s = NULL;
    pid_t pid = spawn_owner(f->directory);
    ok(open_at(f->directory, true, &reader, NULL));
    ok(store_list_runs(reader, &arena, &runs, &count, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(count_faults(reader), 0);
    assert_int_equal(store_group_begin(reader, &group, NULL), ETNA_E_INTERNAL);
    uint64_t removed, bytes;
    assert_int_equal(store_gc(reader, NULL, NULL, &removed, &bytes, NULL),
                     ETNA_E_INTERNAL);
    store_maintain(reader);
    store_close(reader);
    end(pid);
    etna_arena_free(&arena);
}

static void one_process_opens_it_once(void **state)
{
    fixture *f = *state;
    store *second;
    assert_int_equal(open_at(f->directory, false, &second, NULL), ETNA_E_OWNED);
    assert_int_equal(open_at(f->directory, true, &second, NULL),
                     ETNA_E_INTERNAL);
    append(f->s, 1, 1, "still ours"); /* the attempt did not drop our lock */
    pid_t pid = fork();
    if (!pid)
        _exit(open_at(f->directory, false, &second, NULL) == ETNA_E_OWNED ? 0
                                                                          : 1);
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

/* `context`: the number. */
static etna_code write_format(kv_txn *txn, void *context, etna_error *err)
{
    uint8_t *row;
    size_t size;
    ok(row_encode_format(*(const uint32_t *)context, &row, &size, err));
    etna_code code =
        kv_put(txn, KV_META, row_meta_key("format"), (kv_view){row, size}, err);
    free(row);
    return code;
}

static void a_newer_format_is_refused_untouched(void **state)
{
    fixture *f = *state;
    etna_error err;
    store *s;
    uint32_t newer = STORE_FORMAT + 1;
    ok(kv_write(f->s->db, write_format, &newer, NULL));
    store_close(f->s);
    f->s = NULL;
    assert_int_equal(open_at(f->directory, false, &s, &err), ETNA_E_NEWER);
    assert_non_null(strstr(err.text, f->directory));
    assert_int_equal(open_at(f->directory, true, &s, &err), ETNA_E_NEWER);
    store_owner owner;
    bool alive;
    ok(store_owner_read(f->directory, &owner, &alive, NULL));
    assert_int_equal(owner.epoch, 1); /* nobody took it over */
}

static void an_older_format_is_refused_with_what_to_do(void **state)
{
    fixture *f = *state;
    etna_error err;
    store *s;
    uint32_t older = STORE_FORMAT - 1;
    ok(kv_write(f->s->db, write_format, &older, NULL));
    store_close(f->s);
    f->s = NULL;
    assert_int_equal(open_at(f->directory, false, &s, &err), ETNA_E_MESSAGE);
    assert_non_null(strstr(err.text, "--store"));
    assert_int_equal(open_at(f->directory, true, &s, &err), ETNA_E_MESSAGE);
}

static void an_older_store_is_put_aside_whole(void **state)
{
    fixture *f = *state;
    char aside[256], again[256], file[320];
    etna_error err;
    store *s;
    struct stat before, after;
    uint32_t older = STORE_FORMAT - 1;
    assert_int_equal(store_put_aside(f->directory, aside, sizeof aside, &err),
                     ETNA_E_OWNED);
    ok(kv_write(f->s->db, write_format, &older, NULL));
    store_close(f->s);
    f->s = NULL;
    snprintf(file, sizeof file, "%s/journal/data.mdb", f->directory);
    assert_int_equal(stat(file, &before), 0);
    ok(store_put_aside(f->directory, aside, sizeof aside, &err));
    assert_non_null(strstr(aside, f->directory));
    snprintf(file, sizeof file, "%s/journal/data.mdb", aside);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_size, after.st_size);
    /* a new store begins in its place, and stays there */
    ok(open_at(f->directory, false, &s, &err));
    ok(store_put_aside(aside, again, sizeof again, &err));
    assert_non_null(strstr(again, aside));
    assert_int_equal(store_put_aside(f->directory, again, sizeof again, &err),
                     ETNA_E_OWNED);
    store_close(s);
    ok(store_put_aside(f->directory, again, sizeof again, &err));
    assert_string_equal(again, "");
    ok(open_at(f->directory, true, &s, &err));
    store_close(s);
}

static void a_second_older_store_takes_no_others_place(void **state)
{
    fixture *f = *state;
    char first[256], second[256];
    store *s = f->s;
    uint32_t older = STORE_FORMAT - 1;
    ok(kv_write(s->db, write_format, &older, NULL));
    store_close(s);
    f->s = NULL;
    ok(store_put_aside(f->directory, first, sizeof first, NULL));
    ok(open_at(f->directory, false, &s, NULL));
    ok(kv_write(s->db, write_format, &older, NULL));
    store_close(s);
    ok(store_put_aside(f->directory, second, sizeof second, NULL));
    assert_string_not_equal(first, second);
    assert_int_equal(access(first, F_OK), 0);
    assert_int_equal(access(second, F_OK), 0);
}

static void a_newer_store_is_never_put_aside(void **state)
{
    fixture *f = *state;
    char aside[256], journal[256];
    uint32_t newer = STORE_FORMAT + 1;
    ok(kv_write(f->s->db, write_format, &newer, NULL));
    store_close(f->s);
    f->s = NULL;
    assert_int_equal(store_put_aside(f->directory, aside, sizeof aside, NULL),
                     ETNA_E_NEWER);
    assert_string_equal(aside, "");
    snprintf(journal, sizeof journal, "%s/journal", f->directory);
    assert_int_equal(access(journal, F_OK), 0);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
    fixture *f = *state;
    char path[128];
    etna_error err;
    store *s;
    store_close(f->s);
    f->s = NULL;
    snprintf(path, sizeof path, "%s/journal/data.mdb", f->directory);
    FILE *file = fopen(path, "we");
    for (int i = 0; i < 16384; i++)
        fputc('x', file);
    fclose(file);
    assert_int_equal(open_at(f->directory, false, &s, &err), ETNA_E_CORRUPT);
    assert_non_null(strstr(err.text, f->directory));
}

static void bad_places_are_refused_in_words(void **state)
{
    (void)state;
    char directory[FOLDER_SIZE], path[128], longer[6000];
    etna_error err;
    store *s;
    store_owner owner;
    bool alive;
    folder_make(directory);
    snprintf(path, sizeof path, "%s/none", directory);
    assert_int_equal(open_at(path, true, &s, &err), ETNA_E_NOTFOUND);
    assert_int_equal(store_owner_read(path, &owner, &alive, &err),
                     ETNA_E_NOTFOUND);
    assert_int_equal(access(path, F_OK), -1); /* looking makes nothing */
    snprintf(path, sizeof path, "%s/file", directory);
    fclose(fopen(path, "we"));
    assert_int_equal(open_at(path, false, &s, &err), ETNA_E_IO);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(open_at(path, true, &s, &err), ETNA_E_IO);
    char loop[160]; /* root may look into every folder, but not into this */
    snprintf(loop, sizeof loop, "%s/loop", directory);
    assert_int_equal(symlink("loop", loop), 0);
    assert_int_equal(open_at(loop, true, &s, &err), ETNA_E_IO);
    assert_non_null(strstr(err.text, "choose another with --store"));
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(open_at(longer, false, &s, &err), ETNA_E_USAGE);
    assert_int_equal(open_at("", false, &s, &err), ETNA_E_USAGE);
    store_options options = {.path = directory};
    /* no cookie */
    assert_int_equal(store_open(&options, &s, &err), ETNA_E_INTERNAL);
    snprintf(path, sizeof path, "%s/deep/er/store", directory);
    ok(open_at(path, false, &s, &err));
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    store_close(s);
    store_close(NULL);
    folder_remove(directory);
}

static void network_file_systems_are_known(void **state)
{
    (void)state;
    assert_string_equal(filesystem_network(0x6969, NULL), "NFS");
    assert_string_equal(filesystem_network(0xff534d42, NULL), "CIFS");
    assert_string_equal(filesystem_network(0xffffffffff534d42, NULL),
                        "CIFS"); /* sign-extended by the kernel */
    assert_string_equal(filesystem_network(0x0bd00bd0, NULL), "Lustre");
    assert_string_equal(filesystem_network(0x65735546, "fuse.sshfs"), "sshfs");
    assert_null(filesystem_network(0x65735546, "fuse.fuse-overlayfs"));
    assert_null(filesystem_network(0x65735546, ""));
    assert_null(filesystem_network(0xef53, NULL));     /* ext4 */
    assert_null(filesystem_network(0x01021994, NULL)); /* tmpfs */
    ok(filesystem_check_local("/tmp", NULL));
}

static void the_owners_record_is_checked(void **state)
{
    (void)state;
    store_owner owner, back;
    uint8_t *bytes;
    size_t size;
    owner_self("tcp://127.0.0.1:9", &owner);
    owner.epoch = 7;
    assert_int_equal(owner.pid, getpid());
    assert_true(owner.host[0]);
    ok(owner_encode(&owner, &bytes, &size, NULL));
    assert_true(owner_decode(bytes, size, &back));
    assert_memory_equal(&owner, &back, sizeof owner);
    for (size_t i = 0; i < size; i++) {
        assert_false(owner_decode(bytes, i, &back));
        bytes[i] ^= 1;
        assert_false(owner_decode(bytes, size, &back));
        bytes[i] ^= 1;
    }
    free(bytes);
}

static void the_map_is_large_but_the_file_is_not(void **state)
{
    fixture *f = *state;
    store_stats stats;
    ok(store_get_stats(f->s, &stats, NULL));
    assert_true(stats.file_bytes > 0 && stats.file_bytes < 1 << 20);
}

#define on_disk(test) \
    cmocka_unit_test_setup_teardown(test, set_up_disk, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        on_disk(what_was_committed_is_there_after_a_restart),
        on_disk(a_second_owner_is_refused_by_name),
        on_disk(
            an_owner_of_a_store_that_went_back_in_time_has_a_later_epoch_than_any_before),
        on_disk(reading_beside_a_living_owner_is_fine),
        on_disk(one_process_opens_it_once),
        on_disk(a_newer_format_is_refused_untouched),
        on_disk(an_older_format_is_refused_with_what_to_do),
        on_disk(an_older_store_is_put_aside_whole),
        on_disk(a_second_older_store_takes_no_others_place),
        on_disk(a_newer_store_is_never_put_aside),
        on_disk(a_file_that_is_no_database_is_refused),
        cmocka_unit_test(bad_places_are_refused_in_words),
        cmocka_unit_test(network_file_systems_are_known),
        cmocka_unit_test(the_owners_record_is_checked),
        on_disk(the_map_is_large_but_the_file_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
