/* `etna replay` and `etna show --conversation`: a run's tasks computed again by
 * a worker, from what the journal and the store kept, and compared with what
 * came of them then.
 *
 * replay_read feeds the journal to a core, which says for each result which
 * task it answered; replay_run hands the tasks to a worker, which gets the
 * models' replies from the store and never calls a model; replay_difference
 * names the first thing that came out otherwise. The worker gets the tasks by a
 * memfd on its stdin and writes what it found to another on its stdout, in the
 * canonical encoding of proto/canon.h:
 *
 *   in:   (u32 kind, bytes payload) for each task
 *   out:  (u32 index of the task, u8 what, ...) as often as it has to say:
 *         1 result: bytes          2 error: u32 code, bytes text
 *         3 mismatch: bytes text   4 call: bytes JSON
 *         5 how the call before was read: bytes text
 *
 * Files rather than pipes: neither side can block the other. */
#include "coordinator/report/replay.h"
#include "proto/fd.h"
#include "proto/usage.h"

#include "coordinator/shell/children.h"
#include "proto/canon.h"
#include "proto/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What comes back from the worker, and the longest call it may report. */
enum {
    OUT_RESULT = 1,
    OUT_ERROR,
    OUT_MISMATCH,
    OUT_CALL,
    OUT_READ,
    CALL_BYTES_MAX = 256 << 20
};

/* The context of replay_feed(). */
typedef struct reading {
    replay *a;
    const etna_id *run;
} reading;

/* A recorded result points into memory of the core that the next record
 * overwrites. Packing and unpacking copies it, with all it refers to, into the
 * arena. */
static etna_code keep_result(replay *a,
                             const arrange_result *from,
                             arrange_result *ret,
                             etna_error *err)
{
    uint8_t *data;
    size_t size;
    etna_code code = arrange_result_pack(from, &data, &size, err);
    if (code)
        return code;
    code = arrange_result_unpack(data, size, &a->arena, ret, err);
    free(data);
    return code;
}

