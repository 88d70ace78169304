/* A text -> tokens and parts: words, numbers apart from their units, owners'
 * marks, names in quotes, punctuation. What may be misspelt gets the words that
 * it may have been. */
#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/labels.h"
#include "worker/builtin/language/lexicon.h"
#include "worker/builtin/language/quote.h"
#include "worker/builtin/language/sentence.h"
#include "worker/builtin/language/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MENDED_MAX = 16
};

/* ---- tokens ---- */

static bool is_mark_byte(char c)
{
    return c && strchr(",.;:!?()/&+", c);
}

/* A mark ends a word where blank space or another mark follows: "0.5m" and
 * "a.b" are words. */
static bool is_mark(const char *at)
{
    if (!is_mark_byte(*at))
        return false;
    if (strchr("()!?;", *at) || ascii_is_blank(at[1]))
        return true; /* a zero is blank */
    return is_mark_byte(at[1]) || at[1] == '"' || at[1] == '\'';
}

/* Typographic bytes that stand for plain marks: dashes, dots, an apostrophe.
 * *ret: the plain one. */
static size_t typographic(const char *at, const char **ret)
{
    static const struct {
        const char *bytes, *plain;
    } table[] = {
        {"\xE2\x80\x93", "-"},   {"\xE2\x80\x94", "-"}, {"\xE2\x80\xA6", "."},
        {"\xE2\x86\x92", "->"},  {"->", "->"},          {"=>", "=>"},
        {"\xE2\x86\x94", "<->"}, {"<->", "<->"},        {"<=>", "<->"}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        size_t size = strlen(table[i].bytes);
        if (strncmp(at, table[i].bytes, size) != 0)
            continue;
        *ret = table[i].plain;
        return size;
    }
    return 0;
}

/* Up to a blank or a mark. */
static size_t word_end(const char *at)
{
    size_t size = 0;
    const char *plain;
    while (at[size] && !ascii_is_blank(at[size])) {
        if (is_mark(at + size) || typographic(at + size, &plain))
            break;
        size++;
    }
    return size;
}

