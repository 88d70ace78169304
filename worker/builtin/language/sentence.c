/* See sentence.h. */
#include "worker/builtin/language/sentence.h"

#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdio.h>
#include <string.h>

extern const char sentence_grammar[]; /* grammar.txt */

enum { TERMINALS_MAX = 4096, COST_VERB_AS_NAME = 22, COST_CLOSED_AS_NAME = 60, COST_SIDE_AS_NAME = 4, COST_PLACE_AS_NAME = 18 };

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
    } table[] = {{"\xE2\x80\x93", "-"}, {"\xE2\x80\x94", "-"}, {"\xE2\x80\xA6", "."}, {"\xE2\x86\x92", "->"}, {"->", "->"}, {"=>", "=>"}};
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
    static const char *const units[] = {"cm", "m", "mm", "in", "ft", "deg", "\xC2\xB0", "degrees", "x", "inch", "metres", "meters", "dm", "st", "nd", "rd", "th"};
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

static bool vocabulary_has(const sentence_vocabulary *v, const char *word)
{
    for (uint32_t i = 0; v && i < v->count; i++) {
        if (strcmp(v->words[i], word) == 0) return true;
    }
    return false;
}

static bool lexicon_has_word(const char *word)
{
    size_t count, size = strlen(word);
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t i = 0; i < count; i++) {
        for (const char *at = entries[i].words; at; at = strchr(at, ' ')) {
            at += *at == ' ';
            if (strncmp(at, word, size) == 0 && (at[size] == 0 || at[size] == ' ' || at[size] == '\'')) return true;
        }
    }
    return lexicon_colour(word) || lexicon_material(word) || lexicon_ordinal(word) || lexicon_number(word) ||
           lexicon_is_mere_adjective(word) || lexicon_size(word, &(bool){false}) || lexicon_is_function_word(word);
}

typedef struct mending {
    const char *word; /* misspelt */
    const char *best;
    char room[64];
    uint32_t distance;
    bool tied;
} mending;

static void mending_offer(mending *m, const char *candidate, size_t size)
{
    char text[64];
    if (size < 3 || size >= sizeof text) return;
    memcpy(text, candidate, size);
    text[size] = 0;
    uint32_t distance = kinds_spelling_distance(m->word, text);
    if (distance > m->distance) return;
    if (distance == m->distance && m->best) {
        m->tied = m->tied || strcmp(m->room, text) != 0;
        return;
    }
    m->distance = distance;
    m->tied = false;
    memcpy(m->room, text, size + 1);
    m->best = m->room;
}

/* The only word of the scene, else of the lexicon, that the misspelt one can be; NULL: none, or several. */
static const char *word_mend(const char *word, const sentence_vocabulary *v, etna_arena *arena)
{
    size_t length = strlen(word);
    uint32_t most = length < 8 ? 1 : 2;
    mending by_name = {.word = word, .distance = most}, by_lexicon = {.word = word, .distance = most};
    for (uint32_t i = 0; v && i < v->count; i++) mending_offer(&by_name, v->words[i], strlen(v->words[i]));
    size_t count;
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t i = 0; i < count; i++) {
        for (const char *at = entries[i].words; at;) {
            const char *space = strchr(at, ' ');
            mending_offer(&by_lexicon, at, space ? (size_t)(space - at) : strlen(at));
            at = space ? space + 1 : NULL;
        }
    }
    static const char *const colours[] = {"black", "white", "grey", "orange", "yellow", "green", "blue", "purple", "pink", "brown"};
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) mending_offer(&by_lexicon, colours[i], strlen(colours[i]));
    const mending *best = &by_name;
    if (!best->best || (by_lexicon.best && by_lexicon.distance < best->distance)) best = &by_lexicon;
    bool both = by_name.best && by_lexicon.best && by_name.distance == by_lexicon.distance;
    bool differ = both && strcmp(by_name.room, by_lexicon.room) != 0;
    if (!best->best || best->tied || differ) return NULL;
    return etna_arena_strdup(arena, best->best);
}

