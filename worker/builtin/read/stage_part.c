/* "Its door", "the fridge door", "the bumper": a part that is no thing of the
 * scene stands where its whole does. Places are measured from that; at its front,
 * where the part is there. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/stage_internal.h"

/* Parts that are said without whose they are, and what has such. */
static const struct {
    const char *list;
    noun_class of;
} bare_parts[] = {{"part: of vehicle", NOUNS_VEHICLES},
                  {"part: of instrument", NOUNS_INSTRUMENTS}};

static const char *resolution_head(const resolution *t)
{
    return t->word_count > 0 ? t->words[t->word_count - 1] : "";
}

/* Is it a part that a bare noun tells, and may the object have it? */
static bool object_may_have(reader *r, uint32_t object, const char *part)
{
    for (size_t i = 0; i < COUNT_OF(bare_parts); i++) {
        if (lexicon_lists(bare_parts[i].list, part) &&
            object_is_called_of(r, object, bare_parts[i].of))
            return true;
    }
    return false;
}

static bool part_is_bare(const char *part)
{
    bool bare = false;
    for (size_t i = 0; i < COUNT_OF(bare_parts); i++)
        bare = bare || lexicon_lists(bare_parts[i].list, part);
    return bare;
}

/* Is it moved by the clause itself? */
static bool whole_is_moved(const resolution *t, uint32_t object)
{
    const builtin_set *barred = t->scope.barred;
    return set_has(&t->r->moving, object) ||
           (barred && set_has(barred, object));
}

/* What the text named last before the phrase, and does not move here: what "its"
 * door is of, or what may have that part (NULL: any). BUILTIN_NONE: it named
 * none. */
static uint32_t whole_mentioned(const resolution *t, const char *part)
{
    const reader_memory *memory = &t->r->memory;
    const uint32_t own = t->r->part->first + t->thing->first;
    for (uint32_t i = memory->mention_count; i > 0; i--) {
        const reader_mention *said = &memory->mentions[i - 1];
        const bool fits = said->at < own && !whole_is_moved(t, said->object) &&
                          (!part || object_may_have(t->r, said->object, part));
        if (fits)
            return said->object;
    }
    return BUILTIN_NONE;
}

/* The only thing that may have it and is not moved; BUILTIN_NONE: there is none,
 * or several. */
static uint32_t whole_of_part(const resolution *t, const char *part)
{
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        if (whole_is_moved(t, i) || !object_may_have(t->r, i, part))
            continue;
        if (found != BUILTIN_NONE)
            return BUILTIN_NONE;
        found = i;
    }
    return found;
}

/* Of a bare "the bumper" and of "its door". */
static etna_code part_answer_unsaid(stage *s, const char *head)
{
    const resolution *t = &s->t;
    const bool bare = part_is_bare(head);
    const bool its = node_says(t->thing, "$det", BIT(DET_ITS));
    uint32_t whole = BUILTIN_NONE;
    if (its || bare)
        whole = whole_mentioned(t, its ? NULL : head);
    if (whole == BUILTIN_NONE && bare)
        whole = whole_of_part(t, head);
    return whole == BUILTIN_NONE ? ETNA_OK
                                 : stage_answer(s, set_one(t->r, whole));
}

etna_code stage_find_part(stage *s)
{
    resolution *t = &s->t;
    const char *const head = resolution_head(t);
    const chart_node *of = chart_child(t->thing, "OF");
    const refer_scope any = {.on = BUILTIN_NONE};
    uint32_t whole = BUILTIN_NONE;
    match_query q;
    if (t->found.count > 0 || t->scope.movers || !word_is_part(head))
        return ETNA_OK;
    if (of) {
        etna_code code =
            refer_peek_one(t->r, node_last_phrase(of), &any, &whole);
        const bool known = code == ETNA_OK && whole < t->r->facts->object_count;
        if (code == ETNA_E_NOMEM)
            return reader_no_memory(t->r);
        return known ? stage_answer(s, set_one(t->r, whole)) : ETNA_OK;
    }
    if (t->word_count == 1)
        return part_answer_unsaid(s, head);
    /* "the fridge door" */
    etna_code code = reader_query(t->r, t->words, t->word_count - 1, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    t->query = q;
    gather(t, &t->query, &t->found);
    return ETNA_OK;
}

bool word_is_part(const char *word)
{
    return lexicon_lists("part: of", word) || part_is_bare(word);
}

/* Does the phrase end in one of the listed words, and is that no word for the
 * thing itself? */
static bool phrase_names_part(const reader *r,
                              const chart_node *node,
                              uint32_t whole,
                              const char *list)
{
    const chart_node *core = node ? chart_child(node, "CORE") : NULL;
    const char *head = core ? reader_word(r, core->end - 1) : "";
    return lexicon_lists(list, head) && whole < r->facts->object_count &&
           !object_has_word(object_at(r, whole), head) &&
           !object_is_kind(r, whole, head);
}

bool phrase_names_bare_part(const reader *r,
                            const chart_node *node,
                            uint32_t whole)
{
    return phrase_names_part(r, node, whole, "part: bears nothing");
}

bool phrase_names_front(const reader *r, const chart_node *node, uint32_t whole)
{
    return phrase_names_part(r, node, whole, "part: front");
}
