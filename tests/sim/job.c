/* Workers of the simulated world: the real link, and jobs that ask it for what
 * real jobs ask for: the snapshot they begin with, model calls with their
 * replies kept before they are acted on, snapshots kept before their result. */
#include "proto/usage.h"
#include "tests/sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum job_stage {
    STAGE_BEGIN = 1, /* fetches the snapshot it begins with */
    STAGE_CALL,
    STAGE_MODEL,
    STAGE_FAIL,    /* the try failed; its failure is being told */
    STAGE_BACKOFF, /* then it is tried again */
    STAGE_KEEP_REPLY,
    STAGE_END,
    STAGE_FETCH,
    STAGE_WORK,
    STAGE_KEEP
} job_stage;

struct sim_job {
    sim_job *next;
    uint64_t id;
    job_stage stage;
    etna_arena arena;
    arrange_task task;
    message_task_ref ref;
    etna_hash payload; /* of the packed task */
    uint32_t turn;
    etna_slot slot;
    /* wanted: the blob that is fetched */
    etna_hash request, reply, last, wanted;
    /* owned: of the reply, then of the snapshot, or what is fetched */
    uint8_t *data;
    size_t size;
    etna_hash held; /* of these bytes, where they are a reply */
    message_usage usage, used;
    const char *model;
    arrange_result result;
};

static sim_worker *of(sim *s, uint32_t index)
{
    return &s->workers[index];
}

static sim_job *job_by_id(sim_worker *w, uint64_t id)
{
    sim_job *j = w->jobs;
    while (j && j->id != id)
        j = j->next;
    return j;
}

static void job_free(sim_worker *w, uint64_t id)
{
    for (sim_job **at = &w->jobs; *at; at = &(*at)->next) {
        if ((*at)->id != id)
            continue;
        sim_job *gone = *at;
        *at = gone->next;
        etna_arena_free(&gone->arena);
        free(gone->data);
        free(gone);
        w->job_count--;
        return;
    }
}

static void job_data(sim_job *j, size_t size)
{
    free(j->data);
    j->data = malloc(size ? size : 1);
    if (!j->data)
        abort();
    j->size = size;
}

/* A large reply is its first bytes over and over, and its hash costs more than
 * all else in its world: it is computed once for all who meet that reply. */
static etna_hash bytes_hash(const uint8_t *data, size_t size)
{
    enum {
        PERIOD = sizeof(etna_hash),
        KNOWN = 64
    };
    static struct {
        etna_hash pattern, whole;
        size_t size;
    } known[KNOWN];
    bool repeats =
        size > MESSAGE_CHUNK && memcmp(data, data + PERIOD, size - PERIOD) == 0;
    if (!repeats)
        return etna_hash_bytes(data, size);
    etna_hash pattern;
    memcpy(pattern.bytes, data, PERIOD);
    const size_t at = pattern.bytes[0] % KNOWN;
    bool is_known =
        known[at].size == size && etna_hash_equal(&known[at].pattern, &pattern);
    if (!is_known) {
        known[at].whole = etna_hash_bytes(data, size);
        known[at].pattern = pattern;
        known[at].size = size;
    }
    return known[at].whole;
}

static uint64_t time_of(const sim *s, const sim_worker *w)
{
    uint64_t passed = s->now - w->started_ms;
    return w->clock_base + passed +
           (uint64_t)((int64_t)passed * w->drift / 1000);
}

static void wait_for(
    sim *s, uint32_t index, sim_job *j, job_stage stage, uint64_t ms)
{
    j->stage = stage;
    sim_at(s, ms, SIM_JOB, index, of(s, index)->life, j->id);
}

static void take_time(
    sim *s, uint32_t index, sim_job *j, job_stage stage, uint64_t ms)
{
    s->report->work_ms += ms;
    wait_for(s, index, j, stage, ms);
}

static void done(sim *s, uint32_t index, sim_job *j, etna_code code)
{
    uint8_t *data = NULL;
    size_t size = 0;
    uint64_t id = j->id;
    if (code)
        watch_failed(s, &j->ref);
    j->result.used = j->used;
    if (code == ETNA_OK &&
        arrange_result_pack(&j->result, &data, &size, NULL) != ETNA_OK)
        sim_breach(s, "a result does not pack");
    job_free(of(s, index), id);
    worker_step(s, index,
                (link_event){.kind = LINK_JOB_DONE,
                             .job = id,
                             .code = code,
                             .text = code ? "bad luck" : NULL,
                             .data = data,
                             .size = size});
    free(data);
}

