/* JSON-RPC of both eras: what is answered, with what, and what never is. */
#include "worker/mcp/rpc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define META \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}"

static json_t *fill(const char *name,
                    const json_t *arguments,
                    const char **ret_wrong)
{
    assert_string_equal(name, "arrange");
    *ret_wrong = json_object_get(arguments, "goal") ? NULL : "goal is missing";
    return *ret_wrong ? NULL : json_pack("[{s:s}]", "role", "user");
}

static rpc_host host = {.name = "etna",
                        .title = "Etna",
                        .version = "1",
                        .instructions = "Look first.",
                        .prompt = fill};
static json_t *tools, *prompts, *resources, *templates;
static rpc *line;
static rpc_actions out;

static int begin(void **state)
{
    (void)state;
    tools = json_loads(
        "[{\"name\":\"look\",\"title\":\"Look\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},"
        "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]",
        0, NULL);
    prompts = json_loads(
        "[{\"name\":\"arrange\",\"title\":\"Arrange\",\"description\":\"d\"}]",
        0, NULL);
    resources = json_loads(
        "[{\"uri\":\"etna://guide\",\"name\":\"guide\",\"title\":\"Guide\"}]",
        0, NULL);
    templates = json_loads(
        "[{\"uriTemplate\":\"etna://scene/{id}\",\"name\":\"scene\"}]", 0,
        NULL);
    host.tools = tools;
    host.prompts = prompts;
    host.resources = resources;
    host.templates = templates;
    host.asks_roots = false;
    line = rpc_new(&host);
    return line ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    rpc_actions_free(&out);
    rpc_free(line);
    json_decref(tools);
    json_decref(prompts);
    json_decref(resources);
    json_decref(templates);
    return 0;
}

static void hear_from(uint64_t origin,
                      const rpc_headers *headers,
                      const char *text)
{
    rpc_actions_free(&out);
    rpc_receive(line, origin, headers, text, strlen(text), &out);
}

static void hear(const char *text)
{
    hear_from(0, NULL, text);
}

/* The only action is an answer that is this JSON in part: every member given is
 * there. */
static json_t *answer(void)
{
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].kind, RPC_SEND);
    assert_null(strchr(out.items[0].text, '\n'));
    json_t *root = json_loads(out.items[0].text, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "jsonrpc")),
                        "2.0");
    return root;
}

static void expect_error(int code, uint32_t status)
{
    json_t *root = answer();
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(root, "error"), "code")),
                     code);
    assert_true(json_string_length(json_object_get(
                    json_object_get(root, "error"), "message")) > 5);
    assert_null(json_object_get(root, "result"));
    assert_int_equal(out.items[0].status, status);
    json_decref(root);
}

static void open_legacy(const char *version, const char *wanted)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\",\"capabilities\":{}}}",
        version);
    hear(text);
    json_t *root = answer(), *result = json_object_get(root, "result");
    assert_string_equal(
        json_string_value(json_object_get(result, "protocolVersion")), wanted);
    assert_non_null(
        json_object_get(json_object_get(result, "capabilities"), "tools"));
    assert_null(json_object_get(result, "resultType"));
    json_decref(root);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    assert_int_equal(out.count, 0);
}

static uint64_t begin_call(const char *id, const char *extra)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"%s}}",
        id, extra);
    hear(text);
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].kind, RPC_CALL);
    assert_string_equal(out.items[0].tool, "look");
    assert_true(json_is_object(out.items[0].arguments));
    return out.items[0].call;
}

static void finish(uint64_t call)
{
    rpc_actions_free(&out);
    rpc_finish(line, call,
               (rpc_result){.content = json_array(),
                            .structured = json_pack("{s:i}", "n", 1)},
               &out);
}

static void each_legacy_revision_is_spoken_and_an_unknown_one_is_countered(
    void **state)
{
    (void)state;
    static const char *const known[] = {"2024-11-05", "2025-03-26",
                                        "2025-06-18", "2025-11-25"};
    for (size_t i = 0; i < 4; i++)
        open_legacy(known[i], known[i]);
    open_legacy("1999-01-01", "2025-11-25");
    open_legacy("2026-07-28", "2025-11-25");
}