/* "20cm", "+45°": where the digits end; 0: no number with a unit. */
static size_t number_end(const char *at, size_t size)
{
    static const char *const units[] = {
        "cm",      "m", "mm",   "in",     "ft",     "deg", "\xC2\xB0",
        "degrees", "x", "inch", "metres", "meters", "dm"};
    const size_t sign = size > 1 && (at[0] == '+' || at[0] == '-');
    size_t digits = sign;
    while (digits < size && (ascii_is_digit(at[digits]) || at[digits] == '.'))
        digits++;
    for (size_t i = 0; digits > sign && i < COUNT_OF(units); i++) {
        bool same = size - digits == strlen(units[i]) &&
                    strncmp(at + digits, units[i], size - digits) == 0;
        if (same)
            return digits;
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

/* Lower case, a typographic apostrophe as the plain one. */
static void text_make_plain(char *text)
{
    for (char *p = text; *p; p++)
        *p = ascii_lower(*p);
    char *apostrophe = strstr(text, "\xE2\x80\x99");
    if (!apostrophe)
        return;
    *apostrophe = '\'';
    memmove(apostrophe + 1, apostrophe + 3, strlen(apostrophe + 3) + 1);
}

/* NULL: there is no room, or no memory. */
static sentence_token *token_add(token_list *list,
                                 const char *from,
                                 size_t size,
                                 bool is_mark_token)
{
    bool full = list->count == SENTENCE_TOKENS_MAX;
    char *text = full ? NULL : etna_arena_strndup(list->arena, from, size);
    const char *written = text ? etna_arena_strdup(list->arena, text) : NULL;
    list->failed = !written;
    if (!written)
        return NULL;
    text_make_plain(text);
    sentence_token *t = &list->items[list->count++];
    *t = (sentence_token){.written = written,
                          .text = text,
                          .is_mark = is_mark_token,
                          .capital = ascii_is_upper(*from),
                          .at = (uint32_t)(from - list->text),
                          .end = (uint32_t)(from - list->text + size)};
    return t;
}

/* "It's", "let's", "that's": two words, and nobody's. */
static bool word_is_contraction(const char *at, size_t size)
{
    static const struct {
        size_t skip; /* letters that may be any */
        const char *end;
    } words[] = {{0, "it's"}, {0, "It's"}, {1, "et's"}, {1, "hat's"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        bool fits = size == words[i].skip + strlen(words[i].end);
        if (fits && strncmp(at + words[i].skip, words[i].end,
                            size - words[i].skip) == 0)
            return true;
    }
    return false;
}

/* Bytes of the mark of an owner that a word ends with; 0: it names none. */
static size_t word_owner_mark(const char *at, size_t size)
{
    static const char *const marks[] = {"'s", "\xE2\x80\x99s"};
    if (word_is_contraction(at, size))
        return 0;
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t mark = strlen(marks[i]);
        if (size > mark && strncmp(at + size - mark, marks[i], mark) == 0)
            return mark;
    }
    bool plural = size > 2 && strncmp(at + size - 2, "s'", 2) == 0;
    return plural ? 1 : 0;
}

/* "They're", "we've": two words. */
static size_t word_joined_verb(const char *at, size_t size, const char **ret)
{
    static const struct {
        const char *end, *word;
    } verbs[] = {{"'re", "are"},
                 {"'ve", "have"},
                 {"'ll", "will"},
                 {"\xE2\x80\x99re", "are"},
                 {"\xE2\x80\x99ve", "have"},
                 {"\xE2\x80\x99ll", "will"}};
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        size_t end = strlen(verbs[i].end);
        *ret = verbs[i].word;
        if (size > end && strncmp(at + size - end, verbs[i].end, end) == 0)
            return end;
    }
    return 0;
}

/* ---- what a text begins with: the bytes that are taken, 0: it is something
 * else ---- */

static size_t take_blank(token_list *list, const char *at)
{
    (void)list;
    return ascii_is_blank(*at) ? 1 : 0;
}

/* A quotation is one token, its text exactly as written: names may hold
 * anything. 0: none begins there. */
static size_t take_quoted(token_list *list, const char *at)
{
    const char *start;
    size_t close = 0;
    const char *end = quote_close(at, ",.;:!?)'", &start, &close);
    if (!end)
        return 0;
    sentence_token *t = token_add(list, start, (size_t)(end - start), false);
    if (t) {
        t->text = t->written;
        t->quoted = true;
    }
    return (size_t)(end - at) + close;
}

/* Typographic dashes and quotes count as their plain form. */
static size_t take_typographic(token_list *list, const char *at)
{
    const char *plain;
    size_t size = typographic(at, &plain);
    if (!size)
        return 0;
    bool ends = plain[0] != '-' && plain[1] == 0;
    sentence_token *t = token_add(list, at, size, ends);
    if (t)
        t->text = plain;
    return size;
}

static size_t take_mark(token_list *list, const char *at)
{
    if (!is_mark(at))
        return 0;
    token_add(list, at, 1, true);
    return 1;
}

/* "i.e. the left one", "approx. 20 cm": its dot ends nothing. */
static size_t take_abbreviation(token_list *list, const char *at)
{
    static const struct {
        const char *written, *meant;
    } words[] = {{"i.e.", "i.e."},       {"e.g.", "e.g."}, {"approx.", "about"},
                 {"incl.", "including"}, {"ca.", "about"}, {"resp.", "resp"},
                 {"min.", "min"},        {"max.", "max"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const size_t size = strlen(words[i].written);
        const bool whole = strncmp(at, words[i].written, size) == 0 &&
                           ascii_is_blank(at[size]) && at[size];
        if (!whole)
            continue;
        sentence_token *t = token_add(list, at, size, false);
        if (t)
            t->text = words[i].meant;
        return size;
    }
    return 0;
}

/* "20cm" is two tokens, "cup's" is "cup" and "'s", "they're" is "they" and
 * "are". */
static size_t take_word(token_list *list, const char *at)
{
    size_t size = word_end(at);
    size_t first = number_end(at, size);
    const char *ending = "'s";
    size_t mark = first ? 0 : word_owner_mark(at, size);
    if (!first && !mark)
        mark = word_joined_verb(at, size, &ending);
    if (!first)
        first = size - mark;
    if (!token_add(list, at, first, false) || first == size)
        return size;
    sentence_token *t = token_add(list, at + first, size - first, false);
    if (t && mark)
        t->text = ending;
    return size;
}

/* Each taker returns 0 where it is not meant. */
static void tokens_take(token_list *list)
{
    static size_t (*const takers[])(token_list * list, const char *at) = {
        take_blank, take_quoted,       take_typographic,
        take_mark,  take_abbreviation, take_word};
    const char *at = list->text;
    while (*at && !list->failed) {
        size_t size = 0;
        for (size_t i = 0; size == 0; i++)
            size = takers[i](list, at); /* a word is what all others leave */
        at += size;
    }
}

/* ---- typing errors ---- */

static bool word_is_plain(const char *word)
{
    for (const char *p = word; *p; p++) {
        bool is_hyphen = *p == '-' && p > word && p[1];
        if (!is_hyphen && !ascii_is_lower(*p))
            return false;
    }
    return true;
}

/* The words that the token may have been. A word that no sentence here is made
 * of may yet be meant: it stays the first. */
static bool token_mend(sentence_token *t,
                       const sentence_vocabulary *v,
                       mend_known known,
                       etna_arena *arena)
{
    mend_choice choices[MEND_CHOICES_MAX];
    bool failed = false;
    uint32_t count = mend_choices(t->text, known, v, arena, choices, &failed);
    uint32_t used = 0;
    mend_choice *variants =
        etna_arena_alloc(arena, MEND_CHOICES_MAX + 1, sizeof *variants);
    if (failed || !variants)
        return false;
    if (known != MEND_UNKNOWN)
        variants[used++] = (mend_choice){.text = t->text, .is_name = true};
    for (uint32_t i = 0; i < count; i++)
        variants[used++] = choices[i];
    if (count == 0)
        return true;
    t->text = variants[0].text;
    t->variants = variants;
    t->variant_count = used;
    t->mended = known == MEND_UNKNOWN;
    return true;
}

/* "Can u": as people write in a hurry. NULL: it is none of these. */
static const char *word_written_short(const char *word)
{
    static const struct {
        const char *written, *meant;
    } words[] = {{"u", "you"},          {"ur", "your"},      {"cuz", "because"},
                 {"bc", "because"},     {"thats", "that's"}, {"dont", "don't"},
                 {"cant", "can't"},     {"wont", "won't"},   {"isnt", "isn't"},
                 {"doesnt", "doesn't"}, {"im", "i'm"},       {"abt", "about"},
                 {"w/", "with"},        {"nxt", "next"},     {"b4", "before"},
                 {"mv", "move"},        {"thru", "through"}, {"tho", "though"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(words[i].written, word) == 0)
            return words[i].meant;
    }
    return NULL;
}

/* "Pleeease" as "pleease", which is a slip like any other: no word has a letter
 * three times in a row. NULL: this one has not, or memory ran out, which the
 * list remembers. */
static const char *word_unstretched(token_list *list, const char *word)
{
    const size_t size = strlen(word);
    size_t used = 0;
    char *text = etna_arena_alloc(list->arena, size + 1, 1);
    if (!text) {
        list->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < size; i++) {
        const char c = word[i];
        if (used < 2 || text[used - 1] != c || text[used - 2] != c)
            text[used++] = c;
    }
    text[used] = 0;
    const bool is_one_letter = used <= 2; /* "zzzz": of no word */
    return used < size && !is_one_letter ? text : NULL;
}

/* "Next 2 the sofa". */
static bool token_two_is_to(const sentence_token *before,
                            const sentence_token *t)
{
    static const char *const words[] = {"next", "close", "closer", "nearer"};
    if (t->quoted || strcmp(t->text, "2") != 0)
        return false;
    return WORD_IS_OF(before->text, words);
}

/* A thing's name may be just that: "chair U". */
static void tokens_write_out(token_list *list, const sentence_vocabulary *v)
{
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token *t = &list->items[i];
        const bool named =
            t->quoted || t->capital || mend_vocabulary_has(v, t->text);
        const char *meant = named ? NULL : word_written_short(t->text);
        if (!named && !meant && word_is_plain(t->text))
            meant = word_unstretched(list, t->text);
        if (i > 0 && token_two_is_to(&list->items[i - 1], t))
            meant = "to";
        if (meant)
            t->text = meant;
    }
}

/* "Next to eachother": words without the blank between them. */
static void tokens_cut(token_list *list, const sentence_vocabulary *v)
{
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token *const t = &list->items[i];
        const bool named = t->quoted || mend_vocabulary_has(v, t->text);
        const uint32_t first =
            named ? 0 : lexicon_value("run together", t->text);
        if (first == 0 || list->count == SENTENCE_TOKENS_MAX)
            continue;
        const char *const word =
            etna_arena_strndup(list->arena, t->text, first);
        list->failed = !word;
        if (!word)
            return;
        memmove(t + 1, t, (list->count - i) * sizeof *t);
        list->count++;
        t[0].text = t[0].written = word;
        t[0].end = t[0].at + first;
        t[1].text = t[1].written = t[1].text + first;
        t[1].at += first;
    }
}

