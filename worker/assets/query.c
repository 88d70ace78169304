/* Reads a request word by word: sizes first, then what is denied, then where
 * its head ends.
 *
 * A request is a noun phrase, or a purpose ("something to sit on"). Each word
 * gets a part: of a size, denied, the head, before it (which one), behind it
 * (what it has or is for); find_terms.c makes weighted terms of these. The
 * order matters: words of a size would otherwise be heads ("80 cm"), and a
 * denied word must not be looked for. Nothing here knows what is on the shelf;
 * everything that does is find_terms.c's. A request of which no word names or
 * describes anything is refused rather than answered with the whole shelf. */
#include "worker/assets/query.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/builtin/language/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* words of the longest thing that a name is looked up as */
enum {
    COMPOUND_MAX = 4
};

/* "" beyond the end, so that rules may look ahead without a check. */
static const char *query_word_at(const query *q, uint32_t i)
{
    return i < q->word_count ? q->words[i].text : "";
}

/* ---- sizes ---- */

/* "12", "1.5", "1,5", "two", "half"; 0 for what is no number. */
static double query_number(const char *word)
{
    static const struct {
        const char *word;
        double is;
    } words[] = {{"half", 0.5}, {"one", 1},  {"two", 2},  {"three", 3},
                 {"four", 4},   {"five", 5}, {"six", 6},  {"seven", 7},
                 {"eight", 8},  {"nine", 9}, {"ten", 10}, {"twelve", 12}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(word, words[i].word) == 0)
            return words[i].is;
    }
    return ascii_is_digit(word[0]) ? strtod(word, NULL) : 0;
}

/* Metres of one; 0: no unit. */
static double unit_of(const char *word)
{
    static const struct {
        const char *word;
        double is;
    } units[] = {{"cm", 0.01},
                 {"centimetre", 0.01},
                 {"centimeter", 0.01},
                 {"centimetres", 0.01},
                 {"centimeters", 0.01},
                 {"mm", 0.001},
                 {"m", 1},
                 {"metre", 1},
                 {"meter", 1},
                 {"metres", 1},
                 {"meters", 1},
                 {"in", 0.0254},
                 {"inch", 0.0254},
                 {"inches", 0.0254},
                 {"ft", 0.3048},
                 {"foot", 0.3048},
                 {"feet", 0.3048}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (strcmp(word, units[i].word) == 0)
            return units[i].is;
    }
    return 0;
}

typedef struct size_word {
    const char *word;
    query_axis axis;
    int way; /* -1: at most, 1: at least */
} size_word;

/* "under 50 cm", "taller than 2 m" */
static const size_word compared[] = {
    {"under", QUERY_ANY, -1},      {"below", QUERY_ANY, -1},
    {"less", QUERY_ANY, -1},       {"most", QUERY_ANY, -1},
    {"maximum", QUERY_ANY, -1},    {"max", QUERY_ANY, -1},
    {"smaller", QUERY_ANY, -1},    {"within", QUERY_ANY, -1},
    {"narrower", QUERY_WIDTH, -1}, {"shorter", QUERY_HEIGHT, -1},
    {"lower", QUERY_HEIGHT, -1},   {"shallower", QUERY_DEPTH, -1},
    {"over", QUERY_ANY, 1},        {"above", QUERY_ANY, 1},
    {"more", QUERY_ANY, 1},        {"least", QUERY_ANY, 1},
    {"minimum", QUERY_ANY, 1},     {"min", QUERY_ANY, 1},
    {"larger", QUERY_ANY, 1},      {"bigger", QUERY_ANY, 1},
    {"taller", QUERY_HEIGHT, 1},   {"higher", QUERY_HEIGHT, 1},
    {"wider", QUERY_WIDTH, 1},     {"longer", QUERY_LENGTH, 1},
    {"deeper", QUERY_DEPTH, 1},
};
/* "80 cm wide" */
static const size_word measured[] = {
    {"wide", QUERY_WIDTH, 0},    {"width", QUERY_WIDTH, 0},
    {"across", QUERY_WIDTH, 0},  {"diameter", QUERY_WIDTH, 0},
    {"tall", QUERY_HEIGHT, 0},   {"high", QUERY_HEIGHT, 0},
    {"height", QUERY_HEIGHT, 0}, {"deep", QUERY_DEPTH, 0},
    {"depth", QUERY_DEPTH, 0},   {"long", QUERY_LENGTH, 0},
    {"length", QUERY_LENGTH, 0},
};

