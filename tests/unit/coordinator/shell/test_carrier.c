/* A coordinator whose disk takes its time: a gate stands before the tables of a
 * store on the disk, and lets writes through when the test says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/client.h"
#include "coordinator/shell/shell.h"
#include "proto/build.h"
#include "store/store_internal.h"
#include "tests/support/folder.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ok(expression) assert_int_equal((expression), ETNA_OK)

typedef struct gated {
    kv base;
    kv *inner; /* owned */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool shut;
    unsigned waiting; /* writes that stand before it */
    etna_code fails;  /* the next write, once */
} gated;

static etna_code gated_run(
    kv *db, bool write, kv_body body, void *context, etna_error *err)
{
    gated *g = (gated *)db;
    if (!write)
        return kv_read(g->inner, body, context, err);
    pthread_mutex_lock(&g->lock);
    g->waiting++;
    pthread_cond_broadcast(&g->changed);
    while (g->shut)
        pthread_cond_wait(&g->changed, &g->lock);
    g->waiting--;
    const etna_code fails = g->fails;
    g->fails = ETNA_OK;
    pthread_mutex_unlock(&g->lock);
    return fails ? etna_fail(err, fails, "the gate says no")
                 : kv_write(g->inner, body, context, err);
}

static uint64_t gated_file_bytes(kv *db)
{
    kv *inner = ((gated *)db)->inner;
    return inner->ops->file_bytes(inner);
}

static void gated_maintain(kv *db)
{
    kv *inner = ((gated *)db)->inner;
    inner->ops->maintain(inner);
}

static void gated_close(kv *db)
{
    gated *g = (gated *)db;
    kv_close(g->inner);
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static const kv_ops gated_ops = {.run = gated_run,
                                 .file_bytes = gated_file_bytes,
                                 .maintain = gated_maintain,
                                 .close = gated_close};

static gated *gated_open(const char *path)
{
    const kv_options options = {.path = path, .tables = STORE_TABLES};
    gated *g = calloc(1, sizeof *g);
    assert_non_null(g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    ok(kv_open_lmdb(&options, &g->inner, NULL));
    g->base = (kv){&gated_ops, g->inner->concurrent};
    return g;
}

static void gated_set(gated *g, bool shut)
{
    pthread_mutex_lock(&g->lock);
    g->shut = shut;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

static void gated_fail(gated *g, etna_code fails)
{
    pthread_mutex_lock(&g->lock);
    g->fails = fails;
    pthread_mutex_unlock(&g->lock);
}

/* Until a commit stands before it. */
static void gated_await(gated *g)
{
    pthread_mutex_lock(&g->lock);
    while (!g->waiting)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

typedef struct fixture {
    char directory[FOLDER_SIZE], url[96];
    gated *gate;
    store *s;
    shell *sh;
    pthread_t player;
    int troubles;
    /* what the player found out: a thread may not assert */
    etna_code code;
    bool leased, told_early;
} fixture;

/* A request of a client of its own. */
typedef struct asking {
    fixture *f;
    message question;
    pthread_t thread;
    atomic_int answered;
    etna_code code;
    message_kind kind; /* of the answer */
    run_state state;
} asking;

static void on_trouble(void *context, const char *what)
{
    ((fixture *)context)->troubles += what != NULL;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    folder_make(f->directory);
    snprintf(f->url, sizeof f->url, "ipc://%s/s", f->directory);
    f->gate = gated_open(f->directory);
    ok(store_open_on(&f->gate->base, 0, &f->s, NULL));
    shell_options options = shell_options_default();
    options.store = f->s;
    options.url = f->url;
    options.serve = true;
    options.context = f;
    options.wait_full = true;
    options.trouble = on_trouble;
    ok(shell_new(&options, &f->sh, NULL));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    shell_free(f->sh);
    store_close(f->s);
    folder_remove(f->directory);
    free(f);
    return 0;
}

static client *client_of(fixture *f)
{
    client_options options = client_options_default();
    client *c = NULL;
    f->code = f->code ? f->code : client_open(f->url, &options, &c, NULL);
    return c;
}

static etna_id run_named(uint8_t name)
{
    etna_id run;
    memset(run.bytes, name, sizeof run.bytes);
    return run;
}

/* *ret_bytes is what the message borrows. */
static message submit_of(fixture *f, uint8_t name, uint8_t **ret_bytes)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = arrange_config_default();
    size_t size = 0;
    config.scene = etna_hash_bytes("a scene", 7);
    config.scene_name = "scene.glb";
    config.goal = "tidy up";
    *ret_bytes = NULL;
    if (!f->code)
        f->code = arrange_config_pack(&config, ret_bytes, &size, NULL);
    m.body.run_submit = (message_run_submit){run_named(name), *ret_bytes, size};
    return m;
}

static void submit(fixture *f, client *c, uint8_t name)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message answer;
    uint8_t *bytes;
    message m = submit_of(f, name, &bytes);
    etna_hash scene = etna_hash_bytes("a scene", 7);
    if (!f->code)
        f->code =
            client_put_blob(c, &scene, (const uint8_t *)"a scene", 7, NULL);
    if (!f->code)
        f->code = client_call(c, &m, &arena, &answer, NULL);
    free(bytes);
    etna_arena_free(&arena);
}

static message lease_request(void)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    m.body.lease_request = (message_lease_request){
        .slots_free = 1, .cpus = 1, .build = etna_build()};
    return m;
}

/* Whether a task is given out. */
static bool lease(fixture *f, client *c)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m = lease_request(), answer = {.kind = 0};
    if (!f->code)
        f->code = client_call(c, &m, &arena, &answer, NULL);
    etna_arena_free(&arena);
    return answer.kind == MESSAGE_LEASE;
}

