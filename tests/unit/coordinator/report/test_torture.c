/* Memory that runs out while a run is told: the document is whole or there is
 * none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/json_memory.h"
#include "coordinator/report/run_json.h"
#include "tests/support/torture.h"

#include <stdlib.h>
#include <string.h>

typedef struct telling {
    core_run_view view;
    char *whole; /* what is told where memory suffices */
} telling;

static char *tell(const core_run_view *view)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err;
    if (run_json_report(NULL, view, &data, &size, &err)) {
        assert_int_equal(err.code, ETNA_E_NOMEM);
        return NULL;
    }
    return (char *)data;
}

static bool tell_once(void *context)
{
    const telling *t = context;
    char *told = tell(&t->view);
    const bool is_told = told != NULL;
    if (told && t->whole)
        assert_string_equal(told, t->whole);
    free(told);
    return is_told;
}

static void a_document_is_whole_or_none(void **state)
{
    (void)state;
    arrange_config config = arrange_config_default();
    arrange_edit edits[2] = {{.step = 1,
                              .instruction = "first",
                              .object = "Mug",
                              .plane = "Desk_1",
                              .branches = 4},
                             {.step = 2,
                              .instruction = "second",
                              .object = "Cup",
                              .plane = "Desk_1",
                              .branches = 1}};
    etna_hash images[3] = {{{1}}, {{2}}, {{3}}};
    config.scene_name = "scene.glb";
    config.goal = "tidy up";
    telling t = {.view = {.state = RUN_COMPLETE,
                          .reason = "done",
                          .config = &config,
                          .edits = edits,
                          .edit_count = 2,
                          .images = images}};
    json_memory_watch();
    t.whole = tell(&t.view);
    assert_non_null(t.whole);
    assert_true(torture(tell_once, &t) > 100);
    t.view.state = RUN_FAILED;
    t.view.reason = "no place";
    free(t.whole);
    t.whole = tell(&t.view);
    assert_non_null(t.whole);
    torture(tell_once, &t);
    free(t.whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_whole_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
