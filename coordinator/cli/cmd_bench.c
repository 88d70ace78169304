/* `etna bench`: a suite of scenes run by variants of the method, judged by
 * facts, told as a table.
 *
 * Begin at cmd_bench, which picks the sub-command; each has a section below.
 * All of them work on one folder (bench_folder.h): `run` prepares it (scenes
 * composed, list of jobs written), lets the batch command run that list, scores
 * what came of it and prints the table. Since every stage writes whole files
 * and skips what is there already, a run that died is gone on with by giving
 * the same command again. `retrieval`, `furnish` and `rooms` need scenes and
 * models at hand, so they are the worker's program's. */
#include "coordinator/bench/compare_page.h"
#include "coordinator/cli/batch_work.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/remote.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "referee/suite_scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char help[] =
    "usage: etna bench run SUITE.json -o DIR [OPTION...]     run a suite, judge it, make the table\n"
    "       etna bench score DIR                             judge what is in DIR again\n"
    "       etna bench score SUITE.json --from GLBS --name NAME -o DIR   judge another system's scenes:\n"
    "                                                        GLBS/SCENE/step-01.glb, ..., and goal.glb\n"
    "       etna bench judge DIR [--judge-model J]           let models judge the steps' pictures, too\n"
    "       etna bench table DIR... [--form md|tex|csv]      the table of one benchmark, or of several as one\n"
    "       etna bench compare DIR [DIR] [--base V]          variants against one, scene by scene\n"
    "       etna bench study DIR... -o PAGE                  a page on which people choose between results; their votes counted\n"
    "       etna bench import GOALS.jsonl --scenes DIR -o SUITE.json   others' goals with facts made a suite\n"
    "       etna bench rooms FILE.json... -o DIR             rooms and houses of others made scenes and tasks\n"
    "       etna bench retrieval SET.json                    how well models are found by words\n"
    "       etna bench furnish PROMPTS.txt                   how well briefs become furnished rooms\n"
    "`etna bench run --help` and so on say more. configs/suite/SUITE.md says what a suite is.\n";

static const char run_help[] =
    "usage: etna bench run SUITE.json -o DIR [OPTION...]\n"
    "Runs the scenes of a suite, all on one coordinator, judges every step by etna-referee, and writes into DIR:\n"
    "results.jsonl (a line a step), times.jsonl, table.md, table.tex, table.csv, report.html with every step's picture, and\n"
    "manifest.json. Started again after Ctrl-C or any death it goes on where it was and ends with the same results.jsonl.\n\n"
    "  -o, --output DIR     where to\n"
    "      --variant V,...  rows of the table (full); --variant help lists them\n"
    "      --repeat R       times each is run, with seeds of their own (1; of a model that draws 3 at least)\n"
    "      --split S        dev or test (both); --scene NAME: one scene alone; --mode M: steps or goal (both)\n"
    "      --seed S         of the first repeat (0)\n"
    "      --model NAME, --models FILE, --reader NAME, --facts WHICH   as for etna run\n"
    "      --no-images      no step images\n"
    "      --max-cost M     of all runs and judges together, in the list's currency; runs begin as for etna batch, and those\n"
    "                       for which too little was left are left out of the tables\n"
    "      --estimate       run nothing; tell calls, tokens and money of all runs (and of the judges), as for etna run\n"
    "      --judge-model J  when all have run: `etna bench judge` with that model\n"
    "      --workers N, --connect URL, --wait S, --store DIR   as for etna batch\n"
    "      --json           print the table as one JSON document\n"
    "Exit codes: 0 all ran and were judged, whatever came of them; 1 some wait for money or a model; 2 usage; 3 a wrong suite;\n"
    "4 store, network, disk.\n";

static const char score_help[] =
    "usage: etna bench score DIR\n"
    "       etna bench score SUITE.json --from GLBS --name NAME -o DIR\n"
    "Judges what the runs of DIR left, without running any, and writes results and tables anew. With --from: GLBS has a folder\n"
    "for each scene of the suite, with the scene after each step that was reached, step-01.glb and so on, and goal.glb after\n"
    "a run of the general goal. Things are found by their nodes' names.\n\n"
    "  -o, --output DIR     with --from: where to\n"
    "      --name NAME      with --from: what the system is called in tables\n";

