/* What can be said of rates over a few scenes. Pure: the same bits for the same
 * counts. */
#ifndef ETNA_COORDINATOR_BENCH_STATS_H
#define ETNA_COORDINATOR_BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct interval {
    double low, high;
} interval;

typedef struct cell { /* of one scene in one repeat */
    double hits, of;
} cell;

/* A number below `count` (not 0) that depends on *state alone, which goes
 * on. */
size_t stats_draw(uint64_t *state, size_t count);

/* The rate of all cells, hits over of; NAN where there is nothing. */
double stats_rate(const cell *cells, size_t count);

/* The middle one, or between the two middle ones; sorts them. 0 of none. */
double stats_median(double *values, size_t count);

/* Its 95 % interval by bootstrap: scenes are drawn, then repeats of each.
 * `cells` holds a scene's repeats one after the other. False: out of memory.
 * Where there is nothing both ends are NAN. Cost: 2,000 times the cells. */
bool stats_bootstrap(const cell *cells,
                     size_t scenes,
                     size_t repeats,
                     interval *ret);

/* Wilson's 95 % interval of hits out of `of`: what a rate of 0 or 1 still
 * allows. */
interval stats_wilson(double hits, double of);

/* The 95 % interval of a mean difference of rates where each of the scenes that
 * were looked at differs by `difference`, so that a bootstrap knows no other
 * value: of all scenes at most Wilson's share differs by something else, which
 * is -1 to 1. */
interval stats_difference_alike(double difference, size_t scenes);

/* How often a mean of differences as far from 0 comes about when each one's
 * sign is chance: over all signs where there are at most 16 that are not 0,
 * else over 65,536 drawn ones. 1 for none. */
double stats_permutation(const double *differences, size_t count);

/* Krippendorff's alpha, for numbers whose distance counts: `scores` holds a
 * unit's from each judge one after the other, NAN where that one said nothing.
 * 1: they agree; 0: as chance would; NAN: nothing was scored twice, or all
 * alike. */
double stats_alpha(const double *scores, size_t units, size_t judges);

/* Holm's step-down over p[count], in place. */
void stats_holm(double *p, size_t count);

#endif
