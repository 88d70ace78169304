/* What the files foreign*.c share. */
#ifndef ETNA_WORKER_CONVERT_FOREIGN_INTERNAL_H
#define ETNA_WORKER_CONVERT_FOREIGN_INTERNAL_H

#include "worker/convert/foreign.h"
#include "worker/math/vec.h"

#include <assimp/scene.h>

typedef struct known_picture {
    char *name;
    uint32_t picture; /* GLB_NONE: not to be had */
    bool alpha;
} known_picture;

typedef struct known_material {
    uint32_t index; /* in the GLB */
    unsigned uv;    /* which set its picture uses */
    bool has_picture;
} known_material;

typedef struct foreign {
    source *files;
    const foreign_options *options;
    const char *name; /* of the main file */
    const struct aiScene *scene;
    glb *out;
    known_picture *pictures;
    uint32_t picture_count, lost_pictures;
    known_material *materials; /* by Assimp's index */
    /* Blender writes its own linear numbers into every format */
    bool linear_colours;
    /* of the file's axes to Y up, in vertices and nodes alike */
    affine turn;
    bool is_fbx;
    uint64_t triangles;
    uint32_t ignored; /* meshes of points or lines */
} foreign;

/* The materials and their pictures (foreign_material.c). */
etna_code foreign_materials(foreign *f, etna_error *err);
/* One of Assimp's meshes as a primitive (foreign_mesh.c); `place` is baked into
 * its vertices. */
etna_code foreign_primitive(foreign *f,
                            const struct aiMesh *m,
                            const affine *place,
                            uint32_t mesh,
                            etna_error *err);
/* Nodes, cameras and meshes: the scene's own tree, or one object of a library
 * (foreign_node.c). */
etna_code foreign_nodes(foreign *f, etna_error *err);
etna_code foreign_object(foreign *f, etna_error *err);

#endif
