/* The shell with a real socket, a store in memory and a worker played by a
 * thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/client.h"
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/shell.h"
#include "proto/build.h"
#include "proto/run_with_timeout.h"
#include "tests/support/alone.h"
#include "tests/support/folder.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ok(expression) assert_int_equal((expression), ETNA_OK)

typedef struct fixture {
    char directory[FOLDER_SIZE], url[96];
    store *s;
    shell *sh;
    pthread_t thread;
    atomic_int stop; /* ends the thread's waiting */
    etna_id run;
    etna_code client_code, expected; /* what the thread met, what it should */
    run_state changed;
    int lines;
    bool signal_at_end;
    message_run_status status;
    char report[64];
    message_upkeep upkeep;
} fixture;

static void on_line(void *context, const core_line *line)
{
    fixture *f = context;
    assert_non_null(line->text);
    f->lines++;
}

static void on_changed(void *context, const etna_id *run, run_state state)
{
    fixture *f = context;
    assert_true(etna_id_equal(run, &f->run));
    f->changed = state;
}

/* What made trouble is over then. */
static void on_trouble(void *context, const char *what)
{
    fixture *f = context;
    assert_non_null(what);
    store_memory_fail(f->s, 0, ETNA_OK);
}

static etna_code report(void *context,
                        const core_run_view *view,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    (void)context, (void)err;
    char *text = malloc(64);
    if (!text)
        return ETNA_E_NOMEM;
    *ret_size = (size_t)snprintf(text, 64, "state %d", (int)view->state);
    *ret_data = (uint8_t *)text;
    return ETNA_OK;
}

static int set_up_as(void **state, bool wait_full)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    folder_make(f->directory);
    snprintf(f->url, sizeof f->url, "ipc://%s/s", f->directory);
    memset(f->run.bytes, 5, sizeof f->run.bytes);
    ok(store_open_memory(&f->s, NULL));
    shell_options options = shell_options_default();
    options.store = f->s;
    options.url = f->url;
    options.serve = true;
    options.context = f;
    options.line = on_line;
    options.changed = on_changed;
    options.report = report;
    options.wait_full = wait_full;
    options.trouble = on_trouble;
    ok(shell_new(&options, &f->sh, NULL));
    *state = f;
    return 0;
}

static int set_up(void **state)
{
    return set_up_as(state, false);
}

static int set_up_patient(void **state)
{
    return set_up_as(state, true);
}

static int tear_down(void **state)
{
    fixture *f = *state;
    shell_free(f->sh);
    store_close(f->s);
    rmdir(f->directory);
    free(f);
    return 0;
}

/* Runs the loop beside `body` until the thread asks for the end (SIGTERM) or
 * the shell fails. */
static etna_code run_with(fixture *f, void *(*body)(void *))
{
    int number = 0;
    bool twice = false;
    etna_error err = {ETNA_OK, ""};
    f->signal_at_end = true;
    assert_int_equal(pthread_create(&f->thread, NULL, body, f), 0);
    etna_code code = shell_run(f->sh, &number, &twice, &err);
    f->stop = 1;
    pthread_join(f->thread, NULL);
    if (!code)
        assert_int_equal(number, SIGTERM);
    assert_false(twice);
    return code;
}

static void *done(fixture *f, client *c)
{
    client_close(c);
    if (f->signal_at_end)
        kill(getpid(), SIGTERM);
    return NULL;
}

/* What a worker and a submitter do. Codes are kept in the fixture: a thread may
 * not assert. */
static etna_code ask(fixture *f,
                     client *c,
                     message *m,
                     etna_arena *arena,
                     message *answer,
                     message_kind wanted)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = client_call(c, m, arena, answer, &err);
    if (!code && answer->kind != wanted)
        code = ETNA_E_INTERNAL;
    if (code && !f->client_code) {
        f->client_code = code;
        if (code != f->expected)
            fprintf(stderr, "%s: %s\n", message_kind_name(m->kind), err.text);
    }
    return code;
}

