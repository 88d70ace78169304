/* "The pile of plates", "the stacked bowls", "the stack with the others": things
 * of one kind that stand on one another in the scene, meant as one. As a place it
 * is what lies on top where something goes onto it, else what lies lowest; what
 * is moved is the lowest, and the others go along. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/stage_internal.h"

typedef struct heap_search {
    const reader *r;
    const candidates *of; /* of which it is made */
    /* of the candidate at the same place, the lowest of its heap */
    uint32_t *lowest;
} heap_search;

typedef enum heap_form {
    HEAP_NONE,
    HEAP_ONE,    /* "the pile", "the plate stack" */
    HEAP_SEVERAL /* "the stacked plates", "the two that are stacked" */
} heap_form;

static bool word_is_in_names(const reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (object_has_word(object_at(r, i), word))
            return true;
    }
    return false;
}

/* "... that are stacked" */
static bool heap_is_told_behind(const resolution *t)
{
    const chart_node *that = chart_child(t->thing, "THAT");
    const char *words[REFER_WORDS_MAX];
    return that && phrase_words(t->r, that, words) == 1 &&
           lexicon_lists("heap: piled", words[0]);
}

/* Which form the phrase has; *ret_words: what it is of, and how many. */
static heap_form heap_read_form(const resolution *t,
                                const char *ret_words[REFER_WORDS_MAX],
                                uint32_t *ret_count)
{
    const uint32_t count = t->word_count;
    const char *const last = count > 0 ? t->words[count - 1] : "";
    uint32_t piled = 0;
    *ret_count = 0;
    if (lexicon_lists("stage: pile", last)) {
        const bool one =
            (t->amount.says & SAYS_DEFINITE) && t->amount.number < 2;
        if (!one || word_is_in_names(t->r, last))
            return HEAP_NONE;
        *ret_count = count - 1;
        memcpy(ret_words, t->words, *ret_count * sizeof *ret_words);
        return HEAP_ONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && lexicon_lists("heap: piled", t->words[i]))
            piled++;
        else
            ret_words[(*ret_count)++] = t->words[i];
    }
    const bool told = piled == 1 || heap_is_told_behind(t);
    return told && t->plural ? HEAP_SEVERAL : HEAP_NONE;
}

/* "... with the others": of what is moved. */
static bool heap_is_of_others(const resolution *t)
{
    const chart_node *having = chart_child(t->thing, "HAVING");
    const chart_node *what = having ? node_last_phrase(having) : NULL;
    const char *words[REFER_WORDS_MAX];
    return what && node_is(what, "THING") &&
           (phrase_quantity(what).says & (SAYS_OTHER | SAYS_REST)) &&
           phrase_words(t->r, what, words) == 0;
}

/* What it may be made of: what the words call so, else whatever can be moved. */
static etna_code heap_gather(const resolution *t,
                             const char *const *words,
                             uint32_t count,
                             candidates *ret)
{
    resolution any = *t;
    match_query q;
    const chart_node *of = chart_child(t->thing, "OF");
    any.amount = (quantity){0};
    etna_code code = candidates_make(t->r, ret);
    if (code == ETNA_OK && count == 0 && of)
        code = phrase_query(t->r, node_last_phrase(of), &q);
    else if (code == ETNA_OK)
        code = reader_query(t->r, words, count, &q);
    if (code != ETNA_OK)
        return code;
    if (q.count == 0)
        q.generic = true;
    gather(&any, &q, ret);
    candidates_select(ret, candidate_moves, t->r->facts, true);
    candidates_within(ret, SLACK_MANY);
    if (q.colour)
        candidates_by_colour(t->r, ret, &q, true, 0);
    return ETNA_OK;
}

/* Are they of one known kind? */
static bool objects_are_alike(const reader *r, uint32_t a, uint32_t b)
{
    return r->kinds[a].head_words > 0 &&
           kinds_id_distance(&r->kinds[a], &r->kinds[b]) < KINDS_STEP;
}

/* What of them an object of them stands on; BUILTIN_NONE: nothing. */
static uint32_t heap_below(const heap_search *s, uint32_t object)
{
    for (uint32_t i = 0; i < s->of->count; i++) {
        const uint32_t other = s->of->items[i].object;
        if (other != object && objects_are_alike(s->r, object, other) &&
            builtin_stands_on(s->r->facts, object, other))
            return other;
    }
    return BUILTIN_NONE;
}

