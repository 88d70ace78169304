/* Anthropic's Messages. Roles alternate: what follows an assistant's turn
 * (results of its tools first, then texts and images) is one user message. The
 * assistant's content goes back as it came: thinking blocks are signed. */
#include "worker/provider/provider_internal.h"

#include <string.h>

/* the wire demands a limit; under it no streaming is asked for */
enum {
    OUTPUT_TOKENS = 8192
};

static const char *anthropic_url(const wire_writer *w)
{
    return etna_arena_printf(w->arena, "%s/messages", w->endpoint->url);
}

static json_t *text_block(const wire_writer *w, const wire_part *from)
{
    json_t *block = json_pack("{s:s}", "type", "text");
    json_t *text = wire_part_text(w, from);
    /* empty text blocks are refused */
    if (text && json_string_length(text) == 0) {
        json_decref(text);
        text = json_string("(empty)");
    }
    if (wire_put(block, "text", text))
        return block;
    json_decref(block);
    return NULL;
}

static json_t *image_block(const wire_writer *w, uint32_t image)
{
    json_t *block = json_pack("{s:s}", "type", "image");
    json_t *source = json_pack("{s:s}", "type", "base64");
    bool ok =
        wire_put(source, "media_type", json_string(w->images[image].mime)) &&
        wire_put(source, "data", wire_image(w, false, image)) && block &&
        json_object_set(block, "source", source) == 0;
    json_decref(source);
    if (ok)
        return block;
    json_decref(block);
    return NULL;
}

/* A result that is an object with `error` is marked, so that the model sees a
 * failure even where it does not read the text. */
static json_t *result_block(const wire_writer *w,
                            uint32_t m,
                            const wire_part *result)
{
    json_t *block = json_pack("{s:s}", "type", "tool_result");
    json_t *said = wire_part_text(w, result);
    json_t *value = said ? json_loads(json_string_value(said), 0, NULL) : NULL;
    bool is_error = json_object_get(value, "error") != NULL;
    json_decref(value);
    bool ok =
        wire_put(block, "tool_use_id", wire_id(w, m, result->part->tool_id));
    ok = wire_put(block, "content", said) && ok;
    if (ok && is_error)
        ok = wire_put(block, "is_error", json_true());
    if (ok)
        return block;
    json_decref(block);
    return NULL;
}

/* What comes up to here is kept by the vendor for a while: what begins alike
 * later is read at a tenth of the price. */
static bool block_mark(const wire_writer *w, json_t *block)
{
    if (!block || wire_is_dropped(w, "cache_control"))
        return true;
    return wire_put(block, "cache_control",
                    json_pack("{s:s}", "type", "ephemeral"));
}

static json_t *block_last(const json_t *blocks)
{
    size_t count = json_array_size(blocks);
    return count ? json_array_get(blocks, count - 1) : NULL;
}

/* Everything of a message but calls. A part that ends the stable prefix marks
 * the block that was written last, which may be its own or one before it. */
static bool anthropic_put_said(const wire_writer *w,
                               uint32_t m,
                               json_t *content)
{
    bool ok = true;
    for (uint32_t i = w->first[m]; ok && i < w->first[m + 1]; i++) {
        if (wire_is_text(&w->parts[i])) {
            ok = wire_append(content, text_block(w, &w->parts[i]));
        } else if (w->parts[i].part->kind == MODEL_IMAGE) {
            ok = wire_append(content, image_block(w, w->parts[i].image));
        } else if (w->parts[i].part->kind == MODEL_TOOL_RESULT) {
            ok = wire_append(content, result_block(w, m, &w->parts[i]));
        }
        if (ok && w->parts[i].part->is_stable_end)
            ok = block_mark(w, block_last(content));
    }
    return ok;
}

static bool anthropic_put_call(const wire_writer *w,
                               uint32_t m,
                               const model_part *call,
                               json_t *content)
{
    json_t *block = json_pack("{s:s}", "type", "tool_use");
    bool ok = wire_put(block, "id", wire_id(w, m, call->tool_id)) &&
              wire_put(block, "name", wire_text(w, call->tool_name)) &&
              wire_put(block, "input", wire_arguments(call->text));
    return wire_append(content, block) && ok;
}

