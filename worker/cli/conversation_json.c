/* See conversation_json.h. */
#include "worker/cli/conversation_json.h"
#include "proto/array.h"
#include "proto/error_json.h"

#include <string.h>

static json_t *json_of_number(uint64_t value)
{
    return json_integer((json_int_t)(value < INT64_MAX ? value : INT64_MAX));
}

static json_t *json_of_hash(const etna_hash *value)
{
    char hex[65];
    etna_hash_hex(value, hex);
    return json_string(hex);
}

static json_t *json_of_image(const model_image *image)
{
    json_t *told = json_object();
    json_object_set_new(told, "snapshot", json_of_hash(&image->snapshot));
    if (!etna_hash_is_zero(&image->before))
        json_object_set_new(told, "before", json_of_hash(&image->before));
    json_object_set_new(told, "camera", error_json_text(image->camera));
    json_object_set_new(told, "width", json_of_number(image->width));
    json_object_set_new(told, "height", json_of_number(image->height));
    json_object_set_new(told, "grid", json_boolean(image->grid));
    if (image->object)
        json_object_set_new(told, "object", error_json_text(image->object));
    if (image->highlight)
        json_object_set_new(told, "highlight",
                            error_json_text(image->highlight));
    return told;
}

static json_t *json_of_part(const model_part *part)
{
    static const char *const kinds[] = {"nothing", "text",      "image",
                                        "facts",   "tool_call", "tool_result"};
    json_t *told = json_object();
    json_object_set_new(told, "kind",
                        json_string((size_t)part->kind < COUNT_OF(kinds)
                                        ? kinds[part->kind]
                                        : kinds[0]));
    if (part->kind == MODEL_IMAGE)
        json_object_set_new(told, "image", json_of_image(&part->image));
    if (part->kind != MODEL_IMAGE)
        json_object_set_new(told, "text", error_json_text(part->text));
    if (part->tool_name)
        json_object_set_new(told, "tool", error_json_text(part->tool_name));
    if (part->tool_id)
        json_object_set_new(told, "id", error_json_text(part->tool_id));
    return told;
}

static json_t *message_of(const model_message *from)
{
    static const char *const authors[] = {"nobody", "system", "user",
                                          "assistant", "tool"};
    json_t *told = json_object();
    json_t *parts = json_array();
    size_t author = (size_t)from->author;
    json_object_set_new(
        told, "author",
        json_string(author < COUNT_OF(authors) ? authors[author] : authors[0]));
    for (uint32_t i = 0; i < from->part_count; i++)
        json_array_append_new(parts, json_of_part(&from->parts[i]));
    json_object_set_new(told, "parts", parts);
    return told;
}

static json_t *json_of_usage(const message_usage *usage)
{
    json_t *told = json_object();
    json_object_set_new(told, "in", json_of_number(usage->tokens_in));
    json_object_set_new(told, "out", json_of_number(usage->tokens_out));
    json_object_set_new(told, "cached", json_of_number(usage->tokens_cached));
    json_object_set_new(told, "written", json_of_number(usage->tokens_written));
    json_object_set_new(told, "reasoning",
                        json_of_number(usage->tokens_reasoning));
    json_object_set_new(told, "cost_micros",
                        json_of_number(usage->cost_micros));
    return told;
}

static json_t *reply_of(const model_reply *reply)
{
    json_t *told = json_object();
    json_t *calls = json_array();
    json_object_set_new(told, "text", error_json_text(reply->text));
    for (uint32_t i = 0; i < reply->call_count; i++)
        json_array_append_new(calls, json_of_part(&reply->calls[i]));
    json_object_set_new(told, "tool_calls", calls);
    json_object_set_new(told, "cut_off", json_boolean(reply->cut_off));
    json_object_set_new(told, "usage", json_of_usage(&reply->usage));
    return told;
}

/* One call with the messages from `first` on; NULL: out of memory. */
json_t *told_call(const etna_slot *slot,
                  const model_request *request,
                  uint32_t first,
                  const model_reply *reply,
                  bool same)
{
    static const char *const roles[ROLE_COUNT] = {
        "nobody", "planner", "executor", "evaluator",
        "judge",  "solver",  "reader"};
    json_t *told = json_object();
    json_t *messages = json_array();
    json_t *tools = json_array();
    json_object_set_new(told, "node", json_of_number(slot->node));
    json_object_set_new(told, "branch", json_of_number(slot->branch));
    json_object_set_new(
        told, "role",
        json_string(roles[slot->role < ROLE_COUNT ? slot->role : 0]));
    json_object_set_new(told, "poll", json_of_number(slot->poll));
    json_object_set_new(told, "turn", json_of_number(slot->turn));
    json_object_set_new(told, "repair", json_of_number(slot->repair));
    json_object_set_new(told, "model", error_json_text(request->model));
    json_object_set_new(told, "as_answered", json_boolean(same));
    for (uint32_t i = first; i < request->message_count; i++)
        json_array_append_new(messages, message_of(&request->messages[i]));
    json_object_set_new(told, "messages", messages);
    for (uint32_t i = 0; i < request->tool_count; i++)
        json_array_append_new(tools, error_json_text(request->tools[i].name));
    json_object_set_new(told, "tools", tools);
    json_object_set_new(told, "reply", reply_of(reply));
    return told;
}
