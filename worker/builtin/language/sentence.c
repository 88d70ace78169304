/* See sentence.h. */
#include "worker/builtin/language/sentence.h"

#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdio.h>
#include <string.h>

extern const char sentence_grammar[]; /* grammar.txt */

enum {
    TERMINALS_MAX = 4096,
    COST_VERB_AS_NAME = 22,
    COST_NAME_AS_VERB = 24, /* "plant in the corner", where there is a plant */
    COST_CLOSED_AS_NAME = 60,
    COST_SIDE_AS_NAME = 4,
    COST_PLACE_AS_NAME = 18,
    COST_UNIT_AS_NAME = 30
};
enum { MENDED_MAX = 16, VARIANT_BITS = 4, VARIANT_TOKENS = 8 };

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return (unsigned char)c <= ' '; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || is_upper(c) || (unsigned char)c >= 0x80; }
static char lower(char c) { return is_upper(c) ? (char)(c - 'A' + 'a') : c; }

/* ---- tokens ---- */

static const struct {
    const char *open, *close;
} quotes[] = {{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x98", "\xE2\x80\x99"}};

/* The closing quote of a name that is quoted from `text` on; NULL: nothing is. */
static const char *quote_close(const char *text, const char **ret_start, size_t *ret_close)
{
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        size_t open = strlen(quotes[i].open), close = strlen(quotes[i].close);
        if (strncmp(text, quotes[i].open, open) != 0) continue;
        for (const char *at = strstr(text + open, quotes[i].close); at; at = strstr(at + 1, quotes[i].close)) {
            char next = at[close];
            bool ends = !next || is_blank(next) || strchr(",.;:!?)'", next);
            if (at == text + open || !ends) continue;
            *ret_start = text + open;
            *ret_close = close;
            return at;
        }
    }
    return NULL;
}

static bool is_mark_byte(char c) { return c && strchr(",.;:!?()/&+", c); }

/* A mark ends a word where blank space or another mark follows: "0.5m" and "a.b" are words. */
static bool is_mark(const char *at)
{
    if (!is_mark_byte(*at)) return false;
    if (*at == '(' || *at == ')' || *at == '!' || *at == '?' || *at == ';') return true;
    return !at[1] || is_blank(at[1]) || is_mark_byte(at[1]) || at[1] == '"' || at[1] == '\'';
}

/* Typographic bytes that stand for plain marks: dashes, dots, an apostrophe. *ret: the plain one. */
static size_t typographic(const char *at, const char **ret)
{
    static const struct {
        const char *bytes, *plain;
    } table[] = {{"\xE2\x80\x93", "-"},  {"\xE2\x80\x94", "-"}, {"\xE2\x80\xA6", "."},
                 {"\xE2\x86\x92", "->"}, {"->", "->"},          {"=>", "=>"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t size = strlen(table[i].bytes);
        if (strncmp(at, table[i].bytes, size) != 0) continue;
        *ret = table[i].plain;
        return size;
    }
    return 0;
}

static size_t word_end(const char *at)
{
    size_t size = 0;
    const char *plain;
    while (at[size] && !is_blank(at[size]) && !is_mark(at + size) && !typographic(at + size, &plain)) size++;
    return size;
}

/* "20cm", "45°": where the digits end; 0: no number with a unit. */
static size_t number_end(const char *at, size_t size)
{
    static const char *const units[] = {"cm",   "m",      "mm",     "in", "ft", "deg", "\xC2\xB0", "degrees", "x",
                                        "inch", "metres", "meters", "dm", "st", "nd",  "rd",       "th"};
    size_t digits = 0;
    while (digits < size && (is_digit(at[digits]) || at[digits] == '.')) digits++;
    for (size_t i = 0; digits && i < 13; i++) {
        bool same = size - digits == strlen(units[i]) && strncmp(at + digits, units[i], size - digits) == 0;
        if (same) return digits;
    }
    return 0;
}

typedef struct token_list {
    etna_arena *arena;
    const char *text;
    sentence_token *items;
    uint32_t count;
    bool failed;
} token_list;

static void token_add(token_list *list, const char *from, size_t size, bool is_mark_token)
{
    if (list->count == SENTENCE_TOKENS_MAX) {
        list->failed = true;
        return;
    }
    sentence_token *t = &list->items[list->count++];
    char *text = etna_arena_strndup(list->arena, from, size);
    if (!text) {
        list->failed = true;
        return;
    }
    *t = (sentence_token){.written = etna_arena_strndup(list->arena, from, size),
                          .text = text,
                          .is_mark = is_mark_token,
                          .capital = is_upper(*from),
                          .at = (uint32_t)(from - list->text),
                          .end = (uint32_t)(from - list->text + size)};
    for (char *p = text; *p; p++) *p = lower(*p);
    /* a typographic apostrophe reads as the plain one */
    char *apostrophe = strstr(text, "\xE2\x80\x99");
    if (apostrophe) {
        *apostrophe = '\'';
        memmove(apostrophe + 1, apostrophe + 3, strlen(apostrophe + 3) + 1);
    }
}

static void word_add(token_list *list, const char *at, size_t size)
{
    size_t digits = number_end(at, size);
    if (digits) {
        token_add(list, at, digits, false);
        token_add(list, at + digits, size - digits, false);
        return;
    }
    size_t tail = 0;
    if (size > 2 && strncmp(at + size - 2, "'s", 2) == 0) tail = 2;
    if (size > 4 && strncmp(at + size - 4, "\xE2\x80\x99s", 4) == 0) tail = 4;
    bool plural_owner = size > 2 && at[size - 1] == '\'' && at[size - 2] == 's';
    bool keeps = size == 4 && (strncmp(at, "it's", 4) == 0 || strncmp(at, "It's", 4) == 0);
    keeps = keeps || (size == 5 && strncmp(at + 1, "et's", 4) == 0);
    keeps = keeps || (size == 6 && strncmp(at + 1, "hat's", 5) == 0);
    if (keeps) tail = 0;
    if (plural_owner) tail = 1;
    token_add(list, at, size - tail, false);
    if (!tail) return;
    token_add(list, at + size - tail, tail, false);
    if (list->failed) return;
    list->items[list->count - 1].text = "'s";
}

/* ---- typing errors ---- */

static bool word_is_plain(const char *word)
{
    for (const char *p = word; *p; p++) {
        bool is_hyphen = *p == '-' && p > word && p[1];
        if (!is_hyphen && (*p < 'a' || *p > 'z')) return false;
    }
    return true;
}

/* The words that the token may have been. A word that no sentence here is made of may yet be meant: it stays the first. */
static bool token_mend(sentence_token *t, const sentence_vocabulary *v, mend_known known, etna_arena *arena)
{
    mend_choice choices[MEND_CHOICES_MAX];
    bool failed = false;
    uint32_t count = mend_choices(t->text, known, v, arena, choices, &failed), used = 0;
    mend_choice *variants = etna_arena_alloc(arena, MEND_CHOICES_MAX + 1, sizeof *variants);
    if (failed || !variants) return false;
    if (known != MEND_UNKNOWN) variants[used++] = (mend_choice){.text = t->text, .is_name = true};
    for (uint32_t i = 0; i < count; i++) variants[used++] = choices[i];
    if (count == 0) return true;
    t->text = variants[0].text;
    t->variants = variants;
    t->variant_count = used;
    t->mended = known == MEND_UNKNOWN;
    return true;
}

static void tokens_mend(token_list *list, const sentence_vocabulary *v)
{
    uint32_t mended = 0;
    for (uint32_t i = 0; i < list->count && mended < MENDED_MAX; i++) {
        sentence_token *t = &list->items[i];
        size_t size = strlen(t->text);
        bool is_word = !t->quoted && !t->is_mark && size >= 3 && size < MEND_WORD_MAX && word_is_plain(t->text);
        mend_known known = is_word ? mend_judge(t->text, v) : MEND_KNOWN;
        if (known == MEND_KNOWN) continue;
        mended++;
        if (!token_mend(t, v, known, list->arena)) list->failed = true;
    }
}

/* "chest of drawers" is one word of the kinds. */
static void tokens_join(token_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token t = list->items[i];
        bool of = i + 2 < list->count && strcmp(list->items[i + 1].text, "of") == 0 && !t.quoted && !t.is_mark;
        char *joined = of ? etna_arena_printf(list->arena, "%s of %s", t.text, list->items[i + 2].text) : NULL;
        list->failed = list->failed || (of && !joined);
        bool can = i + 1 < list->count && strcmp(list->items[i + 1].text, "can") == 0 && !t.quoted && !t.is_mark;
        char *noun = can ? etna_arena_printf(list->arena, "%s can", t.text) : NULL; /* "the trash can" is no question */
        if (noun && kinds_known(noun)) {
            t.text = noun;
            t.end = list->items[i + 1].end;
            i++;
        } else if (joined && kinds_known(joined)) {
            t.text = joined;
            t.end = list->items[i + 2].end;
            t.variant_count = 0;
            i += 2;
        }
        list->items[kept++] = t;
    }
    list->count = kept;
}

/* ---- splitting ---- */

static bool token_ends_part(const sentence_token *t) { return t->is_mark && (strchr(".;!?", t->text[0]) != NULL); }

static etna_code parts_find(token_list *list, etna_arena *arena, sentence *ret, etna_error *err)
{
    sentence_part *parts = etna_arena_alloc(arena, list->count + 1u, sizeof *parts);
    if (!parts) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        if (i < list->count && !token_ends_part(&list->items[i])) continue;
        if (i > first) parts[count++] = (sentence_part){first, i};
        first = i + 1;
    }
    *ret = (sentence){.token_count = list->count, .part_count = count, .tokens = list->items, .parts = parts};
    return ETNA_OK;
}