static const char judge_help[] =
    "usage: etna bench judge DIR [OPTION...]\n"
    "Lets judges look at a clean picture of every step that was reached, and score its plausibility and its consistency with the\n"
    "instruction, 0 to 4. They are not told what made the steps. Then the tables of DIR are written anew, with the means and how far\n"
    "the judges agree (Krippendorff's alpha). Started again after any death it goes on with the run that is next.\n\n"
    "      --judge-model J  a model with eyes (default: `roles: {judge: J}` of the list); better none that made the steps\n"
    "      --models FILE    the list of models, as for etna run\n"
    "      --judges N       so many of them (5), each with a seed of its own\n"
    "      --seed S         of these seeds (0)\n"
    "      --at-once N      runs judged side by side (4)\n"
    "      --patience S     how long to wait for an answer (300)\n"
    "      --max-cost M     of all judges together: no further run is judged when it is spent\n"
    "      --near M         show each step that is done nearly done, too, M metres (a hundred times as many degrees) from where\n"
    "                       it would be, and tell how often judges see it; it asks as much again\n";

static const char table_help[] =
    "usage: etna bench table DIR... [--form md|tex|csv]\n"
    "Prints the table of the results of one benchmark, or of several as one. Intervals are 95 %: by bootstrap over scenes, then\n"
    "repeats; Wilson's where all scenes have one rate. Success, valid success and completion are of all steps; a step that was not\n"
    "reached is a failure. Collision and floating are of the steps that were reached.\n\n"
    "  --form F   md (default), tex or csv\n";

static const char compare_help[] =
    "usage: etna bench compare DIR [DIR] [OPTION...]\n"
    "Holds every other variant of the last DIR against one of the first, paired by scene: the difference with its 95 %\n"
    "interval, p by permutation, p by Holm over all of them, and the scenes that changed. Of two folders with the same one\n"
    "variant that one is held against itself. Where every scene differs alike, the interval is what Wilson's leaves open for\n"
    "scenes that were not run.\n\n"
    "  --base V     the one (full)\n"
    "  --by RATE    success, valid (default), completion, collision or floating\n"
    "  --mode M     steps (default) or goal\n"
    "  -o PAGE      a page, too, with both pictures of every step in which they differ\n";

/* ---- run ---- */

enum {
    BENCH_REPEATS_LEAST = 3
};

typedef struct bench_arguments {
    plan_options plan;
    const char *output, *variants, *from, *name, *judge_model;
    uint64_t max_cost;
    batch_carry_options carry;
    bool json, is_asked;
} bench_arguments;

static void bench_print_variants(void)
{
    for (const plan_variant *v = plan_variants; v->name; v++)
        printf("  %-16s %s\n", v->name, v->what);
}

/* "full,one-poll" into the plan. An unknown or repeated name is a usage error
 * that names it. Without --variant it is "full" alone. */
static etna_code bench_read_variants(bench_arguments *a, etna_error *err)
{
    const char *at = a->variants ? a->variants : "full";
    while (*at) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s",
                 length < sizeof name ? (int)length : 0, at);
        const plan_variant *v = plan_find_variant(name);
        if (!v)
            return etna_fail(
                err, ETNA_E_USAGE,
                "--variant does not know %.60s; see `etna bench run --variant help`",
                name);
        for (uint32_t i = 0; i < a->plan.variant_count; i++) {
            if (a->plan.variants[i] == v)
                return etna_fail(err, ETNA_E_USAGE, "--variant names %s twice",
                                 name);
        }
        if (a->plan.variant_count == PLAN_VARIANTS_MAX)
            return etna_fail(err, ETNA_E_USAGE, "--variant names too many");
        a->plan.variants[a->plan.variant_count++] = v;
        at += length + (at[length] == ',');
    }
    return ETNA_OK;
}

