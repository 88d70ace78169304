/* What is remembered of phrases while a text is read: the same words are asked
 * for by each tree that has them, by each place that they may tell, and by each
 * text that a refusal tries. */
#include "worker/builtin/read/reader.h"

enum {
    MEMORY_PHRASES = 128
}; /* a power of two: each phrase has one place, the next one takes it */

typedef struct memory_phrase { /* its words, and the query that they make */
    uint32_t count;            /* 0: none yet */
    const char *words[REFER_WORDS_MAX];
    match_query query;
} memory_phrase;

typedef struct memory_row { /* what all things answer to a phrase */
    const char *whole;      /* its words; NULL: none yet */
    match_result *results;  /* one an object */
    /* of each object, the first from it on that answers */
    uint32_t *next;
} memory_row;

struct match_memory {
    etna_arena *arena;
    uint32_t object_count;
    const memory_row *asked; /* the row of the last question */
    memory_phrase phrases[MEMORY_PHRASES];
    memory_row rows[MEMORY_PHRASES];
};

match_memory *match_memory_new(etna_arena *arena, uint32_t object_count)
{
    match_memory *memory = etna_arena_alloc(arena, 1, sizeof *memory);
    if (!memory)
        return NULL;
    memset(memory, 0, sizeof *memory);
    memory->arena = arena;
    memory->object_count = object_count;
    return memory;
}

/* FNV-1a, on from `hash`. */
static uint32_t text_hash(uint32_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash ^ hash >> 15;
}

/* ---- queries ---- */

static uint32_t words_hash(const char *const *words, uint32_t count)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        hash = text_hash(hash, words[i]);
    return hash % MEMORY_PHRASES;
}

static bool phrase_is(const memory_phrase *phrase,
                      const char *const *words,
                      uint32_t count)
{
    if (phrase->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(phrase->words[i], words[i]) != 0)
            return false;
    }
    return true;
}

/* The same phrases come again with every tree that is tried, hence a memory of
 * one phrase a slot. Without one it is made each time. */
etna_code reader_query(const reader *r,
                       const char *const *words,
                       uint32_t count,
                       match_query *ret)
{
    const bool remembered = r->matches && count > 0 && count <= REFER_WORDS_MAX;
    if (!remembered)
        return match_query_make(words, count, r->arena, ret, r->err);
    memory_phrase *const phrase =
        &r->matches->phrases[words_hash(words, count)];
    if (!phrase_is(phrase, words, count)) {
        phrase->count = 0;
        etna_code code =
            match_query_make(words, count, r->arena, &phrase->query, r->err);
        if (code != ETNA_OK)
            return code;
        memcpy(phrase->words, words, count * sizeof *words);
        phrase->count = count;
    }
    *ret = phrase->query;
    return ETNA_OK;
}

/* ---- answers ---- */

/* False: out of memory. */
static bool row_make_room(memory_row *row, const match_memory *memory)
{
    if (!row->results)
        row->results = etna_arena_alloc(
            memory->arena, memory->object_count + 1u, sizeof *row->results);
    if (!row->next)
        row->next = etna_arena_alloc(memory->arena, memory->object_count + 1u,
                                     sizeof *row->next);
    return row->results && row->next;
}

static void row_fill(memory_row *row, const reader *r, const match_query *q)
{
    row->next[r->matches->object_count] = r->matches->object_count;
    for (uint32_t i = r->matches->object_count; i-- > 0;) {
        row->results[i] = match_object(r->facts, r->kinds, i, q);
        row->next[i] = row->results[i].cost < MATCH_NONE ? i : row->next[i + 1];
    }
    row->whole = q->whole;
}

/* NULL: nothing is remembered of the phrase. */
static const memory_row *row_find(const reader *r, const match_query *q)
{
    match_memory *const memory = r->matches;
    if (!memory || q->count == 0)
        return NULL;
    /* A text in the arena neither moves nor changes: its address tells it. */
    if (memory->asked && memory->asked->whole == q->whole)
        return memory->asked;
    memory_row *const row =
        &memory->rows[text_hash(2166136261u, q->whole) % MEMORY_PHRASES];
    if (!row->whole || strcmp(row->whole, q->whole) != 0) {
        row->whole = NULL;
        if (!row_make_room(row, memory))
            return NULL;
        row_fill(row, r, q);
    }
    memory->asked = row;
    return row;
}

match_result reader_match(const reader *r,
                          uint32_t object,
                          const match_query *q)
{
    const memory_row *const row = row_find(r, q);
    return row ? row->results[object]
               : match_object(r->facts, r->kinds, object, q);
}

uint32_t reader_match_next(const reader *r, uint32_t from, const match_query *q)
{
    const memory_row *const row = row_find(r, q);
    if (row)
        return row->next[from];
    while (from < r->facts->object_count &&
           match_object(r->facts, r->kinds, from, q).cost >= MATCH_NONE)
        from++;
    return from;
}