static bool word_is_plain(const char *word)
{
    for (const char *p = word; *p; p++) {
        if (*p < 'a' || *p > 'z') return false;
    }
    return true;
}

static bool tokens_mend(token_list *list, const sentence_vocabulary *v)
{
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token *t = &list->items[i];
        bool known = t->quoted || t->is_mark || strlen(t->text) < 4 || strlen(t->text) > 40 || !word_is_plain(t->text);
        if (known || vocabulary_has(v, t->text) || lexicon_has_word(t->text) || kinds_word(t->text)) continue;
        char lemma[64];
        bool is_form = kinds_lemma(t->text, lemma, sizeof lemma, NULL) > 0 && strcmp(lemma, t->text) != 0 &&
                       (vocabulary_has(v, lemma) || kinds_word(lemma));
        if (is_form) continue;
        const char *mended = word_mend(t->text, v, list->arena);
        if (!mended) continue;
        t->text = mended;
        t->mended = true;
    }
    return true;
}

/* "chest of drawers" is one word of the kinds. */
static void tokens_join(token_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token t = list->items[i];
        bool of = i + 2 < list->count && strcmp(list->items[i + 1].text, "of") == 0 && !t.quoted && !t.is_mark;
        char *joined = of ? etna_arena_printf(list->arena, "%s of %s", t.text, list->items[i + 2].text) : NULL;
        bool can = i + 1 < list->count && strcmp(list->items[i + 1].text, "can") == 0 && !t.quoted && !t.is_mark;
        char *noun = can ? etna_arena_printf(list->arena, "%s can", t.text) : NULL; /* "the trash can" is no question */
        if (noun && kinds_known(noun)) {
            t.text = noun;
            t.end = list->items[i + 1].end;
            i++;
        } else if (joined && kinds_known(joined)) {
            t.text = joined;
            t.end = list->items[i + 2].end;
            i += 2;
        }
        list->items[kept++] = t;
    }
    list->count = kept;
}

/* ---- splitting ---- */

static bool token_ends_part(const sentence_token *t)
{
    return t->is_mark && (strchr(".;!?", t->text[0]) != NULL);
}

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
    if (list.failed) return etna_fail(err, ETNA_E_INPUT, "it has more than %d words", SENTENCE_TOKENS_MAX);
    tokens_mend(&list, vocabulary);
    tokens_join(&list);
    return parts_find(&list, arena, ret, err);
}

/* ---- terminals ---- */

typedef struct terminal_list {
    chart_terminal *items;
    uint32_t count;
    etna_arena *arena;
    bool failed;
} terminal_list;

static void terminal_add(terminal_list *list, uint32_t first, uint32_t end, const char *category, uint32_t value,
                         uint32_t cost)
{
    if (!category || list->count == TERMINALS_MAX) {
        list->failed = true;
        return;
    }
    list->items[list->count++] =
        (chart_terminal){.first = first, .end = end, .category = category, .value = value, .cost = cost};
}

/* How many tokens from `first` on the words are; 0: they are not there. */
static uint32_t words_match(const sentence *s, uint32_t first, uint32_t end, const char *words)
{
    uint32_t i = first;
    for (const char *at = words; *at; i++) {
        if (i >= end || s->tokens[i].quoted) return 0;
        const char *text = s->tokens[i].text;
        size_t size = strlen(text);
        if (i > first && *at == ' ' && strcmp(text, "'s") != 0) at++;
        if (strncmp(at, text, size) != 0) return 0;
        at += size;
        if (*at && *at != ' ' && strncmp(at, "'s", 2) != 0) return 0;
    }
    return i - first;
}

