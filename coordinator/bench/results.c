/* See results.h.
 *
 * results_of makes the lines of a run: a row for each step of the suite's list,
 * or one for the general goal, out of four documents (the run's own, the
 * batch's journal, the referee's verdict, the judges' scores), any of which may
 * be missing. results_read reads such lines back, from a file that anybody may
 * have written. Names of members stand in both halves; the rest of the
 * benchmark sees result_row alone. */
#include "coordinator/bench/results.h"
#include "coordinator/report/field.h"
#include "proto/array.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line has a step's predicates and lists of names: a megabyte is far beyond
 * any. */
enum {
    LINE_MAX = 1 << 20
};

/* In the order of result_end, and names of members in results.jsonl, so none is
 * ever renamed. */
const char *const result_end_words[RESULT_ENDS] = {
    "accepted", "rejected",  "unjudged", "malformed",
    "unsolved", "collision", "floating", "repeated"};
const char *const result_try_words[RESULT_TRIES] = {
    "valid", "malformed", "unsolved", "collision", "floating", "repeated"};
const char *const result_player_words[RESULT_PLAYERS] = {
    "reader", "planner", "executor", "evaluator"};

/* ---- made ---- */

/* The instruction that an edit serves: what it says, else its own number. */
static uint32_t edit_item(const json_t *steps, size_t edit)
{
    long long item = field_integer(json_array_get(steps, edit), "item");
    return item > 0 && item <= SUITE_STEPS_MAX ? (uint32_t)item
                                               : (uint32_t)edit + 1;
}

/* What the run says of an instruction that it passed over; NULL: it did not. */
static const json_t *item_passed(const json_t *document, uint32_t item)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(document, "passed_over"), i, one)
    {
        if (field_integer(one, "item") == (long long)item)
            return one;
    }
    return NULL;
}

/* Did the run come to its list's end, with or without passing over some of
 * it? */
static bool run_is_through(const json_t *document)
{
    const char *end = field_string(json_object_get(document, "end"), "kind");
    return strcmp(field_string(document, "status"), "complete") == 0 ||
           strcmp(end, "passed_over") == 0;
}

/* The last edit of each item, -1 where it has none; the last item that has
 * one. */
static uint32_t items_edited(const json_t *steps,
                             uint32_t count,
                             int *ret_edits)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++)
        ret_edits[i] = -1;
    for (size_t e = 0; e < json_array_size(steps); e++) {
        uint32_t item = edit_item(steps, e);
        if (item > count)
            continue;
        ret_edits[item - 1] = (int)e + 1;
        if (item > last)
            last = item;
    }
    return last;
}

/* Of each step, after how many edits the scene stands as the step left it; -1:
 * it was not reached. A step that took no edit, as it was fulfilled already,
 * has the count of the one before. */
void results_states(const json_t *document,
                    uint32_t count,
                    bool is_goal,
                    int *ret_edits)
{
    const json_t *steps = json_object_get(document, "steps");
    size_t edits = json_array_size(steps);
    bool complete = run_is_through(document);
    /* ret_edits has room for a suite's steps */
    assert(is_goal || count <= SUITE_STEPS_MAX);
    if (is_goal) {
        ret_edits[0] = complete || edits ? (int)edits : -1;
        return;
    }
    uint32_t last = items_edited(steps, count, ret_edits);
    int before = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_past = ret_edits[i] < 0 && (complete || i + 1 < last);
        if (is_past)
            ret_edits[i] = before; /* it took no edit */
        if (ret_edits[i] >= 0)
            before = ret_edits[i];
        if (item_passed(document, i + 1))
            ret_edits[i] = -1; /* it failed, whatever was tried for it */
    }
}

/* Edits and branches that were spent for the step; a goal has all of the
 * run's. */
static void row_add_work(json_t *row,
                         const json_t *document,
                         uint32_t step,
                         bool is_goal)
{
    const json_t *steps = json_object_get(document, "steps");
    json_int_t edits = 0, branches = 0;
    for (size_t e = 0; e < json_array_size(steps); e++) {
        if (!is_goal && edit_item(steps, e) != step)
            continue;
        edits++;
        branches +=
            (json_int_t)field_integer(json_array_get(steps, e), "branches");
    }
    json_object_set_new(row, "edits", json_integer(edits));
    json_object_set_new(row, "branches", json_integer(branches));
}

