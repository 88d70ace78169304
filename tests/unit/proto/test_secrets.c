/* What a guarded process keeps from others of its user. Root may look into
 * everything, so as root the processes are nobody's. */
#include "proto/secrets.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    NOBODY = 65534,
    READS = 1,
    TRACES = 2,
    DUMPS = 4,
    BROKE = 64
};

static int readable(pid_t pid, const char *what)
{
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t got = read(fd, &byte, 1);
    close(fd);
    return got == 1;
}

static void be_looked_at(int ready, bool guarded)
{
    struct rlimit cores = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* as after an exec: a change of user has just taken it */
    prctl(PR_SET_DUMPABLE, 1);
    if (guarded)
        guard_secrets();
    getrlimit(RLIMIT_CORE, &cores);
    char may_dump = cores.rlim_max > 0 || prctl(PR_GET_DUMPABLE) != 0;
    if (write(ready, &may_dump, 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

/* Forks what is looked at and says by its exit code what it could do to it. */
static void spy(bool guarded)
{
    int ready[2], can = 0, status;
    char may_dump = 0;
    if (getuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) ||
                          setresuid(NOBODY, NOBODY, NOBODY)))
        _exit(BROKE);
    if (pipe(ready))
        _exit(BROKE);
    pid_t pid = fork();
    if (pid < 0)
        _exit(BROKE);
    if (pid == 0)
        be_looked_at(ready[1], guarded);
    if (read(ready[0], &may_dump, 1) != 1)
        _exit(BROKE);
    if (readable(pid, "environ") || readable(pid, "maps"))
        can |= READS;
    if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0) {
        can |= TRACES;
        waitpid(pid, &status, 0);
    }
    if (may_dump)
        can |= DUMPS;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    _exit(can);
}

static int what_a_spy_can(bool guarded)
{
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        spy(guarded);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_false(WEXITSTATUS(status) & BROKE);
    return WEXITSTATUS(status);
}

static void nobody_else_of_the_user_looks_into_a_guarded_process(void **state)
{
    (void)state;
    int open_one = what_a_spy_can(false);
    /* else this test would hold whatever guard_secrets does */
    assert_true(open_one & READS);
    assert_true(open_one & DUMPS);
    if (!(open_one & TRACES))
        print_message(
            "nobody may trace here at all: that much was not tested\n");
    assert_int_equal(what_a_spy_can(true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_else_of_the_user_looks_into_a_guarded_process)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
