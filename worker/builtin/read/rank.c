/* Order among candidates: by the side of the picture where they show, size,
 * colour, the numbers of their names, what they bear, and how far they are from
 * something. Each keeps those that come first, where it can tell. */
#include "proto/ascii.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/trait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool query_is_ranked(const match_query *q)
{
    return q->size || q->sides || q->ordinal;
}

/* ---- sides ---- */

typedef struct side_rank {
    const reader *r;
    unsigned side;
} side_rank;

/* How far its middle is to the right of the camera and away from it. */
static void object_from_camera(const reader *r,
                               const builtin_object *o,
                               double *ret_right,
                               double *ret_away)
{
    *ret_right = 0;
    *ret_away = 0;
    for (int k = 0; k < 3; k++) {
        double way = o->centre[k] - r->facts->position[k];
        *ret_right += way * r->facts->right[k];
        *ret_away += way * r->facts->forward[k];
    }
}

bool facts_are_of_usual(const builtin_facts *facts)
{
    for (int k = 0; k < 3; k++) {
        if (facts->position[k] != facts->lens_position[k] ||
            facts->right[k] != facts->lens_right[k])
            return false;
    }
    return true;
}

/* How far right of the picture's middle it shows, in half its width; metres
 * where nothing is foreshortened. */
static double object_across(const reader *r,
                            const builtin_object *o,
                            double right,
                            double away)
{
    const builtin_facts *facts = r->facts;
    if (o->visible && facts_are_of_usual(facts))
        return o->image_box[0] + o->image_box[2] - 1;
    return facts->orthographic
               ? right
               : right / (away * facts->half_height * facts->aspect);
}

/* Across the picture in the direction of `sign`; what does not show comes
 * last. */
static double object_place_across(const reader *r,
                                  const builtin_object *o,
                                  double right,
                                  double away,
                                  double sign)
{
    const double outside = 1e6;
    const bool before = r->facts->orthographic || away > 1e-6;
    const double across = before ? object_across(r, o, right, away) : right;
    const bool shows = before && (r->facts->orthographic || fabs(across) <= 1);
    return (shows ? 0 : outside) + sign * across;
}

/* Less comes first. What shows is ranked by where it does, and before what is
 * outside of the picture. */
static double object_side(const void *context, uint32_t object)
{
    const side_rank *rank = context;
    const builtin_object *o = object_at(rank->r, object);
    double right;
    double away;
    object_from_camera(rank->r, o, &right, &away);
    switch (rank->side) {
    case LEXICON_LEFT: return object_place_across(rank->r, o, right, away, 1);
    case LEXICON_RIGHT: return object_place_across(rank->r, o, right, away, -1);
    case LEXICON_FRONT: return away;
    case LEXICON_BACK: return -away;
    case LEXICON_TOP: return -o->centre[2];
    case LEXICON_BOTTOM: return o->centre[2];
    default: return 0;
    }
}

static void candidates_sort_by_side(const reader *r,
                                    candidates *c,
                                    unsigned side)
{
    const side_rank rank = {.r = r, .side = side};
    candidates_sort(c, object_side, &rank);
}

/* The number behind its name, or the letter that stands for one; 0: there is
 * none. */
static uint32_t object_number(const builtin_object *o)
{
    const char *last = o->word_count > 1 ? o->words[o->word_count - 1] : "";
    if (last[0] >= 'a' && last[0] <= 'z' && !last[1])
        return (uint32_t)(last[0] - 'a') + 1;
    return ascii_is_digit(last[0]) && strlen(last) < 4 ? (uint32_t)atoi(last)
                                                       : 0;
}

/* "The third chair" of chair_1 to chair_3, where no side is said to count from:
 * what its name counts it as. Which one, or BUILTIN_NONE: their names do not
 * count all of them. */
