/* What the writing and the reading of records share. Nobody else includes this.
 *
 *   record.c       what stands in a record; writing, and emitting in a run
 *   record_read.c  reading */
#ifndef ETNA_COORDINATOR_CORE_RECORD_INTERNAL_H
#define ETNA_COORDINATOR_CORE_RECORD_INTERNAL_H

#include "coordinator/core/core_internal.h"

enum {
    RECORD_FORMAT = 6,
    RECORD_TEXT_MAX = MESSAGE_PAYLOAD_MAX /* bytes of a text within a record */
};

/* In the byte that `step_scenes` alone had before there were others. */
enum {
    SWITCH_STEP_SCENES = 1,
    SWITCH_PAPER_COLLISION = 2,
    SWITCH_PAPER_FLOATING = 4,
    SWITCH_FORGETS = 8,
    SWITCH_FURNISHES = 16,
    SWITCHES = 32
};

#endif
