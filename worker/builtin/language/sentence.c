/* See sentence.h. */
#include "worker/builtin/language/sentence.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/builtin/language/chart_internal.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon_internal.h"

#include <stdio.h>
#include <string.h>

enum {
    TERMINALS_MAX = 4096,
    COST_VERB_AS_NAME = 22,
    COST_NAME_AS_VERB = 24, /* "plant in the corner", where there is a plant */
    COST_CLOSED_AS_NAME = 60,
    COST_NUMBER_AS_NAME = 12,
    COST_PLACE_AS_NAME = 18,
    COST_UNIT_AS_NAME = 30,
    /* "second jar to the shelf", where there are jars */
    COST_ORDINAL_AS_JOINT = 24
};
enum {
    VARIANT_BITS = 4,
    VARIANT_TOKENS = 8
};

/* ---- terminals ---- */

typedef struct terminal_list {
    chart_terminal *items;
    uint32_t count;
    etna_arena *arena;
    bool failed, full;
} terminal_list;

static void terminal_add(terminal_list *list, chart_terminal terminal)
{
    list->failed = list->failed || !terminal.category;
    list->full = list->full || list->count == TERMINALS_MAX;
    if (list->failed || list->full)
        return;
    list->items[list->count++] = terminal;
}

/* What a token may be: its text, or one of what a misspelt one may have
 * been. */
static uint32_t token_variants(const sentence_token *t)
{
    return t->variant_count ? t->variant_count : 1;
}

static const char *token_variant(const sentence_token *t, uint32_t variant)
{
    return t->variant_count ? t->variants[variant].text : t->text;
}

static uint32_t token_variant_cost(const sentence_token *t, uint32_t variant)
{
    return t->variant_count ? t->variants[variant].cost : 0;
}

typedef struct match {
    uint32_t size;    /* tokens; 0: the words are not there */
    uint32_t variant; /* as chart_terminal's */
    uint32_t cost;
} match;

/* How much of the words from `at` on a text is, with the space before it; NULL:
 * it is not there. */
static const char *words_take(const char *at, const char *text, bool is_first)
{
    size_t size = strlen(text);
    if (!is_first && *at == ' ' && strcmp(text, "'s") != 0)
        at++;
    if (strncmp(at, text, size) != 0)
        return NULL;
    at += size;
    return !*at || *at == ' ' || strncmp(at, "'s", 2) == 0 ? at : NULL;
}

/* The words from token `first` on, which is read as its variant `variant`. */
static match words_match(const sentence *s,
                         uint32_t first,
                         uint32_t variant,
                         uint32_t end,
                         const char *words)
{
    const match none = {0};
    match m = {0};
    for (const char *at = words; *at; m.size++) {
        uint32_t i = first + m.size;
        if (i >= end || s->tokens[i].quoted)
            return none;
        const sentence_token *t = &s->tokens[i];
        uint32_t k = m.size ? 0 : variant;
        uint32_t last = m.size ? token_variants(t) : variant + 1;
        const char *next = NULL;
        for (; k < last && !next; k++)
            next = words_take(at, token_variant(t, k), m.size == 0);
        if (!next)
            return none;
        at = next;
        k--;
        if (k && m.size >= VARIANT_TOKENS)
            return none;
        if (k)
            m.variant |= k << (VARIANT_BITS * m.size);
        m.cost += token_variant_cost(t, k);
    }
    return m;
}

/* In thousandths; 0: no number. */
static uint32_t number_value(const char *text)
{
    uint32_t whole = lexicon_number(text);
    uint32_t value = 0, scale = 1000, digits = 0;
    if (whole)
        return whole * 1000;
    bool fraction = false;
    if (text[0] == '+' && ascii_is_digit(text[1]))
        text++;
    for (const char *p = text; *p; p++) {
        const bool mark = *p == '.' || *p == ',';
        const bool point = mark && !fraction && p[1];
        if (point) {
            fraction = true;
            continue;
        }
        if (!ascii_is_digit(*p) || digits++ > 6)
            return 0;
        if (!fraction)
            value = value * 10 + (uint32_t)(*p - '0') * 1000;
        else
            value += (uint32_t)(*p - '0') * (scale /= 10);
    }
    return value;
}

typedef struct word_roles { /* what the lexicon knows a word as */
    bool is_verb, is_unit, in_names;
} word_roles;

static bool word_is_place(const char *text)
{
    static const char *const places[] = {
        "top",  "bottom",   "middle",  "centre",    "center",   "corner",
        "edge", "side",     "end",     "place",     "position", "spot",
        "gap",  "distance", "spacing", "clearance", "interval", "order"};
    return WORD_IS_OF(text, places);
}

