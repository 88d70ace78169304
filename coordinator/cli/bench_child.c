/* See bench_folder.h. */
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/visit.h"
#include "coordinator/shell/children.h"
#include "proto/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

uint32_t bench_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (uint32_t)count : 1;
}

/* Beside this program. */
static bool child_program(const char *name, char *path, size_t size)
{
    if (!children_program(path, size))
        return false;
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    return (size_t)snprintf(path + folder, size - folder, "%s", name) <
           size - folder;
}

/* 0: it could not be started. */
static pid_t child_start(const bench_child *c)
{
    char program[4096];
    process_options options = process_options_default();
    pid_t pid = 0;
    if (!child_program(c->program, program, sizeof program))
        return 0;
    int output =
        open(c->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return 0;
    options.fds[STDOUT_FILENO] = output;
    if (process_start(program, c->words, &options, &pid, NULL))
        pid = 0;
    close(output);
    return pid;
}

static void child_end(
    bench_child *list, pid_t *pids, uint32_t count, pid_t pid, int status)
{
    for (uint32_t i = 0; i < count; i++) {
        if (pids[i] != pid)
            continue;
        list[i].status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        pids[i] = 0;
    }
}

static void children_tell(const char *doing, uint32_t done, uint32_t count)
{
    bool is_terminal = isatty(STDERR_FILENO);
    if (is_terminal)
        fprintf(stderr, "\r%s: %u of %u", doing, (unsigned)done,
                (unsigned)count);
    if (done == count)
        fprintf(stderr, is_terminal ? "\n" : "%s: %u of %u\n", doing,
                (unsigned)done, (unsigned)count);
}

/* By insertion: they are few beside what one takes. */
void bench_children_order(const bench_child *list,
                          uint32_t count,
                          uint32_t *ret)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        while (at > 0 && list[ret[at - 1]].weight < list[i].weight) {
            ret[at] = ret[at - 1];
            at--;
        }
        ret[at] = i;
    }
}

etna_code bench_children_run(bench_child *list,
                             uint32_t count,
                             uint32_t at_once,
                             const char *doing,
                             etna_error *err)
{
    pid_t *pids = calloc((size_t)count + 1, sizeof *pids);
    uint32_t *order = calloc((size_t)count + 1, sizeof *order);
    if (!pids || !order) {
        free(pids);
        free(order);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    }
    bench_children_order(list, count, order);
    uint32_t begun = 0, running = 0;
    while (begun < count || running > 0) {
        bool stopped = *visit_signal() != 0;
        if (stopped && !running)
            break;
        if (!stopped && begun < count && running < at_once) {
            uint32_t next = order[begun++];
            list[next].status = -1;
            pids[next] = child_start(&list[next]);
            running += pids[next] > 0;
            continue;
        }
        int status = 0;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        child_end(list, pids, count, pid, status);
        running--;
        children_tell(doing, begun - running, count);
    }
    free(pids);
    free(order);
    return *visit_signal() ? etna_fail(err, ETNA_E_CANCELLED, "interrupted")
                           : ETNA_OK;
}
