/* See tally.h.
 *
 * From rows to a table. A cell is a scene and a repeat; hits over tries of all
 * cells are a rate, and the bootstrap draws scenes, then repeats, so that the
 * cells are kept apart until then. Rates differ in what counts as a try
 * (row_counts) and as a hit (tally_row_hits); everything else is the same for
 * all. tally_make fills a row for each variant, mode and level that has any
 * scene; tally_print writes it as Markdown, TeX or CSV. */
#include "coordinator/bench/tally.h"
#include "proto/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tally_level_words[TABLE_LEVELS] = {"easy", "hard", "all"};

/* ---- choosing ---- */

/* Level "all" has both. */
bool tally_choice_has(const tally_choice *c, const result_row *r)
{
    bool of_level =
        c->level == TABLE_ALL || r->run.is_hard == (c->level == TABLE_HARD);
    return of_level && r->run.is_goal == c->is_goal &&
           strcmp(r->run.variant, c->variant) == 0;
}

/* The mean of what judges said; NAN: none said anything. */
static double row_score(const result_row *r, tally_rate rate)
{
    const double *scores =
        rate == RATE_PLAUSIBILITY ? r->plausibility : r->correctness;
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < r->judge_count; i++) {
        if (isnan(scores[i]))
            continue;
        sum += scores[i];
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

/* Scores are means of 0 to 4, not shares: Wilson's interval has no meaning for
 * them. */
static bool rate_is_score(tally_rate rate)
{
    return rate == RATE_PLAUSIBILITY || rate == RATE_CONSISTENCY;
}

/* The share of judges who see that what is nearly done is not; NAN: none was
 * shown it, or none said anything. */
static double row_near(const result_row *r)
{
    double seen = 0, count = 0;
    for (uint32_t i = 0; i < r->near_count; i++) {
        bool is_said = !isnan(r->near_correctness[i]);
        count += is_said;
        seen += is_said && r->near_correctness[i] <= TALLY_FAIR;
    }
    return count > 0 ? seen / count : (double)NAN;
}

/* Is the row a try at all? Collisions and floating are of steps that were
 * reached, false accepts of those that a run changed; success counts steps that
 * were not reached as failures. */
static bool row_counts(const result_row *r, tally_rate rate)
{
    if (rate_is_score(rate))
        return !isnan(row_score(r, rate));
    if (rate == RATE_NEAR)
        return !isnan(row_near(r));
    if (rate == RATE_FALSE_ACCEPT)
        return r->reached && r->edits > 0;
    return rate == RATE_SUCCESS || rate == RATE_VALID ||
           rate == RATE_COMPLETION || r->reached;
}

/* A step that is done, but with something in the air or within another, is no
 * valid success. */
static bool row_is_faulty(const result_row *r)
{
    return r->collides || r->floats || r->unstable;
}

/* 1 or 0, or a score. */
double tally_row_hits(const result_row *r, tally_rate rate)
{
    if (rate_is_score(rate))
        return row_score(r, rate);
    switch (rate) {
    case RATE_SUCCESS: return r->done;
    case RATE_VALID: return r->done && !row_is_faulty(r);
    case RATE_COMPLETION: return r->reached;
    case RATE_COLLISION: return r->collides;
    case RATE_FLOATING: return r->floats;
    case RATE_PAPER_COLLISION: return r->paper_collides;
    case RATE_PAPER_FLOATING: return r->paper_floats;
    case RATE_FALSE_ACCEPT: return !r->done;
    case RATE_NEAR: return row_near(r);
    default: return r->unstable;
    }
}

/* ---- cells ---- */

/* Scenes of a choice in the order they came in; repeats is the greatest number
 * met. */
typedef struct scene_list {
    const char **names;
    size_t count, repeats;
} scene_list;

/* `count`: it is not there. */
static size_t scene_number(const scene_list *l, const char *name)
{
    size_t i = 0;
    while (i < l->count && strcmp(l->names[i], name) != 0)
        i++;
    return i;
}

/* False: out of memory. The names are borrowed from the rows, their list is the
 * caller's. */
static bool scenes_find(const result_row *rows,
                        size_t count,
                        const tally_choice *c,
                        scene_list *ret)
{
    scene_list l = {calloc(count + 1, sizeof *l.names), 0, 0};
    if (!l.names)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!tally_choice_has(c, &rows[i]))
            continue;
        size_t at = scene_number(&l, rows[i].run.scene);
        if (at == l.count)
            l.names[l.count++] = rows[i].run.scene;
        if (rows[i].run.repeat > l.repeats)
            l.repeats = rows[i].run.repeat;
    }
    *ret = l;
    return true;
}

