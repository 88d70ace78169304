/* What models say of the steps' pictures: plausibility and consistency, by
 * several judges who are not told what made the steps. Each run's judgement is
 * a file; who is killed goes on with the next one. */
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/report/field.h"
#include "coordinator/report/terminal.h"
#include "proto/fd.h"
#include "proto/message.h"
#include "store/wholefile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct judging {
    bench_folder *f;
    bench_judges how;
    const char *model;
    char list[32]; /* the list of models as a file that children inherit */
    int list_fd;
    char numbers[3][24];
    bench_child *children; /* of those jobs that are to be judged */
    uint32_t count;
    double spent; /* by all judgements that are there */
    etna_error *err;
} judging;

static const char *judgement_path(bench_folder *f,
                                  const plan_job *job,
                                  const char *ending)
{
    return etna_arena_printf(&f->arena, "%s/judgements/%s.%s", f->path,
                             job->name, ending);
}

static json_t *judgement_load(const bench_folder *f,
                              const plan_job *job,
                              const char *ending)
{
    char path[sizeof f->path + SUITE_NAME_MAX + 32];
    snprintf(path, sizeof path, "%s/judgements/%s.%s", f->path, job->name,
             ending);
    json_t *judgement = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (strcmp(field_string(judgement, "schema"), "etna.judgement/1") == 0)
        return judgement;
    json_decref(judgement);
    return NULL;
}

json_t *bench_judgement_load(const bench_folder *f, const plan_job *job)
{
    return judgement_load(f, job, "json");
}

/* What etna-referee says that it made of the run's steps; NULL: nothing. */
static json_t *near_load(const bench_folder *f, const plan_job *job)
{
    char path[sizeof f->path + SUITE_NAME_MAX + 32];
    snprintf(path, sizeof path, "%s/near/%s.json", f->path, job->name);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

json_t *bench_near_load(const bench_folder *f,
                        const plan_job *job,
                        json_t **ret_near)
{
    json_t *judgement = judgement_load(f, job, "near.json");
    *ret_near = judgement ? near_load(f, job) : NULL;
    return judgement;
}

static double judgement_cost(const json_t *judgement)
{
    return json_number_value(
        json_object_get(json_object_get(judgement, "usage"), "cost"));
}

/* By the same model, as many. */
static bool judgement_holds(const judging *j, const json_t *judgement)
{
    bool of_model = strcmp(field_string(judgement, "model"), j->model) == 0;
    return of_model && json_array_size(json_object_get(judgement, "judges")) ==
                           j->how.count;
}

/* ---- who judges ---- */

static etna_code models_open(judging *j)
{
    const char *json = NULL, *name = j->how.model;
    etna_arena *arena = &j->f->arena;
    models all;
    char path[4096];
    etna_code code = ETNA_OK;
    if (!name) {
        code = models_file_all(j->how.models, arena, &all, path, sizeof path,
                               j->err);
        if (!code)
            name = all.role_model[ROLE_JUDGE];
        if (!code && !name)
            return etna_fail(
                j->err, ETNA_E_USAGE,
                "bench: who judges? --judge-model NAME, or `roles: {judge: NAME}` in %.300s",
                path);
    }
    if (code)
        return code;
    if (strcmp(name, "builtin") == 0)
        return etna_fail(
            j->err, ETNA_E_USAGE,
            "bench: the built-in agent has no eyes; a judge needs a model");
    code = models_file_cut(j->how.models, name, NULL, arena, &json, j->err);
    if (code)
        return code;
    j->model = name;
    j->list_fd = memfd_create("etna-models", 0); /* inherited */
    if (j->list_fd < 0 || !fd_write(j->list_fd, json, strlen(json)))
        return etna_fail(j->err, ETNA_E_IO, "memory for the list of models: %s",
                         strerror(errno));
    snprintf(j->list, sizeof j->list, "/proc/self/fd/%d", j->list_fd);
    return ETNA_OK;
}

/* Who made the steps should not judge them. */
static void models_warn(const judging *j)
{
    const char *actor =
        field_string(json_object_get(j->f->manifest, "plan"), "model");
    if (strcmp(actor, j->model) != 0)
        return;
    terminal_printf(
        stderr,
        "etna: %s judges its own steps; choose another with --judge-model",
        j->model);
    putc('\n', stderr);
}

/* ---- a run ---- */

/* The instructions of the steps that were reached, a line each. */
static etna_code steps_write(judging *j,
                             const plan_job *job,
                             const char *const *states,
                             const char *path)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return etna_fail(j->err, ETNA_E_IO, "%.300s: %s", path,
                         strerror(errno));
    for (uint32_t i = 0; i < job->scene->step_count; i++) {
        if (strcmp(states[i], "-") == 0)
            continue;
        for (const char *at = job->scene->steps[i].text; *at; at++)
            putc(*at == '\n' ? ' ' : *at, file);
        putc('\n', file);
    }
    bool is_written = !ferror(file);
    if (fclose(file) || !is_written)
        return etna_fail(j->err, ETNA_E_IO, "%.300s: cannot be written", path);
    return ETNA_OK;
}

