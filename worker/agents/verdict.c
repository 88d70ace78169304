/* See verdict.h. */
#include "worker/agents/verdict.h"
#include "proto/array.h"
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

/* The word itself or a slip of it; VERDICT_ABSTAIN: none. */
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

/* Words that turn what follows them; "isn" and the like are what remains of
 * "isn't" before its apostrophe. */
static bool is_denial(const char *word, size_t size)
{
    static const char *const words[] = {
        "not",     "no",     "never", "hardly",   "barely", "isn",
        "wasn",    "cannot", "less",  "nearly",   "almost", "neither",
        "between", "nor",    "can",   "couldn",   "far",    "aren",
        "without", "un",     "non",   "anything", "if"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* Over emphasis and quotes. */
static size_t skip_signs(const char *text, size_t size, size_t at)
{
    at = text_skip(text, at, size, " *_`\"'");
    return at;
}

/* The next word from `at` on, in any case. */
static bool verdict_is_word(const char *text,
                            size_t size,
                            size_t at,
                            const char *word)
{
    at = skip_signs(text, size, at);
    size_t length = verdict_word_size(text, size, at);
    return length == strlen(word) && strncasecmp(text + at, word, length) == 0;
}

/* Between two words of the scale they offer both. */
static bool is_joint(const char *word, size_t size)
{
    static const char *const words[] = {"or", "to", "and"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* Signs that part one word from another that is offered too: "/", "|", ",", or
 * "-" before a letter. */
static bool parts_offers(const char *text, size_t size, size_t at)
{
    if (at >= size)
        return false;
    bool is_hyphen =
        text[at] == '-' && at + 1 < size && ascii_is_letter(text[at + 1]);
    return is_hyphen || text_is_in(text[at], "|/,");
}

/* Behind a word of so many bytes that joins two: "fair-to-good", "or rather good". */
static size_t skip_joint(const char *text, size_t size, size_t at, size_t word)
{
    static const char softly[] = "rather";
    at = skip_signs(text, size, at + word);
    if (at < size && text[at] == '-')
        at++;
    if (verdict_is_word(text, size, at, softly))
        at = skip_signs(text, size, at + sizeof softly - 1);
    return at;
}

/* Another of the words is offered behind the first: "good/fair", "good or
 * fair", "excellent, good, fair". One that begins an explanation ("excellent,
 * good contact") is none. */
static bool offers_more(const char *text,
                        size_t size,
                        size_t at,
                        arrange_verdict first)
{
    /* "excellent 0.4, good 0.4" */
    at = text_skip(text, at, size, " *_`\"'.:%0123456789");
    bool parted = parts_offers(text, size, at);
    if (parted)
        at = skip_signs(text, size, at + 1);
    size_t length = verdict_word_size(text, size, at);
    bool joined = is_joint(text + at, length);
    if (joined)
        at = skip_joint(text, size, at, length);
    length = verdict_word_size(text, size, at);
    arrange_verdict other = verdict_of_word(text + at, length);
    bool is_offered = parted || joined;
    if (!is_offered || other == VERDICT_ABSTAIN || other == first)
        return false;
    size_t behind = skip_signs(text, size, at + length);
    return behind == size || !ascii_is_letter(text[behind]) ||
           is_joint(text + behind, verdict_word_size(text, size, behind));
}

/* "excellent good fair bad terrible": the scale, and not a step of it. */
static bool is_scale(const char *text,
                     size_t size,
                     size_t at,
                     arrange_verdict first)
{
    for (unsigned others = 0; others < 2; others++) {
        at = skip_signs(text, size, at);
        size_t length = verdict_word_size(text, size, at);
        arrange_verdict next = verdict_of_word(text + at, length);
        if (next == VERDICT_ABSTAIN || next == first)
            return false;
        at += length;
    }
    return true;
}

/* The steps of the same scale in other languages: a model that sees well may
 * still answer in its own. */
static const struct {
    const char *word;
    arrange_verdict verdict;
} others[] = {
    {"ausgezeichnet", VERDICT_EXCELLENT},
    {"hervorragend", VERDICT_EXCELLENT},
    {"exzellent", VERDICT_EXCELLENT},
    {"excelente", VERDICT_EXCELLENT},
    {"eccellente", VERDICT_EXCELLENT},
    {"ottimo", VERDICT_EXCELLENT},
    {"parfait", VERDICT_EXCELLENT},
    {"\u4f18\u79c0", VERDICT_EXCELLENT},
    {"\u512a\u79c0", VERDICT_EXCELLENT},
    {"\u6781\u597d", VERDICT_EXCELLENT},
    {"\u6781\u4f73", VERDICT_EXCELLENT},
    {"\u51fa\u8272", VERDICT_EXCELLENT},
    {"\u5353\u8d8a", VERDICT_EXCELLENT},
    {"\u7d20\u6674\u3089\u3057\u3044", VERDICT_EXCELLENT},
    {"\u512a\u308c\u3066\u3044\u308b", VERDICT_EXCELLENT},
    {"\u79c0\u9038", VERDICT_EXCELLENT},
    {"\u043e\u0442\u043b\u0438\u0447\u043d\u043e", VERDICT_EXCELLENT},
    {"\u043f\u0440\u0435\u0432\u043e\u0441\u0445\u043e\u0434\u043d\u043e",
     VERDICT_EXCELLENT},
    {"\u0432\u0456\u0434\u043c\u0456\u043d\u043d\u043e", VERDICT_EXCELLENT},
    {"\uc6b0\uc218", VERDICT_EXCELLENT},
    {"\ud0c1\uc6d4", VERDICT_EXCELLENT},
    {"\ud6cc\ub96d\ud568", VERDICT_EXCELLENT},
    {"\ud6cc\ub96d", VERDICT_EXCELLENT},
    {"m\u00fckemmel", VERDICT_EXCELLENT},
    {"doskona\u0142y", VERDICT_EXCELLENT},
    {"doskonale", VERDICT_EXCELLENT},
    {"\u015bwietny", VERDICT_EXCELLENT},
    {"uitstekend", VERDICT_EXCELLENT},
    {"utm\u00e4rkt", VERDICT_EXCELLENT},
    {"fremragende", VERDICT_EXCELLENT},
    {"v\u00fdborn\u00fd", VERDICT_EXCELLENT},
    {"excelent", VERDICT_EXCELLENT},
    {"kiv\u00e1l\u00f3", VERDICT_EXCELLENT},
    {"erinomainen", VERDICT_EXCELLENT},
    {"\u03b5\u03be\u03b1\u03b9\u03c1\u03b5\u03c4\u03b9\u03ba\u03cc",
     VERDICT_EXCELLENT},
    {"\u0645\u0645\u062a\u0627\u0632", VERDICT_EXCELLENT},
    {"\u0909\u0924\u094d\u0915\u0943\u0937\u094d\u091f", VERDICT_EXCELLENT},
    {"\u0e22\u0e2d\u0e14\u0e40\u0e22\u0e35\u0e48\u0e22\u0e21",
     VERDICT_EXCELLENT},
    {"xu\u1ea5t s\u1eafc", VERDICT_EXCELLENT},
    {"gut", VERDICT_GOOD},
    {"bueno", VERDICT_GOOD},
    {"bon", VERDICT_GOOD},
    {"bien", VERDICT_GOOD},
    {"bom", VERDICT_GOOD},
    {"bem", VERDICT_GOOD},
    {"buono", VERDICT_GOOD},
    {"bene", VERDICT_GOOD},
    {"\u826f\u597d", VERDICT_GOOD},
    {"\u826f\u3044", VERDICT_GOOD},
    {"\u826f", VERDICT_GOOD},
    {"\u597d", VERDICT_GOOD},
    {"\u0445\u043e\u0440\u043e\u0448\u043e", VERDICT_GOOD},
    {"\u0434\u043e\u0431\u0440\u0435", VERDICT_GOOD},
    {"\uc88b\uc74c", VERDICT_GOOD},
    {"\uc591\ud638", VERDICT_GOOD},
    {"iyi", VERDICT_GOOD},
    {"dobry", VERDICT_GOOD},
    {"dobrze", VERDICT_GOOD},
    {"goed", VERDICT_GOOD},
    {"bra", VERDICT_GOOD},
    {"god", VERDICT_GOOD},
    {"dobr\u00fd", VERDICT_GOOD},
    {"bun", VERDICT_GOOD},
    {"j\u00f3", VERDICT_GOOD},
    {"hyv\u00e4", VERDICT_GOOD},
    {"\u03ba\u03b1\u03bb\u03cc", VERDICT_GOOD},
    {"\u062c\u064a\u062f", VERDICT_GOOD},
    {"\u0905\u091a\u094d\u091b\u093e", VERDICT_GOOD},
    {"\u0e14\u0e35", VERDICT_GOOD},
    {"t\u1ed1t", VERDICT_GOOD},
    {"baik", VERDICT_GOOD},
    {"befriedigend", VERDICT_FAIR},
    {"mittelm\u00e4\u00dfig", VERDICT_FAIR},
    {"ausreichend", VERDICT_FAIR},
    {"regular", VERDICT_FAIR},
    {"passable", VERDICT_FAIR},
    {"discreto", VERDICT_FAIR},
    {"sufficiente", VERDICT_FAIR},
    {"\u4e00\u822c", VERDICT_FAIR},
    {"\u4e2d\u7b49", VERDICT_FAIR},
    {"\u5c1a\u53ef", VERDICT_FAIR},
    {"\u666e\u901a", VERDICT_FAIR},
    {"\u307e\u3042\u307e\u3042", VERDICT_FAIR},
    {"\u0443\u0434\u043e\u0432\u043b\u0435\u0442\u0432\u043e\u0440\u0438\u0442\u0435\u043b\u044c\u043d\u043e",
     VERDICT_FAIR},
    {"\u043f\u043e\u0441\u0440\u0435\u0434\u0441\u0442\u0432\u0435\u043d\u043d\u043e",
     VERDICT_FAIR},
    {"\u0437\u0430\u0434\u043e\u0432\u0456\u043b\u044c\u043d\u043e",
     VERDICT_FAIR},
    {"\ubcf4\ud1b5", VERDICT_FAIR},
    {"orta", VERDICT_FAIR},
    {"przeci\u0119tny", VERDICT_FAIR},
    {"dostateczny", VERDICT_FAIR},
    {"matig", VERDICT_FAIR},
    {"redelijk", VERDICT_FAIR},
    {"godk\u00e4nd", VERDICT_FAIR},
    {"pr\u016fm\u011brn\u00fd", VERDICT_FAIR},
    {"\u0645\u0642\u0628\u0648\u0644", VERDICT_FAIR},
    {"\u0920\u0940\u0915", VERDICT_FAIR},
    {"\u0e1e\u0e2d\u0e43\u0e0a\u0e49", VERDICT_FAIR},
    {"trung b\u00ecnh", VERDICT_FAIR},
    {"cukup", VERDICT_FAIR},
    {"schlecht", VERDICT_BAD},
    {"mangelhaft", VERDICT_BAD},
    {"malo", VERDICT_BAD},
    {"mauvais", VERDICT_BAD},
    {"ruim", VERDICT_BAD},
    {"mau", VERDICT_BAD},
    {"cattivo", VERDICT_BAD},
    {"scarso", VERDICT_BAD},
    {"\u5dee", VERDICT_BAD},
    {"\u8f83\u5dee", VERDICT_BAD},
    {"\u7cdf\u7cd5", VERDICT_BAD},
    {"\u60aa\u3044", VERDICT_BAD},
    {"\u043f\u043b\u043e\u0445\u043e", VERDICT_BAD},
    {"\u043f\u043e\u0433\u0430\u043d\u043e", VERDICT_BAD},
    {"\ub098\uc068", VERDICT_BAD},
    {"k\u00f6t\u00fc", VERDICT_BAD},
    {"z\u0142y", VERDICT_BAD},
    {"\u017ale", VERDICT_BAD},
    {"s\u0142aby", VERDICT_BAD},
    {"slecht", VERDICT_BAD},
    {"d\u00e5ligt", VERDICT_BAD},
    {"d\u00e5rlig", VERDICT_BAD},
    {"\u0161patn\u00fd", VERDICT_BAD},
    {"slab", VERDICT_BAD},
    {"rossz", VERDICT_BAD},
    {"huono", VERDICT_BAD},
    {"\u03ba\u03b1\u03ba\u03cc", VERDICT_BAD},
    {"\u0633\u064a\u0626", VERDICT_BAD},
    {"\u0916\u0930\u093e\u092c", VERDICT_BAD},
    {"\u0e41\u0e22\u0e48", VERDICT_BAD},
    {"k\u00e9m", VERDICT_BAD},
    {"buruk", VERDICT_BAD},
    {"schrecklich", VERDICT_TERRIBLE},
    {"furchtbar", VERDICT_TERRIBLE},
    {"katastrophal", VERDICT_TERRIBLE},
    {"p\u00e9simo", VERDICT_TERRIBLE},
    {"p\u00e9ssimo", VERDICT_TERRIBLE},
    {"pessimo", VERDICT_TERRIBLE},
    {"\u6781\u5dee", VERDICT_TERRIBLE},
    {"\u975e\u5e38\u5dee", VERDICT_TERRIBLE},
    {"\u7cdf\u900f\u4e86", VERDICT_TERRIBLE},
    {"\u6700\u60aa", VERDICT_TERRIBLE},
    {"\u0443\u0436\u0430\u0441\u043d\u043e", VERDICT_TERRIBLE},
    {"\u0436\u0430\u0445\u043b\u0438\u0432\u043e", VERDICT_TERRIBLE},
    {"\ub054\ucc0d\ud568", VERDICT_TERRIBLE},
    {"\ucd5c\uc545", VERDICT_TERRIBLE},
    {"berbat", VERDICT_TERRIBLE},
    {"okropny", VERDICT_TERRIBLE},
    {"fatalny", VERDICT_TERRIBLE},
    {"verschrikkelijk", VERDICT_TERRIBLE},
    {"fruktansv\u00e4rt", VERDICT_TERRIBLE},
    {"forf\u00e6rdelig", VERDICT_TERRIBLE},
    {"hrozn\u00fd", VERDICT_TERRIBLE},
    {"teribil", VERDICT_TERRIBLE},
    {"sz\u00f6rny\u0171", VERDICT_TERRIBLE},
    {"kamala", VERDICT_TERRIBLE},
    {"\u03b1\u03c0\u03b1\u03af\u03c3\u03b9\u03bf", VERDICT_TERRIBLE},
    {"\u0641\u0638\u064a\u0639", VERDICT_TERRIBLE},
    {"\u092d\u092f\u093e\u0928\u0915", VERDICT_TERRIBLE},
    {"t\u1ec7", VERDICT_TERRIBLE},
};

/* All of the text but signs is one of those words. */
static bool verdict_find_other(const char *text,
                               size_t size,
                               arrange_verdict *ret)
{
    static const char around[] = " \t\n*_`\"'<>.!#[](){}|,;";
    size = text_skip_back(text, 0, size, around);
    while (size > 0 && text_is_in(*text, around))
        text++, size--;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        bool same = strlen(others[i].word) == size &&
                    strncasecmp(text, others[i].word, size) == 0;
        if (!same)
            continue;
        *ret = others[i].verdict;
        return true;
    }
    return false;
}

/* "good... no, on second thought: excellent", "excellent but for the heading,
 * therefore good": another one is meant behind it. What goes on from the word,
 * as "no bad contact", says something else. */
static bool is_taken_back(const char *text,
                          size_t size,
                          size_t behind,
                          arrange_verdict found)
{
    static const char *const words[] = {
        "thought",   "correction", "corrected", "wait",    "revised",
        "changed",   "downgraded", "upgraded",  "lowered", "raised",
        "therefore", "hence",      "thus",      "so"};
    bool takes_back = false, is_denied = false;
    for (size_t at = behind; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        for (size_t i = 0; i < COUNT_OF(words); i++)
            takes_back =
                takes_back || (strlen(words[i]) == length &&
                               strncasecmp(text + at, words[i], length) == 0);
        arrange_verdict other = verdict_of_word(text + at, length);
        size_t next = skip_signs(text, size, at + length);
        bool is_last = next == size || !ascii_is_letter(text[next]);
        bool is_another =
            other != VERDICT_ABSTAIN && other != found && !is_denied;
        if (takes_back && is_another && is_last)
            return true;
        if (length)
            is_denied = is_denial(text + at, length);
        at += length ? length : 1;
    }
    return false;
}

/* Is the word that ends at `behind` asked, one of several, taken back, or so
 * only under a condition? */
static bool is_unsure(const char *text,
                      size_t size,
                      size_t behind,
                      arrange_verdict found)
{
    size_t at = skip_signs(text, size, behind);
    bool is_asked = at < size && text[at] == '?';
    bool depends = verdict_is_word(text, size, behind, "if") ||
                   verdict_is_word(text, size, behind, "unless");
    if (is_asked || depends || is_scale(text, size, behind, found))
        return true;
    return offers_more(text, size, behind, found) ||
           is_taken_back(text, size, behind, found);
}

/* "would be": it is not. */
static bool is_conditional(const char *text,
                           size_t size,
                           size_t at,
                           size_t length)
{
    bool would = length == 5 && (strncasecmp(text + at, "would", 5) == 0 ||
                                 strncasecmp(text + at, "could", 5) == 0);
    return would && verdict_is_word(text, size, at + length, "be");
}

/* Behind what is struck out at `at`; else `at`. */
static size_t skip_struck(const char *text, size_t size, size_t at)
{
    bool opens = size - at > 4 && strncmp(text + at, "~~", 2) == 0;
    const char *shut =
        opens ? memmem(text + at + 2, size - at - 2, "~~", 2) : NULL;
    return shut ? (size_t)(shut + 2 - text) : at;
}

/* In any case. */
static bool verdict_is_one(const char *word,
                           size_t size,
                           const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == size && strncasecmp(word, *words, size) == 0)
            return true;
    }
    return false;
}

/* "does not look good", "close to excellent", "worse than fair": words that
 * deny what follows in the same clause. */
static bool is_denied_in_clause(const char *text, size_t at)
{
    static const char *const words[] = {
        "doesn",  "don",    "didn",    "won",      "wouldn",   "fails",
        "failed", "lacks",  "below",   "opposite", "short",    "close",
        "near",   "than",   "missing", "beneath",  "anything", "nothing",
        "none",   "nobody", "no",      NULL};
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

/* The first of the words, where nothing denies it, doubts it or offers
 * another. */
static bool verdict_find_first(const char *text,
                               size_t size,
                               arrange_verdict *ret)
{
    for (size_t at = 0; at < size;) {
        at = skip_struck(text, size, at);
        size_t length = verdict_word_size(text, size, at);
        arrange_verdict found = verdict_of_word(text + at, length);
        if (found != VERDICT_ABSTAIN) {
            if (is_denied_in_clause(text, at) ||
                is_unsure(text, size, at + length, found))
                return false;
            *ret = found;
            return true;
        }
        if (is_denial(text + at, length) ||
            is_conditional(text, size, at, length))
            return false;
        at += length ? length : 1;
    }
    return false;
}

/* "[x] good": the one that is checked among several. False: none is, or more
 * than one. */
static bool verdict_find_checked(const char *text,
                                 size_t size,
                                 arrange_verdict *ret)
{
    enum {
        BOX = 3
    };
    unsigned count = 0;
    for (size_t at = 0; at + BOX < size; at++) {
        bool is_checked = text[at] == '[' && text_is_in(text[at + 1], "xXvV") &&
                          text[at + 2] == ']';
        size_t from = is_checked ? skip_signs(text, size, at + BOX) : 0;
        arrange_verdict found =
            is_checked ? verdict_of_word(text + from,
                                         verdict_word_size(text, size, from))
                       : VERDICT_ABSTAIN;
        if (found == VERDICT_ABSTAIN)
            continue;
        *ret = found;
        count++;
    }
    return count == 1;
}

/* Then it is a list of boxes, of which one is checked. */
static bool has_open_box(const char *text, size_t size)
{
    static const char box[] = "[ ]";
    return memmem(text, size, box, sizeof box - 1) != NULL;
}

/* Which mark follows a word: 1 one that ticks it, -1 one that crosses it out, 0
 * none. */
static int verdict_mark_behind(const char *text, size_t size, size_t at)
{
    static const struct {
        const char *sign;
        int means;
    } marks[] = {{"\u2713", 1},  {"\u2714", 1},  {"\u2705", 1},
                 {"\u2611", 1},  {"\u2717", -1}, {"\u2718", -1},
                 {"\u274c", -1}, {"\u2612", -1}, {"\u2610", -1}};
    at = skip_signs(text, size, at);
    while (at < size && text_is_in(text[at], ":(="))
        at = skip_signs(text, size, at + 1);
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t length = strlen(marks[i].sign);
        if (at + length <= size &&
            memcmp(text + at, marks[i].sign, length) == 0)
            return marks[i].means;
    }
    return 0;
}

/* "bad \u2717, good \u2713": the one that is ticked among those that are not.
 * *ret_is: they are marked so. False: none is ticked, or several. */
static bool verdict_find_ticked(const char *text,
                                size_t size,
                                bool *ret_is,
                                arrange_verdict *ret)
{
    unsigned ticked = 0, crossed = 0;
    for (size_t at = 0; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        arrange_verdict found = verdict_of_word(text + at, length);
        int mark = found == VERDICT_ABSTAIN
                       ? 0
                       : verdict_mark_behind(text, size, at + length);
        ticked += mark > 0;
        crossed += mark < 0;
        if (mark > 0)
            *ret = found;
        at += length ? length : 1;
    }
    *ret_is = crossed > 0;
    return crossed > 0 && ticked == 1;
}

/* What may stand between a sign, or a word of these, and the verdict that all
 * before it comes to. */
static bool is_concluding(const char *word, size_t size)
{
    static const char *const words[] = {
        "so",         "therefore", "thus",    "hence", "just",     "only",
        "merely",     "it",        "is",      "s",     "overall",  "to",
        "downgraded", "its",       "rather",  "i",     "revised",  "say",
        "final",      "the",       "verdict", "call",  "changed",  "lowered",
        "d",          "raised",    "still",   "then",  "upgraded", "a",
        "simply",     "instead"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* Does nothing but words that conclude stand between a sign and `at`? ":" needs
 * none. */
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

/* "no collision, excellent": the only verdict, in a clause of its own, and on
 * no condition. */
static bool is_only_clause(const char *text, size_t at)
{
    static const char *const conditions[] = {
        "if", "would", "could", "were", "unless", "until", "when", "but", NULL};
    size_t from = text_skip_back(text, 0, at, " *_`\"'");
    if (from == 0 || !text_is_in(text[from - 1], ",;."))
        return false;
    for (size_t i = 0; i < from;) {
        size_t length = verdict_word_size(text, from, i);
        bool is_verdict = verdict_of_word(text + i, length) != VERDICT_ABSTAIN;
        if (is_verdict ||
            (length && verdict_is_one(text + i, length, conditions)))
            return false;
        i += length ? length : 1;
    }
    return true;
}

/* "good... no, on second thought: ..": whoever thinks aloud may not be at the
 * end of it. */
static bool verdict_hesitates(const char *text, size_t size)
{
    static const char *const words[] = {"thought", "wait", "hmm", "maybe",
                                        "perhaps"};
    for (size_t at = 0; at < size;) {
        size_t length = verdict_word_size(text, size, at);
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            if (strlen(words[i]) == length &&
                strncasecmp(text + at, words[i], length) == 0)
                return true;
        }
        at += length ? length : 1;
    }
    return false;
}

/* "not terrible; it is fair", "almost excellent: good": what is said last,
 * where all before it leads to that. */
static bool verdict_find_last(const char *text,
                              size_t size,
                              arrange_verdict *ret)
{
    static const char as_it_is[] = "as it is,";
    enum {
        AS_IT_IS = sizeof as_it_is - 1
    };
    size = text_skip_back(text, 0, size, " \t\n*_`\"'.!)");
    size_t at = size;
    while (at > 0 && ascii_is_letter(text[at - 1]))
        at--;
    arrange_verdict found = verdict_of_word(text + at, size - at);
    if (verdict_hesitates(text, at))
        return false;
    size_t lead = text_skip_back(text, 0, at, " *_`");
    bool stands = lead > AS_IT_IS &&
                  strncasecmp(text + lead - AS_IT_IS, as_it_is, AS_IT_IS) == 0;
    if (found == VERDICT_ABSTAIN)
        return false;
    if (!stands && !concludes(text, at) && !is_only_clause(text, at))
        return false;
    *ret = found;
    return true;
}

/* What a value says: checked boxes first, then ticks, other languages, the
 * first word that nothing qualifies, the last that everything leads to. False:
 * it says none, or not clearly; the caller asks again rather than guess. */
bool verdict_find(const char *text, size_t size, arrange_verdict *ret)
{
    bool is_marked = false;
    if (has_open_box(text, size))
        return verdict_find_checked(text, size, ret);
    arrange_verdict ticked = VERDICT_ABSTAIN;
    bool is_ticked = verdict_find_ticked(text, size, &is_marked, &ticked);
    if (is_ticked)
        *ret = ticked;
    if (is_marked)
        return is_ticked;
    return verdict_find_other(text, size, ret) ||
           verdict_find_first(text, size, ret) ||
           verdict_find_last(text, size, ret);
}

/* One word of the scale and nothing else but signs, for lines without a
 * label. */
bool verdict_alone(const char *text, size_t size, arrange_verdict *ret)
{
    static const char around[] = " \t\n*_`\"'<>.!#[](){}$-";
    static const char box[] = "\\boxed";
    while (size > 0 && text_is_in(*text, " \t$"))
        text++, size--;
    bool is_boxed =
        size > sizeof box && strncmp(text, box, sizeof box - 1) == 0;
    if (is_boxed)
        text += sizeof box - 1, size -= sizeof box - 1;
    size = text_skip_back(text, 0, size, around);
    size_t from = text_skip(text, 0, size, around);
    arrange_verdict found = verdict_of_word(text + from, size - from);
    if (found == VERDICT_ABSTAIN)
        return false;
    *ret = found;
    return true;
}
