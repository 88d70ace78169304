/* Building: every term of every doc is gathered, then sorted by term and doc,
 * then weighed. Impacts are BM25F's, rounded to whole numbers here, so that
 * queries only add integers: the same order on every machine.
 *
 * A doc is a model's content, whatever number of files show it. Its terms are
 * the words of its fields, each field with a weight of its own, and its kinds
 * as terms with a mark in front ('#', '^'), so that one posting list serves
 * both. Begin at index_build: docs are walked once to measure how long fields
 * are on average and once to gather; then doc_flush weighs each doc's terms,
 * hits_settle brings all hits into the order of terms, index_lay lays the whole
 * out as one block of bytes. Reading (index_open and below) trusts nothing of
 * that block: it may come from a damaged store. */
#include "worker/assets/index.h"
#include "proto/array.h"
#include "worker/assets/index_internal.h"
#include "worker/assets/pages.h"
#include "worker/assets/strings.h"
#include "worker/builtin/language/told.h"
#include "worker/math/vec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x58494e45,
    VERSION = 5,
    MEASURED_MAX = 20000
}; /* docs that tell how long a field is on average */
/* BM25's usual saturation of a term's frequency. */
static const double K1 = 1.2;
/* how much a term counts by where it stands, and B by how much a long field is
 * held against it; chosen on the training requests, and no more precise than
 * they look */
static const double WEIGHT[FIELDS] = {
    [FIELD_NAME] = 5,      [FIELD_ID] = 2.5,    [FIELD_TAGS] = 2.5,
    [FIELD_CATEGORY] = 1,  [FIELD_OTHER] = 3,   [FIELD_SAME] = 2.5,
    [FIELD_ABOVE] = 1,     [FIELD_GLOSS] = 1.3, [FIELD_FACET] = 2.5,
    [FIELD_SURFACE] = 2.5, [FIELD_FOREIGN] = 5, [FIELD_WHOLE] = 5};
static const double B[FIELDS] = {
    [FIELD_NAME] = 0.5,     [FIELD_ID] = 0.5,      [FIELD_TAGS] = 0.5,
    [FIELD_CATEGORY] = 0.5, [FIELD_OTHER] = 0.5,   [FIELD_SAME] = 0.5,
    [FIELD_ABOVE] = 0.5,    [FIELD_GLOSS] = 0.3,   [FIELD_FACET] = 0.3,
    [FIELD_SURFACE] = 0.3,  [FIELD_FOREIGN] = 0.5, [FIELD_WHOLE] = 0};

typedef struct hit { /* a term in a doc */
    uint32_t term, doc;
    float weight; /* tf of the fields together; of a kind its share */
    bool named;
} hit;

typedef struct one { /* of the doc in hand */
    uint32_t term;
    uint8_t field;
    double weight;
} one;

/* Walked twice: `is_measuring` only sums the lengths of fields, whose means the
 * second walk needs. */
typedef struct building {
    const double *weights;
    fields *fields; /* and the texts of terms are its */
    strings texts;
    one *doc_terms;
    size_t doc_count, doc_room;
    double length[FIELDS], total[FIELDS]; /* of the doc in hand; of all */
    double docs_with[FIELDS];
    hit *hits;
    size_t hit_count, hit_room;
    uint8_t *docs, *sizes;
    uint32_t docs_made;
    bool failed, is_measuring;
} building;

/* ---- gathering ---- */

/* Called by fields.h for each term of the doc in hand. */
static void building_term(void *context, field f, uint32_t term, double weight)
{
    building *b = context;
    b->length[f] += weight;
    if (b->is_measuring)
        return;
    if (b->doc_count == b->doc_room) {
        size_t room = b->doc_room ? 2 * b->doc_room : 1024;
        /* behind them as much to sort in */
        one *grown = realloc(b->doc_terms, 2 * room * sizeof *grown);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->doc_terms = grown;
        b->doc_room = room;
    }
    b->doc_terms[b->doc_count++] = (one){term, (uint8_t)f, weight};
}

/* Out of memory is kept in `failed`, which index_build looks at in the end. */
static void hit_add(
    building *b, uint32_t term, uint32_t doc, double weight, bool named)
{
    if (b->hit_count == b->hit_room) {
        size_t room = b->hit_room ? 2 * b->hit_room : 1 << 16;
        hit *grown = realloc(b->hits, room * sizeof *grown);
        if (!grown) {
            b->failed = true;
            return;
        }
        pages_enlarge(grown, room * sizeof *grown);
        b->hits = grown;
        b->hit_room = room;
    }
    b->hits[b->hit_count++] = (hit){term, doc, (float)weight, named};
}

