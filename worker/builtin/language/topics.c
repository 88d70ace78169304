/* See topics.h. */
#include "worker/builtin/language/topics.h"

#include "proto/array.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <string.h>

enum {
    LONGEST = 5 /* words of a thing */
};

/* May the word stand in a thing's name and what belongs to it? */
static bool word_may_name(const sentence_token *t)
{
    static const char *const classes[] = {
        "told: question", "told: be",     "told: have",
        "told: modal",    "told: denies", "told: who",
        "told: asks",     "told: leads",  "passed: question"};
    static const char *const which[] = {"where", "which", "when", "not"};
    if (t->is_mark)
        return false;
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        if (lexicon_lists(classes[i], t->text))
            return false;
    }
    return !WORD_IS_OF(t->text, which);
}

/* Does a thing alone stand in the tokens [first, end)? */
static bool stretch_is_thing(const sentence_token *tokens,
                             uint32_t first,
                             uint32_t end,
                             const sentence_vocabulary *vocabulary)
{
    lexicon_verb verb;
    if (first == end || end - first > LONGEST)
        return false;
    for (uint32_t at = first; at < end; at++) {
        if (!word_may_name(&tokens[at]))
            return false;
    }
    const sentence_token *const last = &tokens[end - 1];
    const bool orders =
        end - first > 1 && lexicon_find_verb(tokens[first].text, &verb);
    const bool named = last->quoted ||
                       mend_vocabulary_has(vocabulary, last->text) ||
                       (kinds_known(last->text) && !kinds_abstract(last->text));
    return named && !orders;
}

void topics_join(sentence_token *tokens,
                 uint32_t count,
                 const sentence_vocabulary *vocabulary)
{
    uint32_t first = 0;
    for (uint32_t at = 0; at + 1 < count; at++) {
        const sentence_token *const mark = &tokens[at];
        if (!mark->is_mark || !strchr(".;!?", mark->text[0]))
            continue;
        const bool asked = strcmp(mark->text, "?") == 0;
        if (asked && lexicon_goes_on(tokens[at + 1].text) &&
            stretch_is_thing(tokens, first, at, vocabulary))
            tokens[at].text = ":";
        first = at + 1;
    }
}