static uint32_t role_of(uint32_t kind)
{
    return kind == TASK_PLAN     ? ROLE_PLANNER
           : kind == TASK_BRANCH ? ROLE_EXECUTOR
                                 : ROLE_EVALUATOR;
}

static const message_usage estimate = {
    .tokens_in = 120, .cost_micros = 10, .calls = 1};

static void try_call(sim *s, uint32_t index, sim_job *j)
{
    j->stage = STAGE_CALL;
    worker_step(s, index,
                (link_event){.kind = LINK_CALL_BEGIN,
                             .job = j->id,
                             .slot = j->slot,
                             .hash = j->request,
                             .usage = estimate,
                             .model = j->model,
                             .elsewhere = s->options->jobs_most > 0});
}

/* Whether this try fails, and how: nobody there, too many at once, or broken
 * off when it may have been billed. */
static bool fails(sim *s, uint32_t index, sim_job *j)
{
    static const message_call_fail ways[] = {
        {.down = true, .wait_ms = 300, .text = "the connection is refused"},
        {.overloaded = true, .wait_ms = 2000, .text = "429: too many requests"},
        {.overloaded = true,
         .down = true,
         .wait_ms = 700,
         .text = "529: overloaded"},
        {.lost = true,
         .down = true,
         .wait_ms = 100,
         .text = "the connection is reset"}};
    bool down = sim_model_is_down(s, j->model);
    watch_call(s, false);
    if (!down && !sim_percent(s, s->options->fail_pct))
        return false;
    message_call_fail fail = ways[down ? 0 : sim_chance(s, 4)];
    fail.model = j->model;
    s->report->calls_failed++;
    if (fail.lost) {
        message_usage_add(&s->report->billed, &estimate);
        message_usage_add(&s->report->billed_lost, &estimate);
    } else {
        s->report->calls_free++;
    }
    j->stage = STAGE_FAIL;
    worker_step(s, index,
                (link_event){.kind = LINK_CALL_FAIL,
                             .job = j->id,
                             .slot = j->slot,
                             .model = j->model,
                             .fail = fail});
    return true;
}

/* The request's bytes: the whole task, and what was said so far. */
static void call(sim *s, uint32_t index, sim_job *j)
{
    uint8_t bytes[72];
    memcpy(bytes, j->payload.bytes, 32);
    memcpy(bytes + 32, j->last.bytes, 32);
    j->slot = (etna_slot){j->task.node, j->task.branch, role_of(j->task.kind),
                          j->task.poll, j->turn,        0};
    uint64_t seed = etna_seed(j->task.run_seed, &j->slot);
    memcpy(bytes + 64, &seed, 8);
    j->request = etna_hash_bytes(bytes, sizeof bytes);
    try_call(s, index, j);
}

static void next_turn(sim *s, uint32_t index, sim_job *j)
{
    if (model_turns(s, &j->task, &j->last, j->turn)) {
        call(s, index, j);
    } else {
        take_time(s, index, j, STAGE_WORK, sim_work_ms(s, &j->payload));
    }
}

static void acted(sim *s, uint32_t index, sim_job *j)
{
    watch_acted(s, sim_slot_of(s, sim_run_of(s, &j->ref.run), &j->slot),
                &j->held);
    j->last = etna_hash_bytes(j->data, 32);
    message_usage *sum = &j->used;
    sum->tokens_in += j->usage.tokens_in;
    sum->tokens_out += j->usage.tokens_out;
    sum->cost_micros += j->usage.cost_micros;
    sum->calls += j->usage.calls;
    j->turn++;
    next_turn(s, index, j);
}

