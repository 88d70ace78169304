/* What one neutral conversation becomes on each of the vendors' wires. Requests
 * are compared as JSON, by the shapes of the vendors' references. */
#include "tests/unit/worker/provider/provider_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

static void a_conversation_is_said_in_chat_completions(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    talk_assert_sent(
        &t,
        "{\"model\":\"vendor-1\",\"max_tokens\":500,\"temperature\":0.5,"
        "\"messages\":[{\"role\":\"system\",\"content\":\"Arrange.\"},"
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Put the \\\"lamp\\\" there. \"},"
        "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,<0>\"}}]},"
        "{\"role\":\"assistant\",\"content\":\"I look.\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
        "\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\":[0.5,0.25]}\"}}]},"
        "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"{\\\"object\\\":\\\"Lamp\\\"}\"},"
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Image:\"},"
        "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/jpeg;base64,<1>\"}}]}],"
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"description\":\"looks\","
        "\"parameters\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"array\"}}}}}]}");
    talk_end(&t);
}

/* Counted by a vendor's own table (o200k), and by vendors' rules for images. */
static void a_request_is_estimated_near_what_vendors_count(void **state)
{
    (void)state;
    static const char prose[] =
        "You judge one edit of a 3D scene: does the object's new place fit the instruction, and could it be so in reality? You "
        "are given a [task] block of JSON and an image of the edited scene. In the image: the object's old place see-through, its "
        "new place solid, a green line from old to new.";
    static const char rows[] =
        "\"Table\" | .04 .4 .96 1 | 0 0 .37, 1.5 .8 .74, 0 | \"Floor\" | 1.02\n"
        "\"Yellow Block\" | .54 .39 .77 .51 | .3 .08 .79, .42 .26 .1, 0 | \"Table\" | .11\n";
    const model_image image = {.camera = "C", .width = 1024, .height = 768};
    const struct {
        const char *wire;
        model_part part;
        uint64_t counted;
    } cases[] = {
        {"chat", {.kind = MODEL_TEXT, .text = prose}, 70},
        {"chat", {.kind = MODEL_FACTS, .text = rows}, 79},
        {"anthropic", {.kind = MODEL_IMAGE, .image = image}, 1024 * 768 / 750},
        {"responses", {.kind = MODEL_IMAGE, .image = image}, 85 + 4 * 170},
        {"gemini", {.kind = MODEL_IMAGE, .image = image}, 2 * 258}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        t.system = cases[i].part;
        t.request.message_count = 1;
        t.request.tool_count = 0;
        uint64_t told =
            provider_estimate(&t.models, &t.models.models[0], &t.request)
                .tokens_in;
        bool near = 100 * told >= 92 * cases[i].counted &&
                    100 * told <= 108 * cases[i].counted;
        if (!near)
            fail_msg("case %zu: %llu", i, (unsigned long long)told);
        talk_end(&t);
    }
}

static void a_conversation_is_said_in_responses(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "responses");
    talk_assert_sent(
        &t,
        "{\"model\":\"vendor-1\",\"instructions\":\"Arrange.\",\"max_output_tokens\":500,\"temperature\":0.5,\"store\":false,"
        "\"include\":[\"reasoning.encrypted_content\"],"
        "\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Put the \\\"lamp\\\" there. \"},"
        "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,<0>\",\"detail\":\"auto\"}]},"
        "{\"role\":\"assistant\",\"content\":\"I look.\"},"
        "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"look\",\"arguments\":\"{\\\"at\\\":[0.5,0.25]}\"},"
        "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"{\\\"object\\\":\\\"Lamp\\\"}\"},"
        "{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Image:\"},"
        "{\"type\":\"input_image\",\"image_url\":\"data:image/jpeg;base64,<1>\",\"detail\":\"auto\"}]}],"
        "\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"description\":\"looks\",\"strict\":false,"
        "\"parameters\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"array\"}}}}]}");
    talk_end(&t);
}

static void a_conversation_is_said_to_gemini(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "gemini");
    t.messages[2].turn = (model_turn){
        "{\"role\":\"model\",\"parts\":[{\"text\":\"I look.\"},{\"functionCall\":{\"id\":\"f9\",\"name\":\"look\","
        "\"args\":{\"at\":[0.5,0.25]}},\"thoughtSignature\":\"EpwB\"}]}",
        "4/vendor-1"};
    talk_assert_sent(
        &t,
        "{\"systemInstruction\":{\"parts\":[{\"text\":\"Arrange.\"}]},\"generationConfig\":{\"maxOutputTokens\":500,\"temperature\":0.5},"
        "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Put the \\\"lamp\\\" there. \"},"
        "{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"<0>\"}}]},"
        "{\"role\":\"model\",\"parts\":[{\"text\":\"I look.\"},{\"functionCall\":{\"id\":\"f9\",\"name\":\"look\","
        "\"args\":{\"at\":[0.5,0.25]}},\"thoughtSignature\":\"EpwB\"}]},"
        "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\"f9\",\"name\":\"look\",\"response\":{\"output\":{\"object\":\"Lamp\"}}}}]},"
        "{\"role\":\"user\",\"parts\":[{\"text\":\"Image:\"},{\"inlineData\":{\"mimeType\":\"image/jpeg\",\"data\":\"<1>\"}}]}],"
        "\"tools\":[{\"functionDeclarations\":[{\"name\":\"look\",\"description\":\"looks\","
        "\"parametersJsonSchema\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"array\"}}}}]}]}");
    /* another model's turn is rebuilt, and then no id may be sent */
    t.messages[2].turn.of = "4/another";
    json_t *root = talk_sent(&t, NULL);
    const json_t *contents = json_object_get(root, "contents");
    assert_null(json_object_get(
        json_object_get(
            json_array_get(
                json_object_get(json_array_get(contents, 2), "parts"), 0),
            "functionResponse"),
        "id"));
    assert_null(json_object_get(
        json_array_get(json_object_get(json_array_get(contents, 1), "parts"),
                       1),
        "thoughtSignature"));
    json_decref(root);
    talk_end(&t);
}

