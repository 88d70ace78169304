/* Which of the candidates a phrase means. Rules narrow them one after another,
 * each where it applies; what then is still more than the phrase asks for is
 * refused with the candidates, for a guess would arrange the wrong thing. */
#include "proto/ascii.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>

enum {
    BY_NAME = 12
}; /* what costs less is called so */

typedef void choose_rule(resolution *t);

static void rules_apply(resolution *t, choose_rule *const *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rules[i](t);
}

/* ---- rules of both ---- */

static bool candidate_is_seen(const void *context, uint32_t object)
{
    const builtin_facts *facts = context;
    return facts->objects[object].visible;
}

static void prefer_movable(resolution *t)
{
    if (t->scope.movers)
        candidates_prefer(&t->found, candidate_moves, t->r->facts);
}

static bool query_says(const match_query *q, const char *word)
{
    for (uint32_t i = 0; i < q->count; i++) {
        if (strcmp(q->words[i], word) == 0)
            return true;
    }
    return false;
}

/* "The empty tray": what nothing stands on or in, where there is such. */
static void keep_bare(resolution *t)
{
    candidates_prefer(&t->found, candidate_is_bare, t->r->facts);
}

/* The one farthest from all of its kind, among those that are called so. */
static void keep_solitary(resolution *t)
{
    candidates_within(&t->found, SLACK_CALLED);
    candidates_by_solitude(t->r, &t->found, &t->found);
}

/* The one that is not where the others of its kind are. */
static void keep_stray(resolution *t)
{
    candidates_within(&t->found, SLACK_CALLED);
    candidates_by_straying(t->r, &t->found);
}

/* "The empty desk", "the lonely chair": words that tell how a thing stands. */
static void keep_as_it_stands(resolution *t)
{
    static const struct {
        const char *word;
        choose_rule *keep;
    } words[] = {{"empty", keep_bare},        {"bare", keep_bare},
                 {"vacant", keep_bare},       {"free", keep_bare},
                 {"lonely", keep_solitary},   {"lone", keep_solitary},
                 {"solitary", keep_solitary}, {"stray", keep_stray},
                 {"isolated", keep_solitary}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (t->found.count > 1 && query_says(&t->query, words[i].word))
            words[i].keep(t);
    }
}

/* ---- one ---- */

/* "A cup", "any cup", "one cup": whichever. */
static bool any_will_do(const resolution *t, bool unless_only)
{
    if (t->scope.any || (t->amount.says & (SAYS_INDEFINITE | SAYS_ANY)))
        return true;
    unsigned which = SAYS_DEFINITE | (unless_only ? SAYS_ONLY : 0);
    return t->amount.number == 1 && !(t->amount.says & which);
}

static bool candidate_bears(const void *context, uint32_t object)
{
    return object_bears_things(context, object);
}

