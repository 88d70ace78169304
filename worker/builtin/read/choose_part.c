/* Things that a file names alike though one is a part of the other: "Table" and
 * its top plate "Table.001" are the table for whoever looks at it. */
#include "proto/ascii.h"
#include "worker/builtin/read/choose_internal.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/spot.h"

#include <string.h>

/* Past the numbers of the file's program; NULL: there is no further word. */
static const char *name_word(const builtin_object *o, uint32_t *at)
{
    while (*at < o->word_count && ascii_is_digit(o->words[*at][0]))
        ++*at;
    return *at < o->word_count ? o->words[(*at)++] : NULL;
}

/* The same words, whatever numbers there are. */
static bool names_are_alike(const builtin_object *a, const builtin_object *b)
{
    uint32_t i = 0;
    uint32_t k = 0;
    const char *one = name_word(a, &i);
    const char *other = name_word(b, &k);
    if (!one)
        return false;
    while (one && other && strcmp(one, other) == 0) {
        one = name_word(a, &i);
        other = name_word(b, &k);
    }
    return !one && !other;
}

static double box_volume(const builtin_object *o)
{
    return o->half[0] * o->half[1] * o->half[2];
}

static double box_breadth(const builtin_object *o)
{
    return o->half[0] * o->half[1];
}

/* Far smaller, over or within its footprint, and either a sheet that lies on
 * most of it, or no higher and no lower than it is: a top plate, a drawer. */
static bool is_part_of(const builtin_object *o, const builtin_object *whole)
{
    const double small = 0.25;   /* of its volume */
    const double broad = 0.5;    /* of its footprint */
    const double sheet = 0.15;   /* of its height */
    const double touches = 0.03; /* metres */
    if (box_volume(o) > small * box_volume(whole))
        return false;
    const builtin_rect rect = builtin_rect_of(whole);
    for (int k = 0; k < 2; k++) {
        if (o->centre[k] < rect.low[k] || o->centre[k] > rect.high[k])
            return false;
    }
    const bool is_lower = builtin_foot(o) < builtin_foot(whole) - touches;
    if (is_lower || builtin_foot(o) > builtin_top(whole) + touches)
        return false;
    const bool covers = box_breadth(o) >= broad * box_breadth(whole) &&
                        o->half[2] <= sheet * whole->half[2];
    return covers || builtin_top(o) <= builtin_top(whole) + touches;
}

static bool candidate_is_whole(const void *context, uint32_t object)
{
    const resolution *t = context;
    const builtin_object *o = object_at(t->r, object);
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t other = t->found.items[i].object;
        const builtin_object *whole = object_at(t->r, other);
        if (other != object && names_are_alike(o, whole) &&
            is_part_of(o, whole))
            return false;
    }
    return true;
}

/* What is part of another rides along with it, or lies on it. The list shrinks
 * while it is asked; who has gone was a part, too. */
void prefer_wholes(resolution *t)
{
    const resolution before = *t;
    candidates_prefer(&t->found, candidate_is_whole, &before);
}
