/* The folder of a benchmark: manifest.json (what is run, of which suite, by
 * which build and commit, with which prompts and models, on what machine), SUITE.json as it was when it began, scenes/ (those that are
 * composed), list.jsonl and runs/ (the batch), verdicts/ and judgements/ (of
 * the referee, of models), tried/ (branches' scenes while they are judged), and what was made of them: results.jsonl,
 * times.jsonl, table.md, table.tex, table.csv, report.html. */
#ifndef ETNA_COORDINATOR_CLI_BENCH_FOLDER_H
#define ETNA_COORDINATOR_CLI_BENCH_FOLDER_H

#include "coordinator/bench/plan.h"
#include "coordinator/report/page.h"

#include <jansson.h>

/* An open folder. Everything it refers to lives in `arena`, but for the
 * manifest. */
typedef struct bench_folder {
    char path[3072];
    /* of `path`; -1: not open */
    int fd;
    /* manifest.json as it is written; owned */
    json_t *manifest;
    /* The folder has no manifest yet: what lies in it is of an attempt that was
     * given up. */
    bool is_new;
    /* the suite's file, of one that was begun; owned */
    char *suite_text;
    size_t suite_size;
    /* as SUITE.json in the folder has it */
    suite suite;
    /* which variants are run how often; of `--from` one variant, `other` */
    plan_options plan;
    /* one run each, in the order of the list (plan_make) */
    plan_job *jobs;
    uint32_t job_count;
    /* Absolute path of the folder with another system's scenes: they are
     * judged, nothing is run. NULL: our own runs. */
    const char *from;
    /* with `from`: the name and row of that system */
    plan_variant other;
    /* set by bench_score(): what its runs have cost, cancelled calls too, in
     * the list's currency; and how many of the jobs were never run */
    double spent;
    uint32_t left_out;
    etna_arena arena;
} bench_folder;

/* Makes DIR for a suite, or takes up one that was made for the same suite, plan
 * and build; ETNA_E_USAGE for any other, as results of two builds must not be
 * mixed. Scenes' files are not looked for yet, so nothing is promised to the
 * folder before bench_folder_keep(). Call bench_folder_close() whatever came of
 * it. ETNA_E_INPUT: the suite; ETNA_E_IO, ETNA_E_FULL,
 * ETNA_E_NOMEM. */
etna_code bench_folder_begin(bench_folder *f,
                             const char *path,
                             const char *suite_path,
                             const plan_options *plan,
                             etna_error *err);
/* The same for scenes of another system beneath `from`, called `name` in
 * tables; there is no plan. */
etna_code bench_folder_begin_from(bench_folder *f,
                                  const char *path,
                                  const char *suite_path,
                                  const char *from,
                                  const char *name,
                                  etna_error *err);
/* Writes SUITE.json and the manifest of a folder that was begun, where it has
 * none yet: from now on it is this benchmark's. ETNA_E_IO, ETNA_E_FULL,
 * ETNA_E_NOMEM. */
etna_code bench_folder_keep(bench_folder *f, etna_error *err);
/* Opens a folder that bench_folder_keep() described. ETNA_E_INPUT: it is none.
 * Call bench_folder_close() whatever came of it. */
etna_code bench_folder_open(bench_folder *f, const char *path, etna_error *err);
void bench_folder_close(bench_folder *f);

/* Path of the scene's file at the start: the suite's own file, or for a scene
 * that is composed a file in DIR/scenes, which need not exist yet. In the
 * arena; NULL: out of memory. */
const char *bench_folder_scene(bench_folder *f, const suite_scene *scene);
/* Path of the spec that `scene` is composed of. NULL: none, it is used as it
 * stands (or out of memory, which bench_folder_scene() will report). */
const char *bench_folder_spec(bench_folder *f, const suite_scene *scene);

/* Replaces the file at `path` by rename: whole or not at all. ETNA_E_IO. */
etna_code bench_file_write(const char *path,
                           const char *text,
                           size_t size,
                           etna_error *err);
/* The same for a file of DIR. Frees the page in every case; a page that failed
 * is ETNA_E_NOMEM. */
etna_code bench_folder_write(const bench_folder *f,
                             const char *name,
                             page *text,
                             etna_error *err);

/* ---- bench_child.c: programs of ours, several at once ---- */

/* One program to run. All but `status` is set by the caller and borrowed. */
typedef struct bench_child {
    /* arguments, the program's first; NULL behind the last */
    const char **words;
    /* "etna-referee" or "etna-worker": the one beside this program */
    const char *program;
    /* path of the file that gets its stdout; truncated */
    const char *output;
    /* how long it may take beside the others, in any unit: the longest begins
     * first, as one that begins last would run alone */
    double weight;
    /* set by bench_children_run(): its exit code; -1: it could not be started,
     * was killed, or was not reached any more */
    int status;
} bench_child;
/* The numbers of the list's children, the heaviest first and those that weigh
 * the same as they stand. */
void bench_children_order(const bench_child *list,
                          uint32_t count,
                          uint32_t *ret);
