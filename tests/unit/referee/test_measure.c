/* Each predicate passes where it is meant to, fails where it is nearly so, and
 * its margin says how far that is: moved by twice the margin the thing has the
 * other verdict. */
#include "referee/kin.h"
#include "room_model.h"

#define QUARTER (3.14159265358979323846 / 2)

static const struct placed {
    const char *predicate;
    double at[4]; /* the box's middle and yaw in quarters */
    bool holds;
    double way[4]; /* along which the verdict changes; the last in degrees */
} cases[] = {
    /* The table's top is at 0.7, from 0.5 to 1.5 and from 0.6 to 1.4; the bowl
     * stands on it, from 0.6 to 1.0. */
    {"{\"on\": [\"box\", \"table\"]}", {1.3, 1, 0.8001}, true, {0, 0, 1}},
    {"{\"on\": [\"box\", \"table\"]}", {1.495, 1, 0.8001}, true, {1, 0, 0}},
    {"{\"on\": [\"box\", \"table\"]}", {1.51, 1, 0.8001}, false, {-1, 0, 0}},
    {"{\"on\": [\"box\", \"table\"]}", {1.3, 1, 0.83}, false, {0, 0, -1}},
    {"{\"on\": [\"table\", \"box\"]}",
     {1.3, 1, 0.3},
     false,
     {0}}, /* under it: its middle is not over the box */
    {"{\"inside\": [\"box\", \"bowl\"]}", {0.8, 1, 0.85}, true, {0, 0, 1}},
    {"{\"inside\": [\"box\", \"bowl\"]}", {0.99, 1, 0.8}, true, {1, 0, 0}},
    {"{\"inside\": [\"box\", \"bowl\"]}", {0.8, 1, 0.92}, false, {0, 0, -1}},
    {"{\"under\": [\"box\", \"table\"]}", {1, 1, 0.1}, true, {0, 1, 0}},
    {"{\"under\": [\"box\", \"table\"]}", {1.52, 1, 0.1}, false, {-1, 0, 0}},
    {"{\"hung on\": [\"box\", \"wall\"]}", {-1, 1.899, 1.5}, true, {0, -1, 0}},
    {"{\"hung on\": [\"box\", \"wall\"]}", {-1, 1.87, 1.5}, false, {0, 1, 0}},
    {"{\"hung on\": [\"box\", \"wall\"]}",
     {-1, 1.899, 0.15},
     false,
     {0, 0, 1}}, /* it leans there */
    {"{\"next to\": [\"box\", \"stool\"]}", {-1.6, 1, 0.1}, true, {-1, 0, 0}},
    {"{\"next to\": [\"box\", \"stool\"]}", {-1.85, 1, 0.1}, false, {1, 0, 0}},
    {"{\"next to\": [\"box\", \"stool\"]}",
     {-1.15, 1, 0.5501},
     false,
     {-1, 0, 0}}, /* it stands on it */
    {"{\"near\": [\"box\", \"stool\"]}", {-2, 1, 0.1}, true, {-1, 0, 0}},
    {"{\"near\": [\"box\", \"stool\"]}", {-2.35, 1, 0.1}, false, {1, 0, 0}},
    {"{\"between\": [\"box\", \"stool\", \"table\"]}",
     {0, 1.2, 0.1},
     true,
     {0, 1, 0}},
    {"{\"between\": [\"box\", \"stool\", \"table\"]}",
     {0.8, 1.1, 0.1},
     true,
     {1, 0, 0}},
    {"{\"between\": [\"box\", \"stool\", \"table\"]}",
     {0, 1.4, 0.1},
     false,
     {0, -1, 0}},
    {"{\"in the corner of\": [\"box\", \"floor\"]}",
     {-2.7, 1.6, 0.1},
     true,
     {0, -1, 0}},
    {"{\"in the corner of\": [\"box\", \"floor\"]}",
     {-2.7, 1.2, 0.1},
     false,
     {0, 1, 0}},
    {"{\"in the middle of\": [\"box\", \"floor\"]}",
     {0, 0.5, 0.1},
     true,
     {0, 1, 0}},
    {"{\"in the middle of\": [\"box\", \"floor\"]}",
     {1.1, 0, 0.1},
     false,
     {-1, 0, 0}},
    {"{\"left of\": [\"box\", \"stool\"]}", {-1.3, 1, 0.1}, true, {1, 0, 0}},
    {"{\"left of\": [\"box\", \"stool\"]}", {-0.7, 0, 0.1}, false, {-1, 0, 0}},
    {"{\"right of\": [\"box\", \"stool\"], \"least\": 0.1}",
     {-0.7, 1, 0.1},
     true,
     {-1, 0, 0}},
    {"{\"right of\": [\"box\", \"stool\"], \"least\": 0.1}",
     {-0.95, 1, 0.1},
     false,
     {1, 0, 0}},
    {"{\"before\": [\"box\", \"stool\"]}", {-1, 0.5, 0.1}, true, {0, 1, 0}},
    {"{\"before\": [\"box\", \"stool\"]}", {-1, 1.2, 0.1}, false, {0, -1, 0}},
    {"{\"behind\": [\"box\", \"stool\"]}", {-1, 1.5, 0.1}, true, {0, -1, 0}},
    {"{\"behind\": [\"box\", \"stool\"]}", {-1, 0.9, 0.1}, false, {0, 1, 0}},
    /* Its front is its own -Y: at yaw 0 it looks along -Y, at the camera. */
    {"{\"facing\": [\"box\", \"camera\"]}", {0, 0, 0.1, 0}, true, {0, 0, 0, 1}},
    {"{\"facing\": [\"box\", \"stool\"]}",
     {1, 1, 0.1, -0.6},
     false,
     {0, 0, 0, -1}},
    {"{\"facing\": [\"box\", \"stool\"]}",
     {-1, -1, 0.1, 1.9},
     true,
     {0, 0, 0, -1}},
    {"{\"facing\": [\"box\", \"wall\"]}",
     {2.5, 0, 0.1, 2},
     true,
     {0, 0, 0, -1}}, /* square, but not to its middle */
    {"{\"distance\": [\"box\", \"stool\"], \"least\": 0.2, \"most\": 0.4}",
     {-1.6, 1, 0.1},
     true,
     {-1, 0, 0}},
    {"{\"distance\": [\"box\", \"stool\"], \"least\": 0.2, \"most\": 0.4}",
     {-1.45, 1, 0.1},
     false,
     {-1, 0, 0}},
    {"{\"at the former place of\": [\"box\", \"stool\"]}",
     {-1.1, 1, 0.1},
     true,
     {-1, 0, 0}},
    {"{\"at the former place of\": [\"box\", \"stool\"]}",
     {-1.3, 1, 0.1},
     false,
     {1, 0, 0}},
    {"{\"at the former place of\": [\"box\", \"stool\"]}",
     {-1, 1, 0.25},
     false,
     {0, 0, -1}}, /* over it is not there */
    {"{\"turned by\": [\"box\"], \"degrees\": 90}",
     {-2, -1, 0.1, 1.1},
     true,
     {0, 0, 0, 1}},
    {"{\"turned by\": [\"box\"], \"degrees\": 90}",
     {-2, -1, 0.1, 0.8},
     false,
     {0, 0, 0, 1}},
    {"{\"turned by\": [\"box\"], \"degrees\": -170}",
     {-2, -1, 0.1, 2},
     true,
     {0, 0, 0, -1}},
    {"{\"a side at\": [\"box\"], \"place\": [null, 1.9]}",
     {-2, 1.77, 0.1},
     true,
     {0, -1, 0}},
    {"{\"a side at\": [\"box\"], \"place\": [null, 1.9]}",
     {-2, 1.7, 0.1},
     false,
     {0, 1, 0}},
    {"{\"beyond\": [\"box\", \"stool\"], \"along\": [0, -2]}",
     {-1, 0.9, 0.1},
     true,
     {0, 1, 0}},
    {"{\"beyond\": [\"box\", \"stool\"], \"along\": [0, -2]}",
     {-1, 0.99, 0.1},
     false,
     {0, -1, 0}},
    {"{\"nearer to\": [\"box\", \"stool\", \"table\"]}",
     {-0.3, 1, 0.1},
     true,
     {1, 0, 0}},
    {"{\"nearer to\": [\"box\", \"stool\", \"table\"]}",
     {-0.1, 1, 0.1},
     false,
     {-1, 0, 0}},
    {"{\"heading\": [\"box\"], \"degrees\": 90}",
     {-2, -1, 0.1, 1.1},
     true,
     {0, 0, 0, 1}},
    {"{\"heading\": [\"box\"], \"degrees\": 90}",
     {-2, -1, 0.1, 0.8},
     false,
     {0, 0, 0, 1}},
    {"{\"in line with\": [\"stool\", \"box\", \"table\"]}",
     {0, 1.03, 0.1},
     true,
     {0, 1, 0}},
    {"{\"in line with\": [\"stool\", \"box\", \"table\"]}",
     {0, 1.1, 0.1},
     false,
     {0, -1, 0}},
    {"{\"together with\": [\"stool\", \"box\", \"table\"], \"most\": 3}",
     {-1.9, 1, 0.1},
     true,
     {-1, 0, 0}},
    {"{\"together with\": [\"box\", \"stool\"]}",
     {0.1, 1, 0.1},
     false,
     {-1, 0, 0}},
    {"{\"evenly spaced with\": [\"stool\", \"table\", \"box\"]}",
     {0.01, 1, 0.1},
     true,
     {1, 0, 0}},
    {"{\"evenly spaced with\": [\"stool\", \"table\", \"box\"]}",
     {0.1, 1, 0.1},
     false,
     {-1, 0, 0}},
    {"{\"count\": [{\"on\": [\"box\", \"table\"]}, {\"on\": [\"bowl\", \"table\"]}], \"least\": 2}",
     {1.495, 1, 0.8001},
     true,
     {1, 0, 0}},
    {"{\"count\": [{\"on\": [\"box\", \"table\"]}, {\"on\": [\"bowl\", \"table\"]}], \"least\": 1, \"most\": 1}",
     {1.495, 1, 0.8001},
     false,
     {1, 0, 0}},
    {"{\"over\": [\"box\", \"table\"]}", {1.495, 1, 1.5}, true, {1, 0, 0}},
    {"{\"over\": [\"box\", \"table\"]}", {1.51, 1, 0.1}, false, {-1, 0, 0}},
    {"{\"foot of\": [\"box\"], \"least\": 0.68, \"most\": 0.75}",
     {1, 1, 0.81},
     true,
     {0, 0, 1}},
    {"{\"foot of\": [\"box\"], \"least\": 0.68, \"most\": 0.75}",
     {1, 1, 0.76},
     false,
     {0, 0, 1}},
    {"{\"foot of\": [\"box\"], \"most\": -0.01}",
     {1, 1, 0.1},
     false,
     {0, 0, -1}},
    {"{\"at\": [\"box\"], \"place\": [1, null, 0.8]}",
     {1.1, -1, 0.8},
     true,
     {1, 0, 0}},
    {"{\"at\": [\"box\"], \"place\": [1, 1], \"most\": 0.05}",
     {1, 1.06, 0.8},
     false,
     {0, -1, 0}},
    {"{\"shifted\": [\"box\"], \"by\": [0.5, 0]}",
     {-1.47, -1, 0.1},
     true,
     {1, 0, 0}},
    {"{\"shifted\": [\"box\"], \"by\": [0.5, 0]}",
     {-1.5, -1.06, 0.1},
     false,
     {0, 1, 0}},
    {"{\"moved\": [\"box\"]}", {-1.9, -1, 0.1}, true, {-1, 0, 0}},
    {"{\"moved\": [\"box\"]}", {-1.98, -1, 0.1}, false, {1, 0, 0}},
    {"{\"still\": [\"box\", \"bowl\"]}", {-1.995, -1, 0.1}, true, {1, 0, 0}},
    {"{\"still\": [\"box\"]}", {-1.98, -1, 0.1}, false, {-1, 0, 0}},
    {"{\"still but\": [\"bowl\"]}", {-1.98, -1, 0.1}, false, {-1, 0, 0}},
    {"{\"not\": {\"near\": [\"box\", \"stool\"]}}",
     {-2.35, 1, 0.1},
     true,
     {1, 0, 0}},
    {"{\"any\": [{\"on\": [\"box\", \"bowl\"]}, {\"on\": [\"box\", \"table\"]}]}",
     {1.3, 1, 0.8001},
     true,
     {0, 0, 1}},
    {"{\"all\": [{\"on\": [\"box\", \"table\"]}, {\"near\": [\"box\", \"bowl\"]}]}",
     {1.3, 1, 0.8001},
     true,
     {0, 0, 1}},
};

