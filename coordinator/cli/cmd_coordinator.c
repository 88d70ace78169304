/* `etna coordinator`: the same parts as in `etna run` (store, shell, workers),
 * serving until told to stop.
 *
 *   serving_open    the metrics' page, then the store, waiting for its owner
 *   serving_start   tokens, the tickets' key, the shell, runs that were left
 *   serving_run     the loop, until a signal, a drain, or an error
 *   serving_close   in reverse; or it begins anew in its own place (anew.h)
 *
 * A wrong --http is told before the store is waited for, which may take
 * hours. */
#include "coordinator/cli/anew.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/left.h"
#include "coordinator/cli/metrics_page.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/address.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/shell.h"
#include "coordinator/shell/ticket.h"
#include "proto/error_json.h"

#include <jansson.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* milliseconds after which a run whose models do not answer tries again, then
 * ever later */
enum {
    OUTAGE_MS = 30000
}; /* a run whose models don't answer tries again after this, then ever later */

static const char help[] =
    "usage: etna coordinator --listen URL [--join FILE] [--host NAME] [--workers N] [--store DIR]\n"
    "                        [--mirror DIR | --from DIR] [--mixed-builds] [--http ADDRESS] [--log text|json]\n"
    "Serves runs (etna run --connect URL) to workers (etna-worker --connect URL). URL: ipc://PATH, tcp://127.0.0.1:PORT, or,\n"
    "over TLS, tls+tcp://HOST:PORT: 0.0.0.0 or [::] for all of the host's addresses; tcp:// beyond loopback means that, too.\n"
    "Over TCP nobody is served without a token. They stand in the join file \"join\" of the store, where commands on that store\n"
    "find them; others are given one: etna-worker --connect @FILE, etna run --connect @FILE. --join FILE writes one for other\n"
    "hosts, which call this one NAME (its host name); it holds the certificate that they are to believe.\n"
    "`etna join` makes one for workers or viewers alone, or replaces all tokens. See configs/SECURITY.md.\n"
    "Runs that a coordinator left running, or waiting for a model, go on. While another process owns the store, it waits.\n"
    "SIGTERM or SIGINT ends it alone: workers and clients wait for the next one, nothing is lost. To end them all when\n"
    "the runs are done: etna drain.\n"
    "--mirror DIR: each commit is in DIR, too, before it takes effect; DIR may be on a network file system, where the store\n"
    "may not. --from DIR: goes on from such a mirror, on any host, and mirrors to it; a store that is up to date is kept,\n"
    "and a coordinator that still runs elsewhere ends at its next commit.\n"
    "A worker of another build than this waits, and is told so; --mixed-builds serves it, and the runs' reports say it.\n"
    "--http 127.0.0.1:9464 serves /metrics for Prometheus to who sends the token that $ETNA_HTTP_TOKEN holds (Authorization:\n"
    "Bearer); the same on a screen: etna top. --log json: one JSON document a line, with run, task and attempt.\n";

/* Where a coordinator keeps and serves, as the command line says it.
 * Borrowed. */
typedef struct coordinator_place {
    const char *url, *host, *join, *store_given, *mirror, *from;
    listen_address address; /* what `url` means */
    bool mixed_builds;
    const char *http, *log;
} coordinator_place;

/* How whoever runs the coordinator is told what happens. */
typedef struct coordinator_watch {
    bool log_json;
    metrics_page *page; /* NULL: none is served */
} coordinator_watch;

/* One JSON document a line, for what collects logs. What is zero is left
 * out. */
static void cmd_coordinator_log(const core_line *line)
{
    static const etna_id none;
    char run[33], task[17];
    json_t *entry = json_object();
    json_object_set_new(entry, "time", json_real((double)time(NULL)));
    etna_id_hex(&line->run, run);
    if (!etna_id_equal(&line->run, &none))
        json_object_set_new(entry, "run", json_string(run));
    if (line->sequence)
        json_object_set_new(entry, "record",
                            json_integer((json_int_t)line->sequence));
    snprintf(task, sizeof task, "%llx", (unsigned long long)line->task);
    if (line->task)
        json_object_set_new(entry, "task", json_string(task));
    if (line->attempt)
        json_object_set_new(entry, "attempt", json_integer(line->attempt));
    if (line->happening.node)
        json_object_set_new(entry, "node", json_integer(line->happening.node));
    json_object_set_new(entry, "text", error_json_text(line->text));
    json_dumpf(entry, stderr, JSON_COMPACT);
    fputc('\n', stderr);
    json_decref(entry);
}

static void print_line(void *context, const core_line *line)
{
    const coordinator_watch *watched = context;
    if (watched->log_json) {
        cmd_coordinator_log(line);
        return;
    }
    char name[33];
    etna_id_hex(&line->run, name);
    fprintf(stderr, "%.8s %8.3f  ", name, (double)line->time_ms / 1000);
    terminal_print(stderr, line->text);
    fputc('\n', stderr);
}

static void cmd_coordinator_measured(void *context,
                                     const char *text,
                                     size_t size)
{
    const coordinator_watch *watched = context;
    if (watched->page)
        metrics_page_set(watched->page, text, size);
}

