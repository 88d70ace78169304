/* See runner.h. */
#include "coordinator/cli/runner.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "coordinator/report/progress.h"
#include "coordinator/report/refusal_text.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/endpoint.h"
#include "coordinator/shell/recover.h"
#include "coordinator/shell/shell.h"
#include "proto/cpus.h"
#include "proto/error_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct runner {
    const runner_options *options;
    store *store;
    endpoint endpoint;
    shell *shell;
    progress progress;
    char store_path[4000], cache[4096], program[4096];
    bool ended;
    bool broken;                       /* the disk gave out while it ran */
    char outage[MESSAGE_TEXT_MAX + 1]; /* the run suspended itself, and why; "" */
    int signal;
    bool twice;
} runner;

static bool is_ended(run_state state) { return state >= RUN_COMPLETE && state <= RUN_CANCELLED; }

static void on_line(void *context, const core_line *line)
{
    runner *r = context;
    if (r->ended) return; /* workers going home are no news */
    progress_line(&r->progress, line->time_ms, line->text, &line->happening);
    if (r->progress.open || !etna_id_equal(&line->run, &r->options->run)) return;
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    if (!core_view(shell_core(r->shell), &r->options->run, &arena, &view, NULL) && view.node_count &&
        view.nodes[0].state != NODE_PLANNING && !view.error) {
        progress_open(&r->progress); /* it was read: from here on there is something to tell */
    }
    etna_arena_free(&arena);
}

static void on_changed(void *context, const etna_id *run, run_state state)
{
    runner *r = context;
    if (!etna_id_equal(run, &r->options->run)) return;
    if (state == RUN_SUSPENDED) {
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view;
        if (r->shell && !core_view(shell_core(r->shell), run, &arena, &view, NULL))
            snprintf(r->outage, sizeof r->outage, "%s", view.outage);
        etna_arena_free(&arena);
        if (!*r->outage) return; /* by a signal */
    } else if (is_ended(state)) {
        r->ended = true;
    } else {
        return;
    }
    if (r->shell) shell_stop(r->shell);
}

static etna_code keep_scene(runner *r, etna_error *err)
{
    const runner_options *o = r->options;
    store_group *group;
    etna_code code = store_group_begin(r->store, &group, err);
    if (code) return code;
    code = store_put_blob(group, &o->scene, o->bundle, o->bundle_size, err);
    if (!code) return store_group_commit(group, err);
    store_group_abandon(group);
    return code;
}

/* We own the store, so what its rows call running and we don't run, nobody runs: a killed process left it. */
static etna_code mark_left(runner *r, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs;
    size_t count;
    store_group *group = NULL;
    etna_code code = store_list_runs(r->store, &arena, &runs, &count, err);
    if (!code) code = store_group_begin(r->store, &group, err);
    for (size_t i = 0; !code && i < count; i++) {
        if (runs[i].state != RUN_RUNNING || etna_id_equal(&runs[i].id, &r->options->run)) continue;
        runs[i].state = RUN_SUSPENDED;
        code = store_put_run(group, &runs[i], err);
    }
    if (!code) {
        code = store_group_commit(group, err);
    } else {
        store_group_abandon(group);
    }
    etna_arena_free(&arena);
    return code;
}

static etna_code open_shell(runner *r, etna_error *err)
{
    shell_options options = shell_options_default();
    uint32_t cpus = cpus_usable();
    options.store = r->store;
    options.url = r->endpoint.url;
    uint32_t workers = cpus / 8 > 2 ? (cpus + 7) / 8 : 2;
    options.workers = r->options->workers ? r->options->workers : workers;
    options.cpus_each = cpus > options.workers ? cpus / options.workers : 1;
    options.worker_program = r->program;
    options.cache = r->cache;
    options.context = r;
    options.line = on_line;
    options.changed = on_changed;
    options.report = run_json_report;
    return shell_new(&options, &r->shell, err);
}

/* ETNA_OK with r->ended when there is nothing left to run. */
static etna_code look_at_run(runner *r, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    etna_code code = store_get_run(r->store, &r->options->run, &row, &arena, err);
    if (!code) r->ended = is_ended((run_state)row.state);
    etna_arena_free(&arena);
    return code;
}

