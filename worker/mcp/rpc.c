/* Which message wants what: the Model Context Protocol without any transport.
 * Two eras are spoken: legacy revisions, which begin with `initialize` and keep
 * a session, and the modern one, whose every request says its revision in
 * params._meta. Nothing here blocks or does I/O: what is to be done comes out
 * as actions. */
#include "proto/array.h"
#include "worker/mcp/rpc_internal.h"

#include "worker/agents/loose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] =
    "io.modelcontextprotocol/clientCapabilities";

rpc *rpc_new(const rpc_host *host)
{
    rpc *r = calloc(1, sizeof *r);
    if (r)
        r->host = host;
    return r;
}

/* The last one takes its place, so indices do not stay valid. */
static void end_pending(rpc *r, uint32_t index)
{
    json_decref(r->pending[index].id);
    json_decref(r->pending[index].token);
    json_decref(r->pending[index].uri);
    r->pending[index] = r->pending[--r->pending_count];
}

void rpc_free(rpc *r)
{
    rpc_actions dropped = {0};
    while (r && r->pending_count) {
        rpc_batch_close(r->pending[0].batch, &dropped);
        end_pending(r, 0);
    }
    rpc_actions_free(&dropped);
    free(r);
}

const char *rpc_session(const rpc *r)
{
    return r->session;
}

uint32_t rpc_waiting(const rpc *r, uint64_t origin)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->pending_count; i++)
        count += r->pending[i].origin == origin;
    return count;
}

/* ---- calls under way ---- */

/* pending_count: none of them. */
static uint32_t find_call(const rpc *r, uint64_t call)
{
    uint32_t i = 0;
    while (i < r->pending_count && r->pending[i].call != call)
        i++;
    return i;
}

/* Ids are equal when their JSON types are, too: "1" is not 1. */
static uint32_t find_id(const rpc *r, const json_t *id)
{
    uint32_t i = 0;
    while (i < r->pending_count && !json_equal(r->pending[i].id, id))
        i++;
    return i;
}

/* The protocol gives a cancelled request no answer, so a batch it is of has one
 * less to wait for. */
static void rpc_cancel(rpc *r, uint32_t index, rpc_actions *out)
{
    rpc_action *action = rpc_action_add(out, RPC_CANCEL);
    if (action)
        action->call = r->pending[index].call;
    rpc_batch_close(r->pending[index].batch, out);
    end_pending(r, index);
}

/* Backwards, since each removal moves the last one down. */
void rpc_forget(rpc *r, uint64_t origin, rpc_actions *out)
{
    for (uint32_t i = r->pending_count; i-- > 0;) {
        if (r->pending[i].origin == origin)
            rpc_cancel(r, i, out);
    }
}

void rpc_forget_call(rpc *r, uint64_t call)
{
    rpc_actions unheard = {0};
    uint32_t index = find_call(r, call);
    if (index < r->pending_count)
        rpc_cancel(r, index, &unheard);
    rpc_actions_free(&unheard);
}

/* A resource that was read, or is none: each era has a code of its own for
 * that. */
static void finish_reading(rpc *r,
                           uint32_t index,
                           const rpc_message *m,
                           rpc_result result)
{
    const rpc_pending *p = &r->pending[index];
    json_decref(result.structured);
    if (result.is_error) {
        json_decref(result.content);
        rpc_refuse(
            m, p->modern ? RPC_INVALID_PARAMS : RPC_NOT_FOUND, 200,
            "there is no such resource; resources/list tells which there are",
            json_pack("{s:O}", "uri", p->uri));
    } else if (result.content) {
        json_t *answer = json_pack("{s:o}", "contents", result.content);
        if (answer && p->modern) {
            json_object_set_new(answer, "ttlMs", json_integer(0));
            json_object_set_new(answer, "cacheScope", json_string("private"));
        }
        rpc_reply(m, answer);
    } else {
        rpc_refuse(m, RPC_INTERNAL_ERROR, 200, "out of memory for the result",
                   NULL);
    }
    rpc_batch_close(p->batch, m->out);
    end_pending(r, index);
}

