/* A whole worker against a small coordinator over ipc: tasks, blobs, calls,
 * cancel, loss and return, the ways to end. */
#include "coordinator.h"
#include "jobs.h"
#include "proto/arrange.h"
#include "tests/support/alone.h"
#include "tests/support/folder.h"
#include "worker/provider/conversation.h"
#include "worker/shell/worker.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct rig {
    fake f;
    char folder[FOLDER_SIZE], url[96];
    worker_options options;
    worker_end end;
    etna_error err;
    etna_code code;
    pthread_t thread;
    bool running;
    char said[2048]; /* under f.mutex */
} rig;

static void say(void *context, const char *line)
{
    rig *r = context;
    pthread_mutex_lock(&r->f.mutex);
    size_t used = strlen(r->said);
    snprintf(r->said + used, sizeof r->said - used, "%s\n", line);
    pthread_cond_broadcast(&r->f.changed);
    pthread_mutex_unlock(&r->f.mutex);
}

static void *run(void *context)
{
    rig *r = context;
    r->code = worker_run(&r->options, &r->end, &r->err);
    return NULL;
}

static void start_worker(rig *r)
{
    assert_int_equal(pthread_create(&r->thread, NULL, run, r), 0);
    r->running = true;
}

static void join_worker(rig *r)
{
    if (r->running)
        pthread_join(r->thread, NULL);
    r->running = false;
}

static void drain(rig *r)
{
    pthread_mutex_lock(&r->f.mutex);
    r->f.drain = true;
    pthread_cond_broadcast(&r->f.changed);
    pthread_mutex_unlock(&r->f.mutex);
}

static int setup(void **state)
{
    rig *r = calloc(1, sizeof *r);
    fake_init(&r->f);
    folder_make(r->folder);
    snprintf(r->url, sizeof r->url, "ipc://%s/socket", r->folder);
    r->options = worker_options_default();
    r->options.url = r->url;
    r->options.cpus = 2;
    r->options.slots = 3;
    r->options.say = say;
    r->options.context = r;
    jobs_hold();
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    rig *r = *state;
    jobs_release();
    if (r->running) {
        drain(r);
        if (!r->f.net)
            fake_open(&r->f, r->url);
        join_worker(r);
    }
    fake_free(&r->f);
    char path[96];
    snprintf(path, sizeof path, "%s/socket", r->folder);
    unlink(path);
    int left = rmdir(r->folder); /* nothing else is left behind */
    free(r);
    return left || jobs_alive() ? -1 : 0;
}

static void begin(rig *r)
{
    fake_open(&r->f, r->url);
    start_worker(r);
}

static void add(rig *r, uint64_t task, char letter, const etna_hash *hash)
{
    uint8_t payload[33] = {(uint8_t)letter};
    if (hash)
        memcpy(payload + 1, hash->bytes, 32);
    fake_add_task(&r->f, task, payload, sizeof payload);
}

static bool has_results(const fake *f, uint64_t count)
{
    return f->result_count >= count;
}

/* The orders request after the answer that cancelled: the worker has acted on
 * it. */
static bool has_cancelled(const fake *f, uint64_t unused)
{
    (void)unused;
    return !f->cancel && f->cancelled_at &&
           f->orders_requests > f->cancelled_at;
}

static bool has_call_ends(const fake *f, uint64_t count)
{
    return f->call_ends >= count;
}

static bool has_lease_requests(const fake *f, uint64_t count)
{
    return f->lease_requests >= count;
}

static fake_result result_of(rig *r, uint64_t task)
{
    fake_result found = {0};
    pthread_mutex_lock(&r->f.mutex);
    for (uint32_t i = 0; i < r->f.result_count; i++) {
        if (r->f.results[i].task == task)
            found = r->f.results[i];
    }
    pthread_mutex_unlock(&r->f.mutex);
    assert_int_equal(found.task, task);
    return found;
}

static arrange_result unpacked(const fake_result *result, etna_arena *arena)
{
    arrange_result out;
    assert_int_equal(result->error, ETNA_OK);
    assert_int_equal(
        arrange_result_unpack(result->payload, result->size, arena, &out, NULL),
        ETNA_OK);
    return out;
}

static uint8_t *big_blob(size_t size)
{
    uint8_t *data = malloc(size);
    assert_non_null(data);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(i * 7 + i / 251);
    return data;
}

/* ---- tests ---- */

