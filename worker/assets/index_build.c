/* Building: every term of every doc is gathered, then sorted by term and doc,
 * then weighed. Impacts are BM25F's, rounded to whole numbers, so that queries
 * only add integers: the same order on every machine.
 *
 * A doc is a model's content, whatever number of files show it. Its terms are
 * the words of its fields, each field with a weight of its own, and its kinds
 * as terms with a mark in front ('#', '^'), so that one posting list serves
 * both. Begin at index_build. Docs are measured first, to know how long fields
 * are on average. Then runs of docs are gathered side by side (index_gather.h),
 * their words are numbered together in the order of docs, their hits brought
 * into the order of terms, and stretches of terms written side by side
 * (index_postings.h). How many runs and stretches there are changes no bit. */
#include "proto/array.h"
#include "proto/cpus.h"
#include "worker/assets/index.h"
#include "worker/assets/index_gather.h"
#include "worker/assets/index_internal.h"
#include "worker/assets/index_postings.h"
#include "worker/assets/pages.h"
#include "worker/view/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = 16
};
/* how much a term counts by where it stands; chosen on the training requests,
 * and no more precise than they look */
static const double WEIGHT[FIELDS] = {
    [FIELD_NAME] = 5,      [FIELD_ID] = 2.5,    [FIELD_TAGS] = 2.5,
    [FIELD_CATEGORY] = 1,  [FIELD_OTHER] = 3,   [FIELD_SAME] = 2.5,
    [FIELD_ABOVE] = 1,     [FIELD_GLOSS] = 1.3, [FIELD_FACET] = 2.5,
    [FIELD_SURFACE] = 2.5, [FIELD_FOREIGN] = 5, [FIELD_WHOLE] = 5};

/* A run of docs, and a stretch of terms. */
typedef struct part {
    gather_run run;
    gatherer gathered;
    uint32_t *term_numbers; /* among all names, by the gatherer's own */
    /* by term in order: how many hits the run has of it, then where the next of
     * them goes */
    size_t *next;
    uint32_t term, term_end; /* of the stretch */
    postings postings;
} part;

/* Names and texts of all docs are those of the first part, to which the others'
 * are added. */
typedef struct building {
    gather_plan plan;
    part parts[PARTS_MAX];
    uint32_t threads, count; /* of parts */
    uint32_t doc_count;
    uint32_t *order, *rank; /* terms by their text, and the other way round */
    size_t *starts; /* of a term's hits, by its rank; one more at the end */
    posting_hit *hits;
    uint8_t *terms; /* rows */
} building;

static strings *building_names(const building *b)
{
    return fields_names(b->parts[0].gathered.fields);
}

static bool building_failed(const building *b)
{
    for (uint32_t p = 0; p < b->count; p++) {
        if (b->parts[p].gathered.failed || b->parts[p].postings.failed)
            return true;
    }
    return false;
}

/* ---- gathering ---- */

/* Parts of about equally many assets, none of which cuts a doc. Returns how many
 * assets are good: those that failed come last. */
static uint32_t building_divide(building *b,
                                const asset *assets,
                                uint32_t count)
{
    uint32_t good = 0;
    uint32_t docs = 0;
    while (good < count && !assets[good].fault[0])
        good++;
    const uint32_t each = good / b->threads + 1;
    b->count = 1;
    for (uint32_t i = 0; i < good; docs++) {
        if (b->parts[b->count - 1].run.count >= each)
            b->parts[b->count++].run = (gather_run){.first = i, .doc = docs};
        gather_run *run = &b->parts[b->count - 1].run;
        const uint32_t n = gather_sources(assets, good, i);
        run->count += n;
        run->docs++;
        i += n;
    }
    b->doc_count = docs;
    return good;
}

/* For parallel_do. */
static void part_gather(void *context, uint32_t p)
{
    building *b = context;
    gatherer_walk(&b->parts[p].gathered, &b->plan, &b->parts[p].run);
}

static void building_gather(building *b, uint32_t assets)
{
    gatherer *first = &b->parts[0].gathered;
    const gather_run all = {.count = assets, .docs = b->doc_count};
    b->plan.lengths = gatherer_measure(first, &b->plan, &all);
    if (!first->failed)
        parallel_do(b->threads, b->count, part_gather, b);
}

