/* See run_request.h.
 *
 * What a command line asks of a run, in three passes: the flags table
 * (run_request_add_flags), what flags say together (run_request_consider), and
 * what the list of models adds (run_request_read_models). Defaults that depend
 * on who plays are set last, unless a flag said otherwise. */
#include "coordinator/cli/run_request.h"
#include "coordinator/cli/models_file.h"
#include "proto/array.h"

#include <stdlib.h>
#include <string.h>

/* most edits of a run that the built-in agent plans, and of a list whose
 * instructions may take several, unless --max-steps */
enum {
    BUILTIN_STEPS = 24
};

/* The method's own numbers, see arrange_config_default. */
run_request run_request_default(void)
{
    return (run_request){.config = arrange_config_default()};
}

/* *ret is the number of the name, from 1. */
static etna_code run_request_choose(const char *flag,
                                    const char *text,
                                    const char *const *names,
                                    uint32_t count,
                                    uint32_t *ret,
                                    etna_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) != 0)
            continue;
        *ret = i + 1;
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_USAGE,
                     "--%s does not know %.80s; see `etna run --help`", flag,
                     text);
}

/* Seconds on the command line, milliseconds in the configuration. */
static etna_code run_request_read_wall(const char *name,
                                       const char *value,
                                       void *into,
                                       etna_error *err)
{
    uint64_t seconds;
    etna_code code = flags_number(name, value, 1, 1000000000, &seconds, err);
    if (!code)
        *(uint64_t *)into = seconds * 1000;
    return code;
}

/* The number that the digits make without the point; 0: it is too large. The
 * caller multiplies by up to 10^6, which still fits 64 bits. */
static uint64_t digits_value(const char *text)
{
    const uint64_t most = UINT64_C(1000000000000); /* before the last digit */
    uint64_t value = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '.')
            continue;
        if (value > most)
            return 0;
        value = 10 * value + (uint64_t)(*at - '0');
    }
    return value;
}

/* "2.50" in millionths by whole numbers, so that a cap is exact; 0: it is no
 * amount, or has more than six digits behind the point. */
static uint64_t run_request_micros(const char *value)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(value, digits);
    const char *point = value[whole] == '.' ? value + whole + 1 : "";
    size_t behind = strspn(point, digits);
    if (value[whole] && value[whole] != '.')
        return 0;
    if (whole + behind == 0 || behind > 6 || point[behind])
        return 0;
    uint64_t micros = digits_value(value);
    for (; behind < 6; behind++)
        micros *= 10;
    return micros;
}

/* Exact, in millionths of the currency's unit. */
etna_code run_request_read_cost(const char *name,
                                const char *value,
                                void *into,
                                etna_error *err)
{
    uint64_t micros = run_request_micros(value);
    if (micros == 0 || micros > UINT64_C(1000000000000000)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s wants an amount above 0 with at most six digits behind the point, as 2.50, not %.80s",
            name, value);
    }
    *(uint64_t *)into = micros;
    return ETNA_OK;
}

/* Number 0 is none of them and has no name. */
static etna_code run_request_read_ablation(const char *name,
                                           const char *value,
                                           void *into,
                                           etna_error *err)
{
    const char *names[ABLATION_COUNT - 1];
    for (uint32_t i = 1; i < ABLATION_COUNT; i++)
        names[i - 1] = arrange_ablation_name(i);
    return run_request_choose(name, value, names, ABLATION_COUNT - 1, into,
                              err);
}

/* From 1, so that 0 says that it was not given. */
static etna_code run_request_read_early_end(const char *name,
                                            const char *value,
                                            void *into,
                                            etna_error *err)
{
    static const char *const ends[] = {"first", "ordered", "off"};
    return run_request_choose(name, value, ends, 3, into, err);
}

enum {
    LIST_EDITS_ONE = 1,
    LIST_EDITS_SEVERAL
};

/* How many edits an instruction of a list may take. */
static etna_code run_request_read_list_edits(const char *name,
                                             const char *value,
                                             void *into,
                                             etna_error *err)
{
    static const char *const ways[] = {"one", "several"};
    return run_request_choose(name, value, ways, LIST_EDITS_SEVERAL, into, err);
}

/* How the anchor falls when a step fails (METHODS.md 2). */
static etna_code run_request_read_anchor(const char *name,
                                         const char *value,
                                         void *into,
                                         etna_error *err)
{
    static const char *const anchors[] = {"half-anchor", "half-depth"};
    return run_request_choose(name, value, anchors, 2, into, err);
}

/* on or off. */
static etna_code run_request_read_switch(const char *name,
                                         const char *value,
                                         void *into,
                                         etna_error *err)
{
    static const char *const switches[] = {"on", "off"};
    uint32_t which = 0;
    etna_code code = run_request_choose(name, value, switches, 2, &which, err);
    if (!code)
        *(bool *)into = which == 1;
    return code;
}