static uint32_t candidates_find_numbered(const reader *r,
                                         const candidates *c,
                                         uint32_t ordinal)
{
    enum {
        NUMBERS_MAX = 64
    };
    bool taken[NUMBERS_MAX + 1] = {false};
    uint32_t found = BUILTIN_NONE;
    if (c->count > NUMBERS_MAX)
        return BUILTIN_NONE;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t number = object_number(object_at(r, c->items[i].object));
        if (number == 0 || number > c->count || taken[number])
            return BUILTIN_NONE;
        taken[number] = true;
        if (number == ordinal)
            found = i;
    }
    return found;
}

/* "The first three pews" of pew_1 to pew_6: by what their names count them as.
 * False: their names do not count all of them. */
static bool candidates_keep_first_few(const reader *r,
                                      candidates *c,
                                      const match_query *q,
                                      uint32_t wanted)
{
    const uint32_t from = q->sides == LEXICON_RIGHT ? c->count - wanted : 0;
    if (!q->first_few || candidates_find_numbered(r, c, 1) == BUILTIN_NONE)
        return false;
    for (uint32_t n = 0; n < wanted; n++) {
        for (uint32_t i = n; i < c->count; i++) {
            const candidate item = c->items[i];
            if (object_number(object_at(r, item.object)) != from + n + 1)
                continue;
            c->items[i] = c->items[n];
            c->items[n] = item;
            break;
        }
    }
    c->count = wanted;
    return true;
}

/* "The second from the left". */
static void candidates_by_ordinal(const reader *r,
                                  candidates *c,
                                  const match_query *q)
{
    const unsigned upright = LEXICON_TOP | LEXICON_BOTTOM;
    bool from_right = q->ordinal_from_right || q->sides == LEXICON_RIGHT;
    unsigned from = from_right ? LEXICON_RIGHT : LEXICON_LEFT;
    if (q->sides & upright)
        from = q->sides & upright;
    uint32_t at = q->ordinal == UINT32_MAX ? c->count : q->ordinal;
    const bool from_a_side = q->sides || q->ordinal_from_side;
    const uint32_t numbered =
        from_a_side ? BUILTIN_NONE : candidates_find_numbered(r, c, q->ordinal);
    if (numbered != BUILTIN_NONE) {
        candidates_only(c, numbered);
        return;
    }
    candidates_sort_by_side(r, c, from);
    if (at == 0 || at > c->count) {
        c->count = 0;
        return;
    }
    candidates_only(c, at - 1);
}

/* From one end of their row to the other: from the left, or from the back where
 * the row leads into the picture. */
static void candidates_sort_along(const reader *r, candidates *c)
{
    const double into = 3; /* times as deep as it is wide */
    double right[2], away[2];
    double least[2] = {INFINITY, INFINITY};
    double most[2] = {-INFINITY, -INFINITY};
    builtin_picture_axes(r->facts, right, away);
    for (uint32_t i = 0; i < c->count; i++) {
        const double *at = object_at(r, c->items[i].object)->centre;
        const double way[2] = {at[0] * right[0] + at[1] * right[1],
                               at[0] * away[0] + at[1] * away[1]};
        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], way[k]);
            most[k] = fmax(most[k], way[k]);
        }
    }
    const bool leads_in = most[1] - least[1] > into * (most[0] - least[0]);
    candidates_sort_by_side(r, c, leads_in ? LEXICON_BACK : LEXICON_LEFT);
}

/* Half of them from either end. */
static void candidates_by_outer(const reader *r, candidates *c, uint32_t wanted)
{
    const uint32_t half = wanted / 2;
    if (wanted % 2)
        return;
    candidates_sort_along(r, c);
    memmove(c->items + half, c->items + c->count - half,
            half * sizeof *c->items);
    c->count = wanted;
}

/* As many on either side as can be. */
static void candidates_by_middle(const reader *r,
                                 candidates *c,
                                 uint32_t wanted)
{
    candidates_sort_along(r, c);
    uint32_t others = c->count - wanted;
    if (others % 2)
        return;
    memmove(c->items, c->items + others / 2, wanted * sizeof *c->items);
    c->count = wanted;
}

