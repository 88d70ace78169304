/* The page from top to bottom, in the order of this file: what became of it and
 * the picture before and after, what moved and why, what to try next; then each
 * step; then what came to nothing, the search, the costs. Whoever gets the page
 * reads the top; whoever wants to know why goes on. */
#include "coordinator/report/report.h"
#include "coordinator/report/report_picture.h"
#include "coordinator/report/usage.h"
#include "proto/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* steps tried in vain that are told at once, further ones on a click */
    VAIN_OPEN = 6
};

/* A page in the making. */
typedef struct reporter {
    page *p;
    const json_t *document;
    report_picture *pictures; /* 0: the scene as it was; i: after step i */
    size_t picture_count;
} reporter;

/* ---- pictures ---- */

/* All pictures first: whether a step has one decides its layout. */
static etna_code fetch_pictures(reporter *r,
                                output_fetch fetch,
                                void *context,
                                etna_error *err)
{
    const json_t *list = json_object_get(r->document, "image_blobs");
    r->picture_count = json_array_size(list);
    r->pictures = calloc(r->picture_count + 1, sizeof *r->pictures);
    if (!r->pictures)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing report.html");
    for (size_t i = 0; fetch && i < r->picture_count; i++) {
        const char *hex = json_string_value(json_array_get(list, i));
        uint8_t *data = NULL;
        size_t size = 0;
        etna_hash hash;
        if (!hex || !etna_hash_parse(hex, &hash) ||
            fetch(context, &hash, &data, &size, NULL))
            continue;
        (void)report_picture_make(data, size, &r->pictures[i]);
    }
    return ETNA_OK;
}

/* Pictures that could not be fetched are left out; the page is told all the
 * same. */
static bool has_picture(const reporter *r, size_t i)
{
    return i < r->picture_count && r->pictures[i].data;
}

/* The bytes are in the page itself, so that one file can be sent. */
static void report_figure(reporter *r, size_t i, const char *caption)
{
    const report_picture *one = &r->pictures[i];
    page_add(r->p, "<figure><img width=\"%u\" height=\"%u\" alt=\"", one->width,
             one->height);
    page_text(r->p, caption);
    page_add(r->p, "\" src=\"data:%s;base64,", one->mime);
    page_base64(r->p, one->data, one->size);
    page_raw(r->p, "\"><figcaption>");
    page_text(r->p, caption);
    page_raw(r->p, "</figcaption></figure>\n");
}

/* ---- top ---- */

/* Nothing is loaded and nothing runs: the policy says so to whoever opens the
 * page. */