/* A result of a call that was cancelled meanwhile is dropped here. Takes what
 * `result` holds in every case. */
void rpc_finish(rpc *r, uint64_t call, rpc_result result, rpc_actions *out)
{
    uint32_t index = find_call(r, call);
    if (index == r->pending_count) {
        json_decref(result.content);
        json_decref(result.structured);
        return;
    }
    const rpc_pending *p = &r->pending[index];
    const rpc_message m = {.r = r,
                           .origin = p->origin,
                           .id = p->id,
                           .modern = p->modern,
                           .batch = p->batch,
                           .out = out};
    json_t *answer = NULL;
    if (p->uri) {
        finish_reading(r, index, &m, result);
        return;
    }
    if (result.content)
        answer = json_pack("{s:o, s:b}", "content", result.content, "isError",
                           result.is_error);
    if (answer && result.structured && rpc_since(r, p->modern, "2025-06-18")) {
        json_object_set_new(answer, "structuredContent", result.structured);
    } else {
        json_decref(result.structured);
    }
    if (answer) {
        rpc_reply(&m, answer);
    } else {
        rpc_refuse(&m, RPC_INTERNAL_ERROR, 200, "out of memory for the result",
                   NULL);
    }
    rpc_batch_close(p->batch, out);
    end_pending(r, index);
}

/* Progress must grow, says the protocol: a value that does not is left out. */
void rpc_progress(rpc *r,
                  uint64_t call,
                  double progress,
                  double total,
                  const char *message,
                  rpc_actions *out)
{
    uint32_t index = find_call(r, call);
    if (index == r->pending_count || !r->pending[index].token ||
        !(progress > r->pending[index].told))
        return;
    rpc_pending *p = &r->pending[index];
    p->told = progress;
    json_t *params = json_pack("{s:O, s:f}", "progressToken", p->token,
                               "progress", progress);
    if (params && total > 0)
        json_object_set_new(params, "total", json_real(total));
    if (params && message && rpc_since(r, p->modern, "2025-03-26"))
        json_object_set_new(params, "message", json_string(message));
    rpc_emit(out, p->origin, NULL,
             json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                       "notifications/progress", "params", params),
             200, false);
}

/* ---- methods ---- */

static json_t *server_info(const rpc *r, bool with_title)
{
    json_t *info = json_pack("{s:s, s:s}", "name", r->host->name, "version",
                             r->host->version);
    if (info && with_title)
        json_object_set_new(info, "title", json_string(r->host->title));
    return info;
}

/* None of the lists changes while the server runs. */
static json_t *capabilities(const rpc *r)
{
    json_t *all = json_pack("{s:{}}", "tools");
    if (all && r->host->prompts)
        json_object_set_new(all, "prompts", json_object());
    if (all && r->host->resources)
        json_object_set_new(all, "resources", json_object());
    return all;
}

/* An unknown revision is answered with our newest, and it is the client's to
 * leave. */
static void initialize(const rpc_message *m)
{
    const json_t *asked = json_object_get(m->params, "protocolVersion");
    if (!json_is_string(asked)) {
        rpc_refuse(m, RPC_INVALID_PARAMS, 400,
                   "initialize: params.protocolVersion is missing or no text",
                   NULL);
        return;
    }
    const char *known = rpc_legacy(json_string_value(asked));
    /* a client that can't do with it leaves */
    m->r->session = known ? known : rpc_legacy("2025-11-25");
    m->r->has_roots = json_is_object(
        json_object_get(json_object_get(m->params, "capabilities"), "roots"));
    rpc_reply(
        m, json_pack("{s:s, s:o, s:o, s:s}", "protocolVersion", m->r->session,
                     "capabilities", capabilities(m->r), "serverInfo",
                     server_info(m->r, rpc_since(m->r, false, "2025-06-18")),
                     "instructions", m->r->host->instructions));
}

