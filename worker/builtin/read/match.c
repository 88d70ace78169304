/* Does a thing answer to a phrase's words? First by its name, word for word;
 * then by kind ("the couch" for a sofa, "the fruit" for an apple); what is left
 * over may be a colour, a size, a side or a material, which other files rank
 * among the candidates. A name that says nothing more than the phrase is nearer
 * than one that does ("table" is Table_01 before CoffeeTable), and a phrase
 * that is only a name's modifier is far (a TableLamp is no table). */
#include "worker/builtin/read/reader.h"

#include "proto/ascii.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COST_EXTRA_WORD = 6,
    COST_KIND = 12,
    COST_HINT = 10,
    COST_COLLECTION = 8,
    COST_UNPROVEN = 15,
    COST_NARROWER = 60,
    COST_COMPOUND = 70
};

/* Nouns that are several things without an -s. */
static bool word_is_collective(const char *word)
{
    static const char *const words[] = {
        "footwear",    "cutlery",    "crockery",   "tableware", "glassware",
        "silverware",  "furniture",  "stationery", "clothing",  "laundry",
        "luggage",     "dinnerware", "bedding",    "drinkware", "cookware",
        "kitchenware", "earthenware"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i][0] == word[0] && strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

bool match_is_plural_word(const char *word)
{
    if (word_is_collective(word))
        return true;
    kinds_noun forms[KINDS_READINGS_MAX];
    size_t count = kinds_noun_readings(word, forms);
    return count > 0 && forms[0].is_plural;
}

static bool words_are_spellings(const char *name, const char *said)
{
    static const char *const pairs[][2] = {{"circular", "round"},
                                           {"round", "circular"},
                                           {"centre", "center"},
                                           {"center", "centre"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        bool begins = pairs[i][0][0] == name[0] && pairs[i][1][0] == said[0];
        if (begins && strcmp(pairs[i][0], name) == 0 &&
            strcmp(pairs[i][1], said) == 0)
            return true;
    }
    return false;
}

/* Whether both can be forms of one noun. */
static bool words_share_lemma(const char *name, const char *said)
{
    if (name[0] != said[0])
        return false; /* a word and its plural begin alike */
    kinds_noun a[KINDS_READINGS_MAX];
    kinds_noun b[KINDS_READINGS_MAX];
    size_t a_count = kinds_noun_readings(name, a);
    size_t b_count = kinds_noun_readings(said, b);
    for (size_t i = 0; i < a_count * b_count; i++) {
        if (strcmp(a[i / b_count].lemma, b[i % b_count].lemma) == 0)
            return true;
    }
    return false;
}

/* The same word but for plural. */
static bool word_same(const char *name, const char *said)
{
    if (strcmp(name, said) == 0)
        return true;
    if (word_is_number(name) || word_is_number(said)) {
        while (*name == '0' && name[1])
            name++;
        while (*said == '0' && said[1])
            said++;
        return strcmp(name, said) == 0;
    }
    return words_are_spellings(name, said) || words_share_lemma(name, said);
}

static bool word_is_generic(const char *word)
{
    static const char *const generic[] = {
        "one",     "ones", "thing", "things", "object",
        "objects", "item", "items", "stuff",  NULL};
    for (const char *const *p = generic; *p; p++) {
        if (strcmp(*p, word) == 0)
            return true;
    }
    return false;
}

unsigned match_word_side(const char *word)
{
    static const struct {
        const char *word;
        unsigned side;
    } sides[] = {{"left", LEXICON_LEFT},        {"leftmost", LEXICON_LEFT},
                 {"left-hand", LEXICON_LEFT},   {"right", LEXICON_RIGHT},
                 {"rightmost", LEXICON_RIGHT},  {"right-hand", LEXICON_RIGHT},
                 {"lefthand", LEXICON_LEFT},    {"righthand", LEXICON_RIGHT},
                 {"front", LEXICON_FRONT},      {"near", LEXICON_FRONT},
                 {"nearest", LEXICON_FRONT},    {"closest", LEXICON_FRONT},
                 {"foremost", LEXICON_FRONT},   {"back", LEXICON_BACK},
                 {"rear", LEXICON_BACK},        {"far", LEXICON_BACK},
                 {"farthest", LEXICON_BACK},    {"furthest", LEXICON_BACK},
                 {"top", LEXICON_TOP},          {"upper", LEXICON_TOP},
                 {"uppermost", LEXICON_TOP},    {"topmost", LEXICON_TOP},
                 {"bottom", LEXICON_BOTTOM},    {"lower", LEXICON_BOTTOM},
                 {"lowermost", LEXICON_BOTTOM}, {"middle", LEXICON_MIDDLE},
                 {"centre", LEXICON_MIDDLE},    {"center", LEXICON_MIDDLE},
                 {"central", LEXICON_MIDDLE},   {"frontmost", LEXICON_FRONT},
                 {"backmost", LEXICON_BACK}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        if (sides[i].word[0] == word[0] && strcmp(sides[i].word, word) == 0)
            return sides[i].side;
    }
    return 0;
}

static bool word_is_size(const char *word)
{
    bool superlative;
    return lexicon_size(word, &superlative) != 0;
}

/* By colour, size or side things are ranked; other properties a name can only
 * have or not. */
static bool word_ranks(const char *word)
{
    return lexicon_colour(word) || word_is_size(word) || match_word_side(word);
}

/* Of a thing in it, as in "living room table"; "the room" alone is no thing at
 * all. */
static bool word_is_room(const char *word)
{
    return strcmp(word, "room") == 0;
}

static bool word_is_property(const char *word)
{
    if (word_ranks(word) || lexicon_material(word) ||
        lexicon_is_mere_adjective(word))
        return true;
    return lexicon_ordinal(word) || word_is_generic(word) || word_is_room(word);
}

/* ---- the phrase ---- */

typedef struct query_maker {
    match_query q;
    const char *const *words;
    uint32_t count, at;             /* of words; the one that is read */
    char phrase[KINDS_PHRASE_SIZE]; /* its nouns */
    size_t used;
} query_maker;

static bool maker_is_last(const query_maker *m)
{
    return m->at + 1 == m->count;
}

/* The last word, but for sides and numbers. */
static bool maker_is_head(const query_maker *m)
{
    for (uint32_t i = m->at + 1; i < m->count; i++) {
        if (!match_word_side(m->words[i]) && !word_is_number(m->words[i]))
            return false;
    }
    return true;
}

/* "The blue thing". */
static bool maker_takes_generic(query_maker *m)
{
    if (!maker_is_last(m) || !word_is_generic(m->words[m->at]))
        return false;
    /* "table one" */
    bool label = m->q.has_noun && strcmp(m->words[m->at], "one") == 0;
    if (label)
        return false;
    m->q.generic = true;
    return true;
}

/* "Farthest left" is far to the left, not at the back. */
static bool maker_takes_far(query_maker *m)
{
    const char *word = m->words[m->at];
    if (maker_is_last(m) || word[0] != 'f' ||
        match_word_side(word) != LEXICON_BACK)
        return false;
    return (match_word_side(m->words[m->at + 1]) &
            (LEXICON_LEFT | LEXICON_RIGHT)) != 0;
}

static bool maker_takes_degree(query_maker *m)
{
    static const char *const degrees[] = {"most", "more", "very", "-"};
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) {
        if (strcmp(m->words[m->at], degrees[i]) == 0)
            return true;
    }
    return false;
}

/* "The third cup", "beside the third". */
static bool maker_takes_ordinal(query_maker *m)
{
    uint32_t ordinal = lexicon_ordinal(m->words[m->at]);
    if (!ordinal || (maker_is_last(m) && m->count > 1))
        return false;
    m->q.ordinal = ordinal;
    return true;
}

static void maker_add_noun(query_maker *m, const char *word)
{
    size_t room = sizeof m->phrase - m->used;
    int size =
        snprintf(m->phrase + m->used, room, "%s%s", m->used ? " " : "", word);
    m->q.has_noun = true;
    if (size > 0 && (size_t)size < room)
        m->used += (size_t)size;
}

/* "The front door" is a kind of door, and not the one that is foremost. */
static bool maker_is_compound(const query_maker *m)
{
    char phrase[KINDS_PHRASE_SIZE];
    kinds_id kind;
    if (m->at + 2 != m->count || !match_word_side(m->words[m->at]))
        return false;
    /* "The right-hand wheel" is no hand wheel. */
    if (strchr(m->words[m->at], '-'))
        return false;
    int size = snprintf(phrase, sizeof phrase, "%s %s", m->words[m->at],
                        m->words[m->at + 1]);
    if (size < 0 || (size_t)size >= sizeof phrase)
        return false;
    return kinds_find(phrase, &kind) && kind.head_words == 2;
}

/* What a word says of size, colour and side. */
static void query_add_looks(match_query *q, const char *word)
{
    bool superlative = false;
    int size = lexicon_size(word, &superlative);
    if (size)
        q->size = size;
    if (size && superlative)
        q->superlative = true;
    if (lexicon_colour(word))
        q->colour = lexicon_colour(word);
    q->sides |= match_word_side(word);
}

/* One word of the query as size, colour, side, property or noun; a word may be
 * several of these. */
static void maker_add(query_maker *m)
{
    match_query *q = &m->q;
    const char *word = m->words[m->at];
    if (maker_is_compound(m)) {
        q->is_property[q->count] = false;
        q->words[q->count++] = word;
        maker_add_noun(m, word);
        return;
    }
    query_add_looks(q, word);
    bool property =
        word_is_property(word) && !(word_is_room(word) && maker_is_head(m));
    bool stuff = lexicon_material(word) || lexicon_colour(word);
    /* "the glass", "the orange", "glass left" */
    bool stuff_head = maker_is_head(m) && stuff && kinds_known(word);
    q->is_property[q->count] = property;
    q->words[q->count++] = word;
    if (stuff_head || (!property && !word_is_number(word)))
        maker_add_noun(m, word);
}

/* The words of a phrase, sorted once; then it is compared with every object. */
etna_code match_query_make(const char *const *words,
                           uint32_t count,
                           etna_arena *arena,
                           match_query *ret,
                           etna_error *err)
{
    static bool (*const takes[])(query_maker *
                                 m) = {maker_takes_generic, maker_takes_far,
                                       maker_takes_degree, maker_takes_ordinal};
    query_maker m = {.words = words, .count = count};
    m.q.whole = "";
    for (; m.at < count && m.q.count < REFER_WORDS_MAX; m.at++) {
        m.q.whole = etna_arena_printf(arena, "%s%s%s", m.q.whole,
                                      m.q.whole[0] ? " " : "", words[m.at]);
        if (!m.q.whole)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading a name");
        bool taken = false;
        for (size_t i = 0; i < sizeof takes / sizeof takes[0] && !taken; i++)
            taken = takes[i](&m);
        if (!taken)
            maker_add(&m);
    }
    kinds_find(m.phrase, &m.q.said);
    *ret = m.q;
    return ETNA_OK;
}

/* ---- a phrase beside a thing ---- */

enum {
    NAME_WORDS_MAX = 64
}; /* words of a name that are looked at */

typedef struct comparison {
    const builtin_object *o;
    const match_query *q;
    const kinds_id *kind; /* the thing's */
    uint32_t word_count;  /* of the name, at most NAME_WORDS_MAX */
    /* words of the name that were said, a bit each */
    uint64_t used;
    uint32_t distance; /* of kinds */
    /* nouns said; those that neither name nor hint has */
    uint32_t nouns, open_nouns;
    uint32_t unproven; /* properties that nothing is known of */
    bool suffix;       /* a word is the end of the name's */
    bool by_name, by_hint, by_stuff;
    bool head_open; /* the last noun is an open one */
    match_result m;
} comparison;

static void name_use(comparison *c, uint32_t word, uint64_t bits)
{
    c->used |= bits << word;
}

/* A number in words behind the noun: "table two", and no "two tables". */
static bool word_is_label(const match_query *q, uint32_t i)
{
    if (i == 0 || i + 1 != q->count)
        return false;
    return !q->is_property[i - 1] && lexicon_number(q->words[i]) > 0;
}

/* "chair two" is Chair_2. The word found is used up, so that it does not answer
 * twice. */
static bool name_has_word(comparison *c, uint32_t i)
{
    const uint32_t label =
        word_is_label(c->q, i) ? lexicon_number(c->q->words[i]) : 0;
    for (uint32_t k = 0; k < c->word_count; k++) {
        const char *own = c->o->words[k];
        bool labelled =
            label > 0 && word_is_number(own) && strtoul(own, NULL, 10) == label;
        if (!labelled && !word_same(own, c->q->words[i]))
            continue;
        name_use(c, k, 1);
        return true;
    }
    return false;
}

/* "Nightstand" for NightStand. */
static bool name_has_in_two(comparison *c, uint32_t i)
{
    char joined[2 * KINDS_WORD_SIZE];
    const char *said = c->q->words[i];
    for (uint32_t k = 0; k + 1 < c->o->word_count && k + 1 < NAME_WORDS_MAX;
         k++) {
        const char *own = c->o->words[k];
        const bool begins =
            word_is_number(said) ? word_is_number(own) : own[0] == said[0];
        if (!begins)
            continue;
        snprintf(joined, sizeof joined, "%.39s%.39s", own, c->o->words[k + 1]);
        if (!word_same(joined, said))
            continue;
        name_use(c, k, 3);
        return true;
    }
    return false;
}

/* Is the word the end of a longer one whose beginning is a word, too? */
static bool word_is_end(const char *word, const char *of)
{
    enum {
        SHORTEST = 3
    };
    char before[2 * KINDS_WORD_SIZE];
    size_t size = strlen(word);
    size_t whole = strlen(of);
    if (size < SHORTEST || whole < size + SHORTEST || whole >= sizeof before)
        return false;
    if (strcmp(of + whole - size, word) != 0 || word_is_property(word))
        return false;
    memcpy(before, of, whole - size);
    before[whole - size] = 0;
    return kinds_word(before);
}

static bool name_word_says(const char *word)
{
    if (word_is_number(word) || lexicon_number(word) || strlen(word) < 2)
        return false;
    return !lexicon_colour(word) && !word_is_size(word);
}

/* The last word before `end` that is no number or side. */
static uint32_t name_noun_before(const builtin_object *o, uint32_t end)
{
    for (uint32_t k = end; k > 0; k--) {
        const char *word = o->words[k - 1];
        if (name_word_says(word) && !match_word_side(word) &&
            !lexicon_is_mere_adjective(word))
            return k - 1;
    }
    return BUILTIN_NONE;
}

bool match_names_differ_in_trait(const builtin_object *a,
                                 const builtin_object *b)
{
    const uint32_t last = a->word_count - 1;
    if (a == b || a->word_count != b->word_count ||
        !lexicon_is_mere_adjective(b->words[last]))
        return false;
    for (uint32_t k = 0; k < last; k++) {
        if (strcmp(a->words[k], b->words[k]) != 0)
            return false;
    }
    return strcmp(a->words[last], b->words[last]) != 0;
}

/* A word that says what a thing is like and not what it is. */
static bool word_is_trait(const char *word)
{
    return lexicon_is_mere_adjective(word) || lexicon_colour(word) ||
           word_is_size(word);
}

bool match_names_have_own_traits(const builtin_object *a,
                                 const builtin_object *b)
{
    uint32_t differ = 0;
    if (a == b || a->word_count != b->word_count || a->word_count < 2)
        return false;
    for (uint32_t k = 0; k < a->word_count; k++) {
        if (strcmp(a->words[k], b->words[k]) == 0)
            continue;
        if (!word_is_trait(a->words[k]) || !word_is_trait(b->words[k]))
            return false;
        differ++;
    }
    return differ == 1;
}

bool match_name_adds_trait(const builtin_object *a, const builtin_object *b)
{
    uint32_t added = 0;
    for (uint32_t k = 0; k < a->word_count; k++) {
        const uint32_t next = k - added;
        if (next < b->word_count && strcmp(a->words[k], b->words[next]) == 0)
            continue;
        if (!word_is_trait(a->words[k]))
            return false;
        added++;
    }
    return added > 0 && a->word_count - added == b->word_count;
}

static bool word_is_among(const char *word,
                          const char *const *words,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i][0] == word[0] && strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

bool match_is_collection(const char *word)
{
    static const char *const words[] = {"set",   "stack",  "pile",
                                        "heap",  "row",    "pair",
                                        "bunch", "bundle", "collection"};
    return word_is_among(word, words, sizeof words / sizeof words[0]);
}

bool match_is_place(const char *word)
{
    static const char *const words[] = {"floor", "wall", "ground", "ceiling"};
    return word_is_among(word, words, sizeof words / sizeof words[0]);
}

/* Is the thing several of what the word before says: a book set, and no tea
 * set? */
static bool name_is_collection(const builtin_object *o,
                               const kinds_id *kind,
                               uint32_t last)
{
    if (last == BUILTIN_NONE || last == 0 || kind->head_words > 1)
        return false;
    return match_is_collection(o->words[last]) &&
           name_noun_before(o, last) != BUILTIN_NONE;
}

/* Does the word say where the thing is, and the one before what:
 * "picture_book_floor"? */
static bool name_ends_in_place(const builtin_object *o, uint32_t last)
{
    if (last == BUILTIN_NONE || last == 0 || o->is_static)
        return false;
    return match_is_place(o->words[last]) &&
           name_noun_before(o, last) != BUILTIN_NONE;
}

/* The name's word for what the thing is. */
static uint32_t name_head(const builtin_object *o, const kinds_id *kind)
{
    const uint32_t last = name_noun_before(o, o->word_count);
    const bool before =
        name_is_collection(o, kind, last) || name_ends_in_place(o, last);
    return before ? name_noun_before(o, last) : last;
}

bool match_is_compound_of(const builtin_object *o,
                          const kinds_id *kind,
                          const char *noun)
{
    char lemma[KINDS_WORD_SIZE];
    const uint32_t head = name_head(o, kind);
    if (head == BUILTIN_NONE ||
        kinds_lemma(noun, lemma, sizeof lemma, NULL) == 0)
        return false;
    return word_is_end(lemma, o->words[head]);
}

/* "The pot" for a teapot, and no "door" of an outdoor sofa. */
static bool name_has_as_end(comparison *c, uint32_t i)
{
    /* asked first: what the name's head is takes longer to find */
    bool ends = false;
    for (uint32_t k = 0; k < c->word_count && !ends; k++)
        ends = word_is_end(c->q->words[i], c->o->words[k]);
    if (!ends)
        return false;
    const uint32_t head = name_head(c->o, c->kind);
    if (head >= c->word_count ||
        !word_is_end(c->q->words[i], c->o->words[head]))
        return false;
    /* an ashtray is no tray */
    bool known = c->kind->self_count > 0 && c->q->said.self_count > 0;
    if (known && kinds_id_distance(c->kind, &c->q->said) == KINDS_UNRELATED)
        return false;
    name_use(c, head, 1);
    c->suffix = true;
    return true;
}

/* "Night stand" for Nightstand. */
static bool name_has_two_in_one(comparison *c, uint32_t i)
{
    char joined[2 * KINDS_WORD_SIZE];
    if (i + 1 >= c->q->count)
        return false;
    for (uint32_t k = 0; k < c->word_count; k++) {
        if (c->o->words[k][0] != c->q->words[i][0])
            continue;
        snprintf(joined, sizeof joined, "%.39s%.39s", c->q->words[i],
                 c->q->words[i + 1]);
        if (!word_same(c->o->words[k], joined))
            continue;
        name_use(c, k, 1);
        return true;
    }
    return false;
}

/* How many of the phrase's words from i on the name has: 0, 1 or 2. */
static uint32_t name_take(comparison *c, uint32_t i)
{
    if (name_has_word(c, i) || name_has_in_two(c, i) || name_has_as_end(c, i))
        return 1;
    return name_has_two_in_one(c, i) ? 2 : 0;
}

static bool hint_has(const builtin_object *o, const char *word)
{
    for (uint32_t k = 0; k < o->hint_count; k++) {
        if (word_same(o->hints[k], word))
            return true;
    }
    return false;
}

static bool material_has(const builtin_object *o, const char *word)
{
    if (!lexicon_material(word))
        return false;
    for (uint32_t k = 0; k < o->material_count; k++) {
        if (builtin_is_stuff(o->materials[k], word))
            return true;
    }
    return false;
}

static void compare_named(comparison *c,
                          const char *word,
                          bool property,
                          bool last)
{
    if (!property || (last && kinds_known(word)))
        c->by_name = true;
    if (lexicon_colour(word))
        c->m.colour_by_name = true;
}

/* A word that nothing of the thing is called by. */
static void compare_open(
    comparison *c, const char *word, bool property, bool last, bool head)
{
    if (property && !word_ranks(word) && !word_is_generic(word))
        c->unproven++;
    if (property && !(last && kinds_known(word)))
        return;
    c->open_nouns++;
    c->head_open = c->head_open || head;
}

/* Does no noun follow? In "the shelf board dark" it is the board that is spoken
 * of. */
static bool word_is_head(const match_query *q, uint32_t i)
{
    for (uint32_t k = i + 1; k < q->count; k++) {
        if (!q->is_property[k] && !word_is_number(q->words[k]))
            return false;
    }
    return true;
}

/* A wine glass is no bottle, though a bottle is of glass: what ends a phrase
 * says what the thing is, if it can. "The oak one" is of oak. */
static bool word_is_kind(const match_query *q, uint32_t i)
{
    return !q->generic && i + 1 == q->count && kinds_known(q->words[i]);
}

/* "The bookcase standing upright": what stands behind the noun, and is not
 * known of the thing, tells how it is to be rather than which it is. */
static bool word_trails(const match_query *q, uint32_t i)
{
    if (i == 0 || !q->is_property[i] || q->is_property[i - 1])
        return false;
    return i + 1 == q->count && lexicon_is_mere_adjective(q->words[i]);
}

/* How many words from i on are compared then; 0: the thing can't be meant. */
static uint32_t compare_word(comparison *c, uint32_t i)
{
    const char *word = c->q->words[i];
    bool property = c->q->is_property[i];
    uint32_t taken = name_take(c, i);
    bool last = i + (taken ? taken : 1) >= c->q->count;
    /* "the glass", which is a stuff too */
    const bool noun = !property || word_is_kind(c->q, i);
    if (noun && !word_is_number(word))
        c->nouns++;
    if (taken) {
        compare_named(c, word, property, last);
        return taken;
    }
    if (hint_has(c->o, word))
        c->by_hint = true;
    else if (material_has(c->o, word) && !word_is_kind(c->q, i))
        c->by_stuff = true;
    else if (word_is_number(word) || word_is_label(c->q, i) ||
             word_trails(c->q, i))
        return 0; /* a number that the name has not */
    else
        compare_open(c, word, property, last, word_is_head(c->q, i));
    return 1;
}

static bool kind_is(const kinds_id *kind, const char *name)
{
    kinds_id one;
    kinds_find(name, &one);
    return kinds_id_distance(kind, &one) < KINDS_NEAR;
}

/* Vessels that people call by each other's names: a mug is a cup, a jar a tin,
 * but what one drinks from or eats off is no bottle. */
static bool both_contain(const kinds_id *a, const kinds_id *b)
{
    return kind_is(a, "container") && kind_is(b, "container") &&
           kind_is(a, "crockery") == kind_is(b, "crockery");
}

/* Two things of one last word that nobody takes for each other: no table lamp
 * is a floor lamp. Vessels are, a tea mug for a coffee mug. */
static bool kinds_deny(const comparison *c)
{
    const kinds_id *said = &c->q->said;
    bool both_compound = c->kind->head_words > 1 && said->head_words > 1 &&
                         said->head_words == said->words;
    return both_compound && c->distance == KINDS_UNRELATED &&
           !both_contain(c->kind, said);
}

/* "Balcony", "cooking": and no maker's name. */
static bool word_tells_purpose(const char *word)
{
    const size_t size = strlen(word);
    return kinds_known(word) || (size > 5 && !strcmp(word + size - 3, "ing"));
}

/* "The pool table", where one is called balcony table: each has another noun
 * before the same head, and no kind says that the two are one. */
static bool names_deny(const comparison *c)
{
    const kinds_id *said = &c->q->said;
    const bool head_alone = c->by_name && !c->head_open;
    /* of neither a dictionary knows more than its head */
    const bool unknown = c->kind->head_words < 2 && said->head_words < 2;
    if (!head_alone || c->open_nouns == 0 ||
        (c->distance < KINDS_NEAR && !unknown))
        return false;
    const uint32_t head = name_head(c->o, c->kind);
    const uint32_t before =
        head == BUILTIN_NONE ? head : name_noun_before(c->o, head);
    if (before == BUILTIN_NONE || before < c->o->shared_words ||
        c->kind->head_words > 1 || both_contain(c->kind, said))
        return false;
    const char *own = c->o->words[before];
    const bool is_said = c->used >> before & 1;
    return !is_said && word_tells_purpose(own) && !lexicon_material(own);
}

/* Is the last word by itself a word for what the thing is: "cans" for a tin? */
static bool head_is_its_kind(const comparison *c)
{
    kinds_id head;
    if (c->q->count == 0 || c->q->said.words == 0)
        return false;
    return kinds_find(c->q->words[c->q->count - 1], &head) &&
           kinds_id_distance(c->kind, &head) < KINDS_STEP;
}

/* "Mum" is somebody, and no chrysanthemum. */
static bool head_is_somebody(const comparison *c)
{
    const uint32_t count = c->q->count;
    return count > 0 && lexicon_is_person(c->q->words[count - 1]) &&
           !kind_is(c->kind, "person") && !kind_is(c->kind, "toy");
}

/* Open nouns must be told by the thing's kind. False: it can't be meant. */
static bool compare_kind(comparison *c)
{
    /* "paint tins" for a red tin: the name does not deny it */
    bool head_named = (c->by_name && !c->head_open) || head_is_its_kind(c);
    c->distance = kinds_id_distance(c->kind, &c->q->said);
    if (c->open_nouns == 0 || c->by_hint)
        return true;
    if (kinds_deny(c) || names_deny(c) || head_is_somebody(c))
        return false;
    if (c->distance == KINDS_UNRELATED && !head_named) {
        bool vessels = c->by_name && both_contain(c->kind, &c->q->said);
        if (!vessels)
            return false;
        /* a sugar cup for the sugar bowl: the other words say which */
        c->distance = KINDS_NEAR / 2;
    }
    bool narrower = c->distance >= KINDS_BELOW;
    c->m.by_kind = true;
    c->m.unproven =
        narrower && (head_named || c->q->said.words > c->q->said.head_words);
    return head_named || !c->m.unproven;
}

/* For what is denied: "no furniture". */
static bool kind_is_furniture(const kinds_id *kind)
{
    static const char *const names[] = {"furniture", "rack", "stand", "shelf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        kinds_id furniture;
        kinds_find(names[i], &furniture);
        if (kinds_id_distance(kind, &furniture) < KINDS_NEAR)
            return true;
    }
    return false;
}

/* ---- what it costs ---- */

/* Is what the thing is among the words that were said? */
static bool name_head_is_said(const comparison *c)
{
    const builtin_object *o = c->o;
    uint32_t head = name_head(o, c->kind);
    size_t first = o->word_count ? strlen(o->words[0]) : 0;
    bool dotted = strlen(o->name) > first && o->name[first] == '.';
    if ((c->used & 1) && dotted)
        return true; /* "Shoes.Heels": what follows the dot tells which */
    return head < NAME_WORDS_MAX && (c->used >> head & 1);
}

static uint32_t cost_of_kind(const comparison *c)
{
    if (!c->m.by_kind)
        return 0;
    return COST_KIND +
           (c->distance >= KINDS_BELOW ? (uint32_t)COST_NARROWER : c->distance);
}

/* Only a modifier of the name was said. */
static uint32_t cost_of_head(const comparison *c)
{
    bool told = c->by_hint || c->m.by_kind;
    bool named = c->nouns > 0 && c->by_name && !told;
    return named && c->distance >= KINDS_NEAR && !name_head_is_said(c)
               ? MATCH_NOT_HEAD
               : 0;
}

/* "The shoes" are no shoe rack, "the coffee" is no coffee table and "the bath"
 * no bath mat; "the milk" may be its carton. */
static bool furniture_is_denied(const comparison *c)
{
    bool known = c->q->said.self_count > 0 && c->kind->self_count > 0;
    if (!known || cost_of_head(c) == 0)
        return false;
    const bool is_mat = kind_is(c->kind, "mat") && !kind_is(&c->q->said, "mat");
    return is_mat ||
           (kind_is_furniture(c->kind) && !kind_is_furniture(&c->q->said));
}

static uint32_t cost_of_hint(const comparison *c)
{
    return c->by_hint ? COST_HINT : 0;
}

/* A notebook is a book only where there is none. */
static uint32_t cost_of_suffix(const comparison *c)
{
    return c->suffix ? COST_EXTRA_WORD + COST_COMPOUND : 0;
}

/* "The cups" are no sugar cup where there are others: the whole name is another
 * kind than its last word. */
static uint32_t cost_of_compound(const comparison *c)
{
    bool one = c->nouns == 1 && c->q->count == 1;
    bool named = one && c->by_name && !c->m.by_kind;
    bool other = c->kind->head_words > 1 && c->distance >= KINDS_NEAR / 2;
    /* a white cup is no whitecup */
    for (uint32_t k = 0; k < c->word_count && other; k++)
        other = !word_is_property(c->o->words[k]);
    return named && other && name_head_is_said(c) ? COST_COMPOUND / 2 : 0;
}

/* "The book" is one rather than a set of them. */
static uint32_t cost_of_collection(const comparison *c)
{
    const uint32_t last = name_noun_before(c->o, c->o->word_count);
    const bool said = last < NAME_WORDS_MAX && (c->used >> last & 1);
    return !said && name_is_collection(c->o, c->kind, last) ? COST_COLLECTION
                                                            : 0;
}

/* A noun was said, and only its stuff answers. */
static uint32_t cost_of_stuff(const comparison *c)
{
    bool known = c->by_name || c->by_hint || c->m.by_kind;
    bool noun_said = c->q->has_noun && !c->q->generic;
    return c->by_stuff && noun_said && !known ? MATCH_NOT_HEAD : 0;
}

static uint32_t cost_of_unproven(const comparison *c)
{
    return c->unproven * COST_UNPROVEN;
}

/* "Orange jam" is of oranges, as plum jam is of plums, and no jam that happens
 * to be orange. */
static bool word_is_flavour(const comparison *c, const char *word)
{
    kinds_id one;
    const bool looks = lexicon_colour(word) || lexicon_material(word);
    return looks && kinds_find(word, &one) && kind_is(&one, "edible fruit") &&
           kind_is(c->kind, "food");
}

/* Words of the name that were not said, but for those that most names here
 * begin with. */
static uint32_t cost_of_more_words(const comparison *c)
{
    uint32_t told = c->m.by_kind ? name_head(c->o, c->kind) : BUILTIN_NONE;
    uint32_t cost = 0;
    for (uint32_t k = c->o->shared_words; k < c->word_count; k++) {
        const char *word = c->o->words[k];
        if (k == told || (c->used >> k & 1))
            continue;
        if (word_is_flavour(c, word) ||
            (name_word_says(word) && !lexicon_material(word)))
            cost += COST_EXTRA_WORD;
    }
    return cost;
}

static uint32_t compare_cost(const comparison *c)
{
    static uint32_t (*const costs[])(const comparison *c) = {
        cost_of_kind,   cost_of_head,     cost_of_hint,
        cost_of_suffix, cost_of_compound, cost_of_collection,
        cost_of_stuff,  cost_of_unproven, cost_of_more_words};
    bool anything = c->q->generic && c->q->count == 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof costs / sizeof costs[0] && !anything; i++)
        sum += costs[i](c);
    return sum;
}

