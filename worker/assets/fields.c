/* Terms and kinds of an asset. Names vote for kinds in every language: the
 * English one first, then the maker's id, then what the foreign ones mean. */
#include "worker/assets/fields.h"
#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/assets/memo.h"
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

/* bytes of what is kept by language, name and tags */
enum {
    KEY_SIZE = 1024
};

/* `terms` and `votes` hold what the tables' spans are of, and behind `kept_...`
 * what is in hand and not kept. */
struct fields {
    const pivot *pivot;
    strings names; /* of the terms */
    memo_term *terms;
    memo_vote *votes;
    uint32_t term_count, term_room, terms_kept;
    uint32_t vote_count, vote_room, votes_kept;
    memo_table texts, wholes, foreign, voted, led;
    memo_span kinds[MEMO_KINDS];   /* count 0: not worked out yet */
    uint32_t marks[2][MEMO_KINDS]; /* number of '#' and '^' of a kind, and 1 */
    memo_ids ids;
    bool failed;
    const field_sink *sink;
};

fields *fields_new(const pivot *p)
{
    fields *f = calloc(1, sizeof *f);
    if (f)
        f->pivot = p;
    return f;
}

void fields_free(fields *f)
{
    if (!f)
        return;
    strings_free(&f->names);
    free(f->terms);
    free(f->votes);
    memo_table_free(&f->texts);
    memo_table_free(&f->wholes);
    memo_table_free(&f->foreign);
    memo_table_free(&f->voted);
    memo_table_free(&f->led);
    memo_ids_free(&f->ids);
    free(f);
}

bool fields_failed(const fields *f)
{
    return f->failed;
}

strings *fields_names(fields *f)
{
    return &f->names;
}

const kinds_id *fields_above(fields *f, uint16_t kind)
{
    return memo_above(&f->ids, kind, &f->failed);
}

uint32_t fields_mark(fields *f, char mark, uint16_t kind)
{
    uint32_t *known = &f->marks[mark == '^'][kind];
    char term[16];
    if (*known)
        return *known - 1;
    snprintf(term, sizeof term, "%c%u", mark, kind);
    uint32_t number = strings_add(&f->names, term);
    if (number == STRINGS_NONE)
        f->failed = true;
    else
        *known = number + 1;
    return number;
}

/* ---- kinds ---- */

typedef struct vote {
    uint16_t kind;
    double weight;
} vote;

typedef struct votes {
    vote list[VOTES_MAX];
    uint32_t count;
    fields *fields;
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
static void votes_id(votes *v, const kinds_id *id, double weight)
{
    double sense = 1;
    for (uint32_t i = 0; i < id->self_count; i++, sense *= 0.7)
        vote_add(v, id->self[i].kind, weight * sense);
    if (id->self_count)
        return;
    for (uint32_t i = 0; i < id->above_count;
         i++) { /* "piano bench" is told as what is below a bench */
        unsigned rare = id->above[i].cost - KINDS_STEP;
        bool is_head = id->above[i].cost >= KINDS_STEP && rare < KINDS_STEP &&
                       !kinds_is_group(id->above[i].kind);
        static const double by_rareness[KINDS_STEP] = {1, 0.7, 0.5, 0.35};
        if (is_head)
            vote_add(v, id->above[i].kind, 0.9 * weight * by_rareness[rare]);
    }
}

/* As kinds_find has it; NULL: nothing. Until the next call. */
static const kinds_id *phrase_id(fields *f, const char *phrase)
{
    return memo_id(&f->ids, phrase, false, &f->failed);
}

static void votes_phrase(votes *v, const char *phrase, double weight)
{
    const kinds_id *id = phrase_id(v->fields, phrase);
    if (id)
        votes_id(v, id, weight);
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
        const kinds_id *id = phrase_id(v->fields, word);
        bool is_thing = id && id->self_count;
        if (is_thing && votes_of(v, id->self[0].kind) <= 0)
            vote_add(v, id->self[0].kind, weight);
    }
}

