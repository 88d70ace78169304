/* What answers tell of a model: the right ones, those that count otherwise,
 * those that say nothing. */
#include "worker/cli/exam.h"
#include "worker/serve/chat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static exam x;
static models_endpoint endpoint = {
    .name = "here", .wire = MODELS_CHAT, .url = "http://127.0.0.1:1/v1"};
static models_model model;
static const models list = {.currency = "USD",
                            .endpoint_count = 1,
                            .model_count = 1,
                            .endpoints = &endpoint,
                            .models = &model};

static int begin(void **state)
{
    (void)state;
    model = (models_model){.name = "m", .id = "vendor/m"};
    exam_begin(&x, &list, &model);
    return 0;
}

static int end(void **state)
{
    (void)state;
    exam_free(&x);
    return 0;
}

static void hear(exam_question q, const char *text)
{
    const provider_outcome outcome = {
        .end = PROVIDER_REPLY,
        .reply = {.text = text, .usage = {.tokens_in = 10}}};
    assert_int_equal(exam_hear(&x, q, &outcome, 5, NULL), ETNA_OK);
}

#define MARKS \
    "[updated_instruction]\nPut the cup on the tray.\n[end of updated_instruction]"

static void hear_place(exam_question q, const char *point)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "[constraints]\n[\"ObjectName\", \"Disc\"],\n[\"CloseToPix\", \"center\", %s]\n[end of constraints]\n<completion>",
        point);
    hear(q, text);
}

static void expect_entry(const char *words, bool there)
{
    char *entry = exam_entry(&x);
    assert_non_null(entry);
    assert_non_null(
        strstr(entry, "m: {\"endpoint\": \"here\", \"id\": \"vendor/m\""));
    if ((strstr(entry, words) != NULL) != there)
        fail_msg("%s", entry);
    free(entry);
}

static void two_places(const char *first, const char *second)
{
    hear(EXAM_MARKS, MARKS);
    hear_place(EXAM_SIGHT, first);
    hear_place(EXAM_PLACE, second);
    exam_finish(&x);
}

static void what_it_counts_in_is_seen_by_two_places(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *kind;
    } rows[] = {{"[0.72, 0.31]", "[0.23, 0.81]", "shares"},
                {"[720, 310]", "[230, 810]", "thousandths"},
                {"[576, 186]", "[138, 648]", "pixels"},
                {"[72, 31]", "[23, 81]", "percent"},
                {"[310, 720]", "[810, 230]", "thousandths_y_first"},
                {"[\"72%\", \"31%\"]", "[\"23%\", \"81%\"]", "shares"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[64];
        begin(NULL);
        two_places(rows[i].first, rows[i].second);
        snprintf(words, sizeof words, "\"coordinates\": \"%s\"", rows[i].kind);
        assert_int_equal(x.vision.mark, EXAM_GOOD);
        expect_entry(words, true);
        end(NULL);
    }
    begin(NULL);
}

static void who_points_elsewhere_does_not_see(void **state)
{
    (void)state;
    two_places("[0.5, 0.5]", "[0.5, 0.5]");
    assert_int_equal(x.vision.mark, EXAM_BAD);
    assert_int_equal(x.coordinates.mark, EXAM_NOT_ASKED);
    expect_entry("coordinates", false);
    assert_false(exam_is_passed(&x));
}

static void one_wrong_place_of_two_is_said(void **state)
{
    (void)state;
    two_places("[0.72, 0.31]", "[0.9, 0.1]");
    assert_int_equal(x.vision.mark, EXAM_ODD);
    assert_int_equal(x.coordinates.mark, EXAM_GOOD);
}

static void what_can_not_be_read_is_no_place(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "It is near the top right.", "[constraints]",
        "[constraints]\n[]\n[end of constraints]", "\xff\xfe",
        "[constraints]\n[\"CloseToPix\", \"center\", [1e999, 0]]"};
    hear(EXAM_MARKS, MARKS);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hear(EXAM_SIGHT, texts[i]);
    exam_finish(&x);
    assert_int_equal(x.vision.mark, EXAM_BAD);
}

static void a_server_that_answers_nothing_is_asked_no_more(void **state)
{
    (void)state;
    hear(EXAM_MARKS, "");
    assert_int_equal(x.reach.mark, EXAM_BAD);
    for (int q = EXAM_SIGHT; q < EXAM_QUESTIONS; q++)
        assert_false(exam_wants(&x, (exam_question)q));
    assert_false(exam_is_passed(&x));
}

