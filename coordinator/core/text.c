/* Bounded texts and the run's own copies of what came from outside. */
#include "coordinator/core/core_internal.h"
#include "proto/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_add(core_text *text, const char *format, ...)
{
    size_t room = sizeof text->data - text->size;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->data + text->size, room, format, args);
    va_end(args);
    if (n < 0)
        return;
    if ((size_t)n < room) {
        text->size += (size_t)n;
        return;
    }
    /* vsnprintf may have split a character */
    text->size = etna_utf8_whole(text->data, sizeof text->data - 1);
    text->data[text->size] = 0;
}

void *run_alloc(run *r, size_t count, size_t size)
{
    void *p = etna_arena_alloc(&r->arena, count, size);
    if (!p)
        core_trouble(r->core, ETNA_E_NOMEM, "a run's tree: out of memory");
    return p;
}

const char *run_text_cut(run *r, const char *text, size_t max)
{
    if (!text || !*text)
        return "";
    char *copy = etna_arena_strndup(&r->arena, text, etna_utf8_cut(text, max));
    if (!copy)
        core_trouble(r->core, ETNA_E_NOMEM, "a run's texts: out of memory");
    return copy ? copy : "";
}

const char *run_text(run *r, const char *text)
{
    return run_text_cut(r, text, SIZE_MAX - 1);
}

bool text_bounded(const char *text, size_t max)
{
    return !text || memchr(text, 0, max + 1) != NULL;
}

bool numbers_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(numbers[i] - numbers[i] == 0))
            return false; /* false for NaN and infinities */
    }
    return true;
}
