/* Words of sentences and of names, and the few kinds of words the built-in
 * agent knows. ASCII letters are compared without case; other bytes of UTF-8
 * count as letters and are compared as they are. */
#include "proto/array.h"
#include "worker/builtin/spot.h"

#include "proto/ascii.h"
#include "worker/builtin/language/quote.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- sentences ---- */

/* A mark ends a word when blank space or the end follows: "0.5m" and "a.b" are
 * words. */
static bool is_mark(const char *at)
{
    return strchr(",.;:!?", *at) &&
           (!at[1] || ascii_is_blank(at[1]) || strchr(",.;:!?\"')", at[1]));
}

/* Where the bare word or mark that begins at `at` ends. */
static const char *bare_end(const char *at)
{
    if (is_mark(at))
        return at + 1;
    for (at++; *at && !ascii_is_blank(*at); at++) {
        if (*at == ')' || is_mark(at))
            break;
    }
    return at;
}

/* In lower case; every mark that ends a sentence is a full stop. */
static void bare_fold(char *text)
{
    for (char *p = text; *p; p++)
        *p = ascii_lower(*p);
    if (*text && strchr(";:!?", *text) && !text[1])
        text[0] = '.';
}

/* Words of the planner's own sentences, quotations whole; brackets are left
 * out. at and end: bytes of the sentence. */
etna_code builtin_words(const char *sentence,
                        etna_arena *arena,
                        const builtin_word **ret,
                        uint32_t *ret_count,
                        etna_error *err)
{
    builtin_word *words =
        etna_arena_alloc(arena, BUILTIN_WORDS_MAX, sizeof *words);
    if (!words)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    uint32_t count = 0;
    for (const char *at = sentence; *at;) {
        if (ascii_is_blank(*at) || *at == '(' || *at == ')') {
            at++;
            continue;
        }
        if (count == BUILTIN_WORDS_MAX)
            return etna_fail(err, ETNA_E_INPUT, "it has more than %d words",
                             BUILTIN_WORDS_MAX);
        const char *start = at;
        size_t close = 0;
        const char *end = quote_close(at, ",.;:!?", &start, &close);
        bool in_quotes = end != NULL;
        if (!in_quotes)
            end = bare_end(at);
        char *text = etna_arena_strndup(arena, start, (size_t)(end - start));
        if (!text)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading a sentence");
        if (!in_quotes)
            bare_fold(text);
        const char *next = end + close;
        words[count++] = (builtin_word){.text = text,
                                        .quoted = in_quotes,
                                        .at = (uint32_t)(at - sentence),
                                        .end = (uint32_t)(next - sentence)};
        at = next;
    }
    *ret = words;
    *ret_count = count;
    return ETNA_OK;
}

/* ---- names ---- */

/* Does a new word begin at p within a run of letters and digits? */
static bool turns(const char *name, const char *p)
{
    char before = p[-1];
    char now = *p;
    if (ascii_is_digit(before) != ascii_is_digit(now))
        return true;
    if (!ascii_is_upper(before) && ascii_is_upper(now))
        return true;
    const bool both = ascii_is_upper(before) && ascii_is_upper(now);
    return both && p - 1 > name && ascii_is_lower(p[1]);
}

/* What programs put behind a name: "laptop(Clone)". NULL: nothing of the kind
 * begins here; else where it ends. */
static const char *behind_mark(const char *p)
{
    static const char *const marks[] = {"(clone)", "(copy)", "(instance)"};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        const size_t length = strlen(marks[i]);
        if (strncasecmp(p, marks[i], length) == 0)
            return p + length;
    }
    return NULL;
}

static bool is_of_word(char c)
{
    return ascii_is_letter_or_beyond(c) || ascii_is_digit(c);
}

/* Behind the word that begins there. */
static const char *name_word_end(const char *name, const char *p)
{
    do
        p++;
    while (is_of_word(*p) && !turns(name, p));
    return p;
}

/* "RedCup_02" is red, cup, 2. NULL: out of memory. */
const char *const *builtin_name_words(const char *name,
                                      etna_arena *arena,
                                      uint32_t *ret_count)
{
    size_t size = strlen(name);
    const char **words = etna_arena_alloc(arena, size + 1, sizeof *words);
    if (!words)
        return NULL;
    uint32_t count = 0;
    for (const char *p = name; *p;) {
        if (!is_of_word(*p)) {
            const char *behind = count > 0 ? behind_mark(p) : NULL;
            p = behind ? behind : p + 1;
            continue;
        }
        const char *start = p;
        p = name_word_end(name, p);
        while (*start == '0' && p - start > 1)
            start++;
        char *word = etna_arena_strndup(arena, start, (size_t)(p - start));
        if (!word)
            return NULL;
        for (char *c = word; *c; c++)
            *c = ascii_lower(*c);
        words[count++] = word;
    }
    *ret_count = count;
    return words;
}

