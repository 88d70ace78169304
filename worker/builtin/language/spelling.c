/* Optimal string alignment with three rows. */
#include "worker/builtin/language/kinds.h"

#include <string.h>

enum {
    COLUMNS = KINDS_WORD_SIZE * 2
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static size_t length_bounded(const char *text)
{
    size_t length = 0;
    while (length < COLUMNS && text[length])
        length++;
    return length;
}

/* Insertions, deletions, changes and swaps of neighbours, up to
 * KINDS_SPELLING_FAR; more is not told apart. Three rows are enough: a swap
 * looks two back. */
uint32_t kinds_spelling_distance(const char *a, const char *b)
{
    size_t rows = length_bounded(a);
    size_t columns = length_bounded(b);
    size_t apart = rows > columns ? rows - columns : columns - rows;
    if (rows == COLUMNS || columns == COLUMNS || apart >= KINDS_SPELLING_FAR)
        return KINDS_SPELLING_FAR;
    uint32_t table[3][COLUMNS];
    for (size_t k = 0; k <= columns; k++)
        table[0][k] = (uint32_t)k;
    for (size_t i = 1; i <= rows; i++) {
        uint32_t *row = table[i % 3];
        const uint32_t *before = table[(i + 2) % 3];
        const uint32_t *twice_before = table[(i + 1) % 3];
        uint32_t best = row[0] = (uint32_t)i;
        for (size_t k = 1; k <= columns; k++) {
            bool is_same = a[i - 1] == b[k - 1];
            row[k] = least(before[k - 1] + !is_same,
                           least(before[k], row[k - 1]) + 1);
            const bool has_two = i > 1 && k > 1;
            if (has_two && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], twice_before[k - 2] + 1);
            best = least(best, row[k]);
        }
        /* A swap can undo one step of this row at most. */
        if (best > KINDS_SPELLING_FAR)
            return KINDS_SPELLING_FAR;
    }
    return least(table[rows % 3][columns], KINDS_SPELLING_FAR);
}
