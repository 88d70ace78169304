/* The document of a run and the files made from it: whole or not at all, and
 * never over the scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/output.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/usage.h"
#include "proto/usage.h"
#include "tests/support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ok(expression) assert_int_equal((expression), ETNA_OK)

static etna_hash blob(const char *text)
{
    return etna_hash_bytes(text, strlen(text));
}

/* A run of two edits, its images and its result, with a name no JSON writer
 * should stumble over. */
static core_run_view sample(arrange_config *config,
                            arrange_edit edits[2],
                            etna_hash images[3])
{
    *config = arrange_config_default();
    config->scene_name = "my \"scene\".glb";
    config->goal = "tidy up";
    edits[0] = (arrange_edit){.step = 1,
                              .instruction = "first",
                              .object = "Mug\n",
                              .plane = "Desk_1",
                              .snapshot = blob("s1"),
                              .score = 1.5,
                              .branches = 4};
    edits[1] = (arrange_edit){.step = 2,
                              .instruction = "second",
                              .object = "\xff",
                              .plane = "Desk_1",
                              .snapshot = blob("s2"),
                              .score = 2,
                              .branches = 1};
    images[0] = blob("image 0");
    images[1] = blob("image 1");
    images[2] = (etna_hash){{0}};
    core_run_view view = {.state = RUN_COMPLETE,
                          .reason = "done",
                          .config = config,
                          .backtracks = 3,
                          .wall_ms = 1500,
                          .cpu_us = 700000,
                          .edit_count = 2};
    view.edits = edits;
    view.images = images;
    view.final_snapshot = blob("s2");
    view.result = blob("the result");
    view.used = (message_usage){.tokens_in = 10, .tokens_out = 20};
    return view;
}

static etna_code fetch(void *context,
                       const etna_hash *hash,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    static const char *const texts[] = {"image 0", "image 1", "the result"};
    for (size_t i = 0; i < 3; i++) {
        etna_hash one = blob(texts[i]);
        if (!etna_hash_equal(&one, hash))
            continue;
        if (context && *(const char **)context == texts[i])
            break; /* this one is missing */
        *ret_size = strlen(texts[i]);
        *ret_data = malloc(*ret_size);
        memcpy(*ret_data, texts[i], *ret_size);
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_NOTFOUND, "no such blob");
}

static void holds(const char *directory, const char *name, const char *wanted)
{
    char path[128], text[64] = "";
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "re");
    if (!wanted) {
        assert_null(file);
        return;
    }
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
}

static long long told(const json_t *row, const char *sum, const char *what)
{
    return (long long)json_integer_value(
        json_object_get(json_object_get(row, sum), what));
}

static void cause_is(core_run_view *view,
                     const char *where,
                     const char *code,
                     const char *what)
{
    json_t *d = run_json_of(view);
    const json_t *cause = json_object_get(d, where);
    assert_string_equal(json_string_value(json_object_get(d, "schema")),
                        "etna.run/1");
    assert_int_equal(cause != NULL, code != NULL);
    if (code)
        assert_string_equal(json_string_value(json_object_get(cause, "code")),
                            code);
    if (code)
        assert_string_equal(json_string_value(json_object_get(cause, "what")),
                            what);
    json_decref(d);
}

static void what_stood_in_the_way_is_in_the_document(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    view.refusal = (arrange_refusal){
        .code = REFUSAL_NO_PLACE, .what = "it is full", .from = 1, .to = 3};
    cause_is(&view, "failure", NULL, NULL); /* it got past it */
    view.state = RUN_PARTIAL;
    cause_is(&view, "failure", "no_place", "it is full");
    json_t *d = run_json_of(&view),
           *span = json_object_get(json_object_get(d, "failure"), "span");
    assert_int_equal(json_integer_value(json_array_get(span, 1)), 3);
    json_decref(d);
    view.error = ETNA_E_IO;
    cause_is(&view, "error", "i/o", "done");
    view.state = RUN_FAILED;
    view.error = ETNA_E_INPUT;
    view.refusal.code = REFUSAL_UNREAD;
    view.end.kind = END_UNREADABLE;
    cause_is(&view, "error", "unread", "it is full");
}

