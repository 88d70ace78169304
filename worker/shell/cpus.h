/* How many processors this process may use: its affinity, cut by the cgroup's cpu.max. The coordinator has its own: rooms
 * side by side share nothing. */
#ifndef ETNA_WORKER_SHELL_CPUS_H
#define ETNA_WORKER_SHELL_CPUS_H

#include <stdint.h>

uint32_t cpus_of_worker(void); /* at least 1 */

#endif
