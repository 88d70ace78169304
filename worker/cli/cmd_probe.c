/* `etna probe`: by hand what the visual tools do for an agent (METHODS.md 4):
 * what a ray meets, which objects show, what a plane's name stands for.
 *
 * Begin at worker_cmd_probe and its table of kinds. Each kind opens the scene
 * with a camera, asks worker/probe what the agents' tools ask, and tells it as
 * JSON or as text. */
#include "proto/array.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna probe ray SCENE X Y [OPTION...]       what the ray through image point (X, Y) meets, and its plane\n"
    "       etna probe list SCENE [OPTION...]          the objects that show, even partly\n"
    "       etna probe plane SCENE NAME [OPTION...]    normal, place, size of a plane: OBJECT_12, OBJECT_up or ray:X,Y\n\n"
    "X and Y are between 0 and 1, (0, 0) is the image's top left. Lengths in metres, in the world's frame (Z up).\n\n"
    "  --camera C        a camera's name or index, auto, cutaway (a doll's house), top (a plan) or\n"
    "                     orbit:AZ,EL (degrees; default: the file's first, else a derived one)\n"
    "  --area X1,Y1,X2,Y2  (list) only this part of the image\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES     metres of one unit of the file\n"
    "  --up Y|Z          the file's up axis\n"
    "  --json            one JSON document on stdout\n"
    "Exit codes: 0 also when the ray meets nothing; 2 usage; 3 the scene, an object or a plane is at fault.\n";

/* words: the scene, then what the kind takes. */
typedef struct probe_args {
    scene_options options;
    const char *camera, *area, *words[4];
    int word_count;
    bool as_json;
} probe_args;

typedef struct looking { /* a scene, a camera, and what probes it */
    loaded_scene loaded;
    scene_camera camera;
    probe_shared *probes;
    etna_arena arena;
} looking;

/* Also of one that looking_open left half-way. */
static void looking_close(looking *l)
{
    etna_arena_free(&l->arena);
    probe_shared_free(l->probes);
    load_scene_free(&l->loaded);
}

/* The first word is the scene; without --camera one is derived as for a run. */
static etna_code looking_open(const probe_args *args,
                              looking *ret,
                              etna_error *err)
{
    *ret = (looking){.arena = ETNA_ARENA_INIT};
    etna_code code = load_scene_to_look(args->words[0], &args->options, NULL,
                                        &ret->loaded, err);
    if (code == ETNA_OK)
        code = load_camera(&ret->loaded, args->camera, &ret->camera, err);
    if (code == ETNA_OK)
        code = probe_share(ret->loaded.scene, &ret->probes, err);
    return code;
}

/* The name of the object's top plane: `_up`, or `#up` where an object bears
 * that name. */
static void top_name(const scene *s, uint32_t object, char ret[PROBE_NAME_SIZE])
{
    snprintf(ret, PROBE_NAME_SIZE, "%s_up", s->objects[object].name);
    if (scene_find_object(s, ret) != SCENE_NONE)
        snprintf(ret, PROBE_NAME_SIZE, "%s#up", s->objects[object].name);
}

/* ---- ray ---- */

/* "top": what <object>_up would be, since that is what is mostly meant to be
 * used. */
static json_t *describe_hit(const looking *l,
                            const probe_hit *hit,
                            const probe_plane *top)
{
    if (!hit->hit) {
        return json_pack("{s:b, s:n, s:n, s:n, s:n, s:s}", "hit", 0, "object",
                         "location", "normal", "plane", "camera",
                         l->camera.name);
    }
    const scene_object *o = &l->loaded.scene->objects[hit->object];
    json_t *row = json_pack(
        "{s:b, s:s, s:o, s:o, s:s?, s:o, s:f, s:b, s:s}", "hit", 1, "object",
        o->name, "location", load_vector(hit->point), "normal",
        load_vector(hit->normal), "plane", hit->plane[0] ? hit->plane : NULL,
        "plane_normal", load_vector(hit->plane_normal), "distance",
        v3_distance(hit->point, l->camera.position), "static",
        o->is_static || o->immovable, "camera", l->camera.name);
    if (!top->name[0])
        return row;
    json_t *up = json_pack("{s:s, s:f, s:s?}", "plane", top->name, "flat_share",
                           top->flat_share, "better",
                           top->better[0] ? top->better : NULL);
    if (!row || !up || json_object_set_new(row, "top", up)) {
        json_decref(row);
        return NULL;
    }
    return row;
}

