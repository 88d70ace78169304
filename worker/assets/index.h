/* The index that queries are answered from: one run of bytes, made of all
 * assets in the order of their hashes, so that it is the same for any order in
 * which they were read. It is read in place. What is in it is hostile, as the
 * store's files may be: index_open checks it once.
 *
 *   head      8 x u32: magic, version, docs, terms, bytes of text, bytes of postings, kinds of docs, version of the kinds
 *   docs      INDEX_DOC bytes each, by hash
 *   sizes     INDEX_SIZES bytes a doc, its size by index_size_class
 *   terms     text u32, place of its postings u32, count u32, their greatest
 *             impact u32, doubled, odd where a name has the word; sorted by their text
 *   postings  by doc, in blocks of INDEX_BLOCK: first, of each block but the
 *             first, the doc before it and its place behind this table, u32
 *             each; then each block: how many bits its gaps and its impacts
 *             have, a byte each, and its least impact as a number of seven bits
 *             a byte, the low ones first; then the bits of each posting, the low
 *             ones first: how many docs lie between it and the one before, and
 *             its impact, doubled, odd where a name has the word, beyond the
 *             least. A block ends with a whole byte
 *   text      zero-ended strings
 *
 * A term is a folded word ("chair"), a word of a language ("de:stuhl"), a whole
 * name ("de=stuhl"), a language ("@de"), a kind ("#123": its impact is how much
 * the doc is of that kind, of 1000) or what a kind stands directly below
 * ("^123"). Numbers have the little end first. */
#ifndef ETNA_WORKER_ASSETS_INDEX_H
#define ETNA_WORKER_ASSETS_INDEX_H

#include "worker/assets/fields.h"
#include "worker/assets/shelf.h"

enum {
    INDEX_DOC = 92,
    INDEX_SIZES = 3,
    INDEX_HEAD = 32,
    INDEX_TERM = 16,
    INDEX_BLOCK = 64,  /* postings */
    INDEX_SKIP = 8,    /* bytes of a block in its list's table */
    INDEX_IMPACT = 64, /* of a word: one point of score */
    INDEX_IMPACT_MAX = 65535,
    INDEX_KIND = 1000, /* of a kind: wholly that */
    INDEX_DOC_KINDS = 4,
};

typedef struct index_options {
    /* NULL, or one for each field, for measuring what each brings */
    const double *weights;
    uint32_t threads; /* that work on it: the same bytes for any number */
} index_options;
/* Of assets as shelf_read lists them. Caller frees *ret. ETNA_E_NOMEM,
 * ETNA_E_LIMIT. */
etna_code index_build(const asset *assets,
                      uint32_t count,
                      const index_options *options,
                      uint8_t **ret,
                      size_t *ret_size,
                      uint32_t *ret_docs,
                      etna_error *err);
/* Builds it of all that is on the shelf and puts it there. */
etna_code index_refresh(shelf *s,
                        etna_hash *ret_hash,
                        uint32_t *ret_docs,
                        etna_error *err);

typedef struct index_view { /* borrowed bytes */
    const uint8_t *docs, *sizes, *terms, *postings;
    const char *text;
    uint32_t doc_count, term_count, posting_size, text_size;
} index_view;

/* ETNA_E_CORRUPT; an index of another version is ETNA_E_NOTFOUND. Looks at its
 * head and ends alone: what is read of it later is checked as it is read. */
etna_code index_open(const uint8_t *data,
                     size_t size,
                     index_view *ret,
                     etna_error *err);

typedef struct index_doc {
    etna_hash hash;
    const char *path, *name, *category, *licence;
    uint32_t number;
    float size[3], elevation; /* as asset_size has it */
    uint32_t front;           /* as asset_front has it */
    uint8_t colour[ASSET_COLOURS];
    bool movable, opening, round, oval, light;
    uint16_t kinds[INDEX_DOC_KINDS]; /* surest first; 0: none */
} index_doc;
/* Its texts point into the index. */
index_doc index_doc_at(const index_view *v, uint32_t doc);

