/* What a clause says of how and where must show in its moves: of each kind of
 * place, which moves show it and which drop it. */
#include "read_parts.h"
#include "read_world.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/part_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A clause with this one place, read as that one move: is it taken for
 * whole? */
static bool is_covered(read_parts *p, const chart_node *place, builtin_move m)
{
    const chart_node *const children[] = {place};
    const chart_node said = read_parts_node(p, "DO", children, 1);
    p->reading.count = 0;
    p->err = (etna_error){0};
    read_parts_add(p, m);
    etna_code code = coverage_check(&p->r, &said, 0);
    if (code == ETNA_E_INPUT)
        assert_string_equal(p->r.refusal.code, "unread");
    return code == ETNA_OK;
}

static void each_kind_of_place_is_shown_by_its_own_moves_only(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        builtin_relation shows, drops;
    } rows[] = {{"ANGLE", RELATION_TURN, RELATION_ON},
                {"ANGLE", RELATION_TURNED, RELATION_SHIFT},
                {"FACE", RELATION_TURNED, RELATION_ON},
                {"FACE", RELATION_TUCK, RELATION_BESIDE},
                {"BACKTO", RELATION_TURNED, RELATION_LEFT},
                {"ROW", RELATION_LINE, RELATION_ON},
                {"ROW", RELATION_STACK, RELATION_GROUP},
                {"PILE", RELATION_STACK, RELATION_LINE},
                {"CENTRED", RELATION_MIDDLE, RELATION_ON},
                {"CIRCLE", RELATION_AROUND, RELATION_LINE},
                {"ENDOWN", RELATION_END, RELATION_ON},
                {"EYELEVEL", RELATION_LEVEL, RELATION_ABOVE},
                {"FOLLOW", RELATION_BESIDE, RELATION_ON},
                {"OLD", RELATION_PLACE, RELATION_BESIDE},
                {"OPPOSED", RELATION_FRONT, RELATION_ON},
                {"SHADE", RELATION_OVER, RELATION_BESIDE},
                {"FORPEOPLE", RELATION_SETTING, RELATION_ON},
                {"HEIGHT", RELATION_LEVEL, RELATION_ABOVE},
                {"ONEHEIGHT", RELATION_LEVEL, RELATION_ON},
                {"ORDER", RELATION_STACK, RELATION_LINE},
                {"ORDERED", RELATION_STACK, RELATION_GROUP},
                {"APARTBY", RELATION_SHIFT, RELATION_BESIDE},
                {"SIDE", RELATION_BEHIND, RELATION_ON},
                {"SIDE", RELATION_LEFT, RELATION_IN}};
    read_parts p;
    read_parts_begin(&p, "put it so");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const chart_node place = read_parts_node(&p, rows[i].place, NULL, 0);
        if (!is_covered(
                &p, &place,
                read_parts_move(&p, "TeaCup", rows[i].shows, "Table_01")))
            fail_msg("row %zu: %s is not seen", i, rows[i].place);
        if (is_covered(
                &p, &place,
                read_parts_move(&p, "TeaCup", rows[i].drops, "Table_01")))
            fail_msg("row %zu: %s is dropped in silence", i, rows[i].place);
    }
    read_parts_end(&p);
}

/* A kind of phrase that is new to the grammar is refused until a rule tells what
 * shows it. */
static void a_kind_of_place_that_no_rule_knows_is_never_shown(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "put it so");
    const chart_node known = read_parts_node(&p, "STAYS", NULL, 0),
                     unknown = read_parts_node(&p, "SIDEWAYS", NULL, 0);
    const builtin_move m =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    assert_true(is_covered(&p, &known, m));
    assert_false(is_covered(&p, &unknown, m));
    read_parts_end(&p);
}

/* What a check finds left out bars what costs far more, and no near reading; what
 * is certain bars all. */