/* How unlikely a word is in a name that the scene does not have. */
static uint32_t word_cost_as_name(const char *text, word_roles roles)
{
    if (strcmp(text, "can") == 0)
        return COST_UNIT_AS_NAME; /* "the rest can go there" */
    if (roles.is_verb)
        return kinds_known(text) ? COST_VERB_AS_NAME / 2 : COST_VERB_AS_NAME;
    if (roles.is_unit)
        return COST_UNIT_AS_NAME;
    if (word_is_place(text))
        return COST_PLACE_AS_NAME;
    return lexicon_number(text) && !ascii_is_digit(text[0])
               ? COST_NUMBER_AS_NAME
               : 0;
}

/* Whether a word may be part of a thing's name, and how unlikely that is. */
static bool name_cost(const sentence_token *t,
                      const char *text,
                      word_roles roles,
                      uint32_t *ret)
{
    bool closed = lexicon_is_function_word(text);
    bool word = ascii_is_letter_or_beyond(text[0]) || ascii_is_digit(text[0]);
    if (t->is_mark || !word)
        return false;
    *ret = roles.in_names ? 0 : word_cost_as_name(text, roles);
    if (closed)
        *ret = COST_CLOSED_AS_NAME;
    return !closed || (roles.in_names && t->capital);
}

/* A verb that the lexicon has not, by its kind; 0: none. */
static uint32_t verb_by_kind(const char *text)
{
    static const uint32_t verbs[] = {
        [KINDS_VERB_PUT] = VERB_PUT,         [KINDS_VERB_MOVE] = VERB_MOVE,
        [KINDS_VERB_TURN] = VERB_TURN,       [KINDS_VERB_HANG] = VERB_HANG,
        [KINDS_VERB_REMOVE] = VERB_REMOVE,   [KINDS_VERB_STACK] = VERB_STACK,
        [KINDS_VERB_ARRANGE] = VERB_ARRANGE, [KINDS_VERB_SWAP] = VERB_SWAP};
    char lemma[64];
    if (kinds_verb_lemma(text, lemma, sizeof lemma) == 0 ||
        strcmp(lemma, text) != 0)
        return 0;
    kinds_verb kind = kinds_verb_class(lemma);
    return kind < COUNT_OF(verbs) ? verbs[kind] : 0;
}

/* Does a category's word change little, so that nothing shows that a thing was
 * taken for it by mistake? */
static bool category_is_mere(const char *category)
{
    static const char *const mere[] = {
        "$adv",        "$part",   "$polite",  "$polite_end", "$interj",
        "$det",        "$quant",  "$w",       "$not",        "$then",
        "$and",        "$or",     "$except",  "$no",         "$so_that",
        "$that",       "$pron",   "$because", "$aside",      "$want",
        "$about",      "$side",   "$side_h",  "$dir",        "$spin",
        "$zone_other", "$end_own"};
    return WORD_IS_OF(category, mere);
}

/* a token read as one of the words that it may be */
typedef struct word_variant {
    terminal_list *list;
    const sentence *s;
    const sentence_part *part;
    uint32_t token;
    const char *text;
    const sentence_vocabulary *vocabulary;
    chart_terminal one; /* of that token alone */
    bool may_name;
    word_roles roles;
} word_variant;

/* "The camera" is who looks, but where there is a thing of that name. */
static bool entry_names_thing(const word_variant *own, const lexicon_entry *e)
{
    bool looks = strcmp(e->category, "$pron") == 0 && e->value == PRON_ME;
    const char *last = strrchr(e->words, ' ');
    return looks &&
           mend_vocabulary_has(own->vocabulary, last ? last + 1 : e->words);
}

/* "Second: the jar" goes on to a second wish, "second jar" counts jars. */
static uint32_t entry_cost(const word_variant *own, const lexicon_entry *e)
{
    uint32_t next = own->token + 1;
    if (strcmp(e->category, "$polite") != 0 || !lexicon_ordinal(own->text) ||
        next >= own->part->end)
        return e->cost;
    const char *word = own->s->tokens[next].text;
    bool superlative = false;
    /* "second largest" */
    const bool ranks = lexicon_size(word, &superlative) && superlative;
    const bool names = mend_vocabulary_has(own->vocabulary, word);
    const bool counts = ranks || (names && !lexicon_is_function_word(word));
    return e->cost + (counts ? COST_ORDINAL_AS_JOINT : 0);
}

/* "On the pot" is no slip for "on the spot": an English word behind the first
 * of a courtesy's is what it says. */
