/* A run of docs, each walked once: fields.h tells its terms, which are sorted,
 * weighed and kept as hits. */
#include "worker/assets/index_gather.h"
#include "worker/assets/index_internal.h"
#include "worker/assets/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEASURED_MAX = 20000
}; /* docs that tell how long a field is on average */
/* how much a long field is held against a term in it (BM25's B); chosen on the
 * training requests, and no more precise than they look */
static const double B[FIELDS] = {
    [FIELD_NAME] = 0.5,     [FIELD_ID] = 0.5,      [FIELD_TAGS] = 0.5,
    [FIELD_CATEGORY] = 0.5, [FIELD_OTHER] = 0.5,   [FIELD_SAME] = 0.5,
    [FIELD_ABOVE] = 0.5,    [FIELD_GLOSS] = 0.3,   [FIELD_FACET] = 0.3,
    [FIELD_SURFACE] = 0.3,  [FIELD_FOREIGN] = 0.5, [FIELD_WHOLE] = 0};

/* A term of the doc in hand. */
struct gather_one {
    uint32_t term;
    uint8_t field;
    double weight;
};

/* Called by fields.h for each term of the doc in hand. */
static void gatherer_term(void *context, field f, uint32_t term, double weight)
{
    gatherer *g = context;
    g->length[f] += weight;
    if (g->is_measuring)
        return;
    if (g->term_count == g->term_room) {
        size_t room = g->term_room ? 2 * g->term_room : 1024;
        /* behind them as much to sort in */
        gather_one *grown = realloc(g->terms, 2 * room * sizeof *grown);
        if (!grown) {
            g->failed = true;
            return;
        }
        g->terms = grown;
        g->term_room = room;
    }
    g->terms[g->term_count++] = (gather_one){term, (uint8_t)f, weight};
}

/* Out of memory is kept in `failed`. */
static void hit_add(
    gatherer *g, uint32_t term, uint32_t doc, double weight, bool named)
{
    if (g->hit_count == g->hit_room) {
        size_t room = g->hit_room ? 2 * g->hit_room : 1 << 16;
        index_hit *grown = realloc(g->hits, room * sizeof *grown);
        if (!grown) {
            g->failed = true;
            return;
        }
        pages_enlarge(grown, room * sizeof *grown);
        g->hits = grown;
        g->hit_room = room;
    }
    g->hits[g->hit_count++] = (index_hit){term, doc, (float)weight, named};
}

/* A byte of what ones are sorted by: the field first, then the term. */
static uint8_t one_byte(const gather_one *o, int digit)
{
    return digit ? (uint8_t)(o->term >> (8 * (digit - 1))) : o->field;
}

/* By term, then by field, and else as they came: byte after byte, since a doc
 * has some hundreds of them and a million docs are sorted. `spare` has as much
 * room; what is sorted ends in `list`. */
