/* Folders and libraries of small models, sound and broken, read onto a
 * shelf. */
#include "tests/support/folder.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/zip_builder.h"
#include "tests/unit/worker/assets/made.h"
#include "worker/assets/index.h"
#include "worker/assets/lot.h"
#include "worker/assets/scan.h"
#include "worker/assets/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[FOLDER_SIZE], said[8192];
static shelf *shelved;

static void say(void *context, const char *line)
{
    (void)context;
    size_t n = strlen(said);
    snprintf(said + n, sizeof said - n, "%s\n", line);
}

static int setup(void **state)
{
    (void)state;
    folder_make(folder);
    said[0] = 0;
    return shelf_open_memory(&shelved, NULL) == ETNA_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    shelf_close(shelved);
    folder_remove(folder);
    return 0;
}

static scan_report scanned(const char *path, uint32_t jobs)
{
    const scan_options options = {.jobs = jobs, .say = say};
    scan_report report = {0};
    etna_error err = {0};
    said[0] = 0;
    if (scan_paths(shelved, &path, 1, &options, &report, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return report;
}

static void put_box(const char *name, double width, double height)
{
    gltf_builder *b = gltf_builder_new();
    size_t size;
    uint32_t red = gltf_builder_material(b, "Wood", 0.6, 0.02, 0.02);
    gltf_builder_box(b, "thing", v3(0, 0, height / 2), v3(width, 0.5, height),
                     0, red);
    uint8_t *glb = gltf_builder_glb(b, &size);
    folder_put(folder, name, glb, size);
    free(glb);
    gltf_builder_free(b);
}

static void a_folder_is_read_once_and_measured(void **state)
{
    (void)state;
    shelf_list list = {.count = 0};
    put_box("BigChair_01.glb", 0.6, 1.2);
    put_box("small_table.glb", 0.5, 0.5);
    scan_report first = scanned(folder, 2), second = scanned(folder, 1);
    assert_int_equal(first.models, 2);
    assert_int_equal(first.read, 2);
    assert_int_equal(second.models, 2);
    assert_int_equal(second.read, 0);
    assert_int_equal(shelf_read(shelved, &list, NULL), ETNA_OK);
    assert_int_equal(list.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bool is_chair = strstr(list.assets[i].name, "Chair") != NULL;
        assert_string_equal(list.assets[i].name,
                            is_chair ? "Big Chair 01" : "small table");
        assert_true(list.assets[i].shape.size[1] > (is_chair ? 1.19 : 0.49) &&
                    list.assets[i].shape.colour[3] == 100);
        assert_string_equal(list.assets[i].shape.materials, "wood");
    }
    shelf_list_free(&list);
}

static void what_changed_is_read_again_and_what_is_gone_is_forgotten(
    void **state)
{
    (void)state;
    char path[300];
    shelf_list list = {.count = 0};
    uint64_t removed = 0;
    put_box("a.glb", 0.6, 1.2);
    put_box("b.glb", 0.5, 0.5);
    scanned(folder, 1);
    put_box("a.glb", 0.7, 1.2);
    snprintf(path, sizeof path, "%s/b.glb", folder);
    unlink(path);
    scan_report report = scanned(folder, 1);
    assert_int_equal(report.models, 1);
    assert_int_equal(report.read, 1);
    assert_int_equal(report.removed, 1);
    assert_int_equal(shelf_sweep(shelved, &removed, NULL), ETNA_OK);
    assert_true(removed > 0);
    assert_int_equal(shelf_read(shelved, &list, NULL), ETNA_OK);
    assert_int_equal(list.count, 1);
    shelf_list_free(&list);
}

static void equal_files_are_one_asset(void **state)
{
    (void)state;
    uint32_t docs = 0;
    put_box("chair.glb", 0.6, 1.2);
    put_box("seat.glb", 0.6, 1.2);
    scanned(folder, 1);
    assert_int_equal(index_refresh(shelved, NULL, &docs, NULL), ETNA_OK);
    assert_int_equal(docs, 1);
}

static void a_broken_file_is_one_line_and_the_others_stay(void **state)
{
    (void)state;
    char loop[300];
    put_box("chair.glb", 0.6, 1.2);
    folder_put(folder, "broken.glb", "glTF\2\0\0\0nonsense", 16);
    folder_put(folder, "empty.glb", "", 0);
    folder_put(folder, "broken.sh3f",
               "PK\5\6 no archive at all, but long enough", 38);
    folder_put(folder, "nothing.obj", "v 0 0 0\n", 8);
    folder_put(folder, "notes.txt", "not a model", 11);
    snprintf(loop, sizeof loop, "%s/loop", folder);
    assert_int_equal(symlink(folder, loop), 0);
    scan_report report = scanned(folder, 2);
    assert_int_equal(report.models, 4);
    assert_int_equal(report.faults, 4);
    assert_non_null(strstr(said, "broken.glb"));
    assert_non_null(strstr(said, "empty.glb"));
    assert_non_null(strstr(said, "broken.sh3f"));
    assert_non_null(strstr(said, "nothing.obj"));
    int lines = 0;
    for (const char *c = said; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 4);
    report = scanned(folder, 1);
    assert_int_equal(report.read, 0);
    assert_int_equal(report.faults, 4);
}

static const char CUBE[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/* In a format without names of its own, too. */
static void equal_files_without_names_are_one_asset(void **state)
{
    (void)state;
    uint32_t docs = 0;
    folder_put(folder, "chair.obj", CUBE, sizeof CUBE - 1);
    folder_put(folder, "seat.obj", CUBE, sizeof CUBE - 1);
    scan_report report = scanned(folder, 1);
    assert_int_equal(report.read, 2);
    assert_int_equal(index_refresh(shelved, NULL, &docs, NULL), ETNA_OK);
    assert_int_equal(docs, 1);
}

static void put_library(const char *name, const char *catalogue)
{
    static const char french[] =
        "name#1=Chaise\ntags#1=Si\\u00e8ge\ncategory#1=Bureau\n";
    zip_builder z = {0};
    size_t size;
    zip_builder_add(&z, "PluginFurnitureCatalog.properties", catalogue,
                    strlen(catalogue));
    zip_builder_add(&z, "PluginFurnitureCatalog_fr.properties", french,
                    sizeof french - 1);
    zip_builder_add(&z, "a/cube.obj", CUBE, sizeof CUBE - 1);
    zip_builder_add_raw(&z, "a/bomb.obj", CUBE, sizeof CUBE - 1,
                        UINT32_C(0xfffffff0), 0);
    uint8_t *data = zip_builder_finish(&z, &size);
    folder_put(folder, name, data, size);
    free(data);
}

static const char CATALOGUE[] =
    "name=Mine\nlicense=CC0\n"
    "name#1=Chair\nid#1=Mine#chair\nmodel#1=/a/cube.obj\nwidth#1=50\nheight#1=100\ndepth#1=50\ntags#1=Seat\nelevation#1=20\n"
    "name#2=Missing\nmodel#2=/a/none.obj\nwidth#2=50\nheight#2=50\ndepth#2=50\n"
    "name#3=Not a size\nmodel#3=/a/cube.obj\nwidth#3=NaN\nheight#3=0\ndepth#3=50\n"
    "name#4=Bomb\nmodel#4=/a/bomb.obj\nwidth#4=50\nheight#4=50\ndepth#4=50\n"
    "name#5=Outside\nmodel#5=/../../etc/passwd\nwidth#5=50\nheight#5=50\ndepth#5=50\n";

static void a_library_keeps_its_good_models(void **state)
{
    (void)state;
    shelf_list list = {.count = 0};
    put_library("mine.sh3f", CATALOGUE);
    scan_report report = scanned(folder, 2);
    assert_int_equal(report.models, 5);
    assert_int_equal(report.faults, 4);
    assert_non_null(strstr(said, "mine#2"));
    assert_non_null(
        strstr(said, "mine#3, Not a size: left out: its width is \"NaN\""));
    assert_non_null(strstr(said, "mine#4"));
    assert_non_null(strstr(said, "mine#5"));
    assert_int_equal(shelf_read(shelved, &list, NULL), ETNA_OK);
    const asset *chair = &list.assets[0];
    assert_string_equal(chair->name, "Chair");
    assert_string_equal(chair->tags, "Seat");
    assert_int_equal(chair->word_count, 1);
    assert_string_equal(chair->words[0].tags, "Si\xc3\xa8ge");
    assert_true(chair->elevation > 0.19 && chair->shape.size[1] > 0.99);
    shelf_list_free(&list);
}

static void an_archive_that_leads_out_is_refused(void **state)
{
    (void)state;
    zip_builder z = {0};
    size_t size;
    zip_builder_add(&z, "PluginFurnitureCatalog.properties", CATALOGUE,
                    sizeof CATALOGUE - 1);
    zip_builder_add(&z, "../outside.obj", CUBE, sizeof CUBE - 1);
    uint8_t *data = zip_builder_finish(&z, &size);
    folder_put(folder, "evil.sh3f", data, size);
    free(data);
    scan_report report = scanned(folder, 1);
    assert_int_equal(report.faults, 1);
    assert_non_null(strstr(said, "names a place outside it"));
}

static void an_argument_that_is_nothing_of_the_kind_is_refused(void **state)
{
    (void)state;
    const scan_options options = {.jobs = 1};
    scan_report report;
    etna_error err;
    char path[300];
    folder_put(folder, "notes.md", "hello", 5);
    snprintf(path, sizeof path, "%s/notes.md", folder);
    const char *one = path;
    assert_int_equal(scan_paths(shelved, &one, 1, &options, &report, &err),
                     ETNA_E_INPUT);
    one = "/nowhere/at/all";
    assert_int_equal(scan_paths(shelved, &one, 1, &options, &report, &err),
                     ETNA_E_INPUT);
}

static void a_name_that_is_no_text_is_one_line(void **state)
{
    (void)state;
    put_box("chair.glb", 0.6, 1.2);
    put_box("b\xff"
            "d.glb",
            0.6, 1.3);
    scan_report report = scanned(folder, 1);
    assert_int_equal(report.models, 2);
    assert_int_equal(report.faults, 1);
    assert_non_null(strstr(said, "not UTF-8"));
}

static void a_list_names_models_from_where_it_lies(void **state)
{
    (void)state;
    char path[300];
    put_box("chair.glb", 0.6, 1.2);
    folder_put(folder, "mine.txt", "# mine\nchair.glb\nabsent.glb\n", 28);
    snprintf(path, sizeof path, "%s/mine.txt", folder);
    scan_report report = scanned(path, 1);
    assert_int_equal(report.models, 1);
    assert_int_equal(report.faults, 1);
    assert_non_null(strstr(said, "absent.glb"));
}

/* What a worker does with each lot. */
typedef struct reader {
    uint32_t lots, models;
    uint8_t *read[4];
    size_t sizes[4];
} reader;

static etna_code read_one(void *context,
                          uint32_t models,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    reader *r = context;
    uint32_t at = r->lots++;
    assert_true(at < 4);
    r->models += models;
    return lot_read(data, size, &r->read[at], &r->sizes[at], err);
}

static reader gathered(void)
{
    const char *path = folder;
    const scan_options options = {.jobs = 2};
    reader r = {0};
    char assets[300];
    etna_error err = {0};
    snprintf(assets, sizeof assets, "%s/assets", folder);
    mkdir(assets, 0700);
    if (scan_lots(shelved, folder, &path, 1, &options, read_one, &r, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    return r;
}

static void taken(reader *r)
{
    etna_error err = {0};
    for (uint32_t i = 0; i < r->lots; i++) {
        if (scan_lots_take(shelved, folder, r->read[i], r->sizes[i], &err) !=
            ETNA_OK)
            fail_msg("%s", err.text);
        free(r->read[i]);
    }
}

static void put_twenty(void)
{
    char name[32];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "chair_%02d.glb", i);
        put_box(name, 0.4 + 0.01 * i, 1);
    }
    folder_put(folder, "broken.glb", "no model at all", 15);
}

/* The same index as where one process reads them all, and nothing left to
 * read. */
static void models_read_in_lots_are_as_those_read_here(void **state)
{
    (void)state;
    uint32_t docs = 0;
    etna_hash by_lots, here;
    shelf *other;
    put_twenty();
    reader r = gathered();
    assert_int_equal(r.lots, 2);
    assert_int_equal(r.models, 20);
    taken(&r);
    scan_report report = scanned(folder, 1);
    assert_int_equal(report.models, 21);
    assert_int_equal(report.read, 0);
    assert_int_equal(report.faults, 1);
    assert_non_null(strstr(said, "broken.glb"));
    assert_int_equal(index_refresh(shelved, &by_lots, &docs, NULL), ETNA_OK);
    assert_int_equal(docs, 20);
    other = shelved;
    assert_int_equal(shelf_open_memory(&shelved, NULL), ETNA_OK);
    scanned(folder, 2);
    assert_int_equal(index_refresh(shelved, &here, &docs, NULL), ETNA_OK);
    assert_true(etna_hash_equal(&by_lots, &here));
    shelf_close(other);
}

/* A scan that was killed before anything was read converts nothing twice. */
static void the_same_models_make_the_same_lots(void **state)
{
    (void)state;
    put_twenty();
    reader first = gathered();
    reader second = gathered();
    assert_int_equal(second.lots, first.lots);
    for (uint32_t i = 0; i < first.lots; i++) {
        assert_int_equal(second.sizes[i], first.sizes[i]);
        assert_memory_equal(second.read[i], first.read[i], first.sizes[i]);
        free(second.read[i]);
    }
    taken(&first);
    reader third = gathered();
    assert_int_equal(third.lots, 0);
}

static etna_code look_at_png(void *context,
                             const uint8_t *data,
                             size_t size,
                             etna_error *err)
{
    (void)err;
    assert_true(size > 24);
    assert_memory_equal(data, "\x89PNG", 4);
    assert_int_equal(data[18], 2 * ASSETS_VIEW_SIDE >> 8);
    ++*(int *)context;
    return ETNA_OK;
}

/* Of each model, by whoever read it; what is swept is gone with its model. */
static void views_are_kept_with_what_was_measured(void **state)
{
    (void)state;
    int seen = 0;
    uint64_t removed;
    shelf_list list = {.count = 0};
    put_box("chair.glb", 0.6, 1.2);
    put_box("table.glb", 0.5, 0.5);
    scanned(folder, 2);
    assert_int_equal(shelf_read(shelved, &list, NULL), ETNA_OK);
    assert_int_equal(list.count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(shelf_with_views(shelved, &list.assets[i].hash,
                                          look_at_png, &seen, NULL),
                         ETNA_OK);
    assert_int_equal(seen, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(
            shelf_put_path(shelved, list.assets[i].path, NULL, 0, NULL),
            ETNA_OK);
    assert_int_equal(shelf_sweep(shelved, &removed, NULL), ETNA_OK);
    assert_int_equal(removed, 6);
    assert_int_equal(shelf_with_views(shelved, &list.assets[0].hash,
                                      look_at_png, &seen, NULL),
                     ETNA_E_NOTFOUND);
    shelf_list_free(&list);
}

static void a_handful_waits_for_no_lot(void **state)
{
    (void)state;
    put_box("chair.glb", 0.6, 1.2);
    assert_int_equal(gathered().lots, 0);
}

static void what_is_no_lot_is_refused(void **state)
{
    (void)state;
    put_twenty();
    reader r = gathered();
    etna_arena arena = ETNA_ARENA_INIT;
    lot_scan scans[LOT_MODELS];
    uint32_t count;
    uint8_t *out;
    size_t size;
    for (size_t n = 0; n < r.sizes[1]; n += 1 + n / 64)
        assert_int_equal(lot_scans(r.read[1], n, &arena, scans, &count, NULL),
                         ETNA_E_INPUT);
    /* what comes of a lot is none */
    assert_int_equal(lot_read(r.read[0], r.sizes[0], &out, &size, NULL),
                     ETNA_E_INPUT);
    /* a shape without an asset */
    memset(r.read[1] + 12 + 32, 0, 32);
    assert_int_equal(
        lot_scans(r.read[1], r.sizes[1], &arena, scans, &count, NULL),
        ETNA_E_INPUT);
    etna_arena_free(&arena);
    free(r.read[0]);
    free(r.read[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_folder_is_read_once_and_measured,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            what_changed_is_read_again_and_what_is_gone_is_forgotten, setup,
            teardown),
        cmocka_unit_test_setup_teardown(equal_files_without_names_are_one_asset,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(equal_files_are_one_asset, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            a_broken_file_is_one_line_and_the_others_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(a_library_keeps_its_good_models, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_archive_that_leads_out_is_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            an_argument_that_is_nothing_of_the_kind_is_refused, setup,
            teardown),
        cmocka_unit_test_setup_teardown(a_name_that_is_no_text_is_one_line,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_list_names_models_from_where_it_lies,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            models_read_in_lots_are_as_those_read_here, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_models_make_the_same_lots,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(views_are_kept_with_what_was_measured,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_handful_waits_for_no_lot, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_is_no_lot_is_refused, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