static void what_of_a_list_is_not_done_is_in_the_document(void **state)
{
    (void)state;
    static const char *const steps[] = {"put it down", "put the vase down"};
    const core_passed passed = {2,
                                2,
                                {.code = REFUSAL_UNKNOWN,
                                 .what = "there is no vase",
                                 .where = "",
                                 .advice = "",
                                 .from = 4,
                                 .to = 8}};
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    config.goal = NULL;
    config.steps = steps;
    config.step_count = 2;
    view.state = RUN_PARTIAL;
    view.end.kind = END_PASSED_OVER;
    view.refusal = passed.refusal;
    view.passed_count = 1;
    view.passed = &passed;
    json_t *d = run_json_of(&view),
           *row = json_array_get(json_object_get(d, "passed_over"), 0);
    assert_int_equal(json_integer_value(json_object_get(d, "exit_code")), 1);
    assert_int_equal(json_integer_value(json_object_get(row, "item")), 2);
    assert_string_equal(json_string_value(json_object_get(row, "instruction")),
                        "put the vase down");
    assert_string_equal(json_string_value(json_object_get(row, "code")),
                        "unknown");
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(row, "span"), 1)), 8);
    assert_string_equal(
        json_string_value(json_object_get(d, "why")),
        "1 of 2 instructions is not done; instruction 2: there is no vase");
    json_decref(d);
}

/* Also where none of them had a place, and the run has failed: where the first
 * of them was tried says less. */
static void the_one_of_several_that_is_not_done_is_named(void **state)
{
    (void)state;
    const core_passed passed = {1,
                                1,
                                {.code = REFUSAL_IMPOSSIBLE,
                                 .what = "the doll house is too large",
                                 .where = "doll house",
                                 .advice = "take a larger box",
                                 .part = {.from = 0, .to = 23, .thing = 4}}};
    static const core_end_kind ends[] = {END_PASSED_OVER, END_IDENTICAL};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        arrange_config config;
        arrange_edit edits[2];
        etna_hash images[3];
        core_run_view view = sample(&config, edits, images);
        config.goal = "Put the toys in the box, please";
        view.state = ends[i] == END_IDENTICAL ? RUN_FAILED : RUN_PARTIAL;
        view.end.kind = ends[i];
        view.refusal = passed.refusal;
        view.passed_count = 1;
        view.passed = &passed;
        json_t *d = run_json_of(&view),
               *row = json_array_get(json_object_get(d, "passed_over"), 0);
        assert_string_equal(json_string_value(json_object_get(row, "thing")),
                            "doll house");
        assert_string_equal(
            json_string_value(json_object_get(d, "why")),
            "1 part of the goal is not done; doll house of \"Put the toys in the box\": the doll house is too large");
        json_decref(d);
    }
}

static void edits_say_which_instruction_they_serve(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    edits[1].item = 3;
    json_t *d = run_json_of(&view), *steps = json_object_get(d, "steps");
    assert_null(json_object_get(json_array_get(steps, 0), "item"));
    assert_int_equal(
        json_integer_value(json_object_get(json_array_get(steps, 1), "item")),
        3);
    json_decref(d);
}

/* What the first line names would not have the thing; what another names
 * had. */
