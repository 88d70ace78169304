/* What was seen and told once is had by all who look there: above all the
 * facts, which hundreds of conversations wait with. */
#include "tests/support/stage.h"
#include "worker/jobs/view_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    VIEWS = 15
}; /* more than a table keeps of what nobody looks at */

typedef struct world {
    stage stage;
    space_support_state start;
    view_cache *table;
    snapshot base;
} world;

static void begin(world *w)
{
    const space_rules rules = {0};
    memset(w, 0, sizeof *w);
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "cube", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(0, 0, 0.1, 0), false);
    scene_builder_camera(b, "camera", v3(0, -2, 1), v3(0, 0, 0));
    w->stage = stage_open(b);
    assert_int_equal(space_support_compute(w->stage.space, &rules, NULL, NULL,
                                           &w->start, NULL),
                     ETNA_OK);
    assert_int_equal(view_cache_new(1, &w->table, NULL), ETNA_OK);
    assert_int_equal(snapshot_base(w->stage.scene, &w->base, NULL), ETNA_OK);
}

static void end(world *w)
{
    snapshot_free(&w->base);
    view_cache_free(w->table);
    space_support_free(&w->start);
    stage_close(&w->stage);
}

static seen *look(world *w, uint8_t number)
{
    const etna_hash hash = {{number, 7}};
    seen *s = NULL;
    assert_int_equal(view_cache_acquire(w->table, w->stage.space, &hash,
                                        &w->base, &w->stage.scene->cameras[0],
                                        &w->start, &s, NULL),
                     ETNA_OK);
    return s;
}

static cached_facts *tell(world *w, seen *s, double x)
{
    const facts_checks checks = {.object = 1,
                                 .plane = "floor_up",
                                 .target = {x, 0.5},
                                 .before = &w->base,
                                 .after = &w->base};
    const scene_camera *const cameras[2] = {&w->stage.scene->cameras[0],
                                            &w->stage.scene->cameras[0]};
    cached_facts *text = NULL;
    assert_int_equal(view_cache_facts(w->table, s, w->stage.space,
                                      w->stage.probes, cameras,
                                      x < 0 ? NULL : &checks, NULL, NULL, false,
                                      false, &text, NULL),
                     ETNA_OK);
    assert_int_equal(cached_facts_json(text)[0], '{');
    return text;
}

static void those_who_are_told_the_same_hold_one_text(void **state)
{
    (void)state;
    world w;
    begin(&w);
    seen *s = look(&w, 1), *other = look(&w, 2);
    cached_facts *first = tell(&w, s, 0.25), *second = tell(&w, s, 0.25),
                 *else_where = tell(&w, s, 0.5), *plain = tell(&w, s, -1);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, else_where);
    assert_ptr_not_equal(first, plain);
    cached_facts *there = tell(&w, other, 0.25);
    assert_ptr_not_equal(first, there); /* of another snapshot */
    assert_null(strstr(cached_facts_json(plain), "floor_up\",\"target"));
    assert_string_not_equal(cached_facts_json(first),
                            cached_facts_json(else_where));
    cached_facts *all[] = {first, second, else_where, plain, there, NULL};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        view_cache_release_facts(w.table, all[i]);
    view_cache_release(w.table, other);
    view_cache_release(w.table, s);
    end(&w);
}

static void a_text_lives_as_long_as_it_is_held_and_is_found_while_it_does(
    void **state)
{
    (void)state;
    world w;
    begin(&w);
    seen *s = look(&w, 1);
    cached_facts *held = tell(&w, s, 0.1);
    char start[32];
    memcpy(start, cached_facts_json(held), sizeof start);
    for (int i = 0; i < 10; i++)
        /* out of the ring */
        view_cache_release_facts(w.table, tell(&w, s, 0.3 + 0.01 * i));
    view_cache_release(w.table, s);
    for (uint8_t i = 2; i < VIEWS; i++)
        /* and what was seen is gone, too */
        view_cache_release(w.table, look(&w, i));
    assert_memory_equal(cached_facts_json(held), start, sizeof start);
    s = look(&w, 1);
    cached_facts *again = tell(&w, s, 0.1);
    assert_ptr_equal(again, held);
    view_cache_release_facts(w.table, again);
    view_cache_release_facts(w.table, held);
    /* nobody had it any more: made anew */
    view_cache_release_facts(w.table, tell(&w, s, 0.1));
    view_cache_release(w.table, s);
    end(&w);
}

