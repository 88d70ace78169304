/* The etna-worker program. */
#include "worker/cli/cli.h"

int main(int argc, char **argv) { return cli_main(argc, argv); }
