/* What vendors' answers are read as, and what is done about the ways they
 * fail. */
#include "tests/unit/worker/provider/provider_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void replies_are_read_on_every_wire(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *body;
        bool has_turn;
    } cases[] = {
        {"chat",
         "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"<think>hm</think> Well.\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\","
         "\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\":[1]}\"}}]},\"finish_reason\":\"stop\"}],"
         "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20,\"prompt_tokens_details\":{\"cached_tokens\":40},"
         "\"completion_tokens_details\":{\"reasoning_tokens\":5}}}",
         true},
        {"responses",
         "{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"id\":\"rs\",\"encrypted_content\":\"x\"},"
         "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Well.\"}]},"
         "{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{\\\"at\\\":[1]}\"}],"
         "\"usage\":{\"input_tokens\":100,\"output_tokens\":20,\"input_tokens_details\":{\"cached_tokens\":40},"
         "\"output_tokens_details\":{\"reasoning_tokens\":5}}}",
         true},
        {"gemini",
         "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"hm\",\"thought\":true},{\"text\":\"Well.\"},"
         "{\"functionCall\":{\"id\":\"a\",\"name\":\"look\",\"args\":{\"at\":[1]}}}]},\"finishReason\":\"STOP\"}],"
         "\"usageMetadata\":{\"promptTokenCount\":100,\"candidatesTokenCount\":15,\"thoughtsTokenCount\":5,\"cachedContentTokenCount\":40}}",
         true},
        {"anthropic",
         "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"Well.\"},"
         "{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{\"at\":[1]}}],\"stop_reason\":\"tool_use\","
         "\"usage\":{\"input_tokens\":60,\"cache_read_input_tokens\":40,\"output_tokens\":20,\"output_tokens_details\":{\"thinking_tokens\":5}}}",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        provider_outcome out = talk_read_body(&t, 200, cases[i].body);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_string_equal(out.reply.text, "Well.");
        assert_int_equal(out.reply.call_count, 1);
        assert_string_equal(out.reply.calls[0].tool_name, "look");
        assert_string_equal(out.reply.calls[0].tool_id, "a");
        assert_string_equal(out.reply.calls[0].text, "{\"at\":[1]}");
        assert_false(out.usage_guessed);
        assert_int_equal(out.reply.usage.tokens_in, 100);
        assert_int_equal(out.reply.usage.tokens_out, 20);
        assert_int_equal(out.reply.usage.tokens_cached, 40);
        assert_int_equal(out.reply.usage.tokens_reasoning, 5);
        assert_int_equal(out.reply.usage.cost_micros, 100 + 40);
        assert_int_equal(out.reply.usage.calls, 1);
        assert_true((out.reply.turn.json != NULL) == cases[i].has_turn);
        talk_end(&t);
    }
}

