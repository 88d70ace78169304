/* Work that falls into numbered pieces, each writing only what is its own, on a
 * few threads: the same bits for any number of them. For rooms that look and for
 * worker/assets. */
#ifndef ETNA_WORKER_VIEW_PARALLEL_H
#define ETNA_WORKER_VIEW_PARALLEL_H

#include <stdint.h>

enum {
    PARALLEL_THREADS_MAX = 64
};

typedef void (*parallel_piece)(void *context, uint32_t piece);
/* Does pieces 0 .. count - 1, this thread among those who work. Threads that
 * cannot be made are done without. */
void parallel_do(uint32_t threads,
                 uint32_t count,
                 parallel_piece work,
                 void *context);

#endif