/* `recorded` is copied, see keep_result. */
static etna_code add_task(replay *a,
                          uint64_t sequence,
                          const arrange_task *task,
                          const arrange_result *recorded,
                          etna_error *err)
{
    if (a->count == a->room) {
        uint32_t room = a->room ? 2 * a->room : 64;
        replay_task *grown = realloc(a->tasks, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory for a run's tasks");
        a->tasks = grown;
        a->room = room;
    }
    replay_task *t = &a->tasks[a->count];
    *t = (replay_task){.sequence = sequence,
                       .kind = task->kind,
                       .node = task->node,
                       .branch = task->branch,
                       .poll = task->poll};
    etna_code code =
        arrange_task_pack(task, &t->payload, &t->payload_size, err);
    if (code)
        return code;
    a->count++;
    return keep_result(a, recorded, &t->recorded, err);
}

/* What was left out of a request that was too long, for the line that tells
 * so. */
static etna_code replay_truncation_add(replay *a,
                                       const core_reply *reply,
                                       etna_error *err)
{
    const char *model =
        etna_arena_strdup(&a->arena, reply->model ? reply->model : "");
    if (!model)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a run's replies");
    if (a->truncation_count == a->truncation_room) {
        uint32_t room = a->truncation_room ? 2 * a->truncation_room : 16;
        replay_truncation *grown =
            realloc(a->truncations, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory for a run's replies");
        a->truncations = grown;
        a->truncation_room = room;
    }
    a->truncations[a->truncation_count++] = (replay_truncation){
        reply->slot, model, reply->images_left_out, reply->texts_left_out};
    return ETNA_OK;
}

/* Records of other kinds are passed over. */
static etna_code note_truncation(replay *a,
                                 const uint8_t *data,
                                 size_t size,
                                 etna_error *err)
{
    etna_arena scratch = ETNA_ARENA_INIT;
    core_reply reply;
    bool is = false;
    etna_code code = core_record_reply(data, size, &scratch, &is, &reply, err);
    bool is_read = !code && is;
    if (is_read && (reply.images_left_out || reply.texts_left_out))
        code = replay_truncation_add(a, &reply, err);
    etna_arena_free(&scratch);
    return code;
}

/* A store_record_fn. Asks the core which task the record answers before it
 * feeds the record, as the task is gone after that. */
static etna_code replay_feed(void *context,
                             uint64_t sequence,
                             const uint8_t *record,
                             size_t size,
                             etna_error *err)
{
    const reading *in = context;
    replay *a = in->a;
    bool answers;
    arrange_task task;
    arrange_result recorded;
    if (a->parted)
        return ETNA_OK; /* nothing after it can be followed */
    etna_code code = core_replay_task(a->core, in->run, record, size, &answers,
                                      &task, &recorded, err);
    if (!code && answers && task.kind == TASK_RENDER) {
        a->pictures++;
    } else if (!code && answers) {
        code = add_task(a, sequence, &task, &recorded, err);
    }
    if (!code)
        code = note_truncation(a, record, size, err);
    if (!code)
        code = core_replay(a->core, in->run, sequence, record, size, err);
    if (code == ETNA_E_CORRUPT) {
        a->parted = sequence;
        snprintf(a->parted_why, sizeof a->parted_why, "%s", err->text);
        return ETNA_OK;
    }
    if (!code)
        a->records = sequence;
    return code;
}

/* *a is the caller's to free, on failure too. A journal without a record is a
 * run that does not exist. */
etna_code replay_read(replay *a, store *s, const etna_id *run, etna_error *err)
{
    core_options options = core_options_default();
    reading in = {a, run};
    *a = (replay){.records = 0};
    etna_code code = core_new(&options, &a->core, err);
    if (!code)
        code = store_read_journal(s, run, 0, replay_feed, &in, err);
    if (!code && !a->records && !a->parted) {
        char name[33];
        etna_id_hex(run, name);
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "run %s: there is none of this id; see `etna runs`",
                         name);
    }
    return code;
}

/* What it had itself; its texts are the arena's. */
static void replay_forget(replay_task *t)
{
    free(t->payload);
    json_decref(t->calls);
}

/* Also of one that replay_read left half-way. */
void replay_free(replay *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        replay_forget(&a->tasks[i]);
    free(a->tasks);
    free(a->truncations);
    core_free(a->core);
    etna_arena_free(&a->arena);
    *a = (replay){.count = 0};
}

/* Keeps the order of those that stay. */
void replay_filter(replay *a,
                   bool (*keep)(void *context, const replay_task *task),
                   void *context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (keep(context, &a->tasks[i])) {
            a->tasks[kept++] = a->tasks[i];
        } else {
            replay_forget(&a->tasks[i]);
        }
    }
    a->count = kept;
}

/* The order of replay_sort(). A plan comes before the branches of its node; the
 * sequence decides last, so that the order is total. */
static int by_place(const void *left, const void *right)
{
    const replay_task *a = left, *b = right;
    const uint64_t keys[2][6] = {{a->node, a->kind != TASK_PLAN, a->branch,
                                  a->kind, a->poll, a->sequence},
                                 {b->node, b->kind != TASK_PLAN, b->branch,
                                  b->kind, b->poll, b->sequence}};
    for (int i = 0; i < 6; i++) {
        if (keys[0][i] != keys[1][i])
            return keys[0][i] < keys[1][i] ? -1 : 1;
    }
    return 0;
}

/* By place in the tree, as a reader looks for them. */
void replay_sort(replay *a)
{
    if (a->count)
        qsort(a->tasks, a->count, sizeof *a->tasks, by_place);
}

/* ---- the worker ---- */

/* By errno. */
static etna_code replay_io_fault(const char *what, etna_error *err)
{
    return etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO, "%s: %s",
                     what, strerror(errno));
}

/* Leaves the file at its beginning, where the worker starts to read. */
static etna_code put_tasks(const replay *a, int fd, etna_error *err)
{
    canon_writer out = {0};
    for (uint32_t i = 0; i < a->count; i++) {
        canon_u32(&out, a->tasks[i].kind);
        canon_bytes(&out, a->tasks[i].payload, a->tasks[i].payload_size);
    }
    etna_code code = out.failed ? etna_fail(err, ETNA_E_NOMEM,
                                            "out of memory for a run's tasks")
                                : ETNA_OK;
    if (!code && !fd_write(fd, out.data, out.size))
        code = replay_io_fault("memory for a run's tasks", err);
    canon_writer_free(&out);
    if (!code && lseek(fd, 0, SEEK_SET) < 0)
        code = replay_io_fault("memory for a run's tasks", err);
    return code;
}

