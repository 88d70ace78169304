/* What people do or have for themselves, "to stand up", "a coffee": a clause that
 * asks for no more than that is no order. */
#include "worker/builtin/read/telling_internal.h"

/* A verb of moving with what is to be moved, or alone: "stand up", "leave at
 * six". */
static bool stretch_moves_something(const stretch *w, uint32_t at)
{
    const uint32_t next = at + 1;
    return next < w->end && !stretch_lists(w, next, "told: leads") &&
           !stretch_lists(w, next, "talk: by oneself");
}

bool stretch_longs_for(const stretch *w, uint32_t at)
{
    uint32_t end = at;
    while (end < w->end && !stretch_lists(w, end, "told: leads") &&
           !stretch_lists(w, end, "talk: of whom"))
        end++;
    if (end == at || stretch_lists(w, at, "told: definite") ||
        strcmp(stretch_word(w, end - 1), "there") == 0)
        return false;
    const char *const what = stretch_word(w, end - 1);
    if (lexicon_is_function_word(what) || !kinds_word(what))
        return false;
    return lexicon_lists("told: longed for", what) || !kinds_known(what) ||
           kinds_abstract(what) || kinds_distance(what, "food") < KINDS_NEAR ||
           kinds_distance(what, "beverage") < KINDS_NEAR;
}

/* "To wipe it", "to photograph this": what is done to a thing where it is, and
 * nothing behind it that could be a place. */
static bool stretch_handles(const stretch *w, uint32_t at)
{
    const uint32_t end = at + 2;
    return stretch_lists(w, at, "talk: handles") &&
           stretch_lists(w, at + 1, "told: moved") &&
           (end == w->end || stretch_lists(w, end, "talk: by oneself"));
}

bool stretch_wonders(const stretch *w, uint32_t at)
{
    if (!stretch_lists(w, at, "talk: wonders"))
        return false;
    const uint32_t what =
        at + 1 + (strcmp(stretch_word(w, at + 1), "out") == 0);
    return stretch_lists(w, what, "talk: wondered");
}

/* "Get up early", "see me at noon", "get at the plug": told by its first words,
 * whatever follows. */
static bool stretch_does_at_once(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    if (stretch_lists(w, at, "told: does") ||
        stretch_lists(w, at + 1, "talk: by oneself") ||
        stretch_lists(w, at + 1, "told: speaker"))
        return true;
    if (strcmp(word, "get") == 0 && strcmp(stretch_word(w, at + 1), "at") == 0)
        return true;
    return stretch_handles(w, at) || stretch_wonders(w, at);
}

/* "Catch a train", "copy something out of it": a verb of no order, with nothing
 * behind it that is told from others. */
static bool stretch_does_apart(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    char lemma[64];
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    for (uint32_t rest = at + 1; rest < w->end; rest++) {
        const bool uses = rest + 1 == w->end && rest > at + 1 &&
                          stretch_lists(w, rest, "passed: object") &&
                          stretch_lists(w, at + 1, "talk: anything");
        if (stretch_lists(w, rest, "talk: which") && !uses)
            return false;
    }
    return strcmp(lemma, word) == 0;
}

bool stretch_is_own_act(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    const char *const word = stretch_word(w, at);
    if (at >= w->end)
        return false;
    if (stretch_does_at_once(w, at))
        return true;
    /* "look at the garden", "get in" */
    const bool ends = at + 2 == w->end;
    const bool gets = ends && strcmp(word, "get") == 0;
    if (gets || strcmp(word, "look") == 0)
        return stretch_lists(w, at + 1, "told: leads");
    /* "be warm" */
    if (ends && strcmp(word, "be") == 0)
        return lexicon_is_mere_adjective(stretch_word(w, at + 1)) ||
               stretch_lists(w, at + 1, "told: becomes");
    /* "have a coffee" */
    if (stretch_lists(w, at, "told: does with"))
        return strcmp(word, "have") == 0 && stretch_longs_for(w, at + 1);
    /* "to pick something up" */
    if (lexicon_find_verb(word, &verb) && verb != VERB_CANNOT)
        return !stretch_moves_something(w, at) ||
               stretch_lists(w, at + 1, "talk: anything");
    return stretch_does_apart(w, at);
}
