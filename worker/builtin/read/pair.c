/* Two sides of one thing, said together: "one to the left and one to the right
 * of the cap", "the cup on the left and the jug on the right of it", "flank the
 * vase with the candles". Each side becomes a place of its own, as if it had
 * been said in full, and each is read like any other; here is who goes to
 * which. */
#include "proto/ascii.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"

enum {
    SIDES_MAX = 4,
    FAKE_CHILDREN_MAX = 8
};

/* ---- the two sides ---- */

static bool node_is_side(const chart_node *node)
{
    static const char *const sides[] = {"PAIRSIDE", "PAIRHALF", "REL", "ZONE"};
    return WORD_IS_OF(node->name, sides);
}

static const chart_node *pair_side(const chart_node *pair, uint32_t which)
{
    for (uint32_t i = 0; i < pair->child_count; i++) {
        if (node_is_side(pair->children[i]) && which-- == 0)
            return pair->children[i];
    }
    return NULL;
}

/* The relation that a side's words mean; 0: they mean none. */
static uint32_t side_said(const chart_node *side)
{
    static const struct {
        const char *name;
        uint32_t value;
        lexicon_relation relation;
    } words[] = {{"$rel", REL_LEFT, REL_LEFT},
                 {"$rel", REL_RIGHT, REL_RIGHT},
                 {"$rel", REL_FRONT, REL_FRONT},
                 {"$rel", REL_BEHIND, REL_BEHIND},
                 {"$dir", DIR_LEFT, REL_LEFT},
                 {"$dir", DIR_RIGHT, REL_RIGHT},
                 {"$dir", DIR_FRONT, REL_FRONT},
                 {"$dir", DIR_BACK, REL_BEHIND},
                 {"$side", LEXICON_LEFT, REL_LEFT},
                 {"$side", LEXICON_RIGHT, REL_RIGHT},
                 {"$side", LEXICON_FRONT, REL_FRONT},
                 {"$side", LEXICON_BACK, REL_BEHIND}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const chart_node *word = chart_child(side, words[i].name);
        if (word && word->value == words[i].value)
            return words[i].relation;
    }
    return 0;
}

static bool word_is_side(const char *word)
{
    return lexicon_lists("pair: side", word);
}

/* A word that says which of several things: red, left, small, second. */
static bool word_tells_which(const reader *r, const chart_node *word)
{
    bool superlative;
    const char *text = reader_word(r, word->first);
    return word_is_side(text) || lexicon_colour(text) ||
           lexicon_size(text, &superlative) || lexicon_ordinal(text);
}

/* The core of a plain noun phrase, where it has several words and can be made
 * anew; else NULL. */
static const chart_node *core_of_several(const chart_node *whole)
{
    const chart_node *core = chart_child(whole, "CORE");
    const bool plain = core && node_is(whole, "THING") &&
                       whole->child_count <= FAKE_CHILDREN_MAX;
    if (!plain || core->child_count < 2)
        return NULL;
    return core->child_count <= FAKE_CHILDREN_MAX ? core : NULL;
}

/* The other's phrase, where it and the half tell by one word which is meant;
 * NULL: its words are no such two. */
static const chart_node *half_find_whole(const reader *r,
                                         const chart_node *half,
                                         const chart_node *other)
{
    const chart_node *whole =
        node_is(other, "REL") ? node_phrase(other, 0) : NULL;
    const chart_node *its = whole ? chart_child(other, "$rel") : NULL;
    const chart_node *rel = chart_child(half, "$rel");
    if (!rel || !its || rel->value != its->value)
        return NULL;
    const chart_node *core = core_of_several(whole);
    const chart_node *word = half->children[half->child_count - 1];
    const bool both = core && word_tells_which(r, word) &&
                      word_tells_which(r, core->children[0]);
    return both ? whole : NULL;
}

/* "The cup on the red and the jug on the blue tray": the other's phrase with
 * this word in the place of its first. NULL: its words are no such two. */
