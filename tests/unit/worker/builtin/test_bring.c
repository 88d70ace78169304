/* What a sentence wants brought in or taken out, and how it reads once that was
 * done. */
#include "tests/support/facts_world.h"
#include "worker/builtin/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static facts_world room(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 6, 0.1, "brown", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Sofa", -2, 0, 0.9, 2, 0.8, "grey", floor);
    int table =
        facts_world_add(&w, "Coffee Table", 0, 0, 1, 0.6, 0.4, "brown", floor);
    facts_world_add(&w, "Vase", 0.1, 0, 0.1, 0.1, 0.3, "blue", table);
    facts_world_add(&w, "Small Plant 1", 2, 1, 0.2, 0.2, 0.3, "green", floor);
    facts_world_add(&w, "Small Plant 2", 2, -1, 0.2, 0.2, 0.3, "red", floor);
    return w;
}

static builtin_facts facts_of(const facts_world *w, etna_arena *arena)
{
    builtin_facts facts;
    etna_error err = {0};
    char *json = facts_world_json(w);
    if (builtin_facts_read(json, strlen(json), arena, &facts, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    free(json);
    return facts;
}

/* "add floor lamp x1 (a floor lamp); remove Vase (the vase)" */
static void wants_text(const builtin_facts *facts,
                       const builtin_want *wants,
                       uint32_t count,
                       char *to,
                       size_t size)
{
    static const char *const kinds[] = {"add", "remove", "replace"};
    size_t n = 0;
    to[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const builtin_want *w = &wants[i];
        n += (size_t)snprintf(to + n, size - n, "%s%s", i ? "; " : "",
                              kinds[w->kind]);
        for (uint32_t k = 0; k < w->objects.count; k++)
            n += (size_t)snprintf(to + n, size - n, " %s",
                                  facts->objects[w->objects.objects[k]].name);
        if (w->kind != CHANGE_REMOVE)
            n += (size_t)snprintf(to + n, size - n, " <%s> x%u", w->query,
                                  w->count);
    }
}

static void sentences_say_what_to_bring_in_and_what_to_take_out(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"Add a floor lamp beside the sofa", "add <floor lamp> x1"},
        {"Add two floor lamps beside the sofa", "add <floor lamps> x2"},
        {"Bring in a rug and put the vase on the sofa", "add <rug> x1"},
        {"Remove the small plants", "remove Small Plant 1 Small Plant 2"},
        {"Get rid of the vase", "remove Vase"},
        {"Remove the small plants but keep small plant 1",
         "remove Small Plant 2"},
        {"Remove the small plants. Small plant 2 stays.",
         "remove Small Plant 1"},
        {"Remove the vase, but keep the vase", ""},
        {"Remove the small plants but keep the red one",
         "remove Small Plant 1"},
        {"Remove the small plants and leave the red plant next to the sofa",
         "remove Small Plant 1"},
        {"Replace both small plants with stools but leave small plant 2",
         "replace Small Plant 1 <stools> x1"},
        {"Replace the coffee table with a round one",
         "replace Coffee Table <round coffee table> x1"},
        {"Replace the sofa with a red armchair",
         "replace Sofa <red armchair> x1"},
        {"Add a floor lamp beside the sofa and replace the coffee table with a round one",
         "add <floor lamp> x1; replace Coffee Table <round coffee table> x1"},
        {"Add a floor lamp beside the sofa, then put the vase on the sofa",
         "add <floor lamp> x1"},
        {"Move the vase onto the sofa and remove the coffee table",
         "remove Coffee Table"},
        {"Put a new vase on the coffee table", "add <vase> x1"},
        {"Add a vase on each small plant", "add <vase> x2"},
        {"Add a floor lamp on each side of the sofa", "add <floor lamp> x2"},
        {"Add a vase at either end of the coffee table", "add <vase> x2"},
        {"Add two floor lamps on either side of the sofa",
         "add <floor lamps> x2"},
        {"Add two floor lamps, one on each side of the sofa",
         "add <floor lamps> x2"},
        {"Add two vases, one at either end of the coffee table",
         "add <vases> x2"},
        {"Add a vase on small plant 1 and a vase on small plant 2",
         "add <vase> x1; add <vase> x1"},
        {"Add a floor lamp and a vase next to the sofa",
         "add <floor lamp> x1; add <vase> x1"},
        {"Add a vase next to the sofa. Another one next to small plant 1.",
         "add <vase> x1; add <vase> x1"},
        {"Add a vase next to the sofa and another next to small plant 1.",
         "add <vase> x1; add <vase> x1"},
        {"Add a vase next to the sofa. Add two more next to small plant 1.",
         "add <vase> x1; add <vase> x2"},
        {"Bring in a vase on the sofa", "add <vase> x1"},
        {"Bring in two chairs and a coffee table against the wall",
         "add <chairs> x2; add <coffee table> x1"},
        {"Swap the sofa for a new armchair", "replace Sofa <armchair> x1"},
        {"Swap the sofa for an armchair", "replace Sofa <armchair> x1"},
        {"Replace both small plants with floor lamps",
         "replace Small Plant 1 Small Plant 2 <floor lamps> x2"},
        {"Replace the two small plants with two lamps",
         "replace Small Plant 1 Small Plant 2 <lamps> x2"},
        {"Replace both small plants with house plants",
         "replace Small Plant 1 Small Plant 2 <house plants> x2"},
        {"Remove the vase on the coffee table", "remove Vase"},
        {"Remove everything on the coffee table", "remove Vase"},
        {"Get rid of all the things on the coffee table", "remove Vase"},
        {"Remove everything on the coffee table but the vase", ""},
        {"Remove the small plant 1 on the coffee table", ""},
        {"Remove the vase next to the sofa", ""},
        {"Remove the coffee table next to the sofa", "remove Coffee Table"},
        {"Remove the small plants next to the sofa", ""},
        {"Take the vase away", "remove Vase"},
        {"Take away both small plants", "remove Small Plant 1 Small Plant 2"},
        {"Take the vase away from the coffee table", ""},
        {"Replace the coffee table by a round one",
         "replace Coffee Table <round coffee table> x1"},
        {"Replace the coffee table by a bigger one",
         "replace Coffee Table <bigger coffee table> x1"},
        {"Put a floor lamp next to the sofa", "add <floor lamp> x1"},
        {"Place two laptops on the coffee table", "add <laptops> x2"},
        {"Put a vase on the sofa", ""},
        {"Put the floor lamp next to the sofa", ""},
        {"Add two stools opposite small plant 1 and small plant 2", ""},
        {"Put a laptop on the sofa and a second one on the coffee table",
         "add <laptop> x1; add <laptop> x1"},
        {"Replace both small plants by stools facing each other", ""},
        {"Replace both small plants with stools next to each other", ""},
        {"Replace the small plant 1 with a vase on the sofa", ""},
        {"Replace the vase with a bottle", "replace Vase <bottle> x1"},
        {"Replace the sofa by a seat", "replace Sofa <seat> x1"},
        {"Replace the small plant 1 with a small plant",
         "replace Small Plant 1 <small plant> x1"},
        {"Replace the two small plants with three lamps", ""},
        {"Replace both small plants with one lamp", ""},
        {"Swap the sofa with a small plant", ""},
        {"Put the vase on the sofa", ""},
        {"Remove the vase from the table", ""},
        {"Replace the vase with the small plant 1", ""},
        {"Put away the vase", ""}};
    const facts_world w = room();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        const builtin_facts facts = facts_of(&w, &arena);
        builtin_reading reading = {0};
        builtin_want *wants = NULL;
        uint32_t count = 0;
        char text[1000];
        assert_int_equal(builtin_gather(&facts, rows[i][0], &arena, &wants,
                                        &count, &reading, NULL),
                         ETNA_OK);
        wants_text(&facts, wants, count, text, sizeof text);
        if (strcmp(text, rows[i][1]) != 0)
            fail_msg("\"%s\": \"%s\", not \"%s\"", rows[i][0], text,
                     rows[i][1]);
        etna_arena_free(&arena);
    }
}

