/* `etna resume`: go on with a run that was suspended, or whose process was killed; for one that has ended, its result
 * again. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/output.h"
#include "coordinator/cli/runner.h"

#include <stdio.h>

static const char help[] =
    "usage: etna resume RUN [-o DIR] [--json] [--workers N] [--store DIR]\n"
    "Goes on with a run that was suspended or killed, to the same end as if nothing had happened. A run that has\n"
    "ended is reported, and written to DIR, again. A run that a living process holds is refused by its name.\n";

int cmd_resume(int argc, char **argv)
{
    static const struct option flags[] = {
        {"output", required_argument, NULL, 'o'},  {"json", no_argument, NULL, 'j'},
        {"workers", required_argument, NULL, 'w'}, {"store", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    runner_options options = {.json = false};
    etna_error err = {ETNA_OK, ""};
    uint64_t number;
    for (int flag; (flag = cli_flag(argc, argv, ":o:h", flags)) != -1;) {
        switch (flag) {
        case 'o': options.output = optarg; break;
        case 'j': options.json = true; break;
        case 's': options.store = optarg; break;
        case 'w':
            if (!cli_number("workers", optarg, 1, 256, &number)) return 2;
            options.workers = (uint32_t)number;
            break;
        case 'h': fputs(help, stdout); return 0;
        default: return 2;
        }
    }
    if (optind + 1 != argc) return cli_usage("resume: which run? etna resume RUN; see `etna runs`");
    if (!cli_run_id(argv[optind], &options.run)) return 2;
    if (options.output && output_check(options.output, NULL, &err)) return cli_fail(&err);
    return runner_run(&options);
}
