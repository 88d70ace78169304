/* What the models of a run took, as data and for people. The same accounts are
 * summed in three ways: by step, by role, by model. A row of each list is found
 * by a linear search: there are few steps, roles and models.
 *
 * Three sums stand beside each other everywhere. Used: what entered decisions,
 * the number that caps act on. Spent: all that was paid for, also by calls
 * whose task was dropped. Lost: of that, what brought no answer, at what such
 * calls were booked. The built-in agent's calls are counted and cost nothing,
 * so they are told apart ("free") and taken off where money or tokens are told
 * to people. */
#include "coordinator/report/usage.h"
#include "coordinator/report/field.h"
#include "coordinator/report/json_memory.h"

#include "coordinator/report/terminal.h"
#include "proto/models.h"
#include "proto/usage.h"

#include <stdlib.h>
#include <string.h>

/* By what the accounts are summed. Step 0 is what came before the first step:
 * import and reading. */
typedef enum part {
    BY_STEP,
    BY_ROLE,
    BY_MODEL,
    PARTS
} part;

static const char *const part_names[PARTS] = {"step", "role", "model"},
                         *const list_names[PARTS] = {"by_step", "by_role",
                                                     "by_model"};
/* By a slot's role. */
static const char *const role_names[ROLE_COUNT] = {
    "none", "planner", "executor", "evaluator", "judge", "solver", "reader"};
static const char *const sums[3] = {"used", "spent", "lost"};

/* ---- as data ---- */

/* JSON has signed numbers alone. */
static json_t *usage_number(uint64_t value)
{
    return json_integer((json_int_t)(value < INT64_MAX ? value : INT64_MAX));
}

/* Cost in the list's unit of money, from millionths. */
static json_t *usage_of(const message_usage *u)
{
    json_t *object = json_object();
    json_object_set_new(object, "in", usage_number(u->tokens_in));
    json_object_set_new(object, "out", usage_number(u->tokens_out));
    json_object_set_new(object, "cached", usage_number(u->tokens_cached));
    json_object_set_new(object, "written", usage_number(u->tokens_written));
    json_object_set_new(object, "reasoning", usage_number(u->tokens_reasoning));
    json_object_set_new(object, "cost",
                        json_real((double)u->cost_micros / 1e6));
    json_object_set_new(object, "calls", usage_number(u->calls));
    json_object_set_new(object, "bytes_sent", usage_number(u->bytes_sent));
    json_object_set_new(object, "images_sent", usage_number(u->images_sent));
    return object;
}

/* used: what entered decisions; spent: all that was paid for; lost: of that,
 * what brought no answer. */
static void set_sums(json_t *object, const core_account *a)
{
    json_object_set_new(object, "used", usage_of(&a->used));
    json_object_set_new(object, "spent", usage_of(&a->spent));
    json_object_set_new(object, "lost", usage_of(&a->lost));
}

/* The part of the built-in agent, so that it can be taken off. */
static void set_free(json_t *object, const core_account *a)
{
    json_t *sums_of = json_object();
    set_sums(sums_of, a);
    json_object_set_new(object, "free", sums_of);
}

/* Every number of the account. */
static void add_account(core_account *to, const core_account *from)
{
    message_usage_add(&to->used, &from->used);
    message_usage_add(&to->spent, &from->spent);
    message_usage_add(&to->lost, &from->lost);
    to->asked_again += from->asked_again;
    to->waited_ms += from->waited_ms;
}

/* The built-in agent's calls, unless the list of models gives it a price. */
static bool usage_is_free(const core_account *a)
{
    return strcmp(a->model, "builtin") == 0 && !a->spent.cost_micros;
}

/* 0: the node is none of the run's. */
static uint32_t step_of(const core_run_view *view, uint32_t node)
{
    return node && node <= view->node_count ? view->nodes[node - 1].step : 0;
}

/* Whether two accounts are one row. For the list by step, `node` holds the
 * step. */
