/* `etna-worker judge`: several judges of one model look at clean pictures of a
 * scene's steps and score each of them. What made the steps is nowhere in what
 * they are told. `etna bench judge` starts one of these a run. */
#include "proto/cpus.h"
#include "proto/usage.h"
#include "worker/agents/judge.h"
#include "worker/cli/cli.h"
#include "worker/cli/consult.h"
#include "worker/cli/load.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna-worker judge --list FILE --model NAME --steps FILE [--camera C] [--judges N] [--seed S] [--patience S]\n"
    "                         [--unit M] [--up Y|Z] START.glb STATE.glb...\n"
    "A STATE is the scene after each step of FILE, a line an instruction, or with --goal TEXT after all of them. Prints one JSON\n"
    "document: each judge's correctness and plausibility of every step, 0 to 4, and what they cost. See `etna bench judge`.\n";

enum {
    JUDGES_MAX = 64,
    STATES_MAX = ARRANGE_STEPS_MAX
};

/* One judgement of a run's states. Of goal and steps_file one is given. */
typedef struct judging {
    scene_options options;
    const char *list, *model, *goal, *steps_file, *camera;
    uint32_t judges, patience;
    uint64_t seed;
    const char **files; /* START and the STATEs */
    uint32_t count;     /* of the files */
    models all;
    const models_model *asked;
    consult consult;
    provider_image *pictures; /* a file's; data owned */
    uint32_t width, height;
    arrange_task task;
    etna_arena arena;
    message_usage usage;
} judging;

/* ---- pictures ---- */

static etna_code picture_encode(const judging *j,
                                const view_image *image,
                                provider_image *ret,
                                etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    uint32_t quality = j->asked->image_quality;
    etna_code code =
        quality ? view_encode_jpeg(image, (int)quality, &data, &size, err)
                : view_encode_png(image, &data, &size, err);
    if (code == ETNA_OK)
        *ret =
            (provider_image){data, size, quality ? "image/jpeg" : "image/png"};
    return code;
}

/* All steps are seen by the start's camera: a derived one would not stand
 * still. */
static etna_code judge_picture_make(judging *j,
                                    uint32_t i,
                                    loaded_scene *first,
                                    scene_camera *camera,
                                    etna_error *err)
{
    loaded_scene loaded = {0};
    view_image image = {0};
    etna_code code = load_scene_to_look(j->files[i], &j->options,
                                        i ? first->scene : NULL, &loaded, err);
    if (code == ETNA_OK && !i)
        code = load_camera(&loaded, j->camera, camera, err);
    if (code == ETNA_OK && !i) {
        uint32_t side = j->asked->image_side[ROLE_JUDGE];
        view_size(camera, side && side < VIEW_LONG_SIDE ? side : VIEW_LONG_SIDE,
                  &j->width, &j->height);
        *camera = view_camera_sized(camera, j->width, j->height);
    }
    if (code == ETNA_OK && i)
        code = load_hide(&loaded, j->camera, camera, err);
    if (code == ETNA_OK)
        code = view_render(loaded.space, camera, j->width, j->height,
                           cpus_usable(), &image, err);
    if (code == ETNA_OK)
        code = picture_encode(j, &image, &j->pictures[i], err);
    view_image_free(&image);
    if (i || code != ETNA_OK)
        load_scene_free(&loaded);
    else
        *first = loaded;
    return code;
}

static etna_code pictures_make(judging *j, etna_error *err)
{
    loaded_scene first = {0};
    scene_camera camera;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < j->count; i++)
        code = judge_picture_make(j, i, &first, &camera, err);
    load_scene_free(&first);
    return code;
}

/* ---- the task ---- */

