/* See block.h. A mark's words are compared by their letters alone, so that
 * "[END OF UPDATED INSTRUCTION]" and "</updated_instruction>" are one. */
#include "worker/agents/block.h"
#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/provider/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    WORDS_MAX = 48
}; /* bytes between a mark's brackets */

static bool block_is_letter(char c)
{
    return ascii_is_letter(c) || c == '_';
}

/* ---- words of marks ---- */

static const struct {
    const char *letters, *name;
} spellings[] = {{"updatedinstruction", BLOCK_INSTRUCTION},
                 {"updatedinstructions", BLOCK_INSTRUCTION},
                 {"newinstruction", BLOCK_INSTRUCTION},
                 {"instruction", BLOCK_INSTRUCTION},
                 {"coordinate", BLOCK_COORDINATE},
                 {"coordinates", BLOCK_COORDINATE},
                 {"coord", BLOCK_COORDINATE},
                 {"listitem", BLOCK_ITEM},
                 {"item", BLOCK_ITEM},
                 {"goalpart", BLOCK_PART},
                 {"makesway", BLOCK_WAY},
                 {"refusal", BLOCK_REFUSAL},
                 {"constraints", BLOCK_CONSTRAINTS},
                 {"constraint", BLOCK_CONSTRAINTS},
                 {"placement", BLOCK_PLACEMENT},
                 {"script", BLOCK_SCRIPT},
                 {"evaluation", BLOCK_EVALUATION},
                 {"\u66f4\u65b0\u540e\u7684\u6307\u4ee4", BLOCK_INSTRUCTION},
                 {"\u6307\u4ee4", BLOCK_INSTRUCTION},
                 {"\u5750\u6807", BLOCK_COORDINATE},
                 {"\u7ea6\u675f", BLOCK_CONSTRAINTS},
                 {"\u7ea6\u675f\u6761\u4ef6", BLOCK_CONSTRAINTS},
                 {"\u8bc4\u4f30", BLOCK_EVALUATION},
                 {"\u8bc4\u4ef7", BLOCK_EVALUATION},
                 {"finished", BLOCK_FINISHED},
                 {"finish", BLOCK_FINISHED},
                 {"done", BLOCK_FINISHED},
                 {"impossible", BLOCK_IMPOSSIBLE},
                 {"unreadable", BLOCK_UNREADABLE},
                 {"completion", BLOCK_COMPLETION},
                 {"complete", BLOCK_COMPLETION},
                 {"completed", BLOCK_COMPLETION}};

/* NULL: no part is called so. Letters only, in lower case. */
static const char *block_name_of(const char *letters)
{
    for (size_t i = 0; i < COUNT_OF(spellings); i++) {
        if (strcmp(letters, spellings[i].letters) == 0)
            return spellings[i].name;
    }
    return NULL;
}

/* True where it was there and is dropped. */
static bool drop_front(char *letters, const char *word)
{
    size_t size = strlen(word);
    if (strncmp(letters, word, size) != 0)
        return false;
    memmove(letters, letters + size, strlen(letters + size) + 1);
    return true;
}

/* A word that is all of the letters is not dropped: "[end]" has a meaning of
 * its own. */
static bool drop_back(char *letters, const char *word)
{
    size_t size = strlen(word);
    size_t all = strlen(letters);
    if (all <= size || strcmp(letters + all - size, word) != 0)
        return false;
    letters[all - size] = 0;
    return true;
}

static const char any_part[] = ""; /* what "[end]" closes */

/* "contraints", "updatedi": a name that was cut or misspelt, which only a
 * part's end may be: it closes one that was begun. */
static const char *block_name_like(const char *letters)
{
    enum {
        LEAST = 4
    };
    size_t size = strlen(letters);
    for (size_t i = 0; size >= LEAST && i < COUNT_OF(spellings); i++) {
        if (strncmp(spellings[i].letters, letters, size) == 0)
            return spellings[i].name;
    }
    return NULL;
}

/* "[updated_instuction]": one of the names that the prompts give, with a
 * slip. */
