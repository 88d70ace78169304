/* The boards of one thing: a shelf in one mesh has several heights to stand
 * things on, which people count ("the top shelf", "the second board from the
 * bottom of the bookcase"). Levels are counted from 1, the lowest; heights
 * closer than 3 cm are one. Said ordinals count from the top, as one reads a
 * page, unless "from the bottom" or "up" says otherwise. */
#include "proto/array.h"
#include "worker/builtin/builtin.h"

#include "worker/builtin/spot.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    LEVELS_MAX = 64
};

static const double together = 0.03; /* metres */

/* A ledge around a sideboard's top: nowhere is room on it, and nothing stands
 * there that takes the room. */
static bool is_rim(const builtin_facts *facts, const builtin_surface *s)
{
    const builtin_object *o = &facts->objects[s->object];
    for (uint32_t i = 0; i < o->on_count && s->narrow; i++) {
        const builtin_object *thing = &facts->objects[o->on[i]];
        if (fabs(builtin_foot(thing) - s->height) <= together)
            return false;
    }
    return s->narrow;
}

/* Is the surface a board of the object, not the rail of a chair or the foot of
 * a table? Where it has broad ones, rims are none. */
static bool is_board(const builtin_facts *facts,
                     const builtin_surface *s,
                     uint32_t object,
                     double most,
                     bool broad)
{
    if (s->object != object || builtin_surface_area(s) < 0.3 * most)
        return false;
    return !broad || !is_rim(facts, s);
}

static double area_most(const builtin_facts *facts, uint32_t object)
{
    double most = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object)
            most = math_max(most, builtin_surface_area(&facts->surfaces[i]));
    }
    return most;
}

/* Ascending heights, at most LEVELS_MAX of them; things with more are no
 * shelves. */
static uint32_t heights_of(const builtin_facts *facts,
                           uint32_t object,
                           double ret[LEVELS_MAX])
{
    double all[LEVELS_MAX];
    double most = area_most(facts, object);
    uint32_t count = 0, levels = 0;
    bool broad = false;
    for (uint32_t i = 0; i < facts->surface_count && !broad; i++)
        broad = is_board(facts, &facts->surfaces[i], object, most, true);
    for (uint32_t i = 0; i < facts->surface_count && count < LEVELS_MAX; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!is_board(facts, s, object, most, broad))
            continue;
        uint32_t at = count++;
        for (; at > 0 && all[at - 1] > s->height; at--)
            all[at] = all[at - 1];
        all[at] = s->height;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (levels == 0 || all[i] - ret[levels - 1] > together)
            ret[levels++] = all[i];
    }
    return levels;
}

uint32_t builtin_levels(const builtin_facts *facts, uint32_t object)
{
    double heights[LEVELS_MAX];
    return heights_of(facts, object, heights);
}

uint32_t builtin_shelves(const builtin_facts *facts, uint32_t object)
{
    const double eyes = 1.6; /* metres over its foot */
    const builtin_object *o = &facts->objects[object];
    double heights[LEVELS_MAX];
    double foot = builtin_foot(o);
    uint32_t count = heights_of(facts, object, heights);
    bool roof = count > 2 && heights[count - 1] > foot + eyes &&
                heights[count - 1] > builtin_top(o) - 0.1;
    return roof ? count - 1 : count;
}

double builtin_off_level(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t level,
                         double height)
{
    double heights[LEVELS_MAX];
    uint32_t count = heights_of(facts, object, heights);
    if (level == 0 || level > count)
        return 0;
    double off = fabs(heights[level - 1] - height) - together;
    return off > 0 ? off + together : 0;
}

double builtin_level_room(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t level)
{
    double heights[LEVELS_MAX];
    const uint32_t count = heights_of(facts, object, heights);
    return level == 0 || level >= count ? INFINITY
                                        : heights[level] - heights[level - 1];
}

/* ---- as said ---- */

static bool level_word_is(const builtin_word *words,
                          uint32_t end,
                          uint32_t i,
                          const char *text)
{
    return i < end && !words[i].quoted && strcmp(words[i].text, text) == 0;
}

static bool is_any(const builtin_word *words,
                   uint32_t end,
                   uint32_t i,
                   const char *const *list)
{
    for (; *list; list++) {
        if (level_word_is(words, end, i, *list))
            return true;
    }
    return false;
}

bool builtin_is_level_noun(const char *word)
{
    static const char *const nouns[] = {
        "shelf", "board", "level", "tier",        "layer", "storey",
        "story", "plank", "ledge", "compartment", "deck"};
    return WORD_IS_OF(word, nouns);
}

/* Which end a word of height names. */
typedef enum level_end {
    LEVEL_END_NONE,
    LEVEL_END_TOP,
    LEVEL_END_BOTTOM,
    LEVEL_END_MIDDLE
} level_end;

static level_end level_end_at(const builtin_word *words,
                              uint32_t end,
                              uint32_t i)
{
    static const char *const tops[] = {"top",     "topmost", "uppermost",
                                       "highest", "upper",   NULL};
    static const char *const bottoms[] = {"bottom", "bottommost", "lowest",
                                          "lower",  "lowermost",  NULL};
    static const char *const middles[] = {"middle", "centre", "center",
                                          "central", NULL};
    if (is_any(words, end, i, tops))
        return LEVEL_END_TOP;
    if (is_any(words, end, i, bottoms))
        return LEVEL_END_BOTTOM;
    return is_any(words, end, i, middles) ? LEVEL_END_MIDDLE : LEVEL_END_NONE;
}

/* Whether a level is named at `i`; "one" stands for what was spoken of
 * before. */
