/* Names of objects and planes as models spell them become the scene's own,
 * where there is only one that can be meant. */
#include "worker/agents/names.h"
#include "worker/scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static scene_object objects[] = {{.name = "Yellow Block"},
                                 {.name = "Desk"},
                                 {.name = "Desk Top"},
                                 {.name = "Lamp_1"},
                                 {.name = "lamp 1"}};

static void spells(const char *row, const char *wanted)
{
    const scene s = {.object_count = sizeof objects / sizeof *objects,
                     .objects = objects};
    etna_arena arena = ETNA_ARENA_INIT;
    const char *got = NULL;
    assert_int_equal(names_spell(&s, row, &arena, &got, NULL), ETNA_OK);
    assert_string_equal(got, wanted);
    etna_arena_free(&arena);
}

static void a_top_in_words_is_the_plane_of_the_box(void **state)
{
    (void)state;
    spells("[[\"Contact\",\"down\",\"yellow block_UP\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_up\"]]");
    spells("[[\"Contact\",\"down\",\"Yellow Block top surface\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_up\"]]");
    spells("[[\"Contact\",\"down\",\"the top of the yellow block\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_up\"]]");
    spells("[[\"Contact\",\"down\",\"plane: yellow block_up\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_up\"]]");
    spells("[[\"ObjectName\",\"object: yellow block\"]]",
           "[[\"ObjectName\",\"Yellow Block\"]]");
    spells("[[\"Contact\",\"down\",\"YELLOW BLOCK 12\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_12\"]]");
}

static void what_stands_around_a_name_is_no_part_of_it(void **state)
{
    (void)state;
    spells("[[\"Contact\",\"down\",\"the yellow block_12\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_12\"]]");
    spells("[[\"Contact\",\"down\",\"Yellow Block_12 (id: 7)\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_12\"]]");
    spells("[[\"Contact\",\"down\",\"plane Yellow Block_12\"]]",
           "[[\"Contact\",\"down\",\"Yellow Block_12\"]]");
    spells("[[\"ObjectName\",\"name=yellow block\"]]",
           "[[\"ObjectName\",\"Yellow Block\"]]");
}

static void a_row_that_says_nothing_is_left_out(void **state)
{
    (void)state;
    spells(
        "[[\"ObjectName\",\"Desk\"],[\"FaceTo\",\"none\"],[\"BackTo\",\"N/A\"]]",
        "[[\"ObjectName\",\"Desk\"]]");
    spells("[[\"CloseToPix\",\"down\",[0.5,0.5],\"where it was asked for\"]]",
           "[[\"CloseToPix\",\"down\",[0.5,0.5]]]");
    spells("[[\"CloseToPix\",\"down\",[0.5,0.5],\"Camera 2\"]]",
           "[[\"CloseToPix\",\"down\",[0.5,0.5],\"Camera 2\"]]");
}

static void what_may_be_another_thing_stays(void **state)
{
    (void)state;
    spells("[[\"Contact\",\"down\",\"desk top\"]]",
           "[[\"Contact\",\"down\",\"Desk Top\"]]");
    spells("[[\"ObjectName\",\"LAMP-1\"]]",
           "[[\"ObjectName\",\"LAMP-1\"]]"); /* two are called so */
    spells("[[\"ObjectName\",\"yellow_block\"]]",
           "[[\"ObjectName\",\"Yellow Block\"]]");
    spells("[[\"ObjectName\",\"Yellow Block's top\"]]",
           "[[\"ObjectName\",\"Yellow Block's top\"]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_top_in_words_is_the_plane_of_the_box),
        cmocka_unit_test(what_stands_around_a_name_is_no_part_of_it),
        cmocka_unit_test(a_row_that_says_nothing_is_left_out),
        cmocka_unit_test(what_may_be_another_thing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
