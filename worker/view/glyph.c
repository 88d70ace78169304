/* GNU Unifont's glyphs (see glyph.h), as unifont/pack.c leaves them: for each
 * of 65536 codes four bytes, little-endian, the place of its glyph times two,
 * plus one when it is 16 pixels wide; 0: none. A glyph is 16 rows of one or two
 * bytes. */
#include "worker/view/glyph.h"
#include "proto/array.h"

#include <stddef.h>

#ifdef ETNA_GLYPHS
__asm__(".section .rodata\n"
        ".global etna_glyphs\n"
        ".global etna_glyphs_end\n"
        ".hidden etna_glyphs\n"
        ".hidden etna_glyphs_end\n"
        "etna_glyphs:\n"
        ".incbin \"" ETNA_GLYPHS "\"\n"
        "etna_glyphs_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const uint8_t etna_glyphs[], etna_glyphs_end[];
#endif

/* False: no glyph, a code beyond the basic plane, or a build without
 * Unifont. */
bool glyph_find(uint32_t code, glyph *ret)
{
#ifdef ETNA_GLYPHS
    if (code > 0xffff)
        return false;
    const uint8_t *at = etna_glyphs + 4 * (size_t)code;
    uint32_t entry = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                     (uint32_t)at[3] << 24;
    if (entry == 0)
        return false;
    uint32_t bytes = 1 + (entry & 1);
    const uint8_t *row = etna_glyphs + (entry >> 1);
    ret->columns = 8 * bytes;
    for (int i = 0; i < GLYPH_ROWS; i++, row += bytes)
        ret->rows[i] = (uint16_t)(bytes == 1 ? row[0] : row[0] << 8 | row[1]);
    return true;
#else
    (void)code;
    (void)ret;
    return false;
#endif
}

typedef struct code_range {
    uint32_t first, last;
} code_range;

static bool code_range_has(const code_range *ranges,
                           size_t count,
                           uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* Whether the character is drawn onto the one before it and has no width of its
 * own: ranges of Unicode's nonspacing marks and joiners for the scripts Unifont
 * has. */
bool glyph_combines(uint32_t code)
{
    static const code_range ranges[] = {
        {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},
        {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff},
        {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0x3099, 0x309a},
        {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    return code_range_has(ranges, COUNT_OF(ranges), code);
}

/* Hebrew, Arabic and their presentation forms. */
bool glyph_is_leftward(uint32_t code)
{
    static const code_range ranges[] = {
        {0x0590, 0x08ff}, {0xfb1d, 0xfdff}, {0xfe70, 0xfeff}};
    return code_range_has(ranges, COUNT_OF(ranges), code);
}
