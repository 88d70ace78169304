/* See vectors.h. */
#include "worker/assets/vectors.h"
#include "proto/canon.h"
#include "worker/builtin/language/told.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t MAGIC = 0x56415445; /* "ETAV" */
enum {
    VERSION = 1,
    /* bytes before the rows: magic, version, numbers of a vector, docs */
    HEAD = 16,
    /* bytes of one text; a piece that has no room any more is left out whole */
    TEXT_ROOM = 2000,
    /* -128 is never written: every number has its opposite */
    BYTE_MOST = 127,
    HASH_BYTES = 32,
    SCALE_BYTES = 8
};

/* ---- three texts ---- */

typedef struct telling {
    char text[TEXT_ROOM];
    size_t size;
} telling;

/* `what` and its words; nothing where there are none, or no room. */
static void telling_add(telling *t, const char *what, const char *words)
{
    if (!words[0])
        return;
    int n = snprintf(t->text + t->size, sizeof t->text - t->size, "%s%s.", what,
                     words);
    if (n > 0 && (size_t)n < sizeof t->text - t->size)
        t->size += (size_t)n;
    t->text[t->size] = 0;
}

/* The colours that people would name, and what it is made of. Less than 18
 * percent of the surface is a seam or a handle, and nobody names a thing by
 * that. */
static void tell_looks(telling *t, const asset *a)
{
    const asset_shape *s = &a->shape;
    char size[120], colours[200] = "";
    size_t n = 0;
    snprintf(size, sizeof size, "%.2f m wide, %.2f m high, %.2f m deep",
             s->size[0], s->size[1], s->size[2]);
    telling_add(t, " ", size);
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (s->colour[i] >= 18)
            n += (size_t)snprintf(colours + n, sizeof colours - n, "%s%s",
                                  n ? ", " : "", asset_colour_names[i]);
    }
    telling_add(t, " Colours: ", colours);
    telling_add(t, " Materials: ", s->materials);
    if (s->round || s->oval)
        telling_add(t, " Outline: ", s->round ? "round" : "oval");
}

/* Definitions and verbs of the kinds that it surely is: kinds come with the
 * surest first, so the first that is less likely than not ends the list. */
static void tell_uses(telling *t, const asset_kind *kinds, uint32_t count)
{
    for (uint32_t i = 0; i < count && kinds[i].weight >= 128; i++) {
        told_kind told = told_of_kind(kinds[i].kind);
        telling_add(t, " ", told.gloss);
        telling_add(t, " For: ", told.verbs);
    }
}

/* The third text: where catalogues file it, in all of their words, since one
 * content may stand in several of them. Above 0.3 m it is told to hang. */
static void tell_place(telling *t, const asset *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        telling_add(t, " Found in: ", sources[i].category);
        telling_add(t, " ", sources[i].tags);
        telling_add(t, " ", sources[i].information);
    }
    if (sources[0].elevation > 0.3)
        telling_add(t, " ", "Hangs above the floor");
}

bool vectors_tell(const asset *sources,
                  uint32_t count,
                  const pivot *p,
                  etna_arena *arena,
                  const char *ret[VECTORS_TEXTS])
{
    telling texts[VECTORS_TEXTS] = {0};
    asset_kind kinds[KINDS_OF_ASSET_MAX];
    fields *f = fields_new(p);
    uint32_t kind_count = f ? fields_kinds(f, sources, count, kinds) : 0;
    bool ok = f && !fields_failed(f);
    fields_free(f);
    for (int i = 0; i < VECTORS_TEXTS; i++)
        telling_add(&texts[i], "",
                    sources[0].name[0] ? sources[0].name : "Thing");
    tell_looks(&texts[0], &sources[0]);
    tell_uses(&texts[1], kinds, kind_count);
    tell_place(&texts[2], sources, count);
    for (int i = 0; i < VECTORS_TEXTS && sources[0].caption; i++)
        telling_add(&texts[i], " ", sources[0].caption->parts[i]);
    for (int i = 0; i < VECTORS_TEXTS; i++) {
        ret[i] = etna_arena_strdup(arena, texts[i].text);
        ok &= ret[i] != NULL;
    }
    return ok;
}

etna_hash vectors_key(const char *model, const char *text)
{
    const etna_hash parts[3] = {etna_hash_bytes("vector", sizeof "vector"),
                                etna_hash_bytes(model, strlen(model)),
                                etna_hash_bytes(text, strlen(text))};
    return etna_hash_bytes(parts, sizeof parts);
}

