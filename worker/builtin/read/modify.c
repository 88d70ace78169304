/* What is said of a thing behind its noun: where it stands, what it has, what
 * it is nearest to. A modifier leaves out candidates, or tells the query an
 * order in which the one that is meant comes first. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"
#include "worker/math/vec.h"

#include <math.h>

typedef struct modification {
    reader *r;
    const chart_node *thing; /* the phrase, and what is said in it */
    const chart_node *mod;
    match_query *query; /* of the modified thing */
    candidates *found;
} modification;

static const chart_node *node_last(const chart_node *node)
{
    return node->child_count ? node->children[node->child_count - 1] : NULL;
}

/* What another phrase means, without any trace of its having been read. */
static etna_code modifier_things(reader *r,
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
    COST_KIN = 40,
    /* "from the table with the other plate": rather to that plate */
    COST_OF_OTHER = 40
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
static etna_code place_select(reader *r,
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

/* "Take the paper off the chair": to be done, and nothing that tells which
 * paper. */
static bool place_asks(const modification *m)
{
    const chart_node *rel = m->mod->child_count == 1
                                ? chart_child(m->mod->children[0], "$rel")
                                : NULL;
    return rel && rel->value == REL_OFF;
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
static bool place_is_past(const modification *m)
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
    etna_code code = once ? place_select_then(m, where)
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

/* How many are called so about as well as the likeliest. */
static uint32_t candidates_called(const candidates *c)
{
    uint32_t most = candidates_least(c) + SLACK_CALLED, count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count += c->items[i].cost <= most;
    return count;
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
    if (q.colour)
        candidates_by_colour(m->r, m->found, &q, true, 0);
    candidates_by_size(m->r, m->found, q.size, 1);
    if (q.sides)
        candidates_by_side(m->r, m->found, &q, 1);
    if (q.has_noun)
        candidates_select(m->found, object_is_called, &match, true);
    /* "which is the one on the table" */
    return node_is(holder, "THING")
               ? candidates_modify(m->r, holder, &q, m->found)
               : ETNA_OK;
}

static bool candidate_is_among(const void *context, uint32_t object)
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

/* ---- other things ---- */

/* "The helmet closer to the helmet": where it is to go, and nothing that tells
 * which. */
static bool way_is_to_itself(const modification *m, const builtin_set *to)
{
    return m->found->count == 1 && to->count == 1 &&
           m->found->items[0].object == to->objects[0];
}

/* "nearest", "farthest": one, or as many as the number says. */
static etna_code modify_by_way(const modification *m)
{
    enum {
        FARTHEST = 2,
        TELLS_NOTHING = 30
    };
    const chart_node *word = chart_child(m->mod, "$nearest");
    const uint32_t number = phrase_quantity(m->thing).number;
    const bool farthest = word && word->value == FARTHEST;
    builtin_set to;
    refer_scope scope = {.on = BUILTIN_NONE};
    if (candidates_near(m->found) == 1)
        /* "the table closer to the sofa" is moved there */
        m->r->cost += TELLS_NOTHING;
    etna_code code = refer_things(m->r, node_last(m->mod), &scope, &to);
    if (code == ETNA_OK && way_is_to_itself(m, &to))
        return reader_refuse_said(m->r, CODE_UNREAD, m->mod,
                                  "it is that itself");
    /* "the plate nearest the jug": of the plates, and no tray */
    candidates_within(m->found, SLACK_CALLED);
    if (code == ETNA_OK && to.count == 1)
        m->r->memory.last_reference = to.objects[0];
    /* "the three desks nearest to the blackboard" */
    if (code == ETNA_OK && number > 1)
        candidates_by_way_several(m->r, m->found, &to, farthest, number);
    else if (code == ETNA_OK)
        candidates_by_way(m->r, m->found, &to, farthest);
    return code;
}

/* "with two drawers", "that has books on it". */
typedef struct possession {
    const reader *r;
    const builtin_set *had;
    quantity amount;
    /* which of several: of one alone it would tell nothing, and means what is
     * to come along */
    bool tells;
} possession;

/* "With only a plate on it": and nothing else. */
static bool object_bears_others(const possession *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->r->facts->object_count; i++) {
        if (i != object && builtin_stands_on(p->r->facts, i, object) &&
            !set_has(p->had, i))
            return true;
    }
    return false;
}

/* Does it bear them, hold them or have them close by, as many as are said? */
static bool object_has(const void *context, uint32_t object)
{
    const double close = 0.5; /* metres */
    const possession *p = context;
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->had->count; k++) {
        uint32_t had = p->had->objects[k];
        if (had == object)
            continue;
        bool near = p->tells && object_way(p->r, had, object) < close;
        count += near || builtin_is_above(p->r->facts, had, object);
    }
    if ((p->amount.says & SAYS_ONLY) && object_bears_others(p, object))
        return false;
    if (p->amount.number == 0)
        return count > 0;
    return p->amount.says & SAYS_ONLY ? count == p->amount.number
                                      : count >= p->amount.number;
}

typedef struct name_colour {
    const reader *r;
    uint32_t colour;
} name_colour;

static bool object_is_named_by_colour(const void *context, uint32_t object)
{
    const name_colour *named = context;
    const builtin_object *o = object_at(named->r, object);
    for (uint32_t k = 0; k < o->word_count; k++) {
        if (lexicon_colour(o->words[k]) == named->colour)
            return true;
    }
    return false;
}

/* "The bottle with the red label", where no label is a thing of its own: the
 * one bottle that is called red. */
static bool part_colour_tells(const modification *m, const chart_node *what)
{
    match_query q;
    name_colour named = {.r = m->r};
    if (!phrase_has_noun(m->r, what, &q) || !q.colour)
        return false;
    for (uint32_t i = 0; i < m->r->facts->object_count; i++) {
        if (reader_match(m->r, i, &q).cost < MATCH_NOT_HEAD)
            return false;
    }
    named.colour = q.colour;
    if (candidates_count(m->found, object_is_named_by_colour, &named) != 1)
        return false;
    candidates_select(m->found, object_is_named_by_colour, &named, true);
    return true;
}

static bool candidate_is_had(const void *context, uint32_t object)
{
    return set_has(context, object);
}

/* May a thing be told by having that? ETNA_E_INPUT: "no back", "a back" where no
 * thing is called so. */
static etna_code possession_check(const modification *m,
                                  const chart_node *what,
                                  unsigned says)
{
    match_query part;
    if (says & SAYS_NONE)
        return reader_refuse_unread(m->r, m->mod);
    /* "a chair with no back": a part that is no thing of its own */
    bool nameless = phrase_lacks_noun(m->r, what, &part) && !part.generic;
    if (nameless && !(says & SAYS_DEFINITE))
        return reader_refuse(m->r, CODE_UNKNOWN, what, "nothing here is \"%s\"",
                             reader_said(m->r, what));
    return ETNA_OK;
}

/* "The shoes with the heels" may be called so themselves. */
static bool possession_is_name(const modification *m, const builtin_set *had)
{
    return had->count == 1 && m->found->count > 1 &&
           candidate_is_among(m->found, had->objects[0]);
}

/* "The nightstand with the book", "the shelf with three books". */
static etna_code possession_select(const modification *m, bool wanted)
{
    const chart_node *what = node_things(m->mod, 0);
    builtin_set had;
    possession p = {.r = m->r, .had = &had, .tells = m->found->count > 1};
    /* "with the orange in it": no colour, and no name of what has it */
    const bool within = m->mod->end > what->end;
    if (wanted && !within && m->found->count > 1 && part_colour_tells(m, what))
        return ETNA_OK;
    if (node_is(what, "THING"))
        p.amount = phrase_quantity(what);
    etna_code code = possession_check(m, what, p.amount.says);
    if (code != ETNA_OK)
        return code;
    if (p.amount.says & SAYS_OTHER)
        m->r->cost += COST_OF_OTHER;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    code = modifier_things(m->r, what, &scope, &had);
    if (code != ETNA_OK)
        return code;
    if (wanted && !within && possession_is_name(m, &had))
        candidates_select(m->found, candidate_is_had, &had, true);
    else
        candidates_select(m->found, object_has, &p, wanted);
    return ETNA_OK;
}

static etna_code modify_by_having(const modification *m)
{
    return possession_select(m, true);
}

static etna_code modify_by_lacking(const modification *m)
{
    /* "the side table without a lamp" is no other table */
    candidates_within(m->found, SLACK_CALLED);
    return possession_select(m, false);
}

/* Did it bear one of them before anything was moved: "the table the globe came
 * from"? */
static bool object_bore(const void *context, uint32_t object)
{
    const possession *p = context;
    for (uint32_t k = 0; k < p->had->count; k++) {
        const builtin_object *had = object_at(p->r, p->had->objects[k]);
        for (uint32_t i = 0; i < had->start_by_count; i++) {
            if (had->start_by[i] == object)
                return true;
        }
    }
    return false;
}

/* "The shelf with the books", "the shelf it is on", "the table the globe came
 * from": what bears it, or bore it when the text before was read. */
static etna_code modify_by_bearing(const modification *m)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    const chart_node *what = node_things(m->mod, 0);
    builtin_set borne;
    possession p = {.r = m->r, .had = &borne};
    if (!what)
        return ETNA_OK;
    /* "the shelf it is on" */
    const bool mover = m->r->moving.count > 0 && node_is(what, "PRON");
    borne = m->r->moving;
    etna_code code =
        mover ? ETNA_OK : modifier_things(m->r, what, &scope, &borne);
    const bool once = chart_child(m->mod, "'from'") || place_is_past(m);
    if (code == ETNA_OK)
        candidates_select(m->found, once ? object_bore : object_has, &p, true);
    return code;
}