/* What becomes of calls that nobody waits for any more. */
static etna_code run_request_read_cancelled(const char *name,
                                            const char *value,
                                            void *into,
                                            etna_error *err)
{
    static const char *const ways[] = {"finish", "estimate"};
    uint32_t which = 0;
    etna_code code = run_request_choose(name, value, ways, 2, &which, err);
    if (!code)
        *(bool *)into = which == 1;
    return code;
}

/* --memory off: what failed before is not told. */
static etna_code run_request_read_memory(const char *name,
                                         const char *value,
                                         void *into,
                                         etna_error *err)
{
    bool memory = true;
    etna_code code = run_request_read_switch(name, value, &memory, err);
    if (!code)
        *(bool *)into = !memory;
    return code;
}

/* --collision paper, --floating paper. */
static etna_code run_request_read_paper(const char *name,
                                        const char *value,
                                        void *into,
                                        etna_error *err)
{
    static const char *const rules[] = {"own", "paper"};
    uint32_t which = 0;
    etna_code code = run_request_choose(name, value, rules, 2, &which, err);
    if (!code)
        *(bool *)into = which == 2;
    return code;
}

/* --facts on|off|brief, into a config. */
static etna_code run_request_read_facts(const char *name,
                                        const char *value,
                                        void *into,
                                        etna_error *err)
{
    static const char *const ways[] = {"on", "off", "brief"};
    arrange_config *config = into;
    uint32_t which = 0;
    etna_code code = run_request_choose(name, value, ways, 3, &which, err);
    if (code)
        return code;
    config->facts = which != 2;
    config->brief = which == 3;
    return ETNA_OK;
}

/* --reach off: any place will do. */
static etna_code run_request_read_reach(const char *name,
                                        const char *value,
                                        void *into,
                                        etna_error *err)
{
    bool reach = true;
    etna_code code = run_request_read_switch(name, value, &reach, err);
    if (!code)
        *(bool *)into = !reach;
    return code;
}

/* Behind the rows that there are; the table keeps its end. */
void run_request_add_flags(run_request *r, flags_row rows[FLAGS_MAX + 1])
{
    arrange_config *c = &r->config;
    const flags_row own[] = {
        {"model", .text = &c->model},
        {"models", .text = &r->models},
        {"reader", .text = &c->reader},
        {"camera", .text = &c->camera},
        {"all-cameras", .yes = &c->cameras},
        {"early-end", .read = run_request_read_early_end,
         .into = &r->early_end},
        {"branches", .number = &r->branches, .least = 1,
         .most = ARRANGE_BRANCHES_MAX},
        {"branches-at-once", .number = &c->branches_at_once, .least = 1,
         .most = ARRANGE_BRANCHES_MAX},
        {"polls", .number = &c->polls, .least = 1, .most = ARRANGE_POLLS_MAX},
        {"max-steps", .number = &r->max_steps, .least = 1,
         .most = ARRANGE_STEPS_MAX},
        {"list-edits", .read = run_request_read_list_edits,
         .into = &r->list_edits},
        {"backtracks", .number = &c->max_backtracks, .most = 1000000},
        {"anchor", .read = run_request_read_anchor, .into = &c->anchor},
        {"plan-per-branch", .yes = &c->plan_per_branch},
        {"facts", .read = run_request_read_facts, .into = c},
        {"fronts", .yes = &c->fronts},
        {"no-images", .yes = &r->no_images},
        {"step-scenes", .yes = &c->step_scenes},
        {"paper-solver", .yes = &c->paper_solver},
        {"reach", .read = run_request_read_reach, .into = &c->any_place},
        {"collision", .read = run_request_read_paper,
         .into = &c->paper_collision},
        {"floating", .read = run_request_read_paper,
         .into = &c->paper_floating},
        {"memory", .read = run_request_read_memory, .into = &c->forgets},
        {"ablation", .read = run_request_read_ablation, .into = &c->ablation},
        {"priority", .number = &c->priority, .most = ARRANGE_PRIORITY_MAX},
        {"cancelled", .read = run_request_read_cancelled,
         .into = &c->finish_calls},
        {"max-tokens", .large = &c->max_tokens, .least = 1, .most = INT64_MAX},
        {"max-cost", .read = run_request_read_cost,
         .into = &c->max_cost_micros},
        {"max-wall", .read = run_request_read_wall, .into = &c->max_wall_ms},
        {"timeout", .read = run_request_read_wall, .into = &c->max_wall_ms},
        {"unit", .text = &r->unit},
        {"up", .text = &r->up}};
    size_t at = 0;
    while (rows[at].name)
        at++;
    for (size_t i = 0; i < COUNT_OF(own) && at < FLAGS_MAX; i++)
        rows[at++] = own[i];
    rows[at] = (flags_row){0};
}

