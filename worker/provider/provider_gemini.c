/* Gemini's generateContent. The model's content goes back as it came (its
 * signatures are checked part by part); every function call is answered by one
 * functionResponse, all of them in one content of their own; images of tools
 * follow in a user content, which every generation reads. */
#include "worker/provider/provider_internal.h"

#include <ctype.h>
#include <string.h>

/* The model's id within a path: what is no plain character is percent-coded. */
static const char *gemini_url(const wire_writer *w)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t size = strlen(w->model->id);
    size_t used = 0;
    char *id = etna_arena_alloc(w->arena, 3 * size + 1, 1);
    if (!id)
        return NULL;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)w->model->id[i];
        if (isalnum(c) || strchr("-._~", c)) {
            id[used++] = (char)c;
        } else {
            id[used++] = '%';
            id[used++] = digits[c >> 4];
            id[used++] = digits[c & 15];
        }
    }
    return etna_arena_printf(w->arena, "%s/models/%s:generateContent",
                             w->endpoint->url, id);
}

static json_t *gemini_image_part(const wire_writer *w, uint32_t image)
{
    json_t *data = json_object();
    json_t *part = json_object();
    bool ok = wire_put(data, "mimeType", json_string(w->images[image].mime)) &&
              wire_put(data, "data", wire_image(w, false, image)) && part &&
              json_object_set(part, "inlineData", data) == 0;
    json_decref(data);
    if (ok)
        return part;
    json_decref(part);
    return NULL;
}

static json_t *gemini_text_part(const wire_writer *w, const wire_part *from)
{
    json_t *part = json_object();
    if (wire_put(part, "text", wire_part_text(w, from)))
        return part;
    json_decref(part);
    return NULL;
}

/* Texts and images of a message. Results and calls have their own kinds of part
 * and are added by the callers. */
