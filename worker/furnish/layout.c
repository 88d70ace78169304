/* The search: in which order things come, and which rooms are kept.
 *
 * A beam search. Things are ordered so that each comes after what its relations
 * name; an item is tried at many places (layout_tries.c), every place is scored
 * (layout_score.c), and the best few rooms go on to the next item. The same
 * brief and seed give the same room. */
#include "worker/furnish/layout_search_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEAM = 6,
    ATTEMPTS = 5,
    MANY = 60 /* items */
};

/* ---- order ---- */

/* Square metres that it takes. */
static double foot_of(const layout_thing *t)
{
    return t->model_count ? t->models[0].size[0] * t->models[0].size[2] : 0;
}

/* The order in which things are placed: walls first, what stands on others
 * last. */
static int class_of(const layout_thing *t)
{
    switch (t->footing) {
    case HABITS_AT_WALL: return 0;
    case HABITS_FREE: return 1;
    case HABITS_CORNER: return 2;
    case HABITS_FLAT: return 3;
    case HABITS_HUNG: return 4;
    case HABITS_CEILING: return 5;
    case HABITS_ON: break;
    }
    return 6;
}

/* Does a come before b, both being ready? */
static bool thing_is_sooner(const search *s, uint32_t a, uint32_t b)
{
    const layout_thing *t = &s->c.things[a];
    const layout_thing *u = &s->c.things[b];
    if ((t->footing == HABITS_ON) != (u->footing == HABITS_ON))
        return u->footing == HABITS_ON;
    if (s->raised[a] != s->raised[b])
        return s->raised[a] > s->raised[b];
    if (t->told != u->told)
        return t->told;
    int i = class_of(t);
    int k = class_of(u);
    if (i != k)
        return i < k;
    double x = foot_of(t);
    double y = foot_of(u);
    return x != y ? x > y : a < b;
}

/* Everything that it is to stand by has been placed. */
static bool thing_is_ready(const search *s, const bool *done, uint32_t thing)
{
    const layout_thing *t = &s->c.things[thing];
    for (uint32_t i = 0; i < t->tie_count; i++) {
        uint32_t anchor = t->ties[i].anchor;
        bool waits = anchor != LAYOUT_NONE && anchor != thing;
        if (waits && !done[anchor])
            return false;
    }
    return true;
}

/* Items of one thing come one after another. */
static void order_put(search *s, uint32_t *count, uint32_t thing)
{
    for (uint32_t k = 0; k < s->c.things[thing].count; k++)
        s->order[(*count)++] = s->first[thing] + k;
}

/* Is it said where in the room it is? */
static bool has_told_place(const layout_thing *t)
{
    for (uint32_t i = 0; i < t->tie_count; i++) {
        if (t->ties[i].told && t->ties[i].anchor == LAYOUT_NONE)
            return true;
    }
    return false;
}

/* Does a come before b: what waits for nothing, and of these the soonest? Of those
 * that wait for one another what is told to be somewhere: an armchair in a
 * corner, and then the table beside it. */
static bool thing_comes_first(const search *s,
                              const bool *done,
                              uint32_t a,
                              uint32_t b)
{
    bool a_ready = thing_is_ready(s, done, a);
    bool b_ready = thing_is_ready(s, done, b);
    bool a_told = has_told_place(&s->c.things[a]);
    bool b_told = has_told_place(&s->c.things[b]);
    if (!a_ready && !b_ready && a_told != b_told)
        return a_told;
    return a_ready == b_ready ? thing_is_sooner(s, a, b) : a_ready;
}

/* LAYOUT_NONE: all have their turn. */
static uint32_t order_next(const search *s, const bool *done)
{
    uint32_t best = LAYOUT_NONE;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        if (done[i])
            continue;
        if (best == LAYOUT_NONE || thing_comes_first(s, done, i, best))
            best = i;
    }
    return best;
}

/* What is there already, then anchors first; where things wait for one another
 * the one that would come soonest goes. */