/* Until its supervisor starts another: worker/shell/supervise.c. */
static uint64_t pause_after_death(const sim *s, sim_worker *w)
{
    enum {
        PAUSE_FIRST_MS = 100,
        PAUSE_MOST_MS = 10000,
        YOUNG_MS = 10000,
        DOUBLINGS_MOST = 7
    };
    w->young_deaths =
        s->now - w->started_ms < YOUNG_MS ? w->young_deaths + 1 : 0;
    uint64_t pause = (uint64_t)PAUSE_FIRST_MS
                     << (w->young_deaths < DOUBLINGS_MOST ? w->young_deaths
                                                          : DOUBLINGS_MOST);
    return pause < PAUSE_MOST_MS ? pause : PAUSE_MOST_MS;
}

/* Whether the coordinator knows that it waits for a model's server: what one
 * before it let go it takes for lost. */
static bool waits_elsewhere(sim *s, const sim_job *j)
{
    if (!s->options->jobs_most || j->stage != STAGE_MODEL)
        return false;
    const sim_slot *slot = sim_slot_of(s, sim_run_of(s, &j->ref.run), &j->slot);
    return slot->go_owner == s->owners[s->owner].life;
}

static void fells_its_worker(
    sim *s, uint32_t index, sim_job *j, etna_code fault, const char *how)
{
    s->report->deaths++;
    for (const sim_job *other = of(s, index)->jobs; other; other = other->next)
        watch_died(s, index, &other->ref, other == j,
                   waits_elsewhere(s, other));
    sim_end_worker(s, index, pause_after_death(s, of(s, index)), fault, how);
}

/* Whoever writes the result meets a full disk, or is killed for memory. */
static void finds_no_room(sim *s, uint32_t index, sim_job *j)
{
    s->report->no_rooms++;
    if (s->options->no_room_kills) {
        fells_its_worker(s, index, j, ETNA_E_NOMEM, "is killed for memory");
    } else {
        done(s, index, j, ETNA_E_FULL);
    }
}

static void worked(sim *s, uint32_t index, sim_job *j)
{
    /* A plan that is refused ends its run at once, beside others of its step:
     * what those used depends on the moment. */
    bool harmless =
        j->task.kind == TASK_PLAN && s->options->config.plan_per_branch;
    if (!harmless && j->payload.bytes[0] * 100 < s->options->deadly_pct * 256) {
        fells_its_worker(s, index, j, ETNA_E_INTERNAL, "dies of its work");
        return;
    }
    if (j->task.kind == TASK_EXPORT && sim_has_no_room(s)) {
        finds_no_room(s, index, j);
        return;
    }
    bool unlucky = j->ref.attempt == 1 && sim_percent(s, s->options->error_pct);
    if (unlucky) {
        done(s, index, j, ETNA_E_IO);
        return;
    }
    if (model_cannot_read(s, &j->task)) {
        done(s, index, j, ETNA_E_INPUT);
        return;
    }
    uint8_t bytes[MODEL_BLOB];
    size_t size = 0;
    model_result(s, &j->task, &j->last, &j->arena, &j->result, bytes, &size);
    if (j->task.kind == TASK_POLL)
        watch_verdict(s, &j->ref, j->result.verdict);
    const etna_hash *made = etna_hash_is_zero(&j->result.snapshot)
                                ? &j->result.blob
                                : &j->result.snapshot;
    if (etna_hash_is_zero(made)) {
        done(s, index, j, ETNA_OK);
        return;
    }
    job_data(j, size);
    memcpy(j->data, bytes, size);
    j->stage = STAGE_KEEP;
    worker_step(s, index,
                (link_event){.kind = LINK_BLOB_KEEP,
                             .job = j->id,
                             .hash = *made,
                             .data = j->data,
                             .size = j->size});
}

/* The reply's bytes; what is acted on are the first of them. */
static void replied(sim *s, sim_job *j)
{
    etna_hash reply = etna_hash_bytes(j->request.bytes, 32);
    if (s->options->fickle)
        reply.bytes[3] ^= (uint8_t)sim_chance(s, 256);
    bool is_large = s->options->large && reply.bytes[7] % 24 == 0;
    job_data(j, is_large ? (size_t)MESSAGE_CHUNK * 2 + 77 : 32);
    memcpy(j->data, reply.bytes, sizeof reply);
    for (size_t have = sizeof reply; have < j->size; have *= 2)
        memcpy(j->data + have, j->data,
               j->size - have < have ? j->size - have : have);
    j->reply = j->held = bytes_hash(j->data, j->size);
    j->usage = model_usage(&j->reply);
}

