/* Which things a phrase of place relates to: what it names, what "it" is, and
 * which of several. */
#include "worker/builtin/read/preposition_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>
#include <string.h>

/* "the other wall" is neither the thing itself nor what it stands or hangs
 * on */
etna_code preposition_bar(preposition *p)
{
    reader *r = p->r;
    bool other = p->upon && p->movers->count == 1 &&
                 node_says(p->c->what, "$quant", BIT(DET_OTHER));
    if (!other)
        return ETNA_OK;
    uint32_t mover = p->movers->objects[0];
    uint32_t wall = builtin_hangs_on(r->facts, mover);
    uint32_t count = 0;
    const builtin_object *o = object_at(r, mover);
    uint32_t *list = etna_arena_alloc(r->arena, o->by_count + 2u, sizeof *list);
    if (!list)
        return reader_no_memory(r);
    list[count++] = mover;
    for (uint32_t i = 0; i < o->by_count; i++)
        list[count++] = o->by[i];
    if (wall < r->facts->wall_count)
        list[count++] = r->facts->walls[wall].object;
    p->barred = (builtin_set){.count = count, .objects = list, .need = count};
    p->scope.barred = &p->barred;
    return ETNA_OK;
}

/* Did what was moved last go onto something, and is it nothing that bears
 * things itself? */
static bool it_was_put(const reader *r)
{
    const builtin_set *last = &r->memory.last;
    if (r->reading->count == r->first_move || last->count != 1)
        return false;
    const builtin_move *before = &r->reading->moves[r->reading->count - 1];
    bool onto =
        bit_is_in(before->relation,
                  BIT(RELATION_ON) | BIT(RELATION_UNDER) | BIT(RELATION_IN)) &&
        before->reference < r->facts->object_count;
    if (!onto || before->reference != r->memory.last_reference)
        return false;
    return set_has(&before->objects, last->objects[0]) &&
           !builtin_is_bearer(object_at(r, last->objects[0]));
}

/* "The block onto the chest, the mug on top of it": on the block, where that has
 * room for it. A bare "on it" is where the block went. */
static bool it_is_topped(const preposition *p)
{
    const builtin_set *last = &p->r->memory.last;
    const chart_node *rel = p->c->node ? chart_child(p->c->node, "$rel") : NULL;
    if (!rel || last->count != 1 || p->movers->count != 1)
        return false;
    bool top = false;
    for (uint32_t at = rel->first; at < rel->end; at++)
        top = top || reader_lists(p->r, at, "place: top");
    const uint32_t below = last->objects[0];
    const uint32_t above = p->movers->objects[0];
    return top && object_bears_things(p->r, below) &&
           object_area(p->r, below) > object_area(p->r, above);
}

/* "The small box on top of the big one and the hat on top of that" */
static bool it_points_at_top(const preposition *p)
{
    const chart_node *const word = phrase_pronoun(p->c->what);
    const uint32_t before = word ? p->r->part->first + word->first : 0;
    return word && before > 1 && reader_word_is(p->r, word->first, "that") &&
           reader_word_is(p->r, word->first - 2, "top");
}

/* "The toolbox under the bench and the stool in front of it": before the bench,
 * for before the toolbox is still under that. */
static bool it_is_beneath(const preposition *p)
{
    const builtin_reading *reading = p->r->reading;
    const uint32_t within = BIT(RELATION_UNDER) | BIT(RELATION_IN);
    return p->c->relation == REL_FRONT && reading->count > p->r->first_move &&
           bit_is_in(reading->moves[reading->count - 1].relation, within);
}

/* "The helmet on the shelf and the skateboard under it": under the shelf, for
 * it has no room beneath the helmet. */
static bool preposition_is_too_large(const preposition *p)
{
    const builtin_set *last = &p->r->memory.last;
    if (p->c->relation != REL_UNDER || p->movers->count != 1)
        return false;
    return last->count == 1 && object_area(p->r, p->movers->objects[0]) >
                                   object_area(p->r, last->objects[0]);
}

