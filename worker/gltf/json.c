/* Scanning JSON text by bytes. The bounds scanner runs on hostile text and
 * understands only strings and brackets; the span functions run on text that a
 * parser accepted, but never read past its end all the same. */
#include "worker/gltf/json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t json_skip_string(const char *text, size_t at, size_t end);

static bool json_opens(char c)
{
    return c == '[' || c == '{';
}
static bool json_closes(char c)
{
    return c == ']' || c == '}';
}

/* Counts values by brackets and commas, which is never less than there are. */
etna_code json_check_bounds(const char *text,
                            size_t size,
                            const char *what,
                            etna_error *err)
{
    if (size > JSON_TEXT_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%s: %zu bytes of JSON are more than the %d this reads", what, size,
            (int)JSON_TEXT_MAX);
    }
    size_t depth = 0, values = 1;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '"') {
            i = json_skip_string(text, i, size) - 1;
            continue;
        }
        values += json_opens(c) || c == ',';
        if (json_opens(c) && ++depth > JSON_DEPTH_MAX) {
            return etna_fail(
                err, ETNA_E_LIMIT,
                "%s: JSON nested deeper than %d levels (at byte %zu)", what,
                (int)JSON_DEPTH_MAX, i);
        }
        if (json_closes(c))
            depth -= depth > 0;
    }
    if (values > JSON_VALUES_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "%s: %zu JSON values are more than the %d this reads",
                         what, values, (int)JSON_VALUES_MAX);
    }
    return ETNA_OK;
}

static bool json_is_space(char c)
{
    return c != 0 && strchr(" \t\n\r", c);
}

