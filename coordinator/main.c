/* The `etna` program. */
#include "coordinator/cli/cli.h"
#include "coordinator/report/json_memory.h"

int main(int argc, char **argv)
{
    json_memory_watch();
    return cli_main(argc, argv);
}
