/* `etna-worker assets` (`etna assets`): which of its parts is meant. */
#include "proto/array.h"
#include "worker/cli/assets.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etna assets index [DIR | LIB.sh3f | FILE | LIST.txt]...   read models, and make them findable\n"
    "       etna assets find \"a round wooden side table under 50 cm\"  what fits, best first, and why\n"
    "       etna assets ls [--faults] [--json]                       what was read\n"
    "       etna assets show ASSET [--json]                          all that is known of one\n"
    "       etna assets gc [--json]                                  forget what lies in files that are gone\n"
    "Each takes --help, and --store DIR (default $ETNA_STORE, else $XDG_DATA_HOME/etna).\n";

int worker_cmd_assets(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } parts[] = {{"index", assets_cmd_index},
                 {"find", assets_cmd_find},
                 {"ls", assets_cmd_ls},
                 {"show", assets_cmd_show},
                 {"gc", assets_cmd_gc}};
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strcmp(name, parts[i].name) == 0)
            return parts[i].run(argc - 1, argv + 1);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        fputs(help, stdout);
        return 0;
    }
    return load_usage(
        "assets: one of index, find, ls, show and gc is wanted; see `etna assets --help`");
}