static const chart_node *half_complete(const reader *r,
                                       const chart_node *half,
                                       const chart_node *other)
{
    const chart_node *whole = half_find_whole(r, half, other);
    const chart_node *words[FAKE_CHILDREN_MAX], *parts[FAKE_CHILDREN_MAX];
    if (!whole)
        return NULL;
    const chart_node *core = chart_child(whole, "CORE");
    const chart_node *word = half->children[half->child_count - 1];
    words[0] = terminal_make(r, "$w", word, r->part->first + word->first);
    for (uint32_t i = 1; i < core->child_count; i++)
        words[i] = core->children[i];
    const chart_node *own =
        words[0] ? node_make(r, "CORE", word, words, core->child_count) : NULL;
    for (uint32_t i = 0; i < whole->child_count; i++)
        parts[i] = whole->children[i] == core ? own : whole->children[i];
    const chart_node *both[] = {
        chart_child(half, "$rel"),
        own ? node_make(r, "THING", word, parts, whole->child_count) : NULL};
    return both[1] ? node_make(r, "REL", half, both, 2) : NULL;
}

/* What the side is one of; NULL: that is not said. */
static const chart_node *side_owner(const chart_node *side)
{
    return node_is(side, "ZONE") ? zone_owner(side) : node_things(side, 0);
}

/* "... and two on the right", of a zone: the other's words, with this side in
 * the place of its own. NULL: the two do not differ by a word for a side. */
static const chart_node *side_mirror(const reader *r,
                                     const chart_node *side,
                                     const chart_node *other)
{
    const chart_node *children[FAKE_CHILDREN_MAX];
    const chart_node *const own = chart_child(side, "$side");
    const chart_node *const its = chart_child(other, "$side");
    if (!own || !its || other->child_count > FAKE_CHILDREN_MAX)
        return NULL;
    for (uint32_t i = 0; i < other->child_count; i++)
        children[i] = other->children[i] == its ? own : other->children[i];
    return node_make(r, "ZONE", side, children, other->child_count);
}

/* A side that is said without its owner, with the owner of the other. NULL:
 * these are no two of one kind. */
static const chart_node *side_complete(const reader *r,
                                       const chart_node *side,
                                       const chart_node *other)
{
    const chart_node *children[FAKE_CHILDREN_MAX];
    const chart_node *owner = side_owner(other);
    const chart_node *dist = chart_child(other, "DIST");
    const uint32_t said = side_said(side);
    uint32_t count = 0;
    if (node_is(side, "PAIRHALF"))
        return half_complete(r, side, other);
    if (!owner || side->child_count + 2 > FAKE_CHILDREN_MAX)
        return NULL;
    if (node_is(other, "REL")) {
        children[count++] = terminal_make(r, "$rel", side, said);
        children[count++] = owner;
        if (dist)
            children[count++] = dist;
        return said && children[0] ? node_make(r, "REL", side, children, count)
                                   : NULL;
    }
    if (!chart_child(side, "$zone_in"))
        return side_mirror(r, side, other);
    for (uint32_t i = 0; i < side->child_count; i++)
        children[count++] = side->children[i];
    children[count++] = owner;
    return node_make(r, "ZONE", side, children, count);
}

static bool side_is_complete(const chart_node *side)
{
    return !node_is(side, "PAIRSIDE") && !node_is(side, "PAIRHALF");
}

/* Two sides that are said in full are two of one thing only where the second
 * says "it", or names none: "and two on the right side". */
static const chart_node *side_last(const reader *r,
                                   const chart_node *before,
                                   const chart_node *last)
{
    const chart_node *owner = node_is(last, "REL") ? side_owner(last) : NULL;
    const bool its = node_is(last, "ZONE") && !side_owner(last);
    const bool it = owner && phrase_is_pronoun(owner, PRON_IT);
    const bool same = side_is_complete(before) && (it || its);
    return same ? side_complete(r, last, before) : last;
}

/* A side of the thing that no other is, or half a phrase beside its whole. */
static bool side_may_stand(const chart_node *pair,
                           uint32_t which,
                           const chart_node *last)
{
    const chart_node *side = pair_side(pair, which);
    const uint32_t said = side_said(side);
    if (node_is(pair_side(pair, 0), "PAIRHALF"))
        return node_is(side, which == 0 ? "PAIRHALF" : "REL");
    if (node_is(last, "REL") && !said)
        return false;
    return which == 0 || said != side_said(pair_side(pair, which - 1));
}