static void a_refusal_says_how_far_it_bars_dearer_readings(void **state)
{
    (void)state;
    const uint32_t cost = 10;
    read_parts p;
    read_parts_begin(&p, "put it so");
    const chart_node place = read_parts_node(&p, "SIDEWAYS", NULL, 0);
    const builtin_move m =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    assert_false(is_covered(&p, &place, m));
    const uint32_t reach = p.r.refusal.reach;
    assert_true(reach > 0);
    assert_true(reach < UINT32_MAX);
    const attempt_list list = {.limit = cost + reach, .best_cost = UINT32_MAX};
    assert_false(attempts_are_enough(&list, cost + reach - 1));
    assert_true(attempts_are_enough(&list, cost + reach));
    assert_int_equal(reader_refuse_finally(&p.r, ETNA_OK), ETNA_OK);
    assert_int_equal(p.r.refusal.reach, reach);
    assert_int_equal(reader_refuse_finally(&p.r, ETNA_E_INPUT), ETNA_E_INPUT);
    assert_int_equal(p.r.refusal.reach, 0);
    reader_refuse_unread(&p.r, &place);
    assert_int_equal(p.r.refusal.reach, UINT32_MAX);
    read_parts_end(&p);
}

/* The kind of a line "where/KIND ... = ..."; false: it tells no place. */
static bool grammar_place(const char *line, char kind[40])
{
    static const char *const places[] = {"how/", "where/", "place/",
                                         "spot_rel/", "spot_zone/"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const size_t length = strlen(places[i]);
        if (strncmp(line, places[i], length) == 0)
            return sscanf(line + length, "%39[A-Z]", kind) == 1;
    }
    return false;
}

/* ... so that none is added without: "so that" is told by what it holds, and
 * what cannot be is refused before. */
static void each_kind_of_place_that_the_grammar_has_has_a_rule(void **state)
{
    (void)state;
    char line[4000], kind[40];
    unsigned count = 0;
    FILE *file =
        fopen(ETNA_SOURCE_DIR "/worker/builtin/language/grammar.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (!grammar_place(line, kind) || strcmp(kind, "SOTHAT") == 0 ||
            strcmp(kind, "CANNOT") == 0)
            continue;
        count++;
        if (!place_has_rule(kind))
            fail_msg("nothing tells what shows %s", kind);
    }
    fclose(file);
    assert_true(count > 50);
}

static void fields_of_a_move_show_what_its_relation_does_not(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "put it so");
    const chart_node angle = read_parts_node(&p, "ANGLE", NULL, 0),
                     face = read_parts_node(&p, "FACE", NULL, 0);
    const chart_node evenly = read_parts_node(&p, "EVENLY", NULL, 0),
                     order = read_parts_node(&p, "ORDER", NULL, 0);
    const chart_node height = read_parts_node(&p, "ONEHEIGHT", NULL, 0),
                     side = read_parts_node(&p, "SIDE", NULL, 0);
    const builtin_move plain =
        read_parts_move(&p, "Bottle+Bottle.001", RELATION_LINE, "Table_01");
    builtin_move m = plain;
    m.has_yaw = true;
    assert_true(is_covered(&p, &angle, m));
    m = plain;
    m.facing = FACING_BACK;
    assert_true(is_covered(&p, &face, m));
    m = plain;
    m.spacing = 0.1;
    assert_true(is_covered(&p, &evenly, m));
    m = plain;
    m.order = ORDER_LARGEST;
    assert_true(is_covered(&p, &order, m));
    m = plain;
    m.align = ALIGN_TOP;
    assert_true(is_covered(&p, &height, m));
    m = plain;
    m.sides = 1;
    assert_true(is_covered(&p, &side, m));
    const builtin_condition far = {.relation = RELATION_BESIDE,
                                   .reference = 1,
                                   .second = BUILTIN_NONE,
                                   .gap = 0.2};
    m = plain;
    m.also = &far;
    m.also_count = 1;
    assert_true(is_covered(&p, &evenly, m));
    assert_false(is_covered(&p, &evenly, plain));
    /* a ring that is not even is no even ring */
    m = read_parts_move(&p, "TeaCup", RELATION_AROUND, "Table_01");
    assert_false(is_covered(&p, &evenly, m));
    m.even = true;
    assert_true(is_covered(&p, &evenly, m));
    read_parts_end(&p);
}

/* "20 cm to the left" is a way to go; the "back" of "put it back on the shelf"
 * is none. */
