/* `etna mcp`: the tools for MCP clients, over stdio or HTTP. */
#include "proto/cpus.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/cli/mcp_install.h"
#include "worker/convert/convert.h"
#include "worker/mcp/reading.h"
#include "worker/mcp/server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: etna mcp [SCENE] [--root DIR]... [--folder DIR] [--http ADDRESS] [OPTION...]\n"
    "       etna mcp [SCENE] [--root DIR]... [--folder DIR] --install CLIENT [--print]\n"
    "Serves tools to look at and arrange scenes to an MCP client (Claude Desktop, Cursor and the like): over stdin and stdout, or\n"
    "over HTTP. The scenes themselves are never changed.\n\n"
    "  --root DIR        a folder whose scenes the tool open_scene may open; repeatable. Over stdio the client's own roots, too\n"
    "  --folder DIR      where the tool export_scene may write (default: it may not); made when it is not there\n"
    "  --install CLIENT  write the entry into the configuration of claude-desktop, claude-code, cursor or vscode and end; nothing\n"
    "                    else in it changes. Without SCENE and --root it serves the scenes of the current folder, and results\n"
    "                    go into etna-results there\n"
    "  --print           (with --install) print the entry instead\n"
    "  --http ADDRESS    serve http://ADDRESS/mcp; PORT, HOST:PORT or [V6]:PORT, 127.0.0.1 where no host is named. Beyond this machine\n"
    "                    the variable ETNA_MCP_TOKEN must hold a token, which clients send as Authorization: Bearer\n"
    "  --allow-host NAME (with --http) another name that clients may call this machine by\n"
    "  --model NAME      of the tool run_goal, as for etna run\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES, --up Y|Z  as for etna scene info\n";

/* http: address to serve at, NULL: standard input and output. install: the
 * client to write an entry for. */
typedef struct mcp_args {
    scene_options options;
    roots roots;
    const char *scene, *folder, *http, *allow_host, *model, *install;
    bool prints;
} mcp_args;

static etna_code read_root(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    (void)name;
    return roots_add(into, value, err);
}

/* `etna`, which stands beside us. */
static bool find_program(char *room, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", room, size - 1);
    if (n <= 0 || (size_t)n >= size - 1)
        return false;
    room[n] = 0;
    char *slash = strrchr(room, '/');
    if (!slash || (size_t)(slash - room) + 6 > size)
        return false;
    memcpy(slash + 1, "etna", 5);
    return true;
}

/* From now on stdout is the protocol's alone: what a library prints goes to
 * stderr. */