static void a_conversation_is_said_to_anthropic(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "anthropic");
    t.messages[2].turn = (model_turn){
        "[{\"type\":\"thinking\",\"thinking\":\"..\",\"signature\":\"EqQB\"},{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"look\",\"input\":{}}]",
        "5/vendor-1"};
    t.result[0].text = "{\"error\":\"no such place\"}";
    talk_assert_sent(
        &t,
        "{\"model\":\"vendor-1\",\"max_tokens\":500,\"temperature\":0.5,\"system\":[{\"type\":\"text\",\"text\":\"Arrange.\",\"cache_control\":{\"type\":\"ephemeral\"}}],"
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Put the \\\"lamp\\\" there. \"},"
        "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"<0>\"},"
        "\"cache_control\":{\"type\":\"ephemeral\"}}]},"
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"..\",\"signature\":\"EqQB\"},"
        "{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"look\",\"input\":{}}]},"
        "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":\"{\\\"error\\\":\\\"no such place\\\"}\","
        "\"is_error\":true},{\"type\":\"text\",\"text\":\"Image:\"},"
        "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/jpeg\",\"data\":\"<1>\"},\"cache_control\":{\"type\":\"ephemeral\"}}]}],"
        "\"tools\":[{\"name\":\"look\",\"description\":\"looks\","
        "\"input_schema\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"array\"}}}}]}");
    talk_end(&t);
}

/* What a role's later requests begin with as well is marked by itself; a server
 * that knows no marks gets none. */
static void prompts_are_marked_for_the_vendors_cache(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "anthropic");
    t.request.tool_count = 0;
    t.ask[0].is_stable_end = true;
    json_t *root = talk_sent(&t, NULL);
    const json_t *asked = json_object_get(
        json_array_get(json_object_get(root, "messages"), 0), "content");
    assert_non_null(json_object_get(json_array_get(asked, 0), "cache_control"));
    assert_null(json_object_get(json_array_get(asked, 1),
                                /* without tools it does not go on */
                                "cache_control"));
    json_decref(root);
    static const char *const name = "cache_control";
    const provider_dropped dropped = {1, &name};
    provider_call call = {0};
    etna_error err = {0};
    assert_int_equal(provider_write(&t.models, &t.models.models[0], &t.request,
                                    t.images, &dropped, &t.arena, &call, &err),
                     ETNA_OK);
    for (uint32_t i = 0; i < call.piece_count; i++) {
        const provider_piece *piece = &call.pieces[i];
        if (piece->text)
            assert_null(memmem(piece->text, piece->size, name, strlen(name)));
    }
    talk_end(&t);
}

