/* What a benchmark's runs left, judged by etna-referee, one process a run; and
 * what is written of it.
 *
 * Begin at scoring_run: the batch's journal, one child of the referee for each
 * job, rows from its verdicts, then the files. The referee is a program of its
 * own and shares no rule with what it judges but the geometry; its exit code 3
 * says that an input is at fault. results.jsonl holds no time, so that a
 * benchmark that was interrupted ends with the same bytes; times are in
 * times.jsonl. */
#include "coordinator/bench/gallery.h"
#include "coordinator/bench/metrics.h"
#include "coordinator/bench/tally.h"
#include "coordinator/cli/batch_folder.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/report/field.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct scoring {
    bench_folder *f;
    bench_child *children; /* one a job */
    json_t **documents;    /* a job's run.json, or NULL */
    /* what the batch's journal says of each run that has ended, by name */
    json_t *ended;
    json_t *rows; /* all lines */
    json_t *times;
    etna_error *err;
} scoring;

/* ---- what there is of a run ---- */

/* A run that was given twice has its last word. */
static void ended_take(void *context, const json_t *record)
{
    bool is_ended = strcmp(field_string(record, "state"), "ended") == 0;
    if (is_ended)
        json_object_set_new(context, field_string(record, "name"),
                            json_deep_copy(record));
}

/* What was refused leaves no run.json; why it was is in the journal. */
static etna_code ended_read(scoring *s)
{
    char path[sizeof s->f->path + 32];
    batch_folder runs;
    if (s->f->from)
        return ETNA_OK;
    snprintf(path, sizeof path, "%s/runs", s->f->path);
    etna_code code = batch_folder_open(path, &runs, s->err);
    if (code)
        return code;
    code = batch_folder_read(&runs, ended_take, s->ended, s->err);
    batch_folder_close(&runs);
    return code;
}

