/* Begins this process again in its own place (execve of itself): same pid,
 * program, arguments and environment, and nothing else of what it held. For a
 * state that only a new process helps against, so that the cure does not depend
 * on a supervisor being there. */
#ifndef ETNA_COORDINATOR_CLI_ANEW_H
#define ETNA_COORDINATOR_CLI_ANEW_H

#include "proto/error.h"

/* Returns only with an error; then everything is as before, except that signals
 * are unblocked, streams flushed, and descriptors above stderr marked
 * close-on-exec. Otherwise those are closed at the exec, and with them locks,
 * sockets and the pipes whose end tells children to end. ETNA_E_IO,
 * ETNA_E_NOMEM. */
etna_code anew_begin(etna_error *err);

#endif
