/* `etna bench furnish`: how well briefs become rooms. */
#include "proto/array.h"
#include "worker/cli/bench.h"
#include "worker/cli/furnish.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROOMS_MAX = 64
};

static const char help[] =
    "usage: etna bench furnish PROMPTS.txt [--rooms 3x3,4x4,6x8] [--paper-placement] [-o DIR] [--seed N] [--json] [--store DIR]\n"
    "Furnishes a room for each line and tells how many named things are there with their number, how many relations hold, how\n"
    "many seats can be reached, what collides, floats or is out of bounds as `etna check` says, and how long it took. What would\n"
    "collide or float is left out of a room, and counts as missing.\n\n"
    "  --rooms LIST   the lines' rooms, in turn (default 3x3,3x4,4x4,4x5,5x5,5x6,6x6,6x8); each has a door in the south wall\n"
    "                 and a window in the north wall, in the middle\n"
    "  --paper-placement  beside it the same things placed as Reason-3D publishes it (its steps 9 and 10), the built-in agent in\n"
    "                 its model's place: one after another at its best place, whatever stands there; then, in one pass, each\n"
    "                 whose box overlaps others by 0.1 m along all three axes is placed anew. Nothing else is looked at\n"
    "  -o DIR         keep the rooms there (not those of --paper-placement)\n\n"
    "Exit codes: 0 measured; 2 usage; 3 the file or the index is at fault; 4 the store.\n";

/* Each room gets a door in the south wall and a window in the north one, both
 * in the middle: rooms without would be easier to furnish than real ones. */
static etna_code rooms_read(const char *list,
                            layout_room rooms[ROOMS_MAX],
                            uint32_t *ret_count,
                            etna_error *err)
{
    char *copy = strdup(list);
    char *rest = NULL;
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

/* What came of the lines, by one way to place things. */
typedef struct side {
    const char *name;
    furnish_tally tally;
    double seconds;
} side;

static void print_share(const char *what, uint32_t part, uint32_t whole)
{
    char share[16] = "";
    if (whole)
        snprintf(share, sizeof share, "%.1f %%", 100.0 * part / whole);
    printf("%s%5u of %5u %8s", what, part, whole, share);
}

/* A line of the table: a share of each side. */
typedef struct row {
    const char *what;
    size_t part, whole; /* of furnish_tally */
} row;

#define COUNT(member) offsetof(furnish_tally, member)
static const row rows[] = {
    {"rooms that are complete", COUNT(whole), COUNT(made)},
    {"named things there with their number", COUNT(sum.named_there),
     COUNT(sum.named)},
    {"  of those that there are models of", COUNT(sum.named_there),
     COUNT(with_models)},
    {"relations that hold", COUNT(sum.held), COUNT(sum.relations)},
    {"  of those that the text tells", COUNT(sum.told_held), COUNT(sum.told)},
    {"seats that can be reached", COUNT(sum.reached), COUNT(sum.seats)},
    {"things that collide", COUNT(faults.colliding), COUNT(sum.items)},
    {"things that float", COUNT(faults.floating), COUNT(sum.items)},
    {"things out of bounds", COUNT(faults.outside), COUNT(sum.items)},
};

static uint32_t count_at(const side *s, size_t at)
{
    uint32_t count;
    memcpy(&count, (const char *)&s->tally + at, sizeof count);
    return count;
}

static json_t *side_json(const side *s)
{
    const furnish_tally *t = &s->tally;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
        "rooms", (json_int_t)t->made, "refused", (json_int_t)t->refused,
        "whole", (json_int_t)t->whole, "named", (json_int_t)t->sum.named,
        "named_there", (json_int_t)t->sum.named_there, "no_model",
        (json_int_t)t->absent, "relations", (json_int_t)t->sum.relations,
        "relations_held", (json_int_t)t->sum.held, "told",
        (json_int_t)t->sum.told, "told_held", (json_int_t)t->sum.told_held,
        "seats", (json_int_t)t->sum.seats, "seats_reachable",
        (json_int_t)t->sum.reached, "items", (json_int_t)t->sum.items,
        "colliding", (json_int_t)t->faults.colliding, "floating",
        (json_int_t)t->faults.floating, "out_of_bounds",
        (json_int_t)t->faults.outside, "seconds", s->seconds);
}

/* Shares of what was asked for, over all rooms that were made; both sides in
 * one table. */
static int bench_print(const side *sides, uint32_t count, bool as_json)
{
    if (as_json) {
        json_t *document = side_json(&sides[0]);
        if (document && count > 1)
            json_object_set_new(document, "paper_placement",
                                side_json(&sides[1]));
        return load_print("etna.bench_furnish/1", document, 0);
    }
    printf("%-38s", "");
    for (uint32_t k = 0; count > 1 && k < count; k++)
        printf("  %-23s", sides[k].name);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        printf("\n%-38s", rows[i].what);
        for (uint32_t k = 0; k < count; k++)
            print_share("  ", count_at(&sides[k], rows[i].part),
                        count_at(&sides[k], rows[i].whole));
    }
    putchar('\n');
    for (uint32_t k = 0; k < count; k++) {
        const furnish_tally *t = &sides[k].tally;
        printf("%s%s%u lines refused; %u things placed; %.2f s a room\n",
               count > 1 ? sides[k].name : "", count > 1 ? ": " : "",
               t->refused, t->sum.items,
               t->made ? sides[k].seconds / t->made : 0);
    }
    return load_printed(0);
}

/* The lines once more, by another way to place things. */
static etna_code side_run(furnish_many *many,
                          bool published,
                          const uint8_t *text,
                          size_t size,
                          side *ret,
                          etna_error *err)
{
    double begun = seconds_of(CLOCK_MONOTONIC);
    many->published = published;
    if (published)
        many->output = NULL;
    etna_code code =
        furnish_lines(many, (const char *)text, size, &ret->tally, err);
    ret->seconds = seconds_of(CLOCK_MONOTONIC) - begun;
    return code;
}

int bench_cmd_furnish(int argc, char **argv)
{
    static layout_room places[ROOMS_MAX];
    const char *list = "3x3,3x4,4x4,4x5,5x5,5x6,6x6,6x8";
    furnish_many many = {.rooms = places, .seed = 1, .finds_faults = true};
    side sides[2] = {{.name = "etna"}, {.name = "as published"}};
    bool as_json = false, compares = false;
    const flags_row flags[] = {
        {"rooms", .text = &list},
        {"output", 'o', .text = &many.output},
        {"seed", .large = &many.seed, .least = 0, .most = INT64_MAX},
        {"store", .text = &many.store},
        {"paper-placement", .yes = &compares},
        {"json", .yes = &as_json},
        {0}};
    etna_error err = {0};
    int exit_code;
    int first =
        load_flags("etna bench furnish", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage(
            "bench furnish wants one file of prompts; see `etna bench furnish --help`");
    uint8_t *text = NULL;
    size_t size = 0;
    etna_code code = rooms_read(list, places, &many.room_count, &err);
    if (code == ETNA_OK && !many.room_count)
        code = etna_fail(&err, ETNA_E_USAGE, "--rooms wants rooms, as 3x3,4x5");
    if (code == ETNA_OK)
        code = bench_text_read(argv[first], &text, &size, &err);
    for (int k = 0; code == ETNA_OK && k <= compares; k++)
        code = side_run(&many, k == 1, text, size, &sides[k], &err);
    free(text);
    return code == ETNA_OK ? bench_print(sides, 1u + compares, as_json)
                           : load_report(&err);
}
