/* How a coordinator stands, in the text format of Prometheus: what `etna top`
 * and the page of --http tell. */
#include "coordinator/shell/shell_internal.h"
#include "proto/array.h"
#include "proto/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* workers that are listed one by one; bytes of the longest line; of the first
 * buffer */
enum {
    WORKERS_TOLD = 4096,
    LINE_MAX_SIZE = 256,
    TEXT_FIRST = 16384
};

/* The text so far. After a failure nothing is added any more. */
typedef struct metrics_text {
    char *data;
    size_t size, room;
    bool failed;
} metrics_text;

static void metrics_add(metrics_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Every line is shorter than LINE_MAX_SIZE, so that room is made before and one
 * vsnprintf() does it. The bound is what a message may carry. */
static void metrics_add(metrics_text *t, const char *format, ...)
{
    if (t->room - t->size < LINE_MAX_SIZE && !t->failed) {
        size_t room = t->room ? 2 * t->room : TEXT_FIRST;
        char *grown =
            room <= MESSAGE_PAYLOAD_MAX ? realloc(t->data, room) : NULL;
        if (grown) {
            t->data = grown;
            t->room = room;
        }
        t->failed = !grown;
    }
    if (t->failed)
        return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->data + t->size, t->room - t->size, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < t->room - t->size)
        t->size += (size_t)n;
}

/* The two lines before a metric's values. */
static void metrics_head(metrics_text *t,
                         const char *name,
                         const char *type,
                         const char *help)
{
    metrics_add(t, "# HELP etna_%s %s\n# TYPE etna_%s %s\n", name, help, name,
                type);
}

/* A metric of one value. */
static void metrics_one(metrics_text *t,
                        const char *name,
                        const char *type,
                        const char *help,
                        double value)
{
    metrics_head(t, name, type, help);
    metrics_add(t, "etna_%s %.15g\n", name, value);
}

typedef struct metrics_kind_row { /* a number of each kind of task */
    const char *name, *type, *help;
    size_t at; /* of a uint64_t in core_kind_totals */
} metrics_kind_row;

/* One line for each kind of task; kind 0 is none. */
static void metrics_kinds(metrics_text *t,
                          const core_totals *totals,
                          const metrics_kind_row *row)
{
    metrics_head(t, row->name, row->type, row->help);
    for (uint32_t kind = 1; kind < TASK_KIND_COUNT; kind++) {
        const char *number = (const char *)&totals->kinds[kind] + row->at;
        metrics_add(
            t, "etna_%s{kind=\"%s\"} %llu\n", row->name, task_kind_name(kind),
            (unsigned long long)*(const uint64_t *)(const void *)number);
    }
}

/* What waits and what is under way, now. */
static void metrics_queue(metrics_text *t, const core_totals *totals)
{
    metrics_head(t, "tasks", "gauge", "Open tasks by kind and state.");
    for (uint32_t kind = 1; kind < TASK_KIND_COUNT; kind++) {
        const core_kind_totals *one = &totals->kinds[kind];
        metrics_add(t, "etna_tasks{kind=\"%s\",state=\"queued\"} %u\n",
                    task_kind_name(kind), (unsigned)one->queued);
        metrics_add(t, "etna_tasks{kind=\"%s\",state=\"leased\"} %u\n",
                    task_kind_name(kind), (unsigned)one->leased);
    }
}

/* Buckets are cumulative already, as the format wants them. */
static void metrics_latency(metrics_text *t,
                            const char *name,
                            const char *kind,
                            const core_latency *latency)
{
    for (int i = 0; i + 1 < CORE_BUCKETS; i++) {
        metrics_add(t, "etna_%s_bucket{kind=\"%s\",le=\"%.15g\"} %llu\n", name,
                    kind, (double)core_bucket_ms[i] / 1000,
                    (unsigned long long)latency->buckets[i]);
    }
    unsigned long long count = latency->count;
    metrics_add(t, "etna_%s_bucket{kind=\"%s\",le=\"+Inf\"} %llu\n", name, kind,
                count);
    metrics_add(t, "etna_%s_sum{kind=\"%s\"} %.15g\n", name, kind,
                (double)latency->sum_ms / 1000);
    metrics_add(t, "etna_%s_count{kind=\"%s\"} %llu\n", name, kind, count);
}

/* Two histograms, by kind of task. */
static void metrics_latencies(metrics_text *t, const core_totals *totals)
{
    metrics_head(t, "task_wait_seconds", "histogram",
                 "From a task's queueing to its lease.");
    for (uint32_t kind = 1; kind < TASK_KIND_COUNT; kind++)
        metrics_latency(t, "task_wait_seconds", task_kind_name(kind),
                        &totals->kinds[kind].waited);
    metrics_head(t, "task_seconds", "histogram",
                 "From a task's lease to its result.");
    for (uint32_t kind = 1; kind < TASK_KIND_COUNT; kind++)
        metrics_latency(t, "task_seconds", task_kind_name(kind),
                        &totals->kinds[kind].took);
}

/* Tokens and money since this coordinator began. */
static void metrics_models(metrics_text *t,
                           const core_totals *totals,
                           const core_counts *counts)
{
    const message_usage *spent = &totals->spent;
    metrics_head(t, "model_tokens_total", "counter",
                 "Tokens of models, lost calls at what they are booked at.");
    metrics_add(t, "etna_model_tokens_total{direction=\"in\"} %llu\n",
                (unsigned long long)spent->tokens_in);
    metrics_add(t, "etna_model_tokens_total{direction=\"out\"} %llu\n",
                (unsigned long long)spent->tokens_out);
    metrics_one(t, "model_calls_total", "counter", "Calls of models.",
                spent->calls);
    metrics_one(t, "model_cost_total", "counter",
                "What they cost, in the price list's currency.",
                (double)spent->cost_micros / 1e6);
    metrics_one(t, "model_calls_in_flight", "gauge",
                "Calls that are under way.", counts->calls_in_flight);
}

