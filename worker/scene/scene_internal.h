/* What the files of worker/scene share while a scene is being made, and what
 * export needs of it later. */
#ifndef ETNA_WORKER_SCENE_SCENE_INTERNAL_H
#define ETNA_WORKER_SCENE_SCENE_INTERNAL_H

#include "worker/gltf/gltf.h"
#include "worker/scene/divide.h"
#include "worker/scene/scene.h"

#include <stdatomic.h>

typedef struct scene_node {              /* a glTF node */
    const char *name;                    /* "" when it has none */
    uint32_t parent, mesh, camera, skin; /* GLTF_NONE: none */
    /* into scene_private.children, in file order */
    uint32_t first_child, child_count;
    /* of EXT_mesh_gpu_instancing; 0: not instanced */
    uint32_t instance_count;
    /* local to the node; freed after import */
    affine *instances;
    /* why its instances cannot be written back one by one, or NULL */
    const char *frozen;
    /* animated: a channel drives its own transform; held: one keeps it as it
     * is */
    bool has_matrix, in_scene, animated, held;
    bool has_geometry; /* itself has triangles */
    /* itself or a node below it has triangles */
    bool bears;
    /* how it was divided into objects (object.c); an edited copy is divided
     * likewise */
    uint8_t division_rule;
    /* it was opened for where the things below it stand, so that a copy where
     * they stand elsewhere may be divided otherwise */
    bool opened_by_place;
    double translation[3], rotation[4], scale[3]; /* rotation normalised */
    affine local, world;                          /* file frame */
} scene_node;

struct scene_private {
    atomic_uint references;
    etna_arena arena; /* names, texts, tables; not the large arrays */
    uint32_t node_count, root_count, order_count;
    scene_node *nodes;
    uint32_t *children, *roots;
    /* nodes of the scene, parents before children, file order among siblings */
    uint32_t *order;
    affine file_to_world, world_to_file;
    scene_base *bases; /* the file's own objects, in its order */
    uint32_t base_count;
    scene_source *sources; /* of each part */
    void **blocks;         /* malloc'd arrays of meshes and textures */
    size_t block_count, block_capacity;
};

/* A scene being made. All counts in the arrays are exact when import ends. */
typedef struct importer {
    gltf_doc doc;
    scene *s;
    const etna_hash *hash; /* of the bundle, where it is known; else NULL */
    bool unnamed;          /* the scene gets no hash */
    /* geometry may be the bundle's own bytes, which outlive the scene */
    bool borrows;
    /* scene_import_like: whose division and static flags hold; else NULL */
    const scene *like;
    /* metres, by the sizes of the things (scale.c) where nobody says the unit;
     * 0: not looked for yet, or there is none */
    double guessed_unit;
    bool unit_is_said;         /* by the user, the side file or the file */
    struct scene_private *own; /* == s->own */
    json_t *side;              /* the side file, or NULL */
    /* `tried` (NULL: none) stands for the bundle's side file */
    bool try_side;
    const uint8_t *tried;
    size_t tried_size;
    const char **lines, **warnings;
    uint32_t line_count, line_room, warning_count, warning_room;
    uint32_t mesh_room, part_room, object_room, camera_room;
    scene_mesh *meshes;
    struct mesh_slot *slots; /* meshes by hash and by primitive (mesh.c) */
    scene_part *parts;
    scene_source *sources; /* of each part, in the scene's arena */
    /* the last parts are of nodes that an export of split parts added; no
     * object has them yet */
    uint32_t added_count;
    scene_object *objects;
    scene_camera *cameras;
    scene_material *materials;
    scene_texture *textures;
    /* texture coordinate set of each material's texture */
    uint32_t *material_uv;
    /* KHR_texture_transform: u' = m0 u + m1 v + m2, v' = m3 u + m4 v + m5 */
    double (*material_map)[6];
    uint64_t placed_triangles;
    uint32_t ignored_primitives; /* lines and points */
    uint32_t lost_textures;
    uint64_t texture_bytes; /* kept so far, and what failed pictures cost */
    bool cameras_left_out;
    bool no_memory;
} importer;

/* report.c: a line of what import decided, a line of what it could not do.
 * Bounded; when memory ends, m->no_memory. */