/* How far away along the side of the room that the picture looks along most:
 * less comes first. */
static double object_depth_of_room(const void *context, uint32_t object)
{
    const side_rank *rank = context;
    const double *forward = rank->r->facts->forward;
    const int axis = fabs(forward[0]) > fabs(forward[1]) ? 0 : 1;
    const double away = forward[axis] < 0 ? -1 : 1;
    const double sign = rank->side == LEXICON_BACK ? -away : away;
    return sign * object_at(rank->r, object)->centre[axis];
}

/* "The front chair", sorted by the picture: also that one stays which is in
 * front by the room, where the picture shows the room askew. */
static void candidates_keep_front_of_room(const reader *r,
                                          candidates *c,
                                          unsigned side)
{
    const double clear = 0.1; /* metres */
    const side_rank rank = {.r = r, .side = side};
    const double first = object_depth_of_room(&rank, c->items[0].object);
    uint32_t nearest = 0;
    double least = first - clear;
    for (uint32_t i = 1; i < c->count; i++) {
        const double depth = object_depth_of_room(&rank, c->items[i].object);
        if (depth >= least)
            continue;
        least = depth;
        nearest = i;
    }
    if (nearest > 0)
        c->items[1] = c->items[nearest];
    c->count = nearest > 0 ? 2 : 1;
}

/* Where in the room its things are, on the average. */
static double room_middle(const reader *r, int axis)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (object_at(r, i)->is_static)
            continue;
        sum += object_at(r, i)->centre[axis];
        count++;
    }
    return count ? sum / count : 0;
}

/* Does a wall bound the room on that side? The back wall is no right one, be it
 * ever so far to the right of all other walls that there are. */
static bool candidate_bounds_side(const void *context, uint32_t object)
{
    const side_rank *rank = context;
    const builtin_object *o = object_at(rank->r, object);
    const double *forward = rank->r->facts->forward;
    const int deep = fabs(forward[0]) > fabs(forward[1]) ? 0 : 1;
    const bool by_depth = rank->side & (LEXICON_FRONT | LEXICON_BACK);
    const int axis = by_depth ? deep : 1 - deep;
    /* to the right of who looks along it; or away from them */
    const double right = axis == 0 ? forward[1] : -forward[0];
    const double positive = by_depth ? forward[deep] : right;
    const bool minus = rank->side & (LEXICON_LEFT | LEXICON_FRONT);
    const double way = o->centre[axis] - room_middle(rank->r, axis);
    const double across[2] = {axis == 0, axis == 1};
    const double along[2] = {axis == 1, axis == 0};
    return builtin_extent(o, across) < builtin_extent(o, along) &&
           (way * positive > 0) == !minus;
}

static bool candidates_are_walls(const reader *r, const candidates *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (!builtin_is_wall(object_at(r, c->items[i].object)))
            return false;
    }
    return true;
}

/* "The left wall". Where the picture shows the room askew, which one that is
 * the picture tells alone. */
static void candidates_keep_walls(const reader *r,
                                  candidates *c,
                                  const match_query *q)
{
    const double askew = 0.85; /* the cosine of 30 degrees or so */
    const double *forward = r->facts->forward;
    const double deep = fmax(fabs(forward[0]), fabs(forward[1]));
    const side_rank rank = {.r = r, .side = q->sides};
    const bool is_one = q->sides == LEXICON_LEFT || q->sides == LEXICON_RIGHT ||
                        q->sides == LEXICON_FRONT || q->sides == LEXICON_BACK;
    if (is_one && deep > askew * hypot(forward[0], forward[1]) &&
        candidates_are_walls(r, c))
        candidates_select(c, candidate_bounds_side, &rank, true);
}

/* "The two front chairs" of three that are about as near: which two, is not
 * said. So many as come before the first that is clearly behind. */
