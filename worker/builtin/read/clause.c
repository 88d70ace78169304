/* One clause -> moves. What kind of clause it is, and then which verb, are
 * looked up in tables whose rows are tried in order: the first that fits reads
 * the clause. A new verb is a row. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>
#include <stdio.h>

static const uint32_t any_verb = UINT32_MAX;

/* How clauses with certain verbs are read; the first row that fits takes the
 * clause. */
typedef struct verb_row {
    uint32_t verbs;                /* bits */
    bool (*when)(const clause *c); /* NULL: always */
    etna_code (*read)(clause *c);
    bool keeps_order; /* whose order may be told afterwards */
} verb_row;

static const verb_row *verb_row_find(const clause *c,
                                     const verb_row *rows,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool verb = bit_is_in(c->verb, rows[i].verbs);
        if (verb && (!rows[i].when || rows[i].when(c)))
            return &rows[i];
    }
    return NULL;
}

static bool clause_word_is(const clause *c,
                           const char *category,
                           const char *class)
{
    const chart_node *node = chart_child(c->said, category);
    return node && lexicon_lists(class, reader_word(c->r, node->first));
}

/* ---- verbs that ask for no thing of theirs ---- */

static etna_code clause_refuse_impossible(clause *c)
{
    return reader_refuse(
        c->r, CODE_IMPOSSIBLE, c->said,
        "\"%s\": things can be moved, turned and hung, and nothing else",
        reader_said(c->r, c->said));
}

static bool clause_goes_nowhere(const clause *c)
{
    return !c->things || !details_have_destination(&c->d);
}

/* No move yet: what follows may say where things go ("Tidy the desk: the lamp
 * on the right"); where nothing does, the end of the text tidies up all, or
 * proposes something. */
static etna_code clause_tidy(clause *c)
{
    reader *r = c->r;
    const refer_scope place = {.flat = true, .on = BUILTIN_NONE};
    const reader before = *r;
    const etna_error why = *r->err;
    uint32_t tidied = BUILTIN_NONE;
    if (!c->things || phrase_means_whole_scene(r, c->things)) {
        memcpy(r->memory.tidying, r->clause, sizeof r->clause);
        return ETNA_OK;
    }
    etna_code code = refer_one(r, c->things, &place, &tidied);
    if (code != ETNA_OK)
        *r = before;
    *r->err = why;
    if (code == ETNA_OK && tidied < r->facts->object_count)
        r->memory.tidied = tidied + 1;
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

static bool clause_clears_nothing(const clause *c)
{
    return !c->things && c->r->memory.context == BUILTIN_NONE;
}

static etna_code clause_refuse_clearing(clause *c)
{
    return reader_refuse(c->r, CODE_UNREAD, c->said,
                         "what is to be cleared is not said");
}

/* What is to go is said next, or the end of the sentence refuses. */
static etna_code clause_make_room(clause *c)
{
    const refer_scope laden = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->d.relation_count && code == ETNA_OK; i++)
        code = refer_one(c->r, c->d.relations[i].what, &laden,
                         &c->r->memory.context);
    return code;
}

static const verb_row verbs_without_things[] = {
    {BIT(VERB_CANNOT), NULL, clause_refuse_impossible, false},
    {BIT(VERB_TIDY), clause_goes_nowhere, clause_tidy, false},
    {BIT(VERB_CLEAR), clause_clears_nothing, clause_refuse_clearing, false},
    {BIT(VERB_ROOM), NULL, clause_make_room, false},
};

/* ---- verbs that find their things themselves ---- */

static bool clause_is_for_people(const clause *c)
{
    return c->d.people;
}

/* "Fetch the cup and set it on the tray": where to is said next. */
static bool clause_fetches(const clause *c)
{
    if (details_have_places(&c->d) || details_tell_how(&c->d))
        return false;
    return clause_word_is(c, "$verb", "clause: fetches");
}

bool clause_keeps(const clause *c)
{
    return clause_word_is(c, "$verb", "clause: keeps") ||
           clause_word_is(c, "$be", "clause: keeps");
}

/* "Clear everything away from the shelf": its object is what goes. */
static bool clause_clears_from(const clause *c)
{
    return details_origin(&c->d, false);
}

static const verb_row verbs_of_their_own[] = {
    {BIT(VERB_CLEAR) | BIT(VERB_REMOVE), clause_clears_of, clause_clear_of,
     false},
    {BIT(VERB_CLEAR), clause_clears_from, clause_remove, false},
    {BIT(VERB_PUT) | BIT(VERB_LAY_TABLE), clause_is_for_people, clause_lay,
     false},
    {BIT(VERB_ADD), NULL, clause_add, false},
    {BIT(VERB_PUT), clause_puts_new, clause_add, false},
    {BIT(VERB_REPLACE) | BIT(VERB_SWAP), clause_exchanges, clause_exchange,
     false},
    {BIT(VERB_REMOVE), clause_discards, clause_discard, false},
    {BIT(VERB_REPLACE) | BIT(VERB_SUBSTITUTE), NULL, clause_replace, false},
    {BIT(VERB_KEEP), NULL, clause_keep, false},
    {BIT(VERB_CLEAR), NULL, clause_clear, false},
    {BIT(VERB_SWAP), NULL, clause_swap, false},
    {BIT(VERB_REMOVE), NULL, clause_remove, false},
    {BIT(VERB_TAKE), NULL, clause_take, false},
    {BIT(VERB_MOVE) | BIT(VERB_PUT), clause_fetches, clause_take, false},
};

/* ---- verbs that move what is spoken of ---- */

static bool clause_says_pile(const clause *c)
{
    return c->d.pile;
}

/* "The books on the table with the red one on top" */
static bool clause_says_top_of_pile(const clause *c)
{
    if (c->d.order_count == 0 || c->movers.count < 2)
        return false;
    for (uint32_t i = 0; i < c->d.order_count; i++) {
        const chart_node *said = c->d.orders[i];
        const chart_node *place = said->children[said->child_count - 1];
        if (!node_is(place, "TOP") && !node_is(place, "BOTTOM"))
            return false;
    }
    return true;
}

/* "... and put the tray on top": of the pile that was just told of. */
static bool clause_tops_pile(const clause *c)
{
    const uint32_t pile = c->r->memory.ordered;
    bool bare = c->d.top && c->d.relation_count == 0 && c->d.zone_count == 0 &&
                !c->d.between && !c->d.old;
    if (!bare || pile == 0 || pile != c->r->reading->count ||
        c->movers.count != 1)
        return false;
    return c->r->reading->moves[pile - 1].relation == RELATION_STACK;
}

static etna_code clause_top_pile(clause *c)
{
    bool done = false;
    etna_code code =
        row_order(c->r, &c->r->reading->moves[c->r->memory.ordered - 1],
                  c->things, c->d.top, &done);
    return code == ETNA_OK && !done ? clause_refuse_all(c) : code;
}

static bool clause_says_row(const clause *c)
{
    return c->d.row || (c->d.evenly && c->movers.count > 1);
}

/* "Spread them evenly around the table" */
static bool clause_goes_around(const clause *c)
{
    bool around = false;
    for (uint32_t i = 0; i < c->d.relation_count; i++)
        around = around || c->d.relations[i].relation == REL_AROUND;
    return around && (c->verb == VERB_SPACE || clause_says_row(c));
}

static etna_code clause_put_plain(clause *c)
{
    c->verb = VERB_PUT;
    return clause_put(c);
}

/* "Put the cup, the jug and the bowl on the shelf in this order from left to
 * right" */
static bool clause_says_sequence(const clause *c)
{
    enum {
        FROM_LEFT = 10,
        FROM_RIGHT = 11
    };
    return c->movers.count > 1 &&
           bit_is_in(details_order(&c->d), BIT(FROM_LEFT) | BIT(FROM_RIGHT));
}

static bool clause_says_order(const clause *c)
{
    return c->d.order;
}

/* "Arrange the chairs so that they face the stage" tells how, and not that they
 * come together. */
static bool clause_says_nothing_else(const clause *c)
{
    return !details_have_places(&c->d) && !details_turn(&c->d);
}

static bool clause_says_no_height(const clause *c)
{
    return !details_have_places(&c->d) && !c->d.height && !c->d.one_height;
}

/* "Tuck the pen against the book" is beside, not under. */
static bool clause_tucks_under(const clause *c)
{
    const uint32_t aside =
        RELS_SIDE | BIT(REL_AGAINST) | BIT(REL_BESIDE) | BIT(REL_NEAR);
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (bit_is_in(c->d.relations[i].relation, aside))
            return false;
    }
    return !c->d.between;
}

static etna_code clause_centre(clause *c)
{
    c->d.centred = c->said;
    return clause_put_plain(c);
}

static bool clause_is_of_several(const clause *c)
{
    return node_is(c->things, "AND");
}

/* Several kinds of things for one place: each by its own words, where any of a
 * kind will do. */
static etna_code clause_put_conjuncts(clause *c)
{
    const chart_node *parts[CONJUNCTS_MAX];
    builtin_set sets[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    bool mixed = false;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        code = movers_find(c, parts[i], &sets[i]);
        mixed = mixed || (code == ETNA_OK && sets[i].need != sets[i].count);
        c->r->memory.conjunct = sets[i]; /* "table 3 and its chairs" */
    }
    c->r->memory.conjunct = (builtin_set){0};
    if (code == ETNA_OK)
        code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK && !mixed)
        return clause_put(c);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        clause one = *c;
        one.things = parts[i];
        one.movers = sets[i];
        code = clause_put(&one);
    }
    return code;
}

