/* What a model answers in the reader's place: read back as what was meant, or
 * refused with what is wrong. */
#include "worker/builtin/read/predicates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"chair", "lamp", "table", "vase"};
enum {
    CHAIR,
    LAMP,
    TABLE,
    VASE,
    NAMES
};
static const char *const sentence = "put them where they belong";

static const builtin_object objects[NAMES] = {
    {.name = "chair"}, {.name = "lamp"}, {.name = "table"}, {.name = "vase"}};
static const builtin_facts facts = {.object_count = NAMES, .objects = objects};

static const predicates_scope one = {.thing_count = NAMES,
                                     .things = names,
                                     .sentence_count = 1,
                                     .sentences = &sentence};

/* The reading's predicates, checked and read again; the same as JSON. */
static void goes_there_and_back(const builtin_reading *reading)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    json_t *told = predicates_of(&facts, reading, strlen(sentence)),
           *checked = NULL;
    json_t *answer = json_pack("{s:O}", "predicates", told);
    if (predicates_check(answer, &one, &checked, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    builtin_reading again;
    if (predicates_read(json_object_get(checked, "predicates"), &facts, &arena,
                        &again, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    json_t *retold = predicates_of(&facts, &again, strlen(sentence));
    if (!json_equal(told, retold)) {
        fail_msg("%s\nis not\n%s", json_dumps(retold, JSON_COMPACT),
                 json_dumps(told, JSON_COMPACT));
    }
    json_decref(retold);
    json_decref(checked);
    json_decref(answer);
    json_decref(told);
    etna_arena_free(&arena);
}

static const uint32_t two[] = {CHAIR, VASE}, row[] = {VASE, CHAIR},
                      lamp[] = {LAMP};

static builtin_move plain(builtin_relation relation)
{
    return (builtin_move){.relation = relation,
                          .objects = {.count = 2, .objects = two, .need = 2},
                          .reference = TABLE,
                          .second = BUILTIN_NONE,
                          .support = BUILTIN_NONE,
                          .faced = BUILTIN_NONE,
                          .gap = -1,
                          .spacing = -1,
                          .span = {4, 8}};
}

static void every_relation_comes_back(void **state)
{
    (void)state;
    for (int i = 0; i < RELATION_COUNT; i++) {
        assert_string_not_equal(predicates_kind((builtin_relation)i), "");
        builtin_move move = plain((builtin_relation)i);
        if (i == RELATION_BETWEEN)
            move.second = LAMP;
        if (i == RELATION_TURNED) {
            move.facing = FACING_TO;
            move.faced = LAMP;
        }
        builtin_reading reading = {.count = 1, .moves = {move}};
        goes_there_and_back(&reading);
    }
    assert_string_equal(predicates_kind(RELATION_COUNT), "");
}

static void all_that_a_move_says_comes_back(void **state)
{
    (void)state;
    const builtin_condition also[] = {
        {RELATION_BETWEEN, TABLE, LAMP, 0, -1, BOUND_NONE, false},
        {RELATION_EDGE, TABLE, BUILTIN_NONE, SIDE_LEFT, 0.5, BOUND_MOST, false},
        {RELATION_CORNER, TABLE, BUILTIN_NONE, SIDE_BACK | SIDE_RIGHT, -1,
         BOUND_NONE, true}};
    builtin_move full = plain(RELATION_LINE);
    full.second = LAMP;
    full.support = TABLE;
    full.sides = SIDE_LEFT | SIDE_FRONT;
    full.gap = 0.25;
    full.facing = FACING_BACK;
    full.faced = LAMP;
    full.level = 3;
    full.hung = full.exact = full.goes = full.even = full.alone = true;
    full.there = (builtin_set){.count = 1, .objects = lamp, .need = 1};
    full.each = (builtin_set){.count = 1, .objects = lamp, .need = 1};
    full.also_count = 3;
    full.also = also;
    full.row_count = 2;
    full.row = row;
    full.spacing = 0.1;
    full.align = ALIGN_MIDDLE;
    builtin_move turn = plain(RELATION_TURN), at = plain(RELATION_AT),
                 shift = plain(RELATION_SHIFT), set = plain(RELATION_SETTING);
    turn.turn = -90;
    turn.objects.need = 1;
    turn.facing = FACING_TO;
    turn.faced = BUILTIN_CAMERA;
    at.at[0] = 1.5;
    at.has_yaw = true;
    at.yaw_deg = 45;
    shift.shift[2] = -0.5;
    set.slot = SLOT_FAR;
    builtin_move high = plain(RELATION_ON);
    high.align = ALIGN_HEIGHT;
    high.at[2] = 1.6;
    builtin_reading reading = {.count = 6,
                               .moves = {full, turn, at, shift, set, high}};
    goes_there_and_back(&reading);
}

#define ON \
    "\"kind\":\"on\",\"things\":[[\"vase\"],[\"table\"]],\"roles\":[\"moved\",\"reference\"]"

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *complaint;
    } cases[] = {
        {"{}", "no list \"predicates\""},
        {"{\"predicates\":7}", "no list"},
        {"{\"predicates\":[7]}", "predicate 1: it is no object"},
        {"{\"predicates\":[{}]}", "no kind"},
        {"{\"predicates\":[{\"kind\":\"upon\"}]}", "no kind \"upon\""},
        {"{\"predicates\":[{\"kind\":\"on\"}]}", "nothing is moved"},
        {"{\"predicates\":[{" ON
         "},{\"kind\":\"on\",\"things\":[[]],\"roles\":[\"moved\"]}]}",
         "predicate 2: nothing is moved"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"violin\"]],\"roles\":[\"moved\"]}]}",
         "no thing \"violin\""},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[7]],\"roles\":[\"moved\"]}]}",
         "must be a name"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"vase\"]],\"roles\":[]}]}",
         "one length"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"vase\"]],\"roles\":[\"reference\"]}]}",
         "are moved"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"vase\"],[\"lamp\"]],\"roles\":[\"moved\",\"moved\"]}]}",
         "are moved"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"vase\"],[\"lamp\",\"table\"]],\"roles\":[\"moved\",\"reference\"]}]}",
         "one thing"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"gap_m\":-1}}]}", "gap_m"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"gap_m\":1e300}}]}", "gap_m"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"at_m\":[1,2]}}]}", "at_m"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"level\":\"2\"}}]}", "level"},
        {"{\"predicates\":[{" ON ",\"facing\":\"up\"}]}", "facing"},
        {"{\"predicates\":[{" ON ",\"sides\":[\"up\"]}]}", "sides"},
        {"{\"predicates\":[{" ON
         ",\"also\":[{\"kind\":\"on\",\"things\":[[\"vase\"]],\"roles\":[\"moved\"]}]}]}",
         "are moved"},
        {"{\"predicates\":[{" ON ",\"also\":[{},{},{},{},{},{},{},{},{}]}]}",
         "also holds more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *answer = json_loads(cases[i].answer, 0, NULL), *checked = NULL;
        etna_error err = {0};
        assert_non_null(answer);
        assert_int_equal(predicates_check(answer, &one, &checked, &err),
                         ETNA_E_INPUT);
        assert_null(checked);
        if (!strstr(err.text, cases[i].complaint))
            fail_msg("case %zu says: %s", i, err.text);
        json_decref(answer);
    }
}