/* One instruction a line, as many as there are states after the start. */
static etna_code judge_steps_read(judging *j, etna_error *err)
{
    const char **steps = etna_arena_alloc(&j->arena, STATES_MAX, sizeof *steps);
    char line[ARRANGE_INSTRUCTION_MAX + 2];
    FILE *file = fopen(j->steps_file, "re");
    if (!file || !steps) {
        if (file)
            fclose(file);
        return etna_fail(err, ETNA_E_INPUT, "--steps %s: cannot be read",
                         j->steps_file);
    }
    while (j->task.step_count < STATES_MAX && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        steps[j->task.step_count] = etna_arena_strdup(&j->arena, line);
        if (!steps[j->task.step_count])
            break;
        j->task.step_count++;
    }
    fclose(file);
    j->task.steps = steps;
    bool fits = j->task.step_count == j->count - 1;
    return fits ? ETNA_OK
                : etna_fail(err, ETNA_E_USAGE,
                            "--steps %s: has %u instructions for %u states",
                            j->steps_file, (unsigned)j->task.step_count,
                            (unsigned)j->count - 1);
}

/* A request knows a picture by its snapshot: here by its bytes. */
static etna_code task_make(judging *j, etna_error *err)
{
    arrange_edit *edits = etna_arena_alloc(&j->arena, j->count, sizeof *edits);
    if (!edits)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a judge's task");
    for (uint32_t i = 1; i < j->count; i++) {
        edits[i - 1] = (arrange_edit){.step = i};
        edits[i - 1].snapshot =
            etna_hash_bytes(j->pictures[i].data, j->pictures[i].size);
    }
    j->task.kind = TASK_JUDGE;
    j->task.model = j->model;
    j->task.run_seed = j->seed;
    j->task.goal = j->goal;
    j->task.first_snapshot =
        etna_hash_bytes(j->pictures[0].data, j->pictures[0].size);
    j->task.edits = edits;
    j->task.edit_count = j->count - 1;
    return j->goal ? ETNA_OK : judge_steps_read(j, err);
}

/* ---- a judge ---- */

typedef struct opinion { /* what a judge said, or why nothing came of it */
    json_t *steps;       /* NULL: nothing */
    char why[400];
} opinion;

static json_t *scores_json(const judge_result *said)
{
    json_t *steps = json_array();
    for (uint32_t i = 0; i < said->count; i++) {
        const judge_step *s = &said->steps[i];
        json_array_append_new(steps,
                              json_pack("{s:i, s:i, s:s}", "correctness",
                                        (int)s->correctness - VERDICT_TERRIBLE,
                                        "plausibility",
                                        (int)s->plausibility - VERDICT_TERRIBLE,
                                        "justification", s->justification));
    }
    return steps;
}

/* One request, and what came of it to the agent. ETNA_E_NETWORK: nothing did;
 * the run is judged anew another time. */
static etna_code judge_cmd_turn(judging *j,
                                agent *a,
                                agent_step *step,
                                etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    bool has_come = false;
    etna_code code = consult_ask(&j->consult, step->request, j->pictures,
                                 &arena, &has_come, err);
    const provider_outcome *outcome = &j->consult.outcome;
    bool is_answered =
        code == ETNA_OK && has_come && outcome->end == PROVIDER_REPLY;
    if (is_answered) {
        message_usage used = outcome->reply.usage;
        used.calls = 1;
        message_usage_add(&j->usage, &used);
        code = agent_reply(a, &outcome->reply, step, err);
    } else if (code == ETNA_OK) {
        code = etna_fail(err, ETNA_E_NETWORK, "%s: %.300s", j->model,
                         has_come && outcome->text
                             ? outcome->text
                             : "no answer came in time (--patience)");
    }
    etna_arena_free(&arena);
    return code;
}

/* One judge; its number seeds the poll, so that judges differ and a repetition
 * does not. */
static etna_code judge_ask(judging *j,
                           uint32_t number,
                           opinion *to,
                           etna_error *err)
{
    const agent_view view = {.camera = j->camera ? j->camera : "",
                             .width = j->width,
                             .height = j->height};
    agent *a = NULL;
    agent_step step;
    j->task.poll = number;
    etna_code code = judge_begin(&j->task, &view, &a, &step, err);
    while (code == ETNA_OK && step.next == AGENT_ASK)
        code = judge_cmd_turn(j, a, &step, err);
    if (code == ETNA_OK) {
        const judge_result *said = judge_done(a);
        if (said->ok)
            to->steps = scores_json(said);
        if (!said->ok)
            snprintf(to->why, sizeof to->why, "%s", said->reason);
    }
    agent_free(a);
    return code;
}

