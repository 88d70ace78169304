/* See visit.h.
 *
 * What a command asks of a coordinator that another process carries: one
 * request, one answer, each through client_call, which retries and keeps the
 * connection. Answers come from a peer that may be of another build or hostile:
 * a kind that was not asked for is an error, and what is copied is bounded by
 * the message's own bounds. */
#include "coordinator/cli/visit.h"
#include "coordinator/report/run_json.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times a report is asked for again from a coordinator that was restarted. */
enum {
    REPORT_TRIES = 10
};

static atomic_int caught; /* lock-free, so a handler may set it */

static void visit_on_signal(int number)
{
    caught = number;
}

/* The second signal of a kind kills, as SA_RESETHAND restores the default: a
 * user who presses Ctrl-C twice means it. `nohup` is honoured. */
void visit_catch_signals(void)
{
    struct sigaction action = {.sa_handler = visit_on_signal,
                               .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    bool by_nohup =
        !sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler == SIG_IGN;
    if (!by_nohup)
        sigaction(SIGHUP, &action, NULL);
}

/* 0: none came. */
atomic_int *visit_signal(void)
{
    return &caught;
}

/* For an answer that is not to the question. */
static etna_code visit_unexpected(const message *answer, etna_error *err)
{
    return etna_fail(err, ETNA_E_MESSAGE, "the coordinator answered with %s",
                     message_kind_name(answer->kind));
}

/* Takes the status out of the arena that the answer lies in. */
static etna_code visit_call(client *c,
                            message *request,
                            visit_status *ret,
                            etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message answer;
    etna_code code = client_call(c, request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_RUN_STATUS)
        code = visit_unexpected(&answer, err);
    if (!code) {
        const message_run_status *status = &answer.body.run_status;
        *ret = (visit_status){.state = (run_state)status->state,
                              .keeper = (run_keeper)status->keeper,
                              .stuck = status->stuck,
                              .rests_by = (etna_code)status->rests_by,
                              .report = status->report,
                              .last_event = status->last_event};
        snprintf(ret->text, sizeof ret->text, "%s",
                 status->text ? status->text : "");
    }
    etna_arena_free(&arena);
    return code;
}

/* `kind` is one of those whose body begins with the run's id. */
etna_code visit_ask(client *c,
                    message_kind kind,
                    const etna_id *run,
                    visit_status *ret,
                    etna_error *err)
{
    message request = {.kind = kind};
    /* all of these are a run's name */
    request.body.run_status_request.run = *run;
    return visit_call(c, &request, ret, err);
}

/* With a connection for this one request. */
etna_code visit_once(const char *url,
                     const client_options *options,
                     message *request,
                     message_kind kind,
                     etna_arena *arena,
                     message *ret,
                     etna_error *err)
{
    client *c;
    etna_code code = client_open(url, options, &c, err);
    if (code)
        return code;
    code = client_call(c, request, arena, ret, err);
    if (!code && ret->kind != kind)
        code = etna_fail(err, ETNA_E_MESSAGE, "%s: answered with %s", url,
                         message_kind_name(ret->kind));
    client_close(c);
    return code;
}

/* Also changes the run's models where the options name others. */
etna_code visit_resume(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err)
{
    message request = {.kind = MESSAGE_RUN_RESUME};
    request.body.run_resume = o->resume;
    request.body.run_resume.run = o->run;
    return visit_call(c, &request, ret, err);
}

/* The scene goes first: the coordinator would refuse a run whose scene it does
 * not have. Submitting the same run twice is answered alike. */
etna_code visit_submit(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err)
{
    message submit = {.kind = MESSAGE_RUN_SUBMIT};
    submit.body.run_submit =
        (message_run_submit){o->run, o->config, o->config_size};
    etna_code code = o->bundle ? client_put_blob(c, &o->scene, o->bundle,
                                                 o->bundle_size, err)
                               : ETNA_OK;
    for (uint32_t i = 0; !code && i < o->part_count; i++)
        code = client_put_blob(c, &o->parts[i].hash, o->parts[i].data,
                               o->parts[i].size, err);
    return code ? code : visit_call(c, &submit, ret, err);
}

/* No more comes: it ended, or it rests and all of it was told. */
static bool visit_is_over(const message_events *events)
{
    if (!events->count)
        return events->state >= RUN_SUSPENDED;
    return events->state >= RUN_COMPLETE && events->count < MESSAGE_EVENTS_MAX;
}

/* *after goes on with every line, so that a new connection goes on where the
 * last one ended. */
etna_code visit_watch(client *c,
                      const etna_id *run,
                      progress *p,
                      uint64_t *after,
                      etna_error *err)
{
    for (bool over = false; !over;) {
        etna_arena arena = ETNA_ARENA_INIT;
        message request = {.kind = MESSAGE_EVENTS_REQUEST}, answer;
        request.body.events_request = (message_events_request){*run, *after};
        etna_code code = client_call(c, &request, &arena, &answer, err);
        if (!code && answer.kind != MESSAGE_EVENTS)
            code = visit_unexpected(&answer, err);
        const message_events *events = &answer.body.events;
        for (uint32_t i = 0; !code && i < events->count; i++) {
            const message_event *event = &events->events[i];
            if (event->happening.kind == HAPPENED_PLANNED)
                /* the goal was read: there is something to tell */
                progress_open(p);
            progress_line(p, event->time_ms, event->line, &event->happening);
            if (event->sequence > *after)
                *after = event->sequence;
        }
        over = !code && visit_is_over(events);
        etna_arena_free(&arena);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* An output_fetch; `context` is the client. */
etna_code visit_fetch(void *context,
                      const etna_hash *hash,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err)
{
    return client_get_blob(context, hash, ret_data, ret_size, err);
}

/* A coordinator makes the document when it is asked how the run stands and
 * holds it in memory: one that was restarted since knows nothing of it, and is
 * asked again. */
etna_code visit_report(client *c,
                       const etna_id *run,
                       json_t **ret_document,
                       etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = ETNA_E_NOTFOUND;
    for (int i = 0; code == ETNA_E_NOTFOUND && i < REPORT_TRIES; i++) {
        visit_status status;
        code = visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, run, &status, err);
        if (code)
            return code;
        if (etna_hash_is_zero(&status.report)) {
            return etna_fail(err, ETNA_E_NETWORK,
                             "the run was left %s by its coordinator%s%s",
                             run_state_name(status.state),
                             *status.text ? ": " : "", status.text);
        }
        code = client_get_blob(c, &status.report, &data, &size, err);
    }
    if (!code)
        code = run_json_parse(data, size, ret_document, err);
    free(data);
    return code;
}

/* As many as a message holds, from `skip` on. */
static etna_code visit_runs_page(
    client *c, uint32_t skip, etna_arena *arena, message *ret, etna_error *err)
{
    message request = {.kind = MESSAGE_RUNS_REQUEST};
    request.body.runs_request.skip = skip;
    etna_code code = client_call(c, &request, arena, ret, err);
    return !code && ret->kind != MESSAGE_RUNS ? visit_unexpected(ret, err)
                                              : code;
}

/* All runs, page by page. Runs that begin meanwhile may make one appear twice,
 * as they come newest first. */
etna_code visit_runs(client *c,
                     etna_arena *arena,
                     store_run **ret_runs,
                     size_t *ret_count,
                     etna_error *err)
{
    store_run *runs = NULL;
    size_t count = 0;
    for (bool more = true; more;) {
        message answer;
        etna_code code =
            visit_runs_page(c, (uint32_t)count, arena, &answer, err);
        if (code)
            return code;
        const message_runs *page = &answer.body.runs;
        store_run *grown =
            etna_arena_alloc(arena, count + page->count, sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory listing runs");
        if (count)
            memcpy(grown, runs, count * sizeof *grown);
        for (uint32_t i = 0; i < page->count; i++) {
            const message_run_row *row = &page->runs[i];
            grown[count + i] = (store_run){.id = row->run,
                                           .state = row->state,
                                           .started_ms = row->started_ms};
            grown[count + i].waiting = row->waiting;
            grown[count + i].scene = row->scene;
            grown[count + i].goal = row->goal;
        }
        runs = grown;
        count += page->count;
        more = page->more && page->count;
    }
    *ret_runs = runs;
    *ret_count = count;
    return ETNA_OK;
}

etna_code visit_runs_of(const char *connect,
                        const char *of_store,
                        uint32_t wait_s,
                        etna_arena *arena,
                        store_run **ret_runs,
                        size_t *ret_count,
                        etna_error *err)
{
    client_options options = client_options_default();
    client *c;
    options.store = of_store;
    options.open_ms = (uint64_t)wait_s * 1000;
    etna_code code = client_open(connect, &options, &c, err);
    if (code)
        return code;
    code = visit_runs(c, arena, ret_runs, ret_count, err);
    client_close(c);
    return code;
}

/* The document as it stands, for a run that goes on as well. */
etna_code visit_view(client *c,
                     const etna_id *run,
                     json_t **ret_document,
                     etna_error *err)
{
    visit_status status;
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = visit_ask(c, MESSAGE_RUN_VIEW_REQUEST, run, &status, err);
    if (!code && etna_hash_is_zero(&status.report))
        code = etna_fail(err, ETNA_E_NETWORK,
                         "the coordinator tells nothing of this run");
    if (!code)
        code = client_get_blob(c, &status.report, &data, &size, err);
    if (!code)
        code = run_json_parse(data, size, ret_document, err);
    free(data);
    if (code)
        return code;
    json_object_set_new(*ret_document, "status",
                        json_string(run_state_name(status.state)));
    return ETNA_OK;
}

/* Joins them behind those that there are. */
static etna_code visit_take_lines(const message_events *events,
                                  etna_arena *arena,
                                  core_line **lines,
                                  uint32_t *count,
                                  etna_error *err)
{
    core_line *grown =
        etna_arena_alloc(arena, (size_t)*count + events->count, sizeof *grown);
    if (!grown)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory taking a run's narration");
    if (*count)
        memcpy(grown, *lines, *count * sizeof *grown);
    for (uint32_t i = 0; i < events->count; i++) {
        const message_event *event = &events->events[i];
        grown[*count + i] = (core_line){.sequence = event->sequence,
                                        .time_ms = event->time_ms,
                                        .text = event->line};
    }
    *lines = grown;
    *count += events->count;
    return ETNA_OK;
}

/* What was told so far; it does not wait for more. */
etna_code visit_lines(client *c,
                      const etna_id *run,
                      etna_arena *arena,
                      core_line **ret_lines,
                      uint32_t *ret_count,
                      etna_error *err)
{
    core_line *lines = NULL;
    uint32_t count = 0;
    for (bool more = true;
         /* a page that is not full is the last: to ask on would wait for
          * news */
         more;) {
        message request = {.kind = MESSAGE_EVENTS_REQUEST}, answer;
        request.body.events_request = (message_events_request){
            *run, count ? lines[count - 1].sequence : 0};
        etna_code code = client_call(c, &request, arena, &answer, err);
        if (!code && answer.kind != MESSAGE_EVENTS)
            code = visit_unexpected(&answer, err);
        if (!code)
            code = visit_take_lines(&answer.body.events, arena, &lines, &count,
                                    err);
        if (code)
            return code;
        more = answer.body.events.count == MESSAGE_EVENTS_MAX;
    }
    *ret_lines = lines;
    *ret_count = count;
    return ETNA_OK;
}
