/* Terms and kinds of an asset. Names vote for kinds in every language: the
 * English one first, then the maker's id, then what the foreign ones mean. */
#include "worker/assets/fields.h"
#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/builtin/language/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bytes of a phrase that is looked up; kinds that may be voted for, more than
 * any name has */
enum {
    PHRASE_SIZE = 200,
    VOTES_MAX = 64
};
/* the share of the best vote below which a kind is not kept; the weight of a
 * thing that is only named within a name */
static const double KIND_MIN = 0.12, WITHIN = 0.4;

/* ---- kinds ---- */

typedef struct vote {
    uint16_t kind;
    double weight;
} vote;

typedef struct votes {
    vote list[VOTES_MAX];
    uint32_t count;
    double times; /* of what votes now */
} votes;

/* Beyond VOTES_MAX further kinds are dropped: by then many others have been
 * named before. */
static void vote_add(votes *v, uint16_t kind, double weight)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->list[i].kind != kind)
            continue;
        v->list[i].weight += weight;
        return;
    }
    if (v->count < VOTES_MAX)
        v->list[v->count++] = (vote){kind, weight};
}

/* Senses of a word vote less and less: they are ordered by how usual they are.
 * A phrase that is no entry of its own votes for what is directly above it, the
 * less the rarer that is. */
static void votes_phrase(votes *v, const char *phrase, double weight)
{
    kinds_id id;
    if (!kinds_find(phrase, &id))
        return;
    double sense = 1;
    for (uint32_t i = 0; i < id.self_count; i++, sense *= 0.7)
        vote_add(v, id.self[i].kind, weight * sense);
    if (id.self_count)
        return;
    for (uint32_t i = 0; i < id.above_count;
         i++) { /* "piano bench" is told as what is below a bench */
        unsigned rare = id.above[i].cost - KINDS_STEP;
        bool is_head = id.above[i].cost >= KINDS_STEP && rare < KINDS_STEP &&
                       !kinds_is_group(id.above[i].kind);
        static const double by_rareness[KINDS_STEP] = {1, 0.7, 0.5, 0.35};
        if (is_head)
            vote_add(v, id.above[i].kind, 0.9 * weight * by_rareness[rare]);
    }
}

/* What is voted for a kind so far. */
static double votes_of(const votes *v, uint16_t kind)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->list[i].kind == kind)
            return v->list[i].weight;
    }
    return 0;
}

/* The other things that a name names: an "armchair ottoman" is an armchair,
 * too, to some degree. */
static void votes_within(votes *v, const char *name, double weight)
{
    char word[TEXT_WORD_SIZE];
    while (text_next_part(&name, word)) {
        kinds_id id;
        bool is_thing = kinds_find(word, &id) && id.self_count;
        if (is_thing && votes_of(v, id.self[0].kind) <= 0)
            vote_add(v, id.self[0].kind, weight);
    }
}

/* Shares below 0.15 are coincidences of a small library. */
static void votes_name(void *context, const char *name, double share)
{
    votes *v = context;
    if (share >= 0.15)
        votes_phrase(v, name, share * v->times);
}

/* "little_lamp2" as "little lamp": without what stands before the last '#', and
 * without digits. */
static void id_phrase(const char *id, char to[PHRASE_SIZE])
{
    char word[TEXT_WORD_SIZE];
    const char *tail = strrchr(id, '#'), *at = tail ? tail + 1 : id;
    size_t n = 0;
    to[0] = 0;
    while (text_next_part(&at, word) && n + strlen(word) + 2 < PHRASE_SIZE) {
        if (ascii_is_digit(word[0]))
            continue;
        n += (size_t)snprintf(to + n, PHRASE_SIZE - n, "%s%s", n ? " " : "",
                              word);
    }
}

static void votes_tags(votes *v, const char *tags, double weight)
{
    char one[PHRASE_SIZE];
    while (*tags) {
        size_t n = strcspn(tags, ",;");
        snprintf(one, sizeof one, "%.*s", (int)n, tags);
        votes_phrase(v, one, weight);
        tags += n + (tags[n] != 0);
    }
}

/* Languages whose names begin with what the thing is: "fauteuil
 * repose-pieds". */
static bool language_heads_first(const char *language)
{
    static const char *const those[] = {"fr",    "es", "it", "pt",
                                        "pt_PT", "vi", NULL};
    for (int i = 0; those[i]; i++) {
        if (strcmp(language, those[i]) == 0)
            return true;
    }
    return false;
}

