/* How many processors this process may use: its affinity, cut by the cgroup's
 * cpu.max. Both programs share a machine by it, so they must count alike. */
#ifndef ETNA_PROTO_CPUS_H
#define ETNA_PROTO_CPUS_H

#include <stdint.h>

uint32_t cpus_usable(void); /* at least 1 */
/* Whole processors of a cpu.max line ("QUOTA PERIOD" or "max PERIOD"), rounded
 * up; 0: no limit or not such a line. Pure. */
uint32_t cpus_of_quota(const char *line);

#endif
