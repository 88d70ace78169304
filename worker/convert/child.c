/* fork, limits, wait. A fork without exec: what calls this has one thread and
 * little memory, and so the tests exercise the very path of the program. Bytes
 * come back in a memfd, the error in a shared page; both are as hostile as the
 * file. */
#include "worker/convert/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

typedef struct shared { /* a page of both processes */
    int done;
    etna_error err;
} shared;

child_limits child_limits_default(void)
{
    return (child_limits){
        .memory = (uint64_t)8 << 30, .cpu_s = 240, .wall_s = 300};
}

static void child_limit(int resource, uint64_t value)
{
    struct rlimit l = {.rlim_cur = value, .rlim_max = value};
    setrlimit(resource, &l);
}

/* ---- in the child ---- */

static bool child_write_all(int fd, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = write(fd, data + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

/* Killed with its parent, not to be traced, without a core: it has a stranger's
 * file and perhaps our secrets in memory. It ends by _exit, as handlers and
 * buffers are the parent's. */
static _Noreturn void be_child(const child_limits *limits,
                               child_work work,
                               void *context,
                               int out,
                               shared *page)
{
    uint8_t *data = NULL;
    size_t size = 0;
    int null = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    /* foreign libraries talk; only the parent speaks to the user */
    for (int fd = 0; fd < 3; fd++) {
        if (null >= 0)
            dup2(null, fd);
    }
    signal(SIGXCPU, SIG_DFL);
    child_limit(RLIMIT_CORE, 0);
    /* SIGXCPU first, then SIGKILL */
    struct rlimit cpu = {.rlim_cur = limits->cpu_s,
                         .rlim_max = limits->cpu_s + 5};
    setrlimit(RLIMIT_CPU, &cpu);
    if (limits->memory && !SHADOWED)
        child_limit(RLIMIT_AS, limits->memory);
    etna_code code = work(context, &data, &size, &page->err);
    if (code == ETNA_OK && !child_write_all(out, data, size)) {
        code = etna_fail(&page->err, ETNA_E_NOMEM,
                         "no memory for a converted scene of %zu bytes", size);
    }
    page->err.code = code;
    page->done = 1;
    _exit(0);
}

/* ---- in the parent ---- */

static int64_t child_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The pipe's other end is the child's alone: its end is the child's. false: it
 * had to be killed. */
static bool child_await(int life, pid_t pid, unsigned wall_s, int *ret_status)
{
    int64_t end = child_now_ms() + (int64_t)wall_s * 1000;
    bool in_time = false;
    for (int64_t left; !in_time && (left = end - child_now_ms()) > 0;) {
        struct pollfd p = {.fd = life, .events = POLLIN};
        in_time = poll(&p, 1, (int)(left < 60000 ? left : 60000)) > 0;
    }
    if (!in_time)
        kill(pid, SIGKILL);
    while (waitpid(pid, ret_status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return in_time;
}

/* The size is the file's and not what the child said. */
static etna_code take_bytes(const char *what,
                            int fd,
                            uint8_t **ret_data,
                            size_t *ret_size,
                            etna_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return etna_fail(err, ETNA_E_IO, "%s: %s", what, strerror(errno));
    size_t size = (size_t)st.st_size, at = 0;
    uint8_t *data = size ? malloc(size) : NULL;
    if (size && !data)
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %zu bytes", what,
                         size);
    while (at < size) {
        ssize_t n = pread(fd, data + at, size - at, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    if (at < size) {
        free(data);
        return etna_fail(err, ETNA_E_IO,
                         "%s: the converted scene cannot be read back", what);
    }
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

/* From the cause that explains most: time, a signal, the child's own error, its
 * exit code. The text in the page is not trusted to end. */
static etna_code child_verdict(const char *what,
                               const child_limits *limits,
                               bool in_time,
                               int status,
                               const shared *page,
                               etna_error *err)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (!in_time || number == SIGXCPU) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it takes more than %u s; is the file damaged?", what,
            in_time ? limits->cpu_s : limits->wall_s);
    }
    if (number) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended by signal %d; the file is damaged or made to do harm",
            what, number);
    }
    if (page->done && page->err.code != ETNA_OK &&
        (unsigned)page->err.code < ETNA_E_COUNT) {
        return etna_fail(err, page->err.code, "%s: %.*s", what,
                         (int)strnlen(page->err.text, sizeof page->err.text),
                         page->err.text);
    }
    if (WEXITSTATUS(status) != 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended with code %d; the file is damaged, or memory is short",
            what, WEXITSTATUS(status));
    }
    return ETNA_OK;
}

/* The pipe's write end lives in the child alone, so its closing is the child's
 * end, whatever becomes of it. */
etna_code child_run(const char *what,
                    const child_limits *limits,
                    child_work work,
                    void *context,
                    uint8_t **ret_data,
                    size_t *ret_size,
                    etna_error *err)
{
    int status = 0;
    int life[2] = {-1, -1};
    int out = memfd_create("etna-convert", MFD_CLOEXEC);
    shared *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    etna_code code = ETNA_OK;
    uint8_t *data = NULL;
    size_t size = 0;
    pid_t pid = -1;
    bool is_ready =
        out >= 0 && page != MAP_FAILED && pipe2(life, O_CLOEXEC) == 0;
    if (is_ready)
        pid = fork();
    if (pid < 0) {
        code = etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO,
                         "%s: no process to read it in: %s", what,
                         strerror(errno));
        goto out;
    }
    if (pid == 0) {
        fcntl(life[1], F_SETFD, 0); /* kept through an exec */
        close(life[0]);
        be_child(limits, work, context, out, page);
    }
    close(life[1]);
    life[1] = -1;
    bool in_time = child_await(life[0], pid, limits->wall_s, &status);
    code = child_verdict(what, limits, in_time, status, page, err);
    if (code == ETNA_OK)
        code = take_bytes(what, out, &data, &size, err);
    if (code == ETNA_OK) {
        *ret_data = data;
        *ret_size = size;
    }
out:
    for (int i = 0; i < 2; i++) {
        if (life[i] >= 0)
            close(life[i]);
    }
    if (out >= 0)
        close(out);
    if (page != MAP_FAILED)
        munmap(page, sizeof *page);
    return code;
}
