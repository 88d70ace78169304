/* The arrange method's payloads survive packing whole, and nothing malformed
 * gets through. */
#include "compare.h"
#include "proto/arrange.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const codec_shape *shape_named(const char *name)
{
    for (const codec_shape *const *shape = arrange_shapes; *shape; shape++) {
        if (strcmp((*shape)->descriptor->short_name, name) == 0)
            return *shape;
    }
    return NULL;
}

static etna_code config_through(const arrange_config *in,
                                etna_arena *arena,
                                arrange_config *ret)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = arrange_config_pack(in, &data, &size, NULL);
    if (!code)
        code = arrange_config_unpack(data, size, arena, ret, NULL);
    free(data);
    return code;
}

static etna_code task_through(const arrange_task *in,
                              etna_arena *arena,
                              arrange_task *ret)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = arrange_task_pack(in, &data, &size, NULL);
    if (!code)
        code = arrange_task_unpack(data, size, arena, ret, NULL);
    free(data);
    return code;
}

static etna_code result_through(const arrange_result *in,
                                etna_arena *arena,
                                arrange_result *ret)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = arrange_result_pack(in, &data, &size, NULL);
    if (!code)
        code = arrange_result_unpack(data, size, arena, ret, NULL);
    free(data);
    return code;
}

static void every_field_comes_back(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_config config = sample_config(), config_out;
    assert_int_equal(config_through(&config, &arena, &config_out), ETNA_OK);
    assert_null(compare_shape(shape_named("Config"), &config, &config_out));
    config.goal = "Put all three bottles on the yellow block";
    config.step_count = 0;
    config.images = true;
    assert_int_equal(config_through(&config, &arena, &config_out), ETNA_OK);
    assert_null(compare_shape(shape_named("Config"), &config, &config_out));

    arrange_task task = sample_task(), task_out;
    assert_null(unfilled_field(shape_named("Task"), &task));
    assert_int_equal(task_through(&task, &arena, &task_out), ETNA_OK);
    assert_null(compare_shape(shape_named("Task"), &task, &task_out));

    arrange_result result = sample_result(), result_out;
    assert_null(unfilled_field(shape_named("Result"), &result));
    assert_int_equal(result_through(&result, &arena, &result_out), ETNA_OK);
    assert_null(compare_shape(shape_named("Result"), &result, &result_out));
    etna_arena_free(&arena);
}

static void the_default_config_lacks_only_scene_and_goal(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_config config = arrange_config_default(), out;
    assert_int_equal(config_through(&config, &arena, &out), ETNA_E_MESSAGE);
    config.scene = sample_hash(1);
    assert_int_equal(config_through(&config, &arena, &out), ETNA_E_MESSAGE);
    config.goal = "x";
    assert_int_equal(config_through(&config, &arena, &out), ETNA_OK);
    assert_int_equal(out.branches, 4);
    assert_int_equal(out.polls, 3);
    assert_int_equal(out.max_steps, 6);
    assert_int_equal(out.max_backtracks, 8);
    assert_int_equal(out.early_end, EARLY_END_FIRST);
    assert_int_equal(out.anchor, ANCHOR_HALF_ANCHOR);
    assert_string_equal(out.model, "builtin");
    etna_arena_free(&arena);
}

static void absent_fields_of_a_config_are_the_defaults(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    uint8_t data[2 + 32 + 2 + 1] = {0x0a, 32, 1};  /* scene */
    data[34] = 0x1a, data[35] = 1, data[36] = 'x'; /* goal */
    arrange_config out;
    assert_int_equal(
        arrange_config_unpack(data, sizeof data, &arena, &out, NULL), ETNA_OK);
    assert_int_equal(out.branches, 4);
    assert_true(out.images);
    assert_string_equal(out.goal, "x");
    etna_arena_free(&arena);
}

static void bad_configs_are_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_config out, good = sample_config(), bad[10];
    for (int i = 0; i < 10; i++)
        bad[i] = good;
    bad[0].goal = "both a goal and steps";
    bad[1].step_count = 0;
    bad[2].branches = ARRANGE_BRANCHES_MAX + 1;
    bad[3].branches = 0;
    bad[4].polls = ARRANGE_POLLS_MAX + 1;
    bad[5].early_end = EARLY_END_OFF + 1;
    bad[6].anchor = 0;
    bad[7].max_steps = ARRANGE_STEPS_MAX + 1;
    bad[8].model = "";
    bad[9].camera = "\xff";
    for (int i = 0; i < 10; i++)
        assert_int_equal(config_through(&bad[i], &arena, &out), ETNA_E_MESSAGE);
    etna_arena_free(&arena);
}

