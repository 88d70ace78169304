/* models.yaml: what is read of it, what is refused and how that is said, and
 * that what travels says the same. */
#include "proto/models.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const sample =
    "currency: EUR\n"
    "endpoints:\n"
    "  here: {wire: chat, url: \"http://127.0.0.1:8000/v1\", headers: {X-Team: \"$TEAM\"}, in_flight: 3}\n"
    "  far:\n"
    "    wire: anthropic\n"
    "    url: https://far.example/v1\n"
    "    key_env: FAR_KEY\n"
    "models:\n"
    "  small: {endpoint: here, knobs: {temperature: 0.2, stop: [\"x\"]}, fallback: big}\n"
    "  big: {endpoint: far, id: big-1, price: {in: 2.5, out: 10, cached: 0.25}, image_side: {planner: 768}}\n"
    "  other: {endpoint: far}\n"
    "roles: {judge: big}\n";

static etna_code read_yaml(etna_arena *arena,
                           const char *text,
                           models *ret,
                           etna_error *err)
{
    return models_from_yaml(text, strlen(text), arena, ret, err);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models m;
    assert_int_equal(read_yaml(&arena, sample, &m, &err), ETNA_OK);
    assert_string_equal(m.currency, "EUR");
    assert_int_equal(m.endpoint_count, 2);
    assert_int_equal(m.endpoints[0].wire, MODELS_CHAT);
    assert_int_equal(m.endpoints[0].in_flight, 3);
    assert_int_equal(m.endpoints[0].attempts, 6);
    assert_string_equal(m.endpoints[0].headers[0].name, "X-Team");
    assert_string_equal(m.endpoints[1].key_env, "FAR_KEY");
    const models_model *small = models_find(&m, "small"),
                       *big = models_find(&m, "big");
    assert_string_equal(small->id, "small");
    assert_string_equal(small->fallback, "big");
    assert_int_equal(small->knob_count, 2);
    assert_string_equal(small->knobs[0].name, "temperature");
    assert_int_equal(strtod(small->knobs[0].value, NULL) * 10, 2);
    assert_string_equal(small->knobs[1].value, "[\"x\"]");
    assert_int_equal(big->price_in, 2500000);
    assert_int_equal(big->price_cached, 250000);
    assert_int_equal(big->image_side[1], 768);
    assert_string_equal(m.role_model[4], "big");
    assert_null(models_find(&m, "builtin"));
    etna_arena_free(&arena);
}

static void a_mark_before_the_list_is_no_part_of_it(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF"
                               "endpoints:\n"
                               "  near: {wire: chat, url: \"http://h/v1\"}\n";
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models m;
    assert_int_equal(read_yaml(&arena, text, &m, &err), ETNA_OK);
    assert_int_equal(m.endpoint_count, 1);
    etna_arena_free(&arena);
}

static void what_travels_is_what_the_run_names_and_says_the_same(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models m, back;
    const char *json = NULL, *again = NULL, *names[2] = {"small", "builtin"};
    assert_int_equal(read_yaml(&arena, sample, &m, &err), ETNA_OK);
    assert_int_equal(models_cut(&m, names, 2, &arena, &json, &err), ETNA_OK);
    assert_null(strstr(json, "other"));
    assert_int_equal(models_from_json(json, strlen(json), &arena, &back, &err),
                     ETNA_OK);
    assert_int_equal(back.model_count, 2); /* small, and big to fall back on */
    assert_int_equal(models_find(&back, "big")->price_out, 10000000);
    assert_int_equal(models_cut(&back, names, 2, &arena, &again, &err),
                     ETNA_OK);
    assert_string_equal(json, again);
    names[1] = "nobody";
    assert_int_equal(models_cut(&m, names, 2, &arena, &again, &err),
                     ETNA_E_USAGE);
    assert_non_null(strstr(err.text, "nobody"));
    etna_arena_free(&arena);
}