/* "Bass drum" is a thing, and no drum of brass: what the dictionary knows by two
 * words is spelt as it is meant. */
static bool tokens_are_a_thing(const token_list *list, uint32_t i)
{
    char phrase[KINDS_PHRASE_SIZE];
    const sentence_token *const t = &list->items[i];
    if (i + 1 >= list->count || t[1].quoted || !word_is_plain(t[1].text))
        return false;
    const int size =
        snprintf(phrase, sizeof phrase, "%s %s", t->text, t[1].text);
    return size > 0 && (size_t)size < sizeof phrase && kinds_known(phrase);
}

/* "Its in the way", as people write it; "its own place" has an owner. */
static void tokens_mend_its(token_list *list)
{
    for (uint32_t i = 0; i + 1 < list->count; i++) {
        sentence_token *const t = &list->items[i];
        const bool is_its = !t->quoted && strcmp(t->text, "its") == 0;
        if (is_its && lexicon_lists("tokens: behind it is", t[1].text))
            t->text = "it's";
    }
}

/* At most MENDED_MAX words of a text: one in which every word is wrong is no
 * English. */
static void tokens_mend(token_list *list, const sentence_vocabulary *v)
{
    uint32_t mended = 0;
    for (uint32_t i = 0; i < list->count && mended < MENDED_MAX; i++) {
        sentence_token *t = &list->items[i];
        size_t size = strlen(t->text);
        const bool may_be_word =
            !t->quoted && !t->is_mark && word_is_plain(t->text);
        const bool is_word = may_be_word && size >= 3 && size < MEND_WORD_MAX;
        mend_known known = is_word ? mend_judge(t->text, v) : MEND_KNOWN;
        if (known == MEND_KNOWN || tokens_are_a_thing(list, i))
            continue;
        mended++;
        if (!token_mend(t, v, known, list->arena))
            list->failed = true;
    }
}