/* Shares below 0.15 are coincidences of a small library. */
static void vote_keep(void *context, const char *name, double share)
{
    fields *f = context;
    const kinds_id *id =
        share >= 0.15 ? memo_id(&f->ids, name, true, &f->failed) : NULL;
    if (!id)
        return;
    if (f->vote_count == f->vote_room) {
        uint32_t room = f->vote_room ? 2 * f->vote_room : 1024;
        memo_vote *grown = realloc(f->votes, room * sizeof *grown);
        if (!grown) {
            f->failed = true;
            return;
        }
        f->votes = grown;
        f->vote_room = room;
    }
    f->votes[f->vote_count++] = (memo_vote){id, share};
}

/* "little_lamp2" as "little lamp": without what stands before the last '#', and
 * without digits. */
static void id_phrase(const char *id, char to[PHRASE_SIZE])
{
    char word[TEXT_WORD_SIZE];
    const char *tail = strrchr(id, '#');
    const char *at = tail ? tail + 1 : id;
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

/* The English names of models that bear the name, or, where it begins with what
 * the thing is, what that word means. */
static void words_vote(fields *f, const asset_words *w, bool led)
{
    char word[TEXT_WORD_SIZE];
    const char *at = w->name;
    if (!led)
        pivot_of_name(f->pivot, w->language, w->name, vote_keep, f);
    else if (text_next(&at, word))
        pivot_of_word(f->pivot, w->language, word, vote_keep, f);
}

/* What is kept of words; "" where they are too long. */
static void words_key(const asset_words *w, bool tags, char to[KEY_SIZE])
{
    int n = snprintf(to, KEY_SIZE, "%s\n%s\n%s", w->language, w->name,
                     tags ? w->tags : "");
    if (n < 0 || n >= KEY_SIZE)
        to[0] = 0;
}

static memo_span words_votes(fields *f, const asset_words *w, bool led)
{
    char key[KEY_SIZE];
    memo_table *t = led ? &f->led : &f->voted;
    words_key(w, false, key);
    const memo_span *known = memo_find(t, key);
    if (known && key[0])
        return *known;
    bool is_kept = false;
    memo_span span = {.first = f->vote_count = f->votes_kept};
    words_vote(f, w, led);
    span.count = f->vote_count - span.first;
    if (key[0] && !memo_add(t, key, span, &is_kept))
        f->failed = true;
    if (is_kept)
        f->votes_kept = f->vote_count;
    return span;
}

static void votes_words(votes *v, const asset_words *w, bool led, double times)
{
    const fields *f = v->fields;
    memo_span span = words_votes(v->fields, w, led);
    for (uint32_t i = span.first; i < span.first + span.count; i++)
        votes_id(v, f->votes[i].id, f->votes[i].share * times);
}

/* The weights say how much each source can be trusted: its English name wholly,
 * the maker's id nearly, tags half. All other languages together count a little
 * more than the name, each an equal part. */
static void votes_source(votes *v, const asset *a)
{
    const bool has_pivot = v->fields->pivot != NULL;
    const double times = a->word_count ? 1.2 / a->word_count : 0;
    char phrase[PHRASE_SIZE];
    votes_phrase(v, a->name, 1);
    votes_within(v, a->name, WITHIN);
    id_phrase(a->id, phrase);
    votes_phrase(v, phrase, 0.8);
    votes_tags(v, a->tags, 0.5);
    for (uint32_t i = 0; has_pivot && i < a->word_count; i++)
        votes_words(v, &a->words[i], false, times);
    for (uint32_t i = 0; has_pivot && i < a->word_count; i++) {
        if (language_heads_first(a->words[i].language))
            votes_words(v, &a->words[i], true, times);
    }
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
        if (!is_as_wide)
            continue;
        bool are_known = kinds_find(measures[i].kind, &plain) &&
                         kinds_find(measures[i].is, &finer);
        if (!are_known || !finer.self_count)
            continue;
        double weight = votes_of(v, plain.self[0].kind);
        if (weight >= sure)
            vote_add(v, finer.self[0].kind, weight);
    }
}

/* Weights relative to the best, so the first is 255; a best vote below 1 keeps
 * its doubt. */
