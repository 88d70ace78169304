/* The index that queries are answered from: one run of bytes, made of all
 * assets in the order of their hashes, so that it is the same for any order in
 * which they were read. It is read in place. What is in it is hostile, as the
 * store's files may be: index_open checks it once.
 *
 *   head      8 x u32: magic, version, docs, terms, bytes of text, postings, kinds of docs, version of the kinds
 *   docs      INDEX_DOC bytes each, by hash
 *   terms     text u32, first posting u32, count u32; sorted by their text
 *   postings  doc u32, impact u16, flags u16; by doc
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
    INDEX_DOC = 144,
    INDEX_HEAD = 32,
    INDEX_TERM = 12,
    INDEX_POSTING = 8,
    INDEX_IMPACT = 64, /* of a word: one point of score */
    INDEX_KIND = 1000, /* of a kind: wholly that */
    INDEX_DOC_KINDS = 4,
    /* a posting's flag: a name, id or tag has the word, in whatever language */
    INDEX_NAMED = 1,
};

/* Of assets as shelf_read lists them. `weights`: NULL, or one for each field,
 * for measuring what each brings. Caller frees *ret. ETNA_E_NOMEM,
 * ETNA_E_LIMIT. */
etna_code index_build(const asset *assets,
                      uint32_t count,
                      const double weights[FIELDS],
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
    const uint8_t *docs, *terms, *postings;
    const char *text;
    uint32_t doc_count, term_count, posting_count, text_size;
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
    float size[3], elevation;
    uint8_t colour[ASSET_COLOURS];
    bool movable, opening, round, oval, light;
    uint16_t kinds[INDEX_DOC_KINDS]; /* surest first; 0: none */
} index_doc;
/* Its texts point into the index. */
index_doc index_doc_at(const index_view *v, uint32_t doc);

typedef struct index_list { /* a term's postings */
    const uint8_t *at;
    uint32_t count;
} index_list;
/* Count 0: no doc has the term. */
index_list index_find(const index_view *v, const char *term);
/* Of one posting. A doc that is none comes out as doc_count. */
static inline uint32_t index_list_doc(const index_view *v,
                                      const index_list *l,
                                      uint32_t i)
{
    const uint8_t *p = l->at + (size_t)i * INDEX_POSTING;
    uint32_t doc = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                   (uint32_t)p[3] << 24;
    return doc < v->doc_count ? doc : v->doc_count;
}
static inline uint32_t index_list_impact(const index_list *l, uint32_t i)
{
    const uint8_t *p = l->at + (size_t)i * INDEX_POSTING + 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}
static inline bool index_list_named(const index_list *l, uint32_t i)
{
    return l->at[(size_t)i * INDEX_POSTING + 6] & INDEX_NAMED;
}
/* Whether a doc has the term that the list is of. */
bool index_list_has(const index_view *v, const index_list *l, uint32_t doc);
/* The text of a term, for who looks for one like it; "" where there is none. */
const char *index_term(const index_view *v, uint32_t term);

#endif