static void numbers_must_be_finite(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_result out, result = sample_result();
    result.loss = NAN;
    assert_int_equal(result_through(&result, &arena, &out), ETNA_E_MESSAGE);
    result.loss = -INFINITY;
    assert_int_equal(result_through(&result, &arena, &out), ETNA_E_MESSAGE);
    result.loss = 1.7976931348623157e308;
    assert_int_equal(result_through(&result, &arena, &out), ETNA_OK);

    /* The same from the wire, where no packer of ours looked: the loss's eight
     * bytes made NaN. */
    uint8_t *data;
    size_t size;
    assert_int_equal(arrange_result_pack(&result, &data, &size, NULL), ETNA_OK);
    uint64_t most = UINT64_C(0x7fefffffffffffff),
             nan_bits = UINT64_C(0x7ff8000000000000);
    size_t at = 0;
    while (at + 8 <= size && memcmp(data + at, &most, 8) != 0)
        at++;
    assert_true(at + 8 <= size);
    memcpy(data + at, &nan_bits, 8);
    assert_int_equal(arrange_result_unpack(data, size, &arena, &out, NULL),
                     ETNA_E_MESSAGE);
    free(data);
    etna_arena_free(&arena);
}

static void half_a_result_is_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_result out, result = {0};
    for (uint32_t kind = TASK_NONE; kind < TASK_KIND_COUNT; kind++) {
        result.kind = kind;
        etna_code expected =
            kind == TASK_POLL || kind == TASK_JUDGE || kind == TASK_READ
                ? ETNA_OK
                : ETNA_E_MESSAGE;
        assert_int_equal(result_through(&result, &arena, &out), expected);
    }
    result = (arrange_result){.kind = TASK_BRANCH,
                              .branch_status = BRANCH_COLLISION,
                              .reason = "hits the block"};
    assert_int_equal(result_through(&result, &arena, &out), ETNA_OK);
    result.branch_status = BRANCH_VALID; /* and no snapshot */
    assert_int_equal(result_through(&result, &arena, &out), ETNA_E_MESSAGE);
    etna_arena_free(&arena);
}

static void full_memories_fit_and_longer_ones_are_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_task out, task = sample_task();
    arrange_failure *failures =
        calloc(ARRANGE_MEMORY_MAX + 1, sizeof *failures);
    arrange_given_up *given_up =
        calloc(ARRANGE_MEMORY_MAX + 1, sizeof *given_up);
    for (int i = 0; i <= ARRANGE_MEMORY_MAX; i++) {
        failures[i] = task.failures[0];
        given_up[i] = task.given_up[0];
    }
    task.failures = failures;
    task.given_up = given_up;
    task.failure_count = task.given_up_count = ARRANGE_MEMORY_MAX;
    assert_int_equal(task_through(&task, &arena, &out), ETNA_OK);
    assert_null(compare_shape(shape_named("Task"), &task, &out));
    task.failure_count++;
    assert_int_equal(task_through(&task, &arena, &out), ETNA_E_LIMIT);
    free(failures);
    free(given_up);
    etna_arena_free(&arena);
}

static void every_prefix_is_refused_or_well_formed(void **state)
{
    (void)state;
    arrange_task task = sample_task(), out;
    uint8_t *data;
    size_t size;
    assert_int_equal(arrange_task_pack(&task, &data, &size, NULL), ETNA_OK);
    for (size_t n = 0; n < size; n++) {
        etna_arena arena = ETNA_ARENA_INIT;
        uint8_t *cut = malloc(n ? n : 1);
        memcpy(cut, data, n);
        etna_error err = {0};
        if (arrange_task_unpack(cut, n, &arena, &out, &err))
            assert_true(err.text[0]);
        free(cut);
        etna_arena_free(&arena);
    }
    free(data);
}

static void names_are_known_and_the_unknown_is_safe(void **state)
{
    (void)state;
    assert_string_equal(task_kind_name(TASK_BRANCH), "branch");
    assert_string_equal(task_kind_name(TASK_KIND_COUNT), "unknown");
    assert_string_equal(arrange_verdict_name(VERDICT_ABSTAIN), "abstain");
    assert_string_equal(arrange_verdict_name(VERDICT_EXCELLENT), "excellent");
    assert_string_equal(arrange_verdict_name(99), "unknown");
    assert_string_equal(arrange_branch_status_name(BRANCH_REPEATED),
                        "repeated");
    assert_string_equal(arrange_branch_status_name(0), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(the_default_config_lacks_only_scene_and_goal),
        cmocka_unit_test(absent_fields_of_a_config_are_the_defaults),
        cmocka_unit_test(bad_configs_are_refused),
        cmocka_unit_test(numbers_must_be_finite),
        cmocka_unit_test(half_a_result_is_refused),
        cmocka_unit_test(full_memories_fit_and_longer_ones_are_refused),
        cmocka_unit_test(every_prefix_is_refused_or_well_formed),
        cmocka_unit_test(names_are_known_and_the_unknown_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
