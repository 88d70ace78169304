/* Time: warm-up, repeats, medians and quartiles. */
#include "proto/process.h"
#include "tests/bench/bench_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SAMPLES_MAX = 2000,
    SAMPLES_LEAST = 7,
    SAMPLES_QUICK = 3
};
#define LONG_ENOUGH 400.0 /* ms */

double bench_now(bench_clock clock)
{
    struct timespec t;
    clock_gettime(
        clock == BENCH_CORE ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_stats bench_stats_of(double *samples, uint32_t count)
{
    if (count == 0)
        return (bench_stats){0};
    qsort(samples, count, sizeof *samples, by_value);
    return (bench_stats){samples[count / 2], samples[count / 4],
                         samples[(3 * count - 1) / 4], .samples = count};
}

static double cpu_of(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-3;
}

static double timed(
    bench_clock clock, bench_fn before, bench_fn fn, void *context, double *cpu)
{
    if (before)
        before(context);
    double used = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN),
           start = bench_now(clock);
    fn(context);
    double took = bench_now(clock) - start;
    *cpu = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN) - used;
    return took;
}

static bench_stats repeated(const bench *b,
                            bench_clock clock,
                            bench_fn before,
                            bench_fn fn,
                            void *context,
                            uint32_t least,
                            uint32_t most)
{
    static double samples[SAMPLES_MAX], cpu[SAMPLES_MAX];
    uint32_t count = 0;
    for (double spent = 0;
         count < most && (count < least || (!b->quick && spent < LONG_ENOUGH));
         count++) {
        samples[count] = timed(clock, before, fn, context, &cpu[count]);
        spent += samples[count];
    }
    bench_stats s = bench_stats_of(samples, count);
    s.cpu = clock == BENCH_WALL ? bench_stats_of(cpu, count).median : 0;
    return s;
}

bench_stats bench_measure(const bench *b,
                          bench_clock clock,
                          bench_fn before,
                          bench_fn fn,
                          void *context)
{
    double cpu;
    (void)timed(clock, before, fn, context, &cpu);
    return repeated(b, clock, before, fn, context,
                    b->quick ? SAMPLES_QUICK : SAMPLES_LEAST, SAMPLES_MAX);
}

bench_stats bench_scaled(bench_stats s, double by)
{
    return (bench_stats){s.median * by, s.low * by, s.high * by, s.samples,
                         s.cpu * by};
}

bench_stats bench_rate(bench_stats ms, double things)
{
    if (ms.samples == 0 || ms.median <= 0)
        return (bench_stats){0};
    double scale = things / 1e3;
    return (bench_stats){scale / ms.median, scale / ms.high, scale / ms.low,
                         ms.samples, 0};
}

int bench_run(const char *const *command,
              const char *output,
              struct rusage *ret_usage)
{
    process_options options = process_options_default();
    struct rusage usage;
    etna_error err;
    pid_t child;
    int status = -1;
    int to = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    options.fds[STDOUT_FILENO] = to;
    if (to < 0 || process_start(command[0], command, &options, &child, &err))
        bench_die(command[0], "cannot be run");
    close(to);
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
        bench_die(command[0], "ended badly");
    if (ret_usage)
        *ret_usage = usage;
    return WEXITSTATUS(status);
}
