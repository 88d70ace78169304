/* See heads.h. A copy of the text is cleaned of what says nothing, then cut at
 * the names. */
#include "worker/agents/heads.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HEADS_MAX = 64,
    NAME_BYTES = 32,
    TOKENS_MAX = 16
};

typedef struct head {
    size_t begin, end; /* of the name */
} head;

typedef struct heads {
    char *text; /* our copy */
    size_t size;
    markup_name is_name;
    head found[HEADS_MAX];
    uint32_t count;
    json_t *list; /* NULL: out of memory */
    bool has_dots;
} heads;

/* Letters of any script count. */
static bool heads_is_wordy(char c)
{
    return ascii_is_letter_or_beyond(c) || ascii_is_digit(c) || c == '_';
}

/* Members that say why, and ask for nothing. */
bool heads_is_remark(const char *key)
{
    static const char *const words[] = {
        "reason",      "why",       "comment", "note",     "explanation",
        "description", "rationale", "weight",  "priority", "confidence",
        "id",          "index",     "purpose", "thought",  "remark",
        "strength",    NULL};
    return loose_is_one(key, words);
}

/* Members that say what moves. */
bool heads_is_subject(const char *key)
{
    static const char *const words[] = {
        "object",        "object_name",  "name",    "target_object",
        "moving_object", "moved_object", "subject", NULL};
    return loose_is_one(key, words);
}

/* The word of letters, digits, '_' at `at`, cut to what fits. Returns where it
 * ends. */
static size_t heads_word(const heads *h, size_t at, char word[NAME_BYTES])
{
    size_t used = 0;
    for (; at < h->size && heads_is_wordy(h->text[at]); at++) {
        if (used + 1 < NAME_BYTES)
            word[used++] = h->text[at];
    }
    word[used] = 0;
    return at;
}

static size_t heads_skip(const heads *h,
                         size_t at,
                         size_t to,
                         const char *signs)
{
    at = text_skip(h->text, at, to, signs);
    return at;
}

/* ---- cleaning ---- */

/* Line ends stay: rows depend on them. */
static void heads_blank(heads *h, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < h->size; i++) {
        if (h->text[i] != '\n')
            h->text[i] = ' ';
    }
}

/* Where the value of a member ends that begins at `at`: a text's quote, else a
 * sign that ends members. */
static size_t heads_value_end(const heads *h, size_t at)
{
    char quote =
        at < h->size && text_is_in(h->text[at], "\"'") ? h->text[at] : 0;
    for (size_t i = at + 1; quote && i < h->size && h->text[i] != '\n'; i++) {
        bool ends =
            h->text[i] == quote && h->text[i - 1] != '\\' &&
            !ascii_is_letter_or_beyond(i + 1 < h->size ? h->text[i + 1] : 0);
        if (ends)
            return i + 1;
    }
    while (at < h->size && !text_is_in(h->text[at], "\n,}<|)"))
        at++;
    return at;
}

/* "reason": "..", weight=1.0, and XML's elements of these names. */
static void heads_drop_remarks(heads *h)
{
    char word[NAME_BYTES];
    for (size_t i = 0; i < h->size;) {
        if (!heads_is_wordy(h->text[i])) {
            i++;
            continue;
        }
        size_t end = heads_word(h, i, word);
        size_t at = heads_skip(h, end, h->size, " \t\"'*`");
        const bool opened = i > 0 && h->text[i - 1] == '<';
        const bool is_tag = opened && at < h->size && h->text[at] == '>';
        bool is_member = at < h->size && text_is_in(h->text[at], ":=");
        if (heads_is_remark(word) && (is_tag || is_member)) {
            end = heads_value_end(h, heads_skip(h, at + 1, h->size, " \t*"));
            heads_blank(h, i, end);
        }
        i = end;
    }
}

/* Lines that are put out of force: "// ..", "# [..". */
static void heads_drop_comments(heads *h)
{
    for (size_t i = 0; i < h->size;) {
        const char *end = memchr(h->text + i, '\n', h->size - i);
        size_t stop = end ? (size_t)(end - h->text) : h->size;
        size_t at = heads_skip(h, i, stop, " \t-*");
        size_t behind = heads_skip(h, at, stop, "# ");
        const bool marked = at < stop && h->text[at] == '#';
        const bool is_hash =
            marked && behind < stop && text_is_in(h->text[behind], "[({\"");
        const bool is_slashes =
            at + 1 < stop && h->text[at] == '/' && h->text[at + 1] == '/';
        if (is_hash || is_slashes)
            heads_blank(h, i, stop);
        i = stop + 1;
    }
}