static uint32_t candidates_abreast(const reader *r,
                                   const candidates *c,
                                   unsigned side,
                                   uint32_t wanted)
{
    const double lead = 0.25; /* of what they are broad */
    const side_rank rank = {.r = r, .side = side};
    uint32_t keep = wanted;
    if (wanted < 2)
        return wanted;
    const uint32_t last = c->items[wanted - 1].object;
    const double least = lead * 2 * builtin_half_longer(object_at(r, last));
    while (keep < c->count && object_side(&rank, c->items[keep].object) <
                                  object_side(&rank, last) + least)
        keep++;
    return keep;
}

/* "The left one", "the two leftmost", "the middle one", "the second from the
 * left". */
void candidates_by_side(const reader *r,
                        candidates *c,
                        const match_query *q,
                        uint32_t wanted)
{
    if (q->ordinal) {
        candidates_by_ordinal(r, c, q);
        return;
    }
    candidates_keep_walls(r, c, q);
    if (!q->sides || c->count <= wanted)
        return;
    if (candidates_keep_first_few(r, c, q, wanted))
        return;
    if (q->sides & LEXICON_OUTER) {
        candidates_by_outer(r, c, wanted);
        return;
    }
    if (q->sides & LEXICON_MIDDLE) {
        candidates_by_middle(r, c, wanted);
        return;
    }
    for (unsigned bit = 1; bit < LEXICON_MIDDLE; bit <<= 1) {
        if (!(q->sides & bit))
            continue;
        candidates_sort_by_side(r, c, bit);
        unsigned more = q->sides & ~(2 * bit - 1);
        const bool by_depth = bit == LEXICON_FRONT || bit == LEXICON_BACK;
        if (by_depth && q->sides == bit && wanted == 1) {
            candidates_keep_front_of_room(r, c, bit);
            return;
        }
        /* "back left": of the back half the left one */
        uint32_t keep = more ? (c->count + 1) / 2 : wanted;
        if (by_depth && q->sides == bit)
            keep = candidates_abreast(r, c, bit, wanted);
        c->count = c->count > keep ? keep : c->count;
    }
}

/* Sorted by the side, cut at the widest gap: "the left chairs" are those before
 * it. */
uint32_t candidates_count_on_side(const reader *r, candidates *c, unsigned side)
{
    const side_rank rank = {.r = r, .side = side};
    uint32_t count = c->count;
    double widest = 0;
    candidates_sort_by_side(r, c, side);
    for (uint32_t i = 1; i < c->count; i++) {
        double gap = object_side(&rank, c->items[i].object) -
                     object_side(&rank, c->items[i - 1].object);
        if (gap <= widest)
            continue;
        widest = gap;
        count = i;
    }
    return count;
}

/* ---- size ---- */

typedef struct size_rank {
    const reader *r;
    int size; /* lexicon_size's */
} size_rank;

/* Less comes first: the largest of "large", the smallest of "small". */
static double object_size(const void *context, uint32_t object)
{
    const size_rank *rank = context;
    const double *half = rank->r->facts->objects[object].half;
    double narrow = half[0] > half[1] ? half[1] : half[0];
    double sign = rank->size < 0 ? 1 : -1;
    switch (rank->size < 0 ? -rank->size : rank->size) {
    case 1: return sign * half[0] * half[1] * half[2];
    case 2: return sign * half[2];
    case 3: return sign * (half[0] > half[1] ? half[0] : half[1]);
    default: return sign * (narrow < half[2] ? narrow : half[2]);
    }
}

/* The one that is largest (smallest ...), if it is so by more than 2 %; of
 * several wanted: these. */
void candidates_by_size(const reader *r,
                        candidates *c,
                        int size,
                        uint32_t wanted)
{
    const size_rank rank = {.r = r, .size = size};
    if (!size || c->count <= wanted)
        return;
    candidates_sort(c, object_size, &rank);
    double last = object_size(&rank, c->items[wanted - 1].object);
    double next = object_size(&rank, c->items[wanted].object);
    if (next - last > 0.02 * fabs(last))
        c->count = wanted;
}

