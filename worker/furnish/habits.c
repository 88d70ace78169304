/* The tables, and which row is a thing's. */
#include "worker/furnish/habits.h"
#include "proto/array.h"

#include <string.h>

#define N(...) \
    { \
        __VA_ARGS__ \
    }
#define I(thing, count, relation, to) \
    { \
        thing, count, false, BRIEF_##relation, to \
    }
#define P(thing, relation, to) \
    { \
        thing, 1, true, BRIEF_##relation, to \
    }

static const habits_kind kinds[] = {
#define KIND(kind, footing, front, seat, relation, ...) \
    {kind, HABITS_##footing, front, seat, BRIEF_##relation, {__VA_ARGS__}},
#include "worker/furnish/habits.inc"
#undef KIND
};

const habits_use habits_uses[] = {
#define USE(names, one_of, ...) {names, one_of, {__VA_ARGS__}},
#include "worker/furnish/habits.inc"
#undef USE
};
const uint32_t habits_use_count = COUNT_OF(habits_uses);

const habits_room habits_rooms[] = {
#define ROOM(names, category, core, ...) {names, category, core, {__VA_ARGS__}},
#include "worker/furnish/habits.inc"
#undef ROOM
};
const uint32_t habits_room_count = COUNT_OF(habits_rooms);

static const char *const on_floor[][2] = {
#define FLOOR(head, kind) {head, kind},
#include "worker/furnish/habits.inc"
#undef FLOOR
};

static const char *const overhead[][2] = {
#define OVER(head, kind, other) {head, kind},
#include "worker/furnish/habits.inc"
#undef OVER
};
static const char *const over_wall[][2] = {
#define OVER(head, kind, other) {head, other},
#include "worker/furnish/habits.inc"
#undef OVER
};

/* The kind behind the head's row; the head itself. */
static const char *kind_meant(const char *const (*rows)[2],
                              size_t count,
                              const char *head)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(head, rows[i][0]) == 0)
            return rows[i][1];
    }
    return head;
}

const char *habits_on_floor(const char *head)
{
    return kind_meant(on_floor, COUNT_OF(on_floor), head);
}

const char *habits_overhead(const char *head, bool at_wall)
{
    return kind_meant(at_wall ? over_wall : overhead, COUNT_OF(overhead), head);
}

static const habits_form forms[] = {
#define FORM(kind, low, high, wide, broad, usual) \
    {kind, low, high, wide, broad, usual},
#include "worker/furnish/habits.inc"
#undef FORM
};

const habits_form *habits_form_of(const char *head)
{
    uint32_t least = UINT32_MAX;
    const habits_form *own = NULL;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        uint32_t distance = kinds_distance(head, forms[i].kind);
        if (distance >= KINDS_NEAR || distance >= least)
            continue;
        least = distance;
        own = &forms[i];
    }
    return own;
}

bool habits_form_fits(const char *head, const double size[3])
{
    const habits_form *own = habits_form_of(head);
    if (!own)
        return true;
    double wide = size[0] > size[2] ? size[0] : size[2];
    bool is_high = size[1] >= own->low && size[1] <= own->high;
    bool is_wide = wide >= own->broad && (own->wide <= 0 || wide <= own->wide);
    return is_high && is_wide;
}

bool habits_is(const char *head, const char *kind)
{
    return kinds_distance(head, kind) < KINDS_NEAR;
}

/* A row of that very name goes before all that the dictionary has as the same:
 * to it a wall clock is a clock. */
const habits_kind *habits_of(const char *head)
{
    kinds_id named;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(kinds[i].kind, head) == 0)
            return &kinds[i];
    }
    return kinds_find(head, &named) ? habits_of_kind(&named) : NULL;
}

/* The nearest row of the table; NULL: none is near. */
const habits_kind *habits_of_kind(const kinds_id *named)
{
    kinds_id row;
    const habits_kind *best = NULL;
    uint32_t least = KINDS_NEAR;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (!kinds_find(kinds[i].kind, &row))
            continue;
        uint32_t distance = kinds_id_distance(named, &row);
        if (distance >= least)
            continue;
        least = distance;
        best = &kinds[i];
    }
    return best;
}
