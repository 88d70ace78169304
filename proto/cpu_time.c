/* See cpu_time.h. */
#include "proto/cpu_time.h"

#include <time.h>

static _Thread_local uint64_t given;

uint64_t cpu_time_us(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
        return given;
    return given + (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

void cpu_time_give(uint64_t us)
{
    given += us;
}
