/* See timer_heap.h: a binary heap of pointers, each member knowing its
 * place. */
#include "proto/timer_heap.h"

#include <assert.h>
#include <stdlib.h>

/* A total order: no two members of a heap have the same id. */
static bool due_is_sooner(const due *a, const due *b)
{
    return a->at != b->at ? a->at < b->at : a->id < b->id;
}

static void due_put(due_heap *h, size_t place, due *d)
{
    h->members[place - 1] = d;
    d->place = place;
}

/* Moves `d`, which may stand anywhere, from `place` to where it belongs. */
static void due_settle(due_heap *h, size_t place, due *d)
{
    while (place > 1 && due_is_sooner(d, h->members[place / 2 - 1])) {
        due_put(h, place, h->members[place / 2 - 1]);
        place /= 2;
    }
    for (size_t child; (child = 2 * place) <= h->count; place = child) {
        if (child < h->count &&
            due_is_sooner(h->members[child], h->members[child - 1]))
            child++;
        if (!due_is_sooner(h->members[child - 1], d))
            break;
        due_put(h, place, h->members[child - 1]);
    }
    due_put(h, place, d);
}

bool due_set(due_heap *h, due *d, uint64_t at)
{
    if (!d->place && h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 16;
        due **members = realloc(h->members, room * sizeof *members);
        if (!members)
            return false;
        h->members = members;
        h->room = room;
    }
    assert(!d->place || h->members[d->place - 1] == d); /* in no other heap */
    d->at = at;
    due_settle(h, d->place ? d->place : ++h->count, d);
    return true;
}

void due_drop(due_heap *h, due *d)
{
    if (!d->place)
        return;
    /* it is in this heap */
    assert(d->place <= h->count && h->members[d->place - 1] == d);
    due *last = h->members[--h->count];
    if (last != d)
        due_settle(h, d->place, last);
    d->place = 0;
}

due *due_first(const due_heap *h)
{
    return h->count ? h->members[0] : NULL;
}

void due_free(due_heap *h)
{
    free(h->members);
    *h = (due_heap){0};
}
