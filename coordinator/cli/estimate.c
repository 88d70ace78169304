/* The estimate's model: a step asks its planner once, an executor for each
 * branch, and each branch's evaluators `polls` times. How many calls such a
 * conversation takes and how long they are is taken from earlier runs:
 *
 *    calls  = steps * width(role) * (calls of earlier runs / their steps * width)
 *    tokens = tokens of earlier runs * calls / calls of earlier runs
 *
 * No spread is given: the number is to tell cents from hundreds before a night
 * of runs is begun. */
#include "coordinator/cli/estimate.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/recover.h"
#include "proto/process.h"
#include "proto/usage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROLES_ASKED = 3,
    /* the newest of the store; more would take seconds to decide again */
    RUNS_READ = 64,
    /* of a picture; vendors' own formulas differ by some tenths around this */
    PIXELS_A_TOKEN = 750,
    PICTURE_WIDTH = 1024, /* of the largest that workers send */
    PROMPTS_BYTES = 1024, /* of what a worker says of its prompts */
    WORKER_WAIT_S = 60    /* for it to say that */
};

static const uint32_t roles[ROLES_ASKED] = {ROLE_PLANNER, ROLE_EXECUTOR,
                                            ROLE_EVALUATOR};
static const char *const role_names[ROLES_ASKED] = {"planner", "executor",
                                                    "evaluator"};

/* What is known of one role and what is expected of it. */
typedef struct estimate_role {
    /* the name in the list of models; the arena's */
    const char *model;
    /* NULL: the built-in agent, which costs nothing */
    const models_model *listed;
    /* earlier runs that had calls of this model in this role */
    uint32_t runs;
    /* the sum of their answered calls; what they lost is left out */
    message_usage took;
    /* how many conversations these runs held in the role: steps times width */
    double asked;
    /* of the first request alone, as `etna-worker prompts` measures it */
    uint64_t prompt_tokens;
    /* expected of the runs asked about, together */
    double calls;
    message_usage expected;
} estimate_role;

/* State of one estimate; `config` moves from run to run. */
typedef struct estimate {
    const arrange_config *config; /* of the run that is looked at */
    uint32_t count;               /* runs that are asked about */
    const estimate_judges *judges;
    message_usage judged;
    models all;
    estimate_role of[ROLES_ASKED];
    /* earlier runs that said something of any role, and their steps */
    uint32_t runs, steps_seen;
    /* expected, of all runs asked about */
    double steps;
    message_usage sum;
} estimate;

/* Whether any earlier run said something. */
static bool estimate_has_runs(const estimate *e)
{
    return e->runs > 0;
}

/* How many conversations of the role one step holds. */
static uint32_t estimate_width(const arrange_config *config, uint32_t role)
{
    uint32_t branches =
        config->branches_at_once ? config->branches_at_once : config->branches;
    if (role == ROLE_PLANNER)
        return config->plan_per_branch ? config->branches : 1;
    return role == ROLE_EVALUATOR ? branches * config->polls : branches;
}

/* ---- what earlier runs took ---- */

/* A difference that does not wrap: lost is booked by an estimate and may exceed
 * what was spent. */
static uint64_t estimate_less(uint64_t sum, uint64_t less)
{
    return sum > less ? sum - less : 0;
}

/* Lost calls brought nothing and say nothing of what one takes. */
static void estimate_add_answered(message_usage *sum,
                                  const core_account *account)
{
    const message_usage *spent = &account->spent;
    const message_usage *lost = &account->lost;
    const message_usage answered = {
        .tokens_in = estimate_less(spent->tokens_in, lost->tokens_in),
        .tokens_out = estimate_less(spent->tokens_out, lost->tokens_out),
        .tokens_cached =
            estimate_less(spent->tokens_cached, lost->tokens_cached),
        .tokens_written =
            estimate_less(spent->tokens_written, lost->tokens_written),
        .calls = (uint32_t)estimate_less(spent->calls, lost->calls)};
    message_usage_add(sum, &answered);
}

/* A run counts for a role if the same model played it, and for the number of
 * steps if it counted for any role. */
static void estimate_learn_view(estimate *e, const core_run_view *view)
{
    bool told = false;
    for (int i = 0; i < ROLES_ASKED; i++) {
        estimate_role *r = &e->of[i];
        message_usage took = {0};
        for (uint32_t k = 0; k < view->account_count; k++) {
            const core_account *account = &view->accounts[k];
            bool is_same = account->role == roles[i] &&
                           strcmp(account->model, r->model) == 0;
            if (is_same)
                estimate_add_answered(&took, account);
        }
        if (!r->listed || !took.calls)
            continue;
        message_usage_add(&r->took, &took);
        r->asked +=
            (double)view->node_count * estimate_width(view->config, roles[i]);
        r->runs++;
        told = true;
    }
    if (!told)
        return;
    e->runs++;
    e->steps_seen += view->node_count;
}