void worker_job_due(sim *s, uint32_t index, uint64_t id)
{
    sim_job *j = job_by_id(of(s, index), id);
    if (!j)
        return;
    if (j->stage == STAGE_WORK) {
        worked(s, index, j);
    } else if (j->stage == STAGE_BACKOFF) {
        try_call(s, index, j);
    } else if (j->stage == STAGE_MODEL && !fails(s, index, j)) {
        replied(s, j);
        message_usage_add(&s->report->billed, &j->usage);
        j->stage = STAGE_KEEP_REPLY;
        worker_step(s, index,
                    (link_event){.kind = LINK_BLOB_KEEP,
                                 .job = id,
                                 .hash = j->reply,
                                 .data = j->data,
                                 .size = j->size});
    }
}

static void fetch(
    sim *s, uint32_t index, sim_job *j, job_stage stage, const etna_hash *hash)
{
    j->stage = stage;
    j->wanted = *hash;
    free(j->data);
    j->data = NULL;
    j->size = 0;
    worker_step(
        s, index,
        (link_event){.kind = LINK_BLOB_GET, .job = j->id, .hash = j->wanted});
}

static bool same_task(const message_task_ref *a, const message_task_ref *b)
{
    return a->task == b->task && etna_id_equal(&a->run, &b->run);
}

/* It reads the scene, and has it from then on. */
static void keep_warm(sim *s, uint32_t index, const etna_hash *scene)
{
    enum {
        WARM = 2
    };
    sim_worker *w = of(s, index);
    uint32_t at = 0;
    if (!s->options->scenes)
        return;
    while (at < w->warm_count && !etna_hash_equal(&w->warm[at], scene))
        at++;
    if (at == w->warm_count && w->warm_count < WARM)
        w->warm_count++;
    if (at >= WARM)
        at = WARM - 1;
    memmove(&w->warm[1], &w->warm[0], at * sizeof *w->warm);
    w->warm[0] = *scene;
    worker_step(s, index,
                (link_event){.kind = LINK_WARM,
                             .warm = w->warm,
                             .warm_count = w->warm_count});
}

static void started(sim *s, uint32_t index, const link_output *out)
{
    sim_job *j = calloc(1, sizeof *j);
    if (!j)
        abort();
    j->id = out->job;
    j->ref = out->lease->ref;
    j->model = "sim";
    j->next = of(s, index)->jobs;
    of(s, index)->jobs = j;
    of(s, index)->job_count++;
    uint32_t same = 0;
    for (const sim_job *other = j; other; other = other->next)
        same += same_task(&other->ref, &j->ref);
    watch_started(s, index, &j->ref, same);
    keep_warm(s, index, &out->lease->scene);
    j->payload = etna_hash_bytes(out->lease->payload, out->lease->payload_size);
    etna_error err = {0};
    if (arrange_task_unpack(out->lease->payload, out->lease->payload_size,
                            &j->arena, &j->task, &err) != ETNA_OK) {
        sim_breach(s, "a task does not unpack: %s", err.text);
        return;
    }
    /* a brief came with the run, of which the sim's store has the names alone */
    bool has_snapshot =
        !etna_hash_is_zero(&j->task.snapshot) && j->task.kind != TASK_FURNISH;
    bool begins = s->options->clients && !s->options->lean && has_snapshot;
    if (begins) {
        fetch(s, index, j, STAGE_BEGIN, &j->task.snapshot);
    } else {
        next_turn(s, index, j);
    }
}

/* What was fetched is whole when its hash is right; else somebody's store is
 * damaged. */
static void fetched(sim *s, uint32_t index, sim_job *j)
{
    j->held = bytes_hash(j->data, j->size);
    bool is_whole = etna_hash_equal(&j->held, &j->wanted);
    if (!is_whole && !s->options->rotten)
        sim_breach(s, "a blob came with other bytes");
    if (!is_whole) {
        done(s, index, j, ETNA_E_CORRUPT);
    } else if (j->stage == STAGE_BEGIN) {
        next_turn(s, index, j);
    } else {
        acted(s, index, j);
    }
}