static size_t judge_word_add(const char **words,
                             size_t at,
                             const char *flag,
                             const char *value)
{
    if (!value)
        return at;
    words[at++] = flag;
    words[at++] = value;
    return at;
}

static etna_code job_words(judging *j,
                           const plan_job *job,
                           const char *const *states,
                           uint32_t count,
                           const char *ending,
                           const char **words)
{
    const suite_scene *scene = job->scene;
    const char *steps = judgement_path(j->f, job, ending);
    size_t at = 0;
    if (!steps)
        return etna_fail(j->err, ETNA_E_NOMEM, "out of memory for judges");
    words[at++] = "etna-worker";
    words[at++] = "judge";
    at = judge_word_add(words, at, "--list", j->list);
    at = judge_word_add(words, at, "--model", j->model);
    at = judge_word_add(words, at, "--judges", j->numbers[0]);
    at = judge_word_add(words, at, "--seed", j->numbers[1]);
    at = judge_word_add(words, at, "--patience", j->numbers[2]);
    at = judge_word_add(words, at, "--camera", scene->camera);
    at = judge_word_add(words, at, "--unit", scene->unit);
    at = judge_word_add(words, at, "--up", scene->up);
    at = judge_word_add(words, at, "--goal",
                        job->run.is_goal ? scene->goal.text : NULL);
    at = judge_word_add(words, at, "--steps", job->run.is_goal ? NULL : steps);
    words[at++] = bench_folder_scene(j->f, scene);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(states[i], "-") != 0)
            words[at++] = states[i];
    }
    words[at] = NULL;
    return job->run.is_goal ? ETNA_OK : steps_write(j, job, states, steps);
}

/* Whether it was judged already, which then counts as spent. */
static bool judgement_is_there(judging *j,
                               const plan_job *job,
                               const char *ending)
{
    json_t *known = judgement_load(j->f, job, ending);
    bool holds = known && judgement_holds(j, known);
    if (holds)
        j->spent += judgement_cost(known);
    json_decref(known);
    return holds;
}

/* How many of the run's scenes there are. */
static etna_code job_states(judging *j,
                            const plan_job *job,
                            const char **states,
                            uint32_t *ret_count,
                            uint32_t *ret_reached)
{
    json_t *document = bench_job_document(j->f, job);
    etna_code code =
        bench_job_states(j->f, job, document, states, ret_count, j->err);
    json_decref(document);
    *ret_reached = 0;
    for (uint32_t i = 0; !code && i < *ret_count; i++)
        *ret_reached += strcmp(states[i], "-") != 0;
    return code;
}

static etna_code child_add(judging *j,
                           const plan_job *job,
                           const char *const *states,
                           uint32_t count,
                           bool is_near)
{
    const char **words =
        etna_arena_alloc(&j->f->arena, SUITE_STEPS_MAX + 32, sizeof *words);
    const char *output =
        judgement_path(j->f, job, is_near ? "near.json" : "json");
    if (!words || !output)
        return etna_fail(j->err, ETNA_E_NOMEM, "out of memory for judges");
    etna_code code = job_words(j, job, states, count,
                               is_near ? "near.steps" : "steps", words);
    j->children[j->count++] = (bench_child){
        .program = "etna-worker", .words = words, .output = output};
    return code;
}

