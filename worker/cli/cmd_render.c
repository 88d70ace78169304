/* `etna render`: the images of METHODS.md 3 as files.
 *
 * Begin at picture_render: load, draw the scene, lay upon it what was asked for
 * (highlights, the marks of an edit, a grid, a legend), write the file. The
 * functions that draw are those an agent's pictures are made by, so what is
 * seen here is what a model saw. */
#include "proto/array.h"
#include "proto/cpus.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna render SCENE -o FILE.png [OPTION...]\n"
    "Writes what a camera sees as a PNG.\n\n"
    "  -o, --output FILE  the picture; it appears whole or not at all\n"
    "  --camera C         a camera's name or index, auto, cutaway (a doll's house), top (a plan) or\n"
    "                     orbit:AZ,EL (degrees; default: the file's first, else a derived one)\n"
    "  --size WxH         pixels (default: the camera's aspect, 1024 on the long side); the vertical field of view stays\n"
    "  --grid             coordinates over the picture, in a margin outside of it\n"
    "  --highlight A,B=blue  up to 10 objects under see-through colours, each by its name, a #rrggbb or our choice;\n"
    "                     may be given again: --highlight A --highlight \"Books, old=blue\"\n"
    "  --legend           (with --highlight) beneath the picture: which colour is whose\n"
    "  --instances        the instance map: one flat colour an object, black where there is none\n"
    "  --edit-from ORIGINAL  the edit that led from ORIGINAL to SCENE: old place, new outline, arrow\n"
    "  --object NAME      (with --edit-from) which object's edit; not needed when only one was moved\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json             one JSON document on stdout: size, camera, which colour is whose\n";

/* Texts are borrowed from argv; highlights are parsed when the scene is loaded,
 * as their names may hold any sign. */
typedef struct render_args {
    scene_options options;
    const char *scene, *output, *camera, *edit_from, *object;
    const char *highlight[VIEW_HIGHLIGHT_MAX];
    uint32_t highlights;
    uint32_t width, height; /* 0: the camera's */
    bool grid, instances, legend, as_json;
} render_args;

typedef struct marked { /* objects under colours */
    uint32_t count, objects[VIEW_HIGHLIGHT_MAX];
    uint8_t rgb[VIEW_HIGHLIGHT_MAX][3];
    /* its colour was named; else choose_colours chooses */
    bool asked[VIEW_HIGHLIGHT_MAX];
} marked;

/* original is loaded only with --edit-from. */
typedef struct picture {
    loaded_scene loaded, original;
    scene_camera camera;
    uint32_t width, height, margin;
    uint32_t *ids; /* when they are needed */
    marked marks;
    uint32_t edited; /* SCENE_NONE: no edit is shown */
    bool cropped;
    view_image image;
} picture;

/* Also of one that was filled in part. */
static void picture_free(picture *p)
{
    view_image_free(&p->image);
    free(p->ids);
    load_scene_free(&p->loaded);
    load_scene_free(&p->original);
}

/* ---- what is asked for ---- */

/* A whole number of pixels that a picture may have. */
static bool render_is_side(double pixels)
{
    return pixels == floor(pixels) && pixels >= 1 && pixels <= VIEW_SIDE_MAX;
}

/* WxH, each 1..VIEW_SIDE_MAX. */
static etna_code render_read_size(const char *name,
                                  const char *value,
                                  void *into,
                                  etna_error *err)
{
    render_args *args = into;
    double size[2];
    if (load_numbers(value, 'x', 2, size) && render_is_side(size[0]) &&
        render_is_side(size[1])) {
        args->width = (uint32_t)size[0];
        args->height = (uint32_t)size[1];
        return ETNA_OK;
    }
    return etna_fail(
        err, ETNA_E_USAGE,
        "render: --%s wants WxH in pixels, each from 1 to %d, as 800x600, not %.80s",
        name, VIEW_SIDE_MAX, value);
}

