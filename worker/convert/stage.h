/* A stage: a scene with things brought in for a run and things taken out of it.
 * It is a scene of its own, the bundle of a GLB in which the guests wait
 * outside, and carries what it was made of: so its hash tells all, workers need
 * no library, and an export can give back the first scene's own bytes with what
 * was placed appended (append.h). The GLB says in "asset.extras.etna_stage"
 * what was done, for who reads sentences:
 *
 *   {"edits": [{"kind": "add", "said": "a floor lamp", "names": ["floor
 *   lamp"]},
 *              {"kind": "remove", "said": "the small plants", "names": ["plant
 *              1", "plant 2"]}, {"kind": "replace", "said": "the coffee table",
 *              "by": "a round one", "names": ["round coffee table"],
 *               "old": ["coffee table"], "at": [x, y, z], "yaw_deg": 90,
 *               "load": ["vase"]}]}
 *
 * "at" is the middle of the old one's foot in the file's frame, metres and Z
 * up. Pure but for memory. */
#ifndef ETNA_WORKER_CONVERT_STAGE_H
#define ETNA_WORKER_CONVERT_STAGE_H

#include "worker/convert/append.h"
#include "worker/scene/snapshot.h"

#include <jansson.h>

enum {
    STAGE_GUESTS_MAX = 200
};

typedef struct stage_guest {
    const uint8_t *glb; /* as append_item's */
    size_t size;
    const char *name;      /* of no object of the scene yet */
    double unit;           /* metres of the GLB's unit */
    bool z_up;             /* in the GLB */
    double min[3], max[3]; /* of all of it, metres and Y up */
    /* for the node's extras.etna: whose asset it is, and what was asked */
    const json_t *told;
    glb_author author;
} stage_guest;

/* what stood on something that was replaced, raised to the height of the new
 * one */
typedef struct stage_lift {
    uint32_t object;
    double by; /* metres */
} stage_lift;

typedef struct stage_plan {
    const stage_guest *guests;
    uint32_t guest_count;
    const uint32_t *removed; /* objects of the scene */
    uint32_t removed_count;
    const stage_lift *lifts;
    uint32_t lift_count;
    const json_t *edits; /* the list above */
} stage_plan;

/* Can the object leave alone? ETNA_E_INPUT, with why: it is a piece of a mesh,
 * an instance, what bears another's mesh. */
etna_code stage_may_remove(const scene *s, uint32_t object, etna_error *err);

/* `bundle` is what `s` was imported from, and no stage. Caller frees *ret.
 * ETNA_E_INPUT, ETNA_E_LIMIT, ETNA_E_NOMEM. */
etna_code stage_make(const scene *s,
                     const uint8_t *bundle,
                     size_t size,
                     const stage_plan *plan,
                     uint8_t **ret,
                     size_t *ret_size,
                     etna_error *err);

/* scene_export_glb; of a stage, the first scene's own bytes, with moved things'
 * numbers replaced, the guests that were placed appended, and what was removed
 * out of its lists. Caller frees *ret. */
etna_code stage_export_glb(const scene *s,
                           const uint8_t *bundle,
                           size_t size,
                           const snapshot *snap,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err);

#endif
