/* `etna-worker export` (`etna scene export`): poses into a scene, and out of
 * one.
 *
 *   {"red mug": {"position": [0.4, -1.2, 0.85], "yaw_deg": 30}, "book":
 *   {"yaw_deg": 90}}
 *
 * Metres, degrees, world frame, the centre of the object's box, as `etna scene
 * info` prints them. What a pose leaves out stays as it is. */
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/scene/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: etna scene export SCENE [--poses FILE | --snapshot FILE] [-o OUT.glb] [--poses-out FILE] [OPTION...]\n"
    "Writes the scene as a GLB with the objects at the poses that FILE gives; every byte but the moved nodes' transforms\n"
    "stays as it was. FILE is JSON, an object of poses by the names that `etna scene info` lists:\n"
    "  {\"red mug\": {\"position\": [0.4, -1.2, 0.85], \"yaw_deg\": 30}, \"book\": {\"yaw_deg\": 90}}\n"
    "(metres, degrees, the centre of the object's box). What it leaves out stays; a static object is refused.\n\n"
    "  --poses FILE        take the poses from FILE\n"
    "  --snapshot FILE     take them from a snapshot that `etna run --step-scenes` left of this scene\n"
    "  -o, --output OUT    write the GLB\n"
    "  --poses-out FILE    write every movable object's pose, in the form that --poses reads\n"
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json              one JSON document on stdout: what moved, what was written\n"
    "Exit codes: 0 done; 2 usage; 3 the scene or a pose is at fault; 4 a file cannot be written.\n";

enum {
    POSES_MAX = 64 << 20
}; /* bytes of the file */

/* given: the parsed --poses, owned; NULL: none. snap: poses after them, or
 * those of --snapshot. */
typedef struct exporting {
    scene_options options;
    const char *scene_path, *poses, *snapshot, *output, *poses_out;
    bool as_json;
    loaded_scene loaded;
    snapshot snap;
    json_t *given;
} exporting;

/* ---- poses in ---- */

/* At most POSES_MAX bytes, duplicate names refused: one of the two would be
 * lost silently. */
static etna_code read_poses(const char *path, json_t **ret, etna_error *err)
{
    struct stat st;
    json_error_t error;
    if (stat(path, &st) != 0)
        return etna_fail(err, ETNA_E_INPUT, "%s: cannot be read: %s", path,
                         strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size > POSES_MAX) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: is no file, or larger than %d bytes", path,
                         (int)POSES_MAX);
    }
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return etna_fail(err, ETNA_E_INPUT, "%s: line %d, column %d: %s", path,
                         error.line, error.column, error.text);
    if (!json_is_object(root)) {
        json_decref(root);
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: is not an object of poses; see `etna scene export --help`",
            path);
    }
    *ret = root;
    return ETNA_OK;
}

/* Numbers that differ from the base by less than 1e-12 are the base's own:
 * reading and writing must not move anything. */
static etna_code read_position(const char *name,
                               const json_t *value,
                               const arrange_pose *base,
                               arrange_pose *ret,
                               etna_error *err)
{
    for (size_t k = 0; k < 3; k++) {
        const json_t *number = json_array_get(value, k);
        double metres = json_number_value(number);
        bool is_metres = json_is_number(number) && fabs(metres) <= 1e6;
        if (json_array_size(value) != 3 || !is_metres)
            return etna_fail(
                err, ETNA_E_INPUT,
                "the pose of \"%.100s\": \"position\" is not three numbers of metres",
                name);
        if (fabs(metres - base->position[k]) > 1e-12)
            ret->position[k] = metres;
    }
    return ETNA_OK;
}

static etna_code read_yaw(const char *name,
                          const json_t *value,
                          const arrange_pose *base,
                          arrange_pose *ret,
                          etna_error *err)
{
    double yaw = json_number_value(value) * (MATH_PI / 180);
    if (!json_is_number(value) || !(fabs(yaw) <= 1e4))
        return etna_fail(
            err, ETNA_E_INPUT,
            "the pose of \"%.100s\": \"yaw_deg\" is not a number of degrees",
            name);
    if (fabs(yaw - base->yaw) > 1e-12)
        ret->yaw = yaw;
    return ETNA_OK;
}

