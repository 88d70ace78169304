/* What a program reads through a map of a file ends it by SIGBUS where the file
 * was cut short, or its disk gave out. A command says so, and ends as after any
 * damage. */
#ifndef ETNA_PROTO_MAPPED_FILES_H
#define ETNA_PROTO_MAPPED_FILES_H

#include <stdbool.h>

/* From now on SIGBUS is told in a line on stderr, with `json` also by a
 * document on stdout, and ends the process with exit code 4. `program` stays
 * with the caller, as long as it runs. */
void mapped_files_guard(const char *program, bool json);

#endif