/* Decides the run again from its journal. One that this version cannot read
 * says nothing, and is no error. */
static etna_code estimate_learn_run(estimate *e,
                                    store *s,
                                    const etna_id *run,
                                    etna_error *err)
{
    core_options options = core_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core *c = NULL;
    etna_error unread = {0};
    etna_code code = core_new(&options, &c, err);
    if (code != ETNA_OK)
        return code;
    if (recover_run(s, c, run, &unread) == ETNA_OK &&
        core_view(c, run, &arena, &view, &unread) == ETNA_OK)
        estimate_learn_view(e, &view);
    etna_arena_free(&arena);
    core_free(c);
    return ETNA_OK;
}

/* From the newest RUNS_READ runs of the store. */
static etna_code estimate_learn(estimate *e,
                                const char *given,
                                etna_arena *arena,
                                etna_error *err)
{
    char path[4000];
    store *s = NULL;
    store_run *runs = NULL;
    size_t count = 0;
    etna_code code = cli_store_path(given, path, sizeof path, err);
    if (code == ETNA_OK)
        code = cli_open_store(path, NULL, true, &s, err);
    if (code == ETNA_OK)
        code = store_list_runs(s, arena, &runs, &count, err);
    for (size_t i = 0; code == ETNA_OK && i < count && i < RUNS_READ; i++)
        code = estimate_learn_run(e, s, &runs[i].id, err);
    store_close(s);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code; /* no store yet */
}

/* ---- what the prompts are ---- */

/* The worker owns the prompts; it prints their lengths as JSON. */
static etna_code estimate_ask_worker(char *ret, size_t size, etna_error *err)
{
    char program[4096];
    const char *const args[] = {"etna-worker", "prompts", NULL};
    process_end end;
    if (!children_program(program, sizeof program))
        return etna_fail(err, ETNA_E_IO,
                         "the path of this program is too long");
    etna_code code =
        process_read(program, args, WORKER_WAIT_S, ret, size, &end, err);
    if (code || end.exit_code == 0)
        return code;
    return etna_fail(
        err, ETNA_E_IO,
        "etna-worker does not say how long the prompts are; it belongs beside the etna program");
}

/* Of one picture of ratio 4:3, no larger than the model takes. */
static uint64_t estimate_picture_tokens(const models_model *model,
                                        uint32_t role)
{
    uint64_t side = PICTURE_WIDTH;
    bool is_smaller = model->image_side[role] && model->image_side[role] < side;
    if (is_smaller)
        side = model->image_side[role];
    return side * (side * 3 / 4) / PIXELS_A_TOKEN;
}

/* False: the document does not say it. */
static bool estimate_read_role(estimate *e, uint32_t i, json_t *document)
{
    json_int_t spent, pictures;
    if (json_unpack(document, "{s:{s:I,s:I}}", role_names[i], "tokens", &spent,
                    "pictures", &pictures) != 0)
        return false;
    if (spent < 0 || pictures < 0)
        return false;
    estimate_role *r = &e->of[i];
    if (r->listed)
        r->prompt_tokens =
            (uint64_t)spent +
            (uint64_t)pictures * estimate_picture_tokens(r->listed, roles[i]);
    return true;
}

/* From the worker's own words. */
static etna_code estimate_read_prompts(estimate *e,
                                       const char *said,
                                       etna_error *err)
{
    json_t *document = json_loads(said, 0, NULL);
    bool ok = document != NULL;
    for (uint32_t i = 0; ok && i < ROLES_ASKED; i++)
        ok = estimate_read_role(e, i, document);
    json_decref(document);
    if (ok)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_IO,
        "etna-worker does not say how long the prompts are; is it of this version?");
}

/* The worker has the prompts; it is asked how long they are. */
static etna_code estimate_measure_prompts(estimate *e, etna_error *err)
{
    char said[PROMPTS_BYTES];
    etna_code code = estimate_ask_worker(said, sizeof said, err);
    return code == ETNA_OK ? estimate_read_prompts(e, said, err) : code;
}

/* ---- what this one will take ---- */

