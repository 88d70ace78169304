/* Which of the descended candidates are good enough, in double and with the
 * true pixel (METHODS.md 5, after the solve). */
#include "proto/array.h"
#include "worker/solve/solve_internal.h"

#include <stdlib.h>
#include <string.h>

#define LOSS_MAX 0.1
#define CONTACT_MAX 0.001
#define DISTANCE_MAX 0.02
#define DISTANCE_SHARE 0.05
#define FACING_MAX 0.015192246987791980 /* 1 - cos 10 degrees */
#define SNAP_MAX 0.005
#define SLIDE_LEAST \
    0.2 /* sine of the angle between sight and plane: flatter, a slide would go far */
#define BOTTOM_LEAST 0.95
#define BOTTOM_GRID 16
#define BOTTOM_POINTS (BOTTOM_GRID * BOTTOM_GRID)

/* Of the constraint the term was made from. */
static const probe_plane *term_plane(const solve_case *c, const term *t)
{
    return case_plane(c, t->item);
}

/* The least height of the touching face's corners over the plane. */
static double contact_low(const solve_problem *p,
                          const term *t,
                          uint32_t lane,
                          const double pose[4])
{
    double s, cosine, low = INFINITY;
    math_sincos(pose[3], &s, &cosine);
    for (int k = 0; k < 4; k++) {
        double a = k & 1 ? -1 : 1;
        double b = k & 2 ? -1 : 1;
        vec3 corner = v3(a * p->half.x, b * p->half.y,
                         t->face == FACE_UP ? p->half.z : -p->half.z);
        if (t->face == FACE_SIDE) {
            double dx = (double)t->lane_x[lane];
            double dy = (double)t->lane_y[lane];
            corner.x = (dx != 0 ? dx : a) * p->half.x;
            corner.y = (dy != 0 ? dy : a) * p->half.y;
            corner.z = b * p->half.z;
        }
        vec3 at =
            v3(pose[0] + cosine * corner.x - s * corner.y,
               pose[1] + s * corner.x + cosine * corner.y, pose[2] + corner.z);
        double height = v3_dot(at, t->normal) - t->offset;
        low = math_min(height, low);
    }
    return low;
}

/* AdamW's last steps still jump by their rate; a contact that is only that much
 * off is made exact along its normal. */
static void candidate_snap(const solve_problem *p, candidate *k, double most)
{
    for (uint32_t i = 0; i < p->term_count; i++) {
        const term *t = &p->terms[i];
        double low =
            t->kind == TERM_CONTACT ? contact_low(p, t, k->number, k->pose) : 0;
        if (fabs(low) > most)
            continue;
        k->pose[0] -= low * t->normal.x;
        k->pose[1] -= low * t->normal.y;
        k->pose[2] -= low * t->normal.z;
    }
}

/* The one term of that kind; NULL where there is none, or several. */
static const term *problem_only_term(const solve_problem *p, term_kind kind)
{
    const term *only = NULL;
    for (uint32_t i = 0; i < p->term_count; i++) {
        if (p->terms[i].kind != kind)
            continue;
        if (only)
            return NULL;
        only = &p->terms[i];
    }
    return only;
}

/* Brings the one contact about by moving along the line of sight instead: what
 * it shows at stays where it was. */
static bool candidate_slide(const solve_problem *p, candidate *k)
{
    const term *contact = problem_only_term(p, TERM_CONTACT);
    const term *pixel = NULL;
    for (uint32_t i = 0; i < p->term_count && !pixel; i++)
        if (p->terms[i].kind == TERM_PIXEL)
            pixel = &p->terms[i];
    if (!contact || !pixel)
        return false;
    vec3 seen = v3(k->pose[0], k->pose[1], k->pose[2] - pixel->drop);
    vec3 sight = p->perspective ? v3_normal(v3_sub(seen, p->eye)) : p->forward;
    double low = contact_low(p, contact, k->number, k->pose);
    double toward = v3_dot(sight, contact->normal);
    if (fabs(toward) < SLIDE_LEAST)
        return false;
    k->pose[0] -= low / toward * sight.x;
    k->pose[1] -= low / toward * sight.y;
    k->pose[2] -= low / toward * sight.z;
    return true;
}

