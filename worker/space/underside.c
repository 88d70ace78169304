/* The points on which an object may stand: its underside at 16 x 16 places of
 * its box's footprint, and the lowest vertex of each of these cells where it is
 * the underside, for thin legs slip through a grid. They follow from the object
 * and its pose alone, and are found once per pose: by columns (columns.c) or,
 * where those cannot, by rays. */
#include "worker/space/columns.h"

#include <stdlib.h>
#include <string.h>

/* Metres from an underside point up to the object's next own surface above it;
 * 0 when there is none (a sheet). */
static double underside_thickness(const space *sp, uint32_t object, vec3 at)
{
    space_ray up = {.origin = at,
                    .direction = {0, 0, 1},
                    .t_min = 1e-5,
                    .t_max = INFINITY,
                    .skip_object = SCENE_NONE,
                    .only_object = object};
    space_hit hit;
    return space_cast_all(sp, &up, &hit) ? hit.t : 0;
}

/* With how far up a surface of another counts as touching it. */
static underside_sample sample_at(const space *sp, uint32_t object, vec3 at)
{
    double half = underside_thickness(sp, object, at) / 2;
    double above = math_min(half, UNDERSIDE_REACH);
    return (underside_sample){at, math_max(above, 1e-3)};
}

/* There is room: UNDERSIDE_POINTS_MAX. */
static void add_point(const space *sp, uint32_t object, vec3 at, underside *u)
{
    u->points[u->count++] = sample_at(sp, object, at);
}

/* The underside over or under a place; false when the object is not there. */
static bool underside_at(const space *sp,
                         uint32_t object,
                         const scene_box *box,
                         double x,
                         double y,
                         vec3 *ret)
{
    space_ray up = {.origin = {x, y, box->centre.z - box->half.z - 0.01},
                    .direction = {0, 0, 1},
                    .t_max = 2 * box->half.z + 0.02,
                    .skip_object = SCENE_NONE,
                    .only_object = object};
    space_hit hit;
    if (!space_cast_all(sp, &up, &hit))
        return false;
    *ret = hit.point;
    return true;
}

/* False: nothing of the object is there. */
bool underside_sample_at(const space *sp,
                         uint32_t object,
                         const scene_box *box,
                         double x,
                         double y,
                         underside_sample *ret)
{
    vec3 at;
    if (!underside_at(sp, object, box, x, y, &at))
        return false;
    *ret = sample_at(sp, object, at);
    return true;
}

/* Which cell of the footprint p lies in. */
static uint32_t underside_cell_of(const scene_box *box,
                                  double s,
                                  double c,
                                  vec3 p)
{
    vec3 d = v3_sub(p, box->centre);
    double x = box->half.x > 0 ? (c * d.x + s * d.y) / box->half.x : 0;
    double y = box->half.y > 0 ? (c * d.y - s * d.x) / box->half.y : 0;
    double i = floor((x + 1) * (UNDERSIDE_GRID / 2));
    double k = floor((y + 1) * (UNDERSIDE_GRID / 2));
    i = (int)math_clamp(i, 0, UNDERSIDE_GRID - 1);
    k = (int)math_clamp(k, 0, UNDERSIDE_GRID - 1);
    return (uint32_t)k * UNDERSIDE_GRID + (uint32_t)i;
}

typedef struct lowest { /* of a cell of the footprint */
    bool known;
    uint32_t vertex; /* of the object's, all parts in order */
    vec3 at, base;   /* where it stands, and at the base pose */
} lowest;

/* The lower one, of two equally low the lesser at the base pose: whatever the
 * order in the file. */
static bool lowest_is_lower(vec3 at, vec3 base, const lowest *than)
{
    if (!than->known || at.z != than->at.z)
        return !than->known || at.z < than->at.z;
    if (base.x != than->base.x)
        return base.x < than->base.x;
    return base.y != than->base.y ? base.y < than->base.y
                                  : base.z < than->base.z;
}

/* A vertex a cell, the first of equal ones. */
static void find_lowest(const scene *s,
                        const scene_object *o,
                        const object_state *p,
                        const scene_box *box,
                        lowest *ret)
{
    double sin, cos;
    uint32_t number = 0;
    math_sincos(box->yaw, &sin, &cos);
    for (uint32_t i = o->first_part; i < o->first_part + o->part_count; i++)
        for (uint32_t v = 0; v < s->meshes[s->parts[i].mesh].vertex_count;
             v++, number++) {
            vec3 base = scene_vertex(s, &s->parts[i], v);
            vec3 at = p->moved ? affine_point(&p->motion, base) : base;
            lowest *cell = &ret[underside_cell_of(box, sin, cos, at)];
            if (lowest_is_lower(at, base, cell))
                *cell = (lowest){true, number, at, base};
        }
}