/* NULL is left to its default. */
static bool bench_word_is(const char *word, const char *one, const char *other)
{
    return !word || strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* What the flags table cannot check: words out of a set, and flags that exclude
 * each other. `--estimate` needs no folder, as it writes nothing. */
static etna_code bench_check_words(const bench_arguments *a, etna_error *err)
{
    const char *split = a->plan.split, *mode = a->plan.mode;
    if (!bench_word_is(split, "dev", "test"))
        return etna_fail(err, ETNA_E_USAGE, "--split is dev or test, not %.40s",
                         split);
    if (!bench_word_is(mode, "steps", "goal"))
        return etna_fail(err, ETNA_E_USAGE,
                         "--mode is steps or goal, not %.40s", mode);
    if (!a->output && !a->is_asked)
        return etna_fail(err, ETNA_E_USAGE, "bench: where to? -o DIR");
    if (a->carry.connect && (a->carry.workers || a->carry.store))
        return etna_fail(
            err, ETNA_E_USAGE,
            "bench: with --connect the coordinator has its workers and its store; leave --workers and "
            "--store out");
    return ETNA_OK;
}

/* The jobs' scenes that are specs and stand nowhere yet, once each, and what
 * makes them. Returns how many. Jobs of one scene stand beside each other, so
 * the scene before is the only one to compare with. Both lists have room for
 * every scene of the suite. What an attempt left that was given up may be of a
 * spec that was mended since. */
static uint32_t bench_compose_list(bench_folder *f,
                                   bench_child *list,
                                   const suite_scene **of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->job_count; i++) {
        const suite_scene *scene = f->jobs[i].scene;
        const char *spec = bench_folder_spec(f, scene),
                   *to = bench_folder_scene(f, scene);
        bool is_new = i == 0 || f->jobs[i - 1].scene != scene;
        bool is_there = !f->is_new && access(to, R_OK) == 0;
        if (!spec || !is_new || is_there)
            continue;
        const char *const words[] = {"etna-worker", "compose", spec, "-o", to,
                                     "--force",     NULL};
        list[count].words = etna_arena_memdup(&f->arena, words, sizeof words);
        of[count] = scene;
        list[count].program = "etna-worker";
        list[count++].output = etna_arena_printf(&f->arena, "%s.terms", to);
    }
    return count;
}

/* At the scene's line of the suite. */
static etna_code bench_scene_fail(const bench_folder *f,
                                  const char *suite_path,
                                  const suite_scene *scene,
                                  const char *file,
                                  const char *said,
                                  etna_error *err)
{
    char field[64], why[400];
    snprintf(field, sizeof field, "scenes[%u].scene",
             (unsigned)(scene - f->suite.scenes));
    snprintf(why, sizeof why, "%.250s: %.140s", file, said);
    return suite_fail_at(suite_path, field, why, err);
}

/* Whether each file is there at all: a suite that was copied without its scenes
 * is told of in one line, and nothing is composed for it. */
static etna_code bench_check_files(bench_folder *f,
                                   const char *suite_path,
                                   etna_error *err)
{
    for (uint32_t i = 0; i < f->job_count; i++) {
        const suite_scene *scene = f->jobs[i].scene;
        const char *spec = bench_folder_spec(f, scene),
                   *file = spec ? spec : bench_folder_scene(f, scene);
        if (file && access(file, R_OK) != 0)
            return bench_scene_fail(
                f, suite_path, scene, file,
                errno == ENOENT
                    ? "is not there; scenes stand beside the suite that names them"
                    : strerror(errno),
                err);
    }
    return ETNA_OK;
}

/* Scenes that are specs, once each. */
static etna_code bench_compose(bench_folder *f,
                               const char *suite_path,
                               etna_error *err)
{
    bench_child *list = calloc(f->suite.scene_count, sizeof *list);
    const suite_scene **of = calloc(f->suite.scene_count, sizeof *of);
    uint32_t count = list && of ? bench_compose_list(f, list, of) : 0;
    etna_code code =
        list && of ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (count)
        code = bench_children_run(list, count, bench_cpus(), "composed", err);
    for (uint32_t i = 0; !code && i < count; i++) {
        if (list[i].status != 0)
            /* the child itself has said what is wrong with its spec */
            code = bench_scene_fail(f, suite_path, of[i], list[i].words[2],
                                    "cannot be composed", err);
    }
    free(list);
    free((void *)of);
    return code;
}

/* Whether all that the suite names is there, before a run is paid for. */
static etna_code bench_check_scenes(bench_folder *f,
                                    const char *suite_path,
                                    etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; !code && i < f->job_count; i++) {
        const suite_scene *scene = f->jobs[i].scene;
        bool is_new = i == 0 || f->jobs[i - 1].scene != scene;
        const char *file = is_new ? bench_folder_scene(f, scene) : NULL;
        if (file)
            code = suite_scene_check(suite_path, &f->suite, scene, file, err);
    }
    return code;
}

/* The jobs as lines of list.jsonl, which `etna batch` reads. A line is lost
 * only with memory; the page remembers that and the write fails. */
static etna_code bench_write_list(bench_folder *f, etna_error *err)
{
    page text = {0};
    for (uint32_t i = 0; i < f->job_count; i++) {
        const char *file = bench_folder_scene(f, f->jobs[i].scene);
        json_t *line = file ? plan_line(&f->jobs[i], &f->plan, file) : NULL;
        char *dump = line ? json_dumps(line, JSON_COMPACT) : NULL;
        if (!dump)
            text.failed = true;
        if (dump)
            page_raw(&text, dump);
        page_raw(&text, "\n");
        free(dump);
        json_decref(line);
    }
    return bench_folder_write(f, "list.jsonl", &text, err);
}

