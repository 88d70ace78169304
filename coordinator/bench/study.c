/* See study.h. */
#include "coordinator/bench/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 20000, /* at most; few are needed */
    STUDY_DRAWS = 500
};

const char *const study_questions[STUDY_QUESTIONS] = {"physical", "plausible",
                                                      "consistent"};

static const double CHANGE_LEAST = 1e-10; /* of a strength, of a mean of 1 */

/* wins[a * systems + b]: how often a was preferred to b, a tie as half */
typedef struct scale {
    double wins[STUDY_SYSTEMS_MAX * STUDY_SYSTEMS_MAX];
    uint32_t systems;
} scale;

void study_count(const study_vote *votes,
                 size_t count,
                 uint32_t systems,
                 study_pair *ret)
{
    memset(ret, 0, (size_t)systems * systems * sizeof *ret);
    for (size_t i = 0; i < count; i++) {
        const study_vote *v = &votes[i];
        study_pair *to = &ret[v->a * systems + v->b];
        study_pair *back = &ret[v->b * systems + v->a];
        bool is_tie = v->for_a == 0.5;
        bool is_a = v->for_a > 0.5;
        to->ties += is_tie;
        to->wins_a += !is_tie && is_a;
        to->wins_b += !is_tie && !is_a;
        *back = (study_pair){to->wins_b, to->wins_a, to->ties};
    }
}

static void scale_add(scale *s, const study_vote *v, double times)
{
    s->wins[v->a * s->systems + v->b] += times * v->for_a;
    s->wins[v->b * s->systems + v->a] += times * (1 - v->for_a);
}

static void scale_begin(scale *s, uint32_t systems)
{
    *s = (scale){.systems = systems};
    for (uint32_t a = 0; a < systems; a++) {
        for (uint32_t b = 0; b < systems; b++)
            s->wins[a * systems + b] = a == b ? 0 : 0.5;
    }
}

/* Hunter's minorisation: each round the strength that its wins would have among
 * the others' as they are. */
static void scale_solve(const scale *s, double *ret)
{
    double strength[STUDY_SYSTEMS_MAX], next[STUDY_SYSTEMS_MAX], mean = 0;
    for (uint32_t a = 0; a < s->systems; a++)
        strength[a] = 1;
    double change = 1;
    for (int round = 0; round < ROUNDS && change >= CHANGE_LEAST; round++) {
        double sum = 0;
        for (uint32_t a = 0; a < s->systems; a++) {
            double wins = 0, share = 0;
            for (uint32_t b = 0; b < s->systems; b++) {
                if (a == b)
                    continue;
                double met =
                    s->wins[a * s->systems + b] + s->wins[b * s->systems + a];
                wins += s->wins[a * s->systems + b];
                share += met / (strength[a] + strength[b]);
            }
            next[a] = share > 0 ? wins / share : 1;
            sum += next[a];
        }
        change = 0;
        for (uint32_t a = 0; a < s->systems; a++) {
            double now = next[a] * s->systems / sum;
            change = fmax(change, fabs(now - strength[a]));
            strength[a] = now;
        }
    }
    for (uint32_t a = 0; a < s->systems; a++) {
        ret[a] = 400 * log10(strength[a]);
        mean += ret[a] / s->systems;
    }
    for (uint32_t a = 0; a < s->systems; a++)
        ret[a] -= mean;
}

/* Marks what leads to `from` by wins, or (`back`) by losses. */
static void scale_reach(const scale *s,
                        uint32_t from,
                        bool back,
                        bool seen[STUDY_SYSTEMS_MAX])
{
    seen[from] = true;
    for (uint32_t b = 0; b < s->systems; b++) {
        double won = back ? s->wins[b * s->systems + from]
                          : s->wins[from * s->systems + b];
        if (!seen[b] && won > 0)
            scale_reach(s, b, back, seen);
    }
}

/* Strengths have an end where each system is preferred, over others, to each
 * other one (Ford's condition). */
static bool scale_has_end(const scale *s)
{
    bool over[STUDY_SYSTEMS_MAX] = {false};
    bool under[STUDY_SYSTEMS_MAX] = {false};
    scale_reach(s, 0, false, over);
    scale_reach(s, 0, true, under);
    for (uint32_t a = 0; a < s->systems; a++) {
        if (!over[a] || !under[a])
            return false;
    }
    return true;
}

bool study_scale(const double *wins, uint32_t systems, double *ret)
{
    const double base = 1500;
    double first;
    scale s = {.systems = systems};
    memcpy(s.wins, wins, (size_t)systems * systems * sizeof *wins);
    if (!scale_has_end(&s))
        return false;
    scale_solve(&s, ret);
    first = ret[0];
    for (uint32_t a = 0; a < systems; a++)
        ret[a] += base - first;
    return true;
}

static uint32_t persons_of(const study_vote *votes, size_t count)
{
    uint32_t persons = 0;
    for (size_t i = 0; i < count; i++)
        persons = votes[i].person >= persons ? votes[i].person + 1 : persons;
    return persons;
}

static int rating_compare(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* Ratings of `persons` drawn persons' votes. `times` has room for each. */
static void draw_rate(const study_vote *votes,
                      size_t count,
                      uint32_t systems,
                      uint32_t persons,
                      uint64_t *state,
                      uint32_t *times,
                      double *ret)
{
    scale s;
    scale_begin(&s, systems);
    memset(times, 0, persons * sizeof *times);
    for (uint32_t i = 0; i < persons; i++)
        times[stats_draw(state, persons)]++;
    for (size_t i = 0; i < count; i++)
        scale_add(&s, &votes[i], times[votes[i].person]);
    scale_solve(&s, ret);
}

bool study_rate(const study_vote *votes,
                size_t count,
                uint32_t systems,
                double *ret,
                interval *ret_range)
{
    uint32_t persons = persons_of(votes, count);
    uint32_t *times = calloc((size_t)persons + 1, sizeof *times);
    double *drawn = calloc((size_t)STUDY_DRAWS * systems, sizeof *drawn);
    double one[STUDY_SYSTEMS_MAX];
    uint64_t state = 1;
    scale s;
    bool good = times && drawn;
    scale_begin(&s, systems);
    for (size_t i = 0; i < count; i++)
        scale_add(&s, &votes[i], 1);
    scale_solve(&s, ret);
    for (int d = 0; good && d < STUDY_DRAWS; d++) {
        draw_rate(votes, count, systems, persons, &state, times, one);
        for (uint32_t a = 0; a < systems; a++)
            drawn[a * STUDY_DRAWS + (uint32_t)d] = one[a];
    }
    for (uint32_t a = 0; good && a < systems; a++) {
        double *of = drawn + (size_t)a * STUDY_DRAWS;
        qsort(of, STUDY_DRAWS, sizeof *of, rating_compare);
        ret_range[a] = (interval){of[(int)(0.025 * (STUDY_DRAWS - 1))],
                                  of[(int)(0.975 * (STUDY_DRAWS - 1) + 0.5)]};
    }
    free(times);
    free(drawn);
    return good;
}