/* The same for the heading: contact's large gradients drown the small one of
 * facing, and leave the yaw some degrees off. With one term that turns, its
 * heading is known; it is taken where the whole loss is the better for it. */
static void snap_heading(const solve_problem *p, candidate *k)
{
    const term *facing = problem_only_term(p, TERM_FACING);
    candidate turned = *k;
    if (!facing || p->turn_frozen ||
        !problem_heading(facing, k->number, k->pose, &turned.pose[3]))
        return;
    candidate slid = turned;
    candidate_snap(
        p, &turned,
        /* turning lifts the touching corner off, of a wide picture by more than
         * 5 cm */
        INFINITY);
    double best = problem_loss(p, k->number, false, k->pose, NULL, NULL);
    double loss = problem_loss(p, k->number, false, turned.pose, NULL, NULL);
    if (loss < best) {
        best = loss;
        memcpy(k->pose, turned.pose, sizeof k->pose);
    }
    if (candidate_slide(p, &slid) &&
        problem_loss(p, k->number, false, slid.pose, NULL, NULL) < best)
        memcpy(k->pose, slid.pose, sizeof k->pose);
}

/* How much of its tolerance a term uses up; over 1 it drops the candidate.
 * *ret_miss in the term's own measure. */
static double term_strain(const solve_case *c,
                          const term *t,
                          double part,
                          double *ret_miss)
{
    double tolerance;
    *ret_miss = part / t->weight;
    switch (t->kind) {
    case TERM_CONTACT:
        return c->request->paper_solver ? part / LOSS_MAX
                                        : *ret_miss / CONTACT_MAX;
    case TERM_DISTANCE:
        *ret_miss = sqrt(part / t->weight);
        tolerance = DISTANCE_SHARE * t->offset > DISTANCE_MAX
                        ? DISTANCE_SHARE * t->offset
                        : DISTANCE_MAX;
        return c->request->paper_solver ? part / LOSS_MAX
                                        : *ret_miss / tolerance;
    case TERM_FACING:
        return c->request->paper_solver ? part / LOSS_MAX
                                        : *ret_miss / FACING_MAX;
    default: return part / LOSS_MAX;
    }
}

/* Snaps what the descent left inexact, then measures every term. `far`: places
 * beyond the pixel are asked for, so its loss and strain are left out. Sets
 * loss, parts, culprit (UINT32_MAX: it is good) and miss; true: good. */
bool judge_one(const solve_case *c,
               const solve_problem *p,
               bool far,
               candidate *k)
{
    if (!c->request->paper_solver) {
        candidate_snap(p, k, SNAP_MAX);
        snap_heading(p, k);
    }
    k->loss = problem_loss(p, k->number, false, k->pose, NULL, k->parts);
    k->culprit = UINT32_MAX;
    k->miss = 0;
    double worst = -1;
    double loss = k->loss;
    for (uint32_t i = 0; i < p->term_count && far; i++)
        loss -= p->terms[i].kind == TERM_PIXEL ? k->parts[i] : 0;
    bool good = isfinite(k->loss) && loss <= LOSS_MAX;
    uint32_t worst_term = 0;
    for (uint32_t i = 0; i < p->term_count; i++) {
        double miss;
        double s = term_strain(c, &p->terms[i], k->parts[i], &miss);
        if (far && p->terms[i].kind == TERM_PIXEL)
            continue;
        if (!(s <= 1))
            good = false;
        if (s > worst) {
            worst = s;
            worst_term = i;
            k->miss = miss;
        }
    }
    if (!good)
        k->culprit = worst_term;
    if (!isfinite(k->loss))
        k->loss = INFINITY;
    return good;
}

/* Good ones first, by loss, then by number: total, so that qsort is
 * deterministic. */
