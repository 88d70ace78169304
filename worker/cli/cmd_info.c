/* `etna-worker info` (`etna scene info`): what import made of a scene, in words
 * or JSON. */
#include "worker/cli/cli.h"
#include "worker/cli/library.h"
#include "worker/cli/load.h"
#include "worker/convert/convert.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etna scene info SCENE [--unit METRES] [--up Y|Z] [--json]\n"
    "Lists objects, static parts and cameras, and says what import decided and why. SCENE is glTF, GLB, OBJ, FBX,\n"
    "PLY, STL, DAE, .blend (by an installed Blender), or a model of a Sweet Home 3D library, LIBRARY.sh3f#NAME;\n"
    "of a LIBRARY.sh3f the models are listed.\n\n"
    "The side file SCENE.etna.json (or SCENE.glb.etna.json), JSON, all members optional, overrules what import decides:\n"
    "  \"unit\": metres per unit, \"up\": \"Y\" or \"Z\", \"static\": [names], \"movable\": [names],\n"
    "  \"names\": {old: new}, \"fronts\": {name: \"+X\"...\"-Z\"}, \"descriptions\" and \"categories\": {name: text},\n"
    "  \"splits\" and \"groups\" (see `etna scene split --help`, `etna scene group --help`),\n"
    "  \"cameras\": [{\"name\", \"position\", \"target\", \"yfov_deg\" or \"height_m\", \"aspect\"}]\n";

static json_t *describe_object(const scene_object *o)
{
    json_t *row = json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:f, s:b, s:b, s:s}", "name", o->name,
        "triangles", (json_int_t)o->triangle_count, "min", load_vector(o->min),
        "max", load_vector(o->max), "position", load_vector(o->box.centre),
        "yaw_deg", load_degrees(o->box.yaw), "static",
        o->is_static || o->immovable, "stray", o->stray, "why", o->why);
    if (row && *o->description)
        json_object_set_new(row, "description", json_string(o->description));
    if (row && *o->category)
        json_object_set_new(row, "category", json_string(o->category));
    if (row && o->has_front)
        json_object_set_new(row, "front", json_string("side file"));
    return row;
}

static const char *light_kind(const scene_light *light)
{
    if (light->kind == LIGHT_DIRECTIONAL)
        return "directional";
    return light->kind == LIGHT_POINT ? "point" : "spot";
}

/* NULL: out of memory, at the first member that could not be made. */
static json_t *info_describe(const scene *s)
{
    json_t *objects = json_array();
    json_t *cameras = json_array();
    json_t *warnings = json_array();
    json_t *lines = json_array();
    json_t *lights = json_array();
    for (uint32_t i = 0; i < s->object_count; i++)
        json_array_append_new(objects, describe_object(&s->objects[i]));
    for (uint32_t i = 0; i < s->camera_count; i++)
        json_array_append_new(cameras, json_string(s->cameras[i].name));
    for (uint32_t i = 0; i < s->report.warning_count; i++)
        json_array_append_new(warnings, json_string(s->report.warnings[i]));
    for (uint32_t i = 0; i < s->report.line_count; i++)
        json_array_append_new(lines, json_string(s->report.lines[i]));
    for (uint32_t i = 0; i < s->light_count; i++) {
        json_array_append_new(
            lights, json_pack("{s:s, s:s, s:o, s:f}", "name", s->lights[i].name,
                              "kind", light_kind(&s->lights[i]), "position",
                              load_vector(s->lights[i].position), "intensity",
                              s->lights[i].intensity));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f}", "objects", objects,
                     "cameras", cameras, "lights", lights, "warnings", warnings,
                     "report", lines, "metres_per_unit", s->metres_per_unit);
}