/* ---- one vector ---- */

/* The largest number gets the largest byte, so that the steps are as fine as a
 * byte allows. The scale is that of the vector at length 1: with it a product
 * of two vectors is their cosine, whatever lengths the server gave them.
 * Vectors of zeros only were refused where they came in. */
etna_code vector_encode(const double *v,
                        uint32_t dimensions,
                        uint8_t **ret,
                        size_t *ret_size,
                        etna_error *err)
{
    double squares = 0, most = 0;
    canon_writer w = {0};
    for (uint32_t i = 0; i < dimensions; i++) {
        squares += v[i] * v[i];
        most = fmax(most, fabs(v[i]));
    }
    double scale = most / sqrt(squares) / BYTE_MOST;
    canon_u32(&w, dimensions);
    canon_f64(&w, scale);
    for (uint32_t i = 0; i < dimensions; i++) {
        double steps = v[i] / most * BYTE_MOST;
        int whole = (int)(steps + (steps < 0 ? -0.5 : 0.5));
        canon_u8(&w, (uint8_t)whole);
    }
    if (w.failed) {
        canon_writer_free(&w);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a vector");
    }
    *ret = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

bool vector_open(const uint8_t *data, size_t size, vector *ret)
{
    canon_reader r = canon_read(data, size);
    vector v = {.dimensions = canon_get_u32(&r), .scale = canon_get_f64(&r)};
    bool is_whole =
        !r.failed && v.dimensions && v.dimensions <= VECTORS_DIMENSIONS_MAX;
    if (!is_whole || size - r.at != v.dimensions)
        return false;
    v.at = data + r.at;
    *ret = v;
    return v.scale > 0 && v.scale <= 1;
}

/* Whole numbers are summed first: no order of summing and no width of a
 * register can change the result. */
double vector_likeness(const vector *a, const vector *b)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < a->dimensions; i++)
        sum += (int64_t)(int8_t)a->at[i] * (int8_t)b->at[i];
    return (double)sum * a->scale * b->scale;
}

/* ---- all of them ---- */

/* A row: a hash, and of each text scale and numbers. */
static size_t row_bytes(uint32_t dimensions)
{
    return HASH_BYTES + (size_t)VECTORS_TEXTS * (SCALE_BYTES + dimensions);
}

/* The run of bytes while it is made. `dimensions` is 0 until the first vector
 * was seen; `docs` counts the rows. */
typedef struct packing {
    shelf *shelf;
    const char *model;
    canon_writer rows;
    uint32_t dimensions, docs;
} packing;

/* The vector of one text, borrowed from the arena. The first one tells how many
 * numbers all must have. ETNA_E_NOTFOUND: none is kept, or it is spoilt;
 * ETNA_E_INPUT: it is of another length. */
static etna_code packing_find(packing *p,
                              const char *text,
                              etna_arena *arena,
                              vector *ret,
                              etna_error *err)
{
    const etna_hash key = vectors_key(p->model, text);
    const uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = shelf_get_reply(p->shelf, &key, arena, &data, &size, err);
    if (code != ETNA_OK)
        return code;
    if (!vector_open(data, size, ret))
        return ETNA_E_NOTFOUND;
    if (!p->dimensions)
        p->dimensions = ret->dimensions;
    if (ret->dimensions == p->dimensions)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "the vectors of %.80s are of %u and of %u numbers; name the model anew in the list where it has changed",
        p->model, p->dimensions, ret->dimensions);
}

/* Of one content; what lacks one of its three is left out. */
static etna_code doc_pack(packing *p,
                          const asset *sources,
                          uint32_t count,
                          const pivot *names,
                          etna_error *err)
{
    const char *texts[VECTORS_TEXTS];
    vector v[VECTORS_TEXTS];
    etna_arena arena = ETNA_ARENA_INIT;
    etna_code code = vectors_tell(sources, count, names, &arena, texts)
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM, "no memory for texts");
    for (int i = 0; code == ETNA_OK && i < VECTORS_TEXTS; i++)
        code = packing_find(p, texts[i], &arena, &v[i], err);
    if (code == ETNA_OK) {
        p->docs++;
        canon_hash(&p->rows, &sources[0].hash);
        for (int i = 0; i < VECTORS_TEXTS; i++) {
            canon_f64(&p->rows, v[i].scale);
            canon_raw(&p->rows, v[i].at, v[i].dimensions);
        }
    }
    etna_arena_free(&arena);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* How many sources of one content begin there. */
