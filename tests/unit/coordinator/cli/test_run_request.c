/* Amounts of money, as flags say them. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_is_exact_to_a_millionth),
        cmocka_unit_test(what_is_no_amount_is_refused_and_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