/* Keeps the text; read_marks parses it. */
static etna_code read_highlight(const char *name,
                                const char *value,
                                void *into,
                                etna_error *err)
{
    render_args *args = into;
    if (args->highlights == VIEW_HIGHLIGHT_MAX)
        return etna_fail(err, ETNA_E_USAGE, "--%s takes at most %d objects",
                         name, VIEW_HIGHLIGHT_MAX);
    args->highlight[args->highlights++] = value;
    return ETNA_OK;
}

/* A colour's name, or #rrggbb, of `length` bytes. */
static bool read_colour(const char *text, size_t length, uint8_t rgb[3])
{
    for (uint32_t i = 0; i < VIEW_HIGHLIGHT_MAX; i++) {
        if (strlen(view_highlight_name[i]) != length ||
            strncmp(view_highlight_name[i], text, length) != 0)
            continue;
        memcpy(rgb, view_highlight_rgb[i], 3);
        return true;
    }
    if (length != 7 || text[0] != '#')
        return false;
    for (int i = 0; i < 3; i++) {
        char pair[3] = {text[1 + 2 * i], text[2 + 2 * i], 0};
        char *end;
        long value = strtol(pair, &end, 16);
        /* strtol() would take these, too */
        bool is_signed = strchr("-+ ", pair[0]) != NULL;
        if (end != pair + 2 || is_signed)
            return false;
        rgb[i] = (uint8_t)value;
    }
    return true;
}

/* Tells all names there are. */
static etna_code unknown_colour(const char *text,
                                size_t length,
                                etna_error *err)
{
    char names[200] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < VIEW_HIGHLIGHT_MAX && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", view_highlight_name[i]);
    }
    return etna_fail(err, ETNA_E_USAGE,
                     "--highlight: no colour %.*s; there are %s, and #rrggbb",
                     length < 40 ? (int)length : 40, text, names);
}

/* Names may hold commas and equals signs, so the longest object's name that
 * fits is taken; who means the shorter ones gives each its own flag. */
static uint32_t render_name_at(const scene *s,
                               const char *text,
                               size_t *ret_length)
{
    uint32_t best = SCENE_NONE;
    *ret_length = strcspn(text, ",=");
    for (uint32_t i = 0; i < s->object_count; i++) {
        size_t length = strlen(s->objects[i].name);
        if (strncmp(text, s->objects[i].name, length) != 0 ||
            !strchr(",=", text[length]))
            continue; /* strchr finds the NUL too */
        if (best != SCENE_NONE && length < *ret_length)
            continue;
        best = i;
        *ret_length = length;
    }
    return best;
}

/* --highlight NAME=#rrggbb,NAME2: names may hold commas, so the longest name
 * that fits is taken (render_name_at). */
static etna_code read_marks(const scene *s,
                            const char *text,
                            marked *ret,
                            etna_error *err)
{
    for (;;) {
        size_t length;
        uint32_t object = render_name_at(s, text, &length);
        if (object == SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "--highlight: there is no object \"%.*s\"; `etna probe list` says the names",
                length < ARRANGE_NAME_MAX ? (int)length : ARRANGE_NAME_MAX,
                text);
        }
        if (ret->count == VIEW_HIGHLIGHT_MAX)
            return etna_fail(err, ETNA_E_USAGE,
                             "--highlight takes at most %d objects",
                             VIEW_HIGHLIGHT_MAX);
        uint32_t at = ret->count++;
        ret->objects[at] = object;
        text += length;
        if (*text == '=') {
            length = strcspn(++text, ",");
            if (!read_colour(text, length, ret->rgb[at]))
                return unknown_colour(text, length, err);
            ret->asked[at] = true;
            text += length;
        }
        if (*text++ == 0)
            return ETNA_OK;
    }
}

/* For those without one, the first of ours that nothing has yet. */
static void choose_colours(marked *m)
{
    for (uint32_t at = 0; at < m->count; at++) {
        for (uint32_t c = 0; !m->asked[at] && c < VIEW_HIGHLIGHT_MAX; c++) {
            bool taken = false;
            for (uint32_t i = 0; i < m->count; i++)
                taken |= (m->asked[i] || i < at) &&
                         memcmp(m->rgb[i], view_highlight_rgb[c], 3) == 0;
            if (taken)
                continue;
            memcpy(m->rgb[at], view_highlight_rgb[c], 3);
            break;
        }
    }
}

