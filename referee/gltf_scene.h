/* A glTF file as it stands: its nodes where they are, their triangles, its
 * cameras. Nothing is interpreted. */
#ifndef ETNA_REFEREE_GLTF_SCENE_H
#define ETNA_REFEREE_GLTF_SCENE_H

#include "referee/geometry.h"

enum {
    GLTF_NODES_MAX = 1000000,
    /* of all meshes, each as often as it stands somewhere */
    GLTF_CORNERS_MAX = 60000000
};

typedef struct gltf_mesh {
    point *corners; /* three a triangle */
    size_t corner_count;
} gltf_mesh;

typedef struct gltf_node {
    char *name;    /* its own, else its mesh's, else "node 7" */
    size_t parent; /* SIZE_MAX: it is a root */
    size_t root;   /* SIZE_MAX: it is not in the scene */
    size_t mesh;   /* SIZE_MAX: none */
    size_t camera; /* SIZE_MAX: none */
    motion world;  /* of its own frame; Z up, metres */
    motion *instances;
    /* of its mesh, each relative to the node; at least one where it has a
     * mesh */
    size_t instance_count;
} gltf_node;

typedef struct gltf_camera {
    char *name;
    bool is_perspective;
    double yfov, aspect; /* radians; aspect 0: unsaid */
    double xmag, ymag;   /* of one that is not */
} gltf_camera;

typedef struct gltf_scene {
    gltf_node *nodes;
    size_t node_count;
    gltf_mesh *meshes;
    size_t mesh_count;
    gltf_camera *cameras;
    size_t camera_count;
} gltf_scene;

/* Reads a .glb, or a .gltf with its buffers beside it; false: `error` says why.
 * What is compressed or sparse is not read; animations and skins are left out.
 * The caller frees. */
bool gltf_scene_read(const char *path, gltf_scene *ret, char error[static 256]);
void gltf_scene_free(gltf_scene *s);

/* The node in the scene that bears the name; SIZE_MAX: none does, or several
 * (*ret_several). */
size_t gltf_scene_find(const gltf_scene *s,
                       const char *name,
                       bool *ret_several);
/* The first node from `from` on that is in the scene and has the camera, named
 * as itself or as it is; `name` NULL: any. SIZE_MAX: none. */
size_t gltf_scene_camera(const gltf_scene *s, const char *name, size_t from);
/* Whether `node` is `above`, or below it. */
bool gltf_scene_is_below(const gltf_scene *s, size_t node, size_t above);

#endif