static const char *block_name_misspelt(const char *letters)
{
    static const char *const names[] = {"updatedinstruction", "coordinate",
                                        "constraints", "evaluation"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (plain_is_slip(letters, strlen(letters), names[i]))
            return block_name_of(names[i]);
    }
    return NULL;
}

/* Takes the words before a part's name away; true: one of them ends it. */
static bool part_drop_lead(char *letters)
{
    static const char *const ends[] = {"endof", "endevon",     "end",
                                       "close", "closing",     "finde",
                                       "fin",   "\u7ed3\u675f"};
    static const char *const begins[] = {"startof", "start", "beginof", "begin",
                                         "the"};
    if (strcmp(letters, "eoc") == 0 || strcmp(letters, "eob") == 0)
        strcpy(letters, "end");
    bool ended = false;
    for (size_t i = 0; i < COUNT_OF(ends) && !ended; i++)
        ended = drop_front(letters, ends[i]);
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        drop_front(letters, begins[i]);
    return ended;
}

/* The same of those behind it. */
static bool part_drop_tail(char *letters)
{
    static const char *const tails[] = {"block", "section", "start", "begin"};
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        if (!block_name_of(letters))
            drop_back(letters, tails[i]);
    }
    return !block_name_of(letters) &&
           (drop_back(letters, "end") || drop_back(letters, "\u7ed3\u675f"));
}

/* The part that a mark's letters name; *closes: its end. NULL: none. */
static const char *part_of(char *letters, bool *closes)
{
    if (block_name_of(letters))
        return block_name_of(letters);
    bool ended = part_drop_lead(letters);
    if (ended && !*letters) {
        *closes = true;
        return any_part;
    }
    ended = part_drop_tail(letters) || ended;
    *closes = *closes || ended;
    const char *name = block_name_of(letters);
    if (!name)
        name = block_name_misspelt(letters);
    return name || !ended ? name : block_name_like(letters);
}

/* ---- marks ---- */

typedef struct mark {
    const char *name;     /* one of BLOCK_*, or any_part */
    size_t begin, behind; /* with the emphasis around it */
    bool closes;
    bool first; /* nothing but signs stands before it on its line */
    bool last;  /* nothing but signs stands behind it */
    /* "[[constraint]]": one of a list, which may stand in the list's own
     * part */
    bool is_row;
} mark;

static const char around[] = "*_`#>~-+=|. \t\"'0123456789):@";

/* Where a word that counts steps begins which ends at `end`, as in "## Step 3:
 * Coordinate"; `end`: none does. */
static size_t before_step(const plain *p, size_t end)
{
    static const char *const words[] = {"step", "part"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t size = strlen(words[i]);
        if (end >= size &&
            strncasecmp(p->text + end - size, words[i], size) == 0)
            return end - size;
    }
    return end;
}

/* Only signs of lists, quotes and emphasis from `begin` back to its line's
 * start, which is *ret_start. */
static bool block_is_first(const plain *p, size_t begin, size_t *ret_start)
{
    while (begin > 0 && p->text[begin - 1] != '\n') {
        if (!text_is_in(p->text[begin - 1], around)) {
            size_t step = p->text[begin] == ' ' ? before_step(p, begin) : begin;
            if (step == begin)
                return false;
            begin = step;
            continue;
        }
        begin--;
    }
    *ret_start = begin;
    return true;
}

/* The value of a tag's name or class, as in <block name="constraints">, instead
 * of the tag's own letters. */
static void block_take_name(const plain *p,
                            size_t from,
                            size_t to,
                            char letters[WORDS_MAX])
{
    static const char *const names[] = {"name=", "class=", "id="};
    const char *at = NULL;
    for (size_t i = 0; i < COUNT_OF(names) && !at; i++) {
        at = memmem(p->text + from, to - from, names[i], strlen(names[i]));
        at = at ? at + strlen(names[i]) : NULL;
    }
    if (!at)
        return;
    size_t i = (size_t)(at - p->text);
    size_t used = 0;
    while (text_is_in(p->text[i], "\"'"))
        i++;
    for (; i < to && used + 1 < WORDS_MAX &&
           (block_is_letter(p->text[i]) || p->text[i] == ' ');
         i++) {
        bool is_plain = p->text[i] != '_' && p->text[i] != ' ';
        if (is_plain)
            letters[used++] = (char)(p->text[i] | 0x20);
    }
    letters[used] = 0;
}

