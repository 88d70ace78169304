/* `etna-worker split` (`etna scene split`): one mesh that holds many things
 * falls into its loose parts, which are put together again where they touch.
 * Only the side file says so; the scene is never changed.
 *
 * Begin at splitting_run. A loose part shares no corner with the rest
 * (worker/scene/components.c); a chair of twelve parts would be twelve objects,
 * so parts that touch are joined to clusters. Whether they touch is found by a
 * trial: the scene is imported with every loose part as an object of its own,
 * and the broad phase and exact geometry of worker/space say who touches whom.
 * Splitting begins from the scene without any splits, so doing it twice gives
 * the same. */
#include "worker/cli/cli.h"
#include "worker/cli/loose_clusters.h"
#include "worker/cli/side_file.h"
#include "worker/scene/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna scene split SCENE [OBJECT...] [OPTION...]\n"
    "Cuts objects into their loose parts (triangles that share no corner with others), keeps together what touches, and\n"
    "writes that as \"splits\" into the side file SCENE.etna.json. What is as wide as a ground, a wall, or a crumb of fewer\n"
    "than four triangles stays what the object was. Without OBJECT: every object that can be cut, of a scene with fewer than two movable ones.\n\n"
    "  --dry-run           say what would come out and write nothing\n"
    "  --undo              take the objects' splits out of the side file again\n"
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json              one JSON document on stdout\n"
    "Names can be changed in the side file; splitting again keeps them. Exit codes: 0 done (or already so); 1 nothing to\n"
    "split; 2 usage; 3 the scene, its side file or an object's name is at fault; 4 the side file cannot be written.\n";

enum {
    LOOSE_MAX = 20000
}; /* more are leaves and hairs, not things */

typedef struct splitting {
    scene_options options;
    bool dry_run, undo, as_json;
    const char *scene_path;
    char **names; /* of the objects to split */
    int name_count;
    side_file side;
    char *text;      /* the side file as it will be */
    json_t *rows;    /* what was split, for the document */
    uint32_t pieces; /* all that came out */
} splitting;

/* The side file of the scene in which each loose part of the object is one of
 * its own. */
static etna_code text_of_singles(const char *base,
                                 const char *name,
                                 uint32_t count,
                                 char **ret,
                                 etna_error *err)
{
    uint32_t *alone = malloc(((size_t)count + 1) * sizeof *alone);
    if (!alone)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %u loose parts",
                         count);
    for (uint32_t i = 0; i < count; i++)
        alone[i] = i;
    etna_code code = side_with_split(base, strlen(base), name, count, alone,
                                     count, ret, err);
    free(alone);
    return code;
}

/* Takes one object's split into the text of the side file that will be
 * written. */
static etna_code set_text(splitting *s,
                          const char *name,
                          uint32_t loose,
                          const uint32_t *cluster_of,
                          uint32_t clusters,
                          etna_error *err)
{
    char *next = NULL;
    etna_code code =
        side_with_split(s->text, s->text ? strlen(s->text) : 0, name, loose,
                        cluster_of, clusters, &next, err);
    if (code == ETNA_OK) {
        free(s->text);
        s->text = next;
    }
    return code;
}

/* A row for the document and for people. */
static etna_code splitting_note(splitting *s,
                                const char *name,
                                uint32_t loose,
                                uint32_t clusters,
                                const uint32_t *cluster_of,
                                etna_error *err)
{
    uint32_t stays = 0;
    for (uint32_t i = 0; i < loose; i++)
        stays += cluster_of[i] == SCENE_NONE;
    json_t *row = json_pack("{s:s, s:I, s:I, s:I}", "object", name,
                            "loose_parts", (json_int_t)loose, "things",
                            (json_int_t)clusters, "stay", (json_int_t)stays);
    s->pieces += clusters;
    return row && json_array_append_new(s->rows, row) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory");
}

/* Everything hangs together: there is nothing to split. */
static bool is_one_cluster(const uint32_t *cluster_of,
                           uint32_t loose,
                           uint32_t clusters)
{
    if (clusters == 0)
        return true;
    for (uint32_t i = 0; i < loose; i++) {
        if (cluster_of[i] != 0)
            return false;
    }
    return clusters < 2;
}

