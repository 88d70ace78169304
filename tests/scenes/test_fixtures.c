/* What tests, benchmarks and `make run` take for granted about the fixture
 * scenes (README.md). */
#include "tests/support/folder.h"
#include "worker/gltf/bundle.h"
#include "worker/space/space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* `fixed`: what is static beside Floor and Wall. */
static const struct {
    const char *file;
    uint32_t movable;
    const char *fixed[8];
} made[] = {
    {"bottles", 6, {NULL}},
    {"bottles_plain", 6, {NULL}},
    {"desk", 8, {NULL}},
    {"crowded", 5, {NULL}},
    {"crowded_strip", 5, {NULL}},
    {"stacked", 7, {NULL}},
    {"office", 9, {NULL}},
    {"kitchen", 21, {"Kitchen Counter", "Sink", "Window"}},
    {"study", 13, {NULL}},
    {"living", 14, {"Back Wall", "Left Wall", "Right Wall", "Window"}},
    {"shelf", 39, {NULL}},
    {"outdoor", 23, {"Lawn", "Terrace", "Garden Wall", "Tree"}},
    {"closed",
     10,
     {"Back Wall", "Left Wall", "Right Wall", "Front Wall", "Ceiling", "Window",
      "Door"}},
};
enum {
    FILES = sizeof made / sizeof *made
};

typedef struct opened {
    scene *s;
    space_shared *shared;
    space *sp;
} opened;

static opened open_fixture(const char *name)
{
    char path[1024];
    opened o = {0};
    etna_error err = {0};
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/scenes/%s.glb", ETNA_BINARY_DIR, name);
    etna_code code = bundle_read(path, &options, &bundle, &size, &err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, &o.s, &err);
    free(bundle);
    if (code == ETNA_OK)
        code = space_share(o.s, &o.shared, &err);
    if (code == ETNA_OK)
        code = space_new(o.shared, &o.sp, &err);
    if (code != ETNA_OK)
        fail_msg("%s: %s", path, err.text);
    return o;
}

static void close_fixture(opened *o)
{
    space_free(o->sp);
    space_shared_free(o->shared);
    scene_free(o->s);
}

static const scene_object *object(const opened *o, const char *name)
{
    uint32_t index = scene_find_object(o->s, name);
    if (index == SCENE_NONE)
        fail_msg("no object %s", name);
    return &o->s->objects[index];
}

static void nothing_collides_or_floats_at_the_start(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        opened o = open_fixture(made[i].file);
        space_rules rules = {0};
        space_check check;
        assert_int_equal(space_check_all(o.sp, &rules, &check, NULL), ETNA_OK);
        if (check.pair_count > 0)
            fail_msg("%s: %s and %s collide by %g m", made[i].file,
                     o.s->objects[check.pairs[0].a].name,
                     o.s->objects[check.pairs[0].b].name, check.pairs[0].depth);
        if (check.floating_count > 0)
            fail_msg("%s: %s floats", made[i].file,
                     o.s->objects[check.floating[0]].name);
        space_check_free(&check);
        close_fixture(&o);
    }
}

static bool is_fixed(int file, const char *name)
{
    bool fixed = strcmp(name, "Floor") == 0 || strcmp(name, "Wall") == 0;
    for (int i = 0; i < 8 && made[file].fixed[i]; i++)
        fixed |= strcmp(name, made[file].fixed[i]) == 0;
    return fixed;
}

static void all_but_floor_walls_and_what_is_fixed_moves_and_there_is_one_camera(
    void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        opened o = open_fixture(made[i].file);
        uint32_t movable = 0;
        for (uint32_t k = 0; k < o.s->object_count; k++) {
            const scene_object *it = &o.s->objects[k];
            bool fixed = is_fixed(i, it->name);
            movable += !it->is_static;
            if (fixed != it->is_static || it->stray || it->immovable)
                fail_msg("%s: %s: %s", made[i].file, it->name, it->why);
        }
        assert_int_equal(movable, made[i].movable);
        assert_int_equal(o.s->camera_count, 1);
        bool closed = strcmp(made[i].file, "closed") ==
                      0; /* import's own stands in for the camera it has not */
        assert_true(o.s->cameras[0].derived == closed);
        if (!closed)
            assert_string_equal(o.s->cameras[0].name, "Camera");
        assert_int_equal(o.s->report.warning_count, 0);
        close_fixture(&o);
    }
}

