/* The process may open no more files: connections that come wait in the kernel
 * until others have gone. */
#ifndef ETNA_COORDINATOR_SHELL_FILES_H
#define ETNA_COORDINATOR_SHELL_FILES_H

#include "coordinator/shell/shell_internal.h"

/* Whether a file can be opened now. The user is told when that begins to be
 * false, and when it is true again. */
bool files_look(shell *s);

#endif
