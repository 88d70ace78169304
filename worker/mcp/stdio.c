/* MCP over stdio: a message a line. A thread of its own writes, so that a
 * client that does not read stops nobody from hearing its cancellation. */
#include "worker/mcp/server.h"

#include "proto/array.h"
#include "proto/fd.h"
#include "proto/utf8.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* messages; more, and nothing is read until some are written */
enum {
    OUTBOX_MAX = 4096
};

typedef struct letter {
    struct letter *next;
    char *text;
} letter;

/* The queue between the threads that send lines and the one that writes them.
 * `broken`: the client has closed its end, so nothing more is written. */
typedef struct outbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    letter *first, **last;
    uint32_t count;
    int fd;
    /* an eventfd, told when there is room again while the reader waits for it,
     * and when it breaks */
    int has_room;
    bool closing, broken, ended, is_awaited;
} outbox;

/* A transport without memory loses the message: there is nobody to complain
 * to. */
static void send_line(void *context, const rpc_action *action, char *text)
{
    outbox *box = context;
    (void)action;
    letter *l = calloc(1, sizeof *l);
    if (!l) {
        free(text);
        return;
    }
    l->text = text;
    pthread_mutex_lock(&box->lock);
    *box->last = l;
    box->last = &l->next;
    box->count++;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

static void stdio_wake(void *context, uint64_t origin)
{
    (void)context;
    (void)origin;
}

/* Under the lock, after a letter has gone. */
static void outbox_tell(outbox *box)
{
    const uint64_t one = 1;
    const bool has_room = box->is_awaited && box->count <= OUTBOX_MAX;
    pthread_cond_broadcast(&box->changed);
    if (!has_room && !box->broken)
        return;
    box->is_awaited = false;
    (void)!write(box->has_room, &one, sizeof one);
}

/* The lock is free during the write, which may block for as long as the client
 * does not read. */
static void *write_lines(void *context)
{
    outbox *box = context;
    pthread_mutex_lock(&box->lock);
    for (;;) {
        letter *l = box->first;
        if (!l && box->closing)
            break;
        if (!l) {
            pthread_cond_wait(&box->changed, &box->lock);
            continue;
        }
        box->first = l->next;
        if (!box->first)
            box->last = &box->first;
        box->count--;
        pthread_mutex_unlock(&box->lock);
        size_t size = strlen(l->text);
        /* in place of its end, which nobody needs any more */
        l->text[size] = '\n';
        bool good = fd_write(box->fd, l->text, size + 1);
        free(l->text);
        free(l);
        pthread_mutex_lock(&box->lock);
        if (!good)
            box->broken = true;
        outbox_tell(box);
        if (box->broken)
            break;
    }
    box->ended = true;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return NULL;
}

typedef enum outbox_state {
    OUTBOX_OPEN,
    OUTBOX_FULL,  /* nothing is read until `has_room` is told */
    OUTBOX_BROKEN /* nobody will read what is written */
} outbox_state;

static outbox_state outbox_look(outbox *box)
{
    outbox_state state = OUTBOX_OPEN;
    uint64_t told;
    pthread_mutex_lock(&box->lock);
    (void)!read(box->has_room, &told, sizeof told);
    box->is_awaited = box->count > OUTBOX_MAX;
    if (box->is_awaited)
        state = OUTBOX_FULL;
    if (box->broken)
        state = OUTBOX_BROKEN;
    pthread_mutex_unlock(&box->lock);
    return state;
}

/* What is written is given a second to go out. */
static bool close_outbox(outbox *box)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&box->lock);
    box->closing = true;
    pthread_cond_broadcast(&box->changed);
    while (!box->ended &&
           !pthread_cond_timedwait(&box->changed, &box->lock, &until)) {
    }
    bool ended = box->ended;
    pthread_mutex_unlock(&box->lock);
    return ended;
}

typedef struct inbox { /* what was read of a line */
    char *data;
    size_t size, room;
    bool skipping; /* of a line that is too long */
} inbox;

/* Blank lines are none, and neither is the mark that .NET puts before the first
 * text that it writes. */
static void stdio_take_line(const char *text, size_t size, server_line *line)
{
    size_t skip = etna_utf8_mark(text, size);
    while (size && memchr(" \t\r", text[size - 1], 3))
        size--;
    if (size > skip)
        server_receive(line, 0, NULL, text + skip, size - skip);
}

/* A line that is too long is reported once and then skipped up to its end, so
 * the next message is read well. */
static void take_lines(inbox *in, server_line *line)
{
    for (char *end; (end = memchr(in->data, '\n', in->size));) {
        size_t size = (size_t)(end - in->data);
        size_t used = size + 1;
        if (!in->skipping)
            stdio_take_line(in->data, size, line);
        in->skipping = false;
        memmove(in->data, in->data + used, in->size - used);
        in->size -= used;
    }
    if (in->size > RPC_MESSAGE_MAX) {
        if (!in->skipping)
            /* is refused for its size */
            server_receive(line, 0, NULL, in->data, in->size);
        in->skipping = true;
        in->size = 0;
    }
}

/* True: go on. A signal that interrupts is no end of the input. */
static bool read_some(inbox *in, int fd, server_line *line)
{
    if (in->room - in->size < 65536) {
        size_t room = in->room ? 2 * in->room : 1 << 17;
        char *more = realloc(in->data, room);
        if (!more)
            return false;
        in->data = more;
        in->room = room;
    }
    ssize_t n = read(fd, in->data + in->size, in->room - in->size);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (n == 0)
        return false;
    in->size += (size_t)n;
    take_lines(in, line);
    return true;
}

/* A client that does not read what it is answered is not read either, but its
 * signals are heard. */
static void read_lines(server_line *line, outbox *box, int in)
{
    inbox box_in = {0};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    int told = signalfd(-1, &ends, SFD_CLOEXEC);
    for (bool on = told >= 0; on;) {
        const outbox_state state = outbox_look(box);
        const bool is_full = state == OUTBOX_FULL;
        struct pollfd at[] = {{.fd = is_full ? -1 : in, .events = POLLIN},
                              {.fd = told, .events = POLLIN},
                              {.fd = box->has_room, .events = POLLIN}};
        if (state == OUTBOX_BROKEN) {
            on = false;
        } else if (poll(at, COUNT_OF(at), -1) < 0) {
            on = errno == EINTR;
        } else if (at[1].revents) {
            on = false;
        } else if (at[0].revents) {
            on = read_some(&box_in, in, line);
        }
    }
    if (told >= 0)
        close(told);
    free(box_in.data);
}

int server_stdio(server *s, int in, int out)
{
    outbox *box = calloc(1, sizeof *box);
    pthread_t writer;
    if (!box)
        return 4;
    pthread_mutex_init(&box->lock, NULL);
    pthread_cond_init(&box->changed, NULL);
    box->last = &box->first;
    box->fd = out;
    box->has_room = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const server_ends ends = {
        .context = box, .send = send_line, .wake = stdio_wake};
    server_line *line = server_line_new(s, &ends);
    bool running = line && box->has_room >= 0 &&
                   !pthread_create(&writer, NULL, write_lines, box);
    if (running)
        read_lines(line, box, in);
    bool idle = server_stop(s);
    bool written = !running || close_outbox(box);
    if (!running)
        return 4;
    if (!idle || !written)
        _exit(0); /* a thread still computes, or nobody reads */
    pthread_join(writer, NULL);
    server_line_free(line);
    server_free(s);
    for (letter *l = box->first; l;) {
        letter *next = l->next;
        free(l->text);
        free(l);
        l = next;
    }
    close(box->has_room);
    free(box);
    return 0;
}