/* Lengths in metres, Z up. */
static void print_hit(const looking *l,
                      const probe_hit *hit,
                      const probe_plane *top)
{
    char name[PROBE_NAME_SIZE];
    if (!hit->hit) {
        puts("nothing: the ray meets no object");
        return;
    }
    const scene_object *o = &l->loaded.scene->objects[hit->object];
    printf("object    %s%s\n", load_plain(o->name, name, sizeof name),
           o->is_static || o->immovable ? " (static)" : "");
    printf("location  %.4f %.4f %.4f m\n", load_tidy(hit->point.x),
           load_tidy(hit->point.y), load_tidy(hit->point.z));
    printf("normal    %.4f %.4f %.4f\n", load_tidy(hit->normal.x),
           load_tidy(hit->normal.y), load_tidy(hit->normal.z));
    printf("plane     %s\n", hit->plane[0]
                                 ? load_plain(hit->plane, name, sizeof name)
                                 : "none: the face has no area");
    if (!top->name[0])
        return;
    printf("top       %s, %.0f %% of it flat",
           load_plain(top->name, name, sizeof name), 100 * top->flat_share);
    if (top->better[0])
        printf("; %s is its largest upward plane",
               load_plain(top->better, name, sizeof name));
    putchar('\n');
}

/* What a ray hits, and the top of that; a thing without a top can be hit all
 * the same. */
static etna_code ray_find(looking *l,
                          const double at[2],
                          probe_hit *ret_hit,
                          probe_plane *ret_top,
                          etna_error *err)
{
    char name[PROBE_NAME_SIZE];
    etna_code code =
        probe_rays(l->probes, l->loaded.space, &l->camera, at, 1, ret_hit, err);
    if (code != ETNA_OK || !ret_hit->hit)
        return code;
    top_name(l->loaded.scene, ret_hit->object, name);
    code = probe_plane_by_name(l->probes, l->loaded.space, &l->camera, name,
                               &l->arena, ret_top, err);
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* X and Y from 0 to 1, from the picture's upper left corner. */
static int run_ray(const probe_args *args)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        if (!load_numbers(args->words[1 + i], 0, 1, &at[i]) ||
            !(at[i] >= 0 && at[i] <= 1)) {
            return load_usage(
                "probe ray: %c is a number between 0 and 1, not %.80s", "XY"[i],
                args -> words[1 + i]);
        }
    }
    etna_error err = {0};
    looking l;
    probe_hit hit = {0};
    probe_plane top = {0};
    etna_code code = looking_open(args, &l, &err);
    if (code == ETNA_OK)
        code = ray_find(&l, at, &hit, &top, &err);
    int exit_code = 0;
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (args->as_json) {
        exit_code = load_print("etna.probe/1", describe_hit(&l, &hit, &top), 0);
    } else {
        print_hit(&l, &hit, &top);
        exit_code = load_printed(0);
    }
    looking_close(&l);
    return exit_code;
}

/* ---- list ---- */

/* ids: width * height; seen: `count` objects; extents: one per object. All
 * owned. */
typedef struct seen_list {
    uint32_t width, height, count;
    uint32_t *ids, *seen;
    view_extent *extents;
} seen_list;

/* Same map, same sizes as an agent's tool, so that both say the same. */
static etna_code list_seen(const looking *l,
                           const double area[4],
                           seen_list *ret,
                           etna_error *err)
{
    uint32_t total = l->loaded.scene->object_count;
    view_size(&l->camera, 0, &ret->width, &ret->height);
    ret->ids = malloc((size_t)ret->width * ret->height * sizeof *ret->ids);
    ret->seen = calloc(total + 1u, sizeof *ret->seen);
    ret->extents = calloc(total + 1u, sizeof *ret->extents);
    if (!ret->ids || !ret->seen || !ret->extents)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the list");
    etna_code code = view_instance_map(l->loaded.space, &l->camera, ret->width,
                                       ret->height, ret->ids, err);
    if (code != ETNA_OK)
        return code;
    code = probe_list(ret->ids, ret->width, ret->height, area, total, ret->seen,
                      &ret->count, err);
    if (code == ETNA_E_INPUT) { /* the area came from a flag, not from a file */
        if (err)
            err->code = ETNA_E_USAGE;
        return ETNA_E_USAGE;
    }
    view_extents(ret->ids, ret->width, ret->height, total, ret->extents);
    return code;
}