static uint32_t sources_of_one(const shelf_list *list, uint32_t at)
{
    uint32_t n = 1;
    while (at + n < list->count && !list->assets[at + n].fault[0] &&
           memcmp(&list->assets[at].hash, &list->assets[at + n].hash,
                  sizeof(etna_hash)) == 0)
        n++;
    return n;
}

/* All vectors of one model are one row of the shelf, named by the model: a find
 * opens it at once. The row before it, of other assets, is replaced. */
static etna_code pack_write(const packing *p, etna_error *err)
{
    canon_writer w = {0};
    const etna_hash name = vectors_key(p->model, "");
    canon_u32(&w, MAGIC);
    canon_u32(&w, VERSION);
    canon_u32(&w, p->dimensions);
    canon_u32(&w, p->docs);
    canon_raw(&w, p->rows.data, p->rows.size);
    etna_code code =
        w.failed || p->rows.failed
            ? etna_fail(err, ETNA_E_NOMEM, "no memory for %u vectors", p->docs)
            : shelf_put_vectors(p->shelf, &name, w.data, w.size, err);
    canon_writer_free(&w);
    return code;
}

/* The list has faults last, so the first of them ends it. Rows come out in the
 * order of hashes, on which doc_of_row relies. */
etna_code vectors_refresh(shelf *s,
                          const shelf_list *list,
                          const char *model,
                          uint32_t *ret_docs,
                          etna_error *err)
{
    packing p = {.shelf = s, .model = model};
    pivot *names = pivot_make(list->assets, list->count);
    etna_code code = names ? ETNA_OK
                           : etna_fail(err, ETNA_E_NOMEM,
                                       "no memory for %u assets", list->count);
    for (uint32_t i = 0, n;
         code == ETNA_OK && i < list->count && !list->assets[i].fault[0];
         i += n) {
        n = sources_of_one(list, i);
        code = doc_pack(&p, &list->assets[i], n, names, err);
    }
    if (code == ETNA_OK)
        code = pack_write(&p, err);
    if (code == ETNA_OK)
        *ret_docs = p.docs;
    canon_writer_free(&p.rows);
    pivot_free(names);
    return code;
}

etna_code vectors_open(const uint8_t *data,
                       size_t size,
                       vectors_view *ret,
                       etna_error *err)
{
    canon_reader r = canon_read(data, size);
    bool is_ours = canon_get_u32(&r) == MAGIC && canon_get_u32(&r) == VERSION;
    vectors_view v = {.dimensions = canon_get_u32(&r),
                      .docs = canon_get_u32(&r),
                      .rows = data + HEAD};
    bool is_whole = is_ours && !r.failed &&
                    v.dimensions <= VECTORS_DIMENSIONS_MAX &&
                    size - HEAD == v.docs * row_bytes(v.dimensions);
    if (!is_whole)
        return etna_fail(
            err, ETNA_E_CORRUPT,
            "the assets' vectors are damaged; `etna assets index --embeddings` makes them anew");
    *ret = v;
    return ETNA_OK;
}

/* ---- finding by them ---- */

typedef struct near_doc {
    uint32_t doc;
    double likeness;
    uint64_t points; /* of both places */
} near_doc;

/* The mean of the three. */
static double row_likeness(const vectors_view *v,
                           const uint8_t *row,
                           const vector *asked)
{
    double sum = 0;
    const uint8_t *at = row + HASH_BYTES;
    for (int i = 0; i < VECTORS_TEXTS; i++) {
        canon_reader r = canon_read(at, SCALE_BYTES);
        const vector one = {v->dimensions, canon_get_f64(&r), at + SCALE_BYTES};
        sum += vector_likeness(asked, &one);
        at += SCALE_BYTES + v->dimensions;
    }
    return sum / VECTORS_TEXTS;
}

/* Both are in the order of hashes; doc_count where there is none. `*doc` is
 * where the last search stopped, so that one pass over the index serves all
 * rows. A row whose asset has left the index since is passed over. */
static uint32_t doc_of_row(const index_view *v,
                           const uint8_t *hash,
                           uint32_t *doc)
{
    while (*doc < v->doc_count) {
        const etna_hash here = index_doc_at(v, *doc).hash;
        int order = memcmp(here.bytes, hash, sizeof here.bytes);
        if (order >= 0)
            return order == 0 ? *doc : v->doc_count;
        ++*doc;
    }
    return v->doc_count;
}