static etna_code submit(fixture *f,
                        client *c,
                        etna_arena *arena,
                        bool with_scene)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT}, answer;
    arrange_config config = arrange_config_default();
    uint8_t *bytes;
    size_t size;
    config.scene = etna_hash_bytes("a scene", 7);
    config.scene_name = "scene.glb";
    config.goal = "tidy up";
    if (with_scene &&
        client_put_blob(c, &config.scene, (const uint8_t *)"a scene", 7, NULL))
        return ETNA_E_INTERNAL;
    if (arrange_config_pack(&config, &bytes, &size, NULL))
        return ETNA_E_INTERNAL;
    m.body.run_submit = (message_run_submit){f->run, bytes, size};
    etna_code code = ask(f, c, &m, arena, &answer, MESSAGE_RUN_STATUS);
    if (!code)
        f->status = answer.body.run_status;
    f->status.text = NULL;
    free(bytes);
    return code;
}

/* Leases one task and answers it by `result`. */
static etna_code do_task(fixture *f,
                         client *c,
                         etna_arena *arena,
                         uint32_t kind,
                         arrange_result *result)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST}, answer,
            back = {.kind = MESSAGE_RESULT};
    m.body.lease_request = (message_lease_request){
        .slots_free = 1, .cpus = 1, .build = etna_build()};
    etna_code code = ask(f, c, &m, arena, &answer, MESSAGE_LEASE);
    if (code)
        return code;
    arrange_task task;
    if (answer.body.lease.task_kind != kind ||
        arrange_task_unpack(answer.body.lease.payload,
                            answer.body.lease.payload_size, arena, &task,
                            NULL)) {
        f->client_code = ETNA_E_INTERNAL;
        return ETNA_E_INTERNAL;
    }
    uint8_t *bytes;
    size_t size;
    result->kind = kind;
    if (arrange_result_pack(result, &bytes, &size, NULL))
        return ETNA_E_INTERNAL;
    back.body.result = (message_result){
        .ref = answer.body.lease.ref, .payload = bytes, .payload_size = size};
    code = ask(f, c, &back, arena, &answer, MESSAGE_RESULT_ACK);
    free(bytes);
    return code;
}

/* A whole run over the wire: submitted twice, imported, its goal refused by the
 * planner; then its report fetched. */
static void *play_run(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    etna_hash snapshot = etna_hash_bytes("snapshot", 8);
    arrange_result import = {
        .snapshot = snapshot, .object_count = 3, .movable_count = 2};
    arrange_result plan = {.plan_status = PLAN_UNREADABLE,
                           .reason = "what is \"tidy\"?"};
    etna_code code = submit(f, c, &arena, true);
    if (!code)
        code = submit(f, c, &arena, true);
    if (!code)
        code =
            client_put_blob(c, &snapshot, (const uint8_t *)"snapshot", 8, NULL);
    if (!code)
        code = do_task(f, c, &arena, TASK_IMPORT, &import);
    if (!code)
        code = do_task(f, c, &arena, TASK_PLAN, &plan);
    message m = {.kind = MESSAGE_RUN_STATUS_REQUEST}, answer;
    m.body.run_status_request.run = f->run;
    if (!code)
        code = ask(f, c, &m, &arena, &answer, MESSAGE_RUN_STATUS);
    if (!code) {
        uint8_t *data;
        size_t size;
        f->status = answer.body.run_status;
        f->status.text = NULL;
        if (!client_get_blob(c, &f->status.report, &data, &size, NULL)) {
            memcpy(f->report, data,
                   size < sizeof f->report ? size : sizeof f->report - 1);
            free(data);
        }
    }
    etna_arena_free(&arena);
    return done(f, c);
}