static void cmd_coordinator_trouble(void *context, const char *text)
{
    const coordinator_watch *watched = context;
    const core_line line = {.text = text};
    if (watched->log_json) {
        cmd_coordinator_log(&line);
        return;
    }
    fputs("etna: ", stderr);
    terminal_print(stderr, text);
    fputc('\n', stderr);
}

/* The same of one run. */
static void cmd_coordinator_left(void *context,
                                 const etna_id *run,
                                 const char *text)
{
    const coordinator_watch *watched = context;
    const core_line line = {.run = *run, .text = text};
    if (watched->log_json) {
        cmd_coordinator_log(&line);
        return;
    }
    cmd_coordinator_trouble(context, text);
}

/* The same as printf has it; what is longer than a line of a log is cut. */
__attribute__((format(printf, 2, 3))) static void cmd_coordinator_tell(
    coordinator_watch *watched, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cmd_coordinator_trouble(watched, text);
}

/* Rebuilds the store from --from first where that is wanted, then takes it.
 * ETNA_E_OWNED: another process has it. */
static etna_code cmd_coordinator_take(const coordinator_place *place,
                                      coordinator_watch *watched,
                                      const char *path,
                                      store **ret_store,
                                      etna_error *err)
{
    store_options options = store_options_default();
    store_rebuilt rebuilt;
    options.path = path;
    options.endpoint = place->address.here;
    options.mirror = place->from ? place->from : place->mirror;
    options.epoch_least = (uint64_t)time(NULL) * 1000;
    etna_code code =
        place->from ? store_rebuild(place->from, path, &rebuilt, err) : ETNA_OK;
    if (code)
        return code;
    if (place->from && rebuilt.done)
        cmd_coordinator_tell(watched,
                             "made the store anew from %s: %llu groups",
                             place->from, (unsigned long long)rebuilt.groups);
    return cli_own_store_as(place->store_given, &options, ret_store, err);
}

/* Waits as long as it takes: the owner may be a command whose runs end soon, or
 * a coordinator that is being replaced. */
static etna_code cmd_coordinator_open(const coordinator_place *place,
                                      coordinator_watch *watched,
                                      const char *path,
                                      store **ret_store,
                                      etna_error *err)
{
    enum {
        LOOK_MS = 100
    };
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    for (bool told = false;; told = true) {
        etna_code code =
            cmd_coordinator_take(place, watched, path, ret_store, err);
        if (code != ETNA_E_OWNED)
            return code;
        if (!told)
            cmd_coordinator_tell(watched, "waiting: %s", err->text);
        nanosleep(&pause, NULL);
    }
}

/* What was typed as --listen, completed by the name that others know this host
 * by. */
static etna_code cmd_coordinator_address(coordinator_place *place,
                                         etna_error *err)
{
    char name[ADDRESS_MAX / 2] = "localhost";
    if (!place->host && gethostname(name, sizeof name - 1))
        strcpy(name, "localhost");
    return address_read(place->url, place->host ? place->host : name,
                        &place->address, err);
}

/* Over ipc the file system's rights decide who may connect, over TCP tokens do.
 * *ret_tokens stays NULL for ipc. */
static etna_code cmd_coordinator_tokens(const coordinator_place *place,
                                        const char *store_path,
                                        store *s,
                                        tokens **ret_tokens,
                                        etna_error *err)
{
    const tokens_options options = {.store_path = store_path,
                                    .address = &place->address,
                                    .join_path = place->join,
                                    .epoch = store_epoch(s)};
    if (tokens_are_wanted(place->address.listen))
        return tokens_open(&options, ret_tokens, err);
    if (!place->join)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "coordinator: over ipc no tokens are wanted; leave --join out");
}

/* The transport is clogged in a way that only a new process clears
 * (shell_is_clogged). All that counts is on the disk, and our workers end with
 * us. Where it cannot begin anew it returns, and the program ends as at any
 * error. */
static void cmd_coordinator_begin_anew(coordinator_watch *watched,
                                       etna_error *err)
{
    cmd_coordinator_tell(watched, "%s; it begins again", err->text);
    metrics_page_give_back(watched->page);
    (void)anew_begin(err);
}

static shell_options cmd_coordinator_options(const coordinator_place *place,
                                             uint32_t workers,
                                             coordinator_watch *watch)
{
    shell_options options = shell_options_default();
    options.url = place->address.listen;
    options.serve = true;
    options.outage_ms = OUTAGE_MS;
    options.mixed_builds = place->mixed_builds;
    options.workers = workers;
    options.context = watch;
    options.line = print_line;
    options.measured = watch->page ? cmd_coordinator_measured : NULL;
    options.wait_full = true;
    options.trouble = cmd_coordinator_trouble;
    options.report = run_json_report;
    return options;
}

/* All that is open. All zero is empty, so that it can be closed at any point of
 * opening. */
typedef struct coordinator_serving {
    char path[4000], cache_path[4096], program[4096];
    store *store;
    shell *shell;
    tokens *tokens;
    coordinator_watch watched;
    int signal;
    bool twice;
} coordinator_serving;

