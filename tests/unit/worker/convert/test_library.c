/* Furniture libraries: what a catalogue says, and archives that lie. */
#include "tests/support/zip_builder.h"
#include "worker/convert/catalogue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char LIST[] =
    "# a comment\nname=My library\nlicense=CC0\n"
    "name#2=Table \\u00e0 th\xe9\nid#2=Lib#table\nmodel#2=/m/table.obj\nwidth#2=120\ndepth#2=60.5\nheight#2=75\n"
    "category#2=Living room\nmovable#2=false\n"
    "name#1=Chair\nid#1=Lib#chair1\nmodel#1=chair.obj\nmodelRotation#1=0 0 1 0 1 0 -1 0 0\n"
    "name#7=Chair\nid#7=Lib#chair2\nmodel#7=c2.obj\nwidth#7=-4\n"
    "name#9=No model\nid#-1=odd\nname#x=odd\n";

static void a_catalogue_says_names_sizes_and_turns(void **state)
{
    (void)state;
    catalogue c;
    etna_error err;
    assert_int_equal(catalogue_parse(LIST, sizeof LIST - 1, &c, &err), ETNA_OK);
    assert_string_equal(c.name, "My library");
    assert_int_equal(c.count, 3);
    assert_int_equal(c.models[0].index, 1);
    assert_true(c.models[0].rotation[2] == 1 && c.models[0].rotation[6] == -1);
    assert_string_equal(c.models[1].name, "Table \xc3\xa0 th\xc3\xa9");
    assert_string_equal(c.models[1].path, "m/table.obj");
    assert_true(fabs(c.models[1].size[0] - 1.2) < 1e-12 &&
                fabs(c.models[1].size[1] - 0.75) < 1e-12 &&
                fabs(c.models[1].size[2] - 0.605) < 1e-12);
    assert_false(c.models[1].movable);
    assert_true(c.models[2].size[0] == 0);
    catalogue_free(&c);
}

static void a_model_goes_by_number_id_or_unshared_name(void **state)
{
    (void)state;
    catalogue c;
    const catalogue_model *m = NULL;
    etna_error err;
    assert_int_equal(catalogue_parse(LIST, sizeof LIST - 1, &c, &err), ETNA_OK);
    assert_int_equal(catalogue_find(&c, "7", &m, &err), ETNA_OK);
    assert_int_equal(m->index, 7);
    assert_int_equal(catalogue_find(&c, "chair1", &m, &err), ETNA_OK);
    assert_int_equal(m->index, 1);
    assert_int_equal(catalogue_find(&c, "Lib#table", &m, &err), ETNA_OK);
    assert_int_equal(m->index, 2);
    assert_int_equal(catalogue_find(&c, "chair", &m, &err), ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "#1, #7"));
    assert_int_equal(m->index, 2);
    assert_int_equal(catalogue_find(&c, "sofa", &m, &err), ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "sofa"));
    catalogue_free(&c);
}

static void a_catalogue_without_models_is_refused(void **state)
{
    (void)state;
    catalogue c;
    etna_error err;
    assert_int_equal(catalogue_parse("name=x\n", 7, &c, &err), ETNA_E_INPUT);
    assert_int_equal(catalogue_parse("", 0, &c, &err), ETNA_E_INPUT);
}

static etna_code open_with(const char *name,
                           const void *data,
                           size_t size,
                           uint32_t said,
                           uint8_t **ret_zip,
                           archive **ret,
                           etna_error *err)
{
    zip_builder z = {0};
    size_t zip_size;
    zip_builder_add_raw(&z, name, data, size, said, 0);
    *ret_zip = zip_builder_finish(&z, &zip_size);
    return archive_open(*ret_zip, zip_size, ret, err);
}

static void names_that_lead_out_of_an_archive_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"../evil",     "a/../../evil",
                                        "/etc/passwd", "c:evil",
                                        "a\\..\\evil", "a/.."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint8_t *zip;
        archive *a = NULL;
        etna_error err;
        assert_int_equal(open_with(names[i], "x", 1, 1, &zip, &a, &err),
                         ETNA_E_INPUT);
        assert_null(a);
        assert_non_null(strstr(err.text, "outside"));
        free(zip);
    }
}

static void an_entry_is_read_and_one_that_lies_is_not(void **state)
{
    (void)state;
    uint8_t *zip, *data;
    size_t size;
    archive *a = NULL;
    etna_error err;
    assert_int_equal(open_with("a..b/c..", "hello", 5, 5, &zip, &a, &err),
                     ETNA_OK);
    assert_int_equal(archive_read(a, "nothing", &data, &size, &err),
                     ETNA_E_NOTFOUND);
    assert_int_equal(archive_read(a, "a..b/c..", &data, &size, &err), ETNA_OK);
    assert_int_equal(size, 5);
    assert_string_equal((char *)data, "hello");
    free(data);
    archive_close(a);
    free(zip);
    assert_int_equal(open_with("huge", "hello", 5, 0xf0000000u, &zip, &a, &err),
                     ETNA_OK); /* says 4 GB */
    assert_int_equal(archive_read(a, "huge", &data, &size, &err), ETNA_E_LIMIT);
    archive_close(a);
    free(zip);
    assert_int_equal(
        archive_open((const uint8_t *)"PK no archive", 13, &a, &err),
        ETNA_E_INPUT);
    assert_int_equal(archive_open((const uint8_t *)"", 0, &a, &err),
                     ETNA_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_catalogue_says_names_sizes_and_turns),
        cmocka_unit_test(a_model_goes_by_number_id_or_unshared_name),
        cmocka_unit_test(a_catalogue_without_models_is_refused),
        cmocka_unit_test(names_that_lead_out_of_an_archive_are_refused),
        cmocka_unit_test(an_entry_is_read_and_one_that_lies_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
