/* One part of a text -> moves. Its trees are read for the scene, cheapest
 * first, and the one whose cost by grammar and by scene together is least is
 * what was meant. What none can mean is refused with the reason of the
 * likeliest. */
#include "worker/builtin/read/account.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/leave.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/remark.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"

#include <math.h>
#include <stddef.h>

enum {
    TREES_READ = 12,
    TREES_READ_OF_MISSPELT = 16,
    MARGIN_OF_MENDED = 5
};

/* By how much (hundredths) a reading that can be followed may be farther from
 * what people say than one that is understood and cannot: beyond that the
 * refusal is the answer, not a guess. */
enum {
    BEYOND_REFUSAL = 45,
    COST_OF_ASIDE = 90,
    COST_OF_ASIDE_WITH_MORE = 150
};

static bool refusal_is_understood(const builtin_refusal *refusal)
{
    return strcmp(refusal->code, "impossible") == 0 ||
           strcmp(refusal->code, "ambiguous") == 0;
}

static etna_code refuse_topic(reader *r, const chart_node *topic)
{
    return reader_refuse(r, CODE_UNREAD, topic,
                         "\"%s\": it does not say what to do with that",
                         reader_said(r, topic));
}

static etna_code tree_read(reader *r, const chart_node *node);

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
    return reader_refuse(r, CODE_UNREAD, node,
                         "\"%s\": what is asked of its place is not understood",
                         reader_said(r, node));
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
        match_query q;
        const char *const word = reader_word(r, i);
        bool shown = true;
        if (i == verb || lexicon_is_function_word(word))
            continue;
        etna_code code = reader_query(r, &word, 1, &q);
        if (code != ETNA_OK)
            return code;
        const uint32_t count = r->facts->object_count;
        for (uint32_t k = q.has_noun ? reader_match_next(r, 0, &q) : count;
             k < count; k = reader_match_next(r, k + 1, &q)) {
            shown = moves_name(r, first, k);
            if (shown)
                break;
        }
        if (!shown)
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
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood",
                             reader_said(r, node));
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

/* ---- what is spoken of ---- */

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

/* "Four chairs, one table: put the chairs around it": of several, "it" is the
 * last that is one thing. */
