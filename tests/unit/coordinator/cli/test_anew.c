/* A process that begins again has its pid, its words and its environment, and
 * no descriptor of before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/cli/anew.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char mark[] = "ETNA_TEST_BEGUN_BY"; /* the pid that began again */

/* In the new program: 0 when all is as it should be. */
static int begun_again(int argc, char **argv)
{
    sigset_t blocked;
    char last[sizeof "a b"] = "";
    if (argc > 2)
        snprintf(last, sizeof last, "%s", argv[2]);
    bool is_same = atoi(getenv(mark)) == (int)getpid() && argc == 3 &&
                   !*argv[1] && !strcmp(last, "a b");
    bool is_closed =
        fcntl(STDERR_FILENO + 1, F_GETFD) < 0 && fcntl(200, F_GETFD) < 0;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    return is_same && is_closed && !sigismember(&blocked, SIGTERM) ? 0 : 1;
}

static void begin(void)
{
    char pid[16];
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigprocmask(SIG_BLOCK, &some, NULL);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv(mark, pid, 1);
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0 || dup2(fd, 200) < 0)
        _exit(2);
    (void)anew_begin(NULL);
    _exit(3);
}

static void what_begins_again_is_the_same_process_without_its_descriptors(
    void **state)
{
    (void)state;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", "anew", "", "a b",
              (char *)NULL); /* its words are these from here on */
        _exit(4);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
    if (getenv(mark))
        return begun_again(argc, argv);
    if (argc == 3)
        begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            what_begins_again_is_the_same_process_without_its_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
