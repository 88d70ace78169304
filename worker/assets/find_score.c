/* Adds up what the request's words bring each doc, a window of docs at a time.
 *
 * Most docs of a large library share some common word with a request, and few
 * can be among the best. So concepts are read in the order of what they tell for
 * what reading them costs, and as soon as those to come cannot lift a doc that
 * has nothing yet above the least of use, only the docs that still can get there
 * are candidates: of the lists to come, only blocks with a candidate are read.
 * What a candidate gets is the same as if all had been read. */
#include "worker/assets/find_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* Of what tells more for what reading it costs. */
static int concept_order(const void *a, const void *b)
{
    const finding_concept *x = a;
    const finding_concept *y = b;
    const uint64_t worth_x = (uint64_t)x->most * y->postings;
    const uint64_t worth_y = (uint64_t)y->most * x->postings;
    if (worth_x != worth_y)
        return worth_x > worth_y ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static uint32_t term_weight(const finding_term *t)
{
    enum {
        SIXTEENTHS = 16
    };
    return (uint32_t)(t->weight * SIXTEENTHS + 0.5);
}

static int32_t impact_points(uint32_t impact, uint32_t weight)
{
    return (int32_t)(impact * weight / 16);
}

/* The terms of a concept in the order in which they were added. */
static finding_concept concept_open(finding *f, uint32_t concept, uint32_t at)
{
    finding_concept c = {.from = at, .to = at};
    for (uint32_t i = 0; i < f->term_count; i++) {
        const finding_term *t = &f->terms[i];
        if (t->concept != concept)
            continue;
        const index_list *l = &f->lists[i];
        const int32_t most = impact_points(l->most, term_weight(t));
        f->order[c.to++] = i;
        c.postings += l->count;
        c.most = most > c.most ? most : c.most;
    }
    return c;
}

void finding_open(finding *f)
{
    uint32_t at = 0;
    int32_t rest = 0;
    f->concepts_read = 0;
    for (uint32_t i = 0; i < f->term_count; i++)
        f->lists[i] = index_find(f->v, f->terms[i].text);
    for (uint32_t c = 0; c <= f->concept_count; c++) {
        const finding_concept made = concept_open(f, c, at);
        at = made.to;
        if (made.postings)
            f->concepts[f->concepts_read++] = made;
    }
    qsort(f->concepts, f->concepts_read, sizeof *f->concepts, concept_order);
    for (uint32_t c = f->concepts_read; c > 0; c--) {
        rest += f->concepts[c - 1].most;
        f->concepts[c - 1].rest = rest;
    }
}

/* ---- rows ---- */

/* What of a term is the same for all docs. */
typedef struct term_way {
    uint32_t weight; /* sixteenths */
    uint8_t of, counts, tells;
    int32_t aside; /* halves of its points that are aside */
} term_way;

static term_way way_of(const finding *f, const finding_term *t)
{
    const query_part part = f->parts[t->concept];
    return (term_way){.weight = term_weight(t),
                      .of = (uint8_t)(t->concept + 1),
                      .counts = part == QUERY_MORE || !f->head_known,
                      .tells = t->weight >= 1 && part != QUERY_HEAD,
                      .aside = (part == QUERY_AFTER) +
                               2 * (f->is_look[t->concept] != 0)};
}

/* A concept counts once in a doc, by its best term: a synonym adds only what it
 * has more than the word itself. `best` holds what the concept has brought so
 * far. */
static inline void posting_score(finding_row *row,
                                 term_way way,
                                 uint32_t impact)
{
    const int32_t best = row->of == way.of ? row->best : 0;
    const int32_t points = impact_points(impact, way.weight);
    const int32_t more = points - best;
    if (more <= 0)
        return;
    row->score += more;
    if (way.aside)
        row->aside += more / 2 * (way.aside & 1) + more * (way.aside >> 1);
    row->told = (uint8_t)(row->told + way.tells);
    row->covers = (uint8_t)(row->covers + (way.counts && !best));
    row->best = points;
    row->of = way.of;
}

/* Of all the window's docs, which end before `to`. A block that goes on behind
 * it is read again with the next. */
static void term_score(finding *f, uint32_t number, uint32_t to)
{
    const term_way way = way_of(f, &f->terms[number]);
    finding_row *const rows = f->rows;
    const uint32_t from = f->from;
    index_list *rest = &f->lists[number];
    index_posting some[INDEX_BLOCK];
    index_list_seek(rest, from);
    while (rest->count && rest->next < to) {
        const index_list before = *rest;
        const uint32_t count = index_list_block(rest, some);
        uint32_t i = 0;
        while (i < count && some[i].doc < from)
            i++;
        for (; i < count && some[i].doc < to; i++)
            posting_score(&rows[some[i].doc - from], way, some[i].impact);
        if (i < count) {
            *rest = before;
            return;
        }
    }
}

/* The same of so many candidates alone. */
static void term_score_candidates(finding *f, uint32_t number, uint32_t count)
{
    const term_way way = way_of(f, &f->terms[number]);
    const uint32_t *const docs = f->candidates;
    index_list *rest = &f->lists[number];
    index_posting some[INDEX_BLOCK];
    uint32_t at = 0;
    while (at < count) {
        index_list_seek(rest, docs[at]);
        const index_list before = *rest;
        const uint32_t read = index_list_block(rest, some);
        if (!read)
            return;
        for (uint32_t i = 0; i < read && at < count; i++) {
            while (at < count && docs[at] < some[i].doc)
                at++;
            if (at < count && docs[at] == some[i].doc)
                posting_score(finding_row_of(f, docs[at]), way, some[i].impact);
        }
        const uint32_t last = some[read - 1].doc;
        while (at < count && docs[at] <= last)
            at++;
        if (at == count)
            *rest = before; /* the next window may want it, too */
    }
}

/* ---- sizes ---- */

/* 0: no bound. */
static void limit_least(size_limits *l, query_axis axis, double metres)
{
    const uint8_t class = index_size_class((float)(metres - FINDING_SLACK));
    if (metres <= 0)
        return;
    l->are_some = true;
    l->least[axis] = class > l->least[axis] ? class : l->least[axis];
}
static void limit_most(size_limits *l, query_axis axis, double metres)
{
    const uint8_t class = index_size_class((float)(metres + FINDING_SLACK));
    if (metres <= 0)
        return;
    l->are_some = true;
    l->most[axis] = class < l->most[axis] ? class : l->most[axis];
}

void finding_limit(finding *f)
{
    static const query_axis axes[] = {QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH};
    size_limits *l = &f->limits;
    memset(l->least, 0, sizeof l->least);
    memset(l->most, UINT8_MAX, sizeof l->most);
    for (uint32_t i = 0; i < f->q.bound_count; i++) {
        limit_least(l, f->q.bounds[i].axis, f->q.bounds[i].least);
        limit_most(l, f->q.bounds[i].axis, f->q.bounds[i].most);
    }
    for (int k = 0; k < 3; k++)
        limit_most(l, axes[k], f->options->max_size[k]);
}

bool finding_may_fit(const finding *f, uint32_t doc)
{
    const size_limits *l = &f->limits;
    const uint8_t *size = f->v->sizes + (size_t)doc * INDEX_SIZES;
    if (!l->are_some)
        return true;
    const uint8_t length = size[0] > size[2] ? size[0] : size[2];
    const uint8_t sides[QUERY_AXES] = {[QUERY_ANY] =
                                           length > size[1] ? length : size[1],
                                       [QUERY_WIDTH] = size[0],
                                       [QUERY_HEIGHT] = size[1],
                                       [QUERY_DEPTH] = size[2],
                                       [QUERY_LENGTH] = length};
    for (int i = 0; i < QUERY_AXES; i++) {
        if (sides[i] < l->least[i] || sides[i] > l->most[i])
            return false;
    }
    return true;
}

/* ---- candidates ---- */

/* More than this a doc cannot get: its words so far and those to come, its kinds
 * at their most, and what reading it can bring. */
static inline int32_t score_most(const finding *f,
                                 uint32_t doc,
                                 const finding_row *row,
                                 int32_t rest)
{
    const uint32_t kinds = (uint32_t)FINDING_KAPPA * INDEX_IMPACT;
    return row->score +
           (int32_t)((f->kappa[doc] * kinds + INDEX_KIND - 1) / INDEX_KIND) +
           rest;
}

/* What a doc must get more than, to be of use: near, or if it fits found. */
typedef struct leasts {
    int32_t found, near;
} leasts;

/* `rest`: words to come and looks, of a doc that has them all. */
static bool doc_is_candidate(const finding *f,
                             uint32_t doc,
                             leasts least,
                             int32_t rest)
{
    const int32_t most = score_most(f, doc, finding_row_of(f, doc), rest);
    return most > least.near || (most > least.found && finding_may_fit(f, doc));
}

static uint32_t candidates_gather(finding *f,
                                  uint32_t to,
                                  leasts least,
                                  int32_t rest)
{
    uint32_t count = 0;
    for (uint32_t i = f->from; i < to; i++) {
        if (doc_is_candidate(f, i, least, rest))
            f->candidates[count++] = i;
    }
    return count;
}

static uint32_t candidates_keep(finding *f,
                                uint32_t count,
                                leasts least,
                                int32_t rest)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t doc = f->candidates[i];
        if (doc_is_candidate(f, doc, least, rest))
            f->candidates[kept++] = doc;
    }
    return kept;
}