static bool clause_says_pair(const clause *c)
{
    return c->d.pair;
}

/* "Put the boxes in order of size", "on the shelf by size": in a row. "On the
 * shelf, largest first" tells but which is put there first. */
static bool clause_says_order_alone(const clause *c)
{
    const uint32_t order = details_order(&c->d);
    if (order == 0 || order >= 10 || c->movers.count < 2)
        return false;
    if (clause_says_nothing_else(c))
        return true;
    const bool upon = c->d.relation_count == 1 && c->d.zone_count == 0 &&
                      !details_turn(&c->d) &&
                      c->d.relations[0].relation == REL_ON;
    return upon && !reader_word_is(c->r, c->d.order->end - 1, "first");
}

/* "Line up the slippers before the bed", where they are one thing: that is put
 * there. */
static bool clause_is_of_one_pair(const clause *c)
{
    if (c->movers.count != 1 || !details_have_destination(&c->d))
        return false;
    const char *noun = builtin_noun(object_at(c->r, c->movers.objects[0]));
    return noun && match_is_plural_word(noun);
}

static const verb_row verbs_of_moving[] = {
    {any_verb, clause_says_pair, clause_put_pair, false},
    {BIT(VERB_LINE), clause_is_of_one_pair, clause_put_plain, false},
    {BIT(VERB_STACK), NULL, clause_pile, true},
    {any_verb, clause_says_pile, clause_pile, true},
    {BIT(VERB_PUT) | BIT(VERB_MOVE), clause_says_top_of_pile, clause_pile,
     true},
    {BIT(VERB_PUT) | BIT(VERB_MOVE), clause_tops_pile, clause_top_pile, true},
    {~BIT(VERB_LINE), clause_goes_around, clause_put_plain, true},
    {BIT(VERB_LINE) | BIT(VERB_SPACE), NULL, clause_row, true},
    {any_verb, clause_says_row, clause_row, true},
    {BIT(VERB_ARRANGE), clause_says_order, clause_row, false},
    {BIT(VERB_PUT) | BIT(VERB_MOVE), clause_says_order_alone, clause_row, true},
    {BIT(VERB_PUT) | BIT(VERB_MOVE), clause_says_sequence, clause_row, true},
    {BIT(VERB_TURN) | BIT(VERB_FOLLOW), NULL, clause_turn, false},
    {BIT(VERB_TUCK), clause_tucks_under, clause_tuck, false},
    {BIT(VERB_GROUP), NULL, clause_group, false},
    {BIT(VERB_ARRANGE), clause_says_nothing_else, clause_group, false},
    {BIT(VERB_STRAIGHTEN), NULL, clause_straighten, false},
    {BIT(VERB_CENTRE), NULL, clause_centre, false},
    {BIT(VERB_RAISE) | BIT(VERB_LOWER), clause_says_no_height, clause_raise,
     false},
    {any_verb, clause_is_of_several, clause_put_conjuncts, false},
    {any_verb, NULL, clause_put, false},
};

/* "Push the chairs in at the table" */
static bool clause_pushes_in(const clause *c)
{
    const chart_node *part = c->d.part ? chart_child(c->d.part, "$part") : NULL;
    const bool moves = c->verb == VERB_MOVE || !chart_child(c->said, "$verb");
    bool in = part && part->value == DIR_FRONT && moves && c->movers.count > 0;
    return in && builtin_is_seat(&c->r->facts->objects[c->movers.objects[0]]);
}

/* "Give the mug to the table": to put it there, where nothing is said of
 * turning. */
static bool clause_gives_to(const clause *c)
{
    const details *d = &c->d;
    const chart_node *verb = chart_child(c->said, "$verb");
    const bool gives = verb && reader_word_is(c->r, verb->first, "give");
    const bool turned = d->angle || d->face || d->back_to || d->shift;
    if (!gives || turned || d->relation_count == 0)
        return false;
    return bit_is_in(d->relations[0].relation, BIT(REL_TO) | BIT(REL_OVER_TO));
}

/* What the verb is said with may make it another. */
static lexicon_verb clause_verb_meant(const clause *c)
{
    const details *d = &c->d;
    if (clause_gives_to(c))
        return VERB_PUT;
    const uint32_t upon =
        BIT(REL_ON) | BIT(REL_IN) | BIT(REL_OVER) | BIT(REL_ABOVE);
    bool upon_one =
        c->verb == VERB_STACK && c->movers.count == 1 && d->relation_count > 0;
    upon_one = upon_one && bit_is_in(d->relations[0].relation, upon);
    if (upon_one)
        return VERB_PUT; /* "stack the phone on the book" */
    if (clause_pushes_in(c))
        return VERB_TUCK;
    if (c->verb != VERB_TURN || details_have_places(d) || !d->shift)
        return c->verb;
    /* metres, and no "bit" */
    bool measured =
        chart_find(d->shift, "$dir") && chart_find(d->shift, "$num");
    bool turned = d->angle || d->face || d->back_to;
    return measured && !turned ? VERB_MOVE : VERB_TURN;
}

/* What was taken off before and has no place of its own goes somewhere: before
 * this clause's moves. */
static etna_code taken_put(const clause *c,
                           const reader_memory *before,
                           uint32_t at)
{
    reader *r = c->r;
    const builtin_set *taken = &before->taken;
    if (taken->count == 0 || before->context == BUILTIN_NONE ||
        r->reading->count == at)
        return ETNA_OK;
    for (uint32_t i = at; i < r->reading->count; i++) {
        for (uint32_t k = 0; k < taken->count; k++) {
            if (set_has(&r->reading->moves[i].objects, taken->objects[k]))
                return ETNA_OK;
        }
    }
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = *taken;
    m.reference = before->context;
    m.level = before->context_level;
    etna_code code = move_add(r, &m);
    if (code != ETNA_OK)
        return code;
    memmove(&r->reading->moves[at + 1], &r->reading->moves[at],
            (r->reading->count - 1 - at) * sizeof m);
    r->reading->moves[at] = m;
    if (r->memory.ordered > at)
        r->memory.ordered++;
    return ETNA_OK;
}

/* Was something taken up of which no move since says where it goes? */
static bool taken_is_open(const reader *r,
                          const reader_memory *before,
                          uint32_t at)
{
    const builtin_set *taken = &before->taken;
    for (uint32_t i = at; i < r->reading->count; i++) {
        for (uint32_t k = 0; k < taken->count; k++) {
            if (set_has(&r->reading->moves[i].objects, taken->objects[k]))
                return false;
        }
    }
    return taken->count > 0;
}

/* Does all of it stand there already, and so comes along? */
static bool move_is_carried(const reader *r, const builtin_move *m)
{
    bool all = m->relation == RELATION_ON && m->also_count == 0 &&
               m->reference < r->facts->object_count;
    for (uint32_t i = 0; i < m->objects.count && all; i++)
        all = builtin_stands_on(r->facts, m->objects.objects[i], m->reference);
    return all;
}

/* Is anything put onto the things themselves by the moves from `from` on? */
static bool moves_load(const reader *r,
                       uint32_t from,
                       const builtin_set *things)
{
    for (uint32_t i = from; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        if (bit_is_in(m->relation, RELATIONS_UPON) &&
            set_has(things, m->reference))
            return true;
    }
    return false;
}

/* Does each of them stand on one of those? */
static bool set_is_carried(const reader *r,
                           const builtin_set *load,
                           const builtin_set *carriers)
{
    bool all = load->count > 0;
    for (uint32_t i = 0; i < load->count && all; i++) {
        all = false;
        for (uint32_t k = 0; k < carriers->count && !all; k++)
            all = builtin_is_above(r->facts, load->objects[i],
                                   carriers->objects[k]);
    }
    return all;
}

/* A second act within the clause ("and turn it"); "it" is what was moved. */
static etna_code clause_act_said(clause *c, const chart_node *other)
{
    reader *r = c->r;
    const uint32_t at = r->reading->count;
    clause more = {.r = r,
                   .said = other,
                   .things = node_things(other, 0),
                   .verb = VERB_PUT};
    details_gather(r, other, &more.d);
    /* "it" is what was moved, and not the place */
    r->memory.last_reference = BUILTIN_NONE;
    etna_code code = clause_act(&more);
    bool carried = code == ETNA_OK && r->reading->count == at + 1 &&
                   move_is_carried(r, &r->reading->moves[at]);
    if (carried)
        r->reading->count = at;
    return code;
}

/* "by the wall with the shelf on it" is rather that wall */
enum {
    COST_OF_COMPANY = 30
};

/* "... so that the lamp is behind it", "with the chair behind it" */
static etna_code clause_act_other(clause *c)
{
    const chart_node *other = c->d.other_clause;
    const bool ordered = c->r->memory.ordered > 0;
    etna_code code = other ? clause_act_said(c, other) : ETNA_OK;
    for (uint32_t i = 0; i < c->d.order_count && !ordered && code == ETNA_OK;
         i++) {
        const uint32_t at = c->r->reading->count;
        c->r->cost += COST_OF_COMPANY;
        code = clause_act_said(c, c->d.orders[i]);
        if (code == ETNA_OK && moves_load(c->r, at, &c->movers))
            return clause_refuse(
                c,
                "what is said to be on it does not stand there; is it to be put there first?");
    }
    return code;
}

