/* Amounts of money, as flags say them, and what flags say of a list. */
#include "coordinator/cli/run_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_amount_is_exact_to_a_millionth(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t micros;
    } rows[] = {
        {"2.50", 2500000},    {"2.5", 2500000},
        {"1", 1000000},       {"1.", 1000000},
        {".5", 500000},       {"0.000001", 1},
        {"000.1", 100000},    {"1000000000", UINT64_C(1000000000000000)},
        {"3.141592", 3141592}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t micros = 0;
        etna_error err;
        etna_code code =
            run_request_read_cost("max-cost", rows[i].text, &micros, &err);
        if (code != ETNA_OK || micros != rows[i].micros)
            fail_msg("%s: %llu", rows[i].text, (unsigned long long)micros);
    }
}

static void what_is_no_amount_is_refused_and_leaves_the_old_one(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",     ".",     "0",         "0.0",        "-1",
        "+1",   " 1",    "1 ",        "1,5",        "1.5.",
        "1..5", "1e3",   "0x10",      "nan",        "1.5a",
        "a1.5", "1.2.3", "1.0000001", "1000000001", "99999999999999999999"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t micros = 7;
        etna_error err;
        etna_code code =
            run_request_read_cost("max-cost", rows[i], &micros, &err);
        if (code != ETNA_E_USAGE || micros != 7)
            fail_msg("\"%s\": %llu", rows[i], (unsigned long long)micros);
    }
}

/* The built-in planner's instructions take several edits unless they are to
 * have one; then the list's length is all that there may be. */
static void a_list_takes_the_edits_that_it_is_told(void **state)
{
    (void)state;
    static const char *const steps[] = {"swap a and b", "swap b and c"};
    static const struct {
        uint32_t list_edits, max_steps;
        bool open_list;
    } rows[] = {{0, 24, true}, {2, 24, true}, {1, 2, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err;
        run_request r = run_request_default();
        r.config.model = "builtin";
        r.config.steps = steps;
        r.config.step_count = 2;
        r.list_edits = rows[i].list_edits;
        assert_int_equal(run_request_consider(&r, &err), ETNA_OK);
        assert_int_equal(run_request_read_models(&r, &arena, &err), ETNA_OK);
        if (r.config.open_list != rows[i].open_list ||
            r.config.max_steps != rows[i].max_steps)
            fail_msg("row %zu: %d, %u", i, r.config.open_list,
                     (unsigned)r.config.max_steps);
        etna_arena_free(&arena);
    }
    etna_error err;
    run_request r = run_request_default();
    r.config.model = "builtin";
    r.config.goal = "swap a and b";
    r.list_edits = 2;
    assert_int_equal(run_request_consider(&r, &err), ETNA_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_is_exact_to_a_millionth),
        cmocka_unit_test(a_list_takes_the_edits_that_it_is_told),
        cmocka_unit_test(what_is_no_amount_is_refused_and_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
