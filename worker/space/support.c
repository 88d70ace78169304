/* What stands on what. METHOD.md 6, floating.
 *
 *   support points   the underside at 16 x 16 places of the box's footprint (a ray up into the object's own triangles)
 * and the lowest vertex of each of these cells where it is the underside (thin legs slip through a grid) supporters of
 * a point: every other object with a surface 1 cm below to 1 cm above it grounded         the centre of mass lies over
 * the points' hull grown by 5 mm, and some chain of supporters ends at a static object
 *
 * A thin thing (rug, plate) has the foot of what stands on it within that centimetre too; so a surface counts only up
 * to half of the object's own thickness there, and of two objects that would each support the other the one with the
 * lower centre of mass does. */
#include "worker/space/own.h"

#include <stdlib.h>
#include <string.h>

enum { GRID = 16, POINTS_MAX = 2 * GRID * GRID };

static const double reach = 0.01, start_above = 0.02, hull_growth = 0.005;

typedef struct edge {
    uint32_t object, by;
} edge;

typedef struct work {
    space *sp;
    const space_rules *rules;
    const space_support_state *start;
    const bool *by_contact;
    uint32_t n;
    uint8_t *support;
    double *gap;
    bool *balanced; /* the centre of mass is over the hull */
    vec3 *mass;     /* centres of mass in the world */
    edge *edges;
    uint32_t edge_count, edge_room;
    vec2 *hull;
} work;

static etna_code add_edge(work *w, uint32_t object, uint32_t by, etna_error *err)
{
    for (uint32_t i = w->edge_count; i-- > 0 && w->edges[i].object == object;)
        if (w->edges[i].by == by) return ETNA_OK;
    if (w->edge_count == w->edge_room) {
        uint32_t room = w->edge_room ? 2 * w->edge_room : 64;
        edge *grown = realloc(w->edges, room * sizeof *grown);
        if (!grown) return etna_fail(err, ETNA_E_NOMEM, "space: no memory for who stands on whom");
        w->edges = grown;
        w->edge_room = room;
    }
    w->edges[w->edge_count++] = (edge){object, by};
    return ETNA_OK;
}

static int compare_edges(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->object != q->object) return p->object < q->object ? -1 : 1;
    return (p->by > q->by) - (p->by < q->by);
}

/* ---- points ---- */
/* Metres from an underside point up to the object's next own surface above it; 0 when there is none (a sheet). */
static double thickness(const space *sp, uint32_t object, vec3 at)
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

static void add_point(const space *sp, uint32_t object, vec3 at, underside *u)
{
    double half = thickness(sp, object, at) / 2;
    double above = half < reach ? half : reach;
    u->points[u->count++] = (foot){at, above > 1e-3 ? above : 1e-3};
}

/* Which cell of the footprint p lies in. */
static uint32_t cell_of(const scene_box *box, double s, double c, vec3 p)
{
    vec3 d = v3_sub(p, box->centre);
    double x = box->half.x > 0 ? (c * d.x + s * d.y) / box->half.x : 0,
           y = box->half.y > 0 ? (c * d.y - s * d.x) / box->half.y : 0;
    double i = floor((x + 1) * (GRID / 2)), k = floor((y + 1) * (GRID / 2));
    i = i < 0 ? 0 : i > GRID - 1 ? GRID - 1 : i;
    k = k < 0 ? 0 : k > GRID - 1 ? GRID - 1 : k;
    return (uint32_t)k * GRID + (uint32_t)i;
}

static void find_feet(space *sp, uint32_t object, const posed *p, underside *u)
{
    scene_box box = scene_box_at(&sp->shared->scene->objects[object], &p->pose);
    double s, c, bottom = box.centre.z - box.half.z;
    uint32_t lowest[GRID * GRID];
    space_hit hit;
    math_sincos(box.yaw, &s, &c);
    for (uint32_t k = 0; k < GRID * GRID; k++) {
        double x = ((2 * (k % GRID) + 1.0) / GRID - 1) * box.half.x,
               y = ((2 * (k / GRID) + 1.0) / GRID - 1) * box.half.y;
        space_ray up = {.origin = {box.centre.x + c * x - s * y, box.centre.y + s * x + c * y, bottom - 0.01},
                        .direction = {0, 0, 1}};
        up.t_max = 2 * box.half.z + 0.02;
        up.skip_object = SCENE_NONE;
        up.only_object = object;
        if (space_cast_all(sp, &up, &hit)) add_point(sp, object, hit.point, u);
        lowest[k] = SCENE_NONE;
    }
    for (uint32_t i = 0; i < p->body->vertex_count; i++) {
        uint32_t k = cell_of(&box, s, c, p->vertex[i]);
        if (lowest[k] == SCENE_NONE || p->vertex[i].z < p->vertex[lowest[k]].z) lowest[k] = i;
    }
    for (uint32_t k = 0; k < GRID * GRID; k++) {
        if (lowest[k] == SCENE_NONE) continue;
        vec3 at = p->vertex[lowest[k]];
        space_ray down = {.origin = at,
                          .direction = {0, 0, -1},
                          .t_min = 1e-4,
                          .t_max = INFINITY,
                          .skip_object = SCENE_NONE,
                          .only_object = object};
        if (at.z - bottom < 1e-4 || !space_cast_all(sp, &down, &hit)) add_point(sp, object, at, u);
    }
}

