/* Journal records read: what is malformed, of another format or newer is refused
 * (record.c says what stands in them). */
#include "coordinator/core/record_internal.h"
#include "proto/array.h"
#include "proto/usage.h"

#include <stdlib.h>
#include <string.h>

/* A bit that is not known makes the record malformed: it may stand for a rule
 * under which the run was made, and leaving it out would replay another run. */
static void get_switches(canon_reader *in, arrange_config *ret)
{
    unsigned switches = canon_get_u8(in);
    if (switches >= SWITCHES)
        in->failed = true;
    ret->step_scenes = (switches & SWITCH_STEP_SCENES) != 0;
    ret->paper_collision = (switches & SWITCH_PAPER_COLLISION) != 0;
    ret->paper_floating = (switches & SWITCH_PAPER_FLOATING) != 0;
    ret->forgets = (switches & SWITCH_FORGETS) != 0;
    ret->furnishes = (switches & SWITCH_FURNISHES) != 0;
}

/* What is read is kept in memory of the arena, or reading ends: that is no
 * fault of the bytes, and must not be told as one. */
static void *keep(canon_reader *in, void *memory)
{
    if (!memory)
        in->failed = in->out_of_memory = true;
    return memory;
}

/* A text in the arena; one with a NUL byte within is malformed, as a C string
 * would lose what follows. */
static const char *record_get_text(canon_reader *in, etna_arena *arena)
{
    size_t size;
    const uint8_t *bytes = canon_get_bytes(in, RECORD_TEXT_MAX, &size);
    if (!bytes || memchr(bytes, 0, size)) {
        in->failed = true;
        return "";
    }
    const char *text =
        keep(in, etna_arena_strndup(arena, (const char *)bytes, size));
    return text ? text : "";
}

/* Count and texts; a count that cannot fit in the bytes that are left is
 * refused before memory is taken for it. */
static const char *const *get_texts(canon_reader *in,
                                    etna_arena *arena,
                                    uint32_t *ret_count)
{
    uint32_t count = canon_get_count(in, 4);
    const char **texts =
        keep(in, etna_arena_alloc(arena, count, sizeof *texts));
    for (uint32_t i = 0; !in->failed && i < count; i++)
        texts[i] = record_get_text(in, arena);
    *ret_count = in->failed ? 0 : count;
    return texts;
}

/* Any other byte than 0 and 1 is malformed: canonical bytes have one form for a
 * value, or the comparison in replay would be of no use. */
static bool get_bool(canon_reader *in)
{
    uint8_t value = canon_get_u8(in);
    if (value > 1)
        in->failed = true;
    return value == 1;
}

/* Canonical bytes have no NULL: "" stands for it. */
static const char *none_if_empty(const char *text)
{
    return *text ? text : NULL;
}

/* The mirror of record_put_edit. */
static void get_edit(canon_reader *in, etna_arena *arena, arrange_edit *ret)
{
    ret->step = canon_get_u32(in);
    ret->item = canon_get_u32(in);
    ret->instruction = record_get_text(in, arena);
    ret->object = record_get_text(in, arena);
    ret->plane = record_get_text(in, arena);
    for (int i = 0; i < 3; i++)
        ret->pose.position[i] = canon_get_f64(in);
    ret->pose.yaw = canon_get_f64(in);
}

/* The mirror of put_before. */
static void get_before(canon_reader *in, etna_arena *arena, arrange_config *ret)
{
    arrange_before *before = &ret->before;
    for (size_t i = 0; i < sizeof ret->after.bytes; i++)
        ret->after.bytes[i] = canon_get_u8(in);
    before->goal = none_if_empty(record_get_text(in, arena));
    before->steps = get_texts(in, arena, &before->step_count);
    before->snapshot = canon_get_hash(in);
    uint32_t count = canon_get_count(in, 4);
    arrange_edit *edits =
        keep(in, etna_arena_alloc(arena, count, sizeof *edits));
    for (uint32_t i = 0; !in->failed && i < count; i++)
        get_edit(in, arena, &edits[i]);
    before->edits = edits;
    before->edit_count = in->failed ? 0 : count;
}

/* Which facts a network model is told, and what is drawn into its pictures. */
static void get_seen(canon_reader *in, arrange_config *ret)
{
    uint8_t bits = canon_get_u8(in);
    ret->facts = bits & 1;
    ret->brief = bits >> 1 & 1;
    ret->fronts = bits >> 2 & 1;
    if (bits >> 3)
        in->failed = true;
}