static int survivors_first(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    bool pg = p->culprit == UINT32_MAX;
    bool qg = q->culprit == UINT32_MAX;
    if (pg != qg)
        return pg ? -1 : 1;
    if (p->loss != q->loss)
        return p->loss < q->loss ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Judges and sorts all; returns how many are good. */
uint32_t judge_candidates(const solve_case *c,
                          const solve_problem *p,
                          candidate *candidates)
{
    uint32_t survivors = 0;
    for (uint32_t i = 0; i < SOLVE_CANDIDATES; i++) {
        survivors += judge_one(c, p, false, &candidates[i]);
    }
    qsort(candidates, SOLVE_CANDIDATES, sizeof *candidates, survivors_first);
    return survivors;
}

/* Back to the world. */
arrange_pose judge_pose(const solve_problem *p, const candidate *k)
{
    arrange_pose pose = {{k->pose[0] + p->origin.x, k->pose[1] + p->origin.y,
                          k->pose[2] + p->origin.z},
                         k->pose[3]};
    /* into [-pi, pi) */
    double turns = floor((pose.yaw + MATH_PI) / (2 * MATH_PI));
    if (turns != 0)
        pose.yaw -= turns * (2 * MATH_PI);
    return pose;
}

/* ---- the bottom over the real polygon ---- Counter-clockwise; the border is
 * inside. */
static bool in_triangle(const vec2 t[3], vec2 p)
{
    for (int i = 0; i < 3; i++) {
        vec2 a = t[i];
        vec2 b = t[(i + 1) % 3];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0)
            return false;
    }
    return true;
}

/* `near`: numbers of the triangles that can matter. */
static bool over_polygon(const probe_plane *plane,
                         const uint32_t *near,
                         uint32_t near_count,
                         vec2 at)
{
    for (uint32_t i = 0; i < near_count; i++)
        if (in_triangle(plane->triangles + 3 * (size_t)near[i], at))
            return true;
    return false;
}

/* From where to where the line through `at` along `way` runs in the triangle,
 * within PROBE_GAP_MAX of `at`. */
static bool judge_cut(
    const vec2 t[3], vec2 at, vec2 way, double *ret_from, double *ret_to)
{
    double from = -PROBE_GAP_MAX, to = PROBE_GAP_MAX;
    for (int i = 0; i < 3; i++) {
        vec2 a = t[i];
        vec2 b = t[(i + 1) % 3];
        double inside = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        double gain = (b.x - a.x) * way.y - (b.y - a.y) * way.x;
        if (gain > 0 && -inside / gain > from)
            from = -inside / gain;
        if (gain < 0 && -inside / gain < to)
            to = -inside / gain;
        if (gain == 0 && inside < 0)
            return false;
    }
    *ret_from = from;
    *ret_to = to;
    return from <= to;
}

/* Does a point off the polygon lie between two parts of it that are no farther
 * apart than what makes one plane of planks? */
static bool over_gap(const probe_plane *plane,
                     const uint32_t *near,
                     uint32_t near_count,
                     vec2 at)
{
    static const vec2 ways[] = {{1, 0},
                                {0, 1},
                                {0.70710678118654752, 0.70710678118654752},
                                {-0.70710678118654752, 0.70710678118654752},
                                {0.92387953251128674, 0.38268343236508977},
                                {0.38268343236508977, 0.92387953251128674},
                                {-0.38268343236508977, 0.92387953251128674},
                                {-0.92387953251128674, 0.38268343236508977}};
    for (size_t k = 0; k < COUNT_OF(ways); k++) {
        double behind = INFINITY, ahead = INFINITY, from, to;
        for (uint32_t i = 0; i < near_count; i++) {
            if (!judge_cut(plane->triangles + 3 * (size_t)near[i], at, ways[k],
                           &from, &to))
                continue;
            if (to >= 0 && from < ahead)
                ahead = math_max(from, 0);
            if (from <= 0 && -to < behind)
                behind = to < 0 ? -to : 0;
        }
        if (behind + ahead <= PROBE_GAP_MAX)
            return true;
    }
    return false;
}

