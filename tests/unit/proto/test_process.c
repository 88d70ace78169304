/* A child gets what it is given and nothing else, ends when it has to, and what
 * went wrong is told where it was started. */
#include "proto/process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    SAID = 256
};

/* Runs a line of shell to its end. */
static process_end shell_run(const char *line, const process_options *options)
{
    const char *const args[] = {"sh", "-c", line, NULL};
    process_end end;
    pid_t pid;
    assert_int_equal(process_start("/bin/sh", args, options, &pid, NULL),
                     ETNA_OK);
    assert_int_equal(process_wait(pid, 0, NULL, &end, NULL), ETNA_OK);
    return end;
}

static void what_is_printed_and_how_it_ended_come_back(void **state)
{
    (void)state;
    const char *const args[] = {"sh", "-c", "printf 12345; exit 7", NULL};
    char text[SAID], cut[4];
    process_end end;
    assert_int_equal(
        process_read("/bin/sh", args, 60, text, sizeof text, &end, NULL),
        ETNA_OK);
    assert_string_equal(text, "12345");
    assert_int_equal(end.exit_code, 7);
    assert_int_equal(end.signal, 0);
    assert_int_equal(
        process_read("/bin/sh", args, 60, cut, sizeof cut, &end, NULL),
        ETNA_OK);
    assert_string_equal(cut, "123");
}

static void a_program_that_is_not_there_is_an_error_of_the_start(void **state)
{
    (void)state;
    const char *const args[] = {"nothing", NULL};
    process_options options = process_options_default();
    etna_error err = {0};
    pid_t pid = 5;
    assert_int_equal(
        process_start("/nowhere/nothing", args, &options, &pid, &err),
        ETNA_E_IO);
    assert_int_equal(pid, 5);
    assert_string_equal(err.text,
                        "/nowhere/nothing: No such file or directory");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void what_cannot_be_put_into_its_place_is_an_error_of_the_start(
    void **state)
{
    (void)state;
    const char *const args[] = {"true", NULL};
    process_options options = process_options_default();
    etna_error err = {0};
    pid_t pid;
    options.fds[1] = 999;
    assert_int_equal(process_start("/bin/true", args, &options, &pid, &err),
                     ETNA_E_IO);
    assert_string_equal(err.text, "/bin/true: Bad file descriptor");
}

/* The descriptor `number` becomes a memfd of this text. */
static void memory_as(int number, const char *text)
{
    int fd = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(dup3(fd, number, O_CLOEXEC), number);
    close(fd);
}

/* A descriptor's number may be its own place, or another's: it crosses over. */
static void descriptors_come_to_their_places_whatever_their_numbers(
    void **state)
{
    (void)state;
    process_options options = process_options_default();
    int stdin_before = dup(0);
    memory_as(0, "nought");
    memory_as(3, "three");
    options.fds[0] = 3;
    options.fds[3] = 0;
    process_end crossed = shell_run(
        "test \"$(cat /dev/fd/0)\" = three && test \"$(cat /dev/fd/3)\" = nought",
        &options);
    options.fds[0] = PROCESS_NULL;
    options.fds[3] = 3;
    process_end own = shell_run(
        "test -z \"$(cat)\" && test \"$(cat /dev/fd/3)\" = three", &options);
    dup2(stdin_before, 0);
    close(stdin_before);
    close(3);
    assert_int_equal(crossed.exit_code, 0);
    assert_int_equal(own.exit_code, 0);
}

static void nothing_else_is_open_in_a_child_that_is_closed_off(void **state)
{
    (void)state;
    static const char is_open[] = "test -e /dev/fd/7";
    process_options options = process_options_default();
    assert_int_equal(dup2(1, 7), 7);
    assert_int_equal(shell_run(is_open, &options).exit_code, 0);
    options.is_closed_off = true;
    assert_int_equal(shell_run(is_open, &options).exit_code, 1);
    close(7);
}

static void hear(int number)
{
    (void)number;
}

/* Who blocks a signal or has a handler for it does so for itself. */
static void a_signal_that_we_block_or_handle_ends_a_child(void **state)
{
    (void)state;
    process_options options = process_options_default();
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGUSR1, hear);
    process_end blocked_end = shell_run("kill -TERM $$; exit 0", &options);
    process_end handled_end = shell_run("kill -USR1 $$; exit 0", &options);
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    signal(SIGUSR1, SIG_DFL);
    assert_int_equal(blocked_end.signal, SIGTERM);
    assert_int_equal(handled_end.signal, SIGUSR1);
}