uint32_t fields_kinds(fields *f,
                      const asset *sources,
                      uint32_t count,
                      asset_kind ret[KINDS_OF_ASSET_MAX])
{
    votes v = {.fields = f};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        votes_source(&v, &sources[i]);
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

/* One more term of what is worked out. */
static void term_keep(fields *f, field to, const char *term, double weight)
{
    uint32_t number = strings_add(&f->names, term);
    if (f->term_count == f->term_room) {
        uint32_t room = f->term_room ? 2 * f->term_room : 4096;
        memo_term *grown = realloc(f->terms, room * sizeof *grown);
        if (!grown) {
            f->failed = true;
            return;
        }
        f->terms = grown;
        f->term_room = room;
    }
    if (number == STRINGS_NONE)
        f->failed = true;
    else
        f->terms[f->term_count++] = (memo_term){number, to, weight};
}

/* The words of an English text. */
static void text_keep(fields *f, field to, const char *text, double weight)
{
    char word[TEXT_WORD_SIZE];
    while (text_next_part(&text, word)) {
        bool is_number = ascii_is_digit(word[0]);
        if (is_number || text_is_stop(word) || strlen(word) < 2)
            continue;
        text_stem(word);
        term_keep(f, to, word, weight);
    }
}

/* "en=oak table" for a request that is the whole name, and "@en" for how many
 * names the language has. */
static void whole_keep(fields *f, const char *language, const char *name)
{
    char term[FIELD_TERM_SIZE];
    text_whole(language, name, term, sizeof term);
    if (term[strcspn(term, "=") + 1])
        term_keep(f, FIELD_WHOLE, term, 1);
    snprintf(term, sizeof term, "@%s", language);
    term_keep(f, FIELD_WHOLE, term, 1);
}

static void other_keep(void *context, const char *word, double share)
{
    term_keep(context, FIELD_OTHER, word, share);
}

/* Each word under its language ("fr:chaise"), and what it means in English as
 * the library itself shows. */
static void words_keep(fields *f, const asset_words *w)
{
    char word[TEXT_WORD_SIZE], term[FIELD_TERM_SIZE];
    const char *texts[] = {w->name, w->tags};
    whole_keep(f, w->language, w->name);
    for (int k = 0; k < 2; k++) {
        for (const char *at = texts[k]; text_next(&at, word);) {
            snprintf(term, sizeof term, "%s:%s", w->language, word);
            term_keep(f, FIELD_FOREIGN, term, k ? 0.6 : 1);
            if (f->pivot)
                pivot_of_word(f->pivot, w->language, word, other_keep, f);
        }
    }
}

/* What is worked out from here on. */
static memo_span terms_begin(fields *f)
{
    f->term_count = f->terms_kept;
    return (memo_span){.first = f->term_count};
}

/* Keeps what came since terms_begin, where there is a key and room. */
static void terms_end(fields *f,
                      memo_table *t,
                      const char *key,
                      memo_span *span)
{
    bool is_kept = false;
    span->count = f->term_count - span->first;
    if (key[0] && !memo_add(t, key, *span, &is_kept))
        f->failed = true;
    if (is_kept)
        f->terms_kept = f->term_count;
}

static void term_put(fields *f, field to, const memo_term *t, double weight)
{
    f->sink->term(f->sink->context, to, t->number, weight);
}

static void text_put(fields *f, field to, const char *text, double weight)
{
    const memo_span *known = memo_find(&f->texts, text);
    memo_span span = known ? *known : terms_begin(f);
    if (!known) {
        text_keep(f, FIELD_NAME, text, 1);
        terms_end(f, &f->texts, text, &span);
    }
    for (uint32_t i = span.first; i < span.first + span.count; i++)
        term_put(f, to, &f->terms[i], weight);
}

/* A word as it is. */
static void word_put(fields *f, field to, const char *word, double weight)
{
    uint32_t number = strings_add(&f->names, word);
    if (number == STRINGS_NONE)
        f->failed = true;
    else
        f->sink->term(f->sink->context, to, number, weight);
}

static void whole_put(fields *f, const char *name)
{
    const memo_span *known = memo_find(&f->wholes, name);
    memo_span span = known ? *known : terms_begin(f);
    if (!known) {
        whole_keep(f, "en", name);
        terms_end(f, &f->wholes, name, &span);
    }
    for (uint32_t i = span.first; i < span.first + span.count; i++)
        term_put(f, FIELD_WHOLE, &f->terms[i], 1);
}

/* What the other languages' words mean counts by how few of them there are. */
static void foreign_put(fields *f, const asset *a)
{
    char key[KEY_SIZE];
    const double others = a->word_count ? 2.0 / a->word_count : 0;
    for (uint32_t i = 0; i < a->word_count; i++) {
        words_key(&a->words[i], true, key);
        const memo_span *known = key[0] ? memo_find(&f->foreign, key) : NULL;
        memo_span span = known ? *known : terms_begin(f);
        if (!known) {
            words_keep(f, &a->words[i]);
            terms_end(f, &f->foreign, key, &span);
        }
        for (uint32_t k = span.first; k < span.first + span.count; k++) {
            const memo_term *t = &f->terms[k];
            term_put(f, (field)t->field, t,
                     t->field == FIELD_OTHER ? t->weight * others : t->weight);
        }
    }
}

/* The synonyms of the kind (six at most), its definition and its verbs: "to sit
 * on" finds a chair. */
static void kind_keep(fields *f, uint16_t kind)
{
    char name[KINDS_PHRASE_SIZE];
    told_kind t = told_of_kind(kind);
    const char *at = t.words;
    for (int n = 0; *at && n < 6; n++) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        text_keep(f, FIELD_SAME, name, 1);
        at += length + (at[length] != 0);
    }
    text_keep(f, FIELD_GLOSS, t.gloss, 1);
    text_keep(f, FIELD_GLOSS, t.verbs, 1);
}

