/* How the commands that work on one file take flags, speak, and write: numbers
 * and flags are read strictly, a file appears whole or not at all, and what is
 * printed has no control characters and no -0. */
#include "tests/support/folder.h"
#include "worker/cli/load.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[FOLDER_SIZE];

static int make_folder(void **state)
{
    (void)state;
    folder_make(folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails when something was left in it */
}

static const char *in_folder(const char *name, char room[512])
{
    snprintf(room, 512, "%s/%s", folder, name);
    return room;
}

static void numbers_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    double n[4];
    assert_true(load_numbers("0.5", 0, 1, n) && n[0] == 0.5);
    assert_true(load_numbers("0,0.25,1,1e-1", ',', 4, n) && n[1] == 0.25 &&
                n[3] == 0.1);
    assert_true(load_numbers("800x600", 'x', 2, n) && n[0] == 800 &&
                n[1] == 600);
    static const char *const wrong[] = {
        "",        "x",         "0.5 ",      "0,0.25,1",    "0,1,2,3,4",
        "0;1;2;3", "nan,0,0,0", "0,0,0,inf", "1e999,0,0,0", "0,0,0,0,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(load_numbers(wrong[i], ',', 4, n));
}

static void what_is_printed_is_plain(void **state)
{
    (void)state;
    char room[8];
    assert_string_equal(load_plain("a\x1b[1m\n", room, sizeof room), "a [1m ");
    assert_string_equal(
        load_plain("b\u202e\u200bg\xff\xc2\x9b", room, sizeof room), "b  g? ");
    assert_string_equal(load_plain("a name too long", room, sizeof room),
                        "a name ");
    assert_int_equal(signbit(load_tidy(-0.00001)), 0);
    assert_true(load_tidy(-0.0001) == -0.0001);
    assert_int_equal(signbit(load_degrees(-1e-15)), 0);
    json_t *v = load_vector(v3(-0.0, 1, -2));
    assert_int_equal(signbit(json_real_value(json_array_get(v, 0))), 0);
    assert_true(json_real_value(json_array_get(v, 2)) == -2);
    json_decref(v);
}

static etna_code take(flags_row row, const char *value)
{
    char words[3][64],
        *argv[] = {strcpy(words[0], "look"), words[1], words[2], NULL};
    snprintf(words[1], sizeof words[1], "--%s", row.name);
    snprintf(words[2], sizeof words[2], "%s", value);
    const flags_row rows[] = {row, {0}};
    bool helped;
    int first;
    return flags_read("etna look", 3, argv, rows, &helped, &first, NULL);
}

static void what_a_scene_is_measured_in_is_read_strictly(void **state)
{
    (void)state;
    scene_options o = scene_options_default(), kept = o;
    const flags_row rows[] = {LOAD_UNIT_AND_UP(&o)};
    static const char *const no_units[] = {"",    "0",   "-1", "1e7",
                                           "nan", "inf", "1m", "0.01 "};
    static const char *const no_axes[] = {"", "X", "YZ", "+Y", "\x19", "9"};
    for (size_t i = 0; i < sizeof no_units / sizeof *no_units; i++)
        assert_int_equal(take(rows[0], no_units[i]), ETNA_E_USAGE);
    for (size_t i = 0; i < sizeof no_axes / sizeof *no_axes; i++)
        assert_int_equal(take(rows[1], no_axes[i]), ETNA_E_USAGE);
    assert_memory_equal(&o, &kept, sizeof o);
    assert_int_equal(take(rows[0], "0.01"), ETNA_OK);
    assert_true(o.metres_per_unit == 0.01);
    assert_int_equal(take(rows[1], "z"), ETNA_OK);
    assert_int_equal(o.up, 'Z');
    bool paper = false;
    assert_int_equal(
        take((flags_row){"floating", .read = load_paper, .into = &paper},
             "ours"),
        ETNA_E_USAGE);
    assert_false(paper);
    assert_int_equal(
        take((flags_row){"floating", .read = load_paper, .into = &paper},
             "paper"),
        ETNA_OK);
    assert_true(paper);
}

static size_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? SIZE_MAX : (size_t)st.st_size;
}

static void a_file_appears_whole_and_replaces_the_old_one(void **state)
{
    (void)state;
    char path[512];
    etna_error err;
    in_folder("a.png", path);
    assert_int_equal(load_write(path, (const uint8_t *)"hello", 5, &err),
                     ETNA_OK);
    assert_int_equal(size_of(path), 5);
    assert_int_equal(load_write(path, (const uint8_t *)"hi", 2, &err), ETNA_OK);
    assert_int_equal(size_of(path), 2);
    unlink(path); /* and nothing else is in the folder: drop_folder */
}

