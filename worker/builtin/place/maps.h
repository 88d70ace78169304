/* The maps of free cells in the facts' text. They are nearly all of its bytes,
 * and a reader of JSON looks at each of them several times. So they are cut out
 * before it reads the rest, and are read for what they are. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_MAPS_H
#define ETNA_WORKER_BUILTIN_PLACE_MAPS_H

#include "worker/builtin/builtin.h"

/* ["0aff","ffff"]: rows of one length, no space between */
typedef struct map_text {
    const char *first; /* its first quote, in the facts' own text */
    uint32_t rows, digits;
} map_text;

typedef struct cut_facts {
    const char *json; /* the text with the number of its map in place of each */
    size_t size;
    uint32_t map_count;
    const map_text *maps;
} cut_facts;

/* Where a map is written in any other way it stays in the text.
 * ETNA_E_NOMEM. */
etna_code maps_cut(const char *json,
                   size_t size,
                   etna_arena *arena,
                   cut_facts *ret,
                   etna_error *err);
/* Two hexadecimal digits a cell; false: there is something else. */
bool maps_read(const map_text *map, uint8_t *ret);

#endif
