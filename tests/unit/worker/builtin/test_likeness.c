/* What nameless things are called after. */
#include "worker/builtin/place/likeness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    RED,
    BLUE,
    CUBE,
    POT,
    BASIL,
    CYLINDER,
    WALL,
    THINGS
};

typedef struct shelf {
    builtin_object objects[THINGS];
    etna_arena arena;
    etna_error err;
} shelf;

static void add(shelf *s,
                uint32_t i,
                const char *name,
                double width,
                double depth,
                double height)
{
    builtin_object *o = &s->objects[i];
    uint32_t count = 0;
    *o = (builtin_object){.name = name,
                          .half = {width / 2, depth / 2, height / 2}};
    const char *const *words = builtin_name_words(name, &s->arena, &count);
    assert_non_null(words);
    builtin_object_call(o, words, count);
}

static int set_up(void **state)
{
    static shelf s;
    s = (shelf){.arena = ETNA_ARENA_INIT};
    add(&s, RED, "red book", 0.2, 0.28, 0.03);
    add(&s, BLUE, "blue story book", 0.2, 0.28, 0.03);
    add(&s, CUBE, "Cube.004", 0.28, 0.2, 0.03);
    add(&s, POT, "flower pot", 0.18, 0.18, 0.27);
    add(&s, BASIL, "basil", 0.18, 0.18, 0.27);
    add(&s, CYLINDER, "Cylinder.001", 0.18, 0.18, 0.25);
    add(&s, WALL, "Mesh_3", 0.2, 0.28, 0.03);
    s.objects[WALL].is_static = true;
    *state = &s;
    return 0;
}

static int tear_down(void **state)
{
    etna_arena_free(&((shelf *)*state)->arena);
    return 0;
}

static void name_all(shelf *s)
{
    assert_int_equal(
        builtin_name_by_likeness(s->objects, THINGS, &s->arena, &s->err),
        ETNA_OK);
}

static void a_copy_is_called_what_all_it_is_like_are(void **state)
{
    shelf *s = *state;
    name_all(s);
    const builtin_object *o = &s->objects[CUBE];
    assert_int_equal(o->word_count, 1);
    assert_string_equal(o->words[0], "book");
    assert_int_equal(o->hint_count, 2);
    assert_string_equal(o->hints[0], "cube");
}

static void a_name_of_its_own_is_kept_though_no_thing_is_called_so(void **state)
{
    shelf *s = *state;
    name_all(s);
    assert_string_equal(s->objects[BASIL].words[0], "basil");
}

static void what_is_like_nothing_stays_nameless(void **state)
{
    shelf *s = *state;
    name_all(s);
    assert_string_equal(s->objects[CYLINDER].words[0], "cylinder");
    assert_string_equal(s->objects[WALL].words[0], "mesh");
}

static void what_is_like_things_of_two_names_stays_nameless(void **state)
{
    shelf *s = *state;
    add(s, POT, "radio", 0.2, 0.28, 0.03);
    name_all(s);
    assert_string_equal(s->objects[CUBE].words[0], "cube");
}

static void a_thing_called_by_its_side_is_what_stands_before_that(void **state)
{
    shelf *s = *state;
    add(s, POT, "armchair right", 1, 1, 1);
    assert_string_equal(builtin_noun(&s->objects[POT]), "armchair");
    add(s, POT, "right", 1, 1, 1);
    assert_string_equal(builtin_noun(&s->objects[POT]), "right");
    add(s, POT, "crate 2", 1, 1, 1);
    assert_string_equal(builtin_noun(&s->objects[POT]), "crate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_copy_is_called_what_all_it_is_like_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_name_of_its_own_is_kept_though_no_thing_is_called_so, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(what_is_like_nothing_stays_nameless,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_is_like_things_of_two_names_stays_nameless, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_thing_called_by_its_side_is_what_stands_before_that, set_up,
            tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
