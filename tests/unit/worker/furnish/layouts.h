/* Things to lay out, and plans of them, for the tests of layouts. */
#ifndef ETNA_TESTS_UNIT_FURNISH_LAYOUTS_H
#define ETNA_TESTS_UNIT_FURNISH_LAYOUTS_H

#include "worker/furnish/layout.h"

/* One told thing of one model, as large as that; metres. */
layout_thing layouts_thing(habits_footing footing,
                           double wide,
                           double high,
                           double deep);

/* layout_search() or layout_as_published(). */
typedef etna_code layouts_method(const layout_room *room,
                                 const layout_thing *things,
                                 uint32_t count,
                                 uint64_t seed,
                                 layout_plan *ret,
                                 etna_error *err);
/* The plan of seed 1, which the caller frees; fails the test where there is
 * none. */
layout_plan *layouts_place(layouts_method *method,
                           const layout_room *room,
                           const layout_thing *things,
                           uint32_t count);

#endif