static void a_way_to_go_must_show_but_for_words_that_are_no_way(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "put it left");
    const chart_node left = read_parts_word("$dir", 2, DIR_LEFT),
                     back = read_parts_word("$dir", 2, DIR_BACK);
    const chart_node dist = read_parts_node(&p, "DIST", NULL, 0);
    const chart_node *const to_left[] = {&left}, *const to_back[] = {&back},
                            *const far[] = {&dist, &back};
    const chart_node leftwards = read_parts_node(&p, "SHIFT", to_left, 1);
    const chart_node again = read_parts_node(&p, "SHIFT", to_back, 1);
    const chart_node measured = read_parts_node(&p, "SHIFT", far, 2);
    const builtin_move on =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    assert_false(is_covered(&p, &leftwards, on));
    assert_true(
        is_covered(&p, &leftwards,
                   read_parts_move(&p, "TeaCup", RELATION_LEFT, "Bottle")));
    assert_true(is_covered(&p, &again, on));
    assert_false(is_covered(&p, &measured, on));
    assert_true(is_covered(
        &p, &measured, read_parts_move(&p, "TeaCup", RELATION_SHIFT, NULL)));
    read_parts_end(&p);
}

static void a_clause_without_moves_has_nothing_to_show(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "it is turned");
    const chart_node angle = read_parts_node(&p, "ANGLE", NULL, 0);
    const chart_node *const children[] = {&angle};
    const chart_node said = read_parts_node(&p, "STATE", children, 1);
    assert_int_equal(coverage_check(&p.r, &said, 0), ETNA_OK);
    read_parts_end(&p);
}

static void only_words_that_ask_make_a_clause_a_request(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "it should is");
    const chart_node should = read_parts_word("$be", 1, 0),
                     is = read_parts_word("$be", 2, 0);
    const chart_node *const asking[] = {&should}, *const telling[] = {&is};
    const chart_node asks = read_parts_node(&p, "STATE", asking, 1),
                     tells = read_parts_node(&p, "STATE", telling, 1);
    assert_true(coverage_is_request(&p.r, &asks));
    assert_false(coverage_is_request(&p.r, &tells));
    read_parts_end(&p);
}

static etna_code read_whole(const char *text, builtin_reading *ret)
{
    facts_world w = read_world();
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    builtin_facts facts = read_world_facts(&w, &arena);
    *ret = (builtin_reading){0};
    etna_code code = builtin_read(&facts, text, &arena, ret, &err);
    etna_arena_free(&arena);
    return code;
}

/* What is turned stays where it is: a place that it has already describes it,
 * any other is more than a turn. */
static void a_place_of_what_is_turned_must_be_its_own(void **state)
{
    (void)state;
    builtin_reading reading;
    assert_int_equal(
        read_whole("Turn the cup on the table by 90 degrees", &reading),
        ETNA_OK);
    assert_int_equal(reading.count, 1);
    assert_int_equal(
        read_whole("Turn the cup by 90 degrees on the nightstand", &reading),
        ETNA_E_INPUT);
}

static void what_turns_on_the_spot_gives_no_way(void **state)
{
    (void)state;
    builtin_reading reading;
    assert_int_equal(
        read_whole("Turn the cup by 90 degrees on the spot", &reading),
        ETNA_OK);
    assert_true(reading.count == 1 && reading.moves[0].exact);
    assert_int_equal(read_whole("Turn the cup by 90 degrees", &reading),
                     ETNA_OK);
    assert_true(reading.count == 1 && !reading.moves[0].exact);
}

/* "With the lamp on it": true of what stands there, and more than was read of
 * what does not. */
static void what_is_said_to_come_along_must_stand_on_what_is_moved(void **state)
{
    (void)state;
    builtin_reading reading;
    assert_int_equal(
        read_whole("Move the table 20 cm to the left, with the lamp on it",
                   &reading),
        ETNA_OK);
    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.moves[0].relation, RELATION_SHIFT);
    assert_int_equal(
        read_whole("Move the nightstand 20 cm to the left, with the lamp on it",
                   &reading),
        ETNA_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_place_is_shown_by_its_own_moves_only),
        cmocka_unit_test(a_kind_of_place_that_no_rule_knows_is_never_shown),
        cmocka_unit_test(a_refusal_says_how_far_it_bars_dearer_readings),
        cmocka_unit_test(each_kind_of_place_that_the_grammar_has_has_a_rule),
        cmocka_unit_test(fields_of_a_move_show_what_its_relation_does_not),
        cmocka_unit_test(a_way_to_go_must_show_but_for_words_that_are_no_way),
        cmocka_unit_test(a_clause_without_moves_has_nothing_to_show),
        cmocka_unit_test(only_words_that_ask_make_a_clause_a_request),
        cmocka_unit_test(a_place_of_what_is_turned_must_be_its_own),
        cmocka_unit_test(what_turns_on_the_spot_gives_no_way),
        cmocka_unit_test(
            what_is_said_to_come_along_must_stand_on_what_is_moved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
