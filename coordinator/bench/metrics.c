/* See metrics.h: sums over the lines of a choice, and a table of what is
 * divided by what. */
#include "coordinator/bench/metrics.h"
#include "coordinator/bench/plan.h"
#include "coordinator/report/field.h"
#include "proto/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ORDER_MAX = 12 /* edits of a run that are told one by one */
};

typedef struct order_sums { /* of the nth instruction of a run */
    double steps, edits, branches;
} order_sums;

/* Words of judges about steps of which the predicates know whether they are
 * done. */
typedef struct judge_sums {
    double of_done, of_others;       /* words */
    double done_seen, others_passed; /* that say that it is done */
    double of_near, near_seen; /* of what is nearly done: that it is not */
} judge_sums;

typedef struct metric_sums {
    double runs, steps, reached, unreached;
    double done, valid, whole; /* steps, and runs all of whose steps are done */
    double collides, floats, paper_collides, paper_floats, unstable;
    /* steps that evaluators let pass, and those of them that are not done */
    double passed, false_accepts;
    result_tried tried;
    judge_sums judges;
    double edits, branches;
    order_sums order[ORDER_MAX];
    double ends[RESULT_ENDS], decided, widened, strayed;
    double tries[RESULT_TRIES], tried_in_all;
    result_calls roles[RESULT_PLAYERS];
    double tokens, cost;
    double timed, wall_s, model_s, spent, sent[RESULT_PLAYERS];
    double images[RESULT_PLAYERS];
    /* of the runs whose workers told it */
    double *compute_s;
    size_t computed;
} metric_sums;

/* ---- summing ---- */

/* A judge says that a step is done where it finds it more than fair. */
static void sums_add_judges(judge_sums *s, const result_row *r)
{
    for (uint32_t i = 0; i < r->judge_count; i++) {
        if (isnan(r->correctness[i]))
            continue;
        bool says_done = r->correctness[i] > TALLY_FAIR;
        s->of_done += r->done;
        s->of_others += !r->done;
        s->done_seen += r->done && says_done;
        s->others_passed += !r->done && says_done;
    }
    for (uint32_t i = 0; i < r->near_count; i++) {
        if (isnan(r->near_correctness[i]))
            continue;
        s->of_near++;
        s->near_seen += r->near_correctness[i] <= TALLY_FAIR;
    }
}

/* By the order of instructions as well, since later ones are harder. */
static void sums_add_step(metric_sums *s, const result_row *r)
{
    bool is_passed = r->reached && r->edits > 0;
    s->steps++;
    s->reached += r->reached;
    s->unreached += !r->reached;
    s->done += r->done;
    s->valid += tally_row_hits(r, RATE_VALID);
    s->collides += r->collides;
    s->floats += r->floats;
    s->paper_collides += r->paper_collides;
    s->paper_floats += r->paper_floats;
    s->unstable += r->unstable;
    s->passed += is_passed;
    s->false_accepts += is_passed && !r->done;
    s->tried.accepted += r->tried.accepted;
    s->tried.accepted_done += r->tried.accepted_done;
    s->tried.rejected += r->tried.rejected;
    s->tried.rejected_done += r->tried.rejected_done;
    s->tried.nodes += r->tried.nodes;
    s->tried.chosen_done += r->tried.chosen_done;
    s->tried.best_done += r->tried.best_done;
    sums_add_judges(&s->judges, r);
    s->edits += r->edits;
    s->branches += r->branches;
    if (r->step > ORDER_MAX)
        return;
    order_sums *order = &s->order[r->step - 1];
    order->steps++;
    order->edits += r->edits;
    order->branches += r->branches;
}

/* What is the run's stands in its first line alone. */
static void sums_add_run(metric_sums *s, const result_row *r)
{
    s->runs++;
    s->tokens += r->tokens;
    s->cost += r->cost;
    s->widened += r->widened;
    s->strayed += r->strayed;
    for (int i = 0; i < RESULT_ENDS; i++) {
        s->ends[i] += r->ends[i];
        s->decided += r->ends[i];
    }
    for (int i = 0; i < RESULT_TRIES; i++) {
        s->tries[i] += r->tries[i];
        s->tried_in_all += r->tries[i];
    }
    for (int i = 0; i < RESULT_PLAYERS; i++) {
        s->roles[i].calls += r->roles[i].calls;
        s->roles[i].asked_again += r->roles[i].asked_again;
        s->roles[i].in += r->roles[i].in;
        s->roles[i].out += r->roles[i].out;
        s->roles[i].cached += r->roles[i].cached;
    }
}

/* 0 where it was not measured. */
static double time_of(const json_t *time, const char *key)
{
    return json_number_value(json_object_get(time, key));
}

