/* UTF-8 by the ranges of the Unicode standard's table of well-formed byte sequences. */
#include "proto/utf8.h"

#include <stdint.h>

static bool utf8_is_continued(uint8_t byte) { return (byte & 0xc0) == 0x80; }

/* Bytes of the well-formed character that begins at `text`, 0 when none does. */
static size_t utf8_character(const char *text, size_t size)
{
    uint8_t lead = (uint8_t)text[0];
    if (lead < 0x80) return 1;
    size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || more >= size) return 0;
    /* Only the second byte has ranges of its own. */
    uint8_t second = (uint8_t)text[1];
    if (lead == 0xe0 && second < 0xa0) return 0;
    if (lead == 0xed && second > 0x9f) return 0;
    if (lead == 0xf0 && second < 0x90) return 0;
    if (lead == 0xf4 && second > 0x8f) return 0;
    for (size_t i = 1; i <= more; i++) {
        if (!utf8_is_continued((uint8_t)text[i])) return 0;
    }
    return more + 1;
}

bool etna_utf8_valid(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = utf8_character(text + i, size - i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

size_t etna_utf8_repair(const char *text, size_t size, char *ret)
{
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        size_t length = utf8_character(text + i, size - i);
        uint8_t byte = (uint8_t)text[i];
        if (length == 0) {
            ret[used++] = (char)(0xc0 | byte >> 6);
            ret[used++] = (char)(0x80 | (byte & 0x3f));
            i++;
        }
        for (; length > 0; length--) ret[used++] = text[i++];
    }
    return used;
}