static void an_edit_is_told_by_where_it_came_to_stand(void **state)
{
    (void)state;
    static const char first[] = "Put \"Mug\" on \"Chair\" at (1, 2, 3)";
    static const struct {
        const char *plane, *others, *told;
    } rows[] = {
        {"Chair", "\nor on \"Desk\" at (4, 5, 6)\nor on \"Chair\" at (7, 8, 9)",
         "Put \"Mug\" on \"Chair\" at (1, 2, 3)."},
        {"Desk", "\nor at (1, 1, 3)\nor on \"Desk\" at (4, 5, 6)",
         "Put \"Mug\" on \"Desk\" at (4, 5, 6)."},
        {"Desk", "\nor in \"Desk\" at (4, 5, 6)\nor at (1, 1, 3)",
         "Put \"Mug\" in \"Desk\" at (4, 5, 6)."},
        {"Shelf", "\nor on \"Desk\" at (4, 5, 6)",
         "Put \"Mug\" on \"Chair\" at (1, 2, 3)."},
        {"", "\nor on \"Desk\" at (4, 5, 6)",
         "Put \"Mug\" on \"Chair\" at (1, 2, 3)."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arrange_config config;
        arrange_edit edits[2];
        etna_hash images[3];
        char said[200];
        core_run_view view = sample(&config, edits, images);
        snprintf(said, sizeof said, "%s%s.", first, rows[i].others);
        edits[0].instruction = said;
        edits[0].object = "Mug";
        edits[0].plane = rows[i].plane;
        json_t *d = run_json_of(&view);
        json_t *step = json_array_get(json_object_get(d, "steps"), 0);
        assert_string_equal(
            json_string_value(json_object_get(step, "instruction")),
            rows[i].told);
        json_decref(d);
    }
}

/* Accounts told by step, role and model: each list is the whole. Two nodes of
 * one step are one line of it. */
static void what_models_cost_is_told_three_ways(void **state)
{
    (void)state;
    static const char *const lists[] = {"by_step", "by_role", "by_model"};
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    core_node_view nodes[3] = {{.number = 1, .step = 1},
                               {.number = 2, .step = 2},
                               {.number = 3, .step = 1}};
    core_account accounts[5] = {
        {.node = 0, .role = ROLE_NONE, .model = "b", .lost = {.tokens_in = 1}},
        {.node = 1, .role = ROLE_PLANNER, .model = "a"},
        {.node = 2, .role = ROLE_EXECUTOR, .model = "<b>"},
        {.node = 3, .role = ROLE_PLANNER, .model = "a"},
        {.node = 3, .role = ROLE_PLANNER, .model = "b"}};
    for (uint32_t i = 0; i < 5; i++) {
        accounts[i].used = (message_usage){
            .tokens_in = 1 + i, .tokens_out = 10 * i, .calls = 1};
        accounts[i].spent = (message_usage){
            .tokens_in = 100 + i, .cost_micros = 1500000 * i, .calls = 2};
        message_usage_add(&view.lost, &accounts[i].lost);
        message_usage_add(&view.spent, &accounts[i].spent);
    }
    view.nodes = nodes;
    view.node_count = 3;
    view.accounts = accounts;
    view.account_count = 5;
    config.models = "{\"currency\":\"EUR\"";
    json_t *d = run_json_of(&view), *usage = json_object_get(d, "usage"), *row;
    static const size_t rows[] = {3, 3, 3};
    for (size_t l = 0; l < 3; l++) {
        size_t i;
        long long used = 0, spent = 0, lost = 0;
        json_array_foreach(json_object_get(usage, lists[l]), i, row)
        {
            used += told(row, "used", "in");
            spent += told(row, "spent", "in");
            lost += told(row, "lost", "in");
        }
        assert_int_equal(i, rows[l]);
        assert_int_equal(used, 1 + 2 + 3 + 4 + 5);
        assert_int_equal(spent, told(usage, "spent", "in"));
        assert_int_equal(lost, told(usage, "lost", "in"));
    }
    row = json_array_get(json_object_get(usage, "by_step"), 1);
    assert_int_equal(json_integer_value(json_object_get(row, "step")), 1);
    assert_int_equal(told(row, "used", "in"), 2 + 4 + 5);
    assert_true(json_number_value(json_object_get(json_object_get(row, "spent"),
                                                  "cost")) == 1.5 + 4.5 + 6);
    assert_string_equal(json_string_value(json_object_get(usage, "currency")),
                        ""); /* of a list that is none */
    page p = {0};
    usage_page(&p, d);
    assert_non_null(strstr(p.data, "&lt;b&gt;"));
    assert_non_null(strstr(p.data, "before the first step"));
    assert_null(strstr(p.data, "<b>"));
    page_free(&p);
    json_decref(d);
}

/* A kept edit's scene is written as a GLB, so its snapshot is not; what nobody
 * decided about depends on who was first. */
static void snapshots_of_judged_branches_are_written_once(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3], scenes[3] = {{{0}}};
    char folder[FOLDER_SIZE];
    core_run_view view = sample(&config, edits, images);
    core_branch_view branches[5] = {
        {.state = BRANCH_ACCEPTED, .snapshot = blob("s1")},
        {.state = BRANCH_REJECTED, .snapshot = blob("image 1")},
        {.state = BRANCH_UNJUDGED, .snapshot = blob("image 1")},
        {.state = BRANCH_FAILED},
        {.state = BRANCH_DROPPED, .snapshot = blob("image 0")}};
    for (int i = 0; i < 5; i++)
        branches[i].obstacle.plane = "";
    core_node_view node = {.number = 1,
                           .step = 1,
                           .winner = 0,
                           .branch_count = 5,
                           .branches = branches};
    view.nodes = &node;
    view.node_count = 1;
    view.scenes = scenes;
    json_t *d = run_json_of(&view);
    assert_null(json_object_get(d, "tried_blobs")); /* nobody asked for them */
    json_decref(d);
    config.step_scenes = true;
    d = run_json_of(&view);
    assert_int_equal(json_array_size(json_object_get(d, "tried_blobs")), 1);
    const json_t *told = json_object_get(
        json_array_get(json_object_get(d, "tree"), 0), "branches");
    assert_true(
        json_equal(json_object_get(json_array_get(told, 1), "snapshot"),
                   json_array_get(json_object_get(d, "tried_blobs"), 0)));
    json_object_set_new(d, "scene_blobs", json_array());
    folder_make(folder);
    ok(output_write(folder, d, fetch, NULL, NULL));
    holds(folder, "tried-01.snapshot", "image 1");
    holds(folder, "tried-02.snapshot", NULL);
    /* the next run there judged no other branch */
    json_object_set_new(d, "tried_blobs", json_array());
    ok(output_write(folder, d, fetch, NULL, NULL));
    holds(folder, "tried-01.snapshot", NULL);
    json_decref(d);
    folder_remove(folder);
}