/* The names alone, as the tool returns them, and beside them what each name
 * covers. */
static json_t *describe_list(const looking *l, const seen_list *list)
{
    json_t *names = json_array();
    json_t *rows = json_array();
    for (uint32_t i = 0; i < list->count; i++) {
        const scene_object *o = &l->loaded.scene->objects[list->seen[i]];
        const view_extent *e = &list->extents[list->seen[i]];
        json_array_append_new(names, json_string(o->name));
        json_array_append_new(
            rows, json_pack("{s:s, s:I, s:[f,f,f,f], s:b}", "name", o->name,
                            "pixels", (json_int_t)e->pixels, "box", e->box[0],
                            e->box[1], e->box[2], e->box[3], "static",
                            o->is_static || o->immovable));
    }
    return json_pack("{s:o, s:o, s:s, s:i, s:i}", "objects", names, "seen",
                     rows, "camera", l->camera.name, "width", (int)list->width,
                     "height", (int)list->height);
}

/* The column is as wide as the longest name up to 60. */
static void print_list(const looking *l, const seen_list *list)
{
    char name[PROBE_NAME_SIZE];
    int wide = 6;
    for (uint32_t i = 0; i < list->count; i++) {
        int length = (int)strlen(l->loaded.scene->objects[list->seen[i]].name);
        wide = length > wide && length <= 60 ? length : wide;
    }
    if (list->count)
        printf("%-*s  %8s  in the image (x1 y1 x2 y2)\n", wide, "object",
               "pixels");
    for (uint32_t i = 0; i < list->count; i++) {
        const scene_object *o = &l->loaded.scene->objects[list->seen[i]];
        const view_extent *e = &list->extents[list->seen[i]];
        printf("%-*s  %8u  %.3f %.3f %.3f %.3f%s\n", wide,
               load_plain(o->name, name, sizeof name), e->pixels, e->box[0],
               e->box[1], e->box[2], e->box[3],
               o->is_static || o->immovable ? "  static" : "");
    }
    if (!list->count)
        puts("no object shows");
}

/* --area is a part of the picture, in the same numbers as a ray's. */
static int run_list(const probe_args *args)
{
    double area[4] = {0, 0, 1, 1};
    if (args->area && !load_numbers(args->area, ',', 4, area)) {
        return load_usage(
            "probe list: --area wants four numbers between 0 and 1, X1,Y1,X2,Y2, not %.80s",
            args->area);
    }
    etna_error err = {0};
    looking l;
    seen_list list = {0};
    etna_code code = looking_open(args, &l, &err);
    if (code == ETNA_OK)
        code = list_seen(&l, area, &list, &err);
    int exit_code = 0;
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (args->as_json) {
        exit_code = load_print("etna.probe/1", describe_list(&l, &list), 0);
    } else {
        print_list(&l, &list);
        exit_code = load_printed(0);
    }
    free(list.ids);
    free(list.seen);
    free(list.extents);
    looking_close(&l);
    return exit_code;
}

/* ---- plane ---- */

/* The hull is in the plane's own two axes. */
static vec3 plane_corner(const probe_plane *plane, uint32_t i)
{
    return v3_add_scaled(
        v3_add_scaled(plane->origin, plane->u, plane->hull[i].x), plane->v,
        plane->hull[i].y);
}

/* "face" is null where the name stands for a whole top or side. */
static json_t *describe_plane(const looking *l, const probe_plane *plane)
{
    json_t *hull = json_array();
    for (uint32_t i = 0; i < plane->hull_count; i++)
        json_array_append_new(hull, load_vector(plane_corner(plane, i)));
    json_t *row = json_pack(
        "{s:s, s:s, s:o, s:o, s:f, s:[f,f], s:f, s:f, s:I, s:o, s:s?, s:s}",
        "plane", plane->name, "object",
        l->loaded.scene->objects[plane->object].name, "normal",
        load_vector(plane->normal), "origin", load_vector(plane->origin),
        "offset", plane->offset, "size", plane->across, plane->width, "area",
        plane->area, "flat_share", plane->flat_share, "vertices",
        (json_int_t)plane->vertex_count, "hull", hull, "better",
        plane->better[0] ? plane->better : NULL, "camera", l->camera.name);
    if (row)
        json_object_set_new(row, "face",
                            plane->face == SCENE_NONE
                                ? json_null()
                                : json_integer(plane->face));
    return row;
}

