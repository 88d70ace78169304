/* A body: an object's triangles at its base pose, its parts put together and welded, with the tree over them and what
 * follows from the shape alone: pieces, closedness, centre of mass. */
#include "worker/space/own.h"

#include <stdlib.h>

typedef struct corner { /* a vertex before welding */
    vec3 at;
    uint32_t number;
} corner;

typedef struct edge {
    uint32_t low, high;
    int32_t turn; /* +1 walked from low to high */
} edge;

static int compare_corners(const void *a, const void *b)
{
    const corner *p = a, *q = b;
    for (int axis = 0; axis < 3; axis++) {
        double u = v3_get(p->at, axis), v = v3_get(q->at, axis);
        if (u != v) return u < v ? -1 : 1;
    }
    return (p->number > q->number) - (p->number < q->number);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->turn - q->turn;
}

static bool same_place(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Fills vertex and index of all parts, equal places made one. */
static etna_code weld(const scene *s, const scene_object *o, size_t corner_count, body *b, etna_error *err)
{
    corner *corners = malloc((corner_count + 1) * sizeof *corners);
    uint32_t *unique = malloc((corner_count + 1) * sizeof *unique);
    if (!corners || !unique) {
        free(corners);
        free(unique);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for the %zu vertices of \"%s\"", corner_count, o->name);
    }
    uint32_t n = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++)
        for (uint32_t i = 0; i < s->meshes[s->parts[p].mesh].vertex_count; i++, n++)
            corners[n] = (corner){scene_vertex(s, &s->parts[p], i), n};
    qsort(corners, n, sizeof *corners, compare_corners);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || !same_place(corners[i].at, corners[i - 1].at)) b->vertex[b->vertex_count++] = corners[i].at;
        unique[corners[i].number] = b->vertex_count - 1;
    }
    uint32_t base = 0, t = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        for (uint32_t i = 0; i < mesh->triangle_count; i++, t++)
            for (uint32_t k = 0; k < 3; k++) /* a mirrored part is turned right side out again */
                b->index[3 * (size_t)t + k] =
                    unique[base + mesh->index[3 * (size_t)i + (s->parts[p].flipped ? 2 - k : k)]];
        base += mesh->vertex_count;
    }
    free(corners);
    free(unique);
    return ETNA_OK;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static etna_code find_pieces(body *b, etna_error *err)
{
    uint32_t *parent = malloc(((size_t)b->vertex_count + 1) * sizeof *parent);
    b->piece = malloc(((size_t)b->vertex_count + 1) * sizeof *b->piece);
    uint8_t *used = calloc((size_t)b->vertex_count + 1, 1);
    if (!parent || !b->piece || !used) {
        free(parent);
        free(used);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for the pieces of an object");
    }
    for (uint32_t i = 0; i < b->vertex_count; i++) parent[i] = i;
    for (uint32_t i = 0; i < b->triangle_count; i++) {
        const uint32_t *t = b->index + 3 * (size_t)i;
        join(parent, t[0], t[1]);
        join(parent, t[0], t[2]);
        used[t[0]] = used[t[1]] = used[t[2]] = 1;
    }
    for (uint32_t i = 0; i < b->vertex_count; i++)
        if (used[i] && root_of(parent, i) == i) b->piece[b->piece_count++] = i;
    free(parent);
    free(used);
    return ETNA_OK;
}

static etna_code find_closed(body *b, etna_error *err)
{
    edge *edges = malloc((3 * (size_t)b->triangle_count + 1) * sizeof *edges);
    if (!edges) return etna_fail(err, ETNA_E_NOMEM, "space: no memory for the edges of an object");
    size_t n = 0;
    for (uint32_t i = 0; i < b->triangle_count; i++) {
        const uint32_t *t = b->index + 3 * (size_t)i;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t from = t[k], to = t[(k + 1) % 3];
            if (from != to) edges[n++] = from < to ? (edge){from, to, 1} : (edge){to, from, -1};
        }
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    b->closed = n > 0;
    for (size_t i = 0; i < n && b->closed;) {
        int64_t sum = 0;
        size_t k = i;
        for (; k < n && edges[k].low == edges[i].low && edges[k].high == edges[i].high; k++) sum += edges[k].turn;
        b->closed = sum == 0;
        i = k;
    }
    free(edges);
    return ETNA_OK;
}