/* A stool, a bin: what stands on the floor and is no mat. */
static bool object_keeps_to_floor(reader *r, uint32_t object)
{
    const double flat = 0.1; /* metres */
    if (2 * object_at(r, object)->half[2] < flat)
        return false;
    return object_is_furniture(r, object) ||
           object_is_of(r, object, NOUNS_FURNITURE) ||
           (object_lives_on_ground(r, object) && object_is_on_floor(r, object));
}

/* "The pillow to the end of the couch and the stool underneath it": what keeps
 * to the floor goes under what the other was put on. BUILTIN_NONE: no such is
 * said. */
static uint32_t it_is_over_floor(const preposition *p)
{
    const uint32_t onto = BIT(RELATION_ON) | BIT(RELATION_MIDDLE) |
                          BIT(RELATION_CORNER) | BIT(RELATION_EDGE) |
                          BIT(RELATION_END);
    reader *r = p->r;
    const builtin_set *last = &r->memory.last;
    const builtin_move *before = reader_last_move(r);
    const bool one = before && last->count == 1 && p->movers->count == 1 &&
                     set_has(&before->objects, last->objects[0]);
    if (p->c->relation != REL_UNDER || !one ||
        !bit_is_in(before->relation, onto))
        return BUILTIN_NONE;
    const bool beneath = before->reference < r->facts->object_count &&
                         !object_is_ground(r, before->reference) &&
                         !object_is_furniture(r, last->objects[0]) &&
                         object_keeps_to_floor(r, p->movers->objects[0]);
    return beneath ? before->reference : BUILTIN_NONE;
}

/* "The cone on the dog house, the ball in front of it": what lives on the ground
 * goes by what stands there, and not by what was put up on that. */
static bool it_is_by_bearer(const preposition *p)
{
    reader *r = p->r;
    const uint32_t by = BIT(REL_FRONT) | BIT(REL_BEHIND) | BIT(REL_LEFT) |
                        BIT(REL_RIGHT) | BIT(REL_BESIDE) | BIT(REL_AGAINST);
    const uint32_t bearer = r->memory.last_reference;
    if (!bit_is_in(p->c->relation, by) || bearer >= r->facts->object_count ||
        object_is_ground(r, bearer) || !object_is_on_floor(r, bearer) ||
        builtin_is_covering(r->facts, bearer))
        return false;
    bool all = p->movers->count > 0;
    for (uint32_t i = 0; i < p->movers->count && all; i++) {
        const uint32_t mover = p->movers->objects[i];
        all = object_lives_on_ground(r, mover) && object_is_on_floor(r, mover);
    }
    return all;
}

/* "One in front of the bench, one behind it and one to its right": what is put
 * around a thing goes on being put around it. */
static bool it_is_of_series(const reader *r, const builtin_move *last)
{
    if (r->reading->count < r->first_move + 2)
        return false;
    const builtin_move *const before = last - 1;
    return before->reference == last->reference &&
           bit_is_in(last->relation, RELATIONS_SIDE) &&
           bit_is_in(before->relation, RELATIONS_SIDE);
}

/* "The fork left of the plate and the knife right of it": beside the same
 * thing, on the other side. */
static bool it_is_beside_too(const reader *r, lexicon_relation relation)
{
    static const struct {
        builtin_relation before;
        lexicon_relation now;
    } opposites[] = {{RELATION_LEFT, REL_RIGHT},
                     {RELATION_RIGHT, REL_LEFT},
                     {RELATION_FRONT, REL_BEHIND},
                     {RELATION_BEHIND, REL_FRONT}};
    if (r->reading->count == r->first_move ||
        r->memory.last_reference >= r->facts->object_count)
        return false;
    const builtin_move *before = &r->reading->moves[r->reading->count - 1];
    if (before->reference != r->memory.last_reference)
        return false;
    if (it_is_of_series(r, before) && bit_is_in(relation, RELS_SIDE))
        return true;
    if (relation == REL_OPPOSITE)
        return bit_is_in(before->relation, RELATIONS_ASIDE);
    for (size_t i = 0; i < COUNT_OF(opposites); i++) {
        if (opposites[i].before == before->relation &&
            opposites[i].now == relation)
            return true;
    }
    return false;
}

