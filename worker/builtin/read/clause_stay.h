/* What is to stay where it is, and what is not to be done (clause_stay.c). Each
 * refuses by ETNA_E_INPUT (reader_refuse) and may run out of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_CLAUSE_STAY_H
#define ETNA_WORKER_BUILTIN_READ_CLAUSE_STAY_H

#include "worker/builtin/read/clause.h"

/* "Do not touch the vase": what is forbidden is refused, except by the rows
 * below. */
etna_code clause_read_denial(clause *c);
/* "Don't put the cup on the desk": another clause says where (deny.c). */
etna_code clause_deny_there(clause *c);
/* By its verb: that, or what is refused. */
etna_code clause_read_not_do(clause *c);
/* "The cup shouldn't be on the desk": noted where it can be measured.
 * ETNA_E_NOMEM. */
etna_code clause_note_denied(clause *c);
/* What is denied of where, and of what. What the phrases leave behind in the
 * reader's memory stays there. */
etna_code clause_find_denied(clause *c,
                             builtin_set *ret_things,
                             builtin_condition *ret_place);
/* "The cup mustn't be moved": neither by itself nor with what it stands on. */
etna_code clause_read_kept(clause *c);
/* "The cup keeps its place", be it on what is moved. */
etna_code clause_read_in_place(clause *c);
/* "No chair closer than 80 cm to the bar" */
etna_code clause_keep_off(clause *c);
/* "Pull back those that are" */
etna_code clause_keep_off_again(clause *c);
/* "Don't stack them": what was put somewhere stands on none of the others, nor
 * on what stands there. unstacked.c */
etna_code clause_read_unstacked(clause *c);
/* "Unstack the plates": once all is read, each of them stands on none of the
 * others, and side by side where nothing says where to. unstacked.c */
etna_code moves_keep_apart(reader *r);
/* "Don't shift it, just turn it": no move of the text does more. */
etna_code clause_read_unshifted(clause *c);
/* Once all is read. */
etna_code moves_check_unshifted(reader *r);
/* "Nothing else changes" */
etna_code clause_read_untouched(clause *c);
/* "Don't touch the cups on the shelf" puts none there. ETNA_E_INPUT: one of them
 * stands elsewhere. */
etna_code clause_check_untouched(clause *c);
/* "Both chairs forward, the left one stays left": what goes the same way stands
 * to each other as before. */
etna_code clause_keep_side(clause *c);
/* "The cup rides along": on what was moved. */
etna_code clause_read_rides(clause *c);
/* "Should the jug be in the way, it may go there": what need not be done. */
etna_code clause_read_permitted(clause *c);
/* "But nobody sits at the right end": refused, for no move leaves a place
 * free. */
etna_code clause_read_no_seat(clause *c);
/* "Don't let the cup fall off" */
etna_code clause_read_not_fall(clause *c);
/* "The jug on the table, and not the vase" */
etna_code clause_read_not_this(clause *c);
/* "The lamp and the phone stay": none of what was asked before takes them. */
bool stay_is_said(const clause *c);
/* Keeps what is spoken of where it is; on what moves, it comes along. */
etna_code clause_let_stay(clause *c);
/* "..., without moving the drill": it stays where it is. */
etna_code clause_read_left_alone(clause *c);

#endif
