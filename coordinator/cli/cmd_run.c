/* `etna run` and `etna submit`: both ask for a run in the same words, and
 * differ in who stays with it.
 *
 *   flags ──> what contradicts itself? ──> steps, models, the run before
 *     --estimate: told what it would cost, and that is all
 *     the scene is read by a child ──> config packed ──> carried, or handed over
 *
 * Whatever can be checked is checked before the scene is read, which may take
 * seconds: a misspelt model is told at once. */
#include "coordinator/cli/after.h"
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/estimate.h"
#include "coordinator/cli/remote.h"
#include "coordinator/cli/run_request.h"
#include "coordinator/cli/runner.h"
#include "coordinator/cli/steps.h"
#include "coordinator/cli/submit.h"
#include "coordinator/report/output.h"
#include "proto/utf8.h"

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
    "      --camera C       a camera's name or number, auto, cutaway, top,\n"
    "                       orbit:AZ,EL or eye:X,Y,Z,YAW,PITCH (metres, degrees)\n"
    "      --all-cameras    executor and evaluators may ask for the scene's other cameras, too\n"
    "      --seed S         seed of every random choice (0)\n"
    "      --early-end M    ordered (reproducible; the default with builtin), first (whoever is done first; the default with\n"
    "                       a network model), off\n"
    "      --branches N     branches a step (4)\n"
    "      --branches-at-once N    of these; the next ones are tried when all before failed (all at once): fewer tokens\n"
    "      --polls N        evaluators a branch (3)\n"
    "      --max-steps N    most edits (builtin: 24, which it counts beforehand; else 6, and a list's length)\n"
    "      --list-edits N   an instruction of a list takes several edits, as a swap does (the default with builtin; at most 24\n"
    "                       in all), or one (the default with a network model, as published)\n"
    "      --backtracks N   most backtracks (8)\n"
    "      --anchor A       half-anchor (default) or half-depth\n"
    "      --plan-per-branch    one planner call a branch\n"
    "      --facts F        for network models, too: off (the default), on, or brief: names, places and what stands on what\n"
    "      --fronts         draw the fronts of furniture as arrows into the pictures that models see\n"
    "      --reach on|off   off: things may be put where no hand could bring them, as in a closed cupboard\n"
    "      --memory on|off  off: no step is told what failed at its place before\n"
    "      --paper-solver   the published solver without our additions: it looks no further when all it tried collide\n"
    "      --collision paper, --floating paper   edits are checked by the published rules, not by ours\n"
    "      --ablation A     take a part of the method away: single-agent, no-backtracking, no-planner-coordinate,\n"
    "                       no-tool-library or no-mcp-tools; basic, basic-3: one agent that writes poses, nothing checked\n"
    "      --no-images      no step images\n"
    "      --step-scenes    step-NN.glb, too: the scene after every edit; and tried-NN.snapshot of other branches that were\n"
    "                       judged, for etna scene export\n"
    "      --max-tokens N   end when the run used so many tokens (builtin's count, too, though they cost nothing)\n"
    "      --max-cost M     end when the run has spent that, within a tenth, in the list's currency (2.50)\n"
    "      --cancelled W    calls that nobody waits for any more: finish lets them come, so that money is exact and the run\n"
    "                       ends later; estimate (the default) cuts them off and books what such calls took\n"
    "      --priority N     0 to 9: its tasks go before those of runs with a lower one (0)\n"
    "      --estimate       run nothing; tell calls, tokens and money beforehand, by earlier runs of the store\n"
    "      --max-wall S     end after so many seconds (also --timeout)\n"
    "      --unit M         metres per unit of the file (else 1, or as the sizes of its things tell); --up Y|Z: its up axis\n"
    "      --workers N      worker processes (one per 8 CPUs)\n"
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

/* What the command line says. */
typedef struct run_arguments {
    run_request request;
    const char *connect;
    /* MiB of geometry that each worker may hold; 0: not given */
    uint32_t mesh_memory;
    uint32_t wait_s;
    bool is_submit;  /* `etna submit`: the run is left to who carries it */
    bool is_asked;   /* --estimate: only what it would cost is told */
    after_left left; /* --after: what that run left */
    runner_options runner;
} run_arguments;

