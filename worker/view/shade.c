/* Shading of what the z-buffer found (see shade.h). */
#include "worker/view/shade.h"

#include "worker/view/colour.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4, PEELS = 4, PROBE_WIDTH = 160 };

/* A rotated grid: nearly upright and nearly level edges get four steps, not two. */
static const double sample_at[SAMPLES][2] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};

typedef struct placed { /* a part where it stands */
    affine to_world;
    double cofactor[3][3]; /* turns normals */
} placed;

typedef struct face { /* the triangle shaded last */
    raster_face of;
    vec3 geometric, normal[3]; /* world; the corners' need not be unit */
} face;

typedef struct shader {
    const shade_job *job;
    const scene *s;
    surface_tables tables;
    placed *parts;
    vec3 key;         /* toward the key light */
    raster r, before; /* of this sample and of the one before it */
    float *free_sky;  /* of occlusion_fill, or NULL */
    bool blends;      /* something is see-through */
    face face;        /* cache */
} shader;

void shade_encoder_fill(shade_encoder *encoder)
{
    for (int i = 0; i < 4096; i++) encoder->byte[i] = (uint8_t)(colour_linear_to_srgb(i / 4095.0) * 255 + 0.5);
}

static void cofactors(const affine *a, double ret[3][3])
{
    double sign = affine_det(a) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            ret[i][j] = sign * (a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1]);
        }
}

static bool has_blend(const scene *s)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        uint32_t material = s->parts[i].material;
        if (material < s->material_count && s->materials[material].blend) return true;
    }
    return false;
}

static etna_code shader_init(shader *sh, const shade_job *job, etna_error *err)
{
    memset(sh, 0, sizeof *sh);
    sh->job = job;
    sh->s = space_scene(job->sp);
    sh->face.of.part = SCENE_NONE;
    sh->parts = calloc(sh->s->part_count + 1u, sizeof *sh->parts);
    if (!sh->parts) return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u parts", sh->s->part_count);
    uint32_t first = 0, last = sh->s->part_count;
    if (job->only != SCENE_NONE && job->only < sh->s->object_count) {
        first = sh->s->objects[job->only].first_part;
        last = first + sh->s->objects[job->only].part_count;
    }
    for (uint32_t i = first; i < last; i++) {
        sh->parts[i].to_world = raster_placement(job->sp, i, job->only != SCENE_NONE ? job->pose : NULL);
        cofactors(&sh->parts[i].to_world, sh->parts[i].cofactor);
    }
    sh->blends = has_blend(sh->s);
    surface_tables_fill(&sh->tables);
    const scene_camera *c = job->camera;
    sh->key = v3_normal(v3_add(v3_add(v3_scale(c->forward, -0.55), v3_scale(c->right, -0.45)), v3(0, 0, 0.75)));
    return ETNA_OK;
}

static void shader_free(shader *sh)
{
    free(sh->parts);
    free(sh->free_sky);
    raster_free(&sh->r);
    raster_free(&sh->before);
}

static vec3 turn_normal(const placed *p, const float n[3])
{
    vec3 v = v3(n[0], n[1], n[2]);
    return v3(v3_dot(v3(p->cofactor[0][0], p->cofactor[0][1], p->cofactor[0][2]), v),
              v3_dot(v3(p->cofactor[1][0], p->cofactor[1][1], p->cofactor[1][2]), v),
              v3_dot(v3(p->cofactor[2][0], p->cofactor[2][1], p->cofactor[2][2]), v));
}

/* Makes sh->face the triangle of this pixel. */
static void take_face(shader *sh, size_t at)
{
    uint32_t part = sh->r.part[at];
    const placed *p = &sh->parts[part];
    face *f = &sh->face;
    if (!raster_face_set(&sh->r, sh->s, &p->to_world, part, sh->r.triangle[at], &f->of)) return;
    const scene_mesh *mesh = &sh->s->meshes[sh->s->parts[part].mesh];
    const uint32_t *index = mesh->index + 3 * (size_t)sh->r.triangle[at];
    const scene_camera *c = sh->job->camera;
    f->geometric = v3_normal(v3_cross(v3_sub(f->of.world[1], f->of.world[0]), v3_sub(f->of.world[2], f->of.world[0])));
    vec3 toward = c->orthographic ? c->forward : v3_sub(f->of.world[0], c->position);
    if (v3_dot(f->geometric, toward) > 0) f->geometric = v3_scale(f->geometric, -1);
    for (int i = 0; i < 3; i++)
        f->normal[i] = mesh->normal ? turn_normal(p, mesh->normal + 3 * (size_t)index[i]) : f->geometric;
}

