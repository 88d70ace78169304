/* Keeping and saying: durable commits of the store beside bare fdatasyncs of the same disk, packing, a message round trip. */
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
    if (code != ETNA_OK) bench_die("keeping", err->text);
}

static void do_commit(void *context)
{
    keep *k = context;
    etna_error err = {0};
    store_group *group;
    uint8_t record[200] = {1};
    must(store_group_begin(k->store, &group, &err), &err);
    for (uint32_t i = 0; i < k->records; i++) must(store_append(group, &k->run, ++k->sequence, record, sizeof record, &err), &err);
    must(store_group_commit(group, &err), &err);
}

static void do_sync(void *context)
{
    keep *k = context;
    uint8_t page[4096] = {2};
    if (pwrite(k->fd, page, sizeof page, 0) != (ssize_t)sizeof page || fdatasync(k->fd)) bench_die("fdatasync", "failed");
}

static void do_pack(void *context)
{
    (void)context;
    message m = {.version = MESSAGE_VERSION, .sender = 7, .incarnation = 1, .sequence = 9, .kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin.model = "builtin";
    m.body.call_begin.ref = (message_task_ref){.run = {{1}}, .task = 1, .attempt = 1};
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
        if (nng_sendmsg(rep, m, 0)) nng_msg_free(m);
    }
    return NULL;
}

static void do_round_trip(void *context)
{
    nng_socket req = *(nng_socket *)context;
    nng_msg *m;
    if (nng_msg_alloc(&m, 128) || nng_sendmsg(req, m, 0) || nng_recvmsg(req, &m, 0)) bench_die("round trip", "nng");
    nng_msg_free(m);
}

static void bench_round_trip(const char *folder)
{
    char url[128];
    nng_socket rep, req;
    pthread_t thread;
    snprintf(url, sizeof url, "ipc://%s/echo", folder);
    if (nng_rep0_open(&rep) || nng_req0_open(&req) || nng_listen(rep, url, NULL, 0) || nng_dial(req, url, NULL, 0)) {
        bench_die("round trip", "cannot open sockets");
    }
    if (pthread_create(&thread, NULL, echo, &rep)) bench_die("round trip", "no thread");
    bench_line("  bare NNG round trip over ipc (the floor)", do_round_trip, &req, 1, NULL);
    nng_close(req);
    nng_close(rep);
    pthread_join(thread, NULL);
}

void bench_keeping(void)
{
    char folder[] = "/tmp/etna-bench.XXXXXX", path[64];
    etna_error err = {0};
    if (!mkdtemp(folder)) bench_die("keeping", "no temporary folder");
    snprintf(path, sizeof path, "%s/bare", folder);
    keep k = {.fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    store_options options = store_options_default();
    options.path = folder;
    options.endpoint = "bench";
    must(store_open(&options, &k.store, &err), &err);
    store_group *group;
    store_run run = {.id = k.run, .state = RUN_RUNNING, .scene = "s", .goal = "g"};
    must(store_group_begin(k.store, &group, &err), &err);
    must(store_put_run(group, &run, &err), &err);
    must(store_group_commit(group, &err), &err);
    bench_note("keeping and saying");
    bench_line("  bare fdatasync of a page (the floor)", do_sync, &k, 1, NULL);
    k.records = 1;
    bench_line("  durable commit of one record", do_commit, &k, 1, NULL);
    k.records = 100;
    bench_line("  durable record in groups of 100", do_commit, &k, 100, "50 us");
    bench_line("  message packed, unpacked, validated", do_pack, NULL, 1, NULL);
    bench_round_trip(folder);
    store_close(k.store);
    close(k.fd);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command)) bench_note("left %s behind", folder);
}
