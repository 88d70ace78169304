/* Pieces of work on a few threads: each is done once, and what the threads did
 * is the caller's. */
#include "proto/cpu_time.h"
#include "worker/view/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    PIECES = 12,
    PIECE_US = 2000
};

static void work(void *context, uint32_t piece)
{
    uint8_t *done = context;
    uint64_t since = cpu_time_us();
    while (cpu_time_us() - since < PIECE_US) {
    }
    done[piece]++;
}

static void what_threads_did_is_the_caller_s(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        uint8_t done[PIECES] = {0};
        uint64_t since = cpu_time_us();
        parallel_do(threads, PIECES, work, done);
        assert_in_range(cpu_time_us() - since, PIECES * PIECE_US,
                        PIECES * PIECE_US * 10);
        for (uint32_t i = 0; i < PIECES; i++)
            assert_int_equal(done[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_threads_did_is_the_caller_s),
    };
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
