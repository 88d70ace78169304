/* The questions asked of the words of briefs, which are data
 * (brief_words.inc). */
#include "proto/array.h"
#include "worker/furnish/brief_internal.h"

#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/assets/text.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <string.h>

/* ---- cutting ---- */

/* Letters, figures and "'". */
static bool byte_is_word(unsigned char c)
{
    bool is_letter = ascii_is_letter(c);
    return is_letter || ascii_is_digit(c) || c == '\'';
}

/* What a character beyond ASCII is: a letter (0), an apostrophe, a dash, or a
 * blank. */
static char code_mark(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        char mark;
    } marks[] = {{0x2018, 0x2019, '\''}, /* quotation marks, as apostrophes */
                 {0x2013, 0x2014, ','},  /* dashes */
                 {0x2026, 0x2026, '.'},  /* an ellipsis */
                 {0xa0, 0xa0, ' '},      {0x2000, 0x206f, ' '},
                 {0x3000, 0x3003, ' '}};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        if (code >= marks[i].first && code <= marks[i].last)
            return marks[i].mark;
    }
    return 0;
}

/* 0: it is no mark. */
static char byte_mark(char c)
{
    static const struct {
        const char *bytes;
        char mark;
    } marks[] = {{",:", ','}, {".;!?\n", '.'}, {"([", '('}, {")]", ')'}};
    for (size_t i = 0; c && i < COUNT_OF(marks); i++) {
        if (strchr(marks[i].bytes, c))
            return marks[i].mark;
    }
    return 0;
}

/* Does the character of n bytes belong to a word: a letter, a digit, an
 * apostrophe? */
static bool is_inner(const char *at, size_t n, uint32_t code)
{
    if (n == 1)
        return byte_is_word((unsigned char)*at);
    char mark = code_mark(code);
    return mark == 0 || mark == '\'';
}

/* "2.5": a point between two digits. */
static bool is_decimal_point(const char *text, size_t size, size_t at)
{
    if (text[at] != '.' || at == 0 || at + 1 >= size)
        return false;
    return ascii_is_digit(text[at - 1]) && ascii_is_digit(text[at + 1]);
}

/* Where the word that begins at `at` ends. */
static size_t brief_word_end(const char *text, size_t size, size_t at)
{
    while (at < size) {
        uint32_t code = 0;
        size_t n = etna_utf8_character(text + at, size - at, &code);
        if (n == 0)
            break;
        if (!is_inner(text + at, n, code) && !is_decimal_point(text, size, at))
            break;
        at += n;
    }
    return at;
}

/* Lower case without accents; "bed's" is the bed. */
static void word_fold(const char *text, size_t size, char ret[BRIEF_WORD_SIZE])
{
    char raw[4 * BRIEF_WORD_SIZE], one[TEXT_WORD_SIZE];
    size_t n = size < sizeof raw - 1 ? size : sizeof raw - 1;
    memcpy(raw, text, n);
    raw[etna_utf8_whole(raw, n)] = 0;
    const char *at = raw;
    ret[0] = 0;
    if (text_next(&at, one))
        memcpy(ret, one, sizeof one);
    size_t length = strlen(ret);
    bool is_owner = size > 2 && text[size - 2] == '\'';
    if (is_owner && length > 1 && ret[length - 1] == 's')
        ret[length - 1] = 0; /* the bed's */
}

/* What the character of n bytes at `at` is: a mark, a blank, an apostrophe, or
 * (0) of a word. */
static char brief_mark_at(const char *text, size_t at, size_t n, uint32_t code)
{
    if (n > 1)
        return code_mark(code);
    bool is_dash = text[at] == '-' && at > 0 && text[at - 1] == ' ';
    return is_dash ? ',' : byte_mark(text[at]);
}

