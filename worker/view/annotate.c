/* The picture of an edit (METHODS.md 3 Images b): where the object was, where
 * it is, and the way between, so drawn that a model cannot overlook it behind
 * other things. */
#include "worker/view/shade.h"
#include "worker/view/tone.h"
#include "worker/view/view_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    OUTLINE = 2,
    EDGE = 1,
    GAP = 8,
    ZOOM = 4
};
static const double ghost_share = 0.40, line_width = 5, line_edge = 2,
                    arrow_length = 20;

typedef struct edit {
    const space *after;
    const scene_camera *camera;
    uint32_t object;
    const arrange_pose *before;
    uint32_t threads;
} edit;

/* The pixels that the object's box at `pose` can touch: first column and row,
 * and those after the last. All where the box passes the camera; false when
 * there are none. */
static bool box_pixels(const edit *e,
                       const arrange_pose *pose,
                       const double window[4],
                       uint32_t width,
                       uint32_t height,
                       uint32_t ret[4])
{
    const double sides[2] = {width, height};
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    scene_box box =
        scene_box_at(&space_scene(e->after)->objects[e->object], pose);
    vec3 corners[8];
    scene_box_corners(&box, corners);
    for (int i = 0; i < 8; i++) {
        double at[2], depth;
        bool shows =
            camera_project(e->camera, corners[i], &at[0], &at[1], &depth) &&
            depth > 1e-3;
        for (int k = 0; k < 2; k++) {
            if (!shows) { /* a corner behind the eye: the box may be anywhere */
                low[k] = -INFINITY;
                high[k] = INFINITY;
                continue;
            }
            double pixel =
                (at[k] - window[k]) / (window[k + 2] - window[k]) * sides[k];
            low[k] = math_min(pixel, low[k]);
            high[k] = math_max(pixel, high[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        double first = floor(low[k]) - 2;
        double end = ceil(high[k]) + 2;
        if (!(first < sides[k]) || !(end > 0))
            return false;
        ret[k] = first > 0 ? (uint32_t)first : 0;
        ret[k + 2] = end < sides[k] ? (uint32_t)end : (uint32_t)sides[k];
    }
    return true;
}

enum {
    MASK_NONE,
    MASK_THERE,
    MASK_BEHIND_WALL
};

/* As high as a wall and not to be moved: an outline on it would be taken for
 * something that is on it. */
static bool annotate_is_wall(const scene *s, uint32_t object)
{
    return object >= s->object_count ||
           (s->objects[object].is_static &&
            2 * s->objects[object].box.half.z >= 1.8);
}

/* A raster that was placed within a picture's pixels. */
typedef struct placed_raster {
    raster r;
    uint32_t left, top, width; /* of the picture */
} placed_raster;

/* The mask's pixel for pixel i of the raster, which may be a part of the
 * picture only. */
static uint8_t *placed_pixel(const placed_raster *p, uint32_t i, uint8_t *mask)
{
    size_t row = (size_t)(p->top + i / p->r.width);
    return &mask[row * p->width + p->left + i % p->r.width];
}

/* The object alone: how many pixels it covers. */
static uint32_t mask_there(const placed_raster *p, uint8_t *mask)
{
    uint32_t pixels = 0;
    for (uint32_t i = 0; i < p->r.width * p->r.height; i++) {
        if (p->r.part[i] == SCENE_NONE)
            continue;
        *placed_pixel(p, i, mask) = MASK_THERE;
        pixels++;
    }
    return pixels;
}

/* With all others: how many pixels of the object nothing covers. */
static uint32_t mask_behind(const placed_raster *p,
                            const edit *e,
                            uint8_t *mask)
{
    const scene *s = space_scene(e->after);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < p->r.width * p->r.height; i++) {
        if (p->r.part[i] == SCENE_NONE)
            continue;
        uint32_t object = s->parts[p->r.part[i]].object;
        uint8_t *pixel = placed_pixel(p, i, mask);
        seen += object == e->object;
        if (*pixel && object != e->object && annotate_is_wall(s, object))
            *pixel = MASK_BEHIND_WALL;
    }
    return seen;
}

/* Draws the object alone, then with all others: what is equally near goes to
 * the first drawn. */
static etna_code mask_draw(const edit *e,
                           const double window[4],
                           const uint32_t in[4],
                           uint32_t width,
                           uint32_t height,
                           uint8_t *mask,
                           uint32_t *ret_pixels,
                           uint32_t *ret_seen,
                           etna_error *err)
{
    const raster_window at = {.x1 = window[0],
                              .y1 = window[1],
                              .x2 = window[2],
                              .y2 = window[3],
                              .samples = 1,
                              .at = {{0.5, 0.5}},
                              .across = width,
                              .down = height,
                              .left = in[0],
                              .top = in[1]};
    placed_raster p = {.left = in[0], .top = in[1], .width = width};
    etna_code code =
        raster_new(e->camera, in[2] - in[0], in[3] - in[1], &at, &p.r, err);
    if (code == ETNA_OK)
        code = raster_draw(&p.r, e->after, e->object, NULL, LAYER_ALL,
                           e->threads, err);
    if (code == ETNA_OK)
        *ret_pixels = mask_there(&p, mask);
    if (code == ETNA_OK && *ret_pixels > 0) {
        raster_clear(&p.r);
        code = raster_draw(&p.r, e->after, SCENE_NONE, NULL, LAYER_ALL,
                           e->threads, err);
        if (code == ETNA_OK)
            *ret_seen = mask_behind(&p, e, mask);
    }
    raster_free(&p.r);
    return code;
}

/* Where the object, alone, covers the window's pixels (MASK_...), how many
 * there are, and (unless NULL) at how many of them nothing stands before it.
 * Only what its box can touch is drawn. Caller frees the mask. */
static etna_code silhouette(const edit *e,
                            const double window[4],
                            uint32_t width,
                            uint32_t height,
                            uint8_t **ret_mask,
                            uint32_t *ret_pixels,
                            uint32_t *ret_seen,
                            etna_error *err)
{
    uint32_t in[4] = {0}, pixels = 0, seen = 0;
    uint8_t *mask = calloc((size_t)width * height + 1, 1);
    if (!mask)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to outline an object");
    etna_code code = ETNA_OK;
    if (box_pixels(e, space_pose(e->after, e->object), window, width, height,
                   in))
        code =
            mask_draw(e, window, in, width, height, mask, &pixels, &seen, err);
    if (code != ETNA_OK) {
        free(mask);
        return code;
    }
    *ret_mask = mask;
    *ret_pixels = pixels;
    if (ret_seen)
        *ret_seen = seen;
    return ETNA_OK;
}

/* The object at its old pose laid over the image, through what stands before
 * it. Only the part of the picture that the object's box can touch is shaded.
 * Its light comes divided by cover and in linear colour, and is mixed in sRGB
 * as a pale film. */
static etna_code add_ghost(const edit *e,
                           const double window[4],
                           view_image *image,
                           etna_error *err)
{
    uint32_t part[4];
    if (!box_pixels(e, e->before, window, image->width, image->height, part))
        return ETNA_OK;
    double across = (window[2] - window[0]) / image->width;
    double down = (window[3] - window[1]) / image->height;
    shade_job job = {.sp = e->after,
                     .camera = e->camera,
                     .width = part[2] - part[0],
                     .height = part[3] - part[1],
                     .x1 = window[0] + part[0] * across,
                     .y1 = window[1] + part[1] * down,
                     .x2 = window[0] + part[2] * across,
                     .y2 = window[1] + part[3] * down,
                     .only = e->object,
                     .pose = e->before,
                     .threads = e->threads};
    size_t count = (size_t)job.width * job.height;
    float *linear = malloc(count * 3 * sizeof *linear);
    float *cover = malloc(count * sizeof *cover);
    tone_encoder encoder;
    etna_code code = ETNA_OK;
    if (!linear || !cover)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "no memory to draw where an object was");
    if (code == ETNA_OK)
        code = shade_picture(&job, linear, cover, err);
    tone_encoder_fill(&encoder);
    for (size_t i = 0; i < count && code == ETNA_OK; i++) {
        if (!(cover[i] > 0))
            continue;
        double share = ghost_share * (double)cover[i];
        float rgb[3];
        for (size_t k = 0; k < 3; k++)
            rgb[k] = linear[3 * i + k] / cover[i];
        tone_apply(&image->tone, rgb);
        size_t at =
            (part[1] + i / job.width) * image->width + part[0] + i % job.width;
        for (size_t k = 0; k < 3; k++) {
            uint8_t *to = &image->rgb[3 * at + k];
            *to = (uint8_t)(*to * (1 - share) +
                            tone_encode(&encoder, rgb[k]) * share + 0.5);
        }
    }
    free(linear);
    free(cover);
    return code;
}

/* Squared distance of an uncovered pixel to the nearest covered one that is not
 * behind a wall, if at most `reach` away; else a larger number. */
static int mask_nearest(
    const uint8_t *mask, int width, int height, int x, int y, int reach)
{
    int best = 2 * (reach + 1) * (reach + 1);
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            int column = x + i;
            int row = y + j;
            bool is_inside = column >= 0 && row >= 0 && column < width;
            if (!is_inside || row >= height)
                continue;
            if (mask[(size_t)row * (size_t)width + (size_t)column] !=
                MASK_THERE)
                continue;
            int distance = i * i + j * j;
            best = distance < best ? distance : best;
        }
    return best;
}

