/* An index as it is read. Nothing of its bytes is trusted: they may come from a
 * damaged store. */
#include "worker/assets/index.h"
#include "worker/assets/index_internal.h"

#include <assert.h>
#include <string.h>

static float get_float(const uint8_t *p)
{
    uint32_t bits = index_u32(p);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The upper bits of a float grow with it: its exponent and the first four of its
 * fraction. */
uint8_t index_size_class(float metres)
{
    enum {
        FRACTION_LEFT = 19,
        LEAST = (127 - 9) << 4, /* 2 mm */
        CLASSES = 256
    };
    uint32_t bits;
    memcpy(&bits, &metres, sizeof bits);
    const uint32_t of = bits >> FRACTION_LEFT;
    if (!(metres > 0) || of <= LEAST)
        return 0;
    return (uint8_t)(of - LEAST < CLASSES ? of - LEAST : CLASSES - 1);
}

/* All sizes must add up to the block's; what the rows say is checked again when
 * it is read, as the store may be damaged. */
etna_code index_open(const uint8_t *data,
                     size_t size,
                     index_view *ret,
                     etna_error *err)
{
    if (size < INDEX_HEAD || index_u32(data) != INDEX_MAGIC)
        return etna_fail(err, ETNA_E_CORRUPT, "the index of assets is damaged");
    if (index_u32(data + 4) != INDEX_VERSION ||
        index_u32(data + 28) != kinds_version())
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "the index of assets is of another version");
    index_view v = {.doc_count = index_u32(data + 8),
                    .term_count = index_u32(data + 12),
                    .text_size = index_u32(data + 16),
                    .posting_size = index_u32(data + 20)};
    uint64_t docs = (uint64_t)v.doc_count * INDEX_DOC;
    uint64_t sizes = (uint64_t)v.doc_count * INDEX_SIZES;
    uint64_t terms = (uint64_t)v.term_count * INDEX_TERM;
    bool is_whole =
        docs + sizes + terms + v.posting_size + v.text_size + INDEX_HEAD ==
        size;
    v.docs = data + INDEX_HEAD;
    if (!is_whole || (v.text_size && data[size - 1] != 0))
        return etna_fail(
            err, ETNA_E_CORRUPT,
            "the index of assets is damaged; `etna assets index` makes it anew");
    v.sizes = v.docs + docs;
    v.terms = v.sizes + sizes;
    v.postings = v.terms + terms;
    v.text = (const char *)(v.postings + v.posting_size);
    *ret = v;
    return ETNA_OK;
}

/* A place beyond the texts reads as "". */
static const char *index_text(const index_view *v, uint32_t at)
{
    return at < v->text_size ? v->text + at : "";
}

/* The layout of doc_write, read back. */
index_doc index_doc_at(const index_view *v, uint32_t doc)
{
    assert(doc < v->doc_count);
    const uint8_t *p = v->docs + (size_t)doc * INDEX_DOC;
    index_doc d = {.path = index_text(v, index_u32(p + 32)),
                   .name = index_text(v, index_u32(p + 36)),
                   .category = index_text(v, index_u32(p + 40)),
                   .licence = index_text(v, index_u32(p + 44)),
                   .number = index_u32(p + 48),
                   .elevation = get_float(p + 64)};
    memcpy(d.hash.bytes, p, 32);
    for (int k = 0; k < 3; k++)
        d.size[k] = get_float(p + 52 + 4 * k);
    memcpy(d.colour, p + 68, ASSET_COLOURS);
    d.movable = p[80] & 1;
    d.opening = p[80] >> 1 & 1;
    d.round = p[80] >> 2 & 1;
    d.oval = p[80] >> 3 & 1;
    d.light = p[80] >> 4 & 1;
    d.front = p[80] >> 5 & 3;
    for (int i = 0; i < INDEX_DOC_KINDS; i++)
        d.kinds[i] = (uint16_t)index_u16(p + 84 + 2 * i);
    return d;
}

/* "" for a number that it does not have. */
const char *index_term(const index_view *v, uint32_t term)
{
    return term < v->term_count
               ? index_text(v, index_u32(v->terms + (size_t)term * INDEX_TERM))
               : "";
}

/* An empty list where no doc has the term. */
index_list index_find(const index_view *v, const char *term)
{
    uint32_t low = 0;
    uint32_t high = v->term_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (strcmp(index_term(v, middle), term) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == v->term_count || strcmp(index_term(v, low), term) != 0)
        return (index_list){.count = 0};
    const uint8_t *row = v->terms + (size_t)low * INDEX_TERM;
    uint32_t place = index_u32(row + 4);
    uint32_t count = index_u32(row + 8);
    uint64_t table = (uint64_t)index_skips(count) * INDEX_SKIP;
    if (place > v->posting_size || table > v->posting_size - place)
        return (index_list){.count = 0};
    const uint8_t *skips = v->postings + place;
    return (index_list){.skips = skips,
                        .from = skips + table,
                        .at = skips + table,
                        .end = v->postings + v->posting_size,
                        .count = count,
                        .whole = count,
                        .most = index_u32(row + 12) >> 1,
                        .has_names = row[12] & 1,
                        .doc_count = v->doc_count};
}