/* Folded to small letters; `glued`: a hyphen joins it to the next. */
static brief_word word_make(const char *text,
                            size_t size,
                            size_t at,
                            size_t end)
{
    brief_word w = {.from = (uint32_t)at, .to = (uint32_t)end};
    word_fold(text + at, end - at, w.text);
    if (end + 1 < size && text[end] == '-')
        w.glued = byte_is_word((unsigned char)text[end + 1]);
    return w;
}

/* "desk/table" is read as "desk or table". ret has room for as many words as
 * the text has bytes. */
uint32_t brief_cut(const char *text, size_t size, brief_word *ret)
{
    uint32_t count = 0;
    size_t at = 0;
    while (at < size) {
        uint32_t code = 0, from = (uint32_t)at;
        size_t n = etna_utf8_character(text + at, size - at, &code);
        if (n == 0)
            n = 1;
        char mark = brief_mark_at(text, at, n, code);
        bool is_of_word = !mark || mark == '\'';
        if (n == 1 && text[at] == '/')
            ret[count++] =
                (brief_word){.text = "or", .from = from, .to = from + 1};
        size_t end = is_of_word ? brief_word_end(text, size, at) : at;
        if (!is_of_word && mark != ' ')
            ret[count++] = (brief_word){
                .from = from, .to = (uint32_t)(at + n), .mark = mark};
        if (end > at) {
            ret[count] = word_make(text, size, at, end);
            count += ret[count].text[0] != 0;
        }
        at = end > at ? end : at + n;
    }
    return count;
}

/* ---- rows ---- */

/* Is a word the one of `length` letters; where ret_plural is given, perhaps in
 * the plural? */
static bool word_matches(const char *word,
                         const char *wanted,
                         size_t length,
                         bool *ret_plural)
{
    if (strlen(word) == length && memcmp(word, wanted, length) == 0)
        return true;
    if (!ret_plural)
        return false;
    char lemma[KINDS_WORD_SIZE];
    size_t n = kinds_lemma(word, lemma, sizeof lemma, ret_plural);
    return n == length && memcmp(lemma, wanted, length) == 0;
}

/* How many words of the text the row covers, 0: it does not stand there. Only
 * the last word may be a plural. */
static uint32_t row_matches(const brief_word *words,
                            uint32_t count,
                            uint32_t at,
                            const char *row,
                            bool *ret_plural)
{
    uint32_t n = 0;
    if (ret_plural)
        *ret_plural = false;
    while (*row) {
        size_t length = strcspn(row, " ");
        bool is_last = row[length] == 0;
        if (at + n >= count || words[at + n].mark)
            return 0;
        if (!word_matches(words[at + n].text, row, length,
                          is_last ? ret_plural : NULL))
            return 0;
        n++;
        row += length + (is_last ? 0 : 1);
    }
    return n;
}

/* How many words it takes; 0: none. */
static uint32_t brief_row_matches(const brief_word *words,
                                  uint32_t count,
                                  uint32_t at,
                                  const char *row)
{
    return row_matches(words, count, at, row, NULL);
}

/* The same, in singular or plural. */
uint32_t brief_name_matches(const brief_word *words,
                            uint32_t count,
                            uint32_t at,
                            const char *row,
                            bool *ret_plural)
{
    return row_matches(words, count, at, row, ret_plural);
}

const char *const brief_relation_names[BRIEF_RELATIONS] = {
    "on",
    "under",
    "beside",
    "beside, one on each side",
    "left of",
    "right of",
    "in front of",
    "behind",
    "at the foot of",
    "opposite",
    "facing",
    "around",
    "between",
    "above",
    "back to back with",
    "turned away from",
    "at a wall",
    "in a corner",
    "in the middle",
    "at a window",
    "under a window",
    "at a door",
    "in rows",
    "on the ceiling"};

