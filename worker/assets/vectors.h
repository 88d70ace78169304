/* Assets told in three texts, and the vectors that a model's server makes of
 * them: what it looks like, what it is for, where it is found. A vector is kept
 * as whole numbers of one byte with a scale, so that who compares two comes to
 * the same bits on every machine. Pure but for the shelf. */
#ifndef ETNA_WORKER_ASSETS_VECTORS_H
#define ETNA_WORKER_ASSETS_VECTORS_H

#include "worker/assets/find.h"
#include "worker/assets/pivot.h"

enum {
    VECTORS_TEXTS = 3,
    VECTORS_DIMENSIONS_MAX = 8192
};

/* A number is its byte times `scale`; with that the whole has length 1. */
typedef struct vector { /* borrowed */
    uint32_t dimensions;
    double scale;
    const uint8_t *at; /* each a byte of two's complement */
} vector;

/* Three texts of one content's sources, in the arena; each begins with its
 * name. False: no memory. */
bool vectors_tell(const asset *sources,
                  uint32_t count,
                  const pivot *p,
                  etna_arena *arena,
                  const char *ret[VECTORS_TEXTS]);
/* What a model's vector of a text is kept under. `model` is the name that its
 * server knows it by: a list may call it anything, and its vectors stay. */
etna_hash vectors_key(const char *model, const char *text);

/* The bytes that are kept of one, whose numbers are finite and not all zero.
 * The caller frees *ret. ETNA_E_NOMEM. */
etna_code vector_encode(const double *v,
                        uint32_t dimensions,
                        uint8_t **ret,
                        size_t *ret_size,
                        etna_error *err);
/* Hostile. False: it is none. */
bool vector_open(const uint8_t *data, size_t size, vector *ret);
/* The cosine of two of one length. */
double vector_likeness(const vector *a, const vector *b);

/* Packs what is kept of all `assets` (as shelf_read lists them) into the run of
 * bytes that find_near reads, and puts it on the shelf. *ret_docs: how many
 * have all three. ETNA_E_INPUT: a model's vectors are of several lengths. */
etna_code vectors_refresh(shelf *s,
                          const shelf_list *list,
                          const char *model,
                          uint32_t *ret_docs,
                          etna_error *err);

/* A row is a content's hash and, for each of its three texts, a scale and
 * `dimensions` bytes. Rows are in the order of hashes. */
typedef struct vectors_view { /* borrowed bytes */
    uint32_t dimensions, docs;
    const uint8_t *rows;
} vectors_view;

/* ETNA_E_CORRUPT. */
etna_code vectors_open(const uint8_t *data,
                       size_t size,
                       vectors_view *ret,
                       etna_error *err);

/* Fuses what was found by words with what is near by its vectors: by the sum of
 * 1 / (60 + place). `found` has up to FIND_MAX hits of the same request and
 * options, and comes out with `k`. What the request's bounds and the licences
 * keep out stays out. Where words found nothing, the nearest are those by
 * vectors, and it is not found all the same. ETNA_E_INPUT: the request's vector is of another
 * length; as query_read. ETNA_E_NOMEM. */
etna_code find_near(const index_view *v,
                    const vectors_view *vectors,
                    const vector *asked,
                    const char *text,
                    const find_options *options,
                    uint32_t k,
                    find_result *found,
                    etna_error *err);

#endif
