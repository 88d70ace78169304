/* Where a coordinator listens and with how many processors it reckons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/address.h"
#include "coordinator/shell/endpoint.h"
#include "tests/support/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_private_endpoint_is_made_and_removed(void **state)
{
    (void)state;
    char base[FOLDER_SIZE];
    struct stat st;
    endpoint e, other;
    folder_make(base);
    setenv("XDG_RUNTIME_DIR", base, 1);
    assert_int_equal(endpoint_make(&e, NULL), ETNA_OK);
    assert_int_equal(stat(e.directory, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(strncmp(e.url, "ipc://", 6), 0);
    assert_int_equal(
        address_read(e.url, "", &(listen_address){.listen = ""}, NULL),
        ETNA_OK);
    /* a living one is left alone */
    assert_int_equal(endpoint_make(&other, NULL), ETNA_OK);
    assert_int_equal(access(e.directory, F_OK), 0);
    assert_int_equal(folder_count(base), 2);
    endpoint_remove(&other);
    endpoint_remove(&e);
    endpoint_remove(&e);
    assert_int_equal(folder_count(base), 0);
    rmdir(base);
}

static void what_a_dead_owner_left_is_removed_at_the_next_start(void **state)
{
    (void)state;
    char base[FOLDER_SIZE], file[160];
    int ready[2], status;
    char byte;
    endpoint e;
    folder_make(base);
    setenv("XDG_RUNTIME_DIR", base, 1);
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (!pid) {
        if (endpoint_make(&e, NULL))
            _exit(1);
        snprintf(file, sizeof file, "%s/socket", e.directory);
        close(open(file, O_CREAT | O_WRONLY, 0600));
        (void)!write(ready[1], "r", 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    assert_int_equal(folder_count(base), 1);
    assert_int_equal(endpoint_make(&e, NULL), ETNA_OK);
    assert_int_equal(folder_count(base), 1); /* the new one only */
    endpoint_remove(&e);
    assert_int_equal(folder_count(base), 0);
    close(ready[0]);
    close(ready[1]);
    rmdir(base);
}

/* Between the making of its lock and the locking. */
static void what_another_is_just_making_is_left_to_it(void **state)
{
    (void)state;
    char base[FOLDER_SIZE], making[160], file[200];
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    endpoint e;
    folder_make(base);
    setenv("XDG_RUNTIME_DIR", base, 1);
    snprintf(making, sizeof making, "%s/etna-run-0123456789abcdef.new", base);
    snprintf(file, sizeof file, "%s/lock", making);
    assert_int_equal(mkdir(making, 0700), 0);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(endpoint_make(&e, NULL), ETNA_OK);
    assert_int_equal(access(file, F_OK), 0);
    endpoint_remove(&e);
    assert_int_equal(utimensat(AT_FDCWD, making, long_ago, 0), 0);
    assert_int_equal(endpoint_make(&e, NULL), ETNA_OK); /* its maker died */
    endpoint_remove(&e);
    assert_int_equal(folder_count(base), 0);
    rmdir(base);
}

static void beyond_loopback_an_address_is_one_of_tls(void **state)
{
    (void)state;
    static const struct {
        const char *given, *listen, *here, *there;
    } rows[] = {
        {"ipc:///tmp/x", "ipc:///tmp/x", "ipc:///tmp/x", "ipc:///tmp/x"},
        {"tcp://127.0.0.1:4000", "tcp://127.0.0.1:4000", "tcp://127.0.0.1:4000",
         "tcp://127.0.0.1:4000"},
        {"tcp://127.9.9.9:1", "tcp://127.9.9.9:1", "tcp://127.9.9.9:1",
         "tcp://127.9.9.9:1"},
        {"tcp://localhost:80", "tcp://localhost:80", "tcp://localhost:80",
         "tcp://localhost:80"},
        {"tcp://[::1]:80", "tcp://[::1]:80", "tcp://[::1]:80",
         "tcp://[::1]:80"},
        {"tls+tcp://127.0.0.1:5", "tls+tcp://127.0.0.1:5",
         "tls+tcp://127.0.0.1:5", "tls+tcp://127.0.0.1:5"},
        {"tcp://0.0.0.0:1", "tls+tcp://0.0.0.0:1", "tls+tcp://127.0.0.1:1",
         "tls+tcp://me:1"},
        {"tcp://*:5", "tls+tcp://0.0.0.0:5", "tls+tcp://127.0.0.1:5",
         "tls+tcp://me:5"},
        {"tls+tcp://[::]:5", "tls+tcp://[::]:5", "tls+tcp://[::1]:5",
         "tls+tcp://me:5"},
        {"tcp://10.1.2.3:5", "tls+tcp://10.1.2.3:5", "tls+tcp://10.1.2.3:5",
         "tls+tcp://10.1.2.3:5"},
        {"tcp://127.evil.example:5", "tls+tcp://127.evil.example:5",
         "tls+tcp://127.evil.example:5", "tls+tcp://127.evil.example:5"},
        {"tcp://localhost.evil.example:5", "tls+tcp://localhost.evil.example:5",
         "tls+tcp://localhost.evil.example:5",
         "tls+tcp://localhost.evil.example:5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        listen_address got;
        assert_int_equal(address_read(rows[i].given, "me", &got, NULL),
                         ETNA_OK);
        assert_string_equal(got.listen, rows[i].listen);
        assert_string_equal(got.here, rows[i].here);
        assert_string_equal(got.there, rows[i].there);
    }
}

static void what_is_no_address_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "x",
                                      "ipc://",
                                      "http://127.0.0.1:5",
                                      "ws://localhost:5",
                                      "tcp://",
                                      "tcp://a",
                                      "tcp://a:0",
                                      "tcp://a:65536",
                                      "tcp://a:1x",
                                      "tcp://:1",
                                      "tcp://::1:5",
                                      "tls+tcp://a:1/b",
                                      "tcp://a:b:1"};
    listen_address got;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(address_read(bad[i], "me", &got, NULL), ETNA_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_private_endpoint_is_made_and_removed),
        cmocka_unit_test(what_a_dead_owner_left_is_removed_at_the_next_start),
        cmocka_unit_test(what_another_is_just_making_is_left_to_it),
        cmocka_unit_test(beyond_loopback_an_address_is_one_of_tls),
        cmocka_unit_test(what_is_no_address_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
