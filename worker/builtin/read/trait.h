/* What a thing of the scene is, as far as sentences care: a wall, a table, a
 * seat, something large that stands on the floor. */
#ifndef ETNA_WORKER_BUILTIN_READ_TRAIT_H
#define ETNA_WORKER_BUILTIN_READ_TRAIT_H

#include "worker/builtin/place/likeness.h"
#include "worker/builtin/read/nouns.h"
#include "worker/builtin/read/reader.h"

static inline const builtin_object *object_at(const reader *r, uint32_t object)
{
    return &r->facts->objects[object];
}

/* Fixed and wide both ways: a floor, or a mesh of the whole room. */
bool object_is_ground(const reader *r, uint32_t object);
/* As builtin_is_wall_like has it. */
bool object_is_wall_like(const reader *r, uint32_t object);
/* A wall, a fence, a hedge: what people mean who put a thing with its back to
 * it. */
bool object_bounds_place(const reader *r, uint32_t object);
/* by WordNet's kinds */
bool object_is_kind(const reader *r, uint32_t object, const char *kind);
/* or a desk */
bool object_is_table(const reader *r, uint32_t object);
/* Is it one of the words of its name, in whatever number? */
bool object_has_word(const builtin_object *o, const char *word);
bool object_is_seat(const reader *r, uint32_t object);
/* or a bookcase: its top is one of its boards */
bool object_is_shelf(const reader *r, uint32_t object);
bool object_is_on_floor(const reader *r, uint32_t object);
/* Large and standing on the floor: it goes beside a thing, not on it. */
bool object_is_furniture(const reader *r, uint32_t object);
/* Is it what people leave on the floor, however small it is: a shoe, a bin? */
bool object_lives_on_ground(reader *r, uint32_t object);
/* Is it of one of the class's kinds? */
bool object_is_of(const reader *r, uint32_t object, noun_class class);
/* And by any word of its name ("Shoes.Heels")? */
bool object_is_called_of(reader *r, uint32_t object, noun_class class);
/* Neither furniture nor as wide: what people mean by "everything on the
 * floor". */
bool object_is_loose(const reader *r, uint32_t object);
/* it has a surface */
bool object_bears_things(const reader *r, uint32_t object);

/* a quarter of its box's footprint, m2 */
double object_area(const reader *r, uint32_t object);
/* A bed, and what else people lie or sit at lengthwise. */
bool object_lies_long(const reader *r, uint32_t object);
/* metres between the two */
double object_way(const reader *r, uint32_t object, uint32_t other);
/* "A bit" for a thing of this size, metres. */
double object_bit(const reader *r, uint32_t object);

#endif