static void piece(sim *s,
                  uint32_t index,
                  sim_job *j,
                  const message_blob_chunk *chunk)
{
    if (chunk->offset != j->size)
        sim_breach(s, "a piece of a blob does not follow the one before");
    uint8_t *grown = realloc(j->data, chunk->total ? chunk->total : 1);
    if (!grown)
        abort();
    j->data = grown;
    if (chunk->size)
        memcpy(j->data + chunk->offset, chunk->data, chunk->size);
    j->size = chunk->offset + chunk->size;
    if (j->size == chunk->total)
        fetched(s, index, j);
}

/* Whether another process that goes by its name began after it. When that one
 * is heard the coordinator takes this one for dead, as where a worker was
 * started anew, and books what it may have cost: anybody may be told to call at
 * once. */
static bool is_supplanted(const sim *s, uint32_t index)
{
    const uint32_t workers = s->options->workers;
    const uint32_t twin = index < workers ? index + workers : index - workers;
    const sim_worker *own = &s->workers[index], *other = &s->workers[twin];
    return other->life && other->incarnation > own->incarnation;
}

static void called(sim *s,
                   uint32_t index,
                   sim_job *j,
                   const message_call_answer *answer)
{
    if (answer->verdict == CALL_STORED) {
        /* a plan was lost with the disk's lie, its reply not */
        bool is_forgotten = s->options->lies;
        if (answer->mismatch && !is_forgotten)
            sim_breach(s, "node %u: another request than the stored one",
                       (unsigned)j->slot.node);
        j->reply = answer->reply;
        j->usage = answer->usage;
        fetch(s, index, j, STAGE_FETCH, &j->reply);
    } else if (answer->verdict == CALL_GO) {
        sim_slot *slot = sim_slot_of(s, sim_run_of(s, &j->ref.run), &j->slot);
        bool is_told =
            slot->go_worker == index && slot->go_life == of(s, index)->life;
        /* who was told to go was lost with the disk's lie */
        bool is_forgotten = s->options->lies;
        if (!is_told && !is_forgotten && !is_supplanted(s, index)) {
            sim_breach(
                s,
                "node %u: a call was begun after another worker was told to go",
                (unsigned)j->slot.node);
        }
        slot->called++;
        s->report->calls++;
        if (slot->called == 1)
            s->report->slots++;
        watch_call(s, true);
        take_time(s, index, j, STAGE_MODEL, sim_call_ms(s, &j->request));
    } else if (answer->verdict == CALL_WAIT) {
        /* after a failure: again, maybe of another model */
        if (answer->model && *answer->model)
            j->model = strcmp(answer->model, "spare") == 0 ? "spare" : "sim";
        wait_for(s, index, j, STAGE_BACKOFF, answer->wait_ms);
    } else {
        if (j->stage == STAGE_END)
            watch_refused(s, index, &j->ref, &j->slot);
        done(s, index, j, ETNA_E_CANCELLED);
    }
}

static void kept(sim *s, uint32_t index, sim_job *j)
{
    if (j->stage == STAGE_KEEP) {
        done(s, index, j, ETNA_OK);
        return;
    }
    j->stage = STAGE_END;
    worker_step(s, index,
                (link_event){.kind = LINK_CALL_END,
                             .job = j->id,
                             .slot = j->slot,
                             .hash = j->request,
                             .reply = j->reply,
                             .usage = j->usage,
                             .model = j->model});
}

static void send(sim *s, uint32_t index, const link_output *out)
{
    sim_worker *w = of(s, index);
    sim_event letter = {.kind = SIM_TO_COORDINATOR,
                        .a = index,
                        .b = w->life,
                        .c = out->request,
                        .pipe = w->pipe};
    etna_error err = {0};
    if (!s->owners[w->owner].c)
        w->owner = s->owner; /* where the join file points now */
    letter.owner = w->owner;
    watch_sent(s, index, out->message);
    if (message_pack(out->message, &letter.bytes, &letter.size, &err) !=
        ETNA_OK) {
        sim_breach(s, "a worker's message does not pack: %s", err.text);
        return;
    }
    sim_network(s, &letter);
}

static bool is_calling(const sim_job *j)
{
    return j->stage == STAGE_CALL || j->stage == STAGE_MODEL ||
           j->stage == STAGE_FAIL || j->stage == STAGE_KEEP_REPLY ||
           j->stage == STAGE_END;
}