static void rpc_discover(const rpc_message *m)
{
    rpc_reply(m, json_pack("{s:o, s:o, s:s, s:i, s:s}", "supportedVersions",
                           rpc_versions(), "capabilities", capabilities(m->r),
                           "instructions", m->r->host->instructions, "ttlMs",
                           3600000, "cacheScope", "public"));
}

static void list_tools(const rpc_message *m)
{
    rpc_answer_list(m, "tools", m->r->host->tools);
}

/* The tool's name, of one in any spelling and behind a prefix, as
 * "functions.renderView": no two are alike but for that. NULL: there is
 * none. */
static const char *known_tool(const rpc *r, const char *said)
{
    size_t i;
    const json_t *tool;
    const char *core = said + strlen(said);
    while (core > said && !strchr(".:/", core[-1]))
        core--;
    json_array_foreach(r->host->tools, i, tool)
    {
        const char *name = json_string_value(json_object_get(tool, "name"));
        if (loose_same(name, core))
            return name;
    }
    return NULL;
}

/* A model that knows another server's tools calls them by their names; it is
 * told ours at once. The list in the words of the error costs one answer and
 * saves a round trip of tools/list. */
static void rpc_refuse_unknown(const rpc_message *m)
{
    char words[1024] = "tools/call: no such tool; there are";
    size_t i;
    size_t used = strlen(words);
    const json_t *tool;
    json_array_foreach(m->r->host->tools, i, tool)
    {
        if (used >= sizeof words)
            break;
        used += (size_t)snprintf(
            words + used, sizeof words - used, "%s %.100s", i ? "," : "",
            json_string_value(json_object_get(tool, "name")));
    }
    rpc_refuse(m, RPC_INVALID_PARAMS, 200, words, NULL);
}

/* Ids are copied into every answer, so their length is bounded. */
static bool plain_id(const json_t *id)
{
    return json_is_integer(id) ||
           (json_is_string(id) && json_string_length(id) <= RPC_ID_MAX);
}

/* Models and the servers between write arguments as null, as a string of JSON,
 * or not at all; all mean what they mean in the field. */
static void call_tool(const rpc_message *m)
{
    rpc *r = m->r;
    const char *said = json_string_value(json_object_get(m->params, "name"));
    const char *name = said ? known_tool(r, said) : NULL;
    json_t *arguments = json_object_get(m->params, "arguments");
    json_t *read = NULL;
    if (json_is_null(arguments))
        arguments = NULL;          /* clients write it for none */
    if (json_is_string(arguments)) /* .. or as models' servers carry them */
        read = json_loads(json_string_value(arguments), JSON_REJECT_DUPLICATES,
                          NULL);
    if (json_is_object(read))
        arguments = read;
    if (!said) {
        rpc_refuse(m, RPC_INVALID_PARAMS, 200,
                   "tools/call: params.name is missing or no text", NULL);
    } else if (!name) {
        rpc_refuse_unknown(m);
    } else if (arguments && !json_is_object(arguments)) {
        rpc_refuse(m, RPC_INVALID_PARAMS, 200,
                   "tools/call: params.arguments is no object", NULL);
    } else {
        char *tool = strdup(name);
        rpc_begin_call(m, RPC_CALL, tool,
                       arguments ? json_incref(arguments) : json_object());
    }
    json_decref(read);
}

/* Takes `name` and `given` also when it refuses. */
rpc_action *rpc_begin_call(const rpc_message *m,
                           rpc_action_kind kind,
                           char *name,
                           json_t *given)
{
    rpc *r = m->r;
    const char *wrong = NULL;
    rpc_action *action = NULL;
    if (r->pending_count == RPC_PENDING_MAX)
        wrong = "too many calls at once; wait for an answer first";
    if (!wrong)
        action = given && name ? rpc_action_add(m->out, kind) : NULL;
    if (!action) {
        json_decref(given);
        free(name);
        rpc_refuse(m, RPC_INTERNAL_ERROR, 200,
                   wrong ? wrong : "out of memory for a call", NULL);
        return NULL;
    }
    json_t *token =
        json_object_get(json_object_get(m->params, "_meta"), "progressToken");
    if (!plain_id(token))
        token = NULL;
    rpc_pending *p = &r->pending[r->pending_count++];
    *p = (rpc_pending){.call = ++r->next_call,
                       .origin = m->origin,
                       .id = json_incref(m->id),
                       .token = token ? json_incref(token) : NULL,
                       .modern = m->modern,
                       .batch = m->batch};
    if (m->batch)
        m->batch->open++;
    action->call = p->call;
    action->origin = m->origin;
    action->tool = name;
    action->arguments = given;
    action->wants_progress = token != NULL;
    return action;
}

