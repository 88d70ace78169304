/* Commands that touch geometry or models are the worker program's: `etna check
 * ...` becomes `etna-worker check ...` in its place, with the same arguments.
 * So the coordinator's program links no geometry. */
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Becomes `etna-worker NAME ...`; returns only where that cannot be started. */
static int cmd_worker_hand_over(const char *name, int argc, char **argv)
{
    char program[4096];
    etna_error err;
    const char **args = calloc((size_t)argc + 2, sizeof *args);
    if (!args || !children_program(program, sizeof program)) {
        free(args);
        etna_fail(&err, ETNA_E_NOMEM,
                  "%s: out of memory, or the path of this program is too long",
                  name);
        return cli_fail(&err);
    }
    args[0] = "etna-worker";
    args[1] = name;
    for (int i = 1; i < argc; i++)
        args[i + 1] = argv[i];
    execv(program, (char **)(uintptr_t)args);
    int why = errno;
    free(args);
    etna_fail(&err, ETNA_E_IO,
              "%s: cannot be run: %s; it belongs beside the etna program",
              program, strerror(why));
    return cli_fail(&err);
}

int cmd_read(int argc, char **argv)
{
    return cmd_worker_hand_over("read", argc, argv);
}
int cmd_probe(int argc, char **argv)
{
    return cmd_worker_hand_over("probe", argc, argv);
}
int cmd_render(int argc, char **argv)
{
    return cmd_worker_hand_over("render", argc, argv);
}
int cmd_solve(int argc, char **argv)
{
    return cmd_worker_hand_over("solve", argc, argv);
}
int cmd_check(int argc, char **argv)
{
    return cmd_worker_hand_over("check", argc, argv);
}
int cmd_serve_builtin(int argc, char **argv)
{
    return cmd_worker_hand_over("serve-builtin", argc, argv);
}
int cmd_bench_worker(int argc, char **argv)
{
    return cmd_worker_hand_over("bench", argc, argv);
}
int cmd_assets(int argc, char **argv)
{
    return cmd_worker_hand_over("assets", argc, argv);
}
int cmd_furnish(int argc, char **argv)
{
    return cmd_worker_hand_over("furnish", argc, argv);
}
int cmd_mcp(int argc, char **argv)
{
    return cmd_worker_hand_over("mcp", argc, argv);
}

int cmd_scene(int argc, char **argv)
{
    static const char *const known[] = {"info", "split", "group", "export",
                                        "compose"};
    for (size_t i = 0; argc > 1 && i < sizeof known / sizeof *known; i++) {
        if (!strcmp(argv[1], known[i]))
            return cmd_worker_hand_over(known[i], argc - 1, argv + 1);
    }
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        fputs(
            "usage: etna scene info SCENE [--json]                      what import makes of a scene, and why\n"
            "       etna scene split SCENE [OBJECT...] [--json]         cuts what is one mesh into its loose parts\n"
            "       etna scene group SCENE --name NAME MEMBER... [--json]  lets several objects move as one\n"
            "       etna scene export SCENE [--poses FILE] [-o OUT.glb] [--poses-out FILE] [--json]  writes poses into a scene\n"
            "       etna scene compose SPEC.json -o OUT.glb [--json]    makes a scene from models of libraries and files\n"
            "Each takes --help. Split and group write the side file SCENE.etna.json, never the scene.\n",
            stdout);
        return 0;
    }
    return cli_usage(
        "scene: one of info, split, group, export and compose is wanted; see `etna scene --help`");
}
