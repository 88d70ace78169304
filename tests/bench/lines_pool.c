/* What a task costs the pool that does nothing else: a coordinator of the real
 * parts, with its store on the disk and its tokens over loopback TCP, and 64
 * workers of four slots whose links and sockets are the real ones and whose
 * tasks are done as they come. Runs are submitted before, and go on together to
 * their ends. Each result is durable before its worker hears so. Beside it a
 * bare commit of the same disk. */
#include "coordinator/shell/client.h"
#include "coordinator/shell/shell.h"
#include "proto/build.h"
#include "store/store.h"
#include "tests/bench/rig.h"
#include "worker/link/link.h"
#include "worker/shell/net.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    HANDS = 64,
    SLOTS = 4,
    RUNS = 256,
    BRANCHES = 4,
    POLLS = 8,
    TICK_MS = 50,
    STARTED_MOST = 32,
    PEER_TASKS = 5000
};

typedef struct pool_bench pool_bench;

typedef struct hand { /* a worker */
    pool_bench *pool;
    net *net;
    worker_link *link;
    link_output started[STARTED_MOST];
    uint8_t kinds[STARTED_MOST];
    uint32_t nodes[STARTED_MOST];
    uint32_t started_count;
    /* the request of its results that are under way; since when */
    uint64_t asked;
    double asked_ms;
} hand;

struct pool_bench {
    char store_path[256], url[256];
    store *store;
    tokens *tokens;
    listen_address address;
    shell *shell;
    pthread_t thread;
    client *client;
    hand *hands;
    uint32_t hand_count, run_count, slots;
    /* tasks that all of them do in a second; 0: each as it comes */
    double rate, begun_ms;
    uint64_t paced;     /* done since then */
    uint32_t next_hand; /* whose turn it is to be done */
    double *trips;      /* ms from results sent to their answer */
    size_t trip_count, trip_room;
    int woken;
    atomic_uint ended;
    uint32_t submitted;
    uint64_t done;
    etna_hash blob;
};

/* ---- the coordinator, on a thread of its own ---- */

static void pool_changed(void *context, const etna_id *run, run_state state)
{
    pool_bench *p = context;
    uint64_t one = 1;
    (void)run;
    if (state < RUN_COMPLETE)
        return;
    if (state != RUN_COMPLETE)
        bench_die("pool", "a run did not complete");
    p->ended++;
    (void)!write(p->woken, &one, sizeof one);
}

static void pool_leave(void *context)
{
    shell_leave(((pool_bench *)context)->shell);
}

static void *pool_serve(void *context)
{
    pool_bench *p = context;
    int number;
    bool twice;
    etna_error err = {0};
    rig_must(shell_run(p->shell, &number, &twice, &err), &err);
    return NULL;
}

static void pool_store_open(pool_bench *p, bench *b)
{
    etna_error err = {0};
    store_group *group;
    snprintf(p->store_path, sizeof p->store_path, "%s",
             bench_path(b, "pool.store"));
    store_options options = store_options_default();
    options.path = p->store_path;
    options.endpoint = p->url;
    rig_must(store_open(&options, &p->store, &err), &err);
    p->blob = etna_hash_bytes("pool", 4);
    rig_must(store_group_begin(p->store, &group, &err), &err);
    rig_must(store_put_blob(group, &p->blob, "pool", 4, &err), &err);
    rig_must(store_group_commit(group, &err), &err);
}

static void pool_coordinate(pool_bench *p)
{
    etna_error err = {0};
    rig_must(address_read(p->url, "localhost", &p->address, &err), &err);
    const tokens_options known = {.store_path = p->store_path,
                                  .address = &p->address,
                                  .epoch = store_epoch(p->store)};
    if (tokens_are_wanted(p->url))
        rig_must(tokens_open(&known, &p->tokens, &err), &err);
    shell_options options = shell_options_default();
    options.store = p->store;
    options.url = p->address.listen;
    options.tokens = p->tokens;
    options.serve = true;
    options.context = p;
    options.changed = pool_changed;
    options.woken = pool_leave;
    rig_must(shell_new(&options, &p->shell, &err), &err);
    if (pthread_create(&p->thread, NULL, pool_serve, p))
        bench_die("pool", "no thread");
}

/* ---- the workers, all on the caller's thread ---- */

static uint64_t pool_now(void)
{
    return (uint64_t)bench_now(BENCH_WALL);
}

