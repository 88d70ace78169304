/* What is meant by what things are called: word for word, by a kind that they
 * share, by a word more. */
#include "proto/ascii.h"
#include "worker/builtin/read/choose_internal.h"

typedef struct call {
    const reader *r;
    const match_query *query;
    const char *noun; /* NULL: none */
} call;

static bool candidate_is_called(const void *context, uint32_t object)
{
    const call *c = context;
    return !reader_match(c->r, object, c->query).by_kind;
}

/* "All the balls": a basketball, too, but no globe. */
static bool candidate_is_kind(const void *context, uint32_t object)
{
    const call *c = context;
    return candidate_is_called(c, object) ||
           kinds_id_distance(&c->r->kinds[object], &c->query->said) <
               KINDS_NEAR;
}

/* "The balls": a basketball, too, and of the books a notebook. Furniture is
 * told apart by such names: an armchair is none of the chairs. */
static bool candidate_is_counted_in(const void *context, uint32_t object)
{
    const call *c = context;
    const builtin_object *o = &c->r->facts->objects[object];
    if (candidate_is_called(c, object))
        return true;
    if (object_is_furniture(c->r, object) || !candidate_is_kind(c, object))
        return false;
    return match_is_compound_of(o, &c->r->kinds[object],
                                c->query->words[c->query->count - 1]);
}

static bool candidate_is_proven(const void *context, uint32_t object)
{
    const call *c = context;
    return !reader_match(c->r, object, c->query).doubtful;
}

/* ---- one ---- */

/* Is each other candidate called like that one and what it is like, too: a
 * "tall cabinet" beside the "cabinet"? "Cabinet 2" is another such. */
static bool others_have_traits(const resolution *t, uint32_t which)
{
    const candidates *c = &t->found;
    const builtin_object *one = object_at(t->r, c->items[which].object);
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *other = object_at(t->r, c->items[i].object);
        if (i != which && !match_name_adds_trait(other, one))
            return false;
    }
    return true;
}

/* "Chair one", where one is named so: it, and not any one of the chairs. */
void keep_whole(resolution *t)
{
    candidates *c = &t->found;
    uint32_t said = 0;
    uint32_t which = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!reader_match(t->r, c->items[i].object, &t->query).whole)
            continue;
        said++;
        which = i;
    }
    const bool tells = strchr(t->query.whole, ' ') ||
                       (said == 1 && others_have_traits(t, which));
    if (said == 1 && tells)
        candidates_only(c, which);
}

/* "The near side table", "the second side table": a name of several words, and
 * but its rank before it. */
static bool words_add_rank(const resolution *t, const builtin_object *o)
{
    uint32_t named = 0;
    for (uint32_t k = 0; k < t->word_count; k++) {
        const char *const word = t->words[k];
        const bool own = object_has_word(o, word);
        if (!own && !match_word_side(word) && !lexicon_ordinal(word))
            return false;
        named += own;
    }
    return named > 1 && named == o->word_count;
}

/* Is all that was said the name of the likeliest, be it in another order: "the
 * left pillow" for PillowLeft? */
static bool likeliest_is_called_so(const resolution *t)
{
    const uint32_t least = candidates_least(&t->found);
    for (uint32_t i = 0; i < t->found.count; i++) {
        const builtin_object *o =
            &t->r->facts->objects[t->found.items[i].object];
        bool called =
            t->found.items[i].cost == least && t->word_count == o->word_count;
        for (uint32_t k = 0; k < t->word_count && called; k++)
            called = object_has_word(o, t->words[k]);
        called =
            called || (t->found.items[i].cost == least && words_add_rank(t, o));
        if (called)
            return true;
    }
    return false;
}

static bool candidates_are_called_by(const resolution *t, const call *c)
{
    return candidates_count(&t->found, candidate_is_called, c) > 0;
}

static bool object_is_called_by_size(const builtin_object *o)
{
    bool superlative;
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (lexicon_size(o->words[i], &superlative) != 0)
            return true;
    }
    return false;
}

/* Merely mixed up with what was said, a trolley with a suitcase, and called
 * after no size? */
