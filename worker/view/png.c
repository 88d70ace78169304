/* PNG to memory. Pictures here are smooth with hard edges, and there the rule is simple: Paeth's prediction in every row
 * leaves so little that looking for repetitions other than runs makes files larger, not smaller, and takes twice the
 * time. Strips of rows are chunks of their own, so that threads can share them: the same bytes for any number. */
#include "worker/view/parallel.h"
#include "worker/view/view.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STRIP = 64, CHANNELS = 3, HEAD = 8, LEVEL = 1, PAETH = 4, AROUND = 12 }; /* AROUND: a chunk's length, name and sum */

typedef struct strip {
    uint8_t *chunk; /* the whole chunk */
    size_t size, plain;
    uint32_t adler; /* of the plain bytes */
} strip;

typedef struct writing {
    const view_image *image;
    strip *strips;
    uint32_t count;
} writing;

typedef uint8_t bytes16 __attribute__((vector_size(16)));

static inline bytes16 take16(const uint8_t *from)
{
    bytes16 b;
    memcpy(&b, from, sizeof b);
    return b;
}

/* |x - y| where `less` says of each whether x < y. */
static inline bytes16 apart16(bytes16 x, bytes16 y, bytes16 less)
{
    return ((x - y) ^ less) - less;
}

/* What is left of `count` bytes when the one to the left (a), above (b) or left above (c) that is nearest to a + b - c is
 * taken away. Reads CHANNELS bytes before `row` and `above`. Sixteen at a time need no more than bytes: where c is not
 * between a and b it is never the nearest, and else its distance is the difference of the others'. */
static void predict(const uint8_t *row, const uint8_t *above, size_t count, uint8_t *to)
{
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        bytes16 a = take16(row + i - CHANNELS), b = take16(above + i), c = take16(above + i - CHANNELS);
        bytes16 a_less = (bytes16)(a < c), b_less = (bytes16)(b < c), between = a_less ^ b_less;
        bytes16 far_a = apart16(b, c, b_less), far_b = apart16(a, c, a_less), a_first = (bytes16)(far_a <= far_b);
        bytes16 far_c = apart16(far_a, far_b, (bytes16)(far_a < far_b));
        bytes16 take_a = a_first & (~between | (bytes16)(far_a <= far_c));
        bytes16 take_b = ~take_a & (~between | (bytes16)(far_b <= far_c));
        bytes16 rest = take16(row + i) - ((a & take_a) | (b & take_b) | (c & ~(take_a | take_b)));
        memcpy(to + i, &rest, sizeof rest);
    }
    for (; i < count; i++) {
        int a = row[(ptrdiff_t)i - CHANNELS], b = above[i], c = above[(ptrdiff_t)i - CHANNELS];
        int far_a = abs(b - c), far_b = abs(a - c), far_c = abs(a + b - 2 * c);
        to[i] = (uint8_t)(row[i] - (far_a <= far_b && far_a <= far_c ? a : far_b <= far_c ? b : c));
    }
}

static void put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Completes a chunk whose `size` bytes stand HEAD after its begin; returns its whole length. */
static size_t close_chunk(uint8_t *chunk, const char name[4], size_t size)
{
    put32(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    put32(chunk + HEAD + size, (uint32_t)crc32_z(0, chunk + 4, size + 4));
    return size + AROUND;
}

/* The rows as the format wants them, filtered; `rows` has room for two rows with CHANNELS bytes before each. */
static void filter_rows(const view_image *image, uint32_t first, uint32_t count, uint8_t *rows, uint8_t *to)
{
    size_t row = (size_t)CHANNELS * image->width;
    uint8_t *now = rows + CHANNELS, *above = now + row + CHANNELS;
    memset(rows, 0, 2 * (row + CHANNELS));
    if (first > 0) memcpy(above, image->rgb + (first - 1) * row, row);
    for (uint32_t y = first; y < first + count; y++) {
        memcpy(now, image->rgb + y * row, row);
        *to++ = PAETH;
        predict(now, above, row, to);
        to += row;
        uint8_t *other = now;
        now = above;
        above = other;
    }
}

/* zlib's stream without its head and its sum, `from` on to a whole byte; 0: no memory. */
static size_t compress_to(uint8_t *to, size_t room, uint8_t *from, size_t size, bool last)
{
    z_stream z = {.next_in = from, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -15, 8, Z_RLE) != Z_OK) return 0;
    int done = deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
    bool whole = done == (last ? Z_STREAM_END : Z_OK) && z.avail_in == 0 && z.avail_out > 0;
    size_t made = z.total_out;
    deflateEnd(&z);
    return whole ? made : 0;
}

