/* A snapshot: the base scene plus a pose per moved object. Small, canonical,
 * hashed; everything else is shared with the scene. S_0 has no moved object.
 * The parent is the snapshot before the edit. */
#ifndef ETNA_WORKER_SCENE_SNAPSHOT_H
#define ETNA_WORKER_SCENE_SNAPSHOT_H

#include "worker/scene/scene.h"

typedef struct snapshot {
    etna_hash scene, parent;
    uint32_t object_count; /* == scene->object_count */
    /* every object's; equal to scene_base_pose() bit for bit when not moved */
    arrange_pose *poses;
    bool *moved;
    /* fastened where it stands by a satisfied Contact side or up (METHODS.md
     * 6); encoded with the pose */
    bool *attached;
} snapshot;

/* Every object where the file has it, none attached. Free with snapshot_free.
 * ETNA_E_NOMEM. */
etna_code snapshot_base(const scene *s, snapshot *ret, etna_error *err);
/* A child of `from` in which `object` stands at `pose`, not attached. The
 * caller sets `parent` and, where it holds, attached[object]. */
etna_code snapshot_edit(const snapshot *from,
                        uint32_t object,
                        const arrange_pose *pose,
                        snapshot *ret,
                        etna_error *err);
/* Another object that the same edit moves along: it stays attached where it
 * was. */
etna_code snapshot_carry(snapshot *snap,
                         uint32_t object,
                         const arrange_pose *pose,
                         etna_error *err);
/* Does any object, the guests of a stage included, stand elsewhere than in the
 * file? */
bool snapshot_has_moved(const snapshot *snap);
void snapshot_free(snapshot *snap); /* all-zero is fine */
/* Canonical bytes (store/FORMAT.md) and their hash; caller frees *ret_data.
 * Decoding checks scene, indices, finiteness. */
etna_code snapshot_encode(const snapshot *snap,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_hash *ret_hash,
                          etna_error *err);
/* Of bytes from anywhere. Free *ret with snapshot_free. */
etna_code snapshot_decode(const scene *s,
                          const uint8_t *data,
                          size_t size,
                          snapshot *ret,
                          etna_error *err);

#endif