static bool candidate_is_mixed_up(const void *context, uint32_t object)
{
    const call *c = context;
    return reader_match(c->r, object, c->query).by_kind &&
           !object_is_called_by_size(object_at(c->r, object)) &&
           kinds_id_distance(&c->r->kinds[object], &c->query->said) >=
               KINDS_NEAR;
}

/* "The left cup" of two called so is none of their kin, and "the big suitcase"
 * no cart, where a suitcase is. */
void keep_likeliest(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    /* "the second largest" of all */
    const bool nth = t->query.ordinal && t->query.superlative;
    const bool alone =
        candidates_near(&t->found) < 2 && !likeliest_is_called_so(t);
    const bool by_rank = nth || (query_is_ranked(&t->query) && alone);
    candidates_within(&t->found, by_rank ? SLACK_RANKED : SLACK_ONE);
    if (by_rank && t->query.size && candidates_are_called_by(t, &c))
        candidates_select(&t->found, candidate_is_mixed_up, &c, false);
}

/* Is it said by neither trait which of the two: "the kettlebell", and not "the
 * light one"? */
static bool trait_is_open(const resolution *t,
                          const builtin_object *a,
                          const builtin_object *b)
{
    const match_query *q = &t->query;
    const bool noun_alone = q->count + 1 == a->word_count && q->colour == 0;
    if (noun_alone && !query_is_ranked(q) && match_names_have_own_traits(a, b))
        return true;
    if (!match_names_differ_in_trait(a, b))
        return false;
    return !query_says(&t->query, a->words[a->word_count - 1]) &&
           !query_says(&t->query, b->words[b->word_count - 1]);
}

/* "The kettlebell" is the light one as well as the heavy one, and "the vase"
 * the tall one as well as the round one. */
void level_traits(resolution *t)
{
    candidates *c = &t->found;
    for (uint32_t i = 1; i < c->count; i++) {
        uint32_t *own = &c->items[i].cost;
        for (uint32_t k = 0; k < i; k++) {
            uint32_t *other = &c->items[k].cost;
            if (!trait_is_open(t, object_at(t->r, c->items[i].object),
                               object_at(t->r, c->items[k].object)))
                continue;
            *own = *own < *other ? *own : *other;
            *other = *own;
        }
    }
}

static bool candidate_is_called_by_size(const void *context, uint32_t object)
{
    const call *c = context;
    const builtin_object *o = object_at(c->r, object);
    bool superlative;
    for (uint32_t i = 0; i < o->word_count && candidate_is_called(c, object);
         i++) {
        if (lexicon_size(o->words[i], &superlative) != 0)
            return true;
    }
    return false;
}

static bool candidate_is_of_compound(const call *c, uint32_t object)
{
    return candidate_is_counted_in(c, object) &&
           match_is_compound_of(&c->r->facts->objects[object],
                                &c->r->kinds[object],
                                c->query->words[c->query->count - 1]);
}

/* "The biggest ball" may be the basketball: where size tells which, all that
 * are balls are asked, unless some are called by their size. */
void level_compounds(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    const uint32_t least = candidates_least(&t->found);
    if (!t->query.size || !t->query.has_noun || t->query.ordinal)
        return;
    if (candidates_count(&t->found, candidate_is_called_by_size, &c) > 0)
        return;
    for (uint32_t i = 0; i < t->found.count; i++) {
        candidate *one = &t->found.items[i];
        if (candidate_is_of_compound(&c, one->object))
            one->cost = least;
    }
}

void keep_numbered(resolution *t)
{
    candidates_by_number(t->r, &t->found, &t->query);
}

static bool candidate_is_called_by_side(const void *context, uint32_t object)
{
    const resolution *t = context;
    const builtin_object *o = &t->r->facts->objects[object];
    unsigned sides = 0;
    for (uint32_t i = 0; i < o->word_count; i++)
        sides |= match_word_side(o->words[i]);
    return (sides & t->query.sides) == t->query.sides;
}

/* "The right-hand bookcase" is the one called so, whatever stands farther to
 * the right. */
