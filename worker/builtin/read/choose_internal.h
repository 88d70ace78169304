/* What the files of choosing share. Nobody else includes this.
 *
 *   choose.c         the order of the rules, what is refused, and the rules of
 *                    looks: size, side, what stands on it, what is in sight
 *   choose_called.c  rules of names and kinds
 *   choose_context.c rules of what else the text speaks of
 *   choose_part.c    rules of things that are parts of one
 *
 * A rule `keep_` leaves out what is not meant where it applies; `prefer_` does
 * so only where something is left; `level_` makes several equally likely. */
#ifndef ETNA_WORKER_BUILTIN_READ_CHOOSE_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_CHOOSE_INTERNAL_H

#include "worker/builtin/read/refer_internal.h"

typedef void choose_rule(resolution *t);

/* Is the word one of the query's? */
bool query_says(const match_query *q, const char *word);
/* Is a number said that is less than what is found? */
bool choose_leaves_some(const resolution *t);
/* "The three soft toys" of eight, of which nobody knows which are soft. */
bool choose_traits_are_open(const resolution *t);

/* ---- choose_called.c ---- */
/* of one */
choose_rule level_traits, level_compounds;
choose_rule keep_whole, keep_likeliest, keep_cheapest, keep_numbered;
choose_rule keep_called_counted, prefer_called_by_side;
/* of both */
choose_rule keep_sense;
/* of several */
choose_rule keep_all_likely, keep_called, keep_kind, keep_counted;
choose_rule keep_plain_series, prefer_plain_kind, prefer_proven;
/* "The leather chair" is the leather armchair rather than a chair of which
 * nothing says what it is made of. */
choose_rule prefer_named_stuff;
choose_rule keep_namesakes;

/* ---- choose_part.c ---- */
/* Of one and of several: not what is a part of another that is called alike. */
choose_rule prefer_wholes;

/* ---- choose_context.c ---- */
/* of one */
choose_rule keep_named, keep_place, keep_pointed;
choose_rule keep_same;
choose_rule keep_its, keep_nearest_to_moved, keep_opposite_wall, keep_joined;
/* of several */
choose_rule keep_many_its, keep_many_mentioned, prefer_cleared;

/* of both */
choose_rule prefer_carried;

/* Of several that are left: the one that the text has named (among `all` that
 * the words may mean), and the one that stands on what it has named. False:
 * neither leads. */
bool recall_mentioned(resolution *t, const candidates *all);
bool recall_borne(resolution *t);
/* As a place the one that stands on what the part of the list before stands on:
 * "between the stacked bowls and the single bowl". */
bool recall_neighbour(resolution *t);

#endif
