/* A model's server that misbehaves on command: a proxy before a good one (etna
 * serve-builtin) that keeps its own ledger.
 *
 *   hostile-model --upstream PORT --faults KIND:WEIGHT,.. [--seed N] [--ledger
 *   FILE] [OPTION...]
 *
 * Prints its port. Which fault a request meets is drawn from the seed, the
 * request's x-etna-seed and how often that came, so it does not depend on the
 * order of requests. One line of the ledger per request: its kind, what it may
 * have cost (free, maybe, paid), the tokens that the good server told, who
 * asked (x-etna-role, x-team, or -), how the request came (direct; proxy: it
 * names a whole address, and this server is asked as a proxy), and
 * milliseconds. Options, of which each comes before the draw:
 *
 *   --hold N --gate FILE    answers none until N are open at once; then notes "held" and waits until FILE is there
 *   --pass N                with --hold: the first N are answered at once
 *   --busy-after N --busy-s S   the N-th request and all that come within S seconds are refused by 429, Retry-After: S
 *   --unsupported NAME      400 for whom sends the parameter NAME, in the words of OpenAI's servers
 *   --tls CERT,KEY          speaks TLS
 *   --seen FILE             the head of each request stands there
 *
 * Kinds:
 *
 *   ok          the good answer
 *   429 429r    too many requests, without and with a hint when to come again     500 529   the server's own faults
 *   early       a reset before the request is read       late     a reset after it
 *   half        half of the good answer                  garbage  bytes that are no HTTP
 *   html        a page with 200                          huge     100 MB
 *   drip        the good answer, byte by byte            chunked  in chunks
 *   zipped      compressed                               gzip     bytes that are not compressed, called gzip
 *   redirect    to elsewhere                         echo     401, quoting the request's head
 *   shape       JSON of another shape                    prose    a good answer's tool calls as text
 *   twice       tool calls under one id                  object   their arguments as objects
 *   broken      their arguments as JSON cut off */
#include "tests/fault/hostile_tls.h"
#include "tests/support/loopback.h"

#include <jansson.h>
#include <poll.h>
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

enum {
    KINDS_MAX = 32,
    SEEDS_MAX = 65536
};

typedef struct weighed {
    char name[16];
    unsigned weight;
} weighed;

static struct {
    uint16_t upstream;
    uint64_t seed;
    weighed kinds[KINDS_MAX];
    unsigned count, total;
    FILE *ledger, *seen;
    pthread_mutex_t lock;
    struct {
        uint64_t seed;
        uint32_t count;
    } came[SEEDS_MAX];
    unsigned pass, hold, held; /* requests that don't wait, that wait */
    bool opened;
    pthread_cond_t let_go;
    const char *gate, *unsupported, *tls;
    unsigned busy_after, busy_s, requests;
    uint64_t started, busy_until; /* milliseconds */
} self = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .let_go = PTHREAD_COND_INITIALIZER};

static __thread struct {
    char role[32], team[32], way[8];
} asker; /* of the request that this thread answers */

static void reset(int fd)
{
    struct linger at_once = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

/* ---- the ledger and the draw ---- */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static const char *draw(uint64_t seed)
{
    pthread_mutex_lock(&self.lock);
    uint32_t at = (uint32_t)mix(seed) % SEEDS_MAX, tries = 0;
    while (self.came[at].count && self.came[at].seed != seed &&
           tries++ < SEEDS_MAX)
        at = (at + 1) % SEEDS_MAX;
    self.came[at].seed = seed;
    uint32_t times = self.came[at].count++;
    pthread_mutex_unlock(&self.lock);
    unsigned drawn =
        (unsigned)(mix(self.seed * 0x9e3779b97f4a7c15u + mix(seed) + times) %
                   self.total);
    for (unsigned i = 0; i < self.count; i++) {
        if (drawn < self.kinds[i].weight)
            return self.kinds[i].name;
        drawn -= self.kinds[i].weight;
    }
    return "ok";
}

static uint64_t now_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000 + (uint64_t)at.tv_nsec / 1000000;
}

