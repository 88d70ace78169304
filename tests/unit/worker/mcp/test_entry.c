/* What an entry does to a client's configuration: nothing but its own bytes. */
#include "worker/mcp/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *entry;

static int begin(void **state)
{
    (void)state;
    json_t *args = json_pack("[s, s]", "mcp", "/a \"b\"");
    entry = entry_make(entry_find_client("cursor"), "/bin/etna", args);
    json_decref(args);
    return entry ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    json_decref(entry);
    return 0;
}

static char *put(const char *text, entry_change wanted)
{
    entry_change change;
    etna_error err = {0};
    char *made = NULL;
    etna_code code = entry_put(entry_find_client("cursor"), "etna", entry, text,
                               strlen(text), &made, &change, &err);
    if (code != ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(change, wanted);
    return made;
}

/* The text with the entry's own bytes cut out of it, and the comma that it
 * brought. */
static void keeps_the_rest(const char *text,
                           const char *before,
                           const char *after)
{
    char *made = put(text, ENTRY_ADDED);
    size_t size = strlen(made);
    assert_memory_equal(made, before, strlen(before));
    assert_string_equal(made + size - strlen(after), after);
    json_t *root = json_loads(made, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_equal(
        json_object_get(json_object_get(root, "mcpServers"), "etna"), entry));
    json_decref(root);
    free(made);
}

static void all_else_keeps_its_bytes(void **state)
{
    (void)state;
    keeps_the_rest("{\n  \"b\": 0.1000, \"a\": 12345678901234\n}\n", "{",
                   "\n  \"b\": 0.1000, \"a\": 12345678901234\n}\n");
    keeps_the_rest("{}", "{", "}");
    keeps_the_rest(" {\"mcpServers\" : { } }", " {\"mcpServers\" : {", "} }");
    keeps_the_rest(
        "{\"x\":[{\"mcpServers\":{}}],\"mcpServers\":{\"o\":{\"command\":\"}\\\"{\"}}}",
        "{\"x\":[{\"mcpServers\":{}}],\"mcpServers\":{",
        "\"o\":{\"command\":\"}\\\"{\"}}}");
    keeps_the_rest("{\"\\u006dcp\": 1, \"u\": \"\xc3\xa4\"}", "{",
                   "\"\\u006dcp\": 1, \"u\": \"\xc3\xa4\"}");
    char *fresh = put("", ENTRY_ADDED), *blank = put(" \n", ENTRY_ADDED);
    assert_string_equal(fresh, blank);
    free(fresh);
    free(blank);
}

static void an_entry_of_that_name_is_replaced_and_the_same_one_is_known(
    void **state)
{
    (void)state;
    char *made =
        put("{\"mcpServers\":{\"etna\":{\"command\":\"old\"} , \"o\":{}}}",
            ENTRY_REPLACED);
    assert_null(strstr(made, "old"));
    assert_non_null(strstr(made, " , \"o\":{}}}"));
    char *again = put(made, ENTRY_SAME);
    assert_string_equal(again, made);
    free(again);
    free(made);
}

static void what_is_no_plain_json_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"[]",
                                        "7",
                                        "{\"a\":1, // remark\n}",
                                        "{\"a\":1,}",
                                        "{\"a\":1,\"a\":2}",
                                        "{\"mcpServers\":[]}",
                                        "{\"mcpServers\":null}",
                                        "{\"mcp\\u0053ervers\":{}}",
                                        "{\"mcpServers\":{\"etn\\u0061\":{}}}",
                                        "{",
                                        "\xef\xbb\xbf{}",
                                        "{\"a\":1} x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        entry_change change;
        etna_error err = {0};
        char *made = NULL;
        assert_int_equal(entry_put(entry_find_client("cursor"), "etna", entry,
                                   texts[i], strlen(texts[i]), &made, &change,
                                   &err),
                         ETNA_E_INPUT);
        assert_null(made);
        assert_true(strlen(err.text) > 10);
    }
}

static void each_client_has_its_place_and_its_key(void **state)
{
    (void)state;
    static const char *const names[] = {"claude-desktop", "claude-code",
                                        "cursor", "vscode"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const entry_client *client = entry_find_client(names[i]);
        assert_non_null(client);
        assert_non_null(strstr(entry_client_names(), names[i]));
        char *text = entry_document(client, "etna", entry);
        json_t *root = json_loads(text, 0, NULL);
        assert_true(json_equal(
            json_object_get(json_object_get(root, client->key), "etna"),
            entry));
        json_decref(root);
        free(text);
    }
    assert_null(entry_find_client("emacs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
        T(all_else_keeps_its_bytes),
        T(an_entry_of_that_name_is_replaced_and_the_same_one_is_known),
        T(what_is_no_plain_json_is_refused),
        T(each_client_has_its_place_and_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