/* The mirror of record_config, member by member. Nothing is checked here that
 * run_config_check checks for a fresh run, but for what would index a table. */
static void get_config(canon_reader *in, etna_arena *arena, arrange_config *ret)
{
    ret->scene = canon_get_hash(in);
    ret->scene_name = record_get_text(in, arena);
    ret->goal = none_if_empty(record_get_text(in, arena));
    ret->steps = get_texts(in, arena, &ret->step_count);
    ret->seed = canon_get_u64(in);
    uint32_t *small[] = {&ret->branches, &ret->polls,     &ret->early_end,
                         &ret->anchor,   &ret->max_steps, &ret->max_backtracks};
    for (size_t i = 0; i < COUNT_OF(small); i++)
        *small[i] = canon_get_u32(in);
    ret->max_tokens = canon_get_u64(in);
    ret->max_wall_ms = canon_get_u64(in);
    ret->max_cost_micros = canon_get_u64(in);
    ret->plan_per_branch = get_bool(in);
    get_seen(in, ret);
    ret->images = get_bool(in);
    ret->model = record_get_text(in, arena);
    ret->camera = none_if_empty(record_get_text(in, arena));
    ret->models = none_if_empty(record_get_text(in, arena));
    ret->paper_solver = get_bool(in);
    ret->ablation = canon_get_u32(in);
    ret->cameras = get_bool(in);
    ret->open_list = get_bool(in);
    ret->start = canon_get_hash(in);
    if (!in->failed && !etna_hash_is_zero(&ret->start))
        get_before(in, arena, ret);
    ret->reader = none_if_empty(record_get_text(in, arena));
    ret->any_place = get_bool(in);
    ret->foreign = canon_get_u32(in);
    ret->branches_at_once = canon_get_u32(in);
    ret->finish_calls = get_bool(in);
    get_switches(in, ret);
    if (ret->ablation >= ABLATION_COUNT)
        in->failed = true;
}

/* A part that ends before it begins is malformed. */
static void get_part(canon_reader *in, arrange_part *ret)
{
    ret->from = canon_get_u32(in);
    ret->to = canon_get_u32(in);
    ret->thing = canon_get_u32(in);
    if (ret->from > ret->to)
        in->failed = true;
}

/* The mirror of put_refusal; an unknown code would index past the table of
 * texts. */
static void get_refusal(canon_reader *in,
                        etna_arena *arena,
                        arrange_refusal *ret)
{
    ret->code = canon_get_u32(in);
    if (ret->code >= REFUSAL_CODE_COUNT)
        in->failed = true;
    if (in->failed || ret->code == REFUSAL_NONE)
        return;
    ret->what = record_get_text(in, arena);
    ret->where = record_get_text(in, arena);
    ret->advice = record_get_text(in, arena);
    ret->from = canon_get_u32(in);
    ret->to = canon_get_u32(in);
    ret->item = canon_get_u32(in);
    get_part(in, &ret->part);
}

/* The mirror of put_plan. */
static void get_plan(canon_reader *in, etna_arena *arena, arrange_result *ret)
{
    ret->plan_status = canon_get_u32(in);
    ret->instruction = record_get_text(in, arena);
    ret->coordinate[0] = canon_get_f64(in);
    ret->coordinate[1] = canon_get_f64(in);
    ret->coordinate_is_bottom = get_bool(in);
    ret->reason = record_get_text(in, arena);
    ret->item = canon_get_u32(in);
    get_part(in, &ret->part);
    ret->makes_way = get_bool(in);
    ret->coordinates = canon_get_u32(in);
    get_refusal(in, arena, &ret->refusal);
    ret->camera = none_if_empty(record_get_text(in, arena));
}

/* The mirror of put_obstacle. */
static void get_obstacle(canon_reader *in,
                         etna_arena *arena,
                         arrange_obstacle *ret)
{
    ret->kind = canon_get_u32(in);
    if (ret->kind >= OBSTACLE_KIND_COUNT)
        in->failed = true;
    if (in->failed || ret->kind == OBSTACLE_NONE)
        return;
    ret->plane = record_get_text(in, arena);
    ret->others = get_texts(in, arena, &ret->other_count);
}

/* The mirror of put_branch; bytes behind the obstacle are a single agent's
 * plan. */
