/* `etna-worker replay`: does tasks of a run again from its store, for `etna
 * replay` and `etna show --conversation`. Tasks come on standard input as (u32
 * kind, bytes payload), to its end; what came of them goes to standard output
 * as (u32 task, u8 what, ...) by proto/canon.h:
 *   1 result    bytes of a packed arrange_result
 *   2 error     u32 code, bytes text
 *   3 mismatch  bytes text: a request that is not the one that was answered
 *   4 call      bytes JSON (conversation_json.h), with --conversation
 *   5 read      bytes text: what the answer of the call before was read as, where it was written otherwise */
#include "proto/canon.h"
#include "proto/cpus.h"
#include "proto/fd.h"
#include "worker/cli/cli.h"
#include "worker/cli/conversation_json.h"
#include "worker/cli/load.h"
#include "worker/cli/replay_tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* WARM_BYTES: of scenes that are kept between tasks. */
enum {
    TASKS_MAX = 1 << 20,
    WARM_BYTES = 1 << 30
};

static const char help[] =
    "usage: etna-worker replay --store DIR --run RUN [--conversation] <TASKS >RESULTS\n"
    "Does tasks of a run again from what its store holds; etna replay calls it.\n";

typedef struct teller {
    canon_writer out;
    /* of each task: messages of its conversation that were told already */
    uint32_t *told;
    etna_slot *last;
} teller;

/* All of standard input; *ret_data is the caller's. */
static etna_code replay_read_input(uint8_t **ret_data,
                                   size_t *ret_size,
                                   etna_error *err)
{
    size_t size = 0;
    size_t room = 1 << 16;
    uint8_t *data = malloc(room);
    for (ssize_t n = 1; data && n;) {
        if (size == room) {
            uint8_t *grown = realloc(data, room * 2);
            if (!grown)
                free(data);
            data = grown;
            room *= 2;
            continue;
        }
        n = read(STDIN_FILENO, data + size, room - size);
        if (n < 0 && errno != EINTR) {
            free(data);
            return etna_fail(err, ETNA_E_IO, "tasks cannot be read: %s",
                             strerror(errno));
        }
        if (n > 0)
            size += (size_t)n;
    }
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory reading tasks");
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

/* Kind and payload of each; payloads stay in `data`. */
static etna_code parse_tasks(const uint8_t *data,
                             size_t size,
                             redo_task **ret_tasks,
                             uint32_t *ret_count,
                             etna_error *err)
{
    canon_reader in = canon_read(data, size);
    redo_task *tasks = NULL;
    uint32_t count = 0, room = 0;
    while (!canon_done(&in) && !in.failed && count < TASKS_MAX) {
        if (count == room) {
            room = room ? 2 * room : 64;
            redo_task *grown = realloc(tasks, room * sizeof *tasks);
            if (!grown) {
                free(tasks);
                return etna_fail(err, ETNA_E_NOMEM, "out of memory for tasks");
            }
            tasks = grown;
        }
        memset(&tasks[count], 0, sizeof *tasks);
        tasks[count].kind = canon_get_u32(&in);
        tasks[count].payload =
            canon_get_bytes(&in, MESSAGE_PAYLOAD_MAX, &tasks[count].size);
        count++;
    }
    if (!canon_done(&in)) {
        free(tasks);
        return etna_fail(err, ETNA_E_MESSAGE,
                         "the tasks on standard input are not well formed");
    }
    *ret_tasks = tasks;
    *ret_count = count;
    return ETNA_OK;
}

static bool same_conversation(const etna_slot *a, const etna_slot *b)
{
    bool is_same_branch = a->node == b->node && a->branch == b->branch;
    return is_same_branch && a->role == b->role && a->poll == b->poll;
}

/* One call of a conversation as JSON, of which only the messages since the last
 * one of the same conversation are told. */
static void teller_tell(void *context,
                        uint32_t task,
                        const etna_slot *slot,
                        const model_request *request,
                        const model_reply *reply,
                        bool same)
{
    teller *t = context;
    uint32_t first =
        same_conversation(&t->last[task], slot) ? t->told[task] : 0;
    if (first > request->message_count)
        first = 0;
    json_t *call = told_call(slot, request, first, reply, same);
    char *dump = call ? json_dumps(call, JSON_COMPACT) : NULL;
    t->last[task] = *slot;
    t->told[task] = request->message_count;
    json_decref(call);
    canon_u32(&t->out, task);
    canon_u8(&t->out, 4);
    canon_text(&t->out, dump);
    if (!dump)
        t->out.failed = true;
    free(dump);
}

static void tell_read(void *context, uint32_t task, const char *text)
{
    teller *t = context;
    canon_u32(&t->out, task);
    canon_u8(&t->out, 5);
    canon_text(&t->out, text);
}

/* 1: a result, 2: an error, 3: where it differs from the journal's. */
static void put_outcomes(canon_writer *out,
                         const redo_task *tasks,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (tasks[i].mismatch[0]) {
            canon_u32(out, i);
            canon_u8(out, 3);
            canon_text(out, tasks[i].mismatch);
        }
        canon_u32(out, i);
        canon_u8(out, tasks[i].error.code ? 2 : 1);
        if (tasks[i].error.code) {
            canon_u32(out, (uint32_t)tasks[i].error.code);
            canon_text(out, tasks[i].error.text);
        } else {
            canon_bytes(out, tasks[i].result, tasks[i].result_size);
        }
    }
}