static bool object_has_word(const builtin_object *o, const char *word)
{
    for (uint32_t i = 0; i < o->word_count; i++) {
        if (builtin_same_word(o->words[i], word))
            return true;
    }
    return false;
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

/* "The left cup" of two called so is none of their kin. */
static void keep_likeliest(resolution *t)
{
    /* "the second largest" of all */
    const bool nth = t->query.ordinal && t->query.superlative;
    const bool alone =
        candidates_near(&t->found) < 2 && !likeliest_is_called_so(t);
    const bool by_rank = nth || (query_is_ranked(&t->query) && alone);
    candidates_within(&t->found, by_rank ? SLACK_RANKED : SLACK_ONE);
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
static void level_traits(resolution *t)
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

static void prefer_bearing(resolution *t)
{
    if (t->scope.flat && !query_is_ranked(&t->query))
        candidates_prefer(&t->found, candidate_bears, t->r);
}

static void keep_numbered(resolution *t)
{
    candidates_by_number(t->r, &t->found, &t->query);
}

/* "The low cabinet on the right": of those on the right; what is lower on the
 * left is not meant. */
static void keep_sized(resolution *t)
{
    const bool nth = t->query.ordinal && t->query.superlative && t->query.size;
    if (nth && t->found.count > 1) {
        candidates_nth_by_size(t->r, &t->found, t->query.size,
                               t->query.ordinal);
        t->query.ordinal = 0;
        return;
    }
    if (t->query.ordinal)
        return;
    if (t->query.size && t->query.sides && t->found.count > 1)
        candidates_by_side(
            t->r, &t->found, &t->query,
            candidates_count_on_side(t->r, &t->found, t->query.sides));
    candidates_by_size(t->r, &t->found, t->query.size, 1);
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
static void prefer_called_by_side(resolution *t)
{
    if (t->query.sides && !t->query.ordinal)
        candidates_prefer(&t->found, candidate_is_called_by_side, t);
}

static void keep_on_side(resolution *t)
{
    candidates_by_side(t->r, &t->found, &t->query, 1);
}

static void keep_cheapest(resolution *t)
{
    candidates_within(&t->found, SLACK_ONE);
}

/* The one that was spoken of. */
static void keep_named(resolution *t)
{
    candidates *c = &t->found;
    uint32_t said = 0;
    uint32_t which = 0;
    if (c->count < 2 || (t->amount.says & (SAYS_OTHER | SAYS_INDEFINITE)))
        return;
    /* "the red tin here, the small there" */
    if (t->query.size && t->word_count == 1)
        return;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!set_has(&t->r->memory.named, c->items[i].object))
            continue;
        said++;
        which = i;
    }
    if (said == 1)
        candidates_only(c, which);
}

/* By or on what a move before in this text goes. */
static bool candidate_is_place(const void *context, uint32_t object)
{
    const reader *r = context;
    bool is = object == r->memory.last_reference;
    for (uint32_t i = r->first_move; i < r->reading->count; i++)
        is = is || r->reading->moves[i].reference == object;
    return is;
}

/* "The cup where the jar by the lamp is, and the jar on the tray": the jar that
 * was just said. */
static void keep_place(resolution *t)
{
    const bool other =
        (t->amount.says & (SAYS_OTHER | SAYS_INDEFINITE | SAYS_ANY)) != 0;
    if (t->found.count < 2 || other || t->r->reading->count == t->r->first_move)
        return;
    candidates_prefer(&t->found, candidate_is_place, t->r);
}

static bool candidate_was_spoken_of(const void *context, uint32_t object)
{
    const reader *r = context;
    const builtin_move *before = move_before(r);
    bool was = before && before->reference == object;
    for (uint32_t i = 0; i < r->reading->count; i++)
        was = was || set_has(&r->reading->moves[i].objects, object);
    return was || object == r->memory.last_reference ||
           set_has(&r->memory.last, object);
}

/* "That chair": of several the one that was spoken of last, be it but as a
 * place, or was moved. */
static void keep_pointed(resolution *t)
{
    if (t->found.count > 1 && (t->amount.says & SAYS_POINTED))
        candidates_prefer(&t->found, candidate_was_spoken_of, t->r);
}

typedef struct ownership {
    const reader *r;
    const builtin_set *of;
} ownership;

static bool candidate_bears_owner(const void *context, uint32_t object)
{
    const ownership *own = context;
    for (uint32_t i = 0; i < own->of->count; i++) {
        if (!builtin_is_above(own->r->facts, own->of->objects[i], object))
            return false;
    }
    return own->of->count > 0;
}

/* Metres from the farthest of its owners. */
static double candidate_way_of_owners(const void *context, uint32_t object)
{
    const ownership *own = context;
    double most = 0;
    for (uint32_t i = 0; i < own->of->count; i++)
        most = math_max(most, object_way(own->r, own->of->objects[i], object));
    return most;
}

/* "Push the chairs under their table": what bears them, else what is clearly
 * nearest to all of what is moved. */
static void keep_its(resolution *t)
{
    const double lead = 0.3; /* metres */
    candidates *c = &t->found;
    const ownership own = {.r = t->r, .of = &t->r->moving};
    if (c->count < 2 || own.of->count == 0 ||
        !node_says(t->thing, "$det", BIT(DET_ITS)))
        return;
    /* "each at its table" */
    const bool each =
        own.of->count > 1 && !reader_word_is(t->r, t->thing->first, "their");
    if (each || t->r->deals)
        return;
    if (candidates_prefer(c, candidate_bears_owner, &own) && c->count == 1)
        return;
    candidates_sort(c, candidate_way_of_owners, &own);
    const double least = candidate_way_of_owners(&own, c->items[0].object);
    if (candidate_way_of_owners(&own, c->items[1].object) > least + lead)
        candidates_only(c, 0);
}

/* "The nearest table" of what is moved: to that, and not to who looks. Where
 * several are moved that are nearest to different ones, none leads. */
static void keep_nearest_to_moved(resolution *t)
{
    const double lead = 0.02; /* metres */
    const builtin_set *moved = &t->r->moving;
    candidates *c = &t->found;
    const bool said =
        query_says(&t->query, "nearest") || query_says(&t->query, "closest");
    if (t->scope.movers || !said)
        return;
    if (moved->count == 0 || c->count < 2)
        return;
    t->query.sides &= ~(unsigned)LEXICON_FRONT;
    t->scope.any = false;
    uint32_t nearest = BUILTIN_NONE;
    for (uint32_t i = 0; i < moved->count; i++) {
        const builtin_set one = set_one(t->r, moved->objects[i]);
        const ownership own = {.r = t->r, .of = &one};
        candidates_select(c, candidate_bears_owner, &own, false);
        candidates_sort(c, candidate_way_of_owners, &own);
        if (c->count == 0 ||
            (nearest != BUILTIN_NONE && c->items[0].object != nearest))
            return;
        const double least = candidate_way_of_owners(&own, c->items[0].object);
        if (c->count > 1 &&
            candidate_way_of_owners(&own, c->items[1].object) < least + lead)
            return;
        nearest = c->items[0].object;
    }
    candidates_only(c, 0);
}

/* Level, across a wall. */
static void wall_axis(const builtin_object *wall, double ret[2])
{
    const bool along = wall->half[1] <= wall->half[0];
    ret[0] = along ? wall->heading[0] : -wall->heading[1];
    ret[1] = along ? wall->heading[1] : wall->heading[0];
}

/* Among the phrase's own words, also where the query goes without it. */
static bool core_says(const resolution *t, const char *word)
{
    const chart_node *core = chart_child(t->thing, "CORE");
    for (uint32_t at = core ? core->first : 0; core && at < core->end; at++) {
        if (reader_word_is(t->r, at, word))
            return true;
    }
    return false;
}

/* "The opposite wall": across the room from the one that the moved thing is at.
 * Where the room is open there, it is none of the others. */
static void keep_opposite_wall(resolution *t)
{
    const double parallel = 0.9; /* cosine */
    const builtin_facts *facts = t->r->facts;
    const builtin_set *moved = &t->r->moving;
    candidates *c = &t->found;
    double own[2];
    bool walls = c->count > 0 && core_says(t, "opposite");
    for (uint32_t i = 0; i < c->count && walls; i++)
        walls = builtin_is_wall(&facts->objects[c->items[i].object]);
    if (!walls || t->scope.movers || moved->count == 0)
        return;
    const ownership by = {.r = t->r, .of = moved};
    candidates_sort(c, candidate_way_of_owners, &by);
    wall_axis(&facts->objects[c->items[0].object], own);
    uint32_t found = 0;
    for (uint32_t i = 1; i < c->count && found == 0; i++) {
        double axis[2];
        wall_axis(&facts->objects[c->items[i].object], axis);
        if (fabs(axis[0] * own[0] + axis[1] * own[1]) > parallel)
            found = i;
    }
    t->scope.any = false;
    if (found > 0)
        candidates_only(c, found);
    else
        c->count = 0;
}

/* Who speaks of "the cup" has the picture before them; what is hidden is meant
 * only where nothing in sight could be. A picture that was made for the goal
 * tells nothing of what they see. */
static void prefer_seen(resolution *t)
{
    if (t->found.count > 1 && !any_will_do(t, false) &&
        facts_are_of_usual(t->r->facts))
        candidates_prefer(&t->found, candidate_is_seen, t->r->facts);
}

static bool candidate_is_wall(const void *context, uint32_t object)
{
    return object_is_wall_like(context, object);
}

/* What hangs on walls does not tell which of them is "the low wall". */
static void keep_laden(resolution *t)
{
    const bool walls = t->word_count > 1 &&
                       candidates_count(&t->found, candidate_is_wall, t->r) > 1;
    if (t->found.count > 1 && t->scope.flat && !walls)
        candidates_by_load(t->r, &t->found, t->scope.laden);
}

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
static void keep_whole(resolution *t)
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

typedef struct call {
    const reader *r;
    const match_query *query;
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

/* "The boxes", where several are called so: those, and no crates. */
static void keep_called(resolution *t)
{
    const bool all = (t->amount.says & (SAYS_ALL | SAYS_EACH)) != 0;
    const call c = {.r = t->r, .query = &t->query};
    uint32_t called = 0;
    if (!t->query.has_noun)
        return;
    for (uint32_t i = 0; i < t->found.count; i++)
        called += candidate_is_called(&c, t->found.items[i].object);
    if (called > 1)
        candidates_select(&t->found,
                          all ? candidate_is_kind : candidate_is_counted_in, &c,
                          true);
}

/* "The jars": those that are jars, and no vase, which people merely mix up
 * with them. */
static void keep_kind(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    if (t->query.has_noun)
        candidates_prefer(&t->found, candidate_is_kind, &c);
}

/* "The second box": of those called so, and not of crates, too. */
static void keep_called_counted(resolution *t)
{
    if (t->query.ordinal)
        keep_called(t);
}

static bool candidate_is_joined(const resolution *t, uint32_t object)
{
    const double joint = 0.3; /* metres between two lengths of it */
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t other = t->found.items[i].object;
        if (other != object && object_way(t->r, object, other) < joint)
            return true;
    }
    return false;
}

/* What people see as one where it stands end to end in lengths. */
static bool candidate_is_length(const resolution *t, uint32_t object)
{
    static const char *const kinds[] = {"railing", "counter"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (object_is_kind(t->r, object, kinds[i]))
            return candidate_is_joined(t, object);
    }
    return false;
}

/* "The fence", which the file has in lengths that stand end to end: the one
 * that is nearest to what goes there. */
static void join_barrier(resolution *t)
{
    const builtin_set *goes = t->scope.barred;
    uint32_t nearest = 0;
    const bool is_known = goes && goes->count > 0;
    if (t->scope.movers || !is_known || t->found.count < 2)
        return;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        if (!candidate_is_length(t, object))
            return;
        const double way = object_way(t->r, object, goes->objects[0]);
        if (way <
            object_way(t->r, t->found.items[nearest].object, goes->objects[0]))
            nearest = i;
    }
    candidates_only(&t->found, nearest);
}