static void a_wrong_file_is_refused_by_line_or_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"endpoints: {a: {wire: chat}}", "url"},
        {"endpoints: {a: {wire: morse, url: \"http://x\"}}", "wire"},
        {"endpoints: {a: {wire: chat, url: \"ftp://x\"}}", "url"},
        {"endpoints: {a: {wire: chat, url: \"https://me:secret@x/v1\"}}",
         "key_env"},
        {"endpoints: {a: {wire: chat, url: \"https://x/v1\", proxy: \"http://me:secret@y:8080\"}}",
         "environment variable"},
        {"endpoints: {a: {wire: chat, url: \"https://x/v1\", proxy: $}}",
         "environment variable"},
        {"endpoints: {a: {wire: chat, url: \"http://x\", key: abc}}",
         "\"key\""},
        {"endpoints: {a: {wire: chat, url: \"http://x\", in_flight: -1}}",
         "in_flight"},
        {"endpoints: {a: {wire: chat, url: \"http://x\", headers: {A: \"b\\r\\nC: d\"}}}",
         "control"},
        {"models: {m: {endpoint: nowhere}}", "endpoint"},
        {"models: {builtin: {endpoint: a}}", "builtin"},
        {"endpoints: {a: {wire: chat, url: \"http://x\"}}\nmodels: {m: {endpoint: a, knobs: {top_p: 1, stream: true}}}",
         "stream"},
        {"endpoints: {a: {wire: chat, url: \"http://x\"}}\nmodels: {m: {endpoint: a, knobs: {messages: []}}}",
         "messages"},
        {"endpoints: {a: {wire: chat, url: \"http://x\"}}\nmodels: {m: {endpoint: a, fallback: n}, n: {endpoint: a, fallback: m}}",
         "lead back"},
        {"roles: {judge: nobody}", "nobody"},
        {"models: &a {}\nroles: *a\n", "anchors"},
        {"roles: {judge: a}\nroles: {judge: b}\n", "line 2"},
        {"models: [", "line"},
        {"a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: {o: {p: {q: 1}}}}}}}}}}}}}}}}",
         "nested"},
        {"- 1", "list"},
        {"--- {}\n--- {}\n", "second"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {0};
        models m = {.model_count = 77};
        assert_int_equal(read_yaml(&arena, cases[i].text, &m, &err),
                         ETNA_E_USAGE);
        if (!strstr(err.text, cases[i].says))
            fail_msg("'%s' is refused with '%s'", cases[i].text, err.text);
        assert_int_equal(m.model_count, 77);
        etna_arena_free(&arena);
    }
}

static void cost_is_rounded_up_and_never_wraps(void **state)
{
    (void)state;
    models_model m = {
        .price_in = 2500000, .price_out = 10000000, .price_cached = 250000};
    assert_int_equal(
        models_cost_micros(
            &m, &(message_usage){.tokens_in = 1000, .tokens_out = 100}),
        2500 + 1000);
    assert_int_equal(
        models_cost_micros(
            &m, &(message_usage){.tokens_in = 1000, .tokens_cached = 1000}),
        250);
    const message_usage written = {
        .tokens_in = 1000, .tokens_cached = 400, .tokens_written = 600};
    assert_int_equal(models_cost_micros(&m, &written), 100 + 1500);
    m.price_written = 5000000;
    assert_int_equal(models_cost_micros(&m, &written), 100 + 3000);
    assert_int_equal(models_cost_micros(&m, &(message_usage){.tokens_in = 1}),
                     3);
    assert_int_equal(
        models_cost_micros(
            &m, &(message_usage){.tokens_in = 1, .tokens_cached = 9}),
        1);
    assert_true(
        models_cost_micros(&m, &(message_usage){.tokens_in = UINT64_MAX,
                                                .tokens_out = UINT64_MAX}) ==
        UINT64_MAX);
}

static void prices_of_a_cache_of_prompts_are_the_vendors_where_none_are_given(
    void **state)
{
    (void)state;
    static const struct {
        const char *wire, *price;
        uint64_t cached, written;
    } cases[] = {
        {"anthropic", "{in: 4, out: 20}", 400000, 5000000},
        {"anthropic", "{in: 4, out: 20, cached: 1, written: 8}", 1000000,
         8000000},
        {"chat", "{in: 4, out: 20}", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        models m;
        etna_error err = {0};
        const char *text = etna_arena_printf(
            &arena,
            "endpoints:\n  e: {wire: %s, url: \"http://h/v1\"}\nmodels:\n  a: {endpoint: e, price: %s}\n",
            cases[i].wire, cases[i].price);
        assert_int_equal(read_yaml(&arena, text, &m, &err), ETNA_OK);
        assert_int_equal(models_find(&m, "a")->price_cached, cases[i].cached);
        assert_int_equal(models_find(&m, "a")->price_written, cases[i].written);
        etna_arena_free(&arena);
    }
}

static void the_file_we_ship_is_read(void **state)
{
    (void)state;
    FILE *file = fopen(ETNA_SOURCE_DIR "/configs/models.yaml", "rb");
    assert_non_null(file);
    static char text[MODELS_TEXT_MAX];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models m;
    if (models_from_yaml(text, size, &arena, &m, &err))
        fail_msg("%s", err.text);
    assert_true(m.model_count >= 8);
    for (uint32_t i = 0; i < m.endpoint_count; i++)
        assert_null(m.endpoints[i].key_file);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_mark_before_the_list_is_no_part_of_it),
        cmocka_unit_test(what_travels_is_what_the_run_names_and_says_the_same),
        cmocka_unit_test(a_wrong_file_is_refused_by_line_or_name),
        cmocka_unit_test(cost_is_rounded_up_and_never_wraps),
        cmocka_unit_test(
            prices_of_a_cache_of_prompts_are_the_vendors_where_none_are_given),
        cmocka_unit_test(the_file_we_ship_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
