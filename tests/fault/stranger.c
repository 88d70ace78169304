/* A peer over TCP that has no business there. It speaks the wire by itself, as
 * anybody's program would.
 *
 *   stranger ask URL KIND [FILE ROLE]      one request; without FILE: without a token; else greeted with ROLE's
 *   stranger replay URL KIND FILE ROLE     sends a sealed request, then the very same bytes over another connection
 *   stranger reflect URL FILE ROLE         sends an answer back as a request
 *   stranger huge URL                      two megabytes of nothing, until it is cut off
 *   stranger flood URL COUNT STAY          so many connections at once, each of which says something and waits until it is
 *                                          cut off; ends when no more than STAY are left
 *   stranger announce URL COUNT            so many connections at once, each of which begins a message of two megabytes and
 *                                          says no more; four times
 *   stranger thief PORT SECONDS            listens where a coordinator did; answers all with a welcome of its own
 *
 * Prints what came of it, a line a request: "refused TEXT", "KIND" of the
 * answer, or "nothing". The thief prints the kind of each message that it was
 * sent. KIND: runs, submit, cancel, drain, lease, orders, result, get, put,
 * events. */
#include "tests/fault/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    HUGE_SIZE = 2 << 20
};

static const struct {
    const char *name;
    message_kind kind;
} kinds[] = {
    {"runs", MESSAGE_RUNS_REQUEST},   {"submit", MESSAGE_RUN_SUBMIT},
    {"cancel", MESSAGE_RUN_CANCEL},   {"drain", MESSAGE_DRAIN},
    {"lease", MESSAGE_LEASE_REQUEST}, {"orders", MESSAGE_ORDERS_REQUEST},
    {"result", MESSAGE_RESULT},       {"get", MESSAGE_BLOB_GET},
    {"put", MESSAGE_BLOB_PUT},        {"events", MESSAGE_EVENTS_REQUEST}};

static message_kind kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    }
    peer_fail("no such kind");
    return MESSAGE_NONE;
}

/* A request of the kind, with room for a seal behind it. */
static peer_bytes request_of(message_kind kind)
{
    static const uint8_t some[] = "bytes";
    message m = {.version = MESSAGE_VERSION,
                 .sender = 99,
                 .incarnation = 1,
                 .sequence = 5,
                 .kind = kind};
    if (kind == MESSAGE_RUN_SUBMIT)
        m.body.run_submit = (message_run_submit){{{7}}, some, sizeof some};
    if (kind == MESSAGE_RUN_CANCEL)
        m.body.run_cancel.run = (etna_id){{7}};
    if (kind == MESSAGE_EVENTS_REQUEST)
        m.body.events_request.run = (etna_id){{7}};
    if (kind == MESSAGE_BLOB_GET)
        m.body.blob_get.hash = etna_hash_bytes(some, sizeof some);
    if (kind == MESSAGE_BLOB_PUT)
        m.body.blob_put =
            (message_blob_chunk){.hash = etna_hash_bytes(some, sizeof some),
                                 sizeof some,
                                 0,
                                 some,
                                 sizeof some};
    if (kind == MESSAGE_RESULT)
        m.body.result = (message_result){.ref = {.run = {{7}}, 1, 1},
                                         .error = ETNA_E_INPUT,
                                         .error_text = "planted"};
    return peer_pack(&m);
}

static void ask(const char *url,
                const char *kind,
                const char *file,
                const char *role)
{
    peer_bytes b = request_of(kind_named(kind));
    nng_socket socket = peer_dial(url);
    if (file) {
        const seal_session session = peer_greet(socket, file, role);
        peer_seal(&b, &session);
    }
    peer_tell(peer_exchange(socket, b.data, b.size));
    free(b.data);
}

static void replay(const char *url,
                   const char *kind,
                   const char *file,
                   const char *role)
{
    peer_bytes b = request_of(kind_named(kind));
    nng_socket first = peer_dial(url), second = peer_dial(url);
    const seal_session session = peer_greet(first, file, role);
    peer_seal(&b, &session);
    peer_tell(peer_exchange(first, b.data, b.size));
    peer_tell(peer_exchange(second, b.data, b.size));
    free(b.data);
}

static void reflect(const char *url, const char *file, const char *role)
{
    peer_bytes b = request_of(MESSAGE_RUNS_REQUEST);
    nng_socket socket = peer_dial(url);
    const seal_session session = peer_greet(socket, file, role);
    peer_seal(&b, &session);
    nng_msg *answer = peer_exchange(socket, b.data, b.size);
    if (!answer)
        peer_fail("no answer to reflect");
    peer_tell(peer_exchange(socket, nng_msg_body(answer), nng_msg_len(answer)));
    nng_msg_free(answer);
    free(b.data);
}

static void huge(const char *url)
{
    uint8_t *data = calloc(1, HUGE_SIZE);
    if (!data)
        abort();
    nng_socket socket = peer_dial(url);
    peer_tell(peer_exchange(socket, data, HUGE_SIZE));
    free(data);
}

/* Below NNG, which would need a thread's care for each: the greeting of the
 * protocol, then what is to be said. */
