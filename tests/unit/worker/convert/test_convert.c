/* Small scenes of each make, written here, and what import sees of them: names,
 * places, units, axes, colours, pictures. */
#include "tests/support/folder.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/press.h"
#include "worker/convert/convert.h"
#include "worker/convert/picture.h"
#include "worker/gltf/bundle.h"

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

static char folder[FOLDER_SIZE];

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put_text(const char *name, const char *text)
{
    folder_put(folder, name, text, strlen(text));
}

static etna_code load(
    const char *name, double unit, char up, scene **ret, etna_error *err)
{
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    options.metres_per_unit = unit;
    options.up = up;
    etna_code code =
        convert_bundle(path_of(name), &options, &bundle, &size, err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, ret, err);
    free(bundle);
    return code;
}

static scene *loaded(const char *name, double unit, char up)
{
    scene *s = NULL;
    etna_error err = {0};
    if (load(name, unit, up, &s, &err) != ETNA_OK)
        fail_msg("%s: %s", name, err.text);
    return s;
}

static void test_compressed_geometry_is_decoded_in_a_child(void **state)
{
    (void)state;
    const press_options options = {.bits = 12};
    gltf_builder *b = gltf_builder_new();
    size_t size, packed_size, bundle_size = 0;
    etna_error err = {0};
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(4, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "cup", v3(0, 0, 0.1), v3(0.1, 0.1, 0.2), 0, GLTF_NONE);
    uint8_t *glb = gltf_builder_glb(b, &size), *bundle = NULL;
    gltf_builder_free(b);
    for (int k = 0; k < 2; k++) {
        uint8_t *packed = k ? press_meshopt(glb, size, &options, &packed_size)
                            : press_draco(glb, size, &options, &packed_size);
        scene *s = NULL;
        folder_put(folder, "packed.glb", packed, packed_size);
        if (convert_scene(path_of("packed.glb"), NULL, &bundle, &bundle_size,
                          &err) != ETNA_OK ||
            scene_import(bundle, bundle_size, &s, &err) != ETNA_OK) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(s->object_count, 2);
        assert_int_equal(s->objects[1].triangle_count, 12);
        scene_free(s);
        free(bundle);
        bundle = NULL;
        uint32_t json;
        memcpy(&json, packed + 12, 4);
        memset(packed + 28 + json + packed_size / 4, 0xff,
               packed_size - packed_size / 4 - 28 - json); /* the data */
        folder_put(folder, "packed.glb", packed, packed_size);
        assert_int_equal(convert_scene(path_of("packed.glb"), NULL, &bundle,
                                       &bundle_size, &err),
                         ETNA_E_INPUT);
        assert_null(bundle);
        assert_non_null(strstr(err.text, path_of("packed.glb")));
        assert_null(strchr(err.text, '\n'));
        free(packed);
    }
    free(glb);
}

static void expect_refusal(const char *name, const char *words)
{
    scene *s = NULL;
    etna_error err = {0};
    etna_code code = load(name, 0, 0, &s, &err);
    assert_true(code == ETNA_E_INPUT || code == ETNA_E_LIMIT);
    assert_null(s);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_null(strchr(err.text, '\n'));
}

static const scene_object *object(const scene *s, const char *name)
{
    uint32_t i = scene_find_object(s, name);
    if (i == SCENE_NONE)
        fail_msg("there is no \"%s\"", name);
    return &s->objects[i];
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-5))
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_box(const scene *s, const char *name, vec3 centre, vec3 half)
{
    const scene_object *o = object(s, name);
    vec3 c = v3_add(v3_scale(v3_add(o->min, o->max), 0.5), s->recentre),
         h = v3_scale(v3_sub(o->max, o->min), 0.5);
    assert_near(c.x, centre.x), assert_near(c.y, centre.y),
        assert_near(c.z, centre.z);
    assert_near(h.x, half.x), assert_near(h.y, half.y),
        assert_near(h.z, half.z);
}

