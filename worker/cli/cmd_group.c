/* `etna-worker group` (`etna scene group`): objects that move as one. Only the
 * side file says so. */
#include "worker/cli/cli.h"
#include "worker/cli/side_file.h"
#include "worker/scene/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna scene group SCENE --name NAME MEMBER MEMBER... [OPTION...]\n"
    "Lets the members move as one object of that name; writes that as \"groups\" into the side file SCENE.etna.json.\n"
    "Members are objects as `etna scene info` lists them, split parts too; a group that is named stands for its members.\n\n"
    "  --name NAME         the group's name; without members the group of that name is taken out\n"
    "  --dry-run           say what would come out and write nothing\n"
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json              one JSON document on stdout\n"
    "Exit codes: 0 done (or already so); 2 usage; 3 the scene, its side file or a name is at fault; 4 the side file cannot\n"
    "be written.\n";

/* No members: the group of that name is dissolved. */
typedef struct grouping {
    scene_options options;
    bool dry_run, as_json;
    const char *scene_path, *name;
    char **members;
    int member_count;
    side_file side;
} grouping;

/* A member is an object of the scene without groups, or a group of the scene as
 * it is. */
static etna_code group_check_members(const grouping *g, etna_error *err)
{
    char *plain = NULL;
    loaded_scene apart = {0}, now = {0};
    char *text = g->side.text ? strndup(g->side.text, g->side.size) : NULL;
    etna_code code =
        side_without_groups(g->side.text, g->side.size, false, &plain, err);
    if (code == ETNA_OK && g->side.text && !text)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the side file");
    if (code == ETNA_OK)
        code = side_file_try(&g->side, plain, false, &apart, err);
    if (code == ETNA_OK)
        code = side_file_try(&g->side, text, false, &now, err);
    for (int i = 0; code == ETNA_OK && i < g->member_count; i++) {
        if (scene_find_object(apart.scene, g->members[i]) == SCENE_NONE &&
            scene_find_object(now.scene, g->members[i]) == SCENE_NONE) {
            code = etna_fail(
                err, ETNA_E_INPUT,
                "no object is named \"%.100s\"; see `etna scene info`",
                g->members[i]);
        }
    }
    if (code == ETNA_OK && !g->member_count &&
        scene_find_object(now.scene, g->name) == SCENE_NONE) {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "there is no group \"%.100s\" to take out; see `etna scene info`",
            g->name);
    }
    load_scene_free(&apart);
    load_scene_free(&now);
    free(plain);
    free(text);
    return code;
}

/* The new side file is tried on the scene before it is written. */
static etna_code group_run(grouping *g,
                           loaded_scene *ret_after,
                           bool *ret_written,
                           etna_error *err)
{
    char *text = NULL;
    etna_code code = side_file_open(g->scene_path, &g->options, &g->side, err);
    if (code == ETNA_OK)
        code = group_check_members(g, err);
    if (code == ETNA_OK) {
        code = side_with_group(g->side.text, g->side.size, g->name,
                               (const char *const *)g->members,
                               (uint32_t)g->member_count, &text, err);
    }
    if (code == ETNA_OK)
        code = side_file_try(&g->side, text, true, ret_after, err);
    if (code == ETNA_OK && !g->dry_run)
        code = side_file_write(&g->side, text, ret_written, err);
    free(text);
    return code;
}

static int group_print(const grouping *g, const scene *after, bool written)
{
    uint32_t object =
        g->member_count ? scene_find_object(after, g->name) : SCENE_NONE;
    const scene_object *o =
        object == SCENE_NONE ? NULL : &after->objects[object];
    if (g->as_json) {
        json_t *row =
            o ? json_pack("{s:s, s:I, s:o, s:b, s:s}", "name", o->name,
                          "triangles", (json_int_t)o->triangle_count,
                          "position", load_vector(o->box.centre), "static",
                          o->is_static, "why", o->why)
              : json_null();
        return load_print("etna.group/1",
                          json_pack("{s:s, s:b, s:o}", "side_file",
                                    g->side.path, "written", written, "object",
                                    row),
                          0);
    }
    char room[ARRANGE_NAME_MAX + 1], why[1024];
    if (o)
        printf("%s: %s, at %.3f %.3f %.3f\n",
               load_plain(o->name, room, sizeof room),
               load_plain(o->why, why, sizeof why), o->box.centre.x,
               o->box.centre.y, o->box.centre.z);
    const char *outcome = written ? "is written" : "says so already";
    if (g->dry_run)
        outcome = "is left alone (--dry-run)";
    printf("%u objects then\n%s %s\n", after->object_count, g->side.path,
           outcome);
    return load_printed(0);
}

int worker_cmd_group(int argc, char **argv)
{
    grouping g = {.options = scene_options_default()};
    const flags_row flags[] = {{"name", .text = &g.name},
                               {"dry-run", .yes = &g.dry_run},
                               LOAD_UNIT_AND_UP(&g.options),
                               {"json", .yes = &g.as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna scene group", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    bool has_name = g.name && *g.name;
    if (first >= argc || !has_name || argc - first == 2) {
        return load_usage(
            "group wants a scene, --name and at least two members; see `etna scene group --help`");
    }
    g.scene_path = argv[first];
    g.members = argv + first + 1;
    g.member_count = argc - first - 1;
    etna_error err = {0};
    loaded_scene after = {0};
    bool written = false;
    if (group_run(&g, &after, &written, &err) != ETNA_OK) {
        exit_code = load_report(&err);
    } else {
        load_warn(&after);
        exit_code = group_print(&g, after.scene, written);
    }
    load_scene_free(&after);
    side_file_close(&g.side);
    return exit_code;
}
