/* A fork without exec: what calls this has one thread and little memory, and so
 * the tests exercise the very path of the program. Bytes come back in a memfd,
 * the error in a shared page; both are as hostile as the file. */
#include "worker/convert/child.h"
#include "proto/fd.h"
#include "proto/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct shared { /* a page of both processes */
    int done;
    etna_error err;
} shared;

child_limits child_limits_default(void)
{
    return (child_limits){
        .memory = (uint64_t)8 << 30, .cpu_s = 240, .wall_s = 300};
}

/* ---- in the child ---- */

/* It ends by _exit, as handlers and buffers are the parent's. */
static _Noreturn void be_child(child_work work,
                               void *context,
                               int out,
                               shared *page)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = work(context, &data, &size, &page->err);
    if (code == ETNA_OK && !fd_write(out, data, size)) {
        code = etna_fail(&page->err, ETNA_E_NOMEM,
                         "no memory for a converted scene of %zu bytes", size);
    }
    page->err.code = code;
    page->done = 1;
    _exit(0);
}

/* ---- in the parent ---- */

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
    size_t size = (size_t)st.st_size;
    uint8_t *data = size ? malloc(size) : NULL;
    if (size && !data)
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %zu bytes", what,
                         size);
    if (fd_read_at(fd, data, size, 0) != (ssize_t)size) {
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
                               const process_end *end,
                               const shared *page,
                               etna_error *err)
{
    if (end->is_late || end->signal == SIGXCPU) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it takes more than %u s; is the file damaged?", what,
            end->is_late ? limits->wall_s : limits->cpu_s);
    }
    if (end->signal) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended by signal %d; the file is damaged or made to do harm",
            what, end->signal);
    }
    if (page->done && page->err.code != ETNA_OK &&
        (unsigned)page->err.code < ETNA_E_COUNT) {
        return etna_fail(err, page->err.code, "%s: %.*s", what,
                         (int)strnlen(page->err.text, sizeof page->err.text),
                         page->err.text);
    }
    if (end->exit_code != 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended with code %d; the file is damaged, or memory is short",
            what, end->exit_code);
    }
    return ETNA_OK;
}

/* Foreign libraries talk; only the parent speaks to the user. */
static process_options child_options(const child_limits *limits)
{
    return (process_options){
        .fds = {PROCESS_NULL, PROCESS_NULL, PROCESS_NULL, PROCESS_INHERIT},
        .death_signal = SIGKILL,
        .memory = limits->memory,
        .cpu_s = limits->cpu_s};
}

/* One child of child_run(): what both sides share. */
typedef struct child_reading {
    const char *what;
    const child_limits *limits;
    int out; /* the memfd its bytes come in */
    shared *page;
} child_reading;

static etna_code child_follow(const child_reading *r,
                              child_work work,
                              void *context,
                              etna_error *err)
{
    process_options options = child_options(r->limits);
    process_end end;
    pid_t pid;
    etna_code code = process_fork(&options, &pid, err);
    if (code != ETNA_OK)
        return etna_error_prefix(err, "%s", r->what);
    if (pid == 0)
        be_child(work, context, r->out, r->page);
    code = process_wait(pid, r->limits->wall_s, NULL, &end, err);
    if (code != ETNA_OK)
        return etna_error_prefix(err, "%s", r->what);
    return child_verdict(r->what, r->limits, &end, r->page, err);
}

etna_code child_run(const char *what,
                    const child_limits *limits,
                    child_work work,
                    void *context,
                    uint8_t **ret_data,
                    size_t *ret_size,
                    etna_error *err)
{
    child_reading r = {.what = what, .limits = limits};
    r.out = memfd_create("etna-convert", MFD_CLOEXEC);
    r.page = mmap(NULL, sizeof *r.page, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool is_ready = r.out >= 0 && r.page != MAP_FAILED;
    etna_code code =
        is_ready ? child_follow(&r, work, context, err)
                 : etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO,
                             "%s: no process to read it in: %s", what,
                             strerror(errno));
    if (code == ETNA_OK)
        code = take_bytes(what, r.out, ret_data, ret_size, err);
    if (r.out >= 0)
        close(r.out);
    if (r.page != MAP_FAILED)
        munmap(r.page, sizeof *r.page);
    return code;
}
