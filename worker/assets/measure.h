/* What can be measured of an asset's geometry and surface. Pure but for memory;
 * no libm beyond sqrt and floor, so that a shape is the same on every
 * machine. */
#ifndef ETNA_WORKER_ASSETS_MEASURE_H
#define ETNA_WORKER_ASSETS_MEASURE_H

#include "worker/assets/asset.h"
#include "worker/scene/scene.h"

/* Size, triangles, colours by area, the outline from above and the words of
 * materials. Texts live in the arena. ETNA_E_INPUT: there is nothing to
 * measure, or it is no furniture's size; ETNA_E_NOMEM. */
etna_code asset_measure(const scene *s,
                        etna_arena *arena,
                        asset_shape *ret,
                        etna_error *err);

#endif