/* The clusters that an object's loose parts touch in, by a trial scene in which
 * each is an object of its own: splitting puts pieces where the object was, in
 * the order of their loose parts, so the first keeps its number. */
static etna_code clusters_by_trial(splitting *s,
                                   const char *base,
                                   const char *name,
                                   uint32_t object,
                                   uint32_t loose,
                                   uint32_t *cluster_of,
                                   uint32_t *ret_clusters,
                                   etna_error *err)
{
    char *singles = NULL;
    loaded_scene trial = {0};
    etna_code code = text_of_singles(base, name, loose, &singles, err);
    if (code == ETNA_OK)
        code = side_file_try(&s->side, singles, false, &trial, err);
    if (code == ETNA_OK)
        code = cluster_find(trial.space, object, loose, cluster_of,
                            ret_clusters, err);
    load_scene_free(&trial);
    free(singles);
    return code;
}

/* One object: its loose parts, those that touch together, and the split that
 * follows. */
static etna_code split_object(splitting *s,
                              const char *base,
                              const scene *whole,
                              uint32_t object,
                              etna_error *err)
{
    const char *name = whole->objects[object].name;
    uint32_t *label = NULL, loose = 0, clusters = 0;
    etna_code code = scene_loose(whole, object, &label, &loose, err);
    free(label);
    if (code == ETNA_OK && loose > LOOSE_MAX) {
        code = etna_fail(
            err, ETNA_E_LIMIT,
            "\"%.100s\" has %u loose parts, more than the %d that are put together here; join them in a modeller",
            name, loose, (int)LOOSE_MAX);
    }
    if (code != ETNA_OK || loose < 2)
        return code;
    uint32_t *cluster_of = malloc(((size_t)loose + 1) * sizeof *cluster_of);
    if (!cluster_of)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %u loose parts",
                         loose);
    code = clusters_by_trial(s, base, name, object, loose, cluster_of,
                             &clusters, err);
    if (code == ETNA_OK && !is_one_cluster(cluster_of, loose, clusters)) {
        code = set_text(s, name, loose, cluster_of, clusters, err);
        if (code == ETNA_OK)
            code = splitting_note(s, name, loose, clusters, cluster_of, err);
    }
    free(cluster_of);
    return code;
}

