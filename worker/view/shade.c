/* Shading of what the z-buffer found (see shade.h).
 *
 * One raster of four samples a pixel, then bands of rows. Within a pixel a
 * surface is shaded once, at the first sample that meets it, over the footprint
 * of the whole pixel: samples tell where things end, not how they look. What is
 * see-through is peeled sample by sample, nearest layer first. */
#include "worker/view/shade.h"

#include "worker/view/normals.h"
#include "worker/view/parallel.h"
#include "worker/view/shadow.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = RASTER_SAMPLES,
    PEELS = 4,
    BAND = 16,
    ASK_SHARE = 8
}; /* an eighth of a band may ask: foliage must not cost seconds */

/* A rotated grid: nearly upright and nearly level edges get four steps, not
 * two. */
#define SAMPLE_AT \
    { \
        {0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, \
        { \
            0.625, 0.875 \
        } \
    }

typedef struct placed { /* a part where it stands */
    affine to_world;
    double cofactor[3][3]; /* turns normals */
} placed;

typedef struct face { /* the triangle shaded last */
    raster_face of;
    vec3 geometric, normal[3]; /* world; the corners' need not be unit */
    surface_paint paint;
    vec3 uv[2],
        /* (uv . r) / (sum . r) is the texture's place that the ray r = (u, v,
         * 1) meets */
        sum;
    uint32_t ask; /* how often a pixel may still cast rays of its own */
} face;

/* per sample: what is see-through before the opaque surface */
typedef struct veil {
    float *front, *clear; /* its light, and how much still passes it */
} veil;

typedef struct shader {
    const shade_job *job;
    const scene *s;
    surface_tables tables;
    placed *parts;
    float **creased; /* per mesh: normals_crease, or NULL */
    raster samples;
    double right, down; /* a pixel, in the raster's ray coordinates */
    veil veil;
    bool blends; /* something is see-through */
    lights lamps;
    shadow shade;
    float *linear, *cover;
} shader;

/* The matrix that turns normals: cofactors need no inverse and stay finite when
 * a part is squashed flat. The sign keeps normals outward under mirroring. */
static void cofactors(const affine *a, double ret[3][3])
{
    double sign = affine_det(a) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3;
            int i2 = (i + 2) % 3;
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            ret[i][j] = sign * (a->m[i1][j1] * a->m[i2][j2] -
                                a->m[i1][j2] * a->m[i2][j1]);
        }
}

/* Places all parts that will be drawn. On failure shader_free is still due. */
static etna_code shader_init(shader *sh, const shade_job *job, etna_error *err)
{
    memset(sh, 0, sizeof *sh);
    sh->job = job;
    sh->s = space_scene(job->sp);
    sh->parts = calloc(sh->s->part_count + 1u, sizeof *sh->parts);
    sh->creased = calloc(sh->s->mesh_count + 1u, sizeof *sh->creased);
    if (!sh->parts || !sh->creased)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u parts",
                         sh->s->part_count);
    uint32_t first = 0;
    uint32_t last = sh->s->part_count;
    if (job->only != SCENE_NONE && job->only < sh->s->object_count) {
        first = sh->s->objects[job->only].first_part;
        last = first + sh->s->objects[job->only].part_count;
    }
    for (uint32_t i = first; i < last; i++) {
        const scene_part *part = &sh->s->parts[i];
        sh->parts[i].to_world = raster_placement(
            job->sp, i, job->only != SCENE_NONE ? job->pose : NULL);
        cofactors(&sh->parts[i].to_world, sh->parts[i].cofactor);
        sh->blends =
            sh->blends ||
            (part->material < sh->s->material_count &&
             scene_material_is_clear(&sh->s->materials[part->material]));
    }
    surface_tables_fill(&sh->tables);
    return ETNA_OK;
}

static void shader_free(shader *sh)
{
    for (uint32_t i = 0; sh->creased && i < sh->s->mesh_count; i++)
        free(sh->creased[i]);
    free(sh->creased);
    free(sh->parts);
    raster_free(&sh->samples);
    free(sh->veil.front);
    free(sh->veil.clear);
    lights_free(&sh->lamps);
    shadow_free(&sh->shade);
}

/* To world; not of unit length. */
static vec3 turn_normal(const placed *p, const float n[3])
{
    vec3 v = v3((double)n[0], (double)n[1], (double)n[2]);
    return v3(
        v3_dot(v3(p->cofactor[0][0], p->cofactor[0][1], p->cofactor[0][2]), v),
        v3_dot(v3(p->cofactor[1][0], p->cofactor[1][1], p->cofactor[1][2]), v),
        v3_dot(v3(p->cofactor[2][0], p->cofactor[2][1], p->cofactor[2][2]), v));
}