/* Who plays which role. */
static etna_code estimate_models(estimate *e,
                                 etna_arena *arena,
                                 etna_error *err)
{
    const arrange_config *config = e->config;
    etna_code code = ETNA_OK;
    if (config->models)
        code = models_from_json(config->models, strlen(config->models), arena,
                                &e->all, err);
    for (int i = 0; code == ETNA_OK && i < ROLES_ASKED; i++) {
        estimate_role *r = &e->of[i];
        code = models_file_role(config->models, config->model, roles[i], arena,
                                &r->model, err);
        bool is_own = code == ETNA_OK && strcmp(r->model, "builtin") == 0;
        if (code == ETNA_OK && !is_own)
            r->listed = models_find(&e->all, r->model);
    }
    return code;
}

/* `took` tokens of `of` calls, scaled to `calls`. */
static uint64_t estimate_share(uint64_t took, double calls, uint32_t of)
{
    return (uint64_t)llround((double)took * calls / (double)of);
}

/* Adds what one role costs in the run that `config` is. */
static void estimate_expect(estimate *e, int i, double steps)
{
    estimate_role *r = &e->of[i];
    double conversations = steps * estimate_width(e->config, roles[i]);
    double calls = conversations;
    const message_usage *took = &r->took;
    message_usage expected = {0};
    if (!r->listed)
        return;
    if (took->calls) {
        calls = conversations * (double)took->calls / r->asked;
        expected = (message_usage){
            .tokens_in = estimate_share(took->tokens_in, calls, took->calls),
            .tokens_out = estimate_share(took->tokens_out, calls, took->calls),
            .tokens_cached =
                estimate_share(took->tokens_cached, calls, took->calls),
            .tokens_written =
                estimate_share(took->tokens_written, calls, took->calls)};
    } else {
        expected.tokens_in =
            (uint64_t)llround(conversations * (double)r->prompt_tokens);
    }
    r->calls += calls;
    expected.calls = (uint32_t)lround(calls);
    expected.cost_micros = models_cost_micros(r->listed, &expected);
    message_usage_add(&r->expected, &expected);
    message_usage_add(&e->sum, &expected);
}

/* A list of instructions says how many steps it has, or where they may take
 * several, how many at least. A goal takes as many as goals took on average;
 * without earlier runs, one. */
static void estimate_expect_all(estimate *e)
{
    const double said = e->config->step_count;
    double steps = 1;
    if (estimate_has_runs(e))
        steps = (double)e->steps_seen / e->runs;
    bool is_counted = said > 0 && !e->config->open_list;
    if (is_counted || steps < said)
        steps = said;
    e->steps += steps;
    for (int i = 0; i < ROLES_ASKED; i++)
        estimate_expect(e, i, steps);
}

/* A judge gets the pictures of a run in one call and answers a line for each.
 * Two constants stand for the words of both. */
static void estimate_expect_judges(estimate *e)
{
    enum {
        PROMPT_TOKENS = 600,
        ANSWER_TOKENS = 60
    };
    const estimate_judges *judges = e->judges;
    if (!judges || !judges->listed)
        return;
    e->judged.calls = (uint32_t)judges->calls;
    e->judged.tokens_in =
        judges->calls * PROMPT_TOKENS +
        judges->pictures * estimate_picture_tokens(judges->listed, ROLE_JUDGE);
    e->judged.tokens_out = judges->pictures * ANSWER_TOKENS;
    e->judged.cost_micros = models_cost_micros(judges->listed, &e->judged);
    message_usage_add(&e->sum, &e->judged);
}

/* ---- told ---- */

/* As run.json has it. */
static json_t *estimate_usage(const message_usage *usage)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:f}", "calls", (json_int_t)usage->calls,
        "in", (json_int_t)usage->tokens_in, "cached",
        (json_int_t)usage->tokens_cached, "written",
        (json_int_t)usage->tokens_written, "out", (json_int_t)usage->tokens_out,
        "cost", (double)usage->cost_micros / 1e6);
}

/* Where the numbers of a role are from, for the document. */
static const char *estimate_source(const estimate_role *r)
{
    if (!r->listed)
        return "builtin";
    return r->took.calls ? "runs" : "prompts";
}

