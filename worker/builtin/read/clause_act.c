/* What a clause does, by its verb: tables whose rows are tried in order. Verbs
 * that ask for no thing of theirs come first, then those that find their things
 * themselves, then all that move what is spoken of. A new verb is a row. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

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
    {BIT(VERB_TAKE), clause_takes_away, clause_discard, false},
    {BIT(VERB_REPLACE) | BIT(VERB_SUBSTITUTE), NULL, clause_replace, false},
    {BIT(VERB_KEEP), clause_keeps_heading, clause_keep_heading, false},
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

/* "At both ends", "on opposite sides": who is there is in no one row. */
static bool zone_is_of_several(const reader *r, const chart_node *zone)
{
    static const char *const several[] = {"ends", "sides", "edges", "both",
                                          "each"};
    const chart_node *const word = chart_child(zone, "$zone");
    const uint32_t end = word ? word->end : zone->first;
    for (uint32_t at = zone->first; at < end; at++) {
        if (WORD_IS_OF(reader_word(r, at), several))
            return true;
    }
    return false;
}

/* "The stools in front of the bar, 60 cm apart": from one to the next, and not
 * from the bar. */
static bool clause_is_spaced_there(const clause *c)
{
    const bool several = c->movers.count > 1 && c->movers.need > 1;
    const uint32_t places = c->d.relation_count + c->d.zone_count;
    if (!c->d.apart_by || !several || places != 1)
        return false;
    if (c->d.opposed && chart_child(c->d.apart_by, "GAPALONE"))
        return false;
    /* along a side of it; in its middle or its corner they have no room */
    if (c->d.zone_count == 1)
        return !zone_is_of_several(c->r, c->d.zones[0]) &&
               node_says(c->d.zones[0], "$zone",
                         BIT(ZONE_EDGE) | BIT(ZONE_END) | BIT(ZONE_SIDE));
    return !phrase_is_pronoun(c->d.relations[0].what, PRON_EACH_OTHER);
}

/* "Next to each other with the red one in the middle", "together so that they
 * nearly touch" */
static bool clause_is_spaced_together(const clause *c)
{
    const bool several = c->movers.count > 1 && c->movers.need > 1;
    const bool by_each_other = c->d.together || straight_is_mutual(c);
    return several && by_each_other && (c->d.order_count > 0 || c->d.apart_by);
}

static bool clause_says_row(const clause *c)
{
    bool shared = false;
    if (clause_faces_apart(c))
        return false;
    for (uint32_t i = 0; i < c->d.relation_count; i++)
        shared = shared || preposition_shares_out(c->r, &c->d.relations[i],
                                                  &c->movers, c->verb);
    /* "at both ends, 40 cm apart": so far across what is between them */
    const bool across = c->d.zone_count == 1 && c->d.evenly &&
                        chart_find(c->d.evenly, "DIST") &&
                        zone_is_of_several(c->r, c->d.zones[0]);
    const bool spread = (c->d.evenly && !shared && !across) || c->d.in_order;
    return c->d.row || (spread && c->movers.count > 1) ||
           clause_is_spaced_there(c) || clause_is_spaced_together(c);
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

/* "Spread the cones": from one another, and never together. */
static bool clause_spreads(const clause *c)
{
    return clause_says_nothing_else(c) &&
           clause_word_is(c, "$verb", "clause: spreads");
}

static etna_code clause_refuse_spread(clause *c)
{
    return clause_refuse(c, "how far from one another they are to be, or on "
                            "what, is not said");
}

/* "Move the cones further apart": each another way, and not all of them one. */
static bool clause_parts_things(const clause *c)
{
    const reader *r = c->r;
    for (uint32_t at = c->said->first + 1; at < c->said->end; at++) {
        if (reader_word_is(r, at, "apart") &&
            reader_lists(r, at - 1, "act: farther"))
            return c->movers.count > 1;
    }
    return false;
}

static bool clause_says_no_height(const clause *c)
{
    return !details_have_places(&c->d) && !c->d.height && !c->d.one_height;
}

/* What a hung thing is raised or lowered to, another that hangs; BUILTIN_NONE:
 * it is no such clause. */
static uint32_t clause_hung_level(const clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const refer_scope place = refer_scope_place(&c->movers);
    uint32_t level = BUILTIN_NONE;
    if (c->d.relation_count != 1 || c->movers.count == 0 ||
        !bit_is_in(c->d.relations[0].relation,
                   BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_TO)))
        return BUILTIN_NONE;
    const etna_code code = refer_one(r, c->d.relations[0].what, &place, &level);
    *r = before;
    *r->err = why;
    bool hangs = code == ETNA_OK && level < r->facts->object_count &&
                 object_at(r, level)->attached;
    for (uint32_t i = 0; i < c->movers.count && hangs; i++)
        hangs = object_at(r, c->movers.objects[i])->attached;
    return hangs ? level : BUILTIN_NONE;
}