/* "On one side of the bowl ... on the other": left and right of it, as they are
 * told. False: that is not how they are told. */
static bool pair_of_either(const reader *r,
                           const chart_node *pair,
                           const chart_node *ret[SIDES_MAX])
{
    static const lexicon_relation sides[] = {REL_LEFT, REL_RIGHT};
    const chart_node *one = pair_side(pair, 0);
    const chart_node *owner =
        one && chart_child(one, "$rel_one_side") ? side_owner(one) : NULL;
    for (uint32_t k = 0; owner && k < 2; k++) {
        const chart_node *side = pair_side(pair, k);
        const chart_node *children[] = {
            side ? terminal_make(r, "$rel", side, sides[k]) : NULL, owner};
        ret[k] = children[0] ? node_make(r, "REL", side, children, 2) : NULL;
        if (!ret[k])
            return false;
    }
    return owner;
}

/* "On the left" names nothing that it would be the left of. */
static bool owner_is_side(const reader *r, const chart_node *owner)
{
    const chart_node *const core = owner ? chart_child(owner, "CORE") : NULL;
    return core && core->child_count == 1 &&
           word_is_side(reader_word(r, core->first));
}

/* Which side names what the others are sides of, too: the last one, or else the
 * first. */
static const chart_node *pair_whole(const reader *r,
                                    const chart_node *pair,
                                    uint32_t count)
{
    const chart_node *const first = pair_side(pair, 0);
    const chart_node *const last = pair_side(pair, count - 1);
    const bool first_names = !side_is_complete(last) &&
                             side_is_complete(first) &&
                             !owner_is_side(r, side_owner(first));
    return first_names ? first : last;
}

/* "Two": a number and no noun. */
static bool phrase_is_number(const chart_node *things)
{
    return things && node_is(things, "THING") && things->child_count == 1 &&
           chart_child(things, "NUMBER");
}

/* "The others", "the rest": no noun of its own. */
static bool phrase_is_of_others(const chart_node *things)
{
    const bool bare =
        things && node_is(things, "THING") && !chart_child(things, "CORE");
    const unsigned says = bare ? phrase_quantity(things).says : 0;
    /* "another" is one that none was said of */
    return (says & SAYS_REST) ||
           ((says & SAYS_OTHER) && chart_child(things, "$det"));
}

/* "Two chairs at table 1 and two at table 2": places of things of their own,
 * among which the things of one kind are parted by numbers. Of "the chairs
 * around the table, two on each side" all of them go to the first. */
static bool pair_is_of_numbers(const reader *r,
                               const chart_node *pair,
                               uint32_t count)
{
    const chart_node *const verb = chart_child(pair, "$verb");
    if (verb && !bit_is_in(verb->value, BIT(VERB_PUT) | BIT(VERB_MOVE)))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        const chart_node *const side = pair_side(pair, k);
        const chart_node *const rel =
            node_is(side, "REL") ? chart_child(side, "$rel") : NULL;
        if (rel && bit_is_in(rel->value, RELS_ORIGIN))
            return false;
        const chart_node *const owner =
            node_is(side, "REL") ? side_owner(side) : NULL;
        const chart_node *const things = node_things(pair, k);
        const bool is_some = things && (phrase_number(things) > 0 ||
                                        node_says(things, "$det", BIT(DET_A)));
        const bool is_more =
            phrase_is_number(things) || phrase_is_of_others(things);
        const bool is_told = k == 0 ? is_some : is_more;
        if (!owner || node_is(owner, "PRON") || owner_is_side(r, owner) ||
            !is_told)
            return false;
    }
    return count >= 2;
}

/* "Half a metre to the left and right of the vase": the last side, so far as the
 * first is. NULL: out of memory, or it is no such side. */
static const chart_node *side_as_far(const reader *r,
                                     const chart_node *first,
                                     const chart_node *last)
{
    const chart_node *children[FAKE_CHILDREN_MAX];
    const chart_node *const dist = chart_child(first, "DIST");
    uint32_t count = 0;
    if (!dist || !node_is(first, "PAIRSIDE") || chart_child(last, "DIST"))
        return last;
    if (!node_is(last, "REL") || last->child_count + 1 > FAKE_CHILDREN_MAX)
        return NULL;
    for (uint32_t i = 0; i < last->child_count; i++)
        children[count++] = last->children[i];
    children[count++] = dist;
    return node_make(r, "REL", last, children, count);
}

