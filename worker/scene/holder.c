/* A holder is a group when what it holds falls into several stacks that do not
 * touch each other, when nothing in it holds together but by standing on
 * something, or when it is called one. It is one thing when its parts are named
 * as such, or when something in it stands on several others, as a seat on its
 * legs. */
#include "worker/scene/holder.h"
#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/scene/scene_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_LEAST = 3, /* things that make a group of what holds them */
    WORD_LEAST = 3   /* letters of a word that says something */
};

extent extent_join(extent a, extent b)
{
    return (extent){v3_min(a.min, b.min), v3_max(a.max, b.max)};
}

bool extent_touches(const extent *a, const extent *b)
{
    vec3 above = v3_sub(a->min, b->max);
    vec3 below = v3_sub(b->min, a->max);
    vec3 apart = v3_max(above, below);
    return apart.x < TOUCH && apart.y < TOUCH && apart.z < TOUCH;
}

/* Of two things that are hardly higher than what counts as touching, any two
 * heights are near each other: the keys of a computer mouse lie in it and not on
 * it. */
static double rest_gap(const extent *a, const extent *b)
{
    const double high = fmax(a->max.z - a->min.z, b->max.z - b->min.z);
    return fmin(TOUCH, 0.2 * high);
}

bool extent_rests(const extent *a, const extent *b)
{
    const double near = rest_gap(a, b);
    return fabs(a->min.z - b->max.z) < near || fabs(b->min.z - a->max.z) < near;
}

/* ---- stacks ---- */

/* Units that hold together, by union and find. */
typedef struct stacks {
    const holder *of;
    holder_unit *units; /* sorted by where they begin along x */
    uint32_t count;
    uint32_t *parent;
    uint32_t *legs; /* of each: how many others on the ground it stands on */
    double ground;  /* the lowest of all */
    bool is_tied;   /* two hold together but by one standing on the other */
} stacks;

/* For the sweep along x. */
static int unit_order(const void *a, const void *b)
{
    const holder_unit *x = a, *y = b;
    return x->box.min.x < y->box.min.x ? -1 : x->box.min.x > y->box.min.x;
}

static uint32_t stacks_root(stacks *s, uint32_t i)
{
    while (s->parent[i] != i) {
        s->parent[i] = s->parent[s->parent[i]];
        i = s->parent[i];
    }
    return i;
}

/* What lies on the ground and is hardly higher than a carpet bears everything,
 * and holds nothing together. */
static bool unit_is_carpet(const stacks *s, const holder_unit *u)
{
    const double thin = 0.03; /* metres */
    return u->box.max.z - u->box.min.z < thin &&
           u->box.min.z - s->ground < TOUCH;
}

/* Counts a leg of the upper of two where the lower stands on the ground and the
 * upper on that. */
static void stacks_count_leg(stacks *s, uint32_t i, uint32_t j)
{
    const extent *a = &s->units[i].box;
    const extent *b = &s->units[j].box;
    const uint32_t upper = a->min.z > b->min.z ? i : j;
    const extent *leg = upper == i ? b : a;
    const bool is_carpet = unit_is_carpet(s, &s->units[upper == i ? j : i]);
    if (leg->min.z - s->ground < TOUCH && !is_carpet)
        s->legs[upper]++;
}

/* Two that touch. */
static void stacks_tie(stacks *s, uint32_t i, uint32_t j)
{
    const extent *a = &s->units[i].box;
    const extent *b = &s->units[j].box;
    if (extent_rests(a, b)) {
        stacks_count_leg(s, i, j);
    } else {
        s->is_tied = true;
    }
    if (!unit_is_carpet(s, &s->units[i]) && !unit_is_carpet(s, &s->units[j]))
        s->parent[stacks_root(s, i)] = stacks_root(s, j);
}

static bool stacks_touch(const stacks *s,
                         const holder_unit *a,
                         const holder_unit *b)
{
    return extent_touches(&a->box, &b->box) &&
           s->of->touch(s->of->context, a, b);
}