/* Behind a tag's attributes, which begin at `at`: its end. 0: they are none. */
static size_t block_skip_attributes(const plain *p, size_t at)
{
    size_t size = strcspn(p->text + at, "<>\n");
    bool has_any = memchr(p->text + at, '=', size) != NULL;
    return has_any && p->text[at + size] == '>' ? at + size : 0;
}

/* "block", "section" and "div" say their name as an attribute. */
static bool block_is_envelope(const char *letters)
{
    static const char *const words[] = {"block", "section", "div"};
    return WORD_IS_OF(letters, words);
}

/* One of the words that stand as marks alone. */
static bool block_is_verdict(const char *name)
{
    static const char *const names[] = {BLOCK_FINISHED, BLOCK_IMPOSSIBLE,
                                        BLOCK_UNREADABLE};
    return WORD_IS_OF(name, names);
}

typedef struct mark_words { /* between a mark's brackets */
    char *letters;
    size_t used;
    bool *closes;
} mark_words;

/* One more character. False: it is none of a mark's. */
static bool mark_words_add(mark_words *w, char c)
{
    if (c == '/' && w->used == 0)
        *w->closes = true;
    /* of a script that has no cases */
    bool is_beyond = (unsigned char)c >= 0x80;
    bool is_letter = block_is_letter(c) || is_beyond;
    if (is_letter && c != '_')
        w->letters[w->used++] = is_beyond ? c : (char)(c | 0x20);
    w->letters[w->used] = 0;
    return is_letter || text_is_in(c, " -/*`:#!|");
}

/* Behind a tag that has attributes from `at` on, or a forgotten bracket that
 * the line's end or another kind stands for; 0: it is neither. *ret_none: it is
 * no mark at all. */
static size_t mark_words_end(
    const plain *p, size_t at, char opened, mark_words *w, bool *ret_none)
{
    char c = p->text[at];
    bool is_end = strncmp(w->letters, "endof", 5) == 0;
    if (c == '>' && is_end)
        return at + 1; /* "[end of constraints>" */
    if (c == '\n' && is_end)
        return at;
    size_t end = c == ' ' && opened == '<' && w->used > 0
                     ? block_skip_attributes(p, at)
                     : 0;
    if (!end)
        return 0;
    if (block_is_envelope(w->letters))
        block_take_name(p, at, end, w->letters);
    const char *name = block_name_of(w->letters);
    bool is_word = name && block_is_verdict(name);
    /* else all is said in its attributes */
    *ret_none = p->text[end - 1] == '/' && !is_word;
    return end + 1;
}

/* The letters between brackets that begin at `at`, and the place behind them;
 * 0: these are no words of a mark. */
static size_t read_brackets(const plain *p,
                            size_t at,
                            char letters[WORDS_MAX],
                            bool *closes)
{
    static const char opens[] = "[<{(", shuts[] = "]>})";
    const char *kind = p->text[at] ? strchr(opens, p->text[at]) : NULL;
    if (!kind)
        return 0;
    char shut = shuts[kind - opens];
    mark_words w = {.letters = letters, .closes = closes};
    size_t i = at + 1;
    letters[0] = 0;
    if (p->text[i] == *kind)
        i++;
    for (size_t length = 0; p->text[i] != shut; i++, length++) {
        bool is_cut =
            !p->text[i] && length > 0 && strncmp(letters, "endof", 5) == 0;
        if (is_cut)
            return i; /* "[end of constr", and no token was left */
        if (length + 1 >= WORDS_MAX || !p->text[i])
            return 0;
        bool is_none = false;
        size_t end = mark_words_end(p, i, *kind, &w, &is_none);
        if (end)
            return is_none ? 0 : end;
        if (!mark_words_add(&w, p->text[i]))
            return 0;
    }
    if (*closes && block_is_envelope(letters))
        memcpy(letters, "end", sizeof "end"); /* </block> closes what is open */
    i++;
    return p->text[i] == shut ? i + 1 : i;
}