static void ones_sort(gather_one *list, gather_one *spare, size_t count)
{
    enum {
        DIGITS = 5
    };
    gather_one *from = list, *to = spare;
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
        gather_one *now = to;
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

/* How long a field is on average, of the docs that have it. */
static double field_mean(const field_lengths *all, field f)
{
    return all->docs_with[f] > 0 ? all->total[f] / all->docs_with[f] : 1;
}

/* BM25F: frequencies of all fields are weighed and added before they are
 * saturated, since a word in name and tags is not two words. */
static void doc_flush(gatherer *g, const gather_plan *plan, uint32_t doc)
{
    if (g->term_count)
        ones_sort(g->terms, g->terms + g->term_room, g->term_count);
    for (size_t i = 0; i < g->term_count;) {
        double tf = 0;
        bool named = false;
        uint32_t term = g->terms[i].term;
        for (; i < g->term_count && g->terms[i].term == term; i++) {
            field f = g->terms[i].field;
            double mean = field_mean(&plan->lengths, f);
            named |= field_names(f, g->terms[i].weight);
            tf += plan->weights[f] * g->terms[i].weight /
                  (1 - B[f] + B[f] * g->length[f] / mean);
        }
        if (tf > 0)
            hit_add(g, term, doc, tf, named);
    }
    g->term_count = 0;
}

/* Kinds are terms, too: '#' for what it is, '^' for what its near relatives
 * are. */
static void kind_hit(
    gatherer *g, uint32_t doc, char mark, uint16_t kind, double share)
{
    uint32_t number = fields_mark(g->fields, mark, kind);
    if (number != STRINGS_NONE)
        hit_add(g, number, doc, share, false);
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
static void kinds_hit(gatherer *g,
                      uint32_t doc,
                      const asset_kind *kinds,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double sure = kinds[i].weight / 255.0;
        kind_hit(g, doc, '#', kinds[i].kind, sure);
        const kinds_id *id = fields_above(g->fields, kinds[i].kind);
        for (uint32_t k = 0; id && k < id->above_count; k++) {
            const kinds_near *up = &id->above[k];
            bool is_sibling =
                kinds_is_group(up->kind) || up->cost <= KINDS_STEP;
            if (is_sibling)
                kind_hit(g, doc, '^', up->kind, sure);
            if (!kinds_is_group(up->kind))
                kind_hit(g, doc, '#', up->kind,
                         sure * share_of_steps(up->cost));
        }
    }
}

/* ---- docs ---- */

/* By its bits. */
static void put_float(uint8_t *to, double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    index_put_u32(to, bits);
}

/* The layout that index_doc_at reads, but that texts are numbers for now. */
static void doc_write(gatherer *g,
                      const gather_plan *plan,
                      uint32_t doc,
                      const asset *a,
                      const asset_kind *kinds,
                      uint32_t count)
{
    uint8_t *to = plan->docs + (size_t)doc * INDEX_DOC;
    uint8_t *sizes = plan->sizes + (size_t)doc * INDEX_SIZES;
    const char *const texts[INDEX_DOC_TEXTS] = {a->path, a->name, a->category,
                                                asset_licence_short(a)};
    memcpy(to, a->hash.bytes, 32);
    for (int i = 0; i < INDEX_DOC_TEXTS; i++) {
        uint32_t number = strings_add(&g->texts, texts[i]);
        if (number == STRINGS_NONE)
            g->failed = true;
        index_put_u32(to + INDEX_DOC_TEXT + 4 * i, number);
    }
    index_put_u32(to + 48, a->number);
    double size[3];
    asset_size(a, size);
    for (int k = 0; k < 3; k++) {
        put_float(to + 52 + 4 * k, size[k]);
        sizes[k] = index_size_class((float)size[k]);
    }
    put_float(to + 64, a->elevation);
    memcpy(to + 68, a->shape.colour, ASSET_COLOURS);
    to[80] =
        (uint8_t)(a->movable | a->opening << 1 | a->shape.round << 2 |
                  a->shape.oval << 3 | a->light << 4 | asset_front(a) << 5);
    for (uint32_t i = 0; i < INDEX_DOC_KINDS; i++)
        index_put_u16(to + 84 + 2 * i, i < count ? kinds[i].kind : 0);
}

/* Assets come sorted by content, those that failed last. */
uint32_t gather_sources(const asset *assets, uint32_t count, uint32_t i)
{
    uint32_t n = 1;
    while (i + n < count && !assets[i + n].fault[0] &&
           etna_hash_equal(&assets[i].hash, &assets[i + n].hash))
        n++;
    return n;
}

/* Makes the doc of some sources the one in hand. Returns how many kinds it
 * has. */
static uint32_t doc_emit(gatherer *g,
                         const asset *sources,
                         uint32_t count,
                         asset_kind kinds[KINDS_OF_ASSET_MAX])
{
    const field_sink sink = {g, gatherer_term};
    uint32_t kind_count = fields_kinds(g->fields, sources, count, kinds);
    memset(g->length, 0, sizeof g->length);
    fields_emit(g->fields, sources, count, kinds, kind_count, &sink);
    return kind_count;
}

/* MEASURED_MAX docs tell a mean well enough. */
field_lengths gatherer_measure(gatherer *g,
                               const gather_plan *plan,
                               const gather_run *run)
{
    field_lengths ret = {.total = {0}};
    const uint32_t end = run->first + run->count;
    g->is_measuring = true;
    for (uint32_t i = run->first, docs = 0;
         i < end && docs < MEASURED_MAX && !g->failed; docs++) {
        asset_kind kinds[KINDS_OF_ASSET_MAX];
        uint32_t n = gather_sources(plan->assets, end, i);
        doc_emit(g, &plan->assets[i], n, kinds);
        for (int f = 0; f < FIELDS; f++) {
            ret.total[f] += g->length[f];
            ret.docs_with[f] += g->length[f] > 0;
        }
        i += n;
    }
    g->is_measuring = false;
    g->failed = g->failed || fields_failed(g->fields);
    return ret;
}

void gatherer_walk(gatherer *g, const gather_plan *plan, const gather_run *run)
{
    const uint32_t end = run->first + run->count;
    uint32_t doc = run->doc;
    for (uint32_t i = run->first; i < end && !g->failed; doc++) {
        asset_kind kinds[KINDS_OF_ASSET_MAX];
        uint32_t n = gather_sources(plan->assets, end, i);
        uint32_t kind_count = doc_emit(g, &plan->assets[i], n, kinds);
        doc_flush(g, plan, doc);
        kinds_hit(g, doc, kinds, kind_count);
        doc_write(g, plan, doc, &plan->assets[i], kinds, kind_count);
        i += n;
    }
    g->failed = g->failed || fields_failed(g->fields);
}

void gatherer_free(gatherer *g)
{
    fields_free(g->fields);
    strings_free(&g->texts);
    free(g->terms);
    free(g->hits);
    *g = (gatherer){.fields = NULL};
}
