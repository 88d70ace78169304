/* `etna scene info LIBRARY.sh3f`: what is in a library of models. */
#ifndef ETNA_WORKER_CLI_LIBRARY_H
#define ETNA_WORKER_CLI_LIBRARY_H

#include <stdbool.h>

/* Prints the models, as a table or one JSON document, and returns the exit
 * code. */
int library_print(const char *path, bool as_json);

#endif