/* "30 cm to the left, with the vase", which stands on what is moved: it goes
 * along anyway. */
static etna_code clause_drop_carried(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {
        .on = BUILTIN_NONE, .many = true, .barred = &c->movers};
    for (uint32_t i = 0; i < c->d.relation_count;) {
        condition *with = &c->d.relations[i];
        const reader before = *r;
        const etna_error why = *r->err;
        builtin_set load = {0};
        etna_code code = with->relation == REL_WITH && c->d.shift
                             ? refer_things(r, with->what, &any, &load)
                             : ETNA_E_INPUT;
        *r = before;
        *r->err = why;
        if (code == ETNA_E_NOMEM)
            return reader_no_memory(r);
        if (code != ETNA_OK || !set_is_carried(r, &load, &c->movers)) {
            i++;
            continue;
        }
        c->d.relation_count--;
        memmove(with, with + 1, (c->d.relation_count - i) * sizeof *with);
    }
    return ETNA_OK;
}

/* Movers first, then the destination by the verb's row. What the clause did is
 * remembered for pronouns only when it was read whole. */
etna_code clause_move_things(clause *c)
{
    reader *r = c->r;
    const reader_memory before = r->memory;
    const uint32_t at = r->reading->count;
    etna_code code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK)
        code = movers_find_for_ends(c);
    if (code == ETNA_OK)
        code = clause_drop_carried(c);
    if (code != ETNA_OK)
        return code;
    r->deals = c->things && phrase_is_each(c->things);
    const builtin_set movers = r->moving = c->movers;
    c->verb = clause_verb_meant(c);
    const verb_row *row = verb_row_find(c, verbs_of_moving,
                                        sizeof verbs_of_moving /
                                            /* the last always fits */
                                            sizeof verbs_of_moving[0]);
    code = row->read(c);
    if (code != ETNA_OK)
        return code;
    r->memory.spared = r->excepted;
    r->memory.last = r->memory.named = movers;
    code = taken_put(c, &before, at);
    if (code != ETNA_OK)
        return code;
    if (r->reading->count > at && !taken_is_open(r, &before, at))
        r->memory.taken = (builtin_set){0};
    if (!row->keeps_order)
        r->memory.ordered = 0;
    return clause_act_other(c);
}

/* "Move the chair 30 cm to the left, then rotate by 90 degrees": a verb without
 * its object means what was moved before, as a pronoun would. */
static etna_code clause_imply_things(clause *c)
{
    const uint32_t first = c->said->first, end = c->said->end;
    if (c->things)
        return ETNA_OK;
    if (c->r->memory.last.count == 0)
        return clause_refuse(c, "it does not say what to move");
    chart_node *nodes = etna_arena_alloc(c->r->arena, 2, sizeof *nodes);
    const chart_node **child = etna_arena_alloc(c->r->arena, 1, sizeof *child);
    if (!nodes || !child)
        return reader_no_memory(c->r);
    *child = &nodes[1];
    nodes[0] = (chart_node){.name = "PRON",
                            .first = first,
                            .end = end,
                            .child_count = 1,
                            .children = child};
    nodes[1] = (chart_node){.name = "$pron",
                            .first = first,
                            .end = end,
                            .value = PRON_THEM,
                            .is_terminal = true};
    c->things = nodes;
    return ETNA_OK;
}

/* "Kick the ball to the bench": what rolls comes beside it. */
static void clause_roll(clause *c)
{
    if (!clause_word_is(c, "$verb", "clause: rolls"))
        return;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (bit_is_in(c->d.relations[i].relation,
                      BIT(REL_TO) | BIT(REL_OVER_TO)))
            c->d.relations[i].relation = REL_BESIDE;
    }
}

/* "Take a chair and add it to the table": what is named already is brought in
 * by nobody. */
static void clause_add_known(clause *c)
{
    const bool known = c->things && (phrase_is_pronoun(c->things, PRON_IT) ||
                                     phrase_is_pronoun(c->things, PRON_THEM));
    if (c->verb == VERB_ADD && known)
        c->verb = VERB_PUT;
}

/* Verbs without things, then those that read their things themselves, then all
 * that move things. */
etna_code clause_act(clause *c)
{
    c->r->excepted = c->r->moving = (builtin_set){0};
    details_join(c->r, &c->d);
    clause_roll(c);
    clause_add_known(c);
    const verb_row *row = verb_row_find(c, verbs_without_things,
                                        sizeof verbs_without_things /
                                            sizeof verbs_without_things[0]);
    if (row)
        return row->read(c);
    etna_code code = clause_imply_things(c);
    if (code != ETNA_OK)
        return code;
    row =
        verb_row_find(c, verbs_of_their_own,
                      sizeof verbs_of_their_own / sizeof verbs_of_their_own[0]);
    return row ? row->read(c) : clause_move_things(c);
}

/* ---- kinds of clauses ---- */

static bool word_joins(const char *word)
{
    return lexicon_lists("clause: joint", word);
}

/* "Lean ...", "I want to sit there": nothing is to be moved by it. */
static bool clause_is_idle(const clause *c)
{
    const chart_node *said = c->said;
    const sentence_part *part = c->r->part;
    bool bare =
        c->verb == VERB_PUT && !c->things && said->end - said->first <= 2;
    bool alone = said->first > 0 || said->end == part->end - part->first;
    bool apart =
        said->first == 0 || word_joins(reader_word(c->r, said->first - 1));
    if (!bare || !alone || !apart)
        return false; /* "to the bench position" */
    return !details_have_places(&c->d) && c->r->memory.taken.count == 0;
}

/* The single word behind the things that may belong to the verb: "away"; NULL:
 * there is none. */
static const chart_node *clause_particle(const details *d)
{
    const chart_node *part = d->part ? d->part : d->shift;
    return part && part->end - part->first == 1 ? part : NULL;
}

/* "Throw the tin away" is to throw it away, and no way to go: a verb and its
 * particle are one entry of the lexicon. */
static void clause_join_particle(clause *c, const chart_node *word)
{
    enum {
        PHRASE_MAX = 32
    };
    char phrase[PHRASE_MAX];
    const chart_node *part = clause_particle(&c->d);
    if (!word || !part || !c->things || part->first < c->things->end ||
        word->end - word->first != 1)
        return;
    int length =
        snprintf(phrase, sizeof phrase, "%s %s", reader_word(c->r, word->first),
                 reader_word(c->r, part->first));
    lexicon_verb joined;
    if (length < 0 || length >= PHRASE_MAX ||
        !lexicon_find_verb(phrase, &joined))
        return;
    c->verb = joined;
    if (c->d.part == part)
        c->d.part = NULL;
    else
        c->d.shift = NULL;
}

/* In "no place for the cup", "place" is nothing to do. */
static bool clause_is_after_no(const clause *c)
{
    const uint32_t first = c->said->first;
    return first > 0 && reader_word_is(c->r, first - 1, "no") &&
           lexicon_lists("told: home", reader_word(c->r, first));
}

static etna_code state_keep(clause *c);

/* An order. keep, use and leave room bound the others and are no wishes. */
static etna_code clause_read_do(clause *c)
{
    const chart_node *word = chart_child(c->said, "$verb");
    if (!word)
        word = chart_child(c->said, "$build"); /* "build a tower from" */
    details_gather(c->r, c->said, &c->d);
    c->verb = word ? (lexicon_verb)word->value : VERB_PUT;
    if (clause_is_after_no(c))
        return clause_refuse_all(c);
    /* behind another wish it stays where it lies */
    const bool leaves = chart_child(c->said, "'leave'") &&
                        c->r->reading->count > c->r->first_move;
    if (leaves)
        return state_keep(c);
    clause_join_particle(c, word);
    const lexicon_verb verb = c->verb;
    if (verb == VERB_KEEP || verb == VERB_USE || verb == VERB_ROOM)
        c->r->is_wish = false; /* it bounds the others */
    if (clause_is_idle(c)) {
        c->r->cost += 80;
        return ETNA_OK;
    }
    etna_code code = clause_act(c);
    if (code == ETNA_OK && verb != VERB_KEEP && verb != VERB_ROOM)
        c->r->memory.verb = verb;
    return code;
}

/* "The chairs need pushing in", and not "the readers need light". */
static etna_code clause_read_needing(clause *c)
{
    const chart_node *verb = chart_child(c->said, "$verb");
    const char *const word = verb ? reader_word(c->r, verb->first) : "";
    const size_t size = strlen(word);
    if (size < 5 || strcmp(word + size - 3, "ing") != 0)
        return clause_refuse_all(c);
    return clause_read_do(c);
}

/* "Do not touch the vase." Nothing is asked; anything else that is forbidden is
 * not understood. */
static etna_code clause_read_denial(clause *c)
{
    return clause_refuse(c, "what not to do and conditions are not understood");
}

/* "Is not centred over the sofa": what follows right behind the verb is
 * denied. */
