/* The verdict of an answer: <finished>, <impossible> or <unreadable>, as a
 * mark, a line, a status or a member of an object. */
#include "proto/array.h"
#include "worker/agents/plan_internal.h"

#include "proto/ascii.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    arrange_plan_status status;
} verdicts[] = {{BLOCK_FINISHED, PLAN_FINISHED},
                {BLOCK_IMPOSSIBLE, PLAN_IMPOSSIBLE},
                {BLOCK_UNREADABLE, PLAN_UNREADABLE}};
enum {
    VERDICTS = COUNT_OF(verdicts)
};

bool plan_is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!text_is_in(text[i], " \t\r\n"))
            return false;
    }
    return true;
}

/* "It is not <finished>", "until it is <finished>": said of what is not so. */
static bool is_denied(const plain *p, size_t mark)
{
    static const char *const words[] = {"not",    "never",  "cannot", "until",
                                        "before", "unless", "if",     "when",
                                        "would",  "isn't",  "no"};
    size_t start = mark;
    while (start > 0 && !text_is_in(p->text[start - 1], "\n.;!?"))
        start--;
    block line = {.text = p->text + start, .size = mark - start};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (block_has_word(&line, words[i]))
            return true;
    }
    return false;
}

/* Verdicts in the part that ends before `to`; `alone` as of block_word. */
static void find_verdicts(
    const plain *p, size_t from, size_t to, bool alone, verdict_search *ret)
{
    plain part = plain_part(p, from, to);
    for (int i = 0; i < VERDICTS; i++) {
        size_t at = 0;
        if (!block_word(&part, verdicts[i].name, 0, alone, &at) ||
            is_denied(p, from + at))
            continue;
        bool again = ret->count > 0 && ret->status == verdicts[i].status;
        if (!again)
            ret->count++;
        ret->at = from + at;
        ret->status = verdicts[i].status;
    }
}

/* Which verdict the word is; VERDICTS: none. */
static int verdict_named(const char *word, size_t size)
{
    int i = 0;
    while (i < VERDICTS && !(strlen(verdicts[i].name) == size &&
                             strncasecmp(word, verdicts[i].name, size) == 0))
        i++;
    return i;
}

/* "Status: finished", {"status": "finished"}: words that only say what is
 * told. */