/* Runs that were refused have none. */
static void sums_add_times(metric_sums *s,
                           const result_row *r,
                           const json_t *times)
{
    char name[SUITE_NAME_MAX];
    plan_job_name(&r->run, name, sizeof name);
    const json_t *time = json_object_get(times, name);
    s->timed += time != NULL;
    if (time_of(time, "compute_s") > 0)
        s->compute_s[s->computed++] = time_of(time, "compute_s");
    s->wall_s += time_of(time, "wall_s");
    s->model_s += time_of(time, "model_s");
    s->spent += time_of(time, "spent");
    const json_t *sent = json_object_get(time, "sent"),
                 *images = json_object_get(time, "images");
    for (int i = 0; i < RESULT_PLAYERS; i++) {
        s->sent[i] += time_of(sent, result_player_words[i]);
        s->images[i] += time_of(images, result_player_words[i]);
    }
}

/* A list's times by their runs' names; NULL: out of memory. */
static json_t *times_named(const json_t *times)
{
    json_t *named = json_object();
    size_t i;
    json_t *time;
    json_array_foreach(times, i, time)
        json_object_set(named, field_string(time, "name"), time);
    return named;
}

/* A scene is whole when all its steps are done. `room` is for a number of each
 * row, until the next sums are made. */
static void sums_make(const result_row *rows,
                      size_t count,
                      const tally_choice *c,
                      const json_t *times,
                      double *room,
                      metric_sums *ret)
{
    metric_sums s = {.compute_s = room};
    bool all_done = false;
    for (size_t i = 0; i < count; i++) {
        const result_row *r = &rows[i];
        if (!tally_choice_has(c, r))
            continue;
        sums_add_step(&s, r);
        all_done = r->done && (r->step == 1 || all_done);
        bool is_last = i + 1 == count || rows[i + 1].step == 1;
        s.whole += is_last && all_done;
        if (r->step != 1)
            continue; /* what is the run's stands in its first line */
        sums_add_run(&s, r);
        sums_add_times(&s, r, times);
    }
    *ret = s;
}

/* ---- telling ---- */

typedef struct metric_writer {
    const char *variant, *asked, *level;
    tally_form form;
    page *to;
} metric_writer;

/* Always with what it was divided by: a rate without its denominator says
 * nothing. Nothing over 0. */
static void metric_write(const metric_writer *w,
                         const char *name,
                         double sum,
                         double of,
                         const char *of_what)
{
    static const struct {
        const char *first, *gap, *last;
    } marks[] = {[TABLE_MARKDOWN] = {"| ", " | ", " |\n"},
                 [TABLE_CSV] = {"", ",", "\r\n"}};
    const char *const words[] = {w->asked, w->level, name};
    const char *gap = marks[w->form].gap;
    if (!(of > 0))
        return;
    page_raw(w->to, marks[w->form].first);
    tally_word(w->to, w->form, w->variant);
    for (int i = 0; i < 3; i++) {
        page_raw(w->to, gap);
        page_raw(w->to, words[i]);
    }
    page_add(w->to, "%s%.6g%s%.6g%s%s%s", gap, sum / of, gap, of, gap, of_what,
             marks[w->form].last);
}