static bool clause_levels_hung(const clause *c)
{
    return clause_hung_level(c) != BUILTIN_NONE;
}

/* "Raise the left picture up to the right one": as high, and where it is. */
static etna_code clause_level_hung(clause *c)
{
    builtin_move m = move_plain(c, RELATION_LEVEL);
    m.reference = clause_hung_level(c);
    m.align = ALIGN_MIDDLE;
    m.hung = true;
    return move_add(c->r, &m);
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
    const builtin_facts *const facts = c->r->facts;
    /* what hangs or hovers is in the middle of no floor: "centre [the clock
     * above the shelf]" */
    for (uint32_t i = 0; i < c->movers.count && !details_have_places(&c->d);
         i++) {
        const uint32_t object = c->movers.objects[i];
        const bool stands = object_at(c->r, object)->by_count > 0;
        if (!stands || builtin_hangs_on(facts, object) < facts->wall_count)
            return clause_refuse(c, "in the middle of what is not said");
    }
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
    const bool by_place = order >= FROM_LEFT && order <= IN_DEPTH;
    if (order == 0 || by_place || c->movers.count < 2)
        return false;
    if (clause_says_nothing_else(c))
        return true;
    const uint32_t where = BIT(REL_ON) | BIT(REL_BESIDE) | BIT(REL_NEAR) |
                           BIT(REL_FRONT) | BIT(REL_BEHIND) | BIT(REL_AGAINST);
    const bool there = c->d.relation_count == 1 && c->d.zone_count == 0 &&
                       !details_turn(&c->d) &&
                       bit_is_in(c->d.relations[0].relation, where);
    return there && !reader_word_is(c->r, c->d.order->end - 1, "first");
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
    {any_verb, clause_parts_things, clause_refuse_spread, false},
    {any_verb, clause_says_pair, clause_put_pair, false},
    {BIT(VERB_LINE), clause_is_of_one_pair, clause_put_plain, false},
    {any_verb, clause_says_boards, clause_step_boards, false},
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
    {any_verb, clause_faces_apart, clause_put_plain, true},
    {BIT(VERB_TURN) | BIT(VERB_FOLLOW), NULL, clause_turn, false},
    {BIT(VERB_TUCK), clause_tucks_under, clause_tuck, false},
    {BIT(VERB_GROUP), NULL, clause_group, false},
    {BIT(VERB_ARRANGE), clause_spreads, clause_refuse_spread, false},
    {BIT(VERB_ARRANGE), clause_says_nothing_else, clause_group, false},
    {BIT(VERB_STRAIGHTEN), NULL, clause_straighten, false},
    {BIT(VERB_CENTRE), NULL, clause_centre, false},
    {BIT(VERB_RAISE) | BIT(VERB_LOWER), clause_says_no_height, clause_raise,
     false},
    {BIT(VERB_RAISE) | BIT(VERB_LOWER), clause_levels_hung, clause_level_hung,
     false},
    {any_verb, clause_is_of_several, clause_put_conjuncts, false},
    {any_verb, NULL, clause_put, false},
};

/* "Push the chair in to the table", "into the table": no chair goes into a
 * table. */