static void get_branch(canon_reader *in, etna_arena *arena, arrange_result *ret)
{
    ret->branch_status = canon_get_u32(in);
    ret->object = record_get_text(in, arena);
    ret->plane = record_get_text(in, arena);
    for (int i = 0; i < 3; i++)
        ret->pose.position[i] = canon_get_f64(in);
    ret->pose.yaw = canon_get_f64(in);
    ret->loss = canon_get_f64(in);
    ret->candidates = canon_get_u32(in);
    ret->survivors = canon_get_u32(in);
    ret->collision_checks = canon_get_u32(in);
    ret->elsewhere = canon_get_f64(in);
    ret->constraints = record_get_text(in, arena);
    ret->snapshot = canon_get_hash(in);
    ret->reason = record_get_text(in, arena);
    for (uint32_t i = BRANCH_MALFORMED; i < BRANCH_REPEATED; i++)
        ret->tries[i] = canon_get_u32(in);
    get_obstacle(in, arena, &ret->obstacle);
    if (!in->failed && !canon_done(in))
        get_plan(in, arena, ret);
}

/* The mirror of put_result, whose kind the caller has set. */
static void get_result(canon_reader *in, etna_arena *arena, arrange_result *ret)
{
    ret->used = canon_get_usage(in);
    switch (ret->kind) {
    case TASK_IMPORT:
        ret->snapshot = canon_get_hash(in);
        ret->object_count = canon_get_u32(in);
        ret->movable_count = canon_get_u32(in);
        ret->camera = record_get_text(in, arena);
        ret->warnings = get_texts(in, arena, &ret->warning_count);
        break;
    case TASK_READ:
        ret->meaning = none_if_empty(record_get_text(in, arena));
        ret->reason = record_get_text(in, arena);
        break;
    case TASK_PLAN: get_plan(in, arena, ret); break;
    case TASK_BRANCH: get_branch(in, arena, ret); break;
    case TASK_POLL:
        ret->verdict = canon_get_u32(in);
        ret->reason = record_get_text(in, arena);
        break;
    case TASK_RENDER:
    case TASK_ASSET:
    case TASK_FURNISH:
    case TASK_EXPORT: ret->blob = canon_get_hash(in); break;
    default: in->failed = true;
    }
}

/* Which task it is about: its kind, and where it hangs in the tree. */
static void get_place(canon_reader *in, record_result *ret)
{
    ret->kind = canon_get_u32(in);
    ret->node = canon_get_u32(in);
    ret->branch = canon_get_u32(in);
    ret->poll = canon_get_u32(in);
}

/* A failed task has an error and its text instead of a result. */
static void get_task_record(canon_reader *in,
                            etna_arena *arena,
                            record_result *ret)
{
    get_place(in, ret);
    uint32_t error = canon_get_u32(in);
    if (error >= ETNA_E_COUNT)
        in->failed = true;
    ret->error = (etna_code)error;
    ret->result.kind = ret->kind;
    if (ret->error == ETNA_OK) {
        get_result(in, arena, &ret->result);
    } else {
        ret->text = record_get_text(in, arena);
    }
}

/* The mirror of put_slot. */
static void get_slot(canon_reader *in, etna_slot *ret)
{
    uint32_t *fields[6] = {&ret->node, &ret->branch, &ret->role,
                           &ret->poll, &ret->turn,   &ret->repair};
    for (int i = 0; i < 6; i++)
        *fields[i] = canon_get_u32(in);
}

/* Who asked which worker for what, and what it may cost: enough to book the
 * call when the worker dies before it answers. */
static void get_call(canon_reader *in, etna_arena *arena, record *ret)
{
    get_slot(in, &ret->reply.slot);
    ret->reply.request = canon_get_hash(in);
    ret->worker = canon_get_u64(in);
    ret->incarnation = canon_get_u64(in);
    ret->task = canon_get_u64(in);
    ret->attempt = canon_get_u32(in);
    ret->begin = canon_get_u64(in);
    ret->estimate = canon_get_usage(in);
    ret->recovered = canon_get_usage(in);
    ret->reply.model = record_get_text(in, arena);
}

/* `recovered` is what an earlier booking of the same call gives back. The two
 * counts at the end are there only where something was left out of the
 * request. */
