/* See jobs.h. Defines what worker/jobs and the built-in agent otherwise
 * would. */
#include "jobs.h"

#include "worker/jobs/image_cache.h"

#include "proto/cpu_time.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct job {
    uint8_t letter;
    etna_hash hash;
    uint8_t *data;
    size_t size;
    uint32_t phase;
    uint8_t pieces[JOBS_PIECES]; /* how often each was worked */
    arrange_result result;
    char reason[256];
    model_request request;
    model_message message;
    model_part part;
};

struct job_shared {
    size_t memory;
};

static atomic_uint alive, asked, slow;
/* pieces: now, most at once, ever; under the mutex */
static uint32_t together, most, begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool released;

static void set_released(bool value)
{
    pthread_mutex_lock(&mutex);
    released = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

void jobs_release(void)
{
    set_released(true);
}

void jobs_hold(void)
{
    set_released(false);
    pthread_mutex_lock(&mutex);
    together = most = begun = 0;
    pthread_mutex_unlock(&mutex);
}

uint32_t jobs_wait_pieces(uint32_t count)
{
    pthread_mutex_lock(&mutex);
    while (begun < count)
        pthread_cond_wait(&changed, &mutex);
    uint32_t now = begun;
    pthread_mutex_unlock(&mutex);
    return now;
}

uint32_t jobs_alive(void)
{
    return atomic_load(&alive);
}

uint32_t jobs_asked(void)
{
    return atomic_load(&asked);
}

void jobs_wait_slow(void)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&slow))
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

etna_code job_shared_new(size_t memory_bytes,
                         job_shared **ret_shared,
                         etna_error *err)
{
    *ret_shared = malloc(sizeof **ret_shared);
    if (!*ret_shared)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    (*ret_shared)->memory = memory_bytes;
    return ETNA_OK;
}

void job_shared_use_threads(job_shared *shared, uint32_t threads)
{
    (void)shared;
    (void)threads;
}

void job_shared_free(job_shared *shared)
{
    free(shared);
}

uint32_t job_shared_warm(job_shared *shared, etna_hash *ret, uint32_t room)
{
    (void)shared;
    if (!room)
        return 0;
    *ret = (etna_hash){{7}};
    return 1;
}

etna_code job_new(job_shared *shared,
                  uint32_t kind,
                  const uint8_t *payload,
                  size_t size,
                  job **ret_job,
                  etna_error *err)
{
    (void)shared;
    (void)kind;
    if (size < 33 || !strchr("RBXSFPQ", payload[0]))
        return etna_fail(err, ETNA_E_MESSAGE, "not a task of the test");
    job *j = calloc(1, sizeof *j);
    if (!j)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    j->letter = payload[0];
    memcpy(j->hash.bytes, payload + 1, 32);
    atomic_fetch_add(&alive, 1);
    *ret_job = j;
    return ETNA_OK;
}

void job_free(job *j)
{
    if (!j)
        return;
    free(j->data);
    free(j);
    atomic_fetch_sub(&alive, 1);
}

static void done(job *j, job_want *want)
{
    j->result.kind = TASK_POLL;
    *want = (job_want){.kind = WANT_DONE, .result = &j->result};
}

static void failed(job_want *want, etna_code code, const char *text)
{
    *want = (job_want){.kind = WANT_DONE, .code = code, .text = text};
}

static void step_reverse(job *j, const job_event *event, job_want *want)
{
    switch (j->phase++) {
    case 0: *want = (job_want){.kind = WANT_FETCH, .hash = j->hash}; break;
    case 1:
        j->data = malloc(event->size + 1);
        j->size = event->size;
        memcpy(j->data, event->data, event->size);
        *want = (job_want){.kind = WANT_POOL};
        break;
    case 2:
        j->result.blob = etna_hash_bytes(j->data, j->size);
        *want = (job_want){.kind = WANT_KEEP,
                           .hash = j->result.blob,
                           .data = j->data,
                           .size = j->size};
        break;
    default: done(j, want); break;
    }
}

static void step_call(job *j, const job_event *event, job_want *want)
{
    if (j->phase++ == 0) {
        j->part = (model_part){.kind = MODEL_TEXT, .text = "how are you?"};
        j->message = (model_message){
            .author = MODEL_USER, .part_count = 1, .parts = &j->part};
        j->request = (model_request){.model = j->letter == 'B' ? "builtin"
                                                               : "unheard-of",
                                     .role = ROLE_PLANNER,
                                     .message_count = 1,
                                     .messages = &j->message};
        *want = (job_want){.kind = WANT_CALL,
                           .slot = {.node = 1, .role = ROLE_PLANNER},
                           .request = &j->request};
        return;
    }
    strncpy(j->reason, event->reply->text, sizeof j->reason - 1);
    j->result.reason = j->reason;
    j->result.used = event->reply->usage;
    done(j, want);
}

