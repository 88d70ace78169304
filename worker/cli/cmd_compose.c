/* `etna-worker compose` (`etna scene compose`): a scene from a spec: a room,
 * and models of libraries and files set where they can stand. */
#include "worker/cli/cli.h"
#include "worker/cli/compose.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: etna scene compose SPEC.json -o OUT.glb [OPTION...]\n"
    "Makes a scene from models: furniture of Sweet Home 3D libraries (Debian: sweethome3d-furniture) and any file that Etna\n"
    "reads. Everything is set down 0.1 mm above what it stands on. OUT.glb is in metres, Y up, with one named root node an\n"
    "object and every picture inside; it lists who made its models and on what terms, and so does this command.\n\n"
    "  -o, --output FILE   the GLB to write\n"
    "  --library DIR       where assets are looked for that are not beside the spec (more than once: in that order;\n"
    "                      without it: /usr/share/sweethome3d/furniture)\n"
    "  --force             write the scene though something overlaps or floats, and only say so\n"
    "  --json              one JSON document on stdout\n\n"
    "SPEC.json, in metres (or \"unit\": metres per unit); x to the right, z toward the viewer, 0 the room's middle:\n"
    "  {\"room\": {\"width\": 5, \"depth\": 4, \"height\": 2.5, \"ceiling\": false, \"walls\": [\"north\", \"west\"],\n"
    "            \"floor\": {\"colour\": \"#a08060\"}, \"wall\": {\"texture\": \"paper.png\", \"tile\": 1}, \"top\": {}},\n"
    "   \"objects\": [\n"
    "     {\"name\": \"desk\", \"asset\": \"Scopia.sh3f#Desk\", \"at\": [0, -1.5], \"yaw\": 0},\n"
    "     {\"name\": \"laptop\", \"asset\": \"laptop.glb\", \"on\": \"desk\", \"at\": [0.2, 0], \"yaw\": 15},\n"
    "     {\"name\": \"clock\", \"asset\": \"Scopia#Clock\", \"hang\": \"north\", \"at\": [0.5, 1.6]}],\n"
    "   \"cameras\": [{\"position\": [0, 1.6, 3], \"target\": [0, 0.8, 0], \"yfov_deg\": 50}], \"lights\": []}\n"
    "\"room\": or \"corners\": [[x, z], ...]; \"openings\": [{\"wall\": \"south\", \"at\": 1.2, \"width\": 0.9, \"foot\": 0,\n"
    "\"height\": 2}, ...] are doors and windows, \"at\" from the wall's left end, seen from inside. \"walls\" then are numbers of edges from 1. \"yaw\": degrees counter-clockwise from\n"
    "above; 0 faces the viewer. \"on\": an object of the list before it; \"at\" and \"yaw\" then are relative to it, \"height\" says from\n"
    "how high above its foot to let down (a shelf's board). \"hang\": a wall (\"at\": to the right of its middle, and the foot's\n"
    "height) or \"ceiling\". Also \"size\": [w, h, d], \"front\": the asset's own axis that is its front (+X, -X, +Z, -Z, none),\n"
    "\"static\": true. `etna scene info LIBRARY.sh3f` lists a library's models.\n"
    "Exit codes: 0 written; 2 usage; 3 the spec, an asset, an overlap or an impossible place; 4 it cannot be written.\n";

/* glb is the made file, owned. */
typedef struct command {
    composing c;
    const char *output;
    bool force, as_json;
    uint8_t *glb;
    size_t size;
} command;

/* The file is checked like any other scene before it is written; with faults
 * only --force writes it. */
static etna_code compose_run(command *x, etna_error *err)
{
    composing *c = &x->c;
    etna_code code = load_check_output(x->output, c->spec_path, err);
    if (code == ETNA_OK)
        code = composing_read(c, err);
    if (code == ETNA_OK)
        code = composing_place(c, err);
    if (code == ETNA_OK) {
        code = compose_write(&c->spec, c->assets, c->asset_count, c->places,
                             c->pictures, false, &x->glb, &x->size, err);
    }
    if (code == ETNA_OK)
        code = composing_check(c, x->glb, x->size, err);
    if (code == ETNA_OK && (x->force || !json_array_size(c->faults)))
        code = load_write(x->output, x->glb, x->size, err);
    return code;
}

