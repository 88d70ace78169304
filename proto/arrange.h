/* The arrange method's payloads as plain structs (arrange.proto): what a run is
 * configured with, what a task says, what a result says. To every room but the
 * method's own they are opaque bytes plus a kind. The core fills and reads the
 * structs; packing happens in the shell and in the worker. All pointers live in
 * an arena of the holder's. Units: metres, radians for yaw in here, world frame
 * (right-handed, Z up). Pixels are normalised, (0,0) top left. */
#ifndef ETNA_PROTO_ARRANGE_H
#define ETNA_PROTO_ARRANGE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "proto/seed.h"

typedef enum task_kind {
    TASK_NONE = 0,
    /* scene bundle -> base snapshot, object count, the run's camera */
    TASK_IMPORT,
    /* planner's conversation: the next instruction and coordinate */
    TASK_PLAN,
    /* executor conversation, solve, settle, check, render, snapshot */
    TASK_BRANCH,
    /* one evaluator's verdict on a branch */
    TASK_POLL,
    /* the benchmark judge; no task of a run */
    TASK_JUDGE,
    TASK_RENDER,  /* snapshot -> image blob */
    TASK_EXPORT,  /* snapshot -> glTF blob */
    TASK_READ,    /* goal or instructions -> predicates, by a text model */
    TASK_ASSET,   /* a lot of models -> what is known of each, one blob */
    TASK_FURNISH, /* an index of models and a brief -> a room, one blob */
    TASK_KIND_COUNT
} task_kind;

enum {
    ARRANGE_PRIORITY_MAX = 9,
    ARRANGE_STEPS_MAX = 256, /* instructions of a list, edits of a sequence */
    ARRANGE_BRANCHES_MAX = 16,
    ARRANGE_POLLS_MAX = 9,
    /* failed branches or given-up edits a plan request carries */
    ARRANGE_MEMORY_MAX = 1024,
    ARRANGE_INSTRUCTION_MAX = 2048, /* bytes */
    ARRANGE_REASON_MAX = 1024,      /* bytes */
    ARRANGE_NAME_MAX = 255,         /* bytes of an object's or plane's name */
    /* of an import, each of at most ARRANGE_REASON_MAX bytes */
    ARRANGE_WARNINGS_MAX = 64,
    /* bytes of an executor's accepted JSON */
    ARRANGE_CONSTRAINTS_MAX = 16 << 10,
    /* instructions and edits that are told of an earlier run */
    ARRANGE_BEFORE_MAX = 64,
    /* of a run that reads models or furnishes rooms */
    ARRANGE_LOTS_MAX = 1024,
    ARRANGE_STOCK_MAX = 8192, /* models that rooms are furnished with */
    /* bytes of what a reader made of a goal */
    ARRANGE_MEANING_MAX = 16 << 10,
    ARRANGE_BEFORE_BYTES = 512, /* of each of these texts */
    /* `poll` of a PLAN by which the built-in agent measures whether the goal
     * holds: it plans nothing */
    ARRANGE_PLAN_MEASURES = 1
};

/* When a step's branches are judged no further. */
typedef enum arrange_early_end {
    /* the first branch that all polls call good or excellent is taken at
     * once */
    EARLY_END_FIRST = 1,
    /* as FIRST, but only when every branch of a lower number has been judged:
     * the result is the same whoever was faster */
    EARLY_END_ORDERED,
    /* all branches are judged */
    EARLY_END_OFF
} arrange_early_end;
typedef enum arrange_anchor {
    ANCHOR_HALF_ANCHOR = 1,
    ANCHOR_HALF_DEPTH
} arrange_anchor; /* METHODS.md 2, Failed */
/* What is taken away to see what it is worth (VULCAN table 3); arrange.proto
 * says what each does. */
