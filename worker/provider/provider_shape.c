/* What servers of the chat wire send beside the plain object: streams nobody
 * asked for, JSON that is nearly some, envelopes. Each form was met at a server
 * or gateway in use; each is tried only when the plain reading failed, so a
 * well-formed answer never depends on the mending. See provider_shape.h. */
#include "worker/provider/provider_shape.h"

#include "proto/array.h"
#include "proto/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* as MODEL_REPLY_CALLS_MAX: pieces of later calls are dropped */
enum {
    CALLS_MAX = 64
};

/* ---- a stream's chunks become one message ---- */

/* A buffer on the heap that doubles; bytes, not a C string. A stream is longer
 * than what is kept of it, so the arena is no place for it. */
typedef struct grown {
    char *data;
    size_t size, room;
} grown;

typedef struct piece_call {
    grown id, name, arguments;
} piece_call;

/* What the chunks so far have said. `failed` is sticky: after it every call
 * does nothing, and the end gives NULL. */
typedef struct stream {
    grown content, reasoning, refusal;
    piece_call calls[CALLS_MAX];
    size_t call_count;
    json_t *finish, *usage; /* borrowed of `kept` */
    json_t *kept;           /* the chunks that they stand in */
    json_t *whole;          /* the last chunk that was an answer for itself */
    json_t *error;          /* the chunk that tells why there is no answer */
    const json_t *index;    /* borrowed of `first`: of several answers */
    json_t *first;          /* the chunk that was first of its answer */
    bool uncounted;         /* its calls' indices tell nothing */
    bool failed;
} stream;

static void grown_add(stream *s, grown *g, const json_t *value)
{
    size_t size = json_string_length(value);
    if (size == 0 || s->failed)
        return;
    if (g->size + size > g->room) {
        size_t room = 2 * (g->size + size) + 64;
        char *data = realloc(g->data, room);
        if (!data) {
            s->failed = true;
            return;
        }
        g->data = data;
        g->room = room;
    }
    memcpy(g->data + g->size, json_string_value(value), size);
    g->size += size;
}

/* Does the piece's id say that it belongs to that call? One without any
 * does. */
static bool is_same_id(const grown *known, const json_t *id)
{
    size_t size = json_string_length(id);
    if (size == 0 || known->size == 0)
        return true;
    return size == known->size &&
           memcmp(json_string_value(id), known->data, size) == 0;
}

/* A chunk of Ollama's own wire: no choices, and counts in the last one. */
static bool stream_take_message(stream *s, json_t *chunk)
{
    json_t *message = json_object_get(chunk, "message");
    json_t *done = json_object_get(chunk, "done");
    if (!json_is_object(message) || !json_is_boolean(done))
        return false;
    if (json_is_false(done)) {
        grown_add(s, &s->content, json_object_get(message, "content"));
        return true;
    }
    json_t *last = json_deep_copy(chunk);
    grown_add(s, &s->content, json_object_get(message, "content"));
    bool ok = last && json_object_set_new(
                          json_object_get(last, "message"), "content",
                          json_stringn(s->content.data ? s->content.data : "",
                                       s->content.size)) == 0;
    json_decref(s->whole);
    s->whole = last;
    s->failed = s->failed || !ok;
    return true;
}

/* Where in the list of calls a piece belongs: by its index, or, of a server
 * that counts none, to the last call or a new one. */
static json_int_t stream_place(stream *s, const json_t *row, size_t position)
{
    const json_t *index = json_object_get(row, "index");
    const json_t *id = json_object_get(row, "id");
    json_int_t at = json_is_integer(index) ? json_integer_value(index)
                                           : (json_int_t)position;
    if (at < 0 || at >= CALLS_MAX)
        return -1;
    bool is_known = at < (json_int_t)s->call_count;
    bool is_next = is_known && !is_same_id(&s->calls[at].id, id);
    if (is_next && s->call_count < CALLS_MAX) {
        at = (json_int_t)s->call_count;
        s->uncounted = true;
    }
    bool is_uncounted = s->uncounted || !index;
    bool is_last = !json_string_length(id) && is_uncounted && s->call_count > 0;
    return is_last ? (json_int_t)s->call_count - 1 : at;
}

