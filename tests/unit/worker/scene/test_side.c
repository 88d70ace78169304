/* The side file SCENE.etna.json beside the scene, and how files are opened
 * where the kernel has no openat2. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[FOLDER_SIZE];

static int make_folder(void **state)
{
    (void)state;
    folder_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static void put_room(void)
{
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(6, 6, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "Object_1", v3(1, 0, 0.5), v3(0.4, 0.6, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "Object_2", v3(-1, 0, 0.5), v3(0.4, 0.6, 1), 45,
                     GLTF_NONE);
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    folder_put(folder, "room.glb", glb, size);
    free(glb);
}

static bool open_room(const char *side, opened *o, etna_error *err)
{
    char path[256];
    put_room();
    folder_put(folder, "room.etna.json", side, strlen(side));
    snprintf(path, sizeof path, "%s/room.glb", folder);
    *err = (etna_error){0};
    return open_path(path, o, err);
}

static void test_what_a_person_says_overrules_what_the_file_shows(void **state)
{
    (void)state;
    opened o;
    etna_error err;
    assert_true(open_room(
        "{\"names\":{\"Object_1\":\"red bottle\",\"Object_2\":\"floor\"},\"static\":[\"red "
        "bottle\"],\"movable\":[\"floor\"],"
        "\"fronts\":{\"floor.2\":\"-X\"},\"descriptions\":{\"red bottle\":\"half full\"},\"categories\":{\"red "
        "bottle\":\"drink\"},"
        "\"cameras\":[{\"name\":\"side\",\"position\":[5,0,1],\"target\":[0,0,1],\"yfov_deg\":90,\"aspect\":1}]}",
        &o, &err));
    const scene_object *bottle = object_named(o.s, "red bottle"),
                       *turned = object_named(o.s, "floor.2");
    assert_true(bottle->is_static && strstr(bottle->why, "side file"));
    assert_string_equal(bottle->description, "half full");
    assert_string_equal(bottle->category, "drink");
    assert_false(object_named(o.s, "floor")->is_static);
    assert_true(turned->has_front &&
                fabs(turned->box.yaw - (45 - 90) * MATH_PI / 180) <
                    /* -X of the node, which is turned by 45 */
                    1e-6);
    assert_int_equal(o.s->camera_count, 1);
    assert_true(o.s->cameras[0].forward.x == -1 &&
                fabs(o.s->cameras[0].half_height - 1) < 1e-12);
    close_opened(&o);
}

static void test_unit_and_up_come_from_the_side_file(void **state)
{
    (void)state;
    opened o;
    etna_error err;
    assert_true(open_room("{\"unit\":0.5,\"up\":\"Z\"}", &o, &err));
    assert_true(o.s->metres_per_unit == 0.5);
    assert_true(v3_distance(object_named(o.s, "Object_1")->box.centre,
                            v3(0.5, 0.25, 0)) < 1e-6); /* file (1, 0.5, 0) */
    close_opened(&o);
}

static void test_faults_of_the_side_file_are_said(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{", "side file: line 1"},
        {"{\"unit\":0}", "\"unit\""},
        {"{\"unit\":\"cm\"}", "\"unit\""},
        {"{\"up\":\"X\"}", "\"up\""},
        {"{\"names\":{\"floor\":7}}", "no text"},
        {"{\"cameras\":[{}]}", "camera 0"},
        {"[]", "not an object"}};
    opened o;
    etna_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(open_room(bad[i][0], &o, &err));
        assert_int_equal(err.code, ETNA_E_INPUT);
        if (!strstr(err.text, bad[i][1])) {
            fail_msg("\"%s\" does not say \"%s\"", err.text, bad[i][1]);
        }
    }
    assert_true(open_room("{\"static\":[\"sink\"]}", &o, &err));
    assert_non_null(strstr(o.s->report.warnings[0], "\"sink\""));
    close_opened(&o);
}

/* In a child whose openat2 answers ENOSYS, as an old kernel would. */
static int read_without_openat2(const char *path)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    pid_t child = fork();
    if (child == 0) {
        uint8_t *data;
        size_t size;
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
            _exit(99);
        }
        _exit((int)bundle_read(path, NULL, &data, &size, NULL));
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child &&
                WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_without_openat2_the_folder_is_still_the_wall(void **state)
{
    (void)state;
    static const char *const uris[] = {
        "data.bin",        "sub/data.bin", "./sub//data.bin", "../data.bin",
        "sub/../data.bin", "link.bin",     "%2e%2e/x"};
    static const int codes[] = {ETNA_OK,      ETNA_OK,      ETNA_OK,
                                ETNA_E_INPUT, ETNA_E_INPUT, ETNA_E_INPUT,
                                ETNA_E_INPUT};
    char path[256];
    snprintf(path, sizeof path, "%s/sub", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    folder_put(folder, "data.bin", "abcd", 4);
    folder_put(folder, "sub/data.bin", "abcd", 4);
    snprintf(path, sizeof path, "%s/link.bin", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/room.gltf", folder);
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        char json[256];
        snprintf(
            json, sizeof json,
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"%s\"}]}",
            uris[i]);
        folder_put(folder, "room.gltf", json, strlen(json));
        int code = read_without_openat2(path);
        if (code == 99) {
            print_message("skipped: no seccomp here\n");
            skip();
        }
        assert_int_equal(code, codes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_what_a_person_says_overrules_what_the_file_shows, make_folder,
            remove_folder),
        cmocka_unit_test_setup_teardown(
            test_unit_and_up_come_from_the_side_file, make_folder,
            remove_folder),
        cmocka_unit_test_setup_teardown(test_faults_of_the_side_file_are_said,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(
            test_without_openat2_the_folder_is_still_the_wall, make_folder,
            remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
