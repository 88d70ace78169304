/* See loose.h. A recursive descent that takes what it can and never goes back;
 * its depth and its values are bounded. */
#include "worker/agents/loose.h"

#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/provider/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DEPTH_MAX = 12,
    VALUES_MAX = 4096,
    WORD_MAX = 512,
    FIND_MAX = 64
};

typedef struct loose {
    const char *start, *at, *end;
    loose_head head;
    unsigned depth, values;
    bool failed;      /* what stands at `at` makes no sense */
    const char *what; /* then why */
    bool no_memory;
} loose;

/* 0 at the end. */
static char loose_here(const loose *l)
{
    return l->at < l->end ? *l->at : 0;
}

static bool loose_begins(const loose *l, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(l->end - l->at) >= size && memcmp(l->at, text, size) == 0;
}

/* The first reason is kept. */
static void fail_at(loose *l, const char *what)
{
    if (!l->failed)
        l->what = what;
    l->failed = true;
}

/* ---- what stands between values ---- */

/* Up to its end, not past it. */
static void skip_line(loose *l)
{
    while (l->at < l->end && *l->at != '\n')
        l->at++;
}

/* To the end where the mark is missing. */
static void skip_past(loose *l, const char *mark)
{
    const char *found =
        memmem(l->at, (size_t)(l->end - l->at), mark, strlen(mark));
    l->at = found ? found + strlen(mark) : l->end;
}

/* Blanks may stand before it. */
static bool is_line_start(const loose *l)
{
    const char *p = l->at;
    while (p > l->start && text_is_in(p[-1], " \t"))
        p--;
    return p == l->start || p[-1] == '\n';
}

/* A sign of the set with a blank behind it. */
static bool loose_is_sign(const loose *l, const char *p, const char *signs)
{
    return p + 1 < l->end && text_is_in(*p, signs) && text_is_in(p[1], " \t");
}

/* "- ", "* ", "1. ", "(2) ": a sign of a list at a line's start. */
static bool skip_bullet(loose *l)
{
    const char *p = l->at;
    if (!is_line_start(l))
        return false;
    if (p < l->end && *p == '(')
        p++;
    const char *digits = p;
    while (p < l->end && ascii_is_digit(*p))
        p++;
    bool numbered = p > digits && loose_is_sign(l, p, ".)");
    bool signed_so = p == l->at && loose_is_sign(l, p, "-*+>");
    if (!numbered && !signed_so)
        return false;
    l->at = p + 1;
    return true;
}

/* '#' only at a line's start or behind a blank or comma: "Desk#up" is a name. A
 * fence's line goes whole, with the language it names. */
static bool skip_comment(loose *l)
{
    bool hash = loose_here(l) == '#' &&
                (is_line_start(l) ||
                 (l->at > l->start && text_is_in(l->at[-1], " \t,])")));
    if (loose_begins(l, "//") || hash) {
        skip_line(l);
    } else if (loose_begins(l, "```")) {
        skip_line(l);
    } else if (loose_begins(l, "/*")) {
        skip_past(l, "*/");
    } else if (loose_begins(l, "<!--")) {
        skip_past(l, "-->");
    } else {
        return false;
    }
    return true;
}

/* Emphasis around values, a line end that was written as its escape, and a
 * quote that opens none. */
static bool skip_sign(loose *l)
{
    bool ticked = loose_here(l) == '`' && l->at + 1 < l->end &&
                  text_is_in(l->at[1], "[{(`, \n");
    bool tick_ends = loose_here(l) == '`' && l->at > l->start &&
                     text_is_in(l->at[-1], "])}`,");
    if (loose_begins(l, "**") || loose_begins(l, "__") ||
        loose_begins(l, "\\n")) {
        l->at += 2;
        return true;
    }
    if (!ticked && !tick_ends)
        return false;
    l->at++;
    return true;
}

/* Until a value begins. */
static void skip_gaps(loose *l, const char *gaps)
{
    for (;;) {
        if (text_is_in(loose_here(l), gaps)) {
            l->at++;
        } else if (!skip_comment(l) && !skip_bullet(l) && !skip_sign(l)) {
            return;
        }
    }
}

/* ---- values ---- */

static json_t *read_value(loose *l);

/* Remembers that memory ran out. */
static json_t *loose_made(loose *l, json_t *value)
{
    if (!value)
        l->no_memory = true;
    return value;
}

