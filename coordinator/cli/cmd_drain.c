/* `etna drain`: a coordinator takes no new run; when those that are live have
 * ended, its workers and it end with exit code 0. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/remote.h"
#include "coordinator/cli/visit.h"

#include <stdio.h>

static const char help[] =
    "usage: etna drain [--connect URL [--wait S]] [--store DIR]\n"
    "Lets who owns the store (or listens at URL) take no new run. The live ones go on to their end; then its workers and it\n"
    "end with exit code 0. Prints how many are live.\n"
    "  --wait S   as long for a coordinator that is being restarted, as one is that its scheduler has queued again (0)\n";

/* *ret_live: how many runs have still to end before it does. */
static etna_code cmd_drain_ask(const char *url,
                               const char *of_store,
                               uint32_t wait_s,
                               uint32_t *ret_live,
                               etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    remote_patience patience = {.url = url, .wait_s = wait_s};
    client_options options =
        wait_s ? remote_client_options(&patience) : client_options_default();
    message request = {.kind = MESSAGE_DRAIN};
    message answer;
    options.store = of_store;
    etna_code code = visit_once(url, &options, &request, MESSAGE_DRAIN_ACK,
                                &arena, &answer, err);
    if (!code)
        *ret_live = answer.body.drain_ack.live;
    etna_arena_free(&arena);
    return code;
}

/* Where the store's owner answers. ETNA_E_NOTFOUND: nobody owns it. */
static etna_code drain_find_owner(const char *given,
                                  store_owner *ret,
                                  etna_error *err)
{
    char path[4000];
    bool alive = false;
    etna_code code = cli_store_path(given, path, sizeof path, err);
    if (!code)
        code = store_owner_read(path, ret, &alive, err);
    if (!code && !alive)
        code =
            etna_fail(err, ETNA_E_NOTFOUND, "%s: nobody owns this store", path);
    return code;
}

int cmd_drain(int argc, char **argv)
{
    const char *given = NULL, *url = NULL;
    uint32_t wait_s = 0;
    const flags_row flags[] = {{"store", .text = &given},
                               {"connect", .text = &url},
                               {"wait", .number = &wait_s, .most = 1000000},
                               {0}};
    int exit_code;
    int first = cli_flags("etna drain", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return cli_usage("drain takes no arguments");
    if (wait_s && !url)
        return cli_usage("drain: --wait is of a coordinator: --connect URL");
    if (wait_s)
        visit_catch_signals();
    etna_error err = {ETNA_OK, ""};
    store_owner owner;
    uint32_t live = 0;
    etna_code code = url ? ETNA_OK : drain_find_owner(given, &owner, &err);
    if (!code)
        code = cmd_drain_ask(url ? url : owner.endpoint, given, wait_s, &live,
                             &err);
    if (code)
        return cli_fail(&err);
    printf("%u\n", (unsigned)live);
    return 0;
}
