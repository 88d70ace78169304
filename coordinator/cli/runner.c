/* Carries one run to its end from the terminal that asked for it.
 *
 *    runner_carry ──> runner_take_store
 *      the store is ours:    runner_own ──> runner_drive (shell_run) ──> told
 *      another owns it:      guest_visit
 *         its run is over:     runner_tell_visit
 *         that owner died:     guest_pause, and again from the start
 *
 * Two processes may be started for one store at the same moment, and the one
 * that owns it may be killed at any moment. So neither role is fixed: whoever
 * finds the store free takes it and carries the runs of the one that died.
 * Everything that is reported is read back from the journal, never from this
 * process's memory, so that a crash right after the report cannot contradict
 * it. */
#include "coordinator/cli/runner.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/guest.h"
#include "coordinator/cli/left.h"
#include "coordinator/cli/outcome.h"
#include "coordinator/report/output.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/endpoint.h"
#include "coordinator/shell/recover.h"
#include "coordinator/shell/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* State of one `etna run` or `etna resume`. Allocated once (it holds several
 * paths of 4 KB) and touched by the main thread alone: the shell's callbacks
 * run on its loop, which is this thread. */
typedef struct runner {
    const runner_options *options;
    store *store;
    endpoint endpoint;
    shell *shell;
    guest guest;
    progress progress;
    char store_path[4000], cache[4096], program[4096];
    bool kept; /* the store has the run */
    bool ended;
    /* runner_tell was called before the shell ended, since it goes on with the
     * runs of other submitters */
    bool told;
    bool alone;    /* this process carried no other run */
    int exit_code; /* once it was told */
    bool broken;   /* the disk gave out while it ran */
    /* the run suspended itself, and why; "" */
    char outage[MESSAGE_TEXT_MAX + 1];
    etna_code rests_by; /* as core_run_view's */
    int signal;
    bool twice;
} runner;

/* The states are ordered: the first terminal one is RUN_COMPLETE. */
static bool is_ended(run_state state)
{
    return state >= RUN_COMPLETE && state <= RUN_CANCELLED;
}

/* A line without a run (a worker that came or went) concerns everybody. */
static bool is_of_others(const runner *r, const etna_id *run)
{
    static const etna_id none;
    return !etna_id_equal(run, &none) && !etna_id_equal(run, &r->options->run);
}

/* Lines are held back until the goal was read, so that a refusal is one line;
 * but nobody waits longer than this without any. */
enum {
    QUIET_MS = 20000
};

static void on_line(void *context, const core_line *line)
{
    runner *r = context;
    if (r->ended || r->options->ended || is_of_others(r, &line->run))
        return; /* workers going home are no news */
    progress_line(&r->progress, line->time_ms, line->text, &line->happening);
    if (r->progress.open || !etna_id_equal(&line->run, &r->options->run))
        return;
    if (line->time_ms >= QUIET_MS) {
        progress_open(&r->progress);
        return;
    }
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    if (!core_view(shell_core(r->shell), &r->options->run, &arena, &view,
                   NULL) &&
        view.node_count && view.nodes[0].state != NODE_PLANNING &&
        !view.error) {
        /* it was read: from here on there is something to tell */
        progress_open(&r->progress);
    }
    etna_arena_free(&arena);
}

/* Keeps why the run suspended itself. The view's text lives in an arena, and
 * the shell, thus the core, is freed before the text is printed. */
static void runner_note_outage(runner *r)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    if (r->shell && !core_view(shell_core(r->shell), &r->options->run, &arena,
                               &view, NULL)) {
        snprintf(r->outage, sizeof r->outage, "%s", view.outage);
        r->rests_by = view.rests_by;
    }
    etna_arena_free(&arena);
}

static int runner_tell(runner *r);

/* Our run is over while runs of other submitters still go on in this process.
 * Its waiting user is told now, instead of when the last of those ends. */
static void runner_own_over(runner *r)
{
    uint32_t others = core_live(shell_core(r->shell));
    if (!others)
        return;
    r->alone = false;
    r->exit_code = runner_tell(r);
    r->told = true;
    const char *plural = others == 1 ? "" : "s";
    const char *verb_end = others == 1 ? "es" : "";
    const char *them = others == 1 ? "it" : "them";
    fprintf(
        stderr,
        "etna: %u other run%s of this store go%s on in this process; Ctrl-C leaves %s to the next\n",
        (unsigned)others, plural, verb_end, them);
}

