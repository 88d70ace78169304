/* The solver from end to end. Order of deeds: compile, descend, judge; then, in
 * the order of preference, settle one candidate at a time onto true triangles,
 * look for collisions, then for what lost its support; the first that has
 * neither wins. `center` is a second run of the same. */
#include "worker/solve/solve_internal.h"

#include <stdlib.h>
#include <string.h>

#define SOLVE_COOKIE 0x534f4c56u
#define SETTLE_MAX 0.05
#define SETTLE_SHARE 0.1
#define LIFT 0.0001
#define CLEARANCE \
    0.002 /* lifted by this much before settling: the solved pose may cut 1 mm into the surface */
#define SUPPORT_CHECKS_MAX 8 /* of the whole scene, an attempt */
#define FOUND_MAX 8
#define LEVEL_LEAST 0.9 /* n.z of a plane on which things stand */

solve_request solve_request_default(void)
{
    return (solve_request){.cookie = SOLVE_COOKIE};
}

typedef struct attempt { /* one mode: full or center */
    solve_case *c;
    solve_problem problem;
    candidate candidates[SOLVE_CANDIDATES];
    uint32_t survivors, order[SOLVE_CANDIDATES];
    /* to a given-up pose, in the image; INFINITY: none */
    double nearest[SOLVE_CANDIDATES];
    space_support_state start; /* owned when request->start is NULL */
    bool have_start;
    bool *moved, *attached;
    /* per object: candidates it was in the way of; counted when it is to be
     * told */
    uint32_t *hits;
    /* where something was in the way in the search that `reason` speaks of */
    arrange_pose refused[SOLVE_CANDIDATES];
    uint32_t refused_count;
    free_search_way way;
    /* what was in the way last; mostly it still is. SCENE_NONE: none yet */
    uint32_t blocker;
    uint32_t collided, unsupported, unreached, overhanging, support_tries;
    uint32_t broken[FOUND_MAX], broken_count, overhang_item;
    double overhang_share;
    bool fastened; /* a Contact side or up */
    free_map map;
    bool have_map;
    double places[SOLVE_CANDIDATES][4];
    /* the first candidate that only collides [0], only lets something float
     * [1] */
    struct {
        bool there;
        candidate of;
        arrange_pose pose;
    } faulty[2];
} attempt;

/* 0 without a clock: no time is measured then. */
static double case_now(const solve_case *c)
{
    return c->request->clock_ms ? c->request->clock_ms() : 0;
}

/* ---- given-up poses ---- */
/* Far ones by loss, then the near ones from the farthest: the first good one is
 * then the one METHODS.md 2 asks for. */
static void order_candidates(attempt *a)
{
    double radius = a->c->request->given_up_count ? given_up_radius(a->c) : -1;
    uint32_t n = 0;
    bool placed[SOLVE_CANDIDATES] = {false};
    for (uint32_t i = 0; i < a->survivors; i++) {
        arrange_pose pose = judge_pose(&a->problem, &a->candidates[i]);
        a->nearest[i] = radius >= 0 ? given_up_nearest(a->c, &pose) : INFINITY;
        if (a->nearest[i] > radius) {
            a->order[n++] = i;
            placed[i] = true;
        }
    }
    while (n < a->survivors) {
        uint32_t best = SOLVE_CANDIDATES;
        for (uint32_t i = 0; i < a->survivors; i++)
            if (!placed[i] &&
                (best == SOLVE_CANDIDATES || a->nearest[i] > a->nearest[best]))
                best = i;
        placed[best] = true;
        a->order[n++] = best;
    }
}

/* ---- one candidate against the scene ---- */
/* How far the plane's faces lie below its highest vertex, at most: contact is
 * with that one, the ring of a small lid stands lower on a curved plate. 0 for
 * what is flat. */
static double relief_of(const probe_plane *plane)
{
    double least = plane->offset;
    for (uint32_t i = 0; i < plane->vertex_count; i++) {
        double at = v3_dot(plane->vertices[i], plane->normal);
        least = math_min(at, least);
    }
    return plane->offset - least;
}

/* Moves the object along -n until true triangles meet, by a share of its height
 * or what the plane itself is deep; *pose stays when nothing is met. Leaves the
 * object somewhere. */