static void serving_close(coordinator_serving *v)
{
    shell_free(v->shell);
    metrics_page_close(v->watched.page);
    tokens_close(v->tokens);
    store_close(v->store);
}

static etna_code serving_open(coordinator_serving *v,
                              const coordinator_place *place,
                              etna_error *err)
{
    etna_code code =
        cli_store_path(place->store_given, v->path, sizeof v->path, err);
    if (code)
        return code;
    if (!children_program(v->program, sizeof v->program))
        return etna_fail(err, ETNA_E_IO,
                         "the path of this program is too long");
    snprintf(v->cache_path, sizeof v->cache_path, "%s/cache", v->path);
    if (place->http)
        code = metrics_page_open(place->http, &v->watched.page, err);
    return code ? code
                : cmd_coordinator_open(place, &v->watched, v->path, &v->store,
                                       err);
}

static etna_code serving_start(coordinator_serving *v,
                               const coordinator_place *place,
                               uint32_t workers,
                               etna_error *err)
{
    const left_teller teller = {&v->watched, cmd_coordinator_left};
    seal_key tickets = {{0}};
    etna_code code =
        cmd_coordinator_tokens(place, v->path, v->store, &v->tokens, err);
    if (!code)
        code = ticket_key_open(v->path, &tickets, err);
    shell_options options =
        cmd_coordinator_options(place, workers, &v->watched);
    options.store = v->store;
    options.worker_program = v->program;
    options.cache = v->cache_path;
    options.tokens = v->tokens;
    options.ticket_key = &tickets;
    if (!code)
        code = shell_new(&options, &v->shell, err);
    seal_forget(&tickets, sizeof tickets);
    return code ? code
                : left_resume(v->shell, v->store, RUN_KEEPER_COORDINATOR, 0,
                              &teller, err);
}

static etna_code serving_run(coordinator_serving *v,
                             const coordinator_place *place,
                             etna_error *err)
{
    cmd_coordinator_tell(&v->watched, "listening at %s, store %s",
                         place->address.listen, v->path);
    if (v->watched.page)
        cmd_coordinator_tell(&v->watched, "metrics at %s",
                             metrics_page_url(v->watched.page));
    return shell_run(v->shell, &v->signal, &v->twice, err);
}

/* A message's memory is taken when its size is announced. Of the kernel it is
 * nothing until bytes come, and goes back with the message; the heap would keep
 * it, and clear it for the next: strangers could fill hundreds of megabytes by
 * a few bytes each. */
static void coordinator_keep_no_large(void)
{
#ifdef __GLIBC__
    enum {
        LARGE = 256 << 10
    };
    mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* Tells the error; returns its exit code. */
static int cmd_coordinator_fail(coordinator_watch *watched,
                                const etna_error *err)
{
    if (!watched->log_json)
        return cli_fail(err);
    cmd_coordinator_trouble(watched, err->text);
    return etna_exit_code(err->code);
}

/* Returns the exit code: 0 after a drain, 128 + number after a signal. A second
 * signal skips closing. */
static int cmd_coordinator_serve(const coordinator_place *place,
                                 uint32_t workers)
{
    etna_error err = {ETNA_OK, ""};
    coordinator_serving v = {.watched.log_json =
                                 place->log && strcmp(place->log, "json") == 0};
    cli_raise_files();
    coordinator_keep_no_large();
    etna_code code = serving_open(&v, place, &err);
    if (!code)
        code = serving_start(&v, place, workers, &err);
    if (!code)
        code = serving_run(&v, place, &err);
    if (v.twice)
        _exit(128 + v.signal);
    if (v.shell && shell_is_clogged(v.shell))
        cmd_coordinator_begin_anew(&v.watched, &err);
    serving_close(&v);
    if (code)
        return cmd_coordinator_fail(&v.watched, &err);
    return v.signal ? 128 + v.signal : 0; /* drained */
}

int cmd_coordinator(int argc, char **argv)
{
    coordinator_place place = {0};
    uint32_t workers = 0;
    const flags_row flags[] = {{"listen", .text = &place.url},
                               {"workers", .number = &workers, .most = 256},
                               {"store", .text = &place.store_given},
                               {"mirror", .text = &place.mirror},
                               {"from", .text = &place.from},
                               {"join", .text = &place.join},
                               {"http", .text = &place.http},
                               {"log", .text = &place.log},
                               {"mixed-builds", .yes = &place.mixed_builds},
                               {"host", .text = &place.host},
                               {0}};
    int exit_code;
    int first =
        cli_flags("etna coordinator", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc || !place.url)
        return cli_usage(
            "coordinator: where? etna coordinator --listen ipc://PATH");
    bool log_is_known =
        !place.log || !strcmp(place.log, "json") || !strcmp(place.log, "text");
    if (!log_is_known)
        return cli_usage("coordinator: --log is text or json");
    if (place.mirror && place.from)
        return cli_usage(
            "coordinator: --from mirrors to its directory, too; give one of both");
    etna_error err = {ETNA_OK, ""};
    if (cmd_coordinator_address(&place, &err))
        return cli_fail(&err);
    return cmd_coordinator_serve(&place, workers);
}
