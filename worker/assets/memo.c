/* See memo.h. */
#include "worker/assets/memo.h"

#include <stdlib.h>

const memo_span *memo_find(const memo_table *t, const char *key)
{
    uint32_t known = strings_find(&t->keys, key);
    return known == STRINGS_NONE ? NULL : &t->spans[known];
}

/* Room for one more row. */
static bool table_reserve(memo_table *t)
{
    if (t->keys.count < t->room)
        return true;
    uint32_t room = t->room ? 2 * t->room : 1024;
    memo_span *grown = realloc(t->spans, room * sizeof *grown);
    if (!grown)
        return false;
    t->spans = grown;
    t->room = room;
    return true;
}

bool memo_add(memo_table *t, const char *key, memo_span span, bool *ret_kept)
{
    *ret_kept = false;
    if (t->keys.count >= MEMO_MOST)
        return true;
    if (!table_reserve(t))
        return false;
    uint32_t number = strings_add(&t->keys, key);
    if (number == STRINGS_NONE)
        return false;
    t->spans[number] = span;
    *ret_kept = true;
    return true;
}

void memo_table_free(memo_table *t)
{
    strings_free(&t->keys);
    free(t->spans);
    *t = (memo_table){.room = 0};
}

/* ---- kinds ---- */

static bool ids_reserve(memo_ids *m)
{
    if (m->phrases.count < m->room)
        return true;
    uint32_t room = m->room ? 2 * m->room : 1024;
    const kinds_id **grown = realloc(m->ids, room * sizeof *grown);
    if (!grown)
        return false;
    m->ids = grown;
    m->room = room;
    return true;
}

const kinds_id *memo_id(memo_ids *m,
                        const char *phrase,
                        bool kept,
                        bool *failed)
{
    uint32_t known = strings_find(&m->phrases, phrase);
    if (known != STRINGS_NONE)
        return m->ids[known];
    bool is_known = kinds_find(phrase, &m->last);
    if (!kept && m->phrases.count >= MEMO_MOST)
        return is_known ? &m->last : NULL;
    kinds_id *own = is_known
                        ? etna_arena_memdup(&m->arena, &m->last, sizeof m->last)
                        : NULL;
    bool has_room = (own || !is_known) && ids_reserve(m);
    uint32_t number =
        has_room ? strings_add(&m->phrases, phrase) : STRINGS_NONE;
    if (number == STRINGS_NONE) {
        *failed = true;
        return NULL;
    }
    m->ids[number] = own;
    return own;
}

const kinds_id *memo_above(memo_ids *m, uint16_t kind, bool *failed)
{
    if (m->above[kind])
        return m->above[kind];
    kinds_id *own = etna_arena_alloc(&m->arena, 1, sizeof *own);
    if (own)
        kinds_find_above(kind, own);
    else
        *failed = true;
    return m->above[kind] = own;
}

void memo_ids_free(memo_ids *m)
{
    strings_free(&m->phrases);
    free(m->ids);
    etna_arena_free(&m->arena);
}