static void pool_wake(void *context)
{
    uint64_t one = 1;
    (void)!write(((hand *)context)->pool->woken, &one, sizeof one);
}

static arrange_result pool_result(const hand *h, uint32_t at)
{
    const etna_hash blob = h->pool->blob;
    arrange_result result = {.kind = h->kinds[at]};
    bool begins = h->nodes[at] == 1;
    switch (result.kind) {
    case TASK_IMPORT:
        result.snapshot = blob;
        result.object_count = result.movable_count = 2;
        result.camera = "Camera";
        break;
    case TASK_PLAN:
        result.plan_status = begins ? PLAN_EDIT : PLAN_FINISHED;
        result.instruction = begins ? "put the bottle on the block" : "";
        result.reason = begins ? "" : "all is done";
        break;
    case TASK_BRANCH:
        result.branch_status = BRANCH_VALID;
        result.object = "bottle";
        result.plane = "block_up";
        result.snapshot = blob;
        break;
    case TASK_POLL:
        result.verdict = VERDICT_GOOD;
        result.reason = "looked";
        break;
    default: result.blob = blob; break;
    }
    return result;
}

static void hand_step(hand *h, link_event event);

static void hand_finish(hand *h, uint32_t at)
{
    const arrange_result result = pool_result(h, at);
    etna_error err = {0};
    uint8_t *data;
    size_t size;
    rig_must(arrange_result_pack(&result, &data, &size, &err), &err);
    h->pool->done++;
    link_event done = {.kind = LINK_JOB_DONE,
                       .job = h->started[at].job,
                       .data = data,
                       .size = size};
    done.more = at > 0;
    hand_step(h, done);
    free(data);
}

static void hand_start(hand *h, const link_output *out)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    arrange_task task;
    if (h->started_count == STARTED_MOST)
        bench_die("pool", "too many tasks at once");
    rig_must(arrange_task_unpack(out->lease->payload, out->lease->payload_size,
                                 &arena, &task, &err),
             &err);
    h->kinds[h->started_count] = (uint8_t)task.kind;
    h->nodes[h->started_count] = task.node;
    h->started[h->started_count++] = *out;
    etna_arena_free(&arena);
}

static void hand_send(hand *h, const link_output *out)
{
    etna_error err = {0};
    uint8_t *data;
    size_t size;
    if (out->message->kind == MESSAGE_RESULT) {
        h->asked = out->request;
        h->asked_ms = bench_now(BENCH_WALL);
    }
    rig_must(message_pack(out->message, &data, &size, &err), &err);
    rig_must(net_send(h->net, out->request, data, size, &err), &err);
    free(data);
}

/* A task that waits for its moment is wanted no more. */
static void hand_drop(hand *h, uint64_t job)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < h->started_count; i++) {
        if (h->started[i].job == job)
            continue;
        h->started[kept] = h->started[i];
        h->kinds[kept] = h->kinds[i];
        h->nodes[kept++] = h->nodes[i];
    }
    h->started_count = kept;
}

static void hand_step(hand *h, link_event event)
{
    link_update update;
    etna_error err = {0};
    uint64_t gone[STARTED_MOST];
    uint32_t gone_count = 0;
    event.time_ms = pool_now();
    rig_must(link_step(h->link, &event, &update, &err), &err);
    for (size_t i = 0; i < update.count; i++) {
        const link_output *out = &update.outputs[i];
        if (out->kind == LINK_OUT_SEND)
            hand_send(h, out);
        if (out->kind == LINK_OUT_DROP)
            net_drop(h->net, out->request);
        if (out->kind == LINK_OUT_START)
            hand_start(h, out);
        if (out->kind == LINK_OUT_CANCEL && gone_count < STARTED_MOST)
            gone[gone_count++] = out->job;
    }
    for (uint32_t i = 0; i < gone_count; i++) {
        hand_drop(h, gone[i]);
        hand_step(h, (link_event){.kind = LINK_JOB_GONE, .job = gone[i]});
    }
    while (h->started_count && !h->pool->rate)
        hand_finish(h, --h->started_count);
}

static void pool_note_trip(pool_bench *p, double ms)
{
    if (p->trip_count == p->trip_room) {
        p->trip_room = p->trip_room ? 2 * p->trip_room : 4096;
        p->trips = realloc(p->trips, p->trip_room * sizeof *p->trips);
        if (!p->trips)
            bench_die("pool", "out of memory");
    }
    p->trips[p->trip_count++] = ms;
}