/* Is what stands in brackets at `at` followed by a label's colon? */
static bool ends_label(const plain *p, size_t at)
{
    size_t size = strcspn(p->text + at, ")\n");
    return at + size < p->size && p->text[at + size] == ')' &&
           text_is_in(p->text[at + size + 1], ":*");
}

/* Does the name from `at` to `end` fill a cell of a table, with another behind
 * it? */
static bool is_cell(const plain *p, size_t at, size_t end)
{
    at = text_skip_back(p->text, 0, at, " *_`\t");
    while (text_is_in(p->text[end], " *_`\t"))
        end++;
    return at > 0 && p->text[at - 1] == '|' && p->text[end] == '|';
}

/* A line that is nothing but "BEGIN CONSTRAINTS", "end of coordinate", or a
 * part's name as the prompts write it. */
static bool block_is_said_alone(const char *letters)
{
    static const char *const words[] = {
        "begin",      "start",       "end",       "updatedinstruction",
        "coordinate", "constraints", "evaluation"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        bool is_sign = i < 3;
        if (is_sign ? strncmp(letters, words[i], strlen(words[i])) == 0
                    : strcmp(letters, words[i]) == 0)
            return true;
    }
    return false;
}

/* The letters of the words that begin at `at`, small, and the place behind them
 * and their emphasis; 0: there are too many. */
static size_t read_label_words(const plain *p,
                               size_t at,
                               char letters[WORDS_MAX])
{
    size_t used = 0, i = at;
    for (; block_is_letter(p->text[i]) || text_is_in(p->text[i], " -"); i++) {
        if (used + 1 >= WORDS_MAX)
            return 0;
        if (block_is_letter(p->text[i]) && p->text[i] != '_')
            letters[used++] = (char)(p->text[i] | 0x20);
    }
    letters[used] = 0;
    return i + strspn(p->text + i, "*_`");
}

/* Does a sign at i lead to what is said: "coordinate:", "coordinate = (0.5,
 * 0.5)", "coordinate -> .."? */
static bool is_label_sign(const plain *p, size_t i)
{
    char here = p->text[i];
    bool is_set = here == '=' && p->text[i + 1] != '=';
    bool is_arrow = here == '>' && text_is_in(p->text[i - 1], "-=");
    return here == ':' || is_set || is_arrow;
}

/* "Constraints:", "**Updated instruction**", "## coordinate": a line that
 * begins with a part's name and a sign of it. Behind the label's sign, 0: it is
 * none. A name alone on its line counts only with a sign of emphasis before it
 * or as the prompts write it: prose may well begin with "instruction". */
static size_t read_label(const plain *p, size_t at, char letters[WORDS_MAX])
{
    size_t i = read_label_words(p, at, letters);
    if (!i)
        return 0;
    if (is_cell(p, at, i))
        return i + strcspn(p->text + i, "|") + 1;
    size_t rule = strspn(p->text + i, " =-#");
    if (rule > 2)
        i += rule; /* "=== constraints ===" */
    /* "Coordinate (bottom): ..": the bracket belongs to what is said */
    if (p->text[i] == '(')
        return ends_label(p, i) ? i : 0;
    if (is_label_sign(p, i))
        return i + 1;
    bool ends_line = p->text[i] == '\n' || p->text[i] == 0;
    bool has_sign = at > 0 && text_is_in(p->text[at - 1], "*_`# =-@:");
    return ends_line && (has_sign || block_is_said_alone(letters)) ? i : 0;
}

/* Only signs and other marks from `behind` to its line's end. */
static bool is_last(const plain *p, size_t behind)
{
    for (;;) {
        char letters[WORDS_MAX];
        bool closes = false;
        behind = text_skip(p->text, behind, p->size, "*_`. \t\"':!/");
        if (behind == p->size || p->text[behind] == '\n')
            return true;
        size_t next = read_brackets(p, behind, letters, &closes);
        if (!next || !part_of(letters, &closes))
            return false;
        behind = next;
    }
}

/* Names are compared by text, since any_part is one of them. */
static bool is_named(const mark *m, const char *name)
{
    return strcmp(m->name, name) == 0;
}

