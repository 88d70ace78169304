/* A model's server that thinks well and writes as models do: a proxy before a
 * good one (etna serve-builtin) that rewrites its answers by one habit, or by
 * the one that a request's path names.
 *
 *   sloppy-model --upstream PORT [--kind NAME] [--role
 *   planner|executor|evaluator] [--how once|half|always] [--ledger FILE]
 *                [--delay MS]
 *   sloppy-model --list         the habits: name, roles, and whether a person would still see what is meant
 *
 * Prints its port. Once: the first answer of the role that the habit changes.
 * Half: drawn from the request's x-etna-seed. --delay: each answer waits for a
 * time below that, drawn from the seed, so that some are not waited for any
 * more. One line of the ledger per request, when it was served: its role,
 * "changed" or "kept", the tokens that the good server told, and whose it was.
 * The habits are in sloppy_*.c, by role.
 *
 * A path /as/KIND/ROLE/HOW/WHO/v1/... is answered by that habit, and WHO has
 * its own "once": one server does for a batch. */
#include "tests/fault/sloppy.h"
#include "tests/support/loopback.h"

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Whose answers are spoilt how. */
typedef struct client {
    struct client *next;
    /* what its requests' paths begin with; "": all that name nobody */
    char path[192];
    const sloppy_habit *habit;
    char role[16], how[16]; /* role "": each */
    bool spent;             /* once: it was */
} client;

static struct {
    uint16_t upstream;
    client first; /* the command line's */
    FILE *ledger;
    uint32_t delay_ms;
    pthread_mutex_t lock;
    pthread_cond_t settled; /* `open` is 0 */
    uint32_t open;          /* requests that are not in the ledger yet */
} self = {.first.how = "always",
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .settled = PTHREAD_COND_INITIALIZER};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The client of a path /as/..., which is taken out of the request; else the
 * command line's. NULL: it names no habit. */
static client *client_of(loopback_text *request)
{
    char path[192], kind[64], role[16], how[16];
    char *from = strstr(request->data, " /as/"),
         *to = from ? strstr(from, "/v1") : NULL;
    if (!from || !to || to > strchr(request->data, '\r'))
        return self.first.habit ? &self.first : NULL;
    snprintf(path, sizeof path, "%.*s", (int)(to - from), from);
    request->size -= (size_t)(to - from) - 1;
    memmove(from + 1, to, strlen(to) + 1);
    if (sscanf(path, " /as/%63[^/]/%15[^/]/%15[^/]/", kind, role, how) != 3)
        return NULL;
    pthread_mutex_lock(&self.lock);
    client *c = self.first.next;
    while (c && strcmp(c->path, path) != 0)
        c = c->next;
    if (!c && sloppy_find(kind)) {
        c = calloc(1, sizeof *c);
        if (!c)
            abort();
        *c = (client){.next = self.first.next, .habit = sloppy_find(kind)};
        snprintf(c->path, sizeof c->path, "%s", path);
        snprintf(c->role, sizeof c->role, "%s", role);
        snprintf(c->how, sizeof c->how, "%s", how);
        self.first.next = c;
    }
    pthread_mutex_unlock(&self.lock);
    return c;
}

static bool is_drawn(const client *c, const char *seed)
{
    if (!strcmp(c->how, "half"))
        return mix(strtoull(seed, NULL, 10) + 0x9e3779b97f4a7c15u) & 1;
    return strcmp(c->how, "once") != 0 || !c->spent;
}

/* Rewrites the message of the answer; true: it is another one now. */
static bool spoil(client *c, json_t *root, const char *role, const char *seed)
{
    json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    json_t *message = json_object_get(choice, "message");
    bool is_meant = !*c->role || !strcmp(c->role, role);
    pthread_mutex_lock(&self.lock);
    bool changed = is_meant && message && sloppy_has_role(c->habit, role) &&
                   is_drawn(c, seed) && sloppy_rewrite(c->habit, message);
    c->spent = c->spent || changed;
    pthread_mutex_unlock(&self.lock);
    if (changed && !json_object_get(message, "tool_calls"))
        json_object_set_new(choice, "finish_reason", json_string("stop"));
    return changed;
}

static void note(const client *c,
                 const char *role,
                 bool changed,
                 const json_t *root)
{
    const json_t *usage = json_object_get(root, "usage");
    if (!self.ledger)
        return;
    pthread_mutex_lock(&self.lock);
    fprintf(
        self.ledger, "%s %s %lld %lld%s\n", role, changed ? "changed" : "kept",
        (long long)json_integer_value(json_object_get(usage, "prompt_tokens")),
        (long long)json_integer_value(
            json_object_get(usage, "completion_tokens")),
        c->path);
    fflush(self.ledger);
    pthread_mutex_unlock(&self.lock);
}