static void write_strip(void *context, uint32_t k)
{
    const writing *w = context;
    strip *s = &w->strips[k];
    uint32_t first = k * STRIP, rows = w->image->height - first < STRIP ? w->image->height - first : STRIP;
    size_t row = (size_t)CHANNELS * w->image->width, head = k == 0 ? 2 : 0;
    s->plain = (row + 1) * rows;
    size_t room = s->plain + s->plain / 8 + 1024; /* more than deflate can make of it, twice over */
    uint8_t *plain = malloc(s->plain + 2 * (row + CHANNELS));
    s->chunk = malloc(room + head + AROUND);
    if (plain && s->chunk) {
        filter_rows(w->image, first, rows, plain + s->plain, plain);
        s->adler = (uint32_t)adler32_z(1, plain, s->plain);
        size_t made = compress_to(s->chunk + HEAD + head, room, plain, s->plain, k + 1 == w->count);
        if (head) memcpy(s->chunk + HEAD, "\x78\x01", 2); /* deflate, a window of 32 KB, made in haste */
        s->size = made ? close_chunk(s->chunk, "IDAT", head + made) : 0;
    }
    free(plain);
}

/* Everything but the strips is of this size. */
static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
enum { FIRST = sizeof magic + 13 + AROUND + 1 + AROUND, LAST = 4 + AROUND + AROUND };

static uint8_t *assemble(const writing *w, size_t *ret_size)
{
    size_t size = FIRST + LAST;
    uLong adler = 1;
    for (uint32_t k = 0; k < w->count; k++) {
        if (w->strips[k].size == 0) return NULL;
        size += w->strips[k].size;
        adler = adler32_combine(adler, w->strips[k].adler, (z_off_t)w->strips[k].plain);
    }
    uint8_t *data = malloc(size), *to = data;
    if (!data) return NULL;
    memcpy(to, magic, sizeof magic);
    to += sizeof magic;
    put32(to + HEAD, w->image->width);
    put32(to + HEAD + 4, w->image->height);
    memcpy(to + HEAD + 8, "\x08\x02\x00\x00\x00", 5); /* 8 bits, red green blue, nothing interlaced */
    to += close_chunk(to, "IHDR", 13);
    to[HEAD] = 0; /* perceptual */
    to += close_chunk(to, "sRGB", 1);
    for (uint32_t k = 0; k < w->count; k++) {
        memcpy(to, w->strips[k].chunk, w->strips[k].size);
        to += w->strips[k].size;
    }
    put32(to + HEAD, (uint32_t)adler);
    to += close_chunk(to, "IDAT", 4);
    (void)close_chunk(to, "IEND", 0);
    *ret_size = size;
    return data;
}

etna_code view_encode_png_threads(const view_image *image, uint32_t threads, uint8_t **ret_data, size_t *ret_size,
                                  etna_error *err)
{
    if (!image->rgb || image->width == 0 || image->height == 0)
        return etna_fail(err, ETNA_E_INTERNAL, "an empty image cannot be encoded");
    if (image->width > 2 * VIEW_SIDE_MAX || image->height > 2 * VIEW_SIDE_MAX)
        return etna_fail(err, ETNA_E_LIMIT, "an image of %u x %u pixels is too large to be encoded: give a smaller --size",
                         image->width, image->height);
    writing w = {.image = image, .count = (image->height + STRIP - 1) / STRIP};
    w.strips = calloc(w.count, sizeof *w.strips);
    size_t size = 0;
    if (w.strips) parallel_do(threads, w.count, write_strip, &w);
    uint8_t *data = w.strips ? assemble(&w, &size) : NULL;
    for (uint32_t k = 0; w.strips && k < w.count; k++) free(w.strips[k].chunk);
    free(w.strips);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM, "a PNG of %u x %u pixels could not be written: out of memory", image->width,
                         image->height);
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

etna_code view_encode_png(const view_image *image, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    return view_encode_png_threads(image, 1, ret_data, ret_size, err);
}