static void votes_words(votes *v, const pivot *p, const asset_words *w)
{
    char word[TEXT_WORD_SIZE];
    const char *at = w->name;
    if (language_heads_first(w->language) && text_next(&at, word))
        pivot_of_word(p, w->language, word, votes_name, v);
}

/* The weights say how much each source can be trusted: its English name wholly,
 * the maker's id nearly, tags half. All other languages together count a little
 * more than the name, each an equal part. */
static void votes_source(votes *v, const asset *a, const pivot *p)
{
    char phrase[PHRASE_SIZE];
    votes_phrase(v, a->name, 1);
    votes_within(v, a->name, WITHIN);
    id_phrase(a->id, phrase);
    votes_phrase(v, phrase, 0.8);
    votes_tags(v, a->tags, 0.5);
    v->times = a->word_count ? 1.2 / a->word_count : 0;
    for (uint32_t i = 0; p && i < a->word_count; i++)
        pivot_of_name(p, a->words[i].language, a->words[i].name, votes_name, v);
    for (uint32_t i = 0; p && i < a->word_count; i++)
        votes_words(v, p, &a->words[i]);
}

/* Equal weights by kind: the order must not depend on the sort. */
static int vote_order(const void *a, const void *b)
{
    const vote *x = a, *y = b;
    if (x->weight > y->weight || x->weight < y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Kinds that catalogues leave to the measures: nobody names a bed "single
 * bed". */
static void votes_measures(votes *v, const asset *a)
{
    static const struct {
        const char *kind, *is;
        double from, to; /* metres of the width */
    } measures[] = {{"bed", "single bed", 0.75, 1.25},
                    {"bed", "double bed", 1.3, 2.2}};
    /* a vote that is about the thing itself */
    const double sure = 0.8;
    double width = a->shape.size[0];
    for (size_t i = 0; i < COUNT_OF(measures); i++) {
        kinds_id plain, finer;
        bool is_as_wide = width >= measures[i].from && width <= measures[i].to;
        bool are_known = kinds_find(measures[i].kind, &plain) &&
                         kinds_find(measures[i].is, &finer);
        if (!is_as_wide || !are_known || !finer.self_count)
            continue;
        double weight = votes_of(v, plain.self[0].kind);
        if (weight >= sure)
            vote_add(v, finer.self[0].kind, weight);
    }
}

/* Weights relative to the best, so the first is 255; a best vote below 1 keeps
 * its doubt. */
uint32_t fields_kinds(const asset *sources,
                      uint32_t count,
                      const pivot *p,
                      asset_kind ret[KINDS_OF_ASSET_MAX])
{
    votes v = {.count = 0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        votes_source(&v, &sources[i], p);
    if (count)
        votes_measures(&v, &sources[0]);
    if (v.count)
        qsort(v.list, v.count, sizeof *v.list, vote_order);
    for (uint32_t i = 0; i < v.count && kept < KINDS_OF_ASSET_MAX; i++) {
        double weight =
            v.list[i].weight / (v.list[0].weight > 1 ? v.list[0].weight : 1);
        if (weight < KIND_MIN)
            break;
        ret[kept++] =
            (asset_kind){v.list[i].kind, (uint8_t)(weight * 255 + 0.5)};
    }
    return kept;
}

/* ---- terms ---- */

typedef struct emitting {
    const field_sink *sink;
    field field;
    double weight;
} emitting;

static void term_put(const field_sink *sink,
                     field f,
                     const char *term,
                     double weight)
{
    sink->term(sink->context, f, term, weight);
}

/* The words of an English text. */
static void text_put(const field_sink *sink,
                     field f,
                     const char *text,
                     double weight)
{
    char word[TEXT_WORD_SIZE];
    while (text_next_part(&text, word)) {
        bool is_number = ascii_is_digit(word[0]);
        if (is_number || text_is_stop(word) || strlen(word) < 2)
            continue;
        text_stem(word);
        term_put(sink, f, word, weight);
    }
}

static void other_put(void *context, const char *word, double share)
{
    const emitting *e = context;
    term_put(e->sink, e->field, word, share * e->weight);
}

/* "en=oak table" for a request that is the whole name, and "@en" for how many
 * names the language has. */
static void whole_put(const field_sink *sink,
                      const char *language,
                      const char *name)
{
    char term[FIELD_TERM_SIZE];
    text_whole(language, name, term, sizeof term);
    if (term[strcspn(term, "=") + 1])
        term_put(sink, FIELD_WHOLE, term, 1);
    snprintf(term, sizeof term, "@%s", language);
    term_put(sink, FIELD_WHOLE, term, 1);
}

/* Each word under its language ("fr:chaise"), and what it means in English as
 * the library itself shows. */
static void foreign_put(const field_sink *sink, const asset *a, const pivot *p)
{
    char word[TEXT_WORD_SIZE], term[FIELD_TERM_SIZE];
    emitting e = {sink, FIELD_OTHER, a->word_count ? 2.0 / a->word_count : 0};
    for (uint32_t i = 0; i < a->word_count; i++) {
        const asset_words *w = &a->words[i];
        const char *texts[] = {w->name, w->tags};
        whole_put(sink, w->language, w->name);
        for (int k = 0; k < 2; k++) {
            for (const char *at = texts[k]; text_next(&at, word);) {
                snprintf(term, sizeof term, "%s:%s", w->language, word);
                term_put(sink, FIELD_FOREIGN, term, k ? 0.6 : 1);
                if (p)
                    pivot_of_word(p, w->language, word, other_put, &e);
            }
        }
    }
}

/* The synonyms of the kind (six at most), its definition and its verbs: "to sit
 * on" finds a chair. */
static void kind_put(const field_sink *sink, const asset_kind *kind)
{
    char name[KINDS_PHRASE_SIZE];
    double sure = kind->weight / 255.0;
    told_kind t = told_of_kind(kind->kind);
    const char *at = t.words;
    for (int n = 0; *at && n < 6; n++) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        text_put(sink, FIELD_SAME, name, sure);
        at += length + (at[length] != 0);
    }
    text_put(sink, FIELD_GLOSS, t.gloss, sure);
    text_put(sink, FIELD_GLOSS, t.verbs, sure);
}

/* What stands above a kind: two words of each of the nearest three levels. */
static void above_put(const field_sink *sink, const asset_kind *kind)
{
    enum {
        LEVELS = 3
    };
    char name[KINDS_PHRASE_SIZE];
    kinds_id id;
    kinds_find_above(kind->kind, &id);
    for (uint32_t i = 0;
         i < id.above_count && id.above[i].cost <= LEVELS * KINDS_STEP; i++) {
        told_kind up = told_of_kind(id.above[i].kind);
        size_t first = strcspn(up.words, ","),
               second =
                   up.words[first] ? strcspn(up.words + first + 1, ",") : 0;
        snprintf(name, sizeof name, "%.*s",
                 (int)(first + (second ? second + 1 : 0)), up.words);
        text_put(sink, FIELD_ABOVE, name, kind->weight / 255.0);
        if (id.above[i].cost <= KINDS_STEP)
            text_put(sink, FIELD_GLOSS, up.gloss, 0.4 * kind->weight / 255.0);
    }
}

/* Only kinds that are at least half sure count. */
static bool kinds_have(const asset_kind *kinds, uint32_t count, const char *of)
{
    kinds_id said, named;
    kinds_find(of, &said);
    for (uint32_t i = 0; i < count && kinds[i].weight >= 128; i++) {
        kinds_find_above(kinds[i].kind, &named);
        if (kinds_id_distance(&named, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

static void lamp_put(const field_sink *sink, const asset *a)
{
    double height = a->shape.size[1];
    if (a->elevation + height > 2 && a->elevation > 0.5)
        text_put(sink, FIELD_FACET, "hanging ceiling pendant", 1);
    else if (a->elevation > 0.3)
        text_put(sink, FIELD_FACET, "wall sconce", 1);
    else if (height >= 1.1 && height <= 2.1)
        text_put(sink, FIELD_FACET, "floor standing", 1);
    else if (height < 0.8)
        text_put(sink, FIELD_FACET, "table desk bedside", 1);
}

static void table_facets_put(const field_sink *sink, const asset *a)
{
    double height = a->shape.size[1];
    if (height < 0.55 && height > 0.2)
        text_put(sink, FIELD_FACET, "coffee low", 1);
    if (height > 0.95)
        text_put(sink, FIELD_FACET, "bar high", 1);
    if (height >= 0.65 && height <= 0.85 && a->shape.size[0] > 1.1)
        text_put(sink, FIELD_FACET, "dining", 1);
}

static void hanging_put(const field_sink *sink, const asset *a)
{
    bool is_at_ceiling = a->elevation + a->shape.size[1] > 2.2;
    text_put(sink, FIELD_FACET,
             is_at_ceiling ? "ceiling hanging" : "wall mounted hanging", 0.7);
}

/* What a name does not say and the measures do: a lamp 1.6 m high is a floor
 * lamp, a bed 1.6 m wide a double one. */
static void facets_put(const field_sink *sink,
                       const asset *a,
                       const asset_kind *kinds,
                       uint32_t count)
{
    bool is_lamp =
        kinds_have(kinds, count, "lamp") || kinds_have(kinds, count, "light");
    bool is_wide_bed =
        kinds_have(kinds, count, "bed") && a->shape.size[0] > 1.3;
    bool hangs = a->elevation > 0.3 && !is_lamp;
    if (a->shape.round)
        text_put(sink, FIELD_FACET, "round circular", 1);
    if (a->shape.oval)
        text_put(sink, FIELD_FACET, "oval", 1);
    if (a->opening)
        text_put(sink, FIELD_FACET, "opening", 1);
    if (a->light)
        text_put(sink, FIELD_FACET, "light lamp", 0.5);
    if (is_lamp)
        lamp_put(sink, a);
    if (kinds_have(kinds, count, "table"))
        table_facets_put(sink, a);
    if (is_wide_bed)
        text_put(sink, FIELD_FACET, "double", 1);
    if (hangs)
        hanging_put(sink, a);
}

/* Materials by words of their names in several languages, colours by area. 18 %
 * of the surface is a colour that people would name, 40 % the thing's own. */
static void surface_put(const field_sink *sink, const asset_shape *s)
{
    static const struct {
        const char *in, *is;
    } materials[] = {{"wood", "wood wooden"},    {"bois", "wood wooden"},
                     {"oak", "wood wooden oak"}, {"pine", "wood wooden pine"},
                     {"glass", "glass"},         {"verre", "glass"},
                     {"metal", "metal"},         {"steel", "metal steel"},
                     {"chrome", "metal chrome"}, {"iron", "metal iron"},
                     {"brass", "metal brass"},   {"alu", "metal aluminium"},
                     {"leather", "leather"},     {"cuir", "leather"},
                     {"fabric", "fabric"},       {"tissu", "fabric"},
                     {"cloth", "fabric"},        {"marble", "marble stone"},
                     {"stone", "stone"},         {"pierre", "stone"},
                     {"plastic", "plastic"},     {"rattan", "wicker rattan"},
                     {"wicker", "wicker"},       {"ceramic", "ceramic"},
                     {"porcel", "porcelain"},    {"gold", "gold"},
                     {"silver", "silver"},       {"bamboo", "bamboo"}};
    for (size_t i = 0; i < COUNT_OF(materials); i++) {
        if (strstr(s->materials, materials[i].in))
            text_put(sink, FIELD_SURFACE, materials[i].is, 1);
    }
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (s->colour[i] >= 18)
            term_put(sink, FIELD_SURFACE, asset_colour_names[i],
                     s->colour[i] >= 40 ? 1 : 0.6);
    }
    if (s->clear >= 30)
        text_put(sink, FIELD_SURFACE, "glass", 1);
    if (s->metal >= 40)
        text_put(sink, FIELD_SURFACE, "metal", 1);
}

/* As definitions are: what is said of a thing, not what it is called. */
static void caption_put(const field_sink *sink, const asset_caption *c)
{
    text_put(sink, FIELD_GLOSS, c->name, 1);
    for (int i = 0; i < CAPTION_PARTS; i++)
        text_put(sink, FIELD_GLOSS, c->parts[i], 1);
}

void fields_emit(const asset *sources,
                 uint32_t count,
                 const pivot *p,
                 const asset_kind *kinds,
                 uint32_t kind_count,
                 const field_sink *sink)
{
    char phrase[PHRASE_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        const asset *a = &sources[i];
        text_put(sink, FIELD_NAME, a->name, 1);
        whole_put(sink, "en", a->name);
        id_phrase(a->id, phrase);
        text_put(sink, FIELD_ID, phrase, 1);
        text_put(sink, FIELD_TAGS, a->tags, 1);
        text_put(sink, FIELD_CATEGORY, a->category, 1);
        foreign_put(sink, a, p);
    }
    for (uint32_t i = 0; i < kind_count; i++) {
        kind_put(sink, &kinds[i]);
        above_put(sink, &kinds[i]);
    }
    facets_put(sink, &sources[0], kinds, kind_count);
    surface_put(sink, &sources[0].shape);
    if (sources[0].caption)
        caption_put(sink, sources[0].caption);
}
