/* See furnish_rooms.h. Whether the command's words are right, the child says; it
 * tells in what it writes where the rooms go. */
#include "coordinator/cli/furnish_rooms.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/lots_file.h"
#include "coordinator/cli/runner.h"
#include "coordinator/report/output.h"
#include "coordinator/report/terminal.h"
#include "proto/arrange.h"
#include "proto/furnished.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What an entry of the file is; worker/cli/furnish_lots.c is the other side. */
enum {
    ENTRY_HEAD = 0, /* JSON */
    ENTRY_INDEX,
    ENTRY_MODEL,
    ENTRY_BRIEF
};

typedef struct rooms {
    lots_file file;
    json_t *head;
    const char *store, *output; /* of the head */
    bool as_json;
    etna_hash index, lots[ARRANGE_LOTS_MAX], stock[ARRANGE_STOCK_MAX];
    uint32_t lot_count, stock_count, part_count;
    runner_part parts[1 + ARRANGE_LOTS_MAX + ARRANGE_STOCK_MAX];
    etna_id run;
    /* what came of them */
    uint32_t made, whole, refused;
} rooms;

/* ---- what the child wrote ---- */

static etna_code head_take(rooms *r,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    r->head = json_loadb((const char *)data, size, 0, NULL);
    r->output = json_string_value(json_object_get(r->head, "output"));
    r->store = json_string_value(json_object_get(r->head, "store"));
    r->as_json = json_is_true(json_object_get(r->head, "json"));
    return r->output ? ETNA_OK
                     : etna_fail(err, ETNA_E_INTERNAL,
                                 "the worker does not say where rooms go");
}

/* A lots_each. */
static etna_code entry_take(void *context,
                            uint32_t what,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err)
{
    rooms *r = context;
    if (what == ENTRY_HEAD)
        return head_take(r, data, size, err);
    const etna_hash hash = etna_hash_bytes(data, size);
    bool fits = what == ENTRY_INDEX;
    if (what == ENTRY_INDEX)
        r->index = hash;
    if (what == ENTRY_MODEL && r->stock_count < ARRANGE_STOCK_MAX) {
        r->stock[r->stock_count++] = hash;
        fits = true;
    }
    if (what == ENTRY_BRIEF && r->lot_count < ARRANGE_LOTS_MAX) {
        r->lots[r->lot_count++] = hash;
        fits = true;
    }
    if (!fits)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "the rooms want more than %d models; give their lines in several files",
            (int)ARRANGE_STOCK_MAX);
    r->parts[r->part_count++] = (runner_part){hash, data, size};
    return ETNA_OK;
}

/* The command's own arguments, and where to write. */
static etna_code rooms_gather(
    rooms *r, int argc, char **argv, int *ret_exit, etna_error *err)
{
    char lots[40];
    const char **args = calloc((size_t)argc + 3, sizeof *args);
    if (!args)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for arguments");
    snprintf(lots, sizeof lots, "--lots=/dev/fd/%d", (int)LOTS_FD);
    args[0] = "etna-worker";
    args[1] = argv[0];
    args[2] = lots;
    for (int i = 1; i < argc; i++)
        args[i + 2] = argv[i];
    etna_code code = lots_file_open(&r->file, err);
    if (!code)
        code = lots_file_fill(&r->file, args, -1, ret_exit, err);
    if (!code && !*ret_exit)
        code = lots_file_read(&r->file, entry_take, r, err);
    free(args);
    return code;
}

/* ---- the rooms ---- */

static etna_code file_write(int folder,
                            const char *name,
                            const void *data,
                            size_t size,
                            etna_error *err)
{
    return wholefile_write(folder, name, data, size)
               ? ETNA_OK
               : etna_fail(err, wholefile_code(errno), "%s: %s", name,
                           strerror(errno));
}

static etna_code room_write(const rooms *r,
                            const furnished *room,
                            etna_error *err)
{
    char path[4096];
    int n =
        snprintf(path, sizeof path, "%s/%04u", r->output, (unsigned)room->line);
    if (n < 0 || (size_t)n >= sizeof path)
        return etna_fail(err, ETNA_E_USAGE, "%.200s: the path is too long",
                         r->output);
    etna_code code = output_make_directories(path, err);
    int folder = code ? -1 : open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!code && folder < 0)
        code = lots_file_fail(path, err);
    if (!code)
        code = file_write(folder, "result.glb", room->glb, room->glb_size, err);
    if (!code)
        code = file_write(folder, "report.json", room->report,
                          room->report_size, err);
    if (!code)
        code = file_write(folder, "report.txt", room->words, room->words_size,
                          err);
    if (folder >= 0)
        close(folder);
    return code ? etna_error_prefix(err, "%.300s", path) : ETNA_OK;
}

/* Why there is no room for a line; the others stay. */
static void room_refuse(rooms *r, uint32_t line, const char *why, size_t size)
{
    r->refused++;
    terminal_printf(stderr, "etna: line %u: %.*s", (unsigned)line, (int)size,
                    why);
    fputc('\n', stderr);
}