/* "Around the fire, a metre away from it", "left of the chest, right up against
 * it": what the place right before that is by, for nothing is measured from
 * itself. */
static uint32_t it_is_measured_from(const preposition *p)
{
    const uint32_t behind = p->c->behind;
    const bool known = behind > 0 && behind - 1 < p->r->facts->object_count;
    const bool its = chart_find(p->c->what, "$pron_its");
    const bool by = p->c->has_gap || p->c->relation == REL_AGAINST || its;
    if (!known || !by || set_has(p->movers, behind - 1))
        return BUILTIN_NONE;
    return behind - 1;
}

/* "The pallet under the shelf and the crates on it": on either of the two. */
static bool it_is_either(const preposition *p)
{
    const reader *r = p->r;
    const builtin_move *before = &r->reading->moves[r->reading->count - 1];
    const uint32_t last = r->memory.last.objects[0];
    return before->relation == RELATION_UNDER && p->movers->count > 0 &&
           object_bears_things(r, last) &&
           object_area(r, last) > object_area(r, p->movers->objects[0]);
}

/* "Each" alone. */
static bool phrase_is_mere_each(const chart_node *phrase)
{
    return node_is(phrase, "THING") && phrase->child_count == 1 &&
           node_says(phrase, "$quant", BIT(DET_EACH));
}

static bool sets_overlap(const builtin_set *one, const builtin_set *other)
{
    for (uint32_t i = 0; i < one->count; i++) {
        if (set_has(other, one->objects[i]))
            return true;
    }
    return false;
}

/* "The bottles in a row, a glass in front of each": of those that were put there
 * before, and no glass before a glass. ret->count 0: nothing was. */
static etna_code each_of_last(const preposition *p, builtin_set *ret)
{
    const builtin_move *const last = reader_last_move(p->r);
    builtin_set of = last ? last->objects : (builtin_set){0};
    etna_code code = ETNA_OK;
    /* "swap the two cups and put a saucer under each" */
    if (last && last->relation == RELATION_SWAP && of.count == 1) {
        const builtin_set other = set_one(p->r, last->reference);
        code = set_union(p->r, &last->objects, &other, &of);
        of.need = of.count;
    }
    const bool several =
        of.count > 1 && of.need == of.count && !sets_overlap(&of, p->movers);
    *ret = several ? of : (builtin_set){0};
    return code;
}

/* What the text before tells that "it" or "each" is; p->refs stays empty where it
 * does not. ETNA_E_INPUT: either of two things is meant. */
static etna_code preposition_find_told(preposition *p)
{
    reader *r = p->r;
    const chart_node *what = p->c->what;
    const uint32_t measured = it_is_measured_from(p);
    const uint32_t over = it_is_over_floor(p);
    const bool upon =
        p->c->relation == REL_ON && !it_is_topped(p) && !it_points_at_top(p);
    const bool put =
        it_was_put(r) && (upon || it_is_beneath(p) ||
                          preposition_is_too_large(p) || it_is_by_bearer(p));
    if (phrase_is_mere_each(what))
        return each_of_last(p, &p->refs);
    if (!phrase_is_pronoun(what, PRON_IT))
        return ETNA_OK;
    if (over != BUILTIN_NONE) {
        p->refs = set_one(r, over);
        return ETNA_OK;
    }
    /* "drive to the house and park in front": where is that thing now? */
    if (chart_child(p->c->node, "$rel_bare") &&
        set_is_within(p->movers, &r->memory.last))
        return reader_refuse_unclear(r, p->c->node);
    if (put && upon && it_is_either(p))
        return reader_refuse_said(r, CODE_AMBIGUOUS, what,
                                  "which of the two that is is not clear");
    /* "the box on the tray and the cup on it" */
    if (put || it_is_beside_too(r, p->c->relation))
        p->refs = set_one(r, put && upon ? it_stands_upon(r, p->movers)
                                         : r->memory.last_reference);
    else if (measured != BUILTIN_NONE)
        p->refs = set_one(r, measured);
    return ETNA_OK;
}

