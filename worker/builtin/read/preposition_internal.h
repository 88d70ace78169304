/* What the files of prepositions share. Nobody else includes this.
 *
 *   preposition.c         a relation and its things -> a destination
 *   preposition_things.c  which things its phrase means */
#ifndef ETNA_WORKER_BUILTIN_READ_PREPOSITION_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_PREPOSITION_INTERNAL_H

#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/refer_internal.h"

enum {
    RELS_UPON = BIT(REL_ON) | BIT(REL_IN) | BIT(REL_TO),
    RELS_FLAT = RELS_UPON | BIT(REL_AT) | BIT(REL_OVER_TO) |
                BIT(REL_AROUND), /* rather something that bears things */
    RELS_BY = BIT(REL_AGAINST) | BIT(REL_BESIDE) | BIT(REL_NEAR) |
              BIT(REL_AWAY) | BIT(REL_FARTHER) | BIT(REL_FROM) |
              BIT(REL_CLOSER) | BIT(REL_TOWARD) | BIT(REL_ALONG) |
              BIT(REL_TO), /* "the wall" is the nearest */
    RELS_AWAY = BIT(REL_AWAY) | BIT(REL_FARTHER),
    RELS_NEAR = BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_AT) | BIT(REL_TO) |
                BIT(REL_AGAINST),
    RELS_SEVERAL = BIT(REL_WITH) | BIT(REL_AMONG)
};

/* One phrase of place while it is read: refs is what it relates to, `to`
 * becomes the destination. */
typedef struct preposition {
    reader *r;
    const condition *c;
    const builtin_set *movers;
    lexicon_verb verb;
    /* is_level: the phrase is a board of a thing, which `to` has already */
    bool upon, is_level;
    refer_scope scope;
    builtin_set barred, refs;
    destination to;
} preposition;

/* Bars from p->refs what is moved itself and, of "the other wall", what it
 * stands or hangs on. ETNA_E_NOMEM. */
etna_code preposition_bar(preposition *p);
/* Finds what the phrase means: p->refs, or a board of a thing. ETNA_E_INPUT with
 * a refusal; ETNA_E_NOMEM. */
etna_code preposition_find(preposition *p);
/* Which of these it relates to, where it is one of several: p->to.reference or
 * p->to.each. Errors as above. */
etna_code preposition_choose(preposition *p);

#endif