/* NULL: not in the list. */
static const size_word *size_find(const char *word,
                                  const size_word *list,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i].word) == 0)
            return &list[i];
    }
    return NULL;
}

/* Does a word only join what bounds a number to it: "less than", "about", "at
 * the"? */
static bool word_links(const char *word)
{
    static const char *const links[] = {"than", "at",  "a",  "the", "to",
                                        "no",   "not", "of", "up"};
    return WORD_IS_OF(word, links);
}

/* About so much: the bound is taken wider. */
static bool word_is_nearly(const char *word)
{
    static const char *const nearly[] = {"about", "around", "roughly",
                                         "approximately", "circa"};
    return WORD_IS_OF(word, nearly);
}

/* Of "up to" the second word. */
static bool word_is_up_to(const query *q, uint32_t i)
{
    return i > 0 && strcmp(query_word_at(q, i), "to") == 0 &&
           strcmp(query_word_at(q, i - 1), "up") == 0;
}

/* "taller than", "at least", "up to", "no more than", "between": what stands
 * before a number. Its first word. */
static uint32_t bound_before(const query *q,
                             uint32_t number,
                             query_bound *b,
                             int *ret_way)
{
    uint32_t first = number;
    bool is_denied = false;
    for (; first > 0; first--) {
        const char *word = query_word_at(q, first - 1);
        const size_word *c = size_find(word, compared, COUNT_OF(compared));
        is_denied |= strcmp(word, "no") == 0 || strcmp(word, "not") == 0;
        if (word_is_up_to(q, first - 1))
            *ret_way = -1;
        if (c && !*ret_way) {
            *ret_way = c->way;
            b->axis = c->axis;
        }
        if (!c && !word_links(word) && !word_is_nearly(word))
            break;
    }
    if (is_denied)
        *ret_way = -*ret_way;
    bool is_nearly = first < number && word_is_nearly(query_word_at(q, first));
    return *ret_way || is_nearly ? first : number;
}

/* The axis behind a number and its unit: "80 cm wide", "1 m in diameter". How
 * many words that takes. */
static uint32_t bound_after(const query *q, uint32_t at, query_bound *b)
{
    uint32_t taken = strcmp(query_word_at(q, at), "in") == 0;
    const size_word *m =
        size_find(query_word_at(q, at + taken), measured, COUNT_OF(measured));
    if (!m)
        return 0;
    b->axis = m->axis;
    return taken + 1;
}

/* Two numbers are a range; one is a bound where a comparison stands before it,
 * else about so much. */
static void bound_add(query *q,
                      uint32_t from,
                      uint32_t to,
                      query_bound b,
                      int way,
                      double low,
                      double high)
{
    if (q->bound_count == QUERY_BOUNDS_MAX)
        return;
    if (high > 0) {
        b.least = low;
        b.most = high;
    } else if (way < 0) {
        b.most = low;
    } else if (way > 0) {
        b.least = low;
    } else {
        b.about = low;
    }
    q->bounds[q->bound_count++] = b;
    for (uint32_t i = from; i < to; i++)
        q->words[i].part = QUERY_SIZE;
}

/* "between 60 and 90 cm" behind "between": both in metres, and the word behind
 * them; false: it is no such range. */
static bool range_read(const query *q,
                       uint32_t i,
                       double *ret_least,
                       double *ret_most,
                       uint32_t *ret_end)
{
    uint32_t k = i + 1;
    double first_unit = unit_of(query_word_at(q, k));
    k += first_unit > 0;
    if (strcmp(query_word_at(q, k), "and") != 0)
        return false;
    double second = query_number(query_word_at(q, k + 1));
    double unit = unit_of(query_word_at(q, k + 2));
    if (second <= 0 || unit <= 0)
        return false;
    *ret_least = query_number(query_word_at(q, i)) *
                 (first_unit > 0 ? first_unit : unit);
    *ret_most = second * unit;
    *ret_end = k + 3;
    return true;
}

