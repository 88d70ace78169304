/* Habits of the planner: how an instruction, its point and an end are
 * written. */
#include "tests/fault/sloppy_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the planner's blocks ---- */

static char *bold_it(const char *inner)
{
    return sloppy_say("\n**%.*s**\n", (int)strcspn(inner + 1, "\n"), inner + 1);
}

static char *quote_inner(const char *inner)
{
    return sloppy_say("\n\"%.*s\"\n", (int)strcspn(inner + 1, "\n"), inner + 1);
}
static char *quoted_instruction(const char *t)
{
    return sloppy_within(t, "updated_instruction", quote_inner);
}
static char *bold_instruction(const char *t)
{
    return sloppy_within(t, "updated_instruction", bold_it);
}

static char *point_as(const char *inner, double x, double y, const char *format)
{
    const char *open = strchr(inner, '[');
    double at[2];
    if (!open || sscanf(open, "[%lf, %lf]", &at[0], &at[1]) != 2)
        return NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *point = sloppy_say(format, at[0] * x, at[1] * y);
#pragma GCC diagnostic pop
    char *made = sloppy_say("%.*s%s%s", (int)(open - inner), inner, point,
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
        return sloppy_within(t, "coordinate", name##_it); \
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
    return sloppy_say("%.*s[%.3f, %.3f, %.3f, %.3f]%s", (int)(open - inner),
                      inner, x - 0.02, y - 0.02, x + 0.02, y + 0.02,
                      strchr(open, ']') + 1);
}
static char *plan_box(const char *t)
{
    return sloppy_within(t, "coordinate", box_around);
}
POINT(plan_signed, 1, 1, "[+%.4f, +%.4f]")

static char *wide_digits(const char *t)
{
    char *made = sloppy_say("%s", t);
    for (int i = 0; i < 10; i++) {
        char from[2] = {(char)('0' + i), 0},
             to[4] = {(char)0xef, (char)0xbc, (char)(0x90 + i), 0};
        made = sloppy_replace_in(made, from, to);
    }
    return made;
}
static char *plan_wide(const char *t)
{
    return sloppy_within(t, "coordinate", wide_digits);
}

/* The instruction and its place anew, by a format that takes both and whether
 * the place is the bottom's. */
static char *plan_as(const char *t, const char *format)
{
    char open[64], close[64];
    double at[2];
    if (!sloppy_marks_of(t, "updated_instruction", open, close))
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
    char *made = sloppy_say(
        format, said, strstr(to, "bottom") ? "bottom" : "center", at[0], at[1]);
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
        made = sloppy_replace_in(made, "\u7684bottom", "\u7684\u5e95\u90e8");
    return made ? sloppy_replace_in(made, "\u7684center", "\u7684\u4e2d\u5fc3")
                : NULL;
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
    return sloppy_replace(
        t, "<finished>",
        "<finished>\n[updated_instruction]\nNone\n[end of updated_instruction]\n[coordinate]\nN/A\n[end of "
        "coordinate]");
}
static char *ends_object(const char *t)
{
    return strstr(t, "<finished>")
               ? sloppy_say(
                     "{\"finished\": true, \"reason\": \"It holds.\", "
                     "\"updated_instruction\": null, \"coordinate\": null}")
               : NULL;
}
static char *ends_status(const char *t)
{
    return strstr(t, "<finished>")
               ? sloppy_say("```json\n{\"status\": \"finished\"}\n```")
               : NULL;
}

static char *plan_json(const char *t)
{
    char open[64], close[64];
    double at[2];
    if (!sloppy_marks_of(t, "updated_instruction", open, close))
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
    char *text = sloppy_dump(root, JSON_INDENT(2)),
         *made = sloppy_say("```json\n%s\n```", text);
    json_decref(root);
    free(said);
    free(text);
    return made;
}
static char *plan_unmarked_point(const char *t)
{
    char *made = sloppy_replace(t, "[coordinate]\n", "");
    return made ? sloppy_replace_in(made, "[end of coordinate]", "") : NULL;
}
static char *verdict_upper(const char *t)
{
    return sloppy_replace(t, "<finished>", "<FINISHED>");
}
static char *verdict_bold(const char *t)
{
    return sloppy_replace(t, "<finished>", "\n**<finished>**");
}
static char *verdict_bracket(const char *t)
{
    return sloppy_replace(t, "<finished>", "[finished]");
}
static char *verdict_bare(const char *t)
{
    return sloppy_replace(t, "<finished>", "\n\nFinished.");
}
static char *verdict_xml(const char *t)
{
    return sloppy_replace(t, "<finished>", "<finished/>");
}
static char *not_finished(const char *t)
{
    return strstr(t, "[updated_instruction]")
               ? sloppy_say("The goal is not <finished> yet.\n%s", t)
               : NULL;
}

/* ---- the table ---- */

static const sloppy_habit rows[] = {
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
    {"plan_steps", PLANNER, true, .text = plan_steps},
    {"plan_currently", PLANNER, true, .text = plan_currently},
    {"plan_depth", PLANNER, true, .text = plan_depth},
    {"plan_items", PLANNER, true, .text = plan_items},
    {"plan_html", PLANNER, true, .text = plan_html},
    {"ends_templated", PLANNER, true, .text = ends_templated},
    {"ends_object", PLANNER, true, .text = ends_object},
    {"ends_status", PLANNER, true, .text = ends_status},
};

const sloppy_group sloppy_planner = {rows, sizeof rows / sizeof *rows};
