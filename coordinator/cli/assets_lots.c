/* Rounds of lots. Each begins with a child that takes what the round before
 * came to and writes the next lots into a memfd; then one run reads them. The
 * run is named by its lots, so that a command that was killed finds it again,
 * with all that was read of it. */
#include "coordinator/cli/assets_lots.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/lots_file.h"
#include "coordinator/cli/runner.h"
#include "coordinator/shell/collect.h"
#include "proto/arrange.h"
#include "proto/array.h"
#include "proto/fd.h"
#include "proto/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ROUNDS_MAX = 10000
};

/* One round. */
typedef struct round {
    int argc;
    char **argv;
    const char *store;
    uint32_t workers;
    lots_file file;
    int results_fd;
    uint32_t lot_count, models[ARRANGE_LOTS_MAX], read;
    runner_part parts[ARRANGE_LOTS_MAX];
    etna_hash names[ARRANGE_LOTS_MAX];
    etna_id run;
    bool is_whole; /* every lot was read */
} round;

/* ---- arguments ---- */

/* 0: `arg` is not it; 1: it is, with its value; 2: its value is the next. */
static int option_spans(const char *arg, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(arg, name, length) != 0)
        return 0;
    if (arg[length] == '=')
        return 1;
    return arg[length] ? 0 : 2;
}

int assets_lots_strip(int argc, char **argv, char **to)
{
    int count = 0;
    bool is_plain = false; /* behind "--" all are paths */
    for (int i = 0; i < argc; i++) {
        int spans = is_plain ? 0 : option_spans(argv[i], "--workers");
        bool is_alone = !is_plain && strcmp(argv[i], "--alone") == 0;
        is_plain = is_plain || strcmp(argv[i], "--") == 0;
        if (spans == 2)
            i++;
        if (!spans && !is_alone)
            to[count++] = argv[i];
    }
    return count;
}

/* Where to read models, from arguments that the worker has still to judge.
 * False: nothing is read here. */
static bool lots_wanted(round *r, etna_error *err)
{
    const char *workers = NULL;
    uint64_t number = 0;
    for (int i = 2; i < r->argc && strcmp(r->argv[i], "--") != 0; i++) {
        const char *arg = r->argv[i];
        const char *next = r->argv[i + 1];
        bool ends = strcmp(arg, "--alone") == 0 || strcmp(arg, "-h") == 0 ||
                    strcmp(arg, "--help") == 0;
        if (ends)
            return false;
        int spans = option_spans(arg, "--workers");
        if (spans)
            workers = spans == 1 ? strchr(arg, '=') + 1 : next;
        spans = option_spans(arg, "--store");
        if (spans)
            r->store = spans == 1 ? strchr(arg, '=') + 1 : next;
    }
    if (workers && flags_number("workers", workers, 1, 256, &number, err))
        return false;
    r->workers = (uint32_t)number;
    return true;
}

/* ---- the child ---- */

/* Models' servers are not asked here. */
static int lots_arguments(const round *r, const char *lots, const char **to)
{
    static const char *const dropped[] = {
        "--models",   "--embeddings", "--max-cost", "--patience",
        "--captions", "--workers",    "--read"};
    int count = 0;
    bool is_plain = false;
    to[count++] = "etna-worker";
    to[count++] = "assets";
    to[count++] = "index";
    to[count++] = lots;
    for (int i = 2; i < r->argc; i++) {
        int spans = 0;
        for (size_t k = 0; k < COUNT_OF(dropped); k++) {
            if (!is_plain && !spans)
                spans = option_spans(r->argv[i], dropped[k]);
        }
        is_plain = is_plain || strcmp(r->argv[i], "--") == 0;
        if (spans == 2)
            i++;
        if (!spans)
            to[count++] = r->argv[i];
    }
    return count;
}

/* Runs it; *ret_exit not 0: it has said why. */
static etna_code lots_child(round *r, int *ret_exit, etna_error *err)
{
    char lots[40];
    const char **args = calloc((size_t)r->argc + 8, sizeof *args);
    if (!args)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for arguments");
    snprintf(lots, sizeof lots, "--lots=/dev/fd/%d", (int)LOTS_FD);
    lots_arguments(r, lots, args);
    etna_code code =
        lots_file_fill(&r->file, args, r->results_fd, ret_exit, err);
    free(args);
    return code;
}

/* A lots_each: `held` models in one. */
static etna_code lot_add(void *context,
                         uint32_t held,
                         const uint8_t *data,
                         size_t size,
                         etna_error *err)
{
    round *r = context;
    if (r->lot_count == ARRANGE_LOTS_MAX)
        return etna_fail(err, ETNA_E_INTERNAL, "there are too many lots");
    const etna_hash hash = etna_hash_bytes(data, size);
    r->models[r->lot_count] = held;
    r->names[r->lot_count] = hash;
    r->parts[r->lot_count++] = (runner_part){hash, data, size};
    return ETNA_OK;
}

/* ---- the run ---- */

/* A runner_ended_fn: what came of each lot goes into the next child's input. A
 * blob that is gone is read anew. */