static void report_head(reporter *r, const char *title)
{
    page_raw(
        r->p,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    page_text(r->p, title);
    page_raw(r->p, " - etna</title>\n<style>\n");
    page_raw(r->p, report_style);
    page_raw(r->p, "</style></head>\n<body><main>\n");
}

static void report_number(page *p, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Escapes the value, which may be a model's name. */
static void report_number(page *p, const char *name, const char *format, ...)
{
    char value[128];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    page_add(p, "<li><span>%s</span> ", name);
    page_text(p, value);
    page_raw(p, "</li>\n");
}

/* Negative numbers, which no count is, are told as 0. */
static void report_grouped(long long value, char to[32]) /* 1,234,567 */
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", value < 0 ? 0 : value);
    int used = 0;
    for (int i = 0; i < n; i++) {
        to[used++] = digits[i];
        if ((n - i) % 3 == 1 && i + 1 < n)
            to[used++] = ',';
    }
    to[used] = 0;
}

/* Tokens only where some were paid for. */
static void report_numbers(reporter *r)
{
    const json_t *d = r->document;
    char in[32], out[32];
    long long tokens[2];
    bool costs = usage_tokens(d, &tokens[0], &tokens[1]);
    report_grouped(tokens[0], in);
    report_grouped(tokens[1], out);
    page_raw(r->p, "<ul class=\"numbers\">\n");
    report_number(r->p, "edits kept", "%zu",
                  json_array_size(json_object_get(d, "steps")));
    report_number(r->p, "steps begun", "%zu",
                  json_array_size(json_object_get(d, "tree")));
    report_number(r->p, "backtracks", "%lld", field_integer(d, "backtracks"));
    report_number(r->p, "time", "%.1f s",
                  json_number_value(json_object_get(d, "wall_s")));
    if (costs)
        report_number(r->p, "tokens in / out", "%s / %s", in, out);
    report_number(r->p, "model",
                  costs || strcmp(field_string(d, "model"), "builtin")
                      ? "%s"
                      : "%s, which costs nothing",
                  field_string(d, "model"));
    report_number(r->p, "objects (movable)", "%lld (%lld)",
                  field_integer(d, "objects"), field_integer(d, "movable"));
    report_number(r->p, "seed", "%lld", field_integer(d, "seed"));
    page_raw(r->p, "</ul>\n");
}

/* The verdict in one sentence. Words for people; programs read "status". */
static void say_status(reporter *r, const char *status, size_t kept)
{
    const char *s = kept == 1 ? "" : "s";
    if (!strcmp(status, "complete") && kept) {
        page_add(
            r->p,
            "<strong class=\"good\">Complete.</strong> %zu edit%s, each checked and judged good, reached the goal.",
            kept, s);
    } else if (!strcmp(status, "complete")) {
        page_raw(
            r->p,
            "<strong class=\"good\">Complete.</strong> Nothing had to be moved.");
    } else if (!strcmp(status, "partial")) {
        page_add(
            r->p,
            "<strong class=\"warn\">Partly done.</strong> %zu edit%s %s kept, but the goal was not reached.",
            kept, s, kept == 1 ? "is" : "are");
    } else if (!strcmp(status, "failed")) {
        page_raw(r->p,
                 "<strong class=\"bad\">Failed.</strong> Nothing was changed.");
    } else {
        page_raw(r->p, "<strong>");
        page_text(r->p, status);
        page_raw(r->p, ".</strong> The run has not come to an end of its own.");
    }
}

/* ASCII alone: a name that begins otherwise stays as it is. */
static void report_capital(page *p, const char *sentence)
{
    char first[2] = {sentence[0], 0};
    if (ascii_is_lower(first[0]))
        first[0] = (char)(first[0] - 'a' + 'A');
    page_text(p, first);
    if (first[0])
        page_text(p, sentence + 1);
}

/* The scene as it was, and as the last edit left it: what somebody looks for
 * first. */
static void before_and_after(reporter *r)
{
    size_t kept = json_array_size(json_object_get(r->document, "steps"));
    bool both = kept > 0 && has_picture(r, 0) && has_picture(r, kept);
    if (both)
        page_raw(r->p, "<div class=\"pair\">");
    if (has_picture(r, 0))
        report_figure(r, 0,
                      kept ? "Before: the scene as it was"
                           : "The scene, as it was and still is");
    if (kept > 0 && has_picture(r, kept)) {
        report_figure(
            r, kept,
            kept == 1
                ? "After: the arrow leads from the old place to the new one"
                : "After all edits: the arrow is the last one's");
    }
    if (both)
        page_raw(r->p, "</div>\n");
}

/* What the first evaluator said of the branch that was kept: they mostly
 * agree. */
static const char *reason_of(const json_t *node)
{
    long long winner = node ? field_integer(node, "winner") : -1;
    const json_t *branch =
        winner >= 0
            ? json_array_get(json_object_get(node, "branches"), (size_t)winner)
            : NULL;
    return field_string(
        json_array_get(json_object_get(branch, "evaluations"), 0), "text");
}

/* What moved, in a line each: what was wanted of it, and how it stands. */
static void report_moves(reporter *r)
{
    size_t kept = json_array_size(json_object_get(r->document, "steps"));
    if (kept == 0)
        return;
    page_raw(r->p, "<h3>What moved, and why</h3>\n<ol class=\"moves\">");
    for (size_t i = 0; i < kept; i++) {
        const json_t *one =
            json_array_get(json_object_get(r->document, "steps"), i);
        const char *reason = reason_of(report_kept(r->document, i));
        page_raw(r->p, "<li><b>");
        page_text(r->p, field_string(one, "object"));
        page_raw(r->p, "</b>: ");
        page_text(r->p, field_string(one, "instruction"));
        if (*reason)
            page_raw(r->p, " <span class=\"soft\">");
        page_text(r->p, reason);
        if (*reason)
            page_raw(r->p, "</span>");
        page_add(r->p, " <a href=\"#step-%zu\">more</a></li>\n", i + 1);
    }
    page_raw(r->p, "</ol>\n");
}

/* The part that everybody reads. */
static void report_verdict(reporter *r)
{
    const char *status = field_string(r->document, "status");
    const char *why = field_string(r->document, "why");
    const json_t *advice = json_object_get(r->document, "advice");
    page_raw(r->p, "<section class=\"card verdict ");
    page_text(r->p, status);
    page_raw(r->p, "\">\n<p>");
    say_status(r, status,
               json_array_size(json_object_get(r->document, "steps")));
    page_raw(r->p, "</p>\n");
    before_and_after(r);
    report_moves(r);
    if (*why) {
        page_raw(r->p, "<h3>Why</h3>\n<p>");
        report_capital(r->p, why);
        page_raw(r->p, ".</p>\n");
    }
    if (json_array_size(advice))
        page_raw(r->p, "<h3>What to try next</h3>\n<ul>");
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *line = json_string_value(json_array_get(advice, i));
        page_raw(r->p, "<li>");
        page_text(r->p, line ? line : "");
        page_raw(r->p, "</li>");
    }
    if (json_array_size(advice))
        page_raw(r->p, "</ul>\n");
    report_numbers(r);
    page_raw(r->p, "</section>\n");
}