static bool entry_mends_word(const word_variant *own, const match *m)
{
    for (uint32_t i = 1; i < m->size; i++) {
        const sentence_token *t = &own->s->tokens[own->token + i];
        if (t->variant_count > 0 && kinds_known(t->written))
            return true;
    }
    return false;
}

/* Can the entry be meant, where the words are those or slips for those? */
static bool entry_is_meant(const word_variant *own,
                           const lexicon_entry *e,
                           const match *m)
{
    if (!m->size || entry_names_thing(own, e))
        return false;
    if (category_is_mere(e->category) && entry_mends_word(own, m))
        return false;
    if (m->variant && strcmp(e->category, "$pron") == 0)
        return false; /* "the pot" is no slip for "the lot" */
    /* "escapes" is no slip for "escaped" */
    if (m->variant && strcmp(e->category, "$happened") == 0 &&
        kinds_word(own->s->tokens[own->token].written))
        return false;
    return own->may_name || !category_is_mere(e->category);
}

/* "The cake stand", where one is called so: no cake that stands somewhere. */
static bool word_ends_name(const word_variant *own, const char *category)
{
    static const char *const does[] = {"$be", "$verb"};
    if (own->token == own->part->first || !WORD_IS_OF(category, does))
        return false;
    const char *const before = own->s->tokens[own->token - 1].text;
    return mend_vocabulary_pairs(own->vocabulary, before, own->text);
}

/* One entry of the lexicon that matches at a token becomes a terminal. Its
 * roles are noted, since they decide what unknown words beside it may be. */
static void entry_terminal(word_variant *own, const lexicon_entry *e)
{
    if (e->category[0] != '$')
        return;
    match m = words_match(own->s, own->token, own->one.variant, own->part->end,
                          e->words);
    if (!entry_is_meant(own, e, &m))
        return;
    if (m.size == 1 && word_ends_name(own, e->category))
        return;
    bool is_verb = m.size == 1 && strcmp(e->category, "$verb") == 0;
    bool is_unit = strcmp(e->category, "$unit") == 0 ||
                   strcmp(e->category, "$degree") == 0;
    if (is_verb)
        own->roles.is_verb = true;
    if (is_unit && m.size == 1)
        own->roles.is_unit = true;
    terminal_add(
        own->list,
        (chart_terminal){
            .first = own->one.first,
            .end = own->one.first + m.size,
            .category = e->category,
            .value = e->value,
            .variant = m.variant,
            .cost = entry_cost(own, e) + m.cost +
                    (is_verb && own->roles.in_names ? COST_NAME_AS_VERB : 0)});
}

static void variant_terminal(word_variant *own,
                             const char *category,
                             uint32_t value,
                             uint32_t cost)
{
    chart_terminal made = own->one;
    made.category = category;
    made.value = value;
    made.cost += cost;
    terminal_add(own->list, made);
}

/* 0: the lexicon lists no verb of exactly this word. */
static uint32_t verb_listed(const char *word)
{
    size_t at = 0;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at)) && at == 0) {
        if (strcmp(e->category, "$verb") == 0 && strcmp(e->words, word) == 0)
            return e->value;
    }
    return 0;
}

/* "Would you mind moving", "the cup hides": a listed verb in another form. */
static void form_terminal(word_variant *own)
{
    enum {
        COST_FORM = 6,
        COST_FORM_OR_NOUN = 10
    };
    char lemma[64];
    size_t size = strlen(own->text);
    bool goes_on = size > 4 && strcmp(own->text + size - 3, "ing") == 0;
    bool third = size > 3 && own->text[size - 1] == 's';
    const bool is_form = goes_on || third;
    if (own->roles.is_verb || own->roles.in_names || !is_form)
        return;
    if (kinds_verb_lemma(own->text, lemma, sizeof lemma) == 0 ||
        mend_lexicon_has(own->text))
        return;
    uint32_t verb = verb_listed(lemma);
    if (!verb)
        return;
    variant_terminal(own, goes_on ? "$verb" : "$verb_s", verb,
                     kinds_known(own->text) ? COST_FORM_OR_NOUN : COST_FORM);
}

/* "The red", "the second": which of several, and not what. */
static bool word_tells_which(const char *text)
{
    bool superlative;
    return lexicon_colour(text) || lexicon_size(text, &superlative) ||
           lexicon_ordinal(text);
}

/* "The vase 1 m into the room": a unit behind its number is no word of "vase 1
 * m". */
static bool word_measures(const word_variant *own)
{
    bool is_unit = own->roles.is_unit && !own->roles.in_names && own->token > 0;
    return is_unit &&
           ascii_is_digit(token_variant(&own->s->tokens[own->token - 1], 0)[0]);
}

