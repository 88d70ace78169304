/* Furniture that is told by more than its name: a nightstand is whatever small
 * piece stands by a bed, be it called cabinet or table; a shelf is a board of
 * what has several. */
#include "worker/builtin/read/refer_internal.h"

/* A kind, what such a piece may be called, what it stands beside, and how large
 * it is, metres. */
typedef struct beside_kind {
    const char *kind, *called[4], *by;
    double lowest, highest;
    double longest; /* its longer side */
} beside_kind;

typedef struct beside_search {
    const reader *r;
    const beside_kind *kind;
} beside_search;

/* NULL: it is told by its name or not at all. */
static const beside_kind *beside_kind_find(const kinds_id *said)
{
    static const beside_kind kinds[] = {
        {"nightstand",
         {"table", "cabinet", "storage furniture", "stand"},
         "bed",
         0.25,
         0.9,
         0.8}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        kinds_id kind;
        kinds_find(kinds[i].kind, &kind);
        if (said->self_count > 0 && kinds_id_distance(&kind, said) < KINDS_STEP)
            return &kinds[i];
    }
    return NULL;
}

static bool object_has_size(const beside_search *search, uint32_t object)
{
    const builtin_object *o = object_at(search->r, object);
    const double height = 2 * o->half[2];
    return height >= search->kind->lowest && height <= search->kind->highest &&
           2 * builtin_half_longer(o) <= search->kind->longest;
}

static bool object_may_be_called(const beside_search *search, uint32_t object)
{
    for (size_t i = 0; i < COUNT_OF(search->kind->called); i++) {
        if (object_is_kind(search->r, object, search->kind->called[i]))
            return true;
    }
    return false;
}

static bool object_is_beside(const void *context, uint32_t object)
{
    const double close = 0.6; /* metres */
    const beside_search *search = context;
    const reader *r = search->r;
    const bool bears =
        object_bears_things(r, object) && object_is_on_floor(r, object);
    if (!bears || !object_may_be_called(search, object) ||
        !object_has_size(search, object))
        return false;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i != object && object_is_kind(r, i, search->kind->by) &&
            object_way(r, i, object) < close)
            return true;
    }
    return false;
}

/* Is any of them called so, and not merely a kind of what the kind is? */
static bool candidates_are_so(const resolution *t)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        if (kinds_id_distance(&t->r->kinds[object], &t->query.said) <
            KINDS_BELOW)
            return true;
    }
    return false;
}

bool object_is_told_beside(const reader *r,
                           uint32_t object,
                           const kinds_id *said)
{
    const beside_search search = {.r = r, .kind = beside_kind_find(said)};
    return search.kind && object_is_beside(&search, object);
}

void gather_beside(const resolution *t, candidates *ret)
{
    enum {
        COST_BESIDE = 30
    };
    const beside_search search = {.r = t->r,
                                  .kind = beside_kind_find(&t->query.said)};
    ret->count = 0;
    if (!search.kind || candidates_are_so(t))
        return;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        if (object_is_beside(&search, i) && gather_allows(t, i))
            candidates_add(ret, i, COST_BESIDE);
    }
}

void gather_shelved(const resolution *t, candidates *ret)
{
    enum {
        COST_SHELVED = 30,
        SHELVES_LEAST = 3
    };
    const uint32_t count = t->word_count;
    const char *const noun = count > 0 ? t->words[count - 1] : "";
    ret->count = 0;
    if (t->scope.movers || t->plural || !builtin_is_level_noun(noun))
        return;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        if (kinds_id_distance(&t->r->kinds[object], &t->query.said) <
                KINDS_NEAR ||
            builtin_shelves(t->r->facts, object) >= SHELVES_LEAST)
            return;
    }
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        if (builtin_shelves(t->r->facts, i) >= SHELVES_LEAST &&
            !object_at(t->r, i)->is_static && gather_allows(t, i))
            candidates_add(ret, i, COST_SHELVED);
    }
}