/* A byte of what ones are sorted by: the field first, then the term. */
static uint8_t one_byte(const one *o, int digit)
{
    return digit ? (uint8_t)(o->term >> (8 * (digit - 1))) : o->field;
}

/* By term, then by field, and else as they came: byte after byte, since a doc
 * has some hundreds of them and a million docs are sorted. `spare` has as much
 * room; what is sorted ends in `list`. */
static void ones_sort(one *list, one *spare, size_t count)
{
    enum {
        DIGITS = 5
    };
    one *from = list, *to = spare;
    for (int digit = 0; digit < DIGITS; digit++) {
        size_t next[257] = {0};
        for (size_t i = 0; i < count; i++)
            next[one_byte(&from[i], digit) + 1]++;
        if (count && next[one_byte(&from[0], digit) + 1] == count)
            continue; /* all have the same */
        for (int i = 0; i < 256; i++)
            next[i + 1] += next[i];
        for (size_t i = 0; i < count; i++)
            to[next[one_byte(&from[i], digit)]++] = from[i];
        one *now = to;
        to = from;
        from = now;
    }
    if (from != list)
        memcpy(list, from, count * sizeof *list);
}

/* Do a field's words name the model, rather than tell of it? */
static bool field_names(field f, double weight)
{
    const bool is_own = f == FIELD_NAME || f == FIELD_ID || f == FIELD_TAGS;
    return is_own || (f == FIELD_OTHER && weight > 0.2);
}

/* BM25F: frequencies of all fields are weighed and added before they are
 * saturated, since a word in name and tags is not two words. */
static void doc_flush(building *b, uint32_t doc)
{
    if (b->doc_count)
        ones_sort(b->doc_terms, b->doc_terms + b->doc_room, b->doc_count);
    for (size_t i = 0; i < b->doc_count;) {
        double tf = 0;
        bool named = false;
        uint32_t term = b->doc_terms[i].term;
        for (; i < b->doc_count && b->doc_terms[i].term == term; i++) {
            field f = b->doc_terms[i].field;
            double mean =
                b->docs_with[f] > 0 ? b->total[f] / b->docs_with[f] : 1;
            named |= field_names(f, b->doc_terms[i].weight);
            tf += b->weights[f] * b->doc_terms[i].weight /
                  (1 - B[f] + B[f] * b->length[f] / mean);
        }
        if (tf > 0)
            hit_add(b, term, doc, tf, named);
    }
    b->doc_count = 0;
}

/* Kinds are terms, too: '#' for what it is, '^' for what its near relatives
 * are. */
static void kind_hit(
    building *b, uint32_t doc, char mark, uint16_t kind, double share)
{
    uint32_t number = fields_mark(b->fields, mark, kind);
    if (number != STRINGS_NONE)
        hit_add(b, number, doc, share, false);
}

/* What is below a kind by d steps is of that kind by 0.92^d. */
static double share_of_steps(unsigned cost)
{
    double share = 1;
    for (unsigned d = 0; d < cost / KINDS_STEP; d++)
        share *= 0.92;
    return share;
}

/* A stool is found by "seat", by so much less as the way up is long; and by
 * "chair" as its sibling, last. */
static void kinds_hit(building *b,
                      uint32_t doc,
                      const asset_kind *kinds,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double sure = kinds[i].weight / 255.0;
        kind_hit(b, doc, '#', kinds[i].kind, sure);
        const kinds_id *id = fields_above(b->fields, kinds[i].kind);
        for (uint32_t k = 0; id && k < id->above_count; k++) {
            const kinds_near *up = &id->above[k];
            bool is_sibling =
                kinds_is_group(up->kind) || up->cost <= KINDS_STEP;
            if (is_sibling)
                kind_hit(b, doc, '^', up->kind, sure);
            if (!kinds_is_group(up->kind))
                kind_hit(b, doc, '#', up->kind,
                         sure * share_of_steps(up->cost));
        }
    }
}

/* ---- docs ---- */

/* Little-endian on every machine: an index may be copied to another. */
static void put_u16(uint8_t *to, uint32_t v)
{
    to[0] = (uint8_t)v;
    to[1] = (uint8_t)(v >> 8);
}
/* As put_u16. */
static void put_u32(uint8_t *to, uint32_t v)
{
    put_u16(to, v);
    put_u16(to + 2, v >> 16);
}
/* By its bits. */
static void put_float(uint8_t *to, double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_u32(to, bits);
}
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

