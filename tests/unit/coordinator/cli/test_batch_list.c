/* The list of a batch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/cli/batch_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct list {
    etna_arena arena;
    batch_line *lines;
    uint32_t count;
    etna_error err;
} list;

static etna_code read_bytes(list *l, const char *text, size_t size)
{
    char path[] = "/tmp/etna-batch-XXXXXX";
    int fd = mkstemp(path);
    *l = (list){.arena = ETNA_ARENA_INIT};
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), size);
    close(fd);
    etna_code code =
        batch_list_read(path, &l->arena, &l->lines, &l->count, &l->err);
    unlink(path);
    return code;
}

static etna_code read_text(list *l, const char *text)
{
    return read_bytes(l, text, strlen(text));
}

static void a_mark_before_the_list_is_no_part_of_it(void **state)
{
    (void)state;
    list l;
    assert_int_equal(
        read_text(&l, "\xEF\xBB\xBF{\"name\": \"a\", \"scene\": \"one.glb\", "
                      "\"goal\": \"Put A on B\"}\r\n"),
        ETNA_OK);
    assert_int_equal(l.count, 1);
    assert_string_equal(l.lines[0].name, "a");
    etna_arena_free(&l.arena);
}

static void a_line_is_a_run(void **state)
{
    (void)state;
    list l;
    assert_int_equal(
        read_text(
            &l,
            "{\"name\": \"a\", \"scene\": \"rooms/one.glb\", \"goal\": \"Put A on B\"}\n"
            "\n"
            "{\"name\": \"b-2\", \"scene\": \"/two.glb\", \"steps\": [\"one\", \"two\"], \"seed\": 7,"
            " \"flags\": [\"--branches\", \"2\", \"--no-images\", \"--max-cost=0.5\"]}"),
        ETNA_OK);
    assert_int_equal(l.count, 2);
    assert_string_equal(l.lines[0].name, "a");
    assert_string_equal(l.lines[0].scene, "rooms/one.glb");
    /* beside the list */
    assert_string_equal(l.lines[0].request.scene, "/tmp/rooms/one.glb");
    assert_string_equal(l.lines[0].request.config.goal, "Put A on B");
    assert_int_equal(l.lines[0].request.config.branches, 4);
    assert_int_equal(l.lines[1].number, 3);
    assert_string_equal(l.lines[1].request.scene, "/two.glb");
    assert_int_equal(l.lines[1].request.config.step_count, 2);
    assert_string_equal(l.lines[1].request.config.steps[1], "two");
    assert_int_equal(l.lines[1].request.config.seed, 7);
    assert_int_equal(l.lines[1].request.config.branches, 2);
    assert_false(l.lines[1].request.config.images);
    assert_int_equal(l.lines[1].request.config.max_cost_micros, 500000);
    etna_arena_free(&l.arena);
}

static void a_line_is_known_by_what_it_says(void **state)
{
    (void)state;
    list l, same, other;
    assert_int_equal(
        read_text(&l, "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\"}"),
        ETNA_OK);
    assert_int_equal(
        read_text(&same,
                  "\n\n{\"goal\":\"g\",   \"scene\":\"s\",\"name\":\"a\"}\n"),
        ETNA_OK);
    assert_int_equal(
        read_text(
            &other,
            "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"seed\": 1}"),
        ETNA_OK);
    assert_true(etna_hash_equal(&l.lines[0].hash, &same.lines[0].hash));
    assert_false(etna_hash_equal(&l.lines[0].hash, &other.lines[0].hash));
    etna_arena_free(&l.arena);
    etna_arena_free(&same.arena);
    etna_arena_free(&other.arena);
}

/* The list must be refused with both words in what is said. */
static void is_refused(const char *text, const char *word, const char *other)
{
    list l;
    etna_code code = read_text(&l, text);
    if (code != ETNA_E_INPUT || !strstr(l.err.text, word) ||
        !strstr(l.err.text, other))
        fail_msg("of: %s\n%d: %s", text, (int)code, l.err.text);
    etna_arena_free(&l.arena);
}

static void a_name_is_a_plain_folder_and_there_once(void **state)
{
    (void)state;
    static const char *const unsafe[] = {
        "",        ".",   "..",        "a/b",         "../a",        "/a",
        ".hidden", "-rf", "a b",       "a\\\\b",      "a:b",         "a\\nb",
        "\\u00e9", "$x",  "a\\u0000b", "summary.csv", "summary.html"};
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "{\"name\": \"%s\", \"scene\": \"s\", \"goal\": \"g\"}",
                 unsafe[i]);
        is_refused(line, "line 1", "");
    }
    char longest[BATCH_NAME_MAX + 64];
    snprintf(longest, sizeof longest,
             "{\"name\": \"%0*d\", \"scene\": \"s\", \"goal\": \"g\"}",
             (int)BATCH_NAME_MAX + 1, 0);
    is_refused(longest, "name", "line 1");
    is_refused("{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\"}\n"
               "{\"name\": \"b\", \"scene\": \"s\", \"goal\": \"g\"}\n"
               "{\"name\": \"a\", \"scene\": \"t\", \"goal\": \"h\"}\n",
               "line 3", "line 1");
}

