/* How the bytes of an index are read: index.c makes them and opens them,
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

/* How many blocks stand in the table of a list of so many postings. */
static inline uint32_t index_skips(uint32_t count)
{
    return count ? (count - 1) / INDEX_BLOCK : 0;
}

#endif