static etna_code topic_remember(reader *r,
                                const chart_node *topic,
                                builtin_set *ret)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const uint32_t count = node_conjuncts(topic, parts);
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
        if (count > 1 && one.count == 1)
            r->memory.last = r->memory.named = one;
    }
    if (count == 1)
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
        code = candidates_make(r, &found);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < all.count; i++)
        candidates_add(&found, all.objects[i], 0);
    if (q.colour)
        candidates_by_colour(r, &found, &q, false, 1);
    if (q.size)
        candidates_by_size(r, &found, q.size, 1);
    if (q.sides)
        candidates_by_side(r, &found, &q, 1);
    if (found.count != 1 || q.has_noun)
        return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood",
                             reader_said(r, node));
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
    static const char *const degrees[] = {"far",  "close", "near",   "high",
                                          "low",  "long",  "little", "much",
                                          "many", "seen",  "viewed", "deep"};
    if (WORD_IS_OF(reader_word(r, as->end), degrees))
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
    if (!bounds && (strcmp(said, "as") != 0 || !reason_compares(r, node, word)))
        return ETNA_OK;
    return reader_refuse(r, CODE_UNREAD, node,
                         "\"%s\": how far that is to be is not understood",
                         reader_said(r, node));
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
static etna_code tree_read(reader *r, const chart_node *node)
{
    static const struct {
        const char *name;
        etna_code (*read)(reader *r, const chart_node *node);
    } whole[] = {{"CLAUSE", clause_node_read},
                 {"CORRECTION", correction_read},
                 {"ASIDE", aside_read},
                 {"TOPICAL", topical_read},
                 {"ASKED", asked_read}};
    const uint32_t first = r->reading->count;
    etna_code code = tree_check_reason(r, node);
    if (code != ETNA_OK)
        return code;
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
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
static const chart_node *tree_impossible(const chart_node *node)
{
    const chart_node *verb =
        node_is(node, "DO") ? chart_child(node, "$verb") : NULL;
    if (verb && verb->value == VERB_CANNOT)
        return node;
    if (node_is(node, "CANNOT"))
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found = tree_impossible(node->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

static uint32_t tree_count_clauses(const chart_node *node)
{
    uint32_t count = node_is(node, "CLAUSE");
    for (uint32_t i = 0; i < node->child_count; i++)
        count += tree_count_clauses(node->children[i]);
    return count;
}

/* "I want to mop the floor. Put the stools on the table": what the speaker will
 * do, and no more than that, before what is asked. */
static bool part_tells_why(const reader *r, const chart_node *root)
{
    const char *const first = reader_word(r, root->first);
    bool is_speaker = strcmp(first, "i") == 0 || strcmp(first, "we") == 0;
    bool is_last = r->part == &r->s->parts[r->s->part_count - 1];
    return is_speaker && !is_last && tree_count_clauses(root) == 1;
}

typedef struct tear { /* of words that stand together */
    uint32_t end;     /* of the words read last as a phrase's core */
    uint32_t count;
} tear;

/* "Every glass standing | on the table": the word tells how, and names nothing
 * where no name here has it. */
static bool core_ends_standing(const reader *r, const chart_node *core)
{
    const char *const last = reader_word(r, core->end - 1);
    const bool tells = lexicon_lists("$standing", last) &&
                       !mend_vocabulary_has(r->vocabulary, last);
    return tells && core->end - core->first > 1;
}

/* "The two nearest | to the window": the word says to what, and stands for
 * nothing by itself. */
static bool core_is_cut(const reader *r,
                        const chart_node *core,
                        const chart_node *root)
{
    static const char *const ranks[] = {"nearest", "closest", "nearer",
                                        "closer"};
    static const char *const farther[] = {"farthest", "furthest", "farther",
                                          "further"};
    if (core->end >= root->end)
        return false;
    const char *const word = reader_word(r, core->end - 1), *const next =
                                                                reader_word(
                                                                    r,
                                                                    core->end);
    if (core_ends_standing(r, core))
        return true;
    /* "the two that stand farthest apart" */
    if (strcmp(next, "apart") == 0)
        return WORD_IS_OF(word, farther);
    if (strcmp(next, "to") == 0 || strcmp(next, "together") == 0)
        return WORD_IS_OF(word, ranks);
    return strcmp(next, "from") == 0 && WORD_IS_OF(word, farther);
}

/* ", next | to the lamp" is next to it. */
static bool next_is_cut(const reader *r,
                        const chart_node *polite,
                        const chart_node *root)
{
    return polite->end < root->end &&
           strcmp(reader_word(r, polite->first), "next") == 0 &&
           strcmp(reader_word(r, polite->end), "to") == 0;
}

/* "Close | together" are no two adverbs of a place. */
static bool together_is_cut(const reader *r,
                            const chart_node *node,
                            const chart_node *root)
{
    const bool close = node_is(node, "$adv") && node->value == ADVERB_CLOSE;
    return close && node->end < root->end &&
           reader_word_is(r, node->end, "together");
}

/* "The other one | the box" are two phrases. */
static bool thing_is_of_two(const chart_node *node)
{
    const uint32_t begins = BIT(DET_THE) | BIT(DET_A) | BIT(DET_THIS);
    bool counted = false;
    for (uint32_t i = 0; i < node->child_count && node_is(node, "THING"); i++) {
        const chart_node *child = node->children[i];
        if (counted && node_is(child, "$det") &&
            bit_is_in(child->value, begins))
            return true;
        counted = counted || node_is(child, "NUMBER");
    }
    return false;
}

/* "The pad that | lies on the floor" is no "the pads, both of them", and "the
 * floor, all four" is no floor. */
static bool relative_is_cut(const reader *r, const chart_node *node)
{
    const chart_node *count =
        node_is(node, "ALLOF") ? chart_child(node, "$num") : NULL;
    if (count && count->value > 1000 && node->child_count > 0 &&
        node_is(node->children[0], "THING") &&
        !phrase_is_plural(r, node->children[0]))
        return true;
    const chart_node *word =
        node_is(node, "ALLOF") ? chart_child(node, "$pron") : NULL;
    return word && !chart_child(node, "','") &&
           strcmp(reader_word(r, word->first), "that") == 0;
}

/* "On top of that" is of what was spoken of, and no "that one". */
static bool that_is_bare(const reader *r, const chart_node *node)
{
    static const char *const points[] = {"that", "this"};
    return node_is(node, "THING") && node->child_count == 1 &&
           node_is(node->children[0], "$quant") &&
           WORD_IS_OF(reader_word(r, node->first), points);
}

/* Does the node end where words that belong together are parted? */
static bool node_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *root)
{
    if (thing_is_of_two(node) || relative_is_cut(r, node) ||
        that_is_bare(r, node))
        return true;
    if (node_is(node, "CORE") && core_is_cut(r, node, root))
        return true;
    if (node_is(node, "$polite") && next_is_cut(r, node, root))
        return true;
    return together_is_cut(r, node, root);
}

/* The same of any node below it. */
static bool tree_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *root)
{
    if (node_is_cut(r, node, root))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_is_cut(r, node->children[i], root))
            return true;
    }
    return false;
}

