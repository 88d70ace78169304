/* A text in the making: a page of HTML, or a sentence. The first failure
 * sticks, so that only the end has to look. What comes from outside (names,
 * instructions, reasons) goes through page_text, which escapes for HTML and
 * shows control characters. */
#ifndef ETNA_COORDINATOR_REPORT_PAGE_H
#define ETNA_COORDINATOR_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty page. The holder frees it by page_free(). */
typedef struct page {
    /* NUL-terminated once anything was added; the holder frees it */
    char *data;
    size_t size, room;
    /* out of memory: the text is not whole, and further additions do nothing */
    bool failed;
} page;

/* Appends by printf's rules, without escaping: for text of our own. */
void page_add(page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends as it is. */
void page_raw(page *p, const char *text);
/* Appends text from outside, escaped so that it is safe in HTML, also within an
 * attribute in double quotes. NULL is "". */
void page_text(page *p, const char *text);
/* printf whose whole result is escaped like that. */
void page_textf(page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends bytes in base64 with padding: for data: URIs. */
void page_base64(page *p, const uint8_t *data, size_t size);
/* Frees the text and leaves an empty page. A zeroed one is fine. */
void page_free(page *p);

#endif