/* The Markdown table as it lies in the folder, so what is shown and what is
 * kept cannot differ. Returns the exit code. */
static int bench_print_table(const bench_folder *f, bool json)
{
    char path[sizeof f->path + 32];
    snprintf(path, sizeof path, "%s/table.md", f->path);
    FILE *file = json ? NULL : fopen(path, "re");
    for (int c = file ? getc(file) : EOF; c != EOF; c = getc(file))
        putchar(c);
    if (file)
        fclose(file);
    if (json)
        cli_print("etna.bench/1",
                  json_pack("{s:s, s:s, s:I}", "folder", f->path, "suite",
                            f->suite.name, "runs", (json_int_t)f->job_count));
    if (!fflush(stdout) && !ferror(stdout))
        return 0;
    etna_error err;
    etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
    return cli_fail(&err);
}

/* Runs what list.jsonl has and runs/ does not; a run that is there already is
 * not made again, which is what makes the command resumable. */
static int bench_run_batch(bench_folder *f, const bench_arguments *a)
{
    char list[sizeof f->path + 32], runs[sizeof f->path + 32];
    snprintf(list, sizeof list, "%s/list.jsonl", f->path);
    snprintf(runs, sizeof runs, "%s/runs", f->path);
    const batch_work w = {
        .list = list,
        .output = runs,
        .active = BATCH_ACTIVE,
        .max_cost = a->max_cost,
        .carry = a->carry,
        .again = "nothing is lost; give the same command again to go on"};
    return batch_work_do(&w);
}

/* Five judges, as the mean of fewer hangs on the luck of one; both names are
 * borrowed. */
static bench_judges bench_judges_default(const char *model, const char *list)
{
    return (bench_judges){.model = model,
                          .models = list,
                          .count = 5,
                          .at_once = 4,
                          .patience_s = 300};
}

/* Of this process and of all that it started: on a machine that others use,
 * too, the wall says little. */
static void bench_tell_cpu(void)
{
    struct rusage own, children;
    if (getrusage(RUSAGE_SELF, &own) || getrusage(RUSAGE_CHILDREN, &children))
        return;
    const struct timeval *parts[] = {&own.ru_utime, &own.ru_stime,
                                     &children.ru_utime, &children.ru_stime};
    double sum = 0;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        sum += (double)parts[i]->tv_sec + (double)parts[i]->tv_usec / 1e6;
    fprintf(stderr, "took %.1f s of CPU\n", sum);
}

/* The scenes of a folder that was begun. A wrong suite leaves no manifest, so
 * that it can be mended and begun again. */
static etna_code bench_prepare_scenes(bench_folder *f,
                                      const char *suite_path,
                                      etna_error *err)
{
    etna_code code = bench_check_files(f, suite_path, err);
    if (!code)
        code = bench_compose(f, suite_path, err);
    if (!code)
        code = bench_check_scenes(f, suite_path, err);
    return code ? code : bench_folder_keep(f, err);
}

/* The folder with its scenes and the list of its jobs, before any is done. */
static etna_code bench_prepare(bench_folder *f,
                               const char *suite_path,
                               const bench_arguments *a,
                               etna_error *err)
{
    etna_code code =
        bench_folder_begin(f, a->output, suite_path, &a->plan, err);
    if (!code)
        code = bench_prepare_scenes(f, suite_path, err);
    return code ? code : bench_write_list(f, err);
}

/* Scores, what a judge says of the results, where one was named, and scores
 * again with that. */
static etna_code bench_score_all(bench_folder *f,
                                 const bench_arguments *a,
                                 etna_error *err)
{
    bench_judges judges = bench_judges_default(a->judge_model, a->plan.models);
    etna_code code = bench_score(f, false, err);
    if (code || !a->judge_model)
        return code;
    judges.max_cost = a->max_cost;
    judges.spent_before = f->spent;
    code = bench_judge(f, &judges, err);
    return code ? code : bench_score(f, true, err);
}

/* The built-in agent draws nothing; of a model one seed is luck. */
static void bench_warn_repeats(const plan_options *plan)
{
    const bool draws = plan->model && strcmp(plan->model, "builtin") != 0;
    if (draws && plan->repeats < BENCH_REPEATS_LEAST)
        fprintf(
            stderr,
            "etna: a model draws its answers: --repeat %d or more tells luck from what a variant does\n",
            BENCH_REPEATS_LEAST);
}

