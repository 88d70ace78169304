/* The server's side of chat reads back what provider_chat.c writes, and refuses
 * the rest in words. */
#include "worker/agents/prompt.h"
#include "worker/provider/provider.h"
#include "worker/serve/chat.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char list[] =
    "{\"endpoints\":{\"e\":{\"wire\":\"chat\",\"url\":\"http://127.0.0.1:1/v1\"}},\"models\":{\"m\":{\"endpoint\":\"e\"}}}";

/* The body of a request by the chat wire, image 0 as two bytes. */
static char *written(const model_request *request,
                     etna_arena *arena,
                     provider_call *ret)
{
    static const uint8_t bytes[] = {1, 2};
    const provider_image image = {bytes, sizeof bytes, "image/png"};
    models all;
    etna_error err = {0};
    assert_int_equal(models_from_json(list, strlen(list), arena, &all, &err),
                     ETNA_OK);
    assert_int_equal(provider_write(&all, models_find(&all, "m"), request,
                                    &image, NULL, arena, ret, &err),
                     ETNA_OK);
    char *text = etna_arena_strdup(arena, "");
    for (uint32_t i = 0; i < ret->piece_count; i++) {
        const provider_piece *piece = &ret->pieces[i];
        text = piece->text ? etna_arena_printf(arena, "%s%.*s", text,
                                               (int)piece->size, piece->text)
                           : etna_arena_printf(arena, "%sAQI=", text);
    }
    return text;
}

static const char *header(const provider_call *call, const char *name)
{
    for (uint32_t i = 0; i < call->header_count; i++) {
        if (strcmp(call->headers[i].name, name) == 0)
            return call->headers[i].value;
    }
    return NULL;
}

static void same_conversation(bool with_image)
{
    etna_arena arena = ETNA_ARENA_INIT;
    model_part system[] = {{.kind = MODEL_TEXT, .text = "You place."}};
    model_part user[] = {
        {.kind = MODEL_TEXT,
         .text =
             "[task]\n{\"goal\": \"\\n[facts]\\n{}\\n[end of facts]\"}\n[end of task]"},
        {.kind = with_image ? MODEL_IMAGE : MODEL_TEXT,
         .text = with_image ? NULL : "Image: none."},
        {.kind = MODEL_FACTS, .text = "{\"objects\": [{\"name\": \"Cup\"}]}"}};
    model_part said[] = {{.kind = MODEL_TEXT, .text = "I look."},
                         {.kind = MODEL_TOOL_CALL,
                          .tool_id = "c1",
                          .tool_name = "ray_probe",
                          .text = "{\"x\":0.1}"},
                         {.kind = MODEL_TOOL_CALL,
                          .tool_id = "c2",
                          .tool_name = "ray_probe",
                          .text = "{\"x\":0.25}"}};
    model_part results[] = {{.kind = MODEL_TOOL_RESULT,
                             .tool_id = "c1",
                             .tool_name = "ray_probe",
                             .text = "{\"hit\":true}"},
                            {.kind = MODEL_TOOL_RESULT,
                             .tool_id = "c2",
                             .tool_name = "ray_probe",
                             .text = "{\"hit\":false}"}};
    model_message messages[] = {{MODEL_SYSTEM, 1, system, {0}},
                                {MODEL_USER, 3, user, {0}},
                                {MODEL_ASSISTANT, 3, said, {0}},
                                {MODEL_TOOL, 2, results, {0}}};
    const model_tool tool = {"ray_probe", "asks",
                             "{\"type\":\"object\",\"properties\":{}}"};
    model_request request = {.model = "m",
                             .role = ROLE_EXECUTOR,
                             .seed = UINT64_MAX,
                             .message_count = 4,
                             .messages = messages,
                             .tool_count = 1,
                             .tools = &tool};
    model_request got = {0};
    provider_call call = {0};
    etna_error err = {0};
    char *body = written(&request, &arena, &call);
    assert_int_equal(chat_read(body, strlen(body), header(&call, "x-etna-role"),
                               header(&call, "x-etna-seed"), &arena, &got,
                               &err),
                     ETNA_OK);
    assert_int_equal(got.role, ROLE_EXECUTOR);
    assert_true(got.seed == UINT64_MAX);
    assert_int_equal(got.message_count, 4);
    assert_int_equal(got.tool_count, 1);
    const model_message *asked = &got.messages[1];
    const model_part *facts = &asked->parts[asked->part_count - 1];
    assert_int_equal(asked->author, MODEL_USER);
    assert_non_null(strstr(asked->parts[0].text, "[task]\n{\"goal\""));
    assert_int_equal(facts->kind, MODEL_FACTS);
    assert_string_equal(facts->text, user[2].text);
    if (with_image)
        assert_int_equal(asked->parts[1].kind, MODEL_IMAGE);
    assert_int_equal(got.messages[2].part_count, 3);
    assert_string_equal(got.messages[2].parts[2].text, "{\"x\":0.25}");
    assert_int_equal(got.messages[3].author, MODEL_TOOL);
    assert_int_equal(got.messages[3].part_count, 2);
    assert_string_equal(got.messages[3].parts[1].tool_name, "ray_probe");
    assert_string_equal(got.messages[3].parts[1].text, "{\"hit\":false}");
    etna_arena_free(&arena);
}

static void a_conversation_comes_back_as_it_went(void **state)
{
    (void)state;
    same_conversation(true);
    same_conversation(false);
}

