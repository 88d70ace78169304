/* Do the moves of a text agree with one another, and with how the scene stands?
 * Each form reads its own words: what two of them say of one thing, and what a
 * place says of where its things stand, only the whole shows. */
#ifndef ETNA_WORKER_BUILTIN_READ_AGREE_H
#define ETNA_WORKER_BUILTIN_READ_AGREE_H

#include "worker/builtin/read/reader.h"

/* One thing is asked onto two others, or beside what stands elsewhere than on
 * what it is to stand on: ETNA_E_INPUT. What only told where a thing stands
 * that is asked elsewhere is dropped. */
etna_code moves_agree(reader *r);

#endif