/* The object whose edit is shown: the one that is named, else the only one that
 * was moved. */
static etna_code find_edited(picture *p, const char *name, etna_error *err)
{
    const scene *s = p->loaded.scene;
    uint32_t moved = 0, last = SCENE_NONE;
    if (name) {
        p->edited = scene_find_object(s, name);
        if (p->edited == SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "there is no object \"%.200s\"; `etna probe list` says the names",
                name);
        }
        return ETNA_OK;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!load_moved(&s->objects[i], &p->original.scene->objects[i]))
            continue;
        last = i;
        moved++;
    }
    if (!moved)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--edit-from: nothing was moved between the two scenes");
    if (moved > 1)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--edit-from: %u objects were moved; say with --object whose edit is meant",
            moved);
    p->edited = last;
    return ETNA_OK;
}

/* ---- drawing ---- */

/* Puts `next` in the place of the image that there is. */
static void picture_replace(picture *p, view_image *next)
{
    view_image_free(&p->image);
    p->image = *next;
    *next = (view_image){0};
}

/* The scene itself, or whose pixel is whose; p->ids where something asks for
 * it. */
static etna_code draw_scene(picture *p,
                            const render_args *args,
                            etna_error *err)
{
    const space *sp = p->loaded.space;
    etna_code code = ETNA_OK;
    if (args->instances || p->marks.count) {
        p->ids = malloc((size_t)p->width * p->height * sizeof *p->ids);
        code = p->ids ? view_instance_map(sp, &p->camera, p->width, p->height,
                                          p->ids, err)
                      : etna_fail(err, ETNA_E_NOMEM,
                                  "out of memory for the picture");
    }
    if (code != ETNA_OK)
        return code;
    if (args->instances)
        return view_instances_image(p->ids, p->width, p->height, &p->image,
                                    err);
    return view_render(sp, &p->camera, p->width, p->height, cpus_usable(),
                       &p->image, err);
}

/* The layers below have one form, for the table in draw_layers. */
static etna_code picture_highlight(picture *p,
                                   view_image *next,
                                   etna_error *err)
{
    const uint8_t(*rgb)[3] = (const uint8_t(*)[3])p->marks.rgb;
    return view_highlight(&p->image, p->ids, p->marks.objects, p->marks.count,
                          rgb, next, err);
}

/* The object at its old pose and where it is now; `cropped` says whether a part
 * was enlarged beneath. */
static etna_code picture_show_edit(picture *p,
                                   view_image *next,
                                   etna_error *err)
{
    arrange_pose before =
        scene_base_pose(&p->original.scene->objects[p->edited]);
    return view_annotate_edit(p->loaded.space, &p->camera, &p->image, p->edited,
                              &before, cpus_usable(), next, &p->cropped, err);
}

/* The margin with the numbers makes the image larger. */
static etna_code picture_grid(picture *p, view_image *next, etna_error *err)
{
    return view_grid(&p->image, next, &p->margin, err);
}

/* Names in the order in which they were asked for. */
static etna_code picture_legend(picture *p, view_image *next, etna_error *err)
{
    const uint8_t(*rgb)[3] = (const uint8_t(*)[3])p->marks.rgb;
    const char *names[VIEW_HIGHLIGHT_MAX];
    for (uint32_t i = 0; i < p->marks.count; i++)
        names[i] = p->loaded.scene->objects[p->marks.objects[i]].name;
    return view_legend(&p->image, names, rgb, p->marks.count, next, err);
}

/* What is asked for beside the scene, each upon the picture of the one before
 * it. */
static etna_code draw_layers(picture *p,
                             const render_args *args,
                             etna_error *err)
{
    const struct {
        bool is_wanted;
        etna_code (*draw)(picture *p, view_image *next, etna_error *err);
    } layers[] = {{p->marks.count > 0, picture_highlight},
                  {p->edited != SCENE_NONE, picture_show_edit},
                  {args->grid, picture_grid},
                  {args->legend, picture_legend}};
    for (size_t i = 0; i < COUNT_OF(layers); i++) {
        view_image next = {0};
        if (!layers[i].is_wanted)
            continue;
        etna_code code = layers[i].draw(p, &next, err);
        if (code != ETNA_OK)
            return code;
        picture_replace(p, &next);
    }
    return ETNA_OK;
}

