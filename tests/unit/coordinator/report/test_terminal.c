/* What comes from outside reaches a terminal without control characters, and a
 * shell as one word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/terminal.h"

#include <string.h>

static void escaped(const char *text, const char *wanted, size_t columns)
{
    char to[256];
    assert_int_equal(terminal_escape(text, to, sizeof to), columns);
    assert_string_equal(to, wanted);
}

static void nothing_reaches_the_terminal_but_text(void **state)
{
    (void)state;
    escaped("Red Bottle", "Red Bottle", 10);
    escaped("gr\xc3\xbc\xc3\x9f \xe6\xa1\x8c \xf0\x9f\x8d\xb7",
            "gr\xc3\xbc\xc3\x9f \xe6\xa1\x8c \xf0\x9f\x8d\xb7", 8);
    escaped("\033[31mred\007", "\\x1b[31mred\\x07", 15);
    escaped("a\nb\tc\x7f", "a\\nb\\tc\\x7f", 11);
    escaped("\xc2\x9b"
            "1m",
            "\\x9b1m", 6); /* C1's CSI in UTF-8 */
    escaped("\xe2\x80\xae"
            "abc",
            /* right-to-left override */
            "\\u202eabc", 9);
    /* no UTF-8, and an overlong one */
    escaped("\x80\xff\xc0\xaf", "\\x80\\xff\\xc0\\xaf", 16);
    escaped("\xed\xa0\x80", "\\xed\\xa0\\x80", 12); /* a surrogate */
    escaped("\xe2\x82", "\\xe2\\x82", 8);           /* cut short */
    escaped(NULL, "", 0);
}

static void what_does_not_fit_is_cut_at_a_whole_character(void **state)
{
    (void)state;
    char to[8];
    /* five and three do not leave room for the end */
    terminal_escape("abcde\xe6\xa1\x8c", to, 8);
    assert_string_equal(to, "abcde");
    terminal_escape("abcd\xe6\xa1\x8c", to, 8);
    assert_string_equal(to, "abcd\xe6\xa1\x8c");
    terminal_escape("abcdef\n", to, 8);
    assert_string_equal(to, "abcdef");
}

static void instructions_are_plain_text(void **state)
{
    (void)state;
    assert_true(terminal_is_plain("Put the red bottle on the yellow block"));
    assert_true(terminal_is_plain("a\tb \xe2\x80\x8d"));
    assert_false(terminal_is_plain("a\nb"));
    assert_false(terminal_is_plain("\033"));
    assert_false(terminal_is_plain("\xff"));
}

static void a_word_for_the_shell_stays_one_word(void **state)
{
    (void)state;
    char to[64];
    terminal_quote("out/dir-1", to, sizeof to);
    assert_string_equal(to, "out/dir-1");
    terminal_quote("my dir", to, sizeof to);
    assert_string_equal(to, "'my dir'");
    terminal_quote("it's; rm -rf $HOME", to, sizeof to);
    assert_string_equal(to, "'it'\\''s; rm -rf $HOME'");
    terminal_quote("", to, sizeof to);
    assert_string_equal(to, "''");
}

static void times_are_iso_8601(void **state)
{
    (void)state;
    char time[24];
    terminal_time(0, time);
    assert_string_equal(time, "1970-01-01T00:00:00Z");
    terminal_time(UINT64_C(1767225599999), time);
    assert_string_equal(time, "2025-12-31T23:59:59Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_reaches_the_terminal_but_text),
        cmocka_unit_test(what_does_not_fit_is_cut_at_a_whole_character),
        cmocka_unit_test(instructions_are_plain_text),
        cmocka_unit_test(a_word_for_the_shell_stays_one_word),
        cmocka_unit_test(times_are_iso_8601),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
