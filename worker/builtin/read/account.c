/* The account of a text: every word of what is carried out must have become
 * something. A tree of the grammar covers all words of its part, but some of
 * them stand where any word may: in a reason, in what is told before an order,
 * as the verb of "should be kept on". Those are counted apart, and what such a
 * word may be is data of lexicon.inc ("account: ..."), so that a condition or
 * an exception among them is refused and not passed over. */
#include "worker/builtin/read/account.h"
#include "worker/builtin/read/spoken.h"
#include "worker/builtin/read/torn.h"

#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/telling_internal.h"

/* ---- what a terminal became ---- */

/* The nearest of them above a word decides what it became. */
static const struct {
    const char *name; /* of a node above the word */
    builtin_became became;
} account_above[] = {{"CORE", BECAME_THING},     {"ASIDE", BECAME_TALK},
                     {"BECAUSE", BECAME_REASON}, {"REMARK", BECAME_TALK},
                     {"TOLD", BECAME_TALK},      {"QUOTED", BECAME_THING}};

/* Words that could be left out and the same would be asked. */
static const char *const account_polite[] = {"$polite", "$polite_end",
                                             "$interj", "$sake"};

/* `above`: what the nodes above make of a word that may be any. */
static builtin_became terminal_became(const chart_node *word,
                                      builtin_became above)
{
    if (strcmp(word->name, "$any") == 0)
        return above == BECAME_TALK || above == BECAME_REASON ? above
                                                              : BECAME_ANY;
    if (strcmp(word->name, "$quoted") == 0)
        return BECAME_THING;
    if (WORD_IS_OF(word->name, account_polite))
        return BECAME_POLITE;
    return above == BECAME_THING ? BECAME_THING : BECAME_ASKED;
}

/* What the words of a node become where no word of theirs says otherwise:
 * nodes without a row become what the node above them does. */
static builtin_became node_became(const chart_node *node, builtin_became above)
{
    for (size_t i = 0; i < COUNT_OF(account_above); i++) {
        if (node_is(node, account_above[i].name))
            return account_above[i].became;
    }
    /* "the fan cools the clerk: put it beside the stool" */
    const bool told = node_is(node, "DO") && chart_child(node, "$any");
    return told ? BECAME_TALK : above;
}

/* Writes what each word became, from the root down. A word that several
 * readings explain keeps what the last one of them says: the one taken. */
static void account_node(reader *r,
                         const chart_node *node,
                         builtin_became above)
{
    if (node->is_terminal) {
        const builtin_became became = terminal_became(node, above);
        for (uint32_t at = node->first; at < node->end; at++)
            r->account[r->part->first + at] = (uint8_t)became;
        return;
    }
    const builtin_became below = node_became(node, above);
    for (uint32_t i = 0; i < node->child_count; i++)
        account_node(r, node->children[i], below);
}

/* ---- what a word may not become ---- */

/* "The teacher would like the lamp on the desk", "the ducky wants to swim in
 * the tub", "it is best kept on the shelf": who wishes, and what is no more
 * than to be there. "Repainted" is more. */
static bool word_may_be_any(const char *word)
{
    char lemma[64];
    if (lexicon_lists("account: any", word) || lexicon_is_person(word) ||
        lexicon_is_mere_adjective(word))
        return true;
    if (kinds_distance(word, "person") < KINDS_NEAR ||
        kinds_distance(word, "animal") < KINDS_NEAR)
        return true;
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           kinds_verb_class(lemma) != KINDS_VERB_NONE;
}

/* "No stacking", which is no polite word before an order. */
static bool denial_is_of_doing(const reader *r, const chart_node *word)
{
    const uint32_t next = r->part->first + word->end;
    return next < r->part->end && word_is_doing(r->s->tokens[next].text);
}

/* What says no is read by forms of the grammar that are made for it. In any
 * other place its clause would be read as if it were not there. */
static bool denial_is_read(const reader *r, const chart_node *word, bool begins)
{
    static const char *const forms[] = {
        "$not",        "$no",         "$except",   "$correct",    "$unmoved",
        "$in_place",   "$rest_stays", "$about",    "$so_nobody",  "$aside",
        "$cannot_how", "$polite",     "$interj",   "$polite_end", "$verb",
        "$rel",        "$happened",   "$no_gap",   "$any",        "$load",
        "$bound",      "$so_that",    "$kept_way", "$because",    "$before_who",
        "$anybody",    "$quoted",     "$no_touch"};
    const bool literal = word->name[0] != '$';
    /* "couldn't the vase go there?" asks for it */
    const bool question = strcmp(word->name, "$may") == 0 && begins;
    if (WORD_IS_OF(word->name, account_polite) && denial_is_of_doing(r, word))
        return false;
    return literal || question || WORD_IS_OF(word->name, forms);
}

