/* A furnished room as a blob: it comes back as it went, and what is not whole is
 * refused. */
#include "proto/furnished.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const furnished room = {.line = 3,
                               .end = FURNISHED_PARTIAL,
                               .glb = (const uint8_t *)"glTF",
                               .glb_size = 4,
                               .report = "{}",
                               .report_size = 2,
                               .words = "a bed",
                               .words_size = 5};

static void a_room_comes_back_as_it_went(void **state)
{
    (void)state;
    uint8_t *data = NULL;
    size_t size = 0;
    furnished back;
    assert_int_equal(furnished_pack(&room, &data, &size, NULL), ETNA_OK);
    assert_int_equal(furnished_unpack(data, size, &back, NULL), ETNA_OK);
    assert_int_equal(back.line, 3);
    assert_int_equal(back.end, FURNISHED_PARTIAL);
    assert_int_equal(back.glb_size, 4);
    assert_memory_equal(back.glb, "glTF", 4);
    assert_memory_equal(back.report, "{}", 2);
    assert_memory_equal(back.words, "a bed", 5);
    free(data);
}

static void a_refusal_has_no_room(void **state)
{
    (void)state;
    const furnished none = {.line = 1,
                            .code = ETNA_E_INPUT,
                            .why = "it names nothing",
                            .why_size = 16};
    furnished both = room, back;
    uint8_t *data = NULL;
    size_t size = 0;
    assert_int_equal(furnished_pack(&none, &data, &size, NULL), ETNA_OK);
    assert_int_equal(furnished_unpack(data, size, &back, NULL), ETNA_OK);
    assert_int_equal(back.code, ETNA_E_INPUT);
    assert_memory_equal(back.why, "it names nothing", 16);
    free(data);
    both.code = ETNA_E_INPUT;
    assert_int_equal(furnished_pack(&both, &data, &size, NULL), ETNA_OK);
    assert_int_equal(furnished_unpack(data, size, &back, NULL), ETNA_E_INPUT);
    free(data);
}

/* Every part of it, and every byte of it otherwise: no such blob, or one whose
 * texts are text. */
static void what_is_not_whole_is_refused(void **state)
{
    (void)state;
    uint8_t *data = NULL;
    size_t size = 0;
    furnished back;
    assert_int_equal(furnished_pack(&room, &data, &size, NULL), ETNA_OK);
    for (size_t n = 0; n < size; n++)
        assert_int_equal(furnished_unpack(data, n, &back, NULL), ETNA_E_INPUT);
    for (size_t at = 0; at < 8; at++) {
        data[at] ^= 0x55;
        assert_int_equal(furnished_unpack(data, size, &back, NULL),
                         ETNA_E_INPUT);
        data[at] ^= 0x55;
    }
    uint8_t *text = memmem(data, size, "a bed", 5);
    assert_non_null(text);
    *text = 0xff; /* no UTF-8 */
    assert_int_equal(furnished_unpack(data, size, &back, NULL), ETNA_E_INPUT);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_comes_back_as_it_went),
        cmocka_unit_test(a_refusal_has_no_room),
        cmocka_unit_test(what_is_not_whole_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
