/* See markup.h. A line at a time; of a list beneath a name the lines that
 * follow are the name's. */
#include "worker/agents/markup.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/heads.h"
#include "worker/provider/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* bytes that a line may grow by */
enum {
    NAME_BYTES = 32,
    CELLS_MAX = 12,
    GROWTH = 16
};

typedef struct span {
    const char *at;
    size_t size;
} span;

typedef struct markup {
    markup_name is_name;
    char *out;
    size_t used, room;
    /* the last line is a name, and nothing was said behind it yet */
    bool is_open;
    bool in_table; /* rows of one came before */
    /* of a table: the columns, by bits, whose heading says that they are
     * none */
    uint32_t remarks;
} markup;

static bool is_letter(char c)
{
    return ascii_is_letter(c) || c == '_';
}

/* What does not fit is dropped: the room was reckoned for the worst case. */
static void markup_put(markup *m, const char *bytes, size_t size)
{
    if (size > m->room - m->used)
        size = m->room - m->used;
    memcpy(m->out + m->used, bytes, size);
    m->used += size;
}

static void put_text(markup *m, const char *text)
{
    markup_put(m, text, strlen(text));
}

/* Without the signs at both ends. */
static span trimmed(span s, const char *signs)
{
    const size_t from = text_skip(s.at, 0, s.size, signs);
    const size_t end = text_skip_back(s.at, from, s.size, signs);
    return (span){s.at + from, end - from};
}

static span behind(span s, size_t count)
{
    return (span){s.at + count, s.size - count};
}

/* How long the name is that begins there; 0: there is none. */
static size_t name_at(const markup *m, span s)
{
    char name[NAME_BYTES];
    size_t size = 0;
    while (size < s.size && size + 1 < sizeof name && is_letter(s.at[size])) {
        name[size] = s.at[size];
        size++;
    }
    name[size] = 0;
    return size > 0 && m->is_name(name) ? size : 0;
}

/* Is there a sign of the set at i with a blank behind it? */
static bool is_sign_at(span s, size_t i, const char *signs)
{
    return i + 1 < s.size && text_is_in(s.at[i], signs) &&
           text_is_in(s.at[i + 1], " \t");
}

/* "- ", "* ", "1. ", "2) ", "(3) " and emphasis. *ret_is_bullet: it is an item
 * of a list. */
static span without_bullet(span s, bool *ret_is_bullet)
{
    s = trimmed(s, " \t");
    size_t i = s.size > 0 && s.at[0] == '(' ? 1 : 0;
    size_t from = i;
    while (i < s.size && ascii_is_digit(s.at[i]))
        i++;
    bool is_numbered = i > from && is_sign_at(s, i, ".)");
    bool is_signed = is_sign_at(s, 0, "-*+>");
    *ret_is_bullet = is_numbered || is_signed;
    if (is_numbered)
        s = behind(s, i + 1);
    if (is_signed)
        s = behind(s, 1);
    while (s.size > 0 && text_is_in(s.at[0], " \t*#`"))
        s = behind(s, 1);
    return s;
}

/* Past signs of the set, from i on. */
static size_t skip_in(span s, size_t i, const char *signs)
{
    return text_skip(s.at, i, s.size, signs);
}

/* "Constraint 3:" before a row. */
static span without_number(span s)
{
    static const char word[] = "constraint";
    size_t i = sizeof word - 1;
    bool is_meant = s.size > i && strncasecmp(s.at, word, i) == 0;
    if (!is_meant)
        return s;
    size_t from = skip_in(s, i, " #");
    i = skip_in(s, from, "0123456789");
    if (i == from)
        return s;
    i = skip_in(s, i, "*`");
    bool is_number = i < s.size && text_is_in(s.at[i], ":.)");
    return is_number ? trimmed(behind(s, i + 1), " \t*") : s;
}

/* Emphasis and ticks go: they stand around names and values. */
static void put_plainly(markup *m, span s)
{
    for (size_t i = 0; i < s.size; i++) {
        const bool before = i > 0 && s.at[i - 1] == '*';
        const bool behind = i + 1 < s.size && s.at[i + 1] == '*';
        const bool is_bold = s.at[i] == '*' && (before || behind);
        if (!is_bold && s.at[i] != '`')
            markup_put(m, s.at + i, 1);
    }
}

/* "down at (x, y)", "down on P": the word between stands for a comma. Returns
 * how long the first word and that are. */
