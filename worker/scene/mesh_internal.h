/* What the files of the meshes share: a primitive on its way from the file to
 * the scene. mesh_draft.c reads it, mesh_rest.c poses it as the file stands at
 * rest, mesh.c keeps it. Nobody else includes this. */
#ifndef ETNA_WORKER_SCENE_MESH_INTERNAL_H
#define ETNA_WORKER_SCENE_MESH_INTERNAL_H

#include "worker/scene/scene_internal.h"

/* A primitive being read: `count` vertices each, index 3 per triangle. An array
 * is the file's own bytes where these outlive the scene, and its member of
 * `own` NULL; else it is malloc'd, and that member the same. */
typedef struct draft {
    uint32_t count, triangles;
    const float *position, *normal, *uv, *colour;
    const uint32_t *index;
    struct {
        float *position, *normal, *uv, *colour;
        uint32_t *index;
    } own;
} draft;

void draft_free(draft *d); /* what is its own; all zero is fine */
/* Copies what is not its own yet, so that all may be written. False: no
 * memory. */
bool draft_own_all(draft *d);
bool draft_own_position(draft *d); /* the positions alone */

/* All errors name `where` and are ETNA_E_INPUT, ETNA_E_LIMIT or ETNA_E_NOMEM;
 * the draft stays the caller's to free. */

/* An attribute as floats, borrowed or *ret_own, as a draft's; NULL where the
 * primitive has none. `components` 0: as many as it has, told. As many elements
 * as the draft has vertices, once its positions are read. */
etna_code draft_attribute(importer *m,
                          const json_t *attributes,
                          const char *key,
                          uint32_t components,
                          const draft *d,
                          const char *where,
                          const float **ret,
                          float **ret_own,
                          uint32_t *ret_components,
                          etna_error *err);
/* The positions, and with them d->count: in the mesh's own frame and the file's
 * unit, before morphs and skin. Of a primitive without any d->position stays
 * NULL, which is no error. */
etna_code draft_read_position(importer *m,
                              const json_t *primitive,
                              const char *where,
                              draft *d,
                              etna_error *err);
/* Normals, the texture's coordinates with the material's transform applied, and
 * colours with an alpha. */
etna_code draft_read_shown(importer *m,
                           const json_t *primitive,
                           uint32_t material,
                           const char *where,
                           draft *d,
                           etna_error *err);

/* Positions as `node`'s weights and joints have them. A skin that cannot be
 * posed changes nothing. */
etna_code draft_apply_morphs(importer *m,
                             const json_t *primitive,
                             uint32_t node,
                             const char *where,
                             draft *d,
                             etna_error *err);
etna_code draft_apply_skin(importer *m,
                           const json_t *primitive,
                           uint32_t node,
                           const char *where,
                           draft *d,
                           etna_error *err);

#endif
