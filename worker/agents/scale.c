/* See scale.h. */
#include "worker/agents/scale.h"

#include <math.h>
#include <string.h>

enum {
    READINGS = 3
};

typedef struct reading { /* one thing that a point over 1 may mean */
    uint32_t kind;
    double x, y; /* what one of it is in 0..1 */
    double most[2];
} reading;

/* From 0 to `most` in both directions. */
static bool scale_is_within(const double point[2], const double most[2])
{
    bool is_positive = point[0] >= 0 && point[1] >= 0;
    return is_positive && point[0] <= most[0] && point[1] <= most[1];
}

/* Which units the point can be counted in: thousandths, pixels of the picture
 * as it was sent, percent. */
static uint32_t list_readings(const picture_scale *s,
                              const double point[2],
                              reading ret[READINGS])
{
    const reading all[READINGS] = {
        {COORDINATES_THOUSANDTHS, 1e-3, 1e-3, {1000, 1000}},
        {COORDINATES_PIXELS,
         s->width ? 1.0 / s->width : 0,
         s->height ? 1.0 / s->height : 0,
         {s->width, s->height}},
        {COORDINATES_PERCENT, 1e-2, 1e-2, {100, 100}},
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < READINGS; i++) {
        if (scale_is_within(point, all[i].most))
            ret[count++] = all[i];
    }
    return count;
}

/* In shares of the picture. */
static double reading_distance(const reading *r,
                               const double point[2],
                               const double to[2])
{
    return hypot(point[0] * r->x - to[0], point[1] * r->y - to[1]);
}

/* The reading that comes near the hint, where the others do not. NULL: none, or
 * several. */
static const reading *by_hint(const picture_scale *s,
                              const double point[2],
                              const reading *readings,
                              uint32_t count)
{
    static const double near = 0.15;
    const reading *best = NULL;
    double least = near, next = INFINITY;
    for (uint32_t i = 0; s->has_hint && i < count; i++) {
        double d = reading_distance(&readings[i], point, s->hint);
        if (d < least) {
            next = best ? least : next;
            least = d;
            best = &readings[i];
        } else if (d < next) {
            next = d;
        }
    }
    return best && next > 2 * least ? best : NULL;
}

/* All of them say the same place, as near as a picture tells. */
static bool are_alike(const double point[2],
                      const reading *readings,
                      uint32_t count)
{
    static const double same = 0.01;
    const double first[2] = {point[0] * readings[0].x,
                             point[1] * readings[0].y};
    for (uint32_t i = 1; i < count; i++) {
        if (reading_distance(&readings[i], point, first) > same)
            return false;
    }
    return true;
}

/* NULL: nothing tells. */
static const reading *scale_choose(picture_scale *s,
                                   const double point[2],
                                   const reading *readings,
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (readings[i].kind == s->known)
            return &readings[i];
    }
    if (count == 1) {
        s->found = readings[0].kind;
        return &readings[0];
    }
    const reading *near = by_hint(s, point, readings, count);
    if (near)
        return near;
    if (are_alike(point, readings, count))
        return &readings[0];
    if (!s->asked || readings[0].kind != COORDINATES_THOUSANDTHS)
        return NULL;
    s->found = COORDINATES_THOUSANDTHS;
    return &readings[0];
}

/* It needs no reading. */
static bool is_share(const double point[2])
{
    static const double most[2] = {1, 1};
    return scale_is_within(point, most);
}

/* 1.2 beside 0.5 is a slip, no count of anything. */
static bool is_counted(const double point[2])
{
    bool large = point[0] >= 2 || point[1] >= 2;
    bool mixed = (point[0] < 1 && point[0] != floor(point[0])) ||
                 (point[1] < 1 && point[1] != floor(point[1]));
    return large && !mixed;
}

/* Always ETNA_E_INPUT; names the axis that is wrong. */
static etna_code out_of_range(const double point[2], etna_error *err)
{
    int axis = point[0] >= 0 && point[0] <= 1 ? 1 : 0;
    return etna_fail(err, ETNA_E_INPUT,
                     "the coordinate's %c is %g; it must lie between 0 and 1",
                     'x' + axis, point[axis]);
}

/* Where it is said that pixels are meant, nothing else is. */
static uint32_t keep_pixels(reading readings[READINGS], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (readings[i].kind != COORDINATES_PIXELS)
            continue;
        readings[0] = readings[i];
        return 1;
    }
    return 0;
}

/* What was configured or found by questions: nothing in such a point tells that
 * its y comes first. */
static bool scale_y_first(const picture_scale *s,
                          double point[2],
                          point_unit unit)
{
    static const double whole = 1000;
    bool is_one = s->known == COORDINATES_THOUSANDTHS_Y_FIRST &&
                  unit == POINT_PLAIN && is_counted(point);
    const bool fits_wide = point[0] >= 0 && point[0] <= whole;
    const bool fits_high = point[1] >= 0 && point[1] <= whole;
    if (!is_one || !fits_wide || !fits_high)
        return false;
    const double x = point[1] / whole;
    point[1] = point[0] / whole;
    point[0] = x;
    return true;
}

/* Brings `point` to 0..1 of the picture. False: it cannot, and err says what
 * the model should write. An unclear point asks once (s->asked); the next one
 * over 1 is then read as the question said. */
bool scale_point(picture_scale *s,
                 double point[2],
                 point_unit unit,
                 etna_error *err)
{
    reading readings[READINGS];
    if (unit == POINT_PERCENT) {
        point[0] /= 100;
        point[1] /= 100;
    }
    if (is_share(point) || scale_y_first(s, point, unit))
        return true;
    uint32_t count = unit != POINT_PERCENT && is_counted(point)
                         ? list_readings(s, point, readings)
                         : 0;
    if (unit == POINT_PIXELS)
        count = keep_pixels(readings, count);
    if (count == 0) {
        (void)out_of_range(point, err);
        return false;
    }
    const reading *meant = scale_choose(s, point, readings, count);
    if (!meant) {
        s->asked = true;
        (void)etna_fail(
            err, ETNA_E_INPUT,
            "the coordinate [%g, %g] could be thousandths or pixels; write x and y between 0 and 1, as "
            "[0.52, 0.56]: what is over 1 will be read as thousandths of the image",
            point[0], point[1]);
        return false;
    }
    point[0] *= meant->x;
    point[1] *= meant->y;
    return true;
}

/* A caller that compares this before and after knows whether a question was
 * asked. */
uint32_t scale_questions(const picture_scale *s)
{
    return (uint32_t)s->asked + s->asked_anchor + s->asked_box;
}

/* Once it was told that a box means its middle, it does. */
bool scale_takes_box(picture_scale *s, etna_error *err)
{
    if (s->asked_box)
        return true;
    s->asked_box = s->asked = true;
    (void)etna_fail(
        err, ETNA_E_INPUT,
        "a box stands where a coordinate is wanted; write one point as [x, y] between 0 and 1: of a box "
        "its middle will be meant, and what is over 1 will be read as thousandths of the image");
    return false;
}

/* False where one of them cannot be brought to 0..1. */
bool scale_points(picture_scale *s, uint32_t count, double *points)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!scale_point(s, points + 2 * i, POINT_PLAIN, NULL))
            return false;
    }
    return true;
}