/* First and last row and column that are covered and not behind a wall; false
 * when none is. */
static bool mask_bounds(const uint8_t *mask, int width, int height, int ret[4])
{
    ret[0] = width;
    ret[1] = height;
    ret[2] = ret[3] = -1;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = mask + (size_t)y * (size_t)width;
        const uint8_t *first = memchr(row, MASK_THERE, (size_t)width);
        if (!first)
            continue;
        int left = (int)(first - row);
        int right = width - 1;
        while (row[right] != MASK_THERE)
            right--;
        ret[0] = left < ret[0] ? left : ret[0];
        ret[2] = right > ret[2] ? right : ret[2];
        ret[1] = y < ret[1] ? y : ret[1];
        ret[3] = y;
    }
    return ret[3] >= 0;
}

/* Two pixels of green, one of dark around it, so that it shows on green things
 * too. Drawn outside of the silhouette: the object itself keeps all its
 * pixels. */
static void add_outline(const uint8_t *mask, view_image *image)
{
    static const uint8_t green[3] = {20, 230, 70};
    static const uint8_t dark[3] = {0, 50, 15};
    int width = (int)image->width;
    int height = (int)image->height;
    int reach = OUTLINE + EDGE;
    int in[4];
    if (!mask_bounds(mask, width, height, in))
        return;
    for (int y = in[1] - reach; y <= in[3] + reach; y++)
        for (int x = in[0] - reach; x <= in[2] + reach; x++) {
            bool is_in = x >= 0 && x < width;
            if (!is_in || y < 0 || y >= height)
                continue;
            size_t at = (size_t)y * image->width + (size_t)x;
            if (mask[at])
                continue;
            int distance = mask_nearest(mask, width, height, x, y, reach);
            if (distance <= reach * reach)
                memcpy(image->rgb + 3 * at,
                       distance <= OUTLINE * OUTLINE ? green : dark, 3);
        }
}