/* The tries of a branch that was decided about: those that came to nothing, and
 * the one that did not. */
static void tries_add(const json_t *branch, json_int_t *counts)
{
    const json_t *failed = json_object_get(branch, "failed_tries");
    const char *status = field_string(branch, "status");
    counts[TRY_VALID] += strcmp(status, "valid") == 0;
    counts[TRY_REPEATED] += strcmp(status, "repeated") == 0;
    for (int i = TRY_MALFORMED; i < TRY_REPEATED; i++)
        counts[i] += (json_int_t)field_integer(failed, result_try_words[i]);
}

static json_t *tries_told(const json_int_t *counts)
{
    json_t *tries = json_object();
    for (int i = 0; i < RESULT_TRIES; i++)
        json_object_set_new(tries, result_try_words[i],
                            json_integer(counts[i]));
    return tries;
}

/* The end of a branch that was decided about; RESULT_ENDS: it was not. */
static size_t branch_end(const json_t *branch)
{
    const char *state = field_string(branch, "state");
    const char *end =
        strcmp(state, "failed") == 0 ? field_string(branch, "status") : state;
    size_t at = 0;
    while (at < RESULT_ENDS && strcmp(result_end_words[at], end) != 0)
        at++;
    return at;
}

/* How branches ended that were decided about; those that were dropped when
 * another was taken depend on who was first. */
static json_t *attempts_of(const json_t *document)
{
    json_int_t counts[RESULT_ENDS] = {0}, tries[RESULT_TRIES] = {0},
               widened = 0;
    double strayed = 0;
    size_t i, k;
    json_t *node, *branch, *ret = json_object();
    json_array_foreach(json_object_get(document, "tree"), i, node)
    {
        json_array_foreach(json_object_get(node, "branches"), k, branch)
        {
            const size_t end = branch_end(branch);
            bool is_away = end == END_ACCEPTED &&
                           json_is_true(json_object_get(branch, "widened"));
            if (end == RESULT_ENDS)
                continue;
            counts[end]++;
            tries_add(branch, tries);
            widened += is_away;
            if (is_away)
                strayed +=
                    json_number_value(json_object_get(branch, "pixel_off"));
        }
    }
    for (size_t e = 0; e < RESULT_ENDS; e++)
        json_object_set_new(ret, result_end_words[e], json_integer(counts[e]));
    json_object_set_new(ret, "widened", json_integer(widened));
    json_object_set_new(ret, "strayed", json_real(strayed));
    json_object_set_new(ret, "tries", tries_told(tries));
    return ret;
}

/* Of the calls that entered a decision, by role. */
static json_t *roles_of(const json_t *document)
{
    static const char *const copied[] = {"calls", "in", "out", "cached"};
    size_t i;
    json_t *one, *ret = json_object();
    json_array_foreach(
        json_object_get(json_object_get(document, "usage"), "by_role"), i, one)
    {
        json_t *role = json_object();
        for (size_t k = 0; k < COUNT_OF(copied); k++)
            json_object_set_new(role, copied[k],
                                json_integer((json_int_t)field_integer(
                                    json_object_get(one, "used"), copied[k])));
        json_object_set_new(
            role, "asked_again",
            json_integer((json_int_t)field_integer(one, "asked_again")));
        json_object_set_new(ret, field_string(one, "role"), role);
    }
    return ret;
}

/* What is the run's stands in every row of it. Cost is in the list's currency;
 * a run that was refused before it began has only what the journal says. */
static void row_add_run(json_t *row,
                        const json_t *document,
                        const json_t *ended)
{
    const char *status = field_string(document ? document : ended, "status");
    const char *why = document ? field_string(document, "reason")
                               : field_string(ended, "why");
    const json_t *tokens = json_object_get(document, "tokens");
    const json_t *used =
        json_object_get(json_object_get(document, "usage"), "used");
    long long sum = field_integer(tokens, "in") + field_integer(tokens, "out");
    json_object_set_new(row, "status", json_string(*status ? status : "none"));
    json_object_set_new(row, "why", json_string(why));
    json_object_set_new(row, "tokens", json_integer(sum));
    json_object_set_new(
        row, "cost",
        json_real(json_number_value(json_object_get(used, "cost"))));
}