/* The one word is marked, and not its whole clause: that is what a person has
 * to say in another way. */
static etna_code account_refuse(reader *r, const chart_node *word)
{
    return reader_refuse_said(r, CODE_UNREAD, word,
                              "what that means here is not understood");
}

/* `begins`: it is the first of its clause. */
static etna_code word_check(reader *r,
                            const chart_node *word,
                            builtin_became became,
                            bool begins)
{
    const bool adverb = strcmp(word->name, "$adv") == 0;
    for (uint32_t at = word->first; at < word->end; at++) {
        const char *const said = reader_word(r, at);
        /* "centrally on the table" is more than on it */
        if (adverb && lexicon_lists("account: adverb of place", said))
            return account_refuse(r, word);
        if (became == BECAME_ANY && !word_may_be_any(said))
            return account_refuse(r, word);
        if (lexicon_lists("account: denies", said) &&
            !denial_is_read(r, word, begins))
            return account_refuse(r, word);
    }
    return ETNA_OK;
}

/* "Only the milk should be on the table" clears the rest away, which is another
 * form's; "only two of the tins go there" is of the tins. */
static bool state_is_of_only(const chart_node *node)
{
    const chart_node *const things =
        node_is(node, "STATE") && node->child_count > 1 ? node->children[0]
                                                        : NULL;
    const chart_node *const det =
        things && !node_is(things, "OF") ? chart_child(things, "$det") : NULL;
    return det && det->value == DET_ONLY && node_is(node->children[1], "$be") &&
           chart_child(node, "REL");
}

/* "Shades the table but not the bench": what is excepted of one thing must not
 * hold, and no place says so. */
static bool node_excepts_in_place(const chart_node *node)
{
    static const char *const places[] = {"SHADE", "OLD", "FACE", "ZONE",
                                         "BETWEEN"};
    /* "Push the chairs in; all but the red one", of which nothing is told */
    const bool is_bare = node_is(node, "STATE") && node->child_count == 2;
    if (is_bare || node_is(node, "SOTHAT"))
        return chart_child(node, "BUT") != NULL;
    return WORD_IS_OF(node->name, places) && chart_child(node, "EXCEPT");
}

/* `above` as in terminal_became; `clause`: where the clause begins that the
 * node is in. */
static etna_code node_check(reader *r,
                            const chart_node *node,
                            builtin_became above,
                            uint32_t clause)
{
    if (node->is_terminal)
        return word_check(r, node, terminal_became(node, above),
                          node->first == clause);
    if (node_is_part(r, node) || state_is_of_only(node) ||
        node_excepts_in_place(node))
        return account_refuse(r, node);
    const builtin_became below = node_became(node, above);
    const uint32_t first = node_is(node, "CLAUSE") ? node->first : clause;
    for (uint32_t i = 0; i < node->child_count; i++) {
        etna_code code = node_check(r, node->children[i], below, first);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code account_check(reader *r, const chart_node *root)
{
    return node_check(r, root, BECAME_ASKED, root->first);
}

/* ---- the account ---- */

etna_code account_open(reader *r)
{
    r->account =
        etna_arena_alloc(r->arena, r->s->token_count + 1u, sizeof *r->account);
    r->zoned =
        etna_arena_alloc(r->arena, r->s->token_count + 1u, sizeof *r->zoned);
    if (!r->account || !r->zoned)
        return reader_no_memory(r);
    memset(r->account, BECAME_NOTHING, r->s->token_count + 1u);
    memset(r->zoned, 0, r->s->token_count + 1u);
    return ETNA_OK;
}

void account_tree(reader *r, const chart_node *root)
{
    if (!r->account)
        return;
    account_node(r, root, BECAME_ASKED);
    spoken_note_tree(r, root);
}

void account_talk(reader *r, const sentence_part *words)
{
    if (r->account)
        memset(r->account + words->first, BECAME_TALK,
               words->end - words->first);
}

etna_code account_close(reader *r)
{
    builtin_reading *const reading = r->reading;
    const sentence *const s = r->s;
    builtin_account *all =
        etna_arena_alloc(r->arena, s->token_count + 1u, sizeof *all);
    if (!all)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < s->token_count; i++) {
        all[i] = (builtin_account){
            .from = s->tokens[i].at,
            .to = s->tokens[i].end,
            .became = s->tokens[i].is_mark ? BECAME_MARK : r->account[i]};
    }
    reading->account = all;
    reading->account_count = s->token_count;
    return ETNA_OK;
}

const char *builtin_became_name(builtin_became became)
{
    static const char *const names[] = {"nothing", "mark",   "asked", "thing",
                                        "polite",  "reason", "talk",  "any"};
    return (unsigned)became < COUNT_OF(names) ? names[became] : "?";
}
