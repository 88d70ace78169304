/* See tree.h. The last step that was begun after a node goes on in its column,
 * earlier ones, which came to nothing, stand aside:
 *
 *     S0
 *     |-- 1  step 1  given up   ...
 *     |   `-- 2  step 2  failed   ...
 *     |          backtrack: anchor 2 -> 1, back to step 1
 *     |-- 3  step 1  kept   ...
 *     `-- 4  step 2  complete */
#include "coordinator/report/tree.h"
#include "coordinator/report/report.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"

#include <stdlib.h>
#include <string.h>

/* What is drawn, and by which characters. `prefix` is the line's start at the
 * current depth. */
typedef struct drawing {
    FILE *to;
    const json_t *document, *tree;
    size_t count;
    const char *fork, *last, *pipe, *gap; /* four columns each */
    page prefix;
} drawing;

static const json_t *node_at(const drawing *d, size_t number)
{
    return json_array_get(d->tree, number - 1);
}

static bool tree_is_kept(const drawing *d, const json_t *node)
{
    long long step = field_integer(node, "step");
    return step >= 1 && report_kept(d->document, (size_t)step - 1) == node;
}

/* A linear search: the tree has as many nodes as a run has steps and
 * backtracks, some hundreds at the most. */
static size_t next_child(const drawing *d, size_t parent, size_t after)
{
    for (size_t n = after + 1; n <= d->count; n++) {
        if (field_integer(node_at(d, n), "parent") == (long long)parent)
            return n;
    }
    return 0;
}

static void tree_indent(const drawing *d, bool goes_on)
{
    const char *prefix = d->prefix.data ? d->prefix.data : "";
    fprintf(d->to, "  %s%s       ", prefix, goes_on ? d->pipe : d->gap);
}

static bool tree_is_same(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"state", "status", "object", "plane",
                                       "reason"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(field_string(a, keys[i]), field_string(b, keys[i])) != 0)
            return false;
    }
    return json_equal(json_object_get(a, "mean"), json_object_get(b, "mean"));
}

static void print_branch(const drawing *d, const json_t *branch)
{
    const char *state = field_string(branch, "state");
    const char *plane = field_string(branch, "plane");
    fprintf(d->to, "  %s",
            !strcmp(state, "failed") && *field_string(branch, "status")
                ? field_string(branch, "status")
                : state);
    if (*field_string(branch, "object"))
        fputs("  ", d->to);
    terminal_print(d->to, field_string(branch, "object"));
    if (*plane)
        fputs(" -> ", d->to);
    terminal_print(d->to, plane);
    if (!strcmp(state, "accepted") || !strcmp(state, "rejected"))
        fprintf(d->to, "  mean %.2f",
                json_number_value(json_object_get(branch, "mean")));
    if (*field_string(branch, "reason"))
        fputs(": ", d->to);
    terminal_print(d->to, field_string(branch, "reason"));
    fputc('\n', d->to);
}

/* Branches that came to the same stand on one line; those that were cut off
 * unused are left out. */
static void print_branches(const drawing *d, const json_t *node, bool goes_on)
{
    const json_t *list = json_object_get(node, "branches");
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        const json_t *branch = json_array_get(list, i);
        size_t told = 0, named = 0;
        for (size_t j = 0; j < i; j++)
            told += tree_is_same(json_array_get(list, j), branch);
        if (told || !strcmp(field_string(branch, "state"), "dropped"))
            continue;
        tree_indent(d, goes_on);
        fputs("branch ", d->to);
        for (size_t j = i; j < count; j++) {
            if (tree_is_same(json_array_get(list, j), branch))
                fprintf(d->to, "%s%zu", named++ ? "," : "", j);
        }
        print_branch(d, branch);
    }
}

static void print_backtrack(const drawing *d, size_t number, bool goes_on)
{
    const json_t *node = node_at(d, number);
    const json_t *next = number < d->count ? node_at(d, number + 1) : NULL;
    if (!next || strcmp(field_string(node, "state"), "failed") != 0)
        return;
    tree_indent(d, goes_on);
    fprintf(d->to, "backtrack: anchor %lld -> %lld, back to step %lld\n",
            field_integer(node, "anchor"), field_integer(next, "anchor"),
            field_integer(next, "step"));
}

static void print_node(const drawing *d, size_t number, bool last, bool goes_on)
{
    const json_t *node = node_at(d, number);
    const json_t *end = json_object_get(node, "decided_s");
    const char *state = field_string(node, "state");
    const char *reason = field_string(node, "reason");
    const char *prefix = d->prefix.data ? d->prefix.data : "";
    const char *branch = last ? d->last : d->fork;
    fprintf(d->to, "  %s%snode %zu, step %lld: %s", prefix, branch, number,
            field_integer(node, "step"),
            tree_is_kept(d, node) ? "kept" : state);
    if (json_is_number(end))
        fprintf(d->to, " (%.1f s)",
                json_number_value(end) -
                    json_number_value(json_object_get(node, "begun_s")));
    if (*field_string(node, "instruction"))
        fputs("  ", d->to);
    terminal_print(d->to, field_string(node, "instruction"));
    bool is_told = !strcmp(state, "given up") ||
                   !strcmp(field_string(node, "failure"), "branches");
    if (*reason && !is_told) {
        fputs("  (", d->to);
        terminal_print(d->to, reason);
        fputc(')', d->to);
    }
    fputc('\n', d->to);
    print_branches(d, node, goes_on);
    print_backtrack(d, number, goes_on);
}

/* Recursion is as deep as abandoned ways hold abandoned ways; each level is a
 * step deeper, at most ARRANGE_STEPS_MAX + 1. */
static void tree_draw(drawing *d, size_t parent, unsigned depth)
{
    for (size_t child = next_child(d, parent, parent), next; child;
         child = next) {
        next = next_child(d, parent, child);
        size_t inner = next_child(d, child, child);
        if (next) { /* abandoned: aside */
            size_t length = d->prefix.size;
            print_node(d, child, false, true);
            page_raw(&d->prefix, d->pipe);
            if (inner && depth < 300)
                tree_draw(d, child, depth + 1);
            if (d->prefix.data && !d->prefix.failed)
                d->prefix.data[d->prefix.size = length] = 0;
        } else { /* the way that was gone last: in this column */
            print_node(d, child, !inner, inner != 0);
            parent = child;
            next = inner;
        }
    }
}

void tree_print(FILE *to, const json_t *document, bool lines)
{
    drawing d = {.to = to,
                 .document = document,
                 .tree = json_object_get(document, "tree"),
                 .fork = "|-- ",
                 .last = "`-- ",
                 .pipe = "|   ",
                 .gap = "    "};
    if (lines) {
        d.fork = "├── ";
        d.last = "└── ";
        d.pipe = "│   ";
    }
    d.count = json_array_size(d.tree);
    fputs("  S0, the scene as it was\n", to);
    tree_draw(&d, 0, 0);
    page_free(&d.prefix);
}

bool tree_locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value)
            continue;
        return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}
