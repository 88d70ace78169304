/* Looks up what tools/told.c wrote. */
#include "worker/builtin/language/told.h"
#include "worker/builtin/language/told_table.h"

#include <string.h>

static const char *told_after(const char *text)
{
    return text + strlen(text) + 1;
}

told_kind told_of_kind(uint16_t kind)
{
    if (kind == 0 || kind >= told_kind_count)
        return (told_kind){"", "", ""};
    told_kind t = {.words = (const char *)told_kind_text + told_kind_at[kind]};
    t.verbs = told_after(t.words);
    t.gloss = told_after(t.verbs);
    return t;
}

/* Binary search in the told words; the four texts of a row follow one another.
 * False: nothing is told of it. */
bool told_of_word(const char *lemma, told_word *ret)
{
    size_t low = 0;
    size_t high = told_word_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)told_word_text + told_word_at[middle];
        int order = strcmp(at, lemma);
        if (order == 0) {
            ret->same = told_after(at);
            ret->above = told_after(ret->same);
            ret->nouns = told_after(ret->above);
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
