/* An answer that was wrapped once more: as the text of a JSON object's member,
 * or with its line ends and quotes written as escapes. Read only where the
 * answer as it stands says nothing. And one that goes on with turns that nobody
 * took. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_INNER_H
#define ETNA_WORKER_AGENTS_INNER_H

#include "proto/arena.h"

/* The answer that all of it only carries: strict JSON that is one text, has one
 * member, or one text with a part's marks; and what that carries in turn. NULL:
 * it carries none. To be read before what is around it, where its escapes
 * mislead. */
const char *inner_carried(const char *text, etna_arena *arena);

/* The answer within; NULL: there is none, or out of memory (which reading goes
 * on without). */
const char *inner_text(const char *text, etna_arena *arena);

/* The answer before a turn of the user's that a model made up behind it, as one
 * does whose server does not know where it ends. To be read first: what follows
 * may say the opposite. NULL: there is none. */
const char *inner_own_turn(const char *text, etna_arena *arena);

#endif