/* Within 2 %: then "the largest" tells nothing. */
bool candidates_are_alike_in_size(const reader *r,
                                  const candidates *c,
                                  int size)
{
    const size_rank rank = {.r = r, .size = size};
    double least = INFINITY;
    double most = -INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        const double own = object_size(&rank, c->items[i].object);
        least = fmin(least, own);
        most = fmax(most, own);
    }
    return c->count > 1 && most - least <= 0.02 * fabs(least);
}

/* "The second largest": by size, where it differs from both neighbours; else
 * none of them leads. */
void candidates_nth_by_size(const reader *r,
                            candidates *c,
                            int size,
                            uint32_t nth)
{
    const size_rank rank = {.r = r, .size = size};
    if (nth == 0 || nth > c->count) {
        c->count = 0;
        return;
    }
    candidates_sort(c, object_size, &rank);
    const double own = object_size(&rank, c->items[nth - 1].object);
    bool leads = true;
    if (nth > 1)
        leads = own - object_size(&rank, c->items[nth - 2].object) >
                0.02 * fabs(own);
    if (nth < c->count)
        leads = leads && object_size(&rank, c->items[nth].object) - own >
                             0.02 * fabs(own);
    if (leads)
        candidates_only(c, nth - 1);
}

/* ---- colour ---- */

typedef enum colour_care {
    CARE_NAMED,
    CARE_NEAREST,
    CARE_PART,
    CARE_NEAR,
    CARE_COUNT
} colour_care;

typedef struct colour_rank {
    const reader *r;
    const match_query *query;
    /* what is taken for the colour: as its name says, its nearest basic term,
     * that of a part, what an eye would grant */
    colour_care care;
} colour_rank;

/* White and red shoes are the red ones where nothing is red all over, and a
 * stool with a red seat on grey legs is the red one. */
static bool object_has_part_of_colour(const builtin_object *o,
                                      builtin_colour colour)
{
    for (uint32_t i = 0; i < o->paint_count; i++) {
        if (builtin_colour_of(o->paints[i]) == colour)
            return true;
    }
    for (uint32_t i = 0; i < o->material_count; i++) {
        if (lexicon_colour(o->materials[i]) == (uint32_t)colour)
            return true;
    }
    return false;
}

bool object_shows_colour(const builtin_object *o, builtin_colour colour)
{
    return o->has_colour && (builtin_colour_of(o->lab) == colour ||
                             object_has_part_of_colour(o, colour));
}

/* With as much care as rank->care allows. */
static bool object_is_coloured(const void *context, uint32_t object)
{
    const colour_rank *rank = context;
    const builtin_object *o = object_at(rank->r, object);
    builtin_colour colour = (builtin_colour)rank->query->colour;
    if (reader_match(rank->r, object, rank->query).colour_by_name)
        return true;
    if (rank->care == CARE_NAMED || !o->has_colour)
        return false;
    if (builtin_colour_of(o->lab) == colour)
        return true;
    if (rank->care >= CARE_PART && object_has_part_of_colour(o, colour))
        return true;
    return rank->care == CARE_NEAR && builtin_colour_near(o->lab, colour);
}

enum {
    SHADE_MOST = 50
    /* of CIELAB's lightness: what is farther from black (or white) is never
     * called so */
};

/* How light a thing without a hue is, 0 to 100; below 0: it has a hue, or no
 * colour is known of it. */
static double object_lightness(const builtin_object *o)
{
    const double hued = 20; /* CIELAB chroma */
    const double chroma = sqrt(o->lab[1] * o->lab[1] + o->lab[2] * o->lab[2]);
    return o->has_colour && chroma < hued ? o->lab[0] : -1;
}

/* How far from pure black or pure white; above 100 for what is neither by any
 * light. */
