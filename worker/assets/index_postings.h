/* Hits of an index, term by term, as the bytes of its posting lists. Internal to
 * worker/assets. */
#ifndef ETNA_WORKER_ASSETS_INDEX_POSTINGS_H
#define ETNA_WORKER_ASSETS_INDEX_POSTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A doc that has the term at hand. */
typedef struct posting_hit {
    uint32_t doc;
    float weight; /* as index_hit has it */
    bool named;
} posting_hit;

/* Bytes that grow; all zero is empty. `failed`: memory ended. */
typedef struct postings {
    uint8_t *data;
    size_t size, room;
    bool failed;
} postings;

/* Appends one term's list, and writes the term's row but for its text:
 * INDEX_TERM bytes, the place being one in `to`. `hits` in the order of docs; a
 * doc may come twice, and they are overwritten. `docs`: how many the index
 * has. */
void postings_write(postings *to,
                    const char *term,
                    posting_hit *hits,
                    size_t count,
                    uint32_t docs,
                    uint8_t *ret_row);
void postings_free(postings *p);

#endif