/* What would be dropped or filled with nothing is a wish that is lost: the run
 * would end complete without it. */
static void a_wish_that_would_be_lost_is_refused(void **state)
{
    (void)state;
#define ONE(kind) \
    "{\"predicates\":[{\"kind\":\"" kind \
    "\",\"things\":[[\"vase\"]],\"roles\":[\"moved\"]}]}"
    static const struct {
        const char *answer, *complaint;
    } cases[] = {
        {"{\"predicates\":[{" ON "}],\"unread\":\"the lamp\"}", "unread must"},
        {"{\"predicates\":[{" ON "}],\"unread\":{\"text\":\"x\"}}",
         "unread must"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"gap_cm\":20}}]}", "gap_cm"},
        {"{\"predicates\":[{" ON ",\"numbers\":[0.2]}]}", "numbers must"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"level\":1.5}}]}", "level"},
        {"{\"predicates\":[{" ON ",\"sides\":\"left\"}]}", "sides must"},
        {"{\"predicates\":[{" ON ",\"also\":{\"kind\":\"on\"}}]}", "also must"},
        {"{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"on\"}]}]}",
         "role reference"},
        {"{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"aligned\",\"things\":"
         "[[\"lamp\"]],\"roles\":[\"reference\"]}]}]}",
         "is no place"},
        {"{\"predicates\":[{" ON ",\"hung\":\"yes\"}]}", "true or left out"},
        {"{\"predicates\":[{" ON ",\"facing\":\"to\"}]}", "go together"},
        {"{\"predicates\":[{" ON ",\"align\":\"height\"}]}", "height_m"},
        {"{\"predicates\":[{\"kind\":\"on\",\"things\":[[\"vase\"],[\"lamp\"],"
         "[\"table\"]],\"roles\":[\"moved\",\"reference\",\"reference\"]}]}",
         "twice"},
        {"{\"predicates\":[{\"kind\":\"between\",\"things\":[[\"vase\"],"
         "[\"lamp\"]],\"roles\":[\"moved\",\"reference\"]}]}",
         "role second"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"turn_deg\":90}}]}",
         "on has no use for turn_deg"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"shift_m\":[0,0.2,0]}}]}",
         "no use for shift_m"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"gap_m\":0.2}}]}",
         "no use for gap_m"},
        {"{\"predicates\":[{" ON ",\"numbers\":{\"each_number\":2}}]}",
         "role each"},
        {"{\"predicates\":[{" ON ",\"sides\":[\"left\"]}]}",
         "no use for sides"},
        {"{\"predicates\":[{" ON ",\"even\":true}]}", "no use for even"},
        {"{\"predicates\":[{" ON ",\"in_order\":true}]}", "for in_order"},
        {"{\"predicates\":[{" ON ",\"slot\":\"far\"}]}", "no use for slot"},
        {"{\"predicates\":[{" ON ",\"align\":\"middle\"}]}", "for align"},
        {"{\"predicates\":[{" ON ",\"denied\":true}]}", "denied"},
        {"{\"predicates\":[{" ON ",\"gap_most\":true}]}", "number gap_m"},
        {"{\"predicates\":[{" ON
         ",\"align\":\"top\",\"numbers\":{\"height_m\":1}}]}",
         "height_m"},
        {"{\"predicates\":[{\"kind\":\"swapped\",\"things\":[[\"vase\"],"
         "[\"lamp\"]],\"roles\":[\"moved\",\"reference\"],\"numbers\":"
         "{\"level\":2}}]}",
         "swapped has no use for level"},
        {"{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"edge\",\"things\":"
         "[[\"table\"],[\"lamp\"]],\"roles\":[\"reference\",\"faced\"]}]}]}",
         "no role faced"},
        {"{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"edge\",\"things\":"
         "[[\"table\"]],\"roles\":[\"reference\"],\"exact\":true}]}]}",
         "no use for exact"},
        {"{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"on\",\"things\":"
         "[[\"table\"]],\"roles\":[\"reference\"],\"numbers\":"
         "{\"level\":2}}]}]}",
         "no use for level"},
        {ONE("turned_by"), "turn_deg"},
        {ONE("moved_by"), "shift_m"},
        {ONE("at"), "at_m"},
        {ONE("facing"), "facing needs"},
        {ONE("stacked"), "more than one"},
        {ONE("on"), "role reference"},
        {ONE("against"), "role reference"},
        {ONE("swapped"), "role reference"},
        {ONE("tucked"), "role reference"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *answer = json_loads(cases[i].answer, 0, NULL), *checked = NULL;
        etna_error err = {0};
        assert_non_null(answer);
        if (predicates_check(answer, &one, &checked, &err) != ETNA_E_INPUT)
            fail_msg("case %zu is taken: %s", i, cases[i].answer);
        if (!strstr(err.text, cases[i].complaint))
            fail_msg("case %zu says: %s", i, err.text);
        json_decref(answer);
    }
}

/* Nothing has to be done for it, so it would be complete at once. */
static void nothing_is_told_by_itself(void **state)
{
    (void)state;
#define SELF(kind, role) \
    "{\"predicates\":[{\"kind\":\"" kind \
    "\",\"things\":[[\"lamp\",\"vase\"],[\"chair\"],[\"vase\"]],\"roles\":[\"moved\",\"reference\",\"" role \
    "\"],\"facing\":\"to\"}]}"
    static const char *const refused[] = {
        "{\"predicates\":[{\"kind\":\"under\",\"things\":[[\"vase\"],[\"vase\"]],"
        "\"roles\":[\"moved\",\"reference\"]}]}",
        SELF("beside", "faced"),
        "{\"predicates\":[{\"kind\":\"between\",\"things\":[[\"vase\"],[\"lamp\"],"
        "[\"vase\"]],\"roles\":[\"moved\",\"reference\",\"second\"]}]}",
        "{\"predicates\":[{" ON ",\"also\":[{\"kind\":\"beside\",\"things\":"
        "[[\"vase\"]],\"roles\":[\"reference\"]}]}]}",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        json_t *answer = json_loads(refused[i], 0, NULL), *checked = NULL;
        etna_error err = {0};
        assert_non_null(answer);
        if (predicates_check(answer, &one, &checked, &err) != ETNA_E_INPUT)
            fail_msg("taken: %s", refused[i]);
        if (!strstr(err.text, "\"vase\" is moved and is its own"))
            fail_msg("case %zu says: %s", i, err.text);
        json_decref(answer);
    }
    json_t *back = json_loads(
        "{\"predicates\":[{\"kind\":\"old_place\",\"things\":[[\"vase\"],[\"vase\"]],"
        "\"roles\":[\"moved\",\"reference\"]}]}",
        0, NULL);
    json_t *checked = NULL;
    assert_int_equal(predicates_check(back, &one, &checked, NULL), ETNA_OK);
    json_decref(checked);
    json_decref(back);
}

/* Some models fill in every field; and a height needs no second word. */
static void zeros_and_a_lone_height_are_taken(void **state)
{
    (void)state;
    json_t *answer = json_loads(
        "{\"predicates\":[{" ON
        ",\"numbers\":{\"gap_m\":0,\"turn_deg\":0.0,\"shift_m\":[0,0,0],\"height_m\":1.5},\"even\":false,\"sides\":[],\"slot\":null}]}",
        0, NULL);
    json_t *checked = NULL;
    etna_error err = {0};
    assert_non_null(answer);
    if (predicates_check(answer, &one, &checked, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    const json_t *first =
        json_array_get(json_object_get(checked, "predicates"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "align")),
                        "height");
    json_decref(checked);
    json_decref(answer);
}

static void what_is_not_asked_for_is_left_out(void **state)
{
    (void)state;
    json_t *answer = json_loads(
        "{\"predicates\":[{" ON
        ",\"span\":[4,900],\"evil\":1,\"hung\":null,\"sides\":[]}],\"unread\":[{\"text\":\"x\",\"y\":1}],\"z\":0}",
        0, NULL);
    json_t *want = json_loads(
        "{\"predicates\":[{" ON
        ",\"numbers\":{},\"span\":[0,26]}],\"unread\":[{\"span\":[0,26],\"text\":\"x\"}]}",
        0, NULL);
    json_t *checked = NULL;
    assert_int_equal(predicates_check(answer, &one, &checked, NULL), ETNA_OK);
    if (!json_equal(checked, want))
        fail_msg("%s", json_dumps(checked, JSON_COMPACT));
    json_decref(checked);
    json_decref(want);
    json_decref(answer);
}

static void a_list_says_which_instruction(void **state)
{
    (void)state;
    static const char *const steps[] = {"first", "the second"};
    const predicates_scope list = {.thing_count = NAMES,
                                   .things = names,
                                   .sentence_count = 2,
                                   .sentences = steps,
                                   .is_list = true};
    json_t *good = json_loads("{\"predicates\":[{" ON
                              ",\"item\":2,\"span\":[4,10]}]}",
                              0, NULL),
           *checked = NULL;
    json_t *bad = json_loads("{\"predicates\":[{" ON ",\"item\":3}]}", 0, NULL);
    assert_int_equal(predicates_check(bad, &list, &checked, NULL),
                     ETNA_E_INPUT);
    assert_int_equal(predicates_check(good, &list, &checked, NULL), ETNA_OK);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_reading reading;
    assert_int_equal(predicates_read(json_object_get(checked, "predicates"),
                                     &facts, &arena, &reading, NULL),
                     ETNA_OK);
    assert_int_equal(reading.moves[0].instruction, 1);
    assert_int_equal(reading.moves[0].span[1], 10);
    etna_arena_free(&arena);
    json_decref(checked);
    json_decref(good);
    json_decref(bad);
}

static void names_of_another_scene_are_refused(void **state)
{
    (void)state;
    const builtin_facts other = {.object_count = 1, .objects = objects};
    json_t *checked = NULL,
           *answer = json_loads("{\"predicates\":[{" ON "}]}", 0, NULL);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_reading reading = {.count = 7};
    assert_int_equal(predicates_check(answer, &one, &checked, NULL), ETNA_OK);
    assert_int_equal(predicates_read(json_object_get(checked, "predicates"),
                                     &other, &arena, &reading, NULL),
                     ETNA_E_INPUT);
    assert_int_equal(reading.count, 7);
    etna_arena_free(&arena);
    json_decref(checked);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_relation_comes_back),
        cmocka_unit_test(all_that_a_move_says_comes_back),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_wish_that_would_be_lost_is_refused),
        cmocka_unit_test(nothing_is_told_by_itself),
        cmocka_unit_test(zeros_and_a_lone_height_are_taken),
        cmocka_unit_test(what_is_not_asked_for_is_left_out),
        cmocka_unit_test(a_list_says_which_instruction),
        cmocka_unit_test(names_of_another_scene_are_refused),
    };
    return cmocka_run_group_tests_name("predicates", tests, NULL, NULL);
}