/* `text` may come from anywhere: only valid UTF-8 becomes a value. */
static json_t *string_of(loose *l, const char *text, size_t size)
{
    if (!etna_utf8_valid(text, size)) {
        fail_at(l, "is no UTF-8 text");
        return NULL;
    }
    return loose_made(l, json_stringn(text, size));
}

/* Four digits of an escape as UTF-8, a space for a control character; 0: they
 * are none, or half of a pair. */
static size_t read_escape(const loose *l, char out[4])
{
    char digits[5] = "";
    if (l->end - l->at < 5)
        return 0;
    memcpy(digits, l->at + 1, 4);
    char *end = NULL;
    unsigned long code = strtoul(digits, &end, 16);
    bool is_half = code >= 0xd800 && code <= 0xdfff;
    if (*end || is_half)
        return 0;
    if (code < 0x20)
        code = ' ';
    return etna_utf8_put((uint32_t)code, out);
}

/* An apostrophe stands between letters; a quote that ends a text does not. */
static bool is_apostrophe(const loose *l, char quote)
{
    if (quote != '\'' || l->at + 1 >= l->end)
        return false;
    const char *next = l->at + 1;
    next = text_behind(next, l->end, " \t");
    return next < l->end && !text_is_in(*next, ",])};:\n'\"[(=/#");
}

/* A text ends on its line: a forgotten quote must not swallow the rest. */
static json_t *read_quoted(loose *l)
{
    char quote = *l->at++;
    size_t room = (size_t)(l->end - l->at);
    size_t used = 0;
    char *text = malloc(room + 1);
    if (!text)
        return loose_made(l, NULL);
    bool closed = false;
    for (; l->at < l->end && *l->at != '\n'; l->at++) {
        if (*l->at == quote && !is_apostrophe(l, quote)) {
            closed = true;
            break;
        }
        if (*l->at != '\\' || l->at + 1 >= l->end) {
            text[used++] = *l->at;
            continue;
        }
        l->at++;
        char wide[4];
        size_t size = *l->at == 'u' ? read_escape(l, wide) : 0;
        if (size > 0) {
            memcpy(text + used, wide, size);
            used += size;
            l->at += 4;
        } else {
            text[used++] = text_is_in(*l->at, "nrtbf") ? ' ' : *l->at;
        }
    }
    json_t *value = NULL;
    if (closed) {
        l->at++;
        value = string_of(l, text, used);
    } else {
        fail_at(l, "a text that is not closed");
    }
    free(text);
    return value;
}

/* "0.5", "-3", "1e-2" and nothing else. */
static bool loose_is_number(const char *text)
{
    size_t length = strspn(text, "+-0123456789.eE");
    return *text && text[length] == 0 && strpbrk(text, "0123456789") != NULL;
}

/* Python's words as well as JSON's. Whole numbers stay whole, so that ids
 * compare. */
static json_t *word_value(loose *l, const char *word)
{
    char *end = NULL;
    if (!strcasecmp(word, "true"))
        return loose_made(l, json_true());
    if (!strcasecmp(word, "false"))
        return loose_made(l, json_false());
    if (!strcasecmp(word, "null") || !strcmp(word, "None"))
        return loose_made(l, json_null());
    if (strspn(word, ".") == strlen(word)) {
        fail_at(l, "dots stand for what is left out");
        return NULL;
    }
    if (!loose_is_number(word))
        return string_of(l, word, strlen(word));
    double number = strtod(word, &end);
    if (*end || !isfinite(number))
        return string_of(l, word, strlen(word));
    bool whole =
        number == floor(number) && fabs(number) < 1e15 && !strpbrk(word, ".eE");
    return loose_made(l, whole ? json_integer((json_int_t)number)
                               : json_real(number));
}

/* "0.5 0.6": the space between two numbers stands for a comma. */
static bool parts_numbers(const loose *l, const char *word, size_t used)
{
    if (used == 0 || *l->at != ' ' || l->at + 1 >= l->end)
        return false;
    for (size_t i = 0; i < used; i++) {
        if (!text_is_in(word[i], "+-0123456789.eE"))
            return false;
    }
    return text_is_in(l->at[1], "+-.0123456789");
}

/* Does a word end here by what begins, though no sign ends it: a comment, a
 * fence, a number? */
