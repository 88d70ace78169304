/* `etna run`: arrange a scene. */
#include "coordinator/cli/after.h"
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/cli/remote.h"
#include "coordinator/cli/runner.h"
#include "coordinator/cli/steps.h"
#include "coordinator/cli/submit.h"
#include "coordinator/report/output.h"
#include "proto/arrange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char help[] =
    "usage: etna run SCENE (--goal TEXT | --steps FILE) [OPTION...]\n"
    "       etna run --after RUN (--goal TEXT | --steps FILE) [OPTION...]\n"
    "Arranges the scene by the goal, or by FILE's instructions, one a line. The scene itself is never changed.\n\n"
    "      --after RUN      begin where that run ended: \"it\", \"back\" and \"a bit more\" speak of what it did\n"
    "  -o, --output DIR     write result.glb, report.html, run.json and the step images there\n"
    "      --json           print the run as one JSON document\n"
    "      --model NAME     builtin (the default): a rule-based agent that needs no model; else one of the list of models\n"
    "      --models FILE    that list ($ETNA_MODELS, else share/etna/models.yaml of this installation)\n"
    "      --reader NAME    a text model of that list reads the sentence before the first plan, in any language; no picture\n"
    "      --camera C       a camera's name or number, auto, cutaway, top or orbit:AZ,EL\n"
    "      --all-cameras    executor and evaluators may ask for the scene's other cameras, too\n"
    "      --seed S         seed of every random choice (0)\n"
    "      --early-end M    ordered (reproducible; the default with builtin), first (whoever is done first; the default with\n"
    "                       a network model), off\n"
    "      --branches N     branches a step (4)\n"
    "      --polls N        evaluators a branch (3)\n"
    "      --max-steps N    most edits (builtin: 24, which it counts beforehand; else 6, and a list's length)\n"
    "      --backtracks N   most backtracks (8)\n"
    "      --anchor A       half-anchor (default) or half-depth\n"
    "      --plan-per-branch    one planner call a branch\n"
    "      --facts on|off   facts for network models, too (off)\n"
    "      --reach on|off   off: things may be put where no hand could bring them, as in a closed cupboard\n"
    "      --paper-solver   the published solver without our additions: it looks no further when all it tried collide\n"
    "      --ablation A     take a part of the method away: single-agent, no-backtracking, no-planner-coordinate,\n"
    "                       no-tool-library or no-mcp-tools\n"
    "      --no-images      no step images\n"
    "      --max-tokens N   end when the run used so many tokens (builtin's count, too, though they cost nothing)\n"
    "      --max-cost M     end before the run has spent more, in the list's currency (2.50)\n"
    "      --max-wall S     end after so many seconds (also --timeout)\n"
    "      --unit M         metres per unit of the file; --up Y|Z: its up axis\n"
    "      --workers N      worker processes (one per 8 CPUs, at least 2)\n"
    "      --mesh-memory MIB    how much a worker may take for what is made of a scene's meshes ($ETNA_MESH_MEMORY, 4096)\n"
    "      --connect URL    let the coordinator at URL run it\n"
    "      --wait S         with --connect: how long to wait for a coordinator that is being restarted (600)\n"
    "      --store DIR      where runs are kept\n"
    "A store has one owner: while another process has it, that one runs this, too, and when it ends, this one takes over.\n";

static const char submit_help[] =
    "usage: etna submit SCENE (--goal TEXT | --steps FILE) [OPTION...]\n"
    "       etna submit --after RUN (--goal TEXT | --steps FILE) [OPTION...]\n"
    "Hands a run to the coordinator at --connect URL, else to who owns the store, else to the store's next coordinator, prints\n"
    "its name and returns. Then: etna attach RUN, etna fetch RUN -o DIR, etna cancel RUN. The options are those of\n"
    "`etna run` but --output and --workers.\n";

enum { BUILTIN_STEPS = 24 };

typedef struct run_arguments {
    arrange_config config;
    const char *scene, *after, *steps_file, *unit, *up, *connect, *models; /* scene NULL: that of the run after which */
    uint32_t max_steps, branches, early_end, mesh_memory;                  /* 0: not said */
    uint32_t wait_s;
    bool is_submit; /* `etna submit`: the run is left to who carries it */
    bool no_images;
    runner_options runner;
} run_arguments;