/* A box in OBJ: `base` vertices came before. */
static size_t obj_box(char *to,
                      size_t room,
                      const char *name,
                      const char *material,
                      vec3 low,
                      vec3 high,
                      int base)
{
    static const int faces[6][4] = {{1, 4, 3, 2}, {5, 6, 7, 8}, {1, 2, 6, 5},
                                    {3, 4, 8, 7}, {1, 5, 8, 4}, {2, 3, 7, 6}};
    int n = snprintf(to, room, "o %s\nusemtl %s\n", name, material);
    for (int i = 0; i < 8; i++) {
        n += snprintf(to + n, room - (size_t)n, "v %g %g %g\n",
                      (i & 3) % 3 ? high.x : low.x,
                      (i & 3) / 2 ? high.y : low.y, i / 4 ? high.z : low.z);
    }
    for (int i = 0; i < 6; i++) {
        n += snprintf(to + n, room - (size_t)n, "f %d/1 %d/2 %d/3 %d/1\n",
                      base + faces[i][0], base + faces[i][1],
                      base + faces[i][2], base + faces[i][3]);
    }
    return (size_t)n;
}

static void write_room(const char *name)
{
    char text[8192] = "mtllib room.mtl\nvt 0 0\nvt 1 0\nvt 1 0.25\n";
    size_t n = strlen(text);
    n += obj_box(text + n, sizeof text - n, "floor", "grey", v3(-2, -0.1, -2),
                 v3(2, 0, 2), 0);
    n += obj_box(text + n, sizeof text - n, "table", "wood", v3(-0.5, 0, -0.3),
                 v3(0.5, 0.7, 0.3), 8);
    n += obj_box(text + n, sizeof text - n, "cup", "red", v3(0.1, 0.7, 0.1),
                 v3(0.2, 0.8, 0.2), 16);
    folder_put(folder, name, text, n);
}

static void objects_of_an_obj_are_objects(void **state)
{
    (void)state;
    write_room("room.obj");
    put_text(
        "room.mtl",
        "newmtl grey\nKd 0.5 0.5 0.5\nnewmtl wood\nKd 0 0 0\nmap_Kd wood.tga\nnewmtl red\nKd 1 0 0\nd 0.5\n");
    static const uint8_t tga[18 + 12] = {
        0, 0,  2,    0, 0, 0,   0, 0,   0, 0,   0, 0, 2, 0, 2,
        0, 24, 0x20, 0, 0, 255, 0, 255, 0, 255, 0, 0, 9, 9, 9};
    folder_put(folder, "wood.tga", tga, sizeof tga);
    scene *s = loaded("room.obj", 0, 0);
    assert_int_equal(s->object_count, 3);
    assert_box(s, "floor", v3(0, 0, -0.05), v3(2, 2, 0.05));
    assert_box(s, "table", v3(0, 0, 0.35),
               /* Y up becomes Z up: (x, y, z) is (x, -z, y) */
               v3(0.5, 0.3, 0.35));
    assert_box(s, "cup", v3(0.15, -0.15, 0.75), v3(0.05, 0.05, 0.05));
    const scene_material *wood = NULL, *red = NULL, *grey = NULL;
    for (uint32_t i = 0; i < s->material_count; i++) {
        if (strcmp(s->materials[i].name, "wood") == 0)
            wood = &s->materials[i];
        if (strcmp(s->materials[i].name, "red") == 0)
            red = &s->materials[i];
        if (strcmp(s->materials[i].name, "grey") == 0)
            grey = &s->materials[i];
    }
    assert_true(wood && red && grey);
    assert_true(wood->base_colour[0] == 1 &&
                /* the picture, not the black beside it */
                wood->texture != SCENE_NONE);
    const scene_texture *t = &s->textures[wood->texture];
    assert_int_equal(t->width, 2);
    assert_int_equal(t->rgba[0], 255); /* TGA is blue, green, red */
    assert_int_equal(t->rgba[4 + 1], 255);
    assert_true(red->blend && fabsf(red->base_colour[3] - 0.5f) < 1e-6f);
    /* as a screen shows it, made linear */
    assert_near((double)grey->base_colour[0], 0.21404114);
    scene_free(s);
}