static etna_code take_stdout(int *ret, etna_error *err)
{
    *ret = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (*ret < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return etna_fail(err, ETNA_E_IO, "stdout or stderr is closed: %s",
                         strerror(errno));
    return ETNA_OK;
}

/* The scene is converted before the server answers, so that a bad file is told
 * at once. SIGINT and SIGTERM are blocked before threads start: all inherit
 * that, and the server waits for them. */
static etna_code begin_server(const mcp_args *args,
                              const char *program,
                              const char *reader,
                              server **ret,
                              etna_error *err)
{
    const char *slash = args->scene ? strrchr(args->scene, '/') : NULL;
    world_options options = {.scene_name = slash ? slash + 1 : args->scene,
                             .scene_path = args->scene,
                             .folder = args->folder,
                             .program = program,
                             .model = args->model,
                             .threads = cpus_usable(),
                             .import = args->options,
                             .read = reading_scene,
                             .read_context = (void *)(uintptr_t)reader,
                             .write = load_write};
    const char *root_paths[ROOTS_MAX];
    for (uint32_t i = 0; i < args->roots.count; i++)
        root_paths[i] = args->roots.items[i].path;
    if (args->scene) {
        etna_code code =
            convert_scene(args->scene, &args->options, &options.bundle,
                          &options.bundle_size, err);
        if (code != ETNA_OK)
            return code;
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    return server_new(&options, root_paths, args->roots.count, !args->http, ret,
                      err);
}

/* Standard output is taken away first: only protocol may go there, whatever a
 * library prints. */
static int mcp_run_server(const mcp_args *args, const char *program)
{
    etna_error err = {0};
    server *s = NULL;
    char reader[PATH_MAX] = "";
    int out = -1;
    etna_code code = take_stdout(&out, &err);
    if (code == ETNA_OK &&
        readlink("/proc/self/exe", reader, sizeof reader - 1) <= 0)
        code = etna_fail(&err, ETNA_E_IO, "the path of this program: %s",
                         strerror(errno));
    if (code == ETNA_OK)
        code = begin_server(args, program, reader, &s, &err);
    if (code == ETNA_OK && !args->http && isatty(STDIN_FILENO))
        fputs(
            "etna: this is for an MCP client, which starts it; `etna mcp --install CLIENT` writes its entry. Ctrl-D ends it\n",
            stderr);
    if (code == ETNA_OK && !args->http)
        return server_stdio(s, STDIN_FILENO, out);
    if (code == ETNA_OK) {
        const server_http_options http = {.address = args->http,
                                          .allow_host = args->allow_host,
                                          .token = getenv("ETNA_MCP_TOKEN")};
        code = server_http(s, &http, &err);
        if (!server_stop(s))
            _exit(code == ETNA_OK ? 0 : load_report(&err));
        server_free(s);
    }
    return code == ETNA_OK ? 0 : load_report(&err);
}

/* What is told now is told to a user; a client could not say it. */
static int mcp_run_install(const mcp_args *args, const char *program)
{
    const mcp_install asked = {.client = args->install,
                               .prints = args->prints,
                               .program = program,
                               .scene = args->scene,
                               .roots = &args->roots,
                               .folder = args->folder,
                               .model = args->model,
                               .import = &args->options};
    if (args->http)
        return load_usage(
            "--install is for clients that start the server themselves; leave --http out");
    if (args->scene && access(args->scene, R_OK) != 0)
        return load_usage("mcp: %s: %s", args->scene, strerror(errno));
    for (uint32_t i = 0; i < args->roots.count; i++) {
        if (access(args->roots.items[i].path, R_OK | X_OK) != 0)
            return load_usage("--root %s: %s", args->roots.items[i].path,
                              strerror(errno));
    }
    return mcp_install_run(&asked);
}

/* What of the arguments does not go together; NULL: they do. */
static const char *mcp_misses(const mcp_args *args, int scenes)
{
    if (scenes > 1)
        return "mcp wants at most one scene; see `etna mcp --help`";
    if (args->prints && !args->install)
        return "--print goes with --install; see `etna mcp --help`";
    const bool has_scenes = scenes > 0 || args->roots.count;
    if (args->http && !has_scenes && !args->install)
        return "over HTTP no client tells its folders: give a scene or --root DIR; see `etna mcp "
               "--help`";
    return NULL;
}

int worker_cmd_mcp(int argc, char **argv)
{
    mcp_args args = {.options = scene_options_default()};
    char program[PATH_MAX];
    const flags_row flags[] = {{"root", .read = read_root, .into = &args.roots},
                               {"folder", .text = &args.folder},
                               {"install", .text = &args.install},
                               {"print", .yes = &args.prints},
                               {"http", .text = &args.http},
                               {"allow-host", .text = &args.allow_host},
                               {"model", .text = &args.model},
                               LOAD_MESH_MEMORY,
                               LOAD_UNIT_AND_UP(&args.options),
                               {0}};
    int exit_code;
    int first = load_flags("etna mcp", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    const char *const misses = mcp_misses(&args, argc - first);
    if (misses)
        return load_usage("%s", misses);
    if (!find_program(program, sizeof program))
        return load_usage("the path of this program is too long");
    args.scene = first < argc ? argv[first] : NULL;
    exit_code = args.install ? mcp_run_install(&args, program)
                             : mcp_run_server(&args, program);
    roots_free(&args.roots);
    return exit_code;
}