/* A world point in the window's pixels; false when it is behind the eye. */
static bool to_pixels(const edit *e,
                      const double window[4],
                      const view_image *image,
                      vec3 point,
                      double ret[2])
{
    double x, y, depth;
    if (!camera_project(e->camera, point, &x, &y, &depth) || !isfinite(x) ||
        !isfinite(y))
        return false;
    ret[0] = (x - window[0]) / (window[2] - window[0]) * image->width;
    ret[1] = (y - window[1]) / (window[3] - window[1]) * image->height;
    for (int i = 0; i < 2; i++) /* cairo's fixed point ends at 2^23 */
        ret[i] = math_clamp(ret[i], -30000, 30000);
    return true;
}

/* Dark and wider below, light on top, for contrast on any ground; `filled` for
 * arrow heads. */
static void stroke_twice(cairo_t *cr, bool filled)
{
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_source_rgb(cr, 0, 0.2, 0.06);
    cairo_set_line_width(cr, (filled ? 0 : line_width) + 2 * line_edge);
    cairo_stroke_preserve(cr);
    cairo_set_source_rgb(cr, 0.08, 0.9, 0.27);
    cairo_set_line_width(cr, line_width);
    if (filled)
        cairo_fill(cr);
    else
        cairo_stroke(cr);
}

/* From where it was to where it is, in pixels. The line ends at the head's
 * neck, so that its round cap does not blunt the tip. */
