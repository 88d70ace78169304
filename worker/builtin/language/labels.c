/* See labels.h. */
#include "worker/builtin/language/labels.h"

#include "proto/array.h"
#include "proto/ascii.h"

#include <stdlib.h>
#include <string.h>

enum {
    LABELS_MAX = 26
};

typedef struct label {
    uint32_t first, end; /* its tokens */
    bool by_letter;
    long number; /* of a letter: that of its place in the alphabet */
} label;

static bool token_is(const sentence_token *t, const char *mark)
{
    return t->is_mark && strcmp(t->text, mark) == 0;
}

/* Whole numbers of two digits at most, and single letters. */
static bool label_counts(const sentence_token *t, label *ret)
{
    const char *const word = t->text;
    const size_t size = strlen(word);
    ret->by_letter = size == 1 && ascii_is_lower(word[0]);
    ret->number = ret->by_letter ? word[0] - 'a' + 1 : 0;
    if (t->quoted || t->is_mark)
        return false;
    if (ret->by_letter)
        return true;
    for (size_t i = 0; i < size; i++) {
        if (!ascii_is_digit(word[i]) || i > 1)
            return false;
    }
    ret->number = atol(word);
    return true;
}

/* "1)", "(a)", and of numbers "1." where more follows. */
static bool label_at(const sentence_token *t,
                     uint32_t count,
                     uint32_t at,
                     label *ret)
{
    const uint32_t open = at < count && token_is(&t[at], "(");
    const uint32_t mark = at + open + 1;
    if (mark + 1 >= count || !label_counts(&t[at + open], ret))
        return false;
    ret->first = at;
    ret->end = mark + 1;
    if (token_is(&t[mark], ")"))
        return true;
    return !open && !ret->by_letter && token_is(&t[mark], ".");
}

/* A list begins where a text or a stretch of it does. */
static bool label_may_begin(const sentence_token *t, uint32_t at)
{
    return at == 0 || t[at - 1].is_mark || strcmp(t[at - 1].text, "-") == 0;
}

static uint32_t labels_find(const sentence_token *t,
                            uint32_t count,
                            label ret[LABELS_MAX])
{
    uint32_t found = 0;
    for (uint32_t at = 0; at < count && found < LABELS_MAX; at++) {
        label one;
        if (!label_at(t, count, at, &one))
            continue;
        const bool begins = found == 0 && label_may_begin(t, at);
        const bool goes_on =
            found > 0 && one.by_letter == ret[found - 1].by_letter;
        if (one.number != (long)found + 1 || (!begins && !goes_on))
            continue;
        ret[found++] = one;
        at = one.end - 1;
    }
    return found;
}

/* "..., and (b) ...": what joins the items of a list. */
static bool token_joins_items(const sentence_token *t)
{
    static const char *const joints[] = {",", "and", "then"};
    return !t->quoted && WORD_IS_OF(t->text, joints);
}

uint32_t labels_cut(sentence_token *tokens, uint32_t count)
{
    label labels[LABELS_MAX];
    const uint32_t found = labels_find(tokens, count, labels);
    uint32_t kept = 0, next = 0;
    if (found < 2)
        return count;
    for (uint32_t at = 0; at < count; at++) {
        if (next >= found || at != labels[next].first) {
            tokens[kept++] = tokens[at];
            continue;
        }
        sentence_token stop = tokens[labels[next].end - 1];
        stop.text = ".";
        stop.at = tokens[at].at;
        while (next > 0 && kept > 0 && token_joins_items(&tokens[kept - 1]))
            kept--;
        if (next > 0)
            tokens[kept++] = stop;
        at = labels[next++].end - 1;
    }
    return kept;
}