static etna_code settle_on(const solve_case *c,
                           const probe_plane *plane,
                           arrange_pose *pose,
                           etna_error *err)
{
    double relief = relief_of(plane);
    double reach = SETTLE_SHARE * 2 * c->box.half.z;
    double distance;
    reach = math_max(reach, relief);
    reach = math_min(reach, SETTLE_MAX);
    uint32_t other;
    arrange_pose lifted = pose_shifted(pose, plane->normal, CLEARANCE);
    vec3 way = v3_scale(plane->normal, -1);
    etna_code code = group_move(c, &lifted, err);
    if (code == ETNA_OK && c->body_count == 1) {
        code = space_sweep(c->space, c->object, way, CLEARANCE + reach,
                           &distance, &other, err);
    } else if (code == ETNA_OK) {
        space_swept swept;
        code = group_sweep(c, way, CLEARANCE + reach, &swept, err);
        distance = swept.distance;
        other = swept.other;
    }
    if (code == ETNA_OK && other != SCENE_NONE && distance > 0)
        *pose = pose_shifted(&lifted, plane->normal, LIFT - distance);
    return code;
}

/* On every plane it is to touch, in the order written. */
static etna_code case_settle(const solve_case *c,
                             arrange_pose *pose,
                             etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0;
         i < list->count && code == ETNA_OK && !c->request->paper_solver; i++)
        if (list->items[i].kind == CONSTRAINT_CONTACT)
            code = settle_on(c, case_plane(c, i), pose, err);
    return code;
}

/* Would it be in the way after settling, too? Only what is hung lower than the
 * settled object's top could be cleared by moving down a little: what begins
 * near its foot could not. */
static bool stays_in_the_way(const solve_case *c,
                             const arrange_pose *pose,
                             uint32_t other)
{
    scene_box box = space_box(c->space, other);
    return other != c->floor->object &&
           box.centre.z - box.half.z <= pose->position[2] - c->box.half.z +
                                            SETTLE_SHARE * c->box.half.z &&
           box.centre.z + box.half.z >= pose->position[2];
}

/* Is something in the way that will be so after settling? Settling costs more
 * than a verdict, and on a full table most candidates collide. The first that
 * is ends the question: who else is in the way is found when it must be
 * told. */
static etna_code is_blocked(attempt *a,
                            const arrange_pose *pose,
                            bool *ret,
                            etna_error *err)
{
    const solve_case *c = a->c;
    *ret = false;
    if (!c->floor || c->floor->normal.z < LEVEL_LEAST)
        return ETNA_OK;
    etna_code code = group_move(c, pose, err);
    if (code != ETNA_OK)
        return code;
    if (a->blocker != SCENE_NONE && stays_in_the_way(c, pose, a->blocker)) {
        space_pair pair;
        code = space_pair_check(c->space, c->object, a->blocker, &c->rules,
                                false, &pair, err);
        *ret = code == ETNA_OK && pair.collides;
        if (code != ETNA_OK || *ret)
            return code;
    }
    for (uint32_t i = 0, first = 0; i < FOUND_MAX; i++) {
        space_pair found;
        uint32_t count = 0;
        code = space_collisions_from(c->space, c->object, first, &c->rules,
                                     &found, 1, &count, err);
        if (code != ETNA_OK || count == 0)
            return code;
        uint32_t other = found.a == c->object ? found.b : found.a;
        if (!group_has(c, other) && stays_in_the_way(c, pose, other)) {
            a->blocker = other;
            *ret = true;
            return ETNA_OK;
        }
        first = other + 1;
    }
    return ETNA_OK;
}

/* Who was in the way where candidates were refused; leaves the object
 * somewhere. */
static etna_code count_hits(attempt *a, etna_error *err)
{
    const solve_case *c = a->c;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < a->refused_count && code == ETNA_OK; i++) {
        uint32_t found[FOUND_MAX], count = 0;
        code = group_move(c, &a->refused[i], err);
        if (code == ETNA_OK)
            code = group_collisions(a->c, found, FOUND_MAX, &count, err);
        for (uint32_t k = 0; k < count && code == ETNA_OK; k++)
            a->hits[found[k]]++;
    }
    return code;
}

/* Computes support of the whole scene with the edit in place, the dearest of
 * all checks; hence it comes last. */
static etna_code find_broken(attempt *a, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    space_support_state state = {0};
    r->support_checks++;
    etna_code code = space_support_compute(c->space, &c->rules, &a->start,
                                           a->attached, &state, err);
    if (code == ETNA_OK)
        a->broken_count = space_support_broken(&a->start, &state, a->moved,
                                               a->broken, FOUND_MAX);
    space_support_free(&state);
    return code;
}