static void what_was_put_into_the_vendors_cache_is_counted_and_costs_more(
    void **state)
{
    (void)state;
    static const struct {
        const char *wire, *body;
        uint64_t cost;
    } cases[] = {
        {"anthropic",
         "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"Well.\"}],\"stop_reason\":\"end_turn\",\"usage\":"
         "{\"input_tokens\":20,\"cache_creation_input_tokens\":40,\"cache_read_input_tokens\":40,\"output_tokens\":1}}",
         20 + 50 + 40 + 2},
        {"chat",
         "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":1,"
         "\"prompt_tokens_details\":{\"cached_tokens\":40,\"cache_write_tokens\":40}}}",
         100 + 2},
        {"responses",
         "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Well.\"}]}],\"usage\":{"
         "\"input_tokens\":100,\"output_tokens\":1,\"input_tokens_details\":{\"cached_tokens\":40,\"cache_write_tokens\":40}}}",
         100 + 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        provider_outcome out = talk_read_body(&t, 200, cases[i].body);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_int_equal(out.reply.usage.tokens_in, 100);
        assert_int_equal(out.reply.usage.tokens_cached, 40);
        assert_int_equal(out.reply.usage.tokens_written, 40);
        assert_int_equal(out.reply.usage.cost_micros, cases[i].cost);
        talk_end(&t);
    }
}

/* What comes back as a model's own turn must be fit to go back: vendors refuse
 * thoughts that nothing follows, and empty texts. */
static void a_turn_that_could_not_go_back_is_not_kept(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *body, *kept;
    } cases[] = {
        {"anthropic",
         "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}],\"stop_reason\":\"max_tokens\"}",
         NULL},
        {"anthropic",
         "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"\"}]}",
         NULL},
        {"anthropic",
         "{\"content\":[{\"type\":\"text\",\"text\":\"\"},{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}]}",
         "[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}]"},
        {"responses",
         "{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"id\":\"rs\"}]}",
         NULL},
        {"responses", "{\"status\":\"completed\",\"output\":[]}", NULL},
        {"gemini",
         "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"hm\",\"thought\":true}]},\"finishReason\":\"MAX_TOKENS\"}]}",
         NULL},
        {"gemini",
         "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"Well.\"}]},\"finishReason\":\"STOP\"}]}",
         "{\"role\":\"model\",\"parts\":[{\"text\":\"Well.\"}]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        provider_outcome out = talk_read_body(&t, 200, cases[i].body);
        assert_int_equal(out.end, PROVIDER_REPLY);
        if (!cases[i].kept != !out.reply.turn.json)
            fail_msg("case %zu: kept %s", i, out.reply.turn.json);
        if (cases[i].kept)
            assert_string_equal(out.reply.turn.json, cases[i].kept);
        talk_end(&t);
    }
}

static void numbers_of_a_models_own_turn_go_back_as_short_as_they_came(
    void **state)
{
    (void)state;
    static const char own[] =
        "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"id\":\"a\",\"name\":\"look\",\"args\":{\"at\":[0.55,0.1,1e-7,1.0,-3,"
        "2.2250738585072014e-308,0.30000000000000004,\"0.10000000000000001\",1e300]}}}]}";
    talk t;
    talk_begin(&t, "gemini");
    const char *body =
        etna_arena_printf(&t.arena, "{\"candidates\":[{\"content\":%s}]}", own);
    provider_outcome out = talk_read_body(&t, 200, body);
    assert_string_equal(out.reply.turn.json, own);
    assert_non_null(strstr(
        out.reply.calls[0].text,
        "[0.55,0.1,1e-7,1.0,-3,2.2250738585072014e-308,0.30000000000000004,"));
    t.messages[2].turn = out.reply.turn;
    provider_call call = {0};
    json_decref(talk_sent(&t, &call));
    bool found = false;
    for (uint32_t i = 0; i < call.piece_count; i++)
        found =
            found || (call.pieces[i].text && strstr(call.pieces[i].text, own));
    assert_true(found);
    talk_end(&t);
}

static void an_answer_that_was_filtered_says_so_and_is_not_cut_off(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *body;
    } cases[] = {
        {"chat",
         "{\"choices\":[{\"finish_reason\":\"content_filter\",\"message\":{\"role\":\"assistant\",\"content\":null}}]}"},
        {"responses",
         "{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"content_filter\"},\"output\":[]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        provider_outcome out = talk_read_body(&t, 200, cases[i].body);
        assert_string_equal(out.reply.text, "(no answer: content_filter)");
        assert_false(out.reply.cut_off);
        talk_end(&t);
    }
}

static void a_call_that_gemini_calls_malformed_is_not_made(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "gemini");
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"look\",\"args\":{}}}]},"
        "\"finishReason\":\"MALFORMED_FUNCTION_CALL\"}]}");
    assert_int_equal(out.reply.call_count, 0);
    assert_string_equal(out.reply.text, "(no answer: MALFORMED_FUNCTION_CALL)");
    assert_null(out.reply.turn.json);
    talk_end(&t);
}

/* The ways of single servers, as their sources and users tell them. */
static void the_ways_of_single_servers_are_known(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    /* vLLM: a call is promised and none is there; thoughts beside the content
     * are no answer */
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"finish_reason\":\"tool_calls\",\"message\":{\"content\":\"Well.\",\"reasoning\":\"hm\",\"tool_calls\":[]}}]}");
    assert_string_equal(out.reply.text, "Well.");
    assert_int_equal(out.reply.call_count, 0);
    assert_null(out.reply.turn.json);
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"content\":null,\"reasoning_content\":\"hm\"}}],\"usage\":null}");
    assert_string_equal(
        out.reply.text,
        /* a parser that found no end of the thoughts took the answer for one */
        "hm");
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{\"content\":null,\"reasoning_content\":\"hm\"}}]}");
    assert_string_equal(out.reply.text, ""); /* cut off, it was thoughts */
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":\"Well.\"}]}}]}");
    assert_string_equal(out.reply.text, "Well.");
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"refusal\":\"No.\"}}],\"usage\":{\"prompt_tokens\":3.0,\"completion_tokens\":\"12\",\"prompt_tokens_details\":null}}");
    assert_string_equal(out.reply.text, "No.");
    assert_int_equal(out.reply.usage.tokens_in, 3);
    assert_int_equal(out.reply.usage.tokens_out, 12);
    static const char door[] =
        "[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"},"
        /* Gemini behind its OpenAI door wants it back */
        "\"extra_content\":{\"google\":{\"thought_signature\":\"QUJD\"}}}]";
    t.messages[2].turn = (model_turn){door, "2/vendor-1"};
    json_t *root = talk_sent(&t, NULL);
    const json_t *said = json_array_get(json_object_get(root, "messages"), 2),
                 *call = json_array_get(json_object_get(said, "tool_calls"), 0);
    assert_non_null(json_object_get(
        json_object_get(json_object_get(call, "extra_content"), "google"),
        "thought_signature"));
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(call, "function"), "arguments")),
                        "{\"at\":[0.5,0.25]}");
    json_decref(root);
    t.messages[2].turn = (model_turn){0};
    /* words without calls: no empty list of calls, and content that is a
     * string, be it empty */
    t.messages[2].part_count = 1;
    t.call[0].text = "";
    root = talk_sent(&t, NULL);
    said = json_array_get(json_object_get(root, "messages"), 2);
    assert_null(json_object_get(said, "tool_calls"));
    assert_true(json_is_string(json_object_get(said, "content")));
    json_decref(root);
    t.messages[2].part_count = 2;
    /* vLLM, SGLang and Ollama parse what stands in the history */
    t.call[1].text = "{broken";
    root = talk_sent(&t, NULL);
    call = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "messages"), 2),
                        "tool_calls"),
        0);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(call, "function"), "arguments")),
                        "{}");
    assert_true(json_is_null(json_object_get(
        json_array_get(json_object_get(root, "messages"), 2), "content")));
    json_decref(root);
    talk_end(&t);
}