static bool object_bears_not(const reader *r,
                             uint32_t object,
                             const void *context)
{
    const uint32_t *const borne = context;
    return !builtin_stands_on(r->facts, *borne, object);
}

/* "On the nightstand next to the book", of two: on the one that the book stands
 * on. The refusal that was made stays where that does not help. */
static etna_code preposition_find_by_neighbour(preposition *p,
                                               const reader *before)
{
    reader *const r = p->r;
    const reader refused = *r;
    const etna_error why = *r->err;
    const refer_scope any = {.on = BUILTIN_NONE};
    refer_scope scope = p->scope;
    builtin_set others = {0};
    uint32_t by = BUILTIN_NONE;
    if (!p->c->neighbour || strcmp(r->refusal.code, "ambiguous") != 0)
        return ETNA_E_INPUT;
    *r = *before;
    etna_code code = refer_peek_one(r, p->c->neighbour, &any, &by);
    if (code == ETNA_OK && by < r->facts->object_count)
        code = set_filter(r, object_bears_not, &by, &others);
    scope.barred = &others;
    if (code == ETNA_OK && others.count > 0)
        code = refer_things(r, p->c->what, &scope, &p->refs);
    if (code == ETNA_OK && others.count > 0) {
        *r->err = (etna_error){0};
        return ETNA_OK;
    }
    *r = refused;
    *r->err = why;
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_E_INPUT;
}

/* What its words name. */
static etna_code preposition_find_named(preposition *p)
{
    reader *r = p->r;
    const chart_node *what = p->c->what;
    /* "each chair up to its own table": to whichever is that chair's */
    const bool own = p->movers->count > 1 && phrase_is_own(r, what);
    p->scope.any = p->scope.any || own;
    const reader before = *r;
    etna_code code = refer_things(r, what, &p->scope, &p->refs);
    if (code == ETNA_E_INPUT)
        code = preposition_find_by_neighbour(p, &before);
    if (code == ETNA_OK && own) {
        p->refs.need = p->refs.count;
        p->scope.many = true;
    }
    if (code == ETNA_OK && phrase_is_mere_each(what))
        return reader_refuse_said(r, CODE_UNREAD, what, "of what is not said");
    return code;
}

/* What the phrase relates to. Where no other thing fits it may be one of the
 * movers: then that one stays. */
etna_code preposition_find(preposition *p)
{
    reader *r = p->r;
    etna_code code = preposition_find_told(p);
    if (code != ETNA_OK || p->refs.count > 0)
        return code;
    reader before = *r;
    code = preposition_find_named(p);
    bool among = p->movers->count > 1 && p->scope.barred;
    if (code != ETNA_E_INPUT || !among)
        return code;
    /* "everything on the floor into the hamper", which stands there */
    *r = before;
    p->scope.barred = NULL;
    code = refer_things(r, p->c->what, &p->scope, &p->refs);
    if (code == ETNA_OK && p->refs.count == 1)
        r->memory.not_moved = p->refs.objects[0] + 1;
    return code;
}

/* The less, the rather it is meant: "to the left of the plates" is of the
 * leftmost one. */
static double reference_rank(const reader *r,
                             uint32_t object,
                             const void *context)
{
    const preposition *p = context;
    double right[2], away[2];
    if (bit_is_in(p->c->relation, RELS_NEAR))
        return object_way(r, object, p->movers->objects[0]);
    builtin_picture_axes(r->facts, right, away);
    const double *at = object_at(r, object)->centre;
    double aside = at[0] * right[0] + at[1] * right[1];
    double ahead = at[0] * away[0] + at[1] * away[1];
    switch (p->c->relation) {
    case REL_LEFT: return aside;
    case REL_RIGHT: return -aside;
    case REL_FRONT: return ahead;
    default: return -ahead;
    }
}

/* "Left of the towels", where one thing is a stack of them: that is the
 * towels. */
