/* What is told of two variants: the steps that differ, each with the picture of
 * its own run. */
#include "coordinator/bench/compare_page.h"
#include "coordinator/bench/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static result_row row(const char *variant,
                      uint32_t step,
                      bool done,
                      uint32_t edits)
{
    return (result_row){
        .run = {.scene = "attic", .variant = variant, .repeat = 1},
        .step = step,
        .text = "Move <it>",
        .reached = true,
        .done = done,
        .edits = edits,
        .status = ""};
}

static void a_page_shows_the_steps_that_differ_after_their_own_edits(
    void **state)
{
    (void)state;
    const result_row rows[] = {row("full", 1, true, 2), row("full", 2, true, 1),
                               row("less", 1, true, 1),
                               row("less", 2, false, 3)};
    const char *const variants[] = {"less"};
    const compare_folder folder = {"/tmp/b", rows, 4};
    comparison list[1];
    page text = {0};
    assert_true(compare_make(rows, 4, "full", rows, 4, variants, 1, false,
                             RATE_VALID, list));
    compare_page_print(&folder, "full", &folder, list, 1, false, RATE_VALID,
                       &text);
    comparison_free(&list[0]);
    assert_false(text.failed);
    assert_non_null(strstr(text.data, "less against full"));
    assert_null(strstr(text.data, "attic, step 1<"));
    assert_non_null(strstr(text.data, "attic, step 2<"));
    assert_non_null(strstr(text.data, "Move &lt;it&gt;"));
    assert_non_null(strstr(text.data, "/tmp/b/runs/attic.full.r1/step-03.png"));
    assert_non_null(strstr(text.data, "/tmp/b/runs/attic.less.r1/step-04.png"));
    page_free(&text);
}

static void every_variant_but_the_whole_method_is_run_by_flags(void **state)
{
    (void)state;
    for (const plan_variant *v = plan_variants; v->name; v++) {
        const bool is_full = strcmp(v->name, "full") == 0;
        assert_int_equal(v->flags[0] == NULL, is_full);
        assert_ptr_equal(plan_find_variant(v->name), v);
    }
    assert_string_equal(plan_find_variant("basic-3")->flags[1], "basic-3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_page_shows_the_steps_that_differ_after_their_own_edits),
        cmocka_unit_test(every_variant_but_the_whole_method_is_run_by_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
