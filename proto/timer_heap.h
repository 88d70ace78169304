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

bool due_set(due_heap *h,
             due *d,
             /* also moves it; false: out of memory, which moving never is */
             uint64_t at);
void due_drop(due_heap *h, due *d); /* one that is not there is fine */
due *due_first(const due_heap *h);  /* NULL: none */
void due_free(due_heap *h);         /* the members are their owners' */

#endif
