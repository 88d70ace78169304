/* Prompt templates: the .txt files of prompts/, compiled in. A line "=== user
 * ===" parts what the system message says from what the user message says;
 * {{key}} is filled in. Values are never expanded again, so a value cannot
 * smuggle in a key. Lines between the lines "{{#part}}" and "{{/part}}" are
 * there unless the name asks for the template without them:
 * "executor-coordinate" is the executor's without its part "coordinate"; lines
 * between "{{^part}}" and "{{/part}}" are there only then. Pure. */
#ifndef ETNA_WORKER_AGENTS_PROMPT_H
#define ETNA_WORKER_AGENTS_PROMPT_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdint.h>

typedef struct prompt_entry {
    const char *name, *text;
} prompt_entry;
/* made at build time; ends with a NULL name */
extern const prompt_entry prompt_table[];

/* The template's two texts (`name`: with "-part" for each part it is to be
 * without), filled in; *ret_user "" where it has no user part. Texts live in
 * `arena`. ETNA_E_INTERNAL for an unknown template or a key it does not
 * have. */
etna_code prompt_fill(const char *name,
                      const char *key,
                      const char *value,
                      etna_arena *arena,
                      const char **ret_system,
                      const char **ret_user,
                      etna_error *err);

#endif
