/* What one word says by itself: a side, a size, a state, a set; and whether two
 * words are one. */
#include "worker/builtin/read/match_internal.h"

/* Nouns that are several things without an -s. */
static bool word_is_collective(const char *word)
{
    return lexicon_lists("noun: collective", word);
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
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
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

/* "T-shirt" for Tshirt, and for T_Shirt, whose words are tried as one. */
static bool words_differ_by_hyphen(const char *name, const char *said)
{
    char plain[KINDS_WORD_SIZE];
    size_t size = 0;
    if (!strchr(said, '-') || strlen(said) >= sizeof plain)
        return false;
    for (const char *at = said; *at; at++) {
        if (*at != '-')
            plain[size++] = *at;
    }
    plain[size] = 0;
    return strcmp(name, plain) == 0 || words_share_lemma(name, plain);
}

bool match_word_same(const char *name, const char *said)
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
    return words_are_spellings(name, said) || words_share_lemma(name, said) ||
           words_differ_by_hyphen(name, said);
}

bool match_word_is_generic(const char *word)
{
    return lexicon_lists("noun: any", word);
}

unsigned match_word_side(const char *word)
{
    return lexicon_value("match: side", word);
}

static bool word_is_size(const char *word)
{
    bool superlative;
    return lexicon_size(word, &superlative) != 0;
}

bool match_word_ranks(const char *word)
{
    return lexicon_colour(word) || word_is_size(word) || match_word_side(word);
}

/* Of a thing in it, as in "living room table"; "the room" alone is no thing at
 * all. */
bool match_word_is_room(const char *word)
{
    return strcmp(word, "room") == 0;
}

bool match_word_is_where(const char *word)
{
    return match_word_is_room(word) || lexicon_lists("$room", word) ||
           lexicon_lists("room: of a home", word) ||
           lexicon_lists("match: where", word);
}

bool match_word_is_property(const char *word)
{
    if (match_word_ranks(word) || lexicon_material(word) ||
        lexicon_is_mere_adjective(word))
        return true;
    return lexicon_ordinal(word) || match_word_is_generic(word) ||
           match_word_is_room(word);
}

bool match_word_is_trait(const char *word)
{
    return lexicon_is_mere_adjective(word) || lexicon_colour(word) ||
           word_is_size(word);
}

bool match_word_says(const char *word)
{
    if (word_is_number(word) || lexicon_number(word) || strlen(word) < 2)
        return false;
    return !lexicon_colour(word) && !word_is_size(word);
}

bool match_word_is_end(const char *word, const char *of)
{
    enum {
        SHORTEST = 3
    };
    char before[2 * KINDS_WORD_SIZE];
    size_t size = strlen(word);
    size_t whole = strlen(of);
    if (size < SHORTEST || whole < size + SHORTEST || whole >= sizeof before)
        return false;
    if (strcmp(of + whole - size, word) != 0 || match_word_is_property(word))
        return false;
    memcpy(before, of, whole - size);
    before[whole - size] = 0;
    return kinds_word(before);
}

bool match_is_collection(const char *word)
{
    return lexicon_lists("noun: set", word);
}

bool match_is_place(const char *word)
{
    return lexicon_lists("noun: ground", word);
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
        {"used", FRESH, -1},   {"round", FORM, 1},   {"circular", FORM, 1},
        {"oval", FORM, 1},     {"square", FORM, -1}, {"rectangular", FORM, -1},
        {"oblong", FORM, -1},  {"rect", FORM, -1},   {"upper", LEVEL, 1},
        {"lower", LEVEL, -1}};
    const trait_way *at = after ? after + 1 : ways;
    for (; at < ways + COUNT_OF(ways); at++) {
        if (strcmp(at->word, word) == 0)
            return at;
    }
    return NULL;
}

bool match_words_are_opposite(const char *said, const char *named)
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
