/* `etna runs`: the runs of a store, newest first. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/terminal.h"
#include "proto/error_json.h"

#include <jansson.h>
#include <stdio.h>

static const char help[] =
    "usage: etna runs [--json] [--connect URL] [--store DIR]\n"
    "Lists runs, newest first: name, state, start, scene, goal; with --connect those of the coordinator at URL. One that waits for\n"
    "its model to answer, or for room for its result, goes on by itself (with --json it is \"running\" and \"waiting\"); why, and\n"
    "when it tries again, says etna show RUN. Where a command takes a RUN, the first four or more digits of its name do when no\n"
    "other begins so, or last.\n";

/* Of one that nobody carries the store still says so. */
static bool cmd_runs_waits(const store_run *run)
{
    return run->waiting && run->state == RUN_RUNNING;
}

static void cmd_runs_print_json(const store_run *runs, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char name[33], started[24];
        json_t *row = json_object();
        etna_id_hex(&runs[i].id, name);
        terminal_time(runs[i].started_ms, started);
        json_object_set_new(row, "run", json_string(name));
        json_object_set_new(row, "status",
                            json_string(run_state_name(runs[i].state)));
        if (cmd_runs_waits(&runs[i]))
            json_object_set_new(row, "waiting", json_true());
        json_object_set_new(row, "scene", error_json_text(runs[i].scene));
        json_object_set_new(row, "goal", error_json_text(runs[i].goal));
        json_object_set_new(row, "started", json_string(started));
        json_array_append_new(list, row);
    }
    json_t *document = json_pack("{s:o}", "runs", list);
    cli_print("etna.runs/1", document);
}

static void cmd_runs_print_table(const store_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[33], started[24];
        etna_id_hex(&runs[i].id, name);
        terminal_time(runs[i].started_ms, started);
        const char *state = cmd_runs_waits(&runs[i])
                                ? "waiting"
                                : run_state_name(runs[i].state);
        printf("%s  %-9s  %s  ", name, state, started);
        terminal_print(stdout, runs[i].scene);
        fputs("  ", stdout);
        terminal_print(stdout, runs[i].goal);
        putchar('\n');
    }
    if (!count)
        puts("no runs yet");
}

/* Reads the store without owning it. No store yet means no runs yet. */
static etna_code cmd_runs_of_store(const char *given,
                                   etna_arena *arena,
                                   store_run **runs,
                                   size_t *count,
                                   etna_error *err)
{
    char path[4000];
    store *s = NULL;
    etna_code code = cli_store_path(given, path, sizeof path, err);
    if (!code)
        code = cli_open_store(path, NULL, true, &s, err);
    if (!code)
        code = store_list_runs(s, arena, runs, count, err);
    for (size_t i = 0; !code && i < *count; i++)
        (*runs)[i].state = cli_shown_state(&(*runs)[i], path);
    store_close(s);
    /* no store yet: no runs yet */
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

int cmd_runs(int argc, char **argv)
{
    const char *given = NULL, *url = NULL;
    bool json = false;
    const flags_row flags[] = {{"json", .yes = &json},
                               {"connect", .text = &url},
                               {"store", .text = &given},
                               {0}};
    int exit_code;
    int first = cli_flags("etna runs", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return cli_usage("runs takes no arguments");
    etna_error err = {ETNA_OK, ""};
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs = NULL;
    size_t count = 0;
    etna_code code =
        url ? visit_runs_of(url, given, 0, &arena, &runs, &count, &err)
            : cmd_runs_of_store(given, &arena, &runs, &count, &err);
    if (!code)
        (json ? cmd_runs_print_json : cmd_runs_print_table)(runs, count);
    etna_arena_free(&arena);
    return code ? cli_fail(&err) : 0;
}
