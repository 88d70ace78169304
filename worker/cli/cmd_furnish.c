/* `etna-worker furnish` (`etna furnish`): a room with furniture, from words.
 *
 * This file has the command line alone: a room by its measures or a scene's
 * own, a brief from the command line or a file, or a file of briefs, one a
 * line. What a brief means is worker/furnish/'s, the making is furnish_set.c's
 * and furnish_scene.c's, what is told of it furnish_report.c's. Something that
 * was asked for and is missing ends with exit code 1, so that a script
 * notices. */
#include "worker/cli/assets.h"
#include "worker/cli/cli.h"
#include "worker/cli/furnish.h"
#include "worker/cli/furnish_lot.h"
#include "worker/cli/furnish_scene.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: etna furnish --room WxD[xH] (--goal TEXT | --file PROMPT.txt | --batch LINES.txt) -o DIR\n"
    "       etna furnish SCENE (--goal TEXT | --file PROMPT.txt) -o DIR\n"
    "Furnishes an empty room, or the largest room of a scene, from words, in English: things (\"two nightstands\"), uses (\"a reading corner for two\"), rooms\n"
    "(\"a cosy bedroom\", \"for two children\"), and where they go (\"beside the bed\", \"40 cm in front of the sofa\", \"in a corner\", \"opposite the\n"
    "window\", \"hanging from the ceiling\"). Models come from what `etna assets index` has read; no language model is\n"
    "asked. Nothing collides, floats or blocks a door. DIR gets result.glb, report.txt and report.json: for each phrase\n"
    "its model, place, licence, and whether its relations hold.\n\n"
    "SCENE: any scene that etna reads. Nothing of it moves; \"the sofa\" is the scene's where it has one, and the room is then the\n"
    "one that it stands in. result.glb keeps the scene's own bytes, with what came appended.\n\n"
    "  --room WxD[xH]     metres: width (x), depth, height (2.5)\n"
    "  --door WALL@X      a door in the north, east, south or west wall (south is the viewer's side): X metres from the wall's\n"
    "                     left end, seen from inside, to its middle; more than once. 0.9 m wide; the floor before it stays free\n"
    "  --window WALL@X    the same, a window, 1.2 m wide\n"
    "  --goal TEXT        what is wanted; --file FILE: the same from a file, at most 64 KB\n"
    "  --batch FILE       each line a text of its own, in that room, at most 1,024; DIR gets a folder 0001, 0002 ... for each, and\n"
    "                     run.json. The lines are tasks of one run, done by --workers N worker processes or a coordinator that\n"
    "                     has the store: the same rooms by whoever does them. Begun again it goes on where it was, `etna replay\n"
    "                     DIR` makes them all again, and a line that is no text for a room stops no other\n"
    "  --objects N        fill the room up to about N things\n"
    "  --licence LIST     only models under these: cc0, by, with ',' between\n"
    "  --seed N           another of the good rooms (default 1); the same seed gives the same room\n"
    "  -o, --output DIR   where the results go\n"
    "  --json             report.json on stdout, too: \"status\" is complete, partial or failed, \"placed\" and \"missing\" say what\n"
    "                     came and what did not\n"
    "  --unit METRES, --up Y|Z  of SCENE, as in etna run\n"
    "  --store DIR\n\n"
    "Exit codes: 0 all that is named is there and stands as the text says; 1 some of it does not, and the report says why; 2 usage;\n"
    "3 the text, room or index is at fault, nothing is written; 4 the store, or a file that cannot be written.\n";

/* The options as they were given; f is what is made. */
typedef struct command {
    furnishing f;
    const char *room, *scene, *goal, *file, *batch, *output, *replay, *lots;
    uint32_t workers; /* whom a batch is left to; 0: as many as there are */
    scene_options options;
    bool as_json;
} command;

/* ---- what is asked for ---- */

/* WIDTHxDEPTH or WIDTHxDEPTHxHEIGHT, metres. */
etna_code furnish_room_read(const char *text,
                            layout_room *room,
                            etna_error *err)
{
    double v[3] = {0, 0, 2.5};
    bool is_read = load_numbers(text, 'x', 3, v);
    if (!is_read) {
        v[2] = 2.5;
        is_read = load_numbers(text, 'x', 2, v);
    }
    if (!is_read)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--room wants WIDTHxDEPTH or WIDTHxDEPTHxHEIGHT in metres, as 4x5 or 4x5x2.5, not \"%.60s\"",
            text);
    for (int k = 0; k < 2; k++) {
        if (!(v[k] >= LAYOUT_ROOM_LEAST && v[k] <= LAYOUT_ROOM_MOST))
            return etna_fail(
                err, ETNA_E_USAGE,
                "--room: a room is %g to %g m wide and deep, not %g; give metres",
                LAYOUT_ROOM_LEAST, LAYOUT_ROOM_MOST, v[k]);
    }
    if (!(v[2] >= 1.5 && v[2] <= 20))
        return etna_fail(err, ETNA_E_USAGE,
                         "--room: a room is 1.5 to 20 m high, not %g", v[2]);
    room->width = v[0];
    room->depth = v[1];
    room->height = v[2];
    return ETNA_OK;
}