static bool word_is_over(const loose *l, const char *word, size_t used)
{
    if (loose_begins(l, "//") || loose_begins(l, "/*") ||
        loose_begins(l, "```"))
        return true;
    if (*l->at == '#' && l->at > l->start && text_is_in(l->at[-1], " \t"))
        return true;
    return parts_numbers(l, word, used);
}

/* Up to what ends a word: names may have spaces. A call's bracket ends it,
 * too. */
static json_t *read_word(loose *l)
{
    char word[WORD_MAX];
    size_t used = 0;
    while (l->at < l->end && !text_is_in(*l->at, ",;[](){}\n\"=:")) {
        if (word_is_over(l, word, used))
            break;
        if (used + 1 >= WORD_MAX) {
            fail_at(l, "a word without an end");
            return NULL;
        }
        word[used++] = *l->at++;
    }
    used = text_skip_back(word, 0, used, " \t*`'");
    word[used] = 0;
    if (used > 0)
        return word_value(l, word);
    fail_at(l, "a sign that belongs to nothing");
    return NULL;
}

/* Takes `value` over; NULL is nothing. */
static void loose_add(loose *l, json_t *array, json_t *value)
{
    if (!value)
        return;
    if (++l->values > VALUES_MAX)
        fail_at(l, "more than can be read");
    if (json_array_append_new(array, value) != 0)
        l->no_memory = true;
}

/* The rest of "key: a, b" on its line, behind the colon; an array that follows
 * alone is the rest. */
static void read_rest(loose *l, json_t *array)
{
    while (!l->failed && !l->no_memory) {
        while (text_is_in(loose_here(l), " \t,"))
            l->at++;
        if (!loose_here(l) || text_is_in(loose_here(l), "\n])};"))
            return;
        if (skip_comment(l))
            return;
        loose_add(l, array, read_value(l));
    }
}

/* One of the signs, with blanks around it, "=>" and ":=" too. */
static bool takes_colon(loose *l, const char *signs)
{
    const char *p = text_behind(l->at, l->end, " \t");
    if (p >= l->end || !text_is_in(*p, signs))
        return false;
    l->at = p + 1;
    if (loose_here(l) == '=' || loose_here(l) == '>')
        l->at++; /* ":=", "=>" */
    while (text_is_in(loose_here(l), " \t"))
        l->at++;
    return true;
}

/* One item of a list: a value; of "name = value" the value; "key: a, b" as an
 * array. */
static json_t *loose_read_item(loose *l)
{
    json_t *value = read_value(l);
    if (!json_is_string(value))
        return value;
    if (takes_colon(l, "=")) {
        skip_gaps(l, " \t\n");
        json_t *meant = read_value(l);
        if (!json_is_true(meant)) {
            json_decref(value);
            return meant;
        }
        json_decref(meant); /* "full_only = True": the name is what is meant */
        return value;
    }
    if (!takes_colon(l, ":"))
        return value;
    json_t *pair = loose_made(l, json_array());
    if (pair) {
        loose_add(l, pair, value);
        skip_gaps(l, " \t");
        bool opens_below = loose_here(l) == '\n';
        if (opens_below)
            skip_gaps(l, " \t\n");
        if (!opens_below)
            read_rest(l, pair);
        if (opens_below && text_is_in(loose_here(l), "[{"))
            loose_add(l, pair, read_value(l));
    } else {
        json_decref(value);
    }
    return pair;
}

/* Up to `shut`; commas may be missing or semicolons. NULL where it failed. */
static json_t *read_array(loose *l, json_t *array, char shut)
{
    const char *gaps = " \t\n,;";
    for (skip_gaps(l, gaps); array && !l->failed && !l->no_memory;
         skip_gaps(l, gaps)) {
        if (loose_here(l) == shut) {
            l->at++;
            return array;
        }
        if (!loose_here(l)) {
            fail_at(l, "a bracket that is not closed");
        } else if (text_is_in(loose_here(l), "])}")) {
            fail_at(l, "a bracket that closes another kind");
        } else {
            loose_add(l, array, loose_read_item(l));
        }
    }
    json_decref(array);
    return NULL;
}

/* A key and its value, put into the object. Numbers are keys by their
 * digits. */
