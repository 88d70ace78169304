/* See read/trait.h. */
#include "worker/builtin/read/trait.h"

bool object_is_ground(const reader *r, uint32_t object)
{
    return builtin_is_ground(object_at(r, object));
}

bool object_is_wall_like(const reader *r, uint32_t object)
{
    return builtin_is_wall_like(object_at(r, object));
}

bool object_bounds_place(const reader *r, uint32_t object)
{
    return object_is_wall_like(r, object) ||
           object_is_of(r, object, NOUNS_BARRIERS);
}

bool object_is_kind(const reader *r, uint32_t object, const char *kind)
{
    kinds_id id;
    return kinds_find(kind, &id) &&
           kinds_id_distance(&r->kinds[object], &id) < KINDS_STEP * 4;
}

bool object_is_table(const reader *r, uint32_t object)
{
    return object_is_kind(r, object, "table") ||
           object_is_kind(r, object, "desk");
}

bool object_has_word(const builtin_object *o, const char *word)
{
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (builtin_same_word(o->words[i], word))
            return true;
    }
    return false;
}

bool object_is_seat(const reader *r, uint32_t object)
{
    return builtin_is_seat(object_at(r, object));
}

bool object_is_shelf(const reader *r, uint32_t object)
{
    return object_is_kind(r, object, "shelf") ||
           object_is_kind(r, object, "bookcase") ||
           object_is_kind(r, object, "rack");
}

static bool object_is_floor_under(const reader *r,
                                  uint32_t by,
                                  const builtin_object *o)
{
    const double carpet = 0.02, knee = 1.2; /* halves of heights, metres */
    const builtin_object *b = object_at(r, by);
    if (b->half[2] < carpet)
        return true;
    if (!b->is_static)
        return false;
    bool low = b->half[2] < knee && !object_is_wall_like(r, by);
    return low || builtin_foot(o) < b->centre[2];
}

bool object_is_on_floor(const reader *r, uint32_t object)
{
    const builtin_object *o = object_at(r, object);
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (object_is_floor_under(r, o->by[i], o))
            return true;
    }
    return false;
}

bool object_is_furniture(const reader *r, uint32_t object)
{
    const double flat = 0.22, standing = 0.2,
                 anywhere = 0.45; /* metres; the last two of half a side */
    const builtin_object *o = object_at(r, object);
    double large = builtin_half_longer(o) > o->half[2] ? builtin_half_longer(o)
                                                       : o->half[2];
    if (2 * o->half[2] < flat)
        return false; /* a cushion, a tray, a board */
    return large > anywhere ||
           (large > standing && object_is_on_floor(r, object));
}

bool object_is_loose(const reader *r, uint32_t object)
{
    const double wide = 0.45; /* metres of half a side: a mattress, a carpet */
    return !object_is_furniture(r, object) &&
           builtin_half_longer(object_at(r, object)) <= wide;
}

bool object_bears_things(const reader *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->surface_count; i++) {
        if (r->facts->surfaces[i].object == object)
            return true;
    }
    return false;
}

double object_area(const reader *r, uint32_t object)
{
    const builtin_object *o = object_at(r, object);
    return o->half[0] * o->half[1];
}

double object_way(const reader *r, uint32_t object, uint32_t other)
{
    return where_between(object_at(r, object), object_at(r, other));
}

double object_bit(const reader *r, uint32_t object)
{
    /* of the thing's width; metres */
    const double share = 0.25, least = 0.06, most = 0.2;
    double bit = share * 2 * builtin_half_longer(object_at(r, object));
    if (bit < least)
        return least;
    return bit > most ? most : bit;
}

bool object_is_of(const reader *r, uint32_t object, noun_class class)
{
    for (const char *const *noun = nouns_of(class); *noun; noun++) {
        if (object_is_kind(r, object, *noun))
            return true;
    }
    return false;
}

bool object_is_called_of(reader *r, uint32_t object, noun_class class)
{
    for (const char *const *noun = nouns_of(class); *noun; noun++) {
        match_query q;
        if (reader_query(r, noun, 1, &q) != ETNA_OK)
            return false;
        if (reader_match(r, object, &q).cost < MATCH_NONE)
            return true;
    }
    return false;
}

bool object_lives_on_ground(reader *r, uint32_t object)
{
    return object_is_called_of(r, object, NOUNS_ON_GROUND);
}

bool object_lies_long(const reader *r, uint32_t object)
{
    return object_is_of(r, object, NOUNS_LONG);
}