static void draw_arrow(cairo_t *cr, const double from[2], const double to[2])
{
    double dx = to[0] - from[0];
    double dy = to[1] - from[1];
    double length = sqrt(dx * dx + dy * dy);
    if (length < 6) { /* turned where it stands: a ring */
        cairo_new_path(cr);
        cairo_arc(cr, to[0], to[1], 10, 0, 2 * MATH_PI);
        stroke_twice(cr, false);
        return;
    }
    dx /= length;
    dy /= length;
    double head = length * 0.6 < arrow_length ? length * 0.6 : arrow_length;
    double neck[2] = {to[0] - dx * head, to[1] - dy * head};
    cairo_new_path(cr);
    cairo_move_to(cr, from[0], from[1]);
    cairo_line_to(cr, neck[0], neck[1]);
    stroke_twice(cr, false);
    cairo_new_path(cr);
    cairo_move_to(cr, to[0], to[1]);
    cairo_line_to(cr, neck[0] - dy * head * 0.55, neck[1] + dx * head * 0.55);
    cairo_line_to(cr, neck[0] + dy * head * 0.55, neck[1] - dx * head * 0.55);
    cairo_close_path(cr);
    stroke_twice(cr, true);
}

/* Draws back the arrow's tip to where the line enters the object's outline, so
 * that the arrow does not hide a small thing; not when that would leave no
 * arrow. */
static void stop_outside(const uint8_t *mask,
                         const view_image *image,
                         const double from[2],
                         double to[2])
{
    double dx = from[0] - to[0];
    double dy = from[1] - to[1];
    double length = sqrt(dx * dx + dy * dy);
    double out = 0;
    /* the last covered point on the way out */
    for (double at = 0; at < length; at += 1) {
        double x = to[0] + dx / length * at;
        double y = to[1] + dy / length * at;
        bool is_in = x >= 0 && x < image->width;
        is_in = is_in && y >= 0 && y < image->height;
        if (is_in && mask[(size_t)y * image->width + (size_t)x])
            out = at + OUTLINE + EDGE;
    }
    if (length - out < 1.5 * arrow_length)
        return;
    to[0] += dx / length * out;
    to[1] += dy / length * out;
}

/* Narrows `rows` to those that an arrow can touch; false when it touches
 * none. */
static bool arrow_rows(const double from[2],
                       const double to[2],
                       uint32_t rows[2])
{
    double low = math_min(from[1], to[1]);
    double high = math_max(from[1], to[1]);
    low = floor(low - arrow_length - 8),
    /* its head's half and all lines' widths */
        high = ceil(high + arrow_length + 8);
    if (!(low < rows[1]) || !(high > 0))
        return false;
    rows[0] = low > 0 ? (uint32_t)low : 0;
    rows[1] = high < rows[1] ? (uint32_t)high : rows[1];
    return rows[0] < rows[1];
}

/* A thin white line upon a wider black one, to be seen on any ground. `frame`:
 * left, top, right, bottom, as shares of the image. */
static void draw_frame(cairo_t *cr,
                       const double *frame,
                       const view_image *image)
{
    for (int pass = 0; pass < 2; pass++) {
        cairo_new_path(cr);
        cairo_rectangle(cr, frame[0] * image->width, frame[1] * image->height,
                        (frame[2] - frame[0]) * image->width,
                        (frame[3] - frame[1]) * image->height);
        cairo_set_source_rgb(cr, pass, pass, pass);
        cairo_set_line_width(cr, pass ? 1 : 3);
        cairo_stroke(cr);
    }
}

/* Ghost, outline and arrow on the image of a window. `frame`: also a thin frame
 * around that part of the image, or NULL. */
static etna_code add_edit(const edit *e,
                          const double window[4],
                          const uint8_t *mask,
                          const double *frame,
                          view_image *image,
                          etna_error *err)
{
    etna_code code = add_ghost(e, window, image, err);
    if (code != ETNA_OK)
        return code;
    add_outline(mask, image);
    canvas c;
    double from[2], to[2];
    const arrange_pose *now = space_pose(e->after, e->object);
    const arrange_pose *before = e->before;
    bool arrow =
        to_pixels(
            e, window, image,
            v3(before->position[0], before->position[1], before->position[2]),
            from) &&
        to_pixels(e, window, image,
                  v3(now->position[0], now->position[1], now->position[2]), to);
    uint32_t rows[2] = {0, image->height};
    if (arrow)
        stop_outside(mask, image, from, to);
    if (!frame && !(arrow && arrow_rows(from, to, rows)))
        return ETNA_OK;
    code = canvas_begin_rows(image, rows[0], rows[1], &c, err);
    if (code != ETNA_OK)
        return code;
    if (arrow)
        draw_arrow(c.cr, from, to);
    if (frame)
        draw_frame(c.cr, frame, image);
    return canvas_finish(&c, image, err);
}

