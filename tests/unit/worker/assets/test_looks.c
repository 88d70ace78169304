/* What requests in other languages say of how a thing looks. */
#include "tests/unit/worker/assets/made.h"
#include "worker/assets/looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_look_has_the_forms_of_its_language(void **state)
{
    (void)state;
    static const struct {
        const char *language, *before, *word, *english;
    } rows[] = {
        {"de", "einen", "runden", "round"}, {"de", "", "rund", "round"},
        {"de", "", "rundum", NULL},         {"de", "", "weise", "white"},
        {"de", "aus", "holz", "wooden"},    {"de", "ein", "glas", NULL},
        {"fr", "une", "blanche", "white"},  {"fr", "une", "large", "wide"},
        {"fr", "en", "verre", "glass"},     {"fr", "un", "verre", NULL},
        {"es", "", "redondas", "round"},    {"it", "", "bianchi", "white"},
        {"nl", "", "houten", "wooden"},     {"pt_PT", "", "preta", "black"},
        {"sv", "", "vitt", "white"},        {"ru", "", "rund", NULL},
        {"en", "", "round", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *english =
            looks_english(rows[i].language, rows[i].before, rows[i].word);
        if (!rows[i].english)
            assert_null(english);
        else
            assert_string_equal(english, rows[i].english);
    }
    assert_string_equal(looks_stuff("de", "holztisch", 4), "wooden");
    assert_null(looks_stuff("de", "holztisch", 5));
    assert_null(looks_stuff("xx", "holztisch", 4));
    assert_true(looks_leads("de", "aus") && !looks_leads("de", "holz"));
}

static asset table_make(uint32_t number, const char *name, double side)
{
    static asset_words words[] = {{"de", "Tisch", "", ""},
                                  {"fr", "Table", "", ""}};
    asset a = made_asset(number, name, side, 0.7, side);
    a.words = words;
    a.word_count = 2;
    return a;
}

/* Three tables, of which one is round, one red and one small. */
static void a_table_is_told_by_how_it_looks(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } rows[] = {{"ein runder Tisch", "Round table"},
                {"einen roten Tisch", "Dining table"},
                {"ein kleiner Tisch", "Tea table"},
                {"une table ronde", "Round table"},
                {"une table rouge", "Dining table"},
                {"la petite table", "Tea table"}};
    asset all[3] = {table_make(1, "Round table", 1.2),
                    table_make(2, "Dining table", 1.3),
                    table_make(3, "Tea table", 0.5)};
    static find_result r;
    const find_options options = {.k = 3};
    index_view v;
    size_t size = 0;
    all[0].shape.round = true;
    all[1].shape.colour[3] = 80;
    uint8_t *data = made_index(all, 3, &size, &v);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(find_assets(&v, rows[i].text, &options, &r, NULL),
                         ETNA_OK);
        assert_true(r.found);
        assert_string_equal(index_doc_at(&v, r.hits[0].doc).name, rows[i].name);
        assert_string_not_equal(r.language, "en");
    }
    free(data);
}

/* "Holztisch" is no name here; its end is one, and its beginning a stuff. */
static void a_compound_tells_what_a_thing_is_made_of(void **state)
{
    (void)state;
    asset all[2] = {table_make(1, "Table", 1), table_make(2, "Table", 1.01)};
    static find_result r;
    const find_options options = {.k = 2};
    index_view v;
    size_t size = 0;
    all[1].tags = "wooden";
    uint8_t *data = made_index(all, 2, &size, &v);
    assert_int_equal(find_assets(&v, "ein Holztisch", &options, &r, NULL),
                     ETNA_OK);
    assert_true(r.found && r.count == 2);
    assert_true(index_doc_at(&v, r.hits[0].doc).size[0] > 1.005F);
    assert_true(r.hits[0].score > r.hits[1].score);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_has_the_forms_of_its_language),
        cmocka_unit_test(a_table_is_told_by_how_it_looks),
        cmocka_unit_test(a_compound_tells_what_a_thing_is_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