/* NULL: the run left none, or was made by another system. */
json_t *bench_job_document(const bench_folder *f, const plan_job *job)
{
    char path[sizeof f->path + SUITE_NAME_MAX + 32];
    if (f->from)
        return NULL;
    snprintf(path, sizeof path, "%s/runs/%s/run.json", f->path, job->name);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

/* The scene after so many edits; 0: that at the start. */
static const char *state_of_run(bench_folder *f, const plan_job *job, int edits)
{
    if (edits < 0)
        return "-";
    if (edits == 0)
        return bench_folder_scene(f, job->scene);
    return etna_arena_printf(&f->arena, "%s/runs/%s/step-%02d.glb", f->path,
                             job->name, edits);
}

/* A file that another system left for the step, or "-". */
static const char *state_of_other(bench_folder *f,
                                  const plan_job *job,
                                  uint32_t step)
{
    const char *folder = f->from, *scene = job->run.scene;
    const char *path =
        job->run.is_goal
            ? etna_arena_printf(&f->arena, "%s/%s/goal.glb", folder, scene)
            : etna_arena_printf(&f->arena, "%s/%s/step-%02u.glb", folder, scene,
                                (unsigned)step);
    return path && access(path, R_OK) ? "-" : path;
}

/* `ret` has room for a suite's steps; "-" stands for a step that was not
 * reached. */
etna_code bench_job_states(bench_folder *f,
                           const plan_job *job,
                           const json_t *document,
                           const char **ret,
                           uint32_t *ret_count,
                           etna_error *err)
{
    uint32_t count = job->run.is_goal ? 1 : job->scene->step_count;
    int edits[SUITE_STEPS_MAX];
    results_states(document, count, job->run.is_goal, edits);
    for (uint32_t i = 0; i < count; i++) {
        ret[i] = f->from ? state_of_other(f, job, i + 1)
                         : state_of_run(f, job, edits[i]);
        if (!ret[i])
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory for a run's scenes");
    }
    *ret_count = count;
    return ETNA_OK;
}

/* Bytes of the scenes that the referee reads for the job: what it reckons grows
 * with them. */
static double job_weight(const char *const *files)
{
    double sum = 0;
    struct stat status;
    for (; *files; files++)
        sum += stat(*files, &status) ? 0 : (double)status.st_size;
    return sum;
}

/* The referee's command line: the suite, the scene's name, the scene at the
 * start, then a file for each step. */
static etna_code job_ask(scoring *s, uint32_t i)
{
    const plan_job *job = &s->f->jobs[i];
    etna_arena *arena = &s->f->arena;
    const char **words =
        etna_arena_alloc(arena, SUITE_STEPS_MAX + 8, sizeof *words);
    size_t at = 0;
    uint32_t count = 0;
    s->documents[i] = bench_job_document(s->f, job);
    s->children[i].program = "etna-referee";
    s->children[i].output =
        etna_arena_printf(arena, "%s/verdicts/%s.json", s->f->path, job->name);
    s->children[i].words = words;
    if (!words || !s->children[i].output)
        return etna_fail(s->err, ETNA_E_NOMEM, "out of memory for the referee");
    words[at++] = "etna-referee";
    if (job->run.is_goal)
        words[at++] = "--goal";
    words[at++] = etna_arena_printf(arena, "%s/SUITE.json", s->f->path);
    words[at++] = job->run.scene;
    words[at++] = bench_folder_scene(s->f, job->scene);
    etna_code code = bench_job_states(s->f, job, s->documents[i], words + at,
                                      &count, s->err);
    if (!code)
        s->children[i].weight = job_weight(words + at);
    return code;
}

/* ---- what was made of it ---- */

/* How long the run's calls of models were under way, in sum. */
static double model_time(const json_t *document)
{
    double sum = 0;
    size_t i;
    json_t *role;
    json_array_foreach(
        json_object_get(json_object_get(document, "usage"), "by_role"), i, role)
        sum += json_number_value(json_object_get(role, "waited_s"));
    return sum;
}

/* A number of all requests by role ("bytes_sent"), those that were cancelled
 * among them: how many these are depends on who was first, so that it stands
 * beside times. NULL: out of memory. */
static json_t *sent_by_role(const json_t *document, const char *key)
{
    json_t *ret = json_object();
    size_t i;
    json_t *role;
    json_array_foreach(
        json_object_get(json_object_get(document, "usage"), "by_role"), i, role)
        json_object_set(ret, field_string(role, "role"),
                        json_object_get(json_object_get(role, "spent"), key));
    return ret;
}

/* Of all that was asked, as sent_by_role. */
static double money_spent(const json_t *document)
{
    const json_t *usage = json_object_get(document, "usage");
    return json_number_value(
        json_object_get(json_object_get(usage, "spent"), "cost"));
}

/* What is odd about another system's scenes, the first time for each list: the
 * rest will be like it. */
static void others_tell(const plan_job *job, const json_t *verdict)
{
    size_t i;
    json_t *step;
    json_array_foreach(json_object_get(verdict, "steps"), i, step)
    {
        const char *strange = field_string(step, "strange");
        if (!*strange)
            continue;
        fprintf(stderr, "%s, step %zu: ", job->run.scene, i + 1);
        terminal_print(stderr, strange);
        putc('\n', stderr);
        return;
    }
}

/* Was it never run, not even to be refused? Its steps are no failures of
 * anybody's. */
static bool job_is_left_out(const scoring *s, uint32_t i)
{
    const json_t *ended = json_object_get(s->ended, s->f->jobs[i].name);
    return !s->f->from && !s->documents[i] && !ended;
}

/* A child's failure ends the scoring: a table that lacks a run would compare
 * unlike sets. */
static etna_code job_take(scoring *s, uint32_t i)
{
    const plan_job *job = &s->f->jobs[i];
    if (s->children[i].status != 0)
        return etna_fail(s->err,
                         s->children[i].status == 3 ? ETNA_E_INPUT : ETNA_E_IO,
                         "%s cannot be judged (etna-referee: %d)", job->name,
                         s->children[i].status);
    json_t *verdict =
        json_load_file(s->children[i].output, JSON_REJECT_DUPLICATES, NULL);
    json_t *judgement = bench_judgement_load(s->f, job),
           *tried = bench_tried_load(s->f, job);
    json_t *near = NULL, *near_judgement = bench_near_load(s->f, job, &near);
    const result_sources from = {.document = s->documents[i],
                                 .ended = json_object_get(s->ended, job->name),
                                 .verdict = verdict,
                                 .judgement = judgement,
                                 .near = near,
                                 .near_judgement = near_judgement,
                                 .tried = tried};
    json_t *rows = verdict ? results_of(&job->run, job->scene, &from) : NULL;
    if (s->f->from)
        others_tell(job, verdict);
    json_decref(judgement);
    json_decref(near);
    json_decref(near_judgement);
    json_decref(tried);
    json_decref(verdict);
    if (!rows || json_array_extend(s->rows, rows)) {
        json_decref(rows);
        return etna_fail(s->err, ETNA_E_IO, "%s: its verdict cannot be read",
                         job->name);
    }
    json_decref(rows);
    const json_t *wall = json_object_get(s->documents[i], "wall_s");
    json_t *time = json_pack(
        "{s:s, s:f, s:f, s:f, s:f, s:o, s:o}", "name", job->name, "wall_s",
        json_number_value(wall), "compute_s",
        json_number_value(json_object_get(s->documents[i], "compute_s")),
        "model_s", model_time(s->documents[i]), "spent",
        money_spent(s->documents[i]), "sent",
        sent_by_role(s->documents[i], "bytes_sent"), "images",
        sent_by_role(s->documents[i], "images_sent"));
    if (wall && time)
        json_array_append(s->times, time); /* what was refused has none */
    json_decref(time);
    return ETNA_OK;
}

/* Nine digits of a number: a margin is told finer than anything that is decided
 * by it. */
static etna_code lines_write(const scoring *s,
                             const char *name,
                             const json_t *lines)
{
    page text = {0};
    size_t i;
    json_t *line;
    json_array_foreach(lines, i, line)
    {
        char *dump = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
        if (!dump)
            text.failed = true;
        if (dump)
            page_raw(&text, dump);
        page_raw(&text, "\n");
        free(dump);
    }
    return bench_folder_write(s->f, name, &text, s->err);
}

/* For people and for spreadsheets. */
static etna_code metrics_write(const scoring *s,
                               const result_row *rows,
                               size_t count)
{
    static const struct {
        const char *name;
        tally_form form;
    } files[] = {{"metrics.md", TABLE_MARKDOWN}, {"metrics.csv", TABLE_CSV}};
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < COUNT_OF(files); i++) {
        page text = {0};
        if (!metrics_print(rows, count, s->times, files[i].form, &text))
            text.failed = true;
        code = bench_folder_write(s->f, files[i].name, &text, s->err);
    }
    return code;
}

