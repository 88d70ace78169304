/* See verdict.h. */
#include "worker/agents/verdict.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

static bool verdict_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The word that begins at `at`: how long it is. */
static size_t verdict_word_size(const char *text, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && verdict_is_letter(text[end])) end++;
    return end - at;
}

static arrange_verdict verdict_of_word(const char *word, size_t size)
{
    for (uint32_t i = VERDICT_TERRIBLE; i <= VERDICT_EXCELLENT; i++) {
        const char *name = arrange_verdict_name(i);
        if (strlen(name) == size && strncasecmp(word, name, size) == 0) return (arrange_verdict)i;
    }
    return VERDICT_ABSTAIN;
}

static bool is_denial(const char *word, size_t size)
{
    static const char *const words[] = {"not",    "no",     "never",  "hardly", "barely",  "isn",     "wasn",
                                        "cannot", "less",   "nearly", "almost", "neither", "between", "nor",
                                        "can",    "couldn", "far",    "aren",   "without", "un",      "non"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0) return true;
    }
    return false;
}

static size_t skip_signs(const char *text, size_t size, size_t at)
{
    while (at < size && text_is_in(text[at], " *_`\"'")) at++;
    return at;
}

static bool is_joint(const char *word, size_t size)
{
    static const char *const words[] = {"or", "to", "and"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0) return true;
    }
    return false;
}

/* Another of the words is offered behind the first: "good/fair", "good or fair", "excellent, good, fair". One that
 * begins an explanation ("excellent, good contact") is none. */
static bool offers_more(const char *text, size_t size, size_t at)
{
    at = skip_signs(text, size, at);
    bool listed = at < size && text_is_in(text[at], "|/,");
    bool hyphen = at < size && text[at] == '-' && at + 1 < size && verdict_is_letter(text[at + 1]);
    if (listed || hyphen) at = skip_signs(text, size, at + 1);
    size_t length = verdict_word_size(text, size, at);
    bool joined = is_joint(text + at, length);
    if (joined) at = skip_signs(text, size, at + length);
    length = verdict_word_size(text, size, at);
    if (!(listed || hyphen || joined) || verdict_of_word(text + at, length) == VERDICT_ABSTAIN) return false;
    size_t behind = skip_signs(text, size, at + length);
    return behind == size || !verdict_is_letter(text[behind]) ||
           is_joint(text + behind, verdict_word_size(text, size, behind));
}

bool verdict_find(const char *text, size_t size, arrange_verdict *ret)
{
    for (size_t at = 0; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        arrange_verdict found = verdict_of_word(text + at, length);
        if (found != VERDICT_ABSTAIN) {
            if (offers_more(text, size, at + length)) return false;
            *ret = found;
            return true;
        }
        if (is_denial(text + at, length)) return false;
        at += length ? length : 1;
    }
    return false;
}

bool verdict_alone(const char *text, size_t size, arrange_verdict *ret)
{
    static const char around[] = " \t\n*_`\"'<>.!#[]()-";
    while (size > 0 && text_is_in(text[size - 1], around)) size--;
    size_t from = 0;
    while (from < size && text_is_in(text[from], around)) from++;
    arrange_verdict found = verdict_of_word(text + from, size - from);
    if (found == VERDICT_ABSTAIN) return false;
    *ret = found;
    return true;
}
