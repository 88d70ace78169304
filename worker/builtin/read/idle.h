/* What asks for nothing, whatever its words (idle.c). Nobody outside the reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_IDLE_H
#define ETNA_WORKER_BUILTIN_READ_IDLE_H

#include "worker/builtin/read/reader.h"

/* Does the word call a thing of the scene? */
etna_code word_names_thing(reader *r, const char *word, bool *ret);
/* Does the word say where something is, how it is turned, in which order, how far: might it bound a
 * move? */
bool word_bears(const char *word);

/* Do the text's tokens [first, end) tell of nothing that is here, and bound no move? `heads`: they
 * stand before all that is asked and are cut off from it, so that they need not be a sentence. */
etna_code stretch_is_idle(reader *r, uint32_t first, uint32_t end, bool heads, bool *ret);

/* Do they open a wish, and hold nothing of it: "I should be ever so grateful if", "would you have
 * the kindness to"? */
etna_code stretch_is_frame(reader *r, uint32_t first, uint32_t end, bool *ret);

#endif