/* The rules narrow the candidates down in their order; what is left must be
 * one, or any will do. Else the refusal names them. */
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
static void level_compounds(resolution *t)
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

etna_code choose_one(resolution *t, builtin_set *ret)
{
    static choose_rule *const rules[] = {level_traits,
                                         level_compounds,
                                         keep_whole,
                                         keep_likeliest,
                                         keep_pointed,
                                         prefer_movable,
                                         keep_called_counted,
                                         keep_as_it_stands,
                                         prefer_bearing,
                                         keep_numbered,
                                         keep_sized,
                                         keep_nearest_to_moved,
                                         keep_opposite_wall,
                                         prefer_called_by_side,
                                         keep_on_side,
                                         keep_cheapest,
                                         keep_its,
                                         keep_named,
                                         keep_place,
                                         prefer_seen,
                                         keep_laden,
                                         join_barrier};
    candidates *c = &t->found;
    rules_apply(t, rules, sizeof rules / sizeof rules[0]);
    if (c->count == 0)
        return refuse_unknown(t->r, t->thing, c);
    if (c->count > 1 && !any_will_do(t, true)) {
        char names[REFER_NAMES_SIZE];
        refuse_names(t->r->facts, c, names);
        etna_code code = reader_refuse(
            t->r, CODE_AMBIGUOUS, t->thing, "\"%s\" may be any of %u: %s",
            reader_said(t->r, t->thing), c->count, names);
        t->r->refusal.instead = c->items[0].object + 1;
        return code;
    }
    t->r->cost += candidates_least(c);
    return candidates_set(t->r, c, 1, ret);
}

