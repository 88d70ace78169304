/* Habits of the executor: how the rows of its block are written. Its calls of
 * tools are sloppy_calls.c's. */
#include "tests/fault/sloppy_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the executor's block ---- */

static char *single_it(const char *inner)
{
    return sloppy_replace(inner, "\"", "'");
}
static char *trail_it(const char *inner)
{
    return sloppy_replace(inner, "]\n", ",],\n");
}
static char *uncomma_it(const char *inner)
{
    return sloppy_replace(inner, "],\n", "]\n");
}
static char *unspace_it(const char *inner)
{
    return sloppy_replace(inner, ", ", " ");
}
static char *slash_comment_it(const char *inner)
{
    return sloppy_replace(inner, "],\n", "], // as it was asked\n");
}
static char *hash_comment_it(const char *inner)
{
    return sloppy_replace(inner, "],\n", "],  # as it was asked\n");
}
static char *dash_comment_it(const char *inner)
{
    return sloppy_replace(inner, "\n[", "\n/* one */ [");
}
static char *bullet_it(const char *inner)
{
    return sloppy_replace(inner, "\n[", "\n- [");
}
static char *number_it(const char *inner)
{
    return sloppy_replace(inner, "\n[", "\n1. [");
}
static char *tick_it(const char *inner)
{
    char *made = sloppy_replace(inner, "\n[", "\n`[");
    return made ? sloppy_replace_in(made, "],\n", "]`,\n") : NULL;
}
static char *wrap_it(const char *inner)
{
    return sloppy_say("\n{\"constraints\": [%s]}\n", inner);
}
static char *list_it(const char *inner)
{
    return sloppy_say("\n[%s]\n", inner);
}
static char *assign_it(const char *inner)
{
    return sloppy_say("\nconstraints = [%s]\n", inner);
}
static char *semicolon_it(const char *inner)
{
    return sloppy_replace(inner, "],\n", "];\n");
}
static char *round_it(const char *inner)
{
    char *made = sloppy_replace(inner, "[", "(");
    return made ? sloppy_replace_in(made, "]", ")") : NULL;
}

/* The block's rows as JSON, for habits that write them anew. */
static json_t *rows_of(const char *inner)
{
    size_t size = strlen(inner);
    while (size && strchr(" \n,", inner[size - 1]))
        size--;
    char *list = sloppy_say("[%.*s]", (int)size, inner);
    json_t *rows = json_loads(list, 0, NULL);
    free(list);
    return rows;
}

typedef char *row_writer(const json_t *row);

static char *rewrite_rows(const char *inner, row_writer *write)
{
    json_t *rows = rows_of(inner), *row;
    char *made = rows ? sloppy_say("\n") : NULL;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        char *line = write(row), *more = sloppy_say("%s%s\n", made, line);
        free(made);
        free(line);
        made = more;
    }
    json_decref(rows);
    return made;
}

