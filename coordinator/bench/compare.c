/* See compare.h. */
#include "coordinator/bench/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side { /* a variant's scenes */
    cell *cells;
    const char **names;
    size_t scenes, repeats;
} side;

static void compare_side_free(side *s)
{
    free(s->cells);
    free((void *)s->names);
}

static double side_rate(const side *s, size_t scene)
{
    return stats_rate(s->cells + scene * s->repeats, s->repeats);
}

static size_t compare_side_find(const side *s, const char *name)
{
    size_t i = 0;
    while (i < s->scenes && strcmp(s->names[i], name) != 0)
        i++;
    return i;
}

/* Lists the scenes that both sides ran and that have a rate on both. False: out
 * of memory. */
static bool scenes_pair(const side *base, const side *other, comparison *c)
{
    c->scenes = calloc(base->scenes + 1, sizeof *c->scenes);
    if (!c->scenes)
        return false;
    for (size_t i = 0; i < base->scenes; i++) {
        size_t at = compare_side_find(other, base->names[i]);
        if (at == other->scenes)
            continue;
        compare_scene both = {base->names[i], side_rate(base, i),
                              side_rate(other, at)};
        if (isfinite(both.base) && isfinite(both.other))
            c->scenes[c->scene_count++] = both;
    }
    return true;
}

static bool comparison_count(comparison *c)
{
    size_t n = c->scene_count;
    double *differences = calloc(n + 1, sizeof *differences);
    cell *cells = calloc(n + 1, sizeof *cells);
    bool good = differences && cells;
    for (size_t i = 0; good && i < n; i++) {
        differences[i] = c->scenes[i].other - c->scenes[i].base;
        cells[i] = (cell){differences[i], 1};
        c->base += c->scenes[i].base / (double)n;
        c->other += c->scenes[i].other / (double)n;
    }
    if (good)
        c->difference = c->other - c->base;
    if (good)
        c->p = stats_permutation(differences, n);
    good = good && stats_bootstrap(cells, n, 1, &c->range);
    if (good && c->range.low >= c->range.high)
        c->range = stats_difference_alike(c->difference, n);
    free(differences);
    free(cells);
    return good;
}

static bool compare_one(const side *base,
                        const result_row *rows,
                        size_t count,
                        bool is_goal,
                        tally_rate rate,
                        comparison *c)
{
    side other = {NULL, NULL, 0, 0};
    bool good =
        tally_cells(rows, count, c->variant, is_goal, TABLE_ALL, rate,
                    &other.cells, &other.names, &other.scenes, &other.repeats);
    good = good && scenes_pair(base, &other, c) && comparison_count(c);
    compare_side_free(&other);
    return good;
}

static bool compare_correct(comparison *list, size_t count)
{
    double *p = calloc(count + 1, sizeof *p);
    if (!p)
        return false;
    for (size_t i = 0; i < count; i++)
        p[i] = list[i].p;
    stats_holm(p, count);
    for (size_t i = 0; i < count; i++)
        list[i].p_holm = p[i];
    free(p);
    return true;
}

bool compare_make(const result_row *base_rows,
                  size_t base_count,
                  const char *base,
                  const result_row *rows,
                  size_t count,
                  const char *const *variants,
                  size_t variant_count,
                  bool is_goal,
                  tally_rate rate,
                  comparison *ret)
{
    side first = {NULL, NULL, 0, 0};
    bool good =
        tally_cells(base_rows, base_count, base, is_goal, TABLE_ALL, rate,
                    &first.cells, &first.names, &first.scenes, &first.repeats);
    for (size_t i = 0; i < variant_count; i++)
        ret[i] = (comparison){.variant = variants[i]};
    for (size_t i = 0; good && i < variant_count; i++)
        good = compare_one(&first, rows, count, is_goal, rate, &ret[i]);
    good = good && compare_correct(ret, variant_count);
    compare_side_free(&first);
    for (size_t i = 0; !good && i < variant_count; i++)
        comparison_free(&ret[i]);
    return good;
}

void comparison_free(comparison *c)
{
    free(c->scenes);
    c->scenes = NULL;
    c->scene_count = 0;
}
