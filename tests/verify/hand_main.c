/* scene-hand: see usage below. */
#include "hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: scene-hand START.glb RESULT.glb\n"
    "Floods the room's air with a fist, in cells of 3 cm, and tells what was moved from where a hand touched it to where\n"
    "none does. Prints a line a finding. A scene too wide for cells of 6 cm is not looked at, which is told.\n"
    "Exit codes: 0 nothing found; 1 something; 2 usage; 3 a file that it cannot read.\n";

int main(int argc, char **argv)
{
    const bool asks_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    if (argc != 3) {
        fputs(usage, asks_help ? stdout : stderr);
        return asks_help ? 0 : 2;
    }
    pair p;
    hand_findings found;
    char error[256];
    if (!pair_read(argv[1], argv[2], &p, error)) {
        fprintf(stderr, "scene-hand: %s\n", error);
        return 3;
    }
    if (!hand_feel(&p, &found)) {
        fprintf(stderr,
                "scene-hand: out of memory, or a scene without bounds\n");
        pair_free(&p);
        return 3;
    }
    for (uint32_t i = 0; i < found.count; i++)
        printf("out of a hand's reach: %s\n", p.pieces[found.pieces[i]].name);
    printf("%u bodies moved, %u findings, cells of %.0f mm\n", found.bodies,
           found.count, 1000 * found.cell);
    const int code = found.count ? 1 : 0;
    free(found.pieces);
    pair_free(&p);
    return code;
}
