/* What stands on what. METHODS.md 6, floating.
 *
 * - Supporters of a point of the underside (underside.c): every other object
 *   with a surface 1 cm below to 1 cm above it.
 * - Grounded: the centre of mass lies over the hull of the supported points
 *   grown by 5 mm, and some chain of supporters ends at a static object or at a
 *   base.
 * - The level (level.c) supports where a file has no floor, and ends a chain.
 * - Base: what hovered by itself at the start and stands as it did then. It may
 *   stay, so it carries.
 *
 * - Misjudged: what is carried in the file by others beneath it and held by
 *   nothing else stands there, whatever its mesh says about its mass (a motor
 *   heavier than its handle, legs that lean inward). Where it would not balance
 *   on a level floor, either, its centre of mass may lie as far beyond the hull
 *   elsewhere as there.
 *
 * The grid alone would end a support up to a sixteenth of the object before the
 * edge it reaches over; where that decides, the hull's corners are followed
 * outward to the true edge. Where that does not do, either, the exact pieces of
 * contact are added: a rim, a grate or a slat may lie between the grid's
 * points.
 *
 * A thin thing (rug, plate) has the foot of what stands on it within that
 * centimetre too; so a surface counts only up to half of the object's own
 * thickness there, and of two objects that would each support the other the one
 * with the lower centre of mass does. */
#include "worker/space/support_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool support_has_edge(const support_work *w, uint32_t object, uint32_t by)
{
    for (uint32_t i = w->edge_count; i-- > 0 && w->edges[i].object == object;)
        if (w->edges[i].by == by)
            return true;
    return false;
}

etna_code support_add_edge(support_work *w,
                           uint32_t object,
                           uint32_t by,
                           etna_error *err)
{
    if (support_has_edge(w, object, by))
        return ETNA_OK;
    if (w->edge_count == w->edge_room) {
        uint32_t room = w->edge_room ? 2 * w->edge_room : 64;
        support_edge *grown = realloc(w->edges, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "space: no memory for who stands on whom");
        w->edges = grown;
        w->edge_room = room;
    }
    w->edges[w->edge_count++] = (support_edge){object, by};
    return ETNA_OK;
}

int support_edge_compare(const void *a, const void *b)
{
    const support_edge *p = a, *q = b;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    return (p->by > q->by) - (p->by < q->by);
}

/* Its middle of mass as it stands now. */
static etna_code classify_begin(support_work *w,
                                uint32_t object,
                                etna_error *err)
{
    const object_state *p = &w->sp->object_state[object];
    object_geometry *b = NULL;
    bool is_static = w->sp->shared->scene->objects[object].is_static;
    w->gap[object] = 0;
    w->support[object] = is_static ? SUPPORT_STATIC : SUPPORT_HOVERING;
    if (is_static)
        return ETNA_OK; /* nobody asks where its middle is */
    etna_code code = shared_geometry(w->sp->shared, object, &b, err);
    if (code)
        return code;
    w->mass[object] = p->moved ? affine_point(&p->motion, b->centre_of_mass)
                               : b->centre_of_mass;
    return ETNA_OK;
}