/* Runs all of the list in that order, at most `at_once` at a time, and returns when none runs
 * any more. Their stderr is ours. `doing` begins the line of progress ("judged:
 * 3 of 9"). A child that fails is no error: look at `status`. ETNA_E_CANCELLED:
 * a signal came, and no more were started. Reaps every child of this process,
 * so nobody else may have any. */
etna_code bench_children_run(bench_child *list,
                             uint32_t count,
                             uint32_t at_once,
                             const char *doing,
                             etna_error *err);
/* Processors this process may use; at least 1. */
uint32_t bench_cpus(void);

/* ---- bench_study.c ---- */

/* `etna bench study`. argv[0] is "study". Returns the exit code. */
int cmd_bench_study(int argc, char **argv);

/* ---- bench_rate.c ---- */

/* Rates the systems of a file of votes. `base` NULL: the first has 1500.
 * Returns the exit code. */
int bench_rate_command(const char *path, const char *base, bool json);

/* ---- bench_import.c ---- */

/* `etna bench import`. argv[0] is "import". Returns the exit code. */
int cmd_bench_import(int argc, char **argv);

/* ---- bench_score.c ---- */

/* Judges by etna-referee what the runs left, and writes results.jsonl,
 * times.jsonl, the tables and report.html. Jobs that were never run, for money
 * or as somebody ended it all, are in none of them, which is told on stderr. `is_known`: the verdicts of the last
 * time are taken as they are. ETNA_E_INPUT, ETNA_E_IO: a run cannot be judged;
 * ETNA_E_CANCELLED, ETNA_E_NOMEM. */
etna_code bench_score(bench_folder *f, bool is_known, etna_error *err);
/* Of another system's scenes (`from`): says on stderr how many the suite finds
 * there. ETNA_E_INPUT: none; ETNA_E_NOMEM. */
etna_code bench_others_check(bench_folder *f, etna_error *err);
/* The job's run.json, owned by the caller. NULL: it left none (it was refused,
 * or another system made the scenes). */
json_t *bench_job_document(const bench_folder *f, const plan_job *job);
/* Paths of the scene after each of the job's steps, or after its goal; "-"
 * where that was not reached. `ret` has room for SUITE_STEPS_MAX; paths are the
 * arena's. ETNA_E_NOMEM. */
etna_code bench_job_states(bench_folder *f,
                           const plan_job *job,
                           const json_t *document,
                           const char **ret,
                           uint32_t *ret_count,
                           etna_error *err);

/* ---- bench_tried.c ---- */

/* Holds the scenes that a run's branches left against the suite's predicates,
 * where evaluators decided about them, into verdicts/NAME.tried.json; the
 * verdicts must be there. `documents` are the jobs', NULL where there is none.
 * A scene that cannot be looked at is told as unseen. ETNA_E_CANCELLED,
 * ETNA_E_IO, ETNA_E_NOMEM. */
etna_code bench_tried_judge(bench_folder *f,
                            json_t *const *documents,
                            etna_error *err);
/* What it found of a job, a row for each instruction (tried_tell), owned by the
 * caller; NULL: nothing. */
json_t *bench_tried_load(const bench_folder *f, const plan_job *job);

/* ---- bench_estimate.c ---- */

struct bench_judges;
/* Prints what the plan's runs are going to cost, and with judges->model the
 * judges too. Each run is made of a batch's line, so the estimate is of the
 * very runs that `etna bench run` would submit. Nothing is written or run. */
etna_code bench_estimate(const char *suite_path,
                         const plan_options *plan,
                         const struct bench_judges *judges,
                         const char *store,
                         bool json,
                         etna_error *err);

/* ---- bench_judge.c ---- */

/* What `etna bench judge` was told. Texts are borrowed. */
typedef struct bench_judges {
    /* a name of the list; NULL: the one that the list's roles name */
    const char *model;
    /* --models: the file of the list; NULL: the usual one */
    const char *models;
    /* judges a run; runs side by side; seconds to wait for an answer */
    uint32_t count, at_once, patience_s;
    uint64_t seed;
    /* Metres, as a text: each step that is done is shown nearly done, too, so
     * far from where it would be. NULL: it is not. */
    const char *near;
    /* millionths of the list's currency that all judgements together may cost,
     * and what was spent before them, looked at before each group of runs; 0:
     * no bound */
    uint64_t max_cost;
    double spent_before; /* in the list's currency: by the runs */
} bench_judges;
/* Lets models judge the runs that they have not judged yet, an etna-worker
 * process a run, into DIR/judgements; prints what it cost. A judgement by
 * another model, or by another number of judges, is made anew. ETNA_E_USAGE:
 * there is no judge, or max_cost is spent; ETNA_E_NETWORK: a run could not be
 * judged. Judgements made until then stay. */
etna_code bench_judge(bench_folder *f,
                      const bench_judges *judges,
                      etna_error *err);
/* The job's judgement, owned by the caller; NULL: there is none. */
json_t *bench_judgement_load(const bench_folder *f, const plan_job *job);
/* The same of its steps nearly done, and which these are in *ret_near, owned by
 * the caller, too. NULL: there is none. */
json_t *bench_near_load(const bench_folder *f,
                        const plan_job *job,
                        json_t **ret_near);

#endif