/* Only the first of each kind: candidates come best first. */
static void remember_faulty(attempt *a,
                            const candidate *k,
                            const arrange_pose *pose,
                            bool floats)
{
    if (a->faulty[floats].there)
        return;
    a->faulty[floats].there = true;
    a->faulty[floats].of = *k;
    a->faulty[floats].pose = *pose;
}

/* Counted, with the one that hangs over least. The paper does not look at true
 * bottoms. */
static bool check_overhangs(attempt *a, const arrange_pose *pose)
{
    uint32_t item = 0;
    double share = 1;
    if (a->c->request->paper_solver ||
        judge_bottom(a->c, &a->problem, pose, &item, &share))
        return false;
    if (a->overhanging++ == 0 || share > a->overhang_share) {
        a->overhang_item = item;
        a->overhang_share = share;
    }
    return true;
}

/* Settles it into *pose, with all it carries, and says whether it collides
 * there. The paper does not settle. */
static etna_code check_collides(attempt *a,
                                arrange_pose *pose,
                                bool *ret,
                                etna_error *err)
{
    const solve_case *c = a->c;
    uint32_t found, count = 0;
    *ret = false;
    etna_code code =
        c->request->paper_solver ? ETNA_OK : is_blocked(a, pose, ret, err);
    if (code != ETNA_OK || *ret)
        return code;
    code = case_settle(c, pose, err);
    if (code == ETNA_OK)
        code = group_move(c, pose, err);
    if (code == ETNA_OK)
        code = group_collisions(a->c, &found, 1, &count, err);
    *ret = count > 0;
    return code;
}

/* *ret_good: the candidate holds; else it was counted under what is wrong with
 * it. Cheap checks first: overhang, collision, reach, then support. What fails
 * is counted, and the counts decide what attempt_explain says. */
static etna_code attempt_check(attempt *a,
                               const candidate *k,
                               solve_result *r,
                               arrange_pose *ret_pose,
                               bool *ret_good,
                               etna_error *err)
{
    *ret_good = false;
    *ret_pose = judge_pose(&a->problem, k);
    if (check_overhangs(a, ret_pose))
        return ETNA_OK;
    bool collides = false;
    r->collision_checks++;
    etna_code code = check_collides(a, ret_pose, &collides, err);
    if (code != ETNA_OK)
        return code;
    if (collides) {
        remember_faulty(a, k, ret_pose, false);
        a->collided++;
        if (a->way == FREE_SEARCH_NONE)
            a->refused[a->refused_count++] = *ret_pose;
        return ETNA_OK;
    }
    bool reached = true;
    code = group_reach(a->c, &reached, err);
    if (code != ETNA_OK)
        return code;
    if (!reached) {
        a->unreached++;
        return ETNA_OK;
    }
    if (a->support_tries++ >= SUPPORT_CHECKS_MAX) {
        a->unsupported++;
        return ETNA_OK;
    }
    code = find_broken(a, r, err);
    if (code != ETNA_OK)
        return code;
    *ret_good = a->broken_count == 0;
    if (*ret_good)
        return ETNA_OK;
    a->unsupported++;
    remember_faulty(a, k, ret_pose, true);
    return ETNA_OK;
}

/* ---- one attempt ---- All candidates from their starts to where they are
 * judged. */
static etna_code attempt_descend(attempt *a, bool center, etna_error *err)
{
    float pose[4][SOLVE_CANDIDATES];
    etna_code code = case_compile(a->c, center, &a->problem, pose, err);
    if (code != ETNA_OK)
        return code;
    problem_descend(&a->problem, SOLVE_ITERATIONS, pose);
    for (uint32_t i = 0; i < SOLVE_CANDIDATES; i++) {
        a->candidates[i].number = i;
        for (int k = 0; k < 4; k++)
            a->candidates[i].pose[k] = (double)pose[k][i];
    }
    a->survivors = judge_candidates(a->c, &a->problem, a->candidates);
    return ETNA_OK;
}

/* Brings places on the plane to where the other constraints hold, too: each
 * lane is drawn to its own place in the image. */
