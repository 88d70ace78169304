/* A piece where it stands: its triangles in the world, a tree of boxes over
 * them, and which of them close a solid. */
#ifndef ETNA_REFEREE_SOLID_H
#define ETNA_REFEREE_SOLID_H

#include "referee/pair.h"

typedef struct solid_node {
    extent box;
    /* of a leaf; count 0: the children are this one's next and `first` */
    uint32_t first, count;
} solid_node;

typedef struct solid {
    point *corners; /* three a triangle, in the tree's order */
    size_t triangles;
    solid_node *nodes;
    extent box;
    point centre; /* of its surface, by area */
    double area;
    bool *is_closing; /* a triangle: it is part of a closed surface */
    bool has_closed;
} solid;

/* False: out of memory. The caller frees. */
bool solid_make(const piece *p, const motion *at, solid *ret);
void solid_free(solid *s);

/* Whether an edge of one pierces a triangle of the other, with `a` moved by
 * `shift`. What only touches in a plane does not. `meeting`, if not NULL, is
 * called with the points where they do, until it answers false. */
typedef bool solid_meeting(void *context, point where);
bool solid_pierces(const solid *a,
                   point shift,
                   const solid *b,
                   solid_meeting *meeting,
                   void *context);

/* Whether the edge from p to q goes through a triangle of s, and where through
 * one of them. */
bool solid_meets_edge(const solid *s, point p, point q, point *ret);

/* Whether p is within the closed surfaces of s, by the solid angle under which
 * they are seen from it. */
bool solid_holds(const solid *s, point p);

/* A point of s for each i: the middle of one of its triangles, taken at even
 * steps. */
point solid_sample(const solid *s, size_t i, size_t of);

#endif