static void what_is_the_batchs_is_no_flag_of_a_line(void **state)
{
    (void)state;
    static const char *const words[] = {"--store",
                                        "--output",
                                        "-o",
                                        "-oX",
                                        "--connect",
                                        "--connect=ipc:///x",
                                        "--json",
                                        "--wait",
                                        "--workers",
                                        "--goal",
                                        "--steps",
                                        "--after",
                                        "--mesh-memory",
                                        "--seed",
                                        "--sto",
                                        "--nonsense",
                                        "--help",
                                        "word",
                                        "--"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[256];
        snprintf(
            line, sizeof line,
            "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"flags\": [\"%s\", \"1\"]}",
            words[i]);
        is_refused(line, "line 1", "flags");
    }
    is_refused(
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"flags\": [\"--branches\", \"99\"]}",
        "line 1", "branches");
    is_refused(
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"flags\": \"--branches 2\"}",
        "line 1", "flags");
    is_refused(
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"flags\": [2]}",
        "line 1", "flags");
}

static void what_is_no_run_is_refused_by_its_line(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "nonsense",
        "[]",
        "{\"name\": \"a\"",
        "{\"name\": \"a\", \"scene\": \"s\"}",
        "{\"name\": \"a\", \"goal\": \"g\"}",
        "{\"scene\": \"s\", \"goal\": \"g\"}",
        "{\"name\": 1, \"scene\": \"s\", \"goal\": \"g\"}",
        "{\"name\": \"a\", \"scene\": \"\", \"goal\": \"g\"}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"\"}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"steps\": [\"h\"]}",
        "{\"name\": \"a\", \"scene\": \"s\", \"steps\": []}",
        "{\"name\": \"a\", \"scene\": \"s\", \"steps\": [1]}",
        "{\"name\": \"a\", \"scene\": \"s\", \"steps\": \"file.txt\"}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"seed\": -1}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"seed\": 1.5}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\", \"sede\": 1}",
        "{\"name\": \"a\", \"name\": \"b\", \"scene\": \"s\", \"goal\": \"g\"}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"two\\nlines\\u0007\"}",
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\"} {}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        is_refused(wrong[i], "line 1", "");
    is_refused(
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"g\"}\n\nnonsense\n",
        "line 3", "");
    is_refused("\n \n", "no line", "");
    list l;
    static const char not_utf8[] =
        "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"\xff\"}";
    static const char with_zero[] =
        "{\"name\": \0\"a\", \"scene\": \"s\", \"goal\": \"g\"}";
    assert_int_equal(read_bytes(&l, not_utf8, sizeof not_utf8 - 1),
                     ETNA_E_INPUT);
    etna_arena_free(&l.arena);
    assert_int_equal(read_bytes(&l, with_zero, sizeof with_zero - 1),
                     ETNA_E_INPUT);
    etna_arena_free(&l.arena);
    assert_int_equal(
        batch_list_read("/nonexistent", &l.arena, &l.lines, &l.count, &l.err),
        ETNA_E_INPUT);
}

static void a_text_longer_than_a_runs_is_refused(void **state)
{
    (void)state;
    size_t size = ARRANGE_INSTRUCTION_MAX + 100;
    char *text = malloc(size + 64);
    assert_non_null(text);
    int at =
        snprintf(text, 64, "{\"name\": \"a\", \"scene\": \"s\", \"goal\": \"");
    memset(text + at, 'x', ARRANGE_INSTRUCTION_MAX + 1);
    strcpy(text + at + ARRANGE_INSTRUCTION_MAX + 1, "\"}");
    is_refused(text, "line 1", "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_run),
        cmocka_unit_test(a_mark_before_the_list_is_no_part_of_it),
        cmocka_unit_test(a_line_is_known_by_what_it_says),
        cmocka_unit_test(a_name_is_a_plain_folder_and_there_once),
        cmocka_unit_test(what_is_the_batchs_is_no_flag_of_a_line),
        cmocka_unit_test(what_is_no_run_is_refused_by_its_line),
        cmocka_unit_test(a_text_longer_than_a_runs_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
