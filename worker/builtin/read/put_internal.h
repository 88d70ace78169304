/* What the steps of putting things somewhere share. Nobody else includes this.
 *
 *   put.c         the order of the steps, and steps of no story below
 *   put_shift.c   ways to go rather than places: back, 20 cm to the left
 *   put_height.c  as high as something else
 *   put_sides.c   at several sides of one thing
 *   put_opposed.c opposite each other
 *   put_unsaid.c  where no preposition says the place
 *   put_denied.c  where things are not to be
 *   put_back.c    back to something
 *   put_count.c   how many, where some are there already
 *   put_others.c  to several things: each to its own, or to where most stand
 *
 * A step reads its own form of speech and leaves all others alone: it returns
 * ETNA_OK and changes nothing. It adds to p->m, refuses (ETNA_E_INPUT,
 * reader_refuse), or sets p->done when the clause has its moves. Each may run
 * out of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_PUT_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_PUT_INTERNAL_H

#include "worker/builtin/read/clause.h"

typedef struct put {
    clause *c;
    reader *r;
    const details *d;
    const builtin_set *movers;
    destinations at; /* the places that were found so far */
    builtin_move m;
    bool done; /* the clause has its moves */
} put;

typedef etna_code put_step(put *p);

/* ---- what the steps share: put.c ---- */
/* The move is whole; nothing later changes it but what settles the text. */
put_step put_end;
/* Another verb's way instead. */
etna_code put_leave(put *p, etna_code (*verb)(clause *c));
/* False for BUILTIN_NONE: references are often unknown so far. */
bool put_is_object(const put *p, uint32_t object);
/* "With a 10 cm gap": of no two things that are named. */
bool put_says_gap_alone(const put *p);
/* "without a gap", "20 cm apart" */
etna_code put_at_gap(put *p);
/* Said as something to do, and not as how things should be or stay. */
bool clause_puts(const clause *c);

/* ---- ways to go: put_shift.c ---- */
/* To where the things, or another, stood before the text that this one goes on
 * from. */
put_step put_back;
/* "Both chairs 30 cm closer to the table": each on its own way. */
put_step put_one_by_one;
/* "The cup goes to the left of the jug and the bowl to the right": of the
 * same. */
put_step put_beside_same;
/* "20 cm to the left", and nothing of a place */
put_step put_shift;
/* "On the wall 20 cm higher than now", where it hangs there already: how far is
 * all that is asked. */
put_step put_shift_there;
/* "20 cm left and 10 cm toward the wall": both as one shift. */
put_step put_vector;
/* "20 cm higher than now": from where it is, and so toward no other place. */
put_step put_check_from_here;
/* "A bit to the right, away from the screen": where that way leads away from
 * it, how far is all that is asked. */
put_step put_shift_agrees;
/* "20 cm to the left, to the lamp" has two ends unless the one is measured
 * from the other; which is meant decides how far it goes, so it is asked. */
put_step put_outward;
put_step put_check_distance;
/* "Put the cups off the tray": where to may follow. */
put_step put_take_up;

/* ---- heights: put_height.c ---- */
/* "as high as the mirror" */
put_step put_at_height;
/* "higher than the mirror" */
put_step put_higher;
/* "The clock hangs lower than the picture, bring it up to the same height": as
 * high as what hangs there and was spoken of last. */
put_step put_as_high_as_told;
/* "The two pictures at the same height": as the first of them. */
put_step put_at_one_height;
/* On its own wall, else on the first. */
put_step put_at_eye_level;
/* "On the left wall at the same height": as high as it hangs now. */
put_step put_align;

/* ---- sides: put_sides.c ---- */
/* "In the corners at the back": one zone, said in two parts. */
put_step put_join_zones;
/* "one at each end", "on both sides" */
put_step put_at_each_end;
/* "centred on the table", "exactly in the middle above it" */
put_step put_in_the_middle;

/* "Facing each other" */
bool put_faces_mutually(const put *p);
/* Half of the things that are meant at each of two sides of the reference, at
 * each those that are nearest to it. Where one of any stands at each, the first
 * ones will do. */
etna_code put_share_sides(put *p,
                          const builtin_set *any,
                          builtin_relation relation,
                          uint32_t reference,
                          const unsigned sides[2]);

/* ---- opposite each other: put_opposed.c ---- */
/* "The two chairs opposite each other": the second before the first and facing
 * it; by a table one at each side of that, and by each of several tables as
 * many. */
put_step put_opposed;

/* ---- places that something else says: put_unsaid.c ---- */
/* Does nothing where a place was found. Refuses where nothing tells one, so
 * that a clause without any place never moves a thing. */
put_step put_find_unsaid;
/* nothing told a place */
put_step put_refuse_no_place;

/* ---- denied places: put_denied.c ---- */
/* "On the table, but not on the mat" */
put_step put_denied;
/* "The cups shouldn't be on the saucers. Put them by the jug": beside it, and
 * on none of those. */
put_step put_denied_before;
/* "Close to the computer, but not the phone": of one thing that is no
 * exception, but a place that is denied, too. */
put_step put_denied_neighbour;

/* ---- several things as a place: put_others.c ---- */
/* With the others: where most of them stand. */
put_step put_with_others;
/* "Put one of the two crates on the other": it says not which. */
put_step put_one_by_other;
/* "Between the two, at least 20 cm from both" */
put_step put_both_gaps;
/* "The chairs to their tables": each thing to the nearest of the others. */
put_step put_to_own;
/* "A plate in front of each chair": on the table, before who sits there. */
put_step put_before_seats;
/* "A bottle next to each chair": as many as there are chairs. */
put_step put_pair_up;
/* "Swap the cart and the plant, the boxes stay on the cart": of several, those
 * that are there. The others are not asked to come. */
put_step put_keep_there;
/* "Put a cup on the tray", where one stands there already: another one is
 * meant, if there is any. */
put_step put_one_elsewhere;

/* ---- how seats stand: put_back.c ---- */
/* "Next to the lamp, back to the table", and "the chair: back to the table",
 * where it stands at it. */
put_step put_turn_back;

/* ---- how many: put_count.c ---- */
/* "Put two tins on the bench", where two are there already: two others.
 * "Only one tin on the bench", where two are: one leaves. */
put_step put_count;
/* "The red chair at the desk, one at the window": another one, where there is
 * one that nothing was asked of. */
put_step put_skip_asked;

#endif