static size_t put_joined(markup *m, span s)
{
    static const char *const faces[] = {"down",   "bottom", "base",
                                        "center", "centre", "middle",
                                        "side",   "up",     "top"};
    static const char *const joints[] = {"at",   "on",      "to",      "with",
                                         "near", "against", "touches", "of"};
    for (size_t f = 0; f < COUNT_OF(faces); f++) {
        size_t size = strlen(faces[f]);
        if (s.size <= size || strncasecmp(s.at, faces[f], size) != 0 ||
            s.at[size] != ' ')
            continue;
        for (size_t j = 0; j < COUNT_OF(joints); j++) {
            size_t length = strlen(joints[j]);
            size_t all = size + 1 + length;
            bool is_joint =
                s.size > all &&
                strncasecmp(s.at + size + 1, joints[j], length) == 0 &&
                s.at[all] == ' ';
            if (!is_joint)
                continue;
            markup_put(m, s.at, size);
            put_text(m, ",");
            return all;
        }
    }
    return 0;
}

/* "Contact: down, P", with '=' or a dash for the colon. False: the line is
 * none. */
static bool put_named(markup *m, span line, size_t name)
{
    size_t i = text_skip(line.at, name, line.size, " \t*`");
    bool is_dash =
        i + 1 < line.size && line.at[i] == '-' && line.at[i + 1] == ' ';
    bool is_sign = i < line.size && text_is_in(line.at[i], ":=");
    if (!is_dash && !is_sign)
        return false;
    span rest = trimmed(behind(line, i + 1), " \t*>");
    markup_put(m, line.at, name);
    put_text(m, ": ");
    put_plainly(m, behind(rest, put_joined(m, rest)));
    m->is_open = rest.size == 0;
    return true;
}

/* ---- tables ---- */

/* Nothing, a rule beneath a heading, or a word for nothing. */
static bool is_rule(span cell)
{
    bool is_none = (cell.size == 3 && strncasecmp(cell.at, "n/a", 3) == 0) ||
                   (cell.size == 4 && strncasecmp(cell.at, "none", 4) == 0);
    if (is_none)
        return true;
    for (size_t i = 0; i < cell.size; i++) {
        if (!text_is_in(cell.at[i], "-: \t"))
            return false;
    }
    return true;
}

/* More than CELLS_MAX are dropped. */
static uint32_t cells_of(span line, span cells[CELLS_MAX])
{
    uint32_t count = 0;
    for (size_t i = 0, from = 0; i <= line.size && count < CELLS_MAX; i++) {
        if (i < line.size && line.at[i] != '|')
            continue;
        cells[count++] = trimmed((span){line.at + from, i - from}, " \t*`");
        from = i + 1;
    }
    return count;
}

/* "| Constraint | Arguments | Reason |". */
static uint32_t remark_columns(const span *cells, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        char name[NAME_BYTES];
        if (cells[i].size >= sizeof name)
            continue;
        memcpy(name, cells[i].at, cells[i].size);
        name[cells[i].size] = 0;
        found |= heads_is_remark(name) ? 1u << i : 0;
    }
    return found;
}

/* A row with a name in one of its first two cells; headings and rules are left
 * out. */
static void put_table_row(markup *m, span line)
{
    span cells[CELLS_MAX];
    uint32_t count = cells_of(trimmed(line, " \t|"), cells);
    uint32_t first = 0;
    while (first < count && first < 2 &&
           name_at(m, trimmed(cells[first], "\"'[")) == 0)
        first++;
    if (first == 2 || first == count) {
        const uint32_t remarks = remark_columns(cells, count);
        m->remarks = remarks ? remarks : m->remarks;
        bool is_row = m->in_table && !is_rule(trimmed(line, "| -:"));
        if (is_row) { /* of no name that is known: it is not passed over */
            put_text(m, "[\"");
            put_plainly(m, trimmed(cells[0], "\"'[]"));
            put_text(m, "\"],");
        }
        return;
    }
    cells[first] = trimmed(cells[first], "\"'[]");
    m->in_table = true;
    put_text(m, "[");
    for (uint32_t i = first; i < count; i++) {
        if (is_rule(cells[i]) || (m->remarks & 1u << i))
            continue;
        if (i > first)
            put_text(m, ",");
        put_plainly(m, cells[i]);
    }
    put_text(m, "],");
}

/* ---- tags ---- */

static const char *tag_end(span s)
{
    return memchr(s.at, '>', s.size);
}

/* What stands in a tag's content: its own tags stand for commas. */
static void put_content(markup *m, span s)
{
    bool within = false;
    for (size_t i = 0; i < s.size; i++) {
        if (s.at[i] == '<')
            within = true;
        if (!within)
            markup_put(m, s.at + i, 1);
        if (within && s.at[i] == '>') {
            put_text(m, ",");
            within = false;
        }
    }
}

/* <Contact face="down" plane="P"/>, <Contact>down, P</Contact>. */
static void put_named_tag(markup *m, span line, size_t name)
{
    const char *shut = tag_end(line);
    span attributes = {line.at + 1 + name, (size_t)(shut - line.at) - 1 - name};
    span content = {shut + 1, line.size - (size_t)(shut + 1 - line.at)};
    markup_put(m, line.at + 1, name);
    put_text(m, "(");
    markup_put(m, attributes.at, trimmed(attributes, "/").size);
    if (content.size > 0)
        put_text(m, " ");
    put_content(m, content);
    put_text(m, "),");
}

