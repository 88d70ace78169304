/* `etna show`: what happened in a run, from its journal, and the tree it left. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/document.h"
#include "coordinator/cli/text.h"
#include "coordinator/shell/recover.h"

#include <stdio.h>

static const char help[] = "usage: etna show RUN [--json] [--store DIR]\n"
                           "Prints a run's narration, one line an event, and the tree of its steps and branches.\n";

static void print_branch(const core_branch_view *b)
{
    printf("        branch %u  %-9s", b->number, core_branch_state_name(b->state));
    if (b->object && *b->object) {
        fputs("  ", stdout);
        text_print(stdout, b->object);
        if (b->plane && *b->plane) fputs(" -> ", stdout);
        text_print(stdout, b->plane);
    }
    if (b->state == BRANCH_ACCEPTED || b->state == BRANCH_REJECTED) printf("  mean %.2f, loss %.3g", b->mean, b->loss);
    if (b->reason && *b->reason) {
        fputs("  (", stdout);
        text_print(stdout, b->reason);
        putchar(')');
    }
    putchar('\n');
}

static void print_tree(const core_run_view *view)
{
    puts("\ntree:");
    for (uint32_t i = 0; i < view->node_count; i++) {
        const core_node_view *n = &view->nodes[i];
        printf("  node %u, step %u, after node %u  %s", n->number, n->step, n->parent, core_node_state_name(n->state));
        if (n->winner >= 0) printf(", branch %d", n->winner);
        if (n->instruction && *n->instruction) {
            fputs(": ", stdout);
            text_print(stdout, n->instruction);
        }
        if (n->reason && *n->reason) {
            fputs("  (", stdout);
            text_print(stdout, n->reason);
            putchar(')');
        }
        putchar('\n');
        for (uint32_t b = 0; b < n->branch_count; b++) print_branch(&n->branches[b]);
    }
}

static void print_text(const core_run_view *view, const core_line *lines, uint32_t count, uint32_t state)
{
    char name[33];
    etna_id_hex(&view->run, name);
    for (uint32_t i = 0; i < count; i++) {
        printf("%8.3f  ", (double)lines[i].time_ms / 1000);
        text_print(stdout, lines[i].text);
        putchar('\n');
    }
    if (view->node_count) print_tree(view);
    printf("\nrun %s: %s, %u edits, %u backtracks", name, cli_state_name(state), view->edit_count, view->backtracks);
    if (view->reason && *view->reason) {
        fputs("; ", stdout);
        text_print(stdout, view->reason);
    }
    putchar('\n');
}

static etna_code print_json(const core_run_view *view, const core_line *lines, uint32_t count, uint32_t state, etna_error *err)
{
    json_t *document = document_of(view), *narration = json_array();
    if (!document || !narration) return etna_fail(err, ETNA_E_NOMEM, "out of memory printing a run");
    for (uint32_t i = 0; i < count; i++) {
        json_t *line = json_string(lines[i].text);
        json_array_append_new(narration, line ? line : json_string(""));
    }
    json_object_set_new(document, "status", json_string(cli_state_name(state)));
    json_object_set_new(document, "narration", narration);
    json_object_set_new(document, "tree", document_tree(view));
    json_dumpf(document, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(document);
    return ETNA_OK;
}

static etna_code show(store *s, const etna_id *run, bool json, const char *path, etna_error *err)
{
    core_options options = core_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core_line *lines;
    store_run row;
    uint32_t count;
    core *c;
    etna_code code = core_new(&options, &c, err);
    if (code) return code;
    code = store_get_run(s, run, &row, &arena, err);
    if (!code) code = recover_run(s, c, run, err);
    if (!code) code = core_view(c, run, &arena, &view, err);
    if (!code) code = core_lines(c, run, 0, &arena, &lines, &count, err);
    /* The row and an owner's life say whether it runs; a journal read here only knows a dormant run. */
    uint32_t state = code ? RUN_UNKNOWN : cli_shown_state(row.state, path);
    if (!code && json) code = print_json(&view, lines, count, state, err);
    if (!code && !json) print_text(&view, lines, count, state);
    etna_arena_free(&arena);
    core_free(c);
    return code;
}

int cmd_show(int argc, char **argv)
{
    static const struct option flags[] = {{"json", no_argument, NULL, 'j'}, {"store", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *given = NULL;
    bool json = false;
    for (int flag; (flag = cli_flag(argc, argv, ":h", flags)) != -1;) {
        switch (flag) {
        case 'j': json = true; break;
        case 's': given = optarg; break;
        case 'h': fputs(help, stdout); return 0;
        default: return 2;
        }
    }
    etna_id run;
    if (optind + 1 != argc) return cli_usage("show: which run? etna show RUN; see `etna runs`");
    if (!cli_run_id(argv[optind], &run)) return 2;
    char path[4000];
    etna_error err = {ETNA_OK, ""};
    store *s = NULL;
    etna_code code = cli_store_path(given, path, sizeof path, &err);
    if (!code) code = cli_open_store(given, NULL, true, &s, &err);
    if (!code) code = show(s, &run, json, path, &err);
    store_close(s);
    return code ? cli_fail(&err) : 0;
}
