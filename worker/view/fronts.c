/* Which way furniture faces, drawn into a picture as small arrows: a cabinet's
 * front is hard to tell from its back. */
#include "worker/math/vec.h"
#include "worker/view/view_internal.h"

#include <math.h>
#include <stdlib.h>

enum {
    PIXELS_LEAST = 300
}; /* that must show of a thing */
/* metres, of its height and of its longer side: furniture */
static const double size_least = 0.25;
/* metres that an arrow goes past the front */
static const double beyond = 0.15;
static const double head_side = 9.0; /* pixels */

/* What a catalogue says has one, and movable things of the size of furniture;
 * on a cup an arrow would be noise. */
static bool has_front(const scene_object *object, const scene_box *box)
{
    if (object->has_front)
        return true;
    if (object->is_static)
        return false;
    double longer = box->half.x > box->half.y ? box->half.x : box->half.y;
    return 2 * box->half.z >= size_least && 2 * longer >= size_least;
}

/* False: behind the eye. */
static bool fronts_to_pixels(const scene_camera *camera,
                             const view_image *image,
                             vec3 point,
                             double ret[2])
{
    double x, y, depth;
    if (!camera_project(camera, point, &x, &y, &depth) || !isfinite(x) ||
        !isfinite(y))
        return false;
    /* cairo's fixed point ends at 2^23 */
    ret[0] = math_clamp(x * image->width, -30000, 30000);
    ret[1] = math_clamp(y * image->height, -30000, 30000);
    return true;
}

/* Magenta with a white rim: furniture hardly ever has that colour. */
static void stroke(cairo_t *cr, bool filled)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_set_line_width(cr, 5);
    cairo_stroke_preserve(cr);
    cairo_set_source_rgb(cr, 0.78, 0, 0.55);
    cairo_set_line_width(cr, 2.5);
    if (filled) {
        cairo_fill(cr);
    } else {
        cairo_stroke(cr);
    }
}

/* From and to in pixels; the head is an isosceles triangle head_side long and
 * wide. */
static void draw_front(cairo_t *cr, const double from[2], const double to[2])
{
    double dx = to[0] - from[0];
    double dy = to[1] - from[1];
    double length = sqrt(dx * dx + dy * dy);
    if (length < head_side)
        /* it looks at the camera, or away: there is nothing to be told */
        return;
    dx *= head_side / length;
    dy *= head_side / length;
    cairo_new_path(cr);
    cairo_move_to(cr, from[0], from[1]);
    cairo_line_to(cr, to[0] - dx, to[1] - dy);
    stroke(cr, false);
    cairo_new_path(cr);
    cairo_move_to(cr, to[0], to[1]);
    cairo_line_to(cr, to[0] - dx - dy / 2, to[1] - dy + dx / 2);
    cairo_line_to(cr, to[0] - dx + dy / 2, to[1] - dy - dx / 2);
    cairo_close_path(cr);
    stroke(cr, true);
}

/* The front is the box's -Y side (METHODS.md 1). The arrow begins inside the
 * box, and so leaves no doubt whose it is. */
static void draw_fronts(const space *sp,
                        const scene_camera *camera,
                        const view_extent *extents,
                        const view_image *image,
                        cairo_t *cr)
{
    const scene *s = space_scene(sp);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_box box = space_box(sp, i);
        double sine, cosine, from[2], to[2];
        if (extents[i].pixels < PIXELS_LEAST ||
            !has_front(&s->objects[i], &box))
            continue;
        math_sincos(box.yaw, &sine, &cosine);
        const vec3 front = v3(sine, -cosine, 0);
        bool shows =
            fronts_to_pixels(camera, image,
                             v3_add_scaled(box.centre, front, 0.3 * box.half.y),
                             from) &&
            fronts_to_pixels(
                camera, image,
                v3_add_scaled(box.centre, front, box.half.y + beyond), to);
        if (shows)
            draw_front(cr, from, to);
    }
}

/* On a copy of `clean`, which must be of this camera. */
etna_code view_fronts(const space *sp,
                      const scene_camera *camera,
                      const view_image *clean,
                      view_image *ret_image,
                      etna_error *err)
{
    uint32_t count = space_scene(sp)->object_count;
    uint32_t *ids =
        calloc((size_t)clean->width * clean->height + 1, sizeof *ids);
    view_extent *extents = calloc((size_t)count + 1, sizeof *extents);
    view_image image = {0};
    canvas c;
    etna_code code =
        ids && extents ? ETNA_OK
                       : etna_fail(err, ETNA_E_NOMEM,
                                   "out of memory for the fronts of a picture");
    if (code == ETNA_OK)
        code = view_instance_map(sp, camera, clean->width, clean->height, ids,
                                 err);
    if (code == ETNA_OK)
        code = image_copy(clean, &image, err);
    if (code == ETNA_OK)
        code = canvas_begin(&image, &c, err);
    if (code == ETNA_OK) {
        view_extents(ids, clean->width, clean->height, count, extents);
        draw_fronts(sp, camera, extents, &image, c.cr);
        code = canvas_finish(&c, &image, err);
    }
    free(ids);
    free(extents);
    if (code == ETNA_OK) {
        *ret_image = image;
    } else {
        view_image_free(&image);
    }
    return code;
}