/* "Behind it", "to its right". */
static bool side_is_of_it(const chart_node *side)
{
    const chart_node *const owner =
        node_is(side, "REL") ? side_owner(side) : NULL;
    return owner && phrase_is_pronoun(owner, PRON_IT);
}

/* The places of the sides, each with its owner; how many, 0: they are no sides
 * of one thing. */
static uint32_t pair_places(const reader *r,
                            const chart_node *pair,
                            const chart_node *ret[SIDES_MAX])
{
    uint32_t count = 0;
    if (pair_of_either(r, pair, ret))
        return 2;
    while (count < SIDES_MAX && pair_side(pair, count))
        count++;
    if (pair_is_of_numbers(r, pair, count)) {
        for (uint32_t k = 0; k < count; k++)
            ret[k] = pair_side(pair, k);
        return count;
    }
    const chart_node *const first = pair_side(pair, 0);
    const chart_node *last = count >= 2 ? pair_whole(r, pair, count) : NULL;
    if (last && first != last)
        last = side_as_far(r, first, last);
    for (uint32_t k = 0; last && k < count; k++) {
        const chart_node *side = pair_side(pair, k);
        if (!side_may_stand(pair, k, last))
            return 0;
        ret[k] = side_is_complete(side) ? side_as_far(r, first, side)
                                        : side_complete(r, side, last);
        /* "in front of the bench, behind it and to its right" */
        if (k > 0 && side_is_complete(side) && side_is_of_it(side))
            ret[k] = side_complete(r, side, first);
        if (k + 1 == count && side == last)
            ret[k] = side_last(r, pair_side(pair, k - 1), last);
        if (!ret[k])
            return 0;
    }
    return last ? count : 0;
}

bool sides_may_be_meant(const reader *r, const chart_node *said)
{
    const chart_node *places[SIDES_MAX];
    const chart_node *last = NULL, *owner = NULL;
    for (uint32_t k = 0; k < SIDES_MAX && pair_side(said, k); k++)
        last = pair_side(said, k);
    owner = last && node_is(last, "REL") ? node_things(last, 0) : NULL;
    /* "the smallest on the left and the biggest on the right": of nothing */
    if (owner && node_is(owner, "THING") && owner_is_side(r, owner))
        return false;
    return pair_places(r, said, places) > 0;
}

/* ---- who goes to which ---- */

/* The way to a side; to the left where its words mean none. */
static lexicon_direction side_direction_said(const chart_node *side)
{
    static const lexicon_direction ways[] = {[REL_LEFT] = DIR_LEFT,
                                             [REL_RIGHT] = DIR_RIGHT,
                                             [REL_FRONT] = DIR_FRONT,
                                             [REL_BEHIND] = DIR_BACK};
    const uint32_t said = side_said(side);
    return ways[said ? said : REL_LEFT];
}

/* Which of two things is farther on the way to the first side already. */
static uint32_t pair_farther(const reader *r,
                             const chart_node *side,
                             const uint32_t pair[2])
{
    double way[3], along[2];
    direction_way(r, side_direction_said(side), way);
    for (uint32_t k = 0; k < 2; k++) {
        const double *at = object_at(r, pair[k])->centre;
        along[k] = at[0] * way[0] + at[1] * way[1];
    }
    return along[0] >= along[1] ? 0 : 1;
}

/* The two of several that are nearest to the owner of the sides. */
static etna_code pair_choose(reader *r,
                             const chart_node *place,
                             const builtin_set *of,
                             uint32_t ret[2])
{
    const chart_node *what = side_owner(place);
    const refer_scope scope = refer_scope_place(NULL);
    uint32_t owner = BUILTIN_NONE; /* none is named: of what they stand on */
    builtin_set own, rest;
    etna_code code = what ? refer_one(r, what, &scope, &owner) : ETNA_OK;
    if (code == ETNA_OK)
        own = what ? set_one(r, owner) : (builtin_set){0};
    if (code == ETNA_OK)
        code = set_without(r, of, &own, &rest);
    for (uint32_t k = 0; k < 2 && code == ETNA_OK; k++) {
        if (rest.count == 0)
            return reader_refuse(r, CODE_UNKNOWN, place,
                                 "it asks for two, and there is one");
        ret[k] = owner < r->facts->object_count ? set_nearest(r, &rest, owner)
                                                : rest.objects[0];
        own = set_one(r, ret[k]);
        code = set_without(r, &rest, &own, &rest);
    }
    return code;
}

