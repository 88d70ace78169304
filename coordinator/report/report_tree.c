/* The search of a run as a picture of report.html:
 *
 *     S0 ──╮          1..n from left to right as they were begun, a row a step;
 *          1 ╌╌╌> 3   a failed node points (dashed) to where the search went on;
 *          ╰─ 2✗  ╰─ 4   the way that was kept is thick. */
#include "coordinator/report/report.h"

#include <string.h>

enum {
    NODES_MAX = 400,
    COLUMN = 58,
    ROW = 56,
    LEFT = 78,
    TOP = 44,
    RADIUS = 15
};

const json_t *report_kept(const json_t *document, size_t i)
{
    const json_t *step = json_array_get(json_object_get(document, "steps"), i);
    const json_t *tree = json_object_get(document, "tree");
    const char *snapshot = field_string(step, "snapshot");
    /* the latest among equals */
    for (size_t n = json_array_size(tree); *snapshot && n > 0; n--) {
        const json_t *node = json_array_get(tree, n - 1);
        if (field_integer(node, "step") == (long long)i + 1 &&
            !strcmp(field_string(node, "snapshot"), snapshot))
            return node;
    }
    return NULL;
}

static bool is_kept(const json_t *document, const json_t *node)
{
    long long step = field_integer(node, "step");
    return step >= 1 && (!strcmp(field_string(node, "state"), "complete") ||
                         report_kept(document, (size_t)step - 1) == node);
}

static long long report_tree_bounded(long long value, long long most)
{
    if (value < 0)
        return 0;
    return value > most ? most : value;
}

static long long x_of(long long number)
{
    return number ? LEFT + (number - 1) * COLUMN : LEFT - COLUMN;
}
static long long y_of(long long step)
{
    return TOP + step * ROW;
}

static void report_tree_edges(page *p,
                              const json_t *document,
                              const json_t *tree,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *node = json_array_get(tree, i);
        const json_t *next = i + 1 < count ? json_array_get(tree, i + 1) : NULL;
        long long parent =
            report_tree_bounded(field_integer(node, "parent"), (long long)i);
        long long x = x_of((long long)i + 1);
        long long step =
            report_tree_bounded(field_integer(node, "step"), NODES_MAX);
        long long y = y_of(step);
        long long from =
            parent ? report_tree_bounded(
                         field_integer(json_array_get(tree, (size_t)parent - 1),
                                       "step"),
                         NODES_MAX)
                   : 0;
        page_add(
            p,
            "<path class=\"%s\" d=\"M%lld %lld C%lld %lld %lld %lld %lld %lld\"/>\n",
            is_kept(document, node) ? "way" : "edge", x_of(parent), y_of(from),
            x_of(parent) + 8, y_of(from) + 30, x - 34, y - 4, x, y);
        if (!next || strcmp(field_string(node, "state"), "failed") != 0)
            continue;
        long long to =
            y_of(report_tree_bounded(field_integer(next, "step"), NODES_MAX));
        long long x2 = x + COLUMN;
        long long tip = to - RADIUS - 3;
        page_add(
            p,
            "<path class=\"back\" d=\"M%lld %lld C%lld %lld %lld %lld %lld %lld\"/>"
            "<path class=\"tip\" d=\"M%lld %lld l-4 -8 h8 z\"/>\n",
            x + 11, y - 11, x + 24, tip - 26, x2, tip - 34, x2, tip - 6, x2,
            tip);
        long long before = field_integer(node, "anchor");
        long long after = field_integer(next, "anchor");
        page_add(
            p,
            "<text class=\"light\" x=\"%lld\" y=\"%lld\" text-anchor=\"middle\">%lld→%lld</text>\n",
            x2, tip - 36, before, after);
    }
}

static void report_tree_dots(page *p,
                             const json_t *document,
                             const json_t *tree,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *node = json_array_get(tree, i);
        const char *state = field_string(node, "state");
        bool failed = !strcmp(state, "failed");
        const char *class = "";
        if (is_kept(document, node))
            class = " good";
        else if (failed)
            class = " bad";
        else if (!strcmp(state, "given up"))
            class = " warn";
        long long x = x_of((long long)i + 1);
        long long y =
            y_of(report_tree_bounded(field_integer(node, "step"), NODES_MAX));
        page_add(p, "<g><title>node %zu, step %lld: ", i + 1,
                 field_integer(node, "step"));
        page_text(p, state);
        page_raw(p, ". ");
        page_text(p, field_string(node, "instruction"));
        page_add(
            p,
            "</title><circle class=\"dot%s\" cx=\"%lld\" cy=\"%lld\" r=\"%d\"/><text x=\"%lld\" y=\"%lld\" text-anchor=\"middle\">%s%zu</text></g>\n",
            class, x, y, RADIUS, x, y + 4, failed ? "✗" : "", i + 1);
    }
}

void report_tree(page *p, const json_t *document)
{
    const json_t *tree = json_object_get(document, "tree");
    size_t count = json_array_size(tree);
    long long deepest = 1, width;
    if (!count || count > NODES_MAX)
        return;
    for (size_t i = 0; i < count; i++) {
        long long step = report_tree_bounded(
            field_integer(json_array_get(tree, i), "step"), NODES_MAX);
        if (step > deepest)
            deepest = step;
    }
    width = x_of((long long)count) + 50;
    page_add(
        p,
        "<div class=\"scroll\"><svg role=\"img\" aria-label=\"The tree of the search\" width=\"%lld\" height=\"%lld\" viewBox=\"0 0 %lld %lld\">\n",
        width, y_of(deepest) + 30, width, y_of(deepest) + 30);
    report_tree_edges(p, document, tree, count);
    page_add(
        p,
        "<rect class=\"dot\" x=\"%lld\" y=\"%lld\" width=\"30\" height=\"24\" rx=\"5\"/><text x=\"%lld\" y=\"%lld\" text-anchor=\"middle\">S₀</text>\n",
        x_of(0) - 15, y_of(0) - 12, x_of(0), y_of(0) + 4);
    report_tree_dots(p, document, tree, count);
    page_raw(
        p,
        "</svg></div>\n<p class=\"small soft\">A circle is a step that was begun, numbered in that order; steps go down. "
        "<span class=\"good\">Green</span>: kept. <span class=\"warn\">Amber</span>: done, then given up. <span class=\"bad\">Red ✗</span>: failed; "
        "the dashed arrow shows where the search went back to, with the move of its anchor (the step it goes back to next is half of it).</p>\n");
}
