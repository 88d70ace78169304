/* What is said of a thing behind its noun: where it stands, what it has, what
 * it is nearest to. A modifier leaves out candidates, or tells the query an
 * order in which the one that is meant comes first. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/modify_internal.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"
#include "worker/math/vec.h"

#include <math.h>

const chart_node *node_last(const chart_node *node)
{
    return node->child_count ? node->children[node->child_count - 1] : NULL;
}

etna_code modifier_things(reader *r,
                          const chart_node *phrase,
                          const refer_scope *scope,
                          builtin_set *ret)
{
    reader_memory memory = r->memory;
    etna_code code = refer_things(r, phrase, scope, ret);
    r->memory = memory;
    return code;
}

/* ---- places ---- */

enum {
    /* one is meant rather than another that is clearly nearer, and of many both
     * are */
    COST_FARTHER = 10,
    /* named so by its kind's kind only */
    COST_KIN = 40
};

static bool way_is_clearly_more(double way, double than)
{
    const double lead = 0.15; /* metres */
    return way > 2 * than + lead;
}

/* Where none of several stands within reach of it: the one that is clearly
 * nearer than all others. */
static etna_code place_keep_nearest(reader *r,
                                    const chart_node *where,
                                    candidates *c)
{
    const double farthest = 4; /* metres */
    double least = INFINITY, second = INFINITY;
    uint32_t best = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double way;
        etna_code code = where_way(r, where, c->items[i].object, &way);
        if (code != ETNA_OK)
            return code;
        if (way < least)
            best = i;
        second = way < least ? least : math_min(second, way);
        least = math_min(least, way);
    }
    const bool leads = least < farthest && way_is_clearly_more(second, least);
    if (leads)
        candidates_only(c, best);
    if (!leads)
        c->count = 0;
    return ETNA_OK;
}

/* How far each is from standing there, and the least of it. */
static etna_code place_measure(reader *r,
                               const chart_node *where,
                               const candidates *c,
                               double *ret_ways,
                               double *ret_least)
{
    where_found found;
    etna_code code = c->count > 0 ? where_find(r, where, &found) : ETNA_OK;
    *ret_least = INFINITY;
    for (uint32_t i = 0; i < c->count && code == ETNA_OK; i++) {
        double *way = &ret_ways[i];
        code = where_found_holds(r, &found, c->items[i].object, way);
        if (code == ETNA_OK && *way < *ret_least)
            *ret_least = *way;
    }
    return code;
}

/* Keeps those whose way is about the least, or the others. */
static void candidates_keep_near(candidates *c,
                                 const double *ways,
                                 double least,
                                 bool wanted)
{
    const double slack = 0.5; /* metres */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        bool holds = isfinite(ways[i]) && ways[i] <= least + slack;
        if (holds != wanted)
            continue;
        c->items[kept] = c->items[i];
        if (wanted && way_is_clearly_more(ways[i], least))
            c->items[kept].cost += COST_FARTHER;
        kept++;
    }
    c->count = kept;
}

/* Those that stand there, no more than half a metre worse than the best of
 * them; or those that do not. Where a thing is called a coffee table, "the
 * coffee table by the plant" is no other low table. */
etna_code place_select(reader *r,
                       const chart_node *where,
                       bool wanted,
                       candidates *c)
{
    if (wanted)
        candidates_within(c, COST_KIN);
    double *ways = etna_arena_alloc(r->arena, c->count + 1u, sizeof *ways);
    if (!ways)
        return reader_no_memory(r);
    double least = INFINITY;
    etna_code code = place_measure(r, where, c, ways, &least);
    if (code != ETNA_OK)
        return code;
    if (wanted && !isfinite(least) && c->count > 1)
        return place_keep_nearest(r, where, c);
    candidates_keep_near(c, ways, least, wanted);
    return ETNA_OK;
}

/* "The bread on the counter", where there is one bread: a place to put it
 * rather than words to tell it by. So is "the jug to the left of it", of what
 * was moved just before. */
