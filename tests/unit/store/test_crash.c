/* kill -9 at any instant of a stream of commits: every acknowledged commit is
 * there, no later one is there in part, and the chain holds. */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUNDS = 25,
    RUNS = 3
};

/* Commits group after group (a record for each run, a blob and its reply) and
 * acknowledges each through `fd`. */
static void commit_forever(const char *directory, int fd, uint32_t from)
{
    store_options options = store_options_default();
    store *s;
    options.path = directory;
    if (store_open(&options, &s, NULL))
        _exit(1);
    for (uint32_t n = from;; n++) {
        char text[600];
        store_group *group;
        bool good = !store_group_begin(s, &group, NULL);
        snprintf(text, sizeof text, "%u %500u", n, n);
        etna_hash hash = etna_hash_bytes(text, strlen(text));
        good = good && !store_put_blob(group, &hash, text, strlen(text), NULL);
        for (uint8_t run = 0; good && run < RUNS; run++) {
            etna_id id = run_id(run);
            store_run row = run_row(run, n);
            etna_slot slot = {.node = n};
            store_reply reply = {.reply = hash};
            good = !store_put_run(group, &row, NULL) &&
                   !store_append(group, &id, n, text, strlen(text), NULL) &&
                   !store_put_reply(group, &id, &slot, &reply, NULL);
        }
        if (!good || store_group_commit(group, NULL))
            _exit(2);
        if (write(fd, &n, sizeof n) != sizeof n)
            _exit(3);
    }
}

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

static void every_acknowledged_commit_outlives_kill_9(void **state)
{
    fixture *f = *state;
    uint32_t next = 1;
    store_close(f->s);
    f->s = NULL;
    etna_random random = etna_random_from(2);
    for (int round = 0; round < ROUNDS; round++) {
        int acks[2];
        assert_int_equal(pipe(acks), 0);
        pid_t pid = fork();
        if (!pid)
            commit_forever(f->directory, acks[1], next);
        close(acks[1]);
        uint32_t n, last = next - 1;
        /* some commits later, at any point of the next: however slow the disk
         * is */
        for (uint64_t wait = 1 + etna_random_below(&random, 4);
             wait && read(acks[0], &n, sizeof n) == sizeof n; wait--)
            last = n;
        usleep((useconds_t)etna_random_below(&random, 5000));
        kill(pid, SIGKILL);
        int status;
        waitpid(pid, &status, 0);
        assert_true(WIFSIGNALED(status));
        while (read(acks[0], &n, sizeof n) == sizeof n)
            last = n;
        close(acks[0]);
        reopen(f);
        assert_int_equal(count_faults(f->s), 0);
        uint64_t ends[RUNS] = {0};
        for (uint8_t run = 0; run < RUNS; run++) {
            etna_id id = run_id(run);
            ok(store_read_journal(f->s, &id, 0, count, &ends[run], NULL));
            assert_int_equal(ends[run], ends[0]); /* a group is whole */
        }
        assert_true(ends[0] == last ||
                    /* one may be durable and not yet acknowledged */
                    ends[0] == last + 1);
        store_stats stats;
        ok(store_get_stats(f->s, &stats, NULL));
        assert_int_equal(stats.blobs, ends[0]);
        assert_int_equal(stats.replies, RUNS * ends[0]);
        next = (uint32_t)ends[0] + 1;
        store_close(f->s);
        f->s = NULL;
    }
    assert_true(next > ROUNDS); /* commits did happen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            every_acknowledged_commit_outlives_kill_9, set_up_disk, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