/* As nohup begins a program. */
static void a_signal_that_we_ignore_is_ignored_by_a_child(void **state)
{
    (void)state;
    process_options options = process_options_default();
    signal(SIGHUP, SIG_IGN);
    process_end end = shell_run("kill -HUP $$; exit 4", &options);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(end.exit_code, 4);
}

static pid_t sleeper_start(void)
{
    const char *const args[] = {"sleep", "600", NULL};
    process_options options = process_options_default();
    pid_t pid;
    assert_int_equal(process_start("/bin/sleep", args, &options, &pid, NULL),
                     ETNA_OK);
    return pid;
}

static void a_child_is_killed_after_its_time(void **state)
{
    (void)state;
    process_end end;
    assert_int_equal(process_wait(sleeper_start(), 1, NULL, &end, NULL),
                     ETNA_OK);
    assert_true(end.is_late);
    assert_false(end.is_stopped);
    assert_int_equal(end.signal, SIGKILL);
    assert_int_equal(end.exit_code, -1);
}

static void a_child_is_killed_once_it_is_not_wanted(void **state)
{
    (void)state;
    const atomic_int stop = 1;
    process_end end;
    assert_int_equal(process_wait(sleeper_start(), 600, &stop, &end, NULL),
                     ETNA_OK);
    assert_true(end.is_stopped);
    assert_false(end.is_late);
    assert_int_equal(end.signal, SIGKILL);
}

/* A parent that is killed can end nobody itself. We inherit its child. */
static void a_child_is_killed_with_its_parent(void **state)
{
    (void)state;
    process_options options = process_options_default();
    int ends[2], status;
    pid_t parent, child;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(process_fork(&options, &parent, NULL), ETNA_OK);
    if (parent == 0) {
        pid_t own = sleeper_start();
        if (write(ends[1], &own, sizeof own) == (ssize_t)sizeof own)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    close(ends[0]);
    close(ends[1]);
}

static void a_forked_child_has_its_limits_and_no_streams(void **state)
{
    (void)state;
    process_options options = process_options_default();
    process_end end;
    pid_t pid;
    for (int i = 0; i < 3; i++)
        options.fds[i] = PROCESS_NULL;
    options.cpu_s = 1;
    assert_int_equal(process_fork(&options, &pid, NULL), ETNA_OK);
    if (pid == 0) {
        char byte;
        bool is_empty = read(0, &byte, 1) == 0;
        volatile bool burns = is_empty && prctl(PR_GET_DUMPABLE) == 0;
        while (burns) {
        }
        _exit(1);
    }
    assert_int_equal(process_wait(pid, 600, NULL, &end, NULL), ETNA_OK);
    assert_int_equal(end.signal, SIGXCPU);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_and_how_it_ended_come_back),
        cmocka_unit_test(a_program_that_is_not_there_is_an_error_of_the_start),
        cmocka_unit_test(
            what_cannot_be_put_into_its_place_is_an_error_of_the_start),
        cmocka_unit_test(
            descriptors_come_to_their_places_whatever_their_numbers),
        cmocka_unit_test(nothing_else_is_open_in_a_child_that_is_closed_off),
        cmocka_unit_test(a_signal_that_we_block_or_handle_ends_a_child),
        cmocka_unit_test(a_signal_that_we_ignore_is_ignored_by_a_child),
        cmocka_unit_test(a_child_is_killed_after_its_time),
        cmocka_unit_test(a_child_is_killed_once_it_is_not_wanted),
        cmocka_unit_test(a_child_is_killed_with_its_parent),
        cmocka_unit_test(a_forked_child_has_its_limits_and_no_streams),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
