/* Lists of candidates: things that a phrase may mean, each with what that
 * costs. A list is narrowed in place by tests and measures, and becomes a set
 * when it is known which are meant. */
#include "worker/builtin/read/refer_internal.h"

#include <math.h>

etna_code candidates_make(reader *r, candidates *ret)
{
    ret->count = 0;
    ret->items = etna_arena_alloc(r->arena, r->facts->object_count + 1u,
                                  sizeof *ret->items);
    return ret->items ? ETNA_OK : reader_no_memory(r);
}

void candidates_add(candidates *c, uint32_t object, uint32_t cost)
{
    c->items[c->count++] = (candidate){.object = object, .cost = cost};
}

etna_code candidates_of_set(reader *r, const builtin_set *set, candidates *ret)
{
    const etna_code code = candidates_make(r, ret);
    for (uint32_t i = 0; code == ETNA_OK && i < set->count; i++)
        candidates_add(ret, set->objects[i], 0);
    return code;
}

uint32_t candidates_least(const candidates *c)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        least = c->items[i].cost < least ? c->items[i].cost : least;
    return least;
}

uint32_t candidates_near(const candidates *c)
{
    uint32_t least = candidates_least(c);
    uint32_t near = 0;
    for (uint32_t i = 0; i < c->count; i++)
        near += c->items[i].cost <= least + SLACK_ONE;
    return near;
}

void candidates_within(candidates *c, uint32_t slack)
{
    uint32_t least = candidates_least(c);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->items[i].cost <= least + slack)
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
}

void candidates_select(candidates *c,
                       candidate_test *test,
                       const void *context,
                       bool wanted)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (test(context, c->items[i].object) == wanted)
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
}

uint32_t candidates_count(const candidates *c,
                          candidate_test *test,
                          const void *context)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count += test(context, c->items[i].object);
    return count;
}

bool candidates_prefer(candidates *c, candidate_test *test, const void *context)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (!test(context, c->items[i].object))
            continue;
        candidates_select(c, test, context, true);
        return true;
    }
    return false;
}

void candidates_only(candidates *c, uint32_t index)
{
    c->items[0] = c->items[index];
    c->count = 1;
}

/* The one with the least measure, of equals the first. */
void candidates_pick(candidates *c,
                     candidate_measure *measure,
                     const void *context)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        double own = measure(context, c->items[i].object);
        if (own >= least)
            continue;
        least = own;
        best = i;
    }
    if (c->count > 0)
        candidates_only(c, best);
}

/* Stable, the least measure first. */
void candidates_sort(candidates *c,
                     candidate_measure *measure,
                     const void *context)
{
    for (uint32_t i = 1; i < c->count; i++) {
        candidate own = c->items[i];
        double rank = measure(context, own.object);
        uint32_t at = i;
        for (; at > 0 && measure(context, c->items[at - 1].object) > rank; at--)
            c->items[at] = c->items[at - 1];
        c->items[at] = own;
    }
}

bool candidate_is_bare(const void *context, uint32_t object)
{
    const builtin_facts *facts = context;
    return facts->objects[object].on_count == 0;
}

bool candidate_moves(const void *context, uint32_t object)
{
    return object_moves(context, object);
}

/* Objects ascending, whatever order the candidates have. */
etna_code candidates_set(reader *r,
                         const candidates *c,
                         uint32_t need,
                         builtin_set *ret)
{
    uint32_t *objects =
        etna_arena_alloc(r->arena, c->count + 1u, sizeof *objects);
    if (!objects)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t object = c->items[i].object;
        uint32_t at = i;
        for (; at > 0 && objects[at - 1] > object; at--)
            objects[at] = objects[at - 1];
        objects[at] = object;
    }
    *ret = (builtin_set){.count = c->count, .objects = objects, .need = need};
    return ETNA_OK;
}

bool object_moves(const builtin_facts *facts, uint32_t object)
{
    return !facts->objects[object].is_static &&
           !facts->objects[object].immovable;
}

etna_code candidates_copy(reader *r, const candidates *c, candidates *ret)
{
    const etna_code code = candidates_make(r, ret);
    for (uint32_t i = 0; code == ETNA_OK && i < c->count; i++)
        ret->items[ret->count++] = c->items[i];
    return code;
}

static bool candidates_have_word(const reader *r,
                                 const candidates *c,
                                 const char *word)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *const o = &r->facts->objects[c->items[i].object];
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (strcmp(o->words[k], word) == 0)
                return true;
        }
    }
    return false;
}

/* What is seen of a thing, whatever its name: "red", "small", "left". */
static bool word_is_seen(const char *word)
{
    bool superlative = false;
    return lexicon_colour(word) > 0 || lexicon_size(word, &superlative) != 0 ||
           match_word_side(word) != 0 || lexicon_number(word) > 0;
}

bool candidates_lose_word(const reader *r,
                          const match_query *q,
                          const candidates *before,
                          const candidates *after)
{
    for (uint32_t i = 0; i + 1 < q->count && after->count > 0; i++) {
        const char *const word = q->words[i];
        if (!word_is_seen(word) && candidates_have_word(r, before, word) &&
            !candidates_have_word(r, after, word))
            return true;
    }
    return false;
}