static char *arguments_of(const json_t *row)
{
    char *made = sloppy_say("%s", "");
    for (size_t i = 1; i < json_array_size(row); i++) {
        char *one = sloppy_dump(json_array_get(row, i), 0),
             *more = sloppy_say("%s%s%s", made, i > 1 ? ", " : "", one);
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
         *made = sloppy_say("%s(%s)", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_pair(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("%s: %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_typed(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("{\"type\": \"%s\", \"args\": [%s]},", head_of(row),
                            arguments);
    free(arguments);
    return made;
}
static char *row_keyed(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("{\"%s\": [%s]},", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_flat(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("\"%s\", %s,", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_bare(const json_t *row)
{
    char *text = sloppy_dump(row, 0), *made = sloppy_replace(text, "\"", "");
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
    char *text = sloppy_dump(row, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        text = sloppy_replace_in(text, names[i][0], names[i][1]);
    text = sloppy_replace_in(text, "\"down\"", "\"Down\"");
    text = sloppy_replace_in(text, "\"full_only\"", "\"Full Only\"");
    return sloppy_replace_in(text, "\"center\"", "\"CENTER\"");
}
static char *row_bottom(const json_t *row)
{
    char *text = sloppy_dump(row, 0);
    return sloppy_replace_in(text, "\"down\"", "\"bottom\"");
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
    return sloppy_say("%.9g", number);
}
static char *number_metres(double number)
{
    return sloppy_say("%.9g m", number);
}
static char *row_texts(const json_t *row)
{
    json_t *made = numbered(row, number_text);
    char *text = sloppy_dump(made, 0);
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
        char *text = sloppy_dump(made, 0);
        json_decref(made);
        return text;
    }
    if (degrees)
        return sloppy_say("[\"%s\", %.9g degrees],", head_of(row),
                          json_number_value(json_array_get(row, 1)));
    return sloppy_say("%s", sloppy_dump(row, 0));
}

/* Coordinates of CloseToPix: times `x` and `y`, by a format. */
static char *row_pixels(const json_t *row,
                        double x,
                        double y,
                        const char *format)
{
    const json_t *point = json_array_get(row, 2);
    if (strcmp(head_of(row), "CloseToPix") != 0)
        return sloppy_dump(row, 0);
    double at[2] = {json_number_value(json_array_get(point, 0)),
                    json_number_value(json_array_get(point, 1))};
    char *text = NULL;
    char *face = sloppy_dump(json_array_get(row, 1), 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *coordinate = sloppy_say(format, at[0] * x, at[1] * y);
#pragma GCC diagnostic pop
    text = sloppy_say("[\"CloseToPix\", %s, %s],", face, coordinate);
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
         *made = sloppy_say("* **%s**: %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_bold_colon(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("* **%s:** %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_dash(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("1. **%s** \u2013 %s", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_equals(const json_t *row)
{
    char *arguments = arguments_of(row),
         *made = sloppy_say("- %s = (%s)", head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_tag(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("<constraint>%s</constraint>", text);
    free(text);
    return made;
}
static char *row_marked(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("[constraint]%s[/constraint]", text);
    free(text);
    return made;
}
static char *row_commented(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("-- what is to hold\n%s", text);
    free(text);
    return made;
}
static char *row_counted(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("Constraint 1: %s", text);
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
    char *made = sloppy_say(head, head_of(row));
    for (size_t i = 1; i < json_array_size(row); i++) {
        const json_t *value = json_array_get(row, i);
        char *text = json_is_string(value)
                         ? sloppy_say("%s", json_string_value(value))
                         : sloppy_dump(value, 0);
        char *part = sloppy_say(each, text),
             *more = sloppy_say("%s%s", made, part);
        free(text);
        free(part);
        free(made);
        made = more;
    }
#pragma GCC diagnostic pop
    char *all = sloppy_say("%s%s", made, end);
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
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("%s - as the plan asks for (see image).", text);
    free(text);
    return made;
}
static char *row_reason(const json_t *row)
{
    char *
        arguments = arguments_of(row),
       *made = sloppy_say(
           "{\"constraint\": \"%s\", \"args\": [%s], \"reason\": \"so it is asked\", \"weight\": 1.0},",
           head_of(row), arguments);
    free(arguments);
    return made;
}
static char *row_uncounted(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("%.*s,", (int)strlen(text) - 1, text);
    free(text);
    return made;
}
static char *row_escaped(const json_t *row)
{
    return sloppy_replace_in(sloppy_dump(row, 0), "\"", "\\\"");
}
static char *row_object(const json_t *row)
{
    return sloppy_replace_in(sloppy_dump(row, 0), "ObjectName", "Object");
}
static char *row_latex(const json_t *row)
{
    char *text = sloppy_dump(row, 0),
         *made = sloppy_say("& \\text{%s} \\\\", text);
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
         *made = rows ? sloppy_say("\n| Constraint | Arguments |\n|---|---|%s",
                                   rows)
                      : NULL;
    free(rows);
    return made;
}
static char *box_it(const char *i)
{
    return sloppy_say("\n$$\\boxed{%s}$$\n", i);
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
         *made = sloppy_say("solver.add(%s(%s))", head_of(row), arguments);
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
    return sloppy_replace(i, "\"down\"", "Face.DOWN");
}
static char *chinese_it(const char *i)
{
    return sloppy_replace(i, "\"down\"", "\"\u5e95\u90e8\"");
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
            char *name =
                sloppy_say("%s%s%s", before, json_string_value(item), after);
            for (char *c = name; *c; c++)
                *c = (char)to((unsigned char)*c);
            json_array_set_new(row, k, json_string(name));
            free(name);
        }
    }
    char *text = rows ? sloppy_dump(rows, 0) : NULL,
         *made = text ? sloppy_say("\n%s\n", text) : NULL;
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
    return sloppy_replace(i, "\n", "<br>\n");
}
static char *maths_it(const char *i)
{
    return sloppy_say("\n$$%s$$\n", i);
}
static char *twice_it(const char *i)
{
    return sloppy_say("%s%s", i, i);
}
static char *suffix_it(const char *i)
{
    return sloppy_replace(i, "\"Contact\"", "\"ContactConstraint\"");
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
static char *curly_single(const char *inner)
{
    return sloppy_replace(inner, "\"", "\u2019");
}
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
    return sloppy_replace(t, "<completion>", "");
}
static char *completed(const char *t)
{
    return sloppy_replace(t, "<completion>", "**[COMPLETION]**");
}
static char *json_only(const char *t)
{
    char *made = sloppy_remark(t, "%.0s```json\n[", "%.0s]\n```");
    return made && strstr(t, "[constraints]") ? made : (free(made), NULL);
}

static char *nulls_it(const char *i)
{
    return sloppy_say(
        "%s,\n[\"FaceTo\", null],\n[\"BackTo\", \"none\"],\n[\"Distance\", null, null],\n[\"Rotate\", \"\"]\n",
        i);
}
IN_CONSTRAINTS(nulls, nulls_it)
static char *cut_mark(const char *t)
{
    const char *end = strstr(t, "[end of constraints]");
    return end ? sloppy_say("%.*s[end of constr", (int)(end - t), t) : NULL;
}

/* ---- the table ---- */

static const sloppy_habit rows[] = {
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
    {"nulls", EXECUTOR, true, .text = nulls},
    {"cut_mark", EXECUTOR, true, .text = cut_mark},
};

const sloppy_group sloppy_executor = {rows, sizeof rows / sizeof *rows};