static void hand_received(void *context,
                          uint64_t request,
                          const uint8_t *data,
                          size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    message m;
    hand *h = context;
    rig_must(message_unpack(data, size, &arena, &m, &err), &err);
    if (m.kind == MESSAGE_REFUSED)
        bench_die("pool", m.body.refused.text);
    if (request == h->asked)
        pool_note_trip(h->pool, bench_now(BENCH_WALL) - h->asked_ms);
    hand_step(h, (link_event){.kind = LINK_RECEIVED,
                              .request = request,
                              .message = &m,
                              .more = true});
    hand_step(h, (link_event){.kind = LINK_TICK});
    etna_arena_free(&arena);
}

static void hand_lost(void *context, uint64_t request)
{
    hand_step(context, (link_event){.kind = LINK_LOST, .request = request});
}

static void hand_disconnected(void *context)
{
    hand_step(context, (link_event){.kind = LINK_LOST});
}

/* What its workers and its client dial. */
static const char *pool_address(const pool_bench *p)
{
    return p->tokens ? tokens_for_children(p->tokens) : p->url;
}

static void hand_open(pool_bench *p, hand *h, uint64_t number)
{
    etna_error err = {0};
    link_config config = link_config_default();
    h->pool = p;
    config.sender = number;
    config.incarnation = 1;
    config.slots = p->slots;
    config.cpus = 1;
    config.build = etna_build();
    const net_handlers handlers = {h,         pool_wake,         hand_received,
                                   hand_lost, hand_disconnected, NULL};
    rig_must(link_new(&config, &h->link, &err), &err);
    rig_must(net_open(pool_address(p), NULL, &handlers, &h->net, &err), &err);
    hand_step(h, (link_event){.kind = LINK_START});
}

/* ---- measured ---- */

static void pool_submit(pool_bench *p)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    message m = {.kind = MESSAGE_RUN_SUBMIT}, answer;
    arrange_config config = arrange_config_default();
    uint8_t *bytes;
    size_t size;
    config.scene = p->blob;
    config.scene_name = "pool.glb";
    config.goal = "put the bottle on the block";
    config.branches = BRANCHES;
    config.polls = POLLS;
    config.early_end = EARLY_END_ORDERED;
    rig_must(arrange_config_pack(&config, &bytes, &size, &err), &err);
    m.body.run_submit =
        (message_run_submit){.config = bytes, .config_size = size};
    p->submitted++;
    memcpy(m.body.run_submit.run.bytes, &p->submitted, sizeof p->submitted);
    rig_must(client_call(p->client, &m, &arena, &answer, &err), &err);
    free(bytes);
    etna_arena_free(&arena);
}

/* As many as the rate has room for by now: hand after hand, all that one has. */
static void pool_pace(pool_bench *p)
{
    const double due = p->rate * (bench_now(BENCH_WALL) - p->begun_ms) / 1e3;
    for (uint32_t i = 0; i < p->hand_count && (double)p->paced < due; i++) {
        hand *h = &p->hands[p->next_hand++ % p->hand_count];
        p->paced += h->started_count;
        while (h->started_count)
            hand_finish(h, --h->started_count);
    }
}

static void pool_pump(pool_bench *p)
{
    struct pollfd woken = {.fd = p->woken, .events = POLLIN};
    uint64_t times;
    int ready = poll(&woken, 1, p->rate ? 1 : TICK_MS);
    (void)!read(p->woken, &times, sizeof times);
    for (uint32_t i = 0; i < p->hand_count; i++) {
        net_collect(p->hands[i].net);
        if (!ready)
            hand_step(&p->hands[i], (link_event){.kind = LINK_TICK});
    }
    if (p->rate)
        pool_pace(p);
}

/* A number of the coordinator's metrics; `line` with a newline before it. */
static double pool_metric(pool_bench *p, const char *line)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    message m = {.kind = MESSAGE_METRICS_REQUEST}, answer;
    rig_must(client_call(p->client, &m, &arena, &answer, &err), &err);
    const char *text =
        etna_arena_strndup(&arena, (const char *)answer.body.metrics.text,
                           answer.body.metrics.size);
    const char *at = text ? strstr(text, line) : NULL;
    double value = at ? strtod(at + strlen(line), NULL) : 0;
    etna_arena_free(&arena);
    return value;
}

