/* UTF-8 by the ranges of the Unicode standard's table of well-formed byte
 * sequences. */
#include "proto/utf8.h"
#include "proto/array.h"

#include <string.h>

static bool utf8_is_continued(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* How many bytes must follow a lead byte. 0 for ASCII, and for bytes that lead
 * nothing, which the caller tells apart. */
static size_t utf8_continuation(uint8_t lead)
{
    if (lead < 0xc0)
        return 0;
    if (lead < 0xe0)
        return 1;
    return lead < 0xf0 ? 2 : 3;
}

size_t etna_utf8_character(const char *text, size_t size, uint32_t *ret_code)
{
    if (size == 0)
        return 0;
    uint8_t lead = (uint8_t)text[0];
    if (lead < 0x80) {
        if (ret_code)
            *ret_code = lead;
        return 1;
    }
    size_t more = utf8_continuation(lead);
    if (lead < 0xc2 || lead > 0xf4 || more >= size)
        return 0;
    /* Only the second byte has ranges of its own. */
    uint8_t second = (uint8_t)text[1];
    if (lead == 0xe0 && second < 0xa0)
        return 0;
    if (lead == 0xed && second > 0x9f)
        return 0;
    if (lead == 0xf0 && second < 0x90)
        return 0;
    if (lead == 0xf4 && second > 0x8f)
        return 0;
    uint32_t code = lead & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if (!utf8_is_continued((uint8_t)text[i]))
            return 0;
        code = code << 6 | ((uint8_t)text[i] & 0x3fu);
    }
    if (ret_code)
        *ret_code = code;
    return more + 1;
}

bool etna_utf8_deceives(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},
                                         {0x200b, 0x200f}, {0x2028, 0x202e},
                                         {0x2066, 0x2069}, {0xfeff, 0xfeff}};
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    }
    return false;
}

size_t etna_utf8_put(uint32_t code, char *to)
{
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (is_surrogate || code > 0x10ffff)
        code = 0xfffd;
    size_t more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    to[0] = (char)(leads[more] | code >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        to[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    return more + 1;
}

size_t etna_utf8_mark(const char *text, size_t size)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool is_there = size >= 3 && memcmp(text, mark, 3) == 0;
    return is_there ? 3 : 0;
}

size_t etna_utf8_cut(const char *text, size_t max)
{
    size_t size = strnlen(text, max);
    while (size > 0 && utf8_is_continued((uint8_t)text[size]))
        size--;
    return size;
}

size_t etna_utf8_whole(const char *text, size_t size)
{
    size_t last = size;
    while (last > 0 && size - last < 3 &&
           utf8_is_continued((uint8_t)text[last - 1]))
        last--;
    if (last == 0)
        return size;
    bool is_cut = utf8_continuation((uint8_t)text[last - 1]) > size - last;
    return is_cut ? last - 1 : size;
}

/* Eight bytes of ASCII, which most text is, are looked at in one go. */
static bool utf8_is_plain(const char *text)
{
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
    return (eight & UINT64_C(0x8080808080808080)) == 0;
}

bool etna_utf8_valid(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        if (size - i >= sizeof(uint64_t) && utf8_is_plain(text + i)) {
            i += sizeof(uint64_t);
            continue;
        }
        size_t length = etna_utf8_character(text + i, size - i, NULL);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

size_t etna_utf8_repair(const char *text, size_t size, char *ret)
{
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        size_t length = etna_utf8_character(text + i, size - i, NULL);
        if (length == 0) {
            used += etna_utf8_put((uint8_t)text[i], ret + used);
            i++;
        }
        for (; length > 0; length--)
            ret[used++] = text[i++];
    }
    return used;
}
