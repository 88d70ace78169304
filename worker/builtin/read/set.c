/* See read/set.h. */
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

bool set_has(const builtin_set *set, uint32_t object)
{
    return number_is_of(object, set->objects, set->count);
}

bool reading_moves(const builtin_reading *reading,
                   uint32_t from,
                   uint32_t object)
{
    for (uint32_t i = from; i < reading->count; i++) {
        if (set_has(&reading->moves[i].objects, object))
            return true;
    }
    return false;
}

bool reading_moves_any(const builtin_reading *reading,
                       uint32_t from,
                       const builtin_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (reading_moves(reading, from, set->objects[i]))
            return true;
    }
    return false;
}

bool set_is_within(const builtin_set *part, const builtin_set *whole)
{
    for (uint32_t i = 0; i < part->count; i++) {
        if (!set_has(whole, part->objects[i]))
            return false;
    }
    return true;
}

builtin_set set_one(const reader *r, uint32_t object)
{
    return (builtin_set){.count = 1, .objects = &r->indices[object], .need = 1};
}

/* Both ascending, and so is the result. */
etna_code set_union(reader *r,
                    const builtin_set *a,
                    const builtin_set *b,
                    builtin_set *ret)
{
    uint32_t *all =
        etna_arena_alloc(r->arena, a->count + b->count + 1u, sizeof *all);
    uint32_t count = 0, i = 0, k = 0;
    if (!all)
        return reader_no_memory(r);
    while (i < a->count || k < b->count) {
        bool first =
            k == b->count || (i < a->count && a->objects[i] <= b->objects[k]);
        uint32_t next = first ? a->objects[i++] : b->objects[k++];
        if (count == 0 || all[count - 1] != next)
            all[count++] = next;
    }
    *ret = (builtin_set){.count = count, .objects = all, .need = count};
    return ETNA_OK;
}

/* need shrinks with the count. */
etna_code set_without(reader *r,
                      const builtin_set *set,
                      const builtin_set *but,
                      builtin_set *ret)
{
    uint32_t *kept = etna_arena_alloc(r->arena, set->count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < set->count; i++) {
        if (!set_has(but, set->objects[i]))
            kept[count++] = set->objects[i];
    }
    *ret = (builtin_set){.count = count,
                         .objects = kept,
                         .need = set->need < count ? set->need : count};
    return ETNA_OK;
}

/* All objects that pass the test, ascending. */
etna_code set_filter(reader *r,
                     set_test *test,
                     const void *context,
                     builtin_set *ret)
{
    uint32_t *list =
        etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *list);
    uint32_t count = 0;
    if (!list)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (test(r, i, context))
            list[count++] = i;
    }
    *ret = (builtin_set){.count = count, .objects = list, .need = count};
    return ETNA_OK;
}

/* Of equals the first; BUILTIN_NONE: all ranks are infinite. */
uint32_t set_least(const reader *r,
                   const builtin_set *set,
                   set_rank *rank,
                   const void *context)
{
    uint32_t best = BUILTIN_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < set->count; i++) {
        double value = rank(r, set->objects[i], context);
        if (value >= least)
            continue;
        least = value;
        best = set->objects[i];
    }
    return best;
}

/* Stable; `slack`: differences up to this do not change the order. */
void set_sort(const reader *r,
              uint32_t *list,
              uint32_t count,
              double slack,
              set_rank *rank,
              const void *context)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t object = list[i];
        const double value = rank(r, object, context) + slack;
        uint32_t at = i;
        for (; at > 0 && value < rank(r, list[at - 1], context); at--)
            list[at] = list[at - 1];
        list[at] = object;
    }
}

static double set_way(const reader *r, uint32_t object, const void *context)
{
    const uint32_t *from = context;
    return object_way(r, object, *from);
}

uint32_t set_nearest(const reader *r, const builtin_set *set, uint32_t object)
{
    return set_least(r, set, set_way, &object);
}

etna_code set_deal(reader *r,
                   const builtin_set *set,
                   const builtin_set *from,
                   builtin_set *ret)
{
    uint32_t *list = etna_arena_alloc(r->arena, set->count + 1u, sizeof *list);
    builtin_set left = *from;
    if (!list)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < set->count; i++) {
        list[i] = set_nearest(r, &left, set->objects[i]);
        const builtin_set taken = set_one(r, list[i]);
        const etna_code code = set_without(r, &left, &taken, &left);
        if (code != ETNA_OK)
            return code;
    }
    return set_of_first(r, list, set->count, ret);
}

builtin_set set_all(const reader *r)
{
    const uint32_t count = r->facts->object_count;
    return (builtin_set){.count = count, .objects = r->indices, .need = count};
}

etna_code set_others(reader *r, const builtin_set *set, builtin_set *ret)
{
    const builtin_set all = set_all(r);
    return set_without(r, &all, set, ret);
}

etna_code set_of_first(reader *r,
                       const uint32_t *list,
                       uint32_t count,
                       builtin_set *ret)
{
    uint32_t *sorted = etna_arena_alloc(r->arena, count + 1u, sizeof *sorted);
    if (!sorted)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > list[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = list[i];
    }
    *ret = (builtin_set){.count = count, .objects = sorted, .need = count};
    return ETNA_OK;
}