/* METHOD.md 6: of the volume when closed, else of the triangles' areas. Relative to the box centre, so that nothing
 * cancels far from the origin. */
static void find_centre(body *b, vec3 about)
{
    vec3 by_area = {0, 0, 0}, by_volume = {0, 0, 0};
    double area = 0, volume = 0, gross = 0;
    for (uint32_t i = 0; i < b->triangle_count; i++) {
        const uint32_t *t = b->index + 3 * (size_t)i;
        vec3 p = v3_sub(b->vertex[t[0]], about), q = v3_sub(b->vertex[t[1]], about), r = v3_sub(b->vertex[t[2]], about);
        vec3 sum = v3_add(p, v3_add(q, r)), n = v3_cross(v3_sub(q, p), v3_sub(r, p));
        double a = v3_length(n), v = v3_dot(p, v3_cross(q, r));
        by_area = v3_add_scaled(by_area, sum, a / 3);
        by_volume = v3_add_scaled(by_volume, sum, v / 4);
        area += a;
        volume += v;
        gross += fabs(v);
    }
    b->centre_of_mass = about;
    if (b->closed && fabs(volume) > 1e-3 * gross && fabs(volume) > 0)
        b->centre_of_mass = v3_add_scaled(about, by_volume, 1 / volume);
    else if (area > 0)
        b->centre_of_mass = v3_add_scaled(about, by_area, 1 / area);
}

static void shrink(body *b, const scene_box *box)
{
    double s, c;
    math_sincos(box->yaw, &s, &c);
    vec3 f;
    f.x = box->half.x > SPACE_TOUCH ? SPACE_TOUCH / box->half.x : 1;
    f.y = box->half.y > SPACE_TOUCH ? SPACE_TOUCH / box->half.y : 1;
    f.z = box->half.z > SPACE_TOUCH ? SPACE_TOUCH / box->half.z : 1;
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        vec3 d = v3_sub(b->vertex[i], box->centre);
        double x = (c * d.x + s * d.y) * f.x, y = (c * d.y - s * d.x) * f.y;
        b->shrunk[i] = v3_sub(b->vertex[i], v3(c * x - s * y, s * x + c * y, d.z * f.z));
    }
}

void body_free(body *b)
{
    if (!b) return;
    free(b->vertex);
    free(b->shrunk);
    free(b->index);
    free(b->nodes);
    free(b->piece);
    free(atomic_load(&b->feet));
    free(b);
}

etna_code body_build(const scene *s, uint32_t object, body **ret, etna_error *err)
{
    const scene_object *o = &s->objects[object];
    uint64_t corners = 0, triangles = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        corners += s->meshes[s->parts[p].mesh].vertex_count;
        triangles += s->meshes[s->parts[p].mesh].triangle_count;
    }
    if (corners > UINT32_MAX / 4 || triangles > SCENE_TRIANGLES_MAX)
        return etna_fail(err, ETNA_E_LIMIT, "space: object \"%s\" has %llu triangles and %llu vertices; split it",
                         o->name, (unsigned long long)triangles, (unsigned long long)corners);
    body *b = calloc(1, sizeof *b);
    etna_code code = b ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    if (code) return code;
    atomic_init(&b->hollow, 0);
    atomic_init(&b->feet, NULL);
    b->triangle_count = (uint32_t)triangles;
    b->vertex = malloc((corners + 1) * sizeof *b->vertex);
    b->shrunk = malloc((corners + 1) * sizeof *b->shrunk);
    b->index = malloc((3 * triangles + 1) * sizeof *b->index);
    if (!b->vertex || !b->shrunk || !b->index)
        code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for the %llu triangles of \"%s\"",
                         (unsigned long long)triangles, o->name);
    if (!code) code = weld(s, o, corners, b, err);
    if (!code) code = find_pieces(b, err);
    if (!code) code = find_closed(b, err);
    if (!code) {
        find_centre(b, o->box.centre);
        shrink(b, &o->box);
        code = bvh_build(b->vertex, b->index, b->triangle_count, &b->nodes, &b->node_count, err);
    }
    if (code) {
        body_free(b);
        return code;
    }
    *ret = b;
    return ETNA_OK;
}
