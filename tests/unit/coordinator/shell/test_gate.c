/* Who is let in at the gate, what each role may say, and what strangers get. */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "coordinator/shell/gate.h"
#include "proto/greeting.h"
#include "tests/support/folder.h"

enum {
    EPOCH = 9
};

static const struct sockaddr_storage here = {.ss_family = AF_UNIX};

typedef struct fixture {
    char folder[FOLDER_SIZE];
    realm realm;
    join join;
    gate *gate;
    uint64_t now_ms;
} fixture;

typedef struct visitor { /* a client at the gate */
    gate_peer peer;
    greeting greeting;
    seal_session session;
} visitor;

static void remove_realm(const char *folder)
{
    char path[FOLDER_SIZE + 8];
    snprintf(path, sizeof path, "%s/realm", folder);
    unlink(path);
    rmdir(folder);
}

static void fixture_open(fixture *f)
{
    f->now_ms = 0;
    folder_make(f->folder);
    assert_int_equal(realm_open(f->folder, &f->realm, NULL), ETNA_OK);
    realm_join(&f->realm, "tcp://127.0.0.1:1", &f->join);
    f->gate = gate_new(&f->realm, EPOCH);
    assert_non_null(f->gate);
}

static void fixture_close(fixture *f)
{
    gate_free(f->gate);
    remove_realm(f->folder);
}

static gate_word hear(
    fixture *f, visitor *v, const uint8_t *data, size_t size, gate_heard *ret)
{
    return gate_hear(f->gate, &v->peer, f->now_ms, data, size, ret);
}

/* A request with the seal of `key` (NULL: none). */
static gate_word say(fixture *f,
                     visitor *v,
                     message_kind kind,
                     const seal_key *key,
                     gate_heard *ret)
{
    message m = {
        .version = MESSAGE_VERSION, .sender = 4, .sequence = 12, .kind = kind};
    uint8_t *data;
    size_t size;
    memset(&m.body, 1, sizeof m.body.run_cancel);
    assert_int_equal(message_pack(&m, &data, &size, NULL), ETNA_OK);
    uint8_t *sealed = realloc(data, size + SEAL_SIZE);
    assert_non_null(sealed);
    if (key)
        seal_make(key, sealed, size, sealed + size);
    gate_word word = hear(f, v, sealed, size + (key ? SEAL_SIZE : 0), ret);
    if (word == GATE_PASS)
        assert_int_equal(ret->size, size);
    free(sealed);
    return word;
}

static gate_word say_hello(
    fixture *f, visitor *v, const join *j, seal_role role, gate_heard *ret)
{
    const message frame = {.sender = 4, .sequence = 11};
    uint8_t *data;
    size_t size;
    assert_int_equal(
        greeting_begin(j, role, &frame, &v->greeting, &data, &size, NULL),
        ETNA_OK);
    gate_word word = hear(f, v, data, size, ret);
    free(data);
    return word;
}

static void come_in(fixture *f, visitor *v, seal_role role)
{
    gate_heard heard;
    uint64_t epoch = 0;
    gate_enter(f->gate, &v->peer, 77, &here, 0);
    assert_int_equal(say_hello(f, v, &f->join, role, &heard), GATE_ANSWER);
    assert_int_equal(greeting_end(&f->join, &v->greeting, 0, heard.answer,
                                  heard.answer_size, &v->session, &epoch, NULL),
                     ETNA_OK);
    assert_int_equal(epoch, EPOCH);
    free(heard.answer);
    assert_false(v->peer.let_in);
    assert_int_equal(say(f, v, MESSAGE_RUN_CANCEL, &v->session.asks, &heard),
                     GATE_PASS);
    assert_true(v->peer.let_in);
}

static void who_has_a_token_is_let_in_and_answered_with_a_seal(void **state)
{
    (void)state;
    fixture f;
    visitor v;
    uint8_t answer[8 + SEAL_SIZE] = "answer";
    size_t size;
    fixture_open(&f);
    come_in(&f, &v, SEAL_WORKER);
    assert_int_equal(v.peer.role, SEAL_WORKER);
    assert_true(gate_seal(&v.peer, answer, 8, answer + 8));
    assert_true(seal_check(&v.session.answers, answer, sizeof answer, &size));
    gate_leave(f.gate, &v.peer);
    fixture_close(&f);
}

static void assert_refusal(gate_heard *heard)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    assert_int_equal(
        message_unpack(heard->answer, heard->answer_size, &arena, &m, NULL),
        ETNA_OK);
    assert_int_equal(m.kind, MESSAGE_REFUSED);
    assert_int_equal(m.sequence, 12);
    assert_non_null(strstr(m.body.refused.text, "--connect @FILE"));
    assert_int_equal(m.epoch, 0);
    etna_arena_free(&arena);
    free(heard->answer);
}

