/* How many elements an array has that is written out, and whether a word or a
 * number is one of some. */
#ifndef ETNA_PROTO_ARRAY_H
#define ETNA_PROTO_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of an array; of a pointer it is wrong without a word. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Is it one of these, byte for byte? */
static inline bool word_is_of(const char *word,
                              const char *const *words,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* most differ in their first byte already */
        if (words[i][0] == word[0] && strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}
#define WORD_IS_OF(word, words) word_is_of(word, words, COUNT_OF(words))

/* Looks through all of them. */
static inline bool number_is_of(uint32_t number,
                                const uint32_t *numbers,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] == number)
            return true;
    }
    return false;
}

#endif
