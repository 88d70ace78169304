/* A line of the benchmark: a thing done again and again, its median and spread printed. Nothing here fails on time. */
#ifndef ETNA_TESTS_BENCH_BENCH_H
#define ETNA_TESTS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

typedef void (*bench_fn)(void *context);

/* Warms up once, repeats for about a second (at least 5 times), prints `name`, the median and quartiles of one call divided
 * by `per` (how many things a call does), and `goal` (may be NULL). Returns the median in ms of one call. */
double bench_line(const char *name, bench_fn fn, void *context, double per, const char *goal);
void bench_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void bench_die(const char *what, const char *why);

void bench_geometry(const char *scene, const char *label);
void bench_keeping(void);
void bench_placements(unsigned count); /* `etna-bench placements [COUNT]` */
void bench_first_free(void);

#endif