/* Where "\begin{" or "\end{" begins whose bracket is at `at`; else `at`. */
static size_t block_latex_start(const plain *p, size_t at, bool *ret_closes)
{
    static const char begin[] = "\\begin", end[] = "\\end";
    enum {
        BEGIN = sizeof begin - 1,
        END = sizeof end - 1
    };
    if (p->text[at] != '{')
        return at;
    if (at >= BEGIN && strncmp(p->text + at - BEGIN, begin, BEGIN) == 0)
        return at - BEGIN;
    if (at < END || strncmp(p->text + at - END, end, END) != 0)
        return at;
    *ret_closes = true;
    return at - END;
}

/* `labels`: "Coordinate:" counts, too. They are tried last, since such words
 * stand in prose as well. */
static bool read_mark(const plain *p, size_t at, bool labels, mark *ret)
{
    char letters[WORDS_MAX];
    mark m = {.begin = at};
    size_t start = block_latex_start(p, at, &m.closes);
    size_t behind = read_brackets(p, at, letters, &m.closes);
    bool line_start = block_is_first(p, start, &start);
    const bool within = at > 0 && block_is_letter(p->text[at - 1]);
    const bool starts = labels && line_start && block_is_letter(p->text[at]);
    const bool may_label = starts && !within;
    if (!behind && may_label)
        behind = read_label(p, at, letters);
    if (!behind)
        return false;
    m.is_row = strcmp(letters, "constraint") == 0;
    m.name = part_of(letters, &m.closes);
    if (!m.name)
        return false;
    m.first = line_start;
    if (line_start)
        m.begin = start;
    m.last = is_last(p, behind);
    if (p->text[at] == '(' && !(m.first && m.last))
        return false; /* else it is an aside */
    while (text_is_in(p->text[behind], "*_`:"))
        behind++;
    m.behind = behind;
    *ret = m;
    return true;
}

/* The first mark from `from` on. */
static bool next_mark(const plain *p, size_t from, bool labels, mark *ret)
{
    for (size_t i = from; i < p->size; i++) {
        bool may_open = text_is_in(p->text[i], "[<{(");
        bool may_label = labels && block_is_letter(p->text[i]);
        if ((may_open || may_label) && read_mark(p, i, labels, ret))
            return true;
    }
    return false;
}

/* ---- parts ---- */

/* Nothing but signs: "[constraints] ... [end of constraints]" quoted from the
 * prompt. */
static bool block_is_blank(const plain *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (!text_is_in(p->text[i], " \t\n`*."))
            return false;
    }
    return true;
}

/* From behind the opening mark up to `to`; an overlapping end gives an empty
 * part. */
static block block_of(
    const plain *p, const mark *open, size_t to, size_t behind, block_end end)
{
    size_t stop = to > open->behind ? to : open->behind;
    return (block){.text = p->text + open->behind,
                   .size = stop - open->behind,
                   .from = open->behind,
                   .to = stop,
                   .begin = open->begin,
                   .behind = behind,
                   .end = end};
}

typedef struct search { /* for the parts of one name */
    mark open;
    bool is_open;
    block best;
    /* of the best: 0 none, 1 begun within a line, 2 begun on its own */
    unsigned rank;
} search;

/* One more mark of the name: it opens a part, or closes the open one. A later
 * part wins over an earlier one, except that one begun within a line never wins
 * over one on its own line. */
static void search_take_mark(const plain *p, search *s, const mark *m)
{
    if (!m->closes) {
        /* what stands in a part may speak of it */
        bool mention = s->is_open && s->open.first && (!m->first || m->is_row);
        if (!mention)
            s->open = *m;
        s->is_open = true;
        return;
    }
    if (!s->is_open || block_is_blank(p, s->open.behind, m->begin))
        return;
    unsigned rank = s->open.first ? 2 : 1;
    s->is_open = false;
    if (rank < s->rank)
        return;
    s->rank = rank;
    s->best = block_of(p, &s->open, m->begin, m->behind, BLOCK_CLOSED);
}

/* The last part of that name that is closed and says something: models draft
 * first. */
static bool find_closed(const plain *p, const char *name, block *ret)
{
    search s = {.rank = 0};
    mark m;
    for (size_t i = 0; next_mark(p, i, false, &m); i = m.behind) {
        if (is_named(&m, name) || (is_named(&m, any_part) && s.is_open))
            search_take_mark(p, &s, &m);
    }
    *ret = s.best;
    return s.rank > 0;
}