/* Id and name come whole in the first piece of a call; servers repeat them in
 * later pieces, so only the first counts. Arguments come in pieces and are
 * joined. */
static void stream_call(stream *s, const json_t *row, size_t position)
{
    const json_t *function = json_object_get(row, "function");
    json_int_t at = stream_place(s, row, position);
    if (at < 0)
        return;
    piece_call *call = &s->calls[at];
    if ((size_t)at >= s->call_count)
        s->call_count = (size_t)at + 1;
    if (!call->id.size)
        grown_add(s, &call->id, json_object_get(row, "id"));
    if (!call->name.size)
        grown_add(s, &call->name, json_object_get(function, "name"));
    grown_add(s, &call->arguments, json_object_get(function, "arguments"));
}

/* The answer that a chunk goes on with: of several in one stream the one that
 * was begun first. NULL: none, or another one. */
static const json_t *stream_choice(stream *s, json_t *chunk)
{
    const json_t *choices = json_object_get(chunk, "choices");
    for (size_t i = 0; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        const json_t *index = json_object_get(choice, "index");
        if (!s->index && json_is_integer(index)) {
            s->index = index;
            s->first = json_incref(chunk);
        }
        bool is_it = !index || !s->index || json_equal(index, s->index);
        if (is_it)
            return choice;
    }
    return NULL;
}

/* Reasoning has two names, by server; both collect in one text. Chunks that
 * hold the end or the usage are kept because `finish` and `usage` borrow from
 * them. */
static void stream_chunk(stream *s, json_t *chunk)
{
    const json_t *choice = stream_choice(s, chunk);
    const json_t *delta = json_object_get(choice, "delta");
    const json_t *calls = json_object_get(delta, "tool_calls");
    json_t *finish = json_object_get(choice, "finish_reason");
    json_t *usage = json_object_get(chunk, "usage");
    if (json_object_size(json_object_get(chunk, "error")) && !s->error)
        s->error = json_incref(chunk);
    if (!choice && stream_take_message(s, chunk))
        return;
    if (json_is_object(json_object_get(choice, "message")) &&
        !json_is_object(delta)) {
        /* no piece of an answer, but all that is said so far */
        json_decref(s->whole);
        s->whole = json_incref(chunk);
        return;
    }
    if (choice && !json_is_object(delta))
        return;
    grown_add(s, &s->content, json_object_get(delta, "content"));
    grown_add(s, &s->reasoning, json_object_get(delta, "reasoning_content"));
    grown_add(s, &s->reasoning, json_object_get(delta, "reasoning"));
    grown_add(s, &s->refusal, json_object_get(delta, "refusal"));
    for (size_t i = 0; i < json_array_size(calls); i++)
        stream_call(s, json_array_get(calls, i), i);
    if (json_is_string(finish))
        s->finish = finish;
    if (json_is_object(usage))
        s->usage = usage;
    bool is_kept = json_is_string(finish) || json_is_object(usage);
    if (is_kept && json_array_append(s->kept, chunk))
        s->failed = true;
}

/* Empty members are left out: an answer with content "" and one without content
 * are read differently. */
static bool stream_put(json_t *object, const char *name, const grown *g)
{
    return !g->size || json_object_set_new(object, name,
                                           json_stringn(g->data, g->size)) == 0;
}