static json_t *said_parts(const wire_writer *w, uint32_t m)
{
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = w->first[m]; ok && i < w->first[m + 1]; i++) {
        if (wire_is_text(&w->parts[i])) {
            ok = wire_append(list, gemini_text_part(w, &w->parts[i]));
        } else if (w->parts[i].part->kind == MODEL_IMAGE) {
            ok = wire_append(list, gemini_image_part(w, w->parts[i].image));
        }
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* Takes `parts`. */
static json_t *gemini_content(const char *role, json_t *parts)
{
    json_t *row = json_object();
    bool ok = role ? wire_put(row, "role", json_string(role)) : row != NULL;
    ok = wire_put(row, "parts", parts) && ok;
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

/* A turn of this model's goes back as it came, with its signatures; another is
 * rebuilt without ids, which only Gemini gives. */
static json_t *model_content(const wire_writer *w, uint32_t m)
{
    const model_message *said = &w->request->messages[m];
    json_t *own = wire_own_turn(w, said);
    if (json_is_object(own))
        return own;
    json_decref(own);
    json_t *parts = said_parts(w, m);
    bool ok = parts != NULL;
    for (uint32_t p = 0; ok && p < said->part_count; p++) {
        if (said->parts[p].kind != MODEL_TOOL_CALL)
            continue;
        json_t *call = json_object();
        json_t *part = json_object();
        ok = wire_put(call, "name", wire_text(w, said->parts[p].tool_name)) &&
             wire_put(call, "args", wire_arguments(said->parts[p].text)) &&
             part && json_object_set(part, "functionCall", call) == 0;
        json_decref(call);
        ok = wire_append(parts, part) && ok;
    }
    if (ok)
        return gemini_content("model", parts);
    json_decref(parts);
    return NULL;
}

/* The id that the model itself gave its call number `index`, or NULL: then none
 * may be sent. */
static const json_t *own_id(const json_t *turn, uint32_t index)
{
    const json_t *parts = json_object_get(turn, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *call =
            json_object_get(json_array_get(parts, i), "functionCall");
        if (!call)
            continue;
        if (index-- == 0)
            return json_object_get(call, "id");
    }
    return NULL;
}

/* {"output": what was said, "error": what went wrong}: one of them; NULL: no
 * memory. */
static json_t *response_value(json_t *said)
{
    json_t *response = json_object();
    json_t *value = json_loads(json_string_value(said), JSON_DECODE_ANY, NULL);
    json_t *error = json_object_get(value, "error");
    const char *key = error ? "error" : "output";
    json_t *is = error ? error : value;
    bool ok = json_object_set(response, key, is ? is : said) == 0;
    json_decref(value);
    if (ok)
        return response;
    json_decref(response);
    return NULL;
}

/* `id` is NULL for calls that got none from the model. */
static json_t *response_part(const wire_writer *w,
                             const wire_part *result,
                             const json_t *id)
{
    json_t *row = json_object();
    json_t *part = json_object();
    json_t *said = wire_part_text(w, result);
    bool ok = row && part && said;
    if (ok && id)
        ok = wire_put(row, "id", json_deep_copy(id));
    ok = ok && wire_put(row, "name", wire_text(w, result->part->tool_name));
    ok = ok && wire_put(row, "response", response_value(said)) &&
         json_object_set(part, "functionResponse", row) == 0;
    json_decref(said);
    json_decref(row);
    if (ok)
        return part;
    json_decref(part);
    return NULL;
}

/* Results are matched to the calls of the turn before by their order, so they
 * stand in the order of the calls. */
static json_t *results_content(const wire_writer *w, uint32_t m)
{
    json_t *turn =
        m > 0 ? wire_own_turn(w, &w->request->messages[m - 1]) : NULL;
    json_t *parts = json_array();
    bool ok = parts != NULL;
    for (uint32_t i = w->first[m]; ok && i < w->first[m + 1]; i++) {
        ok = wire_append(parts, response_part(w, &w->parts[i],
                                              own_id(turn, i - w->first[m])));
    }
    json_decref(turn);
    if (ok)
        return gemini_content("user", parts);
    json_decref(parts);
    return NULL;
}

static json_t *gemini_tool_row(const wire_writer *w, const model_tool *tool)
{
    return wire_put_tool(w, json_object(), tool, "parametersJsonSchema");
}

static json_t *gemini_tools(const wire_writer *w)
{
    json_t *list = wire_tools(w, gemini_tool_row);
    json_t *root = json_array();
    json_t *row = json_object();
    bool ok = list && root && row &&
              json_object_set(row, "functionDeclarations", list) == 0 &&
              json_array_append(root, row) == 0;
    json_decref(list);
    json_decref(row);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

/* Knobs belong into generationConfig, but for these. */
static const char *const top_knobs[] = {
    "safetySettings", "toolConfig", "cachedContent", "labels", "serviceTier",
    "store",          NULL};

/* Knobs that are not listed in top_knobs go into generationConfig. */
static json_t *gemini_config(const wire_writer *w)
{
    json_t *row = json_object();
    bool ok = row != NULL;
    if (ok && w->model->output_tokens)
        ok = wire_put(row, "maxOutputTokens",
                      json_integer(w->model->output_tokens));
    ok = ok && wire_put_knobs(w, row, top_knobs, NULL);
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

static bool gemini_put_message(const wire_writer *w,
                               uint32_t m,
                               json_t *root,
                               json_t *contents)
{
    switch (w->request->messages[m].author) {
    case MODEL_SYSTEM:
        return wire_put(root, "systemInstruction",
                        gemini_content(NULL, said_parts(w, m)));
    case MODEL_ASSISTANT: return wire_append(contents, model_content(w, m));
    case MODEL_TOOL: return wire_append(contents, results_content(w, m));
    default:
        return wire_append(contents, gemini_content("user", said_parts(w, m)));
    }
}

/* The settings of an answer, where there are any. */
static bool gemini_put_config(const wire_writer *w, json_t *root)
{
    json_t *generation = gemini_config(w);
    bool ok = generation != NULL;
    if (json_object_size(generation) > 0)
        ok = json_object_set(root, "generationConfig", generation) == 0;
    json_decref(generation);
    return ok;
}

static json_t *gemini_body(const wire_writer *w)
{
    json_t *root = json_object();
    json_t *contents = json_array();
    bool ok = root && contents;
    for (uint32_t m = 0; ok && m < w->request->message_count; m++)
        ok = gemini_put_message(w, m, root, contents);
    ok = ok && json_object_set(root, "contents", contents) == 0;
    if (ok && w->request->tool_count)
        ok = wire_put(root, "tools", gemini_tools(w));
    ok = ok && gemini_put_config(w, root) &&
         wire_put_knobs(w, root, NULL, top_knobs);
    json_decref(contents);
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

/* A blocked prompt has no candidates at all, only promptFeedback; it is an
 * answer and may be billed. */
static bool gemini_has_shape(const json_t *root)
{
    return json_is_object(
               json_array_get(json_object_get(root, "candidates"), 0)) ||
           json_is_object(json_object_get(root, "promptFeedback"));
}

/* MALFORMED_FUNCTION_CALL: the calls are broken, and the turn with them would
 * be refused. The text is kept, and the model is asked again by who reads the
 * reply. */
static void gemini_reply(wire_reader *r,
                         const json_t *root,
                         model_reply *ret,
                         bool *ret_counted)
{
    const json_t *candidate =
        json_array_get(json_object_get(root, "candidates"), 0);
    const json_t *said = json_object_get(candidate, "content");
    const json_t *parts = json_object_get(said, "parts");
    const json_t *usage = json_object_get(root, "usageMetadata");
    const char *finish =
        json_string_value(json_object_get(candidate, "finishReason"));
    bool renamed = false;
    bool broken = finish && strcmp(finish, "MALFORMED_FUNCTION_CALL") == 0;
    ret->cut_off = finish && strcmp(finish, "MAX_TOKENS") == 0;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        const json_t *call = json_object_get(part, "functionCall");
        if (json_is_true(json_object_get(part, "thought")))
            continue;
        wire_add_text(r, ret, json_object_get(part, "text"));
        if (!json_is_object(call) || broken)
            continue;
        wire_add_call(r, ret, json_object_get(call, "id"),
                      json_object_get(call, "name"),
                      json_object_get(call, "args"), ret->cut_off, &renamed);
    }
    /* else it is rebuilt: a turn of thoughts alone is no turn */
    bool says = ret->text[0] || ret->call_count;
    if (json_is_object(said) && !renamed && !broken && says)
        wire_keep_turn(r, ret, said);
    /* blocked or filtered: that is all there is to say */
    const json_t *why =
        json_object_get(json_object_get(root, "promptFeedback"), "blockReason");
    if (!json_is_string(why) && finish && strcmp(finish, "STOP") != 0)
        why = json_object_get(candidate, "finishReason");
    wire_say_why(r, ret, why);
    ret->usage.tokens_in = wire_count(usage, "promptTokenCount") +
                           wire_count(usage, "toolUsePromptTokenCount");
    ret->usage.tokens_reasoning = wire_count(usage, "thoughtsTokenCount");
    ret->usage.tokens_out =
        wire_count(usage, "candidatesTokenCount") + ret->usage.tokens_reasoning;
    ret->usage.tokens_cached = wire_count(usage, "cachedContentTokenCount");
    *ret_counted = ret->usage.tokens_in > 0;
}

const wire wire_gemini = {
    "x-goog-api-key", "",          NULL, 0, gemini_url, gemini_body,
    gemini_has_shape, gemini_reply};
