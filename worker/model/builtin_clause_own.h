/* What the files that read a clause share. Nobody else includes this. All add to the reader's arena; ETNA_E_INPUT
 * quotes the words that could not be read. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_CLAUSE_OWN_H
#define ETNA_WORKER_MODEL_BUILTIN_CLAUSE_OWN_H

#include "worker/model/builtin_read_own.h"

/* ---- builtin_clause_things.c ---- */
builtin_phrase clause_phrase(const reader *r, uint32_t first, uint32_t end);
etna_code clause_resolve(reader *r, const builtin_phrase *phrase, const builtin_scope *scope, builtin_set *ret);
/* What "it" and "them" mean: the things of the last move. */
bool clause_pronoun(const reader *r, uint32_t first, uint32_t end, builtin_set *ret);
/* Cuts [first, end) at "and" and ",": the phrases; without a noun of their own they borrow from the next that has one.
 * `swap`: at "with" and "for", too. */
uint32_t clause_cut(const reader *r, uint32_t first, uint32_t end, bool swap, builtin_phrase phrases[PHRASES_MAX]);
/* Without conjunctions and small words at both ends. */
void clause_trim(const reader *r, uint32_t *first, uint32_t *end);
/* A set for each phrase of [first, end); `on`: only what stands on that, at the reader's on_level. */
etna_code clause_things(reader *r, uint32_t first, uint32_t end, uint32_t on, bool swap, builtin_set sets[PHRASES_MAX],
                        uint32_t *ret_count);
/* Sets laid flat, in the order said. ETNA_E_INPUT: some of several are meant. */
etna_code clause_flatten(reader *r, const clause *c, const builtin_set *sets, uint32_t set_count, uint32_t **ret,
                         uint32_t *ret_count);
bool clause_any_on(const reader *r, const builtin_set *sets, uint32_t count, uint32_t on);

/* ---- builtin_clause_reference.c ---- */
/* One thing that the words [first, end) name, and the reader's level; `flat`: something can stand on it. `things` are
 * what is moved. */
etna_code clause_reference(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets,
                           uint32_t on, bool flat, uint32_t *ret);
/* What is looked at: a thing, or BUILTIN_CAMERA. */
etna_code clause_faced(reader *r, uint32_t first, uint32_t end, uint32_t reference, uint32_t *ret);

/* ---- builtin_clause_place.c ---- */
uint32_t clause_argument_end(const clause *c, uint32_t k);
/* "the desk's left edge": the argument ends before the 's, and the mark becomes what follows. */
void clause_possessive(const reader *r, builtin_mark *mark, uint32_t first, uint32_t *end);
/* The argument of mark k as the move's reference (or two). */
etna_code clause_place(reader *r, const clause *c, uint32_t k, const builtin_set *sets, uint32_t set_count, uint32_t on,
                       builtin_move *move);
/* The things and the place of a clause with two places: which is where to, and what does the other one say? */
etna_code clause_two_places(reader *r, const clause *c, const uint32_t at[2], uint32_t on, builtin_set *sets,
                            uint32_t *set_count, builtin_move *move);

/* ---- builtin_clause.c ---- */
builtin_move clause_plain_move(const clause *c);
/* A move like that for each set. */
etna_code clause_add_moves(reader *r, const clause *c, builtin_set *sets, uint32_t set_count, const builtin_move *like);

#endif
