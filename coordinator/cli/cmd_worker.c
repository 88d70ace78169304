/* Commands that touch geometry or models are the worker program's: `etna check
 * ...` becomes `etna-worker check ...` in its place, with the same arguments.
 * So the coordinator's program links no geometry. */
#include "coordinator/cli/assets_lots.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/furnish_rooms.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/shell/children.h"
#include "proto/array.h"

#include "proto/fd.h"
#include "store/wholefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
/* The value of --NAME VALUE or --NAME=VALUE; NULL: it is not given. Only a look
 * ahead: whether the flags are right, the worker says. */
static const char *option_value(int argc, char **argv, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], name, length) != 0)
            continue;
        if (argv[i][length] == '=')
            return argv[i] + length + 1;
        if (!argv[i][length] && i + 1 < argc)
            return argv[i + 1];
    }
    return NULL;
}

/* Copies the arguments without --models, which the worker does not know.
 * Returns how many. */
static int without_models(int argc, char **argv, char **to)
{
    int count = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--models") == 0)
            i++;
        else if (strncmp(argv[i], "--models=", 9) != 0)
            to[count++] = argv[i];
    }
    return count;
}

/* The worker gets the list cut down to what is named, in a file that ends with
 * it. */
static int assets_with_models(int argc,
                              char **argv,
                              const char *first,
                              const char *second)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    const char *json = NULL;
    char path[48];
    char **args = calloc((size_t)argc + 2, sizeof *args);
    int fd = -1, exit_code;
    etna_code code =
        args ? models_file_cut(option_value(argc, argv, "--models"), first,
                               second, &arena, &json, &err)
             : etna_fail(&err, ETNA_E_NOMEM, "out of memory for arguments");
    if (code == ETNA_OK && !json)
        code = etna_fail(
            &err, ETNA_E_USAGE,
            "the built-in agent makes no vectors and has no vote; name a model of models.yaml");
    if (code == ETNA_OK)
        fd = memfd_create("etna-models", 0); /* inherited */
    bool is_there = fd >= 0 && fd_write(fd, json, strlen(json)) &&
                    lseek(fd, 0, SEEK_SET) == 0;
    if (code == ETNA_OK && !is_there)
        code = etna_fail(&err, ETNA_E_IO, "memory for the list of models: %s",
                         strerror(errno));
    if (code == ETNA_OK) {
        int count = without_models(argc, argv, args);
        snprintf(path, sizeof path, "--list=/proc/self/fd/%d", fd);
        memmove(args + 3, args + 2, (size_t)(count - 2) * sizeof *args);
        args[2] = path;
        exit_code = cmd_worker_hand_over("assets", count + 1, args);
    } else {
        exit_code = cli_fail(&err);
    }
    free(args);
    etna_arena_free(&arena);
    return exit_code;
}

/* What the worker makes of the arguments once models were read in lots. */
static int assets_hand_over(int argc, char **argv)
{
    static const char *const flags[] = {"--embeddings", "--rerank",
                                        "--captions"};
    const char *names[3] = {NULL};
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        const char *name = option_value(argc, argv, flags[i]);
        if (name)
            names[count++] = name;
    }
    /* no command takes all three, so the worker says what is wrong */
    return count ? assets_with_models(argc, argv, names[0], names[1])
                 : cmd_worker_hand_over("assets", argc, argv);
}

/* Models are read by the pool; the rest is the worker program's. */
int cmd_assets(int argc, char **argv)
{
    char read[32];
    uint32_t count = 0;
    bool is_index = argc > 1 && strcmp(argv[1], "index") == 0;
    if (!is_index)
        return assets_hand_over(argc, argv);
    char **args = calloc((size_t)argc + 2, sizeof *args);
    etna_error err;
    if (!args) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory for arguments");
        return cli_fail(&err);
    }
    int exit_code = assets_lots_read(argc, argv, &count);
    if (!exit_code) {
        int left = assets_lots_strip(argc, argv, args);
        snprintf(read, sizeof read, "--read=%u", (unsigned)count);
        memmove(args + 3, args + 2, (size_t)(left - 2) * sizeof *args);
        args[2] = read;
        exit_code = assets_hand_over(left + 1, args);
    }
    free(args);
    return exit_code;
}
int cmd_replay_room(const char *folder, const char *store_path, bool json)
{
    const char *args[6] = {"furnish", "--replay", folder};
    int count = 3;
    if (store_path) {
        args[count++] = "--store";
        args[count++] = store_path;
    }
    if (json)
        args[count++] = "--json";
    return cmd_worker_hand_over("furnish", count, (char **)(uintptr_t)args);
}
/* Many rooms are the pool's, one is the worker program's. */
int cmd_furnish(int argc, char **argv)
{
    if (option_value(argc, argv, "--batch"))
        return furnish_rooms(argc, argv);
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
    for (size_t i = 0; argc > 1 && i < COUNT_OF(known); i++) {
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
