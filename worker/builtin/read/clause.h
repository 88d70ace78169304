/* What the verbs of a clause share. Each file of verbs turns one clause into
 * moves and adds them to the reading:
 *
 *   clause.c          what kind of clause it is: a table, tried in order; orders
 *   clause_act.c      what an order does, by its verb: tables, tried in order
 *   clause_state.c    how things should be
 *   clause_along.c    what goes along with what is moved
 *   level_by.c        onto another board than the one that it stands on
 *   clause_stay.c     what is to stay, or not to be done
 *   clause_mention.c  what is only spoken of
 *   clause_list.c     things alone, which go on from what was said before
 *   take.c            taking up, and to somewhere else
 *   clear.c           clearing things, and taking things off them
 *   spare.c           what is to stay
 *   trade.c           two things: their places, and the gap between them
 *   flip.c            the order of several, turned round
 *   give.c            giving things to others
 *   put.c             putting things somewhere: what most verbs come to
 *   turn.c            turning, facing
 *   shift.c           going some way
 *   row.c             rows and piles, and which comes where in them
 *                     (row_internal.h)
 *   setting.c         laying a table, seats at tables
 *   onward.c          going on from the text before: more, once more, back
 *   pair.c            two sides of one thing
 *   movers.c          which things are moved
 *
 * Every function here refuses by ETNA_E_INPUT (reader_refuse) and may run out
 * of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_CLAUSE_H
#define ETNA_WORKER_BUILTIN_READ_CLAUSE_H

#include "worker/builtin/read/destination.h"

typedef struct clause {
    reader *r;
    /* things: what is spoken of; NULL: nothing */
    const chart_node *said, *things;
    lexicon_verb verb;
    details d;
    builtin_set movers; /* what the things are, where the verb moves them */
    /* 1 + what it is to be parallel to, where that is known from its places */
    uint32_t parallel;
    /* what goes as far the same way: "the table with the rug 30 cm towards the
     * sofa" */
    builtin_set companions;
} clause;

/* `why` follows the clause's words. */
etna_code clause_refuse(const clause *c, const char *why);
/* the clause "is not understood" */
etna_code clause_refuse_all(const clause *c);
/* Reads the clause by its verb, its details gathered. */
etna_code clause_act(clause *c);
/* Is the first word of the clause's child `category` listed in the class? */
bool clause_word_is(const clause *c, const char *category, const char *class);

/* ---- moves ---- */
/* Of the movers, with nothing said but the relation. */
builtin_move move_plain(const clause *c, builtin_relation relation);
/* Appends it in place of the text's last moves that it overtakes. Refuses what
 * goes to itself, and more than BUILTIN_MOVES_MAX. */
etna_code move_add(reader *r, const builtin_move *asked);
/* One more condition of the move, which has its list of its own from then on.
 * ETNA_E_NOMEM. */
etna_code move_add_condition(reader *r,
                             builtin_move *m,
                             builtin_condition added);
/* Does all of it stand there already, and so comes along? */
bool move_is_carried(const reader *r, const builtin_move *m);
/* Does each of them, and there is one, stand on one of those? */
bool set_is_carried(const reader *r,
                    const builtin_set *load,
                    const builtin_set *carriers);
/* Which way it is to face, where the clause says so. */
etna_code move_face(const clause *c, builtin_move *m);
/* "The back of the hall": a part of what is no thing here, and no other name of
 * anything. */
bool move_faces_part_of_room(reader *r, const chart_node *what);
/* What a FACE or BACKTO names; "it" is `reference`. */
etna_code move_find_faced(const clause *c,
                          const chart_node *node,
                          uint32_t reference,
                          uint32_t *ret);

/* ---- what goes along: clause_along.c ---- */
/* "30 cm to the left, with the vase": what stands on what is moved is no place
 * to go; what does not is a companion. */
etna_code clause_drop_carried(clause *c);
/* Adds the companions to the clause's one move, which is the `at`th. */
etna_code clause_take_companions(clause *c, uint32_t at);

/* ---- movers ---- */
/* What a clearing of this text leaves where it is. ETNA_E_NOMEM. */
etna_code clearing_spare(reader *r, const builtin_set *but);
/* What the things are that the clause moves, without what it excepts. */
etna_code movers_find(const clause *c,
                      const chart_node *things,
                      builtin_set *ret);
