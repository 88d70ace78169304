/* One clause -> moves. Its kind is looked up in a table whose rows are tried in
 * order: the first that fits reads the clause. A new kind is a row. Orders are
 * read here; what they do, by their verb, in clause_act.c. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/clause_list.h"
#include "worker/builtin/read/clause_mention.h"
#include "worker/builtin/read/clause_state.h"
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/refer_internal.h"

#include <stdio.h>

enum {
    /* more than a topic costs by the grammar above a state */
    COST_OF_TOPIC = 60
};

bool clause_word_is(const clause *c, const char *category, const char *class)
{
    const chart_node *node = chart_child(c->said, category);
    return node && lexicon_lists(class, reader_word(c->r, node->first));
}

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
    if (!word || !part || !c->things)
        return;
    if (part->first < c->things->end || word->end - word->first != 1)
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
           reader_lists(c->r, first, "told: home");
}

/* "Only the lamp stays, rest onto the shelf": the others, and no order. */
static bool clause_is_the_rest(const clause *c)
{
    return !c->things && reader_word_is(c->r, c->said->first, "rest") &&
           details_have_places(&c->d);
}

/* "Chair 1 to face chair 2, a metre between them": beside what it faces. */
static void clause_join_faced(clause *c)
{
    const chart_node *const faced = c->d.face && node_is(c->d.face, "FACE")
                                        ? node_things(c->d.face, 0)
                                        : NULL;
    const bool placed = details_have_places(&c->d) || !c->things;
    if (!faced || !c->d.apart_by || placed || phrase_pronoun(faced))
        return;
    c->d.relations[c->d.relation_count++] = (condition){
        .node = c->d.face, .what = faced, .relation = REL_BESIDE, .gap = -1};
    c->verb = VERB_PUT;
}

