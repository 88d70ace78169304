/* Phrases that mean one level of a thing: "the top shelf", "the second board
 * from the bottom of the bookcase". What is said of the level is
 * place/level.c's to read; here is found what has the levels. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

enum {
    COST_ANY_OWNER = 40
};

/* ", counted" before "from the top": so many tokens from i on tell nothing
 * more. */
static uint32_t level_count_said(const reader *r,
                                 const chart_node *node,
                                 uint32_t i)
{
    const uint32_t at = strcmp(reader_word(r, i), ",") == 0 ? i + 1 : i;
    if (at >= node->end)
        return 0;
    const char *word = reader_word(r, at);
    const bool counted = lexicon_lists("level: counted", word);
    return counted ? at + 1 - i : 0;
}

/* "From the top", "from bottom", "from below" as one word, where it begins at
 * token i of the part, and its tokens; NULL: it does not. */
static const char *level_from(const reader *r,
                              const chart_node *node,
                              uint32_t i,
                              uint32_t *ret_tokens)
{
    const bool from =
        strcmp(reader_word(r, i), "from") == 0 && i + 1 < node->end;
    const bool the =
        from && i + 2 < node->end && strcmp(reader_word(r, i + 1), "the") == 0;
    *ret_tokens = the ? 3 : 2;
    if (!from)
        return NULL;
    const char *end = reader_word(r, i + *ret_tokens - 1);
    if (lexicon_lists("level: top", end))
        return "from-top";
    const bool bottom = lexicon_lists("level: bottom", end);
    return bottom ? "from-bottom" : NULL;
}

/* The phrase in the form that builtin_level_said reads; NULL: out of memory. */
static const builtin_word *level_words(const reader *r,
                                       const chart_node *node,
                                       uint32_t *ret_count)
{
    builtin_word *words =
        etna_arena_alloc(r->arena, node->end - node->first + 1u, sizeof *words);
    uint32_t count = 0;
    for (uint32_t i = node->first; words && i < node->end; i++) {
        i += level_count_said(r, node, i);
        if (i >= node->end)
            break;
        const sentence_token *t = &r->s->tokens[r->part->first + i];
        uint32_t tokens = 0;
        const char *from = level_from(r, node, i, &tokens);
        uint32_t named;
        const bool name = phrase_name_find(r, t->written, &named) &&
                          strcmp(t->written, t->text) != 0;
        const char *text = name ? t->written : t->text; /* "RackLeft" */
        words[count] = (builtin_word){
            .text = text, .quoted = t->quoted, .at = t->at, .end = t->end};
        if (from) {
            words[count].text = from;
            words[count].end = t[tokens - 1].end;
            i += tokens - 1;
        }
        count++;
    }
    *ret_count = count;
    return words;
}

/* The words that name what has the levels; 0: they are not said. */
static uint32_t level_owner_words(const builtin_level_words *said,
                                  const builtin_word *words,
                                  const char *ret[REFER_WORDS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = said->owner_first;
         i < said->owner_end && count < REFER_WORDS_MAX; i++) {
        if (!lexicon_is_function_word(words[i].text) || words[i].quoted)
            ret[count++] = words[i].text;
    }
    return count;
}

static bool object_has_levels(const void *context, uint32_t object)
{
    return builtin_levels(context, object) > 1;
}

/* Candidates for the thing whose level it is. */
static etna_code level_owner_find(resolution *t,
                                  const char *const *words,
                                  uint32_t count)
{
    uint32_t named = BUILTIN_NONE;
    etna_code code = reader_query(t->r, words, count, &t->query);
    if (code != ETNA_OK)
        return code;
    /* in quotes, just as the file has it */
    if (count == 1 && phrase_name_find(t->r, words[0], &named))
        candidates_add(&t->found, named, 0);
    else
        gather(t, &t->query, &t->found);
    return ETNA_OK;
}

/* A seat's rails and a table's lower board are no shelves of theirs. */
static bool object_is_shelved(const reader *r, uint32_t object)
{
    if (object_at(r, object)->is_static || !object_has_levels(r->facts, object))
        return false;
    return !object_is_seat(r, object);
}