void search_order(search *s)
{
    bool done[LAYOUT_ITEMS_MAX] = {false};
    uint32_t count = 0, things = 0;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        if (!s->c.things[i].fixed)
            continue;
        done[i] = true;
        things++;
        order_put(s, &count, i);
    }
    for (uint32_t n = things; n < s->thing_count; n++) {
        uint32_t next = order_next(s, done);
        done[next] = true;
        order_put(s, &count, next);
    }
}

/* ---- the best places ---- */

/* Rooms that differ by so little are one. */
static bool is_alike(const layout_place *a, const layout_place *b)
{
    return a->heading == b->heading && fabs(a->x - b->x) < 0.35 &&
           fabs(a->z - b->z) < 0.35;
}

/* Keeps the candidate among the best SEARCH_BRANCHES, the best first, unless one like
 * it is as good. */
static void branch_offer(candidate ret[SEARCH_BRANCHES],
                         uint32_t *count,
                         const candidate *c)
{
    uint32_t at = 0;
    while (at < *count && !is_alike(&ret[at].place, &c->place))
        at++;
    if (at == *count && *count < SEARCH_BRANCHES) {
        (*count)++;
    } else {
        if (at == *count)
            at--; /* none is like it: the worst goes */
        if (ret[at].score >= c->score)
            return;
    }
    for (; at > 0 && ret[at - 1].score < c->score; at--)
        ret[at] = ret[at - 1];
    ret[at] = *c;
}

/* Offers those among the places tried that are free; `less`: what their scores
 * are lowered by. */
static void places_pick(search *s,
                        const layout_plan *plan,
                        uint32_t item,
                        double less,
                        candidate ret[SEARCH_BRANCHES],
                        uint32_t *count)
{
    bool backward = search_has_backward_ties(s, plan, s->thing_of[item]);
    for (uint32_t i = 0; i < s->tried_count; i++) {
        candidate *c = &s->tried[i];
        if (!layout_is_free(&s->c, plan, item, &c->place) ||
            !search_rows_are_free(s, plan, item, &c->place))
            continue;
        c->score = search_score(s, plan, item, &c->place, backward) - less;
        branch_offer(ret, count, c);
    }
}

/* Does all that the text says of the item hold at that place? What it is tied
 * to may not be there. */
static bool told_holds(const search *s,
                       const layout_plan *plan,
                       uint32_t item,
                       const layout_place *p)
{
    const layout_thing *t = &s->c.things[p->thing];
    for (uint32_t i = 0; i < t->tie_count; i++) {
        double residual =
            t->ties[i].told
                ? layout_tie_residual(&s->c, plan, item, p, &t->ties[i])
                : 0;
        if (residual > 0 && residual < INFINITY)
            return false;
    }
    return true;
}

/* ---- the beam ---- */

/* A copy of the plan with the candidate, or without the item (c NULL). A place
 * that makes others unreachable pays for that. */
static void next_add(search *s,
                     const layout_plan *from,
                     uint32_t item,
                     const candidate *c)
{
    layout_plan *to = &s->next[s->next_count++];
    *to = *from;
    if (c)
        to->items[item] = c->place;
    if (c)
        to->score += c->score;
    if (!c || !layout_is_solid(&s->c, &c->place))
        return;
    uint32_t before = layout_count_unreached(s->c.room, s->c.things, from);
    uint32_t now = layout_count_unreached(s->c.room, s->c.things, to);
    to->score -= 30.0 * now - 30.0 * before;
}

/* The model that this item takes: as the other items of its thing, unless they
 * are to differ. */
static uint32_t model_bound(const search *s,
                            const layout_plan *plan,
                            uint32_t item)
{
    uint32_t thing = s->thing_of[item];
    if (s->c.things[thing].different)
        return LAYOUT_NONE;
    for (uint32_t i = s->first[thing]; i < item; i++) {
        if (plan->items[i].placed)
            return plan->items[i].model;
    }
    return LAYOUT_NONE;
}

/* As large as told before others, and of these the smaller. */
static bool model_is_smaller(const layout_model *a, const layout_model *b)
{
    if (a->misfits != b->misfits)
        return b->misfits;
    return a->size[0] * a->size[2] < b->size[0] * b->size[2];
}

