/* What the files of where.c share. Nobody else includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_WHERE_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_WHERE_INTERNAL_H

#include "worker/builtin/read/reader.h"

/* Does the zone say whose it is, or is it a corner of the room? */
bool where_zone_is_told(const reader *r, const chart_node *where);
/* Metres from the thing to such a zone, on the sides (LEXICON_ bits) that are
 * said; INFINITY: it is elsewhere. */
etna_code where_zone_holds(reader *r,
                           const chart_node *where,
                           uint32_t object,
                           unsigned sides,
                           double *ret);

#endif
