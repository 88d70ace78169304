/* Habits of models: ways to write an answer that says the same, or that no
 * longer says anything. */
#ifndef ETNA_TESTS_FAULT_SLOPPY_H
#define ETNA_TESTS_FAULT_SLOPPY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct sloppy_habit sloppy_habit;

const sloppy_habit *sloppy_find(const char *name); /* NULL: there is none */
/* a line each: name, roles, "seen" or "lost" */
void sloppy_list(FILE *out);
bool sloppy_has_role(const sloppy_habit *habit, const char *role);
/* Rewrites an assistant's message of Chat Completions. False: the habit finds
 * nothing to change in it. */
bool sloppy_rewrite(const sloppy_habit *habit, json_t *message);

#endif