/* Connections and their handshakes are no part of what a task costs. */
static void pool_await_hands(pool_bench *p)
{
    while (pool_metric(p, "\netna_workers ") < p->hand_count)
        pool_pump(p);
}

/* Not timed: each is a commit of its own. Nothing is done of them meanwhile. */
static void pool_submit_all(void *context)
{
    pool_bench *p = context;
    for (uint32_t i = 0; i < p->run_count; i++)
        pool_submit(p);
}

static void pool_work(void *context)
{
    pool_bench *p = context;
    p->begun_ms = bench_now(BENCH_WALL);
    while (p->ended < p->submitted)
        pool_pump(p);
}

static void pool_commit(void *context)
{
    pool_bench *p = context;
    store_group *group;
    etna_error err = {0};
    etna_hash hash = etna_hash_bytes(&p->done, sizeof p->done);
    rig_must(store_group_begin(p->store, &group, &err), &err);
    rig_must(store_put_blob(group, &hash, &p->done, sizeof p->done, &err),
             &err);
    rig_must(store_group_commit(group, &err), &err);
    p->done++;
}

/* Two programs that give out tasks over loopback TCP, too. They have no more
 * than so few workers here, whose processes are many times as large; ours are
 * 64. */
static void pool_add_peers(bench *b, const bench_row *ours)
{
    char tasks[16], repeats[16];
    bench_row dask = *ours, celery = *ours;
    snprintf(tasks, sizeof tasks, "%d",
             bench_is_quick(b) ? PEER_TASKS / 10 : PEER_TASKS);
    snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
    dask.id = "pool.task.dask";
    dask.work = "the same, beside dask.distributed, 2 workers";
    dask.peer = "dask";
    celery.id = "pool.task.celery";
    celery.work = "the same, beside Celery with Redis, 2 workers";
    celery.peer = "celery";
    dask.goal = celery.goal = 0;
    dask.note = celery.note = NULL;
    bench_peer(b, "dask", "dask_tasks.py", 1,
               (const char *[]){dask.id, tasks, "2", "4", repeats, NULL});
    bench_peer(b, "celery", "celery_tasks.py", 1,
               (const char *[]){celery.id, tasks, "2", repeats, NULL});
    bench_add(b, &dask);
    bench_add(b, &celery);
}

/* By ipc, without seals; by tcp, with them; or by tls. */
static void pool_set_url(pool_bench *p, bench *b, const char *wire)
{
    const unsigned port = 21000u + (unsigned)getpid() % 10000u;
    if (!strcmp(wire, "ipc")) {
        snprintf(p->url, sizeof p->url, "ipc://%s", bench_path(b, "pool.sock"));
    } else if (!strcmp(wire, "tls")) {
        snprintf(p->url, sizeof p->url, "tls+tcp://127.0.0.1:%u", port);
    } else {
        snprintf(p->url, sizeof p->url, "tcp://127.0.0.1:%u", port);
    }
}

static pool_bench *pool_open(bench *b,
                             uint32_t hands,
                             uint32_t runs,
                             const char *wire)
{
    pool_bench *p = calloc(1, sizeof *p);
    if (p)
        p->hands = calloc(hands, sizeof *p->hands);
    if (!p || !p->hands)
        bench_die("pool", "out of memory");
    p->hand_count = hands;
    p->run_count = runs;
    p->slots = SLOTS;
    pool_set_url(p, b, wire);
    pool_store_open(p, b);
    p->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return p;
}

static void pool_begin(pool_bench *p)
{
    etna_error err = {0};
    client_options options = client_options_default();
    pool_coordinate(p);
    for (uint32_t i = 0; i < p->hand_count; i++)
        hand_open(p, &p->hands[i], i + 1);
    rig_must(client_open(pool_address(p), &options, &p->client, &err), &err);
    pool_await_hands(p);
    p->done = 0;
}

static void pool_close(pool_bench *p)
{
    client_close(p->client);
    for (uint32_t i = 0; i < p->hand_count; i++) {
        net_close(p->hands[i].net);
        link_free(p->hands[i].link);
    }
    shell_wake(p->shell);
    pthread_join(p->thread, NULL);
    shell_free(p->shell);
    tokens_close(p->tokens);
    store_close(p->store);
    close(p->woken);
    free(p->hands);
    free(p->trips);
    free(p);
}

static int pool_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double pool_quantile(double *values, size_t count, double share)
{
    if (!count)
        return 0;
    qsort(values, count, sizeof *values, pool_by_value);
    return values[(size_t)(share * (double)(count - 1))];
}