/* The quarter of the image's sides around the object's new place, inside the
 * image. */
static void crop_window(const edit *e, double ret[4])
{
    const arrange_pose *now = space_pose(e->after, e->object);
    double at[2] = {0.5, 0.5};
    double depth;
    if (!camera_project(
            e->camera, v3(now->position[0], now->position[1], now->position[2]),
            &at[0], &at[1], &depth))
        at[0] = at[1] = 0.5;
    for (int i = 0; i < 2; i++) {
        double low = at[i] - 0.5 / ZOOM;
        low = math_max(low, 0);
        ret[i] = low < 1 - 1.0 / ZOOM ? low : 1 - 1.0 / ZOOM;
        ret[i + 2] = ret[i] + 1.0 / ZOOM;
    }
}

/* What is small or hidden gets an enlarged view beneath the whole one, with a
 * white GAP (image_new clears to white). The crop has its own exposure; `both`
 * takes the whole picture's. */
static etna_code add_crop(const edit *e,
                          const double window[4],
                          view_image *image,
                          etna_error *err)
{
    view_image crop = {0}, both = {0};
    uint8_t *mask = NULL;
    uint32_t pixels;
    etna_code code = render_window(e->after, e->camera, window, image->width,
                                   image->height, e->threads, NULL, &crop, err);
    if (code == ETNA_OK)
        code = silhouette(e, window, crop.width, crop.height, &mask, &pixels,
                          NULL, err);
    if (code == ETNA_OK)
        code = add_edit(e, window, mask, NULL, &crop, err);
    if (code == ETNA_OK)
        code = image_new(image->width, 2 * image->height + GAP, &both, err);
    if (code == ETNA_OK) {
        size_t row = 3 * (size_t)image->width;
        memcpy(both.rgb, image->rgb, row * image->height);
        memcpy(both.rgb + row * (image->height + GAP), crop.rgb,
               row * crop.height);
        both.tone = image->tone;
        both.beneath = image->height + GAP;
        view_image_free(image);
        *image = both;
    }
    free(mask);
    view_image_free(&crop);
    return code;
}

/* `clean` must be a picture of `after` from the same camera. A crop is added
 * when too little of the object shows: under VIEW_CROP_PIXELS, or under 30 % of
 * its silhouette. */
etna_code view_annotate_edit(const space *after,
                             const scene_camera *camera,
                             const view_image *clean,
                             uint32_t object,
                             const arrange_pose *before,
                             uint32_t threads,
                             view_image *ret_image,
                             bool *ret_cropped,
                             etna_error *err)
{
    static const double whole[4] = {0, 0, 1, 1};
    edit e = {after, camera, object, before, threads};
    uint32_t seen = 0, full = 0;
    uint8_t *mask = NULL;
    view_image image = {0};
    double window[4];
    if (object >= space_scene(after)->object_count)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "object %u to annotate does not exist", object);
    etna_code code = silhouette(&e, whole, clean->width, clean->height, &mask,
                                &full, &seen, err);
    if (code == ETNA_OK)
        code = image_copy(clean, &image, err);
    if (code == ETNA_OK && !(image.tone.exposure > 0))
        image.tone = (view_tone){0.8, 1}; /* not one of ours */
    bool cropped = seen < VIEW_CROP_PIXELS || seen < 0.3 * full;
    crop_window(&e, window);
    if (code == ETNA_OK)
        code = add_edit(&e, whole, mask, cropped ? window : NULL, &image, err);
    if (code == ETNA_OK && cropped)
        code = add_crop(&e, window, &image, err);
    free(mask);
    if (code != ETNA_OK) {
        view_image_free(&image);
        return code;
    }
    *ret_image = image;
    if (ret_cropped)
        *ret_cropped = cropped;
    return ETNA_OK;
}