/* Makes *f the triangle that `r` met at `at`. */
static void take_face(const shader *sh, const raster *r, size_t at, face *f)
{
    uint32_t part = r->part[at];
    uint32_t triangle = r->triangle[at];
    const placed *p = &sh->parts[part];
    if (!raster_face_set(r, sh->s, &p->to_world, part, triangle, &f->of))
        return;
    uint32_t number = sh->s->parts[part].mesh;
    const scene_mesh *mesh = &sh->s->meshes[number];
    const uint32_t *index = mesh->index + 3 * (size_t)triangle;
    const scene_camera *c = sh->job->camera;
    f->geometric = v3_normal(v3_cross(v3_sub(f->of.world[1], f->of.world[0]),
                                      v3_sub(f->of.world[2], f->of.world[0])));
    vec3 toward =
        c->orthographic ? c->forward : v3_sub(f->of.world[0], c->position);
    if (v3_dot(f->geometric, toward) > 0)
        f->geometric = v3_scale(f->geometric, -1);
    for (size_t i = 0; i < 3; i++) {
        const float *n = NULL;
        if (mesh->normal)
            n = mesh->normal + 3 * (size_t)index[i];
        else if (sh->creased[number])
            n = sh->creased[number] + 9 * (size_t)triangle + 3 * i;
        f->normal[i] = n ? turn_normal(p, n) : f->geometric;
    }
    surface_prepare(sh->s, part, triangle, &f->paint);
    const vec3 *edge = f->of.edge;
    f->sum = v3_add(v3_add(edge[0], edge[1]), edge[2]);
    for (int k = 0; k < 2; k++) {
        f->uv[k] = v3_scale(edge[0], f->paint.uv[0][k]);
        f->uv[k] =
            v3_add_scaled(v3_add_scaled(f->uv[k], edge[1], f->paint.uv[1][k]),
                          edge[2], f->paint.uv[2][k]);
    }
}

/* The texture's place at the ray (u, v), and how it differs a pixel to the
 * right of it and a pixel below. */
static void texture_place(const shader *sh,
                          const face *f,
                          double u,
                          double v,
                          double uv[2],
                          double right[2],
                          double below[2])
{
    double sum = f->sum.x * u + f->sum.y * v + f->sum.z;
    double scale = 1 / sum;
    double scale_right = 1 / (sum + f->sum.x * sh->right);
    double scale_below = 1 / (sum + f->sum.y * sh->down);
    for (int k = 0; k < 2; k++) {
        double over = f->uv[k].x * u + f->uv[k].y * v + f->uv[k].z;
        uv[k] = over * scale;
        right[k] = (over + f->uv[k].x * sh->right) * scale_right - uv[k];
        below[k] = (over + f->uv[k].y * sh->down) * scale_below - uv[k];
        uv[k] = isfinite(uv[k]) ? uv[k] : 0;
        right[k] = isfinite(right[k]) ? right[k] : 0;
        below[k] = isfinite(below[k]) ? below[k] : 0;
    }
}

/* The normal to shade with: between the corners' normals, on the eye's side. */
static vec3 shading_normal(const face *f, const double b[3])
{
    vec3 n = v3_scale(f->normal[0], b[0]);
    n = v3_normal(v3_add_scaled(v3_add_scaled(n, f->normal[1], b[1]),
                                f->normal[2], b[2]));
    if (!v3_finite(n) || !(v3_dot(n, n) > 0.5))
        return f->geometric;
    return v3_dot(n, f->geometric) < 0 ? v3_scale(n, -1) : n;
}

typedef struct lit_point {
    vec3 at, normal, eye; /* eye: unit, toward the camera */
    double sky, lit;      /* 0..1: how much of both arrives */
} lit_point;

/* Light on a point: the sky's, the lamps', and a little from the eye so that no
 * side is flat; with what it mirrors. */
