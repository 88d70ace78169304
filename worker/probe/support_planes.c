/* The upward planes of an object: where things can stand. Found once per object
 * at the base pose, because poses only move it and turn it about Z. Seeds are
 * tried from the largest triangle down, so a tabletop comes before its bevels,
 * and a curved scan of a million slivers costs no more than a fixed number of
 * growths. A curved set (a plate, a cushion) is named by its levellest face: by
 * a leaning one it would be a leaning plane, and the plate's far rim lie
 * centimetres off it. */
#include "worker/probe/probe_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS_UP 0.98   /* METHODS.md 3: normal z */
#define NEGLIGIBLE 5e-4 /* m2: seeds stop when less than this is left */
#define GROWTHS_MAX 24
#define LEVEL_ENOUGH 4e-5 /* of a normal's z: half a degree */

typedef struct seed {
    uint32_t face;
    double area;
} seed;

/* The face's number decides among equals, so that the order is total. */
static int larger_first(const void *a, const void *b)
{
    const seed *p = a, *q = b;
    if (p->area != q->area)
        return p->area > q->area ? -1 : 1;
    return p->face < q->face ? -1 : p->face > q->face;
}

/* The same for sets. */
static int wider_first(const void *a, const void *b)
{
    const probe_upward *p = a, *q = b;
    if (p->area != q->area)
        return p->area > q->area ? -1 : 1;
    return p->face < q->face ? -1 : p->face > q->face;
}

/* Does another face of the object cover this point from above? A sheet wound
 * downward is still a place to stand on, the underside of a block is not. */
static bool upward_is_covered(const scene *s, uint32_t object, vec3 at)
{
    probe_face face;
    for (uint32_t f = 0; probe_face_get(s, object, f, &face); f++) {
        const vec3 *c = face.corner;
        if (c[0].z <= at.z + 1e-4 && c[1].z <= at.z + 1e-4 &&
            c[2].z <= at.z + 1e-4)
            continue;
        double whole = (c[1].x - c[0].x) * (c[2].y - c[0].y) -
                       (c[1].y - c[0].y) * (c[2].x - c[0].x);
        double w1 = (at.x - c[0].x) * (c[2].y - c[0].y) -
                    (at.y - c[0].y) * (c[2].x - c[0].x);
        double w2 = (c[1].x - c[0].x) * (at.y - c[0].y) -
                    (c[1].y - c[0].y) * (at.x - c[0].x);
        if (fabs(whole) < 1e-18)
            continue;
        w1 /= whole;
        w2 /= whole;
        bool is_over = w1 >= 0 && w2 >= 0 && w1 + w2 <= 1;
        if (is_over &&
            c[0].z + w1 * (c[1].z - c[0].z) + w2 * (c[2].z - c[0].z) >
                at.z + 1e-4)
            return true;
    }
    return false;
}

/* What is asked of an object's faces again and again, by number; area 0 and
 * level 0 for one that is no triangle. */
typedef struct face_table {
    double *area;  /* m2, of the base pose */
    double *level; /* the normal's z, up or down */
    uint32_t count;
} face_table;

static etna_code upward_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM,
                     "no memory for the surfaces of an object");
}

static void face_table_free(face_table *table)
{
    free(table->area);
    free(table->level);
}

/* The caller frees it, on failure too. */
static etna_code face_table_make(const scene *s,
                                 uint32_t object,
                                 face_table *ret,
                                 etna_error *err)
{
    const scene_object *o = &s->objects[object];
    probe_face face;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++)
        ret->count += s->meshes[s->parts[p].mesh].triangle_count;
    ret->area = malloc(((size_t)ret->count + 1) * sizeof *ret->area);
    ret->level = malloc(((size_t)ret->count + 1) * sizeof *ret->level);
    if (!ret->area || !ret->level)
        return upward_no_memory(err);
    for (uint32_t f = 0; probe_face_get(s, object, f, &face); f++) {
        assert(f < ret->count);
        ret->area[f] = face.area;
        ret->level[f] = fabs(face.normal.z);
    }
    return ETNA_OK;
}

/* Counts the set's upward faces as seen to. */
static void mark_done(const face_table *faces,
                      const probe_set *set,
                      uint8_t *done,
                      double *left)
{
    for (uint32_t k = 0; k < set->count; k++) {
        const uint32_t f = set->faces[k];
        if (!done[f] && faces->level[f] > LOOKS_UP)
            *left -= faces->area[f];
        done[f] = 1;
    }
}

/* In m2, of the base pose. */
static double set_area(const face_table *faces, const probe_set *set)
{
    double area = 0;
    for (uint32_t i = 0; i < set->count; i++)
        area += faces->area[set->faces[i]];
    return area;
}

/* The face of the set that is most nearly level (of faces within 1e-5 of it the
 * largest, then the first), when it is so by more than the half degree that
 * does not matter; else `face`. */