/* By name or kind, and not merely mixed up with one: a coat stand is no shelf. */
static bool object_is_called_level(const void *context, uint32_t object)
{
    const resolution *t = context;
    return !reader_match(t->r, object, &t->query).by_kind ||
           kinds_id_distance(&t->r->kinds[object], &t->query.said) < KINDS_NEAR;
}

/* Deep enough for things to stand in: no menu board on a wall. */
static bool object_is_deep(const void *context, uint32_t object)
{
    const double thin = 0.06; /* metres */
    const builtin_facts *const facts = context;
    const double *const half = facts->objects[object].half;
    return 2 * (half[0] < half[1] ? half[0] : half[1]) > thin;
}

/* Of those called by the level's own noun, else of shelves, else of all things:
 * what has several levels. Where there are shelves, and none of them has,
 * nothing else's boards are meant. */
static etna_code level_owner_guess(resolution *t, const char *noun)
{
    const builtin_facts *facts = t->r->facts;
    const char *const nouns[] = {noun, "shelf"};
    bool shelves = false;
    for (size_t i = 0; i < 2 && t->found.count == 0; i++) {
        etna_code code = level_owner_find(t, &nouns[i], 1);
        if (code != ETNA_OK)
            return code;
        candidates_select(&t->found, object_is_called_level, t, true);
        candidates_select(&t->found, object_is_deep, facts, true);
        shelves = shelves || t->found.count > 0;
        candidates_select(&t->found, object_has_levels, facts, true);
    }
    for (uint32_t i = 0; i < facts->object_count && !shelves; i++) {
        if (object_is_shelved(t->r, i))
            candidates_add(&t->found, i, COST_ANY_OWNER);
    }
    return ETNA_OK;
}

/* Without a name, the only thing here that has levels. */
static etna_code level_owner(reader *r,
                             const chart_node *node,
                             const builtin_level_words *said,
                             const builtin_word *words,
                             const builtin_set *movers,
                             uint32_t *ret)
{
    resolution t = {.r = r,
                    .thing = node,
                    .scope = refer_scope_place(movers),
                    .amount = {.says = SAYS_DEFINITE}};
    const char *text[REFER_WORDS_MAX];
    builtin_set set;
    uint32_t count = level_owner_words(said, words, text);
    etna_code code = candidates_make(r, &t.found);
    if (code != ETNA_OK)
        return code;
    code = count > 0 ? level_owner_find(&t, text, count)
                     : level_owner_guess(&t, said->noun);
    if (code == ETNA_OK)
        code = choose_one(&t, &set);
    if (code == ETNA_OK)
        *ret = set.objects[0];
    return code;
}

/* Whether the phrase can be one of a level at all. */
static bool phrase_may_be_level(const reader *r, const chart_node *node)
{
    uint32_t named;
    if (node_is(node, "OWNED"))
        return true;
    return node_is(node, "THING") && !phrase_is_name(r, node, &named);
}

/* "On the bookcase, on the bottom shelf": what has levels and was named last;
 * BUILTIN_NONE: nothing was. */
static uint32_t level_owner_mentioned(const reader *r, const chart_node *node)
{
    const reader_memory *const memory = &r->memory;
    const uint32_t own = r->part->first + node->first;
    for (uint32_t i = memory->mention_count; i > 0; i--) {
        const reader_mention *const said = &memory->mentions[i - 1];
        if (said->at < own && object_is_shelved(r, said->object))
            return said->object;
    }
    return BUILTIN_NONE;
}

/* "The bottom shelf" would be all of a bookcase, of which nothing lies at the
 * bottom of another. */
static bool phrase_drops_level(const reader *before, const chart_node *node)
{
    const refer_scope place = {.on = BUILTIN_NONE, .flat = true};
    reader r = *before;
    uint32_t object = BUILTIN_NONE;
    return refer_peek_one(&r, node, &place, &object) == ETNA_OK &&
           object < r.facts->object_count && object_has_levels(r.facts, object);
}

