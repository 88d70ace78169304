/* Free places to stand at, and rectangles as seen from above. */
#ifndef ETNA_WORKER_BUILTIN_SPOT_H
#define ETNA_WORKER_BUILTIN_SPOT_H

#include "worker/builtin/builtin.h"

enum {
    /* alternatives that are thought of for one placement */
    BUILTIN_SPOTS_MAX = 6
};

/* where the middle of a thing's bottom could come */
typedef struct builtin_spot {
    double point[3], image[2];
    /* BUILTIN_NONE: the top of the box of a thing without a surface */
    uint32_t surface;
    /* the thing is larger than the surface: only its middle can be over it */
    bool centre_only;
    bool hidden; /* something nearer may stand before it in the picture */
    /* there is so little room that the true shapes must say */
    bool squeezed;
    /* metres from the footprint to the next cell that is not free */
    double clear;
} builtin_spot;

typedef enum builtin_taste {
    TASTE_ROOMY = 1,
    TASTE_TIGHT,
    TASTE_NEAR
} builtin_taste;

typedef struct builtin_rect { /* kept free for something: world xy */
    double low[2], high[2];
} builtin_rect;

typedef struct builtin_wish {
    uint32_t object, reference; /* what stands on what */
    builtin_taste taste;
    double near[2]; /* NEAR: world xy */
    /* metres: of several levels the one about as high; NULL: the highest */
    const double *near_foot;
    uint32_t avoid_count;
    const double (*avoid)[3]; /* places given up: farther ones come first */
    uint32_t taken_count;
    const builtin_rect *taken;
    /* only places where this holds; NULL: anywhere on the reference */
    const builtin_move *move;
    /* things that would make room: as if they were not there */
    uint32_t ignored_count;
    const uint32_t *ignored;
    /* how much worse a place is for each of them that stands in it */
    double ignored_cost;
    bool turned;  /* as it would stand after a quarter turn */
    bool on_rugs; /* thin ones leave the floor free: half on them will do */
} builtin_wish;

/* The middle of what is free, and open above, of a seat's widest level place
 * and those as high as it, and the rectangle about the middles of its cells: from
 * the thing's middle across its heading, and along it. False, results untouched:
 * it has none. */
bool builtin_seat_middle(const builtin_facts *facts,
                         uint32_t object,
                         double ret[2],
                         builtin_rect *ret_open);
/* The same things, one of them turned by so many degrees, counter-clockwise
 * from above. ETNA_E_NOMEM. */
etna_code builtin_turned(const builtin_facts *facts,
                         uint32_t object,
                         double degrees,
                         etna_arena *arena,
                         builtin_facts *ret,
                         etna_error *err);
/* Up to BUILTIN_SPOTS_MAX, best first and apart from each other; *ret_count 0:
 * no room. ETNA_E_NOMEM. */
etna_code builtin_spots(const builtin_facts *facts,
                        const builtin_wish *wish,
                        builtin_spot *ret,
                        uint32_t *ret_count,
                        etna_error *err);
/* Is that height of `base` below the top that "on it" means: its lower board,
 * the bar between its legs? */
bool builtin_is_below_top(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t base,
                          double height);
/* Does the rectangle of the surface's map span the point, seen from above? */
static inline bool builtin_spans(const builtin_surface *s, double x, double y)
{
    double along = x - s->origin[0], across = y - s->origin[1];
    bool is_along = along >= 0 && along <= s->columns * s->cell;
    return is_along && across >= 0 && across <= s->rows * s->cell;
}
/* Is that cell of the surface free, as things stand, up to so many
 * centimetres? */
static inline bool builtin_is_clear(const builtin_surface *s,
                                    uint32_t column,
                                    uint32_t row,
                                    uint32_t centimetres)
{
    return s->map.clear[(size_t)row * s->columns + column] >= centimetres;
}
/* What the map's cells leave free without the things that are away: ret[columns
 * x rows]; `away`: per object. */
void builtin_map_without(const builtin_map *map,
                         uint32_t columns,
                         uint32_t rows,
                         const bool *away,
                         uint8_t *ret);
/* Has the surface a free cell within the rectangle? */
bool builtin_is_free_near(const builtin_surface *s, const builtin_rect *rect);
/* Of its box: the heights of its foot and of its top, metres. */
static inline double builtin_foot(const builtin_object *object)
{
    return object->centre[2] - object->half[2];
}
static inline double builtin_top(const builtin_object *object)
{
    return object->centre[2] + object->half[2];
}
/* Half of its longer and of its shorter side on the ground, metres. */
static inline double builtin_half_longer(const builtin_object *object)
{
    return object->half[0] > object->half[1] ? object->half[0]
                                             : object->half[1];
}
static inline double builtin_half_shorter(const builtin_object *object)
{
    return object->half[0] < object->half[1] ? object->half[0]
                                             : object->half[1];
}
/* World-axis rectangle an object's box takes when its middle stands at (x, y),
 * grown by `margin`. */
builtin_rect builtin_footprint(const builtin_object *object,
                               double x,
                               double y,
                               double margin);
/* The same where it stands. */
builtin_rect builtin_rect_of(const builtin_object *object);

bool builtin_rects_meet(const builtin_rect *a, const builtin_rect *b);
/* Metres between two rectangles; 0: they meet or overlap. */
double builtin_rects_apart(const builtin_rect *a, const builtin_rect *b);
/* Square metres of the surface's map. */
double builtin_surface_area(const builtin_surface *s);
/* A fixed thing more than two metres wide both ways: floors, lawns. */
bool builtin_is_ground(const builtin_object *object);

/* How high the thing reaches with all that stands on it, for that goes with
 * it. */
double builtin_top_with_load(const builtin_facts *facts, uint32_t object);
/* The room that a thing leaves over the cells of a surface, at a point there;
 * INFINITY where nothing is told. */
double builtin_layer_clear(const builtin_surface *s,
                           uint32_t object,
                           double x,
                           double y);
/* Does a thing that stands lower than the surface about the rectangle's middle
 * leave so much room over it, as a chair at a table does? False where there is
 * no surface at that height. */
bool builtin_is_beneath_there(const builtin_facts *facts,
                              uint32_t object,
                              const builtin_rect *r,
                              double bottom,
                              double height);
/* Does `other` take room that `object` needs when the middle of its bottom
 * stands at `at`, as far as boxes and the surface's map tell? */
bool builtin_is_in_the_way(const builtin_facts *facts,
                           uint32_t other,
                           uint32_t object,
                           const double at[3]);

#endif