static void *asking_run(void *context)
{
    asking *a = context;
    client_options options = client_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    client *c = NULL;
    message answer = {.kind = 0};
    a->code = client_open(a->f->url, &options, &c, NULL);
    if (!a->code)
        a->code = client_call(c, &a->question, &arena, &answer, NULL);
    a->kind = answer.kind;
    if (answer.kind == MESSAGE_RUN_STATUS)
        a->state = answer.body.run_status.state;
    a->answered = 1;
    client_close(c);
    etna_arena_free(&arena);
    return NULL;
}

static void asking_begin(asking *a, fixture *f, message question)
{
    *a = (asking){.f = f, .question = question};
    if (!f->code && pthread_create(&a->thread, NULL, asking_run, a))
        f->code = ETNA_E_IO;
}

static void asking_end(asking *a)
{
    if (a->f->code)
        return;
    pthread_join(a->thread, NULL);
    a->f->code = a->code;
}

static void *player_ends(client *c)
{
    client_close(c);
    kill(getpid(), SIGTERM);
    return NULL;
}

/* Runs 1 and 2 are durable; then the disk stands still while run 3 is
 * submitted, and cancelled behind that. */
static void *play_still_disk(void *context)
{
    fixture *f = context;
    uint8_t *bytes;
    asking submits, cancels;
    client *c = client_of(f);
    submit(f, c, 1);
    submit(f, c, 2);
    gated_set(f->gate, true);
    asking_begin(&submits, f, submit_of(f, 3, &bytes));
    gated_await(f->gate);
    f->leased = lease(f, c);
    message cancel = {.kind = MESSAGE_RUN_CANCEL};
    cancel.body.run_cancel.run = run_named(3);
    asking_begin(&cancels, f, cancel);
    f->leased = lease(f, c) && f->leased;
    f->told_early = submits.answered || cancels.answered;
    gated_set(f->gate, false);
    asking_end(&submits);
    asking_end(&cancels);
    if (submits.state != RUN_RUNNING || cancels.state != RUN_CANCELLED)
        f->code = f->code ? f->code : ETNA_E_INTERNAL;
    free(bytes);
    return player_ends(c);
}

static etna_code run_with(fixture *f, void *(*body)(void *))
{
    int number = 0;
    bool twice = false;
    assert_int_equal(pthread_create(&f->player, NULL, body, f), 0);
    etna_code code = shell_run(f->sh, &number, &twice, NULL);
    gated_set(f->gate, false);
    pthread_join(f->player, NULL);
    return code;
}

