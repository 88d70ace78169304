/* `etna launch`: writes what starts a coordinator and its workers elsewhere,
 * and starts it if asked. */
#include "coordinator/cli/cli.h"
#include "coordinator/launch/launch.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WORKERS = 4,
    WORKERS_MOST = 10000
};

static const char help[] =
    "usage: etna launch slurm|ssh|systemd|local|kubernetes -o DIR [--workers N] [--cpus N] [--submit]\n"
    "Writes into DIR the job scripts (slurm), units (systemd), manifests (kubernetes) or scripts (ssh, local) that start a\n"
    "coordinator and its workers, and prints what to run. They name files with tokens and hold none.\n\n"
    "  -o, --output DIR   for slurm on a file system that all nodes share: mirror, join file and logs go there, too\n"
    "      --workers N    how many (4)\n"
    "      --cpus N       of each worker (slurm, kubernetes: 1; else all it finds)\n"
    "      --listen URL   the coordinator's address (slurm, ssh: tls+tcp://0.0.0.0:7890; else tcp://127.0.0.1:7890)\n"
    "      --local DIR    where a host keeps its store and cache (slurm: /tmp; else DIR/store)\n"
    "      --partition P, --time T      slurm: as sbatch takes them. A job that ends by its time limit is queued again\n"
    "      --hosts A,B    ssh: one worker on each\n"
    "      --image NAME   kubernetes: made of configs/Containerfile (etna)\n"
    "      --submit       runs what was written\n";

typedef struct launch_arguments {
    launch_plan plan;
    const char *output;
    bool submit;
} launch_arguments;

/* DIR as an absolute path without a slash at its end, since the scripts are
 * started from elsewhere. It need not exist, thus no realpath(). */
static etna_code cmd_launch_directory(const char *given,
                                      char *ret,
                                      size_t size,
                                      etna_error *err)
{
    char here[PATH_MAX] = "";
    bool is_absolute = given[0] == '/';
    if (!is_absolute && !getcwd(here, sizeof here))
        return etna_fail(err, ETNA_E_IO,
                         "launch: the working directory cannot be had: %s",
                         strerror(errno));
    int n = snprintf(ret, size, "%s%s%s", here, is_absolute ? "" : "/", given);
    if (n <= 0 || (size_t)n >= size)
        return etna_fail(err, ETNA_E_USAGE,
                         "launch: the path of -o is too long");
    while (n > 1 && ret[n - 1] == '/')
        ret[--n] = 0;
    return ETNA_OK;
}

/* Becomes the script that starts everything. */
static int cmd_launch_submit(const char *script)
{
    execl("/bin/sh", "sh", script, (char *)NULL);
    etna_error err;
    etna_fail(&err, ETNA_E_IO, "%s: %s", script, strerror(errno));
    return cli_fail(&err);
}

static int cmd_launch_write(launch_arguments *a)
{
    char directory[4096], program[4096], script[4096 + 64];
    etna_error err = {ETNA_OK, ""};
    etna_code code =
        cmd_launch_directory(a->output, directory, sizeof directory, &err);
    if (!code && !children_program(program, sizeof program))
        code =
            etna_fail(&err, ETNA_E_IO, "the path of this program is too long");
    /* of etna-worker's path, which is beside ours */
    char *slash = code ? NULL : strrchr(program, '/');
    if (slash)
        *slash = 0;
    a->plan.directory = directory;
    a->plan.programs = program;
    if (!code)
        code = launch_write(&a->plan, &err);
    if (code)
        return cli_fail(&err);
    snprintf(script, sizeof script, "%s/%s", directory,
             launch_file_name(a->plan.kind, 0));
    if (a->submit)
        return cmd_launch_submit(script);
    printf("%s\n", script);
    terminal_printf(stderr, "etna: written; to start all: sh %s", script);
    fputc('\n', stderr);
    return 0;
}

int cmd_launch(int argc, char **argv)
{
    launch_arguments a = {.plan.workers = WORKERS};
    const flags_row flags[] = {
        {"output", 'o', .text = &a.output},
        {"workers", .number = &a.plan.workers, .least = 1,
         .most = WORKERS_MOST},
        {"cpus", .number = &a.plan.cpus, .least = 1, .most = 1024},
        {"listen", .text = &a.plan.listen},
        {"local", .text = &a.plan.local},
        {"partition", .text = &a.plan.partition},
        {"time", .text = &a.plan.time},
        {"hosts", .text = &a.plan.hosts},
        {"image", .text = &a.plan.image},
        {"submit", .yes = &a.submit},
        {0}};
    int exit_code;
    int first = cli_flags("etna launch", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc || !a.output)
        return cli_usage(
            "launch: etna launch slurm|ssh|systemd|local|kubernetes -o DIR");
    a.plan.kind = argv[first];
    return cmd_launch_write(&a);
}
