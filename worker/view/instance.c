/* The instance map and what is counted from it: extents, silhouettes, mean
 * colours (METHODS.md 3 Facts). */
#include "worker/view/raster.h"
#include "worker/view/surface.h"
#include "worker/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

etna_code view_instance_map(const space *sp,
                            const scene_camera *camera,
                            uint32_t width,
                            uint32_t height,
                            uint32_t *ret_ids,
                            etna_error *err)
{
    raster r;
    etna_code code = raster_new(camera, width, height, &raster_whole, &r, err);
    if (code != ETNA_OK)
        return code;
    code = raster_draw(&r, sp, SCENE_NONE, NULL, LAYER_ALL, 1, err);
    const scene *s = space_scene(sp);
    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count && code == ETNA_OK; i++)
        ret_ids[i] =
            r.part[i] == SCENE_NONE ? SCENE_NONE : s->parts[r.part[i]].object;
    raster_free(&r);
    return code;
}

/* Per object the pixels it shows and the box around them as shares of the
 * picture; zero where it does not show. */
void view_extents(const uint32_t *ids,
                  uint32_t width,
                  uint32_t height,
                  uint32_t object_count,
                  view_extent *ret)
{
    memset(ret, 0, object_count * sizeof *ret);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t id = ids[(size_t)y * width + x];
            if (id >= object_count)
                continue;
            view_extent *e = &ret[id];
            double box[4] = {(double)x / width, (double)y / height,
                             (x + 1.0) / width, (y + 1.0) / height};
            for (int i = 0; i < 4; i++)
                if (e->pixels == 0 ||
                    (i < 2 ? box[i] < e->box[i] : box[i] > e->box[i]))
                    e->box[i] = box[i];
            e->pixels++;
        }
}

/* The object alone: how many pixels it would cover if nothing stood before
 * it. */
etna_code view_silhouette(const space *sp,
                          const scene_camera *camera,
                          uint32_t object,
                          uint32_t width,
                          uint32_t height,
                          uint32_t *ret_pixels,
                          etna_error *err)
{
    raster r;
    etna_code code = raster_new(camera, width, height, &raster_whole, &r, err);
    if (code != ETNA_OK)
        return code;
    code = raster_draw(&r, sp, object, NULL, LAYER_ALL, 1, err);
    uint32_t pixels = 0;
    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count; i++)
        pixels += r.part[i] != SCENE_NONE;
    raster_free(&r);
    if (code == ETNA_OK)
        *ret_pixels = pixels;
    return code;
}

enum {
    CELL_STEPS = 4, /* of each of red, green and blue */
    CELLS = CELL_STEPS * CELL_STEPS * CELL_STEPS
};

/* pixels of about one colour */
typedef struct cell_sum {
    uint64_t pixels, linear[3];
} cell_sum;

typedef struct sums {
    uint64_t pixels, painted,
        /* of 16-bit values: no count of pixels can overflow 64 bits */
        linear[3];
    /* with the holes of alphaMode MASK, should there be nothing else */
    uint64_t whole[3];
    cell_sum cells[CELLS]; /* of what is painted */
} sums;

/* Mean colour of so many pixels, in Lab, by whole sRGB bytes. */
static void mean_lab(const uint64_t linear[3],
                     uint64_t pixels,
                     double ret_lab[3])
{
    double srgb[3];
    for (int i = 0; i < 3; i++) {
        const double mean = (double)linear[i] / (65535.0 * (double)pixels);
        srgb[i] = floor(colour_linear_to_srgb(mean) * 255 + 0.5);
    }
    colour_srgb255_to_lab(srgb, ret_lab);
}

/* The cell with most pixels that is left; CELLS: none. */
static uint32_t cell_largest(const cell_sum *cells)
{
    uint32_t best = CELLS;
    for (uint32_t i = 0; i < CELLS; i++) {
        if (cells[i].pixels > (best < CELLS ? cells[best].pixels : 0))
            best = i;
    }
    return best;
}

/* Takes the largest cell and all that is hardly to be told from it; false: none
 * is left. A shaded or grained surface spreads over several cells. */
static bool cells_take(cell_sum *cells, cell_sum *ret)
{
    const double alike = 25; /* CIE76 */
    const uint32_t first = cell_largest(cells);
    double lab[3];
    if (first == CELLS)
        return false;
    mean_lab(cells[first].linear, cells[first].pixels, lab);
    memset(ret, 0, sizeof *ret);
    for (uint32_t i = 0; i < CELLS; i++) {
        double own[3];
        if (cells[i].pixels == 0)
            continue;
        mean_lab(cells[i].linear, cells[i].pixels, own);
        if (i != first && colour_lab_distance(lab, own) > alike)
            continue;
        ret->pixels += cells[i].pixels;
        for (int k = 0; k < 3; k++)
            ret->linear[k] += cells[i].linear[k];
        cells[i].pixels = 0;
    }
    return true;
}

