/* The file of --steps: one instruction a line. */
#ifndef ETNA_COORDINATOR_CLI_STEPS_H
#define ETNA_COORDINATOR_CLI_STEPS_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdint.h>

/* Reads a file of instructions. Blank lines are left out, white space around a
 * line is cut. Array and texts live in `arena`. ETNA_E_INPUT names file and
 * line: the file cannot be read, holds no instruction, more than
 * ARRANGE_STEPS_MAX or too long ones, or what is no text. */
etna_code steps_read(const char *path,
                     etna_arena *arena,
                     const char *const **ret_steps,
                     uint32_t *ret_count,
                     etna_error *err);
/* Whether an instruction or goal is UTF-8 without control characters other than
 * white space, and at most ARRANGE_INSTRUCTION_MAX bytes long. `where` begins
 * the message of ETNA_E_INPUT. */
etna_code steps_check(const char *where, const char *text, etna_error *err);

#endif