static bool state_denies_first_place(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (place->is_terminal || node_things(said, 0) == place)
            continue;
        return node_is(place, "NOTPLACE");
    }
    return false;
}

/* "should never be on the shelf": what is denied is the whole, not some other
 * place. */
static bool state_is_denied(const clause *c)
{
    const chart_node *not_place = chart_child(c->said, "NOTPLACE");
    if (not_place && chart_child(not_place, "STAYS"))
        return true;
    if (chart_child(c->said, "$be") && state_denies_first_place(c->said))
        return true;
    return clause_word_is(c, "$any", "clause: denies");
}

static bool state_is_bare(const clause *c)
{
    return !chart_child(c->said, "$be") && !chart_child(c->said, "$want");
}

/* Which verb a clause without one means: how things should be, or what was
 * asked before ("and the cup on the tray"). */
static lexicon_verb state_verb(const clause *c)
{
    const uint32_t carried = BIT(VERB_HANG) | BIT(VERB_TURN) | BIT(VERB_MOVE);
    const chart_node *pp = chart_child(c->said, "$pp");
    if (pp)
        return (lexicon_verb)pp->value;
    if (chart_child(c->said, "$be_hung"))
        return VERB_HANG;
    if (chart_find(c->said, "$swapping"))
        return VERB_SWAP;
    bool carries_on = state_is_bare(c) && bit_is_in(c->r->memory.verb, carried);
    return carries_on ? c->r->memory.verb : VERB_PUT;
}

/* "It should lie half on the table": a word before a place that limits it,
 * where "safely" and "together" do not. */
static bool state_is_limited(const clause *c)
{
    return clause_word_is(c, "$any", "clause: limits");
}

/* "Everyone needs a plate on the table": one is not enough. */
static bool state_is_for_each(const clause *c)
{
    return chart_child(c->said, "$wants") &&
           lexicon_lists("clause: of each", reader_word(c->r, c->said->first));
}

/* "On it", "there": of what was named before. */
static bool state_stays_on_it(const clause *c)
{
    const details *d = &c->d;
    const condition *on = d->relation_count == 1 ? &d->relations[0] : NULL;
    details rest = *d;
    rest.relation_count = 0;
    if (!on || !on->what || !bit_is_in(on->relation, BIT(REL_ON) | BIT(REL_IN)))
        return false;
    return phrase_is_pronoun(on->what, PRON_IT) && !details_say_anything(&rest);
}

/* "The lamp and the phone stay": none of what was asked before takes them. */
static bool state_says_stay(const clause *c)
{
    static const char *const staying[] = {"stay", "stays", "remain", "remains"};
    bool stays = false; /* "can stay", "may remain" */
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *word = c->said->children[i];
        stays = stays || (node_is(word, "$be") &&
                          WORD_IS_OF(reader_word(c->r, word->first), staying));
    }
    return stays && (!details_say_anything(&c->d) || state_stays_on_it(c));
}

/* Does each of them stand on what this text moves somewhere? */
static bool load_is_moved_along(const reader *r, const builtin_set *load)
{
    bool all = load->count > 0;
    for (uint32_t i = 0; i < load->count && all; i++) {
        all = false;
        for (uint32_t k = r->first_move; k < r->reading->count && !all; k++) {
            const builtin_set *moved = &r->reading->moves[k].objects;
            for (uint32_t n = 0; n < moved->count && !all; n++)
                all = builtin_stands_on(r->facts, load->objects[i],
                                        moved->objects[n]);
        }
    }
    return all;
}

/* "Turn the chair; the hat can stay on it": it comes along, as it does anyway,
 * where "clear the shelf; the hat can stay on it" leaves it where it is. */
static etna_code state_keep(clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const bool on_it = c->d.relation_count > 0;
    builtin_set load = {0};
    etna_code code = on_it ? refer_things(r, c->things, &any, &load) : ETNA_OK;
    const bool along = code == ETNA_OK && load_is_moved_along(r, &load);
    *r = before;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    *r->err = why;
    if (along)
        return ETNA_OK;
    c->d.relation_count = 0; /* they are there */
    return clause_keep(c);
}

/* Does what the clause speaks of go along with what is moved? */
static etna_code clause_find_load(clause *c, bool *ret_along)
{
    reader *r = c->r;
    const reader before = *r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set load = {0};
    const etna_code code = refer_things(r, c->things, &any, &load);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (code != ETNA_OK)
        return code;
    *ret_along = load_is_moved_along(r, &load);
    *r = before;
    return ETNA_OK;
}

/* "The cup mustn't be moved": neither by itself nor with what it stands on.
 * Said before what is asked, it might be forgotten there. */
static etna_code clause_read_kept(clause *c)
{
    bool along = false;
    const bool none_moves = c->r->reading->count == c->r->first_move;
    if (none_moves && c->r->memory.taken.count == 0)
        return clause_read_denial(c);
    const etna_code code = clause_find_load(c, &along);
    if (code != ETNA_OK)
        return code;
    if (along)
        return clause_refuse(c, "it stands on what is moved");
    c->verb = VERB_KEEP;
    return clause_keep(c);
}

/* "Don't let the cup fall off": it goes along with what it stands on anyway,
 * or stays where it is. */