static void attempt_polish(attempt *a,
                           uint32_t count,
                           float pose[4][SOLVE_CANDIDATES])
{
    solve_problem *p = &a->problem;
    for (uint32_t l = 0; l < SOLVE_CANDIDATES; l++)
        for (int k = 0; k < 4; k++)
            pose[k][l] = (float)a->places[l < count ? l : 0][k];
    for (uint32_t i = 0; i < p->term_count; i++) {
        term *t = &p->terms[i];
        for (uint32_t l = 0; l < SOLVE_CANDIDATES && t->kind == TERM_PIXEL;
             l++) {
            const double *at = a->places[l < count ? l : 0];
            double x, y, depth;
            vec3 seen = v3_add(v3(at[0], at[1], at[2] - t->drop), p->origin);
            bool ahead = camera_project(a->c->pixels, seen, &x, &y, &depth);
            t->lane_x[l] = ahead ? (float)(x - t->target[0]) : 0;
            t->lane_y[l] = ahead ? (float)(y - t->target[1]) : 0;
        }
    }
    problem_descend(p, SOLVE_ITERATIONS, pose);
}

/* Every lane touches and looks as the first does. */
static void share_sides(solve_problem *p)
{
    for (uint32_t i = 0; i < p->term_count; i++)
        for (uint32_t l = 1;
             l < SOLVE_CANDIDATES && (p->terms[i].kind == TERM_CONTACT ||
                                      p->terms[i].kind == TERM_FACING);
             l++) {
            p->terms[i].lane_x[l] = p->terms[i].lane_x[0];
            p->terms[i].lane_y[l] = p->terms[i].lane_y[0];
        }
}

/* Judges the places in their order, and what is bad of them once more after all
 * were polished. */
static void look_over_places(attempt *a,
                             uint32_t count,
                             float pose[4][SOLVE_CANDIDATES])
{
    bool polished = false;
    for (uint32_t i = 0; i < count; i++) {
        candidate *k = &a->candidates[a->survivors];
        *k = (candidate){.number = i};
        memcpy(k->pose, a->places[i], sizeof k->pose);
        bool good = judge_one(a->c, &a->problem, true, k);
        if (!good && !polished) {
            attempt_polish(a, count, pose);
            polished = true;
        }
        if (!good) {
            for (int j = 0; j < 4; j++)
                k->pose[j] = (double)pose[j][i];
            good = judge_one(a->c, &a->problem, true, k);
        }
        a->survivors += good;
    }
}

/* The candidates are places of the whole plane instead, in the order found. */
static etna_code look_over(attempt *a,
                           bool center,
                           free_search_way way,
                           etna_error *err)
{
    float pose[4][SOLVE_CANDIDATES];
    uint32_t count;
    etna_code code = case_compile(a->c, center, &a->problem, pose, err);
    if (code == ETNA_OK && !a->have_map)
        code = free_map_make(a->c, &a->map, err);
    if (code != ETNA_OK)
        return code;
    a->have_map = true;
    a->survivors = 0;
    share_sides(&a->problem);
    double yaw = (double)pose[3][0];
    code = free_search_find(a->c, &a->problem, &a->map, way, yaw, a->places,
                            &count, err);
    if (code == ETNA_OK)
        look_over_places(a, count, pose);
    return code;
}

/* The stage that the best candidates got to is what is wrong. Collisions are
 * put into words later, when a search elsewhere failed too: who is in the way
 * costs a query per candidate. */
static void attempt_explain(const attempt *a, solve_result *r)
{
    if (a->survivors == 0) {
        r->status = BRANCH_UNSOLVED;
        failure_text_no_survivor(a->c, &a->problem, a->candidates, r);
    } else if (a->unsupported > 0) {
        r->status = BRANCH_FLOATING;
        failure_text_floating(a->c, a->broken, a->broken_count, r);
    } else if (a->unreached > 0) {
        r->status = BRANCH_UNSOLVED;
        failure_text_unreachable(a->c, r);
    } else if (a->collided > 0) {
        /* in words when nothing is found elsewhere, either */
        r->status = BRANCH_COLLISION;
    } else {
        r->status = BRANCH_UNSOLVED;
        failure_text_bottom(a->c, a->overhang_item, a->overhang_share, r);
    }
}

/* How far the object shows from the wanted pixel, shares of the image: the
 * term's loss is its weight times the square. */
static double pixel_off(const attempt *a, const candidate *k)
{
    for (uint32_t i = 0; i < a->problem.term_count; i++)
        if (a->problem.terms[i].kind == TERM_PIXEL)
            return sqrt(k->parts[i] / a->problem.terms[i].weight);
    return 0;
}

/* BRANCH_REPEATED: it is found, but was given up before, and the object stays
 * where it was. */
