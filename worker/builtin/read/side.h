/* Directions and sides: of the picture, in which people say "left" and
 * "behind", and of a thing's own frame, which has ends and a front. Sides are
 * SIDE_ bits of builtin.h; LEXICON_LEFT to LEXICON_BACK are the same bits. */
#ifndef ETNA_WORKER_BUILTIN_READ_SIDE_H
#define ETNA_WORKER_BUILTIN_READ_SIDE_H

#include "worker/builtin/read/reader.h"

/* A direction of the picture in the world: unit, horizontal but for up and
 * down. */
void direction_way(const reader *r, lexicon_direction direction, double ret[3]);
/* LEFT to BEHIND for sides of the picture; `none` where no side is said. */
builtin_relation side_relation(unsigned sides, builtin_relation none);
/* LEFT to BACK for the same; 0: none. */
lexicon_direction side_direction(unsigned sides);
/* And back; 0: the relation is none of these. */
unsigned side_of_relation(builtin_relation relation);
/* RELATION_BESIDE has no opposite and stays. */
builtin_relation relation_opposite(builtin_relation relation);
/* The side of the reference that is opposite to where the thing is now, in the
 * picture. */
builtin_relation side_opposite(const reader *r,
                               uint32_t object,
                               uint32_t reference);
/* The same for `object` beside what this text puts beside the reference before
 * it, which then keeps to its own side. */
builtin_relation side_opposite_of_last(reader *r,
                                       uint32_t object,
                                       uint32_t reference);
/* Of a corner "other" than the one it is in: the sides that were not said are
 * turned round. Of an end, where no side was said, it is the end that lies
 * across the middle of the reference, be it nearer or farther. */
unsigned sides_other(const reader *r,
                     unsigned sides,
                     uint32_t object,
                     uint32_t reference,
                     bool is_end);
/* A side of the picture as a side of the thing's own frame (front: its
 * heading). */
unsigned side_own(const reader *r, uint32_t object, unsigned side);
/* And back; and its way in the world. */
unsigned side_in_picture(const reader *r, uint32_t object, unsigned own);
void side_way(const reader *r, uint32_t object, unsigned side, double ret[2]);
/* Of what has no front of its own: its sides that are most to the picture's
 * left and right. */
void sides_in_picture(const reader *r, uint32_t object, unsigned ret[2]);
/* The two long sides of a thing in its own frame. */
void sides_long(const reader *r, uint32_t object, unsigned ret[2]);
/* The two ends of a long thing in its own frame, and the one by which fewest
 * other things than the moved stand. */
void ends_own(const reader *r, uint32_t object, unsigned ret[2]);
unsigned end_free(const reader *r, uint32_t object, const builtin_set *moved);
/* And the same of the two long sides. */
unsigned long_side_free(const reader *r,
                        uint32_t object,
                        const builtin_set *moved);
/* The vector toward (or away from) the nearest point of another thing, as long
 * as asked. */
void shift_toward(const reader *r,
                  uint32_t object,
                  uint32_t reference,
                  double metres,
                  bool away,
                  double ret[3]);

/* "To the back of the shelf", "to the left side of the desk", of what stands on
 * it already: to that part of its top, and not beyond. `rel` is the preposition
 * that says the side. */
bool side_is_of_top(const reader *r,
                    const chart_node *rel,
                    unsigned side,
                    const builtin_set *movers,
                    uint32_t base);

/* The axes of a box that are nearest to the picture's right and to the way into
 * it. */
void side_axes(const builtin_facts *facts,
               const builtin_object *base,
               double ret[2][2]);

#endif
