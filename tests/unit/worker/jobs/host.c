/* See host.h. Requests and replies go through their byte forms, as they do in a
 * worker. */
#include "tests/unit/worker/jobs/host.h"
#include "worker/gltf/bundle.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void host_open(host *h)
{
    memset(h, 0, sizeof *h);
    if (job_shared_new((size_t)1 << 30, &h->shared, NULL) != ETNA_OK)
        abort();
}

void host_close(host *h)
{
    job_shared_free(h->shared);
    for (uint32_t i = 0; i < h->blob_count; i++)
        free(h->blobs[i].data);
    etna_arena_free(&h->arena);
}

const uint8_t *host_get(const host *h, const etna_hash *hash, size_t *ret_size)
{
    for (uint32_t i = 0; i < h->blob_count; i++) {
        if (!etna_hash_equal(&h->blobs[i].hash, hash))
            continue;
        *ret_size = h->blobs[i].size;
        return h->blobs[i].data;
    }
    return NULL;
}

bool host_has(const host *h, const etna_hash *hash)
{
    size_t size;
    return host_get(h, hash, &size) != NULL;
}

etna_hash host_put(host *h, const void *data, size_t size)
{
    etna_hash hash = etna_hash_bytes(data, size);
    if (host_has(h, &hash))
        return hash;
    if (h->blob_count == sizeof h->blobs / sizeof *h->blobs)
        abort();
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    h->blobs[h->blob_count].hash = hash;
    h->blobs[h->blob_count].data = copy;
    h->blobs[h->blob_count++].size = size;
    return hash;
}

static job_event answer_call(
    host *h, job *j, const job_want *want, model_reply *reply, etna_error *err)
{
    uint8_t *bytes = NULL;
    size_t size;
    etna_hash hash;
    h->calls++;
    if (h->look)
        h->look(h, j, want->request);
    etna_code code = model_request_hash(want->request, &hash, err);
    if (code == ETNA_OK && h->answer && h->answer(h, want->request, reply)) {
        code = ETNA_OK;
    } else if (h->executor_says && want->request->role == ROLE_EXECUTOR) {
        *reply = (model_reply){.text = h->executor_says};
    } else if (code == ETNA_OK) {
        code = builtin_answer(want->request, &h->arena, reply, err);
    }
    if (code == ETNA_OK)
        code = model_reply_encode(reply, &bytes, &size, err);
    if (code == ETNA_OK)
        code = model_reply_decode(bytes, size, &h->arena, reply, err);
    free(bytes);
    if (code != ETNA_OK)
        return (job_event){
            .kind = EVENT_FAILED, .code = code, .text = err->text};
    return (job_event){.kind = EVENT_REPLY, .reply = reply};
}

typedef struct pieces {
    job *job;
    uint32_t count;
    atomic_uint next;
} pieces;

static void *work_pieces(void *context)
{
    pieces *p = context;
    for (uint32_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
        job_piece(p->job, i);
    return NULL;
}

static void work(const host *h, job *j, uint32_t count)
{
    pthread_t threads[16];
    pieces p = {.job = j, .count = count};
    uint32_t started = 0;
    if (!count || !h->threads) {
        job_work(j);
        return;
    }
    while (started < h->threads && started < 16 &&
           !pthread_create(&threads[started], NULL, work_pieces, &p))
        started++;
    if (!started)
        abort();
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* One job until it is done, or until it was dropped after `steps` steps
 * (returns false). */
static bool drive(
    host *h, job *j, uint32_t steps, arrange_result *ret, etna_error *err)
{
    job_event event = {.kind = EVENT_START};
    model_reply reply; /* its insides live in the host's arena */
    for (uint32_t n = 0; steps == 0 || n < steps; n++) {
        job_want want = {0};
        job_step(j, &event, &want);
        if (want.kind == WANT_DONE) {
            err->code = want.code;
            if (want.code != ETNA_OK) {
                etna_fail(err, want.code, "%s", want.text);
                return true;
            }
            uint8_t *bytes = NULL;
            size_t size;
            if (arrange_result_pack(want.result, &bytes, &size, err) ==
                ETNA_OK) {
                err->code =
                    arrange_result_unpack(bytes, size, &h->arena, ret, err);
            }
            free(bytes);
            return true;
        }
        switch (want.kind) {
        case WANT_POOL:
            h->works++;
            work(h, j, want.pieces);
            event = (job_event){.kind = EVENT_WORKED};
            break;
        case WANT_FETCH:
            event = (job_event){.kind = EVENT_BLOB};
            event.data = host_get(h, &want.hash, &event.size);
            if (!event.data)
                event = (job_event){.kind = EVENT_FAILED,
                                    .code = ETNA_E_NOTFOUND,
                                    .text = "no such blob"};
            break;
        case WANT_KEEP: {
            etna_hash hash = host_put(h, want.data, want.size);
            event = (job_event){.kind = etna_hash_equal(&hash, &want.hash)
                                            ? EVENT_KEPT
                                            : EVENT_FAILED,
                                .code = ETNA_E_CORRUPT,
                                .text = "hash"};
            break;
        }
        case WANT_CALL: event = answer_call(h, j, &want, &reply, err); break;
        case WANT_DONE: break;
        }
    }
    return false;
}

etna_code host_run(host *h,
                   const arrange_task *task,
                   arrange_result *ret,
                   etna_error *err)
{
    uint8_t *bytes = NULL;
    size_t size;
    uint32_t steps = h->drop_after;
    h->calls = h->works = 0;
    etna_code code = arrange_task_pack(task, &bytes, &size, err);
    for (bool done = false; code == ETNA_OK && !done; steps = 0) {
        job *j = NULL;
        code = job_new(h->shared, task->kind, bytes, size, &j, err);
        if (code != ETNA_OK)
            break;
        done = drive(h, j, steps, ret, err);
        if (done)
            code = err->code;
        job_free(j);
    }
    free(bytes);
    return code;
}

arrange_result host_do(host *h, const arrange_task *task)
{
    etna_error err = {0};
    arrange_result result = {0};
    if (host_run(h, task, &result, &err) != ETNA_OK)
        fail_msg("%s: %s", task_kind_name(task->kind), err.text);
    return result;
}

arrange_result host_import(
    host *h, uint8_t *bundle, size_t size, const char *goal, const char *camera)
{
    h->scene = host_put(h, bundle, size);
    free(bundle);
    const arrange_task task = {.kind = TASK_IMPORT,
                               .scene = h->scene,
                               .model = "builtin",
                               .goal = goal,
                               .camera = camera};
    arrange_result result = host_do(h, &task);
    assert_true(host_has(h, &result.snapshot));
    h->base = result.snapshot;
    h->camera = result.camera;
    return result;
}

arrange_result host_import_glb(
    host *h, uint8_t *glb, size_t size, const char *goal, const char *camera)
{
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    etna_error err = {0};
    if (bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    free(glb);
    return host_import(h, bundle, bundle_size, goal, camera);
}

arrange_task host_task(const host *h, task_kind kind)
{
    return (arrange_task){.kind = kind,
                          .scene = h->scene,
                          .snapshot = h->base,
                          .first_snapshot = h->base,
                          .run_seed = 7,
                          .node = 1,
                          .step = 1,
                          .model = "builtin",
                          .camera = h->camera,
                          .max_steps = 6};
}
