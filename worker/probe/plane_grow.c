/* Growing a plane from a face (METHODS.md 4). First along welded edges: each
 * face whose normal is within cosine distance 0.05 of the hit face's. Then over
 * gaps (plane_bridge.c): faces of the same object that look the same way join when they
 * are near the set.
 *
 * Who looks alike is found out for all faces first, many at a time. A patch of
 * the adjacency all of whose faces do is then one step; of the others each face
 * is. The set does not depend on the order of joining, with one exception: the
 * pairs looked at for gaps are bounded, and where the bound could be met the
 * plane is grown again face by face, in the order of the faces. */
#include "worker/probe/probe_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define COSINE_DISTANCE 0.05
#define SAME_COSINE 0.99984769515639123916 /* cos 1 degree */
#define TESTS_MAX 20000000u /* pairs of faces looked at for gaps */
#define ROUNDING 1e-12      /* more than a cosine is off by */

/* not all of it looks alike; all of it is in the set */
enum {
    PATCH_MIXED = 1,
    PATCH_IN = 2
};

/* a part of the object; the adjacency and what follows from when the set first
 * reaches it */
typedef struct growth_part {
    uint32_t number, base; /* in the scene; its first face */
    const probe_adjacency *adjacency;
    uint8_t *patch; /* per patch: state */
    /* per side: an edge of more than two triangles was seen to; NULL until
     * there is one */
    uint8_t *crossed;
} growth_part;

typedef struct growth_item { /* what joined in one step */
    uint32_t part;
    uint32_t triangle; /* SCENE_NONE: a patch */
    uint32_t patch;
} growth_item;

typedef struct growth {
    probe_shared *shared;
    const scene *scene;
    uint32_t object, face_count, part_count, alike_count, joined;
    vec3 normal, u, v, origin;
    double gap; /* metres across between its pieces */
    growth_part *parts;
    uint8_t *alike, *in; /* per face; `in` only where its patch is mixed */
    vec3 alike_normal;   /* what `alike` was found for, */
    /* and how far the nearest cosine is from making a difference; negative:
     * nothing found yet */
    double alike_margin;
    bool in_used;  /* `in` is no longer all zero */
    bool in_order; /* face by face */
    growth_item *items;
    size_t item_count, item_room, spread;
    probe_flat *rest; /* candidates left for the gaps */
    uint32_t rest_count;
    probe_grid grid;
    /* looked at; how many those could have been in another order */
    uint64_t tests, tests_most;
    /* what was grown last, when nothing was left for the gaps */
    probe_set last;
} growth;

static etna_code growth_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
}