static uint32_t place_cost(const modification *m)
{
    const uint32_t tells_nothing = 12, of_it = 30; /* hundredths */
    const bool bare = m->mod->child_count == 1;
    const chart_node *const rel = m->mod->children[0];
    const chart_node *const what =
        bare && node_is(rel, "REL") ? node_phrase(rel, 0) : NULL;
    const bool moved = m->r->reading->count > m->r->first_move;
    if (moved && what && phrase_is_pronoun(what, PRON_IT))
        return of_it;
    return bare && candidates_near(m->found) == 1 ? tells_nothing : 0;
}

/* "Take the paper off the chair", "the lamp over to the bed": to be done, and
 * nothing that tells which paper. */
static bool place_asks(const modification *m)
{
    const chart_node *rel = m->mod->child_count == 1
                                ? chart_child(m->mod->children[0], "$rel")
                                : NULL;
    return rel &&
           bit_is_in(rel->value, BIT(REL_OFF) | BIT(REL_TO) | BIT(REL_OVER_TO));
}

/* "On the ground", in a scene that has none by name. */
static bool place_is_nameless_ground(const modification *m,
                                     const chart_node *where)
{
    const chart_node *rel =
        node_is(where, "REL") ? chart_child(where, "$rel") : NULL;
    if (!rel || rel->value != REL_ON ||
        refer_floor(m->r->facts) != BUILTIN_NONE)
        return false;
    return word_is_ground(reader_word(m->r, where->end - 1));
}

/* What stands on nothing that has a name stands there. */
static bool object_stands_on_nothing(const void *context, uint32_t object)
{
    const builtin_facts *facts = context;
    return facts->objects[object].by_count == 0 &&
           !facts->objects[object].attached;
}

/* "That was on the floor": where it stood before anything was moved. */
bool place_is_past(const modification *m)
{
    const chart_node *be = chart_child(m->mod, "$be");
    return be && reader_lists(m->r, be->first, "state: was");
}

/* "the cup that was on the desk": by where things were at the start. r->facts
 * is set back in any case. */
static etna_code place_select_then(const modification *m,
                                   const chart_node *where)
{
    const builtin_facts *const now = m->r->facts;
    builtin_facts then;
    etna_code code = builtin_facts_at_start(now, m->r->arena, &then, m->r->err);
    if (code != ETNA_OK)
        return reader_no_memory(m->r);
    m->r->facts = &then;
    code = place_select(m->r, where, true, m->found);
    m->r->facts = now;
    return code;
}

/* "On the table in front of each chair": so many places, and no words that tell
 * which table. */
static bool place_is_dealt(const chart_node *where)
{
    for (uint32_t i = 0; i < where->child_count; i++) {
        if (phrase_is_each(where->children[i]))
            return true;
    }
    return false;
}

/* "A lamp on one of the tables. Put it on the other one": of the tables. */
static etna_code place_remember_noun(reader *r, const chart_node *what)
{
    const reader_memory before = r->memory;
    match_query q;
    const bool one_of =
        node_is(what, "THING") && (phrase_quantity(what).says & SAYS_ANY);
    if (!one_of || !phrase_has_noun(r, what, &q))
        return ETNA_OK;
    etna_code code = refer_remember(r, &q, false);
    r->memory.noun_count = before.noun_count;
    memcpy(r->memory.nouns, before.nouns, sizeof before.nouns);
    return code;
}

