/* See remote.h. */
#include "coordinator/cli/remote.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/output.h"
#include "coordinator/report/progress.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/client.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int stop_signal; /* lock-free, so a handler may set it */

static void remote_on_signal(int number) { stop_signal = number; }

static etna_code remote_unexpected(const message *answer, etna_error *err)
{
    return etna_fail(err, ETNA_E_MESSAGE, "the coordinator answered with %s", message_kind_name(answer->kind));
}

/* Submit and status are answered alike. */
static etna_code ask_status(client *c, message *request, message_run_status *ret, char *text, size_t room,
                            etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message answer;
    etna_code code = client_call(c, request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_RUN_STATUS) code = remote_unexpected(&answer, err);
    if (!code) {
        *ret = answer.body.run_status;
        snprintf(text, room, "%s", ret->text ? ret->text : "");
        ret->text = NULL;
    }
    etna_arena_free(&arena);
    return code;
}

static etna_code remote_watch(client *c, const etna_id *run, progress *p, etna_error *err)
{
    uint64_t after = 0;
    for (;;) {
        etna_arena arena = ETNA_ARENA_INIT;
        message request = {.kind = MESSAGE_EVENTS_REQUEST}, answer;
        request.body.events_request = (message_events_request){*run, after};
        etna_code code = client_call(c, &request, &arena, &answer, err);
        if (!code && answer.kind != MESSAGE_EVENTS) code = remote_unexpected(&answer, err);
        const message_events *events = &answer.body.events;
        for (uint32_t i = 0; !code && i < events->count; i++) {
            const message_event *event = &events->events[i];
            progress_line(p, event->time_ms, event->line, &event->happening);
            if (event->sequence > after) after = event->sequence;
        }
        bool over = !code && !events->count && events->state >= RUN_SUSPENDED;
        if (!code && events->count && events->state >= RUN_COMPLETE) over = events->count < MESSAGE_EVENTS_MAX;
        etna_arena_free(&arena);
        if (code || over) return code;
    }
}

static etna_code remote_fetch(void *context, const etna_hash *hash, uint8_t **ret_data, size_t *ret_size,
                              etna_error *err)
{
    return client_get_blob(context, hash, ret_data, ret_size, err);
}

static etna_code remote_drive(client *c, const runner_options *o, progress *p, json_t **ret_document, etna_error *err)
{
    message submit = {.kind = MESSAGE_RUN_SUBMIT}, ask = {.kind = MESSAGE_RUN_STATUS_REQUEST};
    message_run_status status;
    char text[400] = "";
    uint8_t *data;
    size_t size;
    etna_code code = client_put_blob(c, &o->scene, o->bundle, o->bundle_size, err);
    submit.body.run_submit = (message_run_submit){o->run, o->config, o->config_size};
    if (!code) code = ask_status(c, &submit, &status, text, sizeof text, err);
    if (!code) code = remote_watch(c, &o->run, p, err);
    ask.body.run_status_request.run = o->run;
    if (!code) code = ask_status(c, &ask, &status, text, sizeof text, err);
    if (!code && etna_hash_is_zero(&status.report)) {
        return etna_fail(err, ETNA_E_NETWORK, "the run was left %s by its coordinator%s%s",
                         run_state_name(status.state), *text ? ": " : "", text);
    }
    if (!code) code = client_get_blob(c, &status.report, &data, &size, err);
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
    return 128 + stop_signal;
}

int remote_run(const char *url, const runner_options *options)
{
    etna_error err = {ETNA_OK, ""};
    client *c;
    json_t *document = NULL;
    progress p = progress_new();
    struct sigaction action = {.sa_handler = remote_on_signal,
                               .sa_flags = (int)SA_RESETHAND}; /* the second one ends us */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (client_open(url, &stop_signal, &c, &err)) return cli_fail(&err);
    etna_code code = remote_drive(c, options, &p, &document, &err);
    progress_end(&p);
    if (!code) {
        /* What its workers computed is not known here; what the run took bounds it. */
        json_object_set(document, "compute_s", json_object_get(document, "wall_s"));
        if (options->output && json_integer_value(json_object_get(document, "exit_code")) <= 1) {
            code = output_write(options->output, document, remote_fetch, c, &err);
        }
    }
    client_close(c);
    int exit_code = code == ETNA_E_CANCELLED && stop_signal ? remote_leave(url, &options->run)
                    : code                                  ? cli_fail(&err)
                                                            : runner_report(document, options->json, options->output);
    json_decref(document);
    return exit_code;
}
