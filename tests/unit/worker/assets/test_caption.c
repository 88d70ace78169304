/* What models answer about a picture: read as they write it, bounded, and never
 * believed. */
#include "worker/assets/caption.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool read_as(const char *answer, etna_arena *arena, asset_caption *ret)
{
    return caption_read(answer, "eyes", arena, ret);
}

static void an_answer_is_read_as_models_write_it(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *physical;
        uint32_t front;
    } rows[] = {
        {"{\"name\":\"chair\",\"physical\":\"red\",\"functional\":\"to sit\","
         "\"contextual\":\"halls\",\"front\":3}",
         "red", 3},
        {"Let me see: {no}. ```json\n{\"physical\": \"red\", \"front\": "
         "\"2\"}\n```",
         "red", 2},
        {"{\"physical\": \"blue\"} or rather {\"physical\": \"red\"}", "red",
         0},
        {"{\"physical\": [\"red\", 5, \"shiny\"], \"front\": \"left\"}",
         "red, shiny", 4},
        {"{\"physical\": \"red\", \"front\": 5}", "red", 0},
        {"{\"physical\": \"red\", \"front\": -1}", "red", 0},
        {"{\"physical\": \"r\\u001b[31med\\n\", \"front\": null}", "r [31med ",
         0},
        {"{\"physical\": {\"colour\": \"red\"}, \"functional\": \"to sit\"}",
         "", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        asset_caption c = {.front = 9};
        assert_true(read_as(rows[i].answer, &arena, &c));
        assert_string_equal(c.parts[0], rows[i].physical);
        assert_int_equal(c.front, rows[i].front);
        assert_string_equal(c.model, "eyes");
        etna_arena_free(&arena);
    }
}

static void what_is_no_caption_is_none(void **state)
{
    (void)state;
    static const char *const answers[] = {"",
                                          "A red chair.",
                                          "{}",
                                          "{\"name\": \"chair\", \"front\": 1}",
                                          "[1]",
                                          "{\"physical\": 7}",
                                          "{\"physical\": \"\"}",
                                          "{\"physical\": \"red",
                                          "{{{{{{{{{{{{{{"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        asset_caption c = {.front = 9};
        assert_false(read_as(answers[i], &arena, &c));
        assert_int_equal(c.front, 9);
        etna_arena_free(&arena);
    }
}

/* At a whole character. */
static void a_long_text_is_cut(void **state)
{
    (void)state;
    enum {
        LONG = 5000
    };
    char *answer = malloc(2 * LONG + 64);
    etna_arena arena = ETNA_ARENA_INIT;
    asset_caption c;
    size_t n = (size_t)sprintf(answer, "{\"physical\":\"x");
    for (int i = 0; i < LONG; i++)
        n += (size_t)sprintf(answer + n, "\xc3\xa4");
    sprintf(answer + n, "\"}");
    assert_true(read_as(answer, &arena, &c));
    assert_int_equal(strlen(c.parts[0]), CAPTION_TEXT_MAX - 1);
    etna_arena_free(&arena);
    free(answer);
}

static void a_caption_is_kept_and_every_cut_of_it_is_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    const asset_caption c = {.model = "eyes",
                             .name = "chair",
                             .parts = {"red", "to sit", "halls"},
                             .front = 2};
    asset_caption back;
    uint8_t *data;
    size_t size;
    assert_int_equal(caption_encode(&c, &data, &size, NULL), ETNA_OK);
    assert_int_equal(caption_decode(data, size, &arena, &back, NULL), ETNA_OK);
    assert_string_equal(back.parts[2], "halls");
    assert_int_equal(back.front, 2);
    for (size_t n = 0; n < size; n++)
        assert_int_equal(caption_decode(data, n, &arena, &back, NULL),
                         ETNA_E_CORRUPT);
    data[size - 4] = 5; /* a side that there is not */
    assert_int_equal(caption_decode(data, size, &arena, &back, NULL),
                     ETNA_E_CORRUPT);
    free(data);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_read_as_models_write_it),
        cmocka_unit_test(what_is_no_caption_is_none),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(a_caption_is_kept_and_every_cut_of_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