/* Has it waited for its coordinator as long as one that is to end does? */
static bool worker_is_alone(const sim *s, const sim_worker *w)
{
    return w->is_away && time_of(s, w) >= w->away_since + LINK_ALONE_MS;
}

static void obey(sim *s, uint32_t index, const link_output *out)
{
    sim_job *j = out->job ? job_by_id(of(s, index), out->job) : NULL;
    switch (out->kind) {
    case LINK_OUT_SEND: send(s, index, out); break;
    case LINK_OUT_START: started(s, index, out); break;
    case LINK_OUT_CANCEL:
        s->report->calls_dropped += j && is_calling(j);
        if (j && j->stage == STAGE_MODEL)
            watch_call(s, false);
        if (j)
            watch_stopped(s, index, &j->ref);
        job_free(of(s, index), out->job);
        worker_step(s, index,
                    (link_event){.kind = LINK_JOB_GONE, .job = out->job});
        break;
    case LINK_OUT_BLOB:
        if (j)
            piece(s, index, j, out->chunk);
        break;
    case LINK_OUT_KEPT:
        if (j)
            kept(s, index, j);
        break;
    case LINK_OUT_CALL:
        if (j)
            called(s, index, j, out->call);
        break;
    case LINK_OUT_ENDED:
        if (j)
            acted(s, index, j);
        break;
    case LINK_OUT_FAILED:
        if (j)
            done(s, index, j, out->code);
        break;
    case LINK_OUT_AWAY:
        of(s, index)->is_away = true;
        of(s, index)->away_since = time_of(s, of(s, index));
        sim_at(s, REOPEN_MS, SIM_REOPEN, index, of(s, index)->life, 0);
        break;
    case LINK_OUT_BACK: of(s, index)->is_away = false; break;
    case LINK_OUT_REDIAL:
        if (sim_is_calm(s))
            sim_breach(s, "a worker hears nothing for half a minute");
        if (s->now >= of(s, index)->up_cut_until)
            sim_close(s, of(s, index)->pipe); /* else nobody hears of it */
        of(s, index)->pipe = sim_pipe(s);
        of(s, index)->owner = s->owner;
        break;
    case LINK_OUT_EXIT:
        watch_exit(s, index, worker_is_alone(s, of(s, index)));
        sim_end_worker(s, index, of(s, index)->drained_for_ms, ETNA_OK,
                       "is drained");
        break;
    default: break;
    }
}

/* Outputs live until the next step, and obeying one may step: so they are
 * copied, with what they point at kept alive by doing SENDs first and the
 * others through copies of their small parts. */
typedef struct output_copy {
    link_output out;
    message_lease lease;
    message_blob_chunk chunk;
    message_call_answer call;
} output_copy;

static void output_keep(output_copy *copy, const link_output *out)
{
    copy->out = *out;
    if (out->lease) {
        copy->lease = *out->lease;
        copy->out.lease = &copy->lease;
    }
    if (out->chunk) {
        copy->chunk = *out->chunk;
        copy->out.chunk = &copy->chunk;
    }
    if (out->call) {
        copy->call = *out->call;
        copy->out.call = &copy->call;
    }
}

void worker_step(sim *s, uint32_t index, link_event event)
{
    sim_worker *w = of(s, index);
    if (!w->alive || s->over)
        return;
    link_update update;
    event.time_ms = time_of(s, w);
    if (link_step(w->link, &event, &update, NULL) != ETNA_OK)
        abort();
    watch_step(s, index, &event, &update);
    enum {
        FEW = 4
    };
    size_t count = update.count;
    output_copy few[FEW],
        *copies = count <= FEW ? few : sim_new(count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        output_keep(&copies[i], &update.outputs[i]);
        if (copies[i].out.kind == LINK_OUT_SEND)
            send(s, index, &copies[i].out);
    }
    uint64_t life = w->life;
    for (size_t i = 0; i < count && w->life == life; i++) {
        if (copies[i].out.kind != LINK_OUT_SEND)
            obey(s, index, &copies[i].out);
    }
    if (copies != few)
        free(copies);
    if (!w->alive)
        return;
    uint64_t next = link_next_deadline(w->link), time = time_of(s, w);
    if (next != UINT64_MAX && (next != w->tick_at)) {
        w->tick_at = next;
        uint64_t in = next > time ? next - time : 1;
        if (w->drift)
            in = in * 1000 / (uint64_t)(1000 + w->drift) + 1;
        sim_at(s, in, SIM_WORKER_TICK, index, w->life, next);
    }
}