/* "```constraints", which its fence closes: where that is. 0: there is none. */
static size_t block_fence_end(const plain *p, const mark *open)
{
    static const char fence[] = "```", shut[] = "\n```";
    size_t line = open->begin + strspn(p->text + open->begin, " \t\n");
    bool is_fence = line + sizeof fence <= p->size &&
                    strncmp(p->text + line, fence, sizeof fence - 1) == 0;
    const char *end =
        is_fence ? memmem(p->text + open->behind, p->size - open->behind, shut,
                          sizeof shut - 1)
                 : NULL;
    return end ? (size_t)(end - p->text) : 0;
}

/* None is closed: the last that is begun on a line of its own and says
 * something, up to the next mark. */
static bool find_open(const plain *p, const char *name, bool labels, block *ret)
{
    mark m;
    mark open = {.name = NULL};
    bool found = false, is_open = false;
    for (size_t i = 0; next_mark(p, i, labels, &m); i = m.behind) {
        if (is_open && m.first && !block_is_blank(p, open.behind, m.begin)) {
            *ret = block_of(p, &open, m.begin, m.behind,
                            is_named(&m, name) ? BLOCK_CLOSED : BLOCK_MARKED);
            found = true;
            is_open = false;
            if (is_named(&m, name))
                continue;
        }
        if (is_named(&m, name) && m.closes)
            is_open = false; /* an empty one */
        if (is_named(&m, name) && m.first && !m.closes) {
            open = m;
            is_open = true;
        }
    }
    if (!is_open || block_is_blank(p, open.behind, p->size))
        return found;
    size_t shut = block_fence_end(p, &open);
    *ret = block_of(p, &open, shut ? shut : p->size, p->size,
                    shut ? BLOCK_CLOSED : BLOCK_OPEN);
    return true;
}

/* Closed marks first, then an open one, then labels: the surest form wins.
 * ETNA_E_INPUT: there is none. */
etna_code block_find(const plain *p,
                     const char *name,
                     block *ret,
                     etna_error *err)
{
    bool found = find_closed(p, name, ret) || find_open(p, name, false, ret) ||
                 find_open(p, name, true, ret);
    if (!found)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block", name);
    return ETNA_OK;
}

/* The last mark of that name from `from` on, such as <finished>. `alone`:
 * nothing may follow on its line. */
bool block_word(
    const plain *p, const char *name, size_t from, bool alone, size_t *ret_at)
{
    mark m;
    bool found = false;
    for (size_t i = from; next_mark(p, i, false, &m); i = m.behind) {
        if (!is_named(&m, name) || (alone && !m.last))
            continue;
        *ret_at = m.begin;
        found = true;
    }
    return found;
}

/* ---- what stands in them ---- */

/* As a whole word, in any case. */
bool block_has_word(const block *b, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= b->size; i++) {
        if (strncasecmp(b->text + i, word, length) != 0)
            continue;
        bool before = i > 0 && block_is_letter(b->text[i - 1]);
        bool after =
            i + length < b->size && block_is_letter(b->text[i + length]);
        if (!before && !after)
            return true;
    }
    return false;
}

/* A decimal number at *at, which moves behind it. No exponent: "0.5e" is a
 * typing error, not a coordinate. A letter right behind it refuses it. */
bool block_number(const char **at, const char *end, double *ret)
{
    char digits[40];
    size_t used = 0;
    bool seen = false, dot = false;
    const char *p = *at;
    if (p < end && (*p == '-' || *p == '+'))
        digits[used++] = *p++;
    for (; p < end && (ascii_is_digit(*p) || (*p == '.' && !dot)); p++) {
        if (*p == '.')
            dot = true;
        else
            seen = true;
        if (used + 1 < sizeof digits)
            digits[used++] = *p;
        else if (!dot)
            return false; /* forty digits before the point are no coordinate */
    }
    if (!seen || (p < end && block_is_letter(*p)))
        return false;
    digits[used] = 0;
    *ret = strtod(digits, NULL);
    *at = p;
    return true;
}
