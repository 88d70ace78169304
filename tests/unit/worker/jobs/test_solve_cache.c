/* What four branches ask of one place is solved once; what differs in anything
 * that the answer depends on is solved for itself. */
#include "tests/support/stage.h"
#include "worker/jobs/solve_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define AT(x) \
    "[[\"ObjectName\",\"cube\"],[\"Place\",[" #x \
    ",0.5,0]],[\"Contact\",\"down\",\"floor\"]]"

typedef struct world {
    stage stage;
    solve_cache *cache;
} world;

static world begin(void)
{
    world w = {0};
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "cube", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(0, 0, 0.1, 0), false);
    scene_builder_camera(b, "camera", v3(0, -2, 1), v3(0, 0, 0));
    w.stage = stage_open(b);
    assert_int_equal(solve_cache_new(&w.cache, NULL), ETNA_OK);
    return w;
}

static void end(world *w)
{
    solve_cache_free(w->cache);
    stage_close(&w->stage);
}

/* `change`: sets what of the request is to differ; NULL: nothing. */
static solve_result ask(world *w,
                        uint8_t at,
                        const char *text,
                        uint64_t seed,
                        void (*change)(solve_request *request))
{
    const etna_hash hash = {{at, 7}};
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list;
    etna_error err = {0};
    solve_result ret;
    assert_int_equal(constraint_parse(text, strlen(text), &arena, &list, &err),
                     ETNA_OK);
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.camera = &w->stage.scene->cameras[0];
    request.seed = seed;
    if (change)
        change(&request);
    if (solve_cache_run(w->cache, &hash, text, w->stage.space, w->stage.probes,
                        &request, &ret, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    etna_arena_free(&arena);
    return ret;
}

static void branches_of_one_place_are_solved_once(void **state)
{
    (void)state;
    world w = begin();
    const solve_result first = ask(&w, 1, AT(0.5), 11, NULL);
    assert_int_equal(first.status, BRANCH_VALID);
    for (uint64_t seed = 12; seed < 15; seed++) {
        const solve_result r = ask(&w, 1, AT(0.5), seed, NULL);
        assert_int_equal(r.status, BRANCH_VALID);
        assert_memory_equal(&r.pose, &first.pose, sizeof r.pose);
        assert_int_equal(r.candidates, first.candidates);
    }
    assert_int_equal(solve_cache_computed(w.cache), 1);
    end(&w);
}

static void take_any_place(solve_request *request)
{
    request->any_place = true;
}

static void give_up_there(solve_request *request)
{
    static const arrange_given_up there = {
        .object = "cube", .plane = "floor", .pose = {{0.5, 0.5, 0.1}, 0}};
    request->given_up = &there;
    request->given_up_count = 1;
}

static void what_the_answer_depends_on_is_not_mixed_up(void **state)
{
    (void)state;
    world w = begin();
    assert_true(ask(&w, 1, AT(0.5), 1, NULL).pose.position[0] > 0.4);
    assert_true(ask(&w, 1, AT(-0.5), 1, NULL).pose.position[0] < -0.4);
    ask(&w, 2, AT(0.5), 1, NULL);
    ask(&w, 1, AT(0.5), 1, take_any_place);
    assert_int_equal(ask(&w, 1, AT(0.5), 1, give_up_there).status,
                     BRANCH_REPEATED);
    assert_int_equal(solve_cache_computed(w.cache), 5);
    end(&w);
}

/* More than it keeps: then the first is computed again, the same. */
static void what_was_forgotten_is_solved_again(void **state)
{
    (void)state;
    world w = begin();
    const solve_result first = ask(&w, 1, AT(0.5), 1, NULL);
    for (uint8_t i = 2; i < 40; i++)
        ask(&w, i, AT(0.5), 1, NULL);
    assert_int_equal(solve_cache_computed(w.cache), 39);
    const solve_result again = ask(&w, 1, AT(0.5), 1, NULL);
    assert_int_equal(solve_cache_computed(w.cache), 40);
    assert_memory_equal(&again.pose, &first.pose, sizeof again.pose);
    end(&w);
}

/* By pixels the seed decides among many places. */
static void what_a_seed_matters_to_is_not_shared(void **state)
{
    (void)state;
    world w = begin();
    static const char by_pixel[] =
        "[[\"ObjectName\",\"cube\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"floor_up\"]]";
    ask(&w, 1, by_pixel, 1, NULL);
    ask(&w, 1, by_pixel, 1, NULL);
    assert_int_equal(solve_cache_computed(w.cache), 0);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_of_one_place_are_solved_once),
        cmocka_unit_test(what_the_answer_depends_on_is_not_mixed_up),
        cmocka_unit_test(what_was_forgotten_is_solved_again),
        cmocka_unit_test(what_a_seed_matters_to_is_not_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