static void loose_read_pair(loose *l, json_t *object)
{
    json_t *key = read_value(l);
    json_t *value = NULL;
    char number[32] = "";
    if (json_is_integer(key))
        snprintf(number, sizeof number, "%lld",
                 (long long)json_integer_value(key));
    const char *name = json_is_integer(key) ? number : json_string_value(key);
    skip_gaps(l, " \t\n");
    bool is_pair = name && takes_colon(l, ":=");
    if (is_pair) {
        skip_gaps(l, " \t\n");
        value = read_value(l);
    }
    if (!is_pair || json_object_get(object, name))
        fail_at(l, is_pair ? "a key that comes twice" : "a key of nothing");
    if (value && json_object_set(object, name, value) != 0)
        l->no_memory = true;
    json_decref(value);
    json_decref(key);
}

/* The same for members. */
static json_t *loose_read_object(loose *l)
{
    json_t *object = loose_made(l, json_object());
    for (skip_gaps(l, " \t\n,;"); object && !l->failed && !l->no_memory;
         skip_gaps(l, " \t\n,;")) {
        if (loose_here(l) == '}') {
            l->at++;
            return object;
        }
        loose_read_pair(l, object);
        if (++l->values > VALUES_MAX)
            fail_at(l, "more than can be read");
    }
    json_decref(object);
    return NULL;
}

/* A word's call is an array that begins with the word. */
static json_t *read_call(loose *l, json_t *word)
{
    json_t *array = loose_made(l, json_array());
    if (!array) {
        json_decref(word);
        return NULL;
    }
    loose_add(l, array, word);
    l->at++;
    return read_array(l, array, ')');
}

/* Round brackets are lists, too. */
static json_t *read_plain_value(loose *l)
{
    char c = loose_here(l);
    if (c == '[' || c == '(') {
        l->at++;
        return read_array(l, loose_made(l, json_array()), c == '[' ? ']' : ')');
    }
    if (c == '{') {
        l->at++;
        return loose_read_object(l);
    }
    json_t *word = text_is_in(c, "\"'`") ? read_quoted(l) : read_word(l);
    bool is_call = json_is_string(word) && loose_here(l) == '(';
    return is_call ? read_call(l, word) : word;
}

/* Bounded depth, since the text comes from a model. NULL where something
 * failed. */
static json_t *read_value(loose *l)
{
    if (l->depth == DEPTH_MAX) {
        fail_at(l, "brackets in brackets without an end");
        return NULL;
    }
    l->depth++;
    json_t *value = read_plain_value(l);
    l->depth--;
    if (!l->failed && !l->no_memory)
        return value;
    json_decref(value);
    return NULL;
}

/* ---- from outside ---- */

/* A line that begins with a word which no head accepts is prose. */
static void skip_prose(loose *l)
{
    char c = (char)(loose_here(l) | 0x20);
    bool says = ascii_is_lower(c) || (unsigned char)loose_here(l) >= 0x80;
    if (l->head && says && !l->head(l->at, (size_t)(l->end - l->at)))
        skip_line(l);
}

/* All values of the text as one list: rows in or without brackets. ETNA_E_INPUT
 * with the line. */
etna_code loose_list(const char *text,
                     size_t size,
                     loose_head head,
                     json_t **ret,
                     etna_error *err)
{
    loose l = {.start = text, .at = text, .end = text + size, .head = head};
    json_t *list = loose_made(&l, json_array());
    while (list && !l.failed && !l.no_memory) {
        skip_gaps(&l, " \t\n,;");
        const char *before = l.at;
        skip_prose(&l);
        if (l.at != before)
            continue;
        if (!loose_here(&l))
            break;
        if (text_is_in(*l.at, "])}")) {
            fail_at(&l, "a bracket that closes nothing");
        } else {
            loose_add(&l, list, loose_read_item(&l));
        }
    }
    if (!l.failed && !l.no_memory) {
        *ret = list;
        return ETNA_OK;
    }
    json_decref(list);
    if (l.no_memory)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading an answer");
    unsigned line = 1;
    for (const char *p = text; p < l.at && p < l.end; p++)
        line += *p == '\n';
    return etna_fail(err, ETNA_E_INPUT, "line %u: %s", line, l.what);
}

/* One value that begins with a bracket; *ret_size: how long it is. */
bool loose_value(const char *text, size_t size, json_t **ret, size_t *ret_size)
{
    loose l = {.start = text, .at = text, .end = text + size};
    json_t *value = size && text_is_in(*text, "[{") ? read_value(&l) : NULL;
    if (!value)
        return false;
    *ret = value;
    *ret_size = (size_t)(l.at - text);
    return true;
}

