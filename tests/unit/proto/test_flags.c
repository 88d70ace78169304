/* Flags are read strictly, and what is wrong with one is told in one line that
 * names it and where help is. */
#include "proto/flags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct taken {
    bool json, help;
    const char *output;
    uint32_t workers;
    uint64_t seed;
    int area, first;
    char rest[64]; /* what is no flag, after each a ';' */
    etna_error err;
} taken;

static etna_code read_area(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    int *area = into;
    if (sscanf(value, "%d", area) == 1)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_USAGE, "--%s wants a number, not %s", name,
                     value);
}

/* Of words with one space between them. */
static etna_code take(const char *line, taken *t)
{
    static char words[256]; /* what is taken stays in them */
    char *argv[16];
    int argc = 0;
    *t = (taken){.first = -1};
    const flags_row rows[] = {
        {"output", 'o', .text = &t->output},
        {"json", .yes = &t->json},
        {"workers", .number = &t->workers, .least = 1, .most = 256},
        {"seed", .large = &t->seed, .most = UINT64_MAX},
        {"area", .read = read_area, .into = &t->area},
        {0}};
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    etna_code code =
        flags_read("etna look", argc, argv, rows, &t->help, &t->first, &t->err);
    for (int i = t->first; t->first >= 0 && i < argc; i++)
        strcat(strcat(t->rest, argv[i]), ";");
    return code;
}

static void values_go_where_their_rows_say(void **state)
{
    (void)state;
    taken t;
    assert_int_equal(
        take(
            "look a --json --output=x b --workers 3 --seed 18446744073709551615 --area 7",
            &t),
        ETNA_OK);
    assert_true(t.json && !t.help);
    assert_string_equal(t.output, "x");
    assert_int_equal(t.workers, 3);
    assert_true(t.seed == UINT64_MAX);
    assert_int_equal(t.area, 7);
    assert_string_equal(t.rest, "a;b;");
    assert_int_equal(take("look -o y -- --json", &t), ETNA_OK);
    assert_string_equal(t.output, "y");
    assert_false(t.json);
    assert_string_equal(t.rest, "--json;");
    assert_int_equal(take("look", &t), ETNA_OK);
    assert_int_equal(t.first, 1);
}

static void help_ends_the_reading(void **state)
{
    (void)state;
    taken t;
    assert_int_equal(take("look --json --help --frobnicate", &t), ETNA_OK);
    assert_true(t.help && t.json);
    assert_int_equal(take("look -h", &t), ETNA_OK);
    assert_true(t.help);
}

static void what_is_wrong_with_a_flag_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *line, *told;
    } cases[] = {
        {"look --frobnicate=3",
         "unknown flag --frobnicate; see `etna look --help`"},
        {"look scene -x", "unknown flag -x; see `etna look --help`"},
        {"look --json -xy", "unknown flag -x; see `etna look --help`"},
        {"look --workers", "--workers wants a value; see `etna look --help`"},
        {"look --work", "--workers wants a value; see `etna look --help`"},
        {"look scene -o", "-o wants a value; see `etna look --help`"},
        {"look --json=yes", "--json takes no value; see `etna look --help`"},
        {"look --help=me", "--help takes no value; see `etna look --help`"},
        {"look -0.5 scene",
         "no number here may be negative; see `etna look --help`"},
        {"look --area there", "--area wants a number, not there"},
        {"look --workers 0",
         "--workers wants a whole number from 1 to 256, not 0"},
        {"look --workers 257",
         "--workers wants a whole number from 1 to 256, not 257"},
        {"look --workers 4294967297",
         "--workers wants a whole number from 1 to 256, not 4294967297"},
        {"look --workers -1",
         "--workers wants a whole number from 1 to 256, not -1"},
        {"look --workers +1",
         "--workers wants a whole number from 1 to 256, not +1"},
        {"look --workers 1x",
         "--workers wants a whole number from 1 to 256, not 1x"},
        {"look --seed 18446744073709551616",
         "--seed wants a whole number from 0 to 18446744073709551615, not 18446744073709551616"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        taken t;
        assert_int_equal(take(cases[i].line, &t), ETNA_E_USAGE);
        assert_string_equal(t.err.text, cases[i].told);
        assert_int_equal(t.first, -1);
    }
}

static void a_table_may_be_read_again(void **state)
{
    (void)state;
    taken t;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(take("look --json -o", &t), ETNA_E_USAGE);
        assert_int_equal(take("look scene --json", &t), ETNA_OK);
        assert_true(t.json);
        assert_string_equal(t.rest, "scene;");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_go_where_their_rows_say),
        cmocka_unit_test(help_ends_the_reading),
        cmocka_unit_test(what_is_wrong_with_a_flag_is_told),
        cmocka_unit_test(a_table_may_be_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
