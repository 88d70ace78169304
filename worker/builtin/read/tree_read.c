/* One tree of a part -> moves, node by node in the order of the text: clauses are
 * read by clause.c; here are what they are about, and what is said of why. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/conditional.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/remark.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"
#include "worker/builtin/read/torn.h"

static etna_code refuse_topic(reader *r, const chart_node *topic)
{
    return reader_refuse_said(r, CODE_UNREAD, topic,
                              "it does not say what to do with that");
}

/* "On the same table as the vase" says where, and not why. */
static bool purpose_compares(const reader *r, const chart_node *node)
{
    const chart_node *why = chart_child(node, "$because");
    bool same = false;
    if (!why || strcmp(reader_word(r, why->first), "as") != 0)
        return false;
    for (uint32_t i = node->first; i < why->first; i++)
        same = same || strcmp(reader_word(r, i), "same") == 0;
    return same;
}

static etna_code purpose_refuse(reader *r, const chart_node *node)
{
    return reader_refuse_said(r, CODE_UNREAD, node,
                              "what is asked of its place is not understood");
}

/* "So that ...", "in case ...", "before you ...": for what, and not why. */
static bool purpose_aims(const reader *r, const chart_node *node)
{
    const chart_node *why = chart_child(node, "$because");
    if (chart_child(node, "$so_that") || chart_child(node, "$so_nobody") ||
        chart_child(node, "$before_who"))
        return true;
    return why && reader_word_is(r, why->first, "so");
}

/* Does some move from `first` on name one of those that the word may mean, if it
 * may mean any? */
static etna_code purpose_is_moved(reader *r,
                                  const char *word,
                                  uint32_t first,
                                  bool *ret)
{
    const uint32_t count = r->facts->object_count;
    match_query q;
    *ret = true;
    /* "so I can find it" speaks of no can */
    if (lexicon_is_function_word(word) || lexicon_lists("told: modal", word))
        return ETNA_OK;
    etna_code code = reader_query(r, &word, 1, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    for (uint32_t k = reader_match_next(r, 0, &q); k < count;
         k = reader_match_next(r, k + 1, &q)) {
        *ret = moves_name(r, first, k);
        if (*ret)
            break;
    }
    return ETNA_OK;
}

/* "So that one can reach the remote": a thing that no move of the clause has is
 * more to be thought of than where that goes. */
static etna_code purpose_check_named(reader *r,
                                     const chart_node *node,
                                     uint32_t first)
{
    if (!purpose_aims(r, node) || r->reading->count == first)
        return ETNA_OK;
    /* What nobody does is a verb: who "steps on it" speaks of no stool. */
    const chart_node *nobody = chart_child(node, "$so_nobody");
    const uint32_t verb = nobody ? nobody->end : node->end;
    for (uint32_t i = node->children[0]->end; i < node->end; i++) {
        bool moved = true;
        if (i == verb)
            continue;
        etna_code code = purpose_is_moved(r, reader_word(r, i), first, &moved);
        if (code != ETNA_OK)
            return code;
        if (!moved)
            return purpose_refuse(r, node);
    }
    return ETNA_OK;
}

/* "So that I can get at it from the armchair": a purpose that names a thing of
 * the scene behind "from" asks for a place by it, and is no mere reason. */
static etna_code purpose_check(reader *r, const chart_node *node)
{
    bool from = false;
    if (purpose_compares(r, node))
        return reader_refuse_unread(r, node);
    const bool aims = purpose_aims(r, node);
    for (uint32_t i = node->children[0]->end; i < node->end; i++) {
        bool names = false;
        const char *const word = reader_word(r, i);
        if (aims && word_binds(word))
            return purpose_refuse(r, node);
        etna_code code = from ? word_names_thing(r, word, &names) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        if (names)
            return purpose_refuse(r, node);
        from = from || strcmp(word, "from") == 0;
    }
    return ETNA_OK;
}

/* Does the phrase speak of what was named before: "it", "the other one", "the
 * thicker"? "One" may be one of anything. */
static bool phrase_looks_back(reader *r, const chart_node *node)
{
    match_query q;
    if (phrase_is_pronoun(node, PRON_IT) || phrase_is_pronoun(node, PRON_THEM))
        return true;
    if (!node_is(node, "THING"))
        return false;
    const uint32_t some = BIT(DET_OTHER) | BIT(DET_REST) | BIT(DET_BOTH);
    const uint32_t known = BIT(DET_THE) | BIT(DET_ITS) | BIT(DET_THIS);
    const bool determined = node_says(node, "$det", known) ||
                            node_says(node, "$quant", some | known);
    if (!chart_child(node, "CORE"))
        return determined;
    if (phrase_lacks_noun(r, node, &q))
        return true;
    return determined && q.count == 0 && q.generic;
}

static bool tree_looks_back(reader *r, const chart_node *node)
{
    if (phrase_looks_back(r, node))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_looks_back(r, node->children[i]))
            return true;
    }
    return false;
}