/* ---- many ---- */

/* How many are said of more than there are. */
static bool number_leaves_some(const resolution *t)
{
    return t->amount.number > 0 && t->amount.number < t->found.count;
}

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
 * called no more. */
static void keep_plain_series(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    const bool definite =
        (t->amount.says & SAYS_DEFINITE) != 0 && t->query.has_noun;
    if (!definite || !number_leaves_some(t))
        return;
    if (candidates_count(&t->found, candidate_is_named_plainly, &c) ==
        t->amount.number)
        candidates_select(&t->found, candidate_is_named_plainly, &c, true);
}

/* How much worse than the best a thing may answer and be meant, too: little
 * where names say it, more where size or colour is but ranked. */
static void keep_all_likely(resolution *t)
{
    bool by_name = candidates_least(&t->found) < BY_NAME && !t->query.size;
    candidates_within(&t->found, by_name ? SLACK_MANY : SLACK_RANKED);
}

static bool candidate_is_proven(const void *context, uint32_t object)
{
    const call *c = context;
    return !reader_match(c->r, object, c->query).doubtful;
}

/* "The folding chairs": those that are known to fold, where there are such. */
static void prefer_proven(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    candidates_prefer(&t->found, candidate_is_proven, &c);
}

/* "The three books": those called so, not their kin. */
static void keep_counted(resolution *t)
{
    bool any = (t->amount.says & SAYS_ANY) != 0;
    if (!any && number_leaves_some(t) &&
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
static void prefer_plain_kind(resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    uint32_t plain = 0;
    if (!number_leaves_some(t) || !t->query.has_noun)
        return;
    for (uint32_t i = 0; i < t->found.count; i++)
        plain += !candidate_is_compound(&c, t->found.items[i].object);
    if (plain == t->amount.number)
        candidates_select(&t->found, candidate_is_compound, &c, false);
}

/* "The chairs at the back": as many as are said, or those before the widest gap
 * on the way across. */
static void keep_many_on_side(resolution *t)
{
    if (!t->query.sides || t->query.ordinal)
        return;
    uint32_t number =
        t->amount.number
            ? t->amount.number
            : candidates_count_on_side(t->r, &t->found, t->query.sides);
    candidates_by_side(t->r, &t->found, &t->query, number);
}

/* "The small plants": below the widest step in size. */
static void keep_many_sized(resolution *t)
{
    uint32_t number = t->amount.number;
    if (number == 0 && t->found.count < 2)
        return;
    uint32_t wanted = number ? number : 1 + (t->found.count - 1) / 2;
    candidates_by_size(t->r, &t->found, t->query.size, wanted);
}

static bool candidate_is_on_cleared(const void *context, uint32_t object)
{
    const reader *r = context;
    return builtin_is_above(r->facts, object, r->memory.context);
}

/* "Clear the rug: the two books into the case": those that lie on it. */
static void prefer_cleared(resolution *t)
{
    const reader *r = t->r;
    const bool cleared =
        t->scope.movers && r->memory.context < r->facts->object_count;
    const uint32_t number = t->amount.number ? t->amount.number : 1;
    if (!cleared || t->found.count <= number)
        return;
    if (candidates_count(&t->found, candidate_is_on_cleared, r) >= number)
        candidates_select(&t->found, candidate_is_on_cleared, r, true);
}

/* A number that leaves some out leaves out those that nobody sees. */
static void prefer_many_seen(resolution *t)
{
    if (number_leaves_some(t) && facts_are_of_usual(t->r->facts))
        candidates_prefer(&t->found, candidate_is_seen, t->r->facts);
}

/* "Both sneakers", where they are one thing of the file: what is worn in
 * pairs. */
static bool candidate_is_pair(const resolution *t)
{
    static const char *const worn[] = {"footwear", "handwear", "earring"};
    if (!(t->amount.says & SAYS_BOTH) || t->found.count != 1)
        return false;
    const uint32_t object = t->found.items[0].object;
    const char *noun = builtin_noun(object_at(t->r, object));
    bool is_worn = false;
    for (size_t i = 0; i < sizeof worn / sizeof worn[0]; i++)
        is_worn = is_worn || object_is_kind(t->r, object, worn[i]);
    return is_worn && noun && match_is_plural_word(noun);
}

/* "The three soft toys" of eight, of which nobody knows which are soft. */
static bool traits_are_open(const resolution *t)
{
    const call c = {.r = t->r, .query = &t->query};
    bool open = (t->amount.says & SAYS_DEFINITE) != 0 && t->query.has_noun;
    for (uint32_t i = 0; i < t->found.count && open; i++)
        open = !candidate_is_proven(&c, t->found.items[i].object);
    return open;
}

/* "Table 3 and its chairs": those that stand by it, and nearer to it than to any
 * other table. */
static bool candidate_is_its(const void *context, uint32_t object)
{
    const double close = 1.2; /* metres */
    const ownership *own = context;
    const reader *r = own->r;
    const uint32_t owner = own->of->objects[0];
    const double way = object_way(r, object, owner);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const bool rival =
            i != owner && i != object &&
            kinds_id_distance(&r->kinds[i], &r->kinds[owner]) == 0;
        if (rival && object_way(r, object, i) < way)
            return false;
    }
    return way < close;
}

/* "Clear table 2 and move its chairs": the piece of furniture that the text
 * spoke of last, be it moved or cleared or a place. BUILTIN_NONE: none was. */
static uint32_t memory_furniture(const reader *r)
{
    const builtin_set *last = &r->memory.last;
    const uint32_t told[] = {last->count == 1 ? last->objects[0] : BUILTIN_NONE,
                             r->memory.last_reference, r->memory.context};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (told[i] < r->facts->object_count && object_is_furniture(r, told[i]))
            return told[i];
    }
    return BUILTIN_NONE;
}

