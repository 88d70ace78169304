/* What the files of rows and piles share. Nobody else includes this.
 *
 *   row.c        a row or a pile, as one clause tells it
 *   row_order.c  which thing comes where in it
 *   row_tell.c   what later clauses say of its order
 *
 * A row runs from left to right, a pile from the bottom up; `row` of a move has
 * its things in that order. */
#ifndef ETNA_WORKER_BUILTIN_READ_ROW_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_ROW_INTERNAL_H

#include "worker/builtin/read/clause.h"

bool order_is_backward(uint32_t order);
bool order_is_by_size(uint32_t order);
bool order_is_by_number(uint32_t order);

/* Ranks for set_sort: by footprint, as `context`, an order of the lexicon, says;
 * from left to right in the picture. */
double row_rank_size(const reader *r, uint32_t object, const void *context);
double row_rank_seen(const reader *r, uint32_t object, const void *context);

/* Puts one thing of the row to a place of its order: 0 first, count - 1 last. */
void row_place(uint32_t *row, uint32_t count, uint32_t object, uint32_t place);
void row_reverse(uint32_t *row, uint32_t count);

/* The whole order of the clause's row or pile. It binds where it is said, and
 * always in a pile. */
etna_code row_find_order(clause *c, builtin_move *m);
/* "From left to right green, red, blue": the order that the clause lists. */
etna_code row_take_list(clause *c, builtin_move *m);
/* All of the move's things, in the order that is listed. *ret_done stays as it
 * is where they are not so many. */
etna_code row_order_all(reader *r,
                        builtin_move *m,
                        const chart_node *listed,
                        bool *ret_done);

/* "In the middle", of nothing that is named. */
bool place_is_amid(const chart_node *place);

/* Where the clause has the row stand. */
etna_code row_take_destinations(clause *c, builtin_move *m);

/* 1 + the move's place in the reading; of what is to replace the last one, that
 * one's. */
uint32_t row_number(const reader *r, const builtin_move *m);

#endif
