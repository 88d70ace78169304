/* See plain.h. */
#include "worker/agents/plain.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/provider/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_OF_ONE = 3
}; /* bytes that one character may become */

typedef struct pair {
    const char *from, *to;
} pair;

/* ---- characters ---- */

typedef struct span { /* characters first..last become `to`; "" drops them */
    uint32_t first, last;
    const char *to;
} span;

static const span spans[] = {
    {0x85, 0x85, "\n"},     {0xa0, 0xa0, " "},       {0xab, 0xab, "\""},
    {0xad, 0xad, ""},       {0xb4, 0xb4, "'"},       {0xb7, 0xb7, "*"},
    {0xbb, 0xbb, "\""},     {0x2000, 0x200a, " "},   {0x200b, 0x200f, ""},
    {0x2010, 0x2015, "-"},  {0x2018, 0x201b, "'"},   {0x201c, 0x201f, "\""},
    {0x2022, 0x2023, "*"},  {0x2026, 0x2026, "..."}, {0x2028, 0x2029, "\n"},
    {0x202a, 0x202e, ""},   {0x202f, 0x202f, " "},   {0x2032, 0x2032, "'"},
    {0x2033, 0x2033, "\""}, {0x2039, 0x2039, "<"},   {0x203a, 0x203a, ">"},
    {0x2043, 0x2043, "-"},  {0x205f, 0x205f, " "},   {0x2060, 0x2064, ""},
    {0x2190, 0x2190, "<-"}, {0x2192, 0x2192, "->"},  {0x2194, 0x2194, "->"},
    {0x21d2, 0x21d2, "=>"}, {0x27f6, 0x27f6, "->"},  {0x27a1, 0x27a1, "->"},
    {0x201a, 0x201a, "'"},  {0x2212, 0x2212, "-"},   {0x2248, 0x2248, "~"},
    {0x25aa, 0x25aa, "*"},  {0x25c1, 0x25c1, "<"},   {0x25b7, 0x25b7, ">"},
    {0x25cf, 0x25cf, "*"},  {0x25e6, 0x25e6, "*"},   {0x3000, 0x3000, " "},
    {0x3001, 0x3001, ","},  {0x3002, 0x3002, "."},   {0x3008, 0x3008, "<"},
    {0x3009, 0x3009, ">"},  {0x300a, 0x300a, "<"},   {0x300b, 0x300b, ">"},
    {0x300c, 0x300f, "\""}, {0x3010, 0x3010, "["},   {0x3011, 0x3011, "]"},
    {0x3014, 0x3014, "["},  {0x3015, 0x3015, "]"},   {0xfe00, 0xfe0f, ""},
    {0xfe63, 0xfe63, "-"},  {0xfeff, 0xfeff, ""},
};

