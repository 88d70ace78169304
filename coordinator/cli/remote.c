/* See remote.h. */
#include "coordinator/cli/remote.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/outcome.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/output.h"
#include "coordinator/report/page.h"
#include "coordinator/report/terminal.h"

#include <stdio.h>

/* milliseconds of silence after which the user is told; seconds that an answer
 * gets at the least, as a coordinator may be busy with a large scene */
enum {
    TELL_AWAY_MS = 2000,
    ANSWER_LEAST_S = 60
};

/* One stay with a coordinator. */
typedef struct remote {
    remote_patience patience;
    /* go as soon as the connection breaks: the owner of a store that is a
     * command does not come back */
    bool leave_when_away;
    /* the coordinator has said that it has the run */
    bool begun;
    progress progress;
} remote;

/* What the user says as --connect; NULL: the store names its owner. */
static const char *remote_named(const remote *r)
{
    return r->leave_when_away ? NULL : r->patience.url;
}

/* Called by the client while the connection is down, with how long it has been.
 * Tells the user once; never gives up by itself. */
static bool remote_away(void *context, uint64_t away_ms)
{
    remote_patience *p = context;
    if (!away_ms)
        p->told = false;
    if (away_ms < TELL_AWAY_MS || p->told)
        return false;
    p->told = true;
    terminal_printf(
        stderr,
        "etna: no coordinator answers at %s; waiting for one up to %u s (--wait)",
        p->url, (unsigned)p->wait_s);
    fputc('\n', stderr);
    return false;
}

static bool remote_gone(void *context, uint64_t away_ms)
{
    (void)context;
    return away_ms > 0;
}

client_options remote_client_options(remote_patience *p)
{
    client_options options = client_options_default();
    options.stop = visit_signal();
    options.open_ms = (uint64_t)p->wait_s * 1000;
    options.answer_ms =
        (uint64_t)(p->wait_s > ANSWER_LEAST_S ? p->wait_s : ANSWER_LEAST_S) *
        1000;
    options.context = p;
    options.gone = remote_away;
    return options;
}

/* Begins what is to be watched, if anything is. */
static etna_code remote_begin(const remote *r,
                              client *c,
                              const runner_options *o,
                              remote_way way,
                              etna_error *err)
{
    visit_status status;
    char name[33];
    if (o->config)
        return visit_submit(c, o, &status, err);
    if (way == REMOTE_RESUME)
        return visit_resume(c, o, &status, err);
    etna_code code =
        visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, &o->run, &status, err);
    if (code || way != REMOTE_FETCH || status.state >= RUN_COMPLETE)
        return code;
    etna_id_hex(&o->run, name);
    return etna_fail(
        err, ETNA_E_NOTFOUND,
        "run %s has not ended; stay with it by: etna attach %s --connect %s",
        name, name, r->patience.url);
}

/* Begins what is to be watched, watches it, and gets its report. */
static etna_code remote_drive(remote *r,
                              client *c,
                              const runner_options *o,
                              remote_way way,
                              json_t **ret_document,
                              etna_error *err)
{
    uint64_t after = 0;
    etna_code code = remote_begin(r, c, o, way, err);
    r->begun = !code;
    if (!code && way != REMOTE_FETCH)
        code = visit_watch(c, &o->run, &r->progress, &after, err);
    return code ? code : visit_report(c, &o->run, ret_document, err);
}

/* A signal came. The run belongs to the coordinator and goes on there, so the
 * user is told how to end it. */
static int remote_leave(const remote *r, const etna_id *run)
{
    char name[33];
    page state = {0}, command = {0};
    etna_id_hex(run, name);
    if (r->begun)
        page_add(&state, "the run goes on at %s", r->patience.url);
    else
        page_add(&state, "interrupted before %s said that it has the run",
                 r->patience.url);
    page_add(&command, "etna cancel %s --connect %s", name, r->patience.url);
    int exit_code = cli_interrupted(
        *visit_signal(), run, state.data ? state.data : "interrupted",
        r->begun ? "end it with" : "if it has, end it with",
        command.data ? command.data : "");
    page_free(&state);
    page_free(&command);
    return exit_code;
}

static etna_code remote_open(remote *r,
                             const char *of_store,
                             client **ret_client,
                             etna_error *err)
{
    client_options options = remote_client_options(&r->patience);
    options.store = of_store;
    if (r->leave_when_away)
        options.gone = remote_gone;
    return client_open(r->patience.url, &options, ret_client, err);
}

static etna_code remote_write(client *c,
                              const runner_options *options,
                              json_t *document,
                              etna_error *err)
{
    if (!options->output || !output_is_worth(document))
        return ETNA_OK;
    return output_write(options->output, document, visit_fetch, c, err);
}

/* ETNA_OK: all that there is to say was printed, and *ret_exit is set. Else the
 * error is still to be told. */
static etna_code remote_carry(remote *r,
                              const runner_options *options,
                              remote_way way,
                              int *ret_exit,
                              etna_error *err)
{
    client *c = NULL;
    json_t *document = NULL;
    visit_catch_signals();
    etna_code code = remote_open(r, options->store, &c, err);
    if (code == ETNA_E_CANCELLED)
        *ret_exit = cli_interrupted(*visit_signal(), &options->run,
                                    "interrupted before anybody answered there",
                                    "", "");
    if (code)
        return code == ETNA_E_CANCELLED ? ETNA_OK : code;
    code = remote_drive(r, c, options, way, &document, err);
    progress_end(&r->progress);
    if (!code)
        code = remote_write(c, options, document, err);
    client_close(c);
    bool left = code == ETNA_E_CANCELLED && *visit_signal();
    if (left)
        *ret_exit = remote_leave(r, &options->run);
    if (!code)
        *ret_exit = outcome_report(document, options, remote_named(r));
    json_decref(document);
    return left ? ETNA_OK : code;
}

int remote_attach(const char *url,
                  uint32_t wait_s,
                  remote_way way,
                  const runner_options *options)
{
    etna_error err = {ETNA_OK, ""};
    remote r = {.patience = {.url = url, .wait_s = wait_s},
                .progress = progress_new()};
    int exit_code = 0;
    etna_code code = remote_carry(&r, options, way, &exit_code, &err);
    return code ? cli_fail(&err) : exit_code;
}

bool remote_stay(const char *url, const runner_options *options, int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    remote r = {.patience = {.url = url},
                .progress = progress_new(),
                .leave_when_away = true};
    etna_code code = remote_carry(&r, options, REMOTE_WATCH, ret_exit, &err);
    if (code == ETNA_E_NETWORK)
        return false;
    if (code)
        *ret_exit = cli_fail(&err);
    return true;
}

int remote_run(const char *url, uint32_t wait_s, const runner_options *options)
{
    return remote_attach(url, wait_s, REMOTE_WATCH, options);
}
