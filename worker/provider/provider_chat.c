/* OpenAI-compatible Chat Completions, in the portable subset that OpenAI, vLLM,
 * llama.cpp, Ollama, LM Studio and SGLang all read: tool results as plain
 * strings, images only in user messages, arguments back as a string that
 * parses, one token limit by the name the server knows. An assistant's turn is
 * rebuilt, but unknown keys of its tool calls go back (Gemini's signatures
 * behind its OpenAI door). */
#include "proto/array.h"
#include "worker/provider/provider_internal.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

static const char *chat_url(const wire_writer *w)
{
    return etna_arena_printf(w->arena, "%s/chat/completions", w->endpoint->url);
}

/* OpenAI's own server refuses max_tokens for its newer models; every other
 * server of this wire knows that name. */
static bool is_openai(const models_endpoint *endpoint)
{
    return strstr(endpoint->url, "://api.openai.com") != NULL;
}

static json_t *chat_image_part(const wire_writer *w, uint32_t image)
{
    json_t *source = json_object();
    json_t *part = json_object();
    bool ok = wire_put(source, "url", wire_image(w, true, image)) &&
              wire_put(part, "type", json_string("image_url")) &&
              json_object_set(part, "image_url", source) == 0;
    json_decref(source);
    if (ok)
        return part;
    json_decref(part);
    return NULL;
}

/* Small servers take a list of parts only from models that see, so content is a
 * plain string wherever no image makes a list necessary. */
static bool parts_have_image(const wire_writer *w, uint32_t at, uint32_t end)
{
    for (uint32_t i = at; i < end; i++) {
        if (w->parts[i].part->kind == MODEL_IMAGE && !w->parts[i].left_out)
            return true;
    }
    return false;
}