/* "Table 2 and its chairs": of the table that was named with them, or before
 * them. */
static void keep_many_its(resolution *t)
{
    const bool its = node_says(t->thing, "$det", BIT(DET_ITS));
    builtin_set owner = t->r->memory.conjunct;
    const ownership own = {.r = t->r, .of = &owner};
    if (!its || !t->scope.movers)
        return;
    if (owner.count == 1) {
        candidates_select(&t->found, candidate_is_its, &own, true);
        return;
    }
    const uint32_t told = memory_furniture(t->r);
    if (told == BUILTIN_NONE)
        return;
    owner = set_one(t->r, told);
    candidates_prefer(&t->found, candidate_is_its, &own);
}

/* "The other jars", where but one thing could be called so, and that in the
 * singular: whoever says it sees others. */
static bool others_are_lacking(const resolution *t)
{
    const bool others =
        (t->amount.says & SAYS_OTHER) && t->plural && t->amount.number == 0;
    if (!others || t->found.count != 1 || !t->query.has_noun)
        return false;
    const char *noun = builtin_noun(object_at(t->r, t->found.items[0].object));
    return noun && !match_is_plural_word(noun);
}

/* "Scissors" is a singular, too. */
static bool word_is_plural_alone(const char *word)
{
    kinds_noun forms[KINDS_READINGS_MAX];
    const size_t count = kinds_noun_readings(word, forms);
    for (size_t i = 0; i < count; i++) {
        if (!forms[i].is_plural)
            return false;
    }
    return count > 0;
}

