/* Scores every doc that shares a term with the request, then judges which of
 * them are of its kind and within its bounds. */
#include "worker/assets/find.h"
#include "proto/array.h"
#include "worker/assets/find_internal.h"
#include "worker/builtin/language/told.h"
#include "worker/math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* kappa says how much a doc is of the wanted kind, 0 to 1. KAPPA_ENOUGH: it is
 * one; KAPPA_NEAR: it is close enough to be offered. The shares are of what is
 * above, of a compound's last word, of the same by a synonym, of what has
 * another word before it, of siblings. Found on the requests of the asset
 * benchmark's training half, as what being one is worth beside words
 * (FINDING_KAPPA). */
static const double KAPPA_ENOUGH = 0.5, KAPPA_NEAR = 0.3, UP_SHARE = 0.45,
                    UP_NAMED = 0.6, LAST_SHARE = 0.55, BESIDE_PURPOSE = 0.8,
                    SAME_LAST_SHARE = 0.52, OTHER_LAST_SHARE = 0.48,
                    SIBLING_SHARE = 0.4;

/* ---- kinds ---- */

/* The greatest of all reasons counts; they do not add up, as most of them are
 * the same reason. */
static inline void kappa_raise(finding *f, uint32_t doc, uint32_t kappa)
{
    if (kappa > f->kappa[doc])
        f->kappa[doc] = (uint16_t)kappa;
}

/* Of INDEX_KIND. */
static uint32_t kappa_points(double kappa)
{
    return (uint32_t)(kappa * INDEX_KIND + 0.5);
}

/* '#' are docs of that kind or below it, '^' those that have it directly
 * above. */
static index_list kind_list(const finding *f, char mark, uint16_t kind)
{
    char term[16];
    snprintf(term, sizeof term, "%c%u", mark, kind);
    return index_find(f->v, term);
}

/* Docs by how much the list says that they are of its kind: most as much as the
 * one before. */
static void kappa_raise_all(finding *f, index_list l, double share)
{
    index_posting some[INDEX_BLOCK];
    uint32_t impact = 0, kappa = 0;
    for (uint32_t count; (count = index_list_block(&l, some)) > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            if (some[i].impact != impact) {
                impact = some[i].impact;
                kappa = kappa_points(share * impact / INDEX_KIND);
            }
            kappa_raise(f, some[i].doc, kappa);
        }
    }
}

/* Docs that are wholly of it alone, all as much. */
static void kappa_raise_whole(finding *f, index_list l, double share)
{
    const uint32_t kappa = kappa_points(share);
    index_posting some[INDEX_BLOCK];
    for (uint32_t count; (count = index_list_block(&l, some)) > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            if (some[i].impact > INDEX_KIND * 98 / 100)
                kappa_raise(f, some[i].doc, kappa);
        }
    }
}

static void kappa_below(finding *f, uint16_t kind, double sense)
{
    kappa_raise_all(f, kind_list(f, '#', kind), sense);
}

/* Has the kind a word of the head: "grand piano" for "concert grand", "glass"
 * for "wine glass"? */
static bool head_names(const finding *f, uint16_t kind)
{
    char list[400], word[TEXT_WORD_SIZE];
    snprintf(list, sizeof list, "%s", told_of_kind(kind).words);
    for (const char *at = list; text_next(&at, word);) {
        text_stem(word);
        for (uint32_t i = f->q.head_first;
             i < f->q.head_first + f->q.head_words; i++) {
            if (strcmp(f->q.words[i].stem, word) == 0)
                return true;
        }
    }
    return false;
}

/* What stands beside the kind, and what is directly above it: near, but not
 * it. */
static void kappa_beside(finding *f, uint16_t above, double sense)
{
    double up_share = head_names(f, above) ? UP_NAMED : UP_SHARE;
    const index_list siblings = kind_list(f, '^', above);
    const index_list up = kind_list(f, '#', above);
    bool is_narrow =
        siblings.count < 250 || siblings.count * 10 < f->v->doc_count * 3;
    if (is_narrow)
        kappa_raise_all(f, siblings, SIBLING_SHARE * sense);
    kappa_raise_whole(f, up, up_share * sense);
}

/* Things that are named by the last word alone: "van" for "delivery van",
 * "umbrella" for "garden umbrella". What has a compound of its own is another
 * kind of it: a chess board is near an ironing board, and none. */
