/* See sloppy.h. A habit is a function from a text to a text (NULL: nothing to
 * change), a table says whose. */
#include "tests/fault/sloppy.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- texts ---- */

__attribute__((format(printf, 1, 2))) static char *say(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        abort();
    va_end(list);
    return text;
}

/* Every `from` becomes `to`; NULL: there is none. */
static char *replace(const char *text, const char *from, const char *to)
{
    size_t count = 0;
    for (const char *at = strstr(text, from); at;
         at = strstr(at + strlen(from), from))
        count++;
    if (!count)
        return NULL;
    char *made = malloc(strlen(text) + count * strlen(to) + 1), *out = made;
    if (!made)
        abort();
    for (const char *at = text; *at;) {
        bool here = strncmp(at, from, strlen(from)) == 0;
        if (here) {
            memcpy(out, to, strlen(to));
            out += strlen(to);
            at += strlen(from);
        } else {
            *out++ = *at++;
        }
    }
    *out = 0;
    return made;
}

static char *replace_in(char *text, const char *from, const char *to)
{
    char *made = replace(text, from, to);
    if (!made)
        return text;
    free(text);
    return made;
}

static const char *const parts[] = {"updated_instruction", "coordinate",
                                    "constraints", "evaluation", "list_item"};
enum {
    PARTS = sizeof parts / sizeof *parts
};

/* The marks of a part as our prompts write them. False: the text does not have
 * it. */
static bool marks_of(const char *text,
                     const char *part,
                     char open[64],
                     char close[64])
{
    snprintf(open, 64, "[%s]", part);
    snprintf(close, 64, "[end of %s]", part);
    return strstr(text, open) && strstr(text, close);
}

/* Every part's marks by two formats, each of which takes the part's name; NULL:
 * there is none. */
