/* What the files glb*.c share. */
#ifndef ETNA_WORKER_CONVERT_GLB_INTERNAL_H
#define ETNA_WORKER_CONVERT_GLB_INTERNAL_H

#include "worker/convert/glb.h"

#include <jansson.h>

#define BIN_MAX ((size_t)3 << 30)
enum {
    SAID_MAX = 200
};

struct glb {
    json_t *root, *nodes, *meshes, *materials, *textures, *images, *samplers,
        *accessors, *views, *cameras, *lights, *top, *lines, *warnings,
        *credits, *used, *required;
    uint8_t *bin;
    size_t bin_size, bin_room;
    etna_error fault; /* the first, or ETNA_OK */
    bool converted;   /* lines and warnings are those of a conversion */
};

/* A document is built without looking at each step: the first fault sticks in
 * g->fault, later steps do nothing, and glb_finish tells it. Both take the
 * reference, also of NULL, which is a fault. Returns the item's index. */
uint32_t glb_append(glb *g, json_t *list, json_t *item);
void glb_set(glb *g, json_t *object, const char *key, json_t *value);
/* takes the reference */
uint32_t glb_add_node(glb *g, uint32_t parent, json_t *node);
/* The extension's name goes into the list, once. */
void glb_uses(glb *g, json_t *list, const char *extension);
/* A new view of `size` bytes at a multiple of four, and where its bytes go;
 * NULL: no memory, or too many. */
uint8_t *glb_grow(glb *g, size_t size, int target, uint32_t *ret_view);

#endif