/* The scene before the edit: an edit is seen as its maker saw the scene, for a
 * derived camera would not stand still. */
static etna_code picture_load_original(const render_args *args,
                                       picture *p,
                                       etna_error *err)
{
    etna_code code = load_check_output(args->output, args->edit_from, err);
    return code == ETNA_OK ? load_scene_to_look(args->edit_from, &args->options,
                                                NULL, &p->original, err)
                           : code;
}

/* Loads what is looked at, and chooses camera, edit and colours. With
 * --edit-from the camera is the original's: both pictures of an edit are to
 * have one view. */
static etna_code picture_load(const render_args *args,
                              picture *p,
                              etna_error *err)
{
    etna_code code = load_check_output(args->output, args->scene, err);
    if (code == ETNA_OK && args->edit_from)
        code = picture_load_original(args, p, err);
    if (code == ETNA_OK)
        code = load_scene_to_look(args->scene, &args->options,
                                  p->original.scene, &p->loaded, err);
    if (code == ETNA_OK)
        load_warn(&p->loaded);
    loaded_scene *first = args->edit_from ? &p->original : &p->loaded;
    if (code == ETNA_OK)
        code = load_camera(first, args->camera, &p->camera, err);
    if (code == ETNA_OK && args->edit_from)
        code = load_hide(&p->loaded, args->camera, &p->camera, err);
    if (code == ETNA_OK && args->edit_from)
        code = find_edited(p, args->object, err);
    for (uint32_t i = 0; code == ETNA_OK && i < args->highlights; i++)
        code = read_marks(p->loaded.scene, args->highlight[i], &p->marks, err);
    choose_colours(&p->marks);
    return code;
}

/* The file is written only when all of it is there. */
static etna_code picture_render(const render_args *args,
                                picture *p,
                                etna_error *err)
{
    etna_code code = picture_load(args, p, err);
    if (code != ETNA_OK)
        return code;
    view_size(&p->camera, 0, &p->width, &p->height);
    if (args->width) {
        p->width = args->width;
        p->height = args->height;
    }
    p->camera = view_camera_sized(&p->camera, p->width, p->height);
    code = draw_scene(p, args, err);
    if (code == ETNA_OK)
        code = draw_layers(p, args, err);
    uint8_t *data = NULL;
    size_t size = 0;
    if (code == ETNA_OK)
        code = view_encode_png(&p->image, &data, &size, err);
    if (code == ETNA_OK)
        code = load_write(args->output, data, size, err);
    free(data);
    return code;
}

/* ---- telling ---- */

