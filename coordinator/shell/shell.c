/* The loop itself: opening, turning, stopping. See shell.h. */
#include "coordinator/shell/files.h"
#include "coordinator/shell/full.h"
#include "coordinator/shell/shell_internal.h"
#include "proto/array.h"
#include "proto/build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds, and turns of LINGER_MS: PULSE, between two ticks at the most;
 * MAINTAIN, between two looks after the store; how long answers on their way
 * are waited for, and after a drain those who still fetch their results. */
enum {
    COOKIE = 0x5e110001,
    PULSE_MS = 1000,
    MAINTAIN_MS = 60000,
    LINGER_MS = 10,
    LINGER_TURNS = 100,
    DRAIN_TURNS = 3000
};

/* Options must come from here: the cookie says so. */
shell_options shell_options_default(void)
{
    return (shell_options){.cookie = COOKIE, .cpus_each = 1, .keep_ended = 64};
}

/* To look at alone. */
const core *shell_core(const shell *s)
{
    return s->c;
}

/* See inbox_is_clogged. */
bool shell_is_clogged(const shell *s)
{
    return s->clogged;
}

/* ---- turns ---- */

static void shell_woken(uv_timer_t *timer);

/* Wakes at the core's deadline or the next pulse, whichever is earlier; while
 * the disk is full, at the next attempt. */
static void shell_set_timer(shell *s)
{
    uint64_t now = shell_now();
    uint64_t next = core_next_deadline(s->c);
    uint64_t pulse = s->alive_ms + PULSE_MS;
    if (s->full) {
        next = s->full_try_ms;
    } else if (next > pulse) {
        /* by the clock, not from now on: this is called at every turn */
        next = pulse;
    }
    uv_update_time(&s->loop);
    uv_timer_start(&s->timer, shell_woken, next > now ? next - now : 0, 0);
}

/* Only where somebody wants them. */
static void shell_tell_metrics(shell *s)
{
    size_t size;
    char *text = s->options.measured ? metrics_of(s, &size) : NULL;
    if (text)
        s->options.measured(s->options.context, text, size);
    free(text);
}

/* For quotas of blobs. */
static bool shell_task_is_open(const void *context, const message_task_ref *ref)
{
    return core_task_is_open(context, ref);
}

/* At every pulse, so that a gap between steps is a stall, and at the core's
 * deadlines. */
static void shell_woken(uv_timer_t *timer)
{
    shell *s = timer->data;
    core_event event = {.kind = CORE_TICK};
    /* the time that passes is a stall: nothing is held against anybody */
    if (s->full) {
        shell_flush(s);
        shell_set_timer(s);
        return;
    }
    if (!shell_step(s, &event))
        return;
    if (s->alive_ms - s->healed_ms >= PULSE_MS) {
        /* a listener that can take nobody now is not dead */
        if (files_look(s))
            inbox_heal(s->in);
        if (s->options.tokens)
            tokens_look(s->options.tokens);
        inbox_tidy(s->in);
        if (inbox_is_clogged(s->in)) {
            s->clogged = true;
            shell_fail(
                s, ETNA_E_NETWORK,
                "connections that have ended keep their descriptors, by a fault of NNG 1.5 that strangers may bring "
                "about; only a new process helps: nothing is lost, and its workers wait for it");
        }
        s->healed_ms = s->alive_ms;
        shell_tell_metrics(s);
    }
    if (s->alive_ms - s->maintained_ms > MAINTAIN_MS) {
        store_maintain(s->options.store);
        quota_sweep(&s->quota, shell_task_is_open, s->c);
        s->maintained_ms = s->alive_ms;
    }
    shell_end_turn(s);
    shell_set_timer(s);
}

/* After what came was taken, and once more before the loop sleeps: whatever
 * stepped, its turn is made durable and told. */
static void turn_ends(shell *s)
{
    shell_end_turn(s);
    if (!s->stopping && core_is_closing(s->c) && !core_live(s->c))
        shell_stop(s);
    if (!s->failure && !s->stopping)
        shell_set_timer(s);
}

/* A turn has ended: its commit follows. */
static void after_poll(uv_check_t *check)
{
    turn_ends(check->data);
}