static json_t *usage_json(const message_usage *usage)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:f}", "calls", (json_int_t)usage->calls, "in",
        (json_int_t)usage->tokens_in, "out", (json_int_t)usage->tokens_out,
        "cached", (json_int_t)usage->tokens_cached, "cost",
        (double)usage->cost_micros / 1e6);
}

/* One after the other over one connection. A judge without a readable answer
 * has "why" instead of steps. */
static etna_code judges_ask(judging *j, json_t *rows, etna_error *err)
{
    etna_code code =
        consult_open(&j->consult, &j->all, j->asked, 1000 * j->patience, err);
    for (uint32_t i = 0; code == ETNA_OK && i < j->judges; i++) {
        opinion said = {NULL, ""};
        code = judge_ask(j, i, &said, err);
        if (code != ETNA_OK)
            break;
        json_array_append_new(
            rows,
            said.steps
                ? json_pack("{s:i, s:o}", "judge", (int)i, "steps", said.steps)
                : json_pack("{s:i, s:s}", "judge", (int)i, "why", said.why));
    }
    consult_close(&j->consult);
    return code;
}

/* Pictures are made once for all judges. */
static int cmd_judge_run(judging *j)
{
    etna_error err = {0};
    json_t *rows = json_array();
    j->pictures = calloc(j->count, sizeof *j->pictures);
    etna_code code =
        j->pictures && rows
            ? ETNA_OK
            : etna_fail(&err, ETNA_E_NOMEM, "out of memory for judges");
    if (code == ETNA_OK)
        code = consult_read_list(j->list, j->model, &j->arena, &j->all,
                                 &j->asked, &err);
    if (code == ETNA_OK)
        code = pictures_make(j, &err);
    if (code == ETNA_OK)
        code = task_make(j, &err);
    if (code == ETNA_OK)
        code = judges_ask(j, rows, &err);
    for (uint32_t i = 0; j->pictures && i < j->count; i++)
        free((void *)(uintptr_t)j->pictures[i].data);
    free(j->pictures);
    etna_arena_free(&j->arena);
    if (code == ETNA_OK)
        return load_print("etna.judgement/1",
                          json_pack("{s:s, s:o, s:o}", "model", j->model,
                                    "judges", rows, "usage",
                                    usage_json(&j->usage)),
                          0);
    json_decref(rows);
    return load_report(&err);
}

int worker_cmd_judge(int argc, char **argv)
{
    judging j = {.options = scene_options_default(),
                 .judges = 5,
                 .patience = 300,
                 .arena = ETNA_ARENA_INIT};
    const flags_row flags[] = {
        {"list", .text = &j.list},
        {"model", .text = &j.model},
        {"steps", .text = &j.steps_file},
        {"goal", .text = &j.goal},
        {"camera", .text = &j.camera},
        {"judges", .number = &j.judges, .least = 1, .most = JUDGES_MAX},
        {"seed", .large = &j.seed, .most = INT32_MAX},
        {"patience", .number = &j.patience, .least = 1, .most = 36000},
        LOAD_UNIT_AND_UP(&j.options),
        {0}};
    int exit_code;
    int first =
        load_flags("etna-worker judge", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    j.files = (const char **)(uintptr_t)(argv + first);
    j.count = (uint32_t)(argc - first);
    bool is_said = j.list && j.model && !j.goal != !j.steps_file;
    bool fits =
        j.goal ? j.count == 2 : j.count >= 2 && j.count <= STATES_MAX + 1;
    if (!is_said || !fits)
        return load_usage(
            "judge wants --list, --model, --steps or --goal, a start and its states");
    return cmd_judge_run(&j);
}