/* What is below each object, once all are begun. */
static etna_code classify_each(support_work *w, bool paper, etna_error *err)
{
    for (uint32_t i = 0; i < w->n; i++) {
        etna_code code = classify_begin(w, i, err);
        if (code)
            return code;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->support[i] == SUPPORT_STATIC)
            continue;
        etna_code code = paper ? support_look_below_paper(w, i, err)
                               : support_look_below(w, i, err);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* Below each, then riders and mutual edges, then chains; bases last, since only
 * who no support reaches is one. */
static etna_code support_classify(support_work *w, etna_error *err)
{
    bool paper = w->rules && w->rules->paper_floating;
    etna_code code = classify_each(w, paper, err);
    if (code)
        return code;
    if (paper) { /* the paper asks for no chain */
        for (uint32_t i = 0; i < w->n; i++)
            if (w->support[i] == SUPPORT_HOVERING && w->balanced[i])
                w->support[i] = SUPPORT_GROUNDED;
        return ETNA_OK;
    }
    code = w->start ? support_find_riders(w, err) : ETNA_OK;
    if (!code)
        code = support_part_mutual(w, err);
    if (!code)
        code = support_follow_chains(w, err);
    if (code)
        return code;
    support_find_bases(w);
    return support_follow_chains(w, err);
}

/* Also of one that was made in part. */
static void work_free(support_work *w)
{
    free(w->support);
    free(w->gap);
    free(w->balanced);
    free(w->base);
    free(w->on_level);
    free(w->rides);
    free(w->mass);
    free(w->overhang);
    free(w->edges);
    free(w->hull);
}

/* NULL is fine; leaves it empty. */
void space_support_free(space_support_state *state)
{
    if (!state)
        return;
    free(state->support);
    free(state->gap);
    free(state->edges);
    free(state->on_level);
    free(state->attached_by_contact);
    free(state->rides);
    free(state->overhang);
    free(state->pose);
    memset(state, 0, sizeof *state);
}

/* False: out of memory. */
static bool work_alloc(support_work *w)
{
    size_t n = (size_t)w->n + 1;
    w->support = calloc(n, 1);
    w->gap = calloc(n, sizeof *w->gap);
    w->balanced = calloc(n, sizeof *w->balanced);
    w->base = calloc(n, sizeof *w->base);
    w->on_level = calloc(n, sizeof *w->on_level);
    w->rides = calloc(n, sizeof *w->rides);
    w->overhang = calloc(n, sizeof *w->overhang);
    w->mass = calloc(n, sizeof *w->mass);
    w->hull = malloc((UNDERSIDE_POINTS_MAX + 1) * sizeof *w->hull);
    bool is_state_made = w->support && w->gap && w->on_level;
    bool is_carrying_made = w->rides && w->base && w->balanced;
    bool is_shape_made = w->overhang && w->mass && w->hull;
    return is_state_made && is_carrying_made && is_shape_made;
}

/* In order, and each once: what stands on a thing may hang at it, too. */
static etna_code support_take_edges(support_work *w,
                                    space_support_state *out,
                                    etna_error *err)
{
    out->edges = malloc(((size_t)w->edge_count + 1) * sizeof *out->edges);
    if (!out->edges)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for who stands on whom");
    if (w->edge_count)
        qsort(w->edges, w->edge_count, sizeof *w->edges, support_edge_compare);
    for (uint32_t i = 0; i < w->edge_count; i++) {
        if (i > 0 && support_edge_compare(&w->edges[i - 1], &w->edges[i]) == 0)
            continue;
        out->edges[out->edge_count].object = w->edges[i].object;
        out->edges[out->edge_count++].by = w->edges[i].by;
    }
    return ETNA_OK;
}

/* The arrays become the state's own. */
static void support_take_arrays(support_work *w, space_support_state *out)
{
    out->support = w->support;
    out->gap = w->gap;
    out->rides = w->rides;
    out->overhang = w->overhang;
    out->on_level = w->on_level;
    w->support = NULL;
    w->gap = NULL;
    w->rides = NULL;
    w->overhang = NULL;
    w->on_level = NULL;
}

/* `start` NULL: this is the start itself. */
etna_code space_support_compute(space *sp,
                                const space_rules *rules,
                                const space_support_state *start,
                                const bool *attached_by_contact,
                                space_support_state *ret,
                                etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    if (start && start->object_count != n)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: a start state of %u objects for a scene of %u",
                         start->object_count, n);
    support_work w = {.sp = sp,
                      .rules = rules,
                      .start = start,
                      .by_contact = attached_by_contact,
                      .n = n};
    space_support_state out = {.object_count = n};
    out.attached_by_contact = calloc((size_t)n + 1, sizeof(bool));
    out.pose = malloc(((size_t)n + 1) * sizeof *out.pose);
    bool is_made = work_alloc(&w) && out.attached_by_contact && out.pose;
    etna_code code =
        is_made
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM,
                        "space: no memory for the support of %u objects", n);
    if (!code)
        code = support_classify(&w, err);
    if (!code)
        code = support_take_edges(&w, &out, err);
    if (code) {
        work_free(&w);
        space_support_free(&out);
        return code;
    }
    if (attached_by_contact)
        memcpy(out.attached_by_contact, attached_by_contact, n * sizeof(bool));
    for (uint32_t i = 0; i < n; i++)
        out.pose[i] = *space_pose(sp, i);
    support_take_arrays(&w, &out);
    work_free(&w);
    *ret = out;
    return ETNA_OK;
}