/* The fixture sends less than a thousand tokens and a limit of 500. */
static void counts_beyond_what_went_and_came_are_not_believed(void **state)
{
    (void)state;
    static const struct {
        const char *usage;
        bool is_believed;
    } cases[] = {
        {"{\"prompt_tokens\":9000,\"completion_tokens\":500}", true},
        {"{\"prompt_tokens\":700,\"completion_tokens\":900}", true},
        {"{\"prompt_tokens\":1000000000000000,\"completion_tokens\":5}", false},
        {"{\"prompt_tokens\":1000000,\"completion_tokens\":5}", false},
        {"{\"prompt_tokens\":700,\"completion_tokens\":1e15}", false},
        {"{\"prompt_tokens\":700,\"completion_tokens\":5000}", false},
        {"{\"prompt_tokens\":700,\"completion_tokens\":5,\"completion_tokens_details\":{\"reasoning_tokens\":1e15}}",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, "chat");
        const char *body = etna_arena_printf(
            &t.arena,
            "{\"choices\":[{\"message\":{\"content\":\"Well.\"},\"finish_reason\":\"stop\"}],\"usage\":%s}",
            cases[i].usage);
        provider_outcome out = talk_read_body(&t, 200, body);
        assert_int_equal(out.end, PROVIDER_REPLY);
        if (out.usage_guessed == cases[i].is_believed)
            fail_msg("%s", cases[i].usage);
        assert_in_range(out.reply.usage.tokens_in, 1, 9000);
        assert_in_range(out.reply.usage.tokens_out, 1, 900);
        assert_in_range(out.reply.usage.cost_micros, 1, 20000);
        talk_end(&t);
    }
}

static void what_is_part_of_a_count_is_no_more_than_the_whole(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}],\"usage\":{\"prompt_tokens\":700,\"completion_tokens\":5,"
        "\"prompt_tokens_details\":{\"cached_tokens\":600,\"cache_write_tokens\":1e15}}}");
    assert_false(out.usage_guessed);
    assert_int_equal(out.reply.usage.tokens_in, 700);
    assert_int_equal(out.reply.usage.tokens_cached, 600);
    assert_int_equal(out.reply.usage.tokens_written, 100);
    talk_end(&t);
}

static void an_answer_by_ollamas_own_wire_is_one(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"model\":\"x\",\"message\":{\"role\":\"assistant\",\"content\":\"So.\"},\"done\":true,\"done_reason\":\"length\","
        "\"prompt_eval_count\":12,\"eval_count\":3}");
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_string_equal(out.reply.text, "So.");
    assert_true(out.reply.cut_off);
    assert_false(out.usage_guessed);
    assert_int_equal(out.reply.usage.tokens_in, 12);
    assert_int_equal(out.reply.usage.tokens_out, 3);
    out = talk_read_body(
        &t, 200,
        "{\"result\":{\"choices\":[{\"message\":{\"content\":\"So.\"},\"finish_reason\":\"stop\"}]}}");
    assert_string_equal(out.reply.text, "So.");
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"content\":null,\"text\":\"So.\"},\"finish_reason\":\"stop\"}]}");
    assert_string_equal(out.reply.text, "So.");
    talk_end(&t);
}

static void tool_calls_of_careless_servers_are_understood(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":{\"at\":[1]}}},"
        "{\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}},{\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"arguments\\\":{\\\"at\\\":[2]}}\"}},"
        "{\"id\":\"z\",\"function\":{\"name\":\"look\",\"arguments\":\"{broken\"}},7]}}]}");
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_int_equal(out.reply.call_count, 5);
    assert_string_equal(out.reply.calls[0].text, "{\"at\":[1]}");
    assert_string_equal(out.reply.calls[1].text, "{}");
    assert_string_equal(out.reply.calls[1].tool_id,
                        ""); /* twice the same: the second gets one of ours */
    assert_string_equal(out.reply.calls[2].text, "{\"at\":[2]}");
    assert_string_equal(out.reply.calls[3].text, "{broken");
    assert_string_equal(out.reply.calls[4].tool_name, "");
    assert_null(out.reply.turn.json);
    assert_true(out.usage_guessed);
    assert_true(out.reply.usage.tokens_in > 0);
    /* the list itself as a text */
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"tool_calls\":\"[{\\\"function\\\":{\\\"name\\\":\\\"look\\\"}}]\"}}]}");
    assert_int_equal(out.reply.call_count, 1);
    assert_string_equal(out.reply.calls[0].tool_name, "look");
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\":[0.\"}}]}}]}");
    assert_true(out.reply.cut_off);
    assert_int_equal(out.reply.call_count, 0);
    talk_end(&t);
}

