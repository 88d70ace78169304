/* What the wires' readers share: texts, counts and tool calls out of a vendor's
 * JSON, which may be anything. */
#include "worker/provider/provider_internal.h"
#include "worker/provider/provider_shape.h"
#include "worker/provider/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES_MAX = 256
};

const char *wire_string(wire_reader *r, const json_t *value, size_t most)
{
    if (!json_is_string(value))
        return "";
    const char *text = json_string_value(value);
    size_t size = json_string_length(value);
    size_t end = 0;
    while (end < size) { /* whole characters only */
        size_t length = text_utf8_length(text + end, size - end);
        if (length == 0)
            length = 1;
        if (end + length > most)
            break;
        end += length;
    }
    char *copy = etna_arena_alloc(r->arena, end + 1, 1);
    if (!copy) {
        r->failed = true;
        return "";
    }
    for (size_t i = 0; i < end; i++)
        copy[i] = text[i] ? text[i] : ' ';
    return copy;
}

/* The buffer doubles within the arena; what it leaves behind goes with the
 * arena. A piece that would pass the limit is left out whole, so no character
 * is cut. */
void wire_add_text(wire_reader *r, model_reply *ret, const json_t *value)
{
    const char *text = wire_string(r, value, MODEL_REPLY_TEXT_MAX);
    size_t size = strlen(text);
    if (size == 0 || r->used + size > MODEL_REPLY_TEXT_MAX)
        return;
    if (r->used + size >= r->room) {
        size_t room = 2 * (r->used + size) + 256;
        char *grown = etna_arena_alloc(r->arena, room, 1);
        if (!grown) {
            r->failed = true;
            return;
        }
        if (r->used)
            memcpy(grown, r->text, r->used);
        r->text = grown;
        r->room = room;
    }
    memcpy(r->text + r->used, text, size + 1);
    r->used += size;
    ret->text = r->text;
}

bool wire_is(const json_t *object, const char *name, const char *value)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text && strcmp(text, value) == 0;
}

/* Counts are read generously (integers, reals, digits in a string), since
 * gateways write all three. 1e15 keeps a forged count far from where sums of a
 * run would overflow. */
uint64_t wire_count(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value); /* digits alone */
    bool is_text = text && *text && strlen(text) < 16 &&
                   text[strspn(text, "0123456789")] == 0;
    double number = is_text ? strtod(text, NULL) : json_number_value(value);
    if (!(number >= 0) || number > 1e15)
        return 0;
    return json_is_integer(value) ? (uint64_t)json_integer_value(value)
                                  : (uint64_t)number;
}

uint64_t wire_count_in(const json_t *object,
                       const char *inner,
                       const char *name)
{
    return wire_count(json_object_get(object, inner), name);
}