/* A sweep along x. What is too much to look at is all one. */
static void stacks_sweep(stacks *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const double end = s->units[i].box.max.x + TOUCH;
        for (uint32_t j = i + 1; j < s->count && s->units[j].box.min.x < end;
             j++) {
            if (!*s->of->tests_left)
                return;
            --*s->of->tests_left;
            if (stacks_touch(s, &s->units[i], &s->units[j]))
                stacks_tie(s, i, j);
        }
    }
}

/* False: no memory. */
static bool stacks_find(stacks *s,
                        const holder *of,
                        holder_unit *units,
                        uint32_t count)
{
    *s = (stacks){.of = of, .units = units, .count = count, .ground = INFINITY};
    s->parent = malloc(((size_t)count + 1) * sizeof *s->parent);
    s->legs = calloc((size_t)count + 1, sizeof *s->legs);
    if (!s->parent || !s->legs)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        s->parent[i] = i;
        s->ground = fmin(s->ground, units[i].box.min.z);
    }
    if (count)
        qsort(units, count, sizeof *units, unit_order);
    stacks_sweep(s);
    return true;
}

static void stacks_free(stacks *s)
{
    free(s->parent);
    free(s->legs);
}

/* How many stacks there are, carpets aside. */
static uint32_t stacks_count(stacks *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += stacks_root(s, i) == i && !unit_is_carpet(s, &s->units[i]);
    return count;
}

/* Does something stand on two or more that stand on the ground? */
static bool stacks_have_legs(const stacks *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->legs[i] > 1)
            return true;
    }
    return false;
}

/* ---- names ---- */

/* Is one word the beginning of the other: "arm" of "armchair"? */
static bool words_begin_alike(const char *a,
                              size_t a_length,
                              const char *b,
                              size_t b_length)
{
    const size_t length = a_length < b_length ? a_length : b_length;
    size_t same = 0;
    while (same < length && ascii_lower(a[same]) == ascii_lower(b[same]))
        same++;
    return length >= WORD_LEAST && same == length;
}

bool name_is_after(const char *name, const char *other)
{
    size_t first_length;
    size_t length;
    const char *first = name_word(name, &first_length);
    for (const char *word = name_word(other, &length); length;
         word = name_word(word + length, &length)) {
        if (words_begin_alike(first, first_length, word, length))
            return true;
    }
    return false;
}

typedef enum word_sense {
    SENSE_THING, /* a word that says nothing of all this, such as "sofa" */
    SENSE_PART,
    SENSE_SIDE,
    SENSE_PROGRAM,
    SENSE_GROUP
} word_sense;

static const struct {
    const char *word;
    word_sense sense;
} senses[] = {
#define WORD(word, sense) {word, SENSE_##sense},
#include "worker/scene/words.inc"
#undef WORD
};

static word_sense word_sense_of(const char *word, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(senses); i++) {
        if (strlen(senses[i].word) == length &&
            words_begin_alike(word, length, senses[i].word, length))
            return senses[i].sense;
    }
    return SENSE_THING;
}

/* By its last word; words as "left" and those of programs are passed over where
 * there is another, and so are words of one or two letters: "leg_front_left" is
 * a leg, and "Side_Table" none. */
static word_sense name_sense(const char *name)
{
    word_sense ret = SENSE_PROGRAM;
    size_t length;
    for (const char *word = name_word(name, &length); length;
         word = name_word(word + length, &length)) {
        const word_sense sense =
            length < WORD_LEAST ? SENSE_PROGRAM : word_sense_of(word, length);
        const bool is_passed = sense == SENSE_PROGRAM || sense == SENSE_SIDE;
        if (!is_passed || ret == SENSE_PROGRAM)
            ret = sense;
    }
    return ret;
}

/* Does every child's name say that it is a part: named after the holder
 * ("Cart_Wheels" of a "Luggage_Cart"), as a part of anything, or not at all? */
static bool children_are_parts(const holder *h)
{
    for (uint32_t i = 0; i < h->child_count; i++) {
        const char *name = h->children[i].name;
        const word_sense sense = name_sense(name);
        const bool is_part = sense == SENSE_PART || sense == SENSE_SIDE ||
                             sense == SENSE_PROGRAM;
        if (!is_part && !name_is_after(name, h->name))
            return false;
    }
    return true;
}