/* The grid of the object's bottom, on the plane's axes. */
static void bottom_points(const solve_problem *p,
                          const probe_plane *plane,
                          const arrange_pose *pose,
                          vec2 ret[BOTTOM_POINTS])
{
    double s, cosine;
    math_sincos(pose->yaw, &s, &cosine);
    for (int i = 0; i < BOTTOM_POINTS; i++) {
        double x = ((i % BOTTOM_GRID + 0.5) / BOTTOM_GRID * 2 - 1) * p->half.x;
        double y = ((i / BOTTOM_GRID + 0.5) / BOTTOM_GRID * 2 - 1) * p->half.y;
        vec3 at = v3(pose->position[0] + cosine * x - s * y,
                     pose->position[1] + s * x + cosine * y,
                     pose->position[2] - p->half.z);
        vec3 d = v3_sub(at, plane->origin);
        ret[i] = (vec2){v3_dot(d, plane->u), v3_dot(d, plane->v)};
    }
}

/* A triangle all below the points' range on this axis. */
static bool bottom_is_below(const double value[3], double low)
{
    return value[0] < low && value[1] < low && value[2] < low;
}

static bool bottom_is_above(const double value[3], double high)
{
    return value[0] > high && value[1] > high && value[2] > high;
}

/* The plane's triangles that come near one of the points, by their boxes.
 * Returns how many. */
static uint32_t bottom_near(const probe_plane *plane,
                            const vec2 points[BOTTOM_POINTS],
                            uint32_t *ret)
{
    vec2 low = points[0];
    vec2 high = points[0];
    uint32_t count = 0;
    for (int i = 1; i < BOTTOM_POINTS; i++) {
        low.x = math_min(points[i].x, low.x);
        low.y = math_min(points[i].y, low.y);
        high.x = math_max(points[i].x, high.x);
        high.y = math_max(points[i].y, high.y);
    }
    for (uint32_t t = 0; t < plane->triangle_count; t++) {
        const vec2 *q = plane->triangles + 3 * (size_t)t;
        const double x[3] = {q[0].x, q[1].x, q[2].x};
        const double y[3] = {q[0].y, q[1].y, q[2].y};
        if (bottom_is_below(x, low.x - PROBE_GAP_MAX) ||
            bottom_is_above(x, high.x + PROBE_GAP_MAX))
            continue;
        if (bottom_is_below(y, low.y - PROBE_GAP_MAX) ||
            bottom_is_above(y, high.y + PROBE_GAP_MAX))
            continue;
        ret[count++] = t;
    }
    return count;
}

/* The share of the bottom's grid points that have the polygon under them, or if
 * that is too little a narrow gap in it. */
static double bottom_share(const solve_case *c,
                           const solve_problem *p,
                           const probe_plane *plane,
                           const arrange_pose *pose)
{
    vec2 points[BOTTOM_POINTS];
    bottom_points(p, plane, pose, points);
    uint32_t *near = c->scratch;
    uint32_t hits = 0, missed = 0;
    uint32_t near_count = bottom_near(plane, points, near);
    for (int i = 0; i < BOTTOM_POINTS; i++) {
        if (over_polygon(plane, near, near_count, points[i]))
            hits++;
        else
            points[missed++] = points[i];
    }
    for (uint32_t i = 0; i < missed && hits < BOTTOM_LEAST * BOTTOM_POINTS; i++)
        hits += over_gap(plane, near, near_count, points[i]);
    return (double)hits / BOTTOM_POINTS;
}

/* The NoOverhang that is met worst decides; true: at least BOTTOM_LEAST of the
 * bottom is over its plane. *ret_item is set only when some share is below
 * 1. */
bool judge_bottom(const solve_case *c,
                  const solve_problem *p,
                  const arrange_pose *pose,
                  uint32_t *ret_item,
                  double *ret_share)
{
    double worst = 1;
    for (uint32_t i = 0; i < p->term_count; i++) {
        if (p->terms[i].kind != TERM_INSIDE)
            continue;
        double share = bottom_share(c, p, term_plane(c, &p->terms[i]), pose);
        if (share < worst) {
            worst = share;
            *ret_item = p->terms[i].item;
        }
    }
    *ret_share = worst;
    return worst >= BOTTOM_LEAST;
}
