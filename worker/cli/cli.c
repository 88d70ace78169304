/* Which sub-command is meant. */
#include "worker/cli/cli.h"
#include "proto/array.h"
#include "proto/mapped_files.h"
#include "worker/cli/furnish_lot.h"
#include "worker/cli/load.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"connect",
     "work for a coordinator (the default: etna-worker --connect URL)",
     worker_cmd_connect},
    {"bundle", "read a scene and what it names into one file",
     worker_cmd_bundle},
    {"probe", "say what a ray meets, what shows, what a plane is",
     worker_cmd_probe},
    {"render", "write what a camera sees as a PNG", worker_cmd_render},
    {"solve", "find a place for an object by constraints", worker_cmd_solve},
    {"check", "list what collides and what floats", worker_cmd_check},
    {"read", "say what a sentence asks of a scene", worker_cmd_read},
    {"info", "say what import makes of a scene", worker_cmd_info},
    {"split", "cut an object into its loose parts, in the side file",
     worker_cmd_split},
    {"group", "let objects move as one, in the side file", worker_cmd_group},
    {"export", "write a scene with objects at given poses", worker_cmd_export},
    {"replay", "do tasks of a run again from its store (for etna replay)",
     worker_cmd_replay},
    {"mcp", "serve the tools to an MCP client", worker_cmd_mcp},
    {"doctor", "ask a model six questions (for etna doctor --model)",
     worker_cmd_doctor},
    {"judge", "let a model judge the pictures of steps (for etna bench judge)",
     worker_cmd_judge},
    {"prompts", "how long a run's first requests are (for etna run --estimate)",
     worker_cmd_prompts},
    {"serve-builtin",
     "the built-in agent as an OpenAI-compatible HTTP endpoint",
     worker_cmd_serve_builtin},
    {"assets", "index models, list and find them", worker_cmd_assets},
    {"bench", "measure against sets that people made", worker_cmd_bench},
    {"compose", "make a scene from a spec and a library of models",
     worker_cmd_compose},
    {"furnish", "furnish an empty room from words", worker_cmd_furnish},
};

static void print_help(FILE *to)
{
    fprintf(
        to,
        "usage: etna-worker --connect URL [OPTION...]\n"
        "       etna-worker COMMAND [ARGUMENT...]\n\ncommands (each takes --help):\n");
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        fprintf(to, "  %-13s %s\n", commands[i].name, commands[i].summary);
    }
}

/* Options without a command mean --connect. */
int worker_cli_main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file too large shows as a full disk */
    const char *first = argc > 1 ? argv[1] : "";
    if (strcmp(first, "--version") == 0 || strcmp(first, "version") == 0) {
        printf("etna-worker %s\n", ETNA_VERSION);
        return 0;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 ||
        strcmp(first, "help") == 0) {
        print_help(stdout);
        return 0;
    }
    etna_error err = {0};
    load_errors_as_json(argc, argv);
    job_use_furnisher(&furnish_furnisher);
    if (load_memory_of_environment(&err) != ETNA_OK)
        return load_report(&err);
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        if (strcmp(first, commands[i].name) != 0)
            continue;
        /* whose death its supervisor tells */
        if (commands[i].run != worker_cmd_connect)
            mapped_files_guard("etna-worker", load_errors_are_json());
        return commands[i].run(argc - 1, argv + 1);
    }
    if (*first == '-')
        return worker_cmd_connect(argc, argv);
    if (*first) {
        fprintf(stderr,
                "etna-worker: no such command; see etna-worker --help\n");
    } else {
        print_help(stderr);
    }
    return 2;
}