/* A number counts only with a unit behind it: "two chairs" is no size. */
static void bounds_read(query *q)
{
    for (uint32_t i = 0; i < q->word_count; i++) {
        query_bound b = {.axis = QUERY_ANY};
        int way = 0;
        double number = query_number(query_word_at(q, i));
        double second = 0;
        uint32_t from = i;
        uint32_t end = i + 2;
        if (number <= 0)
            continue;
        bool is_range =
            i > 0 && strcmp(query_word_at(q, i - 1), "between") == 0;
        double unit = unit_of(query_word_at(q, i + 1));
        if (is_range && !range_read(q, i, &number, &second, &end))
            continue;
        if (!is_range && unit <= 0)
            continue;
        if (is_range) {
            from = i - 1;
        } else {
            number *= unit;
            from = bound_before(q, i, &b, &way);
        }
        end += bound_after(q, end, &b);
        bound_add(q, from, end, b, way, number, second);
        i = end - 1;
    }
}

/* ---- colours and classes ---- */

/* An index of asset_colour_names, by the word itself or by one that is near
 * enough to it; -1: no colour. */
static int colour_of(const char *word)
{
    static const struct {
        const char *word;
        uint8_t is;
    } more[] = {{"gray", 2},   {"dark", 0},      {"golden", 5},  {"silver", 2},
                {"cream", 11}, {"ivory", 1},     {"crimson", 3}, {"violet", 8},
                {"navy", 7},   {"turquoise", 7}, {"tan", 11},    {"scarlet", 3},
                {"maroon", 3}, {"lilac", 8}};
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (strcmp(word, asset_colour_names[i]) == 0)
            return i;
    }
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        if (strcmp(word, more[i].word) == 0)
            return more[i].is;
    }
    return -1;
}

/* Classes are about likes of the kind, and not measures: a small sofa is larger
 * than a large cup. */
static void class_read(query *q, const char *word)
{
    static const struct {
        const char *word;
        int8_t small, tall, wide;
    } classes[] = {
        {"small", -1, 0, 0},   {"little", -1, 0, 0}, {"tiny", -1, 0, 0},
        {"compact", -1, 0, 0}, {"mini", -1, 0, 0},   {"large", 1, 0, 0},
        {"big", 1, 0, 0},      {"huge", 1, 0, 0},    {"tall", 0, 1, 0},
        {"high", 0, 1, 0},     {"low", 0, -1, 0},    {"wide", 0, 0, 1},
        {"narrow", 0, 0, -1},  {"slim", 0, 0, -1},   {"long", 0, 0, 1},
        {"short", 0, -1, 0}};
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        if (strcmp(word, classes[i].word) != 0)
            continue;
        if (classes[i].small)
            q->small = classes[i].small;
        if (classes[i].tall)
            q->tall = classes[i].tall;
        if (classes[i].wide)
            q->wide = classes[i].wide;
    }
}

/* What is denied is held apart, as the ranking takes it off. */
static void colour_read(query *q, const char *word, bool is_denied)
{
    int colour = colour_of(word);
    if (colour < 0)
        return;
    uint16_t *colours = is_denied ? &q->not_colours : &q->colours;
    uint16_t bit = (uint16_t)(1u << colour);
    *colours |= bit;
    /* dark brown, dark wood: it need not be black */
    bool is_shade = strcmp(word, "dark") == 0;
    if (!is_denied && !is_shade)
        q->named_colours |= bit;
}

/* A denial reaches over three words that say something, or to a word that ends
 * it: "no arms, but wheels". */
static void words_class(query *q)
{
    static const char *const deny[] = {"without", "no", "not", "never"};
    static const char *const end[] = {"but", "with", "and",
                                      "for", "that", "which"};
    bool is_denied = false;
    uint32_t since = 0;
    for (uint32_t i = 0; i < q->word_count; i++) {
        query_word *w = &q->words[i];
        if (w->part == QUERY_SIZE)
            continue;
        bool starts = WORD_IS_OF(w->text, deny);
        bool ends = WORD_IS_OF(w->text, end) || since >= 3;
        if (starts)
            since = 0;
        is_denied = starts || (is_denied && !ends);
        since += !text_is_stop(w->text);
        colour_read(q, w->text, is_denied);
        if (!is_denied)
            class_read(q, w->text);
        else if (!starts && !text_is_stop(w->text))
            w->part = QUERY_NOT;
    }
}

