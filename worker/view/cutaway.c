/* `--camera cutaway` (METHOD.md 1): where its camera stands, and what is hidden from it. See view.h. */
#include "worker/view/view.h"

#include <stdlib.h>

/* How many movable objects a camera shows, in a small picture. */
static etna_code count_shown(const space *sp, const scene_camera *camera, uint32_t *ret, etna_error *err)
{
    const scene *s = space_scene(sp);
    uint32_t width, height, count = 0;
    view_size(camera, 256, &width, &height);
    uint32_t *ids = malloc((size_t)width * height * sizeof *ids);
    view_extent *extents = malloc((s->object_count + 1u) * sizeof *extents);
    etna_code code = ids && extents ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    if (code == ETNA_OK) code = view_instance_map(sp, camera, width, height, ids, err);
    if (code == ETNA_OK) view_extents(ids, width, height, s->object_count, extents);
    for (uint32_t i = 0; code == ETNA_OK && i < s->object_count; i++)
        count += !s->objects[i].is_static && extents[i].pixels > 0;
    if (code == ETNA_OK) *ret = count;
    free(extents);
    free(ids);
    return code;
}

static etna_code hide_for(space *sp, const scene_camera *camera, bool *room, etna_error *err)
{
    scene_cutaway(space_scene(sp), camera, room);
    return space_hide(sp, room, err);
}

etna_code view_cutaway(space *sp, scene_camera *ret_camera, etna_error *err)
{
    const scene *s = space_scene(sp);
    bool *hidden = calloc(s->object_count + 1u, sizeof *hidden);
    if (!hidden) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    scene_camera camera, ordinary;
    uint32_t outside = 0, inside = 0;
    etna_code code = view_choose_camera(sp, NULL, 0, NULL, &ordinary, err);
    if (code == ETNA_OK) code = hide_for(sp, &ordinary, hidden, err);
    if (code == ETNA_OK) code = count_shown(sp, &ordinary, &inside, err);
    for (uint32_t i = 0; i < s->object_count; i++) hidden[i] = s->objects[i].is_static;
    if (code == ETNA_OK) code = space_hide(sp, hidden, err);
    if (code == ETNA_OK) code = view_derive_camera(sp, &camera, err);
    if (code == ETNA_OK) code = hide_for(sp, &camera, hidden, err);
    if (code == ETNA_OK) code = count_shown(sp, &camera, &outside, err);
    if (code == ETNA_OK && outside < inside) {
        camera = ordinary;
        code = hide_for(sp, &camera, hidden, err);
    }
    free(hidden);
    if (code != ETNA_OK) return code;
    camera.name = "cutaway";
    *ret_camera = camera;
    return ETNA_OK;
}

etna_code view_cutaway_hide(space *sp, const scene_camera *camera, etna_error *err)
{
    bool *room = calloc(space_scene(sp)->object_count + 1u, sizeof *room);
    if (!room) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    etna_code code = hide_for(sp, camera, room, err);
    free(room);
    return code;
}
