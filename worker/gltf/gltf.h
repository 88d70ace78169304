/* A glTF document in memory: its chunks, its JSON, its buffers, and bounded
 * readers of what they hold. Every number read from it is checked here, so the
 * rest of the import can trust what it is given. Of no scene: what the numbers
 * mean is worker/scene's. */
#ifndef ETNA_WORKER_GLTF_GLTF_H
#define ETNA_WORKER_GLTF_GLTF_H

#include "proto/arena.h"
#include "proto/error.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLTF_NONE UINT32_MAX
enum {
    /* of nodes, of meshes, ...: far beyond any scene, and bounds every count that
     * follows */
    GLTF_LIST_MAX = 1000000
};

/* ---- a bundle's parts (bundle.c) ---- */
typedef struct bundle_file {
    const char *uri; /* as written in the JSON, NUL-terminated, in the arena */
    const uint8_t *data;
    size_t size;
} bundle_file;

typedef struct bundle_view { /* borrows from the bundle's bytes */
    double metres_per_unit;
    char up;
    const uint8_t *main, *side; /* side NULL: none */
    size_t main_size, side_size;
    size_t files_at; /* where in the bundle their number is, and then they */
    uint32_t file_count;
    bundle_file *files; /* sorted by URI */
} bundle_view;

/* The file of that URI, or NULL. What unpack.h decoded is files too: URIs that
 * no scene can name. */
const bundle_file *bundle_find(const bundle_view *view, const char *uri);
/* Finds a bundle's parts without copying them; the table of files is in
 * `arena`. ETNA_E_INPUT where it is none. */
etna_code bundle_open(const uint8_t *data,
                      size_t size,
                      etna_arena *arena,
                      bundle_view *ret,
                      etna_error *err);

/* ---- the container ---- */
typedef struct gltf_chunks {
    bool glb;
    const char *json;           /* not NUL-terminated */
    size_t json_size;           /* with its padding */
    const uint8_t *bin;         /* NULL: none */
    size_t bin_size, bin_begin; /* begin: of the chunk's data in the file */
    /* bytes of the file that the GLB header claims */
    size_t used;
} gltf_chunks;

/* Four bytes of a container, little-endian; `value` is below 2^32. */
void gltf_put_u32(uint8_t *at, size_t value);
/* GLB by its magic, else JSON text. Text errors name the chunk. */
etna_code gltf_split(const uint8_t *file,
                     size_t size,
                     gltf_chunks *ret,
                     etna_error *err);
/* Bounds, then Jansson; ETNA_E_INPUT with line and column. Caller
 * json_decref()s. */
etna_code gltf_parse_json(const char *text,
                          size_t size,
                          const char *what,
                          json_t **ret_root,
                          etna_error *err);
/* Decodes the payload of a base64 data: URI, malloc'd; false when it is none or
 * malformed. */
bool gltf_data_uri(const char *uri, uint8_t **ret_data, size_t *ret_size);

/* ---- the document ---- */
typedef struct gltf_buffer {
    const uint8_t *data;
    size_t size; /* byteLength */
    /* where it begins in the main file, when it is the GLB's own chunk; else
     * SIZE_MAX */
    size_t bin_begin;
    /* a placeholder for what its views hold compressed: there are no bytes */
    bool absent;
    uint8_t *owned;
} gltf_buffer;

typedef struct gltf_doc {
    bundle_view bundle;
    gltf_chunks chunks;
    json_t *root;
    json_t *nodes, *meshes, *accessors, *views, *materials, *textures, *images,
        *samplers, *cameras, *skins, *animations, *scenes;
    uint32_t node_count, mesh_count, accessor_count, view_count, material_count,
        texture_count, image_count, camera_count, skin_count;
    /* Behind the file's own accessors stand copies of those that several Draco
     * primitives share (gltf_part_shared). */
    uint32_t own_accessor_count;
    uint32_t *copied_from; /* of each copy, in the arena */
    uint32_t buffer_count;
    gltf_buffer *buffers; /* in the arena */
    /* bytes that outlive what is read, which may then borrow from them; NULL:
     * none */
    const uint8_t *lasting;
    size_t lasting_size;
    /* numbers read from accessors so far, in the arena: a file may name the
     * same ones again and again */
    uint64_t *work;
    etna_arena arena; /* small things of the document */
} gltf_doc;

/* Opens the bundle's main file, checks version and required extensions,
 * resolves every buffer. gltf_close in every case. */
etna_code gltf_open(gltf_doc *doc,
                    const uint8_t *bundle,
                    size_t size,
                    etna_error *err);
/* Frees what the document holds; all zero is fine. */
void gltf_close(gltf_doc *doc);

/* Members with defaults; a wrong type or a number out of range is an error that
 * names `where`. */
etna_code gltf_index(const json_t *object,
                     const char *key,
                     uint32_t bound,
                     const char *where,
                     uint32_t *ret,
                     etna_error *err); /* absent: GLTF_NONE */
