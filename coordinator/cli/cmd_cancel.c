/* `etna cancel`: ends a run for good. The owner of its store does it; where
 * there is none, a shell that never runs its loop writes the end into the
 * journal. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/shell/endpoint.h"
#include "coordinator/shell/shell.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etna cancel RUN [--store DIR] [--connect URL]\n"
    "Ends a run for good. It keeps what it has; `etna show` tells what that was.\n";

/* Asks whoever listens at `url` to cancel the run; *ret_state: how it stands
 * then, which may be another end that came first. */
static etna_code ask_owner(const char *url,
                           const char *of_store,
                           const etna_id *run,
                           uint32_t *ret_state,
                           etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    client_options options = client_options_default();
    message request = {.kind = MESSAGE_RUN_CANCEL}, answer;
    options.store = of_store;
    request.body.run_cancel.run = *run;
    etna_code code = visit_once(url, &options, &request, MESSAGE_RUN_STATUS,
                                &arena, &answer, err);
    if (!code)
        *ret_state = answer.body.run_status.state;
    etna_arena_free(&arena);
    return code;
}

/* Takes the store, recovers the run without resuming it, and cancels it
 * there. */
static etna_code end_in_store(const char *path,
                              const etna_id *run,
                              uint32_t *ret_state,
                              etna_error *err)
{
    endpoint e;
    store *s = NULL;
    shell *sh = NULL;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    shell_options options = shell_options_default();
    etna_code code = endpoint_make(&e, err);
    if (code)
        return code;
    code = cli_open_store(path, e.url, false, &s, err);
    options.store = s;
    options.url = e.url;
    if (!code)
        code = shell_new(&options, &sh, err);
    if (!code)
        code = shell_recover(sh, run, false, NULL, err);
    if (!code)
        code = shell_cancel(sh, run, err);
    shell_free(sh);
    if (!code)
        code = store_get_run(s, run, &row, &arena, err);
    if (!code)
        *ret_state = row.state;
    etna_arena_free(&arena);
    store_close(s);
    endpoint_remove(&e);
    return code;
}

/* By the coordinator at `url`, else by the store's owner, else, where there is
 * none, in the journal. */
static etna_code cancel_run(const char *url,
                            const char *given,
                            const etna_id *run,
                            uint32_t *ret_state,
                            etna_error *err)
{
    char path[4000];
    store_owner owner;
    bool alive = false;
    etna_code code = cli_store_path(given, path, sizeof path, err);
    if (code)
        return code;
    if (url)
        return ask_owner(url, given, run, ret_state, err);
    code = store_owner_read(path, &owner, &alive, err);
    if (code)
        return code;
    return alive ? ask_owner(owner.endpoint, given, run, ret_state, err)
                 : end_in_store(path, run, ret_state, err);
}

int cmd_cancel(int argc, char **argv)
{
    const char *given = NULL, *url = NULL;
    const flags_row flags[] = {
        {"store", .text = &given}, {"connect", .text = &url}, {0}};
    int exit_code;
    int first = cli_flags("etna cancel", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return cli_usage("cancel: which run? etna cancel RUN; see `etna runs`");
    etna_id run;
    etna_error err = {ETNA_OK, ""};
    if (cli_find_run_at(url, 0, given, argv[first], &run, &err))
        return cli_fail(&err);
    uint32_t state = RUN_UNKNOWN;
    if (cancel_run(url, given, &run, &state, &err))
        return cli_fail(&err);
    printf("%s\n", run_state_name(state));
    return 0;
}