/* Waits for the child, however long the run takes to compute. It opens the
 * store itself, read-only. */
static etna_code run_worker(const char *path,
                            const etna_id *run,
                            bool conversation,
                            int in,
                            int out,
                            etna_error *err)
{
    char program[4096], name[33];
    etna_id_hex(run, name);
    const char *args[] = {"etna-worker",
                          "replay",
                          "--store",
                          path,
                          "--run",
                          name,
                          conversation ? "--conversation" : NULL,
                          NULL};
    process_options options = process_options_default();
    process_end end;
    pid_t pid;
    options.fds[STDIN_FILENO] = in;
    options.fds[STDOUT_FILENO] = out;
    if (!children_program(program, sizeof program))
        return etna_fail(err, ETNA_E_IO,
                         "the path of this program is too long");
    etna_code code = process_start(program, args, &options, &pid, err);
    if (!code)
        code = process_wait(pid, 0, NULL, &end, err);
    if (code || end.exit_code == 0)
        return code;
    if (end.signal)
        return etna_fail(
            err, ETNA_E_IO,
            "etna-worker ended by signal %d while it computed the run again",
            end.signal);
    return etna_fail(err, ETNA_E_IO,
                     "etna-worker could not compute the run again (code %d)",
                     end.exit_code);
}

/* At most as long as an error's text; "" after a failure. */
static const char *replay_text_of(replay *a, canon_reader *in)
{
    size_t size;
    const uint8_t *bytes =
        canon_get_bytes(in, sizeof((etna_error *)0)->text, &size);
    const char *text =
        bytes ? etna_arena_strndup(&a->arena, (const char *)bytes, size) : NULL;
    if (!text)
        in->failed = true;
    return text ? text : "";
}

/* Calls are JSON as the provider sent them. */
static void take_call(replay_task *t, canon_reader *in)
{
    size_t size;
    const uint8_t *bytes = canon_get_bytes(in, CALL_BYTES_MAX, &size);
    json_t *call =
        bytes ? json_loadb((const char *)bytes, size, 0, NULL) : NULL;
    if (call && !t->calls)
        t->calls = json_array();
    if (!call || json_array_append_new(t->calls, call))
        in->failed = true;
}

/* How an answer was read belongs to the call reported before it. */
static void take_read(const replay_task *t, canon_reader *in)
{
    size_t size;
    size_t calls = json_array_size(t->calls);
    const uint8_t *bytes = canon_get_bytes(in, CALL_BYTES_MAX, &size);
    json_t *read =
        bytes && calls ? json_stringn((const char *)bytes, size) : NULL;
    if (!read || json_object_set_new(json_array_get(t->calls, calls - 1),
                                     "read_as", read))
        in->failed = true;
}

/* One report of the worker. What is not known makes all of it malformed: it
 * comes from the same build. */
static void take_one(replay *a, canon_reader *in)
{
    uint32_t index = canon_get_u32(in);
    uint8_t what = canon_get_u8(in);
    if (in->failed || index >= a->count) {
        in->failed = true;
        return;
    }
    replay_task *t = &a->tasks[index];
    size_t size;
    const uint8_t *bytes;
    switch (what) {
    case OUT_RESULT:
        bytes = canon_get_bytes(in, MESSAGE_PAYLOAD_MAX, &size);
        t->done = bytes && !arrange_result_unpack(bytes, size, &a->arena,
                                                  &t->result, NULL);
        if (!t->done)
            in->failed = true;
        break;
    case OUT_ERROR:
        canon_get_u32(in);
        t->failure = replay_text_of(a, in);
        break;
    case OUT_MISMATCH: t->mismatch = replay_text_of(a, in); break;
    case OUT_CALL: take_call(t, in); break;
    case OUT_READ: take_read(t, in); break;
    default: in->failed = true;
    }
}

/* Every task must have a result or a failure: a worker that stopped early would
 * otherwise look like a run that is the same. */