/* NULL: the referee says nothing of it. */
static const json_t *verdict_step(const json_t *verdict, uint32_t step)
{
    return json_array_get(json_object_get(verdict, "steps"), step - 1);
}

/* A step that was not reached is not done, whatever the last scene looks like.
 * Lists that are missing are empty. */
static void row_add_verdict(json_t *row, const json_t *step)
{
    static const char *const copied[] = {
        "predicates", "collisions",    "floating", "left_behind",
        "unstable",   "unstable_ever", "stays"};
    const json_t *paper = json_object_get(step, "paper");
    bool reached = json_is_true(json_object_get(step, "reached"));
    json_object_set_new(row, "reached", json_boolean(reached));
    json_object_set_new(
        row, "done",
        json_boolean(reached && json_is_true(json_object_get(step, "done"))));
    for (size_t i = 0; i < COUNT_OF(copied); i++) {
        json_t *list = json_object_get(step, copied[i]);
        json_object_set_new(row, copied[i],
                            list ? json_incref(list) : json_array());
    }
    json_object_set_new(
        row, "fallen", json_integer((json_int_t)field_integer(step, "fallen")));
    json_object_set_new(
        row, "paper_collides",
        json_boolean(json_is_true(json_object_get(paper, "collides"))));
    json_object_set_new(
        row, "paper_floats",
        json_boolean(json_is_true(json_object_get(paper, "floats"))));
}

/* What each judge said of the step that is number `at` of those it was
 * shown. */
static void row_add_judges(json_t *row,
                           const char *key,
                           const json_t *judgement,
                           size_t at)
{
    static const char *const scales[] = {"correctness", "plausibility"};
    size_t i;
    json_t *one;
    json_t *judged =
        json_pack("{s:s, s:[], s:[]}", "model",
                  field_string(judgement, "model"), scales[0], scales[1]);
    json_array_foreach(json_object_get(judgement, "judges"), i, one)
    {
        const json_t *step = json_array_get(json_object_get(one, "steps"), at);
        for (int k = 0; k < 2; k++) {
            const json_t *score = json_object_get(step, scales[k]);
            json_array_append_new(json_object_get(judged, scales[k]),
                                  json_is_integer(score)
                                      ? json_integer(json_integer_value(score))
                                      : json_null());
        }
    }
    json_object_set_new(row, key, judged);
}

/* Of the step nearly done, where that was made and judged. */
static void row_add_near(json_t *row, uint32_t step, const result_sources *from)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(from->near, "near"), i, one)
    {
        bool is_it = from->near_judgement && field_integer(one, "step") == step;
        if (is_it)
            row_add_judges(row, "near", from->near_judgement, i);
    }
}

/* What is known of a step before anything ran; NULL: no memory. */
static json_t *results_row_begin(const result_run *run,
                                 const suite_step *asked,
                                 uint32_t step)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:I, s:s}", "scene",
                     run->scene, "split", run->is_test ? "test" : "dev",
                     "level", run->is_hard ? "hard" : "easy", "variant",
                     run->variant, "repeat", (json_int_t)run->repeat, "mode",
                     run->is_goal ? "goal" : "steps", "step", (json_int_t)step,
                     "text", asked->text);
}

/* What the run, which may have made no document, came to for the step. */
static void row_add_outcome(json_t *row,
                            const result_run *run,
                            uint32_t step,
                            const json_t *document,
                            const json_t *ended)
{
    row_add_work(row, document, step, run->is_goal);
    row_add_run(row, document, ended);
    const json_t *passed = run->is_goal ? NULL : item_passed(document, step);
    if (passed)
        json_object_set_new(row, "why",
                            json_string(field_string(passed, "what")));
    if (document && step == 1) { /* what is the run's, once */
        json_object_set_new(row, "attempts", attempts_of(document));
        json_object_set_new(row, "roles", roles_of(document));
    }
}

