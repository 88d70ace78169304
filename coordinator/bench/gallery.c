/* See gallery.h.
 *
 * The page of a benchmark: the table, success against tokens as a drawing, the
 * places where our rules and the engine disagree, and every run with a picture
 * of each step. The page is static, runs no script and loads pictures from
 * beside itself alone; every text that a run or a suite brought goes through
 * page_text, which escapes it. */
#include "coordinator/bench/gallery.h"
#include "coordinator/bench/curve.h"
#include "coordinator/report/field.h"
#include "coordinator/report/report.h"
#include "proto/array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void gallery_table(page *to, const tally *t)
{
    page_raw(
        to,
        "<section class=card><h2>Table</h2><div class=scroll><table><tr><th>variant<th>asked<th>level<th>scenes"
        "<th>steps<th>success<th>valid<th>completion<th>collision<th>floating<th>unstable\n");
    for (size_t i = 0; i < t->count; i++) {
        static const char *const levels[] = {"easy", "hard", "all"};
        static const tally_rate shown[] = {RATE_SUCCESS,    RATE_VALID,
                                           RATE_COMPLETION, RATE_COLLISION,
                                           RATE_FLOATING,   RATE_UNSTABLE};
        const tally_row *r = &t->rows[i];
        page_raw(to, "<tr><td>");
        page_text(to, r->variant);
        page_add(to, "<td>%s<td>%s<td class=n>%zu<td class=n>%zu",
                 r->is_goal ? "goal" : "steps", levels[r->level], r->scenes,
                 r->steps);
        for (size_t n = 0; n < COUNT_OF(shown); n++) {
            tally_rate k = shown[n];
            if (isfinite(r->rate[k]))
                page_add(
                    to, "<td class=n>%.3f <span class=soft>%.3f to %.3f</span>",
                    r->rate[k], r->range[k].low, r->range[k].high);
            else
                page_raw(to, "<td class=n>–");
        }
        page_raw(to, "\n");
    }
    page_raw(to, "</table></div></section>\n");
}

/* ---- where the judges of facts disagree ---- */

/* Our rules say that it floats and the engine that it stays, or the other way
 * round. */
static bool row_is_disputed(const json_t *row)
{
    bool floats = json_array_size(json_object_get(row, "floating")) > 0;
    bool falls = json_array_size(json_object_get(row, "unstable")) > 0;
    return floats != falls;
}

/* Nothing is printed where there is none. */
static void gallery_disputes(page *to, const json_t *rows)
{
    size_t i, shown = 0;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (!row_is_disputed(row))
            continue;
        bool falls = json_array_size(json_object_get(row, "unstable")) > 0;
        const json_t *said = json_array_get(
            json_object_get(row, falls ? "unstable" : "floating"), 0);
        if (!shown++)
            page_raw(
                to,
                "<section class=card><h2>Where our rules and Bullet disagree</h2><ul class=small>\n");
        page_raw(to, "<li>");
        page_text(to, field_string(row, "scene"));
        page_raw(to, ", ");
        page_text(to, field_string(row, "variant"));
        page_add(to, ", step %lld: ", field_integer(row, "step"));
        page_text(to,
                  falls ? field_string(said, "name") : json_string_value(said));
        page_raw(to, falls ? " falls by Bullet and stands by our rules\n"
                           : " floats by our rules and stays by Bullet\n");
    }
    if (shown)
        page_raw(to, "</ul></section>\n");
}

/* ---- a run ---- */

/* What gravity took away, and how far. */
static void gallery_unstable(page *to, const json_t *row)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(row, "unstable"), i, one)
    {
        page_raw(to, "<li>✗ gravity takes ");
        page_text(to, field_string(one, "name"));
        page_add(to, " away: %.3f m, %.0f°",
                 json_number_value(json_object_get(one, "shift_m")),
                 json_number_value(json_object_get(one, "turn_deg")));
    }
}

/* What was asked of the step and whether it holds; the margin is by how much,
 * in metres or radians as the fact has it. */
