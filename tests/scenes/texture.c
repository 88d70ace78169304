/* The generator's textures (see texture.h). A picture is one number per pixel
 * and a ramp of colours from its dark to its light parts: a PNG with a
 * palette. */
#include "texture.h"

#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 256,
    HALF = SIDE / 2
};

static const struct {
    const char *name;
    double metres;
    /* the ramp's other end, of 0..255 in sRGB; the light one is white */
    double dark[3];
} kinds[TEXTURE_KINDS] = {
    [TEXTURE_WOOD] = {"wood grain", 0.8, {150, 128, 104}},
    [TEXTURE_PLANKS] = {"planks", 1.6, {140, 118, 96}},
    [TEXTURE_CLOTH] = {"weave", 0.24, {168, 166, 164}},
    [TEXTURE_RUG] = {"rug", 0.5, {150, 96, 70}},
    [TEXTURE_TILES] = {"tiles", 0.6, {150, 148, 144}},
    [TEXTURE_PLASTER] = {"plaster", 1.5, {236, 235, 233}},
    [TEXTURE_STONE] = {"stone", 0.5, {120, 118, 118}},
    [TEXTURE_GRASS] = {"grass", 0.7, {96, 120, 70}},
    [TEXTURE_BRICK] = {"brick", 0.96, {120, 96, 88}},
    [TEXTURE_STRAW] = {"wickerwork", 0.12, {130, 104, 76}},
};

const char *texture_name(texture_kind kind)
{
    return kinds[kind].name;
}

double texture_metres(texture_kind kind)
{
    return kinds[kind].metres;
}

/* 0..1, as if by chance, for a lattice point. */
static double chance(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return (double)((h ^ h >> 15) >> 8) / 16777215.0;
}

/* Smooth noise 0..1 with `across` x `down` cells in a picture, which it tiles;
 * (x, y) in pictures, not negative. */
static double noise(
    double x, double y, uint32_t across, uint32_t down, uint32_t seed)
{
    double fx = x * across, fy = y * down, cx = floor(fx), cy = floor(fy),
           tx = fx - cx, ty = fy - cy;
    uint32_t x0 = (uint32_t)cx % across, y0 = (uint32_t)cy % down,
             x1 = (x0 + 1) % across, y1 = (y0 + 1) % down;
    tx *= tx * (3 - 2 * tx);
    ty *= ty * (3 - 2 * ty);
    double upper = chance(x0, y0, seed) * (1 - tx) + chance(x1, y0, seed) * tx;
    double lower = chance(x0, y1, seed) * (1 - tx) + chance(x1, y1, seed) * tx;
    return upper * (1 - ty) + lower * ty;
}

/* 0 at whole numbers, 1 half way between. */
static double wave(double t)
{
    double f = t - floor(t);
    return f < 0.5 ? 2 * f : 2 - 2 * f;
}

static double wood(double x, double y, uint32_t seed)
{
    double bend = noise(x, y, 1, 3, seed) + 0.12 * noise(x, y, 4, 12, seed + 1);
    double rings = wave(9 * y + 1.3 * bend),
           fibre = noise(x, y, 6, 96, seed + 2),
           pore = noise(x, y, 14, 128, seed + 3);
    return 0.45 + 0.30 * rings * rings + 0.22 * fibre +
           (pore > 0.84 ? -0.13 : 0.03);
}

static double planks(double x, double y)
{
    double row = floor(8 * y), within = 8 * y - row,
           start = chance((uint32_t)row, 7, 11), along = 2 * (x + start);
    uint32_t board = (uint32_t)floor(along) % 2 + 2 * (uint32_t)row;
    double end = along - floor(along), tone = 0.28 * chance(board, 3, 12);
    if (within < 0.035 || end < 0.006)
        return 0.05;
    return 0.02 + 0.75 * wood(x, 0.13 * (double)(board % 7) + y, 20) + tone;
}

static double cloth(int x, int y)
{
    /* a thread's round back */
    int over = ((x / 8) + (y / 8)) % 2, at = over ? y % 8 : x % 8;
    double round = 1 - fabs(at - 3.5) / 4.5,
           slub = noise(x / 256.0, y / 256.0, over ? 8 : 32, over ? 32 : 8, 31);
    return 0.15 + 0.60 * round + 0.25 * slub;
}

static double rug(int x, int y)
{
    int cx = (x % HALF) - HALF / 2, cy = (y % HALF) - HALF / 2,
        ring = (cx < 0 ? -cx : cx) + (cy < 0 ? -cy : cy);
    double thread = 0.12 * chance((uint32_t)x / 2, (uint32_t)y / 4, 41);
    if (ring < 16)
        return 0.05 + thread;
    return (ring < 30   ? 0.85
            : ring < 44 ? 0.30
            : ring < 58 ? 0.70
                        : 0.45) +
           thread;
}

static double tiles(int x, int y)
{
    if (x % HALF < 3 || y % HALF < 3)
        return 0.1;
    double edge = x % HALF < 5 || y % HALF < 5 ? -0.12 : 0;
    return 0.78 + 0.16 * chance((uint32_t)x / HALF, (uint32_t)y / HALF, 51) +
           edge + 0.06 * noise(x / 256.0, y / 256.0, 16, 16, 52);
}