/* The object's underside where it stands, found once per pose. Two threads may both find that of the base pose: they
 * find the same, and one keeps it. */
static etna_code feet_of(space *sp, uint32_t object, const underside **ret, etna_error *err)
{
    posed *p = NULL;
    etna_code code = space_posed(sp, object, &p, err);
    if (code) return code;
    underside *known = p->moved ? p->own_feet : atomic_load(&p->body->feet);
    if (!known) {
        underside *u = malloc(sizeof *u + POINTS_MAX * sizeof u->points[0]);
        if (!u) return etna_fail(err, ETNA_E_NOMEM, "space: no memory for the underside of an object");
        u->count = 0;
        find_feet(sp, object, p, u);
        underside *cut = realloc(u, sizeof *u + u->count * sizeof u->points[0]);
        known = cut ? cut : u;
        if (p->moved) {
            p->own_feet = known;
        } else {
            underside *none = NULL;
            if (!atomic_compare_exchange_strong(&p->body->feet, &none, known)) {
                free(known);
                known = none;
            }
        }
    }
    *ret = known;
    return ETNA_OK;
}

/* Who is within reach of a point; *ret_gap: how far the next surface is, 0 when one is within reach. */
static etna_code probe_point(work *w, uint32_t object, const foot *p, double *ret_gap, bool *ret_supported,
                             etna_error *err)
{
    space_ray down = {.origin = v3_add(p->at, v3(0, 0, start_above)), .direction = {0, 0, -1}};
    down.t_max = INFINITY;
    down.skip_object = object;
    down.only_object = SCENE_NONE;
    down.t_min = start_above - p->above - 1e-6;
    space_hit hit;
    *ret_supported = false;
    *ret_gap = INFINITY;
    while (space_cast_all(w->sp, &down, &hit)) {
        if (hit.t > start_above + reach) {
            *ret_gap = *ret_supported ? 0 : hit.t - start_above;
            return ETNA_OK;
        }
        *ret_supported = true;
        *ret_gap = 0;
        etna_code code = add_edge(w, object, hit.object, err);
        if (code) return code;
        down.t_min = hit.t + 1e-5;
        down.t_max = start_above + reach;
    }
    return ETNA_OK;
}