/* ---- what words mean ---- */

static const char *const synonyms[][2] = {
    {"couch", "sofa"},          {"settee", "sofa"},
    {"television", "tv"},       {"rug", "carpet"},
    {"picture", "portrait"},    {"painting", "portrait"},
    {"photo", "portrait"},      {"bin", "trash"},
    {"fridge", "refrigerator"}, {"cupboard", "cabinet"},
    {"cube", "block"},          {"ground", "floor"},
    {"glasses", "glass"},       {"shelves", "shelf"},
    {"bookshelf", "bookcase"},  {"knives", "knife"},
    {"loaves", "loaf"},         {"leaves", "leaf"},
    {"dishes", "dish"},         {"boxes", "box"},
    {"vases", "vase"},          {"mice", "mouse"},
    {"nightstand", "bedside"},  {"laptop", "notebook"},
    {"cellphone", "phone"},     {"smartphone", "phone"},
    {"telephone", "phone"},     {"round", "circular"},
    {"brick", "block"},         {"garbage", "trash"},
    {"rubbish", "trash"},       {"wastebasket", "trash"},
    {"armchair", "chair"},      {"loveseat", "sofa"},
    {"carton", "box"},          {"center", "centre"},
    {"sketch", "portrait"},     {"dustbin", "trash"},
    {"automobile", "car"},      {"canister", "can"},
};

/* What things are made of: a kind of stuff, and the stuffs of it. */
static const char *const stuffs[][14] = {
    {"wooden", "oak", "walnut", "beech", "pine", "birch", "maple", "cherry",
     "mahogany", "teak", "ash", "wood", "timber", "plywood"},
    {"metal", "steel", "iron", "brass", "copper", "aluminium", "aluminum",
     "chrome", "bronze", "tin", "silver", "gold"},
    {"ceramic", "glaze", "porcelain", "terracotta", "china", "clay",
     "earthenware", "stoneware", "faience"},
    {"fabric", "cloth", "linen", "cotton", "wool", "velvet", "canvas", "felt",
     "silk"},
    {"stone", "marble", "granite", "slate", "limestone"},
    {"plastic", "laminate", "acrylic", "vinyl", "nylon", "shell"},
};
static const char *const stuff_words[][2] = {
    {"wood", "wooden"},       {"timber", "wooden"}, {"metallic", "metal"},
    {"porcelain", "ceramic"}, {"china", "ceramic"}, {"textile", "fabric"},
    {"cloth", "fabric"}};

/* The tables' rows begin with the kind. */
static bool is_of(const char *const (*table)[14],
                  size_t count,
                  const char *kind,
                  const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i][0], kind) != 0)
            continue;
        for (size_t k = 1; k < 14 && table[i][k]; k++) {
            if (strcmp(table[i][k], word) == 0)
                return true;
        }
    }
    return false;
}

/* "dishes", "boxes", "glasses": a plural that loses two letters. */
static bool is_long_plural(const char *word, size_t length)
{
    static const char *const endings[] = {"ches", "shes", "xes", "sses"};
    for (size_t i = 0; length > 4 && i < COUNT_OF(endings); i++) {
        if (strcmp(word + length - strlen(endings[i]), endings[i]) == 0)
            return true;
    }
    return false;
}

/* "s" behind "s", "u" and "i" is no plural: glass, cactus, tennis. */
static void plural_cut(char *word)
{
    size_t length = strlen(word);
    if (length < 4 || word[length - 1] != 's' ||
        strchr("sui", word[length - 2]))
        return;
    if (length > 4 && strcmp(word + length - 3, "ies") == 0)
        strcpy(word + length - 3, "y");
    else
        word[length - (is_long_plural(word, length) ? 2 : 1)] = 0;
}

/* In place; no synonym is longer than a word may be. Of a house's names it is
 * asked a million times, hence the first letters. */
