/* Things brought into a scene's GLB, and taken out of it, by surgery on its
 * text: every byte of what the file had stays as it is but the length of its
 * buffer, lists get items at their ends, and the binary chunk is continued.
 * What was appended is told in the file ("asset.extras.etna_added", a layer for
 * each append), so that append_strip gives the bytes from before back. Pure but
 * for memory. */
#ifndef ETNA_WORKER_CONVERT_APPEND_H
#define ETNA_WORKER_CONVERT_APPEND_H

#include "proto/error.h"
#include "worker/convert/glb.h"

#include <jansson.h>

enum {
    APPEND_ITEMS_MAX = 2000,
    APPEND_LAYERS_MAX = 64
};

typedef struct append_item {
    /* the asset: a GLB that holds its own buffers and pictures, metres, Y up.
     * Items that point to the same bytes share one set of meshes */
    const uint8_t *glb;
    size_t size;
    const char *name;
    /* of its node, which is a root of the scene: column-major, in the file's
     * unit and axes (scene_placement) */
    double matrix[16];
    const json_t *told; /* becomes the node's extras.etna; NULL: nothing */
    /* listed in asset.extras.etna_credits, once; an asset that tells its own
     * authors brings them too */
    glb_author author;
} append_item;

/* `file` with the items in it, as one layer. ETNA_E_INPUT with the item's name
 * where an asset cannot be taken in whole (as glb_guest_take), a matrix is not
 * finite, or `file` is no GLB; ETNA_E_LIMIT. Caller frees *ret. */
etna_code append_items(const uint8_t *file,
                       size_t size,
                       const append_item *items,
                       uint32_t count,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err);
/* The same for a file that differs from `from` in nothing but that
 * asset.extras.etna_scene says how it is read (its unit, its up axis), which
 * counts as brought with them; NULL: there is none. */
etna_code append_items_from(const uint8_t *from,
                            size_t from_size,
                            const uint8_t *file,
                            size_t size,
                            const append_item *items,
                            uint32_t count,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err);

typedef struct append_layer { /* the last append of a file */
    uint32_t first_node, node_count;
    uint32_t root_count; /* of those, the items' own nodes */
    uint32_t *roots;     /* in the items' order */
} append_layer;

/* The file's last layer; ETNA_E_NOTFOUND: nothing was appended, or the file was
 * rewritten since. Free *ret's roots with append_layer_free. */
etna_code append_read(const uint8_t *file,
                      size_t size,
                      append_layer *ret,
                      etna_error *err);
void append_layer_free(append_layer *layer);

/* The file before its last append: its bytes, but for what was edited since in
 * members that it had then. `keep_frame`: how it is read stays said.
 * ETNA_E_NOTFOUND as append_read. Caller frees *ret. */
etna_code append_strip(const uint8_t *file,
                       size_t size,
                       bool keep_frame,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err);

/* Nodes that leave the scene with all below them: they are dropped from the
 * lists of the scenes and of their parents, and their own text and data stay;
 * "asset.extras.etna_removed" tells their numbers. A list that loses its last
 * item goes. ETNA_E_INPUT: no such node, or not of a GLB. Caller frees *ret. */
etna_code append_drop(const uint8_t *file,
                      size_t size,
                      const uint32_t *nodes,
                      uint32_t count,
                      uint8_t **ret,
                      size_t *ret_size,
                      etna_error *err);

/* ---- a result held against what it was made from ---- */

/* Does the file tell that things were brought in or taken out? */
bool append_tells(const uint8_t *file, size_t size);

typedef struct append_news { /* lists of names; all zero is empty */
    json_t *added, *gone;    /* nodes */
    /* of what is gone, what the result does not tell was taken out */
    json_t *untold;
} append_news;

/* The first file with what the second brought in, far below, and without what
 * is gone from it: with the second's nodes and meshes, so that
 * scene_import_like can hold the two against each other. `unit`, `z_up`: of the
 * first. ETNA_E_INPUT: the second was not made from the first. Caller frees
 * *ret, and *ret_news with append_news_free. */
etna_code append_twin(const uint8_t *then,
                      size_t then_size,
                      const uint8_t *now,
                      size_t now_size,
                      double unit,
                      bool z_up,
                      uint8_t **ret,
                      size_t *ret_size,
                      append_news *ret_news,
                      etna_error *err);
void append_news_free(append_news *news);

#endif
