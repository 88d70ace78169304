/* `etna run`: arrange a scene. */
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/cli/output.h"
#include "coordinator/cli/remote.h"
#include "coordinator/cli/runner.h"
#include "coordinator/cli/steps.h"
#include "proto/arrange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char help[] =
    "usage: etna run SCENE (--goal TEXT | --steps FILE) [OPTION...]\n"
    "Arranges the scene by the goal, or by FILE's instructions, one a line. The scene itself is never changed.\n\n"
    "  -o, --output DIR     write result.glb, report.html, run.json and the step images there\n"
    "      --json           print the run as one JSON document\n"
    "      --model NAME     builtin (the default): a rule-based agent that needs no model; else one of the list of models\n"
    "      --models FILE    that list ($ETNA_MODELS, else share/etna/models.yaml of this installation)\n"
    "      --camera C       a camera's name or number, auto or cutaway\n"
    "      --all-cameras    executor and evaluators may ask for the scene's other cameras, too\n"
    "      --seed S         seed of every random choice (0)\n"
    "      --early-end M    first (default), ordered (reproducible), off\n"
    "      --branches N     branches a step (4)\n"
    "      --polls N        evaluators a branch (3)\n"
    "      --max-steps N    most edits (builtin: 24, which it counts beforehand; else 6; a list: its length)\n"
    "      --backtracks N   most backtracks (8)\n"
    "      --anchor A       half-anchor (default) or half-depth\n"
    "      --plan-per-branch    one planner call a branch\n"
    "      --facts on|off   facts for network models, too (off)\n"
    "      --paper-solver   the published solver without our additions: it looks no further when all it tried collide\n"
    "      --ablation A     take a part of the method away: single-agent, no-backtracking, no-planner-coordinate,\n"
    "                       no-tool-library or no-mcp-tools\n"
    "      --no-images      no step images\n"
    "      --max-tokens N   end when the run used so many tokens\n"
    "      --max-cost M     end before the run has spent more, in the list's currency (2.50)\n"
    "      --max-wall S     end after so many seconds (also --timeout)\n"
    "      --unit M         metres per unit of the file; --up Y|Z: its up axis\n"
    "      --workers N      worker processes (one per 8 CPUs, at least 2)\n"
    "      --connect URL    let the coordinator at URL run it\n"
    "      --store DIR      where runs are kept\n";

enum { BUILTIN_STEPS = 24 };

enum {
    FLAG_GOAL = 256,
    FLAG_STEPS,
    FLAG_JSON,
    FLAG_MODEL,
    FLAG_CAMERA,
    FLAG_SEED,
    FLAG_EARLY,
    FLAG_BRANCHES,
    FLAG_POLLS,
    FLAG_MAX_STEPS,
    FLAG_BACKTRACKS,
    FLAG_ANCHOR,
    FLAG_PLAN,
    FLAG_FACTS,
    FLAG_NO_IMAGES,
    FLAG_TOKENS,
    FLAG_WALL,
    FLAG_UNIT,
    FLAG_UP,
    FLAG_WORKERS,
    FLAG_CONNECT,
    FLAG_STORE,
    FLAG_MODELS,
    FLAG_COST,
    FLAG_PAPER_SOLVER,
    FLAG_ABLATION,
    FLAG_CAMERAS
};

static const struct option flags[] = {{"goal", required_argument, NULL, FLAG_GOAL},
                                      {"steps", required_argument, NULL, FLAG_STEPS},
                                      {"output", required_argument, NULL, 'o'},
                                      {"json", no_argument, NULL, FLAG_JSON},
                                      {"model", required_argument, NULL, FLAG_MODEL},
                                      {"camera", required_argument, NULL, FLAG_CAMERA},
                                      {"seed", required_argument, NULL, FLAG_SEED},
                                      {"early-end", required_argument, NULL, FLAG_EARLY},
                                      {"branches", required_argument, NULL, FLAG_BRANCHES},
                                      {"polls", required_argument, NULL, FLAG_POLLS},
                                      {"max-steps", required_argument, NULL, FLAG_MAX_STEPS},
                                      {"backtracks", required_argument, NULL, FLAG_BACKTRACKS},
                                      {"anchor", required_argument, NULL, FLAG_ANCHOR},
                                      {"plan-per-branch", no_argument, NULL, FLAG_PLAN},
                                      {"facts", required_argument, NULL, FLAG_FACTS},
                                      {"no-images", no_argument, NULL, FLAG_NO_IMAGES},
                                      {"max-tokens", required_argument, NULL, FLAG_TOKENS},
                                      {"max-wall", required_argument, NULL, FLAG_WALL},
                                      {"timeout", required_argument, NULL, FLAG_WALL},
                                      {"unit", required_argument, NULL, FLAG_UNIT},
                                      {"up", required_argument, NULL, FLAG_UP},
                                      {"workers", required_argument, NULL, FLAG_WORKERS},
                                      {"connect", required_argument, NULL, FLAG_CONNECT},
                                      {"store", required_argument, NULL, FLAG_STORE},
                                      {"models", required_argument, NULL, FLAG_MODELS},
                                      {"max-cost", required_argument, NULL, FLAG_COST},
                                      {"paper-solver", no_argument, NULL, FLAG_PAPER_SOLVER},
                                      {"ablation", required_argument, NULL, FLAG_ABLATION},
                                      {"all-cameras", no_argument, NULL, FLAG_CAMERAS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

typedef struct run_arguments {
    arrange_config config;
    const char *scene, *steps_file, *unit, *up, *connect, *models;
    bool max_steps_given, branches_given, help;
    runner_options runner;
} run_arguments;

static bool choose(const char *flag, const char *text, const char *const *names, uint32_t count, uint32_t *ret)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *ret = i + 1;
        return true;
    }
    cli_usage("--%s does not know %s; see `etna run --help`", flag, text);
    return false;
}

