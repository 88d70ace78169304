/* The arrange method's payloads: a table of fields per struct, in the order of
 * arrange.proto's field numbers.
 *
 * As message.c, for what the wire carries without looking into it: a run's
 * configuration, tasks and their results. Bounds are of arrange.h; a member
 * that is added gets a new number and is SPARSE, so that tasks that do not use
 * it keep their bytes. */
#include "proto/arrange.h"

#include "arrange.pb-c.h"
#include "proto/array.h"
#include "proto/codec_rows.h"
#include "proto/models.h"

#define SHAPE(message_, struct_, fields_, check_) \
    SHAPE_OF(etna__arrange__##message_##__descriptor, struct_, fields_, check_)

/* ---- the configuration ---- */

/* Metres and radians, in the scene's frame with Z up. */
static const codec_field pose_fields[] = {
    NAMED("x", CODEC_F64, arrange_pose, position[0]),
    NAMED("y", CODEC_F64, arrange_pose, position[1]),
    NAMED("z", CODEC_F64, arrange_pose, position[2]),
    SCALAR(CODEC_F64, arrange_pose, yaw),
};
static const codec_shape pose_shape =
    SHAPE(pose, arrange_pose, pose_fields, NULL);

/* A kept edit: also what a run that goes on after another is told of it. */
static const codec_field edit_fields[] = {
    SCALAR(CODEC_U32, arrange_edit, step),
    TEXT(arrange_edit, instruction, ARRANGE_INSTRUCTION_MAX),
    TEXT(arrange_edit, object, ARRANGE_NAME_MAX),
    TEXT(arrange_edit, plane, ARRANGE_NAME_MAX),
    ONE(arrange_edit, pose, pose_shape),
    SCALAR(CODEC_HASH, arrange_edit, snapshot),
    SCALAR(CODEC_F64, arrange_edit, score),
    SCALAR(CODEC_F64, arrange_edit, loss),
    SCALAR(CODEC_U32, arrange_edit, branches),
    SPARSE(CODEC_U32, arrange_edit, item, 0),
};
static const codec_shape edit_shape =
    SHAPE(edit, arrange_edit, edit_fields, NULL);

static const codec_field before_fields[] = {
    TEXT(arrange_before, goal, MESSAGE_TEXT_MAX),
    TEXTS(arrange_before,
          steps,
          step_count,
          ARRANGE_BEFORE_MAX,
          ARRANGE_BEFORE_BYTES),
    LIST(arrange_before, edits, edit_count, ARRANGE_BEFORE_MAX, edit_shape),
    SCALAR(CODEC_HASH, arrange_before, snapshot),
};
static const codec_shape before_shape =
    SHAPE(before, arrange_before, before_fields, NULL);

/* What a run is made of. Its defaults are arrange_config_default's, and are not
 * left out: a peer of another build may have others. */
static const codec_field config_fields[] = {
    SCALAR(CODEC_HASH, arrange_config, scene),
    TEXT(arrange_config, scene_name, MESSAGE_TEXT_MAX),
    TEXT(arrange_config, goal, MESSAGE_TEXT_MAX),
    TEXTS(arrange_config,
          steps,
          step_count,
          ARRANGE_STEPS_MAX,
          ARRANGE_INSTRUCTION_MAX),
    SCALAR(CODEC_U64, arrange_config, seed),
    SCALAR(CODEC_U32, arrange_config, branches),
    SCALAR(CODEC_U32, arrange_config, polls),
    ENUM(arrange_config, early_end, EARLY_END_OFF),
    ENUM(arrange_config, anchor, ANCHOR_HALF_DEPTH),
    SCALAR(CODEC_U32, arrange_config, max_steps),
    SCALAR(CODEC_U32, arrange_config, max_backtracks),
    SCALAR(CODEC_U64, arrange_config, max_tokens),
    SCALAR(CODEC_U64, arrange_config, max_wall_ms),
    SCALAR(CODEC_U64, arrange_config, max_cost_micros),
    SCALAR(CODEC_BOOL, arrange_config, plan_per_branch),
    SCALAR(CODEC_BOOL, arrange_config, facts),
    SCALAR(CODEC_BOOL, arrange_config, images),
    TEXT(arrange_config, model, ARRANGE_NAME_MAX),
    TEXT(arrange_config, camera, ARRANGE_NAME_MAX),
    TEXT(arrange_config, models, MODELS_JSON_MAX),
    SPARSE(CODEC_BOOL, arrange_config, paper_solver, 0),
    SPARSE(CODEC_ENUM, arrange_config, ablation, ABLATION_COUNT - 1),
    SPARSE(CODEC_BOOL, arrange_config, cameras, 0),
    SPARSE(CODEC_BOOL, arrange_config, open_list, 0),
    SCALAR(CODEC_HASH, arrange_config, start),
    SCALAR(CODEC_ID, arrange_config, after),
    SPARSE_ONE(arrange_config, before, before_shape),
    SPARSE(CODEC_BOOL, arrange_config, any_place, 0),
    TEXT(arrange_config, reader, ARRANGE_NAME_MAX),
    SPARSE(CODEC_U32, arrange_config, foreign, 0),
    SCALAR(CODEC_ID, arrange_config, batch),
    SPARSE(CODEC_U32, arrange_config, branches_at_once, 0),
    SPARSE(CODEC_BOOL, arrange_config, finish_calls, 0),
    SPARSE(CODEC_BOOL, arrange_config, step_scenes, 0),
    SPARSE(CODEC_BOOL, arrange_config, brief, 0),
    SPARSE(CODEC_BOOL, arrange_config, fronts, 0),
    SPARSE(CODEC_BOOL, arrange_config, paper_collision, 0),
    SPARSE(CODEC_BOOL, arrange_config, paper_floating, 0),
    SPARSE(CODEC_BOOL, arrange_config, forgets, 0),
    SPARSE(CODEC_U32, arrange_config, priority, 0),
    HASHES(arrange_config, lots, lot_count, ARRANGE_LOTS_MAX),
    SPARSE(CODEC_BOOL, arrange_config, furnishes, 0),
    HASHES(arrange_config, stock, stock_count, ARRANGE_STOCK_MAX),
};

static bool check_config(codec *c, const void *value);
static const codec_shape config_shape =
    SHAPE(config, arrange_config, config_fields, check_config);

/* The bounds that single rows cannot say. Each is named with its field, for
 * whoever writes a client. */
static bool check_config(codec *c, const void *value)
{
    const arrange_config *config = value;
    const struct {
        const char *field;
        bool good;
        const char *why;
    } rules[] = {
        {"scene", !etna_hash_is_zero(&config->scene), "is missing"},
        {"goal", (config->goal != NULL) != (config->step_count > 0),
         "give either a goal or steps"},
        {"branches",
         config->branches >= 1 && config->branches <= ARRANGE_BRANCHES_MAX,
         "must be 1 to 16"},
        {"branches_at_once", config->branches_at_once <= ARRANGE_BRANCHES_MAX,
         "must be at most 16"},
        {"polls", config->polls >= 1 && config->polls <= ARRANGE_POLLS_MAX,
         "must be 1 to 9"},
        {"early_end", config->early_end != 0, "no such value"},
        {"anchor", config->anchor != 0, "no such value"},
        {"max_steps",
         config->max_steps >= 1 && config->max_steps <= ARRANGE_STEPS_MAX,
         "must be 1 to 256"},
        {"max_backtracks", config->max_backtracks <= ARRANGE_MEMORY_MAX,
         "must be at most 1024"},
        {"model", config->model != NULL && *config->model, "is missing"},
        {"ablation",
         !arrange_is_single(config->ablation) || config->branches == 1,
         "a single agent has one branch a step"},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (!rules[i].good)
            return codec_refuse(c, ETNA_E_MESSAGE, &config_shape,
                                rules[i].field, rules[i].why);
    }
    return true;
}

/* ---- tasks ---- */

static const codec_field part_fields[] = {
    SCALAR(CODEC_U32, arrange_part, from),
    SCALAR(CODEC_U32, arrange_part, to),
    SCALAR(CODEC_U32, arrange_part, thing),
};
static bool check_part(codec *c, const void *value);
static const codec_shape part_shape =
    SHAPE(part, arrange_part, part_fields, check_part);

/* Bytes [from, to) of the goal. */
static bool check_part(codec *c, const void *value)
{
    const arrange_part *part = value;
    return part->from <= part->to ||
           codec_refuse(c, ETNA_E_MESSAGE, &part_shape, "from",
                        "lies behind its end");
}

static const codec_field refusal_fields[] = {
    ENUM(arrange_refusal, code, REFUSAL_CODE_COUNT - 1),
    TEXT(arrange_refusal, what, ARRANGE_REASON_MAX),
    TEXT(arrange_refusal, where, ARRANGE_NAME_MAX),
    TEXT(arrange_refusal, advice, ARRANGE_REASON_MAX),
    SCALAR(CODEC_U32, arrange_refusal, from),
    SCALAR(CODEC_U32, arrange_refusal, to),
    SCALAR(CODEC_U32, arrange_refusal, item),
    SPARSE_ONE(arrange_refusal, part, part_shape),
};
static bool check_refusal(codec *c, const void *value);
static const codec_shape refusal_shape =
    SHAPE(refusal, arrange_refusal, refusal_fields, check_refusal);

/* The same of the text that it is about. */
static bool check_refusal(codec *c, const void *value)
{
    const arrange_refusal *refusal = value;
    return refusal->from <= refusal->to ||
           codec_refuse(c, ETNA_E_MESSAGE, &refusal_shape, "from",
                        "lies behind its end");
}

/* What failed before at this place, for the planner that tries again. */
static const codec_field failure_fields[] = {
    SCALAR(CODEC_U32, arrange_failure, node),
    SCALAR(CODEC_U32, arrange_failure, branch),
    TEXT(arrange_failure, instruction, ARRANGE_INSTRUCTION_MAX),
    TEXT(arrange_failure, object, ARRANGE_NAME_MAX),
    TEXT(arrange_failure, reason, ARRANGE_REASON_MAX),
    SPARSE(CODEC_ENUM, arrange_failure, obstacle, OBSTACLE_KIND_COUNT - 1),
};
static const codec_shape failure_shape =
    SHAPE(failure, arrange_failure, failure_fields, NULL);

/* An edit that was undone since nothing followed from it. */
static const codec_field given_up_fields[] = {
    SCALAR(CODEC_U32, arrange_given_up, node),
    TEXT(arrange_given_up, instruction, ARRANGE_INSTRUCTION_MAX),
    TEXT(arrange_given_up, object, ARRANGE_NAME_MAX),
    TEXT(arrange_given_up, plane, ARRANGE_NAME_MAX),
    ONE(arrange_given_up, pose, pose_shape),
    TEXT(arrange_given_up, later, ARRANGE_REASON_MAX),
    SCALAR(CODEC_U32, arrange_given_up, later_step),
};
static const codec_shape given_up_shape =
    SHAPE(given_up, arrange_given_up, given_up_fields, NULL);

static const codec_field passed_fields[] = {
    SCALAR(CODEC_U32, arrange_passed, item),
    TEXT(arrange_passed, reason, ARRANGE_NAME_MAX),
    SPARSE_ONE(arrange_passed, part, part_shape),
};
static const codec_shape passed_shape =
    SHAPE(passed, arrange_passed, passed_fields, NULL);

/* All that a worker needs to do one task, besides blobs: it keeps nothing
 * between two. */
static const codec_field task_fields[] = {
    ENUM(arrange_task, kind, TASK_KIND_COUNT - 1),
    SCALAR(CODEC_HASH, arrange_task, scene),
    SCALAR(CODEC_HASH, arrange_task, snapshot),
    SCALAR(CODEC_U64, arrange_task, run_seed),
    SCALAR(CODEC_U32, arrange_task, node),
    SCALAR(CODEC_U32, arrange_task, step),
    SCALAR(CODEC_U32, arrange_task, branch),
    SCALAR(CODEC_U32, arrange_task, poll),
    TEXT(arrange_task, model, ARRANGE_NAME_MAX),
    TEXT(arrange_task, camera, ARRANGE_NAME_MAX),
    SCALAR(CODEC_BOOL, arrange_task, facts),
    TEXT(arrange_task, goal, MESSAGE_TEXT_MAX),
    TEXTS(arrange_task,
          steps,
          step_count,
          ARRANGE_STEPS_MAX,
          ARRANGE_INSTRUCTION_MAX),
    SCALAR(CODEC_U32, arrange_task, max_steps),
    LIST(arrange_task, edits, edit_count, ARRANGE_STEPS_MAX, edit_shape),
    LIST(arrange_task,
         failures,
         failure_count,
         ARRANGE_MEMORY_MAX,
         failure_shape),
    LIST(arrange_task,
         given_up,
         given_up_count,
         ARRANGE_MEMORY_MAX,
         given_up_shape),
    SCALAR(CODEC_HASH, arrange_task, first_snapshot),
    TEXT(arrange_task, instruction, ARRANGE_INSTRUCTION_MAX),
    NAMED("coordinate_x", CODEC_F64, arrange_task, coordinate[0]),
    NAMED("coordinate_y", CODEC_F64, arrange_task, coordinate[1]),
    SCALAR(CODEC_BOOL, arrange_task, coordinate_is_bottom),
    TEXT(arrange_task, object, ARRANGE_NAME_MAX),
    SCALAR(CODEC_HASH, arrange_task, after),
    TEXT(arrange_task, planes, ARRANGE_REASON_MAX),
    SCALAR(CODEC_U32, arrange_task, width),
    TEXT(arrange_task, models, MODELS_JSON_MAX),
    SPARSE(CODEC_BOOL, arrange_task, paper_solver, 0),
    SPARSE(CODEC_ENUM, arrange_task, ablation, ABLATION_COUNT - 1),
    SPARSE(CODEC_BOOL, arrange_task, cameras, 0),
    SPARSE(CODEC_BOOL, arrange_task, open_list, 0),
    SCALAR(CODEC_HASH, arrange_task, start),
    SPARSE_ONE(arrange_task, before, before_shape),
    SPARSE(CODEC_BOOL, arrange_task, any_place, 0),
    TEXT(arrange_task, meaning, ARRANGE_MEANING_MAX),
    SPARSE(CODEC_ENUM, arrange_task, coordinates, COORDINATES_COUNT - 1),
    SPARSE(CODEC_F64, arrange_task, elsewhere, 0),
    SPARSE(CODEC_BOOL, arrange_task, brief, 0),
    SPARSE(CODEC_BOOL, arrange_task, fronts, 0),
    SPARSE(CODEC_BOOL, arrange_task, paper_collision, 0),
    SPARSE(CODEC_BOOL, arrange_task, paper_floating, 0),
    LIST(arrange_task, passed, passed_count, ARRANGE_STEPS_MAX, passed_shape),
    SPARSE(CODEC_BOOL, arrange_task, any_camera, 0),
    SPARSE(CODEC_BOOL, arrange_task, reader_asked, 0),
};

static bool check_task(codec *c, const void *value);
static const codec_shape task_shape =
    SHAPE(task, arrange_task, task_fields, check_task);

/* Every task is done in a scene. */
static bool check_task(codec *c, const void *value)
{
    const arrange_task *task = value;
    if (task->kind == TASK_NONE)
        return codec_refuse(c, ETNA_E_MESSAGE, &task_shape, "kind",
                            "is missing");
    return !etna_hash_is_zero(&task->scene) ||
           codec_refuse(c, ETNA_E_MESSAGE, &task_shape, "scene", "is missing");
}

/* ---- results ---- */

static const codec_field obstacle_fields[] = {
    SPARSE(CODEC_ENUM, arrange_obstacle, kind, OBSTACLE_KIND_COUNT - 1),
    TEXT(arrange_obstacle, plane, ARRANGE_NAME_MAX),
    TEXTS(arrange_obstacle,
          others,
          other_count,
          ARRANGE_OBSTACLE_OTHERS,
          ARRANGE_NAME_MAX),
};
static const codec_shape obstacle_shape =
    SHAPE(obstacle, arrange_obstacle, obstacle_fields, NULL);

#define TRIES(name_, status_) \
    SPARSE_NAMED(name_, CODEC_U32, arrange_result, tries[status_], 0)

/* One struct for all kinds; arrange_check_result says which members a kind must
 * have. */
static const codec_field result_fields[] = {
    ENUM(arrange_result, kind, TASK_KIND_COUNT - 1),
    ONE(arrange_result, used, message_usage_shape),
    SCALAR(CODEC_HASH, arrange_result, snapshot),
    SCALAR(CODEC_U32, arrange_result, object_count),
    SCALAR(CODEC_U32, arrange_result, movable_count),
    TEXTS(arrange_result,
          warnings,
          warning_count,
          ARRANGE_WARNINGS_MAX,
          ARRANGE_REASON_MAX),
    ENUM(arrange_result, plan_status, PLAN_MALFORMED),
    TEXT(arrange_result, instruction, ARRANGE_INSTRUCTION_MAX),
    NAMED("coordinate_x", CODEC_F64, arrange_result, coordinate[0]),
    NAMED("coordinate_y", CODEC_F64, arrange_result, coordinate[1]),
    SCALAR(CODEC_BOOL, arrange_result, coordinate_is_bottom),
    TEXT(arrange_result, reason, ARRANGE_REASON_MAX),
    ENUM(arrange_result, branch_status, BRANCH_REPEATED),
    TEXT(arrange_result, object, ARRANGE_NAME_MAX),
    TEXT(arrange_result, plane, ARRANGE_NAME_MAX),
    ONE(arrange_result, pose, pose_shape),
    SCALAR(CODEC_F64, arrange_result, loss),
    SCALAR(CODEC_U32, arrange_result, candidates),
    SCALAR(CODEC_U32, arrange_result, survivors),
    SCALAR(CODEC_U32, arrange_result, collision_checks),
    TEXT(arrange_result, constraints, ARRANGE_CONSTRAINTS_MAX),
    ENUM(arrange_result, verdict, VERDICT_EXCELLENT),
    SCALAR(CODEC_HASH, arrange_result, blob),
    TEXT(arrange_result, camera, ARRANGE_NAME_MAX),
    SPARSE(CODEC_U32, arrange_result, item, 0),
    ONE(arrange_result, refusal, refusal_shape),
    TEXT(arrange_result, meaning, ARRANGE_MEANING_MAX),
    SPARSE_ONE(arrange_result, obstacle, obstacle_shape),
    SPARSE(CODEC_ENUM, arrange_result, coordinates, COORDINATES_COUNT - 1),
    SPARSE(CODEC_F64, arrange_result, elsewhere, 0),
    SPARSE_ONE(arrange_result, part, part_shape),
    TRIES("tries_malformed", BRANCH_MALFORMED),
    TRIES("tries_unsolved", BRANCH_UNSOLVED),
    TRIES("tries_collision", BRANCH_COLLISION),
    TRIES("tries_floating", BRANCH_FLOATING),
    SPARSE(CODEC_BOOL, arrange_result, makes_way, 0),
};

static bool arrange_check_result(codec *c, const void *value);
static const codec_shape result_shape =
    SHAPE(result, arrange_result, result_fields, arrange_check_result);

/* What a result of its kind cannot do without, so that the core never acts on
 * half of one. */
static bool arrange_check_result(codec *c, const void *value)
{
    const arrange_result *result = value;
    const struct {
        const char *field;
        uint32_t kind;
        bool good;
    } rules[] = {
        {"kind", result->kind, result->kind != TASK_NONE},
        {"snapshot", TASK_IMPORT, !etna_hash_is_zero(&result->snapshot)},
        {"plan_status", TASK_PLAN, result->plan_status != 0},
        {"instruction", TASK_PLAN,
         result->plan_status != PLAN_EDIT || result->instruction},
        {"branch_status", TASK_BRANCH, result->branch_status != 0},
        {"snapshot", TASK_BRANCH,
         result->branch_status != BRANCH_VALID ||
             !etna_hash_is_zero(&result->snapshot)},
        {"object", TASK_BRANCH,
         result->branch_status != BRANCH_VALID || result->object},
        {"blob", TASK_RENDER, !etna_hash_is_zero(&result->blob)},
        {"blob", TASK_EXPORT, !etna_hash_is_zero(&result->blob)},
        {"blob", TASK_ASSET, !etna_hash_is_zero(&result->blob)},
        {"blob", TASK_FURNISH, !etna_hash_is_zero(&result->blob)},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (rules[i].kind == result->kind && !rules[i].good)
            return codec_refuse(c, ETNA_E_MESSAGE, &result_shape,
                                rules[i].field, "is missing");
    }
    return true;
}

const codec_shape *const arrange_shapes[] = {&config_shape,
                                             &pose_shape,
                                             &edit_shape,
                                             &failure_shape,
                                             &given_up_shape,
                                             &task_shape,
                                             &result_shape,
                                             &refusal_shape,
                                             &before_shape,
                                             &obstacle_shape,
                                             &passed_shape,
                                             &part_shape,
                                             NULL};

etna_code arrange_config_pack(const arrange_config *in,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err)
{
    return codec_pack_shape(&config_shape, in, MESSAGE_PAYLOAD_MAX, ret_data,
                            ret_size, err);
}

/* Members that are missing have their defaults. */
etna_code arrange_config_unpack(const uint8_t *data,
                                size_t size,
                                etna_arena *arena,
                                arrange_config *ret,
                                etna_error *err)
{
    arrange_config config = arrange_config_default();
    etna_code code = codec_unpack_shape(
        &config_shape, data, size, MESSAGE_PAYLOAD_MAX, arena, &config, err);
    if (!code)
        *ret = config;
    return code;
}

etna_code arrange_task_pack(const arrange_task *in,
                            uint8_t **ret_data,
                            size_t *ret_size,
                            etna_error *err)
{
    return codec_pack_shape(&task_shape, in, MESSAGE_PAYLOAD_MAX, ret_data,
                            ret_size, err);
}

/* Without the bytes. */
etna_code arrange_task_size(const arrange_task *in,
                            size_t *ret_size,
                            etna_error *err)
{
    return codec_size_shape(&task_shape, in, ret_size, err);
}

/* Members that are missing are 0 or NULL. */
etna_code arrange_task_unpack(const uint8_t *data,
                              size_t size,
                              etna_arena *arena,
                              arrange_task *ret,
                              etna_error *err)
{
    arrange_task task = {0};
    etna_code code = codec_unpack_shape(&task_shape, data, size,
                                        MESSAGE_PAYLOAD_MAX, arena, &task, err);
    if (!code)
        *ret = task;
    return code;
}

etna_code arrange_result_pack(const arrange_result *in,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err)
{
    return codec_pack_shape(&result_shape, in, MESSAGE_PAYLOAD_MAX, ret_data,
                            ret_size, err);
}

/* The same. */
etna_code arrange_result_unpack(const uint8_t *data,
                                size_t size,
                                etna_arena *arena,
                                arrange_result *ret,
                                etna_error *err)
{
    arrange_result result = {0};
    etna_code code = codec_unpack_shape(
        &result_shape, data, size, MESSAGE_PAYLOAD_MAX, arena, &result, err);
    if (!code)
        *ret = result;
    return code;
}
