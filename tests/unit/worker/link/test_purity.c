/* The link is pure: no clock, I/O, thread or randomness. What its objects leave
 * undefined says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool allowed(const char *symbol)
{
    static const char *const names[] = {
        "malloc",   "calloc",    "realloc",          "free",
        "snprintf", "vsnprintf", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"};
    static const char *const prefixes[] = {"mem",
                                           "str",
                                           "__mem",
                                           "__str",
                                           "__snprintf_chk",
                                           "__vsnprintf_chk", /* fortified */
                                           "etna_",
                                           "message_",
                                           "canon_",
                                           "link_",
                                           "table_",
                                           "due_",
                                           "__asan_",
                                           "__ubsan_",
                                           "__tsan_",
                                           "__sanitizer_",
                                           "__gcov_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(symbol, names[i]) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (starts(symbol, prefixes[i]))
            return true;
    }
    return false;
}

static void the_link_uses_nothing_but_memory_and_text(void **state)
{
    (void)state;
    FILE *nm = popen("nm -u '" ETNA_BINARY_DIR "/worker/libetna_link.a'", "r");
    assert_non_null(nm);
    char line[512], symbol[256];
    unsigned seen = 0;
    while (fgets(line, sizeof line, nm)) {
        if (sscanf(line, " U %255s", symbol) != 1)
            continue;
        seen++;
        if (!allowed(symbol))
            fail_msg("the link must not use %s", symbol);
    }
    assert_int_equal(pclose(nm), 0);
    assert_true(seen > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_link_uses_nothing_but_memory_and_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
