/* Which of the best few does a model take for a request? What it is asked, in
 * our words, and what its answer says. Names and tags are others' texts: they
 * are told as data, and an answer can only choose. Pure. */
#ifndef ETNA_WORKER_ASSETS_VOTE_H
#define ETNA_WORKER_ASSETS_VOTE_H

#include "proto/arena.h"
#include "worker/assets/find.h"

enum {
    VOTE_MOST = 5
};

/* A change of it makes every vote that was kept another question. */
extern const char *const vote_system;

/* What is asked of `count` <= VOTE_MOST hits, told from the first on or, where
 * `backwards`, from the last on; they are numbered from 1 as they are told, so
 * the caller turns a choice round. In the arena; NULL: no memory. */
const char *vote_text(const index_view *v,
                      const char *request,
                      const find_hit *hits,
                      uint32_t count,
                      bool backwards,
                      etna_arena *arena);
/* The one number that an answer says, 0 to `count`, alone or as "choice".
 * False: it says none, or several. */
bool vote_read(const char *answer, uint32_t count, uint32_t *ret);

#endif