/* The relations from `first` on before the others: "to the left and to the right
 * of the bowl, close to it" says of each side first what "it" is. */
static void details_lead(details *d, uint32_t first)
{
    condition led[CONDITIONS_MAX];
    const uint32_t count = d->relation_count;
    uint32_t used = 0;
    for (uint32_t i = first; i < count; i++)
        led[used++] = d->relations[i];
    for (uint32_t i = 0; i < first; i++)
        led[used++] = d->relations[i];
    memcpy(d->relations, led, used * sizeof *led);
}

/* Did the last two moves go to sides of one thing? */
static bool pair_is_of_one(const reader *r)
{
    const builtin_reading *const reading = r->reading;
    const uint32_t count = reading->count;
    return count >= r->first_move + 2 &&
           reading->moves[count - 1].reference ==
               reading->moves[count - 2].reference;
}

/* To each of the two places its things, with all else that the clause says of
 * both. */
static etna_code sets_put(clause *c,
                          const chart_node *const places[2],
                          const builtin_set at[2])
{
    uint32_t cost[2] = {0};
    etna_code code = ETNA_OK;
    for (uint32_t k = 0; k < 2 && code == ETNA_OK; k++) {
        const uint32_t before = c->r->cost;
        clause one = *c;
        one.movers = at[k];
        one.d.pair = NULL;
        const chart_node *said =
            node_make(c->r, c->said->name, c->said, &places[k], 1);
        if (!said)
            return reader_no_memory(c->r);
        details_gather(c->r, said, &one.d);
        details_lead(&one.d, c->d.relation_count);
        details_join(c->r, &one.d);
        code = clause_put(&one);
        cost[k] = c->r->cost - before;
    }
    /* the one thing between them was named once */
    if (code == ETNA_OK && pair_is_of_one(c->r))
        c->r->cost -= cost[0] < cost[1] ? cost[0] : cost[1];
    return code;
}

/* Two things, the one that is farther that way already to the first place. */
static etna_code pair_put(clause *c,
                          const chart_node *const places[2],
                          const uint32_t pair[2])
{
    const uint32_t first = pair_farther(c->r, places[0], pair);
    const builtin_set at[2] = {set_one(c->r, pair[first]),
                               set_one(c->r, pair[1 - first])};
    return sets_put(c, places, at);
}

static double pair_rank_by_way(const reader *r,
                               uint32_t object,
                               const void *context)
{
    const double *const way = context;
    const double *const at = object_at(r, object)->centre;
    return -(at[0] * way[0] + at[1] * way[1]);
}

/* "Left and right of the vase, two each side": the half that is farther that way
 * already comes to the first. */
static etna_code pair_put_some(clause *c, const chart_node *const places[2])
{
    reader *r = c->r;
    const builtin_set *const movers = &c->movers;
    const chart_node *const number = chart_find(c->d.pair, "$num");
    const uint32_t half = number ? number->value / 1000 : 0;
    builtin_set at[2];
    double way[3];
    if (half == 0 || movers->need != movers->count || movers->count != 2 * half)
        return clause_refuse(c, "how many come to each side is not clear");
    uint32_t *list = etna_arena_memdup(r->arena, movers->objects,
                                       movers->count * sizeof *list);
    if (!list)
        return reader_no_memory(r);
    direction_way(r, side_direction_said(places[0]), way);
    set_sort(r, list, movers->count, 0, pair_rank_by_way, way);
    etna_code code = set_of_first(r, list, half, &at[0]);
    if (code == ETNA_OK)
        code = set_of_first(r, list + half, half, &at[1]);
    return code == ETNA_OK ? sets_put(c, places, at) : code;
}

