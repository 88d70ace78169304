/* The lists that splits and groups rewrite: objects, their parts, and what of
 * the file each part shows. Internal to worker/scene. */
#ifndef ETNA_WORKER_SCENE_DIVISION_H
#define ETNA_WORKER_SCENE_DIVISION_H

#include "worker/scene/scene_internal.h"

/* the lists being made; parallel arrays of parts and sources */
typedef struct division {
    importer *m;
    scene_object *objects;
    scene_part *parts;
    scene_source *sources;
    uint32_t object_count, part_count, object_room, part_room, source_room;
} division;

void division_free(division *d);
/* An object like `from` without parts yet; parts are added to the last one. */
etna_code division_open(division *d, const scene_object *from, etna_error *err);
bool division_add_part(division *d,
                       const scene_part *part,
                       const scene_source *source); /* false: no memory */
/* The new lists become the scene's. */
etna_code division_take(division *d, etna_error *err);

#endif
