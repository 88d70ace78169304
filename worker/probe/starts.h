/* What is kept of maps (cells.h): the bare map of a plane, and the starts of
 * each object over it. Both depend on where the plane is and where the object
 * stands, and on nothing else of the scene, so that after an edit a map is laid
 * anew only by what was moved. They are found by a hash of all they depend on;
 * what is unused for longest goes. */
#ifndef ETNA_WORKER_PROBE_STARTS_H
#define ETNA_WORKER_PROBE_STARTS_H

#include "worker/probe/cells.h"
#include "worker/probe/probe_internal.h"

typedef struct starts_table starts_table;          /* thread-safe */
starts_table *starts_table_new(size_t bytes_most); /* NULL: out of memory */
/* NULL is fine; nobody holds any */
void starts_table_free(starts_table *table);
/* What it holds now, about. */
size_t starts_table_bytes(starts_table *table);
starts_table *probe_starts(const probe_shared *shared);

typedef struct starts_place { /* whose map it is; all borrowed */
    const space *space;
    const probe_plane *plane;
    const cells_map *map;
} starts_place;

typedef struct starts starts;
/* round all cells with a start */
const cells_window *starts_window(const starts *s);
/* of the window's columns, from its first */
const float *starts_row(const starts *s, uint32_t row);

/* The starts of an object: kept, or laid now within `window` where on[cell] is
 * not 0. `on` is what the place's bare map is, `scratch` is of the map. Held
 * until starts_release. ETNA_E_NOMEM. */
etna_code starts_of(starts_table *table,
                    const starts_place *at,
                    uint32_t object,
                    const cells_window *window,
                    const uint8_t *on,
                    const cells_scratch *scratch,
                    starts **ret,
                    etna_error *err);
/* Once for each starts_of; NULL is fine. */
void starts_release(starts_table *table, starts *s);

/* The bare map, a byte a cell: false when it is not kept; kept from now on.
 * ETNA_E_NOMEM. */
bool starts_recall_bare(starts_table *table,
                        const starts_place *at,
                        uint8_t *ret_on);
/* Copies `on`, a byte a cell. */
etna_code starts_keep_bare(starts_table *table,
                           const starts_place *at,
                           const uint8_t *on,
                           etna_error *err);

#endif