static void three_bottles_fit_on_the_yellow_block(void **state)
{
    (void)state;
    opened o = open_fixture("bottles");
    const scene_box *block = &object(&o, "Yellow Block")->box,
                    *bottle = &object(&o, "Red Bottle")->box;
    double long_side = 2 * fmax(block->half.x, block->half.y),
           across = 2 * fmax(bottle->half.x, bottle->half.y);
    /* even with the first in the middle */
    assert_true((long_side - across) / 2 > across + 0.04);
    close_fixture(&o);
}

static void the_tray_holds_both_boxes_but_not_around_its_middle(void **state)
{
    (void)state;
    for (int strip = 0; strip < 2; strip++) {
        opened o = open_fixture(strip ? "crowded_strip" : "crowded");
        double tray = 2 * object(&o, "Tray")->box.half.x,
               red = 2 * object(&o, "Red Box")->box.half.x,
               blue = 2 * object(&o, "Blue Box")->box.half.x;
        assert_true(tray - red - blue > 0.10);
        assert_true((tray - red) / 2 < blue - 0.05);
        assert_true(tray > 0.5); /* no overhanging: METHODS.md 5, `center` */
        /* either way round */
        assert_true(2 * object(&o, "Tray")->box.half.y > red + 0.03);
        close_fixture(&o);
    }
}

static void the_mug_is_in_the_books_way(void **state)
{
    (void)state;
    opened o = open_fixture("desk");
    const scene_object *box = object(&o, "Box"), *mug = object(&o, "Mug"),
                       *book = object(&o, "Book"), *phone = object(&o, "Phone");
    double book_short = 2 * fmin(book->box.half.x, book->box.half.y);
    assert_true(fabs(mug->min.z - box->max.z) < 0.001);
    assert_true(mug->min.x - box->min.x < book_short &&
                box->max.x - mug->max.x < book_short);
    assert_true(mug->min.y - box->min.y < book_short &&
                box->max.y - mug->max.y < book_short);
    assert_true(fmin(box->box.half.x, box->box.half.y) >
                fmax(book->box.half.x, book->box.half.y)); /* fits when free */
    assert_true(book_short >
                2 * fmin(phone->box.half.x, phone->box.half.y) + 0.05);
    close_fixture(&o);
}

/* What `etna solve` needs of the office: room on the desk, a picture that
 * hangs, a chair away from the table. */
static void the_office_leaves_work_to_do(void **state)
{
    (void)state;
    opened o = open_fixture("office");
    space_support_state support = {0};
    space_rules rules = {0};
    assert_int_equal(
        space_support_compute(o.sp, &rules, NULL, NULL, &support, NULL),
        ETNA_OK);
    for (uint32_t i = 0; i < o.s->object_count; i++) {
        bool hangs = strcmp(o.s->objects[i].name, "Picture Frame") == 0,
             fixed = o.s->objects[i].is_static;
        assert_int_equal(support.support[i], fixed   ? SUPPORT_STATIC
                                             : hangs ? SUPPORT_ATTACHED
                                                     : SUPPORT_GROUNDED);
    }
    space_support_free(&support);
    const scene_box *table = &object(&o, "Table")->box,
                    *chair = &object(&o, "Chair")->box;
    assert_true(fabs(chair->centre.x - table->centre.x) >
                chair->half.x + table->half.x + 0.5);
    assert_true(fabs(object(&o, "Mug")->min.z - object(&o, "Table")->max.z) <
                0.001); /* not on the desk yet */
    const scene_box *red = &object(&o, "Red Book")->box,
                    *blue = &object(&o, "Blue Book")->box;
    assert_true(red->half.x < blue->half.x - 0.01 &&
                red->half.y < blue->half.y - 0.01);
    close_fixture(&o);
}