/* "One plant at each end": as many of the kind as there are places, where only
 * one was found. */
etna_code movers_find_for_ends(clause *c);
/* "Put the cushion on the sofa" does not mean the one that stands on `base`
 * already, where another of the phrase's words does not: that one, or a refusal
 * where there are several. */
etna_code movers_take_one_elsewhere(const clause *c,
                                    uint32_t base,
                                    builtin_set *movers);
/* The only one of the set that a short phrase means: "the white one", "the
 * smallest". */
etna_code member_find(reader *r,
                      const chart_node *phrase,
                      const builtin_set *set,
                      uint32_t *ret);

/* ---- verbs; each adds the moves of one clause ---- */
etna_code clause_put(clause *c);   /* wherever it is said */
etna_code clause_group(clause *c); /* near each other */
/* by an angle, to face, with something */
etna_code clause_turn(clause *c);
/* "Parallel to the desk, 1 m in front of it": where it stands, until it is
 * square to that, before it goes there. */
etna_code clause_turn_first(const clause *c);
/* Each of the movers where it stands, until it is square to that thing, or its
 * length runs as that one's does. */
etna_code clause_turn_along(const clause *c, uint32_t to, bool lengthwise);
/* "parallel to each other" */
bool straight_is_mutual(const clause *c);
/* "Facing as before": each by no angle, which is measured when all is done. */
bool turn_is_kept(const clause *c);
etna_code turn_keep(const clause *c);
/* "They keep facing the way they do" */
bool clause_keeps_heading(const clause *c);
etna_code clause_keep_heading(clause *c);
/* a turn: along the walls, or another thing */
etna_code clause_straighten(clause *c);
/* "The cup beside the jug. It should be 10 cm away": from that, and no way to
 * go. *ret_done false: it is a way. */
etna_code shift_tells_gap(clause *c, bool *ret_done);
etna_code clause_shift(clause *c); /* by one vector, or the sum of two */
/* "Pull the chair out", "pull the sofa back 20 cm" */
/* Are two to face each other so far apart, and at nothing else? */
bool clause_faces_apart(const clause *c);
bool clause_pulls(const clause *c);
/* Does it say which way before the thing and how far behind it? */
bool clause_splits_shift(const clause *c);
/* Each away from the table that it stands at, else from the wall behind it, else
 * a seat backwards, else towards the viewer. */
etna_code clause_pull(const clause *c);
etna_code clause_raise(clause *c); /* or lower */
/* "One shelf higher": onto another board of what bears it; level_by.c */
bool clause_says_boards(const clause *c);
etna_code clause_step_boards(clause *c);
etna_code clause_row(clause *c);  /* side by side */
etna_code clause_pile(clause *c); /* one on another */
/* "make a pile: the atlas at the bottom, then the book" */
etna_code clause_pile_up(clause *c);
/* a table, for as many people as is said or as sit there */
etna_code clause_lay(clause *c);
etna_code clause_tuck(clause *c); /* seats, under their tables */
/* a table that is laid, by a form of its own */
etna_code clause_read_laying(clause *c);
/* somewhere; or up, for a later clause to put */
etna_code clause_take(clause *c);
/* "The sideboard is fine", "against the wall will do": where what was taken up
 * before is to go. */
etna_code clause_read_where_to(clause *c);
/* all that stands on a thing, but for what is to stay */
etna_code clause_clear(clause *c);
bool clause_clears_of(const clause *c); /* "clear the table of plates" */
etna_code clause_clear_of(clause *c);
/* The place where what is taken out is ("everything on the desk"), and no place
 * where it is to go; NULL: none is said. Then what is there of it. */
const condition *removal_place(const clause *c);
etna_code removal_from_place(clause *c, builtin_set *ret);
/* "Clear the plates at chair C": off what they stand on, where the clause says
 * but where they are. *ret_done false: it says no such. */
