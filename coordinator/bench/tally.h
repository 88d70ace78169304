/* The table of a benchmark: a row for each variant, way of asking (steps, goal)
 * and level (easy, hard, all), of the lines of one or several results.jsonl.
 * Denominators: success, valid success and completion are of all steps, those
 * not reached among them, as failures; collision and floating are of the steps
 * that were reached. */
#ifndef ETNA_COORDINATOR_BENCH_TALLY_H
#define ETNA_COORDINATOR_BENCH_TALLY_H

#include "coordinator/bench/results.h"
#include "coordinator/bench/stats.h"
#include "coordinator/report/page.h"

typedef enum tally_level {
    TABLE_EASY,
    TABLE_HARD,
    TABLE_ALL,
    TABLE_LEVELS
} tally_level;
typedef enum tally_rate { /* in the order of columns */
    RATE_SUCCESS,
    /* done, nothing collides or floats by our rules, and all stays put */
    RATE_VALID,
    RATE_COMPLETION,
    RATE_COLLISION,
    RATE_FLOATING,
    RATE_PAPER_COLLISION,
    RATE_PAPER_FLOATING,
    /* something does not stay where it was put, by an engine of others */
    RATE_UNSTABLE,
    /* of steps that evaluators let pass: those whose predicates do not hold */
    RATE_FALSE_ACCEPT,
    /* what judges gave a step, 0 to 4, in the mean; not a rate, but read like
     * one */
    RATE_PLAUSIBILITY,
    RATE_CONSISTENCY, /* its correctness */
    /* of judges' words of steps that are nearly done: those that they are not */
    RATE_NEAR,
    RATES
} tally_rate;
typedef enum tally_form {
    TABLE_MARKDOWN,
    TABLE_TEX,
    TABLE_CSV
} tally_form;

typedef struct tally_row {
    const char *variant; /* borrowed of the results */
    bool is_goal;
    tally_level level;
    size_t scenes, steps, unreached; /* steps of all repeats */
    double rate[RATES];
    /* by bootstrap over scenes; where all scenes have the same, Wilson's */
    interval range[RATES];
    double scene_success; /* share of runs all of whose steps were done */
    double edits;         /* kept, per step that was reached */
    double branches;      /* tried, per kept edit */
    double tokens, cost;  /* per run */
    /* share of the branches decided about that collided or floated */
    double by_checks;
    double by_models; /* that evaluators did not like */
    /* of those taken, how many left the place that the planner pointed at */
    double widened;
    /* how far judges agreed on plausibility and consistency, stats_alpha; NAN:
     * nobody judged */
    double alpha[2];
} tally_row;

typedef struct tally {
    tally_row *rows;
    size_t count;
} tally;

extern const char *const tally_level_words[TABLE_LEVELS];

typedef struct tally_choice { /* of lines, those of a row */
    const char *variant;
    bool is_goal;
    tally_level level;
} tally_choice;
bool tally_choice_has(const tally_choice *c, const result_row *r);

/* A cell's text, which may be anybody's, so that it neither ends the cell nor
 * commands anything. */
void tally_word(page *to, tally_form form, const char *text);

/* What a judge must find better than, to say that a step is done. */
#define TALLY_FAIR 2.0

/* What the line counts for of a rate: 1 or 0, of judges' scores their mean, of
 * near misses the share of judges. */
double tally_row_hits(const result_row *r, tally_rate rate);

/* Variants in the order of their first line; a level or a way of which there is
 * none has no row. False: out of memory. The caller frees; `rows` must outlive
 * it. */
bool tally_make(const result_row *rows, size_t count, tally *ret);
void tally_free(tally *t);
/* Columns that are empty in every row are left out, but of CSV. */
void tally_print(const tally *t, tally_form form, page *to);

/* Of the steps of one variant, way and level, the cells of a rate, a scene's
 * repeats one after the other, allocated; scenes in the order of their first
 * line, their names in *ret_names if that is not NULL, allocated, borrowing the
 * names. False: out of memory. */
bool tally_cells(const result_row *rows,
                 size_t count,
                 const char *variant,
                 bool is_goal,
                 tally_level level,
                 tally_rate rate,
                 cell **ret_cells,
                 const char ***ret_names,
                 size_t *ret_scenes,
                 size_t *ret_repeats);

#endif