static void synonym_take(char *word)
{
    for (size_t i = 0; i < COUNT_OF(synonyms); i++) {
        const char *said = synonyms[i][0];
        if (word[0] == said[0] && strcmp(word, said) == 0)
            strcpy(word, synonyms[i][1]);
    }
}

/* The word without its plural's ending, by the synonym that stands for it. */
static void plain_form(const char *word, char ret[64])
{
    size_t length = strlen(word);
    if (length > 62)
        length = 62;
    memcpy(ret, word, length);
    ret[length] = 0;
    synonym_take(ret);
    plural_cut(ret);
    synonym_take(ret);
}

/* In any case and number. */
bool builtin_same_word(const char *a, const char *b)
{
    char left[64], right[64];
    if (strcmp(a, b) == 0)
        return true;
    plain_form(a, left);
    plain_form(b, right);
    return strcmp(left, right) == 0;
}

/* ---- what a thing is by its name ---- */

enum {
    CLASS_WORDS = 18
};

/* A bit of builtin_object.classes each. */
enum {
    CLASS_SEAT = 1,
    CLASS_SCREEN = 2,
    CLASS_TABLE = 4,
    CLASS_BEARER = 8,
    CLASS_BEDDING = 16,
    CLASS_WITH_DOORS = 32,
    CLASS_COUNTER = 64,
    CLASS_OF_FLOOR = 128,
    CLASS_HOLDER = 256, /* of the floor, where it is no small one */
    CLASS_BARE = 512,
    CLASS_OF_TABLE = 1024,
    CLASS_BAR = 2048
};

static const struct {
    unsigned class;
    const char *words[CLASS_WORDS]; /* any of them in its name; NULL: no more */
} classes[] = {
    {CLASS_SEAT,
     {"chair", "stool", "sofa", "bed", "bench", "ottoman", "pew", "settee",
      "throne", "recliner", "seat", "pouf", "pouffe", "chaise", "futon",
      "daybed", "lounger", "footstool"}},
    {CLASS_SEAT,
     {"highchair", "wheelchair", "deckchair", "pushchair", "barstool",
      "campstool", "rocker", "hassock"}},
    {CLASS_SCREEN,
     {"tv", "television", "monitor", "screen", "whiteboard", "blackboard",
      "mirror"}},
    {CLASS_TABLE, {"table", "desk", "workbench", "counter"}},
    {CLASS_BEARER,
     {"tray", "plate", "saucer", "platter", "table", "desk", "shelf", "cabinet",
      "counter", "bench", "nightstand", "sideboard", "dresser", "rack",
      "bookcase", "carpet", "mat", "bed"}},
    {CLASS_BEARER,
     {"credenza", "console", "bureau", "vanity", "trolley", "commode"}},
    {CLASS_BEDDING,
     {"pillow", "cushion", "blanket", "duvet", "quilt", "bedspread",
      "coverlet"}},
    {CLASS_WITH_DOORS,
     {"wardrobe", "closet", "locker", "cupboard", "fridge", "refrigerator",
      "cabinet", "armoire", "oven", "safe", "dishwasher"}},
    {CLASS_COUNTER, {"counter"}},
    {CLASS_BAR, {"bar"}},
    {CLASS_OF_FLOOR,
     {"plant", "flowerpot", "cactus", "tree", "lantern", "umbrella", "shoe",
      "boot", "slipper", "sandal", "bucket", "trash", "heater", "fan",
      "speaker", "extinguisher"}},
    {CLASS_HOLDER, {"box", "basket", "bag", "case", "chest", "crate"}},
    {CLASS_OF_FLOOR,
     {"hamper", "backpack", "suitcase", "briefcase", "toolbox", "trunk",
      "guitar", "violin", "cushion", "pillow", "blanket", "mat"}},
    {CLASS_OF_FLOOR,
     {"ball", "football", "basketball", "toy", "teddy", "bear", "doll", "car",
      "truck", "train", "skateboard", "helmet", "dumbbell", "kettlebell", "dog",
      "cat", "rabbit", "block"}},
    {CLASS_OF_TABLE,
     {"mug", "cup", "glass", "goblet", "plate", "saucer", "bowl", "teapot",
      "kettle", "jug", "fork", "knife", "spoon", "napkin", "candle", "tray"}},
    {CLASS_OF_TABLE,
     {"bread", "loaf", "cake", "pie", "cheese", "egg", "apple", "orange",
      "banana", "lemon", "pear", "croissant", "sandwich", "burger", "pizza"}},
    {CLASS_OF_TABLE,
     {"phone", "laptop", "tablet", "remote", "keyboard", "mouse", "camera",
      "clock", "jewel", "ring", "watch", "wallet", "key", "pen", "pencil",
      "letter"}},
    {CLASS_BARE,
     {"plant", "houseplant", "flowerpot", "cactus", "tree", "flower", "bouquet",
      "fern", "palm", "bonsai", "shrub", "succulent", "toilet", "bathtub",
      "candle", "lamp", "lantern"}}};