/* The texts' numbers for now; places in the text once it is laid. */
static void doc_write(building *b,
                      const asset *a,
                      const asset_kind *kinds,
                      uint32_t count)
{
    uint8_t *to = b->docs + (size_t)b->docs_made * INDEX_DOC;
    const char *const texts[] = {a->path, a->name, a->category,
                                 asset_licence_short(a)};
    memcpy(to, a->hash.bytes, 32);
    for (int i = 0; i < 4; i++) {
        uint32_t number = strings_add(&b->texts, texts[i]);
        if (number == STRINGS_NONE)
            b->failed = true;
        put_u32(to + 32 + 4 * i,
                number == STRINGS_NONE ? 0 : b->texts.at[number]);
    }
    put_u32(to + 48, a->number);
    double size[3];
    asset_size(a, size);
    for (int k = 0; k < 3; k++) {
        put_float(to + 52 + 4 * k, size[k]);
        b->sizes[(size_t)b->docs_made * INDEX_SIZES + (size_t)k] =
            index_size_class((float)size[k]);
    }
    put_float(to + 64, a->elevation);
    memcpy(to + 68, a->shape.colour, ASSET_COLOURS);
    to[80] =
        (uint8_t)(a->movable | a->opening << 1 | a->shape.round << 2 |
                  a->shape.oval << 3 | a->light << 4 | asset_front(a) << 5);
    for (uint32_t i = 0; i < INDEX_DOC_KINDS; i++)
        put_u16(to + 84 + 2 * i, i < count ? kinds[i].kind : 0);
}

/* How many assets from `i` on have one content. */
static uint32_t doc_sources(const asset *assets, uint32_t count, uint32_t i)
{
    uint32_t n = 1;
    while (i + n < count && !assets[i + n].fault[0] &&
           etna_hash_equal(&assets[i].hash, &assets[i + n].hash))
        n++;
    return n;
}

/* Assets come sorted by content, those that failed last. MEASURED_MAX docs tell
 * a mean well enough. */
static uint32_t docs_walk(building *b,
                          const asset *assets,
                          uint32_t count,
                          bool is_measuring)
{
    const field_sink sink = {b, building_term};
    uint32_t docs = 0;
    b->is_measuring = is_measuring;
    for (uint32_t i = 0, n; i < count && !assets[i].fault[0] && !b->failed;
         i += n, docs++) {
        asset_kind kinds[KINDS_OF_ASSET_MAX];
        if (is_measuring && docs == MEASURED_MAX)
            break;
        n = doc_sources(assets, count, i);
        uint32_t kind_count = fields_kinds(b->fields, &assets[i], n, kinds);
        memset(b->length, 0, sizeof b->length);
        fields_emit(b->fields, &assets[i], n, kinds, kind_count, &sink);
        for (int f = 0; is_measuring && f < FIELDS; f++) {
            b->total[f] += b->length[f];
            b->docs_with[f] += b->length[f] > 0;
        }
        if (is_measuring)
            continue;
        doc_flush(b, docs);
        kinds_hit(b, docs, kinds, kind_count);
        doc_write(b, &assets[i], kinds, kind_count);
        b->docs_made++;
    }
    b->failed = b->failed || fields_failed(b->fields);
    return docs;
}

/* ---- laying ---- */

/* qsort has no context; one index is built at a time in a process */
static const strings *sorting;

/* For qsort, see `sorting`. */
static int term_order(const void *a, const void *b)
{
    return strcmp(strings_text(sorting, *(const uint32_t *)a),
                  strings_text(sorting, *(const uint32_t *)b));
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

/* Puts the hits by their terms, and of each term by docs: they were met in the
 * order of docs. False: no memory. */
static bool hits_by_term(building *b, const uint32_t *rank)
{
    const uint32_t terms = fields_names(b->fields)->count;
    size_t *next = calloc(terms + 1u, sizeof *next);
    hit *sorted = malloc((b->hit_count + 1) * sizeof *sorted);
    bool has_room = next && sorted;
    pages_enlarge(sorted, (b->hit_count + 1) * sizeof *sorted);
    for (size_t i = 0; has_room && i < b->hit_count; i++)
        next[rank[b->hits[i].term] + 1]++;
    for (uint32_t i = 0; has_room && i < terms; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; has_room && i < b->hit_count; i++) {
        hit h = b->hits[i];
        h.term = rank[h.term];
        sorted[next[h.term]++] = h;
    }
    free(next);
    if (!has_room) {
        free(sorted);
        return false;
    }
    free(b->hits);
    b->hits = sorted;
    return true;
}

/* A doc that has a term twice keeps the greater weight. */
static void hits_unique(building *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->hit_count; i++) {
        const hit h = b->hits[i];
        hit *last = kept ? &b->hits[kept - 1] : NULL;
        bool is_again = last && last->term == h.term && last->doc == h.doc;
        if (!is_again)
            b->hits[kept++] = h;
        else if (h.weight > last->weight)
            *last = h;
    }
    b->hit_count = kept;
}

