/* Finds assets by a request: ranked, each with the reason; or none, with what
 * comes nearest. The order is the same on every machine: scores are whole
 * numbers, ties go by the content's hash. Pure but for memory. */
#ifndef ETNA_WORKER_ASSETS_FIND_H
#define ETNA_WORKER_ASSETS_FIND_H

#include "worker/assets/index.h"
#include "worker/assets/query.h"

enum {
    FIND_MAX = 100,
    FIND_USUAL = 5,
    FIND_REASON_SIZE = 200,
    FIND_UNTOLD_SIZE = 96,
    FIND_NEAREST = 3,
    FIND_LICENCES_SIZE = 256, /* bytes of their list */
    FIND_LICENCES_MAX = 8
};

typedef struct find_options { /* all zero: five, of any kind */
    uint32_t k;               /* at most; 0: 5 */
    /* "living room": what fits there comes first; NULL: anywhere */
    const char *room;
    double max_size[3]; /* width, height, depth, metres; 0: any */
    /* what the licences point into */
    char licence_list[FIND_LICENCES_SIZE];
    const char *licences[FIND_LICENCES_MAX]; /* as "cc0", "by"; none: any */
    uint32_t licence_count;
    /* only what is of the kind, where anything is, and has the colours and
     * outline that are asked for */
    bool as_asked;
    /* names and tags alone by BM25: what the rest is compared with */
    bool plain;
    /* bits of find_step that are left out, for measuring what each brings */
    unsigned without;
} find_options;

enum find_step {
    FIND_KINDS = 1,
    FIND_EXPAND = 2,
    FIND_COLOURS = 4,
    FIND_CLASSES = 8,
    FIND_ABSTAIN = 16,
    FIND_LANGUAGES = 32,
    FIND_PASSING = 64 /* over what cannot be among the best, unread */
};

typedef struct find_hit {
    uint32_t doc;
    int32_t score; /* INDEX_IMPACT is a point */
    /* how much it is of the kind that is asked for, of INDEX_KIND */
    uint16_t kind;
    char reason[FIND_REASON_SIZE];
    /* "metal, vintage": words before the thing's name that nothing of the model
     * is known to be; "" */
    char untold[FIND_UNTOLD_SIZE];
} find_hit;

typedef struct find_result {
    /* else `hits` are the nearest, which are not what was asked for */
    bool found;
    uint32_t count;
    find_hit hits[FIND_MAX];
    char why_not[FIND_REASON_SIZE]; /* of what was not found */
    char language[16];              /* of the request, "en" */
    /* "bookcse: bookcase": words that were read otherwise; "" */
    char corrected[FIND_REASON_SIZE];
} find_result;

/* Has the asset, seen from above, the outline that a request names? What is
 * called so has it, too: of a mirror only its name tells. */
bool find_is_outlined(const index_view *v, uint32_t doc, const char *outline);

/* Is it under a licence that is taken, and within the bounds of the request and
 * of the options? */
bool find_allows(const index_view *v,
                 const query *q,
                 const find_options *options,
                 uint32_t doc);

/* ETNA_E_INPUT as query_read; ETNA_E_NOMEM. */
etna_code find_assets(const index_view *v,
                      const char *text,
                      const find_options *options,
                      find_result *ret,
                      etna_error *err);

#endif
