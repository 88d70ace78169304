/* What tests of briefs share. */
#ifndef ETNA_TESTS_UNIT_FURNISH_BRIEFS_H
#define ETNA_TESTS_UNIT_FURNISH_BRIEFS_H

#include "worker/furnish/brief.h"

/* The caller's. The test fails where it is none. */
brief *brief_of(const char *text);
/* "2 nightstand; 1 bed" */
void brief_has(const char *text, const char *wanted);
/* `anchor` "": the room. */
bool brief_is_tied(const brief *b,
                   const char *head,
                   brief_relation relation,
                   const char *anchor);
void brief_ties(const char *text,
                const char *head,
                brief_relation relation,
                const char *anchor);
void brief_does_not_tie(const char *text,
                        const char *head,
                        brief_relation relation,
                        const char *anchor);

#endif