static json_t *stream_calls(const stream *s)
{
    json_t *calls = json_array();
    bool ok = calls != NULL;
    for (size_t i = 0; ok && i < s->call_count; i++) {
        json_t *row = json_pack("{s:s,s:{}}", "type", "function", "function");
        json_t *function = json_object_get(row, "function");
        ok = row && stream_put(row, "id", &s->calls[i].id) &&
             stream_put(function, "name", &s->calls[i].name) &&
             stream_put(function, "arguments", &s->calls[i].arguments);
        ok = json_array_append_new(calls, row) == 0 && ok;
    }
    if (ok)
        return calls;
    json_decref(calls);
    return NULL;
}

/* What was said in pieces, put together; the stream has ended. NULL: no
 * memory. */
static json_t *stream_join(const stream *s)
{
    json_t *root =
        json_pack("{s:[{s:{s:s}}]}", "choices", "message", "role", "assistant");
    json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    json_t *message = json_object_get(choice, "message");
    bool ok = root && stream_put(message, "content", &s->content) &&
              stream_put(message, "reasoning_content", &s->reasoning);
    ok = ok && stream_put(message, "refusal", &s->refusal);
    if (ok && s->call_count)
        ok = json_object_set_new(message, "tool_calls", stream_calls(s)) == 0;
    ok = ok && json_object_set(choice, "finish_reason", s->finish) == 0;
    if (ok && s->usage)
        ok = json_object_set(root, "usage", s->usage) == 0;
    if (ok)
        return root;
    json_decref(root);
    return NULL;
}

/* NULL: no chunk has come, none said why the answer ends, one cannot be read, or
 * there is no memory. */
static json_t *stream_answer(const stream *s)
{
    if (s->failed)
        return NULL;
    if (s->error)
        return json_incref(s->error);
    if (s->finish)
        return stream_join(s);
    const json_t *end =
        json_object_get(json_array_get(json_object_get(s->whole, "choices"), 0),
                        "finish_reason");
    bool is_whole = json_is_string(end) || json_object_get(s->whole, "done");
    return is_whole ? json_incref(s->whole) : NULL;
}

static void stream_free(stream *s)
{
    for (size_t i = 0; i < CALLS_MAX; i++) {
        free(s->calls[i].id.data);
        free(s->calls[i].name.data);
        free(s->calls[i].arguments.data);
    }
    free(s->content.data);
    free(s->reasoning.data);
    free(s->refusal.data);
    json_decref(s->kept);
    json_decref(s->whole);
    json_decref(s->error);
    json_decref(s->first);
    free(s);
}

/* ---- JSON of a size that can be held ---- */

/* What the tree of such a text takes in memory, at about: an empty object has
 * two bytes there, and two hundred times as many here. Garbage is counted as if
 * it were JSON, which is right up to where reading it ends. */
static size_t shape_tree_bytes(const char *data, size_t size)
{
    enum {
        CONTAINER = 400,
        TEXT_END = 32, /* each text has two */
        VALUE = 48
    };
    size_t bytes = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if (quoted && data[i] == '\\') {
            i++;
        } else if (data[i] == '"') {
            quoted = !quoted;
            bytes += TEXT_END;
        } else if (!quoted && (data[i] == '{' || data[i] == '[')) {
            bytes += CONTAINER;
        } else if (!quoted && data[i] == ',') {
            bytes += VALUE;
        }
    }
    return bytes;
}

json_t *shape_load(const char *data, size_t size, size_t flags)
{
    enum {
        TREE_MAX = 256 << 20
    };
    if (shape_tree_bytes(data, size) > TREE_MAX)
        return NULL;
    return json_loadb(data, size, flags, NULL);
}

/* ---- JSON that is nearly some ---- */

typedef enum surrogate {
    NO_SURROGATE = 0,
    HIGH_SURROGATE,
    LOW_SURROGATE
} surrogate;

/* Which half of a pair the escape at `at` is, as \ud83d. */
static surrogate surrogate_at(const char *at, size_t size)
{
    enum {
        ESCAPE = 6
    };
    bool is_one = size >= ESCAPE && memcmp(at, "\\u", 2) == 0 &&
                  (at[2] | 0x20) == 'd' && at[3];
    if (!is_one)
        return NO_SURROGATE;
    if (strchr("89abAB", at[3]))
        return HIGH_SURROGATE;
    return strchr("cdefCDEF", at[3]) ? LOW_SURROGATE : NO_SURROGATE;
}