/* The normal to shade with: between the corners' normals, on the eye's side. */
static vec3 shading_normal(const face *f, const double b[3])
{
    vec3 n = v3_scale(f->normal[0], b[0]);
    n = v3_normal(v3_add_scaled(v3_add_scaled(n, f->normal[1], b[1]), f->normal[2], b[2]));
    if (!v3_finite(n) || !(v3_dot(n, n) > 0.5)) return f->geometric;
    return v3_dot(n, f->geometric) < 0 ? v3_scale(n, -1) : n;
}

/* Keeps hue where light is over white: what is above the knee is pressed together, all channels alike. */
static void tone(float rgb[3])
{
    const float knee = 0.7f;
    float top = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
    top = top > rgb[2] ? top : rgb[2];
    if (!(top > knee)) return;
    float over = (top - knee) / (1 - knee), pressed = knee + (1 - knee) * over / (1 + over);
    for (int i = 0; i < 3; i++) rgb[i] *= pressed / top;
}

static float shade_pixel(shader *sh, uint32_t x, uint32_t y, float rgb[3])
{
    size_t at = (size_t)y * sh->r.width + x;
    double b[3], base[4];
    take_face(sh, at);
    raster_face_weights(&sh->r, &sh->face.of, x, y, b);
    vec3 n = shading_normal(&sh->face, b);
    surface_colour(sh->s, &sh->tables, sh->r.part[at], sh->r.triangle[at], b, true, base);
    double lambert = v3_dot(n, sh->key), sky = 0.5 + 0.5 * n.z;
    double free_sky = sh->free_sky ? sh->free_sky[at] : 1;
    double light = (0.42 + 0.30 * sky) * free_sky + 0.55 * (lambert > 0 ? lambert : 0) * (0.4 + 0.6 * free_sky);
    for (int i = 0; i < 3; i++) rgb[i] = (float)(base[i] * light * sh->job->exposure);
    tone(rgb);
    return (float)base[3];
}

static etna_code add_occlusion(shader *sh, etna_error *err)
{
    size_t count = (size_t)sh->r.width * sh->r.height, columns = (sh->r.width + 1) / 2, rows = (sh->r.height + 1) / 2;
    vec3 *normals = malloc(columns * rows * sizeof *normals);
    sh->free_sky = malloc(count * sizeof *sh->free_sky);
    etna_code code = ETNA_OK;
    if (!normals || !sh->free_sky)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", sh->r.width, sh->r.height);
    for (uint32_t y = 0; y < sh->r.height && code == ETNA_OK; y += 2)
        for (uint32_t x = 0; x < sh->r.width; x += 2) {
            size_t at = (size_t)y * sh->r.width + x;
            if (sh->r.part[at] == SCENE_NONE) continue;
            take_face(sh, at);
            normals[y / 2 * columns + x / 2] = sh->face.geometric;
        }
    if (code == ETNA_OK) code = occlusion_fill(&sh->r, normals, sh->free_sky, err);
    free(normals);
    return code;
}

/* Layers of BLEND surfaces before what is opaque, nearest first, each found by drawing again behind the last. */
typedef struct peeling {
    raster layer;
    double *last;         /* nearness of the layer before */
    float *front, *clear; /* light of the layers so far, and how much still passes them */
} peeling;

static void peeling_free(peeling *p)
{
    p->layer.behind = NULL;
    raster_free(&p->layer);
    free(p->last);
    free(p->front);
    free(p->clear);
}

