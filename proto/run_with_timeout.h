/* Work that may never return: a library's call that waits for ever must not
 * take a process's end with it. */
#ifndef ETNA_PROTO_RUN_WITH_TIMEOUT_H
#define ETNA_PROTO_RUN_WITH_TIMEOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Runs body(context) on a thread of its own and waits for its end, `ms`
 * milliseconds at the most. True: it is over, and what it wrote is the
 * caller's. False: it still runs, or no thread could be made; whatever it uses,
 * `context` included, must then be left alone until the process ends. */
bool run_with_timeout(uint32_t ms, void (*body)(void *context), void *context);

#endif
