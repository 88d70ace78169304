/* Does a thing answer to a phrase's words? First by its name, word for word; then by kind ("the couch" for a sofa, "the
 * fruit" for an apple); what is left over may be a colour, a size, a side or a material, which other files rank among the
 * candidates. A name that says nothing more than the phrase is nearer than one that does ("table" is Table_01 before
 * CoffeeTable), and a phrase that is only a name's modifier is far (a TableLamp is no table). */
#include "worker/model/builtin_reader.h"

#include <stdio.h>

enum {
    COST_EXTRA_WORD = 6,
    COST_KIND = 12,
    COST_HINT = 10,
    COST_UNPROVEN = 15,
    COST_NARROWER = 60,
    COST_COMPOUND = 70
};

static bool word_is_digit(const char *word) { return word[0] >= '0' && word[0] <= '9'; }

bool match_is_plural_word(const char *word)
{
    kinds_noun forms[KINDS_READINGS_MAX];
    size_t count = kinds_noun_readings(word, forms);
    return count > 0 && forms[0].is_plural;
}

/* The same word but for plural. */
static bool word_same(const char *name, const char *said)
{
    if (strcmp(name, said) == 0) return true;
    if (word_is_digit(name) || word_is_digit(said)) {
        while (*name == '0' && name[1]) name++;
        while (*said == '0' && said[1]) said++;
        return strcmp(name, said) == 0;
    }
    static const char *const shapes[][2] = {
        {"circular", "round"}, {"round", "circular"}, {"centre", "center"}, {"center", "centre"}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        bool begins = shapes[i][0][0] == name[0] && shapes[i][1][0] == said[0];
        if (begins && strcmp(shapes[i][0], name) == 0 && strcmp(shapes[i][1], said) == 0) return true;
    }
    if (name[0] != said[0]) return false; /* a word and its plural begin alike */
    kinds_noun a[KINDS_READINGS_MAX], b[KINDS_READINGS_MAX];
    size_t a_count = kinds_noun_readings(name, a), b_count = kinds_noun_readings(said, b);
    for (size_t i = 0; i < a_count; i++) {
        for (size_t k = 0; k < b_count; k++) {
            if (strcmp(a[i].lemma, b[k].lemma) == 0) return true;
        }
    }
    return false;
}

static bool word_is_generic(const char *word)
{
    static const char *const generic[] = {"one",     "ones", "thing", "things", "object",
                                          "objects", "item", "items", "stuff",  NULL};
    for (const char *const *p = generic; *p; p++) {
        if (strcmp(*p, word) == 0) return true;
    }
    return false;
}

static unsigned word_side(const char *word)
{
    static const struct {
        const char *word;
        unsigned side;
    } sides[] = {{"left", LEXICON_LEFT},       {"leftmost", LEXICON_LEFT},    {"left-hand", LEXICON_LEFT},
                 {"right", LEXICON_RIGHT},     {"rightmost", LEXICON_RIGHT},  {"right-hand", LEXICON_RIGHT},
                 {"front", LEXICON_FRONT},     {"near", LEXICON_FRONT},       {"nearest", LEXICON_FRONT},
                 {"closest", LEXICON_FRONT},   {"foremost", LEXICON_FRONT},   {"back", LEXICON_BACK},
                 {"rear", LEXICON_BACK},       {"far", LEXICON_BACK},         {"farthest", LEXICON_BACK},
                 {"furthest", LEXICON_BACK},   {"top", LEXICON_TOP},          {"upper", LEXICON_TOP},
                 {"uppermost", LEXICON_TOP},   {"topmost", LEXICON_TOP},      {"bottom", LEXICON_BOTTOM},
                 {"lower", LEXICON_BOTTOM},    {"lowermost", LEXICON_BOTTOM}, {"middle", LEXICON_MIDDLE},
                 {"centre", LEXICON_MIDDLE},   {"center", LEXICON_MIDDLE},    {"central", LEXICON_MIDDLE},
                 {"frontmost", LEXICON_FRONT}, {"backmost", LEXICON_BACK}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        if (sides[i].word[0] == word[0] && strcmp(sides[i].word, word) == 0) return sides[i].side;
    }
    return 0;
}

static bool word_is_property(const char *word)
{
    bool superlative;
    return lexicon_colour(word) || lexicon_size(word, &superlative) || lexicon_material(word) || word_side(word) ||
           lexicon_is_mere_adjective(word) || lexicon_ordinal(word) || word_is_generic(word) ||
           strcmp(word, "room") == 0;
}