/* "The cups on the table", of which "it" may mean the table later. */
static etna_code place_remember(reader *r, const chart_node *where)
{
    const chart_node *what =
        node_is(where, "REL") ? node_phrase(where, 0) : NULL;
    const refer_scope scope = refer_scope_place(NULL);
    uint32_t place = BUILTIN_NONE;
    if (!what || node_is(what, "PRON"))
        return ETNA_OK;
    etna_code code = refer_peek_one(r, what, &scope, &place);
    if (code == ETNA_OK && place < r->facts->object_count)
        r->memory.told_at = place + 1;
    if (code != ETNA_E_NOMEM)
        code = place_remember_noun(r, what);
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "The table in the kitchen" or "from the kitchen", of several rooms. False: no
 * room is said, or nothing is known to be there. */
static bool place_narrow_to_room(const modification *m, const chart_node *where)
{
    const chart_node *rel = chart_child(where, "$rel");
    const chart_node *what =
        node_is(where, "REL") ? node_phrase(where, 0) : NULL;
    const char *words[REFER_WORDS_MAX];
    const uint32_t inside = BIT(REL_IN) | BIT(REL_FROM) | BIT(REL_OFF);
    const bool in_one = rel && bit_is_in(rel->value, inside);
    if (!in_one || !what || !phrase_is_a_room_of_several(m->r, what))
        return false;
    candidates_within(m->found, SLACK_CALLED);
    return phrase_words(m->r, what, words) > 0 &&
           candidates_by_room(m->r, words[0], m->found);
}

uint32_t candidates_called(const candidates *c)
{
    uint32_t most = candidates_least(c) + SLACK_CALLED;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count += c->items[i].cost <= most;
    return count;
}

/* "The mug with the soap", of one mug, which bears no soap: not which one is
 * told, but what goes with it. */
static etna_code place_leave_company(const modification *m,
                                     const chart_node *where)
{
    const bool with =
        node_is(where, "REL") && node_says(where, "$rel", BIT(REL_WITH));
    const chart_node *const what = with ? node_phrase(where, 0) : NULL;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    candidates *const c = m->found;
    builtin_set company = {0};
    const bool one = candidates_called(c) < 2;
    const double close = 0.5; /* metres */
    uint32_t kept = 0;
    if (!what)
        return ETNA_OK;
    const etna_code found = refer_peek_things(m->r, what, &any, &company);
    if (found == ETNA_E_NOMEM)
        return reader_no_memory(m->r);
    /* no wall goes anywhere */
    if (found != ETNA_OK || company.count == 0 ||
        !object_moves(m->r->facts, company.objects[0]))
        return ETNA_OK;
    for (uint32_t i = 0; i < c->count; i++) {
        double way = INFINITY;
        const etna_code code =
            where_holds(m->r, where, c->items[i].object, &way);
        if (code != ETNA_OK)
            return code;
        /* of several the one that is by it, and not merely nearest to it */
        if (one ? way <= 0 : way < WAY_WITH_BESIDE + close)
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
    return ETNA_OK;
}

/* `once`: where the thing stood at the start. */
static etna_code place_narrow(const modification *m,
                              const chart_node *where,
                              bool once)
{
    if (place_is_dealt(where))
        return reader_refuse_said(m->r, CODE_UNREAD, m->mod,
                                  "what goes to each is not clear");
    if (where->is_terminal || place_narrow_to_room(m, where))
        return ETNA_OK;
    if (place_is_nameless_ground(m, where)) {
        candidates_select(m->found, object_stands_on_nothing, m->r->facts,
                          true);
        return ETNA_OK;
    }
    etna_code code = place_leave_company(m, where);
    if (code == ETNA_OK)
        code = once ? place_select_then(m, where)
                    : place_select(m->r, where, true, m->found);
    return code == ETNA_OK ? place_remember(m->r, where) : code;
}

/* "Everything from the table" is what stands on it: the chairs that stand by it
 * are meant by their name alone. */
static void place_leave_seats(const modification *m, const chart_node *where)
{
    const chart_node *rel = chart_child(where, "$rel");
    if (!m->query->generic || !rel || rel->value != REL_FROM)
        return;
    candidates *c = m->found;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t object = c->items[i].object;
        if (!object_is_seat(m->r, object) || !object_is_on_floor(m->r, object))
            c->items[kept++] = c->items[i];
    }
    c->count = kept > 0 ? kept : c->count;
}

/* A phrase of place behind a noun that tells which is meant. Whether it does or
 * says where to put it is asked elsewhere; here that is refused when it is
 * open. */
static etna_code modify_by_place(const modification *m)
{
    /* "bring me all the cups onto the tray": where they go */
    if (reader_lists(m->r, m->mod->first, "modify: way"))
        return reader_refuse_unread(m->r, m->mod);
    etna_code code = ETNA_OK;
    const bool once = place_is_past(m);
    if (place_asks(m))
        return reader_refuse_said(
            m->r, CODE_UNREAD, m->mod,
            "whether that says which or where is not clear");
    m->r->cost += place_cost(m);
    for (uint32_t i = 0; i < m->mod->child_count && code == ETNA_OK; i++) {
        if (!m->query->generic && candidates_called(m->found) > 1 &&
            place_is_on_one_of(m->r, m->mod->children[i], m->found))
            return reader_refuse_unread(m->r, m->mod);
        code = place_narrow(m, m->mod->children[i], once);
        place_leave_seats(m, m->mod->children[i]);
    }
    return code;
}

static etna_code modify_by_no_place(const modification *m)
{
    return place_select(m->r, node_last(m->mod), false, m->found);
}

/* ---- properties ---- */

typedef struct word_match {
    const reader *r;
    const match_query *query;
} word_match;

static bool object_is_called(const void *context, uint32_t object)
{
    const word_match *match = context;
    return reader_match(match->r, object, match->query).cost < MATCH_NOT_HEAD;
}

/* Is that shown of it: by its name, or by the name of what it is made of? */
static bool object_shows(const void *context, uint32_t object)
{
    const word_match *match = context;
    const match_result m = reader_match(match->r, object, match->query);
    return m.cost != MATCH_NONE && !m.doubtful;
}

/* "Everything wooden", "the cups that are dirty": what shows it, if any does. Of
 * "everything" no name says that nothing else is so. */
static etna_code candidates_by_state(const modification *m,
                                     const match_query *q)
{
    const word_match match = {.r = m->r, .query = q};
    bool stuff = q->count > 0;
    for (uint32_t i = 0; i < q->count; i++)
        stuff = stuff && lexicon_material(q->words[i]);
    const bool known = stuff || !node_is(m->thing, "PRON");
    if (known && candidates_prefer(m->found, object_shows, &match))
        return ETNA_OK;
    return reader_refuse_finally(
        m->r, reader_refuse_said(m->r, CODE_UNREAD, m->thing,
                                 "which of them are so the scene does not "
                                 "show"));
}

/* Those that have another property: "that are red". */
static etna_code modify_by_property(const modification *m)
{
    const chart_node *holder =
        chart_child(m->mod, "CORE") ? m->mod : chart_find(m->mod, "THING");
    match_query q;
    const word_match match = {.r = m->r, .query = &q};
    if (!holder)
        return ETNA_OK;
    etna_code code = phrase_query(m->r, holder, &q);
    if (code != ETNA_OK)
        return code;
    /* "everything heavier": than what, and how many, is not said */
    if (q.size && !q.superlative && node_is(m->thing, "PRON"))
        return reader_refuse_unread(m->r, m->mod);
    if (q.colour)
        candidates_by_colour(m->r, m->found, &q, true, 0);
    candidates_by_size(m->r, m->found, q.size, 1);
    if (q.sides)
        candidates_by_side(m->r, m->found, &q, 1);
    if (q.has_noun)
        candidates_select(m->found, object_is_called, &match, true);
    const bool told = q.colour || q.size || q.sides || q.has_noun;
    if (!told && q.count > 0 && !q.generic && !node_is(holder, "THING"))
        return candidates_by_state(m, &q);
    /* "which is the one on the table" */
    return node_is(holder, "THING")
               ? candidates_modify(m->r, holder, &q, m->found)
               : ETNA_OK;
}

bool candidate_is_among(const void *context, uint32_t object)
{
    const candidates *c = context;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->items[i].object == object)
            return true;
    }
    return false;
}

