/* A peer over TCP that has a submitter's token, and asks for what nobody should get.
 *
 *   submitter URL FILE           submits, uploads and repeats what breaks one bound each
 *   submitter URL FILE halves    begins a thousand uploads and ends none
 *   submitter URL FILE many N    submits N runs and cancels each
 *   submitter URL FILE flood S   asks for all runs for S seconds, one question
 *                                after the other on each of 16 connections
 *
 * Its scene is a blob that is none. Prints what came of each thing, a line
 * each. */
#include "proto/arrange.h"
#include "tests/fault/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SUBMITTER = 201,
    HALVES = 1000,
    FLOODERS = 16
};

static nng_socket line;
static seal_session session;
static uint64_t sequence = 10;
static etna_hash scene;
static uint8_t runs;

static peer_bytes submitter_pack(message *m)
{
    m->version = MESSAGE_VERSION;
    m->sender = SUBMITTER;
    m->incarnation = 1;
    m->sequence = sequence++;
    peer_bytes b = peer_pack(m);
    peer_seal(&b, &session);
    return b;
}

static nng_msg *submitter_send(message *m)
{
    peer_bytes b = submitter_pack(m);
    nng_msg *answer = peer_exchange(line, b.data, b.size);
    free(b.data);
    return answer;
}

static void submitter_try(const char *what, message *m)
{
    printf("%s: ", what);
    peer_tell(submitter_send(m));
}

/* A field of a configuration that is said once more: the last one counts, and
 * no packer has looked at it. */
typedef struct submitter_field {
    uint32_t number;
    const char *text; /* NULL: a number */
    size_t size;
    uint64_t value;
} submitter_field;

static size_t submitter_varint(uint8_t *at, uint64_t value)
{
    size_t size = 0;
    for (; value > 127; value >>= 7)
        at[size++] = (uint8_t)(value | 128);
    at[size++] = (uint8_t)value;
    return size;
}

/* A run under the next id. The bytes are the caller's to free. */
static message submitter_run(const submitter_field *last)
{
    uint8_t *data;
    size_t size;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = arrange_config_default();
    config.scene = scene;
    config.scene_name = "a";
    config.goal = "Put the red bottle on the yellow block";
    config.model = "builtin";
    if (arrange_config_pack(&config, &data, &size, NULL))
        peer_fail("no configuration");
    data = realloc(data, size + last->size + 64);
    if (!data)
        abort();
    if (last->number) {
        size += submitter_varint(data + size,
                                 last->number << 3 | (last->text ? 2 : 0));
        size += submitter_varint(data + size,
                                 last->text ? last->size : last->value);
    }
    if (last->text)
        memcpy(data + size, last->text, last->size);
    m.body.run_submit.config = data;
    m.body.run_submit.config_size = size + (last->text ? last->size : 0);
    m.body.run_submit.run.bytes[0] = 0xbb;
    m.body.run_submit.run.bytes[15] = ++runs;
    return m;
}

static void submitter_submit(const char *what, submitter_field last)
{
    message m = submitter_run(&last);
    submitter_try(what, &m);
    free((void *)(uintptr_t)m.body.run_submit.config);
}