/* "[[constraint]]" on a line of its own: TOML's sign of the next of several. */
static void heads_drop_tables(heads *h)
{
    char word[NAME_BYTES];
    for (size_t i = 0; i + 2 < h->size; i++) {
        bool opens = strncmp(h->text + i, "[[", 2) == 0 &&
                     ascii_is_letter_or_beyond(h->text[i + 2]);
        size_t end = opens ? heads_word(h, i + 2, word) : 0;
        if (opens && strncmp(h->text + end, "]]", 2) == 0)
            heads_blank(h, i, end + 2);
    }
}

/* "\text{", "\begin{aligned}", "\\". */
static void heads_drop_latex(heads *h)
{
    for (size_t i = 0; i + 1 < h->size; i++) {
        size_t end = i + 1;
        if (h->text[i] != '\\')
            continue;
        while (end < h->size && ascii_is_letter_or_beyond(h->text[end]))
            end++;
        bool is_part = strncmp(h->text + i, "\\begin{", 7) == 0 ||
                       strncmp(h->text + i, "\\end{", 5) == 0;
        const char *shut =
            is_part ? memchr(h->text + end, '}', h->size - end) : NULL;
        if (shut)
            end = (size_t)(shut - h->text) + 1;
        heads_blank(h, i, end > i + 1 ? end : i + 1);
    }
}

/* How many digits, a comma and digits stand there; 0: they do not. */
static size_t heads_comma_number(const heads *h, size_t at, size_t *ret_comma)
{
    size_t i = at;
    while (i < h->size && ascii_is_digit(h->text[i]))
        i++;
    if (i == at || i >= h->size || h->text[i] != ',')
        return 0;
    *ret_comma = i++;
    size_t digits = i;
    while (i < h->size && ascii_is_digit(h->text[i]))
        i++;
    return i > digits ? i - at : 0;
}

/* "[0,5; 0,25]": where semicolons part the numbers, their commas are points. */
static void heads_mend_commas(heads *h)
{
    for (size_t i = 0; i < h->size; i++) {
        size_t first, second;
        size_t size = heads_comma_number(h, i, &first);
        if (!size)
            continue;
        size_t at = heads_skip(h, i + size, h->size, " ");
        bool parted = at < h->size && h->text[at] == ';';
        at = parted ? heads_skip(h, at + 1, h->size, " +-") : at;
        if (!parted || !heads_comma_number(h, at, &second))
            continue;
        h->text[first] = '.';
        h->text[second] = '.';
        i = at;
    }
}

/* ---- names ---- */

/* All names of constraints in the text; "</Contact" is none. */
static void heads_find(heads *h)
{
    char word[NAME_BYTES];
    for (size_t i = 0; i < h->size && h->count < HEADS_MAX;) {
        if (!heads_is_wordy(h->text[i])) {
            i++;
            continue;
        }
        size_t end = heads_word(h, i, word);
        bool closes = i > 0 && h->text[i - 1] == '/';
        if (!closes && h->is_name(word))
            h->found[h->count++] = (head){i, end};
        i = end;
    }
}

/* What may stand before a name on its line: the wrapping of a row. */
static bool heads_is_wrapping(const char *word)
{
    static const char *const words[] = {
        "constraint", "constraints", "append",
        "add",        "c",           "row",
        "type",       "name",        "kind",
        "text",       "item",        "constraint_type",
        "function",   "li",          "tr",
        "td",         "th",          "constraint_name",
        "list",       "self",        "p",
        NULL};
    return loose_is_one(word, words) || word[strspn(word, "0123456789")] == 0;
}

/* Where the parts of the row before `next` end: at the last line's end before
 * it, if only wrapping stands behind that. */
