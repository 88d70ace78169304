/* `etna attach` stays with a run that others carry, `etna fetch` takes what one
 * left. Neither begins or ends anything: a signal ends the command and never
 * the run. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/remote.h"
#include "coordinator/report/output.h"

#include <stdio.h>
#include <time.h>

static const char attach_help[] =
    "usage: etna attach RUN [-o DIR] [--json] [--connect URL [--wait S]] [--store DIR]\n"
    "Stays with a run until it ends, then prints and writes what `etna run` would have. Ctrl-C leaves it alone.\n";
static const char fetch_help[] =
    "usage: etna fetch RUN -o DIR [--json] [--connect URL [--wait S]] [--store DIR]\n"
    "Writes the result of a run that has ended, whoever began it.\n";

/* how often, and after how many milliseconds, it looks for an owner: five
 * seconds in all */
enum {
    TRIES = 50,
    PAUSE_MS = 100
};

typedef struct attach_arguments {
    const char *connect;
    uint32_t wait_s;
    runner_options runner;
} attach_arguments;

/* The owner of the run's store, who carries it. False: there is none that
 * serves. */
static bool attach_find_owner(const attach_arguments *a, store_owner *ret)
{
    char path[4000];
    bool alive = false;
    if (cli_store_path(a->runner.store, path, sizeof path, NULL))
        return false;
    return !store_owner_read(path, ret, &alive, NULL) && alive &&
           ret->endpoint[0];
}

/* The store says whether the run has ended. Until then its owner is asked, and
 * when that one goes, the next. */
static int attach_here(const attach_arguments *a)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    etna_error err = {ETNA_OK, ""};
    for (int i = 0; i < TRIES; i++) {
        store_owner owner;
        int exit_code = 0;
        if (runner_fetch_ended(&a->runner, &exit_code))
            return exit_code;
        if (attach_find_owner(a, &owner) &&
            remote_stay(owner.endpoint, &a->runner, &exit_code))
            return exit_code;
        nanosleep(&pause, NULL);
    }
    etna_fail(&err, ETNA_E_NETWORK,
              "nobody carries this run now; see `etna runs` and `etna resume`");
    return cli_fail(&err);
}

static int fetch_here(const attach_arguments *a)
{
    etna_error err = {ETNA_OK, ""};
    char name[33];
    int exit_code = 0;
    if (runner_fetch_ended(&a->runner, &exit_code))
        return exit_code;
    etna_id_hex(&a->runner.run, name);
    etna_fail(&err, ETNA_E_NOTFOUND,
              "run %s has not ended; stay with it by: etna attach %s", name,
              name);
    return cli_fail(&err);
}

/* 0: the command ends with *ret_exit. */
static int attach_read(const char *command,
                       int argc,
                       char **argv,
                       const char *help,
                       attach_arguments *a,
                       int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    const flags_row flags[] = {{"output", 'o', .text = &a->runner.output},
                               {"json", .yes = &a->runner.json},
                               {"connect", .text = &a->connect},
                               {"wait", .number = &a->wait_s, .most = 1000000},
                               {"store", .text = &a->runner.store},
                               {0}};
    int first = cli_flags(command, argc, argv, flags, help, ret_exit);
    if (!first)
        return 0;
    *ret_exit = 2;
    if (first + 1 != argc) {
        cli_usage("which run? %s RUN; see `etna runs`", command);
        return 0;
    }
    etna_code code = cli_find_run_at(a->connect, a->wait_s, a->runner.store,
                                     argv[first], &a->runner.run, &err);
    if (!code && a->runner.output)
        code = output_check(a->runner.output, NULL, &err);
    if (!code)
        return first;
    *ret_exit = cli_fail(&err);
    return 0;
}

int cmd_attach(int argc, char **argv)
{
    attach_arguments a = {.wait_s = REMOTE_WAIT_S};
    int exit_code = 0;
    if (!attach_read("etna attach", argc, argv, attach_help, &a, &exit_code))
        return exit_code;
    return a.connect
               ? remote_attach(a.connect, a.wait_s, REMOTE_WATCH, &a.runner)
               : attach_here(&a);
}

int cmd_fetch(int argc, char **argv)
{
    attach_arguments a = {.wait_s = REMOTE_WAIT_S};
    int exit_code = 0;
    if (!attach_read("etna fetch", argc, argv, fetch_help, &a, &exit_code))
        return exit_code;
    if (!a.runner.output)
        return cli_usage("fetch: where to? etna fetch RUN -o DIR");
    return a.connect
               ? remote_attach(a.connect, a.wait_s, REMOTE_FETCH, &a.runner)
               : fetch_here(&a);
}