/* NULL: out of memory. The caller releases the rows. Judges saw only steps that
 * were reached, so these are counted apart. */
json_t *results_of(const result_run *run,
                   const suite_scene *scene,
                   const result_sources *from)
{
    json_t *rows = json_array();
    size_t reached = 0;
    uint32_t count = run->is_goal ? 1 : scene->step_count;
    for (uint32_t i = 0; rows && i < count; i++) {
        json_t *row = results_row_begin(
            run, run->is_goal ? &scene->goal : &scene->steps[i], i + 1);
        if (row) {
            row_add_verdict(row, verdict_step(from->verdict, i + 1));
            row_add_outcome(row, run, i + 1, from->document, from->ended);
            json_object_set(row, "tried", json_array_get(from->tried, i));
        }
        bool is_judged =
            from->judgement && json_is_true(json_object_get(row, "reached"));
        if (is_judged)
            row_add_judges(row, "judged", from->judgement, reached++);
        row_add_near(row, i + 1, from);
        if (!json_array_append_new(rows, row))
            continue;
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}

/* ---- read ---- */

/* False: the member is neither of the two words. *ret_second says which it
 * was. */
static bool word_is(const json_t *object,
                    const char *key,
                    const char *first,
                    const char *second,
                    bool *ret_second)
{
    const char *word = field_string(object, key);
    *ret_second = strcmp(word, second) == 0;
    return *ret_second || strcmp(word, first) == 0;
}

/* "" where it is missing; NULL: out of memory. */
static const char *results_row_text(etna_arena *arena,
                                    const json_t *object,
                                    const char *key)
{
    return etna_arena_strdup(arena, field_string(object, key));
}

/* A missing member is false. */
static bool row_is_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* A count of a line that anybody may have written: none that is no count. */
static uint32_t result_row_count(const json_t *object, const char *key)
{
    long long count = field_integer(object, key);
    return count > 0 && count <= RESULTS_LINES_MAX ? (uint32_t)count : 0;
}

/* Also bounds what would overflow in sums; NAN and negative numbers are 0. */
static double row_sum(const json_t *object, const char *key)
{
    double sum = json_number_value(json_object_get(object, key));
    return sum > 0 && sum < 1e18 ? sum : 0;
}

/* Missing counts are 0: rows of another system have none. */
static void row_take_attempts(const json_t *object, result_row *to)
{
    const json_t *attempts = json_object_get(object, "attempts");
    to->widened = result_row_count(attempts, "widened");
    to->strayed = row_sum(attempts, "strayed");
    for (int i = 0; i < RESULT_ENDS; i++)
        to->ends[i] = result_row_count(attempts, result_end_words[i]);
    const json_t *tries = json_object_get(attempts, "tries");
    for (int i = 0; i < RESULT_TRIES; i++)
        to->tries[i] = result_row_count(tries, result_try_words[i]);
}

/* As attempts. */
static void row_take_tried(const json_t *object, result_row *to)
{
    const json_t *tried = json_object_get(object, "tried");
    to->tried = (result_tried){.accepted = row_sum(tried, "accepted"),
                               .accepted_done = row_sum(tried, "accepted_done"),
                               .rejected = row_sum(tried, "rejected"),
                               .rejected_done = row_sum(tried, "rejected_done"),
                               .nodes = row_sum(tried, "nodes"),
                               .chosen_done = row_sum(tried, "chosen_done"),
                               .best_done = row_sum(tried, "best_done")};
}

/* As attempts. */
static void row_take_roles(const json_t *object, result_row *to)
{
    const json_t *roles = json_object_get(object, "roles");
    for (int i = 0; i < RESULT_PLAYERS; i++) {
        const json_t *role = json_object_get(roles, result_player_words[i]);
        to->roles[i] =
            (result_calls){.calls = row_sum(role, "calls"),
                           .asked_again = row_sum(role, "asked_again"),
                           .in = row_sum(role, "in"),
                           .out = row_sum(role, "out"),
                           .cached = row_sum(role, "cached")};
    }
}

/* A judge's scores of the step; NULL: out of memory. */
static const double *row_scores(etna_arena *arena,
                                const json_t *judged,
                                const char *scale,
                                uint32_t count)
{
    double *scores = etna_arena_alloc(arena, (size_t)count + 1, sizeof *scores);
    for (uint32_t i = 0; scores && i < count; i++) {
        const json_t *score = json_array_get(json_object_get(judged, scale), i);
        scores[i] =
            json_is_number(score) ? json_number_value(score) : (double)NAN;
    }
    return scores;
}

/* Both lists have one length; one that is too long is not read at all. False:
 * out of memory. */
static bool row_take_judges(const json_t *object,
                            etna_arena *arena,
                            result_row *to)
{
    const json_t *judged = json_object_get(object, "judged");
    size_t count = json_array_size(json_object_get(judged, "plausibility"));
    to->judge_count = count <= RESULTS_JUDGES_MAX ? (uint32_t)count : 0;
    to->correctness = row_scores(arena, judged, "correctness", to->judge_count);
    to->plausibility =
        row_scores(arena, judged, "plausibility", to->judge_count);
    const json_t *near = json_object_get(object, "near");
    count = json_array_size(json_object_get(near, "correctness"));
    to->near_count = count <= RESULTS_JUDGES_MAX ? (uint32_t)count : 0;
    to->near_correctness =
        row_scores(arena, near, "correctness", to->near_count);
    return to->correctness && to->plausibility && to->near_correctness;
}

/* Which step of which run a row is of, by words that it must hold; false: it is
 * none. */
static bool row_take_run(const json_t *object, result_row *row)
{
    long long repeat = field_integer(object, "repeat");
    long long step = field_integer(object, "step");
    bool is_of_run =
        word_is(object, "split", "dev", "test", &row->run.is_test) &&
        word_is(object, "level", "easy", "hard", &row->run.is_hard) &&
        word_is(object, "mode", "steps", "goal", &row->run.is_goal);
    bool is_named =
        *field_string(object, "scene") && *field_string(object, "variant");
    bool is_step = step >= 1 && step <= SUITE_STEPS_MAX;
    bool is_repeat = repeat >= 1 && repeat <= RESULTS_REPEATS_MAX;
    row->step = is_step ? (uint32_t)step : 0;
    row->run.repeat = is_repeat ? (uint32_t)repeat : 0;
    const bool is_row = is_step && is_repeat;
    return is_of_run && is_named && is_row;
}

/* False: no memory. */
static bool row_take_texts(const json_t *object,
                           etna_arena *arena,
                           result_row *row)
{
    row->run.scene = results_row_text(arena, object, "scene");
    row->run.variant = results_row_text(arena, object, "variant");
    row->status = results_row_text(arena, object, "status");
    row->text = results_row_text(arena, object, "text");
    bool is_run = row->run.scene && row->run.variant;
    return is_run && row->status && row->text;
}

/* A member that is no list has none. */
static bool row_has_any(const json_t *object, const char *key)
{
    return json_array_size(json_object_get(object, key)) > 0;
}

/* What came of the step: of one that was not reached nothing holds. */
static void row_take_verdict(const json_t *object, result_row *row)
{
    row->reached = row_is_true(object, "reached");
    if (!row->reached)
        return;
    row->done = row_is_true(object, "done");
    row->collides = row_has_any(object, "collisions");
    row->floats = row_has_any(object, "floating");
    row->unstable = row_has_any(object, "unstable");
    row->paper_collides = row_is_true(object, "paper_collides");
    row->paper_floats = row_is_true(object, "paper_floats");
}

/* False: it is none. */
static bool row_take(const json_t *object, etna_arena *arena, result_row *ret)
{
    result_row row = {.step = 0};
    if (!row_take_run(object, &row) || !row_take_texts(object, arena, &row))
        return false;
    row_take_verdict(object, &row);
    row.edits = result_row_count(object, "edits");
    row.branches = result_row_count(object, "branches");
    row.tokens = row_sum(object, "tokens");
    row.cost = row_sum(object, "cost");
    row_take_attempts(object, &row);
    row_take_roles(object, &row);
    row_take_tried(object, &row);
    if (!row_take_judges(object, arena, &row))
        return false;
    *ret = row;
    return true;
}

/* Grows within the arena: what it leaves behind is freed with it. */
typedef struct row_list {
    result_row *rows;
    size_t count, room;
} row_list;

static result_row *row_list_add(row_list *l, etna_arena *arena)
{
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 256;
        result_row *grown = etna_arena_alloc(arena, room, sizeof *grown);
        if (!grown)
            return NULL;
        if (l->count)
            memcpy(grown, l->rows, l->count * sizeof *grown);
        l->rows = grown;
        l->room = room;
    }
    return &l->rows[l->count++];
}