/* Scene by repeat. A cell without a try stays 0 of 0 and weighs nothing. False:
 * out of memory. */
static bool cells_fill(const result_row *rows,
                       size_t count,
                       const tally_choice *c,
                       const scene_list *l,
                       tally_rate rate,
                       cell **ret)
{
    cell *cells = calloc(l->count * l->repeats + 1, sizeof *cells);
    if (!cells)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!tally_choice_has(c, &rows[i]) || !row_counts(&rows[i], rate))
            continue;
        cell *to = &cells[scene_number(l, rows[i].run.scene) * l->repeats +
                          rows[i].run.repeat - 1];
        to->hits += tally_row_hits(&rows[i], rate);
        to->of += 1;
    }
    *ret = cells;
    return true;
}

/* For comparisons, which pair the cells of two variants. What is returned is
 * the caller's to free; ret_names may be NULL. */
bool tally_cells(const result_row *rows,
                 size_t count,
                 const char *variant,
                 bool is_goal,
                 tally_level level,
                 tally_rate rate,
                 cell **ret_cells,
                 const char ***ret_names,
                 size_t *ret_scenes,
                 size_t *ret_repeats)
{
    const tally_choice c = {variant, is_goal, level};
    scene_list l;
    if (!scenes_find(rows, count, &c, &l))
        return false;
    bool good = cells_fill(rows, count, &c, &l, rate, ret_cells);
    if (good && ret_names)
        *ret_names = l.names;
    if (!good || !ret_names)
        free(l.names);
    if (!good)
        return false;
    *ret_scenes = l.count;
    *ret_repeats = l.repeats;
    return true;
}

/* ---- a row ---- */

/* The rate and its 95 % interval. False: out of memory. */
static bool rate_fill(const result_row *rows,
                      size_t count,
                      const tally_choice *c,
                      const scene_list *l,
                      tally_rate rate,
                      tally_row *to)
{
    cell *cells = NULL;
    if (!cells_fill(rows, count, c, l, rate, &cells))
        return false;
    double hits = 0, of = 0;
    for (size_t i = 0; i < l->count * l->repeats; i++) {
        hits += cells[i].hits;
        of += cells[i].of;
    }
    to->rate[rate] = stats_rate(cells, l->count * l->repeats);
    bool good = stats_bootstrap(cells, l->count, l->repeats, &to->range[rate]);
    /* a bootstrap knows no other value where all scenes have the same rate, or
     * there is one */
    bool is_alike = to->range[rate].low >= to->range[rate].high;
    if (is_alike && !rate_is_score(rate) && of > 0)
        to->range[rate] = stats_wilson(hits, of);
    free(cells);
    return good;
}

/* Shares of all branches that came to an end; 0 of 0 is NAN and printed as a
 * gap. */
static void attempts_fill(const result_row *rows,
                          size_t count,
                          const tally_choice *c,
                          tally_row *to)
{
    double accepted = 0, checks = 0, models = 0, all = 0, widened = 0;
    for (size_t i = 0; i < count; i++) {
        const result_row *r = &rows[i];
        if (!tally_choice_has(c, r))
            continue;
        accepted += r->ends[END_ACCEPTED];
        checks += r->ends[END_COLLISION] + r->ends[END_FLOATING];
        models += r->ends[END_REJECTED] + r->ends[END_UNJUDGED];
        for (int k = 0; k < RESULT_ENDS; k++)
            all += r->ends[k];
        widened += r->widened;
    }
    to->by_checks = checks / all;
    to->by_models = models / all;
    to->widened = widened / accepted;
}

/* Steps of a run come one after the other; its first line counts what is the
 * run's. */
