/* Work on hostile files in a process of its own, so that a crash, a hang or a
 * hunger for memory ends there. The child gets limits, no standard streams, no
 * core file, and dies with its parent; what it makes comes back through memory
 * that both share. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_CHILD_H
#define ETNA_WORKER_CONVERT_CHILD_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct child_limits {
    uint64_t memory; /* bytes of address space; 0: unbounded */
    unsigned cpu_s, wall_s;
} child_limits;
child_limits child_limits_default(void);

/* Runs in the child: makes malloc'd bytes. It may replace its program by exec
 * instead (then nothing comes back but success). */
typedef etna_code (*child_work)(void *context,
                                uint8_t **ret_data,
                                size_t *ret_size,
                                etna_error *err);

/* Forks, waits, and returns what `work` made; *ret_data is NULL where it made
 * nothing. Errors of the child come back as they are; its death or time-out is
 * ETNA_E_INPUT that says so of `what`. Caller frees *ret_data. */
etna_code child_run(const char *what,
                    const child_limits *limits,
                    child_work work,
                    void *context,
                    uint8_t **ret_data,
                    size_t *ret_size,
                    etna_error *err);

#endif
