/* Glyphs of every script of Unicode's first plane, of GNU Unifont, compiled in;
 * nothing is read at run time. Private to worker/view. */
#ifndef ETNA_WORKER_VIEW_GLYPH_H
#define ETNA_WORKER_VIEW_GLYPH_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GLYPH_ROWS = 16,
    GLYPH_BASE = 14,   /* rows above the line that letters stand on */
    GLYPH_CAPITAL = 10 /* rows of a capital letter */
};

typedef struct glyph {
    uint32_t columns; /* 8 or 16 */
    /* the leftmost pixel is the bit of value 1 << (columns - 1) */
    uint16_t rows[GLYPH_ROWS];
} glyph;

/* False where there is none, or Etna was built without them. */
bool glyph_find(uint32_t code, glyph *ret);
/* It goes over the character before it. */
bool glyph_combines(uint32_t code);
/* Written from the right to the left. */
bool glyph_is_leftward(uint32_t code);

#endif
