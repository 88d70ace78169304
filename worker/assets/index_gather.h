/* What the docs of a library say, gathered for an index: of each term of a doc
 * a hit with its weight. Docs fall into runs that know nothing of each other, so
 * that each may be gathered on a thread of its own. Internal to
 * worker/assets. */
#ifndef ETNA_WORKER_ASSETS_INDEX_GATHER_H
#define ETNA_WORKER_ASSETS_INDEX_GATHER_H

#include "worker/assets/fields.h"

/* A term in a doc. */
typedef struct index_hit {
    uint32_t term; /* its number among the gatherer's names */
    uint32_t doc;
    float
        weight; /* its frequency in all fields together; of a kind its share */
    bool named; /* a name, id or tag has it */
} index_hit;

/* How long fields are: the sum of their lengths, and how many docs have any. */
typedef struct field_lengths {
    double total[FIELDS], docs_with[FIELDS];
} field_lengths;

/* What all runs share. */
typedef struct gather_plan {
    const asset *assets;   /* sorted by content */
    const double *weights; /* a field each */
    field_lengths lengths;
    uint8_t *docs, *sizes; /* rows of INDEX_DOC and INDEX_SIZES bytes a doc */
} gather_plan;

/* Some assets, of whole docs, and the number of the first doc. */
typedef struct gather_run {
    uint32_t first, count; /* assets */
    uint32_t doc, docs;
} gather_run;

typedef struct gather_one gather_one;
/* `names` of terms are those of `fields`; `texts` are what docs name by number.
 * All zero but `fields` before it begins. */
typedef struct gatherer {
    fields *fields;
    strings texts;
    index_hit *hits; /* in the order of docs */
    size_t hit_count, hit_room;
    double length[FIELDS]; /* of the doc in hand */
    gather_one *terms;     /* of the doc in hand */
    size_t term_count, term_room;
    bool is_measuring;
    bool failed; /* memory ended: what it has is not whole */
} gatherer;

/* How many assets from `i` on are of one doc, of all `count`. */
uint32_t gather_sources(const asset *assets, uint32_t count, uint32_t i);
/* Sums the lengths of the fields of the first docs of a run: enough of them to
 * tell a mean. */
field_lengths gatherer_measure(gatherer *g,
                               const gather_plan *plan,
                               const gather_run *run);
/* Gathers the hits of a run's docs and writes their rows, in which texts are
 * numbers among the gatherer's. Look at `failed` then. */
void gatherer_walk(gatherer *g, const gather_plan *plan, const gather_run *run);
/* Also of one that failed. Frees its fields, too. */
void gatherer_free(gatherer *g);

#endif