etna_code gltf_size(const json_t *object,
                    const char *key,
                    uint64_t fallback,
                    const char *where,
                    uint64_t *ret,
                    etna_error *err);
/* Several of them at once, in their order; the first that is wrong is the
 * error. Those before it are written. */
typedef struct gltf_size_member {
    const char *key;
    uint64_t fallback;
    uint64_t *ret;
} gltf_size_member;
etna_code gltf_sizes(const json_t *object,
                     const gltf_size_member *members,
                     size_t count,
                     const char *where,
                     etna_error *err);
/* An array of `count` numbers; *ret_given: it is there. */
etna_code gltf_numbers(const json_t *object,
                       const char *key,
                       uint32_t count,
                       double *ret,
                       bool *ret_given,
                       const char *where,
                       etna_error *err);
/* NULL when absent or no string */
const char *gltf_text(const json_t *object, const char *key);
/* Borrowed; NULL: it has none of that name. */
json_t *gltf_extension(const json_t *object, const char *name);

/* ---- compressed geometry ---- */
#define GLTF_DECODED_PREFIX \
    "etna:" /* of the URIs of decoded parts: a scheme, which no file of a bundle has */
typedef enum gltf_part {
    GLTF_ACCESSOR,
    GLTF_VIEW
} gltf_part;
/* The decoded bytes of an accessor (its elements packed) or of a view, or NULL
 * when the bundle does not hold them. */
const bundle_file *gltf_decoded(const gltf_doc *doc,
                                gltf_part part,
                                uint32_t index);
/* The URI under which the bundle holds it. */
void gltf_decoded_uri(gltf_part part, uint32_t index, char ret[32]);
/* its extension's object, or NULL */
const json_t *gltf_meshopt(const json_t *view);
/* Whether a primitive's geometry is there as Draco alone: its POSITION has no
 * bufferView. */
bool gltf_draco_only(const gltf_doc *doc, const json_t *primitive);

/* Draco fills an accessor from its primitive's own data. A file may name one
 * accessor in several primitives with data of their own, as Blender does with
 * indices that are equal before they are compressed. In the document each
 * primitive but the first then names a copy of its own, so an accessor has one
 * content for all who read it. To be called once, by gltf_open. ETNA_E_LIMIT
 * above a million accessors with the copies. */
etna_code gltf_part_shared(gltf_doc *doc, etna_error *err);
/* The accessor as the file numbers it: a copy's is what it was copied from. */
uint32_t gltf_file_accessor(const gltf_doc *doc, uint32_t index);

/* ---- accessors ---- */
typedef struct gltf_accessor {
    uint32_t index, component, components, count, component_size;
    bool normalized, sparse;
    const uint8_t *data; /* NULL: zeros */
    size_t stride;
    /* GLTF_NONE: none, or its bytes are decoded ones and lie in no buffer */
    uint32_t buffer;
    size_t buffer_offset; /* of element 0 in it */
} gltf_accessor;

/* of whole numbers, as indices and joints are */
bool gltf_is_unsigned(const gltf_accessor *a);
etna_code gltf_accessor_open(const gltf_doc *doc,
                             uint32_t index,
                             gltf_accessor *ret,
                             etna_error *err);
/* One number of it, at its bytes; dequantized where the accessor is
 * normalized. */
double gltf_component(const gltf_accessor *a, const uint8_t *at);
/* count * components numbers, dequantized, sparse substitution made, finite;
 * malloc'd. Fails unless the accessor has `components` per element (0: any). */
etna_code gltf_read_floats(const gltf_doc *doc,
                           uint32_t index,
                           uint32_t components,
                           float **ret,
                           uint32_t *ret_count,
                           etna_error *err);
/* The same without a copy where the file's bytes are the numbers and outlive
 * the scene (doc->lasting): *ret_own, which the caller frees, is NULL then,
 * else it is *ret. */
etna_code gltf_borrow_floats(const gltf_doc *doc,
                             uint32_t index,
                             uint32_t components,
                             const float **ret,
                             float **ret_own,
                             uint32_t *ret_count,
                             etna_error *err);
/* The same for scalars of an unsigned type (indices) or vectors of them
 * (joints). */
etna_code gltf_borrow_unsigned(const gltf_doc *doc,
                               uint32_t index,
                               uint32_t components,
                               const uint32_t **ret,
                               uint32_t **ret_own,
                               uint32_t *ret_count,
                               etna_error *err);
/* The same with a copy, which the caller frees. */
etna_code gltf_read_unsigned(const gltf_doc *doc,
                             uint32_t index,
                             uint32_t components,
                             uint32_t **ret,
                             uint32_t *ret_count,
                             etna_error *err);
/* The bytes of a buffer view, decoded ones when it is compressed. */
etna_code gltf_view_bytes(const gltf_doc *doc,
                          uint32_t view,
                          const uint8_t **ret,
                          size_t *ret_size,
                          size_t *ret_stride,
                          etna_error *err);

#endif