static etna_code runner_drive(runner *r, etna_error *err)
{
    const runner_options *o = r->options;
    if (!children_program(r->program, sizeof r->program))
        return etna_fail(err, ETNA_E_IO, "the path of this program is too long");
    etna_code code = open_shell(r, err);
    if (!code && o->config) code = shell_submit(r->shell, &o->run, o->config, o->config_size, err);
    if (!code && !o->config) code = shell_recover(r->shell, &o->run, true, err);
    return code ? code : shell_run(r->shell, &r->signal, &r->twice, err);
}

static etna_code runner_fetch(void *context, const etna_hash *hash, uint8_t **ret_data, size_t *ret_size,
                              etna_error *err)
{
    return store_get_blob(context, hash, ret_data, ret_size, err);
}

/* The run as its journal tells it: what is reported is what is durable. */
static etna_code read_document(runner *r, json_t **ret, etna_error *err)
{
    core_options options = core_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core *c;
    options.epoch = store_epoch(r->store);
    etna_code code = core_new(&options, &c, err);
    if (code) return code;
    code = recover_run(r->store, c, &r->options->run, err);
    if (!code) code = core_view(c, &r->options->run, &arena, &view, err);
    json_t *document = code ? NULL : run_json_of(&view);
    if (!code && !document) code = etna_fail(err, ETNA_E_NOMEM, "out of memory writing the report");
    etna_arena_free(&arena);
    core_free(c);
    if (!code) *ret = document;
    return code;
}

static double children_cpu_seconds(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_CHILDREN, &used)) return 0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The command that takes the run up again. */
static void print_resume(const runner *r, const char *why, const char *output)
{
    char name[33], word[4096];
    etna_id_hex(&r->options->run, name);
    fprintf(stderr, "etna: %s: etna resume %s", why, name);
    const char *const flags[] = {"--store", r->options->store, "-o", output};
    for (int i = 0; i < 4; i += 2) {
        if (!flags[i + 1]) continue;
        terminal_quote(flags[i + 1], word, sizeof word);
        fprintf(stderr, " %s ", flags[i]);
        terminal_print(stderr, word);
    }
    fputc('\n', stderr);
}

static int runner_finish(runner *r)
{
    etna_error err = {ETNA_OK, ""};
    json_t *document = NULL;
    if (read_document(r, &document, &err)) return cli_fail(&err);
    json_object_set_new(document, "compute_s", json_real(children_cpu_seconds()));
    int refused = (int)json_integer_value(json_object_get(document, "exit_code"));
    if (r->options->output && refused <= 1 &&
        output_write(r->options->output, document, runner_fetch, r->store, &err)) {
        json_decref(document);
        cli_fail(&err);
        print_resume(r, "nothing is lost; have it written elsewhere with", "DIR");
        return etna_exit_code(err.code);
    }
    int code = runner_report(document, r->options->json, r->options->output);
    json_decref(document);
    return code;
}

static void runner_close_all(runner *r)
{
    progress_end(&r->progress);
    shell_free(r->shell);
    r->shell = NULL;
}

static int run_and_report(runner *r)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = r->ended ? ETNA_OK : runner_drive(r, &err);
    if (r->twice) { /* at once: workers are killed, the system takes the rest */
        endpoint_remove(&r->endpoint);
        _exit(128 + r->signal);
    }
    runner_close_all(r);
    if (code) {
        r->broken = code == ETNA_E_FULL || code == ETNA_E_IO;
        return cli_fail(&err);
    }
    if (r->ended) return runner_finish(r);
    if (*r->outage && !r->signal) {
        etna_error why = {.code = ETNA_E_NETWORK};
        snprintf(why.text, sizeof why.text, "%s", r->outage);
        cli_fail(&why);
        print_resume(r, "suspended; go on with", r->options->output);
        return etna_exit_code(ETNA_E_NETWORK);
    }
    print_resume(r, "suspended; go on with", r->options->output);
    return 128 + r->signal;
}

/* After a failed commit the store answers nothing any more; opened anew it says whether the run came to be. */
static void tell_kept(runner *r)
{
    if (!cli_open_store(r->store_path, NULL, true, &r->store, NULL) && !look_at_run(r, NULL))
        print_resume(r, "what was done is kept; go on with", r->options->output);
    store_close(r->store);
}