/* What was gathered outside of events. */
static void before_poll(uv_prepare_t *prepare)
{
    shell_end_turn(prepare->data);
}

/* ---- the end ---- */

/* Whether somebody still waits for us. After a drain those who waited for a run
 * fetch its result, and then hang up. */
static bool shell_is_awaited(const shell *s)
{
    if (core_is_closing(s->c))
        return inbox_pipes(s->in) > 0 && s->linger_turns < DRAIN_TURNS;
    return inbox_sending(s->in) > 0 && s->linger_turns < LINGER_TURNS;
}

/* Answers may still be on their way, and peers may fetch results. */
static void linger_on(uv_timer_t *timer)
{
    shell *s = timer->data;
    s->linger_turns++;
    if (!shell_is_awaited(s))
        uv_stop(&s->loop);
}

/* No worker of ours is left. Answers on their way to others are given a
 * moment. */
static void workers_gone(void *context)
{
    shell *s = context;
    if (s->failure)
        return;
    shell_flush(s);
    uv_timer_start(&s->linger, linger_on, 0, LINGER_MS);
}

/* They end as fast as they are started: there is nothing to wait for. */
static void workers_failed(void *context, const char *why)
{
    shell *s = context;
    shell_fail(s, ETNA_E_IO, "%s: the workers keep ending: %s",
               s->options.worker_program, why);
}

/* The workers end first, then the loop. What a full disk kept from being
 * committed was heard of by nobody, so it is dropped, as if we had died. */
static void shell_end(shell *s, bool at_once)
{
    if (s->full)
        shell_forget_turn(s); /* as if we had died: nobody has heard of it */
    s->full = false;
    shell_flush(s);
    if (s->workers) {
        children_stop(s->workers, at_once);
    } else {
        workers_gone(s);
    }
}

/* Once; further calls change nothing. */
void shell_stop(shell *s)
{
    core_event event = {.kind = CORE_DRAIN};
    if (s->stopping)
        return;
    s->stopping = true;
    shell_step(s, &event);
    shell_end(s, false);
}

/* Without waiting for anybody. */
void shell_leave(shell *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    shell_end(s, true);
}

/* The second signal ends the loop at once; the caller exits. */
static void shell_on_signal(uv_signal_t *handle, int number)
{
    shell *s = handle->data;
    if (s->signal) {
        s->twice = true;
        if (s->workers)
            children_kill(s->workers);
        uv_stop(&s->loop);
        return;
    }
    s->signal = number;
    if (s->options.own) {
        core_event event = {.kind = CORE_SUSPEND, .run = *s->options.own};
        shell_step(s, &event);
        shell_flush(s); /* which may have ended us, as its owner sees fit */
    }
    if (s->options.serve || core_live(s->c)) {
        shell_leave(s);
    } else {
        shell_stop(s);
    }
}

/* A terminal that closed ends a command as SIGTERM does. To a coordinator it
 * means: read your tokens again, now. */
static void shell_on_hangup(uv_signal_t *handle, int number)
{
    shell *s = handle->data;
    if (!s->options.serve) {
        shell_on_signal(handle, number);
    } else if (s->options.tokens) {
        tokens_look(s->options.tokens);
    }
}

/* Else it was begun by nohup. */
static bool shell_is_to_hear_hangup(void)
{
    struct sigaction now;
    return sigaction(SIGHUP, NULL, &now) ||
           now.sa_handler != SIG_IGN; /* else it was begun by nohup */
}

static void shell_on_wake(uv_async_t *handle)
{
    shell *s = handle->data;
    if (s->options.woken && !s->stopping)
        s->options.woken(s->options.context);
}

/* From any thread. */
void shell_wake(shell *s)
{
    uv_async_send(&s->wake);
}

/* ---- opening ---- */

/* None where the options say 0. */
static etna_code start_workers(shell *s, etna_error *err)
{
    children_options options = {
        .program = s->options.worker_program,
        .url = s->options.tokens ? tokens_for_children(s->options.tokens)
                                 : s->options.url,
        .cache = s->options.cache};
    if (!s->options.workers)
        return ETNA_OK;
    options.count = s->options.workers;
    options.cpus_each = s->options.cpus_each;
    options.context = s;
    options.exited = request_worker_exited;
    options.gone = workers_gone;
    options.failed = workers_failed;
    return children_start(&s->loop, &options, &s->workers, err);
}

