/* See lexicon.h. The classes of single words that the grammar does not ask for stand here as
 * tables. */
#include "worker/builtin/language/lexicon.h"

#include "proto/ascii.h"

#include <string.h>

static const lexicon_entry entries[] = {
#define L(words, category, value, cost) {words, category, value, cost},
#include "worker/builtin/language/lexicon.inc"
#undef L
};

const lexicon_entry *lexicon_entries(size_t *ret_count)
{
    *ret_count = sizeof entries / sizeof entries[0];
    return entries;
}

bool lexicon_find_verb(const char *phrase, lexicon_verb *ret)
{
    bool found = false;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const lexicon_entry *e = &entries[i];
        if (strcmp(e->category, "$verb") != 0 || strcmp(e->words, phrase) != 0)
            continue;
        if (found && *ret != (lexicon_verb)e->value)
            return false;
        *ret = (lexicon_verb)e->value;
        found = true;
    }
    return found;
}

bool lexicon_lists(const char *category, const char *word)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const lexicon_entry *e = &entries[i];
        if (e->words[0] == word[0] && strcmp(e->words, word) == 0 &&
            strcmp(e->category, category) == 0)
            return true;
    }
    return false;
}

bool lexicon_begins(const char *category, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const lexicon_entry *e = &entries[i];
        if (strcmp(e->category, category) != 0 || strncmp(e->words, word, size) != 0)
            continue;
        if (e->words[size] == ' ' || !e->words[size])
            return true;
    }
    return false;
}

/* Is the word one of the phrase's? */
static bool phrase_has(const char *phrase, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = phrase; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, word, size) == 0 && (at[size] == ' ' || !at[size]))
            return true;
    }
    return false;
}

bool lexicon_asks_how(const char *word)
{
    static const char *const how[] = {
        "$apart",    "$alone",   "$back_to",  "$between",     "$bit",       "$bound",
        "$centred",  "$circle",  "$crooked",  "$degree",      "$dir",       "$edge_height",
        "$end_own",  "$evenly",  "$exact",    "$eye_level",   "$face",      "$front_part",
        "$likewise", "$mid",     "$nearest",  "$no_gap",      "$old_place", "$one_height",
        "$opposed",  "$order",   "$parallel", "$piece",       "$pile",      "$rel_side",
        "$row",      "$row_adj", "$row_noun", "$same_height", "$shade",     "$side",
        "$side_h",   "$spacing", "$spin",     "$straight",    "$swapping",  "$together",
        "$turn_by",  "$unit",    "$zone",     "$zone_in",     "$zone_other"};
    if (lexicon_is_function_word(word))
        return false;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const lexicon_entry *e = &entries[i];
        if (!phrase_has(e->words, word))
            continue;
        for (size_t k = 0; k < sizeof how / sizeof how[0]; k++) {
            if (strcmp(e->category, how[k]) == 0)
                return true;
        }
    }
    return false;
}

typedef struct lexicon_pair {
    const char *word;
    int value;
} lexicon_pair;

/* Every word of a sentence is held against every thing's name through these tables: most differ in
 * their first letter. */
static inline bool word_equals(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

static int pair_find(const lexicon_pair *pairs, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (word_equals(pairs[i].word, word))
            return pairs[i].value;
    }
    return 0;
}

#define PAIRS(table) table, sizeof table / sizeof table[0]

uint32_t lexicon_colour(const char *word)
{
    static const lexicon_pair colours[] = {
        {"black", 1},     {"white", 2},     {"grey", 3},     {"gray", 3},      {"silver", 3},
        {"red", 4},       {"scarlet", 4},   {"crimson", 4},  {"ruby", 4},      {"maroon", 4},
        {"orange", 5},    {"yellow", 6},    {"golden", 6},   {"gold", 6},      {"green", 7},
        {"lime", 7},      {"olive", 7},     {"blue", 8},     {"navy", 8},      {"azure", 8},
        {"turquoise", 8}, {"teal", 8},      {"cyan", 8},     {"purple", 9},    {"violet", 9},
        {"lilac", 9},     {"mauve", 9},     {"pink", 10},    {"magenta", 10},  {"brown", 11},
        {"beige", 11},    {"tan", 11},      {"cream", 2},    {"ivory", 2},     {"charcoal", 1},
        {"burgundy", 4},  {"indigo", 9},    {"aqua", 8},     {"khaki", 11},    {"rose", 10},
        {"reddish", 4},   {"bluish", 8},    {"greenish", 7}, {"yellowish", 6}, {"greyish", 3},
        {"dark-blue", 8}, {"light-blue", 8}};
    return (uint32_t)pair_find(PAIRS(colours), word);
}