typedef enum arrange_ablation {
    ABLATION_NONE = 0,
    ABLATION_SINGLE_AGENT,
    ABLATION_NO_BACKTRACKING,
    ABLATION_NO_PLANNER_COORDINATE,
    ABLATION_NO_TOOL_LIBRARY,
    ABLATION_NO_MCP_TOOLS,
    ABLATION_BASIC,
    ABLATION_BASIC_3,
    ABLATION_COUNT
} arrange_ablation;
typedef enum arrange_verdict { /* value - 3 is the score of METHODS.md 2 */
    VERDICT_ABSTAIN = 0,
    VERDICT_TERRIBLE = 1,
    VERDICT_BAD,
    VERDICT_FAIR,
    VERDICT_GOOD,
    VERDICT_EXCELLENT
} arrange_verdict;

/* what a model counts image coordinates in */
typedef enum arrange_coordinates {
    COORDINATES_UNKNOWN = 0,
    /* 0 to 1, as it is asked to */
    COORDINATES_SHARES,
    COORDINATES_THOUSANDTHS,
    COORDINATES_PIXELS,
    COORDINATES_PERCENT,
    /* [y, x], as Gemini points */
    COORDINATES_THOUSANDTHS_Y_FIRST,
    COORDINATES_COUNT
} arrange_coordinates;

typedef struct arrange_pose { /* an object's pose: METHODS.md 1 */
    double position[3];       /* centre of its box */
    /* heading's angle from -Y, counter-clockwise from above, radians */
    double yaw;
} arrange_pose;

/* An accepted edit, as later prompts tell of it. */
typedef struct arrange_edit {
    uint32_t step; /* from 1 */
    const char *instruction, *object, *plane;
    arrange_pose pose;
    etna_hash snapshot; /* after the edit */
    double score;       /* mean verdict, -2..2 */
    double loss;
    uint32_t branches; /* branches judged or failed at that step */
    /* of a list: the instruction it serves, from 1; 0: not said */
    uint32_t item;
} arrange_edit;

/* What an earlier run did, for one that goes on from its end: what "it", "back"
 * and "a bit more" speak of. */
typedef struct arrange_before {
    const char *goal; /* what it was told; or */
    uint32_t step_count, edit_count;
    /* its first instructions, at most ARRANGE_BEFORE_MAX of at most
     * ARRANGE_BEFORE_BYTES each; longer ones are cut */
    const char *const *steps;
    /* its last edits, at most as many; their instructions are cut alike */
    const arrange_edit *edits;
    etna_hash snapshot; /* that it began with */
    /* what it moved, by itself or with something, and where that stood before:
     * a worker finds it */
    uint32_t moved_count;
    const arrange_edit *moved; /* `object` and `pose` alone */
} arrange_before;

/* What a run is configured with. Numbers that begin a comment are the
 * defaults. */