/* "The jars" where but a flower vase could be called so: who says it sees
 * several, and other things. */
static bool several_are_lacking(const resolution *t)
{
    const match_query *q = &t->query;
    if (!t->plural || t->amount.number > 0 || t->found.count != 1)
        return false;
    if (!q->has_noun || !word_is_plural_alone(q->words[q->count - 1]))
        return false;
    const uint32_t object = t->found.items[0].object;
    const char *noun = builtin_noun(object_at(t->r, object));
    if (!noun || match_is_plural_word(noun))
        return false;
    return reader_match(t->r, object, q).by_kind &&
           kinds_id_distance(&t->r->kinds[object], &q->said) >= KINDS_STEP;
}

static etna_code refuse_several(const resolution *t)
{
    char names[REFER_NAMES_SIZE];
    refuse_names(t->r->facts, &t->found, names);
    return reader_refuse(
        t->r, CODE_UNKNOWN, t->thing,
        "\"%s\" asks for several, but the only one that may be called so is %s",
        reader_said(t->r, t->thing), names);
}

/* Are all of them meant: "the chairs", "all", and not "any"? */
static bool many_are_all(const resolution *t)
{
    const unsigned says = t->amount.says;
    const bool these = (says & SAYS_DEFINITE) && t->scope.movers &&
                       !(says & (SAYS_OTHER | SAYS_REST)) &&
                       !node_says(t->thing, "$quant", BIT(DET_COUPLE));
    /* "the other three" of four of which none was spoken of */
    const bool others = (says & SAYS_DEFINITE) && t->amount.number > 0 &&
                        (says & (SAYS_OTHER | SAYS_REST));
    const bool whole = these || others || (says & (SAYS_ALL | SAYS_BOTH));
    return whole && !(says & SAYS_ANY);
}