static double object_shade(const reader *r,
                           uint32_t object,
                           builtin_colour colour)
{
    const double lightness = object_lightness(object_at(r, object));
    if (lightness < 0)
        return 1000;
    return colour == COLOUR_WHITE ? 100 - lightness : lightness;
}

/* Could anybody call it so? A white table is no more blue than a black one. */
static bool object_may_be_called(const builtin_object *o, builtin_colour colour)
{
    const double hueless = 8; /* CIELAB chroma */
    const double chroma = sqrt(o->lab[1] * o->lab[1] + o->lab[2] * o->lab[2]);
    const bool is_hue = colour != COLOUR_WHITE && colour != COLOUR_BLACK &&
                        colour != COLOUR_GREY;
    return !is_hue || chroma >= hueless;
}

/* The place in the list of the one that is nearest to the colour, and how far
 * that and the next are from it, in CIELAB. */
static uint32_t colour_nearest(const reader *r,
                               const candidates *c,
                               builtin_colour colour,
                               double *ret_least,
                               double *ret_second)
{
    const double none = 1e9;
    uint32_t best = 0;
    *ret_least = *ret_second = none;
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *o = object_at(r, c->items[i].object);
        double d =
            o->has_colour ? builtin_colour_distance(o->lab, colour) : none;
        if (d < *ret_least) {
            *ret_second = *ret_least;
            *ret_least = d;
            best = i;
        } else if (d < *ret_second) {
            *ret_second = d;
        }
    }
    return best;
}

/* The one that is much more so than all others: "the red chair" is the pink one
 * where it leads. */
static void candidates_by_colour_lead(const reader *r,
                                      candidates *c,
                                      builtin_colour colour)
{
    const double lead = 12, most = 70; /* of CIELAB */
    double least;
    double second;
    const uint32_t best = colour_nearest(r, c, colour, &least, &second);
    bool leads = c->count > 1 && least < most && second > least + lead;
    bool is_shade = colour == COLOUR_WHITE || colour == COLOUR_BLACK;
    if (leads && is_shade)
        leads = object_shade(r, c->items[best].object, colour) <= SHADE_MOST;
    leads = leads &&
            object_may_be_called(object_at(r, c->items[best].object), colour);
    if (!leads) {
        c->count = 0;
        return;
    }
    candidates_only(c, best);
    c->items[0].cost += 20;
}

typedef struct shade_rank {
    const reader *r;
    builtin_colour colour;
    double most; /* of a shade */
} shade_rank;

static bool object_is_of_shade(const void *context, uint32_t object)
{
    const shade_rank *rank = context;
    return object_shade(rank->r, object, rank->colour) <= rank->most;
}

/* The nearest shade beyond `from`; 1000: none. */
static double shade_next(const reader *r,
                         const candidates *c,
                         builtin_colour colour,
                         double from)
{
    double next = 1000;
    for (uint32_t i = 0; i < c->count; i++) {
        const double shade = object_shade(r, c->items[i].object, colour);
        if (shade > from && shade < next)
            next = shade;
    }
    return next;
}

/* Black and white are told by each other: of a dark grey and a light grey king,
 * these are the black and the white one. The lightest (or darkest) and what is
 * hardly to be told from them, where others are clearly less so. */
static bool candidates_by_shade(const reader *r,
                                candidates *c,
                                builtin_colour colour)
{
    const double gap = 12, apart = 30; /* of CIELAB's lightness */
    if (colour != COLOUR_WHITE && colour != COLOUR_BLACK)
        return false;
    const double first = shade_next(r, c, colour, -1);
    double last = first;
    double next = first;
    double farthest = first;
    while (next < 1000 && next - last < gap) {
        last = next;
        next = shade_next(r, c, colour, next);
    }
    for (double at = first; at < 1000; at = shade_next(r, c, colour, at))
        farthest = at;
    if (last > SHADE_MOST || farthest - first < apart)
        return false;
    const shade_rank rank = {r, colour, last};
    return candidates_prefer(c, object_is_of_shade, &rank);
}

