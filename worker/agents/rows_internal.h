/* What the reading of constraints shares. Nobody else includes this.
 *
 *   rows.c      where rows stand in what a model wrote
 *   row_form.c  what one row says */
#ifndef ETNA_WORKER_AGENTS_ROWS_INTERNAL_H
#define ETNA_WORKER_AGENTS_ROWS_INTERNAL_H

#include "worker/agents/rows.h"
#include "worker/solve/constraint.h"

enum {
    ARGUMENTS_MAX = 8
};

typedef struct rows {
    json_t *out;
    picture_scale *scale;
    etna_error *err;
    etna_code code;
    unsigned nested;
    /* what moves, once it is known: what a row says of that is no part of it */
    const char *subject;
} rows;

typedef struct arguments {
    uint32_t count;
    uint32_t nulls;                /* beside them */
    json_t *values[ARGUMENTS_MAX]; /* borrowed; NULL: taken */
} arguments;

/* Notes a failure; the first one is kept. */
void rows_fail(rows *r, etna_code code, const char *what);
/* 0: no constraint is called so. NULL is no name. */
constraint_kind rows_kind_named(const char *name);
/* "ContactConstraint" is a Contact; 0: it is no such name. */
constraint_kind rows_kind_with_suffix(const char *name);
/* Of a text, by either; 0 of any other value. */
constraint_kind rows_kind_of(const json_t *value);
/* Does it say where on a thing a pixel is: "center", "bottom face"? */
bool rows_is_pixel_word(const json_t *value);
/* Appends one row to the output: what has the form is kept as it is, what can be
 * brought to it is, and all else goes through as written, so that worker/solve
 * says what is wrong with it. Out of memory is noted. */
void rows_emit(rows *r, constraint_kind kind, const arguments *all);

#endif