static size_t heads_row_end(const heads *h, size_t from, size_t next)
{
    char word[NAME_BYTES];
    size_t line = next;
    while (line > from && h->text[line - 1] != '\n')
        line--;
    if (line == from)
        return next;
    for (size_t i = line; i < next;) {
        if (!heads_is_wordy(h->text[i])) {
            i++;
            continue;
        }
        i = heads_word(h, i, word);
        if (!heads_is_wrapping(word))
            return next;
    }
    return line;
}

/* ---- parts ---- */

typedef struct cut { /* reading one row's parts */
    heads *h;
    size_t at, to;
    json_t *row;
    unsigned depth;
    /* the row stands in brackets of its own: behind them its line is a
     * remark */
    bool is_bracketed;
    bool has_face;
} cut;

/* One part of a row, without signs around it; what has no letter or digit is
 * none. */
static void cut_text(cut *c, const char *text, size_t size)
{
    size = text_skip_back(text, 0, size, " \t*'.-");
    while (size > 0 && text_is_in(*text, " \t*'-"))
        text++, size--;
    bool says = false;
    for (size_t i = 0; i < size; i++)
        says = says || heads_is_wordy(text[i]);
    if (says)
        loose_append(&c->row, json_stringn(text, size));
}

/* "Desk_1 full_only" of a NoOverhang: how long the part before the mode is;
 * `size`: there is no mode. */
static size_t cut_before_mode(const cut *c, const char *text, size_t size)
{
    static const char *const modes[] = {"full_only", "center", "centre", NULL};
    const char *kind = json_string_value(json_array_get(c->row, 0));
    const char *gap = memrchr(text, ' ', size);
    if (!kind || !gap || !loose_same(kind, "NoOverhang"))
        return size;
    size_t rest = size - (size_t)(gap + 1 - text);
    for (const char *const *mode = modes; *mode; mode++) {
        if (strlen(*mode) == rest && strncasecmp(gap + 1, *mode, rest) == 0)
            return (size_t)(gap - text);
    }
    return size;
}

/* "down Desk_1", "down on Desk_1": the first word is a face where none was said
 * before. Returns what was taken. */
static size_t cut_face(cut *c, const char *text, size_t size)
{
    static const char *const faces[] = {"down", "bottom", "side",   "up",
                                        "top",  "center", "centre", NULL};
    static const char *const joints[] = {"at ", "on ",   "to ", "with ",
                                         "of ", "near ", NULL};
    for (const char *const *face = faces; !c->has_face && *face; face++) {
        size_t length = strlen(*face);
        if (size < length || strncasecmp(text, *face, length) != 0)
            continue;
        if (size > length && text[length] != ' ')
            continue;
        c->has_face = true;
        loose_append(&c->row, json_stringn(text, length));
        size_t used = length;
        while (used < size && text[used] == ' ')
            used++;
        for (const char *const *joint = joints; *joint; joint++) {
            size_t more = strlen(*joint);
            if (size - used > more &&
                strncasecmp(text + used, *joint, more) == 0)
                return used + more;
        }
        return used;
    }
    return 0;
}

/* A word with ':' or '=' behind it is a member's name and says nothing by
 * itself; "->" is an arrow. */
static bool cut_is_key(const cut *c, size_t end)
{
    size_t at = heads_skip(c->h, end, c->to, " \t\"'*`");
    bool is_arrow = at + 1 < c->to && c->h->text[at + 1] == '>';
    return at < c->to && text_is_in(c->h->text[at], ":=") && !is_arrow;
}

/* An apostrophe within a word does not, nor a single dash: names have both. */
static bool cut_ends_word(const cut *c, size_t at)
{
    const char *text = c->h->text + at;
    const bool dashed = at + 2 < c->to && text[0] == ' ' && text[1] == '-';
    const bool dash = dashed && text_is_in(text[2], " >");
    const bool mark = text[0] == '\'';
    const bool goes_on =
        mark && at + 1 < c->to && ascii_is_letter_or_beyond(text[1]);
    const bool quote =
        mark && !(goes_on && ascii_is_letter_or_beyond(text[-1]));
    return dash || quote || text_is_in(text[0], ",;|[](){}\"`<>=:\t\n\\");
}

/* Names may have spaces, so a word goes on to the next sign. A face before it
 * and a mode behind it are parts of their own. */