static void older_revisions_are_told_less(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool output, annotations, structured;
    } rows[] = {{"2024-11-05", false, false, false},
                {"2025-03-26", false, true, false},
                {"2025-06-18", true, true, true}};
    for (size_t i = 0; i < 3; i++) {
        open_legacy(rows[i].version, rows[i].version);
        hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        json_t *root = answer(),
               *tool = json_array_get(
                   json_object_get(json_object_get(root, "result"), "tools"),
                   0);
        assert_int_equal(json_object_get(tool, "outputSchema") != NULL,
                         rows[i].output);
        assert_int_equal(json_object_get(tool, "title") != NULL,
                         rows[i].output);
        assert_int_equal(json_object_get(tool, "annotations") != NULL,
                         rows[i].annotations);
        assert_null(
            json_object_get(json_object_get(root, "result"), "nextCursor"));
        json_decref(root);
        finish(begin_call("5", ""));
        root = answer();
        assert_int_equal(json_object_get(json_object_get(root, "result"),
                                         "structuredContent") != NULL,
                         rows[i].structured);
        json_decref(root);
    }
}

static void ids_keep_their_type(void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    static const char *const ids[] = {
        "1", "\"1\"", "-7", "\"\"", "9007199254740993", "\"\\u00e4\\n\""};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", ids[i]);
        hear(text);
        json_t *root = answer(),
               *wanted = json_loads(ids[i], JSON_DECODE_ANY, NULL);
        assert_true(json_equal(json_object_get(root, "id"), wanted));
        json_decref(wanted);
        json_decref(root);
    }
    uint64_t number = begin_call("1", ""), word = begin_call("\"1\"", "");
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"1\"}}");
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].call, word);
    finish(number);
    json_t *root = answer();
    assert_true(json_is_integer(json_object_get(root, "id")));
    json_decref(root);
}

static void
what_is_no_request_is_refused_and_what_is_no_json_is_said_to_be_none(
    void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int code;
    } rows[] = {
        {"{", -32700},
        {"", -32700},
        {"nonsense", -32700},
        {"{\"a\":\"\xff\"}", -32700},
        {"7", -32600},
        {"\"x\"", -32600},
        {"[]", -32600},
        {"{}", -32600},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
         -32602}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hear(rows[i].text);
        expect_error(rows[i].code, 400);
    }
}

static void before_initialize_only_ping_and_modern_requests_are_served(
    void **state)
{
    (void)state;
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    expect_error(-32602, 400);
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}");
    expect_error(-32602, 400); /* none of the codes that mean "modern" */
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    json_decref(answer());
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"server/discover\",\"params\":{" META
        "}}");
    json_t *root = answer(), *result = json_object_get(root, "result");
    assert_string_equal(
        json_string_value(json_object_get(result, "resultType")), "complete");
    assert_true(json_is_integer(json_object_get(result, "ttlMs")) &&
                json_integer_value(json_object_get(result, "ttlMs")) >= 0);
    assert_string_equal(
        json_string_value(json_object_get(result, "cacheScope")), "public");
    assert_string_equal(json_string_value(json_array_get(
                            json_object_get(result, "supportedVersions"), 0)),
                        "2026-07-28");
    json_decref(root);
    assert_null(rpc_session(line));
}

static void modern_requests_need_their_meta(void **state)
{
    (void)state;
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}");
    expect_error(-32602, 400);
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2030-01-01\"}}}");
    json_t *root = answer(),
           *data = json_object_get(json_object_get(root, "error"), "data");
    assert_int_equal(json_array_size(json_object_get(data, "supported")), 5);
    assert_string_equal(json_string_value(json_object_get(data, "requested")),
                        "2030-01-01");
    json_decref(root);
    expect_error(-32022, 400);
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{" META
         "}}");
    expect_error(-32601, 404); /* gone since */
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"none\"," META
        "}}");
    assert_non_null(strstr(out.items[0].text, "there are look"));
    expect_error(-32602, 200);
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META
        "}}");
    root = answer();
    assert_non_null(json_object_get(json_object_get(root, "result"), "ttlMs"));
    json_decref(root);
}

