/* What the searches for places share. A search adds the places that it knows
 * for one move of one thing to a list; only seek.c, which has the table of
 * them, and they themselves include this.
 *
 *   seek_list.c      the list: what was refused before does not come into it
 *   seek_heading.c   how the thing is turned there
 *   seek_standing.c  on a thing, or beside what stands on it, by the maps of free cells
 *   seek_order.c     which of those comes first
 *   seek_drop.c      in and on what has no level top
 *   seek_ring.c      around a thing where no map knows what bears things
 *   seek_wall.c      at walls and on them
 *   seek_point.c     where the move itself says
 *   seek_tuck.c      a seat pushed in under a table */
#ifndef ETNA_WORKER_BUILTIN_PLAN_SEEK_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLAN_SEEK_INTERNAL_H

#include "worker/builtin/plan/planner_internal.h"

#define SEEK_LET_DOWN \
    0.01 /* metres above a surface from which a thing is let down */

/* At the list's end, where there is room and the plan was not refused
 * before. */
void seek_add(const planner *p, plan_list *list, const plan *next);
/* Of those from there on, what was refused as it is now: turned since it was
 * added. */
void seek_drop_refused(const planner *p, plan_list *list, uint32_t from);
/* The same place, and then more and more around it, up to `widest` metres. */
void seek_add_widening(const planner *p,
                       plan_list *list,
                       const plan *next,
                       double widest);

/* So that its front points that way; unit. */
void seek_set_yaw(const planner *p, plan *chosen, const double front_way[2]);
/* What the move says about its heading at that place, or what people would
 * expect there. */
void seek_turn_there(const planner *p, const builtin_move *move, plan *chosen);
/* A planner in whose scene (*facts) the thing's front points `way`.
 * ETNA_E_NOMEM. */
etna_code seek_as_turned(const planner *p,
                         uint32_t object,
                         const double way[2],
                         planner *ret,
                         builtin_facts *facts);

/* Places on what the move is about, with room for the `rest` of things that go
 * there too, where there is such a place. ETNA_E_NOMEM. */
etna_code seek_standing(const planner *p,
                        const builtin_move *move,
                        uint32_t object,
                        const uint32_t *rest,
                        uint32_t rest_count,
                        plan_list *list);

/* Is the place said by what stands there? */
bool seek_is_beside(const builtin_facts *facts, const builtin_move *move);

typedef struct seek_drop { /* over the top of a thing, on a grid of its box */
    uint32_t reference;
    double share; /* of its half sides */
    /* only where something stands already; else only where nothing does */
    bool taken_too;
    bool aside; /* more is to come: not in the middle */
} seek_drop;

void seek_add_from_above(const planner *p,
                         const builtin_move *move,
                         uint32_t object,
                         const seek_drop *over,
                         plan_list *list);
/* Onto what lies in the reference already. */
void seek_add_on_contents(const planner *p,
                          uint32_t object,
                          uint32_t reference,
                          plan_list *list);
/* One crate on another where the pallet has no room for both: before the list's
 * places, or instead of none. ETNA_E_NOMEM. */
etna_code seek_onto_mates(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          uint32_t reference,
                          plan_list *list);

/* The hill in whose box both are, where no surface is known at the other's
 * foot: what is put there comes down to the hill; BUILTIN_NONE: there is
 * none. */
uint32_t seek_hill(const builtin_facts *facts, uint32_t object, uint32_t other);
/* Around the reference, on its own height: where nothing is known to bear
 * things, as in a file without a floor, or where `support` is uneven there and
 * only the true shapes can tell how a thing stands on it. */
void seek_around(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 uint32_t support,
                 plan_list *list);

/* Turned as the move says: its footprint is another then. */
etna_code seek_turned_as_said(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              plan_list *list);
/* With its back to the wall that it is to stand against; nothing where it may
 * stand as it is turned. ETNA_E_NOMEM. */
etna_code seek_against(const planner *p,
                       const builtin_move *move,
                       uint32_t object,
                       plan_list *list);
/* Beside what has its back to a wall, with its own to that. */
etna_code seek_along_wall(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          plan_list *list);
/* Is what hangs on a wall to come nearer to something, or farther away? It
 * stays on its wall. */
bool seek_slides(const planner *p, const builtin_move *move, uint32_t object);
void seek_slid(const planner *p,
               const builtin_move *move,
               uint32_t object,
               plan_list *list);
etna_code seek_hung(const planner *p,
                    const builtin_move *move,
                    uint32_t object,
                    plan_list *list);

/* What hangs or hovers: with the middle of its box at `centre`. */
void seek_add_in_air(const planner *p,
                     uint32_t object,
                     const double centre[3],
                     const builtin_move *move,
                     double widest,
                     plan_list *list);
/* Each of these adds the places that its relation allows to the list, the best
 * first. */
void seek_at_point(const planner *p,
                   const builtin_move *move,
                   uint32_t object,
                   plan_list *list);
void seek_old_place(const planner *p,
                    const builtin_move *move,
                    uint32_t object,
                    plan_list *list);
void seek_shifted(const planner *p,
                  const builtin_move *move,
                  uint32_t object,
                  plan_list *list);
void seek_turned(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 plan_list *list);
void seek_over(const planner *p,
               const builtin_move *move,
               uint32_t object,
               plan_list *list);
void seek_tucked(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 plan_list *list);

#endif
