/* See remote.h. */
#include "coordinator/cli/remote.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/outcome.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/output.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"

#include <stdio.h>
#include <stdlib.h>

enum { TELL_AWAY_MS = 2000, REPORT_TRIES = 100, ANSWER_LEAST_S = 60 };

typedef struct remote {
    const char *url;
    uint32_t wait_s;
    bool told; /* that nobody listens */
    progress progress;
} remote;

static bool remote_away(void *context, uint64_t away_ms)
{
    remote *r = context;
    if (!away_ms) r->told = false;
    if (away_ms < TELL_AWAY_MS || r->told) return false;
    r->told = true;
    terminal_printf(stderr, "etna: no coordinator answers at %s; waiting for one up to %u s (--wait)", r->url,
                    (unsigned)r->wait_s);
    fputc('\n', stderr);
    return false;
}

static etna_code remote_fetch(void *context, const etna_hash *hash, uint8_t **ret_data, size_t *ret_size,
                              etna_error *err)
{
    return client_get_blob(context, hash, ret_data, ret_size, err);
}

/* The document of an ended run. A coordinator makes it when it is asked how the run stands and holds it in memory: one
 * that was restarted since knows nothing of it, and is asked again. */
static etna_code remote_report(client *c, const etna_id *run, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    etna_code code = ETNA_E_NOTFOUND;
    for (int i = 0; code == ETNA_E_NOTFOUND && i < REPORT_TRIES; i++) {
        visit_status status;
        code = visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, run, &status, err);
        if (code) return code;
        if (etna_hash_is_zero(&status.report)) {
            return etna_fail(err, ETNA_E_NETWORK, "the run was left %s by its coordinator%s%s",
                             run_state_name(status.state), *status.text ? ": " : "", status.text);
        }
        code = client_get_blob(c, &status.report, ret_data, ret_size, err);
    }
    return code;
}

static etna_code remote_drive(client *c, const runner_options *o, progress *p, json_t **ret_document, etna_error *err)
{
    visit_status status;
    uint8_t *data;
    size_t size;
    uint64_t after = 0;
    etna_code code = visit_submit(c, o, &status, err);
    if (!code) code = visit_watch(c, &o->run, p, &after, err);
    if (!code) code = remote_report(c, &o->run, &data, &size, err);
    if (code) return code;
    code = run_json_parse(data, size, ret_document, err);
    free(data);
    return code;
}

/* The run belongs to the coordinator and goes on there. */
static int remote_leave(const char *url, const etna_id *run)
{
    char name[33];
    etna_id_hex(run, name);
    fputs("etna: the run goes on at ", stderr);
    terminal_print(stderr, url);
    fprintf(stderr, "; end it with: etna cancel %s --connect ", name);
    terminal_print(stderr, url);
    fputc('\n', stderr);
    return 128 + *visit_signal();
}

static etna_code remote_open(remote *r, client **ret_client, etna_error *err)
{
    client_options options = client_options_default();
    options.stop = visit_signal();
    options.open_ms = (uint64_t)r->wait_s * 1000;
    options.answer_ms = (uint64_t)(r->wait_s > ANSWER_LEAST_S ? r->wait_s : ANSWER_LEAST_S) * 1000;
    options.context = r;
    options.gone = remote_away;
    return client_open(r->url, &options, ret_client, err);
}

int remote_run(const char *url, uint32_t wait_s, const runner_options *options)
{
    etna_error err = {ETNA_OK, ""};
    remote r = {.url = url, .wait_s = wait_s, .progress = progress_new()};
    client *c = NULL;
    json_t *document = NULL;
    visit_catch_signals();
    etna_code code = remote_open(&r, &c, &err);
    if (code) return code == ETNA_E_CANCELLED ? 128 + *visit_signal() : cli_fail(&err);
    code = remote_drive(c, options, &r.progress, &document, &err);
    progress_end(&r.progress);
    if (!code) {
        /* What its workers computed is not known here; what the run took bounds it. */
        json_object_set(document, "compute_s", json_object_get(document, "wall_s"));
        if (options->output && json_integer_value(json_object_get(document, "exit_code")) <= 1) {
            code = output_write(options->output, document, remote_fetch, c, &err);
        }
    }
    client_close(c);
    int exit_code = 0;
    if (code == ETNA_E_CANCELLED && *visit_signal()) {
        exit_code = remote_leave(url, &options->run);
    } else {
        exit_code = code ? cli_fail(&err) : outcome_report(document, options->json, options->output);
    }
    json_decref(document);
    return exit_code;
}
