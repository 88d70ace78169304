/* See words.h. */
#include "tests/unit/worker/agents/words.h"

#include <string.h>

static const char *const put[] = {"put",   "place",   "set",  "position", "move",  "lay",
                                  "stick", "deposit", "park", "pop",      "plonk", "store"};
static const char *const move[] = {"move", "shift", "slide", "push", "nudge", "pull", "drag"};

const char *words_put(etna_random *random) { return put[etna_random_below(random, sizeof put / sizeof put[0])]; }

const char *words_move(etna_random *random) { return move[etna_random_below(random, sizeof move / sizeof move[0])]; }

static bool is_in(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], word) == 0) return true;
    }
    return false;
}

bool words_known(const char *word)
{
    return is_in(word, put, sizeof put / sizeof put[0]) || is_in(word, move, sizeof move / sizeof move[0]);
}