/* Of all threads. */
static double pool_cpu_ms(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

/* Of one thread. */
static double pool_thread_ms(pthread_t thread)
{
    clockid_t clock;
    struct timespec used;
    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &used))
        return 0;
    return 1e3 * (double)used.tv_sec + (double)used.tv_nsec / 1e6;
}

void bench_pool(bench *b,
                unsigned workers,
                unsigned runs,
                const char *wire,
                unsigned slots,
                unsigned rate)
{
    enum {
        COMMITS = 200
    };
    static const char commits_line[] = "\netna_commit_seconds_count ";
    double commits[COMMITS];
    char process[4096] = "";
    pool_bench *p = pool_open(b, workers, runs, wire);
    p->slots = slots ? slots : SLOTS;
    p->rate = rate;
    for (int i = 0; i < COMMITS; i++) {
        double start = bench_now(BENCH_WALL);
        pool_commit(p);
        commits[i] = bench_now(BENCH_WALL) - start;
    }
    pool_begin(p);
    double start = bench_now(BENCH_WALL);
    pool_submit_all(p);
    double commits_before = pool_metric(p, commits_line);
    double submitted = bench_now(BENCH_WALL);
    double used = pool_cpu_ms(), loop = pool_thread_ms(p->thread),
           hands = pool_thread_ms(pthread_self());
    pool_work(p);
    double end = bench_now(BENCH_WALL), done = (double)p->done;
    used = pool_cpu_ms() - used;
    loop = pool_thread_ms(p->thread) - loop;
    hands = pool_thread_ms(pthread_self()) - hands;
    double groups = pool_metric(p, commits_line) - commits_before;
    FILE *f = fopen("/proc/self/status", "r");
    size_t size = f ? fread(process, 1, sizeof process - 1, f) : 0;
    if (f)
        fclose(f);
    process[size] = 0;
    const char *most = strstr(process, "VmHWM:");
    printf(
        "%u workers of %d slots, %u runs: %.0f submits a second; %llu tasks, %.0f a second\n",
        workers, (int)p->slots, runs, 1e3 * runs / (submitted - start),
        (unsigned long long)p->done, 1e3 * (double)p->done / (end - submitted));
    printf("over %s: %.1f us of all threads' time a task, both ends together\n",
           wire, 1e3 * used / done);
    printf(
        "of these %.1f the coordinator's loop, %.1f the workers, %.1f NNG's threads of both\n",
        1e3 * loop / done, 1e3 * hands / done,
        1e3 * (used - loop - hands) / done);
    printf(
        "%.1f tasks a message; results to their answer: median %.2f ms, p99 %.2f ms; a bare commit: median %.2f ms, p99 %.2f ms\n",
        (double)p->done / (double)(p->trip_count ? p->trip_count : 1),
        pool_quantile(p->trips, p->trip_count, 0.5),
        pool_quantile(p->trips, p->trip_count, 0.99),
        pool_quantile(commits, COMMITS, 0.5),
        pool_quantile(commits, COMMITS, 0.99));
    printf("%.1f tasks a commit\n",
           (double)p->done / (groups > 0 ? groups : 1));
    printf("both ends held %.*s at most\n", most ? (int)strcspn(most, "\n") : 0,
           most ? most : "");
    pool_close(p);
}

void lines_pool(bench *b)
{
    bench_row row = {.id = "pool.task",
                     .work = "a task that does nothing, durable, 64 workers",
                     .unit = "ms",
                     .clock = BENCH_WALL,
                     .goal = 0.05,
                     .floor_is = "a commit"};
    char note[96];
    if (!bench_wants(b, row.id))
        return;
    pool_bench *p = pool_open(b, HANDS, RUNS, "tcp");
    row.floor = bench_measure(b, BENCH_WALL, NULL, pool_commit, p);
    pool_begin(p);
    row.ours = bench_measure(b, BENCH_WALL, pool_submit_all, pool_work, p);
    double a_round = (double)p->done / (p->submitted / RUNS);
    row.ours = bench_scaled(row.ours, 1 / a_round);
    snprintf(note, sizeof note,
             "%.0f a second; CPU of both ends %.0f us a task",
             1000 / row.ours.median, 1000 * row.ours.cpu);
    row.note = note;
    bench_add(b, &row);
    pool_add_peers(b, &row);
    pool_close(p);
}
