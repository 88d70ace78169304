/* A thing of a scene as measured: a node that bears its name, with all below
 * it, where it stands. */
#ifndef ETNA_REFEREE_BODY_H
#define ETNA_REFEREE_BODY_H

#include "referee/gltf_scene.h"
#include "referee/outline.h"

typedef struct body {
    const char *name; /* borrowed */
    point *corners;   /* three a triangle, in the world */
    size_t count;     /* of corners */
    extent box;
    outline outline;
    flat centre;  /* of the outline */
    motion frame; /* the node's */
} body;

/* Is there a triangle at or below `node`? */
bool body_is_there(const gltf_scene *s, size_t node);
/* All meshes at and below `node`. False: out of memory, or it has no triangle.
 * The caller frees. */
bool body_make(const gltf_scene *s, size_t node, const char *name, body *ret);
void body_free(body *b);

/* The least of how far a's surface is above b's (or, by amount, below) along
 * vertical lines through both; INFINITY: none is over the other. */
double body_gap(const body *a, const body *b);
/* Between the nearest points of their surfaces, as far as corners of one show:
 * exact where one of them is flat. */
double body_distance(const body *a, const body *b);
/* How far the farthest of its corners has come from `then`. Where they have not
 * the same triangles, how far a side of its box has. */
double body_moved(const body *now, const body *then);

#endif
