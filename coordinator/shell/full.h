/* The disk is full: the turn's group is kept and committed again until it can
 * be. Meanwhile the core stands still, as in a stall: what it decided is not
 * durable, so nothing may be heard of it and nothing more is decided. Workers
 * keep what they hold, since their orders are answered (with none); who asks
 * for a task is told to ask later; every other request is dropped, and repeated
 * by its sender. */
#ifndef ETNA_COORDINATOR_SHELL_FULL_H
#define ETNA_COORDINATOR_SHELL_FULL_H

#include "coordinator/shell/shell_internal.h"

/* A commit met a full disk, as `why` says. The first time the user is told. */
void full_met(shell *s, const char *why);
/* A commit went through. After a full disk the user is told so. */
void full_over(shell *s);
/* Whether it is time to try the commit again. Orders that wait are answered
 * then, so that workers do not take us for dead. */
bool full_is_due(shell *s);
/* A request that came while the disk is full. */
void full_take(shell *s, uint64_t request, const message *m);
/* Frees what waits, without answering. */
void full_free(shell *s);

#endif