/* Returns the exit code. */
static int bench_tell_left_out(const bench_folder *f)
{
    if (!f->left_out)
        return 0;
    fprintf(
        stderr,
        "etna: %u runs wait for money or a model; the same command with a larger --max-cost does them\n",
        (unsigned)f->left_out);
    return 1;
}

/* The story of `bench run`. The folder is the caller's to close, whatever came
 * of it. The CPU is told on stderr, so that stdout stays the table alone. */
static int bench_run_do(bench_folder *f,
                        const char *suite_path,
                        const bench_arguments *a)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = bench_prepare(f, suite_path, a, &err);
    if (code)
        return cli_fail(&err);
    bench_warn_repeats(&a->plan);
    int exit_code = bench_run_batch(f, a);
    if (exit_code)
        return exit_code;
    code = bench_score_all(f, a, &err);
    if (!code)
        bench_tell_cpu();
    exit_code = code ? cli_fail(&err) : bench_print_table(f, a->json);
    return exit_code ? exit_code : bench_tell_left_out(f);
}

static int bench_run(int argc, char **argv)
{
    bench_arguments a = {.plan = {.repeats = 1},
                         .carry = {.wait_s = REMOTE_WAIT_S}};
    const flags_row flags[] = {
        {"output", 'o', .text = &a.output},
        {"variant", .text = &a.variants},
        {"repeat", .number = &a.plan.repeats, .least = 1,
         .most = RESULTS_REPEATS_MAX},
        {"split", .text = &a.plan.split},
        {"scene", .text = &a.plan.scene},
        {"mode", .text = &a.plan.mode},
        {"seed", .large = &a.plan.seed, .most = INT32_MAX},
        {"model", .text = &a.plan.model},
        {"models", .text = &a.plan.models},
        {"reader", .text = &a.plan.reader},
        {"facts", .text = &a.plan.facts},
        {"no-images", .yes = &a.plan.no_images},
        {"judge-model", .text = &a.judge_model},
        {"estimate", .yes = &a.is_asked},
        {"max-cost", .read = run_request_read_cost, .into = &a.max_cost},
        {"workers", .number = &a.carry.workers, .least = 1, .most = 256},
        {"connect", .text = &a.carry.connect},
        {"wait", .number = &a.carry.wait_s, .most = 1000000},
        {"store", .text = &a.carry.store},
        {"json", .yes = &a.json},
        {0}};
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0, first = cli_flags("etna bench run", argc, argv, flags,
                                         run_help, &exit_code);
    if (!first)
        return exit_code;
    if (a.variants && strcmp(a.variants, "help") == 0) {
        bench_print_variants();
        return 0;
    }
    if (first + 1 != argc)
        return cli_usage(
            "bench: which suite? etna bench run SUITE.json -o DIR");
    if (bench_check_words(&a, &err) || bench_read_variants(&a, &err))
        return cli_fail(&err);
    if (a.is_asked) {
        const bench_judges judges =
            bench_judges_default(a.judge_model, a.plan.models);
        bool is_told = !bench_estimate(argv[first], &a.plan, &judges,
                                       a.carry.store, a.json, &err);
        return is_told ? 0 : cli_fail(&err);
    }
    bench_folder f;
    exit_code = bench_run_do(&f, argv[first], &a);
    bench_folder_close(&f);
    return exit_code;
}

/* ---- score ---- */

/* The folder to score: one that is there, or one made around another system's
 * scenes. The name of that system ends up in file names and table rows, so it
 * is held to plain letters. */
static etna_code bench_score_begin(bench_folder *f,
                                   const char *path,
                                   const bench_arguments *a,
                                   etna_error *err)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    *f = (bench_folder){.fd = -1};
    if (!a->from)
        return bench_folder_open(f, path, err);
    if (!a->output)
        return etna_fail(err, ETNA_E_USAGE,
                         "bench score --from: where to? -o DIR");
    size_t size = a->name ? strlen(a->name) : 0;
    bool fits = size > 0 && size <= 40;
    if (!fits || strspn(a->name, plain) != size)
        return etna_fail(
            err, ETNA_E_USAGE,
            "bench score --from wants --name: letters, digits, _ and -, at most 40");
    etna_code code =
        bench_folder_begin_from(f, a->output, path, a->from, a->name, err);
    if (!code)
        code = bench_others_check(f, err); /* composing takes minutes */
    return code ? code : bench_prepare_scenes(f, path, err);
}

/* Runs nothing and asks no model: results.jsonl is made anew from what the
 * folder holds. */