static etna_code clause_read_not_fall(clause *c)
{
    bool along = false;
    const etna_code code = clause_find_load(c, &along);
    if (code != ETNA_OK)
        return code;
    if (!along)
        return clause_ignore(c);
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

/* "The radio should sing to the barrel", "the lamp should shine on it": no verb
 * of being there, as "sleep on" and "swim in". */
static bool state_is_of_doing(const clause *c)
{
    const chart_node *any = chart_child(c->said, "$any"),
                     *listed = chart_child(c->said, "$verb");
    lexicon_verb verb;
    char lemma[64];
    const condition *first =
        c->d.relation_count > 0 ? &c->d.relations[0] : NULL;
    /* "play with the ball": near it */
    bool with = first && first->relation == REL_WITH;
    /* "eat with us": a reason */
    with = with && !phrase_is_pronoun(first->what, PRON_ME);
    if (listed && listed->value == VERB_CANNOT)
        return !with;
    if (!any || clause_word_is(c, "$any", "clause: adverb"))
        return false;
    const char *const word = reader_word(c->r, any->first);
    if (lexicon_find_verb(word, &verb))
        return verb == VERB_CANNOT;
    bool to =
        c->d.relation_count > 0 &&
        bit_is_in(c->d.relations[0].relation, BIT(REL_TO) | BIT(REL_OVER_TO));
    bool acts = kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
                strcmp(lemma, word) == 0;
    return acts && (to || clause_word_is(c, "$any", "clause: afar"));
}

/* Complaints and statements that ask for nothing: "it is too close to the
 * edge". */
static bool state_asks_nothing(const clause *c)
{
    bool verb = chart_find(c->said, "$swapping") || chart_child(c->said, "$pp");
    const bool silent = !details_say_anything(&c->d) && c->d.order_count == 0;
    return c->d.too || (!verb && silent);
}

/* "It hangs too high, 30 cm lower please": the way is what is asked. */
static bool state_mends_complaint(const clause *c)
{
    return c->d.too && c->d.shift && chart_find(c->d.shift, "$dir");
}

/* "The chair is too far from the desk, move it closer." */
static etna_code state_complain_of(clause *c)
{
    const chart_node *rel = chart_find(c->d.too, "REL"),
                     *what = rel ? node_phrase(rel, 0) : NULL;
    const refer_scope scope = refer_scope_place(&c->r->memory.last);
    const etna_error why = *c->r->err;
    reader before = *c->r;
    uint32_t of = BUILTIN_NONE;
    if (!what)
        return ETNA_OK;
    etna_code code = refer_one(c->r, what, &scope, &of);
    *c->r = before;
    *c->r->err = why;
    const bool known = code == ETNA_OK && of < c->r->facts->object_count;
    c->r->memory.complained = known ? of + 1 : COMPLAINED_OF_UNKNOWN;
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "It hangs 15 cm too high. Lower it": by that much. */
static void state_note_measure(const clause *c, const builtin_set *about)
{
    const chart_node *dist = chart_find(c->said, "DIST");
    const double metres = dist ? where_metres(c->r, dist, NULL) : -1;
    if (metres <= 0)
        return;
    c->r->memory.off_things = *about;
    c->r->memory.off_metres = metres;
}

/* A statement that asks for nothing is remembered, as it says what is spoken of
 * next. */
static etna_code state_speak_of(clause *c)
{
    const uint32_t complaint = 5, statement = 60; /* hundredths */
    reader *r = c->r;
    const refer_scope scope = refer_scope_movers();
    const reader before = *r;
    builtin_set about;
    /* "red and blue, 5 cm apart" */
    const bool spaced = c->d.apart_by || c->d.no_gap;
    if (!c->d.too && (spaced || coverage_is_request(r, c->said)))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code == ETNA_E_INPUT && c->d.too)
        *r = before;
    else if (code != ETNA_OK)
        return code;
    else
        r->memory.last = r->memory.named = about;
    if (code == ETNA_OK && c->d.too)
        state_note_measure(c, &about);
    r->cost += c->d.too ? complaint : statement;
    reader_remark(r, c->said);
    return c->d.too ? state_complain_of(c) : ETNA_OK;
}

/* What belongs to a row, a pile or a laid table of the clauses before. */
static etna_code clause_tell_more(clause *c, bool *ret_done)
{
    etna_code code = row_tell_order(c, ret_done);
    return code == ETNA_OK && !*ret_done ? setting_tell(c, ret_done) : code;
}

/* "Is", and nothing that asks for it: it may be how things should be, or how
 * they are. */
static bool state_is_told(const clause *c)
{
    return clause_word_is(c, "$be", "clause: is");
}

/* "All pots to the shed; the tiny one on the table, too": it stands there
 * already and was told where to go, so the place tells which one that is. */
static bool state_tells_which(const clause *c, uint32_t at)
{
    const reader *r = c->r;
    const builtin_reading *reading = r->reading;
    const uint32_t next = c->said->end;
    const bool more = r->part->first + next < r->part->end;
    const bool too = more && (reader_word_is(r, next, "too") ||
                              reader_word_is(r, next, "also"));
    if (!too || !state_is_bare(c) || reading->count != at + 1)
        return false;
    if (!move_is_carried(r, &reading->moves[at]))
        return false;
    for (uint32_t i = r->first_move; i < at; i++) {
        const builtin_move *m = &reading->moves[i];
        const bool other = m->relation != RELATION_OFF &&
                           m->reference != reading->moves[at].reference;
        if (other && set_is_within(&reading->moves[at].objects, &m->objects))
            return true;
    }
    return false;
}

/* "Both pairs of shoes under the bed, the heels on the left": of the other one,
 * and not of the room. */
static etna_code state_side_among(clause *c, bool *ret_done)
{
    reader *r = c->r;
    details rest = c->d;
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set movers = {0}, others = {0};
    rest.side = NULL;
    *ret_done = false;
    if (!c->d.side || details_say_anything(&rest) ||
        r->reading->count == r->first_move)
        return ETNA_OK;
    const builtin_move last = r->reading->moves[r->reading->count - 1];
    if (last.objects.count < 2)
        return ETNA_OK;
    etna_code code = movers_find(c, c->things, &movers);
    const bool among = code == ETNA_OK && movers.count < last.objects.count &&
                       set_is_within(&movers, &last.objects);
    if (!among) {
        *r = before;
        *r->err = why;
        return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
    }
    code = set_without(r, &last.objects, &movers, &others);
    if (code != ETNA_OK)
        return code;
    if (movers.count != 1 || others.count != 1)
        return clause_refuse(c, "of which of the others is not clear");
    const uint32_t sides =
        node_value(c->d.side, "$side") | node_value(c->d.side, "$side_h");
    builtin_move m = move_plain(c, side_relation(sides, RELATION_BESIDE));
    m.objects = movers;
    m.reference = others.objects[0];
    *ret_done = true;
    r->memory.last = r->memory.named = movers;
    return move_add(r, &m);
}

/* "The ball is lying on the ground", in a scene that has none by name, before
 * something is asked of it. */
static bool state_tells_ground(const clause *c)
{
    const reader *r = c->r;
    const bool last = r->part == &r->s->parts[r->s->part_count - 1];
    if (!state_is_told(c) || last || c->d.relation_count != 1 ||
        refer_floor(r->facts) != BUILTIN_NONE)
        return false;
    const condition *where = &c->d.relations[0];
    const uint32_t word = where->node->end - 1;
    return where->relation == REL_ON && word_is_ground(reader_word(r, word));
}

/* "The others are there", "it has been there for years" */
static bool state_tells_there(const clause *c)
{
    details rest = c->d;
    rest.there = NULL;
    return c->d.there && state_is_told(c) && !details_say_anything(&rest);
}

/* Metres from the nearest of the places that a remark names; INFINITY: it is at
 * none. */
static etna_code remark_way(const clause *c, uint32_t object, double *ret)
{
    etna_code code = ETNA_OK;
    *ret = INFINITY;
    for (uint32_t k = 0; k < c->said->child_count && code == ETNA_OK; k++) {
        double way = INFINITY;
        if (node_is(c->said->children[k], "REL"))
            code = where_holds(c->r, c->said->children[k], object, &way);
        *ret = way < *ret ? way : *ret;
    }
    return code;
}

/* The one of several that is farther from there than all others by some lead;
 * BUILTIN_NONE: there is no such. */
static etna_code remark_find(const clause *c,
                             const builtin_set *about,
                             uint32_t *ret)
{
    const double lead = 0.1; /* metres */
    double farthest = -1, second = -1;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        double way;
        etna_code code = remark_way(c, about->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (way > farthest)
            best = about->objects[i];
        second = way > farthest ? farthest : fmax(second, way);
        farthest = fmax(farthest, way);
    }
    bool leads =
        isfinite(farthest) ? farthest > second + lead : isfinite(second);
    *ret = leads && farthest > 0 ? best : BUILTIN_NONE;
    return ETNA_OK;
}

/* "A second car is coming", where there is one: it speaks of what is not here,
 * and of nothing that "it" could mean. */
static bool remark_is_of_nothing(const clause *c, etna_code code)
{
    const chart_node *det = chart_find(c->things, "$det");
    bool is_indefinite = det && det->value == DET_A;
    return code == ETNA_E_INPUT && node_is(c->said, "REMARK") && is_indefinite;
}

/* "The cup takes the spoon along": it tells of something to be done, in words
 * that nothing here reads. */
static bool remark_is_of_doing(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    return node_is(c->said, "REMARK") && !be && chart_child(c->said, "$pp");
}

/* "The bottles don't belong on the floor": of all of them those that are
 * there. */
static etna_code remark_keep_there(const clause *c, builtin_set *about)
{
    uint32_t *there =
        etna_arena_alloc(c->r->arena, about->count + 1u, sizeof *there);
    uint32_t count = 0;
    if (!there)
        return reader_no_memory(c->r);
    for (uint32_t i = 0; i < about->count; i++) {
        double way;
        etna_code code = remark_way(c, about->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (isfinite(way))
            there[count++] = about->objects[i];
    }
    if (count > 0)
        *about = (builtin_set){.count = count, .objects = there, .need = count};
    return ETNA_OK;
}

/* "One cup is closest to the sugar bowl": that one, where it leads. */
static etna_code state_keep_nearest(const clause *c, builtin_set *about)
{
    const double lead = 0.02; /* metres */
    reader *r = c->r;
    const uint32_t to = r->memory.last_reference;
    double least = INFINITY, second = INFINITY;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        const double way = where_between(&r->facts->objects[about->objects[i]],
                                         &r->facts->objects[to]);
        if (way < least)
            best = about->objects[i];
        second = way < least ? least : fmin(second, way);
        least = fmin(least, way);
    }
    if (second > least + lead)
        *about = set_one(r, best);
    return ETNA_OK;
}

static bool state_says_nearest(const clause *c)
{
    bool nearest = false;
    for (uint32_t at = c->said->first; at < c->said->end && !nearest; at++)
        nearest = lexicon_lists("clause: nearest", reader_word(c->r, at));
    return nearest && c->r->memory.last_reference < c->r->facts->object_count;
}

/* "Four books are lying on the floor, put them ...": of five those that lie
 * there. Where these are not so many, "they" may be any. */
static etna_code state_tell_some(const clause *c, builtin_move *told)
{
    reader *r = c->r;
    builtin_set about = r->memory.last;
    if (about.need >= about.count)
        return ETNA_OK;
    const uint32_t need = about.need;
    const bool nearest = need == 1 && state_says_nearest(c);
    etna_code code =
        nearest ? state_keep_nearest(c, &about) : remark_keep_there(c, &about);
    if (code != ETNA_OK)
        return code;
    if (about.count == need) {
        r->memory.last = r->memory.named = told->objects = about;
        return ETNA_OK;
    }
    r->memory.last = r->memory.named = (builtin_set){0};
    r->memory.last_reference = BUILTIN_NONE;
    return ETNA_OK;
}

/* "the cup should be on the table" is an order; "the cup is on the table"
 * tells, and is one only where it is not so. */
static etna_code clause_read_state(clause *c)
{
    bool done = false;
    details_gather(c->r, c->said, &c->d);
    c->verb = state_verb(c);
    if (state_is_denied(c))
        return clause_read_denial(c);
    if (state_is_for_each(c))
        return clause_refuse(c, "for how many that is is not said");
    if (state_is_limited(c) || state_is_of_doing(c))
        return clause_refuse(c, "how that is to be is not understood");
    etna_code code = state_is_bare(c) ? clause_tell_more(c, &done) : ETNA_OK;
    if (code == ETNA_OK && !done && state_is_bare(c))
        code = state_side_among(c, &done);
    if (code != ETNA_OK || done)
        return code;
    if (state_says_stay(c) && !c->d.too)
        return state_keep(c);
    if (state_mends_complaint(c)) {
        c->d.too = NULL;
        c->verb = VERB_MOVE;
    }
    if (state_asks_nothing(c))
        return state_speak_of(c);
    if (clause_says_own_place(c) &&
        !(move_before(c->r) && old_is_past(c->r, c->d.old)))
        return clause_keep(c);
    if (state_tells_ground(c) || state_tells_there(c))
        return state_speak_of(c);
    const uint32_t at = c->r->reading->count;
    code = clause_act(c);
    if (code == ETNA_OK && state_is_told(c)) {
        c->r->memory.stated = at + 1;
        if (c->r->reading->count == at + 1)
            code = state_tell_some(c, &c->r->reading->moves[at]);
    }
    if (code == ETNA_OK && state_tells_which(c, at)) {
        c->r->reading->count = at;
        reader_remark(c->r, c->said);
    }
    return code;
}

/* ---- what is spoken of next ---- */

/* "A plate's width apart": how far, and nothing that somebody is. */
static bool remark_is_measure(const clause *c)
{
    const chart_node *said = c->said;
    const bool is_last = said->child_count &&
                         node_is(said->children[said->child_count - 1], "$any");
    return node_is(said, "REMARK") && is_last &&
           lexicon_lists("told: measure", reader_word(c->r, said->end - 1));
}

/* "As you see it from the door": whose left and right are meant. */
static bool remark_tells_viewer(const clause *c)
{
    const reader *r = c->r;
    const uint32_t first = c->said->first;
    bool from = false;
    if (first + 1 >= c->said->end ||
        !lexicon_lists("clause: looks", reader_word(r, first)))
        return false;
    for (uint32_t i = first; i < c->said->end; i++)
        from = from || reader_word_is(r, i, "from");
    return from &&
           lexicon_lists("clause: looked at", reader_word(r, first + 1));
}

/* "So that the drawers can be opened": what must be possible is no mere
 * remark. */
static bool remark_binds(const clause *c)
{
    const uint32_t first = c->said->first;
    bool aims = first > 0 && reader_word_is(c->r, first - 1, "so");
    bool binds = false;
    for (uint32_t at = first; at < c->said->end && aims; at++)
        binds = binds || lexicon_lists("told: binds", reader_word(c->r, at));
    return binds;
}

/* "The cups shouldn't be on the saucers": neither there nor beside, wherever
 * they go next. What is not understood of it is denied by the next place. */
static etna_code remark_deny(const clause *c, const builtin_set *about)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    details d = {0};
    destinations at = {0};
    uint32_t count = 0;
    details_gather(r, c->said, &d);
    etna_code code = destinations_gather(r, &d, about, VERB_PUT, &at);
    *r = before;
    *r->err = why;
    if (code != ETNA_OK)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    for (uint32_t i = 0; i < at.count; i++) {
        destination s = at.list[i];
        const uint32_t most = s.each.count ? s.each.count : 1;
        if (!bit_is_in(s.relation, RELATIONS_UPON))
            continue;
        for (uint32_t k = 0; k < most && count < READER_DENIED_MAX; k++) {
            if (s.each.count)
                s.reference = s.each.objects[k];
            if (s.reference < r->facts->object_count)
                r->memory.denied_at[count++] = s.reference;
        }
    }
    r->memory.denied_at_count = count;
    return ETNA_OK;
}