/* The index of the first argument that is no flag; 0: the command ends with
 * *ret_exit. */
static int cmd_run_read_flags(const char *command,
                              const char *usage,
                              int argc,
                              char **argv,
                              run_arguments *a,
                              int *ret_exit)
{
    run_request *r = &a->request;
    flags_row flags[FLAGS_MAX + 1] = {
        {"goal", .text = &r->config.goal},
        {"steps", .text = &r->steps_file},
        {"after", .text = &r->after},
        {"seed", .large = &r->config.seed, .most = INT64_MAX},
        {"output", 'o', .text = &a->runner.output},
        {"json", .yes = &a->runner.json},
        {"workers", .number = &a->runner.workers, .least = 1, .most = 256},
        {"mesh-memory", .number = &a->mesh_memory, .least = 1, .most = 1 << 24},
        {"connect", .text = &a->connect},
        {"estimate", .yes = &a->is_asked},
        {"wait", .number = &a->wait_s, .most = 1000000},
        {"store", .text = &a->runner.store},
        {0}};
    run_request_add_flags(r, flags);
    return cli_flags(command, argc, argv, flags, usage, ret_exit);
}

/* A run that goes on from another's end takes that one's scene as it was read,
 * so nothing that concerns reading a scene may be given with it. */
static etna_code cmd_run_consider_after(int argc,
                                        int first,
                                        const run_arguments *a,
                                        etna_error *err)
{
    const run_request *r = &a->request;
    if (!r->after)
        return ETNA_OK;
    if (first != argc)
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: --after has the scene of that run; leave SCENE out");
    if (!a->connect && !r->unit && !r->up)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "run: --after speaks of a run of this store and its scene; leave --connect, --unit and --up out");
}

/* What the flags ask for together. */
static etna_code cmd_run_consider(
    int argc, char **argv, int first, run_arguments *a, etna_error *err)
{
    run_request *r = &a->request;
    etna_code code = cmd_run_consider_after(argc, first, a, err);
    if (code)
        return code;
    if (a->is_submit && (a->runner.output || a->runner.workers)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "submit: others carry the run; leave --output and --workers out, and see `etna fetch`");
    }
    if (!r->after && first + 1 != argc) {
        return etna_fail(
            err, ETNA_E_USAGE,
            first == argc
                ? "run: which scene? etna run SCENE --goal TEXT"
                : "run takes one scene; quote the goal: --goal \"TEXT\"");
    }
    r->scene = r->after ? NULL : argv[first];
    return run_request_consider(r, err);
}

/* A file's name need not be UTF-8; what messages carry and reports tell is. */
static etna_code cmd_run_name_scene(run_request *r,
                                    etna_arena *arena,
                                    etna_error *err)
{
    size_t size = strlen(r->scene);
    char *name = etna_arena_alloc(arena, 2 * size + 1, 1);
    if (!name)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    (void)etna_utf8_repair(r->scene, size, name);
    r->config.scene_name = name;
    return ETNA_OK;
}

/* Reads the files and the earlier run that the flags name. */
static etna_code cmd_run_read_named(run_arguments *a,
                                    etna_arena *arena,
                                    etna_error *err)
{
    run_request *r = &a->request;
    arrange_config *c = &r->config;
    etna_code code = r->steps_file ? steps_read(r->steps_file, arena, &c->steps,
                                                &c->step_count, err)
                                   : steps_check("the goal", c->goal, err);
    if (!code && r->after)
        code = after_read(a->runner.store, r->after, arena, c, &a->left, err);
    if (!code && a->runner.output)
        code = output_check(a->runner.output,
                            r->after ? c->scene_name : r->scene, err);
    if (!code && r->scene)
        code = cmd_run_name_scene(r, arena, err);
    return code ? code : run_request_read_models(r, arena, err);
}

/* Worker processes inherit it by the environment, as those of a coordinator
 * do. */
static int cmd_run_bound_memory(const run_arguments *a)
{
    char mebibytes[16];
    if (!a->mesh_memory)
        return 0;
    if (a->connect)
        return cli_usage(
            "run: --mesh-memory is for workers of this run; with --connect they have their own");
    snprintf(mebibytes, sizeof mebibytes, "%u", a->mesh_memory);
    if (!setenv("ETNA_MESH_MEMORY", mebibytes, 1))
        return 0;
    const etna_error err = {ETNA_E_NOMEM, "out of memory"};
    return cli_fail(&err);
}