static void light_on(const shader *sh,
                     const lit_point *p,
                     const gloss *shine,
                     const float base[3],
                     float rgb[3])
{
    bool shines = gloss_shines(shine);
    double front = v3_dot(p->normal, p->eye);
    double light[3];
    double even = (sky_on(p->normal) + 0.10 * math_max(front, 0)) *
                  (0.12 + 0.88 * p->sky);
    for (int i = 0; i < 3; i++)
        light[i] = even;
    rgb[0] = rgb[1] = rgb[2] = 0;
    if (shines)
        gloss_add_sky(shine, base, p->normal, p->eye, p->sky, rgb);
    for (uint32_t k = 0; k < sh->lamps.count; k++) {
        const lamp *from = &sh->lamps.lamps[k];
        vec3 toward;
        double distance;
        double share =
            lamp_on(from, p->at, p->normal, &toward, &distance) * p->lit;
        const double given[3] = {share * from->colour[0],
                                 share * from->colour[1],
                                 share * from->colour[2]};
        for (int i = 0; i < 3; i++)
            light[i] += given[i];
        if (shines && share > 0)
            gloss_add_lamp(shine, base, p->normal, p->eye, toward, given, rgb);
    }
    double diffuse = (double)gloss_diffuse(shine);
    for (int i = 0; i < 3; i++)
        rgb[i] += (float)((double)base[i] * diffuse * light[i]);
}

/* How much of what is behind is hidden: clear glass lets pass what it does not
 * mirror, coloured glass less. */
static float opacity_of(const surface_paint *paint,
                        const float base[4],
                        double cosine)
{
    if (!(paint->transmission > 0))
        return base[3];
    float mirrored[3];
    float passes = paint->transmission * (base[0] + base[1] + base[2]) / 3;
    gloss_fresnel(&paint->shine, base, cosine, mirrored);
    float opacity = base[3] * (1 - passes) + mirrored[1];
    return (float)math_clamp((double)opacity, (double)0.08f, 1);
}

/* Colour of the surface that `r` met at sample k of pixel (x, y), for `alike`
 * samples of that pixel; 0: without shadows. Returns its alpha. */
static float shade_sample(const shader *sh,
                          const raster *r,
                          face *f,
                          uint32_t x,
                          uint32_t y,
                          uint32_t k,
                          uint32_t alike,
                          float rgb[3])
{
    size_t at = ((size_t)y * r->width + x) * SAMPLES + k;
    double u = r->u[x * SAMPLES + k];
    double v = r->v[y * SAMPLES + k];
    double b[3], sky = 1, lit = 1;
    double uv[2] = {0, 0};
    double right[2] = {0, 0};
    double below[2] = {0, 0};
    float base[4], glow[3];
    take_face(sh, r, at, f);
    raster_face_weights(&f->of, u, v, b);
    if (f->paint.texture || f->paint.glow)
        texture_place(sh, f, u, v, uv, right, below);
    surface_paint_at(&f->paint, &sh->tables, b, uv, right, below, base, glow);
    vec3 n = shading_normal(f, b);
    vec3 p = v3_scale(f->of.world[0], b[0]);
    p = v3_add_scaled(v3_add_scaled(p, f->of.world[1], b[1]), f->of.world[2],
                      b[2]);
    double depth =
        r->camera.orthographic ? -r->nearness[at] : 1 / r->nearness[at];
    if (alike > 0 &&
        !shadow_at(&sh->shade, x, y, v3_sub(p, r->camera.position),
                   f->geometric, &sky, &lit) &&
        f->ask > 0) {
        shadow_ask(&sh->shade, sh->job->sp, &sh->lamps, p, f->geometric, depth,
                   x, y, alike, &sky, &lit);
        f->ask--;
    }
    lit_point point = {p, n, v3_scale(r->camera.forward, -1), sky, lit};
    if (!r->camera.orthographic)
        point.eye = v3_normal(v3_sub(r->camera.position, p));
    light_on(sh, &point, &f->paint.shine, base, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] += glow[i] < 2 ? glow[i] : 2;
    return opacity_of(&f->paint, base, v3_dot(n, point.eye));
}

/* ---- see-through ---- */
/* Layers of BLEND surfaces before what is opaque, nearest first, each found by
 * drawing again behind the last. */
typedef struct peeling {
    const shader *sh;
    raster layer;
    double *last;
    atomic_bool any;
} peeling;

/* Front to back: each layer adds what those before it let pass. The nearness is
 * kept as the bound behind which the next layer is looked for. */
static void add_layer_band(void *context, uint32_t band)
{
    peeling *p = context;
    const raster *layer = &p->layer;
    const veil *v = &p->sh->veil;
    bool any = false;
    face f = {.of.part = SCENE_NONE};
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < layer->height;
         y++)
        for (uint32_t n = 0; n < layer->width * SAMPLES; n++) {
            size_t i = (size_t)y * layer->width * SAMPLES + n;
            float rgb[3];
            if (layer->part[i] == SCENE_NONE)
                continue;
            float alpha = shade_sample(p->sh, layer, &f, n / SAMPLES, y,
                                       n % SAMPLES, 0, rgb);
            for (size_t k = 0; k < 3; k++)
                v->front[3 * i + k] += v->clear[i] * alpha * rgb[k];
            v->clear[i] *= 1 - alpha;
            p->last[i] = layer->nearness[i];
            any = true;
        }
    if (any)
        atomic_store(&p->any, true);
}