static void modern_headers_must_say_what_the_body_says(void **state)
{
    (void)state;
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"," META
        "}}";
    static const rpc_headers wrong[] = {{NULL, "tools/call", "look"},
                                        {"2025-11-25", "tools/call", "look"},
                                        {"2026-07-28", NULL, "look"},
                                        {"2026-07-28", "tools/list", "look"},
                                        {"2026-07-28", "tools/call", NULL},
                                        {"2026-07-28", "tools/call", "Look"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hear_from(i, &wrong[i], call);
        expect_error(-32020, 400);
    }
    hear_from(9, &(rpc_headers){"2026-07-28", "tools/call", "look"}, call);
    assert_int_equal(out.items[0].kind, RPC_CALL);
    assert_int_equal(rpc_waiting(line, 9), 1);
    finish(out.items[0].call);
    assert_int_equal(out.items[0].origin, 9);
    assert_int_equal(rpc_waiting(line, 9), 0);
}

/* But one that opens the connection, where the revision is agreed upon. */
static void a_revision_in_the_header_that_nobody_knows_is_refused(void **state)
{
    (void)state;
    static const rpc_headers unknown = {.version = "1.0"},
                             known = {.version = "2025-06-18"};
    static const char ping[] =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
    hear_from(
        1, &unknown,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
        "\"protocolVersion\":\"1.0\",\"capabilities\":{}}}");
    assert_non_null(strstr(out.items[0].text, "\"2025-11-25\""));
    hear_from(2, &unknown, ping);
    json_t *root = answer();
    json_t *data = json_object_get(json_object_get(root, "error"), "data");
    assert_int_equal(json_integer_value(json_object_get(root, "id")), 7);
    assert_int_equal(json_array_size(json_object_get(data, "supported")), 5);
    assert_string_equal(json_string_value(json_object_get(data, "requested")),
                        "1.0");
    json_decref(root);
    expect_error(-32022, 400);
    hear_from(3, &unknown,
              "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    expect_error(-32022, 400);
    hear_from(4, &unknown, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    expect_error(-32022, 400);
    hear_from(5, &known, ping);
    root = answer();
    assert_non_null(json_object_get(root, "result"));
    json_decref(root);
}

static void an_unknown_method_is_an_error_and_an_unknown_notification_nothing(
    void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\"}");
    expect_error(-32601, 200);
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard_of\",\"params\":{}}");
    assert_int_equal(out.count, 0);
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}");
    assert_int_equal(out.count, 0);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
    assert_int_equal(out.count, 0);
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    assert_int_equal(out.count, 0);
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}");
    expect_error(-32602, 200);
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\"arguments\":[]}}");
    expect_error(-32602, 200);
}

static void a_cancelled_call_is_never_answered(void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    uint64_t call = begin_call("3", ",\"_meta\":{\"progressToken\":\"p\"}");
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3,\"reason\":\"enough\"}}");
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].kind, RPC_CANCEL);
    assert_int_equal(out.items[0].call, call);
    rpc_actions_free(&out);
    rpc_progress(line, call, 1, 0, "on", &out);
    assert_int_equal(out.count, 0);
    finish(call);
    assert_int_equal(out.count, 0);
    finish(begin_call("3", "")); /* its id is free again */
    json_decref(answer());
}

static void an_id_under_way_is_not_taken_twice(void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    uint64_t call = begin_call("3", "");
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}}");
    expect_error(-32600, 400);
    finish(call);
    json_decref(answer());
}

static void progress_only_grows_and_only_for_who_asked(void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    uint64_t deaf = begin_call("1", ""),
             call = begin_call("2", ",\"_meta\":{\"progressToken\":\"p\"}");
    rpc_actions_free(&out);
    rpc_progress(line, deaf, 1, 0, NULL, &out);
    rpc_progress(line, call, 2, 10, "half", &out);
    rpc_progress(line, call, 2, 10, "again", &out);
    rpc_progress(line, call, 1, 10, "back", &out);
    json_t *root = answer(), *params = json_object_get(root, "params");
    assert_string_equal(json_string_value(json_object_get(root, "method")),
                        "notifications/progress");
    assert_string_equal(
        json_string_value(json_object_get(params, "progressToken")), "p");
    assert_true(json_number_value(json_object_get(params, "total")) == 10);
    assert_null(json_object_get(root, "id"));
    assert_false(out.items[0].last);
    json_decref(root);
}

static void batches_are_of_one_revision_and_answered_as_one(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"},7,"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}},"
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}}]";
    open_legacy("2025-06-18", "2025-06-18");
    hear(text);
    expect_error(-32600, 400);
    open_legacy("2025-03-26", "2025-03-26");
    hear(text);
    assert_int_equal(out.count, 2); /* two calls, and no answer yet */
    uint64_t first = out.items[0].call, second = out.items[1].call;
    finish(first);
    assert_int_equal(out.count, 0);
    finish(second);
    assert_int_equal(out.count, 1);
    json_t *replies = json_loads(out.items[0].text, 0, NULL);
    assert_int_equal(json_array_size(replies), 4);
    json_decref(replies);
    hear("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}]");
    assert_int_equal(out.count, 0);
    hear("[]");
    expect_error(-32600, 400);
}

