/* From a tree to pieces. An image stands in the tree as a string with a mark
 * that no cleaned text can hold (U+0001 and its number); the dumped text is cut
 * there, and the transport puts the base64 in while it sends. */
#include "proto/array.h"
#include "worker/provider/provider_internal.h"
#include "worker/provider/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const mark = "\\u0001"; /* as JSON writes it */
/* the mark's own length, and the longest id that every vendor's check
 * accepts */
enum {
    MARK_BYTES = 6,
    ID_BYTES_MAX = 40
};

/* The next mark; a backslash that is itself said by two begins none. */
static const char *find_mark(const char *text)
{
    for (; *text; text++) {
        if (*text != '\\')
            continue;
        if (strncmp(text, mark, MARK_BYTES) == 0)
            return text;
        if (*++text == 0)
            break;
    }
    return NULL;
}

/* NULL: out of memory. Bytes that are no UTF-8 and control characters are
 * replaced: vendors refuse them. */
json_t *wire_text(const wire_writer *w, const char *text)
{
    size_t size = strlen(text);
    char *clean = etna_arena_strndup(w->arena, text, size);
    if (!clean)
        return NULL;
    for (size_t at = 0; at < size;) {
        size_t length = text_utf8_length(clean + at, size - at);
        if (length == 0)
            clean[at] = '?';
        unsigned char c = (unsigned char)clean[at];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            clean[at] = ' ';
        at += length ? length : 1;
    }
    return json_stringn(clean, size);
}

/* A mark; the bytes come while it is sent. */
json_t *wire_image(const wire_writer *w, bool as_url, uint32_t image)
{
    const char *text =
        as_url ? etna_arena_printf(w->arena, "data:%s;base64,\001%u\001",
                                   w->images[image].mime, image)
               : etna_arena_printf(w->arena, "\001%u\001", image);
    return text ? json_string(text) : NULL;
}

/* A picture that was left out is told in words. */
bool wire_is_text(const wire_part *part)
{
    return part->part->kind == MODEL_TEXT || part->part->kind == MODEL_FACTS ||
           (part->part->kind == MODEL_IMAGE && part->left_out);
}

/* NULL: out of memory. */
json_t *wire_part_text(const wire_writer *w, const wire_part *part)
{
    const model_part *p = part->part;
    if (p->kind == MODEL_IMAGE)
        return json_string(
            "(This earlier image was left out to keep the conversation short.)");
    if (p->kind == MODEL_TOOL_RESULT && part->left_out)
        return json_string(
            "{\"left_out\":\"to keep the conversation short; call the tool again\"}");
    if (p->kind != MODEL_FACTS)
        return wire_text(w, p->text ? p->text : "");
    const char *text = etna_arena_printf(
        w->arena, "[facts]\n%s\n[end of facts]", p->text ? p->text : "{}");
    return text ? wire_text(w, text) : NULL;
}

/* For vendors that take one text a turn. */
json_t *wire_joined(const wire_writer *w, uint32_t at, uint32_t end)
{
    const char *text = "";
    for (uint32_t i = at; i < end && text; i++) {
        if (!wire_is_text(&w->parts[i]))
            continue;
        json_t *part = wire_part_text(w, &w->parts[i]);
        text = part ? etna_arena_printf(w->arena, "%s%s%s", text,
                                        *text ? "\n\n" : "",
                                        json_string_value(part))
                    : NULL;
        json_decref(part);
    }
    return text ? json_string(text) : NULL;
}

/* A turn is sent back as it came only to who said it. */
const char *wire_turn_mark(const models_endpoint *endpoint,
                           const models_model *model,
                           etna_arena *arena)
{
    return etna_arena_printf(arena, "%d/%s", (int)endpoint->wire, model->id);
}

/* A turn of another wire or another model of the same vendor holds signatures
 * that this one would refuse. */
static bool is_own(const wire_writer *w, const model_message *said)
{
    if (!said->turn.json || !said->turn.of)
        return false;
    const char *mine = wire_turn_mark(w->endpoint, w->model, w->arena);
    return mine && strcmp(said->turn.of, mine) == 0;
}

/* NULL: it is to be written from its parts. */
json_t *wire_own_turn(const wire_writer *w, const model_message *said)
{
    if (!is_own(w, said))
        return NULL;
    if (find_mark(said->turn.json))
        return NULL; /* it would be taken for an image of ours */
    return json_loads(said->turn.json, JSON_DECODE_ANY, NULL);
}

/* Vendors allow different characters and lengths. An id that fits all goes as
 * it is; one that its own server made goes back to it in any form; any other is
 * replaced by its hash, which the call and its result compute alike without a
 * table. */
json_t *wire_id(const wire_writer *w, uint32_t m, const char *id)
{
    static const char fit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    while (m > 0 && w->request->messages[m].author != MODEL_ASSISTANT)
        m--;
    size_t size = strlen(id);
    if ((size > 0 && size <= ID_BYTES_MAX && strspn(id, fit) == size) ||
        is_own(w, &w->request->messages[m]))
        return wire_text(w, id);
    /* FNV-1a: the same on both sides, and no two of one turn alike */
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)id[i]) * 1099511628211u;
    return json_sprintf("call_%016llx", (unsigned long long)hash);
}

/* A tool without arguments has an empty object. */
json_t *wire_schema(const char *schema)
{
    json_t *tree = schema ? json_loads(schema, 0, NULL) : NULL;
    if (json_is_object(tree))
        return tree;
    json_decref(tree);
    return json_pack("{s:s,s:{}}", "type", "object", "properties");
}