static void attempt_accept(const attempt *a,
                           const candidate *k,
                           const arrange_pose *pose,
                           bool center,
                           free_search_way way,
                           solve_result *r)
{
    r->widened = way != FREE_SEARCH_NONE;
    r->pixel_off = pixel_off(a, k);
    r->pose = *pose;
    r->loss = k->loss;
    r->attached = a->fastened;
    r->centered = center;
    r->status = BRANCH_VALID;
    r->reason[0] = 0;
    if (given_up_repeats(a->c, pose)) {
        r->status = BRANCH_REPEATED;
        r->pose = a->c->before;
        strcpy(
            r->reason,
            "this is the same edit as one that was given up before; choose another place");
    }
}

/* For the report only. Places looked over count as candidates when they
 * survived. */
static void run_count(const attempt *a, solve_result *r)
{
    r->survivors += a->survivors;
    if (a->way != FREE_SEARCH_NONE) {
        r->candidates += a->survivors;
        return;
    }
    r->candidates += SOLVE_CANDIDATES;
    r->loss = a->candidates[0].loss;
    for (uint32_t i = 1; i < SOLVE_CANDIDATES; i++)
        r->loss = math_min(a->candidates[i].loss, r->loss);
}

/* One search: near the pixel (FREE_SEARCH_NONE) or one of the ways over the whole
 * plane. Takes the first candidate in order of preference that passes. A later
 * search does not replace the first one's explanation. */
static etna_code attempt_run(attempt *a,
                             bool center,
                             free_search_way way,
                             solve_result *r,
                             etna_error *err)
{
    const solve_case *c = a->c;
    double begun = case_now(c);
    a->collided = a->unsupported = a->unreached = a->overhanging =
        a->support_tries = a->broken_count = 0;
    a->way = way;
    if (way == FREE_SEARCH_NONE)
        a->refused_count = 0;
    etna_code code = way == FREE_SEARCH_NONE ? attempt_descend(a, center, err)
                                             : look_over(a, center, way, err);
    double solved = case_now(c);
    r->solve_ms += solved - begun;
    if (code != ETNA_OK)
        return code;
    run_count(a, r);
    order_candidates(a);
    bool good = false;
    arrange_pose pose;
    const candidate *k = NULL;
    for (uint32_t i = 0; code == ETNA_OK && !good && i < a->survivors; i++) {
        if (c->request->paper_solver && a->unsupported > 0)
            break; /* it takes the first that collides with nothing */
        k = &a->candidates[a->order[i]];
        code = attempt_check(a, k, r, &pose, &good, err);
    }
    if (code == ETNA_OK && good)
        attempt_accept(a, k, &pose, center, way, r);
    else if (code == ETNA_OK && way == FREE_SEARCH_NONE)
        attempt_explain(a, r);
    r->check_ms += case_now(c) - solved;
    return code;
}

/* The state before: what had moved, what was attached, who supported whom. The
 * edit's object counts as moved, and its old fastening is gone. */
static etna_code attempt_prepare(attempt *a, solve_case *c, etna_error *err)
{
    const solve_request *q = c->request;
    uint32_t n = c->scene->object_count;
    a->c = c;
    a->blocker = SCENE_NONE;
    a->moved = etna_arena_alloc(c->arena, n, sizeof *a->moved);
    a->attached = etna_arena_alloc(c->arena, n, sizeof *a->attached);
    a->hits = etna_arena_alloc(c->arena, n, sizeof *a->hits);
    if (!a->moved || !a->attached || !a->hits)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    if (q->moved)
        memcpy(a->moved, q->moved, n * sizeof *a->moved);
    if (q->attached_by_contact)
        memcpy(a->attached, q->attached_by_contact, n * sizeof *a->attached);
    for (uint32_t i = 0; i < q->constraints->count; i++)
        if (q->constraints->items[i].kind == CONSTRAINT_CONTACT &&
            q->constraints->items[i].face != FACE_DOWN)
            a->fastened = true;
    a->moved[c->object] = true;
    /* what held it where it was holds it no more */
    a->attached[c->object] = a->fastened;
    if (q->start) {
        a->start = *q->start;
        return ETNA_OK;
    }
    etna_code code = space_support_compute(
        c->space, &c->rules, NULL, q->attached_by_contact, &a->start, err);
    a->have_start = code == ETNA_OK;
    return code;
}

/* The search is over. */
static bool is_found(const solve_result *r)
{
    return r->status == BRANCH_VALID || r->status == BRANCH_REPEATED;
}

/* Over the whole plane, unless what is broken is no part of the load: that is
 * so wherever it goes. */
