/* `etna resume`: go on with a run that was suspended, or whose process was killed; for one that has ended, its result
 * again. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/runner.h"
#include "coordinator/report/output.h"

#include <stdio.h>

static const char help[] =
    "usage: etna resume RUN [-o DIR] [--json] [--workers N] [--store DIR]\n"
    "Goes on with a run that was suspended or killed, to the same end as if nothing had happened. A run that has\n"
    "ended is reported, and written to DIR, again. A run that a living process holds is refused by its name.\n";

int cmd_resume(int argc, char **argv)
{
    runner_options options = {.json = false};
    etna_error err = {ETNA_OK, ""};
    const flags_row flags[] = {{"output", 'o', .text = &options.output},
                               {"json", .yes = &options.json},
                               {"workers", .number = &options.workers, .least = 1, .most = 256},
                               {"store", .text = &options.store},
                               {0}};
    int exit_code, first = cli_flags("etna resume", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    if (first + 1 != argc) return cli_usage("resume: which run? etna resume RUN; see `etna runs`");
    if (cli_find_run(options.store, argv[first], &options.run, &err)) return cli_fail(&err);
    if (options.output && output_check(options.output, NULL, &err)) return cli_fail(&err);
    return runner_run(&options);
}
