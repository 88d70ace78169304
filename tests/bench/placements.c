/* How often a free place is found on 500 crowded tables, and how long it takes;
 * beside it, what the paper's solver finds. */
#include "tests/unit/worker/solve/placements.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TABLES_MAX = 10000
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const char *name,
                      unsigned found,
                      unsigned count,
                      double *ms)
{
    qsort(ms, count, sizeof *ms, by_value);
    printf(
        "  %-28s %4u of %u (%.1f %%)  median %.1f ms, 95th percentile %.1f, worst %.1f of one core's time\n",
        name, found, count, 100.0 * found / count, ms[count / 2],
        ms[count * 95 / 100], ms[count - 1]);
}

void bench_placements(unsigned count)
{
    static double ours_ms[TABLES_MAX], papers_ms[TABLES_MAX], full[TABLES_MAX];
    const char *data = getenv("ETNA_TEST_DATA");
    placement_models *models =
        placement_models_load(data ? data : ETNA_SOURCE_DIR "/../shared/data");
    unsigned ours = 0, papers = 0, widened = 0;
    bool real;
    uint32_t kinds = placement_models_count(models, &real);
    count = count < 1 ? 1 : count > TABLES_MAX ? TABLES_MAX : count;
    for (unsigned i = 0; i < count; i++) {
        placement p;
        solve_result a, b;
        etna_error err = {0};
        if (!placement_make(models, i, &p, &err))
            bench_die("placements", err.text);
        full[i] = p.full;
        double t = now_ms();
        if (!placement_solve(&p, false, now_ms, &a, &err))
            bench_die("placements", err.text);
        ours_ms[i] = now_ms() - t;
        t = now_ms();
        if (!placement_solve(&p, true, now_ms, &b, &err))
            bench_die("placements", err.text);
        papers_ms[i] = now_ms() - t;
        ours += a.status == BRANCH_VALID;
        widened += a.status == BRANCH_VALID && a.widened;
        papers += b.status == BRANCH_VALID;
        if (getenv("ETNA_BENCH_EACH"))
            printf(
                "%u: %.0f %% full, %u objects; %s %s, %.1f ms (%.1f descent, %.1f the rest), %u checks, %u of support; off its pixel by %.3f; paper's %s\n",
                i, 100 * p.full, p.scene->object_count,
                a.status == BRANCH_VALID ? "found" : "NOT FOUND",
                a.widened ? "wide" : "near", ours_ms[i], a.solve_ms, a.check_ms,
                a.collision_checks, a.support_checks, a.pixel_off,
                b.status == BRANCH_VALID ? "found" : "not found");
        placement_free(&p);
    }
    qsort(full, count, sizeof *full, by_value);
    printf(
        "%u tables with one place known to be free, of %u %s, %.0f to %.0f %% full (median %.0f)\n",
        count, kinds, real ? "models" : "solids", 100 * full[0],
        100 * full[count - 1], 100 * full[count / 2]);
    print_row("etna", ours, count, ours_ms);
    print_row("--paper-solver", papers, count, papers_ms);
    printf(
        "  %u of etna's were found by looking over the whole plane; goals: 99 %%, 150 ms at the 95th percentile\n",
        widened);
    placement_models_free(models);
}