/* "That isn't purple", "which are not chairs": all but those. What is not small
 * may be of any size. */
static etna_code modify_by_denial(const modification *m)
{
    match_query q;
    candidates has;
    modification denied = *m;
    etna_code code = phrase_query(m->r, m->mod, &q);
    if (code == ETNA_OK)
        code = candidates_make(m->r, &has);
    if (code != ETNA_OK)
        return code;
    const bool tells = q.colour || q.has_noun;
    if (!tells || query_is_ranked(&q))
        return reader_refuse_said(m->r, CODE_UNREAD, m->mod,
                                  "which of them these are is not clear");
    for (uint32_t i = 0; i < m->found->count; i++)
        candidates_add(&has, m->found->items[i].object,
                       m->found->items[i].cost);
    denied.found = &has;
    code = modify_by_property(&denied);
    if (code == ETNA_OK)
        candidates_select(m->found, candidate_is_among, &has, false);
    return code;
}

/* ---- order ---- */

typedef struct way_rank {
    const reader *r;
    uint32_t from;
} way_rank;

static double object_way_from(const void *context, uint32_t object)
{
    const way_rank *rank = context;
    return object_way(rank->r, object, rank->from);
}

static const chart_node *side_said(const chart_node *mod)
{
    const chart_node *side = chart_find(mod, "$side");
    return side ? side : chart_find(mod, "$side_h");
}

