/* See supervise.h. */
#include "worker/shell/supervise.h"
#include "proto/array.h"
#include "proto/memory_kills.h"
#include "proto/process.h"
#include "proto/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* the first pause, doubled for each death of a worker that lived for less than
 * YOUNG_MS, up to PAUSE_MOST_MS: a worker that cannot start must not spin */
enum {
    PAUSE_FIRST_MS = 100,
    PAUSE_MOST_MS = 10000,
    YOUNG_MS = 10000,
    DOUBLINGS_MOST = 7
};

typedef struct supervisor {
    worker_options *options;
    pid_t worker;
    int pipe; /* our end of it; closed by the kernel when we die */
    uint64_t begun_ms, memory_kills;
    uint32_t young_deaths;
    int told; /* the last signal that told us to end; 0: none did */
    sigset_t before, awaited;
} supervisor;

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Signals are taken one by one by sigtimedwait() in the supervisor; the worker
 * hears of them by its pipe. */
static void supervise_become_worker(supervisor *s, int pipe)
{
    s->options->parent_fd = pipe;
    s->options->supervised = true;
    const int passed_on[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(passed_on); i++)
        signal(passed_on[i], SIG_IGN);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* The next worker; in that, *ret_is_worker. The incarnation is the time in
 * microseconds, or one more than the last where the clock went back: the
 * coordinator tells incarnations apart by their order. */
static etna_code supervise_start(supervisor *s,
                                 bool *ret_is_worker,
                                 etna_error *err)
{
    int ends[2];
    uint64_t now_us = clock_ms(CLOCK_REALTIME) * 1000;
    uint64_t last = s->options->incarnation;
    if (pipe2(ends, O_CLOEXEC))
        return etna_fail(err, ETNA_E_IO, "no pipe for a worker: %s",
                         strerror(errno));
    s->options->incarnation = now_us > last ? now_us : last + 1;
    s->memory_kills = etna_memory_kills();
    s->begun_ms = clock_ms(CLOCK_MONOTONIC);
    /* not killed with us: the pipe's end lets it give back what it holds */
    process_options options = process_options_default();
    options.death_signal = 0;
    etna_code code = process_fork(&options, &s->worker, err);
    if (code) {
        close(ends[0]);
        close(ends[1]);
        return etna_error_prefix(err, "a worker");
    }
    *ret_is_worker = s->worker == 0;
    close(ends[*ret_is_worker ? 1 : 0]);
    s->pipe = ends[1];
    if (*ret_is_worker)
        supervise_become_worker(s, ends[0]);
    return ETNA_OK;
}

/* SIGHUP means "dial anew" and ends nothing. */
static void supervise_pass_on(supervisor *s, int number)
{
    char byte = (char)number;
    if (number != SIGHUP)
        s->told = number;
    if (write(s->pipe, &byte, 1) < 0)
        return; /* it has ended, and SIGCHLD says so next */
}

/* Until the worker has ended; its status. */
static int supervise_await(supervisor *s)
{
    for (;;) {
        int status;
        int number = sigwaitinfo(&s->awaited, NULL);
        if (number == SIGCHLD &&
            waitpid(s->worker, &status, WNOHANG) == s->worker)
            return status;
        if (number > 0 && number != SIGCHLD)
            supervise_pass_on(s, number);
    }
}

/* False: it was told to end. */
static bool supervise_pause(supervisor *s)
{
    bool is_young = clock_ms(CLOCK_MONOTONIC) - s->begun_ms < YOUNG_MS;
    s->young_deaths = is_young ? s->young_deaths + 1 : 0;
    uint32_t doublings =
        s->young_deaths < DOUBLINGS_MOST ? s->young_deaths : DOUBLINGS_MOST;
    uint64_t pause = (uint64_t)PAUSE_FIRST_MS << doublings;
    if (pause > PAUSE_MOST_MS)
        pause = PAUSE_MOST_MS;
    const struct timespec wait = {.tv_sec = (time_t)(pause / 1000),
                                  .tv_nsec = (long)(pause % 1000) * 1000000};
    int number = sigtimedwait(&s->awaited, NULL, &wait);
    if (number == SIGTERM || number == SIGINT)
        s->told = number;
    return !s->told;
}

/* What the next worker tells of this one. Where nobody has heard of a death
 * before it died too, the last one is told. A SIGKILL counts as the kernel's
 * out-of-memory kill only when the cgroup's counter of such kills has grown:
 * anybody may send that signal. */
static void supervise_note_death(supervisor *s, int by_signal)
{
    s->options->death =
        (message_death){.worker = s->options->sender,
                        .incarnation = s->options->incarnation,
                        .signal = (uint32_t)by_signal,
                        .out_of_memory = by_signal == SIGKILL &&
                                         etna_memory_kills() > s->memory_kills};
    char line[200];
    snprintf(line, sizeof line,
             "the worker was ended by signal %d (%s); it is started again",
             by_signal, strsignal(by_signal));
    if (s->options->say)
        s->options->say(s->options->context, line);
}

/* The first start must succeed; later a failed one is tried again after a pause
 * like any death. */
static etna_code supervise_all(supervisor *s,
                               bool *ret_is_worker,
                               int *ret_exit,
                               etna_error *err)
{
    bool is_first = true;
    for (;; is_first = false) {
        etna_code code = supervise_start(s, ret_is_worker, err);
        if (*ret_is_worker || (code && is_first))
            return code;
        int status = code ? 0 : supervise_await(s);
        bool ended = !code && WIFEXITED(status);
        *ret_exit = ended ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (!code)
            close(s->pipe);
        if (ended || s->told)
            return ETNA_OK;
        if (!code)
            supervise_note_death(s, WTERMSIG(status));
        if (supervise_pause(s))
            continue;
        *ret_exit = 0; /* nothing was held when it was told to end */
        return ETNA_OK;
    }
}

etna_code supervise(worker_options *options,
                    bool *ret_is_worker,
                    int *ret_exit,
                    etna_error *err)
{
    supervisor s = {.options = options};
    *ret_is_worker = false;
    *ret_exit = 0;
    guard_secrets(); /* keys may be in the environment, which is the worker's */
    if (!options->sender && getrandom(&options->sender, sizeof options->sender,
                                      0) != (ssize_t)sizeof options->sender)
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    if (!options->sender)
        options->sender = 1;
    const int awaited[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};
    sigemptyset(&s.awaited);
    for (size_t i = 0; i < COUNT_OF(awaited); i++)
        sigaddset(&s.awaited, awaited[i]);
    sigprocmask(SIG_BLOCK, &s.awaited, &s.before);
    return supervise_all(&s, ret_is_worker, ret_exit, err);
}