/* "Bottles don't belong on the floor", where "does not belong to any table"
 * only tells which is meant. */
static bool remark_unfits(const clause *c)
{
    static const char *const fits[] = {"belong", "belongs", "go",
                                       "goes",   "live",    "lives"};
    const chart_node *be = chart_child(c->said, "$be");
    const chart_node *rel = chart_find(c->said, "$rel");
    if (chart_child(c->said, "'no'"))
        return true; /* "no shoes on the rug" */
    if (!node_is(c->said, "NOTSTATE") || !be || !rel)
        return false;
    return bit_is_in(rel->value, BIT(REL_ON) | BIT(REL_IN)) &&
           WORD_IS_OF(reader_word(c->r, be->first), fits);
}

/* "The clock hangs lower than the picture": the picture was spoken of, too. */
static etna_code remark_compare(const clause *c)
{
    const refer_scope scope = {.on = BUILTIN_NONE};
    uint32_t other = BUILTIN_NONE;
    etna_code code = refer_one(c->r, node_things(c->said, 1), &scope, &other);
    if (code == ETNA_OK)
        c->r->memory.last_reference = other;
    return code;
}

/* What could be a condition is refused rather than passed over. */
static bool remark_may_ask(const clause *c)
{
    return remark_is_of_doing(c) || remark_is_measure(c) || remark_binds(c);
}

/* Which of the things it tells of, and what is denied of them. *ret_one: one of
 * several that the place tells; BUILTIN_NONE: it tells none. */
static etna_code remark_narrow(const clause *c,
                               bool denies,
                               builtin_set *about,
                               uint32_t *ret_one)
{
    reader *r = c->r;
    *ret_one = BUILTIN_NONE;
    const bool many = denies && phrase_is_plural(r, c->things);
    etna_code code =
        many ? remark_keep_there(c, about) : remark_find(c, about, ret_one);
    if (code == ETNA_OK && chart_child(c->said, "'than'"))
        code = remark_compare(c);
    if (code != ETNA_OK || !denies)
        return code;
    r->memory.denied = *about; /* "put it in the cup" may follow */
    return remark_deny(c, about);
}

/* Says something of things: they can be "it" later. */
/* Any words may stand in some remarks: these are looked at by themselves. */
static etna_code remark_pass(reader *r, const chart_node *said)
{
    const sentence_part passed = {.first = r->part->first + said->first,
                                  .end = r->part->first + said->end};
    const bool open =
        chart_child(said, "$any") || chart_child(said, "$happened");
    etna_code code = open ? passed_check(r, &passed) : ETNA_OK;
    if (code == ETNA_OK)
        reader_remark(r, said);
    return code;
}

static etna_code clause_read_remark(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = refer_scope_movers();
    builtin_set about = {0};
    uint32_t one;
    const bool denies = coverage_is_request(r, c->said) || remark_unfits(c);
    if (denies && !node_is(c->said, "NOTSTATE"))
        return clause_read_denial(c);
    if (remark_may_ask(c))
        return clause_refuse_all(c);
    if (remark_tells_viewer(c))
        return clause_refuse(
            c, "left and right are understood as the picture has them");
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (remark_is_of_nothing(c, code)) {
        r->memory.last = r->memory.named = (builtin_set){0};
        return ETNA_OK;
    }
    if (code == ETNA_OK)
        code = remark_narrow(c, denies, &about, &one);
    if (code != ETNA_OK)
        return code;
    if (!denies)
        code = remark_pass(r, c->said);
    if (code != ETNA_OK)
        return code;
    const bool told = denies || node_is(c->said, "REMARK");
    if (told && about.need == about.count)
        r->memory.last = r->memory.named = about;
    if (one != BUILTIN_NONE)
        r->memory.last = r->memory.named = set_one(r, one);
    return ETNA_OK;
}

/* Metres to the nearest thing that can be moved. */
static double object_way_to_any(const reader *r, uint32_t object)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i != object && object_moves(r->facts, i))
            nearest = fmin(nearest, object_way(r, object, i));
    }
    return nearest;
}

/* The one that is farther from all else than any other by some lead;
 * BUILTIN_NONE: there is no such. */
static uint32_t solitary_of(const reader *r, const builtin_set *about)
{
    const double lead = 0.2; /* metres */
    double most = -1, second = -1;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        const double way = object_way_to_any(r, about->objects[i]);
        if (way > most)
            best = about->objects[i];
        second = way > most ? most : fmax(second, way);
        most = fmax(most, way);
    }
    return most > second + lead ? best : BUILTIN_NONE;
}

/* "... on its own by the bench": those that stand there, where some of any
 * do. */