/* ---- joining ---- */
/* The set reaches a part for the first time. */
static etna_code open_part(growth *g, growth_part *p, etna_error *err)
{
    const scene_mesh *mesh = &g->scene->meshes[g->scene->parts[p->number].mesh];
    etna_code code = probe_mesh_adjacency(
        g->shared, g->scene->parts[p->number].mesh, &p->adjacency, err);
    if (code != ETNA_OK)
        return code;
    p->patch = calloc((size_t)p->adjacency->patch_count + 1, 1);
    if (!p->patch)
        return growth_no_memory(err);
    if (g->in_order) {
        memset(p->patch, PATCH_MIXED, p->adjacency->patch_count);
        return ETNA_OK;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (!g->alike[p->base + t])
            p->patch[p->adjacency->patch[t]] = PATCH_MIXED;
    return ETNA_OK;
}

/* Whether a face is in the set. In order, `in` alone counts; else a whole patch
 * that joined says so for all its faces. */
static bool growth_has(const growth *g, uint32_t part, uint32_t triangle)
{
    const growth_part *p = &g->parts[part];
    if (g->in_order)
        return g->in[p->base + triangle];
    return p->patch && (p->patch[p->adjacency->patch[triangle]] == PATCH_IN ||
                        g->in[p->base + triangle]);
}

/* Adds a face, or its whole patch when every face of that looks alike. The item
 * list is the queue that growth_spread works off. */
static etna_code growth_join(growth *g,
                             uint32_t part,
                             uint32_t triangle,
                             etna_error *err)
{
    growth_part *p = &g->parts[part];
    if (!p->patch) {
        etna_code code = open_part(g, p, err);
        if (code != ETNA_OK)
            return code;
    }
    if (growth_has(g, part, triangle))
        return ETNA_OK;
    if (g->item_count == g->item_room) {
        size_t room = g->item_room ? 2 * g->item_room : 256;
        growth_item *more = realloc(g->items, room * sizeof *more);
        if (!more)
            return growth_no_memory(err);
        g->items = more;
        g->item_room = room;
    }
    uint32_t patch = p->adjacency->patch[triangle];
    bool whole = p->patch[patch] != PATCH_MIXED;
    g->items[g->item_count++] =
        (growth_item){part, whole ? SCENE_NONE : triangle, patch};
    if (whole)
        p->patch[patch] = PATCH_IN;
    else
        g->in[p->base + triangle] = 1;
    g->joined += whole ? p->adjacency->patch_start[patch + 1] -
                             p->adjacency->patch_start[patch]
                       : 1;
    return ETNA_OK;
}

/* The neighbour at a side joins when it looks alike. */
static etna_code growth_visit(growth *g,
                              uint32_t part,
                              uint32_t side,
                              etna_error *err)
{
    return g->alike[g->parts[part].base + side / 3]
               ? growth_join(g, part, side / 3, err)
               : ETNA_OK;
}

/* Everything else at the edge of a side, ascending. An edge of many faces is
 * seen to once. */
static etna_code growth_cross(growth *g,
                              uint32_t part,
                              uint32_t side,
                              etna_error *err)
{
    growth_part *p = &g->parts[part];
    const uint32_t *next = p->adjacency->next;
    uint32_t other = next[side];
    if (other == SCENE_NONE || other == side)
        return ETNA_OK;
    if (next[other] == side)
        return growth_visit(g, part, other, err);
    if (!p->crossed &&
        !(p->crossed = calloc(
              3 * (size_t)g->scene->meshes[g->scene->parts[p->number].mesh]
                      .triangle_count,
              1)))
        return growth_no_memory(err);
    if (p->crossed[side])
        return ETNA_OK;
    uint32_t first = side;
    for (; other != side; other = next[other])
        first = other < first ? other : first;
    etna_code code = ETNA_OK;
    other = first;
    do {
        p->crossed[other] = 1;
        code = growth_visit(g, part, other, err);
        other = next[other];
    } while (code == ETNA_OK && other != first);
    return code;
}

/* Joins what shares an edge with what joined since it was last asked for, until
 * nothing more does. */
static etna_code growth_spread(growth *g, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (; code == ETNA_OK && g->spread < g->item_count; g->spread++) {
        growth_item item = g->items[g->spread];
        const probe_adjacency *a = g->parts[item.part].adjacency;
        if (item.triangle != SCENE_NONE) {
            for (uint32_t k = 0; code == ETNA_OK && k < 3; k++)
                code = growth_cross(g, item.part, 3 * item.triangle + k, err);
            continue;
        }
        for (uint32_t i = a->rim_start[item.patch];
             code == ETNA_OK && i < a->rim_start[item.patch + 1]; i++)
            code = growth_cross(g, item.part, a->rim[i], err);
    }
    return code;
}

/* ---- gaps ---- A face in the frame of the face the plane grows from: across
 * in u and v, height along its normal, all in metres. */
static probe_flat growth_flatten(const growth *g,
                                 uint32_t part,
                                 uint32_t triangle)
{
    const scene_part *from = &g->scene->parts[g->parts[part].number];
    const uint32_t *index =
        g->scene->meshes[from->mesh].index + 3 * (size_t)triangle;
    probe_flat f = {.part = part, .triangle = triangle};
    for (int k = 0; k < 3; k++) {
        vec3 d = v3_sub(scene_vertex(g->scene, from, index[k]), g->origin);
        f.at[k] = (vec2){v3_dot(d, g->u), v3_dot(d, g->v)};
        f.height[k] = v3_dot(d, g->normal);
    }
    return f;
}

/* All faces that look alike and are not in yet. */
static etna_code collect_rest(growth *g, etna_error *err)
{
    if (g->joined == g->alike_count)
        return ETNA_OK;
    g->rest = malloc(((size_t)g->alike_count - g->joined) * sizeof *g->rest);
    if (!g->rest)
        return growth_no_memory(err);
    for (uint32_t part = 0; part < g->part_count; part++) {
        uint32_t base = g->parts[part].base;
        uint32_t end =
            part + 1 < g->part_count ? g->parts[part + 1].base : g->face_count;
        for (uint32_t f = base; f < end; f++)
            if (g->alike[f] && !growth_has(g, part, f - base))
                g->rest[g->rest_count++] = growth_flatten(g, part, f - base);
    }
    return probe_grid_make(g->rest, g->rest_count, g->gap, &g->grid)
               ? ETNA_OK
               : growth_no_memory(err);
}

/* Asks who of the items is near the member. Those in the set need not be asked
 * again, unless their order counts. Most lie too high or too low: they are
 * passed over, but where the order counts the bound counts them, too. */
static etna_code growth_ask(growth *g,
                            const probe_flat *member,
                            probe_grid_item *items,
                            uint32_t *count,
                            etna_error *err)
{
    etna_code code = ETNA_OK;
    float low, high;
    probe_flat_reach(member, &low, &high);
    for (uint32_t i = 0; code == ETNA_OK && i < *count; i++) {
        bool is_level = items[i].low <= high && items[i].high >= low;
        if (!is_level && !g->in_order)
            continue;
        const probe_flat *other = &g->rest[items[i].number];
        bool there = growth_has(g, other->part, other->triangle);
        if (!there && g->tests < TESTS_MAX) {
            g->tests++;
            there = probe_flat_near(member, other, g->gap);
            if (there)
                code = growth_join(g, other->part, other->triangle, err);
        }
        if (there && !g->in_order)
            items[i--] = items[--*count];
    }
    return code;
}

/* Asks everybody who is near this member, and spreads at once from those who
 * joined: what they reach along edges needs no test. */
static etna_code bridge_from(growth *g,
                             const probe_flat *member,
                             const uint32_t range[4],
                             etna_error *err)
{
    probe_grid *grid = &g->grid;
    etna_code code = ETNA_OK;
    for (uint32_t y = range[2]; y <= range[3]; y++)
        for (uint32_t x = range[0]; code == ETNA_OK && x <= range[1]; x++) {
            size_t c = (size_t)y * grid->columns + x;
            code = growth_ask(g, member, grid->cell_item + grid->cell_first[c],
                              &grid->cell_count[c], err);
        }
    if (code == ETNA_OK)
        code = growth_ask(g, member, grid->large, &grid->large_left, err);
    return code == ETNA_OK ? growth_spread(g, err) : code;
}

/* How many could be asked from there; false when nobody is left to be. */
static bool is_worth(growth *g, const double box[4], uint32_t ret_range[4])
{
    uint64_t items = probe_grid_range(&g->grid, box, ret_range);
    g->tests_most += items;
    return items > 0 && g->joined < g->alike_count;
}

/* Over the gaps from one face of the set. */
static etna_code bridge_one(growth *g,
                            uint32_t part,
                            uint32_t triangle,
                            etna_error *err)
{
    probe_flat member = growth_flatten(g, part, triangle);
    double box[4];
    uint32_t range[4];
    probe_flat_box(&member, box);
    return is_worth(g, box, range) ? bridge_from(g, &member, range, err)
                                   : ETNA_OK;
}

/* The same for a whole patch. Boxes of 64 faces at a time are computed in
 * lanes; most have nobody left near them and need no exact triangle. */
static etna_code bridge_many(growth *g,
                             uint32_t part,
                             const uint32_t *triangles,
                             uint32_t count,
                             etna_error *err)
{
    enum {
        BLOCK = 64
    };
    const vec3 frame[3] = {g->origin, g->u, g->v};
    double boxes[BLOCK][4];
    uint32_t range[4];
    etna_code code = ETNA_OK;
    for (uint32_t from = 0; code == ETNA_OK && from < count; from += BLOCK) {
        uint32_t block = count - from < BLOCK ? count - from : BLOCK;
        probe_lanes_boxes(g->scene, g->parts[part].number, triangles + from,
                          block, frame, boxes);
        for (uint32_t i = 0; code == ETNA_OK && i < block; i++) {
            if (!is_worth(g, boxes[i], range))
                continue;
            probe_flat member = growth_flatten(g, part, triangles[from + i]);
            code = bridge_from(g, &member, range, err);
        }
    }
    return code;
}

/* Stops early when the bound could be met in another order; in the order of the
 * faces when it is met. */
static etna_code bridge_gaps(growth *g, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (size_t at = 0; code == ETNA_OK && at < g->item_count &&
                        (g->in_order ? g->tests : g->tests_most) < TESTS_MAX;
         at++) {
        growth_item item = g->items[at];
        const probe_adjacency *a = g->parts[item.part].adjacency;
        const uint32_t *triangles = a->patch_faces + a->patch_start[item.patch];
        if (item.triangle != SCENE_NONE)
            code = bridge_one(g, item.part, item.triangle, err);
        else
            code = bridge_many(g, item.part, triangles,
                               a->patch_start[item.patch + 1] -
                                   a->patch_start[item.patch],
                               err);
    }
    return code;
}

/* ---- the set ---- Back to the state after growth_begin. Adjacency is unpinned
 * so that it may go. What `alike` says is kept: the next growth of the object
 * is often from a face that looks the same way. */
static void growth_forget(growth *g)
{
    for (uint32_t p = 0; g->parts && p < g->part_count; p++) {
        free(g->parts[p].patch);
        free(g->parts[p].crossed);
        g->parts[p].patch = g->parts[p].crossed = NULL;
        probe_mesh_release(g->shared, g->scene->parts[g->parts[p].number].mesh,
                           g->parts[p].adjacency);
        g->parts[p].adjacency = NULL;
    }
    free(g->rest);
    g->rest = NULL;
    probe_grid_free(&g->grid);
    g->item_count = g->spread = 0;
    g->rest_count = g->joined = 0;
    g->tests = g->tests_most = 0;
}

/* Frees all the growth owns; what it published stays with probe_shared. */
static void growth_release(growth *g)
{
    growth_forget(g);
    probe_set_free(&g->last);
    free(g->parts);
    free(g->alike);
    free(g->in);
    free(g->items);
}

/* One byte per face of the whole object, and the parts in the order in which
 * faces are numbered. Parts are opened (their adjacency made) only when the set
 * reaches them. */
static etna_code growth_begin(growth *g,
                              probe_shared *shared,
                              uint32_t object,
                              etna_error *err)
{
    const scene *s = probe_scene(shared);
    const scene_object *o = &s->objects[object];
    *g = (growth){.shared = shared,
                  .scene = s,
                  .object = object,
                  .gap = probe_gap_of(s, object),
                  .part_count = o->part_count,
                  .alike_margin = -1};
    g->parts = calloc((size_t)o->part_count + 1, sizeof *g->parts);
    if (!g->parts)
        return growth_no_memory(err);
    for (uint32_t p = 0; p < o->part_count; p++) {
        g->parts[p].number = o->first_part + p;
        g->parts[p].base = g->face_count;
        g->face_count +=
            s->meshes[s->parts[o->first_part + p].mesh].triangle_count;
    }
    g->alike = malloc((size_t)g->face_count + 1);
    g->in = calloc((size_t)g->face_count + 1, 1);
    if (!g->alike || !g->in)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory to grow a plane of %u faces",
                         g->face_count);
    return ETNA_OK;
}