int lexicon_size(const char *word, bool *ret_superlative)
{
    static const lexicon_pair sizes[] = {
        {"large", 1},    {"larger", 1},    {"big", 1},       {"bigger", 1},   {"huge", 1},
        {"great", 1},    {"giant", 1},     {"small", -1},    {"smaller", -1}, {"little", -1},
        {"tiny", -1},    {"mini", -1},     {"tall", 2},      {"taller", 2},   {"high", 2},
        {"higher", 2},   {"low", -2},      {"lower", -2},    {"short", -2},   {"shorter", -2},
        {"long", 3},     {"longer", 3},    {"wide", 3},      {"wider", 3},    {"broad", 3},
        {"narrow", -3},  {"narrower", -3}, {"thick", 4},     {"thicker", 4},  {"thin", -4},
        {"thinner", -4}, {"slim", -3},     {"flat", -4},     {"heavy", 1},    {"heavier", 1},
        {"light", 0},    {"biggish", 1},   {"smallish", -1}, {"teeny", -1},   {"wee", -1},
        {"massive", 1}};
    static const lexicon_pair most[] = {
        {"largest", 1},   {"biggest", 1},   {"hugest", 1},   {"smallest", -1},  {"littlest", -1},
        {"tiniest", -1},  {"tallest", 2},   {"highest", 2},  {"lowest", -2},    {"shortest", -2},
        {"longest", 3},   {"widest", 3},    {"broadest", 3}, {"narrowest", -3}, {"thickest", 4},
        {"thinnest", -4}, {"flattest", -4}, {"heaviest", 1}, {"lightest", -1}};
    int value = pair_find(PAIRS(most), word);
    *ret_superlative = value != 0;
    return value ? value : pair_find(PAIRS(sizes), word);
}

const char *lexicon_material(const char *word)
{
    static const char *const materials[][24] = {
        {"wood", "wooden", "oak", "walnut", "beech", "pine", "birch", "maple", "cherry", "mahogany",
         "teak", "ash", "timber", "plywood", "rosewood", "ebony"},
        {"metal", "metallic", "steel", "iron", "brass", "copper", "aluminium", "aluminum", "chrome",
         "bronze", "tin", "silver"},
        {"ceramic", "glaze", "porcelain", "terracotta", "china", "clay", "earthenware", "stoneware",
         "faience", "pottery"},
        {"fabric", "cloth", "linen", "cotton", "wool", "woollen", "velvet", "canvas", "felt",
         "silk", "textile"},
        {"stone", "marble", "granite", "slate", "limestone", "concrete"},
        {"plastic", "laminate", "acrylic", "vinyl", "nylon", "shell", "rubber"},
        {"glass", "crystal"},
        {"paper", "cardboard", "carton"},
        {"leather", "suede"},
        {"wicker", "rattan", "bamboo", "cane", "straw"},
    };
    for (size_t i = 0; i < sizeof materials / sizeof materials[0]; i++) {
        for (size_t k = 0; k < 24 && materials[i][k]; k++) {
            if (word_equals(materials[i][k], word))
                return materials[i][0];
        }
    }
    return NULL;
}

static bool word_in(const char *const *list, const char *word)
{
    for (; *list; list++) {
        if (word_equals(*list, word))
            return true;
    }
    return false;
}

bool lexicon_is_mere_adjective(const char *word)
{
    static const char *const words[] = {
        "medium",     "mid",         "round",     "square",    "circular",     "rectangular",
        "oval",       "old",         "new",       "nice",      "pretty",       "lovely",
        "ugly",       "empty",       "full",      "dark",      "light",        "bright",
        "folding",    "movable",     "spare",     "favourite", "favorite",     "striped",
        "plain",      "fancy",       "clean",     "dirty",     "soft",         "hard",
        "open",       "closed",      "comfy",     "cosy",      "single",       "lone",
        "lonely",     "good",        "best",      "cute",      "beautiful",    "wet",
        "dry",        "heavy",       "loose",     "modern",    "antique",      "sturdy",
        "shiny",      "matte",       "pale",      "deep",      "vivid",        "curved",
        "straight",   "cylindrical", "cubic",     "tilted",    "free",         "portable",
        "decorative", "coloured",    "colored",   "colourful", "colorful",     "own",
        "dear",       "used",        "standing",  "hanging",   "freestanding", "fresh",
        "stray",      "misplaced",   "forgotten", "dropped",   "fallen",       "poor",
        "silly",      "bulky",       NULL};
    return word_in(words, word);
}