/* ---- the head ---- */

/* What stands behind one of these says where or what for, and never which
 * thing. */
static bool word_ends_phrase(const char *word)
{
    static const char *const ends[] = {
        "for",    "with",   "without", "that",       "which",  "to",
        "in",     "on",     "under",   "underneath", "from",   "made",
        "where",  "who",    "you",     "covered",    "over",   "at",
        "by",     "beside", "next",    "near",       "behind", "used",
        "and",    "or",     "below",   "inside",     "into",   "whose",
        "is",     "are",    "when",    "while",      "of",     "having",
        "around", "above",  "against"};
    return WORD_IS_OF(word, ends);
}

/* "something to sit on", "what you sleep in", "somewhere to ...", "a place for
 * ...". */
static bool query_has_no_head(const query *q)
{
    static const char *const opens[] = {"something", "somewhere", "what",
                                        "anything",  "where",     "how",
                                        "thing",     "things"};
    uint32_t first = 0;
    static const char *const articles[] = {"a", "an", "the", "some"};
    while (first < q->word_count &&
           WORD_IS_OF(query_word_at(q, first), articles))
        first++;
    return WORD_IS_OF(query_word_at(q, first), opens) ||
           strcmp(query_word_at(q, first), "place") == 0;
}

/* Words as they were said, with single spaces, cut at QUERY_HEAD_SIZE. */
static void query_phrase(const query *q,
                         uint32_t from,
                         uint32_t to,
                         char ret[QUERY_HEAD_SIZE])
{
    size_t n = 0;
    ret[0] = 0;
    for (uint32_t i = from; i < to && n + TEXT_WORD_SIZE + 1 < QUERY_HEAD_SIZE;
         i++)
        n += (size_t)snprintf(ret + n, QUERY_HEAD_SIZE - n, "%s%s",
                              n ? " " : "", query_word_at(q, i));
}

/* The longest run of words that ends before `end` and is a thing; else the last
 * word. */
static void head_take(query *q, uint32_t begin, uint32_t end)
{
    char phrase[QUERY_HEAD_SIZE];
    uint32_t from = end - begin > COMPOUND_MAX ? end - COMPOUND_MAX : begin;
    for (; from < end; from++) {
        query_phrase(q, from, end, phrase);
        if (kinds_known(phrase))
            break;
    }
    q->head_known = from < end;
    q->head_first = q->head_known ? from : end - 1;
    q->head_words = end - q->head_first;
    query_phrase(q, q->head_first, end, q->head);
}

/* "chest of drawers": the words around an "of" are a thing together. */
static uint32_t head_beyond_of(const query *q, uint32_t begin, uint32_t of)
{
    char phrase[QUERY_HEAD_SIZE];
    for (uint32_t to = of + 3; to > of + 1; to--) {
        if (to > q->word_count)
            continue;
        for (uint32_t from = begin; from < of; from++) {
            query_phrase(q, from, to, phrase);
            if (kinds_known(phrase))
                return to;
        }
    }
    return of;
}

/* Sizes and denials are read by then. */
static bool word_is_content(const query *q, uint32_t i)
{
    const query_word *w = &q->words[i];
    return w->part != QUERY_SIZE && w->part != QUERY_NOT &&
           !text_is_stop(w->text);
}

static bool word_is_of_size(const char *word)
{
    query one = {.word_count = 0};
    class_read(&one, word);
    return one.small || one.tall || one.wide;
}

void query_look_none(query *q)
{
    q->colours = q->not_colours = q->named_colours = 0;
    q->small = q->tall = q->wide = 0;
}

bool query_look(query *q, const char *word)
{
    colour_read(q, word, false);
    class_read(q, word);
    return word_is_of_size(word);
}