etna_code sentence_split(const char *text, const sentence_vocabulary *vocabulary, etna_arena *arena, sentence *ret,
                         etna_error *err)
{
    if (strlen(text) > SENTENCE_BYTES_MAX)
        return etna_fail(err, ETNA_E_INPUT, "it is longer than %d bytes", SENTENCE_BYTES_MAX);
    token_list list = {.arena = arena, .text = text};
    list.items = etna_arena_alloc(arena, SENTENCE_TOKENS_MAX, sizeof *list.items);
    if (!list.items) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    for (const char *at = text; *at && !list.failed;) {
        const char *start, *plain;
        size_t close = 0, size;
        if (is_blank(*at)) {
            at++;
            continue;
        }
        const char *end = quote_close(at, &start, &close);
        if (end) {
            token_add(&list, start, (size_t)(end - start), false);
            sentence_token *t = &list.items[list.count - 1];
            t->text = t->written;
            t->quoted = true;
            at = end + close;
        } else if ((size = typographic(at, &plain)) > 0) {
            token_add(&list, at, size, strcmp(plain, "-") != 0 && plain[1] == 0);
            if (!list.failed) list.items[list.count - 1].text = plain;
            at += size;
        } else if (is_mark(at)) {
            token_add(&list, at, 1, true);
            at++;
        } else {
            size = word_end(at);
            word_add(&list, at, size);
            at += size;
        }
    }
    bool too_many = list.failed && list.count == SENTENCE_TOKENS_MAX;
    if (too_many) return etna_fail(err, ETNA_E_INPUT, "it has more than %d words", SENTENCE_TOKENS_MAX);
    if (list.failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    tokens_mend(&list, vocabulary);
    if (list.failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    tokens_join(&list);
    if (list.failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    return parts_find(&list, arena, ret, err);
}

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
    if (list->failed || list->full) return;
    list->items[list->count++] = terminal;
}

/* What a token may be: its text, or one of what a misspelt one may have been. */
static uint32_t token_variants(const sentence_token *t) { return t->variant_count ? t->variant_count : 1; }

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

/* How much of the words from `at` on a text is, with the space before it; NULL: it is not there. */
static const char *words_take(const char *at, const char *text, bool is_first)
{
    size_t size = strlen(text);
    if (!is_first && *at == ' ' && strcmp(text, "'s") != 0) at++;
    if (strncmp(at, text, size) != 0) return NULL;
    at += size;
    return !*at || *at == ' ' || strncmp(at, "'s", 2) == 0 ? at : NULL;
}

/* The words from token `first` on, which is read as its variant `variant`. */
static match words_match(const sentence *s, uint32_t first, uint32_t variant, uint32_t end, const char *words)
{
    const match none = {0};
    match m = {0};
    for (const char *at = words; *at; m.size++) {
        uint32_t i = first + m.size;
        if (i >= end || s->tokens[i].quoted) return none;
        const sentence_token *t = &s->tokens[i];
        uint32_t k = m.size ? 0 : variant, last = m.size ? token_variants(t) : variant + 1;
        const char *next = NULL;
        for (; k < last && !next; k++) next = words_take(at, token_variant(t, k), m.size == 0);
        if (!next) return none;
        at = next;
        k--;
        if (k && m.size >= VARIANT_TOKENS) return none;
        if (k) m.variant |= k << (VARIANT_BITS * m.size);
        m.cost += token_variant_cost(t, k);
    }
    return m;
}

/* In thousandths; 0: no number. */
static uint32_t number_value(const char *text)
{
    uint32_t whole = lexicon_number(text), value = 0, scale = 1000, digits = 0;
    if (whole) return whole * 1000;
    bool fraction = false;
    if (text[0] == '+' && is_digit(text[1])) text++;
    for (const char *p = text; *p; p++) {
        bool point = (*p == '.' || *p == ',') && !fraction && p[1];
        if (point) {
            fraction = true;
            continue;
        }
        if (!is_digit(*p) || digits++ > 6) return 0;
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

/* Whether a word may be part of a thing's name, and how unlikely that is. */
static bool name_cost(const sentence_token *t, const char *text, word_roles roles, uint32_t *ret)
{
    *ret = 0;
    if (t->is_mark || (!is_letter(text[0]) && !is_digit(text[0]))) return false;
    if (lexicon_is_function_word(text)) {
        *ret = COST_CLOSED_AS_NAME;
        return roles.in_names && t->capital;
    }
    if (lexicon_number(text) && !is_digit(text[0]) && !roles.in_names) *ret = COST_SIDE_AS_NAME * 3;
    static const char *const places[] = {"top",  "bottom",   "middle",  "centre",    "center",   "corner",
                                         "edge", "side",     "end",     "place",     "position", "spot",
                                         "gap",  "distance", "spacing", "clearance", "interval", "order"};
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !roles.in_names; i++) {
        if (strcmp(places[i], text) == 0) *ret = COST_PLACE_AS_NAME;
    }
    if (roles.is_unit && !roles.in_names) *ret = COST_UNIT_AS_NAME;
    if (roles.is_verb && !roles.in_names) *ret = kinds_known(text) ? COST_VERB_AS_NAME / 2 : COST_VERB_AS_NAME;
    return true;
}

/* A verb that the lexicon has not, by its kind; 0: none. */
static uint32_t verb_by_kind(const char *text)
{
    static const uint32_t verbs[] = {
        [KINDS_VERB_PUT] = VERB_PUT,         [KINDS_VERB_MOVE] = VERB_MOVE,     [KINDS_VERB_TURN] = VERB_TURN,
        [KINDS_VERB_HANG] = VERB_HANG,       [KINDS_VERB_REMOVE] = VERB_REMOVE, [KINDS_VERB_STACK] = VERB_STACK,
        [KINDS_VERB_ARRANGE] = VERB_ARRANGE, [KINDS_VERB_SWAP] = VERB_SWAP};
    char lemma[64];
    if (kinds_verb_lemma(text, lemma, sizeof lemma) == 0 || strcmp(lemma, text) != 0) return 0;
    kinds_verb kind = kinds_verb_class(lemma);
    return kind < sizeof verbs / sizeof verbs[0] ? verbs[kind] : 0;
}

/* Does a category's word change little, so that nothing shows that a thing was taken for it by mistake? */
static bool category_is_mere(const char *category)
{
    static const char *const mere[] = {
        "$adv",   "$part", "$polite", "$polite_end", "$interj", "$det",     "$quant", "$w",          "$not",
        "$then",  "$and",  "$or",     "$except",     "$no",     "$so_that", "$that",  "$pron",       "$because",
        "$aside", "$want", "$about",  "$side",       "$side_h", "$dir",     "$spin",  "$zone_other", "$end_own"};
    for (size_t i = 0; i < sizeof mere / sizeof mere[0]; i++) {
        if (strcmp(mere[i], category) == 0) return true;
    }
    return false;
}

/* The terminals that begin with token `i` of a part, read as one of its variants. */
static void variant_terminals(terminal_list *list, const sentence *s, const sentence_part *part, uint32_t i,
                              uint32_t variant, const sentence_vocabulary *v)
{
    const sentence_token *t = &s->tokens[i];
    const char *text = token_variant(t, variant);
    const chart_terminal one = {.first = i - part->first,
                                .end = i - part->first + 1,
                                .value = i,
                                .variant = variant,
                                .cost = token_variant_cost(t, variant)};
    chart_terminal made = one;
    made.category = etna_arena_printf(list->arena, "'%s'", text);
    terminal_add(list, made);
    size_t count;
    word_roles roles = {.in_names = mend_vocabulary_has(v, text)};
    bool may_name = !t->variant_count || t->variants[variant].is_name;
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t k = 0; k < count; k++) {
        const lexicon_entry *e = &entries[k];
        if (e->words[0] != text[0]) continue;
        match m = words_match(s, i, variant, part->end, e->words);
        if (!m.size || (!may_name && category_is_mere(e->category))) continue;
        bool pronoun_for_noun = m.variant && strcmp(e->category, "$pron") == 0; /* "the pot" is no slip for "the lot" */
        if (pronoun_for_noun) continue;
        bool is_verb = m.size == 1 && strcmp(e->category, "$verb") == 0;
        roles.is_verb = roles.is_verb || is_verb;
        bool is_unit = strcmp(e->category, "$unit") == 0 || strcmp(e->category, "$degree") == 0;
        roles.is_unit = roles.is_unit || (m.size == 1 && is_unit);
        /* longer entries say more than the words alone */
        terminal_add(list,
                     (chart_terminal){.first = one.first,
                                      .end = one.first + m.size,
                                      .category = e->category,
                                      .value = e->value,
                                      .variant = m.variant,
                                      .cost = e->cost + m.cost + (is_verb && roles.in_names ? COST_NAME_AS_VERB : 0)});
    }
    const bool negative = text[0] == '-' && is_digit(text[1]);
    uint32_t number = number_value(text + negative), cost = 0;
    made = one;
    made.category = negative ? "$num_negative" : "$num";
    made.value = number;
    if (number && may_name) terminal_add(list, made);
    made = one;
    made.category = "$w";
    if (may_name && name_cost(t, text, roles, &cost)) {
        made.cost += cost + 2;
        terminal_add(list, made);
    }
    made = one;
    made.category = "$verb";
    made.value = roles.is_verb || mend_lexicon_has(text) ? 0 : verb_by_kind(text);
    made.cost += 8;
    if (made.value) terminal_add(list, made);
}

static void token_terminals(terminal_list *list, const sentence *s, const sentence_part *part, uint32_t i,
                            const sentence_vocabulary *v)
{
    const sentence_token *t = &s->tokens[i];
    const chart_terminal one = {
        .first = i - part->first, .end = i - part->first + 1, .category = t->quoted ? "$quoted" : "$any", .value = i};
    terminal_add(list, one);
    for (uint32_t k = 0; !t->quoted && k < token_variants(t); k++) variant_terminals(list, s, part, i, k, v);
}

etna_code sentence_parse(const sentence *s, const sentence_part *part, const sentence_vocabulary *vocabulary,
                         etna_arena *arena, chart_tree ret[CHART_TREES_MAX], uint32_t *ret_count, etna_error *err)
{
    const chart_grammar *grammar = NULL;
    terminal_list list = {.items = etna_arena_alloc(arena, TERMINALS_MAX, sizeof *list.items), .arena = arena};
    *ret_count = 0;
    if (!list.items) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    if (part->end - part->first > CHART_TOKENS_MAX)
        return etna_fail(err, ETNA_E_INPUT, "one of its sentences has more than %d words", CHART_TOKENS_MAX);
    for (uint32_t i = part->first; i < part->end; i++) token_terminals(&list, s, part, i, vocabulary);
    if (list.failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    if (list.full) return etna_fail(err, ETNA_E_INPUT, "the words of one of its sentences may mean too much");
    etna_code code = chart_compile(sentence_grammar, arena, &grammar, err);
    if (code != ETNA_OK) return code;
    return chart_parse(grammar, part->end - part->first, list.items, list.count, arena, ret, ret_count, err);
}

static void variants_choose(const sentence_part *part, const chart_node *node, sentence_token *tokens)
{
    for (uint32_t i = 0; i < node->child_count; i++) variants_choose(part, node->children[i], tokens);
    bool is_said = node->is_terminal && strcmp(node->name, "$any") != 0;
    for (uint32_t i = node->first; is_said && i < node->end; i++) {
        sentence_token *t = &tokens[part->first + i];
        uint32_t at = i - node->first;
        uint32_t variant = at < VARIANT_TOKENS ? node->variant >> (VARIANT_BITS * at) & 15 : 0;
        if (variant >= t->variant_count) continue;
        t->text = t->variants[variant].text;
    }
}

etna_code sentence_choose(const sentence *s, const sentence_part *part, const chart_node *root, etna_arena *arena,
                          sentence *ret, etna_error *err)
{
    bool is_plain = true;
    for (uint32_t i = part->first; i < part->end; i++) is_plain = is_plain && s->tokens[i].variant_count == 0;
    *ret = *s;
    if (is_plain) return ETNA_OK;
    sentence_token *tokens = etna_arena_memdup(arena, s->tokens, s->token_count * sizeof *tokens);
    if (!tokens) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    variants_choose(part, root, tokens);
    ret->tokens = tokens;
    return ETNA_OK;
}

bool sentence_word_tells(const char *word)
{
    static const char *const telling[] = {"$verb", "$rel", "$not", "$except", "$no", "$num", "$dir", "$zone", "$side"};
    size_t count;
    const lexicon_entry *entries = lexicon_entries(&count);
    if (number_value(word)) return true;
    bool is_courtesy = false, tells = false;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].words[0] != word[0] || strcmp(entries[i].words, word) != 0) continue;
        for (size_t k = 0; k < sizeof telling / sizeof telling[0]; k++)
            tells = tells || strcmp(entries[i].category, telling[k]) == 0;
        is_courtesy = is_courtesy || strncmp(entries[i].category, "$polite", 7) == 0;
        is_courtesy = is_courtesy || strcmp(entries[i].category, "$interj") == 0;
    }
    return tells && !is_courtesy;
}

const char *sentence_tree_text(const sentence *s, const sentence_part *part, const chart_node *node, etna_arena *arena)
{
    if (node->is_terminal) {
        const char *text = "";
        for (uint32_t i = node->first; i < node->end && text; i++)
            text = etna_arena_printf(arena, "%s%s%s", text, text[0] ? " " : "", s->tokens[part->first + i].text);
        return text ? etna_arena_printf(arena, "%s:%s", node->name, text) : NULL;
    }
    const char *text = etna_arena_printf(arena, "(%s", node->name);
    for (uint32_t i = 0; i < node->child_count && text; i++) {
        const char *child = sentence_tree_text(s, part, node->children[i], arena);
        text = child ? etna_arena_printf(arena, "%s %s", text, child) : NULL;
    }
    return text ? etna_arena_printf(arena, "%s)", text) : NULL;
}
