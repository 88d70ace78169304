/* What tokens and TLS cost: messages of sixteen tasks' size that go to the
 * coordinator's inbox and come back as large, a few dozen under way at a time,
 * by the worker's own net. Nothing is decided or kept on the way, so that what
 * is measured is the wire alone and a real task's share is smaller. Seals are
 * told beside none over ipc, TLS beside seals over loopback. */
#include "coordinator/shell/certificate.h"
#include "coordinator/shell/inbox.h"
#include "tests/bench/rig.h"
#include "worker/shell/net.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TASKS = 16,
    TASK_BYTES = 300,
    SIZE = TASKS * TASK_BYTES,
    MESSAGES = 500,
    UNDER_WAY = 32,
    EPOCH = 1
};

typedef struct wire {
    char url[128], join_path[128];
    bool sealed;
    uv_loop_t loop;
    uv_async_t end;
    inbox *inbox;
    gate *gate;
    certificate certificate;
    pthread_t thread;
    net *net;
    int woken;
    uint32_t sent, answered;
} wire;

/* ---- the coordinator's end, on a thread of its own ---- */

static void wire_request(void *context,
                         uint64_t request,
                         uint64_t pipe,
                         uint64_t pid,
                         const uint8_t *data,
                         size_t size)
{
    wire *w = context;
    uint8_t *copy = malloc(size);
    (void)pipe, (void)pid;
    if (!copy)
        bench_die("trust", "out of memory");
    memcpy(copy, data, size);
    inbox_answer(w->inbox, request, copy, size);
}

static void wire_pipe_gone(void *context, uint64_t pipe)
{
    (void)context, (void)pipe;
}

static void wire_end(uv_async_t *handle)
{
    uv_stop(handle->loop);
}

static void *wire_serve(void *context)
{
    wire *w = context;
    uv_run(&w->loop, UV_RUN_DEFAULT);
    return NULL;
}

static void wire_make_gate(wire *w, bench *b)
{
    realm r = {.name = "bench", .generation = 1};
    join j;
    etna_error err;
    if (!seal_random(r.secret.bytes))
        bench_die("trust", "no random numbers");
    w->gate = gate_new(&r, EPOCH);
    if (!w->gate)
        bench_die("trust", "out of memory");
    realm_join(&r, w->url, &j);
    strcpy(j.certificate, w->certificate.shown);
    snprintf(w->join_path, sizeof w->join_path, "@%s",
             bench_path(b, "trust.join"));
    rig_must(join_write(w->join_path + 1, &j, &err), &err);
}

/* ---- the worker's end ---- */

static void wire_wake(void *context)
{
    uint64_t one = 1;
    (void)!write(((wire *)context)->woken, &one, sizeof one);
}

static void wire_send(wire *w)
{
    static const uint8_t tasks[SIZE] = {8, 1};
    etna_error err;
    rig_must(net_send(w->net, ++w->sent, tasks, sizeof tasks, &err), &err);
}

static void wire_received(void *context,
                          uint64_t request,
                          const uint8_t *data,
                          size_t size)
{
    wire *w = context;
    (void)request, (void)data;
    if (size != SIZE)
        bench_die("trust", "another answer");
    w->answered++;
}

static void wire_lost(void *context, uint64_t request)
{
    (void)context, (void)request;
    bench_die("trust", "a message was lost");
}

static void wire_disconnected(void *context)
{
    (void)context;
    bench_die("trust", "the connection was lost");
}

static void wire_open(wire *w, bench *b, const char *url, bool sealed)
{
    etna_error err;
    snprintf(w->url, sizeof w->url, "%s", url);
    w->sealed = sealed;
    bool tls = !strncmp(url, "tls", 3);
    if (tls)
        rig_must(certificate_open(bench_path(b, "."), &w->certificate, &err),
                 &err);
    if (sealed)
        wire_make_gate(w, b);
    uv_loop_init(&w->loop);
    uv_async_init(&w->loop, &w->end, wire_end);
    const inbox_handlers inbox_calls = {.context = w,
                                        .request = wire_request,
                                        .pipe_gone = wire_pipe_gone,
                                        .gate = w->gate,
                                        .certificate =
                                            tls ? w->certificate.whole : NULL};
    rig_must(inbox_open(&w->loop, url, &inbox_calls, &w->inbox, &err), &err);
    if (pthread_create(&w->thread, NULL, wire_serve, w))
        bench_die("trust", "no thread");
    const net_handlers net_calls = {w,         wire_wake,         wire_received,
                                    wire_lost, wire_disconnected, NULL};
    w->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    rig_must(
        net_open(sealed ? w->join_path : url, NULL, &net_calls, &w->net, &err),
        &err);
}

static void wire_close(wire *w)
{
    net_close(w->net);
    uv_async_send(&w->end);
    pthread_join(w->thread, NULL);
    inbox_close(w->inbox);
    uv_close((uv_handle_t *)&w->end, NULL);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    uv_loop_close(&w->loop);
    gate_free(w->gate);
    close(w->woken);
}

/* MESSAGES of them, there and back. */
static void wire_exchange(void *context)
{
    wire *w = context;
    uint32_t until = w->sent + MESSAGES;
    while (w->answered < until) {
        while (w->sent < until && w->sent - w->answered < UNDER_WAY)
            wire_send(w);
        struct pollfd woken = {.fd = w->woken, .events = POLLIN};
        uint64_t times;
        poll(&woken, 1, -1);
        (void)!read(w->woken, &times, sizeof times);
        net_collect(w->net);
    }
}

static bench_stats wire_measure(bench *b, const char *url, bool sealed)
{
    wire *w = calloc(1, sizeof *w);
    if (!w)
        bench_die("trust", "out of memory");
    wire_open(w, b, url, sealed);
    bench_stats found = bench_measure(b, BENCH_WALL, NULL, wire_exchange, w);
    wire_close(w);
    free(w);
    return bench_scaled(found, 1.0 / MESSAGES);
}

static uint16_t wire_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (const struct sockaddr *)&at, sizeof at) ||
        getsockname(fd, (struct sockaddr *)&at, &size))
        bench_die("trust", "no port");
    close(fd);
    return ntohs(at.sin_port);
}

void lines_trust(bench *b)
{
    char url[128];
    bench_row seals = {.id = "trust.seals",
                       .work = "16 tasks' message there and back, sealed",
                       .unit = "ms",
                       .clock = BENCH_WALL,
                       .floor_is = "the same without seals"};
    bench_row tls = {.id = "trust.tls",
                     .work = "the same over TLS",
                     .unit = "ms",
                     .clock = BENCH_WALL,
                     .floor_is = "the same over TCP"};
    if (bench_wants(b, seals.id)) {
        snprintf(url, sizeof url, "ipc://%s", bench_path(b, "trust.sock"));
        seals.floor = wire_measure(b, url, false);
        seals.ours = wire_measure(b, url, true);
        bench_add(b, &seals);
    }
    if (bench_wants(b, tls.id)) {
        snprintf(url, sizeof url, "tcp://127.0.0.1:%u", (unsigned)wire_port());
        tls.floor = wire_measure(b, url, true);
        snprintf(url, sizeof url, "tls+tcp://127.0.0.1:%u",
                 (unsigned)wire_port());
        tls.ours = wire_measure(b, url, true);
        bench_add(b, &tls);
    }
}