static void preposition_pick_collection(preposition *p)
{
    uint32_t found = 0, which = BUILTIN_NONE;
    for (uint32_t i = 0; i < p->refs.count; i++) {
        const builtin_object *o = object_at(p->r, p->refs.objects[i]);
        bool several = false;
        for (uint32_t k = 1; k < o->word_count; k++)
            several = several || match_is_collection(o->words[k]);
        found += several;
        which = several ? p->refs.objects[i] : which;
    }
    if (found == 1 && p->refs.count > 1)
        p->refs = set_one(p->r, which);
}

/* "On the other two", which lie one on another: on the upper one. */
static void preposition_pick_top(preposition *p)
{
    const builtin_set *const refs = &p->refs;
    for (uint32_t i = 0; i < refs->count; i++) {
        const uint32_t top = refs->objects[i];
        bool above_all = true;
        for (uint32_t k = 0; k < refs->count && above_all; k++)
            above_all = refs->objects[k] == top ||
                        builtin_is_above(p->r->facts, top, refs->objects[k]);
        if (!above_all)
            continue;
        p->refs = set_one(p->r, top);
        return;
    }
}

/* "Within reach of both chairs", "next to the two stools", "before the two
 * stools", which may face otherwise. "Next to the other two" is by one, and to
 * their left is to the left of the leftmost one. */
static bool preposition_is_by_each(const preposition *p)
{
    const chart_node *const what = p->c->what;
    const quantity said = phrase_quantity(phrase_thing(what));
    if (phrase_is_each(what) || node_is(what, "AND") || (said.says & SAYS_BOTH))
        return true;
    const bool of_fronts =
        bit_is_in(p->c->relation, BIT(REL_FRONT) | BIT(REL_BEHIND)) &&
        object_is_seat(p->r, p->refs.objects[0]);
    return said.number == p->refs.count &&
           (of_fronts || bit_is_in(p->c->relation, RELS_NEAR)) &&
           !(said.says & (SAYS_OTHER | SAYS_REST));
}

/* The two of a set that stand farthest from one another. */
static void set_ends(const reader *r, const builtin_set *set, uint32_t ret[2])
{
    double most = -1;
    for (uint32_t i = 0; i < set->count; i++) {
        const double *const a = object_at(r, set->objects[i])->centre;
        for (uint32_t k = i + 1; k < set->count; k++) {
            const double *const b = object_at(r, set->objects[k])->centre;
            const double dx = a[0] - b[0], dy = a[1] - b[1];
            const double far = dx * dx + dy * dy;
            if (far > most) {
                most = far;
                ret[0] = set->objects[i];
                ret[1] = set->objects[k];
            }
        }
    }
}

/* Is "behind them" a side that they have in common: do they look one way, or
 * has none of them a front? */
static bool pair_has_sides(const reader *r, const uint32_t pair[2])
{
    double fronts[2][2];
    const bool looks[2] = {builtin_front_of(r->facts, pair[0], fronts[0]),
                           builtin_front_of(r->facts, pair[1], fronts[1])};
    if (!looks[0] && !looks[1])
        return true;
    double front[2];
    return builtin_pair_front(r->facts, pair, front);
}

/* "Behind the two candles", "in front of the chairs": behind them as one, from
 * the first to the last of them. */
static bool preposition_takes_pair(preposition *p)
{
    const uint32_t sides = BIT(REL_FRONT) | BIT(REL_BEHIND);
    const builtin_set *refs = &p->refs;
    const bool all = p->scope.many && refs->need == refs->count;
    const bool one_by_some = p->movers->count == 1 && refs->count > 1;
    if (!bit_is_in(p->c->relation, sides) || !all || !one_by_some)
        return false;
    const bool one_phrase =
        node_is(p->c->what, "THING") && !phrase_is_each(p->c->what);
    uint32_t pair[2];
    set_ends(p->r, refs, pair);
    const double a_board = 0.05; /* metres */
    const double step = builtin_foot(object_at(p->r, pair[0])) -
                        builtin_foot(object_at(p->r, pair[1]));
    if (!one_phrase || fabs(step) > a_board || !pair_has_sides(p->r, pair))
        return false;
    p->refs = set_one(p->r, pair[0]);
    p->to.second = pair[1];
    return true;
}