static double stone(double x, double y, int px, int py)
{
    double speck = chance((uint32_t)px / 2, (uint32_t)py / 2, 61);
    return 0.45 + 0.30 * noise(x, y, 12, 12, 62) +
           0.25 * noise(x, y, 40, 40, 63) - (speck > 0.93 ? 0.45 : 0);
}

static double brick(int x, int y)
{
    int row = y / 32, at = (x + (row % 2) * 32) % SIDE,
        column = at / 64; /* 24 cm by 12, joints of 1.1 cm */
    if (y % 32 < 3 || at % 64 < 3)
        return 1;
    double tone = chance((uint32_t)column, (uint32_t)row, 71);
    return 0.10 + 0.45 * tone + 0.20 * noise(x / 256.0, y / 256.0, 32, 32, 72);
}

static double straw(int x, int y)
{
    int over = ((x / 32) + (y / 32)) % 2,
        /* four stalks side by side, over and under */
        at = over ? y % 32 : x % 32;
    double stalk = 1 - fabs(at % 8 - 3.5) / 4.5,
           bow = 1 - fabs((over ? x : y) % 32 - 15.5) / 24;
    return 0.10 + 0.50 * stalk * bow +
           0.40 * bow *
               chance((uint32_t)x / 32, (uint32_t)(y / 32 * 4 + at / 8), 81);
}

static double at_pixel(texture_kind kind, int px, int py)
{
    double x = px / 256.0, y = py / 256.0;
    switch (kind) {
    case TEXTURE_WOOD: return wood(x, y, 1);
    case TEXTURE_PLANKS: return planks(x, y);
    case TEXTURE_CLOTH: return cloth(px, py);
    case TEXTURE_RUG: return rug(px, py);
    case TEXTURE_TILES: return tiles(px, py);
    case TEXTURE_PLASTER:
        return 0.3 + 0.3 * noise(x, y, 8, 8, 91) +
               0.4 * noise(x, y, 96, 96, 92);
    case TEXTURE_STONE: return stone(x, y, px, py);
    case TEXTURE_GRASS:
        return 0.15 * noise(x, y, 5, 5, 95) + 0.35 * noise(x, y, 96, 24, 96) +
               0.5 * noise(x, y, 128, 40, 97);
    case TEXTURE_BRICK: return brick(px, py);
    case TEXTURE_STRAW: return straw(px, py);
    case TEXTURE_KINDS: break;
    }
    return 1;
}

typedef struct file {
    uint8_t *data;
    size_t size;
} file;

static void put(file *f, const void *data, size_t size)
{
    f->data = shapes_grow(f->data, f->size + size);
    memcpy(f->data + f->size, data, size);
    f->size += size;
}

static void put_big(file *f, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 8), (uint8_t)value};
    put(f, bytes, 4);
}

static void put_chunk(file *f, const char *type, const file *body)
{
    uint32_t crc = 0xFFFFFFFFu;
    put_big(f, (uint32_t)body->size);
    size_t from = f->size;
    put(f, type, 4);
    if (body->size > 0)
        put(f, body->data, body->size);
    for (size_t i = from; i < f->size; i++) {
        crc ^= f->data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    put_big(f, ~crc);
}

/* zlib's format with stored blocks: no compressor's version changes the
 * bytes. */
static void put_stored(file *f, const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    put(f, "\x78\x01", 2);
    for (size_t at = 0; at < size; at += 65535) {
        size_t n = size - at < 65535 ? size - at : 65535;
        uint8_t head[5] = {at + n == size, (uint8_t)n, (uint8_t)(n >> 8),
                           (uint8_t)~n, (uint8_t)(~n >> 8)};
        put(f, head, 5);
        put(f, data + at, n);
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_big(f, b << 16 | a);
}

size_t texture_png(texture_kind kind, uint8_t **ret)
{
    uint8_t palette[256 * 3],
        *rows = shapes_grow(NULL, (size_t)SIDE * (SIDE + 1));
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 3; k++) {
            double dark = kinds[kind].dark[k];
            palette[3 * i + k] =
                (uint8_t)floor(dark + (255 - dark) * i / 255 + 0.5);
        }
    for (int y = 0; y < SIDE; y++) {
        uint8_t *row = rows + (size_t)y * (SIDE + 1);
        row[0] = 0; /* no filter */
        for (int x = 0; x < SIDE; x++) {
            double v = at_pixel(kind, x, y);
            row[1 + x] = (uint8_t)floor(255 * (v < 0   ? 0
                                               : v > 1 ? 1
                                                       : v) +
                                        0.5);
        }
    }
    file png = {0}, body = {0};
    put(&png, "\x89PNG\r\n\x1a\n", 8);
    put_big(&body, SIDE);
    put_big(&body, SIDE);
    put(&body, "\x08\x03\x00\x00\x00", 5); /* 8 bits, palette */
    put_chunk(&png, "IHDR", &body);
    put_chunk(&png, "PLTE", &(file){palette, sizeof palette});
    body.size = 0;
    put_stored(&body, rows, (size_t)SIDE * (SIDE + 1));
    put_chunk(&png, "IDAT", &body);
    put_chunk(&png, "IEND", &(file){NULL, 0});
    free(rows);
    free(body.data);
    *ret = png.data;
    return png.size;
}