static void kappa_of_last(finding *f, const char *compound, double share)
{
    const char *space = strrchr(compound, ' ');
    kinds_id last;
    if (!space || !kinds_find(space + 1, &last) || !last.self_count)
        return;
    char whole[FIELD_TERM_SIZE];
    text_whole("en", space + 1, whole, sizeof whole);
    const index_list of_kind = kind_list(f, '#', last.self[0].kind);
    index_list named = index_find(f->v, whole);
    index_walk beside = index_walk_along(&of_kind);
    kappa_raise_all(f, of_kind, OTHER_LAST_SHARE);
    for (index_posting p; index_list_next(&named, &p);) {
        const index_posting *kind = index_walk_to(&beside, p.doc);
        if (kind)
            kappa_raise(f, p.doc,
                        kappa_points(share * kind->impact / INDEX_KIND));
    }
}

/* Are both directly below the same kind? */
static bool kinds_are_beside(const kinds_id *a, const kinds_id *b)
{
    for (uint32_t i = 0; i < a->above_count; i++) {
        for (uint32_t k = 0; k < b->above_count; k++) {
            bool is_same = a->above[i].kind == b->above[k].kind;
            bool is_direct = a->above[i].cost <= KINDS_STEP &&
                             b->above[k].cost <= KINDS_STEP;
            if (is_same && is_direct)
                return true;
        }
    }
    return false;
}

/* Is what the last word names what the head is a kind of, or beside it? A
 * garden umbrella, as parasols are called, is an umbrella; a looking glass, as
 * mirrors are, is no glass. */
static bool last_is_near(const finding *f, const char *compound)
{
    const char *space = strrchr(compound, ' ');
    kinds_id last, head, usual;
    if (!space || !kinds_find(space + 1, &last) || !last.self_count)
        return false;
    kinds_find_above(f->head.self[0].kind, &head);
    kinds_find_above(last.self[0].kind, &usual);
    return kinds_id_distance(&head, &last) < KINDS_NEAR ||
           kinds_are_beside(&head, &usual);
}

/* Do both end with the same word? Then what the one brings the other has brought
 * already. */
static bool is_last_of(const char *compound, const char *other)
{
    const char *a = strrchr(compound, ' ');
    const char *b = strrchr(other, ' ');
    return a && b && strcmp(a, b) == 0;
}

static void kappa_of_compounds(finding *f)
{
    char one[KINDS_PHRASE_SIZE];
    const char *at =
        f->head.self_count ? told_of_kind(f->head.self[0].kind).words : "";
    if (f->q.head_words > 1)
        kappa_of_last(f, f->q.head, LAST_SHARE);
    while (*at) {
        size_t n = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s", (int)n, at);
        if (last_is_near(f, one) && !is_last_of(f->q.head, one))
            kappa_of_last(f, one, SAME_LAST_SHARE);
        at += n + (at[n] != 0);
    }
}

/* A name that the table of kinds knows as a whole is one thing: a "desk lamp"
 * is no desk. */
static bool doc_is_one_thing(const finding *f, uint32_t doc)
{
    kinds_id whole;
    return kinds_find(index_doc_at(f->v, doc).name, &whole) && whole.self_count;
}

/* What is of both kinds at once, however little of each, is the two together:
 * an "armchair ottoman" for "an armchair with a footstool". */
static void kappa_of_pair(finding *f, uint16_t head, uint16_t with)
{
    index_list heads = kind_list(f, '#', head);
    index_list others = kind_list(f, '#', with);
    index_walk beside = index_walk_along(&others);
    for (index_posting p; index_list_next(&heads, &p);) {
        bool is_both = index_walk_to(&beside, p.doc) != NULL;
        if (is_both && !doc_is_one_thing(f, p.doc))
            kappa_raise(f, p.doc, INDEX_KIND);
    }
}

static void kappa_of_pairs(finding *f)
{
    kinds_id with;
    if (!f->q.with[0] || !kinds_find(f->q.with, &with))
        return;
    for (uint32_t i = 0; i < f->head.self_count; i++) {
        for (uint32_t k = 0; k < with.self_count; k++)
            kappa_of_pair(f, f->head.self[i].kind, with.self[k].kind);
    }
}