/* Those that share something with the request: a word, or its kind. */
static uint32_t candidates_share(finding *f, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t doc = f->candidates[i];
        if (finding_row_of(f, doc)->score > 0 || f->kappa[doc])
            f->candidates[kept++] = doc;
    }
    return kept;
}

/* What the concepts from a number on and reading a doc can bring; one more, as
 * what is summed is rounded. */
static int32_t rest_from(const finding *f, uint32_t concept)
{
    const int32_t words =
        concept < f->concepts_read ? f->concepts[concept].rest : 0;
    return words + f->looks + 1;
}

uint32_t finding_score(finding *f, uint32_t to, int32_t found, int32_t near)
{
    const leasts least = {.found = found, .near = near};
    const bool few_fit = f->limits.are_some;
    const int32_t of_all = few_fit || near < found ? near : found;
    uint32_t c = 0;
    memset(f->rows, 0, (to - f->from) * sizeof *f->rows);
    for (; c < f->concepts_read && rest_from(f, c) > of_all; c++) {
        for (uint32_t i = f->concepts[c].from; i < f->concepts[c].to; i++)
            term_score(f, f->order[i], to);
    }
    uint32_t count = candidates_gather(f, to, least, rest_from(f, c));
    for (; c < f->concepts_read && count; c++) {
        for (uint32_t i = f->concepts[c].from; i < f->concepts[c].to; i++)
            term_score_candidates(f, f->order[i], count);
        count = candidates_keep(f, count, least, rest_from(f, c + 1));
    }
    return candidates_share(f, count);
}
