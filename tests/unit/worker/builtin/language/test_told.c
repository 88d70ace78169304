/* What the dictionary tells of kinds and words, as far as finding things leans
 * on it. */
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static told_kind kind_of(const char *phrase)
{
    kinds_id id;
    assert_true(kinds_find(phrase, &id));
    assert_true(id.self_count > 0);
    return told_of_kind(id.self[0].kind);
}

static void a_kind_tells_its_words_and_what_it_is(void **state)
{
    (void)state;
    told_kind sofa = kind_of("sofa");
    assert_non_null(strstr(sofa.words, "couch"));
    assert_non_null(strstr(sofa.gloss, "seat"));
    assert_non_null(strstr(kind_of("mixer").verbs, "mix"));
}

static void a_kind_of_ours_borrows_its_definition(void **state)
{
    (void)state;
    assert_non_null(strstr(kind_of("microwave").gloss, "appliance"));
}

static void a_verb_tells_what_means_the_same(void **state)
{
    (void)state;
    told_word told;
    assert_true(told_of_word("chop", &told));
    assert_true(told.same[0] != 0);
    assert_false(told_of_word("xyzzy", &told));
    assert_false(told_of_word("", &told));
}

static void numbers_that_are_no_kind_tell_nothing(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind <= UINT16_MAX; kind++) {
        told_kind t = told_of_kind((uint16_t)kind);
        assert_true(t.words && t.verbs && t.gloss && strlen(t.gloss) < 2000);
    }
    assert_string_equal(told_of_kind(0).words, "");
    assert_string_equal(told_of_kind(UINT16_MAX).gloss, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_tells_its_words_and_what_it_is),
        cmocka_unit_test(a_kind_of_ours_borrows_its_definition),
        cmocka_unit_test(a_verb_tells_what_means_the_same),
        cmocka_unit_test(numbers_that_are_no_kind_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