/* Senses of the head count less by 0.92 each, since the first is the usual one
 * and the other words of the request have already been asked (senses_order). */
static void kappa_all(finding *f)
{
    const kinds_id *id = &f->head;
    double sense = f->has_purpose ? BESIDE_PURPOSE : 1;
    kappa_of_compounds(f);
    for (uint32_t i = 0; f->has_purpose && i < f->purpose.self_count; i++)
        kappa_below(f, f->purpose.self[i].kind, 1);
    kappa_of_pairs(f);
    for (uint32_t i = 0; i < id->self_count; i++, sense *= 0.92) {
        kappa_below(f, id->self[i].kind, sense);
        kinds_id one;
        kinds_find_above(id->self[i].kind, &one);
        for (uint32_t k = 0;
             k < one.above_count && one.above[k].cost <= KINDS_STEP; k++)
            kappa_beside(f, one.above[k].kind, sense);
    }
}

/* ---- judging one doc ---- */

/* QUERY_ANY is the largest side, as a person means who says "under 50 cm". */
static double side_of(const index_doc *d, query_axis axis)
{
    double w = (double)d->size[0];
    double h = (double)d->size[1];
    double depth = (double)d->size[2];
    switch (axis) {
    case QUERY_WIDTH: return w;
    case QUERY_HEIGHT: return h;
    case QUERY_DEPTH: return depth;
    case QUERY_LENGTH: return w > depth ? w : depth;
    case QUERY_ANY: break;
    }
    double foot = w > depth ? w : depth;
    return foot > h ? foot : h;
}

static bool doc_is_within(const query *q,
                          const find_options *options,
                          const index_doc *d)
{
    for (uint32_t i = 0; i < q->bound_count; i++) {
        const query_bound *b = &q->bounds[i];
        double side = side_of(d, b->axis);
        bool is_over = b->most > 0 && side > b->most + FINDING_SLACK;
        bool is_under = b->least > 0 && side < b->least - FINDING_SLACK;
        if (is_over || is_under)
            return false;
    }
    for (int k = 0; k < 3; k++) {
        double most = options->max_size[k];
        if (most > 0 && (double)d->size[k] > most + FINDING_SLACK)
            return false;
    }
    return true;
}

/* "by" is attribution alone: who asks for it does not take share-alike. */
static bool licence_is(const char *want, const char *licence)
{
    bool is_by = strncasecmp(licence, "CC-BY", 5) == 0 &&
                 strncasecmp(licence, "CC-BY-SA", 8) != 0;
    if (strcasecmp(want, "by") == 0)
        return is_by;
    if (strcasecmp(want, licence) == 0)
        return true;
    return strncasecmp(want, "cc-", 3) == 0 &&
           strncasecmp(licence, want, strlen(want)) == 0;
}

static bool licence_fits(const find_options *o, const char *licence)
{
    for (uint32_t i = 0; i < o->licence_count; i++) {
        if (licence_is(o->licences[i], licence))
            return true;
    }
    return o->licence_count == 0;
}

bool find_allows(const index_view *v,
                 const query *q,
                 const find_options *options,
                 uint32_t doc)
{
    const index_doc d = index_doc_at(v, doc);
    return licence_fits(options, d.licence) && doc_is_within(q, options, &d);
}

/* To integers, as all of the score: sums of integers have one order on every
 * machine. */
static int32_t points(double v)
{
    return (int32_t)(v * INDEX_IMPACT + (v < 0 ? -0.5 : 0.5));
}

/* A colour that was asked for and is there brings up to 4, one that is missing
 * costs 2; one that was excluded and is there costs most. */
static double colours_judge(const finding *f, const index_doc *d)
{
    double sum = 0;
    for (int i = 0; i < ASSET_COLOURS; i++) {
        double share = d->colour[i] / 100.0;
        if (f->q.colours >> i & 1)
            sum += share >= 0.1 ? 3 + 2 * (share < 0.5 ? share : 0.5) : -2;
        if (f->q.not_colours >> i & 1)
            sum -= share >= 0.18 ? 8 : 0;
    }
    return sum;
}

/* By the logarithm: twice as large is as far off as half as large. */
static double about_judge(const finding *f, const index_doc *d)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->q.bound_count; i++) {
        const query_bound *b = &f->q.bounds[i];
        double side = side_of(d, b->axis);
        if (b->about > 0 && side > 0)
            sum -= 10 * fabs(math_log(side / b->about));
    }
    return sum;
}

