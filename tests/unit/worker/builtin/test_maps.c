/* Maps of free cells cut out of the facts' text: what is cut, and that nothing
 * is that is written in another way. */
#include "worker/builtin/place/maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct cutting {
    cut_facts out;
    etna_arena arena;
    etna_error err;
} cutting;

static void cut(cutting *c, const char *json)
{
    memset(c, 0, sizeof *c);
    assert_int_equal(maps_cut(json, strlen(json), &c->arena, &c->out, &c->err),
                     ETNA_OK);
}

static void each_map_leaves_its_number(void **state)
{
    (void)state;
    cutting c;
    cut(&c,
        "{\"a\":\"clear\",\"clear\":[\"00ff0a\",\"0102fe\"],\"over\":[{\"clear\":[\"00112233445566\"]}]}");
    assert_int_equal(c.out.map_count, 2);
    assert_int_equal(c.out.size, strlen(c.out.json));
    assert_string_equal(
        c.out.json, "{\"a\":\"clear\",\"clear\":0,\"over\":[{\"clear\":1}]}");
    const uint8_t want[] = {0, 255, 10, 1, 2, 254};
    uint8_t got[sizeof want];
    assert_int_equal(c.out.maps[0].rows, 2);
    assert_int_equal(c.out.maps[0].digits, 6);
    assert_true(maps_read(&c.out.maps[0], got));
    assert_memory_equal(got, want, sizeof want);
    etna_arena_free(&c.arena);
}

static void what_is_written_otherwise_stays(void **state)
{
    (void)state;
    const char *const texts[] = {"",
                                 "\"clear\":[\"00112233445566",
                                 "{\"clear\": [\"00112233445566\"]}",
                                 "{\"clear\":[ \"00112233445566\"]}",
                                 "{\"clear\":[\"0011223344\", \"0011223344\"]}",
                                 "{\"clear\":[\"0011223344\",\"00112233\"]}",
                                 "{\"clear\":[\"00112233445566\"",
                                 "{\"clear\":[\"00\"]}",
                                 "{\"clear\":[]}",
                                 "{\"a\\\"clear\":[\"00112233445566\"]}",
                                 "{\"clear",
                                 "{\"clear\\"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cutting c;
        cut(&c, texts[i]);
        assert_int_equal(c.out.map_count, 0);
        assert_int_equal(c.out.size, strlen(texts[i]));
        assert_memory_equal(c.out.json, texts[i], c.out.size);
        etna_arena_free(&c.arena);
    }
}

static void what_is_no_digit_is_no_map(void **state)
{
    (void)state;
    const char *const texts[] = {"{\"clear\":[\"00112233445g66\"]}",
                                 "{\"clear\":[\"0011223344556\"]}",
                                 "{\"clear\":[\"00112233445A66\"]}",
                                 "{\"clear\":[\"00112233\\\"5566\"]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cutting c;
        uint8_t got[8];
        cut(&c, texts[i]);
        assert_true(c.out.map_count == 0 || !maps_read(&c.out.maps[0], got));
        etna_arena_free(&c.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_map_leaves_its_number),
        cmocka_unit_test(what_is_written_otherwise_stays),
        cmocka_unit_test(what_is_no_digit_is_no_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