static etna_code peeling_new(const raster *opaque, peeling *p, etna_error *err)
{
    size_t count = (size_t)opaque->width * opaque->height;
    memset(p, 0, sizeof *p);
    etna_code code = raster_new(&opaque->camera, opaque->width, opaque->height, &raster_whole, &p->layer, err);
    if (code != ETNA_OK) return code;
    memcpy(p->layer.u, opaque->u, opaque->width * sizeof *opaque->u);
    memcpy(p->layer.v, opaque->v, opaque->height * sizeof *opaque->v);
    p->last = malloc(count * sizeof *p->last);
    p->front = calloc(count, 3 * sizeof *p->front);
    p->clear = malloc(count * sizeof *p->clear);
    if (!p->last || !p->front || !p->clear) {
        peeling_free(p);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", opaque->width, opaque->height);
    }
    for (size_t i = 0; i < count; i++) {
        p->last[i] = INFINITY;
        p->clear[i] = 1;
    }
    return ETNA_OK;
}

/* One layer more; false when nothing was left. sh->r is the layer. */
static bool add_layer(shader *sh, peeling *p)
{
    bool any = false;
    for (uint32_t y = 0; y < sh->r.height; y++)
        for (uint32_t x = 0; x < sh->r.width; x++) {
            size_t i = (size_t)y * sh->r.width + x;
            float rgb[3];
            if (sh->r.part[i] == SCENE_NONE) continue;
            float alpha = shade_pixel(sh, x, y, rgb);
            for (int k = 0; k < 3; k++) p->front[3 * i + k] += p->clear[i] * alpha * rgb[k];
            p->clear[i] *= 1 - alpha;
            p->last[i] = sh->r.nearness[i];
            any = true;
        }
    return any;
}

static etna_code add_blended(shader *sh, float *linear, float *cover, etna_error *err)
{
    raster opaque = sh->r;
    size_t count = (size_t)opaque.width * opaque.height;
    peeling p;
    etna_code code = peeling_new(&opaque, &p, err);
    if (code != ETNA_OK) return code;
    bool any = true;
    for (int peel = 0; peel < PEELS && any && code == ETNA_OK; peel++) {
        memcpy(p.layer.nearness, opaque.nearness, count * sizeof *p.layer.nearness);
        memset(p.layer.part, 0xff, count * sizeof *p.layer.part);
        p.layer.behind = p.last;
        code = raster_draw(&p.layer, sh->job->sp, sh->job->only, sh->job->pose, LAYER_BLEND, err);
        sh->r = p.layer;
        if (code == ETNA_OK) any = add_layer(sh, &p);
        sh->r = opaque;
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) linear[3 * i + k] = p.front[3 * i + k] + p.clear[i] * linear[3 * i + k];
        cover[i] = 1 - p.clear[i] * (1 - cover[i]);
    }
    peeling_free(&p);
    return code;
}

static void background(uint32_t y, uint32_t height, float rgb[3])
{
    float down = (float)y / (float)height;
    rgb[0] = 0.66f - 0.10f * down;
    rgb[1] = 0.72f - 0.10f * down;
    rgb[2] = 0.80f - 0.12f * down;
}

/* Did the sample before meet the same triangle here, and one of a plain colour? Then its light will do. */
static bool same_light(const shader *sh, size_t at)
{
    uint32_t part = sh->r.part[at];
    if (sh->blends || !sh->before.part || sh->before.part[at] != part || sh->before.triangle[at] != sh->r.triangle[at])
        return false;
    uint32_t material = sh->s->parts[part].material;
    return material >= sh->s->material_count || sh->s->materials[material].texture == SCENE_NONE;
}

static void shade_sample(shader *sh, float *linear, float *cover)
{
    for (uint32_t y = 0; y < sh->r.height; y++)
        for (uint32_t x = 0; x < sh->r.width; x++) {
            size_t i = (size_t)y * sh->r.width + x;
            cover[i] = 1;
            if (sh->r.part[i] != SCENE_NONE) {
                if (!same_light(sh, i)) shade_pixel(sh, x, y, &linear[3 * i]);
            } else if (sh->job->only == SCENE_NONE) {
                background(y, sh->r.height, &linear[3 * i]);
            } else {
                cover[i] = 0;
                linear[3 * i] = linear[3 * i + 1] = linear[3 * i + 2] = 0;
            }
        }
}