/* "From the right": the first from there, where no other is said. */
static etna_code modify_order(const modification *m)
{
    const chart_node *side = side_said(m->mod);
    m->query->ordinal_from_side = true;
    m->query->ordinal_from_right = side && (side->value & LEXICON_RIGHT);
    if (!m->query->ordinal)
        m->query->ordinal = 1;
    return ETNA_OK;
}

/* "The third chair from the door": as near as no more than two others are to
 * it. What stands on the thing is taken off it rather. */
static etna_code modify_order_from_thing(const modification *m)
{
    const double lead = 0.02; /* metres */
    const refer_scope any = refer_scope_place(NULL);
    candidates *c = m->found;
    const uint32_t nth = m->query->ordinal;
    builtin_set from;
    if (nth == 0 || nth == UINT32_MAX || m->query->sides)
        return reader_refuse_unread(m->r, m->mod);
    etna_code code = modifier_things(m->r, node_last(m->mod), &any, &from);
    if (code != ETNA_OK)
        return code;
    candidates_within(c, SLACK_CALLED);
    if (from.count != 1 || c->count < nth)
        return reader_refuse_unread(m->r, m->mod);
    const way_rank rank = {.r = m->r, .from = from.objects[0]};
    candidates_sort(c, object_way_from, &rank);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t object = c->items[i].object;
        const bool tied =
            i > 0 && (i == nth || i + 1 == nth) &&
            object_way_from(&rank, object) -
                    object_way_from(&rank, c->items[i - 1].object) <
                lead;
        if (tied || builtin_is_above(m->r->facts, object, rank.from))
            return reader_refuse_unread(m->r, m->mod);
    }
    candidates_only(c, nth - 1);
    m->query->ordinal = 0;
    return ETNA_OK;
}

/* "The hammer on the left", where there is but one, is told where to go, and so
 * is "the hammer to the left of the saw": to that. */
static etna_code modify_side(const modification *m)
{
    const chart_node *side = side_said(m->mod);
    const chart_node *const of = chart_child(m->thing, "OF");
    const bool of_one = of && of->first == m->mod->end;
    if (of_one || candidates_called(m->found) < 2)
        return reader_refuse_said(
            m->r, CODE_UNREAD, m->mod,
            "whether that says which or where is not clear");
    if (side)
        m->query->sides |= side->value;
    return ETNA_OK;
}

/* "Get the plant out of the corner and ...": of one thing it tells where that
 * is now, and of several perhaps which is meant. */
static etna_code modify_leaving(const modification *m)
{
    /* "facing the desk from the other side": another than it is at now */
    if (node_says(m->mod, "$quant", BIT(DET_OTHER)))
        return reader_refuse_unread(m->r, m->mod);
    if (candidates_called(m->found) > 1)
        return reader_refuse_said(
            m->r, CODE_UNREAD, m->mod,
            "whether that says which or from where is not clear");
    return ETNA_OK;
}

/* "The bed to the right, and the nightstand on that side": of those that stand on
 * the way that the last move went, the nearest. */
