/* The etna-worker program. */
#include "worker/cli/cli.h"

int main(int argc, char **argv)
{
    return worker_cli_main(argc, argv);
}
