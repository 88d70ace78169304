/* The file of --steps: one instruction a line. */
#ifndef ETNA_COORDINATOR_CLI_STEPS_H
#define ETNA_COORDINATOR_CLI_STEPS_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdint.h>

/* Blank lines are left out, white space around a line is cut. ETNA_E_INPUT
 * names file and line: it cannot be read, holds no instruction, too many
 * (ARRANGE_STEPS_MAX) or too long ones, or what is no text. Texts live in
 * `arena`. */
etna_code steps_read(const char *path,
                     etna_arena *arena,
                     const char *const **ret_steps,
                     uint32_t *ret_count,
                     etna_error *err);
/* Whether it is UTF-8 without control characters but white space, of at most
 * ARRANGE_INSTRUCTION_MAX bytes. `where` begins the message. */
etna_code steps_check(const char *where, const char *text, etna_error *err);

#endif