/* Called by the shell for every run. It also decides when the loop ends: not
 * before our run is over, and not while another run depends on this process. */
static void on_changed(void *context, const etna_id *run, run_state state)
{
    runner *r = context;
    bool over = is_ended(state) || state == RUN_SUSPENDED;
    if (!over || !r->shell)
        return;
    if (etna_id_equal(run, &r->options->run)) {
        r->ended = is_ended(state);
        if (!r->ended)
            runner_note_outage(r);
        bool by_signal = !r->ended && !*r->outage;
        if (by_signal)
            return; /* the shell ends by itself */
        runner_own_over(r);
    }
    bool mine_over = r->ended || *r->outage;
    if (mine_over && !core_live(shell_core(r->shell)))
        shell_stop(r->shell);
}

etna_code runner_keep_scene(store *s, const runner_options *o, etna_error *err)
{
    store_group *group;
    etna_code code = store_group_begin(s, &group, err);
    if (code)
        return code;
    if (o->bundle)
        code = store_put_blob(group, &o->scene, o->bundle, o->bundle_size, err);
    for (uint32_t i = 0; !code && i < o->part_count; i++)
        code = store_put_blob(group, &o->parts[i].hash, o->parts[i].data,
                              o->parts[i].size, err);
    bool is_open = code != ETNA_OK;
    if (!code) {
        code = store_group_commit(group, err);
        is_open = code == ETNA_E_FULL;
    }
    if (is_open)
        store_group_abandon(group);
    return code;
}

/* The loop with a private endpoint and `workers` worker processes. `own`: a
 * signal suspends our run, and leaves those of others as they are for the next
 * owner. */
static etna_code open_shell(runner *r, etna_error *err)
{
    shell_options options = shell_options_default();
    options.store = r->store;
    options.url = r->endpoint.url;
    options.own = &r->options->run;
    cli_share_processors(&options, r->options->workers);
    options.worker_program = r->program;
    options.cache = r->cache;
    options.context = r;
    options.line = on_line;
    options.changed = on_changed;
    options.report = run_json_report;
    return shell_new(&options, &r->shell, err);
}

/* Sets `kept` and `ended` from the store's row. No row is fine for a new run,
 * and an error for one that is to be resumed. ETNA_E_OWNED: the run was
 * accepted by a coordinator, which promised its submitter to finish it; a
 * command must not take it away. */
static etna_code look_at_run(runner *r, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    etna_error missing;
    etna_code code =
        store_get_run(r->store, &r->options->run, &row, &arena, &missing);
    r->kept = !code;
    r->ended = r->kept && is_ended((run_state)row.state);
    bool of_coordinator = r->kept && row.keeper == RUN_KEEPER_COORDINATOR;
    etna_arena_free(&arena);
    if (code == ETNA_E_NOTFOUND && r->options->config)
        code = ETNA_OK;
    if (code && err)
        *err = missing;
    if (code || r->ended || !of_coordinator)
        return code;
    return etna_fail(
        err, ETNA_E_OWNED,
        "a coordinator accepted this run and goes on with it when one is started: etna coordinator "
        "--listen URL --store %s",
        r->store_path);
}

/* The run's life in our own loop: recover it or submit it, and take along what
 * a dead owner left. */
static etna_code runner_drive(runner *r, etna_error *err)
{
    const runner_options *o = r->options;
    if (!children_program(r->program, sizeof r->program))
        return etna_fail(err, ETNA_E_IO,
                         "the path of this program is too long");
    cli_raise_files();
    etna_code code = open_shell(r, err);
    /* Who was the guest of an owner that died takes up what that one ran, its
     * own run first. */
    if (!code && r->kept)
        code = shell_recover(r->shell, &o->run, true, &o->resume, err);
    if (!code && !r->kept)
        code = shell_submit(r->shell, &o->run, o->config, o->config_size, err);
    if (!code && r->guest.epoch)
        code = left_resume(r->shell, r->store, RUN_KEEPER_COMMAND,
                           r->guest.epoch, NULL, err);
    return code ? code : shell_run(r->shell, &r->signal, &r->twice, err);
}