static char *remark(const char *text, const char *open_as, const char *close_as)
{
    char *made = NULL;
    for (int i = 0; i < PARTS; i++) {
        char open[64], close[64], other[128];
        if (!marks_of(made ? made : text, parts[i], open, close))
            continue;
        if (!made)
            made = say("%s", text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(other, sizeof other, close_as, parts[i]);
        made = replace_in(made, close, other);
        snprintf(other, sizeof other, open_as, parts[i]);
        made = replace_in(made, open, other);
#pragma GCC diagnostic pop
    }
    return made;
}

/* What stands in a part goes through `change`; NULL: it has no such part, or
 * nothing changes. */
static char *within(const char *text,
                    const char *part,
                    char *(*change)(const char *inner))
{
    char open[64], close[64];
    if (!marks_of(text, part, open, close))
        return NULL;
    const char *from = strstr(text, open) + strlen(open),
               *to = strstr(from, close);
    char *inner = to ? strndup(from, (size_t)(to - from)) : NULL,
         *other = inner ? change(inner) : NULL;
    char *made =
        other ? say("%.*s%s%s", (int)(from - text), text, other, to) : NULL;
    free(inner);
    free(other);
    return made;
}

/* ---- any role: around the answer ---- */

static char *preamble(const char *t)
{
    return say("Certainly! Let me work through this step by step.\n\n%s", t);
}
static char *afterword(const char *t)
{
    return say("%s\n\nLet me know if you would like me to adjust anything!", t);
}
static char *fenced(const char *t)
{
    return say("```\n%s\n```", t);
}
static char *fenced_text(const char *t)
{
    return say("Here is my answer:\n```text\n%s\n```\nDone.", t);
}
static char *quoted_lines(const char *t)
{
    char *inner = replace(t, "\n", "\n> "),
         *made = say("> %s", inner ? inner : t);
    free(inner);
    return made;
}
static char *think(const char *t)
{
    return say(
        "<think>\nThe [constraints] come last, verdict: bad?\n</think>\n%s", t);
}
static char *think_draft(const char *t)
{
    return say("<think>%s Wait, no.</think>%s", t, t);
}
static char *think_tail(const char *t)
{
    return say("So I should look at the table first.\n</think>\n\n%s", t);
}
static char *thinking(const char *t)
{
    return say("<Thinking>I compare <finished> and the rest.</Thinking>\n%s",
               t);
}
static char *harmony(const char *t)
{
    return say(
        "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>final<|message|>%s<|return|>",
        t);
}
static char *end_token(const char *t)
{
    return say("%s<|im_end|>", t);
}
static char *crlf(const char *t)
{
    return replace(t, "\n", "\r\n");
}
static char *tabs(const char *t)
{
    return replace(t, "\n", "\n\t");
}
static char *nbsp(const char *t)
{
    return replace(t, " ", "\u00a0");
}
static char *byte_order(const char *t)
{
    return say("\ufeff%s\u200b", t);
}
static char *entities(const char *t)
{
    char *made = say("%s", t);
    made = replace_in(made, "<", "&lt;");
    made = replace_in(made, ">", "&gt;");
    return replace_in(made, "\"", "&quot;");
}
static char *repeats(const char *t)
{
    return say("%s\n\n%s\n\n%s", t, t, t);
}
static char *json_inner(const char *t)
{
    json_t *root = json_pack("{s:s}", "answer", t);
    char *text = root ? json_dumps(root, 0) : NULL,
         *made = text ? say("```json\n%s\n```", text) : NULL;
    json_decref(root);
    free(text);
    return made;
}
static char *escaped_lines(const char *t)
{
    char *made = replace(t, "\n", "\\n");
    return made ? replace_in(made, "\"", "\\\"") : NULL;
}
static char *echo_prompt(const char *t)
{
    return say(
        "As asked, \"the answer's end, and nothing after it\" follows.\n---\n%s\n---\n",
        t);
}

static char *apology(const char *t)
{
    return say(
        "I apologize for the confusion. Here is the corrected answer:\n\n%s\n\nWait, let me check... Yes, this is right.",
        t);
}
static char *tildes(const char *t)
{
    return say("~~~markdown\n%s\n~~~", t);
}
static char *carried(const char *t)
{
    json_t *root = json_pack("{s:s,s:s}", "thought",
                             "I compare.\nTwo things are bad.", "response", t);
    char *made = root ? json_dumps(root, 0) : NULL;
    json_decref(root);
    return made;
}

/* ---- marks ---- */

static char *attribute_marks(const char *t)
{
    return remark(t, "<%s lang=\"en\">", "</%s>");
}
static char *begin_marks(const char *t)
{
    return remark(t, "-----BEGIN %s-----", "-----END %s-----");
}
static char *german_marks(const char *t)
{
    return remark(t, "[%s]", "[Ende von %s]");
}
static char *latex_marks(const char *t)
{
    return remark(t, "\\begin{%s}", "\\end{%s}");
}

static char *bold_marks(const char *t)
{
    return remark(t, "**[%s]**", "**[end of %s]**");
}
static char *tick_marks(const char *t)
{
    return remark(t, "`[%s]`", "`[end of %s]`");
}
static char *slash_marks(const char *t)
{
    return remark(t, "[%s]", "[/%s]");
}
static char *under_marks(const char *t)
{
    return remark(t, "[%s]", "[end_of_%s]");
}
static char *end_marks(const char *t)
{
    return remark(t, "[%s]", "[end %s]");
}
static char *space_marks(const char *t)
{
    return remark(t, "[ %s ]", "[ end of %s ]");
}
static char *angle_marks(const char *t)
{
    return remark(t, "<%s>", "</%s>");
}
static char *heading_marks(const char *t)
{
    return remark(t, "### [%s]", "### [end of %s]");
}
static char *escaped_marks(const char *t)
{
    return remark(t, "\\[%s\\]", "\\[end of %s\\]");
}
static char *block_marks(const char *t)
{
    return remark(t, "[%s block]", "[end of %s block]");
}
static char *colon_marks(const char *t)
{
    return remark(t, "[%s]:", "[end of %s].");
}
static char *start_marks(const char *t)
{
    return remark(t, "[start of %s]", "[end of %s]");
}
static char *wide_marks(const char *t)
{
    return remark(t, "\uff3b%s\uff3d", "\uff3bend of %s\uff3d");
}
static char *lens_marks(const char *t)
{
    return remark(t, "\u3010%s\u3011", "\u3010end of %s\u3011");
}
static char *list_marks(const char *t)
{
    return remark(t, "1. [%s]", "- [end of %s]");
}
static char *bare_end(const char *t)
{
    return remark(t, "[%s]", "[end]");
}
static char *labels(const char *t)
{
    return remark(t, "**%s:**", "");
}
static char *no_end(const char *t)
{
    return remark(t, "[%s]", "");
}

static char *case_marks(const char *t, int (*to)(int))
{
    char *made = NULL;
    for (int i = 0; i < PARTS; i++) {
        char open[64], close[64], other[64];
        if (!marks_of(made ? made : t, parts[i], open, close))
            continue;
        if (!made)
            made = say("%s", t);
        for (int k = 0; k < 64; k++)
            other[k] = (char)to(open[k]);
        made = replace_in(made, open, other);
        for (int k = 0; k < 64; k++)
            other[k] = (char)to(close[k]);
        made = replace_in(made, close, other);
    }
    return made;
}
static char *upper_marks(const char *t)
{
    return case_marks(t, toupper);
}
static bool word_begins = true;
static int title_letter(int c)
{
    int made = word_begins ? toupper(c) : c;
    word_begins = !isalpha(c);
    return made;
}
static char *title_marks(const char *t)
{
    return case_marks(t, title_letter);
}

static const char *first_part(const char *t)
{
    char open[64], close[64];
    for (int i = 0; i < PARTS; i++) {
        if (marks_of(t, parts[i], open, close))
            return parts[i];
    }
    return NULL;
}
static char *mention(const char *t)
{
    const char *part = first_part(t);
    return part ? say("I will now write the [%s] block.\n%s", part, t) : NULL;
}
static char *mention_after(const char *t)
{
    const char *part = first_part(t);
    return part ? say("%s\nThe [%s] block above is complete ([end of %s]).", t,
                      part, part)
                : NULL;
}
static char *draft_word(const char *inner)
{
    return say("\nThis was a first idea%s", strlen(inner) > 9000 ? "." : "");
}
static char *drafts(const char *t)
{
    const char *part = first_part(t);
    char *draft = part ? within(t, part, draft_word) : NULL;
    char *cut = draft ? replace(draft, "<completion>", "") : NULL;
    char *made =
        draft ? say("%s\nNo, better:\n%s", cut ? cut : draft, t) : NULL;
    free(draft);
    free(cut);
    return made;
}
static char *fence_it(const char *inner)
{
    return say("\n```json\n%s\n```\n", inner + (*inner == '\n'));
}
static char *fence_within(const char *t)
{
    const char *part = first_part(t);
    return part ? within(t, part, fence_it) : NULL;
}
static char *bold_it(const char *inner)
{
    return say("\n**%.*s**\n", (int)strcspn(inner + 1, "\n"), inner + 1);
}
static char *curly_double(const char *t)
{
    return replace(t, "\"", "\u201d");
}
static char *curly_single(const char *inner)
{
    return replace(inner, "\"", "\u2019");
}
static char *hyphens(const char *t)
{
    return replace(t, "-", "\u2011");
}

/* ---- the executor's block ---- */

#define IN_CONSTRAINTS(name, change) \
    static char *name(const char *t) \
    { \
        return within(t, "constraints", change); \
    }

static char *single_it(const char *inner)
{
    return replace(inner, "\"", "'");
}
static char *trail_it(const char *inner)
{
    return replace(inner, "]\n", ",],\n");
}
static char *uncomma_it(const char *inner)
{
    return replace(inner, "],\n", "]\n");
}
static char *unspace_it(const char *inner)
{
    return replace(inner, ", ", " ");
}
static char *slash_comment_it(const char *inner)
{
    return replace(inner, "],\n", "], // as it was asked\n");
}
static char *hash_comment_it(const char *inner)
{
    return replace(inner, "],\n", "],  # as it was asked\n");
}
static char *dash_comment_it(const char *inner)
{
    return replace(inner, "\n[", "\n/* one */ [");
}
static char *bullet_it(const char *inner)
{
    return replace(inner, "\n[", "\n- [");
}
static char *number_it(const char *inner)
{
    return replace(inner, "\n[", "\n1. [");
}
static char *tick_it(const char *inner)
{
    char *made = replace(inner, "\n[", "\n`[");
    return made ? replace_in(made, "],\n", "]`,\n") : NULL;
}
static char *wrap_it(const char *inner)
{
    return say("\n{\"constraints\": [%s]}\n", inner);
}
static char *list_it(const char *inner)
{
    return say("\n[%s]\n", inner);
}
static char *assign_it(const char *inner)
{
    return say("\nconstraints = [%s]\n", inner);
}
static char *semicolon_it(const char *inner)
{
    return replace(inner, "],\n", "];\n");
}
static char *round_it(const char *inner)
{
    char *made = replace(inner, "[", "(");
    return made ? replace_in(made, "]", ")") : NULL;
}

/* The block's rows as JSON, for habits that write them anew. */
static json_t *rows_of(const char *inner)
{
    size_t size = strlen(inner);
    while (size && strchr(" \n,", inner[size - 1]))
        size--;
    char *list = say("[%.*s]", (int)size, inner);
    json_t *rows = json_loads(list, 0, NULL);
    free(list);
    return rows;
}
static char *dump(const json_t *value, size_t flags)
{
    return json_dumps(value, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
}

typedef char *row_writer(const json_t *row);

static char *rewrite_rows(const char *inner, row_writer *write)
{
    json_t *rows = rows_of(inner), *row;
    char *made = rows ? say("\n") : NULL;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        char *line = write(row), *more = say("%s%s\n", made, line);
        free(made);
        free(line);
        made = more;
    }
    json_decref(rows);
    return made;
}

static char *arguments_of(const json_t *row)
{
    char *made = say("%s", "");
    for (size_t i = 1; i < json_array_size(row); i++) {
        char *one = dump(json_array_get(row, i), 0),
             *more = say("%s%s%s", made, i > 1 ? ", " : "", one);
        free(one);
        free(made);
        made = more;
    }
    return made;
}
static const char *head_of(const json_t *row)
{
    return json_string_value(json_array_get(row, 0));
}

static char *row_call(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("%s(%s)", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_pair(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("%s: %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_typed(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("{\"type\": \"%s\", \"args\": [%s]},", head_of(row),
                     arguments);
    free(arguments);
    return made;
}
static char *row_keyed(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("{\"%s\": [%s]},", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_flat(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("\"%s\", %s,", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_bare(const json_t *row)
{
    char *text = dump(row, 0), *made = replace(text, "\"", "");
    free(text);
    return made;
}
static char *row_snake(const json_t *row)
{
    static const char *const names[][2] = {{"ObjectName", "object_name"},
                                           {"CloseToPix", "close_to_pix"},
                                           {"Contact", "contact"},
                                           {"NoOverhang", "no_overhang"},
                                           {"FaceTo", "face_to"},
                                           {"BackTo", "back_to"},
                                           {"Place", "PLACE"},
                                           {"Heading", "HEADING"}};
    char *text = dump(row, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        text = replace_in(text, names[i][0], names[i][1]);
    text = replace_in(text, "\"down\"", "\"Down\"");
    text = replace_in(text, "\"full_only\"", "\"Full Only\"");
    return replace_in(text, "\"center\"", "\"CENTER\"");
}
static char *row_bottom(const json_t *row)
{
    char *text = dump(row, 0);
    return replace_in(text, "\"down\"", "\"bottom\"");
}

/* Numbers of a row through `write`. */
static json_t *numbered(const json_t *value, char *(*write)(double number))
{
    json_t *made = json_array(), *item;
    size_t i;
    if (json_is_number(value)) {
        char *text = write(json_number_value(value));
        json_decref(made);
        made = json_string(text);
        free(text);
        return made;
    }
    if (!json_is_array(value)) {
        json_decref(made);
        return json_deep_copy(value);
    }
    json_array_foreach((json_t *)(size_t)value, i, item)
        json_array_append_new(made, numbered(item, write));
    return made;
}
static char *number_text(double number)
{
    return say("%.9g", number);
}
static char *number_metres(double number)
{
    return say("%.9g m", number);
}
static char *row_texts(const json_t *row)
{
    json_t *made = numbered(row, number_text);
    char *text = dump(made, 0);
    json_decref(made);
    return text;
}
static char *row_units(const json_t *row)
{
    bool metres = !strcmp(head_of(row), "Distance");
    bool degrees =
        !strcmp(head_of(row), "Rotate") || !strcmp(head_of(row), "Heading");
    if (metres) {
        json_t *made = numbered(row, number_metres);
        char *text = dump(made, 0);
        json_decref(made);
        return text;
    }
    if (degrees)
        return say("[\"%s\", %.9g degrees],", head_of(row),
                   json_number_value(json_array_get(row, 1)));
    return say("%s", dump(row, 0));
}

/* Coordinates of CloseToPix: times `x` and `y`, by a format. */
static char *row_pixels(const json_t *row,
                        double x,
                        double y,
                        const char *format)
{
    const json_t *point = json_array_get(row, 2);
    if (strcmp(head_of(row), "CloseToPix") != 0)
        return dump(row, 0);
    double at[2] = {json_number_value(json_array_get(point, 0)),
                    json_number_value(json_array_get(point, 1))};
    char *text = NULL;
    char *face = dump(json_array_get(row, 1), 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *coordinate = say(format, at[0] * x, at[1] * y);
#pragma GCC diagnostic pop
    text = say("[\"CloseToPix\", %s, %s],", face, coordinate);
    free(face);
    free(coordinate);
    return text;
}
static char *row_thousandths(const json_t *row)
{
    return row_pixels(row, 1000, 1000, "[%.0f, %.0f]");
}
static char *row_percent(const json_t *row)
{
    return row_pixels(row, 100, 100, "[\"%.1f%%\", \"%.1f%%\"]");
}
static char *row_xy(const json_t *row)
{
    return row_pixels(row, 1, 1, "{\"x\": %.4f, \"y\": %.4f}");
}
static char *row_point_text(const json_t *row)
{
    return row_pixels(row, 1, 1, "\"%.4f, %.4f\"");
}
static char *row_two(const json_t *row)
{
    return row_pixels(row, 1, 1, "%.4f, %.4f");
}

static char *row_bold(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("* **%s**: %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_bold_colon(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("* **%s:** %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_dash(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("1. **%s** \u2013 %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_equals(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("- %s = (%s)", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_tag(const json_t *row)
{
    char *text = dump(row, 0), *made = say("<constraint>%s</constraint>", text);
    free(text);
    return made;
}
static char *row_marked(const json_t *row)
{
    char *text = dump(row, 0), *made = say("[constraint]%s[/constraint]", text);
    free(text);
    return made;
}
static char *row_commented(const json_t *row)
{
    char *text = dump(row, 0), *made = say("-- what is to hold\n%s", text);
    free(text);
    return made;
}
static char *row_counted(const json_t *row)
{
    char *text = dump(row, 0), *made = say("Constraint 1: %s", text);
    free(text);
    return made;
}
/* A row's parts, each by a format, behind its name by another. */
static char *row_parts(const json_t *row,
                       const char *head,
                       const char *each,
                       const char *end)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = say(head, head_of(row));
    for (size_t i = 1; i < json_array_size(row); i++) {
        const json_t *value = json_array_get(row, i);
        char *text = json_is_string(value) ? say("%s", json_string_value(value))
                                           : dump(value, 0);
        char *part = say(each, text), *more = say("%s%s", made, part);
        free(text);
        free(part);
        free(made);
        made = more;
    }
#pragma GCC diagnostic pop
    char *all = say("%s%s", made, end);
    free(made);
    return all;
}
static char *row_cells(const json_t *row)
{
    return row_parts(row, "| %s |", " %s |", "");
}
static char *row_items(const json_t *row)
{
    return row_parts(row, "- %s:", "\n  - %s", "");
}

static char *row_arrow(const json_t *row)
{
    return row_parts(row, "%s ->", " %s ->", "");
}
static char *row_csv(const json_t *row)
{
    return row_parts(row, "%s", ",%s", "");
}
static char *row_bars(const json_t *row)
{
    return row_parts(row, "%s", " | %s", "");
}
static char *row_xml(const json_t *row)
{
    return row_parts(row, "<%s>", "\n<value>%s</value>", "\n</row>");
}
static char *row_html(const json_t *row)
{
    return row_parts(row, "<tr><td>%s</td>", "<td>%s</td>", "</tr>");
}
static char *row_yaml(const json_t *row)
{
    return row_parts(row, "- type: %s\n  args:", "\n    - %s", "");
}
static char *row_why(const json_t *row)
{
    char *text = dump(row, 0),
         *made = say("%s - as the plan asks for (see image).", text);
    free(text);
    return made;
}
static char *row_reason(const json_t *row)
{
    char *
        arguments = arguments_of(row),
       *made = say(
           "{\"constraint\": \"%s\", \"args\": [%s], \"reason\": \"so it is asked\", \"weight\": 1.0},",
           head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_uncounted(const json_t *row)
{
    char *text = dump(row, 0),
         *made = say("%.*s,", (int)strlen(text) - 1, text);
    free(text);
    return made;
}
static char *row_escaped(const json_t *row)
{
    return replace_in(dump(row, 0), "\"", "\\\"");
}
static char *row_object(const json_t *row)
{
    return replace_in(dump(row, 0), "ObjectName", "Object");
}
static char *row_latex(const json_t *row)
{
    char *text = dump(row, 0), *made = say("& \\text{%s} \\\\", text);
    free(text);
    return made;
}

static char *arrow_it(const char *i)
{
    return rewrite_rows(i, row_arrow);
}
static char *csv_it(const char *i)
{
    return rewrite_rows(i, row_csv);
}
static char *bars_it(const char *i)
{
    return rewrite_rows(i, row_bars);
}
static char *xml_it(const char *i)
{
    return rewrite_rows(i, row_xml);
}
static char *html_it(const char *i)
{
    return rewrite_rows(i, row_html);
}
static char *yaml_it(const char *i)
{
    return rewrite_rows(i, row_yaml);
}
static char *why_it(const char *i)
{
    return rewrite_rows(i, row_why);
}
static char *reason_it(const char *i)
{
    return rewrite_rows(i, row_reason);
}
static char *unclosed_it(const char *i)
{
    return rewrite_rows(i, row_uncounted);
}
static char *escape_it(const char *i)
{
    return rewrite_rows(i, row_escaped);
}
static char *object_it(const char *i)
{
    return rewrite_rows(i, row_object);
}
static char *latex_it(const char *i)
{
    return rewrite_rows(i, row_latex);
}
static char *bold_it_all(const char *i)
{
    return rewrite_rows(i, row_bold);
}
static char *bold_colon_it(const char *i)
{
    return rewrite_rows(i, row_bold_colon);
}
static char *dash_it(const char *i)
{
    return rewrite_rows(i, row_dash);
}
static char *equals_it(const char *i)
{
    return rewrite_rows(i, row_equals);
}
static char *tag_it(const char *i)
{
    return rewrite_rows(i, row_tag);
}
static char *mark_it(const char *i)
{
    return rewrite_rows(i, row_marked);
}
static char *comment_it(const char *i)
{
    return rewrite_rows(i, row_commented);
}
static char *count_it(const char *i)
{
    return rewrite_rows(i, row_counted);
}
static char *items_it(const char *i)
{
    return rewrite_rows(i, row_items);
}
static char *table_it(const char *i)
{
    char *rows = rewrite_rows(i, row_cells),
         *made = rows ? say("\n| Constraint | Arguments |\n|---|---|%s", rows)
                      : NULL;
    free(rows);
    return made;
}
static char *box_it(const char *i)
{
    return say("\n$$\\boxed{%s}$$\n", i);
}
static char *call_it(const char *i)
{
    return rewrite_rows(i, row_call);
}
static char *pair_it(const char *i)
{
    return rewrite_rows(i, row_pair);
}
static char *typed_it(const char *i)
{
    return rewrite_rows(i, row_typed);
}
static char *keyed_it(const char *i)
{
    return rewrite_rows(i, row_keyed);
}
static char *flat_it(const char *i)
{
    return rewrite_rows(i, row_flat);
}
static char *bare_it(const char *i)
{
    return rewrite_rows(i, row_bare);
}
static char *snake_it(const char *i)
{
    return rewrite_rows(i, row_snake);
}
static char *bottom_it(const char *i)
{
    return rewrite_rows(i, row_bottom);
}
static char *texts_it(const char *i)
{
    return rewrite_rows(i, row_texts);
}
static char *units_it(const char *i)
{
    return rewrite_rows(i, row_units);
}
static char *thousandths_it(const char *i)
{
    return rewrite_rows(i, row_thousandths);
}
static char *percent_it(const char *i)
{
    return rewrite_rows(i, row_percent);
}
static char *xy_it(const char *i)
{
    return rewrite_rows(i, row_xy);
}
static char *point_text_it(const char *i)
{
    return rewrite_rows(i, row_point_text);
}
static char *two_it(const char *i)
{
    return rewrite_rows(i, row_two);
}

static char *row_solver(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = say("solver.add(%s(%s))", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_point_2d(const json_t *row)
{
    return row_pixels(row, 1000, 1000,
                      "{\"point_2d\": [%.0f, %.0f], \"label\": \"it\"}");
}
static char *solver_it(const char *i)
{
    return rewrite_rows(i, row_solver);
}
static char *point_2d_it(const char *i)
{
    return rewrite_rows(i, row_point_2d);
}
static char *enum_it(const char *i)
{
    return replace(i, "\"down\"", "Face.DOWN");
}
static char *chinese_it(const char *i)
{
    return replace(i, "\"down\"", "\"\u5e95\u90e8\"");
}

/* Names in another case, or in quotes of their own. */
static char *rename_all(const char *inner,
                        int (*to)(int),
                        const char *before,
                        const char *after)
{
    json_t *rows = rows_of(inner), *row, *item;
    size_t i, k;
    json_array_foreach(rows, i, row)
    {
        json_array_foreach(row, k, item)
        {
            static const char *const words[] = {
                "down", "up", "side", "center", "full_only", "camera"};
            bool is_word = k == 0;
            for (size_t w = 0; w < 6 && json_is_string(item); w++)
                is_word = is_word || !strcmp(words[w], json_string_value(item));
            if (!json_is_string(item) || is_word)
                continue;
            char *name = say("%s%s%s", before, json_string_value(item), after);
            for (char *c = name; *c; c++)
                *c = (char)to((unsigned char)*c);
            json_array_set_new(row, k, json_string(name));
            free(name);
        }
    }
    char *text = rows ? dump(rows, 0) : NULL,
         *made = text ? say("\n%s\n", text) : NULL;
    free(text);
    json_decref(rows);
    return made;
}
static char *recase(const char *inner, int (*to)(int), const char *around)
{
    return rename_all(inner, to, around, around);
}
static int same(int c)
{
    return c;
}
static char *upper_it(const char *i)
{
    return recase(i, toupper, "");
}
static char *lower_it(const char *i)
{
    return recase(i, tolower, "");
}
static char *quote_it(const char *i)
{
    return recase(i, same, "'");
}
static int underscore(int c)
{
    return c == ' ' ? '_' : c;
}
static char *snake_names_it(const char *i)
{
    return recase(i, underscore, "");
}
static int hyphen(int c)
{
    return c == ' ' ? '-' : c;
}
static char *hyphen_names_it(const char *i)
{
    return recase(i, hyphen, "");
}
static char *article_it(const char *i)
{
    return rename_all(i, same, "the ", "");
}
static char *remark_it(const char *i)
{
    return rename_all(i, same, "", " (id: 7)");
}
static char *break_it(const char *i)
{
    return replace(i, "\n", "<br>\n");
}
static char *maths_it(const char *i)
{
    return say("\n$$%s$$\n", i);
}
static char *twice_it(const char *i)
{
    return say("%s%s", i, i);
}
static char *suffix_it(const char *i)
{
    return replace(i, "\"Contact\"", "\"ContactConstraint\"");
}

IN_CONSTRAINTS(solver_calls, solver_it)
IN_CONSTRAINTS(points_2d, point_2d_it)
IN_CONSTRAINTS(enum_words, enum_it)
IN_CONSTRAINTS(chinese_words, chinese_it)
IN_CONSTRAINTS(arrows, arrow_it)
IN_CONSTRAINTS(csv, csv_it)
IN_CONSTRAINTS(bars, bars_it)
IN_CONSTRAINTS(xml_rows, xml_it)
IN_CONSTRAINTS(html_rows, html_it)
IN_CONSTRAINTS(yaml_rows, yaml_it)
IN_CONSTRAINTS(remarks, why_it)
IN_CONSTRAINTS(reasons, reason_it)
IN_CONSTRAINTS(unclosed, unclosed_it)
IN_CONSTRAINTS(escaped_quotes, escape_it)
IN_CONSTRAINTS(object_heads, object_it)
IN_CONSTRAINTS(latex_rows, latex_it)
IN_CONSTRAINTS(bold_names, bold_it_all)
IN_CONSTRAINTS(bold_colons, bold_colon_it)
IN_CONSTRAINTS(dashes, dash_it)
IN_CONSTRAINTS(equal_signs, equals_it)
IN_CONSTRAINTS(tagged, tag_it)
IN_CONSTRAINTS(marked_rows, mark_it)
IN_CONSTRAINTS(dash_comments, comment_it)
IN_CONSTRAINTS(counted, count_it)
IN_CONSTRAINTS(nested_items, items_it)
IN_CONSTRAINTS(table, table_it)
IN_CONSTRAINTS(boxed, box_it)
IN_CONSTRAINTS(single_quotes, single_it)
IN_CONSTRAINTS(curly_singles, curly_single)
IN_CONSTRAINTS(trailing_commas, trail_it)
IN_CONSTRAINTS(missing_commas, uncomma_it)
IN_CONSTRAINTS(no_commas, unspace_it)
IN_CONSTRAINTS(slash_comments, slash_comment_it)
IN_CONSTRAINTS(hash_comments, hash_comment_it)
IN_CONSTRAINTS(c_comments, dash_comment_it)
IN_CONSTRAINTS(bullets, bullet_it)
IN_CONSTRAINTS(numbers, number_it)
IN_CONSTRAINTS(ticks, tick_it)
IN_CONSTRAINTS(wrapped, wrap_it)
IN_CONSTRAINTS(listed, list_it)
IN_CONSTRAINTS(assigned, assign_it)
IN_CONSTRAINTS(semicolons, semicolon_it)
IN_CONSTRAINTS(round_brackets, round_it)
IN_CONSTRAINTS(calls, call_it)
IN_CONSTRAINTS(pairs, pair_it)
IN_CONSTRAINTS(typed, typed_it)
IN_CONSTRAINTS(keyed, keyed_it)
IN_CONSTRAINTS(flat, flat_it)
IN_CONSTRAINTS(bare, bare_it)
IN_CONSTRAINTS(snake, snake_it)
IN_CONSTRAINTS(bottom, bottom_it)
IN_CONSTRAINTS(number_texts, texts_it)
IN_CONSTRAINTS(units, units_it)
IN_CONSTRAINTS(thousandths, thousandths_it)
IN_CONSTRAINTS(percents, percent_it)
IN_CONSTRAINTS(xy_points, xy_it)
IN_CONSTRAINTS(text_points, point_text_it)
IN_CONSTRAINTS(two_numbers, two_it)
IN_CONSTRAINTS(upper_names, upper_it)
IN_CONSTRAINTS(lower_names, lower_it)
IN_CONSTRAINTS(quoted_names, quote_it)
IN_CONSTRAINTS(snake_names, snake_names_it)
IN_CONSTRAINTS(hyphen_names, hyphen_names_it)
IN_CONSTRAINTS(article_names, article_it)
IN_CONSTRAINTS(remark_names, remark_it)
IN_CONSTRAINTS(html_breaks, break_it)
IN_CONSTRAINTS(maths, maths_it)
IN_CONSTRAINTS(said_twice, twice_it)
IN_CONSTRAINTS(kind_suffix, suffix_it)

static char *no_completion(const char *t)
{
    return replace(t, "<completion>", "");
}
static char *completed(const char *t)
{
    return replace(t, "<completion>", "**[COMPLETION]**");
}
static char *json_only(const char *t)
{
    char *made = remark(t, "%.0s```json\n[", "%.0s]\n```");
    return made && strstr(t, "[constraints]") ? made : (free(made), NULL);
}

/* ---- the evaluator's block ---- */

static const char *value_of(const char *text, const char *label, int *size)
{
    const char *at = strstr(text, label);
    if (!at)
        return NULL;
    at += strlen(label);
    while (*at == ' ')
        at++;
    *size = (int)strcspn(at, "\n");
    return at;
}
/* The answer anew by a format that takes the examination and the verdict. */
static char *evaluate_as(const char *t, const char *format)
{
    int exam_size = 0, verdict_size = 0;
    const char *exam = value_of(t, "visual_exam:", &exam_size),
               *verdict = value_of(t, "verdict:", &verdict_size);
    if (!exam || !verdict)
        return NULL;
    char *one = strndup(exam, (size_t)exam_size),
         *two = strndup(verdict, (size_t)verdict_size);
    *two = (char)toupper(*two);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = say(format, one, two);
#pragma GCC diagnostic pop
    free(one);
    free(two);
    return made;
}
#define EVALUATE(name, format) \
    static char *name(const char *t) \
    { \
        return evaluate_as(t, format); \
    }
EVALUATE(answer_word, "%s\n\n**Answer:** %s")
EVALUATE(
    verdict_turned,
    "[evaluation]\nvisual_exam: %s\nverdict: neither the one nor the other, just %s\n[end of evaluation]")
EVALUATE(
    verdict_checked,
    "[evaluation]\nvisual_exam: %s\nverdict:\n- [ ] not to be told\n- [x] %s\n[end of evaluation]")
EVALUATE(verdict_boxed, "%s\n\nSo it is $\\boxed{\\text{%s}}$")
EVALUATE(
    verdict_struck,
    "[evaluation]\nvisual_exam: %s\nverdict: ~~fair~~ %s\n[end of evaluation]")
EVALUATE(answer_boxed, "%s\nThe final answer is $\\boxed{\\text{%s}}$.")
EVALUATE(answer_bold, "%s So I rate this edit **%s**, all in all.")
EVALUATE(answer_assessed, "**Reasoning:** %s\n**Overall assessment:** %s")
EVALUATE(
    answer_xml,
    "<evaluation>\n<visual_exam>%s</visual_exam>\n<verdict>%s</verdict>\n</evaluation>")
EVALUATE(answer_cells, "| visual_exam | verdict |\n|---|---|\n| %s | %s |")
EVALUATE(answer_rated, "%s I would rate this edit as %s.")
EVALUATE(answer_label,
         "[evaluation]\n[visual_exam] %s\n[verdict] %s\n[end of evaluation]")
EVALUATE(answer_tags, "<visual_exam>%s</visual_exam><verdict>%s</verdict>")
EVALUATE(
    answer_call,
    "<tool_call>{\"name\": \"evaluation\", \"arguments\": {\"visual_exam\": \"%s\", \"verdict\": \"%s\"}}</tool_call>")
EVALUATE(answer_behind,
         "[evaluation]\nvisual_exam: %s\n[end of evaluation]\n\\boxed{%s}")
EVALUATE(
    explained,
    "[evaluation]\nvisual_exam: %s\nverdict: %s - the object is placed well\n[end of evaluation]")
EVALUATE(
    explained_in_brackets,
    "[evaluation]\nvisual_exam: %s\nverdict: %s (no fault is seen)\n[end of evaluation]")
EVALUATE(
    bold_verdict,
    "[evaluation]\n**visual_exam:** %s\n**verdict:** **%s**\n[end of evaluation]")
EVALUATE(
    bold_label,
    "[evaluation]\n- **Visual exam**: %s\n- **Verdict**: `%s`.\n[end of evaluation]")
EVALUATE(
    json_evaluation,
    "[evaluation]\n{\"visual_exam\": \"%s\", \"verdict\": \"%s\"}\n[end of evaluation]")
EVALUATE(
    json_evaluation_only,
    "```json\n{\n  \"visual_exam\": \"%s\",\n  \"verdict\": \"%s\"\n}\n```")
EVALUATE(unmarked, "visual_exam: %s\nverdict: %s")
EVALUATE(verdict_headings, "### Visual exam\n%s\n\n### Verdict\n**%s**")
EVALUATE(
    verdict_is,
    "[evaluation]\nvisual_exam: %s\nThe verdict is %s.\n[end of evaluation]")
EVALUATE(verdict_alone, "%s\n\n%s.")
EVALUATE(
    verdict_final,
    "[evaluation]\nvisual_exam: %s\nFinal verdict: %s!\n[end of evaluation]")
EVALUATE(verdict_equals,
         "[evaluation]\nvisual_exam = %s\nverdict = %s\n[end of evaluation]")
EVALUATE(verdict_next_line,
         "[evaluation]\nvisual_exam:\n%s\nverdict:\n%s\n[end of evaluation]")
EVALUATE(
    verdict_table,
    "[evaluation]\n| visual_exam | %s |\n| verdict | %s |\n[end of evaluation]")
EVALUATE(
    verdict_choice,
    "[evaluation]\nvisual_exam: %s\nverdict: one of excellent, good, fair, bad, terrible%.0s\n[end of evaluation]")
EVALUATE(verdict_score,
         "[evaluation]\nvisual_exam: %s\nverdict: 5/5%.0s\n[end of evaluation]")

/* ---- the planner's blocks ---- */

static char *quote_inner(const char *inner)
{
    return say("\n\"%.*s\"\n", (int)strcspn(inner + 1, "\n"), inner + 1);
}
static char *quoted_instruction(const char *t)
{
    return within(t, "updated_instruction", quote_inner);
}
static char *bold_instruction(const char *t)
{
    return within(t, "updated_instruction", bold_it);
}

static char *point_as(const char *inner, double x, double y, const char *format)
{
    const char *open = strchr(inner, '[');
    double at[2];
    if (!open || sscanf(open, "[%lf, %lf]", &at[0], &at[1]) != 2)
        return NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *point = say(format, at[0] * x, at[1] * y);
#pragma GCC diagnostic pop
    char *made = say("%.*s%s%s", (int)(open - inner), inner, point,
                     strchr(open, ']') + 1);
    free(point);
    return made;
}
#define POINT(name, x, y, format) \
    static char *name##_it(const char *inner) \
    { \
        return point_as(inner, x, y, format); \
    } \
    static char *name(const char *t) \
    { \
        return within(t, "coordinate", name##_it); \
    }
POINT(plan_thousandths, 1000, 1000, "[%.0f, %.0f]")
POINT(plan_round, 1, 1, "(%.4f, %.4f)")
POINT(plan_percent, 100, 100, "[%.1f%%, %.1f%%]")
POINT(plan_pixels, 1024, 768, "[%.0f, %.0f]")
POINT(plan_xy, 1, 1, "x=%.4f, y=%.4f")
POINT(plan_no_comma, 1, 1, "[%.4f %.4f]")
POINT(plan_object, 1, 1, "{\"x\": %.4f, \"y\": %.4f}")
POINT(plan_bare, 1, 1, "%.4f, %.4f")
POINT(plan_bold, 1, 1, "**[%.4f, %.4f]**")
POINT(plan_point_2d, 1000, 1000, "{\"point_2d\": [%.0f, %.0f]}")

/* A small box around the point, as detectors of things answer. */
static char *box_around(const char *inner)
{
    const char *open = strchr(inner, '[');
    double x, y;
    if (!open || sscanf(open, "[%lf, %lf]", &x, &y) != 2)
        return NULL;
    return say("%.*s[%.3f, %.3f, %.3f, %.3f]%s", (int)(open - inner), inner,
               x - 0.02, y - 0.02, x + 0.02, y + 0.02, strchr(open, ']') + 1);
}
static char *plan_box(const char *t)
{
    return within(t, "coordinate", box_around);
}
POINT(plan_signed, 1, 1, "[+%.4f, +%.4f]")

static char *wide_digits(const char *t)
{
    char *made = say("%s", t);
    for (int i = 0; i < 10; i++) {
        char from[2] = {(char)('0' + i), 0},
             to[4] = {(char)0xef, (char)0xbc, (char)(0x90 + i), 0};
        made = replace_in(made, from, to);
    }
    return made;
}
static char *plan_wide(const char *t)
{
    return within(t, "coordinate", wide_digits);
}

/* The instruction and its place anew, by a format that takes both and whether
 * the place is the bottom's. */
static char *plan_as(const char *t, const char *format)
{
    char open[64], close[64];
    double at[2];
    if (!marks_of(t, "updated_instruction", open, close))
        return NULL;
    const char *from = strstr(t, open) + strlen(open),
               *to = strstr(from, close), *point = strrchr(t, '[');
    while (point > t && sscanf(point, "[%lf, %lf]", &at[0], &at[1]) != 2)
        point--;
    if (point == t)
        return NULL;
    char *said = strndup(from + 1, (size_t)(to - from) - 2);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = say(format, said, strstr(to, "bottom") ? "bottom" : "center",
                     at[0], at[1]);
#pragma GCC diagnostic pop
    free(said);
    return made;
}
static char *plan_labels(const char *t)
{
    return plan_as(t, "Updated instruction: %s\nCoordinate (%s): [%.4f, %.4f]");
}
static char *plan_variables(const char *t)
{
    return plan_as(
        t,
        "```python\nupdated_instruction = '%s'\ncoordinate = ('%s', (%.4f, %.4f))\n```");
}
static char *plan_classes(const char *t)
{
    return plan_as(
        t,
        "<div class=\"updated_instruction\">%s</div>\n<div class=\"coordinate\">The %s at [%.4f, "
        "%.4f]</div>");
}
static char *plan_location(const char *t)
{
    return plan_as(
        t,
        "1. As seen.\n2. **Instruction:** %s\n3. **Location:** the %s at [%.4f, %.4f]");
}
static char *plan_cells(const char *t)
{
    return plan_as(
        t,
        "| **Updated instruction** | %s |\n|---|---|\n| **Coordinate** | The %s at [%.4f, %.4f]. |");
}
static char *plan_rules(const char *t)
{
    return plan_as(
        t,
        "=== updated_instruction ===\n%s\n=== end of updated_instruction ===\n=== coordinate ===\nThe %s at [%.4f, "
        "%.4f].\n=== end of coordinate ===");
}
static char *plan_nested(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\n%s\n[coordinate]\nThe %s at [%.4f, %.4f].\n[end of coordinate]\n[end of "
        "updated_instruction]");
}
static char *plan_within(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\nUpdated instruction: %s\n[end of updated_instruction]\n[coordinate]\n%s: [%.4f +/- "
        "0.01, %.4f +/- 0.01]\n[end of coordinate]");
}
static char *plan_chinese(const char *t)
{
    char *made = plan_as(
        t,
        "[updated_instruction]\n%s\n[end of updated_instruction]\n[coordinate]\n\u7269\u4f53\u7684%s\u5728 "
        "\uff08%.4f\uff0c%.4f\uff09\u3002\n[end of coordinate]");
    if (made)
        made = replace_in(made, "\u7684bottom", "\u7684\u5e95\u90e8");
    return made ? replace_in(made, "\u7684center", "\u7684\u4e2d\u5fc3") : NULL;
}
static char *plan_boxed(const char *t)
{
    return plan_as(
        t,
        "**Updated Instruction:** %s\n\n**Coordinate:** the %s at $\\boxed{(%.4f, %.4f)}$");
}
static char *plan_named(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\n%s\n[end of updated_instruction]\n[coordinate]\n%s: (x=%.4f, y=%.4f)\n"
        "[end of coordinate]");
}

static char *plan_steps(const char *t)
{
    return plan_as(
        t,
        "## Step 1: The scene\nAs seen.\n\n## Step 2: Updated instruction\n%s\n\n## Step 3: Coordinate\nThe %s at "
        "[%.4f, %.4f].");
}
static char *plan_currently(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\n%s\n[end of updated_instruction]\n[coordinate]\nThe %s of the object should be around "
        "[%.4f, %.4f] (currently at [0.1, 0.1]).\n[end of coordinate]");
}
static char *plan_depth(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\n%s\n[end of updated_instruction]\n[coordinate]\nThe %s of the object should be around "
        "[%.4f, %.4f, 0.0].\n[end of coordinate]");
}
static char *plan_items(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]\n1. %s\n[end of updated_instruction]\n[coordinate]\n2. The %s of the object should be "
        "around [%.4f, %.4f].\n[end of coordinate]");
}
static char *plan_html(const char *t)
{
    return plan_as(
        t,
        "[updated_instruction]<br>\n<p><b>%s</b></p>\n[end of updated_instruction]<br>\n[coordinate]<br>\n<p>The %s of "
        "the object should be around [%.4f, %.4f].</p>\n[end of coordinate]");
}
static char *ends_templated(const char *t)
{
    return replace(
        t, "<finished>",
        "<finished>\n[updated_instruction]\nNone\n[end of updated_instruction]\n[coordinate]\nN/A\n[end of "
        "coordinate]");
}
static char *ends_object(const char *t)
{
    return strstr(t, "<finished>")
               ? say("{\"finished\": true, \"reason\": \"It holds.\", "
                     "\"updated_instruction\": null, \"coordinate\": null}")
               : NULL;
}
static char *ends_status(const char *t)
{
    return strstr(t, "<finished>")
               ? say("```json\n{\"status\": \"finished\"}\n```")
               : NULL;
}

static char *plan_json(const char *t)
{
    char open[64], close[64];
    double at[2];
    if (!marks_of(t, "updated_instruction", open, close))
        return NULL;
    const char *from = strstr(t, open) + strlen(open),
               *to = strstr(from, close), *point = strrchr(t, '[');
    while (point > t && sscanf(point, "[%lf, %lf]", &at[0], &at[1]) != 2)
        point--;
    if (point == t)
        return NULL;
    char *said = strndup(from + 1, (size_t)(to - from) - 2);
    json_t *root = json_pack("{s:s,s:[f,f],s:s}", "updated_instruction", said,
                             "coordinate", at[0], at[1], "anchor",
                             strstr(to, "bottom") ? "bottom" : "center");
    char *text = dump(root, JSON_INDENT(2)),
         *made = say("```json\n%s\n```", text);
    json_decref(root);
    free(said);
    free(text);
    return made;
}
static char *plan_unmarked_point(const char *t)
{
    char *made = replace(t, "[coordinate]\n", "");
    return made ? replace_in(made, "[end of coordinate]", "") : NULL;
}
static char *verdict_upper(const char *t)
{
    return replace(t, "<finished>", "<FINISHED>");
}
static char *verdict_bold(const char *t)
{
    return replace(t, "<finished>", "\n**<finished>**");
}
static char *verdict_bracket(const char *t)
{
    return replace(t, "<finished>", "[finished]");
}
static char *verdict_bare(const char *t)
{
    return replace(t, "<finished>", "\n\nFinished.");
}
static char *verdict_xml(const char *t)
{
    return replace(t, "<finished>", "<finished/>");
}
static char *not_finished(const char *t)
{
    return strstr(t, "[updated_instruction]")
               ? say("The goal is not <finished> yet.\n%s", t)
               : NULL;
}

/* ---- what says nothing any more ---- */

static char *empty(const char *t)
{
    (void)t;
    return say("%s", "");
}
static char *refusal(const char *t)
{
    (void)t;
    return say("I'm sorry, but I can't help with that.");
}
static char *prose(const char *t)
{
    (void)t;
    return say(
        "The scene shows a room. I would move things until it looks right.");
}
static char *cut(const char *t)
{
    return say("%.*s", (int)(strlen(t) / 2), t);
}
static char *ellipsis(const char *t)
{
    return within(t, "constraints", draft_word);
}

/* ---- whole answers, and what runs on behind them ---- */

static char *next_turn(const char *t)
{
    return say(
        "%s\n\nUser: Thank you! Is it <impossible>?\n\nAssistant: verdict: terrible, <impossible>",
        t);
}
static char *next_template(const char *t)
{
    return say(
        "%s<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\n<impossible> verdict: bad",
        t);
}
static char *box_tokens(const char *t)
{
    return say(
        "<think>Let me see: <impossible>?</think><|begin_of_box|>%s<|end_of_box|>",
        t);
}
static char *nulls_it(const char *i)
{
    return say(
        "%s,\n[\"FaceTo\", null],\n[\"BackTo\", \"none\"],\n[\"Distance\", null, null],\n[\"Rotate\", \"\"]\n",
        i);
}
IN_CONSTRAINTS(nulls, nulls_it)
static char *cut_mark(const char *t)
{
    const char *end = strstr(t, "[end of constraints]");
    return end ? say("%.*s[end of constr", (int)(end - t), t) : NULL;
}
static char *verdict_korean(const char *t)
{
    return replace(t, "verdict: excellent", "\ud310\uc815: \uc6b0\uc218");
}

/* ---- calls on the wire ---- */

static json_t *call_function(json_t *calls, size_t at)
{
    return json_object_get(json_array_get(calls, at), "function");
}

/* Each call's arguments by a format that takes their text. */
static bool write_arguments(json_t *calls, const char *format)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *text = say(
            format, json_string_value(json_object_get(function, "arguments")));
#pragma GCC diagnostic pop
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_fenced(json_t *calls)
{
    return write_arguments(calls, "```json\n%s\n```");
}
static bool wire_tail(json_t *calls)
{
    return write_arguments(calls, "%s</tool_call>");
}
static bool wire_twice(json_t *calls) /* a text of a text */
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
        char *text = dump(json_object_get(function, "arguments"), 0);
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_objects(json_t *calls)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
        json_object_set_new(function, "arguments",
                            json_loads(json_string_value(json_object_get(
                                           function, "arguments")),
                                       0, NULL));
    }
    return true;
}

/* Each call's name by a format that takes it. */
static bool write_names(json_t *calls, const char *format)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *text =
            say(format, json_string_value(json_object_get(function, "name")));
#pragma GCC diagnostic pop
        json_object_set_new(function, "name", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_spaced(json_t *calls)
{
    return write_names(calls, "functions.%s");
}
static bool wire_counted(json_t *calls)
{
    return write_names(calls, "functions.%s:0");
}
static bool wire_channel(json_t *calls)
{
    return write_names(calls, "%s<|channel|>commentary");
}

/* Each call's id as `id` says; NULL: none. */
static bool write_ids(json_t *calls, json_t *id)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *call = json_array_get(calls, i);
        if (id)
            json_object_set(call, "id", id);
        else
            json_object_del(call, "id");
    }
    json_decref(id);
    return true;
}
static bool wire_no_ids(json_t *calls)
{
    return write_ids(calls, NULL);
}
static bool wire_same_ids(json_t *calls)
{
    return write_ids(calls, json_string("call_0"));
}
static bool wire_number_ids(json_t *calls)
{
    return write_ids(calls, json_integer(0));
}

/* ---- tool calls as text ---- */

typedef char *call_writer(const char *name, const json_t *arguments);

static char *write_calls(const json_t *list,
                         const char *before,
                         call_writer *write,
                         const char *after)
{
    char *made = say("%s", before);
    json_t *row;
    size_t i;
    json_array_foreach((json_t *)(size_t)list, i, row)
    {
        const json_t *function = json_object_get(row, "function");
        json_t *arguments = json_loads(
            json_string_value(json_object_get(function, "arguments")), 0, NULL);
        char *one = write(json_string_value(json_object_get(function, "name")),
                          arguments);
        char *more = say("%s%s", made, one);
        free(one);
        free(made);
        json_decref(arguments);
        made = more;
    }
    char *all = say("%s%s", made, after);
    free(made);
    return all;
}
static char *call_json(const char *name,
                       const json_t *arguments,
                       const char *format)
{
    char *text = dump(arguments, 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = say(format, name, text);
#pragma GCC diagnostic pop
    free(text);
    return made;
}
static char *hermes(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<tool_call>\n{\"name\": \"%s\", \"arguments\": %s}\n</tool_call>\n");
}
static char *llama(const char *n, const json_t *a)
{
    return call_json(n, a, "<function=%s>%s</function>\n");
}
static char *fence_call(const char *n, const json_t *a)
{
    return call_json(n, a,
                     "```json\n{\"name\": \"%s\", \"arguments\": %s}\n```\n");
}
static char *parameters_call(const char *n, const json_t *a)
{
    return call_json(n, a, "{\"name\": \"%s\", \"parameters\": %s}\n");
}
static char *react(const char *n, const json_t *a)
{
    return call_json(n, a, "Action: %s\nAction Input: %s\n");
}
static char *deepseek(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>%s\n```json\n%s\n```<\uff5ctool\u2581call\u2581end\uff5c>");
}
static char *kimi(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<|tool_call_begin|>functions.%s:0<|tool_call_argument_begin|>%s<|tool_call_end|>");
}
static char *mistral(const char *n, const json_t *a)
{
    return call_json(n, a, "[TOOL_CALLS]%s%s");
}
static char *harmony_call(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>");
}
static char *single_call(const char *n, const json_t *a)
{
    char *text = fence_call(n, a);
    return replace_in(text, "\"", "'");
}

/* Each argument by a format that takes its name and value. */
static char *call_parts(const char *before,
                        const char *name,
                        const json_t *arguments,
                        const char *each,
                        const char *after)
{
    const char *key;
    json_t *value;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = say(before, name);
    json_object_foreach((json_t *)(size_t)arguments, key, value)
    {
        char *text = dump(value, 0), *one = say(each, key, text),
             *more = say("%s%s", made, one);
        free(text);
        free(one);
        free(made);
        made = more;
    }
#pragma GCC diagnostic pop
    char *all = say("%s%s", made, after);
    free(made);
    return all;
}
static char *qwen(const char *n, const json_t *a)
{
    return call_parts("<tool_call>\n<function=%s>\n", n, a,
                      "<parameter=%s>\n%s\n</parameter>\n",
                      "</function>\n</tool_call>\n");
}
static char *invoke(const char *n, const json_t *a)
{
    return call_parts("<invoke name=\"%s\">\n", n, a,
                      "<parameter name=\"%s\">%s</parameter>\n", "</invoke>\n");
}
static char *glm(const char *n, const json_t *a)
{
    return call_parts("<tool_call>%s\n", n, a,
                      "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n",
                      "</tool_call>\n");
}
static char *python(const char *n, const json_t *a)
{
    return call_parts("%s(", n, a, "%s=%s", ")\n");
}
static char *own_tags(const char *n, const json_t *a)
{
    char *inner = call_parts("<%s>\n", n, a, "<%1$s>%2$s</%1$s>\n", ""),
         *made = say("%s</%s>\n", inner, n);
    free(inner);
    return made;
}

/* ---- the table ---- */

enum {
    PLANNER = 1,
    EXECUTOR = 2,
    EVALUATOR = 4,
    ALL = 7
};

struct sloppy_habit {
    const char *name;
    unsigned roles;
    bool seen; /* a person would still see what is meant */
    char *(*text)(const char *text);
    call_writer *call;
    const char *before, *after; /* of calls */
    /* of coordinates in structured calls; 0: as they are */
    double x, y;
    bool (*wire)(json_t *calls); /* of structured calls: how they are written */
    enum {
        SHAPE_TEXT = 0,
        SHAPE_PARTS,
        SHAPE_REASONING,
        SHAPE_BOTH
    } shape; /* of the message around the text */
};

static const sloppy_habit habits[] = {
    {"none", ALL, true, .text = NULL},
    {"preamble", ALL, true, .text = preamble},
    {"afterword", ALL, true, .text = afterword},
    {"fenced", ALL, true, .text = fenced},
    {"fenced_text", ALL, true, .text = fenced_text},
    {"fence_within", ALL, true, .text = fence_within},
    {"quoted_lines", ALL, true, .text = quoted_lines},
    {"think", ALL, true, .text = think},
    {"think_draft", ALL, true, .text = think_draft},
    {"think_tail", ALL, true, .text = think_tail},
    {"thinking", ALL, true, .text = thinking},
    {"harmony", ALL, true, .text = harmony},
    {"end_token", ALL, true, .text = end_token},
    {"crlf", ALL, true, .text = crlf},
    {"tabs", ALL, true, .text = tabs},
    {"nbsp", ALL, true, .text = nbsp},
    {"byte_order", ALL, true, .text = byte_order},
    {"entities", ALL, true, .text = entities},
    {"repeats", ALL, true, .text = repeats},
    {"echo_prompt", ALL, true, .text = echo_prompt},
    {"json_inner", ALL, true, .text = json_inner},
    {"escaped_lines", ALL, true, .text = escaped_lines},
    {"content_parts", ALL, true, .shape = SHAPE_PARTS},
    {"reasoning_only", ALL, true, .shape = SHAPE_REASONING},
    {"reasoning_beside", ALL, true, .shape = SHAPE_BOTH},
    {"bold_marks", ALL, true, .text = bold_marks},
    {"tick_marks", ALL, true, .text = tick_marks},
    {"slash_marks", ALL, true, .text = slash_marks},
    {"under_marks", ALL, true, .text = under_marks},
    {"end_marks", ALL, true, .text = end_marks},
    {"space_marks", ALL, true, .text = space_marks},
    {"angle_marks", ALL, true, .text = angle_marks},
    {"heading_marks", ALL, true, .text = heading_marks},
    {"escaped_marks", ALL, true, .text = escaped_marks},
    {"block_marks", ALL, true, .text = block_marks},
    {"colon_marks", ALL, true, .text = colon_marks},
    {"start_marks", ALL, true, .text = start_marks},
    {"wide_marks", ALL, true, .text = wide_marks},
    {"lens_marks", ALL, true, .text = lens_marks},
    {"list_marks", ALL, true, .text = list_marks},
    {"bare_end", ALL, true, .text = bare_end},
    {"labels", ALL, true, .text = labels},
    {"no_end", ALL, true, .text = no_end},
    {"upper_marks", ALL, true, .text = upper_marks},
    {"title_marks", ALL, true, .text = title_marks},
    {"mention", ALL, true, .text = mention},
    {"mention_after", ALL, true, .text = mention_after},
    {"drafts", ALL, true, .text = drafts},
    {"curly_quotes", ALL, true, .text = curly_double},
    {"hyphens", ALL, true, .text = hyphens},
    {"apology", ALL, true, .text = apology},
    {"tildes", ALL, true, .text = tildes},
    {"carried", ALL, true, .text = carried},
    {"attribute_marks", ALL, true, .text = attribute_marks},
    {"begin_marks", ALL, true, .text = begin_marks},
    {"german_marks", ALL, true, .text = german_marks},
    {"latex_marks", ALL, true, .text = latex_marks},
    {"solver_calls", EXECUTOR, true, .text = solver_calls},
    {"points_2d", EXECUTOR, true, .text = points_2d},
    {"enum_words", EXECUTOR, true, .text = enum_words},
    {"chinese_words", EXECUTOR, true, .text = chinese_words},
    {"arrows", EXECUTOR, true, .text = arrows},
    {"csv", EXECUTOR, true, .text = csv},
    {"bars", EXECUTOR, true, .text = bars},
    {"xml_rows", EXECUTOR, true, .text = xml_rows},
    {"html_rows", EXECUTOR, true, .text = html_rows},
    {"yaml_rows", EXECUTOR, true, .text = yaml_rows},
    {"remarks", EXECUTOR, true, .text = remarks},
    {"reasons", EXECUTOR, true, .text = reasons},
    {"unclosed", EXECUTOR, true, .text = unclosed},
    {"escaped_quotes", EXECUTOR, true, .text = escaped_quotes},
    {"object_heads", EXECUTOR, true, .text = object_heads},
    {"latex_rows", EXECUTOR, true, .text = latex_rows},
    {"bold_names", EXECUTOR, true, .text = bold_names},
    {"bold_colons", EXECUTOR, true, .text = bold_colons},
    {"dashes", EXECUTOR, true, .text = dashes},
    {"equal_signs", EXECUTOR, true, .text = equal_signs},
    {"tagged", EXECUTOR, true, .text = tagged},
    {"marked_rows", EXECUTOR, true, .text = marked_rows},
    {"dash_comments", EXECUTOR, true, .text = dash_comments},
    {"counted", EXECUTOR, true, .text = counted},
    {"nested_items", EXECUTOR, true, .text = nested_items},
    {"table", EXECUTOR, true, .text = table},
    {"boxed", EXECUTOR, true, .text = boxed},
    {"single_quotes", EXECUTOR, true, .text = single_quotes},
    {"curly_singles", EXECUTOR, true, .text = curly_singles},
    {"trailing_commas", EXECUTOR, true, .text = trailing_commas},
    {"missing_commas", EXECUTOR, true, .text = missing_commas},
    {"no_commas", EXECUTOR, true, .text = no_commas},
    {"slash_comments", EXECUTOR, true, .text = slash_comments},
    {"hash_comments", EXECUTOR, true, .text = hash_comments},
    {"c_comments", EXECUTOR, true, .text = c_comments},
    {"bullets", EXECUTOR, true, .text = bullets},
    {"numbers", EXECUTOR, true, .text = numbers},
    {"ticks", EXECUTOR, true, .text = ticks},
    {"wrapped", EXECUTOR, true, .text = wrapped},
    {"listed", EXECUTOR, true, .text = listed},
    {"assigned", EXECUTOR, true, .text = assigned},
    {"semicolons", EXECUTOR, true, .text = semicolons},
    {"round_brackets", EXECUTOR, true, .text = round_brackets},
    {"calls", EXECUTOR, true, .text = calls},
    {"pairs", EXECUTOR, true, .text = pairs},
    {"typed", EXECUTOR, true, .text = typed},
    {"keyed", EXECUTOR, true, .text = keyed},
    {"flat", EXECUTOR, true, .text = flat},
    {"bare", EXECUTOR, true, .text = bare},
    {"snake", EXECUTOR, true, .text = snake},
    {"bottom", EXECUTOR, true, .text = bottom},
    {"number_texts", EXECUTOR, true, .text = number_texts},
    {"units", EXECUTOR, true, .text = units},
    {"thousandths", EXECUTOR, true, .text = thousandths},
    {"percents", EXECUTOR, true, .text = percents},
    {"xy_points", EXECUTOR, true, .text = xy_points},
    {"text_points", EXECUTOR, true, .text = text_points},
    {"two_numbers", EXECUTOR, true, .text = two_numbers},
    {"upper_names", EXECUTOR, true, .text = upper_names},
    {"lower_names", EXECUTOR, true, .text = lower_names},
    {"quoted_names", EXECUTOR, true, .text = quoted_names},
    {"snake_names", EXECUTOR, true, .text = snake_names},
    {"hyphen_names", EXECUTOR, true, .text = hyphen_names},
    {"article_names", EXECUTOR, true, .text = article_names},
    {"remark_names", EXECUTOR, true, .text = remark_names},
    {"html_breaks", EXECUTOR, true, .text = html_breaks},
    {"maths", EXECUTOR, true, .text = maths},
    {"said_twice", EXECUTOR, true, .text = said_twice},
    {"kind_suffix", EXECUTOR, true, .text = kind_suffix},
    {"no_completion", EXECUTOR, true, .text = no_completion},
    {"completed", EXECUTOR, true, .text = completed},
    {"json_only", EXECUTOR, true, .text = json_only},
    {"hermes", EXECUTOR, true, .call = hermes, .before = "I look first.\n",
     .after = ""},
    {"llama", EXECUTOR, true, .call = llama, .before = "", .after = ""},
    {"fence_call", EXECUTOR, true, .call = fence_call,
     .before = "I call a tool:\n", .after = ""},
    {"parameters_call", EXECUTOR, true, .call = parameters_call,
     .before = "<|python_tag|>", .after = ""},
    {"react", EXECUTOR, true, .call = react,
     .before = "Thought: I need the plane.\n", .after = ""},
    {"deepseek", EXECUTOR, true, .call = deepseek,
     .before = "<\uff5ctool\u2581calls\u2581begin\uff5c>",
     .after = "<\uff5ctool\u2581calls\u2581end\uff5c>"},
    {"kimi", EXECUTOR, true, .call = kimi,
     .before = "<|tool_calls_section_begin|>",
     .after = "<|tool_calls_section_end|>"},
    {"mistral", EXECUTOR, true, .call = mistral, .before = "", .after = ""},
    {"harmony_call", EXECUTOR, true, .call = harmony_call,
     .before = "<|channel|>analysis<|message|>Look.<|end|>", .after = ""},
    {"single_call", EXECUTOR, true, .call = single_call, .before = "",
     .after = ""},
    {"qwen", EXECUTOR, true, .call = qwen, .before = "", .after = ""},
    {"invoke", EXECUTOR, true, .call = invoke, .before = "<function_calls>\n",
     .after = "</function_calls>"},
    {"glm", EXECUTOR, true, .call = glm, .before = "", .after = ""},
    {"python", EXECUTOR, true, .call = python, .before = "```tool_code\n",
     .after = "```"},
    {"python_list", EXECUTOR, true, .call = python, .before = "[",
     .after = "]"},
    {"own_tags", EXECUTOR, true, .call = own_tags, .before = "", .after = ""},
    {"tool_thousandths", EXECUTOR, true, .x = 1000, .y = 1000},
    {"explained", EVALUATOR, true, .text = explained},
    {"explained_in_brackets", EVALUATOR, true, .text = explained_in_brackets},
    {"bold_verdict", EVALUATOR, true, .text = bold_verdict},
    {"bold_label", EVALUATOR, true, .text = bold_label},
    {"json_evaluation", EVALUATOR, true, .text = json_evaluation},
    {"json_evaluation_only", EVALUATOR, true, .text = json_evaluation_only},
    {"unmarked", EVALUATOR, true, .text = unmarked},
    {"verdict_headings", EVALUATOR, true, .text = verdict_headings},
    {"verdict_is", EVALUATOR, true, .text = verdict_is},
    {"verdict_alone", EVALUATOR, true, .text = verdict_alone},
    {"verdict_final", EVALUATOR, true, .text = verdict_final},
    {"verdict_equals", EVALUATOR, true, .text = verdict_equals},
    {"verdict_next_line", EVALUATOR, true, .text = verdict_next_line},
    {"verdict_table", EVALUATOR, true, .text = verdict_table},
    {"answer_rated", EVALUATOR, true, .text = answer_rated},
    {"answer_label", EVALUATOR, true, .text = answer_label},
    {"answer_tags", EVALUATOR, true, .text = answer_tags},
    {"answer_call", EVALUATOR, true, .text = answer_call},
    {"answer_behind", EVALUATOR, true, .text = answer_behind},
    {"answer_word", EVALUATOR, true, .text = answer_word},
    {"verdict_turned", EVALUATOR, true, .text = verdict_turned},
    {"verdict_checked", EVALUATOR, true, .text = verdict_checked},
    {"verdict_boxed", EVALUATOR, true, .text = verdict_boxed},
    {"verdict_struck", EVALUATOR, true, .text = verdict_struck},
    {"answer_boxed", EVALUATOR, true, .text = answer_boxed},
    {"answer_bold", EVALUATOR, true, .text = answer_bold},
    {"answer_assessed", EVALUATOR, true, .text = answer_assessed},
    {"answer_xml", EVALUATOR, true, .text = answer_xml},
    {"answer_cells", EVALUATOR, true, .text = answer_cells},
    {"verdict_choice", EVALUATOR, false, .text = verdict_choice},
    {"verdict_score", EVALUATOR, false, .text = verdict_score},
    {"quoted_instruction", PLANNER, true, .text = quoted_instruction},
    {"bold_instruction", PLANNER, true, .text = bold_instruction},
    {"plan_thousandths", PLANNER, true, .text = plan_thousandths},
    {"plan_round", PLANNER, true, .text = plan_round},
    {"plan_percent", PLANNER, true, .text = plan_percent},
    {"plan_pixels", PLANNER, true, .text = plan_pixels},
    {"plan_xy", PLANNER, true, .text = plan_xy},
    {"plan_no_comma", PLANNER, true, .text = plan_no_comma},
    {"plan_object", PLANNER, true, .text = plan_object},
    {"plan_bare", PLANNER, true, .text = plan_bare},
    {"plan_bold", PLANNER, true, .text = plan_bold},
    {"plan_point_2d", PLANNER, true, .text = plan_point_2d},
    {"plan_box", PLANNER, true, .text = plan_box},
    {"plan_variables", PLANNER, true, .text = plan_variables},
    {"plan_classes", PLANNER, true, .text = plan_classes},
    {"plan_location", PLANNER, true, .text = plan_location},
    {"plan_signed", PLANNER, true, .text = plan_signed},
    {"plan_wide", PLANNER, true, .text = plan_wide},
    {"plan_labels", PLANNER, true, .text = plan_labels},
    {"plan_cells", PLANNER, true, .text = plan_cells},
    {"plan_rules", PLANNER, true, .text = plan_rules},
    {"plan_nested", PLANNER, true, .text = plan_nested},
    {"plan_within", PLANNER, true, .text = plan_within},
    {"plan_chinese", PLANNER, true, .text = plan_chinese},
    {"plan_boxed", PLANNER, true, .text = plan_boxed},
    {"plan_named", PLANNER, true, .text = plan_named},
    {"plan_json", PLANNER, true, .text = plan_json},
    {"plan_unmarked_point", PLANNER, true, .text = plan_unmarked_point},
    {"verdict_upper", PLANNER, true, .text = verdict_upper},
    {"verdict_bold", PLANNER, true, .text = verdict_bold},
    {"verdict_bracket", PLANNER, true, .text = verdict_bracket},
    {"verdict_bare", PLANNER, true, .text = verdict_bare},
    {"verdict_xml", PLANNER, true, .text = verdict_xml},
    {"not_finished", PLANNER, true, .text = not_finished},
    {"next_turn", ALL, true, .text = next_turn},
    {"next_template", ALL, true, .text = next_template},
    {"box_tokens", ALL, true, .text = box_tokens},
    {"plan_steps", PLANNER, true, .text = plan_steps},
    {"plan_currently", PLANNER, true, .text = plan_currently},
    {"plan_depth", PLANNER, true, .text = plan_depth},
    {"plan_items", PLANNER, true, .text = plan_items},
    {"plan_html", PLANNER, true, .text = plan_html},
    {"ends_templated", PLANNER, true, .text = ends_templated},
    {"ends_object", PLANNER, true, .text = ends_object},
    {"ends_status", PLANNER, true, .text = ends_status},
    {"nulls", EXECUTOR, true, .text = nulls},
    {"cut_mark", EXECUTOR, true, .text = cut_mark},
    {"wire_fenced", EXECUTOR, true, .wire = wire_fenced},
    {"wire_tail", EXECUTOR, true, .wire = wire_tail},
    {"wire_twice", EXECUTOR, true, .wire = wire_twice},
    {"wire_objects", EXECUTOR, true, .wire = wire_objects},
    {"wire_spaced", EXECUTOR, true, .wire = wire_spaced},
    {"wire_counted", EXECUTOR, true, .wire = wire_counted},
    {"wire_channel", EXECUTOR, true, .wire = wire_channel},
    {"wire_no_ids", EXECUTOR, true, .wire = wire_no_ids},
    {"wire_same_ids", EXECUTOR, true, .wire = wire_same_ids},
    {"wire_number_ids", EXECUTOR, true, .wire = wire_number_ids},
    {"verdict_korean", EVALUATOR, true, .text = verdict_korean},
    {"empty", ALL, false, .text = empty},
    {"refusal", ALL, false, .text = refusal},
    {"prose", ALL, false, .text = prose},
    {"cut", ALL, false, .text = cut},
    {"ellipsis", EXECUTOR, false, .text = ellipsis},
};
enum {
    HABITS = sizeof habits / sizeof *habits
};

const sloppy_habit *sloppy_find(const char *name)
{
    for (int i = 0; i < HABITS; i++) {
        if (!strcmp(habits[i].name, name))
            return &habits[i];
    }
    return NULL;
}

void sloppy_list(FILE *out)
{
    static const char *const roles[] = {"planner", "executor", "evaluator"};
    for (int i = 1; i < HABITS; i++) {
        for (int role = 0; role < 3; role++) {
            if (habits[i].roles & 1u << role)
                fprintf(out, "%s %s %s\n", habits[i].name, roles[role],
                        habits[i].seen ? "seen" : "lost");
        }
    }
}

bool sloppy_has_role(const sloppy_habit *habit, const char *role)
{
    unsigned bit = !strcmp(role, "planner")    ? PLANNER
                   : !strcmp(role, "executor") ? EXECUTOR
                                               : EVALUATOR;
    return (habit->roles & bit) != 0;
}

static json_t *scaled(const json_t *value, double by)
{
    json_t *made = json_array(), *item;
    size_t i;
    json_array_foreach((json_t *)(size_t)value, i, item)
    {
        json_array_append_new(
            made, json_is_array(item)
                      ? scaled(item, by)
                      : json_integer(
                            (json_int_t)(json_number_value(item) * by + 0.5)));
    }
    return made;
}

/* Structured calls with their coordinates counted otherwise. */
static bool scale_calls(const sloppy_habit *habit, json_t *calls)
{
    json_t *row, *value;
    size_t i;
    const char *key;
    json_array_foreach(calls, i, row)
    {
        json_t *function = json_object_get(row, "function"),
               *made = json_object();
        json_t *arguments = json_loads(
            json_string_value(json_object_get(function, "arguments")), 0, NULL);
        json_object_foreach(arguments, key, value)
        {
            json_object_set_new(made, key,
                                json_is_array(value) ? scaled(value, habit->x)
                                                     : json_deep_copy(value));
        }
        char *text = dump(made, 0);
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
        json_decref(made);
        json_decref(arguments);
    }
    return true;
}

/* Where the text stands in the message. */
static bool reshape(const sloppy_habit *habit,
                    json_t *message,
                    const char *content)
{
    json_t *text = json_string(content);
    switch (habit->shape) {
    case SHAPE_PARTS:
        json_object_set_new(
            message, "content",
            json_pack("[{s:s,s:s},{s:s,s:o}]", "type", "thinking", "thinking",
                      "[constraints] come last", "type", "text", "text", text));
        break;
    case SHAPE_REASONING:
        json_object_set_new(message, "reasoning_content", text);
        json_object_set_new(message, "content", json_null());
        break;
    default:
        json_object_set_new(
            message, "reasoning",
            json_string("verdict: terrible? [end of constraints]"));
        json_decref(text);
    }
    return true;
}

bool sloppy_rewrite(const sloppy_habit *habit, json_t *message)
{
    json_t *calls = json_object_get(message, "tool_calls");
    const char *content =
        json_string_value(json_object_get(message, "content"));
    if (habit->shape)
        return json_array_size(calls) == 0 && content &&
               reshape(habit, message, content);
    char *made = NULL;
    if (json_array_size(calls) > 0) {
        if (habit->x > 0)
            return scale_calls(habit, calls);
        if (habit->wire)
            return habit->wire(calls);
        if (!habit->call)
            return false;
        made = write_calls(calls, habit->before, habit->call, habit->after);
        json_object_del(message, "tool_calls");
    } else if (habit->text && content) {
        made = habit->text(content);
    }
    if (!made)
        return false;
    json_object_set_new(message, "content", json_string(made));
    free(made);
    return true;
}