etna_code removal_from_there(clause *c, bool *ret_done);
/* What all of them stand on, and no ground; BUILTIN_NONE: nothing. */
uint32_t removal_base(const reader *r, const builtin_set *things);
/* off one or several things */
etna_code clause_remove(clause *c);
/* where it is; else as if put */
etna_code clause_keep(clause *c);
/* "One stays where it is", of what the text moves: so many fewer are moved. On
 * `base` those that are there, unless it is BUILTIN_NONE. *ret_done: it was
 * that. */
etna_code clause_spare_some(clause *c, uint32_t base, bool *ret_done);
/* No move of the text takes these along any more; none is left without
 * things. */
etna_code moves_spare_these(reader *r, const builtin_set *these);
/* "don't bother about the bottle": no move of the text is to take it */
etna_code clause_ignore(clause *c);
bool clause_says_own_place(const clause *c); /* "where it is" */
/* "the cup and the jug on the desk and the shelf respectively": as so many
 * clauses */
bool clause_is_respective(const clause *c);
etna_code clause_read_respective(clause *c);
/* two things trade places */
etna_code clause_swap(clause *c);
/* "Flip the order of the books" */
etna_code clause_flip_order(clause *c);
/* "swap the cup with the jug and the lamp with the vase" */
etna_code clause_trade_pairs(clause *c);
/* "leave 80 cm between the crates" */
etna_code clause_space(clause *c);
/* "push it right up": to what it was to stand beside */
etna_code clause_close_up(clause *c);
/* "reduce the gap by 10 cm" */
etna_code clause_space_by(clause *c);
/* Is it how far centres are from each other: "2 m centre to centre"? */
bool node_is_of_centres(const chart_node *node);
etna_code clause_refuse_centres(clause *c);
/* "a bit closer together" */
etna_code clause_draw_together(clause *c);
/* "equal gaps": of the move before */
etna_code clause_space_last(clause *c);
/* one goes where the other is */
etna_code clause_replace(clause *c);
/* "give table 3 a menu" */
etna_code clause_give(clause *c);
/* by the verb, what is spoken of */
etna_code clause_move_things(clause *c);

/* "The books stay on the shelf", "leave them on it": what is there is not to go
 * elsewhere. */
bool clause_keeps(const clause *c);

/* ---- clauses made of another's parts, as if said in full; NULL: out of
 * memory ---- */
const chart_node *node_make(const reader *r,
                            const char *name,
                            const chart_node *like,
                            const chart_node *const *children,
                            uint32_t count);
const chart_node *terminal_make(const reader *r,
                                const char *name,
                                const chart_node *like,
                                uint32_t value);

/* ---- what should be otherwise ---- */
/* Remembers that a clause tells what is not so. */
etna_code unmet_note(clause *c);
/* "It isn't straight", "the vase leaves": what is told of the things may be how
 * they are to be, so something must be asked of them behind the first `from`
 * moves. ETNA_E_NOMEM. */
etna_code unmet_await(reader *r, const builtin_set *about, uint32_t from);
/* Was nothing asked of one of them? */
bool unmet_is_left(const reader *r);
/* "Why isn't the cup on the shelf?" */
etna_code clause_read_unmet(clause *c);
/* "I want it within reach": something must be asked of it. */
etna_code clause_read_wished(clause *c);
/* "There's no vase on the table" */
etna_code clause_read_lack(clause *c);
/* "I can't see the screen from the sofa" */
etna_code clause_read_unseen(clause *c);
/* "There's a gap between the two", "it doesn't quite touch the wall" */
etna_code clause_read_gap_told(clause *c);
/* "It's lying on the floor", behind what is asked of it */
etna_code clause_read_it_told(clause *c);
/* "Close it" */
etna_code clause_read_close_gap(clause *c);
/* "Fix that" */
etna_code clause_read_mend(clause *c);
/* "Turn it", and not how: as was told before. */
bool clause_turns_as_told(const clause *c);
etna_code clause_turn_as_told(const clause *c);
/* "Nothing but the lamp on the desk" */
etna_code clause_read_bared(clause *c);
etna_code clause_read_none_on(clause *c);
/* "Nothing else there": on or in what something was put last */
etna_code clause_read_nothing_else(clause *c);
/* "What is on the desk goes on the bench, and vice versa" */
etna_code clause_read_vice_versa(clause *c);
/* "Everything but the lamp comes off the desk" */
etna_code clause_read_off_all(clause *c);
/* "Everything on it stays there" */
etna_code clause_read_stay_on(clause *c);