/* Members that are no text match nothing. */
static bool list_names(const json_t *list, const char *name)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        const char *said = json_string_value(one);
        if (said && strcmp(said, name) == 0)
            return true;
    }
    return false;
}

static void disagreement_add(const json_t *row,
                             const char *kind,
                             const json_t *more,
                             json_t *to)
{
    static const char *const copied[] = {"scene", "variant", "repeat", "mode",
                                         "step"};
    json_t *line = json_object();
    for (size_t k = 0; k < COUNT_OF(copied); k++)
        json_object_set(line, copied[k], json_object_get(row, copied[k]));
    json_object_set_new(line, "kind", json_string(kind));
    json_object_update(line, (json_t *)(uintptr_t)more);
    json_array_append_new(to, line);
}

/* What stands by our rules and comes down by the engine's, and what floats by
 * ours and stays by the engine's. What hangs or was unstable at the start is
 * not asked of the engine. */
static void disagreements_add(const json_t *row, json_t *to)
{
    const json_t *floating = json_object_get(row, "floating"),
                 *stays = json_object_get(row, "stays");
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(row, "unstable"), i, one)
    {
        if (!list_names(floating, field_string(one, "name")))
            disagreement_add(row, "comes down", one, to);
    }
    json_array_foreach(floating, i, one)
    {
        const char *name = json_string_value(one);
        json_t *named = json_pack("{s:s?}", "name", name);
        if (name && list_names(stays, name))
            disagreement_add(row, "stays", named, to);
        json_decref(named);
    }
}

/* Empty where there is none. */
static etna_code disagreements_write(const scoring *s)
{
    json_t *lines = json_array();
    size_t i;
    json_t *row;
    if (!lines)
        return etna_fail(s->err, ETNA_E_NOMEM, "out of memory for results");
    json_array_foreach(s->rows, i, row) disagreements_add(row, lines);
    etna_code code = lines_write(s, "disagreements.jsonl", lines);
    json_decref(lines);
    return code;
}

/* From results.jsonl as it was just written, not from memory: what others read
 * makes the same table. */