/* The wake-up alone does not keep the loop going. */
static void open_handles(shell *s)
{
    uv_timer_init(&s->loop, &s->timer);
    uv_timer_init(&s->loop, &s->linger);
    uv_check_init(&s->loop, &s->check);
    uv_prepare_init(&s->loop, &s->prepare);
    uv_signal_init(&s->loop, &s->interrupt);
    uv_signal_init(&s->loop, &s->terminate);
    uv_signal_init(&s->loop, &s->hangup);
    uv_async_init(&s->loop, &s->wake, shell_on_wake);
    s->timer.data = s->linger.data = s->check.data = s->prepare.data =
        s->interrupt.data = s->terminate.data = s;
    s->wake.data = s->hangup.data = s;
    uv_unref((uv_handle_t *)&s->wake);
}

/* The core, the blobs, the link and the workers, in this order. */
static etna_code shell_open_parts(shell *s, etna_error *err)
{
    const shell_options *const options = &s->options;
    core_options decide = core_options_default();
    decide.epoch = store_epoch(options->store);
    decide.outage_ms = options->outage_ms;
    decide.build = etna_build();
    decide.mixed_builds = options->mixed_builds;
    blobs_limits limits = blobs_limits_default();
    inbox_handlers handlers = {
        .context = s, .request = request_taken, .pipe_gone = request_pipe_gone};
    if (options->tokens) {
        handlers.gate = tokens_gate(options->tokens);
        handlers.certificate = tokens_certificate(options->tokens);
    }
    etna_code code = core_new(&decide, &s->c, err);
    if (!code)
        code = blobs_new(options->store, &limits, &s->blobs, err);
    if (!code)
        code = inbox_open(&s->loop, options->url, &handlers, &s->in, err);
    /* a command's few workers wait for each commit in any case */
    if (!code && options->serve && store_may_carry(options->store))
        code = carrier_new(&s->loop, shell_turn_arrived, s, &s->carrier, err);
    return code ? code : start_workers(s, err);
}

/* *ret_shell is set on success alone. */
etna_code shell_new(const shell_options *options,
                    shell **ret_shell,
                    etna_error *err)
{
    if (options->cookie != COOKIE)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "shell options without shell_options_default()");
    shell *s = calloc(1, sizeof *s);
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory starting the coordinator");
    s->options = *options;
    s->turn = 1;
    quota_init(&s->quota);
    if (options->ticket_key)
        s->ticket_key = *options->ticket_key;
    bool has_key = options->ticket_key || seal_random(s->ticket_key.bytes);
    if (!has_key) {
        free(s);
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    }
    s->alive_ms = s->maintained_ms = s->healed_ms = s->begun_ms = shell_now();
    if (uv_loop_init(&s->loop)) {
        free(s);
        return etna_fail(err, ETNA_E_IO, "the event loop cannot be opened");
    }
    open_handles(s);
    etna_code code = shell_open_parts(s, err);
    if (code) {
        shell_free(s);
        return code;
    }
    *ret_shell = s;
    return ETNA_OK;
}

/* NULL is fine. */
void shell_free(shell *s)
{
    if (!s)
        return;
    if (!s->failure)
        /* what still calls back while handles close does nothing */
        s->failure = ETNA_E_CANCELLED;
    if (s->workers) {
        children_kill(s->workers);
        children_free(s->workers);
    }
    inbox_close(s->in);
    carrier_close(s->carrier);
    uv_handle_t *handles[] = {
        (uv_handle_t *)&s->timer,     (uv_handle_t *)&s->linger,
        (uv_handle_t *)&s->check,     (uv_handle_t *)&s->prepare,
        (uv_handle_t *)&s->interrupt, (uv_handle_t *)&s->terminate,
        (uv_handle_t *)&s->wake,      (uv_handle_t *)&s->hangup};
    for (size_t i = 0; i < COUNT_OF(handles); i++)
        uv_close(handles[i], NULL);
    while (uv_run(&s->loop, UV_RUN_DEFAULT)) {
    } /* an earlier uv_stop ends only the first */
    uv_loop_close(&s->loop);
    shell_forget_turn(s);
    full_free(s);
    free(s->fresh);
    rows_free(s);
    quota_free(&s->quota);
    blobs_free(s->blobs);
    core_free(s->c);
    seal_forget(&s->ticket_key, sizeof s->ticket_key);
    free(s);
}

