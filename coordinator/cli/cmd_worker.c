/* Commands that touch geometry are the worker program's: `etna check ...` is `etna-worker check ...`. */
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int hand_over(const char *name, int argc, char **argv)
{
    char program[4096];
    etna_error err;
    const char **args = calloc((size_t)argc + 2, sizeof *args);
    if (!args || !children_program(program, sizeof program)) {
        free(args);
        etna_fail(&err, ETNA_E_NOMEM, "%s: out of memory, or the path of this program is too long", name);
        return cli_fail(&err);
    }
    args[0] = "etna-worker";
    args[1] = name;
    for (int i = 1; i < argc; i++) args[i + 1] = argv[i];
    execv(program, (char **)(uintptr_t)args);
    int why = errno;
    free(args);
    etna_fail(&err, ETNA_E_IO, "%s: cannot be run: %s; it belongs beside the etna program", program, strerror(why));
    return cli_fail(&err);
}

int cmd_probe(int argc, char **argv) { return hand_over("probe", argc, argv); }
int cmd_render(int argc, char **argv) { return hand_over("render", argc, argv); }
int cmd_solve(int argc, char **argv) { return hand_over("solve", argc, argv); }
int cmd_check(int argc, char **argv) { return hand_over("check", argc, argv); }

int cmd_scene(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "info")) return hand_over("info", argc - 1, argv + 1);
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        fputs("usage: etna scene info SCENE [--unit METRES] [--up Y|Z] [--json]\nLists what is seen in a scene file.\n", stdout);
        return 0;
    }
    return cli_usage("scene: only `etna scene info SCENE` is known");
}