/* Where a doc stands among those of its kind, -1 for the least to 1 for the
 * greatest. */
static double rank_of(const double *sorted, uint32_t count, double value)
{
    uint32_t low = 0;
    uint32_t high = count;
    if (count < 3)
        return 0;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return 2.0 * low / (count - 1) - 1;
}

/* "small" is small among its kind: a small sofa is larger than a large cup. */
static double classes_judge(const finding *f, const index_doc *d)
{
    double sum = 0;
    double volume =
        (double)d->size[0] * (double)d->size[1] * (double)d->size[2];
    if (f->q.small)
        sum += f->q.small * 2 * rank_of(f->volumes, f->peers, volume);
    if (f->q.tall)
        sum +=
            f->q.tall * 2 * rank_of(f->heights, f->peers, (double)d->size[1]);
    if (f->q.wide)
        sum += f->q.wide * 2 * rank_of(f->widths, f->peers, (double)d->size[0]);
    return sum;
}

static bool room_fits(const finding *f, const index_doc *d)
{
    return f->options->room && strcasecmp(f->options->room, d->category) == 0;
}

/* The more a request tells of a thing beside its name, the less its name
 * counts: who describes at length does so because the name is a general one. */
static double kinds_weight(const finding *f)
{
    enum {
        BRIEF = 5
    };
    return f->concept_count > BRIEF
               ? (double)FINDING_KAPPA * BRIEF / f->concept_count
               : FINDING_KAPPA;
}

/* Points for how near the doc's kinds are to the head's, less where few of its
 * words are met. */
static double kinds_judge(const finding *f, uint32_t doc)
{
    double covered = f->before && f->head_known
                         ? (double)finding_row_of(f, doc)->covers / f->before
                         : 1;
    return kinds_weight(f) * (0.5 + 0.5 * covered) * f->kappa[doc] / INDEX_KIND;
}

/* Is it of a kind that the head is not, whatever words it shares with the
 * request? */
static bool doc_is_another(const finding *f, uint32_t doc)
{
    return f->head_known && f->kappa[doc] < KAPPA_NEAR * INDEX_KIND &&
           !f->bears[doc];
}

/* What the words bring. Where the head is no known thing, a doc that meets few of
 * them counts for less than their sum; of what is another thing, what goes with
 * it does not count. */
static int32_t words_judge(const finding *f, uint32_t doc, bool is_another)
{
    const finding_row *row = finding_row_of(f, doc);
    int32_t words = row->score;
    if (!f->head_known && f->concept_count)
        words =
            words / 4 + words / 4 * 3 * row->covers / (int32_t)f->concept_count;
    bool has_kinds = !(f->options->without & FIND_KINDS);
    return has_kinds && is_another ? words - row->aside : words;
}

/* Words, kinds, colours and sizes in points. */
static int32_t doc_judge(const finding *f, uint32_t doc, const index_doc *d)
{
    double sum = 0;
    unsigned without = f->options->without;
    if (f->options->plain)
        return finding_row_of(f, doc)->score;
    /* a purple guitar is no better a sofa for being purple */
    bool is_another = f->kind_is_here && doc_is_another(f, doc);
    if (!(without & FIND_KINDS))
        sum += kinds_judge(f, doc);
    if (!(without & FIND_COLOURS)) {
        double colours = colours_judge(f, d);
        sum += is_another ? fmin(colours, 0) : colours;
    }
    if (!(without & FIND_CLASSES))
        sum += about_judge(f, d) + classes_judge(f, d);
    if (room_fits(f, d))
        sum += 2;
    return words_judge(f, doc, is_another) + points(sum);
}

/* ---- the best ---- */

/* An insertion into at most k sorted hits. What comes later is another doc of a
 * greater number, and docs are in the order of their hashes: of equals the first
 * is better. */
static void hit_insert(ranking *r, uint32_t doc, int32_t score, uint8_t told)
{
    if (r->count == r->k && score <= r->hits[r->k - 1].score)
        return;
    uint32_t at = r->count < r->k ? r->count++ : r->k - 1;
    for (; at > 0 && score > r->hits[at - 1].score; at--)
        r->hits[at] = r->hits[at - 1];
    r->hits[at].doc = doc;
    r->hits[at].score = score;
    r->hits[at].told = told;
}