static void cut_word(cut *c)
{
    size_t begin = c->at;
    while (c->at < c->to && (c->at == begin || !cut_ends_word(c, c->at)))
        c->at++;
    if (cut_is_key(c, c->at))
        return;
    const char *text = c->h->text + begin;
    size_t size = c->at - begin;
    size = text_skip_back(text, 0, size, " \t");
    size_t face = cut_face(c, text, size);
    size_t mode = cut_before_mode(c, text, size);
    if (face > mode)
        face = mode;
    cut_text(c, text + face, mode - face);
    cut_text(c, text + mode, size - mode);
}

/* The unit that stands at `at`, behind a number: how long it is with the spaces
 * before it. */
static size_t cut_unit(const cut *c, size_t at)
{
    static const char *const units[] = {"%",      "cm",     "mm",      "metres",
                                        "meters", "m",      "degrees", "deg",
                                        "px",     "pixels", NULL};
    size_t from = heads_skip(c->h, at, c->to, " ");
    for (const char *const *unit = units; *unit; unit++) {
        size_t size = strlen(*unit);
        bool is_it = c->to - from >= size &&
                     strncasecmp(c->h->text + from, *unit, size) == 0;
        if (is_it &&
            (from + size == c->to || !heads_is_wordy(c->h->text[from + size])))
            return from + size - at;
    }
    return 0;
}

/* A number, with its unit as a text. False: what begins with a digit is a
 * word. */
static bool cut_number(cut *c)
{
    const char *text = c->h->text;
    size_t begin = c->at;
    size_t end = begin;
    end = text_skip(text, end, c->to, "+-~.0123456789");
    while (end > begin + 1 && text[end - 1] == '.')
        end--;
    char digits[NAME_BYTES];
    const bool fits = end - begin < sizeof digits;
    const bool goes_on = end < c->to && (ascii_is_letter_or_beyond(text[end]) ||
                                         text[end] == '_');
    if (!fits || (goes_on && !cut_unit(c, end)))
        return false;
    memcpy(digits, text + begin, end - begin);
    digits[end - begin] = 0;
    json_t *value = json_string(digits);
    double number;
    bool is_number = loose_number(value, NULL, &number);
    json_decref(value);
    if (!is_number)
        return false;
    size_t unit = cut_unit(c, end);
    c->at = end + unit;
    loose_append(&c->row,
                 unit ? json_sprintf("%s%.*s", digits, (int)unit, text + end)
                      : json_real(number));
    return true;
}

/* "2. ", "3) " at a line's start. */
static bool cut_bullet(cut *c)
{
    const char *text = c->h->text;
    size_t line = c->at;
    size_t end = c->at;
    line = text_skip_back(text, 0, line, " \t*");
    while (end < c->to && ascii_is_digit(text[end]))
        end++;
    bool starts = line == 0 || text[line - 1] == '\n';
    const bool numbered = starts && end > c->at && end + 1 < c->to;
    const bool is_bullet =
        numbered && text_is_in(text[end], ".)") && text[end + 1] == ' ';
    if (is_bullet)
        c->at = end + 1;
    return is_bullet;
}

/* Its name is dropped; attributes are read as parts. */
static void cut_tag(cut *c)
{
    const char *text = c->h->text;
    c->at++;
    if (c->at < c->to && text[c->at] == '/')
        c->at++;
    while (c->at < c->to && heads_is_wordy(text[c->at]))
        c->at++;
}

/* "[0.5, 0.25]", whose end may be missing: its numbers as one part. False: it
 * holds others. */
static bool cut_group(cut *c)
{
    cut inner = *c;
    inner.row = json_array();
    inner.at = heads_skip(c->h, c->at + 1, c->to, " ");
    bool has_number = false;
    while (inner.row && inner.at < c->to &&
           !text_is_in(c->h->text[inner.at], "])\n")) {
        size_t at = inner.at;
        inner.at = heads_skip(c->h, at, c->to, " ,;\"'");
        if (inner.at > at)
            continue;
        if (!text_is_in(c->h->text[at], "+-~.0123456789") ||
            !cut_number(&inner))
            break;
        has_number = true;
    }
    bool ends = inner.at >= c->to || text_is_in(c->h->text[inner.at], "])\n");
    if (!inner.row)
        json_decref(c->row);
    if (!inner.row)
        c->row = NULL;
    if (!inner.row || !has_number || !ends) {
        json_decref(inner.row);
        return false;
    }
    loose_append(&c->row, inner.row);
    c->at = inner.at + (inner.at < c->to && c->h->text[inner.at] != '\n');
    return true;
}

