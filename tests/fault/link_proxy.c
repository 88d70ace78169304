/* A bad line between hosts: relays TCP connections and does to them what its
 * control file says, which is read again ten times a second; what it stands at
 * now is a line on stdout, "now on 400".
 *
 *   link-proxy PORT TARGET-ADDRESS TARGET-PORT CONTROL-FILE [WORD]
 *   link-proxy /SOCKET /TARGET-SOCKET - CONTROL-FILE [WORD]
 *
 * The file holds four words: how it stands, milliseconds of delay each way, per
 * cent of pieces that come 200 ms late (as when a segment is lost), KiB a
 * second (0: no bound). It stands
 *   on      what comes is relayed
 *   hold    the same, but who has dialled and said WORD gets no answer more
 *           until it stands at on again
 *   cut     connections stay and carry nothing: half open, for both ends
 *   closed  connections are reset, new ones too */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    LINES_MOST = 256,
    PIECE = 16 * 1024,
    WAITING_MOST = 1 << 20,
    LATE_MS = 200,
    LOOK_MS = 100
};

typedef struct piece { /* what came in, until its time */
    struct piece *next;
    uint64_t due_ms;
    size_t size, sent;
    uint8_t bytes[PIECE];
} piece;

typedef struct way { /* one direction of a connection */
    piece *first, **last;
    size_t waiting;
    uint64_t free_ms; /* of the bandwidth: when the last piece is through */
} way;

typedef struct line {
    int ends[2]; /* who dialled, and the target; -1: no line */
    way ways[2]; /* [i]: what ends[i] said */
    bool is_held;
} line;

typedef struct place { /* where a socket is */
    union {
        struct sockaddr any;
        struct sockaddr_in port;
        struct sockaddr_un path;
    } as;
    socklen_t size; /* 0: nowhere */
} place;

typedef struct manner { /* how it stands */
    /* the first letters of on and hold, the second of cut and closed */
    char state;
    uint32_t delay_ms, late_pct, kib;
} manner;

static line lines[LINES_MOST];
static const char *held_word = ""; /* none is held for it */
static uint64_t luck = 88172645463325252;

static uint64_t now_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000 + (uint64_t)at.tv_nsec / 1000000;
}

static bool comes_late(uint32_t percent)
{
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return luck % 100 < percent;
}

static void manner_read(const char *path, manner *m)
{
    char word[16] = "";
    unsigned delay = 0, late = 0, kib = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    int read = fscanf(file, "%15s %u %u %u", word, &delay, &late, &kib);
    fclose(file);
    if (read != 4)
        return;
    manner now = {word[0] == 'c' ? word[1] : word[0], delay, late, kib};
    bool is_same = now.state == m->state && now.delay_ms == m->delay_ms &&
                   now.late_pct == m->late_pct && now.kib == m->kib;
    *m = now;
    if (is_same)
        return;
    printf("now %s %u\n", word, delay); /* who wrote the file waits for this */
    fflush(stdout);
}

static bool is_relaying(const manner *m)
{
    return m->state == 'o' || m->state == 'h';
}

static void way_empty(way *w)
{
    while (w->first) {
        piece *gone = w->first;
        w->first = gone->next;
        free(gone);
    }
    *w = (way){.last = &w->first};
}