static void a_run_goes_over_the_wire_to_its_end(void **state)
{
    fixture *f = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    uint64_t faults;
    char wanted[32];
    ok(run_with(f, play_run));
    ok(f->client_code);
    assert_int_equal(f->changed, RUN_FAILED);
    assert_int_equal(f->status.state, RUN_FAILED);
    snprintf(wanted, sizeof wanted, "state %d", RUN_FAILED);
    assert_string_equal(f->report, wanted);
    assert_true(f->lines >= 3);
    ok(store_get_run(f->s, &f->run, &row, &arena, NULL));
    assert_int_equal(row.state, RUN_FAILED);
    assert_string_equal(row.scene, "scene.glb");
    assert_string_equal(row.goal, "tidy up");
    assert_true(row.started_ms > 0);
    ok(store_verify(f->s, NULL, NULL, &faults, NULL));
    assert_int_equal(faults, 0);
    core_run_view view;
    ok(core_view(shell_core(f->sh), &f->run, &arena, &view, NULL));
    assert_int_equal(view.error, ETNA_E_INPUT);
    etna_arena_free(&arena);
}

static void *play_missing_blobs(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    f->expected = ETNA_E_NOTFOUND;
    arrange_result import = {.snapshot = etna_hash_bytes("never put", 9),
                             .object_count = 3,
                             .movable_count = 2};
    etna_code code = submit(f, c, &arena, false); /* without its scene */
    if (code == ETNA_E_NOTFOUND && f->client_code == code) {
        f->client_code = ETNA_OK;
        code = submit(f, c, &arena, true);
    }
    if (!code)
        do_task(f, c, &arena, TASK_IMPORT, &import); /* refused */
    etna_arena_free(&arena);
    return done(f, c);
}

static void close_crowd(void *socket)
{
    nng_close(*(nng_socket *)socket);
}

/* A message as a program of another kind might send it, and its answer. False:
 * none came. */
static bool ask_by_hand(const fixture *f,
                        message *m,
                        etna_arena *arena,
                        message *answer)
{
    static nng_socket peer; /* outlives a close that never ends */
    nng_msg *msg;
    uint8_t *bytes;
    size_t size;
    bool ours = false;
    m->sender = 7;
    m->incarnation = 8;
    m->sequence = 9;
    if (nng_req0_open(&peer) ||
        nng_socket_set_ms(peer, NNG_OPT_RECVTIMEO, 20000) ||
        nng_dial(peer, f->url, NULL, 0))
        return false;
    if (message_pack(m, &bytes, &size, NULL) || nng_msg_alloc(&msg, 0))
        return false;
    nng_msg_append(msg, bytes, size);
    free(bytes);
    if (!nng_sendmsg(peer, msg, 0) && !nng_recvmsg(peer, &msg, 0)) {
        etna_code code = message_unpack(nng_msg_body(msg), nng_msg_len(msg),
                                        arena, answer, NULL);
        ours = !code && answer->sequence == 9 && answer->incarnation == 8;
        nng_msg_free(msg);
    }
    (void)run_with_timeout(500, close_crowd, &peer);
    return ours;
}

/* By which code it is refused; ETNA_OK: it is not. */
static void play_refused(fixture *f, message *m)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message answer;
    f->client_code = ETNA_E_NETWORK;
    if (ask_by_hand(f, m, &arena, &answer)) {
        bool refused = answer.kind == MESSAGE_REFUSED;
        f->client_code =
            refused ? (etna_code)answer.body.refused.code : ETNA_OK;
    }
    etna_arena_free(&arena);
    kill(getpid(), SIGTERM);
}

/* A newer program asks: its request is answered, so that it need not ask the
 * same for a minute and then guess. */
static void *play_newer(void *context)
{
    fixture *f = context;
    message m = {.version = MESSAGE_VERSION + 1,
                 .kind = MESSAGE_RUN_STATUS_REQUEST};
    m.body.run_status_request.run = f->run;
    play_refused(f, &m);
    return NULL;
}

static void *play_successor(void *context)
{
    fixture *f = context;
    message m = {.version = MESSAGE_VERSION,
                 .epoch = store_epoch(f->s) + 1,
                 .kind = MESSAGE_RUN_STATUS_REQUEST};
    m.body.run_status_request.run = f->run;
    play_refused(f, &m);
    return NULL;
}