static void work_fill(const result_row *rows,
                      size_t count,
                      const tally_choice *c,
                      tally_row *to)
{
    double edits = 0, branches = 0, runs = 0, whole = 0, tokens = 0, cost = 0;
    bool all_done = false;
    for (size_t i = 0; i < count; i++) {
        const result_row *r = &rows[i];
        if (!tally_choice_has(c, r))
            continue;
        to->steps++;
        to->unreached += !r->reached;
        edits += r->reached ? r->edits : 0;
        branches += r->reached ? r->branches : 0;
        all_done = r->done && (r->step == 1 || all_done);
        bool is_last = i + 1 == count || rows[i + 1].step == 1;
        runs += r->step == 1;
        whole += is_last && all_done;
        tokens += r->step == 1 ? r->tokens : 0;
        cost += r->step == 1 ? r->cost : 0;
    }
    to->scene_success = whole / runs;
    to->edits = edits / (double)(to->steps - to->unreached);
    to->branches = branches / edits;
    to->tokens = tokens / runs;
    to->cost = cost / runs;
}

/* Krippendorff's alpha over the steps that judges looked at. False: out of
 * memory. */
static bool alpha_fill(const result_row *rows,
                       size_t count,
                       const tally_choice *c,
                       tally_rate rate,
                       double *ret)
{
    double *scores = malloc((count * RESULTS_JUDGES_MAX + 1) * sizeof *scores);
    size_t units = 0;
    if (!scores)
        return false;
    for (size_t i = 0; i < count; i++) {
        const result_row *r = &rows[i];
        if (!tally_choice_has(c, r) || !row_counts(r, rate))
            continue;
        const double *said =
            rate == RATE_PLAUSIBILITY ? r->plausibility : r->correctness;
        for (uint32_t k = 0; k < RESULTS_JUDGES_MAX; k++)
            scores[units * RESULTS_JUDGES_MAX + k] =
                k < r->judge_count ? said[k] : (double)NAN;
        units++;
    }
    *ret = stats_alpha(scores, units, RESULTS_JUDGES_MAX);
    free(scores);
    return true;
}

/* Nothing is added for a choice without scenes. False: out of memory. */
static bool tally_row_fill(const result_row *rows,
                           size_t count,
                           const tally_choice *c,
                           tally *t)
{
    scene_list l;
    if (!scenes_find(rows, count, c, &l))
        return false;
    if (l.count == 0) {
        free(l.names);
        return true;
    }
    tally_row *to = &t->rows[t->count++];
    *to = (tally_row){.variant = c->variant,
                      .is_goal = c->is_goal,
                      .level = c->level,
                      .scenes = l.count};
    bool good = true;
    for (int k = 0; good && k < RATES; k++)
        good = rate_fill(rows, count, c, &l, (tally_rate)k, to);
    for (int k = 0; good && k < 2; k++)
        good = alpha_fill(rows, count, c, (tally_rate)(RATE_PLAUSIBILITY + k),
                          &to->alpha[k]);
    work_fill(rows, count, c, to);
    attempts_fill(rows, count, c, to);
    free(l.names);
    return good;
}

/* Whether no line before has the variant. */
static bool variant_is_new(const result_row *rows, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(rows[i].run.variant, rows[at].run.variant) == 0)
            return false;
    }
    return true;
}

/* *ret is set on success alone. */
bool tally_make(const result_row *rows, size_t count, tally *ret)
{
    size_t variants = 0;
    for (size_t i = 0; i < count; i++)
        variants += variant_is_new(rows, i);
    tally t = {calloc(variants * TABLE_LEVELS * 2 + 1, sizeof *t.rows), 0};
    bool good = t.rows != NULL;
    for (size_t i = 0; good && i < count; i++) {
        if (!variant_is_new(rows, i))
            continue;
        for (int k = 0; good && k < TABLE_LEVELS * 2; k++) {
            const tally_choice c = {rows[i].run.variant, k >= TABLE_LEVELS,
                                    (tally_level)(k % TABLE_LEVELS)};
            good = tally_row_fill(rows, count, &c, &t);
        }
    }
    if (good)
        *ret = t;
    if (!good)
        tally_free(&t);
    return good;
}

/* Leaves it empty. */
void tally_free(tally *t)
{
    free(t->rows);
    *t = (tally){NULL, 0};
}

/* ---- printing ---- */

