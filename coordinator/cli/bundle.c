/* Starts etna-worker as a child, with a memfd as descriptor 3 that it writes
 * the bundle to by the path /dev/fd/3. The memfd is close-on-exec, and only
 * this child gets a copy of it: no other process that is started meanwhile can
 * keep it alive. The exit code of the child is that of the worker's command, so
 * that it can be passed on; a signal means that reading broke it. */
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* GOALS_BYTES: longest list of goals that is passed on as arguments, well below
 * what Linux takes (a quarter of the stack's limit). CHILD_FD: the bundle's
 * descriptor in the child. LOOK: microseconds between two looks at a child that
 * may have to be killed, doubled from the first to the last. */
enum {
    GOALS_BYTES = 1 << 20,
    CHILD_FD = 3,
    LOOK_FIRST_US = 500,
    LOOK_MOST_US = 10000
};

/* One reading. */
typedef struct bundle_child {
    const bundle_wanted *wanted;
    /* the memfd the bundle comes in */
    int fd;
    /* another for what it prints; -1: it prints to our own stdout and stderr */
    int told_fd;
    const atomic_int *stop; /* NULL: it is waited for in any case */
} bundle_child;

/* Takes errno. */
static etna_code bundle_io_fault(const char *what, etna_error *err)
{
    return etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO, "%s: %s",
                     what, strerror(errno));
}

/* How the child ended. ETNA_OK with *ret_exit: it has said what there is to
 * say. */
static etna_code bundle_end_of(int status,
                               const char *scene,
                               int *ret_exit,
                               etna_error *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 4) {
        *ret_exit = WEXITSTATUS(status);
        return ETNA_OK;
    }
    if (WIFSIGNALED(status) &&
        (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) {
        *ret_exit = 128 + WTERMSIG(status);
        return ETNA_OK;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return etna_fail(err, ETNA_E_INPUT, "%s: reading it takes too long",
                         scene);
    if (WIFSIGNALED(status)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended by signal %d; is the scene damaged, or memory short?",
            scene, WTERMSIG(status));
    }
    return etna_fail(
        err, ETNA_E_IO,
        "etna-worker ended with code %d; it belongs beside the etna program",
        WEXITSTATUS(status));
}

/* How many goals are passed: all, or none where the system would not take so
 * long a list. Without goals nothing is brought in. */
static uint32_t bundle_goals(const bundle_wanted *w)
{
    size_t size = 0;
    for (uint32_t i = 0; i < w->goal_count; i++)
        size += strlen(w->goals[i]) + 16;
    return size <= GOALS_BYTES ? w->goal_count : 0;
}

/* NULL: no memory. Caller frees. */
static const char **bundle_arguments(const bundle_child *c, const char *path)
{
    const bundle_wanted *w = c->wanted;
    const uint32_t goals = bundle_goals(w);
    const char **args = calloc(20 + 2 * (size_t)goals, sizeof *args);
    int count = 0;
    if (!args)
        return NULL;
    const char *const pairs[][2] = {{"--output", path},
                                    {"--unit", w->unit},
                                    {"--up", w->up},
                                    {"--store", w->store},
                                    {"--camera", w->camera}};
    args[count++] = "etna-worker";
    args[count++] = "bundle";
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!pairs[i][1])
            continue;
        args[count++] = pairs[i][0];
        args[count++] = pairs[i][1];
    }
    for (uint32_t i = 0; i < goals; i++) {
        args[count++] = "--goal";
        args[count++] = w->goals[i];
    }
    if (c->told_fd < 0 && cli_errors_are_json())
        args[count++] = "--json";
    args[count++] = "--";
    args[count] = w->scene;
    return args;
}

/* dup2 clears close-on-exec for the child's copies alone. */
static int bundle_actions(const bundle_child *c,
                          posix_spawn_file_actions_t *actions)
{
    int rv = posix_spawn_file_actions_init(actions);
    if (!rv && c->told_fd >= 0)
        rv = posix_spawn_file_actions_adddup2(actions, c->told_fd,
                                              STDOUT_FILENO);
    if (!rv && c->told_fd >= 0)
        rv = posix_spawn_file_actions_adddup2(actions, c->told_fd,
                                              STDERR_FILENO);
    if (!rv)
        rv = posix_spawn_file_actions_adddup2(actions, c->fd, CHILD_FD);
    return rv;
}

/* The child gets the memory, and no other process that this one starts
 * meanwhile does. */