/* At most WORKERS_TOLD by name; their number is told whole. */
static void metrics_workers(metrics_text *t, const core *c)
{
    core_worker_view *workers = calloc(WORKERS_TOLD, sizeof *workers);
    if (!workers) {
        t->failed = true;
        return;
    }
    uint32_t count = core_workers(c, workers, WORKERS_TOLD);
    metrics_one(t, "workers", "gauge", "Workers that are there.", count);
    if (count > WORKERS_TOLD)
        count = WORKERS_TOLD;
    metrics_head(t, "worker_leases", "gauge", "Tasks in a worker's hands.");
    for (uint32_t i = 0; i < count; i++)
        metrics_add(t, "etna_worker_leases{worker=\"%016llx\"} %u\n",
                    (unsigned long long)workers[i].id,
                    (unsigned)workers[i].leases);
    metrics_head(t, "worker_results_total", "counter",
                 "A worker's results that counted.");
    for (uint32_t i = 0; i < count; i++)
        metrics_add(t, "etna_worker_results_total{worker=\"%016llx\"} %llu\n",
                    (unsigned long long)workers[i].id,
                    (unsigned long long)workers[i].results);
    free(workers);
}

/* What it takes, and how long commits are. */
static void metrics_store(metrics_text *t, const shell *s)
{
    metrics_one(t, "store_file_bytes", "gauge",
                "Bytes of the store's data file.",
                (double)store_file_bytes(s->options.store));
    metrics_one(t, "store_full", "gauge",
                "1 while the disk is full and all waits.", s->full);
    metrics_head(t, "blob_bytes_total", "counter",
                 "Bytes of blobs that peers got and put.");
    metrics_add(t, "etna_blob_bytes_total{direction=\"out\"} %llu\n",
                (unsigned long long)s->blob_bytes_out);
    metrics_add(t, "etna_blob_bytes_total{direction=\"in\"} %llu\n",
                (unsigned long long)s->blob_bytes_in);
    metrics_head(t, "commit_seconds", "summary", "Commits of the store.");
    metrics_add(
        t, "etna_commit_seconds_sum %.15g\netna_commit_seconds_count %llu\n",
        (double)s->commit_ns / 1e9, (unsigned long long)s->commits);
}

/* Counters that never fall. */
static void metrics_tasks(metrics_text *t, const core_totals *totals)
{
    static const metrics_kind_row rows[] = {
        {"leases_granted_total", "counter", "Leases, by kind of task.",
         offsetof(core_kind_totals, granted)},
        {"task_retries_total", "counter",
         "Leases of tasks that had been leased before.",
         offsetof(core_kind_totals, repeated)},
        {"leases_doubled_total", "counter",
         "Leases of tasks that took another worker too long.",
         offsetof(core_kind_totals, doubled)},
        {"task_errors_total", "counter",
         "Results that say that a task could not be done.",
         offsetof(core_kind_totals, errors)},
        {"tasks_refused_total", "counter", "Tasks that were given up.",
         offsetof(core_kind_totals, refused)}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        metrics_kinds(t, totals, &rows[i]);
}

/* NULL: out of memory, or more than a message holds. The caller frees it. */
char *metrics_of(shell *s, size_t *ret_size)
{
    metrics_text t = {.data = NULL};
    core_totals totals = core_measure(s->c);
    core_counts counts = core_count(s->c);
    metrics_head(&t, "build_info", "gauge", "Which build this is.");
    metrics_add(&t, "etna_build_info{build=\"%s\"} 1\n", etna_build());
    metrics_one(&t, "up_seconds", "gauge", "Since it began.",
                (double)(shell_now() - s->begun_ms) / 1000);
    metrics_one(&t, "runs_live", "gauge", "Runs that go on.", core_live(s->c));
    metrics_one(&t, "runs_in_memory", "gauge",
                "Runs that are known without the store.", counts.runs);
    metrics_queue(&t, &totals);
    metrics_tasks(&t, &totals);
    metrics_latencies(&t, &totals);
    metrics_one(&t, "leases_lost_total", "counter",
                "Leases that ended without their worker's word.",
                (double)totals.leases_lost);
    metrics_one(&t, "worker_deaths_total", "counter",
                "Workers that died by their own fault.", (double)totals.deaths);
    metrics_models(&t, &totals, &counts);
    metrics_workers(&t, s->c);
    metrics_store(&t, s);
    if (t.failed) {
        free(t.data);
        return NULL;
    }
    *ret_size = t.size;
    return t.data;
}

/* For `etna top`, over the same wire as everything else. */
void request_metrics(shell *s, uint64_t request, const message *m)
{
    message answer = {.version = MESSAGE_VERSION,
                      .epoch = store_epoch(s->options.store),
                      .incarnation = m->incarnation,
                      .sequence = m->sequence,
                      .kind = MESSAGE_METRICS};
    char *text = metrics_of(s, &answer.body.metrics.size);
    answer.body.metrics.text = (const uint8_t *)text;
    if (text) {
        shell_answer(s, request, &answer);
    } else {
        request_refuse(s, request, m, ETNA_E_NOMEM,
                       "out of memory telling how it stands");
    }
    free(text);
}