static void who_knows_a_later_owner_is_told_that_this_one_is_none(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_successor));
    assert_int_equal(f->client_code, ETNA_E_STALE);
}

static void *play_without_ticket(void *context)
{
    fixture *f = context;
    message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RESULT};
    m.body.result =
        (message_result){.ref = {.run = f->run, .task = 1, .attempt = 1},
                         .error = ETNA_E_INPUT,
                         .error_text = "no"};
    play_refused(f, &m);
    return NULL;
}

static void a_result_without_its_ticket_is_refused(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_without_ticket));
    assert_int_equal(f->client_code, ETNA_E_USAGE);
}

static void what_cannot_be_read_is_refused_as_the_request_it_is(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_newer));
    assert_int_equal(f->client_code, ETNA_E_NEWER);
}

enum {
    LARGE = (3 << 20) + 17
};
static uint8_t large[LARGE];

static void *put_large(void *context)
{
    fixture *f = context;
    client *c;
    etna_hash hash = etna_hash_bytes(large, LARGE);
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return f;
    etna_code code = client_put_blob(c, &hash, large, LARGE, NULL);
    client_close(c);
    return code ? f : NULL;
}

/* Two put the same large blob; whoever is told so finds it, and from then on it
 * is in the store. */
static void *play_large_blob(void *context)
{
    fixture *f = context;
    client *c;
    pthread_t other;
    void *failed = f;
    uint8_t *data = NULL;
    size_t size = 0;
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (uint8_t)(i * i >> 9);
    etna_hash hash = etna_hash_bytes(large, LARGE);
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    if (!pthread_create(&other, NULL, put_large, f)) {
        f->client_code = put_large(f) ? ETNA_E_NETWORK : ETNA_OK;
        if (!f->client_code)
            f->client_code = client_get_blob(c, &hash, &data, &size, NULL);
        if (!f->client_code &&
            (size != LARGE || memcmp(data, large, LARGE) != 0))
            f->client_code = ETNA_E_CORRUPT;
        free(data);
        pthread_join(other, &failed);
    }
    if (failed)
        f->client_code = ETNA_E_NETWORK;
    return done(f, c);
}

static void a_large_blob_is_kept_before_its_putters_hear_of_it(void **state)
{
    fixture *f = *state;
    f->client_code = ETNA_E_INTERNAL;
    ok(run_with(f, play_large_blob));
    assert_int_equal(f->client_code, ETNA_OK);
    etna_hash hash = etna_hash_bytes(large, LARGE);
    assert_true(store_has_blob(f->s, &hash));
}

static void what_names_a_missing_blob_is_refused(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_missing_blobs));
    assert_int_equal(f->client_code, ETNA_E_NOTFOUND);
    core_run_view view;
    etna_arena arena = ETNA_ARENA_INIT;
    ok(core_view(shell_core(f->sh), &f->run, &arena, &view, NULL));
    assert_int_equal(view.object_count, 0); /* the result did not count */
    /* a served run goes on at the next start */
    assert_int_equal(view.state, RUN_RUNNING);
    etna_arena_free(&arena);
}

static void *play_submit(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    f->expected = ETNA_E_CANCELLED;
    submit(f, c, &arena, true);
    etna_arena_free(&arena);
    f->signal_at_end = false;
    return done(f, c);
}

/* Its first task waits for a worker; another says that it has it, and has no
 * ticket for it. */
static void *play_pretender(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    message answer,
        m = {.version = MESSAGE_VERSION, .kind = MESSAGE_ORDERS_REQUEST};
    const message_task_ref held = {.run = f->run, .task = 1, .attempt = 1};
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    m.body.orders_request =
        (message_orders_request){.held_count = 1, .held = &held};
    if (!submit(f, c, &arena, true) && ask_by_hand(f, &m, &arena, &answer)) {
        const message_orders *orders = &answer.body.orders;
        bool stopped = answer.kind == MESSAGE_ORDERS &&
                       orders->cancel_count == 1 &&
                       orders->cancel[0].task == held.task;
        f->client_code = stopped ? ETNA_OK : ETNA_E_INTERNAL;
    } else {
        f->client_code = ETNA_E_NETWORK;
    }
    etna_arena_free(&arena);
    return done(f, c);
}