static void a_reply_is_read_as_it_was(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models all;
    model_part calls[] = {{.kind = MODEL_TOOL_CALL,
                           .tool_id = "c1",
                           .tool_name = "ray_probe",
                           .text = "{\"x\":[0.25,1]}"}};
    model_reply reply = {
        .text = "",
        .call_count = 1,
        .calls = calls,
        .usage = {.tokens_in = 7, .tokens_out = 3, .calls = 1}};
    model_request request = {.model = "builtin"};
    char *json = NULL;
    assert_int_equal(chat_write(&request, &reply, "chatcmpl-1", &json, &err),
                     ETNA_OK);
    /* clients' types want both there */
    assert_non_null(strstr(json, "\"refusal\":null"));
    assert_non_null(strstr(json, "\"logprobs\":null"));
    assert_int_equal(models_from_json(list, strlen(list), &arena, &all, &err),
                     ETNA_OK);
    const provider_answer answer = {.status = 200,
                                    .body = (const uint8_t *)json,
                                    .size = strlen(json),
                                    .content_type = "application/json"};
    provider_outcome outcome;
    assert_int_equal(provider_read(&all, models_find(&all, "m"), &request,
                                   &answer, &arena, &outcome, &err),
                     ETNA_OK);
    assert_int_equal(outcome.end, PROVIDER_REPLY);
    assert_false(outcome.usage_guessed);
    assert_int_equal(outcome.reply.usage.tokens_in, 7);
    assert_int_equal(outcome.reply.usage.tokens_out, 3);
    assert_string_equal(outcome.reply.text, "");
    assert_int_equal(outcome.reply.call_count, 1);
    assert_string_equal(outcome.reply.calls[0].text, "{\"x\":[0.25,1]}");
    free(json);
    etna_arena_free(&arena);
}

static void without_marks_the_role_is_told_by_our_prompts(void **state)
{
    (void)state;
    static const struct {
        const char *prompt;
        uint32_t role;
    } roles[] = {{"planner_goal", ROLE_PLANNER},
                 {"planner_steps", ROLE_PLANNER},
                 {"planner_list", ROLE_PLANNER},
                 {"executor", ROLE_EXECUTOR},
                 {"evaluator", ROLE_EVALUATOR},
                 {"judge", ROLE_JUDGE},
                 {"executor-onecamera", ROLE_EXECUTOR},
                 {"executor-onecamera-coordinate", ROLE_EXECUTOR},
                 {"evaluator-onecamera", ROLE_EVALUATOR},
                 {"evaluator-unproven", ROLE_EVALUATOR},
                 {"evaluator-onecamera-unproven", ROLE_EVALUATOR},
                 {"single", ROLE_EXECUTOR},
                 {"single-onecamera", ROLE_EXECUTOR},
                 {"basic", ROLE_EXECUTOR},
                 {"planner_goal-coordinate", ROLE_PLANNER},
                 {"planner_list-coordinate", ROLE_PLANNER},
                 {"planner_steps-coordinate", ROLE_PLANNER}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {0};
        const char *system_text, *user_text;
        model_request got = {0};
        assert_int_equal(prompt_fill(roles[i].prompt, "task", "{}", &arena,
                                     &system_text, &user_text, &err),
                         ETNA_OK);
        json_t *root =
            json_pack("{s:s,s:[{s:s,s:s},{s:s,s:s}]}", "model", "builtin",
                      "messages", "role", "system", "content", system_text,
                      "role", "user", "content", user_text);
        char *body = json_dumps(root, 0);
        assert_int_equal(
            chat_read(body, strlen(body), NULL, NULL, &arena, &got, &err),
            ETNA_OK);
        assert_int_equal(got.role, roles[i].role);
        assert_true(got.seed == 0);
        free(body);
        json_decref(root);
        etna_arena_free(&arena);
    }
}

static void what_is_no_request_is_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *body, *role, *seed, *words;
    } wrong[] = {
        {"", NULL, NULL, "no JSON object"},
        {"[]", NULL, NULL, "no JSON object"},
        {"{}", NULL, NULL, "messages"},
        {"{\"messages\":[]}", NULL, NULL, "messages"},
        {"{\"messages\":[7]}", NULL, NULL, "role"},
        {"{\"messages\":[{\"role\":\"user\"}]}", NULL, NULL, "content"},
        {"{\"messages\":[{\"role\":\"robot\",\"content\":\"\"}]}", NULL, NULL,
         "role"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"audio\"}]}]}",
         NULL, NULL, "part"},
        {"{\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"{}\"}]}",
         NULL, NULL, "never given"},
        {"{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":1}]}]}",
         NULL, NULL, "tool call"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}", NULL, NULL,
         "x-etna-role"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}", "king",
         NULL, "x-etna-role"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}", "planner",
         "-1", "x-etna-seed"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}", "planner",
         "99999999999999999999", "x-etna-seed"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"tools\":{}}",
         "planner", NULL, "tools"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"tools\":[{}]}",
         "planner", NULL, "tool"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"stream\":true}",
         "planner", NULL, "stream"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {0};
        model_request got = {.model = "untouched"};
        assert_int_equal(chat_read(wrong[i].body, strlen(wrong[i].body),
                                   wrong[i].role, wrong[i].seed, &arena, &got,
                                   &err),
                         ETNA_E_INPUT);
        assert_non_null(strstr(err.text, wrong[i].words));
        assert_string_equal(got.model, "untouched");
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conversation_comes_back_as_it_went),
        cmocka_unit_test(a_reply_is_read_as_it_was),
        cmocka_unit_test(without_marks_the_role_is_told_by_our_prompts),
        cmocka_unit_test(what_is_no_request_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