static int bench_score_command(int argc, char **argv)
{
    bench_arguments a = {.json = false};
    const flags_row flags[] = {{"output", 'o', .text = &a.output},
                               {"from", .text = &a.from},
                               {"name", .text = &a.name},
                               {"json", .yes = &a.json},
                               {0}};
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0, first = cli_flags("etna bench score", argc, argv, flags,
                                         score_help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return cli_usage(
            "bench score wants one folder, or a suite with --from");
    bench_folder f;
    etna_code code = bench_score_begin(&f, argv[first], &a, &err);
    if (!code)
        code = bench_score(&f, false, &err);
    exit_code = code ? cli_fail(&err) : bench_print_table(&f, a.json);
    bench_folder_close(&f);
    return exit_code;
}

/* ---- judge ---- */

static bool bench_near_is_good(const char *text)
{
    char *end = NULL;
    double metres = strtod(text, &end);
    const bool is_number = end != text && !*end;
    return is_number && metres > 0 && metres <= 1;
}

/* Scores are written anew at the end even where all runs had been judged
 * before, so that tables always match the judges' files. */
static int bench_judge_command(int argc, char **argv)
{
    bench_judges judges = bench_judges_default(NULL, NULL);
    const flags_row flags[] = {
        {"judge-model", .text = &judges.model},
        {"models", .text = &judges.models},
        {"judges", .number = &judges.count, .least = 1,
         .most = RESULTS_JUDGES_MAX},
        {"seed", .large = &judges.seed, .most = INT32_MAX},
        {"at-once", .number = &judges.at_once, .least = 1, .most = 256},
        {"patience", .number = &judges.patience_s, .least = 1, .most = 36000},
        {"max-cost", .read = run_request_read_cost, .into = &judges.max_cost},
        {"near", .text = &judges.near},
        {0}};
    etna_error err = {ETNA_OK, ""};
    int exit_code = 0, first = cli_flags("etna bench judge", argc, argv, flags,
                                         judge_help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return cli_usage("bench judge wants one folder");
    if (judges.near && !bench_near_is_good(judges.near))
        return cli_usage(
            "--near wants metres, above 0 and at most 1, not %.40s",
            judges.near);
    bench_folder f;
    etna_code code = bench_folder_open(&f, argv[first], &err);
    if (!code)
        code = bench_judge(&f, &judges, &err);
    if (!code)
        code = bench_score(&f, true, &err);
    exit_code = code ? cli_fail(&err) : bench_print_table(&f, false);
    bench_folder_close(&f);
    return exit_code;
}

/* ---- table ---- */

/* Lines of results.jsonl; they and their texts live in the arena they were read
 * into. */
typedef struct bench_rows {
    result_row *rows;
    size_t count;
} bench_rows;

/* Of one folder of `bench run` or `bench score`. */
static etna_code bench_read_rows(const char *folder,
                                 etna_arena *arena,
                                 bench_rows *ret,
                                 etna_error *err)
{
    const char *path = etna_arena_printf(arena, "%s/results.jsonl", folder);
    if (!path)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    return results_read(path, arena, &ret->rows, &ret->count, err);
}

/* Behind those that there are. */
static etna_code bench_join_rows(bench_rows *all,
                                 const bench_rows *more,
                                 etna_arena *arena,
                                 etna_error *err)
{
    result_row *rows =
        etna_arena_alloc(arena, all->count + more->count + 1, sizeof *rows);
    if (!rows)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the results");
    if (all->count)
        memcpy(rows, all->rows, all->count * sizeof *rows);
    if (more->count)
        memcpy(rows + all->count, more->rows, more->count * sizeof *rows);
    *all = (bench_rows){rows, all->count + more->count};
    return ETNA_OK;
}

/* Takes the page. A page that ran out of memory prints nothing: half a table
 * would be taken for a whole one. */
static int bench_print_page(page *text)
{
    bool good = !text->failed;
    if (good && text->data)
        fputs(text->data, stdout);
    page_free(text);
    if (good && !fflush(stdout) && !ferror(stdout))
        return 0;
    etna_error err;
    etna_fail(&err, good ? ETNA_E_IO : ETNA_E_NOMEM,
              "the table cannot be written");
    return cli_fail(&err);
}

/* The rows of all folders as if one benchmark had made them; which folder a row
 * came from is not told. */
static int bench_table_do(char **folders,
                          int count,
                          tally_form form,
                          etna_arena *arena)
{
    etna_error err = {ETNA_OK, ""};
    bench_rows all = {NULL, 0}, more;
    etna_code code = ETNA_OK;
    for (int i = 0; !code && i < count; i++) {
        code = bench_read_rows(folders[i], arena, &more, &err);
        if (!code)
            code = bench_join_rows(&all, &more, arena, &err);
    }
    tally t;
    if (!code && !tally_make(all.rows, all.count, &t))
        code = etna_fail(&err, ETNA_E_NOMEM, "out of memory for the table");
    if (code)
        return cli_fail(&err);
    page text = {0};
    tally_print(&t, form, &text);
    tally_free(&t);
    return bench_print_page(&text);
}

static int bench_table(int argc, char **argv)
{
    static const char *const forms[] = {"md", "tex", "csv"};
    const char *form = "md";
    const flags_row flags[] = {{"form", .text = &form}, {0}};
    int exit_code = 0, first = cli_flags("etna bench table", argc, argv, flags,
                                         table_help, &exit_code);
    if (!first)
        return exit_code;
    if (first == argc)
        return cli_usage("bench table: of which folder?");
    int which = 0;
    while (which < 3 && strcmp(forms[which], form) != 0)
        which++;
    if (which == 3)
        return cli_usage("--form is md, tex or csv, not %.40s", form);
    etna_arena arena = ETNA_ARENA_INIT;
    exit_code =
        bench_table_do(argv + first, argc - first, (tally_form)which, &arena);
    etna_arena_free(&arena);
    return exit_code;
}

/* ---- compare ---- */

/* `rate` is what `by` names; the texts are borrowed from argv. */
typedef struct compare_arguments {
    const char *base, *by, *mode, *output;
    tally_rate rate;
} compare_arguments;

/* `words` stands in the order of tally_rate's members. False: no such rate. */
static bool compare_read_rate(compare_arguments *a)
{
    static const char *const words[] = {"success", "valid", "completion",
                                        "collision", "floating"};
    for (int i = 0; i < 5; i++) {
        a->rate = (tally_rate)i;
        if (strcmp(words[i], a->by) == 0)
            return true;
    }
    return false;
}

/* The lists have a handful of names, so a walk is enough. */
static bool variants_have(const char *const *variants,
                          uint32_t count,
                          const char *one)
{
    return word_is_of(one, variants, count);
}

/* The variants of `rows` but the base, or the base where there is nothing else
 * and it is another folder's. At most PLAN_VARIANTS_MAX are taken. */
static uint32_t compare_find_variants(const bench_rows *rows,
                                      const char *base,
                                      bool is_other,
                                      const char **to)
{
    uint32_t count = 0;
    bool has_base = false;
    for (size_t i = 0; i < rows->count && count < PLAN_VARIANTS_MAX; i++) {
        const char *variant = rows->rows[i].run.variant;
        bool is_base = strcmp(variant, base) == 0;
        has_base = has_base || is_base;
        if (!is_base && !variants_have(to, count, variant))
            to[count++] = variant;
    }
    if (!count && has_base && is_other)
        to[count++] = base;
    return count;
}

/* A line for the variant, then one for each scene whose mean differs; scenes
 * that came out alike would only hide these. */
static void compare_print(const comparison *c, page *to)
{
    page_add(
        to,
        "%-16s %+.3f [%+.3f, %+.3f]  (%.3f, base %.3f; %zu scenes; p %.4f, Holm %.4f)\n",
        c->variant, c->difference, c->range.low, c->range.high, c->other,
        c->base, c->scene_count, c->p, c->p_holm);
    for (size_t i = 0; i < c->scene_count; i++) {
        const compare_scene *s = &c->scenes[i];
        if (fabs(s->other - s->base) > 1e-12)
            page_add(to, "    %-24s %.3f -> %.3f\n", s->name, s->base,
                     s->other);
    }
}

/* The page with both pictures of each step in which the two differ. Its links
 * need absolute paths, as it may lie anywhere. */
static etna_code compare_write(char **folders,
                               int count,
                               const compare_arguments *a,
                               const bench_rows *base,
                               const bench_rows *rows,
                               const comparison *list,
                               uint32_t found,
                               etna_error *err)
{
    char *paths[] = {realpath(folders[0], NULL),
                     realpath(folders[count - 1], NULL)};
    const compare_folder first = {paths[0], base->rows, base->count},
                         last = {paths[1], rows->rows, rows->count};
    page text = {0};
    etna_code code =
        paths[0] && paths[1]
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "out of memory comparing");
    if (!code)
        compare_page_print(&first, a->base, &last, list, found,
                           strcmp(a->mode, "goal") == 0, a->rate, &text);
    if (!code && text.failed)
        code = etna_fail(err, ETNA_E_NOMEM, "%.300s: out of memory", a->output);
    if (!code)
        code = bench_file_write(a->output, text.data, text.size, err);
    page_free(&text);
    free(paths[0]);
    free(paths[1]);
    return code;
}

/* A difference over no scene is none. */
static etna_code compare_check(const compare_arguments *a,
                               const bench_rows *base,
                               const comparison *list,
                               uint32_t found,
                               etna_error *err)
{
    bool has_base = false;
    size_t scenes = 0;
    for (size_t i = 0; i < base->count; i++)
        has_base = has_base || strcmp(base->rows[i].run.variant, a->base) == 0;
    for (uint32_t i = 0; i < found; i++)
        scenes += list[i].scene_count;
    if (!has_base)
        return etna_fail(err, ETNA_E_USAGE,
                         "bench compare: nothing was made by %.60s; --base V",
                         a->base);
    if (scenes)
        return ETNA_OK;
    bool is_goal = strcmp(a->mode, "goal") == 0;
    return etna_fail(
        err, ETNA_E_USAGE,
        "bench compare: no scene has %s of %.60s and of another; --mode %s?",
        is_goal ? "a goal" : "a list", a->base, is_goal ? "steps" : "goal");
}

/* The comparisons are freed while they are printed, on every path on which they
 * were made. */
static int bench_compare_do(char **folders,
                            int count,
                            const compare_arguments *a,
                            etna_arena *arena)
{
    etna_error err = {ETNA_OK, ""};
    bench_rows base, rows;
    const char *variants[PLAN_VARIANTS_MAX + 1];
    comparison list[PLAN_VARIANTS_MAX + 1];
    etna_code code = bench_read_rows(folders[0], arena, &base, &err);
    if (!code)
        code = bench_read_rows(folders[count - 1], arena, &rows, &err);
    if (code)
        return cli_fail(&err);
    uint32_t found =
        compare_find_variants(&rows, a->base, count == 2, variants);
    if (!found)
        return cli_usage(
            "bench compare: there is nothing to hold against %.60s", a->base);
    bool is_goal = strcmp(a->mode, "goal") == 0;
    if (!compare_make(base.rows, base.count, a->base, rows.rows, rows.count,
                      variants, found, is_goal, a->rate, list)) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory comparing");
        return cli_fail(&err);
    }
    page text = {0};
    code = compare_check(a, &base, list, found, &err);
    if (!code && a->output)
        code =
            compare_write(folders, count, a, &base, &rows, list, found, &err);
    for (uint32_t i = 0; i < found; i++) {
        compare_print(&list[i], &text);
        comparison_free(&list[i]);
    }
    if (!code)
        return bench_print_page(&text);
    page_free(&text);
    return cli_fail(&err);
}

