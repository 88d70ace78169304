/* The scenes of branches that were not kept, held against the suite's
 * predicates. See bench_folder.h.
 *
 * A run leaves their snapshots. Two waves of children: `etna-worker export`
 * makes GLBs of them in DIR/tried, and `etna-referee --facts` looks at each;
 * what a kept edit left, the verdicts know. What comes of a run lies in
 * verdicts/NAME.tried.json, and the GLBs are removed: there may be thousands. */
#include "coordinator/bench/tried.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/report/field.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One run that left branches. `verdict` is owned, NULL where there is none; the
 * looks are the folder's arena's. */
typedef struct tried_job {
    const plan_job *job;
    const json_t *document; /* borrowed */
    json_t *verdict;
    tried_looks looks;
    int edits[SUITE_STEPS_MAX]; /* results_states */
} tried_job;

/* The two waves of children. The lists move when they grow; what `asked` points
 * to does not, as it is in an arena. */
typedef struct trying {
    bench_folder *f;
    tried_job *jobs;
    bench_child *exports, *facts;
    tried_look **asked; /* what a child of `facts` finds out */
    uint32_t export_count, fact_count;
    etna_error *err;
} trying;

static etna_code trying_fail(trying *t)
{
    return etna_fail(t->err, ETNA_E_NOMEM, "out of memory for branches");
}

static void tried_path(const bench_folder *f,
                       const plan_job *job,
                       char *to,
                       size_t size)
{
    snprintf(to, size, "%s/verdicts/%s.tried.json", f->path, job->name);
}

/* ---- where a scene is ---- */

/* From 0; the list's size where the hash is not in it. */
static size_t list_place(const json_t *list, const char *hash)
{
    size_t i = 0;
    while (i < json_array_size(list)) {
        const char *one = json_string_value(json_array_get(list, i));
        if (one && strcmp(one, hash) == 0)
            break;
        i++;
    }
    return i;
}

/* The number of the kept edit that left it, from 1; 0: none did. */
static size_t kept_edit(const json_t *document, const char *hash)
{
    const json_t *steps = json_object_get(document, "steps");
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        if (strcmp(field_string(step, "snapshot"), hash) == 0)
            return i + 1;
    }
    return 0;
}

/* The GLB that is, or will be, the snapshot's; NULL: there is none, or no
 * memory. */
static const char *snapshot_glb(trying *t, const tried_job *j, const char *hash)
{
    etna_arena *arena = &t->f->arena;
    if (!hash)
        return bench_folder_scene(t->f, j->job->scene);
    size_t edit = kept_edit(j->document, hash);
    if (edit)
        return etna_arena_printf(arena, "%s/runs/%s/step-%02zu.glb", t->f->path,
                                 j->job->name, edit);
    const json_t *tried = json_object_get(j->document, "tried_blobs");
    size_t at = list_place(tried, hash);
    if (at == json_array_size(tried))
        return NULL;
    return etna_arena_printf(arena, "%s/tried/%s-%02zu.glb", t->f->path,
                             j->job->name, at + 1);
}

/* What the verdict says of the look; unseen: nothing. The referee looked at one
 * scene for each instruction, the one after its last edit, so only a branch
 * that left that very scene is known. */
static tried_done verdict_knows(const tried_job *j, const tried_look *look)
{
    const json_t *step =
        json_array_get(json_object_get(j->verdict, "steps"), look->item - 1);
    int edit = j->edits[look->item - 1];
    bool is_state =
        edit > 0 && kept_edit(j->document, look->after) == (size_t)edit;
    if (!is_state || !json_is_true(json_object_get(step, "reached")))
        return TRIED_UNSEEN;
    return json_is_true(json_object_get(step, "done")) ? TRIED_DONE
                                                       : TRIED_NOT_DONE;
}

/* ---- the children ---- */

/* `number` is the snapshot's among those of the run, from 1, as output.h names
 * its file. files_remove knows the place of the GLB among the words. */
