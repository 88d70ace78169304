/* See child.h. */
#include "worker/mcp/child.h"
#include "proto/clock.h"
#include "proto/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct reading {
    child_run *run;
    pid_t pid;
    int out, err;
    size_t size, room; /* of the output */
    char line[CHILD_LINE_MAX];
    size_t line_size;
    bool too_much;
} reading;

/* SIGTERM, so that a run is suspended and not torn. No socket of the server's
 * lives on in a child. O_CLOEXEC on both ends: another thread may fork at any
 * moment, and a pipe's write end in its child would keep ours from ever ending.
 * On failure both pipes are closed. */
static etna_code mcp_child_start(reading *r, etna_error *err)
{
    int out[2], errors[2];
    if (pipe2(out, O_CLOEXEC))
        return etna_fail(err, ETNA_E_IO, "cannot make a pipe: %s",
                         strerror(errno));
    if (pipe2(errors, O_CLOEXEC)) {
        close(out[0]);
        close(out[1]);
        return etna_fail(err, ETNA_E_IO, "cannot make a pipe: %s",
                         strerror(errno));
    }
    const process_options options = {
        .fds = {PROCESS_NULL, out[1], errors[1], PROCESS_INHERIT},
        .death_signal = SIGTERM,
        .is_closed_off = true};
    etna_code code =
        process_start(r->run->argv[0], r->run->argv, &options, &r->pid, err);
    close(out[1]);
    close(errors[1]);
    if (code != ETNA_OK) {
        close(out[0]);
        close(errors[0]);
        return etna_error_prefix(err, "cannot start");
    }
    r->out = out[0];
    r->err = errors[0];
    return ETNA_OK;
}

/* An end that is closed is -1, which poll passes over. */
static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* At least 64 KiB are read at a time; the buffer doubles. What passes
 * CHILD_OUTPUT_MAX closes the pipe, and child_press then ends the child: it
 * would block on a full pipe for ever. One byte more is allocated for the NUL
 * of child_do. */
static void read_output(reading *r)
{
    if (r->room - r->size < 65536) {
        size_t room = r->room ? 2 * r->room : 1 << 17;
        char *more =
            room <= CHILD_OUTPUT_MAX ? realloc(r->run->output, room + 1) : NULL;
        if (!more) {
            r->too_much = true;
            close_end(&r->out);
            return;
        }
        r->run->output = more;
        r->room = room;
    }
    ssize_t n = read(r->out, r->run->output + r->size, r->room - r->size);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        close_end(&r->out);
        return;
    }
    r->size += (size_t)n;
}

/* Empty lines are no progress and don't replace the last words of a child that
 * fails. */
static void end_line(reading *r)
{
    r->line[r->line_size] = 0;
    if (r->line_size) {
        memcpy(r->run->last, r->line, r->line_size + 1);
        if (r->run->line)
            r->run->line(r->run->context, r->line);
    }
    r->line_size = 0;
}

/* Control characters become spaces: a child's words are shown in terminals and
 * logs. What is longer than CHILD_LINE_MAX is cut, not split into two lines. */
static void read_errors(reading *r)
{
    char bytes[4096];
    ssize_t n = read(r->err, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        end_line(r);
        close_end(&r->err);
        return;
    }
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n' || bytes[i] == '\r') {
            end_line(r);
        } else if (r->line_size < CHILD_LINE_MAX - 1) {
            r->line[r->line_size++] =
                (unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f ? ' '
                                                                   : bytes[i];
        }
    }
}

/* A child that is to end is asked to, 5 s later killed, and 5 s after that left
 * to whoever holds its pipes. */
typedef struct child_ending {
    int64_t asked; /* when, ms; 0: it is not to end */
    bool killed;
} child_ending;

static void child_press(reading *r, child_ending *e)
{
    bool is_cancelled = r->run->cancelled && r->run->cancelled(r->run->context);
    bool is_wanted = !r->too_much && !is_cancelled;
    if (!e->asked && is_wanted)
        return;
    if (!e->asked) {
        kill(r->pid, SIGTERM);
        e->asked = (int64_t)clock_now_ms();
        return;
    }
    int64_t since = (int64_t)clock_now_ms() - e->asked;
    if (!e->killed && since > 5000) {
        kill(r->pid, SIGKILL);
        e->killed = true;
    } else if (e->killed && since > 10000) {
        close_end(&r->out);
        close_end(&r->err);
    }
}

/* Reads until both ends are closed, so that nobody waits on a full pipe. True:
 * it was asked to end. The poll's 100 ms are how late a cancellation is
 * seen. */
static bool child_follow(reading *r)
{
    child_ending ending = {0};
    while (r->out >= 0 || r->err >= 0) {
        struct pollfd at[2] = {{.fd = r->out, .events = POLLIN},
                               {.fd = r->err, .events = POLLIN}};
        int n = poll(at, 2, 100);
        child_press(r, &ending);
        if (n <= 0 || (r->out < 0 && r->err < 0))
            continue;
        if (at[0].revents)
            read_output(r);
        if (at[1].revents)
            read_errors(r);
    }
    return ending.asked != 0;
}

/* The child is reaped in any case, also when it was cancelled, so no zombie
 * stays. */
etna_code child_do(child_run *run, etna_error *err)
{
    reading r = {.run = run, .out = -1, .err = -1};
    run->output = calloc(1, 1);
    run->last[0] = 0;
    if (!run->output)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    etna_code code = mcp_child_start(&r, err);
    if (code != ETNA_OK)
        return code;
    bool stopped = child_follow(&r);
    process_end end = {.exit_code = -1};
    run->output[r.size] = 0;
    process_wait(r.pid, 0, NULL, &end, NULL);
    run->exit_code = end.exit_code;
    if (r.too_much)
        return etna_fail(err, ETNA_E_LIMIT, "%s printed too much",
                         run->argv[0]);
    return stopped ? etna_fail(err, ETNA_E_CANCELLED, "it was cancelled")
                   : ETNA_OK;
}