void wire_keep_turn(wire_reader *r, model_reply *ret, const json_t *turn)
{
    size_t size =
        json_dumpb(turn, NULL, 0,
                   JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    if (size == 0 || size > MODEL_TURN_MAX)
        return;
    ret->turn.json = text_json_short(r->arena, turn, JSON_COMPACT);
    ret->turn.of = wire_turn_mark(r->endpoint, r->model, r->arena);
    if (!ret->turn.json || !ret->turn.of)
        r->failed = true;
}

/* A tool of ours may really have a member called "arguments"; then nothing is
 * unwrapped. */
static bool schema_has_arguments(const wire_reader *r, const char *tool)
{
    for (uint32_t i = 0; i < r->request->tool_count; i++) {
        if (strcmp(r->request->tools[i].name, tool) != 0)
            continue;
        json_t *schema = wire_schema(r->request->tools[i].schema);
        bool has = json_object_get(json_object_get(schema, "properties"),
                                   "arguments") != NULL;
        json_decref(schema);
        return has;
    }
    return false;
}

/* Some servers wrap arguments in themselves. New reference. */
static json_t *unwrapped(const wire_reader *r, json_t *tree, const char *tool)
{
    json_t *inner = json_object_get(tree, "arguments");
    if (!json_is_object(inner) || json_object_size(tree) != 1 ||
        schema_has_arguments(r, tool))
        return tree;
    json_incref(inner);
    json_decref(tree);
    return inner;
}

/* Arguments as text: an object's JSON, or whatever was written when that is
 * none. NULL: cut off, or out of memory. */
static const char *arguments_text(wire_reader *r,
                                  const json_t *arguments,
                                  const char *tool,
                                  bool cut)
{
    json_t *tree = NULL;
    if (json_is_object(arguments)) {
        tree = json_deep_copy(arguments);
        if (!tree)
            r->failed = true;
    } else if (json_is_string(arguments) && json_string_length(arguments) > 0) {
        tree =
            shape_load(json_string_value(arguments),
                       json_string_length(arguments), JSON_REJECT_DUPLICATES);
        if (!tree && cut)
            return NULL;
        if (!json_is_object(tree)) {
            json_decref(tree);
            if (json_string_length(arguments) > MODEL_REPLY_ARGUMENTS_MAX)
                return "(arguments too long)";
            return wire_string(r, arguments, MODEL_REPLY_ARGUMENTS_MAX);
        }
    } else {
        return "{}";
    }
    tree = unwrapped(r, tree, tool);
    const char *text = text_json_short(r->arena, tree, JSON_COMPACT);
    json_decref(tree);
    if (!text)
        r->failed = true;
    return text && strlen(text) > MODEL_REPLY_ARGUMENTS_MAX
               ? "(arguments too long)"
               : text;
}

/* Ids must be unique within a turn: results are paired by them. */
static bool is_used(const model_reply *reply, const char *id)
{
    for (uint32_t i = 0; i < reply->call_count; i++) {
        if (strcmp(reply->calls[i].tool_id, id) == 0)
            return true;
    }
    return false;
}

/* Refuses silently beyond MODEL_REPLY_CALLS_MAX; what matters is that the turn
 * is then rebuilt, so every call in the history has an answer. */
void wire_add_call(wire_reader *r,
                   model_reply *ret,
                   const json_t *id,
                   const json_t *name,
                   const json_t *arguments,
                   bool cut,
                   bool *ret_renamed)
{
    if (ret->call_count == MODEL_REPLY_CALLS_MAX || r->failed) {
        /* the turn has calls that are not answered: it cannot go back as it
         * was */
        *ret_renamed = true;
        return;
    }
    model_part call = {.kind = MODEL_TOOL_CALL,
                       .tool_name = wire_string(r, name, NAME_BYTES_MAX),
                       .tool_id = wire_string(r, id, NAME_BYTES_MAX)};
    call.text = arguments_text(r, arguments, call.tool_name, cut);
    if (!call.text) {
        *ret_renamed = true;
        return;
    }
    /* two of one id: both would be answered by either result */
    if (call.tool_id[0] && is_used(ret, call.tool_id)) {
        call.tool_id = "";
        *ret_renamed = true;
    }
    ret->calls[ret->call_count++] = call;
}

void wire_say_why(wire_reader *r, model_reply *ret, const json_t *why)
{
    if (ret->text[0] || ret->call_count || !json_is_string(why))
        return;
    const char *text =
        etna_arena_printf(r->arena, "(no answer: %s)", wire_string(r, why, 64));
    if (text)
        ret->text = text;
    else
        r->failed = true;
}

/* Local reasoning models put their thoughts in front of the answer. A block
 * that does not end was cut off: there is no answer behind it. */
const char *wire_strip_thoughts(wire_reader *r, const char *text)
{
    const char *start = text + strspn(text, " \t\r\n");
    if (strncmp(start, "<think>", 7) != 0)
        return text;
    const char *end = strstr(start, "</think>");
    if (!end)
        return "";
    end += 8;
    end += strspn(end, " \t\r\n");
    const char *copy = etna_arena_strdup(r->arena, end);
    if (!copy)
        r->failed = true;
    return copy ? copy : "";
}
