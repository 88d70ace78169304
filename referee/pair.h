/* One scene at two times: the same pieces, where they stood and where they
 * stand. A piece is a node with a mesh, or one instance of it, with the
 * triangles that it has in the result; whatever moved as one body is found from
 * how the pieces moved, not from what a program takes for an object. */
#ifndef ETNA_REFEREE_PAIR_H
#define ETNA_REFEREE_PAIR_H

#include "referee/gltf_scene.h"

typedef struct piece {
    char *name;     /* the node's */
    char *root;     /* the node's at the root above it */
    point *corners; /* three a triangle, in the node's frame */
    size_t triangles;
    motion before, after; /* to the world */
} piece;

typedef struct pair {
    piece *pieces;
    size_t count;
} pair;

/* Of two scenes; what the later one alone has is left out. False: out of
 * memory. The caller frees. */
bool pair_make(const gltf_scene *before, const gltf_scene *after, pair *ret);
/* The same of two files (gltf_scene_read); false: `error` says why. */
bool pair_read(const char *before,
               const char *after,
               pair *ret,
               char error[static 256]);
void pair_free(pair *p);

#endif
