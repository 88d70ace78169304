/* See summary.h.
 *
 * A batch as three documents: summary.csv, summary.html and the JSON on stdout,
 * all from the same rows. Names, goals and reasons come from outside: they are
 * escaped for the form at hand, and control characters never survive. Failures
 * are counted together by one word, the cause, so that a table of a thousand
 * runs shows what to mend first. */
#include "coordinator/report/summary.h"
#include "coordinator/report/field.h"
#include "coordinator/report/page.h"
#include "coordinator/report/report.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "store/wholefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bytes of a reason that a table has room for */
enum {
    WHY_MAX = 1000
};

/* ---- a run's record ---- */

/* One word by which failures are counted together: the most specific that the
 * document has. */
static const char *summary_cause(const json_t *document)
{
    const json_t *end = json_object_get(document, "end");
    const char *error =
        field_string(json_object_get(document, "error"), "code");
    const char *failure =
        field_string(json_object_get(document, "failure"), "code");
    if (strcmp(field_string(document, "status"), "complete") == 0)
        return "";
    if (*error)
        return error;
    if (*field_string(end, "cap"))
        return field_string(end, "cap");
    if (*failure)
        return failure;
    return field_string(end, "kind");
}

/* "" where the bytes are no UTF-8. */
static json_t *summary_text(const char *text)
{
    char plain[WHY_MAX];
    terminal_escape(text, plain, sizeof plain);
    json_t *string = json_string(plain);
    return string ? string : json_string("");
}

/* What the journal of a batch keeps of a run that has ended; the document
 * itself may be gone when the summary is made. */
json_t *summary_record(const json_t *document, bool written)
{
    const json_t *tokens = json_object_get(document, "tokens");
    const json_t *spent =
        json_object_get(json_object_get(document, "usage"), "spent");
    const char *why = field_string(document, "why");
    json_t *record = json_object();
    json_object_set_new(record, "status",
                        summary_text(field_string(document, "status")));
    json_object_set_new(record, "exit_code",
                        json_integer(field_integer(document, "exit_code")));
    json_object_set_new(record, "edits",
                        json_integer((json_int_t)json_array_size(
                            json_object_get(document, "steps"))));
    json_object_set_new(record, "backtracks",
                        json_integer(field_integer(document, "backtracks")));
    json_object_set_new(record, "tokens_in",
                        json_integer(field_integer(tokens, "in")));
    json_object_set_new(record, "tokens_out",
                        json_integer(field_integer(tokens, "out")));
    json_object_set_new(
        record, "cost",
        json_real(json_number_value(json_object_get(spent, "cost"))));
    json_object_set_new(record, "snapshot",
                        summary_text(field_string(document, "final_snapshot")));
    json_object_set_new(record, "cause", summary_text(summary_cause(document)));
    json_object_set_new(
        record, "why",
        summary_text(*why ? why : field_string(document, "reason")));
    json_object_set_new(
        record, "seconds",
        json_real(json_number_value(json_object_get(document, "wall_s"))));
    size_t images =
        written ? json_array_size(json_object_get(document, "image_blobs")) : 0;
    json_object_set_new(record, "images", json_integer((json_int_t)images));
    json_object_set_new(record, "written", json_boolean(written));
    return record;
}

/* Of a run that was refused before it began. */
json_t *summary_record_error(const etna_error *err, const char *cause)
{
    json_t *record = json_object();
    json_object_set_new(record, "status", json_string("error"));
    json_object_set_new(record, "exit_code",
                        json_integer(etna_exit_code(err->code)));
    json_object_set_new(record, "cause", json_string(cause));
    json_object_set_new(record, "why", summary_text(err->text));
    json_object_set_new(record, "written", json_false());
    return record;
}

/* "open": it has no record yet. */
static const char *summary_status(const summary_row *row)
{
    return row->record ? field_string(row->record, "status") : "open";
}

/* Partial counts as failed here. */
static bool summary_is_complete(const summary_row *row)
{
    return strcmp(summary_status(row), "complete") == 0;
}

/* Money is what was spent, for failed runs as well. */
summary_counts summary_count(const summary_row *rows, uint32_t count)
{
    summary_counts sum = {0};
    for (uint32_t i = 0; i < count; i++) {
        bool complete = summary_is_complete(&rows[i]);
        if (!rows[i].record)
            sum.open++;
        if (complete)
            sum.complete++;
        if (rows[i].record && !complete)
            sum.failed++;
        sum.cost += json_number_value(json_object_get(rows[i].record, "cost"));
    }
    return sum;
}

/* ---- failures by cause ---- */

/* A line of the list that failed, and by what. */
typedef struct summary_failure {
    const char *cause;
    uint32_t row;
} summary_failure;

/* The list's order within a cause, whatever qsort does. */
static int summary_compare(const void *a, const void *b)
{
    const summary_failure *first = a, *second = b;
    int order = strcmp(first->cause, second->cause);
    if (order)
        return order;
    return first->row < second->row ? -1 : 1;
}