typedef struct arrange_config {
    etna_hash scene;        /* the scene bundle's blob (worker/gltf/bundle.h) */
    const char *scene_name; /* as the user typed it; for reports only */
    const char *goal;       /* general goal, or NULL when steps are given */
    uint32_t step_count;
    const char *const *steps; /* per-step instructions */
    uint64_t seed;
    uint32_t branches;  /* 4 */
    uint32_t polls;     /* 3 */
    uint32_t early_end; /* arrange_early_end */
    uint32_t anchor;    /* arrange_anchor */
    /* s_max: 6 for a goal; for a list that is not open its length */
    uint32_t max_steps;
    uint32_t max_backtracks;  /* 8 */
    uint64_t max_tokens;      /* on `used`; 0: none */
    uint64_t max_wall_ms;     /* 0: none */
    uint64_t max_cost_micros; /* on `spent`; 0: none */
    bool plan_per_branch;     /* one planner call per branch */
    bool facts;               /* send facts to network models too */
    /* with facts: to network models only the brief ones */
    bool brief;
    /* the fronts of furniture are drawn in pictures as arrows */
    bool fronts;
    bool images;        /* render the step images at the end */
    const char *model;  /* "builtin", ... */
    const char *camera; /* name, index, "auto" or NULL */
    /* canonical JSON of proto/models.h for what `model` and the roles name;
     * NULL: builtin only */
    const char *models;
    bool paper_solver; /* the published solver without our additions */
    /* arrange_ablation; SINGLE_AGENT has one branch a step */
    uint32_t ablation;
    /* executor and evaluators may ask for other named cameras */
    bool cameras;
    bool any_place; /* places need not be in reach of a hand */
    /* an instruction may take several edits or none; the planner says when all
     * are done */
    bool open_list;
    /* the snapshot it begins with; zero: the scene as its file has it */
    etna_hash start;
    etna_id after;         /* the run that ended there */
    arrange_before before; /* what that run did */
    /* the text model that reads the goal before the first plan; NULL: the
     * planner reads it */
    const char *reader;
    /* of a step: the next ones are tried when all of these failed; 0: all at
     * once */
    uint32_t branches_at_once;
    /* calls that nobody waits for any more are let finish; else what they cost
     * is estimated */
    bool finish_calls;
    /* export the scene after every kept edit, not after the last alone */
    bool step_scenes;
    bool paper_collision, paper_floating; /* by VULCAN's rules, not by ours */
    /* steps are told nothing of what failed or was given up there before */
    bool forgets;
    /* 1 << etna_role for each that a network model plays: its answers may be
     * unreadable, and what it refuses is its opinion */
    uint32_t foreign;
    /* that it is of: within it the oldest run goes first; zero: a run by
     * itself */
    etna_id batch;
    /* its tasks go before those of lower ones, 0..ARRANGE_PRIORITY_MAX */
    uint32_t priority;
    /* Of a run that arranges nothing and reads models (worker/assets/lot.h):
     * the blobs of its lots, each an ASSET task. The scene is the first, and
     * the goal only says for people what is read. */
    uint32_t lot_count;
    const etna_hash *lots;
    /* Of a run whose lots are briefs (worker/cli/furnish_lot.h), each a FURNISH
     * task: the scene is the index that models are found by, and the stock the
     * blobs of those that may be wanted. */
    bool furnishes;
    uint32_t stock_count;
    const etna_hash *stock;
} arrange_config;

arrange_config arrange_config_default(void);

typedef enum arrange_refusal_code {
    REFUSAL_NONE = 0,
    REFUSAL_UNREAD,     /* a part of the sentence could not be read */
    REFUSAL_UNKNOWN,    /* it names something that the scene does not have */
    REFUSAL_AMBIGUOUS,  /* it fits several things or places */
    REFUSAL_IMPOSSIBLE, /* it was understood and nobody could do it */
    REFUSAL_NO_PLACE,   /* there is no free place that meets it */
    REFUSAL_MODEL,      /* a model's answers could not be used */
    REFUSAL_LIMIT,      /* a cap was reached */
    REFUSAL_INTERNAL,   /* a task could not be done at all */
    REFUSAL_CODE_COUNT
} arrange_refusal_code;

/* Bytes [from, to) of a goal that ask for one thing, where it asks for several;
 * equal: not said. */
typedef struct arrange_part {
    uint32_t from, to;
    /* of several things that it asks for alike the one that is meant, by its
     * number in the scene, from 1; 0: all of them */
    uint32_t thing;
} arrange_part;

/* Why a goal was refused or a step failed: a kind and its arguments, so that
 * nobody has to look into a text for it. */
typedef struct arrange_refusal {
    /* arrange_refusal_code; NONE: there is none, and the rest means nothing */
    uint32_t code;
    const char *what;   /* what stands in the way, <= ARRANGE_REASON_MAX */
    const char *where;  /* a thing, a place, a part, <= ARRANGE_NAME_MAX; "" */
    const char *advice; /* what to do, <= ARRANGE_REASON_MAX; "" */
    /* bytes [from, to) of the goal, or of the list's instruction `item`; equal:
     * of none */
    uint32_t from, to;
    uint32_t item;     /* of a list, from 1; 0: not said */
    arrange_part part; /* of a goal: what the rest of it can be done without */
} arrange_refusal;

/* What kept a branch from a pose, as the solver and the checks know it: a kind
 * and its arguments. */
