/* See usage.h. */
#include "coordinator/cli/usage.h"

#include "coordinator/cli/text.h"
#include "proto/models.h"
#include "proto/usage.h"

#include <stdlib.h>
#include <string.h>

typedef enum part { BY_STEP, BY_ROLE, BY_MODEL, PARTS } part;

static const char *const part_names[PARTS] = {"step", "role", "model"}, *const list_names[PARTS] = {"by_step", "by_role", "by_model"};
static const char *const role_names[ROLE_COUNT] = {"none", "planner", "executor", "evaluator", "judge", "solver"};
static const char *const sums[3] = {"used", "spent", "lost"};

/* ---- as data ---- */

static json_t *number(uint64_t value) { return json_integer((json_int_t)(value < INT64_MAX ? value : INT64_MAX)); }

static json_t *usage_of(const message_usage *u)
{
    json_t *told = json_object();
    json_object_set_new(told, "in", number(u->tokens_in));
    json_object_set_new(told, "out", number(u->tokens_out));
    json_object_set_new(told, "cached", number(u->tokens_cached));
    json_object_set_new(told, "reasoning", number(u->tokens_reasoning));
    json_object_set_new(told, "cost", json_real((double)u->cost_micros / 1e6));
    json_object_set_new(told, "calls", number(u->calls));
    return told;
}

static void set_sums(json_t *told, const core_account *a)
{
    json_object_set_new(told, "used", usage_of(&a->used));
    json_object_set_new(told, "spent", usage_of(&a->spent));
    json_object_set_new(told, "lost", usage_of(&a->lost));
}

static uint32_t step_of(const core_run_view *view, uint32_t node) { return node && node <= view->node_count ? view->nodes[node - 1].step : 0; }

/* Whether two accounts are one in this list; step and role are kept in the fields of a node and a role. */
static bool is_one(part by, const core_account *a, const core_account *b)
{
    if (by == BY_MODEL) return strcmp(a->model, b->model) == 0;
    return by == BY_ROLE ? a->role == b->role : a->node == b->node;
}

static json_t *list_of(const core_run_view *view, part by)
{
    core_account *rows = calloc((size_t)view->account_count + 1, sizeof *rows);
    json_t *list = rows ? json_array() : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < view->account_count; i++) {
        core_account one = view->accounts[i];
        uint32_t at = 0;
        one.node = step_of(view, one.node);
        while (at < count && !is_one(by, &rows[at], &one)) at++; /* few: steps, roles and models, not nodes */
        if (at == count) {
            rows[count++] = one;
            continue;
        }
        message_usage_add(&rows[at].used, &one.used);
        message_usage_add(&rows[at].spent, &one.spent);
        message_usage_add(&rows[at].lost, &one.lost);
    }
    for (uint32_t i = 0; list && i < count; i++) {
        json_t *told = json_object(), *name = NULL;
        if (by == BY_STEP) name = number(rows[i].node);
        if (by == BY_ROLE) name = json_string(role_names[rows[i].role < ROLE_COUNT ? rows[i].role : 0]);
        if (by == BY_MODEL) name = json_string(rows[i].model);
        json_object_set_new(told, part_names[by], name ? name : json_string(""));
        set_sums(told, &rows[i]);
        json_array_append_new(list, told);
    }
    free(rows);
    return list;
}

static json_t *currency_of(const core_run_view *view)
{
    const char *text = view->config->models;
    etna_arena arena = ETNA_ARENA_INIT;
    models list;
    bool named = text && !models_from_json(text, strlen(text), &arena, &list, NULL) && list.currency;
    json_t *told = json_string(named ? list.currency : "");
    etna_arena_free(&arena);
    return told ? told : json_string("");
}

json_t *usage_of_view(const core_run_view *view)
{
    const core_account all = {.used = view->used, .spent = view->spent, .lost = view->lost};
    json_t *told = json_object();
    json_object_set_new(told, "currency", currency_of(view));
    set_sums(told, &all);
    for (part by = BY_STEP; by < PARTS; by++) json_object_set_new(told, list_names[by], list_of(view, by));
    return told;
}

/* ---- for people ---- */