static bool small_number(const char *flag, uint64_t least, uint64_t most, uint32_t *ret)
{
    uint64_t value;
    if (!cli_number(flag, optarg, least, most, &value)) return false;
    *ret = (uint32_t)value;
    return true;
}

static bool take_wall(run_arguments *a)
{
    uint64_t seconds;
    if (!cli_number("max-wall", optarg, 1, 1000000000, &seconds)) return false;
    a->config.max_wall_ms = seconds * 1000;
    return true;
}

/* Millionths, so that a cap is exact: at most six digits behind the point. */
static bool take_cost(run_arguments *a)
{
    uint64_t micros = 0;
    const char *at = optarg;
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
    const char *dot = strchr(optarg, '.');
    for (size_t behind = dot ? strlen(dot + 1) : 0; behind < 6; behind++) micros *= 10;
    if (*at || !digits || !micros || micros > UINT64_C(1000000000000000)) {
        cli_usage("--max-cost wants an amount above 0 with at most six digits behind the point, as 2.50, not %s",
                  optarg);
        return false;
    }
    a->config.max_cost_micros = micros;
    return true;
}

static bool take_ablation(run_arguments *a)
{
    const char *names[ABLATION_COUNT - 1];
    for (uint32_t i = 1; i < ABLATION_COUNT; i++) names[i - 1] = arrange_ablation_name(i);
    return choose("ablation", optarg, names, ABLATION_COUNT - 1, &a->config.ablation);
}

static bool take_flag(int flag, run_arguments *a)
{
    static const char *const ends[] = {"first", "ordered", "off"}, *const anchors[] = {"half-anchor", "half-depth"};
    static const char *const switches[] = {"on", "off"};
    uint32_t on;
    switch (flag) {
    case FLAG_GOAL: a->config.goal = optarg; return true;
    case FLAG_STEPS: a->steps_file = optarg; return true;
    case 'o': a->runner.output = optarg; return true;
    case FLAG_JSON: a->runner.json = true; return true;
    case FLAG_MODEL: a->config.model = optarg; return true;
    case FLAG_MODELS: a->models = optarg; return true;
    case FLAG_COST: return take_cost(a);
    case FLAG_CAMERA: a->config.camera = optarg; return true;
    case FLAG_SEED: return cli_number("seed", optarg, 0, INT64_MAX, &a->config.seed);
    case FLAG_EARLY: return choose("early-end", optarg, ends, 3, &a->config.early_end);
    case FLAG_ANCHOR: return choose("anchor", optarg, anchors, 2, &a->config.anchor);
    case FLAG_CAMERAS: a->config.cameras = true; return true;
    case FLAG_ABLATION: return take_ablation(a);
    case FLAG_BRANCHES:
        a->branches_given = true;
        return small_number("branches", 1, ARRANGE_BRANCHES_MAX, &a->config.branches);
    case FLAG_POLLS: return small_number("polls", 1, ARRANGE_POLLS_MAX, &a->config.polls);
    case FLAG_MAX_STEPS:
        a->max_steps_given = true;
        return small_number("max-steps", 1, ARRANGE_STEPS_MAX, &a->config.max_steps);
    case FLAG_BACKTRACKS: return small_number("backtracks", 0, 1000000, &a->config.max_backtracks);
    case FLAG_PLAN: a->config.plan_per_branch = true; return true;
    case FLAG_FACTS:
        if (!choose("facts", optarg, switches, 2, &on)) return false;
        a->config.facts = on == 1;
        return true;
    case FLAG_PAPER_SOLVER: a->config.paper_solver = true; return true;
    case FLAG_NO_IMAGES: a->config.images = false; return true;
    case FLAG_TOKENS: return cli_number("max-tokens", optarg, 1, INT64_MAX, &a->config.max_tokens);
    case FLAG_WALL: return take_wall(a);
    case FLAG_UNIT: a->unit = optarg; return true;
    case FLAG_UP: a->up = optarg; return true;
    case FLAG_WORKERS: return small_number("workers", 1, 256, &a->runner.workers);
    case FLAG_CONNECT: a->connect = optarg; return true;
    case FLAG_STORE: a->runner.store = optarg; return true;
    case 'h': a->help = true; return true;
    default: return false;
    }
}