void prefer_called_by_side(resolution *t)
{
    if (t->query.sides && !t->query.ordinal)
        candidates_prefer(&t->found, candidate_is_called_by_side, t);
}

void keep_cheapest(resolution *t)
{
    candidates_within(&t->found, SLACK_ONE);
}

/* ---- both ---- */

typedef struct senses { /* in which the word names what is found */
    const call *call;
    uint32_t count;
    kinds_id of[KINDS_SENSES_MAX];
} senses;

/* Called so, or so by kind in one of the senses. */
static bool candidate_is_in_sense(const void *context, uint32_t object)
{
    const senses *const s = context;
    if (candidate_is_called(s->call, object))
        return true;
    for (uint32_t i = 0; i < s->count; i++) {
        if (kinds_id_distance(&s->call->r->kinds[object], &s->of[i]) !=
            KINDS_UNRELATED)
            return true;
    }
    return false;
}

static bool candidates_are_of_sense(const resolution *t, const kinds_id *sense)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        if (reader_match(t->r, object, &t->query).by_kind &&
            kinds_id_distance(&t->r->kinds[object], sense) < KINDS_STEP)
            return true;
    }
    return false;
}

/* "The pedestals" of three plinths are no lectern, which is one in another sense
 * of the word: a phrase has the sense in which there is just that. */
void keep_sense(resolution *t)
{
    const kinds_id *const said = &t->query.said;
    const call c = {.r = t->r, .query = &t->query};
    senses s = {.call = &c};
    if (t->found.count < 2 || said->self_count < 2)
        return;
    for (uint32_t i = 0; i < said->self_count; i++) {
        kinds_find_above(said->self[i].kind, &s.of[s.count]);
        s.count += candidates_are_of_sense(t, &s.of[s.count]);
    }
    if (s.count > 0)
        candidates_select(&t->found, candidate_is_in_sense, &s, true);
}

/* "The boxes", where several are called so: those, and no crates. */
void keep_called(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    uint32_t called = 0;
    if (!t->query.has_noun)
        return;
    for (uint32_t i = 0; i < t->found.count; i++)
        called += candidate_is_called(&c, t->found.items[i].object);
    /* "the three books" of two books and an atlas */
    const bool with_kin =
        called < t->amount.number && t->found.count == t->amount.number;
    if (called > 1 && !with_kin)
        candidates_select(&t->found, candidate_is_counted_in, &c, true);
}

/* "The two suitcases", where one is called so and one a trolley: so many as are
 * said only with what people mix up with them. */
static bool kin_make_up_number(const resolution *t)
{
    const uint32_t most = candidates_least(&t->found) + SLACK_RANKED;
    const uint32_t called = candidates_least(&t->found) + SLACK_MANY;
    uint32_t near = 0, likely = 0;
    for (uint32_t i = 0; i < t->found.count; i++) {
        near += t->found.items[i].cost <= most;
        likely += t->found.items[i].cost <= called;
    }
    const uint32_t number = (t->amount.says & SAYS_BOTH) ? 2 : t->amount.number;
    return number > 1 && likely < number && near == number;
}

/* "The jars": those that are jars, and no vase, which people merely mix up
 * with them. */
void keep_kind(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    if (t->query.has_noun && !kin_make_up_number(t))
        candidates_prefer(&t->found, candidate_is_kind, &c);
}

/* "The second box": of those called so, and not of crates, too. */
void keep_called_counted(resolution *t)
{
    if (t->query.ordinal)
        keep_called(t);
}

/* ---- many ---- */

/* Has its name as many words as were said, numbers left out? */
static bool candidate_is_named_plainly(const void *context, uint32_t object)
{
    const call *c = context;
    const builtin_object *o = &c->r->facts->objects[object];
    uint32_t words = 0;
    for (uint32_t i = 0; i < o->word_count; i++)
        words += !ascii_is_digit(o->words[i][0]);
    return words == c->query->count && candidate_is_called(c, object);
}

/* "The three boxes", beside a white box: box 1, 2 and 3, where just so many are
 * called no more. "The last three chairs": of chair_1 to chair_6, and not of a
 * kids chair, too. */