/* Runs of one scene whose goals name other things may each look from a place of
 * its own, and all such cameras are called "derived": what one of them sees is
 * not what the other does. */
static void cameras_of_one_name_at_two_places_see_apart(void **state)
{
    (void)state;
    world w;
    begin(&w);
    const etna_hash hash = {{1, 7}};
    scene_camera here = w.stage.scene->cameras[0], there;
    here.name = "derived";
    there = here;
    there.position = v3(0, -1, 1);
    seen *first = NULL, *second = NULL, *again = NULL;
    assert_int_equal(view_cache_acquire(w.table, w.stage.space, &hash, &w.base,
                                        &here, &w.start, &first, NULL),
                     ETNA_OK);
    assert_int_equal(view_cache_acquire(w.table, w.stage.space, &hash, &w.base,
                                        &there, &w.start, &second, NULL),
                     ETNA_OK);
    assert_int_equal(view_cache_acquire(w.table, w.stage.space, &hash, &w.base,
                                        &here, &w.start, &again, NULL),
                     ETNA_OK);
    assert_ptr_equal(first, again);
    assert_ptr_not_equal(first, second);
    size_t size = sizeof *first->ids * first->width * first->height;
    assert_memory_not_equal(first->ids, second->ids, size);
    there.half_height *= 2; /* the same place, another lens */
    seen *wide = NULL;
    assert_int_equal(view_cache_acquire(w.table, w.stage.space, &hash, &w.base,
                                        &there, &w.start, &wide, NULL),
                     ETNA_OK);
    assert_memory_not_equal(wide->ids, second->ids, size);
    seen *all[] = {first, second, again, wide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        view_cache_release(w.table, all[i]);
    end(&w);
}

/* A stool that went under a table shows a bit of its dark legs there: it is the
 * blue stool all the same. */
static void a_thing_keeps_the_colour_that_it_had_when_the_run_began(
    void **state)
{
    (void)state;
    world w;
    begin(&w);
    seen *first = NULL, *now = look(&w, 1);
    cached_facts *text = NULL;
    const scene_camera *camera = &w.stage.scene->cameras[0];
    assert_int_equal(view_cache_acquire(w.table, w.stage.space, NULL, NULL,
                                        camera, &w.start, &first, NULL),
                     ETNA_OK);
    assert_ptr_not_equal(first, now);
    assert_memory_equal(first->colours, now->colours,
                        2 * sizeof *first->colours);
    const scene_camera *const cameras[2] = {camera, NULL};
    view_colour began[2] = {{.pixels = 0, .srgb = {9, 8, 7}},
                            {.pixels = 5, .srgb = {1, 2, 3}}};
    assert_int_equal(view_cache_facts(w.table, now, w.stage.space,
                                      w.stage.probes, cameras, NULL, NULL,
                                      began, false, false, &text, NULL),
                     ETNA_OK);
    assert_non_null(strstr(cached_facts_json(text), "\"srgb\":[1.0,2.0,3.0]"));
    assert_null(strstr(cached_facts_json(text),
                       /* was not seen then: as it is now */
                       "\"srgb\":[9.0,8.0,7.0]"));
    view_cache_release_facts(w.table, text);
    view_cache_release(w.table, now);
    view_cache_release(w.table, first);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_are_told_the_same_hold_one_text),
        cmocka_unit_test(cameras_of_one_name_at_two_places_see_apart),
        cmocka_unit_test(
            a_thing_keeps_the_colour_that_it_had_when_the_run_began),
        cmocka_unit_test(
            a_text_lives_as_long_as_it_is_held_and_is_found_while_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
