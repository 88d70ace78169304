/* The instruction of an answer, cleaned to the sentence that was meant. */
#include "proto/array.h"
#include "worker/agents/plan_internal.h"

#include "proto/ascii.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

bool plan_says_nothing(const plain *p, const block *part)
{
    static const char *const words[] = {"none",    "na",  "null",
                                        "nothing", "nil", "notapplicable"};
    char letters[16];
    size_t used = 0;
    for (size_t i = part->from; i < part->to; i++) {
        if (!ascii_is_letter(p->text[i]))
            continue;
        if (used + 1 >= sizeof letters)
            return false;
        letters[used++] = (char)(p->text[i] | 0x20);
    }
    letters[used] = 0;
    return WORD_IS_OF(letters, words);
}

/* The line [*ret_from, *ret_to) before `end` that has words, without the number
 * that it must begin with. 0: it has none. */
static unsigned numbered_line_before(const plain *p,
                                     size_t end,
                                     size_t *ret_from,
                                     size_t *ret_to)
{
    end = text_skip_back(p->text, 0, end, " \t\n");
    size_t from = text_line_begin(p->text, end);
    size_t at = text_skip(p->text, from, end, " *");
    size_t sign = at + 1;
    bool is_item = sign + 1 < end && ascii_is_digit(p->text[at]) &&
                   text_is_in(p->text[sign], ".)");
    if (!is_item)
        return 0;
    *ret_from = sign + 1;
    *ret_to = end;
    return (unsigned)(p->text[at] - '0');
}

bool plan_find_numbered(const plain *p, block *ret_instruction)
{
    static const char *const sentences[] = {
        "of the object should be", "of the object is", "of the object at"};
    size_t from = 0, to = 0, before_from = 0, before_to = 0;
    double point[2];
    point_unit unit = POINT_PLAIN;
    const unsigned last = numbered_line_before(p, p->size, &from, &to);
    size_t line = text_line_begin(p->text, from);
    bool is_place = false;
    for (size_t i = 0; last && i < COUNT_OF(sentences); i++)
        is_place = is_place || memmem(p->text + from, to - from, sentences[i],
                                      strlen(sentences[i])) != NULL;
    is_place =
        is_place && point_find(p->text + from, to - from, point, &unit) == 1;
    if (!is_place ||
        numbered_line_before(p, line, &before_from, &before_to) + 1 != last)
        return false;
    *ret_instruction = (block){.text = p->text + before_from,
                               .size = before_to - before_from,
                               .from = before_from,
                               .to = before_to,
                               .begin = before_from,
                               .behind = before_to,
                               .end = BLOCK_CLOSED};
    return true;
}

/* Without the quotes, emphasis or list sign around all of it. */
static const char *planner_bare(char *text)
{
    static const char around[] = "\"'`*_";
    size_t size = strlen(text);
    while (size > 2 && text_is_in(*text, "->") && text[1] == ' ') {
        text += 2;
        size -= 2;
    }
    while (size > 2 && text_is_in(*text, around) && text[size - 1] == *text) {
        char sign = *text;
        const char *next = memchr(text + 1, sign, size - 2);
        const bool quotes = next && !text_is_in(sign, "*_");
        /* "A" onto "B": no quotes of all */
        const bool ends_first = quotes && next[-1] != ' ';
        if (ends_first)
            break;
        text[--size] = 0;
        text++;
        size--;
    }
    return text;
}

/* Behind "(step 1):", "Step 1:" or "1."; NULL: it begins with no such. */
static char *behind_number(char *at)
{
    enum {
        ASIDE_MAX = 24
    };
    static const char step[] = "step ";
    /* "Updated instruction (step 1): .." */
    char *aside = *at == '(' ? strstr(at, "):") : NULL;
    if (aside && aside - at < ASIDE_MAX)
        return aside + 2 + strspn(aside + 2, "*_` ");
    const bool is_step = strncasecmp(at, step, sizeof step - 1) == 0;
    size_t digits = is_step ? strspn(at + sizeof step - 1, "0123456789") : 0;
    char *numbered = at + sizeof step - 1 + digits; /* "Step 1: .." */
    if (digits > 0 && text_is_in(*numbered, ":.)"))
        return numbered + 1 + strspn(numbered + 1, "*_` ");
    size_t count = strspn(at, "0123456789");
    const bool is_item =
        count > 0 && text_is_in(at[count], ".)") && at[count + 1] == ' ';
    return is_item ? at + count + 1 + strspn(at + count + 1, "*_` ") : NULL;
}

/* "Updated instruction: .." within its own block, YAML's sign of a text that
 * follows, a table's line. */
