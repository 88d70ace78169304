/* report.html of a benchmark: the table, and every step with its picture and
 * what was asked of it. */
#ifndef ETNA_COORDINATOR_BENCH_GALLERY_H
#define ETNA_COORDINATOR_BENCH_GALLERY_H

#include "coordinator/bench/tally.h"

/* Where a page of a benchmark begins: all up to its title. */
void gallery_open(const char *title, page *to);

/* `rows` are the lines of results.jsonl; without `has_pictures` there is no
 * runs/ beside the page. */
void gallery_print(const char *suite_name,
                   const tally *t,
                   const json_t *rows,
                   bool has_pictures,
                   page *to);

#endif