/* "put them left and right of the vase": two things, two sides. */
etna_code clause_put_pair(clause *c)
{
    const chart_node *places[SIDES_MAX];
    uint32_t pair[2];
    const builtin_set *movers = &c->movers;
    if (pair_places(c->r, c->d.pair, places) != 2)
        return clause_refuse_all(c);
    if (node_is(c->d.pair, "PAIRSOME"))
        return pair_put_some(c, places);
    if (movers->need != 2 && movers->count != 2)
        return clause_refuse(c, "two sides are for two things");
    memcpy(pair, movers->objects, movers->count == 2 ? sizeof pair : 0);
    etna_code code = movers->count == 2
                         ? ETNA_OK
                         : pair_choose(c->r, places[1], movers, pair);
    return code == ETNA_OK ? pair_put(c, places, pair) : code;
}

/* ---- each with its own words ---- */

static bool words_are_one(const char *const *words, uint32_t count)
{
    return count == 0 || (count == 1 && strcmp(words[0], "one") == 0);
}

/* "One cup ... one", "... the other", "... another cup": the second is one more
 * of the first's. */
static bool phrase_is_one_more(const reader *r,
                               const chart_node *first,
                               const chart_node *second)
{
    const char *a[REFER_WORDS_MAX], *b[REFER_WORDS_MAX];
    const bool plain = node_is(first, "THING") && node_is(second, "THING");
    const uint32_t some = BIT(DET_OTHER) | BIT(DET_A);
    if (!plain)
        return false;
    const uint32_t own = phrase_words(r, first, a);
    const uint32_t its = phrase_words(r, second, b);
    const bool indefinite =
        chart_child(second, "NUMBER") || node_says(second, "$quant", some);
    if (words_are_one(b, its))
        return indefinite || its == 1;
    bool same =
        own == its && (indefinite || node_says(second, "$det", BIT(DET_A)));
    for (uint32_t i = 0; same && i < own; i++)
        same = strcmp(a[i], b[i]) == 0;
    return same;
}

/* ", both on the table": what is said of both behind their sides. */
static uint32_t also_take(const chart_node *also,
                          const chart_node *ret[FAKE_CHILDREN_MAX],
                          uint32_t count)
{
    for (uint32_t i = 0; i < also->child_count && count < FAKE_CHILDREN_MAX;
         i++) {
        if (!also->children[i]->is_terminal)
            ret[count++] = also->children[i];
    }
    return count;
}

/* "Two chairs ... and two": the things of a side, by the noun of the first where
 * a number is all that it says. NULL: out of memory. */
static const chart_node *side_things(const clause *c, uint32_t which)
{
    const chart_node *const own = node_things(c->said, which);
    const chart_node *const first = node_things(c->said, 0);
    const bool number = which > 0 && phrase_is_number(own);
    const chart_node *const core = chart_child(first, "CORE");
    if (!number || !core || !node_is(first, "THING"))
        return own;
    const chart_node *const words[] = {own->children[0], core};
    return node_make(c->r, "THING", own, words, 2);
}

/* The clause of one side: its things and its place, and what is said of both
 * behind them. */
static etna_code side_clause(const clause *c,
                             uint32_t which,
                             const chart_node *place,
                             clause *ret)
{
    const chart_node *children[FAKE_CHILDREN_MAX];
    const chart_node *last = NULL;
    uint32_t count = 0;
    bool behind = false;
    for (uint32_t i = 0; pair_side(c->said, i); i++)
        last = pair_side(c->said, i);
    children[count] = side_things(c, which);
    if (!children[count++])
        return reader_no_memory(c->r);
    children[count++] = place;
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *child = c->said->children[i];
        if (behind && node_is(child, "ALSO"))
            count = also_take(child, children, count);
        else if (behind && !child->is_terminal && count < FAKE_CHILDREN_MAX)
            children[count++] = child;
        behind = behind || child == last;
    }
    *ret = (clause){.r = c->r, .things = children[0], .verb = VERB_PUT};
    ret->said = node_make(c->r, "DO", c->said, children, count);
    if (!ret->said)
        return reader_no_memory(c->r);
    details_gather(c->r, ret->said, &ret->d);
    return ETNA_OK;
}

/* "One cup to the left and one to the right": two of the cups, each to the side
 * that it is nearer to. */
