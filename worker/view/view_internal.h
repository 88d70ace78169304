/* What the files of worker/view share among themselves about images and drawing
 * on them. */
#ifndef ETNA_WORKER_VIEW_VIEW_INTERNAL_H
#define ETNA_WORKER_VIEW_VIEW_INTERNAL_H

#include "worker/view/view.h"

#include <cairo/cairo.h>

/* A decimal number without an exponent, as requests for cameras have them;
 * *ret_end behind it. False where no digit stands there. */
bool camera_read_decimal(const char *text, const char **ret_end, double *ret);
/* derive.c: a derived camera at that place; radians. */
void camera_from_eye(vec3 eye, double yaw, double pitch, scene_camera *ret);

/* ETNA_E_LIMIT where a side is not 1 to `most` pixels long. */
etna_code view_check_sides(uint32_t width,
                           uint32_t height,
                           uint32_t most,
                           etna_error *err);
/* ETNA_E_NOMEM, for a picture of that size. */
etna_code view_no_memory(uint32_t width, uint32_t height, etna_error *err);
/* A white image. ETNA_E_LIMIT where a side is 0 or over twice VIEW_SIDE_MAX.
 * The caller frees it with view_image_free. */
etna_code image_new(uint32_t width,
                    uint32_t height,
                    view_image *ret,
                    etna_error *err);
/* The pixels of another and how much of it is a legend; the caller frees it.
 * ETNA_E_NOMEM. */
etna_code image_copy(const view_image *from, view_image *ret, etna_error *err);

/* view_render() of a window (x1, y1, x2, y2, normalised) of the image; with
 * `tone` where its exposure is not 0. */
etna_code render_window(const space *sp,
                        const scene_camera *camera,
                        const double window[4],
                        uint32_t width,
                        uint32_t height,
                        uint32_t threads,
                        const view_tone *tone,
                        view_image *ret,
                        etna_error *err);

/* legend.c: black letters, `dot` pixels to a letter's pixel. (x, y) is the
 * upper left, tails hang two letter's pixels below LETTER_ROWS. Texts are
 * UTF-8; what is not ASCII is drawn with Unifont's glyphs (glyph.h), what has
 * none as a box. */
enum {
    LETTER_ROWS = 7,
    LETTER_ADVANCE = 6
};
void letters_draw(
    view_image *image, uint32_t x, uint32_t y, uint32_t dot, const char *text);
/* The least dot that makes letters 2.2 % of a picture's shorter side
 * (METHODS.md 3). */
uint32_t letters_dot(uint32_t shorter);

/* A cairo drawing that starts as `image`; what is drawn comes back with
 * canvas_finish, which also ends it (with `image` untouched when cairo
 * failed). */
typedef struct canvas {
    cairo_surface_t *surface;
    cairo_t *cr;
    uint32_t top, rows;
} canvas;
/* A cairo context over a copy of the image's pixels. */
etna_code canvas_begin(const view_image *image, canvas *ret, etna_error *err);
/* The same of the rows from `top` to before `end` (of the image, not none):
 * nothing is drawn elsewhere. */
etna_code canvas_begin_rows(const view_image *image,
                            uint32_t top,
                            uint32_t end,
                            canvas *ret,
                            etna_error *err);
/* The pixels back into the image; frees the canvas in any case. */
etna_code canvas_finish(canvas *c, view_image *image, etna_error *err);

#endif