/* "not needed", "or ..": what takes a row back is no remark on it. */
static bool cut_is_denial(const char *word)
{
    static const char *const words[] = {
        "not",     "no",    "never",       "or",     "instead", "remove",
        "removed", "skip",  "skipped",     "unless", "without", "drop",
        "dropped", "wrong", "unnecessary", "isn",    "don",     NULL};
    return loose_is_one(word, words);
}

/* Behind a row's last bracket: a remark in plain words up to the line's end.
 * What could be another row is none. */
static size_t cut_remark(const cut *c, size_t at)
{
    char word[NAME_BYTES];
    at = heads_skip(c->h, at, c->to, " ,;.])}*`");
    for (size_t i = at; i < c->to && c->h->text[i] != '\n';) {
        size_t end = heads_word(c->h, i, word);
        if (text_is_in(c->h->text[i], "[]{}\"~") ||
            (end > i && cut_is_denial(word)))
            return at;
        i = end > i ? end : i + 1;
    }
    while (at < c->to && c->h->text[at] != '\n')
        at++;
    return at;
}

/* After the bracket that closes the row what follows on the line may only be a
 * remark. */
static void cut_bracket(cut *c)
{
    bool opens = text_is_in(c->h->text[c->at], "[({");
    if (opens && c->h->text[c->at] != '{' && cut_group(c))
        return;
    if (opens)
        c->depth++;
    bool closes_row = !opens && c->depth == 1 && c->is_bracketed;
    if (!opens && c->depth > 0)
        c->depth--;
    c->at = closes_row ? cut_remark(c, c->at + 1) : c->at + 1;
}

/* Whatever stands next. Dots and struck-out text refuse the whole reading
 * (has_dots): something is missing or was not meant. */
static void cut_part(cut *c)
{
    char here = c->h->text[c->at];
    bool is_dots = strncmp(c->h->text + c->at, "...", 3) == 0;
    /* what is struck out was not meant */
    bool is_struck = strncmp(c->h->text + c->at, "~~", 2) == 0;
    if (is_dots || is_struck)
        c->h->has_dots = true;
    bool is_signed = text_is_in(here, "+-.~") && c->at + 1 < c->to &&
                     text_is_in(c->h->text[c->at + 1], ".0123456789");
    if (is_dots || text_is_in(here, " \t\n,;|\"'`=:>*#&$\\")) {
        c->at++;
    } else if (text_is_in(here, "[](){}")) {
        cut_bracket(c);
    } else if (here == '<') {
        cut_tag(c);
    } else if (ascii_is_digit(here) && cut_bullet(c)) {
        return;
    } else if (!(ascii_is_digit(here) || is_signed) || !cut_number(c)) {
        cut_word(c);
    }
}

/* From a name to the next one, at most TOKENS_MAX parts. */
static json_t *cut_row(heads *h, uint32_t which)
{
    const head *at = &h->found[which];
    size_t next = which + 1 < h->count ? h->found[which + 1].begin : h->size;
    size_t before = at->begin;
    before = text_skip_back(h->text, 0, before, " \"'`\\*");
    bool opened = before > 0 && text_is_in(h->text[before - 1], "[(");
    bool calls = at->end < h->size && h->text[at->end] == '(';
    cut c = {.h = h,
             .at = at->end,
             .to = heads_row_end(h, at->end, next),
             .depth = opened,
             .is_bracketed = opened || calls};
    c.row = json_array();
    loose_append(&c.row,
                 json_stringn(h->text + at->begin, at->end - at->begin));
    while (c.at < c.to && json_array_size(c.row) < TOKENS_MAX)
        cut_part(&c);
    return c.row;
}

/* ---- before the first name ---- */

/* "object": "Cup", or ["Object", "Cup"], before the rows: what moves, where no
 * row says it. */