void report_line(importer *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_warning(importer *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What the converter said of a scene of another make (worker/convert), carried
 * in the GLB that it made. */
void report_converted(importer *m);
/* What the file says that was brought in and taken out for a run:
 * m->s->stage. */
etna_code stage_read_told(importer *m, etna_error *err);
/* Makes room for one more of an array of `size`-byte elements; false when
 * memory ends. */
bool make_room(void **array, uint32_t count, uint32_t *room, size_t size);
/* Gives a malloc'd array to the scene; false (and freed) when memory ends. */
bool own_block(importer *m, void *block);
/* A name fit to be shown: control characters become spaces, ends trimmed, at
 * most `max` bytes cut at a character. In the scene's arena; NULL when memory
 * ends. */
char *clean_name(importer *m, const char *name, size_t max);

/* node.c: the file's nodes with their transforms to the world, in the file's
 * frame. ETNA_E_INPUT: a node is its own ancestor, has two parents, or a
 * transform that is no number. */
etna_code nodes_read(importer *m, etna_error *err);
/* EXT_mesh_gpu_instancing: where the instances of each node stand. */
etna_code nodes_read_instances(importer *m, etna_error *err);
/* animation.c: marks the nodes that an animation moves, turns or stretches, and
 * those that one only holds. */
void nodes_mark_animated(importer *m);

/* material.c: all materials and the pictures that they show. A picture that
 * cannot be read leaves its material's colour and is counted
 * (m->lost_textures); it fails nothing. */
etna_code materials_read(importer *m, etna_error *err);
/* texture.c: decodes PNG, JPEG or WebP to 8-bit RGBA, halved until its long
 * side is at most 2048. False: unreadable. */
bool texture_decode(const uint8_t *data,
                    size_t size,
                    uint32_t *ret_width,
                    uint32_t *ret_height,
                    uint8_t **ret_rgba);
/* The mean of its red, green and blue bytes, 0..255; a JPEG is read at an
 * eighth of its size. False: unreadable. */
bool texture_mean(const uint8_t *data, size_t size, double ret[3]);

/* mesh.c: the scene mesh of a primitive as `node` shows it (its morph weights,
 * its skin); SCENE_NONE when it has no triangle. */
etna_code mesh_of_primitive(importer *m,
                            uint32_t node,
                            uint32_t primitive,
                            uint32_t *ret_mesh,
                            uint32_t *ret_material,
                            etna_error *err);
/* how primitives are known again as read; the meshes themselves stay the
 * scene's */
void mesh_slots_free(importer *m);

/* The triangles of a primitive of mode 4 to 6, three vertices each (<
 * vertices), as its scene mesh has them, one for one. Caller frees *ret_own,
 * which is NULL where the index is the file's own bytes (doc->lasting). */
etna_code primitive_triangles(const gltf_doc *doc,
                              const json_t *primitive,
                              uint32_t vertices,
                              const char *where,
                              const uint32_t **ret_index,
                              uint32_t **ret_own,
                              uint32_t *ret_triangles,
                              etna_error *err);
/* A mesh of some of another's triangles (ascending), with the same attributes;
 * equal ones are one. False: no memory. */
bool mesh_subset(importer *m,
                 uint32_t mesh,
                 const uint32_t *triangles,
                 uint32_t count,
                 uint32_t *ret_mesh);

/* What becomes of a node: how many objects it gives, and whether its children
 * form a level of their own. */
typedef enum division_rule {
    FATE_OPEN,
    FATE_WHOLE,
    FATE_OWN_MESH_THEN_OPEN,
    FATE_INSTANCES_THEN_OPEN
} division_rule;

/* object.c: parts and objects from the nodes, METHODS.md 1 Object. */
etna_code objects_make(importer *m, etna_error *err);

/* divide.c: splits and groups, over what objects_make made. The names hold when
 * these are called; they need making unique again afterwards. */
etna_code divide_begin(importer *m, etna_error *err); /* notes the bases */
/* the side file's "splits" */
etna_code divide_split(importer *m, etna_error *err);
/* the side file's "groups" */
etna_code divide_group(importer *m, etna_error *err);
/* as m->like is divided */
etna_code divide_like(importer *m, etna_error *err);
/* By group_of (of each object: a number from 1 to `count`, or 0) and what each
 * number is called; objects of one number become one. `names` and `members`
 * (how many are of it) have count + 1 elements. */
etna_code divide_join(importer *m,
                      const uint32_t *group_of,
                      uint32_t count,
                      const char *const *names,
                      const uint32_t *members,
                      etna_error *err);

/* record.c: a result says in its own text how its scene was read, for the side
 * file stays behind. */
/* What the file's side file says, and of what it leaves unsaid what the file's
 * text does (asset.extras.etna_scene). NULL: neither says anything. A new
 * reference. */
etna_code record_read(const gltf_doc *doc,
                      bool text_too,
                      json_t **ret,
                      etna_error *err);
/* Which nodes its "division" makes objects of; `ret` has an element a node.
 * ETNA_E_INPUT when it is malformed. */
etna_code record_rules(const importer *m, division_rule *ret, etna_error *err);
/* Names and joins the objects as "division" says. */
etna_code record_divide(importer *m, etna_error *err);

/* name.c: a letter that has one before it begins a word there: the W of
 * "HouseWall", the C of "TVCabinet". */
bool name_begins_hump(const char *letter);
/* The first word of what is left of a name, letters alone; *ret_length 0: there
 * is none. */
const char *name_word(const char *name, size_t *ret_length);

/* name.c */
etna_code names_make(importer *m, etna_error *err); /* unique and stable */

/* form.c: the form of an object whose box is measured, from a sample of its
 * triangles. */
scene_form form_of(const scene *s, const scene_object *object);

/* What lies farther out is nobody's scene, and would turn every later number
 * into nonsense: in the file's own units, and in the world. */
#define REACH_UNITS 1e12
#define REACH_METRES 1e9
/* Every coordinate between the two is nearer to 0 than `reach`; false for what
 * is no number. */
static inline bool extent_is_within(vec3 min, vec3 max, double reach)
{
    vec3 far = v3_max(v3_scale(min, -1), max);
    return far.x < reach && far.y < reach && far.z < reach;
}

/* box.c: METHODS.md 1 Box of objects[index] over its parts; also min and max.
 * `front` is a local axis or zero for the rule. `room`, zero to begin, serves
 * one object after the other; its points are the caller's to free. */
typedef struct box_room {
    vec2 *points;
    size_t count;
} box_room;
etna_code box_measure(const scene *s,
                      scene_object *object,
                      const affine *frame,
                      vec3 front,
                      box_room *room,
                      etna_error *err);

/* reimport.c: scene_import_like's part of it. The nodes must be those of
 * m->like; then its names and static flags. */
etna_code reimport_compare(importer *m, etna_error *err);
/* a node that like does not have */
bool reimport_added(const importer *m, uint32_t node);
etna_code reimport_adopt(importer *m, etna_error *err);

/* light.c */
etna_code lights_read(importer *m, etna_error *err);

/* static.c */
/* The noun that makes a name's bearer static ("wall", "floor" ...), or NULL. */
const char *static_noun(const char *name);
/* A name's last token of more than two letters, in lower case: runs of letters,
 * cut where lower meets upper case ("HouseWall") and where an abbreviation
 * meets a word ("TVCabinet"). How many such tokens there are. */
uint32_t static_head_noun(const char *name, char noun[32]);
/* Does any word of a name say that it is of a building: a wall, a floor? */
bool static_names_building(const char *name);
/* METHODS.md 1, in this order: what lies far from everything else, and what is
 * static by shape or name. */
void strays_mark(importer *m);
void statics_mark(importer *m);

/* scale.c */
/* Metres of the file's unit where the sizes of things whose names tell what they
 * are agree on another than the metre; 0: they do not. Of objects that were read
 * with a metre a unit. */
double scale_guess(importer *m);
/* Warns where the things of the scene seem to be of another unit or up axis. */
void scale_warn(importer *m);

/* camera.c */
etna_code cameras_read(importer *m, etna_error *err);
etna_code camera_add(importer *m,
                     scene_camera camera,
                     const char *wish,
                     etna_error *err); /* under a unique name */
bool camera_aim(scene_camera *camera,
                vec3 forward,
                vec3 up); /* a right-handed frame; false when there is none */
double camera_tan_half(double angle);

/* derive.c: a camera where the file has none */
etna_code camera_derive(importer *m, etna_error *err);

/* side.c */
/* or NULL and a warning */
scene_object *side_find(importer *m, const char *name);
etna_code side_read(importer *m, etna_error *err);
/* What the node says of itself, or NULL. */
const json_t *side_told(const importer *m, uint32_t node);
/* zero: none given */
vec3 side_front(const importer *m, const scene_object *o);
/* Is it what a model that sees said of pictures, and nobody else? */
bool side_front_is_seen(const importer *m, const scene_object *o);
/* names, static, descriptions, categories */
etna_code side_apply(importer *m, etna_error *err);
/* "movable": after the rules for static */
void side_release(importer *m);
etna_code side_cameras(importer *m, etna_error *err);

/* scene.c: makes the object static by a rule, in words; false without memory
 * (also `rule` NULL): then it is not. */
bool object_set_static(struct scene_private *own,
                       scene_object *o,
                       const char *rule);

#endif
