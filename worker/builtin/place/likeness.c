/* See place/likeness.h. Size is all that facts tell of a shape; as it is
 * measured along the thing's own axes and must be the same in all three, two
 * copies of one mesh are found and little else. */
#include "worker/builtin/place/likeness.h"

#include "proto/array.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 8, /* of what one is called after */
    /* of one height that are looked at; where there are more, height tells
     * nothing */
    LIKE_MAX = 256
};

/* The last word that says what it is: no colour, number or side. */
const char *builtin_noun(const builtin_object *o)
{
    const char *side = NULL;
    for (uint32_t k = o->word_count; k > 0 && k >= o->shared_words; k--) {
        const char *word = o->words[k - 1];
        const bool number = word[0] <= '9';
        if (number || lexicon_colour(word))
            continue;
        if (!lexicon_lists("$side", word))
            return word;
        side = side ? side : word; /* "armchair right" is an armchair */
    }
    return side;
}

/* Is it what programs call a thing, or a mark that tells one from another? */
static bool word_is_given(const char *word)
{
    static const char *const given[] = {
        "object", "mesh",      "node",    "cube",     "sphere",     "icosphere",
        "model",  "primitive", "solid",   "geometry", "item",       "shape",
        "part",   "cylinder",  "group",   "plane",    "cone",       "torus",
        "circle", "curve",     "polygon", "obj",      "polysurface"};
    return WORD_IS_OF(word, given) || strlen(word) < 2 || word[0] <= '9';
}

/* Every word is one that programs give: "Mesh", "Cube", numbers. */
bool builtin_is_anonymous(const builtin_object *o)
{
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (!word_is_given(o->words[i]))
            return false;
    }
    return true;
}

/* No word of it is a known thing. */
bool builtin_is_unnamed(const builtin_object *o)
{
    for (uint32_t i = 0; i < o->word_count; i++) {
        const char *const word = o->words[i];
        const bool told = !lexicon_colour(word) && kinds_known(word);
        if (told && !word_is_given(word))
            return false;
    }
    return true;
}

/* ---- which are alike ---- */

/* Within half a millimetre or half a percent. */
static bool lengths_same(double a, double b)
{
    const double least = 5e-4; /* metres */
    const double share = 5e-3;
    return fabs(a - b) <= fmax(least, share * fmax(a, b));
}

/* In all three sizes, turned or not. */
static bool objects_alike(const builtin_object *a, const builtin_object *b)
{
    /* which way a thing looks is found by marks that one copy may lack */
    const bool plain = lengths_same(a->half[0], b->half[0]) &&
                       lengths_same(a->half[1], b->half[1]);
    const bool across = lengths_same(a->half[0], b->half[1]) &&
                        lengths_same(a->half[1], b->half[0]);
    return (plain || across) && lengths_same(a->half[2], b->half[2]);
}

/* Equal ones keep their order. */
static int compare_heights(const void *a, const void *b, void *context)
{
    const builtin_object *objects = context;
    const uint32_t i = *(const uint32_t *)a;
    const uint32_t k = *(const uint32_t *)b;
    const double x = objects[i].half[2];
    const double y = objects[k].half[2];
    if (x != y)
        return x < y ? -1 : 1;
    return (i > k) - (i < k);
}

/* Indices by height of what has a name that others may have, too. */
typedef struct named_list {
    const builtin_object *objects;
    uint32_t count;
    uint32_t *indices;
} named_list;