/* As builtin_same_word has it; `plain`: the word's plain form. */
static bool class_has_word(const char *const list[CLASS_WORDS],
                           const char *plain)
{
    for (uint32_t i = 0; i < CLASS_WORDS && list[i]; i++) {
        char listed[64];
        plain_form(list[i], listed);
        if (strcmp(plain, listed) == 0)
            return true;
    }
    return false;
}

static bool words_have(const char *const *words,
                       uint32_t count,
                       const char *word)
{
    for (uint32_t i = 0; i < count; i++) {
        if (builtin_same_word(words[i], word))
            return true;
    }
    return false;
}

/* Gives the object its words and the classes that follow from them. */
void builtin_object_call(builtin_object *o,
                         const char *const *words,
                         uint32_t count)
{
    o->words = words;
    o->word_count = count;
    o->classes = 0;
    for (uint32_t i = 0; i < count; i++) {
        char plain[64];
        plain_form(words[i], plain);
        for (size_t k = 0; k < COUNT_OF(classes); k++)
            o->classes |=
                class_has_word(classes[k].words, plain) ? classes[k].class : 0;
    }
    /* a desk's chair is no desk, and no table lamp a table */
    const bool lit = words_have(words, count, "lamp");
    if (lit || words_have(words, count, "chair"))
        o->classes &= ~(unsigned)(CLASS_TABLE | CLASS_BEARER | CLASS_COUNTER);
    if (lit)
        o->classes &= ~(unsigned)CLASS_SEAT;
}

/* Classes are found once, when the facts are read; here and below. */
bool builtin_is_seat(const builtin_object *object)
{
    return object->classes & CLASS_SEAT;
}

bool builtin_is_screen(const builtin_object *object)
{
    return object->classes & CLASS_SCREEN;
}

bool builtin_is_counter(const builtin_object *object)
{
    /* no towel's bar, and none that is wheeled */
    const double low = 0.7, high = 1.4, longer = 0.55; /* metres */
    const double height = 2 * object->half[2];
    const bool is_bar = (object->classes & CLASS_BAR) && height > low &&
                        height < high && builtin_half_longer(object) > longer;
    return (object->classes & CLASS_COUNTER) ||
           (is_bar && !builtin_is_seat(object));
}

bool builtin_is_table(const builtin_object *object)
{
    return object->classes & CLASS_TABLE;
}

bool builtin_is_bearer(const builtin_object *object)
{
    return object->classes & CLASS_BEARER;
}

bool builtin_is_of_the_floor(const builtin_object *object)
{
    const double small = 0.12; /* metres, half a side: a jewel box */
    const double half = builtin_half_longer(object);
    return object->classes & CLASS_OF_FLOOR ||
           (object->classes & CLASS_HOLDER && half >= small);
}

bool builtin_is_of_the_table(const builtin_object *object)
{
    return object->classes & CLASS_OF_TABLE;
}

bool builtin_is_bare(const builtin_object *object)
{
    return object->classes & CLASS_BARE;
}

bool builtin_is_bedding(const builtin_object *object)
{
    return object->classes & CLASS_BEDDING;
}

bool builtin_has_doors(const builtin_object *object)
{
    return object->classes & CLASS_WITH_DOORS;
}

/* "Wooden" is of wood, and oak is wood. */
bool builtin_is_stuff(const char *material, const char *said)
{
    if (builtin_same_word(material, said))
        return true;
    const char *kind = said;
    for (size_t i = 0; i < COUNT_OF(stuff_words); i++) {
        if (strcmp(stuff_words[i][0], said) == 0)
            kind = stuff_words[i][1];
    }
    return strcmp(kind, material) == 0 ||
           is_of(stuffs, COUNT_OF(stuffs), kind, material);
}

