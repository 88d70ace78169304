/* A scene as imported: meshes shared by content, parts that place them in the
 * world, objects a person would move, static parts, cameras. Immutable after
 * import, so any thread may read it. World frame: metres, Z up, right-handed,
 * moved in double precision so that the scene's median centre is near the
 * origin (`recentre` says by how much). METHODS.md 1 defines object, box,
 * heading, yaw, static, stray and camera; `why` texts say which rule
 * decided. */
#ifndef ETNA_WORKER_SCENE_SCENE_H
#define ETNA_WORKER_SCENE_SCENE_H

#include "proto/arena.h"
#include "proto/arrange.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "worker/gltf/bundle.h"
#include "worker/math/vec.h"

#include <stdint.h>

#define SCENE_NONE UINT32_MAX

/* bounds of what is read; more is ETNA_E_LIMIT with the number and the
 * advice */
enum {
    SCENE_OBJECTS_MAX = 100000,
    SCENE_NODES_MAX = 1000000,
    SCENE_TRIANGLES_MAX = GLTF_TRIANGLES_MAX,
    SCENE_TEXTURE_SIDE_MAX = 16384
};

typedef struct scene scene;

/* triangles in the file's own units and axes, as dequantized from the
 * accessors; equal geometry with equal attributes is one mesh */
typedef struct scene_mesh {
    uint32_t vertex_count, triangle_count;
    const float *position; /* 3 per vertex */
    const uint32_t *index; /* 3 per triangle, each < vertex_count */
    const float *normal;   /* 3 per vertex, or NULL */
    /* 2 per vertex (the base colour texture's set), or NULL */
    const float *uv;
    const float *colour; /* 4 per vertex, linear, or NULL */
    vec3 min, max;       /* of position */
} scene_mesh;

/* decoded base colour, sRGB bytes; shared by materials */
typedef struct scene_texture {
    uint32_t width, height;
    /* 4 per texel, row 0 at the top; NULL: could not be read (one warning), the
     * factor stands in */
    const uint8_t *rgba;
    /* glTF enums 33071 clamp, 33648 mirror, 10497 repeat */
    uint32_t wrap_s, wrap_t;
} scene_texture;

typedef struct scene_material {
    const char *name;     /* "" when it has none */
    float base_colour[4]; /* linear factor */
    uint32_t texture;     /* index or SCENE_NONE */
    bool double_sided;
    bool blend; /* alphaMode BLEND */
    /* alphaMode MASK: what is below is not there; 0: not masked */
    float alpha_cutoff;
    /* linear factor, KHR_materials_emissive_strength applied */
    float emissive[3];
    /* index or SCENE_NONE; its place on the surface is the base colour
     * texture's */
    uint32_t emissive_texture;
    float metallic, roughness; /* 0..1; of textures their mean */
    float clearcoat;           /* 0..1: KHR_materials_clearcoat */
    /* 0..1: KHR_materials_transmission; it is seen through */
    float transmission;
} scene_material;

/* Pictures show what is behind it. */
static inline bool scene_material_is_clear(const scene_material *m)
{
    return m->blend || m->transmission > 0.05f;
}

typedef struct scene_part { /* one mesh placed in the world */
    uint32_t mesh, material, object;
    uint32_t node;   /* glTF node it comes from */
    affine to_world; /* mesh-local to world at the base pose */
    bool flipped;    /* det < 0: winding is inside out */
} scene_part;

/* METHODS.md 1 Box: tight, axes = world Z and the heading */
typedef struct scene_box {
    vec3 centre;
    /* x: half width across the heading, y: half depth along it, z: half
     * height */
    vec3 half;
    /* radians; heading direction = (sin yaw, -cos yaw, 0), so yaw 0 looks along
     * -Y, counter-clockwise from above */
    double yaw;
} scene_box;

/* What a thing is by its mere form (METHODS.md 1, Form). */
typedef enum scene_form {
    SCENE_FORM_OTHER,
    SCENE_FORM_BALL,
    SCENE_FORM_BLOCK
} scene_form;

typedef struct scene_object {
    /* unique and stable within the scene; valid UTF-8, no control characters,
     * <= ARRANGE_NAME_MAX */
    const char *name;
    const char *why; /* which rule made it an object, and static */
    /* of this, which rule made it static; NULL: it is not */
    const char *static_why;
    uint32_t first_part, part_count; /* parts are sorted by object */
    uint32_t triangle_count;
    uint32_t node; /* glTF node that is moved on export */
    /* index within the node's EXT_mesh_gpu_instancing, or SCENE_NONE */
    uint32_t instance;
    bool is_static, stray;
    /* static only because it cuts into a static object deeper than 1 cm
     * ("embedded") */
    bool static_by_cut;
    /* the side file says so: it stays so even where it cuts into a static
     * object */
    bool said_movable;
    bool immovable; /* skinned or animated: METHODS.md 1; `why` names it */
    /* brought in for a run and not placed yet: it waits outside, and counts for
     * nothing but itself */
    bool guest;
    scene_box box; /* at the base pose */
    vec3 min, max; /* world-axis box at the base pose */
    scene_form form;
    const char *description, *category; /* of the side file, or "" */
    /* the side file, or the node's own extras, say that the heading is the
     * front */
    bool has_front;
    /* the same, but only a model that sees said so of its pictures */
    bool front_is_seen;
} scene_object;