static etna_code sides_deal(const clause *c,
                            const chart_node *const places[2],
                            clause sides[2],
                            bool *ret_done)
{
    reader *r = c->r;
    const reader before = *r;
    uint32_t pair[2];
    etna_code code = movers_find(&sides[0], sides[0].things, &sides[0].movers);
    if (code != ETNA_OK)
        return code;
    const builtin_set some = sides[0].movers;
    *ret_done = some.count > 1 && some.need == 1 &&
                phrase_is_one_more(r, sides[0].things, sides[1].things);
    if (!*ret_done) {
        *r = before;
        return ETNA_OK;
    }
    const chart_node *const also = chart_child(c->said, "ALSO");
    code = pair_choose(r, places[1], &some, pair);
    sides[0].d = (details){0}; /* each has a place of its own */
    if (also)
        details_gather(r, also, &sides[0].d);
    return code == ETNA_OK ? pair_put(&sides[0], places, pair) : code;
}

/* Of two things the one that is less far on the way. */
static double side_rank(const reader *r, uint32_t object, const void *context)
{
    const double *const way = context;
    const double *const at = object_at(r, object)->centre;
    return -(at[0] * way[0] + at[1] * way[1]);
}

/* "Two chairs on the left and two on the right": none of them is asked to be on
 * both sides, and each goes to the one that it is nearer to. */
static etna_code sides_part(reader *r, const chart_node *side, uint32_t first)
{
    builtin_move *const moves = &r->reading->moves[first];
    if (r->reading->count != first + 2)
        return ETNA_OK;
    builtin_set *const one = &moves[0].objects;
    builtin_set *const other = &moves[1].objects;
    const bool same = set_is_within(one, other) && set_is_within(other, one);
    if (!same || one->need + other->need > one->count)
        return ETNA_OK;
    const uint32_t count = one->count;
    const uint32_t its = one->need;
    const uint32_t rest = other->need;
    uint32_t *list =
        etna_arena_memdup(r->arena, one->objects, count * sizeof *list);
    double way[3];
    if (!list)
        return reader_no_memory(r);
    direction_way(r, side_direction_said(side), way);
    set_sort(r, list, count, 0, side_rank, way);
    etna_code code = set_of_first(r, list, its, one);
    return code == ETNA_OK ? set_of_first(r, list + count - rest, rest, other)
                           : code;
}

/* Do both phrases say the same noun? */
static bool phrases_are_alike(const reader *r,
                              const chart_node *one,
                              const chart_node *other)
{
    const chart_node *const a =
        one->is_terminal ? NULL : chart_child(one, "CORE");
    const chart_node *const b = chart_child(other, "CORE");
    bool same = a && b && a->end - a->first == b->end - b->first;
    for (uint32_t k = 0; same && k < a->end - a->first; k++)
        same = strcmp(reader_word(r, a->first + k),
                      reader_word(r, b->first + k)) == 0;
    return same;
}

/* "The saw and the hammer on the shelf, the saw to the left": where one of them
 * is to be among the others is a clause of its own. */
static bool sides_say_again(const clause *c)
{
    const chart_node *const all = node_things(c->said, 0);
    const chart_node *const again = node_things(c->said, 1);
    bool same = false;
    if (!again || !node_is(all, "AND"))
        return false;
    for (uint32_t i = 0; i < all->child_count; i++)
        same = same || phrases_are_alike(c->r, all->children[i], again);
    return same;
}

/* "The towels along the bench, one at the left end": of what goes somewhere as a
 * whole none goes elsewhere, too. */
static bool sides_take_twice(const reader *r, uint32_t first)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_set *const all = &r->reading->moves[i].objects;
        for (uint32_t k = first; k < r->reading->count; k++) {
            const builtin_set *const some = &r->reading->moves[k].objects;
            if (all->need == all->count && some->need < some->count &&
                set_is_within(some, all))
                return true;
        }
    }
    return false;
}

/* "One in front of it, one behind it, one to its left ...": of the first move's
 * things, more than there are. */
static bool sides_need_more(const reader *r, uint32_t first)
{
    const builtin_reading *const reading = r->reading;
    const builtin_set *const all = &reading->moves[first].objects;
    uint32_t asked = 0;
    for (uint32_t i = first; i < reading->count; i++) {
        const builtin_set *const some = &reading->moves[i].objects;
        if (set_is_within(some, all) && set_is_within(all, some))
            asked += some->need;
    }
    return reading->count > first && asked > all->count;
}