static void note(const char *kind,
                 const char *cost,
                 long long in,
                 long long out)
{
    pthread_mutex_lock(&self.lock);
    if (self.ledger) {
        fprintf(self.ledger, "%s %s %lld %lld %s %s %s %llu\n", kind, cost, in,
                out, asker.role, asker.team, asker.way,
                (unsigned long long)(now_ms() - self.started));
        fflush(self.ledger);
    }
    pthread_mutex_unlock(&self.lock);
}

/* ---- answers ---- */

static void refuse_with(int fd,
                        const char *status,
                        const char *more,
                        const char *body,
                        const char *kind)
{
    char line[1024];
    int size = snprintf(
        line, sizeof line,
        "HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %zu\r\nconnection: close\r\n%s\r\n%s",
        status, strlen(body), more, body);
    note(kind, "free", 0, 0);
    loopback_send(fd, line, (size_t)size);
}

static void refuse(int fd,
                   const char *status,
                   const char *more,
                   const char *kind)
{
    refuse_with(
        fd, status, more,
        "{\"error\":{\"message\":\"not now\",\"type\":\"server_error\",\"param\":null,\"code\":null}}",
        kind);
}

static bool ask_upstream(const loopback_text *request, loopback_text *answer)
{
    int fd = loopback_connect(self.upstream);
    bool ok = fd >= 0 && loopback_send(fd, request->data, request->size) &&
              loopback_receive(fd, answer, true);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* The good answer with its tool calls spoiled; new text, or NULL where there
 * are none. */
static char *spoil(const char *body, const char *kind)
{
    json_t *root = json_loads(body, 0, NULL), *row;
    json_t *message = json_object_get(
               json_array_get(json_object_get(root, "choices"), 0), "message"),
           *calls = json_object_get(message, "tool_calls");
    size_t i;
    json_array_foreach(calls, i, row)
    {
        json_t *function = json_object_get(row, "function");
        const char *arguments =
            json_string_value(json_object_get(function, "arguments"));
        if (!strcmp(kind, "twice"))
            json_object_set_new(row, "id", json_string("same"));
        if (!strcmp(kind, "object"))
            json_object_set_new(function, "arguments",
                                json_loads(arguments, 0, NULL));
        if (!strcmp(kind, "broken"))
            json_object_set_new(function, "arguments",
                                json_stringn(arguments, strlen(arguments) / 2));
    }
    if (calls && !strcmp(kind, "prose")) {
        json_object_set_new(message, "content",
                            json_string("I would call a tool now."));
        json_object_del(message, "tool_calls");
        calls = NULL;
    }
    if (!strcmp(kind, "shape")) {
        json_decref(root);
        root = json_pack("{s:[{s:s}]}", "answers", "text", "hello");
    }
    char *made = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return made;
}

/* As gzip writes what it cannot make smaller: stored blocks between its head
 * and its sums. */
static loopback_text zipped(const char *body, size_t size)
{
    loopback_text made = {0};
    uint32_t sum = 0xffffffffu, tail[2];
    loopback_text_add(&made, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    for (size_t at = 0; at < size; at++) {
        sum ^= (unsigned char)body[at];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    for (size_t at = 0; at < size;) {
        size_t some = size - at < 60000 ? size - at : 60000;
        unsigned char head[5] = {
            at + some == size, (unsigned char)some, (unsigned char)(some >> 8),
            (unsigned char)~some, (unsigned char)(~some >> 8)};
        loopback_text_add(&made, (const char *)head, sizeof head);
        loopback_text_add(&made, body + at, some);
        at += some;
    }
    tail[0] = ~sum; /* little-endian, as this machine is */
    tail[1] = (uint32_t)size;
    loopback_text_add(&made, (const char *)tail, sizeof tail);
    return made;
}

static void send_body(int fd, const char *body, size_t size, const char *kind)
{
    char head[256];
    bool chunked = !strcmp(kind, "chunked"), half = !strcmp(kind, "half"),
         drip = !strcmp(kind, "drip"), zip = !strcmp(kind, "zipped"),
         gzip = zip || !strcmp(kind, "gzip");
    loopback_text small = {0};
    if (zip) {
        small = zipped(body, size);
        body = small.data;
        size = small.size;
    }
    int length = snprintf(
        head, sizeof head,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n%s",
        gzip ? "content-encoding: gzip\r\n" : "");
    if (!chunked)
        length += snprintf(head + length, sizeof head - (size_t)length,
                           "content-length: %zu\r\n", size);
    if (chunked)
        length += snprintf(head + length, sizeof head - (size_t)length,
                           "transfer-encoding: chunked\r\n");
    loopback_send(fd, head, (size_t)length);
    loopback_send(fd, "\r\n", 2);
    size_t step = chunked ? 100 : drip ? 1 : size;
    for (size_t at = 0; at < (half ? size / 2 : size); at += step) {
        size_t some = size - at < step ? size - at : step;
        if (half && at + some > size / 2)
            some = size / 2 - at;
        if (chunked) {
            int n = snprintf(head, sizeof head, "%zx\r\n", some);
            loopback_send(fd, head, (size_t)n);
        }
        if (!loopback_send(fd, body + at, some))
            break;
        if (chunked)
            loopback_send(fd, "\r\n", 2);
    }
    if (chunked)
        loopback_send(fd, "0\r\n\r\n", 5);
    free(small.data);
}

static void huge(int fd)
{
    static const char head[] =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 104857600\r\n\r\n";
    static char piece[1 << 20];
    memset(piece, ' ', sizeof piece);
    loopback_send(fd, head, strlen(head));
    for (int i = 0; i < 100 && loopback_send(fd, piece, sizeof piece); i++)
        continue;
}

static void answer_well(int fd, const loopback_text *request, const char *kind)
{
    loopback_text answer = {0};
    if (!ask_upstream(request, &answer)) {
        refuse(fd, "502 Bad Gateway", "", "upstream");
        free(answer.data);
        return;
    }
    const char *body = strstr(answer.data, "\r\n\r\n") + 4;
    if (strncmp(answer.data, "HTTP/1.1 200", 12) != 0) {
        note("refused", "free", 0, 0);
        loopback_send(fd, answer.data, answer.size);
        free(answer.data);
        return;
    }
    json_t *root = json_loads(body, 0, NULL),
           *usage = json_object_get(root, "usage");
    bool reaches = strcmp(kind, "half") != 0 && strcmp(kind, "gzip") != 0;
    note(kind, reaches ? "paid" : "maybe",
         json_integer_value(json_object_get(usage, "prompt_tokens")),
         json_integer_value(json_object_get(usage, "completion_tokens")));
    json_decref(root);
    char *other = spoil(body, kind);
    if (other)
        send_body(fd, other, strlen(other), kind);
    free(other);
    free(answer.data);
}

/* ---- before the draw ---- */

/* The good server answers only who calls it by its own name. */
static void take_host(loopback_text *request)
{
    static const char own[] = "127.0.0.1";
    char *host = strcasestr(request->data, "\r\nhost: ");
    size_t length = host ? strcspn(host + 8, "\r") : 0;
    if (length < strlen(own))
        return;
    memcpy(host + 8, own, strlen(own));
    memmove(host + 8 + strlen(own), host + 8 + length,
            request->size - (size_t)(host + 8 + length - request->data) + 1);
    request->size -= length - strlen(own);
}

/* A request to a proxy names the whole address: what the server behind it is to
 * get names the path alone. */
static void take_address(loopback_text *request)
{
    char *from = strstr(request->data, " http://"),
         *line = strstr(request->data, "\r\n");
    snprintf(asker.way, sizeof asker.way, "direct");
    if (!from || from > line)
        return;
    snprintf(asker.way, sizeof asker.way, "proxy");
    char *path = from + 8 + strcspn(from + 8, "/ ");
    memmove(from + 1, path, request->size - (size_t)(path - request->data) + 1);
    request->size -= (size_t)(path - from - 1);
}

static void wait_with_all(void)
{
    bool open = false, last = false;
    pthread_mutex_lock(&self.lock);
    bool passes = self.pass > 0;
    if (passes) {
        self.pass--;
    } else {
        last = ++self.held == self.hold;
    }
    if (!passes && !last) {
        while (!self.opened)
            pthread_cond_wait(&self.let_go, &self.lock);
    }
    pthread_mutex_unlock(&self.lock);
    if (!last)
        return;
    note("held", "-", (long long)self.hold, 0);
    while (!open) {
        open = !self.gate || access(self.gate, F_OK) == 0;
        if (!open)
            poll(NULL, 0, 20);
    }
    pthread_mutex_lock(&self.lock);
    self.opened = true;
    pthread_cond_broadcast(&self.let_go);
    pthread_mutex_unlock(&self.lock);
}

static bool is_busy(void)
{
    pthread_mutex_lock(&self.lock);
    uint64_t now = now_ms();
    if (self.busy_after && ++self.requests == self.busy_after)
        self.busy_until = now + 1000u * (uint64_t)self.busy_s;
    bool busy = now < self.busy_until;
    pthread_mutex_unlock(&self.lock);
    return busy;
}

/* True: it is answered. */
static bool refused_before(int fd, const loopback_text *request)
{
    char more[512];
    if (is_busy()) {
        snprintf(more, sizeof more, "retry-after: %u\r\n", self.busy_s);
        refuse(fd, "429 Too Many Requests", more, "busy");
        return true;
    }
    snprintf(more, sizeof more,
             "\"%s\":", self.unsupported ? self.unsupported : "");
    if (self.unsupported && strstr(strstr(request->data, "\r\n\r\n"), more)) {
        char body[512];
        snprintf(
            body, sizeof body,
            "{\"error\":{\"message\":\"Unsupported parameter: '%s' is not supported with this model.\",\"type\":\"invalid_request_error\",\"param\":\"%s\","
            "\"code\":\"unsupported_parameter\"}}",
            self.unsupported, self.unsupported);
        refuse_with(fd, "400 Bad Request", "", body, "unsupported");
        return true;
    }
    if (self.hold)
        wait_with_all();
    return false;
}

static void misbehave(int fd, const loopback_text *request, const char *kind)
{
    if (!strcmp(kind, "429")) {
        refuse(fd, "429 Too Many Requests", "", kind);
    } else if (!strcmp(kind, "429r")) {
        refuse(fd, "429 Too Many Requests", "retry-after-ms: 20\r\n", kind);
    } else if (!strcmp(kind, "500")) {
        refuse(fd, "500 Internal Server Error", "", kind);
    } else if (!strcmp(kind, "529")) {
        refuse(fd, "529 Overloaded", "", kind);
    } else if (!strcmp(kind, "redirect")) {
        refuse(fd, "307 Temporary Redirect",
               "location: http://127.0.0.1:1/v1\r\n", kind);
    } else if (!strcmp(kind, "echo")) {
        refuse_with(fd, "401 Unauthorized", "", request->data, kind);
    } else if (!strcmp(kind, "late")) {
        note(kind, "maybe", 0, 0);
        reset(fd);
    } else if (!strcmp(kind, "garbage")) {
        note(kind, "maybe", 0, 0);
        static const char noise[] = "\x01\x02\x03 this is no HTTP\r\n\r\n";
        loopback_send(fd, noise, strlen(noise));
    } else if (!strcmp(kind, "html")) {
        static const char page[] =
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 21\r\nconnection: close\r\n\r\n<h1>Please log in</h1>";
        note(kind, "maybe", 0, 0);
        loopback_send(fd, page, strlen(page));
    } else if (!strcmp(kind, "huge")) {
        note(kind, "maybe", 0, 0);
        huge(fd);
    } else {
        answer_well(fd, request, kind);
    }
}

static void note_head(const loopback_text *request)
{
    const char *end = strstr(request->data, "\r\n\r\n");
    pthread_mutex_lock(&self.lock);
    if (self.seen && end) {
        fwrite(request->data, 1, (size_t)(end + 4 - request->data), self.seen);
        fflush(self.seen);
    }
    pthread_mutex_unlock(&self.lock);
}

static void *converse(void *context)
{
    int fd = (int)(intptr_t)context;
    loopback_text request = {0};
    char first[4096];
    snprintf(asker.role, sizeof asker.role, "-");
    snprintf(asker.team, sizeof asker.team, "-");
    snprintf(asker.way, sizeof asker.way, "-");
    /* The headers are looked at without taking them, so that "early" resets a
     * line from which nothing was read. */
    ssize_t seen = 0;
    for (int i = 0; i < 200; i++) {
        seen = recv(fd, first, sizeof first - 1, MSG_PEEK);
        if (seen <= 0)
            break;
        first[seen] = 0;
        if (strstr(first, "\r\n\r\n") || seen == (ssize_t)sizeof first - 1)
            break;
    }
    const char *mark = seen > 0 ? strcasestr(first, "x-etna-seed:") : NULL;
    const char *kind =
        seen > 0 ? draw(mark ? strtoull(mark + 12, NULL, 10) : 0) : "";
    if (seen > 0 && !strcmp(kind, "early")) {
        note(kind, "early", 0, 0);
        reset(fd);
    } else if (seen > 0 && loopback_receive(fd, &request, false)) {
        note_head(&request);
        loopback_header(&request, "\r\nx-etna-role:", asker.role,
                        sizeof asker.role);
        loopback_header(&request, "\r\nx-team:", asker.team, sizeof asker.team);
        take_address(&request);
        take_host(&request);
        if (!refused_before(fd, &request))
            misbehave(fd, &request, kind);
    }
    free(request.data);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

static bool read_faults(char *list)
{
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        char *colon = strchr(word, ':');
        if (!colon || self.count == KINDS_MAX)
            return false;
        *colon = 0;
        weighed *w = &self.kinds[self.count++];
        snprintf(w->name, sizeof w->name, "%s", word);
        w->weight = (unsigned)strtoul(colon + 1, NULL, 10);
        self.total += w->weight;
    }
    return self.total > 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--upstream"))
            self.upstream = (uint16_t)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--seed"))
            self.seed = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--ledger"))
            self.ledger = fopen(argv[i + 1], "w");
        if (!strcmp(argv[i], "--faults") && !read_faults(argv[i + 1]))
            return 2;
        if (!strcmp(argv[i], "--hold"))
            self.hold = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--pass"))
            self.pass = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--gate"))
            self.gate = argv[i + 1];
        if (!strcmp(argv[i], "--busy-after"))
            self.busy_after = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--busy-s"))
            self.busy_s = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--unsupported"))
            self.unsupported = argv[i + 1];
        if (!strcmp(argv[i], "--seen"))
            self.seen = fopen(argv[i + 1], "w");
        if (!strcmp(argv[i], "--tls"))
            self.tls = argv[i + 1];
    }
    self.started = now_ms();
    uint16_t port = 0;
    int listener = loopback_listen(1024, &port);
    if (!self.total || listener < 0) {
        fprintf(stderr, "hostile-model: usage, or no port\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (self.tls && !tls_load(self.tls)) {
        fprintf(stderr, "hostile-model: no TLS with %s\n", self.tls);
        return 3;
    }
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, self.tls ? tls_open : NULL, converse);
}
