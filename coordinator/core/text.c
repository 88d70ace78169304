/* Bounded texts and the run's own copies of what came from outside. */
#include "coordinator/core/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t text_cut(const char *text, size_t max)
{
    size_t size = 0;
    while (size < max && text[size]) size++;
    while (text[size] && size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) size--;
    return size;
}

void text_add(core_text *text, const char *format, ...)
{
    size_t room = sizeof text->data - text->size;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->data + text->size, room, format, args);
    va_end(args);
    if (n < 0) return;
    if ((size_t)n < room) {
        text->size += (size_t)n;
        return;
    }
    /* vsnprintf cut at room - 1 bytes: step back over a character it may have split */
    size_t end = sizeof text->data - 1;
    size_t lead = end;
    while (lead > text->size && ((unsigned char)text->data[lead - 1] & 0xc0) == 0x80) lead--;
    if (lead > text->size && (unsigned char)text->data[lead - 1] >= 0xc0) end = lead - 1;
    text->data[end] = 0;
    text->size = end;
}

void *run_alloc(run *r, size_t count, size_t size)
{
    void *p = etna_arena_alloc(&r->arena, count, size);
    if (!p) core_trouble(r->core, ETNA_E_NOMEM, "a run's tree: out of memory");
    return p;
}

const char *run_text_cut(run *r, const char *text, size_t max)
{
    if (!text || !*text) return "";
    char *copy = etna_arena_strndup(&r->arena, text, text_cut(text, max));
    if (!copy) core_trouble(r->core, ETNA_E_NOMEM, "a run's texts: out of memory");
    return copy ? copy : "";
}

const char *run_text(run *r, const char *text) { return run_text_cut(r, text, SIZE_MAX - 1); }

bool text_bounded(const char *text, size_t max) { return !text || memchr(text, 0, max + 1) != NULL; }

bool numbers_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(numbers[i] - numbers[i] == 0)) return false; /* false for NaN and infinities */
    }
    return true;
}