/* One line each, on stderr. */
static void print_faults(const command *x)
{
    size_t i;
    json_t *text;
    json_array_foreach(x->c.faults, i, text)
    {
        char line[1024];
        fprintf(stderr, "%s: %s\n", x->force ? "warning" : "etna",
                load_plain(json_string_value(text), line, sizeof line));
    }
    if (!x->force && json_array_size(x->c.faults)) {
        fprintf(
            stderr,
            "etna: nothing is written; mend the spec, or --force writes the scene as it is\n");
    }
}

/* Credits are printed in any case: licences ask for them. */
static int compose_print(const command *x)
{
    json_t *credits = compose_credits(x->glb, x->size);
    json_t *objects = json_array();
    json_t *row;
    size_t i;
    char room[4][512];
    for (uint32_t k = 0; k < x->c.spec.object_count; k++) {
        const compose_place *p = &x->c.places[k];
        json_array_append_new(
            objects, json_pack("{s:s, s:s, s:[f,f,f], s:f}", "name",
                               x->c.spec.objects[k].name, "asset",
                               x->c.spec.objects[k].asset, "at", p->at[0] + 0.0,
                               p->at[1], p->at[2] + 0.0, "yaw_deg",
                               load_degrees(p->yaw)));
    }
    if (x->as_json) {
        return load_print("etna.compose/1",
                          json_pack("{s:s, s:o, s:o, s:O}", "output", x->output,
                                    "objects", objects, "credits", credits,
                                    "faults", x->c.faults),
                          0);
    }
    json_decref(objects);
    if (!credits)
        return load_print("etna.compose/1", NULL, 0);
    printf("%s: %u objects of %u models\n",
           load_plain(x->output, room[0], sizeof room[0]),
           x->c.spec.object_count, x->c.asset_count);
    json_array_foreach(credits, i, row)
    {
        static const char *const keys[] = {"model", "library", "author",
                                           "licence"};
        for (int k = 0; k < 4; k++)
            load_plain(json_string_value(json_object_get(row, keys[k])),
                       room[k], sizeof room[k]);
        printf("  %s", room[0]);
        if (*room[1])
            printf(", %s", room[1]);
        if (*room[2])
            printf(", by %s", room[2]);
        printf(": %s\n", room[3]);
    }
    json_decref(credits);
    return load_printed(0);
}

static etna_code add_library(const char *name,
                             const char *value,
                             void *into,
                             etna_error *err)
{
    composing *c = into;
    if (c->folder_count == COMPOSE_FOLDERS_MAX)
        return etna_fail(err, ETNA_E_USAGE, "--%s is given too often", name);
    c->folders[c->folder_count++] = value;
    return ETNA_OK;
}

int worker_cmd_compose(int argc, char **argv)
{
    command x = {.output = NULL};
    const flags_row flags[] = {{"output", 'o', .text = &x.output},
                               {"library", .read = add_library, .into = &x.c},
                               {"force", .yes = &x.force},
                               {"json", .yes = &x.as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna scene compose", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc || !x.output)
        return load_usage(
            "compose wants one spec and -o; see `etna scene compose --help`");
    if (!x.c.folder_count)
        x.c.folders[x.c.folder_count++] = "/usr/share/sweethome3d/furniture";
    x.c.spec_path = argv[first];
    etna_error err = {0};
    if (compose_run(&x, &err) != ETNA_OK) {
        exit_code = load_report(&err);
    } else {
        print_faults(&x);
        exit_code =
            json_array_size(x.c.faults) && !x.force ? 3 : compose_print(&x);
    }
    free(x.glb);
    composing_free(&x.c);
    return exit_code;
}