/* What would be refused by the coordinator is refused here, before a scene is
 * read. */
static etna_code run_request_check_texts(const run_request *r, etna_error *err)
{
    const arrange_config *c = &r->config;
    if (!*c->model || strlen(c->model) > ARRANGE_NAME_MAX)
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: --model wants a name of the list of models, or builtin");
    bool scene_fits = !r->scene || strlen(r->scene) <= MESSAGE_TEXT_MAX;
    bool camera_fits = !c->camera || strlen(c->camera) <= ARRANGE_NAME_MAX;
    if (scene_fits && camera_fits)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_USAGE,
                     "run: a path or a camera's name is too long");
}

/* Goal and list exclude each other, and one of them is needed. */
etna_code run_request_consider(run_request *r, etna_error *err)
{
    arrange_config *c = &r->config;
    if (r->no_images)
        c->images = false;
    if (r->branches)
        c->branches = r->branches;
    if (r->max_steps)
        c->max_steps = r->max_steps;
    bool is_list = r->steps_file || c->step_count;
    if (!c->goal == !is_list) {
        return etna_fail(
            err, ETNA_E_USAGE,
            is_list ? "run: either --goal or --steps, not both"
                    : "run: what is to be done? --goal TEXT, or --steps FILE");
    }
    if (r->list_edits && !is_list)
        return etna_fail(err, ETNA_E_USAGE,
                         "run: --list-edits is for a list: --steps FILE");
    if (arrange_is_single(c->ablation)) {
        if (r->branches > 1 || c->plan_per_branch) {
            return etna_fail(
                err, ETNA_E_USAGE,
                "run: a single agent has one branch a step: without --branches and --plan-per-branch");
        }
        c->branches = 1;
    }
    return run_request_check_texts(r, err);
}

/* Which branch ends a step first depends on the machine. To wait for the lower
 * branches, which makes the result repeatable, costs the built-in agent next to
 * nothing but a network model calls that are paid. */
static etna_code run_request_choose_early_end(run_request *r,
                                              etna_arena *arena,
                                              etna_error *err)
{
    etna_code code = models_file_foreign(r->config.models, r->config.model,
                                         arena, &r->config.foreign, err);
    if (code)
        return code;
    r->config.early_end =
        r->config.foreign ? EARLY_END_FIRST : EARLY_END_ORDERED;
    if (r->early_end)
        r->config.early_end = r->early_end;
    return ETNA_OK;
}

/* How many edits a run may make. The built-in planner counts its edits before
 * the first one, so it can be allowed more, and several for one instruction of
 * a list: clearing a table takes more than the 6 that a goal has by default.
 * Another planner has one for each, as published, unless it is told. */
static etna_code run_request_allow_edits(run_request *r,
                                         etna_arena *arena,
                                         etna_error *err)
{
    arrange_config *c = &r->config;
    uint32_t role =
        arrange_is_single(c->ablation) ? ROLE_EXECUTOR : ROLE_PLANNER;
    const char *planner = NULL;
    etna_code code =
        models_file_role(c->models, c->model, role, arena, &planner, err);
    if (code)
        return code;
    bool builtin = strcmp(planner, "builtin") == 0;
    bool several =
        r->list_edits ? r->list_edits == LIST_EDITS_SEVERAL : builtin;
    c->open_list = several && c->step_count;
    if (r->max_steps)
        return ETNA_OK;
    if (builtin || c->open_list)
        c->max_steps = BUILTIN_STEPS;
    if (c->step_count && (!c->open_list || c->step_count > c->max_steps))
        c->max_steps = c->step_count;
    return ETNA_OK;
}

/* The model list is cut to what the run can call: keys and prices of others do
 * not travel. */
etna_code run_request_read_models(run_request *r,
                                  etna_arena *arena,
                                  etna_error *err)
{
    arrange_config *c = &r->config;
    if (c->reader && strcmp(c->reader, "builtin") == 0)
        c->reader = NULL; /* it reads anyway */
    etna_code code =
        models_file_cut(r->models, c->model, c->reader, arena, &c->models, err);
    if (!code)
        code = run_request_choose_early_end(r, arena, err);
    return code ? code : run_request_allow_edits(r, arena, err);
}

/* Borrowed from the request. The goals are read for models that are to be
 * brought in. */
bundle_wanted run_request_bundle(const run_request *r, const char *store)
{
    const arrange_config *c = &r->config;
    return (bundle_wanted){.scene = r->scene,
                           .unit = r->unit,
                           .up = r->up,
                           .store = store,
                           .camera = c->camera,
                           .goals = c->goal ? &c->goal : c->steps,
                           .goal_count = c->goal ? 1 : c->step_count};
}
