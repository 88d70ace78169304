/* Texts of any language as the terms that are indexed and searched. A word is
 * folded first: lower case, without accents, so that "Fåtölj" and "fatolj" are
 * one. English words are then taken to their base form. All output is plain
 * bytes without blanks. Pure; what is not UTF-8 is skipped. */
#ifndef ETNA_WORKER_ASSETS_TEXT_H
#define ETNA_WORKER_ASSETS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes of a word with its zero; a longer one is cut */
enum {
    TEXT_WORD_SIZE = 40
};

/* Takes the next word of *at, which is moved behind it: letters and digits, "'"
 * within. Of Chinese and Japanese each pair of neighbours is a word, and a
 * character alone where it has no neighbour. False at the end. */
bool text_next(const char **at, char ret[TEXT_WORD_SIZE]);
/* The same with words parted where a small letter meets a capital and where
 * letters meet digits: "BalconyTable_01". */
bool text_next_part(const char **at, char ret[TEXT_WORD_SIZE]);

/* All words of a text as one term of a language, "fr=table en verre"; cut at
 * `size`. */
void text_whole(const char *language, const char *text, char *ret, size_t size);

/* The base form of a folded English word, as it is indexed: "chairs" is
 * "chair", "folding" is "fold". */
void text_stem(char word[TEXT_WORD_SIZE]);
/* A word that says nothing of a thing: "the", "with", "something". Folded, not
 * stemmed. */
bool text_is_stop(const char *word);

#endif
