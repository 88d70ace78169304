/* The folder of a benchmark: manifest.json (what is run, of which suite, by
 * which build), SUITE.json as it was when it began, scenes/ (those that are
 * composed), list.jsonl and runs/ (the batch), verdicts/ and judgements/ (of
 * the referee, of models), and what was made of them: results.jsonl,
 * times.jsonl, table.md, table.tex, table.csv, report.html. */
#ifndef ETNA_COORDINATOR_CLI_BENCH_FOLDER_H
#define ETNA_COORDINATOR_CLI_BENCH_FOLDER_H

#include "coordinator/bench/plan.h"
#include "coordinator/report/page.h"

#include <jansson.h>

typedef struct bench_folder {
    char path[3072];
    int fd;           /* of path */
    json_t *manifest; /* as it is written */
    suite suite;
    plan_options plan;
    plan_job *jobs;
    uint32_t job_count;
    /* scenes of another system in this folder, as an absolute path: nothing is
     * run; NULL: our runs */
    const char *from;
    plan_variant other; /* and what it is called */
    etna_arena arena;
} bench_folder;

/* Makes DIR for a suite, or goes on in one that was made for the same suite,
 * plan, and build: else ETNA_E_USAGE. Scenes' files are not looked for yet. The
 * caller closes, whatever came of it. */
etna_code bench_folder_begin(bench_folder *f,
                             const char *path,
                             const char *suite_path,
                             const plan_options *plan,
                             etna_error *err);
/* For scenes of another system: the same, without a plan. */
etna_code bench_folder_begin_from(bench_folder *f,
                                  const char *path,
                                  const char *suite_path,
                                  const char *from,
                                  const char *name,
                                  etna_error *err);
/* One that is there. */
etna_code bench_folder_open(bench_folder *f, const char *path, etna_error *err);
void bench_folder_close(bench_folder *f);

/* The scene's file at the start; a composed one's is in DIR. Arena's; NULL: out
 * of memory. */
const char *bench_folder_scene(bench_folder *f, const suite_scene *scene);
/* What `scene` of the suite is composed of; NULL: nothing, it is a scene as it
 * stands. */
const char *bench_folder_spec(bench_folder *f, const suite_scene *scene);

/* A file at a path, whole or not at all. */
etna_code bench_file_write(const char *path,
                           const char *text,
                           size_t size,
                           etna_error *err);
/* A file of DIR, whole or not at all; frees the page. */
etna_code bench_folder_write(const bench_folder *f,
                             const char *name,
                             page *text,
                             etna_error *err);

/* ---- bench_child.c: programs of ours, several at once ---- */

typedef struct bench_child {
    /* arguments, the program's first; NULL behind the last */
    const char **words;
    const char *program; /* "etna-referee": it is beside this one */
    const char *output;  /* file that gets what it prints */
    int status;          /* its exit code; -1: it could not be run, or died */
} bench_child;
/* Until all have ended, `at_once` of them side by side. What they say on stderr
 * is ours. ETNA_E_CANCELLED: a signal came. */
etna_code bench_children_run(bench_child *list,
                             uint32_t count,
                             uint32_t at_once,
                             const char *doing,
                             etna_error *err);
uint32_t bench_cpus(void);

/* ---- bench_study.c ---- */

int cmd_bench_study(int argc, char **argv); /* argv from "study" on */

/* ---- bench_import.c ---- */

int cmd_bench_import(int argc, char **argv);

/* ---- bench_score.c ---- */

/* Judges what there is, and writes results and tables; with `is_known` by what
 * the referee said when it was asked last. */
etna_code bench_score(bench_folder *f, bool is_known, etna_error *err);
/* The job's run.json; NULL: it left none. */
json_t *bench_job_document(const bench_folder *f, const plan_job *job);
/* The scene's file after each of its steps, or of the goal, SUITE_STEPS_MAX at
 * most; "-": that one was not reached. */
etna_code bench_job_states(bench_folder *f,
                           const plan_job *job,
                           const json_t *document,
                           const char **ret,
                           uint32_t *ret_count,
                           etna_error *err);

/* ---- bench_estimate.c ---- */

struct bench_judges;
/* Tells what the plan's runs are going to cost, and with a model the judges.
 * Nothing is written or run. */
etna_code bench_estimate(const char *suite_path,
                         const plan_options *plan,
                         const struct bench_judges *judges,
                         const char *store,
                         bool json,
                         etna_error *err);

/* ---- bench_judge.c ---- */

typedef struct bench_judges { /* of `etna bench judge` */
    const char *model,
        /* a name of that list of models; NULL: what the list says for the
         * role */
        *models;
    uint32_t count, at_once, patience_s;
    uint64_t seed;
    uint64_t max_cost; /* millionths of the list's currency; 0: none */
} bench_judges;
/* Lets them judge what they have not yet, a process of etna-worker a run, into
 * DIR/judgements, and tells on stderr what it cost. What is there of other
 * judges is done again. */
etna_code bench_judge(bench_folder *f,
                      const bench_judges *judges,
                      etna_error *err);
/* What they said of the job; NULL: nothing. */
json_t *bench_judgement_load(const bench_folder *f, const plan_job *job);

#endif