/* By number. */
static int compare_objects(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a;
    uint32_t q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* What support_look_below needs; the caller frees by work_free in either case. */
static bool work_alloc_below(support_work *w)
{
    size_t n = (size_t)w->n + 1;
    w->gap = calloc(n, sizeof *w->gap);
    w->balanced = calloc(n, sizeof *w->balanced);
    w->on_level = calloc(n, sizeof *w->on_level);
    w->mass = calloc(n, sizeof *w->mass);
    w->overhang = calloc(n, sizeof *w->overhang);
    w->hull = malloc((UNDERSIDE_POINTS_MAX + 1) * sizeof *w->hull);
    bool is_state_made = w->gap && w->balanced && w->on_level;
    bool is_shape_made = w->mass && w->overhang && w->hull;
    return is_state_made && is_shape_made;
}

/* Of one object alone, as support_look_below sees it; who carries the carriers is not
 * asked. */
etna_code space_stand_find(space *sp,
                           const space_support_state *start,
                           uint32_t object,
                           space_stand *ret,
                           etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    object_geometry *b = NULL;
    support_work w = {.sp = sp, .start = start, .n = n};
    space_stand found = {0};
    if (object >= n)
        return etna_fail(err, ETNA_E_INTERNAL, "space: object %u of %u", object,
                         n);
    etna_code code =
        work_alloc_below(&w)
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM,
                        "space: no memory for what an object stands on");
    if (!code)
        code = shared_geometry(sp->shared, object, &b, err);
    if (!code) {
        const object_state *p = &sp->object_state[object];
        w.mass[object] = p->moved ? affine_point(&p->motion, b->centre_of_mass)
                                  : b->centre_of_mass;
        code = support_look_below(&w, object, err);
    }
    if (!code) {
        found.steady = w.balanced[object];
        found.gap = w.gap[object];
        found.level = w.on_level[object];
        for (uint32_t i = 0;
             i < w.edge_count && found.carrier_count < SPACE_CARRIERS_MAX; i++)
            found.carriers[found.carrier_count++] = w.edges[i].by;
        qsort(found.carriers, found.carrier_count, sizeof *found.carriers,
              compare_objects);
        *ret = found;
    }
    work_free(&w);
    return code;
}

/* Did the edit take its support away? */
static bool support_is_broken(const space_support_state *start,
                              const space_support_state *now,
                              uint32_t object,
                              bool is_moved)
{
    if (now->support[object] != SUPPORT_HOVERING)
        return false;
    if (start->support[object] != SUPPORT_HOVERING)
        return true;
    if (now->attached_by_contact[object] || now->rides[object])
        return false; /* told to hover on, or its carrier moved */
    return is_moved || support_gap_grew(start, object, now->gap[object]);
}

/* At most `room` of them, in the scene's order. */
uint32_t space_support_broken(const space_support_state *start,
                              const space_support_state *now,
                              const bool *moved,
                              uint32_t *found,
                              uint32_t room)
{
    assert(start->object_count == now->object_count);
    assert(found || room == 0);
    uint32_t count = 0;
    for (uint32_t i = 0;
         i < now->object_count && i < start->object_count && count < room;
         i++) {
        if (support_is_broken(start, now, i, moved && moved[i]))
            found[count++] = i;
    }
    return count;
}