etna_code match_query_make(const char *const *words, uint32_t count, etna_arena *arena, match_query *ret,
                           etna_error *err)
{
    match_query q = {0};
    char phrase[KINDS_PHRASE_SIZE] = "";
    size_t used = 0;
    const char *whole = "";
    for (uint32_t i = 0; i < count && q.count < REFER_WORDS_MAX; i++) {
        const char *word = words[i];
        bool superlative = false;
        whole = etna_arena_printf(arena, "%s%s%s", whole, whole[0] ? " " : "", word);
        if (!whole) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
        bool last = i + 1 == count;
        if (word_is_generic(word) && last) {
            q.generic = true;
            continue;
        }
        unsigned next_side = i + 1 < count ? word_side(words[i + 1]) : 0;
        bool far_aside =
            word[0] == 'f' && word_side(word) == LEXICON_BACK && next_side & (LEXICON_LEFT | LEXICON_RIGHT);
        if (far_aside) continue; /* "farthest left" is far to the left, not at the back */
        bool degree = strcmp(word, "most") == 0 || strcmp(word, "more") == 0 || strcmp(word, "very") == 0 ||
                      strcmp(word, "-") == 0;
        if (degree) continue;
        uint32_t ordinal = lexicon_ordinal(word);
        if (ordinal && (!last || count == 1)) { /* "beside the third" */
            q.ordinal = ordinal;
            continue;
        }
        int size = lexicon_size(word, &superlative);
        if (size) {
            q.size = size;
            q.superlative = q.superlative || superlative;
        }
        if (lexicon_colour(word)) {
            q.colour = lexicon_colour(word);
            q.colour_word = word;
        }
        q.sides |= word_side(word);
        q.is_property[q.count] = word_is_property(word);
        bool noun = !q.is_property[q.count] && !word_is_digit(word);
        q.words[q.count++] = word;
        bool stuff_head = last && (lexicon_material(word) || lexicon_colour(word)) &&
                          kinds_known(word); /* "the glass", "the orange" */
        if (!noun && !stuff_head) continue;
        q.has_noun = true;
        int size_used = snprintf(phrase + used, sizeof phrase - used, "%s%s", used ? " " : "", word);
        used += size_used > 0 && (size_t)size_used < sizeof phrase - used ? (size_t)size_used : 0;
    }
    q.whole = whole;
    kinds_find(phrase, &q.said);
    *ret = q;
    return ETNA_OK;
}

/* The name's last word that is no number or side: what the thing is. */
static uint32_t name_head(const builtin_object *o)
{
    uint32_t head = BUILTIN_NONE;
    for (uint32_t k = 0; k < o->word_count; k++) {
        bool superlative, says = !word_is_digit(o->words[k]) && strlen(o->words[k]) > 1 && !word_side(o->words[k]);
        says = says && !lexicon_colour(o->words[k]) && !lexicon_size(o->words[k], &superlative) &&
               !lexicon_is_mere_adjective(o->words[k]);
        if (says) head = k;
    }
    return head;
}

static bool hint_has(const builtin_object *o, const char *word)
{
    for (uint32_t k = 0; k < o->hint_count; k++) {
        if (word_same(o->hints[k], word)) return true;
    }
    return false;
}

static bool material_has(const builtin_object *o, const char *word)
{
    for (uint32_t k = 0; k < o->material_count; k++) {
        if (builtin_is_stuff(o->materials[k], word)) return true;
    }
    return false;
}

/* Marks the name's words that the phrase's word i (and maybe the next) is; how many of the phrase's words: 0, 1 or 2. */
static uint32_t name_take(const builtin_object *o, const match_query *q, uint32_t i, uint64_t *used, bool *suffix)
{
    char joined[2 * KINDS_WORD_SIZE];
    for (uint32_t k = 0; k < o->word_count && k < 64; k++) {
        if (!word_same(o->words[k], q->words[i])) continue;
        *used |= UINT64_C(1) << k;
        return 1;
    }
    for (uint32_t k = 0; k + 1 < o->word_count && k < 63; k++) { /* "nightstand" for NightStand */
        snprintf(joined, sizeof joined, "%.39s%.39s", o->words[k], o->words[k + 1]);
        if (!word_same(joined, q->words[i])) continue;
        *used |= UINT64_C(3) << k;
        return 1;
    }
    size_t said = strlen(q->words[i]);
    for (uint32_t k = 0; k < o->word_count && k < 64 && said >= 3; k++) { /* "the pot" for a teapot */
        size_t size = strlen(o->words[k]);
        bool ends = size >= said + 3 && size < sizeof joined && strcmp(o->words[k] + size - said, q->words[i]) == 0;
        if (!ends || word_is_property(q->words[i])) continue;
        memcpy(joined, o->words[k], size - said);
        joined[size - said] = 0;
        if (!kinds_word(joined)) continue;
        *used |= UINT64_C(1) << k;
        *suffix = true;
        return 1;
    }
    if (i + 1 >= q->count) return 0;
    snprintf(joined, sizeof joined, "%.39s%.39s", q->words[i], q->words[i + 1]); /* "night stand" for Nightstand */
    for (uint32_t k = 0; k < o->word_count && k < 64; k++) {
        if (!word_same(o->words[k], joined)) continue;
        *used |= UINT64_C(1) << k;
        return 2;
    }
    return 0;
}

