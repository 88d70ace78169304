/* MCP messages as anybody may send them: lines of the input are messages of one
 * connection. Every answer is one line of JSON, nothing is answered twice, and
 * a call that was given out ends. */
#include "tests/fuzz/fuzz.h"
#include "worker/mcp/rpc.h"

#include <stdlib.h>
#include <string.h>

static void check(const rpc_action *action)
{
    if (action->kind != RPC_SEND)
        return;
    if (strchr(action->text, '\n'))
        abort();
    json_t *root = json_loads(action->text, 0, NULL);
    if (!root)
        abort();
    json_decref(root);
}

static void act(rpc *r, rpc_actions *out, bool finish)
{
    uint32_t count = out->count;
    for (uint32_t i = 0; i < count; i++) {
        check(&out->items[i]);
        if (out->items[i].kind == RPC_ROOTS &&
            !json_is_array(out->items[i].arguments))
            abort();
        if (out->items[i].kind != RPC_CALL && out->items[i].kind != RPC_READ)
            continue;
        if (!out->items[i].tool || !json_is_object(out->items[i].arguments))
            abort();
        uint64_t call = out->items[i].call;
        rpc_actions more = {0};
        rpc_progress(r, call, 1, 2, "on", &more);
        if (finish)
            rpc_finish(r, call,
                       (rpc_result){.content = json_array(),
                                    .structured = json_object()},
                       &more);
        for (uint32_t k = 0; k < more.count; k++)
            check(&more.items[k]);
        rpc_actions_free(&more);
    }
    rpc_actions_free(out);
}

static json_t *fill(const char *name,
                    const json_t *arguments,
                    const char **ret_wrong)
{
    *ret_wrong = json_object_get(arguments, "goal") ? NULL : "no goal";
    return *ret_wrong ? NULL : json_pack("[s]", name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *tools = json_loads(
        "[{\"name\":\"look\",\"title\":\"t\",\"inputSchema\":{},\"outputSchema\":{},\"annotations\":{}}]",
        0, NULL);
    json_t *others = json_loads(
        "[{\"name\":\"guide\",\"title\":\"t\",\"uri\":\"etna://guide\"}]", 0,
        NULL);
    const rpc_host host = {.name = "n",
                           .title = "t",
                           .version = "1",
                           .instructions = "i",
                           .tools = tools,
                           .prompts = others,
                           .resources = others,
                           .templates = others,
                           .prompt = fill,
                           .asks_roots = true};
    const rpc_headers headers = {
        .version = "2026-07-28", .method = "tools/call", .name = "look"};
    rpc *r = tools && others ? rpc_new(&host) : NULL;
    if (!r)
        abort();
    uint64_t origin = 0;
    for (size_t at = 0; at < size && origin < 64; origin++) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        rpc_actions out = {0};
        rpc_receive(r, origin, origin % 3 == 2 ? &headers : NULL,
                    (const char *)data + at, length, &out);
        act(r, &out, origin % 2 == 0);
        at += length + 1;
    }
    rpc_actions out = {0};
    for (uint64_t i = 0; i < origin; i += 3)
        rpc_forget(r, i, &out);
    act(r, &out, false);
    rpc_free(r);
    json_decref(tools);
    json_decref(others);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\"}}\n"
         "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}}]\n"
         "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\"arguments\":{},\"_meta\":{\"progressToken\":1}}}\n"
         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\"}}\n"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
         "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n"),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{}}}}\n"
         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":\"etna-roots-1\",\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"etna://guide\"}}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"prompts/get\",\"params\":{\"name\":\"guide\",\"arguments\":{\"goal\":\"x\"}}}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"resources/templates/list\"}\n"),
        "[[[[",
        "{\"jsonrpc\":\"2.0\",\"id\":null}",
    };
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        add(seeds[i], strlen(seeds[i]));
}
