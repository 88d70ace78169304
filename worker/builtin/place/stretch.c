/* The walls of a room in one mesh. Its file has no thing that is called a wall,
 * and its box is the room's; but people put a sofa against one of them. Each
 * large upright plane of it that looks inward becomes a thin fixed thing behind
 * the plane. */
#include "worker/builtin/builtin.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <math.h>

static const double THICKNESS = 0.1; /* metres */

typedef struct stretch {
    double low[2], high[2]; /* along the wall, up; metres */
} stretch;

/* The bounds of its polygon, metres to the right and up. */
static stretch wall_measure(const builtin_wall *w)
{
    stretch s = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < w->corner_count; i++) {
        for (int k = 0; k < 2; k++) {
            s.low[k] = fmin(s.low[k], w->corners[i][k]);
            s.high[k] = fmax(s.high[k], w->corners[i][k]);
        }
    }
    return s;
}

/* Is it as long and high as a wall, and its face toward the middle of its
 * room? */
static bool wall_is_stretch(const builtin_facts *facts,
                            const builtin_wall *w,
                            const stretch *s)
{
    /* metres: of what is no wall yet */
    const double longest = 1.5, highest = 1.85;
    const builtin_object *owner = &facts->objects[w->object];
    double inward = owner->centre[0] * w->normal[0] +
                    owner->centre[1] * w->normal[1] - w->offset;
    bool large =
        s->high[0] - s->low[0] > longest && s->high[1] - s->low[1] > highest;
    return large && inward > 0 && builtin_is_ground(owner);
}

/* A wall of a room in one mesh as an object of its own, so that "the left wall"
 * can be meant. Only its plane is its owner's. */
static builtin_object wall_thing(const builtin_facts *facts,
                                 uint32_t wall,
                                 const stretch *s,
                                 const char *name)
{
    static const char *const words[] = {"wall"};
    const builtin_wall *w = &facts->walls[wall];
    const builtin_object *owner = &facts->objects[w->object];
    builtin_object o = {.name = name,
                        .is_static = true,
                        .immovable = true,
                        .static_why = owner->static_why,
                        .has_colour = w->has_colour || owner->has_colour,
                        .stretch = wall + 1};
    const double middle[2] = {(s->low[0] + s->high[0]) / 2,
                              (s->low[1] + s->high[1]) / 2};
    builtin_object_call(&o, words, 1);
    for (int k = 0; k < 3; k++)
        o.lab[k] = w->has_colour ? w->lab[k] : owner->lab[k];
    for (int k = 0; k < 2; k++) {
        o.centre[k] = middle[0] * w->right[k] +
                      (w->offset - THICKNESS / 2) * w->normal[k];
        o.heading[k] = o.start_heading[k] = w->normal[k];
    }
    o.centre[2] = middle[1];
    o.half[0] = (s->high[0] - s->low[0]) / 2;
    o.half[1] = THICKNESS / 2;
    o.half[2] = (s->high[1] - s->low[1]) / 2;
    for (int k = 0; k < 3; k++)
        o.start[k] = o.centre[k];
    return o;
}

/* A wall is asked at each cell of a floor whether it is behind a thing there:
 * counted cell by cell, that took a minute for a wardrobe in a house. NULL: out
 * of memory. */
static const uint32_t *wall_sum(const builtin_wall *w, etna_arena *arena)
{
    const size_t width = (size_t)w->columns + 1;
    uint32_t *sums = etna_arena_alloc(arena, w->rows * width, sizeof *sums);
    if (!sums)
        return NULL;
    for (size_t row = 0; row < w->rows; row++) {
        uint32_t *sum = sums + row * width;
        sum[0] = 0;
        for (size_t column = 0; column < w->columns; column++)
            sum[column + 1] =
                sum[column] + (w->map.fixed[row * w->columns + column] > 0);
    }
    return sums;
}

/* Appends such walls behind the objects: indices of real ones stay. */
etna_code builtin_facts_wall_in(builtin_facts *facts,
                                etna_arena *arena,
                                etna_error *err)
{
    const uint32_t count = facts->object_count;
    if (facts->wall_count == 0)
        return ETNA_OK;
    builtin_object *objects =
        etna_arena_alloc(arena, count + facts->wall_count, sizeof *objects);
    const uint32_t **sums =
        etna_arena_alloc(arena, facts->wall_count, sizeof *sums);
    if (!objects || !sums)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a room's walls");
    for (uint32_t i = 0; i < count; i++)
        objects[i] = facts->objects[i];
    uint32_t used = count;
    for (uint32_t i = 0; i < facts->wall_count; i++) {
        const builtin_wall *w = &facts->walls[i];
        const stretch s = wall_measure(w);
        const bool is_mapped = w->map.fixed && w->rows > 0;
        sums[i] = NULL;
        if (!wall_is_stretch(facts, w, &s))
            continue;
        const char *name = etna_arena_printf(arena, "wall %.255s", w->plane);
        if (is_mapped)
            sums[i] = wall_sum(w, arena);
        if (!name || (is_mapped && !sums[i]))
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory for a room's walls");
        objects[used++] = wall_thing(facts, i, &s, name);
        objects[w->object].is_shell = true;
    }
    facts->objects = objects;
    facts->object_count = used;
    facts->wall_sums = sums;
    return ETNA_OK;
}

bool builtin_is_wall_of(const builtin_facts *facts,
                        uint32_t wall,
                        uint32_t object)
{
    if (object >= facts->object_count || wall >= facts->wall_count)
        return false;
    return facts->walls[wall].object == object ||
           facts->objects[object].stretch == wall + 1;
}

/* So many steps of a map's cell from a place on: which of its cells they meet,
 * `to` not counted, and how many they are, those beside the map too. */
typedef struct cell_span {
    uint32_t from, to;
    double steps;
} cell_span;

static uint32_t cell_clamp(double cell, uint32_t most)
{
    return (uint32_t)fmin(fmax(cell, 0), most);
}

static cell_span cell_span_of(double low,
                              double steps,
                              double cell,
                              uint32_t most)
{
    const double first = floor(low / cell);
    return (cell_span){.from = cell_clamp(first, most),
                       .to = cell_clamp(first + steps, most),
                       .steps = steps};
}

/* At least half of what is behind the thing is wall, and no door or window.
 * Walls that are objects of their own always are. */
bool builtin_is_wall_behind(const builtin_facts *facts,
                            uint32_t wall,
                            const builtin_object *object,
                            const double at[3])
{
    const double skirting = 0.1, high = 2; /* metres */
    const builtin_object *o = &facts->objects[wall];
    const uint32_t *sums = o->stretch ? facts->wall_sums[o->stretch - 1] : NULL;
    if (!sums)
        return true;
    const builtin_wall *w = &facts->walls[o->stretch - 1];
    const double half = builtin_extent(object, w->right);
    const double middle = at[0] * w->right[0] + at[1] * w->right[1];
    const double height = fmin(2 * object->half[2], high) - skirting;
    const cell_span across =
        cell_span_of(middle - half - w->origin[0],
                     floor(2 * half / w->cell) + 1, w->cell, w->columns);
    const cell_span up =
        cell_span_of(at[2] + skirting - w->origin[1],
                     fmax(1, ceil(height / w->cell)), w->cell, w->rows);
    const size_t width = (size_t)w->columns + 1;
    uint64_t own = 0;
    for (size_t row = up.from; row < up.to; row++)
        own += sums[row * width + across.to] - sums[row * width + across.from];
    /* Where the map ends, there is no wall. */
    return 2 * (double)own >= across.steps * up.steps;
}
