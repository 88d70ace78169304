/* A term's postings: one after another, a block at a time, or past blocks that
 * do not matter. Trusts nothing of the bytes: they may come from a damaged
 * store. */
#include "worker/assets/index_internal.h"

bool index_list_open(index_list *l)
{
    enum {
        GAP_MOST = 32,
        IMPACT_MOST = 17
    };
    const uint32_t count = l->count < INDEX_BLOCK ? l->count : INDEX_BLOCK;
    if (l->end - l->at < 3)
        return false;
    l->gap_bits = *l->at++;
    l->impact_bits = *l->at++;
    if (l->gap_bits > GAP_MOST || l->impact_bits > IMPACT_MOST)
        return false;
    l->least = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (l->at == l->end || shift > 14)
            return false;
        const uint8_t byte = *l->at++;
        l->least |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    const uint32_t size =
        (count * ((uint32_t)l->gap_bits + l->impact_bits) + 7) / 8;
    if (size > (size_t)(l->end - l->at))
        return false;
    l->bits = l->at;
    l->at += size;
    l->bit = 0;
    l->left = count;
    return true;
}

uint32_t index_list_block(index_list *l, index_posting ret[INDEX_BLOCK])
{
    if (!l->count || (!l->left && !index_list_open(l))) {
        l->count = 0;
        return 0;
    }
    /* what a block is read by in locals, since `ret` may be any memory */
    const uint64_t gaps = ((uint64_t)1 << l->gap_bits) - 1;
    const uint64_t impacts = ((uint64_t)1 << l->impact_bits) - 1;
    const uint8_t *bits = l->bits;
    const uint8_t *end = l->end;
    const uint32_t gap_bits = l->gap_bits;
    const uint32_t left = l->left;
    const uint32_t least = l->least;
    const uint32_t docs = l->doc_count;
    const uint32_t width = gap_bits + (uint32_t)l->impact_bits;
    uint32_t next = l->next;
    uint32_t bit = l->bit;
    uint32_t count = 0;
    for (; count < left; count++, bit += width) {
        const uint64_t word = index_bits(bits, end, bit);
        const uint32_t gap = (uint32_t)(word & gaps);
        const uint32_t impact = least + (uint32_t)(word >> gap_bits & impacts);
        if (gap >= docs - next || impact >> 1 > INDEX_IMPACT_MAX)
            break;
        next += gap;
        ret[count] = (index_posting){next++, impact >> 1, impact & 1};
    }
    l->next = next;
    l->count = count < left ? 0 : l->count - count;
    l->left = 0;
    return count;
}

/* The least doc that may come in a block of the list's table. */
static uint32_t block_begin(const index_list *l, uint32_t number)
{
    return index_u32(l->skips + (size_t)(number - 1) * INDEX_SKIP);
}

/* What comes next is the block's, of which the table tells; nothing where what
 * it tells is none. */
static void list_leap(index_list *l, uint32_t number)
{
    const uint8_t *row = l->skips + (size_t)(number - 1) * INDEX_SKIP;
    const uint32_t place = index_u32(row + 4);
    l->left = 0;
    l->count = 0;
    if (place > (size_t)(l->end - l->from) || index_u32(row) > l->doc_count)
        return;
    l->at = l->from + place;
    l->next = index_u32(row);
    l->count = l->whole - number * INDEX_BLOCK;
}

/* Of the blocks behind the one in hand, or else behind the one that comes
 * next. */
void index_list_seek(index_list *l, uint32_t doc)
{
    const uint32_t opened = l->whole - l->count + l->left;
    const uint32_t next = (opened + INDEX_BLOCK - 1) / INDEX_BLOCK;
    const uint32_t first = l->left ? next : next + 1;
    const uint32_t last = index_skips(l->whole);
    uint32_t number = first;
    if (!l->count)
        return;
    while (number <= last && block_begin(l, number) <= doc)
        number++;
    if (number > first)
        list_leap(l, number - 1);
}

/* The last block that begins at or before the doc is the one to look into. */
bool index_list_has(const index_list *l, uint32_t doc)
{
    index_list in = *l;
    index_posting p;
    uint32_t low = 0;
    uint32_t high = index_skips(l->whole);
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (block_begin(l, middle) <= doc)
            low = middle;
        else
            high = middle - 1;
    }
    if (low)
        list_leap(&in, low);
    if (in.count > INDEX_BLOCK)
        in.count = INDEX_BLOCK;
    while (index_list_next(&in, &p)) {
        if (p.doc >= doc)
            return p.doc == doc;
    }
    return false;
}

index_walk index_walk_along(const index_list *l)
{
    return (index_walk){.list = *l};
}

const index_posting *index_walk_to(index_walk *w, uint32_t doc)
{
    for (;;) {
        while (w->at < w->count && w->block[w->at].doc < doc)
            w->at++;
        if (w->at < w->count)
            break;
        index_list_seek(&w->list, doc);
        w->at = 0;
        w->count = index_list_block(&w->list, w->block);
        if (!w->count)
            return NULL;
    }
    return w->block[w->at].doc == doc ? &w->block[w->at] : NULL;
}
