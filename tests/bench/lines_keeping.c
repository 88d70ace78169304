/* Keeping and saying: durable commits beside bare fdatasyncs of the same disk,
 * packing, a message round trip. */
#include "proto/arrange.h"
#include "store/store.h"
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct keep {
    store *store;
    etna_id run;
    uint64_t sequence;
    uint32_t records; /* per group */
    int fd;
} keep;

static void must(etna_code code, const etna_error *err)
{
    if (code != ETNA_OK)
        bench_die("keeping", err->text);
}

static void do_commit(void *context)
{
    keep *k = context;
    etna_error err = {0};
    store_group *group;
    uint8_t record[200] = {1};
    must(store_group_begin(k->store, &group, &err), &err);
    for (uint32_t i = 0; i < k->records; i++)
        must(store_append(group, &k->run, ++k->sequence, record, sizeof record,
                          &err),
             &err);
    must(store_group_commit(group, &err), &err);
}

static void do_sync(void *context)
{
    keep *k = context;
    uint8_t page[4096] = {2};
    if (pwrite(k->fd, page, sizeof page, 0) != (ssize_t)sizeof page ||
        fdatasync(k->fd))
        bench_die("fdatasync", "failed");
}

static void do_pack(void *context)
{
    (void)context;
    message m = {.version = MESSAGE_VERSION,
                 .sender = 7,
                 .incarnation = 1,
                 .sequence = 9,
                 .kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin.model = "builtin";
    m.body.call_begin.ref =
        (message_task_ref){.run = {{1}}, .task = 1, .attempt = 1};
    m.body.call_begin.request.bytes[0] = 1;
    m.body.call_begin.slot.role = ROLE_PLANNER;
    etna_error err = {0};
    uint8_t *data;
    size_t size;
    etna_arena arena = ETNA_ARENA_INIT;
    must(message_pack(&m, &data, &size, &err), &err);
    must(message_unpack(data, size, &arena, &m, &err), &err);
    etna_arena_free(&arena);
    free(data);
}

static void *echo(void *argument)
{
    nng_socket rep = *(nng_socket *)argument;
    nng_msg *m;
    while (nng_recvmsg(rep, &m, 0) == 0) {
        if (nng_sendmsg(rep, m, 0))
            nng_msg_free(m);
    }
    return NULL;
}

static void do_round_trip(void *context)
{
    nng_socket req = *(nng_socket *)context;
    nng_msg *m;
    if (nng_msg_alloc(&m, 128) || nng_sendmsg(req, m, 0) ||
        nng_recvmsg(req, &m, 0))
        bench_die("round trip", "nng");
    nng_msg_free(m);
}

static bench_stats round_trips(bench *b, const char *folder)
{
    char url[700];
    nng_socket rep, req;
    pthread_t thread;
    snprintf(url, sizeof url, "ipc://%s", folder);
    if (nng_rep0_open(&rep) || nng_req0_open(&req) ||
        nng_listen(rep, url, NULL, 0) || nng_dial(req, url, NULL, 0)) {
        bench_die("round trip", "cannot open sockets");
    }
    if (pthread_create(&thread, NULL, echo, &rep))
        bench_die("round trip", "no thread");
    bench_stats s = bench_measure(b, BENCH_WALL, NULL, do_round_trip, &req);
    nng_close(req);
    nng_close(rep);
    pthread_join(thread, NULL);
    return s;
}

static keep *open_store(bench *b)
{
    static keep k;
    etna_error err = {0};
    k.fd = open(bench_path(b, "bare"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    store_options options = store_options_default();
    options.path = bench_path(b, "store");
    options.endpoint = "bench";
    must(store_open(&options, &k.store, &err), &err);
    store_group *group;
    store_run run = {
        .id = k.run, .state = RUN_RUNNING, .scene = "s", .goal = "g"};
    must(store_group_begin(k.store, &group, &err), &err);
    must(store_put_run(group, &run, &err), &err);
    must(store_group_commit(group, &err), &err);
    return &k;
}

void lines_keeping(bench *b)
{
    static const char *const id[] = {"keeping.commit", "keeping.record",
                                     "keeping.message", "keeping.round_trip"};
    if (!bench_wants_any(b, id, 4))
        return;
    if (bench_wants(b, id[0]) || bench_wants(b, id[1])) {
        keep *k = open_store(b);
        bench_row row = {.id = id[0],
                         .work = "durable commit of one record",
                         .unit = "ms",
                         .clock = BENCH_WALL,
                         .floor_is = "a bare fdatasync of a page"};
        row.floor = bench_measure(b, BENCH_WALL, NULL, do_sync, k);
        k->records = 1;
        row.ours = bench_measure(b, BENCH_WALL, NULL, do_commit, k);
        if (bench_wants(b, id[0]))
            bench_add(b, &row);
        row.id = id[1];
        row.work = "durable record, in groups of 100";
        row.goal = 0.05;
        row.floor = bench_scaled(row.floor, 0.01);
        row.floor_is = "a hundredth of a bare fdatasync";
        k->records = 100;
        if (bench_wants(b, id[1])) {
            row.ours = bench_scaled(
                bench_measure(b, BENCH_WALL, NULL, do_commit, k), 0.01);
            bench_add(b, &row);
        }
        store_close(k->store);
        close(k->fd);
    }
    if (bench_wants(b, id[2])) {
        bench_row row = {.id = id[2],
                         .work = "message packed, unpacked, validated",
                         .unit = "ms"};
        row.ours = bench_measure(b, BENCH_CORE, NULL, do_pack, NULL);
        bench_add(b, &row);
    }
    if (bench_wants(b, id[3])) {
        bench_row row = {
            .id = id[3],
            .work = "bare NNG round trip over ipc: what a lease stands on",
            .unit = "ms",
            .clock = BENCH_WALL};
        row.ours = round_trips(b, bench_path(b, "echo"));
        bench_add(b, &row);
    }
}
