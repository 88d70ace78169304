/* What a server has beside tools: prompts, resources, and the one question that
 * it asks, which folders are the client's. */
#include "worker/mcp/rpc_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL: the host has no such list, and then the method does not exist either.
 * All lists fit on one page, so no cursor of ours can come back. */
void rpc_answer_list(const rpc_message *m, const char *key, const json_t *list)
{
    if (!list) {
        rpc_refuse(m, RPC_METHOD_NOT_FOUND, m->modern ? 404 : 200,
                   "there is no such method", NULL);
        return;
    }
    if (json_object_get(m->params, "cursor")) { /* we gave none */
        rpc_refuse(m, RPC_INVALID_PARAMS, 200,
                   "no such cursor; everything is on the first page", NULL);
        return;
    }
    json_t *result =
        json_pack("{s:o}", key, rpc_list_for(m->r, m->modern, list));
    if (result && m->modern) {
        json_object_set_new(result, "ttlMs", json_integer(3600000));
        json_object_set_new(result, "cacheScope", json_string("public"));
    }
    rpc_reply(m, result);
}

void rpc_list_prompts(const rpc_message *m)
{
    rpc_answer_list(m, "prompts", m->r->host->prompts);
}
void rpc_list_resources(const rpc_message *m)
{
    rpc_answer_list(m, "resources", m->r->host->resources);
}
void rpc_list_templates(const rpc_message *m)
{
    rpc_answer_list(m, "resourceTemplates", m->r->host->templates);
}

/* ---- prompts ---- */

static const json_t *find_named(const json_t *list, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
            return one;
    }
    return NULL;
}

void rpc_get_prompt(const rpc_message *m)
{
    const rpc_host *host = m->r->host;
    const char *name = json_string_value(json_object_get(m->params, "name"));
    const char *wrong = NULL;
    const json_t *arguments = json_object_get(m->params, "arguments");
    const json_t *found = name ? find_named(host->prompts, name) : NULL;
    if (!found)
        wrong =
            "prompts/get: no such prompt; prompts/list tells which there are";
    if (arguments && !json_is_object(arguments))
        wrong = "prompts/get: params.arguments is no object";
    json_t *messages = wrong ? NULL : host->prompt(name, arguments, &wrong);
    if (messages) {
        rpc_reply(m, json_pack("{s:O, s:o}", "description",
                               json_object_get(found, "description"),
                               "messages", messages));
    } else {
        rpc_refuse(m, wrong ? RPC_INVALID_PARAMS : RPC_INTERNAL_ERROR, 200,
                   wrong ? wrong : "out of memory for a prompt", NULL);
    }
}

/* ---- resources ---- */

/* A read is a call like a tool's: it may take as long, and may be cancelled. */
void rpc_read_resource(const rpc_message *m)
{
    enum {
        URI_MAX = 1024
    };
    json_t *uri = json_object_get(m->params, "uri");
    bool is_uri = json_is_string(uri) && json_string_length(uri) <= URI_MAX;
    if (!m->r->host->resources) {
        rpc_refuse(m, RPC_METHOD_NOT_FOUND, m->modern ? 404 : 200,
                   "there is no such method", NULL);
    } else if (!is_uri) {
        rpc_refuse(
            m, RPC_INVALID_PARAMS, 200,
            "resources/read: params.uri is missing or no text of at most 1024 bytes",
            NULL);
    } else if (rpc_begin_call(m, RPC_READ, strdup(json_string_value(uri)),
                              json_object())) {
        m->r->pending[m->r->pending_count - 1].uri = json_incref(uri);
    }
}

/* ---- roots ---- */

/* The id says which asking it answers; an answer to an older one is stale and
 * is dropped. */
static void write_question(const rpc *r, char ret[32])
{
    snprintf(ret, 32, "etna-roots-%u", r->roots_asked);
}

void rpc_ask_roots(rpc *r, uint64_t origin, rpc_actions *out)
{
    char id[32];
    if (!r->has_roots || !r->host->asks_roots)
        return;
    r->roots_asked++;
    write_question(r, id);
    rpc_emit(out, origin, NULL,
             json_pack("{s:s, s:s, s:s}", "jsonrpc", "2.0", "id", id, "method",
                       "roots/list"),
             200, false);
}

void rpc_take_answer(rpc *r, const json_t *message, rpc_actions *out)
{
    char id[32];
    const char *given = json_string_value(json_object_get(message, "id"));
    json_t *told = json_object_get(json_object_get(message, "result"), "roots");
    write_question(r, id);
    bool is_ours = r->roots_asked && given && strcmp(given, id) == 0;
    rpc_action *action =
        is_ours && json_is_array(told) ? rpc_action_add(out, RPC_ROOTS) : NULL;
    if (action)
        action->arguments = json_incref(told);
}
