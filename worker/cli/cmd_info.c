/* `etna-worker info` (`etna scene info`): what import made of a scene, in words or JSON. */
#include "worker/cli/cli.h"
#include "worker/cli/library.h"
#include "worker/cli/load.h"
#include "worker/convert/convert.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] = "usage: etna scene info SCENE [--unit METRES] [--up Y|Z] [--json]\n"
                           "Lists objects, static parts and cameras, and says what import decided and why. SCENE is glTF, GLB, OBJ, FBX,\n"
                           "PLY, STL, DAE, .blend (by an installed Blender), or a model of a Sweet Home 3D library, LIBRARY.sh3f#NAME;\n"
                           "of a LIBRARY.sh3f the models are listed.\n";

static json_t *vector(vec3 v) { return json_pack("[f,f,f]", v.x, v.y, v.z); }

/* (-180, 180], and 0 for what is 0 but for rounding. */
static double degrees(double radians)
{
    double d = radians * (180 / MATH_PI);
    return fabs(d) < 1e-9 ? 0 : d;
}

static json_t *describe(const scene *s)
{
    json_t *objects = json_array(), *cameras = json_array(), *warnings = json_array(), *lines = json_array();
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        json_t *row = json_pack("{s:s, s:I, s:o, s:o, s:o, s:f, s:b, s:b, s:s}", "name", o->name, "triangles", (json_int_t)o->triangle_count,
                                "min", vector(o->min), "max", vector(o->max), "position", vector(o->box.centre), "yaw_deg",
                                degrees(o->box.yaw), "static", o->is_static || o->immovable, "stray", o->stray, "why", o->why);
        json_array_append_new(objects, row);
    }
    for (uint32_t i = 0; i < s->camera_count; i++) json_array_append_new(cameras, json_string(s->cameras[i].name));
    for (uint32_t i = 0; i < s->report.warning_count; i++) json_array_append_new(warnings, json_string(s->report.warnings[i]));
    for (uint32_t i = 0; i < s->report.line_count; i++) json_array_append_new(lines, json_string(s->report.lines[i]));
    return json_pack("{s:o, s:o, s:o, s:o}", "objects", objects, "cameras", cameras, "warnings", warnings, "report", lines);
}

static void print_words(const scene *s)
{
    printf("%-32s %9s  %-26s %-20s %7s\n", "object", "triangles", "position (m)", "size (m)", "yaw");
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        char position[64], size[64];
        snprintf(position, sizeof position, "%.3f %.3f %.3f", o->box.centre.x, o->box.centre.y, o->box.centre.z);
        snprintf(size, sizeof size, "%.2f x %.2f x %.2f", 2 * o->box.half.x, 2 * o->box.half.y, 2 * o->box.half.z);
        printf("%-32s %9u  %-26s %-20s %7.1f  %s%s\n", o->name, o->triangle_count, position, size, degrees(o->box.yaw),
               o->is_static || o->immovable ? "static: " : "", o->why);
    }
    for (uint32_t i = 0; i < s->camera_count; i++) printf("camera %u: %s\n", i, s->cameras[i].name);
    for (uint32_t i = 0; i < s->report.line_count; i++) printf("%s\n", s->report.lines[i]);
}

int cmd_info(int argc, char **argv)
{
    static const struct option flags[] = {{"unit", required_argument, NULL, 'u'},
                                          {"up", required_argument, NULL, 'p'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    scene_options options = scene_options_default();
    bool as_json = false;
    for (int c; (c = getopt_long(argc, argv, "h", flags, NULL)) != -1;) {
        switch (c) {
        case 'u': if (!load_option(&options, "unit", optarg)) return 2; break;
        case 'p': if (!load_option(&options, "up", optarg)) return 2; break;
        case 'j': as_json = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: fputs(help, stderr); return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs(help, stderr);
        return 2;
    }
    if (convert_is_library(argv[optind])) return library_print(argv[optind], as_json);
    etna_error err = {0};
    loaded_scene loaded = {0};
    if (load_scene(argv[optind], &options, NULL, &loaded, &err) != ETNA_OK) return load_report(&err);
    for (uint32_t i = 0; i < loaded.scene->report.warning_count; i++) {
        fprintf(stderr, "warning: %s\n", loaded.scene->report.warnings[i]);
    }
    int exit_code = 0;
    if (as_json) {
        json_t *document = describe(loaded.scene);
        if (document) {
            json_dumpf(document, stdout, JSON_INDENT(2));
            putchar('\n');
        } else {
            exit_code = load_report(&(etna_error){ETNA_E_NOMEM, "out of memory for the report"});
        }
        json_decref(document);
    } else {
        print_words(loaded.scene);
    }
    load_scene_free(&loaded);
    return exit_code;
}