static void gallery_predicates(page *to, const json_t *row)
{
    size_t i;
    json_t *one;
    page_raw(to, "<ul class=small>");
    json_array_foreach(json_object_get(row, "predicates"), i, one)
    {
        const json_t *margin = json_object_get(one, "margin");
        page_raw(to, json_is_true(json_object_get(one, "holds")) ? "<li>✓ "
                                                                 : "<li>✗ ");
        page_text(to, field_string(one, "says"));
        if (json_is_number(margin))
            page_add(to, " <span class=soft>%.3f</span>",
                     json_number_value(margin));
    }
    size_t collisions = json_array_size(json_object_get(row, "collisions"));
    size_t floating = json_array_size(json_object_get(row, "floating"));
    if (collisions)
        page_add(to, "<li>✗ %zu collide%s", collisions,
                 collisions == 1 ? "s" : "");
    if (floating)
        page_add(to, "<li>✗ %zu float%s", floating, floating == 1 ? "s" : "");
    gallery_unstable(to, row);
    page_raw(to, "</ul>");
}

/* Links to the run's own report. Pictures are numbered by edits, not by
 * steps. */
static void gallery_picture(page *to, const char *run, long long edits)
{
    page_raw(to, "<figure><a href=\"runs/");
    page_text(to, run);
    page_raw(to, "/report.html\"><img loading=lazy src=\"runs/");
    page_text(to, run);
    page_add(to, "/step-%02lld.png\" alt=\"\"></a></figure>", edits);
}

/* A step that was not reached has no picture of its own. */
static void gallery_step(page *to,
                         const json_t *row,
                         const char *run,
                         long long edits,
                         bool has_pictures)
{
    bool done = json_is_true(json_object_get(row, "done")),
         reached = json_is_true(json_object_get(row, "reached"));
    const char *said = done ? "done" : "not done";
    page_add(to, "<h3>step %lld <span class=\"tag %s\">%s</span></h3><p>",
             field_integer(row, "step"), done ? "good" : "bad",
             reached ? said : "not reached");
    page_text(to, field_string(row, "text"));
    page_raw(to, "</p>");
    gallery_predicates(to, row);
    if (reached && has_pictures)
        gallery_picture(to, run, edits);
    page_raw(to, "\n");
}

/* The section is closed by the next run, or by the page's end. */
static void gallery_open_run(page *to, const json_t *row, const char *run)
{
    page_raw(to, "<section class=card id=\"");
    page_text(to, run);
    page_raw(to, "\"><h2>");
    page_text(to, run);
    page_raw(to, "</h2><p class=soft>");
    page_text(to, field_string(row, "status"));
    page_raw(to, ": ");
    page_text(to, field_string(row, "why"));
    page_raw(to, "</p>");
}

/* The policy forbids scripts and anything from another host. */
void gallery_open(const char *title, page *to)
{
    page_raw(
        to,
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src 'self' file:\"><title>Benchmark</title>\n<style>");
    page_raw(to, report_style);
    page_raw(to, "</style>\n<main><p class=brand>Etna</p><h1>");
    page_text(to, title);
    page_raw(to, "</h1>\n");
}

/* Rows come in the order of results.jsonl: a run's steps one after another, the
 * first of them numbered 1. */
void gallery_print(const char *suite_name,
                   const tally *t,
                   const json_t *rows,
                   bool has_pictures,
                   page *to)
{
    size_t i;
    json_t *row;
    char run[400] = "";
    long long edits = 0;
    gallery_open(suite_name, to);
    gallery_table(to, t);
    curve_print(to, t);
    gallery_disputes(to, rows);
    json_array_foreach(rows, i, row)
    {
        bool is_goal = strcmp(field_string(row, "mode"), "goal") == 0;
        bool is_first = field_integer(row, "step") == 1;
        if (is_first) {
            if (i)
                page_raw(to, "</section>\n");
            snprintf(run, sizeof run, "%s.%s.r%lld%s",
                     field_string(row, "scene"), field_string(row, "variant"),
                     field_integer(row, "repeat"), is_goal ? ".goal" : "");
            gallery_open_run(to, row, run);
            edits = 0;
        }
        edits += field_integer(row, "edits");
        gallery_step(to, row, run, edits, has_pictures);
    }
    page_raw(to, "</section></main></html>\n");
}
