/* `etna simulate`: a program of its own beside this one, since it has both
 * sides of the protocol in it (tests/sim). */
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program `name` in the folder where etna-worker is. */
static bool simulate_path(char *path, size_t size, const char *name)
{
    if (!children_program(path, size))
        return false;
    char *slash = strrchr(path, '/');
    size_t left = slash ? size - (size_t)(slash + 1 - path) : 0;
    return slash && snprintf(slash + 1, left, "%s", name) < (int)left;
}

int cmd_simulate(int argc, char **argv)
{
    char program[4096];
    etna_error err;
    (void)argc;
    if (!simulate_path(program, sizeof program, "etna-simulate")) {
        etna_fail(&err, ETNA_E_NOMEM,
                  "simulate: the path of this program is too long");
        return cli_fail(&err);
    }
    execv(program, argv);
    etna_fail(&err, ETNA_E_IO,
              "%s: cannot be run: %s; it belongs beside the etna program",
              program, strerror(errno));
    return cli_fail(&err);
}