/* Copies `data` to `out`, mending on the way. `out` has GROWTH bytes for each
 * of `data`, so no step checks for room. */
typedef struct mender {
    const char *data;
    size_t size, at, used;
    char *out;
    bool quoted;
} mender;

/* Writes `text` in place of `skip` bytes of the input. */
static void mender_put(mender *m, const char *text, size_t skip)
{
    size_t size = strlen(text);
    memcpy(m->out + m->used, text, size);
    m->used += size;
    m->at += skip;
}

static void mender_copy(mender *m, size_t size)
{
    memcpy(m->out + m->used, m->data + m->at, size);
    m->used += size;
    m->at += size;
}

/* Within a text: raw control characters as their escapes, half a pair and bytes
 * that are no character as the sign of what cannot be read. */
static void mender_text(mender *m)
{
    enum {
        ESCAPE = 6
    };
    const char *at = m->data + m->at;
    size_t left = m->size - m->at;
    char one[8];
    surrogate half = surrogate_at(at, left);
    bool is_pair = half == HIGH_SURROGATE &&
                   surrogate_at(at + ESCAPE, left - ESCAPE) == LOW_SURROGATE;
    if (*at == '"')
        m->quoted = false;
    if ((unsigned char)*at < 0x20) {
        snprintf(one, sizeof one, "\\u%04x", (unsigned)(unsigned char)*at);
        mender_put(m, one, 1);
    } else if (is_pair) {
        mender_copy(m, 2 * ESCAPE);
    } else if (half) {
        mender_put(m, "\\ufffd", ESCAPE);
    } else if (*at == '\\' && left > 1) {
        mender_copy(m, 2);
    } else {
        size_t length = etna_utf8_character(at, left, NULL);
        if (length)
            mender_copy(m, length);
        else
            mender_put(m, "\\ufffd", 1);
    }
}

/* A comma with nothing behind it but the end of its list or object. */
static bool is_last_comma(const char *at, size_t size)
{
    size_t next = 1;
    if (*at != ',')
        return false;
    while (next < size && strchr(" \t\r\n", at[next]) && at[next])
        next++;
    return next < size && (at[next] == '}' || at[next] == ']');
}

/* Outside: numbers that are none, and commas that separate nothing. */
static void mender_value(mender *m)
{
    static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
    const char *at = m->data + m->at;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t size = strlen(words[i]);
        if (m->size - m->at < size || memcmp(at, words[i], size) != 0)
            continue;
        mender_put(m, "null", size);
        return;
    }
    m->quoted = *at == '"';
    if (is_last_comma(at, m->size - m->at))
        m->at++;
    else
        mender_copy(m, 1);
}

/* Reads JSON that its writer got nearly right, whatever stands behind it. Only up
 * to MENDED_MAX: the copy is six times as large. Whole numbers that are too long
 * come as they would be in most other readers. */
static json_t *mended_load(const char *data, size_t size)
{
    /* of a control character; bytes that are worth it */
    enum {
        GROWTH = 6,
        MENDED_MAX = 8 << 20,
        FLAGS = JSON_ALLOW_NUL | JSON_DISABLE_EOF_CHECK
    };
    mender m = {.data = data,
                .size = size,
                .out = size < MENDED_MAX ? malloc(GROWTH * size + 1) : NULL};
    if (!m.out)
        return NULL;
    while (m.at < m.size) {
        bool was_quoted = m.quoted;
        if (was_quoted)
            mender_text(&m);
        if (!was_quoted)
            mender_value(&m);
    }
    json_t *root = shape_load(m.out, m.used, FLAGS);
    if (!root)
        root = shape_load(m.out, m.used, FLAGS | JSON_DECODE_INT_AS_REAL);
    free(m.out);
    return root;
}