/* Members that are not given stay as in the base. */
static etna_code read_pose(const char *name,
                           json_t *json,
                           const arrange_pose *base,
                           arrange_pose *ret,
                           etna_error *err)
{
    const char *key;
    json_t *value;
    etna_code code = ETNA_OK;
    *ret = *base;
    if (!json_is_object(json))
        return etna_fail(err, ETNA_E_INPUT,
                         "the pose of \"%.100s\" is no object", name);
    json_object_foreach(json, key, value)
    {
        if (strcmp(key, "position") == 0)
            code = read_position(name, value, base, ret, err);
        else if (strcmp(key, "yaw_deg") == 0)
            code = read_yaw(name, value, base, ret, err);
        else
            code = etna_fail(
                err, ETNA_E_INPUT,
                "the pose of \"%.100s\": \"%.60s\" is not known; it has \"position\" and \"yaw_deg\"",
                name, key);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Only what really moves is checked for being movable, so that a file of all
 * poses can be given back. */
static etna_code set_poses(exporting *x, etna_error *err)
{
    const scene *s = x->loaded.scene;
    const char *name;
    json_t *json;
    json_object_foreach(x->given, name, json)
    {
        uint32_t object = scene_find_object(s, name);
        if (object == SCENE_NONE)
            return etna_fail(
                err, ETNA_E_INPUT,
                "no object is named \"%.100s\"; see `etna scene info`", name);
        arrange_pose base = scene_base_pose(&s->objects[object]);
        arrange_pose pose;
        etna_code code = read_pose(name, json, &base, &pose, err);
        if (code != ETNA_OK)
            return code;
        if (memcmp(&base, &pose, sizeof base) == 0)
            continue;
        if (s->objects[object].is_static || s->objects[object].immovable) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" is static and is not moved: %.200s%s", name,
                s->objects[object].why,
                s->objects[object].immovable
                    ? ""
                    : "; \"movable\" in the side file overrules that");
        }
        x->snap.poses[object] = pose;
        x->snap.moved[object] = true;
    }
    return ETNA_OK;
}

/* A snapshot tells the scene that it is of: of another it is refused. */
static etna_code export_read_snapshot(exporting *x, etna_error *err)
{
    FILE *file = fopen(x->snapshot, "rbe");
    uint8_t *data = file ? malloc(POSES_MAX) : NULL;
    const size_t size = data ? fread(data, 1, POSES_MAX, file) : 0;
    const int why = errno;
    if (file)
        fclose(file);
    if (!data)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be read: %s",
                         x->snapshot, strerror(why));
    etna_code code =
        snapshot_decode(x->loaded.scene, data, size, &x->snap, err);
    free(data);
    if (code == ETNA_OK || code == ETNA_E_NOMEM)
        return code;
    return etna_fail(
        err, ETNA_E_INPUT,
        "%.300s: is no snapshot of this scene, as it is read with these options",
        x->snapshot);
}

/* ---- poses out ---- */

/* The same format, of all that can be moved. */
static etna_code write_poses(const exporting *x, etna_error *err)
{
    const scene *s = x->loaded.scene;
    json_t *root = json_object();
    for (uint32_t i = 0; root && i < s->object_count; i++) {
        const arrange_pose *pose = &x->snap.poses[i];
        if (s->objects[i].is_static)
            continue;
        json_t *row =
            json_pack("{s:[f,f,f], s:f}", "position", pose->position[0],
                      pose->position[1], pose->position[2], "yaw_deg",
                      pose->yaw * (180 / MATH_PI));
        if (!row || json_object_set_new(root, s->objects[i].name, row) != 0) {
            json_decref(root);
            root = NULL;
        }
    }
    char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the poses");
    etna_code code =
        load_write(x->poses_out, (const uint8_t *)text, strlen(text), err);
    free(text);
    return code;
}