static void a_stranger_is_refused_once_then_not_heard_then_cut_off(void **state)
{
    (void)state;
    fixture f;
    visitor v;
    gate_heard heard;
    const seal_key none = {{0}};
    fixture_open(&f);
    gate_enter(f.gate, &v.peer, 77, &here, 0);
    assert_int_equal(say(&f, &v, MESSAGE_RUN_CANCEL, NULL, &heard),
                     GATE_ANSWER);
    assert_refusal(&heard);
    assert_int_equal(say(&f, &v, MESSAGE_RUN_CANCEL, NULL, &heard), GATE_DROP);
    assert_int_equal(say(&f, &v, MESSAGE_RUN_CANCEL, &none, &heard), GATE_DROP);
    gate_word word = GATE_DROP;
    for (int i = 0; i < 8 && word == GATE_DROP; i++)
        word = say(&f, &v, MESSAGE_RUN_CANCEL, NULL, &heard);
    assert_int_equal(word, GATE_CUT);
    gate_leave(f.gate, &v.peer);
    fixture_close(&f);
}

static void bytes_that_are_no_message_end_the_connection_unread(void **state)
{
    (void)state;
    fixture f;
    visitor v;
    gate_heard heard;
    static const uint8_t garbage[200000] = {0xff, 0xff};
    fixture_open(&f);
    gate_enter(f.gate, &v.peer, 77, &here, 0);
    assert_int_equal(hear(&f, &v, garbage, 100, &heard), GATE_CUT);
    assert_int_equal(hear(&f, &v, garbage, sizeof garbage, &heard), GATE_CUT);
    gate_leave(f.gate, &v.peer);
    fixture_close(&f);
}

static void what_was_said_on_another_connection_gets_nothing(void **state)
{
    (void)state;
    fixture f;
    visitor one, two;
    gate_heard heard;
    fixture_open(&f);
    come_in(&f, &one, SEAL_WORKER);
    come_in(&f, &two, SEAL_WORKER);
    assert_int_equal(
        say(&f, &two, MESSAGE_RUN_CANCEL, &one.session.asks, &heard),
        GATE_ANSWER);
    assert_refusal(&heard);
    assert_int_equal(
        say(&f, &two, MESSAGE_RUN_CANCEL, &two.session.answers, &heard),
        GATE_DROP); /* reflected */
    assert_int_equal(
        say(&f, &two, MESSAGE_RUN_CANCEL, &two.session.asks, &heard),
        GATE_PASS);
    gate_leave(f.gate, &one.peer);
    gate_leave(f.gate, &two.peer);
    fixture_close(&f);
}

/* The same store's tokens under another owner's epoch; another realm's; one
 * nobody gave out. */
static void other_tokens_and_epochs_get_nothing(void **state)
{
    (void)state;
    fixture f, other;
    visitor v;
    gate_heard heard;
    uint64_t epoch;
    fixture_open(&f);
    fixture_open(&other);
    gate_enter(f.gate, &v.peer, 77, &here, 0);
    assert_int_equal(say_hello(&f, &v, &other.join, SEAL_WORKER, &heard),
                     GATE_ANSWER);
    free(heard.answer);
    assert_int_equal(v.peer.role, SEAL_NOBODY);
    join later = f.join;
    later.generation++;
    assert_int_equal(say_hello(&f, &v, &later, SEAL_WORKER, &heard), GATE_DROP);
    join guessed = f.join;
    guessed.tokens[SEAL_WORKER].bytes[0] ^= 1;
    assert_int_equal(say_hello(&f, &v, &guessed, SEAL_WORKER, &heard),
                     GATE_ANSWER);
    assert_int_equal(greeting_end(&guessed, &v.greeting, 0, heard.answer,
                                  heard.answer_size, &v.session, &epoch, NULL),
                     ETNA_E_NETWORK);
    free(heard.answer);
    assert_false(v.peer.let_in);
    gate_leave(f.gate, &v.peer);
    fixture_close(&other);
    fixture_close(&f);
}

