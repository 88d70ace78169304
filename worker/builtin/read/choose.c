/* Which of the candidates a phrase means. Rules narrow them one after another,
 * each where it applies; what then is still more than the phrase asks for is
 * refused with the candidates, for a guess would arrange the wrong thing. */
#include "worker/builtin/read/choose_internal.h"
#include "worker/builtin/read/clause.h"

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

bool query_says(const match_query *q, const char *word)
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

/* Has it another of the candidates right beside it, under or over it? */
static bool candidate_has_company(const resolution *t, uint32_t object)
{
    const double close = 0.05; /* metres */
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t other = t->found.items[i].object;
        if (other != object && object_way(t->r, other, object) < close)
            return true;
    }
    return false;
}

static bool candidate_is_alone(const void *context, uint32_t object)
{
    return !candidate_has_company(context, object);
}

/* "The loose tyre", "the single roll": the only one that lies by itself, where
 * others are together; or those that do, of which something else tells one. */
static void keep_single(resolution *t)
{
    bool said = false;
    for (uint32_t i = 0; i < t->query.count; i++)
        said = said || lexicon_lists("choose: single", t->query.words[i]);
    if (!said || t->found.count < 3)
        return;
    resolution all = *t;
    if (candidates_copy(t->r, &t->found, &all.found) == ETNA_OK)
        candidates_prefer(&t->found, candidate_is_alone, &all);
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
    keep_single(t);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (t->found.count > 1 && query_says(&t->query, words[i].word))
            words[i].keep(t);
    }
}

/* ---- one ---- */

/* "A cup", "any cup", "only one cup": whichever. */
static bool any_will_do(const resolution *t)
{
    if (t->scope.any || (t->amount.says & (SAYS_INDEFINITE | SAYS_ANY)))
        return true;
    return t->amount.number == 1 && !(t->amount.says & SAYS_DEFINITE);
}

static bool candidate_bears(const void *context, uint32_t object)
{
    return object_bears_things(context, object);
}