static etna_code export_add(trying *t, const tried_job *j, size_t number)
{
    etna_arena *arena = &t->f->arena;
    const suite_scene *scene = j->job->scene;
    const char *snapshot =
        etna_arena_printf(arena, "%s/runs/%s/tried-%02zu.snapshot", t->f->path,
                          j->job->name, number);
    const char *to = etna_arena_printf(arena, "%s/tried/%s-%02zu.glb",
                                       t->f->path, j->job->name, number);
    const char **words = etna_arena_alloc(arena, 16, sizeof *words);
    bench_child *child = &t->exports[t->export_count++];
    size_t at = 0;
    if (!snapshot || !to || !words)
        return trying_fail(t);
    words[at++] = "etna-worker";
    words[at++] = "export";
    words[at++] = bench_folder_scene(t->f, scene);
    words[at++] = "--snapshot";
    words[at++] = snapshot;
    words[at++] = "-o";
    words[at++] = to;
    if (scene->unit) {
        words[at++] = "--unit";
        words[at++] = scene->unit;
    }
    if (scene->up) {
        words[at++] = "--up";
        words[at++] = scene->up;
    }
    *child = (bench_child){.words = words,
                           .program = "etna-worker",
                           .output = etna_arena_printf(arena, "%s.txt", to)};
    return child->output ? ETNA_OK : trying_fail(t);
}

/* The suite, the scene, its start, then the scene before the instruction and
 * after it; those before are not looked at. */
static etna_code fact_add(trying *t, const tried_job *j, tried_look *look)
{
    etna_arena *arena = &t->f->arena;
    const char *before = snapshot_glb(t, j, look->before);
    const char *after = snapshot_glb(t, j, look->after);
    const char **words =
        etna_arena_alloc(arena, SUITE_STEPS_MAX + 8, sizeof *words);
    if (!before || !after)
        return ETNA_OK; /* it stays unseen */
    if (!words)
        return trying_fail(t);
    size_t at = 0;
    words[at++] = "etna-referee";
    words[at++] = "--facts";
    words[at++] = etna_arena_printf(arena, "%s/SUITE.json", t->f->path);
    words[at++] = j->job->run.scene;
    words[at++] = bench_folder_scene(t->f, j->job->scene);
    for (uint32_t i = 2; i < look->item; i++)
        words[at++] = "-";
    if (look->item > 1)
        words[at++] = before;
    words[at++] = after;
    bench_child *child = &t->facts[t->fact_count];
    *child = (bench_child){
        .words = words,
        .program = "etna-referee",
        .output = etna_arena_printf(arena, "%s/tried/%u.json", t->f->path,
                                    (unsigned)t->fact_count)};
    t->asked[t->fact_count++] = look;
    return child->output ? ETNA_OK : trying_fail(t);
}

/* Grows the lists by what the job wants. What was grown before another one
 * fails is kept: the caller frees all three in any case. */
static etna_code lists_grow(trying *t, size_t exports, size_t facts)
{
    bench_child *grown = realloc(t->exports, (t->export_count + exports + 1) *
                                                 sizeof *t->exports);
    if (grown)
        t->exports = grown;
    bench_child *more =
        realloc(t->facts, (t->fact_count + facts + 1) * sizeof *t->facts);
    if (more)
        t->facts = more;
    tried_look **asked =
        realloc(t->asked, (t->fact_count + facts + 1) * sizeof *t->asked);
    if (asked)
        t->asked = asked;
    return grown && more && asked ? ETNA_OK : trying_fail(t);
}

/* Every snapshot is exported, but only looks that the verdict does not answer
 * cost a child of the referee. */
static etna_code tried_job_prepare(trying *t, tried_job *j)
{
    uint32_t count = j->job->scene->step_count;
    char path[sizeof t->f->path + SUITE_NAME_MAX + 32];
    size_t exports =
        json_array_size(json_object_get(j->document, "tried_blobs"));
    snprintf(path, sizeof path, "%s/verdicts/%s.json", t->f->path,
             j->job->name);
    j->verdict = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    results_states(j->document, count, false, j->edits);
    if (!tried_find(j->document, count, &t->f->arena, &j->looks))
        return trying_fail(t);
    etna_code code = lists_grow(t, exports, j->looks.count);
    for (size_t i = 1; !code && i <= exports; i++)
        code = export_add(t, j, i);
    for (size_t i = 0; !code && i < j->looks.count; i++) {
        tried_look *look = &j->looks.list[i];
        look->done = verdict_knows(j, look);
        if (look->done == TRIED_UNSEEN)
            code = fact_add(t, j, look);
    }
    return code;
}

