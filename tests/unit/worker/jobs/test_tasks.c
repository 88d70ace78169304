/* A whole step without coordinator or network: import, plan, branches, polls,
 * render, export on a generated scene. */
#include "tests/support/gltf_builder.h"
#include "tests/unit/worker/jobs/host.h"
#include "worker/assets/lot.h"
#include "worker/gltf/bundle.h"
#include "worker/jobs/image_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void open_world(host *w, const char *file, const char *goal)
{
    char path[4096];
    etna_error err = {0};
    uint8_t *bundle;
    size_t size;
    scene_options options = scene_options_default();
    host_open(w);
    snprintf(path, sizeof path, "%s/scenes/%s", ETNA_BINARY_DIR, file);
    assert_int_equal(bundle_read(path, &options, &bundle, &size, &err),
                     ETNA_OK);
    assert_true(host_import(w, bundle, size, goal, NULL).movable_count >= 3);
}

static arrange_result plan(host *w, const char *goal)
{
    arrange_task task = host_task(w, TASK_PLAN);
    task.goal = goal;
    return host_do(w, &task);
}

static arrange_task branch_task(const host *w,
                                const arrange_result *planned,
                                uint32_t branch)
{
    arrange_task task = host_task(w, TASK_BRANCH);
    task.branch = branch;
    task.instruction = planned->instruction;
    memcpy(task.coordinate, planned->coordinate, sizeof task.coordinate);
    task.coordinate_is_bottom = planned->coordinate_is_bottom;
    return task;
}

static void a_step_from_sentence_to_verdict(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", "Put the red bottle on the yellow block");
    arrange_result planned = plan(&w, "Put the red bottle on the yellow block");
    assert_int_equal(planned.plan_status, PLAN_EDIT);
    uint32_t valid = 0;
    for (uint32_t b = 0; b < 4; b++) {
        arrange_task task = branch_task(&w, &planned, b);
        arrange_result branch = host_do(&w, &task);
        print_message("branch %u: %s %s %s\n", b,
                      arrange_branch_status_name(branch.branch_status),
                      branch.object, branch.reason);
        if (branch.branch_status != BRANCH_VALID)
            continue;
        valid++;
        assert_true(host_has(&w, &branch.snapshot));
        arrange_task poll = host_task(&w, TASK_POLL);
        poll.branch = b;
        poll.instruction = planned.instruction;
        poll.object = branch.object;
        poll.planes = branch.plane;
        poll.after = branch.snapshot;
        memcpy(poll.coordinate, planned.coordinate, sizeof poll.coordinate);
        poll.coordinate_is_bottom = planned.coordinate_is_bottom;
        arrange_result verdict = host_do(&w, &poll);
        print_message("  %s: %s\n", arrange_verdict_name(verdict.verdict),
                      verdict.reason);
        assert_true(verdict.verdict >= VERDICT_GOOD);
    }
    assert_true(valid >= 1);
    host_close(&w);
}

static void a_dropped_job_gives_the_same_result_again(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", "Put the red bottle on the yellow block");
    arrange_result planned = plan(&w, "Put the red bottle on the yellow block");
    arrange_task task = branch_task(&w, &planned, 0);
    arrange_result first = host_do(&w, &task);
    for (uint32_t n = 1; n < 24; n += 3) {
        w.drop_after = n;
        arrange_result again = host_do(&w, &task);
        assert_int_equal(again.branch_status, first.branch_status);
        assert_memory_equal(&again.snapshot, &first.snapshot,
                            sizeof again.snapshot);
        assert_memory_equal(&again.pose, &first.pose, sizeof again.pose);
        assert_memory_equal(&again.loss, &first.loss, sizeof again.loss);
    }
    host_close(&w);
}

