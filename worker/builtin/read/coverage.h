/* What coverage.c, coverage_named.c and coverage_moves.c share: whether the
 * moves of a clause show what it says. */
#ifndef ETNA_WORKER_BUILTIN_READ_COVERAGE_H
#define ETNA_WORKER_BUILTIN_READ_COVERAGE_H

#include "worker/builtin/read/details.h"

typedef bool move_shows(const builtin_move *m);

/* Does any of the moves from `first` on? */
bool moves_show(const reader *r, uint32_t first, move_shows *shows);
/* Is the thing moved by one of them, or named as where it goes or what it looks
 * at? */
bool moves_name(const reader *r, uint32_t first, uint32_t object);
bool shows_distance(const builtin_move *m);
etna_code refuse_left_over(reader *r, const chart_node *node);

/* ---- coverage_named.c ---- */

/* Of one place of a clause: are the things that it speaks of in the moves, in
 * the part that it gives them? ETNA_E_INPUT: what of it they drop. */
etna_code place_check_named(reader *r, const chart_node *place, uint32_t first);

/* ---- coverage_moves.c ---- */

/* Of a clause as a whole: can its moves mean what it says? ETNA_E_INPUT: no
 * thing could be so. */
etna_code moves_check(reader *r, const chart_node *said, uint32_t first);

#endif