/* The care with which at least `least` of them have the colour; CARE_COUNT:
 * none. */
static colour_care colour_find_care(colour_rank *rank,
                                    const candidates *c,
                                    bool many,
                                    uint32_t least)
{
    for (rank->care = many ? CARE_NEAREST : CARE_NAMED; rank->care < CARE_COUNT;
         rank->care++) {
        if (many && rank->care == CARE_PART)
            continue;
        if (candidates_count(c, object_is_coloured, rank) >= least)
            return rank->care;
    }
    return CARE_COUNT;
}

static bool name_says_colour(const builtin_object *o)
{
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (lexicon_colour(o->words[i]))
            return true;
    }
    return false;
}

static bool object_is_called_by_colour(const void *context, uint32_t object)
{
    return name_says_colour(object_at(context, object));
}

uint32_t candidates_called_by_colour(const reader *r, const candidates *c)
{
    return candidates_count(c, object_is_called_by_colour, r);
}

/* "The black paint" of a red, a blue and a green one and one whose name has no
 * colour: that one, where it is not of some hue. */
static bool candidates_by_others(const reader *r,
                                 candidates *c,
                                 builtin_colour colour)
{
    const double most = 75; /* of CIELAB's lightness */
    uint32_t other = 0;
    const bool is_shade = colour == COLOUR_WHITE || colour == COLOUR_BLACK;
    if (!is_shade || c->count < 3 ||
        candidates_called_by_colour(r, c) + 1 != c->count)
        return false;
    while (name_says_colour(object_at(r, c->items[other].object)))
        other++;
    if (object_shade(r, c->items[other].object, colour) > most)
        return false;
    candidates_only(c, other);
    c->items[0].cost += 20;
    return true;
}

/* Colour in a name decides; else the least care that leaves enough of them. */
void candidates_by_colour(const reader *r,
                          candidates *c,
                          const match_query *q,
                          bool many,
                          uint32_t number)
{
    colour_rank rank = {.r = r, .query = q, .care = CARE_NAMED};
    bool is_named = candidates_count(c, object_is_coloured, &rank) > 0;
    if (!is_named && candidates_by_others(r, c, (builtin_colour)q->colour))
        return;
    if (!is_named && candidates_by_shade(r, c, (builtin_colour)q->colour))
        return;
    /* "the four blue chairs" are four, if some are but bluish */
    colour_care care =
        colour_find_care(&rank, c, many, number > 1 ? number : 1);
    if (care == CARE_COUNT)
        care = colour_find_care(&rank, c, many, 1);
    rank.care = care;
    if (care < CARE_COUNT) {
        candidates_prefer(c, object_is_coloured, &rank);
    } else {
        candidates_by_colour_lead(r, c, (builtin_colour)q->colour);
    }
}

/* ---- numbers ---- */

typedef struct number_rank {
    const reader *r;
    const char *number;
} number_rank;

static bool object_is_numbered(const void *context, uint32_t object)
{
    const number_rank *rank = context;
    const builtin_object *o = object_at(rank->r, object);
    return o->word_count > 0 &&
           strcmp(o->words[o->word_count - 1], rank->number) == 0;
}

/* "Carpet 1" is Carpet_01_001 before Carpet_01_002: the last number of a name
 * counts them. */
void candidates_by_number(const reader *r, candidates *c, const match_query *q)
{
    number_rank rank = {.r = r};
    for (uint32_t i = 0; i < q->count; i++) {
        if (ascii_is_digit(q->words[i][0]))
            rank.number = q->words[i];
    }
    if (rank.number && c->count > 1)
        candidates_prefer(c, object_is_numbered, &rank);
}

/* ---- what they bear ---- */

/* "The table" beside a side table is the one that is laid: it bears clearly
 * more things than any other. */
