/* Do the things of a scene seem to be of another unit or up axis? Of things
 * whose names tell what they are the usual sizes are known; of others only that
 * the median of all is no larger than a car and no smaller than a coin. Where
 * nobody says the unit and the names agree on one, the file is read in it:
 * every gap, reach and height that we choose is in metres. All else is a
 * warning alone. */
#include "proto/array.h"
#include "worker/scene/scene_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_PLANE 0.01 /* metres: on the same level */

/* ---- unit ---- */

/* metres: the longest side of nearly all that bear the name */
static const struct usual {
    const char *noun;
    double least, most;
} usual[] = {
    {"armchair", 0.6, 1.5},     {"backpack", 0.25, 0.8}, {"basket", 0.15, 0.9},
    {"bathtub", 1.2, 2.2},      {"bed", 1.2, 2.6},       {"bench", 0.5, 2.5},
    {"bicycle", 1.2, 2.1},      {"bike", 1.2, 2.1},      {"book", 0.1, 0.4},
    {"bookcase", 0.6, 2.8},     {"bookshelf", 0.6, 2.8}, {"bottle", 0.1, 0.5},
    {"bowl", 0.08, 0.5},        {"car", 2.5, 5.5},       {"chair", 0.6, 1.4},
    {"couch", 1.2, 3.5},        {"cup", 0.05, 0.2},      {"cushion", 0.25, 0.9},
    {"desk", 0.7, 2.4},         {"door", 1.6, 2.8},      {"fork", 0.1, 0.4},
    {"fridge", 0.5, 2.2},       {"glass", 0.05, 0.3},    {"guitar", 0.7, 1.4},
    {"knife", 0.1, 0.4},        {"lamp", 0.15, 2.2},     {"laptop", 0.2, 0.6},
    {"mug", 0.05, 0.2},         {"nightstand", 0.3, 1},  {"oven", 0.3, 1.2},
    {"piano", 1.2, 2.8},        {"pillow", 0.25, 1},     {"plate", 0.1, 0.4},
    {"refrigerator", 0.5, 2.2}, {"sideboard", 0.7, 2.6}, {"sofa", 1.2, 3.5},
    {"spoon", 0.1, 0.4},        {"stool", 0.25, 1.2},    {"table", 0.35, 2.6},
    {"television", 0.35, 2},    {"toaster", 0.2, 0.5},   {"toilet", 0.4, 1.1},
    {"wardrobe", 1.2, 3},
};

static const struct usual *usual_of(const char *name)
{
    char noun[32];
    if (static_head_noun(name, noun) == 0)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(usual); i++) {
        if (strcmp(noun, usual[i].noun) == 0)
            return &usual[i];
    }
    return NULL;
}

/* How many times larger than usual (above 1), smaller (below 1), or 1. */
static double usual_excess(const struct usual *u, double side)
{
    if (side > u->most)
        return side / u->most;
    return side < u->least ? side / u->least : 1;
}

/* Metres a unit: of those that files are written in the one that brings a thing
 * of usual size times `times` nearest to its usual one; where none comes near,
 * as much as it takes, to two digits. */
static double scale_likely_unit(double times)
{
    static const double units[] = {1000, 100,    10,   0.3048,
                                   0.1,  0.0254, 0.01, 0.001};
    const double near = 1.5; /* times */
    double best = units[0];
    for (size_t i = 1; i < COUNT_OF(units); i++) {
        if (fabs(log(units[i] * times)) < fabs(log(best * times)))
            best = units[i];
    }
    const double left = best * times;
    if (left <= near && left >= 1 / near)
        return best;
    double digit = 1;
    while (digit * times > 0.1)
        digit /= 10;
    while (digit * times < 0.01)
        digit *= 10;
    return floor(1 / times / digit + 0.5) * digit;
}

/* of the things whose names tell how long they mostly are */
typedef struct usual_sizes {
    double *excess, *times;
    uint32_t count;
    uint32_t example;  /* the first of them */
    double off, scale; /* the medians of excess and times, the file's unit 1 */
    bool agree;
} usual_sizes;

/* Do nearly all differ from what is usual as much as the middle one does? A toy
 * or a giant among them may; where things are of many scales, there is none.
 * `times` is in order. */
static bool usual_sizes_agree(const double *times, uint32_t count)
{
    const double alike = 2.2; /* times: a low table and a high one */
    const double middle = times[count / 2];
    uint32_t like = 0;
    for (uint32_t i = 0; i < count; i++)
        like += times[i] <= alike * middle && middle <= alike * times[i];
    return like >= 3 && 4 * like >= 3 * count;
}

/* The excess says how far out of its usual range a thing is, `times` how it
 * compares with the range's geometric middle; both as the file would be in
 * metres. `values`: room for two numbers an object. False: there are too few of
 * them, or they are as large as usual. */
