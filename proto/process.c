/* fork() and not posix_spawn(): what the child needs before it becomes the
 * program (its death signal, its limits) only the child itself can ask for.
 * Other threads may hold any lock at that moment, so between fork and exec only
 * what is async-signal-safe is called.
 *
 * A pipe that exec closes carries the cause where exec failed, so that a
 * program that is not there is an error of the start and no exit code. */
#include "proto/process.h"
#include "proto/clock.h"
#include "proto/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1 /* sanitizers map terabytes of shadow */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

/* FD_ASIDE: the first number for a descriptor that waits to be put into its
 * place, above all places. LOOK_MS: between two looks at a flag; without one
 * LOOK_SELDOM_MS, which poll() can count. */
enum {
    FD_ASIDE = 10,
    LOOK_MS = 10,
    LOOK_SELDOM_MS = 60000,
    CPU_GRACE_S = 5,
    CANNOT_RUN = 127 /* as a shell says it */
};

process_options process_options_default(void)
{
    process_options o = {.death_signal = SIGKILL};
    for (int i = 0; i < PROCESS_FDS; i++)
        o.fds[i] = PROCESS_INHERIT;
    return o;
}

/* Takes errno. */
static etna_code process_fault(const char *what, etna_error *err)
{
    return etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO, "%s: %s",
                     what, strerror(errno));
}

/* ---- in the child ---- */

/* Copies the descriptor to a number that no place of the child's list has. -1:
 * the child inherits what it has; -2 with errno: the copy failed. */
static int process_fd_aside(int fd)
{
    int source = fd;
    if (fd == PROCESS_INHERIT)
        return -1;
    if (fd == PROCESS_NULL)
        source = open("/dev/null", O_RDWR | O_CLOEXEC);
    int aside = source < 0 ? -1 : fcntl(source, F_DUPFD_CLOEXEC, FD_ASIDE);
    if (fd == PROCESS_NULL && source >= 0)
        close(source);
    return aside < 0 ? -2 : aside;
}

/* All are copied out of the way first: one's number may be another's place, or
 * its own, where dup2() would leave it close-on-exec. False with errno. */
static bool process_fds_place(const int *fds)
{
    int aside[PROCESS_FDS];
    for (int i = 0; i < PROCESS_FDS; i++) {
        aside[i] = process_fd_aside(fds[i]);
        if (aside[i] == -2)
            return false;
    }
    for (int i = 0; i < PROCESS_FDS; i++) {
        if (aside[i] < 0)
            continue;
        if (dup2(aside[i], i) < 0)
            return false;
        close(aside[i]);
    }
    return true;
}

static void process_limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit l = {.rlim_cur = soft, .rlim_max = hard};
    setrlimit(resource, &l);
}

/* Of the kind that exec keeps. A parent that died before its death could be
 * asked for is known by another's being our parent. False with errno. */
static bool process_prepare(const process_options *o, pid_t parent)
{
    if (o->death_signal)
        prctl(PR_SET_PDEATHSIG, o->death_signal);
    if (o->death_signal && getppid() != parent)
        _exit(CANNOT_RUN);
    if (o->cpu_s) {
        signal(SIGXCPU, SIG_DFL);
        process_limit(RLIMIT_CPU, o->cpu_s, o->cpu_s + CPU_GRACE_S);
    }
    if (o->memory && !SHADOWED)
        process_limit(RLIMIT_AS, o->memory, o->memory);
    return process_fds_place(o->fds);
}

/* All but the places that are filled, and the report, which exec closes. */
static void process_close_off(const process_options *o, int report)
{
    unsigned first = o->fds[3] == PROCESS_INHERIT ? 3 : PROCESS_FDS;
    close_range(first, (unsigned)report - 1, 0);
    close_range((unsigned)report + 1, ~0U, 0);
}

/* A handler of ours must not run in the child in the moment between unblocking
 * and exec: it may write into a pipe that both processes have. */