/* glTF wants places in its picture of all that has one. */
static void what_has_a_picture_and_no_places_in_it_gets_some(void **state)
{
    (void)state;
    static const uint8_t tga[18 + 3] = {0, 0, 2, 0, 0, 0,  0,    0, 0, 0,  0,
                                        0, 1, 0, 1, 0, 24, 0x20, 0, 0, 255};
    folder_put(folder, "dot.tga", tga, sizeof tga);
    put_text("bare.mtl", "newmtl wood\nmap_Kd dot.tga\nnewmtl red\nKd 1 0 0\n");
    put_text("bare.obj",
             "mtllib bare.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
             "o wood\nusemtl wood\nf 1 2 3\no red\nusemtl red\nf 1 2 4\n");
    scene *s = loaded("bare.obj", 0, 0);
    assert_int_equal(s->object_count, 2);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_material *m = &s->materials[s->parts[i].material];
        const bool has = s->meshes[s->parts[i].mesh].uv != NULL;
        assert_true(has == (m->texture != SCENE_NONE));
    }
    scene_free(s);
}

static void units_and_axes_are_what_the_user_says(void **state)
{
    (void)state;
    write_room("room.obj");
    scene *s = loaded("room.obj", 0.01, 'Z');
    assert_box(s, "table", v3(0, 0.0035, 0), v3(0.005, 0.0035, 0.003));
    scene_free(s);
    put_text("room.etna.json", "{\"unit\": 0.5, \"up\": \"Z\"}");
    s = loaded("room.obj", 0, 0);
    assert_box(s, "table", v3(0, 0.175, 0), v3(0.25, 0.175, 0.15));
    scene_free(s);
    s = loaded("room.obj", 2, 'Y'); /* options before the side file */
    assert_box(s, "table", v3(0, 0, 0.7), v3(1, 0.6, 0.7));
    scene_free(s);
    unlink(path_of("room.etna.json"));
}