/* NULL members are missing ones. */
static etna_code estimate_print_json(const estimate *e, etna_error *err)
{
    json_t *rows = json_array();
    json_t *document = estimate_usage(&e->sum);
    for (int i = 0; i < ROLES_ASKED; i++) {
        const estimate_role *r = &e->of[i];
        json_t *row = estimate_usage(&r->expected);
        json_object_set_new(row, "role", json_string(role_names[i]));
        json_object_set_new(row, "model", json_string(r->model));
        json_object_set_new(row, "from", json_string(estimate_source(r)));
        json_array_append_new(rows, row);
    }
    if (e->judges) {
        json_t *row = estimate_usage(&e->judged);
        json_object_set_new(row, "role", json_string("judge"));
        json_object_set_new(row, "model", json_string(e->judges->model));
        json_object_set_new(row, "from", json_string("pictures"));
        json_array_append_new(rows, row);
    }
    json_object_set_new(document, "asked", json_integer(e->count));
    json_object_set_new(document, "runs", json_integer(e->runs));
    json_object_set_new(document, "steps", json_real(e->steps));
    json_object_set_new(document, "currency",
                        json_string(e->all.currency ? e->all.currency : ""));
    json_object_set_new(document, "by_role", rows);
    if (!document || !rows)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for an estimate");
    cli_print("etna.estimate/1", document);
    return ETNA_OK;
}

/* Money only where there are prices. */
static void estimate_print_usage(const estimate *e,
                                 const char *name,
                                 const message_usage *usage)
{
    terminal_printf(
        stdout, "  %-24s %u calls, %llu tokens in (%llu cached), %llu out",
        name, (unsigned)usage->calls, (unsigned long long)usage->tokens_in,
        (unsigned long long)usage->tokens_cached,
        (unsigned long long)usage->tokens_out);
    if (usage->cost_micros)
        terminal_printf(stdout, ", %.4f %s", (double)usage->cost_micros / 1e6,
                        e->all.currency ? e->all.currency : "");
    putchar('\n');
}

/* The built-in agent plays all. */
static bool estimate_is_free(const estimate *e)
{
    for (int i = 0; i < ROLES_ASKED; i++) {
        if (e->of[i].listed)
            return false;
    }
    return !e->judges;
}

/* The line that says how the numbers came to be. */
static void estimate_print_base(const estimate *e)
{
    if (e->count > 1)
        printf("%u runs, ", (unsigned)e->count);
    if (estimate_has_runs(e)) {
        printf("for %.1f steps, by %u earlier run%s of this store:\n", e->steps,
               e->runs, e->runs == 1 ? "" : "s");
    } else {
        printf("for %.0f step%s:\n", e->steps, e->steps > 1 ? "s" : "");
    }
}

/* What is only guessed is marked. */
static void estimate_print_words(const estimate *e)
{
    char name[300];
    bool is_guess = false;
    if (estimate_is_free(e)) {
        puts("nothing: the built-in agent costs nothing");
        return;
    }
    estimate_print_base(e);
    for (int i = 0; i < ROLES_ASKED; i++) {
        const estimate_role *r = &e->of[i];
        if (!r->listed)
            continue;
        is_guess = is_guess || !r->took.calls;
        snprintf(name, sizeof name, "%s (%s)%s", role_names[i], r->model,
                 r->took.calls ? "" : " *");
        estimate_print_usage(e, name, &r->expected);
    }
    if (e->judges) {
        snprintf(name, sizeof name, "judges (%s)", e->judges->model);
        estimate_print_usage(e, name, &e->judged);
    }
    estimate_print_usage(e, "in all", &e->sum);
    if (is_guess)
        puts(
            "* no earlier run of this store asked that model in that role: only what the prompts of its first questions cost is\n"
            "  counted, neither its looking around nor its answers");
}

/* `configs` are those of all runs that would be made. */
etna_code estimate_tell(const arrange_config *const *configs,
                        uint32_t count,
                        const estimate_judges *judges,
                        const char *store_given,
                        bool json,
                        etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    estimate e = {.config = configs[0], .count = count, .judges = judges};
    etna_code code = estimate_models(&e, &arena, err);
    if (code == ETNA_OK)
        code = estimate_learn(&e, store_given, &arena, err);
    if (code == ETNA_OK)
        code = estimate_measure_prompts(&e, err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        e.config = configs[i];
        estimate_expect_all(&e);
    }
    if (code == ETNA_OK)
        estimate_expect_judges(&e);
    if (code == ETNA_OK && json)
        code = estimate_print_json(&e, err);
    if (code == ETNA_OK && !json)
        estimate_print_words(&e);
    bool is_lost = code == ETNA_OK && (fflush(stdout) || ferror(stdout));
    if (is_lost)
        code = etna_fail(err, ETNA_E_IO, "standard output cannot be written");
    etna_arena_free(&arena);
    return code;
}
