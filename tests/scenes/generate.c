/* Writes the fixture scenes that tests, benchmarks and `make run` share
 * (README.md says what each is for). The scenes are made, not kept: no binary
 * in the repository, and sizes and places are readable here. Metres, Y up, +Z
 * toward the viewer; everything stands 0.1 mm above what carries it. */
#include "scenes.h"

#include <stddef.h>
#include <stdio.h>

static void (*const scenes[])(const char *folder) = {
    scenes_table, scenes_office,  scenes_kitchen, scenes_study,
    scenes_shelf, scenes_outdoor, scenes_living,  scenes_closed,
};

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(
            stderr,
            "usage: scene-generator OUTDIR\nWrites the fixture scenes of tests/scenes into an existing folder.\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        scenes[i](argv[1]);
    return 0;
}