enum {
    SCENE_CUTS_MAX = 12
};
/* a plane that cuts the picture open: what lies at normal . p < offset is not
 * seen */
typedef struct scene_cut {
    vec3 normal; /* unit, toward what is seen */
    double offset;
} scene_cut;

typedef struct scene_camera {
    const char *name; /* unique; "derived" for the derived one */
    vec3 position;
    vec3 right, up, forward; /* orthonormal, world */
    double aspect;           /* width / height */
    bool orthographic;
    /* perspective: tan of half the vertical field of view; orthographic: half
     * height in metres */
    double half_height;
    double near_clip, far_clip; /* metres; far 0: none */
    bool derived;
    /* of a doll's house (view_cutaway): pictures and rays begin behind all of
     * these */
    uint32_t cut_count;
    scene_cut cuts[SCENE_CUTS_MAX];
} scene_camera;

typedef enum scene_light_kind {
    LIGHT_DIRECTIONAL,
    LIGHT_POINT,
    LIGHT_SPOT
} scene_light_kind;
typedef struct scene_light { /* KHR_lights_punctual */
    const char *name;        /* "" when it has none; not unique */
    scene_light_kind kind;
    vec3 position, direction; /* world; direction unit: the way it shines */
    double colour[3];         /* linear, >= 0 */
    double intensity;         /* >= 0; directional: lux, else candela */
    double range;             /* metres; 0: unlimited */
    double inner_cos,
        /* spot: cosines of its cone angles, inner_cos > outer_cos; else 1 and
         * -1 */
        outer_cos;
} scene_light;

/* what import decided, in words, for `scene info` */
typedef struct scene_report {
    uint32_t line_count, warning_count;
    const char *const *lines;
    const char *const *warnings;
} scene_report;

struct scene { /* read-only to everybody but worker/scene */
    /* of the bundle: file bytes, external buffers and images, side file,
     * options; zero: scene_import_to_look */
    etna_hash hash;
    uint32_t mesh_count, part_count, object_count, material_count,
        texture_count, camera_count, light_count;
    const scene_mesh *meshes;
    const scene_part *parts;
    const scene_object *objects; /* in file order */
    const scene_material *materials;
    const scene_texture *textures;
    /* the file's, then the derived one if there is none */
    const scene_camera *cameras;
    const scene_light *lights; /* in file order; NULL when light_count is 0 */
    /* world = file point (in metres, Z up) - recentre */
    vec3 recentre;
    double metres_per_unit;
    /* nobody says the unit: it is by the sizes of the scene's things */
    bool unit_is_guessed;
    /* it is said to be the metre, though the things' sizes tell another */
    bool unit_is_doubtful;
    char up; /* 'Y' or 'Z': in the file */
    scene_report report;
    vec3 min, max; /* of all but strays and guests */
    /* JSON: what was brought in and taken out for a run
     * (worker/convert/stage.h), or NULL */
    const char *stage;
    struct scene_private *own;
};

/* Imports a bundle (bundle.h). ETNA_E_INPUT / ETNA_E_LIMIT with a text that
 * names the accessor, node or chunk and what to do. The scene owns everything;
 * free with scene_free. Reference counted, because workers share warm
 * scenes. */
etna_code scene_import(const uint8_t *bundle,
                       size_t size,
                       scene **ret_scene,
                       etna_error *err);
/* The same of a bundle whose hash is known, which spares reading it once
 * more. */
etna_code scene_import_hashed(const uint8_t *bundle,
                              size_t size,
                              const etna_hash *hash,
                              scene **ret_scene,
                              etna_error *err);
/* The same for an edited copy of what `like` was imported from: the division
 * into objects, their names and what is static are like's (an edit may bring
 * boxes so close that they would be grouped anew); only where things stand is
 * the file's. ETNA_E_INPUT when the two do not have the same nodes and meshes.
 * For `check --against`. */
etna_code scene_import_like(const uint8_t *bundle,
                            size_t size,
                            const scene *like,
                            scene **ret_scene,
                            etna_error *err);
/* For who only looks at what is in a file: its scene has no hash (all zero),
 * which spares reading the bundle once more, and so no snapshots and no export
 * (ETNA_E_INTERNAL). Its geometry is the bundle's own bytes where these are the
 * numbers themselves: the bundle must outlive the scene, unchanged. `like`:
 * NULL, or as scene_import_like's. */
