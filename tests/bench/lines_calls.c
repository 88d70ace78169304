/* Conversations: how many a worker holds at once, what one of them takes and
 * what a call of it costs, at a hundred, a thousand and ten thousand. The
 * worker is the real program; its coordinator is this one, which leases it
 * evaluators, keeps every conversation waiting until all are alive, and then
 * answers each call with a recorded reply: at first one that is no verdict and
 * is sent back, then the verdict that the built-in agent gave. So there are two
 * calls a conversation, and no model's time. */
#include "proto/arrange.h"
#include "proto/models.h"
#include "tests/bench/rig.h"
#include "worker/provider/conversation.h"
#include "worker/scene/snapshot.h"

#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SIZES = 4,
    CALLS = 2,
    EDITS = 12,
    PATIENCE_MS = 20000,
    BLOBS_MAX = EDITS + 16
};

typedef struct kept {
    etna_hash hash;
    uint8_t *data;
    size_t size;
} kept;

typedef struct stage {
    rig rig;
    nng_socket socket;
    pid_t worker;
    int leash; /* the worker ends when it is closed */
    clockid_t clock;
    kept blobs[BLOBS_MAX];
    uint32_t blob_count;
    etna_hash scene, first, after[EDITS], replies[CALLS];
    const char *models, *object;
    etna_arena arena;
    /* of the round under way */
    const char *model;
    uint32_t total, granted, begun, ended, wait_ms;
    bool *alive;     /* by task */
    bool open;       /* all are alive: calls are answered */
    nng_msg *parked; /* the lease request that came when all were granted */
    uint64_t parked_sequence;
} stage;

typedef struct round_result {
    double base_mb, alive_mb, opening_ms,
        call_ms; /* of the worker's CPU: for each conversation, for each call */
} round_result;

/* ---- the worker, from outside ---- */