/* Once it came, the sentence asks for its place; what was taken out asks for
 * nothing. */
static void what_came_is_put_where_the_sentence_says(void **state)
{
    (void)state;
    facts_world w = room();
    facts_world_add(&w, "floor lamp", 0, 9, 0.3, 0.3, 1.5, "red", -1);
    facts_world_add(&w, "round coffee table", 0, 10, 0.8, 0.8, 0.4, "brown",
                    -1);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = facts_of(&w, &arena);
    const uint32_t lamp = 6, table = 7, vase = 3;
    const double at[1][3] = {{0, 0, 0.1}}, yaw[1] = {90};
    const builtin_staged staged[] = {{.kind = CHANGE_ADD,
                                      .said = "a floor lamp",
                                      .by = "",
                                      .refused = "",
                                      .count = 1,
                                      .objects = &lamp},
                                     {.kind = CHANGE_REPLACE,
                                      .said = "the coffee table",
                                      .by = "a round one",
                                      .refused = "",
                                      .count = 1,
                                      .objects = &table,
                                      .at = at,
                                      .yaw_deg = yaw,
                                      .load_count = 1,
                                      .load = &vase},
                                     {.kind = CHANGE_REMOVE,
                                      .said = "the green chair",
                                      .by = "",
                                      .refused = ""},
                                     {.kind = CHANGE_ADD,
                                      .said = "a trombone",
                                      .by = "",
                                      .refused = "no asset is a trombone"},
                                     {.kind = CHANGE_REMOVE,
                                      .said = "the sofa",
                                      .by = "",
                                      .refused = "something stands on it"}};
    facts.staged = staged;
    facts.staged_count = 5;
    builtin_reading r = {0};
    etna_error err = {0};
    if (builtin_read(&facts, "Add a floor lamp beside the sofa", &arena, &r,
                     &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r.count, 1);
    assert_true(r.moves[0].objects.objects[0] == lamp &&
                r.moves[0].relation == RELATION_BESIDE);
    assert_int_equal(r.moves[0].reference, 1);
    r = (builtin_reading){0};
    if (builtin_read(&facts, "Replace the coffee table with a round one",
                     &arena, &r, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r.count, 2);
    assert_true(r.moves[0].relation == RELATION_AT &&
                r.moves[0].objects.objects[0] == table && r.moves[0].has_yaw);
    assert_true(r.moves[1].relation == RELATION_ON &&
                r.moves[1].objects.objects[0] == vase);
    /* in one sentence, too: "one" is not the lamp before it */
    r = (builtin_reading){0};
    if (builtin_read(
            &facts,
            "Add a floor lamp beside the sofa and replace the coffee table with a round one",
            &arena, &r, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r.count, 3);
    r = (builtin_reading){0};
    if (builtin_read(&facts, "Remove the green chair", &arena, &r, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    assert_true(r.count == 0 && r.staged == 1);
    /* what could not be had is refused with its reason */
    r = (builtin_reading){0};
    assert_int_equal(builtin_read(&facts, "Add a trombone beside the sofa",
                                  &arena, &r, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "no asset is a trombone"));
    assert_int_equal(builtin_read(&facts, "Remove the sofa", &arena, &r, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "something stands on it"));
    r = (builtin_reading){0}; /* nothing came for that */
    assert_int_equal(builtin_read(&facts, "Add a red lamp beside the sofa",
                                  &arena, &r, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "not brought in"));
    etna_arena_free(&arena);
}

static void what_was_emptied_by_taking_out_is_cleared(void **state)
{
    (void)state;
    const facts_world w = room();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = facts_of(&w, &arena);
    builtin_staged gone = {.kind = CHANGE_REMOVE,
                           .said = "everything on it",
                           .by = "",
                           .refused = ""};
    facts.staged = &gone;
    facts.staged_count = 1;
    const char *const text = "Clear the sofa: remove everything on it";
    builtin_reading r = {0};
    etna_error err = {0};
    if (builtin_read(&facts, text, &arena, &r, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r.count, 0);
    r = (builtin_reading){0};
    gone.refused = "it is part of the building";
    assert_int_equal(builtin_read(&facts, text, &arena, &r, &err),
                     ETNA_E_INPUT);
    etna_arena_free(&arena);
}

/* Put "where it was", a thing stays where it stands: the run would end complete
 * without anything in the old one's place. */
static void the_place_of_what_is_gone_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "Remove the green chair and put the vase where it was",
        "Remove the green chair and put the vase in its place",
        "Remove the green chair. Put the vase where the green chair was."};
    const facts_world w = room();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = facts_of(&w, &arena);
        const builtin_staged gone = {.kind = CHANGE_REMOVE,
                                     .said = "the green chair",
                                     .by = "",
                                     .refused = ""};
        facts.staged = &gone;
        facts.staged_count = 1;
        builtin_reading r = {0};
        etna_error err = {0};
        if (builtin_read(&facts, rows[i], &arena, &r, &err) != ETNA_E_INPUT)
            fail_msg("\"%s\" is read", rows[i]);
        if (!strstr(err.text, "is taken out"))
            fail_msg("\"%s\": %s", rows[i], err.text);
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_say_what_to_bring_in_and_what_to_take_out),
        cmocka_unit_test(what_came_is_put_where_the_sentence_says),
        cmocka_unit_test(what_was_emptied_by_taking_out_is_cleared),
        cmocka_unit_test(the_place_of_what_is_gone_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