/* A word that says how a thing is, though it can be the name of one: "flat" of
 * "a flat, broad vessel", "metal" of "a metal or ceramic cup". */
static bool word_only_describes(const query *q, uint32_t i)
{
    static const char *const words[] = {
        "flat",        "broad",       "shallow",    "deep",     "open",
        "closed",      "hollow",      "round",      "circular", "square",
        "rectangular", "oval",        "slender",    "thin",     "thick",
        "heavy",       "light",       "soft",       "hard",     "wooden",
        "portable",    "movable",     "artificial", "wood",     "metal",
        "glass",       "ceramic",     "stone",      "leather",  "plastic",
        "wicker",      "upholstered", "plain",      "colourful"};
    const char *word = query_word_at(q, i);
    return word_is_of_size(word) || colour_of(word) >= 0 ||
           WORD_IS_OF(word, words);
}

/* Both sides of it describe. */
static bool word_joins(const char *word)
{
    return strcmp(word, "and") == 0 || strcmp(word, "or") == 0;
}

/* Does the head's phrase end before word `i`? "A small, shallow and usually
 * circular, vessel" goes on to its last word. */
static bool phrase_ends(const query *q, uint32_t begin, uint32_t i)
{
    bool is_apart =
        q->words[i].part == QUERY_SIZE || q->words[i].part == QUERY_NOT;
    if (is_apart || i == begin)
        return is_apart;
    bool goes_on = word_only_describes(q, i - 1);
    if (word_joins(query_word_at(q, i)))
        return !goes_on || i + 1 >= q->word_count;
    query_mark mark = q->words[i - 1].mark;
    bool is_parted = mark == QUERY_STOPS || (mark == QUERY_COMMA && !goes_on);
    return is_parted || word_ends_phrase(query_word_at(q, i));
}

/* "a tall oak bookcase with doors": the head is the last noun before what ends
 * the phrase, "bookcase". */
static void head_read(query *q)
{
    uint32_t begin = 0, end;
    if (query_has_no_head(q))
        return;
    while (begin < q->word_count && !word_is_content(q, begin))
        begin++;
    end = begin;
    while (end < q->word_count && !phrase_ends(q, begin, end))
        end++;
    if (strcmp(query_word_at(q, end), "of") == 0)
        end = head_beyond_of(q, begin, end);
    if (end > begin)
        head_take(q, begin, end);
}

/* The thing that comes with the head: "footstool" of "an armchair with a
 * matching footstool". */
static void with_read(query *q)
{
    uint32_t begin = q->head_first + q->head_words;
    while (begin < q->word_count &&
           strcmp(query_word_at(q, begin), "with") != 0)
        begin++;
    begin++;
    uint32_t end = begin;
    while (end < q->word_count && q->words[end].part != QUERY_NOT &&
           !word_ends_phrase(query_word_at(q, end)))
        end++;
    uint32_t from = end > begin + COMPOUND_MAX ? end - COMPOUND_MAX : begin;
    for (; q->head_known && from < end; from++) {
        query_phrase(q, from, end, q->with);
        if (kinds_known(q->with))
            return;
    }
    q->with[0] = 0;
}

/* "a rail of hooks": what stands behind "of" says which, as a word before the
 * head does. */
static bool query_word_is_of(const query *q, uint32_t i)
{
    uint32_t of = q->head_first + q->head_words;
    if (!q->head_words || strcmp(query_word_at(q, of), "of") != 0)
        return false;
    uint32_t end = of + 1;
    while (end < q->word_count && !word_ends_phrase(query_word_at(q, end)))
        end++;
    return i > of && i < end;
}

/* Words before the head tell which ("oak"), words behind it what it has or is
 * for. */
static query_part query_part_of(const query *q, uint32_t i)
{
    if (text_is_stop(q->words[i].text))
        return QUERY_STOP;
    if (!q->head_words)
        return QUERY_AFTER;
    if (i < q->head_first)
        return QUERY_MORE;
    if (i < q->head_first + q->head_words)
        return QUERY_HEAD;
    return query_word_is_of(q, i) ? QUERY_MORE : QUERY_AFTER;
}