static bool parse(int argc, char **argv, run_arguments *a)
{
    for (int flag; (flag = cli_flag(argc, argv, ":o:h", flags)) != -1;) {
        if (!take_flag(flag, a)) return false;
        if (a->help) return true;
    }
    if (optind + 1 != argc) {
        cli_usage(optind == argc ? "run: which scene? etna run SCENE --goal TEXT"
                                 : "run takes one scene; quote the goal: --goal \"TEXT\"");
        return false;
    }
    a->scene = argv[optind];
    if (!a->config.goal == !a->steps_file) {
        cli_usage(a->steps_file ? "run: either --goal or --steps, not both"
                                : "run: what is to be done? --goal TEXT, or --steps FILE");
        return false;
    }
    if (a->config.ablation == ABLATION_SINGLE_AGENT) {
        if ((a->branches_given && a->config.branches != 1) || a->config.plan_per_branch) {
            cli_usage("run: a single agent has one branch a step: without --branches and --plan-per-branch");
            return false;
        }
        a->config.branches = 1;
    }
    if (!*a->config.model || strlen(a->config.model) > ARRANGE_NAME_MAX) {
        cli_usage("run: --model wants a name of the list of models, or builtin");
        return false;
    }
    if (strlen(a->scene) > MESSAGE_TEXT_MAX || (a->config.camera && strlen(a->config.camera) > ARRANGE_NAME_MAX)) {
        cli_usage("run: a path or a camera's name is too long");
        return false;
    }
    return true;
}

static etna_code read_named(run_arguments *a, etna_arena *arena, etna_error *err)
{
    etna_code code = a->steps_file ? steps_read(a->steps_file, arena, &a->config.steps, &a->config.step_count, err)
                                   : steps_check("the goal", a->config.goal, err);
    if (!code && a->steps_file && !a->max_steps_given) a->config.max_steps = a->config.step_count;
    /* What counts its edits before the first can be let have them: clearing a table takes more than METHOD.md's 6. */
    if (!code && !a->steps_file && !a->max_steps_given && strcmp(a->config.model, "builtin") == 0)
        a->config.max_steps = BUILTIN_STEPS;
    if (!code && a->runner.output) code = output_check(a->runner.output, a->scene, err);
    if (!code) code = models_file_cut(a->models, a->config.model, arena, &a->config.models, err);
    return code;
}

static int go(run_arguments *a)
{
    etna_error err = {ETNA_OK, ""};
    bundle scene = {NULL, 0};
    uint8_t *config = NULL;
    int code = bundle_make(a->scene, a->unit, a->up, &scene);
    if (code) return code;
    a->config.scene_name = a->scene;
    a->config.scene = a->runner.scene = etna_hash_bytes(scene.data, scene.size);
    a->runner.bundle = scene.data;
    a->runner.bundle_size = scene.size;
    if (getrandom(a->runner.run.bytes, sizeof a->runner.run.bytes, 0) != sizeof a->runner.run.bytes) {
        etna_fail(&err, ETNA_E_IO, "the system gives no random numbers");
        code = cli_fail(&err);
    } else if (arrange_config_pack(&a->config, &config, &a->runner.config_size, &err)) {
        code = cli_fail(&err);
    } else {
        a->runner.config = config;
        code = a->connect ? remote_run(a->connect, &a->runner) : runner_run(&a->runner);
    }
    free(config);
    bundle_free(&scene);
    return code;
}

int cmd_run(int argc, char **argv)
{
    run_arguments a = {.config = arrange_config_default()};
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    if (!parse(argc, argv, &a)) return 2;
    if (a.help) {
        fputs(help, stdout);
        return 0;
    }
    int code = read_named(&a, &arena, &err) ? cli_fail(&err) : go(&a);
    etna_arena_free(&arena);
    return code;
}
