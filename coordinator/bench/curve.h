/* Success against tokens as a drawing: what each variant's lists took and which
 * share of their steps is valid for it. */
#ifndef ETNA_COORDINATOR_BENCH_CURVE_H
#define ETNA_COORDINATOR_BENCH_CURVE_H

#include "coordinator/bench/tally.h"
#include "coordinator/report/page.h"

/* A section of a page with a point for each variant, its interval upright, and
 * a line through those that differ by the number of branches alone. Of suites
 * that have goals alone, these. Nothing where there are less than two. */
void curve_print(page *to, const tally *t);

#endif