/* Who looks like the seed. What was found for another normal holds for this one
 * when it is so near that no cosine could come to lie on the other side. Says
 * whether it did. */
static bool growth_find_alike(growth *g)
{
    vec3 d = v3_sub(g->normal, g->alike_normal);
    if (fabs(d.x) + fabs(d.y) + fabs(d.z) + ROUNDING < g->alike_margin)
        return true;
    probe_set_free(&g->last);
    g->alike_count = 0;
    g->alike_normal = g->normal;
    g->alike_margin = INFINITY;
    for (uint32_t p = 0; p < g->part_count; p++)
        g->alike_count += probe_lanes_alike(
            g->scene, g->parts[p].number, g->normal, 1 - COSINE_DISTANCE,
            g->alike + g->parts[p].base, &g->alike_margin);
    return false;
}

/* One growth from the seed: along edges, then over gaps until nobody joins. */
static etna_code grow_all(growth *g, const probe_face *seed, etna_error *err)
{
    growth_forget(g);
    if (g->in_order)
        memset(g->in, 0, g->face_count);
    etna_code code =
        growth_join(g, seed->part - g->scene->objects[g->object].first_part,
                    seed->triangle, err);
    if (code == ETNA_OK)
        code = growth_spread(g, err);
    if (code == ETNA_OK)
        code = collect_rest(g, err);
    if (code == ETNA_OK && g->rest_count > 0)
        code = bridge_gaps(g, err);
    return code;
}

