/* See json_memory.h. */
#include "coordinator/report/json_memory.h"

#include <stdlib.h>

static _Thread_local bool has_failed;

static void *json_memory_take(size_t size)
{
    void *memory = malloc(size);
    has_failed = has_failed || !memory;
    return memory;
}

static void json_memory_give(void *memory)
{
    free(memory);
}

void json_memory_watch(void)
{
    json_set_alloc_funcs(json_memory_take, json_memory_give);
}

void json_memory_begin(void)
{
    has_failed = false;
}

bool json_memory_failed(void)
{
    return has_failed;
}

void json_memory_fail(void)
{
    has_failed = true;
}

char *json_memory_dump(const json_t *value, size_t flags)
{
    json_memory_begin();
    char *dump = json_dumps(value, flags);
    if (!json_memory_failed())
        return dump;
    free(dump);
    return NULL;
}

void *json_memory_calloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    has_failed = has_failed || !memory;
    return memory;
}
