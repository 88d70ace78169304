/* Starts etna-worker as a child, with a memfd as descriptor 3 that it writes
 * the bundle to by the path /dev/fd/3. The memfd is close-on-exec, and only
 * this child gets a copy of it: no other process that is started meanwhile can
 * keep it alive. The exit code of the child is that of the worker's command, so
 * that it can be passed on; a signal means that reading broke it. */
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"
#include "proto/array.h"
#include "proto/fd.h"
#include "proto/process.h"
#include "store/wholefile.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* GOALS_BYTES: longest list of goals that is passed on as arguments, well below
 * what Linux takes (a quarter of the stack's limit). CHILD_FD: the bundle's
 * descriptor in the child. */
enum {
    GOALS_BYTES = 1 << 20,
    CHILD_FD = 3
};

/* One reading. */
typedef struct bundle_child {
    const bundle_wanted *wanted;
    /* the memfd the bundle comes in */
    int fd;
    /* another with the scene's own bytes, which it reads as its input; -1 */
    int scene_fd;
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
static etna_code bundle_end_of(const process_end *end,
                               const char *scene,
                               int *ret_exit,
                               etna_error *err)
{
    if (end->is_stopped)
        return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    if (end->signal == SIGINT || end->signal == SIGTERM) {
        *ret_exit = 128 + end->signal;
        return ETNA_OK;
    }
    if (end->signal == SIGXCPU)
        return etna_fail(err, ETNA_E_INPUT, "%s: reading it takes too long",
                         scene);
    if (end->signal) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: reading it ended by signal %d; is the scene damaged, or memory short?",
            scene, end->signal);
    }
    if (end->exit_code <= 4) {
        *ret_exit = end->exit_code;
        return ETNA_OK;
    }
    return etna_fail(
        err, ETNA_E_IO,
        "etna-worker ended with code %d; it belongs beside the etna program",
        end->exit_code);
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
    const char **args = calloc(24 + 2 * (size_t)goals, sizeof *args);
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
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
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
    if (w->only_staged)
        args[count++] = "--only-staged";
    args[count++] = "--";
    args[count] = c->scene_fd < 0 ? w->scene : "/dev/fd/0";
    return args;
}

/* The child gets the memory, and no other process that this one starts
 * meanwhile does. */
static etna_code bundle_spawn(const bundle_child *c,
                              pid_t *ret,
                              etna_error *err)
{
    char program[4096], path[32];
    process_options options = process_options_default();
    if (c->told_fd >= 0)
        options.fds[STDOUT_FILENO] = options.fds[STDERR_FILENO] = c->told_fd;
    options.fds[CHILD_FD] = c->fd;
    if (c->scene_fd >= 0)
        options.fds[STDIN_FILENO] = c->scene_fd;
    if (!children_program(program, sizeof program))
        return bundle_io_fault("the path of this program", err);
    snprintf(path, sizeof path, "/dev/fd/%d", (int)CHILD_FD);
    const char **args = bundle_arguments(c, path);
    if (!args)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    etna_error why = {ETNA_OK, ""};
    etna_code code = process_start(program, args, &options, ret, &why);
    free(args);
    if (!code)
        return ETNA_OK;
    return etna_fail(err, code, "%.400s; it belongs beside the etna program",
                     why.text);
}

static etna_code bundle_map(const bundle_child *c, bundle *ret, etna_error *err)
{
    struct stat st;
    int fd = c->fd;
    bool is_known = fstat(fd, &st) == 0;
    if (is_known && st.st_size == 0 && c->wanted->only_staged)
        return ETNA_OK;
    if (!is_known || st.st_size <= 0) {
        errno = EIO;
        return bundle_io_fault("etna-worker wrote no bundle", err);
    }
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return bundle_io_fault("memory for the scene", err);
    *ret = (bundle){data, (size_t)st.st_size};
    return ETNA_OK;
}

/* The scene's bytes where the child can read them. */
static etna_code bundle_give_scene(bundle_child *c, etna_error *err)
{
    const bundle_wanted *w = c->wanted;
    c->scene_fd = -1;
    if (!w->glb)
        return ETNA_OK;
    c->scene_fd = memfd_create("etna-scene", MFD_CLOEXEC);
    bool is_there =
        c->scene_fd >= 0 && fd_write(c->scene_fd, w->glb, w->glb_size);
    return is_there ? ETNA_OK : bundle_io_fault("memory for the scene", err);
}

/* ETNA_OK with *ret_exit not 0: there is no bundle, and the child has said
 * why. */
static etna_code bundle_by_child(bundle_child *c,
                                 bundle *ret,
                                 int *ret_exit,
                                 etna_error *err)
{
    pid_t pid;
    process_end end;
    c->fd = memfd_create("etna-bundle", MFD_CLOEXEC);
    if (c->fd < 0)
        return bundle_io_fault("memory for the scene", err);
    etna_code code = bundle_give_scene(c, err);
    if (!code)
        code = bundle_spawn(c, &pid, err);
    if (!code)
        code = process_wait(pid, 0, c->stop, &end, err);
    if (!code)
        code = bundle_end_of(&end, c->wanted->scene, ret_exit, err);
    if (!code && !*ret_exit)
        code = bundle_map(c, ret, err);
    if (c->scene_fd >= 0)
        close(c->scene_fd);
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