/* ---- one numbering ---- */

/* Adds some strings to all. Returns their numbers there; NULL: no memory. */
static uint32_t *strings_join(strings *all, const strings *those)
{
    uint32_t *numbers = malloc((those->count + 1u) * sizeof *numbers);
    for (uint32_t i = 0; numbers && i < those->count; i++) {
        numbers[i] =
            all == those ? i : strings_add(all, strings_text(those, i));
        if (numbers[i] == STRINGS_NONE) {
            free(numbers);
            return NULL;
        }
    }
    return numbers;
}

/* Numbers of texts in a part's docs become places in the text. False: no
 * memory. */
static bool part_place_texts(building *b, part *p)
{
    strings *all = &b->parts[0].gathered.texts;
    uint32_t *numbers = strings_join(all, &p->gathered.texts);
    for (uint32_t d = 0; numbers && d < p->run.docs; d++) {
        uint8_t *row = b->plan.docs + (size_t)(p->run.doc + d) * INDEX_DOC;
        uint8_t *to = row + INDEX_DOC_TEXT;
        for (int i = 0; i < INDEX_DOC_TEXTS; i++, to += 4)
            index_put_u32(to, all->at[numbers[index_u32(to)]]);
    }
    free(numbers);
    return numbers != NULL;
}

/* Parts are joined in their order, so that every text has the number it would
 * have if there were one part. False: no memory. */
static bool building_number(building *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        part *p = &b->parts[i];
        p->term_numbers =
            strings_join(building_names(b), fields_names(p->gathered.fields));
        if (!p->term_numbers || !part_place_texts(b, p))
            return false;
    }
    return true;
}

/* ---- the order of terms ---- */

/* For qsort_r, whose context is the terms' texts. */
static int term_order(const void *a, const void *b, void *names)
{
    return strcmp(strings_text(names, *(const uint32_t *)a),
                  strings_text(names, *(const uint32_t *)b));
}

/* False: no memory. */
static bool building_rank(building *b)
{
    strings *names = building_names(b);
    b->order = malloc((names->count + 1u) * sizeof *b->order);
    b->rank = malloc((names->count + 1u) * sizeof *b->rank);
    if (!b->order || !b->rank)
        return false;
    for (uint32_t i = 0; i < names->count; i++)
        b->order[i] = i;
    if (names->count)
        qsort_r(b->order, names->count, sizeof *b->order, term_order, names);
    for (uint32_t i = 0; i < names->count; i++)
        b->rank[b->order[i]] = i;
    return true;
}

/* The place of a hit's term in the order. */
static uint32_t hit_rank(const building *b, const part *p, const index_hit *h)
{
    return b->rank[p->term_numbers[h->term]];
}

/* For parallel_do. */
static void part_count_hits(void *context, uint32_t i)
{
    building *b = context;
    part *p = &b->parts[i];
    for (size_t k = 0; k < p->gathered.hit_count; k++)
        p->next[hit_rank(b, p, &p->gathered.hits[k])]++;
}

/* For parallel_do. Of each term the hits of a part keep the order of docs. */
static void part_scatter_hits(void *context, uint32_t i)
{
    building *b = context;
    part *p = &b->parts[i];
    for (size_t k = 0; k < p->gathered.hit_count; k++) {
        const index_hit *h = &p->gathered.hits[k];
        b->hits[p->next[hit_rank(b, p, h)]++] =
            (posting_hit){h->doc, h->weight, h->named};
    }
    free(p->gathered.hits);
    p->gathered.hits = NULL;
}

/* A term's hits stand together, those of the first part before the others'. */
static void building_starts(building *b, uint32_t terms)
{
    size_t at = 0;
    for (uint32_t t = 0; t < terms; t++) {
        b->starts[t] = at;
        for (uint32_t i = 0; i < b->count; i++) {
            const size_t count = b->parts[i].next[t];
            b->parts[i].next[t] = at;
            at += count;
        }
    }
    b->starts[terms] = at;
}