/* The thing of whose levels one is said; BUILTIN_NONE: of none, so that the
 * phrase means something else. */
static etna_code level_owner_said(reader *r,
                                  const chart_node *node,
                                  const builtin_level_words *said,
                                  const builtin_word *words,
                                  const builtin_set *movers,
                                  uint32_t *ret)
{
    uint32_t last = r->memory.last_reference;
    *ret = BUILTIN_NONE;
    if (said->noun && strcmp(said->noun, "one") == 0) { /* "the top one" */
        if (last != BUILTIN_NONE && object_has_levels(r->facts, last))
            *ret = last;
        return ETNA_OK;
    }
    reader before = *r;
    bool owned = said->owner_first != said->owner_end;
    /* "the tins on the rack, the red one on its top board": of the rack */
    const builtin_move *const m = reader_last_move(r);
    const bool upon =
        m && bit_is_in(m->relation, BIT(RELATION_ON) | BIT(RELATION_IN));
    if (!owned && upon && m->reference < r->facts->object_count &&
        object_is_shelved(r, m->reference)) {
        *ret = m->reference;
        return ETNA_OK;
    }
    etna_code code = level_owner(r, node, said, words, movers, ret);
    if (code != ETNA_E_INPUT || owned || said->counted)
        return code;
    *ret = level_owner_mentioned(&before, node);
    if (*ret == BUILTIN_NONE && phrase_drops_level(&before, node))
        return code;
    *r = before; /* "the top shelf" that is a shelf of its own */
    return ETNA_OK;
}

/* "The same shelf as the lamp": the level of it on which that stands. */
static etna_code level_of_base(reader *r,
                               const chart_node *node,
                               bool *ret_is_level,
                               uint32_t *ret_object,
                               uint32_t *ret_level)
{
    const refer_scope any = {.movers = true, .on = BUILTIN_NONE};
    const chart_node *what = node_things(node, 0);
    uint32_t base, object;
    const reader before = *r;
    etna_code code = refer_one(r, node, &any, &base);
    if (code == ETNA_OK)
        code = refer_one(r, what, &any, &object);
    *r = before;
    if (code != ETNA_OK)
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    const builtin_object *o = object_at(r, object);
    const double height = builtin_foot(o);
    const uint32_t count = builtin_levels(r->facts, base);
    for (uint32_t level = 1; level <= count && count > 1; level++) {
        if (builtin_off_level(r->facts, base, level, height) > 0)
            continue;
        *ret_is_level = true;
        *ret_object = base;
        *ret_level = level;
        return ETNA_OK;
    }
    return count > 1
               ? reader_refuse(r, CODE_UNREAD, node,
                               "\"%s\": which board of %.100s that is is "
                               "not clear",
                               reader_said(r, node), object_at(r, base)->name)
               : ETNA_OK;
}

/* "The board above that", behind a shelf that was spoken of: one of its boards,
 * and nothing that is a board of another kind. */
static etna_code level_check_bare(reader *r, const chart_node *node)
{
    const refer_scope any = {.on = BUILTIN_NONE};
    const chart_node *const core = chart_child(node, "CORE");
    uint32_t object = BUILTIN_NONE;
    if (!core || core->end != core->first + 1)
        return ETNA_OK;
    const char *const word = reader_word(r, core->first);
    if (!builtin_is_level_noun(word) ||
        level_owner_mentioned(r, node) == BUILTIN_NONE)
        return ETNA_OK;
    if (refer_peek_one(r, node, &any, &object) != ETNA_OK ||
        object >= r->facts->object_count || object_has_levels(r->facts, object))
        return ETNA_OK;
    const builtin_object *const o = object_at(r, object);
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (strcmp(o->words[i], word) == 0)
            return ETNA_OK;
    }
    return reader_refuse_unclear(r, node);
}

/* How many such levels the thing has: the planner's own word, "level", counts
 * the roof. `noun` may be NULL. */