/* Of a list; a goal is the page's title. */
static void report_instructions(page *p, const json_t *instructions)
{
    page_raw(p, "<section class=\"card\"><h2>The instructions</h2>\n<ol>");
    for (size_t i = 0; i < json_array_size(instructions); i++) {
        const char *one = json_string_value(json_array_get(instructions, i));
        page_raw(p, "<li>");
        page_text(p, one ? one : "");
        page_raw(p, "</li>");
    }
    page_raw(p, "</ol></section>\n");
}

/* A list of one instruction is told like a goal. Of the scene's path only the
 * last part is told. */
static void report_top(reporter *r)
{
    const json_t *instructions = json_object_get(r->document, "instructions");
    size_t count = json_array_size(instructions);
    const char *only =
        count == 1 ? json_string_value(json_array_get(instructions, 0)) : NULL;
    const char *goal = only ? only : field_string(r->document, "goal");
    const char *scene = field_string(r->document, "scene");
    const char *slash = strrchr(scene, '/');
    scene = slash && slash[1] ? slash + 1 : scene;
    report_head(r, *goal ? goal : scene);
    page_raw(r->p,
             "<header><div class=\"brand\">Etna arranged a scene</div>\n<h1>");
    if (*goal)
        page_text(r->p, goal);
    else
        page_add(r->p, "%zu instructions, one after another", count);
    page_raw(r->p, "</h1>\n<div class=\"soft\">in <code>");
    page_text(r->p, scene);
    page_raw(r->p, "</code></div></header>\n");
    report_verdict(r);
    if (!*goal && count)
        report_instructions(r->p, instructions);
}

/* ---- steps ---- */

/* 0: it was never decided. */
static double report_seconds_of(const json_t *node)
{
    const json_t *end = json_object_get(node, "decided_s");
    return json_is_number(end)
               ? json_number_value(end) -
                     json_number_value(json_object_get(node, "begun_s"))
               : 0;
}

/* Each picture is on the page once: the last one is at its top, and what was
 * before a step is above it. */
static void step_pictures(reporter *r, size_t i)
{
    size_t kept = json_array_size(json_object_get(r->document, "steps"));
    if (!has_picture(r, i + 1) || i + 1 == kept)
        return;
    report_figure(
        r, i + 1,
        "After this step: the arrow leads from the old place to the new one");
}

/* An edit that was kept: what was said, the picture, the branch that won, and
 * the others on a click. */
static void report_step(reporter *r, size_t i)
{
    const json_t *one =
        json_array_get(json_object_get(r->document, "steps"), i);
    const json_t *node = report_kept(r->document, i);
    long long winner = node ? field_integer(node, "winner") : -1;
    const json_t *branch =
        winner >= 0
            ? json_array_get(json_object_get(node, "branches"), (size_t)winner)
            : NULL;
    size_t others = json_array_size(json_object_get(node, "branches"));
    page_add(r->p,
             "<section class=\"card step\" id=\"step-%zu\"><h2>Step %zu: ",
             i + 1, i + 1);
    page_text(r->p, field_string(one, "object"));
    page_raw(r->p, "</h2>\n<blockquote>");
    page_text(r->p, field_string(one, "instruction"));
    page_raw(r->p, "</blockquote>\n");
    step_pictures(r, i);
    if (branch)
        report_branch(r->p, branch);
    page_raw(r->p, "<p class=\"small soft\">");
    if (node)
        page_add(r->p, "Branch %lld won, of %zu; ", winner, others);
    page_add(r->p, "mean verdict %+.2f of 2",
             json_number_value(json_object_get(one, "score")));
    if (node)
        page_add(r->p, "; %.1f s for this step", report_seconds_of(node));
    page_raw(r->p, ".</p>\n");
    if (others > 1) {
        page_raw(r->p, "<details><summary>The other branches</summary>\n");
        report_refused(r->p, node, winner);
        page_raw(r->p, "</details>\n");
    }
    page_raw(r->p, "</section>\n");
}

/* Above the first edit of an instruction: what it says. An instruction with one
 * edit each needs no such word. */