/* What a model wrote may be no JSON at all. It was answered with an error; in
 * the history it stands as a call without arguments, since no vendor accepts
 * text there. */
json_t *wire_arguments(const char *text)
{
    json_t *tree = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (json_is_object(tree))
        return tree;
    json_decref(tree);
    return json_object();
}

/* False: out of memory. Takes the value. */
bool wire_put(json_t *object, const char *name, json_t *value)
{
    return value && json_object_set_new(object, name, value) == 0;
}
/* The same. */
bool wire_append(json_t *array, json_t *value)
{
    return value && json_array_append_new(array, value) == 0;
}

/* Takes the row, on failure too. */
bool wire_put_results(const wire_writer *w,
                      uint32_t m,
                      json_t *rows,
                      const wire_result_names *names)
{
    for (uint32_t i = w->first[m]; i < w->first[m + 1]; i++) {
        const wire_part *part = &w->parts[i];
        json_t *row = json_pack("{s:s}", names->member, names->kind);
        bool ok =
            wire_put(row, names->id, wire_id(w, m, part->part->tool_id)) &&
            wire_put(row, names->text, wire_part_text(w, part));
        if (!wire_append(rows, row) || !ok)
            return false;
    }
    return true;
}

json_t *wire_put_tool(const wire_writer *w,
                      json_t *row,
                      const model_tool *tool,
                      const char *schema_name)
{
    if (wire_put(row, "name", wire_text(w, tool->name)) &&
        wire_put(row, "description", wire_text(w, tool->description)) &&
        wire_put(row, schema_name, wire_schema(tool->schema))) {
        return row;
    }
    json_decref(row);
    return NULL;
}

/* NULL: out of memory. */
json_t *wire_tools(const wire_writer *w,
                   json_t *(*row)(const wire_writer *w, const model_tool *tool))
{
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; ok && i < w->request->tool_count; i++)
        ok = wire_append(list, row(w, &w->request->tools[i]));
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* A parameter that the server refused before. */
bool wire_is_dropped(const wire_writer *w, const char *name)
{
    for (uint32_t i = 0; w->dropped && i < w->dropped->count; i++) {
        if (strcmp(w->dropped->names[i], name) == 0)
            return true;
    }
    return false;
}

/* `list` ends with NULL, or is NULL. */
static bool body_is_in(const char *const *list, const char *name)
{
    for (; list && *list; list++) {
        if (strcmp(*list, name) == 0)
            return true;
    }
    return false;
}

/* Knobs are JSON that the user wrote in the model's entry. One that no longer
 * parses ends the request: the configuration's check let only valid ones
 * through. */
bool wire_put_knobs(const wire_writer *w,
                    json_t *into,
                    const char *const *not_these,
                    const char *const *only_these)
{
    static const char *const about_tools[] = {
        "tool_choice", "parallel_tool_calls", "max_tool_calls", "toolConfig"};
    for (uint32_t i = 0; i < w->model->knob_count; i++) {
        const models_pair *knob = &w->model->knobs[i];
        if (!w->request->tool_count && WORD_IS_OF(knob->name, about_tools))
            continue; /* vendors refuse them where there is none */
        if (wire_is_dropped(w, knob->name) ||
            body_is_in(not_these, knob->name) ||
            (only_these && !body_is_in(only_these, knob->name)))
            continue;
        if (!wire_put(into, knob->name,
                      json_loads(knob->value, JSON_DECODE_ANY, NULL)))
            return false;
    }
    return true;
}

/* Cuts `text` at its marks into at most `room` pieces; false when a mark is not
 * one of ours. Two pieces a round, the text and the image behind it. The base64
 * itself is made while the body is sent, so an image is in memory once, as
 * bytes. */
static bool body_cut(const wire_writer *w,
                     const char *text,
                     provider_piece *pieces,
                     uint32_t room,
                     uint32_t *ret_count,
                     uint64_t *ret_size)
{
    uint32_t count = 0;
    uint64_t size = 0;
    while (*text) {
        const char *at = find_mark(text);
        size_t length = at ? (size_t)(at - text) : strlen(text);
        if (count + 2 > room)
            return false;
        pieces[count++] = (provider_piece){.text = text, .size = length};
        size += length;
        text += length;
        if (!at)
            break;
        char *end = NULL;
        unsigned long image = strtoul(text + MARK_BYTES, &end, 10);
        if (strncmp(end, mark, MARK_BYTES) != 0)
            return false;
        pieces[count++] = (provider_piece){.image = (uint32_t)image};
        size += ((uint64_t)w->images[image].size + 2) / 3 * 4;
        text = end + MARK_BYTES;
    }
    *ret_count = count;
    *ret_size = size;
    return true;
}

/* Takes the tree. */
etna_code wire_pieces(const wire_writer *w,
                      json_t *root,
                      provider_call *ret,
                      etna_error *err)
{
    const char *text = text_json_short(w->arena, root, JSON_COMPACT);
    json_decref(root);
    uint32_t parts = w->first[w->request->message_count];
    uint32_t room = 2 * parts + 2;
    provider_piece *pieces = etna_arena_alloc(w->arena, room, sizeof *pieces);
    if (!text || !pieces)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while writing a request to a model");
    if (!body_cut(w, text, pieces, room, &ret->piece_count, &ret->body_size)) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "a request to a model holds an image that is not one of its own");
    }
    ret->pieces = pieces;
    return ETNA_OK;
}