typedef enum arrange_obstacle_kind {
    OBSTACLE_NONE = 0,
    /* a constraint that no pose meets; the reason says which */
    OBSTACLE_CONSTRAINT,
    OBSTACLE_TOO_WIDE, /* the object's bottom is larger than the plane */
    /* it would hang over the plane's edge, or over a gap in it */
    OBSTACLE_EDGE,
    OBSTACLE_TAKEN,     /* `others` are in the way */
    OBSTACLE_UNSTEADY,  /* it would not stand firmly itself */
    OBSTACLE_BURDEN,    /* `others` would be left without support */
    OBSTACLE_UNREACHED, /* no free way leads there */
    OBSTACLE_KIND_COUNT
} arrange_obstacle_kind;

enum {
    ARRANGE_OBSTACLE_OTHERS = 5
};

typedef struct arrange_obstacle {
    /* arrange_obstacle_kind; NONE: nothing is known, and the rest means
     * nothing */
    uint32_t kind;
    /* TOO_WIDE, EDGE: its name, <= ARRANGE_NAME_MAX; else "" */
    const char *plane;
    /* TAKEN, BURDEN: at most ARRANGE_OBSTACLE_OTHERS, the worst first */
    uint32_t other_count;
    const char *const *others; /* names of objects, <= ARRANGE_NAME_MAX */
} arrange_obstacle;

/* A branch that failed at this step before: the memory part of a plan
 * request. */
typedef struct arrange_failure {
    uint32_t node, branch;
    const char *instruction, *object, *reason;
    /* arrange_obstacle_kind; NONE: the reason is all that is known */
    uint32_t obstacle;
} arrange_failure;

/* An instruction of a list, or a part of a goal, that could not be read or
 * done, and was passed over. */
typedef struct arrange_passed {
    /* of a list, from 1; of a goal, the how many-th it was */
    uint32_t item;
    const char *reason; /* <= ARRANGE_NAME_MAX bytes */
    arrange_part part;  /* of a goal */
} arrange_passed;

/* An edit accepted at this step before and given up by backtracking, and what
 * failed later because of it. */
typedef struct arrange_given_up {
    uint32_t node;
    const char *instruction, *object, *plane;
    arrange_pose pose;
    const char *later; /* why a later step failed */
    /* which; 0: it was an instruction of a list, passed over since */
    uint32_t later_step;
} arrange_given_up;

/* What a worker is told. `kind` says which members mean something: a comment
 * that begins with kinds names them, and "as the config's" means copied from
 * there. */
typedef struct arrange_task {
    uint32_t kind;   /* task_kind */
    etna_hash scene; /* bundle; ASSET: the lot; FURNISH: the index */
    /* S_{k-1}; zero for IMPORT; FURNISH: the brief */
    etna_hash snapshot;
    uint64_t run_seed;
    uint32_t node, step, branch, poll;
    const char *model, *camera;
    const char *models;        /* as the config's */
    bool facts, brief, fronts; /* as the config's */
    bool paper_solver;         /* BRANCH: as the config's */
    uint32_t ablation;         /* arrange_ablation */
    bool cameras;
    /* no camera was asked for by name: PLAN and BRANCH of a single agent may
     * choose one for their step, RENDER one that shows its edit */
    bool any_camera;
    /* PLAN, BRANCH and POLL: as the config's */
    bool any_place;
    bool paper_collision, paper_floating; /* BRANCH and POLL: as the config's */
    /* PLAN, BRANCH of a single agent; IMPORT too, to choose the camera by what
     * the instruction names */
    const char *goal; /* general mode, else NULL */
    bool open_list;   /* as the config's; `step` then says no instruction */
    uint32_t step_count;
    /* per-step mode: all instructions; `step` counts those that were not passed
     * over */
    const char *const *steps;
    uint32_t passed_count;
    /* PLAN, BRANCH of a single agent: what was, in the order of the text */
    const arrange_passed *passed;
    uint32_t max_steps;
    uint32_t edit_count;
    const arrange_edit *edits; /* of S_0..S_{k-1}, in order */
    uint32_t failure_count;
    const arrange_failure *failures; /* in (node, branch) order */
    uint32_t given_up_count;
    /* also BRANCH: poses to avoid, and what `repeated` means */
    const arrange_given_up *given_up;
    etna_hash first_snapshot; /* S_0 */
    /* IMPORT, PLAN, BRANCH, POLL: as the config's */
    etna_hash start;
    /* PLAN, READ, BRANCH of a single agent: as the config's */
    arrange_before before;
    /* PLAN, BRANCH of a single agent: what READ made of the goal, JSON; NULL:
     * nothing */
    const char *meaning;
    bool reader_asked; /* the same: without a meaning in vain */
    /* BRANCH, POLL */
    const char *instruction;
    double coordinate[2];
    bool coordinate_is_bottom;
    /* POLL: the moved object; RENDER: the object annotated, or NULL */
    const char *object;
    /* POLL, RENDER: the snapshot after the edit (RENDER annotates snapshot ->
     * after; zero, or with `step` 0: clean, seen as that edit is) */
    etna_hash after;
    const char *planes; /* POLL: the plane it was put on */
    double elsewhere;   /* POLL: as the result's */
    uint32_t width;     /* RENDER: pixels of the long side, 0: 1024 */
    /* PLAN, BRANCH: arrange_coordinates, what the run's answers showed so
     * far */
    uint32_t coordinates;
} arrange_task;