/* "One at each long side and one at the left end": several places are no one
 * side. "On the left": of what, the other side says, and no thing is called
 * so. */
static bool sides_are_single(const reader *r,
                             const chart_node *const *places,
                             uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const chart_node *const place = places[k];
        if (node_is(place, "ZONE") && zone_says_each(place, true))
            return false;
        if (node_is(place, "REL") && owner_is_side(r, side_owner(place)))
            return false;
    }
    return true;
}

/* "Crate 1 on the pallet, | 2 next to it, 3 behind it": these are names, and not
 * how many of them. */
static bool sides_name_numbers(const clause *c)
{
    const reader *const r = c->r;
    const builtin_set *const last = &r->memory.last;
    if (last->count != 1 || r->reading->count == r->first_move)
        return false;
    const builtin_object *const o = object_at(r, last->objects[0]);
    if (o->word_count < 2 || !ascii_is_digit(o->words[o->word_count - 1][0]))
        return false;
    for (uint32_t k = 0; node_things(c->said, k); k++) {
        const chart_node *const things = node_things(c->said, k);
        if (phrase_is_number(things) &&
            ascii_is_digit(reader_word(r, things->first)[0]))
            return true;
    }
    return false;
}

/* "the cup to the left, the plate to the right": each thing with its side as a
 * clause of its own. */
etna_code clause_sides(clause *c)
{
    const chart_node *places[SIDES_MAX];
    clause sides[SIDES_MAX];
    reader *r = c->r;
    const uint32_t count = pair_places(r, c->said, places);
    if (count == 0 || sides_say_again(c) ||
        !sides_are_single(r, places, count) || sides_name_numbers(c))
        return clause_refuse_all(c);
    etna_code code = ETNA_OK;
    for (uint32_t k = 0; k < count && code == ETNA_OK; k++)
        code = side_clause(c, k, places[k], &sides[k]);
    if (code != ETNA_OK)
        return code;
    bool done = false;
    const bool parted = pair_is_of_numbers(r, c->said, count);
    if (count == 2 && !parted)
        code = sides_deal(c, places, sides, &done);
    if (code != ETNA_OK || done)
        return code;
    const uint32_t first = r->reading->count;
    const bool is_elliptic = r->is_elliptic;
    for (uint32_t k = 0; k < count && code == ETNA_OK; k++) {
        /* "the hammer to its left and the tape behind it" */
        r->is_elliptic = is_elliptic || k > 0;
        code = clause_act(&sides[k]);
    }
    r->is_elliptic = is_elliptic;
    if (code == ETNA_OK && sides_take_twice(r, first))
        return clause_refuse(c, "which of them goes where is not clear");
    if (code == ETNA_OK && sides_need_more(r, first))
        return clause_refuse(c, "it asks for more of them than there are");
    return code == ETNA_OK && !parted ? sides_part(r, places[0], first) : code;
}

/* ---- flanking ---- */

/* "Flank the vase with the candles": as if "on both sides of the vase". */
etna_code clause_flank(clause *c)
{
    const chart_node *word = chart_find(c->said, "$flank");
    const bool flanked_first = word && word->value == 1;
    const chart_node *things = node_things(c->said, flanked_first ? 1 : 0);
    const chart_node *owner = node_things(c->said, flanked_first ? 0 : 1);
    const chart_node *parts[] = {
        terminal_make(c->r, "$zone_in", c->said, 0),
        terminal_make(c->r, "$quant", c->said, DET_BOTH),
        terminal_make(c->r, "$zone", c->said, ZONE_SIDE), owner};
    if (!things || !owner)
        return clause_refuse_all(c);
    if (!parts[0] || !parts[1] || !parts[2])
        return reader_no_memory(c->r);
    const chart_node *children[] = {things,
                                    node_make(c->r, "ZONE", c->said, parts, 4)};
    clause one = {.r = c->r, .things = things, .verb = VERB_PUT};
    one.said = children[1] ? node_make(c->r, "DO", c->said, children, 2) : NULL;
    if (!one.said)
        return reader_no_memory(c->r);
    details_gather(c->r, one.said, &one.d);
    return clause_act(&one);
}
