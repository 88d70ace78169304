/* What the files of modifiers share. Nobody else includes this.
 *
 *   modify.c        where a thing stands, its order and side; the table of all
 *   modify_by.c     what other things tell of it: it has them, bears them, is of
 *                   them, is nearest to them */
#ifndef ETNA_WORKER_BUILTIN_READ_MODIFY_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_MODIFY_INTERNAL_H

#include "worker/builtin/read/refer_internal.h"

typedef struct modification {
    reader *r;
    const chart_node *thing; /* the phrase, and what is said in it */
    const chart_node *mod;
    match_query *query; /* of the modified thing */
    candidates *found;
} modification;

/* NULL: it has no child. */
const chart_node *node_last(const chart_node *node);
/* What another phrase means, without any trace of its having been read.
 * ETNA_E_INPUT with a refusal; ETNA_E_NOMEM. */
etna_code modifier_things(reader *r,
                          const chart_node *phrase,
                          const refer_scope *scope,
                          builtin_set *ret);

/* Those that stand there, or those that do not, stay in `c`. Errors as above. */
etna_code place_select(reader *r,
                       const chart_node *where,
                       bool wanted,
                       candidates *c);
/* How many are called so about as well as the likeliest. */
uint32_t candidates_called(const candidates *c);
/* "That was on the desk": as things were at the start. */
bool place_is_past(const modification *m);
/* `context`: a builtin_set. */
bool candidate_is_among(const void *context, uint32_t object);

/* Each leaves in m->found what its modifier allows. Errors as above. */
etna_code modify_by_way(const modification *m);
etna_code modify_by_having(const modification *m);
etna_code modify_by_lacking(const modification *m);
etna_code modify_by_bareness(const modification *m);
etna_code modify_by_solitude(const modification *m);
etna_code modify_by_bearing(const modification *m);
etna_code modify_by_whole(const modification *m);

#endif