static void instruction_head(reporter *r, size_t i)
{
    const json_t *steps = json_object_get(r->document, "steps");
    long long item = field_integer(json_array_get(steps, i), "item");
    long long before =
        i ? field_integer(json_array_get(steps, i - 1), "item") : 0;
    if (!json_is_true(json_object_get(r->document, "open_list")) || item < 1 ||
        item == before)
        return;
    const char *said = json_string_value(json_array_get(
        json_object_get(r->document, "instructions"), (size_t)item - 1));
    page_add(r->p, "<h2 class=\"instruction\">Instruction %lld: ", item);
    page_text(r->p, said ? said : "");
    page_raw(r->p, "</h2>\n");
}

/* ---- what came to nothing, the search, the times ---- */

/* A node whose edit is not in the result. */
static bool in_vain(const json_t *node)
{
    const char *state = field_string(node, "state");
    return !strcmp(state, "failed") || !strcmp(state, "given up") ||
           !strcmp(state, "stopped");
}

/* What was planned there; where no plan came to be, what the user's list wants
 * of that step. */
static const char *instruction_of(const json_t *document, const json_t *node)
{
    const char *planned = field_string(node, "instruction");
    long long item = field_integer(node, "item");
    const char *wanted =
        *planned || item < 1
            ? planned
            : json_string_value(json_array_get(
                  json_object_get(document, "instructions"), (size_t)item - 1));
    return wanted ? wanted : "";
}

/* Whether the node failed at its branches: these are listed then, and say more
 * than the reason, which only strings them together. */
static bool report_lists_branches(const json_t *node)
{
    return !strcmp(field_string(node, "failure"), "branches");
}

/* The node was fine, and was given up for a step that failed later. Where that
 * one lists its branches, they stand below. */
static void given_up_because(reporter *r, const json_t *node)
{
    const json_t *tree = json_object_get(r->document, "tree");
    const json_t *later =
        json_array_get(tree, (size_t)field_integer(node, "given_up_for") - 1);
    page_raw(r->p, "<p class=\"soft\">Given up because ");
    if (report_lists_branches(later)) {
        page_add(r->p, "step %lld failed: no place was accepted there (below).",
                 field_integer(later, "step"));
    } else {
        page_text(r->p, field_string(node, "reason"));
    }
    page_raw(r->p, "</p>\n");
}

/* A step that was done and given up later is told apart from one that failed:
 * nothing was wrong with it. */
static void vain_node(reporter *r, const json_t *node)
{
    const char *state = field_string(node, "state");
    const char *instruction = instruction_of(r->document, node);
    bool given_up = !strcmp(state, "given up");
    page_add(r->p,
             "<h3>Step %lld (node %lld): <span class=\"%s\">%s</span></h3>\n",
             field_integer(node, "step"), field_integer(node, "node"),
             given_up ? "warn" : "bad",
             given_up                    ? "done, then given up"
             : !strcmp(state, "stopped") ? "not finished"
                                         : "failed");
    if (*instruction)
        page_raw(r->p, "<p>");
    page_text(r->p, instruction);
    if (*instruction)
        page_raw(r->p, "</p>\n");
    if (given_up) {
        given_up_because(r, node);
    } else if (report_lists_branches(node)) {
        report_refused(r->p, node, -1);
    } else {
        page_raw(r->p, "<p class=\"soft\">");
        page_text(r->p, field_string(node, "reason"));
        page_raw(r->p, "</p>\n");
    }
}

/* Only nodes whose edit is not in the result. */
static void report_vain(reporter *r)
{
    const json_t *tree = json_object_get(r->document, "tree");
    size_t count = 0;
    size_t kept = json_array_size(json_object_get(r->document, "steps"));
    for (size_t n = 0; n < json_array_size(tree); n++) {
        const json_t *node = json_array_get(tree, n);
        bool is_kept = false;
        for (size_t i = 0; i < kept && !is_kept; i++)
            is_kept = report_kept(r->document, i) == node;
        if (is_kept || !in_vain(node))
            continue;
        if (!count)
            page_raw(r->p, "<section class=\"card\"><h2>Tried in vain</h2>\n");
        if (count++ == VAIN_OPEN)
            page_raw(r->p, "<details><summary>And further steps</summary>\n");
        vain_node(r, node);
    }
    if (count > VAIN_OPEN)
        page_raw(r->p, "</details>\n");
    if (count)
        page_raw(r->p, "</section>\n");
}