/* `linear` holds what the sample before left. */
static etna_code add_sample(shader *sh, const double at[2], float *linear, float *cover, etna_error *err)
{
    const shade_job *job = sh->job;
    raster_window window = {job->x1, job->y1, job->x2, job->y2, at[0], at[1]};
    raster_free(&sh->before);
    sh->before = sh->r;
    sh->r = (raster){0};
    etna_code code = raster_new(job->camera, job->width, job->height, &window, &sh->r, err);
    if (code == ETNA_OK) code = raster_draw(&sh->r, job->sp, job->only, job->pose, LAYER_OPAQUE, err);
    if (code == ETNA_OK && !sh->free_sky && job->only == SCENE_NONE) code = add_occlusion(sh, err);
    if (code != ETNA_OK) return code;
    shade_sample(sh, linear, cover);
    return sh->blends ? add_blended(sh, linear, cover, err) : ETNA_OK;
}

etna_code shade_picture(const shade_job *job, float *ret_linear, float *ret_cover, etna_error *err)
{
    shader sh;
    size_t count = (size_t)job->width * job->height;
    float *linear = NULL, *cover = NULL;
    etna_code code = shader_init(&sh, job, err);
    if (code != ETNA_OK) goto done;
    linear = malloc((count + 1) * 3 * sizeof *linear);
    cover = malloc((count + 1) * sizeof *cover);
    if (!linear || !cover) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", job->width, job->height);
        goto done;
    }
    memset(ret_linear, 0, count * 3 * sizeof *ret_linear);
    if (ret_cover) memset(ret_cover, 0, count * sizeof *ret_cover);
    for (int k = 0; k < SAMPLES; k++) {
        code = add_sample(&sh, sample_at[k], linear, cover, err);
        if (code != ETNA_OK) goto done;
        for (size_t i = 0; i < 3 * count; i++) ret_linear[i] += linear[i] * (1.0f / SAMPLES);
        for (size_t i = 0; i < count && ret_cover; i++) ret_cover[i] += cover[i] * (1.0f / SAMPLES);
    }
done:
    free(linear);
    free(cover);
    shader_free(&sh);
    return code;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

etna_code shade_exposure(const space *sp, const scene_camera *camera, double *ret_exposure, etna_error *err)
{
    shade_job job = {.sp = sp,
                     .camera = camera,
                     .width = PROBE_WIDTH,
                     .height = PROBE_WIDTH * 3 / 4,
                     .x2 = 1,
                     .y2 = 1,
                     .only = SCENE_NONE,
                     .exposure = 1};
    size_t count = (size_t)job.width * job.height, met = 0;
    raster_window centre = raster_whole;
    float *luminance = malloc(count * sizeof *luminance);
    shader sh;
    etna_code code = shader_init(&sh, &job, err);
    if (code == ETNA_OK && !luminance) code = etna_fail(err, ETNA_E_NOMEM, "no memory to measure the light");
    if (code == ETNA_OK) code = raster_new(camera, job.width, job.height, &centre, &sh.r, err);
    if (code == ETNA_OK) code = raster_draw(&sh.r, sp, SCENE_NONE, NULL, LAYER_OPAQUE, err);
    for (size_t i = 0; i < count && code == ETNA_OK; i++) {
        float rgb[3];
        if (sh.r.part[i] == SCENE_NONE) continue;
        shade_pixel(&sh, (uint32_t)(i % job.width), (uint32_t)(i / job.width), rgb);
        luminance[met++] = 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
    }
    double exposure = 1;
    if (code == ETNA_OK && met > 0) {
        qsort(luminance, met, sizeof *luminance, compare_floats);
        double median = luminance[met / 2], low = colour_srgb_to_linear(0.40), high = colour_srgb_to_linear(0.54);
        if (median < low)
            exposure = median > low / 6 ? low / median : 6;
        else if (median > high)
            exposure = high / median;
    }
    shader_free(&sh);
    free(luminance);
    if (code == ETNA_OK) *ret_exposure = exposure;
    return code;
}
