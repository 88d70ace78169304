/* See page.h. */
#include "coordinator/report/page.h"
#include "coordinator/report/terminal.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and a NUL at the text's end; NULL: the page has failed.
 * The bound keeps the sums below from overflowing. */
static char *page_reserve(page *p, size_t more)
{
    if (p->failed || more > SIZE_MAX / 4 || p->size > SIZE_MAX / 4) {
        p->failed = true;
        return NULL;
    }
    size_t needed = p->size + more + 1;
    if (needed > p->room) {
        size_t room = needed + needed / 2 + 256;
        char *grown = realloc(p->data, room);
        if (!grown) {
            p->failed = true;
            return NULL;
        }
        p->data = grown;
        p->room = room;
    }
    return p->data + p->size;
}

static void add_bytes(page *p, const char *bytes, size_t size)
{
    char *to = page_reserve(p, size);
    if (!to)
        return;
    memcpy(to, bytes, size);
    to[size] = 0;
    p->size += size;
}

void page_raw(page *p, const char *text)
{
    add_bytes(p, text, strlen(text));
}

__attribute__((format(printf, 2, 0))) static void page_add_list(
    page *p, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *to = n < 0 ? NULL : page_reserve(p, (size_t)n);
    if (!to) {
        p->failed = true;
        return;
    }
    vsnprintf(to, (size_t)n + 1, format, args);
    p->size += (size_t)n;
}

void page_add(page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    page_add_list(p, format, args);
    va_end(args);
}

/* Control characters become visible first, then HTML's own characters become
 * entities. */
void page_text(page *p, const char *text)
{
    static const char *const entities[128] = {['&'] = "&amp;",
                                              ['<'] = "&lt;",
                                              ['>'] = "&gt;",
                                              ['"'] = "&quot;",
                                              ['\''] = "&#39;"};
    /* the longest escape of a byte */
    size_t room = (text ? strlen(text) : 0) * 6 + 1;
    char *plain = malloc(room);
    if (!plain) {
        p->failed = true;
        return;
    }
    terminal_escape(text, plain, room);
    const char *at = plain;
    for (const char *c = plain;; c++) {
        const char *entity =
            (unsigned char)*c < 128 ? entities[(unsigned char)*c] : NULL;
        if (*c && !entity)
            continue;
        add_bytes(p, at, (size_t)(c - at));
        if (!*c)
            break;
        page_raw(p, entity);
        at = c + 1;
    }
    free(plain);
}

void page_textf(page *p, const char *format, ...)
{
    page line = {0};
    va_list args;
    va_start(args, format);
    page_add_list(&line, format, args);
    va_end(args);
    page_text(p, line.data);
    if (line.failed)
        p->failed = true;
    page_free(&line);
}

void page_base64(page *p, const uint8_t *data, size_t size)
{
    if (size > SIZE_MAX / 8) {
        p->failed = true;
        return;
    }
    size_t length = (size + 2) / 3 * 4;
    char *to = page_reserve(p, length);
    if (!to)
        return;
    sodium_bin2base64(to, length + 1, data, size,
                      sodium_base64_VARIANT_ORIGINAL);
    p->size += length;
}

void page_free(page *p)
{
    free(p->data);
    *p = (page){0};
}