static etna_code export_write_scene(exporting *x, etna_error *err)
{
    uint8_t *glb = NULL;
    size_t size = 0;
    etna_code code =
        scene_export_glb(x->loaded.scene, x->loaded.bundle,
                         x->loaded.bundle_size, &x->snap, &glb, &size, err);
    if (code == ETNA_OK)
        code = load_write(x->output, glb, size, err);
    free(glb);
    return code;
}

/* The scene with the poses that are asked for, in x->snap. */
static etna_code export_pose(exporting *x, etna_error *err)
{
    etna_code code = x->poses ? read_poses(x->poses, &x->given, err) : ETNA_OK;
    if (code == ETNA_OK)
        code = load_scene_only(x->scene_path, &x->options, &x->loaded, err);
    if (code == ETNA_OK && x->snapshot)
        return export_read_snapshot(x, err);
    if (code == ETNA_OK)
        code = snapshot_base(x->loaded.scene, &x->snap, err);
    return code == ETNA_OK ? set_poses(x, err) : code;
}

/* Outputs are checked before the work: an existing file must not be found out
 * after minutes. */
static etna_code export_run(exporting *x, etna_error *err)
{
    etna_code code = ETNA_OK;
    if (x->output)
        code = load_check_output(x->output, x->scene_path, err);
    if (code == ETNA_OK && x->poses_out)
        code = load_check_output(x->poses_out, x->scene_path, err);
    if (code == ETNA_OK)
        code = export_pose(x, err);
    if (code == ETNA_OK && x->output)
        code = export_write_scene(x, err);
    if (code == ETNA_OK && x->poses_out)
        code = write_poses(x, err);
    return code;
}

static int export_print(const exporting *x)
{
    const scene *s = x->loaded.scene;
    json_t *moved = json_array();
    char room[ARRANGE_NAME_MAX + 1];
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!x->snap.moved[i])
            continue;
        json_array_append_new(moved, json_string(s->objects[i].name));
        if (!x->as_json) {
            const double *p = x->snap.poses[i].position;
            printf("%s: %.3f %.3f %.3f, %.1f degrees\n",
                   load_plain(s->objects[i].name, room, sizeof room),
                   load_tidy(p[0]), load_tidy(p[1]), load_tidy(p[2]),
                   load_degrees(x->snap.poses[i].yaw));
        }
    }
    if (x->as_json) {
        return load_print("etna.export/1",
                          json_pack("{s:o, s:s?, s:s?}", "moved", moved,
                                    "output", x->output, "poses_out",
                                    x->poses_out),
                          0);
    }
    printf("%zu of %u objects moved\n", json_array_size(moved),
           s->object_count);
    json_decref(moved);
    return load_printed(0);
}

int worker_cmd_export(int argc, char **argv)
{
    exporting x = {.options = scene_options_default()};
    const flags_row flags[] = {{"poses", .text = &x.poses},
                               {"snapshot", .text = &x.snapshot},
                               {"output", 'o', .text = &x.output},
                               {"poses-out", .text = &x.poses_out},
                               LOAD_UNIT_AND_UP(&x.options),
                               {"json", .yes = &x.as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna scene export", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc || (!x.output && !x.poses_out)) {
        return load_usage(
            "export wants one scene and -o or --poses-out; see `etna scene export --help`");
    }
    if (x.poses && x.snapshot)
        return load_usage("export takes --poses or --snapshot, not both");
    x.scene_path = argv[first];
    etna_error err = {0};
    if (export_run(&x, &err) != ETNA_OK) {
        exit_code = load_report(&err);
    } else {
        load_warn(&x.loaded);
        exit_code = export_print(&x);
    }
    snapshot_free(&x.snap);
    load_scene_free(&x.loaded);
    json_decref(x.given);
    return exit_code;
}