/* The last resort. What comes out must look like an answer; the start of any
 * page that begins with an object would do otherwise. */
static json_t *shape_mend(const char *data, size_t size)
{
    json_t *root = mended_load(data, size);
    bool is_answer =
        json_object_get(root, "choices") || json_object_get(root, "message");
    if (is_answer)
        return root;
    json_decref(root);
    return NULL;
}

/* ---- a stream's bytes ---- */

/* Where on the line a chunk begins: behind `data:`, or it is the line. 0 and no
 * chunk: false. */
static bool chunk_start(const char *line, size_t length, size_t *ret)
{
    bool is_event = length > 5 && memcmp(line, "data:", 5) == 0;
    *ret = is_event ? 5 : 0;
    return is_event || (length > 0 && *line == '{');
}

/* Adds what stands on a line. An object that cannot be read leaves a hole: what
 * is around it could say the contrary of what was meant. */
static void stream_line(stream *s, const char *line, size_t size)
{
    while (size && (*line == ' ' || *line == '\t'))
        line++, size--;
    if (!size || *line != '{')
        return;
    json_t *chunk = shape_load(line, size, JSON_ALLOW_NUL);
    if (!chunk)
        chunk = mended_load(line, size);
    if (chunk)
        stream_chunk(s, chunk);
    s->failed = s->failed || !chunk;
    json_decref(chunk);
}

/* Each chunk stands behind `data:` on a line of its own, or is one; comments
 * keep the connection alive. Lines that are no object (event names, "[DONE]")
 * are passed over, too. */
static json_t *shape_stream(const char *data, size_t size)
{
    stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->kept = json_array();
    s->failed = !s->kept;
    for (size_t at = 0; at < size && !s->failed;) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - (data + at)) : size - at;
        size_t from = 0;
        if (chunk_start(data + at, length, &from))
            stream_line(s, data + at + from, length - from);
        at += length + 1;
    }
    json_t *answer = stream_answer(s);
    stream_free(s);
    return answer;
}

/* Behind the lines that keep a connection alive: ": OPENROUTER PROCESSING". */
static const char *skip_comments(const char *at, const char *end)
{
    while (at < end && strchr(":\r\n", *at) && *at) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        at = line ? line + 1 : end;
    }
    return at;
}

json_t *shape_parse(const char *data, size_t size)
{
    size_t mark = etna_utf8_mark(data, size);
    data += mark;
    size -= mark;
    const char *first = skip_comments(data, data + size);
    size -= (size_t)(first - data);
    data = first;
    json_t *root = shape_load(data, size, JSON_ALLOW_NUL | JSON_DECODE_ANY);
    if (!root)
        root = shape_stream(data, size);
    return root ? root : shape_mend(data, size);
}

/* ---- envelopes ---- */

/* What stands within `root` instead of it: takes one reference, gives one. */
static json_t *shape_enter(json_t *root, json_t *inner)
{
    json_incref(inner);
    json_decref(root);
    return inner;
}

/* A list of calls that was written as a text once more. */
static void shape_calls(json_t *message)
{
    const json_t *calls = json_object_get(message, "tool_calls");
    if (!json_string_length(calls))
        return;
    json_t *list = shape_load(json_string_value(calls),
                              json_string_length(calls), JSON_ALLOW_NUL);
    if (json_is_array(list))
        json_object_set(message, "tool_calls", list);
    json_decref(list);
}

/* The words under another name than `content`. */
static void shape_content(json_t *message)
{
    json_t *content = json_object_get(message, "content");
    json_t *text = json_object_get(message, "text");
    bool is_missing = !content || json_is_null(content);
    if (is_missing && json_is_string(text))
        json_object_set(message, "content", text);
}

/* `delta` of a single chunk, `text` of the old completions wire and a message
 * that is but its text are read as a message. */