static void a_render_is_a_png_and_an_export_is_a_glb(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", NULL);
    arrange_task render = host_task(&w, TASK_RENDER),
                 export = host_task(&w, TASK_EXPORT);
    render.width = 320;
    size_t size;
    arrange_result result = host_do(&w, &render);
    assert_memory_equal(host_get(&w, &result.blob, &size), "\x89PNG", 4);
    result = host_do(&w, &export);
    assert_memory_equal(host_get(&w, &result.blob, &size), "glTF", 4);
    host_close(&w);
}

/* The lot is no scene: what comes of it is what lot_read says, and a lot that is
 * none ends the task. */
static void an_asset_task_reads_its_lot(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", NULL);
    size_t bundle_size, lot_size, size, read_size;
    const lot_item item = {.stamp = {{7}},
                           .known = {{8}},
                           .bundle = host_get(&w, &w.scene, &bundle_size),
                           .size = bundle_size};
    uint8_t *lot, *expected;
    assert_int_equal(lot_pack(&item, 1, &lot, &lot_size, NULL), ETNA_OK);
    assert_int_equal(lot_read(lot, lot_size, &expected, &size, NULL), ETNA_OK);
    arrange_task task = host_task(&w, TASK_ASSET);
    task.scene = host_put(&w, lot, lot_size);
    arrange_result result = host_do(&w, &task);
    const uint8_t *read = host_get(&w, &result.blob, &read_size);
    assert_int_equal(read_size, size);
    assert_memory_equal(read, expected, size);
    free(lot);
    free(expected);
    host_close(&w);
}

/* Has the request's first picture the grid? */
static bool is_measured(const model_request *request)
{
    for (uint32_t m = 0; m < request->message_count; m++) {
        for (uint32_t i = 0; i < request->messages[m].part_count; i++) {
            const model_part *part = &request->messages[m].parts[i];
            if (part->kind == MODEL_IMAGE)
                return part->image.grid;
        }
    }
    return false;
}

/* Draws the images of a request twice, small and as JPEG: the second time they
 * are there already. */
static void draw(host *h, job *j, const model_request *request)
{
    const models_model model = {.image_side = {0, 96, 80, 64, 64},
                                .image_quality =
                                    request->role == ROLE_PLANNER ? 60 : 0};
    const model_image *first = NULL;
    for (uint32_t m = 0; m < request->message_count && !first; m++) {
        for (uint32_t p = 0; p < request->messages[m].part_count && !first;
             p++) {
            if (request->messages[m].parts[p].kind == MODEL_IMAGE)
                first = &request->messages[m].parts[p].image;
        }
    }
    assert_non_null(first);
    const provider_image *files[2];
    job_images *pictures[2];
    for (int i = 0; i < 2; i++) {
        etna_error err = {0};
        etna_hash hash;
        size_t size;
        assert_int_equal(
            job_images_open(j, request, &model, &pictures[i], &err), ETNA_OK);
        while (job_images_want(pictures[i], &hash)) {
            assert_int_equal(i, 0);
            const uint8_t *data = host_get(h, &hash, &size);
            assert_non_null(data);
            assert_int_equal(
                job_images_give(pictures[i], &hash, data, size, &err), ETNA_OK);
        }
        if (job_images_make(pictures[i], &files[i], &err) != ETNA_OK)
            fail_msg("pictures: %s", err.text);
    }
    assert_ptr_equal(files[0]->data, files[1]->data);
    /* no place is read from it */
    bool is_jpeg = model.image_quality || !is_measured(request);
    assert_string_equal(files[0]->mime, is_jpeg ? "image/jpeg" : "image/png");
    assert_memory_equal(files[0]->data, is_jpeg ? "\xff\xd8\xff" : "\x89PN", 3);
    assert_true(files[0]->size <
                /* with its margin, or its crop; never at full size */
                96 * 96 * 3 * 4);
    job_images_close(pictures[0]);
    job_images_close(pictures[1]);
    h->looked++;
}

