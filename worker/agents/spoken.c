/* See spoken.h. Every form names the tool and then gives the arguments, so one
 * reader goes from name to name: behind each it looks for an object, a call's
 * brackets or tags, up to the next name. */
#include "worker/agents/spoken.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/loose.h"
#include "worker/agents/plain.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

enum {
    NAMES_MAX = 64
}; /* of tools in an answer that are looked at */

typedef struct spoken {
    const char *text;
    size_t size;
    uint32_t tool_count;
    const model_tool *tools;
    json_t **properties; /* of each tool: what its schema says of arguments */
} spoken;

static bool is_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

/* In any case, and as "rayProbe" or "ray-probe". */
static bool is_tool_name(const char *name, const char *said, size_t size)
{
    size_t i = 0;
    for (; *name; name++) {
        if (*name == '_')
            continue;
        i = text_skip(said, i, size, "_-");
        if (i == size || (said[i] | 0x20) != (*name | 0x20))
            return false;
        i++;
    }
    return i == size;
}

/* "ray-probe" goes on behind it. */
static bool is_inner_hyphen(const char *text, size_t at)
{
    return text[at] == '-' && is_word(text[at + 1]);
}

/* The next name of a tool from `from` on; false: there is none. */
static bool next_name(const spoken *s,
                      size_t from,
                      uint32_t *ret_tool,
                      size_t *ret_begin,
                      size_t *ret_end)
{
    for (size_t i = from; i < s->size; i++) {
        if (!is_word(s->text[i]) || (i > 0 && is_word(s->text[i - 1])))
            continue;
        size_t length = 0;
        while (i + length < s->size && (is_word(s->text[i + length]) ||
                                        is_inner_hyphen(s->text, i + length)))
            length++;
        for (uint32_t k = 0; k < s->tool_count; k++) {
            if (!is_tool_name(s->tools[k].name, s->text + i, length))
                continue;
            *ret_tool = k;
            *ret_begin = i;
            *ret_end = i + length;
            return true;
        }
        i += length;
    }
    return false;
}

/* Has the object a member that the tool takes? */
static bool spoken_takes(const spoken *s,
                         uint32_t tool,
                         const json_t *arguments)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)arguments, key, value)
    {
        if (json_object_get(s->properties[tool], key))
            return true;
    }
    return false;
}

/* ---- an object ---- */

/* The arguments in an object: itself, or what stands in it under one of the
 * names they have. New reference. */
static json_t *arguments_in(const spoken *s, uint32_t tool, json_t *object)
{
    static const char *const names[] = {
        "arguments",  "parameters",   "args",  "input",
        "tool_input", "action_input", "kwargs"};
    if (spoken_takes(s, tool, object))
        return json_incref(object);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        json_t *inner = loose_member(object, names[i]);
        const char *text = json_string_value(inner);
        size_t size = 0;
        json_t *read = NULL;
        if (spoken_takes(s, tool, inner))
            return json_incref(inner);
        if (text && loose_value(text, strlen(text), &read, &size) &&
            spoken_takes(s, tool, read))
            return read;
        json_decref(read);
    }
    return NULL;
}

/* Its name, perhaps with a namespace before it. */
static bool says_tool(const spoken *s, uint32_t tool, const char *said)
{
    const char *dot = strrchr(said, '.'); /* "functions.ray_probe" */
    said = dot ? dot + 1 : said;
    return is_tool_name(s->tools[tool].name, said, strlen(said));
}

/* Does the object say itself that it calls the tool? */
static bool object_calls(const spoken *s, uint32_t tool, json_t *object)
{
    static const char *const keys[] = {"name", "tool", "tool_name", "function",
                                       "action"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        const char *said = json_string_value(loose_member(object, keys[i]));
        if (said && says_tool(s, tool, said))
            return true;
    }
    return false;
}

/* The arguments of an object that says itself that it calls the tool, whatever
 * they are: what is wrong with them the tool tells. NULL: it says no such
 * thing. New reference. */
static json_t *arguments_of_call(const spoken *s, uint32_t tool, json_t *object)
{
    enum {
        FEW = 3
    }; /* members: the name, a type, an id */
    static const char *const names[] = {"arguments", "parameters", "args",
                                        "input", "action_input"};
    if (!object_calls(s, tool, object))
        return NULL;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        json_t *inner = loose_member(object, names[i]);
        if (json_is_object(inner))
            return json_incref(inner);
        if (inner && !json_is_null(inner))
            return NULL;
    }
    return json_object_size(object) <= FEW ? json_object() : NULL;
}