/* Middle of a cell of the footprint, in the world. */
static vec2 underside_cell_middle(const scene_box *box,
                                  double s,
                                  double c,
                                  uint32_t k)
{
    double x =
        ((2 * (k % UNDERSIDE_GRID) + 1.0) / UNDERSIDE_GRID - 1) * box->half.x;
    double y =
        ((2 * (k / UNDERSIDE_GRID) + 1.0) / UNDERSIDE_GRID - 1) * box->half.y;
    return (vec2){box->centre.x + c * x - s * y, box->centre.y + s * x + c * y};
}

/* The middles of all cells, then the lowest vertex of each: a thin leg has no
 * cell's middle below it. */
static void samples_by_rays(space *sp,
                            uint32_t object,
                            const scene_box *box,
                            const lowest *low,
                            underside *u)
{
    double s, c;
    double bottom = box->centre.z - box->half.z;
    space_hit hit;
    math_sincos(box->yaw, &s, &c);
    for (uint32_t k = 0; k < COLUMNS; k++) {
        vec2 p = underside_cell_middle(box, s, c, k);
        vec3 at;
        if (underside_at(sp, object, box, p.x, p.y, &at))
            add_point(sp, object, at, u);
    }
    for (uint32_t k = 0; k < COLUMNS; k++) {
        if (!low[k].known)
            continue;
        vec3 at = low[k].at;
        space_ray down = {.origin = at,
                          .direction = {0, 0, -1},
                          .t_min = 1e-4,
                          .t_max = INFINITY,
                          .skip_object = SCENE_NONE,
                          .only_object = object};
        if (at.z - bottom < 1e-4 || !space_cast_all(sp, &down, &hit))
            add_point(sp, object, at, u);
    }
}

/* By columns that are there already. */
static void add_foot(const columns *cs, uint32_t number, vec3 at, underside *u)
{
    double t = 0;
    double half =
        columns_cast(cs, number, at.z, 1, 1e-5, INFINITY, &t) ? t / 2 : 0;
    double above = math_min(half, UNDERSIDE_REACH);
    u->points[u->count++] = (underside_sample){at, math_max(above, 1e-3)};
}

/* The same by columns: every ray of the above is vertical, and they are all
 * known before. */
static void feet_by_columns(const columns *cs,
                            const scene_box *box,
                            const lowest *low,
                            underside *u)
{
    double t = 0;
    double bottom = box->centre.z - box->half.z;
    double from = bottom - 0.01;
    for (uint32_t k = 0; k < COLUMNS; k++)
        if (columns_cast(cs, k, from, 1, 0, 2 * box->half.z + 0.02, &t))
            add_foot(cs, k, v3(cs->at[k].x, cs->at[k].y, from + t), u);
    for (uint32_t k = 0; k < COLUMNS; k++)
        if (low[k].known && (low[k].at.z - bottom < 1e-4 ||
                             !columns_cast(cs, COLUMNS + k, low[k].at.z, -1,
                                           1e-4, INFINITY, &t)))
            add_foot(cs, COLUMNS + k, low[k].at, u);
}

/* Columns first, which are cheaper than rays. */
static etna_code underside_build(space *sp,
                                 uint32_t object,
                                 bool by_rays,
                                 underside *u,
                                 lowest low[COLUMNS],
                                 etna_error *err)
{
    const object_state *p = &sp->object_state[object];
    const scene_object *o = &sp->shared->scene->objects[object];
    scene_box box = space_box(sp, object);
    columns cs = {.box = box};
    bool done = false;
    etna_code code = ETNA_OK;
    double s, c;
    math_sincos(box.yaw, &s, &c);
    find_lowest(sp->shared->scene, o, p, &box, low);
    for (uint32_t k = 0; k < COLUMNS; k++) {
        cs.at[k] = underside_cell_middle(&box, s, c, k);
        cs.wanted[COLUMNS + k] = low[k].known;
        cs.at[COLUMNS + k] = (vec2){low[k].at.x, low[k].at.y};
        cs.wanted[k] = true;
    }
    u->count = 0;
    if (!by_rays)
        code = columns_fill(&cs, sp->shared->scene, object,
                            p->moved ? &p->motion : NULL, &done, err);
    if (!code && done)
        feet_by_columns(&cs, &box, low, u);
    else if (!code)
        samples_by_rays(sp, object, &box, low, u);
    columns_free(&cs);
    return code;
}