static void who_left_is_not_answered(void **state)
{
    (void)state;
    hear_from(
        4, NULL,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"," META
        "}}");
    uint64_t call = out.items[0].call;
    rpc_actions_free(&out);
    rpc_forget(line, 4, &out);
    assert_int_equal(out.items[0].kind, RPC_CANCEL);
    finish(call);
    assert_int_equal(out.count, 0);
}

static void what_is_too_much_is_refused(void **state)
{
    (void)state;
    static char big[RPC_MESSAGE_MAX + 2];
    memset(big, ' ', sizeof big - 1);
    hear(big);
    expect_error(-32600, 400);
    memset(big, '[', 100);
    big[100] = 0;
    hear(big);
    expect_error(-32600, 400);
    memset(big, '[', 100000);
    big[100000] = 0;
    hear(big);
    expect_error(-32600, 400);
    open_legacy("2025-11-25", "2025-11-25");
    char id[16];
    for (int i = 0; i < RPC_PENDING_MAX; i++) {
        snprintf(id, sizeof id, "%d", i);
        begin_call(id, "");
    }
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":\"more\",\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}}");
    expect_error(-32603, 200);
}

/* The last answer is an error to this id. */
static void expect_refused(const char *id)
{
    json_t *root = answer();
    char *told = json_dumps(json_object_get(root, "id"), JSON_ENCODE_ANY);
    assert_non_null(json_object_get(root, "error"));
    assert_string_equal(told, id);
    free(told);
    json_decref(root);
}

static void a_request_that_cannot_be_parsed_is_answered_to_its_id(void **state)
{
    static const char *const cases[][2] = {
        {"{\"id\":7,\"params\":{\"yaw\":NaN}}", "7"},
        {"{\"params\":{\"id\":1,\"seed\":99999999999999999999},\"id\":-8}",
         "-8"},
        {"{\"params\":{\"file\":\"\\u0000\"},\"id\" : \"a\\\"}b\" }",
         "\"a\\\"}b\""},
        {"{\"a\":\"id\",\"id\":\"x\",\"p\":[", "\"x\""},
        {"{\"id\":7", "null"},
        {"{\"id\":", "null"},
        {"{\"id", "null"},
        {"{\"id\":1.5,\"p\":NaN}", "null"},
        {"{\"id\":99999999999999999999}", "null"},
        {"{\"id\":[7],\"p\":NaN}", "null"},
        {"{\"p\":NaN,\"q\":{\"id\":7}}", "null"},
        {"[{\"id\":7,\"p\":NaN}]", "null"},
        {"{}}{\"id\":7,\"p\":NaN}", "null"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hear(cases[i][0]);
        expect_refused(cases[i][1]);
    }
}

static void a_request_that_is_too_much_is_refused_to_its_id(void **state)
{
    (void)state;
    static char big[RPC_MESSAGE_MAX + 2];
    memset(big, 'x', sizeof big - 1);
    memcpy(big, "{\"id\":7,\"p\":\"", 13);
    hear(big);
    expect_refused("7");
    memset(big + 12, '[', 100);
    big[112] = 0;
    hear(big);
    expect_refused("7");
}

static void ask(const char *method, const char *params)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
             method, params);
    hear(text);
}

static void prompts_and_resources_are_listed_and_told_of_in_the_capabilities(
    void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"prompts/list", "prompts"},
        {"resources/list", "resources"},
        {"resources/templates/list", "resourceTemplates"}};
    open_legacy("2024-11-05", "2024-11-05");
    for (size_t i = 0; i < 3; i++) {
        ask(lists[i][0], "{}");
        json_t *root = answer(),
               *list = json_object_get(json_object_get(root, "result"),
                                       lists[i][1]);
        assert_int_equal(json_array_size(list), 1);
        /* the revision knows none */
        assert_null(json_object_get(json_array_get(list, 0), "title"));
        json_decref(root);
        ask(lists[i][0], "{\"cursor\":\"x\"}");
        expect_error(-32602, 200);
        ask(lists[i][0], "{" META "}");
        root = answer();
        assert_non_null(
            json_object_get(json_object_get(root, "result"), "ttlMs"));
        json_decref(root);
    }
    ask("server/discover", "{" META "}");
    json_t *root = answer(),
           *able =
               json_object_get(json_object_get(root, "result"), "capabilities");
    assert_non_null(json_object_get(able, "prompts"));
    assert_non_null(json_object_get(able, "resources"));
    json_decref(root);
}