/* A blob of a worker, thus from outside. */
static etna_code room_take(
    rooms *r, uint32_t lot, const uint8_t *data, size_t size, etna_error *err)
{
    furnished room;
    etna_code code = furnished_unpack(data, size, &room, err);
    if (!code && room.line != lot + 1)
        code = etna_fail(err, ETNA_E_INPUT, "a room is of another line");
    if (code)
        return code;
    if (room.code) {
        room_refuse(r, room.line, room.why, room.why_size);
        return ETNA_OK;
    }
    r->made++;
    r->whole += room.end == FURNISHED_COMPLETE;
    return room_write(r, &room, err);
}

/* By which the folder is known as the run's: `etna replay DIR`, `etna show
 * DIR`. */
static etna_code run_write(const rooms *r, etna_error *err)
{
    char name[33];
    etna_id_hex(&r->run, name);
    json_t *document =
        json_pack("{s:s, s:s, s:I, s:I, s:I}", "schema", "etna.furnish_batch/1",
                  "run", name, "made", (json_int_t)r->made, "whole",
                  (json_int_t)r->whole, "refused", (json_int_t)r->refused);
    char *text = document ? json_dumps(document, JSON_INDENT(1)) : NULL;
    etna_code code =
        text ? output_make_directories(r->output, err)
             : etna_fail(err, ETNA_E_NOMEM, "out of memory telling of rooms");
    int folder = code ? -1 : open(r->output, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!code && folder < 0)
        code = lots_file_fail(r->output, err);
    if (!code)
        code = file_write(folder, "run.json", text, strlen(text), err);
    if (folder >= 0)
        close(folder);
    free(text);
    json_decref(document);
    return code;
}

/* Exit 1: a line was refused, or a room is not whole. */
static int rooms_tell(const rooms *r)
{
    char name[33];
    etna_id_hex(&r->run, name);
    if (r->as_json)
        cli_print("etna.furnish_batch/1",
                  json_pack("{s:s, s:I, s:I, s:I}", "run", name, "made",
                            (json_int_t)r->made, "whole", (json_int_t)r->whole,
                            "refused", (json_int_t)r->refused));
    else
        printf("%u rooms: %u complete, %u lines refused\n", (unsigned)r->made,
               (unsigned)r->whole, (unsigned)r->refused);
    if (fflush(stdout) || ferror(stdout)) {
        etna_error err;
        etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
        return cli_fail(&err);
    }
    return r->refused || r->whole < r->made ? 1 : 0;
}

/* A runner_ended_fn. A line on which nobody could work to the end is one line
 * less. */
static int rooms_ended(void *context, store *s, const core_run_view *view)
{
    static const char nobody[] = "nobody could furnish it to the end";
    rooms *r = context;
    etna_error err = {ETNA_OK, ""};
    etna_code code = ETNA_OK;
    if (view->state != RUN_COMPLETE) {
        etna_fail(&err, ETNA_E_CANCELLED, "the run %s: %.300s",
                  run_state_name(view->state), view->reason);
        return cli_fail(&err);
    }
    for (uint32_t i = 0; !code && i < view->config->lot_count; i++) {
        uint8_t *data = NULL;
        size_t size = 0;
        if (etna_hash_is_zero(&view->lots[i])) {
            room_refuse(r, i + 1, nobody, sizeof nobody - 1);
            continue;
        }
        code = store_get_blob(s, &view->lots[i], &data, &size, &err);
        if (!code)
            code = room_take(r, i, data, size, &err);
        free(data);
    }
    if (!code)
        code = run_write(r, &err);
    return code ? cli_fail(&err) : rooms_tell(r);
}

/* ---- the run ---- */

static int rooms_run(rooms *r)
{
    char goal[64];
    etna_error err = {ETNA_OK, ""};
    uint8_t *packed = NULL;
    size_t size = 0;
    arrange_config config = arrange_config_default();
    snprintf(goal, sizeof goal, "Furnish %u rooms", (unsigned)r->lot_count);
    config.goal = goal;
    config.scene = r->index;
    config.scene_name = "rooms";
    config.images = false;
    config.furnishes = true;
    config.lots = r->lots;
    config.lot_count = r->lot_count;
    config.stock = r->stock;
    config.stock_count = r->stock_count;
    if (arrange_config_pack(&config, &packed, &size, &err))
        return cli_fail(&err);
    const etna_hash hash = etna_hash_bytes(packed, size);
    memcpy(r->run.bytes, hash.bytes, sizeof r->run.bytes);
    const runner_options options = {.store = r->store,
                                    .workers = (uint32_t)json_integer_value(
                                        json_object_get(r->head, "workers")),
                                    .run = r->run,
                                    .config = packed,
                                    .config_size = size,
                                    .parts = r->parts,
                                    .part_count = r->part_count,
                                    .ended = rooms_ended,
                                    .context = r};
    int exit_code = runner_run(&options);
    free(packed);
    return exit_code;
}

int furnish_rooms(int argc, char **argv)
{
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0;
    rooms *r = calloc(1, sizeof *r);
    if (!r) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory");
        return cli_fail(&err);
    }
    r->file.fd = -1;
    etna_code code = rooms_gather(r, argc, argv, &exit_code, &err);
    if (code)
        exit_code = cli_fail(&err);
    else if (!exit_code && r->lot_count)
        exit_code = rooms_run(r);
    lots_file_close(&r->file);
    json_decref(r->head);
    free(r);
    return exit_code;
}