/* Has every child the name of a thing, or of a group, of its own? */
static bool children_are_things(const holder *h)
{
    for (uint32_t i = 0; i < h->child_count; i++) {
        const word_sense sense = name_sense(h->children[i].name);
        if (sense != SENSE_THING && sense != SENSE_GROUP)
            return false;
    }
    return true;
}

/* "Lamp_Metal_0" and "Lamp_Glass_0" of "Lamp": what converters make of a mesh of
 * several materials. */
static bool children_are_materials(const holder *h)
{
    const size_t length = strlen(h->name);
    if (length < WORD_LEAST)
        return false;
    for (uint32_t i = 0; i < h->child_count; i++) {
        const char *name = h->children[i].name;
        const char *end = strrchr(name, '_');
        const bool is_one = strncmp(name, h->name, length) == 0 &&
                            name[length] == '_' && strcmp(end, "_0") == 0;
        if (!is_one)
            return false;
    }
    return h->child_count > 0;
}

/* ---- rules ---- */

/* No more than a wardrobe or a bed has. */
static bool holder_is_handy(const holder *h)
{
    const double most = 3; /* metres */
    extent all = EXTENT_EMPTY;
    for (uint32_t i = 0; i < h->child_count; i++)
        all = extent_join(all, h->children[i].box);
    const vec3 size = v3_sub(all.max, all.min);
    return size.x <= most && size.y <= most && size.z <= most;
}

/* As broad as what is static for its size, with walls or a floor in it. */
static bool holder_is_building(const holder *h)
{
    const double share = 0.4;
    uint32_t named = 0;
    extent all = EXTENT_EMPTY;
    for (uint32_t i = 0; i < h->child_count; i++) {
        all = extent_join(all, h->children[i].box);
        named += static_names_building(h->children[i].name);
    }
    const vec3 size = v3_sub(all.max, all.min);
    const vec3 whole = v3_sub(h->scene.max, h->scene.min);
    return named > 1 && size.x * size.y >= share * whole.x * whole.y;
}

/* A thing whose parts are said to be such, or that stands on legs. */
static bool holder_is_thing(const holder *h, bool has_legs)
{
    const word_sense own = name_sense(h->name);
    const bool has_name = own != SENSE_GROUP && own != SENSE_PROGRAM;
    return holder_is_handy(h) &&
           (has_legs || (has_name && children_are_parts(h)));
}

/* Nobody would call it a thing, and everything in it has a name. */
static bool holder_is_named_a_group(const holder *h)
{
    const word_sense own = name_sense(h->name);
    return (own == SENSE_GROUP || own == SENSE_PROGRAM) &&
           children_are_things(h);
}

/* By what touches what among the things that the children are, if they are. */
static bool units_are_a_group(const holder *h, etna_code *ret_code)
{
    stacks s;
    bool is_group = false;
    if (!stacks_find(&s, h, h->units, h->unit_count)) {
        *ret_code = ETNA_E_NOMEM;
    } else {
        const uint32_t count = stacks_count(&s);
        const bool is_one = count == 1 && holder_is_thing(h, false);
        is_group = *h->tests_left && !is_one && count >= GROUP_LEAST;
    }
    stacks_free(&s);
    return is_group;
}

/* No two of the children hold together but by one standing on another, and none
 * has legs. */
static bool children_are_apart(const holder *h, etna_code *ret_code)
{
    stacks s;
    bool are_apart = false;
    if (h->child_count < GROUP_LEAST)
        return false;
    if (!stacks_find(&s, h, h->children, h->child_count)) {
        *ret_code = ETNA_E_NOMEM;
    } else {
        const bool is_one =
            stacks_count(&s) == 1 && holder_is_thing(h, stacks_have_legs(&s));
        are_apart = !s.is_tied && *h->tests_left && !is_one;
    }
    stacks_free(&s);
    return are_apart;
}

bool holder_is_group(const holder *h, etna_code *ret_code)
{
    /* who wraps one child alone, wraps it as one thing */
    if (h->child_count < 2 || children_are_materials(h))
        return false;
    if (holder_is_building(h) || holder_is_named_a_group(h))
        return true;
    return units_are_a_group(h, ret_code) ||
           (!*ret_code && children_are_apart(h, ret_code));
}