/* ---- hull ---- */
static int compare_vec2(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static double turn(vec2 o, vec2 a, vec2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* Monotone chain, counter-clockwise; `hull` has room for count + 1. */
static uint32_t hull_of(vec2 *points, uint32_t count, vec2 *hull)
{
    uint32_t n = 0;
    qsort(points, count, sizeof *points, compare_vec2);
    if (count < 3) {
        memcpy(hull, points, count * sizeof *hull);
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        while (n >= 2 && turn(hull[n - 2], hull[n - 1], points[i]) <= 0) n--;
        hull[n++] = points[i];
    }
    for (uint32_t i = count - 1, lower = n + 1; i-- > 0;) {
        while (n >= lower && turn(hull[n - 2], hull[n - 1], points[i]) <= 0) n--;
        hull[n++] = points[i];
    }
    return n > 1 ? n - 1 : n;
}

static double to_segment(vec2 p, vec2 a, vec2 b)
{
    double dx = b.x - a.x, dy = b.y - a.y, l = dx * dx + dy * dy,
           t = l > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double x = p.x - a.x - t * dx, y = p.y - a.y - t * dy;
    return sqrt(x * x + y * y);
}

static bool over_hull(const vec2 *hull, uint32_t n, vec2 p)
{
    bool inside = n >= 3;
    for (uint32_t i = 0; i < n; i++) {
        vec2 a = hull[i], b = hull[(i + 1) % n];
        if (to_segment(p, a, b) <= hull_growth) return true;
        inside = inside && turn(a, b, p) >= 0;
    }
    return inside;
}

/* ---- one object ---- */
static etna_code look_below(work *w, uint32_t object, etna_error *err)
{
    uint32_t supported = 0;
    const underside *u = NULL;
    etna_code code = feet_of(w->sp, object, &u, err);
    vec2 on[POINTS_MAX];
    w->gap[object] = INFINITY;
    for (uint32_t i = 0; !code && i < u->count; i++) {
        double gap = INFINITY;
        bool stands = false;
        code = probe_point(w, object, &u->points[i], &gap, &stands, err);
        w->gap[object] = gap < w->gap[object] ? gap : w->gap[object];
        if (stands) on[supported++] = (vec2){u->points[i].at.x, u->points[i].at.y};
    }
    if (code) return code;
    uint32_t n = hull_of(on, supported, w->hull);
    w->balanced[object] = over_hull(w->hull, n, (vec2){w->mass[object].x, w->mass[object].y});
    return ETNA_OK;
}

/* The paper's rule: a ray down from the centre of the box's bottom face. A tenth of a millimetre of sinking is contact.
 */
static etna_code look_below_paper(work *w, uint32_t object, etna_error *err)
{
    scene_box box = scene_box_at(&w->sp->shared->scene->objects[object], space_pose(w->sp, object));
    space_ray down = {
        .origin = {box.centre.x, box.centre.y, box.centre.z - box.half.z}, .direction = {0, 0, -1}, .t_min = -1e-4};
    down.t_max = INFINITY;
    down.skip_object = object;
    down.only_object = SCENE_NONE;
    space_hit hit;
    w->gap[object] = INFINITY;
    if (!space_cast_all(w->sp, &down, &hit)) return ETNA_OK;
    w->gap[object] = hit.t > 0 ? hit.t : 0;
    w->balanced[object] = hit.t <= reach;
    return w->balanced[object] ? add_edge(w, object, hit.object, err) : ETNA_OK;
}

/* ---- chains ---- */
static bool carries(const work *w, uint32_t object)
{
    return w->support[object] == SUPPORT_STATIC || w->support[object] == SUPPORT_GROUNDED ||
           w->support[object] == SUPPORT_ATTACHED;
}

/* Of two that would each stand on the other, the lower one carries. */
static void part_mutual(work *w)
{
    uint32_t kept = 0;
    qsort(w->edges, w->edge_count, sizeof *w->edges, compare_edges);
    bool *drop = calloc((size_t)w->edge_count + 1, sizeof *drop);
    for (uint32_t i = 0; drop && i < w->edge_count; i++) {
        edge back = {w->edges[i].by, w->edges[i].object};
        if (!bsearch(&back, w->edges, w->edge_count, sizeof back, compare_edges)) continue;
        double mine = w->mass[back.by].z, its = w->mass[back.object].z;
        drop[i] = mine < its || (mine == its && back.by < back.object);
    }
    for (uint32_t i = 0; drop && i < w->edge_count; i++)
        if (!drop[i]) w->edges[kept++] = w->edges[i];
    if (drop) w->edge_count = kept;
    free(drop);
}

static void ground(work *w)
{
    bool again = true;
    while (again) { /* each round grounds one more level of a stack */
        again = false;
        for (uint32_t i = 0; i < w->edge_count; i++) {
            edge e = w->edges[i];
            if (w->support[e.object] == SUPPORT_HOVERING && w->balanced[e.object] && carries(w, e.by)) {
                w->support[e.object] = SUPPORT_GROUNDED;
                again = true;
            }
        }
    }
}

/* May an object hang at something? At the start any may; later those that did and stay put, and those that a satisfied
 * Contact fastened. */
static bool may_hang(const work *w, uint32_t object)
{
    if (w->by_contact && w->by_contact[object]) return true;
    if (!w->start) return true;
    return !w->sp->posed[object].moved && w->start->support[object] == SUPPORT_ATTACHED;
}

/* One round: who of the unsupported is within reach of something that carries? */
static etna_code attach(work *w, bool *ret_any, etna_error *err)
{
    *ret_any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->support[i] != SUPPORT_HOVERING || !may_hang(w, i)) continue;
        for (uint32_t k = 0; k < w->n; k++) {
            bool near = false;
            if (k == i || !carries(w, k) || !box3_meet(&w->sp->posed[i].box, &w->sp->posed[k].box, reach)) continue;
            etna_code code = cut_within(w->sp, i, k, reach, &near, err);
            if (!code && near) code = add_edge(w, i, k, err);
            if (code) return code;
            if (near) {
                w->support[i] = SUPPORT_ATTACHED;
                *ret_any = true;
            }
        }
    }
    return ETNA_OK;
}

