/* Habits of the evaluator: how its verdict is written. */
#include "tests/fault/sloppy_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    char *made = sloppy_say(format, one, two);
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

static char *verdict_korean(const char *t)
{
    return sloppy_replace(t, "verdict: excellent",
                          "\ud310\uc815: \uc6b0\uc218");
}

/* ---- the table ---- */

static const sloppy_habit rows[] = {
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
    {"verdict_korean", EVALUATOR, true, .text = verdict_korean},
};

const sloppy_group sloppy_evaluator = {rows, sizeof rows / sizeof *rows};
