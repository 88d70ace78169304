/* Whether the system kills for memory: a kill looks like anybody's, but for its
 * count of them. */
#ifndef ETNA_PROTO_MEMORY_KILLS_H
#define ETNA_PROTO_MEMORY_KILLS_H

#include <stdint.h>

/* How many processes the system has killed because its memory, or a control
 * group's, ran out. 0: it does not tell. */
uint64_t etna_memory_kills(void);

#endif
