/* What the files of coverage share: whether the moves of a clause show what it
 * says. */
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
/* "Against the trunk, within half a metre": `said` has a length at most, and
 * what touches is within any, so that no move needs to have it. */
bool touch_is_within(const reader *r, const chart_node *said, uint32_t first);
etna_code refuse_left_over(reader *r, const chart_node *node);

/* ---- coverage_shown.c ---- */
bool shows_facing(const builtin_move *m);
bool shows_order(const builtin_move *m);
/* Does what a phrase of the clause says show in the moves? One of a kind that no
 * rule knows does not. */
bool place_is_shown(const reader *r,
                    const chart_node *said,
                    const chart_node *place,
                    uint32_t first);
/* Does any rule tell what shows a phrase of this kind? */
bool place_has_rule(const char *name);
/* "So that they face the stage": what is told there counts as what is told
 * beside it. */
bool purpose_is_shown(const reader *r,
                      const chart_node *so_that,
                      uint32_t first);

/* ---- coverage_places.c ---- */

/* Of one place of a clause: ETNA_E_INPUT: what of it the moves leave out. */
etna_code place_check(reader *r, const chart_node *place, uint32_t first);
/* The same of what a purpose names. */
etna_code purpose_check_places(reader *r,
                               const chart_node *so_that,
                               uint32_t first);

/* ---- coverage_named.c ---- */

/* Of one place of a clause: are the things that it speaks of in the moves, in
 * the part that it gives them? ETNA_E_INPUT: what of it they drop. */
etna_code place_check_named(reader *r, const chart_node *place, uint32_t first);

/* ---- coverage_moves.c ---- */

/* Of a clause as a whole: can its moves mean what it says? ETNA_E_INPUT: no
 * thing could be so. */
etna_code moves_check(reader *r, const chart_node *said, uint32_t first);

#endif