/* What clearly differs in colour. */
static void sums_find_paints(const sums *sum, view_colour *ret)
{
    const double least = 0.1; /* of all pixels */
    cell_sum cells[CELLS];
    cell_sum taken;
    memcpy(cells, sum->cells, sizeof cells);
    while (ret->paint_count < VIEW_PAINTS_MAX && cells_take(cells, &taken)) {
        const double share = (double)taken.pixels / (double)sum->painted;
        view_paint *paint = &ret->paints[ret->paint_count];
        if (share < least)
            continue;
        mean_lab(taken.linear, taken.pixels, paint->lab);
        for (int i = 0; i < 3; i++)
            paint->lab[i] = floor(paint->lab[i] * 100 + 0.5) / 100;
        paint->share = floor(share * 100 + 0.5) / 100;
        ret->paint_count++;
    }
    if (ret->paint_count == 1)
        ret->paint_count = 0;
}

/* The mean in linear light, then in sRGB and Lab. sRGB is rounded to whole
 * bytes and Lab to hundredths, so that equal colours print equally on every
 * machine. */
static void sums_finish(const sums *sum, view_colour *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->pixels = (uint32_t)sum->pixels;
    if (sum->pixels == 0)
        return;
    for (int i = 0; i < 3; i++) {
        ret->linear[i] =
            sum->painted
                ? (double)sum->linear[i] / (65535.0 * (double)sum->painted)
                : (double)sum->whole[i] / (65535.0 * (double)sum->pixels);
        ret->srgb[i] = floor(colour_linear_to_srgb(ret->linear[i]) * 255 + 0.5);
    }
    colour_srgb255_to_lab(ret->srgb, ret->lab);
    for (int i = 0; i < 3; i++)
        ret->lab[i] = floor(ret->lab[i] * 100 + 0.5) / 100;
    sums_find_paints(sum, ret);
}

/* The cell of a colour in linear light. Square roots make equal steps about
 * equal to the eye, and are exact on every machine. */
static uint32_t cell_of(const double rgba[4])
{
    uint32_t ret = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t step = (uint32_t)(sqrt(rgba[i]) * CELL_STEPS);
        ret = ret * CELL_STEPS + (step < CELL_STEPS ? step : CELL_STEPS - 1);
    }
    return ret;
}

/* Whole numbers: their sum does not depend on the order, so threads and tiles
 * cannot change a colour. Holes of leaves and grids count only when there is
 * nothing else. */
static void sums_add(sums *sum,
                     const scene *s,
                     uint32_t part,
                     const double rgba[4])
{
    uint32_t material = s->parts[part].material;
    bool hole = material < s->material_count &&
                rgba[3] < (double)s->materials[material].alpha_cutoff;
    cell_sum *cell = &sum->cells[cell_of(rgba)];
    sum->pixels++;
    sum->painted += !hole;
    cell->pixels += !hole;
    for (int i = 0; i < 3; i++) {
        uint64_t value = (uint64_t)(rgba[i] * 65535 + 0.5);
        sum->whole[i] += value;
        sum->linear[i] += hole ? 0 : value;
        cell->linear[i] += hole ? 0 : value;
    }
}

/* Every pixel of the raster, its colour unlit. */
static void sum_colours(const raster *r,
                        const space *sp,
                        const surface_tables *tables,
                        const affine *placement,
                        sums *sum)
{
    const scene *s = space_scene(sp);
    raster_face face = {.part = SCENE_NONE};
    for (uint32_t y = 0; y < r->height; y++)
        for (uint32_t x = 0; x < r->width; x++) {
            size_t at = (size_t)y * r->width + x;
            uint32_t part = r->part[at];
            if (part == SCENE_NONE || s->parts[part].object >= s->object_count)
                continue;
            double b[3], rgba[4];
            raster_face_set(r, s, &placement[part], part, r->triangle[at],
                            &face);
            raster_face_weights(&face, r->u[x], r->v[y], b);
            surface_colour(s, tables, part, r->triangle[at], b, false, rgba);
            sums_add(&sum[s->parts[part].object], s, part, rgba);
        }
}

/* Are they of one model: of the same meshes in the same materials? */
static bool object_is_like(const scene *s, uint32_t a, uint32_t b)
{
    const scene_object *one = &s->objects[a];
    const scene_object *other = &s->objects[b];
    if (one->part_count != other->part_count)
        return false;
    for (uint32_t i = 0; i < one->part_count; i++) {
        const scene_part *p = &s->parts[one->first_part + i];
        const scene_part *q = &s->parts[other->first_part + i];
        if (p->mesh != q->mesh || p->material != q->material)
            return false;
    }
    return true;
}