/* WALL@METRES; metres from the wall's left end as seen from inside
 * (layout.h). */
static etna_code opening_read(furnishing *f,
                              const char *name,
                              const char *value,
                              bool is_door,
                              etna_error *err)
{
    static const char *const walls[4] = {"north", "east", "south", "west"};
    const char *mark = strchr(value, '@');
    layout_opening o = {.wall = 4, .is_door = is_door};
    for (uint32_t i = 0; mark && i < 4; i++) {
        if (strlen(walls[i]) == (size_t)(mark - value) &&
            strncmp(walls[i], value, (size_t)(mark - value)) == 0)
            o.wall = i;
    }
    bool is_read = o.wall < 4 && load_numbers(mark + 1, ',', 1, &o.at);
    if (!is_read)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s wants WALL@METRES, as south@1.2, with north, east, south or west; not \"%.60s\"",
            name, value);
    if (f->room.opening_count == LAYOUT_OPENINGS_MAX)
        return etna_fail(err, ETNA_E_USAGE,
                         "a room has at most %d doors and windows",
                         LAYOUT_OPENINGS_MAX);
    f->room.openings[f->room.opening_count++] = o;
    return ETNA_OK;
}

/* A flags_row's reader; each --door adds one. */
static etna_code door_read(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    return opening_read(into, name, value, true, err);
}

/* The same for --window. */
static etna_code window_read(const char *name,
                             const char *value,
                             void *into,
                             etna_error *err)
{
    return opening_read(into, name, value, false, err);
}

/* Openings lie in their walls, with a wall's edge beside them. */
static etna_code openings_check(const layout_room *room, etna_error *err)
{
    static const char *const walls[4] = {"north", "east", "south", "west"};
    for (uint32_t i = 0; i < room->opening_count; i++) {
        const layout_opening *o = &room->openings[i];
        double length = o->wall & 1 ? room->depth : room->width;
        double half =
            (o->is_door ? LAYOUT_DOOR_WIDTH : LAYOUT_WINDOW_WIDTH) / 2;
        double top = o->is_door ? LAYOUT_DOOR_HEIGHT
                                : LAYOUT_WINDOW_FOOT + LAYOUT_WINDOW_HEIGHT;
        if (!(o->at > half && o->at < length - half))
            return etna_fail(
                err, ETNA_E_USAGE,
                "--%s: %g m is not within the %s wall, which is %g m long; its middle can be at %g to %g m",
                o->is_door ? "door" : "window", o->at, walls[o->wall], length,
                half + 0.01, length - half - 0.01);
        if (top >= room->height)
            return etna_fail(
                err, ETNA_E_USAGE,
                "--%s: it is %g m high with its foot, and the room only %g m; give a higher --room",
                o->is_door ? "door" : "window", top, room->height);
    }
    return ETNA_OK;
}

/* From --goal or the file; O_NONBLOCK so that a FIFO does not hang. */
static etna_code brief_text_read(command *c, etna_error *err)
{
    if (c->goal) {
        c->f.text_size = strlen(c->goal);
        c->f.text = strdup(c->goal);
        return c->f.text
                   ? ETNA_OK
                   : etna_fail(err, ETNA_E_NOMEM, "out of memory for the goal");
    }
    int fd = open(c->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be opened: %s",
                         c->file, strerror(errno));
    uint8_t *data = NULL;
    etna_code code = bundle_read_file(fd, c->file, &data, &c->f.text_size, err);
    if (code != ETNA_OK)
        return code;
    c->f.text = calloc(c->f.text_size + 1, 1);
    if (c->f.text)
        memcpy(c->f.text, data, c->f.text_size);
    free(data);
    return c->f.text
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory for the text");
}

/* ---- the work ---- */

/* *ret_report is the caller's. */
static etna_code furnish_run(command *c, json_t **ret_report, etna_error *err)
{
    etna_code code = brief_text_read(c, err);
    if (code == ETNA_OK && c->scene)
        code = furnish_scene_open(&c->f, c->scene, &c->options, err);
    if (code == ETNA_OK)
        code = furnish_make(&c->f, err);
    if (code != ETNA_OK)
        return code;
    *ret_report = furnish_report(&c->f);
    if (!*ret_report)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the report");
    code = furnish_keep(&c->f, *ret_report, err);
    if (code == ETNA_OK)
        code = furnish_write(&c->f, *ret_report, c->output, err);
    if (code == ETNA_OK && c->scene)
        furnish_scene_warn(&c->f);
    return code;
}

/* A line a brief, all for the room that --room says: what the pool needs for
 * them, into the file that `etna furnish` made for it. */
