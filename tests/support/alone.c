/* See alone.h. */
#include "tests/support/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int alone_run(const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        fflush(NULL);
        int status = -1;
        pid_t child = fork();
        if (!child)
            exit(_cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL,
                                         NULL) != 0);
        if (child < 0 || waitpid(child, &status, 0) != child || status) {
            fprintf(stderr, "%s: its process ended with status %#x\n",
                    tests[i].name, (unsigned)status);
            failed++;
        }
    }
    return failed;
}