/* A table of sums and denominators. */
static void metrics_of_steps(const metric_writer *w, const metric_sums *s)
{
    const struct {
        const char *name;
        double sum, of;
        const char *of_what;
    } table[] = {
        {"success", s->done, s->steps, "steps"},
        {"valid success", s->valid, s->steps, "steps"},
        {"completion", s->reached, s->steps, "steps"},
        {"success of scenes", s->whole, s->runs, "runs"},
        {"collision", s->collides, s->reached, "reached steps"},
        {"floating", s->floats, s->reached, "reached steps"},
        {"paper collision", s->paper_collides, s->reached, "reached steps"},
        {"paper floating", s->paper_floats, s->reached, "reached steps"},
        {"unstable", s->unstable, s->reached, "reached steps"},
        {"false accepts", s->false_accepts, s->passed,
         "steps that evaluators let pass"},
        {"edits a step", s->edits, s->reached, "reached steps"},
        {"branches an edit", s->branches, s->edits, "kept edits"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        metric_write(w, table[i].name, table[i].sum, table[i].of,
                     table[i].of_what);
    for (int i = 0; i < ORDER_MAX; i++) {
        char name[64];
        snprintf(name, sizeof name, "branches of instruction %d", i + 1);
        metric_write(w, name, s->order[i].branches, s->order[i].edits,
                     "its kept edits");
    }
}

/* Only branches that were decided about. */
static void metrics_of_branches(const metric_writer *w, const metric_sums *s)
{
    for (int i = 0; i < RESULT_ENDS; i++) {
        char name[64];
        snprintf(name, sizeof name, "branches %s", result_end_words[i]);
        metric_write(w, name, s->ends[i], s->decided, "branches decided about");
    }
    for (int i = 0; i < RESULT_TRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "tries %s", result_try_words[i]);
        metric_write(w, name, s->tries[i], s->tried_in_all,
                     "constraints tried by these branches");
    }
    const result_tried *t = &s->tried;
    metric_write(w, "false accepts of branches", t->accepted - t->accepted_done,
                 t->accepted, "branches that evaluators accepted");
    metric_write(w, "false rejects of branches", t->rejected_done, t->rejected,
                 "branches that evaluators rejected");
    metric_write(w, "success of the chosen branch", t->chosen_done, t->nodes,
                 "edits that were to end an instruction");
    metric_write(w, "success of the best branch", t->best_done, t->nodes,
                 "edits that were to end an instruction");
    const double taken = s->ends[END_ACCEPTED];
    metric_write(w, "widened", s->widened, taken, "branches taken");
    metric_write(w, "off the coordinate", s->strayed, taken, "branches taken");
}

/* Held against the predicates, as evaluators are. */
static void metrics_of_judges(const metric_writer *w, const judge_sums *s)
{
    const double right = s->done_seen + s->of_others - s->others_passed;
    metric_write(w, "judges: right", right, s->of_done + s->of_others,
                 "judges' words");
    metric_write(w, "judges: done steps seen", s->done_seen, s->of_done,
                 "judges' words of steps that are done");
    metric_write(w, "judges: others let pass", s->others_passed, s->of_others,
                 "judges' words of steps that are not");
    metric_write(w, "judges: near misses seen", s->near_seen, s->of_near,
                 "judges' words of steps that are nearly done");
}

/* Roles that were never asked are left out. */
static void metrics_of_roles(const metric_writer *w, const metric_sums *s)
{
    for (int i = 0; i < RESULT_PLAYERS; i++) {
        const result_calls *c = &s->roles[i];
        const struct {
            const char *what;
            double sum, of;
            const char *of_what;
        } table[] = {
            {"calls", c->calls, s->runs, "runs"},
            {"asked again", c->asked_again, c->calls, "its calls"},
            {"tokens in", c->in, s->runs, "runs"},
            {"tokens out", c->out, s->runs, "runs"},
            {"tokens cached", c->cached, s->runs, "runs"},
            {"bytes sent", s->sent[i], s->timed, "runs that ran"},
            {"images sent", s->images[i], s->timed, "runs that ran"},
        };
        for (size_t k = 0; c->calls > 0 && k < COUNT_OF(table); k++) {
            char name[64];
            snprintf(name, sizeof name, "%s: %s", result_player_words[i],
                     table[k].what);
            metric_write(w, name, table[k].sum, table[k].of, table[k].of_what);
        }
    }
}

/* Tokens, money, time. */
static void metrics_of_runs(const metric_writer *w, const metric_sums *s)
{
    double compute_s = 0;
    for (size_t i = 0; i < s->computed; i++)
        compute_s += s->compute_s[i];
    const double computed = (double)s->computed,
                 median = stats_median(s->compute_s, s->computed);
    metric_write(w, "tokens", s->tokens, s->runs, "runs");
    metric_write(w, "money", s->cost, s->runs, "runs");
    metric_write(w, "money spent, also on what entered no decision", s->spent,
                 s->timed, "runs that ran");
    metric_write(w, "seconds", s->wall_s, s->timed, "runs that ran");
    metric_write(w, "seconds of computing", compute_s, computed,
                 "runs whose workers told it");
    metric_write(w, "seconds of computing, median", median * computed, computed,
                 "runs whose workers told it");
    metric_write(w, "seconds of models", s->model_s, s->timed, "runs that ran");
}

/* False: out of memory. */
bool metrics_print(const result_row *rows,
                   size_t count,
                   const json_t *times,
                   tally_form form,
                   page *to)
{
    static const char *const heads[] = {
        [TABLE_MARKDOWN] =
            "| variant | asked | level | measure | value | of | of what |\n"
            "|---|---|---|---|---:|---:|---|\n",
        [TABLE_CSV] = "variant,asked,level,measure,value,of,of what\r\n"};
    tally t;
    json_t *named = times_named(times);
    double *room = calloc(count + 1, sizeof *room);
    bool good = named && room && tally_make(rows, count, &t);
    if (!good) {
        free(room);
        json_decref(named);
        return false;
    }
    page_raw(to, heads[form]);
    for (size_t i = 0; i < t.count; i++) {
        const tally_choice c = {t.rows[i].variant, t.rows[i].is_goal,
                                t.rows[i].level};
        const metric_writer w = {c.variant, c.is_goal ? "goal" : "steps",
                                 tally_level_words[c.level], form, to};
        metric_sums s;
        sums_make(rows, count, &c, named, room, &s);
        metrics_of_steps(&w, &s);
        metrics_of_branches(&w, &s);
        metrics_of_judges(&w, &s.judges);
        metrics_of_roles(&w, &s);
        metrics_of_runs(&w, &s);
    }
    tally_free(&t);
    free(room);
    json_decref(named);
    return true;
}