/* Rows of one step of one run are equal; else by any order. */
static int result_row_order(const result_row *a, const result_row *b)
{
    int order = strcmp(a->run.scene, b->run.scene);
    if (!order)
        order = strcmp(a->run.variant, b->run.variant);
    if (!order)
        order =
            (a->run.repeat > b->run.repeat) - (a->run.repeat < b->run.repeat);
    if (!order)
        order = a->run.is_goal - b->run.is_goal;
    return order ? order : (a->step > b->step) - (a->step < b->step);
}

/* By their own order where they are equal, which is that of their lines. */
static int row_order_then_line(const void *a, const void *b)
{
    const result_row *const *one = a, *const *other = b;
    int order = result_row_order(*one, *other);
    return order ? order : (*one > *other) - (*one < *other);
}

/* A line twice would count its step twice. The row of line n is number n - 1:
 * no line is passed over. */
static etna_code results_check_once(const row_list *l,
                                    const char *path,
                                    etna_arena *arena,
                                    etna_error *err)
{
    const result_row **sorted =
        etna_arena_alloc(arena, l->count + 1, sizeof *sorted);
    if (!sorted)
        return etna_fail(err, ETNA_E_NOMEM, "%.300s: out of memory", path);
    for (size_t i = 0; i < l->count; i++)
        sorted[i] = &l->rows[i];
    qsort(sorted, l->count, sizeof *sorted, row_order_then_line);
    for (size_t i = 1; i < l->count; i++) {
        const result_row *first = sorted[i - 1], *again = sorted[i];
        if (result_row_order(first, again) == 0)
            return etna_fail(
                err, ETNA_E_INPUT,
                "%.300s, line %zu: has the same step of the same run as line %zu; leave one of them out",
                path, (size_t)(again - l->rows) + 1,
                (size_t)(first - l->rows) + 1);
    }
    return ETNA_OK;
}