static bool is_one(part by, const core_account *a, const core_account *b)
{
    if (by == BY_MODEL)
        return strcmp(a->model, b->model) == 0;
    return by == BY_ROLE ? a->role == b->role : a->node == b->node;
}

/* `free` is the part of `all` that costs nothing. */
typedef struct gathered { /* accounts that are one in a list */
    core_account all, free;
} gathered;

/* Fills `rows`, which has room for all accounts, and returns how many there
 * are. */
static uint32_t usage_gather(const core_run_view *view, part by, gathered *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->account_count; i++) {
        core_account one = view->accounts[i];
        uint32_t at = 0;
        one.node = step_of(view, one.node);
        while (at < count && !is_one(by, &rows[at].all, &one))
            at++; /* few: steps, roles and models, not nodes */
        if (at == count)
            rows[count++].all = (core_account){
                .node = one.node, .role = one.role, .model = one.model};
        add_account(&rows[at].all, &one);
        if (usage_is_free(&one))
            add_account(&rows[at].free, &one);
    }
    return count;
}

/* NULL: out of memory. */
static json_t *list_of(const core_run_view *view, part by)
{
    gathered *rows =
        json_memory_calloc((size_t)view->account_count + 1, sizeof *rows);
    json_t *list = rows ? json_array() : NULL;
    uint32_t count = list ? usage_gather(view, by, rows) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const core_account *all = &rows[i].all;
        json_t *object = json_object();
        json_t *name = NULL;
        if (by == BY_STEP)
            name = usage_number(all->node);
        if (by == BY_ROLE)
            name =
                json_string(role_names[all->role < ROLE_COUNT ? all->role : 0]);
        if (by == BY_MODEL)
            name = json_string(all->model);
        json_object_set_new(object, part_names[by],
                            name ? name : json_string(""));
        set_sums(object, all);
        json_object_set_new(object, "asked_again",
                            json_integer(all->asked_again));
        json_object_set_new(object, "waited_s",
                            json_real((double)all->waited_ms / 1000));
        set_free(object, &rows[i].free);
        json_array_append_new(list, object);
    }
    free(rows);
    return list;
}

/* "": no list of models, or one without prices. */
static json_t *currency_of(const core_run_view *view)
{
    const char *text = view->config->models;
    etna_arena arena = ETNA_ARENA_INIT;
    models list;
    bool named = text &&
                 !models_from_json(text, strlen(text), &arena, &list, NULL) &&
                 list.currency;
    json_t *object = json_string(named ? list.currency : "");
    etna_arena_free(&arena);
    return object ? object : json_string("");
}

/* The document's "usage". */
json_t *usage_of_view(const core_run_view *view)
{
    const core_account all = {
        .used = view->used, .spent = view->spent, .lost = view->lost};
    core_account none = {.model = ""};
    json_t *object = json_object();
    for (uint32_t i = 0; i < view->account_count; i++) {
        if (usage_is_free(&view->accounts[i]))
            add_account(&none, &view->accounts[i]);
    }
    json_object_set_new(object, "currency", currency_of(view));
    set_sums(object, &all);
    set_free(object, &none);
    for (part by = BY_STEP; by < PARTS; by++)
        json_object_set_new(object, list_names[by], list_of(view, by));
    return object;
}

/* ---- for people ---- */

/* A number of a row without the free part. */
static long long usage_paid(const json_t *row,
                            const char *sum,
                            const char *name)
{
    return field_integer(json_object_get(row, sum), name) -
           field_integer(json_object_get(json_object_get(row, "free"), sum),
                         name);
}

/* Calls of the built-in agent. */
static long long free_calls(const json_t *row)
{
    return field_integer(json_object_get(json_object_get(row, "free"), "spent"),
                         "calls");
}

/* 0 where it has no price. */
static double usage_cost_of(const json_t *row, const char *sum)
{
    return json_number_value(
        json_object_get(json_object_get(row, sum), "cost"));
}