/* Of how many sixteenths of doublings a length is, from 2 mm to 128 m: what is
 * longer is of no less a class. So most docs that are too large or too small are
 * told by INDEX_SIZES bytes side by side. */
uint8_t index_size_class(float metres);

typedef struct index_list { /* a term's postings that are still to come */
    const uint8_t *skips, *from, *at, *end; /* their table, and they */
    uint32_t count;
    uint32_t whole;     /* count of the list at first */
    uint32_t next;      /* the least doc that may come */
    uint32_t doc_count; /* of the index */
    uint32_t most;      /* the greatest impact of the list at first */
    bool has_names;     /* one of its postings is `named` */
    /* of the block in hand: postings to come, and the first bit of the next
     * beyond `at`, which is the block's end */
    uint32_t left, bit;
    uint32_t least;
    uint8_t gap_bits, impact_bits;
    const uint8_t *bits;
} index_list;
typedef struct index_posting {
    uint32_t doc, impact;
    bool named; /* a name, id or tag has the word, in whatever language */
} index_posting;
/* Count 0: no doc has the term. */
index_list index_find(const index_view *v, const char *term);
/* Opens the next block. False where the bytes are none. */
bool index_list_open(index_list *l);
/* Bits from one on, at least 56 unless the bytes end before. */
static inline uint64_t index_bits(const uint8_t *from,
                                  const uint8_t *end,
                                  uint32_t bit)
{
    enum {
        WORD = 8
    };
    const uint8_t *p = from + bit / 8;
    uint64_t word = 0;
    if (end - p >= WORD)
        word = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
               (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
               (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
               (uint64_t)p[7] << 56;
    for (unsigned i = 0; end - p < WORD && p + i < end; i++)
        word |= (uint64_t)p[i] << (8 * i);
    return word >> (bit & 7);
}
/* Takes the next one. False at the end, and where the bytes are none. */
static inline bool index_list_next(index_list *l, index_posting *ret)
{
    if (!l->count || (!l->left && !index_list_open(l)))
        return false;
    const uint64_t word = index_bits(l->bits, l->end, l->bit);
    const uint32_t gap = (uint32_t)(word & (((uint64_t)1 << l->gap_bits) - 1));
    const uint32_t impact =
        l->least +
        (uint32_t)(word >> l->gap_bits & (((uint64_t)1 << l->impact_bits) - 1));
    l->bit += (uint32_t)l->gap_bits + l->impact_bits;
    if (gap >= l->doc_count - l->next || impact >> 1 > INDEX_IMPACT_MAX)
        return false;
    ret->doc = l->next + gap;
    ret->impact = impact >> 1;
    ret->named = impact & 1;
    l->next = ret->doc + 1;
    l->count--;
    l->left--;
    return true;
}
/* Takes all that are left of a block; how many, 0 at the end, and where the
 * bytes are none. */
uint32_t index_list_block(index_list *l, index_posting ret[INDEX_BLOCK]);
/* Passes over postings unread whose blocks end before the doc; some before it
 * may still come. */
void index_list_seek(index_list *l, uint32_t doc);
/* Whether a doc has the term that the list is of; `l` as index_find gave
 * it. */
bool index_list_has(const index_list *l, uint32_t doc);

/* Two lists side by side: asked for docs that only grow, it reads a list once. */
typedef struct index_walk {
    index_list list;
    index_posting block[INDEX_BLOCK];
    uint32_t count; /* of the block */
    uint32_t at;    /* the first that was not passed */
} index_walk;
/* `l` as index_find gave it. */
index_walk index_walk_along(const index_list *l);
/* The doc's posting, until it is asked again; NULL: the list has not the doc.
 * `doc` is no less than the one before. */
const index_posting *index_walk_to(index_walk *w, uint32_t doc);

/* The text of a term, for who looks for one like it; "" where there is none. */
const char *index_term(const index_view *v, uint32_t term);

#endif