/* What a word says of a thing, and which of two ways. */
typedef struct trait_way {
    const char *word;
    uint32_t trait;
    int way;
} trait_way;

/* NULL: the word is none of these. */
static const trait_way *word_way(const char *word, const trait_way *after)
{
    enum {
        CLEAN,
        NEW,
        FULL,
        WET,
        SIZE,
        HEIGHT,
        LENGTH,
        WIDTH,
        OPEN,
        FRESH,
        FORM,
        LEVEL
    };
    static const trait_way ways[] = {
        {"clean", CLEAN, 1},   {"used", CLEAN, -1},  {"dirty", CLEAN, -1},
        {"new", NEW, 1},       {"old", NEW, -1},     {"used", NEW, -1},
        {"full", FULL, 1},     {"empty", FULL, -1},  {"wet", WET, 1},
        {"dry", WET, -1},      {"big", SIZE, 1},     {"large", SIZE, 1},
        {"huge", SIZE, 1},     {"giant", SIZE, 1},   {"small", SIZE, -1},
        {"little", SIZE, -1},  {"tiny", SIZE, -1},   {"mini", SIZE, -1},
        {"tall", HEIGHT, 1},   {"high", HEIGHT, 1},  {"low", HEIGHT, -1},
        {"short", HEIGHT, -1}, {"long", LENGTH, 1},  {"short", LENGTH, -1},
        {"wide", WIDTH, 1},    {"broad", WIDTH, 1},  {"narrow", WIDTH, -1},
        {"open", OPEN, 1},     {"closed", OPEN, -1}, {"fresh", FRESH, 1},
        {"used", FRESH, -1},   {"round", FORM, 1},   {"square", FORM, -1},
        {"upper", LEVEL, 1},   {"lower", LEVEL, -1}};
    const trait_way *at = after ? after + 1 : ways;
    for (; at < ways + sizeof ways / sizeof ways[0]; at++) {
        if (strcmp(at->word, word) == 0)
            return at;
    }
    return NULL;
}