/* Lines that ended otherwise than complete, by cause and then in the list's
 * order. NULL: out of memory; the caller frees. */
static summary_failure *summary_failures(const summary_row *rows,
                                         uint32_t count,
                                         uint32_t *ret_count)
{
    summary_failure *list = calloc((size_t)count + 1, sizeof *list);
    uint32_t found = 0;
    if (!list)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!rows[i].record || summary_is_complete(&rows[i]))
            continue;
        list[found++] =
            (summary_failure){field_string(rows[i].record, "cause"), i};
    }
    qsort(list, found, sizeof *list, summary_compare);
    *ret_count = found;
    return list;
}

/* How many in a row have the cause of list[at]. */
static uint32_t summary_alike(const summary_failure *list,
                              uint32_t count,
                              uint32_t at)
{
    uint32_t end = at;
    while (end < count && strcmp(list[end].cause, list[at].cause) == 0)
        end++;
    return end - at;
}

/* ---- summary.csv ---- */

/* A cell of CSV (RFC 4180). A cell that a spreadsheet would take for a formula
 * gets an apostrophe: names and goals come from outside. */
static void summary_cell(page *to, const char *text)
{
    bool formula = *text && strchr("=+-@", *text);
    bool plain = !formula && !strpbrk(text, ",\"\r\n");
    if (plain) {
        page_raw(to, text);
        return;
    }
    page_raw(to, formula ? "\"'" : "\"");
    for (; *text; text++) {
        const char one[] = {*text, 0};
        page_raw(to, *text == '"' ? "\"\"" : one);
    }
    page_raw(to, "\"");
}

/* Behind a comma: none is the first. */
static void summary_text_cell(page *to, const char *text)
{
    char plain[WHY_MAX];
    terminal_escape(text, plain, sizeof plain);
    page_raw(to, ",");
    summary_cell(to, plain);
}

/* Numbers that a run does not have are empty cells, not 0. */
static void summary_csv_row(page *to, const summary_row *row)
{
    static const char *const numbers[] = {"exit_code", "edits", "backtracks",
                                          "tokens_in", "tokens_out"};
    summary_cell(to, row->name);
    summary_text_cell(to, summary_status(row));
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const json_t *number = json_object_get(row->record, numbers[i]);
        page_raw(to, ",");
        if (number)
            page_add(to, "%lld", (long long)json_integer_value(number));
    }
    page_add(to, ",%.6f",
             json_number_value(json_object_get(row->record, "cost")));
    summary_text_cell(to, field_string(row->record, "snapshot"));
    summary_text_cell(to, field_string(row->record, "cause"));
    summary_text_cell(to, field_string(row->record, "why"));
    summary_text_cell(to, row->scene);
    summary_text_cell(to, row->goal);
    page_raw(to, "\r\n");
}

/* The head's names are read by others: new columns go to the end. */
static void summary_csv(page *to, const summary_row *rows, uint32_t count)
{
    page_raw(
        to,
        "name,status,exit_code,edits,backtracks,tokens_in,tokens_out,cost,snapshot,cause,why,scene,goal\r\n");
    for (uint32_t i = 0; i < count; i++)
        summary_csv_row(to, &rows[i]);
}

/* ---- summary.html ---- */

/* Links to the run's own page; pictures are loaded as they come into view. */
static void summary_picture(page *to,
                            const summary_row *row,
                            long long number,
                            const char *caption)
{
    page_raw(to, "<figure><a href=\"");
    page_text(to, row->name);
    page_raw(to, "/report.html\"><img loading=lazy src=\"");
    page_text(to, row->name);
    page_add(
        to,
        "/step-%02lld.png\" alt=\"\"></a><figcaption>%s</figcaption></figure>\n",
        number, caption);
}

/* Without a report of its own the name is no link. */
static void summary_card(page *to, const summary_row *row)
{
    const char *status = summary_status(row);
    const char *why = field_string(row->record, "why");
    long long images = field_integer(row->record, "images");
    bool complete = summary_is_complete(row);
    page_add(to, "<section class=\"card verdict %s\" id=\"",
             complete ? "complete" : "failed");
    page_text(to, row->name);
    page_raw(to, "\"><p>");
    page_raw(to, json_is_true(json_object_get(row->record, "written"))
                     ? "<a href=\""
                     : "<b");
    if (json_is_true(json_object_get(row->record, "written"))) {
        page_text(to, row->name);
        page_raw(to, "/report.html\"");
    }
    page_raw(to, ">");
    page_text(to, row->name);
    page_raw(to, json_is_true(json_object_get(row->record, "written"))
                     ? "</a>"
                     : "</b>");
    page_add(to, " <span class=\"tag %s\">", complete ? "good" : "bad");
    page_text(to, status);
    page_raw(to, "</span></p><p>");
    page_text(to, row->goal);
    page_raw(to, "</p>");
    if (*why) {
        page_raw(to, "<p class=soft>");
        page_text(to, why);
        page_raw(to, "</p>");
    }
    if (images > 0) {
        page_raw(to, "<div class=pair>");
        summary_picture(to, row, 0, "before");
        if (images > 1)
            summary_picture(to, row, images - 1, "after");
        page_raw(to, "</div>");
    }
    page_raw(to, "</section>\n");
}