/* By halving; the first that is not lower. */
static uint32_t named_first(const named_list *named, double half_height)
{
    uint32_t low = 0;
    uint32_t high = named->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (named->objects[named->indices[middle]].half[2] < half_height)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- what they are called ---- */

/* What a thing is, and neither which one nor how it is. */
static bool word_is_noun(const char *word)
{
    bool superlative;
    const bool tells_which =
        lexicon_colour(word) || lexicon_number(word) || lexicon_material(word);
    const bool tells_how = lexicon_size(word, &superlative) != 0 ||
                           lexicon_is_mere_adjective(word) ||
                           lexicon_lists("$side", word);
    return !tells_which && !tells_how && kinds_known(word);
}

typedef struct likeness {
    uint32_t count;
    const char *words[WORDS_MAX];
    const char *noun; /* NULL: nothing is like it */
} likeness;

/* What its likes would be called. */
static void likeness_begin(likeness *l, const builtin_object *o)
{
    l->noun = builtin_noun(o);
    for (uint32_t i = o->shared_words; i < o->word_count; i++) {
        if (word_is_noun(o->words[i]) && l->count < WORDS_MAX)
            l->words[l->count++] = o->words[i];
    }
}

/* Only the words of all of them stay. */
static void likeness_narrow(likeness *l, const builtin_object *o)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (word_is_of(l->words[i], o->words, o->word_count))
            l->words[kept++] = l->words[i];
    }
    l->count = kept;
}

/* False: it is like things of several names, or like none. */
static bool likeness_find(const named_list *named,
                          const builtin_object *o,
                          likeness *ret)
{
    const double slack = 1e-2; /* more than lengths_same allows */
    const double low = o->half[2] * (1 - slack) - 1e-3;
    const double high = o->half[2] * (1 + slack) + 1e-3;
    const uint32_t first = named_first(named, low);
    *ret = (likeness){0};
    for (uint32_t i = first; i < named->count; i++) {
        const builtin_object *other = &named->objects[named->indices[i]];
        if (other->half[2] > high)
            break;
        if (i - first == LIKE_MAX)
            return false;
        if (!objects_alike(o, other))
            continue;
        if (ret->noun && strcmp(ret->noun, builtin_noun(other)) != 0)
            return false;
        if (!ret->noun)
            likeness_begin(ret, other);
        else
            likeness_narrow(ret, other);
    }
    return ret->count > 0 && strcmp(ret->words[ret->count - 1], ret->noun) == 0;
}

/* Its own words stay as hints. False: out of memory. */
static bool object_take_name(builtin_object *o,
                             const likeness *l,
                             etna_arena *arena)
{
    const char **hints = etna_arena_alloc(
        arena, o->hint_count + o->word_count + 1u, sizeof *hints);
    const char *const *words =
        etna_arena_memdup(arena, l->words, l->count * sizeof *l->words);
    if (!hints || !words)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->hint_count; i++)
        hints[count++] = o->hints[i];
    for (uint32_t i = 0; i < o->word_count; i++)
        hints[count++] = o->words[i];
    o->hints = hints;
    o->hint_count = count;
    o->shared_words = 0;
    builtin_object_call(o, words, l->count);
    return true;
}

/* Static things are alike too easily. */
static bool object_lends_name(const builtin_object *o)
{
    const char *noun = builtin_noun(o);
    const bool is_named = noun && word_is_noun(noun);
    return !o->is_static && !builtin_is_unnamed(o) && is_named;
}

/* A chair called "Cube.013" is a chair when another of its measures is called
 * one. */
etna_code builtin_name_by_likeness(builtin_object *objects,
                                   uint32_t count,
                                   etna_arena *arena,
                                   etna_error *err)
{
    named_list named = {.objects = objects};
    named.indices = etna_arena_alloc(arena, count + 1u, sizeof *named.indices);
    uint32_t *unnamed = etna_arena_alloc(arena, count + 1u, sizeof *unnamed);
    uint32_t unnamed_count = 0;
    if (!named.indices || !unnamed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading facts");
    for (uint32_t i = 0; i < count; i++) {
        const builtin_object *o = &objects[i];
        if (object_lends_name(o))
            named.indices[named.count++] = i;
        else if (!o->is_static && builtin_is_anonymous(o))
            unnamed[unnamed_count++] = i;
    }
    if (unnamed_count == 0)
        return ETNA_OK;
    qsort_r(named.indices, named.count, sizeof *named.indices, compare_heights,
            objects);
    for (uint32_t i = 0; i < unnamed_count; i++) {
        likeness l;
        builtin_object *const o = &objects[unnamed[i]];
        const bool found = likeness_find(&named, o, &l);
        if (found && !object_take_name(o, &l, arena))
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading facts");
    }
    return ETNA_OK;
}