/* Case, blanks, '_' and '-' do not count: "Visual Exam" is "visual_exam". */
bool loose_same(const char *a, const char *b)
{
    for (;;) {
        while (text_is_in(*a, " _-"))
            a++;
        while (text_is_in(*b, " _-"))
            b++;
        if (strncasecmp(a, b, 1) != 0)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

bool loose_is_one(const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (loose_same(word, *words))
            return true;
    }
    return false;
}

/* Borrowed; NULL: none of that name. */
json_t *loose_member(const json_t *object, const char *key)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (loose_same(name, key))
            return value;
    }
    return NULL;
}

/* `value` or what it holds, not deep: the object that has the member.
 * Borrowed. */
static json_t *holder_of(json_t *value, const char *key, unsigned depth)
{
    const char *name;
    json_t *inner;
    size_t i;
    if (loose_member(value, key))
        return value;
    json_t *found = NULL;
    if (depth == 0)
        return NULL;
    json_object_foreach(value, name, inner)
    {
        if (!found)
            found = holder_of(inner, key, depth - 1);
    }
    if (!json_is_array(value))
        return found;
    json_array_foreach(value, i, inner)
    {
        json_t *later = holder_of(inner, key, depth - 1);
        if (later)
            found = later;
    }
    return found;
}

/* The last object of the text, however deep, that has the member; new
 * reference, NULL: none. FIND_MAX bounds the attempts on hostile text. */
json_t *loose_find(const char *text, size_t size, const char *key)
{
    enum {
        DEEP = 3
    };
    json_t *found = NULL;
    unsigned tried = 0;
    for (size_t i = 0; i < size && tried < FIND_MAX;) {
        json_t *value = NULL;
        size_t length = 1;
        if (text[i] == '{') {
            tried++;
            if (loose_value(text + i, size - i, &value, &length)) {
                json_t *holder = holder_of(value, key, DEEP);
                if (holder) {
                    json_decref(found);
                    found = json_incref(holder);
                }
                json_decref(value);
            }
        }
        i += length;
    }
    return found;
}

/* "0,25": a comma can only be the point where nothing stands before it but a
 * nought. False: it is none, or does not fit. */
static bool mend_comma(const char *text, char ret[WORD_MAX])
{
    const char *digits = text + strspn(text, " +-~");
    bool is_point = digits[0] == '0' && digits[1] == ',' &&
                    text_is_in(digits[2], "0123456789");
    if (!is_point || strlen(text) >= WORD_MAX || strchr(digits + 2, ','))
        return false;
    snprintf(ret, WORD_MAX, "%s", text);
    ret[digits + 1 - text] = '.';
    return true;
}

/* A number's text in the way of C, and no more behind it than its unit. */
static bool text_number(const char *text, const loose_unit *units, double *ret)
{
    char *end = NULL;
    const size_t digits = strspn(text, "+-.0123456789eE");
    const double number = strtod(text, &end);
    if (end > text + digits || end == text || !isfinite(number))
        return false; /* hexadecimal is none of it */
    end += strspn(end, " ");
    for (; units && units->name; units++) {
        if (!loose_same(end, units->name))
            continue;
        *ret = number * units->worth;
        return true;
    }
    *ret = number;
    return *end == 0;
}

/* A number, or a text that is one with a unit of the list; units scale it. */
bool loose_number(const json_t *value, const loose_unit *units, double *ret)
{
    const char *text = json_string_value(value);
    char mended[WORD_MAX];
    if (json_is_number(value)) {
        *ret = json_number_value(value);
        return isfinite(*ret);
    }
    if (!text)
        return false;
    if (mend_comma(text, mended))
        text = mended;
    text += strspn(text, " ~");
    return text_is_in(*text, "+-.0123456789") && text_number(text, units, ret);
}

/* Takes `value` over. *list becomes NULL where memory ran out, and then stays
 * so: one test at the end is enough. */
void loose_append(json_t **list, json_t *value)
{
    if (!*list) {
        json_decref(value);
        return;
    }
    if (json_array_append_new(*list, value) == 0)
        return;
    json_decref(*list);
    *list = NULL;
}
