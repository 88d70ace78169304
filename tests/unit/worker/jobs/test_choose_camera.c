/* Which camera a step and a picture see by, where the run's shows nothing of
 * it. */
#include "tests/support/gltf_builder.h"
#include "tests/unit/worker/jobs/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const moves[] = {"Put the ruler on the block",
                                    "Put the cup on the crate"};

/* A board and a ruler behind a wall, a crate and a cup before it. "away" shows
 * none of them, "front" what is before the wall, "back", which may be missing,
 * what is behind it. */
static void open_divided(host *w, bool has_back)
{
    size_t size;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(8, 8, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "wall", v3(0, 0, 1.25), v3(8, 0.1, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "block", v3(0, 1.5, 0.05), v3(1.2, 0.5, 0.1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "ruler", v3(0, 2.5, 0.025), v3(0.46, 0.2, 0.05), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "crate", v3(0, -1.5, 0.2), v3(0.8, 0.5, 0.4), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "cup", v3(1, -1.5, 0.05), v3(0.1, 0.1, 0.1), 0,
                     GLTF_NONE);
    gltf_builder_camera(b, "away", v3(0, -3.5, 1.6), v3(0, -9, 1.6), 60,
                        4.0 / 3);
    gltf_builder_camera(b, "front", v3(0, -3.5, 1.6), v3(0, -1.5, 0.2), 60,
                        4.0 / 3);
    if (has_back)
        gltf_builder_camera(b, "back", v3(0, 3.8, 1.6), v3(0, 1.5, 0.1), 60,
                            4.0 / 3);
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    host_open(w);
    host_import_glb(w, glb, size, NULL, "away");
}

/* The camera that a network's plan of that step chose; "": none of its own. */
static const char *step_camera(host *w,
                               uint32_t step,
                               const char *camera,
                               bool is_free)
{
    arrange_task task = host_task(w, TASK_PLAN);
    task.steps = moves;
    task.step_count = 2;
    task.max_steps = 2;
    task.step = step;
    task.camera = camera;
    task.any_camera = is_free;
    task.facts = true;
    task.model = "one";
    task.models =
        "{\"endpoints\":{\"e\":{\"wire\":\"chat\",\"url\":\"http://h/v1\"}},"
        "\"models\":{\"one\":{\"endpoint\":\"e\"}}}";
    const arrange_result result = host_do(w, &task);
    return result.camera ? result.camera : "";
}

static void each_step_is_seen_by_what_shows_its_things(void **state)
{
    (void)state;
    host w;
    open_divided(&w, true);
    assert_string_equal(step_camera(&w, 1, "away", true), "back");
    assert_string_equal(step_camera(&w, 2, "away", true), "front");
    assert_string_equal(step_camera(&w, 2, "front", true), "");
    host_close(&w);
}

static void a_camera_is_made_where_the_file_has_none_for_a_step(void **state)
{
    (void)state;
    host w;
    open_divided(&w, false);
    const char *made = step_camera(&w, 1, "away", true);
    assert_memory_equal(made, "eye:", 4);
    /* It is found again by its text, and shows all that the step names. */
    assert_string_equal(step_camera(&w, 1, made, true), "");
    host_close(&w);
}

static void a_camera_that_was_asked_for_is_kept(void **state)
{
    (void)state;
    host w;
    open_divided(&w, true);
    assert_string_equal(step_camera(&w, 1, "away", false), "");
    host_close(&w);
}

static arrange_result put_ruler(host *w)
{
    w->executor_says = "[constraints]\n[\"ObjectName\",\"ruler\"],"
                       "[\"CloseToPix\",\"down\",[0.5,0.5]],"
                       "[\"Contact\",\"down\",\"block_up\"]\n"
                       "[end of constraints]\n<completion>";
    arrange_task task = host_task(w, TASK_BRANCH);
    task.camera = "back";
    task.instruction = "Put the ruler anywhere on the block";
    task.coordinate[0] = task.coordinate[1] = 0.5;
    const arrange_result put = host_do(w, &task);
    assert_int_equal(put.branch_status, BRANCH_VALID);
    return put;
}

static void expect_same_picture(host *w,
                                arrange_task free,
                                const char *by,
                                arrange_task named)
{
    free.camera = "away";
    free.any_camera = true;
    named.camera = by;
    const arrange_result a = host_do(w, &free), b = host_do(w, &named);
    assert_memory_equal(&a.blob, &b.blob, sizeof a.blob);
}

static void a_picture_shows_its_edit_and_the_scene_before_likewise(void **state)
{
    (void)state;
    host w;
    open_divided(&w, true);
    const arrange_result put = put_ruler(&w);
    arrange_task edit = host_task(&w, TASK_RENDER);
    edit.after = put.snapshot;
    edit.object = "ruler";
    edit.width = 160;
    expect_same_picture(&w, edit, "back", edit);
    arrange_task clean = host_task(&w, TASK_RENDER), first = edit;
    clean.width = 160;
    first.step = clean.step = 0;
    expect_same_picture(&w, first, "back", clean);
    host_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_seen_by_what_shows_its_things),
        cmocka_unit_test(a_camera_is_made_where_the_file_has_none_for_a_step),
        cmocka_unit_test(a_camera_that_was_asked_for_is_kept),
        cmocka_unit_test(
            a_picture_shows_its_edit_and_the_scene_before_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
