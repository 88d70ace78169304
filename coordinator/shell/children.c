/* A child that ended is started again after a pause that doubles while they die
 * young. Deaths that are explained (a person's kill, a task that kills workers)
 * do not count as young, so that they cannot stop the whole coordinator. */
#include "coordinator/shell/children.h"
#include "proto/memory_kills.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds, but for YOUNG_DEATHS_MAX: how many children in a row may die
 * before OLD_MS until it is given up. DEAD_MAX: how many ended pids are
 * remembered, far more than can have messages on their way. */
enum {
    PAUSE_MS = 100,
    PAUSE_MAX_MS = 10000,
    OLD_MS = 10000,
    YOUNG_DEATHS_MAX = 6,
    STOP_MS = 3000,
    PARENT_FD = 3,
    DEAD_MAX = 64
};

/* One place for a process. Its two timers and pipes outlive the process. */
typedef struct child {
    children *all;
    uv_process_t process;
    uv_timer_t again;
    uv_pipe_t hold; /* our end of the pipe: closed by the kernel when we die */
    bool running, hold_open;
    uint64_t started_ms;
    /* the worker that spoke from it; 0: none has yet */
    uint64_t sender, incarnation;
    uint32_t young_deaths;
} child;

struct children {
    children_options options;
    uv_loop_t *loop;
    child *list;
    uv_timer_t end;
    uint32_t alive, handles; /* processes; uv handles not yet closed */
    uint64_t dead[DEAD_MAX]; /* the last pids that ended */
    /* processes of this machine, when last looked at */
    uint64_t killed_for_memory;
    uint32_t deaths;
    bool stopping, reported, freeing;
};

bool children_program(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size);
    if (n <= 0 || (size_t)n >= size)
        return false;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    static const char name[] = "/etna-worker";
    if (!slash || (size_t)(slash - path) + sizeof name > size)
        return false;
    memcpy(slash, name, sizeof name);
    return true;
}

static void free_when_closed(children *all)
{
    if (!all->freeing || all->handles)
        return;
    free(all->list);
    free(all);
}

static void handle_closed(uv_handle_t *handle)
{
    children *all = handle->data;
    all->handles--;
    free_when_closed(all);
}

static void children_close_handle(children *all, uv_handle_t *handle)
{
    handle->data = all;
    uv_close(handle, handle_closed);
}

static void tell_gone(children *all)
{
    if (!all->stopping || all->alive || all->reported)
        return;
    all->reported = true;
    uv_timer_stop(&all->end);
    all->options.gone(all->options.context);
}

static int start_one(child *c);

static void start_again(uv_timer_t *timer)
{
    child *c = timer->data;
    if (c->all->stopping)
        return;
    int rv = start_one(c);
    if (rv)
        c->all->options.failed(c->all->options.context, uv_strerror(rv));
}

/* Why a process died by its own doing; ETNA_OK: it did not. A kill because
 * memory ran out looks like anybody's SIGKILL; the kernel's count of such kills
 * tells them apart. */
static etna_code fault_of(children *all,
                          int term_signal,
                          char *why,
                          size_t size)
{
    if (!term_signal || term_signal == SIGTERM)
        return ETNA_OK;
    if (term_signal != SIGKILL) {
        snprintf(why, size, "was ended by signal %d (%s)", term_signal,
                 strsignal(term_signal));
        return ETNA_E_INTERNAL;
    }
    uint64_t before = all->killed_for_memory;
    all->killed_for_memory = etna_memory_kills();
    snprintf(
        why, size,
        "was killed by the system because memory ran out (start fewer workers, or give them more)");
    return all->killed_for_memory > before ? ETNA_E_NOMEM : ETNA_OK;
}

/* Told to the core first: whether the death is laid to a task decides whether
 * it counts as young. */
static void process_ended(uv_process_t *process,
                          int64_t status,
                          int term_signal)
{
    child *c = process->data;
    children *all = c->all;
    uint64_t pid = (uint64_t)process->pid;
    uint64_t now = uv_now(all->loop);
    c->running = false;
    all->alive--;
    children_close_handle(all, (uv_handle_t *)process);
    if (c->hold_open)
        children_close_handle(all, (uv_handle_t *)&c->hold);
    c->hold_open = false;
    all->dead[all->deaths++ % DEAD_MAX] = pid;
    char why[128];
    etna_code fault = fault_of(all, term_signal, why, sizeof why);
    bool at_work =
        all->options.exited(all->options.context, c->sender, c->incarnation,
                            fault, fault ? why : NULL);
    bool killed = term_signal == SIGKILL && !fault; /* by a person */
    bool young = now - c->started_ms < OLD_MS && !killed && !at_work;
    c->young_deaths = young ? c->young_deaths + 1 : 0;
    if (all->stopping) {
        tell_gone(all);
    } else if (c->young_deaths >= YOUNG_DEATHS_MAX) {
        if (!fault) {
            snprintf(why, sizeof why,
                     term_signal ? "ended by signal %d"
                                 : "ended with exit code %d",
                     term_signal ? term_signal : (int)status);
        }
        all->options.failed(all->options.context, why);
    } else {
        uint64_t pause = (uint64_t)PAUSE_MS << c->young_deaths;
        uv_timer_start(&c->again, start_again,
                       pause < PAUSE_MAX_MS ? pause : PAUSE_MAX_MS, 0);
    }
}

