/* See plan.h. */
#include "coordinator/bench/plan.h"
#include "proto/array.h"

#include <stdio.h>
#include <string.h>

const plan_variant plan_variants[] = {
    {"full", "the whole method", {NULL}},
    {"no-backtracking",
     "the best branch is taken, whatever was said of it; the solver lets collisions pass",
     {"--ablation", "no-backtracking"}},
    {"no-coordinate",
     "the planner gives no coordinate",
     {"--ablation", "no-planner-coordinate"}},
    {"single-agent",
     "one agent plans and places, nobody judges",
     {"--ablation", "single-agent"}},
    {"no-library",
     "no solver and no visual tools",
     {"--ablation", "no-tool-library"}},
    {"no-tools", "no tools at all: a script", {"--ablation", "no-mcp-tools"}},
    {"one-poll", "one evaluator a branch", {"--polls", "1"}},
    {"branches-1", "one branch a step", {"--branches", "1"}},
    {"branches-2", "two branches a step", {"--branches", "2"}},
    {"branches-4",
     "four branches a step, as full has them",
     {"--branches", "4"}},
    {"branches-8", "eight branches a step", {"--branches", "8"}},
    {"one-by-one",
     "four branches, each tried when those before have failed",
     {"--branches-at-once", "1"}},
    {"no-memory",
     "no step is told what failed at its place before",
     {"--memory", "off"}},
    {"paper-solver",
     "the published solver and the published rules of collision and floating",
     {"--paper-solver", "--collision", "paper", "--floating", "paper"}},
    {"basic",
     "basic functions alone, with a picture, no roles and no checks (Blender-MCP)",
     {"--ablation", "basic"}},
    {"basic-3",
     "the same with three rounds of self-refinement",
     {"--ablation", "basic-3"}},
    {NULL, NULL, {NULL}},
};

const plan_variant *plan_find_variant(const char *name)
{
    for (const plan_variant *v = plan_variants; v->name; v++) {
        if (strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}

void plan_job_name(const result_run *run, char *to, size_t size)
{
    snprintf(to, size, "%s.%s.r%u%s", run->scene, run->variant,
             (unsigned)run->repeat, run->is_goal ? ".goal" : "");
}

static bool scene_is_wanted(const suite_scene *scene, const plan_options *o)
{
    bool of_split =
        !o->split || (strcmp(o->split, "test") == 0) == scene->is_test;
    return of_split && (!o->scene || strcmp(o->scene, scene->name) == 0);
}

static bool mode_is_wanted(const suite_scene *scene,
                           const plan_options *o,
                           bool is_goal)
{
    bool of_mode = !o->mode || (strcmp(o->mode, "goal") == 0) == is_goal;
    bool is_there = is_goal ? scene->goal.text != NULL : scene->step_count > 0;
    return of_mode && is_there;
}

static void job_set(plan_job *job,
                    const suite_scene *scene,
                    const plan_variant *variant,
                    uint32_t repeat,
                    bool is_goal)
{
    *job = (plan_job){.scene = scene, .variant = variant};
    job->run = (result_run){.scene = scene->name,
                            .variant = variant->name,
                            .repeat = repeat,
                            .is_goal = is_goal,
                            .is_test = scene->is_test,
                            .is_hard = scene->is_hard};
    plan_job_name(&job->run, job->name, sizeof job->name);
}

etna_code plan_make(const suite *s,
                    const plan_options *o,
                    etna_arena *arena,
                    plan_job **ret_jobs,
                    uint32_t *ret_count,
                    etna_error *err)
{
    size_t most = (size_t)s->scene_count * o->variant_count * o->repeats * 2;
    plan_job *jobs = etna_arena_alloc(arena, most, sizeof *jobs);
    uint32_t count = 0;
    if (!jobs)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %zu runs", most);
    if (o->scene && !suite_find(s, o->scene))
        return etna_fail(err, ETNA_E_USAGE,
                         "bench: the suite has no scene %.80s", o->scene);
    for (uint32_t i = 0; i < s->scene_count; i++) {
        if (!scene_is_wanted(&s->scenes[i], o))
            continue;
        for (uint32_t k = 0; k < o->variant_count * o->repeats * 2; k++) {
            const plan_variant *variant = o->variants[k / 2 / o->repeats];
            bool is_goal = k % 2 == 1;
            if (!mode_is_wanted(&s->scenes[i], o, is_goal))
                continue;
            job_set(&jobs[count++], &s->scenes[i], variant,
                    k / 2 % o->repeats + 1, is_goal);
        }
    }
    if (!count)
        return etna_fail(err, ETNA_E_USAGE,
                         "bench: the suite has nothing that was asked for");
    *ret_jobs = jobs;
    *ret_count = count;
    return ETNA_OK;
}

static bool plan_variant_is_single(const plan_variant *v)
{
    static const char *const names[] = {"single-agent", "basic", "basic-3"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(v->name, names[i]) == 0)
            return true;
    }
    return false;
}

static void flag_add(json_t *flags, const char *name, const char *value)
{
    if (!value)
        return;
    json_array_append_new(flags, json_string(name));
    json_array_append_new(flags, json_string(value));
}

json_t *plan_line(const plan_job *job, const plan_options *o, const char *file)
{
    const suite_scene *scene = job->scene;
    json_t *flags = json_array();
    json_t *steps = json_array();
    for (int i = 0; i < PLAN_FLAGS_MAX && job->variant->flags[i]; i++)
        json_array_append_new(flags, json_string(job->variant->flags[i]));
    json_array_append_new(flags, json_string("--step-scenes"));
    if (o->no_images)
        json_array_append_new(flags, json_string("--no-images"));
    flag_add(flags, "--model", o->model);
    flag_add(flags, "--models", o->models);
    flag_add(flags, "--reader", o->reader);
    flag_add(flags, "--facts", o->facts);
    /* a suite's instruction may be a swap; single agents are asked for one edit
     * each by their prompts */
    bool is_list = !job->run.is_goal && o->model;
    if (is_list && !plan_variant_is_single(job->variant))
        flag_add(flags, "--list-edits", "several");
    flag_add(flags, "--camera", scene->camera);
    flag_add(flags, "--unit", scene->unit);
    flag_add(flags, "--up", scene->up);
    for (uint32_t i = 0; !job->run.is_goal && i < scene->step_count; i++)
        json_array_append_new(steps, json_string(scene->steps[i].text));
    json_t *line = json_pack(
        "{s:s, s:s, s:I, s:o}", "name", job->name, "scene", file, "seed",
        (json_int_t)(o->seed + job->run.repeat - 1), "flags", flags);
    if (!line) {
        json_decref(steps);
        return NULL;
    }
    json_object_set_new(line, job->run.is_goal ? "goal" : "steps",
                        job->run.is_goal ? json_string(scene->goal.text)
                                         : json_incref(steps));
    json_decref(steps);
    return line;
}
