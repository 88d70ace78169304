/* See spoken.h. */
#include "worker/builtin/read/spoken.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"

/* "At the right end of the bench", "in the middle of the rug": whose zone it is.
 * What only says which thing is meant, tells or denies has rules of its own. */
static void spoken_note(reader *r, const chart_node *node, bool in_zone)
{
    static const char *const others[] = {
        "MOD",      "APART",    "TOLD",   "REMARK",  "BECAUSE",
        "ASIDE",    "SOTHAT",   "BUT",    "EXCEPT",  "OLD",
        "NOTDO",    "NOTSTATE", "LOAD",   "NEAREST", "NOPLACE",
        "NOTPLACE", "LEAVING",  "EITHER", "REL"};
    if (WORD_IS_OF(node->name, others))
        return;
    const bool is_zone = in_zone || node_is(node, "ZONE");
    if (node_is(node, "CORE") && in_zone)
        memset(r->zoned + r->part->first + node->first, 1,
               node->end - node->first);
    for (uint32_t i = 0; i < node->child_count; i++)
        spoken_note(r, node->children[i], is_zone);
}

etna_code spoken_note_meant(reader *r,
                            const chart_node *node,
                            const builtin_set *things)
{
    reader_meant *m = etna_arena_alloc(r->arena, 1, sizeof *m);
    if (!m)
        return reader_no_memory(r);
    *m = (reader_meant){.before = r->meant,
                        .first = r->part->first + node->first,
                        .end = r->part->first + node->end,
                        .things = *things};
    r->meant = m;
    return ETNA_OK;
}

void spoken_note_tree(reader *r, const chart_node *root)
{
    if (r->zoned)
        spoken_note(r, root, false);
}

/* Could the word be the first of a compound, "coffee table", or is it an owner,
 * "the sofa's left"? Its noun follows. */
static bool word_leads_noun(const reader *r, uint32_t at)
{
    if (at + 1 >= r->s->token_count)
        return false;
    const char *const next = r->s->tokens[at + 1].text;
    return !r->s->tokens[at + 1].is_mark &&
           (kinds_known(next) || lexicon_number(next) > 0);
}

static bool object_is_spoken_of(const reader *r, uint32_t object)
{
    return moves_name(r, 0, object) || set_has(&r->memory.stays, object) ||
           set_has(&r->excepted, object);
}

/* "Shelf": does a move go to a thing that has several? */
static bool level_is_spoken_of(const reader *r, const char *word)
{
    bool levelled = false;
    for (uint32_t i = 0; i < r->reading->count; i++) {
        const uint32_t at = r->reading->moves[i].reference;
        levelled = levelled || (at < r->facts->object_count &&
                                builtin_levels(r->facts, at) > 1);
    }
    return levelled && builtin_is_level_noun(word);
}

/* Of all that the word may call: is any in a move? True, too, of what calls
 * nothing here. */
static etna_code word_is_spoken_of(reader *r, uint32_t at, bool *ret)
{
    const char *const word = r->s->tokens[at].text;
    match_query q;
    *ret = true;
    if (level_is_spoken_of(r, word) || lexicon_is_function_word(word) ||
        word_is_ground(word) || lexicon_lists("$zone", word))
        return ETNA_OK;
    etna_code code = reader_query(r, &word, 1, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    uint32_t object = reader_match_next(r, 0, &q);
    if (object >= r->facts->object_count)
        return ETNA_OK;
    *ret = false;
    while (object < r->facts->object_count && !*ret) {
        *ret = object_is_spoken_of(r, object);
        object = reader_match_next(r, object + 1, &q);
    }
    return ETNA_OK;
}

static etna_code spoken_refuse(reader *r, uint32_t at)
{
    const sentence_token *const t = &r->s->tokens[at];
    r->clause[0] = t->at;
    r->clause[1] = t->end;
    etna_code code =
        reader_refuse(r, CODE_UNREAD, NULL,
                      "\"%.*s\": what is asked about that is not understood",
                      (int)(t->end - t->at), r->text + t->at);
    r->refusal.from = t->at;
    r->refusal.to = t->end;
    return code;
}

etna_code spoken_check(reader *r)
{
    for (uint32_t at = 0; at < r->s->token_count; at++) {
        const builtin_became became = (builtin_became)r->account[at];
        bool spoken = true;
        if (became != BECAME_THING || !r->zoned[at] || word_leads_noun(r, at))
            continue;
        etna_code code = word_is_spoken_of(r, at, &spoken);
        if (code == ETNA_OK && !spoken)
            code = spoken_refuse(r, at);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