static etna_code alone_by_place(const clause *c, builtin_set *about)
{
    uint32_t *there =
        etna_arena_alloc(c->r->arena, about->count + 1u, sizeof *there);
    uint32_t count = 0;
    if (!there)
        return reader_no_memory(c->r);
    if (about->need == about->count)
        return ETNA_OK;
    for (uint32_t i = 0; i < about->count; i++) {
        double way;
        etna_code code = remark_way(c, about->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (isfinite(way))
            there[count++] = about->objects[i];
    }
    if (count >= about->need)
        *about = (builtin_set){
            .count = count, .objects = there, .need = about->need};
    return ETNA_OK;
}

/* "One of the chairs stands all by itself": that one is spoken of next. */
static etna_code clause_read_alone(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {
        .movers = true, .many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    if (coverage_is_request(r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code != ETNA_OK)
        return code;
    code = alone_by_place(c, &about);
    if (code != ETNA_OK)
        return code;
    const bool one = about.need == 1 && about.count > 1;
    const uint32_t alone = one ? solitary_of(r, &about) : BUILTIN_NONE;
    if (alone != BUILTIN_NONE)
        about = set_one(r, alone);
    if (about.need != about.count)
        return clause_refuse(c, "which of them that is is not clear");
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return ETNA_OK;
}

typedef struct piled { /* of these, what one of them bears or stands on */
    const reader *r;
    const builtin_set *about;
} piled;

/* Stands on another of the set, or another on it. */
static bool object_is_piled(const void *context, uint32_t object)
{
    const piled *p = context;
    for (uint32_t i = 0; i < p->about->count; i++) {
        const uint32_t other = p->about->objects[i];
        if (other == object)
            continue;
        if (builtin_stands_on(p->r->facts, object, other) ||
            builtin_stands_on(p->r->facts, other, object))
            return true;
    }
    return false;
}

/* "Two of the crates are stacked already": those are spoken of next. */
static etna_code clause_read_piled(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {
        .movers = true, .many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    candidates found;
    const piled p = {.r = r, .about = &about};
    if (coverage_is_request(r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code == ETNA_OK)
        code = candidates_make(r, &found);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < about.count; i++)
        candidates_add(&found, about.objects[i], 0);
    candidates_select(&found, object_is_piled, &p, true);
    if (found.count != about.need)
        return clause_refuse(c, "that is not how they stand");
    code = candidates_set(r, &found, found.count, &r->memory.last);
    r->memory.named = r->memory.last;
    reader_remark(r, c->said);
    return code;
}

/* Those of the things that pass, where some of any would do, are spoken of
 * next. */
static etna_code told_choose(clause *c,
                             builtin_set *about,
                             candidate_test *test,
                             const void *context)
{
    reader *r = c->r;
    candidates found;
    etna_code code = candidates_make(r, &found);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < about->count; i++)
        candidates_add(&found, about->objects[i], 0);
    candidates_select(&found, test, context, true);
    if (found.count != about->need)
        return clause_refuse(c, "which of them that is is not clear");
    code = candidates_set(r, &found, found.count, about);
    r->memory.last = r->memory.named = *about;
    reader_remark(r, c->said);
    return code;
}

/* "One of the chairs is empty": that one is spoken of next. */
static etna_code clause_read_vacant(clause *c)
{
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    if (coverage_is_request(c->r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(c->r, c->things, &any, &about);
    return code == ETNA_OK
               ? told_choose(c, &about, candidate_is_bare, c->r->facts)
               : code;
}

static bool candidate_lies_on_floor(const void *context, uint32_t object)
{
    return object_is_on_floor(context, object);
}

/* "There are two of them down there": those are spoken of next. */
static etna_code clause_read_found(clause *c)
{
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    etna_code code = refer_things(c->r, c->things, &any, &about);
    return code == ETNA_OK
               ? told_choose(c, &about, candidate_lies_on_floor, c->r)
               : code;
}

/* "The jug on the table, and not the vase": what stands there now is not to, so
 * that something else must be asked of it. */
static etna_code clause_read_not_this(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    const builtin_move *last = r->reading->count > r->first_move
                                   ? &r->reading->moves[r->reading->count - 1]
                                   : NULL;
    builtin_set denied = {0};
    if (!last || !bit_is_in(last->relation, RELATIONS_UPON) ||
        last->reference >= r->facts->object_count)
        return clause_refuse_all(c);
    const uint32_t place = last->reference;
    const refer_scope places = {.on = BUILTIN_NONE, .flat = true};
    const reader before = *r;
    etna_code code = refer_things(r, c->things, &movers, &denied);
    if (code == ETNA_E_INPUT) { /* "on the table, not the floor" */
        *r = before;
        code = refer_things(r, c->things, &places, &denied);
        const bool other = code == ETNA_OK && !set_has(&denied, place) &&
                           !object_moves(r->facts, denied.objects[0]);
        return code == ETNA_OK && !other ? clause_refuse_all(c) : code;
    }
    for (uint32_t i = 0; i < denied.count && code == ETNA_OK; i++) {
        if (!builtin_stands_on(r->facts, denied.objects[i], place))
            code = clause_refuse_all(c);
    }
    if (code == ETNA_OK)
        r->memory.denied = denied;
    return code;
}

/* "The sofa is no place for the cup. Put it on the shelf": that is spoken of;
 * where nothing follows, what is wanted is not said. */
static etna_code clause_read_no_place(clause *c)
{
    reader *r = c->r;
    const bool last = r->part == &r->s->parts[r->s->part_count - 1];
    const refer_scope movers = refer_scope_movers();
    builtin_set about = {0};
    if (last)
        return clause_refuse(c, "where it is to be instead is not said");
    etna_code code = refer_things(r, node_things(c->said, 1), &movers, &about);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return ETNA_OK;
}

/* "One chair does not belong to any table." */
static etna_code clause_read_negative(clause *c)
{
    etna_code code = clause_read_remark(c);
    c->r->cost += 30;
    return code == ETNA_OK ? unmet_note(c) : code;
}

/* ---- lists ---- */

/* "5 cm closer to the bed; likewise the other one": as far, on its own way
 * there. */
static void shift_again(const reader *r, uint32_t before, builtin_move *m)
{
    double toward[3], along = 0, metres = 0;
    shift_toward(r, before, m->reference, 1, false, toward);
    for (int k = 0; k < 3; k++) {
        along += toward[k] * m->shift[k];
        metres += m->shift[k] * m->shift[k];
    }
    shift_toward(r, m->objects.objects[0], m->reference, sqrt(metres),
                 along < 0, m->shift);
}

/* Not what needs all of its things, nor what only names them. */
static bool move_is_repeatable(const builtin_move *m)
{
    const bool names =
        m->relation == RELATION_GROUP && m->reference == BUILTIN_NONE;
    const bool joint = m->row_count || m->relation == RELATION_SWAP ||
                       m->relation == RELATION_AT;
    return !names && !joint;
}

/* What was asked before, of other things. */
static etna_code clause_repeat(clause *c, bool *ret_done)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    *ret_done = false;
    if (r->reading->count == 0)
        return ETNA_OK;
    builtin_move m = r->reading->moves[r->reading->count - 1];
    reader_span(r, c->said, m.span);
    if (!move_is_repeatable(&m))
        return ETNA_OK;
    const uint32_t before = m.objects.objects[0];
    etna_code code = refer_things(r, c->things, &movers, &m.objects);
    const bool vector =
        m.relation == RELATION_SHIFT && m.reference < r->facts->object_count;
    if (code == ETNA_OK && vector)
        shift_again(r, before, &m);
    if (code == ETNA_OK)
        code = move_add(r, &m);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = m.objects;
    *ret_done = true;
    return ETNA_OK;
}

/* "Likewise the other one". */
static etna_code clause_read_likewise(clause *c)
{
    bool done = false;
    etna_code code = clause_repeat(c, &done);
    return code == ETNA_OK && !done ? clause_refuse_all(c) : code;
}

/* "... all of them", "..., all three": that is known. */
static bool list_says_again(const clause *c)
{
    const uint32_t last = c->r->memory.last.count;
    if (phrase_is_pronoun(c->things, PRON_THEM) && last > 1)
        return true;
    if (!node_is(c->things, "THING") || chart_child(c->things, "CORE"))
        return false;
    const chart_node *number = chart_find(c->things, "$num");
    return number && number->value == 1000 * last &&
           phrase_is_plural(c->r, c->things);
}

/* Are the listed things what the phrase before named: as many of them as were
 * to be moved, all of them, or all of them and more of the kind? */
static bool list_is_of_move(const reader *r,
                            const builtin_set *named,
                            const builtin_move *m)
{
    if (named->need != named->count || set_has(named, m->reference))
        return false;
    if (m->objects.need < m->objects.count)
        return named->count == m->objects.need &&
               set_is_within(named, &m->objects);
    const bool whole = m->objects.count > 1 && m->row_count == 0 &&
                       m->each.count == 0 && r->memory.taken.count == 0;
    return whole && set_is_within(&m->objects, named);
}

/* "Put two things on the tray: the cup and the spoon", "all the toys into the
 * box: the blocks, the truck and the bear": which are to be moved. */
static etna_code list_names_movers(clause *c, bool *ret_done)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move *m = r->reading->count > r->first_move
                          ? &r->reading->moves[r->reading->count - 1]
                          : NULL;
    const bool colon =
        c->said->first > 0 && reader_word_is(r, c->said->first - 1, ":");
    *ret_done = false;
    if (!m || (m->objects.need >= m->objects.count && !colon))
        return ETNA_OK;
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set named;
    etna_code code = refer_things(r, c->things, &movers, &named);
    *ret_done = code == ETNA_OK && list_is_of_move(r, &named, m);
    if (!*ret_done) {
        *r = before;
        *r->err = why;
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    }
    m->objects = r->memory.last = r->memory.named = named;
    return ETNA_OK;
}

/* Things alone: those to be moved, the rest of what was said before, or a
 * refusal. */
static etna_code clause_read_list(clause *c)
{
    bool done = false;
    if (list_says_again(c))
        return ETNA_OK;
    etna_code code = list_names_movers(c, &done);
    if (code == ETNA_OK && !done)
        code = clause_tell_more(c, &done);
    /* "..., then the other one" */
    bool other = node_says(c->things, "$quant", BIT(DET_OTHER));
    if (code == ETNA_OK && !done && other)
        code = clause_repeat(c, &done);
    return code == ETNA_OK && !done
               ? clause_refuse(c, "it does not say what to do with that")
               : code;
}

/* "Keep the helmet on top", "what is on top moves with it": what stands on a
 * moved thing goes along anyway. */
static etna_code clause_read_carry(clause *c)
{
    reader *r = c->r;
    const builtin_set carrier = r->memory.last;
    const refer_scope scope = {
        .on = BUILTIN_NONE, .many = true, .barred = &carrier};
    builtin_set load = {0};
    if (carrier.count == 0)
        return clause_refuse_all(c);
    etna_code code =
        c->things ? refer_things(r, c->things, &scope, &load) : ETNA_OK;
    for (uint32_t i = 0; i < load.count && code == ETNA_OK; i++) {
        if (!builtin_is_above(r->facts, load.objects[i], carrier.objects[0]))
            code = clause_refuse_all(c);
    }
    r->memory.last = carrier;
    return code;
}

/* "A bit more", "to the left", "onto the tray": of what the text before moved
 * last. */
static etna_code clause_read_onward(clause *c)
{
    if (!move_before(c->r) || c->r->reading->count > c->r->first_move)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    c->verb = clause_turns_on(c) ? VERB_TURN : VERB_MOVE;
    return clause_act(c);
}

/* "..., then 5 cm to the right": of what this text moved last, or spoke of: "It
 * hangs too high. 30 cm lower, please". */
static etna_code clause_read_further(clause *c)
{
    const bool told = c->r->reading->remark_count > 0;
    const bool spoken = c->r->memory.last.count > 0 && told;
    if (c->r->reading->count == c->r->first_move && !spoken)
        return clause_refuse_all(c);
    details_gather(c->r, c->said, &c->d);
    c->verb = VERB_MOVE;
    return clause_act(c);
}

/* "Every cup should have a saucer under it": a saucer goes under every cup. The
 * place with the thing itself for "it"; NULL: it is not by that. */
static const chart_node *have_place(const clause *c)
{
    reader *r = c->r;
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *it = rel ? node_phrase(rel, 0) : NULL;
    if (!it ||
        !(phrase_is_pronoun(it, PRON_IT) || phrase_is_pronoun(it, PRON_THEM)))
        return NULL;
    chart_node *place = etna_arena_memdup(r->arena, rel, sizeof *place);
    const chart_node **children = etna_arena_memdup(
        r->arena, rel->children, rel->child_count * sizeof *children);
    if (!place || !children)
        return NULL;
    for (uint32_t i = 0; i < rel->child_count; i++) {
        if (children[i] == it)
            children[i] = c->things;
    }
    place->children = children;
    return place;
}

/* "In the middle", which is that of the thing itself. NULL: it is no such
 * place. */
static const chart_node *have_zone(const clause *c)
{
    enum {
        PARTS_MAX = 8
    };
    const chart_node *zone = chart_child(c->said, "ZONE");
    const chart_node *parts[PARTS_MAX];
    uint32_t count = 0;
    if (!zone || zone_owner(zone) || zone->child_count + 1 > PARTS_MAX)
        return NULL;
    for (uint32_t i = 0; i < zone->child_count; i++)
        parts[count++] = zone->children[i];
    parts[count++] = c->things;
    return node_make(c->r, "ZONE", zone, parts, count);
}

static etna_code clause_read_have(clause *c)
{
    reader *r = c->r;
    const uint32_t first = r->reading->count;
    const chart_node *const upon = have_place(c);
    const chart_node *const place = upon ? upon : have_zone(c);
    const chart_node *const what = node_things(c->said, 1);
    const chart_node **children =
        etna_arena_alloc(r->arena, 2, sizeof *children);
    chart_node *said = etna_arena_memdup(r->arena, c->said, sizeof *said);
    if (!children || !said)
        return reader_no_memory(r);
    if (!place || !what)
        return clause_refuse_all(c);
    children[0] = what;
    children[1] = place;
    said->name = "STATE";
    said->child_count = 2;
    said->children = children;
    clause put = {.r = r, .said = said, .things = what, .verb = VERB_PUT};
    etna_code code = clause_read_state(&put);
    if (code == ETNA_OK)
        code = coverage_check(r, said, first);
    return code == ETNA_OK ? moves_settle(r, first) : code;
}

/* The kinds that the grammar tells apart, by the name of their node. */
typedef struct clause_kind {
    const char *kind;
    etna_code (*read)(clause *c);
    bool is_whole; /* its moves must show all that it says */
    /* it asks for something of its own: it can be passed over, and says the
     * same behind what is */
    bool is_wish;
} clause_kind;

/* "..., likewise the chairs", "the chairs by the wall" behind a verb that was
 * passed over: it would go on from something else than it does. */
static bool clause_is_cut_off(const clause *c, const clause_kind *kind)
{
    const bool strange = c->r->gap == GAP_STRANGE &&
                         node_is(c->said, "STATE") && state_is_bare(c);
    return strange || (c->r->gap != GAP_NONE && !kind->is_wish);
}

/* "There" is next where the last of these moves puts something. */
static void there_note(reader *r, uint32_t first_move)
{
    static const struct {
        builtin_relation relation, meant; /* for something else */
    } rows[] = {
        {RELATION_ON, RELATION_ON},         {RELATION_IN, RELATION_IN},
        {RELATION_UNDER, RELATION_UNDER},   {RELATION_MIDDLE, RELATION_ON},
        {RELATION_EDGE, RELATION_ON},       {RELATION_CORNER, RELATION_ON},
        {RELATION_BESIDE, RELATION_BESIDE}, {RELATION_LINE, RELATION_ON}};
    const builtin_reading *reading = r->reading;
    if (reading->count == first_move)
        return;
    const builtin_move *m = &reading->moves[reading->count - 1];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (m->relation != rows[i].relation ||
            m->reference >= r->facts->object_count)
            continue;
        r->memory.there = (reader_there){.object = m->reference + 1,
                                         .relation = rows[i].meant,
                                         .level = m->level};
        return;
    }
    r->memory.there = (reader_there){0};
}

/* Reads one kind of clause, then checks that nothing that was said got lost
 * (coverage_check). */
static etna_code clause_read_kind(clause *c, const clause_kind *kind)
{
    reader *r = c->r;
    const uint32_t first_move = r->reading->count;
    r->is_wish = kind->is_wish;
    if (clause_is_cut_off(c, kind))
        return reader_refuse(r, CODE_UNREAD, c->said,
                             "it speaks of what was passed over before it");
    etna_code code = kind->read(c);
    if (code == ETNA_OK && kind->is_whole)
        code = coverage_check(r, c->said, first_move);
    if (code == ETNA_OK && kind->is_whole)
        code = moves_settle(r, first_move);
    if (code == ETNA_OK)
        there_note(r, first_move);
    if (code == ETNA_OK && r->memory.last.count == 1)
        r->memory.single = r->memory.last;
    for (uint32_t i = first_move; i < r->reading->count && code == ETNA_OK; i++)
        memcpy(r->reading->moves[i].clause, r->clause, sizeof r->clause);
    if (code == ETNA_OK)
        r->gap = GAP_NONE;
    return code;
}

/* By the kind that the grammar gave the tree. */
etna_code clause_read(reader *r, const chart_node *said)
{
    static const clause_kind kinds[] = {
        {"DO", clause_read_do, true, true},
        {"STATE", clause_read_state, true, true},
        {"NEEDING", clause_read_needing, true, true},
        {"HAVE", clause_read_have, false, true},
        {"PILEUP", clause_pile_up, true, true},
        {"GIVE", clause_give, false, true},
        {"SIDES", clause_sides, false, true},
        {"FLANK", clause_flank, false, true},
        {"GAPPED", clause_space, false, true},
        {"GAPBY", clause_space_by, false, true},
        {"SPACED", clause_space_last, false, false},
        {"FURTHER", clause_read_further, false, false},
        {"ONWARD", clause_read_onward, true, false},
        {"REDO", clause_redo, false, false},
        {"UNDO", clause_undo, false, false},
        {"REMARK", clause_read_remark, false, false},
        {"ALONE", clause_read_alone, false, false},
        {"PILED", clause_read_piled, false, false},
        {"NOTDO", clause_read_denial, false, false},
        {"NOPLACE", clause_read_no_place, false, false},
        {"NOTSTATE", clause_read_negative, false, false},
        {"LIKEWISE", clause_read_likewise, false, false},
        {"CARRY", clause_read_carry, false, false},
        {"EXTREME", clause_read_extreme, false, false},
        {"ORDERLIST", clause_read_in_order, false, false},
        {"VACANT", clause_read_vacant, false, false},
        {"FOUND", clause_read_found, false, false},
        {"IGNORE", clause_ignore, false, false},
        {"KEPT", clause_read_kept, false, false},
        {"NOTFALL", clause_read_not_fall, false, false},
        {"NOTTHIS", clause_read_not_this, false, false},
        {"UNMET", clause_read_unmet, false, false},
        {"LACK", clause_read_lack, false, false},
        {"UNSEEN", clause_read_unseen, false, false},
        {"MEND", clause_read_mend, false, true},
        {"CLOSEUP", clause_close_up, false, true},
        {"BARED", clause_read_bared, false, true},
        {"STAYON", clause_read_stay_on, false, false},
        {"LIST", clause_read_list, false, false}};
    const chart_node *cannot = chart_child(said, "CANNOT");
    clause c = {
        .r = r, .said = said, .things = node_things(said, 0), .verb = VERB_PUT};
    reader_span(r, said, r->clause);
    r->is_wish = cannot != NULL;
    if (cannot)
        return reader_refuse(r, CODE_IMPOSSIBLE, cannot,
                             "\"%s\": things stay upright and in the scene",
                             reader_said(r, cannot));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (node_is(said, kinds[i].kind))
            return clause_read_kind(&c, &kinds[i]);
    }
    return clause_refuse_all(&c);
}
