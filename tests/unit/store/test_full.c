/* A full disk: the commit that meets it says so, nothing half-written stays,
 * and the same group goes through when there is room. By a file size limit,
 * which everybody may set, and on a small tmpfs where we may mount one. */
#include "support.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static etna_code count(void *context,
                       uint64_t sequence,
                       const uint8_t *record,
                       size_t size,
                       etna_error *err)
{
    (void)record, (void)size, (void)err;
    *(uint64_t *)context = sequence;
    return ETNA_OK;
}

/* With room again, the group of record `n` is committed, and so is another. */
static bool goes_through(store *s, store_group *group, uint64_t n)
{
    struct rlimit most;
    etna_id id = run_id(1);
    uint64_t last = 0;
    if (getrlimit(RLIMIT_FSIZE, &most))
        return false;
    most.rlim_cur = most.rlim_max;
    if (setrlimit(RLIMIT_FSIZE, &most) || store_group_commit(group, NULL))
        return false;
    if (store_group_begin(s, &group, NULL) ||
        store_append(group, &id, n + 1, "record", 6, NULL))
        return false;
    if (store_group_commit(group, NULL) ||
        store_read_journal(s, &id, 0, count, &last, NULL))
        return false;
    return last == n + 1;
}

/* Fills the store until a commit fails; returns what was committed. Exits as a
 * child, so asserts by exit code. */
static int fill_up(const char *directory, bool may_make_room)
{
    store_options options = store_options_default();
    store *s;
    etna_error err = {ETNA_OK, ""};
    options.path = directory;
    if (store_open(&options, &s, &err))
        return 10;
    static uint8_t noise[100000];
    etna_random random = etna_random_from(3);
    for (uint64_t n = 1; n < 1000; n++) {
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)etna_random_next(&random);
        etna_hash hash = etna_hash_bytes(noise, sizeof noise);
        etna_id id = run_id(1);
        store_run run = run_row(1, n);
        store_group *group;
        if (store_group_begin(s, &group, NULL))
            return 11;
        if (store_put_run(group, &run, NULL) ||
            store_put_blob(group, &hash, noise, sizeof noise, NULL))
            return 12;
        if (store_append(group, &id, n, "record", 6, NULL))
            return 13;
        etna_code code = store_group_commit(group, &err);
        if (!code)
            continue;
        if (code != ETNA_E_FULL) {
            fprintf(stderr, "%s: %s\n", etna_code_name(code), err.text);
            return 14;
        }
        if (!strstr(err.text, "full"))
            return 15;
        if (store_group_commit(group, NULL) != ETNA_E_FULL)
            return 16;
        if (!may_make_room)
            store_group_abandon(group);
        if (may_make_room && !goes_through(s, group, n))
            return 19;
        store_close(s);
        return n > 3 ? 0 : 17;
    }
    return 18;
}

static void run_and_check(const char *directory, bool limit)
{
    pid_t pid = fork();
    if (!pid) {
        if (limit) {
            struct rlimit most = {5 << 20, RLIM_INFINITY};
            signal(SIGXFSZ, SIG_IGN);
            if (setrlimit(RLIMIT_FSIZE, &most))
                _exit(20);
        }
        _exit(fill_up(directory, limit));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_file_size_limit_reads_as_a_full_disk(void **state)
{
    fixture *f = *state;
    uint64_t last = 0;
    etna_id id = run_id(1);
    store_stats stats;
    store_close(f->s);
    f->s = NULL;
    run_and_check(f->directory, true);
    reopen(f); /* with room again it goes on where it stopped */
    assert_int_equal(count_faults(f->s), 0);
    ok(store_read_journal(f->s, &id, 0, count, &last, NULL));
    ok(store_get_stats(f->s, &stats, NULL));
    assert_true(last > 3);
    assert_int_equal(stats.blobs, last - 1); /* the last record came alone */
    append(f->s, 1, last + 1, "on");
}

static void a_full_tmpfs_reads_as_a_full_disk(void **state)
{
    fixture *f = *state;
    store_close(f->s);
    f->s = NULL;
    pid_t pid = fork();
    if (!pid) { /* in a mount namespace of its own: nothing of it stays */
        if (unshare(CLONE_NEWNS) ||
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("tmpfs", f->directory, "tmpfs", 0, "size=4m")) {
            _exit(77);
        }
        int code = fill_up(f->directory, false);
        store_options options = store_options_default();
        store *s;
        options.path = f->directory;
        options.read_only = true;
        if (!code && (store_open(&options, &s, NULL) || count_faults(s)))
            code = 30;
        _exit(code);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        print_message(
            "no right to mount a tmpfs here: the file size limit alone stands for a full disk\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Exits as a child: 0 when the store could not be opened for want of room. */
static int open_without_room(const char *directory)
{
    char path[256], bytes[4096] = {0};
    etna_error err = {ETNA_OK, ""};
    store_options options = store_options_default();
    store *s;
    snprintf(path, sizeof path, "%s/filler", directory);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return 10;
    while (write(fd, bytes, sizeof bytes) > 0) {
    }
    close(fd);
    options.path = directory;
    return store_open(&options, &s, &err) == ETNA_E_FULL ? 0 : 11;
}

static void a_store_on_a_disk_that_is_full_already_is_refused(void **state)
{
    fixture *f = *state;
    store_close(f->s);
    f->s = NULL;
    pid_t pid = fork();
    if (!pid) {
        if (unshare(CLONE_NEWNS) ||
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("tmpfs", f->directory, "tmpfs", 0, "size=64k"))
            _exit(77);
        _exit(open_without_room(f->directory));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status)); /* not by SIGBUS */
    if (WEXITSTATUS(status) == 77) {
        print_message("no right to mount a tmpfs here\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Exits as a child, so asserts by exit code: no file may grow here. */
static int copy_without_room(const char *from, const char *to)
{
    const struct rlimit none = {0, 0};
    etna_error err = {ETNA_OK, ""};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &none))
        return 10;
    if (store_copy(from, to, &err) != ETNA_E_FULL)
        return 11;
    return strncmp(err.text, to, strlen(to)) ? 12 : 0;
}

static void a_copy_without_room_names_its_place_and_leaves_none(void **state)
{
    fixture *f = *state;
    char to[FOLDER_SIZE + 16];
    int status;
    snprintf(to, sizeof to, "%s/copy", f->directory);
    store_close(f->s);
    f->s = NULL;
    pid_t pid = fork();
    if (!pid)
        _exit(copy_without_room(f->directory, to));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_not_equal(access(to, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_size_limit_reads_as_a_full_disk,
                                        set_up_disk, tear_down),
        cmocka_unit_test_setup_teardown(a_full_tmpfs_reads_as_a_full_disk,
                                        set_up_disk, tear_down),
        cmocka_unit_test_setup_teardown(
            a_store_on_a_disk_that_is_full_already_is_refused, set_up_disk,
            tear_down),
        cmocka_unit_test_setup_teardown(
            a_copy_without_room_names_its_place_and_leaves_none, set_up_disk,
            tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
