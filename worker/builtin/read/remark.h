/* What is said around a wish (remark.c). Nobody outside the reader includes
 * this. */
#ifndef ETNA_WORKER_BUILTIN_READ_REMARK_H
#define ETNA_WORKER_BUILTIN_READ_REMARK_H

#include "worker/builtin/read/reader.h"

/* An aside that the grammar found: a remark, and what it speaks of is what "it"
 * means next. */
etna_code aside_read(reader *r, const chart_node *aside);
/* Reads r->part, which is not read as a whole, without the stretches at its
 * ends that tell how things are. *ret false: there are none, or the rest is not
 * read either; the reader is as it was. `beside`: another part may ask for
 * something, so that this one need not. ETNA_E_NOMEM. */
etna_code remark_read_around(reader *r,
                             const sentence_vocabulary *vocabulary,
                             bool beside,
                             bool *ret);
/* The same of a part that asks for nothing as it was read: behind "I would
 * suggest that" it may. *ret false: it does not; the reader is as it was. */
etna_code remark_read_frame(reader *r,
                            const sentence_vocabulary *vocabulary,
                            bool *ret);

#endif