static uint32_t heap_lowest(const heap_search *s, uint32_t object)
{
    uint32_t lowest = object;
    for (uint32_t steps = 0; steps < s->of->count; steps++) {
        const uint32_t below = heap_below(s, lowest);
        if (below == BUILTIN_NONE)
            return lowest;
        lowest = below;
    }
    return lowest;
}

static uint32_t heap_size(const heap_search *s, uint32_t lowest)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < s->of->count; i++)
        size += s->lowest[i] == lowest;
    return size;
}

/* The lowest thing of each heap. ETNA_E_NOMEM. */
static etna_code heaps_find(reader *r, heap_search *s, candidates *ret)
{
    s->lowest =
        etna_arena_alloc(r->arena, s->of->count + 1u, sizeof *s->lowest);
    if (!s->lowest)
        return reader_no_memory(r);
    etna_code code = candidates_make(r, ret);
    for (uint32_t i = 0; i < s->of->count; i++)
        s->lowest[i] = heap_lowest(s, s->of->items[i].object);
    for (uint32_t i = 0; i < s->of->count && code == ETNA_OK; i++) {
        const uint32_t object = s->of->items[i].object;
        if (s->lowest[i] == object && heap_size(s, object) > 1)
            candidates_add(ret, object, 0);
    }
    return code;
}

static bool heap_is_like_moved(const void *context, uint32_t object)
{
    const reader *r = context;
    for (uint32_t i = 0; i < r->moving.count; i++) {
        if (objects_are_alike(r, r->moving.objects[i], object))
            return true;
    }
    return false;
}

/* The members, from the lowest up. ETNA_E_NOMEM. */
static etna_code heap_members(reader *r,
                              const heap_search *s,
                              uint32_t lowest,
                              builtin_set *ret)
{
    uint32_t *own = etna_arena_alloc(r->arena, s->of->count + 1u, sizeof *own);
    uint32_t count = 0;
    if (!own)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < s->of->count; i++) {
        if (s->lowest[i] == lowest)
            own[count++] = s->of->items[i].object;
    }
    *ret = (builtin_set){.count = count, .objects = own, .need = count};
    return ETNA_OK;
}

/* What no other of them stands on. */
static uint32_t heap_top(const reader *r, const builtin_set *members)
{
    for (uint32_t i = 0; i < members->count; i++) {
        const uint32_t object = members->objects[i];
        bool bears = false;
        for (uint32_t k = 0; k < members->count && !bears; k++)
            bears = members->objects[k] != object &&
                    builtin_stands_on(r->facts, members->objects[k], object);
        if (!bears)
            return object;
    }
    return members->objects[0];
}

static bool candidate_is_member(const void *context, uint32_t object)
{
    return set_has(context, object);
}

/* Of several heaps the one that is told by its place, or that what is moved goes
 * with. */
static etna_code heaps_narrow(resolution *t, candidates *heaps)
{
    match_query q = {.whole = ""};
    if (!heap_is_of_others(t) && chart_child(t->thing, "MOD")) {
        etna_code code = candidates_modify(t->r, t->thing, &q, heaps);
        if (code != ETNA_OK)
            return code;
    }
    if (heaps->count > 1)
        candidates_prefer(heaps, heap_is_like_moved, t->r);
    return ETNA_OK;
}

etna_code heap_keep_members(reader *r,
                            const chart_node *heap,
                            candidates *c,
                            bool *ret_done)
{
    const char *words[REFER_WORDS_MAX];
    heap_search search = {.r = r, .of = c};
    candidates heaps;
    builtin_set members;
    *ret_done = false;
    if (!node_is(heap, "THING") || phrase_words(r, heap, words) != 1 ||
        !lexicon_lists("stage: pile", words[0]) ||
        word_is_in_names(r, words[0]))
        return ETNA_OK;
    etna_code code = heaps_find(r, &search, &heaps);
    if (code != ETNA_OK || heaps.count != 1)
        return code;
    code = heap_members(r, &search, heaps.items[0].object, &members);
    if (code != ETNA_OK)
        return code;
    candidates_select(c, candidate_is_member, &members, true);
    *ret_done = true;
    return ETNA_OK;
}

static etna_code heap_answer(stage *s,
                             heap_form form,
                             const builtin_set *members,
                             uint32_t lowest)
{
    reader *r = s->t.r;
    const uint32_t at = phrase_is_stood_on(s) ? heap_top(r, members) : lowest;
    if (!s->t.scope.movers)
        return stage_answer(s, set_one(r, at));
    return stage_answer(s, form == HEAP_ONE ? set_one(r, lowest) : *members);
}