/* Of two that are equally like the request the one that was indexed first, so
 * that the order never depends on how they were met. */
static bool near_is_better(const near_doc *a, const near_doc *b)
{
    return a->likeness > b->likeness ||
           (a->likeness >= b->likeness && a->doc < b->doc);
}

/* An insertion into the sorted best. What is no better than the last of a full
 * list costs one comparison, and that is nearly all of them. */
static void near_insert(near_doc *list, uint32_t *count, const near_doc *one)
{
    if (*count == FIND_MAX && !near_is_better(one, &list[FIND_MAX - 1]))
        return;
    uint32_t at = *count < FIND_MAX ? (*count)++ : FIND_MAX - 1;
    for (; at > 0 && near_is_better(one, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = *one;
}

/* What a place of a ranking is worth, counted from 0: 1 / (60 + place + 1) as a
 * whole number, so that sums are the same on every machine. The 60 keeps a
 * first place in one ranking from outweighing good places in both. */
static uint64_t place_points(uint32_t place)
{
    const uint64_t whole = UINT64_C(1) << 40;
    return whole / (60 + place + 1);
}

/* For qsort: most points first, and the same order each time. */
static int near_order(const void *a, const void *b)
{
    const near_doc *x = a, *y = b;
    if (x->points != y->points)
        return x->points < y->points ? 1 : -1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* What words said of that doc; NULL: they did not find it. */
static const find_hit *hit_of(const find_result *r, uint32_t doc)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->hits[i].doc == doc)
            return &r->hits[i];
    }
    return NULL;
}

/* Those near by vectors get the points of their place among words, too; those
 * found by words alone come behind them in the list, which has room for both.
 * Where words found nothing, their hits are only the nearest and bring no
 * points. */
static uint32_t near_fuse(const find_result *r, near_doc *list, uint32_t count)
{
    uint32_t all = count;
    for (uint32_t i = 0; i < count; i++)
        list[i].points = place_points(i);
    for (uint32_t i = 0; r->found && i < r->count; i++) {
        uint32_t at = 0;
        while (at < count && list[at].doc != r->hits[i].doc)
            at++;
        if (at == count)
            list[at = all++] = (near_doc){.doc = r->hits[i].doc};
        list[at].points += place_points(i);
    }
    return all;
}

/* Writes the best k back as hits. What words had found keeps their reason, and
 * what only its vectors found says how like it is. */
static void near_tell(find_result *r,
                      const near_doc *list,
                      uint32_t count,
                      uint32_t k)
{
    find_hit hits[FIND_MAX];
    uint32_t n = 0;
    for (; n < count && n < k && n < FIND_MAX; n++) {
        const find_hit *words = hit_of(r, list[n].doc);
        hits[n] = words ? *words : (find_hit){.doc = list[n].doc};
        hits[n].score = (int32_t)((list[n].points * 100 * INDEX_IMPACT) >> 40);
        if (!words)
            snprintf(hits[n].reason, sizeof hits[n].reason,
                     "near by its description: %.2f", list[n].likeness);
    }
    memcpy(r->hits, hits, n * sizeof *hits);
    r->count = n;
}

etna_code find_near(const index_view *v,
                    const vectors_view *vectors,
                    const vector *asked,
                    const char *text,
                    const find_options *options,
                    uint32_t k,
                    find_result *found,
                    etna_error *err)
{
    query q;
    uint32_t count = 0, doc = 0;
    if (vectors->docs && asked->dimensions != vectors->dimensions)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the request's vector has %u numbers and those of the assets %u; `etna assets index --embeddings` makes them anew",
            asked->dimensions, vectors->dimensions);
    etna_code code = query_read(text, &q, err);
    near_doc *list = calloc(2 * FIND_MAX, sizeof *list);
    if (code == ETNA_OK && !list)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to look for assets");
    for (uint32_t i = 0; code == ETNA_OK && i < vectors->docs; i++) {
        const uint8_t *row =
            vectors->rows + (size_t)i * row_bytes(vectors->dimensions);
        const near_doc one = {.doc = doc_of_row(v, row, &doc),
                              .likeness = row_likeness(vectors, row, asked)};
        if (one.doc < v->doc_count && find_allows(v, &q, options, one.doc))
            near_insert(list, &count, &one);
    }
    if (code == ETNA_OK && (found->found || count)) {
        count = near_fuse(found, list, count);
        qsort(list, count, sizeof *list, near_order);
        near_tell(found, list, count, k);
    }
    free(list);
    return code;
}
