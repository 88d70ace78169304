/* Relations as geometry: how far things are from standing as a move says. */
#ifndef ETNA_WORKER_BUILTIN_RELATION_H
#define ETNA_WORKER_BUILTIN_RELATION_H

#include "worker/builtin/builtin.h"

/* How far a thing whose bottom's middle is at `at` is from standing as the move
 * says, metres or so: 0 and less is right, and the less the better. Support and
 * facing apart. */
double builtin_misfit(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const double at[3]);
/* Metres between the thing and what it is to be beside, on the side that is
 * asked; 0 where the move asks for no such. */
double builtin_gap(const builtin_facts *facts,
                   const builtin_move *move,
                   uint32_t object,
                   const double at[3]);
/* The wall that stands where the thing would come beside the reference, on the
 * side that is asked; BUILTIN_NONE. */
uint32_t builtin_wall_at_side(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object);
/* Where PLACE leads: the middle of the bottom of what stood there when the run
 * began (of several: the middle of them). */
void builtin_old_place(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[3]);
/* Is it to come beside what is in the air, as it is itself, a cloud to a cloud?
 * Then it stays there, and nothing bears it. */
bool builtin_hovers_on(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t object);
/* "Under the workbench": is what lies at that height, in metres, a board of its
 * own below its top, where the relation is so and the reference is one under
 * which people put things? */
bool builtin_has_lower_board(const builtin_facts *facts,
                             const builtin_move *move,
                             double height);
/* What a thing must stand on for the move to hold; BUILTIN_NONE: it does not
 * matter, or nobody knows. */
uint32_t builtin_support_of(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object);
/* Degrees between the thing's front and where the move wants it; 0 when it
 * wants nothing. */
double builtin_facing_off(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t object);
/* Where its front is to point when the thing's middle is at `from`; false:
 * nowhere, it is there. */
bool builtin_facing_way(const builtin_facts *facts,
                        const builtin_move *move,
                        const double from[3],
                        double ret[2]);
/* From a chair that faces a table, at a side of it, straight to that side;
 * false: it stands at a corner, or the thing is no table. */
bool builtin_way_across_table(const builtin_facts *facts,
                              const builtin_move *move,
                              const double from[3],
                              double ret[2]);
/* The thing's front: as somebody said, else away from a seat's back. False:
 * nobody knows, and *ret is its heading. */
bool builtin_front_of(const builtin_facts *facts,
                      uint32_t object,
                      double ret[2]);
/* Where the fronts of both look; false: nobody knows, or they look different
 * ways, and *ret is untouched. Unit, level. */
bool builtin_pair_front(const builtin_facts *facts,
                        const uint32_t pair[2],
                        double ret[2]);
/* Furniture with its back to a wall looks away from it. False: it stands at
 * none, *ret untouched. */
bool builtin_front_from_wall(const builtin_facts *facts,
                             uint32_t object,
                             double ret[2]);
/* The wall that the thing has its back to, by its box, and the way that it looks
 * then; BUILTIN_NONE: it has none there. */
uint32_t builtin_wall_at_back(const builtin_facts *facts,
                              uint32_t object,
                              double ret_front[2]);
/* Fixed, higher than a person, and thin. */
bool builtin_is_wall(const builtin_object *object);
/* The same, or of half a person's height: a screen, a parapet. */
bool builtin_is_wall_like(const builtin_object *object);
/* Horizontal unit vectors of the picture: to its right, and away from the
 * viewer. */
void builtin_picture_axes(const builtin_facts *facts,
                          double ret_right[2],
                          double ret_away[2]);
/* LEFT to BEHIND: out of the reference to the side that is meant; unit,
 * level. */
void builtin_side_axis(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[2]);
/* Half of a box's extent along a horizontal direction. */
double builtin_extent(const builtin_object *object, const double way[2]);
/* OVER: metres from the reference's middle that will do. */
double builtin_over_slack(const builtin_object *object,
                          const builtin_object *reference,
                          bool stands_on_it);
/* END: from the reference's middle to the side that is meant; unit. */
void builtin_end_axis(const builtin_facts *facts,
                      const builtin_move *move,
                      double ret[2]);
/* One of a move's further conditions as a move of its own. */
builtin_move builtin_condition_move(const builtin_move *move,
                                    const builtin_condition *condition);
/* What is below the thing where `o` has it, which may hover over that by a
 * hand's breadth; BUILTIN_NONE: nothing that is known. */
uint32_t builtin_support_below(const builtin_facts *facts,
                               uint32_t object,
                               const builtin_object *o);
/* The surface under a place, and whose; BUILTIN_NONE: none. */
uint32_t builtin_surface_under(const builtin_facts *facts,
                               const double at[3],
                               uint32_t not_of);
/* The height at which another thing would stand where the thing had its foot at
 * `at`: on what is less than a hand's breadth below. */
double builtin_foot_height(const builtin_facts *facts,
                           uint32_t object,
                           const double at[3]);

#endif
