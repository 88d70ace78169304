/* UTF-8 by the ranges of the Unicode standard's table of well-formed byte sequences. */
#include "proto/utf8.h"

#include <stdint.h>

static bool continues(uint8_t byte) { return (byte & 0xc0) == 0x80; }

bool etna_utf8_valid(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size) {
        uint8_t lead = (uint8_t)text[i++];
        if (lead < 0x80) continue;
        size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || more > size - i) return false;
        /* Only the second byte has ranges of its own. */
        uint8_t second = (uint8_t)text[i];
        if (lead == 0xe0 && second < 0xa0) return false;
        if (lead == 0xed && second > 0x9f) return false;
        if (lead == 0xf0 && second < 0x90) return false;
        if (lead == 0xf4 && second > 0x8f) return false;
        for (; more; more--) {
            if (!continues((uint8_t)text[i++])) return false;
        }
    }
    return true;
}