/* "By the low | table": a phrase that begins without a determiner right behind
 * the words of another. */
static void tree_find_tears(const chart_node *node, tear *ret)
{
    const bool core = node_is(node, "CORE");
    if (core && ret->end > 0 && node->first == ret->end)
        ret->count++;
    for (uint32_t i = 0; i < node->child_count; i++)
        tree_find_tears(node->children[i], ret);
    if (core)
        ret->end = node->end;
}

/* What a clause says, where that is how things are or should be; NULL: it is no
 * clause, or an order. */
static const chart_node *clause_state(const chart_node *node)
{
    if (!node_is(node, "CLAUSE") || node->child_count == 0)
        return NULL;
    return node_is(node->children[0], "STATE") ? node->children[0] : NULL;
}

/* Does the clause only place things, with no verb? */
static bool node_is_bare_placing(const chart_node *node)
{
    const chart_node *said = clause_state(node);
    if (!said || said->child_count != 2)
        return false;
    return node_is(said->children[0], "THING") &&
           node_is(said->children[1], "REL");
}

/* "The books on the floor, I'd like them on the shelf": the place tells which
 * books, and is no wish that the next clause takes back. */
static uint32_t tree_cost_of_topic(const chart_node *root)
{
    enum {
        COST_OF_TAKEN_BACK = 60
    };
    if (root->child_count < 3 || !node_is_bare_placing(root->children[0]))
        return 0;
    const chart_node *said = clause_state(root->children[2]);
    const chart_node *again = said ? node_things(said, 0) : NULL;
    const bool states = again && (phrase_is_pronoun(again, PRON_THEM) ||
                                  phrase_is_pronoun(again, PRON_IT));
    return states && chart_child(said, "$want") ? COST_OF_TAKEN_BACK : 0;
}

static uint32_t tree_cost_of_tears(const chart_node *root)
{
    enum {
        COST_OF_TEAR = 45
    };
    tear found = {0};
    tree_find_tears(root, &found);
    return COST_OF_TEAR * found.count + tree_cost_of_topic(root);
}

/* "The hammer", and neither "two hammers" nor "all hammers". */
static bool thing_is_single(const reader *r, const chart_node *things)
{
    const chart_node *const core = chart_child(things, "CORE");
    return core && !chart_child(things, "$quant") &&
           !chart_child(things, "NUMBER") &&
           !match_is_plural_word(reader_word(r, core->end - 1));
}

/* "The tins on the bench | and the hammer go on the shelf": one hammer "goes",
 * and what "go" are all that were named. */
static bool state_disagrees(const reader *r, const chart_node *node)
{
    const chart_node *const things =
        node->child_count > 1 ? node->children[0] : NULL;
    const chart_node *const be = things ? node->children[1] : NULL;
    if (!node_is(node, "STATE") || !node_is(things, "THING") ||
        !node_is(be, "$be") || things->first == 0)
        return false;
    return thing_is_single(r, things) &&
           reader_word_is(r, things->first - 1, "and") &&
           lexicon_lists("account: of many", reader_word(r, be->first));
}

static uint32_t tree_cost_of_discord(const reader *r, const chart_node *node)
{
    enum {
        COST_OF_DISCORD = 40
    };
    uint32_t cost = state_disagrees(r, node) ? COST_OF_DISCORD : 0;
    for (uint32_t i = 0; i < node->child_count; i++)
        cost += tree_cost_of_discord(r, node->children[i]);
    return cost;
}

/* One tree's reading. */
typedef struct attempt {
    reader r;
    builtin_reading reading;
    const chart_node *root;
    uint32_t cost; /* by grammar and scene */
} attempt;

static bool part_has_comma(const reader *r)
{
    bool has = false;
    for (uint32_t at = r->part->first; at < r->part->end && !has; at++)
        has =
            r->s->tokens[at].is_mark && strcmp(r->s->tokens[at].text, ",") == 0;
    return has;
}

/* Reads a tree as part of the sentence whose misspelt words the tree has
 * chosen. */