static etna_code batch_run(command *c, etna_error *err)
{
    const furnish_many many = {.rooms = &c->f.room,
                               .room_count = 1,
                               .find = c->f.find,
                               .seed = c->f.seed,
                               .objects = c->f.objects,
                               .store = c->f.store};
    c->file = c->batch;
    etna_code code = brief_text_read(c, err);
    if (code != ETNA_OK)
        return code;
    json_t *head = json_pack("{s:s, s:s?, s:b, s:I}", "output", c->output,
                             "store", c->f.store, "json", c->as_json, "workers",
                             (json_int_t)c->workers);
    int fd = head ? open(c->lots, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        code = etna_fail(err, ETNA_E_IO, "%.100s: cannot be written", c->lots);
    else
        code =
            furnish_lots_write(&many, c->f.text, c->f.text_size, head, fd, err);
    if (fd >= 0)
        close(fd);
    json_decref(head);
    return code;
}

/* Exit 1: something that was asked for is missing. */
static int furnish_print(const command *c, json_t *report)
{
    furnish_score s = furnish_measure(&c->f);
    int exit_code = furnish_ended(&s) == FURNISH_COMPLETE ? 0 : 1;
    if (c->as_json)
        return load_print("etna.furnish/1", report, exit_code);
    json_decref(report);
    char *words = furnish_words(&c->f);
    fputs(words ? words : "", stdout);
    free(words);
    return load_printed(exit_code);
}

/* `etna replay DIR`: exit 1 where something differs. */
static int furnish_print_replay(const command *c)
{
    etna_error err = {0};
    char record[65] = "", differs[200] = "", plain[300];
    if (furnish_replay(c->replay, c->f.store, record, differs, &err) != ETNA_OK)
        return load_report(&err);
    int exit_code = differs[0] ? 1 : 0;
    if (c->as_json)
        return load_print("etna.furnish_replay/1",
                          json_pack("{s:s, s:s, s:s}", "status",
                                    exit_code ? "different" : "same", "record",
                                    record, "difference", differs),
                          exit_code);
    printf("%s: %s\n", exit_code ? "different" : "the same",
           exit_code ? load_plain(differs, plain, sizeof plain) : record);
    return load_printed(exit_code);
}

/* The room to make; a scene has its own. */
static etna_code command_open_room(command *c, etna_error *err)
{
    if (c->scene && c->f.room.opening_count)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--door and --window are for --room; a scene has its own");
    if (c->scene)
        return ETNA_OK;
    etna_code code = furnish_room_read(c->room, &c->f.room, err);
    return code == ETNA_OK ? openings_check(&c->f.room, err) : code;
}

/* One room, or a room for each line. */
static int command_run(command *c)
{
    etna_error err = {0};
    json_t *report = NULL;
    etna_code code = command_open_room(c, &err);
    if (code == ETNA_OK)
        code = c->batch ? batch_run(c, &err) : furnish_run(c, &report, &err);
    if (code != ETNA_OK)
        return load_report(&err);
    return c->batch ? 0 : furnish_print(c, report);
}

/* Is it said what is to be furnished, by which text, and where the result
 * goes? */
static bool command_is_whole(const command *c)
{
    int ways = (c->goal != NULL) + (c->file != NULL) + (c->batch != NULL);
    if (!c->output || ways != 1 || !c->batch != !c->lots)
        return false;
    return c->scene ? !c->room && !c->batch : c->room != NULL;
}

/* The struct is too large for the stack. */
int worker_cmd_furnish(int argc, char **argv)
{
    command *c = calloc(1, sizeof *c);
    if (!c) {
        etna_error err = {0};
        etna_fail(&err, ETNA_E_NOMEM, "out of memory");
        return load_report(&err);
    }
    c->f.seed = 1;
    c->options = scene_options_default();
    const flags_row flags[] = {
        {"room", .text = &c->room},
        {"goal", .text = &c->goal},
        {"file", .text = &c->file},
        {"batch", .text = &c->batch},
        {"lots", .text = &c->lots},
        {"workers", .number = &c->workers, .least = 1, .most = 256},
        {"door", .read = door_read, .into = &c->f},
        {"window", .read = window_read, .into = &c->f},
        {"objects", .number = &c->f.objects, .least = 1,
         .most = LAYOUT_ITEMS_MAX},
        {"licence", .read = assets_licences_read, .into = &c->f.find},
        {"seed", .large = &c->f.seed, .least = 0, .most = INT64_MAX},
        {"output", 'o', .text = &c->output},
        {"replay", .text = &c->replay},
        {"store", .text = &c->f.store},
        LOAD_UNIT_AND_UP(&c->options),
        {"json", .yes = &c->as_json},
        {0}};
    int exit_code;
    int first = load_flags("etna furnish", argc, argv, flags, help, &exit_code);
    if (first && first < argc)
        c->scene = argv[first];
    bool has_more = first + 1 < argc;
    if (first && c->replay)
        exit_code = furnish_print_replay(c);
    else if (first && (has_more || !command_is_whole(c)))
        exit_code = load_usage(
            "furnish wants --room or a scene, one of --goal, --file and (with --room) --batch, and -o; see `etna "
            "furnish --help`");
    else if (first)
        exit_code = command_run(c);
    furnish_free(&c->f);
    free(c);
    return exit_code;
}