static double cpu_ms(const stage *s)
{
    struct timespec t;
    if (clock_gettime(s->clock, &t))
        bench_die("calls", "the worker ended");
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double resident_mb(const stage *s)
{
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)s->worker);
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        bench_die("calls", "cannot see what the worker holds");
    fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void start_worker(stage *s,
                         const char *url,
                         const char *cache,
                         uint32_t conversations)
{
    char count[16], leash[16];
    int ends[2];
    if (pipe(ends))
        bench_die("calls", "no pipe");
    snprintf(count, sizeof count, "%u", conversations);
    snprintf(leash, sizeof leash, "%d", ends[0]);
    s->worker = fork();
    if (s->worker == 0) {
        close(ends[1]);
        /* What was needed for a moment before goes back to the system, so that
         * what is resident is what is held. */
        setenv("MALLOC_MMAP_THRESHOLD_", "32768", 1);
        setenv("MALLOC_TRIM_THRESHOLD_", "65536", 1);
        setenv("MALLOC_ARENA_MAX", "1", 1);
        execl(ETNA_BINARY_DIR "/bin/etna-worker", "etna-worker", "--connect",
              url, "--cpus", "1", "--conversations", count, "--cache", cache,
              "--parent-fd", leash, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    s->leash = ends[1];
    if (s->worker < 0 || clock_getcpuclockid(s->worker, &s->clock))
        bench_die("calls", "cannot start a worker");
}

static void end_worker(stage *s)
{
    close(s->leash);
    while (waitpid(s->worker, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* ---- the coordinator's side ---- */

static const kept *keep(stage *s,
                        const uint8_t *data,
                        size_t size,
                        etna_hash *ret_hash)
{
    etna_hash hash = etna_hash_bytes(data, size);
    if (ret_hash)
        *ret_hash = hash;
    for (uint32_t i = 0; i < s->blob_count; i++)
        if (etna_hash_equal(&s->blobs[i].hash, &hash))
            return &s->blobs[i];
    kept *k = &s->blobs[s->blob_count];
    if (s->blob_count++ == BLOBS_MAX || !(k->data = malloc(size + 1)))
        bench_die("calls", "no room for a blob");
    memcpy(k->data, data, size);
    k->hash = hash;
    k->size = size;
    return k;
}

static void answer(stage *s, nng_msg *asked, const message *request, message *m)
{
    uint8_t *data;
    size_t size;
    nng_msg *msg;
    etna_error err = {0};
    m->version = MESSAGE_VERSION;
    m->epoch = 1;
    m->sequence = request->sequence;
    rig_must(message_pack(m, &data, &size, &err), &err);
    if (nng_msg_alloc(&msg, 0) || nng_msg_append(msg, data, size) ||
        nng_msg_header_append(msg, nng_msg_header(asked),
                              nng_msg_header_len(asked)) ||
        nng_sendmsg(s->socket, msg, 0)) {
        bench_die("calls", "an answer cannot be sent");
    }
    free(data);
}

/* True: `asked` is parked. */
static bool grant(stage *s, nng_msg *asked, const message *request)
{
    if (s->granted == s->total) {
        nng_msg_free(s->parked);
        s->parked = asked;
        s->parked_sequence = request->sequence;
        return true;
    }
    uint32_t i = s->granted++;
    etna_error err = {0};
    uint8_t *payload;
    size_t size;
    arrange_task task = {.kind = TASK_POLL,
                         .scene = s->scene,
                         .snapshot = s->first,
                         .after = s->after[(uint64_t)i * EDITS / s->total],
                         .run_seed = i,
                         .node = 1 + i,
                         .poll = i % 9,
                         .model = s->model,
                         .models = s->models,
                         .facts = true,
                         .instruction = "Put the phone on the book.",
                         .object = s->object,
                         .planes = "desk_up",
                         .coordinate = {0.5, 0.5}};
    rig_must(arrange_task_pack(&task, &payload, &size, &err), &err);
    message m = {.kind = MESSAGE_LEASE};
    m.body.lease = (message_lease){.task_kind = TASK_POLL,
                                   {.run = {{1}}, .task = i + 1, .attempt = 1},
                                   s->scene,
                                   payload,
                                   size};
    answer(s, asked, request, &m);
    free(payload);
    return false;
}

static void begin_call(stage *s, nng_msg *asked, const message *request)
{
    const message_call_begin *begin = &request->body.call_begin;
    message m = {.kind = MESSAGE_CALL_ANSWER};
    uint64_t task = begin->ref.task;
    if (task < 1 || task > s->total)
        bench_die("calls", "a call of no task");
    s->begun += !s->alive[task - 1];
    s->alive[task - 1] = true;
    if (strcmp(s->model, "builtin") == 0) {
        m.body.call_answer.verdict = CALL_GO;
    } else if (!s->open) {
        m.body.call_answer =
            (message_call_answer){.verdict = CALL_WAIT, .wait_ms = s->wait_ms};
    } else {
        m.body.call_answer = (message_call_answer){
            .verdict = CALL_STORED,
            .reply = s->replies[begin->slot.repair < CALLS ? begin->slot.repair
                                                           : CALLS - 1]};
    }
    answer(s, asked, request, &m);
}

static void put_blob(stage *s, nng_msg *asked, const message *request)
{
    const message_blob_chunk *put = &request->body.blob_put;
    if (put->size != put->total)
        bench_die("calls", "a recorded reply is larger than one piece");
    (void)keep(s, put->data, put->size, NULL);
    message m = {.kind = MESSAGE_BLOB_ACK,
                 .body.blob_ack = {put->hash, put->total}};
    answer(s, asked, request, &m);
}

static void get_blob(stage *s, nng_msg *asked, const message *request)
{
    const message_blob_get *get = &request->body.blob_get;
    message m = {.kind = MESSAGE_REFUSED,
                 .body.refused = {ETNA_E_NOTFOUND, "no such blob"}};
    for (uint32_t i = 0; i < s->blob_count; i++) {
        const kept *k = &s->blobs[i];
        if (!etna_hash_equal(&k->hash, &get->hash) || get->offset > k->size)
            continue;
        size_t left = k->size - (size_t)get->offset;
        m.kind = MESSAGE_BLOB_CHUNK;
        m.body.blob_chunk =
            (message_blob_chunk){.hash = k->hash,
                                 k->size,
                                 get->offset,
                                 k->data + get->offset,
                                 left < MESSAGE_CHUNK ? left : MESSAGE_CHUNK};
    }
    answer(s, asked, request, &m);
}

static void end_call(stage *s, nng_msg *asked, const message *request)
{
    if (request->body.call_end.slot.node == 1)
        s->replies[CALLS - 1] = request->body.call_end.reply;
    message m = {.kind = MESSAGE_CALL_ACK,
                 .body.call_ack = request->body.call_end.slot};
    answer(s, asked, request, &m);
}

static void take_result(stage *s, nng_msg *asked, const message *request)
{
    const message_result *result = &request->body.result;
    if (result->error)
        bench_die("calls", result->error_text ? result->error_text
                                              : "a conversation failed");
    for (uint32_t i = 0; i < result->more_count; i++) {
        const message_further_result *more = &result->more[i];
        if (more->error)
            bench_die("calls", more->error_text ? more->error_text
                                                : "a conversation failed");
    }
    s->ended += 1 + result->more_count;
    message m = {.kind = MESSAGE_RESULT_ACK, .body.result_ack = result->ref};
    answer(s, asked, request, &m);
}

static void serve_one(stage *s)
{
    nng_msg *asked;
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    message request;
    bool parked = false;
    int rv = nng_recvmsg(s->socket, &asked, 0);
    if (rv)
        bench_die("calls", nng_strerror(rv));
    rig_must(message_unpack(nng_msg_body(asked), nng_msg_len(asked), &arena,
                            &request, &err),
             &err);
    switch (request.kind) {
    case MESSAGE_LEASE_REQUEST: parked = grant(s, asked, &request); break;
    case MESSAGE_CALL_BEGIN: begin_call(s, asked, &request); break;
    case MESSAGE_CALL_END: end_call(s, asked, &request); break;
    case MESSAGE_BLOB_GET: get_blob(s, asked, &request); break;
    case MESSAGE_BLOB_PUT: put_blob(s, asked, &request); break;
    case MESSAGE_RESULT: take_result(s, asked, &request); break;
    default: break; /* orders stay parked */
    }
    etna_arena_free(&arena);
    if (!parked)
        nng_msg_free(asked);
}

/* ---- a round ---- */

/* `count` conversations of `model`; all are alive before any is answered, but
 * the built-in agent's. */
static void play(stage *s, const char *model, uint32_t count, round_result *ret)
{
    s->model = model;
    s->total = count;
    s->granted = s->begun = s->ended = 0;
    s->wait_ms = count < 100 ? 100 : count < 5000 ? count : 5000;
    s->open = false;
    s->alive = calloc(count, sizeof *s->alive);
    if (!s->alive)
        bench_die("calls", "out of memory");
    double begun = cpu_ms(s);
    if (s->parked) {
        nng_msg *asked = s->parked;
        s->parked = NULL;
        (void)grant(s, asked, &(message){.sequence = s->parked_sequence});
        nng_msg_free(asked);
    }
    while (s->begun < count)
        serve_one(s);
    ret->alive_mb = resident_mb(s);
    double alive = cpu_ms(s);
    s->open = true;
    while (s->ended < count)
        serve_one(s);
    ret->opening_ms = (alive - begun) / count;
    ret->call_ms = (cpu_ms(s) - alive) / count / CALLS;
    free(s->alive);
}

/* A worker of its own: what an earlier one left in its memory would hide what
 * this one takes. */
static round_result measure(bench *b, stage *s, uint32_t count)
{
    round_result r, first;
    char url[700];
    snprintf(url, sizeof url, "ipc://%s", bench_path(b, "calls.sock"));
    if (nng_rep0_open_raw(&s->socket) ||
        nng_socket_set_ms(s->socket, NNG_OPT_RECVTIMEO, PATIENCE_MS) ||
        nng_socket_set_size(s->socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX) ||
        nng_listen(s->socket, url, NULL, 0)) {
        bench_die("calls", "cannot listen");
    }
    start_worker(s, url, bench_path(b, "calls.cache"),
                 count < EDITS ? EDITS : count);
    play(s, "builtin", EDITS,
         /* the scene and its edits are warm then, and the verdict recorded */
         &first);
    double base = resident_mb(s);
    play(s, "far", count, &r);
    r.base_mb = base;
    end_worker(s);
    nng_msg_free(s->parked);
    s->parked = NULL;
    nng_close(s->socket);
    return r;
}

/* The scene, a dozen edits of it, the list of models, and the reply that is no
 * verdict. */
static void set_stage(stage *s)
{
    static const char yaml[] =
        "endpoints:\n  far: {wire: chat, url: \"http://127.0.0.1:9/v1\"}\nmodels:\n  far: {endpoint: far, id: far}\n";
    static const char *const names[] = {"far"};
    etna_error err = {0};
    models all;
    snapshot first, edited;
    uint8_t *data;
    size_t size;
    rig_open(&s->rig, ETNA_BINARY_DIR "/scenes/study.glb");
    s->object = "Phone";
    uint32_t object = scene_find_object(s->rig.scene, s->object);
    if (object == SCENE_NONE)
        bench_die("calls", "the study has no phone");
    (void)keep(s, s->rig.bundle, s->rig.bundle_size, &s->scene);
    rig_must(snapshot_base(s->rig.scene, &first, &err), &err);
    rig_must(snapshot_encode(&first, &data, &size, &s->first, &err), &err);
    (void)keep(s, data, size, NULL);
    free(data);
    for (uint32_t i = 0; i < EDITS; i++) {
        arrange_pose pose = rig_pose(&s->rig, object, 0.004 * (i + 1), 0, 0);
        rig_must(snapshot_edit(&first, object, &pose, &edited, &err), &err);
        edited.parent = s->first;
        rig_must(snapshot_encode(&edited, &data, &size, &s->after[i], &err),
                 &err);
        (void)keep(s, data, size, NULL);
        free(data);
        snapshot_free(&edited);
    }
    snapshot_free(&first);
    rig_must(models_from_yaml(yaml, sizeof yaml - 1, &s->arena, &all, &err),
             &err);
    rig_must(models_cut(&all, names, 1, &s->arena, &s->models, &err), &err);
    model_reply prose = {
        .text = "It looks good to me.",
        .usage = {.tokens_in = 900, .tokens_out = 8, .calls = 1}};
    rig_must(model_reply_encode(&prose, &data, &size, &err), &err);
    (void)keep(s, data, size, &s->replies[0]);
    free(data);
}

void lines_calls(bench *b)
{
    static const char *const id[] = {
        "calls.time", "calls.opening", "calls.memory",
        "growth.calls.conversations", "growth.calls_memory.conversations"};
    if (!bench_wants_any(b, id, sizeof id / sizeof *id))
        return;
    static stage s;
    static bench_growth time = {.id = "growth.calls.conversations",
                                .work = "all calls of a worker's conversations",
                                .of = "conversations"};
    static bench_growth memory = {.id = "growth.calls_memory.conversations",
                                  .work = "what they take while all are alive",
                                  .of = "conversations",
                                  .unit = "MB"};
    round_result r[SIZES] = {0};
    /* What the first hundred take is lost in what the heap has free: memory is
     * compared from a thousand on. */
    const uint32_t sizes[] = {100, 1000, 3162, 10000};
    uint32_t count = 0;
    double held[SIZES];
    set_stage(&s);
    for (int i = 0; i < SIZES; i++) {
        count = bench_is_quick(b) ? sizes[i] / 20 : sizes[i];
        r[i] = measure(b, &s, count);
        held[i] = r[i].alive_mb - r[i].base_mb;
        if (i != 2)
            time.size[i < 2 ? i : 2] = count;
        if (i != 2)
            time.ms[i < 2 ? i : 2] = r[i].call_ms * CALLS * count;
        if (i > 0)
            memory.size[i - 1] = count;
        if (i > 0)
            memory.ms[i - 1] = held[i];
        bench_say(
            "%u conversations: %.1f MB over %.0f, %.3f ms to open one, %.3f ms a call",
            count, held[i], r[i].base_mb, r[i].opening_ms, r[i].call_ms);
    }
    static char work[3][100];
    char note[200];
    const char *what[] = {"a replayed call of a worker's",
                          "opening one of a worker's",
                          "what is taken by a worker's"};
    double value[] = {r[SIZES - 1].call_ms, r[SIZES - 1].opening_ms,
                      held[SIZES - 1]};
    snprintf(
        note, sizeof note,
        "%.1f, %.1f, %.1f KB each at %.0f, %.0f, %.0f; facts on, two calls each",
        1024 * held[0] / time.size[0], 1024 * held[1] / time.size[1],
        1024 * held[3] / time.size[2], time.size[0], time.size[1],
        time.size[2]);
    for (int i = 0; i < 3; i++) {
        snprintf(work[i], sizeof work[i], "%s %u conversations", what[i],
                 count);
        bench_row row = {.id = id[i],
                         .work = work[i],
                         .unit = i < 2 ? "ms" : "MB",
                         .clock = BENCH_CORE,
                         .note = i == 2 ? note : NULL};
        row.ours = bench_stats_of(&value[i], 1);
        if (bench_wants(b, id[i]))
            bench_add(b, &row);
    }
    if (bench_wants(b, time.id))
        bench_grow(b, &time);
    if (bench_wants(b, memory.id))
        bench_grow(b, &memory);
    for (uint32_t i = 0; i < s.blob_count; i++)
        free(s.blobs[i].data);
    etna_arena_free(&s.arena);
    rig_close(&s.rig);
}