/* 0: it is none; "last" is BUILTIN_NONE. */
uint32_t builtin_ordinal(const char *word)
{
    static const char *const names[] = {"",       "first", "second", "third",
                                        "fourth", "fifth", "sixth",  "seventh",
                                        "eighth", "ninth", "tenth"};
    for (uint32_t i = 1; i < COUNT_OF(names); i++) {
        if (strcmp(word, names[i]) == 0)
            return i;
    }
    if (strcmp(word, "last") == 0)
        return BUILTIN_NONE;
    uint32_t value = 0, digits = 0;
    while (ascii_is_digit(word[digits]) && digits < 3)
        value = value * 10 + (uint32_t)(word[digits++] - '0');
    static const char *const tails[] = {"st", "nd", "rd", "th"};
    for (size_t i = 0; i < COUNT_OF(tails) && digits; i++) {
        if (strcmp(word + digits, tails[i]) == 0)
            return value;
    }
    return 0;
}

/* ---- colours ---- */

static const struct {
    const char *word;
    builtin_colour colour;
} colour_words[] = {{"black", COLOUR_BLACK},   {"white", COLOUR_WHITE},
                    {"grey", COLOUR_GREY},     {"red", COLOUR_RED},
                    {"orange", COLOUR_ORANGE}, {"yellow", COLOUR_YELLOW},
                    {"green", COLOUR_GREEN},   {"blue", COLOUR_BLUE},
                    {"purple", COLOUR_PURPLE}, {"pink", COLOUR_PINK},
                    {"brown", COLOUR_BROWN}};

/* As people say it. */
const char *builtin_colour_name(builtin_colour colour)
{
    for (size_t i = 0; i < COUNT_OF(colour_words); i++) {
        if (colour_words[i].colour == colour)
            return colour_words[i].word;
    }
    return "unknown";
}

/* Samples of the eleven basic terms in CIELAB (D65): a colour bears the name of
 * the nearest one. */