static int lots_ended(void *context, store *s, const core_run_view *view)
{
    round *r = context;
    r->is_whole = view->config->lot_count == r->lot_count;
    for (uint32_t i = 0; i < view->config->lot_count; i++) {
        uint8_t head[LOTS_HEAD] = {0}, *data = NULL;
        size_t size = 0;
        bool is_there =
            !etna_hash_is_zero(&view->lots[i]) &&
            store_get_blob(s, &view->lots[i], &data, &size, NULL) == ETNA_OK;
        for (int k = 0; k < 8; k++)
            head[k] = (uint8_t)((uint64_t)size >> (8 * k));
        bool is_written = is_there &&
                          fd_write(r->results_fd, head, sizeof head) &&
                          fd_write(r->results_fd, data, size);
        free(data);
        if (is_written && i < r->lot_count)
            r->read += r->models[i];
        r->is_whole = r->is_whole && is_written;
    }
    return 0;
}

/* The same lots are the same run. */
static etna_code lots_name_run(round *r, etna_error *err)
{
    static const char what[] = "etna lots of models";
    etna_hasher *hasher = etna_hasher_new();
    etna_hash hash;
    if (!hasher)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory naming a run");
    etna_hasher_add(hasher, what, sizeof what);
    etna_hasher_add(hasher, r->names, r->lot_count * sizeof *r->names);
    etna_hasher_end(hasher, &hash);
    memcpy(r->run.bytes, hash.bytes, sizeof r->run.bytes);
    return ETNA_OK;
}

static int lots_run(round *r)
{
    char goal[64];
    etna_error err = {ETNA_OK, ""};
    uint8_t *packed = NULL;
    size_t size = 0;
    uint32_t held = 0;
    arrange_config config = arrange_config_default();
    for (uint32_t i = 0; i < r->lot_count; i++)
        held += r->models[i];
    snprintf(goal, sizeof goal, "Read %u models", (unsigned)held);
    config.goal = goal;
    config.scene = r->names[0];
    config.scene_name = "models";
    config.images = false;
    config.lots = r->names;
    config.lot_count = r->lot_count;
    if (lots_name_run(r, &err) ||
        arrange_config_pack(&config, &packed, &size, &err))
        return cli_fail(&err);
    const runner_options options = {.store = r->store,
                                    .workers = r->workers,
                                    .run = r->run,
                                    .config = packed,
                                    .config_size = size,
                                    .parts = r->parts,
                                    .part_count = r->lot_count,
                                    .ended = lots_ended,
                                    .context = r};
    int exit_code = runner_run(&options);
    free(packed);
    return exit_code;
}

/* ---- rounds ---- */

static void round_close(round *r)
{
    lots_file_close(&r->file);
    r->lot_count = 0;
}

/* The input of the next child: empty, to be filled by this round's run. */
static etna_code round_turn(round *r, etna_error *err)
{
    close(r->results_fd);
    r->results_fd = memfd_create("etna-read", MFD_CLOEXEC);
    return r->results_fd >= 0 ? ETNA_OK : lots_file_fail("memory", err);
}

/* *ret_more: there may be more. Returns the exit code. */
static int round_do(round *r, bool *ret_more)
{
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0;
    *ret_more = false;
    etna_code code = lots_file_open(&r->file, &err);
    if (!code && lseek(r->results_fd, 0, SEEK_SET) != 0)
        code = lots_file_fail("what was read", &err);
    if (!code)
        code = lots_child(r, &exit_code, &err);
    if (!code && !exit_code)
        code = lots_file_read(&r->file, lot_add, r, &err);
    if (!code && !exit_code)
        code = round_turn(r, &err);
    if (code)
        return cli_fail(&err);
    /* A round that was not whole would come again: what is left is read without
     * the pool. */
    if (exit_code || !r->lot_count || !r->is_whole)
        return exit_code;
    exit_code = lots_run(r);
    *ret_more = !exit_code;
    return exit_code;
}

/* The runs served their purpose once all they came to is on the shelf, and the
 * lots are as large as the library. Where others have the store, its owner
 * removes them as all that has ended. */
static void lots_remove_runs(const round *r,
                             const etna_id *runs,
                             uint32_t count)
{
    char path[4000];
    store *s = NULL;
    collect_sum sum;
    if (!count || cli_store_path(r->store, path, sizeof path, NULL) ||
        cli_open_store(path, "", false, &s, NULL))
        return;
    bool is_done = true;
    for (uint32_t i = 0; i < count; i++)
        is_done = is_done && !store_remove_run(s, &runs[i], NULL);
    if (is_done)
        (void)collect_unnamed(s, NULL, NULL, &sum, NULL);
    store_close(s);
}

int assets_lots_read(int argc, char **argv, uint32_t *ret_read)
{
    etna_error err = {ETNA_OK, ""};
    round *r = calloc(1, sizeof *r);
    etna_id *runs = calloc(ROUNDS_MAX, sizeof *runs);
    uint32_t count = 0;
    int exit_code = 0;
    if (!r || !runs) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory");
        exit_code = cli_fail(&err);
    } else {
        r->argc = argc;
        r->argv = argv;
        r->is_whole = true;
        r->file.fd = -1;
        r->results_fd = memfd_create("etna-read", MFD_CLOEXEC);
    }
    bool more = !exit_code && lots_wanted(r, &err);
    if (!exit_code && err.code)
        exit_code = cli_fail(&err);
    while (more && !exit_code && count < ROUNDS_MAX) {
        exit_code = round_do(r, &more);
        if (more)
            runs[count++] = r->run;
        round_close(r);
    }
    if (!exit_code)
        lots_remove_runs(r, runs, count);
    *ret_read = r ? r->read : 0;
    if (r)
        close(r->results_fd);
    free(runs);
    free(r);
    return exit_code;
}