void keep_plain_series(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    const bool definite =
        (t->amount.says & SAYS_DEFINITE) != 0 && t->query.has_noun;
    if (!definite || !choose_leaves_some(t))
        return;
    const uint32_t plain =
        candidates_count(&t->found, candidate_is_named_plainly, &c);
    const bool first_few = t->query.first_few && plain > t->amount.number;
    if (plain == t->amount.number || first_few)
        candidates_select(&t->found, candidate_is_named_plainly, &c, true);
}

/* Is it called by that noun? */
static bool candidate_has_noun(const void *context, uint32_t object)
{
    const call *c = context;
    const char *noun = builtin_noun(&c->r->facts->objects[object]);
    return noun && strcmp(noun, c->noun) == 0;
}

/* "The three bottles", of a red wine, a white wine, a rose wine and a decanter:
 * the wines, where no others of one name are just so many. */
void keep_namesakes(resolution *t)
{
    const bool definite =
        (t->amount.says & SAYS_DEFINITE) != 0 && t->query.has_noun;
    const char *found = NULL;
    if (!definite || t->amount.number < 2 || !choose_leaves_some(t))
        return;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const char *noun =
            builtin_noun(object_at(t->r, t->found.items[i].object));
        const call c = {.r = t->r, .noun = noun};
        if (!noun || candidates_count(&t->found, candidate_has_noun, &c) !=
                         t->amount.number)
            continue;
        if (found && strcmp(found, noun) != 0)
            return;
        found = noun;
    }
    const call c = {.r = t->r, .noun = found};
    if (found)
        candidates_select(&t->found, candidate_has_noun, &c, true);
}

/* How much worse than the best a thing may answer and be meant, too: little
 * where names say it, more where size or colour is but ranked. */
void keep_all_likely(resolution *t)
{
    const uint32_t kindred = 12; /* what costs less is called so */
    const bool by_name =
        candidates_least(&t->found) < kindred && !t->query.size;
    const bool kin = kin_make_up_number(t);
    candidates_within(&t->found, by_name && !kin ? SLACK_MANY : SLACK_RANKED);
}

/* "The folding chairs": those that are known to fold, where there are such. */
/* Is it called after a stuff that was said? */
static bool candidate_is_named_stuff(const void *context, uint32_t object)
{
    const call *c = context;
    bool named = false;
    for (uint32_t i = 0; i + 1 < c->query->count && !named; i++) {
        const char *const word = c->query->words[i];
        named = lexicon_material(word) &&
                object_has_word(object_at(c->r, object), word);
    }
    return named;
}

void prefer_named_stuff(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    candidates_prefer(&t->found, candidate_is_named_stuff, &c);
}

void prefer_proven(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    candidates_prefer(&t->found, candidate_is_proven, &c);
}

/* "The three books": those called so, not their kin. */
void keep_counted(resolution *t)
{
    bool any = (t->amount.says & SAYS_ANY) != 0;
    if (!any && choose_leaves_some(t) &&
        candidates_near(&t->found) == t->amount.number)
        candidates_within(&t->found, SLACK_ONE);
}

static bool candidate_is_compound(const void *context, uint32_t object)
{
    const call *c = context;
    const char *head = c->query->words[c->query->count - 1];
    const kinds_id *kind = &c->r->kinds[object];
    return kind->head_words > 1 ||
           match_is_compound_of(&c->r->facts->objects[object], kind, head);
}

/* "The three boxes" beside a toolbox: those that are boxes and nothing more,
 * where they are just so many. */
void prefer_plain_kind(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    uint32_t plain = 0;
    if (!choose_leaves_some(t) || !t->query.has_noun)
        return;
    for (uint32_t i = 0; i < t->found.count; i++)
        plain += !candidate_is_compound(&c, t->found.items[i].object);
    if (plain == t->amount.number)
        candidates_select(&t->found, candidate_is_compound, &c, false);
}

bool choose_traits_are_open(const resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    bool open = (t->amount.says & SAYS_DEFINITE) != 0 && t->query.has_noun;
    for (uint32_t i = 0; i < t->found.count && open; i++)
        open = !candidate_is_proven(&c, t->found.items[i].object);
    return open;
}