/* Is one thing spoken of behind the topic? */
static bool topic_is_one(const reader *r, const chart_node *topic)
{
    for (uint32_t at = r->part->first + topic->end; at < r->part->end; at++) {
        if (lexicon_lists("told: it", r->s->tokens[at].text))
            return true;
    }
    return false;
}

/* "Four chairs, one table: put the chairs around it": of several, "it" is the
 * last that is one thing. "The mug and the vase: swap them" is of both. */
static etna_code topic_remember(reader *r,
                                const chart_node *topic,
                                builtin_set *ret)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const uint32_t count = node_conjuncts(topic, parts);
    const bool single = count > 1 && topic_is_one(r, topic);
    builtin_set all = {0};
    for (uint32_t i = 0; i < count; i++) {
        builtin_set one;
        etna_code code = refer_things(r, parts[i], &any, &one);
        if (code == ETNA_OK)
            code = set_union(r, &all, &one, &all);
        if (code != ETNA_OK)
            return code;
        if (one.need != one.count)
            return refuse_topic(r, topic);
        if (single && one.count == 1)
            r->memory.last = r->memory.named = one;
    }
    if (!single)
        r->memory.last = r->memory.named = all;
    *ret = all;
    return ETNA_OK;
}

/* "For the tables: the cup on the left table, the jug on the right table": has
 * each of them its part in what is asked? */
static bool topic_is_used(const reader *r,
                          uint32_t first,
                          const builtin_set *of)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < of->count; k++) {
        bool found = false;
        for (uint32_t i = first; i < r->reading->count && !found; i++) {
            const builtin_move *m = &r->reading->moves[i];
            const uint32_t one = of->objects[k];
            found = m->reference == one || m->support == one ||
                    set_has(&m->objects, one) || set_has(&m->each, one);
        }
        used += found;
    }
    return of->count > 0 && used == of->count;
}

/* "Which of the books is the thickest?": that one is spoken of next. */
static etna_code asked_read(reader *r, const chart_node *node)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set all = {0};
    match_query q = {0};
    candidates found;
    /* "which is closest to the bowl?" tells all of it in one phrase */
    const chart_node *const ranked = node_things(node, 1);
    etna_code code = refer_things(r, node_things(node, 0), &any, &all);
    if (code == ETNA_OK && ranked)
        code = phrase_query(r, ranked, &q);
    if (code == ETNA_OK)
        code = candidates_of_set(r, &all, &found);
    if (code != ETNA_OK)
        return code;
    if (q.colour)
        candidates_by_colour(r, &found, &q, false, 1);
    if (q.size)
        candidates_by_size(r, &found, q.size, 1);
    if (q.sides)
        candidates_by_side(r, &found, &q, 1);
    if (found.count != 1 || q.has_noun)
        return reader_refuse_unread(r, node);
    r->memory.last = r->memory.named = set_one(r, found.items[0].object);
    reader_remark(r, node);
    return ETNA_OK;
}

/* A thing that is merely named must be spoken of in what is asked, else its
 * part in that is not known. */
static etna_code topical_read(reader *r, const chart_node *node)
{
    const chart_node *const topic = node_things(node, 0);
    const uint32_t moves = r->reading->count;
    bool looks_back = false;
    if (!topic)
        return refuse_topic(r, node);
    builtin_set of = {0};
    etna_code code = topic_remember(r, topic, &of);
    /* "the books: green in the case, red on the shelf" */
    if (code == ETNA_OK)
        code = refer_remember_noun(r, topic);
    for (uint32_t i = 0; i < node->child_count && code == ETNA_OK; i++) {
        const chart_node *const c = node->children[i];
        if (c == topic || c->is_terminal)
            continue;
        looks_back =
            looks_back || (!node_is(c, "ASIDE") && tree_looks_back(r, c));
        code = tree_read(r, c);
    }
    if (code != ETNA_OK)
        return code;
    const bool spoken = looks_back || topic_is_used(r, moves, &of);
    return spoken && r->reading->count > moves ? ETNA_OK
                                               : refuse_topic(r, topic);
}