static void the_images_of_a_request_are_drawn_once_and_small(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", "Put the red bottle on the yellow block");
    w.look = draw;
    arrange_result planned = plan(&w, "Put the red bottle on the yellow block");
    arrange_task task = branch_task(&w, &planned, 0);
    arrange_result branch = host_do(&w, &task);
    assert_int_equal(branch.branch_status, BRANCH_VALID);
    arrange_task poll = host_task(&w, TASK_POLL);
    poll.instruction = planned.instruction;
    poll.object = branch.object;
    poll.planes = branch.plane;
    poll.after = branch.snapshot;
    host_do(&w, &poll);
    assert_true(w.looked >= 3); /* grid, grid, edit */
    host_close(&w);
}

static void named(host *h, job *j, const model_request *request)
{
    (void)j;
    assert_string_equal(request->model,
                        request->role == ROLE_PLANNER ? "one" : "two");
    h->looked++;
}

static void a_role_may_have_a_model_of_its_own(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", NULL);
    w.look = named;
    arrange_task task = host_task(&w, TASK_PLAN);
    task.goal = "Put the red bottle on the yellow block";
    task.model = "one";
    task.facts = true;
    task.models =
        "{\"endpoints\":{\"e\":{\"wire\":\"chat\",\"url\":\"http://h/v1\"}},\"models\":{\"one\":{\"endpoint\":\"e\"},\"two\":{\"endpoint\":\"e\"}},"
        "\"roles\":{\"executor\":\"two\"}}";
    arrange_result planned = host_do(&w, &task);
    arrange_task branch = branch_task(&w, &planned, 0);
    branch.model = task.model;
    branch.models = task.models;
    branch.facts = true;
    host_do(&w, &branch);
    assert_true(w.looked >= 2);
    host_close(&w);
}

/* A board, which a crate may cover but for its far end, and a model that wants
 * the ruler on it. */
static void open_board(host *w, bool is_crowded)
{
    size_t size;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(4, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "block", v3(0, 0, 0.05), v3(2.4, 0.5, 0.1), 0,
                     GLTF_NONE);
    if (is_crowded)
        gltf_builder_box(b, "crate", v3(-0.19, 0, 0.2), v3(2.0, 0.49, 0.2), 0,
                         GLTF_NONE);
    gltf_builder_box(b, "ruler", v3(0, -0.9, 0.025), v3(0.46, 0.2, 0.05), 0,
                     GLTF_NONE);
    gltf_builder_camera(b, "camera", v3(0, -2.5, 1.8), v3(0, 0, 0), 60,
                        4.0 / 3);
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    host_open(w);
    host_import_glb(w, glb, size, "Put the ruler on the block", NULL);
}

/* What comes of it with the ruler's pixel at (x, y). */
static arrange_result put_ruler_at(
    host *w, double x, double y, const char *instruction, bool paper)
{
    static char says[400];
    snprintf(
        says, sizeof says,
        "[constraints]\n[\"ObjectName\",\"ruler\"],[\"CloseToPix\",\"down\",[%.4f,%.4f]],"
        "[\"Contact\",\"down\",\"block_up\"],[\"NoOverhang\",\"down\",\"block_up\",\"full_only\"]\n"
        "[end of constraints]\n<completion>",
        x, y);
    w->executor_says = says;
    arrange_task task = host_task(w, TASK_BRANCH);
    task.instruction = instruction;
    task.coordinate[0] = x;
    task.coordinate[1] = y;
    task.paper_solver = paper;
    return host_do(w, &task);
}

static arrange_result put_ruler(host *w,
                                double x,
                                const char *instruction,
                                bool paper)
{
    return put_ruler_at(w, x, 0.4767, instruction, paper);
}

static void the_papers_solver_looks_no_further_when_a_run_says_so(void **state)
{
    (void)state;
    host w;
    open_board(&w, true);
    arrange_result taken =
        put_ruler(&w, 0.3066, "Put the ruler on the block", true);
    assert_int_equal(taken.branch_status, BRANCH_COLLISION);
    /* its first try, and two that were asked for again */
    assert_int_equal(taken.tries[BRANCH_COLLISION], 3);
    assert_int_equal(taken.tries[BRANCH_MALFORMED], 0);
    arrange_result near =
        put_ruler(&w, 0.55, "Put the ruler on the block", false);
    assert_int_equal(near.branch_status, BRANCH_VALID);
    assert_true(near.pose.position[0] >
                0.8); /* at the free end, away from its pixel, which is told */
    assert_true(near.elsewhere > 0.1 && near.elsewhere < 1.0 / 3);
    assert_int_equal(near.tries[BRANCH_COLLISION], 0);
    host_close(&w);
}