void worker_received(sim *s, const sim_event *event)
{
    sim_worker *w = &s->workers[event->a];
    bool arrives = w->life == event->b && w->pipe == event->pipe &&
                   s->now >= w->down_cut_until;
    if (!w->alive || !arrives)
        return;
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    etna_error err = {0};
    if (message_unpack(event->bytes, event->size, &arena, &m, &err) !=
        ETNA_OK) {
        sim_breach(s, "an answer does not unpack: %s", err.text);
    } else {
        watch_answer(s, (uint32_t)event->a, &m);
        worker_step(s, (uint32_t)event->a,
                    (link_event){.kind = LINK_RECEIVED,
                                 .request = event->c,
                                 .message = &m});
    }
    etna_arena_free(&arena);
}

uint32_t worker_calls(const sim_worker *w)
{
    uint32_t count = 0;
    for (const sim_job *j = w->jobs; j; j = j->next)
        count += is_calling(j);
    return count;
}

bool worker_is_calling(const sim *s, uint64_t index, const sim_slot *slot)
{
    const sim_job *j = index < s->worker_count ? s->workers[index].jobs : NULL;
    for (; j; j = j->next) {
        bool is_there = sim_run_of(s, &j->ref.run) == slot->run &&
                        memcmp(&j->slot, &slot->slot, sizeof j->slot) == 0;
        if (is_there && is_calling(j))
            return true;
    }
    return false;
}

void worker_start(sim *s, uint32_t index)
{
    sim_worker *w = of(s, index);
    if (w->alive)
        return;
    link_config config = link_config_default();
    bool is_last = index + 1 == s->options->workers;
    w->life++;
    w->incarnation = ++s->workers[index % s->options->workers].last_incarnation;
    w->tick_at = w->drained_for_ms = 0;
    w->started_ms = s->now;
    w->clock_base = s->options->clocks ? sim_chance(s, 1000000) : s->now;
    w->drift = s->options->clocks ? (int32_t)sim_chance(s, 101) - 50 : 0;
    w->pipe = sim_pipe(s);
    w->owner = s->owner;
    w->stopped_until = 0;
    w->is_away = false;
    w->leaving_heard_ms = 0;
    w->orders_ms = s->now;
    w->lease_sequence = w->sent_sequence = w->epoch_seen = 0;
    w->handing_count = 0;
    w->warm_count = 0;
    config.sender = w->sender;
    config.incarnation = w->incarnation;
    config.slots = s->options->slots;
    config.jobs_most = s->options->jobs_most;
    config.death = w->died;
    config.build =
        s->options->other_build && is_last ? "1.0-other" : "1.0-ours";
    w->died = (message_death){.worker = 0};
    if (link_new(&config, &w->link, NULL) != ETNA_OK)
        abort();
    w->alive = true;
    worker_step(s, index, (link_event){.kind = LINK_START});
}

void worker_kill(sim *s, uint32_t index)
{
    sim_worker *w = of(s, index);
    if (!w->alive)
        return;
    w->alive = false;
    w->life++;
    link_free(w->link);
    w->link = NULL;
    while (w->jobs) {
        if (w->jobs->stage == STAGE_MODEL)
            watch_call(s, false);
        job_free(w, w->jobs->id);
    }
}

sim_slot *sim_slot_of(sim *s, uint32_t run, const etna_slot *slot)
{
    uint64_t key = etna_seed(run, slot);
    sim_slot *first = table_get(&s->slots, key), *found = first;
    while (found &&
           (found->run != run || memcmp(&found->slot, slot, sizeof *slot) != 0))
        found = found->same;
    if (found)
        return found;
    found = etna_arena_alloc(&s->memory, 1, sizeof *found);
    if (!found)
        abort();
    *found = (sim_slot){.same = first, .run = run, .slot = *slot};
    if (!table_put(&s->slots, key, found))
        abort();
    return found;
}