static void get_reply(canon_reader *in, etna_arena *arena, record *ret)
{
    get_slot(in, &ret->reply.slot);
    ret->reply.request = canon_get_hash(in);
    ret->reply.reply = canon_get_hash(in);
    ret->reply.usage = canon_get_usage(in);
    ret->recovered = canon_get_usage(in);
    ret->reply.model = record_get_text(in, arena);
    if (in->failed || canon_done(in))
        return;
    ret->reply.images_left_out = canon_get_u32(in);
    ret->reply.texts_left_out = canon_get_u32(in);
}

/* Consequences, which replay makes itself and compares; see the head of this
 * file. */
bool record_is_derived(const record *rec)
{
    return rec->kind == RECORD_DECISION || rec->kind == RECORD_ENDED ||
           (rec->kind == RECORD_CAP && !cap_from_outside(rec->cap));
}

/* `least` to `most` of them; NULL where that does not hold. */
static const etna_hash *get_hashes(canon_reader *in,
                                   etna_arena *arena,
                                   uint32_t least,
                                   uint32_t most,
                                   uint32_t *ret_count)
{
    uint32_t count = canon_get_u32(in);
    if (in->failed || count < least || count > most) {
        in->failed = true;
        return NULL;
    }
    etna_hash *names = keep(in, etna_arena_alloc(arena, count, sizeof *names));
    if (!names)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        names[i] = canon_get_hash(in);
    *ret_count = count;
    return names;
}

/* Of runs that read models or furnish rooms, and arrange nothing. */
static void get_lots(canon_reader *in, etna_arena *arena, arrange_config *ret)
{
    ret->lots = get_hashes(in, arena, 1, ARRANGE_LOTS_MAX, &ret->lot_count);
    if (ret->lots && ret->furnishes)
        ret->stock =
            get_hashes(in, arena, 0, ARRANGE_STOCK_MAX, &ret->stock_count);
}

/* A run of another version keeps its record and loses nothing, but is not
 * replayed: is_whole stays false. The batch, the priority and the lots at the
 * end may be missing, as most runs have none of them. */
static void get_submitted(canon_reader *in, etna_arena *arena, record *ret)
{
    ret->version = canon_get_u32(in);
    ret->is_whole = ret->version == CORE_VERSION;
    if (ret->is_whole)
        get_config(in, arena, &ret->config);
    if (!ret->is_whole || in->failed || canon_done(in))
        return;
    canon_get_raw(in, ret->config.batch.bytes, sizeof ret->config.batch.bytes);
    if (in->failed || canon_done(in))
        return;
    ret->config.priority = canon_get_u32(in);
    if (ret->config.priority > ARRANGE_PRIORITY_MAX)
        in->failed = true;
    if (!in->failed && !canon_done(in))
        get_lots(in, arena, &ret->config);
}

/* A call whose answer never came: what was booked for it, and whether its
 * worker told so itself. */
static void get_lost(canon_reader *in, etna_arena *arena, record *ret)
{
    (void)arena;
    get_slot(in, &ret->reply.slot);
    ret->booked = canon_get_usage(in);
    ret->reported = get_bool(in);
}

/* Also for a result that was refused: the body is the same. */
static void get_task_result(canon_reader *in, etna_arena *arena, record *ret)
{
    get_task_record(in, arena, &ret->result);
}

/* Any cap; whether it is a cause or a consequence is record_is_derived's to
 * say. */
static void get_cap(canon_reader *in, etna_arena *arena, record *ret)
{
    (void)arena;
    ret->cap = (core_cap)canon_get_u8(in);
    if (ret->cap < CAP_BACKTRACKS || ret->cap >= CAP_COUNT)
        in->failed = true;
}

/* Models are changed while a run rests; a run without a model cannot go on, so
 * an empty name is malformed. */
static void get_models(canon_reader *in, etna_arena *arena, record *ret)
{
    ret->models.model = record_get_text(in, arena);
    ret->models.models = none_if_empty(record_get_text(in, arena));
    ret->models.foreign = canon_get_u32(in);
    if (!*ret->models.model)
        in->failed = true;
}

/* A worker died over the task; the text says how. */
static void get_death(canon_reader *in, etna_arena *arena, record *ret)
{
    get_place(in, &ret->result);
    ret->result.text = record_get_text(in, arena);
}

/* Which build took part that is not the coordinator's, for people alone. */
static void get_build(canon_reader *in, etna_arena *arena, record *ret)
{
    ret->result.text = record_get_text(in, arena);
}