static void
long_conversations_lose_the_oldest_images_first_and_never_the_last_turn(
    void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    models_model *m = (models_model *)(uintptr_t)&t.models.models[0];
    provider_call call = {0};
    m->images_max = 1;
    json_decref(talk_sent(&t, &call));
    assert_int_equal(call.images_left_out, 1);
    assert_int_equal(call.messages_cut, 0);
    assert_int_equal(call.piece_count, 3);
    assert_int_equal(call.pieces[1].image, 1);
    m->images_max = 0;
    /* nothing fits: all that may go goes, the instruction and the last turn
     * stay */
    m->context_tokens = 501;
    json_t *root = talk_sent(&t, &call);
    char *text = json_dumps(root, 0);
    assert_non_null(strstr(text, "lamp"));
    assert_non_null(strstr(text, "<1>"));
    assert_null(strstr(text, "<0>"));
    assert_int_equal(call.messages_cut, 0); /* the result is of the last turn */
    free(text);
    json_decref(root);
    talk_end(&t);
}

/* A planner's history comes in its first turn: older images go from there, too,
 * never the newest. */
static void a_long_history_in_the_first_turn_loses_its_oldest_images(
    void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    models_model *m = (models_model *)(uintptr_t)&t.models.models[0];
    model_part parts[4] = {{.kind = MODEL_TEXT, .text = "Put the lamp there."},
                           {.kind = MODEL_TEXT, .text = "Image:"},
                           t.ask[1],
                           t.seen[1]};
    assert_int_equal(parts[2].kind, MODEL_IMAGE);
    assert_int_equal(parts[3].kind, MODEL_IMAGE);
    t.messages[1].parts = parts;
    t.messages[1].part_count = 4;
    t.request.message_count = 2;
    provider_call call = {0};
    m->images_max = 1;
    json_t *root = talk_sent(&t, &call);
    char *text = json_dumps(root, 0);
    assert_int_equal(call.images_left_out, 1);
    assert_non_null(strstr(text, "left out to keep"));
    assert_non_null(strstr(text, "lamp"));
    assert_null(strstr(text, "<0>"));
    assert_non_null(strstr(text, "<1>"));
    free(text);
    json_decref(root);
    talk_end(&t);
}

static void a_turn_cannot_smuggle_an_image(void **state)
{
    (void)state;
    talk t;
    provider_call call = {0};
    talk_begin(&t, "anthropic");
    t.messages[2].turn = (model_turn){
        "[{\"type\":\"text\",\"text\":\"\\u00017\\u0001\"}]", "5/vendor-1"};
    json_decref(talk_sent(&t, &call));
    assert_int_equal(call.piece_count, 5);
    t.messages[2].turn = (model_turn){NULL, NULL};
    t.call[0].text = "a backslash and then \\u00010\\u0001";
    json_t *root = talk_sent(&t, &call);
    char *text = json_dumps(root, 0);
    assert_int_equal(call.piece_count, 5);
    assert_non_null(strstr(text, "then \\\\u00010\\\\u0001"));
    free(text);
    json_decref(root);
    talk_end(&t);
}

static const char *header_of(const provider_call *call,
                             const char *name,
                             uint32_t *ret_times)
{
    const char *value = NULL;
    *ret_times = 0;
    for (uint32_t i = 0; i < call->header_count; i++) {
        if (strcasecmp(call->headers[i].name, name) != 0)
            continue;
        value = call->headers[i].value;
        ++*ret_times;
    }
    return value;
}

static void a_header_of_the_endpoint_stands_in_for_the_wires(void **state)
{
    (void)state;
    talk t;
    provider_call call = {0};
    uint32_t times = 0;
    talk_begin(&t, "anthropic");
    json_decref(talk_sent(&t, &call));
    assert_string_equal(header_of(&call, "anthropic-version", &times),
                        "2023-06-01");
    assert_int_equal(times, 1);
    models_pair own[] = {{"Anthropic-Version", "2026-10-21"}, {"X-Other", "1"}};
    models_endpoint *e = (models_endpoint *)(uintptr_t)&t.models.endpoints[0];
    e->headers = own;
    e->header_count = 2;
    json_decref(talk_sent(&t, &call));
    assert_string_equal(header_of(&call, "anthropic-version", &times),
                        "2026-10-21");
    assert_int_equal(times, 1);
    assert_string_equal(header_of(&call, "content-type", &times),
                        "application/json");
    assert_string_equal(header_of(&call, "x-other", &times), "1");
    talk_end(&t);
}