static void submitter_try_runs(void)
{
    enum { /* fields of proto/arrange.proto's Config */
        SCENE = 1,
        SCENE_NAME = 2,
        GOAL = 3,
        BRANCHES = 6,
        POLLS = 7,
        STEPS_MOST = 10,
        MODEL = 18,
        MODELS = 20,
        START = 25,
        PRIORITY = 43
    };
    static char longer[8192], junk[1 << 19];
    static const char escapes[] = "\x1b]0;owned\x07\x1b[2J\n\r../../</td>";
    const etna_hash nowhere = etna_hash_bytes("nothing", 7);
    const char *hash = (const char *)nowhere.bytes;
    memset(longer, 'a', sizeof longer);
    memset(junk, '[', sizeof junk);
    submitter_submit(
        "a scene's name that writes on terminals",
        (submitter_field){SCENE_NAME, escapes, sizeof escapes - 1, 0});
    submitter_submit("a goal that writes on terminals",
                     (submitter_field){GOAL, escapes, sizeof escapes - 1, 0});
    submitter_submit("a goal of 8 KiB",
                     (submitter_field){GOAL, longer, sizeof longer, 0});
    submitter_submit("a goal that is no UTF-8",
                     (submitter_field){GOAL, "\xff\xfe", 2, 0});
    submitter_submit("a million branches",
                     (submitter_field){BRANCHES, NULL, 0, 1000000});
    submitter_submit("polls without an end",
                     (submitter_field){POLLS, NULL, 0, UINT32_MAX});
    submitter_submit("steps without an end",
                     (submitter_field){STEPS_MOST, NULL, 0, UINT32_MAX});
    submitter_submit("a priority of 10",
                     (submitter_field){PRIORITY, NULL, 0, 10});
    submitter_submit("a model of 8 KiB",
                     (submitter_field){MODEL, longer, sizeof longer, 0});
    submitter_submit("models of half a megabyte of brackets",
                     (submitter_field){MODELS, junk, sizeof junk, 0});
    submitter_submit("a scene that nobody put",
                     (submitter_field){SCENE, hash, 32, 0});
    submitter_submit("a scene of three bytes",
                     (submitter_field){SCENE, "abc", 3, 0});
    submitter_submit("a beginning that nobody put",
                     (submitter_field){START, hash, 32, 0});
}

