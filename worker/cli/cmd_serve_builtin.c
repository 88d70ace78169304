/* `etna serve-builtin`: the built-in agent for whoever speaks Chat
 * Completions. */
#include "proto/cpus.h"
#include "proto/secrets.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/serve/serve.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna serve-builtin [--listen PLACE] [--key-env NAME]\n"
    "Serves the built-in agent as an OpenAI-compatible endpoint (POST /v1/chat/completions, GET /v1/models), so that the way over\n"
    "the network can be tried without a model: etna run SCENE --goal TEXT --model builtin-http --facts on\n\n"
    "      --listen PLACE   PORT, HOST:PORT or [V6]:PORT (127.0.0.1:8377); port 0: any that is free\n"
    "      --key-env NAME   ask for the key in this environment variable as a Bearer token\n"
    "It answers Etna's own roles, and sees nothing but the facts that --facts on sends. The first line on stdout is its base URL.\n"
    "SIGTERM or SIGINT ends it.\n";

static etna_code read_listen(const char *name,
                             const char *value,
                             void *into,
                             etna_error *err)
{
    char option[32];
    snprintf(option, sizeof option, "--%s", name);
    return http_place_read(option, value, into, err);
}

static etna_code read_key(const char *name,
                          const char *value,
                          void *into,
                          etna_error *err)
{
    const char *key = getenv(value);
    if (!key || !*key)
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s: that environment variable is not set", name);
    *(const char **)into = key;
    return ETNA_OK;
}

int worker_cmd_serve_builtin(int argc, char **argv)
{
    serve_options options = {.threads = cpus_usable()};
    const flags_row flags[] = {
        {"listen", .read = read_listen, .into = &options.place},
        {"key-env", .read = read_key, .into = &options.key},
        {0}};
    char url[HTTP_URL_SIZE];
    etna_error err = {0};
    server *s;
    sigset_t ends;
    if (http_place_read("--listen", "127.0.0.1:8377", &options.place, &err))
        return load_report(&err);
    int number, exit_code;
    int first =
        load_flags("etna serve-builtin", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return load_usage(
            "serve-builtin takes no arguments; see `etna serve-builtin --help`");
    if (options.key)
        guard_secrets();
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends,
                /* before threads are made, so that only sigwait hears of
                 * them */
                NULL);
    signal(SIGPIPE, SIG_IGN);
    if (serve_start(&options, &s, &err))
        return load_report(&err);
    serve_url(s, url);
    printf("%s/v1\n", url);
    fflush(stdout);
    sigwait(&ends, &number);
    serve_stop(s);
    return 0;
}
