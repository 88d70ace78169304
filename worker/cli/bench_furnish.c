/* `etna bench furnish`: how well briefs become rooms. */
#include "worker/cli/bench.h"
#include "worker/cli/furnish.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROOMS_MAX = 64
};

static const char help[] =
    "usage: etna bench furnish PROMPTS.txt [--rooms 3x3,4x4,6x8] [-o DIR] [--seed N] [--json] [--store DIR]\n"
    "Furnishes a room for each line and tells how many named things are there with their number, how many relations hold, how\n"
    "many seats can be reached, and how long it took. What a room has passes the checks of `etna check`: what would collide\n"
    "or float is left out, and counts as missing.\n\n"
    "  --rooms LIST   the lines' rooms, in turn (default 3x3,3x4,4x4,4x5,5x5,5x6,6x6,6x8); each has a door in the south wall\n"
    "                 and a window in the north wall, in the middle\n"
    "  -o DIR         keep the rooms there\n\n"
    "Exit codes: 0 measured; 2 usage; 3 the file or the index is at fault; 4 the store.\n";

/* Each room gets a door in the south wall and a window in the north one, both
 * in the middle: rooms without would be easier to furnish than real ones. */
static etna_code rooms_read(const char *list,
                            layout_room rooms[ROOMS_MAX],
                            uint32_t *ret_count,
                            etna_error *err)
{
    char *copy = strdup(list), *rest = NULL;
    etna_code code =
        copy ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    for (char *one = copy ? strtok_r(copy, ",", &rest) : NULL;
         code == ETNA_OK && one; one = strtok_r(NULL, ",", &rest)) {
        if (*ret_count == ROOMS_MAX)
            code = etna_fail(err, ETNA_E_USAGE,
                             "--rooms takes at most %d rooms", ROOMS_MAX);
        if (code != ETNA_OK)
            break;
        layout_room *r = &rooms[(*ret_count)++];
        code = furnish_room_read(one, r, err);
        r->opening_count = 2;
        r->openings[0] =
            (layout_opening){.wall = 2, .at = r->width / 2, .is_door = true};
        r->openings[1] = (layout_opening){.wall = 0, .at = r->width / 2};
        if (code == ETNA_OK && r->width < 1.5)
            code = etna_fail(
                err, ETNA_E_USAGE,
                "--rooms: %s is too narrow for a door and a window", one);
    }
    free(copy);
    return code;
}

static etna_code bench_text_read(const char *path,
                                 uint8_t **ret,
                                 size_t *ret_size,
                                 etna_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be opened: %s",
                         path, strerror(errno));
    return bundle_read_file(fd, path, ret, ret_size, err);
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void print_share(const char *what, uint32_t part, uint32_t whole)
{
    printf("%-46s %6u of %6u", what, part, whole);
    if (whole)
        printf("  %5.1f %%", 100.0 * part / whole);
    putchar('\n');
}

/* Shares of what was asked for, over all rooms that were made. */
static int bench_print(const furnish_tally *t, double seconds, bool as_json)
{
    const furnish_score *s = &t->sum;
    if (as_json)
        return load_print(
            "etna.bench_furnish/1",
            json_pack(
                "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
                "rooms", (json_int_t)t->made, "refused", (json_int_t)t->refused,
                "whole", (json_int_t)t->whole, "named", (json_int_t)s->named,
                "named_there", (json_int_t)s->named_there, "no_model",
                (json_int_t)t->absent, "relations", (json_int_t)s->relations,
                "relations_held", (json_int_t)s->held, "told",
                (json_int_t)s->told, "told_held", (json_int_t)s->told_held,
                "seats", (json_int_t)s->seats, "seats_reachable",
                (json_int_t)s->reached, "seconds", seconds),
            0);
    print_share("rooms that are complete", t->whole, t->made);
    print_share("named things there with their number", s->named_there,
                s->named);
    print_share("  of those that there are models of", s->named_there,
                s->named - t->absent);
    print_share("relations that hold", s->held, s->relations);
    print_share("  of those that the text tells", s->told_held, s->told);
    print_share("seats that can be reached", s->reached, s->seats);
    printf("%u lines refused; %u things placed; %.2f s a room\n", t->refused,
           s->items, t->made ? seconds / t->made : 0);
    return load_printed(0);
}

int bench_cmd_furnish(int argc, char **argv)
{
    static layout_room rooms[ROOMS_MAX];
    const char *list = "3x3,3x4,4x4,4x5,5x5,5x6,6x6,6x8";
    furnish_many many = {.rooms = rooms, .seed = 1};
    bool as_json = false;
    const flags_row flags[] = {
        {"rooms", .text = &list},
        {"output", 'o', .text = &many.output},
        {"seed", .large = &many.seed, .least = 0, .most = INT64_MAX},
        {"store", .text = &many.store},
        {"json", .yes = &as_json},
        {0}};
    etna_error err = {0};
    int exit_code, first = load_flags("etna bench furnish", argc, argv, flags,
                                      help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage(
            "bench furnish wants one file of prompts; see `etna bench furnish --help`");
    uint8_t *text = NULL;
    size_t size = 0;
    furnish_tally tally = {0};
    double begun = seconds_of(CLOCK_MONOTONIC);
    etna_code code = rooms_read(list, rooms, &many.room_count, &err);
    if (code == ETNA_OK && !many.room_count)
        code = etna_fail(&err, ETNA_E_USAGE, "--rooms wants rooms, as 3x3,4x5");
    if (code == ETNA_OK)
        code = bench_text_read(argv[first], &text, &size, &err);
    if (code == ETNA_OK)
        code = furnish_lines(&many, (const char *)text, size, &tally, &err);
    free(text);
    return code == ETNA_OK
               ? bench_print(&tally, seconds_of(CLOCK_MONOTONIC) - begun,
                             as_json)
               : load_report(&err);
}