/* What the data calls its rows; brief_words.inc says what each means. */
#define F(row, relation) \
    {row, BRIEF_##relation, BRIEF_FORWARD, false, false, false},
#define FB(row, relation) \
    {row, BRIEF_##relation, BRIEF_FORWARD, true, false, false},
#define S(row, relation) \
    {row, BRIEF_##relation, BRIEF_FORWARD, false, false, true},
#define E(row) {row, BRIEF_BESIDE, BRIEF_FORWARD, true, true, false},
#define V(row, relation) \
    {row, BRIEF_##relation, BRIEF_INVERTED, false, false, false},
#define L(row) {row, BRIEF_BESIDE, BRIEF_INVERTED, false, true, false},
#define A(row, relation) \
    {row, BRIEF_##relation, BRIEF_ALONE, false, false, false},
#define M(row, relation) \
    {row, BRIEF_##relation, BRIEF_MUTUAL, false, false, false},
#define U(row) {row, BRIEF_ON, BRIEF_UNREAD, false, false, false},
#define O(row) {row, BRIEF_ON, BRIEF_NOTHING, false, false, false},
static const brief_phrase phrases[] = {
#include "worker/furnish/brief_words.inc"
};
#undef F
#undef FB
#undef S
#undef E
#undef V
#undef L
#undef A
#undef M
#undef O
#undef U

#define WORDS(name, ...) static const char *const name[] = {__VA_ARGS__, NULL};
#include "worker/furnish/brief_words.inc"
#undef WORDS

/* `list` ends with NULL. */
static bool list_has(const char *const *list, const char *word)
{
    for (; *list; list++) {
        if (strcmp(*list, word) == 0)
            return true;
    }
    return false;
}

/* Of the words from `at` on that are in the list: how many, at most `most`. */
static uint32_t words_in(const brief_word *words,
                         uint32_t count,
                         uint32_t at,
                         uint32_t most,
                         const char *const *list)
{
    uint32_t n = 0;
    while (n < most && at + n < count && !words[at + n].mark &&
           list_has(list, words[at + n].text))
        n++;
    return n;
}

/* "and west" of "along the north and west walls". */
static uint32_t second_place_length(const brief_word *words,
                                    uint32_t count,
                                    uint32_t at,
                                    uint32_t adjectives)
{
    static const char *const ands[] = {"and", NULL};
    static const char *const the[] = {"the", NULL};
    uint32_t n = adjectives ? words_in(words, count, at, 1, ands) : 0;
    if (!n)
        return 0;
    n += words_in(words, count, at + n, 1, the);
    uint32_t more = words_in(words, count, at + n, 2, place_adjectives);
    return more ? n + more : 0;
}

/* "of the room", "of the bedroom", "of the space": of how many words; 0. */
static uint32_t of_room_length(const brief_word *words,
                               uint32_t count,
                               uint32_t at)
{
    static const char room[] = "room";
    uint32_t n = brief_row_matches(words, count, at, "of the");
    if (!n || at + n >= count || words[at + n].mark)
        return 0;
    const char *word = words[at + n].text;
    size_t size = strlen(word), tail = sizeof room - 1;
    bool is_room = size >= tail && strcmp(word + size - tail, room) == 0;
    return is_room || strcmp(word, "space") == 0 ? n + 1 : 0;
}

/* "along the east wall", "in two of the far corners", "on the left side of the
 * room": which of the room's places is meant, by what the words name rather
 * than by each way to put it. */
static const brief_phrase *place_phrase_at(const brief_word *words,
                                           uint32_t count,
                                           uint32_t at,
                                           uint32_t *ret_length)
{
    static const brief_phrase wall = {"along a wall", BRIEF_WALL, BRIEF_ALONE,
                                      false,          false,      false},
                              corner = {"in a corner", BRIEF_CORNER,
                                        BRIEF_ALONE,   false,
                                        false,         false};
    static const char *const walls[] = {"wall", "walls", NULL};
    static const char *const corners[] = {"corner", "corners", NULL};
    static const char *const centred[] = {"centered", "centred", NULL};
    uint32_t set = words_in(words, count, at, 1, centred);
    uint32_t n = words_in(words, count, at + set, 2, place_prepositions);
    if (!n)
        return NULL;
    n += set;
    uint32_t articles = words_in(words, count, at + n, 3, place_articles);
    n += articles;
    uint32_t adjectives = words_in(words, count, at + n, 3, place_adjectives);
    n += adjectives;
    n += second_place_length(words, count, at + n, adjectives);
    if (articles + adjectives == 0 || at + n >= count)
        return NULL;
    if (words_in(words, count, at + n, 1, walls)) {
        *ret_length = n + 1;
        return &wall;
    }
    if (words_in(words, count, at + n, 1, corners)) {
        *ret_length = n + 1;
        return &corner;
    }
    if (adjectives && strcmp(words[at + n - 1].text, "side") == 0) {
        uint32_t behind = of_room_length(words, count, at + n);
        *ret_length = n + behind;
        return behind ? &wall : NULL;
    }
    return NULL;
}

/* Is it a row that "line" at `at` tells, and no line with, to or from some other
 * thing? */
static bool line_is_row(const brief_word *words, uint32_t count, uint32_t at)
{
    static const char *const lines[] = {"line", "lines", NULL},
                             *const places[] = {"along", "against", "facing",
                                                "on", NULL};
    if (!words_in(words, count, at, 1, lines))
        return false;
    if (at + 1 >= count || words[at + 1].mark)
        return true;
    return words_in(words, count, at + 1, 1, places);
}

/* "in a row", "in two rows", "in a line": of things of which there are
 * several. */
static const brief_phrase *rows_phrase_at(const brief_word *words,
                                          uint32_t count,
                                          uint32_t at,
                                          uint32_t *ret_length)
{
    static const brief_phrase rows = {"in rows", BRIEF_ROWS, BRIEF_ALONE,
                                      false,     false,      false};
    static const char *const names[] = {"row", "rows", NULL};
    uint32_t number, n = brief_row_matches(words, count, at, "in");
    if (!n || at + n >= count || words[at + n].mark)
        return NULL;
    if (!words_in(words, count, at + n, 1, names)) {
        brief_class class = brief_word_class(words[at + n].text, &number);
        if (class != BRIEF_NUMBER && strcmp(words[at + n].text, "a") != 0)
            return NULL;
        n++;
    }
    if (!words_in(words, count, at + n, 1, names) &&
        !line_is_row(words, count, at + n))
        return NULL;
    *ret_length = n + 1;
    return &rows;
}

/* The longest phrase at that place; NULL: none. */
const brief_phrase *brief_phrase_at(const brief_word *words,
                                    uint32_t count,
                                    uint32_t at,
                                    uint32_t *ret_length)
{
    uint32_t length = 0;
    const brief_phrase *best = place_phrase_at(words, count, at, &length);
    if (!best)
        best = rows_phrase_at(words, count, at, &length);
    *ret_length = best ? length : 0;
    for (size_t i = 0; i < COUNT_OF(phrases); i++) {
        uint32_t n = row_matches(words, count, at, phrases[i].row, NULL);
        if (n <= *ret_length)
            continue;
        *ret_length = n;
        best = &phrases[i];
    }
    /* "in the middle of the bedroom" */
    if (best && best->relation == BRIEF_MIDDLE)
        *ret_length += of_room_length(words, count, at + *ret_length);
    /* "with its back to the wall": the place says it all */
    uint32_t place;
    bool is_place = best && best->relation == BRIEF_AWAY &&
                    place_phrase_at(words, count, at + *ret_length - 1, &place);
    return is_place ? NULL : best;
}

/* ---- single words ---- */

/* 0: it is no number. Large ones are cut to BRIEF_COUNT_MAX. */
static uint32_t digits_number(const char *word)
{
    uint32_t n = 0;
    if (!*word)
        return 0;
    for (; *word; word++) {
        if (!ascii_is_digit(*word))
            return 0;
        if (n < BRIEF_COUNT_MAX)
            n = 10 * n + (uint32_t)(*word - '0');
    }
    return n < BRIEF_COUNT_MAX ? n : BRIEF_COUNT_MAX;
}

/* "0.5"; 0: it is none. */
static double decimal_number(const char *word)
{
    double n = 0, part = 0;
    for (; *word; word++) {
        if (*word == '.' && part <= 0) {
            part = 1;
            continue;
        }
        if (!ascii_is_digit(*word))
            return 0;
        part /= 10;
        n = part > 0 ? n + part * (*word - '0') : 10 * n + (*word - '0');
    }
    return n;
}

/* 0: no number. */
static uint32_t count_of(const char *word)
{
    static const struct {
        const char *word;
        uint32_t is;
    } more[] = {{"couple", 2}, {"pair", 2}, {"several", 3}, {"few", 3},
                {"many", 4},   {"trio", 3}, {"lots", 3},    {"dozen", 12}};
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        if (strcmp(word, more[i].word) == 0)
            return more[i].is;
    }
    uint32_t n = digits_number(word);
    return n ? n : lexicon_number(word);
}

/* What a single word does in the reading. *ret_number: how many it says, else
 * 0. */
brief_class brief_word_class(const char *word, uint32_t *ret_number)
{
    static const char *const or_words[] = {"or", NULL},
                             *const for_words[] = {"for", NULL},
                             *const it_words[] = {"it", "them", NULL};
    static const struct {
        const char *const *words;
        brief_class class;
    } classes[] = {/* a word of two lists goes by the first */
                   {words_new, BRIEF_NEW},      {words_known, BRIEF_KNOWN},
                   {words_every, BRIEF_EVERY},  {words_with, BRIEF_WITH},
                   {or_words, BRIEF_OR},        {for_words, BRIEF_FOR},
                   {words_not, BRIEF_NOT},      {words_unlike, BRIEF_UNLIKE},
                   {it_words, BRIEF_IT},        {words_verb, BRIEF_VERB},
                   {words_little, BRIEF_LITTLE}};
    *ret_number = count_of(word);
    if (strcmp(word, "one") == 0 || strcmp(word, "single") == 0) {
        *ret_number = strcmp(word, "one") == 0;
        return *ret_number ? BRIEF_NUMBER : BRIEF_PLAIN;
    }
    if (*ret_number)
        return BRIEF_NUMBER;
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        if (list_has(classes[i].words, word))
            return classes[i].class;
    }
    return BRIEF_PLAIN;
}

/* ---- things ---- */

/* As on a plan: the back wall is the north, right is east. */
uint8_t brief_walls_named(const brief_word *words, uint32_t from, uint32_t to)
{
    static const struct {
        const char *word;
        uint8_t walls;
    } named[] = {{"north", BRIEF_NORTH},
                 {"northern", BRIEF_NORTH},
                 {"back", BRIEF_NORTH},
                 {"far", BRIEF_NORTH},
                 {"east", BRIEF_EAST},
                 {"eastern", BRIEF_EAST},
                 {"right", BRIEF_EAST},
                 {"south", BRIEF_SOUTH},
                 {"southern", BRIEF_SOUTH},
                 {"front", BRIEF_SOUTH},
                 {"near", BRIEF_SOUTH},
                 {"west", BRIEF_WEST},
                 {"western", BRIEF_WEST},
                 {"left", BRIEF_WEST},
                 {"northeast", BRIEF_NORTH | BRIEF_EAST},
                 {"northwest", BRIEF_NORTH | BRIEF_WEST},
                 {"southeast", BRIEF_SOUTH | BRIEF_EAST},
                 {"southwest", BRIEF_SOUTH | BRIEF_WEST}};
    uint8_t walls = 0;
    for (uint32_t i = from; i < to; i++) {
        for (size_t k = 0; k < COUNT_OF(named); k++) {
            if (strcmp(words[i].text, named[k].word) == 0)
                walls |= named[k].walls;
        }
    }
    return walls;
}

/* "Three" of "three-seater" counts no sofas. */
bool brief_is_measured(const char *word)
{
    return list_has(words_measured, word);
}

bool brief_is_of_room(const char *head)
{
    return list_has(parts_of_rooms, head);
}

/* Parts, stuffs and styles: nothing that is put into a room by itself.
 * `behind_with`: "a bed with shelves" has them as parts. */
bool brief_is_part(const char *head, bool behind_with)
{
    return list_has(parts_always, head) ||
           (behind_with && list_has(parts_behind_with, head));
}

/* "a tall person", "a child": somebody, by the usual sense. The dictionary
 * takes a mannequin for one, too, and that is furniture. */
bool brief_is_person(const char *phrase)
{
    kinds_id named, usual, person;
    const char *last = strrchr(phrase, ' ');
    if (list_has(persons_made, last ? last + 1 : phrase))
        return false;
    if (!kinds_find(phrase, &named) || !named.self_count)
        return false;
    kinds_find_above(named.self[0].kind, &usual);
    return kinds_find("person", &person) &&
           kinds_id_distance(&usual, &person) < KINDS_NEAR;
}

/* A thing that furnishing knows: related to one of the classes. */
bool brief_is_thing(const char *phrase)
{
    kinds_id named, said;
    bool is_superlative;
    bool is_adjective = lexicon_colour(phrase) || lexicon_material(phrase) ||
                        lexicon_is_mere_adjective(phrase) ||
                        lexicon_size(phrase, &is_superlative);
    if (is_adjective)
        return false;
    if (!kinds_known(phrase) || !kinds_find(phrase, &named) ||
        brief_is_person(phrase))
        return false;
    for (const char *const *c = thing_classes; *c; c++) {
        if (!kinds_find(*c, &said))
            continue;
        if (kinds_id_distance(&named, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

double brief_length_of(const char *amount, const char *unit)
{
    static const struct {
        const char *word;
        double metres;
    } units[] = {
        {"cm", 0.01},         {"centimetre", 0.01},  {"centimetres", 0.01},
        {"centimeter", 0.01}, {"centimeters", 0.01}, {"m", 1},
        {"metre", 1},         {"metres", 1},         {"meter", 1},
        {"meters", 1},        {"inch", 0.0254},      {"inches", 0.0254},
        {"foot", 0.3048},     {"feet", 0.3048}};
    uint32_t number;
    double many = strcmp(amount, "half") == 0 ? 0.5 : decimal_number(amount);
    if (many <= 0 && brief_word_class(amount, &number) == BRIEF_NUMBER)
        many = number;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (strcmp(unit, units[i].word) == 0)
            return many * units[i].metres;
    }
    return 0;
}

/* How many words of measure or arrangement begin here, which are not understood
 * yet: 0: none. */
uint32_t brief_bound_length(const brief_word *words,
                            uint32_t count,
                            uint32_t at)
{
    uint32_t number, best = 0;
    bool is_amount =
        brief_word_class(words[at].text, &number) == BRIEF_NUMBER ||
        ascii_is_digit(words[at].text[0]) ||
        strcmp(words[at].text, "half") == 0;
    if (is_amount && words_in(words, count, at + 1, 1, units_of_length))
        return 2;
    for (const char *const *row = rows_of_bounds; *row; row++) {
        uint32_t n = brief_row_matches(words, count, at, *row);
        best = n > best ? n : best;
    }
    return best;
}

/* Wider than brief_is_thing: what would have to be told as not understood when
 * it is passed over. */
bool brief_is_object(const char *word)
{
    char lemma[KINDS_WORD_SIZE];
    bool is_plural, is_superlative;
    bool is_adjective = lexicon_colour(word) || lexicon_material(word) ||
                        lexicon_is_mere_adjective(word) ||
                        lexicon_size(word, &is_superlative);
    if (is_adjective || !kinds_lemma(word, lemma, sizeof lemma, &is_plural))
        return false;
    return kinds_known(lemma) && !brief_is_part(lemma, true) &&
           !list_has(words_of_moods, lemma);
}
