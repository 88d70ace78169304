/* Built and run when Etna is built: packs GNU Unifont's text (unifont.hex:
 * "0041:<32 or 64 hex digits>" a line) for glyph.c, which has the form in its
 * first comment. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODES = 65536,
    LINE = 128
};

static uint8_t table[CODES * 4 + CODES * 32];

static int pack_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Bytes of the glyph, 16 or 32; 0: no such line. */
static int glyph_read(const char *hex, uint8_t ret[32])
{
    int bytes = 0;
    for (; bytes < 32; bytes++) {
        int high = pack_digit(hex[2 * bytes]);
        int low = high < 0 ? -1 : pack_digit(hex[2 * bytes + 1]);
        if (low < 0)
            break;
        ret[bytes] = (uint8_t)(16 * high + low);
    }
    return bytes == 16 || bytes == 32 ? bytes : 0;
}

int main(int argc, char **argv)
{
    FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL;
    size_t used = (size_t)CODES * 4;
    char line[LINE];
    while (in && fgets(line, sizeof line, in)) {
        char *end;
        unsigned long code = strtoul(line, &end, 16);
        uint8_t glyph[32];
        int bytes =
            *end == ':' && code < CODES ? glyph_read(end + 1, glyph) : 0;
        if (!bytes)
            continue;
        uint32_t entry = (uint32_t)used << 1 | (bytes == 32);
        for (int i = 0; i < 4; i++)
            table[4 * code + (unsigned)i] = (uint8_t)(entry >> 8 * i);
        memcpy(table + used, glyph, (size_t)bytes);
        used += (size_t)bytes;
    }
    FILE *out = in && used > CODES * 4 ? fopen(argv[2], "wb") : NULL;
    int failed = !out || fwrite(table, 1, used, out) != used;
    if (out && fclose(out) != 0)
        failed = 1;
    if (in)
        fclose(in);
    if (failed)
        fprintf(stderr, "pack: no glyphs from %s\n",
                argc == 3 ? argv[1] : "nothing");
    return failed;
}