/* 0, or libuv's error. The child's descriptor 3 is the reading end of a pipe of
 * which we hold the other and never write: its end means that we are gone. */
static int start_one(child *c)
{
    children *all = c->all;
    char cpus[16];
    snprintf(cpus, sizeof cpus, "%u", all->options.cpus_each);
    const char *args[12] = {all->options.program,
                            "--connect",
                            all->options.url,
                            "--parent-fd",
                            "3",
                            "--cpus",
                            cpus};
    int count = 7;
    if (all->options.cache) {
        args[count++] = "--cache";
        args[count++] = all->options.cache;
    }
    int rv = uv_pipe_init(all->loop, &c->hold, 0);
    if (rv)
        return rv;
    all->handles++;
    c->hold_open = true;
    uv_stdio_container_t stdio[PARENT_FD + 1] = {
        {.flags = UV_IGNORE},
        {.flags = UV_IGNORE},
        {.flags = UV_INHERIT_FD, .data.fd = 2}};
    stdio[PARENT_FD].flags =
        (uv_stdio_flags)(UV_CREATE_PIPE | UV_READABLE_PIPE);
    stdio[PARENT_FD].data.stream = (uv_stream_t *)&c->hold;
    uv_process_options_t options = {.exit_cb = process_ended,
                                    .file = all->options.program,
                                    .stdio_count = PARENT_FD + 1,
                                    .stdio = stdio};
    options.args = (char **)(uintptr_t)args;
    /* Ctrl-C is for us to act on; the pipe ends them when we are gone */
    options.flags = UV_PROCESS_DETACHED;
    c->process.data = c;
    rv = uv_spawn(all->loop, &c->process, &options);
    all->handles++; /* uv_spawn makes the handle also when it fails */
    if (rv) {
        children_close_handle(all, (uv_handle_t *)&c->process);
        children_close_handle(all, (uv_handle_t *)&c->hold);
        c->hold_open = false;
        return rv;
    }
    /* the system may give a number again */
    for (int i = 0; i < DEAD_MAX; i++) {
        if (all->dead[i] == (uint64_t)c->process.pid)
            all->dead[i] = 0;
    }
    c->sender = c->incarnation = 0;
    c->running = true;
    c->started_ms = uv_now(all->loop);
    all->alive++;
    return 0;
}

etna_code children_start(uv_loop_t *loop,
                         const children_options *options,
                         children **ret_children,
                         etna_error *err)
{
    children *all = calloc(1, sizeof *all);
    child *list = calloc(options->count + 1, sizeof *list);
    if (!all || !list) {
        free(all);
        free(list);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory starting workers");
    }
    all->options = *options;
    all->loop = loop;
    all->list = list;
    all->killed_for_memory = etna_memory_kills();
    uv_timer_init(loop, &all->end);
    all->handles = 1;
    for (uint32_t i = 0; i < options->count; i++) {
        list[i].all = all;
        uv_timer_init(loop, &list[i].again);
        list[i].again.data = &list[i];
        all->handles++;
    }
    for (uint32_t i = 0; i < options->count; i++) {
        int rv = start_one(&list[i]);
        if (!rv)
            continue;
        all->stopping = all->reported = true;
        children_kill(all);
        *ret_children = all; /* the caller frees it either way */
        return etna_fail(
            err, ETNA_E_IO,
            "%s: cannot be run: %s; it belongs beside the etna program",
            options->program, uv_strerror(rv));
    }
    *ret_children = all;
    return ETNA_OK;
}

void children_note(children *c,
                   uint64_t pid,
                   uint64_t sender,
                   uint64_t incarnation)
{
    for (uint32_t i = 0; c && pid && i < c->options.count; i++) {
        child *one = &c->list[i];
        if (!one->running || (uint64_t)one->process.pid != pid)
            continue;
        one->sender = sender;
        one->incarnation = incarnation;
    }
}

bool children_dead(const children *c, uint64_t pid)
{
    for (uint32_t i = 0; c && pid && i < DEAD_MAX; i++) {
        if (c->dead[i] == pid)
            return true;
    }
    return false;
}

void children_kill(children *c)
{
    for (uint32_t i = 0; i < c->options.count; i++) {
        if (c->list[i].running)
            uv_process_kill(&c->list[i].process, SIGKILL);
    }
}

static void kill_late(uv_timer_t *timer)
{
    children_kill(timer->data);
}

void children_stop(children *c, bool at_once)
{
    if (c->stopping)
        return;
    c->stopping = true;
    for (uint32_t i = 0; i < c->options.count; i++) {
        child *one = &c->list[i];
        uv_timer_stop(&one->again);
        if (!at_once || !one->hold_open)
            continue;
        one->hold_open = false;
        children_close_handle(c, (uv_handle_t *)&one->hold);
    }
    c->end.data = c;
    uv_timer_start(&c->end, kill_late, STOP_MS, 0);
    tell_gone(c);
}

void children_free(children *c)
{
    if (!c)
        return;
    c->freeing = true;
    children_close_handle(c, (uv_handle_t *)&c->end);
    for (uint32_t i = 0; i < c->options.count; i++)
        children_close_handle(c, (uv_handle_t *)&c->list[i].again);
}