static char *drop_label(char *text)
{
    static const char *const labels[] = {"updated instruction",
                                         "updated_instruction", "instruction",
                                         "new instruction"};
    const char *cell = strstr(text, " |"); /* and the rule beneath it */
    bool is_cell = cell && cell[strspn(cell, " |-")] == 0;
    if (is_cell)
        text[cell - text] = 0;
    if (text_is_in(*text, "|>") &&
        text_is_in(text[1 + strspn(text + 1, "-+")], " "))
        text += 1 + strspn(text + 1, " -+");
    char *at = text + strspn(text, "*_ `");
    char *counted = behind_number(at);
    if (counted)
        return counted;
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        size_t length = strlen(labels[i]);
        if (strncasecmp(at, labels[i], length) != 0)
            continue;
        char *behind = at + length + strspn(at + length, "*_` ");
        if (text_is_in(*behind, ":="))
            return behind + 1 + strspn(behind + 1, "*_` ");
    }
    return text;
}

/* The sign of a quotation that the line begins with: how long. */
static size_t quote_sign(const char *line)
{
    size_t blank = strspn(line, " \t");
    size_t signs = strspn(line + blank, ">");
    bool is_blank =
        signs > 0 && (line[blank + signs] == '\n' || !line[blank + signs]);
    if (is_blank)
        return blank + signs;
    return signs > 0 && line[blank + signs] == ' ' ? blank + signs + 1 : 0;
}

/* Lines of a code fence are no part of it, nor are the signs of a quotation
 * before its lines. */
static void drop_fences(char *text)
{
    char *out = text;
    for (char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        size_t whole = size + (line[size] == '\n');
        const char *sign = line + strspn(line, " \t");
        bool rule = strspn(sign, "-*_=") >= 3 &&
                    text_is_in(sign[strspn(sign, "-*_= ")], "\n");
        bool fence = rule || strncmp(sign, "```", 3) == 0 ||
                     strncmp(sign, ":::", 3) == 0;
        size_t quote = quote_sign(line);
        if (!fence) {
            memmove(out, line + quote, whole - quote);
            out += whole - quote;
        }
        line += whole;
    }
    *out = 0;
}

/* How long the tag at `text` is that only says how words look; 0: there is
 * none. *ret_parts: it parts words. */
static size_t look_tag(const char *text, bool *ret_parts)
{
    enum {
        PARTING = 6
    }; /* the first of them */
    static const char *const names[] = {"br",     "p",    "h1",  "h2", "h3",
                                        "h4",     "b",    "i",   "u",  "em",
                                        "strong", "code", "span"};
    if (*text != '<')
        return 0;
    const char *name = text + 1 + (text[1] == '/');
    size_t length = strcspn(name, " />");
    size_t end = length + strspn(name + length, " /");
    for (size_t i = 0; name[end] == '>' && i < COUNT_OF(names); i++) {
        bool same = strlen(names[i]) == length &&
                    strncasecmp(name, names[i], length) == 0;
        *ret_parts = i < PARTING;
        if (same)
            return (size_t)(name + end + 1 - text);
    }
    return 0;
}

/* <b>, <span ..>: words stay. */
static void drop_look_tags(char *text)
{
    char *out = text;
    while (*text) {
        bool parts = false;
        size_t tag = look_tag(text, &parts);
        if (!tag || parts)
            *out++ = tag ? ' ' : *text;
        text += tag ? tag : 1;
    }
    *out = 0;
}

/* Its lines as one; but further places, each on a line that begins with "or",
 * stay on theirs (arrange.proto, Result). NULL: out of memory. */
static char *clean_instruction(etna_arena *arena, const char *said)
{
    char *text = NULL;
    for (const char *line = said; line && *line;) {
        size_t size = strcspn(line, "\n");
        while (line[size] && strncmp(line + size, "\nor ", 4) != 0)
            size += 1 + strcspn(line + size + 1, "\n");
        char *clean = text_clean(arena, line, size, ARRANGE_INSTRUCTION_MAX);
        text = text && clean ? etna_arena_printf(arena, "%s\n%s", text, clean)
                             : clean;
        if (!text)
            return NULL;
        line = line[size] ? line + size + 1 : NULL;
    }
    return text ? text : etna_arena_strdup(arena, "");
}

etna_code plan_take_instruction(char *said,
                                etna_arena *arena,
                                planner_result *result,
                                etna_error *err)
{
    if (!said)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    drop_fences(said);
    drop_look_tags(said);
    size_t size = strlen(said);
    if (size > ARRANGE_INSTRUCTION_MAX) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the instruction has %zu bytes, at most %d are read",
                         size, ARRANGE_INSTRUCTION_MAX);
    }
    char *clean = clean_instruction(arena, said);
    if (!clean)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    clean = drop_label(clean);
    result->status = PLAN_EDIT;
    result->instruction = planner_bare(clean);
    if (!result->instruction[0])
        return etna_fail(err, ETNA_E_INPUT,
                         "the [updated_instruction] block is empty");
    return ETNA_OK;
}