static etna_code classify(work *w, etna_error *err)
{
    const space_rules *rules = w->rules;
    bool paper = rules && rules->paper_floating, any = true;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < w->n && !code; i++) {
        body *b = NULL;
        w->gap[i] = 0;
        w->support[i] = w->sp->shared->scene->objects[i].is_static ? SUPPORT_STATIC : SUPPORT_HOVERING;
        code = shared_body(w->sp->shared, i, &b, err);
        if (!code)
            w->mass[i] =
                w->sp->posed[i].moved ? affine_point(&w->sp->posed[i].motion, b->centre_of_mass) : b->centre_of_mass;
    }
    for (uint32_t i = 0; i < w->n && !code; i++)
        if (w->support[i] != SUPPORT_STATIC) code = paper ? look_below_paper(w, i, err) : look_below(w, i, err);
    if (code) return code;
    if (paper) { /* the paper asks for no chain */
        for (uint32_t i = 0; i < w->n; i++)
            if (w->support[i] == SUPPORT_HOVERING && w->balanced[i]) w->support[i] = SUPPORT_GROUNDED;
        return ETNA_OK;
    }
    part_mutual(w);
    ground(w);
    while (any && !code) { /* what stands on a hanging thing is grounded by it; what is near that may hang at it */
        code = attach(w, &any, err);
        if (!code && any) {
            qsort(w->edges, w->edge_count, sizeof *w->edges, compare_edges);
            ground(w);
        }
    }
    return code;
}

static void work_free(work *w)
{
    free(w->support);
    free(w->gap);
    free(w->balanced);
    free(w->mass);
    free(w->edges);
    free(w->hull);
}

void space_support_free(space_support_state *state)
{
    if (!state) return;
    free(state->support);
    free(state->gap);
    free(state->edges);
    free(state->attached_by_contact);
    memset(state, 0, sizeof *state);
}

etna_code space_support_compute(space *sp, const space_rules *rules, const space_support_state *start,
                                const bool *attached_by_contact, space_support_state *ret, etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    if (start && start->object_count != n)
        return etna_fail(err, ETNA_E_INTERNAL, "space: a start state of %u objects for a scene of %u",
                         start->object_count, n);
    work w = {.sp = sp, .rules = rules, .start = start, .by_contact = attached_by_contact, .n = n};
    space_support_state out = {.object_count = n};
    w.support = calloc((size_t)n + 1, 1);
    w.gap = calloc((size_t)n + 1, sizeof *w.gap);
    w.balanced = calloc((size_t)n + 1, sizeof *w.balanced);
    w.mass = calloc((size_t)n + 1, sizeof *w.mass);
    w.hull = malloc((POINTS_MAX + 1) * sizeof *w.hull);
    out.attached_by_contact = calloc((size_t)n + 1, sizeof(bool));
    etna_code code = ETNA_OK;
    if (!w.support || !w.gap || !w.balanced || !w.mass || !w.hull || !out.attached_by_contact)
        code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for the support of %u objects", n);
    if (!code) code = classify(&w, err);
    if (!code) {
        out.edges = malloc(((size_t)w.edge_count + 1) * sizeof *out.edges);
        if (!out.edges) code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for who stands on whom");
    }
    if (code) {
        work_free(&w);
        free(out.attached_by_contact);
        return code;
    }
    qsort(w.edges, w.edge_count, sizeof *w.edges, compare_edges);
    for (uint32_t i = 0; i < w.edge_count; i++) {
        if (i > 0 && compare_edges(&w.edges[i - 1], &w.edges[i]) == 0) /* stands on it and hangs at it */
            continue;
        out.edges[out.edge_count].object = w.edges[i].object;
        out.edges[out.edge_count++].by = w.edges[i].by;
    }
    for (uint32_t i = 0; i < n && attached_by_contact; i++) out.attached_by_contact[i] = attached_by_contact[i];
    out.support = w.support;
    out.gap = w.gap;
    w.support = NULL;
    w.gap = NULL;
    work_free(&w);
    *ret = out;
    return ETNA_OK;
}

/* A sofa 5 cm above its carpet hangs on that carpet as far as a person can tell; a chandelier 1.2 m above a table does
 * not hang on the book that is taken from the table. Beyond this gap what lies below holds nothing up. */
#define GAP_HOLDS 0.10

uint32_t space_support_broken(const space_support_state *start, const space_support_state *now, const bool *moved,
                              uint32_t *found, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < now->object_count && i < start->object_count && count < room; i++) {
        bool stands = now->support[i] != SUPPORT_HOVERING, hovered = start->support[i] == SUPPORT_HOVERING;
        bool broken = !stands;
        if (hovered && !(moved && moved[i]))
            broken = !stands && start->gap[i] <= GAP_HOLDS && now->gap[i] > start->gap[i] + 0.001;
        if (broken) found[count++] = i;
    }
    return count;
}