/* What a child could not look at stays unseen: nothing that is measured rests
 * on it alone. */
static void fact_take(const trying *t, uint32_t i)
{
    json_t *said = t->facts[i].status == 0
                       ? json_load_file(t->facts[i].output, 0, NULL)
                       : NULL;
    tried_look *look = t->asked[i];
    const json_t *step =
        json_array_get(json_object_get(said, "steps"), look->item - 1);
    if (step)
        look->done = json_is_true(json_object_get(step, "done"))
                         ? TRIED_DONE
                         : TRIED_NOT_DONE;
    json_decref(said);
}

/* What was made on the way is large and of no use afterwards: a scene and its
 * facts for each branch. */
static void files_remove(const trying *t)
{
    for (uint32_t i = 0; i < t->export_count; i++) {
        unlink(t->exports[i].output);
        unlink(t->exports[i].words[6]); /* the GLB */
    }
    for (uint32_t i = 0; i < t->fact_count; i++)
        unlink(t->facts[i].output);
}

/* Beside the results of the run, so that a benchmark that is scored again need
 * not make these scenes once more. */
static etna_code tried_write(trying *t, const tried_job *j)
{
    char path[sizeof t->f->path + SUITE_NAME_MAX + 32];
    json_t *told =
        tried_tell(j->document, j->job->scene->step_count, &j->looks);
    char *dump = told ? json_dumps(told, JSON_COMPACT) : NULL;
    tried_path(t->f, j->job, path, sizeof path);
    etna_code code = dump ? bench_file_write(path, dump, strlen(dump), t->err)
                          : trying_fail(t);
    free(dump);
    json_decref(told);
    return code;
}

/* What must be made and judged of each run that has a document. A goal's run
 * has no predicates of single steps to judge its branches by. */
static etna_code trying_prepare(trying *t, json_t *const *documents)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; !code && i < t->f->job_count; i++) {
        t->jobs[i] =
            (tried_job){.job = &t->f->jobs[i], .document = documents[i]};
        if (documents[i] && !t->f->jobs[i].run.is_goal)
            code = tried_job_prepare(t, &t->jobs[i]);
    }
    return code;
}

/* Makes the branches' scenes, has them judged, and writes down what came of
 * it. What was made for that is removed, whatever happens. */
static etna_code trying_run(trying *t, json_t *const *documents)
{
    etna_code code = trying_prepare(t, documents);
    if (!code && t->export_count)
        code = bench_children_run(t->exports, t->export_count, bench_cpus(),
                                  "branches made", t->err);
    if (!code && t->fact_count)
        code = bench_children_run(t->facts, t->fact_count, bench_cpus(),
                                  "branches judged", t->err);
    for (uint32_t i = 0; !code && i < t->fact_count; i++)
        fact_take(t, i);
    for (uint32_t i = 0; !code && i < t->f->job_count; i++) {
        if (t->jobs[i].verdict)
            code = tried_write(t, &t->jobs[i]);
    }
    files_remove(t);
    return code;
}

etna_code bench_tried_judge(bench_folder *f,
                            json_t *const *documents,
                            etna_error *err)
{
    trying t = {.f = f, .err = err};
    if (mkdirat(f->fd, "tried", 0777) && errno != EEXIST)
        return etna_fail(err, ETNA_E_IO, "%.1000s/tried: %s", f->path,
                         strerror(errno));
    t.jobs = calloc((size_t)f->job_count + 1, sizeof *t.jobs);
    etna_code code = t.jobs ? trying_run(&t, documents) : trying_fail(&t);
    for (uint32_t i = 0; t.jobs && i < f->job_count; i++)
        json_decref(t.jobs[i].verdict);
    free(t.jobs);
    free(t.exports);
    free(t.facts);
    free(t.asked);
    return code;
}

json_t *bench_tried_load(const bench_folder *f, const plan_job *job)
{
    char path[sizeof f->path + SUITE_NAME_MAX + 32];
    tried_path(f, job, path, sizeof path);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}