/* One folder: its variants against the base in it. Two: those of the second
 * against the base in the first. */
static int bench_compare(int argc, char **argv)
{
    compare_arguments a = {.base = "full", .by = "valid", .mode = "steps"};
    const flags_row flags[] = {{"base", .text = &a.base},
                               {"by", .text = &a.by},
                               {"mode", .text = &a.mode},
                               {"output", 'o', .text = &a.output},
                               {0}};
    int exit_code = 0, first = cli_flags("etna bench compare", argc, argv,
                                         flags, compare_help, &exit_code);
    if (!first)
        return exit_code;
    if (first == argc || argc - first > 2)
        return cli_usage("bench compare wants one or two folders");
    if (!compare_read_rate(&a))
        return cli_usage(
            "--by is success, valid, completion, collision or floating");
    etna_arena arena = ETNA_ARENA_INIT;
    exit_code = bench_compare_do(argv + first, argc - first, &a, &arena);
    etna_arena_free(&arena);
    return exit_code;
}

static int bench_help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fputs(help, stdout);
    return 0;
}

/* The sub-commands of this program by name; what needs scenes is handed to the
 * worker's program with its arguments untouched. */
int cmd_bench(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } ways[] = {{"run", bench_run},
                {"score", bench_score_command},
                {"judge", bench_judge_command},
                {"table", bench_table},
                {"compare", bench_compare},
                {"study", cmd_bench_study},
                {"import", cmd_bench_import},
                {"--help", bench_help},
                {"-h", bench_help}};
    const char *way = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        if (strcmp(way, ways[i].name) == 0)
            return ways[i].run(argc - 1, argv + 1);
    }
    static const char *const of_worker[] = {"retrieval", "furnish", "rooms"};
    if (WORD_IS_OF(way, of_worker))
        return cmd_bench_worker(argc, argv);
    return cli_usage(
        "bench: run, score, judge, table, compare, study, import, rooms, retrieval or furnish; see `etna bench --help`");
}
