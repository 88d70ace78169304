/* What a text asks of before it says it. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_TOPICS_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_TOPICS_H

#include "worker/builtin/language/sentence.h"

/* "The torch? On the shelf, please.": the mark behind a thing alone becomes a
 * colon where a place follows. */
void topics_join(sentence_token *tokens,
                 uint32_t count,
                 const sentence_vocabulary *vocabulary);

#endif
