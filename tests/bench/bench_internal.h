/* What bench.c, measure.c, report.c, peers.c and made.c share. */
#ifndef ETNA_TESTS_BENCH_BENCH_INTERNAL_H
#define ETNA_TESTS_BENCH_BENCH_INTERNAL_H

#include "tests/bench/bench.h"

#include <regex.h>

enum {
    ROWS_MAX = 128,
    PEER_LINES_MAX = 128,
    GROWTHS_MAX = 32,
    PATHS_MAX = 64,
    TEXT_MAX = 200
};

typedef struct peer_line { /* what a peer said of a line */
    char id[64], name[64];
    bench_stats stats;
    uint64_t triangles;
    double check;
} peer_line;

typedef struct peer_state {
    /* `ask`: a shell command that fails where it is missing */
    const char *peer, *package, *ask;
    int there; /* 0: not asked yet, 1: yes, -1: no */
} peer_state;

struct bench {
    bool quick, json, peers;
    const char *results; /* folder, or NULL */
    bool keep;           /* every line ran, or --results was said */
    regex_t lines;
    bool has_lines;
    char cpu[TEXT_MAX];
    unsigned cores;
    double load; /* of the machine when the run began */
    uint32_t row_count, peer_count, growth_count, path_count;
    bench_row rows[ROWS_MAX];
    char notes[ROWS_MAX][TEXT_MAX];
    peer_line peer_lines[PEER_LINES_MAX];
    bench_growth growths[GROWTHS_MAX];
    char *paths[PATHS_MAX];
    char folder[512];
};

const peer_state *peer_find(const char *peer);
const peer_line *peer_line_find(const bench *b, const char *id);

/* What follows from a row and its peer's line. */
typedef struct row_verdict {
    /* NULL: none, or not to be compared: `why` says so in words */
    const peer_line *peer;
    char why[TEXT_MAX];
    double ratio; /* how many times better than the peer; 0: not known */
    /* by which this machine is slower than the one the goal was set on; 0: not
     * known */
    double factor;
    /* ours by the goal as it is written: above 1 it is missed; 0: no goal */
    double over;
    /* the same with the factor; 0 where it is not known */
    double goal_here, over_here;
} row_verdict;
row_verdict report_judge(const bench *b, const bench_row *row);
double report_exponent(const bench_growth *g);
double report_allowed(const bench_growth *g);

void report_table(const bench *b);
void report_json(const bench *b);
void report_csv(const bench *b);

#endif