typedef enum arrange_plan_status {
    /* `instruction` is the next edit */
    PLAN_EDIT = 1,
    /* nothing is left to do */
    PLAN_FINISHED,
    /* it was understood, and nobody could do it */
    PLAN_IMPOSSIBLE,
    /* the goal could not be understood at all: the run is refused */
    PLAN_UNREADABLE,
    /* the planner's answers could not be read: the step fails */
    PLAN_MALFORMED
} arrange_plan_status;

typedef enum arrange_branch_status {
    /* a pose was found that passes all checks: it is worth judging */
    BRANCH_VALID = 1,
    BRANCH_MALFORMED, /* the executor's answer could not be read */
    BRANCH_UNSOLVED,  /* the constraints have no solution */
    BRANCH_COLLISION, /* all survivors collide */
    BRANCH_FLOATING,  /* the edit leaves something unsupported */
    BRANCH_REPEATED   /* equals a given-up edit */
} arrange_branch_status;

typedef struct arrange_result {
    /* task_kind; tells which of the fields below mean something */
    uint32_t kind;
    /* the accepted replies of the model calls of this task */
    message_usage used;
    /* IMPORT */
    etna_hash snapshot; /* S_0; BRANCH: the snapshot after the edit */
    uint32_t object_count, movable_count;
    uint32_t warning_count;
    const char *const *warnings;
    /* IMPORT: the camera chosen on S_0 for the run (a name, or "auto"); every
     * later task carries it. PLAN, BRANCH of a single agent: one of its own for
     * this step, which its branches and polls carry; NULL: the run's shows what
     * the step names as well */
    const char *camera;
    /* PLAN, BRANCH of a single agent */
    uint32_t plan_status; /* arrange_plan_status */
    const char *instruction;
    double coordinate[2];
    bool coordinate_is_bottom;
    /* of a list: the instruction the edit serves, from 1; 0: not said */
    uint32_t item;
    arrange_part part;    /* of a goal: the part that it serves */
    bool makes_way;       /* it only makes way for what is asked for */
    uint32_t coordinates; /* arrange_coordinates: what this plan's showed */
    /* why impossible or unreadable, where the planner says it in parts */
    arrange_refusal refusal;
    /* PLAN: why finished, impossible, unreadable; BRANCH: why failed; POLL:
     * visual_exam text */
    const char *reason;
    /* BRANCH */
    uint32_t branch_status; /* arrange_branch_status */
    const char *object, *plane;
    arrange_pose pose;
    double loss;
    uint32_t candidates, survivors, collision_checks;
    /* the accepted JSON array, as the executor wrote it */
    const char *constraints;
    /* VALID: how far from the pixel asked for, in widths and heights of the
     * image; 0: near it */
    double elsewhere;
    arrange_obstacle obstacle; /* not VALID: what `reason` says, as data */
    /* by arrange_branch_status from MALFORMED to FLOATING: how often the
     * executor's constraints came to that, in the last try of a branch that
     * failed, too */
    uint32_t tries[BRANCH_REPEATED];
    /* READ */
    /* JSON (worker/builtin/read/predicates.h); NULL: nothing that can be used,
     * `reason` says why */
    const char *meaning;
    /* POLL */
    uint32_t verdict; /* arrange_verdict */
    /* RENDER, EXPORT, ASSET, FURNISH */
    etna_hash blob; /* an address; a replay compares that of FURNISH alone */
} arrange_result;