static void a_file_that_cannot_be_whole_leaves_the_old_one(void **state)
{
    (void)state;
    char path[512];
    etna_error err;
    uint8_t *large = calloc(1, 1 << 16);
    assert_non_null(large);
    in_folder("b.png", path);
    assert_int_equal(load_write(path, (const uint8_t *)"old", 3, &err),
                     ETNA_OK);
    struct rlimit before, small = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    etna_code code = load_write(path, large, 1 << 16, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(code, ETNA_E_FULL);
    assert_non_null(strstr(err.text, "b.png"));
    assert_int_equal(size_of(path), 3);
    unlink(path);
    free(large);
    assert_int_equal(
        load_write("/nowhere/at/all.png", (const uint8_t *)"x", 1, &err),
        ETNA_E_IO);
    assert_int_equal(load_write("/dev/full", (const uint8_t *)"x", 1, &err),
                     ETNA_E_FULL);
    assert_int_equal(load_write("/dev/null", (const uint8_t *)"x", 1, &err),
                     ETNA_OK);
}

static void the_input_is_never_the_output(void **state)
{
    (void)state;
    char path[512], other[512];
    etna_error err;
    in_folder("scene.glb", path);
    in_folder("link.glb", other);
    assert_int_equal(load_write(path, (const uint8_t *)"x", 1, &err), ETNA_OK);
    assert_int_equal(symlink(path, other), 0);
    assert_int_equal(load_check_output(path, path, &err), ETNA_E_USAGE);
    assert_int_equal(load_check_output(other, path, &err), ETNA_E_USAGE);
    assert_int_equal(load_check_output(folder, path, &err), ETNA_E_USAGE);
    assert_int_equal(load_check_output("", path, &err), ETNA_E_USAGE);
    unlink(other);
    assert_int_equal(load_check_output(other, path, &err), ETNA_OK);
    unlink(path);
}

static loaded_scene open_scene(const char *name)
{
    char path[512];
    loaded_scene loaded;
    etna_error err;
    scene_options options = scene_options_default();
    snprintf(path, sizeof path, "%s/scenes/%s.glb", ETNA_BINARY_DIR, name);
    if (load_scene(path, &options, NULL, &loaded, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return loaded;
}

static void a_camera_is_the_files_or_one_of_ours(void **state)
{
    (void)state;
    loaded_scene loaded = open_scene("office");
    scene_camera camera, auto_camera;
    etna_error err;
    assert_int_equal(load_camera(&loaded, NULL, &camera, &err), ETNA_OK);
    assert_string_equal(camera.name, "Camera");
    assert_int_equal(load_camera(&loaded, "0", &camera, &err), ETNA_OK);
    assert_string_equal(camera.name, "Camera");
    assert_int_equal(load_camera(&loaded, "auto", &auto_camera, &err), ETNA_OK);
    assert_true(auto_camera.derived);
    memset(&camera, 7, sizeof camera);
    scene_camera kept = camera;
    assert_int_equal(load_camera(&loaded, "none", &camera, &err), ETNA_E_USAGE);
    assert_memory_equal(&kept, &camera, sizeof camera);
    assert_int_equal(load_camera(&loaded, "cutaway", &camera, &err), ETNA_OK);
    assert_string_equal(camera.name, "cutaway");
    load_scene_free(&loaded);
}

static void what_was_moved_is_known_from_two_files(void **state)
{
    (void)state;
    loaded_scene loaded = open_scene("desk");
    const scene_object *o =
        &loaded.scene->objects[scene_find_object(loaded.scene, "Mug")];
    scene_object other = *o;
    assert_false(load_moved(o, &other));
    other.box.centre.x += 1e-5;
    assert_true(load_moved(o, &other));
    other = *o;
    other.box.yaw = o->box.yaw + 1e-5;
    assert_true(load_moved(o, &other));
    other.box.yaw = o->box.yaw + 2 * MATH_PI; /* the same heading */
    assert_false(load_moved(o, &other));
    load_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
        cmocka_unit_test(what_is_printed_is_plain),
        cmocka_unit_test(what_a_scene_is_measured_in_is_read_strictly),
        cmocka_unit_test_setup_teardown(
            a_file_appears_whole_and_replaces_the_old_one, make_folder,
            drop_folder),
        cmocka_unit_test_setup_teardown(
            a_file_that_cannot_be_whole_leaves_the_old_one, make_folder,
            drop_folder),
        cmocka_unit_test_setup_teardown(the_input_is_never_the_output,
                                        make_folder, drop_folder),
        cmocka_unit_test(a_camera_is_the_files_or_one_of_ours),
        cmocka_unit_test(what_was_moved_is_known_from_two_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