static uint32_t levels_counted(const builtin_facts *facts,
                               uint32_t object,
                               const char *noun)
{
    return noun && strcmp(noun, "level") == 0 ? builtin_levels(facts, object)
                                              : builtin_shelves(facts, object);
}

/* "One board of the bookcase", "the same shelf", and what has it: words that say
 * no more than that it is one and the same for all. */
static bool level_one_said(const builtin_word *words,
                           uint32_t count,
                           builtin_level_words *ret)
{
    bool same = false;
    uint32_t i = 0;
    for (; i < count && !words[i].quoted &&
           (lexicon_lists("level: one", words[i].text) ||
            lexicon_is_function_word(words[i].text));
         i++)
        same = same || lexicon_lists("level: one", words[i].text);
    const uint32_t noun = i;
    while (i < count && builtin_is_level_noun(words[i].text))
        i++;
    if (!same || i == noun)
        return false;
    *ret = (builtin_level_words){.ordinal = 1,
                                 .noun = words[noun].text,
                                 .owner_first = i,
                                 .owner_end = count};
    return true;
}

/* "All three on the same board": on the one on which most of them stand, else on
 * the barest; one thing alone is on one board wherever it is. */
static etna_code level_of_one(reader *r,
                              const chart_node *node,
                              const builtin_level_words *said,
                              const builtin_word *words,
                              const builtin_set *movers,
                              bool *ret_is_level,
                              uint32_t *ret_object,
                              uint32_t *ret_level)
{
    uint32_t owner = BUILTIN_NONE;
    if (!movers || movers->count == 0)
        return ETNA_OK;
    const bool owned = said->owner_first != said->owner_end;
    if (!owned)
        owner = level_owner_mentioned(r, node);
    etna_code code = owner == BUILTIN_NONE
                         ? level_owner(r, node, said, words, movers, &owner)
                         : ETNA_OK;
    if (code != ETNA_OK || !object_has_levels(r->facts, owner))
        return code;
    *ret_level = movers->count > 1 ? level_for_all(r, owner, movers) : 0;
    if (*ret_level == 0 && movers->count > 1)
        return reader_refuse_unclear(r, node);
    *ret_is_level = true;
    *ret_object = owner;
    return ETNA_OK;
}

/* "the second shelf of the rack". *ret_is_level false: the phrase is none, and
 * nothing else is set. */
etna_code refer_level(reader *r,
                      const chart_node *node,
                      const builtin_set *movers,
                      bool *ret_is_level,
                      uint32_t *ret_object,
                      uint32_t *ret_level)
{
    builtin_level_words said;
    uint32_t owner;
    uint32_t count = 0;
    *ret_is_level = false;
    if (node_is(node, "BASE"))
        return level_of_base(r, node, ret_is_level, ret_object, ret_level);
    if (!phrase_may_be_level(r, node))
        return ETNA_OK;
    etna_code told =
        refer_level_told(r, node, movers, ret_is_level, ret_object, ret_level);
    if (told != ETNA_OK || *ret_is_level)
        return told;
    const builtin_word *words = level_words(r, node, &count);
    if (!words)
        return reader_no_memory(r);
    if (level_one_said(words, count, &said))
        return level_of_one(r, node, &said, words, movers, ret_is_level,
                            ret_object, ret_level);
    if (!builtin_level_said(words, 0, count, &said))
        return level_check_bare(r, node);
    etna_code code = level_owner_said(r, node, &said, words, movers, &owner);
    if (code != ETNA_OK || owner == BUILTIN_NONE)
        return code;
    const uint32_t all = levels_counted(r->facts, owner, said.noun);
    uint32_t level = builtin_level_of(&said, all);
    if (level == 0)
        return reader_refuse(r, said.middle ? CODE_AMBIGUOUS : CODE_UNKNOWN,
                             node, "%.200s has no \"%s\": it has %u level%s",
                             r->facts->objects[owner].name,
                             reader_said(r, node), all, all == 1 ? "" : "s");
    *ret_is_level = true;
    *ret_object = owner;
    *ret_level = level;
    return ETNA_OK;
}
