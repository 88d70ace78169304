/* What branches came to, for report.html. */
#include "coordinator/report/constraint_text.h"
#include "coordinator/report/report.h"
#include "proto/array.h"

#include <string.h>

/* The executor's constraints as a list of sentences. They are a model's text:
 * brackets that it left out are added, and what cannot be read is left out. */
static void report_branch_constraints(page *p, const json_t *branch)
{
    const char *text = field_string(branch, "constraints");
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *one;
    size_t i;
    /* an executor may leave the outer brackets out, and end with a comma */
    if (!list) {
        size_t size = strlen(text);
        while (size && strchr(", \t\r\n", text[size - 1]))
            size--;
        page whole = {0};
        page_add(&whole, "[%.*s]", (int)size, text);
        list = whole.data ? json_loads(whole.data, JSON_REJECT_DUPLICATES, NULL)
                          : NULL;
        page_free(&whole);
    }
    if (!json_array_size(list)) {
        json_decref(list);
        return;
    }
    page_raw(p, "<h3>What was asked of the place</h3>\n<ul>");
    json_array_foreach(list, i, one)
    {
        page words = {0};
        if (constraint_text_add(&words, one)) {
            page_raw(p, "<li>");
            page_text(p, words.data);
            page_raw(p, "</li>");
        }
        page_free(&words);
    }
    page_raw(p, "</ul>\n");
    json_decref(list);
}

static const char *branch_class_of(const char *verdict)
{
    if (!strcmp(verdict, "excellent") || !strcmp(verdict, "good"))
        return "good";
    return !strcmp(verdict, "bad") || !strcmp(verdict, "terrible") ? "bad"
                                                                   : "warn";
}

static void report_branch_evaluations(page *p, const json_t *branch)
{
    json_t *list = json_object_get(branch, "evaluations");
    json_t *one;
    size_t i, count;
    if (!json_array_size(list))
        return;
    page_raw(p, "<h3>What the evaluators said</h3>\n<ul class=\"said\">");
    for (i = 0; i < json_array_size(list); i += count) {
        one = json_array_get(list, i);
        for (count = 1; json_equal(one, json_array_get(list, i + count));
             count++) {
        } /* of one mind: said once */
        page_add(p, "<li><span class=\"tag %s\">",
                 branch_class_of(field_string(one, "verdict")));
        if (count > 1)
            page_add(p, "%zu × ", count);
        page_text(p, field_string(one, "verdict"));
        page_raw(p, "</span> ");
        page_text(p, field_string(one, "text"));
        page_raw(p, "</li>");
    }
    page_raw(p, "</ul>\n");
}

void report_branch(page *p, const json_t *branch)
{
    page checks = {0};
    report_branch_constraints(p, branch);
    if (json_is_true(json_object_get(branch, "widened"))) {
        page_add(
            p,
            "<p>It came %.0f %% of the image away from the point asked for, as nothing nearer would do.</p>\n",
            100 * json_number_value(json_object_get(branch, "pixel_off")));
    }
    constraint_text_checks(&checks, branch);
    if (checks.data) {
        page_raw(p, "<h3>What was checked</h3>\n<p>");
        page_text(p, checks.data);
        page_raw(p, "</p>\n");
    }
    page_free(&checks);
    report_branch_evaluations(p, branch);
}

/* Why the branch did not win, in words; the first row that fits. */
static const char *report_branch_outcome(const json_t *branch)
{
    static const struct {
        const char *key, *value, *words;
    } outcomes[] = {
        {"state", "dropped", "not needed: the step was decided before"},
        {"state", "accepted", "accepted, but another was better"},
        {"state", "rejected", "rejected by the evaluators"},
        {"state", "unjudged", "not judged"},
        {"status", "unsolved", "no place"},
        {"status", "collision", "collision"},
        {"status", "floating", "not supported"},
        {"status", "malformed", "unusable answer"},
        {"status", "repeated", "given up before"}};
    for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
        if (!strcmp(field_string(branch, outcomes[i].key), outcomes[i].value))
            return outcomes[i].words;
    }
    return field_string(branch, "state");
}

/* Whether two branches are told together. */
static bool report_branch_is_alike(const json_t *a, const json_t *b)
{
    return !strcmp(report_branch_outcome(a), report_branch_outcome(b)) &&
           !strcmp(field_string(a, "reason"), field_string(b, "reason")) &&
           json_equal(json_object_get(a, "evaluations"),
                      json_object_get(b, "evaluations"));
}

static bool is_harmless(const json_t *branch)
{
    const char *state = field_string(branch, "state");
    return !strcmp(state, "dropped") || !strcmp(state, "accepted");
}

/* Was one like branch i told before? */
static bool report_branch_is_told(const json_t *list,
                                  size_t i,
                                  long long winner)
{
    for (size_t j = 0; j < i; j++) {
        bool is_loser = (long long)j != winner;
        if (is_loser && report_branch_is_alike(json_array_get(list, j),
                                               json_array_get(list, i)))
            return true;
    }
    return false;
}

/* "1, 3": branch i and the later ones like it. */
static void report_branch_numbers(page *p,
                                  const json_t *list,
                                  size_t i,
                                  long long winner)
{
    size_t same = 0;
    for (size_t j = i; j < json_array_size(list); j++) {
        bool is_loser = (long long)j != winner;
        if (is_loser && report_branch_is_alike(json_array_get(list, j),
                                               json_array_get(list, i)))
            page_add(p, "%s%zu", same++ ? ", " : "", j);
    }
}

void report_refused(page *p, const json_t *node, long long winner)
{
    const json_t *list = json_object_get(node, "branches");
    page_raw(p, "<ul class=\"said\">");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *branch = json_array_get(list, i);
        if ((long long)i == winner || report_branch_is_told(list, i, winner))
            continue;
        page_add(p, "<li><span class=\"tag %s\">branch ",
                 is_harmless(branch) ? "soft" : "bad");
        report_branch_numbers(p, list, i, winner);
        page_add(p, "</span> %s", report_branch_outcome(branch));
        if (*field_string(branch, "reason"))
            page_raw(p, ": ");
        page_text(p, field_string(branch, "reason"));
        page_raw(p, "</li>");
    }
    page_raw(p, "</ul>\n");
}