/* "The rest can go over to the table", and no "the oil can". */
static bool can_is_modal(const word_variant *own)
{
    static const char *const done[] = {"be",  "go",   "come", "stay", "stand",
                                       "lie", "hang", "face", "sit"};
    const uint32_t next = own->token + 1;
    return strcmp(own->text, "can") == 0 && next < own->part->end &&
           WORD_IS_OF(own->s->tokens[next].text, done);
}

/* "Box B on the desk, A on the floor": a letter of a name here, and no article,
 * which has a noun behind it. */
static bool article_is_label(const word_variant *own)
{
    const uint32_t at = own->token, next = at + 1;
    const sentence_token *const before =
        at > own->part->first ? &own->s->tokens[at - 1] : NULL;
    if (strcmp(own->text, "a") != 0 ||
        !mend_vocabulary_follows(own->vocabulary, own->text))
        return false;
    if (before && !before->is_mark && !lexicon_is_function_word(before->text))
        return false; /* behind its noun it is read with that */
    return next >= own->part->end || own->s->tokens[next].is_mark ||
           lexicon_lists("label: behind", own->s->tokens[next].text);
}

/* What the lexicon does not list: numbers, names' words, and verbs by their
 * kind. */
static void word_terminals(word_variant *own)
{
    /* "bin next to it" */
    enum {
        COST_NAME = 2,
        COST_UNLISTED_VERB = 8,
        COST_RATHER_NOUN = 24,
        COST_CAN_AS_NAME = 60,
        COST_LABEL = 12
    };
    uint32_t cost = 0;
    bool negative = own->text[0] == '-' && ascii_is_digit(own->text[1]);
    uint32_t number = own->may_name ? number_value(own->text + negative) : 0;
    uint32_t verb = own->roles.is_verb ? 0 : verb_by_kind(own->text);
    if (verb && mend_lexicon_has(own->text))
        verb = 0; /* asked last: it goes through the whole lexicon */
    bool name =
        own->may_name && !word_measures(own) &&
        name_cost(&own->s->tokens[own->token], own->text, own->roles, &cost);
    bool letter = own->text[1] == 0 && ascii_is_letter_or_beyond(own->text[0]);
    if (letter)
        variant_terminal(own, "$letter", (uint32_t)(own->text[0] - 'a'), 0);
    if (number)
        variant_terminal(own, negative ? "$num_negative" : "$num", number, 0);
    if (article_is_label(own))
        variant_terminal(own, "$w", own->token, COST_LABEL);
    if (name && can_is_modal(own))
        cost += COST_CAN_AS_NAME;
    if (name)
        variant_terminal(own, "$w", own->token, cost + COST_NAME);
    if (name && word_tells_which(own->text))
        variant_terminal(own, "$which", own->token, 0);
    const bool noun = verb && kinds_known(own->text);
    if (verb)
        variant_terminal(own, "$verb", verb,
                         noun ? COST_RATHER_NOUN : COST_UNLISTED_VERB);
    form_terminal(own);
}

/* The terminals that begin with token `i` of a part, read as its variant
 * `k`. */
static void variant_terminals(terminal_list *list,
                              const sentence *s,
                              const sentence_part *part,
                              uint32_t i,
                              uint32_t k,
                              const sentence_vocabulary *v)
{
    const sentence_token *t = &s->tokens[i];
    word_variant own = {.list = list,
                        .s = s,
                        .part = part,
                        .token = i,
                        .text = token_variant(t, k),
                        .vocabulary = v};
    own.may_name = !t->variant_count || t->variants[k].is_name;
    own.roles.in_names = mend_vocabulary_has(v, own.text);
    own.one = (chart_terminal){.first = i - part->first,
                               .end = i - part->first + 1,
                               .value = i,
                               .variant = k,
                               .cost = token_variant_cost(t, k)};
    variant_terminal(&own, etna_arena_printf(list->arena, "'%s'", own.text), i,
                     0);
    size_t at = 0;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(own.text);
    while ((e = lexicon_walk_next(&walk, &at)) && at == 0)
        entry_terminal(&own, e);
    word_terminals(&own);
}

static void token_terminals(terminal_list *list,
                            const sentence *s,
                            const sentence_part *part,
                            uint32_t i,
                            const sentence_vocabulary *v)
{
    const sentence_token *t = &s->tokens[i];
    const chart_terminal one = {.first = i - part->first,
                                .end = i - part->first + 1,
                                .category = t->quoted ? "$quoted" : "$any",
                                .value = i};
    terminal_add(list, one);
    for (uint32_t k = 0; !t->quoted && k < token_variants(t); k++)
        variant_terminals(list, s, part, i, k, v);
}

