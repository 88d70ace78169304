/* scene-place: see usage below. */
#include "place.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: scene-place SCENE.glb WHAT on|in|under|beside WHERE\n"
    "Whether WHAT has a place there in which it cuts nothing, stands, and can be drawn out to open air: by trying every\n"
    "5 cm and quarter turn. Prints found and the place, none, or shut in (it cannot be taken from where it is).\n"
    "Exit codes: 0 found; 1 not; 2 usage; 3 a file that it cannot read, or no such thing in it.\n";

int main(int argc, char **argv)
{
    bool asks_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    relation r = argc == 5 ? relation_of(argv[3]) : RELATIONS;
    if (asks_help || r == RELATIONS) {
        fputs(usage, asks_help ? stdout : stderr);
        return asks_help ? 0 : 2;
    }
    static const char *const words[] = {"found", "none", "shut in",
                                        "no such thing", "out of memory"};
    pair p;
    point at;
    char error[256];
    if (!pair_read(argv[1], argv[1], &p, error)) {
        fprintf(stderr, "scene-place: %s\n", error);
        return 3;
    }
    place_verdict verdict = place_find(&p, r, argv[2], argv[4], &at);
    pair_free(&p);
    if (verdict == PLACE_FOUND) {
        printf("found %.3f %.3f %.3f\n", at.x, at.y, at.z);
        return 0;
    }
    puts(words[verdict]);
    return verdict == PLACE_NONE || verdict == PLACE_SHUT_IN ? 1 : 3;
}
