/* How answers look: an envelope, and what each revision knows. */
#include "proto/array.h"
#include "worker/mcp/rpc_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const legacy[] = {"2025-11-25", "2025-06-18", "2025-03-26",
                                     "2024-11-05"};

/* The constant of ours, which outlives the message. */
const char *rpc_legacy(const char *version)
{
    for (size_t i = 0; version && i < COUNT_OF(legacy); i++) {
        if (strcmp(legacy[i], version) == 0)
            return legacy[i];
    }
    return NULL;
}

bool rpc_speaks(const char *version)
{
    return strcmp(version, RPC_MODERN) == 0 || rpc_legacy(version);
}

json_t *rpc_versions(void)
{
    return json_pack("[s,s,s,s,s]", RPC_MODERN, legacy[0], legacy[1], legacy[2],
                     legacy[3]);
}

/* Revisions are dates, so they sort as texts. */
bool rpc_since(const rpc *r, bool modern, const char *version)
{
    return modern || (r->session && strcmp(r->session, version) >= 0);
}

void rpc_actions_free(rpc_actions *actions)
{
    for (uint32_t i = 0; i < actions->count; i++) {
        free(actions->items[i].text);
        free(actions->items[i].tool);
        json_decref(actions->items[i].arguments);
    }
    free(actions->items);
    *actions = (rpc_actions){0};
}

rpc_action *rpc_action_add(rpc_actions *out, rpc_action_kind kind)
{
    if (out->count == out->room) {
        uint32_t room = out->room ? 2 * out->room : 8;
        rpc_action *items = realloc(out->items, room * sizeof *items);
        if (!items)
            return NULL;
        out->items = items;
        out->room = room;
    }
    rpc_action *action = &out->items[out->count++];
    *action = (rpc_action){.kind = kind};
    return action;
}

/* 15 digits: coordinates come back as they were written, without the noise of
 * the last bits. Without memory the message is lost; a client sees a call that
 * never ends and cancels. */
static void rpc_send_out(rpc_actions *out,
                         uint64_t origin,
                         const json_t *message,
                         uint32_t status,
                         bool last)
{
    char *text =
        message ? json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(15))
                : NULL;
    rpc_action *action = text ? rpc_action_add(out, RPC_SEND) : NULL;
    if (!action) {
        free(text);
        return;
    }
    action->origin = origin;
    action->text = text;
    action->status = status;
    action->last = last;
}

/* Takes `message`. In a batch answers are collected; notifications never
 * are. */
void rpc_emit(rpc_actions *out,
              uint64_t origin,
              rpc_batch *batch,
              json_t *message,
              uint32_t status,
              bool last)
{
    if (batch && last) {
        json_array_append(batch->replies, message);
    } else {
        rpc_send_out(out, origin, message, status, last);
    }
    json_decref(message);
}

/* A batch of notifications alone has no answer. */
void rpc_batch_close(rpc_batch *batch, rpc_actions *out)
{
    if (!batch || --batch->open)
        return;
    if (json_array_size(batch->replies))
        rpc_send_out(out, batch->origin, batch->replies, 200, true);
    json_decref(batch->replies);
    free(batch);
}

/* A result with what the era wants around it. Takes and returns the
 * reference. */
static json_t *rpc_dress(const rpc *r, bool modern, json_t *result)
{
    if (!modern || !result)
        return result;
    json_object_set_new(result, "resultType", json_string("complete"));
    json_object_set_new(result, "_meta",
                        json_pack("{s:{s:s, s:s, s:s}}",
                                  "io.modelcontextprotocol/serverInfo", "name",
                                  r->host->name, "title", r->host->title,
                                  "version", r->host->version));
    return result;
}

void rpc_reply(const rpc_message *m, json_t *result)
{
    result = rpc_dress(m->r, m->modern, result);
    json_t *message = json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id",
                                m->id, "result", result);
    rpc_emit(m->out, m->origin, m->batch, message, 200, true);
}

void rpc_refuse(const rpc_message *m,
                int code,
                uint32_t status,
                const char *text,
                json_t *data)
{
    json_t *error = json_pack("{s:i, s:s}", "code", code, "message", text);
    if (error && data) {
        json_object_set_new(error, "data", data);
    } else {
        json_decref(data);
    }
    json_t *message =
        json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id",
                  m->id ? json_incref(m->id) : json_null(), "error", error);
    rpc_emit(m->out, m->origin, m->batch, message, status, true);
}

/* What an older client does not know is left out for it. Takes nothing; gives a
 * new reference, NULL without memory. */
json_t *rpc_list_for(const rpc *r, bool modern, const json_t *list)
{
    json_t *copy = json_deep_copy(list);
    json_t *one;
    size_t i;
    json_array_foreach(copy, i, one)
    {
        if (!rpc_since(r, modern, "2025-06-18")) {
            json_object_del(one, "title");
            json_object_del(one, "outputSchema");
        }
        if (!rpc_since(r, modern, "2025-03-26"))
            json_object_del(one, "annotations");
    }
    return copy;
}
