/* METHODS.md 1: strays, and what is static by shape or name. The clause about
 * cutting into a static object needs triangles against triangles: worker/space
 * decides it (scene_set_static_by_cut). */
#include "proto/array.h"
#include "worker/scene/scene_internal.h"

#include "proto/ascii.h"

#include <stdlib.h>
#include <string.h>

#define NEAR_PLANE 0.01 /* metres: on the same level */

static vec3 object_middle(const scene_object *o)
{
    return v3_scale(v3_add(o->min, o->max), 0.5);
}

/* ---- strays ---- */

/* Spread of the centres: the length of the three axes' interquartile ranges,
 * but at least the median object's size, so that a handful of things on one
 * spot do not make a stray of everything else. `values`: room for a number an
 * object. ret_centre: the median of each coordinate. */
static double centres_spread(const importer *m,
                             double *values,
                             double ret_centre[3])
{
    uint32_t n = m->s->object_count;
    while (n > 0 && m->objects[n - 1].guest)
        n--; /* they come last */
    size_t upper = (3 * (size_t)n) / 4 < n ? (3 * (size_t)n) / 4 : n - 1;
    double spread = 0;
    if (n == 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < n; i++) {
            values[i] = v3_get(object_middle(&m->objects[i]), k);
        }
        qsort(values, n, sizeof *values, math_compare);
        ret_centre[k] = values[n / 2];
        double range = values[upper] - values[n / 4];
        spread += range * range;
    }
    spread = sqrt(spread);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = scene_longest_side(&m->objects[i]);
    }
    qsort(values, n, sizeof *values, math_compare);
    return values[n / 2] > spread ? values[n / 2] : spread;
}

static void bounds_of_what_counts(importer *m)
{
    m->s->min = v3(INFINITY, INFINITY, INFINITY);
    m->s->max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (scene_is_aside(&m->objects[i]))
            continue;
        m->s->min = v3_min(m->s->min, m->objects[i].min);
        m->s->max = v3_max(m->s->max, m->objects[i].max);
    }
}

/* Fewer than four objects have no middle that one of them could be far from. */
void strays_mark(importer *m)
{
    uint32_t n = m->s->object_count;
    double *values = malloc(((size_t)n + 1) * sizeof *values);
    double centre[3];
    if (!values) {
        m->no_memory = true;
        return;
    }
    double spread = centres_spread(m, values, centre);
    free(values);
    for (uint32_t i = 0; n >= 4 && i < n; i++) {
        scene_object *o = &m->objects[i];
        double distance =
            v3_distance(object_middle(o), v3(centre[0], centre[1], centre[2]));
        if (distance > 10 * spread && spread > 0 && !o->guest) {
            o->stray = true;
            report_warning(
                m,
                "\"%s\" is a stray: %.4g m from the middle of the scene; it counts for nothing but itself.",
                o->name, distance);
        }
    }
    bounds_of_what_counts(m);
}

/* ---- static by name ---- */

/* The last word of more than two letters: "Wall_02_L" is a wall, and so is
 * "wall(Clone)". Returns how many words there were; cut at 31 letters. */
uint32_t static_head_noun(const char *name, char noun[32])
{
    uint32_t count = 0;
    noun[0] = 0;
    for (size_t i = 0; name[i];) {
        const char *close = name[i] == '(' ? strchr(name + i, ')') : NULL;
        if (close && count > 0) {
            i = (size_t)(close - name);
            continue;
        }
        if (!ascii_is_letter(name[i])) {
            i++;
            continue;
        }
        size_t begin = i++;
        while (ascii_is_letter(name[i]) && !name_begins_hump(name + i))
            i++;
        if (i - begin > 2) {
            count++;
            size_t length = i - begin < 31 ? i - begin : 31;
            for (size_t k = 0; k < length; k++) {
                noun[k] = (char)(name[begin + k] | 0x20);
            }
            noun[length] = 0;
        }
    }
    return count;
}

static const char *const building_nouns[] = {"wall",   "floor",   "ceiling",
                                             "ground", "window",  "door",
                                             "roof",   "terrain", "stairs"};

/* The constant that a word in small letters is, or whose plural with s; NULL:
 * none. */
static const char *building_noun(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(building_nouns); i++) {
        const char *noun = building_nouns[i];
        size_t length = strlen(noun);
        if (strncmp(word, noun, length) == 0 &&
            (word[length] == 0 || strcmp(word + length, "s") == 0)) {
            return noun;
        }
    }
    return NULL;
}

/* Plurals with s, too. The constant, so that callers may compare what it is. */
const char *static_noun(const char *name)
{
    char noun[32];
    static_head_noun(name, noun);
    return building_noun(noun);
}

bool static_names_building(const char *name)
{
    size_t length;
    for (const char *at = name_word(name, &length); length;
         at = name_word(at + length, &length)) {
        char word[32];
        if (length >= sizeof word)
            continue;
        for (size_t k = 0; k < length; k++)
            word[k] = ascii_lower(at[k]);
        word[length] = 0;
        if (building_noun(word))
            return true;
    }
    return false;
}

/* Has the object the shape of what its name ends in? A "lampSquareFloor" is
 * higher than broad, and a "bookcaseClosedDoors" no leaf. */
