/* Each test of a group in a process of its own: what NNG 1.5 leaves behind when
 * it does not come back from a close (a reaper that waits for ever) must not
 * reach the next test. */
#ifndef ETNA_TESTS_ALONE_H
#define ETNA_TESTS_ALONE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Runs them in their order, to the end; how many failed. Call it before any
 * thread is started. */
int alone_run(const struct CMUnitTest *tests, size_t count);

#endif
