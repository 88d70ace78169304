/* A process that begins again in its own place: the same pid, program, words
 * and environment, and nothing else of what it held. For what only a new
 * process helps against, so that it does not depend on who supervises it. */
#ifndef ETNA_COORDINATOR_CLI_ANEW_H
#define ETNA_COORDINATOR_CLI_ANEW_H

#include "proto/error.h"

/* Returns only with an error. Every descriptor above stderr is closed, and with
 * them locks, sockets and children's pipes. */
etna_code anew_begin(etna_error *err);

#endif
