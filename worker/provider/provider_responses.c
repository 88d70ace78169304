/* OpenAI Responses, without state on the server: every output item of an
 * earlier turn goes back as it came (reasoning with its encrypted content
 * included), then the results of its calls. */
#include "worker/provider/provider_internal.h"
#include "worker/provider/text.h"

#include <string.h>

static const char *responses_url(const wire_writer *w)
{
    return etna_arena_printf(w->arena, "%s/responses", w->endpoint->url);
}

static json_t *content_part(const wire_writer *w, const wire_part *part)
{
    bool text = wire_is_text(part);
    json_t *row =
        json_pack("{s:s}", "type", text ? "input_text" : "input_image");
    bool ok =
        text ? wire_put(row, "text", wire_part_text(w, part))
             : wire_put(row, "image_url", wire_image(w, true, part->image));
    if (!text)
        /* the reference wants it said */
        ok = wire_put(row, "detail", json_string("auto")) && ok;
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

/* A message without any part that can be sent is left out: an empty content
 * list is refused. */
static bool put_asked(const wire_writer *w, uint32_t m, json_t *input)
{
    json_t *row = json_pack("{s:s}", "role", "user");
    json_t *content = json_array();
    bool ok = row && content;
    for (uint32_t i = w->first[m]; ok && i < w->first[m + 1]; i++) {
        if (wire_is_text(&w->parts[i]) || w->parts[i].part->kind == MODEL_IMAGE)
            ok = wire_append(content, content_part(w, &w->parts[i]));
    }
    bool any = json_array_size(content) > 0;
    ok = wire_put(row, "content", content) && ok;
    if (any)
        return wire_append(input, row) && ok;
    json_decref(row);
    return ok;
}

/* The assistant's words that are not in its own turn: a plain text, for parts
 * of type output_text belong to items with an id. */
static bool responses_put_said(const wire_writer *w, uint32_t m, json_t *input)
{
    json_t *text = wire_joined(w, w->first[m], w->first[m + 1]);
    if (text && json_string_length(text) == 0) {
        json_decref(text);
        return true;
    }
    json_t *row = json_pack("{s:s}", "role", "assistant");
    bool ok = wire_put(row, "content", text);
    return wire_append(input, row) && ok;
}

/* The vendor's items go back in their order. Without them words and calls are
 * rebuilt; the reasoning between them is lost, which costs quality and not
 * correctness. */
static bool put_assistant(const wire_writer *w, uint32_t m, json_t *input)
{
    const model_message *said = &w->request->messages[m];
    json_t *own = wire_own_turn(w, said);
    if (json_is_array(own)) {
        bool ok = json_array_extend(input, own) == 0;
        json_decref(own);
        return ok;
    }
    json_decref(own);
    bool ok = responses_put_said(w, m, input);
    for (uint32_t p = 0; ok && p < said->part_count; p++) {
        const model_part *part = &said->parts[p];
        if (part->kind != MODEL_TOOL_CALL)
            continue;
        json_t *row = json_pack("{s:s}", "type", "function_call");
        json_t *arguments = wire_arguments(part->text);
        const char *text = text_json_short(w->arena, arguments, JSON_COMPACT);
        ok = wire_put(row, "call_id", wire_id(w, m, part->tool_id)) &&
             wire_put(row, "name", wire_text(w, part->tool_name)) && text &&
             wire_put(row, "arguments", json_string(text));
        json_decref(arguments);
        ok = wire_append(input, row) && ok;
    }
    return ok;
}

static const wire_result_names responses_result = {
    "type", "function_call_output", "call_id", "output"};

/* All system messages in one, since the wire has one member for them. */
static json_t *responses_system_text(const wire_writer *w)
{
    const char *text = "";
    for (uint32_t m = 0; m < w->request->message_count && text; m++) {
        if (w->request->messages[m].author != MODEL_SYSTEM)
            continue;
        for (uint32_t i = w->first[m]; i < w->first[m + 1] && text; i++) {
            text =
                etna_arena_printf(w->arena, "%s%s%s", text, *text ? "\n\n" : "",
                                  w->parts[i].part->text);
        }
    }
    return text ? wire_text(w, text) : NULL;
}

static json_t *responses_tool_row(const wire_writer *w, const model_tool *tool)
{
    json_t *row = wire_put_tool(w, json_pack("{s:s}", "type", "function"), tool,
                                "parameters");
    if (wire_put(row, "strict", json_false()))
        return row; /* its default demands a schema of its own */
    json_decref(row);
    return NULL;
}

static bool responses_put_messages(const wire_writer *w, json_t *input)
{
    bool ok = true;
    for (uint32_t m = 0; ok && m < w->request->message_count; m++) {
        switch (w->request->messages[m].author) {
        case MODEL_SYSTEM: break;
        case MODEL_ASSISTANT: ok = put_assistant(w, m, input); break;
        case MODEL_TOOL:
            ok = wire_put_results(w, m, input, &responses_result);
            break;
        default: ok = put_asked(w, m, input);
        }
    }
    return ok;
}

/* What is asked of every answer, but for what this vendor refused. store: false
 * and the encrypted reasoning belong together: without state on the server its
 * thoughts must travel with the request. */
static bool responses_put_settings(const wire_writer *w, json_t *root)
{
    bool ok = true;
    if (!wire_is_dropped(w, "store"))
        ok = wire_put(root, "store", json_false());
    if (ok && !wire_is_dropped(w, "include"))
        ok = wire_put(root, "include",
                      json_pack("[s]", "reasoning.encrypted_content"));
    if (ok && w->request->tool_count)
        ok = wire_put(root, "tools", wire_tools(w, responses_tool_row));
    if (ok && w->model->output_tokens &&
        !wire_is_dropped(w, "max_output_tokens"))
        ok = wire_put(root, "max_output_tokens",
                      json_integer(w->model->output_tokens));
    return ok && wire_put_knobs(w, root, NULL, NULL);
}

static json_t *responses_body(const wire_writer *w)
{
    json_t *root = json_object();
    json_t *input = json_array();
    bool ok =
        root && input && wire_put(root, "model", wire_text(w, w->model->id));
    ok = ok && wire_put(root, "instructions", responses_system_text(w)) &&
         json_object_set(root, "input", input) == 0;
    ok = ok && responses_put_messages(w, input) &&
         responses_put_settings(w, root);
    json_decref(input);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

static bool responses_has_shape(const json_t *root)
{
    return json_is_array(json_object_get(root, "output"));
}

/* A refusal is what the model said; it is read as words so that the role can
 * react to it. */
static void add_text(wire_reader *r, model_reply *ret, const json_t *item)
{
    const json_t *content = json_object_get(item, "content");
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *part = json_array_get(content, i);
        wire_add_text(r, ret,
                      json_object_get(part, wire_is(part, "type", "refusal")
                                                ? "refusal"
                                                : "text"));
    }
}

/* An item list that ends in reasoning was cut off; sending it back is an error
 * of its own on this wire. */
static void responses_reply(wire_reader *r,
                            const json_t *root,
                            model_reply *ret,
                            bool *ret_counted)
{
    const json_t *output = json_object_get(root, "output");
    const json_t *usage = json_object_get(root, "usage");
    bool renamed = false;
    bool filtered = wire_is(json_object_get(root, "incomplete_details"),
                            "reason", "content_filter");
    ret->cut_off = wire_is(root, "status", "incomplete") && !filtered;
    for (size_t i = 0; i < json_array_size(output); i++) {
        const json_t *item = json_array_get(output, i);
        if (wire_is(item, "type", "message"))
            add_text(r, ret, item);
        if (!wire_is(item, "type", "function_call"))
            continue;
        const json_t *id = json_object_get(item, "call_id");
        if (!json_is_string(id) || json_string_length(id) == 0)
            renamed = true;
        wire_add_call(r, ret, id, json_object_get(item, "name"),
                      json_object_get(item, "arguments"), ret->cut_off,
                      &renamed);
    }
    bool whole = json_array_size(output) > 0 &&
                 !wire_is(json_array_get(output, json_array_size(output) - 1),
                          "type", "reasoning");
    if (!renamed && whole && !ret->cut_off && !filtered)
        /* thoughts that nothing follows are refused */
        wire_keep_turn(r, ret, output);
    if (filtered)
        wire_say_why(
            r, ret,
            json_object_get(json_object_get(root, "incomplete_details"),
                            "reason"));
    ret->usage.tokens_in = wire_count(usage, "input_tokens");
    ret->usage.tokens_out = wire_count(usage, "output_tokens");
    ret->usage.tokens_cached =
        wire_count_in(usage, "input_tokens_details", "cached_tokens");
    ret->usage.tokens_written =
        wire_count_in(usage, "input_tokens_details", "cache_write_tokens");
    ret->usage.tokens_reasoning =
        wire_count_in(usage, "output_tokens_details", "reasoning_tokens");
    *ret_counted = ret->usage.tokens_in > 0;
}

const wire wire_responses = {
    "authorization", "Bearer ",           NULL,           0, responses_url,
    responses_body,  responses_has_shape, responses_reply};
