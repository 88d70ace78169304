/* See layouts.h. */
#include "tests/unit/worker/furnish/layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

layout_thing layouts_thing(habits_footing footing,
                           double wide,
                           double high,
                           double deep)
{
    return (layout_thing){.footing = footing,
                          .told = true,
                          .count = 1,
                          .model_count = 1,
                          .models = {{.size = {wide, high, deep}}}};
}

layout_plan *layouts_place(layouts_method *method,
                           const layout_room *room,
                           const layout_thing *things,
                           uint32_t count)
{
    etna_error err = {0};
    layout_plan *plan = calloc(1, sizeof *plan);
    assert_non_null(plan);
    if (method(room, things, count, 1, plan, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return plan;
}
