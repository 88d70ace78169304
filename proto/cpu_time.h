/* What a thread's work costs, whatever else the machine does: time of
 * processors, not of the clock. */
#ifndef ETNA_PROTO_CPU_TIME_H
#define ETNA_PROTO_CPU_TIME_H

#include <stdint.h>

/* Microseconds that processors worked for this thread so far, with what it was
 * given. */
uint64_t cpu_time_us(void);
/* What threads worked for this one, that made them and waited until they
 * ended. */
void cpu_time_give(uint64_t us);

#endif