static char *printed(const json_t *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    usage_print(to, d);
    fclose(to);
    return text;
}

/* It counts what it reads, which is millions; people are told what costs
 * something, programs both. */
static void what_the_built_in_agent_reads_is_counted_apart(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    core_account accounts[3] = {{.role = ROLE_PLANNER, .model = "builtin"},
                                {.role = ROLE_EVALUATOR, .model = "builtin"},
                                {.role = ROLE_PLANNER, .model = "paid"}};
    for (uint32_t i = 0; i < 3; i++) {
        accounts[i].used = accounts[i].spent =
            (message_usage){.tokens_in = i < 2 ? 7000000 : 345,
                            .tokens_out = i < 2 ? 8000 : 67,
                            .calls = 1 + i};
        message_usage_add(&view.spent, &accounts[i].spent);
    }
    view.used = view.spent;
    view.accounts = accounts;
    view.account_count = 2;
    long long in = 1, out = 1;
    view.used = view.spent =
        (message_usage){.tokens_in = 14000000, .tokens_out = 16000, .calls = 3};
    json_t *d = run_json_of(&view);
    char *text = printed(d);
    page p = {0};
    assert_false(usage_tokens(d, &in, &out));
    assert_string_equal(
        text,
        "\ntokens: none; the built-in agent answered 3 times and costs nothing\n");
    usage_page(&p, d);
    assert_true(!p.data || !*p.data);
    page_free(&p);
    free(text);
    json_decref(d);

    view.account_count = 3;
    view.used = view.spent =
        (message_usage){.tokens_in = 14000345, .tokens_out = 16067, .calls = 6};
    d = run_json_of(&view);
    text = printed(d);
    assert_true(usage_tokens(d, &in, &out));
    assert_true(in == 345 && out == 67);
    assert_int_equal(told(d, "tokens", "in"), 14000345); /* as it was */
    assert_int_equal(told(json_object_get(d, "usage"), "used", "in"), 14000345);
    assert_int_equal(told(json_object_get(json_object_get(d, "usage"), "free"),
                          "used", "in"),
                     14000000);
    assert_null(strstr(text, "7000"));
    assert_null(strstr(text, "evaluator"));
    assert_null(strstr(text, "\n  builtin"));
    assert_non_null(strstr(
        text, "in all                   used 345 in (0 cached), 67 out"));
    assert_non_null(strstr(
        text,
        "\n  not counted: the built-in agent answered 3 times and costs nothing\n"));
    p = (page){0};
    usage_page(&p, d);
    assert_null(strstr(p.data, "7000"));
    assert_non_null(strstr(p.data, "345 / 67"));
    assert_non_null(strstr(p.data, "answered 3 times and costs nothing"));
    page_free(&p);
    free(text);
    json_decref(d);
}

