/* Clauses that ask for nothing and say what is spoken of next
 * (clause_mention.c): they set what the reader's memory has last named. Each
 * refuses by ETNA_E_INPUT (reader_refuse) and may run out of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_CLAUSE_MENTION_H
#define ETNA_WORKER_BUILTIN_READ_CLAUSE_MENTION_H

#include "worker/builtin/read/clause.h"

/* "The clock hangs too high" */
etna_code clause_read_remark(clause *c);
/* "One of the chairs stands all by itself" */
etna_code clause_read_alone(clause *c);
/* "The order of the others is up to you": of a row or a pile, and nothing is
 * asked. Refused where there is none. */
etna_code clause_read_free_order(clause *c);
/* "Two of the crates are stacked already" */
etna_code clause_read_piled(clause *c);
/* "One of the chairs is empty" */
etna_code clause_read_vacant(clause *c);
/* "There are two of them down there" */
etna_code clause_read_found(clause *c);
/* The "there" of "there is". */
bool mention_is_there(const clause *c, const chart_node *node);
/* "On the right is a bed": how it is, and no wish. Refused where it is not
 * so. */
etna_code clause_read_told_where(clause *c);
/* "The sofa is no place for the cup. Put it on the shelf": where nothing
 * follows, what is wanted is not said. */
etna_code clause_read_no_place(clause *c);
/* "One chair does not belong to any table." */
etna_code clause_read_negative(clause *c);
/* "Use the stool as a side table", "make two piles of the books": what is to be
 * on what must be told next. */
etna_code clause_read_awaited(clause *c);
/* "So that the lamp is not hidden": what must be so then, and is no remark. */
bool mention_is_purpose(const clause *c);
/* "The vase lies down": how it is to lie, which nothing turns it to. */
bool mention_is_of_posture(const clause *c);
/* Of the things, those that are where the clause says; all of them, where none
 * is there. */
etna_code mention_keep_there(const clause *c, builtin_set *about);

#endif