/* Two lines where it has a category or description. */
static void print_object(const scene_object *o)
{
    char position[64], size[64], name[ARRANGE_NAME_MAX + 1], why[1024];
    snprintf(position, sizeof position, "%.3f %.3f %.3f", o->box.centre.x,
             o->box.centre.y, o->box.centre.z);
    snprintf(size, sizeof size, "%.2f x %.2f x %.2f", 2 * o->box.half.x,
             2 * o->box.half.y, 2 * o->box.half.z);
    printf("%-32s %9u  %-26s %-20s %7.1f  %s%s\n",
           load_plain(o->name, name, sizeof name), o->triangle_count, position,
           size, load_degrees(o->box.yaw),
           o->is_static || o->immovable ? "static: " : "",
           load_plain(o->why, why, sizeof why));
    if (*o->category || *o->description) {
        printf("%-32s %s%s", "", load_plain(o->category, name, sizeof name),
               *o->category && *o->description ? ": " : "");
        printf("%s\n", load_plain(o->description, why, sizeof why));
    }
}

/* The last word on what can be moved: what cuts into static objects is known
 * only after import has told its part. */
static void print_counts(const scene *s)
{
    uint32_t movable = 0, by_cut = 0, stray = 0, lost = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        movable += !s->objects[i].is_static && !s->objects[i].immovable;
        by_cut += s->objects[i].static_by_cut;
        stray += s->objects[i].stray;
    }
    for (uint32_t i = 0; i < s->texture_count; i++)
        lost += !s->textures[i].rgba;
    printf(
        "%u of %u objects can be moved; %u are static, %u of them because they cut into static ones",
        movable, s->object_count, s->object_count - movable, by_cut);
    printf(stray ? "; %u strays\n" : "\n", stray);
    printf("%u materials, %u textures%s", s->material_count - 1,
           s->texture_count, lost ? "" : "\n");
    if (lost)
        printf(", %u of them unreadable\n", lost);
}

static void info_print(const scene *s)
{
    char room[1024];
    printf("%-32s %9s  %-26s %-20s %7s\n", "object", "triangles",
           "position (m)", "size (m)", "yaw");
    for (uint32_t i = 0; i < s->object_count; i++)
        print_object(&s->objects[i]);
    for (uint32_t i = 0; i < s->camera_count; i++) {
        const scene_camera *c = &s->cameras[i];
        printf("camera %u: %s, %s at %.2f %.2f %.2f\n", i,
               load_plain(c->name, room, sizeof room),
               c->orthographic ? "orthographic" : "perspective", c->position.x,
               c->position.y, c->position.z);
    }
    for (uint32_t i = 0; i < s->light_count; i++) {
        const scene_light *l = &s->lights[i];
        printf("light %u: %s, %s at %.2f %.2f %.2f\n", i,
               *l->name ? load_plain(l->name, room, sizeof room)
                        : "without a name",
               light_kind(l), l->position.x, l->position.y, l->position.z);
    }
    for (uint32_t i = 0; i < s->report.line_count; i++)
        printf("%s\n", load_plain(s->report.lines[i], room, sizeof room));
    print_counts(s);
}

int worker_cmd_info(int argc, char **argv)
{
    scene_options options = scene_options_default();
    bool as_json = false;
    const flags_row flags[] = {
        LOAD_UNIT_AND_UP(&options), {"json", .yes = &as_json}, {0}};
    int exit_code;
    int first =
        load_flags("etna scene info", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage("info wants one scene; see `etna scene info --help`");
    if (convert_is_library(argv[first]))
        return library_print(argv[first], as_json);
    etna_error err = {0};
    loaded_scene loaded = {0};
    if (load_scene_to_tell(argv[first], &options, &loaded, &err) != ETNA_OK)
        return load_report(&err);
    load_warn(&loaded);
    if (as_json) {
        exit_code = load_print("etna.scene/1", info_describe(loaded.scene), 0);
    } else {
        info_print(loaded.scene);
        exit_code = load_printed(0);
    }
    load_scene_free(&loaded);
    return exit_code;
}