/* "The desk with nothing on it". */
static etna_code modify_by_bareness(const modification *m)
{
    candidates_select(m->found, candidate_is_bare, m->r->facts, true);
    return ETNA_OK;
}

/* "The chair that stands alone on the right": of those on the right, the one
 * that is far from all chairs. */
static etna_code modify_by_solitude(const modification *m)
{
    const unsigned sides = m->query->sides;
    candidates all;
    etna_code code = candidates_make(m->r, &all);
    if (code != ETNA_OK)
        return code;
    candidates_within(m->found, SLACK_CALLED);
    for (uint32_t i = 0; i < m->found->count; i++)
        candidates_add(&all, m->found->items[i].object, 0);
    if (sides)
        candidates_by_side(m->r, m->found, m->query,
                           candidates_count_on_side(m->r, m->found, sides));
    candidates_by_solitude(m->r, m->found, &all);
    return ETNA_OK;
}

typedef struct whole {
    const builtin_facts *facts;
    builtin_set set;
} whole;

static bool object_is_on_whole(const void *context, uint32_t object)
{
    const whole *w = context;
    for (uint32_t k = 0; k < w->set.count; k++) {
        if (builtin_is_above(w->facts, object, w->set.objects[k]))
            return true;
    }
    return false;
}

/* "To the left of the cup" is one place, and hardly a thing "to the left" that
 * is the cup's. */
