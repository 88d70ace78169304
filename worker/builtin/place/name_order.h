/* Names that begin with what the thing is. Kits of models and many who draw by
 * themselves write "chairDesk", "lampSquareFloor" and "Carpet_Round"; people
 * say desk chair, floor lamp and round carpet, and so do dictionaries. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_NAME_ORDER_H
#define ETNA_WORKER_BUILTIN_PLACE_NAME_ORDER_H

#include "worker/builtin/builtin.h"

/* Puts the words of such names, behind the shared ones, into the order in which
 * people say them. An adjective at the end comes first where what is before it
 * is known and the whole is not. The first noun comes last where nothing else
 * is known; where both orders could be meant ("shelf_book") it does so only if
 * another name of the file begins with what its thing is, or where that is the
 * habit of the file: "Backpack_School" beside Pillow_Bed_White and three more
 * such names. The names themselves stay. ETNA_E_NOMEM. */
etna_code builtin_names_order(builtin_object *objects,
                              uint32_t count,
                              etna_arena *arena,
                              etna_error *err);

#endif