static void process_unblock_signals(void)
{
    struct sigaction now;
    for (int i = 1; i < NSIG; i++) {
        bool is_ours = sigaction(i, NULL, &now) == 0 &&
                       now.sa_handler != SIG_IGN && now.sa_handler != SIG_DFL;
        if (is_ours)
            signal(i, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* `report` is the pipe's end that takes the errno of what failed. */
static _Noreturn void process_become(const char *program,
                                     const char *const *args,
                                     const process_options *o,
                                     pid_t parent,
                                     int report)
{
    report = process_fd_aside(report);
    bool is_ready = report >= 0 && process_prepare(o, parent);
    if (is_ready && o->is_closed_off)
        process_close_off(o, report);
    if (is_ready) {
        process_unblock_signals();
        execv(program, (char *const *)(uintptr_t)args);
    }
    int why = errno;
    ssize_t told = write(report, &why, sizeof why);
    (void)told; /* nobody is left to tell */
    _exit(CANNOT_RUN);
}

/* ---- in the parent ---- */

/* Signals are blocked over the fork; the child unblocks them when it is ready
 * for them. */
static pid_t process_fork_blocked(sigset_t *ret_before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, ret_before);
    pid_t pid = fork();
    int why = errno;
    if (pid != 0)
        pthread_sigmask(SIG_SETMASK, ret_before, NULL);
    errno = why;
    return pid;
}

static pid_t process_reap(pid_t child, int *ret_status, int flags)
{
    pid_t got;
    while ((got = waitpid(child, ret_status, flags)) < 0 && errno == EINTR) {
    }
    return got;
}

/* What the child had to report; 0: it has become the program. */
static int process_failure_read(int report)
{
    int why = 0;
    ssize_t n;
    while ((n = read(report, &why, sizeof why)) < 0 && errno == EINTR) {
    }
    return n == (ssize_t)sizeof why ? why : 0;
}

etna_code process_start(const char *program,
                        const char *const *args,
                        const process_options *options,
                        pid_t *ret,
                        etna_error *err)
{
    int ends[2];
    sigset_t before;
    if (pipe2(ends, O_CLOEXEC))
        return process_fault(program, err);
    pid_t parent = getpid();
    pid_t pid = process_fork_blocked(&before);
    if (pid == 0)
        process_become(program, args, options, parent, ends[1]);
    int why = pid < 0 ? errno : 0;
    close(ends[1]);
    if (!why)
        why = process_failure_read(ends[0]);
    close(ends[0]);
    if (why && pid > 0)
        process_reap(pid, NULL, 0);
    errno = why;
    if (why)
        return process_fault(program, err);
    *ret = pid;
    return ETNA_OK;
}

etna_code process_fork(const process_options *options,
                       pid_t *ret_child,
                       etna_error *err)
{
    sigset_t before;
    pid_t parent = getpid();
    pid_t pid = process_fork_blocked(&before);
    if (pid < 0)
        return process_fault("no process", err);
    if (pid == 0) {
        guard_secrets(); /* it has a stranger's file, and perhaps our keys */
        if (!process_prepare(options, parent))
            _exit(CANNOT_RUN);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    *ret_child = pid;
    return ETNA_OK;
}

/* Sleeps until the child has ended or it is time to look again. Where the
 * system gives no descriptor of the child (-1, which poll passes over) the
 * pause grows from 1 ms on, as most children end soon. */
static void process_rest(int fd, int64_t most_ms, int *pause_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t pause = fd >= 0 ? most_ms : *pause_ms;
    poll(&p, 1, (int)(pause < most_ms ? pause : most_ms));
    if (*pause_ms < LOOK_MS)
        *pause_ms *= 2;
}

/* process_wait() where the child may have to be killed. Nothing waits for a
 * child and a flag, so a flag is looked at now and then. */
static pid_t process_watch(pid_t child,
                           int64_t end_ms,
                           const atomic_int *stop,
                           int *ret_status,
                           process_end *ret)
{
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    int pause_ms = 1;
    pid_t got;
    while ((got = process_reap(child, ret_status, WNOHANG)) == 0) {
        int64_t left = end_ms - (int64_t)clock_now_ms();
        int64_t look_ms = stop ? LOOK_MS : LOOK_SELDOM_MS;
        ret->is_stopped = stop && *stop;
        ret->is_late = left <= 0;
        if (ret->is_stopped || ret->is_late)
            break;
        process_rest(fd, left < look_ms ? left : look_ms, &pause_ms);
    }
    if (fd >= 0)
        close(fd);
    if (got != 0)
        return got;
    kill(child, SIGKILL);
    return process_reap(child, ret_status, 0);
}

etna_code process_wait(pid_t child,
                       unsigned wall_s,
                       const atomic_int *stop,
                       process_end *ret,
                       etna_error *err)
{
    process_end end = {.exit_code = -1};
    int status = 0;
    int64_t end_ms =
        wall_s ? (int64_t)clock_now_ms() + (int64_t)wall_s * 1000 : INT64_MAX;
    pid_t got = wall_s || stop
                    ? process_watch(child, end_ms, stop, &status, &end)
                    : process_reap(child, &status, 0);
    if (got < 0)
        return process_fault("waiting for a child process", err);
    if (WIFEXITED(status))
        end.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    *ret = end;
    return ETNA_OK;
}

etna_code process_read(const char *program,
                       const char *const *args,
                       unsigned wall_s,
                       char *ret_text,
                       size_t size,
                       process_end *ret_end,
                       etna_error *err)
{
    process_options options = process_options_default();
    pid_t child;
    int fd = memfd_create("etna-output", MFD_CLOEXEC);
    if (fd < 0)
        return process_fault("memory for what a program says", err);
    options.fds[STDOUT_FILENO] = fd;
    etna_code code = process_start(program, args, &options, &child, err);
    if (!code)
        code = process_wait(child, wall_s, NULL, ret_end, err);
    ssize_t got = code ? -1 : pread(fd, ret_text, size - 1, 0);
    int why = errno;
    close(fd);
    errno = why;
    if (code)
        return code;
    if (got < 0)
        return process_fault(program, err);
    ret_text[got] = 0;
    return ETNA_OK;
}
