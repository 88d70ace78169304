/* What is passed over (passed.c). Nobody outside the reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_PASSED_H
#define ETNA_WORKER_BUILTIN_READ_PASSED_H

#include "worker/builtin/read/reader.h"

/* Does the thing stand where the words [first, end) of the text say? *ret_so
 * true as well where they say no place that could be asked of it. */
etna_code passed_is_so(reader *r,
                       const sentence_part *words,
                       uint32_t object,
                       bool *ret_so);
/* Checks that the text's tokens [w->first, w->end) may be passed over because
 * they ask for nothing. ETNA_E_INPUT: they name a thing and a place for it, and
 * nothing shows that they merely tell where it is; ETNA_E_NOMEM. Where they deny
 * that a thing stands somewhere, the reader notes it: a later clause must move
 * that thing. */
etna_code passed_check(reader *r, const sentence_part *w);
/* Is each complaint of how far or how high a thing is, of the text's remarks from
 * `first` on, one about what something is asked of or by? Refuses where it is
 * not: ETNA_E_INPUT, ETNA_E_NOMEM. */
etna_code passed_check_complaints(reader *r, uint32_t first);
/* Does it say how something stands, as "is next", "is upside down" and "is
 * centred" do, and that it is not as it should be no more than that? */
bool passed_arranges(const sentence *s, const sentence_part *w);

#endif