static void a_stream_that_nobody_asked_for_is_one_answer(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    static const char pieces[] =
        ": keep-alive\r\n\r\n"
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"We\"},\"finish_reason\":null}]}\r\n\r\n"
        "event: chunk\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"ll.\"}}]}\r\n\r\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"at\\\":\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"[1]}\"}}]}}]}\n\n";
    static const char last[] =
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n"
        "data: [DONE]\n\n";
    char whole[sizeof pieces + sizeof last];
    snprintf(whole, sizeof whole, "%s%s", pieces, last);
    provider_outcome out = talk_read_body(&t, 200, whole);
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_string_equal(out.reply.text, "Well.");
    assert_int_equal(out.reply.call_count, 1);
    assert_string_equal(out.reply.calls[0].tool_name, "look");
    assert_string_equal(out.reply.calls[0].text, "{\"at\":[1]}");
    assert_int_equal(out.reply.usage.tokens_in, 7);
    /* without its end it may be half an answer */
    out = talk_read_body(&t, 200, pieces);
    assert_string_equal(out.reply.text ? out.reply.text : "", "");
    assert_int_equal(out.reply.call_count, 0);
    talk_end(&t);
}

/* Half a character, as servers send it that cut an answer between two tokens of
 * one; numbers that are too long, and a comma too many. */
static void json_that_is_nearly_some_is_read(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}],\"id\":\"\xff\xc3(\"}",
        "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}],\"seed\":18446744073709551615}",
        "{\"choices\":[{\"message\":{\"content\":\"Well.\",},}, ],\n}",
        ("data: {\"choices\":[{\"delta\":{\"content\":\"We\"}}],\"id\":\"\xc3\"}\n\n"
         "data: {\"choices\":[{\"delta\":{\"content\":\"ll.\"},\"finish_reason\":\"stop\"}]}\n\n")};
    talk t;
    talk_begin(&t, "chat");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        provider_outcome out = talk_read_body(&t, 200, bodies[i]);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_string_equal(out.reply.text, "Well.");
    }
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"content\":\"We\xe2\x82ll, caf\xc3\xa9.\"}}]}");
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_string_equal(out.reply.text,
                        "We\xef\xbf\xbd\xef\xbf\xbdll, caf\xc3\xa9.");
    talk_end(&t);
}

/* What is missing in the middle would change what is said. */
static void a_stream_with_a_piece_that_cannot_be_read_is_no_answer(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 200,
        "data: {\"choices\":[{\"delta\":{\"content\":\"Don't move \"}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"content\":\"the lamp; mo\n\n"
        "data: {\"choices\":[{\"delta\":{\"content\":\"the vase.\"},\"finish_reason\":\"stop\"}]}\n\n"
        "data: [DONE]\n\n");
    assert_int_equal(out.end, PROVIDER_AGAIN);
    assert_true(out.lost);
    /* nor is one that breaks off with a failure, though its end is told */
    out = talk_read_body(
        &t, 200,
        "data: {\"choices\":[{\"delta\":{\"content\":\"Well.\"}}]}\n\n"
        "data: {\"error\":{\"message\":\"it fell over\"}}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    assert_int_equal(out.end, PROVIDER_AGAIN);
    assert_non_null(strstr(out.text, "it fell over"));
    talk_end(&t);
}

static void a_refusal_keeps_the_servers_own_code(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 400, "{\"error\":{\"message\":\"no\",\"code\":\"etna_no_task\"}}");
    assert_string_equal(out.error_code, "etna_no_task");
    out = talk_read_body(&t, 400,
                         "{\"error\":{\"message\":\"no\",\"code\":null}}");
    assert_null(out.error_code);
    talk_end(&t);
}

/* Whoever sends several although one was asked for. */
static void of_several_choices_the_first_that_says_something_is_read(
    void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{\"choices\":[null,{\"message\":{\"content\":\"Well.\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"\"}},{\"message\":{\"content\":\"Well.\"}},{\"message\":{\"content\":\"No.\"}}]}",
        "{\"choices\":{\"message\":{\"content\":\"Well.\"}}}",
        "{\"choices\":[{\"message\":\"Well.\"}]}",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"We\"}}]}\n\n"
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"No\"}}]}\n\n"
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ll.\"},\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\".\"},\"finish_reason\":\"length\"}]}\n\n"};
    talk t;
    talk_begin(&t, "chat");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        provider_outcome out = talk_read_body(&t, 200, bodies[i]);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_string_equal(out.reply.text, "Well.");
        assert_false(out.reply.cut_off);
    }
    talk_end(&t);
}

