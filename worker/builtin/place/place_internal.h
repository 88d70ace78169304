/* What the search for free places shares. Nobody else includes this. Metres, the
 * world's frame; image coordinates are shares of the picture.
 *
 *   surface.c  which of a thing's surfaces is meant; builtin_spots
 *   place.c    the free places of one surface
 *   worth.c    which of them are better
 *   rect.c     rectangles from above, and what is in the way */
#ifndef ETNA_WORKER_BUILTIN_PLACE_PLACE_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLACE_PLACE_INTERNAL_H

#include "worker/builtin/place/exact.h"
#include "worker/builtin/spot.h"

/* ---- rect.c ---- */
/* Half sides of the world-axis rectangle around the box's footprint. */
void place_half_sides(const builtin_object *object, double ret[2]);

/* ---- worth.c ---- */
/* a thing that may stand between the camera and a surface */
typedef struct hider {
    const double *box; /* in the image */
    double depth;      /* of its middle */
} hider;

/* Things that may stand before a surface in the picture. */
typedef struct hiders {
    hider *list;
    uint32_t count;
} hiders;

/* Movable things whose picture box meets the surface's: only these can hide a
 * place on it. False: out of memory. */
bool place_find_hiders(const builtin_facts *facts,
                       const builtin_wish *wish,
                       const builtin_surface *s,
                       etna_arena *arena,
                       hiders *ret);
/* The share of the thing, standing at `at`, that others nearer to the camera
 * than `depth` would hide. By image boxes, so rough: a taste, not a rule. */
double place_hidden_share(const builtin_facts *facts,
                          const builtin_wish *wish,
                          const hiders *things,
                          const double at[3],
                          double depth);
/* Half the surface's diagonal, at most half a metre: how far from a given-up
 * place another one counts as new. */
double place_new_from(const builtin_surface *s);
double place_apart(const double a[2], const double b[2]);
/* Higher is better, in metres or so: room around a place, nearness to the
 * middle or to a point, and that it is seen (`hidden`: a share). A place within
 * `step` of a given-up one loses 100, so that it comes after all others. */
double place_worth(const builtin_facts *facts,
                   const builtin_wish *wish,
                   const builtin_surface *s,
                   const builtin_spot *spot,
                   double hidden,
                   double step);

/* ---- place.c ---- */
/* The spots of the surface `index`, the best first: at most BUILTIN_SPOTS_MAX.
 * *ret_room: at how many places there is room. `squeezed`: with no cell to
 * spare. ETNA_E_NOMEM. */
etna_code place_spots_of(const builtin_facts *facts,
                         const builtin_wish *wish,
                         uint32_t index,
                         bool squeezed,
                         etna_arena *arena,
                         builtin_spot *ret,
                         uint32_t *ret_count,
                         uint32_t *ret_room,
                         etna_error *err);
/* Of a thing larger than what it is to stand on: over the middle, when nothing
 * is there. False: it may not stand so. */
bool place_centre_spot(const builtin_facts *facts,
                       const builtin_wish *wish,
                       uint32_t index,
                       builtin_spot *ret);
/* Over the seam of the surface and a level part of the same thing beside it,
 * where nothing stands: between the two seats of a sofa. False: there is no
 * such place as asked. */
bool place_seam_spot(const builtin_facts *facts,
                     const builtin_wish *wish,
                     uint32_t index,
                     builtin_spot *ret);
/* Of a reference whose top is no flat surface: the top of its box, and the tools
 * will say what it is worth. False: something is there. */
bool place_top_spot(const builtin_facts *facts,
                    const builtin_wish *wish,
                    builtin_spot *ret);

#endif