int runner_run(const runner_options *options)
{
    runner *r = calloc(1, sizeof *r);
    etna_error err = {ETNA_E_NOMEM, "out of memory"};
    if (!r) return cli_fail(&err);
    r->options = options;
    r->progress = progress_new();
    r->endpoint.lock_fd = -1;
    etna_code code = cli_store_path(options->store, r->store_path, sizeof r->store_path, &err);
    if (!code) code = endpoint_make(&r->endpoint, &err);
    if (!code) code = cli_open_store(r->store_path, r->endpoint.url, false, &r->store, &err);
    snprintf(r->cache, sizeof r->cache, "%s/cache", r->store_path);
    if (!code) code = mark_left(r, &err);
    if (!code && options->bundle) code = keep_scene(r, &err);
    if (!code && !options->config) code = look_at_run(r, &err);
    int exit_code = code ? cli_fail(&err) : run_and_report(r);
    store_close(r->store);
    r->store = NULL;
    if (r->broken) tell_kept(r);
    endpoint_remove(&r->endpoint);
    free(r);
    return exit_code;
}

/* One line of status, and what to try when it did not succeed: the first piece of advice; the report has the rest. */
static void print_summary(const json_t *document, const char *output)
{
    const char *status = field_string(document, "status"), *why = field_string(document, "why");
    const char *advice = json_string_value(json_array_get(json_object_get(document, "advice"), 0));
    json_t *steps = json_object_get(document, "steps"), *step;
    size_t i, edits = json_array_size(steps);
    long long backtracks = (long long)json_integer_value(json_object_get(document, "backtracks"));
    bool is_open = json_is_true(json_object_get(document, "open_list"));
    json_array_foreach(steps, i, step)
    {
        long long item = is_open ? (long long)json_integer_value(json_object_get(step, "item")) : 0;
        printf("%2zu  ", i + 1);
        if (item) printf("(instruction %lld) ", item);
        terminal_print(stdout, field_string(step, "object"));
        fputs(": ", stdout);
        terminal_print(stdout, field_string(step, "instruction"));
        putchar('\n');
    }
    printf("%s: %zu edit%s, %lld backtrack%s, %.1f s", status, edits, edits == 1 ? "" : "s", backtracks,
           backtracks == 1 ? "" : "s", json_number_value(json_object_get(document, "wall_s")));
    if (why && *why) {
        char cut[1024]; /* a model's words may be long: the report has them whole */
        size_t size = progress_fit(why, 240);
        snprintf(cut, sizeof cut, "%.*s%s", (int)size, why, why[size] ? "..." : "");
        fputs("; ", stdout);
        terminal_print(stdout, cut);
    }
    putchar('\n');
    if (strcmp(field_string(document, "ablation"), "none"))
        printf("without a part of the method: %s\n", field_string(document, "ablation"));
    if (advice) {
        fputs("to try: ", stdout);
        terminal_print(stdout, advice);
        putchar('\n');
    }
    if (output) {
        fputs("written to ", stdout);
        terminal_print(stdout, output);
        fputs(output[0] && output[strlen(output) - 1] == '/' ? ", report.html tells it with pictures\n"
                                                             : "/, report.html tells it with pictures\n",
              stdout);
    } else {
        printf("to have it written: etna resume %s -o DIR\n", field_string(document, "run"));
    }
}

/* It could not be done at all: one line says why. */
static void report_error(const json_t *document, bool json)
{
    json_t *cause = json_object_get(document, "error");
    page line = {0};
    if (cause) refusal_text_line(&line, cause);
    fputs("etna: ", stderr);
    terminal_print(stderr, line.data ? line.data : field_string(document, "reason"));
    fputc('\n', stderr);
    refusal_text_print(document, cause);
    page_free(&line);
    json_t *told = json && cause ? error_json_document(json_incref(cause)) : NULL;
    if (told) json_object_set(told, "run", json_object_get(document, "run"));
    cli_print_error(told);
}

int runner_report(const json_t *document, bool json, const char *output)
{
    int code = (int)json_integer_value(json_object_get(document, "exit_code"));
    if (code > 1) {
        report_error(document, json);
        return code;
    }
    if (json) {
        cli_print("etna.run/1", json_incref((json_t *)(uintptr_t)document));
    } else {
        print_summary(document, output);
        refusal_text_print(document, json_object_get(document, "failure"));
    }
    if (fflush(stdout) || ferror(stdout)) {
        etna_error err = {ETNA_E_IO, "standard output cannot be written"};
        return cli_fail(&err);
    }
    return code;
}