#define LOOK(index, id, name, arguments) \
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{" index id \
    "\"function\":{" name "\"arguments\":\"" arguments "\"}}]}}]}\n\n"

/* Two calls, whose pieces a server does not count, or counts as one. */
static void calls_of_a_stream_that_does_not_count_them_are_apart(void **state)
{
    (void)state;
#define CALLS(index) \
    LOOK(index, "\"id\":\"a\",", "\"name\":\"look\",", "{\\\"at\\\":") \
    LOOK(index, "", "", "[1]}") \
    LOOK(index, "\"id\":\"b\",", "\"name\":\"look\",", "{\\\"at\\\":") \
    LOOK(index, "", "", "[2]}") \
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
    static const char *const bodies[] = {CALLS(""), CALLS("\"index\":0,")};
#undef CALLS
    talk t;
    talk_begin(&t, "chat");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        provider_outcome out = talk_read_body(&t, 200, bodies[i]);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_int_equal(out.reply.call_count, 2);
        assert_string_equal(out.reply.calls[0].text, "{\"at\":[1]}");
        assert_string_equal(out.reply.calls[1].text, "{\"at\":[2]}");
        assert_string_equal(out.reply.calls[1].tool_id, "b");
    }
    talk_end(&t);
}

/* Lines of Ollama's own wire, events that carry all that is said so far,
 * comments before an answer. */
static void an_answer_in_lines_is_not_cut_at_the_first(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{\"message\":{\"content\":\"We\"},\"done\":false}\n"
        "{\"message\":{\"content\":\"ll.\"},\"done\":false}\n"
        "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":7,\"eval_count\":2}\n",
        ("data: {\"choices\":[{\"message\":{\"content\":\"We\"}}]}\n\n"
         "data: {\"choices\":[{\"message\":{\"content\":\"Well.\"},\"finish_reason\":\"stop\"}]}\n\n"),
        ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}"};
    talk t;
    talk_begin(&t, "chat");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        provider_outcome out = talk_read_body(&t, 200, bodies[i]);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_string_equal(out.reply.text, "Well.");
    }
    talk_end(&t);
}

static void a_failure_told_within_an_answer_is_one(void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"error\":{\"code\":502,\"message\":\"Provider returned error\"},\"message\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}");
    assert_int_equal(out.end, PROVIDER_AGAIN);
    talk_end(&t);
}

static void an_answer_is_found_in_the_envelopes_of_gateways(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "\xEF\xBB\xBF{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}",
        "[{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}]",
        "{\"code\":0,\"data\":{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}}",
        "{\"choices\":[{\"delta\":{\"content\":\"Well.\"}}]}",
        "{\"choices\":[{\"text\":\"Well.\"}]}",
        "{\"error\":{},\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":null,\"thinking\":\"Well.\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"\",\"reasoning_details\":[{\"text\":\"We\"},{\"text\":\"ll.\"}]}}]}",
        "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"Well.\"}]}",
        "{\"output\":[{\"type\":\"reasoning\"},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Well.\"}]}]}",
        "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}\n<!-- served by a proxy -->",
        "{\"score\":NaN,\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}",
        "{\"id\":\"a\nb\",\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}",
        "{\"id\":\"\\ud83d\",\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"We\"}}]}\n{\"choices\":[{\"delta\":{\"content\":\"ll.\"},\"finish_reason\":\"stop\"}]}\n",
        "{\"choices\":[{\"message\":{\"content\":[{\"text\":\"Well.\"}]}}]}",
        "{\"choices\":[{\"message\":{\"content\":{\"type\":\"text\",\"text\":{\"value\":\"Well.\"}}}}]}",
        "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"reasoning\",\"text\":\"hm\"},{\"type\":\"text\",\"text\":\"Well.\"}]}}]}"};
    talk t;
    talk_begin(&t, "chat");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        provider_outcome out = talk_read_body(&t, 200, bodies[i]);
        assert_int_equal(out.end, PROVIDER_REPLY);
        assert_string_equal(out.reply.text, "Well.");
    }
    provider_outcome out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"tool_calls\":[{\"name\":\"look\",\"args\":{\"at\":[1]}}]}}]}");
    assert_int_equal(out.reply.call_count, 1);
    assert_string_equal(out.reply.calls[0].text, "{\"at\":[1]}");
    /* other servers of the wire would not take it back so */
    assert_null(out.reply.turn.json);
    out = talk_read_body(
        &t, 200,
        "{\"choices\":[{\"message\":{\"tool_calls\":{\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}}}]}");
    assert_int_equal(out.reply.call_count, 1);
    assert_null(out.reply.turn.json);
    talk_end(&t);
}