/* Adds another object's pixels. */
static void sums_merge(sums *into, const sums *from)
{
    into->pixels += from->pixels;
    into->painted += from->painted;
    for (int i = 0; i < 3; i++) {
        into->whole[i] += from->whole[i];
        into->linear[i] += from->linear[i];
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        into->cells[c].pixels += from->cells[c].pixels;
        for (int i = 0; i < 3; i++)
            into->cells[c].linear[i] += from->cells[c].linear[i];
    }
}

/* Of each object the first of its model. `first`: of each mesh the first object
 * that begins with it; `next`: of a model's first object that of another one
 * that begins with the same mesh. ret[object_count] */
static void instance_find_models(const scene *s,
                                 uint32_t *first,
                                 uint32_t *next,
                                 uint32_t *ret)
{
    for (uint32_t i = 0; i < s->mesh_count; i++)
        first[i] = SCENE_NONE;
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        next[i] = SCENE_NONE;
        ret[i] = i;
        if (o->part_count == 0)
            continue;
        uint32_t *link = &first[s->parts[o->first_part].mesh];
        while (*link != SCENE_NONE && !object_is_like(s, *link, i))
            link = &next[*link];
        if (*link == SCENE_NONE)
            *link = i;
        ret[i] = *link;
    }
}

/* Things of one model have one colour, whichever side of each is seen: the blue
 * seats of four chairs are not purple where more of the legs shows. */
static etna_code sums_share(const scene *s, sums *sum, etna_error *err)
{
    uint32_t *first = calloc(s->mesh_count + 1u, sizeof *first);
    uint32_t *next = calloc(s->object_count + 1u, sizeof *next);
    uint32_t *model = calloc(s->object_count + 1u, sizeof *model);
    const bool fits = first && next && model;
    if (fits)
        instance_find_models(s, first, next, model);
    for (uint32_t i = 0; i < s->object_count && fits; i++) {
        if (model[i] != i)
            sums_merge(&sum[model[i]], &sum[i]);
    }
    for (uint32_t i = 0; i < s->object_count && fits; i++)
        sum[i] = sum[model[i]];
    free(first);
    free(next);
    free(model);
    return fits ? ETNA_OK
                : etna_fail(err, ETNA_E_NOMEM,
                            "no memory for the models of %u objects",
                            s->object_count);
}

/* The weights of a triangle's corners at a point of it; false: it has no
 * area. */
static bool hit_weights(const scene *s, const space_hit *hit, double ret[3])
{
    const scene_part *part = &s->parts[hit->part];
    const uint32_t *index =
        s->meshes[part->mesh].index + 3 * (size_t)hit->triangle;
    const vec3 a = scene_vertex(s, part, index[0]);
    const vec3 b = scene_vertex(s, part, index[1]);
    const vec3 c = scene_vertex(s, part, index[2]);
    const vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
    const double area = v3_dot(normal, normal);
    if (!(area > 0))
        return false;
    ret[1] =
        v3_dot(v3_cross(v3_sub(hit->point, a), v3_sub(c, a)), normal) / area;
    ret[2] =
        v3_dot(v3_cross(v3_sub(b, a), v3_sub(hit->point, a)), normal) / area;
    ret[0] = 1 - ret[1] - ret[2];
    return true;
}

/* The colour at the points some rays met; those that met nothing are
 * skipped. */
void view_colour_of_hits(const space *sp,
                         const space_hit *hits,
                         uint32_t count,
                         view_colour *ret)
{
    const scene *s = space_scene(sp);
    surface_tables tables;
    sums sum = {0};
    surface_tables_fill(&tables);
    for (uint32_t i = 0; i < count; i++) {
        double b[3];
        double rgba[4];
        if (hits[i].object == SCENE_NONE || !hit_weights(s, &hits[i], b))
            continue;
        surface_colour(s, &tables, hits[i].part, hits[i].triangle, b, false,
                       rgba);
        sums_add(&sum, s, hits[i].part, rgba);
    }
    sums_finish(&sum, ret);
}

enum {
    SURFACE_POINTS = 512
};

/* m2 in the base pose. */
static double triangle_area(const scene *s,
                            const scene_part *part,
                            uint32_t triangle)
{
    const uint32_t *index = s->meshes[part->mesh].index + 3 * (size_t)triangle;
    const vec3 a = scene_vertex(s, part, index[0]);
    const vec3 b = scene_vertex(s, part, index[1]);
    const vec3 c = scene_vertex(s, part, index[2]);
    const vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
    return sqrt(v3_dot(normal, normal)) / 2;
}