static bool is_level_noun_at(const builtin_word *words,
                             uint32_t end,
                             uint32_t i)
{
    if (i >= end || words[i].quoted)
        return false;
    return level_word_is(words, end, i, "one") ||
           builtin_is_level_noun(words[i].text);
}

/* "second lowest", "top": the number and the end that it is counted from;
 * false: neither, or a second middle. Moves *at behind it. */
static bool counted_at(const builtin_word *words,
                       uint32_t end,
                       uint32_t *at,
                       uint32_t *ret_ordinal,
                       level_end *ret_from)
{
    uint32_t i = *at;
    if (i >= end || words[i].quoted)
        return false;
    *ret_ordinal = builtin_ordinal(words[i].text);
    if (*ret_ordinal)
        i++;
    *ret_from = level_end_at(words, end, i);
    if (*ret_ordinal ? *ret_from == LEVEL_END_MIDDLE
                     : *ret_from == LEVEL_END_NONE)
        return false; /* there is one middle */
    if (*ret_from != LEVEL_END_NONE)
        i++;
    *at = i;
    return true;
}

/* "the second lowest board", "the top shelf up": what is counted, and where its
 * words end; false: no level. */
static bool count_at(const builtin_word *words,
                     uint32_t first,
                     uint32_t end,
                     builtin_level_words *ret,
                     uint32_t *ret_end)
{
    static const char *const openings[] = {"the", "its", "very", NULL};
    static const char *const upward[] = {"from-bottom", "up", NULL};
    static const char *const downward[] = {"from-top", "down", NULL};
    uint32_t i = first, ordinal;
    level_end from;
    while (is_any(words, end, i, openings))
        i++;
    if (!counted_at(words, end, &i, &ordinal, &from))
        return false;
    if (level_word_is(words, end, i, "most"))
        i++;
    if (!is_level_noun_at(words, end, i))
        return false;
    const char *noun = words[i++].text;
    bool rising = is_any(words, end, i, upward);
    bool falling = is_any(words, end, i, downward);
    if (rising || falling)
        i++;
    *ret =
        (builtin_level_words){.ordinal = ordinal ? ordinal : 1,
                              .noun = noun,
                              .from_bottom = from == LEVEL_END_BOTTOM || rising,
                              .middle = from == LEVEL_END_MIDDLE,
                              .counted = rising || falling};
    *ret_end = i;
    return true;
}

/* "the board below the top one": one further down, or up, than what follows. */
static bool next_at(const builtin_word *words,
                    uint32_t first,
                    uint32_t end,
                    builtin_level_words *ret,
                    uint32_t *ret_end)
{
    static const char *const lower[] = {"below", "under", "beneath",
                                        "underneath", NULL};
    static const char *const higher[] = {"above", "over", NULL};
    uint32_t i = first;
    while (level_word_is(words, end, i, "the"))
        i++;
    if (i >= end || words[i].quoted || !builtin_is_level_noun(words[i].text))
        return false;
    const char *noun = words[i++].text;
    bool down = is_any(words, end, i, lower);
    bool up = is_any(words, end, i, higher);
    if ((!down && !up) || !count_at(words, i + 1, end, ret, ret_end) ||
        ret->middle)
        return false;
    if (ret->ordinal == BUILTIN_NONE)
        return false;
    /* the end that it is counted from */
    bool nearer = ret->from_bottom ? down : up;
    if (nearer && ret->ordinal < 2)
        return false;
    ret->ordinal += nearer ? -1u : 1u;
    ret->noun = noun;
    return true;
}

/* Behind a level that ends at `stop`: "of the shelf", perhaps "from the
 * bottom". */
static bool level_owner_behind(const builtin_word *words,
                               uint32_t stop,
                               uint32_t end,
                               builtin_level_words *ret)
{
    ret->owner_first = ret->owner_end = end;
    if (stop == end)
        return true;
    if (!level_word_is(words, end, stop, "of") || stop + 1 >= end)
        return false;
    ret->owner_first = stop + 1;
    /* "the second board of the shelf from the bottom" */
    const bool rising = level_word_is(words, end, end - 1, "from-bottom");
    if (!rising && !level_word_is(words, end, end - 1, "from-top"))
        return true;
    ret->owner_end = end - 1;
    ret->from_bottom = ret->from_bottom || rising;
    ret->counted = true;
    return ret->owner_end > ret->owner_first;
}

/* "the second shelf of the bookcase", "the next board", "the bookcase's top
 * shelf". False: no level is spoken of. */
bool builtin_level_said(const builtin_word *words,
                        uint32_t first,
                        uint32_t end,
                        builtin_level_words *ret)
{
    uint32_t stop;
    if (count_at(words, first, end, ret, &stop) ||
        next_at(words, first, end, ret, &stop))
        return level_owner_behind(words, stop, end, ret);
    /* "the bookcase's top shelf" */
    for (uint32_t i = first + 1; i + 1 < end; i++) {
        if (!level_word_is(words, end, i, "'s"))
            continue;
        if (!count_at(words, i + 1, end, ret, &stop) || stop != end)
            continue;
        ret->owner_first = first;
        ret->owner_end = i;
        return true;
    }
    return false;
}

uint32_t builtin_level_of(const builtin_level_words *said, uint32_t count)
{
    if (said->middle)
        return count % 2 ? (count + 1) / 2 : 0;
    /* the last */
    uint32_t ordinal = said->ordinal == BUILTIN_NONE ? count : said->ordinal;
    if (ordinal == 0 || ordinal > count)
        return 0;
    return said->from_bottom ? ordinal : count + 1 - ordinal;
}