static bool words_are_opposite(const char *said, const char *named)
{
    for (const trait_way *a = word_way(said, NULL); a; a = word_way(said, a)) {
        for (const trait_way *b = word_way(named, NULL); b;
             b = word_way(named, b)) {
            if (a->trait == b->trait && a->way != b->way)
                return true;
        }
    }
    return false;
}

bool match_name_denies(const builtin_object *o, const match_query *q)
{
    for (uint32_t i = 0; i + 1 < q->count; i++) {
        for (uint32_t n = 0; n < o->word_count; n++) {
            if (words_are_opposite(q->words[i], o->words[n]))
                return true;
        }
    }
    return false;
}

static char name_plain(char c)
{
    if (ascii_is_upper(c))
        return (char)(c - 'A' + 'a');
    return c == '_' || c == '-' ? ' ' : c;
}

/* A name as written, its marks as blanks, is the very phrase. */
static bool name_is_whole(const char *name, const char *whole)
{
    for (; *name && *whole; name++, whole++) {
        char said = *whole == '_' || *whole == '-' ? ' ' : *whole;
        if (name_plain(*name) != said)
            return false;
    }
    return *name == *whole;
}

/* What it costs to mean this object by the words; MATCH_NONE: they do not mean
 * it. A whole name is free. */
match_result match_object(const builtin_facts *facts,
                          const kinds_id *kinds,
                          uint32_t object,
                          const match_query *q)
{
    const builtin_object *o = &facts->objects[object];
    comparison c = {.o = o, .q = q, .kind = &kinds[object]};
    c.m.whole = name_is_whole(o->name, q->whole);
    /* "red bike", whatever its paint */
    c.m.colour_by_name = c.m.whole && q->colour != 0;
    if (c.m.whole)
        return c.m;
    c.word_count =
        o->word_count < NAME_WORDS_MAX ? o->word_count : NAME_WORDS_MAX;
    uint32_t step = 1;
    for (uint32_t i = 0; i < q->count && step > 0; i += step)
        step = compare_word(&c, i);
    bool answers = step > 0 && compare_kind(&c) && !furniture_is_denied(&c);
    answers = answers && !match_name_denies(o, q);
    c.m.doubtful = c.unproven > 0;
    c.m.cost = answers ? compare_cost(&c) : MATCH_NONE;
    return c.m;
}