/* Packing and bounded, validated unpacking, as message.h promises. What is
 * packed is malloc'd and the caller's; what is unpacked lives in the arena.
 * Errors: ETNA_E_MESSAGE, ETNA_E_LIMIT, ETNA_E_NOMEM; outputs are untouched
 * then. */
etna_code arrange_config_pack(const arrange_config *in,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err);
etna_code arrange_config_unpack(const uint8_t *data,
                                size_t size,
                                etna_arena *arena,
                                arrange_config *ret,
                                etna_error *err);
/* How many bytes packing it would give. */
etna_code arrange_task_size(const arrange_task *in,
                            size_t *ret_size,
                            etna_error *err);
etna_code arrange_task_pack(const arrange_task *in,
                            uint8_t **ret_data,
                            size_t *ret_size,
                            etna_error *err);
etna_code arrange_task_unpack(const uint8_t *data,
                              size_t size,
                              etna_arena *arena,
                              arrange_task *ret,
                              etna_error *err);
etna_code arrange_result_pack(const arrange_result *in,
                              uint8_t **ret_data,
                              size_t *ret_size,
                              etna_error *err);
etna_code arrange_result_unpack(const uint8_t *data,
                                size_t size,
                                etna_arena *arena,
                                arrange_result *ret,
                                etna_error *err);

/* An instruction is for models and people and may be any text. The built-in
 * planner's first line moves one thing, named in quotes, to a place; each
 * further line names a place that will do as well:
 *
 *   Put "Mug" on "Chair" at (1, 2, 3)
 *   or on "Desk" at (4, 5, 6).
 *
 * The bytes of its first line, which is what people see of it; NULL: 0. */
size_t arrange_instruction_shown(const char *instruction);

typedef struct arrange_instruction_place {
    size_t head_length; /* bytes of `Put "Mug"`, where the instruction begins */
    const char *text;   /* `on "Desk" at (4, 5, 6)`, within the instruction */
    size_t length;      /* bytes of it */
    const char *stop;   /* the full stop that `text` lacks, or "" */
} arrange_instruction_place;

/* The further place that an edit took. False, *ret untouched: it took the place
 * of the first line, or the instruction names no such place. */
bool arrange_instruction_place_of(const arrange_edit *edit,
                                  arrange_instruction_place *ret);

/* Names for people and for JSON, of a number from anywhere; static. */
const char *task_kind_name(uint32_t kind);
const char *arrange_verdict_name(uint32_t verdict);
/* "shares", "thousandths", ...; "unknown" */
const char *arrange_coordinates_name(uint32_t coordinates);
const char *arrange_branch_status_name(uint32_t status);
const char *arrange_refusal_name(uint32_t code);  /* "unread", ...; "none" */
const char *arrange_obstacle_name(uint32_t kind); /* "taken", ...; "none" */
/* as --ablation takes it: "single-agent", ...; "none" */
const char *arrange_ablation_name(uint32_t ablation);
/* An agent with basic functions alone: it writes poses, and nothing is solved
 * or checked. */
static inline bool arrange_is_basic(uint32_t ablation)
{
    return ablation == ABLATION_BASIC || ablation == ABLATION_BASIC_3;
}
/* One agent plans and carries out in one conversation, one branch a step, and
 * nobody judges. */
static inline bool arrange_is_single(uint32_t ablation)
{
    return ablation == ABLATION_SINGLE_AGENT || arrange_is_basic(ablation);
}

#endif