static uint32_t levellest(const face_table *faces,
                          const probe_set *set,
                          uint32_t face)
{
    double level = 0, area = 0;
    uint32_t best = face;
    for (uint32_t i = 0; i < set->count; i++)
        level = math_max(level, faces->level[set->faces[i]]);
    if (level - faces->level[face] < LEVEL_ENOUGH)
        return face;
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t f = set->faces[i];
        if (faces->level[f] < level - 1e-5 || faces->area[f] <= area)
            continue;
        best = f;
        area = faces->area[f];
    }
    return best;
}

/* Faces that look up or down within LOOKS_UP, the largest first. Downward ones
 * too: many files wind a sheet the wrong way round, and whether something
 * covers it is asked later. *ret_area: of all of them. */
static etna_code collect_seeds(const face_table *faces,
                               seed **ret,
                               uint32_t *ret_count,
                               double *ret_area,
                               etna_error *err)
{
    seed *seeds = NULL;
    uint32_t count = 0;
    size_t room = 0;
    double area = 0;
    for (uint32_t f = 0; f < faces->count; f++) {
        if (!(faces->level[f] > LOOKS_UP))
            continue;
        if (count == room) {
            room = room ? 2 * room : 64;
            seed *more = realloc(seeds, room * sizeof *more);
            if (!more) {
                free(seeds);
                return upward_no_memory(err);
            }
            seeds = more;
        }
        seeds[count++] = (seed){f, faces->area[f]};
        area += faces->area[f];
    }
    if (count > 1)
        qsort(seeds, count, sizeof *seeds, larger_first);
    *ret = seeds;
    *ret_count = count;
    *ret_area = area;
    return ETNA_OK;
}

/* Keeps a set if it is among the largest. */
static void upward_keep(probe_upward *sets, uint32_t *count, probe_upward set)
{
    for (uint32_t i = 0; i < *count; i++)
        if (sets[i].face == set.face)
            return;
    if (*count < PROBE_UPWARD_MAX)
        sets[(*count)++] = set;
    else if (wider_first(&set, &sets[*count - 1]) < 0)
        sets[*count - 1] = set;
    qsort(sets, *count, sizeof *sets, wider_first);
}

/* The set that grows from a seed, or from its levellest face where that is
 * another; what either takes in is done. The set is the caller's to free. */
static etna_code upward_grow(probe_shared *shared,
                             const face_table *faces,
                             uint32_t object,
                             uint32_t face,
                             uint8_t *done,
                             double *left,
                             probe_set *ret,
                             uint32_t *ret_f,
                             etna_error *err)
{
    etna_code code = probe_named_set(shared, object, face, ret, ret_f, err);
    if (code != ETNA_OK)
        return code;
    mark_done(faces, ret, done, left);
    uint32_t level = levellest(faces, ret, *ret_f);
    if (level == *ret_f)
        return ETNA_OK;
    probe_set_free(ret);
    code = probe_named_set(shared, object, level, ret, ret_f, err);
    if (code == ETNA_OK)
        mark_done(faces, ret, done, left);
    return code;
}

/* At most PROBE_UPWARD_MAX sets, the widest first. Stops after GROWTHS_MAX
 * growths or when too little area is left for a thing to stand on. */
etna_code probe_upward_find(probe_shared *shared,
                            uint32_t object,
                            probe_upward *ret,
                            uint32_t *ret_count,
                            etna_error *err)
{
    const scene *s = probe_scene(shared);
    seed *seeds = NULL;
    uint32_t seed_count = 0, count = 0;
    double left = 0;
    probe_face face;
    face_table faces = {0};
    etna_code code = face_table_make(s, object, &faces, err);
    if (code == ETNA_OK)
        code = collect_seeds(&faces, &seeds, &seed_count, &left, err);
    uint8_t *done = code == ETNA_OK ? calloc((size_t)faces.count + 1, 1) : NULL;
    if (code == ETNA_OK && !done)
        code = upward_no_memory(err);
    uint32_t growths = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < seed_count; i++) {
        if (growths >= GROWTHS_MAX || left <= NEGLIGIBLE)
            break;
        if (done[seeds[i].face])
            continue;
        probe_set set;
        uint32_t f;
        probe_face_get(s, object, seeds[i].face, &face);
        vec3 middle = v3_scale(
            v3_add(v3_add(face.corner[0], face.corner[1]), face.corner[2]),
            1.0 / 3);
        /* A downward seed counts when no other face of the object lies above
         * its middle. */
        bool stands =
            face.normal.z > 0 || !upward_is_covered(s, object, middle);
        growths++;
        code = upward_grow(shared, &faces, object, seeds[i].face, done, &left,
                           &set, &f, err);
        if (code != ETNA_OK)
            break;
        if (stands && faces.level[f] > LOOKS_UP)
            upward_keep(ret, &count, (probe_upward){f, set_area(&faces, &set)});
        probe_set_free(&set);
    }
    face_table_free(&faces);
    free(done);
    free(seeds);
    if (code == ETNA_OK)
        *ret_count = count;
    return code;
}
