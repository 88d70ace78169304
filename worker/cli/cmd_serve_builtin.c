/* `etna serve-builtin`: the built-in agent for whoever speaks Chat Completions. */
#include "worker/cli/cli.h"

#include "proto/cpus.h"
#include "proto/guard.h"
#include "worker/serve/serve.h"

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna serve-builtin [--listen ADDRESS:PORT] [--key-env NAME]\n"
    "Serves the built-in agent as an OpenAI-compatible endpoint (POST /v1/chat/completions, GET /v1/models), so that the way over\n"
    "the network can be tried without a model: etna run SCENE --goal TEXT --model builtin-http --facts on\n\n"
    "      --listen A:P     where (127.0.0.1:8377); port 0: any that is free\n"
    "      --key-env NAME   ask for the key in this environment variable as a Bearer token\n"
    "It answers Etna's own roles, and sees nothing but the facts that --facts on sends. The first line on stdout is its base URL.\n"
    "SIGTERM or SIGINT ends it.\n";

static int usage(const char *text)
{
    fprintf(stderr, "etna: %s; see `etna serve-builtin --help`\n", text);
    return 2;
}

static bool parse_listen(char *text, serve_options *options)
{
    char *colon = strrchr(text, ':'), *end = NULL;
    if (!colon || colon[1] < '0' || colon[1] > '9') return false;
    unsigned long port = strtoul(colon + 1, &end, 10);
    if (*end || port > 65535) return false;
    *colon = 0;
    options->address = text;
    options->port = (uint16_t)port;
    return true;
}

int cmd_serve_builtin(int argc, char **argv)
{
    static const struct option flags[] = {{"listen", required_argument, NULL, 'l'},
                                          {"key-env", required_argument, NULL, 'k'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    serve_options options = {.address = "127.0.0.1", .port = 8377, .threads = cpus_usable()};
    etna_error err = {0};
    server *s;
    sigset_t ends;
    int number;
    for (int flag; (flag = getopt_long(argc, argv, "h", flags, NULL)) != -1;) {
        switch (flag) {
        case 'l':
            if (!parse_listen(optarg, &options)) return usage("--listen wants ADDRESS:PORT, as 127.0.0.1:8377");
            break;
        case 'k':
            options.key = getenv(optarg);
            if (!options.key || !*options.key) return usage("--key-env: that environment variable is not set");
            break;
        case 'h': fputs(help, stdout); return 0;
        default: return 2;
        }
    }
    if (optind != argc) return usage("serve-builtin takes no arguments");
    if (options.key) guard_secrets();
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL); /* before threads are made, so that only sigwait hears of them */
    signal(SIGPIPE, SIG_IGN);
    if (serve_start(&options, &s, &err)) {
        fprintf(stderr, "etna: %s\n", err.text);
        return etna_exit_code(err.code);
    }
    printf("http://%s:%u/v1\n", options.address, serve_port(s));
    fflush(stdout);
    sigwait(&ends, &number);
    serve_stop(s);
    return 0;
}