static const struct {
    builtin_colour colour;
    double lab[3];
} samples[] = {
    {COLOUR_RED, {53.2, 80.1, 67.2}},     {COLOUR_RED, {42.5, 64.7, 49.3}},
    {COLOUR_RED, {31.2, 52.8, 35.8}},     {COLOUR_RED, {50.4, 61.3, 37.5}},
    {COLOUR_RED, {21.8, 42.2, 28.8}},     {COLOUR_RED, {45.0, 51.8, 29.7}},
    {COLOUR_RED, {50.5, 67.8, 53.7}},     {COLOUR_ORANGE, {69.5, 36.8, 75.5}},
    {COLOUR_ORANGE, {62.0, 55.9, 71.1}},  {COLOUR_ORANGE, {62.0, 37.6, 59.3}},
    {COLOUR_ORANGE, {73.4, 25.7, 62.9}},  {COLOUR_ORANGE, {56.0, 37.1, 56.7}},
    {COLOUR_YELLOW, {97.1, -21.6, 94.5}}, {COLOUR_YELLOW, {86.9, -1.9, 87.1}},
    {COLOUR_YELLOW, {87.2, -8.1, 64.4}},  {COLOUR_YELLOW, {77.4, -3.8, 74.6}},
    {COLOUR_YELLOW, {93.7, -10.1, 49.3}}, {COLOUR_YELLOW, {72.9, -7.0, 67.6}},
    {COLOUR_GREEN, {87.7, -86.2, 83.2}},  {COLOUR_GREEN, {57.2, -60.8, 58.7}},
    {COLOUR_GREEN, {36.2, -43.4, 41.9}},  {COLOUR_GREEN, {65.0, -54.7, 43.3}},
    {COLOUR_GREEN, {73.5, -45.8, 51.3}},  {COLOUR_GREEN, {21.7, -23.7, 20.3}},
    {COLOUR_GREEN, {65.5, -24.9, 26.7}},  {COLOUR_GREEN, {61.7, -49.2, 15.6}},
    {COLOUR_GREEN, {43.5, -18.9, 35.7}},  {COLOUR_GREEN, {35.2, -18.0, 13.9}},
    {COLOUR_GREEN, {84.6, -40.1, 31.5}},  {COLOUR_BLUE, {32.3, 79.2, -107.9}},
    {COLOUR_BLUE, {14.8, 50.4, -68.7}},   {COLOUR_BLUE, {45.0, 24.2, -67.0}},
    {COLOUR_BLUE, {52.5, -4.1, -32.2}},   {COLOUR_BLUE, {64.9, -18.8, -35.4}},
    {COLOUR_BLUE, {71.5, -3.1, -35.9}},   {COLOUR_BLUE, {12.7, 10.9, -26.5}},
    {COLOUR_BLUE, {25.5, 8.4, -39.0}},    {COLOUR_BLUE, {46.8, 6.2, -29.3}},
    {COLOUR_BLUE, {74.2, -30.6, -26.5}},  {COLOUR_PURPLE, {29.8, 58.9, -36.5}},
    {COLOUR_PURPLE, {28.3, 42.6, -46.6}}, {COLOUR_PURPLE, {47.5, 50.4, -51.2}},
    {COLOUR_PURPLE, {63.4, 39.0, -37.1}}, {COLOUR_PURPLE, {15.7, 42.5, -35.1}},
    {COLOUR_PURPLE, {40.6, 75.9, -62.2}}, {COLOUR_PURPLE, {32.0, 26.8, -22.0}},
    {COLOUR_PINK, {83.6, 24.1, 3.3}},     {COLOUR_PINK, {65.5, 64.2, -10.6}},
    {COLOUR_PINK, {67.3, 45.3, 3.1}},     {COLOUR_PINK, {56.0, 84.5, -5.7}},
    {COLOUR_PINK, {75.6, 24.9, -1.5}},    {COLOUR_PINK, {76.4, 40.4, -5.5}},
    {COLOUR_BROWN, {37.5, 26.4, 41.0}},   {COLOUR_BROWN, {31.6, 10.9, 26.2}},
    {COLOUR_BROWN, {48.2, 20.2, 32.5}},   {COLOUR_BROWN, {25.3, 15.3, 26.1}},
    {COLOUR_BROWN, {39.3, 11.3, 20.3}},   {COLOUR_BROWN, {16.6, 10.1, 14.9}},
    {COLOUR_BROWN, {51.1, 9.1, 24.6}},    {COLOUR_BROWN, {61.6, 12.0, 28.0}},
    {COLOUR_BLACK, {0.0, 0.0, 0.0}},      {COLOUR_BLACK, {8.8, 0.0, 0.0}},
    {COLOUR_BLACK, {15.4, 0.9, 0.3}},     {COLOUR_WHITE, {100.0, 0.0, 0.0}},
    {COLOUR_WHITE, {94.7, -0.9, 2.4}},    {COLOUR_WHITE, {96.7, 0.0, 5.4}},
    {COLOUR_WHITE, {93.2, 0.9, -2.4}},    {COLOUR_GREY, {53.6, 0.0, 0.0}},
    {COLOUR_GREY, {69.6, 0.0, 0.0}},      {COLOUR_GREY, {38.2, 0.0, 0.0}},
    {COLOUR_GREY, {80.6, 0.0, 0.0}},      {COLOUR_GREY, {27.5, 0.0, 0.0}},
    {COLOUR_GREY, {62.4, 2.0, -5.2}},     {COLOUR_GREY, {56.5, 0.0, 6.0}},
    {COLOUR_GREY, {86.0, 0.0, 0.0}},
};
enum {
    SAMPLES = COUNT_OF(samples)
};

/* Squared. */
static double distance2(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Squared distance in Lab to the nearest sample, of one colour or of all. */
static double nearest2(const double lab[3],
                       builtin_colour colour,
                       builtin_colour *ret)
{
    double best = 1e30;
    for (int i = 0; i < SAMPLES; i++) {
        if (colour != COLOUR_NONE && samples[i].colour != colour)
            continue;
        double d = distance2(lab, samples[i].lab);
        if (d < best) {
            best = d;
            if (ret)
                *ret = samples[i].colour;
        }
    }
    return best;
}

/* The nearest named colour in L*a*b*. */
builtin_colour builtin_colour_of(const double lab[3])
{
    builtin_colour colour = COLOUR_NONE;
    nearest2(lab, COLOUR_NONE, &colour);
    return colour;
}

/* A thing may be called by a colour that is not its nearest. */
bool builtin_colour_near(const double lab[3], builtin_colour colour)
{
    double best = nearest2(lab, COLOUR_NONE, NULL);
    double own = nearest2(lab, colour, NULL);
    /* half as far again, or hardly to be told apart */
    return own <= 2.25 * best || own <= 15.0 * 15.0;
}

/* In L*a*b*. */
double builtin_colour_distance(const double lab[3], builtin_colour colour)
{
    return sqrt(nearest2(lab, colour, NULL));
}
