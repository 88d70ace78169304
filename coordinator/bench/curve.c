/* See curve.h.
 *
 * Points of variants that come to the same lie on one another, so that names
 * stand in a column of their own, in the order of the points' heights and never
 * closer than a line of text, each with a thin line from its point. */
#include "coordinator/bench/curve.h"
#include "proto/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CURVE_WIDTH = 640,
    CURVE_HEIGHT = 320,
    CURVE_EDGE = 40,
    CURVE_RIGHT = 500, /* end of the axis of tokens; names stand behind it */
    CURVE_NAMES = 524,
    CURVE_LINE = 14 /* between two names */
};

typedef struct curve_point {
    const tally_row *row;
    double x, y;
    double name_y;
} curve_point;

/* Rows over all levels that took tokens, of lists or of goals. */
static bool curve_shows(const tally_row *r, bool is_goal)
{
    bool is_whole = r->level == TABLE_ALL && r->is_goal == is_goal;
    return is_whole && isfinite(r->rate[RATE_VALID]) && r->tokens > 0;
}

static size_t curve_count(const tally *t, bool is_goal, double *ret_most)
{
    size_t count = 0;
    *ret_most = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!curve_shows(&t->rows[i], is_goal))
            continue;
        *ret_most = fmax(*ret_most, t->rows[i].tokens);
        count++;
    }
    return count;
}

static double curve_height(double rate)
{
    return CURVE_HEIGHT - CURVE_EDGE - (CURVE_HEIGHT - 2 * CURVE_EDGE) * rate;
}

static void curve_fill(const tally *t,
                       bool is_goal,
                       double most,
                       curve_point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        const tally_row *r = &t->rows[i];
        if (!curve_shows(r, is_goal))
            continue;
        points[count++] = (curve_point){
            .row = r,
            .x = CURVE_EDGE + (CURVE_RIGHT - CURVE_EDGE) * r->tokens / most,
            .y = curve_height(r->rate[RATE_VALID])};
    }
}

/* From the top; of one height in the order of the table, in which they lie. */
static int curve_point_compare(const void *a, const void *b)
{
    const curve_point *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

/* Each beside its point or below the name before it; where that comes below the
 * axis, all of them stand higher. */
static void curve_place_names(curve_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        points[i].name_y = points[i].y;
        if (i)
            points[i].name_y =
                fmax(points[i].y, points[i - 1].name_y + CURVE_LINE);
    }
    const double over = points[count - 1].name_y - (CURVE_HEIGHT - CURVE_EDGE);
    for (size_t i = count; over > 0 && i-- > 0;) {
        double most = i + 1 < count ? points[i + 1].name_y - CURVE_LINE
                                    : CURVE_HEIGHT - CURVE_EDGE;
        points[i].name_y = fmin(points[i].name_y, most);
    }
}

static void curve_print_axes(page *to, double most)
{
    page_add(
        to,
        "<section class=card><h2>Valid success against tokens a scene</h2><svg viewBox=\"0 0 %d %d\" width=%d "
        "font-size=12 fill=currentColor><path d=\"M%d %dV%dH%d\" fill=none stroke=currentColor />"
        "<text x=4 y=%d>1</text><text x=4 y=%d>0</text><text x=%d y=%d text-anchor=end>%.0f</text>",
        CURVE_WIDTH, CURVE_HEIGHT, CURVE_WIDTH, CURVE_EDGE, CURVE_EDGE,
        CURVE_HEIGHT - CURVE_EDGE, CURVE_RIGHT, CURVE_EDGE + 4,
        CURVE_HEIGHT - CURVE_EDGE, CURVE_RIGHT, CURVE_HEIGHT - CURVE_EDGE / 2,
        most);
}

static void curve_print_point(page *to, const curve_point *p)
{
    const interval *range = &p->row->range[RATE_VALID];
    page_add(
        to,
        "<path d=\"M%.1f %.1fV%.1f\" stroke=currentColor opacity=0.4 /><circle cx=%.1f cy=%.1f r=4 />",
        p->x, curve_height(range->low), curve_height(range->high), p->x, p->y);
    page_add(
        to,
        "<path d=\"M%.1f %.1fL%d %.1f\" stroke=currentColor opacity=0.2 /><text class=name x=%d y=%.1f>",
        p->x, p->y, CURVE_NAMES - 4, p->name_y, CURVE_NAMES, p->name_y + 4);
    page_text(to, p->row->variant);
    page_raw(to, "</text>");
}

/* What more branches buy: the rows branches-N, by the tokens that they take. */
static void curve_print_branches(page *to,
                                 const curve_point *points,
                                 size_t count)
{
    static const char *const names[] = {"branches-1", "branches-2",
                                        "branches-4", "branches-8"};
    size_t drawn = 0;
    page path = {0};
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        for (size_t i = 0; i < count; i++) {
            if (strcmp(points[i].row->variant, names[k]) != 0)
                continue;
            page_add(&path, "%c%.1f %.1f", drawn++ ? 'L' : 'M', points[i].x,
                     points[i].y);
        }
    }
    if (drawn > 1 && !path.failed)
        page_add(
            to,
            "<path class=branches d=\"%s\" fill=none stroke=currentColor />",
            path.data);
    to->failed = to->failed || path.failed;
    page_free(&path);
}

void curve_print(page *to, const tally *t)
{
    double most = 0;
    bool is_goal = curve_count(t, false, &most) == 0;
    size_t count = curve_count(t, is_goal, &most);
    if (count < 2)
        return;
    curve_point *points = calloc(count, sizeof *points);
    if (!points) {
        to->failed = true;
        return;
    }
    curve_fill(t, is_goal, most, points);
    qsort(points, count, sizeof *points, curve_point_compare);
    curve_place_names(points, count);
    curve_print_axes(to, most);
    curve_print_branches(to, points, count);
    for (size_t i = 0; i < count; i++)
        curve_print_point(to, &points[i]);
    page_raw(to, "</svg></section>\n");
    free(points);
}
