/* YAML to a JSON tree: the part of YAML that people write by hand (maps, lists,
 * scalars), bounded; no anchors, aliases, tags or second documents, so that a
 * small file cannot become a large tree. */
#include "proto/models_internal.h"
#include "proto/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    DEPTH_MAX = 16,
    NODES_MAX = 20000,
    KEY_MAX = 128
};

typedef struct level {
    json_t *node;          /* owned by its parent, the lowest by the walk */
    char key[KEY_MAX + 1]; /* of the map: what the next value is for */
    bool has_key;
} level;

typedef struct walk {
    level levels[DEPTH_MAX];
    uint32_t depth, nodes;
    json_t *root;
    etna_error *err;
    unsigned long line;
} walk;

static etna_code models_yaml_refuse(const walk *w, const char *why)
{
    return etna_fail(w->err, ETNA_E_USAGE, "list of models, line %lu: %s",
                     w->line, why);
}

static etna_code models_yaml_no_memory(const walk *w)
{
    return etna_fail(w->err, ETNA_E_NOMEM,
                     "out of memory while reading the list of models");
}

/* Takes `value`, also when it fails. */
static etna_code models_yaml_place(walk *w, json_t *value, bool opens)
{
    if (!value)
        return models_yaml_no_memory(w);
    if (++w->nodes > NODES_MAX) {
        json_decref(value);
        return models_yaml_refuse(w, "too many settings");
    }
    int failed = 0;
    if (w->depth == 0) {
        if (w->root) {
            json_decref(value);
            return models_yaml_refuse(
                w, "a second document; one file holds one list");
        }
        w->root = value;
    } else {
        level *top = &w->levels[w->depth - 1];
        if (json_is_object(top->node)) {
            if (json_object_get(top->node, top->key)) {
                json_decref(value);
                return models_yaml_refuse(w, "the same setting twice");
            }
            failed = json_object_set_new(top->node, top->key, value);
            top->has_key = false;
        } else {
            failed = json_array_append_new(top->node, value);
        }
    }
    if (failed)
        return models_yaml_no_memory(w);
    if (!opens)
        return ETNA_OK;
    if (w->depth == DEPTH_MAX)
        return models_yaml_refuse(w, "settings nested deeper than 16");
    w->levels[w->depth++] = (level){.node = value};
    return ETNA_OK;
}

/* A plain scalar by the JSON schema of YAML 1.2 (true, false, null, decimal
 * numbers); the rest, and all quoted, are texts. */
static json_t *models_yaml_scalar(const char *text, size_t size, bool plain)
{
    if (plain && strcmp(text, "true") == 0)
        return json_true();
    if (plain && strcmp(text, "false") == 0)
        return json_false();
    bool is_null =
        size == 0 || strcmp(text, "null") == 0 || strcmp(text, "~") == 0;
    if (plain && is_null)
        return json_null();
    if (plain && strspn(text, "+-.0123456789eE_") == size &&
        strpbrk(text, "0123456789")) {
        json_t *number = json_loadb(text, size, JSON_DECODE_ANY, NULL);
        if (json_is_number(number))
            return number;
        json_decref(number);
    }
    return json_stringn(text, size);
}

/* In a map a scalar is by turns a key and a value; `has_key` says which. */
static etna_code take_scalar(walk *w, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t size = event->data.scalar.length;
    if (event->data.scalar.anchor || event->data.scalar.tag)
        return models_yaml_refuse(w, "anchors and tags are not read here");
    if (strlen(text) != size)
        return models_yaml_refuse(w, "a NUL in a text");
    level *top = w->depth ? &w->levels[w->depth - 1] : NULL;
    if (top && json_is_object(top->node) && !top->has_key) {
        if (size == 0 || size > KEY_MAX)
            return models_yaml_refuse(
                w, "the name of a setting must have 1 to 128 bytes");
        memcpy(top->key, text, size + 1);
        top->has_key = true;
        return ETNA_OK;
    }
    return models_yaml_place(
        w,
        models_yaml_scalar(text, size,
                           event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE),
        false);
}

/* A list or a map begins. YAML allows one as a key of a map; here it is
 * refused. */
static etna_code take_opening(walk *w,
                              json_t *node,
                              const void *anchor,
                              const void *tag)
{
    const level *top = w->depth ? &w->levels[w->depth - 1] : NULL;
    bool as_key = top && json_is_object(top->node) && !top->has_key;
    if (as_key || anchor || tag) {
        json_decref(node);
        return models_yaml_refuse(
            w, as_key ? "a setting's name must be a plain word"
                      : "anchors and tags are not read here");
    }
    return models_yaml_place(w, node, true);
}

/* One event of libyaml. Its line goes along for complaints. */
static etna_code models_yaml_take(walk *w, const yaml_event_t *event)
{
    w->line = (unsigned long)event->start_mark.line + 1;
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(w, event);
    case YAML_MAPPING_START_EVENT:
        return take_opening(w, json_object(), event->data.mapping_start.anchor,
                            event->data.mapping_start.tag);
    case YAML_SEQUENCE_START_EVENT:
        return take_opening(w, json_array(), event->data.sequence_start.anchor,
                            event->data.sequence_start.tag);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: w->depth--; return ETNA_OK;
    case YAML_ALIAS_EVENT:
        return models_yaml_refuse(
            w, "aliases are not read here: write the setting out");
    default: return ETNA_OK;
    }
}

static etna_code walk_all(walk *w, yaml_parser_t *parser)
{
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            if (parser->error == YAML_MEMORY_ERROR)
                return models_yaml_no_memory(w);
            return etna_fail(w->err, ETNA_E_USAGE,
                             "list of models, line %lu: not YAML: %.160s",
                             (unsigned long)parser->problem_mark.line + 1,
                             parser->problem ? parser->problem : "unreadable");
        }
        etna_code code = models_yaml_take(w, &event);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (code)
            return code;
    }
    return ETNA_OK;
}

etna_code models_from_yaml(const char *text,
                           size_t size,
                           etna_arena *arena,
                           models *ret,
                           etna_error *err)
{
    if (size > MODELS_TEXT_MAX)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the list of models is over 256 KiB; cut it down to what is used");
    walk w = {.err = err};
    yaml_parser_t parser;
    size_t mark = etna_utf8_mark(text, size);
    text += mark;
    size -= mark;
    if (!yaml_parser_initialize(&parser))
        return models_yaml_no_memory(&w);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    etna_code code = walk_all(&w, &parser);
    yaml_parser_delete(&parser);
    if (!code && !w.root)
        w.root = json_object(); /* an empty file: builtin only */
    if (!code)
        code = w.root ? models_read_tree(w.root, arena, ret, err)
                      : models_yaml_no_memory(&w);
    json_decref(w.root);
    return code;
}