/* "As it is too dark", and neither "as far as possible from the window", "as
 * seen from the door", nor "as well as the stool". */
static bool reason_compares(const reader *r,
                            const chart_node *node,
                            const chart_node *as)
{
    if (reader_lists(r, as->end, "tree: degree"))
        return true;
    if (as->first > 0 && strcmp(reader_word(r, as->first - 1), "well") == 0)
        return true;
    if (as->end + 1 == node->end)
        return true; /* "as tightly", and no reason */
    for (uint32_t i = node->first; i < as->first; i++) {
        if (strcmp(reader_word(r, i), "as") == 0)
            return true; /* "as far as the table allows" */
    }
    for (uint32_t i = as->end; i < node->end; i++) {
        if (strcmp(reader_word(r, i), "as") == 0)
            return true;
    }
    return false;
}

/* Of what begins with a conjunction: does it tell why, and not how far or for
 * how long? */
static etna_code reason_check(reader *r, const chart_node *node)
{
    const chart_node *word = chart_child(node, "$because");
    if (!word || word->end >= node->end)
        return ETNA_OK;
    const char *const said = reader_word(r, word->first);
    const bool bounds = strcmp(said, "until") == 0;
    const bool as = strcmp(said, "as") == 0;
    const sentence_part why = {.first = r->part->first + word->end,
                               .end = r->part->first + node->end};
    /* "until my parents are gone" */
    const bool of_people = stretch_people(r->s, &why) > why.first;
    if ((bounds && !of_people) || (as && reason_compares(r, node, word)))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "how far that is to be is not understood");
    /* "as agreed beside the saw" */
    return as || bounds ? passed_check(r, &why) : ETNA_OK;
}

/* Reasons and asides are checked before what they stand for: an aim that would
 * not be met must be refused. */
static etna_code tree_check_reason(reader *r, const chart_node *node)
{
    const bool because = node_is(node, "BECAUSE");
    const bool aside = node_is(node, "ASIDE");
    if (!because && !aside)
        return ETNA_OK;
    r->is_wish = false;
    const bool aims = aside && purpose_aims(r, node);
    etna_code code = because || aims ? purpose_check(r, node) : ETNA_OK;
    if (code == ETNA_OK && aims)
        code = purpose_check_named(r, node, r->first_move);
    return code == ETNA_OK ? reason_check(r, node) : code;
}

static etna_code clause_node_read(reader *r, const chart_node *node)
{
    return clause_read(r, node->children[0]);
}

/* Reads a tree depth first, in the order of the text. */
etna_code tree_read(reader *r, const chart_node *node)
{
    static const struct {
        const char *name;
        etna_code (*read)(reader *r, const chart_node *node);
    } whole[] = {{"CLAUSE", clause_node_read},  {"CORRECTION", correction_read},
                 {"ASIDE", aside_read},         {"TOPICAL", topical_read},
                 {"ASKED", asked_read},         {"IF", conditional_read},
                 {"IFHINDERS", hindering_read}, {"ELSE", alternative_read}};
    const uint32_t first = r->reading->count;
    etna_code code = tree_check_reason(r, node);
    if (code != ETNA_OK)
        return code;
    for (size_t i = 0; i < COUNT_OF(whole); i++) {
        if (node_is(node, whole[i].name))
            return whole[i].read(r, node);
    }
    for (uint32_t i = 0; i < node->child_count && code == ETNA_OK; i++) {
        if (!node->children[i]->is_terminal)
            code = tree_read(r, node->children[i]);
    }
    return code == ETNA_OK && node_is(node, "BECAUSE")
               ? purpose_check_named(r, node, first)
               : code;
}

/* What nobody can do by moving things, in the likeliest reading: the rest of
 * the sentence does not matter then. */
const chart_node *tree_impossible(const reader *r, const chart_node *node)
{
    const chart_node *verb =
        node_is(node, "DO") ? chart_child(node, "$verb") : NULL;
    /* "fill the box with the cups" is to put these into it */
    const bool loads = verb && reader_lists(r, verb->first, "torn: loads") &&
                       node_is_part(r, node);
    if (verb && verb->value == VERB_CANNOT && !loads)
        return node;
    if (node_is(node, "CANNOT"))
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found = tree_impossible(r, node->children[i]);
        if (found)
            return found;
    }
    return NULL;
}