static measure placed_measure(const struct placed *c, const double by[4])
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    suite s;
    room *start = room_new(), *now = room_new();
    const predicate *p = room_predicate(c->predicate, &arena, &s);
    point at = {c->at[0] + by[0], c->at[1] + by[1], c->at[2] + by[2]};
    room_put(now, "box", at, c->at[3] * QUARTER + by[3] / 90 * QUARTER);
    stage on = {&s.scenes[0], &start->scene, &start->scene, &now->scene};
    measure m;
    if (measure_predicate(&on, p, &m, &err))
        fail_msg("%s: %s", c->predicate, err.text);
    room_free(start);
    room_free(now);
    etna_arena_free(&arena);
    return m;
}

static void predicates_hold_where_they_are_meant_to_and_fail_nearly_there(
    void **state)
{
    (void)state;
    const double rest[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measure m = placed_measure(&cases[i], rest);
        if (m.holds != cases[i].holds)
            fail_msg("%zu: %s: margin %g", i, cases[i].predicate, m.margin);
        assert_int_equal(m.holds, m.margin >= 0);
    }
}

static void moving_by_twice_the_margin_turns_the_verdict(void **state)
{
    (void)state;
    const double rest[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct placed *c = &cases[i];
        double length = fabs(c->way[0]) + fabs(c->way[1]) + fabs(c->way[2]) +
                        fabs(c->way[3]),
               by[4];
        if (length == 0)
            continue;
        double margin = fabs(placed_measure(c, rest).margin);
        assert_true(isfinite(margin));
        for (int k = 0; k < 4; k++)
            by[k] = 2 * margin * c->way[k] + c->way[k] * 1e-9;
        if (placed_measure(c, by).holds == c->holds)
            fail_msg("%zu: %s: margin %g", i, c->predicate, margin);
    }
}