static void a_task_is_fetched_worked_kept_and_answered(void **state)
{
    rig *r = *state;
    size_t size = 2 * MESSAGE_CHUNK + 12345;
    uint8_t *data = big_blob(size);
    etna_hash hash = fake_add_blob(&r->f, data, size);
    for (size_t i = 0; i < size / 2; i++) {
        uint8_t byte = data[i];
        data[i] = data[size - 1 - i];
        data[size - 1 - i] = byte;
    }
    etna_hash reversed = etna_hash_bytes(data, size);
    begin(r);
    add(r, 1, 'R', &hash);
    assert_true(fake_wait(&r->f, has_results, 1));
    etna_arena arena = ETNA_ARENA_INIT;
    fake_result result = result_of(r, 1);
    arrange_result got = unpacked(&result, &arena);
    assert_true(etna_hash_equal(&got.blob, &reversed));
    pthread_mutex_lock(&r->f.mutex);
    const fake_blob *kept = fake_find(&r->f, &reversed);
    assert_true(kept && kept->received == size &&
                memcmp(kept->data, data, size) == 0);
    pthread_mutex_unlock(&r->f.mutex);
    etna_arena_free(&arena);
    free(data);
}

static void a_blob_is_downloaded_once(void **state)
{
    rig *r = *state;
    uint8_t *data = big_blob(3 * MESSAGE_CHUNK);
    etna_hash hash = fake_add_blob(&r->f, data, 3 * MESSAGE_CHUNK);
    free(data);
    for (uint64_t task = 1; task <= 3; task++)
        add(r, task, 'R', &hash); /* at once */
    begin(r);
    assert_true(fake_wait(&r->f, has_results, 3));
    add(r, 4, 'R', &hash); /* and later */
    assert_true(fake_wait(&r->f, has_results, 4));
    for (uint64_t task = 1; task <= 4; task++)
        assert_int_equal(result_of(r, task).error, ETNA_OK);
    pthread_mutex_lock(&r->f.mutex);
    assert_int_equal(fake_find(&r->f, &hash)->gets, 1);
    pthread_mutex_unlock(&r->f.mutex);
}

static void a_corrupt_blob_fails_its_task_and_no_other(void **state)
{
    rig *r = *state;
    etna_hash hash = fake_add_blob(&r->f, (const uint8_t *)"abc", 3);
    r->f.corrupt = true;
    begin(r);
    add(r, 1, 'R', &hash);
    assert_true(fake_wait(&r->f, has_results, 1));
    assert_int_equal(result_of(r, 1).error, ETNA_E_CORRUPT);
    pthread_mutex_lock(&r->f.mutex);
    r->f.corrupt = false;
    pthread_mutex_unlock(&r->f.mutex);
    add(r, 2, 'R', &hash);
    assert_true(fake_wait(&r->f, has_results, 2));
    assert_int_equal(result_of(r, 2).error, ETNA_OK);
    etna_hash missing = {{9}};
    add(r, 3, 'R', &missing);
    assert_true(fake_wait(&r->f, has_results, 3));
    assert_int_equal(result_of(r, 3).error, ETNA_E_NOTFOUND);
}

static void tasks_that_cannot_be_done_say_why(void **state)
{
    rig *r = *state;
    begin(r);
    add(r, 1, 'F', NULL);
    add(r, 2, '?', NULL);
    assert_true(fake_wait(&r->f, has_results, 2));
    fake_result result = result_of(r, 1);
    assert_int_equal(result.error, ETNA_E_INPUT);
    /* sendable, whatever a scene is called */
    assert_string_equal(result.text, "caf? has no door");
    assert_int_equal(result_of(r, 2).error, ETNA_E_MESSAGE);
}

static void a_call_is_made_and_acted_on_only_when_it_is_durable(void **state)
{
    rig *r = *state;
    r->f.call_verdict = CALL_GO;
    r->f.hold_call_ends = true;
    begin(r);
    uint32_t before = jobs_asked();
    add(r, 1, 'B', NULL);
    assert_true(fake_wait(&r->f, has_call_ends, 1));
    /* sent again, for want of an answer */
    assert_true(fake_wait(&r->f, has_call_ends, 2));
    pthread_mutex_lock(&r->f.mutex);
    assert_int_equal(r->f.result_count, 0);
    r->f.hold_call_ends = false;
    pthread_cond_broadcast(&r->f.changed);
    pthread_mutex_unlock(&r->f.mutex);
    assert_true(fake_wait(&r->f, has_results, 1));
    etna_arena arena = ETNA_ARENA_INIT;
    fake_result result = result_of(r, 1);
    arrange_result got = unpacked(&result, &arena);
    assert_string_equal(got.reason, "fresh");
    assert_int_equal(got.used.tokens_in, 11);
    assert_int_equal(jobs_asked(), before + 1);
    etna_arena_free(&arena);
}