static bool usual_sizes_find(const importer *m,
                             double *values,
                             usual_sizes *ret)
{
    /* of two a toy and a giant are nothing unusual */
    const uint32_t least = 3;
    const double clearly = 1.8; /* things drawn large for children are less */
    const double unit = m->s->metres_per_unit;
    *ret =
        (usual_sizes){.excess = values, .times = values + m->s->object_count};
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        const scene_object *o = &m->objects[i];
        const struct usual *u = scene_is_aside(o) ? NULL : usual_of(o->name);
        const double side =
            u ? scene_longest_side(o) / (m->guessed_unit > 0 ? unit : 1) : 0;
        if (side <= 0)
            continue;
        if (ret->count == 0)
            ret->example = i;
        ret->excess[ret->count] = usual_excess(u, side);
        ret->times[ret->count++] = side / sqrt(u->least * u->most);
    }
    const uint32_t n = ret->count;
    if (n < least)
        return false;
    qsort(ret->excess, n, sizeof *ret->excess, math_compare);
    qsort(ret->times, n, sizeof *ret->times, math_compare);
    ret->off = ret->excess[n / 2];
    ret->scale = ret->times[n / 2];
    ret->agree = usual_sizes_agree(ret->times, n);
    return ret->off >= clearly || ret->off <= 1 / clearly;
}

double scale_guess(importer *m)
{
    const size_t room = 2 * (size_t)m->s->object_count + 1;
    double *values = malloc(room * sizeof *values);
    if (!values) {
        m->no_memory = true;
        return 0;
    }
    usual_sizes found;
    const bool is_off = usual_sizes_find(m, values, &found) && found.agree;
    free(values);
    return is_off ? scale_likely_unit(found.scale) : 0;
}

/* `values`: room for two numbers an object. True: it warned. */
static bool warn_of_other_sizes(importer *m, double *values)
{
    usual_sizes found;
    if (!usual_sizes_find(m, values, &found))
        return false;
    const bool guessed = m->guessed_unit > 0;
    const double here = guessed ? 1 : m->s->metres_per_unit;
    const double unit = scale_likely_unit(found.scale) * here;
    const scene_object *example = &m->objects[found.example];
    const double side =
        scene_longest_side(example) / (guessed ? m->s->metres_per_unit : 1);
    const char *size = found.off > 1 ? "large" : "small";
    const double times = found.off > 1 ? found.scale : 1 / found.scale;
    if (guessed)
        report_warning(
            m,
            "By their names %u things here are about %.2g times as %s as usual (%.60s is %.3g long): a unit "
            "of the file is taken for %g m; --unit 1 or \"unit\" in the side file says otherwise.",
            found.count, times, size, example->name, side, m->guessed_unit);
    else
        report_warning(
            m,
            "By their names %u things here are about %.2g times as %s as usual (%.60s is %.3g m long): the file "
            "may count in units of %g m; say so with --unit %g or \"unit\" in the side file.",
            found.count, times, size, example->name, side, unit, unit);
    return true;
}

static void warn_of_median_size(importer *m, double *values)
{
    const double large = 5, small = 0.005; /* metres */
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (!scene_is_aside(&m->objects[i]))
            values[n++] = scene_longest_side(&m->objects[i]);
    }
    if (n == 0)
        return;
    qsort(values, n, sizeof *values, math_compare);
    const double median = values[n / 2];
    if (median <= large && median >= small)
        return;
    report_warning(
        m,
        "The median object is %.3g m long, which is %s for things people arrange; if the file's unit is "
        "not the metre, say so "
        "with --unit or \"unit\" in the side file.",
        median, median > large ? "large" : "small");
}

/* ---- up axis ---- */

/* Walls and floors share planes on every side and tell nothing of which way is
 * up. */
static bool object_tells_up(const scene_object *o)
{
    return !scene_is_aside(o) && !o->is_static;
}

/* The most of the movable objects whose box begins (ends) within 1 cm of one
 * value of the axis. */
static uint32_t most_on_one_plane(const importer *m,
                                  double *values,
                                  int axis,
                                  bool high)
{
    uint32_t n = 0, most = 0;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        const scene_object *o = &m->objects[i];
        if (object_tells_up(o))
            values[n++] = v3_get(high ? o->max : o->min, axis);
    }
    qsort(values, n, sizeof *values, math_compare);
    for (uint32_t i = 0, j = 0; i < n; i++) {
        while (j < n && values[j] <= values[i] + NEAR_PLANE) {
            j++;
        }
        most = j - i > most ? j - i : most;
    }
    return most;
}

/* Most objects of a scene rest on one level; where more rest against one side,
 * that is the floor. `values`: room for a number an object. */
static void warn_of_other_axis(importer *m, uint32_t objects, double *values)
{
    uint32_t on_z = most_on_one_plane(m, values, 2, false);
    for (int side = 0; side < 4; side++) { /* low and high of X, then of Y */
        int axis = side / 2;
        uint32_t on = most_on_one_plane(m, values, axis, side % 2 != 0);
        if (2 * on <= objects || on <= on_z)
            continue;
        report_warning(
            m,
            "%u of %u objects rest against one plane across %s, %u on one level: the file may use "
            "another up axis; say so with --up or \"up\" in the side file.",
            on, objects, axis == 0 ? "X" : "Y", on_z);
        return;
    }
}

void scale_warn(importer *m)
{
    const uint32_t count = m->s->object_count;
    double *values = malloc((2 * (size_t)count + 1) * sizeof *values);
    if (!values) {
        m->no_memory = true;
        return;
    }
    if (!warn_of_other_sizes(m, values))
        warn_of_median_size(m, values);
    uint32_t movable = 0;
    for (uint32_t i = 0; i < count; i++)
        movable += object_tells_up(&m->objects[i]);
    if (movable >= 3)
        warn_of_other_axis(m, movable, values);
    free(values);
}
