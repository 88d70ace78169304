#include "worker/assets/index_postings.h"
#include "worker/assets/index_internal.h"
#include "worker/assets/pages.h"
#include "worker/math/vec.h"

#include <stdlib.h>
#include <string.h>

/* BM25's usual saturation of a term's frequency. */
static const double K1 = 1.2;

/* At least `count` more fit. */
static bool postings_reserve(postings *b, size_t count)
{
    if (b->size + count <= b->room)
        return true;
    size_t room = 2 * (b->size + count) + 4096;
    uint8_t *grown = b->failed ? NULL : realloc(b->data, room);
    b->failed = !grown;
    if (!grown)
        return false;
    pages_enlarge(grown, room);
    b->data = grown;
    b->room = room;
    return true;
}

/* Room for one was reserved. */
static void postings_number(postings *b, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
        b->data[b->size++] = (uint8_t)(number | 0x80);
    b->data[b->size++] = (uint8_t)number;
}

/* What a block's postings are made of. */
typedef struct block {
    uint32_t gaps[INDEX_BLOCK], impacts[INDEX_BLOCK];
    uint32_t count;
} block;

/* How many bits the greatest of some numbers has. */
static uint8_t bits_of(uint32_t greatest)
{
    uint8_t bits = 0;
    for (; greatest; greatest >>= 1)
        bits++;
    return bits;
}

/* From a bit on, of bytes that are still zero there; at most 49 bits, which with
 * those before them in their first byte fit a word. */
static void bits_put(uint8_t *to, uint32_t bit, uint64_t value)
{
    value <<= bit & 7;
    for (to += bit / 8; value; value >>= 8)
        *to++ |= (uint8_t)value;
}

/* Room for it was reserved. */
static void block_write(postings *to, const block *b)
{
    uint32_t gap = 0, least = UINT32_MAX, most = 0, bit = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        gap = b->gaps[i] > gap ? b->gaps[i] : gap;
        least = b->impacts[i] < least ? b->impacts[i] : least;
        most = b->impacts[i] > most ? b->impacts[i] : most;
    }
    const uint8_t gap_bits = bits_of(gap);
    const uint8_t impact_bits = bits_of(most - least);
    to->data[to->size++] = gap_bits;
    to->data[to->size++] = impact_bits;
    postings_number(to, least);
    uint8_t *bits = to->data + to->size;
    const size_t size = ((size_t)b->count * (gap_bits + impact_bits) + 7) / 8;
    memset(bits, 0, size);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint64_t impact = b->impacts[i] - least;
        bits_put(bits, bit, b->gaps[i] | impact << gap_bits);
        bit += (uint32_t)gap_bits + impact_bits;
    }
    to->size += size;
}

/* Words never begin so: text_next cuts such signs off. */
static bool term_is_kind(const char *term)
{
    return term[0] == '#' || term[0] == '^';
}

/* A kind's share as it is; a word by its rarity (BM25's idf) and saturated
 * frequency, as a whole number of at most 16 bits. */
static uint32_t impact_of(const char *term, double tf, double docs, double with)
{
    double v = term_is_kind(term)
                   ? tf * INDEX_KIND
                   : math_log(1 + (docs - with + 0.5) / (with + 0.5)) * tf *
                         (K1 + 1) / (K1 + tf) * INDEX_IMPACT;
    return v < INDEX_IMPACT_MAX ? (uint32_t)(v + 0.5) : INDEX_IMPACT_MAX;
}

/* A doc that has a term twice keeps the greater weight. Returns how many are
 * left. */
static uint32_t hits_unique(posting_hit *hits, size_t count)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const posting_hit h = hits[i];
        posting_hit *last = kept ? &hits[kept - 1] : NULL;
        bool is_again = last && last->doc == h.doc;
        if (!is_again)
            hits[kept++] = h;
        else if (h.weight > last->weight)
            *last = h;
    }
    return kept;
}

/* One term's hits, in the order of docs. Returns what index_list has as
 * `most`, doubled, and odd where a name has the word. */
static uint32_t list_write(postings *to,
                           const posting_hit *hits,
                           uint32_t count,
                           const char *term,
                           uint32_t docs)
{
    enum {
        BLOCK_HEAD = 8,
        POSTING_MOST = 7
    };
    const size_t table = (size_t)index_skips(count) * INDEX_SKIP;
    const size_t heads = ((size_t)index_skips(count) + 1) * BLOCK_HEAD;
    if (!postings_reserve(to, table + heads + (size_t)count * POSTING_MOST))
        return 0;
    size_t skip = to->size;
    const size_t from = to->size + table;
    to->size = from;
    uint32_t next = 0, most = 0, named = 0;
    block b = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (i && b.count == 0) {
            index_put_u32(to->data + skip, next);
            index_put_u32(to->data + skip + 4, (uint32_t)(to->size - from));
            skip += INDEX_SKIP;
        }
        uint32_t impact =
            impact_of(term, (double)hits[i].weight, docs, (double)count);
        b.gaps[b.count] = hits[i].doc - next;
        most = impact > most ? impact : most;
        named |= hits[i].named;
        b.impacts[b.count++] = impact << 1 | hits[i].named;
        next = hits[i].doc + 1;
        if (b.count < INDEX_BLOCK && i + 1 < count)
            continue;
        block_write(to, &b);
        b.count = 0;
    }
    return most << 1 | named;
}

void postings_write(postings *to,
                    const char *term,
                    posting_hit *hits,
                    size_t count,
                    uint32_t docs,
                    uint8_t *ret_row)
{
    const uint32_t kept = hits_unique(hits, count);
    index_put_u32(ret_row + 4, (uint32_t)to->size);
    index_put_u32(ret_row + 8, kept);
    index_put_u32(ret_row + 12,
                  kept ? list_write(to, hits, kept, term, docs) : 0);
}

void postings_free(postings *p)
{
    free(p->data);
    *p = (postings){.data = NULL};
}
