/* Vertices and triangles. Numbers are checked here, while the mesh still has
 * the name that its maker gave it. */
#include "worker/convert/foreign_internal.h"
#include "worker/math/colour.h"
#include "worker/scene/scene.h"

#include <assimp/mesh.h>
#include <stdlib.h>

/* Faces of fewer corners (lines that hide among triangles) are left out; false
 * when a corner is no vertex. */
static bool foreign_triangles(const struct aiMesh *m,
                              uint32_t *index,
                              uint32_t *ret_count)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < m->mNumFaces; i++) {
        const struct aiFace *face = &m->mFaces[i];
        if (face->mNumIndices != 3)
            continue;
        for (unsigned k = 0; k < 3; k++) {
            if (face->mIndices[k] >= m->mNumVertices)
                return false;
            index[3 * (size_t)count + k] = face->mIndices[k];
        }
        count++;
    }
    *ret_count = count;
    return true;
}

/* False: a number that is not finite, or beyond any scene. */
static bool positions_of(const struct aiMesh *m,
                         const affine *place,
                         float *position)
{
    for (unsigned i = 0; i < m->mNumVertices; i++) {
        vec3 p = v3((double)m->mVertices[i].x, (double)m->mVertices[i].y,
                    (double)m->mVertices[i].z);
        p = affine_point(place, p);
        if (!(fabs(p.x) <= 1e30) || !(fabs(p.y) <= 1e30) ||
            !(fabs(p.z) <= 1e30))
            return false;
        position[3 * (size_t)i] = (float)p.x;
        position[3 * (size_t)i + 1] = (float)p.y;
        position[3 * (size_t)i + 2] = (float)p.z;
    }
    return true;
}

/* Unit vectors; a normal that is none points up, as a valid glTF needs some. By
 * the inverse transpose of `place`. */
static void normals_of(const struct aiMesh *m,
                       const affine *place,
                       float *normal)
{
    affine inverse = affine_identity();
    if (!affine_inverse(place, &inverse))
        inverse = affine_identity();
    for (unsigned i = 0; i < m->mNumVertices; i++) {
        vec3 a = v3((double)m->mNormals[i].x, (double)m->mNormals[i].y,
                    (double)m->mNormals[i].z);
        vec3 n = v3(inverse.m[0][0] * a.x + inverse.m[1][0] * a.y +
                        inverse.m[2][0] * a.z,
                    inverse.m[0][1] * a.x + inverse.m[1][1] * a.y +
                        inverse.m[2][1] * a.z,
                    inverse.m[0][2] * a.x + inverse.m[1][2] * a.y +
                        inverse.m[2][2] * a.z);
        n = v3_normal(n);
        if (!v3_finite(n) || !(v3_length(n) > 0.5))
            n = v3(0, 1, 0);
        normal[3 * (size_t)i] = (float)n.x;
        normal[3 * (size_t)i + 1] = (float)n.y;
        normal[3 * (size_t)i + 2] = (float)n.z;
    }
}

/* v runs the other way in glTF. */
static void uvs_of(const struct aiMesh *m, unsigned set, float *uv)
{
    for (unsigned i = 0; i < m->mNumVertices; i++) {
        double u = (double)m->mTextureCoords[set][i].x;
        double v = (double)m->mTextureCoords[set][i].y;
        uv[2 * (size_t)i] = fabs(u) <= 1e6 ? (float)u : 0;
        uv[2 * (size_t)i + 1] = fabs(v) <= 1e6 ? (float)(1 - v) : 0;
    }
}

static void colours_of(const struct aiMesh *m, float *colour)
{
    for (unsigned i = 0; i < m->mNumVertices; i++) {
        const struct aiColor4D *c = &m->mColors[0][i];
        colour[4 * (size_t)i] = (float)colour_srgb_to_linear((double)c->r);
        colour[4 * (size_t)i + 1] = (float)colour_srgb_to_linear((double)c->g);
        colour[4 * (size_t)i + 2] = (float)colour_srgb_to_linear((double)c->b);
        colour[4 * (size_t)i + 3] = c->a >= 0 && c->a <= 1 ? c->a : 1;
    }
}