static int plain_connection(uint16_t port, const uint8_t *says, size_t size)
{
    static const uint8_t greeting_bytes[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool said = fd >= 0 &&
                !connect(fd, (const struct sockaddr *)&to, sizeof to) &&
                send(fd, greeting_bytes, sizeof greeting_bytes, MSG_NOSIGNAL) ==
                    (ssize_t)sizeof greeting_bytes &&
                send(fd, says, size, MSG_NOSIGNAL) == (ssize_t)size;
    if (said)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool is_cut(int fd)
{
    uint8_t some[4096];
    ssize_t got;
    while ((got = recv(fd, some, sizeof some, MSG_DONTWAIT)) > 0)
        continue;
    return got == 0 || (got < 0 && errno != EAGAIN);
}

static void raise_files(void)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* Again and again: what a process got for one message it may keep for another. */
static void announce(const char *url, int count)
{
    enum {
        ROUNDS = 4
    };
    const struct timespec pause = {.tv_sec = 1};
    /* two megabytes come, of which this is the first */
    static const uint8_t start[] = {0, 0,    0, 0, 0, 0x20, 0,
                                    0, 0x80, 0, 0, 1, 0x08};
    int *all = calloc((size_t)count, sizeof *all);
    uint16_t port = (uint16_t)strtoul(strrchr(url, ':') + 1, NULL, 10);
    if (!all)
        abort();
    for (int round = 0; round < ROUNDS; round++) {
        int opened = 0;
        for (int i = 0; i < count; i++) {
            all[i] = plain_connection(port, start, sizeof start);
            opened += all[i] >= 0;
        }
        nanosleep(&pause, NULL);
        printf("open %d\n", opened);
        fflush(stdout);
        nanosleep(&pause, NULL);
        for (int i = 0; i < count; i++) {
            if (all[i] >= 0)
                close(all[i]);
        }
    }
    free(all);
}

static void flood(const char *url, int count, int stay)
{
    static const uint8_t request[] = {0, 0,    0, 0, 0, 0,    0,
                                      6, 0x80, 0, 0, 1, 0x08, 0x01};
    raise_files();
    int *all = calloc((size_t)count, sizeof *all), opened = 0, cut = 0;
    uint16_t port = (uint16_t)strtoul(strrchr(url, ':') + 1, NULL, 10);
    if (!all)
        abort();
    for (int i = 0; i < count; i++) {
        all[i] = plain_connection(port, request, sizeof request);
        opened += all[i] >= 0;
    }
    puts("open"); /* the test goes on with its own work */
    fflush(stdout);
    for (int tries = 0; cut < opened - stay && tries < 300; tries++) {
        const struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
        for (int i = 0; i < count; i++) {
            if (all[i] < 0 || !is_cut(all[i]))
                continue;
            close(all[i]);
            all[i] = -1;
            cut++;
        }
    }
    printf("cut off %d of %d\n", cut, opened);
}

static void thief(const char *port, int seconds)
{
    char url[64];
    nng_socket socket;
    snprintf(url, sizeof url, "tcp://127.0.0.1:%s", port);
    if (nng_rep0_open(&socket))
        peer_fail("no socket");
    nng_socket_set_ms(socket, NNG_OPT_RECVTIMEO, 100);
    nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, 4 << 20);
    if (nng_listen(socket, url, NULL, 0))
        peer_fail("the port cannot be had");
    puts("listening");
    for (time_t end = time(NULL) + seconds; time(NULL) < end; fflush(stdout)) {
        etna_arena arena = ETNA_ARENA_INIT;
        nng_msg *msg;
        message m = {.kind = MESSAGE_NONE};
        if (nng_recvmsg(socket, &msg, 0))
            continue;
        message_unpack(nng_msg_body(msg), nng_msg_len(msg), &arena, &m, NULL);
        puts(message_kind_name(m.kind));
        nng_msg_free(msg);
        message answer = {.version = MESSAGE_VERSION,
                          .epoch = 1000,
                          .incarnation = m.incarnation,
                          .sequence = m.sequence,
                          .kind = MESSAGE_WELCOME};
        answer.body.welcome.nonce.bytes[0] = 1;
        peer_bytes b;
        if (message_pack(&answer, &b.data, &b.size, NULL) ||
            nng_msg_alloc(&msg, 0))
            abort();
        if (nng_msg_append(msg, b.data, b.size) || nng_sendmsg(socket, msg, 0))
            nng_msg_free(msg);
        free(b.data);
        etna_arena_free(&arena);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    if (!strcmp(what, "ask") && (argc == 4 || argc == 6)) {
        ask(argv[2], argv[3], argc == 6 ? argv[4] : NULL,
            argc == 6 ? argv[5] : NULL);
    } else if (!strcmp(what, "replay") && argc == 6) {
        replay(argv[2], argv[3], argv[4], argv[5]);
    } else if (!strcmp(what, "reflect") && argc == 5) {
        reflect(argv[2], argv[3], argv[4]);
    } else if (!strcmp(what, "huge") && argc == 3) {
        huge(argv[2]);
    } else if (!strcmp(what, "flood") && argc == 5) {
        flood(argv[2], atoi(argv[3]), atoi(argv[4]));
    } else if (!strcmp(what, "announce") && argc == 4) {
        announce(argv[2], atoi(argv[3]));
    } else if (!strcmp(what, "thief") && argc == 4) {
        thief(argv[2], atoi(argv[3]));
    } else {
        peer_fail("usage: see its first comment");
    }
    fflush(stdout);
    _exit(0); /* NNG may take its time to close */
}