/* Numbers of terms become their places in the order of their texts. */
static etna_code hits_settle(building *b, uint32_t *order, etna_error *err)
{
    uint32_t *rank =
        malloc((fields_names(b->fields)->count + 1u) * sizeof *rank);
    for (uint32_t i = 0; i < fields_names(b->fields)->count; i++)
        order[i] = i;
    sorting = fields_names(b->fields);
    if (fields_names(b->fields)->count)
        qsort(order, fields_names(b->fields)->count, sizeof *order, term_order);
    for (uint32_t i = 0; rank && i < fields_names(b->fields)->count; i++)
        rank[order[i]] = i;
    bool is_sorted = rank && hits_by_term(b, rank);
    free(rank);
    if (!is_sorted)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for an index of %u terms",
                         fields_names(b->fields)->count);
    hits_unique(b);
    return ETNA_OK;
}

/* ---- postings ---- */

/* Bytes that grow; `failed` is looked at in the end. */
typedef struct bytes {
    uint8_t *data;
    size_t size, room;
    bool failed;
} bytes;

/* At least `count` more fit. */
static bool bytes_reserve(bytes *b, size_t count)
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
static void bytes_number(bytes *b, uint32_t number)
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
static void block_write(bytes *to, const block *b)
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
    bytes_number(to, least);
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

/* One term's hits, in the order of docs. Returns what index_list has as
 * `most`, doubled, and odd where a name has the word. */
static uint32_t list_write(
    bytes *to, const hit *hits, uint32_t count, const char *term, uint32_t docs)
{
    enum {
        BLOCK_HEAD = 8,
        POSTING_MOST = 7
    };
    const size_t table = (size_t)index_skips(count) * INDEX_SKIP;
    const size_t heads = ((size_t)index_skips(count) + 1) * BLOCK_HEAD;
    if (!bytes_reserve(to, table + heads + (size_t)count * POSTING_MOST))
        return 0;
    size_t skip = to->size;
    const size_t from = to->size + table;
    to->size = from;
    uint32_t next = 0, most = 0, named = 0;
    block b = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (i && b.count == 0) {
            put_u32(to->data + skip, next);
            put_u32(to->data + skip + 4, (uint32_t)(to->size - from));
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

/* Texts of terms lie behind those of docs, so their places are shifted by
 * these. A term that no doc has keeps its place in the order. */
static void lists_write(const building *b,
                        const uint32_t *order,
                        uint8_t *terms,
                        bytes *postings)
{
    size_t i = 0;
    for (uint32_t term = 0; term < fields_names(b->fields)->count; term++) {
        uint8_t *row = terms + (size_t)term * INDEX_TERM;
        size_t end = i;
        while (end < b->hit_count && b->hits[end].term == term)
            end++;
        put_u32(row, (uint32_t)(b->texts.size +
                                fields_names(b->fields)->at[order[term]]));
        put_u32(row + 4, (uint32_t)postings->size);
        put_u32(row + 8, (uint32_t)(end - i));
        put_u32(row + 12, 0);
        if (end > i)
            put_u32(
                row + 12,
                list_write(postings, &b->hits[i], (uint32_t)(end - i),
                           strings_text(fields_names(b->fields), order[term]),
                           b->docs_made));
        i = end;
    }
}

/* One block: head, docs, sizes, terms, postings, texts. It is mapped from the store
 * and read in place. */
static etna_code index_lay(building *b,
                           const uint8_t *terms,
                           const bytes *postings,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    const size_t text = b->texts.size + fields_names(b->fields)->size;
    const struct {
        const void *data;
        size_t size;
    } parts[] = {
        {b->docs, (size_t)b->docs_made * INDEX_DOC},
        {b->sizes, (size_t)b->docs_made * INDEX_SIZES},
        {terms, (size_t)fields_names(b->fields)->count * INDEX_TERM},
        {postings->data, postings->size},
        {b->texts.text, b->texts.size},
        {fields_names(b->fields)->text, fields_names(b->fields)->size}};
    size_t size = INDEX_HEAD;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        size += parts[i].size;
    if (postings->size > UINT32_MAX || text > UINT32_MAX ||
        size > (size_t)3 << 30)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "the index of %u assets is too large; index fewer folders",
            b->docs_made);
    uint8_t *data = calloc(size, 1);
    pages_enlarge(data, size);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for an index of %zu bytes", size);
    const uint32_t head[8] = {MAGIC,
                              VERSION,
                              b->docs_made,
                              fields_names(b->fields)->count,
                              (uint32_t)text,
                              (uint32_t)postings->size,
                              0,
                              kinds_version()};
    for (int i = 0; i < 8; i++)
        put_u32(data + 4 * i, head[i]);
    uint8_t *at = data + INDEX_HEAD;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (parts[i].size)
            memcpy(at, parts[i].data, parts[i].size);
        at += parts[i].size;
    }
    *ret = data;
    *ret_size = size;
    return ETNA_OK;
}