/* What stands above a kind: two words of each of the nearest three levels. */
static void above_keep(fields *f, uint16_t kind)
{
    enum {
        LEVELS = 3
    };
    char name[KINDS_PHRASE_SIZE];
    const kinds_id *id = fields_above(f, kind);
    for (uint32_t i = 0;
         id && i < id->above_count && id->above[i].cost <= LEVELS * KINDS_STEP;
         i++) {
        told_kind up = told_of_kind(id->above[i].kind);
        size_t first = strcspn(up.words, ",");
        size_t second =
            up.words[first] ? strcspn(up.words + first + 1, ",") : 0;
        snprintf(name, sizeof name, "%.*s",
                 (int)(first + (second ? second + 1 : 0)), up.words);
        text_keep(f, FIELD_ABOVE, name, 1);
        if (id->above[i].cost <= KINDS_STEP)
            text_keep(f, FIELD_GLOSS, up.gloss, 0.4);
    }
}

/* There are fewer kinds than texts: all are kept. */
static void kind_put(fields *f, const asset_kind *kind)
{
    memo_span *span = &f->kinds[kind->kind];
    if (!span->count) {
        *span = terms_begin(f);
        kind_keep(f, kind->kind);
        above_keep(f, kind->kind);
        span->count = f->term_count - span->first;
        f->terms_kept = f->term_count;
    }
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        const memo_term *t = &f->terms[i];
        term_put(f, (field)t->field, t, t->weight * kind->weight / 255.0);
    }
}

/* Only kinds that are at least half sure count. */
static bool kinds_have(fields *f,
                       const asset_kind *kinds,
                       uint32_t count,
                       const char *of)
{
    const kinds_id *said = memo_id(&f->ids, of, true, &f->failed);
    for (uint32_t i = 0; said && i < count && kinds[i].weight >= 128; i++) {
        const kinds_id *named = fields_above(f, kinds[i].kind);
        if (named && kinds_id_distance(named, said) < KINDS_NEAR)
            return true;
    }
    return false;
}

static void lamp_put(fields *f, const asset *a)
{
    double height = a->shape.size[1];
    if (a->elevation + height > 2 && a->elevation > 0.5)
        text_put(f, FIELD_FACET, "hanging ceiling pendant", 1);
    else if (a->elevation > 0.3)
        text_put(f, FIELD_FACET, "wall sconce", 1);
    else if (height >= 1.1 && height <= 2.1)
        text_put(f, FIELD_FACET, "floor standing", 1);
    else if (height < 0.8)
        text_put(f, FIELD_FACET, "table desk bedside", 1);
}