static etna_code attempt_make(const reader *r,
                              const chart_tree *tree,
                              attempt *ret)
{
    sentence *chosen = etna_arena_alloc(r->arena, 1, sizeof *chosen);
    ret->r = *r;
    ret->r.cost = 0;
    ret->r.strained = false;
    ret->r.reading = &ret->reading;
    ret->reading = *r->reading;
    ret->root = tree->root;
    if (!chosen)
        return reader_no_memory(&ret->r);
    etna_code code =
        sentence_choose(r->s, r->part, tree->root, r->arena, chosen, r->err);
    if (code != ETNA_OK)
        return code;
    ret->r.s = chosen;
    code = tree_read(&ret->r, tree->root);
    if (code == ETNA_OK)
        code = account_check(&ret->r, tree->root);
    ret->cost = tree->cost + ret->r.cost + tree_cost_of_tears(tree->root) +
                tree_cost_of_discord(&ret->r, tree->root);
    bool asks = ret->reading.count > r->reading->count ||
                !chart_find(tree->root, "ASIDE");
    if (!asks)
        /* "I want the cap in the box" is no talk about oneself */
        ret->cost += COST_OF_ASIDE;
    if (!asks && part_has_comma(r))
        /* "I am hungry, put the rolls on the table" is more than that */
        ret->cost += COST_OF_ASIDE_WITH_MORE;
    return code;
}

static bool sets_same(const builtin_set *a, const builtin_set *b)
{
    if (a->count != b->count || a->need != b->need)
        return false;
    return a->count == 0 ||
           memcmp(a->objects, b->objects, a->count * sizeof *a->objects) == 0;
}

#define MOVE_FIELD(field) \
    { \
        offsetof(builtin_move, field), \
            sizeof(((const builtin_move *)NULL)->field) \
    }

/* A member of builtin_move by which two readings are compared. */
typedef struct move_field {
    size_t offset, size;
} move_field;

static const move_field move_words[] = {
    MOVE_FIELD(relation),  MOVE_FIELD(reference), MOVE_FIELD(second),
    MOVE_FIELD(support),   MOVE_FIELD(sides),     MOVE_FIELD(level),
    MOVE_FIELD(slot),      MOVE_FIELD(facing),    MOVE_FIELD(faced),
    MOVE_FIELD(order),     MOVE_FIELD(even),      MOVE_FIELD(align),
    MOVE_FIELD(row_count), MOVE_FIELD(also_count)};

static const move_field move_numbers[] = {MOVE_FIELD(gap), MOVE_FIELD(turn),
                                          MOVE_FIELD(spacing),
                                          MOVE_FIELD(shift), MOVE_FIELD(at)};

static const void *field_of(const builtin_move *m, const move_field *field)
{
    return (const char *)m + field->offset;
}

static bool move_words_same(const builtin_move *a, const builtin_move *b)
{
    for (size_t i = 0; i < sizeof move_words / sizeof move_words[0]; i++) {
        const move_field *field = &move_words[i];
        if (memcmp(field_of(a, field), field_of(b, field), field->size) != 0)
            return false;
    }
    return true;
}

/* All numbers that the table lists. */
static bool move_numbers_same(const builtin_move *a, const builtin_move *b)
{
    for (size_t i = 0; i < sizeof move_numbers / sizeof move_numbers[0]; i++) {
        const double *x = field_of(a, &move_numbers[i]);
        const double *y = field_of(b, &move_numbers[i]);
        for (size_t k = 0; k < move_numbers[i].size / sizeof *x; k++) {
            if (x[k] != y[k])
                return false;
        }
    }
    return true;
}

/* Of as many as each other. */
static bool move_lists_same(const builtin_move *a, const builtin_move *b)
{
    for (uint32_t i = 0; i < a->row_count; i++) {
        if (a->row[i] != b->row[i])
            return false;
    }
    for (uint32_t i = 0; i < a->also_count; i++) {
        const builtin_condition *x = &a->also[i];
        const builtin_condition *y = &b->also[i];
        if (x->relation != y->relation || x->reference != y->reference ||
            x->second != y->second)
            return false;
    }
    return sets_same(&a->objects, &b->objects) && sets_same(&a->each, &b->each);
}

/* Do two moves ask for the same, as far as words that may be misspelt decide
 * it? */
static bool moves_same(const builtin_move *a, const builtin_move *b)
{
    return move_words_same(a, b) && move_numbers_same(a, b) &&
           move_lists_same(a, b);
}

static bool readings_same(const builtin_reading *a, const builtin_reading *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!moves_same(&a->moves[i], &b->moves[i]))
            return false;
    }
    return true;
}