/* *ret is the number of the name, from 1. */
static etna_code cmd_run_choose(const char *flag, const char *text, const char *const *names, uint32_t count,
                                uint32_t *ret, etna_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *ret = i + 1;
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_USAGE, "--%s does not know %.80s; see `etna run --help`", flag, text);
}

static etna_code cmd_run_read_wall(const char *name, const char *value, void *into, etna_error *err)
{
    uint64_t seconds;
    etna_code code = flags_number(name, value, 1, 1000000000, &seconds, err);
    if (!code) *(uint64_t *)into = seconds * 1000;
    return code;
}

/* Millionths, so that a cap is exact: at most six digits behind the point. */
static etna_code read_cost(const char *name, const char *value, void *into, etna_error *err)
{
    uint64_t micros = 0;
    const char *at = value;
    bool digits = false, point = false;
    for (uint32_t behind = 0; *at; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9' || micros > UINT64_C(1000000000000) || (point && ++behind > 6)) break;
        micros = 10 * micros + (uint64_t)(*at - '0');
        digits = true;
    }
    const char *dot = strchr(value, '.');
    for (size_t behind = dot ? strlen(dot + 1) : 0; behind < 6; behind++) micros *= 10;
    if (*at || !digits || !micros || micros > UINT64_C(1000000000000000)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s wants an amount above 0 with at most six digits behind the point, as 2.50, not %.80s",
                         name, value);
    }
    *(uint64_t *)into = micros;
    return ETNA_OK;
}

static etna_code read_ablation(const char *name, const char *value, void *into, etna_error *err)
{
    const char *names[ABLATION_COUNT - 1];
    for (uint32_t i = 1; i < ABLATION_COUNT; i++) names[i - 1] = arrange_ablation_name(i);
    return cmd_run_choose(name, value, names, ABLATION_COUNT - 1, into, err);
}

static etna_code read_early_end(const char *name, const char *value, void *into, etna_error *err)
{
    static const char *const ends[] = {"first", "ordered", "off"};
    return cmd_run_choose(name, value, ends, 3, into, err);
}

static etna_code read_anchor(const char *name, const char *value, void *into, etna_error *err)
{
    static const char *const anchors[] = {"half-anchor", "half-depth"};
    return cmd_run_choose(name, value, anchors, 2, into, err);
}

static etna_code read_switch(const char *name, const char *value, void *into, etna_error *err)
{
    static const char *const switches[] = {"on", "off"};
    uint32_t which = 0;
    etna_code code = cmd_run_choose(name, value, switches, 2, &which, err);
    if (!code) *(bool *)into = which == 1;
    return code;
}

/* --reach off: any place will do. */
static etna_code read_reach(const char *name, const char *value, void *into, etna_error *err)
{
    bool reach = true;
    etna_code code = read_switch(name, value, &reach, err);
    if (!code) *(bool *)into = !reach;
    return code;
}

/* The index of the first argument that is no flag; 0: the command ends with *ret_exit. */
static int read_flags(const char *command, const char *usage, int argc, char **argv, run_arguments *a, int *ret_exit)
{
    arrange_config *c = &a->config;
    const flags_row flags[] = {{"goal", .text = &c->goal},
                               {"steps", .text = &a->steps_file},
                               {"after", .text = &a->after},
                               {"output", 'o', .text = &a->runner.output},
                               {"json", .yes = &a->runner.json},
                               {"model", .text = &c->model},
                               {"models", .text = &a->models},
                               {"reader", .text = &c->reader},
                               {"camera", .text = &c->camera},
                               {"all-cameras", .yes = &c->cameras},
                               {"seed", .large = &c->seed, .most = INT64_MAX},
                               {"early-end", .read = read_early_end, .into = &a->early_end},
                               {"branches", .number = &a->branches, .least = 1, .most = ARRANGE_BRANCHES_MAX},
                               {"polls", .number = &c->polls, .least = 1, .most = ARRANGE_POLLS_MAX},
                               {"max-steps", .number = &a->max_steps, .least = 1, .most = ARRANGE_STEPS_MAX},
                               {"backtracks", .number = &c->max_backtracks, .most = 1000000},
                               {"anchor", .read = read_anchor, .into = &c->anchor},
                               {"plan-per-branch", .yes = &c->plan_per_branch},
                               {"facts", .read = read_switch, .into = &c->facts},
                               {"no-images", .yes = &a->no_images},
                               {"paper-solver", .yes = &c->paper_solver},
                               {"reach", .read = read_reach, .into = &c->any_place},
                               {"ablation", .read = read_ablation, .into = &c->ablation},
                               {"max-tokens", .large = &c->max_tokens, .least = 1, .most = INT64_MAX},
                               {"max-cost", .read = read_cost, .into = &c->max_cost_micros},
                               {"max-wall", .read = cmd_run_read_wall, .into = &c->max_wall_ms},
                               {"timeout", .read = cmd_run_read_wall, .into = &c->max_wall_ms},
                               {"unit", .text = &a->unit},
                               {"up", .text = &a->up},
                               {"workers", .number = &a->runner.workers, .least = 1, .most = 256},
                               {"mesh-memory", .number = &a->mesh_memory, .least = 1, .most = 1 << 24},
                               {"connect", .text = &a->connect},
                               {"wait", .number = &a->wait_s, .most = 1000000},
                               {"store", .text = &a->runner.store},
                               {0}};
    int first = cli_flags(command, argc, argv, flags, usage, ret_exit);
    if (a->no_images) c->images = false;
    if (a->branches) c->branches = a->branches;
    if (a->max_steps) c->max_steps = a->max_steps;
    return first;
}

