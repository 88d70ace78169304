/* A vote is one number of the list, however a model says it; vectors come back
 * as they were kept, and likeness is of their directions. */
#include "worker/assets/vectors.h"
#include "worker/assets/vote.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_vote_is_one_number_of_the_list(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        int number; /* -1: none */
    } cases[] = {
        {"{\"choice\": 3}", 3},
        {"I think {\"choice\": 1}, no: {\"choice\": 2}", 2},
        {"```json\n{\"choice\":0}\n```", 0},
        {"5", 5},
        {" **4**. ", 4},
        {"", -1},
        {"{\"choice\": 6}", -1},
        {"{\"choice\": -1}", -1},
        {"{\"choice\": \"2\"}", -1},
        {"{\"choice\": 1.5}", -1},
        {"3 of 5", -1},
        {"1-2", -1},
        {"The second one suits best, 2", -1},
        {"99999999999999999999", -1},
        {"{{{{", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t number = 77;
        bool is_read = vote_read(cases[i].answer, 5, &number);
        if (is_read != (cases[i].number >= 0))
            fail_msg("%s: %u", cases[i].answer, number);
        if (is_read)
            assert_int_equal(number, cases[i].number);
    }
}

static vector kept(const double *v, uint32_t n, uint8_t **bytes, size_t *size)
{
    vector ret;
    assert_int_equal(vector_encode(v, n, bytes, size, NULL), ETNA_OK);
    assert_true(vector_open(*bytes, *size, &ret));
    return ret;
}

static void likeness_is_of_directions(void **state)
{
    (void)state;
    const double a[3] = {3, 4, 0}, longer[3] = {300, 400, 0}, b[3] = {-4, 3, 0},
                 back[3] = {-0.3, -0.4, 0};
    const double *const all[4] = {a, longer, b, back};
    const double wanted[4] = {1, 1, 0, -1};
    uint8_t *of_a, *bytes;
    size_t size;
    vector v = kept(a, 3, &of_a, &size);
    for (int i = 0; i < 4; i++) {
        vector w = kept(all[i], 3, &bytes, &size);
        assert_true(fabs(vector_likeness(&v, &w) - wanted[i]) < 0.02);
        free(bytes);
    }
    for (size_t cut = 0; cut < size; cut++) {
        vector none;
        assert_false(vector_open(of_a, cut, &none));
    }
    free(of_a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vote_is_one_number_of_the_list),
        cmocka_unit_test(likeness_is_of_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