static void submitter_try_bytes(void)
{
    static const uint8_t some[] = "a submitter's bytes";
    uint8_t junk[64];
    memset(junk, 0xa5, sizeof junk);
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[3] = 1;
    m.body.run_submit.config = junk;
    m.body.run_submit.config_size = sizeof junk;
    submitter_try("bytes for a configuration", &m);

    m = (message){.kind = MESSAGE_BLOB_PUT};
    m.body.blob_put.hash = scene;
    m.body.blob_put.hash.bytes[0] ^= 1;
    m.body.blob_put.total = m.body.blob_put.size = sizeof some;
    m.body.blob_put.data = some;
    submitter_try("bytes under another's hash", &m);
    m.body.blob_put.total = UINT64_MAX;
    submitter_try("a blob of 16 EiB", &m);

    m = (message){.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run.bytes[7] = 9;
    submitter_try("the end of a run that is not there", &m);
    m = (message){.kind = MESSAGE_RUN_STATUS_REQUEST};
    m.body.run_status_request.run.bytes[7] = 9;
    submitter_try("the state of a run that is not there", &m);
}

/* The same bytes again, and again behind a later request. */
static void submitter_try_again(void)
{
    const submitter_field nothing = {0};
    message m = submitter_run(&nothing);
    message end = {.kind = MESSAGE_RUN_CANCEL};
    end.body.run_cancel.run = m.body.run_submit.run;
    peer_bytes b = submitter_pack(&m);
    for (int i = 0; i < 2; i++) {
        printf("a run, said %s: ", i ? "again" : "once");
        peer_tell(peer_exchange(line, b.data, b.size));
    }
    submitter_try("its end", &end);
    printf("its beginning, said after its end: ");
    peer_tell(peer_exchange(line, b.data, b.size));
    free(b.data);
    submitter_try("its beginning, as another request", &m);
    free((void *)(uintptr_t)m.body.run_submit.config);
}

/* Each says that a gigabyte comes, or as much as is let in, sends a little of it
 * and no more. */
static void submitter_begin_halves(void)
{
    static uint8_t some[4096];
    unsigned taken = 0, refused = 0;
    uint64_t total = UINT64_C(1) << 30;
    for (unsigned i = 0; i < HALVES; i++) {
        message m = {.kind = MESSAGE_BLOB_PUT}, answer;
        etna_arena arena = ETNA_ARENA_INIT;
        m.body.blob_put.hash = etna_hash_bytes(&i, sizeof i);
        m.body.blob_put.total = total;
        m.body.blob_put.size = total < sizeof some ? 1 : sizeof some;
        m.body.blob_put.data = some;
        nng_msg *msg = submitter_send(&m);
        if (!msg)
            peer_fail("no answer to half an upload");
        bool is_ack = !message_unpack(nng_msg_body(msg), nng_msg_len(msg),
                                      &arena, &answer, NULL) &&
                      answer.kind == MESSAGE_BLOB_ACK;
        taken += is_ack;
        refused += !is_ack;
        if (!is_ack && total > 2)
            total /= 2;
        nng_msg_free(msg);
        etna_arena_free(&arena);
    }
    printf("halves: %u taken, %u refused\n", taken, refused);
}

static void submitter_submit_many(unsigned count)
{
    const submitter_field nothing = {0};
    message m = submitter_run(&nothing);
    unsigned begun = 0, ended = 0;
    m.body.run_submit.run.bytes[1] = 1; /* not those of the other kinds */
    for (unsigned i = 0; i < 2 * count; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        message end = {.kind = MESSAGE_RUN_CANCEL}, answer;
        unsigned number = i % count;
        bool ends = i >= count;
        memcpy(m.body.run_submit.run.bytes + 4, &number, sizeof number);
        end.body.run_cancel.run = m.body.run_submit.run;
        nng_msg *msg = submitter_send(ends ? &end : &m);
        if (!msg)
            peer_fail("no answer to one of many runs");
        bool is_status = !message_unpack(nng_msg_body(msg), nng_msg_len(msg),
                                         &arena, &answer, NULL) &&
                         answer.kind == MESSAGE_RUN_STATUS;
        begun += is_status && !ends;
        ended += is_status && ends;
        nng_msg_free(msg);
        etna_arena_free(&arena);
        if (i + 1 == count) {
            puts("begun");
            fflush(stdout);
        }
    }
    free((void *)(uintptr_t)m.body.run_submit.config);
    printf("runs: %u begun, %u ended\n", begun, ended);
}

static void submitter_flood(const char *url, const char *file, int seconds)
{
    unsigned answers = 0;
    for (int i = 1; i < FLOODERS && fork(); i++) {
    }
    line = peer_dial(url);
    session = peer_greet(line, file, "submitter");
    const time_t end = time(NULL) + seconds;
    while (time(NULL) < end) {
        message m = {.kind = MESSAGE_RUNS_REQUEST};
        nng_msg *msg = submitter_send(&m);
        answers += msg != NULL;
        if (msg)
            nng_msg_free(msg);
    }
    printf("flood: %u answers\n", answers);
}

static void submitter_put_scene(void)
{
    static const uint8_t none[] = "this is no bundle";
    message m = {.kind = MESSAGE_BLOB_PUT};
    scene = etna_hash_bytes(none, sizeof none);
    m.body.blob_put.hash = scene;
    m.body.blob_put.total = m.body.blob_put.size = sizeof none;
    m.body.blob_put.data = none;
    nng_msg *answer = submitter_send(&m);
    if (!answer)
        peer_fail("no answer to a small blob");
    nng_msg_free(answer);
}

int main(int argc, char **argv)
{
    bool halves = argc == 4 && !strcmp(argv[3], "halves"),
         many = argc == 5 && !strcmp(argv[3], "many");
    const bool floods = argc == 5 && !strcmp(argv[3], "flood");
    if (argc != 3 && !halves && !many && !floods)
        peer_fail("usage: see the submitter's first comment");
    if (floods) {
        submitter_flood(argv[1], argv[2], atoi(argv[4]));
        fflush(stdout);
        _exit(0);
    }
    line = peer_dial(argv[1]);
    session = peer_greet(line, argv[2], "submitter");
    submitter_put_scene();
    if (halves) {
        submitter_begin_halves();
    } else if (many) {
        submitter_submit_many((unsigned)atoi(argv[4]));
    } else {
        submitter_try_runs();
        submitter_try_bytes();
        submitter_try_again();
    }
    fflush(stdout);
    _exit(0); /* NNG may take its time to close */
}
