/* Another GLB's things in ours: taken in once, placed any number of times, with
 * its pictures and materials as they are. Cameras, lights and animations stay
 * outside. Every index of the guest is checked; what it holds is checked when
 * the whole is imported. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_GLB_GUEST_H
#define ETNA_WORKER_CONVERT_GLB_GUEST_H

#include "worker/convert/glb.h"

#include <jansson.h>

typedef struct glb_guest { /* all zero is empty */
    json_t *root;
    uint32_t accessor, mesh, material; /* where its own begin in ours */
    const char *copyright;             /* borrowed from root, or NULL */
    uint32_t node_count, *roots, root_count;
    bool *walked; /* per node, while it is placed */
} glb_guest;

/* Takes in meshes and, unless `bare`, materials and pictures. ETNA_E_INPUT and
 * ETNA_E_LIMIT with what to do: a GLB whose buffers or pictures are files of
 * their own, an extension without which it is not itself, an index out of
 * range. */
etna_code glb_guest_take(glb *g,
                         const uint8_t *data,
                         size_t size,
                         bool bare,
                         glb_guest *ret,
                         etna_error *err);
void glb_guest_free(glb_guest *guest);

/* Whether the guest is one mesh and nothing else, so that a node of ours can
 * hold it. */
bool glb_guest_single(const glb_guest *guest, uint32_t *ret_mesh);
/* The front that its only root tells (glb_tell), or NULL. */
const char *glb_guest_front(const glb_guest *guest);
/* Its nodes once more, below `parent`. */
etna_code glb_guest_place(glb *g,
                          glb_guest *guest,
                          uint32_t parent,
                          etna_error *err);
/* Its authors, by what its own "asset" says; `name` stands for the model where
 * it says nothing. */
void glb_guest_credit(glb *g, const glb_guest *guest, const char *name);

#endif