/* Nothing is asked of what was not reached, or was judged already. */
static etna_code job_prepare(judging *j, const plan_job *job)
{
    const char *states[SUITE_STEPS_MAX];
    uint32_t count = 0, reached = 0;
    if (judgement_is_there(j, job, "json"))
        return ETNA_OK;
    etna_code code = job_states(j, job, states, &count, &reached);
    return code || !reached ? code : child_add(j, job, states, count, false);
}

/* ---- steps nearly done ---- */

/* As far from done as is wanted now. */
static bool near_holds(const judging *j, const plan_job *job)
{
    json_t *near = near_load(j->f, job);
    bool holds = json_number_value(json_object_get(near, "past_m")) ==
                 strtod(j->how.near, NULL);
    json_decref(near);
    return holds;
}

static const char *near_folder(bench_folder *f, const plan_job *job)
{
    return etna_arena_printf(&f->arena, "%s/near/%s", f->path, job->name);
}

/* The referee's command line, as bench_score.c has it. */
static etna_code near_child_add(judging *j,
                                const plan_job *job,
                                bench_child *to)
{
    etna_arena *arena = &j->f->arena;
    uint32_t count = 0, reached = 0;
    const char **words =
        etna_arena_alloc(arena, SUITE_STEPS_MAX + 16, sizeof *words);
    const char *folder = near_folder(j->f, job);
    to->program = "etna-referee";
    to->words = words;
    to->output =
        etna_arena_printf(arena, "%s/near/%s.json", j->f->path, job->name);
    const char *old = judgement_path(j->f, job, "near.json");
    if (!words || !folder || !to->output || !old)
        return etna_fail(j->err, ETNA_E_NOMEM, "out of memory for the referee");
    unlink(old); /* of other scenes, and we may be killed before the new one */
    bool is_there = !mkdir(folder, 0777) || errno == EEXIST;
    if (!is_there)
        return etna_fail(j->err, ETNA_E_IO, "%.300s: %s", folder,
                         strerror(errno));
    size_t at = 0;
    words[at++] = "etna-referee";
    at = judge_word_add(words, at, "--near", folder);
    at = judge_word_add(words, at, "--past", j->how.near);
    if (job->run.is_goal)
        words[at++] = "--goal";
    words[at++] = etna_arena_printf(arena, "%s/SUITE.json", j->f->path);
    words[at++] = job->run.scene;
    words[at++] = bench_folder_scene(j->f, job->scene);
    return job_states(j, job, words + at, &count, &reached);
}

/* Which steps of the run there are nearly done; the others are passed over. */
static etna_code near_prepare(judging *j, const plan_job *job)
{
    const char *states[SUITE_STEPS_MAX];
    const char *folder = near_folder(j->f, job);
    const uint32_t count = job->run.is_goal ? 1 : job->scene->step_count;
    json_t *near = near_load(j->f, job), *one;
    json_t *list = json_object_get(near, "near");
    size_t i;
    bool good = folder != NULL;
    for (uint32_t k = 0; k < count; k++)
        states[k] = "-";
    json_array_foreach(list, i, one)
    {
        long long step = field_integer(one, "step");
        if (step < 1 || step > count)
            continue;
        states[step - 1] = etna_arena_printf(&j->f->arena, "%s/%s", folder,
                                             field_string(one, "file"));
        good = good && states[step - 1];
    }
    bool is_any = json_array_size(list) > 0;
    json_decref(near);
    if (!good)
        return etna_fail(j->err, ETNA_E_NOMEM, "out of memory for judges");
    return is_any ? child_add(j, job, states, count, true) : ETNA_OK;
}

/* Those that are not made and judged as far from done as is wanted. */
static etna_code nears_prepare(judging *j)
{
    bench_folder *f = j->f;
    bool has_folder = !mkdirat(f->fd, "near", 0777) || errno == EEXIST;
    bench_child *list = calloc((size_t)f->job_count + 1, sizeof *list);
    const plan_job **of = calloc((size_t)f->job_count + 1, sizeof *of);
    uint32_t count = 0;
    etna_code code = ETNA_OK;
    if (!has_folder || !list || !of)
        code = etna_fail(j->err, has_folder ? ETNA_E_NOMEM : ETNA_E_IO,
                         "%.1000s/near: %s", f->path, strerror(errno));
    for (uint32_t i = 0; !code && i < f->job_count; i++) {
        const plan_job *job = &f->jobs[i];
        bool is_known =
            near_holds(j, job) && judgement_is_there(j, job, "near.json");
        if (is_known)
            continue;
        of[count] = job;
        code = near_child_add(j, job, &list[count++]);
    }
    if (!code && count)
        code = bench_children_run(list, count, bench_cpus(), "made nearly done",
                                  j->err);
    for (uint32_t i = 0; !code && i < count; i++)
        code =
            list[i].status == 0
                ? near_prepare(j, of[i])
                : etna_fail(j->err, ETNA_E_INPUT,
                            "%.300s: cannot be made (etna-referee --near: %d)",
                            list[i].output, list[i].status);
    free(list);
    free((void *)of);
    return code;
}

