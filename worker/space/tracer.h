/* Between tracer.c (casting) and proposal.c (what Embree is given). Only these two include Embree. */
#ifndef ETNA_WORKER_SPACE_TRACER_H
#define ETNA_WORKER_SPACE_TRACER_H

#include "worker/space/own.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

typedef struct proposal { /* a mesh as Embree sees it */
    RTCScene scene;
    uint32_t *triangle;        /* per Embree primitive: the true one */
    uint32_t place_count;
    uint32_t *welded;          /* per vertex: the number of its place */
    uint32_t *fan_first, *fan; /* triangles around a place: fan[fan_first[p] .. fan_first[p+1]) */
} proposal;

/* `margin`: how much larger than the true ones the triangles are, in the mesh's units. NULL when memory is at its end.
 */
proposal *proposal_build(RTCDevice device, const scene_mesh *mesh, double margin, RTCFilterFunctionN filter);
void proposal_free(proposal *p);
/* Embree's question during stage_shaded: does this hit block light? */
void shade_filter(const struct RTCFilterFunctionNArguments *args);

static inline vec3 mesh_vertex(const scene_mesh *m, uint32_t i)
{
    const float *p = m->position + 3 * (size_t)i;
    return v3(p[0], p[1], p[2]);
}

#endif