/* The hits stand in the order of terms. */
static etna_code index_write(building *b,
                             const uint32_t *order,
                             uint8_t **ret,
                             size_t *ret_size,
                             etna_error *err)
{
    bytes postings = {.data = NULL};
    uint8_t *terms =
        malloc((size_t)fields_names(b->fields)->count * INDEX_TERM + 1);
    if (terms)
        lists_write(b, order, terms, &postings);
    etna_code code =
        terms && !postings.failed
            ? index_lay(b, terms, &postings, ret, ret_size, err)
            : etna_fail(err, ETNA_E_NOMEM,
                        "no memory for an index of %zu postings", b->hit_count);
    free(terms);
    free(postings.data);
    return code;
}

/* Also of one that failed half-way. */
static void building_free(building *b)
{
    fields_free(b->fields);
    strings_free(&b->texts);
    free(b->doc_terms);
    free(b->hits);
    free(b->docs);
    free(b->sizes);
}

/* `assets` sorted as shelf_read gives them; `weights` NULL: the usual ones. The
 * caller frees *ret. */
etna_code index_build(const asset *assets,
                      uint32_t count,
                      const double weights[FIELDS],
                      uint8_t **ret,
                      size_t *ret_size,
                      uint32_t *ret_docs,
                      etna_error *err)
{
    building b = {.weights = weights ? weights : WEIGHT};
    pivot *p = pivot_make(assets, count);
    uint32_t *order = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    b.docs = calloc(count + 1u, INDEX_DOC);
    b.sizes = calloc(count + 1u, INDEX_SIZES);
    pages_enlarge(b.docs, (count + (size_t)1) * INDEX_DOC);
    pages_enlarge(b.sizes, (count + (size_t)1) * INDEX_SIZES);
    b.fields = p ? fields_new(p) : NULL;
    b.failed = !b.fields || !b.docs || !b.sizes;
    if (!b.failed)
        docs_walk(&b, assets, count, true);
    if (!b.failed)
        docs_walk(&b, assets, count, false);
    order = b.failed
                ? NULL
                : malloc((fields_names(b.fields)->count + 1u) * sizeof *order);
    etna_code code =
        order ? hits_settle(&b, order, err)
              : etna_fail(err, ETNA_E_NOMEM,
                          "no memory for an index of %u assets", count);
    if (code == ETNA_OK)
        code = index_write(&b, order, &data, &size, err);
    if (code == ETNA_OK) {
        *ret = data;
        *ret_size = size;
        *ret_docs = b.docs_made;
    }
    free(order);
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
    etna_code code = shelf_read(s, &list, err);
    if (code == ETNA_OK)
        code = index_build(list.assets, list.count, NULL, &data, &size, &docs,
                           err);
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

/* ---- reading ---- */

/* All sizes must add up to the block's; what the rows say is checked again when
 * it is read, as the store may be damaged. */
etna_code index_open(const uint8_t *data,
                     size_t size,
                     index_view *ret,
                     etna_error *err)
{
    if (size < INDEX_HEAD || index_u32(data) != MAGIC)
        return etna_fail(err, ETNA_E_CORRUPT, "the index of assets is damaged");
    if (index_u32(data + 4) != VERSION ||
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
