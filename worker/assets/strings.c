/* Open addressing over one run of text. */
#include "worker/assets/strings.h"
#include "worker/assets/pages.h"

#include <stdlib.h>
#include <string.h>

static uint32_t string_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Hashes first: most slots that are met hold another text. */
static bool string_is(const strings *s,
                      uint32_t number,
                      const char *text,
                      uint32_t hash)
{
    return s->hashes[number] == hash &&
           strcmp(strings_text(s, number), text) == 0;
}

/* The text's slot, or the empty one where it belongs; at most half are
 * taken. */
static uint32_t *strings_slot(const strings *s, const char *text, uint32_t hash)
{
    uint32_t at = hash & (s->slot_count - 1);
    while (s->slots[at] && !string_is(s, s->slots[at] - 1, text, hash))
        at = (at + 1) & (s->slot_count - 1);
    return &s->slots[at];
}

uint32_t strings_find(const strings *s, const char *text)
{
    return s->slot_count ? *strings_slot(s, text, string_hash(text)) - 1u
                         : STRINGS_NONE;
}

static bool strings_widen(strings *s)
{
    uint32_t count = s->slot_count ? 2 * s->slot_count : 1024;
    uint32_t *old = s->slots;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    pages_enlarge(slots, count * sizeof *slots);
    s->slots = slots;
    s->slot_count = count;
    for (uint32_t i = 0; i < s->count; i++)
        *strings_slot(s, strings_text(s, i), s->hashes[i]) = i + 1;
    free(old);
    return true;
}

/* Room for `more` bytes of texts; false: no memory. */
static bool text_reserve(strings *s, size_t more)
{
    if (s->size + more <= s->room)
        return true;
    size_t room = s->room ? 2 * s->room : 4096;
    while (room < s->size + more)
        room *= 2;
    char *grown = room <= UINT32_MAX ? realloc(s->text, room) : NULL;
    if (!grown)
        return false;
    pages_enlarge(grown, room);
    s->text = grown;
    s->room = room;
    return true;
}

/* Room for a string of `more` bytes; false: no memory. */
static bool strings_reserve(strings *s, size_t more)
{
    if (!text_reserve(s, more))
        return false;
    if (s->count < s->at_room)
        return true;
    uint32_t room = s->at_room ? 2 * s->at_room : 512;
    uint32_t *grown = room < (UINT32_C(1) << 31)
                          ? realloc(s->at, room * sizeof *grown)
                          : NULL;
    if (!grown)
        return false;
    s->at = grown;
    grown = realloc(s->hashes, room * sizeof *grown);
    if (!grown)
        return false;
    s->hashes = grown;
    s->at_room = room;
    return true;
}

uint32_t strings_add(strings *s, const char *text)
{
    uint32_t known = strings_find(s, text);
    if (known != STRINGS_NONE)
        return known;
    size_t size = strlen(text) + 1;
    if (2 * (s->count + 1) > s->slot_count && !strings_widen(s))
        return STRINGS_NONE;
    if (!strings_reserve(s, size))
        return STRINGS_NONE;
    memcpy(s->text + s->size, text, size);
    s->at[s->count] = (uint32_t)s->size;
    s->hashes[s->count] = string_hash(text);
    s->size += size;
    *strings_slot(s, text, s->hashes[s->count]) = s->count + 1;
    return s->count++;
}

void strings_free(strings *s)
{
    free(s->text);
    free(s->at);
    free(s->hashes);
    free(s->slots);
    *s = (strings){.size = 0};
}