/* The members in ascending order. The loop writes every face and moves on only
 * where it is a member, so it has no branch; probe_set_new leaves room for the
 * one written too many. */
static etna_code list_set(const growth *g, probe_set *ret, etna_error *err)
{
    probe_set set;
    uint32_t *faces, n = 0;
    if (!probe_set_new(g->joined, &set, &faces))
        return growth_no_memory(err);
    for (uint32_t part = 0; part < g->part_count; part++) {
        const growth_part *p = &g->parts[part];
        uint32_t count =
            (part + 1 < g->part_count ? p[1].base : g->face_count) - p->base;
        for (uint32_t t = 0; p->patch && t < count; t++) {
            faces[n] = p->base + t;
            n += g->in[p->base + t] |
                 (p->patch[p->adjacency->patch[t]] == PATCH_IN);
        }
    }
    *ret = set;
    return ETNA_OK;
}

/* Grows all, from `seed`; what takes too many tests so is grown in order. */
static etna_code growth_run(growth *g, const probe_face *seed, etna_error *err)
{
    if (g->in_used)
        memset(g->in, 0, g->face_count);
    g->in_used = true;
    g->in_order = false;
    etna_code code = grow_all(g, seed, err);
    if (code != ETNA_OK || g->tests_most < TESTS_MAX)
        return code;
    g->in_order = true;
    return grow_all(g, seed, err);
}