/* As a drawing, and as a table with times. */
static void report_search(reporter *r)
{
    const json_t *tree = json_object_get(r->document, "tree");
    if (!json_array_size(tree))
        return;
    page_raw(r->p, "<section class=\"card\"><h2>The search</h2>\n");
    report_tree(r->p, r->document);
    page_raw(
        r->p,
        "<div class=\"scroll\"><table><thead><tr><th>node</th><th>step</th><th>came to</th><th>began</th><th>took</th><th>instruction</th></tr></thead><tbody>\n");
    for (size_t n = 0; n < json_array_size(tree); n++) {
        const json_t *node = json_array_get(tree, n);
        page_add(
            r->p,
            "<tr><td class=\"n\">%lld</td><td class=\"n\">%lld</td><td class=\"n\">",
            field_integer(node, "node"), field_integer(node, "step"));
        page_text(r->p, field_string(node, "state"));
        page_add(
            r->p,
            "</td><td class=\"n\">%.1f s</td><td class=\"n\">%.1f s</td><td>",
            json_number_value(json_object_get(node, "begun_s")),
            report_seconds_of(node));
        page_text(r->p, instruction_of(r->document, node));
        page_raw(r->p, "</td></tr>\n");
    }
    page_raw(r->p, "</tbody></table></div></section>\n");
}

/* Nothing where there are none. `title` is ours, the texts are escaped. */
static void report_list(reporter *r, const char *title, const json_t *texts)
{
    if (!json_array_size(texts))
        return;
    page_raw(r->p, "<section class=\"card\"><h2>");
    page_raw(r->p, title);
    page_raw(r->p, "</h2>\n<ul class=\"small\">");
    for (size_t i = 0; i < json_array_size(texts); i++) {
        const char *one = json_string_value(json_array_get(texts, i));
        page_raw(r->p, "<li>");
        page_text(r->p, one ? one : "");
        page_raw(r->p, "</li>");
    }
    page_raw(r->p, "</ul></section>\n");
}

/* What could not be read or done, and why. */
static void report_passed(reporter *r)
{
    const json_t *rows = json_object_get(r->document, "passed_over");
    const json_t *row;
    const bool is_list = !json_is_string(json_object_get(r->document, "goal"));
    size_t i;
    if (!json_array_size(rows))
        return;
    page_raw(r->p,
             "<section class=\"card\"><h2>Not done</h2>\n<ul class=\"small\">");
    json_array_foreach(rows, i, row)
    {
        page_raw(r->p, "<li>");
        if (is_list)
            page_add(r->p, "Instruction %lld, ", field_integer(row, "item"));
        if (*field_string(row, "thing")) {
            page_text(r->p, field_string(row, "thing"));
            page_raw(r->p, " of ");
        }
        page_text(r->p, field_string(row, "instruction"));
        page_raw(r->p, ": ");
        page_text(r->p, field_string(row, "what"));
        page_raw(r->p, "</li>");
    }
    page_raw(r->p, "</ul></section>\n");
}

/* What was passed over stands here as well as in the verdict, with each part's
 * own reason. */
static void report_bottom(reporter *r)
{
    report_passed(r);
    report_list(r, "Noticed when the scene was read",
                json_object_get(r->document, "warnings"));
    report_list(r, "Workers of other builds than the coordinator's took part",
                json_object_get(r->document, "other_builds"));
    page_raw(r->p, "<footer class=\"small soft\"><p>Run <code>");
    page_text(r->p, field_string(r->document, "run"));
    page_raw(
        r->p,
        "</code>, etna " ETNA_VERSION
        ". All that happened, line by line: <code>etna show RUN</code>; the same as data: <code>run.json</code>.</p></footer>\n");
    page_raw(r->p, "</main></body></html>\n");
}

/* Takes no memory of the document's; `ret` is the caller's to free, on failure
 * too. */
etna_code report_page(const json_t *document,
                      output_fetch fetch,
                      void *context,
                      page *ret,
                      etna_error *err)
{
    reporter r = {.p = ret, .document = document};
    etna_code code = fetch_pictures(&r, fetch, context, err);
    if (code)
        return code;
    report_top(&r);
    report_list(&r, "Brought in", json_object_get(document, "brought_in"));
    report_list(&r, "Taken out", json_object_get(document, "taken_out"));
    for (size_t i = 0; i < json_array_size(json_object_get(document, "steps"));
         i++) {
        instruction_head(&r, i);
        report_step(&r, i);
    }
    report_vain(&r);
    report_search(&r);
    usage_page(r.p, document);
    report_bottom(&r);
    for (size_t i = 0; i < r.picture_count; i++)
        report_picture_free(&r.pictures[i]);
    free(r.pictures);
    return ret->failed ? etna_fail(err, ETNA_E_NOMEM,
                                   "out of memory writing report.html")
                       : ETNA_OK;
}