static void the_document_has_the_fixed_fields(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    json_t *d = run_json_of(&view);
    assert_non_null(d);
    assert_string_equal(json_string_value(json_object_get(d, "status")),
                        "complete");
    assert_int_equal(strlen(json_string_value(json_object_get(d, "run"))), 32);
    assert_int_equal(
        strlen(json_string_value(json_object_get(d, "final_snapshot"))), 64);
    assert_int_equal(json_integer_value(json_object_get(d, "backtracks")), 3);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(d, "tokens"), "in")),
        10);
    assert_int_equal(json_integer_value(
                         json_object_get(json_object_get(d, "tokens"), "out")),
                     20);
    assert_true(json_real_value(json_object_get(d, "wall_s")) == 1.5);
    assert_true(json_real_value(json_object_get(d, "compute_s")) == 0.7);
    assert_int_equal(json_integer_value(json_object_get(d, "exit_code")), 0);
    json_t *step = json_array_get(json_object_get(d, "steps"), 0);
    assert_int_equal(json_array_size(json_object_get(d, "steps")), 2);
    assert_string_equal(json_string_value(json_object_get(step, "instruction")),
                        "first");
    assert_string_equal(json_string_value(json_object_get(step, "object")),
                        "Mug\n");
    assert_true(json_real_value(json_object_get(step, "score")) == 1.5);
    assert_int_equal(json_integer_value(json_object_get(step, "branches")), 4);
    assert_true(json_is_string(json_object_get(step, "snapshot")));
    json_decref(d);
    view.state = RUN_FAILED;
    view.error = ETNA_E_INPUT;
    d = run_json_of(&view);
    assert_int_equal(json_integer_value(json_object_get(d, "exit_code")), 3);
    json_decref(d);
    view.state = RUN_PARTIAL;
    view.error = ETNA_OK;
    d = run_json_of(&view);
    assert_int_equal(json_integer_value(json_object_get(d, "exit_code")), 1);
    json_decref(d);
}

static void a_report_goes_through_the_wire(void **state)
{
    (void)state;
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    uint8_t *data, *again;
    size_t size, same;
    json_t *d, *own = run_json_of(&view);
    ok(run_json_report(NULL, &view, &data, &size, NULL));
    ok(run_json_report(NULL, &view, &again, &same, NULL));
    assert_int_equal(size, same);
    assert_memory_equal(data, again, size);
    ok(run_json_parse(data, size, &d, NULL));
    assert_true(json_equal(d, own));
    json_decref(d);
    json_decref(own);
    for (size_t cut = 0; cut < size; cut += 7)
        assert_int_equal(run_json_parse(data, cut, &d, NULL), ETNA_E_MESSAGE);
    static const char *const bad[] = {"[]", "{}", "{\"run\":1}", "nonsense"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            run_json_parse((const uint8_t *)bad[i], strlen(bad[i]), &d, NULL),
            ETNA_E_MESSAGE);
    free(data);
    free(again);
}