static void rpc_ping(const rpc_message *m)
{
    rpc_reply(m, json_object());
}

static const struct {
    const char *name;
    bool legacy, modern;
    void (*run)(const rpc_message *m);
} methods[] = {{"initialize", true, false, initialize},
               {"ping", true, false, rpc_ping},
               {"server/discover", false, true, rpc_discover},
               {"tools/list", true, true, list_tools},
               {"tools/call", true, true, call_tool},
               {"prompts/list", true, true, rpc_list_prompts},
               {"prompts/get", true, true, rpc_get_prompt},
               {"resources/list", true, true, rpc_list_resources},
               {"resources/templates/list", true, true, rpc_list_templates},
               {"resources/read", true, true, rpc_read_resource}};

/* ---- what a request must have ---- */

/* Is the header there, and does it say that? */
static bool header_says(const char *header, const char *text)
{
    return header && strcmp(header, text) == 0;
}

/* HTTP says in headers again what the body says, and they must agree. NULL or
 * what is wrong. */
static const char *headers_differ(const rpc_message *m, const char *version)
{
    const rpc_headers *h = m->headers;
    if (!h)
        return NULL;
    if (!header_says(h->version, version))
        return "the header MCP-Protocol-Version is missing or not what params._meta says";
    if (!header_says(h->method, m->method))
        return "the header Mcp-Method is missing or not the method";
    static const char *const named[][2] = {{"tools/call", "name"},
                                           {"prompts/get", "name"},
                                           {"resources/read", "uri"}};
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (strcmp(m->method, named[i][0]) != 0)
            continue;
        const char *name =
            json_string_value(json_object_get(m->params, named[i][1]));
        if (name && !header_says(h->name, name))
            return "the header Mcp-Name is missing or not params.name or params.uri";
    }
    return NULL;
}

/* HTTP names the revision in a header, on all but the message that opens the
 * connection, whose answer says which it is. A body that names it itself is
 * compared with the header later. */
static bool rpc_header_is_unknown(const rpc_message *m, const json_t *message)
{
    const char *said = m->headers ? m->headers->version : NULL;
    const json_t *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!said || rpc_legacy(said) || strcmp(said, RPC_MODERN) == 0)
        return false;
    if (method && strcmp(method, "initialize") == 0)
        return false;
    return !json_object_get(json_object_get(params, "_meta"), version_key);
}

static void rpc_refuse_version(const rpc_message *m, const char *requested)
{
    rpc_refuse(m, RPC_UNSUPPORTED_VERSION, 400,
               "this protocol version is not supported",
               json_pack("{s:o, s:s}", "supported", rpc_versions(), "requested",
                         requested));
}

/* True when the modern request may be served. */
static bool modern_fit(const rpc_message *m, const json_t *meta)
{
    const json_t *version = json_object_get(meta, version_key);
    if (!json_is_string(version)) {
        rpc_refuse(
            m, RPC_INVALID_PARAMS, 400,
            "params._meta: io.modelcontextprotocol/protocolVersion is no text",
            NULL);
        return false;
    }
    const char *differ = headers_differ(m, json_string_value(version));
    if (differ) {
        rpc_refuse(m, RPC_HEADER_MISMATCH, 400, differ, NULL);
    } else if (strcmp(json_string_value(version), RPC_MODERN) != 0) {
        rpc_refuse_version(m, json_string_value(version));
    } else if (!json_is_object(json_object_get(meta, capabilities_key))) {
        rpc_refuse(
            m, RPC_INVALID_PARAMS, 400,
            "params._meta: io.modelcontextprotocol/clientCapabilities is missing",
            NULL);
    } else {
        return true;
    }
    return false;
}

