/* Looking at JSON text without a parser: is it shallow and small enough to be
 * parsed, and where in the bytes does a member stand? The first guards Jansson
 * against hostile depth and amplification; the second lets export change a
 * number and leave every other byte alone. Internal to worker/scene. */
#ifndef ETNA_WORKER_GLTF_JSON_H
#define ETNA_WORKER_GLTF_JSON_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JSON_DEPTH_MAX = 256,
    JSON_VALUES_MAX = 24 << 20, /* each costs Jansson about 40 bytes */
    JSON_TEXT_MAX = 256 << 20
};

/* ETNA_E_LIMIT when the text nests deeper than JSON_DEPTH_MAX or holds more
 * than JSON_VALUES_MAX values; `what` names it. */
etna_code json_check_bounds(const char *text,
                            size_t size,
                            const char *what,
                            etna_error *err);

/* Space between tokens, and what old writers put there. */
bool json_is_blank(char c);

/* bytes [begin, end) of a value; of a member also where its key begins (the
 * quote) */
typedef struct json_span {
    size_t begin, end, key;
} json_span;

/* Of text that Jansson has accepted. The root value; a member of an object by
 * its (unescaped, ASCII) key, false when it has none; the spans of an array's
 * elements (malloc'd, *ret_count of them), NULL when memory ends or it is no
 * array. */
json_span json_root(const char *text, size_t size);
bool json_member(const char *text,
                 json_span object,
                 const char *key,
                 json_span *ret);
json_span *json_elements(const char *text, json_span array, size_t *ret_count);

/* An edit of the text: the bytes [begin, end) become `with`. */
typedef struct json_edit {
    size_t begin, end;
    char *with; /* owned by the list */
} json_edit;

typedef struct json_edits {
    json_edit *items;
    size_t count, capacity;
    bool failed; /* out of memory: sticks */
} json_edits;

void json_edits_free(json_edits *edits); /* the list's own; all zero is fine */
/* Notes that [begin, end) of the original text become a copy of `with`; a pure
 * insertion has begin == end. When memory ends, edits->failed sticks, and
 * json_edits_apply returns NULL. */
void json_edit_add(json_edits *edits,
                   size_t begin,
                   size_t end,
                   const char *with);
/* Sets `key` of the object to the JSON text `value`: replaces the old value or
 * adds the member behind the brace. */
void json_edit_set(json_edits *edits,
                   const char *text,
                   json_span object,
                   const char *key,
                   const char *value);
/* Removes `key` of the object, with one comma where it had a neighbour; nothing
 * when it is not there. Other members may be edited, too, but not the one
 * before it removed. */
void json_edit_remove(json_edits *edits,
                      const char *text,
                      json_span object,
                      const char *key);
/* The text with all edits made; they must not overlap. Caller frees. NULL when
 * memory ended. */
char *json_edits_apply(const json_edits *edits,
                       const char *text,
                       size_t size,
                       size_t *ret_size);

/* `value` in the fewest digits (15 to 17) that read back to the same double. */
void json_number(double value, char text[32]);

#endif
