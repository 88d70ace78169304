/* What is due when: a heap whose members lie in what they are of. The first one
 * is at hand; setting, moving or dropping one costs the logarithm of how many
 * there are. Of several at one time the lowest id comes first, so that the
 * order is the same everywhere. Pure. */
#ifndef ETNA_PROTO_TIMER_HEAP_H
#define ETNA_PROTO_TIMER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct due { /* all zero but its id: in no heap */
    uint64_t at, id;
    size_t place; /* in its heap, from 1; 0: in none */
} due;

typedef struct due_heap { /* all zero is empty */
    due **members;
    size_t count, room;
} due_heap;

/* Puts `d` into the heap, due at `at`, or moves it when it is there already.
 * False: out of memory, which a move never is. `d` may be in no other heap, and
 * its id may not change while it is in this one. */
bool due_set(due_heap *h, due *d, uint64_t at);
/* Takes it out; one that is in no heap is fine. To be called before the struct
 * that holds it is freed. */
void due_drop(due_heap *h, due *d);
/* The one due soonest, still in the heap; NULL: none. */
due *due_first(const due_heap *h);
/* Frees the heap's own array. The members are their owners', and still say that
 * they are in a heap. */
void due_free(due_heap *h);

#endif
