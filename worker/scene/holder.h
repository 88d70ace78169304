/* Whether a node that only holds others is a thing made of parts, or a group of
 * things. Pure. Internal to worker/scene. METHODS.md 1, Object. */
#ifndef ETNA_WORKER_SCENE_HOLDER_H
#define ETNA_WORKER_SCENE_HOLDER_H

#include "proto/error.h"
#include "worker/math/vec.h"

#define TOUCH 0.01 /* metres: closer is together */

/* A box along the axes, metres, Z up. Empty: min above max. */
typedef struct extent {
    vec3 min, max;
} extent;

static const extent EXTENT_EMPTY = {{INFINITY, INFINITY, INFINITY},
                                    {-INFINITY, -INFINITY, -INFINITY}};

/* With an empty one it is the other. */
extent extent_join(extent a, extent b);
/* Closer than TOUCH on all three axes. */
bool extent_touches(const extent *a, const extent *b);
/* One stands on the other: its bottom is at the other's top. */
bool extent_rests(const extent *a, const extent *b);

/* Does a word of the other name begin as the first of this one does, or that as
 * it: "Cart_Wheels" after "Luggage_Cart"? */
bool name_is_after(const char *name, const char *other);

/* What a holder holds: a child with all below it, or, where the child is a group
 * itself, each thing of that. */
typedef struct holder_unit {
    extent box;
    const char *name; /* the node's; "" when it has none */
    uint32_t node;
} holder_unit;

/* Do the triangles of two nodes and all below them come as close as touching?
 * Asked of those whose boxes do. */
typedef bool (*holder_touch)(void *context,
                             const holder_unit *a,
                             const holder_unit *b);

typedef struct holder {
    const char *name;
    extent scene; /* all there is */
    holder_unit *children;
    uint32_t child_count;
    holder_unit *units; /* reordered */
    uint32_t unit_count;
    uint32_t *tests_left; /* of pairs of boxes; at 0 all holds together */
    holder_touch touch;
    void *context;
} holder;

/* True: a group, whose children are things. False: one thing. *ret_code is
 * ETNA_E_NOMEM where memory ended. */
bool holder_is_group(const holder *h, etna_code *ret_code);

#endif
