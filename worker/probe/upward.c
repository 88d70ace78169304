/* The upward planes of an object: where things can stand. Found once per object
 * at the base pose, because poses only move it and turn it about Z. Seeds are
 * tried from the largest triangle down, so a tabletop comes before its bevels,
 * and a curved scan of a million slivers costs no more than a fixed number of
 * growths. A curved set (a plate, a cushion) is named by its levellest face: by
 * a leaning one it would be a leaning plane, and the plate's far rim lie
 * centimetres off it. */
#include "worker/probe/probe_internal.h"

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

/* Counts the set's upward faces as seen to. */
static void mark_done(const scene *s,
                      uint32_t object,
                      const probe_set *set,
                      uint8_t *done,
                      double *left)
{
    probe_face face;
    for (uint32_t k = 0; k < set->count; k++) {
        if (!done[set->faces[k]] &&
            probe_face_get(s, object, set->faces[k], &face) &&
            fabs(face.normal.z) > LOOKS_UP)
            *left -= face.area;
        done[set->faces[k]] = 1;
    }
}

/* In m2, of the base pose. */
static double set_area(const scene *s, uint32_t object, const probe_set *set)
{
    double area = 0;
    probe_face face;
    for (uint32_t i = 0; i < set->count; i++)
        if (probe_face_get(s, object, set->faces[i], &face))
            area += face.area;
    return area;
}

/* The face of the set that is most nearly level (of faces within 1e-5 of it the
 * largest, then the first), when it is so by more than the half degree that
 * does not matter; else `face`. */
static uint32_t levellest(const scene *s,
                          uint32_t object,
                          const probe_set *set,
                          uint32_t face)
{
    probe_face own, other;
    double level = 0, area = 0;
    uint32_t best = face;
    if (!probe_face_get(s, object, face, &own))
        return face;
    for (uint32_t i = 0; i < set->count; i++)
        if (probe_face_get(s, object, set->faces[i], &other) &&
            fabs(other.normal.z) > level)
            level = fabs(other.normal.z);
    if (level - fabs(own.normal.z) < LEVEL_ENOUGH)
        return face;
    for (uint32_t i = 0; i < set->count; i++) {
        if (!probe_face_get(s, object, set->faces[i], &other) ||
            fabs(other.normal.z) < level - 1e-5 || other.area <= area)
            continue;
        best = set->faces[i];
        area = other.area;
    }
    return best;
}

/* Faces that look up or down within LOOKS_UP, the largest first. Downward ones
 * too: many files wind a sheet the wrong way round, and whether something
 * covers it is asked later. *ret_area: of all of them. */
static etna_code collect_seeds(const scene *s,
                               uint32_t object,
                               seed **ret,
                               uint32_t *ret_count,
                               double *ret_area,
                               etna_error *err)
{
    seed *seeds = NULL;
    uint32_t count = 0;
    size_t room = 0;
    double area = 0;
    probe_face face;
    for (uint32_t f = 0; probe_face_get(s, object, f, &face); f++) {
        if (!(fabs(face.normal.z) > LOOKS_UP))
            continue;
        if (count == room) {
            room = room ? 2 * room : 64;
            seed *more = realloc(seeds, room * sizeof *more);
            if (!more) {
                free(seeds);
                return etna_fail(err, ETNA_E_NOMEM,
                                 "no memory for the surfaces of an object");
            }
            seeds = more;
        }
        seeds[count++] = (seed){f, face.area};
        area += face.area;
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
                             uint32_t object,
                             uint32_t face,
                             uint8_t *done,
                             double *left,
                             probe_set *ret,
                             uint32_t *ret_f,
                             etna_error *err)
{
    const scene *s = probe_scene(shared);
    etna_code code = probe_named_set(shared, object, face, ret, ret_f, err);
    if (code != ETNA_OK)
        return code;
    mark_done(s, object, ret, done, left);
    uint32_t level = levellest(s, object, ret, *ret_f);
    if (level == *ret_f)
        return ETNA_OK;
    probe_set_free(ret);
    code = probe_named_set(shared, object, level, ret, ret_f, err);
    if (code == ETNA_OK)
        mark_done(s, object, ret, done, left);
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
    uint32_t seed_count = 0, count = 0, face_count = 0;
    double left = 0;
    probe_face face;
    etna_code code = collect_seeds(s, object, &seeds, &seed_count, &left, err);
    while (probe_face_get(s, object, face_count, &face))
        face_count++;
    uint8_t *done = code == ETNA_OK ? calloc((size_t)face_count + 1, 1) : NULL;
    if (code == ETNA_OK && !done)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the surfaces of an object");
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
        code = upward_grow(shared, object, seeds[i].face, done, &left, &set, &f,
                           err);
        if (code != ETNA_OK)
            break;
        probe_face_get(s, object, f, &face);
        if (stands && fabs(face.normal.z) > LOOKS_UP)
            upward_keep(ret, &count,
                        (probe_upward){f, set_area(s, object, &set)});
        probe_set_free(&set);
    }
    free(done);
    free(seeds);
    if (code == ETNA_OK)
        *ret_count = count;
    return code;
}
