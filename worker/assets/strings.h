/* Numbers for strings, from 0 in the order they came. Internal to
 * worker/assets. */
#ifndef ETNA_WORKER_ASSETS_STRINGS_H
#define ETNA_WORKER_ASSETS_STRINGS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STRINGS_NONE = UINT32_MAX
};

typedef struct strings { /* all zero is empty */
    char *text;          /* one after the other, each with its zero */
    size_t size, room;
    uint32_t *at, *hashes, count, at_room;
    uint32_t *slots, slot_count; /* numbers + 1 */
} strings;

/* STRINGS_NONE: no memory, or there are 2^31. */
uint32_t strings_add(strings *s, const char *text);
uint32_t strings_find(const strings *s, const char *text); /* STRINGS_NONE */
static inline const char *strings_text(const strings *s, uint32_t number)
{
    assert(number < s->count);
    return s->text + s->at[number];
}
void strings_free(strings *s);

#endif
