/* The labels of a list within a text. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_LABELS_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_LABELS_H

#include "worker/builtin/language/sentence.h"

/* "1) the cup ... 2) the jug ...", "(a) ..., (b) ...": each label becomes a full
 * stop, the first one nothing. What counts on from one or from "a" and has two
 * labels at least is a list; all else stays as it is. Returns how many tokens
 * there are then. */
uint32_t labels_cut(sentence_token *tokens, uint32_t count);

#endif