/* Up to PEELS layers, until no sample meets another. Opaque nearness bounds
 * each pass, so nothing behind a wall is peeled. */
static etna_code shader_peel(shader *sh, etna_error *err)
{
    const raster *opaque = &sh->samples;
    const shade_job *job = sh->job;
    size_t count = (size_t)opaque->width * opaque->height * SAMPLES;
    peeling p = {.sh = sh};
    raster_window window = {.x1 = job->x1,
                            .y1 = job->y1,
                            .x2 = job->x2,
                            .y2 = job->y2,
                            .samples = SAMPLES,
                            .at = SAMPLE_AT};
    etna_code code = raster_new(job->camera, job->width, job->height, &window,
                                &p.layer, err);
    if (code != ETNA_OK)
        return code;
    p.last = malloc(count * sizeof *p.last);
    sh->veil.front = calloc(count, 3 * sizeof *sh->veil.front);
    sh->veil.clear = malloc(count * sizeof *sh->veil.clear);
    if (!p.last || !sh->veil.front || !sh->veil.clear) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels",
                         opaque->width, opaque->height);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        p.last[i] = p.layer.cut ? p.layer.cut[i] : INFINITY;
        sh->veil.clear[i] = 1;
    }
    atomic_store(&p.any, true);
    for (int k = 0; k < PEELS && atomic_load(&p.any) && code == ETNA_OK; k++) {
        atomic_store(&p.any, false);
        memcpy(p.layer.nearness, opaque->nearness,
               count * sizeof *p.layer.nearness);
        memset(p.layer.part, 0xff, count * sizeof *p.layer.part);
        p.layer.behind = p.last;
        p.layer.blank = false;
        code = raster_draw(&p.layer, job->sp, job->only, job->pose, LAYER_BLEND,
                           job->threads, err);
        if (code == ETNA_OK)
            parallel_do(job->threads, (job->height + BAND - 1) / BAND,
                        add_layer_band, &p);
    }
done:
    p.layer.behind = NULL;
    raster_free(&p.layer);
    free(p.last);
    return code;
}

/* ---- the picture ---- The opaque surfaces. right and down: the ray's step
 * from one pixel to the next. */
static etna_code shader_draw(shader *sh, etna_error *err)
{
    const shade_job *job = sh->job;
    raster *r = &sh->samples;
    raster_window window = {.x1 = job->x1,
                            .y1 = job->y1,
                            .x2 = job->x2,
                            .y2 = job->y2,
                            .samples = SAMPLES,
                            .at = SAMPLE_AT};
    etna_code code =
        raster_new(job->camera, job->width, job->height, &window, r, err);
    if (code != ETNA_OK)
        return code;
    r->masked = &sh->tables;
    sh->right = job->width > 1 ? 1 / r->per_u : 0;
    sh->down = job->height > 1 ? 1 / r->per_v : 0;
    return raster_draw(r, job->sp, job->only, job->pose, LAYER_OPAQUE,
                       job->threads, err);
}

/* The mean of the samples. Surfaces are shaded once a pixel; what is
 * see-through was added by the peeling. */
static void add_pixel(const shader *sh, face *f, uint32_t x, uint32_t y)
{
    size_t at = (size_t)y * sh->job->width + x;
    const raster *r = &sh->samples;
    const veil *v = &sh->veil;
    const uint32_t *part = r->part + at * SAMPLES;
    const uint32_t *triangle = r->triangle + at * SAMPLES;
    float sum[3] = {0, 0, 0};
    float cover = 0, made[SAMPLES][3];
    for (uint32_t k = 0; k < SAMPLES; k++) {
        float clear = v->clear ? v->clear[at * SAMPLES + k] : 1;
        float there = 0;
        if (part[k] != SCENE_NONE) {
            /* the same surface in an earlier sample of this pixel looks the
             * same */
            uint32_t same = 0;
            while (same < k &&
                   (part[same] != part[k] || triangle[same] != triangle[k]))
                same++;
            if (same < k) {
                memcpy(made[k], made[same], sizeof made[k]);
            } else {
                uint32_t alike = 0;
                for (uint32_t n = k; n < SAMPLES && sh->shade.cells; n++)
                    alike += part[n] == part[k] && triangle[n] == triangle[k];
                shade_sample(sh, r, f, x, y, k, alike, made[k]);
            }
            for (int i = 0; i < 3; i++)
                sum[i] += clear * made[k][i];
            there = 1;
        }
        for (size_t i = 0; i < 3 && v->front; i++)
            sum[i] += v->front[3 * (at * SAMPLES + k) + i];
        cover += 1 - clear * (1 - there);
    }
    for (size_t i = 0; i < 3; i++)
        sh->linear[3 * at + i] = sum[i] * (1.0f / SAMPLES);
    sh->cover[at] = cover * (1.0f / SAMPLES);
}