etna_code scene_import_to_look(const uint8_t *bundle,
                               size_t size,
                               const scene *like,
                               scene **ret_scene,
                               etna_error *err);
/* Another reference to the same scene, which may be NULL; each takes a
 * scene_free. Any thread. */
scene *scene_ref(scene *s);
void scene_free(scene *s); /* NULL is fine; drops a reference */

/* The static clause that needs triangles ("cuts into such an object deeper than
 * 1 cm") is decided by worker/space, once, right after import and before any
 * other thread has the scene: it marks the object static and static_by_cut. The
 * one function that changes a scene; does nothing when the object is static
 * already. */
void scene_set_static_by_cut(scene *s, uint32_t object);

/* Is it somewhere outside, so that the scene is measured and looked at without
 * it? As imported. */
static inline bool scene_is_aside(const scene_object *o)
{
    return o->stray || o->guest;
}

/* Is it wide and lowest, as a floor or a terrain is? */
bool scene_is_ground(const scene *s, const scene_object *o);

/* Index of the object or camera (`--camera`: a name, else a 0-based index), or
 * SCENE_NONE. */
uint32_t scene_find_object(const scene *s, const char *name);
/* SCENE_NONE: there is none. A name goes before an index. */
uint32_t scene_find_camera(const scene *s, const char *name_or_index);

/* A vertex of a part at the base pose, in the world, double. */
static inline vec3 scene_vertex(const scene *s,
                                const scene_part *part,
                                uint32_t vertex)
{
    const float *p = s->meshes[part->mesh].position + 3 * (size_t)vertex;
    return affine_point(&part->to_world, v3(p[0], p[1], p[2]));
}

/* The rigid motion that takes the object's base pose to `pose`: rotation about
 * Z through its box centre, then the move. Exactly the identity at the base
 * pose. */
affine scene_motion(const scene_object *object, const arrange_pose *pose);
/* Where the file has the object: scene_motion() of it is the identity. */
arrange_pose scene_base_pose(const scene_object *object);
/* Of its box along the world's axes; metres. */
double scene_longest_side(const scene_object *object);
/* The transform of a new root node of the scene's file, column-major, for
 * something whose own axes are metres, Y up, +Z its front: its origin comes to
 * `at` in the world, turned by `yaw` (0: it looks along -Y), whatever the
 * file's unit and up. */
void scene_placement(const scene *s, vec3 at, double yaw, double ret[16]);
/* The same of an object that is a root node with all below it, at `pose`. */
void scene_node_at(const scene *s,
                   uint32_t object,
                   const arrange_pose *pose,
                   double ret[16]);
/* The file's nodes that are the object, with all below them. ETNA_E_INPUT with
 * why, where it is no whole nodes: an instance, a piece of a mesh, something
 * that others hang below. Caller frees *ret. */
etna_code scene_nodes_of(const scene *s,
                         uint32_t object,
                         uint32_t **ret,
                         uint32_t *ret_count,
                         etna_error *err);
/* The object's box at `pose`, and its 8 corners (bottom four counter-clockwise
 * from above, then the top four). */
scene_box scene_box_at(const scene_object *object, const arrange_pose *pose);
/* In metres of the world: the lower four counter-clockwise from above, then the
 * upper four likewise. */
void scene_box_corners(const scene_box *box, vec3 ret[8]);

/* `--camera cutaway` (METHODS.md 1): ret_hidden[i] says that object i is a
 * ceiling or roof, or a near wall, for this camera: a static object of the
 * building's shell that stands between the camera and what is inside. Others
 * stay. Images and rays hide the same ones (space_hide). ret_hidden has room
 * for object_count. Nothing is hidden when it would leave no static object to
 * stand on. A camera with cuts keeps a building that is one object: the cuts
 * open it. */
void scene_cutaway(const scene *s,
                   const scene_camera *camera,
                   bool *ret_hidden);

/* World direction and origin of the view ray through normalised image point (x,
 * y), (0,0) top left; and its inverse, false when the point is behind the
 * camera. Where the camera has cuts, the origin lies behind them on the same
 * line; CAMERA_NOWHERE metres away when the line never comes there. */
#define CAMERA_NOWHERE 1e7
void camera_ray(const scene_camera *camera,
                double x,
                double y,
                vec3 *ret_origin,
                vec3 *ret_direction);
/* *ret_depth: metres along the camera's axis, not along the ray. */
bool camera_project(const scene_camera *camera,
                    vec3 point,
                    double *ret_x,
                    double *ret_y,
                    double *ret_depth);
/* How far from `from` along `direction` the camera's cuts leave things in
 * place; INFINITY: all the way. */
double camera_cut_reach(const scene_camera *camera, vec3 from, vec3 direction);

#endif