static void a_stored_call_is_not_made(void **state)
{
    rig *r = *state;
    uint8_t *data;
    size_t size;
    model_reply stored = {.text = "stored"};
    assert_int_equal(model_reply_encode(&stored, &data, &size, NULL), ETNA_OK);
    r->f.call_verdict = CALL_STORED;
    r->f.stored_reply = fake_add_blob(&r->f, data, size);
    free(data);
    begin(r);
    uint32_t before = jobs_asked();
    add(r, 1, 'B', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
    etna_arena arena = ETNA_ARENA_INIT;
    fake_result result = result_of(r, 1);
    arrange_result got = unpacked(&result, &arena);
    assert_string_equal(got.reason, "stored");
    assert_int_equal(jobs_asked(), before);
    assert_int_equal(r->f.call_ends, 0);
    etna_arena_free(&arena);
}

static void a_stopped_call_and_an_unknown_model_fail_their_task(void **state)
{
    rig *r = *state;
    r->f.call_verdict = CALL_STOP;
    begin(r);
    add(r, 1, 'B', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
    assert_int_equal(result_of(r, 1).error, ETNA_E_CANCELLED);
    pthread_mutex_lock(&r->f.mutex);
    r->f.call_verdict = CALL_GO;
    pthread_mutex_unlock(&r->f.mutex);
    add(r, 2, 'X', NULL);
    assert_true(fake_wait(&r->f, has_results, 2));
    fake_result result = result_of(r, 2);
    assert_int_equal(result.error, ETNA_E_USAGE);
    assert_non_null(strstr(result.text, "unheard-of"));
    assert_non_null(strstr(result.text, "builtin"));
}

static void a_cancelled_job_ends_without_a_result(void **state)
{
    rig *r = *state;
    r->options.slots = 1;
    begin(r);
    add(r, 1, 'S', NULL);
    jobs_wait_slow();
    pthread_mutex_lock(&r->f.mutex);
    r->f.cancel = 1;
    pthread_cond_broadcast(&r->f.changed);
    pthread_mutex_unlock(&r->f.mutex);
    assert_true(fake_wait(&r->f, has_cancelled, 0));
    assert_int_equal(r->f.held_count, 0);
    jobs_release();
    add(r, 2, 'F', NULL); /* the slot is free again */
    assert_true(fake_wait(&r->f, has_results, 1));
    assert_int_equal(result_of(r, 2).task, 2);
    assert_int_equal(r->f.result_count, 1);
}

static void pieces_of_a_job_are_worked_at_once_and_each_once(void **state)
{
    rig *r = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    begin(r);
    add(r, 1, 'P', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
    fake_result result = result_of(r, 1);
    assert_string_equal(unpacked(&result, &arena).reason, "111111");
    /* on whichever threads they were */
    assert_in_range(result.cpu_us, JOBS_PIECES * JOBS_PIECE_US,
                    JOBS_PIECES * JOBS_PIECE_US * 10);
    etna_arena_free(&arena);
}

/* Two threads hold a piece each; the others are not begun any more, and the job
 * is freed only when the two are done. */
static void a_cancelled_job_begins_no_further_piece(void **state)
{
    rig *r = *state;
    r->options.slots = 1;
    begin(r);
    add(r, 1, 'Q', NULL);
    assert_int_equal(jobs_wait_pieces(2), 2);
    pthread_mutex_lock(&r->f.mutex);
    r->f.cancel = 1;
    pthread_cond_broadcast(&r->f.changed);
    pthread_mutex_unlock(&r->f.mutex);
    assert_true(fake_wait(&r->f, has_cancelled, 0));
    jobs_release();
    add(r, 2, 'F', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
    assert_int_equal(result_of(r, 2).task, 2);
    assert_int_equal(jobs_wait_pieces(2), 2);
}

static bool said_back(const fake *f, uint64_t r)
{
    return (void)f,
           strstr(((const rig *)(uintptr_t)r)->said, "is back") != NULL;
}

static bool said_lost(const fake *f, uint64_t r)
{
    return (void)f, strstr(((const rig *)(uintptr_t)r)->said, "lost") != NULL;
}

static void a_restarted_coordinator_is_found_again(void **state)
{
    rig *r = *state;
    begin(r);
    add(r, 1, 'S', NULL);
    jobs_wait_slow();
    fake_close(&r->f);
    assert_true(fake_wait(&r->f, said_lost, (uintptr_t)r));
    jobs_release();
    fake_open(&r->f, r->url);
    assert_true(fake_wait(&r->f, has_results, 1)); /* nothing was lost */
    assert_true(fake_wait(&r->f, said_back, (uintptr_t)r));
    /* one line each */
    assert_ptr_equal(strstr(strstr(r->said, "lost") + 4, "lost"), NULL);
    add(r, 2, 'F', NULL);
    assert_true(fake_wait(&r->f, has_results, 2));
}

static void it_waits_for_a_coordinator_that_is_not_there_yet(void **state)
{
    rig *r = *state;
    start_worker(r);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    fake_open(&r->f, r->url);
    add(r, 1, 'F', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
}

static void answers_that_are_no_messages_do_no_harm(void **state)
{
    rig *r = *state;
    r->f.garbage = 5;
    begin(r);
    add(r, 1, 'F', NULL);
    assert_true(fake_wait(&r->f, has_lease_requests, 1));
    /* The lease itself may have been in a broken answer: then it is granted
     * anew, as a coordinator would. */
    for (uint64_t task = 2; task < 6; task++)
        add(r, task, 'F', NULL);
    assert_true(fake_wait(&r->f, has_results, 1));
}

static void a_drained_worker_finishes_first(void **state)
{
    rig *r = *state;
    begin(r);
    add(r, 1, 'S', NULL);
    jobs_wait_slow();
    drain(r);
    jobs_release();
    join_worker(r);
    assert_int_equal(r->code, ETNA_OK);
    assert_int_equal(r->end.signal, 0);
    assert_false(r->end.abandoned);
    assert_int_equal(result_of(r, 1).error, ETNA_OK);
}

static void the_first_signal_drains_and_the_second_ends(void **state)
{
    rig *r = *state;
    begin(r);
    add(r, 1, 'S', NULL);
    jobs_wait_slow();
    kill(getpid(), SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 200000000},
              NULL); /* two signals at once would be one */
    jobs_release();
    join_worker(r);
    assert_int_equal(r->end.signal, 0);
    assert_int_equal(result_of(r, 1).error, ETNA_OK);

    jobs_hold();
    r->f.lease_sequence = 0; /* another worker counts from 1 again */
    start_worker(r);
    add(r, 2, 'S', NULL);
    jobs_wait_slow();
    kill(getpid(), SIGTERM);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    kill(getpid(), SIGINT);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    /* within the pool's patience, so that memory is taken down here */
    jobs_release();
    join_worker(r);
    assert_int_equal(r->end.signal, SIGINT);
    assert_false(r->end.abandoned);
}

static void the_end_of_the_parents_pipe_ends_it_within_two_seconds(void **state)
{
    rig *r = *state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    r->options.parent_fd = fds[0];
    fake_open(&r->f, r->url);
    start_worker(r);
    assert_true(fake_wait(&r->f, has_lease_requests, 1));
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    close(fds[1]);
    join_worker(r);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(to.tv_sec - from.tv_sec <= 2);
    assert_int_equal(r->code, ETNA_OK);
    assert_false(r->end.abandoned);
    assert_int_equal(close(fds[0]), -1); /* the worker closed it */
}

static void a_url_that_is_none_is_refused(void **state)
{
    rig *r = *state;
    static const char *const urls[] = {
        "nowhere",      "http://localhost:1", "tcp://",
        "ipc://",       "tcp://a:b:c",        "tcp://host",
        "tcp://host:0", "tcp://host:99999",   "tcp://host:1/x",
        "tcp://::1:80", "tcp://:80"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        r->options.url = urls[i];
        etna_error err = {0};
        assert_int_equal(worker_run(&r->options, &r->end, &err), ETNA_E_USAGE);
        assert_true(err.text[0]);
    }
    r->options.url = r->url;
    r->options.slots = 100000;
    assert_int_equal(worker_run(&r->options, &r->end, NULL), ETNA_E_USAGE);
    r->options.cookie = 0;
    assert_int_equal(worker_run(&r->options, &r->end, NULL), ETNA_E_USAGE);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_task_is_fetched_worked_kept_and_answered),
        TEST(a_blob_is_downloaded_once),
        TEST(a_corrupt_blob_fails_its_task_and_no_other),
        TEST(tasks_that_cannot_be_done_say_why),
        TEST(a_call_is_made_and_acted_on_only_when_it_is_durable),
        TEST(a_stored_call_is_not_made),
        TEST(a_stopped_call_and_an_unknown_model_fail_their_task),
        TEST(a_cancelled_job_ends_without_a_result),
        TEST(pieces_of_a_job_are_worked_at_once_and_each_once),
        TEST(a_cancelled_job_begins_no_further_piece),
        TEST(a_restarted_coordinator_is_found_again),
        TEST(it_waits_for_a_coordinator_that_is_not_there_yet),
        TEST(answers_that_are_no_messages_do_no_harm),
        TEST(a_drained_worker_finishes_first),
        TEST(the_first_signal_drains_and_the_second_ends),
        TEST(the_end_of_the_parents_pipe_ends_it_within_two_seconds),
        TEST(a_url_that_is_none_is_refused),
    };
    return alone_run(tests, sizeof tests / sizeof *tests);
}