static void prefer_bearing(resolution *t)
{
    if (t->scope.flat && !query_is_ranked(&t->query))
        candidates_prefer(&t->found, candidate_bears, t->r);
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

/* "The medium box": as many are smaller as are larger. */
static void keep_mid_sized(resolution *t)
{
    const uint32_t count = t->found.count;
    if (!t->query.mid_size || count < 3 || count % 2 == 0)
        return;
    candidates_nth_by_size(t->r, &t->found, 1, (count + 1) / 2);
}

static void keep_on_side(resolution *t)
{
    candidates_by_side(t->r, &t->found, &t->query, 1);
}

/* Who speaks of "the cup" has the picture before them; what is hidden is meant
 * only where nothing in sight could be. A picture that was made for the goal
 * tells nothing of what they see. */
static void prefer_seen(resolution *t)
{
    if (t->found.count > 1 && !any_will_do(t) &&
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
    /* which of two is the other one tells where it is now, and no load */
    const bool other = (t->amount.says & SAYS_OTHER) != 0;
    if (t->found.count > 1 && t->scope.flat && !walls && !other)
        candidates_by_load(t->r, &t->found, t->scope.laden);
}

/* Is one of them called by the phrase's word and no more? That is meant, though
 * something else was named before. */
static bool candidates_have_whole(const resolution *t)
{
    bool whole = t->word_count != 1;
    for (uint32_t i = 0; i < t->found.count && !whole; i++)
        whole = object_at(t->r, t->found.items[i].object)->word_count == 1;
    return whole;
}

/* The rules narrow the candidates down in their order; what is left must be
 * one, or any will do. Else the refusal names them. */
etna_code choose_one(resolution *t, builtin_set *ret)
{
    static choose_rule *const rules[] = {prefer_named_stuff,
                                         level_traits,
                                         level_compounds,
                                         keep_whole,
                                         keep_sense,
                                         prefer_carried,
                                         keep_likeliest,
                                         keep_pointed,
                                         prefer_movable,
                                         keep_called_counted,
                                         keep_as_it_stands,
                                         prefer_bearing,
                                         keep_numbered,
                                         prefer_wholes,
                                         keep_sized,
                                         keep_mid_sized,
                                         keep_nearest_to_moved,
                                         keep_opposite_wall,
                                         prefer_called_by_side,
                                         keep_on_side,
                                         keep_cheapest,
                                         keep_its,
                                         keep_same,
                                         keep_named,
                                         prefer_cleared,
                                         keep_place,
                                         prefer_seen,
                                         keep_laden,
                                         keep_joined};
    candidates *c = &t->found;
    candidates all;
    etna_code code = candidates_make(t->r, &all);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < c->count; i++)
        candidates_add(&all, c->items[i].object, c->items[i].cost);
    if (c->count > 1 && !candidates_have_whole(t))
        (void)recall_mentioned(t, &all);
    rules_apply(t, rules, COUNT_OF(rules));
    if (c->count == 0)
        return refuse_unknown(t->r, t->thing, c);
    const bool open = c->count > 1 && !any_will_do(t);
    if (open && !recall_mentioned(t, &all) && !recall_borne(t) &&
        !recall_neighbour(t)) {
        char names[REFER_NAMES_SIZE];
        refuse_names(t->r->facts, c, names);
        code = reader_refuse(t->r, CODE_AMBIGUOUS, t->thing,
                             "\"%s\" may be any of %u: %s",
                             reader_said(t->r, t->thing), c->count, names);
        t->r->refusal.instead = c->items[0].object + 1;
        return code;
    }
    t->r->cost += candidates_least(c);
    return candidates_set(t->r, c, 1, ret);
}

/* ---- many ---- */

/* Neither white nor grey nor black. */
static bool candidate_has_hue(const void *context, uint32_t object)
{
    const reader *const r = context;
    const uint32_t none = BIT(COLOUR_NONE) | BIT(COLOUR_BLACK) |
                          BIT(COLOUR_WHITE) | BIT(COLOUR_GREY);
    const builtin_object *const o = object_at(r, object);
    return o->has_colour && !bit_is_in(builtin_colour_of(o->lab), none);
}

/* "Both coloured cushions", beside a white one. */
static void keep_coloured(resolution *t)
{
    bool coloured = false;
    for (uint32_t i = 0; i < t->query.count; i++)
        coloured =
            coloured || lexicon_lists("choose: coloured", t->query.words[i]);
    if (coloured)
        candidates_prefer(&t->found, candidate_has_hue, t->r);
}

bool choose_leaves_some(const resolution *t)
{
    return t->amount.number > 0 && t->amount.number < t->found.count;
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
    /* "the outer ones": one at either end */
    if (!t->amount.number && (t->query.sides & LEXICON_OUTER))
        number = 2;
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

/* A number that leaves some out leaves out those that nobody sees. */
static void prefer_many_seen(resolution *t)
{
    if (choose_leaves_some(t) && facts_are_of_usual(t->r->facts))
        candidates_prefer(&t->found, candidate_is_seen, t->r->facts);
}

/* "Both sneakers", where they are one thing of the file: what is worn in
 * pairs. */
static bool candidate_is_pair(const resolution *t)
{
    if (!(t->amount.says & SAYS_BOTH) || t->found.count != 1)
        return false;
    const uint32_t object = t->found.items[0].object;
    const char *noun = builtin_noun(object_at(t->r, object));
    return object_is_of(t->r, object, NOUNS_WORN) && noun &&
           match_is_plural_word(noun);
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

/* "The plates of chair A", where but one of several plates is: who says it means
 * more than what is named last. */
static bool several_are_elsewhere(const resolution *t)
{
    const match_query *q = &t->query;
    const bool narrowed = t->found.count == 1 && chart_child(t->thing, "OF");
    if (!t->plural || t->amount.number > 0 || t->amount.says & SAYS_EACH ||
        !narrowed || !q->has_noun ||
        !word_is_plural_alone(q->words[q->count - 1]))
        return false;
    const char *noun = builtin_noun(object_at(t->r, t->found.items[0].object));
    return noun && !match_is_plural_word(noun);
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

/* "The soft toys" of blocks, balls and a horse: they are toys of many kinds, and
 * nobody knows which are soft. */
static bool many_are_of_any_kind(const resolution *t)
{
    const char *first = NULL;
    bool differ = false, kinds = false;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        const char *noun = builtin_noun(object_at(t->r, object));
        const match_result m = reader_match(t->r, object, &t->query);
        if (!noun || !m.doubtful)
            return false;
        kinds = kinds || m.by_kind;
        differ = differ || (first && strcmp(first, noun) != 0);
        first = noun;
    }
    return differ && kinds;
}

/* Refuses more than there are, and fewer where nothing says which. */
static etna_code many_check_count(const resolution *t)
{
    const candidates *c = &t->found;
    const uint32_t number = t->amount.number;
    if (others_are_lacking(t) || several_are_lacking(t) ||
        several_are_elsewhere(t))
        return refuse_several(t);
    if (number > c->count)
        return refuse_count(t->r, CODE_UNKNOWN, t->thing, number, c->count, c);
    if (many_are_of_any_kind(t))
        return reader_refuse_said(t->r, CODE_AMBIGUOUS, t->thing,
                                  "which of them these are is not known");
    const bool leaves_some = choose_leaves_some(t);
    if (leaves_some && (many_are_all(t) || choose_traits_are_open(t)))
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
        keep_sense,          keep_all_likely,   keep_called,
        keep_kind,           keep_namesakes,    prefer_wholes,
        prefer_proven,       prefer_movable,    keep_many_its,
        keep_as_it_stands,   keep_counted,      prefer_cleared,
        keep_many_mentioned, keep_coloured,     keep_plain_series,
        prefer_plain_kind,   keep_many_on_side, keep_many_sized,
        prefer_many_seen};
    candidates *c = &t->found;
    const quantity *amount = &t->amount;
    rules_apply(t, rules, COUNT_OF(rules));
    if (candidate_is_pair(t))
        return choose_one(t, ret);
    etna_code code = many_check_count(t);
    if (code != ETNA_OK)
        return code;
    t->r->cost += candidates_least(c);
    uint32_t need = amount->says & SAYS_ANY ? 1 : c->count;
    return candidates_set(t->r, c, amount->number ? amount->number : need, ret);
}