/* Also what no JSON allows: it is asked of text that a parser accepted. */
bool json_is_blank(char c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

static size_t json_skip_space(const char *text, size_t at, size_t end)
{
    while (at < end && json_is_space(text[at])) {
        at++;
    }
    return at;
}

/* Past the string that begins at `at` (a quote). */
static size_t json_skip_string(const char *text, size_t at, size_t end)
{
    for (at++; at < end; at++) {
        if (text[at] == '\\') {
            at++;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return end;
}

/* Past the list or object that begins at `at` (its bracket). */
static size_t json_skip_nested(const char *text, size_t at, size_t end)
{
    size_t depth = 0;
    while (at < end) {
        char c = text[at];
        if (c == '"') {
            at = json_skip_string(text, at, end);
            continue;
        }
        at++;
        depth += json_opens(c);
        if (json_closes(c) && --depth == 0)
            return at;
    }
    return end;
}

/* Past the value that begins at `at`. */
static size_t json_skip_value(const char *text, size_t at, size_t end)
{
    if (at >= end)
        return at;
    if (text[at] == '"')
        return json_skip_string(text, at, end);
    if (json_opens(text[at]))
        return json_skip_nested(text, at, end);
    while (at < end && !json_is_space(text[at]) && !strchr(",]}", text[at])) {
        at++;
    }
    return at;
}

json_span json_root(const char *text, size_t size)
{
    size_t begin = json_skip_space(text, 0, size);
    return (json_span){begin, json_skip_value(text, begin, size), begin};
}

/* The first member of that name, written without escapes; a key with escapes is
 * not found, and callers say so. */
bool json_member(const char *text,
                 json_span object,
                 const char *key,
                 json_span *ret)
{
    if (object.begin >= object.end || text[object.begin] != '{') {
        return false;
    }
    size_t at = object.begin + 1;
    size_t end = object.end;
    size_t length = strlen(key);
    for (;;) {
        at = json_skip_space(text, at, end);
        if (at >= end || text[at] != '"') {
            return false;
        }
        size_t key_at = at;
        at = json_skip_string(text, at, end);
        bool found = at - key_at == length + 2 &&
                     memcmp(text + key_at + 1, key, length) == 0;
        at = json_skip_space(text, at, end);
        at = json_skip_space(text, at + 1, end); /* the colon */
        size_t value = at;
        at = json_skip_value(text, at, end);
        if (found) {
            *ret = (json_span){value, at, key_at};
            return true;
        }
        at = json_skip_space(text, at, end);
        if (at >= end || text[at] != ',') {
            return false;
        }
        at++;
    }
}

/* NULL: it is no list, or memory ended. The caller frees. */
json_span *json_elements(const char *text, json_span array, size_t *ret_count)
{
    if (array.begin >= array.end || text[array.begin] != '[') {
        return NULL;
    }
    size_t count = 0, capacity = 16;
    size_t at = array.begin + 1;
    json_span *spans = malloc(capacity * sizeof *spans);
    while (spans) {
        at = json_skip_space(text, at, array.end);
        if (at >= array.end || text[at] == ']') {
            break;
        }
        if (count == capacity) {
            capacity *= 2;
            json_span *grown = realloc(spans, capacity * sizeof *spans);
            if (!grown) {
                free(spans);
                return NULL;
            }
            spans = grown;
        }
        size_t begin = at;
        at = json_skip_value(text, at, array.end);
        spans[count++] = (json_span){begin, at, begin};
        at = json_skip_space(text, at, array.end);
        if (at < array.end && text[at] == ',') {
            at++;
        }
    }
    *ret_count = count;
    return spans;
}

/* ---- edits ---- */

void json_edits_free(json_edits *edits)
{
    for (size_t i = 0; i < edits->count; i++) {
        free(edits->items[i].with);
    }
    free(edits->items);
    *edits = (json_edits){0};
}

/* After a failure it does nothing more; json_edits_apply then gives NULL. */
void json_edit_add(json_edits *edits,
                   size_t begin,
                   size_t end,
                   const char *with)
{
    if (edits->failed) {
        return;
    }
    if (edits->count == edits->capacity) {
        size_t capacity = edits->capacity ? edits->capacity * 2 : 16;
        json_edit *grown = realloc(edits->items, capacity * sizeof *grown);
        if (!grown) {
            edits->failed = true;
            return;
        }
        edits->items = grown;
        edits->capacity = capacity;
    }
    char *copy = strdup(with);
    if (!copy) {
        edits->failed = true;
        return;
    }
    edits->items[edits->count++] = (json_edit){begin, end, copy};
}

/* A new member stands first in the object, where no comma before it is
 * needed. */
void json_edit_set(json_edits *edits,
                   const char *text,
                   json_span object,
                   const char *key,
                   const char *value)
{
    json_span old;
    if (json_member(text, object, key, &old)) {
        json_edit_add(edits, old.begin, old.end, value);
        return;
    }
    size_t first = json_skip_space(text, object.begin + 1, object.end);
    bool empty = first < object.end && text[first] == '}';
    size_t room = strlen(key) + strlen(value) + 8;
    char *member = malloc(room);
    if (!member) {
        edits->failed = true;
        return;
    }
    snprintf(member, room, "\"%s\":%s%s", key, value, empty ? "" : ",");
    json_edit_add(edits, object.begin + 1, object.begin + 1, member);
    free(member);
}

/* By place; at one place in the order they were added, which their pointers'
 * order in the list tells. */
static int compare_edits(const void *a, const void *b)
{
    const json_edit *const *x = a, *const *y = b;
    if ((*x)->begin != (*y)->begin) {
        return (*x)->begin < (*y)->begin ? -1 : 1;
    }
    return *x < *y ? -1 : *x > *y;
}

/* With the comma behind it, or the one before when it is the last. */
void json_edit_remove(json_edits *edits,
                      const char *text,
                      json_span object,
                      const char *key)
{
    json_span member;
    if (!json_member(text, object, key, &member)) {
        return;
    }
    size_t begin = member.key, end = member.end;
    while (end < object.end && json_is_blank(text[end]))
        end++;
    if (text[end] == ',') {
        end++;
    } else { /* the last: the comma before goes, where there is one */
        end = member.end;
        for (size_t at = begin; at > object.begin + 1;) {
            at--;
            if (text[at] == ',') {
                begin = at;
                break;
            }
        }
    }
    json_edit_add(edits, begin, end, "");
}

/* Edits must not overlap; at one place they stand in the order in which they
 * were added. */
char *json_edits_apply(const json_edits *edits,
                       const char *text,
                       size_t size,
                       size_t *ret_size)
{
    if (edits->failed) {
        return NULL;
    }
    size_t total = size;
    const json_edit **order = malloc((edits->count + 1) * sizeof *order);
    for (size_t i = 0; order && i < edits->count; i++) {
        order[i] = &edits->items[i];
        total += strlen(edits->items[i].with);
    }
    char *out = order ? malloc(total + 1) : NULL;
    if (out) {
        qsort(order, edits->count, sizeof *order, compare_edits);
        size_t at = 0, n = 0;
        for (size_t i = 0; i < edits->count; i++) {
            size_t length = strlen(order[i]->with);
            assert(at <= order[i]->begin && order[i]->begin <= order[i]->end &&
                   order[i]->end <= size);
            memcpy(out + n, text + at, order[i]->begin - at);
            n += order[i]->begin - at;
            memcpy(out + n, order[i]->with, length);
            n += length;
            at = order[i]->end;
        }
        memcpy(out + n, text + at, size - at);
        n += size - at;
        out[n] = 0;
        *ret_size = n;
    }
    free(order);
    return out;
}

/* The fewest digits of 15 to 17 that give the same double back. */
void json_number(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}
