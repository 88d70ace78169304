/* What a tree's shape alone says against it: words that belong together in two
 * nodes, a place that the next clause takes back, "the hammer go". */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/refer_internal.h"

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
    /* "I want that standing by the door" */
    const bool points =
        core->first > 0 && reader_lists(r, core->first - 1, "tree: points");
    return tells && (points || core->end - core->first > 1);
}

/* "The desk near | the phone", "the mug | more far from it": words of a place,
 * and of no name, unless one here has them. */
static bool core_takes_place(const reader *r, const chart_node *core)
{
    const char *const last = reader_word(r, core->end - 1);
    bool takes = core->end - core->first > 1 && strcmp(last, "near") == 0;
    for (uint32_t at = core->first; at + 1 < core->end && !takes; at++)
        takes = reader_lists(r, at, "tree: rank") &&
                !mend_vocabulary_has(r->vocabulary, reader_word(r, at));
    return takes;
}

/* "The two nearest | to the window": the word says to what, and stands for
 * nothing by itself. */
static bool core_is_cut(const reader *r,
                        const chart_node *core,
                        const chart_node *root)
{
    if (core->end >= root->end)
        return false;
    const char *const word = reader_word(r, core->end - 1);
    const char *const next = reader_word(r, core->end);
    if (core_ends_standing(r, core) || core_takes_place(r, core))
        return true;
    /* "the two that stand farthest apart" */
    if (strcmp(next, "apart") == 0)
        return lexicon_lists("tree: farther", word);
    if (strcmp(next, "to") == 0 || strcmp(next, "together") == 0)
        return lexicon_lists("tree: nearest", word);
    return strcmp(next, "from") == 0 && lexicon_lists("tree: farther", word);
}

/* ", next | to the lamp" is next to it, and "right | one" is the right one. */
static bool next_is_cut(const reader *r,
                        const chart_node *polite,
                        const chart_node *root)
{
    if (polite->end >= root->end)
        return false;
    const char *const said = reader_word(r, polite->first);
    const char *const next = reader_word(r, polite->end);
    return (strcmp(said, "next") == 0 && strcmp(next, "to") == 0) ||
           (strcmp(said, "right") == 0 && strcmp(next, "one") == 0);
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
    return node_is(node, "THING") && node->child_count == 1 &&
           node_is(node->children[0], "$quant") &&
           reader_lists(r, node->first, "tree: points");
}

/* "Aligned with the wall | behind the bed": that wall, and not straight and
 * behind the bed. */
static bool wall_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *root)
{
    if (node->end >= root->end || !reader_lists(r, node->end - 1, "tree: wall"))
        return false;
    /* "along the wall | behind the bed" are no two places */
    if (node_is(node, "REL"))
        return reader_word_is(r, node->end, "behind");
    return node_is(node, "$straight") && reader_lists(r, node->end, "$rel");
}

/* "Bring | in a chair" brings in: whoever says "a" means none that is there. */
static bool bringing_is_cut(const reader *r,
                            const chart_node *verb,
                            const chart_node *root)
{
    if (!node_is(verb, "$verb") || verb->end + 1 >= root->end)
        return false;
    return reader_word_is(r, verb->end - 1, "bring") &&
           reader_word_is(r, verb->end, "in") &&
           reader_lists(r, verb->end + 1, "tree: some");
}

/* Does the node end where words that belong together are parted? */
static bool node_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *root)
{
    if (thing_is_of_two(node) || relative_is_cut(r, node) ||
        that_is_bare(r, node))
        return true;
    if (wall_is_cut(r, node, root) || bringing_is_cut(r, node, root))
        return true;
    if (node_is(node, "CORE") && core_is_cut(r, node, root))
        return true;
    if (node_is(node, "$polite") && next_is_cut(r, node, root))
        return true;
    return together_is_cut(r, node, root);
}

/* The same of any node below it. */
/* "Next to the milk, on its left", "against the wall, on the left": behind another
 * place a side is no thing of that name. */
static bool side_is_named(const reader *r, const chart_node *node)
{
    bool other = false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *const rel = node->children[i];
        const chart_node *const what =
            node_is(rel, "REL") ? node_things(rel, 0) : NULL;
        const bool side = other && what && what->end == what->first + 2 &&
                          match_word_side(reader_word(r, what->first + 1)) &&
                          reader_word_is(r, rel->first, "on") &&
                          reader_word_is(r, rel->first - 1, ",");
        if (side)
            return true;
        other = other || what;
    }
    return false;
}

static bool tree_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *root)
{
    if (node_is_cut(r, node, root) || side_is_named(r, node))
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
    return COST_OF_TEAR * found.count;
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
           reader_lists(r, be->first, "account: of many");
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

uint32_t tree_cost_of_shape(const reader *r, const chart_node *root)
{
    return tree_cost_of_tears(root) + tree_cost_of_topic(root) +
           tree_cost_of_discord(r, root);
}

/* Does the node say anywhere what something is with? */
static bool node_says_with(const chart_node *node)
{
    const bool with = node_is(node, "$rel") && node->value == REL_WITH;
    if (with || node_is(node, "HAVING"))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (node_says_with(node->children[i]))
            return true;
    }
    return false;
}

