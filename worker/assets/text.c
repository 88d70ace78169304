/* Folding, cutting, base forms. */
#include "worker/assets/text.h"
#include "proto/array.h"
#include "proto/utf8.h"
#include "worker/builtin/language/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one character ---- */

/* what U+00C0 to U+00FF are without marks; a space is no letter (the signs of
 * multiplication and division) */
static const char LATIN_1[] = "aaaaaaaceeeeiiiidnooooo ouuuuyts"
                              "aaaaaaaceeeeiiiidnooooo ouuuuyty";
/* the same of U+0100 to U+017F */
static const char LATIN_A[] =
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkk"
    "llllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

typedef struct letters { /* a run of codes, each of which is one letter */
    uint32_t from, to;
    char is;
} letters;
static const letters runs[] = {{0x1a0, 0x1a1, 'o'},   {0x1af, 0x1b0, 'u'},
                               {0x218, 0x219, 's'},   {0x21a, 0x21b, 't'},
                               {0x1ea0, 0x1eb7, 'a'}, {0x1eb8, 0x1ec7, 'e'},
                               {0x1ec8, 0x1ecb, 'i'}, {0x1ecc, 0x1ee3, 'o'},
                               {0x1ee4, 0x1ef1, 'u'}, {0x1ef2, 0x1ef9, 'y'}};

/* Greek vowels lose their accents. */
static uint32_t greek_fold(uint32_t c)
{
    static const uint32_t accented[] = {
        0x3ac, 0x3b1, 0x3ad, 0x3b5, 0x3ae, 0x3b7, 0x3af, 0x3b9, 0x3cc, 0x3bf,
        0x3cd, 0x3c5, 0x3ce, 0x3c9, 0x386, 0x3b1, 0x388, 0x3b5, 0x389, 0x3b7,
        0x38a, 0x3b9, 0x38c, 0x3bf, 0x38e, 0x3c5, 0x38f, 0x3c9, 0x3c2, 0x3c3};
    for (size_t i = 0; i < COUNT_OF(accented); i += 2) {
        if (c == accented[i])
            return accented[i + 1];
    }
    return c >= 0x391 && c <= 0x3a9 ? c + 32 : c;
}

static uint32_t cyrillic_fold(uint32_t c)
{
    if (c >= 0x410 && c <= 0x42f)
        return c + 32;
    return c >= 0x400 && c <= 0x40f ? c + 80 : c;
}

static uint32_t ascii_fold(uint32_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c + ('a' - 'A');
    const bool is_letter = c >= 'a' && c <= 'z';
    const bool is_digit = c >= '0' && c <= '9';
    return is_letter || is_digit || c == '\'' ? c : 0;
}

/* Letters of scripts that have no case or keep it: only marks and spaces among
 * them part words. */
static uint32_t other_fold(uint32_t c)
{
    static const struct {
        uint32_t from, to;
    } marks[] = {{0x2000, 0x206f},
                 {0x3000, 0x3004},
                 {0x3008, 0x3020},
                 {0x30fb, 0x30fb},
                 {0xff00, 0xff0f}};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        if (c >= marks[i].from && c <= marks[i].to)
            return 0;
    }
    return c;
}

/* The folded code; 0 for what parts words. */
static uint32_t code_fold(uint32_t c)
{
    if (c < 0x80)
        return ascii_fold(c);
    if (c < 0xc0 || c == 0xd7 || c == 0xf7)
        return 0;
    if (c < 0x100)
        return (uint32_t)LATIN_1[c - 0xc0];
    if (c < 0x180)
        return (uint32_t)LATIN_A[c - 0x100];
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        if (c >= runs[i].from && c <= runs[i].to)
            return (uint32_t)runs[i].is;
    }
    if (c < 0x370)
        return c >= 0x300 ? '\''
                          /* an accent by itself: dropped with the other marks
                           * within words */
                          : c;
    if (c < 0x400)
        return greek_fold(c);
    return c < 0x530 ? cyrillic_fold(c) : other_fold(c);
}

/* Kana and CJK characters: no spaces part words there, so pairs of characters
 * are taken for words. */
static bool code_is_han(uint32_t c)
{
    const bool is_kana = c >= 0x3040 && c <= 0x30ff;
    return is_kana || (c >= 0x3400 && c <= 0x9fff);
}

/* ---- words ---- */

typedef struct character {
    uint32_t code;
    size_t size;
} character;

/* A byte that is no UTF-8 parts words. */
static character character_at(const char *at)
{
    uint32_t code = 0;
    size_t size = etna_utf8_character(at, ETNA_UTF8_MAX, &code);
    return size ? (character){code_fold(code), size} : (character){0, 1};
}

/* An apostrophe is dropped within a word; what does not fit is cut at a
 * character. */
static bool word_put(char *to, size_t *n, uint32_t code)
{
    char bytes[ETNA_UTF8_MAX];
    size_t size = etna_utf8_put(code, bytes);
    if (code == '\'')
        return true;
    if (*n + size >= TEXT_WORD_SIZE)
        return false;
    memcpy(to + *n, bytes, size);
    *n += size;
    return true;
}

