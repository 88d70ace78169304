/* Reading constraint arrays: what is taken, and what is said of what is not. */
#include "worker/solve/constraint.h"

#include "proto/seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "[\"ObjectName\",\"cup\"],[\"CloseToPix\",\"down\",[0.25,1]]"

static etna_code parse(const char *text,
                       etna_arena *arena,
                       constraint_list *ret,
                       etna_error *err)
{
    return constraint_parse(text, strlen(text), arena, ret, err);
}

static void all_eight_are_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list;
    assert_int_equal(
        parse(
            "[" HEAD
            ",[\"Contact\",\"side\",\"wall_3\"],[\"NoOverhang\",\"down\",\"desk_up\",\"center\"],"
            "[\"Distance\",\"lamp\",1.5],[\"FaceTo\",\"camera\"],[\"BackTo\",\"wall_3\"],[\"Rotate\",-90]]",
            &arena, &list, NULL),
        ETNA_OK);
    assert_int_equal(list.count, 8);
    assert_string_equal(list.object, "cup");
    assert_int_equal(list.items[1].face, FACE_DOWN);
    assert_true(list.items[1].pixel[0] == 0.25 && list.items[1].pixel[1] == 1);
    assert_int_equal(list.items[2].face, FACE_SIDE);
    assert_string_equal(list.items[3].name, "desk_up");
    assert_false(list.items[3].full_only);
    assert_true(list.items[4].value == 1.5);
    assert_string_equal(list.items[5].name, "camera");
    assert_int_equal(list.items[6].kind, CONSTRAINT_BACK_TO);
    assert_true(list.items[7].value == -90);
    etna_arena_free(&arena);
}

static void a_block_without_outer_brackets_is_read_too(void **state)
{
    (void)state;
    static const char *const texts[] = {HEAD, "  " HEAD ",\n", "[ " HEAD " ]",
                                        "\n[\n" HEAD "\n]\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        constraint_list list;
        assert_int_equal(parse(texts[i], &arena, &list, NULL), ETNA_OK);
        assert_int_equal(list.count, 2);
        etna_arena_free(&arena);
    }
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "0 ObjectName"},
        {"[]", "0 ObjectName"},
        {"{}", "not an array that starts with its name"},
        {"nonsense", "not a JSON array of arrays"},
        {"[[\"ObjectName\",\"a\"]", "not a JSON array of arrays"},
        {"[\"ObjectName\",\"a\"]", "no CloseToPix"},
        {"[\"CloseToPix\",\"down\",[0,0]]", "0 ObjectName"},
        {HEAD ",[\"ObjectName\",\"b\"]", "2 ObjectName"},
        {HEAD ",[\"Fly\",\"b\"]", "constraint 3 is named \"Fly\""},
        {HEAD ",[1]", "constraint 3 is not an array that starts with its name"},
        {HEAD ",\"Contact\"", "constraint 3 is not an array"},
        {HEAD ",[\"Contact\",\"down\"]",
         "constraint 3 (Contact): the number of items"},
        {HEAD ",[\"Contact\",\"left\",\"p\"]", "second word"},
        {HEAD ",[\"Contact\",\"down\",\"\"]", "name is empty"},
        {HEAD ",[\"Contact\",\"down\",5]", "name is not a string"},
        {HEAD ",[\"Contact\",\"down\",\"a\\u0000b\"]", "JSON"},
        {HEAD ",[\"Contact\",\"down\",\"a\\nb\"]", "control character"},
        {HEAD ",[\"Fl\\ny\",1]", "is named \"?\""},
        {HEAD ",[\"NoOverhang\",\"down\",\"p\"]", "number of items"},
        {HEAD ",[\"NoOverhang\",\"up\",\"p\",\"center\"]", "second word"},
        {HEAD ",[\"NoOverhang\",\"down\",\"p\",\"full\"]",
         "neither full_only nor center"},
        {HEAD ",[\"CloseToPix\",\"side\",[0,0]]", "second word"},
        {HEAD ",[\"CloseToPix\",\"down\",[0.5,1.01]]", "from 0 to 1"},
        {HEAD ",[\"CloseToPix\",\"down\",[-0.1,0]]", "from 0 to 1"},
        {HEAD ",[\"CloseToPix\",\"down\",[0.5]]", "not [x, y]"},
        {HEAD ",[\"CloseToPix\",\"down\",[\"0.5\",0]]", "from 0 to 1"},
        {HEAD ",[\"Distance\",\"b\",-1]", "number of metres"},
        {HEAD ",[\"Distance\",\"b\",1e300]", "number of metres"},
        {HEAD ",[\"Distance\",\"b\",\"1\"]", "number of metres"},
        {HEAD ",[\"Rotate\",1e9]", "number of degrees"},
        {HEAD ",[\"Rotate\",90],[\"Rotate\",90]", "2 Rotate"},
        {HEAD ",[\"FaceTo\"]", "number of items"},
        {HEAD ",[\"FaceTo\",null]", "not a string"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        constraint_list list = {.count = 77};
        etna_error err = {0};
        etna_code code = parse(cases[i].text, &arena, &list, &err);
        if (code != ETNA_E_INPUT || !strstr(err.text, cases[i].says))
            fail_msg("%s: %d \"%s\" does not say \"%s\"", cases[i].text, code,
                     err.text, cases[i].says);
        assert_int_equal(list.count, 77);
        etna_arena_free(&arena);
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list;
    etna_error err = {0};
    char *text = malloc(200000);
    size_t used = (size_t)sprintf(text, HEAD);
    for (int i = 0; i < CONSTRAINTS_MAX - 1; i++)
        used += (size_t)sprintf(text + used, ",[\"FaceTo\",\"camera\"]");
    assert_int_equal(constraint_parse(text, used, &arena, &list, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "at most 32"));
    memset(text, '[', 200000); /* deep, and long */
    assert_int_equal(constraint_parse(text, 200000, &arena, &list, &err),
                     ETNA_E_INPUT);
    assert_int_equal(constraint_parse(text, 60000, &arena, &list, &err),
                     ETNA_E_INPUT);
    used = (size_t)sprintf(text, "[\"ObjectName\",\"");
    memset(text + used, 'x', 300);
    used += 300;
    used += (size_t)sprintf(text + used, "\"],[\"CloseToPix\",\"down\",[0,0]]");
    assert_int_equal(constraint_parse(text, used, &arena, &list, &err),
                     ETNA_E_INPUT);
    free(text);
    etna_arena_free(&arena);
}

static void garbage_is_refused_quietly(void **state)
{
    (void)state;
    static const char whole[] =
        "[" HEAD
        ",[\"Contact\",\"side\",\"wall_3\"],[\"Distance\",\"lamp\",1.5]]";
    etna_random r = etna_random_from(5);
    char text[sizeof whole];
    for (int i = 0; i < 20000; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        constraint_list list;
        memcpy(text, whole, sizeof whole);
        for (uint64_t k = 1 + etna_random_below(&r, 4); k > 0; k--)
            text[etna_random_below(&r, sizeof whole - 1)] =
                (char)etna_random_below(&r, 256);
        etna_code code = constraint_parse(
            text, etna_random_below(&r, sizeof whole), &arena, &list, NULL);
        assert_true(code == ETNA_OK || code == ETNA_E_INPUT);
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_eight_are_read),
        cmocka_unit_test(a_block_without_outer_brackets_is_read_too),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(garbage_is_refused_quietly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