static int double_order(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The sizes of what is of the kind, for "small" and "tall". */
static etna_code peers_gather(finding *f, etna_error *err)
{
    enum {
        MOST = 4096
    };
    bool is_asked = f->q.small || f->q.tall || f->q.wide;
    if (!is_asked)
        return ETNA_OK;
    f->volumes = calloc(3 * MOST, sizeof *f->volumes);
    if (!f->volumes)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to compare sizes");
    f->heights = f->volumes + MOST;
    f->widths = f->heights + MOST;
    for (uint32_t i = 0; i < f->v->doc_count && f->peers < MOST; i++) {
        if (f->kappa[i] < INDEX_KIND / 2)
            continue;
        index_doc d = index_doc_at(f->v, i);
        f->volumes[f->peers] =
            (double)d.size[0] * (double)d.size[1] * (double)d.size[2];
        f->heights[f->peers] = (double)d.size[1];
        f->widths[f->peers++] = (double)d.size[0];
    }
    qsort(f->volumes, f->peers, sizeof *f->volumes, double_order);
    qsort(f->heights, f->peers, sizeof *f->heights, double_order);
    qsort(f->widths, f->peers, sizeof *f->widths, double_order);
    return ETNA_OK;
}

/* What reading a doc can bring at most: all that is asked for. What is greater
 * than all of the kind ranks a little above the greatest (rank_of). */
static int32_t look_bound(const finding *f)
{
    enum {
        COLOUR_MOST = 4,
        ROOM_MOST = 2
    };
    const double count = f->peers;
    const double class_most = f->peers < 3 ? 0 : 2 * (count + 1) / (count - 1);
    double most = f->options->room ? ROOM_MOST : 0;
    most +=
        class_most * ((f->q.small != 0) + (f->q.tall != 0) + (f->q.wide != 0));
    for (int i = 0; i < ASSET_COLOURS; i++)
        most += COLOUR_MOST * (f->q.colours >> i & 1);
    return points(most);
}

/* "Chair with cushion" bears the word and is no cushion. */
static bool doc_only_has_one(const finding *f, uint32_t doc)
{
    const char *name = index_doc_at(f->v, doc).name;
    const char *with = strcasestr(name, " with ");
    if (!with || !f->q.head_words)
        return false;
    char own[FIND_REASON_SIZE];
    snprintf(own, sizeof own, "%.*s", (int)(with - name), name);
    const uint32_t last = f->q.head_first + f->q.head_words - 1;
    return strcasestr(own, f->q.words[last].stem) == NULL;
}

static bool doc_is_of_kind(const finding *f, uint32_t doc)
{
    if (f->kappa[doc] >= KAPPA_ENOUGH * INDEX_KIND)
        return true;
    return f->bears[doc] && !doc_only_has_one(f, doc);
}

/* No more than this a doc gets: what it has got of words and kinds, and what
 * reading it can bring. */
static int32_t score_bound(const finding *f, uint32_t doc)
{
    if (f->options->plain)
        return finding_row_of(f, doc)->score;
    const bool is_another = f->kind_is_here && doc_is_another(f, doc);
    const bool has_kinds = !(f->options->without & FIND_KINDS);
    const double kinds = has_kinds ? kinds_judge(f, doc) : 0;
    return words_judge(f, doc, is_another) + points(kinds) + f->looks + 1;
}

/* A red armchair is no red sofa where there are sofas, and a grey sofa none
 * either. */
static bool doc_is_as_asked(const finding *f,
                            uint32_t doc,
                            leniency how,
                            bool is_of_kind)
{
    char word[TEXT_WORD_SIZE];
    if (f->kind_is_here && !is_of_kind)
        return false;
    return how == FIND_LOOSE || finding_lacks(f, doc, 0, word) == 0;
}

static void doc_rank(finding *f, ranking *r, uint32_t doc, bool is_of_kind)
{
    index_doc d = index_doc_at(f->v, doc);
    if (!licence_fits(f->options, d.licence))
        return;
    r->licensed |= is_of_kind || !f->head_known;
    if (r->how == FIND_STRICT && !doc_is_within(&f->q, f->options, &d))
        return;
    r->sized |= is_of_kind || !f->head_known;
    r->is_known |= r->licensed && r->sized;
    if (f->options->as_asked && !doc_is_as_asked(f, doc, r->how, is_of_kind))
        return;
    int32_t score = doc_judge(f, doc, &d);
    if (score > 0)
        hit_insert(r, doc, score, finding_row_of(f, doc)->told);
}

/* What has no more than this is of no use to the ranking, nor does it tell
 * whether there is something. */
static int32_t least_of_use(const finding *f, const ranking *r)
{
    const bool is_full = r->is_known && r->count == r->k;
    if (r->is_idle)
        return INT32_MAX;
    if (!is_full || f->options->without & FIND_PASSING)
        return INT32_MIN;
    return r->hits[r->k - 1].score;
}

/* Can it still be among the ranking's best, or tell whether any has a licence
 * and a size that fit? */
static bool doc_may_matter(const finding *f, const ranking *r, uint32_t doc)
{
    const int32_t least = least_of_use(f, r);
    return least == INT32_MIN || (!r->is_idle && score_bound(f, doc) > least);
}

/* Most docs of a large library share some word with the request and are far
 * from the best: they are passed over unread. */
static void window_rank(finding *f, uint32_t candidates)
{
    for (uint32_t n = 0; n < candidates; n++) {
        const uint32_t i = f->candidates[n];
        const bool may_be_found = doc_may_matter(f, &f->strict, i);
        const bool may_be_near = doc_may_matter(f, &f->loose, i);
        if (!may_be_found && !may_be_near)
            continue;
        const bool is_of_kind = doc_is_of_kind(f, i);
        if (may_be_found)
            doc_rank(f, &f->strict, i, is_of_kind);
        if (may_be_near)
            doc_rank(f, &f->loose, i, is_of_kind);
    }
}

/* Window after window, so that a doc's row is near when the next term adds to
 * it. What comes nearest is ranked beside what fits, as who finds nothing is
 * told of it. */
static void docs_rank(finding *f, uint32_t k)
{
    const uint32_t docs = f->v->doc_count;
    f->strict.how = FIND_STRICT;
    f->strict.k = k;
    f->loose.how = FIND_LOOSE;
    f->loose.k = FIND_NEAREST;
    f->looks = look_bound(f);
    finding_open(f);
    while (f->from < docs) {
        const uint32_t left = docs - f->from;
        const uint32_t count = left < FINDING_WINDOW ? left : FINDING_WINDOW;
        const uint32_t to = f->from + count;
        window_rank(f, finding_score(f, to, least_of_use(f, &f->strict),
                                     least_of_use(f, &f->loose)));
        f->from = to;
    }
}

/* Does it find nothing where what it knows of is not what was asked for? */
static bool finding_abstains(const finding *f)
{
    return !f->options->plain && !(f->options->without & FIND_ABSTAIN);
}

/* Is a doc of the kind here, one under a licence that is taken, one of a size
 * that fits, too? Where none of the kind fits, what else does is not asked
 * for. */
static void kind_look(finding *f)
{
    ranking *r = &f->strict;
    for (uint32_t i = 0; i < f->v->doc_count && !r->sized; i++) {
        if (!doc_is_of_kind(f, i))
            continue;
        f->kind_is_here = true;
        if (r->licensed && !finding_may_fit(f, i))
            continue;
        const index_doc d = index_doc_at(f->v, i);
        const bool is_licensed = licence_fits(f->options, d.licence);
        r->licensed |= is_licensed;
        r->sized = is_licensed && doc_is_within(&f->q, f->options, &d);
    }
    r->is_known = true;
    r->is_idle = f->kind_is_here && !r->sized && finding_abstains(f) &&
                 !(f->options->without & FIND_PASSING);
    f->loose.licensed = f->loose.sized = r->licensed;
    f->loose.is_known = true;
}

/* ---- abstention ---- */

/* Who describes a thing at length ("an implement for sweeping floors") means
 * what is described, whatever it is called. */
static bool best_is_described(const finding *f)
{
    enum {
        ENOUGH = 3
    };
    return f->strict.count && f->strict.hits[0].told >= ENOUGH;
}

/* Why nothing fits; false: something does. */
static bool find_refuse(finding *f)
{
    char *to = f->ret->why_not;
    const char *what = f->q.head[0] ? f->q.head : "thing";
    if (f->head_known && !f->kind_is_here && best_is_described(f))
        return false; /* what is ranked has the size and the licence */
    if (f->head_known && !f->kind_is_here) {
        snprintf(to, FIND_REASON_SIZE, "no model here is a %s", what);
        return true;
    }
    if (f->strict.count && f->strict.sized)
        return false;
    if (f->options->licence_count && !f->strict.licensed)
        snprintf(to, FIND_REASON_SIZE, "no %s is under such a licence", what);
    else if (f->limits.are_some && !f->strict.sized)
        snprintf(to, FIND_REASON_SIZE, "no %s is of that size", what);
    else
        snprintf(to, FIND_REASON_SIZE, "no model here has a word of it");
    return true;
}

/* What keeps the nearest from being as it is asked for. */
static void tell_lack(finding *f)
{
    char word[TEXT_WORD_SIZE];
    find_result *r = f->ret;
    bool is_judged = f->options->as_asked && f->loose.sized && r->count;
    if (is_judged && finding_lacks(f, r->hits[0].doc, 0, word))
        snprintf(r->why_not, sizeof r->why_not, "no %s here is %s",
                 f->q.head[0] ? f->q.head : "thing", word);
}

static void finding_free(finding *f)
{
    free(f->rows);
    free(f->candidates);
    free(f->kappa);
    free(f->bears);
    free(f->volumes);
}

/* Rows for each asset of the index. ETNA_E_NOMEM: what could be had is still
 * freed by finding_free. */
static etna_code finding_make(finding *f, etna_error *err)
{
    size_t count = f->v->doc_count + (size_t)1;
    f->rows = calloc(FINDING_WINDOW, sizeof *f->rows);
    f->candidates = malloc(FINDING_WINDOW * sizeof *f->candidates);
    f->kappa = calloc(count, sizeof *f->kappa);
    f->bears = calloc(count, sizeof *f->bears);
    bool has_room = f->rows && f->candidates;
    if (has_room && f->kappa && f->bears)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_NOMEM, "no memory to look through %u assets",
                     f->v->doc_count);
}

