#include "worker/builtin/place/maps.h"

#include <stdio.h>
#include <string.h>

static const char map_key[] = "\"clear\"";
enum {
    KEY_SIZE = sizeof map_key - 1,
    ROW_MARKS = 3,
    SHORTEST = 16
};

/* The byte behind a string that begins at `at`; NULL: it does not end. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"')
            return at + 1;
        at += *at == '\\';
    }
    return NULL;
}

/* The rows of the array that begins at `at`. The byte behind it; NULL: it is no
 * such map. */
static const char *map_find(const char *at, const char *end, map_text *ret)
{
    const char *first = at + 1;
    const char *close = first < end && *first == '"'
                            ? memchr(first + 1, '"', end - first - 1)
                            : NULL;
    if (!close || close - first - 1 > 2 * BUILTIN_SIDE_MAX)
        return NULL;
    const size_t digits = (size_t)(close - first - 1);
    const size_t step = digits + ROW_MARKS;
    *ret = (map_text){.first = first, .digits = (uint32_t)digits};
    for (const char *row = first; (size_t)(end - row) >= step; row += step) {
        const char *behind = row + step - 1;
        if (row[0] != '"' || behind[-1] != '"')
            return NULL;
        ret->rows++;
        if (*behind == ']')
            return behind + 1;
        if (*behind != ',')
            return NULL;
    }
    return NULL;
}

/* Is there a map behind the string, which is a key then? */
static const char *map_behind(const char *string,
                              const char *string_close,
                              const char *end,
                              map_text *ret)
{
    const bool is_key = string_close - string == KEY_SIZE &&
                        memcmp(string, map_key, KEY_SIZE) == 0;
    if (!is_key || end - string_close < 2 || memcmp(string_close, ":[", 2) != 0)
        return NULL;
    const char *behind = map_find(string_close + 1, end, ret);
    return behind && behind - string_close >= SHORTEST ? behind : NULL;
}

/* what is cut out: from the first quote's bracket to what is behind */
typedef struct cut {
    map_text map;
    const char *from, *behind;
} cut;

/* The maps that are cut out of the facts' text, in their order. */
typedef struct cuts {
    uint32_t count, room;
    cut *list;
} cuts;

/* False: out of memory. */
static bool cuts_add(cuts *c, etna_arena *arena, const cut *one)
{
    if (c->count == c->room) {
        const uint32_t room = c->room ? 2 * c->room : 64;
        cut *list = etna_arena_alloc(arena, room, sizeof *list);
        if (!list)
            return false;
        if (c->count > 0)
            memcpy(list, c->list, c->count * sizeof *list);
        c->list = list;
        c->room = room;
    }
    c->list[c->count++] = *one;
    return true;
}

/* Every text of the JSON is looked at, and those that begin a map's rows are
 * noted. An unterminated text is left for the JSON parser to complain of. */
static bool cuts_find(cuts *c, const char *json, size_t size, etna_arena *arena)
{
    const char *end = json + size;
    const char *at = memchr(json, '"', size);
    while (at) {
        cut one;
        const char *next = string_end(at, end);
        if (!next)
            return true;
        one.behind = map_behind(at, next, end, &one.map);
        one.from = next + 1;
        if (one.behind && !cuts_add(c, arena, &one))
            return false;
        next = one.behind ? one.behind : next;
        at = memchr(next, '"', (size_t)(end - next));
    }
    return true;
}

/* The text without the maps. */
static char *cuts_join(const cuts *c,
                       const char *json,
                       size_t size,
                       etna_arena *arena,
                       size_t *ret_size)
{
    size_t left = size;
    for (uint32_t i = 0; i < c->count; i++)
        left -= (size_t)(c->list[i].behind - c->list[i].from);
    char *text =
        etna_arena_alloc(arena, left + (size_t)c->count * SHORTEST + 1, 1);
    const char *from = json;
    size_t used = 0;
    if (!text)
        return NULL;
    for (uint32_t i = 0; i < c->count; i++) {
        const size_t piece = (size_t)(c->list[i].from - from);
        memcpy(text + used, from, piece);
        used += piece;
        used += (size_t)snprintf(text + used, SHORTEST, "%u", i);
        from = c->list[i].behind;
    }
    memcpy(text + used, from, (size_t)(json + size - from));
    *ret_size = used + (size_t)(json + size - from);
    return text;
}

/* The text without its maps, and where each was. The reader meets them in the
 * same order. */
etna_code maps_cut(const char *json,
                   size_t size,
                   etna_arena *arena,
                   cut_facts *ret,
                   etna_error *err)
{
    cuts found = {0};
    cut_facts out = {0};
    bool made = cuts_find(&found, json, size, arena);
    map_text *maps =
        made ? etna_arena_alloc(arena, (size_t)found.count + 1, sizeof *maps)
             : NULL;
    out.json = maps ? cuts_join(&found, json, size, arena, &out.size) : NULL;
    if (!out.json)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading facts");
    for (uint32_t i = 0; i < found.count; i++)
        maps[i] = found.list[i].map;
    out.maps = maps;
    out.map_count = found.count;
    *ret = out;
    return ETNA_OK;
}

/* What a digit is worth, plus one; 0: it is none. */
static const uint8_t digit_worth[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16};

/* Two hex digits a cell. Branch-free over the row; false: some character was no
 * digit. */
bool maps_read(const map_text *map, uint8_t *ret)
{
    const uint32_t columns = map->digits / 2;
    bool right = map->digits % 2 == 0;
    for (uint32_t j = 0; j < map->rows; j++) {
        const char *row =
            map->first + (size_t)j * (map->digits + ROW_MARKS) + 1;
        for (uint32_t i = 0; i < columns; i++) {
            const unsigned high = digit_worth[(uint8_t)row[2 * i]];
            const unsigned low = digit_worth[(uint8_t)row[2 * i + 1]];
            right &= high > 0;
            right &= low > 0;
            ret[(size_t)j * columns + i] = (uint8_t)(16 * high + low - 17);
        }
    }
    return right;
}