/* The token that two attempts take for different words; NULL: none. */
static const sentence_token *attempts_differ(const attempt *a, const attempt *b)
{
    for (uint32_t i = a->r.part->first; i < a->r.part->end; i++) {
        const sentence_token *t = &a->r.s->tokens[i];
        if (t->variant_count && strcmp(t->text, b->r.s->tokens[i].text) != 0)
            return t;
    }
    return NULL;
}

/* Is there a better one with the same words? */
static bool attempt_is_beaten(attempt *const *attempts,
                              uint32_t count,
                              uint32_t at)
{
    for (uint32_t i = 0; i < count; i++) {
        bool before = attempts[i]->cost < attempts[at]->cost ||
                      (attempts[i]->cost == attempts[at]->cost && i < at);
        if (before && !attempts_differ(attempts[i], attempts[at]))
            return true;
    }
    return false;
}

/* The best attempt; one that takes a misspelt word for another and is as good,
 * but asks for something else, makes it a guess, which is refused. */
static etna_code attempts_choose(reader *r,
                                 attempt *const *attempts,
                                 uint32_t count,
                                 const attempt **ret)
{
    const attempt *best = attempts[0];
    for (uint32_t i = 1; i < count; i++) {
        if (attempts[i]->cost < best->cost)
            best = attempts[i];
    }
    *ret = best;
    for (uint32_t i = 0; i < count; i++) {
        const attempt *other = attempts[i];
        const sentence_token *t = other->cost <= best->cost + MARGIN_OF_MENDED
                                      ? attempts_differ(best, other)
                                      : NULL;
        if (!t || attempt_is_beaten(attempts, count, i) ||
            readings_same(&best->reading, &other->reading))
            continue;
        const char *one = t->text,
                   *two = other->r.s->tokens[t - best->r.s->tokens].text;
        etna_code code = reader_refuse(r, CODE_AMBIGUOUS, NULL,
                                       "\"%s\" may be \"%s\" or \"%s\"",
                                       t->written, one, two);
        r->refusal.from = t->at;
        r->refusal.to = t->end;
        return code;
    }
    return ETNA_OK;
}

static bool part_is_misspelt(const reader *r)
{
    for (uint32_t i = r->part->first; i < r->part->end; i++) {
        if (r->s->tokens[i].variant_count)
            return true;
    }
    return false;
}

typedef struct attempt_list { /* of one part */
    uint32_t count;
    attempt *items[CHART_TREES_MAX]; /* that mean something here */
    uint32_t best_cost;
    bool misspelt;
    bool is_final;       /* one says what is not so: nothing else is meant */
    bool refused;        /* one means nothing here; of the first of these: */
    uint32_t first_cost; /* by grammar */
    builtin_refusal refusal;
    etna_error why;
} attempt_list;

/* Is a tree of that cost too far from the best to be worth reading? */
static bool attempts_are_enough(const attempt_list *list, uint32_t cost)
{
    uint32_t margin = list->misspelt ? MARGIN_OF_MENDED + 1 : 0;
    if (list->is_final)
        return true;
    if (list->count > 0 && cost >= list->best_cost + margin)
        return true;
    return list->refused && refusal_is_understood(&list->refusal) &&
           cost > list->first_cost + BEYOND_REFUSAL;
}

/* The cheapest trees come first, so the first refusal is the best one to tell,
 * unless another is final. */
static void attempts_note_refusal(const reader *r,
                                  const attempt *a,
                                  uint32_t cost,
                                  attempt_list *list)
{
    const bool final = a->r.refusal.is_final && !list->is_final;
    list->is_final = list->is_final || final;
    if (list->refused && !final)
        return;
    if (!list->refused)
        list->first_cost = cost;
    list->refused = true;
    list->refusal = a->r.refusal;
    list->why = *r->err;
}