/* The readings of one part, cheapest first. ETNA_E_INPUT when it has too many
 * words or they may mean too much; no reading is no error. */
etna_code sentence_parse(const sentence *s,
                         const sentence_part *part,
                         const sentence_vocabulary *vocabulary,
                         etna_arena *arena,
                         chart_tree ret[CHART_TREES_MAX],
                         uint32_t *ret_count,
                         etna_error *err)
{
    terminal_list list = {
        .items = etna_arena_alloc(arena, TERMINALS_MAX, sizeof *list.items),
        .arena = arena};
    *ret_count = 0;
    if (!list.items)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    if (part->end - part->first > CHART_TOKENS_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "one of its sentences has more than %d words",
                         CHART_TOKENS_MAX);
    for (uint32_t i = part->first; i < part->end; i++)
        token_terminals(&list, s, part, i, vocabulary);
    if (list.failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    if (list.full)
        return etna_fail(err, ETNA_E_INPUT,
                         "the words of one of its sentences may mean too much");
    return chart_parse(&sentence_grammars[s->again], part->end - part->first,
                       list.items, list.count, arena, ret, ret_count, err);
}

/* The spelling by which each token was read; words of $any (unknown ones) stay
 * as written. */
static void variants_choose(const sentence_part *part,
                            const chart_node *node,
                            sentence_token *tokens)
{
    for (uint32_t i = 0; i < node->child_count; i++)
        variants_choose(part, node->children[i], tokens);
    bool is_said = node->is_terminal && strcmp(node->name, "$any") != 0;
    for (uint32_t i = node->first; is_said && i < node->end; i++) {
        sentence_token *t = &tokens[part->first + i];
        uint32_t at = i - node->first;
        uint32_t variant =
            at < VARIANT_TOKENS ? node->variant >> (VARIANT_BITS * at) & 15 : 0;
        if (variant >= t->variant_count)
            continue;
        t->text = t->variants[variant].text;
    }
}

/* A copy of the sentence with the words as this reading took them, for messages
 * and names. */
etna_code sentence_choose(const sentence *s,
                          const sentence_part *part,
                          const chart_node *root,
                          etna_arena *arena,
                          sentence *ret,
                          etna_error *err)
{
    bool is_plain = true;
    for (uint32_t i = part->first; i < part->end; i++)
        is_plain = is_plain && s->tokens[i].variant_count == 0;
    *ret = *s;
    if (is_plain)
        return ETNA_OK;
    sentence_token *tokens =
        etna_arena_memdup(arena, s->tokens, s->token_count * sizeof *tokens);
    if (!tokens)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    variants_choose(part, root, tokens);
    ret->tokens = tokens;
    return ETNA_OK;
}

/* Whether a word alone carries an order or a place, so that a part with it must
 * not be passed over as a courtesy. */
bool sentence_word_tells(const char *word)
{
    static const char *const telling[] = {"$verb",   "$rel",  "$not",
                                          "$except", "$no",   "$num",
                                          "$dir",    "$zone", "$side"};
    size_t at = 0;
    const lexicon_entry *e;
    if (number_value(word))
        return true;
    bool is_courtesy = false, tells = false;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at)) && at == 0) {
        if (strcmp(e->words, word) != 0)
            continue;
        for (size_t k = 0; k < COUNT_OF(telling); k++)
            tells = tells || strcmp(e->category, telling[k]) == 0;
        is_courtesy = is_courtesy || strncmp(e->category, "$polite", 7) == 0;
        is_courtesy = is_courtesy || strcmp(e->category, "$interj") == 0;
    }
    return tells && !is_courtesy;
}

/* For tests and --trace: (NAME child child), terminals as category:words. NULL:
 * out of memory. */
const char *sentence_tree_text(const sentence *s,
                               const sentence_part *part,
                               const chart_node *node,
                               etna_arena *arena)
{
    if (node->is_terminal) {
        const char *text = "";
        for (uint32_t i = node->first; i < node->end && text; i++)
            text = etna_arena_printf(arena, "%s%s%s", text, text[0] ? " " : "",
                                     s->tokens[part->first + i].text);
        return text ? etna_arena_printf(arena, "%s:%s", node->name, text)
                    : NULL;
    }
    const char *text = etna_arena_printf(arena, "(%s", node->name);
    for (uint32_t i = 0; i < node->child_count && text; i++) {
        const char *child =
            sentence_tree_text(s, part, node->children[i], arena);
        text = child ? etna_arena_printf(arena, "%s %s", text, child) : NULL;
    }
    return text ? etna_arena_printf(arena, "%s)", text) : NULL;
}