static void valid_json_of_a_wrong_shape_is_an_empty_answer(void **state)
{
    (void)state;
    static const char *const wires[] = {"chat", "responses", "gemini",
                                        "anthropic"};
    static const char *const bodies[] = {
        "{}", "{\"choices\":[]}",
        "{\"choices\":{\"message\":7},\"output\":3,\"candidates\":[7],\"content\":\"x\"}"};
    for (int w = 0; w < 4; w++) {
        talk t;
        talk_begin(&t, wires[w]);
        for (int b = 0; b < 3; b++) {
            provider_outcome out = talk_read_body(&t, 200, bodies[b]);
            assert_int_equal(out.end, PROVIDER_REPLY);
            assert_string_equal(out.reply.text, "");
            assert_int_equal(out.reply.call_count, 0);
            assert_true(out.usage_guessed);
        }
        talk_end(&t);
    }
}

/* {"choices": [{"message": {"content": "hello", "x": [PART, PART, ...]}}]} */
static char *answer_of_parts(const char *part, size_t count)
{
    static const char head[] =
        "{\"choices\": [{\"message\": {\"content\": \"hello\", \"x\": [";
    static const char end[] = "0]}}]}";
    const size_t size = strlen(part);
    char *text = malloc(sizeof head + count * size + sizeof end), *at = text;
    assert_non_null(text);
    at = stpcpy(at, head);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, part);
    strcpy(at, end);
    return text;
}

/* Its tree would take gigabytes, of a body that is not large. */
static void an_answer_of_a_million_parts_is_none(void **state)
{
    (void)state;
    static const char *const parts[] = {"{},", "[[]],", "\"\",", "{\"a\":{}},"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *few = answer_of_parts(parts[i], 1000);
        char *many = answer_of_parts(parts[i], 3000000);
        talk t;
        talk_begin(&t, "chat");
        assert_int_equal(talk_read_body(&t, 200, few).end, PROVIDER_REPLY);
        assert_int_equal(talk_read_body(&t, 200, many).end, PROVIDER_AGAIN);
        free(few);
        free(many);
        talk_end(&t);
    }
}