/* Puts the hits by their terms, and of each term by docs. False: no memory. */
static bool building_sort(building *b)
{
    const uint32_t terms = building_names(b)->count;
    size_t count = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        b->parts[i].next = calloc(terms + 1u, sizeof *b->parts[i].next);
        if (!b->parts[i].next)
            return false;
        count += b->parts[i].gathered.hit_count;
    }
    b->starts = malloc((terms + 1u) * sizeof *b->starts);
    b->hits = malloc((count + 1) * sizeof *b->hits);
    if (!b->starts || !b->hits)
        return false;
    pages_enlarge(b->hits, (count + 1) * sizeof *b->hits);
    parallel_do(b->threads, b->count, part_count_hits, b);
    building_starts(b, terms);
    parallel_do(b->threads, b->count, part_scatter_hits, b);
    return true;
}

/* ---- writing ---- */

/* Texts of terms lie behind those of docs, so their places are shifted by
 * these. A term that no doc has keeps its place in the order. For
 * parallel_do. */
static void part_write(void *context, uint32_t i)
{
    building *b = context;
    part *p = &b->parts[i];
    const strings *names = building_names(b);
    const size_t before = b->parts[0].gathered.texts.size;
    for (uint32_t t = p->term; t < p->term_end; t++) {
        uint8_t *row = b->terms + (size_t)t * INDEX_TERM;
        index_put_u32(row, (uint32_t)(before + names->at[b->order[t]]));
        postings_write(&p->postings, strings_text(names, b->order[t]),
                       b->hits + b->starts[t], b->starts[t + 1] - b->starts[t],
                       b->doc_count, row);
    }
}

/* Stretches of about equally many hits. */
static void building_stretch(building *b)
{
    const uint32_t terms = building_names(b)->count;
    const size_t each = b->starts[terms] / b->count + 1;
    uint32_t t = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const bool is_last = i + 1 == b->count;
        b->parts[i].term = t;
        while (t < terms && (is_last || b->starts[t] < (i + 1) * each))
            t++;
        b->parts[i].term_end = t;
    }
}

/* Places in a stretch's postings become places in all. Returns how many bytes
 * there are. */
static size_t building_shift(building *b)
{
    size_t base = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const part *p = &b->parts[i];
        for (uint32_t t = p->term; t < p->term_end; t++) {
            uint8_t *place = b->terms + (size_t)t * INDEX_TERM + 4;
            index_put_u32(place, (uint32_t)base + index_u32(place));
        }
        base += p->postings.size;
    }
    return base;
}

/* False: no memory. */
static bool building_write(building *b)
{
    b->terms = malloc((size_t)building_names(b)->count * INDEX_TERM + 1);
    if (!b->terms)
        return false;
    building_stretch(b);
    parallel_do(b->threads, b->count, part_write, b);
    return !building_failed(b);
}

/* A piece of the whole; where the next one goes is returned. */
static uint8_t *piece_copy(uint8_t *to, const void *data, size_t size)
{
    if (size)
        memcpy(to, data, size);
    return to + size;
}

/* One block: head, docs, sizes, terms, postings, texts. It is mapped from the
 * store and read in place. */
static etna_code building_lay(building *b,
                              uint8_t **ret,
                              size_t *ret_size,
                              etna_error *err)
{
    const strings *names = building_names(b);
    const strings *texts = &b->parts[0].gathered.texts;
    const size_t docs = (size_t)b->doc_count * INDEX_DOC;
    const size_t sizes = (size_t)b->doc_count * INDEX_SIZES;
    const size_t terms = (size_t)names->count * INDEX_TERM;
    const size_t lists = building_shift(b);
    const size_t text = texts->size + names->size;
    const size_t size = INDEX_HEAD + docs + sizes + terms + lists + text;
    if (lists > UINT32_MAX || text > UINT32_MAX || size > (size_t)3 << 30)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "the index of %u assets is too large; index fewer folders",
            b->doc_count);
    uint8_t *data = calloc(size, 1);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for an index of %zu bytes", size);
    pages_enlarge(data, size);
    const uint32_t head[8] = {INDEX_MAGIC,
                              INDEX_VERSION,
                              b->doc_count,
                              names->count,
                              (uint32_t)text,
                              (uint32_t)lists,
                              0,
                              kinds_version()};
    for (size_t i = 0; i < COUNT_OF(head); i++)
        index_put_u32(data + 4 * i, head[i]);
    uint8_t *at = data + INDEX_HEAD;
    at = piece_copy(at, b->plan.docs, docs);
    at = piece_copy(at, b->plan.sizes, sizes);
    at = piece_copy(at, b->terms, terms);
    for (uint32_t i = 0; i < b->count; i++)
        at = piece_copy(at, b->parts[i].postings.data,
                        b->parts[i].postings.size);
    at = piece_copy(at, texts->text, texts->size);
    piece_copy(at, names->text, names->size);
    *ret = data;
    *ret_size = size;
    return ETNA_OK;
}