static void a_thing_that_the_scene_has_not_is_the_suites_fault(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{\"on\": [\"vase\", \"table\"]}",
                                        "{\"still\": [\"vase\"]}",
                                        "{\"still but\": [\"vase\"]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {ETNA_OK, ""};
        suite s;
        room *r = room_new();
        const predicate *p = room_predicate(wrong[i], &arena, &s);
        stage on = {&s.scenes[0], &r->scene, &r->scene, &r->scene};
        measure m;
        assert_int_equal(measure_predicate(&on, p, &m, &err), ETNA_E_INPUT);
        assert_non_null(strstr(err.text, "\"vase\""));
        room_free(r);
        etna_arena_free(&arena);
    }
}

static void a_thing_that_was_taken_away_makes_it_false(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    suite s;
    room *start = room_new(), *now = room_new();
    const predicate *p =
        room_predicate("{\"on\": [\"bowl\", \"table\"]}", &arena, &s);
    bool several = false;
    now->nodes[gltf_scene_find(&now->scene, "bowl", &several)].root = SIZE_MAX;
    stage on = {&s.scenes[0], &start->scene, &start->scene, &now->scene};
    measure m = {true, 0};
    assert_int_equal(measure_predicate(&on, p, &m, NULL), ETNA_OK);
    assert_false(m.holds);
    assert_true(m.margin == -INFINITY);
    room_free(start);
    room_free(now);
    etna_arena_free(&arena);
}