static void line_reset(line *l)
{
    const struct linger at_once = {.l_onoff = 1};
    for (int i = 0; i < 2; i++) {
        setsockopt(l->ends[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(l->ends[i]);
        l->ends[i] = -1;
        way_empty(&l->ways[i]);
    }
    l->is_held = false;
}

/* False: the connection has ended. */
static bool way_take(way *w, int from, const manner *m)
{
    piece *p = malloc(sizeof *p);
    if (!p)
        abort();
    ssize_t size = recv(from, p->bytes, sizeof p->bytes, MSG_DONTWAIT);
    if (size <= 0) {
        bool is_there = size < 0 && errno == EAGAIN;
        free(p);
        return is_there;
    }
    uint64_t now = now_ms(), begins = w->free_ms > now ? w->free_ms : now;
    w->free_ms = m->kib ? begins + (uint64_t)size * 1000 / 1024 / m->kib : now;
    p->next = NULL;
    p->size = (size_t)size;
    p->sent = 0;
    p->due_ms =
        w->free_ms + m->delay_ms + (comes_late(m->late_pct) ? LATE_MS : 0);
    *w->last = p;
    w->last = &p->next;
    w->waiting += p->size;
    return true;
}

static bool way_give(way *w, int to)
{
    while (w->first && w->first->due_ms <= now_ms()) {
        piece *p = w->first;
        ssize_t sent = send(to, p->bytes + p->sent, p->size - p->sent,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN;
        p->sent += (size_t)sent;
        w->waiting -= (size_t)sent;
        if (p->sent < p->size)
            return true;
        w->first = p->next;
        if (!w->first)
            w->last = &w->first;
        free(p);
    }
    return true;
}

/* Of a port, where `text` is none of a path: then of the socket of that
 * path. */
static place place_of(const char *text, const char *port)
{
    place p = {.size = 0};
    if (text[0] == '/') {
        p.as.path.sun_family = AF_UNIX;
        snprintf(p.as.path.sun_path, sizeof p.as.path.sun_path, "%s", text);
        p.size = sizeof p.as.path;
    } else if (inet_pton(AF_INET, text, &p.as.port.sin_addr) == 1) {
        p.as.port.sin_family = AF_INET;
        p.as.port.sin_port = htons((uint16_t)atoi(port));
        p.size = sizeof p.as.port;
    }
    return p;
}

static int dial(const place *target)
{
    int fd = socket(target->as.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval patience = {.tv_sec = 2};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (fd >= 0 && connect(fd, &target->as.any, target->size) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void line_open(int listener, const place *target, const manner *m)
{
    line made = {.ends = {accept4(listener, NULL, NULL, SOCK_CLOEXEC), -1}};
    int at = 0;
    while (at < LINES_MOST && lines[at].ends[0] >= 0)
        at++;
    if (made.ends[0] >= 0 && at < LINES_MOST && is_relaying(m))
        made.ends[1] = dial(target);
    if (made.ends[1] < 0) {
        if (made.ends[0] >= 0)
            close(made.ends[0]);
        return;
    }
    lines[at] = made;
    for (int i = 0; i < 2; i++)
        lines[at].ways[i].last = &lines[at].ways[i].first;
}

/* Whether what just came from who dialled has the word in it; the word is not
 * looked for across two pieces. */
static bool way_says_word(const way *w)
{
    for (const piece *p = w->first; p && *held_word; p = p->next) {
        if (memmem(p->bytes, p->size, held_word, strlen(held_word)))
            return true;
    }
    return false;
}

static void line_relay(line *l, const manner *m)
{
    for (int i = 0; i < 2 && l->ends[0] >= 0; i++) {
        way *w = &l->ways[i];
        bool lives = w->waiting >= WAITING_MOST || way_take(w, l->ends[i], m);
        if (m->state == 'h')
            l->is_held = l->is_held || way_says_word(&l->ways[0]);
        else
            l->is_held = false;
        bool is_answer_held = l->is_held && i == 1;
        if (lives && !is_answer_held)
            lives = way_give(w, l->ends[1 - i]);
        if (!lives)
            line_reset(l);
    }
}

/* The soonest that something may be done, at most LOOK_MS. */
static int patience(const manner *m)
{
    uint64_t now = now_ms(), soonest = now + LOOK_MS;
    for (int at = 0; is_relaying(m) && at < LINES_MOST; at++) {
        for (int i = 0; i < 2 && lines[at].ends[0] >= 0; i++) {
            const piece *first = lines[at].ways[i].first;
            bool is_held = lines[at].is_held && i == 1;
            if (first && !is_held && first->due_ms < soonest)
                soonest = first->due_ms > now ? first->due_ms : now + 1;
        }
    }
    return (int)(soonest - now);
}

static void wait_for_any(int listener, const manner *m)
{
    struct pollfd all[1 + 2 * LINES_MOST] = {{listener, POLLIN, 0}};
    nfds_t count = 1;
    for (int at = 0; is_relaying(m) && at < LINES_MOST; at++) {
        for (int i = 0; i < 2 && lines[at].ends[0] >= 0; i++) {
            if (lines[at].ways[i].waiting < WAITING_MOST)
                all[count++] = (struct pollfd){lines[at].ends[i], POLLIN, 0};
        }
    }
    poll(all, count, patience(m));
}

static int listen_at(const place *here)
{
    int fd = socket(here->as.any.sa_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
        yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, &here->as.any, here->size) || listen(fd, 64))
        return -1;
    return fd;
}

int main(int argc, char **argv)
{
    manner m = {.state = 0}; /* none yet: the first that is read is told */
    if (argc != 5 && argc != 6)
        return 2;
    if (argc == 6)
        held_word = argv[5];
    const bool is_path = argv[1][0] == '/';
    const place target = place_of(argv[2], argv[3]);
    const place here =
        is_path ? place_of(argv[1], "") : place_of("127.0.0.1", argv[1]);
    if (!target.size)
        return 2;
    int listener = listen_at(&here);
    if (listener < 0)
        return 4;
    for (int at = 0; at < LINES_MOST; at++)
        lines[at].ends[0] = lines[at].ends[1] = -1;
    puts("relaying");
    fflush(stdout);
    for (uint64_t looked = 0;;) {
        if (now_ms() - looked >= LOOK_MS) {
            manner_read(argv[4], &m);
            m.state = m.state ? m.state : 'o';
            looked = now_ms();
        }
        wait_for_any(listener, &m);
        line_open(listener, &target, &m);
        for (int at = 0; m.state != 'u' && at < LINES_MOST; at++) {
            if (lines[at].ends[0] < 0)
                continue;
            if (m.state == 'l') {
                line_reset(&lines[at]);
            } else {
                line_relay(&lines[at], &m);
            }
        }
    }
}