/* ETNA_E_INPUT for what cannot be split; nothing is written then. */
static etna_code split_named(splitting *s,
                             const char *base,
                             const scene *whole,
                             etna_error *err)
{
    for (int i = 0; i < s->name_count; i++) {
        uint32_t object = scene_find_object(whole, s->names[i]);
        if (object == SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "no object is named \"%.100s\"; see `etna scene info`",
                s->names[i]);
        }
        if (whole->objects[object].instance != SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" is an instance of EXT_mesh_gpu_instancing: it shares its triangles and cannot be split",
                s->names[i]);
        }
        etna_code code = s->undo ? set_text(s, s->names[i], 0, NULL, 0, err)
                                 : split_object(s, base, whole, object, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Only for files in which hardly anything is an object yet; elsewhere names
 * have to be said. */
static etna_code split_all(splitting *s,
                           const char *base,
                           const loaded_scene *whole,
                           etna_error *err)
{
    uint32_t movable = 0;
    for (uint32_t i = 0; i < whole->scene->object_count; i++)
        movable += !whole->scene->objects[i].is_static;
    if (movable >= 2 && !s->undo) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "%u objects can be moved already; name those to split, as `etna scene split %.200s \"%.100s\"`",
            movable, s->scene_path, whole->scene->objects[0].name);
    }
    for (uint32_t i = 0; i < whole->scene->object_count; i++) {
        const scene_object *o = &whole->scene->objects[i];
        if (o->instance != SCENE_NONE || (o->immovable && !s->undo))
            continue;
        etna_code code = s->undo ? set_text(s, o->name, 0, NULL, 0, err)
                                 : split_object(s, base, whole->scene, i, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Splits are found in the scene without any, so that a repeated split gives the
 * same. The new text is tried on the scene before it is written. */
static etna_code splitting_run(splitting *s,
                               loaded_scene *ret_after,
                               bool *ret_written,
                               etna_error *err)
{
    char *base = NULL;
    loaded_scene whole = {0};
    etna_code code = side_file_open(s->scene_path, &s->options, &s->side, err);
    if (code == ETNA_OK)
        code =
            side_without_groups(s->side.text, s->side.size, true, &base, err);
    if (code == ETNA_OK && s->side.text &&
        !(s->text = strndup(s->side.text, s->side.size))) {
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the side file");
    }
    if (code == ETNA_OK)
        code = side_file_try(&s->side, base, true, &whole, err);
    if (code == ETNA_OK)
        code = s->name_count ? split_named(s, base, whole.scene, err)
                             : split_all(s, base, &whole, err);
    if (code == ETNA_OK)
        code = side_file_try(&s->side, s->text, true, ret_after, err);
    bool is_changed = s->undo || s->pieces;
    if (code == ETNA_OK && is_changed && !s->dry_run)
        code = side_file_write(&s->side, s->text, ret_written, err);
    load_scene_free(&whole);
    free(base);
    return code;
}

/* Says whether the side file was written, since it is the only thing that
 * changes. */
static void splitting_print(const splitting *s,
                            const scene *after,
                            bool written)
{
    char room[ARRANGE_NAME_MAX + 1];
    uint32_t movable = 0;
    for (uint32_t i = 0; i < after->object_count; i++)
        movable += !after->objects[i].is_static;
    for (size_t i = 0; i < json_array_size(s->rows); i++) {
        const json_t *row = json_array_get(s->rows, i);
        printf(
            "%s: %lld loose parts make %lld things; %lld stay what it was\n",
            load_plain(json_string_value(json_object_get(row, "object")), room,
                       sizeof room),
            (long long)json_integer_value(json_object_get(row, "loose_parts")),
            (long long)json_integer_value(json_object_get(row, "things")),
            (long long)json_integer_value(json_object_get(row, "stay")));
    }
    if (!s->undo && !s->pieces)
        printf("nothing to split: what there is hangs together\n");
    printf("%u objects then, %u of them movable\n", after->object_count,
           movable);
    if (s->undo || s->pieces) {
        const char *outcome = written ? "is written" : "says so already";
        if (s->dry_run)
            outcome = "is left alone (--dry-run)";
        printf("%s %s\n", s->side.path, outcome);
    }
}

/* NULL: out of memory. */
static json_t *splitting_describe(const splitting *s,
                                  const scene *after,
                                  bool written)
{
    json_t *objects = json_array();
    for (uint32_t i = 0; objects && i < after->object_count; i++) {
        const scene_object *o = &after->objects[i];
        json_array_append_new(
            objects, json_pack("{s:s, s:I, s:o, s:b, s:s}", "name", o->name,
                               "triangles", (json_int_t)o->triangle_count,
                               "position", load_vector(o->box.centre), "static",
                               o->is_static, "why", o->why));
    }
    return json_pack("{s:s, s:b, s:O, s:o}", "side_file", s->side.path,
                     "written", written, "split", s->rows, "objects", objects);
}

/* Exit 1: nothing was split. */
static int run_split(splitting *s)
{
    etna_error err = {0};
    loaded_scene after = {0};
    bool written = false;
    int exit_code;
    s->rows = json_array();
    etna_code code = s->rows ? splitting_run(s, &after, &written, &err)
                             : etna_fail(&err, ETNA_E_NOMEM, "out of memory");
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else {
        load_warn(&after);
        exit_code = s->undo || s->pieces ? 0 : 1;
        if (s->as_json) {
            exit_code = load_print("etna.split/1",
                                   splitting_describe(s, after.scene, written),
                                   exit_code);
        } else {
            splitting_print(s, after.scene, written);
            exit_code = load_printed(exit_code);
        }
    }
    load_scene_free(&after);
    side_file_close(&s->side);
    json_decref(s->rows);
    free(s->text);
    return exit_code;
}

/* Words behind the scene are names of objects. */
int worker_cmd_split(int argc, char **argv)
{
    splitting s = {.options = scene_options_default()};
    const flags_row flags[] = {{"dry-run", .yes = &s.dry_run},
                               {"undo", .yes = &s.undo},
                               LOAD_UNIT_AND_UP(&s.options),
                               {"json", .yes = &s.as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna scene split", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first >= argc)
        return load_usage("split wants a scene; see `etna scene split --help`");
    s.scene_path = argv[first];
    s.names = argv + first + 1;
    s.name_count = argc - first - 1;
    return run_split(&s);
}