static const json_t *usage_in(const json_t *document)
{
    const json_t *usage = json_object_get(document, "usage"), *spent = json_object_get(usage, "spent");
    bool costs = json_integer_value(json_object_get(spent, "in")) || json_integer_value(json_object_get(spent, "out")) ||
                 json_number_value(json_object_get(spent, "cost")) > 0;
    return costs ? usage : NULL;
}

static long long integer_of(const json_t *object, const char *name) { return (long long)json_integer_value(json_object_get(object, name)); }

static void name_of(const json_t *row, part by, char *ret, size_t room)
{
    const json_t *name = json_object_get(row, part_names[by]);
    long long step = (long long)json_integer_value(name);
    if (by == BY_STEP && step) snprintf(ret, room, "step %lld", step);
    if (by == BY_STEP && !step) snprintf(ret, room, "before the first step");
    if (by != BY_STEP) snprintf(ret, room, "%s", json_string_value(name) ? json_string_value(name) : "");
}

static void print_row(FILE *to, const char *name, const json_t *row, const char *currency)
{
    text_printf(to, "  %-24s", name);
    for (int i = 0; i < 3; i++) {
        const json_t *sum = json_object_get(row, sums[i]);
        double cost = json_number_value(json_object_get(sum, "cost"));
        if (i == 2 && !integer_of(sum, "calls")) continue;
        fprintf(to, "%s%s %lld in (%lld cached), %lld out (%lld reasoning)", i ? "; " : " ", sums[i], integer_of(sum, "in"), integer_of(sum, "cached"),
                integer_of(sum, "out"), integer_of(sum, "reasoning"));
        if (cost > 0) text_printf(to, ", %.4f %s", cost, currency);
    }
    fputc('\n', to);
}

void usage_print(FILE *to, const json_t *document)
{
    const json_t *usage = usage_in(document), *row;
    if (!usage) return;
    const char *currency = json_string_value(json_object_get(usage, "currency"));
    char name[300];
    size_t i;
    fputs("\ntokens:\n", to);
    for (part by = BY_STEP; by < PARTS; by++) {
        json_array_foreach(json_object_get(usage, list_names[by]), i, row) {
            name_of(row, by, name, sizeof name);
            print_row(to, name, row, currency ? currency : "");
        }
    }
    print_row(to, "in all", usage, currency ? currency : "");
}

static void page_row(page *p, const char *name, const json_t *row, const char *currency)
{
    page_raw(p, "<tr><td class=\"n\">");
    page_text(p, name);
    for (int i = 0; i < 3; i++) {
        const json_t *sum = json_object_get(row, sums[i]);
        double cost = json_number_value(json_object_get(sum, "cost"));
        page_add(p, "</td><td class=\"n\">%lld / %lld", integer_of(sum, "in"), integer_of(sum, "out"));
        if (cost > 0) page_textf(p, ", %.4f %s", cost, currency);
    }
    const json_t *spent = json_object_get(row, "spent");
    page_add(p, "</td><td class=\"n\">%lld / %lld</td><td class=\"n\">%lld</td></tr>\n", integer_of(spent, "cached"), integer_of(spent, "reasoning"),
             integer_of(spent, "calls"));
}

void usage_page(page *p, const json_t *document)
{
    const json_t *usage = usage_in(document), *row;
    if (!usage) return;
    const char *currency = json_string_value(json_object_get(usage, "currency"));
    char name[300];
    size_t i;
    page_raw(p, "<section class=\"card\"><h2>What the models cost</h2>\n<p class=\"small soft\">Tokens in / out. Used: what entered decisions; "
                "spent: all that was paid for; lost: of it, what brought no answer, at its estimate.</p>\n"
                "<div class=\"scroll\"><table><thead><tr><th></th><th>used</th><th>spent</th><th>lost</th><th>cached / reasoning</th>"
                "<th>calls</th></tr></thead><tbody>\n");
    for (part by = BY_STEP; by < PARTS; by++) {
        json_array_foreach(json_object_get(usage, list_names[by]), i, row) {
            name_of(row, by, name, sizeof name);
            page_row(p, name, row, currency ? currency : "");
        }
    }
    page_row(p, "in all", usage, currency ? currency : "");
    page_raw(p, "</tbody></table></div></section>\n");
}