/* Refusals are ordered: a reused id first, since its answer could not be told
 * from the other's; then what the era demands; then the method. */
static void rpc_request(rpc_message *m)
{
    const json_t *meta = json_object_get(m->params, "_meta");
    m->modern = json_object_get(meta, version_key) != NULL;
    if (find_id(m->r, m->id) < m->r->pending_count) {
        rpc_refuse(m, RPC_INVALID_REQUEST, 400,
                   "a request of this id is still under way", NULL);
        return;
    }
    if (m->modern && !modern_fit(m, meta))
        return;
    bool opens =
        strcmp(m->method, "initialize") == 0 || strcmp(m->method, "ping") == 0;
    if (!m->modern && !m->r->session && !opens) {
        rpc_refuse(
            m, RPC_INVALID_PARAMS,
            400, /* what of the modern revision lacks its _meta is this, too */
            "begin with initialize, or say in params._meta[\"io.modelcontextprotocol/protocolVersion\"] which revision this is",
            NULL);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        if (strcmp(m->method, methods[i].name) != 0 ||
            !(m->modern ? methods[i].modern : methods[i].legacy))
            continue;
        if (methods[i].run == initialize && m->batch)
            break; /* the revision forbids it */
        methods[i].run(m);
        return;
    }
    rpc_refuse(m, RPC_METHOD_NOT_FOUND, m->modern ? 404 : 200,
               "there is no such method", NULL);
}

/* Never answered, not even when it is unknown. The roots are asked for when the
 * client says that it is ready, and whenever it says that they have changed. */
static void notification(const rpc_message *m)
{
    bool may_ask = strcmp(m->method, "notifications/initialized") == 0 ||
                   strcmp(m->method, "notifications/roots/list_changed") == 0;
    if (may_ask)
        rpc_ask_roots(m->r, m->origin, m->out);
    if (strcmp(m->method, "notifications/cancelled") != 0)
        return;
    const json_t *id = json_object_get(m->params, "requestId");
    uint32_t index = id ? find_id(m->r, id) : m->r->pending_count;
    if (index < m->r->pending_count)
        rpc_cancel(m->r, index, m->out);
}

/* Why it is no request that can be looked at; NULL: it is one. */
static const char *rpc_message_fault(const rpc_message *m,
                                     const json_t *message)
{
    const json_t *method = json_object_get(message, "method");
    const json_t *version = json_object_get(message, "jsonrpc");
    if (!json_is_object(message))
        return "a message is an object";
    bool is_rpc = json_is_string(version) &&
                  strcmp(json_string_value(version), "2.0") == 0;
    if (!is_rpc || !json_is_string(method))
        return "no JSON-RPC: \"jsonrpc\" is \"2.0\" and \"method\" a text";
    if (json_object_get(message, "id") && !m->id)
        return "an id is a whole number or a text of at most 1024 bytes";
    return NULL;
}

/* An answer to what the server asked, and no request. */
static bool rpc_message_answers(const json_t *message)
{
    if (!json_is_object(message) || json_object_get(message, "method"))
        return false;
    return json_object_get(message, "result") ||
           json_object_get(message, "error");
}

/* An answer to our own question is looked at before any request, as it has an
 * id and no method. */
