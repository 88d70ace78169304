/* The file of --steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/cli/steps.h"
#include "proto/arrange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static etna_code read_text(const char *text,
                           size_t size,
                           etna_arena *arena,
                           const char *const **steps,
                           uint32_t *count,
                           etna_error *err)
{
    char path[] = "/tmp/etna-steps-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), size);
    close(fd);
    etna_code code = steps_read(path, arena, steps, count, err);
    unlink(path);
    return code;
}

static void every_line_that_says_something_is_an_instruction(void **state)
{
    (void)state;
    static const char text[] =
        "\n  Put the mug on the desk \r\n\n\tPut the book on the mug\nlast without an end";
    etna_arena arena = ETNA_ARENA_INIT;
    const char *const *steps;
    uint32_t count;
    assert_int_equal(
        read_text(text, sizeof text - 1, &arena, &steps, &count, NULL),
        ETNA_OK);
    assert_int_equal(count, 3);
    assert_string_equal(steps[0], "Put the mug on the desk");
    assert_string_equal(steps[1], "Put the book on the mug");
    assert_string_equal(steps[2], "last without an end");
    etna_arena_free(&arena);
}

/* Some editors put a mark before a text, which is no part of it. */
static void a_mark_before_the_text_is_no_part_of_it(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBFPut the mug on the desk\r\n";
    etna_arena arena = ETNA_ARENA_INIT;
    const char *const *steps;
    uint32_t count;
    assert_int_equal(
        read_text(text, sizeof text - 1, &arena, &steps, &count, NULL),
        ETNA_OK);
    assert_int_equal(count, 1);
    assert_string_equal(steps[0], "Put the mug on the desk");
    etna_arena_free(&arena);
}

static void refused(const char *text, size_t size, const char *word)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    const char *const *steps;
    uint32_t count;
    assert_int_equal(read_text(text, size, &arena, &steps, &count, &err),
                     ETNA_E_INPUT);
    if (!strstr(err.text, word))
        fail_msg("'%s' does not say '%s'", err.text, word);
    etna_arena_free(&arena);
}

static void what_is_no_list_is_refused_with_its_line(void **state)
{
    (void)state;
    static char many[ARRANGE_STEPS_MAX * 2 + 4],
        lengthy[ARRANGE_INSTRUCTION_MAX + 10], endless[20000];
    refused("", 0, "no instruction");
    refused("\n \n", 3, "no instruction");
    refused("fine\nbad\033[0m\n", 14, "line 2");
    refused("fine\n\xff\xfe\n", 8, "line 2");
    refused("fine\nnul\0here\n", 14, "line 2");
    for (int i = 0; i <= ARRANGE_STEPS_MAX; i++)
        memcpy(many + 2 * i, "a\n", 2);
    refused(many, 2 * (ARRANGE_STEPS_MAX + 1), "more than");
    memset(lengthy, 'a', sizeof lengthy);
    refused(lengthy, sizeof lengthy, "bytes");
    memset(endless, 'a', sizeof endless);
    refused(endless, sizeof endless, "line 1");
    etna_arena arena = ETNA_ARENA_INIT;
    const char *const *steps;
    uint32_t count;
    assert_int_equal(
        steps_read("/nonexistent/steps", &arena, &steps, &count, NULL),
        ETNA_E_INPUT);
    assert_int_equal(steps_read("/tmp", &arena, &steps, &count, NULL),
                     ETNA_E_INPUT);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_that_says_something_is_an_instruction),
        cmocka_unit_test(a_mark_before_the_text_is_no_part_of_it),
        cmocka_unit_test(what_is_no_list_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