static void since_step_is_against_the_scene_before_the_step(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    suite s;
    room *start = room_new(), *before = room_new(), *now = room_new();
    room_put(before, "box", (point){1, -1, 0.1}, QUARTER);
    room_put(now, "box", (point){1, -1, 0.1}, 2 * QUARTER);
    static const struct {
        const char *predicate;
        bool holds;
    } asked[] = {
        {"{\"turned by\": [\"box\"], \"degrees\": 90, \"since\": \"step\"}",
         true},
        {"{\"turned by\": [\"box\"], \"degrees\": 90}", false},
        {"{\"still but\": [\"bowl\"], \"since\": \"step\", \"most\": 0.3}",
         true},
        {"{\"still but\": [\"bowl\"]}", false}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const predicate *p = room_predicate(asked[i].predicate, &arena, &s);
        stage on = {&s.scenes[0], &start->scene, &before->scene, &now->scene};
        measure m;
        assert_int_equal(measure_predicate(&on, p, &m, NULL), ETNA_OK);
        assert_int_equal(m.holds, asked[i].holds);
    }
    room_free(start);
    room_free(before);
    room_free(now);
    etna_arena_free(&arena);
}

/* A few things that are gone were taken out. */
static void things_of_other_names_or_units_are_told(void **state)
{
    (void)state;
    char says[200];
    room *start = room_new(), *now = room_new();
    now->nodes[0].name = now->nodes[1].name = now->nodes[2].name =
        (char *)(uintptr_t) "gone";
    assert_true(kin_say(&start->scene, &now->scene, says, sizeof says));
    assert_string_equal(says, "");
    now->nodes[3].name = (char *)(uintptr_t) "stool.001";
    now->nodes[4].name = (char *)(uintptr_t) "bowl.001";
    assert_true(kin_say(&start->scene, &now->scene, says, sizeof says));
    assert_non_null(strstr(says, "5 of the scene's 6 things"));
    room_free(now);
    now = room_new();
    room_put(now, "box", (point){1, 1, 0.8}, 0.7);
    for (size_t n = 0; n < now->scene.node_count; n++) {
        for (int i = 0; i < 9; i++)
            now->nodes[n].world.m[i / 3][i % 3] *= 100;
    }
    assert_true(kin_say(&start->scene, &now->scene, says, sizeof says));
    assert_non_null(strstr(says, "things are 100 times as large"));
    room_free(now);
    room_free(start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            predicates_hold_where_they_are_meant_to_and_fail_nearly_there),
        cmocka_unit_test(moving_by_twice_the_margin_turns_the_verdict),
        cmocka_unit_test(a_thing_that_the_scene_has_not_is_the_suites_fault),
        cmocka_unit_test(a_thing_that_was_taken_away_makes_it_false),
        cmocka_unit_test(things_of_other_names_or_units_are_told),
        cmocka_unit_test(since_step_is_against_the_scene_before_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