static void shape_choice(json_t *choice)
{
    json_t *delta = json_object_get(choice, "delta");
    json_t *text = json_object_get(choice, "text");
    json_t *message = json_object_get(choice, "message");
    if (json_is_object(message)) {
        shape_content(message);
        shape_calls(message);
        return;
    }
    if (json_is_string(message))
        text = message;
    if (json_is_object(delta)) {
        json_object_set(choice, "message", delta);
    } else if (json_is_string(text)) {
        json_object_set_new(
            choice, "message",
            json_pack("{s:s,s:O}", "role", "assistant", "content", text));
    }
}

static bool choice_says(const json_t *choice)
{
    const json_t *message = json_object_get(choice, "message");
    const json_t *content = json_object_get(message, "content");
    bool has_text = json_string_length(content) || json_array_size(content) ||
                    json_string_length(json_object_get(message, "refusal"));
    return has_text || json_array_size(json_object_get(message, "tool_calls"));
}

/* One was asked for. Of several the first that says something is read, which
 * then is the first. */
static void shape_choices(json_t *root)
{
    json_t *choices = json_object_get(root, "choices");
    if (json_is_object(choices)) {
        json_object_set_new(root, "choices", json_pack("[O]", choices));
        choices = json_object_get(root, "choices");
    }
    for (size_t i = 0; i < json_array_size(choices); i++) {
        json_t *choice = json_array_get(choices, i);
        shape_choice(choice);
        if (!choice_says(choice))
            continue;
        if (i > 0)
            json_array_insert(choices, 0, choice);
        return;
    }
}

/* What a gateway put around the answer. */
static json_t *shape_open(json_t *root)
{
    static const char *const names[] = {"data", "result", "response", "body",
                                        "output"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        json_t *inner = json_object_get(root, names[i]);
        if (!json_object_get(root, "choices") &&
            json_object_get(inner, "choices"))
            return shape_enter(root, inner);
    }
    return root;
}

/* Ollama's own wire: one message without choices, and counts by other names. */
static void shape_message(json_t *root)
{
    json_t *message = json_object_get(root, "message");
    json_t *reason = json_object_get(root, "done_reason");
    json_t *in = json_object_get(root, "prompt_eval_count");
    json_t *out = json_object_get(root, "eval_count");
    bool is_it = json_is_object(message) && json_object_get(root, "done") &&
                 !json_object_get(root, "choices");
    if (!is_it)
        return;
    json_object_set_new(
        root, "choices",
        json_pack("[{s:O,s:O?}]", "message", message, "finish_reason", reason));
    bool is_counted = json_is_integer(in) && json_is_integer(out);
    if (is_counted)
        json_object_set_new(root, "usage",
                            json_pack("{s:O,s:O}", "prompt_tokens", in,
                                      "completion_tokens", out));
}

/* An answer of another vendor's wire, whose words are a list of parts:
 * `content` of one message, or of the last of `output`. */
static void shape_parts(json_t *root)
{
    json_t *content = json_object_get(root, "content");
    json_t *output = json_object_get(root, "output");
    for (size_t i = 0; i < json_array_size(output); i++) {
        json_t *item = json_array_get(output, i);
        json_t *said = json_object_get(item, "content");
        const char *type = json_string_value(json_object_get(item, "type"));
        if (json_is_array(said) && type && strcmp(type, "message") == 0)
            content = said;
    }
    bool is_it = json_is_array(content) && !json_object_get(root, "choices");
    if (is_it)
        json_object_set_new(
            root, "choices",
            json_pack("[{s:{s:O}}]", "message", "content", content));
}

json_t *shape_chat(json_t *root)
{
    if (json_array_size(root) == 1)
        root = shape_enter(root, json_array_get(root, 0));
    root = shape_open(root);
    shape_message(root);
    shape_parts(root);
    shape_choices(root);
    return root;
}