static etna_code replay_write_output(const canon_writer *out, etna_error *err)
{
    if (out->failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory telling what came of the tasks");
    if (!fd_write(STDOUT_FILENO, out->data, out->size))
        return etna_fail(err, ETNA_E_IO, "results cannot be written: %s",
                         strerror(errno));
    return ETNA_OK;
}

/* The store is only read: a replay must not change what it checks. */
static etna_code replay_from_store(const char *path,
                                   const etna_id *run,
                                   bool conversation,
                                   etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    redo_task *tasks = NULL;
    uint32_t count = 0;
    teller t = {.out = {0}};
    store_options how = store_options_default();
    redo_options options = {.run = *run,
                            .threads = cpus_usable(),
                            .memory = WARM_BYTES,
                            .call = conversation ? teller_tell : NULL,
                            .read = tell_read,
                            .context = &t};
    how.path = path;
    how.read_only = true;
    etna_code code = replay_read_input(&data, &size, err);
    if (!code)
        code = parse_tasks(data, size, &tasks, &count, err);
    if (!code)
        code = store_open(&how, &options.store, err);
    t.told = calloc((size_t)count + 1, sizeof *t.told);
    t.last = calloc((size_t)count + 1, sizeof *t.last);
    if (!code && (!t.told || !t.last))
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for tasks");
    if (!code)
        code = redo_all(&options, tasks, count, err);
    if (!code) {
        put_outcomes(&t.out, tasks, count);
        code = replay_write_output(&t.out, err);
    }
    for (uint32_t i = 0; i < count; i++)
        free(tasks[i].result);
    canon_writer_free(&t.out);
    store_close(options.store);
    free(t.told);
    free(t.last);
    free(tasks);
    free(data);
    return code;
}

int worker_cmd_replay(int argc, char **argv)
{
    const char *path = NULL, *name = NULL;
    bool conversation = false;
    etna_id run;
    const flags_row flags[] = {{"store", .text = &path},
                               {"run", .text = &name},
                               {"conversation", .yes = &conversation},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna-worker replay", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    bool has_run = name && etna_id_parse(name, &run);
    if (first != argc || !path || !has_run)
        return load_usage(
            "replay wants --store and the --run in it; see `etna-worker replay --help`");
    etna_error err = {0};
    return replay_from_store(path, &run, conversation, &err) ? load_report(&err)
                                                             : 0;
}
