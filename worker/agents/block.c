/* See block.h. */
#include "worker/agents/block.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

unsigned block_count(const char *text, const char *mark, const char **ret_last)
{
    unsigned count = 0;
    const char *last = NULL;
    for (const char *at = strstr(text, mark); at; at = strstr(at + strlen(mark), mark)) {
        last = at;
        count++;
    }
    if (ret_last) *ret_last = last;
    return count;
}

etna_code block_find(const char *text, const char *open, const char *close, block *ret, etna_error *err)
{
    const char *start = NULL, *end = NULL;
    unsigned opened = block_count(text, open, &start), closed = block_count(text, close, &end);
    if (opened == 0) return etna_fail(err, ETNA_E_INPUT, "there is no %s block", open);
    if (opened > 1) return etna_fail(err, ETNA_E_INPUT, "there are %u %s blocks; give exactly one", opened, open);
    if (closed == 0) return etna_fail(err, ETNA_E_INPUT, "the %s block is cut off: %s is missing", open, close);
    if (closed > 1) return etna_fail(err, ETNA_E_INPUT, "%s stands %u times; end the block once", close, closed);
    start += strlen(open);
    if (end < start) return etna_fail(err, ETNA_E_INPUT, "%s stands before %s", close, open);
    *ret = (block){.text = start, .size = (size_t)(end - start)};
    return ETNA_OK;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool block_has_word(const block *b, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= b->size; i++) {
        if (strncasecmp(b->text + i, word, length) != 0) continue;
        bool before = i > 0 && is_letter(b->text[i - 1]),
             after = i + length < b->size && is_letter(b->text[i + length]);
        if (!before && !after) return true;
    }
    return false;
}

bool block_number(const char **at, const char *end, double *ret)
{
    char digits[40];
    size_t used = 0;
    bool seen = false, dot = false;
    const char *p = *at;
    if (p < end && (*p == '-' || *p == '+')) digits[used++] = *p++;
    for (; p < end && (is_digit(*p) || (*p == '.' && !dot)); p++) {
        if (*p == '.')
            dot = true;
        else
            seen = true;
        if (used + 1 < sizeof digits)
            digits[used++] = *p;
        else if (!dot)
            return false; /* forty digits before the point are no coordinate */
    }
    if (!seen || (p < end && is_letter(*p))) return false;
    digits[used] = 0;
    *ret = strtod(digits, NULL);
    *at = p;
    return true;
}