/* Signed thinking blocks are refused when a byte of them changes, so the
 * vendor's own turn goes back whole or is rebuilt without them. */
static json_t *assistant_content(const wire_writer *w, uint32_t m)
{
    const model_message *said = &w->request->messages[m];
    json_t *own = wire_own_turn(w, said);
    if (json_is_array(own) && json_array_size(own) > 0)
        return own;
    json_decref(own);
    json_t *content = json_array();
    bool ok = content && anthropic_put_said(w, m, content);
    for (uint32_t p = 0; ok && p < said->part_count; p++) {
        if (said->parts[p].kind == MODEL_TOOL_CALL)
            ok = anthropic_put_call(w, m, &said->parts[p], content);
    }
    if (ok)
        return content;
    json_decref(content);
    return NULL;
}

/* Adds a message, or its content to the last one of that role. Takes
 * `content`. */
static bool anthropic_put_message(json_t *messages,
                                  const char *role,
                                  json_t *content)
{
    json_t *last = json_array_size(messages)
                       ? json_array_get(messages, json_array_size(messages) - 1)
                       : NULL;
    if (last &&
        strcmp(json_string_value(json_object_get(last, "role")), role) == 0) {
        bool ok = content && json_array_extend(json_object_get(last, "content"),
                                               content) == 0;
        json_decref(content);
        return ok;
    }
    json_t *row = json_pack("{s:s}", "role", role);
    bool ok = wire_put(row, "content", content);
    return wire_append(messages, row) && ok;
}

static json_t *anthropic_user_content(const wire_writer *w, uint32_t m)
{
    json_t *content = json_array();
    if (content && anthropic_put_said(w, m, content))
        return content;
    json_decref(content);
    return NULL;
}

/* The system prompt is not a message here but a member of the request; it is
 * marked for the cache because every request of a role begins with it. */
static json_t *anthropic_system_text(const wire_writer *w, uint32_t m)
{
    const char *text = "";
    for (uint32_t i = w->first[m]; i < w->first[m + 1] && text; i++) {
        text = etna_arena_printf(w->arena, "%s%s%s", text, *text ? "\n\n" : "",
                                 w->parts[i].part->text ? w->parts[i].part->text
                                                        : "");
    }
    if (wire_is_dropped(w, "cache_control"))
        return text ? wire_text(w, text) : NULL;
    json_t *block = json_pack("{s:s}", "type", "text");
    json_t *said = text ? wire_text(w, text) : NULL;
    if (wire_put(block, "text", said) && block_mark(w, block))
        return json_pack("[o]", block);
    json_decref(block);
    return NULL;
}

/* A conversation with tools goes on: its next request begins with this one. The
 * vendor looks twenty blocks back for what it knows, and a turn of many calls
 * is longer, so the turn before is marked, too. */
static bool messages_mark(const wire_writer *w, const json_t *messages)
{
    int left = w->request->tool_count ? 2 : 0;
    for (size_t i = json_array_size(messages); i > 0 && left > 0; i--) {
        const json_t *row = json_array_get(messages, i - 1);
        if (!wire_is(row, "role", "user"))
            continue;
        if (!block_mark(w, block_last(json_object_get(row, "content"))))
            return false;
        left--;
    }
    return true;
}

static json_t *anthropic_tool_row(const wire_writer *w, const model_tool *tool)
{
    return wire_put_tool(w, json_object(), tool, "input_schema");
}

static bool anthropic_put(const wire_writer *w,
                          uint32_t m,
                          json_t *root,
                          json_t *messages)
{
    switch (w->request->messages[m].author) {
    case MODEL_SYSTEM:
        return wire_put(root, "system", anthropic_system_text(w, m));
    case MODEL_ASSISTANT:
        return anthropic_put_message(messages, "assistant",
                                     assistant_content(w, m));
    default:
        return anthropic_put_message(messages, "user",
                                     anthropic_user_content(w, m));
    }
}