/* In the order of tally_rate. */
static const char *const rate_titles[RATES] = {
    "success",       "valid",           "completion",     "collision",
    "floating",      "paper collision", "paper floating", "unstable",
    "false accepts", "plausibility",    "consistency",    "near misses seen"};
/* In the order of row_works. */
static const char *const work_titles[] = {
    "scenes done",          "edits a step", "branches an edit",
    "tokens a scene",       "cost a scene", "failed by checks",
    "failed by evaluators", "widened",      "alpha plausibility",
    "alpha consistency"};
enum {
    WORKS = COUNT_OF(work_titles),
    TITLES_FIRST = 6,
    TITLES_WORDS = 3 /* of these, set left */
};

static void row_works(const tally_row *row, double ret[WORKS])
{
    const double works[WORKS] = {
        row->scene_success, row->edits,     row->branches,  row->tokens,
        row->cost,          row->by_checks, row->by_models, row->widened,
        row->alpha[0],      row->alpha[1]};
    memcpy(ret, works, sizeof works);
}

/* Columns behind the first ones that are printed. */
typedef struct tally_shown {
    bool rate[RATES], work[WORKS];
} tally_shown;

/* A column in which no row has anything, as of judges where nobody judged, is
 * left out; but of CSV, which programs read. */
static tally_shown shown_find(const tally *t, tally_form form)
{
    tally_shown shown;
    const bool is_all = form == TABLE_CSV || t->count == 0;
    for (int k = 0; k < RATES; k++)
        shown.rate[k] = is_all;
    for (int k = 0; k < WORKS; k++)
        shown.work[k] = is_all;
    for (size_t i = 0; i < t->count; i++) {
        double works[WORKS];
        row_works(&t->rows[i], works);
        for (int k = 0; k < RATES; k++)
            shown.rate[k] |= isfinite(t->rows[i].rate[k]) != 0;
        for (int k = 0; k < WORKS; k++)
            shown.work[k] |= isfinite(works[k]) != 0;
    }
    return shown;
}

/* A byte of a cell, as it stands in a table of that form without ending the
 * cell or commanding anything: Markdown's bar, TeX's signs, CSV's commas. */
static void tally_letter(page *to, tally_form form, char letter)
{
    static const char *const escaped[TABLE_CSV + 1] = {
        [TABLE_MARKDOWN] = "|", [TABLE_TEX] = "\\{}$&#^_%~"};
    static const char *const dropped[TABLE_CSV + 1] = {[TABLE_CSV] = ",\""};
    bool is_sign = escaped[form] && strchr(escaped[form], letter);
    if (form == TABLE_TEX &&
        /* a backslash before these is an accent, or a line's end */
        strchr("\\^~", letter)) {
        page_add(to, "\\char`\\%c{}", letter);
        return;
    }
    if (is_sign)
        page_raw(to, "\\");
    bool is_unsafe = (unsigned char)letter < 32 ||
                     (dropped[form] && strchr(dropped[form], letter));
    const char one[] = {is_unsafe ? ' ' : letter, 0};
    page_raw(to, one);
}

/* What a spreadsheet would take for a formula begins with an apostrophe
 * there. */
void tally_word(page *to, tally_form form, const char *text)
{
    bool is_formula = form == TABLE_CSV && strchr("=+-@", *text) && *text;
    if (is_formula)
        page_raw(to, "'");
    for (; *text; text++)
        tally_letter(to, form, *text);
}

/* What is not finite is told as a gap, never as 0. */
static void tally_number(page *to, tally_form form, double number, int digits)
{
    static const char *const nothing[] = {"–", "--", ""};
    if (isfinite(number))
        page_add(to, "%.*f", digits, number);
    else
        page_raw(to, nothing[form]);
}

/* Between two cells. */
static void tally_gap(page *to, tally_form form)
{
    static const char *const gaps[] = {" | ", " & ", ","};
    page_raw(to, gaps[form]);
}

/* In CSV the interval has columns of its own; for people it stands beside the
 * rate. */