/* In words how it lies: within about 11.5 degrees of level it faces up or down,
 * within as much of vertical it is upright. */
static void print_plane(const looking *l, const probe_plane *plane)
{
    char name[PROBE_NAME_SIZE];
    const vec3 *n = &plane->normal;
    const vec3 *o = &plane->origin;
    const char *lies = fabs(n->z) < 0.2 ? "upright" : "slanted";
    if (fabs(n->z) > 0.98)
        lies = n->z > 0 ? "faces up" : "faces down";
    printf("plane     %s\n", load_plain(plane->name, name, sizeof name));
    printf("object    %s\n",
           load_plain(l->loaded.scene->objects[plane->object].name, name,
                      sizeof name));
    printf("normal    %.4f %.4f %.4f (%s)\n", load_tidy(n->x), load_tidy(n->y),
           load_tidy(n->z), lies);
    printf("origin    %.4f %.4f %.4f m (middle of its faces)\n",
           load_tidy(o->x), load_tidy(o->y), load_tidy(o->z));
    printf("size      %.3f x %.3f m, area %.4f m2\n", plane->across,
           plane->width, plane->area);
    printf("vertices  %u, %u corners of the hull\n", plane->vertex_count,
           plane->hull_count);
    if (plane->face == SCENE_NONE)
        printf("flat      %.0f %% of it lies within 1 cm of the top\n",
               100 * plane->flat_share);
    if (plane->better[0])
        printf("better    %s, the largest upward plane of this object\n",
               load_plain(plane->better, name, sizeof name));
}

/* A name that stands for no plane is an input error, as in the tool. */
static int run_plane(const probe_args *args)
{
    etna_error err = {0};
    looking l;
    probe_plane plane;
    etna_code code = looking_open(args, &l, &err);
    if (code == ETNA_OK)
        code = probe_plane_by_name(l.probes, l.loaded.space, &l.camera,
                                   args->words[1], &l.arena, &plane, &err);
    int exit_code = 0;
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (args->as_json) {
        exit_code = load_print("etna.probe/1", describe_plane(&l, &plane), 0);
    } else {
        print_plane(&l, &plane);
        exit_code = load_printed(0);
    }
    looking_close(&l);
    return exit_code;
}

/* ---- the command ---- */

/* What may follow "probe", and how many words each takes behind itself. */
static const struct {
    const char *name;
    int words;
    const char *form;
    int (*run)(const probe_args *args);
} kinds[] = {{"ray", 3, "SCENE X Y", run_ray},
             {"list", 1, "SCENE", run_list},
             {"plane", 2, "SCENE NAME", run_plane}};

/* The table says how many words each kind takes. */
int worker_cmd_probe(int argc, char **argv)
{
    probe_args args = {.options = scene_options_default()};
    const flags_row flags[] = {{"camera", .text = &args.camera},
                               {"area", .text = &args.area},
                               LOAD_MESH_MEMORY,
                               LOAD_UNIT_AND_UP(&args.options),
                               {"json", .yes = &args.as_json},
                               {0}};
    int exit_code;
    int first = load_flags("etna probe", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    const char *kind = first < argc ? argv[first] : "";
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(kind, kinds[i].name) != 0)
            continue;
        args.word_count = argc - first - 1;
        if (args.word_count != kinds[i].words)
            return load_usage("probe %s wants %s; see `etna probe --help`",
                              kind, kinds[i].form);
        if (args.area && kinds[i].run != run_list)
            return load_usage("probe %s: --area belongs to probe list", kind);
        for (int w = 0; w < args.word_count; w++)
            args.words[w] = argv[first + 1 + w];
        return kinds[i].run(&args);
    }
    return load_usage(
        "probe: wants ray, list or plane; see `etna probe --help`");
}