/* The object that the name stands in, as {"name": "ray_probe", "arguments":
 * ..}. */
static json_t *spoken_around(const spoken *s,
                             uint32_t tool,
                             size_t begin,
                             json_t *(*read)(const spoken *s,
                                             uint32_t tool,
                                             json_t *object))
{
    enum {
        BACK_MAX = 200
    };
    for (size_t i = begin; i > 0 && begin - i < BACK_MAX; i--) {
        json_t *object = NULL;
        size_t size = 0;
        if (s->text[i - 1] != '{')
            continue;
        if (!loose_value(s->text + i - 1, s->size - i + 1, &object, &size))
            continue;
        json_t *arguments = i - 1 + size > begin ? read(s, tool, object) : NULL;
        json_decref(object);
        if (arguments)
            return arguments;
    }
    return NULL;
}

/* The first object behind the name. */
static json_t *spoken_behind(const spoken *s,
                             uint32_t tool,
                             size_t from,
                             size_t to)
{
    for (size_t i = from; i < to; i++) {
        json_t *object = NULL;
        size_t size = 0;
        if (s->text[i] != '{')
            continue;
        if (!loose_value(s->text + i, s->size - i, &object, &size))
            return NULL;
        json_t *arguments = arguments_in(s, tool, object);
        json_decref(object);
        return arguments;
    }
    return NULL;
}

/* ---- pieces ---- */

/* A value in a tag or behind "=": an array or object, or a text up to `stop`.
 * New reference. */
static json_t *value_at(const spoken *s,
                        size_t from,
                        size_t to,
                        const char *stop)
{
    json_t *value = NULL;
    size_t size = 0;
    if (from > to)
        return NULL; /* its sign goes beyond its part */
    from = text_skip(s->text, from, to, " \t\n\"'`");
    if (loose_value(s->text + from, to - from, &value, &size))
        return value;
    size_t end = from;
    while (end < to && !text_is_in(s->text[end], stop))
        end++;
    end = text_skip_back(s->text, from, end, " \t\n\"'`");
    return end > from ? json_stringn(s->text + from, end - from) : NULL;
}

/* Behind a tag that stands between a name and its value, at the next tag's end;
 * `at` where none does. */
static size_t skip_tag_between(const spoken *s, size_t at, size_t to)
{
    static const char between[] = "</arg_key>";
    const size_t size = sizeof between - 1;
    if (to - at <= size || strncmp(s->text + at, between, size) != 0)
        return at;
    at += size;
    while (at < to && s->text[at] != '>')
        at++;
    return at;
}

/* Behind a property's name what leads to its value: a call's "=", the end of a
 * tag, a tag between. 0: nothing does. */
static size_t lead_to_value(const spoken *s, size_t at, size_t to)
{
    at = text_skip(s->text, at, to, " \t\n\"'");
    size_t tag = strcspn(s->text + at, "<>\n");
    bool ends_tag = at < to && s->text[at + tag] == '>';
    bool is_value = s->text[at] == '=';
    if (ends_tag && !is_value && memchr(s->text + at, '=', tag))
        return at + tag + 1;             /* behind its attributes */
    if (at < to && s->text[at] == ':') { /* "coord_list: [..]" */
        size_t value = at + 1 + strspn(s->text + at + 1, " ");
        return value < to && text_is_in(s->text[value], "[{") ? value : 0;
    }
    at = skip_tag_between(s, at, to);
    return at < to && text_is_in(s->text[at], ">=") ? at + 1 : 0;
}

/* The tool's properties as they stand in [from, to), each by its name. */
static json_t *spoken_pieces(const spoken *s,
                             uint32_t tool,
                             size_t from,
                             size_t to)
{
    json_t *arguments = json_object();
    json_t *property;
    const char *key;
    json_object_foreach(s->properties[tool], key, property)
    {
        size_t length = strlen(key);
        for (size_t i = from; i + length < to; i++) {
            bool begins = !is_word(s->text[i - 1]) && s->text[i - 1] != '/';
            if (!begins || strncmp(s->text + i, key, length) != 0 ||
                is_word(s->text[i + length]))
                continue;
            size_t value_from = lead_to_value(s, i + length, to);
            json_t *value =
                value_from ? value_at(s, value_from, to, "<,)\n") : NULL;
            if (!value)
                continue;
            json_object_set_new(arguments, key, value);
            break;
        }
    }
    if (json_object_size(arguments) > 0)
        return arguments;
    json_decref(arguments);
    return NULL;
}