static void tally_rate_print(page *to,
                             tally_form form,
                             const tally_row *row,
                             tally_rate rate)
{
    tally_gap(to, form);
    tally_number(to, form, row->rate[rate], 3);
    if (form == TABLE_CSV) {
        tally_gap(to, form);
        tally_number(to, form, row->range[rate].low, 3);
        tally_gap(to, form);
        tally_number(to, form, row->range[rate].high, 3);
        return;
    }
    if (!isfinite(row->rate[rate]))
        return;
    page_add(to,
             form == TABLE_TEX ? " {\\footnotesize [%.3f, %.3f]}"
                               : " [%.3f, %.3f]",
             row->range[rate].low, row->range[rate].high);
}

/* A line, ended as the form ends it (RFC 4180 for CSV). */
static void tally_row_print(page *to,
                            tally_form form,
                            const tally_shown *shown,
                            const tally_row *row)
{
    double works[WORKS];
    row_works(row, works);
    static const int digits[WORKS] = {3, 2, 2, 0, 4, 3, 3, 3, 3, 3};
    if (form == TABLE_MARKDOWN)
        page_raw(to, "| ");
    tally_word(to, form, row->variant);
    tally_gap(to, form);
    page_raw(to, row->is_goal ? "goal" : "steps");
    tally_gap(to, form);
    page_raw(to, tally_level_words[row->level]);
    tally_gap(to, form);
    page_add(to, "%zu", row->scenes);
    tally_gap(to, form);
    page_add(to, "%zu", row->steps);
    tally_gap(to, form);
    page_add(to, "%zu", row->unreached);
    for (int k = 0; k < RATES; k++) {
        if (shown->rate[k])
            tally_rate_print(to, form, row, (tally_rate)k);
    }
    for (int k = 0; k < WORKS; k++) {
        if (!shown->work[k])
            continue;
        tally_gap(to, form);
        tally_number(to, form, works[k], digits[k]);
    }
    static const char *const ends[] = {" |\n", " \\\\\n", "\r\n"};
    page_raw(to, ends[form]);
}

/* The titles of tally_row_print's columns, in its order. */
static void tally_titles_print(page *to,
                               tally_form form,
                               const tally_shown *shown)
{
    static const char *const first[TITLES_FIRST] = {
        "variant", "asked", "level", "scenes", "steps", "unreached"};
    for (int k = 0; k < TITLES_FIRST; k++) {
        if (k)
            tally_gap(to, form);
        page_raw(to, first[k]);
    }
    for (int k = 0; k < RATES; k++) {
        if (!shown->rate[k])
            continue;
        tally_gap(to, form);
        page_raw(to, rate_titles[k]);
        if (form == TABLE_CSV)
            page_add(to, ",%s low,%s high", rate_titles[k], rate_titles[k]);
    }
    for (int k = 0; k < WORKS; k++) {
        if (!shown->work[k])
            continue;
        tally_gap(to, form);
        page_raw(to, work_titles[k]);
    }
}

static int shown_count(const tally_shown *shown)
{
    int count = TITLES_FIRST;
    for (int k = 0; k < RATES; k++)
        count += shown->rate[k];
    for (int k = 0; k < WORKS; k++)
        count += shown->work[k];
    return count;
}

/* Words are set left and numbers right where the form can say so. */
static void tally_head_print(page *to,
                             tally_form form,
                             const tally_shown *shown)
{
    static const char *const ends[] = {" |\n", " \\\\\n\\hline\n", "\r\n"};
    const int count = shown_count(shown);
    if (form == TABLE_TEX)
        page_add(to, "\\begin{tabular}{lll*{%d}{r}}\n\\hline\n",
                 count - TITLES_WORDS);
    if (form == TABLE_MARKDOWN)
        page_raw(to, "| ");
    tally_titles_print(to, form, shown);
    page_raw(to, ends[form]);
    if (form != TABLE_MARKDOWN)
        return;
    for (int k = 0; k < count; k++)
        page_raw(to, k < TITLES_WORDS ? "|---" : "|---:");
    page_raw(to, "|\n");
}

/* An empty tally is a table without rows. */
void tally_print(const tally *t, tally_form form, page *to)
{
    const tally_shown shown = shown_find(t, form);
    tally_head_print(to, form, &shown);
    for (size_t i = 0; i < t->count; i++)
        tally_row_print(to, form, &shown, &t->rows[i]);
    if (form == TABLE_TEX)
        page_raw(to, "\\hline\n\\end{tabular}\n");
}
