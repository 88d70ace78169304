/* The one clock of waits and deadlines. The core has none: time comes to it in
 * its events. */
#ifndef ETNA_PROTO_CLOCK_H
#define ETNA_PROTO_CLOCK_H

#include <stdint.h>

/* Milliseconds since some moment before this process; it never goes back. */
uint64_t clock_now_ms(void);

#endif
