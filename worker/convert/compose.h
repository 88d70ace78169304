/* The spec of `etna scene compose`: a room and what stands in it, as JSON.
 * Metres (times "unit"), Y up, x to the right, z toward the viewer, the room's
 * middle on the floor at 0, yaw in degrees counter-clockwise from above, 0
 * faces +Z.
 *
 *   {"unit": 1,
 *    "room": {"width": 5, "depth": 4,                 or "corners": [[x, z], ...], 3 to 64 of them
 *             "height": 2.5, "ceiling": false,
 *             "walls": ["north", "west"],             also east, south; or numbers of edges from 1; true: all; false: none
 *             "openings": [{"wall": "south", "at": 1.2,   doors and windows: along the wall from its left end, as one
 *                           "width": 0.9,             looks at it from inside, to the opening's middle
 *                           "foot": 0, "height": 2}],
 *             "floor": LOOK, "wall": LOOK, "top": LOOK},   LOOK: {"colour": "#rrggbb", "texture": "FILE", "tile": 1}
 *    "objects": [{"name": "table", "asset": "table.glb",      a file beneath the spec's folder, or
 *                 "asset": "Scopia.sh3f#Round table",         a model of a library there or where libraries are kept
 *                 "at": [1, -0.5], "yaw": 90,                 on the floor, or
 *                 "on": "desk", "at": [0.2, 0], "height": 0.5,  on an object named before: from its middle, in its own
 *                                                 axes; let down from its top, or from "height" above its foot, or
 *                 "hang": "north", "at": [0.3, 1.4],          on that wall: along it from its middle to the right as one
 *                                                             looks at it, and the foot's height; or
 *                 "hang": "ceiling", "at": [0, 0], "size": [w, h, d], "front":
 *                 "-X", "static": true}],
 *    "cameras": [{"name", "position": [3], "target": [3], "yfov_deg": 45,
 *    "aspect": 1.3333}], "lights": [{"name", "kind": "point", "position": [3],
 *    "target": [3], "colour": "#rrggbb", "intensity": 100,
 *                "cone_deg": 45}]}
 *
 * Every member but "name", "asset" and "at" of an object can be left out. What
 * is not known is refused by name. */
#ifndef ETNA_WORKER_CONVERT_COMPOSE_H
#define ETNA_WORKER_CONVERT_COMPOSE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "worker/convert/glb.h"
#include "worker/convert/glb_guest.h"
#include "worker/math/vec.h"

enum {
    COMPOSE_TEXT_MAX = 4 << 20,
    COMPOSE_OBJECTS_MAX = 2000,
    COMPOSE_CORNERS_MAX = 64,
    COMPOSE_OPENINGS_MAX = 16,
    COMPOSE_CAMERAS_MAX = 64,
    COMPOSE_LIGHTS_MAX = 64
};
#define COMPOSE_GAP 1e-4 /* metres between what stands and what it stands on */

typedef struct compose_look {
    double colour[3];    /* linear */
    const char *texture; /* NULL: none */
    double tile;         /* metres that one picture covers */
} compose_look;

typedef struct compose_opening { /* a hole in a wall, metres */
    uint32_t edge;
    /* at: of its middle, along the edge from its first corner */
    double at, width, foot, height;
} compose_opening;

typedef struct compose_room {
    /* edge i runs from corner i to i + 1; seen from above, with z down the
     * page, clockwise */
    uint32_t corner_count;
    double corner[COMPOSE_CORNERS_MAX][2];
    bool wall[COMPOSE_CORNERS_MAX];
    double height;
    bool ceiling, compass; /* compass: the walls are named after it */
    uint32_t opening_count;
    compose_opening openings[COMPOSE_OPENINGS_MAX];
    compose_look floor, walls, top;
} compose_room;

typedef enum compose_footing {
    COMPOSE_FLOOR,
    COMPOSE_ON,
    COMPOSE_WALL,
    COMPOSE_CEILING
} compose_footing;

typedef struct compose_object {
    const char *name, *asset;
    compose_footing footing;
    uint32_t on;          /* an object before this one, or the wall's edge */
    double at[2], height; /* height < 0: unsaid */
    /* radians; relative to what it stands on or hangs at */
    double yaw;
    double size[3]; /* 0: the asset's own */
    /* "+X" ..., "none", or NULL: the asset's own, else unsaid */
    const char *front;
    bool is_static;
} compose_object;

typedef struct compose_camera {
    const char *name;
    double position[3], target[3], yfov, aspect; /* radians; aspect 0: unsaid */
} compose_camera;

typedef struct compose_light {
    const char *name, *kind;
    double position[3], target[3], colour[3], intensity, cone;
} compose_light;

typedef struct compose_spec {
    compose_room room;
    uint32_t object_count, camera_count, light_count;
    compose_object *objects;
    compose_camera *cameras;
    compose_light *lights;
    etna_arena arena;
} compose_spec;

/* ETNA_E_INPUT and ETNA_E_LIMIT with the object and the member. Free with
 * compose_free. */
etna_code compose_read(const char *text,
                       size_t size,
                       compose_spec *ret,
                       etna_error *err);
void compose_free(compose_spec *spec); /* all zero is fine */
/* Twice the area of the triangle a, b, c: positive where it turns to the left,
 * 0 on a line. */
double compose_corner_turn(const double a[2],
                           const double b[2],
                           const double c[2]);
/* Openings lie within their walls, which are there, and do not meet.
 * ETNA_E_INPUT says which does not. */
etna_code compose_check_openings(const compose_room *room, etna_error *err);
/* "wall north", or "wall 3". */
void compose_wall_name(const compose_room *room, uint32_t edge, char to[32]);

/* ---- writing (compose_write.c) ---- */

typedef struct compose_asset { /* a file that objects are made of */
    const char *path;          /* as the spec has it */
    uint8_t *glb;              /* all its own: no other files */
    size_t size;
    double unit; /* metres per unit of the GLB */
    bool z_up;
    double min[3], max[3]; /* metres, Y up, in the GLB's frame */
} compose_asset;

/* By quarter turns from +Z, counter-clockwise from above. */
extern const char *const compose_front_names[4];

typedef struct compose_place {
    uint32_t asset;
    /* metres and radians: of the foot's middle; yaw that of the front */
    double at[3], yaw;
} compose_place;

typedef struct compose_picture { /* of a look, in the order floor, walls, top */
    const char *mime;            /* NULL: none */
    const uint8_t *data;
    size_t size;
} compose_picture;

/* The size of an object of that asset. */
void compose_size(const compose_object *object,
                  const compose_asset *asset,
                  double ret[3]);

/* The scene; `places` are those of spec->objects. `bare`: triangles alone, for
 * measuring. Nodes come in the order floor, walls by edge, ceiling, objects,
 * cameras, lights. Caller frees *ret_glb. */
etna_code compose_write(const compose_spec *spec,
                        const compose_asset *assets,
                        uint32_t asset_count,
                        const compose_place *places,
                        const compose_picture pictures[3],
                        bool bare,
                        uint8_t **ret_glb,
                        size_t *ret_size,
                        etna_error *err);

/* Of a scene's bytes, as glb_credit lists them: [{"model", "library", "author",
 * "licence"}]. NULL: no memory. */
json_t *compose_credits(const uint8_t *data, size_t size);

#endif