/* Whether a network model took anything. */
static bool usage_costs(const json_t *row)
{
    return usage_paid(row, "spent", "in") > 0 ||
           usage_paid(row, "spent", "out") > 0 ||
           usage_paid(row, "spent", "calls") > 0 ||
           usage_cost_of(row, "spent") > 0;
}

/* False: no network model took part, so nothing is to be told. */
bool usage_tokens(const json_t *document, long long *ret_in, long long *ret_out)
{
    const json_t *usage = json_object_get(document, "usage");
    *ret_in = usage_paid(usage, "used", "in");
    *ret_out = usage_paid(usage, "used", "out");
    return usage_costs(usage);
}

/* Step 0 has a name of its own. */
static void usage_name_of(const json_t *row, part by, char *ret, size_t room)
{
    const json_t *name = json_object_get(row, part_names[by]);
    long long step = (long long)json_integer_value(name);
    if (by == BY_STEP && step)
        snprintf(ret, room, "step %lld", step);
    if (by == BY_STEP && !step)
        snprintf(ret, room, "before the first step");
    if (by != BY_STEP)
        snprintf(ret, room, "%s",
                 json_string_value(name) ? json_string_value(name) : "");
}

/* Lost calls only where there are any. */
static void print_row(FILE *to,
                      const char *name,
                      const json_t *row,
                      const char *currency)
{
    terminal_printf(to, "  %-24s", name);
    for (int i = 0; i < 3; i++) {
        double cost = usage_cost_of(row, sums[i]);
        if (i == 2 && !usage_paid(row, sums[i], "calls"))
            continue;
        fprintf(to, "%s%s %lld in (%lld cached), %lld out (%lld reasoning)",
                i ? "; " : " ", sums[i], usage_paid(row, sums[i], "in"),
                usage_paid(row, sums[i], "cached"),
                usage_paid(row, sums[i], "out"),
                usage_paid(row, sums[i], "reasoning"));
        if (usage_paid(row, sums[i], "written"))
            fprintf(to, ", %lld put into the vendor's cache",
                    usage_paid(row, sums[i], "written"));
        if (cost > 0)
            terminal_printf(to, ", %.4f %s", cost, currency);
    }
    fputc('\n', to);
}

/* Success against tokens, in words; "" where nothing was tried. */
static void usage_gain(const json_t *document, char *ret, size_t room)
{
    const json_t *branches = json_object_get(document, "branches");
    const json_t *usage = json_object_get(document, "usage");
    long long tried = field_integer(branches, "tried");
    long long edits =
        (long long)json_array_size(json_object_get(document, "steps"));
    long long tokens =
        usage_paid(usage, "spent", "in") + usage_paid(usage, "spent", "out");
    *ret = 0;
    if (!tried)
        return;
    int used =
        snprintf(ret, room, "%lld branches tried, %lld at once, %lld accepted",
                 tried, field_integer(branches, "at_once"),
                 field_integer(branches, "accepted"));
    bool fits = used > 0 && (size_t)used < room;
    if (edits && fits)
        snprintf(ret + used, room - (size_t)used,
                 "; %lld tokens for each edit kept", tokens / edits);
}

/* Bytes of all requests, most of them pictures; "" where nothing was sent. */
static void usage_upload(const json_t *document, char *ret, size_t room)
{
    double bytes = (double)usage_paid(json_object_get(document, "usage"),
                                      "spent", "bytes_sent");
    *ret = 0;
    if (bytes > 0)
        snprintf(ret, room, "%.1f MB sent", bytes / 1e6);
}

/* A line for each row of each list that costs something. */
static void print_parts(FILE *to, const json_t *usage, const char *currency)
{
    char name[300];
    const json_t *row;
    size_t i;
    for (part by = BY_STEP; by < PARTS; by++) {
        json_array_foreach(json_object_get(usage, list_names[by]), i, row)
        {
            usage_name_of(row, by, name, sizeof name);
            if (usage_costs(row))
                print_row(to, name, row, currency);
        }
    }
}

