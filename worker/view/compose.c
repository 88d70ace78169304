/* What is laid over a clean image: the grid with its margin of labels,
 * highlights, and the instance map as a picture (METHODS.md 3 Images). */
#include "worker/view/view_internal.h"

#include <string.h>

const uint8_t view_highlight_rgb[VIEW_HIGHLIGHT_MAX][3] = {
    {230, 25, 25}, {30, 90, 255}, {255, 215, 0}, {160, 30, 200},
    {0, 200, 210}, {255, 130, 0}, {0, 150, 60},  {255, 105, 190},
    {130, 80, 30}, {160, 255, 60}};
const char *const view_highlight_name[VIEW_HIGHLIGHT_MAX] = {
    "red",    "blue",  "yellow", "purple", "cyan",
    "orange", "green", "pink",   "brown",  "lime"};

etna_code canvas_begin(const view_image *image, canvas *ret, etna_error *err)
{
    return canvas_begin_rows(image, 0, image->height, ret, err);
}

/* A cairo surface over rows top .. end - 1 only. The device offset lets drawing
 * code use the whole picture's coordinates. cairo has 32 bits a pixel, our
 * images 24. */
etna_code canvas_begin_rows(const view_image *image,
                            uint32_t top,
                            uint32_t end,
                            canvas *ret,
                            etna_error *err)
{
    canvas c = {.top = top, .rows = end - top};
    c.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                           (int)image->width, (int)c.rows);
    cairo_surface_set_device_offset(c.surface, 0, -(double)top);
    c.cr = cairo_create(c.surface);
    if (cairo_surface_status(c.surface) != CAIRO_STATUS_SUCCESS ||
        cairo_status(c.cr) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(c.cr);
        cairo_surface_destroy(c.surface);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory to draw on an image of %u x %u pixels",
                         image->width, c.rows);
    }
    uint8_t *data = cairo_image_surface_get_data(c.surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(c.surface);
    for (uint32_t y = 0; y < c.rows; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *from =
                image->rgb + 3 * ((size_t)(top + y) * image->width + x);
            uint32_t pixel =
                (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
            memcpy(data + y * stride + 4 * (size_t)x, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(c.surface);
    *ret = c;
    return ETNA_OK;
}

/* Copies the pixels back and frees the canvas, in case of failure too. */
etna_code canvas_finish(canvas *c, view_image *image, etna_error *err)
{
    cairo_status_t status = cairo_status(c->cr);
    cairo_surface_flush(c->surface);
    const uint8_t *data = cairo_image_surface_get_data(c->surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(c->surface);
    for (uint32_t y = 0; y < c->rows && status == CAIRO_STATUS_SUCCESS; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            uint32_t pixel;
            memcpy(&pixel, data + y * stride + 4 * (size_t)x, sizeof pixel);
            uint8_t *to =
                image->rgb + 3 * ((size_t)(c->top + y) * image->width + x);
            to[0] = (uint8_t)(pixel >> 16);
            to[1] = (uint8_t)(pixel >> 8);
            to[2] = (uint8_t)pixel;
        }
    cairo_destroy(c->cr);
    cairo_surface_destroy(c->surface);
    memset(c, 0, sizeof *c);
    if (status != CAIRO_STATUS_SUCCESS)
        return etna_fail(err, ETNA_E_NOMEM, "drawing on an image failed: %s",
                         cairo_status_to_string(status));
    return ETNA_OK;
}

/* "0.0" ... "1.0", centred at (x, y). */
static void draw_label(
    view_image *image, uint32_t tenth, double x, double y, uint32_t dot)
{
    const char text[4] = {(char)('0' + tenth / 10), '.',
                          (char)('0' + tenth % 10), 0};
    double left = floor(x - (3 * LETTER_ADVANCE - 1) * dot / 2.0);
    double top = floor(y - LETTER_ROWS * dot / 2.0);
    uint32_t x0 = left > 0 ? (uint32_t)left : 0;
    uint32_t y0 = top > 0 ? (uint32_t)top : 0;
    letters_draw(image, x0, y0, dot, text);
}

/* A dashed line a pixel wide, on whole pixels: black and white dashes in turn
 * at 40 %, so that it shows on any ground. */
static void draw_dashes(cairo_t *cr, double x1, double y1, double x2, double y2)
{
    static const double dash[2] = {4, 4};
    for (int phase = 0; phase < 2; phase++) {
        cairo_set_dash(cr, dash, 2, phase * 4);
        cairo_set_source_rgba(cr, phase, phase, phase, 0.4);
        cairo_move_to(cr, x1, y1);
        cairo_line_to(cr, x2, y2);
        cairo_stroke(cr);
    }
}

/* At 0.1 .. 0.9 of both axes. The half pixel puts the line onto one row of
 * pixels instead of half of two. */
static void draw_lines(cairo_t *cr, double margin, double width, double height)
{
    cairo_set_line_width(cr, 1);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    for (int i = 1; i < 10; i++) {
        double x = margin + floor(width * i / 10) + 0.5;
        double y = margin + floor(height * i / 10) + 0.5;
        draw_dashes(cr, x, margin, x, margin + height);
        draw_dashes(cr, margin, y, margin + width, y);
    }
}

/* On all four sides, so that a label is near wherever one looks. */
static void draw_labels(
    view_image *image, double margin, double width, double height, uint32_t dot)
{
    for (uint32_t i = 0; i <= 10; i++) {
        double x = margin + width * i / 10;
        double y = margin + height * i / 10;
        draw_label(image, i, x, margin / 2, dot);
        draw_label(image, i, x, margin * 1.5 + height, dot);
        draw_label(image, i, margin / 2, y, dot);
        draw_label(image, i, margin * 1.5 + width, y, dot);
    }
}

/* The picture gets a margin all round for the labels; a crop beneath it is
 * moved down and gets none. *ret_margin: pixels, for who maps coordinates
 * back. */
etna_code view_grid(const view_image *clean,
                    view_image *ret_image,
                    uint32_t *ret_margin,
                    etna_error *err)
{
    uint32_t beneath = clean->beneath < clean->height ? clean->beneath : 0;
    uint32_t height = clean->height - beneath;
    uint32_t dot = letters_dot(clean->width < height ? clean->width : height);
    /* the width of "0.0" and a little */
    uint32_t margin = 3 * LETTER_ADVANCE * dot + 2 * dot;
    view_image image = {0};
    canvas c;
    etna_code code = image_new(clean->width + 2 * margin,
                               clean->height + 2 * margin, &image, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t y = 0; y < clean->height; y++) {
        uint32_t to = y < height ? y + margin : y + 2 * margin;
        memcpy(image.rgb + 3 * ((size_t)to * image.width + margin),
               clean->rgb + 3 * (size_t)y * clean->width,
               3 * (size_t)clean->width);
    }
    image.tone = clean->tone;
    image.beneath = beneath;
    code = canvas_begin(&image, &c, err);
    if (code == ETNA_OK) {
        draw_lines(c.cr, margin, clean->width, height);
        code = canvas_finish(&c, &image, err);
    }
    if (code != ETNA_OK) {
        view_image_free(&image);
        return code;
    }
    draw_labels(&image, margin, clean->width, height, dot);
    *ret_image = image;
    if (ret_margin)
        *ret_margin = margin;
    return ETNA_OK;
}

/* Is another object beside the pixel, or the picture's end? */
static bool pixel_is_edge(const view_image *image,
                          const uint32_t *ids,
                          size_t i)
{
    size_t x = i % image->width;
    size_t y = i / image->width;
    if (x == 0 || y == 0 || x + 1 == image->width || y + 1 == image->height)
        return true;
    bool is_side = ids[i - 1] != ids[i] || ids[i + 1] != ids[i];
    return is_side || ids[i - image->width] != ids[i] ||
           ids[i + image->width] != ids[i];
}

/* Over the grey of what shines through, not over its colour: a blue bottle
 * under orange must not turn brown. */
static void pixel_tint(uint8_t rgb[3], const uint8_t colour[3], unsigned share)
{
    unsigned grey = (54u * rgb[0] + 183u * rgb[1] + 19u * rgb[2]) >> 8;
    for (int j = 0; j < 3; j++)
        rgb[j] =
            (uint8_t)((grey * (100 - share) + colour[j] * share + 50) / 100);
}

/* Tints the objects' pixels at 60 %, their rims fully; objects[k] gets
 * colours[k], or the k-th of view_highlight_rgb. `ids` is of the same size. */
etna_code view_highlight(const view_image *clean,
                         const uint32_t *ids,
                         const uint32_t *objects,
                         uint32_t count,
                         const uint8_t (*colours)[3],
                         view_image *ret_image,
                         etna_error *err)
{
    if (count > VIEW_HIGHLIGHT_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "%u objects to highlight: at most %d at once", count,
                         VIEW_HIGHLIGHT_MAX);
    view_image image;
    etna_code code = image_copy(clean, &image, err);
    if (code != ETNA_OK)
        return code;
    size_t pixels = (size_t)image.width * image.height;
    for (size_t i = 0; i < pixels; i++) {
        uint32_t k = 0;
        while (k < count && objects[k] != ids[i])
            k++;
        if (k == count || ids[i] == SCENE_NONE)
            continue;
        const uint8_t *colour = colours ? colours[k] : view_highlight_rgb[k];
        pixel_tint(image.rgb + 3 * i, colour,
                   pixel_is_edge(&image, ids, i) ? 100 : 60);
    }
    *ret_image = image;
    return ETNA_OK;
}

/* Hues a golden angle apart, in six kinds of light and dark in turn, so that
 * neighbours in the file differ strongly. */
static void instance_colour(uint32_t id, uint8_t rgb[3])
{
    static const double levels[6][2] = {{0.25, 0.95}, {0.10, 0.60},
                                        {0.55, 1.0},  {0.30, 0.75},
                                        {0.05, 0.85}, {0.0, 0.42}};
    double hue = 6 * (id * 0.618033988749895 - floor(id * 0.618033988749895));
    const double *level = levels[id % 6];
    for (int k = 0; k < 3; k++) {
        /* a triangle wave of the hue */
        double at = hue + 2 * k;
        double up = fabs(at - 6 * floor(at / 6) - 3) - 1;
        up = math_clamp(up, 0, 1);
        rgb[k] = (uint8_t)(255 * (level[0] + (level[1] - level[0]) * up) + 0.5);
    }
}

/* A colour per object, black where there is none. */
etna_code view_instances_image(const uint32_t *ids,
                               uint32_t width,
                               uint32_t height,
                               view_image *ret_image,
                               etna_error *err)
{
    view_image image;
    etna_code code = image_new(width, height, &image, err);
    if (code != ETNA_OK)
        return code;
    size_t pixels = (size_t)width * height;
    for (size_t i = 0; i < pixels; i++) {
        memset(image.rgb + 3 * i, 0, 3);
        if (ids[i] != SCENE_NONE)
            instance_colour(ids[i], image.rgb + 3 * i);
    }
    *ret_image = image;
    return ETNA_OK;
}
