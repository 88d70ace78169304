/* Rooms and houses as other programs keep them, made scenes of boxes: each
 * thing is as large as is told of it, and stands where it stood. Read are
 *
 *   AI2-THOR's houses (ProcTHOR, Holodeck): rooms, walls, doors, windows,
 *     objects with what stands on them; sizes are the asset database's
 *   SceneEval's states: arch, object, transform; sizes by modelId
 *   ReSpace's rooms, which SceneReVis edits: bounds_bottom, objects with sizes
 *
 * What stands inside of something is left out: a box has no inside. */
#ifndef ETNA_WORKER_CONVERT_ROOMS_H
#define ETNA_WORKER_CONVERT_ROOMS_H

#include "proto/arena.h"
#include "proto/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ROOMS_BYTES_MAX = 64 << 20,
    ROOMS_BOXES_MAX = 5000,
    ROOMS_FLOORS_MAX = 256,
    ROOMS_CORNERS_MAX = 256 /* of a floor */
};
#define ROOMS_NONE UINT32_MAX

typedef struct rooms_box {
    const char *name; /* "side table 2": no other has it */
    double size[3];   /* metres, in its own axes */
    /* column-major, of its middle, Y up, metres */
    double matrix[16];
    bool is_static;
    uint32_t on; /* what it is told to stand on; ROOMS_NONE: nothing is told */
} rooms_box;

typedef struct rooms_floor {
    double (*corner)[2]; /* x and z */
    uint32_t count;
    double height;
} rooms_floor;

typedef struct rooms {
    rooms_box *boxes;
    rooms_floor *floors;
    uint32_t box_count, floor_count;
    /* what was left out, each "NAME: why" */
    const char **left_out;
    uint32_t left_count;
} rooms;

/* `sizes`: an object {"asset": [width, height, depth]}, or the asset database
 * of ProcTHOR, {"Type": [{"assetId", "boundingBox": {"x", "y", "z"}}]}; NULL:
 * none. All lives in `arena`. ETNA_E_INPUT: it is none of these, or a number in
 * it is none; ETNA_E_LIMIT. */
etna_code rooms_read(const json_t *document,
                     const json_t *sizes,
                     etna_arena *arena,
                     rooms *ret,
                     etna_error *err);

/* The scene's bytes, a GLB; the caller frees them. */
etna_code rooms_write(const rooms *r,
                      uint8_t **ret_glb,
                      size_t *ret_size,
                      etna_error *err);

#endif
