/* A text in the making: a page of HTML, or a sentence. The first failure
 * sticks, so that only the end has to look. What comes from outside (names,
 * instructions, reasons) goes through page_text, which escapes for HTML and
 * shows control characters. */
#ifndef ETNA_COORDINATOR_REPORT_PAGE_H
#define ETNA_COORDINATOR_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page {
    /* NUL-terminated once anything was added; the holder frees it */
    char *data;
    size_t size, room;
    bool failed; /* out of memory */
} page;

void page_add(page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* as it is */
void page_raw(page *p, const char *text);
void page_text(page *p,
               /* escaped, also for attributes in double quotes; NULL is "" */
               const char *text);
void page_textf(page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void page_base64(page *p, const uint8_t *data, size_t size);
void page_free(page *p);

#endif