/* A run that goes on from another's end has its scene, as that was read. */
static bool consider_after(int argc, int first, const run_arguments *a)
{
    if (first != argc) {
        cli_usage("run: --after has the scene of that run; leave SCENE out");
        return false;
    }
    if (a->connect || a->unit || a->up) {
        cli_usage("run: --after speaks of a run of this store and its scene; leave --connect, --unit and --up out");
        return false;
    }
    return true;
}

/* What the flags ask for together; told when it cannot be. */
static bool cmd_run_consider(int argc, char **argv, int first, run_arguments *a)
{
    if (a->after && !consider_after(argc, first, a)) return false;
    if (a->is_submit && (a->runner.output || a->runner.workers)) {
        cli_usage("submit: others carry the run; leave --output and --workers out, and see `etna fetch`");
        return false;
    }
    if (!a->after && first + 1 != argc) {
        cli_usage(first == argc ? "run: which scene? etna run SCENE --goal TEXT"
                                : "run takes one scene; quote the goal: --goal \"TEXT\"");
        return false;
    }
    a->scene = a->after ? NULL : argv[first];
    if (!a->config.goal == !a->steps_file) {
        cli_usage(a->steps_file ? "run: either --goal or --steps, not both"
                                : "run: what is to be done? --goal TEXT, or --steps FILE");
        return false;
    }
    if (a->config.ablation == ABLATION_SINGLE_AGENT) {
        if (a->branches > 1 || a->config.plan_per_branch) {
            cli_usage("run: a single agent has one branch a step: without --branches and --plan-per-branch");
            return false;
        }
        a->config.branches = 1;
    }
    if (!*a->config.model || strlen(a->config.model) > ARRANGE_NAME_MAX) {
        cli_usage("run: --model wants a name of the list of models, or builtin");
        return false;
    }
    if ((a->scene && strlen(a->scene) > MESSAGE_TEXT_MAX) ||
        (a->config.camera && strlen(a->config.camera) > ARRANGE_NAME_MAX)) {
        cli_usage("run: a path or a camera's name is too long");
        return false;
    }
    return true;
}

/* Who is done first depends on the machine. To wait for the lower branches costs the built-in agent next to nothing, and a
 * network model calls that are paid. */
static etna_code choose_early_end(run_arguments *a, etna_arena *arena, etna_error *err)
{
    etna_code code = models_file_foreign(a->config.models, a->config.model, arena, &a->config.foreign, err);
    if (code) return code;
    a->config.early_end = a->config.foreign ? EARLY_END_FIRST : EARLY_END_ORDERED;
    if (a->early_end) a->config.early_end = a->early_end;
    return ETNA_OK;
}

/* What counts its edits before the first can be let have them, and several for one instruction of a list: clearing a
 * table takes more than the 6 edits a goal has by default. */
