/* What a place is worth: taste, room around it, whether it is seen, and whether it
 * was given up before. */
#include "worker/builtin/place/place_internal.h"
#include "worker/math/vec.h"

#include <math.h>

/* The surface's corners in the image; the whole image when one is behind the
 * camera. */
static void image_bounds(const builtin_facts *facts,
                         const builtin_surface *s,
                         double low[2],
                         double high[2])
{
    low[0] = low[1] = 1;
    high[0] = high[1] = 0;
    for (int i = 0; i < 4; i++) {
        const double corner[3] = {
            s->origin[0] + (i % 2 ? s->columns * s->cell : 0),
            s->origin[1] + (i / 2 ? s->rows * s->cell : 0), s->height};
        double image[2];
        if (!builtin_project(facts, corner, image, NULL)) {
            low[0] = low[1] = 0;
            high[0] = high[1] = 1;
            return;
        }
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], image[k]);
            high[k] = math_max(high[k], image[k]);
        }
    }
}

bool place_find_hiders(const builtin_facts *facts,
                       const builtin_wish *wish,
                       const builtin_surface *s,
                       etna_arena *arena,
                       hiders *ret)
{
    double low[2], high[2];
    image_bounds(facts, s, low, high);
    ret->list =
        etna_arena_alloc(arena, facts->object_count + 1u, sizeof *ret->list);
    ret->count = 0;
    for (uint32_t i = 0; ret->list && i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const bool is_spoken_of = i == wish->object || i == wish->reference;
        const bool across =
            o->image_box[2] >= low[0] && o->image_box[0] <= high[0];
        const bool along =
            o->image_box[3] >= low[1] && o->image_box[1] <= high[1];
        if (!o->visible || o->is_static || is_spoken_of)
            continue;
        if (!across || !along)
            continue;
        double image[2], depth;
        if (builtin_project(facts, o->centre, image, &depth))
            ret->list[ret->count++] = (hider){o->image_box, depth};
    }
    return ret->list != NULL;
}

/* Around the thing's box in the image where it would stand; false when part of
 * it is behind the camera. */
static bool image_of(const builtin_facts *facts,
                     const builtin_wish *wish,
                     const double at[3],
                     double low[2],
                     double high[2])
{
    double half[2], image[2];
    place_half_sides(&facts->objects[wish->object], half);
    low[0] = low[1] = 1e9;
    high[0] = high[1] = -1e9;
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {
            at[0] + (i & 1 ? half[0] : -half[0]),
            at[1] + (i & 2 ? half[1] : -half[1]),
            at[2] + (i & 4 ? 2 * facts->objects[wish->object].half[2] : 0)};
        if (!builtin_project(facts, corner, image, NULL))
            return false;
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], image[k]);
            high[k] = math_max(high[k], image[k]);
        }
    }
    return true;
}

double place_hidden_share(const builtin_facts *facts,
                          const builtin_wish *wish,
                          const hiders *things,
                          const double at[3],
                          double depth)
{
    double low[2], high[2], share = 0;
    if (!image_of(facts, wish, at, low, high))
        return 0;
    double area = math_max((high[0] - low[0]) * (high[1] - low[1]), 1e-12);
    for (uint32_t i = 0; i < things->count; i++) {
        const hider *h = &things->list[i];
        double x = math_min(high[0], h->box[2]) - math_max(low[0], h->box[0]);
        double y = math_min(high[1], h->box[3]) - math_max(low[1], h->box[1]);
        if (h->depth < depth && x > 0 && y > 0)
            share += x * y / area;
    }
    return math_min(share, 1);
}

double place_new_from(const builtin_surface *s)
{
    double x = s->columns * s->cell;
    double y = s->rows * s->cell;
    return math_min(0.5, 0.5 * sqrt(x * x + y * y));
}

double place_apart(const double a[2], const double b[2])
{
    double dx = a[0] - b[0];
    double dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

/* Metres from the spot to the nearest given-up place at its height; large when
 * there is none. */
static double from_given_up(const builtin_facts *facts,
                            const builtin_wish *wish,
                            const builtin_spot *spot)
{
    double nearest = 1e9;
    for (uint32_t i = 0; i < wish->avoid_count; i++) {
        double bottom =
            wish->avoid[i][2] - facts->objects[wish->object].half[2];
        if (fabs(bottom - spot->point[2]) < 0.1)
            nearest =
                math_min(nearest, place_apart(wish->avoid[i], spot->point));
    }
    return nearest;
}

double place_worth(const builtin_facts *facts,
                   const builtin_wish *wish,
                   const builtin_surface *s,
                   const builtin_spot *spot,
                   double hidden,
                   double step)
{
    const double middle[2] = {s->origin[0] + s->columns * s->cell / 2,
                              s->origin[1] + s->rows * s->cell / 2};
    double diagonal = s->cell * sqrt((double)s->columns * s->columns +
                                     (double)s->rows * s->rows);
    double central =
        place_apart(spot->point, middle) / math_max(diagonal, 1e-6);
    double worth = 0;
    switch (wish->taste) {
    case TASTE_TIGHT: worth = -math_min(spot->clear, 2) + 0.1 * central; break;
    case TASTE_NEAR:
        worth = math_min(spot->clear, 0.1) * 5 -
                place_apart(spot->point, wish->near);
        break;
    default: worth = math_min(spot->clear, 0.2) * 5 - central; break;
    }
    worth -= 0.25 * hidden;
    double given_up = from_given_up(facts, wish, spot);
    if (given_up <= step)
        worth -= 100 - given_up;
    return worth;
}
