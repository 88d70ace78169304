/* A refusal is one line, and its sentence shows which part is meant, whatever
 * the sentence holds and however wide it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/refusal_text.h"

#include <string.h>

static void marks(const char *sentence,
                  size_t from,
                  size_t end,
                  unsigned columns,
                  const char *wanted)
{
    page lines = {0};
    refusal_text_mark(&lines, sentence, from, end, columns);
    assert_string_equal(lines.data ? lines.data : "", wanted);
    page_free(&lines);
}

static void the_part_is_underlined(void **state)
{
    (void)state;
    marks("Put the frob on it", 8, 12, 80,
          "Put the frob on it\n        ^^^^\n");
    marks("frob it", 0, 4, 80, "frob it\n^^^^\n");
    marks("it frob", 3, 7, 80, "it frob\n   ^^^^\n");
    marks("\xc3\xa9t\xc3\xa9 frob", 6, 10, 80,
          "\xc3\xa9t\xc3\xa9 frob\n    ^^^^\n");
    /* takes two columns */
    marks("\xe6\xa1\x8c frob", 4, 8, 80, "\xe6\xa1\x8c frob\n   ^^^^\n");
    marks("a\033frob", 2, 6, 80, "a\\x1bfrob\n     ^^^^\n");
}

static void a_part_that_is_not_there_is_not_marked(void **state)
{
    (void)state;
    marks("frob", 2, 2, 80, "");
    marks("frob", 3, 2, 80, "");
    marks("frob", 0, 5, 80, "");
    marks("", 0, 1, 80, "");
}

static void a_long_sentence_is_cut_on_both_sides(void **state)
{
    (void)state;
    marks("one two three four five six", 14, 18, 20,
          "...two three four...\n             ^^^^\n");
    marks("one two three four five six", 0, 27, 20,
          "one two three fou...\n^^^^^^^^^^^^^^^^^\n");
}

static void the_line_says_what_and_what_to_do(void **state)
{
    (void)state;
    const struct {
        const char *cause, *line;
    } cases[] = {{"{\"what\":\"it is full\",\"do\":\"Clear it.\"}",
                  "it is full. Clear it."},
                 {"{\"what\":\"Which one?\",\"do\":\"Say it.\",\"item\":2}",
                  "instruction 2: Which one? Say it."},
                 {"{\"what\":\"it is full\",\"do\":\"say what is to leave\"}",
                  "it is full. Say what is to leave"},
                 {"{\"what\":\"it is full\"}", "it is full"},
                 {"{\"what\":7}", ""},
                 {"[]", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *cause = json_loads(cases[i].cause, 0, NULL);
        page line = {0};
        refusal_text_line(&line, cause);
        assert_string_equal(line.data ? line.data : "", cases[i].line);
        page_free(&line);
        json_decref(cause);
    }
}

static void the_sentence_is_the_goal_or_the_instruction(void **state)
{
    (void)state;
    json_t *goal = json_loads("{\"goal\":\"tidy\"}", 0, NULL),
           *list = json_loads("{\"instructions\":[\"a\",\"b\"]}", 0, NULL);
    json_t *second = json_loads("{\"item\":2}", 0, NULL),
           *third = json_loads("{\"item\":3}", 0, NULL);
    assert_string_equal(refusal_text_sentence(goal, NULL), "tidy");
    assert_string_equal(refusal_text_sentence(list, second), "b");
    assert_null(refusal_text_sentence(list, third));
    assert_null(refusal_text_sentence(list, NULL));
    json_decref(goal);
    json_decref(list);
    json_decref(second);
    json_decref(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_part_is_underlined),
        cmocka_unit_test(a_part_that_is_not_there_is_not_marked),
        cmocka_unit_test(a_long_sentence_is_cut_on_both_sides),
        cmocka_unit_test(the_line_says_what_and_what_to_do),
        cmocka_unit_test(the_sentence_is_the_goal_or_the_instruction),
    };
    return cmocka_run_group_tests_name("marked", tests, NULL, NULL);
}
