/* See stats.h. */
#include "coordinator/bench/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    DRAWS = 2000,
    EXACT_MOST = 16,
    SIGN_DRAWS = 65536
};

/* SplitMix64: a draw depends on nothing but how many there were before. */
static uint64_t draw_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

size_t stats_draw(uint64_t *state, size_t count)
{
    return (size_t)(draw_next(state) % count);
}

double stats_rate(const cell *cells, size_t count)
{
    double hits = 0, of = 0;
    for (size_t i = 0; i < count; i++) {
        hits += cells[i].hits;
        of += cells[i].of;
    }
    return of > 0 ? hits / of : (double)NAN;
}

static int double_compare(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

double stats_median(double *values, size_t count)
{
    if (!count)
        return 0;
    qsort(values, count, sizeof *values, double_compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static double rate_drawn(const cell *cells,
                         size_t scenes,
                         size_t repeats,
                         uint64_t *state)
{
    double hits = 0, of = 0;
    for (size_t i = 0; i < scenes; i++) {
        const cell *scene = cells + stats_draw(state, scenes) * repeats;
        for (size_t r = 0; r < repeats; r++) {
            const cell *one = &scene[stats_draw(state, repeats)];
            hits += one->hits;
            of += one->of;
        }
    }
    return of > 0 ? hits / of : (double)NAN;
}

bool stats_bootstrap(const cell *cells,
                     size_t scenes,
                     size_t repeats,
                     interval *ret)
{
    uint64_t state = 1;
    size_t kept = 0;
    double *rates = malloc(DRAWS * sizeof *rates);
    if (!rates)
        return false;
    for (int i = 0; scenes && repeats && i < DRAWS; i++) {
        double rate = rate_drawn(cells, scenes, repeats, &state);
        if (!isnan(rate))
            rates[kept++] = rate;
    }
    *ret = (interval){(double)NAN, (double)NAN};
    if (kept) {
        qsort(rates, kept, sizeof *rates, double_compare);
        ret->low = rates[(size_t)(0.025 * (double)(kept - 1))];
        ret->high = rates[(size_t)(0.975 * (double)(kept - 1) + 0.5)];
    }
    free(rates);
    return true;
}

interval stats_wilson(double hits, double of)
{
    const double z = 1.959963984540054;
    if (!(of > 0))
        return (interval){0, 1};
    double p = hits / of, square = z * z / of;
    double middle = (p + square / 2) / (1 + square);
    double half = z * sqrt(p * (1 - p) / of + square / (4 * of)) / (1 + square);
    return (interval){hits > 0 ? middle - half : 0,
                      hits < of ? middle + half : 1};
}

interval stats_difference_alike(double difference, size_t scenes)
{
    const double others = stats_wilson(0, (double)scenes).high;
    const double middle = (1 - others) * difference;
    return (interval){middle - others, middle + others};
}

/* The sum where bit i of `signs` turns the i-th difference round. */
static double sum_signed(const double *differences,
                         size_t count,
                         uint64_t *state,
                         uint64_t signs)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (state && i % 64 == 0)
            signs = draw_next(state);
        sum += signs >> (i % 64) & 1 ? -differences[i] : differences[i];
    }
    return sum;
}

/* Those that are not 0, to the front of `to`. */
static size_t differences_gather(const double *differences,
                                 size_t count,
                                 double *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (differences[i] != 0)
            to[kept++] = differences[i];
    }
    return kept;
}

double stats_permutation(const double *differences, size_t count)
{
    uint64_t state = 1, far = 0;
    double *kept = malloc((count + 1) * sizeof *kept);
    if (!kept)
        return 1; /* nothing is claimed that was not counted */
    size_t left = differences_gather(differences, count, kept);
    double seen = fabs(sum_signed(kept, left, NULL, 0)) - 1e-12;
    bool is_exact = left <= EXACT_MOST;
    uint64_t ways = is_exact ? UINT64_C(1) << left : SIGN_DRAWS;
    for (uint64_t way = 0; way < ways; way++)
        far +=
            fabs(sum_signed(kept, left, is_exact ? NULL : &state, way)) >= seen;
    free(kept);
    return is_exact ? (double)far / (double)ways
                    : (double)(far + 1) / (double)(ways + 1);
}

void stats_holm(double *p, size_t count)
{
    double before = 0;
    uint8_t *done = calloc(count + 1, 1);
    for (size_t k = 0; done && k < count; k++) {
        size_t least = count;
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && (least == count || p[i] < p[least]))
                least = i;
        }
        before = fmax(before, fmin(1, p[least] * (double)(count - k)));
        p[least] = before;
        done[least] = 1;
    }
    for (size_t i = 0; !done && i < count; i++)
        /* Bonferroni's asks for no memory */
        p[i] = fmin(1, p[i] * (double)count);
    free(done);
}

/* Of all ordered pairs of a list: the sum of their squared distances. */
static double pairs_apart(double count, double sum, double squares)
{
    return 2 * (count * squares - sum * sum);
}

double stats_alpha(const double *scores, size_t units, size_t judges)
{
    double observed = 0, all = 0, all_sum = 0, all_squares = 0;
    for (size_t u = 0; u < units; u++) {
        double count = 0, sum = 0, squares = 0;
        for (size_t j = 0; j < judges; j++) {
            double x = scores[u * judges + j];
            if (isnan(x))
                continue;
            count++;
            sum += x;
            squares += x * x;
        }
        if (count < 2)
            continue; /* nobody to agree with */
        observed += pairs_apart(count, sum, squares) / (count - 1);
        all += count;
        all_sum += sum;
        all_squares += squares;
    }
    double expected = pairs_apart(all, all_sum, all_squares) / (all - 1);
    return expected > 0 ? 1 - observed / expected : (double)NAN;
}
