/* A composed scene while things are set in it: what `etna scene compose` and
 * `etna furnish` share. */
#ifndef ETNA_WORKER_CLI_COMPOSE_STAGE_H
#define ETNA_WORKER_CLI_COMPOSE_STAGE_H

#include "worker/convert/compose.h"
#include "worker/space/space.h"

typedef struct staged { /* a scene with its space; all zero is empty */
    uint8_t *bundle;
    scene *scene;
    space_shared *shared;
    space *space;
    uint32_t first; /* the scene's object that is the spec's first */
} staged;

/* Of a GLB that compose_write made of the spec; ETNA_E_INTERNAL when it has not
 * the spec's objects. Free with staged_free, after a failure too. */
etna_code staged_make(const compose_spec *spec,
                      const uint8_t *data,
                      size_t size,
                      staged *s,
                      etna_error *err);
void staged_free(staged *s);

/* How far the spec's object reaches that way (x, y, z as in the spec) from its
 * place: over its vertices, where the file has it. */
double staged_reach(
    const staged *s, uint32_t object, double x, double y, double z);
/* Moves it by that much from where the file has it. */
etna_code staged_move(staged *s,
                      uint32_t object,
                      const double by[3],
                      etna_error *err);

/* A model of a path, or of LIBRARY#MODEL, as a GLB of its own with its size;
 * ret->path stays. Call it while the process has one thread (it forks). Caller
 * frees ret->glb. */
etna_code compose_asset_read(const char *path,
                             compose_asset *ret,
                             etna_error *err);

/* Of the inner side of a wall, in x and z: its middle, the way to the right as
 * one looks at it, and into the room. */
typedef struct wall_frame {
    double middle[2], right[2], in[2];
} wall_frame;
wall_frame compose_wall_frame(const compose_room *room, uint32_t edge);

#endif
