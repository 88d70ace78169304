/* `etna mcp`: the tools for MCP clients, over stdio or HTTP. */
#include "proto/cpus.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/convert/convert.h"
#include "worker/mcp/server.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: etna mcp SCENE [--folder DIR] [--http ADDRESS] [OPTION...]\n"
    "Serves tools to look at and arrange the scene to an MCP client (Claude Desktop, Cursor and the like): over stdin and stdout, or over\n"
    "HTTP. The scene itself is never changed.\n\n"
    "  --folder DIR      where the tool export_scene may write (default: it may not)\n"
    "  --http ADDRESS    serve http://ADDRESS/mcp; PORT, HOST:PORT or [V6]:PORT, 127.0.0.1 where no host is named. Beyond this machine\n"
    "                    the variable ETNA_MCP_TOKEN must hold a token, which clients send as Authorization: Bearer\n"
    "  --allow-host NAME (with --http) another name that clients may call this machine by\n"
    "  --model NAME      of the tool run_goal, as for etna run\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES, --up Y|Z  as for etna scene info\n\n"
    "For a client's configuration: {\"mcpServers\": {\"etna\": {\"command\": \"etna\", \"args\": [\"mcp\", \"/path/to/scene.glb\", \"--folder\",\n"
    "\"/path/to/results\"]}}}\n";

typedef struct mcp_args {
    scene_options options;
    const char *scene, *folder, *http, *allow_host, *model;
} mcp_args;

/* `etna`, which stands beside us. */
static bool find_program(char *room, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", room, size - 1);
    if (n <= 0 || (size_t)n >= size - 1) return false;
    room[n] = 0;
    char *slash = strrchr(room, '/');
    if (!slash || (size_t)(slash - room) + 6 > size) return false;
    memcpy(slash + 1, "etna", 5);
    return true;
}

static etna_code open_folder(const char *path, int *ret, etna_error *err)
{
    *ret = -1;
    if (!path) return ETNA_OK;
    *ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *ret >= 0 ? ETNA_OK : etna_fail(err, ETNA_E_USAGE, "--folder %.200s: %s", path, strerror(errno));
}

/* From now on stdout is the protocol's alone: what a library prints goes to stderr. */
static etna_code take_stdout(int *ret, etna_error *err)
{
    *ret = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (*ret < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return etna_fail(err, ETNA_E_IO, "stdout or stderr is closed: %s", strerror(errno));
    return ETNA_OK;
}

static int serve(const mcp_args *args)
{
    etna_error err = {0};
    server *s = NULL;
    char program[4096];
    int out = -1;
    const char *slash = strrchr(args->scene, '/');
    world_options options = {.scene_name = slash ? slash + 1 : args->scene,
                             .scene_path = args->scene,
                             .folder = -1,
                             .program = program,
                             .model = args->model,
                             .threads = cpus_usable(),
                             .read = convert_scene,
                             .write = load_write};
    etna_code code = find_program(program, sizeof program)
                         ? ETNA_OK
                         : etna_fail(&err, ETNA_E_IO, "the path of this program is too long");
    if (code == ETNA_OK) code = open_folder(args->folder, &options.folder, &err);
    if (code == ETNA_OK) code = take_stdout(&out, &err);
    if (code == ETNA_OK) code = convert_scene(args->scene, &args->options, &options.bundle, &options.bundle_size, &err);
    if (code == ETNA_OK) {
        sigset_t ends;
        sigemptyset(&ends);
        sigaddset(&ends, SIGINT);
        sigaddset(&ends, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &ends, NULL);
        signal(SIGPIPE, SIG_IGN);
        code = server_new(&options, &s, &err);
    }
    if (code == ETNA_OK && !args->http) return server_stdio(s, STDIN_FILENO, out);
    if (code == ETNA_OK) {
        const server_http_options http = {
            .address = args->http, .allow_host = args->allow_host, .token = getenv("ETNA_MCP_TOKEN")};
        code = server_http(s, &http, &err);
        if (!server_stop(s)) _exit(code == ETNA_OK ? 0 : load_report(&err));
        server_free(s);
    }
    return code == ETNA_OK ? 0 : load_report(&err);
}

int cmd_mcp(int argc, char **argv)
{
    mcp_args args = {.options = scene_options_default()};
    const flags_row flags[] = {{"folder", .text = &args.folder},
                               {"http", .text = &args.http},
                               {"allow-host", .text = &args.allow_host},
                               {"model", .text = &args.model},
                               LOAD_MESH_MEMORY,
                               LOAD_UNIT_AND_UP(&args.options),
                               {0}};
    int exit_code, first = load_flags("etna mcp", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    if (first + 1 != argc) return load_usage("mcp wants one scene; see `etna mcp --help`");
    args.scene = argv[first];
    return serve(&args);
}
