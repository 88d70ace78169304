/* scene-verify: see usage below. */
#include "referee/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMED_MAX = 64
};

static const char usage[] =
    "usage: scene-verify [--named NAME]... START.glb RESULT.glb\n"
    "Holds RESULT against START, with geometry of its own. Of every body that moved it asks whether it lies within a\n"
    "closed solid, cuts something deeper than at the start, floats, tips over, or cannot be drawn out straight to open\n"
    "air; of everything else, whether it stood on what moved and stayed. Prints a line a finding.\n"
    "  --named NAME   a node that may stay behind, because the sentence says so\n"
    "Exit codes: 0 nothing found; 1 something; 2 usage; 3 a file that it cannot read.\n";

static void finding_print(const finding *f)
{
    printf("%s: %s", finding_word(f->kind), f->name);
    if (f->other)
        printf(": %s", f->other);
    if (f->depth_m > 0 && f->depth_m < 1)
        printf(" (%.1f mm)", f->depth_m * 1000);
    if (f->depth_m > 1)
        printf(" (over 50 mm)");
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *named[NAMED_MAX];
    const char *files[2];
    size_t named_count = 0, file_count = 0;
    for (int i = 1; i < argc; i++) {
        bool is_named = strcmp(argv[i], "--named") == 0 && i + 1 < argc &&
                        named_count < NAMED_MAX;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (is_named) {
            named[named_count++] = argv[++i];
            continue;
        }
        if (argv[i][0] == '-' || file_count == 2) {
            fputs(usage, stderr);
            return 2;
        }
        files[file_count++] = argv[i];
    }
    if (file_count != 2) {
        fputs(usage, stderr);
        return 2;
    }
    pair p;
    char error[256];
    if (!pair_read(files[0], files[1], &p, error)) {
        fprintf(stderr, "scene-verify: %s\n", error);
        return 3;
    }
    findings found;
    bool good = pair_verify(&p, named, named_count, NULL, &found);
    if (!good)
        fprintf(stderr,
                "scene-verify: out of memory, or a scene without bounds\n");
    for (size_t i = 0; good && i < found.count; i++)
        finding_print(&found.list[i]);
    if (good)
        printf("%zu pieces, %zu bodies moved, %zu findings\n", p.count,
               found.bodies, found.count);
    int code = !good ? 3 : found.count ? 1 : 0;
    if (good)
        free(found.list);
    pair_free(&p);
    return code;
}