/* The models in their order of preference, shifted for each copy where they are
 * to differ; in a small room the smallest first. */
static uint32_t model_at(const search *s, uint32_t item, uint32_t rank)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    uint32_t shift = t->different ? item - s->first[s->thing_of[item]] : 0;
    if (!s->small || t->footing == HABITS_ON)
        return (rank + shift) % t->model_count;
    bool used[LAYOUT_MODELS_MAX] = {false};
    uint32_t best = 0;
    for (uint32_t n = 0; n <= rank; n++) {
        best = LAYOUT_NONE;
        for (uint32_t i = 0; i < t->model_count; i++) {
            bool is_better = best == LAYOUT_NONE ||
                             model_is_smaller(&t->models[i], &t->models[best]);
            if (!used[i] && is_better)
                best = i;
        }
        used[best] = true;
    }
    return best;
}

/* The first model of which all items of the thing have room where they are to
 * stand, as they are to be alike; LAYOUT_NONE: of none, or they may differ. */
static uint32_t model_for_all(const search *s,
                              const layout_plan *plan,
                              uint32_t item)
{
    uint32_t thing = s->thing_of[item];
    const layout_thing *t = &s->c.things[thing];
    for (uint32_t rank = 0; !t->different && rank < t->model_count; rank++) {
        uint32_t model = model_at(s, item, rank);
        if (search_bears_all(s, plan, thing, model))
            return model;
    }
    return LAYOUT_NONE;
}

/* On something, by the first model that has a place there: on what it is tied
 * to, else, where it is told to come, tightly there, or on whatever can bear it.
 * True: it is. */
static bool expand_on(search *s,
                      const layout_plan *from,
                      uint32_t item,
                      uint32_t bound)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    if (search_is_grounded(s, item))
        return false;
    const int ways = t->told ? BEARING_COUNT : BEARING_TIGHT;
    if (bound == LAYOUT_NONE && t->count > 1)
        bound = model_for_all(s, from, item);
    for (int way = 0; way < ways; way++) {
        for (uint32_t rank = 0; rank < t->model_count; rank++) {
            uint32_t model =
                bound != LAYOUT_NONE ? bound : model_at(s, item, rank);
            layout_plan *to = &s->next[s->next_count];
            *to = *from;
            if (!search_place_on(s, to, item, model, (search_bearing)way))
                continue;
            to->score += way == BEARING_ROOMY ? 5 : 0;
            s->next_count++;
            return true;
        }
    }
    return false;
}

/* The first model decides that has a place where all holds that is told; else
 * the best places of all. Without any the item is left out, which costs 60
 * where it was told. What is told to stand on something and finds no place on
 * anything stands on the floor. */
static void expand(search *s, const layout_plan *from, uint32_t item)
{
    const double less_each = 1; /* of a model that serves less well */
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    const bool is_borne = t->footing == HABITS_ON;
    uint32_t bound = model_bound(s, from, item);
    uint32_t count = 0;
    candidate best[SEARCH_BRANCHES];
    s->states++;
    if (is_borne && expand_on(s, from, item, bound))
        return;
    const uint32_t models = is_borne && !t->told ? 0 : t->model_count;
    for (uint32_t rank = 0; rank < models; rank++) {
        uint32_t model = bound != LAYOUT_NONE ? bound : model_at(s, item, rank);
        search_try_places(s, from, item, model);
        places_pick(s, from, item, less_each * rank, best, &count);
        /* on the floor nothing holds that is told of it by any model */
        bool is_well =
            count && (is_borne || told_holds(s, from, item, &best[0].place));
        if (is_well || bound != LAYOUT_NONE)
            break;
    }
    for (uint32_t i = 0; i < count; i++)
        next_add(s, from, item, &best[i]);
    if (count)
        return;
    next_add(s, from, item, NULL);
    s->next[s->next_count - 1].score -= t->told ? 60 : 1;
}

/* The best first. */
static int plan_order(const void *a, const void *b)
{
    double x = ((const layout_plan *)a)->score;
    double y = ((const layout_plan *)b)->score;
    return (x < y) - (x > y);
}