/* One tree read by a copy of the reader. ETNA_E_INPUT is noted and goes on. */
static etna_code attempts_add(reader *r,
                              const chart_tree *tree,
                              attempt_list *list)
{
    attempt *a = etna_arena_alloc(r->arena, 1, sizeof *a);
    if (!a)
        return reader_no_memory(r);
    etna_code code = attempt_make(r, tree, a);
    if (code == ETNA_OK) {
        list->items[list->count++] = a;
        if (a->cost < list->best_cost)
            list->best_cost = a->cost;
        return ETNA_OK;
    }
    if (code == ETNA_E_INPUT)
        attempts_note_refusal(r, a, tree->cost, list);
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* The reader goes on where the attempt ended. */
static void attempt_take(reader *r, const attempt *a)
{
    builtin_reading *reading = r->reading;
    uint32_t cost = r->cost + a->cost;
    *reading = a->reading;
    *r = a->r;
    r->reading = reading;
    r->cost = cost;
    *r->err = (etna_error){0};
    account_tree(r, a->root);
}

static bool token_parts(const sentence_token *t)
{
    static const char *const joints[] = {"and", "then", "but", "-"};
    return !t->quoted && (t->is_mark || WORD_IS_OF(t->text, joints));
}

/* Of a part that has no tree: the first stretch between marks and joints that
 * has none by itself either; else all of it. */
static etna_code part_find_unread(reader *r,
                                  const sentence_vocabulary *vocabulary,
                                  sentence_part *ret)
{
    *ret = *r->part;
    for (uint32_t first = r->part->first; first < r->part->end;) {
        chart_tree trees[CHART_TREES_MAX];
        uint32_t end = first, count = 0;
        while (end < r->part->end && !token_parts(&r->s->tokens[end]))
            end++;
        const sentence_part stretch = {.first = first, .end = end};
        first = end + 1;
        if (stretch.end == stretch.first)
            continue;
        etna_code code = sentence_parse(r->s, &stretch, vocabulary, r->arena,
                                        trees, &count, r->err);
        if (code != ETNA_OK)
            return code;
        if (count > 0)
            continue;
        *ret = stretch;
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* No tree at all: the shortest part that cannot be read is quoted. */
static etna_code part_refuse(reader *r, const sentence_vocabulary *vocabulary)
{
    const uint32_t longest = 160; /* bytes */
    sentence_part unread;
    etna_code found = part_find_unread(r, vocabulary, &unread);
    if (found != ETNA_OK)
        return found;
    const sentence_token *from = &r->s->tokens[unread.first];
    const sentence_token *to = &r->s->tokens[unread.end - 1];
    r->clause[0] = from->at;
    r->clause[1] = to->end;
    r->is_wish = leave_is_wish(r->s, &unread);
    uint32_t size = to->end - from->at;
    etna_code code = reader_refuse(
        r, CODE_UNREAD, NULL, "\"%.*s\" is not understood",
        (int)(size < longest ? size : longest), r->text + from->at);
    r->refusal.from = from->at;
    r->refusal.to = to->end;
    return code;
}

static etna_code part_impossible(reader *r, const chart_node *node)
{
    if (r->s->tokens[r->part->first + node->first].variant_count)
        return ETNA_OK; /* it may be another verb */
    r->is_wish = node_is(node, "DO");
    if (r->is_wish)
        reader_span(r, node, r->clause);
    return reader_refuse(
        r, CODE_IMPOSSIBLE, node,
        "\"%s\": things can be moved, turned and hung, and nothing else",
        reader_said(r, node));
}

/* "A bit further" is a sentence only behind another text, and sides are those
 * of one thing. */
static bool tree_may_be_meant(const reader *r, const chart_node *root)
{
    const bool begins = r->first_move == 0 || r->reading->count > r->first_move;
    const chart_node *sides = chart_find(root, "SIDES");
    if (tree_is_cut(r, root, root))
        return false;
    if (sides && !sides_may_be_meant(r, sides))
        return false;
    return !begins || !chart_find(root, "ONWARD");
}

/* ---- a second look ---- */

static bool node_is_place(const chart_node *node)
{
    static const char *const places[] = {"REL", "ZONE", "ENDOWN", "BETWEEN"};
    return WORD_IS_OF(node->name, places);
}

/* "The chair | in the corner": where it is, and nothing else about it. What it
 * is taken off asks for that. */
static bool node_tells_place(const chart_node *node)
{
    if (!node_is(node, "MOD") || node->child_count != 1 ||
        !node_is_place(node->children[0]))
        return false;
    const chart_node *rel = chart_child(node->children[0], "$rel");
    return !rel || rel->value != REL_OFF;
}

/* How many words of the tree tell a thing by its place, or by what it has. */
static uint32_t tree_words_of_place(const chart_node *node)
{
    if (node_tells_place(node) || node_is(node, "HAVING"))
        return node->end - node->first;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < node->child_count; i++)
        sum += tree_words_of_place(node->children[i]);
    return sum;
}

/* Of a kind, the first of the tree that begins at that token (`first`) or ends
 * before it; NULL: none. */
static const chart_node *tree_find_at(const chart_node *node,
                                      bool (*is)(const chart_node *node),
                                      uint32_t token,
                                      bool begins)
{
    if (is(node) && (begins ? node->first : node->end) == token)
        return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found =
            tree_find_at(node->children[i], is, token, begins);
        if (found)
            return found;
    }
    return NULL;
}

/* "On the table | by the window": where the place that is left may tell that
 * table as well, both may be meant. */
static etna_code place_may_tell(reader *r,
                                const chart_node *told,
                                const chart_node *place,
                                bool *ret)
{
    static const char *const ways[] = {"to",     "onto",    "into", "over",
                                       "toward", "towards", "back"};
    const chart_node *const where = told->children[0];
    const chart_node *const what =
        where->child_count ? where->children[where->child_count - 1] : NULL;
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    *ret = false;
    if (!what || what->is_terminal)
        return ETNA_OK;
    if (WORD_IS_OF(reader_word(r, place->first), ways))
        return ETNA_OK;
    etna_code code = refer_things(r, what, &scope, &of);
    for (uint32_t i = 0; i < of.count && code == ETNA_OK && !*ret; i++) {
        double way = INFINITY;
        code = where_holds(r, place, of.objects[i], &way);
        *ret = code == ETNA_OK && isfinite(way);
    }
    return code;
}

/* Is there a place in the tree that may tell what a place right before it
 * names? */
static etna_code tree_is_doubtful(reader *r, const chart_node *root, bool *ret)
{
    *ret = false;
    for (uint32_t token = root->first + 1; token < root->end && !*ret;
         token++) {
        const chart_node *told =
            tree_find_at(root, node_tells_place, token, false);
        const chart_node *place =
            told ? tree_find_at(root, node_is_place, token, true) : NULL;
        if (!place)
            continue;
        etna_code code = place_may_tell(r, told, place, ret);
        if (code != ETNA_OK)
            return code == ETNA_E_INPUT ? ETNA_OK : code;
    }
    return ETNA_OK;
}

/* "The lamp near the bear and the plant on the box": two things with a place
 * each, rather than the lamp that is near it. */
static bool tree_tells_one_of_two(const chart_node *node)
{
    if (node_is(node, "AND") && node->child_count > 1) {
        const chart_node *last = node->children[node->child_count - 1];
        const bool told = tree_words_of_place(node) > tree_words_of_place(last);
        if (told && tree_words_of_place(last) == 0)
            return true;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_tells_one_of_two(node->children[i]))
            return true;
    }
    return false;
}