static etna_code take_results(replay *a, int fd, etna_error *err)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0)
        return etna_fail(err, ETNA_E_IO, "etna-worker told nothing");
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return replay_io_fault("memory for results", err);
    canon_reader in = canon_read(data, (size_t)st.st_size);
    while (!in.failed && in.at < in.size)
        take_one(a, &in);
    munmap(data, (size_t)st.st_size);
    for (uint32_t i = 0; i < a->count; i++) {
        if (!a->tasks[i].done && !a->tasks[i].failure)
            in.failed = true;
    }
    return in.failed
               ? etna_fail(
                     err, ETNA_E_MESSAGE,
                     "what etna-worker told is not well formed; are both programs of one version?")
               : ETNA_OK;
}

/* Nothing to compute is no failure. */
etna_code replay_run(replay *a,
                     const char *path,
                     const etna_id *run,
                     bool conversation,
                     etna_error *err)
{
    if (!a->count)
        return ETNA_OK;
    int in = memfd_create("etna-tasks", MFD_CLOEXEC);
    int out = memfd_create("etna-results", MFD_CLOEXEC);
    etna_code code = in < 0 || out < 0
                         ? replay_io_fault("memory for a run's tasks", err)
                         : ETNA_OK;
    if (!code)
        code = put_tasks(a, in, err);
    if (!code)
        code = run_worker(path, run, conversation, in, out, err);
    if (!code)
        code = take_results(a, out, err);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return code;
}

/* ---- comparing ---- */

/* NULL and "" are one. */
static bool same_text(const char *a, const char *b)
{
    if (!a)
        a = "";
    if (!b)
        b = "";
    return strcmp(a, b) == 0;
}
/* == and not memcmp(): 0.0 and -0.0 are one number, and NaN is never the
 * same. */
static bool same_bits(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(a[i] == b[i]))
            return false;
    }
    return true;
}

/* Each of these returns what goes into "... is another", or NULL. */
static const char *import_differs(const arrange_result *a,
                                  const arrange_result *b)
{
    if (!etna_hash_equal(&a->snapshot, &b->snapshot))
        return "the snapshot";
    if (a->object_count != b->object_count ||
        a->movable_count != b->movable_count)
        return "the number of objects";
    if (!same_text(a->camera, b->camera))
        return "the camera";
    bool same = a->warning_count == b->warning_count;
    for (uint32_t i = 0; same && i < a->warning_count; i++)
        same = same_text(a->warnings[i], b->warnings[i]);
    return same ? NULL : "the warnings";
}

/* Advice is left out: it follows from the code. */
static bool refusal_differs(const arrange_refusal *a, const arrange_refusal *b)
{
    bool is_same_span = a->from == b->from && a->to == b->to;
    return a->code != b->code || !is_same_span || !same_text(a->what, b->what);
}

/* To the bit. */
static bool coordinate_differs(const arrange_result *a, const arrange_result *b)
{
    return !same_bits(a->coordinate, b->coordinate, 2) ||
           a->coordinate_is_bottom != b->coordinate_is_bottom;
}

static bool part_differs(const arrange_part *a, const arrange_part *b)
{
    return a->from != b->from || a->to != b->to || a->thing != b->thing;
}

/* What of two plans is not the same, to go into "... is another"; NULL:
 * nothing. */
static const char *plan_differs(const arrange_result *a,
                                const arrange_result *b)
{
    if (a->plan_status != b->plan_status)
        return "the plan";
    if (!same_text(a->instruction, b->instruction))
        return "the instruction";
    if (coordinate_differs(a, b))
        return "the coordinate";
    if (a->item != b->item)
        return "the instruction it serves";
    if (part_differs(&a->part, &b->part))
        return "the part of the goal that it serves";
    if (a->makes_way != b->makes_way)
        return "whether it only makes way";
    if (!same_text(a->camera, b->camera))
        return "the camera";
    if (refusal_differs(&a->refusal, &b->refusal))
        return "the refusal";
    return same_text(a->reason, b->reason) ? NULL : "the reason";
}

/* To the bit: the solver promises the same pose on every machine. */
static bool pose_differs(const arrange_result *a, const arrange_result *b)
{
    return !same_bits(a->pose.position, b->pose.position, 3) ||
           !same_bits(&a->pose.yaw, &b->pose.yaw, 1);
}