/* ---- all of it ---- */

/* False: no memory. */
static bool building_begin(building *b, const pivot *p, uint32_t count)
{
    b->plan.docs = calloc(count + 1u, INDEX_DOC);
    b->plan.sizes = calloc(count + 1u, INDEX_SIZES);
    if (!b->plan.docs || !b->plan.sizes)
        return false;
    pages_enlarge(b->plan.docs, (count + (size_t)1) * INDEX_DOC);
    pages_enlarge(b->plan.sizes, (count + (size_t)1) * INDEX_SIZES);
    for (uint32_t i = 0; i < b->count; i++) {
        b->parts[i].gathered.fields = fields_new(p);
        if (!b->parts[i].gathered.fields)
            return false;
    }
    return true;
}

/* Also of one that failed half-way. */
static void building_free(building *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        gatherer_free(&b->parts[i].gathered);
        free(b->parts[i].term_numbers);
        free(b->parts[i].next);
        postings_free(&b->parts[i].postings);
    }
    free(b->plan.docs);
    free(b->plan.sizes);
    free(b->order);
    free(b->rank);
    free(b->starts);
    free(b->hits);
    free(b->terms);
}

etna_code index_build(const asset *assets,
                      uint32_t count,
                      const index_options *options,
                      uint8_t **ret,
                      size_t *ret_size,
                      uint32_t *ret_docs,
                      etna_error *err)
{
    building b = {.plan = {.assets = assets, .weights = options->weights}};
    if (!b.plan.weights)
        b.plan.weights = WEIGHT;
    b.threads = options->threads < PARTS_MAX ? options->threads : PARTS_MAX;
    b.threads = b.threads ? b.threads : 1;
    const uint32_t good = building_divide(&b, assets, count);
    pivot *p = pivot_make(assets, count);
    bool is_whole = p && building_begin(&b, p, count);
    if (is_whole)
        building_gather(&b, good);
    is_whole = is_whole && !building_failed(&b) && building_number(&b) &&
               building_rank(&b);
    is_whole = is_whole && building_sort(&b) && building_write(&b);
    etna_code code =
        is_whole ? building_lay(&b, ret, ret_size, err)
                 : etna_fail(err, ETNA_E_NOMEM,
                             "no memory for an index of %u assets", count);
    if (code == ETNA_OK)
        *ret_docs = b.doc_count;
    building_free(&b);
    pivot_free(p);
    return code;
}

/* After every scan. *ret_hash and *ret_docs may be NULL. */
etna_code index_refresh(shelf *s,
                        etna_hash *ret_hash,
                        uint32_t *ret_docs,
                        etna_error *err)
{
    shelf_list list = {.count = 0};
    uint8_t *data = NULL;
    size_t size = 0;
    uint32_t docs = 0;
    const index_options options = {.threads = cpus_usable()};
    etna_code code = shelf_read(s, &list, err);
    if (code == ETNA_OK)
        code = index_build(list.assets, list.count, &options, &data, &size,
                           &docs, err);
    if (code == ETNA_OK)
        code = shelf_put_index(s, data, size, err);
    if (code == ETNA_OK && ret_hash)
        *ret_hash = etna_hash_bytes(data, size);
    if (code == ETNA_OK && ret_docs)
        *ret_docs = docs;
    free(data);
    shelf_list_free(&list);
    return code;
}