static void rpc_message_take(rpc_message *m, json_t *message)
{
    json_t *id = json_object_get(message, "id");
    json_t *params = json_object_get(message, "params");
    const json_t *method = json_object_get(message, "method");
    bool answers = rpc_message_answers(message);
    if (!answers && id && plain_id(id))
        m->id = id;
    if (rpc_header_is_unknown(m, message)) {
        rpc_refuse_version(m, m->headers->version);
        return;
    }
    if (answers) {
        rpc_take_answer(m->r, message, m->out);
        return;
    }
    const char *fault = rpc_message_fault(m, message);
    if (fault) {
        rpc_refuse(m, RPC_INVALID_REQUEST, 400, fault, NULL);
        return;
    }
    if (params && !json_is_object(params)) {
        if (id)
            rpc_refuse(m, RPC_INVALID_PARAMS, 400, "params is no object", NULL);
        return;
    }
    m->method = json_string_value(method);
    m->params = params;
    if (id) {
        rpc_request(m);
    } else {
        notification(m);
    }
}

/* ---- texts ---- */

/* Only revision 2025-03-26 has batches. The loop holds the batch open itself,
 * so that answers that come at once don't close it before its end. */
static void rpc_take_batch(rpc *r, const rpc_message *base, json_t *messages)
{
    size_t count = json_array_size(messages);
    size_t i;
    json_t *message;
    if (!r->session || strcmp(r->session, "2025-03-26") != 0) {
        rpc_refuse(
            base, RPC_INVALID_REQUEST, 400,
            "batches are of revision 2025-03-26 only; send one message at a time",
            NULL);
        return;
    }
    if (count == 0 || count > RPC_BATCH_MAX) {
        rpc_refuse(base, RPC_INVALID_REQUEST, 400,
                   "a batch has 1 to 64 messages", NULL);
        return;
    }
    rpc_batch *b = calloc(1, sizeof *b);
    if (b)
        b->replies = json_array();
    if (!b || !b->replies) {
        free(b);
        return;
    }
    b->origin = base->origin;
    b->open = 1; /* this loop's */
    json_array_foreach(messages, i, message)
    {
        rpc_message m = *base;
        m.batch = b;
        rpc_message_take(&m, message);
    }
    rpc_batch_close(b, base->out);
}

/* Refuses a message that is no value. A client waits for its id, so the id is
 * taken from the bytes where they tell it. */
static void rpc_refuse_bytes(const rpc_message *base,
                             const char *text,
                             size_t size,
                             int code,
                             const char *fault)
{
    rpc_message m = *base;
    json_t *id = rpc_scan_id(text, size);
    m.id = plain_id(id) ? id : NULL;
    rpc_refuse(&m, code, 400, fault, NULL);
    json_decref(id);
}

static const char *rpc_parse_fault(const json_error_t *where)
{
    switch (json_error_code(where)) {
    case json_error_invalid_utf8: return "it is not UTF-8";
    case json_error_premature_end_of_input: return "it ends too early";
    case json_error_numeric_overflow: return "a number is too large";
    case json_error_null_character:
    case json_error_null_byte_in_key: return "a text holds \\u0000";
    default: return "what stands there is no value (NaN and Infinity are none)";
    }
}

/* Size and depth are checked on the bytes: before Jansson allocates for
 * them. */
void rpc_receive(rpc *r,
                 uint64_t origin,
                 const rpc_headers *headers,
                 const char *text,
                 size_t size,
                 rpc_actions *out)
{
    rpc_message m = {.r = r, .origin = origin, .headers = headers, .out = out};
    json_error_t where;
    if (size > RPC_MESSAGE_MAX) {
        rpc_refuse_bytes(&m, text, size, RPC_INVALID_REQUEST,
                         "the message is larger than 4 MiB");
        return;
    }
    if (rpc_scan_too_deep(text, size)) {
        rpc_refuse_bytes(&m, text, size, RPC_INVALID_REQUEST,
                         "the message nests deeper than 64 brackets");
        return;
    }
    json_t *root = json_loadb(text, size, JSON_DECODE_ANY, &where);
    if (!root) {
        char words[256];
        snprintf(words, sizeof words, "no JSON: column %d: %s", where.column,
                 rpc_parse_fault(&where));
        rpc_refuse_bytes(&m, text, size, RPC_PARSE_ERROR, words);
    } else if (json_is_array(root)) {
        rpc_take_batch(r, &m, root);
    } else {
        rpc_message_take(&m, root);
    }
    json_decref(root);
}