/* ---- bringing in and taking out ---- */
etna_code clause_add(clause *c);
/* "put a new lamp on the table", and none is meant here */
bool clause_puts_new(const clause *c);
/* "remove the plants", and no word of where from or to */
bool clause_discards(const clause *c);
bool clause_takes_away(const clause *c);
etna_code clause_discard(clause *c);
/* "replace the table with a round one": by something from outside. */
bool clause_exchanges(const clause *c);
etna_code clause_exchange(clause *c);

/* How far a shift goes, in metres: as said, else as the text before tells, else
 * a bit of the object. */
double shift_metres(const reader *r, const chart_node *dist, uint32_t object);
/* The vector of a shift: "20 cm to the left", "a bit lower"; `fallback` where
 * no way is said. */
etna_code shift_read(reader *r,
                     const chart_node *node,
                     lexicon_direction fallback,
                     uint32_t object,
                     double ret[3]);

/* ---- two sides of one thing ---- */
etna_code clause_put_pair(clause *c); /* two movers */
etna_code clause_sides(clause *c);    /* each thing with its side */
/* Are they sides of one thing at all? */
bool sides_may_be_meant(const reader *r, const chart_node *said);
/* "flank the vase with the candles": on both sides of it */
etna_code clause_flank(clause *c);

/* ---- going on from the text before ---- */
/* The last move of that text; NULL: there is none. */
const builtin_move *move_before(const reader *r);
/* The way that the text before moved the thing, unit; false: it asked for no
 * way, or this text has moves of its own. */
bool way_onward(const reader *r, uint32_t object, double ret[3]);
/* Does a clause without an angle go on turning? Then so. */
bool clause_turns_on(const clause *c);
/* 15 degrees more, the same way round */
etna_code clause_turn_on(const clause *c);
/* the shift or turn before, once more */
etna_code clause_redo(clause *c);
/* all that was elsewhere goes back there */
etna_code clause_undo(clause *c);
/* Were all of the things elsewhere before that text? */
bool set_was_elsewhere(const reader *r, const builtin_set *things);
/* Each to where it was then; the object to where `place` was. */
etna_code things_put_back(const clause *c, const builtin_set *things);
etna_code thing_put_where(const clause *c, uint32_t object, uint32_t place);

/* ---- what a later clause adds ---- */
/* "with the white one in the middle", "the red one at the bottom": a phrase and
 * its place in a row or a pile. What is none of a pile's things joins them at
 * that end. *ret_done false: it is no place in an order. */
etna_code row_order(reader *r,
                    builtin_move *m,
                    const chart_node *phrase,
                    const chart_node *place,
                    bool *ret_done);
/* After a row or a pile: "the red one at the bottom". *ret_done: it was
 * that. */
etna_code row_tell_order(clause *c, bool *ret_done);
/* "The red one is to be the lowest": the same, and nothing else. */
etna_code clause_read_extreme(clause *c);
/* "From the left: red, green, blue" */
etna_code clause_read_in_order(clause *c);
/* After "lay the table": "a plate and a glass at each place". */
etna_code setting_tell(clause *c, bool *ret_done);
/* Other things laid as those of the move before are; *ret_done as above. */
etna_code setting_repeat(clause *c, const builtin_move *before, bool *ret_done);

/* Metres from a seat to a table, and more where it turns its back on it: the
 * least is at its own. */
double seat_way(const reader *r, uint32_t seat, uint32_t table);
/* The table at which all the seats stand that small things are to go before;
 * BUILTIN_NONE: no such. */
uint32_t setting_table(const reader *r, const builtin_move *m);
/* One is asked for each of so many, and there are fewer. */
etna_code clause_refuse_too_few(const clause *c,
                                const builtin_set *what,
                                uint32_t needed);
/* One thing for each of the people at the table. */
etna_code setting_add(const clause *c,
                      uint32_t table,
                      const builtin_set *seats,
                      uint32_t people,
                      const builtin_set *what);

#endif