static const char DAE[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit name=\"cm\" "
    "meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\" "
    "name=\"g\"><mesh><source id=\"p\"><float_array "
    "id=\"pa\" count=\"12\">0 0 0 100 0 0 0 50 0 0 0 20</float_array><technique_common><accessor "
    "source=\"#pa\" count=\"4\" stride=\"3\">"
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
    "type=\"float\"/></accessor></technique_common>"
    "</source><vertices id=\"v\"><input semantic=\"POSITION\" "
    "source=\"#p\"/></vertices><triangles count=\"4\"><input semantic=\"VERTEX\" "
    "source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 "
    "3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
    "<visual_scene id=\"s\" name=\"s\"><node id=\"a\" name=\"wedge\"><translate>100 0 "
    "0</translate><instance_geometry url=\"#g\"/></node>"
    "<node id=\"b\" name=\"other wedge\"><translate>0 300 0</translate><instance_geometry "
    "url=\"#g\"/></node></visual_scene>"
    "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

static void collada_declares_unit_and_axis(void **state)
{
    (void)state;
    put_text("wedge.dae", DAE);
    scene *s = loaded("wedge.dae", 0, 0);
    assert_int_equal(s->object_count, 2);
    assert_int_equal(s->mesh_count, 1); /* one mesh, two nodes */
    assert_box(s, "wedge", v3(1.5, 0.25, 0.1), v3(0.5, 0.25, 0.1));
    assert_box(s, "other wedge", v3(0.5, 3.25, 0.1), v3(0.5, 0.25, 0.1));
    assert_near(object(s, "wedge")->box.yaw, 0);
    scene_free(s);
    s = loaded("wedge.dae", 1, 'Y');
    assert_box(s, "wedge", v3(150, -10, 25), v3(50, 10, 25));
    scene_free(s);
}

static void ply_keeps_vertex_colours_and_stl_its_name(void **state)
{
    (void)state;
    put_text(
        "leaf.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
        "z\nproperty uchar red\nproperty "
        "uchar green\nproperty uchar blue\nelement face 1\nproperty list uchar int "
        "vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 255 0 "
        "0\n0 1 0 128 0 0\n3 0 1 2\n");
    scene *s = loaded("leaf.ply", 0, 0);
    assert_non_null(object(s, "leaf"));
    assert_non_null(s->meshes[0].colour);
    float least = 1;
    for (uint32_t i = 0; i < 3; i++)
        least = s->meshes[0].colour[4 * i] < least ? s->meshes[0].colour[4 * i]
                                                   : least;
    assert_near((double)least, 0.2158605);
    scene_free(s);
    put_text(
        "bit.stl",
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid\n");
    s = loaded("bit.stl", 0, 'Z');
    assert_box(s, "bit", v3(0.5, 0.5, 0), v3(0.5, 0.5, 0));
    scene_free(s);
}

static void files_outside_the_folder_are_refused(void **state)
{
    (void)state;
    put_text("out.obj",
             "mtllib ../../etc/passwd\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("out.obj", "outside the scene's folder");
    put_text("root.obj",
             "mtllib /etc/passwd\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("root.obj", "outside the scene's folder");
    assert_int_equal(symlink("/etc/hostname", path_of("link.mtl")), 0);
    put_text("link.obj",
             "mtllib link.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("link.obj", "outside the scene's folder");
    unlink(path_of("link.mtl"));
}

/* People link models into a project. What such a scene names is still looked
 * for where the link lies. */
static void a_scene_may_itself_be_a_link_that_leads_outside(void **state)
{
    (void)state;
    put_text("elsewhere.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(mkdir(path_of("project"), 0700), 0);
    assert_int_equal(symlink("../elsewhere.obj", path_of("project/linked.obj")),
                     0);
    scene *s = loaded("project/linked.obj", 1, 'Y');
    assert_int_equal(s->object_count, 1);
    scene_free(s);
    put_text("elsewhere.obj",
             "mtllib ../room.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("project/linked.obj", "outside the scene's folder");
}

/* The file as UTF-16, with or without a mark, its high bytes first or last. */
static void put_wide(const char *name, const char *text, bool big, bool marked)
{
    uint8_t wide[4096];
    size_t n = 0;
    if (marked)
        wide[n + !big] = 0xfe;
    if (marked)
        wide[n + big] = 0xff;
    n += marked ? 2 : 0;
    for (; *text; text++, n += 2) {
        assert_true(n + 2 <= sizeof wide);
        wide[n + !big] = 0;
        wide[n + big] = (uint8_t)*text;
    }
    folder_put(folder, name, wide, n);
}

static void utf16_is_read_as_utf8_is(void **state)
{
    (void)state;
    static const char obj[] =
        "mtllib wide.mtl\no Tisch\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    put_wide("wide.mtl", "newmtl m\nKd 1 0 0\n", true, true);
    for (int i = 0; i < 4; i++) {
        put_wide("wide.obj", obj, i & 1, i & 2);
        scene *s = loaded("wide.obj", 0, 0);
        assert_string_equal(s->objects[0].name, "Tisch");
        assert_true(s->materials[s->parts[0].material].base_colour[1] < 0.01f);
        scene_free(s);
        char dae[sizeof DAE + 32];
        snprintf(dae, sizeof dae,
                 "<?xml version=\"1.0\" encoding=\"UTF-16\"?>%s",
                 strstr(DAE, "?>") + 2);
        put_wide("wide.dae", dae, i & 1, i & 2);
        s = loaded("wide.dae", 0, 0);
        assert_true(s->object_count > 0);
        scene_free(s);
    }
    /* What is no text any more ends with a word, not with a fault. */
    static const uint8_t hostile[][8] = {{0xff, 0xfe},
                                         {0xff, 0xfe, 0x00},
                                         {0xff, 0xfe, 0x00, 0xd8},
                                         {0xfe, 0xff, 0xd8, 0x00, 0xd8, 0x00},
                                         {'v', 0, ' ', 0, 0xff, 0xdf, 'x'}};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        for (size_t size = 2; size <= 8; size++) {
            scene *s = NULL;
            etna_error err = {0};
            folder_put(folder, "odd.obj", hostile[i], size);
            assert_int_equal(load("odd.obj", 0, 0, &s, &err), ETNA_E_INPUT);
        }
}

static void a_picture_outside_the_folder_is_a_warning_and_not_opened(
    void **state)
{
    (void)state;
    static const struct {
        const char *name, *reason;
    } pictures[] = {
        {"../secret.png", "lies outside the scene's folder (copy it there)"},
        {"..\\..\\secret.png", "lies outside the scene's folder"},
        {"/etc/passwd", "lies outside the scene's folder"},
        {"http://example.org/a.png", "is an address, and nothing is fetched"},
        {"file:///etc/passwd", "lies outside the scene's folder"},
        {"link.png", "is not there"},
        {"broken.png", "cannot be read"},
    };
    assert_int_equal(symlink("/etc/hostname", path_of("link.png")), 0);
    put_text("broken.png", "\x89PNG\r\n");
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const char *name = pictures[i].name;
        char mtl[200];
        snprintf(mtl, sizeof mtl, "newmtl m\nKd 1 0 0\nmap_Kd %s\n", name);
        put_text("map.mtl", mtl);
        put_text(
            "map.obj",
            "mtllib map.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
        scene *s = loaded("map.obj", 0, 0);
        bool said = false;
        for (uint32_t k = 0; k < s->report.warning_count; k++) {
            const char *told = strstr(s->report.warnings[k], name);
            said = said || (told && strstr(told, pictures[i].reason));
        }
        if (!said)
            fail_msg("%s: not told that it %s", name, pictures[i].reason);
        assert_true(s->materials[s->parts[0].material].base_colour[0] > 0.9f);
        scene_free(s);
    }
    unlink(path_of("link.png"));
}

/* A program of that name that makes nothing, and is Blender 3.4 when it is
 * asked. */
static void a_blend_of_a_newer_blender_is_said_in_one_line(void **state)
{
    (void)state;
    char was[4096], path[4096];
    snprintf(was, sizeof was, "%s", getenv("PATH") ? getenv("PATH") : "");
    put_text(
        "blender",
        "#!/bin/sh\nfor last; do :; done\ncase $last in *version) printf 304 >\"$last\" ;; esac\n");
    assert_int_equal(chmod(path_of("blender"), 0700), 0);
    snprintf(path, sizeof path, "%s:%s", folder, was);
    assert_int_equal(setenv("PATH", path, 1), 0);
    put_text("new.blend", "BLENDER-v402RENDH and so on, which is not read");
    expect_refusal("new.blend", "saved by Blender 4.2, and 3.4 is installed");
    put_text("newer.blend",
             "BLENDER17-01v0500REND and so on, which is not read");
    expect_refusal("newer.blend", "saved by Blender 5.0, and 3.4 is installed");
    put_text("old.blend", "BLENDER-v279RENDH and so on, which is not read");
    expect_refusal("old.blend", "damaged");
    put_text("odd.blend", "BLENDER-vvvvvvvvvvvvvvvvvvvvvvvvv");
    expect_refusal("odd.blend", "damaged");
    put_text("squeezed.blend", "\x28\xb5\x2f\xfd no frame of zstd at all");
    expect_refusal("squeezed.blend", "damaged");
    assert_int_equal(setenv("PATH", was, 1), 0);
}

static void a_picture_of_the_authors_machine_is_a_warning(void **state)
{
    (void)state;
    put_text("abs.mtl",
             "newmtl m\nKd 1 0 0\nmap_Kd C:\\Users\\someone\\wood.png\n");
    put_text(
        "abs.obj",
        "mtllib abs.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
    scene *s = loaded("abs.obj", 0, 0);
    bool said = false;
    for (uint32_t i = 0; i < s->report.warning_count; i++)
        said = said || strstr(s->report.warnings[i], "wood.png");
    assert_true(said);
    assert_true(s->materials[0].base_colour[0] == 1 ||
                s->materials[1].base_colour[0] == 1);
    scene_free(s);
}

/* As the readers do that end a name at a blank, and the files that were made to
 * suit them. */
static void a_picture_is_found_by_the_last_word_of_its_name(void **state)
{
    (void)state;
    static const uint8_t texel[4] = {200, 10, 10, 255};
    picture p = {0};
    assert_true(picture_from_rgba(texel, 1, 1, &p));
    folder_put(folder, "rug.png", p.data, p.size);
    free(p.owned);
    put_text("rug.mtl",
             "newmtl m\nmap_Kd /Users/someone/3D/ TEXTURES/Old rug.png\n");
    put_text(
        "rug.obj",
        "mtllib rug.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
    scene *s = loaded("rug.obj", 0, 0);
    assert_int_equal(s->texture_count, 1);
    assert_int_equal(s->textures[0].width, 1);
    scene_free(s);
}

static void numbers_of_an_obj_need_no_zero_before_the_point(void **state)
{
    (void)state;
    put_text(
        "zero.obj",
        "o a\nv .0 -.5 .0\nv 1. .25 +.5\nv\t.5 1 .0\nvt .5 .5\nf 1/1 2/1 3/1\n");
    scene *s = loaded("zero.obj", 0, 0);
    const scene_object *a = object(s, "a");
    assert_near(a->min.z, -0.5);
    assert_near(a->max.z, 1);
    assert_near(a->max.x, 1);
    assert_near(a->min.y, -0.5);
    scene_free(s);
}

static void lines_of_an_obj_may_begin_with_blanks(void **state)
{
    (void)state;
    put_text("blank.obj",
             "  o a\n  v 0 0 0\n\tv 2 0 \\\n  0\n \t v 0 1 .0\n  f 1 2 3");
    scene *s = loaded("blank.obj", 0, 0);
    assert_int_equal(s->object_count, 1);
    assert_box(s, "a", v3(1, 0, 0.5), v3(1, 0, 0.5));
    scene_free(s);
}

static void damaged_and_empty_files_are_refused(void **state)
{
    (void)state;
    static const char *const ends[] = {"obj", "fbx", "ply", "stl", "dae"};
    char name[64];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "empty.%s", ends[i]);
        put_text(name, "");
        expect_refusal(name, name);
        put_text(name, "this is no scene at all, only words");
        expect_refusal(name, name);
    }
    folder_put(folder, "short.dae", DAE, sizeof DAE / 2);
    expect_refusal("short.dae", "short.dae");
    put_text(
        "absurd.ply",
        "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float "
        "x\nproperty float y\nproperty float z\nelement "
        "face 4000000000\nproperty list uchar int vertex_indices\nend_header\n....");
    expect_refusal("absurd.ply", "promises 4000000000 elements");
    put_text(
        "cut.ply",
        /* no end, at once */
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproper");
    expect_refusal("cut.ply", "header does not end");
    put_text(
        "cut.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty list uchaend_header\n0 0 0\n");
    expect_refusal("cut.ply", "header does not end");
    put_text(
        "cut.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_headers\n0 0 0\n");
    expect_refusal("cut.ply", "header does not end");
    put_text("points.obj", "v 0 0 0\nv 1 0 0\np 1\np 2\n");
    expect_refusal("points.obj", "points.obj");
    put_text("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_refusal("nan.obj", "not finite");
    put_text("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n");
    expect_refusal("range.obj", "range.obj");
    expect_refusal("nothing.obj", "nothing.obj");
    put_text("lib.sh3f", "PK");
    expect_refusal("lib.sh3f", "library of models");
    expect_refusal("lib.sh3f#1", "ZIP");
}

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

static void faces_that_would_take_minutes_to_divide_are_refused(void **state)
{
    (void)state;
    enum {
        CORNERS = 120000
    };
    char *text = malloc(CORNERS * 40), *at = text;
    assert_non_null(text);
    for (int i = 0; i < CORNERS; i++)
        at += sprintf(at, "v %d %d 0\n", i, i % 2);
    at += sprintf(at, "f");
    for (int i = 1; i <= CORNERS; i++)
        at += sprintf(at, " %d", i);
    put_text("face.obj", text);
    expect_refusal("face.obj", "one has 120000");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_an_obj_are_objects),
        cmocka_unit_test(what_has_a_picture_and_no_places_in_it_gets_some),
        cmocka_unit_test(test_compressed_geometry_is_decoded_in_a_child),
        cmocka_unit_test(units_and_axes_are_what_the_user_says),
        cmocka_unit_test(collada_declares_unit_and_axis),
        cmocka_unit_test(ply_keeps_vertex_colours_and_stl_its_name),
        cmocka_unit_test(files_outside_the_folder_are_refused),
        cmocka_unit_test(a_scene_may_itself_be_a_link_that_leads_outside),
        cmocka_unit_test(utf16_is_read_as_utf8_is),
        cmocka_unit_test(
            a_picture_outside_the_folder_is_a_warning_and_not_opened),
        cmocka_unit_test(a_blend_of_a_newer_blender_is_said_in_one_line),
        cmocka_unit_test(a_picture_of_the_authors_machine_is_a_warning),
        cmocka_unit_test(a_picture_is_found_by_the_last_word_of_its_name),
        cmocka_unit_test(numbers_of_an_obj_need_no_zero_before_the_point),
        cmocka_unit_test(lines_of_an_obj_may_begin_with_blanks),
        cmocka_unit_test(damaged_and_empty_files_are_refused),
        cmocka_unit_test(faces_that_would_take_minutes_to_divide_are_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