/* Its name where it has one, else #rrggbb in `room`. */
static const char *colour_text(const uint8_t rgb[3], char room[8])
{
    snprintf(room, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    for (uint32_t i = 0; i < VIEW_HIGHLIGHT_MAX; i++) {
        if (memcmp(view_highlight_rgb[i], rgb, 3) == 0)
            return view_highlight_name[i];
    }
    return room;
}

/* Which colour of the instance map is whose: read from a pixel of the object in
 * the picture itself. */
static json_t *describe_instances(const picture *p)
{
    const scene *s = p->loaded.scene;
    json_t *rows = json_array();
    view_extent *extents = calloc(s->object_count + 1u, sizeof *extents);
    bool *told = calloc(s->object_count + 1u, sizeof *told);
    if (extents && told)
        view_extents(p->ids, p->width, p->height, s->object_count, extents);
    for (size_t i = 0; extents && told && i < (size_t)p->width * p->height;
         i++) {
        uint32_t id = p->ids[i];
        if (id >= s->object_count || told[id])
            continue;
        char room[8];
        size_t x = i % p->width + p->margin;
        size_t y = i / p->width + p->margin;
        const uint8_t *rgb = p->image.rgb + 3 * (y * p->image.width + x);
        snprintf(room, sizeof room, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        json_array_append_new(rows, json_pack("{s:s, s:s, s:I}", "name",
                                              s->objects[id].name, "colour",
                                              room, "pixels",
                                              (json_int_t)extents[id].pixels));
        told[id] = true;
    }
    free(extents);
    free(told);
    return rows;
}

/* NULL: out of memory. "instances" is left out with a grid, whose lines cover
 * the pixels that the colours are read from. */
static json_t *picture_describe(const picture *p, const render_args *args)
{
    const scene *s = p->loaded.scene;
    json_t *row =
        json_pack("{s:s, s:s, s:i, s:i, s:i}", "file", args->output, "camera",
                  p->camera.name, "width", (int)p->image.width, "height",
                  (int)p->image.height, "margin", (int)p->margin);
    if (row && p->marks.count) {
        json_t *colours = json_object();
        char room[8];
        for (uint32_t i = 0; i < p->marks.count; i++) {
            json_object_set_new(
                colours, s->objects[p->marks.objects[i]].name,
                json_string(colour_text(p->marks.rgb[i], room)));
        }
        json_object_set_new(row, "highlight", colours);
    }
    if (row && args->instances && !args->grid)
        json_object_set_new(row, "instances", describe_instances(p));
    if (row && p->edited != SCENE_NONE) {
        json_object_set_new(row, "edited",
                            json_string(s->objects[p->edited].name));
        json_object_set_new(row, "cropped", json_boolean(p->cropped));
    }
    return row;
}

/* A line for the picture, one for each colour. */
static void render_print(const picture *p, const render_args *args)
{
    char name[1024], room[8];
    printf("%s: %u x %u pixels, camera %s%s\n",
           load_plain(args->output, name, sizeof name), p->image.width,
           p->image.height, p->camera.name,
           p->cropped ? ", with an enlarged part beneath" : "");
    for (uint32_t i = 0; i < p->marks.count; i++) {
        printf("  %-8s %s\n", colour_text(p->marks.rgb[i], room),
               load_plain(p->loaded.scene->objects[p->marks.objects[i]].name,
                          name, sizeof name));
    }
    if (p->edited != SCENE_NONE)
        printf("  the edit of %s\n",
               load_plain(p->loaded.scene->objects[p->edited].name, name,
                          sizeof name));
}

/* Flags that contradict each other or mean nothing alone. 0: they are sound. */
static int render_check_args(const render_args *args)
{
    if (!args->output)
        return load_usage(
            "render: say with -o where the picture goes, as -o out.png");
    if (args->instances && (args->highlights || args->edit_from)) {
        return load_usage(
            "render: --instances is a picture of its own; leave out --highlight and --edit-from");
    }
    if (args->legend && !args->highlights)
        return load_usage("render: --legend belongs to --highlight");
    if (args->object && !args->edit_from)
        return load_usage(
            "render: --object belongs to --edit-from; to colour objects use --highlight");
    return 0;
}

/* Exit codes are those of all commands that load a scene. */
int worker_cmd_render(int argc, char **argv)
{
    render_args args = {.options = scene_options_default()};
    const flags_row flags[] = {
        {"output", 'o', .text = &args.output},
        {"camera", .text = &args.camera},
        {"size", .read = render_read_size, .into = &args},
        {"legend", .yes = &args.legend},
        {"grid", .yes = &args.grid},
        {"highlight", .read = read_highlight, .into = &args},
        {"instances", .yes = &args.instances},
        {"edit-from", .text = &args.edit_from},
        {"object", .text = &args.object},
        LOAD_MESH_MEMORY,
        LOAD_UNIT_AND_UP(&args.options),
        {"json", .yes = &args.as_json},
        {0}};
    int exit_code;
    int first = load_flags("etna render", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage("render wants one scene; see `etna render --help`");
    args.scene = argv[first];
    exit_code = render_check_args(&args);
    if (exit_code)
        return exit_code;
    etna_error err = {0};
    picture p = {.edited = SCENE_NONE};
    if (picture_render(&args, &p, &err) != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (args.as_json) {
        exit_code = load_print("etna.render/1", picture_describe(&p, &args), 0);
    } else {
        render_print(&p, &args);
        exit_code = load_printed(0);
    }
    picture_free(&p);
    return exit_code;
}
