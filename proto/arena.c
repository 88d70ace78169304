/* The arena of arena.h: a list of blocks, the first of at least 1 KiB and each
 * further one of 4, bumped from the front. */
#include "proto/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct etna_arena_block {
    struct etna_arena_block *next;
    size_t size, used;
    size_t pad; /* keeps data[] 16-byte aligned */
    uint8_t data[];
};

/* Most messages need no more than the first. It is small enough for the sizes
 * that an allocator has ready at hand. */
enum {
    FIRST_SIZE = 1024 - sizeof(struct etna_arena_block),
    BLOCK_SIZE = 4096 - sizeof(struct etna_arena_block)
};

void etna_arena_free(etna_arena *arena)
{
    struct etna_arena_block *block = arena->head;
    while (block) {
        struct etna_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->head = NULL;
    arena->used = 0;
}

/* A block with room for so many bytes at least, at the head of the list; NULL:
 * out of memory. */
static struct etna_arena_block *arena_block_add(etna_arena *arena, size_t bytes)
{
    const size_t least = arena->head ? BLOCK_SIZE : FIRST_SIZE;
    const size_t room = bytes > least ? bytes : least;
    struct etna_arena_block *block = malloc(sizeof *block + room);
    if (!block)
        return NULL;
    block->size = room;
    block->used = 0;
    block->next = arena->head;
    arena->head = block;
    return block;
}

/* What stands there stays. */
static void *arena_take(etna_arena *arena, size_t size)
{
    if (size > SIZE_MAX - 64)
        return NULL;
    size_t bytes = (size + 15) & ~(size_t)15;
    if (bytes == 0)
        bytes = 16;
    if (arena->limit &&
        (bytes > arena->limit || arena->used > arena->limit - bytes))
        return NULL;
    struct etna_arena_block *block = arena->head;
    if (!block || block->size - block->used < bytes)
        block = arena_block_add(arena, bytes);
    if (!block)
        return NULL;
    void *p = block->data + block->used;
    assert(bytes <= block->size - block->used);
    block->used += bytes;
    arena->used += bytes;
    return p;
}

void *etna_arena_alloc(etna_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 64) / size)
        return NULL;
    void *p = arena_take(arena, count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *etna_arena_room(etna_arena *arena, size_t size)
{
    return arena_take(arena, size);
}

void *etna_arena_memdup(etna_arena *arena, const void *data, size_t size)
{
    void *copy = arena_take(arena, size);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

char *etna_arena_strndup(etna_arena *arena, const char *text, size_t size)
{
    if (size == SIZE_MAX)
        return NULL;
    char *copy = arena_take(arena, size + 1);
    if (!copy)
        return NULL;
    if (size)
        memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

char *etna_arena_strdup(etna_arena *arena, const char *text)
{
    return text ? etna_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *etna_arena_printf(etna_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : etna_arena_alloc(arena, 1, (size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}