static void a_flood_of_strangers_is_bounded_and_keeps_nobody_out(void **state)
{
    (void)state;
    enum {
        FLOOD = 1000
    };
    fixture f;
    visitor known;
    gate_peer *flood = calloc(FLOOD, sizeof *flood);
    uint64_t pipes[8];
    size_t cut = 0;
    assert_non_null(flood);
    fixture_open(&f);
    come_in(&f, &known, SEAL_WORKER);
    for (size_t i = 0; i < FLOOD; i++) {
        gate_enter(f.gate, &flood[i], 1000 + i, &here, 5);
        for (size_t n; (n = gate_overdue(f.gate, 5, pipes, 8));) {
            for (size_t k = 0; k < n; k++)
                /* the longest there first */
                assert_int_equal(pipes[k], 1000 + cut++);
        }
    }
    assert_int_equal(cut, FLOOD - GATE_STRANGERS_MAX);
    assert_int_equal(gate_overdue(f.gate, 5 + GATE_PATIENCE_MS, pipes, 8), 0);
    while (gate_overdue(f.gate, 6 + GATE_PATIENCE_MS, pipes, 1))
        cut++;
    assert_int_equal(cut, FLOOD); /* and never who is let in */
    for (size_t i = 0; i < FLOOD; i++)
        gate_leave(f.gate, &flood[i]);
    gate_leave(f.gate, &known.peer);
    free(flood);
    fixture_close(&f);
}

/* From 192.0.2.`number`. */
static struct sockaddr_storage host(uint8_t number)
{
    struct sockaddr_storage ret = {0};
    struct sockaddr_in *four = (void *)&ret;
    four->sin_family = AF_INET;
    four->sin_addr.s_addr = htonl(0xc0000200u + number);
    return ret;
}

/* A host that shares its number with the flood's, which one of 256 does, has no
 * better place than that. */
static void a_flood_of_one_host_keeps_nobody_of_another_out(void **state)
{
    (void)state;
    enum {
        FAR = 8, /* they take long to greet */
        FLOOD = 4 * GATE_STRANGERS_MAX
    };
    fixture f;
    gate_peer far[FAR], *flood = calloc(FLOOD, sizeof *flood);
    const struct sockaddr_storage flooding = host(0);
    uint64_t pipe;
    size_t cut = 0, cut_far = 0;
    assert_non_null(flood);
    fixture_open(&f);
    for (uint8_t i = 0; i < FAR; i++) {
        const struct sockaddr_storage address = host(i + 1);
        gate_enter(f.gate, &far[i], i, &address, 5);
    }
    for (size_t i = 0; i < FLOOD; i++) {
        gate_enter(f.gate, &flood[i], 1000 + i, &flooding, 5);
        while (gate_overdue(f.gate, 5, &pipe, 1)) {
            cut++;
            cut_far += pipe < FAR;
        }
    }
    assert_int_equal(cut, FAR + FLOOD - GATE_STRANGERS_MAX);
    assert_true(cut_far <= 2);
    while (gate_overdue(f.gate, 6 + GATE_PATIENCE_MS, &pipe, 1))
        cut++;
    assert_int_equal(cut, FAR + FLOOD); /* and nobody stays for good */
    for (size_t i = 0; i < FLOOD; i++)
        gate_leave(f.gate, &flood[i]);
    for (size_t i = 0; i < FAR; i++)
        gate_leave(f.gate, &far[i]);
    free(flood);
    fixture_close(&f);
}

static void replaced_tokens_count_once_more_then_end_their_connections(
    void **state)
{
    (void)state;
    fixture f;
    visitor v;
    gate_heard heard;
    uint64_t pipe = 0;
    fixture_open(&f);
    come_in(&f, &v, SEAL_SUBMITTER);
    assert_int_equal(realm_rotate(f.folder, &f.realm, NULL), ETNA_OK);
    gate_renew(f.gate, &f.realm);
    assert_int_equal(gate_overdue(f.gate, 0, &pipe, 1), 0);
    assert_int_equal(say_hello(&f, &v, &f.join, SEAL_SUBMITTER, &heard),
                     GATE_ANSWER); /* a file from before */
    free(heard.answer);
    assert_int_equal(realm_rotate(f.folder, &f.realm, NULL), ETNA_OK);
    gate_renew(f.gate, &f.realm);
    assert_int_equal(gate_overdue(f.gate, 0, &pipe, 1), 1);
    assert_int_equal(pipe, 77);
    assert_int_equal(gate_overdue(f.gate, 0, &pipe, 1), 0);
    gate_leave(f.gate, &v.peer);
    gate_enter(f.gate, &v.peer, 78, &here, 0);
    say_hello(&f, &v, &f.join, SEAL_SUBMITTER, &heard);
    free(heard.answer);
    assert_int_equal(v.peer.role, SEAL_NOBODY);
    gate_leave(f.gate, &v.peer);
    fixture_close(&f);
}