/* The words from token i on as one, where a thing is called so; NULL: none
 * is. */
static const char *tokens_joined(token_list *list,
                                 uint32_t i,
                                 const char *second,
                                 uint32_t size)
{
    const sentence_token *t = &list->items[i];
    if (t->quoted || t->is_mark || i + size > list->count)
        return NULL;
    if (strcmp(list->items[i + 1].text, second) != 0)
        return NULL;
    char *joined =
        size == 2 ? etna_arena_printf(list->arena, "%s %s", t->text, second)
                  : etna_arena_printf(list->arena, "%s %s %s", t->text, second,
                                      list->items[i + 2].text);
    if (!joined)
        list->failed = true;
    return joined && kinds_known(joined) ? joined : NULL;
}

/* "Chest of drawers" is one word of the kinds, and "the trash can" is no
 * question. */
static void tokens_join(token_list *list)
{
    static const struct {
        const char *second;
        uint32_t size;
    } joints[] = {{"can", 2}, {"of", 3}};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        sentence_token t = list->items[i];
        uint32_t size = 1;
        for (size_t k = 0; k < COUNT_OF(joints) && size == 1; k++) {
            const char *joined =
                tokens_joined(list, i, joints[k].second, joints[k].size);
            if (!joined)
                continue;
            size = joints[k].size;
            t.text = joined;
            t.end = list->items[i + size - 1].end;
            t.variant_count = 0;
        }
        list->items[kept++] = t;
        i += size - 1;
    }
    list->count = kept;
}

