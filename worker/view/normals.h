/* Normals for meshes whose file gives none: smooth over gentle edges, sharp
 * over others. Private to worker/view; for eyes only. */
#ifndef ETNA_WORKER_VIEW_NORMALS_H
#define ETNA_WORKER_VIEW_NORMALS_H

#include "worker/scene/scene.h"

/* 9 floats per triangle: a unit normal (or zero) for each corner, the mean of
 * the triangles around that place that lie within the crease angle of this one,
 * by area. Places are vertices at equal positions. The caller frees *ret. */
etna_code normals_crease(const scene_mesh *mesh, float **ret, etna_error *err);

#endif