/* Nothing at all where no model was asked. */
void usage_print(FILE *to, const json_t *document)
{
    const json_t *usage = json_object_get(document, "usage");
    const char *currency =
        json_string_value(json_object_get(usage, "currency"));
    long long calls = free_calls(usage);
    char name[300];
    const char *times = calls == 1 ? "time" : "times";
    if (!usage_costs(usage) && calls)
        fprintf(
            to,
            "\ntokens: none; the built-in agent answered %lld %s and costs nothing\n",
            calls, times);
    if (!usage_costs(usage))
        return;
    if (!currency)
        currency = "";
    fputs("\ntokens:\n", to);
    print_parts(to, usage, currency);
    print_row(to, "in all", usage, currency);
    usage_gain(document, name, sizeof name);
    if (*name)
        fprintf(to, "  %s\n", name);
    usage_upload(document, name, sizeof name);
    if (*name)
        fprintf(to, "  %s\n", name);
    if (calls)
        fprintf(
            to,
            "  not counted: the built-in agent answered %lld %s and costs nothing\n",
            calls, times);
}

/* The same numbers as print_row, as a row of a table. */
static void page_row(page *p,
                     const char *name,
                     const json_t *row,
                     const char *currency)
{
    page_raw(p, "<tr><td class=\"n\">");
    page_text(p, name);
    for (int i = 0; i < 3; i++) {
        double cost = usage_cost_of(row, sums[i]);
        page_add(p, "</td><td class=\"n\">%lld / %lld",
                 usage_paid(row, sums[i], "in"),
                 usage_paid(row, sums[i], "out"));
        if (cost > 0)
            page_textf(p, ", %.4f %s", cost, currency);
    }
    page_add(
        p,
        "</td><td class=\"n\">%lld / %lld</td><td class=\"n\">%lld</td></tr>\n",
        usage_paid(row, "spent", "cached"),
        usage_paid(row, "spent", "reasoning"),
        usage_paid(row, "spent", "calls"));
}

/* Left out where nothing was paid for. */
void usage_page(page *p, const json_t *document)
{
    const json_t *usage = json_object_get(document, "usage");
    const json_t *row;
    if (!usage_costs(usage))
        return;
    const char *currency =
        json_string_value(json_object_get(usage, "currency"));
    long long calls = free_calls(usage);
    char name[300];
    size_t i;
    page_raw(
        p,
        "<section class=\"card\"><h2>What the models cost</h2>\n<p class=\"small soft\">Tokens in / out. Used: what entered decisions; "
        "spent: all that was paid for; lost: of it, what brought no answer, at what such calls took.</p>\n"
        "<div class=\"scroll\"><table><thead><tr><th></th><th>used</th><th>spent</th><th>lost</th><th>cached / reasoning</th>"
        "<th>calls</th></tr></thead><tbody>\n");
    for (part by = BY_STEP; by < PARTS; by++) {
        json_array_foreach(json_object_get(usage, list_names[by]), i, row)
        {
            usage_name_of(row, by, name, sizeof name);
            if (usage_costs(row))
                page_row(p, name, row, currency ? currency : "");
        }
    }
    page_row(p, "in all", usage, currency ? currency : "");
    page_raw(p, "</tbody></table></div>\n");
    usage_gain(document, name, sizeof name);
    if (*name)
        page_add(p, "<p class=\"small soft\">%s.</p>", name);
    usage_upload(document, name, sizeof name);
    if (*name)
        page_add(p, "<p class=\"small soft\">%s.</p>", name);
    if (calls)
        page_add(
            p,
            "<p class=\"small soft\">Not counted: the built-in agent answered %lld time%s and costs nothing.</p>",
            calls, calls == 1 ? "" : "s");
    page_raw(p, "</section>\n");
}