static bool static_shape_fits(const scene_object *o, const char *noun)
{
    static const char *const level[] = {"floor", "ceiling", "ground",
                                        "terrain"};
    static const char *const leaves[] = {"door", "window"};
    const double longer = 2 * math_max(o->box.half.x, o->box.half.y);
    const double shorter = 2 * math_min(o->box.half.x, o->box.half.y);
    if (WORD_IS_OF(noun, level))
        return 2 * o->box.half.z <= longer;
    return !WORD_IS_OF(noun, leaves) || shorter <= 0.5 * longer;
}

/* A "ukulele_wall" hangs there: no longer than an arm, well above the lowest
 * thing and below the topmost one. */
static bool static_hangs(const importer *m, const scene_object *o)
{
    const double arm = 0.8, above = 0.5, below = 0.3; /* metres */
    const double longer = 2 * math_max(o->box.half.x, o->box.half.y);
    const bool short_enough = math_max(longer, o->max.z - o->min.z) < arm;
    return short_enough && o->min.z > m->s->min.z + above &&
           o->max.z < m->s->max.z - below;
}

/* Of what is made for a building, so much smaller than that is none of it: a
 * "picture_book_floor" lies there. Windows and doors are as small as they like,
 * and so is what is called nothing else. */
static const char *static_noun_fits(const importer *m, uint32_t index)
{
    static const char *const broad[] = {"wall",   "floor", "ceiling",
                                        "ground", "roof",  "terrain"};
    /* metres; of the scene's largest side */
    const double least = 0.6, share = 0.15;
    const scene_object *o = &m->objects[index];
    const vec3 size = v3_sub(o->max, o->min);
    const vec3 all = v3_sub(m->s->max, m->s->min);
    const double longest = math_max(size.x, math_max(size.y, size.z));
    const bool small =
        longest < least &&
        longest < share * math_max(all.x, math_max(all.y, all.z));
    const char *noun = static_noun(o->name);
    char last[32];
    if (!noun || static_head_noun(o->name, last) < 2)
        return noun;
    if (!static_shape_fits(o, noun))
        return NULL;
    const bool hangs = strcmp(noun, "wall") == 0 && static_hangs(m, o);
    return (small || hangs) && WORD_IS_OF(noun, broad) ? NULL : noun;
}

/* ---- static by shape ---- */

static bool object_has_point(vec3 p, const scene_object *o)
{
    vec3 nearest = v3_min(v3_max(p, o->min), o->max);
    return nearest.x == p.x && nearest.y == p.y && nearest.z == p.z;
}

static bool encloses_half(const importer *m, uint32_t index)
{
    uint32_t others = 0, within = 0;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (i != index && !scene_is_aside(&m->objects[i])) {
            others++;
            within += object_has_point(object_middle(&m->objects[i]),
                                       &m->objects[index]);
        }
    }
    return others > 0 && 2 * (uint64_t)within >= others;
}

static bool object_is_wide(const scene *s, const scene_object *o)
{
    const double scene_area = (s->max.x - s->min.x) * (s->max.y - s->min.y);
    const double area = 4 * o->box.half.x * o->box.half.y;
    return scene_area > 0 && area >= 0.4 * scene_area;
}

bool scene_is_ground(const scene *s, const scene_object *o)
{
    return object_is_wide(s, o) && o->min.z <= s->min.z + NEAR_PLANE;
}

/* Wide, and lowest, topmost or around the rest. */
static const char *static_shape(const importer *m, uint32_t index)
{
    const scene_object *o = &m->objects[index];
    const scene *s = m->s;
    double thin = 2 * math_min(o->box.half.x, o->box.half.y);
    if (object_is_wide(s, o)) {
        if (scene_is_ground(s, o)) {
            return "its footprint covers at least 40 % of the scene and it is lowest";
        }
        if (o->max.z >= s->max.z - NEAR_PLANE) {
            return "its footprint covers at least 40 % of the scene and it is topmost";
        }
        if (encloses_half(m, index)) {
            return "its footprint covers at least 40 % of the scene and it encloses half of the objects";
        }
    }
    return 2 * o->box.half.z >= 1.8 && thin < 0.3
               ? "at least 1.8 m tall and less than 0.3 m thick"
               : NULL;
}

/* Whether something says that the object stays where it is: the file first,
 * then its name, then its shape. *ret_rule: what; NULL with true: no memory to
 * say it. */
static bool static_rule(importer *m, uint32_t index, const char **ret_rule)
{
    const scene_object *o = &m->objects[index];
    bool told = o->instance == SCENE_NONE &&
                json_is_true(json_object_get(side_told(m, o->node), "static"));
    if (told) {
        *ret_rule = "the file says so";
        return true;
    }
    const char *noun = static_noun_fits(m, index);
    if (noun) {
        *ret_rule = etna_arena_printf(&m->own->arena, "its name says %s", noun);
        return true;
    }
    *ret_rule = static_shape(m, index);
    return *ret_rule != NULL;
}

void statics_mark(importer *m)
{
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        scene_object *o = &m->objects[i];
        if (o->is_static || scene_is_aside(o)) {
            continue;
        }
        const char *rule;
        bool is_fixed = static_rule(m, i, &rule);
        if (is_fixed && !object_set_static(m->own, o, rule))
            m->no_memory = true;
    }
}
