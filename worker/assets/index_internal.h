/* How the bytes of an index lie: index_build.c makes them, index.c opens them,
 * index_list.c reads a term's postings. */
#ifndef ETNA_WORKER_ASSETS_INDEX_INTERNAL_H
#define ETNA_WORKER_ASSETS_INDEX_INTERNAL_H

#include "worker/assets/index.h"

/* `p` need not be aligned. */
static inline uint32_t index_u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}
static inline uint32_t index_u32(const uint8_t *p)
{
    return index_u16(p) | index_u16(p + 2) << 16;
}

/* Little-endian on every machine: an index may be copied to another. */
static inline void index_put_u16(uint8_t *to, uint32_t v)
{
    to[0] = (uint8_t)v;
    to[1] = (uint8_t)(v >> 8);
}
static inline void index_put_u32(uint8_t *to, uint32_t v)
{
    index_put_u16(to, v);
    index_put_u16(to + 2, v >> 16);
}

enum {
    INDEX_MAGIC = 0x58494e45,
    INDEX_VERSION = 5,
    /* the first text of a doc's row, and how many there are, four bytes each */
    INDEX_DOC_TEXT = 32,
    INDEX_DOC_TEXTS = 4
};

/* How many blocks stand in the table of a list of so many postings. */
static inline uint32_t index_skips(uint32_t count)
{
    return count ? (count - 1) / INDEX_BLOCK : 0;
}

#endif