/* `ask` limits the rays of its own that this band may cast (shadow_ask) where
 * the cells around say nothing. */
static void shade_band(void *context, uint32_t band)
{
    const shader *sh = context;
    face f = {.of.part = SCENE_NONE, .ask = sh->job->width * BAND / ASK_SHARE};
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->job->height;
         y++)
        for (uint32_t x = 0; x < sh->job->width; x++)
            add_pixel(sh, &f, x, y);
}

/* Normals for a part whose mesh has none. */
static etna_code part_crease(shader *sh, uint32_t part, etna_error *err)
{
    const uint32_t number = sh->s->parts[part].mesh;
    const scene_mesh *mesh = &sh->s->meshes[number];
    if (mesh->normal || sh->creased[number] || mesh->triangle_count == 0)
        return ETNA_OK;
    return normals_crease(mesh, &sh->creased[number], err);
}

/* Normals for what was drawn, and for what is see-through and drawn later; the
 * rest of a house is not in a crop. */
static etna_code shader_crease(shader *sh, etna_error *err)
{
    const raster *r = &sh->samples;
    const size_t count = (size_t)r->width * r->height * SAMPLES;
    etna_code code = ETNA_OK;
    uint32_t last = SCENE_NONE;
    for (size_t i = 0; i < count && code == ETNA_OK; i++) {
        if (r->part[i] == last || r->part[i] == SCENE_NONE)
            continue;
        last = r->part[i];
        code = part_crease(sh, last, err);
    }
    for (uint32_t i = 0; i < sh->s->part_count && code == ETNA_OK && sh->blends;
         i++) {
        const uint32_t material = sh->s->parts[i].material;
        bool is_clear = material < sh->s->material_count &&
                        scene_material_is_clear(&sh->s->materials[material]);
        if (is_clear)
            code = part_crease(sh, i, err);
    }
    return code;
}

/* Lamps for what is seen; shade where the whole scene is drawn. */
static etna_code light_up(shader *sh, etna_error *err)
{
    const shade_job *job = sh->job;
    uint32_t count = 0;
    light_point *points = malloc(SHADOW_POINTS * sizeof *points);
    shadow shade = {0};
    etna_code code = ETNA_OK;
    if (!points)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to light a picture");
    if (code == ETNA_OK)
        code = space_light_ready(job->sp, err);
    if (code == ETNA_OK)
        code = shadow_new(&sh->samples, job->sp, job->threads, &shade, points,
                          &count, err);
    if (code == ETNA_OK)
        code = lights_choose(job->sp, job->camera, &sh->tables, points, count,
                             &sh->lamps, err);
    if (code == ETNA_OK && job->only == SCENE_NONE)
        code = shadow_fill(&shade, &sh->samples, job->sp, &sh->lamps,
                           job->threads, err);
    free(points);
    if (code == ETNA_OK && job->only == SCENE_NONE)
        sh->shade = shade;
    else
        shadow_free(&shade);
    return code;
}

/* ret_linear: 3 floats a pixel, light times cover; ret_cover: 0..1. The order
 * matters: lamps are chosen by what is seen, and the peeling is shaded by
 * them. */
etna_code shade_picture(const shade_job *job,
                        float *ret_linear,
                        float *ret_cover,
                        etna_error *err)
{
    shader *sh = malloc(sizeof *sh);
    if (!sh)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels",
                         job->width, job->height);
    etna_code code = shader_init(sh, job, err);
    sh->linear = ret_linear;
    sh->cover = ret_cover;
    if (code == ETNA_OK)
        code = shader_draw(sh, err);
    if (code == ETNA_OK)
        code = shader_crease(sh, err);
    if (code == ETNA_OK)
        code = light_up(sh, err);
    if (code == ETNA_OK && sh->blends)
        code = shader_peel(sh, err);
    if (code == ETNA_OK)
        parallel_do(job->threads, (job->height + BAND - 1) / BAND, shade_band,
                    sh);
    shader_free(sh);
    free(sh);
    return code;
}