static void a_task_held_without_its_ticket_is_to_be_stopped(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_pretender));
    ok(f->client_code);
}

static void *play_patient_submit(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    submit(f, c, &arena, true);
    etna_arena_free(&arena);
    return done(f, c);
}

static void what_meets_a_full_disk_is_kept_once_there_is_room(void **state)
{
    fixture *f = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    /* the blob is kept, the submit meets the end */
    store_memory_fail(f->s, 1, ETNA_E_FULL);
    ok(run_with(f, play_patient_submit));
    ok(f->client_code);
    ok(store_get_run(f->s, &f->run, &row, &arena, NULL));
    assert_int_equal(row.state, RUN_RUNNING);
    etna_arena_free(&arena);
}

static void nothing_leaves_when_the_commit_fails(void **state)
{
    fixture *f = *state;
    /* the blob is kept, the submit is not */
    store_memory_fail(f->s, 1, ETNA_E_FULL);
    assert_int_equal(run_with(f, play_submit), ETNA_E_FULL);
    assert_int_equal(f->client_code,
                     /* no answer came until we stopped waiting */
                     ETNA_E_CANCELLED);
    assert_int_equal(f->lines, 0);
    assert_int_equal(f->changed, RUN_UNKNOWN);
}

static etna_hash keep_unnamed(store *s, const char *text)
{
    store_group *group;
    etna_hash hash = etna_hash_bytes(text, strlen(text));
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_blob(group, &hash, text, strlen(text), NULL));
    ok(store_group_commit(group, NULL));
    return hash;
}

/* Names are chosen by who submits: these begin alike. */
static void *play_namesakes(void *context)
{
    enum {
        NAMESAKES = 4
    };
    fixture *f = context;
    client_options options = client_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    message answer;
    if ((f->client_code = client_open(f->url, &options, &c, NULL)))
        return done(f, NULL);
    for (uint8_t i = 0; i < NAMESAKES && !f->client_code; i++) {
        f->run.bytes[15] = i;
        submit(f, c, &arena, true);
    }
    /* the first of them goes first */
    for (uint8_t i = 0; i < NAMESAKES && !f->client_code; i++) {
        message m = {.kind = MESSAGE_RUN_CANCEL};
        f->run.bytes[15] = i;
        m.body.run_cancel.run = f->run;
        ask(f, c, &m, &arena, &answer, MESSAGE_RUN_STATUS);
    }
    for (uint8_t i = 0; i < NAMESAKES && !f->client_code; i++) {
        message m = {.kind = MESSAGE_RUN_STATUS_REQUEST};
        m.body.run_status_request.run = f->run;
        m.body.run_status_request.run.bytes[15] = i;
        if (ask(f, c, &m, &arena, &answer, MESSAGE_RUN_STATUS))
            break;
        bool right = answer.body.run_status.run.bytes[15] == i &&
                     answer.body.run_status.state == RUN_CANCELLED;
        if (!right)
            f->client_code = ETNA_E_INTERNAL;
    }
    etna_arena_free(&arena);
    return done(f, c);
}

static void runs_whose_names_begin_alike_are_told_apart(void **state)
{
    fixture *f = *state;
    shell_free(f->sh);
    shell_options options = shell_options_default();
    options.store = f->s;
    options.url = f->url;
    options.serve = true;
    /* the others leave memory one by one, and come back when they are asked
     * for */
    options.keep_ended = 1;
    ok(shell_new(&options, &f->sh, NULL));
    ok(run_with(f, play_namesakes));
    ok(f->client_code);
}

