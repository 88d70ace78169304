/* An arena: many small allocations with one owner and one end. Messages, facts
 * and parsed blocks live in one. Pure. */
#ifndef ETNA_PROTO_ARENA_H
#define ETNA_PROTO_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct etna_arena {
    struct etna_arena_block *head;
    size_t used; /* bytes handed out */
    /* 0: none; else an allocation that would pass it returns NULL */
    size_t limit;
} etna_arena;

/* An empty arena is all zero; these are its constructor and destructor. Free is
 * fine on an empty or freed arena. */
#define ETNA_ARENA_INIT \
    { \
        0 \
    }
void etna_arena_free(etna_arena *arena);

/* Zeroed memory aligned to 16 bytes, owned by the arena; NULL when memory or
 * the limit is at its end, or when `count` times `size` overflows. A request of
 * zero bytes returns a valid pointer of its own. Nothing is given back before
 * the whole arena is: what fails half way leaves its pieces behind until then.
 * An arena has no lock; one thread at a time. */
void *etna_arena_alloc(etna_arena *arena, size_t count, size_t size);
/* The same, not zeroed: for who fills all of it, or of whom nobody promises
 * more than malloc does. */
void *etna_arena_room(etna_arena *arena, size_t size);
/* Copies, owned by the arena; NULL as for etna_arena_alloc. strdup of NULL is
 * NULL, which is no failure. */
char *etna_arena_strdup(etna_arena *arena, const char *text);
/* The first `size` bytes, whatever they are, and a NUL behind them. */
char *etna_arena_strndup(etna_arena *arena, const char *text, size_t size);
/* Exactly `size` bytes; `data` may be NULL when `size` is 0. */
void *etna_arena_memdup(etna_arena *arena, const void *data, size_t size);
/* As sprintf, of any length. NULL also where the format cannot be printed. */
char *etna_arena_printf(etna_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
