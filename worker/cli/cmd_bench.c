/* `etna-worker bench` (`etna bench`): measures against sets that people
 * made. */
#include "worker/cli/bench.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etna bench retrieval SET.json   how well requests find models\n"
    "       etna bench furnish PROMPTS.txt  how well briefs become rooms\n"
    "       etna bench rooms FILE.json...   rooms of others made scenes and tasks\n"
    "Each takes --help.\n";

int worker_cmd_bench(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "retrieval") == 0)
        return bench_cmd_retrieval(argc - 1, argv + 1);
    if (strcmp(name, "furnish") == 0)
        return bench_cmd_furnish(argc - 1, argv + 1);
    if (strcmp(name, "rooms") == 0)
        return bench_cmd_rooms(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        fputs(help, stdout);
        return 0;
    }
    return load_usage(
        "bench: retrieval, furnish or rooms is wanted; see `etna bench --help`");
}