/* Keeps the best; equal ones in the order in which they were made (a stable
 * order: the same on every machine). */
static void beam_take(search *s)
{
    s->beam_count = 0;
    for (uint32_t n = 0; n < BEAM && n < s->next_count; n++) {
        uint32_t best = LAYOUT_NONE;
        for (uint32_t i = 0; i < s->next_count; i++) {
            bool is_better = best == LAYOUT_NONE ||
                             plan_order(&s->next[best], &s->next[i]) > 0;
            if (!isnan(s->next[i].score) && is_better)
                best = i;
        }
        if (best == LAYOUT_NONE)
            return;
        s->beam[s->beam_count++] = s->next[best];
        s->next[best].score = NAN;
    }
}

#define SHARE_MOST \
    0.45 /* of the floor: what was not told is left out beyond it */

/* Of what was not told comes what is named first, and the rest is spared once
 * that fills the floor: a bedroom has its nightstands rather than a dresser. */
static void spare(search *s)
{
    const double floor = s->c.room->width * s->c.room->depth;
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->thing_count; i++) {
            const layout_thing *t = &s->c.things[i];
            bool is_of_pass = t->told == (pass == 0);
            bool takes_floor = t->model_count && t->footing <= HABITS_CORNER;
            if (!is_of_pass || !takes_floor)
                continue;
            s->spared[i] = !t->told && sum > SHARE_MOST * floor;
            if (s->spared[i])
                continue;
            const uint32_t model = model_at(s, s->first[i], 0);
            const double *size = t->models[model].size;
            sum += size[0] * size[2] * t->count;
        }
    }
}

/* Why an item is not there, in all plans. */
static void spared_mark(search *s, uint32_t item)
{
    for (uint32_t i = 0; i < s->beam_count; i++)
        s->beam[i].items[item].spared = true;
}

static void step(search *s, uint32_t item)
{
    const uint32_t thing = s->thing_of[item];
    const layout_thing *t = &s->c.things[thing];
    bool is_skipped = !t->told && (s->bare || s->spared[thing]);
    if (is_skipped && !t->fixed)
        spared_mark(s, item);
    if (is_skipped || t->fixed || !t->model_count)
        return;
    s->next_count = 0;
    for (uint32_t i = 0; i < s->beam_count; i++)
        expand(s, &s->beam[i], item);
    beam_take(s);
}

void search_begin(const search *s, layout_plan *ret)
{
    *ret = (layout_plan){.item_count = s->item_count};
    for (uint32_t i = 0; i < s->item_count; i++) {
        const layout_thing *t = &s->c.things[s->thing_of[i]];
        ret->items[i] = t->fixed ? t->fixed[i - s->first[s->thing_of[i]]]
                                 : (layout_place){.thing = s->thing_of[i],
                                                  .on = LAYOUT_NONE};
    }
}

/* One search from the beginning: a beam of plans, item by item. */
static void attempt(search *s)
{
    search_order(s);
    spare(s);
    s->beam_count = 1;
    search_begin(s, &s->beam[0]);
    for (uint32_t i = 0; i < s->item_count; i++)
        step(s, s->order[i]);
}

uint32_t search_unmet(const search *s, const layout_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *p = &plan->items[i];
        count += p->placed && !told_holds(s, plan, i, p);
    }
    return count;
}

/* What is told of an item and something that could be there and is not. */
static uint32_t ties_cut(const search *s, const layout_plan *plan)
{
    bool is_there[LAYOUT_ITEMS_MAX] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++)
        is_there[s->thing_of[i]] |= plan->items[i].placed;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        const layout_thing *t = &s->c.things[i];
        for (uint32_t k = 0; is_there[i] && k < t->tie_count; k++) {
            uint32_t anchor = t->ties[k].anchor;
            bool is_told = t->ties[k].told && anchor != LAYOUT_NONE;
            count += is_told && s->c.things[anchor].model_count > 0 &&
                     !is_there[anchor];
        }
    }
    return count;
}