static void *play_collect(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    static const uint8_t text[] = "about to be named";
    etna_hash hash = etna_hash_bytes(text, sizeof text);
    message m = {.kind = MESSAGE_UPKEEP}, answer;
    m.body.upkeep.kind = UPKEEP_COLLECT;
    client *c;
    if (client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    f->client_code = client_put_blob(c, &hash, text, sizeof text, NULL);
    if (!f->client_code)
        f->client_code = client_call(c, &m, &arena, &answer, NULL);
    if (!f->client_code)
        f->upkeep = answer.body.upkeep_done;
    etna_arena_free(&arena);
    return done(f, c);
}

static void
an_owner_removes_what_nothing_names_but_what_was_put_within_the_hour(
    void **state)
{
    fixture *f = *state;
    static const uint8_t text[] = "about to be named";
    etna_hash put = etna_hash_bytes(text, sizeof text),
              old = keep_unnamed(f->s, "of last week");
    ok(run_with(f, play_collect));
    assert_int_equal(f->client_code, ETNA_OK);
    assert_int_equal(f->upkeep.removed, 1);
    assert_int_equal(f->upkeep.spared, 1);
    assert_false(store_has_blob(f->s, &old));
    assert_true(store_has_blob(f->s, &put));
}

enum {
    PARKED = 3 * INBOX_RECEIVING
};

/* Far more requests are parked than contexts were opened at first; who comes
 * then is served all the same. */
static void *play_crowd(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    static nng_socket crowd; /* outlives a close that never ends */
    nng_ctx ctx[PARKED];
    nng_aio *aio[PARKED];
    client *c;
    f->client_code = ETNA_E_NETWORK;
    if (nng_req0_open(&crowd) || nng_dial(crowd, f->url, NULL, 0))
        return NULL;
    for (int i = 0; i < PARKED; i++) {
        message m = {.version = MESSAGE_VERSION,
                     .sender = 1000 + (uint64_t)i,
                     .incarnation = 1,
                     .sequence = 1,
                     .kind = MESSAGE_LEASE_REQUEST};
        m.body.lease_request = (message_lease_request){
            .slots_free = 1, .cpus = 1, .build = etna_build()};
        uint8_t *bytes;
        size_t size;
        nng_msg *msg;
        if (message_pack(&m, &bytes, &size, NULL) || nng_msg_alloc(&msg, 0))
            return NULL;
        nng_msg_append(msg, bytes, size);
        free(bytes);
        nng_ctx_open(&ctx[i], crowd);
        nng_aio_alloc(&aio[i], NULL, NULL);
        nng_aio_set_msg(aio[i], msg);
        nng_ctx_send(ctx[i], aio[i]);
        nng_aio_wait(aio[i]);
        nng_ctx_recv(ctx[i], aio[i]); /* never answered while we look */
    }
    if (!client_open(f->url,
                     &(client_options){.stop = &f->stop, .answer_ms = 60000},
                     &c, NULL)) {
        f->client_code = ETNA_OK;
        submit(f, c, &arena, true);
        client_close(c);
    }
    for (int i = 0; i < PARKED;
         /* before the close, which may wait for ever for a receive that goes
          * on */
         i++) {
        nng_aio_stop(aio[i]);
        if (!nng_aio_result(aio[i]))
            /* the one that was given the run's import */
            nng_msg_free(nng_aio_get_msg(aio[i]));
        nng_aio_free(aio[i]);
    }
    (void)run_with_timeout(500, close_crowd, &crowd);
    etna_arena_free(&arena);
    kill(getpid(), SIGTERM);
    return NULL;
}

static void parked_requests_keep_nobody_out(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_crowd));
    ok(f->client_code);
    assert_int_equal(f->status.state, RUN_RUNNING);
}

/* Peers that go away in the middle of their handshake must not end the
 * listening. */