static run_state state_of(fixture *f, uint8_t name)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_id run = run_named(name);
    store_run row = {.state = RUN_UNKNOWN};
    ok(store_get_run(f->s, &run, &row, &arena, NULL));
    etna_arena_free(&arena);
    return (run_state)row.state;
}

static void work_is_given_out_while_the_disk_stands_still(void **state)
{
    fixture *f = *state;
    uint64_t faults;
    ok(run_with(f, play_still_disk));
    ok(f->code);
    assert_true(f->leased);
    assert_false(f->told_early);
    assert_int_equal(state_of(f, 3), RUN_CANCELLED);
    ok(store_verify(f->s, NULL, NULL, &faults, NULL));
    assert_int_equal(faults, 0);
}

/* Run 1 is durable, and run 2 is not when its task is asked for. */
static void *play_early_lease(void *context)
{
    fixture *f = context;
    uint8_t *bytes;
    asking submits, leases;
    client *c = client_of(f);
    submit(f, c, 1);
    gated_set(f->gate, true);
    asking_begin(&submits, f, submit_of(f, 2, &bytes));
    gated_await(f->gate);
    f->leased = lease(f, c);
    asking_begin(&leases, f, lease_request());
    /* its connection needs some ms; a false alarm is impossible */
    for (int i = 0; i < 50 && !leases.answered; i++)
        poll(NULL, 0, 10);
    f->told_early = leases.answered;
    gated_set(f->gate, false);
    asking_end(&submits);
    asking_end(&leases);
    if (leases.kind != MESSAGE_LEASE)
        f->code = f->code ? f->code : ETNA_E_INTERNAL;
    free(bytes);
    return player_ends(c);
}

static void a_task_waits_for_what_it_follows_from(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_early_lease));
    ok(f->code);
    assert_true(f->leased);
    assert_false(f->told_early);
}

/* The end comes while a commit waits. */
static void *play_early_end(void *context)
{
    fixture *f = context;
    uint8_t *bytes;
    asking submits;
    client *c = client_of(f);
    submit(f, c, 1);
    gated_set(f->gate, true);
    asking_begin(&submits, f, submit_of(f, 2, &bytes));
    gated_await(f->gate);
    kill(getpid(), SIGTERM);
    gated_set(f->gate, false);
    asking_end(&submits);
    client_close(c);
    free(bytes);
    return NULL;
}

static void what_is_on_its_way_at_the_end_arrives(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_early_end));
    ok(f->code);
    assert_int_equal(state_of(f, 2), RUN_RUNNING);
}

static void *play_full_disk(void *context)
{
    fixture *f = context;
    client *c = client_of(f);
    submit(f, c, 1);
    gated_fail(f->gate, ETNA_E_FULL);
    submit(f, c, 2);
    return player_ends(c);
}

static void a_group_that_met_a_full_disk_is_carried_again(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_full_disk));
    ok(f->code);
    assert_int_equal(f->troubles, 2); /* full, and over */
    assert_int_equal(state_of(f, 2), RUN_RUNNING);
}

/* Nobody is told what is not durable: the client waits until it is stopped. */
static void *play_broken_disk(void *context)
{
    fixture *f = context;
    client_options options = client_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    client *c = client_of(f);
    message answer = {.kind = 0};
    uint8_t *bytes;
    submit(f, c, 1);
    client_close(c);
    options.answer_ms = 500;
    message m = submit_of(f, 2, &bytes);
    gated_fail(f->gate, ETNA_E_IO);
    if (!f->code)
        f->code = client_open(f->url, &options, &c, NULL);
    if (!f->code) {
        f->told_early = client_call(c, &m, &arena, &answer, NULL) == ETNA_OK;
        client_close(c);
    }
    free(bytes);
    etna_arena_free(&arena);
    return NULL;
}

static void a_disk_that_fails_ends_the_loop_untold(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_with(f, play_broken_disk), ETNA_E_IO);
    ok(f->code);
    assert_false(f->told_early);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(work_is_given_out_while_the_disk_stands_still),
        TEST(a_task_waits_for_what_it_follows_from),
        TEST(what_is_on_its_way_at_the_end_arrives),
        TEST(a_group_that_met_a_full_disk_is_carried_again),
        TEST(a_disk_that_fails_ends_the_loop_untold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