/* What stands between the tag that ends at `shut` and the next closing one.
 * The whole where a row's kind is an attribute and its parts are tags. */
static span tag_content(span s, const char *shut)
{
    span inner = behind(s, (size_t)(shut + 1 - s.at));
    bool has_type = memchr(s.at, '=', (size_t)(shut - s.at)) != NULL;
    if (has_type && inner.size > 0 && inner.at[0] == '<')
        return s;
    const char *close =
        inner.size > 0 ? memmem(inner.at, inner.size, "</", 2) : NULL;
    if (close)
        inner.size = (size_t)(close - inner.at);
    return trimmed(inner, " \t");
}

/* Tags around rows: <constraint>, <item>, <li>. What they hold is left. */
static span without_tags(span line)
{
    static const char *const around[] = {"constraint", "item", "li", "row",
                                         "p",          "code", "ul", "ol"};
    span s = trimmed(line, " \t");
    for (size_t i = 0; i < COUNT_OF(around); i++) {
        size_t size = strlen(around[i]);
        bool opens = s.size > size + 1 && s.at[0] == '<' &&
                     strncasecmp(s.at + 1, around[i], size) == 0;
        if (!opens || is_letter(s.at[1 + size]) || !tag_end(s))
            continue;
        return tag_content(s, tag_end(s));
    }
    bool closes = s.size > 2 && s.at[0] == '<' && s.at[1] == '/';
    return closes ? (span){s.at, 0} : s;
}

/* ---- lines ---- */

/* A line of no list: a row of a table, what stands in a tag, a name with its
 * value, or a text. */
static void put_plain_line(markup *m, span line, span written, size_t name)
{
    size_t tag =
        line.size > 1 && line.at[0] == '<' ? name_at(m, behind(line, 1)) : 0;
    m->is_open = false;
    m->in_table = m->in_table && line.size > 0 && line.at[0] == '|';
    if (line.size > 0 && line.at[0] == '|') {
        put_table_row(m, line);
    } else if (tag && tag_end(line)) {
        put_named_tag(m, line, tag);
    } else if (!name || !put_named(m, line, name)) {
        bool is_changed = line.size > 0 && text_is_in(line.at[0], "[{(\"");
        span put_so = is_changed ? line : written;
        markup_put(m, put_so.at, put_so.size);
    }
}

/* "-- what moves": a comment, as some languages write it. */
static bool is_comment(span written)
{
    span line = trimmed(written, " \t");
    return line.size > 2 && memcmp(line.at, "--", 2) == 0 &&
           text_is_in(line.at[2], " \t");
}

/* One line of the answer in the form that loose.c reads: "Name: a, b". */
static void put_line(markup *m, span written)
{
    bool is_bullet = false;
    if (is_comment(written))
        return;
    span line =
        without_number(without_bullet(without_tags(written), &is_bullet));
    size_t name = name_at(m, line);
    if (m->is_open && is_bullet && !name) { /* a value of the name above */
        put_text(m, " ");
        put_plainly(m, line);
        put_text(m, ",");
        return;
    }
    /* LaTeX around the whole */
    bool is_rule_of_maths = trimmed(line, "$ ").size == 0 && line.size > 0;
    if (is_rule_of_maths)
        return;
    if (m->used > 0)
        put_text(m, "\n");
    put_plain_line(m, line, written, name);
}

/* \boxed{..} and the dollars around it. */
static span without_box(span s)
{
    static const char mark[] = "\\boxed{";
    span inner = trimmed(s, " \t\n$*");
    bool is_boxed = inner.size > sizeof mark &&
                    memcmp(inner.at, mark, sizeof mark - 1) == 0;
    if (!is_boxed || inner.at[inner.size - 1] != '}')
        return s;
    inner = behind(inner, sizeof mark - 1);
    inner.size--;
    return inner;
}

/* Tables, lists, headings and tags become plain lines. *ret is malloc'd; NULL:
 * out of memory. */
char *markup_lines(const char *text,
                   size_t size,
                   markup_name is_name,
                   size_t *ret_size)
{
    span all = without_box((span){text, size});
    size_t lines = 1;
    for (size_t i = 0; i < all.size; i++)
        lines += all.at[i] == '\n';
    markup m = {.is_name = is_name, .room = 2 * all.size + GROWTH * lines};
    m.out = malloc(m.room + 1);
    if (!m.out)
        return NULL;
    for (size_t i = 0, from = 0; i <= all.size; i++) {
        if (i < all.size && all.at[i] != '\n')
            continue;
        put_line(&m, (span){all.at + from, i - from});
        from = i + 1;
    }
    m.out[m.used] = 0;
    *ret_size = m.used;
    return m.out;
}