/* Who carries the run: nobody we wait for, another coordinator, or the owner of
 * the store, which may become this process. */
static int cmd_run_carry(const run_arguments *a)
{
    if (a->is_submit)
        return submit_run(a->connect, a->wait_s, &a->runner);
    return a->connect ? remote_run(a->connect, a->wait_s, &a->runner)
                      : runner_run(&a->runner);
}

/* A run that goes on from another's end and brings something in, or takes
 * something out, has a scene of its own: what the other left, with that. */
static void cmd_run_bundle_left(const run_arguments *a, bundle_wanted *ret)
{
    ret->scene = a->request.config.scene_name;
    ret->glb = a->left.glb;
    ret->glb_size = a->left.size;
    ret->only_staged = true;
}

/* Where things stood before is told in that run's scene, not in this one. */
static void cmd_run_begin_anew(arrange_config *config)
{
    config->start = (etna_hash){0};
    config->after = (etna_id){0};
    config->before = (arrange_before){0};
    fprintf(
        stderr,
        "etna: it begins with the scene that that run left, and does not know what that one did\n");
}

/* The scene's bytes are named by their hash in the config, and the run by 128
 * random bits chosen here, before it is submitted anywhere: a submission that
 * is repeated is recognised. */
static int cmd_run_start(run_arguments *a)
{
    run_request *r = &a->request;
    etna_error err = {ETNA_OK, ""};
    bundle scene = {NULL, 0};
    uint8_t *config = NULL;
    bundle_wanted wanted = run_request_bundle(r, a->runner.store);
    if (a->left.glb)
        cmd_run_bundle_left(a, &wanted);
    int code = r->scene || a->left.glb ? bundle_make(&wanted, &scene) : 0;
    if (code)
        return code;
    if (a->left.glb && scene.data)
        cmd_run_begin_anew(&r->config);
    if (scene.data) {
        r->config.scene = a->runner.scene =
            etna_hash_bytes(scene.data, scene.size);
    }
    a->runner.bundle = scene.data;
    a->runner.bundle_size = scene.size;
    if (getrandom(a->runner.run.bytes, sizeof a->runner.run.bytes, 0) !=
        sizeof a->runner.run.bytes) {
        etna_fail(&err, ETNA_E_IO, "the system gives no random numbers");
        code = cli_fail(&err);
    } else if (arrange_config_pack(&r->config, &config, &a->runner.config_size,
                                   &err)) {
        code = cli_fail(&err);
    } else {
        a->runner.config = config;
        code = cmd_run_carry(a);
    }
    free(config);
    bundle_free(&scene);
    return code;
}

static int cmd_run_with(run_arguments *a,
                        const char *command,
                        const char *usage,
                        int argc,
                        char **argv)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    int code;
    int first = cmd_run_read_flags(command, usage, argc, argv, a, &code);
    if (!first)
        return code;
    if (cmd_run_consider(argc, argv, first, a, &err))
        return cli_fail(&err);
    if ((code = cmd_run_bound_memory(a)))
        return code;
    etna_code read = cmd_run_read_named(a, &arena, &err);
    const arrange_config *const asked = &a->request.config;
    if (!read && a->is_asked)
        read = estimate_tell(&asked, 1, NULL, a->runner.store, a->runner.json,
                             &err);
    if (read)
        code = cli_fail(&err);
    if (!read)
        code = a->is_asked ? 0 : cmd_run_start(a);
    free(a->left.glb);
    etna_arena_free(&arena);
    return code;
}

int cmd_run(int argc, char **argv)
{
    run_arguments a = {.request = run_request_default(),
                       .wait_s = REMOTE_WAIT_S};
    return cmd_run_with(&a, "etna run", help, argc, argv);
}

int cmd_submit(int argc, char **argv)
{
    run_arguments a = {.request = run_request_default(),
                       .wait_s = REMOTE_WAIT_S,
                       .is_submit = true};
    return cmd_run_with(&a, "etna submit", submit_help, argc, argv);
}