static etna_code search_elsewhere(attempt *a, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    for (uint32_t i = 0; i < a->broken_count; i++)
        if (!group_has(c, a->broken[i]))
            return ETNA_OK;
    for (int center = 0; center <= c->center_possible; center++) {
        for (int way = FREE_SEARCH_AS_IT_STANDS; way < FREE_SEARCH_WAYS;
             way++) {
            etna_code code =
                attempt_run(a, center == 1, (free_search_way)way, r, err);
            if (code != ETNA_OK || is_found(r))
                return code;
        }
    }
    return ETNA_OK;
}

/* Where faults are allowed: rather one that leaves something unsupported than
 * one that collides. The reason stays. */
static void search_accept_faulty(attempt *a, solve_result *r)
{
    for (int floats = 1; floats >= 0 && !is_found(r); floats--) {
        if (!a->faulty[floats].there)
            continue;
        char reason[ARRANGE_REASON_MAX];
        memcpy(reason, r->reason, sizeof reason);
        attempt_accept(a, &a->faulty[floats].of, &a->faulty[floats].pose, false,
                       FREE_SEARCH_NONE, r);
        r->faulty = r->status == BRANCH_VALID;
        if (r->faulty)
            memcpy(r->reason, reason, sizeof reason);
    }
}

/* As the paper does; then, where it found nothing that another place could not
 * mend, over the whole plane. The reason is the first search's: it speaks of
 * what was asked for. */
static etna_code attempt_search(attempt *a, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    etna_code code = attempt_run(a, false, FREE_SEARCH_NONE, r, err);
    if (code == ETNA_OK && !is_found(r) && c->center_possible)
        code = attempt_run(a, true, FREE_SEARCH_NONE, r, err);
    if (code == ETNA_OK && !is_found(r) && !c->request->paper_solver)
        code = search_elsewhere(a, r, err);
    if (code == ETNA_OK && r->status == BRANCH_COLLISION) {
        code = count_hits(a, err);
        if (code == ETNA_OK)
            failure_text_collision(c, a->refused_count, a->hits, r);
    }
    if (code == ETNA_OK && c->request->allow_faults && !is_found(r))
        search_accept_faulty(a, r);
    return code;
}

/* Everything but the search. The moved flags hold for all that goes along. */
static etna_code solve_open(solve_case *c, attempt *a, etna_error *err)
{
    etna_code code = case_open(c, err);
    if (code == ETNA_OK)
        code = attempt_prepare(a, c, err);
    if (code != ETNA_OK)
        return code;
    c->hanging = a->start.support[c->object] == SUPPORT_ATTACHED;
    code = group_find(c, &a->start, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < c->body_count; i++)
        a->moved[c->body[i]] = true;
    c->start = &a->start;
    c->moved = a->moved;
    c->attached = a->attached;
    return ETNA_OK;
}

/* The space is as it was afterwards, whatever became of the search. */
static etna_code solve_search(solve_case *c,
                              attempt *a,
                              solve_result *r,
                              etna_error *err)
{
    r->object = c->object;
    r->pose = c->before;
    memcpy(r->plane, c->target, sizeof r->plane);
    etna_code code =
        c->place ? spot_search(c, r, err) : attempt_search(a, r, err);
    etna_code back = group_return(c, code == ETNA_OK ? err : NULL);
    group_tell(c, r);
    return code == ETNA_OK ? back : code;
}

/* The space is used for trying and is as before when this returns.
 * ETNA_E_INPUT: the constraints cannot be meant; that no pose was found is no
 * error but result.status with its reason. */
etna_code solve_run(space *sp,
                    probe_shared *probes,
                    const solve_request *request,
                    solve_result *ret,
                    etna_error *err)
{
    if (request->cookie != SOLVE_COOKIE || !request->constraints)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a solve request was not initialised");
    etna_arena arena = ETNA_ARENA_INIT;
    solve_result result = {.status = BRANCH_UNSOLVED};
    solve_case *c = calloc(1, sizeof *c);
    attempt *a = calloc(1, sizeof *a);
    etna_code code = ETNA_OK;
    if (c && a) {
        *c = (solve_case){.space = sp,
                          .probes = probes,
                          .scene = space_scene(sp),
                          .request = request,
                          .arena = &arena,
                          .sunk = -1};
        if (request->rules)
            c->rules = *request->rules;
        code = solve_open(c, a, err);
        if (code == ETNA_OK)
            code = solve_search(c, a, &result, err);
        if (a->have_start)
            space_support_free(&a->start);
        space_air_free(c->air);
    } else {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    }
    free(a);
    free(c);
    etna_arena_free(&arena);
    if (code == ETNA_OK)
        *ret = result;
    return code;
}
