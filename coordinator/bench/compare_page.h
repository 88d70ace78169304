/* The steps in which two variants differ, with both pictures. */
#ifndef ETNA_COORDINATOR_BENCH_COMPARE_PAGE_H
#define ETNA_COORDINATOR_BENCH_COMPARE_PAGE_H

#include "coordinator/bench/compare.h"
#include "coordinator/report/page.h"

typedef struct compare_folder { /* a benchmark's */
    const char *path;           /* absolute */
    /* as results_read gives them: a run's steps one after the other */
    const result_row *rows;
    size_t count;
} compare_folder;

/* A whole page: each comparison's figures, and every step that one of the two
 * has and the other has not, by `rate`. */
void compare_page_print(const compare_folder *base,
                        const char *base_variant,
                        const compare_folder *other,
                        const comparison *list,
                        size_t count,
                        bool is_goal,
                        tally_rate rate,
                        page *to);

#endif