/* For tests, too, which ask for both ways. */
etna_code underside_make(
    space *sp, uint32_t object, bool by_rays, underside *u, etna_error *err)
{
    lowest low[COLUMNS] = {{0}};
    return underside_build(sp, object, by_rays, u, low, err);
}

/* ---- keeping ---- */
/* A sample over the middle of its cell is stored as a height, a sample at a
 * vertex as the vertex's index. How far another surface may be above a sample
 * has one of two usual values, which a bit of the tag stands for. A sample that
 * these rules do not restore bit by bit is stored whole. */
enum {
    TAG_CELL = 255,
    TAG_VERTEX = 256,
    TAG_LEAST = 512,
    TAG_MOST = 1024,
    KEPT_PARTS_MAX = 16
};

typedef struct keeping {
    double real[2 * UNDERSIDE_POINTS_MAX];
    uint32_t vertex[UNDERSIDE_POINTS_MAX];
    uint16_t tag[UNDERSIDE_POINTS_MAX];
    cached_underside head;
} keeping;

/* What follows from the object itself is not kept, but told by a tag. */
static void keep_point(keeping *k, uint32_t tag, const underside_sample *f)
{
    if (f->above == 1e-3)
        tag |= TAG_LEAST;
    if (f->above == UNDERSIDE_REACH)
        tag |= TAG_MOST;
    if (!(tag & TAG_VERTEX))
        k->real[k->head.reals++] = f->at.z;
    if (!(tag & (TAG_LEAST | TAG_MOST)))
        k->real[k->head.reals++] = f->above;
    k->tag[k->head.count++] = (uint16_t)tag;
}

/* What of it can be left out; head.count is less than the points when it is not
 * made of what is expected. */
static void keep_points(const scene_box *box,
                        const lowest *low,
                        const underside *u,
                        keeping *ret)
{
    double s, c;
    uint32_t i = 0;
    ret->head = (cached_underside){0};
    math_sincos(box->yaw, &s, &c);
    for (uint32_t k = 0; k < COLUMNS && i < u->count; k++) {
        vec2 p = underside_cell_middle(box, s, c, k);
        if (u->points[i].at.x == p.x && u->points[i].at.y == p.y)
            keep_point(ret, k, &u->points[i++]);
    }
    for (uint32_t k = 0; k < COLUMNS && i < u->count; k++) {
        const underside_sample *f = &u->points[i];
        bool is_lowest = f->at.x == low[k].at.x && f->at.y == low[k].at.y &&
                         f->at.z == low[k].at.z;
        if (!low[k].known || !is_lowest)
            continue;
        ret->vertex[ret->head.vertices++] = low[k].vertex;
        keep_point(ret, TAG_VERTEX, f);
        i++;
    }
}

/* By its number over all parts. */
static vec3 vertex_of(const scene *s, const scene_object *o, uint32_t number)
{
    const scene_part *part = &s->parts[o->first_part];
    for (; number >= s->meshes[part->mesh].vertex_count; part++)
        number -= s->meshes[part->mesh].vertex_count;
    return scene_vertex(s, part, number);
}

/* The same bits as when it was made. */
static void bring_back(const scene *s,
                       const scene_object *o,
                       const cached_underside *kept,
                       underside *ret)
{
    const double *real = (const double *)(kept + 1);
    ret->count = kept->count;
    if (kept->whole) {
        memcpy(ret->points, real, kept->count * sizeof ret->points[0]);
        return;
    }
    const uint32_t *vertex = (const uint32_t *)(real + kept->reals);
    const uint16_t *tag = (const uint16_t *)(vertex + kept->vertices);
    arrange_pose base = scene_base_pose(o);
    scene_box box = scene_box_at(o, &base);
    double sin, cos;
    math_sincos(box.yaw, &sin, &cos);
    for (uint32_t i = 0; i < kept->count; i++) {
        underside_sample *f = &ret->points[i];
        if (tag[i] & TAG_VERTEX) {
            f->at = vertex_of(s, o, *vertex++);
        } else {
            vec2 p = underside_cell_middle(&box, sin, cos, tag[i] & TAG_CELL);
            f->at = v3(p.x, p.y, *real++);
        }
        if (tag[i] & TAG_LEAST)
            f->above = 1e-3;
        else
            f->above = tag[i] & TAG_MOST ? UNDERSIDE_REACH : *real++;
    }
}