/* An output_fetch over the store `context`. */
static etna_code runner_fetch(void *context,
                              const etna_hash *hash,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err)
{
    return store_get_blob(context, hash, ret_data, ret_size, err);
}

/* What is to be had of the ended run's view. */
typedef struct run_told {
    json_t *document;
    int exit_code; /* of options.ended */
} run_told;

static etna_code view_tell(runner *r,
                           const core_run_view *view,
                           run_told *ret,
                           etna_error *err)
{
    const runner_options *o = r->options;
    if (o->ended) {
        ret->exit_code = o->ended(o->context, r->store, view);
        return ETNA_OK;
    }
    ret->document = run_json_of(view);
    return ret->document ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "out of memory writing the report");
}

/* The run as its journal tells it: what is reported is what is durable. */
static etna_code read_document(runner *r, run_told *ret, etna_error *err)
{
    core_options options = core_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core *c;
    options.epoch = store_epoch(r->store);
    etna_code code = core_new(&options, &c, err);
    if (code)
        return code;
    code = recover_run(r->store, c, &r->options->run, err);
    if (!code)
        code = core_view(c, &r->options->run, &arena, &view, err);
    if (!code)
        code = view_tell(r, &view, ret, err);
    etna_arena_free(&arena);
    core_free(c);
    return code;
}

/* User and system time of the workers that have ended and were waited for.
 * Valid as the run's compute only after shell_free() and only if they served no
 * other run. */
static double children_cpu_seconds(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_CHILDREN, &used))
        return 0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* Reads the ended run back, writes its files to --output, prints the summary or
 * the document. Where writing fails, nothing is lost: the store has it all, and
 * the command that writes it elsewhere is named. */
static int runner_finish(runner *r)
{
    const runner_options *o = r->options;
    etna_error err = {ETNA_OK, ""};
    run_told told = {.document = NULL};
    if (read_document(r, &told, &err))
        return cli_fail(&err);
    if (o->ended)
        return told.exit_code;
    json_t *document = told.document;
    /* with what its processes did beside its tasks; of workers that did others'
     * tasks, too, only what they tell is the run's */
    if (r->alone)
        json_object_set_new(document, "compute_s",
                            json_real(children_cpu_seconds()));
    bool kept = o->output && output_is_worth(document);
    if (kept &&
        output_write(o->output, document, runner_fetch, r->store, &err)) {
        json_decref(document);
        cli_fail(&err);
        outcome_print_resume(&o->run,
                             "nothing is lost; have it written elsewhere with",
                             o->store, "DIR");
        return etna_exit_code(err.code);
    }
    int code = outcome_report(document, o, NULL);
    json_decref(document);
    return code;
}

/* How the run stands, for who waits for it; its exit code. */
static int runner_tell(runner *r)
{
    const runner_options *o = r->options;
    progress_end(&r->progress);
    if (r->ended)
        return runner_finish(r);
    if (*r->outage && !r->signal)
        return outcome_suspended(o, r->rests_by, r->outage);
    return outcome_interrupted(o, "suspended", r->signal);
}

static void runner_close_all(runner *r)
{
    progress_end(&r->progress);
    shell_free(r->shell);
    r->shell = NULL;
}

/* What is not kept yet is, and what has not ended is carried to its end. */
static etna_code runner_begin(runner *r, etna_error *err)
{
    etna_code code = look_at_run(r, err);
    if (code || r->ended)
        return code;
    if (!r->kept && (r->options->bundle || r->options->part_count))
        code = runner_keep_scene(r->store, r->options, err);
    return code ? code : runner_drive(r, err);
}

/* We own the store until this returns. A second signal skips every destructor:
 * a disk or a worker that hangs must not keep the user at the terminal. */
static int runner_own(runner *r)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = runner_begin(r, &err);
    if (r->twice) { /* at once: workers are killed, the system takes the rest */
        endpoint_remove(&r->endpoint);
        _exit(128 + r->signal);
    }
    runner_close_all(r);
    if (!code)
        return r->told ? r->exit_code : runner_tell(r);
    r->broken = code == ETNA_E_FULL || code == ETNA_E_IO;
    return r->told ? r->exit_code : cli_fail(&err);
}

/* Another process's owner carried the run; what is durable says how it
 * ended. */