etna_code stage_read_heap(stage *s)
{
    resolution *t = &s->t;
    const char *words[REFER_WORDS_MAX];
    uint32_t count;
    candidates of, heaps;
    heap_search search = {.r = t->r, .of = &of};
    builtin_set members;
    const heap_form form = heap_read_form(t, words, &count);
    if (form == HEAP_NONE)
        return ETNA_OK;
    etna_code code = heap_gather(t, words, count, &of);
    if (code == ETNA_OK)
        code = heaps_find(t->r, &search, &heaps);
    if (code == ETNA_OK && heaps.count > 0)
        code = heaps_narrow(t, &heaps);
    if (code != ETNA_OK || heaps.count == 0)
        return code;
    if (heaps.count > 1) {
        char names[REFER_NAMES_SIZE];
        refuse_names(t->r->facts, &heaps, names);
        return reader_refuse(t->r, CODE_AMBIGUOUS, t->thing,
                             "\"%s\" may be the one on any of %u: %s",
                             reader_said(t->r, t->thing), heaps.count, names);
    }
    const uint32_t lowest = heaps.items[0].object;
    code = heap_members(t->r, &search, lowest, &members);
    const bool counted =
        t->amount.number > 1 && t->amount.number != members.count;
    if (code != ETNA_OK || counted)
        return code;
    return heap_answer(s, form, &members, lowest);
}

/* How many words before the last name a collection: of "the drum kit" one, of
 * "the train", which is itself what its wagons are called after, all. Returns
 * how many words its members are called after; 0: it is none. */
static uint32_t collection_words(const resolution *t)
{
    const uint32_t count = t->word_count;
    const bool definite =
        (t->amount.says & SAYS_DEFINITE) && t->amount.number < 2;
    const char *const last = count > 0 ? t->words[count - 1] : "";
    if (!definite || t->plural)
        return 0;
    if (lexicon_lists("stage: whole", last))
        return t->scope.movers || t->scope.many ? count : 0;
    const bool kit = count > 1 && t->scope.movers &&
                     lexicon_lists("stage: collection", last);
    return kit && !word_is_in_names(t->r, last) ? count - 1 : 0;
}

/* Is the last word what anything is: a thing called just "train"? */
static bool word_is_a_noun_here(const resolution *t, const char *word)
{
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const char *noun = builtin_noun(object_at(t->r, i));
        if (noun && strcmp(noun, word) == 0)
            return true;
    }
    return false;
}

/* "The seat of the drum kit": one of its things, and not all of them. */
static bool phrase_is_piece(const resolution *t)
{
    const uint32_t first = t->thing->first;
    return first > 1 && reader_word_is(t->r, first - 1, "of") &&
           lexicon_lists("$piece", reader_word(t->r, first - 2));
}

static bool candidate_is_seat(const void *context, uint32_t object)
{
    return object_is_seat(context, object);
}

/* Leaves the only seat of them; a piece of several is no other. */
static etna_code collection_keep_piece(const resolution *t, candidates *of)
{
    candidates_select(of, candidate_is_seat, t->r, true);
    if (of->count == 1 && reader_word_is(t->r, t->thing->first - 2, "seat"))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNKNOWN, t->thing,
                         "which part of \"%s\" is meant is not known",
                         reader_said(t->r, t->thing));
}

/* "The whole drum kit", where nothing is called so: all that have "drum" in their
 * names, two at least. */
etna_code stage_read_collection(stage *s)
{
    resolution *t = &s->t;
    const uint32_t count = collection_words(t);
    candidates of;
    if (count == 0 || word_is_a_noun_here(t, t->words[t->word_count - 1]))
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &of);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        bool has = object_moves(t->r->facts, i) && gather_allows(t, i);
        for (uint32_t k = 0; k < count && has; k++)
            has = object_has_word(object_at(t->r, i), t->words[k]);
        if (has)
            candidates_add(&of, i, 0);
    }
    builtin_set all;
    if (of.count < 2)
        return ETNA_OK;
    if (phrase_is_piece(t))
        code = collection_keep_piece(t, &of);
    if (code == ETNA_OK)
        code = candidates_set(t->r, &of, of.count, &all);
    return code == ETNA_OK ? stage_answer(s, all) : code;
}