static etna_code bundle_spawn(const bundle_child *c,
                              pid_t *ret,
                              etna_error *err)
{
    char program[4096], path[32];
    posix_spawn_file_actions_t actions;
    if (!children_program(program, sizeof program))
        return bundle_io_fault("the path of this program", err);
    snprintf(path, sizeof path, "/dev/fd/%d", (int)CHILD_FD);
    const char **args = bundle_arguments(c, path);
    if (!args)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    int rv = bundle_actions(c, &actions);
    if (!rv)
        rv = posix_spawn(ret, program, &actions, NULL, (char **)(uintptr_t)args,
                         environ);
    posix_spawn_file_actions_destroy(&actions);
    free(args);
    errno = rv;
    return rv ? bundle_io_fault(program, err) : ETNA_OK;
}

/* Short at first, as most scenes are read within milliseconds. */
static void bundle_rest(long *us)
{
    struct timespec pause = {.tv_nsec = *us * 1000};
    nanosleep(&pause, NULL);
    if (*us < LOOK_MOST_US)
        *us *= 2;
}

/* Reaps the child in every case. Where it may have to be killed there is no
 * call that waits for a child or a flag, so it looks now and then. */
static etna_code bundle_wait(const bundle_child *c,
                             pid_t pid,
                             int *ret_status,
                             etna_error *err)
{
    bool killed = false;
    for (long pause = LOOK_FIRST_US;;) {
        pid_t ended = waitpid(pid, ret_status, c->stop ? WNOHANG : 0);
        if (ended < 0 && errno != EINTR)
            return bundle_io_fault("waiting for etna-worker", err);
        if (ended > 0)
            return killed ? etna_fail(err, ETNA_E_CANCELLED, "interrupted")
                          : ETNA_OK;
        if (c->stop && *c->stop && !killed)
            killed = kill(pid, SIGKILL) == 0;
        if (c->stop)
            bundle_rest(&pause);
    }
}

static etna_code bundle_map(int fd, bundle *ret, etna_error *err)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0) {
        errno = EIO;
        return bundle_io_fault("etna-worker wrote no bundle", err);
    }
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return bundle_io_fault("memory for the scene", err);
    *ret = (bundle){data, (size_t)st.st_size};
    return ETNA_OK;
}

/* ETNA_OK with *ret_exit not 0: there is no bundle, and the child has said
 * why. */
static etna_code bundle_by_child(bundle_child *c,
                                 bundle *ret,
                                 int *ret_exit,
                                 etna_error *err)
{
    pid_t pid;
    int status = 0;
    c->fd = memfd_create("etna-bundle", MFD_CLOEXEC);
    if (c->fd < 0)
        return bundle_io_fault("memory for the scene", err);
    etna_code code = bundle_spawn(c, &pid, err);
    if (!code)
        code = bundle_wait(c, pid, &status, err);
    if (!code)
        code = bundle_end_of(status, c->wanted->scene, ret_exit, err);
    if (!code && !*ret_exit)
        code = bundle_map(c->fd, ret, err);
    close(c->fd);
    return code;
}

int bundle_make(const bundle_wanted *wanted, bundle *ret)
{
    etna_error err = {ETNA_OK, ""};
    bundle_child c = {.wanted = wanted, .told_fd = -1};
    int exit_code = 0;
    return bundle_by_child(&c, ret, &exit_code, &err) ? cli_fail(&err)
                                                      : exit_code;
}

/* The child's own words as an error of ours: its last line, since warnings come
 * before, without the "etna: " that the caller will print again. */
static etna_code bundle_told(const bundle_child *c,
                             int exit_code,
                             etna_error *err)
{
    static const char own[] = "etna: ";
    static const etna_code codes[] = {ETNA_E_INTERNAL, ETNA_E_INTERNAL,
                                      ETNA_E_USAGE, ETNA_E_INPUT, ETNA_E_IO};
    char text[4096];
    if (exit_code > 4)
        return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    ssize_t size = pread(c->told_fd, text, sizeof text - 1, 0);
    while (size > 0 && text[size - 1] == '\n')
        size--;
    text[size > 0 ? size : 0] = 0;
    const char *end = strrchr(text, '\n');
    const char *line = end ? end + 1 : text;
    if (strncmp(line, own, strlen(own)) == 0)
        line += strlen(own);
    return etna_fail(err, codes[exit_code], "%s",
                     *line ? line : "the scene cannot be read");
}

etna_code bundle_read(const bundle_wanted *wanted,
                      const atomic_int *stop,
                      bundle *ret,
                      etna_error *err)
{
    bundle_child c = {.wanted = wanted, .stop = stop};
    int exit_code = 0;
    c.told_fd = memfd_create("etna-told", MFD_CLOEXEC);
    if (c.told_fd < 0)
        return bundle_io_fault("memory for the scene", err);
    etna_code code = bundle_by_child(&c, ret, &exit_code, err);
    if (!code && exit_code)
        code = bundle_told(&c, exit_code, err);
    close(c.told_fd);
    return code;
}

void bundle_free(bundle *b)
{
    if (b->data)
        munmap((void *)(uintptr_t)b->data, b->size);
    *b = (bundle){NULL, 0};
}