bool lexicon_is_person(const char *word)
{
    static const char *const words[] = {
        "pupil",     "student",   "child",   "kid",      "teacher", "guest",    "visitor",
        "man",       "woman",     "boy",     "girl",     "baby",    "mother",   "father",
        "mum",       "mom",       "dad",     "mummy",    "daddy",   "grandma",  "granny",
        "lady",      "gentleman", "grandpa", "sister",   "brother", "friend",   "customer",
        "client",    "patient",   "worker",  "employee", "player",  "cook",     "chef",
        "neighbour", "boss",      "owner",   "reader",   "diner",   "children", NULL};
    char one[32];
    size_t size = strlen(word);
    if (size + 1 > sizeof one)
        return false;
    memcpy(one, word, size + 1);
    if (word_in(words, one))
        return true;
    if (size > 1 && one[size - 1] == 's')
        one[size - 1] = 0;
    return word_in(words, one);
}

uint32_t lexicon_ordinal(const char *word)
{
    static const char *const names[] = {"",      "first",   "second", "third", "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth", "tenth"};
    for (uint32_t i = 1; i < sizeof names / sizeof names[0]; i++) {
        if (word_equals(word, names[i]))
            return i;
    }
    if (strcmp(word, "last") == 0)
        return UINT32_MAX;
    uint32_t value = 0, digits = 0;
    while (ascii_is_digit(word[digits]) && digits < 3)
        value = value * 10 + (uint32_t)(word[digits++] - '0');
    static const char *const tails[] = {"st", "nd", "rd", "th", NULL};
    return digits && word_in(tails, word + digits) ? value : 0;
}

uint32_t lexicon_number(const char *word)
{
    static const char *const names[] = {"",      "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    static const lexicon_pair tens[] = {
        {"fifteen", 15},    {"twenty", 20},   {"thirty", 30}, {"forty", 40},   {"fortyfive", 45},
        {"forty-five", 45}, {"fifty", 50},    {"sixty", 60},  {"seventy", 70}, {"eighty", 80},
        {"ninety", 90},     {"hundred", 100}, {"dozen", 12},  {"once", 0}};
    for (uint32_t i = 1; i < sizeof names / sizeof names[0]; i++) {
        if (word_equals(word, names[i]))
            return i;
    }
    return (uint32_t)pair_find(PAIRS(tens), word);
}

bool lexicon_is_function_word(const char *word)
{
    static const char *const words[] = {
        "the",     "a",        "an",         "of",       "to",        "and",        "or",
        "but",     "then",     "is",         "are",      "be",        "was",        "were",
        "been",    "in",       "on",         "at",       "by",        "into",       "onto",
        "under",   "over",     "with",       "from",     "off",       "it",         "them",
        "they",    "its",      "their",      "that",     "which",     "who",        "where",
        "when",    "because",  "so",         "as",       "for",       "if",         "not",
        "don't",   "do",       "all",        "both",     "each",      "every",      "any",
        "some",    "this",     "these",      "those",    "my",        "your",       "our",
        "his",     "her",      "i",          "we",       "you",       "he",         "she",
        "me",      "us",       "him",        "'s",       "there",     "here",       "beside",
        "between", "behind",   "above",      "below",    "beneath",   "underneath", "near",
        "next",    "toward",   "towards",    "against",  "around",    "along",      "away",
        "please",  "pls",      "should",     "must",     "can",       "could",      "would",
        "will",    "shall",    "may",        "might",    "also",      "too",        "again",
        "instead", "except",   "without",    "than",     "until",     "while",      "since",
        "inside",  "within",   "upon",       "atop",     "facing",    "another",    "others",
        "other",   "either",   "everything", "anything", "nothing",   "something",  "whatever",
        "evenly",  "together", "apart",      "just",     "exactly",   "i'd",        "let's",
        "i'm",     "it's",     "no",         "yes",      "thanks",    "onto",       "belongs",
        "belong",  "goes",     "go",         "back",     "up",        "down",       "out",
        "only",    "-",        "->",         "=>",       "cannot",    "can't",      "won't",
        "isn't",   "aren't",   "doesn't",    "mustn't",  "shouldn't", NULL};
    static const char *const may_name[] = {"back", "near", "can",
                                           NULL}; /* "the back plate", "the soup can" */
    return word_in(words, word) && !word_in(may_name, word);
}