static void who_takes_no_pictures_is_asked_for_its_tools_all_the_same(
    void **state)
{
    (void)state;
    hear(EXAM_MARKS, MARKS);
    exam_miss(&x, EXAM_SIGHT, 400, NULL,
              "endpoint here answered 400: no images");
    assert_false(exam_wants(&x, EXAM_PLACE));
    assert_false(exam_wants(&x, EXAM_MANY));
    assert_true(exam_wants(&x, EXAM_TOOL));
    assert_false(exam_wants(&x, EXAM_RESULT)); /* not before there was a call */
    hear(
        EXAM_TOOL,
        "<tool_call>{\"name\": \"ray_probe_for_plane\", \"arguments\": {\"coord_list\": [[0.6, 0.8]]}}</tool_call>");
    assert_int_equal(x.tools.mark, EXAM_ODD);
    assert_true(exam_wants(&x, EXAM_RESULT));
    exam_finish(&x);
    assert_int_equal(x.vision.mark, EXAM_BAD);
    assert_non_null(strstr(x.vision.words, "no images"));
}

static void the_built_in_agent_is_known_by_its_error_code(void **state)
{
    (void)state;
    exam_miss(&x, EXAM_MARKS, 400, CHAT_NO_TASK, "endpoint here answered 400");
    assert_non_null(strstr(x.reach.words, "etna serve-builtin"));
}

static void another_server_is_no_built_in_agent_by_its_words(void **state)
{
    (void)state;
    exam_miss(&x, EXAM_MARKS, 400, "no_model",
              "the built-in agent was asked without facts");
    assert_null(strstr(x.reach.words, "etna serve-builtin"));
}

static void each_question_can_be_written_for_the_wire(void **state)
{
    (void)state;
    hear(EXAM_MARKS, MARKS);
    hear(
        EXAM_TOOL,
        "<tool_call>{\"name\": \"ray_probe_for_plane\", \"arguments\": {\"coord_list\": [[0.6, 0.8]]}}</tool_call>");
    for (int q = 0; q < EXAM_QUESTIONS; q++) {
        etna_arena arena = ETNA_ARENA_INIT;
        model_request request;
        provider_image images[EXAM_PICTURES];
        uint32_t count = 0, parts = 0;
        provider_call call;
        assert_int_equal(exam_ask(&x, (exam_question)q, &arena, &request,
                                  images, &count, NULL),
                         ETNA_OK);
        for (uint32_t m = 0; m < request.message_count; m++) {
            for (uint32_t k = 0; k < request.messages[m].part_count; k++)
                parts += request.messages[m].parts[k].kind == MODEL_IMAGE;
        }
        assert_int_equal(parts, count);
        assert_int_equal(provider_write(&list, &model, &request, images,
                                        &(provider_dropped){0}, &arena, &call,
                                        NULL),
                         ETNA_OK);
        etna_arena_free(&arena);
    }
}

static void the_entry_keeps_what_the_list_says(void **state)
{
    (void)state;
    static const models_pair knob = {"temperature", "0.5"};
    model.price_in = 2500000;
    model.price_out = 10000000;
    model.context_tokens = 4096;
    model.image_side[ROLE_PLANNER] = 512;
    model.knob_count = 1;
    model.knobs = &knob;
    two_places("[720, 310]", "[230, 810]");
    expect_entry("\"price\": {\"in\": 2.5, \"out\": 10.0}", true);
    expect_entry("\"context_tokens\": 4096", true);
    expect_entry("\"image_side\": {\"planner\": 512}", true);
    expect_entry("\"knobs\": {\"temperature\": 0.5}", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
        T(what_it_counts_in_is_seen_by_two_places),
        T(who_points_elsewhere_does_not_see),
        T(one_wrong_place_of_two_is_said),
        T(what_can_not_be_read_is_no_place),
        T(a_server_that_answers_nothing_is_asked_no_more),
        T(who_takes_no_pictures_is_asked_for_its_tools_all_the_same),
        T(the_built_in_agent_is_known_by_its_error_code),
        T(another_server_is_no_built_in_agent_by_its_words),
        T(each_question_can_be_written_for_the_wire),
        T(the_entry_keeps_what_the_list_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