/* The first wrong line ends it, with its number: results of half a file would
 * be taken for all. */
static etna_code results_take_lines(FILE *file,
                                    const char *path,
                                    char *line,
                                    etna_arena *arena,
                                    row_list *l,
                                    etna_error *err)
{
    for (unsigned number = 1; fgets(line, LINE_MAX, file); number++) {
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        result_row *row =
            l->count < RESULTS_LINES_MAX ? row_list_add(l, arena) : NULL;
        bool good = row && row_take(object, arena, row);
        json_decref(object);
        if (!good)
            return etna_fail(err, ETNA_E_INPUT,
                             "%.300s, line %u: is no line of results", path,
                             number);
    }
    return ferror(file)
               ? etna_fail(err, ETNA_E_IO, "%.300s: cannot be read", path)
               : ETNA_OK;
}

etna_code results_read(const char *path,
                       etna_arena *arena,
                       result_row **ret_rows,
                       size_t *ret_count,
                       etna_error *err)
{
    row_list l = {NULL, 0, 0};
    FILE *file = fopen(path, "re");
    if (!file)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.300s: %s; `etna bench run` or `etna bench score` makes it", path,
            strerror(errno));
    char *line = malloc(LINE_MAX);
    etna_code code =
        line ? results_take_lines(file, path, line, arena, &l, err)
             : etna_fail(err, ETNA_E_NOMEM, "%.300s: out of memory", path);
    free(line);
    fclose(file);
    if (!code)
        code = results_check_once(&l, path, arena, err);
    if (code)
        return code;
    *ret_rows = l.rows;
    *ret_count = l.count;
    return ETNA_OK;
}