/* Grows from one more face of the object. */
static etna_code grow_from(growth *g,
                           uint32_t face,
                           probe_set *ret,
                           etna_error *err)
{
    const char *name = g->scene->objects[g->object].name;
    probe_face seed;
    if (!probe_face_get(g->scene, g->object, face, &seed))
        return etna_fail(
            err, ETNA_E_INPUT,
            "object \"%s\" has no face %u; probe the image for a plane's name",
            name, face);
    if (!(seed.area > 0))
        return etna_fail(
            err, ETNA_E_INPUT,
            "face %u of object \"%s\" has no area; probe the image for a plane's name",
            face, name);
    g->normal = seed.normal;
    vec3 axis = fabs(seed.normal.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    g->u =
        v3_normal(v3_add_scaled(axis, seed.normal, -v3_dot(axis, seed.normal)));
    g->v = v3_cross(g->normal, g->u);
    g->origin = seed.corner[0];
    /* the same edges lead to the same faces */
    if (growth_find_alike(g) && probe_set_has(&g->last, face)) {
        *ret = probe_set_share(&g->last);
        return ETNA_OK;
    }
    etna_code code = growth_run(g, &seed, err);
    if (code == ETNA_OK)
        code = list_set(g, ret, err);
    if (code != ETNA_OK)
        return code;
    probe_set_free(&g->last);
    if (g->rest_count == 0)
        g->last = probe_set_share(ret);
    return ETNA_OK;
}

/* The set of one face, remembered or grown anew. It is not remembered here:
 * only those that name a plane are asked for again. */
etna_code probe_grow(probe_shared *shared,
                     uint32_t object,
                     uint32_t face,
                     probe_set *ret,
                     etna_error *err)
{
    assert(object < probe_scene(shared)->object_count);
    probe_set known;
    growth g;
    probe_recall_set(shared, object, face, &known);
    if (known.faces) {
        *ret = known;
        return ETNA_OK;
    }
    etna_code code = growth_begin(&g, shared, object, err);
    if (code == ETNA_OK)
        code = grow_from(&g, face, ret, err);
    growth_release(&g);
    return code;
}

/* Binary search; the faces ascend. */
bool probe_set_has(const probe_set *set, uint32_t face)
{
    uint32_t low = 0;
    uint32_t high = set->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->faces[middle] < face)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->faces[low] == face;
}