static bool item_is_missing(const search *s,
                            const layout_plan *plan,
                            uint32_t item)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    return !plan->items[item].placed && t->told && t->model_count;
}

/* A bedroom without its bed is none. */
uint32_t search_missing(const search *s, const layout_plan *plan)
{
    const double weight = 4, more = 2; /* of an item, of a square metre */
    double sum = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (item_is_missing(s, plan, i))
            sum += weight + more * foot_of(&s->c.things[s->thing_of[i]]);
    }
    return (uint32_t)sum;
}

/* What found no place comes earlier next time. */
static void missing_raise(search *s, const layout_plan *plan)
{
    for (uint32_t i = 0; i < plan->item_count; i++)
        s->raised[s->thing_of[i]] += item_is_missing(s, plan, i);
}

/* Up to ATTEMPTS, each with other chances, with smaller models from the third on
 * and bare necessities from the fourth; the plan that lacks least. */
static void search_run(search *s, layout_plan *ret)
{
    const uint64_t seed = s->seed;
    const uint64_t apart = 0x9e3779b97f4a7c15u;
    uint32_t least = LAYOUT_NONE, lost_places = 0;
    for (uint32_t n = 0; n < ATTEMPTS && least > 0; n++) {
        /* with many things what merely does not hold is not worth the time */
        if (n > 0 && s->item_count > MANY && !lost_places)
            break;
        s->small = n >= 2;
        s->bare = n >= 3;
        s->seed = seed + n * apart;
        attempt(s);
        search_make_way(s, &s->beam[0]);
        lost_places = search_missing(s, &s->beam[0]);
        missing_raise(s, &s->beam[0]);
        uint32_t lost =
            lost_places + search_unmet(s, &s->beam[0]) +
            ties_cut(s, &s->beam[0]) +
            3 * layout_count_unreached(s->c.room, s->c.things, &s->beam[0]);
        if (lost >= least)
            continue;
        least = lost;
        *ret = s->beam[0];
        memcpy(ret->order, s->order, sizeof ret->order);
        ret->attempts = n + 1;
    }
    search_clear_way(s, ret);
    ret->states = s->states;
}

/* NULL is fine. */
void search_free(search *s)
{
    if (!s)
        return;
    free(s->tried);
    free(s->beam);
    free(s->next);
    free(s);
}

/* NULL: out of memory. */
search *search_new(const layout_room *room,
                   const layout_thing *things,
                   uint32_t thing_count,
                   uint64_t seed)
{
    search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s =
        (search){.c = {room, things}, .thing_count = thing_count, .seed = seed};
    s->tried = calloc(SEARCH_TRIES_MOST, sizeof *s->tried);
    s->beam = calloc(BEAM, sizeof *s->beam);
    s->next = calloc(BEAM * SEARCH_BRANCHES + BEAM, sizeof *s->next);
    if (!s->tried || !s->beam || !s->next) {
        search_free(s);
        return NULL;
    }
    for (uint32_t i = 0; i < thing_count; i++) {
        s->first[i] = s->item_count;
        for (uint32_t k = 0; k < things[i].count; k++)
            s->thing_of[s->item_count++] = i;
    }
    return s;
}

etna_code search_check(const layout_thing *things,
                       uint32_t thing_count,
                       etna_error *err)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < thing_count; i++)
        items += things[i].count;
    if (items > LAYOUT_ITEMS_MAX || thing_count > LAYOUT_ITEMS_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%llu things are more than the %d that one room is furnished with",
            (unsigned long long)items, LAYOUT_ITEMS_MAX);
    return ETNA_OK;
}

/* Deterministic for one seed. ETNA_E_LIMIT: too many things for a room. */
etna_code layout_search(const layout_room *room,
                        const layout_thing *things,
                        uint32_t thing_count,
                        uint64_t seed,
                        layout_plan *ret,
                        etna_error *err)
{
    etna_code code = search_check(things, thing_count, err);
    if (code != ETNA_OK)
        return code;
    search *s = search_new(room, things, thing_count, seed);
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the search");
    search_run(s, ret);
    search_free(s);
    return ETNA_OK;
}