static etna_code allow_edits(run_arguments *a, etna_arena *arena, etna_error *err)
{
    arrange_config *c = &a->config;
    uint32_t role = c->ablation == ABLATION_SINGLE_AGENT ? ROLE_EXECUTOR : ROLE_PLANNER;
    const char *planner = NULL;
    etna_code code = models_file_role(c->models, c->model, role, arena, &planner, err);
    if (code) return code;
    bool builtin = strcmp(planner, "builtin") == 0;
    c->open_list = builtin && c->step_count;
    if (a->max_steps) return ETNA_OK;
    if (builtin) c->max_steps = BUILTIN_STEPS;
    if (c->step_count && (!builtin || c->step_count > c->max_steps)) c->max_steps = c->step_count;
    return ETNA_OK;
}

static etna_code read_named(run_arguments *a, etna_arena *arena, etna_error *err)
{
    etna_code code = a->steps_file ? steps_read(a->steps_file, arena, &a->config.steps, &a->config.step_count, err)
                                   : steps_check("the goal", a->config.goal, err);
    if (!code && a->after) code = after_read(a->runner.store, a->after, arena, &a->config, err);
    if (!code && a->runner.output)
        code = output_check(a->runner.output, a->after ? a->config.scene_name : a->scene, err);
    if (a->config.reader && strcmp(a->config.reader, "builtin") == 0) a->config.reader = NULL; /* it reads anyway */
    if (!code) code = models_file_cut(a->models, a->config.model, a->config.reader, arena, &a->config.models, err);
    if (!code) code = choose_early_end(a, arena, err);
    return code ? code : allow_edits(a, arena, err);
}

/* The workers that this run starts read it there. */
static int bound_memory(const run_arguments *a)
{
    char mebibytes[16];
    if (!a->mesh_memory) return 0;
    if (a->connect)
        return cli_usage("run: --mesh-memory is for workers of this run; with --connect they have their own");
    snprintf(mebibytes, sizeof mebibytes, "%u", a->mesh_memory);
    return setenv("ETNA_MESH_MEMORY", mebibytes, 1) ? 4 : 0;
}

static int cmd_run_carry(const run_arguments *a)
{
    if (a->is_submit) return submit_run(a->connect, a->wait_s, &a->runner);
    return a->connect ? remote_run(a->connect, a->wait_s, &a->runner) : runner_run(&a->runner);
}

static int cmd_run_start(run_arguments *a)
{
    etna_error err = {ETNA_OK, ""};
    bundle scene = {NULL, 0};
    uint8_t *config = NULL;
    int code = a->scene ? bundle_make(a->scene, a->unit, a->up, &scene) : 0;
    if (code) return code;
    if (a->scene) {
        a->config.scene_name = a->scene;
        a->config.scene = a->runner.scene = etna_hash_bytes(scene.data, scene.size);
    }
    a->runner.bundle = scene.data;
    a->runner.bundle_size = scene.size;
    if (getrandom(a->runner.run.bytes, sizeof a->runner.run.bytes, 0) != sizeof a->runner.run.bytes) {
        etna_fail(&err, ETNA_E_IO, "the system gives no random numbers");
        code = cli_fail(&err);
    } else if (arrange_config_pack(&a->config, &config, &a->runner.config_size, &err)) {
        code = cli_fail(&err);
    } else {
        a->runner.config = config;
        code = cmd_run_carry(a);
    }
    free(config);
    bundle_free(&scene);
    return code;
}

static int cmd_run_with(run_arguments *a, const char *command, const char *usage, int argc, char **argv)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    int code, first = read_flags(command, usage, argc, argv, a, &code);
    if (!first) return code;
    if (!cmd_run_consider(argc, argv, first, a)) return 2;
    if ((code = bound_memory(a))) return code;
    code = read_named(a, &arena, &err) ? cli_fail(&err) : cmd_run_start(a);
    etna_arena_free(&arena);
    return code;
}

int cmd_run(int argc, char **argv)
{
    run_arguments a = {.config = arrange_config_default(), .wait_s = REMOTE_WAIT_S};
    return cmd_run_with(&a, "etna run", help, argc, argv);
}

int cmd_submit(int argc, char **argv)
{
    run_arguments a = {.config = arrange_config_default(), .wait_s = REMOTE_WAIT_S, .is_submit = true};
    return cmd_run_with(&a, "etna submit", submit_help, argc, argv);
}
