/* Names that whoever drew the scene misspelt: "Coffe", "toster". */
#ifndef ETNA_WORKER_BUILTIN_PLACE_NAME_MEND_H
#define ETNA_WORKER_BUILTIN_PLACE_NAME_MEND_H

#include "worker/builtin/builtin.h"

/* Gives a thing whose name has one word beside numbers, of six letters at
 * least and of no known meaning, the word for a thing that it becomes with one
 * letter more, one less or two swapped, where there is only one such word. A
 * letter for another would make too much of other languages ("Plano"). Files
 * with many such names are another language or a program's; theirs stay.
 * ETNA_E_NOMEM. */
etna_code builtin_names_mend(builtin_object *objects,
                             uint32_t count,
                             etna_arena *arena,
                             etna_error *err);

#endif