/* Of several things, the one that is meant where only one can be. */
static void preposition_pick(preposition *p)
{
    const chart_node *what = p->c->what;
    builtin_set *refs = &p->refs;
    const bool upon = p->c->relation == REL_ON && p->movers->count == 1 &&
                      node_is(what, "THING");
    if (upon && refs->count > 1 && refs->need == refs->count)
        preposition_pick_top(p);
    if (refs->need == refs->count && node_is(what, "THING") &&
        !phrase_is_each(what))
        preposition_pick_collection(p);
    if (preposition_takes_pair(p))
        return;
    bool all =
        p->scope.many && refs->need == refs->count && p->movers->count == 1;
    const bool near_some =
        refs->count > 1 && bit_is_in(p->c->relation, RELS_NEAR | RELS_SIDE);
    if (all && near_some && !preposition_is_by_each(p)) {
        *refs = set_one(p->r, set_least(p->r, refs, reference_rank, p));
        p->to.is_one_of = true;
    }
    if (p->scope.any && refs->need == 1)
        *refs = set_one(p->r, set_nearest(p->r, refs, p->movers->objects[0]));
}

/* Of what the things may stand on, what holds most of them. */
static double bearer_rank(const reader *r, uint32_t object, const void *context)
{
    (void)context;
    return object_bears_things(r, object) ? -object_area(r, object) : 0;
}

/* "Next to the two cushions", of three: by which of them is not said. */
static bool preposition_is_of_some(const preposition *p)
{
    const bool one_place =
        p->movers->count == 1 && node_is(p->c->what, "THING") &&
        bit_is_in(p->c->relation, RELS_NEAR | RELS_SIDE | BIT(REL_ON));
    return one_place && p->refs.need > 1 && p->refs.need < p->refs.count;
}

/* "Each candle next to a plate": by another one each, where there are as
 * many. */
static bool preposition_deals_beside(const preposition *p)
{
    const builtin_set *refs = &p->refs;
    const builtin_set *movers = p->movers;
    const bool any = refs->need == 1 && node_is(p->c->what, "THING") &&
                     node_says(p->c->what, "$det", BIT(DET_A));
    const bool all = movers->count > 1 && movers->need == movers->count;
    const bool enough = all && refs->count >= movers->count;
    return p->r->deals && any && enough &&
           bit_is_in(p->c->relation, RELS_NEAR | RELS_SIDE);
}

/* Of several references the one for each mover, or any. */
etna_code preposition_choose(preposition *p)
{
    const chart_node *what = p->c->what;
    const builtin_set *refs = &p->refs;
    if (preposition_is_of_some(p))
        return reader_refuse_finally(
            p->r, reader_refuse_said(p->r, CODE_AMBIGUOUS, what,
                                     "which of them these are is not clear"));
    preposition_pick(p);
    p->to.reference = refs->objects[0];
    if (refs->count == 1)
        return ETNA_OK;
    if (refs->need == refs->count && !p->scope.many)
        return reader_refuse(p->r, CODE_AMBIGUOUS, what,
                             "\"%s\" means %u things", reader_said(p->r, what),
                             refs->count);
    if (preposition_deals_beside(p))
        return set_deal(p->r, p->movers, refs, &p->to.each);
    const bool either = node_is(what, "OR");
    /* "onto one table", as many as there are of both */
    const bool one = phrase_quantity(phrase_thing(what)).number == 1;
    const bool as_many = refs->count == p->movers->need && !either && !one;
    const bool one_each = p->r->deals || as_many;
    const bool several = p->upon && p->movers->count > 1;
    /* "each cup on a saucer"; "both cups on a tray" is one tray */
    const bool dealt = several && one_each;
    const bool any = refs->need == 1 && several && !dealt;
    if (any)
        p->to.reference = set_nearest(p->r, refs, p->movers->objects[0]);
    if (any && either)
        p->to.reference = set_least(p->r, refs, bearer_rank, NULL);
    if (refs->need == 1 ? dealt : p->scope.many)
        p->to.each = *refs;
    return ETNA_OK;
}