/* ---- names that are counted ---- */

/* "chair_4": how long the word is without its number, and without what joins
 * them; 0: it has no number, or nothing else. */
static size_t word_stem(const char *word)
{
    size_t size = strlen(word);
    const size_t whole = size;
    while (size > 0 && ascii_is_digit(word[size - 1]))
        size--;
    if (size == whole || whole - size > 4)
        return 0;
    while (size > 0 && strchr("_.-", word[size - 1]))
        size--;
    /* "2.5" is a number */
    return size > 0 && ascii_is_lower(word[size - 1]) ? size : 0;
}

static bool token_joins_names(const sentence_token *t)
{
    static const char *const words[] = {"to", "through", "-"};
    return !t->quoted && WORD_IS_OF(t->text, words);
}

static const char *word_number(const char *word)
{
    const char *at = word + strlen(word);
    while (at > word && ascii_is_digit(at[-1]))
        at--;
    return at;
}

/* "Move crate 1 to crate 2 and ...": a way, and no list of them. A list has
 * three at least, and goes on with what becomes of them. `count`: tokens from
 * `t` on, `joint` and `last` two of them. */
static bool tokens_tell_way(const sentence_token *t,
                            uint32_t count,
                            uint32_t joint,
                            uint32_t last)
{
    static const char *const ends[] = {"and", "then", "but"};
    const long first = atol(word_number(t[joint - 1].text));
    if (atol(word_number(t[last].text)) < first + 2)
        return true;
    if (strcmp(t[joint].text, "to") != 0)
        return false;
    return last + 1 >= count || t[last + 1].is_mark ||
           WORD_IS_OF(t[last + 1].text, ends);
}

/* Are three tokens "chair_1 to chair_4"? *ret_size: of "chair". */
static bool tokens_span_names(const sentence_token *t, size_t *ret_size)
{
    const char *const first = t[0].text;
    const char *const last = t[2].text;
    const size_t size = word_stem(first);
    *ret_size = size;
    return size > 0 && !t[0].quoted && !t[2].quoted &&
           token_joins_names(&t[1]) && word_stem(last) == size &&
           strncmp(first, last, size) == 0;
}

/* Are five tokens "crate 1 to crate 3"? */
static bool tokens_span_words(const sentence_token *t)
{
    return !t[0].quoted && !t[3].quoted && ascii_is_digit(t[1].text[0]) &&
           ascii_is_digit(t[4].text[0]) && token_joins_names(&t[2]) &&
           strcmp(t[0].text, t[3].text) == 0;
}

/* "The chairs chair_1 ..." says it already. */
static bool token_is_plural_of(const sentence_token *t, const char *stem)
{
    const size_t size = strlen(stem);
    return !t->quoted && strncmp(t->text, stem, size) == 0 &&
           (strcmp(t->text + size, "s") == 0 ||
            strcmp(t->text + size, "es") == 0);
}

/* "chair_1 to chair_4" and "crate 1 to crate 3" as "chair 1 to 4" and "crate 1
 * to 3". */