/* The names link to the cards below. */
static void summary_html_cause(page *to,
                               const summary_row *rows,
                               const summary_failure *list,
                               uint32_t alike)
{
    page_raw(to, "<tr><td>");
    page_text(to, *list[0].cause ? list[0].cause : "unknown");
    page_add(to, "<td class=n>%u<td>", (unsigned)alike);
    for (uint32_t i = 0; i < alike; i++) {
        const char *name = rows[list[i].row].name;
        page_raw(to, i ? ", <a href=\"#" : "<a href=\"#");
        page_text(to, name);
        page_raw(to, "\">");
        page_text(to, name);
        page_raw(to, "</a>");
    }
    page_raw(to, "\n");
}

/* Left out where nothing failed. */
static void summary_html_causes(page *to,
                                const summary_row *rows,
                                uint32_t count)
{
    uint32_t failed = 0;
    summary_failure *list = summary_failures(rows, count, &failed);
    if (!list)
        to->failed = true;
    if (list && failed) {
        page_raw(
            to,
            "<section class=card><h2>Failures by cause</h2><div class=scroll><table>"
            "<tr><th>cause<th>how many<th>which\n");
        for (uint32_t at = 0, alike; at < failed; at += alike) {
            alike = summary_alike(list, failed, at);
            summary_html_cause(to, rows, list + at, alike);
        }
        page_raw(to, "</table></div></section>\n");
    }
    free(list);
}

/* A page without scripts. */
static void summary_html(page *to, const summary_row *rows, uint32_t count)
{
    summary_counts sum = summary_count(rows, count);
    page_raw(
        to,
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
        "<title>Batch</title>\n<style>");
    page_raw(to, report_style);
    page_raw(to, "</style>\n<main><p class=brand>Etna</p>");
    page_add(to, "<h1>%u of %u scenes arranged</h1><ul class=numbers>",
             (unsigned)sum.complete, (unsigned)count);
    page_add(
        to,
        "<li><span>complete</span>%u<li><span>failed</span>%u<li><span>open</span>%u",
        (unsigned)sum.complete, (unsigned)sum.failed, (unsigned)sum.open);
    page_add(to, "<li><span>cost</span>%.2f</ul>\n", sum.cost);
    summary_html_causes(to, rows, count);
    for (uint32_t i = 0; i < count; i++)
        summary_card(to, &rows[i]);
    page_raw(to, "</main></html>\n");
}

/* ---- out ---- */

/* Takes the page. */
static etna_code summary_write_page(int folder,
                                    const char *name,
                                    page *text,
                                    etna_error *err)
{
    etna_code code = ETNA_OK;
    if (text->failed) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", name);
    } else if (!wholefile_write(folder, name, text->data, text->size)) {
        int why = errno;
        code = etna_fail(err, wholefile_code(why), "%s: cannot write it: %s",
                         name, strerror(why));
    }
    page_free(text);
    return code;
}

/* Both files are replaced as wholes, while a batch goes on, too. */
etna_code summary_write(int folder,
                        const summary_row *rows,
                        uint32_t count,
                        etna_error *err)
{
    page table = {0}, whole = {0};
    summary_csv(&table, rows, count);
    etna_code code = summary_write_page(folder, "summary.csv", &table, err);
    if (code)
        return code;
    summary_html(&whole, rows, count);
    return summary_write_page(folder, "summary.html", &whole, err);
}

/* The journal's own members are taken out. */
static json_t *summary_json_run(const summary_row *row)
{
    json_t *run = row->record ? json_deep_copy(row->record)
                              : json_pack("{s:s}", "status", "open");
    json_t *scene = json_string(row->scene);
    json_t *goal = json_string(row->goal);
    json_object_set_new(run, "name", json_string(row->name));
    json_object_set_new(run, "scene", scene ? scene : json_string(""));
    json_object_set_new(run, "goal", goal ? goal : json_string(""));
    json_object_del(run, "line");
    json_object_del(run, "state");
    json_object_del(run, "stamp");
    return run;
}

/* NULL: out of memory. */
json_t *summary_json(const summary_row *rows, uint32_t count)
{
    summary_counts sum = summary_count(rows, count);
    json_t *runs = json_array();
    json_t *causes = json_object();
    uint32_t failed = 0;
    summary_failure *list = summary_failures(rows, count, &failed);
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(runs, summary_json_run(&rows[i]));
    for (uint32_t at = 0, alike; list && at < failed; at += alike) {
        alike = summary_alike(list, failed, at);
        json_object_set_new(causes, list[at].cause, json_integer(alike));
    }
    free(list);
    return json_pack("{s:i,s:i,s:i,s:f,s:o,s:o}", "complete", (int)sum.complete,
                     "failed", (int)sum.failed, "open", (int)sum.open, "cost",
                     sum.cost, "causes", causes, "runs", runs);
}