/* The best of the trees that the first look passed over. */
typedef struct second_look {
    attempt *best; /* NULL: nothing came of it */
    uint32_t told; /* words of its tree that tell a thing by its place */
    bool doubtful; /* another asks for something else with as many */
} second_look;

static bool look_is_better(const second_look *look,
                           uint32_t told,
                           const attempt *a)
{
    if (!look->best || told != look->told)
        return !look->best || told > look->told;
    return a->cost < look->best->cost;
}

/* Is neither by far the likelier? */
static bool look_is_near(const attempt *a, const attempt *b)
{
    return a->cost <= b->cost + MARGIN_OF_MENDED &&
           b->cost <= a->cost + MARGIN_OF_MENDED;
}

/* Takes the reading where it is the better one. */
static void look_take(second_look *look,
                      uint32_t told,
                      attempt *a,
                      bool doubtful)
{
    const bool other = look->best && look_is_near(look->best, a) &&
                       !readings_same(&look->best->reading, &a->reading);
    const bool same_words = look->best && told == look->told;
    if (look_is_better(look, told, a)) {
        look->doubtful = doubtful || (same_words && other);
        look->best = a;
        look->told = told;
    } else if (same_words) {
        look->doubtful = look->doubtful || other;
    }
}

/* In the second look: of several readings that one counts which explains most
 * words of place; two that differ make it doubtful. */
static etna_code look_at(reader *r, const chart_tree *tree, second_look *look)
{
    const uint32_t told = tree_words_of_place(tree->root);
    if (told == 0 || !tree_may_be_meant(r, tree->root) ||
        tree_tells_one_of_two(tree->root))
        return ETNA_OK;
    attempt *a = etna_arena_alloc(r->arena, 1, sizeof *a);
    if (!a)
        return reader_no_memory(r);
    etna_code code = attempt_make(r, tree, a);
    if (code != ETNA_OK)
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    bool doubtful = false;
    reader before = *r;
    code = tree_is_doubtful(&before, tree->root, &doubtful);
    if (code != ETNA_OK)
        return code;
    look_take(look, told, a, doubtful);
    return ETNA_OK;
}

/* What was refused because a phrase means several things or none: a place
 * behind the phrase may tell which. The reading that tells most so is taken,
 * where it is one. */