void candidates_by_load(const reader *r, candidates *c, bool clearing)
{
    /* metres of half height: what stands on a carpet stands in the room */
    const double flat = 0.02;
    uint32_t best = 0;
    uint32_t most = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *o = object_at(r, c->items[i].object);
        if (o->half[2] < flat)
            return;
        if (o->on_count > most) {
            next = most;
            most = o->on_count;
            best = i;
        } else if (o->on_count > next) {
            next = o->on_count;
        }
    }
    bool clearly = most >= 2 && most >= 2 * next;
    bool alone = clearing && most > 0 && next == 0;
    if (clearly || alone)
        candidates_only(c, best);
}

/* ---- ways ---- */

typedef struct way_rank {
    const reader *r;
    const builtin_set *to;
    double sign; /* -1: the farthest comes first */
} way_rank;

/* To the nearest of the set; sign -1 sorts the farthest first. */
static double object_way_to_set(const void *context, uint32_t object)
{
    const way_rank *rank = context;
    double least = INFINITY;
    for (uint32_t k = 0; k < rank->to->count; k++) {
        uint32_t other = rank->to->objects[k];
        if (other == object)
            continue;
        double way = rank->sign * object_way(rank->r, object, other);
        least = way < least ? way : least;
    }
    return least;
}

/* The nearest to, or the farthest from, another thing. */
void candidates_by_way(const reader *r,
                       candidates *c,
                       const builtin_set *to,
                       bool farthest)
{
    const way_rank rank = {.r = r, .to = to, .sign = farthest ? -1 : 1};
    candidates_pick(c, object_way_to_set, &rank);
}

/* So many of them, those that are nearest or farthest. */
void candidates_by_way_several(const reader *r,
                               candidates *c,
                               const builtin_set *to,
                               bool farthest,
                               uint32_t number)
{
    const way_rank rank = {.r = r, .to = to, .sign = farthest ? -1 : 1};
    candidates_sort(c, object_way_to_set, &rank);
    if (c->count > number)
        c->count = number;
}

typedef struct solitude_rank {
    const reader *r;
    const candidates *all;
} solitude_rank;

/* A seat at a table is in company, however far the other seats are. */
static bool object_is_at_table(const reader *r, uint32_t object)
{
    const double at = 0.3; /* metres */
    bool is_at = false;
    for (uint32_t k = 0; k < r->facts->object_count && !is_at; k++)
        is_at = k != object && object_is_table(r, k) &&
                object_way(r, object, k) < at;
    return is_at && object_is_seat(r, object);
}

/* How alone it stands among the candidates, for "the one by itself"; less is
 * lonelier. */
static double object_solitude(const void *context, uint32_t object)
{
    const solitude_rank *rank = context;
    double nearest = INFINITY;
    for (uint32_t k = 0; k < rank->all->count; k++) {
        uint32_t other = rank->all->items[k].object;
        if (other == object)
            continue;
        double way = object_way(rank->r, object, other);
        nearest = way < nearest ? way : nearest;
    }
    return object_is_at_table(rank->r, object) ? 0 : -nearest;
}

/* A seat is astray that is far from every table; anything else that is far from
 * its kind. */
static double object_straying(const void *context, uint32_t object)
{
    const solitude_rank *rank = context;
    double nearest = INFINITY;
    for (uint32_t k = 0;
         k < rank->r->facts->object_count && object_is_seat(rank->r, object);
         k++) {
        if (k == object || !object_is_table(rank->r, k))
            continue;
        double way = object_way(rank->r, object, k);
        nearest = way < nearest ? way : nearest;
    }
    return isfinite(nearest) ? -nearest : object_solitude(context, object);
}

void candidates_by_straying(const reader *r, candidates *c)
{
    const solitude_rank rank = {.r = r, .all = c};
    candidates_pick(c, object_straying, &rank);
}

/* The one of them that stands farthest from all the others of its kind. */
void candidates_by_solitude(const reader *r,
                            candidates *c,
                            const candidates *kind)
{
    const solitude_rank rank = {.r = r, .all = kind};
    candidates_pick(c, object_solitude, &rank);
}