/* The rest of the words, once the head is known. */
static void query_parts_read(query *q)
{
    for (uint32_t i = 0; i < q->word_count; i++) {
        query_word *w = &q->words[i];
        if (w->part != QUERY_SIZE && w->part != QUERY_NOT)
            w->part = query_part_of(q, i);
    }
}

/* ---- the whole ---- */

/* "50cm" is a number and a unit; "1.5" and "1,5" are one number. */
static const char *number_take(const char *at, query_word *w)
{
    size_t n = 0;
    while (n + 1 < TEXT_WORD_SIZE) {
        bool is_digit = ascii_is_digit(at[n]);
        bool is_point =
            (at[n] == '.' || at[n] == ',') && ascii_is_digit(at[n + 1]);
        if (!is_digit && !is_point)
            break;
        w->text[n] = at[n] == ',' ? '.' : at[n];
        n++;
    }
    w->text[n] = 0;
    return at + n;
}

/* The strongest mark of a gap; a hyphen within a word and a point within a
 * number are none. */
static query_mark mark_between(const char *from, const char *to)
{
    query_mark mark = QUERY_NO_MARK;
    for (; from < to && mark != QUERY_STOPS; from++) {
        if (strchr(";:()!?.", *from))
            mark = QUERY_STOPS;
        else if (*from == ',')
            mark = QUERY_COMMA;
    }
    return mark;
}

/* Words beyond QUERY_WORDS_MAX are not read: a request is a phrase, not a
 * page. */
static void words_cut(const char *text, query *q)
{
    while (q->word_count < QUERY_WORDS_MAX) {
        query_word *w = &q->words[q->word_count];
        const char *at = text;
        while (*at && !(ascii_is_digit(*at) || ascii_is_letter(*at) ||
                        (unsigned char)*at >= 0x80))
            at++;
        if (q->word_count)
            q->words[q->word_count - 1].mark = mark_between(text, at);
        if (ascii_is_digit(*at)) {
            text = number_take(at, w);
        } else if (!text_next(&text, w->text)) {
            return;
        }
        strcpy(w->stem, w->text);
        text_stem(w->stem);
        q->word_count++;
    }
}

static const char *outline_of(const char *word)
{
    static const char *const outlines[] = {"round", "circular", "oval",
                                           "square", "rectangular"};
    for (size_t k = 0; k < COUNT_OF(outlines); k++) {
        if (strcmp(word, outlines[k]) == 0)
            return outlines[k];
    }
    return NULL;
}

const char *query_outline(const query *q)
{
    for (uint32_t i = 0; i < q->word_count; i++) {
        const query_word *w = &q->words[i];
        if (w->part == QUERY_MORE && outline_of(w->text))
            return outline_of(w->text);
    }
    return NULL;
}

bool query_word_is_measured(const query *q, uint32_t i)
{
    const char *word = query_word_at(q, i);
    return word_is_of_size(word) || colour_of(word) >= 0 || outline_of(word);
}

/* Nothing in it names or describes anything. */
etna_code query_refuse(const char *text, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_INPUT,
        "\"%.100s\" does not say what is looked for; name a thing, or what it is for",
        text);
}

/* Sizes are read first and their words leave the rest; then denials; then the
 * head among what is left. */
etna_code query_read(const char *text, query *ret, etna_error *err)
{
    query q = {.word_count = 0};
    size_t size = strlen(text);
    if (size > QUERY_TEXT_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "what is looked for is told in %zu bytes; %d are read at most",
            size, QUERY_TEXT_MAX);
    if (!etna_utf8_valid(text, size))
        return etna_fail(err, ETNA_E_INPUT, "what is looked for is not UTF-8");
    words_cut(text, &q);
    bounds_read(&q);
    words_class(&q);
    head_read(&q);
    with_read(&q);
    query_parts_read(&q);
    uint32_t told = 0;
    for (uint32_t i = 0; i < q.word_count; i++)
        told += q.words[i].part == QUERY_HEAD ||
                q.words[i].part == QUERY_MORE || q.words[i].part == QUERY_AFTER;
    q.says_nothing = !told;
    if (!q.word_count)
        return query_refuse(text, err);
    *ret = q;
    return ETNA_OK;
}
