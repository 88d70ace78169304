/* Boxes on a floor. Internal to worker/furnish. */
#ifndef ETNA_WORKER_FURNISH_LAYOUT_INTERNAL_H
#define ETNA_WORKER_FURNISH_LAYOUT_INTERNAL_H

#include "worker/furnish/layout.h"

#define LAYOUT_GAP \
    0.01 /* metres that boxes keep from one another and from walls */

typedef struct layout_context {
    const layout_room *room;
    const layout_thing *things;
} layout_context;

static inline const layout_model *layout_model_of(const layout_context *c,
                                                  const layout_place *p)
{
    return &c->things[p->thing].models[p->model];
}
/* The item's foot, and where it reaches from and to above the floor. */
layout_rect layout_rect_of(const layout_context *c, const layout_place *p);
/* Metres over the floor. */
double layout_top_of(const layout_context *c, const layout_place *p);
/* Whether less than `gap` metres are between them. */
bool layout_rects_meet(const layout_rect *a, const layout_rect *b, double gap);
/* Metres between them, 0 where they meet. */
double layout_rects_apart(const layout_rect *a, const layout_rect *b);
/* Unit, of a heading. */
void layout_ahead(uint32_t heading, double ret[2]);
/* The way into the room from a wall, as a heading, and its length. */
uint32_t layout_wall_heading(uint32_t wall);
/* Walls 0..3: north, east, south, west. */
double layout_wall_length(const layout_room *room, uint32_t wall);
/* A point of the wall, `at` from its left end. */
void layout_wall_point(const layout_room *room,
                       uint32_t wall,
                       double at,
                       double ret[2]);
/* Before the opening, `depth` into the room. */
layout_rect layout_before(const layout_room *room,
                          const layout_opening *o,
                          double depth);
/* The floor before an item's front. */
layout_rect layout_front_of(const layout_context *c,
                            const layout_place *p,
                            double depth);
/* Free for the item, with everything that is placed. */
bool layout_is_free(const layout_context *c,
                    const layout_plan *plan,
                    uint32_t item,
                    const layout_place *p);
/* How far the tie is from holding for an item at p, in metres or so: 0 holds,
 * INFINITY: what it ties to is not placed. */
double layout_tie_residual(const layout_context *c,
                           const layout_plan *plan,
                           uint32_t item,
                           const layout_place *p,
                           const layout_tie *tie);
/* Where the thing's k-th item stands in its rows when the first stands at
 * `first`: rows are filled one after the other, the next behind the one
 * before. */
layout_place layout_row_place(const layout_context *c,
                              const layout_place *first,
                              uint32_t rows,
                              uint32_t k);
/* The other thing that an item is to stand between; `anchor` itself where
 * several of that are meant. */
uint32_t layout_between_other(const layout_thing *thing, uint32_t anchor);
/* Where the middle of an opening is, as a place; nothing else of it is
 * known. */
layout_place layout_opening_place(const layout_room *room,
                                  const layout_opening *o);
/* The item that bears it: of a stack of its likes what bears the lowest;
 * LAYOUT_NONE. */
uint32_t layout_bearer_of(const layout_plan *plan, const layout_place *p);
/* Whether the item stands on the floor and takes its room. */
bool layout_is_solid(const layout_context *c, const layout_place *p);

#endif
