/* `etna top`: a coordinator at a glance, again and again. It shows what the
 * metrics say, parsed from the same text that Prometheus reads, so that there
 * is one source of numbers. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: etna top [--connect URL] [--store DIR] [--every S] [--once] [--raw]\n"
    "Shows who owns the store (or listens at URL): runs, tasks, workers, models, the store; anew every second. Where the\n"
    "output is no terminal, a screen is written after the other.\n\n"
    "  --every S   seconds between two screens (1)\n"
    "  --once      one screen\n"
    "  --raw       one, as Prometheus reads it\n";

typedef struct top_arguments {
    const char *url, *store;
    uint32_t every;
    bool once, raw;
} top_arguments;

/* The next sample of an exposition (Prometheus' text format: a line each).
 * NULL: that was the last. */
static const char *top_line_next(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

/* The value of the sample with this exact name and labels; 0: there is none. */
static double top_value(const char *text, const char *key)
{
    size_t size = strlen(key);
    for (const char *line = text; line; line = top_line_next(line)) {
        if (strncmp(line, key, size) == 0 && line[size] == ' ')
            return strtod(line + size, NULL);
    }
    return 0;
}

/* The sample of one kind of task; `more` are further labels. */
static double top_value_of(const char *text,
                           const char *name,
                           const char *kind,
                           const char *more)
{
    char key[160];
    snprintf(key, sizeof key, "etna_%s{kind=\"%s\"%s}", name, kind, more);
    return top_value(text, key);
}

/* Kinds that never had a task are left out. */
static void top_print_kinds(const char *text)
{
    puts(
        "task       queued  leased     done   again  refused   mean s   wait s");
    for (uint32_t kind = 1; kind < TASK_KIND_COUNT; kind++) {
        const char *name = task_kind_name(kind);
        double granted = top_value_of(text, "leases_granted_total", name, "");
        double queued = top_value_of(text, "tasks", name, ",state=\"queued\"");
        if (!granted && !queued)
            continue;
        double done = top_value_of(text, "task_seconds_count", name, "");
        double took =
            done ? top_value_of(text, "task_seconds_sum", name, "") / done : 0;
        double waited =
            granted ? top_value_of(text, "task_wait_seconds_sum", name, "") /
                          granted
                    : 0;
        printf("%-10s %6.0f  %6.0f %8.0f  %6.0f  %7.0f %8.3f %8.3f\n", name,
               queued, top_value_of(text, "tasks", name, ",state=\"leased\""),
               done, top_value_of(text, "task_retries_total", name, ""),
               top_value_of(text, "tasks_refused_total", name, ""), took,
               waited);
    }
}

/* The first `most` workers of the exposition. */
static void top_print_workers(const char *text, uint32_t most)
{
    static const char key[] = "etna_worker_leases{worker=\"";
    uint32_t shown = 0;
    for (const char *line = text; line && shown < most;
         line = top_line_next(line)) {
        char name[17] = "", results[64];
        if (strncmp(line, key, sizeof key - 1) != 0)
            continue;
        const char *id = line + sizeof key - 1;
        const char *end = strchr(id, '}');
        snprintf(name, sizeof name, "%.16s", id);
        snprintf(results, sizeof results,
                 "etna_worker_results_total{worker=\"%s\"}", name);
        if (!end)
            return;
        if (!shown)
            puts("worker            leases  results");
        printf("%s  %6.0f %8.0f\n", name, strtod(end + 1, NULL),
               top_value(text, results));
        shown++;
    }
}

static void top_print(const char *url, const char *text)
{
    enum {
        WORKERS_SHOWN = 16
    };
    double commits = top_value(text, "etna_commit_seconds_count");
    terminal_print(stdout, url);
    printf(
        "\nup %.0f s, %.0f runs, %.0f workers, %.0f leases lost, %.0f workers died by their own fault\n",
        top_value(text, "etna_up_seconds"), top_value(text, "etna_runs_live"),
        top_value(text, "etna_workers"),
        top_value(text, "etna_leases_lost_total"),
        top_value(text, "etna_worker_deaths_total"));
    printf(
        "models: %.0f calls, %.0f in flight, %.0f tokens in, %.0f out, cost %.2f\n",
        top_value(text, "etna_model_calls_total"),
        top_value(text, "etna_model_calls_in_flight"),
        top_value(text, "etna_model_tokens_total{direction=\"in\"}"),
        top_value(text, "etna_model_tokens_total{direction=\"out\"}"),
        top_value(text, "etna_model_cost_total"));
    printf("store: %.1f MB, %.0f commits of %.2f ms%s\n\n",
           top_value(text, "etna_store_file_bytes") / 1e6, commits,
           commits ? top_value(text, "etna_commit_seconds_sum") / commits * 1000
                   : 0,
           top_value(text, "etna_store_full") > 0 ? ", THE DISK IS FULL" : "");
    top_print_kinds(text);
    putchar('\n');
    top_print_workers(text, WORKERS_SHOWN);
}

static etna_code top_ask(client *c,
                         const char *url,
                         char **ret_text,
                         etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message request = {.kind = MESSAGE_METRICS_REQUEST};
    message answer;
    etna_code code = client_call(c, &request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_METRICS)
        code = etna_fail(err, ETNA_E_MESSAGE, "%s: answered with %s", url,
                         message_kind_name(answer.kind));
    char *text = code ? NULL
                      : strndup((const char *)answer.body.metrics.text,
                                answer.body.metrics.size);
    etna_arena_free(&arena);
    if (!code && !text)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (!code)
        *ret_text = text;
    return code;
}

/* On a terminal the screen is overwritten from its top, in a pipe each comes
 * after the other. */
static void top_show(const top_arguments *a, const char *url, const char *text)
{
    bool on_screen = isatty(STDOUT_FILENO) && !a->once && !a->raw;
    if (on_screen)
        fputs("\033[H\033[J", stdout);
    if (a->raw) {
        fputs(text, stdout);
    } else {
        top_print(url, text);
    }
    fflush(stdout);
}

/* Until a signal, or until nobody reads stdout any more. */
static etna_code top_watch(const top_arguments *a,
                           const char *url,
                           client *c,
                           etna_error *err)
{
    const struct timespec pause = {.tv_sec = a->every};
    bool goes_on = !a->once && !a->raw;
    do {
        char *text;
        etna_code code = top_ask(c, url, &text, err);
        if (code)
            return code;
        top_show(a, url, text);
        free(text);
        if (goes_on)
            nanosleep(&pause, NULL);
    } while (goes_on && !*visit_signal() && !ferror(stdout));
    return ETNA_OK;
}

static etna_code top_run(const top_arguments *a, etna_error *err)
{
    char path[4000];
    store_owner owner;
    bool alive = false;
    client *c;
    client_options options = client_options_default();
    etna_code code = cli_store_path(a->store, path, sizeof path, err);
    if (!code && !a->url)
        code = store_owner_read(path, &owner, &alive, err);
    if (!code && !a->url && !alive)
        code =
            etna_fail(err, ETNA_E_NOTFOUND, "%s: nobody owns this store", path);
    if (code)
        return code;
    const char *url = a->url ? a->url : owner.endpoint;
    visit_catch_signals();
    options.stop = visit_signal();
    options.store = a->store;
    code = client_open(url, &options, &c, err);
    if (code)
        return code;
    code = top_watch(a, url, c, err);
    client_close(c);
    return code == ETNA_E_CANCELLED ? ETNA_OK : code;
}

int cmd_top(int argc, char **argv)
{
    top_arguments a = {.every = 1};
    const flags_row flags[] = {
        {"connect", .text = &a.url},
        {"store", .text = &a.store},
        {"every", .number = &a.every, .least = 1, .most = 3600},
        {"once", .yes = &a.once},
        {"raw", .yes = &a.raw},
        {0}};
    int exit_code;
    int first = cli_flags("etna top", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return cli_usage("top takes no arguments");
    etna_error err = {ETNA_OK, ""};
    return top_run(&a, &err) ? cli_fail(&err) : 0;
}
