/* What a remark begins with: when something is so ("every morning", "each time
 * I come in") and what the speaker thinks of it ("somehow"). What is told stands
 * behind. */
#include "worker/builtin/read/telling_internal.h"

uint32_t stretch_when_end(const stretch *w)
{
    uint32_t at = w->first;
    while (stretch_lists(w, at, "told: comments"))
        at++;
    if (at > w->first && strcmp(stretch_word(w, at), ",") == 0)
        at++;
    if (stretch_lists(w, at, "told: of time") &&
        stretch_lists(w, at + 1, "told: time"))
        at += 2;
    /* "last night", "every single morning", "the other day" */
    else if (stretch_lists(w, at + 2, "told: time") &&
             (stretch_lists(w, at + 1, "told: of time") ||
              lexicon_lists("when: other", stretch_word(w, at + 1))))
        at += 3;
    if (at > w->first && strcmp(stretch_word(w, at), ",") == 0)
        at++;
    return at < w->end ? at : w->first;
}

bool stretch_is_when(const stretch *w)
{
    uint32_t at = w->first;
    if (stretch_lists(w, at, "told: when"))
        return true;
    while (at < w->end && stretch_lists(w, at, "told: of time"))
        at++;
    return at > w->first && stretch_lists(w, at, "told: each time");
}

/* Where the clause that tells when begins: behind "every time". */
static uint32_t when_subject(const stretch *w)
{
    uint32_t at = w->first;
    while (at < w->end && (stretch_lists(w, at, "told: of time") ||
                           stretch_lists(w, at, "told: each time") ||
                           stretch_lists(w, at, "told: when")))
        at++;
    return at;
}

/* "I come in | I trip over it": the second one that something is told of. */
uint32_t stretch_main(const stretch *w)
{
    uint32_t at = w->first + 1;
    if (!stretch_is_when(w))
        return w->first;
    while (at < w->end && strcmp(stretch_word(w, at), ",") != 0)
        at++;
    if (at < w->end)
        return at + 1;
    for (at = when_subject(w) + 1; at < w->end; at++) {
        const bool led = stretch_lists(w, at - 1, "told: leads") &&
                         !lexicon_lists("when: who", stretch_word(w, at));
        if (stretch_lists(w, at, "told: who") && !led)
            return at;
    }
    return w->first;
}

sentence_part stretch_told(const sentence *s, const sentence_part *w)
{
    stretch all = {.s = s, .first = w->first, .end = w->end};
    sentence_part ret = *w;
    while (all.first < all.end && stretch_lists(&all, all.first, "told: joint"))
        all.first++;
    const uint32_t told =
        stretch_is_when(&all) ? stretch_main(&all) : stretch_when_end(&all);
    if (told > all.first)
        ret.first = told;
    return ret;
}
