/* Assets made up in code, for tests of the index and of what is found in it. */
#ifndef ETNA_TESTS_ASSETS_MADE_H
#define ETNA_TESTS_ASSETS_MADE_H

#include "worker/assets/find.h"

/* One of that name and size; its hash is made of `number`. */
asset made_asset(uint32_t number,
                 const char *name,
                 double width,
                 double height,
                 double depth);
/* A dozen things of a flat: chairs, tables, a lamp, a sofa, a bookcase, a
 * kettle, a microwave, a tree. */
enum {
    MADE_COUNT = 13
};
extern asset made_flat[MADE_COUNT];
void made_flat_fill(void);

/* Into the order that an index takes: of their hashes. */
void made_sort(asset *assets, uint32_t count);

/* An index of them, which the caller frees, and a view of it. Fails the test
 * where it cannot be made. */
uint8_t *made_index(asset *assets,
                    uint32_t count,
                    size_t *ret_size,
                    index_view *ret);

#endif
