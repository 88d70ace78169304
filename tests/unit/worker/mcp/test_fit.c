/* Arguments as models give them are made what a schema asks for, where there is
 * one way to; nothing else is touched. */
#include "worker/mcp/fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"coord_list\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":2,\"maxItems\":2}},"
    "\"object_name_list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"position\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":3,\"maxItems\":3},"
    "\"max_size\":{\"type\":\"integer\"},\"grid\":{\"type\":\"boolean\"},"
    "\"format\":{\"type\":\"string\",\"enum\":[\"jpeg\",\"png\"]},\"query\":{\"type\":\"string\"},"
    "\"constraints\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{}}}}}";

static const struct {
    const char *given, *made; /* NULL: as it is */
} cases[] = {
    {"{\"coord_list\":[[0.5,0.25]]}", NULL},
    {"{\"coord_list\":\"[[0.5, 0.25]]\"}", "{\"coord_list\":[[0.5,0.25]]}"},
    {"{\"coord_list\":[0.5,0.25]}", "{\"coord_list\":[[0.5,0.25]]}"},
    {"{\"coord_list\":[{\"x\":0.5,\"y\":0.25}]}",
     "{\"coord_list\":[[0.5,0.25]]}"},
    {"{\"coord_list\":[[\"0.5\",\"0.25\"]]}", "{\"coord_list\":[[0.5,0.25]]}"},
    {"{\"coord_list\":[[500,250]]}", NULL},
    {"{\"coord_list\":\"in the middle\"}", NULL},
    {"{\"coord_list\":[]}", NULL},
    {"{\"coordList\":[[0.5,0.25]]}", "{\"coord_list\":[[0.5,0.25]]}"},
    {"{\"coord_list\":[[0.5,0.25]],\"coordList\":[]}", NULL},
    {"{\"object_name_list\":\"Cup\"}", "{\"object_name_list\":[\"Cup\"]}"},
    {"{\"object_name_list\":\"[\\\"Cup\\\"]\"}",
     "{\"object_name_list\":[\"Cup\"]}"},
    {"{\"position\":{\"x\":1,\"y\":2,\"z\":3}}", "{\"position\":[1,2,3]}"},
    {"{\"position\":{\"x\":1,\"y\":2}}", NULL},
    {"{\"max_size\":\"64\"}", "{\"max_size\":64}"},
    {"{\"max_size\":\"64 pixels\"}", NULL},
    {"{\"grid\":\"True\"}", "{\"grid\":true}"},
    {"{\"grid\":1}", NULL},
    {"{\"format\":\"JPEG\"}", "{\"format\":\"jpeg\"}"},
    {"{\"format\":\"gif\"}", NULL},
    {"{\"query\":\"5\"}", NULL},
    {"{\"query\":\"[1]\"}", NULL},
    {"{\"constraints\":\"[[\\\"Rotate\\\",90]]\"}",
     "{\"constraints\":[[\"Rotate\",90]]}"},
    {"{\"other\":[1]}", NULL},
};

static void arguments_become_what_is_asked_for_where_there_is_one_way(
    void **state)
{
    (void)state;
    json_t *asked = json_loads(schema, 0, NULL);
    assert_non_null(asked);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *given = json_loads(cases[i].given, 0, NULL);
        json_t *wanted =
            json_loads(cases[i].made ? cases[i].made : cases[i].given, 0, NULL);
        json_t *made = fit_value(asked, given);
        if (!json_equal(made, wanted))
            fail_msg("%s is made something else", cases[i].given);
        json_decref(made);
        json_decref(wanted);
        json_decref(given);
    }
    json_decref(asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            arguments_become_what_is_asked_for_where_there_is_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