/* An order. keep, use and leave room bound the others and are no wishes. */
static etna_code clause_read_do(clause *c)
{
    const chart_node *word = chart_child(c->said, "$verb");
    if (!word)
        word = chart_child(c->said, "$build"); /* "build a tower from" */
    details_gather(c->r, c->said, &c->d);
    c->verb = word ? (lexicon_verb)word->value : VERB_PUT;
    clause_join_faced(c);
    if (clause_is_after_no(c) || clause_is_the_rest(c))
        return clause_refuse_all(c);
    /* behind another wish it stays where it lies */
    const bool leaves = chart_child(c->said, "'leave'") &&
                        c->r->reading->count > c->r->first_move;
    if (leaves)
        return clause_let_stay(c);
    clause_join_particle(c, word);
    const lexicon_verb verb = c->verb;
    if (verb == VERB_KEEP || verb == VERB_USE || verb == VERB_ROOM)
        c->r->is_wish = false; /* it bounds the others */
    if (clause_is_idle(c)) {
        c->r->cost += 80;
        return ETNA_OK;
    }
    bool denies = false; /* "don't touch", "do not move" */
    for (uint32_t at = word ? word->first : 0; word && at < word->end; at++)
        denies = denies || reader_lists(c->r, at, "account: denies");
    denies = denies && verb == VERB_KEEP;
    etna_code code = denies ? clause_check_untouched(c) : ETNA_OK;
    if (code == ETNA_OK)
        code = clause_act(c);
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

/* "There" is next where the last of these moves puts something, or what it frees:
 * "take the lamp off the table and put the vase there". */
static void there_note(reader *r, uint32_t first_move)
{
    static const struct {
        builtin_relation relation, meant; /* for something else */
    } rows[] = {
        {RELATION_ON, RELATION_ON},         {RELATION_IN, RELATION_IN},
        {RELATION_UNDER, RELATION_UNDER},   {RELATION_MIDDLE, RELATION_ON},
        {RELATION_EDGE, RELATION_ON},       {RELATION_CORNER, RELATION_ON},
        {RELATION_BESIDE, RELATION_BESIDE}, {RELATION_LINE, RELATION_ON},
        {RELATION_OFF, RELATION_ON}};
    const builtin_reading *reading = r->reading;
    if (reading->count == first_move)
        return;
    const builtin_move *m = &reading->moves[reading->count - 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
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

/* Once a clause is read: its moves know it, and the next ones may speak of it. */
static void moves_note_clause(reader *r, uint32_t first_move)
{
    there_note(r, first_move);
    const builtin_move *const last = reader_last_move(r);
    /* "The mugs away from the table": those that stood there. */
    if (last && r->reading->count == first_move + 1 &&
        last->relation == RELATION_AWAY)
        r->memory.last = last->objects;
    if (r->memory.last.count == 1)
        r->memory.single = r->memory.last;
    for (uint32_t i = first_move; i < r->reading->count; i++)
        memcpy(r->reading->moves[i].clause, r->clause, sizeof r->clause);
    r->gap = GAP_NONE;
}

/* "The stool in the corner, turn it": where a thing stands of which the next
 * words ask something says which one it is, and is no place to put it. Only
 * the tokens behind it tell, since trees are read from the left. False: it is
 * no such clause; else what is asked of the thing is in *ret. */
static bool clause_is_topic(const clause *c, lexicon_verb *ret)
{
    const reader *r = c->r;
    const uint32_t end = r->part->first + c->said->end;
    const bool is_bare = node_is(c->said, "STATE") && state_is_bare(c);
    /* "all books off the table, put them on the shelf" says both */
    const bool off =
        c->d.relation_count == 1 && c->d.relations[0].relation == REL_OFF;
    if (!is_bare || off || c->said->first > 0 || end + 2 >= r->part->end)
        return false;
    const sentence_token *const t = &r->s->tokens[end];
    return strcmp(t[0].text, ",") == 0 && lexicon_find_verb(t[1].text, ret) &&
           lexicon_lists("told: moved", t[2].text);
}

/* "All frames off the table": of those that are said to leave it, is one neither
 * on it nor close by? */
static bool clause_takes_absent(const clause *c)
{
    const double close = 1.0; /* metres */
    const reader *const r = c->r;
    const builtin_move *const last = reader_last_move(r);
    const bool off = last && last->relation == RELATION_OFF;
    const builtin_set *const taken = off ? &last->objects : &r->memory.taken;
    const uint32_t base = off ? last->reference : r->memory.context;
    if (!node_is(c->said, "STATE") || c->d.relation_count != 1 ||
        c->d.relations[0].relation != REL_OFF || base >= r->facts->object_count)
        return false;
    for (uint32_t i = 0; i < taken->count; i++) {
        if (!builtin_is_above(r->facts, taken->objects[i], base) &&
            object_way(r, taken->objects[i], base) >= close)
            return true;
    }
    return false;
}

/* "Stool in the corner, turn it to the table" may say where to, since a turn
 * leaves it there; "the stool in the corner, bring it here" can't. */
static etna_code clause_weigh_topic(const clause *c)
{
    lexicon_verb verb;
    if (clause_takes_absent(c))
        return reader_refuse_said(c->r, CODE_ABSENT, c->said,
                                  "not all of them are there");
    if (!clause_is_topic(c, &verb))
        return ETNA_OK;
    c->r->cost += COST_OF_TOPIC;
    if (verb == VERB_TURN || !details_have_places(&c->d))
        return ETNA_OK;
    return reader_refuse_said(c->r, CODE_UNREAD, c->said,
                              "whether that says which or where is not clear");
}

/* "..., the one on the right is turned right round": asked, and nothing of it is
 * done. */
static bool clause_drops_turn(const clause *c, uint32_t first_move)
{
    const chart_node *const pp = chart_child(c->said, "$pp");
    return node_is(c->said, "STATE") && pp && pp->value == VERB_TURN &&
           c->r->reading->count == first_move;
}

/* Reads one kind of clause, then checks that nothing that was said got lost
 * (coverage_check). */
static etna_code clause_read_kind(clause *c, const clause_kind *kind)
{
    reader *r = c->r;
    const uint32_t table = r->memory.table;
    uint32_t first_move = r->reading->count;
    r->is_wish = kind->is_wish;
    r->is_elliptic = node_is(c->said, "STATE") && state_is_bare(c);
    if (clause_is_cut_off(c, kind))
        return reader_refuse(r, CODE_UNREAD, c->said,
                             "it speaks of what was passed over before it");
    etna_code code = node_is(c->said, "STATE") ? state_take_side(c) : ETNA_OK;
    if (code == ETNA_OK)
        code = kind->read(c);
    if (code == ETNA_OK && clause_drops_turn(c, first_move))
        return clause_refuse_all(c);
    if (code == ETNA_OK)
        code = clause_weigh_topic(c);
    if (table > 0 && r->memory.table == 0)
        first_move = table - 1; /* it tells how the table is laid */
    if (code == ETNA_OK && kind->is_whole)
        code = coverage_check(r, c->said, first_move);
    if (code == ETNA_OK && kind->is_whole)
        code = moves_settle(r, first_move);
    if (code == ETNA_OK)
        moves_note_clause(r, first_move);
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
        {"LEFTALONE", clause_read_left_alone, false, false},
        {"LAYING", clause_read_laying, false, true},
        {"SIDES", clause_sides, false, true},
        {"FLANK", clause_flank, false, true},
        {"GAPPED", clause_space, false, true},
        {"GAPBY", clause_space_by, false, true},
        {"TRADES", clause_trade_pairs, false, true},
        {"SPACED", clause_space_last, false, false},
        {"FURTHER", clause_read_further, false, false},
        {"ONWARD", clause_read_onward, true, false},
        {"REDO", clause_redo, false, false},
        {"UNDO", clause_undo, false, false},
        {"REMARK", clause_read_remark, false, false},
        {"ALONE", clause_read_alone, false, false},
        {"PILED", clause_read_piled, false, false},
        {"NOTDO", clause_read_not_do, false, false},
        {"NOPLACE", clause_read_no_place, false, false},
        {"NOTSTATE", clause_read_negative, false, false},
        {"AWAITS", clause_read_awaited, false, false},
        {"FREEORDER", clause_read_free_order, false, false},
        {"LIKEWISE", clause_read_likewise, false, false},
        {"GOESALONG", clause_read_goes_along, false, false},
        {"CARRY", clause_read_carry, false, false},
        {"CALLED", clause_read_called, false, false},
        {"EXTREME", clause_read_extreme, false, false},
        {"ORDERLIST", clause_read_in_order, false, false},
        {"WHERETO", clause_read_where_to, true, false},
        {"NOSEAT", clause_read_no_seat, false, false},
        {"VACANT", clause_read_vacant, false, false},
        {"FOUND", clause_read_found, false, false},
        {"TOLDWHERE", clause_read_told_where, false, false},
        {"IGNORE", clause_ignore, false, false},
        {"KEPT", clause_read_kept, false, false},
        {"INPLACE", clause_read_in_place, false, false},
        {"UNTOUCHED", clause_read_untouched, false, false},
        {"UNSHIFTED", clause_read_unshifted, false, false},
        {"UNSTACKED", clause_read_unstacked, false, false},
        {"NOTHINGELSE", clause_read_nothing_else, false, true},
        {"KEEPOFF", clause_keep_off, false, true},
        {"KEEPOFFAGAIN", clause_keep_off_again, false, false},
        {"VICEVERSA", clause_read_vice_versa, false, true},
        {"RIDES", clause_read_rides, false, false},
        {"KEEPSIDE", clause_keep_side, false, true},
        {"PERMITTED", clause_read_permitted, false, false},
        {"NOTFALL", clause_read_not_fall, false, false},
        {"NOTTHIS", clause_read_not_this, false, false},
        {"UNMET", clause_read_unmet, false, false},
        {"LACK", clause_read_lack, false, false},
        {"ITTOLD", clause_read_it_told, false, false},
        {"WISHED", clause_read_wished, false, false},
        {"UNSEEN", clause_read_unseen, false, false},
        {"GAPTOLD", clause_read_gap_told, false, false},
        {"CLOSEGAP", clause_read_close_gap, false, true},
        {"MEND", clause_read_mend, false, true},
        {"CLOSEUP", clause_close_up, false, true},
        {"BARED", clause_read_bared, false, true},
        {"NONEON", clause_read_none_on, true, true},
        {"FLIPPED", clause_flip_order, false, true},
        {"OFFALL", clause_read_off_all, false, true},
        {"STAYON", clause_read_stay_on, false, false},
        {"LIST", clause_read_list, false, false}};
    const chart_node *cannot = chart_child(said, "CANNOT");
    clause c = {
        .r = r, .said = said, .things = node_things(said, 0), .verb = VERB_PUT};
    reader_span(r, said, r->clause);
    r->is_wish = cannot != NULL;
    if (cannot)
        return reader_refuse_said(r, CODE_IMPOSSIBLE, cannot,
                                  "things stay upright and in the scene");
    if (clause_is_respective(&c))
        return clause_read_respective(&c);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (node_is(said, kinds[i].kind))
            return clause_read_kind(&c, &kinds[i]);
    }
    return clause_refuse_all(&c);
}