static void table_facets_put(fields *f, const asset *a)
{
    double height = a->shape.size[1];
    if (height < 0.55 && height > 0.2)
        text_put(f, FIELD_FACET, "coffee low", 1);
    if (height > 0.95)
        text_put(f, FIELD_FACET, "bar high", 1);
    if (height >= 0.65 && height <= 0.85 && a->shape.size[0] > 1.1)
        text_put(f, FIELD_FACET, "dining", 1);
}

static void hanging_put(fields *f, const asset *a)
{
    bool is_at_ceiling = a->elevation + a->shape.size[1] > 2.2;
    text_put(f, FIELD_FACET,
             is_at_ceiling ? "ceiling hanging" : "wall mounted hanging", 0.7);
}

/* What a name does not say and the measures do: a lamp 1.6 m high is a floor
 * lamp, a bed 1.6 m wide a double one. */
static void facets_put(fields *f,
                       const asset *a,
                       const asset_kind *kinds,
                       uint32_t count)
{
    bool is_lamp = kinds_have(f, kinds, count, "lamp") ||
                   kinds_have(f, kinds, count, "light");
    bool is_wide_bed =
        kinds_have(f, kinds, count, "bed") && a->shape.size[0] > 1.3;
    bool hangs = a->elevation > 0.3 && !is_lamp;
    if (a->shape.round)
        text_put(f, FIELD_FACET, "round circular", 1);
    if (a->shape.oval)
        text_put(f, FIELD_FACET, "oval", 1);
    if (a->opening)
        text_put(f, FIELD_FACET, "opening", 1);
    if (a->light)
        text_put(f, FIELD_FACET, "light lamp", 0.5);
    if (is_lamp)
        lamp_put(f, a);
    if (kinds_have(f, kinds, count, "table"))
        table_facets_put(f, a);
    if (is_wide_bed)
        text_put(f, FIELD_FACET, "double", 1);
    if (hangs)
        hanging_put(f, a);
}

/* Materials by words of their names in several languages, colours by area. 18 %
 * of the surface is a colour that people would name, 40 % the thing's own. */
static void surface_put(fields *f, const asset_shape *s)
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
            text_put(f, FIELD_SURFACE, materials[i].is, 1);
    }
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (s->colour[i] >= 18)
            word_put(f, FIELD_SURFACE, asset_colour_names[i],
                     s->colour[i] >= 40 ? 1 : 0.6);
    }
    if (s->clear >= 30)
        text_put(f, FIELD_SURFACE, "glass", 1);
    if (s->metal >= 40)
        text_put(f, FIELD_SURFACE, "metal", 1);
}

/* As definitions are: what is said of a thing, not what it is called. */
static void caption_put(fields *f, const asset_caption *c)
{
    text_put(f, FIELD_GLOSS, c->name, 1);
    for (int i = 0; i < CAPTION_PARTS; i++)
        text_put(f, FIELD_GLOSS, c->parts[i], 1);
}

void fields_emit(fields *f,
                 const asset *sources,
                 uint32_t count,
                 const asset_kind *kinds,
                 uint32_t kind_count,
                 const field_sink *sink)
{
    char phrase[PHRASE_SIZE];
    f->sink = sink;
    for (uint32_t i = 0; i < count; i++) {
        const asset *a = &sources[i];
        text_put(f, FIELD_NAME, a->name, 1);
        whole_put(f, a->name);
        id_phrase(a->id, phrase);
        text_put(f, FIELD_ID, phrase, 1);
        text_put(f, FIELD_TAGS, a->tags, 1);
        text_put(f, FIELD_CATEGORY, a->category, 1);
        foreign_put(f, a);
    }
    for (uint32_t i = 0; i < kind_count; i++)
        kind_put(f, &kinds[i]);
    facets_put(f, &sources[0], kinds, kind_count);
    surface_put(f, &sources[0].shape);
    if (sources[0].caption)
        caption_put(f, sources[0].caption);
}