/* A name as written, its marks as blanks, is the very phrase. */
static bool name_is_whole(const builtin_object *o, const char *whole)
{
    const char *a = o->name, *b = whole;
    while (*a && *b) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a == '_' || *a == '-' ? ' ' : *a;
        char y = *b == '_' || *b == '-' ? ' ' : *b;
        if (x != y) return false;
        a++;
        b++;
    }
    return *a == 0 && *b == 0;
}

static bool both_contain(const kinds_id *a, const kinds_id *b)
{
    kinds_id container;
    kinds_find("container", &container);
    return kinds_id_distance(a, &container) < KINDS_NEAR && kinds_id_distance(b, &container) < KINDS_NEAR;
}

match_result match_object(const builtin_facts *facts, const kinds_id *kinds, uint32_t object, const match_query *q)
{
    const builtin_object *o = &facts->objects[object];
    match_result m = {0};
    if (name_is_whole(o, q->whole)) return m;
    uint64_t used = 0;
    bool suffix = false;
    uint32_t open_nouns = 0, nouns = 0, unproven = 0;
    bool by_end = false, head_open = false, by_hint = false, by_stuff = false, by_name = false;
    for (uint32_t i = 0; i < q->count;) {
        const char *word = q->words[i];
        uint64_t before = used;
        uint32_t taken = name_take(o, q, i, &used, &suffix);
        bool last = i + (taken ? taken : 1) >= q->count, property = q->is_property[i];
        (void)before;
        if (!property && !word_is_digit(word)) nouns++;
        if (taken) {
            by_name = by_name || !property || (last && kinds_known(word));
            m.colour_by_name = m.colour_by_name || lexicon_colour(word) != 0;
            m.side_by_name = m.side_by_name || word_side(word) != 0;
            bool superlative;
            m.size_by_name = m.size_by_name || (lexicon_size(word, &superlative) && !superlative);
            m.number_by_name = m.number_by_name || word_is_digit(word);
            i += taken;
            continue;
        }
        i++;
        if (hint_has(o, word)) {
            by_hint = true;
            continue;
        }
        if (lexicon_material(word) && material_has(o, word)) {
            by_stuff = true;
            continue;
        }
        if (word_is_digit(word)) { /* a number that the name has not */
            m.cost = MATCH_NONE;
            return m;
        }
        if (property) {
            bool superlative, ranked = lexicon_colour(word) || lexicon_size(word, &superlative) || word_side(word);
            unproven += !ranked && !word_is_generic(word);
            if (!last || !kinds_known(word)) continue;
        }
        open_nouns++;
        head_open = head_open || last;
    }
    uint32_t head = name_head(o);
    bool head_used = head < 64 && (used >> head & 1);
    size_t first = o->word_count ? strlen(o->words[0]) : 0; /* "Shoes.Heels": what follows the dot tells which */
    if ((used & 1) && strlen(o->name) > first && o->name[first] == '.') head_used = true;
    bool same_kind = kinds_id_distance(&kinds[object], &q->said) < KINDS_NEAR;
    if (open_nouns > 0 && !by_hint) {
        uint32_t distance = kinds_id_distance(&kinds[object], &q->said);
        bool head_named = by_name && !head_open; /* "paint tins" for a red tin: the name does not deny it */
        bool vessels = distance == KINDS_UNRELATED && by_name && head_open && both_contain(&kinds[object], &q->said);
        if (vessels) distance = KINDS_NEAR / 2; /* a sugar cup for the sugar bowl: the other words say which */
        if (distance == KINDS_UNRELATED && !head_named) {
            m.cost = MATCH_NONE;
            return m;
        }
        m.by_kind = true;
        bool narrower = distance >= KINDS_BELOW;
        m.unproven = narrower && (head_named || q->said.words > q->said.head_words);
        if (narrower && !head_named && m.unproven) {
            m.cost = MATCH_NONE;
            return m;
        }
        m.cost += COST_KIND + (narrower ? COST_NARROWER : distance);
    } else if (nouns > 0 && by_name && !head_used && !by_hint && !same_kind) {
        m.cost += MATCH_NOT_HEAD;
    } else if (by_hint) {
        m.cost += COST_HINT;
    }
    if (by_end) m.cost += COST_KIND;       /* a notebook is a book only where there is none */
    if (suffix) m.cost += COST_EXTRA_WORD; /* a notebook is a book only where there is none */
    if (by_stuff && !by_name && !by_hint && !m.by_kind && q->has_noun && !q->generic) m.cost += MATCH_NOT_HEAD;
    m.cost += unproven * COST_UNPROVEN + (suffix ? COST_COMPOUND : 0);
    for (uint32_t k = 0; k < o->word_count && k < 64; k++) {
        const char *word = o->words[k];
        bool counts = k >= o->shared_words && !(used >> k & 1) && !(m.by_kind && k == head);
        if (!counts) continue;
        bool superlative, says = !word_is_digit(word) && strlen(word) > 1 && !lexicon_colour(word) &&
                                 !lexicon_size(word, &superlative) && !lexicon_material(word);
        if (says) m.cost += COST_EXTRA_WORD;
    }
    if (q->generic && !q->has_noun && q->count == 0) m.cost = 0;
    return m;
}