static void every_knob_stands_where_its_vendor_reads_it(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "gemini");
    models_pair knobs[] = {{"store", "false"},
                           {"topK", "3"},
                           {"safetySettings", "[]"},
                           {"serviceTier", "\"flex\""}};
    models_model *m = (models_model *)(uintptr_t)&t.models.models[0];
    m->knobs = knobs;
    m->knob_count = 4;
    json_t *root = talk_sent(&t, NULL);
    assert_true(json_is_false(json_object_get(root, "store")));
    assert_true(json_is_array(json_object_get(root, "safetySettings")));
    assert_true(json_is_string(json_object_get(root, "serviceTier")));
    assert_int_equal(
        json_object_size(json_object_get(root, "generationConfig")),
        2); /* maxOutputTokens beside topK */
    json_decref(root);
    talk_end(&t);
}

/* OpenAI takes 40 bytes of them, Anthropic no other characters; a server gets
 * its own back as they are. */
static void ids_of_another_vendor_are_made_fit(void **state)
{
    (void)state;
    static const char *const wires[] = {"chat", "responses", "anthropic"};
    static const char *const mine[] = {"2/vendor-1", "3/vendor-1",
                                       "5/vendor-1"};
    static const char odd[] =
        "functions.look:0/of-a-server-with-long-names-of-calls";
    for (int i = 0; i < 3; i++) {
        talk t;
        talk_begin(&t, wires[i]);
        t.call[1].tool_id = t.result[0].tool_id = odd;
        json_t *root = talk_sent(&t, NULL);
        char *text = json_dumps(root, JSON_COMPACT),
             *at = strstr(text, ":\"call_"),
             *again = at ? strstr(at + 1, ":\"call_") : NULL;
        if (strstr(text, odd) || !again || strncmp(at, again, 24) != 0)
            fail_msg("%s: %s", wires[i], text);
        assert_true(strcspn(at + 2, "\"") <= 40);
        free(text);
        json_decref(root);
        t.messages[2].turn = (model_turn){
            "[{\"type\":\"tool_use\",\"id\":\"functions.look:0/of-a-server-with-long-names-of-calls\",\"name\":\"look\",\"input\":{}}]",
            mine[i]};
        root = talk_sent(&t, NULL);
        text = json_dumps(root, JSON_COMPACT);
        at = strstr(text, odd);
        if (!at || !strstr(at + 1, odd))
            fail_msg("%s: %s", wires[i], text);
        free(text);
        json_decref(root);
        talk_end(&t);
    }
}

static void knobs_about_tools_are_sent_only_with_tools(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *knob;
    } cases[] = {
        {"chat", "parallel_tool_calls"},      {"chat", "tool_choice"},
        {"responses", "parallel_tool_calls"}, {"responses", "tool_choice"},
        {"responses", "max_tool_calls"},      {"gemini", "toolConfig"},
        {"anthropic", "tool_choice"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        models_pair knobs[] = {{cases[i].knob, "{}"}};
        models_model *m = (models_model *)(uintptr_t)&t.models.models[0];
        m->knobs = knobs;
        m->knob_count = 1;
        json_t *with = talk_sent(&t, NULL);
        t.request.tool_count = 0;
        json_t *without = talk_sent(&t, NULL);
        if (!json_object_get(with, cases[i].knob) ||
            json_object_get(without, cases[i].knob))
            fail_msg("%s of %s", cases[i].knob, cases[i].wire);
        json_decref(with);
        json_decref(without);
        talk_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conversation_is_said_in_chat_completions),
        cmocka_unit_test(a_request_is_estimated_near_what_vendors_count),
        cmocka_unit_test(a_conversation_is_said_in_responses),
        cmocka_unit_test(a_conversation_is_said_to_gemini),
        cmocka_unit_test(a_conversation_is_said_to_anthropic),
        cmocka_unit_test(prompts_are_marked_for_the_vendors_cache),
        cmocka_unit_test(
            long_conversations_lose_the_oldest_images_first_and_never_the_last_turn),
        cmocka_unit_test(
            a_long_history_in_the_first_turn_loses_its_oldest_images),
        cmocka_unit_test(a_turn_cannot_smuggle_an_image),
        cmocka_unit_test(a_header_of_the_endpoint_stands_in_for_the_wires),
        cmocka_unit_test(every_knob_stands_where_its_vendor_reads_it),
        cmocka_unit_test(ids_of_another_vendor_are_made_fit),
        cmocka_unit_test(knobs_about_tools_are_sent_only_with_tools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