/* "In it", "on it" */
static bool node_is_upon_it(const chart_node *node)
{
    const chart_node *rel = chart_child(node, "$rel");
    const chart_node *what = node_things(node, 0);
    return rel && bit_is_in(rel->value, BIT(REL_IN) | BIT(REL_ON)) && what &&
           phrase_is_pronoun(what, PRON_IT);
}

/* "The bowl with the orange in it" is no bowl that goes into the orange: other
 * trees keep the words from "with" to "it" together. */
static bool tree_parts_company(const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        if (node_is_upon_it(node->children[i + 1]) &&
            node_says_with(node->children[i]))
            return true;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_parts_company(node->children[i]))
            return true;
    }
    return false;
}

/* "Two at table 1 and two at table 2", "one on table one and one on table two":
 * some of these are numbers of things. Who writes labels in digits writes all
 * of them so, and nobody says a label twice. */
static bool labels_are_mixed(const reader *r, const chart_node *labels)
{
    bool has_digits = false, has_words = false, has_twice = false;
    for (uint32_t i = 0; i < labels->child_count; i++) {
        const chart_node *const label = labels->children[i];
        const char *const word = reader_word(r, label->first);
        const bool is_digit = word[0] >= '0' && word[0] <= '9';
        has_digits = has_digits || (node_is(label, "$num") && is_digit);
        has_words = has_words || (node_is(label, "$num") && !is_digit);
        for (uint32_t k = 0; k < i; k++)
            has_twice = has_twice ||
                        (node_is(label, "$num") &&
                         reader_word_is(r, labels->children[k]->first, word));
    }
    return has_twice || (has_digits && has_words);
}

/* Does a list of labels in the tree hold a number of things? */
static bool tree_mixes_labels(const reader *r, const chart_node *node)
{
    if (node_is(node, "LABELS") && labels_are_mixed(r, node))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_mixes_labels(r, node->children[i]))
            return true;
    }
    return false;
}

/* "The rest", "the others" as the name of a thing, where nothing is called
 * so. */
static bool tree_names_rest(const reader *r, const chart_node *node)
{
    const char *const word = reader_word(r, node->first);
    if (node_is(node, "CORE") && node->end == node->first + 1 &&
        lexicon_lists("tree: rest", word) &&
        !mend_vocabulary_has(r->vocabulary, word))
        return true;
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (!node->children[i]->is_terminal &&
            tree_names_rest(r, node->children[i]))
            return true;
    }
    return false;
}

/* "The actress | face | to face the sofa": of "face to face" no tree takes one
 * word alone. */
static bool tree_splits_faces(const reader *r, const chart_node *node)
{
    const uint32_t next = r->part->first + node->first + 1;
    if (node->is_terminal)
        return node->end == node->first + 1 && next + 1 < r->part->end &&
               reader_word_is(r, node->first, "face") &&
               reader_word_is(r, node->first + 1, "to") &&
               reader_word_is(r, node->first + 2, "face");
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_splits_faces(r, node->children[i]))
            return true;
    }
    return false;
}

/* "Everything but the vase goes on the sofa": the vase stays, and no clause
 * begins at "but". */
static bool tree_cuts_exception(const reader *r, const chart_node *node)
{
    if (node->is_terminal && !node_is(node, "$except") && node->first > 0 &&
        reader_word_is(r, node->first, "but"))
        return reader_lists(r, node->first - 1, "tree: whole");
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (tree_cuts_exception(r, node->children[i]))
            return true;
    }
    return false;
}

/* The last thing that the node says "with"; NULL: it says none. */
static const chart_node *node_last_company(const chart_node *node)
{
    const chart_node *found =
        node_says(node, "$rel", BIT(REL_WITH)) ? node : NULL;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *const child = node->children[i];
        const chart_node *const inner =
            child->is_terminal ? NULL : node_last_company(child);
        found = inner ? inner : found;
    }
    return found;
}

/* "Line up the books with the mug in the middle": the mug has that place in the
 * row, and no row is in the middle of nothing. */
static bool tree_parts_order(const reader *r, const chart_node *root)
{
    const uint32_t rows = BIT(VERB_LINE) | BIT(VERB_SPACE);
    const chart_node *const said = chart_find(root, "DO");
    const chart_node *const verb = said ? chart_child(said, "$verb") : NULL;
    const chart_node *const centred =
        said ? chart_child(said, "CENTRED") : NULL;
    if (!verb || !bit_is_in(verb->value, rows))
        return false;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const with =
            said->children[i]->is_terminal
                ? NULL
                : node_last_company(said->children[i]);
        if (!with)
            continue;
        if ((centred && with->end == centred->first) ||
            reader_lists(r, with->end - 1, "zone: middle"))
            return true;
    }
    return false;
}

/* "A bit further" is a sentence only behind another text, and sides are those
 * of one thing. */
bool tree_may_be_meant(const reader *r, const chart_node *root)
{
    const bool begins = r->first_move == 0 || r->reading->count > r->first_move;
    const chart_node *sides = chart_find(root, "SIDES");
    if (tree_is_cut(r, root, root) || tree_parts_company(root) ||
        tree_mixes_labels(r, root) || tree_names_rest(r, root) ||
        tree_splits_faces(r, root) || tree_parts_order(r, root) ||
        tree_cuts_exception(r, root))
        return false;
    if (sides && !sides_may_be_meant(r, sides))
        return false;
    return !begins || !chart_find(root, "ONWARD");
}
