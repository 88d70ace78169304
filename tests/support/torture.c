/* See torture.h. */
#include "tests/support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *pointer);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *pointer);

static struct {
    bool active, failed;
    size_t seen, fail_at;
    long live;
} state;

static bool fails(void)
{
    if (!state.active || ++state.seen != state.fail_at)
        return false;
    state.failed = true;
    return true;
}

static void *count_live(void *pointer)
{
    if (state.active && pointer)
        state.live++;
    return pointer;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count_live(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : count_live(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    void *pointer = __real_realloc(old, size);
    return old ? pointer : count_live(pointer);
}

void __wrap_free(void *pointer)
{
    if (state.active && pointer)
        state.live--;
    __real_free(pointer);
}

static size_t run(bool (*once)(void *context), void *context, bool enduring)
{
    for (size_t n = 1;; n++) {
        state.seen = 0;
        state.live = 0;
        state.fail_at = n;
        state.failed = false;
        state.active = true;
        bool ok = once(context);
        state.active = false;
        assert_int_equal(state.live, 0);
        assert_int_equal(ok, enduring || !state.failed);
        if (!state.failed)
            return state.seen;
    }
}

size_t torture(bool (*once)(void *context), void *context)
{
    return run(once, context, false);
}

size_t torture_enduring(bool (*once)(void *context), void *context)
{
    return run(once, context, true);
}
