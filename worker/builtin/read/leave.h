/* What of a text is left out, and what may be (leave.c). Nobody outside the
 * reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_LEAVE_H
#define ETNA_WORKER_BUILTIN_READ_LEAVE_H

#include "worker/builtin/read/trait.h"

enum {
    LEFT_MOST = 8
}; /* wishes of one text that are found to be left out */

/* Cuts r->reading->left out of the parts. ETNA_E_NOMEM. */
etna_code leave_out(reader *r, sentence *s);
/* Before a part behind a gap: nothing of what was said before it is remembered,
 * but what must come to an end. */
void leave_forget(reader *r);
/* Does a stretch that has no tree begin as a wish of its own, which bounds
 * nothing that is asked elsewhere? */
bool leave_is_wish(const sentence *s, const sentence_part *stretch);
/* After a refusal: may its clause be left out, because the rest can be read
 * without it, at least in part? Then the refusal's part says so.
 * ETNA_E_NOMEM. */
etna_code leave_find_part(reader *r);

#endif