static int runner_tell_visit(runner *r)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = cli_open_store(r->store_path, NULL, true, &r->store, &err);
    progress_end(&r->progress);
    r->ended = is_ended(r->guest.status.state);
    r->alone = false;
    if (code)
        return cli_fail(&err);
    if (r->ended)
        return runner_finish(r);
    const char *why = r->guest.status.text;
    return outcome_suspended(r->options, r->guest.status.rests_by,
                             *why ? why : "another process suspended the run");
}

/* ETNA_E_OWNED: another process has the store, or our run belongs to a
 * coordinator. The latter is also found out here for a new run whose
 * coordinator had made it durable and died before its answer arrived: the user
 * believes it to be unsubmitted, and submitting it again would be a second
 * promise. */
static etna_code runner_take_store(runner *r, etna_error *err)
{
    if (guest_waits(&r->guest))
        return ETNA_E_OWNED;
    etna_code code = cli_own_store(r->options->store, r->store_path,
                                   r->endpoint.url, &r->store, err);
    bool was_taken =
        !code && r->options->config && look_at_run(r, NULL) == ETNA_E_OWNED;
    if (!was_taken)
        return code;
    guest_leave_to_coordinator(&r->guest);
    store_close(r->store);
    r->store = NULL;
    return ETNA_E_OWNED;
}

/* Takes the store, or stays with who has it; again when that one has gone. */
static int runner_carry(runner *r)
{
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0;
    for (;;) {
        etna_code code = runner_take_store(r, &err);
        if (!code)
            return runner_own(r);
        if (code != ETNA_E_OWNED)
            return cli_fail(&err);
        guest_end end = guest_visit(&r->guest, &exit_code);
        if (end == GUEST_OVER)
            return runner_tell_visit(r);
        if (end == GUEST_LEFT || !guest_pause(&r->guest, &exit_code))
            return exit_code;
    }
}

/* After a failed commit the store answers nothing any more; opened anew it says
 * whether the run came to be. */
static void tell_kept(runner *r)
{
    if (!cli_open_store(r->store_path, NULL, true, &r->store, NULL) &&
        !look_at_run(r, NULL) && r->kept)
        outcome_print_resume(&r->options->run,
                             "what was done is kept; go on with",
                             r->options->store, r->options->output);
    store_close(r->store);
}

/* lock_fd -1 says "no endpoint yet" to endpoint_remove(). */
static runner *runner_new(const runner_options *options)
{
    runner *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->options = options;
    r->progress = progress_new();
    r->progress.silent = options->ended != NULL;
    r->endpoint.lock_fd = -1;
    return r;
}

bool runner_fetch_ended(const runner_options *options, int *ret_exit)
{
    etna_error err = {ETNA_E_NOMEM, "out of memory"};
    runner *r = runner_new(options);
    etna_code code = r ? cli_store_path(options->store, r->store_path,
                                        sizeof r->store_path, &err)
                       : ETNA_E_NOMEM;
    if (!code)
        code = cli_open_store(r->store_path, NULL, true, &r->store, &err);
    if (!code)
        code = look_at_run(r, &err);
    bool rests = code == ETNA_E_OWNED || (!code && !r->ended);
    if (!rests)
        *ret_exit = code ? cli_fail(&err) : runner_finish(r);
    if (r)
        store_close(r->store);
    free(r);
    return !rests;
}

int runner_run(const runner_options *options)
{
    etna_error err = {ETNA_E_NOMEM, "out of memory"};
    runner *r = runner_new(options);
    if (!r)
        return cli_fail(&err);
    r->alone = true;
    r->guest = (guest){.options = options,
                       .store_path = r->store_path,
                       .progress = &r->progress};
    etna_code code = cli_store_path(options->store, r->store_path,
                                    sizeof r->store_path, &err);
    if (!code)
        code = endpoint_make(&r->endpoint, &err);
    snprintf(r->cache, sizeof r->cache, "%s/cache", r->store_path);
    int exit_code = code ? cli_fail(&err) : runner_carry(r);
    store_close(r->store);
    r->store = NULL;
    if (r->broken)
        tell_kept(r);
    progress_end(&r->progress); /* what a guest was told and never shown */
    endpoint_remove(&r->endpoint);
    free(r);
    return exit_code;
}