/* A pair of Chinese or Japanese characters, and on by one of them. */
static void han_take(const char **at, character first, char ret[TEXT_WORD_SIZE])
{
    size_t n = 0;
    word_put(ret, &n, first.code);
    character second =
        (*at)[first.size] ? character_at(*at + first.size) : (character){0, 0};
    bool is_pair = second.code && code_is_han(second.code);
    if (is_pair)
        word_put(ret, &n, second.code);
    ret[n] = 0;
    character third = is_pair && (*at)[first.size + second.size]
                          ? character_at(*at + first.size + second.size)
                          : (character){0, 0};
    bool goes_on = third.code && code_is_han(third.code);
    *at += is_pair && !goes_on ? first.size + second.size : first.size;
}

static bool byte_is(char c, char from, char to)
{
    return c >= from && c <= to;
}

/* Does a part of a name begin at `at`, with `before` before it? */
static bool part_begins(const char *at, char before)
{
    bool was_small = byte_is(before, 'a', 'z');
    bool was_digit = byte_is(before, '0', '9');
    bool is_capital = byte_is(*at, 'A', 'Z');
    bool is_digit = byte_is(*at, '0', '9');
    if (was_small && is_capital)
        return true;
    return is_digit ? was_small || byte_is(before, 'A', 'Z')
                    : was_digit && (is_capital || byte_is(*at, 'a', 'z'));
}

/* Past what stands between words; false: the text ends. */
static bool gap_skip(const char **at)
{
    while (**at) {
        character c = character_at(*at);
        bool is_word = c.code && c.code != '\'';
        if (is_word)
            return true;
        *at += c.size;
    }
    return false;
}

/* `parts`: also where a capital or a digit begins, as in "OakTable2". */
static bool text_take(const char **at, char ret[TEXT_WORD_SIZE], bool parts)
{
    size_t n = 0;
    char before = 0;
    if (!gap_skip(at))
        return false;
    character first = character_at(*at);
    if (code_is_han(first.code)) {
        han_take(at, first, ret);
        return true;
    }
    while (**at) {
        character c = character_at(*at);
        if (!c.code || code_is_han(c.code))
            break;
        if (parts && n && part_begins(*at, before))
            break;
        word_put(ret, &n, c.code);
        before = **at;
        *at += c.size;
    }
    ret[n] = 0;
    return true;
}

bool text_next(const char **at, char ret[TEXT_WORD_SIZE])
{
    return text_take(at, ret, false);
}
bool text_next_part(const char **at, char ret[TEXT_WORD_SIZE])
{
    return text_take(at, ret, true);
}

void text_whole(const char *language, const char *text, char *ret, size_t size)
{
    char word[TEXT_WORD_SIZE];
    size_t n = (size_t)snprintf(ret, size, "%s=", language);
    for (bool is_first = true; n < size && text_next(&text, word);
         is_first = false)
        n += (size_t)snprintf(ret + n, size - n, "%s%s", is_first ? "" : " ",
                              word);
    size_t whole = etna_utf8_whole(ret, strlen(ret));
    ret[whole] = 0;
}

/* ---- English ---- */

/* sorted, as bsearch needs it */
static const char *const stops[] = {
    "a",         "about",     "above",   "across", "after",   "all",
    "along",     "also",      "am",      "an",     "and",     "another",
    "any",       "anything",  "are",     "around", "as",      "at",
    "be",        "been",      "before",  "behind", "being",   "below",
    "both",      "but",       "by",      "can",    "could",   "did",
    "do",        "does",      "down",    "each",   "either",  "for",
    "from",      "get",       "gets",    "give",   "go",      "had",
    "has",       "have",      "he",      "her",    "his",     "how",
    "i",         "if",        "in",      "into",   "is",      "it",
    "its",       "just",      "kind",    "let",    "like",    "made",
    "make",      "makes",     "may",     "me",     "more",    "most",
    "my",        "near",      "no",      "nor",    "not",     "of",
    "off",       "on",        "one",     "ones",   "only",    "or",
    "our",       "out",       "over",    "own",    "place",   "please",
    "s",         "she",       "should",  "so",     "some",    "someone",
    "something", "somewhere", "sort",    "such",   "t",       "than",
    "that",      "the",       "their",   "them",   "then",    "there",
    "these",     "they",      "thing",   "things", "this",    "those",
    "to",        "too",       "under",   "up",     "upon",    "us",
    "use",       "used",      "uses",    "using",  "usually", "very",
    "want",      "was",       "we",      "were",   "what",    "when",
    "where",     "which",     "while",   "who",    "whose",   "will",
    "with",      "within",    "without", "would",  "you",     "your",
};

static int stop_order(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

bool text_is_stop(const char *word)
{
    return bsearch(word, stops, COUNT_OF(stops), sizeof *stops, stop_order) !=
           NULL;
}

static bool text_word_ends(const char *word, const char *end)
{
    size_t length = strlen(word);
    size_t n = strlen(end);
    return length > n && strcmp(word + length - n, end) == 0;
}

/* Nouns to their singular, "-ing" and "-ed" to the verb; what is neither
 * stays. */
void text_stem(char word[TEXT_WORD_SIZE])
{
    kinds_noun readings[KINDS_READINGS_MAX];
    char base[KINDS_WORD_SIZE];
    if ((unsigned char)word[0] >= 0x80 || strlen(word) < 3)
        return;
    bool is_form = text_word_ends(word, "ing") || text_word_ends(word, "ed");
    if (is_form && kinds_verb_lemma(word, base, sizeof base)) {
        strcpy(word, base);
        return;
    }
    size_t count = kinds_noun_readings(word, readings);
    if (count && readings[0].is_plural)
        strcpy(word, readings[0].lemma);
}
