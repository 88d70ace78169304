/* `etna show`: what happened in a run and the tree it left, as text, as JSON,
 * or as a page to send. The run is decided again from its journal, so it can be
 * shown while another process carries it, and long after. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/conversation.h"
#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/report/tree.h"
#include "coordinator/report/usage.h"
#include "coordinator/shell/recover.h"

#include <stdio.h>

static const char help[] =
    "usage: etna show RUN [--conversation NODE[.BRANCH]] [--json | --html FILE] [--connect URL] [--store DIR]\n"
    "Prints a run's narration, one line an event, and the tree of its steps and branches. With --html it is\n"
    "written to FILE as one page with its pictures, which needs nothing else and can be sent to somebody.\n"
    "With --conversation: what the models of that step, or of one of its branches, were asked and what they answered.\n";

/* What the command line asks for; NULL: not asked for. */
typedef struct show_options {
    const char *html, *conversation; /* NULL: not asked for */
    bool json;
} show_options;

static void cmd_show_print_text(const json_t *document,
                                const core_line *lines,
                                uint32_t count)
{
    size_t edits = json_array_size(json_object_get(document, "steps"));
    long long backtracks = field_integer(document, "backtracks");
    const char *why = field_string(document, "why");
    for (uint32_t i = 0; i < count; i++) {
        printf("%8.3f  ", (double)lines[i].time_ms / 1000);
        terminal_print(stdout, lines[i].text);
        putchar('\n');
    }
    if (json_array_size(json_object_get(document, "tree"))) {
        puts("\ntree:");
        tree_print(stdout, document, tree_locale_is_utf8());
    }
    usage_print(stdout, document);
    const char *edits_end = edits == 1 ? "" : "s";
    const char *backtracks_end = backtracks == 1 ? "" : "s";
    printf("\nrun %s: %s, %zu edit%s, %lld backtrack%s",
           field_string(document, "run"), field_string(document, "status"),
           edits, edits_end, backtracks, backtracks_end);
    if (*why) {
        fputs("; ", stdout);
        terminal_print(stdout, why);
    }
    putchar('\n');
}

static void cmd_show_print_json(json_t *document,
                                const core_line *lines,
                                uint32_t count)
{
    json_t *narration = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *line = json_string(lines[i].text);
        json_array_append_new(narration, line ? line : json_string(""));
    }
    json_object_set_new(document, "narration", narration);
    cli_print("etna.run/1", json_incref(document));
}

/* An output_fetch over the store `context`. */
static etna_code cmd_show_fetch(void *context,
                                const etna_hash *hash,
                                uint8_t **ret_data,
                                size_t *ret_size,
                                etna_error *err)
{
    return store_get_blob(context, hash, ret_data, ret_size, err);
}

/* Writes or prints the document in the asked form, and frees it. */
static etna_code cmd_show_tell(json_t *document,
                               const core_line *lines,
                               uint32_t count,
                               const show_options *o,
                               output_fetch fetch,
                               void *context,
                               etna_error *err)
{
    etna_code code = ETNA_OK;
    if (o->html)
        code = output_report(o->html, document, fetch, context, err);
    if (!code && o->json)
        cmd_show_print_json(document, lines, count);
    if (!code && !o->json && !o->html)
        cmd_show_print_text(document, lines, count);
    json_decref(document);
    return code;
}

/* The status is the row's and the owner's: a run read from its journal alone
 * always looks dormant. */
static etna_code cmd_show_view(store *s,
                               const core_run_view *view,
                               const core_line *lines,
                               uint32_t count,
                               uint32_t state,
                               const show_options *o,
                               etna_error *err)
{
    json_t *document = run_json_of(view);
    if (!document)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory printing a run");
    json_object_set_new(document, "status", json_string(run_state_name(state)));
    return cmd_show_tell(document, lines, count, o, cmd_show_fetch, s, err);
}

static etna_code cmd_show_run(store *s,
                              const etna_id *run,
                              const show_options *o,
                              const char *path,
                              etna_error *err)
{
    core_options options = core_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core_line *lines;
    store_run row;
    uint32_t count;
    core *c;
    etna_code code = core_new(&options, &c, err);
    if (code)
        return code;
    code = store_get_run(s, run, &row, &arena, err);
    if (!code)
        code = recover_run(s, c, run, err);
    if (!code)
        code = core_view(c, run, &arena, &view, err);
    if (!code)
        code = core_lines(c, run, 0, &arena, &lines, &count, err);
    if (!code)
        code = cmd_show_view(s, &view, lines, count,
                             cli_shown_state(&row, path), o, err);
    etna_arena_free(&arena);
    core_free(c);
    return code;
}

static etna_code show_conversation(store *s,
                                   const etna_id *run,
                                   const show_options *o,
                                   const char *path,
                                   etna_error *err)
{
    json_t *document;
    if (!o->json)
        return conversation_print(s, path, run, o->conversation, err);
    etna_code code =
        conversation_json(s, path, run, o->conversation, &document, err);
    if (code)
        return code;
    cli_print("etna.conversation/1", document);
    return fflush(stdout) || ferror(stdout)
               ? etna_fail(err, ETNA_E_IO, "standard output cannot be written")
               : ETNA_OK;
}

static etna_code cmd_show_remote(const char *url,
                                 const char *of_store,
                                 const etna_id *run,
                                 const show_options *o,
                                 etna_error *err)
{
    client_options options = client_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_line *lines = NULL;
    uint32_t count = 0;
    json_t *document = NULL;
    client *c;
    if (o->conversation)
        return etna_fail(
            err, ETNA_E_USAGE,
            "show: a conversation is told where the run's store is, without --connect");
    options.store = of_store;
    etna_code code = client_open(url, &options, &c, err);
    if (code)
        return code;
    code = visit_lines(c, run, &arena, &lines, &count, err);
    if (!code)
        code = visit_view(c, run, &document, err);
    if (!code)
        code = cmd_show_tell(document, lines, count, o, visit_fetch, c, err);
    client_close(c);
    etna_arena_free(&arena);
    return code;
}

static etna_code cmd_show_here(const char *given,
                               const etna_id *run,
                               const show_options *o,
                               etna_error *err)
{
    char path[4000];
    store *s = NULL;
    etna_code code = cli_store_path(given, path, sizeof path, err);
    if (!code)
        code = cli_open_store(path, NULL, true, &s, err);
    if (!code && o->conversation)
        code = show_conversation(s, run, o, path, err);
    if (!code && !o->conversation)
        code = cmd_show_run(s, run, o, path, err);
    store_close(s);
    return code;
}

int cmd_show(int argc, char **argv)
{
    const char *given = NULL, *url = NULL;
    show_options o = {.html = NULL};
    const flags_row flags[] = {{"json", .yes = &o.json},
                               {"html", .text = &o.html},
                               {"conversation", .text = &o.conversation},
                               {"connect", .text = &url},
                               {"store", .text = &given},
                               {0}};
    int exit_code;
    int first = cli_flags("etna show", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    etna_id run;
    if (first + 1 != argc)
        return cli_usage("show: which run? etna show RUN; see `etna runs`");
    etna_error err = {ETNA_OK, ""};
    if (cli_find_run_at(url, 0, given, argv[first], &run, &err))
        return cli_fail(&err);
    etna_code code = url ? cmd_show_remote(url, given, &run, &o, &err)
                         : cmd_show_here(given, &run, &o, &err);
    return code ? cli_fail(&err) : 0;
}