static json_t *anthropic_body(const wire_writer *w)
{
    json_t *root = json_object();
    json_t *messages = json_array();
    uint32_t most =
        w->model->output_tokens ? w->model->output_tokens : OUTPUT_TOKENS;
    bool ok =
        root && messages && wire_put(root, "model", wire_text(w, w->model->id));
    ok = ok && wire_put(root, "max_tokens", json_integer(most));
    for (uint32_t m = 0; ok && m < w->request->message_count; m++)
        ok = anthropic_put(w, m, root, messages);
    ok = ok && messages_mark(w, messages) &&
         json_object_set(root, "messages", messages) == 0;
    if (ok && w->request->tool_count)
        ok = wire_put(root, "tools", wire_tools(w, anthropic_tool_row));
    ok = ok && wire_put_knobs(w, root, NULL, NULL);
    json_decref(messages);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

/* The content as it may go back: the vendor itself refuses texts that are
 * empty, and thoughts that nothing follows. */
static void anthropic_keep_turn(wire_reader *r,
                                model_reply *ret,
                                const json_t *content)
{
    json_t *kept = json_array();
    bool ends_well = false;
    for (size_t i = 0; kept && i < json_array_size(content); i++) {
        json_t *block = json_array_get(content, i);
        if (wire_is(block, "type", "text") &&
            json_string_length(json_object_get(block, "text")) == 0)
            continue;
        ends_well = !wire_is(block, "type", "thinking") &&
                    !wire_is(block, "type", "redacted_thinking");
        if (json_array_append(kept, block))
            r->failed = true;
    }
    if (!kept)
        r->failed = true;
    if (ends_well)
        wire_keep_turn(r, ret, kept);
    json_decref(kept);
}

static bool anthropic_has_shape(const json_t *root)
{
    return json_is_array(json_object_get(root, "content"));
}

/* Why the model refused, where it says nothing else. */
static void anthropic_refusal(wire_reader *r,
                              const json_t *root,
                              model_reply *ret)
{
    const json_t *details = json_object_get(root, "stop_details");
    const char *why =
        wire_string(r, json_object_get(details, "explanation"), 1024);
    ret->text = etna_arena_printf(r->arena, "(refused) %s", why);
    if (!ret->text)
        r->failed = true;
}

/* The vendor counts cached and written tokens apart from input_tokens; ours are
 * parts of tokens_in, as with the other wires. */
static void anthropic_reply(wire_reader *r,
                            const json_t *root,
                            model_reply *ret,
                            bool *ret_counted)
{
    const json_t *content = json_object_get(root, "content");
    const json_t *usage = json_object_get(root, "usage");
    bool renamed = false;
    ret->cut_off =
        wire_is(root, "stop_reason", "max_tokens") ||
        wire_is(root, "stop_reason", "model_context_window_exceeded");
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *block = json_array_get(content, i);
        if (wire_is(block, "type", "tool_use")) {
            if (!json_string_length(json_object_get(block, "id")))
                renamed = true;
            wire_add_call(r, ret, json_object_get(block, "id"),
                          json_object_get(block, "name"),
                          json_object_get(block, "input"), ret->cut_off,
                          &renamed);
        } else if (wire_is(block, "type", "text")) {
            wire_add_text(r, ret, json_object_get(block, "text"));
        }
    }
    const bool says_nothing = !ret->text[0] && !ret->call_count;
    if (says_nothing && wire_is(root, "stop_reason", "refusal"))
        anthropic_refusal(r, root, ret);
    if (!renamed)
        anthropic_keep_turn(r, ret, content);
    ret->usage.tokens_cached = wire_count(usage, "cache_read_input_tokens");
    ret->usage.tokens_written =
        wire_count(usage, "cache_creation_input_tokens");
    ret->usage.tokens_in = wire_count(usage, "input_tokens") +
                           ret->usage.tokens_written + ret->usage.tokens_cached;
    ret->usage.tokens_out = wire_count(usage, "output_tokens");
    ret->usage.tokens_reasoning =
        wire_count_in(usage, "output_tokens_details", "thinking_tokens");
    *ret_counted = ret->usage.tokens_in > 0;
}

static const models_pair version[1] = {{"anthropic-version", "2023-06-01"}};

const wire wire_anthropic = {"x-api-key",
                             "",
                             version,
                             1,
                             anthropic_url,
                             anthropic_body,
                             anthropic_has_shape,
                             anthropic_reply};