/* NULL: out of memory. */
static cached_underside *underside_keep_whole(const underside *u)
{
    cached_underside *kept =
        malloc(sizeof *kept + u->count * sizeof u->points[0]);
    if (!kept)
        return NULL;
    *kept = (cached_underside){.count = u->count, .whole = 1};
    kept->item.bytes = sizeof *kept + u->count * sizeof u->points[0];
    memcpy(kept + 1, u->points, u->count * sizeof u->points[0]);
    return kept;
}

/* NULL: no memory. Kept small only when it comes back with the same bits, which
 * is checked here and not assumed. */
static cached_underside *underside_keep(const scene *s,
                                        const scene_object *o,
                                        const lowest *low,
                                        const underside *u)
{
    keeping k;
    arrange_pose base = scene_base_pose(o);
    scene_box box = scene_box_at(o, &base);
    keep_points(&box, low, u, &k);
    if (k.head.count != u->count || o->part_count > KEPT_PARTS_MAX)
        return underside_keep_whole(u);
    size_t reals = k.head.reals * sizeof k.real[0];
    size_t vertices = k.head.vertices * sizeof k.vertex[0];
    size_t tags = k.head.count * sizeof k.tag[0];
    cached_underside *kept = malloc(sizeof *kept + reals + vertices + tags);
    underside *back = malloc(sizeof *back + u->count * sizeof back->points[0]);
    if (!kept || !back) {
        free(kept);
        free(back);
        return NULL;
    }
    *kept = k.head;
    kept->item.bytes = sizeof *kept + reals + vertices + tags;
    uint8_t *at = (uint8_t *)(kept + 1);
    memcpy(at, k.real, reals);
    memcpy(at + reals, k.vertex, vertices);
    memcpy(at + reals + vertices, k.tag, tags);
    bring_back(s, o, kept, back);
    bool same =
        memcmp(back->points, u->points, u->count * sizeof u->points[0]) == 0;
    free(back);
    if (same)
        return kept;
    free(kept);
    return underside_keep_whole(u);
}

/* For all of this file. */
static etna_code underside_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM,
                     "space: no memory for the underside of an object");
}

/* Once a pose; the space owns it. */
static etna_code find_moved(space *sp,
                            uint32_t object,
                            const underside **ret,
                            etna_error *err)
{
    object_state *p = &sp->object_state[object];
    if (!p->own_underside) {
        underside *u =
            malloc(sizeof *u + UNDERSIDE_POINTS_MAX * sizeof u->points[0]);
        if (!u)
            return underside_no_memory(err);
        etna_code code = underside_make(sp, object, false, u, err);
        if (code) {
            free(u);
            return code;
        }
        underside *fit = realloc(u, sizeof *u + u->count * sizeof u->points[0]);
        if (!fit) {
            free(u);
            return underside_no_memory(err);
        }
        p->own_underside = fit;
    }
    *ret = p->own_underside;
    return ETNA_OK;
}

/* The object's underside where it stands, found once per pose. Two threads may
 * both find that of the base pose: they find the same, and one keeps it. */
etna_code underside_find(space *sp,
                         uint32_t object,
                         const underside **ret,
                         etna_error *err)
{
    const scene *s = sp->shared->scene;
    if (sp->object_state[object].moved)
        return find_moved(sp, object, ret, err);
    if (!sp->underside &&
        !(sp->underside =
              malloc(sizeof *sp->underside +
                     UNDERSIDE_POINTS_MAX * sizeof sp->underside->points[0])))
        return underside_no_memory(err);
    const cached_underside *known = shared_underside(sp->shared, object);
    if (known) {
        bring_back(s, &s->objects[object], known, sp->underside);
        shared_underside_release(sp->shared, known);
    } else {
        lowest low[COLUMNS] = {{0}};
        etna_code code =
            underside_build(sp, object, false, sp->underside, low, err);
        if (code)
            return code;
        cached_underside *found =
            underside_keep(s, &s->objects[object], low, sp->underside);
        if (!found)
            return underside_no_memory(err);
        shared_underside_keep(sp->shared, object, found);
    }
    *ret = sp->underside;
    return ETNA_OK;
}