/* Whether the solver tried as many places and came as near. Equal poses by
 * another way would show that something nondeterministic is at work. */
static bool search_differs(const arrange_result *a, const arrange_result *b)
{
    bool is_same_count =
        a->candidates == b->candidates && a->survivors == b->survivors;
    bool is_same_way = a->collision_checks == b->collision_checks &&
                       memcmp(a->tries, b->tries, sizeof a->tries) == 0;
    return !is_same_count || !is_same_way || !same_bits(&a->loss, &b->loss, 1);
}

/* In the order in which one causes the next, so that the first difference is
 * the cause. */
static const char *branch_differs(const arrange_result *a,
                                  const arrange_result *b)
{
    if (!etna_hash_equal(&a->snapshot, &b->snapshot))
        return "the snapshot";
    if (a->branch_status != b->branch_status)
        return "what came of it";
    if (!same_text(a->object, b->object) || !same_text(a->plane, b->plane))
        return "the object or its plane";
    if (pose_differs(a, b))
        return "the pose";
    if (!same_text(a->constraints, b->constraints))
        return "the constraints";
    if (search_differs(a, b))
        return "the solver's way";
    if (a->plan_status != b->plan_status)
        return "the plan";
    if (a->plan_status)
        return plan_differs(a, b);
    return same_text(a->reason, b->reason) ? NULL : "the reason";
}

/* The reading of the goal, as JSON. */
static const char *reading_differs(const arrange_result *a,
                                   const arrange_result *b)
{
    return same_text(a->meaning, b->meaning) ? NULL : "what was read";
}

/* The verdict before its words. */
static const char *poll_differs(const arrange_result *a,
                                const arrange_result *b)
{
    if (a->verdict != b->verdict)
        return "the verdict";
    return same_text(a->reason, b->reason) ? NULL : "the reason";
}

/* Byte for byte. */
static const char *export_differs(const arrange_result *a,
                                  const arrange_result *b)
{
    return etna_hash_equal(&a->blob, &b->blob) ? NULL : "the exported scene";
}

/* The same: a room with its report is one blob. */
static const char *room_differs(const arrange_result *a,
                                const arrange_result *b)
{
    return etna_hash_equal(&a->blob, &b->blob) ? NULL : "the furnished room";
}

/* Kinds that compute nothing, as pictures, are compared by their usage
 * alone. */
const char *replay_difference(uint32_t kind,
                              const arrange_result *before,
                              const arrange_result *now)
{
    static const char *(*const differs[TASK_KIND_COUNT])(
        const arrange_result *a, const arrange_result *b) = {
        [TASK_IMPORT] = import_differs, [TASK_READ] = reading_differs,
        [TASK_PLAN] = plan_differs,     [TASK_BRANCH] = branch_differs,
        [TASK_POLL] = poll_differs,     [TASK_EXPORT] = export_differs,
        [TASK_FURNISH] = room_differs,
    };
    bool is_known = kind < TASK_KIND_COUNT && differs[kind];
    const char *what = is_known ? differs[kind](before, now) : NULL;
    return what || message_usage_equal(&before->used, &now->used) ? what
                                                                  : "the usage";
}

/* For people, in the middle of a sentence. */
void replay_task_name(const replay_task *t, char ret[96])
{
    switch (t->kind) {
    case TASK_IMPORT: snprintf(ret, 96, "the import"); break;
    case TASK_READ: snprintf(ret, 96, "the reading of the goal"); break;
    case TASK_PLAN:
        snprintf(ret, 96, "the plan of node %u, branch %u", t->node, t->branch);
        break;
    case TASK_BRANCH:
        snprintf(ret, 96, "branch %u of node %u", t->branch, t->node);
        break;
    case TASK_POLL:
        snprintf(ret, 96, "poll %u of branch %u of node %u", t->poll, t->branch,
                 t->node);
        break;
    case TASK_ASSET: snprintf(ret, 96, "lot %u", t->branch); break;
    case TASK_FURNISH: snprintf(ret, 96, "room %u", t->branch); break;
    case TASK_EXPORT:
        snprintf(ret, 96, t->branch ? "export %u" : "the export", t->branch);
        break;
    default:
        snprintf(ret, 96, "task %s of node %u", task_kind_name(t->kind),
                 t->node);
        break;
    }
}