static json_t *chat_user_content(const wire_writer *w,
                                 uint32_t at,
                                 uint32_t end)
{
    if (!parts_have_image(w, at, end))
        return wire_joined(w, at, end);
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = at; ok && i < end; i++) {
        if (wire_is_text(&w->parts[i])) {
            json_t *part = json_pack("{s:s}", "type", "text");
            ok = wire_put(part, "text", wire_part_text(w, &w->parts[i]));
            ok = wire_append(list, part) && ok;
        } else if (w->parts[i].part->kind == MODEL_IMAGE) {
            ok = wire_append(list, chat_image_part(w, w->parts[i].image));
        }
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* `own` is the call as its server wrote it, or NULL: keys that we do not know
 * go back with it. `index` belongs to streams only and is refused in a
 * request. */
static json_t *tool_call(const wire_writer *w,
                         uint32_t m,
                         const model_part *call,
                         const json_t *own)
{
    json_t *row = json_is_object(own) ? json_deep_copy(own) : json_object();
    json_t *function = json_object();
    json_t *arguments = wire_arguments(call->text);
    const char *text = text_json_short(w->arena, arguments, JSON_COMPACT);
    bool ok = wire_put(row, "id", wire_id(w, m, call->tool_id)) &&
              wire_put(row, "type", json_string("function")) &&
              wire_put(function, "name", wire_text(w, call->tool_name)) &&
              text && wire_put(function, "arguments", json_string(text)) &&
              json_object_set(row, "function", function) == 0;
    json_object_del(row, "index");
    json_decref(arguments);
    json_decref(function);
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

/* `own` helps only when its calls are as many as ours: a reply whose calls were
 * left out or renamed is rebuilt from our parts alone. A message of calls
 * without words has content null, which is what OpenAI sends itself; "" is
 * refused by some. */
static json_t *assistant(const wire_writer *w, uint32_t m)
{
    const model_message *said = &w->request->messages[m];
    json_t *row = json_pack("{s:s}", "role", "assistant");
    json_t *calls = json_array();
    json_t *own = wire_own_turn(w, said);
    bool ok = row && calls;
    uint32_t count = 0;
    for (uint32_t p = 0; p < said->part_count; p++)
        count += said->parts[p].kind == MODEL_TOOL_CALL;
    bool fits = json_is_array(own) && json_array_size(own) == count;
    json_t *content = wire_joined(w, w->first[m], w->first[m + 1]);
    if (content && count && json_string_length(content) == 0) {
        json_decref(content);
        content = json_null();
    }
    ok = ok && wire_put(row, "content", content);
    for (uint32_t p = 0, i = 0; ok && p < said->part_count; p++) {
        if (said->parts[p].kind != MODEL_TOOL_CALL)
            continue;
        ok =
            wire_append(calls, tool_call(w, m, &said->parts[p],
                                         fits ? json_array_get(own, i) : NULL));
        i++;
    }
    if (ok && count)
        ok = json_object_set(row, "tool_calls", calls) == 0;
    json_decref(calls);
    json_decref(own);
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

static const wire_result_names chat_result = {"role", "tool", "tool_call_id",
                                              "content"};

/* Some servers call the system's role "developer"; the model's entry says
 * so. */
static bool chat_put_message(const wire_writer *w, uint32_t m, json_t *messages)
{
    const model_message *said = &w->request->messages[m];
    uint32_t at = w->first[m];
    uint32_t end = w->first[m + 1];
    if (said->author == MODEL_ASSISTANT)
        return wire_append(messages, assistant(w, m));
    if (said->author == MODEL_TOOL)
        return wire_put_results(w, m, messages, &chat_result);
    const bool system = said->author == MODEL_SYSTEM;
    const char *const told =
        w->model->system_role ? w->model->system_role : "system";
    json_t *row = json_pack("{s:s}", "role", system ? told : "user");
    bool ok = wire_put(row, "content",
                       system ? wire_joined(w, at, end)
                              : chat_user_content(w, at, end));
    return wire_append(messages, row) && ok;
}

static json_t *chat_tool_row(const wire_writer *w, const model_tool *tool)
{
    json_t *row = json_pack("{s:s}", "type", "function");
    if (wire_put(row, "function",
                 wire_put_tool(w, json_object(), tool, "parameters")))
        return row;
    json_decref(row);
    return NULL;
}

/* What the vendor calls the most tokens of an answer; the other name where it
 * refused that one. */
static const char *token_field(const wire_writer *w)
{
    const char *field = w->model->token_field;
    if (!field)
        field = is_openai(w->endpoint) ? "max_completion_tokens" : "max_tokens";
    if (!wire_is_dropped(w, field))
        return field;
    return strcmp(field, "max_tokens") == 0 ? "max_completion_tokens"
                                            : "max_tokens";
}

static bool chat_put_all(const wire_writer *w, json_t *root, json_t *messages)
{
    bool ok = wire_put(root, "model", wire_text(w, w->model->id)) &&
              json_object_set(root, "messages", messages) == 0;
    for (uint32_t m = 0; ok && m < w->request->message_count; m++)
        ok = chat_put_message(w, m, messages);
    if (ok && w->request->tool_count)
        ok = wire_put(root, "tools", wire_tools(w, chat_tool_row));
    const char *field = token_field(w);
    if (ok && w->model->output_tokens && !wire_is_dropped(w, field))
        ok = wire_put(root, field, json_integer(w->model->output_tokens));
    return ok && wire_put_knobs(w, root, NULL, NULL);
}

static json_t *chat_body(const wire_writer *w)
{
    json_t *root = json_object();
    json_t *messages = json_array();
    bool ok = root && messages && chat_put_all(w, root, messages);
    json_decref(messages);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

static bool chat_has_shape(const json_t *root)
{
    return json_is_object(json_object_get(
        json_array_get(json_object_get(root, "choices"), 0), "message"));
}

/* Thoughts are parts, too, of a type of their own. */
static void chat_content_add(wire_reader *r,
                             model_reply *joined,
                             const json_t *part)
{
    const json_t *type = json_object_get(part, "type");
    const json_t *text = json_object_get(part, "text");
    bool is_text = !json_is_string(type) || wire_is(part, "type", "text") ||
                   wire_is(part, "type", "output_text");
    if (json_is_string(part))
        text = part;
    if (json_is_object(text))
        text = json_object_get(text, "value");
    if (is_text)
        wire_add_text(r, joined, text);
}

/* One text, or a list of parts of which some are texts, or one such part. */
static const char *content_text(wire_reader *r, const json_t *content)
{
    model_reply joined = {.text = ""};
    if (json_is_string(content))
        return wire_string(r, content, MODEL_REPLY_TEXT_MAX);
    if (json_is_object(content))
        chat_content_add(r, &joined, content);
    for (size_t i = 0; i < json_array_size(content); i++)
        chat_content_add(r, &joined, json_array_get(content, i));
    return joined.text;
}

/* A server whose parser took the whole answer for reasoning, as it found no end
 * of that: the answer is in there. Not where the answer was cut off: then it
 * was reasoning. */
static const char *reasoning_text(wire_reader *r, const json_t *answer)
{
    static const char *const names[] = {"reasoning_content", "reasoning",
                                        "thinking"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const json_t *said = json_object_get(answer, names[i]);
        if (json_string_length(said))
            return wire_string(r, said, MODEL_REPLY_TEXT_MAX);
    }
    model_reply joined = {.text = ""};
    const json_t *details = json_object_get(answer, "reasoning_details");
    for (size_t i = 0; i < json_array_size(details); i++)
        wire_add_text(r, &joined,
                      json_object_get(json_array_get(details, i), "text"));
    return joined.text;
}

/* One call, in its envelope or without. *ret_renamed: it was not written as the
 * wire has it. */
static void chat_take_call(wire_reader *r,
                           const json_t *call,
                           model_reply *ret,
                           bool *ret_renamed)
{
    const json_t *function = json_object_get(call, "function");
    bool is_flat = !json_is_object(function);
    if (is_flat) {
        function = call;
        *ret_renamed = true;
    }
    const json_t *given = json_object_get(function, "arguments");
    if (!given)
        given = json_object_get(function, is_flat ? "args" : "parameters");
    wire_add_call(r, ret, json_object_get(call, "id"),
                  json_object_get(function, "name"), given, ret->cut_off,
                  ret_renamed);
}

/* Three shapes: the list, one call without its list, and the `function_call` of
 * the wire's first years. The turn is kept only for a list that was read as it
 * stands. */
static void chat_take_calls(wire_reader *r,
                            const json_t *answer,
                            model_reply *ret)
{
    const json_t *calls = json_object_get(answer, "tool_calls");
    const json_t *old = json_object_get(answer, "function_call");
    bool renamed = json_is_object(calls); /* one, without its list */
    if (renamed)
        chat_take_call(r, calls, ret, &renamed);
    for (size_t i = 0; i < json_array_size(calls); i++)
        chat_take_call(r, json_array_get(calls, i), ret, &renamed);
    if (!ret->call_count && json_is_object(old)) {
        wire_add_call(r, ret, NULL, json_object_get(old, "name"),
                      json_object_get(old, "arguments"), ret->cut_off,
                      &renamed);
    } else if (ret->call_count && !renamed) {
        wire_keep_turn(r, ret, calls);
    }
}

/* Every count is 0 where the server does not tell it; without tokens_in the
 * usage as a whole counts as not told and is estimated. */
static void chat_take_usage(const json_t *usage, model_reply *ret)
{
    ret->usage.tokens_in = wire_count(usage, "prompt_tokens");
    ret->usage.tokens_out = wire_count(usage, "completion_tokens");
    /* a gateway that counts as another vendor does */
    if (!ret->usage.tokens_in) {
        ret->usage.tokens_in = wire_count(usage, "input_tokens");
        ret->usage.tokens_out = wire_count(usage, "output_tokens");
    }
    ret->usage.tokens_cached =
        wire_count_in(usage, "prompt_tokens_details", "cached_tokens");
    if (!ret->usage.tokens_cached)
        /* DeepSeek */
        ret->usage.tokens_cached = wire_count(usage, "prompt_cache_hit_tokens");
    ret->usage.tokens_written =
        wire_count_in(usage, "prompt_tokens_details", "cache_write_tokens");
    ret->usage.tokens_reasoning =
        wire_count_in(usage, "completion_tokens_details", "reasoning_tokens");
}

/* Order matters: words, then the refusal, then calls; reasoning is read as the
 * answer only when there is nothing else and the answer was not cut off. */
static void chat_reply_read(wire_reader *r,
                            const json_t *root,
                            model_reply *ret,
                            bool *ret_counted)
{
    const json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    const json_t *answer = json_object_get(choice, "message");
    const char *finish =
        json_string_value(json_object_get(choice, "finish_reason"));
    ret->cut_off = finish && (strcmp(finish, "length") == 0 ||
                              strcasecmp(finish, "max_tokens") == 0);
    ret->text = wire_strip_thoughts(
        r, content_text(r, json_object_get(answer, "content")));
    if (!ret->text[0])
        ret->text = wire_string(r, json_object_get(answer, "refusal"),
                                MODEL_REPLY_TEXT_MAX);
    chat_take_calls(r, answer, ret);
    bool says_nothing = !ret->text[0] && !ret->call_count && !ret->cut_off;
    if (says_nothing)
        ret->text = reasoning_text(r, answer);
    if (wire_is(choice, "finish_reason", "content_filter"))
        wire_say_why(r, ret, json_object_get(choice, "finish_reason"));
    chat_take_usage(json_object_get(root, "usage"), ret);
    *ret_counted = ret->usage.tokens_in > 0;
}

const wire wire_chat = {
    "authorization", "Bearer ", NULL,           0,
    chat_url,        chat_body, chat_has_shape, chat_reply_read};