static double instance_area(const scene *s, const scene_object *o)
{
    double area = 0;
    for (uint32_t i = 0; i < o->part_count; i++) {
        const scene_part *part = &s->parts[o->first_part + i];
        for (uint32_t t = 0; t < s->meshes[part->mesh].triangle_count; t++)
            area += triangle_area(s, part, t);
    }
    return area;
}

/* Without a camera, for assets: SURFACE_POINTS samples spread evenly by area
 * over all triangles, in file order. A triangle larger than the step counts
 * several times, a small one only when the running sum passes a step. */
void view_colour_of_surface(const scene *s, uint32_t object, view_colour *ret)
{
    static const double middle[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    const scene_object *o = &s->objects[object];
    const double step = instance_area(s, o) / SURFACE_POINTS;
    surface_tables tables;
    sums sum = {0};
    double passed = 0;
    surface_tables_fill(&tables);
    for (uint32_t i = 0; i < o->part_count && step > 0; i++) {
        const uint32_t at = o->first_part + i;
        const scene_part *part = &s->parts[at];
        for (uint32_t t = 0; t < s->meshes[part->mesh].triangle_count; t++) {
            double rgba[4];
            passed += triangle_area(s, part, t);
            if (sum.pixels >= SURFACE_POINTS ||
                (double)sum.pixels + 0.5 >= passed / step)
                continue;
            surface_colour(s, &tables, at, t, middle, false, rgba);
            while (sum.pixels < SURFACE_POINTS &&
                   (double)sum.pixels + 0.5 < passed / step)
                sums_add(&sum, s, at, rgba);
        }
    }
    sums_finish(&sum, ret);
}

/* From parts to their objects. */
static void take_ids(const raster *r,
                     const scene *s,
                     size_t count,
                     uint32_t *ids)
{
    for (size_t i = 0; i < count; i++)
        ids[i] =
            r->part[i] == SCENE_NONE ? SCENE_NONE : s->parts[r->part[i]].object;
}

/* The colours of all objects in the drawn picture. `sum`: one an object, and
 * one more; `placement`: one a part; both cleared. */
static etna_code instance_colours(const raster *r,
                                  const space *sp,
                                  sums *sum,
                                  affine *placement,
                                  view_colour *ret,
                                  etna_error *err)
{
    const scene *s = space_scene(sp);
    surface_tables tables;
    for (uint32_t i = 0; i < s->part_count; i++)
        placement[i] = raster_placement(sp, i, NULL);
    surface_tables_fill(&tables);
    sum_colours(r, sp, &tables, placement, sum);
    etna_code code = sums_share(s, sum, err);
    for (uint32_t i = 0; i < s->object_count && code == ETNA_OK; i++)
        sums_finish(&sum[i], &ret[i]);
    return code;
}

/* Either output may be NULL. */
static etna_code instance_see(const space *sp,
                              const scene_camera *camera,
                              uint32_t width,
                              uint32_t height,
                              uint32_t *ret_ids,
                              view_colour *ret_colours,
                              etna_error *err)
{
    const scene *s = space_scene(sp);
    raster r;
    etna_code code = raster_new(camera, width, height, &raster_whole, &r, err);
    if (code != ETNA_OK)
        return code;
    sums *sum = calloc(s->object_count + 1u, sizeof *sum);
    affine *placement = calloc(s->part_count + 1u, sizeof *placement);
    if (!sum || !placement)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the colours of %u objects",
                         s->object_count);
    if (code == ETNA_OK)
        code = raster_draw(&r, sp, SCENE_NONE, NULL, LAYER_ALL, 1, err);
    if (code == ETNA_OK && ret_colours)
        code = instance_colours(&r, sp, sum, placement, ret_colours, err);
    if (code == ETNA_OK && ret_ids)
        take_ids(&r, s, (size_t)width * height, ret_ids);
    free(placement);
    free(sum);
    raster_free(&r);
    return code;
}

etna_code view_mean_colours(const space *sp,
                            const scene_camera *camera,
                            uint32_t width,
                            uint32_t height,
                            view_colour *ret,
                            etna_error *err)
{
    return instance_see(sp, camera, width, height, NULL, ret, err);
}

etna_code view_map_and_colours(const space *sp,
                               const scene_camera *camera,
                               uint32_t width,
                               uint32_t height,
                               uint32_t *ret_ids,
                               view_colour *ret_colours,
                               etna_error *err)
{
    return instance_see(sp, camera, width, height, ret_ids, ret_colours, err);
}