static void a_realm_stays_the_same_for_every_owner_of_its_store(void **state)
{
    (void)state;
    fixture f;
    realm again;
    seal_key one, two;
    fixture_open(&f);
    assert_int_equal(realm_open(f.folder, &again, NULL), ETNA_OK);
    assert_string_equal(again.name, f.realm.name);
    assert_true(realm_token(&f.realm, SEAL_WORKER, 1, &one));
    assert_true(realm_token(&again, SEAL_WORKER, 1, &two));
    assert_memory_equal(&one, &two, sizeof one);
    assert_false(realm_token(&again, SEAL_WORKER, 0, &two));
    assert_false(realm_token(&again, SEAL_WORKER, 2, &two));
    assert_false(realm_token(&again, SEAL_NOBODY, 1, &two));
    fixture_close(&f);
    assert_int_equal(realm_rotate("/nowhere", &again, NULL), ETNA_E_NOTFOUND);
}

/* Each kind that a client sends is somebody's, answers are nobody's, and nobody
 * has all. */
static void each_role_may_say_its_own_and_no_more(void **state)
{
    (void)state;
    static const struct {
        message_kind kind;
        bool worker, submitter, viewer;
    } rows[] = {
        {MESSAGE_LEASE_REQUEST, true, false, false},
        {MESSAGE_RESULT, true, false, false},
        {MESSAGE_ORDERS_REQUEST, true, false, false},
        {MESSAGE_CALL_BEGIN, true, false, false},
        {MESSAGE_CALL_END, true, false, false},
        {MESSAGE_CALL_FAIL, true, false, false},
        {MESSAGE_BLOB_GET, true, true, true},
        {MESSAGE_BLOB_PUT, true, true, false},
        {MESSAGE_RUN_SUBMIT, false, true, false},
        {MESSAGE_RUN_CANCEL, false, true, false},
        {MESSAGE_RUN_SUSPEND, false, true, false},
        {MESSAGE_RUN_RESUME, false, true, false},
        {MESSAGE_DRAIN, false, true, false},
        {MESSAGE_RUN_STATUS_REQUEST, false, true, true},
        {MESSAGE_EVENTS_REQUEST, false, true, true},
        {MESSAGE_RUN_VIEW_REQUEST, false, true, true},
        {MESSAGE_RUNS_REQUEST, false, true, true},
        {MESSAGE_LEASE, false, false, false},
        {MESSAGE_WELCOME, false, false, false},
        {MESSAGE_HELLO, false, false, false},
        {MESSAGE_DEATH, true, false, false},
        {MESSAGE_NONE, false, false, false},
        {MESSAGE_KIND_COUNT, false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gate_may(SEAL_WORKER, rows[i].kind), rows[i].worker);
        assert_int_equal(gate_may(SEAL_SUBMITTER, rows[i].kind),
                         rows[i].submitter);
        assert_int_equal(gate_may(SEAL_VIEWER, rows[i].kind), rows[i].viewer);
        assert_false(gate_may(SEAL_NOBODY, rows[i].kind));
    }
}

static void who_is_let_in_and_says_far_too_much_is_cut_off(void **state)
{
    (void)state;
    fixture f;
    visitor v;
    gate_heard heard;
    fixture_open(&f);
    come_in(&f, &v, SEAL_WORKER);
    for (int second = 1; second <= 2; second++) {
        f.now_ms = 1000 * (uint64_t)second;
        for (int i = 0; i < GATE_RATE; i++)
            assert_int_equal(
                say(&f, &v, MESSAGE_RUN_CANCEL, &v.session.asks, &heard),
                GATE_PASS);
    }
    assert_int_equal(say(&f, &v, MESSAGE_RUN_CANCEL, &v.session.asks, &heard),
                     GATE_CUT);
    gate_leave(f.gate, &v.peer);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_a_token_is_let_in_and_answered_with_a_seal),
        cmocka_unit_test(
            a_stranger_is_refused_once_then_not_heard_then_cut_off),
        cmocka_unit_test(bytes_that_are_no_message_end_the_connection_unread),
        cmocka_unit_test(what_was_said_on_another_connection_gets_nothing),
        cmocka_unit_test(other_tokens_and_epochs_get_nothing),
        cmocka_unit_test(a_flood_of_strangers_is_bounded_and_keeps_nobody_out),
        cmocka_unit_test(a_flood_of_one_host_keeps_nobody_of_another_out),
        cmocka_unit_test(
            replaced_tokens_count_once_more_then_end_their_connections),
        cmocka_unit_test(a_realm_stays_the_same_for_every_owner_of_its_store),
        cmocka_unit_test(each_role_may_say_its_own_and_no_more),
        cmocka_unit_test(who_is_let_in_and_says_far_too_much_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