/* ---- from within ---- */

/* The first one. */
static etna_code failure_of(const shell *s, etna_error *err)
{
    return etna_fail(err, s->failure, "%s", s->failure_text);
}

/* A request of our own, as if it had come by the wire; it is answered at once
 * or not at all. */
static etna_code shell_ask(shell *s, message *m, etna_error *err)
{
    uint8_t *data;
    size_t size;
    m->version = MESSAGE_VERSION;
    m->epoch = store_epoch(s->options.store);
    m->sender = UINT64_MAX;
    m->incarnation = m->epoch;
    m->sequence = ++s->local_sequence;
    etna_code code = message_pack(m, &data, &size, err);
    if (code)
        return code;
    s->local_code = ETNA_E_INTERNAL;
    s->local_text[0] = 0;
    request_taken(s, SHELL_LOCAL, 0, 0, data, size);
    free(data);
    shell_flush(s);
    if (s->failure)
        return failure_of(s, err);
    if (s->full)
        return etna_fail(err, ETNA_E_FULL, "the disk is full; free some space");
    if (s->local_code)
        return etna_fail(err, s->local_code, "%s",
                         s->local_text[0] ? s->local_text
                                          : "the coordinator did not answer");
    return ETNA_OK;
}

/* As a peer's message, but from this process. */
etna_code shell_submit(shell *s,
                       const etna_id *run,
                       const uint8_t *config,
                       size_t size,
                       etna_error *err)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit = (message_run_submit){*run, config, size};
    return shell_ask(s, &m, err);
}

/* The same. */
etna_code shell_cancel(shell *s, const etna_id *run, etna_error *err)
{
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = *run;
    return shell_ask(s, &m, err);
}

/* A run that is in memory goes on its way. */
static void shell_go_on(shell *s,
                        const etna_id *run,
                        const message_run_resume *how)
{
    core_event event = {.kind = CORE_RESUME, .run = *run, .resume = how};
    shell_step(s, &event);
    run_entry *entry = rows_find(s, run);
    /* the core, which never saw it suspended, has no change to tell */
    if (entry && entry->state == RUN_SUSPENDED) {
        core_row row = {.run = *run, .state = RUN_RUNNING};
        rows_write(s, &row);
    }
}

etna_code shell_keep(shell *s, etna_error *err)
{
    shell_flush(s);
    return s->failure ? failure_of(s, err) : ETNA_OK;
}

etna_code shell_recover_next(shell *s, const etna_id *run, etna_error *err)
{
    etna_code code = shell_load(s, run, err);
    if (!code)
        shell_go_on(s, run, NULL);
    return code;
}

/* A run from the store into memory, and on its way where `resume` says so. */
etna_code shell_recover(shell *s,
                        const etna_id *run,
                        bool resume,
                        const message_run_resume *how,
                        etna_error *err)
{
    etna_code code = shell_load(s, run, err);
    if (!code && how)
        code = request_know_models(s, how->models, err);
    if (code || !resume)
        return code;
    shell_go_on(s, run, how);
    return shell_keep(s, err);
}

/* Until it is told to stop, or fails. */
etna_code shell_run(shell *s, int *ret_signal, bool *ret_twice, etna_error *err)
{
    uv_check_start(&s->check, after_poll);
    uv_prepare_start(&s->prepare, before_poll);
    uv_signal_start(&s->interrupt, shell_on_signal, SIGINT);
    uv_signal_start(&s->terminate, shell_on_signal, SIGTERM);
    if (shell_is_to_hear_hangup())
        uv_signal_start(&s->hangup, shell_on_hangup, SIGHUP);
    if (!s->failure) {
        shell_set_timer(s);
        s->running = true;
        uv_run(&s->loop, UV_RUN_DEFAULT);
        s->running = false;
    }
    *ret_signal = s->signal;
    *ret_twice = s->twice;
    return s->failure ? failure_of(s, err) : ETNA_OK;
}