static void hits_tell(finding *f, const ranking *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        f->ret->hits[i] = (find_hit){.doc = r->hits[i].doc,
                                     .score = r->hits[i].score,
                                     .kind = f->kappa[r->hits[i].doc]};
        finding_reason(f, &f->ret->hits[i]);
    }
    f->ret->count = r->count;
}

/* Terms, kinds, peers, then the docs that can still matter. Where nothing is
 * left, what is nearest is offered without the bounds, marked as not found. */
static etna_code finding_look(finding *f, etna_error *err)
{
    find_result *result = f->ret;
    uint32_t k = f->options->k ? f->options->k : FIND_USUAL;
    finding_read(f);
    bool is_english = strcmp(result->language, "en") == 0;
    if (f->q.says_nothing && is_english)
        return query_refuse(f->text, err);
    if (f->head_known && !f->options->plain)
        kappa_all(f);
    etna_code code = peers_gather(f, err);
    if (code != ETNA_OK)
        return code;
    finding_limit(f);
    if (f->head_known)
        kind_look(f);
    docs_rank(f, k < FIND_MAX ? k : FIND_MAX);
    result->found = finding_abstains(f) ? !find_refuse(f) : f->strict.count > 0;
    hits_tell(f, result->found ? &f->strict : &f->loose);
    if (!result->found)
        tell_lack(f);
    return ETNA_OK;
}

/* The rows are on the heap: one for each doc. *ret is untouched on failure. */
etna_code find_assets(const index_view *v,
                      const char *text,
                      const find_options *options,
                      find_result *ret,
                      etna_error *err)
{
    finding *f = calloc(1, sizeof *f);
    find_result *result = calloc(1, sizeof *result);
    etna_code code = f && result ? ETNA_OK
                                 : etna_fail(err, ETNA_E_NOMEM,
                                             "no memory to look for assets");
    if (code == ETNA_OK) {
        *f = (finding){.v = v, .options = options, .ret = result, .text = text};
        code = finding_make(f, err);
        if (code == ETNA_OK)
            code = query_read(text, &f->q, err);
        if (code == ETNA_OK)
            code = finding_look(f, err);
        if (code == ETNA_OK)
            *ret = *result;
        finding_free(f);
    }
    free(f);
    free(result);
    return code;
}