static void *play_probe(void *context)
{
    fixture *f = context;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    client *c;
    etna_arena arena = ETNA_ARENA_INIT;
    snprintf(address.sun_path, sizeof address.sun_path, "%s",
             f->url + strlen("ipc://"));
    for (int i = 0; i < 30; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        (void)!connect(fd, (const struct sockaddr *)&address, sizeof address);
        close(fd);
        usleep(2000);
    }
    f->client_code = ETNA_E_NETWORK;
    for (int i = 0; i < 200 && f->client_code && !f->stop;
         i++) { /* it may be away for a moment while it listens anew */
        usleep(50000);
        if (client_open(f->url,
                        &(client_options){.stop = &f->stop, .answer_ms = 60000},
                        &c, NULL))
            continue;
        f->client_code = ETNA_OK;
        submit(f, c, &arena, true);
        client_close(c);
    }
    etna_arena_free(&arena);
    kill(getpid(), SIGTERM);
    return NULL;
}

static void half_a_handshake_does_not_end_the_listening(void **state)
{
    fixture *f = *state;
    ok(run_with(f, play_probe));
    ok(f->client_code);
    assert_int_equal(f->status.state, RUN_RUNNING);
}

static void *set_flag_soon(void *context)
{
    atomic_int **flag = context;
    /* long enough for the request to be parked; were it not, the test would
     * still hold */
    usleep(300000);
    **flag = 1;
    return NULL;
}

/* A lease request is parked and its sender goes away; the task that comes then
 * is another's. */
static void *play_vanish(void *context)
{
    fixture *f = context;
    etna_arena arena = ETNA_ARENA_INIT;
    client *c;
    message m = {.kind = MESSAGE_LEASE_REQUEST}, answer;
    atomic_int at_once = 0;
    m.body.lease_request = (message_lease_request){
        .slots_free = 1, .cpus = 1, .build = etna_build()};
    f->expected = ETNA_E_CANCELLED;
    if (client_open(f->url,
                    &(client_options){.stop = &at_once, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    atomic_int *flag = &at_once;
    pthread_t timer;
    pthread_create(&timer, NULL, set_flag_soon, &flag);
    ask(f, c, &m, &arena, &answer, MESSAGE_LEASE);
    pthread_join(timer, NULL);
    client_close(c);
    if (f->client_code != ETNA_E_CANCELLED ||
        client_open(f->url,
                    &(client_options){.stop = &f->stop, .answer_ms = 60000}, &c,
                    NULL))
        return NULL;
    f->client_code = f->expected = ETNA_OK;
    etna_hash snapshot = etna_hash_bytes("snapshot", 8);
    arrange_result import = {
        .snapshot = snapshot, .object_count = 3, .movable_count = 2};
    etna_code code =
        client_put_blob(c, &snapshot, (const uint8_t *)"snapshot", 8, NULL);
    if (!code)
        code = submit(f, c, &arena, true);
    if (!code)
        do_task(f, c, &arena, TASK_IMPORT,
                /* had the first still been parked, it would have got the
                 * task */
                &import);
    etna_arena_free(&arena);
    return done(f, c);
}

static void a_parked_request_goes_with_its_pipe(void **state)
{
    fixture *f = *state;
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    ok(run_with(f, play_vanish));
    ok(f->client_code);
    ok(core_view(shell_core(f->sh), &f->run, &arena, &view, NULL));
    assert_int_equal(view.object_count, 3);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_goes_over_the_wire_to_its_end,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_cannot_be_read_is_refused_as_the_request_it_is, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(what_names_a_missing_blob_is_refused,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            runs_whose_names_begin_alike_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_large_blob_is_kept_before_its_putters_hear_of_it, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(a_parked_request_goes_with_its_pipe,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(parked_requests_keep_nobody_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            half_a_handshake_does_not_end_the_listening, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_leaves_when_the_commit_fails,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_meets_a_full_disk_is_kept_once_there_is_room, set_up_patient,
            tear_down),
        cmocka_unit_test_setup_teardown(
            who_knows_a_later_owner_is_told_that_this_one_is_none, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(a_result_without_its_ticket_is_refused,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_task_held_without_its_ticket_is_to_be_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            an_owner_removes_what_nothing_names_but_what_was_put_within_the_hour,
            set_up, tear_down),
    };
    return alone_run(tests, sizeof tests / sizeof *tests);
}