static etna_code part_look_again(reader *r,
                                 const sentence_vocabulary *vocabulary,
                                 second_look *ret)
{
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    sentence s = *r->s;
    reader own = *r;
    own.s = &s;
    *ret = (second_look){0};
    etna_code code =
        *r->second ? ETNA_OK
                   : sentence_grammar_make(true, r->arena, r->second, r->err);
    s.grammar = *r->second;
    if (code == ETNA_OK)
        code = sentence_parse(&s, r->part, vocabulary, r->arena, trees, &count,
                              r->err);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        code = look_at(&own, &trees[i], ret);
    return code;
}

static bool refusal_is_of_phrase(const builtin_refusal *refusal)
{
    return strcmp(refusal->code, "ambiguous") == 0 ||
           strcmp(refusal->code, "unknown") == 0;
}

/* What asks for a place that is none: a second look may find one. */
static etna_code part_look_past(reader *r,
                                const sentence_vocabulary *vocabulary,
                                const attempt **best)
{
    second_look look;
    etna_code code = part_look_again(r, vocabulary, &look);
    if (code == ETNA_OK && look.best && !look.best->r.strained)
        *best = look.best;
    return code;
}

/* Nothing that the part may say can be meant here. */
static etna_code part_give_up(reader *r,
                              const sentence_vocabulary *vocabulary,
                              const attempt_list *list)
{
    second_look look = {0};
    if (refusal_is_of_phrase(&list->refusal) && !list->refusal.is_final) {
        etna_code code = part_look_again(r, vocabulary, &look);
        if (code != ETNA_OK)
            return code;
    }
    if (look.best && !look.doubtful) {
        attempt_take(r, look.best);
        return ETNA_OK;
    }
    r->refusal = list->refusal;
    *r->err = list->why;
    return ETNA_E_INPUT;
}

/* "The shelf is missing | it": of what is passed over in pieces all is looked at
 * together. */
static etna_code part_take(reader *r, const attempt *best)
{
    const uint32_t count = r->reading->count,
                   remark_count = r->reading->remark_count;
    attempt_take(r, best);
    if (r->reading->count > count ||
        r->reading->remark_count < remark_count + 2)
        return ETNA_OK;
    return passed_check(r, r->part);
}

/* Tries the trees in the order of cost, until enough can be read. */
static etna_code part_try_trees(reader *r,
                                const chart_tree *trees,
                                uint32_t count,
                                attempt_list *list)
{
    const uint32_t most = list->misspelt ? TREES_READ_OF_MISSPELT : TREES_READ;
    uint32_t read = 0;
    for (uint32_t i = 0; i < count && read < most; i++) {
        if (!tree_may_be_meant(r, trees[i].root))
            continue;
        if (attempts_are_enough(list, trees[i].cost))
            break;
        etna_code code = attempts_add(r, &trees[i], list);
        if (code != ETNA_OK)
            return code;
        read++;
    }
    return ETNA_OK;
}

/* Of those that were read; attempts_choose decides. */
static etna_code part_choose(reader *r,
                             const sentence_vocabulary *vocabulary,
                             attempt_list *list)
{
    const attempt *best = NULL;
    etna_code code = attempts_choose(r, list->items, list->count, &best);
    if (code == ETNA_OK && best->r.strained)
        code = part_look_past(r, vocabulary, &best);
    return code == ETNA_OK ? part_take(r, best) : code;
}

/* r becomes the reader of the chosen tree. */
etna_code part_read(reader *r, const sentence_vocabulary *vocabulary)
{
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    etna_code code = sentence_parse(r->s, r->part, vocabulary, r->arena, trees,
                                    &count, r->err);
    if (code == ETNA_E_INPUT)
        return reader_refuse(r, CODE_UNREAD, NULL, "%s", r->err->text);
    if (code != ETNA_OK)
        return code;
    const chart_node *impossible =
        count ? tree_impossible(trees[0].root) : NULL;
    if (impossible && part_tells_why(r, trees[0].root)) {
        account_talk(r, r->part);
        return ETNA_OK;
    }
    if (impossible)
        code = part_impossible(r, impossible);
    attempt_list list = {.misspelt = part_is_misspelt(r),
                         .best_cost = UINT32_MAX};
    if (code == ETNA_OK)
        code = part_try_trees(r, trees, count, &list);
    if (code != ETNA_OK)
        return code;
    if (list.count > 0)
        return part_choose(r, vocabulary, &list);
    return list.refused ? part_give_up(r, vocabulary, &list)
                        : part_refuse(r, vocabulary);
}