/* A mirror turns triangles inside out; two corners exchanged turn them back. */
static void turn_over(uint32_t *index, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t swapped = index[3 * (size_t)i + 1];
        index[3 * (size_t)i + 1] = index[3 * (size_t)i + 2];
        index[3 * (size_t)i + 2] = swapped;
    }
}

/* The numbers of one mesh for glTF; what the mesh does not have is NULL. */
typedef struct mesh_arrays {
    uint32_t *index;
    float *position, *normal, *uv, *colour;
} mesh_arrays;

static void arrays_free(mesh_arrays *a)
{
    free(a->index);
    free(a->position);
    free(a->normal);
    free(a->uv);
    free(a->colour);
}

/* With places in a picture where the mesh has some, or `pictured` says so:
 * glTF wants them of all that has a picture. False: no memory; arrays_free takes
 * what there is. */
static bool arrays_new(const struct aiMesh *m,
                       unsigned set,
                       bool pictured,
                       mesh_arrays *ret)
{
    size_t n = m->mNumVertices;
    mesh_arrays a = {.index =
                         malloc((size_t)m->mNumFaces * 3 * sizeof *a.index + 1),
                     .position = malloc(n * 3 * sizeof *a.position + 1)};
    bool is_whole = a.index && a.position;
    if (m->mNormals)
        is_whole =
            (a.normal = malloc(n * 3 * sizeof *a.normal + 1)) && is_whole;
    if (m->mTextureCoords[set] || pictured)
        is_whole = (a.uv = calloc(n * 2 + 1, sizeof *a.uv)) && is_whole;
    if (m->mColors[0])
        is_whole =
            (a.colour = malloc(n * 4 * sizeof *a.colour + 1)) && is_whole;
    *ret = a;
    return is_whole;
}

static etna_code fill_arrays(const struct aiMesh *m,
                             const affine *place,
                             unsigned set,
                             mesh_arrays *a,
                             uint32_t *ret_count,
                             etna_error *err)
{
    if (!m->mVertices || !positions_of(m, place, a->position))
        return etna_fail(err, ETNA_E_INPUT,
                         "mesh \"%.100s\" has a vertex that is not finite",
                         m->mName.data);
    if (!foreign_triangles(m, a->index, ret_count))
        return etna_fail(
            err, ETNA_E_INPUT,
            "mesh \"%.100s\" has a face of vertices that it does not have",
            m->mName.data);
    if (a->normal)
        normals_of(m, place, a->normal);
    if (m->mTextureCoords[set])
        uvs_of(m, set, a->uv);
    if (a->colour)
        colours_of(m, a->colour);
    if (affine_det(place) < 0)
        turn_over(a->index, *ret_count);
    return ETNA_OK;
}

/* The set of texture coordinates that its material uses, or the first. */
static unsigned mesh_uv_set(const struct aiMesh *m,
                            const known_material *material)
{
    const unsigned set = material ? material->uv : 0;
    const bool has =
        set < AI_MAX_NUMBER_OF_TEXTURECOORDS && m->mTextureCoords[set];
    return has ? set : 0;
}

etna_code foreign_primitive(foreign *f,
                            const struct aiMesh *m,
                            const affine *place,
                            uint32_t mesh,
                            etna_error *err)
{
    const known_material *material = m->mMaterialIndex < f->scene->mNumMaterials
                                         ? &f->materials[m->mMaterialIndex]
                                         : NULL;
    const unsigned set = mesh_uv_set(m, material);
    if (f->triangles + m->mNumFaces > SCENE_TRIANGLES_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "it has more than %d triangles; decimate it or leave some out",
            SCENE_TRIANGLES_MAX);
    }
    mesh_arrays a;
    uint32_t count = 0;
    etna_code code = ETNA_OK;
    if (!arrays_new(m, set, material && material->has_picture, &a))
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u vertices",
                         m->mNumVertices);
    if (code == ETNA_OK)
        code = fill_arrays(m, place, set, &a, &count, err);
    if (code == ETNA_OK && count > 0) {
        f->triangles += count;
        glb_triangles t = {.vertex_count = m->mNumVertices,
                           .triangle_count = count,
                           .position = a.position,
                           .normal = a.normal,
                           .uv = a.uv,
                           .colour = a.colour,
                           .index = a.index,
                           .material = material ? material->index : GLB_NONE};
        glb_primitive(f->out, mesh, &t);
    }
    arrays_free(&a);
    return code;
}