static void a_prompt_is_filled_or_what_is_wrong_is_said(void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    ask("prompts/get", "{\"name\":\"arrange\",\"arguments\":{\"goal\":\"x\"}}");
    json_t *root = answer(), *result = json_object_get(root, "result");
    assert_int_equal(json_array_size(json_object_get(result, "messages")), 1);
    assert_string_equal(
        json_string_value(json_object_get(result, "description")), "d");
    json_decref(root);
    static const char *const wrong[] = {
        "{\"name\":\"arrange\"}", "{\"name\":\"none\"}", "{}", "{\"name\":7}",
        "{\"name\":\"arrange\",\"arguments\":[]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ask("prompts/get", wrong[i]);
        expect_error(-32602, 200);
    }
}

static void read_nothing(const char *params, int code)
{
    ask("resources/read", params);
    assert_int_equal(out.items[0].kind, RPC_READ);
    uint64_t call = out.items[0].call;
    rpc_actions_free(&out);
    rpc_finish(line, call, (rpc_result){.is_error = true}, &out);
    expect_error(code, 200);
}

static void a_resource_is_read_like_a_call_and_each_era_has_its_word_for_none(
    void **state)
{
    (void)state;
    open_legacy("2025-11-25", "2025-11-25");
    ask("resources/read", "{\"uri\":\"etna://guide\"}");
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].kind, RPC_READ);
    assert_string_equal(out.items[0].tool, "etna://guide");
    finish(out.items[0].call);
    json_t *root = answer();
    assert_true(json_is_array(
        json_object_get(json_object_get(root, "result"), "contents")));
    json_decref(root);
    read_nothing("{\"uri\":\"x\"}", -32002);
    read_nothing("{\"uri\":\"x\"," META "}", -32602);
    ask("resources/read", "{}");
    expect_error(-32602, 200);
    ask("resources/read", "{\"uri\":\"etna://guide\"}");
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
    assert_int_equal(out.items[0].kind, RPC_CANCEL);
}

static const char *begin_with_roots(void)
{
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{\"roots\":{\"listChanged\":true}}}}");
    json_decref(answer());
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    return out.count ? out.items[0].text : NULL;
}

static void
a_client_is_asked_for_its_roots_where_it_has_any_and_its_last_answer_counts(
    void **state)
{
    (void)state;
    assert_null(begin_with_roots()); /* over HTTP nobody is asked */
    host.asks_roots = true;
    const char *asked = begin_with_roots();
    assert_non_null(strstr(asked, "\"roots/list\""));
    assert_non_null(strstr(asked, "\"etna-roots-1\""));
    assert_false(out.items[0].last);
    hear(
        "{\"jsonrpc\":\"2.0\",\"id\":\"etna-roots-1\",\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}");
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].kind, RPC_ROOTS);
    assert_int_equal(json_array_size(out.items[0].arguments), 1);
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}");
    assert_non_null(strstr(out.items[0].text, "\"etna-roots-2\""));
    static const char *const none[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":\"etna-roots-1\",\"result\":{\"roots\":[]}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"etna-roots-2\",\"result\":{\"roots\":7}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"etna-roots-2\",\"error\":{\"code\":1,\"message\":\"no\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"roots\":[]}}"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        hear(none[i]);
        assert_int_equal(out.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
        T(each_legacy_revision_is_spoken_and_an_unknown_one_is_countered),
        T(older_revisions_are_told_less),
        T(ids_keep_their_type),
        T(what_is_no_request_is_refused_and_what_is_no_json_is_said_to_be_none),
        T(before_initialize_only_ping_and_modern_requests_are_served),
        T(modern_requests_need_their_meta),
        T(modern_headers_must_say_what_the_body_says),
        T(a_revision_in_the_header_that_nobody_knows_is_refused),
        T(an_unknown_method_is_an_error_and_an_unknown_notification_nothing),
        T(a_cancelled_call_is_never_answered),
        T(an_id_under_way_is_not_taken_twice),
        T(progress_only_grows_and_only_for_who_asked),
        T(batches_are_of_one_revision_and_answered_as_one),
        T(who_left_is_not_answered),
        T(what_is_too_much_is_refused),
        T(a_request_that_cannot_be_parsed_is_answered_to_its_id),
        T(a_request_that_is_too_much_is_refused_to_its_id),
        T(prompts_and_resources_are_listed_and_told_of_in_the_capabilities),
        T(a_prompt_is_filled_or_what_is_wrong_is_said),
        T(a_resource_is_read_like_a_call_and_each_era_has_its_word_for_none),
        T(a_client_is_asked_for_its_roots_where_it_has_any_and_its_last_answer_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
