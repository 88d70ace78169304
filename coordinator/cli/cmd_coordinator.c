/* `etna coordinator`: the same parts as in `etna run`, serving until told to stop. */
#include "coordinator/cli/cli.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/shell.h"

#include <stdio.h>
#include <unistd.h>

static const char help[] =
    "usage: etna coordinator --listen URL [--workers N] [--store DIR]\n"
    "Serves runs (etna run --connect URL) to workers (etna-worker --connect URL). URL: ipc://PATH or tcp://127.0.0.1:PORT.\n"
    "Runs that a coordinator left running go on. SIGTERM or SIGINT ends it; nothing is lost.\n";

static void print_line(void *context, const core_line *line)
{
    (void)context;
    char name[33];
    etna_id_hex(&line->run, name);
    fprintf(stderr, "%.8s %8.3f  ", name, (double)line->time_ms / 1000);
    terminal_print(stderr, line->text);
    fputc('\n', stderr);
}

/* What concerns one run alone: the others go on without it. */
static bool of_one_run(etna_code code)
{
    return code == ETNA_E_CORRUPT || code == ETNA_E_NEWER || code == ETNA_E_MESSAGE || code == ETNA_E_NOTFOUND ||
           code == ETNA_E_USAGE || code == ETNA_E_INPUT || code == ETNA_E_LIMIT;
}

static etna_code resume_all(shell *sh, store *s, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs;
    size_t count;
    etna_code code = store_list_runs(s, &arena, &runs, &count, err);
    for (size_t i = count; !code && i-- > 0;) { /* the oldest first */
        if (runs[i].state == RUN_RUNNING) code = shell_recover(sh, &runs[i].id, true, err);
        if (!of_one_run(code)) continue;
        fputs("etna: ", stderr);
        terminal_print(stderr, err->text);
        fputs("; it is left as it is, the others go on\n", stderr);
        code = ETNA_OK;
    }
    etna_arena_free(&arena);
    return code;
}

static int cmd_coordinator_serve(const char *url, const char *given, uint32_t workers)
{
    char path[4000], cache_path[4096], program[4096];
    etna_error err = {ETNA_OK, ""};
    store *s = NULL;
    shell *sh = NULL;
    int signal = 0;
    bool twice = false;
    shell_options options = shell_options_default();
    etna_code code = inbox_check_url(url, &err);
    if (!code) code = cli_store_path(given, path, sizeof path, &err);
    if (!code && !children_program(program, sizeof program))
        code = etna_fail(&err, ETNA_E_IO, "the path of this program is too long");
    if (!code) code = cli_open_store(path, url, false, &s, &err);
    if (code) return cli_fail(&err);
    snprintf(cache_path, sizeof cache_path, "%s/cache", path);
    options.store = s;
    options.url = url;
    options.serve = true;
    options.workers = workers;
    options.worker_program = program;
    options.cache = cache_path;
    options.line = print_line;
    options.report = run_json_report;
    code = shell_new(&options, &sh, &err);
    if (!code) code = resume_all(sh, s, &err);
    if (!code) {
        terminal_printf(stderr, "etna: listening at %s, store %s", url, path);
        fputc('\n', stderr);
        code = shell_run(sh, &signal, &twice, &err);
    }
    if (twice) _exit(128 + signal);
    shell_free(sh);
    store_close(s);
    return code ? cli_fail(&err) : 128 + signal;
}

int cmd_coordinator(int argc, char **argv)
{
    const char *given = NULL, *url = NULL;
    uint32_t workers = 0;
    const flags_row flags[] = {
        {"listen", .text = &url}, {"workers", .number = &workers, .most = 256}, {"store", .text = &given}, {0}};
    int exit_code, first = cli_flags("etna coordinator", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    if (first != argc || !url) return cli_usage("coordinator: where? etna coordinator --listen ipc://PATH");
    return cmd_coordinator_serve(url, given, workers);
}
