/* See verdict.h. */
#include "worker/agents/verdict.h"
#include "proto/ascii.h"
#include "worker/agents/plain.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

/* The word that begins at `at`: how long it is. */
static size_t verdict_word_size(const char *text, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && ascii_is_letter(text[end]))
        end++;
    return end - at;
}

static arrange_verdict verdict_of_word(const char *word, size_t size)
{
    for (uint32_t i = VERDICT_TERRIBLE; i <= VERDICT_EXCELLENT; i++) {
        const char *name = arrange_verdict_name(i);
        bool same = strlen(name) == size && strncasecmp(word, name, size) == 0;
        if (same || plain_is_slip(word, size, name))
            return (arrange_verdict)i;
    }
    return VERDICT_ABSTAIN;
}

static bool is_denial(const char *word, size_t size)
{
    static const char *const words[] = {
        "not",  "no",     "never",   "hardly",  "barely",  "isn",      "wasn", "cannot",
        "less", "nearly", "almost",  "neither", "between", "nor",      "can",  "couldn",
        "far",  "aren",   "without", "un",      "non",     "anything", "if"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

static size_t skip_signs(const char *text, size_t size, size_t at)
{
    while (at < size && text_is_in(text[at], " *_`\"'"))
        at++;
    return at;
}

static bool verdict_is_word(const char *text, size_t size, size_t at, const char *word)
{
    at = skip_signs(text, size, at);
    size_t length = verdict_word_size(text, size, at);
    return length == strlen(word) && strncasecmp(text + at, word, length) == 0;
}

static bool is_joint(const char *word, size_t size)
{
    static const char *const words[] = {"or", "to", "and"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* Signs that part one word from another that is offered too: "/", "|", ",", or "-" before a
 * letter. */
static bool parts_offers(const char *text, size_t size, size_t at)
{
    if (at >= size)
        return false;
    bool is_hyphen = text[at] == '-' && at + 1 < size && ascii_is_letter(text[at + 1]);
    return is_hyphen || text_is_in(text[at], "|/,");
}

/* Another of the words is offered behind the first: "good/fair", "good or fair", "excellent, good,
 * fair". One that begins an explanation ("excellent, good contact") is none. */
static bool offers_more(const char *text, size_t size, size_t at, arrange_verdict first)
{
    static const char softly[] = "rather";
    while (at < size && text_is_in(text[at], " *_`\"'.:%0123456789"))
        at++; /* "excellent 0.4, good 0.4" */
    bool parted = parts_offers(text, size, at);
    if (parted)
        at = skip_signs(text, size, at + 1);
    size_t length = verdict_word_size(text, size, at);
    bool joined = is_joint(text + at, length);
    if (joined)
        at = skip_signs(text, size, at + length);
    if (joined && verdict_is_word(text, size, at, softly))
        at = skip_signs(text, size, at + sizeof softly - 1);
    length = verdict_word_size(text, size, at);
    arrange_verdict other = verdict_of_word(text + at, length);
    bool is_offered = parted || joined;
    if (!is_offered || other == VERDICT_ABSTAIN || other == first)
        return false;
    size_t behind = skip_signs(text, size, at + length);
    return behind == size || !ascii_is_letter(text[behind]) ||
           is_joint(text + behind, verdict_word_size(text, size, behind));
}

/* The steps of the same scale in other languages: a model that sees well may still answer in its
 * own. */
static const struct {
    const char *word;
    arrange_verdict verdict;
} others[] = {{"ausgezeichnet", VERDICT_EXCELLENT},
              {"excelente", VERDICT_EXCELLENT},
              {"eccellente", VERDICT_EXCELLENT},
              {"\u4f18\u79c0", VERDICT_EXCELLENT},
              {"gut", VERDICT_GOOD},
              {"bueno", VERDICT_GOOD},
              {"bon", VERDICT_GOOD},
              {"\u826f\u597d", VERDICT_GOOD},
              {"\u4e00\u822c", VERDICT_FAIR},
              {"schlecht", VERDICT_BAD},
              {"malo", VERDICT_BAD},
              {"mauvais", VERDICT_BAD},
              {"\u6781\u5dee", VERDICT_TERRIBLE},
              {"\u975e\u5e38\u5dee", VERDICT_TERRIBLE},
              {"\u5dee", VERDICT_BAD},
              {"schrecklich", VERDICT_TERRIBLE},
              {"hervorragend", VERDICT_EXCELLENT},
              {"befriedigend", VERDICT_FAIR},
              {"\u512a\u79c0", VERDICT_EXCELLENT},
              {"\u826f\u3044", VERDICT_GOOD},
              {"\u60aa\u3044", VERDICT_BAD},
              {"\u043e\u0442\u043b\u0438\u0447\u043d\u043e", VERDICT_EXCELLENT},
              {"\u0445\u043e\u0440\u043e\u0448\u043e", VERDICT_GOOD},
              {"\u043f\u043b\u043e\u0445\u043e", VERDICT_BAD},
              {"\u0443\u0436\u0430\u0441\u043d\u043e", VERDICT_TERRIBLE},
              {"bom", VERDICT_GOOD},
              {"buono", VERDICT_GOOD},
              {"ruim", VERDICT_BAD},
              {"\uc6b0\uc218", VERDICT_EXCELLENT},
              {"\ud0c1\uc6d4", VERDICT_EXCELLENT},
              {"\ud6cc\ub96d\ud568", VERDICT_EXCELLENT},
              {"\uc88b\uc74c", VERDICT_GOOD},
              {"\uc591\ud638", VERDICT_GOOD},
              {"\ubcf4\ud1b5", VERDICT_FAIR},
              {"\ub098\uc068", VERDICT_BAD},
              {"m\u00fckemmel", VERDICT_EXCELLENT},
              {"iyi", VERDICT_GOOD},
              {"k\u00f6t\u00fc", VERDICT_BAD},
              {"doskona\u0142y", VERDICT_EXCELLENT},
              {"dobry", VERDICT_GOOD},
              {"z\u0142y", VERDICT_BAD},
              {"xu\u1ea5t s\u1eafc", VERDICT_EXCELLENT},
              {"t\u1ed1t", VERDICT_GOOD},
              {"\u0645\u0645\u062a\u0627\u0632", VERDICT_EXCELLENT},
              {"parfait", VERDICT_EXCELLENT},
              {"passable", VERDICT_FAIR}};

/* All of the text but signs is one of those words. */
static bool verdict_find_other(const char *text, size_t size, arrange_verdict *ret)
{
    static const char around[] = " \t\n*_`\"'<>.!#[](){}|,;";
    while (size > 0 && text_is_in(text[size - 1], around))
        size--;
    while (size > 0 && text_is_in(*text, around))
        text++, size--;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool same = strlen(others[i].word) == size && strncasecmp(text, others[i].word, size) == 0;
        if (!same)
            continue;
        *ret = others[i].verdict;
        return true;
    }
    return false;
}

/* "good... no, on second thought: excellent", "excellent but for the heading, therefore good": another one is meant behind it.
 * What goes on from the word, as "no bad contact", says something else. */
static bool is_taken_back(const char *text, size_t size, size_t behind, arrange_verdict found)
{
    static const char *const words[] = {
        "thought",  "correction", "corrected", "wait",      "revised", "changed", "downgraded",
        "upgraded", "lowered",    "raised",    "therefore", "hence",   "thus",    "so"};
    bool takes_back = false, is_denied = false;
    for (size_t at = behind; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            takes_back = takes_back || (strlen(words[i]) == length &&
                                        strncasecmp(text + at, words[i], length) == 0);
        arrange_verdict other = verdict_of_word(text + at, length);
        size_t next = skip_signs(text, size, at + length);
        bool is_last = next == size || !ascii_is_letter(text[next]);
        bool is_another = other != VERDICT_ABSTAIN && other != found && !is_denied;
        if (takes_back && is_another && is_last)
            return true;
        if (length)
            is_denied = is_denial(text + at, length);
        at += length ? length : 1;
    }
    return false;
}

/* Is the word that ends at `behind` asked, one of several, taken back, or so only under a condition? */
static bool is_unsure(const char *text, size_t size, size_t behind, arrange_verdict found)
{
    size_t at = skip_signs(text, size, behind);
    bool is_asked = at < size && text[at] == '?';
    bool depends =
        verdict_is_word(text, size, behind, "if") || verdict_is_word(text, size, behind, "unless");
    if (is_asked || depends)
        return true;
    return offers_more(text, size, behind, found) || is_taken_back(text, size, behind, found);
}

/* "would be": it is not. */
static bool is_conditional(const char *text, size_t size, size_t at, size_t length)
{
    bool would = length == 5 && (strncasecmp(text + at, "would", 5) == 0 ||
                                 strncasecmp(text + at, "could", 5) == 0);
    return would && verdict_is_word(text, size, at + length, "be");
}

/* Behind what is struck out at `at`; else `at`. */
static size_t skip_struck(const char *text, size_t size, size_t at)
{
    bool opens = size - at > 4 && strncmp(text + at, "~~", 2) == 0;
    const char *shut = opens ? memmem(text + at + 2, size - at - 2, "~~", 2) : NULL;
    return shut ? (size_t)(shut + 2 - text) : at;
}

static bool verdict_is_one(const char *word, size_t size, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == size && strncasecmp(word, *words, size) == 0)
            return true;
    }
    return false;
}

/* "does not look good", "close to excellent", "worse than fair": words that deny what follows in the same clause. */
static bool is_denied_in_clause(const char *text, size_t at)
{
    static const char *const words[] = {
        "doesn",    "don",   "didn",  "won",  "wouldn", "fails",   "failed",  "lacks",    "below",
        "opposite", "short", "close", "near", "than",   "missing", "beneath", "anything", NULL};
    size_t from = at;
    while (from > 0 && !text_is_in(text[from - 1], ",;:.!?\n"))
        from--;
    while (from < at) {
        size_t length = verdict_word_size(text, at, from);
        if (length && verdict_is_one(text + from, length, words))
            return true;
        from += length ? length : 1;
    }
    return false;
}

/* The first of the words, where nothing denies it, doubts it or offers another. */
static bool verdict_find_first(const char *text, size_t size, arrange_verdict *ret)
{
    for (size_t at = 0; at < size;) {
        at = skip_struck(text, size, at);
        size_t length = verdict_word_size(text, size, at);
        arrange_verdict found = verdict_of_word(text + at, length);
        if (found != VERDICT_ABSTAIN) {
            if (is_denied_in_clause(text, at) || is_unsure(text, size, at + length, found))
                return false;
            *ret = found;
            return true;
        }
        if (is_denial(text + at, length) || is_conditional(text, size, at, length))
            return false;
        at += length ? length : 1;
    }
    return false;
}

/* "[x] good": the one that is checked among several. False: none is, or more than one. */
static bool verdict_find_checked(const char *text, size_t size, arrange_verdict *ret)
{
    enum { BOX = 3 };
    unsigned count = 0;
    for (size_t at = 0; at + BOX < size; at++) {
        bool is_checked =
            text[at] == '[' && text_is_in(text[at + 1], "xXvV") && text[at + 2] == ']';
        size_t from = is_checked ? skip_signs(text, size, at + BOX) : 0;
        arrange_verdict found =
            is_checked ? verdict_of_word(text + from, verdict_word_size(text, size, from))
                       : VERDICT_ABSTAIN;
        if (found == VERDICT_ABSTAIN)
            continue;
        *ret = found;
        count++;
    }
    return count == 1;
}

static bool has_open_box(const char *text, size_t size)
{
    static const char box[] = "[ ]";
    return memmem(text, size, box, sizeof box - 1) != NULL;
}

/* What may stand between a sign, or a word of these, and the verdict that all before it comes to. */
static bool is_concluding(const char *word, size_t size)
{
    static const char *const words[] = {
        "so",      "therefore", "thus",    "hence", "just",       "only", "merely",  "it",
        "is",      "s",         "overall", "to",    "downgraded", "its",  "rather",  "i",
        "revised", "say",       "final",   "the",   "verdict",    "call", "changed", "lowered",
        "d",       "raised",    "still",   "then",  "upgraded",   "a",    "simply",  "instead"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* Does nothing but words that conclude stand between a sign and `at`? ":" needs none. */
static bool concludes(const char *text, size_t at)
{
    unsigned words = 0;
    while (at > 0 && !text_is_in(text[at - 1], ",;:.>-")) {
        size_t end = at;
        while (at > 0 && ascii_is_letter(text[at - 1]))
            at--;
        if (at == end) {
            if (!text_is_in(text[at - 1], " *_`\"'"))
                return false;
            at--;
            continue;
        }
        if (!is_concluding(text + at, end - at))
            return false;
        words++;
    }
    return at > 0 && (words > 0 || text[at - 1] == ':');
}

/* "no collision, excellent": the only verdict, in a clause of its own, and on no condition. */
static bool is_only_clause(const char *text, size_t at)
{
    static const char *const conditions[] = {"if",    "would", "could", "were", "unless",
                                             "until", "when",  "but",   NULL};
    size_t from = at;
    while (from > 0 && text_is_in(text[from - 1], " *_`\"'"))
        from--;
    if (from == 0 || !text_is_in(text[from - 1], ",;."))
        return false;
    for (size_t i = 0; i < from;) {
        size_t length = verdict_word_size(text, from, i);
        bool is_verdict = verdict_of_word(text + i, length) != VERDICT_ABSTAIN;
        if (is_verdict || (length && verdict_is_one(text + i, length, conditions)))
            return false;
        i += length ? length : 1;
    }
    return true;
}

/* "good... no, on second thought: ..": whoever thinks aloud may not be at the end of it. */
static bool verdict_hesitates(const char *text, size_t size)
{
    static const char *const words[] = {"thought", "wait", "hmm", "maybe", "perhaps"};
    for (size_t at = 0; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (strlen(words[i]) == length && strncasecmp(text + at, words[i], length) == 0)
                return true;
        }
        at += length ? length : 1;
    }
    return false;
}

/* "not terrible; it is fair", "almost excellent: good": what is said last, where all before it leads to that. */
static bool verdict_find_last(const char *text, size_t size, arrange_verdict *ret)
{
    static const char as_it_is[] = "as it is,";
    enum { AS_IT_IS = sizeof as_it_is - 1 };
    while (size > 0 && text_is_in(text[size - 1], " \t\n*_`\"'.!)"))
        size--;
    size_t at = size;
    while (at > 0 && ascii_is_letter(text[at - 1]))
        at--;
    arrange_verdict found = verdict_of_word(text + at, size - at);
    if (verdict_hesitates(text, at))
        return false;
    size_t lead = at;
    while (lead > 0 && text_is_in(text[lead - 1], " *_`"))
        lead--;
    bool stands = lead > AS_IT_IS && strncasecmp(text + lead - AS_IT_IS, as_it_is, AS_IT_IS) == 0;
    if (found == VERDICT_ABSTAIN)
        return false;
    if (!stands && !concludes(text, at) && !is_only_clause(text, at))
        return false;
    *ret = found;
    return true;
}

bool verdict_find(const char *text, size_t size, arrange_verdict *ret)
{
    if (has_open_box(text, size))
        return verdict_find_checked(text, size, ret);
    return verdict_find_other(text, size, ret) || verdict_find_first(text, size, ret) ||
           verdict_find_last(text, size, ret);
}

bool verdict_alone(const char *text, size_t size, arrange_verdict *ret)
{
    static const char around[] = " \t\n*_`\"'<>.!#[](){}$-";
    static const char box[] = "\\boxed";
    while (size > 0 && text_is_in(*text, " \t$"))
        text++, size--;
    bool is_boxed = size > sizeof box && strncmp(text, box, sizeof box - 1) == 0;
    if (is_boxed)
        text += sizeof box - 1, size -= sizeof box - 1;
    while (size > 0 && text_is_in(text[size - 1], around))
        size--;
    size_t from = 0;
    while (from < size && text_is_in(text[from], around))
        from++;
    arrange_verdict found = verdict_of_word(text + from, size - from);
    if (found == VERDICT_ABSTAIN)
        return false;
    *ret = found;
    return true;
}