static void step_pieces(job *j, job_want *want)
{
    if (j->phase++ == 0) {
        *want = (job_want){.kind = WANT_POOL, .pieces = JOBS_PIECES};
        return;
    }
    for (uint32_t i = 0; i < JOBS_PIECES; i++)
        j->reason[i] = (char)('0' + j->pieces[i]);
    j->result.reason = j->reason;
    done(j, want);
}

void job_step(job *j, const job_event *event, job_want *ret_want)
{
    if (event->kind == EVENT_FAILED) {
        strncpy(j->reason, event->text, sizeof j->reason - 1);
        failed(ret_want, event->code, j->reason);
    } else if (j->letter == 'R') {
        step_reverse(j, event, ret_want);
    } else if (j->letter == 'S' && j->phase++ == 0) {
        *ret_want = (job_want){.kind = WANT_POOL};
    } else if (j->letter == 'S') {
        done(j, ret_want);
    } else if (j->letter == 'P' || j->letter == 'Q') {
        step_pieces(j, ret_want);
    } else if (j->letter == 'F') {
        failed(ret_want, ETNA_E_INPUT, "caf\xe9 has no door");
    } else {
        step_call(j, event, ret_want);
    }
}

void job_work(job *j)
{
    if (j->letter == 'S') {
        pthread_mutex_lock(&mutex);
        atomic_fetch_add(&slow, 1);
        pthread_cond_broadcast(&changed);
        while (!released)
            pthread_cond_wait(&changed, &mutex);
        atomic_fetch_sub(&slow, 1);
        pthread_mutex_unlock(&mutex);
        return;
    }
    for (size_t i = 0; i < j->size / 2; i++) {
        uint8_t byte = j->data[i];
        j->data[i] = j->data[j->size - 1 - i];
        j->data[j->size - 1 - i] = byte;
    }
}

void job_piece(job *j, uint32_t piece)
{
    uint64_t begun_us = cpu_time_us();
    while (j->letter == 'P' && cpu_time_us() - begun_us < JOBS_PIECE_US) {
    }
    pthread_mutex_lock(&mutex);
    j->pieces[piece]++;
    begun++;
    most = ++together > most ? together : most;
    pthread_cond_broadcast(&changed);
    while (most < 2 && j->letter == 'P')
        /* ends only where two are worked at once */
        pthread_cond_wait(&changed, &mutex);
    while (!released && j->letter == 'Q')
        pthread_cond_wait(&changed, &mutex);
    together--;
    pthread_mutex_unlock(&mutex);
}

etna_code builtin_answer(const model_request *request,
                         etna_arena *arena,
                         model_reply *ret,
                         etna_error *err)
{
    (void)request;
    (void)arena;
    (void)err;
    atomic_fetch_add(&asked, 1);
    *ret =
        (model_reply){.text = "fresh", .usage = {.tokens_in = 11, .calls = 1}};
    return ETNA_OK;
}

/* ---- no task of these tests names models, so no request has images ---- */

const char *job_models(const job *j)
{
    (void)j;
    return NULL;
}

etna_code job_images_open(job *j,
                          const model_request *request,
                          const models_model *model,
                          job_images **ret,
                          etna_error *err)
{
    (void)j;
    (void)request;
    (void)model;
    *ret = NULL;
    return etna_fail(err, ETNA_E_INTERNAL, "no images are made here");
}

uint32_t job_images_missing(const job_images *p)
{
    (void)p;
    return 0;
}

void job_images_draw(job_images *p, uint32_t piece)
{
    (void)p;
    (void)piece;
}

bool job_images_want(const job_images *p, etna_hash *ret)
{
    (void)p;
    (void)ret;
    return false;
}

etna_code job_images_give(job_images *p,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    (void)p;
    (void)hash;
    (void)data;
    (void)size;
    return etna_fail(err, ETNA_E_INTERNAL, "no images are made here");
}

etna_code job_images_make(job_images *p,
                          const provider_image **ret,
                          etna_error *err)
{
    (void)p;
    *ret = NULL;
    return etna_fail(err, ETNA_E_INTERNAL, "no images are made here");
}

void job_images_close(job_images *p)
{
    (void)p;
}
