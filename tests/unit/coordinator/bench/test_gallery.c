/* The page of a benchmark: success against tokens, a point a variant. */
#include "coordinator/bench/gallery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* One step of each variant, of a list or of a goal. */
static page page_of(const char *const *variants, size_t count, bool is_goal)
{
    result_row rows[16];
    tally t;
    page to = {0};
    json_t *none = json_array();
    for (size_t i = 0; i < count; i++)
        rows[i] = (result_row){.run = {.scene = "a",
                                       .variant = variants[i],
                                       .repeat = 1,
                                       .is_goal = is_goal},
                               .step = 1,
                               .reached = true,
                               .done = true,
                               .tokens = 100 * (double)(i + 1)};
    assert_true(none && tally_make(rows, count, &t));
    gallery_print("s", &t, none, false, &to);
    tally_free(&t);
    json_decref(none);
    assert_false(to.failed);
    return to;
}

static void variants_are_points_of_a_curve(void **state)
{
    (void)state;
    static const char *const two[] = {"full", "a<b"};
    for (int is_goal = 0; is_goal < 2; is_goal++) {
        page p = page_of(two, 2, is_goal);
        const char *svg = strstr(p.data, "<svg");
        assert_non_null(svg);
        assert_non_null(strstr(svg, ">full</text>"));
        assert_non_null(strstr(svg, ">a&lt;b</text>"));
        assert_non_null(strstr(svg, ">200</text>")); /* the most tokens */
        page_free(&p);
    }
}

/* All of them are done, so that the points lie side by side at one height. */
static void names_of_variants_that_come_to_the_same_are_apart(void **state)
{
    (void)state;
    static const char *const sixteen[] = {
        "a", "b", "branches-1", "branches-8", "e", "f", "g", "h",
        "i", "j", "k",          "l",          "m", "n", "o", "p"};
    page p = page_of(sixteen, 16, false);
    const char *at = strstr(p.data, "<svg");
    double before = 0, y = 0;
    int names = 0;
    assert_non_null(strstr(at, "<path class=branches"));
    while ((at = strstr(at, "<text class=name ")) != NULL) {
        assert_int_equal(sscanf(at, "<text class=name x=%*d y=%lf>", &y), 1);
        assert_true(y >= before + 12 && y < 320);
        before = y;
        names++;
        at++;
    }
    assert_int_equal(names, 16);
    page_free(&p);
}

static void one_point_is_no_curve(void **state)
{
    (void)state;
    static const char *const one[] = {"full"};
    page p = page_of(one, 1, false);
    assert_null(strstr(p.data, "<svg"));
    page_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_are_points_of_a_curve),
        cmocka_unit_test(names_of_variants_that_come_to_the_same_are_apart),
        cmocka_unit_test(one_point_is_no_curve),
    };
    return cmocka_run_group_tests_name("gallery", tests, NULL, NULL);
}