/* A pixel on the floor, and a place on the block: nothing was searched, and
 * still it is not where it was asked for. */
static void a_place_beside_its_pixel_is_told_whoever_found_it(void **state)
{
    (void)state;
    host w;
    open_board(&w, false);
    arrange_result beside =
        put_ruler_at(&w, 0.5, 0.62, "Put the ruler on the block", false);
    assert_int_equal(beside.branch_status, BRANCH_VALID);
    assert_true(beside.elsewhere > 0.05);
    arrange_result there =
        put_ruler(&w, 0.5, "Put the ruler on the block", false);
    assert_int_equal(there.branch_status, BRANCH_VALID);
    assert_true(there.elsewhere == 0);
    host_close(&w);
}

static void a_place_far_from_its_pixel_is_taken_with_a_word_alone(void **state)
{
    (void)state;
    host w;
    open_board(&w, true);
    arrange_result far =
        put_ruler(&w, 0.3066, "Put the ruler on the block", false);
    assert_int_equal(far.branch_status, BRANCH_UNSOLVED);
    assert_non_null(
        strstr(far.reason, "of the image away from the coordinate"));
    arrange_result any =
        put_ruler(&w, 0.3066, "Put the ruler anywhere on the block", false);
    assert_int_equal(any.branch_status, BRANCH_VALID);
    assert_true(any.pose.position[0] > 0.8);
    assert_true(any.elsewhere > 1.0 / 3);
    host_close(&w);
}

static void an_unreadable_goal_is_refused_with_a_reason(void **state)
{
    (void)state;
    host w;
    open_world(&w, "bottles.glb", NULL);
    arrange_result planned = plan(&w, "Make it more like a symphony");
    assert_int_equal(planned.plan_status, PLAN_UNREADABLE);
    assert_true(strlen(planned.reason) > 10);
    host_close(&w);
}

static void a_payload_that_lies_is_refused(void **state)
{
    (void)state;
    host h;
    job *j = NULL;
    etna_error err = {0};
    host_open(&h);
    assert_int_not_equal(
        job_new(h.shared, TASK_PLAN, (const uint8_t *)"\xff\xff", 2, &j, &err),
        ETNA_OK);
    assert_int_not_equal(job_new(h.shared, TASK_KIND_COUNT, NULL, 0, &j, &err),
                         ETNA_OK);
    assert_null(j);
    arrange_task task = {.kind = TASK_PLAN, .model = "builtin", .goal = "x"};
    arrange_result result;
    memset(&task.scene, 3, sizeof task.scene);
    assert_int_equal(host_run(&h, &task, &result, &err), ETNA_E_NOTFOUND);
    host_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_from_sentence_to_verdict),
        cmocka_unit_test(a_dropped_job_gives_the_same_result_again),
        cmocka_unit_test(a_render_is_a_png_and_an_export_is_a_glb),
        cmocka_unit_test(an_asset_task_reads_its_lot),
        cmocka_unit_test(the_images_of_a_request_are_drawn_once_and_small),
        cmocka_unit_test(a_role_may_have_a_model_of_its_own),
        cmocka_unit_test(the_papers_solver_looks_no_further_when_a_run_says_so),
        cmocka_unit_test(a_place_beside_its_pixel_is_told_whoever_found_it),
        cmocka_unit_test(a_place_far_from_its_pixel_is_taken_with_a_word_alone),
        cmocka_unit_test(an_unreadable_goal_is_refused_with_a_reason),
        cmocka_unit_test(a_payload_that_lies_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