/* The lowest face of the hit face's set that looks the way it does, within a
 * degree. */
static uint32_t lowest_alike(const scene *s,
                             uint32_t object,
                             uint32_t face,
                             const probe_set *set)
{
    probe_face hit, other;
    probe_face_get(s, object, face, &hit);
    for (uint32_t i = 0; i < set->count && set->faces[i] < face; i++)
        if (probe_face_get(s, object, set->faces[i], &other) &&
            v3_dot(other.normal, hit.normal) >= SAME_COSINE)
            return set->faces[i];
    return face;
}

/* Grows from `face`, and from the lowest face that looks the same when that is
 * another: it names the plane if its set has `face`, too. */
static etna_code growth_find_named(probe_shared *shared,
                                   growth *g,
                                   uint32_t object,
                                   uint32_t face,
                                   probe_set *ret,
                                   uint32_t *ret_f,
                                   etna_error *err)
{
    probe_set set, named = {0};
    probe_recall_set(shared, object, face, &set);
    etna_code code = set.faces ? ETNA_OK : grow_from(g, face, &set, err);
    if (code != ETNA_OK)
        return code;
    uint32_t f = lowest_alike(probe_scene(shared), object, face, &set);
    if (f != face) {
        probe_recall_set(shared, object, f, &named);
        code = named.faces ? ETNA_OK : grow_from(g, f, &named, err);
        if (code == ETNA_OK)
            code = probe_keep_set(shared, object, f, &named, err);
    }
    if (f == face || (code == ETNA_OK && !probe_set_has(&named, face))) {
        probe_set_free(&named);
        named = probe_set_share(&set);
        f = face;
    }
    probe_set_free(&set);
    if (code == ETNA_OK)
        code = probe_keep_name(shared, object, face, f, err);
    if (code != ETNA_OK) {
        probe_set_free(&named);
        return code;
    }
    *ret = named;
    *ret_f = f;
    return ETNA_OK;
}

/* The set by which the face's plane is named, and the face that names it. Two
 * faces of one plane thus lead to the same name, whichever the ray hit. What
 * was found is kept, as a task asks for the same planes in each of its
 * steps. */
etna_code probe_named_set(probe_shared *shared,
                          uint32_t object,
                          uint32_t face,
                          probe_set *ret,
                          uint32_t *ret_f,
                          etna_error *err)
{
    assert(object < probe_scene(shared)->object_count);
    growth g;
    probe_set set = {0};
    uint32_t f = probe_recall_name(shared, object, face);
    if (f != SCENE_NONE)
        probe_recall_set(shared, object, f, &set);
    etna_code code = ETNA_OK;
    if (!set.faces) {
        code = growth_begin(&g, shared, object, err);
        if (code == ETNA_OK)
            code = f == SCENE_NONE ? growth_find_named(shared, &g, object, face,
                                                       &set, &f, err)
                                   : grow_from(&g, f, &set, err);
        growth_release(&g);
        if (code == ETNA_OK)
            /* names are asked for again and again */
            code = probe_keep_set(shared, object, f, &set, err);
    }
    if (code != ETNA_OK) {
        probe_set_free(&set);
        return code;
    }
    *ret = set;
    *ret_f = f;
    return ETNA_OK;
}