/* ray_probe([[0.5, 0.5]]): the one argument without its name. */
static json_t *positional(const spoken *s, uint32_t tool, size_t from)
{
    json_t *value = NULL;
    size_t size = 0;
    if (s->text[from] != '(' || json_object_size(s->properties[tool]) == 0)
        return NULL;
    for (from++; text_is_in(s->text[from], " \n"); from++)
        continue;
    if (!loose_value(s->text + from, s->size - from, &value, &size))
        return NULL;
    const char *key =
        json_object_iter_key(json_object_iter(s->properties[tool]));
    json_t *arguments =
        json_is_array(value) ? json_pack("{s:O}", key, value) : NULL;
    json_decref(value);
    return arguments;
}

/* From the surest form to the loosest; the last lets what only says that it
 * calls the tool through, for the tool to complain. */
static json_t *find_arguments(
    const spoken *s, uint32_t tool, size_t begin, size_t end, size_t next)
{
    json_t *found = spoken_around(s, tool, begin, arguments_in);
    if (!found)
        found = spoken_behind(s, tool, end, next);
    if (!found)
        found = spoken_pieces(s, tool, end, next);
    if (!found)
        found = positional(s, tool, end);
    return found ? found : spoken_around(s, tool, begin, arguments_of_call);
}

/* ---- all of it ---- */

/* Each different call once. False: out of memory. */
static bool add_call(const spoken *s,
                     uint32_t tool,
                     json_t *arguments,
                     etna_arena *arena,
                     model_part *list,
                     uint32_t *count)
{
    const char *text = text_json_short(arena, arguments, JSON_COMPACT);
    bool again = false;
    /* said once in prose and once in a tag */
    for (uint32_t i = 0; text && i < *count; i++)
        again = again || (strcmp(list[i].tool_name, s->tools[tool].name) == 0 &&
                          strcmp(list[i].text, text) == 0);
    if (text && !again)
        list[(*count)++] = (model_part){.kind = MODEL_TOOL_CALL,
                                        .tool_name = s->tools[tool].name,
                                        .tool_id = "",
                                        .text = text};
    return text != NULL;
}

/* From name to name; the arguments of one end where the next begins. */
static bool find_calls(const spoken *s,
                       etna_arena *arena,
                       model_part *list,
                       uint32_t *count)
{
    uint32_t tool = 0, next_tool = 0;
    size_t begin = 0, end = 0, next_begin = 0, next_end = 0;
    bool ok = true;
    bool more = next_name(s, 0, &tool, &begin, &end);
    for (uint32_t tried = 0;
         ok && more && tried < NAMES_MAX && *count < SPOKEN_CALLS_MAX;
         tried++) {
        bool again = next_name(s, end, &next_tool, &next_begin, &next_end);
        json_t *arguments =
            find_arguments(s, tool, begin, end, again ? next_begin : s->size);
        if (arguments)
            ok = add_call(s, tool, arguments, arena, list, count);
        json_decref(arguments);
        tool = next_tool;
        begin = next_begin;
        end = next_end;
        more = again;
    }
    return ok;
}

/* New reference; NULL: the schema has none. */
static json_t *properties_of(const model_tool *tool)
{
    json_t *schema = json_loads(tool->schema ? tool->schema : "{}", 0, NULL);
    json_t *properties = json_incref(json_object_get(schema, "properties"));
    json_decref(schema);
    return properties;
}

/* Calls that a model wrote as text, for models and servers without tool calls.
 * No call found is no error: *ret_count is 0. */
etna_code spoken_calls(const char *text,
                       uint32_t tool_count,
                       const model_tool *tools,
                       etna_arena *arena,
                       model_part **ret,
                       uint32_t *ret_count,
                       etna_error *err)
{
    plain p;
    uint32_t count = 0;
    model_part *list = etna_arena_alloc(arena, SPOKEN_CALLS_MAX, sizeof *list);
    json_t **properties =
        etna_arena_alloc(arena, tool_count, sizeof *properties);
    if (!list || !properties || plain_make(text, arena, &p, NULL) != ETNA_OK)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the tool calls of an answer");
    for (uint32_t i = 0; i < tool_count; i++)
        properties[i] = properties_of(&tools[i]);
    const spoken s = {.text = p.text,
                      .size = p.size,
                      .tool_count = tool_count,
                      .tools = tools,
                      .properties = properties};
    bool ok = find_calls(&s, arena, list, &count);
    for (uint32_t i = 0; i < tool_count; i++)
        json_decref(properties[i]);
    if (!ok)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the tool calls of an answer");
    *ret = list;
    *ret_count = count;
    return ETNA_OK;
}