static void files_are_written_whole_and_stale_ones_removed(void **state)
{
    (void)state;
    char base[FOLDER_SIZE], directory[80];
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    json_t *d = run_json_of(&view);
    folder_make(base);
    snprintf(directory, sizeof directory, "%s/deep", base);
    ok(output_check(directory, "/none.glb", NULL));
    ok(output_write(directory, d, fetch, NULL, NULL));
    holds(directory, "step-00.png", "image 0");
    holds(directory, "step-01.png", "image 1");
    holds(directory, "step-02.png", NULL); /* there is no such image */
    holds(directory, "result.glb", "the result");
    holds(directory, "run.json", "{");
    holds(directory, "report.html", "<!DOCTYPE html>");
    assert_int_equal(folder_count(directory), 5); /* and nothing half-written */
    json_decref(d);
    /* a failed run into the same folder: what was there would mislead */
    view.edit_count = 0;
    view.result = (etna_hash){{0}};
    d = run_json_of(&view);
    ok(output_write(directory, d, fetch, NULL, NULL));
    holds(directory, "step-01.png", NULL);
    holds(directory, "result.glb", NULL);
    holds(directory, "report.html", "<!DOCTYPE html>"); /* why it failed */
    assert_int_equal(folder_count(directory), 3);
    json_decref(d);
    folder_remove(base);
}

static void a_missing_blob_or_a_full_disk_leaves_no_half_file(void **state)
{
    (void)state;
    char directory[FOLDER_SIZE];
    arrange_config config;
    arrange_edit edits[2];
    etna_hash images[3];
    core_run_view view = sample(&config, edits, images);
    json_t *d = run_json_of(&view);
    etna_error err;
    folder_make(directory);
    etna_hash nowhere = blob("nowhere");
    json_t *changed = json_deep_copy(d);
    char hex[65];
    etna_hash_hex(&nowhere, hex);
    json_object_set_new(changed, "result_blob", json_string(hex));
    assert_int_equal(output_write(directory, changed, fetch, NULL, &err),
                     ETNA_E_NOTFOUND);
    holds(directory, "result.glb", NULL);
    holds(directory, "run.json", NULL);
    json_decref(changed);
    json_decref(d);
    assert_int_equal(output_check("/dev/null", NULL, &err), ETNA_E_USAGE);
    assert_int_equal(output_check("/dev/null/deep/out", NULL, &err),
                     ETNA_E_IO); /* before the run, not after it */
    char deep[64];
    snprintf(deep, sizeof deep, "%s/not/yet/there/", directory);
    ok(output_check(deep, NULL, &err));
    ok(output_check("/", NULL, &err));
    ok(output_check("not-yet-there", NULL, &err));
    snprintf(deep, sizeof deep, "%s/journal", directory);
    assert_int_equal(mkdir(deep, 0700), 0);
    ok(output_check(directory, NULL, &err));
    snprintf(deep, sizeof deep, "%s/journal/data.mdb", directory);
    fclose(fopen(deep, "we"));
    assert_int_equal(output_check(directory, NULL, &err), ETNA_E_USAGE);
    folder_remove(directory);
}

static void the_scene_itself_is_never_overwritten(void **state)
{
    (void)state;
    char directory[FOLDER_SIZE], scene[64], link_path[64];
    etna_error err;
    folder_make(directory);
    snprintf(scene, sizeof scene, "%s/result.glb", directory);
    fclose(fopen(scene, "we"));
    snprintf(link_path, sizeof link_path, "%s/other.glb", directory);
    assert_int_equal(link(scene, link_path), 0);
    assert_int_equal(output_check(directory, scene, &err), ETNA_E_USAGE);
    assert_int_equal(output_check(directory, link_path, &err), ETNA_E_USAGE);
    ok(output_check(directory, NULL, &err));
    folder_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_has_the_fixed_fields),
        cmocka_unit_test(what_stood_in_the_way_is_in_the_document),
        cmocka_unit_test(what_of_a_list_is_not_done_is_in_the_document),
        cmocka_unit_test(the_one_of_several_that_is_not_done_is_named),
        cmocka_unit_test(an_edit_is_told_by_where_it_came_to_stand),
        cmocka_unit_test(edits_say_which_instruction_they_serve),
        cmocka_unit_test(what_models_cost_is_told_three_ways),
        cmocka_unit_test(snapshots_of_judged_branches_are_written_once),
        cmocka_unit_test(what_the_built_in_agent_reads_is_counted_apart),
        cmocka_unit_test(a_report_goes_through_the_wire),
        cmocka_unit_test(files_are_written_whole_and_stale_ones_removed),
        cmocka_unit_test(a_missing_blob_or_a_full_disk_leaves_no_half_file),
        cmocka_unit_test(the_scene_itself_is_never_overwritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
