/* A coordinator that has run for weeks is started again: every record of its
 * journals is read from the store, its checksum followed, and decided anew.
 * ETNA_FULL: a million records, else 40,000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/recover.h"
#include "tests/sim/sim.h"
#include "tests/support/folder.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RECORDS_MAX = 4096,
    GROUP = 256
};

typedef struct journal {
    uint8_t *data[RECORDS_MAX];
    size_t size[RECORDS_MAX];
    uint32_t count;
} journal;

static store *open_real(void *context)
{
    store_options options = store_options_default();
    store *s;
    options.path = context;
    if (store_open(&options, &s, NULL))
        abort();
    return s;
}

static etna_code take(void *context,
                      uint64_t sequence,
                      const uint8_t *record,
                      size_t size,
                      etna_error *err)
{
    journal *j = context;
    (void)err;
    assert_true(sequence == j->count + 1 && j->count < RECORDS_MAX);
    j->data[j->count] = malloc(size);
    assert_non_null(j->data[j->count]);
    memcpy(j->data[j->count], record, size);
    j->size[j->count++] = size;
    return ETNA_OK;
}

/* The journal of a run of some length. */
static void journal_of_a_run(journal *j)
{
    char directory[FOLDER_SIZE];
    sim_report *report = test_malloc(sizeof *report);
    sim_options options = sim_options_default();
    const etna_id run = {{0xe7}};
    folder_make(directory);
    options.workers = 4;
    options.config.seed = 7;
    options.config.max_steps = 8;
    options.open = open_real;
    options.context = directory;
    sim_run(&options, report);
    if (report->broken)
        fail_msg("%s", report->text);
    store *s = open_real(directory);
    assert_int_equal(store_read_journal(s, &run, 0, take, j, NULL), ETNA_OK);
    store_close(s);
    folder_remove(directory);
    test_free(report);
}

static etna_id run_number(uint32_t number)
{
    return (etna_id){{(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                      (uint8_t)(number >> 8), (uint8_t)number}};
}

/* So many runs of that journal. */
static store *store_of(const journal *j, uint32_t runs)
{
    store *s;
    store_group *group = NULL;
    assert_int_equal(store_open_memory(&s, NULL), ETNA_OK);
    for (uint32_t i = 0; i < runs; i++) {
        const etna_id id = run_number(i + 1);
        if (!group)
            assert_int_equal(store_group_begin(s, &group, NULL), ETNA_OK);
        for (uint32_t r = 0; r < j->count; r++)
            assert_int_equal(
                store_append(group, &id, r + 1, j->data[r], j->size[r], NULL),
                ETNA_OK);
        if (i % GROUP != GROUP - 1 && i + 1 < runs)
            continue;
        assert_int_equal(store_group_commit(group, NULL), ETNA_OK);
        group = NULL;
    }
    return s;
}

static void a_long_journal_is_decided_anew(void **state)
{
    (void)state;
    static journal j;
    journal_of_a_run(&j);
    uint32_t wanted = getenv("ETNA_FULL") ? 1000000 : 40000,
             runs = wanted / j.count + 1;
    store *s = store_of(&j, runs);
    core_options options = core_options_default();
    core *c;
    etna_error err = {ETNA_OK, ""};
    assert_int_equal(core_new(&options, &c, &err), ETNA_OK);
    size_t before = mallinfo2().uordblks;
    clock_t begun = clock();
    for (uint32_t i = 0; i < runs; i++) {
        const etna_id id = run_number(i + 1);
        if (recover_run(s, c, &id, &err))
            fail_msg("%s", err.text);
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    size_t held = mallinfo2().uordblks - before;
    assert_int_equal(core_runs(c, NULL, 0), runs);
    assert_int_equal(core_check(c, &err), ETNA_OK);
    print_message(
        "%u records of %u runs in %.2f s of CPU, %.1f us each; %.1f KB a run\n",
        (unsigned)(runs * j.count), (unsigned)runs, seconds,
        seconds * 1e6 / (runs * (double)j.count), (double)held / 1024 / runs);
    core_free(c);
    store_close(s);
    for (uint32_t i = 0; i < j.count; i++)
        free(j.data[i]);
}

/* Each decision of the journal exchanged for another one of it: none may pass
 * for what follows there. */
static void a_decision_of_elsewhere_is_not_taken(void **state)
{
    enum {
        DECISION = 4
    }; /* coordinator/core/record.h */
    (void)state;
    static journal j;
    const etna_id run = run_number(1);
    const core_options options = core_options_default();
    uint32_t tried = 0;
    journal_of_a_run(&j);
    for (uint32_t at = 0; at < j.count; at++) {
        for (uint32_t other = 0; other < j.count && j.data[at][1] == DECISION;
             other++) {
            bool is_one = other != at && j.data[other][1] == DECISION;
            core *c;
            if (!is_one)
                continue;
            assert_int_equal(core_new(&options, &c, NULL), ETNA_OK);
            for (uint32_t i = 0; i < at; i++)
                assert_int_equal(
                    core_replay(c, &run, i + 1, j.data[i], j.size[i], NULL),
                    ETNA_OK);
            assert_int_equal(core_replay(c, &run, at + 1, j.data[other],
                                         j.size[other], NULL),
                             ETNA_E_CORRUPT);
            core_free(c);
            tried++;
        }
    }
    assert_true(tried > 1);
    for (uint32_t i = 0; i < j.count; i++)
        free(j.data[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_journal_is_decided_anew),
        cmocka_unit_test(a_decision_of_elsewhere_is_not_taken)};
    return cmocka_run_group_tests_name("long", tests, NULL, NULL);
}