static void every_scene_has_textures(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        opened o = open_fixture(made[i].file);
        uint32_t textured = 0;
        for (uint32_t k = 0; k < o.s->material_count; k++)
            textured += o.s->materials[k].texture != SCENE_NONE;
        if (textured < 2)
            fail_msg("%s: %u textured materials", made[i].file, textured);
        close_fixture(&o);
    }
}

static bool stands_on(const scene_object *it, const scene_object *on)
{
    const vec3 at = it->box.centre;
    return fabs(it->min.z - on->max.z) < 0.001 && at.x > on->min.x &&
           at.x < on->max.x && at.y > on->min.y && at.y < on->max.y;
}

/* What the goals of living.glb and closed.glb take for granted. */
static void rooms_have_what_their_goals_name(void **state)
{
    (void)state;
    opened o = open_fixture("living");
    const scene_object *shelf = object(&o, "Shelf"),
                       *table = object(&o, "Long Table"),
                       *bowl = object(&o, "Bowl");
    static const char *const before[] = {"Chair", "Plant"};
    /* where the long table would stand: between it and the shelf nothing else
     * is free */
    for (int i = 0; i < 2; i++) {
        const scene_object *it = object(&o, before[i]);
        assert_true(it->min.x > shelf->min.x && it->max.x < shelf->max.x);
        assert_true(it->max.y < shelf->min.y &&
                    shelf->min.y - it->max.y < 2 * table->box.half.y);
    }
    assert_true(stands_on(object(&o, "Vase"), object(&o, "Wooden Table")));
    assert_true(stands_on(bowl, object(&o, "Cabinet")));
    assert_true(bowl->max.z - bowl->min.z <
                (shelf->max.z - shelf->min.z) / 4 - 0.05); /* of four rows */
    assert_true(2 * bowl->box.half.y < shelf->max.y - shelf->min.y - 0.05);
    assert_true(object(&o, "Round Sofa")->box.half.x <
                0.5 * object(&o, "Sofa")->box.half.x);
    close_fixture(&o);
    o = open_fixture("closed");
    assert_true(stands_on(object(&o, "Book"), object(&o, "Nightstand")));
    double gap = object(&o, "Chair")->min.x - object(&o, "Bed")->max.x;
    assert_true(gap > 1);
    close_fixture(&o);
}

static size_t read_all(const char *path, char **ret)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    *ret = malloc(16 << 20);
    size_t size = fread(*ret, 1, 16 << 20, file);
    fclose(file);
    return size;
}

static void the_generator_gives_the_same_bytes_again(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], command[2048], path[2048];
    folder_make(folder);
    snprintf(command, sizeof command, "'%s/bin/scene-generator' '%s'",
             ETNA_BINARY_DIR, folder);
    assert_int_equal(system(command), 0);
    for (int i = 0; i < FILES; i++) {
        char *first, *second;
        snprintf(path, sizeof path, "%s/scenes/%s.glb", ETNA_BINARY_DIR,
                 made[i].file);
        size_t size = read_all(path, &first);
        snprintf(path, sizeof path, "%s/%s.glb", folder, made[i].file);
        assert_int_equal(read_all(path, &second), size);
        assert_memory_equal(first, second, size);
        free(first);
        free(second);
    }
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_collides_or_floats_at_the_start),
        cmocka_unit_test(
            all_but_floor_walls_and_what_is_fixed_moves_and_there_is_one_camera),
        cmocka_unit_test(three_bottles_fit_on_the_yellow_block),
        cmocka_unit_test(the_tray_holds_both_boxes_but_not_around_its_middle),
        cmocka_unit_test(the_mug_is_in_the_books_way),
        cmocka_unit_test(the_office_leaves_work_to_do),
        cmocka_unit_test(rooms_have_what_their_goals_name),
        cmocka_unit_test(every_scene_has_textures),
        cmocka_unit_test(the_generator_gives_the_same_bytes_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