/* In thousandths; 0: no number. */
static uint32_t number_value(const char *text)
{
    uint32_t whole = lexicon_number(text), value = 0, scale = 1000, digits = 0;
    if (whole) return whole * 1000;
    bool fraction = false;
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

/* Whether a word may be part of a thing's name, and how unlikely that is. */
static bool name_cost(const sentence_token *t, bool is_verb, bool in_names, uint32_t *ret)
{
    *ret = 0;
    if (t->is_mark || (!is_letter(t->text[0]) && !is_digit(t->text[0]))) return false;
    if (lexicon_is_function_word(t->text)) {
        *ret = COST_CLOSED_AS_NAME;
        return in_names && t->capital;
    }
    if (lexicon_number(t->text) && !is_digit(t->text[0]) && !in_names) *ret = COST_SIDE_AS_NAME * 3;
    static const char *const places[] = {"top", "bottom", "middle", "centre", "center", "corner", "edge", "side", "end", "place", "position", "spot"};
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !in_names; i++) {
        if (strcmp(places[i], t->text) == 0) *ret = COST_PLACE_AS_NAME;
    }
    if (is_verb && !in_names) *ret = kinds_known(t->text) ? COST_VERB_AS_NAME / 2 : COST_VERB_AS_NAME;
    return true;
}

static void token_terminals(terminal_list *list, const sentence *s, uint32_t base, uint32_t i, uint32_t end,
                            const sentence_vocabulary *v)
{
    const sentence_token *t = &s->tokens[i];
    uint32_t at = i - base, cost = 0;
    if (t->quoted) {
        terminal_add(list, at, at + 1, "$quoted", i, 0);
        return;
    }
    terminal_add(list, at, at + 1, etna_arena_printf(list->arena, "'%s'", t->text), i, 0);
    terminal_add(list, at, at + 1, "$any", i, 0);
    size_t count;
    bool is_verb = false;
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t k = 0; k < count; k++) {
        const lexicon_entry *e = &entries[k];
        if (e->words[0] != t->text[0]) continue;
        uint32_t size = words_match(s, i, end, e->words);
        if (!size) continue;
        is_verb = is_verb || (size == 1 && e->category[1] == 'v');
        /* longer entries say more than the words alone */
        terminal_add(list, at, at + size, e->category, e->value, e->cost + (t->mended ? 3 : 0));
    }
    uint32_t number = number_value(t->text);
    if (number) terminal_add(list, at, at + 1, "$num", number, 0);
    if (name_cost(t, is_verb, vocabulary_has(v, t->text), &cost)) terminal_add(list, at, at + 1, "$w", i, cost + 2);
    /* a verb that the lexicon has not, by its kind */
    if (is_verb || lexicon_has_word(t->text)) return;
    static const uint32_t verbs[] = {[KINDS_VERB_PUT] = VERB_PUT,       [KINDS_VERB_MOVE] = VERB_MOVE,
                                     [KINDS_VERB_TURN] = VERB_TURN,     [KINDS_VERB_HANG] = VERB_HANG,
                                     [KINDS_VERB_REMOVE] = VERB_REMOVE, [KINDS_VERB_STACK] = VERB_STACK,
                                     [KINDS_VERB_ARRANGE] = VERB_ARRANGE, [KINDS_VERB_SWAP] = VERB_SWAP};
    char lemma[64];
    if (kinds_verb_lemma(t->text, lemma, sizeof lemma) == 0 || strcmp(lemma, t->text) != 0) return;
    kinds_verb kind = kinds_verb_class(lemma);
    if (kind != KINDS_VERB_NONE && kind < sizeof verbs / sizeof verbs[0] && verbs[kind])
        terminal_add(list, at, at + 1, "$verb", verbs[kind], 8);
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
    for (uint32_t i = part->first; i < part->end; i++) token_terminals(&list, s, part->first, i, part->end, vocabulary);
    if (list.failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a sentence");
    etna_code code = chart_compile(sentence_grammar, arena, &grammar, err);
    if (code != ETNA_OK) return code;
    return chart_parse(grammar, part->end - part->first, list.items, list.count, arena, ret, ret_count, err);
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
