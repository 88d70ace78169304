/* etna-bench: measures what DESIGN.md 6 speaks of, as far as it is built, on scenes of ours and on the house of other
 * people's data where that is there. */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES_MAX = 2000 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_time(double ms)
{
    if (ms < 1e-3) {
        printf(" %8.1f ns", ms * 1e6);
    } else if (ms < 1) {
        printf(" %8.1f us", ms * 1e3);
    } else {
        printf(" %8.2f ms", ms);
    }
}

double bench_line(const char *name, bench_fn fn, void *context, double per, const char *goal)
{
    static double samples[SAMPLES_MAX];
    size_t count = 0;
    fn(context);
    for (double start = now_ms(); count < SAMPLES_MAX && (count < 5 || now_ms() - start < 1000);) {
        double t = now_ms();
        fn(context);
        samples[count++] = now_ms() - t;
    }
    qsort(samples, count, sizeof *samples, by_value);
    printf("%-52s", name);
    print_time(samples[count / 2] / per);
    printf("  (");
    print_time(samples[count / 4] / per);
    printf(" ..");
    print_time(samples[3 * count / 4] / per);
    printf(", n=%zu)%s%s\n", count, goal ? "  goal " : "", goal ? goal : "");
    fflush(stdout);
    return samples[count / 2];
}

void bench_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void bench_die(const char *what, const char *why)
{
    fprintf(stderr, "etna-bench: %s: %s\n", what, why);
    exit(4);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "placements") == 0) {
        bench_first_free();
        bench_placements(argc > 2 ? (unsigned)atoi(argv[2]) : 500);
        return 0;
    }
    const char *data = getenv("ETNA_TEST_DATA");
    char house[4096];
    snprintf(house, sizeof house, "%s/scenes/aws_small_house/small_house.glb", data ? data : ETNA_SOURCE_DIR "/../shared/data");
    bench_geometry(ETNA_BINARY_DIR "/scenes/bottles.glb", "bottles");
    if (access(house, R_OK) == 0) {
        bench_geometry(house, "house");
    } else {
        bench_note("no house: %s is not there", house);
    }
    bench_keeping();
    return 0;
}
