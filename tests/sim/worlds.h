/* Worlds by number: what is decided in world N, and everything that goes wrong
 * around it, follow from N. Each number is four worlds: one worker and no
 * fault; a crew and clients without a fault; two with faults. The last three
 * must come to the end of the first: the same snapshots, the same tree, the
 * same `used`. */
#ifndef ETNA_TESTS_SIM_WORLDS_H
#define ETNA_TESTS_SIM_WORLDS_H

#include "tests/sim/sim.h"

enum {
    WORLDS_EACH = 4
};

typedef enum world_fault {
    FAULT_NETWORK, /* loss, repetition, delay, reordering */
    FAULT_CUT,     /* one way and both */
    FAULT_SLOW,    /* some links */
    FAULT_KILL,    /* workers and coordinators, at any moment */
    FAULT_SLIP,    /* between persist and send */
    FAULT_STOP,    /* processes stand still */
    FAULT_CLOCK,   /* clocks begin anywhere and drift */
    FAULT_DISK,    /* full, slow, dead */
    FAULT_LIE,     /* what was synced is gone when the machine falls */
    FAULT_ROT,     /* a blob loses a bit */
    FAULT_TWIN,    /* two processes of one name */
    FAULT_OWNER,   /* two coordinators of one store */
    FAULT_BUILD,   /* a worker of another build */
    FAULT_HOSTILE, /* strangers */
    FAULT_CLIENT,  /* clients vanish */
    FAULT_MODEL,   /* calls fail, models are out of service */
    FAULT_DEADLY,  /* tasks that fell whoever does them */
    FAULT_WAVE,    /* preemption, draining, leaving */
    FAULT_PAUSE,   /* suspended and resumed */
    FAULT_COUNT
} world_fault;

#define FAULTS_ALL ((UINT64_C(1) << FAULT_COUNT) - 1)

const char *world_fault_name(world_fault fault); /* "network", ... */
/* Names between commas, or "all", "none". False: one of them is none. */
bool world_faults_parse(const char *text, uint64_t *ret_faults);

arrange_config world_config(uint64_t number); /* what is decided */
/* World `which` (0 to WORLDS_EACH - 1) of a number, with faults of these kinds
 * at the most. */
sim_options world_options(uint64_t number, uint32_t which, uint64_t faults);

/* What such a world is like, in a line. */
void world_describe(const sim_options *options, char *text, size_t size);

typedef struct world_sums {
    uint64_t worlds, events, messages, lost, kills, restarts, calls, leases,
        leases_again, backtracks, refusals, forged;
    uint64_t fulls, stales, deaths, complete, partial, failed;
    uint64_t mishaps[MISHAP_KINDS];
} world_sums;

/* Plays all worlds of a number and adds to the sums. False: something did not
 * hold; `text` says what in which world. */
bool world_play(uint64_t number,
                uint64_t faults,
                world_sums *sums,
                char *text,
                size_t size);
/* Plays one world of a number, telling its lines, and writes its report's end.
 * False likewise. */
bool world_tell(uint64_t number,
                uint32_t which,
                uint64_t faults,
                void (*tell)(void *context, const char *line),
                void *context,
                sim_report *ret_report);

#endif