/* The code point of valid UTF-8 of `length` bytes, 2 to 4. */
static uint32_t character(const char *text, size_t length)
{
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & lead[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* What the character becomes; NULL: it stays. `wide` has room for one that is
 * no text of the table. */
static const char *plain_become(uint32_t code, char wide[2])
{
    /* full-width forms, in ASCII's order */
    if (code >= 0xff01 && code <= 0xff5e) {
        wide[0] = (char)(code - 0xfee0);
        wide[1] = 0;
        return wide;
    }
    for (size_t i = 0; i < COUNT_OF(spans); i++) {
        if (code >= spans[i].first && code <= spans[i].last)
            return spans[i].to;
    }
    return NULL;
}

/* ---- escapes ---- */

/* And the tags that only break lines. */
static const pair entities[] = {{"&lt;", "<"},
                                {"&gt;", ">"},
                                {"&quot;", "\""},
                                {"&amp;", "&"},
                                {"&#39;", "'"},
                                {"&apos;", "'"},
                                {"&#34;", "\""},
                                {"&nbsp;", " "},
                                {"<br>", "\n"},
                                {"<br/>", "\n"},
                                {"<br />", "\n"},
                                {"&#x22;", "\""},
                                {"&#x27;", "'"},
                                {"&#x3c;", "<"},
                                {"&#x3e;", ">"},
                                {"&#60;", "<"},
                                {"&#62;", ">"},
                                {"<ul>", "\n"},
                                {"</ul>", "\n"},
                                {"<ol>", "\n"},
                                {"<answer>", "\n"},
                                {"</answer>", "\n"},
                                {"<response>", "\n"},
                                {"</response>", "\n"},
                                {"<details>", "\n"},
                                {"</details>", "\n"},
                                {"<summary>", "\n"},
                                {"</summary>", "\n"},
                                {"<final_answer>", "\n"},
                                {"</final_answer>", "\n"},
                                {"</ol>", "\n"},
                                {"<li>", "\n"},
                                {"</li>", "\n"},
                                {"<p>", "\n"},
                                {"</p>", "\n"},
                                {"<h1>", "\n"},
                                {"</h1>", "\n"},
                                {"<h2>", "\n"},
                                {"</h2>", "\n"},
                                {"<h3>", "\n"},
                                {"</h3>", "\n"},
                                {"<h4>", "\n"},
                                {"</h4>", "\n"}};

/* NULL: none begins there. */
static const pair *entity_at(const char *text)
{
    if (*text != '&' && *text != '<')
        return NULL;
    for (size_t i = 0; i < COUNT_OF(entities); i++) {
        if (strncasecmp(text, entities[i].from, strlen(entities[i].from)) == 0)
            return &entities[i];
    }
    return NULL;
}

/* "&#91;", "&#x5b;": a character of ASCII by its number. Returns how long that
 * is; 0: it is none. */
static size_t numbered_entity(const char *text, char *ret)
{
    enum {
        PRINTABLE = 0x20,
        BEYOND = 0x7f,
        DIGITS_MAX = 4
    };
    if (text[0] != '&' || text[1] != '#')
        return 0;
    bool is_hex = text[2] == 'x' || text[2] == 'X';
    const char *digits = text + 2 + is_hex;
    size_t count =
        strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (count == 0 || count > DIGITS_MAX || digits[count] != ';')
        return 0;
    unsigned long code = strtoul(digits, NULL, is_hex ? 16 : 10);
    if (code < PRINTABLE || code >= BEYOND)
        return 0;
    *ret = (char)code;
    return (size_t)(digits + count + 1 - text);
}

/* Markdown's escape of a character that would mean something there. JSON has
 * none of these. */
static bool is_escape(const char *text)
{
    return text[0] == '\\' && text[1] && strchr("[]_*<>#`-.(){}~|+!", text[1]);
}

/* <|constraints|>: a part's mark in the signs of a token. */
static bool is_mark_token(const char *text, size_t size)
{
    static const char *const names[] = {
        "constraints", "updated_instruction", "coordinate", "evaluation",
        "finished",    "impossible",          "unreadable", "completion",
        "list_item"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        size_t length = strlen(names[i]);
        if (size >= length &&
            strncasecmp(text + size - length, names[i], length) == 0)
            return true;
    }
    return false;
}

/* <|end|> and the like: what a server's template should have taken out. */
static size_t token_at(const char *text)
{
    enum {
        TOKEN_MAX = 40
    };
    static const char data[] = "<![CDATA[", data_end[] = "]]></";
    if (strncmp(text, data, sizeof data - 1) == 0)
        return sizeof data - 1;
    if (strncmp(text, data_end, sizeof data_end - 1) == 0)
        return sizeof data_end - 3;
    if (strncmp(text, "<|", 2) != 0)
        return 0;
    for (size_t i = 2; i < TOKEN_MAX && text[i] && !strchr("\n ", text[i]);
         i++) {
        if (text[i] == '|' && text[i + 1] == '>')
            return is_mark_token(text + 2, i - 2) ? 0 : i + 2;
    }
    return 0;
}

/* ESC [ 1 m: what colours a terminal. */
static size_t colour_at(const char *text)
{
    if (text[0] != 0x1b || text[1] != '[')
        return 0;
    size_t size = 2 + strspn(text + 2, "0123456789;");
    return text[size] == 'm' ? size + 1 : 0;
}

/* ---- thoughts ---- */

static const pair thoughts[] = {{"<think>", "</think>"},
                                {"<thinking>", "</thinking>"},
                                {"<thought>", "</thought>"},
                                {"<thoughts>", "</thoughts>"},
                                {"<reasoning>", "</reasoning>"},
                                {"<reflection>", "</reflection>"},
                                {"<analysis>", "</analysis>"},
                                {"<scratchpad>", "</scratchpad>"},
                                {"<seed:think>", "</seed:think>"},
                                {"[think]", "[/think]"},
                                {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
                                {"<|begin_of_thought|>", "<|end_of_thought|>"},
                                {"<|channel|>analysis<|message|>", "<|end|>"}};
enum {
    THOUGHTS = COUNT_OF(thoughts)
};

/* In any case; NULL: it does not stand there. */
static const char *find_after(const char *text, const char *wanted)
{
    const char *found = strcasestr(text, wanted);
    return found ? found + strlen(wanted) : NULL;
}

static bool is_nothing(const char *text)
{
    return text[strspn(text, " \t\r\n")] == 0;
}

/* Where the answer begins: behind an end of thoughts whose beginning a server's
 * template has eaten, and in the last channel of a model that has several. */
static const char *answer_start(const char *text)
{
    static const char final_channel[] = "<|channel|>final<|message|>";
    const char *start = text;
    for (const char *at = find_after(text, final_channel); at;
         at = find_after(at, final_channel))
        start = at;
    for (size_t i = 0; i < THOUGHTS && start == text; i++) {
        if (strncmp(thoughts[i].to, "<|", 2) == 0)
            continue; /* a token that ends other things, too */
        const char *begin = strcasestr(text, thoughts[i].from);
        const char *end = find_after(text, thoughts[i].to);
        bool is_lone = end && (!begin || begin > end);
        if (is_lone && !is_nothing(end))
            start = end;
    }
    return start;
}

typedef struct plain_writer {
    char *text;
    uint32_t *at;
    uint8_t *width;
    size_t used;
    bool endless[THOUGHTS]; /* no end of that kind comes any more */
} plain_writer;

/* How long a thought is that begins here. Of one that never ends only the mark:
 * what follows is all there is. */
static size_t thought_at(plain_writer *w, const char *text)
{
    if (*text != '<' && *text != '[' && (unsigned char)*text != 0xe2)
        return 0;
    for (size_t i = 0; i < THOUGHTS; i++) {
        size_t mark = strlen(thoughts[i].from);
        if (strncasecmp(text, thoughts[i].from, mark) != 0)
            continue;
        const char *end =
            w->endless[i] ? NULL : find_after(text + mark, thoughts[i].to);
        if (end)
            return (size_t)(end - text);
        w->endless[i] = true;
        return mark;
    }
    return 0;
}

/* ---- all of it ---- */

/* All bytes of what one character became point to where that stood. Only the
 * first has its width, so that widths add up to what was written
 * (plain_written). */
static void plain_put(
    plain_writer *w, const char *bytes, size_t count, size_t at, size_t width)
{
    for (size_t i = 0; i < count; i++) {
        w->text[w->used] = bytes[i];
        w->at[w->used] = (uint32_t)at;
        w->width[w->used] = i == 0 ? (uint8_t)width : 0;
        w->used++;
    }
}

/* The character or escape at `i`; returns how many bytes it was. From the rarer
 * forms to the plain character. An invalid byte goes through as it is; what is
 * made of the text is checked later. */
static size_t put_one(plain_writer *w,
                      const char *written,
                      size_t size,
                      size_t i)
{
    const char *here = written + i;
    const pair *entity = entity_at(here);
    if (entity) {
        plain_put(w, entity->to, 1, i, strlen(entity->from));
        return strlen(entity->from);
    }
    char numbered;
    size_t entity_size = numbered_entity(here, &numbered);
    if (entity_size) {
        plain_put(w, &numbered, 1, i, entity_size);
        return entity_size;
    }
    if (is_escape(here)) {
        plain_put(w, here + 1, 1, i, 2);
        return 2;
    }
    if (*here == '\r') {
        size_t length = here[1] == '\n' ? 2 : 1;
        plain_put(w, "\n", 1, i, length);
        return length;
    }
    size_t length = text_utf8_length(here, size - i);
    char wide[2];
    const char *to =
        length > 1 ? plain_become(character(here, length), wide) : NULL;
    if (length == 0)
        length = 1;
    if (to) {
        plain_put(w, to, strlen(to), i, length);
    } else {
        for (size_t k = 0; k < length; k++)
            plain_put(w, here + k, 1, i + k, 1);
    }
    return length;
}

/* How long the number is that counts line `line` at its beginning: "3: " or "3|
 * ". 0: it is not counted so. */
static size_t line_number(const char *text, unsigned line)
{
    unsigned number = 0;
    size_t size = strspn(text, " ");
    const size_t digits = size;
    for (; ascii_is_digit(text[size]) && size < digits + 4; size++)
        number = 10 * number + (unsigned)(text[size] - '0');
    bool is_counted = size > digits && number == line;
    if (!is_counted || !text_is_in(text[size], ":|"))
        return 0;
    return size + 1 + (text[size + 1] == ' ');
}

/* Every line begins with its number, and there are several: a listing. */
static bool has_line_numbers(const char *text)
{
    enum {
        LEAST = 3
    };
    unsigned line = 0;
    while (*text) {
        size_t size = strcspn(text, "\n");
        if (!line_number(text, line + 1))
            return false;
        line++;
        text += size + (text[size] == '\n');
    }
    return line >= LEAST;
}

static bool is_plain_letter(char c)
{
    return ascii_is_letter(c) || c == '_';
}

/* The bytes of a template's token; 0: none is there. Between two words it parts
 * them: "ray_probe<|channel|>commentary". */
static size_t plain_skip_token(plain_writer *w, const char *written, size_t at)
{
    const size_t skipped = token_at(written + at);
    const bool behind_word =
        w->used > 0 && is_plain_letter(w->text[w->used - 1]);
    if (skipped && behind_word && is_plain_letter(written[at + skipped]))
        plain_put(w, " ", 1, at, 0);
    return skipped;
}

/* The text as a reader of ASCII sees it: typographic signs, entities, thoughts,
 * template tokens and line numbers gone or replaced, with the way back to what
 * was written. ETNA_E_INPUT: too long. */
etna_code plain_make(const char *written,
                     etna_arena *arena,
                     plain *ret,
                     etna_error *err)
{
    size_t size = strlen(written);
    if (size >= UINT32_MAX / MOST_OF_ONE)
        return etna_fail(err, ETNA_E_INPUT, "it is too long");
    plain_writer w = {.text = etna_arena_alloc(arena, size + 1, 1),
                      .at = etna_arena_alloc(arena, size + 1, sizeof *w.at),
                      .width = etna_arena_alloc(arena, size + 1, 1)};
    if (!w.text || !w.at || !w.width)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading an answer");
    bool is_listing = has_line_numbers(written);
    unsigned line = 1;
    for (size_t i = (size_t)(answer_start(written) - written); i < size;) {
        bool begins = is_listing && (i == 0 || written[i - 1] == '\n');
        if (begins)
            i += line_number(written + i, line++);
        if (i >= size)
            break;
        size_t skipped = thought_at(&w, written + i);
        if (!skipped)
            skipped = plain_skip_token(&w, written, i);
        if (!skipped)
            skipped = colour_at(written + i);
        i += skipped ? skipped : put_one(&w, written, size, i);
    }
    w.at[w.used] = (uint32_t)size;
    *ret = (plain){.written = written,
                   .text = w.text,
                   .size = w.used,
                   .at = w.at,
                   .width = w.width};
    return ETNA_OK;
}

/* Shares the arrays of p. */
plain plain_part(const plain *p, size_t from, size_t to)
{
    assert(from <= to && to <= p->size);
    return (plain){.written = p->written,
                   .text = p->text + from,
                   .size = to - from,
                   .at = p->at + from,
                   .width = p->width + from};
}

/* As it was written, e.g. with its typographic quotes; NULL: out of memory. */
char *plain_written(const plain *p, size_t from, size_t to, etna_arena *arena)
{
    assert(from <= to && to <= p->size);
    size_t size = 0;
    for (size_t i = from; i < to; i++)
        size += p->width[i];
    char *copy = etna_arena_alloc(arena, size + 1, 1);
    if (!copy)
        return NULL;
    size_t used = 0;
    for (size_t i = from; i < to; i++) {
        memcpy(copy + used, p->written + p->at[i], p->width[i]);
        used += p->width[i];
    }
    return copy;
}

static bool is_around(char c)
{
    return text_is_in(c, "\"'`*<> \t\n");
}

/* Folded for comparison: lower case, one blank for any run of blanks, '_' and
 * '-', nothing around it. NULL: out of memory. */
char *plain_name(const char *name, etna_arena *arena)
{
    plain p;
    if (plain_make(name, arena, &p, NULL) != ETNA_OK)
        return NULL;
    char *folded = etna_arena_alloc(arena, p.size + 1, 1);
    if (!folded)
        return NULL;
    size_t from = 0, to = p.size, used = 0;
    while (from < to && is_around(p.text[from]))
        from++;
    while (to > from && is_around(p.text[to - 1]))
        to--;
    for (size_t i = from; i < to; i++) {
        bool gap = text_is_in(p.text[i], " \t\n_-");
        if (gap && used > 0 && folded[used - 1] == ' ')
            continue;
        folded[used++] = gap ? ' ' : ascii_lower(p.text[i]);
    }
    return folded;
}

/* Three words or more, one of which joins others; a name has none of those. */
bool plain_is_prose(const char *text)
{
    enum {
        LEAST = 3
    };
    static const char *const joints[] = {
        "the", "is", "on",  "in", "at",  "to",    "of",   "it", "its",
        "so",  "as", "for", "be", "was", "where", "with", "and"};
    size_t words = 0;
    bool joins = false;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t size = strcspn(text, " ");
        for (size_t i = 0; i < COUNT_OF(joints); i++)
            joins = joins || (strlen(joints[i]) == size &&
                              strncasecmp(text, joints[i], size) == 0);
        words++;
        text += size;
    }
    return joins && words >= LEAST;
}

/* One letter too many or too few, one vowel for another, or two that changed
 * places, in a word of 7 letters or more: shorter ones would collide with real
 * words. */
bool plain_is_slip(const char *word, size_t size, const char *name)
{
    enum {
        LONG = 7
    };
    size_t length = strlen(name);
    size_t same = 0, tail = 0;
    if (size < LONG || size + 1 < length || size > length + 1)
        return false;
    while (same < size && same < length && (word[same] | 0x20) == name[same])
        same++;
    while (tail < size - same && tail < length - same &&
           (word[size - 1 - tail] | 0x20) == name[length - 1 - tail])
        tail++;
    size_t wrong = size - same - tail;
    size_t missing = length - same - tail;
    if (size != length)
        return wrong + missing == 1;
    static const char vowels[] = "aeiou";
    if (wrong == 1) /* "excellant" */
        return text_is_in(word[same] | 0x20, vowels) &&
               text_is_in(name[same], vowels);
    return wrong == 2 && (word[same] | 0x20) == name[same + 1] &&
           (word[same + 1] | 0x20) == name[same];
}