/* Kinds that are told by their number. */
static void get_nothing(canon_reader *in, etna_arena *arena, record *ret)
{
    (void)in;
    (void)arena;
    (void)ret;
}

/* What is only ever compared is not read: replay decides it anew. */
static void get_later(canon_reader *in, etna_arena *arena, record *ret)
{
    (void)in;
    (void)arena;
    ret->is_whole = false;
}

/* How the body of each kind is read. */
static void (*const record_bodies[RECORD_KIND_COUNT])(canon_reader *in,
                                                      etna_arena *arena,
                                                      record *ret) = {
    [RECORD_SUBMITTED] = get_submitted, [RECORD_REPLY] = get_reply,
    [RECORD_RESULT] = get_task_result,  [RECORD_DECISION] = get_later,
    [RECORD_REFUSED] = get_task_result, [RECORD_CAP] = get_cap,
    [RECORD_CANCEL] = get_nothing,      [RECORD_SUSPENDED] = get_nothing,
    [RECORD_ENDED] = get_later,         [RECORD_CALL] = get_call,
    [RECORD_LOST] = get_lost,           [RECORD_MODELS] = get_models,
    [RECORD_DEATH] = get_death,         [RECORD_BUILD] = get_build,
};

/* An older store is left alone rather than read by guesses: nothing of a
 * release has written one. */
static etna_code record_check_format(uint8_t format, etna_error *err)
{
    if (format == RECORD_FORMAT)
        return ETNA_OK;
    if (format > RECORD_FORMAT) {
        return etna_fail(err, ETNA_E_NEWER,
                         "record format %u is newer than %d; use a newer etna",
                         (unsigned)format, RECORD_FORMAT);
    }
    return etna_fail(
        err, ETNA_E_MESSAGE,
        "record format %u is older than %d, which this etna reads; use another --store",
        (unsigned)format, RECORD_FORMAT);
}

/* Hostile bytes are refused with the byte at which they ceased to make sense.
 * *ret is set on success alone; its texts live in the arena, its body points
 * into `data`. */
etna_code record_parse(const void *data,
                       size_t size,
                       etna_arena *arena,
                       record *ret,
                       etna_error *err)
{
    canon_reader in = canon_read(data, size);
    record rec = {.is_whole = true};
    uint8_t format = canon_get_u8(&in);
    etna_code code = in.failed ? ETNA_OK : record_check_format(format, err);
    if (code != ETNA_OK)
        return code;
    uint8_t kind = canon_get_u8(&in);
    rec.kind = (record_kind)kind;
    rec.interval_ms = canon_get_u64(&in);
    rec.body = in.failed ? NULL : in.data + in.at;
    rec.body_size = in.failed ? 0 : in.size - in.at;
    if (kind < RECORD_KIND_COUNT && record_bodies[kind]) {
        record_bodies[kind](&in, arena, &rec);
    } else {
        in.failed = true;
    }
    if (in.out_of_memory) {
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory reading a journal record of kind %u",
                         (unsigned)kind);
    }
    if (in.failed || (rec.is_whole && !canon_done(&in))) {
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "journal record of kind %u: not well formed at byte %zu of %zu",
            (unsigned)kind, in.at, size);
    }
    *ret = rec;
    return ETNA_OK;
}

/* For the collector of unused blobs: a hash that is not named here would be
 * thrown away under a run that needs it. */
etna_code core_record_hashes(const void *data,
                             size_t size,
                             core_hash_fn each,
                             void *context,
                             etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    record rec;
    etna_code code = record_parse(data, size, &arena, &rec, err);
    if (code == ETNA_OK) {
        const etna_hash *named[] = {
            &rec.config.scene,           &rec.config.start,
            &rec.config.before.snapshot, &rec.reply.reply,
            &rec.result.result.snapshot, &rec.result.result.blob};
        for (size_t i = 0; i < COUNT_OF(named); i++) {
            if (!etna_hash_is_zero(named[i]))
                each(context, named[i]);
        }
        for (uint32_t i = 0; i < rec.config.lot_count; i++)
            each(context, &rec.config.lots[i]);
        for (uint32_t i = 0; i < rec.config.stock_count; i++)
            each(context, &rec.config.stock[i]);
    }
    etna_arena_free(&arena);
    return code;
}