static bool clause_goes_into_table(const clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const refer_scope place = refer_scope_place(&c->movers);
    uint32_t table = BUILTIN_NONE;
    if (c->verb != VERB_MOVE || c->d.relation_count != 1 ||
        c->d.relations[0].relation != REL_IN)
        return false;
    const etna_code code = refer_one(r, c->d.relations[0].what, &place, &table);
    *r = before;
    *r->err = why;
    return code == ETNA_OK && table < r->facts->object_count &&
           object_is_table(r, table);
}

/* "Push the chairs in at the table" */
static bool clause_pushes_in(const clause *c)
{
    const chart_node *part = c->d.part ? chart_child(c->d.part, "$part") : NULL;
    const bool moves = c->verb == VERB_MOVE || !chart_child(c->said, "$verb");
    const bool in = part && part->value == DIR_FRONT && moves;
    if (c->movers.count == 0 ||
        !builtin_is_seat(&c->r->facts->objects[c->movers.objects[0]]))
        return false;
    return in || clause_goes_into_table(c);
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

/* "Stack the phone on the book" is to put it there. */
static bool clause_stacks_one(const clause *c)
{
    const uint32_t upon =
        BIT(REL_ON) | BIT(REL_IN) | BIT(REL_OVER) | BIT(REL_ABOVE);
    if (c->verb != VERB_STACK || c->movers.count != 1)
        return false;
    return c->d.relation_count > 0 &&
           bit_is_in(c->d.relations[0].relation, upon);
}

/* "Turn it 20 cm to the left" is to move it, and "a bit to the left" is not. */
static bool clause_moves_by(const clause *c)
{
    const details *d = &c->d;
    if (c->verb != VERB_TURN || details_have_places(d) || !d->shift)
        return false;
    const bool turned = d->angle || d->face || d->back_to;
    return !turned && chart_find(d->shift, "$dir") &&
           chart_find(d->shift, "$num");
}

/* What the verb is said with may make it another. */
static lexicon_verb clause_verb_meant(const clause *c)
{
    if (clause_gives_to(c))
        return VERB_PUT;
    if (clause_stacks_one(c))
        return VERB_PUT;
    if (clause_pushes_in(c))
        return VERB_TUCK;
    return clause_moves_by(c) ? VERB_MOVE : c->verb;
}

/* Those of what was taken up that no move from `at` on moves. */
static builtin_set taken_left(reader *r, const builtin_set *taken, uint32_t at)
{
    uint32_t *const left =
        etna_arena_alloc(r->arena, taken->count + 1u, sizeof *left);
    uint32_t count = 0;
    if (!left)
        return (builtin_set){0};
    for (uint32_t i = 0; i < taken->count; i++) {
        const builtin_set one = set_one(r, taken->objects[i]);
        if (!reading_moves_any(r->reading, at, &one))
            left[count++] = taken->objects[i];
    }
    return (builtin_set){.count = count, .objects = left, .need = count};
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
    /* "everything off the desk; the books go on the shelf": the others, too */
    const builtin_set left = taken_left(r, taken, at);
    if (left.count == 0 && taken->count > 0)
        return ETNA_OK;
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = left;
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
    const builtin_set *const taken = &before->taken;
    return taken->count > 0 && !reading_moves_any(r->reading, at, taken);
}

bool move_is_carried(const reader *r, const builtin_move *m)
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

bool set_is_carried(const reader *r,
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

/* "So that their handles point to us": of a part that is no front of it nothing
 * tells which way it points. `at`: the first move that says so. */
static bool purpose_turns_part(const clause *c, uint32_t at)
{
    const chart_node *const other = c->d.other_clause;
    const chart_node *const of = other ? node_things(other, 0) : NULL;
    const bool part =
        of && node_says(of, "$det", BIT(DET_ITS)) && chart_child(other, "FACE");
    for (uint32_t i = at; part && i < c->r->reading->count; i++) {
        if (set_is_within(&c->r->reading->moves[i].objects, &c->movers))
            return true;
    }
    return false;
}

/* "... so that the lamp is behind it", "with the chair behind it" */
static etna_code clause_act_other(clause *c)
{
    const chart_node *other = c->d.other_clause;
    const bool ordered = c->r->memory.ordered > 0;
    const uint32_t begin = c->r->reading->count;
    etna_code code = other ? clause_act_said(c, other) : ETNA_OK;
    if (code == ETNA_OK && purpose_turns_part(c, begin))
        /* it is no thing of its own either */
        return reader_refuse_finally(
            c->r,
            clause_refuse(c, "which way that part of it points is not known"));
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

/* On it, or within its box: what lies on a lower board of a table that the file
 * has as one thing. */
static bool object_is_at(const reader *r, uint32_t object, uint32_t base)
{
    const builtin_object *const o = object_at(r, object);
    const builtin_object *const b = object_at(r, base);
    bool within = true;
    for (int k = 0; k < 3; k++)
        within = within && fabs(o->centre[k] - b->centre[k]) < b->half[k];
    return within || builtin_stands_on(r->facts, object, base);
}

/* "Line up the cups on the counter", where some stand there and some do not:
 * either those, or all of them there. */
static etna_code clause_check_some_there(clause *c)
{
    const uint32_t verbs = BIT(VERB_LINE) | BIT(VERB_STACK) | BIT(VERB_SPACE) |
                           BIT(VERB_GROUP) | BIT(VERB_ARRANGE);
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    reader *r = c->r;
    const bool all = c->movers.count > 2 && c->movers.need == c->movers.count;
    if (!bit_is_in(c->verb, verbs) || !all || c->d.relation_count == 0 ||
        c->d.relations[0].relation != REL_ON)
        return ETNA_OK;
    /* "put the tools on the bench in order of size": what is put goes there */
    const uint32_t said = node_value(c->said, "$verb");
    if (node_is(c->said, "DO") &&
        bit_is_in(said, BIT(VERB_PUT) | BIT(VERB_MOVE)))
        return ETNA_OK;
    if (!node_is(c->things, "THING") ||
        (phrase_quantity(c->things).says & (SAYS_ALL | SAYS_EACH)) ||
        phrase_quantity(c->things).number > 0)
        return ETNA_OK;
    const reader before = *r;
    const etna_error why = *r->err;
    uint32_t base = BUILTIN_NONE, there = 0;
    etna_code code = refer_one(r, c->d.relations[0].what, &flat, &base);
    *r = before;
    *r->err = why;
    if (code != ETNA_OK || base >= r->facts->object_count)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    for (uint32_t i = 0; i < c->movers.count; i++)
        there += object_is_at(r, c->movers.objects[i], base);
    if (there < 2 || there == c->movers.count)
        return ETNA_OK;
    return reader_refuse_finally(
        r,
        reader_refuse(
            r, CODE_AMBIGUOUS, c->things,
            "\"%s\": whether those that are there or all of them is not clear",
            reader_said(r, c->things)));
}

/* "A and B to the left wall, C and D to the right wall, all facing the table":
 * what the clauses before placed faces it, too. */
static void clause_face_all(const clause *c, uint32_t at)
{
    const reader *const r = c->r;
    builtin_reading *const reading = r->reading;
    const chart_node *const face = c->d.face;
    if (!face || at <= r->first_move || reading->count <= at ||
        reading->moves[at].facing == FACING_NONE)
        return;
    const bool begins = reader_word_is(r, face->first, "all");
    if (!begins &&
        (face->first == 0 || !reader_word_is(r, face->first - 1, "all")))
        return;
    for (uint32_t i = r->first_move; i < at; i++) {
        reading->moves[i].facing = reading->moves[at].facing;
        reading->moves[i].faced = reading->moves[at].faced;
    }
}

/* "Move the table half a metre to the left. The chair should follow and face
 * it": it goes as far the same way. */
static etna_code clause_follow_shift(const clause *c)
{
    const builtin_reading *const reading = c->r->reading;
    const chart_node *const follow = c->d.follow;
    if (!follow || node_things(follow, 0) || reading->count == 0 ||
        details_have_places(&c->d))
        return ETNA_OK;
    const builtin_move *const last = &reading->moves[reading->count - 1];
    if (last->relation != RELATION_SHIFT)
        return ETNA_OK;
    builtin_move m = move_plain(c, RELATION_SHIFT);
    m.objects = c->movers;
    memcpy(m.shift, last->shift, sizeof m.shift);
    return move_add(c->r, &m);
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
    if (code == ETNA_OK)
        code = clause_check_some_there(c);
    if (code == ETNA_OK)
        code = clause_follow_shift(c);
    if (code != ETNA_OK)
        return code;
    /* "all the plates on a chair": on one, and not one by one */
    r->deals = c->things && phrase_is_each(c->things) &&
               !reader_word_is(r, c->things->first, "all");
    const builtin_set movers = r->moving = c->movers;
    c->verb = clause_verb_meant(c);
    /* the last always fits */
    const verb_row *row =
        verb_row_find(c, verbs_of_moving, COUNT_OF(verbs_of_moving));
    code = row->read(c);
    if (code == ETNA_OK)
        code = clause_take_companions(c, at);
    if (code != ETNA_OK)
        return code;
    clause_face_all(c, at);
    r->memory.spared = r->excepted;
    /* "clear the desk: all but the lamp goes on the shelf" */
    code = clearing_spare(r, &r->excepted);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = movers;
    /* "a lamp on each nightstand, and turn them to the bed": as many as went */
    if (r->reading->count == at + 1 && r->reading->moves[at].each.count > 0)
        r->memory.last = r->memory.named = r->reading->moves[at].objects;
    code = taken_put(c, &before, at);
    if (code != ETNA_OK)
        return code;
    if (r->reading->count > at && !taken_is_open(r, &before, at))
        r->memory.taken = (builtin_set){0};
    r->memory.ordered_before = row->keeps_order ? 0 : r->memory.ordered;
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

/* "Add the pear to the bowl", where there is a pear. */
static etna_code clause_adds_from_scene(clause *c, bool *ret)
{
    reader *r = c->r;
    const chart_node *parts[CONJUNCTS_MAX];
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set known;
    *ret = false;
    if (!c->things || !details_have_destination(&c->d))
        return ETNA_OK;
    const uint32_t count = node_conjuncts(c->things, parts);
    for (uint32_t i = 0; i < count; i++) {
        if (!node_is(parts[i], "THING") || staged_named(r, parts[i]))
            return ETNA_OK;
    }
    if (!(phrase_quantity(parts[0]).says & SAYS_DEFINITE))
        return ETNA_OK;
    const etna_code code = movers_find(c, c->things, &known);
    *r = before;
    *r->err = why;
    *ret = code == ETNA_OK;
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

/* "Take a chair and add it to the table": what is named already is brought in
 * by nobody. */
static etna_code clause_add_known(clause *c)
{
    bool known = c->things && (phrase_is_pronoun(c->things, PRON_IT) ||
                               phrase_is_pronoun(c->things, PRON_THEM));
    if (c->verb != VERB_ADD)
        return ETNA_OK;
    etna_code code = known ? ETNA_OK : clause_adds_from_scene(c, &known);
    if (known)
        c->verb = VERB_PUT;
    return code;
}

/* Verbs without things, then those that read their things themselves, then all
 * that move things. */
etna_code clause_act(clause *c)
{
    c->r->excepted = c->r->moving = (builtin_set){0};
    details_join(c->r, &c->d);
    clause_roll(c);
    etna_code code = clause_add_known(c);
    if (code != ETNA_OK)
        return code;
    const verb_row *row =
        verb_row_find(c, verbs_without_things, COUNT_OF(verbs_without_things));
    if (row)
        return row->read(c);
    code = clause_imply_things(c);
    if (code != ETNA_OK)
        return code;
    row = verb_row_find(c, verbs_of_their_own, COUNT_OF(verbs_of_their_own));
    return row ? row->read(c) : clause_move_things(c);
}