static etna_code tables_write(const scoring *s)
{
    static const char *const names[] = {"table.md", "table.tex", "table.csv"};
    char path[sizeof s->f->path + 32];
    result_row *rows = NULL;
    size_t count = 0;
    tally t;
    snprintf(path, sizeof path, "%s/results.jsonl", s->f->path);
    etna_code code = results_read(path, &s->f->arena, &rows, &count, s->err);
    if (code)
        return code;
    if (!tally_make(rows, count, &t))
        return etna_fail(s->err, ETNA_E_NOMEM, "out of memory for the table");
    for (int form = 0; !code && form < 3; form++) {
        page text = {0};
        tally_print(&t, (tally_form)form, &text);
        code = bench_folder_write(s->f, names[form], &text, s->err);
    }
    if (!code)
        code = metrics_write(s, rows, count);
    page gallery = {0};
    gallery_print(s->f->suite.name, &t, s->rows, !s->f->from, &gallery);
    if (!code)
        code = bench_folder_write(s->f, "report.html", &gallery, s->err);
    tally_free(&t);
    return code;
}

/* What the referee said before holds: it says the same of the same files. */
static etna_code verdicts_make(scoring *s, bool is_known)
{
    for (uint32_t i = 0; is_known && i < s->f->job_count; i++)
        s->children[i].status = 0;
    if (is_known)
        return ETNA_OK;
    etna_code code = bench_children_run(s->children, s->f->job_count,
                                        bench_cpus(), "judged", s->err);
    return code ? code : bench_tried_judge(s->f, s->documents, s->err);
}

/* Whoever names another folder, or another suite, would read a table of
 * failures. How many scenes there are shows names that are misspelt. */
etna_code bench_others_check(bench_folder *f, etna_error *err)
{
    uint32_t wanted = 0, there = 0;
    for (uint32_t i = 0; i < f->job_count; i++) {
        const char *states[SUITE_STEPS_MAX];
        uint32_t count = 0;
        etna_code code =
            bench_job_states(f, &f->jobs[i], NULL, states, &count, err);
        if (code)
            return code;
        wanted += count;
        for (uint32_t k = 0; k < count; k++)
            there += strcmp(states[k], "-") != 0;
    }
    if (!there)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.1000s: has no scene of the suite, as %.80s/step-01.glb", f->from,
            f->jobs[0].run.scene);
    fprintf(stderr, "%u of %u scenes are there; the others count as failures\n",
            (unsigned)there, (unsigned)wanted);
    return ETNA_OK;
}

/* The order in which a failure leaves the most: verdicts are kept as files and
 * are not asked for again. */
static etna_code scoring_run(scoring *s, bool is_known)
{
    etna_code code = ended_read(s);
    for (uint32_t i = 0; !code && i < s->f->job_count; i++)
        code = job_ask(s, i);
    if (!code)
        code = verdicts_make(s, is_known);
    s->f->left_out = 0;
    for (uint32_t i = 0; !code && i < s->f->job_count; i++) {
        if (job_is_left_out(s, i))
            s->f->left_out++;
        else
            code = job_take(s, i);
    }
    if (!code && s->f->left_out)
        fprintf(
            stderr,
            "etna: %u of %u runs were not run and are left out of the tables\n",
            (unsigned)s->f->left_out, (unsigned)s->f->job_count);
    if (!code)
        code = lines_write(s, "results.jsonl", s->rows);
    if (!code)
        code = lines_write(s, "times.jsonl", s->times);
    if (!code)
        code = disagreements_write(s);
    return code ? code : tables_write(s);
}

/* is_known: verdicts of earlier scorings hold. */
etna_code bench_score(bench_folder *f, bool is_known, etna_error *err)
{
    scoring s = {.f = f,
                 .ended = json_object(),
                 .rows = json_array(),
                 .times = json_array(),
                 .err = err};
    s.children = calloc(f->job_count, sizeof *s.children);
    s.documents = calloc(f->job_count, sizeof *s.documents);
    bool has_json = s.ended && s.rows && s.times;
    bool good = has_json && s.children && s.documents;
    etna_code code = good
                         ? scoring_run(&s, is_known)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "out of memory for %u runs", f->job_count);
    f->spent = 0;
    for (uint32_t i = 0; s.documents && i < f->job_count; i++) {
        f->spent += money_spent(s.documents[i]);
        json_decref(s.documents[i]);
    }
    free(s.documents);
    free(s.children);
    json_decref(s.ended);
    json_decref(s.rows);
    json_decref(s.times);
    return code;
}