static void tokens_span(token_list *list)
{
    sentence_token *const items = list->items;
    for (uint32_t i = 0; i + 2 < list->count && !list->failed; i++) {
        size_t size;
        const uint32_t count = list->count - i;
        if (count > 4 && tokens_span_words(&items[i]) &&
            !tokens_tell_way(&items[i], count, 2, 4)) {
            memmove(&items[i + 3], &items[i + 4],
                    (list->count - i - 4) * sizeof *items);
            list->count--;
            if (i > 0 && token_is_plural_of(&items[i - 1], items[i].text)) {
                memmove(&items[i], &items[i + 1],
                        (list->count - i - 1) * sizeof *items);
                list->count--;
            }
            continue;
        }
        if (!tokens_span_names(&items[i], &size) ||
            tokens_tell_way(&items[i], count, 1, 2) ||
            list->count == SENTENCE_TOKENS_MAX)
            continue;
        const char *const stem =
            etna_arena_strndup(list->arena, items[i].text, size);
        list->failed = !stem;
        if (!stem)
            return;
        const bool said = i > 0 && token_is_plural_of(&items[i - 1], stem);
        items[i + 2].text = items[i + 2].written =
            word_number(items[i + 2].text);
        if (!said) {
            memmove(&items[i + 1], &items[i],
                    (list->count - i) * sizeof *items);
            list->count++;
            items[i].text = items[i].written = stem;
            items[i].end = items[i].at + (uint32_t)size;
            items[i].variant_count = 0;
        }
        sentence_token *const first = &items[said ? i : i + 1];
        first->text = first->written = word_number(first->text);
        first->at = first->end - (uint32_t)strlen(first->text);
        first->variant_count = 0;
    }
}

/* ---- splitting ---- */

static bool token_ends_part(const sentence_token *t)
{
    return t->is_mark && (strchr(".;!?", t->text[0]) != NULL);
}

/* Parts end at marks like '.' and are parsed one by one; empty ones are left
 * out. */
static etna_code parts_find(token_list *list,
                            etna_arena *arena,
                            sentence *ret,
                            etna_error *err)
{
    sentence_part *parts =
        etna_arena_alloc(arena, list->count + 1u, sizeof *parts);
    if (!parts)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        if (i < list->count && !token_ends_part(&list->items[i]))
            continue;
        if (i > first)
            parts[count++] = (sentence_part){.first = first, .end = i};
        first = i + 1;
    }
    *ret = (sentence){.token_count = list->count,
                      .part_count = count,
                      .tokens = list->items,
                      .parts = parts};
    return ETNA_OK;
}

/* Tokens, with their mended spellings, and parts. ETNA_E_INPUT: too long. */
etna_code sentence_split(const char *text,
                         const sentence_vocabulary *vocabulary,
                         etna_arena *arena,
                         sentence *ret,
                         etna_error *err)
{
    if (strlen(text) > SENTENCE_BYTES_MAX)
        return etna_fail(err, ETNA_E_INPUT, "it is longer than %d bytes",
                         SENTENCE_BYTES_MAX);
    token_list list = {.arena = arena, .text = text};
    list.items =
        etna_arena_alloc(arena, SENTENCE_TOKENS_MAX, sizeof *list.items);
    list.failed = !list.items;
    tokens_take(&list);
    bool too_many = list.failed && list.count == SENTENCE_TOKENS_MAX;
    if (too_many)
        return etna_fail(err, ETNA_E_INPUT, "it has more than %d words",
                         SENTENCE_TOKENS_MAX);
    tokens_span(&list);
    if (!list.failed)
        list.count = labels_cut(list.items, list.count);
    if (!list.failed)
        tokens_write_out(&list, vocabulary);
    if (!list.failed)
        tokens_cut(&list, vocabulary);
    if (!list.failed)
        tokens_mend(&list, vocabulary);
    if (!list.failed)
        tokens_mend_its(&list);
    if (!list.failed)
        tokens_join(&list);
    if (list.failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a sentence");
    topics_join(list.items, list.count, vocabulary);
    return parts_find(&list, arena, ret, err);
}
