/* `etna resume`: go on with a run that was suspended, or whose process was
 * killed; for one that has ended, its result again. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/cli/remote.h"
#include "coordinator/report/output.h"

#include <stdio.h>

static const char help[] =
    "usage: etna resume RUN [--model NAME [--models FILE]] [-o DIR] [--json] [--workers N] [--connect URL [--wait S]]\n"
    "                   [--store DIR]\n"
    "Goes on with a run that was suspended or killed, to the same end as if nothing had happened. A run that has\n"
    "ended is reported, and written to DIR, again. A run that a living process holds is refused by its name. With\n"
    "--connect the coordinator at URL goes on with it. With --model another model does, in every role; what the run has so\n"
    "far stays: so a run goes on whose model does not answer, or whose answers could not be read. A run whose result found\n"
    "no room is written when there is some.\n";

/* The models the run goes on with, cut from the list as it is now. */
static etna_code cmd_resume_choose(const char *model,
                                   const char *list,
                                   etna_arena *arena,
                                   message_run_resume *ret,
                                   etna_error *err)
{
    ret->model = model;
    etna_code code =
        models_file_cut(list, model, NULL, arena, &ret->models, err);
    return code ? code
                : models_file_foreign(ret->models, model, arena, &ret->foreign,
                                      err);
}

int cmd_resume(int argc, char **argv)
{
    runner_options options = {.json = false};
    const char *connect = NULL, *model = NULL, *list = NULL;
    etna_arena arena = ETNA_ARENA_INIT;
    uint32_t wait_s = REMOTE_WAIT_S;
    etna_error err = {ETNA_OK, ""};
    const flags_row flags[] = {
        {"output", 'o', .text = &options.output},
        {"json", .yes = &options.json},
        {"workers", .number = &options.workers, .least = 1, .most = 256},
        {"model", .text = &model},
        {"models", .text = &list},
        {"connect", .text = &connect},
        {"wait", .number = &wait_s, .most = 1000000},
        {"store", .text = &options.store},
        {0}};
    int exit_code;
    int first = cli_flags("etna resume", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return cli_usage("resume: which run? etna resume RUN; see `etna runs`");
    if (cli_find_run_at(connect, wait_s, options.store, argv[first],
                        &options.run, &err))
        return cli_fail(&err);
    if (options.output && output_check(options.output, NULL, &err))
        return cli_fail(&err);
    if (model &&
        cmd_resume_choose(model, list, &arena, &options.resume, &err)) {
        exit_code = cli_fail(&err);
    } else {
        exit_code =
            connect ? remote_attach(connect, wait_s, REMOTE_RESUME, &options)
                    : runner_run(&options);
    }
    etna_arena_free(&arena);
    return exit_code;
}