static void failures_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *wire;
        uint32_t status;
        const char *body, *retry_after, *should_retry;
        provider_end end;
        bool overloaded, down, lost;
        uint64_t wait_ms;
        const char *says;
    } cases[] = {
        {"chat", 429,
         "{\"error\":{\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}}",
         "2", NULL, PROVIDER_AGAIN, true, false, false, 2001, "slow down"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "0x10", NULL,
         PROVIDER_AGAIN, true, false, false, 0, "later"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "1e9", NULL,
         PROVIDER_AGAIN, true, false, false, 0, "later"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "20ms", NULL,
         PROVIDER_AGAIN, true, false, false, 0, "later"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "-1", NULL,
         PROVIDER_AGAIN, true, false, false, 0, "later"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "3s", NULL,
         PROVIDER_AGAIN, true, false, false, 3001, "later"},
        {"chat", 429, "{\"error\":{\"message\":\"later\"}}", "7200", NULL,
         PROVIDER_AGAIN, true, false, false, 7200001,
         "later; it asks to be left alone for 7200 s"},
        {"chat", 429,
         "{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}",
         NULL, NULL, PROVIDER_NEVER, true, false, false, 0, "no money"},
        {"chat", 500, "<html>oops</html>", NULL, NULL, PROVIDER_AGAIN, false,
         true, false, 0, "oops"},
        {"chat", 500,
         "{\"error\":{\"message\":\"image input is not supported - hint\"}}",
         NULL, NULL, PROVIDER_NEVER, false, true, false, 0, "not supported"},
        {"chat", 503, "{\"error\":{\"message\":\"Loading model\"}}", NULL, NULL,
         PROVIDER_AGAIN, true, true, false, 0, "Loading"},
        {"chat", 503, "", NULL, "false", PROVIDER_NEVER, true, true, false, 0,
         "503"},
        {"chat", 400,
         "{\"error\":{\"message\":\"no\",\"param\":\"temperature\",\"code\":\"unsupported_value\"}}",
         NULL, NULL, PROVIDER_DROP, false, false, false, 0, ""},
        {"chat", 400,
         "{\"error\":{\"message\":\"no\",\"param\":\"messages\",\"code\":\"unsupported_value\"}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "knobs"},
        {"chat", 401, "{\"error\":\"bad key\"}", NULL, NULL, PROVIDER_NEVER,
         false, false, false, 0, "key_env"},
        {"chat", 404, "{\"detail\":[{\"msg\":\"nothing here\"}]}", NULL, NULL,
         PROVIDER_NEVER, false, false, false, 0, "nothing here"},
        {"chat", 302, "", NULL, NULL, PROVIDER_NEVER, false, false, false, 0,
         "redirects"},
        {"chat", 400,
         "{\"object\":\"error\",\"message\":\"At most 1 image(s) may be provided in one request.\",\"type\":\"BadRequestError\",\"param\":null,\"code\":400}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "images_max"},
        {"chat", 400,
         "{\"error\":{\"code\":400,\"message\":\"This model's maximum context length is 4096 tokens\",\"type\":\"x\"}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "context_tokens"},
        {"chat", 400,
         "{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context size\",\"type\":\"exceed_context_size_error\"}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "context_tokens"},
        {"chat", 400,
         "{\"error\":{\"message\":\"Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.\",\"code\":null}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "wire responses"},
        {"chat", 500,
         "{\"error\":{\"code\":500,\"message\":\"tools param requires --jinja flag\",\"type\":\"server_error\"}}",
         NULL, NULL, PROVIDER_NEVER, false, true, false, 0, "jinja"},
        {"chat", 500,
         "{\"error\":{\"code\":500,\"message\":\"number of bitmaps (1) does not match number of markers (0)\"}}",
         NULL, NULL, PROVIDER_NEVER, false, true, false, 0, "markers"},
        {"chat", 500,
         "{\"error\":{\"message\":\"no user query found in messages\",\"type\":\"api_error\",\"param\":null,\"code\":null}}",
         NULL, NULL, PROVIDER_NEVER, false, true, false, 0, "context_tokens"},
        {"chat", 400,
         "{\"error\":\"'url' field must be a base64 encoded image\"}", NULL,
         NULL, PROVIDER_NEVER, false, false, false, 0, "base64"},
        {"chat", 400,
         "[{\"error\":{\"code\":400,\"message\":\"Function call is missing a thought_signature\",\"status\":\"INVALID_ARGUMENT\"}}]",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0,
         "thought_signature"},
        {"chat", 502, "<html><h1>Bad Gateway</h1></html>", NULL, NULL,
         PROVIDER_AGAIN, false, true, false, 0, "Bad Gateway"},
        {"chat", 429,
         "{\"error\":{\"message\":\"slow\",\"code\":\"slow_down\"}}", NULL,
         NULL, PROVIDER_AGAIN, true, false, false, 0, "slow"},
        {"gemini", 400,
         "{\"error\":{\"message\":\"API key not valid.\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "key_env"},
        {"anthropic", 413, "<html>413</html>", NULL, NULL, PROVIDER_NEVER,
         false, false, false, 0, "image_side"},
        {"anthropic", 402,
         "{\"type\":\"error\",\"error\":{\"type\":\"billing_error\",\"message\":\"pay\"}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "paid"},
        {"anthropic", 400,
         "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}",
         NULL, NULL, PROVIDER_NEVER, false, false, false, 0, "context_tokens"},
        {"anthropic", 400,
         "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"system.0.cache_control: Extra inputs are not permitted\"}}",
         NULL, NULL, PROVIDER_DROP, false, false, false, 0, "cache_control"},
        {"chat", 200, "{\"error\":{\"message\":\"late\"}}", NULL, NULL,
         PROVIDER_AGAIN, false, true, true, 0, "late"},
        {"chat", 200, "{\"success\":false,\"errors\":[{\"msg\":\"busy\"}]}",
         NULL, NULL, PROVIDER_AGAIN, false, true, true, 0, "busy"},
        {"chat", 200, "{\"errors\":[\"busy\"]}", NULL, NULL, PROVIDER_AGAIN,
         false, true, true, 0, "busy"},
        {"chat", 200, "not json", NULL, NULL, PROVIDER_AGAIN, false, true, true,
         0, "wire"},
        {"chat", 200, "", NULL, NULL, PROVIDER_AGAIN, false, true, true, 0,
         "wire"},
        {"anthropic", 529,
         "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
         NULL, NULL, PROVIDER_AGAIN, true, true, false, 0, "Overloaded"},
        {"gemini", 429,
         "[{\"error\":{\"code\":429,\"message\":\"wait\",\"details\":[{\"@type\":\"RetryInfo\",\"retryDelay\":\"4.5s\"}]}}]",
         NULL, NULL, PROVIDER_AGAIN, true, false, false, 4501, "wait"},
        {"gemini", 429, "{\"error\":{\"message\":\"Please retry in 1.5s.\"}}",
         NULL, NULL, PROVIDER_AGAIN, true, false, false, 1501, "retry"},
        {"gemini", 429,
         "{\"error\":{\"message\":\"q\",\"details\":[{\"violations\":[{\"quotaId\":\"GenerateRequestsPerDay\"}]}]}}",
         NULL, NULL, PROVIDER_NEVER, true, false, false, 0, "quota"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        talk t;
        talk_begin(&t, cases[i].wire);
        provider_outcome out = talk_read(
            &t, (provider_answer){.status = cases[i].status,
                                  .body = (const uint8_t *)cases[i].body,
                                  .retry_after = cases[i].retry_after,
                                  .should_retry = cases[i].should_retry});
        if (out.end != cases[i].end || !strstr(out.text, cases[i].says))
            fail_msg("case %zu: end %d, \"%s\"", i, out.end, out.text);
        assert_true(out.overloaded == cases[i].overloaded);
        assert_true(out.endpoint_down == cases[i].down);
        assert_true(out.lost == cases[i].lost);
        assert_true(out.wait_ms == cases[i].wait_ms);
        assert_true(strlen(out.text) <= PROVIDER_TEXT_MAX);
        if (out.end == PROVIDER_DROP)
            assert_string_equal(out.drop,
                                *cases[i].says ? cases[i].says : "temperature");
        talk_end(&t);
    }
}

/* However long the body is: what to look at comes behind it. */
static void the_advice_is_not_cut_by_the_body(void **state)
{
    (void)state;
    char body[4000];
    memset(body, 'x', sizeof body);
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out =
        talk_read(&t, (provider_answer){.status = 200,
                                        .body = (const uint8_t *)body,
                                        .size = sizeof body,
                                        .retry_after = "7200"});
    assert_true(strlen(out.text) <= PROVIDER_TEXT_MAX);
    assert_non_null(strstr(out.text, "answered 200: xxx"));
    if (!strstr(out.text, "if it goes on; it asks to be left alone for 7200 s"))
        fail_msg("%s", out.text);
    talk_end(&t);
}

static void a_broken_line_may_have_been_billed_a_bad_certificate_was_not(
    void **state)
{
    (void)state;
    talk t;
    talk_begin(&t, "chat");
    provider_outcome out =
        talk_read(&t, (provider_answer){.transport = "the connection was reset",
                                        .may_be_billed = true});
    assert_int_equal(out.end, PROVIDER_AGAIN);
    assert_true(out.lost && out.endpoint_down);
    out = talk_read(
        &t, (provider_answer){.transport = "its certificate is not trusted",
                              .transport_final = true});
    assert_int_equal(out.end, PROVIDER_NEVER);
    assert_false(out.lost);
    out = talk_read(
        &t, (provider_answer){.status = 503,
                              .retry_after = "Sat, 21 Nov 2026 00:00:10 GMT",
                              .now_unix = 1795219200});
    assert_true(out.wait_ms == 10000);
    talk_end(&t);
}

static void waits_grow_are_spread_and_follow_the_hint(void **state)
{
    (void)state;
    provider_outcome plain = {0}, busy = {.overloaded = true},
                     hint = {.wait_ms = 7000};
    uint64_t most[2] = {0, 0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        uint64_t first = provider_backoff(&plain, 2, 1000, seed),
                 fifth = provider_backoff(&plain, 6, 1000, seed),
                 later = provider_backoff(&busy, 30, 1000, seed);
        uint64_t hinted = provider_backoff(&hint, 2, 1000, seed);
        assert_true(first <= 1000 && fifth <= 16000 && later <= 60000);
        assert_true(hinted >= 7000 && hinted <= 8000);
        most[0] = first > most[0] ? first : most[0];
        most[1] = fifth > most[1] ? fifth : most[1];
    }
    assert_true(most[0] > 900 && most[1] > 14000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_are_read_on_every_wire),
        cmocka_unit_test(a_refusal_keeps_the_servers_own_code),
        cmocka_unit_test(
            what_was_put_into_the_vendors_cache_is_counted_and_costs_more),
        cmocka_unit_test(a_turn_that_could_not_go_back_is_not_kept),
        cmocka_unit_test(
            numbers_of_a_models_own_turn_go_back_as_short_as_they_came),
        cmocka_unit_test(
            an_answer_that_was_filtered_says_so_and_is_not_cut_off),
        cmocka_unit_test(a_call_that_gemini_calls_malformed_is_not_made),
        cmocka_unit_test(the_ways_of_single_servers_are_known),
        cmocka_unit_test(counts_beyond_what_went_and_came_are_not_believed),
        cmocka_unit_test(what_is_part_of_a_count_is_no_more_than_the_whole),
        cmocka_unit_test(an_answer_by_ollamas_own_wire_is_one),
        cmocka_unit_test(tool_calls_of_careless_servers_are_understood),
        cmocka_unit_test(a_stream_that_nobody_asked_for_is_one_answer),
        cmocka_unit_test(json_that_is_nearly_some_is_read),
        cmocka_unit_test(
            a_stream_with_a_piece_that_cannot_be_read_is_no_answer),
        cmocka_unit_test(
            of_several_choices_the_first_that_says_something_is_read),
        cmocka_unit_test(calls_of_a_stream_that_does_not_count_them_are_apart),
        cmocka_unit_test(an_answer_in_lines_is_not_cut_at_the_first),
        cmocka_unit_test(a_failure_told_within_an_answer_is_one),
        cmocka_unit_test(an_answer_is_found_in_the_envelopes_of_gateways),
        cmocka_unit_test(valid_json_of_a_wrong_shape_is_an_empty_answer),
        cmocka_unit_test(an_answer_of_a_million_parts_is_none),
        cmocka_unit_test(failures_are_told_apart),
        cmocka_unit_test(the_advice_is_not_cut_by_the_body),
        cmocka_unit_test(
            a_broken_line_may_have_been_billed_a_bad_certificate_was_not),
        cmocka_unit_test(waits_grow_are_spread_and_follow_the_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