/* Scenes that were looked at: each can be made again. */
static void nears_remove(judging *j)
{
    for (uint32_t i = 0; i < j->f->job_count; i++) {
        const char *folder = near_folder(j->f, &j->f->jobs[i]);
        char path[4096];
        for (unsigned k = 1; folder && k <= SUITE_STEPS_MAX; k++) {
            snprintf(path, sizeof path, "%s/near-%02u.glb", folder, k);
            unlink(path);
        }
        if (folder)
            rmdir(folder);
    }
}

/* ---- all ---- */

static etna_code jobs_run(judging *j, uint32_t from, uint32_t count)
{
    etna_code code =
        bench_children_run(j->children + from, count, count, "judged", j->err);
    for (uint32_t i = from; !code && i < from + count; i++) {
        json_t *said = j->children[i].status == 0
                           ? json_load_file(j->children[i].output, 0, NULL)
                           : NULL;
        j->spent += judgement_cost(said);
        if (!said)
            code = etna_fail(j->err, ETNA_E_NETWORK,
                             "%.300s: was not judged (etna-worker judge: %d)",
                             j->children[i].output, j->children[i].status);
        json_decref(said);
    }
    return code;
}

static etna_code judging_run(judging *j)
{
    etna_code code = models_open(j);
    if (code)
        return code;
    models_warn(j);
    snprintf(j->numbers[0], sizeof j->numbers[0], "%u", (unsigned)j->how.count);
    snprintf(j->numbers[1], sizeof j->numbers[1], "%llu",
             (unsigned long long)j->how.seed);
    snprintf(j->numbers[2], sizeof j->numbers[2], "%u",
             (unsigned)j->how.patience_s);
    for (uint32_t i = 0; !code && i < j->f->job_count; i++)
        code = job_prepare(j, &j->f->jobs[i]);
    if (!code && j->how.near)
        code = nears_prepare(j);
    for (uint32_t at = 0, step; !code && at < j->count; at += step) {
        step = j->count - at < j->how.at_once ? j->count - at : j->how.at_once;
        const double spent = j->how.spent_before + j->spent;
        bool is_spent =
            j->how.max_cost && spent * 1e6 >= (double)j->how.max_cost;
        if (is_spent)
            return etna_fail(
                j->err, ETNA_E_USAGE,
                "bench: %s cost %.4f, the most that --max-cost allows; %u runs are not judged",
                j->how.spent_before > 0 ? "runs and judges have"
                                        : "the judges have",
                spent, (unsigned)(j->count - at));
        code = jobs_run(j, at, step);
    }
    if (j->how.near && !code)
        nears_remove(j);
    if (code)
        return code;
    terminal_printf(stderr, "judges: %u runs by %s, %.4f in all",
                    (unsigned)j->count, j->model, j->spent);
    putc('\n', stderr);
    return ETNA_OK;
}

etna_code bench_judge(bench_folder *f,
                      const bench_judges *judges,
                      etna_error *err)
{
    judging j = {.f = f, .how = *judges, .list_fd = -1, .err = err};
    bool has_folder = !mkdirat(f->fd, "judgements", 0777) || errno == EEXIST;
    if (!has_folder)
        return etna_fail(err, ETNA_E_IO, "%.1000s/judgements: %s", f->path,
                         strerror(errno));
    j.children = calloc(2 * (size_t)f->job_count + 1, sizeof *j.children);
    etna_code code =
        j.children ? judging_run(&j)
                   : etna_fail(err, ETNA_E_NOMEM, "out of memory for judges");
    if (j.list_fd >= 0)
        close(j.list_fd);
    free(j.children);
    return code;
}