/* Refuses more than there are, and fewer where nothing says which. */
static etna_code many_check_count(const resolution *t)
{
    const candidates *c = &t->found;
    const uint32_t number = t->amount.number;
    if (others_are_lacking(t) || several_are_lacking(t))
        return refuse_several(t);
    if (number > c->count)
        return refuse_count(t->r, CODE_UNKNOWN, t->thing, number, c->count, c);
    const bool leaves_some = number_leaves_some(t);
    if (leaves_some && (many_are_all(t) || traits_are_open(t)))
        return refuse_count(t->r, CODE_AMBIGUOUS, t->thing, number, c->count,
                            c);
    if (!t->query.superlative || !t->query.size)
        return ETNA_OK;
    if (candidates_are_alike_in_size(t->r, c, t->query.size))
        return reader_refuse_said(t->r, CODE_AMBIGUOUS, t->thing,
                                  "they are all of one size");
    return leaves_some ? refuse_count(t->r, CODE_AMBIGUOUS, t->thing, number,
                                      c->count, c)
                       : ETNA_OK;
}

/* For plurals and counts. A number that leaves some out is refused unless any
 * will do. */
etna_code choose_many(resolution *t, builtin_set *ret)
{
    static choose_rule *const rules[] = {
        keep_all_likely,   keep_called,       keep_kind,
        prefer_proven,     prefer_movable,    keep_many_its,
        keep_as_it_stands, keep_counted,      prefer_cleared,
        keep_plain_series, prefer_plain_kind, keep_many_on_side,
        keep_many_sized,   prefer_many_seen};
    candidates *c = &t->found;
    const quantity *amount = &t->amount;
    rules_apply(t, rules, sizeof rules / sizeof rules[0]);
    if (candidate_is_pair(t))
        return choose_one(t, ret);
    etna_code code = many_check_count(t);
    if (code != ETNA_OK)
        return code;
    t->r->cost += candidates_least(c);
    uint32_t need = amount->says & SAYS_ANY ? 1 : c->count;
    return candidates_set(t->r, c, amount->number ? amount->number : need, ret);
}