static json_t *heads_subject(heads *h)
{
    char word[NAME_BYTES];
    size_t to = h->found[0].begin;
    for (size_t i = 0; i < to;) {
        if (!heads_is_wordy(h->text[i])) {
            i++;
            continue;
        }
        size_t end = heads_word(h, i, word);
        size_t at = heads_skip(h, end, to, " \t\"'`*:=,>-|");
        if (heads_is_subject(word) && at > end && at < to) {
            cut c = {.h = h,
                     .at = at,
                     .to = to,
                     .row = json_array(),
                     .has_face = true};
            loose_append(&c.row, json_string("ObjectName"));
            cut_word(&c);
            return c.row;
        }
        i = end;
    }
    return NULL;
}

/* "PlaneName", "contactSide": what an argument is called. */
static bool heads_is_argument(const char *word)
{
    static const char *const parts[] = {
        "name",  "object", "plane", "side",  "face",    "point",
        "coord", "pixel",  "mode",  "type",  "camera",  "anchor",
        "kind",  "pix",    "value", "angle", "overhang"};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strcasestr(word, parts[i]))
            return true;
    }
    return false;
}

/* "FarFrom": written like a constraint, but none that exists. An answer with it
 * must be refused, not read without it. */
bool heads_is_invented(const char *word)
{
    bool is_camel = false;
    for (size_t i = 1; word[0] >= 'A' && word[0] <= 'Z' && word[i]; i++) {
        bool is_inner = word[i] >= 'A' && word[i] <= 'Z' && word[i - 1] >= 'a';
        is_camel = is_camel || is_inner;
    }
    bool is_known = heads_is_wrapping(word) || heads_is_remark(word) ||
                    heads_is_subject(word);
    return is_camel && !is_known && !heads_is_argument(word);
}

/* Does a line begin with one? What it asks for would be lost. */
static bool heads_has_unknown(const heads *h)
{
    for (size_t line = 0; line < h->size; line++) {
        char word[NAME_BYTES];
        size_t at = heads_skip(h, line, h->size, " \t-*+>|#\"'`[(.0123456789)");
        size_t end = heads_word(h, at, word);
        size_t behind = heads_skip(h, end, h->size, " \"'*`");
        bool is_head = behind < h->size && text_is_in(h->text[behind], ":=(|,");
        if (is_head && !h->is_name(word) && heads_is_invented(word))
            return true;
        const char *next = memchr(h->text + line, '\n', h->size - line);
        line = next ? (size_t)(next - h->text) : h->size;
    }
    return false;
}

/* Then no subject is looked for outside of the rows. */
static bool heads_names_object(const heads *h)
{
    char word[NAME_BYTES];
    for (uint32_t i = 0; i < h->count; i++) {
        heads_word(h, h->found[i].begin, word);
        if (strncasecmp(word, "object", 6) == 0)
            return true;
    }
    return false;
}

/* The subject first, as the prompts' form has it. */
static void heads_collect(heads *h)
{
    h->list = json_array();
    json_t *subject = heads_names_object(h) ? NULL : heads_subject(h);
    if (subject)
        loose_append(&h->list, subject);
    for (uint32_t i = 0; i < h->count; i++) {
        json_t *row = cut_row(h, i);
        loose_append(&h->list, row);
    }
}

/* The last resort among the readers: cleans the text of what says nothing and
 * cuts it at the names. *ret: an array of rows, for rows.c to bring into
 * form. */
etna_code heads_read(const char *text,
                     size_t size,
                     markup_name is_name,
                     json_t **ret,
                     etna_error *err)
{
    heads h = {.text = malloc(size + 1), .size = size, .is_name = is_name};
    if (!h.text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for constraints");
    if (!etna_utf8_valid(text, size))
        h.size = 0;
    memcpy(h.text, text, h.size);
    h.text[h.size] = 0;
    heads_drop_comments(&h);
    heads_drop_remarks(&h);
    heads_drop_tables(&h);
    heads_drop_latex(&h);
    heads_mend_commas(&h);
    heads_find(&h);
    if (h.count > 0)
        heads_collect(&h);
    const bool is_whole = !h.has_dots && !heads_has_unknown(&h);
    free(h.text);
    const bool is_read = h.count > 0 && h.list && is_whole;
    if (is_read) {
        *ret = h.list;
        return ETNA_OK;
    }
    json_decref(h.list);
    if (h.count > 0 && !h.list)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for constraints");
    return etna_fail(err, ETNA_E_INPUT, "no constraint is named there");
}