static etna_code modify_by_that_side(const modification *m)
{
    const builtin_move *const last = reader_last_move(m->r);
    const bool one = last && last->objects.count == 1;
    candidates *const c = m->found;
    uint32_t kept = 0;
    double way[2] = {0, 0};
    if (one && last->relation == RELATION_SHIFT)
        memcpy(way, last->shift, sizeof way);
    if (way[0] == 0 && way[1] == 0)
        return reader_refuse_said(m->r, CODE_UNREAD, m->mod,
                                  "which side that is is not said");
    const double *const from =
        object_at(m->r, last->objects.objects[0])->centre;
    for (uint32_t i = 0; i < c->count; i++) {
        const double *const at = object_at(m->r, c->items[i].object)->centre;
        const double ahead =
            (at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1];
        if (ahead > 0)
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
    return ETNA_OK;
}

/* "Up" is said of levels: as a modifier of a thing it is unlikely. */
static etna_code modify_unlikely(const modification *m)
{
    m->r->cost += MATCH_NOT_HEAD;
    return ETNA_OK;
}

/* "(careful, it's full)", "(the one with the visor)": beside a thing that is
 * known without it. What could say which, or where, is never passed over. */
static etna_code modify_by_bracket(const modification *m)
{
    reader *const r = m->r;
    const sentence_part all = {.first = r->part->first + m->mod->first + 1,
                               .end = r->part->first + m->mod->end - 1};
    bool idle = false;
    etna_code code = stretch_is_besides(r, &all, &idle);
    if (code != ETNA_OK)
        return code;
    return idle ? ETNA_OK : reader_refuse_unread(r, m->mod);
}

/* ", which is on the bench,": told besides, but true of what is meant. What was
 * is not asked of what is. */
static etna_code modify_by_told(const modification *m)
{
    const chart_node *be = chart_child(m->mod, "$be");
    sentence_part words = {.end = m->r->part->first + m->mod->end};
    uint32_t kept = 0;
    if (chart_child(m->mod, "'('"))
        return modify_by_bracket(m);
    if (!be || !reader_lists(m->r, be->first, "clause: is"))
        return ETNA_OK;
    words.first = m->r->part->first + be->end;
    if (m->r->s->tokens[words.end - 1].is_mark)
        words.end--;
    for (uint32_t i = 0; i < m->found->count; i++) {
        bool so = true;
        etna_code code =
            passed_is_so(m->r, &words, m->found->items[i].object, &so);
        if (code != ETNA_OK)
            return code;
        if (so)
            m->found->items[kept++] = m->found->items[i];
    }
    m->found->count = kept;
    return ETNA_OK;
}

static const struct {
    const char *node;
    etna_code (*modify)(const modification *m);
} modifiers[] = {
    {"MOD", modify_by_place},        {"NOTMOD", modify_by_no_place},
    {"NOTTHAT", modify_by_denial},   {"THAT", modify_by_property},
    {"NEAREST", modify_by_way},      {"HAVING", modify_by_having},
    {"HAVINGNO", modify_by_lacking}, {"EMPTY", modify_by_bareness},
    {"APART", modify_by_solitude},   {"COUNTED", modify_unlikely},
    {"BEARING", modify_by_bearing},  {"OF", modify_by_whole},
    {"FROMSIDE", modify_order},      {"FARSIDE", modify_side},
    {"LEAVING", modify_leaving},     {"THATSIDE", modify_by_that_side},
    {"TOLD", modify_by_told},        {"FROMTHING", modify_order_from_thing}};

static etna_code modification_apply(const modification *m)
{
    for (size_t i = 0; i < COUNT_OF(modifiers); i++) {
        if (node_is(m->mod, modifiers[i].node))
            return modifiers[i].modify(m);
    }
    return ETNA_OK;
}

/* Those modifiers that pick one, or those that do not. */
static etna_code modifications_apply(const modification *of, bool picks)
{
    for (uint32_t i = 0; i < of->thing->child_count; i++) {
        modification m = *of;
        m.mod = of->thing->children[i];
        if (node_is(m.mod, "APART") != picks)
            continue;
        etna_code code = modification_apply(&m);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* What picks one comes last, wherever it is said: it picks of those that the
 * others leave. */
etna_code candidates_modify(reader *r,
                            const chart_node *thing,
                            match_query *q,
                            candidates *c)
{
    const modification of = {.r = r, .thing = thing, .query = q, .found = c};
    candidates before;
    etna_code code = candidates_copy(r, c, &before);
    if (code == ETNA_OK)
        code = modifications_apply(&of, false);
    if (code == ETNA_OK)
        code = modifications_apply(&of, true);
    return code == ETNA_OK && candidates_lose_word(r, q, &before, c)
               ? reader_refuse_unread(r, thing)
               : code;
}
