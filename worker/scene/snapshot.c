/* A snapshot in memory and as bytes: "ETNASNP1", the scene's hash, the
 * parent's, the number of objects, the number of moved ones, and of each, in
 * ascending order: its index, position, yaw and one byte, 1 when a contact
 * fastened it there. Where nothing moved there is nothing to tell, so the bytes
 * are as small as the edit. */
#include "worker/scene/snapshot.h"
#include "proto/canon.h"

#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'E', 'T', 'N', 'A', 'S', 'N', 'P', '1'};

bool snapshot_has_moved(const snapshot *snap)
{
    for (uint32_t i = 0; i < snap->object_count; i++) {
        if (snap->moved[i])
            return true;
    }
    return false;
}

void snapshot_free(snapshot *snap)
{
    free(snap->poses);
    free(snap->moved);
    free(snap->attached);
    *snap = (snapshot){.object_count = 0};
}

static etna_code make_arrays(uint32_t count, snapshot *ret, etna_error *err)
{
    ret->object_count = count;
    ret->poses = calloc((size_t)count + 1, sizeof *ret->poses);
    ret->moved = calloc((size_t)count + 1, sizeof *ret->moved);
    ret->attached = calloc((size_t)count + 1, sizeof *ret->attached);
    if (!ret->poses || !ret->moved || !ret->attached) {
        snapshot_free(ret);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a snapshot of %u objects", count);
    }
    return ETNA_OK;
}

etna_code snapshot_base(const scene *s, snapshot *ret, etna_error *err)
{
    snapshot snap = {.scene = s->hash};
    if (etna_hash_is_zero(&s->hash)) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "a snapshot of a scene that was imported only to be looked at");
    }
    etna_code code = make_arrays(s->object_count, &snap, err);
    if (code != ETNA_OK) {
        return code;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        snap.poses[i] = scene_base_pose(&s->objects[i]);
    }
    *ret = snap;
    return ETNA_OK;
}

static bool pose_finite(const arrange_pose *pose)
{
    const double *p = pose->position;
    return v3_finite(v3(p[0], p[1], p[2])) && isfinite(pose->yaw);
}

/* The parent's hash is computed from its bytes and not stored with it: a
 * snapshot in memory may not have been written yet. */
etna_code snapshot_edit(const snapshot *from,
                        uint32_t object,
                        const arrange_pose *pose,
                        snapshot *ret,
                        etna_error *err)
{
    snapshot snap = {.scene = from->scene};
    if (object >= from->object_count || !pose_finite(pose)) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "an edit of object %u of %u, or to a pose that is not finite",
            object, from->object_count);
    }
    uint8_t *bytes;
    size_t size;
    etna_code code = snapshot_encode(from, &bytes, &size, &snap.parent, err);
    if (code != ETNA_OK) {
        return code;
    }
    free(bytes);
    if ((code = make_arrays(from->object_count, &snap, err)) != ETNA_OK) {
        return code;
    }
    memcpy(snap.poses, from->poses, from->object_count * sizeof *snap.poses);
    memcpy(snap.moved, from->moved, from->object_count * sizeof *snap.moved);
    memcpy(snap.attached, from->attached,
           from->object_count * sizeof *snap.attached);
    snap.attached[object] = false;
    snap.poses[object] = (arrange_pose){
        .position = {pose->position[0] + 0.0, pose->position[1] + 0.0,
                     pose->position[2] + 0.0},
        .yaw = pose->yaw + 0.0}; /* no -0: bytes and memory agree */
    snap.moved[object] = true;
    *ret = snap;
    return ETNA_OK;
}

/* `attached` stays: what goes along keeps its hold on the carrier. */
etna_code snapshot_carry(snapshot *snap,
                         uint32_t object,
                         const arrange_pose *pose,
                         etna_error *err)
{
    if (object >= snap->object_count || !pose_finite(pose)) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "object %u of %u is carried along, or to a pose that is not finite",
            object, snap->object_count);
    }
    arrange_pose *at = &snap->poses[object];
    for (int k = 0; k < 3; k++)
        at->position[k] = pose->position[k] + 0.0;
    at->yaw = pose->yaw + 0.0;
    snap->moved[object] = true;
    return ETNA_OK;
}

etna_code snapshot_encode(const snapshot *snap,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_hash *ret_hash,
                          etna_error *err)
{
    canon_writer w = {0};
    uint32_t moved = 0;
    for (uint32_t i = 0; i < snap->object_count; i++) {
        moved += snap->moved[i];
    }
    canon_raw(&w, MAGIC, sizeof MAGIC);
    canon_hash(&w, &snap->scene);
    canon_hash(&w, &snap->parent);
    canon_u32(&w, snap->object_count);
    canon_u32(&w, moved);
    for (uint32_t i = 0; i < snap->object_count; i++) {
        if (snap->moved[i]) {
            canon_u32(&w, i);
            for (int k = 0; k < 3; k++) {
                canon_f64(&w, snap->poses[i].position[k]);
            }
            canon_f64(&w, snap->poses[i].yaw);
            canon_u8(&w, snap->attached[i]);
        }
    }
    if (w.failed) {
        canon_writer_free(&w);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a snapshot of %u moved objects", moved);
    }
    if (ret_hash) {
        *ret_hash = etna_hash_bytes(w.data, w.size);
    }
    *ret_data = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

/* Indices must ascend, so one snapshot has one form in bytes, and one hash. */
static bool snapshot_read_moved(canon_reader *r, uint32_t moved, snapshot *snap)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < moved && !r->failed; i++) {
        uint32_t index = canon_get_u32(r);
        if (index >= snap->object_count || (i > 0 && index <= last)) {
            return false;
        }
        arrange_pose *pose = &snap->poses[index];
        for (int k = 0; k < 3; k++) {
            pose->position[k] = canon_get_f64(r);
        }
        pose->yaw = canon_get_f64(r);
        uint8_t attached = canon_get_u8(r);
        if (!pose_finite(pose) || attached > 1) {
            return false;
        }
        snap->moved[index] = true;
        snap->attached[index] = attached;
        last = index;
    }
    return canon_done(r);
}

/* 37 bytes are one moved object (index, position, yaw, one byte): a count
 * that does not fit into what is left is refused before anything is
 * allocated. */
etna_code snapshot_decode(const scene *s,
                          const uint8_t *data,
                          size_t size,
                          snapshot *ret,
                          etna_error *err)
{
    canon_reader r = canon_read(data, size);
    char magic[sizeof MAGIC] = {0};
    snapshot snap;
    etna_code code = snapshot_base(s, &snap, err);
    if (code != ETNA_OK) {
        return code;
    }
    canon_get_raw(&r, magic, sizeof magic);
    etna_hash of = canon_get_hash(&r);
    snap.parent = canon_get_hash(&r);
    uint32_t count = canon_get_u32(&r);
    uint32_t moved = canon_get_count(&r, 37);
    if (r.failed || memcmp(magic, MAGIC, sizeof MAGIC) != 0) {
        code = etna_fail(err, ETNA_E_MESSAGE, "this is no snapshot");
    } else if (!etna_hash_equal(&of, &s->hash) || count != s->object_count) {
        code =
            etna_fail(err, ETNA_E_MESSAGE, "the snapshot is of another scene");
    } else if (!snapshot_read_moved(&r, moved, &snap)) {
        code = etna_fail(err, ETNA_E_MESSAGE, "the snapshot is malformed");
    }
    if (code != ETNA_OK) {
        snapshot_free(&snap);
        return code;
    }
    *ret = snap;
    return ETNA_OK;
}