static void request_open(void)
{
    pthread_mutex_lock(&self.lock);
    self.open++;
    pthread_mutex_unlock(&self.lock);
}

static void request_close(void)
{
    pthread_mutex_lock(&self.lock);
    if (--self.open == 0)
        pthread_cond_signal(&self.settled);
    pthread_mutex_unlock(&self.lock);
}

/* Told to end, it first serves what it has begun: who asked may have gone, and
 * the ledger is to be whole. */
static void *end_when_told(void *context)
{
    const sigset_t *told = context;
    int signal_number;
    sigwait(told, &signal_number);
    pthread_mutex_lock(&self.lock);
    while (self.open)
        pthread_cond_wait(&self.settled, &self.lock);
    _exit(0);
}

static void send_body(int fd, const char *status, const char *body)
{
    char head[256];
    int length = snprintf(
        head, sizeof head,
        "HTTP/1.1 %s\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: "
        "%zu\r\n\r\n",
        status, strlen(body));
    loopback_send(fd, head, (size_t)length);
    loopback_send(fd, body, strlen(body));
}

static void dally(const char *seed)
{
    if (!self.delay_ms)
        return;
    uint64_t ms = mix(strtoull(seed, NULL, 10) + 1) % self.delay_ms;
    const struct timespec wait = {.tv_sec = (time_t)(ms / 1000),
                                  .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&wait, NULL);
}

static void answer(int fd, loopback_text *request)
{
    char role[32], seed[32];
    loopback_text told = {0};
    client *asker = client_of(request);
    loopback_header(request, "\r\nx-etna-role:", role, sizeof role);
    loopback_header(request, "\r\nx-etna-seed:", seed, sizeof seed);
    int up = asker ? loopback_connect(self.upstream) : -1;
    bool ok = up >= 0 && loopback_send(up, request->data, request->size) &&
              loopback_receive(up, &told, true);
    if (up >= 0)
        close(up);
    const char *body = ok ? strstr(told.data, "\r\n\r\n") + 4 : NULL;
    json_t *root = ok && strncmp(told.data, "HTTP/1.1 200", 12) == 0
                       ? json_loads(body, 0, NULL)
                       : NULL;
    if (root) {
        bool changed = spoil(asker, root, role, seed);
        char *text = json_dumps(root, JSON_COMPACT);
        note(asker, role, changed, root);
        request_close();
        dally(seed);
        send_body(fd, "200 OK", text ? text : "");
        free(text);
    } else {
        request_close();
        if (ok)
            loopback_send(fd, told.data, told.size);
        if (!ok)
            send_body(fd, "502 Bad Gateway", "{}");
    }
    json_decref(root);
    free(told.data);
}

static void *converse(void *context)
{
    int fd = (int)(intptr_t)context;
    loopback_text request = {0};
    request_open();
    if (loopback_receive(fd, &request, false)) {
        answer(fd, &request);
    } else {
        request_close();
    }
    free(request.data);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        sloppy_list(stdout);
        return 0;
    }
    bool known = true;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--upstream"))
            self.upstream = (uint16_t)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--kind")) {
            self.first.habit = sloppy_find(argv[i + 1]);
            known = self.first.habit != NULL;
        }
        if (!strcmp(argv[i], "--role"))
            snprintf(self.first.role, sizeof self.first.role, "%s",
                     argv[i + 1]);
        if (!strcmp(argv[i], "--how"))
            snprintf(self.first.how, sizeof self.first.how, "%s", argv[i + 1]);
        if (!strcmp(argv[i], "--delay"))
            self.delay_ms = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--ledger"))
            self.ledger = fopen(argv[i + 1], "w");
    }
    uint16_t port = 0;
    int listener = loopback_listen(1024, &port);
    if (!known || listener < 0) {
        fprintf(stderr, "sloppy-model: usage, or no port\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    sigset_t told;
    pthread_t ender;
    sigemptyset(&told);
    sigaddset(&told, SIGTERM);
    /* in every thread that begins from here on */
    pthread_sigmask(SIG_BLOCK, &told, NULL);
    if (pthread_create(&ender, NULL, end_when_told, &told) != 0)
        return 2;
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, NULL, converse);
}