static uint32_t whole_cost(const modification *m)
{
    const uint32_t as_place = 40; /* hundredths */
    const chart_node *before = NULL;
    for (uint32_t i = 0;
         i < m->thing->child_count && m->thing->children[i] != m->mod; i++)
        before = m->thing->children[i];
    return before && node_is(before, "FARSIDE") ? as_place : 0;
}

typedef struct content { /* the words behind "of" */
    uint32_t count;
    const char *words[REFER_WORDS_MAX];
} content;

typedef struct name_match {
    const reader *r;
    const content *of;
} name_match;

/* Is a word of its name that one, or of that kind: an apple of fruit? */
static bool name_has_word(const builtin_object *o, const char *word)
{
    kinds_id said;
    bool known = kinds_find(word, &said);
    for (uint32_t k = 0; k < o->word_count; k++) {
        kinds_id own;
        if (builtin_same_word(o->words[k], word))
            return true;
        if (!known || !kinds_find(o->words[k], &own))
            continue;
        if (kinds_id_distance(&own, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

static bool object_is_named_after(const void *context, uint32_t object)
{
    const name_match *match = context;
    for (uint32_t i = 0; i < match->of->count; i++) {
        if (!name_has_word(object_at(match->r, object), match->of->words[i]))
            return false;
    }
    return match->of->count > 0;
}

static bool word_tells_nothing(const char *word)
{
    bool superlative;
    const bool counts =
        ascii_is_digit(word[0]) || lexicon_number(word) > 0 || strlen(word) < 2;
    const bool looks = lexicon_colour(word) || lexicon_material(word) ||
                       lexicon_size(word, &superlative);
    return counts || looks || match_word_side(word) ||
           lexicon_is_mere_adjective(word);
}

/* "Red tin", "bottle 2": what is called after nothing that is in it. */
static bool name_is_plain(const builtin_object *o)
{
    const char *noun = builtin_noun(o);
    for (uint32_t k = 0; k < o->word_count && noun; k++) {
        if (o->words[k] != noun && !word_tells_nothing(o->words[k]))
            return false;
    }
    return noun != NULL;
}

typedef struct compound {
    const reader *r;
    const match_query *query;
} compound;

/* Itself; no sibling, as a demijohn is of a water bottle. */
static bool object_is_of_compound(const void *context, uint32_t object)
{
    const compound *c = context;
    const uint32_t distance =
        kinds_id_distance(&c->r->kinds[object], &c->query->said);
    return reader_match(c->r, object, c->query).cost < MATCH_NOT_HEAD &&
           distance < KINDS_NEAR;
}

/* As far as its name says anything. */
static bool object_may_be_of_compound(const void *context, uint32_t object)
{
    const compound *c = context;
    const match_result m = reader_match(c->r, object, c->query);
    return m.cost < MATCH_NOT_HEAD && m.unproven &&
           name_is_plain(object_at(c->r, object));
}

/* Is what is said a holder of something: "the reels of white thread"? */
static bool content_is_held(const content *of, const match_query *said)
{
    return of->count > 0 && of->count < REFER_WORDS_MAX && said->count > 0 &&
           phrase_word_holds(said->words[said->count - 1]);
}

/* "The reels of white thread" are white thread reels, and what is known by that
 * name. */
static etna_code content_is_compound(const modification *m,
                                     const content *of,
                                     bool *ret)
{
    const match_query *said = m->query;
    const char *words[REFER_WORDS_MAX];
    match_query said_whole;
    *ret = false;
    if (!content_is_held(of, said))
        return ETNA_OK;
    memcpy(words, of->words, of->count * sizeof words[0]);
    words[of->count] = said->words[said->count - 1];
    etna_code code = reader_query(m->r, words, of->count + 1, &said_whole);
    const kinds_id *kind = &said_whole.said;
    /* a pickle jar is any jar, as far as the dictionary knows */
    if (code != ETNA_OK || kind->head_words < kind->words)
        return code;
    const compound c = {.r = m->r, .query = &said_whole};
    const uint32_t number = phrase_quantity(m->thing).number;
    const uint32_t open =
        candidates_count(m->found, object_may_be_of_compound, &c);
    *ret = candidates_prefer(m->found, object_is_of_compound, &c) ||
           (open == (number ? number : 1) &&
            candidates_prefer(m->found, object_may_be_of_compound, &c));
    if (*ret && said->colour == 0)
        m->query->colour = said_whole.colour;
    return ETNA_OK;
}

/* "The glass of water" is called Glass_of_Water, "the bowl of fruit"
 * Apple_Bowl: no water and no fruit is looked for. */
static etna_code content_select(const modification *m, bool *ret)
{
    content of = {0};
    const name_match match = {.r = m->r, .of = &of};
    of.count = phrase_words(m->r, node_last(m->mod), of.words);
    *ret = candidates_prefer(m->found, object_is_named_after, &match);
    return *ret ? ETNA_OK : content_is_compound(m, &of, ret);
}

/* "A sheet of", "a pair of": so much of something. */
static bool noun_is_piece(const char *noun)
{
    for (const char *const *piece = nouns_of(NOUNS_PIECE); *piece; piece++) {
        if (builtin_same_word(noun, *piece))
            return true;
    }
    return false;
}

/* "A sheet of music", where no music is: what a piece is of, said without an
 * article, is no thing of its own. A bottle of wine is none of water. */
static bool content_is_nothing(const modification *m)
{
    const chart_node *of = node_last(m->mod);
    match_query q;
    const char *head =
        m->query->count > 0 ? m->query->words[m->query->count - 1] : "";
    const bool is_told = chart_child(of, "$det") || chart_child(of, "$quant") ||
                         chart_child(of, "NUMBER");
    if (!noun_is_piece(head) || !node_is(of, "THING") || is_told)
        return false;
    if (!phrase_has_noun(m->r, of, &q))
        return false;
    for (uint32_t i = 0; i < m->r->facts->object_count; i++) {
        if (reader_match(m->r, i, &q).cost < MATCH_NOT_HEAD)
            return false;
    }
    return true;
}

/* "The lid of the sugar cup" is by it, and where one lies on it, it is that. */
static etna_code modify_by_whole(const modification *m)
{
    enum {
        COST_OF_IT = 40,
        COST_OF_SIDE = 8
    };
    /* "clear the desk of everything" */
    bool all = phrase_is_pronoun(node_last(m->mod), PRON_EVERYTHING);
    bool named = false;
    if (m->query->partitive || all)
        return ETNA_OK;
    etna_code code = content_select(m, &named);
    if (code != ETNA_OK || named)
        return code;
    m->r->cost += whole_cost(m);
    /* "the red one on the left of the tin, the blue one on the right of it":
     * rather where it is to go */
    if (phrase_is_pronoun(node_last(m->mod), PRON_IT))
        m->r->cost += COST_OF_IT;
    /* "the bottles at the front | of the counter": rather a place */
    else if (m->mod->first > 0 &&
             match_word_side(reader_word(m->r, m->mod->first - 1)) != 0)
        m->r->cost += COST_OF_SIDE;
    if (content_is_nothing(m)) {
        candidates_within(m->found, SLACK_CALLED);
        if (m->found->count > 0 && m->found->items[0].cost < MATCH_NOT_HEAD)
            return ETNA_OK;
    }
    whole w = {.facts = m->r->facts};
    refer_scope any = {.on = BUILTIN_NONE, .many = true};
    code = place_select(m->r, m->mod, true, m->found);
    if (code == ETNA_OK)
        code = modifier_things(m->r, node_last(m->mod), &any, &w.set);
    if (code == ETNA_OK)
        candidates_prefer(m->found, object_is_on_whole, &w);
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
} modifiers[] = {{"MOD", modify_by_place},
                 {"NOTMOD", modify_by_no_place},
                 {"NOTTHAT", modify_by_denial},
                 {"THAT", modify_by_property},
                 {"NEAREST", modify_by_way},
                 {"HAVING", modify_by_having},
                 {"HAVINGNO", modify_by_lacking},
                 {"EMPTY", modify_by_bareness},
                 {"APART", modify_by_solitude},
                 {"COUNTED", modify_unlikely},
                 {"BEARING", modify_by_bearing},
                 {"OF", modify_by_whole},
                 {"FROMSIDE", modify_order},
                 {"FARSIDE", modify_side},
                 {"LEAVING", modify_leaving},
                 {"TOLD", modify_by_told},
                 {"FROMTHING", modify_order_from_thing}};

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