static bool is_status_word(const char *word, size_t size)
{
    static const char *const words[] = {
        "status", "state", "verdict", "answer", "decision", "result", "final"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* The verdict that the line [from, to) is, alone or as a status; VERDICTS:
 * none. */
static int line_verdict(const plain *p, size_t from, size_t to)
{
    int found = VERDICTS;
    for (size_t i = from; i < to; i++) {
        size_t size = 0;
        while (i + size < to && ascii_is_letter(p->text[i + size]))
            size++;
        bool is_other = text_is_in(p->text[i], "0123456789?") ||
                        (unsigned char)p->text[i] >= 0x80;
        if (size == 0 && is_other)
            return VERDICTS;
        if (size == 0 || is_status_word(p->text + i, size)) {
            i += size ? size - 1 : 0;
            continue;
        }
        int named = verdict_named(p->text + i, size);
        if (named == VERDICTS || found < VERDICTS)
            return VERDICTS;
        found = named;
        i += size - 1;
    }
    return found;
}

/* What may stand behind a line's last word, but for a question. */
static bool is_closing_sign(char c)
{
    bool is_plain = (unsigned char)c < 0x80;
    return is_plain && !ascii_is_letter(c) && c != '?';
}

/* How long the pictograph is that ends before `end`; 0: none does. */
static size_t emoji_size(const plain *p, size_t end)
{
    static const char *const leads[] = {"\xf0\x9f", "\xe2\x98", "\xe2\x99",
                                        "\xe2\x9a", "\xe2\x9b", "\xe2\x9c",
                                        "\xe2\x9d", "\xe2\x9e"};
    for (size_t i = 0; i < COUNT_OF(leads); i++) {
        size_t size = i == 0 ? 4 : 3;
        if (end >= size && memcmp(p->text + end - size, leads[i], 2) == 0)
            return size;
    }
    return 0;
}

/* Where the line's last sentence ends, without signs and pictures behind it. */
static size_t line_words_end(const plain *p, size_t end)
{
    for (size_t before = end + 1; end < before;) {
        before = end;
        while (end > 0 && is_closing_sign(p->text[end - 1]))
            end--;
        end -= emoji_size(p, end);
    }
    return end;
}

/* The word without its mark as a line before `end` that has words, or as its
 * last sentence. Returns where the line begins. */
static size_t find_line_before(const plain *p, size_t end, verdict_search *ret)
{
    end = line_words_end(p, end);
    size_t start = text_line_begin(p->text, end);
    size_t sentence = end;
    while (sentence > start && !text_is_in(p->text[sentence - 1], ".!"))
        sentence--;
    int found = line_verdict(p, start, end);
    if (found == VERDICTS && sentence > start)
        found = line_verdict(p, sentence, end);
    if (found < VERDICTS)
        *ret = (verdict_search){
            .count = 1, .at = start, .status = verdicts[found].status};
    return start;
}

/* In one of the last lines: a courtesy may follow. */
static void find_last_lines(const plain *p, verdict_search *ret)
{
    enum {
        LINES_MAX = 2
    };
    size_t end = p->size;
    for (int i = 0; i < LINES_MAX && end > 0 && !ret->count; i++)
        end = find_line_before(p, end, ret);
}

bool plan_verdict_is_foretold(const plain *p, size_t mark)
{
    static const char *const words[] = {"will", "after", "then", "once",
                                        "afterwards"};
    size_t start = mark;
    while (start > 0 && !text_is_in(p->text[start - 1], "\n.;!?"))
        start--;
    const block line = {.text = p->text + start, .size = mark - start};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (block_has_word(&line, words[i]))
            return true;
    }
    return false;
}

/* An instruction that is a verdict's mark and nothing else. */
static bool is_verdict(const plain *p, const block *instruction)
{
    enum {
        SIGNS = 8
    };
    plain inner = plain_part(p, instruction->from, instruction->to);
    for (int i = 0; i < VERDICTS; i++) {
        size_t at = 0;
        bool there = block_word(&inner, verdicts[i].name, 0, true, &at) &&
                     plan_is_blank(inner.text, at);
        if (there && inner.size - at <= strlen(verdicts[i].name) + SIGNS)
            return true;
    }
    return false;
}

verdict_search plan_find_verdict(const plain *p, const plan_draft *d)
{
    verdict_search found = {.count = 0};
    if (d->there) {
        find_verdicts(p, 0, d->instruction.begin, true, &found);
        find_verdicts(p, d->instruction.behind, p->size, true, &found);
        if (!found.count && is_verdict(p, &d->instruction))
            found = (verdict_search){.count = 1, .at = d->instruction.begin};
    } else {
        find_verdicts(p, 0, p->size, true, &found);
        if (!found.count)
            find_verdicts(p, 0, p->size, false, &found);
        if (!found.count)
            find_last_lines(p, &found);
    }
    return found;
}

bool plan_verdict_fills(const plain *p,
                        const plan_draft *d,
                        verdict_search *verdict)
{
    block coordinate;
    verdict_search within = {.count = 0};
    bool has_place =
        block_find(p, BLOCK_COORDINATE, &coordinate, NULL) == ETNA_OK &&
        !plan_says_nothing(p, &coordinate);
    if (has_place || !is_verdict(p, &d->instruction))
        return false;
    find_verdicts(p, d->instruction.from, d->instruction.to, true, &within);
    if (within.count != 1)
        return false;
    *verdict = (verdict_search){
        .count = 1, .at = d->instruction.begin, .status = within.status};
    return true;
}

json_t *plan_find_verdict_object(const plain *p, arrange_plan_status *ret)
{
    static const char *const keys[] = {"status", "verdict", "state", "decision",
                                       "result", "action",  "name"};
    for (int i = 0; i < VERDICTS; i++) {
        json_t *object = loose_find(p->text, p->size, verdicts[i].name);
        *ret = verdicts[i].status;
        if (json_is_true(loose_member(object, verdicts[i].name)))
            return object;
        json_decref(object);
    }
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        json_t *object = loose_find(p->text, p->size, keys[k]);
        const char *said = json_string_value(loose_member(object, keys[k]));
        int named = said ? verdict_named(said, strlen(said)) : VERDICTS;
        if (named < VERDICTS) {
            *ret = verdicts[named].status;
            return object;
        }
        json_decref(object);
    }
    return NULL;
}
